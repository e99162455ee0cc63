/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hold times as the program makes them, without the tail that the machine adds. */
#include "transitions/resources/typical.h"

#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/place.h"

/*
 * Hold and think times are wall time. What else runs on the machine makes them longer, by time slices of milliseconds,
 * and nothing makes them shorter. So the least of a size's repeats is nearest to what the program does; and holds far
 * above the typical ones that a repeat at the largest size does without are the machine's.
 */

size_t sc_rtypical_least(const sc_resource_series *s, double *n, double *y)
{
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (count && n[count - 1] == s->sizes[i]) {
      y[count - 1] = fmin(y[count - 1], s->values[i]);
      continue;
    }
    n[count] = s->sizes[i];
    y[count++] = s->values[i];
  }
  return count;
}

static double count_below(const double *buckets, int end)
{
  double count = 0;
  for (int i = 0; i < end; i++)
    count += buckets[i];
  return count;
}

static int median_bucket(const double *buckets, double count)
{
  int i = 0;
  for (double below = 0; i < SC_RBUCKETS - 1 && below + buckets[i] < count / 2; i++)
    below += buckets[i];
  return i;
}

/* The bucket from which on holds are so much longer than most that they are its tail, and how many are below it. */
static int tail_bucket(const double *buckets, double count, double *kept)
{
  int end = median_bucket(buckets, count) + SC_TYPICAL_FAR;
  *kept = count_below(buckets, end < SC_RBUCKETS ? end : SC_RBUCKETS);
  return end;
}

/* Else what is behind is a kind of holds of its own. */
static bool is_tail(double count, double kept) { return count > 0 && count - kept <= SC_TYPICAL_TAIL * count; }

/* The mean hold cannot be above this without its tail: each in the upper end of its bucket. INFINITY without holds, or
 * where too many holds are in the tail: then they are a kind of their own. */
static double bulk_bound(const double *buckets)
{
  double sum = 0, kept, count = count_below(buckets, SC_RBUCKETS);
  int end = tail_bucket(buckets, count, &kept);
  for (int i = 0; i < end && i < SC_RBUCKETS; i++)
    sum += buckets[i] * ldexp(1e-9, i + 1);
  return is_tail(count, kept) ? sum / kept : INFINITY;
}

double sc_rtypical_longest(const double *buckets)
{
  double kept, count = count_below(buckets, SC_RBUCKETS);
  double longest = ldexp(1e-9, tail_bucket(buckets, count, &kept));
  bool known = count >= SC_TYPICAL_HOLDS && is_tail(count, kept) && longest <= SC_PROCESSORS_SLICE;
  return known ? longest : INFINITY;
}

/* Of holds in a bucket: those as likely at each logarithm. */
static double typical_middle(int bucket) { return ldexp(1e-9, bucket) / M_LN2; }

/* A few holds that lasted a slice of the scheduler's make the mean of a million short ones: the share of the mean that
 * the bulk of the histogram has is what the program itself takes. */
bool sc_rtypical_share(const sc_resources *r, const sc_resource_cell *cell, size_t run, double *share)
{
  const double *buckets = sc_resource_cell_buckets(r, cell, run);
  double sum = 0, kept = 0, all = 0, count = count_below(buckets, SC_RBUCKETS);
  int end = median_bucket(buckets, count) + SC_TYPICAL_FAR;
  for (int i = 0; i < SC_RBUCKETS; i++) {
    all += buckets[i] * typical_middle(i);
    kept += i < end ? buckets[i] : 0;
    sum += i < end ? buckets[i] * typical_middle(i) : 0;
  }
  bool known = count >= SC_TYPICAL_HOLDS && count - kept <= SC_TYPICAL_TAIL * count;
  *share = known ? sum / kept / (all / count) : 1;
  return known;
}

/* The least a hold of the bucket is from `mean`, and what it is where the bucket's middle stands for it. */
static double typical_distance(int bucket, double mean, bool least)
{
  double low = ldexp(1e-9, bucket);
  if (!least)
    return typical_middle(bucket) - mean;
  return mean < low ? low - mean : fmax(0, mean - 2 * low);
}

/* Holds of the runs at the larger sizes; at other values of further parameters those of the nearest runs. */
static void add_larger(const sc_resources *r, const sc_resource_cell *cell, double *buckets)
{
  const sc_resources *from = r->place ? r->place->all : r;
  double nearest = r->place ? sc_rplace_distance(r->place, sc_rplace_run(r, r->run_count - 1)) : 0;
  for (size_t run = r->place ? 0 : r->starts[r->size_count / 2]; run < from->run_count; run++) {
    if (r->place && sc_rplace_distance(r->place, run) > nearest)
      continue;
    for (int i = 0; i < SC_RBUCKETS; i++)
      buckets[i] += sc_resource_cell_buckets(from, &from->cells[cell - r->cells], run)[i];
  }
}

double sc_rtypical_steadiness(const sc_resources *r, const sc_resource_cell *cell)
{
  double buckets[SC_RBUCKETS] = {0}, mean = 0, squares = 0, kept;
  add_larger(r, cell, buckets);
  double count = count_below(buckets, SC_RBUCKETS);
  int end = tail_bucket(buckets, count, &kept);
  if (kept < SC_TYPICAL_HOLDS || !is_tail(count, kept))
    return 0;
  for (int i = 0; i < end && i < SC_RBUCKETS; i++)
    mean += buckets[i] * typical_middle(i) / kept;
  for (int i = 0; i < end && i < SC_RBUCKETS; i++) /* half way between the least that they differ by and the likely */
    squares +=
        buckets[i] * (pow(typical_distance(i, mean, true), 2) + pow(typical_distance(i, mean, false), 2)) / 2 / kept;
  return fmax(0, 1 - squares / (mean * mean));
}

static bool has_tail(const double *buckets, double count)
{
  int end = median_bucket(buckets, count) + SC_TYPICAL_FAR;
  return end < SC_RBUCKETS && count_below(buckets, end) < count;
}

/* True if the repeats at the largest size differ in whether they have a tail at all. */
static bool tail_comes_and_goes(const sc_resources *r, const sc_resource_cell *cell)
{
  bool with = false, without = false;
  size_t from = r->starts[r->size_count - 1];
  for (size_t run = from; run < r->run_count && r->run_count - from > 1; run++) {
    const double *buckets = sc_resource_cell_buckets(r, cell, run);
    double count = count_below(buckets, SC_RBUCKETS);
    bool tail = has_tail(buckets, count);
    with = with || tail;
    without = without || (count >= SC_TYPICAL_HOLDS && !tail);
  }
  return with && without;
}

double sc_rtypical_bulk(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  const double *buckets = sc_resource_cell_buckets(r, cell, run);
  double count = count_below(buckets, SC_RBUCKETS), rare = fmax(1, SC_TYPICAL_RARE * count), all = 0, kept = 0,
         above = 0;
  if (cell->context != SC_USAGE_NONE || count < SC_TYPICAL_HOLDS)
    return 1;
  for (int i = SC_RBUCKETS; i-- > 0; above += buckets[i]) {
    double left = fmin(buckets[i], fmax(0, above + buckets[i] - rare));
    all += ldexp(buckets[i], i);
    kept += ldexp(left, i);
  }
  return kept / (count - rare) / (all / count);
}

size_t sc_rtypical_holds(const sc_resources *r, const sc_resource_cell *cell, const sc_resource_series *s, double *n,
                         double *y)
{
  size_t count = sc_rtypical_least(s, n, y), size = 0;
  if (cell->context != SC_USAGE_NONE || !tail_comes_and_goes(r, cell))
    return count;
  for (size_t i = 0; i < count; i++) {
    while (r->sizes[size] < n[i])
      size++;
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
      y[i] = fmin(y[i], bulk_bound(sc_resource_cell_buckets(r, cell, run)));
  }
  return count;
}

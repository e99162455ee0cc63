/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/growth.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "regress/core/median.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/typical.h"

enum { HALF = 64 }; /* sizes; of more the outer ones are enough */

enum { OUTERMOST = 1, WITHIN = 2, RELEASES = 4, AWAITS = 8 }; /* of contexts */

typedef struct search {
  const sc_resources *r;
  const sc_resource_cell *cell;
  const sc_growth *growth;
  double rise;          /* of a hold, in seconds */
  unsigned char *marks; /* [contexts] */
  double *n, *each;     /* [run_count] room for a series */
} search;

/* From the lower half of the sizes to the upper one. */
static double largest_change(const double *values, size_t count)
{
  double low[HALF], high[HALF];
  size_t half = count / 2 < HALF ? count / 2 : HALF;
  for (size_t i = 0; i < half; i++) {
    low[i] = values[i];
    high[i] = values[count - half + i];
  }
  return sc_median(high, half) - sc_median(low, half);
}

/* The cell's rows of a run, one after the other; NULL at the end. */
static const sc_usage *next_row(const search *s, size_t run, size_t *at)
{
  size_t count;
  const sc_usage *rows = sc_usage_rows(s->r->graph, sc_analysis_run(s->r->analysis, run), &count);
  for (; *at < count; ++*at)
    if (rows[*at].resource == s->cell->resource)
      return &rows[(*at)++];
  return NULL;
}

static bool in_cell(const search *s, const sc_usage *row) { return sc_resource_cell_has(s->r, s->cell, row); }

/* Marks what gives the resource back, and everything above it. */
static double mark_releases(const search *s, size_t run)
{
  double longest = 0;
  const sc_usage *row;
  for (size_t at = 0; (row = next_row(s, run, &at)) != NULL;) {
    if (in_cell(s, row))
      longest = fmax(longest, row->values[SC_USAGE_HOLD_SECONDS]);
    if (!(row->values[SC_USAGE_RELEASES] > 0))
      continue;
    for (uint32_t c = row->context; c && !(s->marks[c] & RELEASES); c = sc_graph_parent(s->r->graph, c))
      s->marks[c] |= RELEASES;
  }
  return longest;
}

/* Whoever obtains it in a function of its own gives it back in another: what is done meanwhile is below both. */
static uint32_t find_outermost(const search *s, uint32_t context)
{
  uint32_t c = context;
  while (c && !(s->marks[c] & RELEASES))
    c = sc_graph_parent(s->r->graph, c);
  return c ? c : context;
}

/* Marks what may be done while the resource is held. A parent's number is smaller than its children's. */
static void mark_held(const search *s)
{
  const sc_graph *graph = s->r->graph;
  const sc_usage *row;
  for (size_t run = s->r->starts[s->r->size_count - 1]; run < s->r->run_count; run++) {
    double longest = mark_releases(s, run);
    for (size_t at = 0; (row = next_row(s, run, &at)) != NULL;)
      if (in_cell(s, row) && longest > 0 && row->values[SC_USAGE_HOLD_SECONDS] >= SC_DRIFT_MINOR * longest)
        s->marks[find_outermost(s, row->context)] |= OUTERMOST;
  }
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++)
    if (s->marks[sc_graph_parent(graph, c)] & (OUTERMOST | WITHIN))
      s->marks[c] |= WITHIN;
}

/* Marks what waits for a condition: meanwhile the lock is another thread's, and how often a thread is woken in vain
 * says nothing of how long it holds it. */
static void mark_awaits(const search *s)
{
  const sc_graph *graph = s->r->graph;
  for (size_t run = s->r->starts[s->r->size_count - 1]; run < s->r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(graph, sc_analysis_run(s->r->analysis, run), &rows);
    for (; rows; rows--, row++)
      if (row->event == SC_USAGE_EVENT_WAIT &&
          sc_usage_resource_at(graph, row->resource)->resource_class == SC_RESOURCE_CONDITION)
        s->marks[row->context] |= AWAITS;
  }
}

/* Executions of a context for each acquire, the mean of every size; *exact: all repeats have the same. */
static size_t list_executions_each(const search *s, uint32_t context, bool *exact)
{
  const sc_resources *r = s->r;
  size_t count = 0;
  *exact = true;
  for (size_t size = 0; size < r->size_count; size++) {
    double sum = 0, first = 0;
    size_t runs = 0;
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++) {
      double acquires = sc_resource_cell_sum(s->cell, run, SC_USAGE_ACQUIRES);
      double each = sc_graph_executions(r->graph, sc_analysis_run(r->analysis, run), context) / acquires;
      if (!(acquires > 0))
        continue;
      first = runs++ ? first : each;
      *exact = *exact && each == first;
      sum += each;
    }
    s->n[count] = r->sizes[size];
    s->each[count] = runs ? sum / (double)runs : 0;
    count += runs > 0;
  }
  return count;
}

/* What grows beyond the sizes, by a size that is a good deal larger. */
static double grow_beyond_sizes(double each, double by) { return each * (pow(SC_DRIFT_FAR, by) - 1); }

/* True if it grows, and what is added of it need not take longer than the machine might to account for the time. Of
 * several the one that grows most is kept in *doubt. */
static bool count_explains_growth(const search *s, uint32_t context, sc_growth_doubt *doubt)
{
  bool exact;
  sc_trend trend;
  size_t count = list_executions_each(s, context, &exact);
  double slope = sc_trend_slope(s->n, s->each, count);
  if (slope < fmax(SC_SERIES_SLOPE, SC_DRIFT_PART * s->growth->slope) ||
      !(s->rise <= SC_DRIFT_SECONDS * largest_change(s->each, count)))
    return false;
  if (!exact && !(sc_trend_fit(s->n, s->each, count, SC_TREND_TIMES, &trend) && sc_trend_certain(&trend, s->r->level)))
    return false;
  if (grow_beyond_sizes(s->each[count - 1], slope) > grow_beyond_sizes(doubt->each, doubt->by)) {
    doubt->each = s->each[count - 1];
    doubt->by = slope;
    doubt->most = fmin(SC_DRIFT_SECONDS, SC_DRIFT_SLOWER * s->rise / largest_change(s->each, count));
  }
  return true;
}

/* Time alone does not tell a hold that grows with the data from a machine that gets slower; a loop within the hold,
 * whose iterations grow alike, does. */
static int find_count(const sc_resources *r, const sc_resource_cell *cell, const sc_growth *growth, double rise,
                      bool *found, sc_growth_doubt *doubt)
{
  uint32_t contexts = sc_graph_context_count(r->graph);
  search s = {.r = r, .cell = cell, .growth = growth, .rise = rise};
  s.marks = sc_mem_new(contexts + 1, sizeof *s.marks);
  s.n = sc_mem_new(r->size_count, sizeof *s.n);
  s.each = sc_mem_new(r->size_count, sizeof *s.each);
  int err = s.marks && s.n && s.each ? 0 : SC_E_NOMEM;
  *found = false;
  if (!err) {
    mark_held(&s);
    mark_awaits(&s);
  }
  for (uint32_t c = 1; !err && c < contexts; c++)
    if ((s.marks[c] & (WITHIN | AWAITS)) == WITHIN && sc_location_is_counted(sc_graph_at(r->graph, c)) &&
        count_explains_growth(&s, c, doubt))
      *found = true;
  free(s.marks);
  free(s.n);
  free(s.each);
  return err;
}

/* By how much mean holds rise without the longest ones of each run. */
static int rise_of_bulk(const sc_resources *r, const sc_resource_cell *cell, const sc_growth *growth, double *by)
{
  double *bulk = sc_mem_new(r->size_count, sizeof *bulk), value;
  size_t count = 0;
  if (!bulk)
    return SC_E_NOMEM;
  for (size_t size = 0; size < r->size_count; size++) {
    double least = INFINITY;
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
      if (sc_rmetric_value(r, cell, run, growth->metric, &value))
        least = fmin(least, value * sc_rtypical_bulk(r, cell, run));
    bulk[count] = least;
    count += isfinite(least);
  }
  *by = fmin(largest_change(growth->seconds, growth->count), largest_change(bulk, count));
  free(bulk);
  return 0;
}

/* Whether repeats of one size differ by more than the sizes do: what lengthens some of them may lengthen all of a size.
 */
static bool is_within_noise(const sc_growth *growth, double rise)
{
  double last = growth->seconds[growth->count - 1];
  return growth->noise > 0 && rise < last && -log1p(-rise / last) < growth->noise;
}

int sc_growth_judge(const sc_resources *r, const sc_resource_cell *cell, const sc_growth *growth, bool *believed,
                    sc_growth_doubt *doubt)
{
  bool hold = sc_rmetric_is_hold(growth->metric), counted = false;
  *believed = true;
  *doubt = (sc_growth_doubt){0};
  if ((!hold && !sc_rmetric_is_think(growth->metric)) || growth->count < 2)
    return 0;
  double by = -largest_change(growth->seconds, growth->count), off = SC_DRIFT_SHARE;
  doubt->state = SC_DRIFT_STATE;
  if (hold)
    SC_TRY(rise_of_bulk(r, cell, growth, &by));
  if (hold && by > 0 && by <= SC_DRIFT_SECONDS)
    SC_TRY(find_count(r, cell, growth, by, &counted, doubt));
  /* More clients make no request of a pool longer; a machine with ever less to give to each thread does. */
  bool served = hold && sc_rpool_at(r, cell->resource);
  *believed = counted || (by > SC_DRIFT_SECONDS && !served && !(hold && is_within_noise(growth, by)));
  if (counted)
    doubt->seconds = growth->seconds[growth->count - 1];
  if (*believed && !counted)
    off = hypot(off, SC_DRIFT_SECONDS / 2 / by);
  if (*believed)
    doubt->exponent = off / log(growth->n[growth->count - 1] / growth->n[0]);
  else if (growth->slope * (hold ? 1 : -1) > 0)
    doubt->exponent = fabs(growth->slope) / 2;
  return 0;
}

void sc_growth_bound(const sc_growth_doubt *doubt, double n_max, double n, sc_interval *interval)
{
  if (!(doubt->by > 0) || !(n > n_max))
    return;
  double most = doubt->seconds + doubt->most * doubt->each * (pow(n / n_max, doubt->by) - 1);
  interval->value = fmin(interval->value, most);
  interval->low = fmin(interval->low, most);
}

void sc_growth_widen(const sc_growth_doubt *doubt, double n_max, double n, double level, sc_interval *interval)
{
  if (!(doubt->exponent > 0 || doubt->state > 0) || !(n > n_max))
    return;
  double away = log(n / n_max),
         error = hypot(doubt->exponent * away, doubt->state * fmin(1, away / log(SC_DRIFT_AWAY)));
  double factor = exp(gsl_cdf_ugaussian_Pinv(0.5 + level / 2) * error);
  interval->low = fmin(interval->low, interval->value / factor);
  interval->high = fmax(interval->high, interval->value * factor);
}

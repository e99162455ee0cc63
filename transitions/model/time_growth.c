/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/time_growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/power.h"
#include "transitions/model/data.h"
#include "transitions/model/footprint.h"
#include "transitions/model/sums.h"
#include "transitions/model/time_points.h"
#include "transitions/model/tuning.h"

const char *sc_time_state_name(enum sc_time_state state)
{
  static const char *const names[] = {"unknown", "constant", "growing", "unchecked", "undecided"};
  return names[state];
}

bool sc_time_growth_is_short(const sc_time_growth *growth) { return growth->longest < SC_TIME_GROWTH_DECIDES; }

/* Commands ask again and again. */
static struct sc_sums_largest at_largest(const sc_analysis *a)
{
  struct sc_sums_largest *known = sc_sums_largest(a), found = {.exponent = 1, .exact = known->exact};
  if (known->exponent > 0)
    return *known;
  for (uint32_t c = 1; c < a->contexts; c++) {
    if (a->series[c] == SC_NONE)
      continue;
    double executions = sc_analysis_executions(a, c, sc_analysis_values(a, c)[a->run_count - 1]);
    found.executions += executions;
    if (executions > SC_TIME_GROWTH_TINY && sc_analysis_known(a, c))
      found.exponent = fmax(found.exponent, sc_analysis_model(a, c)->exponent_low);
  }
  return *known = found;
}

/* Whether executions are short enough to do no more than wait for memory. */
static bool waits_for_memory(const sc_analysis *a, double executions, const sc_power_point *last)
{
  double step = sc_latency_most_step(&a->options.latency, sc_footprint_bytes(a, last->n));
  return a->footprint.grows && last->y <= SC_TIME_GROWTH_STEPS * step * executions;
}

/* Data that leave the caches make each execution dearer, up to ten times from one size to eight times that: the times
 * are taken by what a step cost on this machine. */
static void allow_for_caches(const sc_analysis *a, sc_power_point *points, size_t count)
{
  for (size_t i = 0; i < count; i++)
    points[i].dearer = sc_footprint_step(a, points[i].n) - 1;
}

/* What a step takes at a size, if caches end about `end` bytes: the least before, and afterwards more by this power of
 * what most is to least. */
static double step_around(const sc_analysis *a, double n, double end, double power)
{
  const sc_latency *latency = &a->options.latency;
  double bytes = sc_footprint_bytes(a, n), least = sc_latency_least_step(latency, bytes);
  double beyond = 0.5 + log2(bytes / end) / (2 * SC_TIME_GROWTH_CACHE_END);
  return least * pow(sc_latency_most_step(latency, bytes) / least, power * fmin(fmax(beyond, 0), 1));
}

/* How much of a cache a program gets that others share is not known, and differs from one minute to the next: whether
 * the times may grow like this and no faster, if caches end about any one of the sizes. */
static bool caches_allow(const sc_analysis *a, const sc_power_point *points, size_t count, double exponent)
{
  sc_power_point *dearer = sc_mem_new(count, sizeof *dearer);
  bool allowed = !dearer;
  double limit = sc_power_limit(points, count);
  for (size_t k = 0; k < count * SC_TIME_GROWTH_CACHE_STEPS && !allowed; k++) {
    double end = sc_footprint_bytes(a, points[k / SC_TIME_GROWTH_CACHE_STEPS].n);
    double power = (double)(k % SC_TIME_GROWTH_CACHE_STEPS + 1) / SC_TIME_GROWTH_CACHE_STEPS;
    double last = step_around(a, points[count - 1].n, end, power);
    for (size_t i = 0; i < count; i++) {
      dearer[i] = points[i];
      dearer[i].dearer = step_around(a, points[i].n, end, power) / last - 1;
    }
    allowed = sc_power_chi2(dearer, count, exponent) <= limit;
  }
  free(dearer);
  return allowed;
}

/* The size at which the part that grows stands out of the start, if it grows with this exponent. Where the times of
 * short runs hide that part, it is no less than the executions take. */
static double standing_size(const sc_power *fit, double exponent, const sc_power_point *last, double least)
{
  double grown = fmax(fmax(fit->at_largest, least), SC_TIME_GROWTH_SCATTER * last->y);
  double wanted = fmax(SC_TIME_GROWTH_STANDS_OUT * fit->start, SC_TIME_GROWTH_DECIDES);
  double factor = fmax(2, pow(wanted / grown, 1 / fmax(1, exponent)));
  return factor <= SC_TIME_GROWTH_FARTHEST ? factor * last->n : INFINITY;
}

/* No size beyond the targets: once the largest is measured, its time is no prediction. */
static double deciding_size(double standing, double horizon, double largest)
{
  bool in_reach = horizon > largest && horizon <= SC_TIME_GROWTH_FARTHEST * largest;
  return in_reach ? fmin(standing, horizon) : standing;
}

/* In the widest gap among the sizes whose times stand out, as where one large size followed many short ones; 0: none.
 */
static double size_between(const sc_power *fit, const sc_power_point *points, size_t count)
{
  double between = 0, widest = SC_TIME_GROWTH_GAP;
  if (!(fit->exponent > 0) || fit->at_largest < fmax(SC_TIME_GROWTH_STANDS_OUT * fit->start, SC_TIME_GROWTH_DECIDES))
    return 0;
  double visible = points[count - 1].n * pow(fit->start / fit->at_largest, 1 / fit->exponent);
  for (size_t i = 1; i < count; i++) {
    double low = fmax(points[i - 1].n, visible);
    if (points[i].n < widest * low)
      continue;
    widest = points[i].n / low;
    between = sqrt(low * points[i].n);
  }
  return between;
}

/* Where no context is known to take longer, as where one large size followed many short ones: the largest of the sizes
 * below that one which would show it and are still to be run; 0: none. */
static double size_to_place(const sc_analysis *a, const sc_power_point *points, size_t count)
{
  double n = points[count - 1].n;
  for (uint32_t c = 0; c < a->contexts; c++)
    if (sc_analysis_in_scope(a, c) && sc_analysis_load(a, c)->growing)
      return 0;
  for (size_t below = 1; below < SC_COST_GROWTH_SIZES && n / 2 > points[0].n; below++) {
    bool run = false;
    n /= 2;
    for (size_t i = 0; i < count; i++)
      run |= points[i].n < n * M_SQRT2 && n < points[i].n * M_SQRT2;
    if (!run)
      return n;
  }
  return 0;
}

/* Whether the sizes below the largest show it, too: one run of twice the time, of a machine that was busy then, is no
 * growth. */
static bool grows_before(const sc_power_point *points, size_t count, double counts)
{
  sc_power fit;
  return sc_power_fit(points, count - 1, points[count - 1].n, &fit) && fit.low > counts + SC_TIME_GROWTH_RISE;
}

/* Whether the times speak for steeper growth than this: all of them, or the last step alone, as where growth begins
 * late. */
static bool hints_at_growth(const sc_power_point *points, size_t count, double exponent)
{
  const sc_power_point *last = &points[count - 1], *before = &points[count - 2];
  double step = last->y * (1 + before->dearer) / (before->y * pow(last->n / before->n, exponent));
  return step > 1 + SC_TIME_GROWTH_HINT * hypot(last->error, before->error) ||
         sc_power_excess(points, count, exponent) > SC_TIME_GROWTH_HINT;
}

/* Whether the times claim growth: not from short runs of a busy machine. */
static bool is_certain(const sc_analysis *a, const sc_time_growth *out, const sc_power *fit,
                       const sc_power_point *points, size_t count)
{
  bool steady = out->longest >= SC_TIME_GROWTH_DECIDES || sc_time_busy(a) < SC_TIME_GROWTH_BUSY;
  return steady && fit->low > out->counts + SC_TIME_GROWTH_RISE && fit->high >= out->counts + SC_TIME_GROWTH_ORDER &&
         grows_before(points, count, out->counts);
}

static void decide(const sc_analysis *a, sc_power_point *points, size_t count, sc_time_growth *out)
{
  sc_power fit;
  double far = sc_analysis_horizon(a), executions = at_largest(a).executions;
  if (!count || !sc_power_fit(points, count, fmax(far, points[count - 1].n), &fit))
    return;
  *out = (sc_time_growth){.checked = points[count - 1].n,
                          .longest = points[count - 1].y,
                          .exponent = fit.exponent,
                          .low = fit.low,
                          .high = fit.high,
                          .counts = out->counts,
                          .deciding = INFINITY};
  double bar = out->counts + SC_TIME_GROWTH_RISE;
  sc_power work = fit; /* without what memory costs that the data left the caches for */
  bool waits = waits_for_memory(a, executions, &points[count - 1]);
  if (waits)
    allow_for_caches(a, points, count);
  if (waits && !sc_power_fit(points, count, points[count - 1].n, &work))
    return;
  if (is_certain(a, out, &work, points, count) && !(waits && caches_allow(a, points, count, bar))) {
    out->state = SC_TIME_GROWING;
    out->between = size_to_place(a, points, count);
  } else if (fmin(fit.high, work.high) <= bar || fit.far <= SC_TIME_GROWTH_UNNOTICED) {
    out->state = SC_TIME_CONSTANT;
    out->unnoticed = fmin(fit.high, work.high) > bar;
  } else {
    bool hint = hints_at_growth(points, count, bar);
    out->state = hint ? SC_TIME_UNDECIDED : SC_TIME_UNCHECKED;
    /* What hints at nothing is expected to grow as the counts do. */
    double standing = standing_size(&fit, hint ? fit.exponent : out->counts, &points[count - 1],
                                    SC_TIME_GROWTH_EXECUTION * executions);
    out->deciding = deciding_size(standing, far, out->checked);
    out->between = size_between(&fit, points, count);
  }
}

sc_time_growth sc_analysis_time_growth(const sc_analysis *a)
{
  sc_time_growth out = {.state = SC_TIME_UNKNOWN, .counts = at_largest(a).exponent};
  size_t count;
  if (a->options.root_count) /* the times are those of the whole program */
    return out;
  sc_power_point *points = sc_mem_new(a->run_count, sizeof *points);
  if (points && sc_time_points(a, points, &count) == 0)
    decide(a, points, count, &out);
  free(points);
  return out;
}

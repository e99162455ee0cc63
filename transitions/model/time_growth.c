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
#include "transitions/model/time_caches.h"
#include "transitions/model/time_mix.h"
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

/* How much of a cache a program gets that others share is not known: whether the times may grow like this and no
 * faster, if caches end about any one of the sizes. */
static bool caches_allow(const sc_analysis *a, const sc_power_point *points, size_t count, double exponent)
{
  sc_power_point *dearer = sc_mem_new(count, sizeof *dearer);
  bool allowed = !dearer;
  double limit = sc_power_limit(points, count);
  for (size_t way = 0; way < sc_time_caches_ways(count) && !allowed; way++) {
    memcpy(dearer, points, count * sizeof *dearer);
    sc_time_caches_shared(a, way, dearer, count);
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

/* What would decide: a time that stands out of the start and, where a part grows beneath the rest, in which that part
 * is most of it. What hints at nothing is expected to grow as the counts do. */
static void leave_time_open(const sc_analysis *a, const sc_power *fit, const sc_time_mix *mix,
                            const sc_power_point *points, size_t count, sc_time_growth *out)
{
  bool hint = mix->hints || hints_at_growth(points, count, out->counts + SC_TIME_GROWTH_RISE);
  double standing = standing_size(fit, hint ? fit->exponent : out->counts, &points[count - 1],
                                  SC_TIME_GROWTH_EXECUTION * at_largest(a).executions);
  if (mix->hints)
    standing = fmax(standing, SC_TIME_MIX_MOSTLY * (1 - mix->share) / mix->share * out->checked);
  out->state = hint ? SC_TIME_UNDECIDED : SC_TIME_UNCHECKED;
  out->deciding = deciding_size(standing, sc_analysis_horizon(a), out->checked);
  out->between = size_between(fit, points, count);
}

static void decide_time(const sc_analysis *a, sc_power_point *points, size_t count, sc_time_growth *out)
{
  sc_power fit;
  double far = sc_analysis_horizon(a);
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
  bool waits = waits_for_memory(a, at_largest(a).executions, &points[count - 1]);
  sc_time_mix mix = sc_time_mix_find(a, points, count, out->counts, waits);
  if (waits)
    sc_time_caches_measured(a, points, count);
  if (waits && !sc_power_fit(points, count, points[count - 1].n, &work))
    return;
  bool flat = fmin(fit.high, work.high) <= bar && !mix.hints && !mix.open;
  if (is_certain(a, out, &work, points, count) && !(waits && caches_allow(a, points, count, bar))) {
    out->state = SC_TIME_GROWING;
    out->between = size_to_place(a, points, count);
  } else if (flat || fmax(fit.far, sc_time_mix_most(points, count, out->counts, far)) <= SC_TIME_GROWTH_UNNOTICED) {
    out->state = SC_TIME_CONSTANT;
    out->unnoticed = !flat;
  } else
    leave_time_open(a, &fit, &mix, points, count, out);
}

/* Without memory the answer is "unknown", which every caller handles; a prediction should not fail for this. */
sc_time_growth sc_analysis_time_growth(const sc_analysis *a)
{
  sc_time_growth out = {.state = SC_TIME_UNKNOWN, .counts = at_largest(a).exponent};
  size_t count;
  if (a->options.root_count) /* the times are those of the whole program */
    return out;
  sc_power_point *points = sc_mem_new(a->run_count, sizeof *points);
  if (points && sc_time_points(a, points, &count) == 0)
    decide_time(a, points, count, &out);
  free(points);
  return out;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/time_mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/bent_line.h"
#include "transitions/model/footprint.h"
#include "transitions/model/time_caches.h"
#include "transitions/model/tuning.h"

typedef struct mixing {
  const sc_analysis *a;
  const sc_power_point *points; /* [count] */
  sc_bent_line_point *mixed;    /* [count] */
  double *base;                 /* [count] */
  size_t count;
  double counts;
} mixing;

/* What is known to grow: the highest power of a count, or the executions at their mean costs. */
static void set_base(const mixing *m, bool steady)
{
  for (size_t i = 0; i < m->count; i++)
    m->base[i] =
        steady ? sc_footprint_steady(m->a, m->points[i].n) : pow(m->points[i].n / m->points[m->count - 1].n, m->counts);
}

/* `rise`: exponent by which executions get dearer besides. */
static void set_points(const mixing *m, double rise)
{
  for (size_t i = 0; i < m->count; i++) {
    const sc_power_point *p = &m->points[i];
    double share = p->n / m->points[m->count - 1].n;
    m->mixed[i] = (sc_bent_line_point){.y = p->y,
                                       .error = p->error * p->y,
                                       .base = m->base[i] * pow(share, rise) * (1 + p->dearer),
                                       .extra = m->base[i] * share};
  }
}

typedef struct preference {
  double errors; /* standard errors by which the mix is preferred to one without that part; */
  double share;  /* its part of the largest size's time then; both of what memory explains best */
  double most;   /* the least that this part may be at most */
} preference;

static double find_mixed_share(const mixing *m, const sc_bent_line *bent)
{
  const sc_bent_line_point *last = &m->mixed[m->count - 1];
  return fmin(1, bent->more * last->extra / last->y);
}

/* Two questions in one pass: how well a mix explains the times (errors), and how much of one they do not exclude
 * (most). Both only shrink, so that the search ends when neither can matter. */
static void try_mix(const mixing *m, double rise, preference *least)
{
  sc_bent_line bent;
  if (least->errors <= SC_TIME_GROWTH_HINT && least->most <= SC_TIME_MIX_SEEN)
    return;
  set_points(m, rise);
  double errors = sc_bent_line_fit(m->mixed, m->count, &bent);
  if (errors < least->errors) {
    least->errors = errors;
    least->share = find_mixed_share(m, &bent);
  }
  if (rise > 0) /* what times do not exclude is not explained by what caches often do */
    return;
  sc_bent_line_most(m->mixed, m->count, &bent);
  least->most = fmin(least->most, find_mixed_share(m, &bent));
}

/* What caches are known to do, and all that they may have done. `points`: the mixing's, whose `dearer` is filled in. */
static void try_base(const mixing *m, sc_power_point *points, bool waits, preference *least)
{
  try_mix(m, 0, least);
  try_mix(m, SC_COSTS_CACHE, least);
  if (!waits)
    return;
  sc_time_caches_measured(m->a, points, m->count);
  try_mix(m, 0, least);
  for (size_t way = 0; way < sc_time_caches_ways(m->count); way++) {
    sc_time_caches_shared(m->a, way, points, m->count);
    try_mix(m, 0, least);
  }
  for (size_t i = 0; i < m->count; i++)
    points[i].dearer = 0;
}

static void find_time_mix(const mixing *m, sc_power_point *points, bool waits, sc_time_mix *out)
{
  preference least = {.errors = INFINITY, .most = INFINITY};
  double last = m->points[m->count - 1].n, far = fmax(1, sc_analysis_horizon(m->a) / last);
  set_base(m, false);
  try_base(m, points, waits, &least);
  set_base(m, true);
  if (m->base[m->count - 1] > 0)
    try_base(m, points, waits, &least);
  out->share = least.share;
  out->hints = least.errors > SC_TIME_GROWTH_HINT && 1 + least.share * (far - 1) >= SC_TIME_MIX_WORTH;
  out->open = least.most > SC_TIME_MIX_SEEN;
}

sc_time_mix sc_time_mix_find(const sc_analysis *a, const sc_power_point *points, size_t count, double counts,
                             bool waits)
{
  sc_time_mix out = {.hints = false};
  sc_power_point *own = sc_mem_new(count, sizeof *own);
  mixing m = {.a = a, .points = own, .count = count, .counts = counts};
  m.mixed = sc_mem_new(count, sizeof *m.mixed);
  m.base = sc_mem_new(count, sizeof *m.base);
  if (own && m.mixed && m.base && count >= SC_TIME_MIX_SIZES) {
    for (size_t i = 0; i < count; i++) {
      own[i] = points[i];
      own[i].dearer = 0;
    }
    find_time_mix(&m, own, waits, &out);
  }
  free(own);
  free(m.mixed);
  free(m.base);
  return out;
}

double sc_time_mix_most(const sc_power_point *points, size_t count, double counts, double n)
{
  mixing m = {.points = points, .count = count, .counts = counts};
  double most = 0, share = n / points[count - 1].n;
  m.mixed = sc_mem_new(count, sizeof *m.mixed);
  m.base = sc_mem_new(count, sizeof *m.base);
  if (m.mixed && m.base && count >= SC_TIME_MIX_SIZES) {
    sc_bent_line bent;
    set_base(&m, false);
    set_points(&m, 0);
    sc_bent_line_most(m.mixed, count, &bent);
    most = bent.start + pow(share, counts) * (bent.each + share * bent.more);
  }
  free(m.mixed);
  free(m.base);
  return most;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What data that leave the caches may have made of the times of whole runs. */
#include "transitions/model/time_caches.h"

#include <math.h>

#include "transitions/model/footprint.h"
#include "transitions/model/tuning.h"

void sc_time_caches_measured(const sc_analysis *a, sc_power_point *points, size_t count)
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

size_t sc_time_caches_ways(size_t count) { return count * SC_TIME_GROWTH_CACHE_STEPS; }

void sc_time_caches_shared(const sc_analysis *a, size_t way, sc_power_point *points, size_t count)
{
  double end = sc_footprint_bytes(a, points[way / SC_TIME_GROWTH_CACHE_STEPS].n);
  double power = (double)(way % SC_TIME_GROWTH_CACHE_STEPS + 1) / SC_TIME_GROWTH_CACHE_STEPS;
  double last = step_around(a, points[count - 1].n, end, power);
  for (size_t i = 0; i < count; i++)
    points[i].dearer = step_around(a, points[i].n, end, power) / last - 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/queue.h"

#include <math.h>

/* From so many customers on the recursion has nothing to tell that the asymptotes don't. */
static const double MANY = 4096;

static double places(const sc_queue *q) { return fmax(1, q->stations) * fmax(1, q->servers); }

double sc_queue_offered(const sc_queue *q)
{
  double cycle = q->hold + q->think;
  return cycle > 0 ? q->customers * q->hold / cycle / places(q) : 0;
}

double sc_queue_saturation(const sc_queue *q)
{
  return q->hold > 0 ? places(q) * (q->hold + q->think) / q->hold : INFINITY;
}

/* Of n customers, each on arrival sees the queue that n - 1 leave. */
static double wait_recursive(const sc_queue *q, long n)
{
  double servers = fmax(1, q->servers), stations = fmax(1, q->stations);
  double service = q->hold / servers, delay = q->hold - service, length = 0, wait = 0;
  for (long i = 1; i <= n; i++) {
    double response = service * (1 + length);
    wait = response - service;
    length = (double)i / (q->think + delay + response) * response / stations;
  }
  return stations <= 1 && (double)n <= servers ? 0 : wait;
}

static double wait_asymptotic(const sc_queue *q)
{
  double offered = sc_queue_offered(q);
  double saturated = q->customers * q->hold / places(q) - q->hold - q->think;
  double open = offered < 1 ? q->hold / fmax(1, q->servers) * offered / (1 - offered) : INFINITY;
  return fmax(0, offered < 1 ? fmin(open, fmax(saturated, q->hold * sqrt(q->customers))) : saturated);
}

static double wait_of(const sc_queue *q)
{
  if (q->customers > MANY)
    return wait_asymptotic(q);
  double below = floor(q->customers), part = q->customers - below;
  double wait = wait_recursive(q, (long)below);
  return part > 0 ? wait + part * (wait_recursive(q, (long)below + 1) - wait) : wait;
}

sc_queue_result sc_queue_solve(const sc_queue *q)
{
  sc_queue_result result = {0};
  if (!(q->hold + q->think > 0) || !(q->customers > 0))
    return result;
  result.wait = q->hold > 0 ? wait_of(q) : 0;
  double cycle = q->hold + q->think + result.wait;
  result.throughput = q->customers / cycle;
  result.share = result.wait / cycle;
  result.utilisation = fmin(1, result.throughput * q->hold / places(q));
  return result;
}

double sc_queue_blocked(double hold, double think)
{
  if (!(hold > 0))
    return 0;
  return hold < think ? hold * hold / 2 / think : hold - think / 2;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/queue.h"

#include <math.h>

/* From so many customers on the recursion has nothing to tell that the asymptotes don't. */
static const double MANY = 4096;
static const double HUGE_WEIGHT = 1e200; /* weights of states are made smaller from here on */

static double places(const sc_queue *q) { return fmax(1, q->stations) * fmax(1, q->servers); }

/* What a customer takes from one visit to the next if nobody waits. */
static double cycle_of(const sc_queue *q) { return q->detached ? q->think : q->hold + q->think; }

double sc_queue_offered(const sc_queue *q)
{
  double cycle = cycle_of(q);
  if (cycle > 0)
    return q->customers * q->hold / cycle / places(q);
  return q->hold > 0 && q->customers > 0 ? INFINITY : 0;
}

double sc_queue_saturation(const sc_queue *q) { return q->hold > 0 ? places(q) * cycle_of(q) / q->hold : INFINITY; }

typedef struct visit {
  double wait, blocked;
} visit;

/* Of n customers, each on arrival sees the queue that n - 1 leave. */
static visit visit_recursive(const sc_queue *q, long n)
{
  double servers = fmax(1, q->servers), stations = fmax(1, q->stations);
  double service = q->hold / servers, delay = q->hold - service, length = 0, busy = 0;
  visit v = {0};
  for (long i = 1; i <= n; i++) {
    double response = service * (1 + length);
    v = (visit){response - service, busy};
    double throughput = (double)i / (q->think + delay + response) / stations;
    length = throughput * response;
    busy = throughput * service;
  }
  return stations <= 1 && (double)n <= servers ? (visit){0} : v;
}

/* Customers at one station, waiting ones and units out together, as a birth and death process. */
static visit visit_of_states(const sc_queue *q, long n)
{
  double servers = fmax(1, round(q->servers)), last = (double)n + (q->detached ? servers : 0);
  double think = fmax(q->think, 1e-9 * q->hold) * fmax(1, q->stations);
  double weight = 1, asked = 0, blocked = 0, waiting = 0;
  for (double j = 0; j <= last; j++) {
    double free = (double)n - (q->detached ? fmax(0, j - servers) : j), rate = weight * free / think;
    asked += rate;
    blocked += j >= servers ? rate : 0;
    waiting += weight * fmax(0, j - servers);
    weight *= free / think * q->hold / fmin(j + 1, servers);
    if (weight > HUGE_WEIGHT) {
      asked /= HUGE_WEIGHT;
      blocked /= HUGE_WEIGHT;
      waiting /= HUGE_WEIGHT;
      weight /= HUGE_WEIGHT;
    }
  }
  return asked > 0 ? (visit){waiting / asked, blocked / asked} : (visit){0};
}

static visit visit_of(const sc_queue *q, long n)
{
  bool pool = q->servers > 1 && fmax(1, q->stations) <= 1;
  return q->detached || pool ? visit_of_states(q, n) : visit_recursive(q, n);
}

static visit visit_asymptotic(const sc_queue *q)
{
  double offered = sc_queue_offered(q), servers = fmax(1, q->servers);
  double blocked = offered < 1 ? pow(offered, sqrt(2 * (servers + 1)) - 1) : 1; /* Sakasegawa */
  double saturated = q->customers * q->hold / places(q) - cycle_of(q);
  double open = offered < 1 ? q->hold / servers * blocked / (1 - offered) : INFINITY;
  double wait = fmax(0, offered < 1 ? fmin(open, fmax(saturated, q->hold * sqrt(q->customers))) : saturated);
  return (visit){wait, blocked};
}

/* Between whole numbers of customers, what lies between. */
static visit visit_mean(const sc_queue *q)
{
  if (!q->detached && fmax(1, q->stations) <= 1 && q->customers <= q->servers)
    return (visit){0};
  if (q->customers > MANY || q->servers > MANY)
    return visit_asymptotic(q);
  double below = floor(q->customers), part = q->customers - below;
  visit v = visit_of(q, (long)below);
  if (part > 0) {
    visit above = visit_of(q, (long)below + 1);
    v = (visit){v.wait + part * (above.wait - v.wait), v.blocked + part * (above.blocked - v.blocked)};
  }
  return v;
}

sc_queue_result sc_queue_solve(const sc_queue *q)
{
  sc_queue_result result = {0};
  if (!(q->hold + q->think > 0) || !(q->customers > 0))
    return result;
  visit v = q->hold > 0 ? visit_mean(q) : (visit){0};
  result.wait = v.wait;
  result.blocked = v.blocked;
  double cycle = cycle_of(q) + v.wait;
  if (!(cycle > 0)) /* a single customer that asks again at once, and never waits: as fast as units come back */
    cycle = q->hold * q->customers / places(q);
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

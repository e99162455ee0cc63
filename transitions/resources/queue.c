/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closed network for any number of customers, whole or not: by recursion over customers or by states, as far as
 * these are cheap, else by where both lead to. Processors are a second station, and the two are solved in turn. */
#include "transitions/resources/queue.h"

#include <math.h>

#include "transitions/model/tuning.h"

static double queue_places(const sc_queue *q) { return fmax(1, q->stations) * fmax(1, q->servers); }

/* What a customer takes from one visit to the next if nobody waits. */
static double queue_cycle_of(const sc_queue *q) { return q->detached ? q->think : q->hold + q->think; }

double sc_queue_offered(const sc_queue *q)
{
  double cycle = queue_cycle_of(q);
  if (cycle > 0)
    return q->customers * q->hold / cycle / queue_places(q);
  return q->hold > 0 && q->customers > 0 ? INFINITY : 0;
}

double sc_queue_saturation(const sc_queue *q)
{
  return q->hold > 0 ? queue_places(q) * queue_cycle_of(q) / q->hold : INFINITY;
}

typedef struct visit {
  double wait, blocked;
  double out; /* detached: mean time that a unit is out */
} visit;

/* Of n customers, each on arrival sees the queue that n - 1 leave, and the rest of the hold that goes on (Reiser's mean
 * value analysis of a station where all are served in turn): half of one if all are alike, a whole one if exponential.
 */
static visit visit_recursive(const sc_queue *q, long n)
{
  double servers = fmax(1, q->servers), stations = fmax(1, q->stations);
  double service = q->hold / servers, delay = q->hold - service, length = 0, busy = 0;
  visit v = {0};
  for (long i = 1; i <= n; i++) {
    double response = service * (1 + length);
    v = (visit){.wait = response - service, .blocked = busy};
    double throughput = (double)i / (q->think + delay + response) / stations;
    length = throughput * response;
    busy = throughput * service;
  }
  return v;
}

/* What a unit's service takes where j are there: somebody waits if there are as many as are served, or more. */
static double service_of_state(const sc_queue *q, double j, double servers)
{
  return q->hold + (j >= servers ? q->handover + (q->detached ? q->kept_out : 0) : 0);
}

/* Customers at one station, waiting ones and units out together, as a birth and death process. */
static visit visit_of_states(const sc_queue *q, long n)
{
  double servers = fmax(1, round(q->servers)), last = (double)n + (q->detached ? servers : 0);
  double think = fmax(q->think, SC_QUEUE_AWAY * q->hold) * fmax(1, q->stations);
  double weight = 1, asked = 0, blocked = 0, waiting = 0, serving = 0;
  for (double j = 0; j <= last; j++) {
    double free = (double)n - (q->detached ? fmax(0, j - servers) : j), rate = weight * free / think;
    asked += rate;
    blocked += j >= servers ? rate : 0;
    waiting += weight * fmax(0, j - servers);
    serving += weight * fmin(j, servers);
    weight *= free / think * service_of_state(q, j, servers) / fmin(j + 1, servers);
    if (weight > SC_QUEUE_HUGE) {
      asked /= SC_QUEUE_HUGE;
      blocked /= SC_QUEUE_HUGE;
      waiting /= SC_QUEUE_HUGE;
      serving /= SC_QUEUE_HUGE;
      weight /= SC_QUEUE_HUGE;
    }
  }
  if (!(asked > 0))
    return (visit){0};
  double out = serving / asked; /* of what is handed over nobody has it yet: that is waiting, too */
  double handed = q->handover > 0 ? fmax(0, out - q->hold) : 0;
  return (visit){waiting / asked + handed, blocked / asked, q->detached ? out : 0};
}

/* The wait of n customers at one server whose holds have a gamma distribution with this square of the coefficient of
 * variation, exactly: how long it is idle follows from the transform of the holds at multiples of the rate at which a
 * customer comes (Takacs, Introduction to the Theory of Queues, 1962, chapter 5). */
static double wait_of_varied(double hold, double think, long n, double variation)
{
  double away = fmax(think, SC_QUEUE_AWAY * hold), term = 1, sum = 0;
  for (long k = 1; k < n && sum < SC_QUEUE_HUGE; k++) {
    double often = (double)k * hold / away;
    term *= (double)(n - k) / (double)k * expm1(variation > 0 ? log1p(often * variation) / variation : often);
    sum += term;
  }
  return fmax(0, (double)(n - 1) * hold - away / (1 + 1 / sum));
}

/* One customer more at a time, or by states where several servers or a handover need them; both take holds for
 * exponential. What steady ones save is the ratio of the exact waits of both at one server. */
static visit visit_of(const sc_queue *q, long n)
{
  bool pool = (q->servers > 1 || q->handover > 0) && fmax(1, q->stations) <= 1;
  visit v = q->detached || pool ? visit_of_states(q, n) : visit_recursive(q, n);
  if (q->detached || q->servers > 1 || !(q->steady > 0) || !(v.wait > 0))
    return v;
  double hold = q->hold + q->handover, think = q->think * fmax(1, q->stations);
  double exponential = wait_of_varied(hold, think, n, 1);
  v.wait *= exponential > 0 ? wait_of_varied(hold, think, n, 1 - q->steady) / exponential : 1;
  return v;
}

static visit visit_asymptotic(const sc_queue *q)
{
  sc_queue busy = *q;
  busy.hold += q->handover + (q->detached ? q->kept_out : 0);
  double offered = sc_queue_offered(&busy), servers = fmax(1, q->servers);
  double blocked = offered < 1 ? pow(offered, sqrt(2 * (servers + 1)) - 1) : 1; /* Sakasegawa */
  double saturated = q->customers * busy.hold / queue_places(q) - queue_cycle_of(q);
  double open = offered < 1 ? q->hold / servers * blocked / (1 - offered) : INFINITY;
  double wait = fmax(0, offered < 1 ? fmin(open, fmax(saturated, q->hold * sqrt(q->customers))) : saturated);
  return (visit){wait, blocked, q->detached ? q->hold + blocked * q->kept_out : 0};
}

/* Between whole numbers of customers, what lies between. */
static visit visit_mean(const sc_queue *q)
{
  if (!q->detached && fmax(1, q->stations) <= 1 && q->customers <= q->servers)
    return (visit){0};
  if (q->customers > SC_QUEUE_MANY || q->servers > SC_QUEUE_MANY)
    return visit_asymptotic(q);
  double below = floor(q->customers), part = q->customers - below;
  visit v = visit_of(q, (long)below);
  if (part > 0) {
    visit above = visit_of(q, (long)below + 1);
    v = (visit){v.wait + part * (above.wait - v.wait), v.blocked + part * (above.blocked - v.blocked),
                v.out + part * (above.out - v.out)};
  }
  return v;
}

static sc_queue_result solve_alone(const sc_queue *q)
{
  sc_queue_result result = {.stretch = 1};
  visit v = q->hold > 0 ? visit_mean(q) : (visit){0};
  result.wait = v.wait;
  result.blocked = v.blocked;
  result.out = v.out > 0 ? v.out : q->hold;
  result.cycle = queue_cycle_of(q);
  double cycle = result.cycle + v.wait;
  if (!(cycle > 0)) /* a single customer that asks again at once, and never waits: as fast as units come back */
    cycle = q->hold * q->customers / queue_places(q);
  result.throughput = q->customers / cycle;
  result.share = result.wait / cycle;
  return result;
}

/* States by the number of customers at the processors: the weight of each follows from that of one customer less. */
static double stretch_of_states(long customers, double work, double away, double processors, double others)
{
  double weight = 1, there = 0, served = 0;
  away = fmax(away, SC_QUEUE_AWAY * work);
  for (long j = 1; j <= customers; j++) {
    double number = (double)j, rate = fmin(number, processors * number / (number + others)) / work;
    weight *= (double)(customers - j + 1) / away / rate;
    there += number * weight;
    served += rate * weight;
    if (weight > SC_QUEUE_HUGE) {
      there /= weight;
      served /= weight;
      weight = 1;
    }
  }
  return served > 0 ? fmax(1, there / served / work) : 1;
}

double sc_queue_stretch(double customers, double work, double away, double processors, double others)
{
  if (!(customers > 0) || !(work > 0) || !(processors > 0) || customers + others <= processors)
    return 1;
  if (customers > SC_QUEUE_MANY)
    return fmax(1, customers / processors - away / work);
  double below = fmax(1, floor(customers)), part = fmax(0, customers - below);
  double stretch = stretch_of_states((long)below, work, away, processors, others);
  if (part > 0)
    stretch += part * (stretch_of_states((long)below + 1, work, away, processors, others) - stretch);
  return stretch;
}

/* Programs in groups of their own get a part each, which a program does not enlarge by more threads: its processors are
 * slower ones, for itself. */
static double queue_stretch_of(const sc_queue *q, double customers)
{
  double work = q->hold_work + q->think_work, away = fmax(0, q->hold + q->think - work);
  if (!q->grouped)
    return sc_queue_stretch(customers, work, away, q->processors, q->others);
  double slow = 1 + q->others / q->processors;
  return slow * sc_queue_stretch(customers, slow * work, away, q->processors, 0);
}

static sc_queue queue_stretched(const sc_queue *q, double stretch)
{
  sc_queue slow = *q;
  slow.hold += q->hold_work * (stretch - 1);
  slow.think += q->think_work * (stretch - 1);
  return slow;
}

/* Those who wait in the queue need no processor. */
static sc_queue_result solve_shared(const sc_queue *q, sc_queue *slow)
{
  double stretch = 1;
  sc_queue_result result;
  for (int i = 0; i < SC_QUEUE_STEPS; i++) {
    *slow = queue_stretched(q, stretch);
    result = solve_alone(slow);
    result.stretch = stretch;
    double running = fmax(fmin(1, q->customers), q->customers * (1 - result.share));
    double step = (queue_stretch_of(q, running) - stretch) / 2;
    if (fabs(step) <= SC_QUEUE_SETTLED * stretch)
      break;
    stretch += step;
  }
  return result;
}

double sc_queue_slowed(const sc_queue *q)
{
  if (!(q->processors > 0) || q->detached || !(q->hold + q->think > 0))
    return 1;
  sc_queue slow = queue_stretched(q, queue_stretch_of(q, q->customers));
  return fmin(1, queue_cycle_of(q) / queue_cycle_of(&slow));
}

/* A unit that was handed over to a waiter is busy, but not used, until that thread runs. */
sc_queue_result sc_queue_solve(const sc_queue *q)
{
  sc_queue as = *q;
  if (!(q->hold + q->think > 0) || !(q->customers > 0))
    return (sc_queue_result){.stretch = 1};
  sc_queue_result result = q->processors > 0 && !q->detached ? solve_shared(q, &as) : solve_alone(q);
  double busy = as.hold + q->handover * result.blocked;
  double held = q->hold + q->hold_exposed * (as.hold - q->hold);
  if (q->detached)
    held = result.out;
  result.blocked *= busy > 0 ? fmin(1, q->hold / busy) : 1; /* it is free until the next one runs */
  result.utilisation = fmin(1, result.throughput * held / queue_places(q));
  return result;
}

double sc_queue_blocked(double hold, double think)
{
  if (!(hold > 0))
    return 0;
  return hold < think ? hold * hold / 2 / think : hold - think / 2;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue of a resource at a size, solved for what is uncertain. */
#include "transitions/resources/demand.h"

#include <math.h>

#include "base/sample.h"
#include "regress/core/median.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/hot.h"
#include "transitions/resources/inner_locks.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/readers.h"
#include "transitions/resources/series.h"
#include "transitions/resources/sharing.h"
#include "transitions/resources/typical.h"

/* The customers that a bottleneck leaves are halved in until they are that close. */
enum { HALVINGS = 30 };

typedef struct corner {
  double up, down; /* logarithms of the factors to the interval's ends */
} corner;

static corner corner_of(const sc_interval *i)
{
  if (!(i->value > 0))
    return (corner){i->high > 0 ? SC_DEMAND_UNKNOWN : 0, 0};
  return (corner){i->high < INFINITY ? fmin(log(fmax(i->high / i->value, 1)), SC_DEMAND_UNKNOWN) : SC_DEMAND_UNKNOWN,
                  i->low > 0 ? fmin(log(fmax(i->value / i->low, 1)), SC_DEMAND_UNKNOWN) : SC_DEMAND_UNKNOWN};
}

static int stations_at(const sc_resources *r, const sc_resource_cell *cell, double n, sc_demand *out, corner *off)
{
  *off = (corner){0};
  sc_queue *q = &out->queue;
  out->crowded = 1;
  sc_interval instances;
  double acquires = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES), units = sc_rmetric_last(r, cell, SC_RMETRIC_UNITS);
  q->stations = q->servers = 1;
  if (!sc_resource_cell_lock(r, cell)) {
    double each = acquires > 0 && units > 0 ? units / acquires : 1;
    q->servers = fmax(1, sc_resource_cell_resource(r, cell)->capacity / each);
    if (!sc_resource_cell_units_each(r, cell))
      return 0;
  }
  SC_TRY(sc_demand_instances(r, cell, n, &instances));
  q->stations = isfinite(instances.value) ? fmax(1, instances.value) : sc_demand_least_instances(r, cell, n);
  corner i = corner_of(&instances);
  *off = (corner){i.down, i.up}; /* the more there are, the less each has to do */
  double alike = sc_resource_cell_lock(r, cell) ? sc_rhot_stations_large(r, cell, q->stations) : q->stations;
  if (alike < q->stations) { /* what the busiest has to do does not depend on how many others there are */
    double busiest = 1 / alike,
           others = fmin(1, (alike - 1) / fmax(1, q->stations - 1)); /* as busy, over the busiest */
    out->crowded = busiest + (1 - busiest) * others;
    q->stations = alike;
    *off = (corner){0};
  }
  return 0;
}

/* The queue's figures; utilisation is that of all `instances`, though only q->stations may be in use. */
static sc_queue_result solve_demand(const sc_resources *r, const sc_resource_cell *cell, sc_queue q, double instances)
{
  sc_queue_result result = sc_readers_solve(r, cell, &q);
  result.utilisation = fmin(1, result.utilisation * q.stations / instances);
  return result;
}

int sc_demand_time(const sc_resources *r, const sc_resource_cell *cell, int metric, double n, sc_interval *time)
{
  SC_TRY(sc_demand_model(r, cell, metric, n, time));
  return sc_inner_locks_lengthen(r, cell, metric, n, time);
}

/* By how much the share odds / (1 + odds) changes, in logarithms, when the odds do by `by`. */
static double of_share(double odds, double by) { return isfinite(odds) ? by + log1p(odds) - log1p(odds * exp(by)) : 0; }

/* The queue at n without intervals' ends, and the logarithms of the factors by which its demand may be off. */
static int queue_at(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *c, double n,
                    sc_demand *out, corner *off, corner *spread)
{
  const bool detached = c->detached;
  sc_queue *q = &out->queue;
  sc_interval hold, think, threads;
  const sc_rprocessors *shared = detached || c->alone ? NULL : sc_rprocessors_known(cell);
  int held = shared ? SC_RMETRIC_GRIP : SC_RMETRIC_HOLD;
  int between = detached ? SC_RMETRIC_ASK : shared ? SC_RMETRIC_PACE : SC_RMETRIC_THINK;
  SC_TRY(sc_demand_time(r, cell, held, n, &hold));
  SC_TRY(sc_demand_time(r, cell, between, n, &think));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_THREADS, n, &threads));
  SC_TRY(stations_at(r, cell, n, out, spread));
  q->detached = detached;
  /* whoever gives back at intervals finds units that were out for half of one; all are, when all wait */
  if (cell->lent && !c->at_intervals)
    hold.high = fmax(hold.high, SC_DEMAND_INTERVAL * hold.value);
  out->longest = hold.high;
  out->crowd = threads.high;
  q->hold = fmin(hold.value, 1e9);
  q->kept_out = c->at_intervals ? q->hold : 0;
  q->think = fmin(think.value, 1e9);
  q->customers = fmin(threads.value, 1e15) * sc_demand_presence(r, cell);
  if (sc_rsharing_apart(cell) && !detached)
    q->think = sc_rsharing_think(cell, q->customers, q->hold);
  if (shared) {
    q->hold_work = q->hold * shared->hold_part;
    q->think_work = q->think * shared->think_part;
  }
  q->steady = c->fails ? 0 : sc_rtypical_steadiness(r, cell); /* who tries again does not come in turn */
  double odds = q->think > 0 ? q->hold / q->think : INFINITY;
  corner h = corner_of(&hold), z = corner_of(&think), t = corner_of(&threads);
  double up = hypot(h.up, z.down), down = hypot(h.down, z.up);
  *off = (corner){hypot(t.up, detached ? up : of_share(odds, up)),
                  hypot(t.down, detached ? down : -of_share(odds, -down))};
  return 0;
}

/* The queue whose demand is `offered` for another hold time, within what its customers can ask for. */
static sc_queue with_offered(sc_queue q, double offered)
{
  double each = offered * q.stations * q.servers / fmax(q.customers, 1e-12);
  double cycle = q.hold + q.think, work_part = q.hold > 0 ? q.hold_work / q.hold : 0,
         out_part = q.hold > 0 ? q.kept_out / q.hold : 0;
  if (q.detached) {
    q.hold = q.think > 0 ? fmin(each * q.think, 1e9) : q.hold;
  } else if (each >= 1) {
    q.hold = cycle;
    q.think = q.think_work = 0;
  } else {
    q.hold = q.think > 0 ? q.think * each / (1 - each) : cycle;
  }
  q.hold_work = q.hold * work_part;
  q.kept_out = q.hold * out_part;
  return q;
}

sc_interval *sc_demand_figure(sc_demand *demand, enum sc_figure figure)
{
  switch (figure) {
  case SC_FIGURE_USED:
    return &demand->used;
  case SC_FIGURE_WAITING:
    return &demand->odds;
  case SC_FIGURE_BLOCKED:
    return &demand->blocked;
  default:
    return &demand->failed;
  }
}

/* Few of many instances, where most acquires go to few. */
static double instances_in_use(const sc_calibration *c, double all)
{
  if (!c->crowded)
    return all;
  return fmax(1, fmin(all, c->crowd_stays ? c->crowd : c->crowd * all));
}

/* The processors that the queue's threads share, and with whom: on another machine with nobody. */
static void use_machine(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *c, sc_queue *q)
{
  bool same = !c->made || !(r->other_processors > 0);
  if (!sc_rprocessors_known(cell) || c->detached || c->alone)
    return;
  q->processors = same ? r->processors : r->other_processors;
  q->others = same ? c->others : 0;
  q->grouped = c->grouped;
  q->hold_exposed = c->exposed;
  q->handover = same ? c->handover : 0;
}

static void take_in(sc_interval *i, double value)
{
  i->low = fmin(i->low, value);
  i->high = fmax(i->high, value);
}

/* Every function that threads begin with and that acquires the first one acquires the other, too. */
static bool takes_both(const sc_resource_cell *cell, const sc_resource_cell *other)
{
  const sc_rprocessors *own = sc_rprocessors_known(cell), *theirs = sc_rprocessors_known(other);
  return theirs && own->roles && !(own->roles & ~theirs->roles);
}

/* Acquires a second of the resource that another one lets through at most; INFINITY without holds of it. *high: if its
 * holds are as short as they may be. */
static int throughput_behind(const sc_resources *r, const sc_resource_cell *cell, const sc_resource_cell *other,
                             double n, double *throughput, double *high)
{
  sc_interval hold, instances = {1, 1, 1};
  double own = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES), others = sc_rmetric_last(r, other, SC_RMETRIC_ACQUIRES);
  *throughput = *high = INFINITY;
  SC_TRY(sc_rseries_predict(r, other, SC_RMETRIC_HOLD, n, &hold));
  if (sc_resource_cell_lock(r, other) || sc_resource_cell_units_each(r, other))
    SC_TRY(sc_demand_instances(r, other, n, &instances));
  if (hold.value > 0 && others > 0) {
    *throughput = fmax(1, instances.value) * sc_resource_cell_servers(r, other) / hold.value * own / others;
    *high = hold.low > 0 ? *throughput * hold.value / hold.low : INFINITY;
  }
  return 0;
}

/* Cycles of all threads, of one run of the largest size, that a resource lets through in a second; INFINITY: unknown.
 */
static double cycles_through(const sc_resources *r, const sc_resource_cell *cell)
{
  double instances = 1, hold = sc_rmetric_last(r, cell, SC_RMETRIC_HOLD),
         acquires = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  if (sc_resource_cell_lock(r, cell))
    instances = fmax(1, sc_rmetric_last(r, cell, SC_RMETRIC_INSTANCES));
  return hold > 0 && acquires > 0 ? instances * sc_resource_cell_servers(r, cell) / hold / acquires : INFINITY;
}

/* The resource that all of this one's threads take, too, and that lets fewest of them through; NULL: none does less. */
static const sc_resource_cell *find_bottleneck(const sc_resources *r, const sc_resource_cell *cell)
{
  const sc_resource_cell *least = NULL;
  double most = cycles_through(r, cell);
  for (uint32_t i = 0; i < r->resource_count && isfinite(most); i++) {
    const sc_resource_cell *other = &r->cells[i];
    double through = cycles_through(r, other);
    if (other == cell || other->lent || !(through < most) || !takes_both(cell, other) || !sc_demand_known(r, other) ||
        sc_inner_locks_are_pair(r, cell, other))
      continue;
    most = through;
    least = other;
  }
  return least;
}

/* Acquires a second of a resource at n as its threads' bottleneck lets them come (the forced flow law, Denning and
 * Buzen): each cycle has as many of both as where it was measured. INFINITY: not known, as before all resources are
 * calibrated. */
static int forced_flow(const sc_resources *r, const sc_resource_cell *cell, const sc_resource_cell *bottleneck,
                       double n, double *throughput)
{
  sc_demand demand;
  double own = 0, others = 0;
  *throughput = INFINITY;
  if (!bottleneck->calibration)
    return 0;
  SC_TRY(sc_demand_raw(r, bottleneck, bottleneck->calibration, n, &demand));
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    own += sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
    others += sc_resource_cell_sum(bottleneck, run, SC_USAGE_ACQUIRES);
  }
  double through = sc_queue_solve(&demand.queue).throughput;
  *throughput = others > 0 && through > 0 ? through * own / others : INFINITY;
  return 0;
}

/* As few customers as make the queue's throughput that. */
static void limit_customers(double throughput, sc_queue *queue)
{
  double low = 0, high = queue->customers;
  for (int i = 0; i < HALVINGS && high - low > SC_DEMAND_CLOSE * high; i++) {
    sc_queue q = *queue;
    q.customers = (low + high) / 2;
    *(sc_queue_solve(&q).throughput > throughput ? &high : &low) = q.customers;
  }
  queue->customers = high;
}

/* Of the customers of a resource's queue at n, those that do not wait for another resource that all of its threads
 * take, too, and that lets fewer through (Denning and Buzen's bottleneck): at most as many as make the queue's
 * throughput what the other one allows. *possible: as many as there may be, if it is not certain to. */
static int leave_bottleneck(const sc_resources *r, const sc_resource_cell *cell, bool apart, double n, sc_queue *queue,
                            double *possible)
{
  double most = INFINITY, sure = INFINITY;
  *possible = queue->customers;
  if (!sc_rprocessors_known(cell) || queue->detached)
    return 0;
  double asked = sc_queue_solve(queue).throughput;
  bool beyond = n > r->sizes[r->size_count - 1] && !r->place;
  const sc_resource_cell *bottleneck = beyond ? find_bottleneck(r, cell) : NULL;
  for (uint32_t i = 0; i < r->resource_count; i++) {
    double throughput, certain;
    if (&r->cells[i] == cell || !takes_both(cell, &r->cells[i]))
      continue;
    SC_TRY(throughput_behind(r, cell, &r->cells[i], n, &throughput, &certain));
    if (!apart && !(certain < asked))
      continue;
    most = fmin(most, throughput);
    sure = fmin(sure, certain);
  }
  if (bottleneck)
    SC_TRY(forced_flow(r, cell, bottleneck, n, &most));
  if (!(asked > most))
    return 0;
  limit_customers(most, queue);
  if (sure < asked)
    *possible = queue->customers;
  return 0;
}

/* The first is the value, and the others are ends of the intervals. */
static void solve_corners(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *corners, size_t count,
                          double instances, sc_demand *out)
{
  double hot = out->crowded;
  for (size_t i = 0; i < count; i++) {
    sc_queue_result result = solve_demand(r, cell, corners[i], instances);
    result.blocked *= hot;
    if (i) {
      take_in(&out->used, result.utilisation);
      take_in(&out->odds, sc_odds_of_share(result.share));
      take_in(&out->blocked, result.blocked);
      continue;
    }
    out->used = (sc_interval){result.utilisation, result.utilisation, result.utilisation};
    double odds = sc_odds_of_share(result.share);
    out->odds = (sc_interval){odds, odds, odds};
    out->blocked = (sc_interval){result.blocked, result.blocked, result.blocked};
    out->crowded = hot * sc_readers_can_wait(r, cell, result.utilisation);
    out->cycle = result.cycle;
    out->stretch = result.stretch;
  }
}

/* Solved at the corners of what is uncertain, not by one formula: a queue is far from linear in its load, and an
 * interval of utilisation that reaches 1 makes one of waiting without an upper end. */
int sc_demand_raw(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *c, double n,
                  sc_demand *out)
{
  corner off, spread;
  *out = (sc_demand){.fails = c->fails};
  sc_queue *q = &out->queue;
  SC_TRY(queue_at(r, cell, c, n, out, &off, &spread));
  if (!c->crowded || !c->crowd_stays)
    off = (corner){hypot(off.up, spread.up), hypot(off.down, spread.down)};
  double instances = q->stations, by = exp(sc_check_shift(&c->demand, n));
  out->cycle = q->think + (c->detached ? 0 : q->hold);
  q->stations = instances_in_use(c, instances);
  use_machine(r, cell, c, q);
  double possible, kept, least;
  SC_TRY(leave_bottleneck(r, cell, c->apart, n, q, &possible));
  SC_TRY(sc_inner_locks_kept(r, cell, n, &kept, &least));
  q->customers *= kept;
  double offered = fmin(by * sc_queue_offered(q), 1e15), most = INFINITY;
  out->most = 1;
  if (!c->detached)
    out->most = fmin(1, possible / instances / q->servers * exp(off.up));
  if (!c->detached)
    most = possible / q->stations / q->servers * exp(off.up) * fmax(1, by);
  out->utilisation = (sc_interval){offered, fmin(offered, offered * least / kept * exp(-off.down)),
                                   fmin(offered * exp(off.up), fmax(most, offered))};
  sc_queue corners[] = {*q, with_offered(*q, out->utilisation.low), with_offered(*q, out->utilisation.high), *q, *q};
  if (by != 1)
    corners[0] = corners[3] = corners[4] = with_offered(*q, offered);
  if (possible > q->customers)
    corners[2].customers = possible;
  corners[1].customers *= least / kept;
  corners[3].others = 0;
  corners[4].others *= SC_DEMAND_OTHERS;
  solve_corners(r, cell, corners, q->others > 0 ? 5 : 3, instances, out);
  if (c->crowded && c->crowd_stays) { /* as much is done, by more of them or fewer */
    out->used.low *= exp(-spread.down);
    out->used.high = fmin(1, out->used.high * exp(spread.up));
  }
  double slowed = sc_queue_slowed(q);
  out->utilisation =
      (sc_interval){slowed * out->utilisation.value, slowed * out->utilisation.low, slowed * out->utilisation.high};
  out->failed = out->blocked;
  return 0;
}

/* The median of the repeats: one that the machine disturbed must not make a lock contended. */
static double median_share(const sc_resources *r, const sc_resource_cell *cell, size_t size, double *acquires,
                           double *span)
{
  enum { REPEATS = 64 };
  double room[REPEATS];
  sc_sample shares = sc_sample_begin(room, REPEATS);
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++) {
    const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
    *acquires += sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
    *span += o->span_seconds;
    if (o->active_seconds > 0)
      sc_sample_add(&shares, fmin(1, sc_resource_cell_sum(cell, run, SC_USAGE_WAIT_SECONDS) / o->active_seconds));
  }
  return sc_median(room, shares.count);
}

bool sc_demand_measured(const sc_resources *r, const sc_resource_cell *cell, size_t size, double *utilisation,
                        double *share)
{
  double acquires = 0, span = 0;
  *utilisation = 0;
  *share = median_share(r, cell, size, &acquires, &span);
  if (acquires < SC_DEMAND_ACQUIRES || span < SC_DEMAND_SPAN)
    return false;
  if (sc_rmetric_at(r, cell, size, SC_RMETRIC_UTILISATION, utilisation))
    *utilisation = fmin(1, *utilisation);
  return true;
}

int sc_demand_grows(const sc_resources *r, const sc_resource_cell *cell, bool *yes)
{
  double busy, waits;
  *yes = r->kind == SC_PARAMETER_THREADS || r->kind == SC_PARAMETER_CLIENTS;
  SC_TRY(sc_rseries_slope(r, cell, SC_RMETRIC_UTILISATION, &busy));
  SC_TRY(sc_rseries_slope(r, cell, SC_RMETRIC_WAIT_ODDS, &waits));
  bool seen = fmax(sc_rmetric_rise(r, cell, SC_RMETRIC_UTILISATION), sc_rmetric_rise(r, cell, SC_RMETRIC_WAIT_ODDS)) >=
              SC_DEMAND_RISE;
  *yes = *yes || (seen && fmax(busy, waits) >= SC_DEMAND_SLOPE);
  return 0;
}

/* The share of the acquires that find all units out (Sakasegawa); with one unit, its utilisation. */
static double find_busy_share(double utilisation, double units) { return pow(utilisation, sqrt(2 * (units + 1)) - 1); }

/* Threads that a lock is busy for, and that never wait for it, take turns by some other means. Waits must have been
 * expected in numbers that chance does not explain. */
bool sc_demand_alone(const sc_resources *r, const sc_resource_cell *cell)
{
  double expected = 0, seen = 0, ever = 0;
  double units = sc_resource_cell_servers(r, cell);
  for (size_t run = 0; run < r->run_count; run++) {
    double threads = sc_resource_cell_occupancy(r, cell, run)->threads, busy;
    double acquires = sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES),
           waits = sc_resource_cell_sum(cell, run, SC_USAGE_WAITS);
    ever += waits;
    if (run < r->starts[r->size_count / 2] || threads < 2 ||
        !sc_rmetric_value(r, cell, run, SC_RMETRIC_UTILISATION, &busy) || threads <= units)
      continue;
    expected += acquires * find_busy_share(fmin(1, busy), units) * (threads - 1) / threads;
    seen += waits;
  }
  if (sc_resource_cell_resource(r, cell)->probe && ever <= 0)
    return false; /* nobody may have told of waits */
  return expected >= SC_DEMAND_WAITS && seen < SC_DEMAND_ABSENT * expected;
}

/* What is saturated at the smallest size serves no more at larger ones, unless it is not used up but waited in. In
 * every run of that size: one in which a busy machine made single holds long is no wait. */
bool sc_resources_awaits_work(const sc_resources *r, uint32_t resource)
{
  enum { SIZES = 64 };
  const sc_resource_cell *cell = &r->cells[resource];
  double n[SIZES], served[SIZES], least, most;
  size_t count = 0;
  if (r->place || !sc_parameter_is_workers(r->kind) || !sc_demand_known(r, cell) ||
      !sc_rmetric_range(r, cell, 0, SC_RMETRIC_UTILISATION, &least, &most) || least < SC_CONTENTION_BUSY)
    return false;
  for (size_t size = 0; size < r->size_count && count < SIZES; size++) {
    double acquires = 0, span = 0;
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++) {
      acquires += sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
      span += sc_resource_cell_loaded(r, cell, run);
    }
    n[count] = r->sizes[size];
    served[count] = acquires / span;
    count += span > 0;
  }
  return sc_trend_slope(n, served, count) >= SC_DEMAND_SERVES;
}

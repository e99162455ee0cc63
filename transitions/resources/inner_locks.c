/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/inner_locks.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/resources/demand_terms.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/queue.h"
#include "transitions/resources/series.h"
#include "transitions/resources/typical.h"

/* Two locks at a size, and what each of them does to the other. */
typedef struct lock_pair {
  sc_queue outer, inner; /* without each other */
  double base;           /* hold of the outer one without waiting for the inner one */
  double inside, beside; /* acquires of the inner one in a hold of the outer one, and before the next one */
  double waited;         /* for the inner one at the sizes measured, by each of its acquires there */
  double wait;           /* found: for the inner one, by each of its acquires */
  double hold, kept;     /* found: of the outer one; customers of the inner one */
} lock_pair;

enum end { LOW, VALUE, HIGH, ENDS };

struct sc_inner_lock {
  uint32_t outer, inner;
  double waited[2]; /* for the inner one in holds of the outer one: seconds of all runs of each half of the sizes */
  double taken;     /* acquires of the inner one there, in the larger half */
  double waits;     /* of the calls that do so */
  lock_pair solved[ENDS]; /* the last one of each end, which several metrics of both locks need, */
  double solved_at[ENDS]; /* and its size; 0: none yet */
};

/* ---- which there are -------------------------------------------------------------------------- */

static int find_inner_lock(sc_resources *r, size_t *capacity, uint32_t outer, uint32_t inner, sc_inner_lock **out)
{
  for (size_t i = 0; i < r->inner_lock_count; i++)
    if (r->inner_locks[i].outer == outer && r->inner_locks[i].inner == inner) {
      *out = &r->inner_locks[i];
      return 0;
    }
  SC_TRY(sc_mem_grow(&r->inner_locks, capacity, r->inner_lock_count + 1, sizeof *r->inner_locks));
  r->inner_locks[r->inner_lock_count] = (sc_inner_lock){.outer = outer, .inner = inner};
  *out = &r->inner_locks[r->inner_lock_count++];
  return 0;
}

static bool is_lock(const sc_resources *r, uint32_t resource)
{
  return resource < r->resource_count && sc_resource_cell_lock(r, &r->cells[resource]);
}

/* Which part of a call's acquires is made while the outer one is held is seen by its waits alone. */
static int gather_inner_locks(sc_resources *r, size_t run, size_t *capacity)
{
  bool large = run >= r->starts[r->size_count / 2];
  size_t pairs, rows, index = sc_analysis_run(r->analysis, run);
  const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
  const sc_wait_pair *pair = sc_usage_pairs(r->graph, index, &pairs);
  sc_inner_lock *lock;
  for (; pairs; pairs--, pair++) {
    if (!sc_usage_pair_nested(r->graph, row, pair))
      continue;
    const sc_usage *waiter = &row[pair->waiter], *holder = &row[pair->holder];
    double waited = waiter->values[SC_USAGE_WAIT_SECONDS];
    if (!is_lock(r, waiter->resource) || !is_lock(r, holder->resource) || waiter->resource == holder->resource ||
        holder->shared || waiter->shared || !(waited > 0))
      continue;
    SC_TRY(find_inner_lock(r, capacity, holder->resource, waiter->resource, &lock));
    double part = large ? fmin(1, pair->seconds / waited) : 0;
    lock->waited[large] += pair->seconds;
    lock->taken += part * waiter->values[SC_USAGE_ACQUIRES];
    lock->waits += part * waiter->values[SC_USAGE_WAITS];
  }
  return 0;
}

int sc_inner_locks_find(sc_resources *r)
{
  size_t capacity = 0;
  if (!r->size_count || !sc_parameter_is_workers(r->kind))
    return 0;
  for (size_t run = 0; run < r->run_count; run++)
    SC_TRY(gather_inner_locks(r, run, &capacity));
  return 0;
}

void sc_inner_locks_free(sc_resources *r) { free(r->inner_locks); }

/* The lock that holders wait for longest; NULL: none that is known well enough. */
static const sc_inner_lock *find_worst_inner(const sc_resources *r, const sc_resource_cell *cell)
{
  const sc_inner_lock *most = NULL;
  for (size_t i = 0; i < r->inner_lock_count && !r->place; i++) {
    const sc_inner_lock *l = &r->inner_locks[i];
    if (l->outer == cell->resource && l->waits >= SC_INNER_LOCKS_WAITS && (!most || l->waited[1] > most->waited[1]) &&
        sc_demand_known(r, &r->cells[l->inner]))
      most = l;
  }
  return most && cell->context == SC_USAGE_NONE && sc_demand_known(r, cell) ? most : NULL;
}

/* ---- how they go on ----------------------------------------------------------------------------- */

/* Solves both in turn. Who waits for the outer one does not come to the inner one meanwhile. */
static void settle_pair(lock_pair *l)
{
  double all = l->inner.customers;
  l->kept = all;
  for (int i = 0; i < SC_INNER_LOCKS_STEPS; i++) {
    sc_queue inner = l->inner, outer = l->outer;
    inner.customers = l->kept;
    l->wait = sc_queue_solve(&inner).wait;
    l->hold = l->base + l->inside * l->wait;
    outer.hold = l->hold;
    outer.think += l->beside * fmax(0, l->wait - l->waited);
    sc_queue_result result = sc_queue_solve(&outer);
    double waiting = outer.customers > 0 ? fmin(1, result.throughput * result.wait / outer.customers) : 0;
    double step = (fmax(fmin(1, all), all * (1 - waiting)) - l->kept) / 2;
    l->kept += step;
    if (fabs(step) <= SC_INNER_LOCKS_SETTLED * all)
      break;
  }
}

static double take_end(const sc_interval *i, enum end end)
{
  double value = end == LOW ? i->low : end == HIGH ? i->high : i->value;
  return isfinite(value) ? value : i->value;
}

/* Sums over the runs of a half of the sizes; of holds, and their seconds, as mean hold times have them: shared ones are
 * none if others exclude each other. */
static double sum_half(const sc_resources *r, const sc_resource_cell *cell, bool large, int sum)
{
  double all = 0;
  size_t half = r->starts[r->size_count / 2];
  int shared = sum == SC_USAGE_HOLDS ? SC_RSUM_SHARED_HOLDS : SC_RSUM_SHARED_SECONDS;
  bool without = cell->exclusive && (sum == SC_USAGE_HOLDS || sum == SC_USAGE_HOLD_SECONDS);
  for (size_t run = large ? half : 0; run < (large ? r->run_count : half); run++)
    all += sc_resource_cell_sum(cell, run, sum) - (without ? sc_resource_cell_sum(cell, run, shared) : 0);
  return all;
}

/* Of a hold of the outer one what is not waiting for the inner one. */
static double find_base(const sc_resources *r, const sc_inner_lock *lock, bool large)
{
  const sc_resource_cell *outer = &r->cells[lock->outer];
  double holds = sum_half(r, outer, large, SC_USAGE_HOLDS), held = sum_half(r, outer, large, SC_USAGE_HOLD_SECONDS);
  return holds > 0 ? fmax(0, held - lock->waited[large]) / holds : 0;
}

/* Whether holds get longer by nothing else than these waits. */
static bool waits_explain_holds(const sc_resources *r, const sc_inner_lock *lock)
{
  double small = find_base(r, lock, false);
  return small > 0 && find_base(r, lock, true) < SC_INNER_LOCKS_RISE * small;
}

/* *ratio: of the hold at that end over its value. */
static int make_lock_queue(const sc_resources *r, const sc_resource_cell *cell, double n, enum end end, sc_queue *q,
                           double *ratio)
{
  sc_interval hold, think, threads, instances;
  SC_TRY(sc_demand_model(r, cell, SC_RMETRIC_HOLD, n, &hold));
  SC_TRY(sc_demand_model(r, cell, SC_RMETRIC_THINK, n, &think));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_THREADS, n, &threads));
  SC_TRY(sc_demand_instances(r, cell, n, &instances));
  *ratio = hold.value > 0 ? take_end(&hold, end) / hold.value : 1;
  *q = (sc_queue){.hold = take_end(&hold, end),
                  .think = take_end(&think, (enum end)(HIGH - end)),
                  .customers = fmin(threads.value, 1e15) * sc_demand_presence(r, cell),
                  .stations = fmax(1, take_end(&instances, VALUE)),
                  .servers = 1,
                  .steady = sc_rtypical_steadiness(r, cell)};
  return 0;
}

/* Whoever waits for the inner lock holds the outer one meanwhile: two queues of the same customers, each the other's
 * delay, solved until both agree (surrogate delays, Jacobson and Lazowska, 1982). */
static int solve_pair(const sc_resources *r, const sc_inner_lock *lock, double n, enum end end, lock_pair *l)
{
  const sc_resource_cell *outer = &r->cells[lock->outer], *inner = &r->cells[lock->inner];
  double holds = sum_half(r, outer, true, SC_USAGE_HOLDS), ratio, other;
  double acquires = sum_half(r, inner, true, SC_USAGE_ACQUIRES);
  *l = (lock_pair){0};
  SC_TRY(make_lock_queue(r, outer, n, end, &l->outer, &ratio));
  SC_TRY(make_lock_queue(r, inner, n, end, &l->inner, &other));
  l->inside = holds > 0 ? lock->taken / holds : 0;
  l->beside = holds > 0 ? fmax(0, acquires - lock->taken) / holds : 0;
  l->waited = lock->taken > 0 ? lock->waited[1] / lock->taken : 0;
  l->base = find_base(r, lock, true) * ratio; /* not by its model, which may grow by these waits */
  settle_pair(l);
  return 0;
}

/* Both locks of a pair ask for the same solution, and every figure of each: the last one for each end is kept. */
static int solve_once(const sc_resources *r, const sc_inner_lock *lock, double n, enum end end,
                      const lock_pair **solved)
{
  sc_inner_lock *own = &r->inner_locks[lock - r->inner_locks];
  *solved = &own->solved[end];
  if (own->solved_at[end] == n)
    return 0;
  own->solved_at[end] = 0;
  SC_TRY(solve_pair(r, lock, n, end, &own->solved[end]));
  own->solved_at[end] = n;
  return 0;
}

static bool is_beyond(const sc_resources *r, double n)
{
  return r->inner_lock_count && n > r->sizes[r->size_count - 1];
}

int sc_inner_locks_lengthen(const sc_resources *r, const sc_resource_cell *cell, int metric, double n,
                            sc_interval *time)
{
  const sc_inner_lock *lock = is_beyond(r, n) ? find_worst_inner(r, cell) : NULL;
  bool hold = sc_rmetric_is_hold(metric), replaced = lock && hold && waits_explain_holds(r, lock);
  double found[ENDS];
  const lock_pair *l;
  if (!lock)
    return 0;
  for (enum end end = LOW; end < ENDS; end++) {
    SC_TRY(solve_once(r, lock, n, end, &l));
    found[end] = hold ? fmax(l->hold, replaced ? 0 : take_end(time, end))
                      : take_end(time, end) + l->beside * fmax(0, l->wait - l->waited);
  }
  *time = (sc_interval){found[VALUE], fmin(found[LOW], found[VALUE]),
                        isfinite(time->high) || replaced ? fmax(found[VALUE], found[HIGH]) : INFINITY};
  return 0;
}

static int lower_kept(const sc_resources *r, const sc_inner_lock *lock, double n, enum end end, double *kept)
{
  const lock_pair *l;
  SC_TRY(solve_once(r, lock, n, end, &l));
  if (l->inner.customers > 0)
    *kept = fmin(*kept, l->kept / l->inner.customers);
  return 0;
}

int sc_inner_locks_kept(const sc_resources *r, const sc_resource_cell *cell, double n, double *kept, double *least)
{
  *kept = *least = 1;
  for (size_t i = 0; i < r->inner_lock_count && is_beyond(r, n); i++) {
    const sc_inner_lock *lock = &r->inner_locks[i];
    if (lock->inner != cell->resource || lock != find_worst_inner(r, &r->cells[lock->outer]))
      continue;
    SC_TRY(lower_kept(r, lock, n, VALUE, kept));
    SC_TRY(lower_kept(r, lock, n, LOW, least));
  }
  *least = fmax(*kept, *least);
  return 0;
}

int sc_inner_locks_inside(const sc_resources *r, const sc_resource_cell *cell, double n, double *seconds,
                          uint32_t *inner)
{
  const lock_pair *l;
  const sc_inner_lock *lock = is_beyond(r, n) ? find_worst_inner(r, cell) : NULL;
  *seconds = 0;
  if (!lock)
    return 0;
  SC_TRY(solve_once(r, lock, n, VALUE, &l));
  *seconds = l->inside * l->wait;
  *inner = lock->inner;
  return 0;
}

bool sc_inner_locks_are_pair(const sc_resources *r, const sc_resource_cell *a, const sc_resource_cell *b)
{
  for (size_t i = 0; i < r->inner_lock_count; i++) {
    const sc_inner_lock *l = &r->inner_locks[i];
    if ((l->outer == a->resource && l->inner == b->resource) || (l->outer == b->resource && l->inner == a->resource))
      return true;
  }
  return false;
}

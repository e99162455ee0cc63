/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long threads have a processor while they hold or do not hold a resource, and how long they are ready without one.
 */
#include "transitions/resources/processors.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/measured.h"
#include "transitions/resources/demand.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/roles.h"
#include "transitions/resources/typical.h"

enum { ROLES = 64, NO_ROLE = UINT8_MAX }; /* functions that threads begin with; threads of further ones are not known */

/* What the threads of each role did in each run, whatever resource it was for. */
typedef struct threads {
  uint32_t roles[ROLES];
  size_t role_count, contexts;
  unsigned char *role_of; /* [contexts] NO_ROLE: none of them */
  double *work, *blocked; /* [run_count][ROLES] seconds */
} threads;

static void free_threads(threads *t)
{
  free(t->role_of);
  free(t->work);
  free(t->blocked);
}

static size_t role_number(threads *t, uint32_t role)
{
  size_t i = 0;
  while (i < t->role_count && t->roles[i] != role)
    i++;
  if (i == t->role_count && i < ROLES)
    t->roles[t->role_count++] = role;
  return i;
}

/* Time in calls that block, in joins, and for conditions, barriers and locks. */
static void add_rows(const sc_resources *r, size_t run, threads *t)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
  for (; rows; rows--, row++) {
    if (row->context >= t->contexts)
      continue;
    if (t->role_of[row->context] == NO_ROLE)
      t->role_of[row->context] = (unsigned char)role_number(t, sc_rrole_of(r, row->context));
    if (t->role_of[row->context] < ROLES)
      t->blocked[run * ROLES + t->role_of[row->context]] += row->values[SC_USAGE_WAIT_SECONDS];
  }
}

/* The processor time that the system accounted to the run, divided as its samples are. */
static void add_processors_work(const sc_resources *r, size_t run, const double *costs, threads *t)
{
  const sc_run *info = sc_graph_run_const(r->graph, sc_rgraph_run(r, run));
  double seconds = sc_run_processor(info);
  bool timed = info->samples && sc_measured_is_clock(info->cost_event) && costs[0] > 0;
  for (size_t i = 0; i < t->role_count; i++)
    t->work[run * ROLES + i] = timed ? seconds * costs[t->roles[i]] / costs[0] : NAN;
}

/* By role, as profiles know threads by the function that they began in, and every thread of a role does the same. */
static int load_threads(const sc_resources *r, threads *t)
{
  int err = SC_E_NOMEM;
  t->contexts = sc_graph_context_count(r->graph);
  double *costs = sc_mem_new(t->contexts + 1, sizeof *costs);
  t->role_of = sc_mem_new(t->contexts + 1, sizeof *t->role_of);
  t->work = sc_mem_new(r->run_count * ROLES + 1, sizeof *t->work);
  t->blocked = sc_mem_new(r->run_count * ROLES + 1, sizeof *t->blocked);
  if (!costs || !t->role_of || !t->work || !t->blocked)
    goto out;
  for (size_t i = 0; i < t->contexts; i++)
    t->role_of[i] = NO_ROLE;
  for (size_t run = 0; run < r->run_count; run++)
    add_rows(r, run, t);
  for (size_t run = 0; run < r->run_count; run++) {
    sc_graph_inclusive_cost(r->graph, sc_rgraph_run(r, run), costs);
    add_processors_work(r, run, costs, t);
  }
  err = 0;
out:
  free(costs);
  return err;
}

/* What the threads did in a run that use the resource, and what of it while they held it. */
typedef struct part {
  double work, blocked, held_blocked; /* seconds; `blocked` without waits for the resource itself */
  uint64_t roles;                     /* a bit for each */
  bool known;
  bool unnoted; /* runs of earlier versions do not say what was slept while it was held */
} part;

/* Unknown as soon as one row's role is: a part that leaves work out would be taken for waiting for a processor. */
static part processors_part_of(const sc_resources *r, const sc_resource_cell *cell, size_t run, const threads *t)
{
  size_t rows, pairs, index = sc_rgraph_run(r, run);
  const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
  const sc_wait_pair *pair = sc_usage_pairs(r->graph, index, &pairs);
  bool uses[ROLES] = {false};
  part p = {.known = true};
  for (size_t i = 0; i < rows; i++) {
    if (row[i].resource != cell->resource || row[i].context >= t->contexts)
      continue;
    unsigned char role = t->role_of[row[i].context];
    p.known = p.known && role < ROLES;
    if (role < ROLES && row[i].values[SC_USAGE_ACQUIRES] > 0)
      uses[role] = true;
    p.blocked -= row[i].values[SC_USAGE_WAIT_SECONDS];
  }
  for (size_t i = 0; i < t->role_count; i++) {
    p.roles |= uses[i] ? UINT64_C(1) << i : 0;
    p.work += uses[i] ? t->work[run * ROLES + i] : 0;
    p.blocked += uses[i] ? t->blocked[run * ROLES + i] : 0;
  }
  bool unnoted = false, noted = false;
  for (size_t i = 0; i < rows; i++)
    unnoted = unnoted || (sc_usage_blocks(r->graph, &row[i]) && row[i].values[SC_USAGE_WAITS] > 0);
  for (size_t i = 0; i < pairs; i++) {
    noted = noted || sc_usage_blocks(r->graph, &row[pair[i].waiter]);
    const sc_usage *held = sc_usage_pair_nested(r->graph, row, &pair[i]) ? &row[pair[i].holder] : NULL;
    if (held && held->resource == cell->resource && !(held->shared && cell->exclusive))
      p.held_blocked += pair[i].seconds;
  }
  p.unnoted = unnoted && !noted;
  p.known = p.known && !p.unnoted && isfinite(p.work);
  return p;
}

/* A cycle of the resource's customers in a run, in seconds. */
typedef struct cycle {
  double hold, think;
  double work;                  /* on a processor */
  double hold_running, running; /* neither waiting nor blocked: in the hold, in all */
  double hold_typical;          /* of the hold's, what it is without the longest holds, which lost the processor */
  bool short_holds;             /* so that only the longest ones can have lost it */
  uint64_t roles;
  bool unnoted;
} cycle;

static bool has_histogram(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  const double *buckets = sc_resource_cell_buckets(r, cell, run);
  int i = 0;
  while (i < SC_RBUCKETS && !(buckets[i] > 0))
    i++;
  return i < SC_RBUCKETS;
}

static bool processors_cycle_of(const sc_resources *r, const sc_resource_cell *cell, size_t run, const threads *t,
                                cycle *c)
{
  double holds = sc_resource_cell_sum(cell, run, SC_USAGE_HOLDS);
  if (cell->exclusive)
    holds -= sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_HOLDS);
  part p = processors_part_of(r, cell, run, t);
  c->unnoted = p.unnoted;
  if (!p.known || !(holds > 0) || !sc_rmetric_value(r, cell, run, SC_RMETRIC_HOLD, &c->hold) ||
      !sc_rmetric_value(r, cell, run, SC_RMETRIC_THINK, &c->think))
    return false;
  c->hold_running = fmax(0, c->hold - p.held_blocked / holds);
  double share;
  (void)sc_rtypical_share(r, cell, run, &share);
  c->hold_typical = c->hold_running * share;
  c->short_holds = has_histogram(r, cell, run) && ldexp(c->hold_typical, (int)SC_TYPICAL_FAR) <= SC_PROCESSORS_SLICE;
  double elsewhere = fmax(0, p.blocked - p.held_blocked) / holds;
  c->running = c->hold_running + fmax(0, c->think - elsewhere);
  /* a run may be too short for samples of so little */
  c->work = fmin(fmax(p.work / holds, c->short_holds ? c->hold_typical : 0), c->running);
  c->roles = p.roles;
  return true;
}

/* Time that is neither accounted for nor seen to be blocked was for a processor. */
static void divide_processors(const sc_resources *r, sc_rprocessors *own, const cycle *cycles, const bool *known)
{
  double hold = 0, hold_work = 0, think = 0, think_work = 0;
  bool unnoted = false;
  double typical = INFINITY; /* of the run with the least: where processors are short, all holds take longer */
  for (size_t run = 0; run < r->run_count; run++)
    typical = known[run] ? fmin(typical, cycles[run].hold_typical) : typical;
  for (size_t run = 0; run < r->run_count; run++) {
    const cycle *c = &cycles[run];
    own->work[run] = known[run] ? c->work : NAN;
    own->ready[run] = own->think_ready[run] = own->hold_ready[run] = NAN;
    unnoted = unnoted || cycles[run].unnoted;
    if (!known[run])
      continue;
    own->roles |= c->roles;
    own->ready[run] = c->running - c->work;
    double alike = c->running > 0 ? c->work * c->hold_running / c->running : 0;
    double held = fmax(fmin(alike, typical), c->hold_running - own->ready[run]);
    if (c->short_holds)
      held = fmax(held, c->hold_typical);
    own->think_ready[run] = fmax(0, c->running - c->hold_running - (c->work - held));
    own->hold_ready[run] = c->hold_running - held;
    hold += c->hold - own->hold_ready[run];
    hold_work += held;
    think += c->think - own->think_ready[run];
    think_work += c->work - held;
  }
  if (!(hold > 0)) {
    own->why = unnoted ? "runs of this version say what threads slept while they held it, those of the study do not"
                       : "no run has samples of the threads that use it";
    return;
  }
  own->hold_part = fmin(1, hold_work / hold);
  own->think_part = think > 0 ? fmin(1, think_work / think) : 0;
}

static int new_runs(sc_rprocessors *own, size_t count)
{
  own->work = sc_mem_new(count + 1, sizeof *own->work);
  own->ready = sc_mem_new(count + 1, sizeof *own->ready);
  own->think_ready = sc_mem_new(count + 1, sizeof *own->think_ready);
  own->hold_ready = sc_mem_new(count + 1, sizeof *own->hold_ready);
  return own->work && own->ready && own->think_ready && own->hold_ready ? 0 : SC_E_NOMEM;
}

static int find_one(const sc_resources *r, const sc_resource_cell *cell, const threads *t, sc_rprocessors *own)
{
  int err = SC_E_NOMEM;
  cycle *cycles = sc_mem_new(r->run_count + 1, sizeof *cycles);
  bool *known = sc_mem_new(r->run_count + 1, sizeof *known);
  if (!cycles || !known)
    goto out;
  SC_GOTO(new_runs(own, r->run_count));
  for (size_t run = 0; run < r->run_count; run++)
    known[run] = processors_cycle_of(r, cell, run, t, &cycles[run]);
  divide_processors(r, own, cycles, known);
  err = 0;
out:
  free(cycles);
  free(known);
  return err;
}

int sc_rprocessors_find(const sc_resources *known, sc_resources *r)
{
  int err = 0;
  threads t = {0};
  for (uint32_t i = 0; i < r->resource_count; i++) {
    sc_resource_cell *cell = &r->cells[i];
    if (cell->processors || !sc_demand_known(known, &known->cells[i]) || cell->lent || sc_rpool_at(r, i))
      continue;
    if (!t.role_of)
      SC_GOTO(load_threads(r, &t));
    sc_rprocessors *own = cell->processors = sc_mem_new(1, sizeof *own);
    if (!own) {
      err = SC_E_NOMEM;
      goto out;
    }
    SC_GOTO(find_one(r, cell, &t, own));
  }
out:
  free_threads(&t);
  return err;
}

int sc_rprocessors_copy(const sc_rprocessors *from, const size_t *runs, size_t count, sc_rprocessors **copy)
{
  sc_rprocessors *to = *copy = sc_mem_new(1, sizeof *to);
  if (!to)
    return SC_E_NOMEM;
  *to = (sc_rprocessors){
      .why = from->why, .hold_part = from->hold_part, .think_part = from->think_part, .roles = from->roles};
  SC_TRY(new_runs(to, count));
  for (size_t i = 0; i < count; i++) {
    bool none = runs[i] == SIZE_MAX;
    to->work[i] = none ? NAN : from->work[runs[i]];
    to->ready[i] = none ? NAN : from->ready[runs[i]];
    to->think_ready[i] = none ? NAN : from->think_ready[runs[i]];
    to->hold_ready[i] = none ? NAN : from->hold_ready[runs[i]];
  }
  return 0;
}

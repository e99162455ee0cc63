/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By how much a resource's queue is off at the sizes measured: what predictions are corrected by. */
#include "transitions/resources/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/sample.h"
#include "regress/core/median.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/givers.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/place.h"
#include "transitions/resources/place_queue.h"

enum { REPEATS = 64, HALVINGS = 40 };

static const int measured_by[SC_FIGURES] = {[SC_FIGURE_USED] = SC_RMETRIC_UTILISATION,
                                            [SC_FIGURE_WAITING] = SC_RMETRIC_WAIT_ODDS,
                                            [SC_FIGURE_BLOCKED] = SC_RMETRIC_BLOCKED,
                                            [SC_FIGURE_FAILED] = SC_RMETRIC_FAILURE_RATIO};

/* The i-th of the sizes that are looked at. */
static size_t size_at(const sc_resources *r, size_t i)
{
  return r->size_count <= SC_CHECK_SIZES ? i : i * (r->size_count - 1) / (SC_CHECK_SIZES - 1);
}

static size_t sizes_looked_at(const sc_resources *r)
{
  return r->size_count < SC_CHECK_SIZES ? r->size_count : SC_CHECK_SIZES;
}

static double sum_at(const sc_resources *r, const sc_resource_cell *cell, size_t size, int sum)
{
  double all = 0;
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
    all += sc_resource_cell_sum(cell, run, sum);
  return all;
}

/* The runs that were made: those of the base, or of all those at the values of further parameters of a place. */
typedef struct runs_made {
  const sc_resources *r;
  const sc_resource_cell *cell;
  size_t *runs; /* [count] */
  size_t count;
} runs_made;

static int find_made(const sc_resources *r, const sc_resource_cell *cell, size_t size, runs_made *out)
{
  *out = (runs_made){.r = r->place ? r->place->all : r};
  out->cell = &out->r->cells[cell - r->cells];
  out->runs = sc_mem_new(out->r->run_count + 1, sizeof *out->runs);
  if (!out->runs)
    return SC_E_NOMEM;
  for (size_t run = 0; run < out->r->run_count; run++)
    if (r->place ? sc_rplace_ran(r, run, r->sizes[size]) : run >= r->starts[size] && run < r->starts[size + 1])
      out->runs[out->count++] = run;
  return 0;
}

/* Median, least and most of the repeats. */
static bool measured_in(const runs_made *made, int metric, sc_interval *out)
{
  double room[REPEATS], one;
  sc_sample values = sc_sample_begin(room, REPEATS);
  *out = (sc_interval){0, INFINITY, 0};
  for (size_t i = 0; i < made->count; i++) {
    if (!sc_rmetric_value(made->r, made->cell, made->runs[i], metric, &one))
      continue;
    if (metric == SC_RMETRIC_UTILISATION || metric == SC_RMETRIC_FAILURE_RATIO)
      one = fmin(1, one);
    sc_sample_add(&values, one);
    out->low = fmin(out->low, one);
    out->high = fmax(out->high, one);
  }
  out->value = sc_median(room, values.count);
  return values.count > 0;
}

/* Of events, none means less than half of one. */
static bool figure_in(const runs_made *made, enum sc_figure figure, sc_interval *out)
{
  double acquires = 0;
  if (!measured_in(made, measured_by[figure], out))
    return false;
  if (figure == SC_FIGURE_USED)
    return true;
  for (size_t i = 0; i < made->count; i++)
    acquires += sc_resource_cell_sum(made->cell, made->runs[i], SC_USAGE_ACQUIRES);
  if (acquires < SC_DEMAND_ACQUIRES)
    return false;
  if (figure == SC_FIGURE_BLOCKED || figure == SC_FIGURE_FAILED) {
    double least = 0.5 / (acquires + 1);
    double noise = exp(2 / sqrt(fmax(1, out->value * acquires))); /* of counts */
    *out = (sc_interval){fmax(out->value, least), out->low > 0 ? out->low / noise : 0,
                         fmin(1, fmax(out->high, least) * noise)};
  }
  return true;
}

static int figure_at(const sc_resources *r, const sc_resource_cell *cell, size_t size, enum sc_figure figure,
                     sc_interval *out, bool *known)
{
  runs_made made;
  SC_TRY(find_made(r, cell, size, &made));
  *known = figure_in(&made, figure, out);
  free(made.runs);
  return 0;
}

/* Where nobody waited the time waited is as much less than predicted as the number of waits is. */
static void waited_nothing(const sc_calibration *c, double n, sc_demand *demand, sc_interval *measured)
{
  const sc_interval *blocked = sc_demand_figure(demand, SC_FIGURE_BLOCKED);
  const sc_interval *odds = sc_demand_figure(demand, SC_FIGURE_WAITING);
  double by = exp(fmin(0, sc_check_shift(&c->figures[SC_FIGURE_BLOCKED], n)));
  if (!(measured->high > 0) && blocked->value > 0)
    *measured = (sc_interval){odds->value * by, odds->low * by, odds->high * by};
}

/* The utilisation of what is saturated does not show how much more is asked for: there are gaps between one holder and
 * the next, and less to do at the beginning and the end. */
static void allow_for_gaps(sc_demand *demand, const sc_interval *measured)
{
  if (measured->value >= SC_CALIBRATE_SATURATED && demand->used.value > measured->value)
    demand->used.value = measured->value;
  demand->used.low = fmin(demand->used.low, demand->used.value);
}

/* Customers that come in good order, one after another, wait less than those of the theory, and get more of what they
 * ask for: that is no error of the demand. */
static void allow_for_order(sc_demand *demand, const sc_interval *measured)
{
  sc_interval *used = &demand->used;
  double most = fmax(used->value, fmin(1, demand->utilisation.value));
  used->value = fmin(fmax(measured->value, used->value), most);
  used->high = fmax(used->high, used->value);
}

/* Where threads hardly compute, and their holds were longer than they are taken to be, the machine woke them late: what
 * that adds to utilisation is no error of the queue's, and will not go on. */
static void allow_for_late_wakes(const sc_resources *r, const sc_resource_cell *cell, size_t size,
                                 const sc_demand *demand, sc_interval *measured)
{
  const sc_queue *q = &demand->queue;
  double hold, work = q->hold_work + q->think_work, all = q->hold + q->think;
  if (!sc_rprocessors_known(cell) || !(q->hold > 0) || !(work < SC_CALIBRATE_WORK * all) ||
      !sc_rmetric_at(r, cell, size, SC_RMETRIC_GRIP, &hold) || !(hold > q->hold))
    return;
  sc_queue late = *q;
  late.hold = hold;
  double used = sc_queue_solve(q).utilisation, with = sc_queue_solve(&late).utilisation;
  double part = with > used ? used / with : 1;
  *measured = (sc_interval){measured->value * part, measured->low * part, measured->high * part};
}

/* The queue's prediction is held against every size measured; by how much it is off there, and how that changes with
 * the size, corrects it beyond (check.c). */
static int check_figure(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c, enum sc_figure figure,
                        bool of_demand, sc_check *check)
{
  check->share = figure != SC_FIGURE_WAITING;
  check->strict = figure == SC_FIGURE_BLOCKED; /* a count of many, whatever times say */
  for (size_t i = 0; i < sizes_looked_at(r); i++) {
    size_t size = size_at(r, i);
    sc_demand demand;
    sc_interval measured;
    bool known;
    SC_TRY(figure_at(r, cell, size, figure, &measured, &known));
    if (!known)
      continue;
    SC_TRY(sc_demand_raw(r, cell, c, r->sizes[size], &demand));
    if (!(measured.low > 0) && figure != SC_FIGURE_USED) /* none is nothing else than fewer than one */
      measured.value = fmin(measured.value, sc_demand_figure(&demand, figure)->value);
    if (figure == SC_FIGURE_WAITING)
      waited_nothing(c, r->sizes[size], &demand, &measured);
    if (figure == SC_FIGURE_USED)
      allow_for_late_wakes(r, cell, size, &demand, &measured);
    if (of_demand)
      allow_for_gaps(&demand, &measured);
    if (of_demand)
      allow_for_order(&demand, &measured);
    sc_check_add(check, r->sizes[size], sc_demand_figure(&demand, figure), &measured);
  }
  sc_check_finish(check);
  return 0;
}

static bool is_detached(const sc_resources *r, const sc_resource_cell *cell)
{
  double held = 0, free = 0;
  if (cell->lent)
    return true;
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    held += sc_resource_cell_sum(cell, run, SC_USAGE_HOLD_SECONDS) -
            sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_SECONDS);
    free += sc_resource_cell_occupancy(r, cell, run)->active_seconds -
            sc_resource_cell_sum(cell, run, SC_USAGE_WAIT_SECONDS);
  }
  return free > 0 && held > SC_CALIBRATE_ONE * free;
}

/* As many instances, at most `all`, as make that share of the visits wait. */
static double instances_for(sc_queue q, double all, double blocked)
{
  double low = 1, high = fmax(1, all);
  for (int i = 0; i < HALVINGS && high > 1.001 * low; i++) {
    q.stations = sqrt(low * high);
    *(sc_queue_solve(&q).blocked > blocked ? &low : &high) = q.stations;
  }
  return sqrt(low * high);
}

/* Most acquires go to a few of many instances: more of them wait than would if all instances were in use alike. Either
 * the number of instances that explains the waits, or its share of all, is taken to hold beyond the sizes measured: the
 * one that differs less from size to size. */
static int find_crowd(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  double numbers[SC_CHECK_SIZES], shares[SC_CHECK_SIZES], excess[SC_CHECK_SIZES];
  size_t count = 0;
  for (size_t i = 0; i < sizes_looked_at(r); i++) {
    size_t size = size_at(r, i);
    sc_demand demand;
    double blocked;
    if (sum_at(r, cell, size, SC_USAGE_WAITS) < SC_DEMAND_WAITS ||
        !sc_rmetric_at(r, cell, size, SC_RMETRIC_BLOCKED, &blocked))
      continue;
    c->most_blocked = fmax(c->most_blocked, blocked);
    SC_TRY(sc_demand_raw(r, cell, c, r->sizes[size], &demand));
    double all = demand.queue.stations, number = instances_for(demand.queue, all, blocked);
    numbers[count] = log(number);
    shares[count] = log(number / all);
    excess[count++] = all / number;
  }
  if (!count || sc_median(excess, count) < SC_CALIBRATE_CROWDED)
    return 0;
  double apart[2] = {0}, middle[2];
  double *const lists[] = {numbers, shares};
  for (size_t k = 0; k < 2; k++) {
    middle[k] = sc_median(lists[k], count); /* sorts */
    apart[k] = lists[k][count - 1] - lists[k][0];
  }
  c->crowded = true;
  c->crowd_stays = apart[0] <= apart[1];
  c->crowd = exp(middle[c->crowd_stays ? 0 : 1]);
  return 0;
}

/* What the queue's cycle leaves out of, or adds to, the time of an acquire: shared holds, further holds. */
static int find_busy(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  double room[SC_CHECK_SIZES], ask;
  sc_sample ratios = sc_sample_begin(room, SC_CHECK_SIZES);
  c->busy = 1;
  for (size_t size = r->size_count / 2; size < r->size_count; size++) {
    sc_demand demand;
    if (!sc_rmetric_at(r, cell, size, SC_RMETRIC_ASK, &ask))
      continue;
    SC_TRY(sc_demand_raw(r, cell, c, r->sizes[size], &demand));
    if (demand.cycle > 0 && ask > 0)
      sc_sample_add(&ratios, ask / demand.cycle);
  }
  if (ratios.count)
    c->busy = sc_median(room, ratios.count);
  return 0;
}

static int find_last(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  sc_demand demand;
  size_t last = r->size_count - 1;
  double waits = sum_at(r, cell, last, SC_USAGE_WAITS);
  SC_TRY(sc_demand_raw(r, cell, c, r->sizes[last], &demand));
  c->offered = demand.utilisation.value;
  c->each_customers = demand.queue.customers * demand.queue.hold;
  c->each_wait = waits > 0 ? sum_at(r, cell, last, SC_USAGE_WAIT_SECONDS) / waits : 0;
  return 0;
}

/* By how much the queue predicts processor time of all runs to take longer than it did. *miss: how far it is off, size
 * by size: squares of logarithms, added up. */
static int excess_of_stretch(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *c,
                             double *excess, double *miss)
{
  *excess = *miss = 0;
  for (size_t i = 0; i < sizes_looked_at(r); i++) {
    sc_demand demand;
    size_t size = size_at(r, i);
    double work = 0, ready = 0;
    SC_TRY(sc_demand_raw(r, cell, c, r->sizes[size], &demand));
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
      if (isfinite(cell->processors->work[run])) {
        work += cell->processors->work[run];
        ready += cell->processors->ready[run];
      }
    *excess += work * (demand.stretch - 1) - ready;
    if (work > 0)
      *miss += pow(log(demand.stretch * work / (work + ready)), 2);
  }
  return 0;
}

/* As many as make computed ready time that of the runs. */
static int find_others(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c, double *miss)
{
  double low = 0, high = SC_CALIBRATE_OTHERS * r->processors, excess;
  c->others = 0;
  SC_TRY(excess_of_stretch(r, cell, c, &excess, miss));
  for (int i = 0; excess < 0 && i < HALVINGS && high - low > 1e-3 * high; i++) {
    double rest;
    c->others = (low + high) / 2;
    SC_TRY(excess_of_stretch(r, cell, c, &rest, miss));
    *(rest < 0 ? &low : &high) = c->others;
  }
  return 0;
}

/* Schedulers share out processors among threads, or among programs first: the sizes measured tell which, as more
 * threads get more of them only in the first case. */
static int find_sharing(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  double of_threads, of_programs;
  SC_TRY(find_others(r, cell, c, &of_threads));
  double others = c->others;
  if (!(others > 0))
    return 0;
  c->grouped = true;
  SC_TRY(find_others(r, cell, c, &of_programs));
  if (of_programs < of_threads)
    return 0;
  c->grouped = false;
  c->others = others;
  return 0;
}

/* How far computed waiting is off at sizes where many waited: squares of logarithms, added up. */
static int miss_of_waits(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *c, double *miss,
                         size_t *count)
{
  *miss = 0;
  *count = 0;
  for (size_t i = 0; i < sizes_looked_at(r); i++) {
    sc_demand demand;
    size_t size = size_at(r, i);
    double seconds = sum_at(r, cell, size, SC_USAGE_WAIT_SECONDS), acquires = sum_at(r, cell, size, SC_USAGE_ACQUIRES);
    if (sum_at(r, cell, size, SC_USAGE_WAITS) < SC_DEMAND_WAITS || !(seconds > 0))
      continue;
    SC_TRY(sc_demand_raw(r, cell, c, r->sizes[size], &demand));
    double computed = demand.odds.value * demand.cycle * acquires;
    if (computed > 0)
      *miss += pow(log(computed / seconds), 2);
    *count += computed > 0;
  }
  return 0;
}

/* The handover that misses least, if it misses less than none: at two sizes or more, or it would explain anything. */
static int find_handover(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c, double most)
{
  double least, best = 0;
  size_t count;
  SC_TRY(miss_of_waits(r, cell, c, &least, &count));
  for (int i = 0; i < SC_CALIBRATE_HANDOVERS && count >= 2; i++) {
    double miss;
    c->handover = most * pow(2, -0.5 * i);
    SC_TRY(miss_of_waits(r, cell, c, &miss, &count));
    if (miss < least) {
      least = miss;
      best = c->handover;
    }
  }
  c->handover = best;
  return 0;
}

/* Ready time in holds, over what the queue makes of it. */
static int find_exposed(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  double seen = 0, computed = 0;
  for (size_t i = 0; i < sizes_looked_at(r); i++) {
    sc_demand demand;
    size_t size = size_at(r, i);
    SC_TRY(sc_demand_raw(r, cell, c, r->sizes[size], &demand));
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
      if (isfinite(cell->processors->hold_ready[run])) {
        seen += cell->processors->hold_ready[run];
        computed += demand.queue.hold_work * (demand.stretch - 1);
      }
  }
  c->exposed = computed > 0 ? fmin(1, seen / computed) : 1;
  return 0;
}

/* Who else used the machine, and how long the next holder takes to begin: it needs a processor, too. */
static int find_machine(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  const sc_rprocessors *own = sc_rprocessors_known(cell);
  double work = 0, all = 0, longest = 0;
  if (!own || c->detached || !(r->processors > 0))
    return 0;
  for (size_t run = 0; run < r->run_count; run++) {
    double hold, pace;
    if (!isfinite(own->work[run]) || !sc_rmetric_value(r, cell, run, SC_RMETRIC_HOLD, &hold) ||
        !sc_rmetric_value(r, cell, run, SC_RMETRIC_PACE, &pace))
      continue;
    work += own->work[run];
    all += hold + pace;
    double waits = sc_resource_cell_sum(cell, run, SC_USAGE_WAITS);
    longest = fmax(longest, waits > 0 ? sc_resource_cell_sum(cell, run, SC_USAGE_WAIT_SECONDS) / waits : 0);
  }
  if (!(work >= SC_CALIBRATE_WORK * all))
    return 0;
  SC_TRY(find_sharing(r, cell, c));
  SC_TRY(find_exposed(r, cell, c));
  if (!c->crowded)
    SC_TRY(find_handover(r, cell, c, longest));
  return 0;
}

/* The same at other values of further parameters, where no queue was measured: ready time in holds, over what it is if
 * they wait for a processor as long in proportion to their work as the whole cycle did in the nearest runs. */
static void find_exposed_there(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  const sc_rprocessors *own = sc_rprocessors_known(cell);
  double seen = 0, alike = 0, hold;
  for (size_t run = 0; own && run < r->run_count; run++) {
    if (!(own->work[run] > 0) || !sc_rmetric_value(r, cell, run, SC_RMETRIC_GRIP, &hold))
      continue;
    seen += own->hold_ready[run];
    alike += own->hold_part * hold * own->ready[run] / own->work[run];
  }
  c->exposed = alike > 0 ? fmin(1, seen / alike) : 1;
}

static int check_figures(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  SC_TRY(check_figure(r, cell, c, SC_FIGURE_USED, false, &c->figures[SC_FIGURE_USED]));
  SC_TRY(check_figure(r, cell, c, SC_FIGURE_BLOCKED, false, &c->figures[SC_FIGURE_BLOCKED]));
  SC_TRY(check_figure(r, cell, c, SC_FIGURE_WAITING, false, &c->figures[SC_FIGURE_WAITING]));
  if (c->fails)
    SC_TRY(check_figure(r, cell, c, SC_FIGURE_FAILED, false, &c->figures[SC_FIGURE_FAILED]));
  return 0;
}

/* At other values of further parameters the queue is checked where runs were made: there, or else at the nearest ones,
 * where it is off by as much as here. What models say of waiting knows less than the queue. */
static int make_there(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  const sc_resources *nearest = r->place->nearest;
  const sc_calibration *seen;
  sc_demand demand;
  find_exposed_there(r, cell, c);
  c->alone = !(r->other_processors > 0) && !sc_rplace_shares_processors(r, cell, c->exposed);
  if (!nearest) {
    SC_TRY(sc_demand_raw(r, cell, c, r->sizes[r->size_count - 1], &demand));
    c->offered = demand.utilisation.value;
    return check_figures(r, cell, c);
  }
  SC_TRY(sc_calibration_get(nearest, &nearest->cells[cell - r->cells], &seen));
  c->offered = seen->offered;
  for (size_t i = 0; i < SC_FIGURES; i++) {
    c->figures[i] = seen->figures[i];
    c->figures[i].elsewhere = true;
  }
  return 0;
}

/* In this order: each sees the queue as the ones before it left it. Of other values of further parameters nothing is
 * known of the machine's other work. */
static int make_calibration(const sc_resources *r, const sc_resource_cell *cell, sc_calibration *c)
{
  sc_check demand = {0};
  c->busy = 1;
  c->detached = is_detached(r, cell);
  c->at_intervals = !r->place && sc_rgivers_at_intervals(r, cell);
  c->fails = sc_rmetric_last(r, cell, SC_RMETRIC_FAILURES) > 0;
  c->tried = c->fails;
  for (size_t size = 0; size < r->size_count; size++)
    c->tried = c->tried && !(sum_at(r, cell, size, SC_USAGE_WAITS) > 0);
  if (r->place) {
    SC_TRY(make_there(r, cell, c));
    c->made = true;
    return 0;
  }
  c->apart = !c->fails && sc_demand_alone(r, cell);
  SC_TRY(find_crowd(r, cell, c));
  SC_TRY(find_machine(r, cell, c));
  SC_TRY(check_figure(r, cell, c, SC_FIGURE_USED, true, &demand));
  c->demand = demand; /* only now: what is checked must not correct itself */
  SC_TRY(find_busy(r, cell, c));
  SC_TRY(find_last(r, cell, c));
  SC_TRY(check_figures(r, cell, c));
  c->made = true;
  return 0;
}

/* Kept in the cell though `r` is const: what is computed once is not a change that anybody sees. */
int sc_calibration_get(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration **calibration)
{
  sc_resource_cell *own = &r->cells[cell - r->cells];
  if ((*calibration = own->calibration))
    return 0;
  sc_calibration *c = sc_mem_new(1, sizeof *c);
  int err = c ? make_calibration(r, own, c) : SC_E_NOMEM;
  if (err < 0) {
    free(c);
    return err;
  }
  *calibration = own->calibration = c;
  return 0;
}

int sc_calibrations_make(const sc_resources *r)
{
  const sc_calibration *made;
  for (uint32_t i = 0; i < r->resource_count; i++)
    if (sc_demand_known(r, &r->cells[i]))
      SC_TRY(sc_calibration_get(r, &r->cells[i], &made));
  return 0;
}

/* Turns the odds of waiting in *out into the seconds waited for each acquire. */
static int wait_of(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *c,
                   sc_resource_correction *out)
{
  sc_demand demand;
  sc_calibration there = *c;
  there.made = false; /* on the machine that measured */
  SC_TRY(sc_demand_raw(r, cell, &there, out->n, &demand));
  out->computed *= demand.cycle * c->busy;
  out->measured *= demand.cycle * c->busy;
  return 0;
}

int sc_calibration_missed(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                          sc_resource_correction *out)
{
  static const struct {
    enum sc_resource_metric metric;
    enum sc_figure figure;
  } checked[] = {{SC_RMETRIC_UTILISATION, SC_FIGURE_USED},
                 {SC_RMETRIC_WAIT, SC_FIGURE_WAITING},
                 {SC_RMETRIC_FAILURE_RATIO, SC_FIGURE_FAILED}};
  const sc_calibration *c;
  const sc_check *check = NULL;
  *out = (sc_resource_correction){0};
  SC_TRY(sc_calibration_get(r, cell, &c));
  for (size_t i = 0; i < sizeof checked / sizeof *checked; i++)
    if (checked[i].metric == metric)
      check = &c->figures[checked[i].figure];
  if (metric == SC_RMETRIC_UTILISATION && c->demand.missed)
    check = &c->demand;
  if (!check || !check->missed || check->elsewhere ||
      fmax(check->predicted[check->worst], check->measured[check->worst]) < SC_CALIBRATE_WORTH)
    return 0;
  *out =
      (sc_resource_correction){check->n[check->worst], check->predicted[check->worst], check->measured[check->worst]};
  return metric == SC_RMETRIC_WAIT ? wait_of(r, cell, c, out) : 0;
}

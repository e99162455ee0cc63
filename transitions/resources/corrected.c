/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a resource is asked for at a size, with the calibration's corrections and bounds applied. */
#include "transitions/resources/corrected.h"

#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/calibrate.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/series.h"

/* Sizes at which anybody waited. */
static size_t sizes_waited(const sc_resources *r, const sc_resource_cell *cell)
{
  size_t waited = 0;
  double odds;
  for (size_t size = 0; size < r->size_count; size++)
    waited += sc_rmetric_at(r, cell, size, SC_RMETRIC_WAIT_ODDS, &odds) && odds > 0;
  return waited;
}

/* Waiting may grow faster than any queue explains: holders lose their processor, those who wait are woken late, writers
 * stand behind readers. Where it was seen to grow from size to size, and more than the queue's, it is taken to go on
 * like that. */
static int add_seen_waiting(const sc_resources *r, const sc_resource_cell *cell, const sc_calibration *c, double n,
                            double weight, sc_demand *demand)
{
  double utilisation, share, slope;
  sc_interval odds;
  if (!sc_demand_measured(r, cell, r->size_count - 1, &utilisation, &share) || share < SC_CORRECTED_SEEN ||
      sc_rmetric_last(r, cell, SC_RMETRIC_WAITS) < SC_CORRECTED_WAITS || sizes_waited(r, cell) < 3 ||
      sc_rmetric_rise(r, cell, SC_RMETRIC_WAIT_ODDS) < SC_DEMAND_RISE || n <= r->sizes[r->size_count - 1] ||
      !(c->figures[SC_FIGURE_WAITING].slope > 0))
    return 0;
  SC_TRY(sc_rseries_slope(r, cell, SC_RMETRIC_WAIT_ODDS, &slope));
  if (slope < SC_CORRECTED_SLOPE)
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_WAIT_ODDS, n, &odds));
  double *ends[] = {&demand->odds.value, &demand->odds.low, &demand->odds.high};
  const double seen[] = {odds.value, odds.low, odds.high};
  for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
    if (seen[i] > *ends[i])
      *ends[i] = weight > 0 && *ends[i] > 0 ? *ends[i] * pow(seen[i] / *ends[i], weight)
                 : weight > 0               ? seen[i]
                                            : *ends[i];
  return 0;
}

static void order_interval(sc_interval *i)
{
  double low = fmin(i->value, fmin(i->low, i->high)), high = fmax(i->value, fmax(i->low, i->high));
  *i = (sc_interval){i->value, low, high};
}

/* Who waits must be woken before the next hold begins, so that not even a saturated lock is held all the time; and
 * times vary. */
static void widen_used(const sc_demand *demand, double ends, sc_interval *used)
{
  double hold = demand->queue.hold, alone = 1 - demand->blocked.high;
  double idle = hold > 0 ? hold / (hold + (1 - alone) * SC_CORRECTED_HANDOVER) : 1;
  used->low = fmin(used->low, used->value * idle * (1 - SC_RESOURCES_OFF) * (1 - ends));
  used->high = fmax(used->high, used->value);
  used->value *= 1 - ends / 2;
  used->high = fmin(used->high, fmax(demand->most, used->value));
  used->high = fmin(1, fmax(used->high, used->value * (1 + SC_RESOURCES_OFF)));
}

/* A wait is not longer than it was where it was measured by more than the queue and the holds in it are. */
static void bound_blocked(const sc_calibration *c, double ends, sc_demand *demand)
{
  double work = demand->queue.customers * demand->queue.hold;
  double each = c->each_customers > 0 ? c->each_wait * fmax(1, work / c->each_customers) : 0;
  sc_interval *b = &demand->blocked;
  b->low = fmin(b->low, (1 - ends) * b->value);
  b->high = fmax(b->high, b->value);
  b->value *= 1 - ends / 2;
  if (c->crowded)
    b->low = fmin(b->low, (1 - 2 * SC_RESOURCES_OFF) * c->most_blocked);
  if (each > 0 && demand->stretch <= SC_DEMAND_SHARED) {
    b->value = fmax(b->value, fmin(demand->crowded, demand->wait.value / each / 2));
    b->high = fmax(b->high, b->value);
  }
}

/* Nobody waits for less than whoever waited where it was measured: to be woken takes longer than a short hold. */
static void bound_by_wakes(const sc_calibration *c, sc_demand *demand)
{
  double least = c->each_wait * demand->blocked.value, each = demand->cycle * c->busy;
  sc_interval *w = &demand->wait, *o = &demand->odds;
  if (!(least > w->value) || !(each > 0))
    return;
  w->value = least;
  w->high = fmax(w->high, least);
  o->value = w->value / each;
  o->high = fmax(o->high, o->value);
}

/* Seconds that threads which begin together wait for those in front, once, all together: the i-th of those that are
 * late until i units came back, one after the other where holds differ, all at once where they are alike. */
static double wait_of_late(double late, double servers, double hold, double steady)
{
  double rows = floor(late / servers), rest = late - rows * servers;
  double alike = servers * rows * (rows + 1) / 2 + rest * (rows + 1);
  return hold * (steady * alike + (1 - steady) * late * (late + 1) / 2 / servers);
}

/* Threads that begin together meet at once, which no queue in balance knows of: all but as many as are served at a time
 * wait for those in front, once. Threads of a program that is asked for more of them do; of clients nobody knows. Who
 * waits anyway does not wait twice. */
static void allow_for_start(const sc_resources *r, double acquires, double each, double n, sc_demand *demand)
{
  const sc_queue *q = &demand->queue;
  double servers = fmax(1, q->servers * q->stations), late = q->customers - servers;
  if (!(late > 0) || !(acquires > 0))
    return;
  double steady = q->detached ? q->kept_out > 0 : q->steady; /* what is given back at intervals comes back at once */
  double wait = wait_of_late(late, servers, q->hold + q->kept_out, steady) / acquires;
  double free = 1 - demand->blocked.value;
  bool together = r->kind == SC_PARAMETER_THREADS && n > r->sizes[r->size_count - 1] && !demand->fails && !r->place &&
                  !(q->stations > 1) && acquires >= SC_CORRECTED_START * q->customers;
  if (together) {
    demand->wait.value += free * wait;
    demand->odds.value += each > 0 ? free * wait / each : 0;
    demand->blocked.value += free * late / acquires;
  }
  if (!q->detached || together) {
    demand->wait.high += wait;
    demand->blocked.high = fmax(demand->blocked.high, fmin(1, demand->blocked.high + late / acquires));
    demand->odds.high += each > 0 ? wait / each : 0;
  }
}

/* Share of the time of a saturated resource in which customers are missing. */
static double share_of_ends(double acquires, const sc_demand *demand)
{
  double rounds = acquires / fmax(1, demand->queue.customers),
         saturated = demand->blocked.value * demand->blocked.value;
  return rounds > 0 ? saturated * fmin(SC_CORRECTED_ENDS, SC_CORRECTED_ROUNDS / rounds) : 0;
}

/* Whoever only tries never waits, however busy it is. Where hardly any waits are expected, there may be none. */
static void bound_few(const sc_calibration *c, double acquires, sc_demand *demand)
{
  sc_interval *const figures[] = {&demand->blocked, &demand->odds, &demand->share, &demand->wait};
  bool few = demand->blocked.low * acquires < SC_CORRECTED_ONE;
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    if (few)
      figures[i]->low = 0;
    if (c->tried)
      *figures[i] = (sc_interval){0};
  }
}

/* Below saturation, waiting is a matter of who comes when: what was measured says that better than the theory. Beyond,
 * each waits for all that is asked for too much, unless it is the processors that let no more through. So corrections
 * of waiting count less the nearer to saturation a size is. Threads that do not meet at the sizes measured, where they
 * had to, meet nowhere: another lock, or an order of their own, lets one at a time come here. */
static double corrected_weight_of(const sc_resources *r, const sc_calibration *c, double n, const sc_demand *demand)
{
  double offered = demand->utilisation.value;
  bool measured = n <= r->sizes[r->size_count - 1] && !c->figures[SC_FIGURE_USED].elsewhere;
  if (measured || c->apart || c->offered >= 1 || demand->stretch > SC_DEMAND_SHARED)
    return 1;
  return fmin(1, fmax(0, (1 - offered) / (1 - c->offered)));
}

/* Beyond saturation customers wait at least for what exceeds the capacity (Denning and Buzen's bound), however little
 * they waited at the sizes measured. */
static void bound_odds(double n_max, double n, sc_demand *demand)
{
  if (!(n > n_max) || demand->queue.detached)
    return;
  demand->odds.value = fmax(demand->odds.value, demand->utilisation.value - 1);
  demand->odds.low = fmax(demand->odds.low, fmin(demand->utilisation.low, demand->utilisation.value) - 1);
}

/* Whoever comes last waits for one hold of each of the others, in which they share the processors with all threads. Who
 * wakes the next one may lose the processor, for how long is not known: without processors there is no bound. What a
 * few waits were extrapolated to beyond it is refuted, and no estimate: the queue's is left, `uncorrected`. */
static void bound_wait(const sc_resources *r, double each, double uncorrected, sc_demand *demand)
{
  const sc_queue *q = &demand->queue;
  double most = q->processors > 0 ? q->processors : r->processors, crowd = demand->crowd, longest = demand->longest;
  if (q->detached || !(crowd > 0) || (!(q->processors > 0) && !(most > 0 && crowd <= most)))
    return;
  if (q->processors > 0) {
    double slow = q->grouped ? crowd * (1 + q->others / q->processors) : crowd + q->others;
    longest += demand->longest * fmax(0, slow / q->processors - 1);
  }
  double bound = fmax(0, crowd - 1) / fmax(1, q->servers) * (longest + q->handover);
  sc_interval *w = &demand->wait;
  if (!(w->high > bound))
    return;
  double value = w->value > bound ? fmin(uncorrected, bound) : w->value;
  *w = (sc_interval){value, fmin(w->low, value), bound};
  if (each > 0)
    demand->odds = (sc_interval){w->value / each, w->low / each, w->high / each};
}

/* Where it was measured nothing is more likely than what the repeats lie around, and what was measured is possible. */
static void keep_to_measured(const sc_resources *r, const sc_resource_cell *cell, double n, sc_demand *demand)
{
  const struct {
    int metric;
    sc_interval *figure;
  } figures[] = {{SC_RMETRIC_UTILISATION, &demand->used},
                 {SC_RMETRIC_BLOCKED, &demand->blocked},
                 {SC_RMETRIC_WAIT, &demand->wait}};
  size_t size = sc_resources_size_of(r, n);
  for (size_t i = 0; i < sizeof figures / sizeof *figures && size < r->size_count && !r->place; i++) {
    double least, most, middle;
    sc_interval *f = figures[i].figure;
    if (!sc_rmetric_range(r, cell, size, figures[i].metric, &least, &most) ||
        !sc_rmetric_at(r, cell, size, figures[i].metric, &middle))
      continue;
    f->value = fmin(fmax(f->value, least), most);
    f->low = fmin(f->low, fmin(f->value, middle));
    f->high = fmax(f->high, fmax(f->value, middle));
  }
}

/* More clients leave the threads of a pool no more time: what they were busy for at the largest size measured they are
 * beyond it, too, however little is known of what clients do in between. */
static void bound_pool(const sc_resources *r, const sc_resource_cell *cell, double n, sc_demand *demand)
{
  size_t last = r->size_count - 1;
  double least, most;
  if (!sc_rpool_at(r, cell->resource) || !(n > r->sizes[last]) || r->place ||
      !sc_rmetric_range(r, cell, last, SC_RMETRIC_UTILISATION, &least, &most))
    return;
  least = fmin(1, least) * (1 - SC_RESOURCES_OFF);
  sc_interval *const figures[] = {&demand->utilisation, &demand->used};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    *figures[i] =
        (sc_interval){fmax(figures[i]->value, least), fmax(figures[i]->low, least), fmax(figures[i]->high, least)};
}

/* Figures are corrected one by one and bounded afterwards: corrections do not know that waits need a busy lock, nor
 * that a few acquires cannot wait for longer than their holders hold. */
int sc_demand_at(const sc_resources *r, const sc_resource_cell *cell, double n, sc_demand *out)
{
  const sc_calibration *c;
  sc_interval acquires;
  SC_TRY(sc_calibration_get(r, cell, &c));
  SC_TRY(sc_demand_raw(r, cell, c, n, out));
  double weight = corrected_weight_of(r, c, n, out), uncorrected = out->odds.value;
  bool busy = out->stretch > SC_DEMAND_SHARED || sc_rpool_at(r, cell->resource);
  for (int figure = 0; figure < SC_FIGURES; figure++)
    sc_check_apply(&c->figures[figure], n, r->level, figure == SC_FIGURE_USED ? 1 : weight, busy,
                   sc_demand_figure(out, (enum sc_figure)figure));
  SC_TRY(add_seen_waiting(r, cell, c, n, weight, out));
  if (!c->apart)
    bound_odds(r->sizes[r->size_count - 1], n, out);
  order_interval(&out->odds);
  double each = out->cycle * c->busy;
  out->wait =
      (sc_interval){out->odds.value * each, out->odds.low * each, out->odds.high > 0 ? out->odds.high * each : 0};
  bound_by_wakes(c, out);
  bound_wait(r, each, uncorrected * each, out);
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
  double ends = share_of_ends(acquires.value, out);
  widen_used(out, ends, &out->used);
  bound_pool(r, cell, n, out);
  bound_blocked(c, ends, out);
  allow_for_start(r, acquires.value, each, n, out);
  out->share = sc_shares_of_odds(out->odds);
  bound_few(c, acquires.value, out);
  keep_to_measured(r, cell, n, out);
  return 0;
}

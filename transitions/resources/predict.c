/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric of a resource at any size: by its queue, by other metrics, or by a model of its own. */
#include "transitions/resources/predict.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/calibrate.h"
#include "transitions/resources/corrected.h"
#include "transitions/resources/inner_locks.h"
#include "transitions/resources/mapped.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/series.h"
#include "transitions/resources/unseen.h"

static double share_failed(double failures, double acquires)
{
  if (!isfinite(failures))
    return 1;
  return failures + acquires > 0 ? failures / (failures + acquires) : 0;
}

static int predict_share(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out)
{
  sc_interval f, a;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_FAILURES, n, &f));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &a));
  *out = (sc_interval){share_failed(f.value, a.value), share_failed(f.low, a.high), share_failed(f.high, a.low)};
  return 0;
}

static sc_interval at_most_one(sc_interval i)
{
  return (sc_interval){fmin(1, i.value), fmin(1, i.low), fmin(1, i.high)};
}

static sc_interval multiply_intervals(sc_interval a, sc_interval b)
{
  return (sc_interval){a.value * b.value, a.low * b.low, b.high > 0 && a.high > 0 ? a.high * b.high : 0};
}

/* Where it was measured nothing is predicted of a queue beside what the repeats lie around, whatever it is computed
 * from: a model of numbers of waits may leave out a size, and what times are without the machine's part none had. */
static void keep_to_runs(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, double n,
                         sc_interval *out)
{
  double least, most, most_share = metric == SC_RMETRIC_UTILISATION ? 1 : INFINITY;
  bool kept = metric == SC_RMETRIC_UTILISATION || metric == SC_RMETRIC_WAITS || metric == SC_RMETRIC_WAIT ||
              metric == SC_RMETRIC_HOLD || metric == SC_RMETRIC_THINK;
  if (r->place || !kept || sc_resource_cell_idle(r, cell))
    return;
  size_t size = sc_resources_size_of(r, n);
  if (size == r->size_count || !sc_rmetric_range(r, cell, size, metric, &least, &most))
    return;
  out->value = fmin(fmax(out->value, fmin(least, most_share)), fmin(most, most_share));
  out->low = fmin(out->low, out->value);
  out->high = fmax(out->high, out->value);
}

/* Of what nobody knows how many it serves: of itself the mean wait is a series, but whoever comes last waits for a hold
 * of each of the others at most. A trend of few waits that leads beyond is refuted: what was measured is left, up to
 * that. */
static int predict_own_wait(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out)
{
  sc_interval hold, threads;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_WAIT, n, out));
  if (r->place || sc_resource_cell_idle(r, cell))
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_HOLD, n, &hold));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_THREADS, n, &threads));
  double bound = fmax(0, threads.high - 1) * hold.high, last = sc_rmetric_last(r, cell, SC_RMETRIC_WAIT);
  if (bound > last && isfinite(bound) && out->high > bound) {
    double value = out->value > bound ? last : out->value;
    *out = (sc_interval){value, fmin(out->low, value), bound};
  }
  keep_to_runs(r, cell, SC_RMETRIC_WAIT, n, out);
  return 0;
}

/* Without a queue: shares of the acquires, each a series. */
static int predict_waits(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, double n,
                         sc_interval *out)
{
  sc_interval each;
  bool count = metric == SC_RMETRIC_WAITS;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, out));
  SC_TRY(count ? sc_rseries_predict(r, cell, SC_RMETRIC_BLOCKED, n, &each) : predict_own_wait(r, cell, n, &each));
  *out = multiply_intervals(count ? at_most_one(each) : each, *out);
  return 0;
}

/* Those of what is acquired at all; conditions, barriers and joins wait for something else. Counts that are exact need
 * no share, but that nobody waited yet says nothing of a queue. */
static int waits_are_shares(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                            bool *yes)
{
  const sc_rseries *series;
  SC_TRY(sc_rseries_get(r, cell, metric, &series));
  double acquires = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  bool exact = series && series->shown.model.verdict == SC_VERDICT_MODEL && series->shown.model.exact;
  double waits = sc_rmetric_last(r, cell, SC_RMETRIC_WAITS);
  *yes = acquires > 0 && waits <= acquires && !sc_resource_cell_idle(r, cell) &&
         (!exact || (!(waits > 0) && sc_demand_known(r, cell)));
  return 0;
}

/* Failures of a lock, or of a pool, while others hold it: as many as find it taken. */
static int failures_are_refusals(const sc_resources *r, const sc_resource_cell *cell, bool *yes)
{
  const sc_rseries *series;
  *yes = false;
  if (!sc_demand_known(r, cell) || !(sc_rmetric_last(r, cell, SC_RMETRIC_FAILURES) > 0))
    return 0;
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_FAILURES, &series));
  *yes = !(series->shown.model.verdict == SC_VERDICT_MODEL && series->shown.model.exact);
  return 0;
}

/* Of what only sometimes works: without a model of their number, as many to an acquire as their ratio says. */
static int failures_have_a_model(const sc_resources *r, const sc_resource_cell *cell, bool *yes)
{
  const sc_rseries *series;
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_FAILURES, &series));
  *yes = !series || series->shown.model.verdict == SC_VERDICT_MODEL ||
         !(sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES) > 0);
  return 0;
}

static int predict_failures(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                            double n, sc_interval *out)
{
  sc_interval odds, acquires;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_FAILURE_ODDS, n, &odds));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
  if (metric == SC_RMETRIC_FAILURES)
    *out = multiply_intervals(odds, acquires);
  else
    *out = sc_shares_of_odds(odds);
  return 0;
}

static double failures_of(double failed, double acquires)
{
  return failed < 1 ? failed / (1 - failed) * acquires : INFINITY;
}

/* Who tries again while it is taken fails for as long as it would have waited: failures for each acquire grow with the
 * wait that the queue has for it, however near to 1 the share of attempts comes. */
static int bound_failures(const sc_resources *r, const sc_resource_cell *cell, double n, double acquires,
                          sc_interval *failures)
{
  const sc_calibration *c;
  sc_demand here, there;
  double largest = r->sizes[r->size_count - 1], last = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  if (!(n > largest) || !(last > 0))
    return 0;
  SC_TRY(sc_calibration_get(r, cell, &c));
  SC_TRY(sc_demand_raw(r, cell, c, largest, &here));
  SC_TRY(sc_demand_raw(r, cell, c, n, &there));
  double wait = here.odds.value * here.cycle;
  if (!(wait > 0))
    return 0;
  double each = sc_rmetric_last(r, cell, SC_RMETRIC_FAILURES) / last;
  double most = acquires * each * fmax(1, there.odds.value * there.cycle / wait);
  double high = acquires * each * fmax(1, there.odds.high * there.cycle / wait);
  *failures = (sc_interval){fmin(failures->value, most), fmin(failures->low, most), fmin(failures->high, high)};
  return 0;
}

static int predict_demand(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, double n,
                          sc_interval *out)
{
  sc_demand demand;
  sc_interval acquires;
  SC_TRY(sc_demand_at(r, cell, n, &demand));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
  switch (metric) {
  case SC_RMETRIC_UTILISATION:
    *out = at_most_one(demand.used);
    break;
  case SC_RMETRIC_WAIT:
    *out = demand.wait;
    break;
  case SC_RMETRIC_WAIT_TOTAL:
    *out = multiply_intervals(demand.wait, acquires);
    break;
  case SC_RMETRIC_WAITS:
    *out = multiply_intervals(at_most_one(demand.blocked), acquires);
    break;
  default:
    if (metric == SC_RMETRIC_FAILURE_RATIO) /* of as many, which the bound is of, too */
      acquires.low = acquires.high = acquires.value;
    *out = (sc_interval){failures_of(demand.failed.value, acquires.value), failures_of(demand.failed.low, acquires.low),
                         failures_of(demand.failed.high, acquires.high)};
    SC_TRY(bound_failures(r, cell, n, acquires.value, out));
    if (metric == SC_RMETRIC_FAILURE_RATIO)
      *out = (sc_interval){share_failed(out->value, acquires.value), share_failed(out->low, acquires.value),
                           share_failed(out->high, acquires.value)};
  }
  return 0;
}

/* Where predictions of a metric come from. */
typedef enum basis {
  OWN_SERIES,
  QUEUE,
  SHARE_OF_ACQUIRES,
  SHARE_OF_BOTH,
  FAILURES_OF_ACQUIRES,
  TOTAL_OF_ACQUIRES,
  HOLDS_OF_ACQUIRES
} basis;

/* Of joins, and what else nobody competes for: the mean is the total over the acquires, or the two contradict each
 * other. */
static int predict_mean_wait(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out)
{
  sc_interval total, acquires;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_WAIT_TOTAL, n, &total));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
  *out = (sc_interval){acquires.value > 0 ? total.value / acquires.value : 0,
                       acquires.high > 0 ? total.low / acquires.high : 0,
                       acquires.low > 0 ? total.high / acquires.low
                       : total.high > 0 ? INFINITY
                                        : 0};
  return 0;
}

/* Holds for each acquire, beyond the sizes as many as at the largest one; 0: not known, or n is not beyond. */
static double count_holds_each(const sc_resources *r, const sc_resource_cell *cell, double n)
{
  double one = sc_rmetric_last(r, cell, SC_RMETRIC_HOLD) * sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  double all = sc_rmetric_last(r, cell, SC_RMETRIC_HOLD_TOTAL);
  return n > r->sizes[r->size_count - 1] && one > 0 && all > 0 ? all / one : 0;
}

/* Beyond the sizes, as many holds for each acquire as at the largest one, each as long as the mean is: totals that have
 * a model of their own contradict both. */
static int predict_holds(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out)
{
  sc_interval hold, acquires;
  double holds = count_holds_each(r, cell, n);
  if (!(holds > 0))
    return sc_rseries_predict(r, cell, SC_RMETRIC_HOLD_TOTAL, n, out);
  SC_TRY(sc_demand_time(r, cell, SC_RMETRIC_HOLD, n, &hold));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
  *out = multiply_intervals(multiply_intervals(hold, acquires), (sc_interval){holds, holds, holds});
  return 0;
}

/* Shared holds have times of their own. */
static bool all_exclusive(const sc_resources *r, const sc_resource_cell *cell)
{
  double shared = 0;
  for (size_t run = 0; run < r->run_count; run++)
    shared += sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_HOLDS);
  return !(shared > 0);
}

/* Waits and failures have a cause that grows in another way than they did so far: a queue at 70% use waits a little, at
 * 99% without end. A model of their own counts is the last resort. */
static int find_basis(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, basis *from)
{
  bool known = sc_demand_known(r, cell), yes = false;
  *from = OWN_SERIES;
  switch (metric) {
  case SC_RMETRIC_WAIT:
    if (!known && sc_resource_cell_idle(r, cell) && sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES) > 0) {
      *from = TOTAL_OF_ACQUIRES;
      return 0;
    } /* fall through */
  case SC_RMETRIC_UTILISATION:
    *from = known ? QUEUE : OWN_SERIES;
    return 0;
  case SC_RMETRIC_HOLD_TOTAL:
    *from = known && all_exclusive(r, cell) ? HOLDS_OF_ACQUIRES : OWN_SERIES;
    return 0;
  case SC_RMETRIC_WAITS:
  case SC_RMETRIC_WAIT_TOTAL:
    SC_TRY(waits_are_shares(r, cell, metric, &yes));
    *from = known && (yes || metric == SC_RMETRIC_WAIT_TOTAL) ? QUEUE : yes ? SHARE_OF_ACQUIRES : OWN_SERIES;
    return 0;
  case SC_RMETRIC_FAILURES:
  case SC_RMETRIC_FAILURE_RATIO:
    SC_TRY(failures_are_refusals(r, cell, &yes));
    if (yes) {
      *from = QUEUE;
      return 0;
    }
    SC_TRY(failures_have_a_model(r, cell, &yes));
    *from = !yes ? FAILURES_OF_ACQUIRES : metric == SC_RMETRIC_FAILURES ? OWN_SERIES : SHARE_OF_BOTH;
    return 0;
  default:
    return 0;
  }
}

/* No more units of semaphores are out than there are. */
static int bound_units(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out)
{
  sc_interval instances;
  SC_TRY(sc_demand_instances(r, cell, n, &instances));
  double each = sc_resource_cell_resource(r, cell)->capacity;
  *out = (sc_interval){fmin(out->value, each * fmax(1, instances.value)), fmin(out->low, each * fmax(1, instances.low)),
                       fmin(out->high, each * fmax(1, instances.high))};
  return 0;
}

/* Whether a count depends on which thread comes first: that it was the same in every run is luck. At a barrier all but
 * the last wait. */
static bool depends_on_timing(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric)
{
  enum sc_resource_class kind = sc_resource_cell_resource(r, cell)->resource_class;
  if (metric == SC_RMETRIC_FAILURES)
    return (sc_resource_cell_lock(r, cell) || kind == SC_RESOURCE_SEMAPHORE) &&
           sc_rmetric_last(r, cell, SC_RMETRIC_FAILURES) > 0 && /* else nobody may try without waiting */
           sc_unseen_overlap(r, cell);
  if (metric != SC_RMETRIC_WAITS || kind == SC_RESOURCE_BARRIER)
    return false;
  if (kind == SC_RESOURCE_THREAD || kind == SC_RESOURCE_CONDITION)
    return true;
  return !sc_resource_cell_generic(r, cell) && sc_unseen_overlap(r, cell);
}

/* How much more there is of what may happen by chance than at the largest size. */
static int compare_chances(const sc_resources *r, const sc_resource_cell *cell, double n, double *more)
{
  sc_interval acquires;
  double last = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  *more = fmax(1, n / r->sizes[r->size_count - 1]);
  if (last > 0) {
    SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
    *more = fmax(1, acquires.value / last);
  }
  return 0;
}

/* The interval of a count by chance that was the same in all repeats: that of Poisson's distribution (Garwood, 1936).
 * What never happened may happen as seldom as it takes to be missed in all runs. */
static int widen_by_chance(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                           double n, sc_interval *out)
{
  double more, tail = (1 - r->level) / 2, most = INFINITY, value = out->value;
  sc_interval acquires;
  if (out->low < value || out->high > value || !isfinite(value) || !depends_on_timing(r, cell, metric))
    return 0;
  if (value >= 1 && value < SC_RESOURCES_CHANCE) {
    out->low = fmin(value, floor(gsl_cdf_chisq_Pinv(tail, 2 * value) / 2));
    out->high = ceil(gsl_cdf_chisq_Qinv(tail, 2 * value + 2) / 2);
  } else if (value >= SC_RESOURCES_CHANCE) {
    double off = gsl_cdf_ugaussian_Qinv(tail) * sqrt(value);
    *out = (sc_interval){value, value - off, value + off};
  } else {
    SC_TRY(compare_chances(r, cell, n, &more));
    out->low = 0;
    out->high = fmax(value, ceil(gsl_cdf_chisq_Qinv(tail, 2) / 2 * more / (double)r->run_count));
  }
  double last = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  if (metric == SC_RMETRIC_WAITS && last > 0 && sc_rmetric_last(r, cell, SC_RMETRIC_WAITS) <= last) {
    SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
    most = fmax(acquires.high, value);
  }
  out->high = fmin(out->high, most);
  return 0;
}

/* A mean hold time that falls shares a start among ever more holds: a power of the size that describes that ends at
 * nothing. The total is known better: beyond the sizes the mean falls to what that is for each hold. */
static int raise_falling_hold(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out)
{
  sc_interval total, acquires, last;
  double holds = count_holds_each(r, cell, n);
  if (!(holds > 0))
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_HOLD, r->sizes[r->size_count - 1], &last));
  if (!(last.value > out->value))
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_HOLD_TOTAL, n, &total));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
  double each = fmin(last.value, total.value / (acquires.value * holds));
  if (!(each > out->value) || !isfinite(each))
    return 0;
  out->value = each;
  out->high = fmax(out->high, acquires.low > 0 ? total.high / (acquires.low * holds) : INFINITY);
  return 0;
}

static int predict_cell(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, double n,
                        sc_interval *out, bool *derived)
{
  basis from;
  SC_TRY(find_basis(r, cell, metric, &from));
  *derived = from != OWN_SERIES;
  switch (from) {
  case QUEUE:
    return predict_demand(r, cell, metric, n, out);
  case SHARE_OF_ACQUIRES:
    return predict_waits(r, cell, metric, n, out);
  case SHARE_OF_BOTH:
    return predict_share(r, cell, n, out);
  case FAILURES_OF_ACQUIRES:
    return predict_failures(r, cell, metric, n, out);
  case TOTAL_OF_ACQUIRES:
    return predict_mean_wait(r, cell, n, out);
  case HOLDS_OF_ACQUIRES:
    return predict_holds(r, cell, n, out);
  default:
    break;
  }
  if (metric == SC_RMETRIC_INSTANCES)
    return sc_demand_instances(r, cell, n, out);
  if (metric == SC_RMETRIC_WAIT)
    return predict_own_wait(r, cell, n, out);
  SC_TRY(sc_rseries_predict(r, cell, metric, n, out));
  if ((metric == SC_RMETRIC_HOLD || metric == SC_RMETRIC_THINK) && !(out->value > 0)) /* a model that fell to nothing */
    return sc_demand_time(r, cell, metric, n, out);
  if (metric == SC_RMETRIC_HOLD)
    SC_TRY(raise_falling_hold(r, cell, n, out));
  if (metric == SC_RMETRIC_HOLD || metric == SC_RMETRIC_THINK)
    SC_TRY(sc_inner_locks_lengthen(r, cell, metric, n, out));
  if (metric == SC_RMETRIC_PEAK && sc_resource_cell_units_each(r, cell) && !sc_resource_cell_signal(r, cell))
    return bound_units(r, cell, n, out);
  if (r->place && metric == SC_RMETRIC_WAITS) { /* models of two numbers that do not know of each other */
    sc_interval acquires;
    SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
    *out =
        (sc_interval){fmin(out->value, acquires.value), fmin(out->low, acquires.low), fmin(out->high, acquires.high)};
  }
  if (metric == SC_RMETRIC_UTILISATION) {
    *out = at_most_one(*out);
    out->low = fmin(out->low, (1 - SC_RESOURCES_OFF) * out->value);
    out->high = fmin(1, fmax(out->high, (1 + SC_RESOURCES_OFF) * out->value));
  }
  return 0;
}

/* Nobody waited where it was measured: that is luck, too, and more so with more threads. */
static int allow_for_unseen(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                            double n, sc_interval *out)
{
  sc_interval acquires;
  double share, wait;
  if (metric != SC_RMETRIC_WAITS && metric != SC_RMETRIC_WAIT && metric != SC_RMETRIC_WAIT_TOTAL)
    return 0;
  SC_TRY(sc_unseen_waits(r, cell, n, &share, &wait));
  if (!(share > 0) && !(wait > 0))
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_ACQUIRES, n, &acquires));
  double most = metric == SC_RMETRIC_WAITS ? fmin(ceil(share * acquires.value), acquires.high)
                                           : wait * (metric == SC_RMETRIC_WAIT ? 1 : acquires.value);
  out->high = fmax(out->high, most);
  return 0;
}

/* A time that may as well be a million times longer has no bound: the age of the universe does not limit a wait. */
static void leave_resource_open(enum sc_resource_metric metric, sc_interval *out)
{
  if (sc_rmetric_is_count((int)metric) || !(out->value > 0))
    return;
  if (out->high > SC_RESOURCES_TELLS * out->value)
    out->high = INFINITY;
  if (out->low * SC_RESOURCES_TELLS < out->value)
    out->low = 0;
}

int sc_resources_predict_cell(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                              double n, sc_interval *out, bool *derived)
{
  SC_TRY(predict_cell(r, cell, metric, n, out, derived));
  SC_TRY(widen_by_chance(r, cell, metric, n, out));
  SC_TRY(sc_rmapped_widen(r, cell, metric, n, out));
  SC_TRY(allow_for_unseen(r, cell, metric, n, out));
  keep_to_runs(r, cell, metric, n, out);
  leave_resource_open(metric, out);
  return 0;
}

int sc_resources_basis_of(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                          const sc_model **model, sc_resource_correction *correction)
{
  basis from;
  const sc_rseries *series;
  *correction = (sc_resource_correction){0};
  SC_TRY(sc_rseries_get(r, cell, metric, &series));
  SC_TRY(find_basis(r, cell, metric, &from));
  *model = series && from == OWN_SERIES ? &series->shown.model : NULL;
  return from == QUEUE ? sc_calibration_missed(r, cell, metric, correction) : 0;
}

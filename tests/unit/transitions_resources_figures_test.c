/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a resource that follow from others without a queue: values and both ends, by hand. */
#include "unit.h"

#include "transitions/resources/predict.h"
#include "transitions/resources/series.h"
#include "transitions_resources_made.h"

static const sc_resource stream = {SC_RESOURCE_STREAM, "log", "a.c", 1},
                         condition = {SC_RESOURCE_CONDITION, "done", "a.c", 1};
enum { SIZES = 4 };
static const double AT = 3200;

/* A metric is coefficient * n^exponent, give or take a fifth or so. */
static sc_interval set(made_resources *m, int metric, double coefficient, double exponent, double relative)
{
  made_power(m, metric, coefficient, exponent);
  sc_model *model = &m->series[metric].shown.model;
  model->exact = false;
  model->degrees = 1000000;
  model->covariance[0][0] = relative * relative * coefficient * coefficient;
  sc_interval i;
  unit_ok(sc_rseries_predict(&m->r, &m->cells[0], metric, AT, &i));
  return i;
}

/* Eight threads acquire it, each n times a run; a quarter wait, and one of eleven attempts fails. */
static made_resources *begin(const sc_resource *kind)
{
  made_resources *m = made_new(kind, 1, SIZES, 1);
  for (int metric = 0; metric < SC_RMETRIC_ALL; metric++)
    m->cells[0].made[metric] = true; /* none but what tests set */
  for (size_t run = 0; run < SIZES; run++) {
    double acquires = 8 * m->sizes[run];
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, acquires);
    made_sum(m, 0, run, SC_USAGE_WAITS, acquires / 4);
    made_sum(m, 0, run, SC_USAGE_FAILURES, acquires / 10);
    *made_occupancy(m, 0, run) = (sc_occupancy){0, 1, 8, 8, 1, 0};
  }
  return m;
}

static sc_interval predicted(const made_resources *m, enum sc_resource_metric metric, bool derived)
{
  sc_interval out;
  bool follows;
  unit_ok(sc_resources_predict_cell(&m->r, &m->cells[0], metric, AT, &out, &follows));
  assert_true(follows == derived);
  return out;
}

TEST(waits_and_failures_are_shares_of_acquires)
{
  made_resources *m = begin(&stream);
  sc_interval acquires = set(m, SC_RMETRIC_ACQUIRES, 8, 1, 0.1), blocked = set(m, SC_RMETRIC_BLOCKED, 0.25, 0, 0.1);
  sc_interval wait = set(m, SC_RMETRIC_WAIT, 2e-3, 0, 0.1), odds = set(m, SC_RMETRIC_FAILURE_ODDS, 0.1, 0, 0.1);
  sc_interval failures = set(m, SC_RMETRIC_FAILURES, 0.8, 1, 0.1);
  set(m, SC_RMETRIC_HOLD, 1, 0, 0);
  set(m, SC_RMETRIC_THREADS, 8, 0, 0);
  set(m, SC_RMETRIC_WAITS, 3, 1, 0.1);
  set(m, SC_RMETRIC_WAIT_TOTAL, 3, 1, 0.1);
  assert_true(acquires.low < 0.9 * acquires.value && acquires.high > 1.1 * acquires.value);
  made_is(predicted(m, SC_RMETRIC_WAITS, true), blocked.value * acquires.value, blocked.low * acquires.low,
          blocked.high * acquires.high);
  made_is(predicted(m, SC_RMETRIC_WAIT, false), wait.value, wait.low, wait.high);
  made_is(predicted(m, SC_RMETRIC_WAIT_TOTAL, true), wait.value * acquires.value, wait.low * acquires.low,
          wait.high * acquires.high);
  made_is(predicted(m, SC_RMETRIC_FAILURES, false), failures.value, failures.low, failures.high);
  made_is(predicted(m, SC_RMETRIC_FAILURE_RATIO, true), failures.value / (failures.value + acquires.value),
          failures.low / (failures.low + acquires.high), failures.high / (failures.high + acquires.low));
  m->series[SC_RMETRIC_FAILURES].shown.model.verdict = SC_VERDICT_CANNOT_TELL;
  made_is(predicted(m, SC_RMETRIC_FAILURES, true), odds.value * acquires.value, odds.low * acquires.low,
          odds.high * acquires.high);
  made_is(predicted(m, SC_RMETRIC_FAILURE_RATIO, true), odds.value / (1 + odds.value), odds.low / (1 + odds.low),
          odds.high / (1 + odds.high));
  blocked = set(m, SC_RMETRIC_BLOCKED, 0.95, 0, 0.1); /* no more than all wait */
  assert_true(blocked.high > 1);
  made_is(predicted(m, SC_RMETRIC_WAITS, true), 0.95 * acquires.value, blocked.low * acquires.low, acquires.high);
  made_sum(m, 0, SIZES - 1, SC_USAGE_WAITS, 8 * 800 + 1); /* more waits than acquires are of something else */
  sc_interval own = set(m, SC_RMETRIC_WAITS, 3, 1, 0.1);
  made_is(predicted(m, SC_RMETRIC_WAITS, false), own.value, own.low, own.high);
  made_sum(m, 0, SIZES - 1, SC_USAGE_WAITS, 8 * 800);
  assert_true(predicted(m, SC_RMETRIC_WAITS, true).value < own.value * 3);
  m->series[SC_RMETRIC_WAITS].shown.model.exact = true; /* what is exact needs no share */
  unit_near(predicted(m, SC_RMETRIC_WAITS, false).value, 3 * AT);
  made_free(m);
}

/* Joins: the mean is the total over the acquires. */
TEST(mean_waits_for_no_queue_are_totals)
{
  made_resources *m = begin(&condition);
  sc_interval acquires = set(m, SC_RMETRIC_ACQUIRES, 8, 1, 0.1), total = set(m, SC_RMETRIC_WAIT_TOTAL, 0.4, 1, 0.2);
  made_is(predicted(m, SC_RMETRIC_WAIT, true), total.value / acquires.value, total.low / acquires.high,
          total.high / acquires.low);
  acquires = set(m, SC_RMETRIC_ACQUIRES, 8, 1, 3); /* perhaps none: but never fewer than there were */
  assert_true(acquires.low == 8 * 800);
  made_is(predicted(m, SC_RMETRIC_WAIT, true), total.value / acquires.value, total.low / acquires.high,
          total.high / acquires.low);
  set(m, SC_RMETRIC_WAIT_TOTAL, 0, 0, 0);
  made_is(predicted(m, SC_RMETRIC_WAIT, true), 0, 0, 0);
  set(m, SC_RMETRIC_WAIT_TOTAL, 0.4, 1, 0);
  for (size_t run = 0; run < SIZES; run++)
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, run + 1 < SIZES ? 10 : 1); /* they fall, to none perhaps */
  set(m, SC_RMETRIC_ACQUIRES, 0, 0, 0);
  made_is(predicted(m, SC_RMETRIC_WAIT, true), 0, 0, INFINITY);
  made_free(m);
}

/* Of what nobody knows how many it serves, the last one waits for a hold of each of the others. */
TEST(a_wait_is_bound_by_holds_of_others)
{
  made_resources *m = begin(&stream);
  set(m, SC_RMETRIC_ACQUIRES, 8, 1, 0);
  set(m, SC_RMETRIC_HOLD, 1e-3, 0, 0);
  set(m, SC_RMETRIC_THREADS, 8, 0, 0);
  sc_interval wait = set(m, SC_RMETRIC_WAIT, 5e-3, 0, 0.3);
  for (size_t run = 0; run < SIZES; run++)
    made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, 8 * m->sizes[run] * 4e-3); /* 4 ms of each acquire */
  assert_true(wait.high > 7e-3);
  made_is(predicted(m, SC_RMETRIC_WAIT, false), 5e-3, wait.low, 7e-3);
  wait = set(m, SC_RMETRIC_WAIT, 8e-3, 0, 0.3); /* which is refuted: what was measured last */
  made_is(predicted(m, SC_RMETRIC_WAIT, false), 4e-3, fmin(wait.low, 4e-3), 7e-3);
  set(m, SC_RMETRIC_HOLD, 0.5e-3, 0, 0); /* measured waits exceed it: no bound */
  made_is(predicted(m, SC_RMETRIC_WAIT, false), 8e-3, wait.low, wait.high);
  set(m, SC_RMETRIC_HOLD, 1e-3, 0, 0);
  wait = set(m, SC_RMETRIC_WAIT, 1e-3, 0, 0.1);
  made_is(predicted(m, SC_RMETRIC_WAIT, false), 1e-3, wait.low, wait.high);
  made_free(m);
}

/* No more units of a set of semaphores are out than there are; and never fewer than one of them. */
TEST(units_that_are_out_are_there)
{
  static const struct {
    double instances, capacity, value;
  } cases[] = {{10, 4, 40}, {0.5, 4, 4}, {100, 4, 50}, {10, 7, 50}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const sc_resource semaphore = {SC_RESOURCE_SEMAPHORE, "units", "a.c", 1, .capacity = cases[i].capacity};
    made_resources *m = begin(&semaphore);
    set(m, SC_RMETRIC_INSTANCES, cases[i].instances, 0, 0);
    sc_interval peak = set(m, SC_RMETRIC_PEAK, 50, 0, 0.1);
    double most = cases[i].capacity * fmax(1, cases[i].instances);
    for (size_t run = 0; run < SIZES; run++)
      made_sum(m, 0, run, SC_USAGE_HOLDS, 8 * m->sizes[run]);
    made_is(predicted(m, SC_RMETRIC_PEAK, false), cases[i].value, fmin(peak.low, most), fmin(peak.high, most));
    made_free(m);
  }
}

/* A share of time that is predicted by itself is known to a twentieth at best; times beyond telling are open. */
TEST(ends_of_times)
{
  made_resources *m = begin(&stream);
  static const struct {
    double relative, low, high;
  } cases[] = {{0, 0.95, 1.05}, {0.5, 0, 2}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_interval used = set(m, SC_RMETRIC_UTILISATION, 0.5, 0, cases[i].relative);
    made_is(predicted(m, SC_RMETRIC_UTILISATION, false), 0.5, fmin(used.low, (1 - SC_RESOURCES_OFF) * 0.5),
            fmin(1, fmax(used.high, (1 + SC_RESOURCES_OFF) * 0.5)));
  }
  set(m, SC_RMETRIC_UTILISATION, 3, 0, 0);
  made_is(predicted(m, SC_RMETRIC_UTILISATION, false), 1, 1 - SC_RESOURCES_OFF, 1);
  static const double values[SIZES] = {1, 1, 1, 1};
  sc_rseries *s = &m->series[SC_RMETRIC_THINK];
  for (int i = 0; i < 3; i++) { /* a trend that leaves everything open */
    set(m, SC_RMETRIC_THINK, 1, 0, 0);
    s->shown.values = values;
    s->doubt = (sc_growth_doubt){.exponent = 0, .state = 0};
    s->shown.model.covariance[0][0] = 0;
    s->doubt.exponent = (i == 0 ? 0.9 : 1.1) * log(SC_RESOURCES_TELLS) / (1.959963984540054 * log(4));
    sc_interval out = predicted(m, SC_RMETRIC_THINK, false);
    assert_true(out.value == 1 && isfinite(out.high) == (i == 0) && (out.low > 0) == (i == 0));
  }
  made_free(m);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a lock is asked for beyond the sizes, where each of its metrics is a power of the size: the queue's figures. */
#include "unit.h"

#include <gsl/gsl_cdf.h>

#include "transitions/resources/calibrate.h"
#include "transitions/resources/corrected.h"
#include "transitions/resources/demand.h"
#include "transitions/resources/predict.h"
#include "transitions/resources/queue.h"
#include "transitions_resources_made.h"

static const sc_resource kinds[] = {{SC_RESOURCE_MUTEX, "queue", "a.c", 1}};

typedef struct scene {
  made_resources *m;
  sc_calibration calibration;
} scene;

/* An interval from a quarter to four times the value, nearly: for what is uncertain. */
static void doubt(scene *s, int metric, double relative)
{
  sc_model *m = &s->m->series[metric].shown.model;
  m->exact = false;
  m->degrees = 1000000;
  m->covariance[0][0] = relative * relative * m->terms[0].coefficient * m->terms[0].coefficient;
}

/* n / 100 threads hold a lock for 1 ms and think for 9: measured at 100 to 800, 100 times each. */
static scene *begin_of(const sc_resource *kind)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(kind, 1, 4, 1);
  s->calibration = (sc_calibration){.busy = 1, .made = true};
  s->m->cells[0].calibration = &s->calibration;
  for (size_t run = 0; run < 4; run++) {
    double threads = s->m->sizes[run] / 100, acquires = 100 * threads;
    made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, acquires);
    made_sum(s->m, 0, run, SC_USAGE_UNITS, acquires);
    made_sum(s->m, 0, run, SC_USAGE_HOLDS, acquires);
    made_sum(s->m, 0, run, SC_USAGE_HOLD_SECONDS, acquires * 1e-3);
    *made_occupancy(s->m, 0, run) = (sc_occupancy){0, 1, threads, threads * (0.1 + 99 * 9e-3), 0.991, threads};
  }
  made_power(s->m, SC_RMETRIC_HOLD, 1e-3, 0);
  made_power(s->m, SC_RMETRIC_THINK, 9e-3, 0);
  made_power(s->m, SC_RMETRIC_ASK, 10e-3, 0);
  made_power(s->m, SC_RMETRIC_THREADS, 0.01, 1);
  made_power(s->m, SC_RMETRIC_INSTANCES, 1, 0);
  made_power(s->m, SC_RMETRIC_ACQUIRES, 1, 1);
  return s;
}

static scene *begin(void) { return begin_of(kinds); }

static void end(scene *s)
{
  made_free(s->m);
  free(s);
}

static sc_demand raw(const scene *s, double n)
{
  sc_demand d;
  assert_int_equal(sc_demand_raw(&s->m->r, &s->m->cells[0], &s->calibration, n, &d), 0);
  return d;
}

static void all_are(const sc_interval *i, double value)
{
  unit_near(i->value, value);
  unit_near(i->low, value);
  unit_near(i->high, value);
}

TEST(certain_metrics_give_the_queue)
{
  scene *s = begin();
  for (double n = 200; n <= 3200; n *= 2) {
    sc_demand d = raw(s, n);
    sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = n / 100, .stations = 1, .servers = 1};
    sc_queue_result result = sc_queue_solve(&q);
    unit_near(d.queue.hold, 1e-3);
    unit_near(d.queue.think, 9e-3);
    unit_near(d.queue.customers, n / 100);
    assert_true(d.queue.stations == 1 && d.queue.servers == 1 && !d.queue.detached);
    unit_near(d.cycle, 10e-3);
    assert_true(d.crowded == 1 && d.stretch == 1 && !d.fails && d.longest == d.queue.hold);
    unit_near(d.crowd, n / 100);
    unit_near(d.utilisation.value, n / 1000);
    unit_near(d.utilisation.low, n / 1000);
    unit_near(d.utilisation.high, n / 1000);
    unit_near(d.used.value, result.utilisation);
    unit_near(d.odds.value, result.share / (1 - result.share));
    unit_near(d.odds.low, d.odds.value);
    unit_near(d.blocked.value, result.blocked);
    unit_near(d.failed.value, result.blocked);
    unit_near(d.most, fmin(1, n / 100));
  }
  end(s);
}

/* Eight instances: the busiest has a quarter of the work; or only two, or a quarter of them, are in use. */
TEST(instances_share_the_work)
{
  scene *s = begin();
  made_power(s->m, SC_RMETRIC_INSTANCES, 8, 0);
  for (size_t run = 0; run < 4; run++)
    made_occupancy(s->m, 0, run)->instances = 8;
  sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 32, .stations = 8, .servers = 1};
  sc_queue_result result = sc_queue_solve(&q);
  sc_demand d = raw(s, 3200);
  assert_true(d.queue.stations == 8);
  unit_near(d.used.value, result.utilisation);
  unit_near(d.blocked.value, result.blocked);
  unit_near(d.utilisation.value, 3.2 / 8);
  s->calibration.crowded = s->calibration.crowd_stays = true;
  s->calibration.crowd = 2;
  q.stations = 2;
  result = sc_queue_solve(&q);
  d = raw(s, 3200);
  assert_true(d.queue.stations == 2);
  unit_near(d.used.value, result.utilisation * 2 / 8); /* of all instances */
  unit_near(d.blocked.value, result.blocked);
  s->calibration.crowd_stays = false;
  s->calibration.crowd = 0.25;
  unit_near(raw(s, 3200).used.value, result.utilisation * 2 / 8);
  s->calibration.crowd = 0.05; /* one at least */
  assert_true(raw(s, 3200).queue.stations == 1);
  s->calibration.crowd = 3;
  assert_true(raw(s, 3200).queue.stations == 8);
  end(s);
  s = begin();
  made_power(s->m, SC_RMETRIC_INSTANCES, 8, 0);
  for (size_t run = 0; run < 4; run++) {
    sc_occupancy *o = made_occupancy(s->m, 0, run);
    o->instances = 8, o->hot = 1;
    o->busiest_seconds = o->hot_seconds = o->threads * 0.1 / 4; /* a quarter of what is held */
  }
  d = raw(s, 3200); /* as busy as one of four; the others, 3/7 as busy each */
  assert_true(fabs(d.queue.stations / 4 - 1) < 1e-9);
  unit_near(d.crowded, 1.0 / 4 + 3.0 / 4 * 3 / 7);
  q.stations = 4;
  unit_near(d.used.value, sc_queue_solve(&q).utilisation * 4 / 4);
  unit_near(d.blocked.value, sc_queue_solve(&q).blocked * (1.0 / 4 + 3.0 / 4 * 3 / 7));
  end(s);
}

/* Units that others give back: threads ask every 10 ms. */
TEST(detached_units_are_asked_for)
{
  scene *s = begin();
  s->calibration.detached = true;
  sc_queue q = {.hold = 1e-3, .think = 10e-3, .customers = 8, .stations = 1, .servers = 1, .detached = true};
  sc_queue_result result = sc_queue_solve(&q);
  sc_demand d = raw(s, 800);
  assert_true(d.queue.detached && d.most == 1);
  unit_near(d.cycle, 10e-3);
  unit_near(d.utilisation.value, 0.8);
  unit_near(d.utilisation.high, 0.8);
  unit_near(d.used.value, result.utilisation);
  unit_near(d.blocked.value, result.blocked);
  s->m->cells[0].lent = true; /* out for two intervals at most, once all wait */
  unit_near(raw(s, 800).longest, 2e-3);
  end(s);
}

/* Times off by a factor put the demand off, too: it follows their odds, hold against think time. */
TEST(what_is_uncertain_widens_demand)
{
  scene *s = begin();
  doubt(s, SC_RMETRIC_THREADS, 0.1);
  sc_demand d = raw(s, 800);
  sc_interval threads;
  assert_int_equal(sc_model_predict(&s->m->series[SC_RMETRIC_THREADS].shown.model, 800, 0.95, &threads), 0);
  unit_near(d.utilisation.low, 0.8 * threads.low / threads.value);
  assert_true(d.utilisation.high >= 0.8 * threads.high / threads.value);
  assert_true(d.used.low < d.used.value && d.used.value < d.used.high);
  sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 8, .stations = 1, .servers = 1};
  double each = d.utilisation.low / 8;
  q.hold = 9e-3 * each / (1 - each); /* as long as makes that demand */
  unit_near(d.used.low, sc_queue_solve(&q).utilisation);
  unit_near(d.crowd, threads.high);
  end(s);
  s = begin();
  doubt(s, SC_RMETRIC_HOLD, 0.1);
  sc_interval hold;
  assert_int_equal(sc_model_predict(&s->m->series[SC_RMETRIC_HOLD].shown.model, 800, 0.95, &hold), 0);
  d = raw(s, 800);
  unit_near(d.longest, hold.high);
  double odds = 1.0 / 9, by = hold.low / hold.value; /* of N h / (h + z) */
  unit_near(d.utilisation.low, 0.8 * by * (1 + odds) / (1 + odds * by));
  end(s);
}

/* No hold is predicted to be shorter than the shortest measured, no think time than half of that. */
TEST(times_do_not_vanish)
{
  scene *s = begin();
  sc_interval time;
  made_power(s->m, SC_RMETRIC_HOLD, 1e-7, 0);
  assert_int_equal(sc_demand_time(&s->m->r, &s->m->cells[0], SC_RMETRIC_HOLD, 800, &time), 0);
  unit_near(time.value, 1e-3);
  unit_near(time.low, 0.5e-3);
  unit_near(time.high, 1e-3);
  made_power(s->m, SC_RMETRIC_THINK, 1e-7, 0);
  assert_int_equal(sc_demand_time(&s->m->r, &s->m->cells[0], SC_RMETRIC_THINK, 800, &time), 0);
  unit_near(time.value, 4.5e-3);
  unit_near(time.low, 4.5e-3);
  made_power(s->m, SC_RMETRIC_THINK, 1, 0);
  assert_int_equal(sc_demand_time(&s->m->r, &s->m->cells[0], SC_RMETRIC_THINK, 800, &time), 0);
  unit_near(time.value, 1);
  end(s);
}

/* Instances: never fewer than at the size below, where their number stays or grows; those met by chance level off. */
TEST(instances_do_not_vanish)
{
  scene *s = begin();
  static const double met[] = {10, 12, 13, 14};
  sc_interval i;
  made_power(s->m, SC_RMETRIC_INSTANCES, 1e-6, 0);
  for (size_t run = 0; run < 4; run++)
    made_occupancy(s->m, 0, run)->instances = met[run];
  assert_int_equal(sc_demand_instances(&s->m->r, &s->m->cells[0], 500, &i), 0);
  all_are(&i, 13);
  assert_int_equal(sc_demand_instances(&s->m->r, &s->m->cells[0], 100, &i), 0);
  all_are(&i, 10);
  made_power(s->m, SC_RMETRIC_INSTANCES, 1, 1); /* 16 times as many acquires, and 1.4 times as many instances */
  s->m->series[SC_RMETRIC_INSTANCES].shown.model.exact = false;
  assert_int_equal(sc_demand_instances(&s->m->r, &s->m->cells[0], 3200, &i), 0);
  assert_true(i.value == 14 && i.high <= 1.5 * 14 + 1e-9 && i.low >= 14 - 1e-9);
  assert_int_equal(sc_demand_instances(&s->m->r, &s->m->cells[0], 800, &i), 0);
  assert_true(i.value == 800);
  for (size_t run = 0; run < 4; run++)
    made_occupancy(s->m, 0, run)->instances = 10 * pow(2, 0.41 * (double)run); /* as the acquires to 0.41 */
  assert_int_equal(sc_demand_instances(&s->m->r, &s->m->cells[0], 3200, &i), 0);
  assert_true(i.value == 3200);
  for (size_t run = 0; run < 4; run++)
    made_occupancy(s->m, 0, run)->instances = 20 - 2 * (double)run; /* they become fewer */
  made_power(s->m, SC_RMETRIC_INSTANCES, 1e-6, 0);
  assert_int_equal(sc_demand_instances(&s->m->r, &s->m->cells[0], 3200, &i), 0);
  assert_true(i.value == 1);
  end(s);
}

/* Where nothing was missed and nobody waited, figures are the queue's, with what times vary by. */
TEST(corrected_figures_are_the_queues)
{
  scene *s = begin();
  for (double n = 500; n <= 16000; n *= 2) {
    sc_demand d, q = raw(s, n);
    assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], n, &d), 0);
    double rounds = n / fmax(1, n / 100);
    double ends = pow(q.blocked.value, 2) * fmin(0.15, 7 / rounds);
    double odds = n > 800 ? fmax(q.odds.value, q.utilisation.value - 1) : q.odds.value;
    unit_near(d.share.value, odds / (1 + odds));
    unit_near(d.wait.value, odds * 10e-3);
    unit_near(d.used.value, q.used.value * (1 - ends / 2));
    unit_near(d.blocked.value, q.blocked.value * (1 - ends / 2));
    unit_near(d.used.high, fmin(1, fmax(fmin(q.used.high, fmax(q.most, d.used.value)), d.used.value * 1.05)));
    double idle = 1e-3 / (1e-3 + q.blocked.high * 60e-6);
    unit_near(d.used.low, fmin(q.used.low, q.used.value * idle * 0.95 * (1 - ends)));
  }
  s->calibration.busy = 1.5; /* shared holds, too: the time of an acquire */
  sc_demand d;
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 500, &d), 0);
  unit_near(d.wait.value, raw(s, 500).odds.value * 15e-3);
  s->calibration.busy = 1;
  s->calibration.tried = true; /* whoever only tries never waits */
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 500, &d), 0);
  assert_true(d.wait.value == 0 && d.share.high == 0 && d.blocked.high == 0 && d.odds.high == 0);
  end(s);
}

/* At a size measured no figure is one that no run had there. */
TEST(at_sizes_measured_figures_are_measured_ones)
{
  scene *s = begin();
  sc_demand d;
  made_sum(s->m, 0, 2, SC_USAGE_WAITS, 100); /* at n = 400: a quarter */
  made_sum(s->m, 0, 2, SC_USAGE_WAIT_SECONDS, 400 * 2e-3);
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 400, &d), 0);
  unit_near(d.wait.value, 2e-3);
  unit_near(d.blocked.value, 0.25);
  unit_near(d.used.value, 0.4 / 0.991);
  assert_true(d.wait.low <= 2e-3 && d.wait.high >= 2e-3 && d.used.low <= d.used.value && d.used.high >= d.used.value);
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 401, &d), 0);
  assert_true(fabs(d.wait.value - 2e-3) > 1e-4); /* nobody measured that */
  end(s);
}

/* To be woken takes as long as where it was measured. */
TEST(waits_take_as_long_as_those_measured)
{
  scene *s = begin();
  sc_demand d;
  s->calibration.each_wait = 50e-3;
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 500, &d), 0);
  unit_near(d.wait.value, raw(s, 500).blocked.value * 50e-3);
  unit_near(d.odds.value, raw(s, 500).blocked.value * 50e-3 / 10e-3);
  end(s);
}

/* Of what nobody knows how many it serves: a trend that leads beyond a hold of each other thread is refuted. */
TEST(an_impossible_wait_is_what_was_measured)
{
  static const sc_resource pool = {.resource_class = SC_RESOURCE_OTHER, .name = "pool"};
  scene *s = begin_of(&pool);
  sc_interval wait;
  bool follows;
  made_power(s->m, SC_RMETRIC_WAIT, 1e-12, 3);
  made_sum(s->m, 0, 3, SC_USAGE_WAIT_SECONDS, 800 * 0.5e-3);
  assert_int_equal(sc_resources_predict_cell(&s->m->r, &s->m->cells[0], SC_RMETRIC_WAIT, 1600, &wait, &follows), 0);
  unit_near(wait.value, 4.096e-3); /* 15 others, a millisecond each */
  assert_int_equal(sc_resources_predict_cell(&s->m->r, &s->m->cells[0], SC_RMETRIC_WAIT, 6400, &wait, &follows), 0);
  unit_near(wait.value, 0.5e-3); /* not 262 ms */
  unit_near(wait.high, 63e-3);
  end(s);
}

/* What corrections make of a wait beyond what is possible is no estimate. */
TEST(an_impossible_wait_is_the_queues)
{
  scene *s = begin();
  sc_demand d;
  s->m->r.processors = 64;
  s->calibration.figures[SC_FIGURE_WAITING] = (sc_check){.count = 1,
                                                         .missed = true,
                                                         .settled = 200,
                                                         .n = {800},
                                                         .off = {200},
                                                         .predicted = {1},
                                                         .measured = {1},
                                                         .doubt = 0.05};
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 900, &d), 0);
  unit_near(d.wait.value, raw(s, 900).odds.value * 10e-3);
  unit_near(d.wait.high, 8 * 1e-3 + 9 * 8 / 2 * 1e-3 / 900); /* each of the others once; and who begins together */
  assert_true(d.wait.low <= d.wait.value);
  end(s);
}

/* Whoever comes last waits for one hold of each of the others, where processors are for all. */
TEST(a_wait_has_a_bound)
{
  scene *s = begin();
  sc_demand d;
  s->m->r.processors = 64;
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 6400, &d), 0); /* asked for 6.4 times as much as there is */
  unit_near(d.wait.value, fmin((6.4 - 1) * 10e-3, 63e-3));
  assert_true(d.wait.high <= 63e-3 + 1e-12);
  doubt(s, SC_RMETRIC_THREADS, 0.3);
  s->m->r.processors = 1000;
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 6400, &d), 0);
  assert_true(d.wait.high <= (d.crowd - 1) * 1e-3 + 1e-12);
  end(s);
}

/* ---- figures that follow from others ---- */

static sc_interval predict(const scene *s, enum sc_resource_metric metric, double n, bool derived)
{
  sc_interval out;
  bool follows;
  assert_int_equal(sc_resources_predict_cell(&s->m->r, &s->m->cells[0], metric, n, &out, &follows), 0);
  assert_true(follows == derived);
  return out;
}

static void is_times(sc_interval i, const sc_interval *each, double times)
{
  unit_near(i.value, each->value * times);
  unit_near(i.low, each->low * times);
  unit_near(i.high, each->high * times);
}

static void set_all(scene *s, int sum, double of_n)
{
  for (size_t run = 0; run < 4; run++)
    made_sum(s->m, 0, run, sum, of_n * s->m->sizes[run]);
}

TEST(figures_of_a_lock_are_its_queues)
{
  scene *s = begin();
  made_power(s->m, SC_RMETRIC_WAITS, 0.1, 1);
  made_power(s->m, SC_RMETRIC_HOLD_TOTAL, 7, 0);
  made_power(s->m, SC_RMETRIC_WAIT_TOTAL, 1, 0);
  s->m->series[SC_RMETRIC_WAITS].shown.model.exact = false;
  set_all(s, SC_USAGE_WAITS, 0.1);
  for (double n = 400; n <= 3200; n *= 8) {
    sc_demand d;
    assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], n, &d), 0);
    is_times(predict(s, SC_RMETRIC_UTILISATION, n, true), &d.used, 1);
    is_times(predict(s, SC_RMETRIC_WAIT, n, true), &d.wait, 1);
    is_times(predict(s, SC_RMETRIC_WAIT_TOTAL, n, true), &d.wait, n);
    is_times(predict(s, SC_RMETRIC_WAITS, n, true), &d.blocked, n);
    unit_near(predict(s, SC_RMETRIC_HOLD_TOTAL, n, true).value, n > 800 ? 1e-3 * n : 7); /* beyond: what holds are */
    unit_near(predict(s, SC_RMETRIC_THREADS, n, false).value, n / 100);
  }
  for (size_t run = 0; run < 4; run++) /* half as many holds as acquires, each as long as two */
    made_sum(s->m, 0, run, SC_USAGE_HOLDS, s->m->sizes[run] / 2);
  unit_near(predict(s, SC_RMETRIC_HOLD_TOTAL, 3200, true).value, 2e-3 * 3200 / 2);
  end(s);
}

/* Whoever tries fails as often as it finds it taken, and beyond the sizes for as long as it would wait. */
TEST(attempts_fail_while_others_hold)
{
  scene *s = begin();
  made_power(s->m, SC_RMETRIC_FAILURES, 0.25, 1);
  s->m->series[SC_RMETRIC_FAILURES].shown.model.exact = false;
  set_all(s, SC_USAGE_FAILURES, 0.25);
  s->calibration.fails = s->calibration.tried = true;
  sc_demand d, there;
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 400, &d), 0);
  double failed = d.failed.value, failures = failed / (1 - failed) * 400;
  unit_near(predict(s, SC_RMETRIC_FAILURES, 400, true).value, failures);
  unit_near(predict(s, SC_RMETRIC_FAILURE_RATIO, 400, true).value, failed);
  d = raw(s, 800), there = raw(s, 3200);
  double most = 3200 * 0.25 * there.odds.value / d.odds.value;
  assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 3200, &there), 0);
  failures = fmin(most, there.failed.value / (1 - there.failed.value) * 3200);
  unit_near(predict(s, SC_RMETRIC_FAILURES, 3200, true).value, failures);
  unit_near(predict(s, SC_RMETRIC_FAILURE_RATIO, 3200, true).value, failures / (failures + 3200));
  end(s);
}

/* Nobody queues for a stream: shares of the acquires, and odds of failing where nothing describes the failures. */
TEST(figures_without_a_queue_are_shares)
{
  static const sc_resource stream[] = {{SC_RESOURCE_STREAM, "log", "a.c", 1}};
  scene *s = begin_of(stream);
  made_power(s->m, SC_RMETRIC_WAITS, 0.5, 1);
  s->m->series[SC_RMETRIC_WAITS].shown.model.exact = false;
  made_power(s->m, SC_RMETRIC_BLOCKED, 0.3, 0);
  made_power(s->m, SC_RMETRIC_WAIT, 2e-3, 0);
  made_power(s->m, SC_RMETRIC_WAIT_TOTAL, 1e-4, 1);
  s->m->series[SC_RMETRIC_WAIT_TOTAL].shown.model.exact = false;
  made_power(s->m, SC_RMETRIC_FAILURES, 0.25, 1);
  made_power(s->m, SC_RMETRIC_FAILURE_ODDS, 0.2, 0);
  set_all(s, SC_USAGE_FAILURES, 0.25);
  set_all(s, SC_USAGE_WAITS, 0.5);
  unit_near(predict(s, SC_RMETRIC_WAITS, 3200, true).value, 0.3 * 3200);
  unit_near(predict(s, SC_RMETRIC_WAIT_TOTAL, 3200, true).value, 2e-3 * 3200);
  unit_near(predict(s, SC_RMETRIC_WAIT, 3200, false).value, 2e-3);
  unit_near(predict(s, SC_RMETRIC_FAILURES, 3200, false).value, 800);
  unit_near(predict(s, SC_RMETRIC_FAILURE_RATIO, 3200, true).value, 0.2);
  s->m->series[SC_RMETRIC_FAILURES].shown.model.verdict = SC_VERDICT_CANNOT_TELL;
  unit_near(predict(s, SC_RMETRIC_FAILURES, 3200, true).value, 0.2 * 3200);
  unit_near(predict(s, SC_RMETRIC_FAILURE_RATIO, 3200, true).value, 0.2 / 1.2);
  made_power(s->m, SC_RMETRIC_BLOCKED, 3, 0);
  unit_near(predict(s, SC_RMETRIC_WAITS, 3200, true).value, 3200); /* each once at most */
  end(s);
  static const sc_resource join[] = {{SC_RESOURCE_CONDITION, "done", "a.c", 1}};
  s = begin_of(join); /* nobody competes: the mean is the total over the acquires */
  made_power(s->m, SC_RMETRIC_WAIT_TOTAL, 0.4, 1);
  unit_near(predict(s, SC_RMETRIC_WAIT, 3200, true).value, 0.4);
  doubt(s, SC_RMETRIC_WAIT_TOTAL, 0.1);
  sc_interval total;
  assert_int_equal(sc_model_predict(&s->m->series[SC_RMETRIC_WAIT_TOTAL].shown.model, 3200, 0.95, &total), 0);
  unit_near(predict(s, SC_RMETRIC_WAIT, 3200, true).high, total.high / 3200);
  unit_near(predict(s, SC_RMETRIC_WAIT, 3200, true).low, total.low / 3200);
  end(s);
}

/* Counts that depend on which thread comes first: Poisson's distribution, though they were the same in all runs. */
TEST(what_happens_by_chance_is_uncertain)
{
  static const sc_resource join[] = {{SC_RESOURCE_THREAD, "worker", "a.c", 1}};
  scene *s = begin_of(join);
  set_all(s, SC_USAGE_WAITS, 0.01);
  made_power(s->m, SC_RMETRIC_WAITS, 0.01, 1);
  sc_interval i = predict(s, SC_RMETRIC_WAITS, 500, false);
  assert_true(i.value == 5 && i.low == floor(gsl_cdf_chisq_Pinv(0.025, 10) / 2));
  assert_true(i.low == 1 && i.high == ceil(gsl_cdf_chisq_Qinv(0.025, 12) / 2) && i.high == 12);
  made_power(s->m, SC_RMETRIC_WAITS, 4, 1); /* as many as are waited for: no more than acquires, but that */
  i = predict(s, SC_RMETRIC_WAITS, 1e6, false);
  unit_near(i.low, 4e6 - gsl_cdf_ugaussian_Qinv(0.025) * 2000);
  unit_near(i.high, 4e6);
  made_power(s->m, SC_RMETRIC_WAITS, 0, 0); /* none in four runs of 800: how many in 8,000? */
  i = predict(s, SC_RMETRIC_WAITS, 8000, false);
  assert_true(i.value == 0 && i.low == 0 && i.high == ceil(gsl_cdf_chisq_Qinv(0.025, 2) / 2 * 10 / 4));
  end(s);
}

/* Garwood's table of 95 % intervals for a count by chance (Biometrika 28, 1936), and two standard deviations of a large
 * one. What never happened in four runs may happen once, and eight times as often at eight times the size. */
TEST(counts_by_chance_have_their_interval)
{
  static const sc_resource condition[] = {{SC_RESOURCE_CONDITION, "done", "a.c", 1}};
  static const struct {
    double n, count, low, high;
  } cases[] = {{800, 1, 0, 6},    {800, 5, 1, 12},
               {800, 10, 4, 19},  {800, 50, 37, 66},
               {6400, 10, 4, 19}, {800, 0, 0, 1},
               {6400, 0, 0, 8},   {800, 4e6, 4e6 - 1.959963984540054 * 2000, 4e6 + 1.959963984540054 * 2000}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    scene *s = begin_of(condition);
    for (size_t run = 0; run < 4; run++)
      made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, 0);
    s->m->cells[0].made[SC_RMETRIC_ACQUIRES] = false; /* which is made of them */
    made_power(s->m, SC_RMETRIC_WAITS, cases[i].count, 0);
    sc_interval waits = predict(s, SC_RMETRIC_WAITS, cases[i].n, false);
    unit_near(waits.value, cases[i].count);
    unit_near(waits.low, cases[i].low);
    unit_near(waits.high, cases[i].high);
    end(s);
  }
}

/* ---- as measured ---- */

/* Four threads acquire a lock 100 times in each run of a second, and hold it for half of it. */
static made_resources *locked(void)
{
  made_resources *m = made_new(kinds, 1, 4, 1);
  for (size_t run = 0; run < 4; run++) {
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, 100);
    made_sum(m, 0, run, SC_USAGE_HOLDS, 100);
    made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, 0.5);
    made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, 0.4);
    *made_occupancy(m, 0, run) = (sc_occupancy){0, 1, 4, 2, 1, 0};
  }
  return m;
}

TEST(demand_is_measured_where_enough_happened)
{
  made_resources *m = locked();
  double busy, share;
  assert_true(sc_demand_measured(&m->r, &m->cells[0], 0, &busy, &share));
  unit_near(busy, 0.5);
  unit_near(share, 0.2);
  made_sum(m, 0, 0, SC_USAGE_HOLD_SECONDS, 3); /* no more than all of it */
  made_sum(m, 0, 0, SC_USAGE_WAIT_SECONDS, 3);
  assert_true(sc_demand_measured(&m->r, &m->cells[0], 0, &busy, &share) && busy == 1 && share == 1);
  made_sum(m, 0, 0, SC_USAGE_ACQUIRES, 16);
  assert_true(sc_demand_measured(&m->r, &m->cells[0], 0, &busy, &share));
  made_sum(m, 0, 0, SC_USAGE_ACQUIRES, 15);
  assert_false(sc_demand_measured(&m->r, &m->cells[0], 0, &busy, &share));
  made_occupancy(m, 0, 1)->span_seconds = 0.001;
  assert_true(sc_demand_measured(&m->r, &m->cells[0], 1, &busy, &share));
  made_occupancy(m, 0, 1)->span_seconds = 0.0009;
  assert_false(sc_demand_measured(&m->r, &m->cells[0], 1, &busy, &share));
  made_free(m);
}

/* 100 acquires of a lock that is held half of the time, three of four by others: 37.5 wait, at each of the two larger
 * sizes. Two in a hundred of that is 1.5. */
TEST(threads_that_never_meet_are_alone)
{
  made_resources *m = locked();
  assert_true(sc_demand_alone(&m->r, &m->cells[0]));
  made_sum(m, 0, 2, SC_USAGE_WAITS, 1.49);
  made_sum(m, 0, 0, SC_USAGE_WAITS, 99); /* at a smaller size */
  assert_true(sc_demand_alone(&m->r, &m->cells[0]));
  made_sum(m, 0, 2, SC_USAGE_WAITS, 1.51);
  assert_false(sc_demand_alone(&m->r, &m->cells[0]));
  made_sum(m, 0, 2, SC_USAGE_WAITS, 0);
  for (size_t run = 2; run < 4; run++)
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, 66.6); /* 49.95 waits: too few to be missed */
  assert_false(sc_demand_alone(&m->r, &m->cells[0]));
  for (size_t run = 2; run < 4; run++)
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, 66.7);
  assert_true(sc_demand_alone(&m->r, &m->cells[0]));
  for (size_t run = 0; run < 4; run++)
    made_occupancy(m, 0, run)->threads = 1.9;
  assert_false(sc_demand_alone(&m->r, &m->cells[0])); /* one: nobody to meet */
  made_free(m);
  static const sc_resource probed[] = {{SC_RESOURCE_OTHER, "pool", "a.c", 1, .probe = true, .capacity = 2}};
  for (int ever = 0; ever < 2; ever++) {
    m = made_new(probed, 1, 2, 1);
    for (size_t run = 0; run < 2; run++) {
      made_sum(m, 0, run, SC_USAGE_ACQUIRES, 1000);
      made_sum(m, 0, run, SC_USAGE_UNITS, 1000);
      made_sum(m, 0, run, SC_USAGE_HOLDS, 1000);
      made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, 1.6);
      *made_occupancy(m, 0, run) = (sc_occupancy){0, 1, 4, 4, 1, 0};
    }
    made_sum(m, 0, 0, SC_USAGE_WAITS, ever); /* nobody may have told of waits */
    assert_true(sc_demand_alone(&m->r, &m->cells[0]) == (ever == 1));
    made_free(m);
  }
}

TEST(there_is_one_instance_at_least)
{
  scene *s = begin();
  made_power(s->m, SC_RMETRIC_INSTANCES, 0.5, 0);
  sc_demand d = raw(s, 800);
  assert_true(d.queue.stations == 1);
  unit_near(d.utilisation.value, 0.8);
  end(s);
}

/* Sixteen threads that begin together: all but as many as are served wait for those in front, once. Where units come
 * back at intervals, twice as long, they come back three at a time: thirteen wait for 1 to 5 of these. */
TEST(threads_that_begin_together_wait_once)
{
  static const struct {
    double units, rounds, waited; /* rounds of each; in holds, of all of them */
    bool detached, fails, together;
  } cases[] = {{1, 100, 120, false, false, true},  {3, 100, 13 * 14 / 2 / 3.0, false, false, true},
               {1, 8.01, 120, false, false, true}, {1, 7.99, 120, false, false, false},
               {1, 100, 120, false, true, false},  {3, 100, 2 * (3 * 4 * 5 / 2 + 5), true, false, true},
               {17, 100, 0, false, false, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const sc_resource pool = {SC_RESOURCE_OTHER, "pool", "a.c", 1, .capacity = cases[i].units};
    sc_demand found[2];
    double acquires = 16 * cases[i].rounds, late = fmax(0, 16 - cases[i].units);
    for (int threads = 0; threads < 2; threads++) {
      scene *s = begin_of(cases[i].units > 1 ? &pool : kinds);
      s->m->r.kind = threads ? SC_PARAMETER_THREADS : SC_PARAMETER_DATA;
      s->calibration.detached = s->calibration.at_intervals = cases[i].detached;
      s->calibration.fails = cases[i].fails;
      made_power(s->m, SC_RMETRIC_ACQUIRES, acquires / 1600, 1);
      for (size_t run = 0; run < 4; run++) { /* no more of them were measured */
        made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, run);
        made_sum(s->m, 0, run, SC_USAGE_UNITS, run);
      }
      assert_int_equal(sc_demand_at(&s->m->r, &s->m->cells[0], 1600, &found[threads]), 0);
      end(s);
    }
    const sc_demand *all = &found[1], *none = &found[0];
    double free = cases[i].together ? 1 - none->blocked.value : 0, waited = cases[i].waited * 1e-3 / acquires;
    assert_true(free < 1);
    unit_near(all->wait.value, none->wait.value + free * waited);
    unit_near(all->odds.value, none->odds.value + free * waited / none->cycle);
    unit_near(all->blocked.value, none->blocked.value + free * late / acquires);
    if (!cases[i].detached) { /* of clients nobody knows */
      unit_near(all->wait.high, none->wait.high);
      unit_near(all->blocked.high, none->blocked.high);
    }
  }
}

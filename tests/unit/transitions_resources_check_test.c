/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions that were once printed and contradicted what was measured, or each other. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/resources/queue.h"
#include "transitions_resources_scene.h"

enum { SIZES = 6, REPEATS = 3 };

/* A resource in a run. */
typedef struct seen {
  double threads, instances, active, span; /* active: of all threads */
  double acquires, hold, waits, wait;      /* of one acquire, of one that waits */
  double failures;
  double busiest; /* share of the hold time that one instance has; 0: not known */
} seen;

static scene_world make(const double *sizes, double target, enum sc_parameter_kind kind, enum sc_resource_class c,
                        double capacity, seen (*at)(double n), double noise)
{
  scene_world w = {.graph = scene_repeats(sizes, SIZES, REPEATS)};
  uint32_t work = scene_function(w.graph, scene_main(w.graph), "work", scene_one, 0);
  w.resource = scene_resource(w.graph, c, "pool", capacity);
  scene_seed = 1;
  for (size_t run = 0; run < SIZES * REPEATS; run++) {
    seen s = at(sizes[run / REPEATS]);
    double more = scene_noise(noise);
    sc_usage usage = {.via = "take",
                      .values = {[SC_USAGE_ACQUIRES] = s.acquires,
                                 [SC_USAGE_FAILURES] = floor(s.failures),
                                 [SC_USAGE_UNITS] = s.acquires,
                                 [SC_USAGE_RETURNED] = s.acquires,
                                 [SC_USAGE_RETURNED_UNITS] = s.acquires,
                                 [SC_USAGE_WAITS] = floor(s.waits * scene_noise(noise)),
                                 [SC_USAGE_WAIT_SECONDS] = s.waits * s.wait * scene_noise(noise),
                                 [SC_USAGE_HOLDS] = s.acquires,
                                 [SC_USAGE_HOLD_SECONDS] = s.acquires * s.hold * more}};
    scene_usage(w.graph, run, work, w.resource, &usage);
    scene_occupancy(w.graph, run, w.resource, s.threads, s.instances, s.active * more, s.span * more);
    if (s.busiest > 0) {
      double busiest = s.busiest * s.acquires * s.hold * more;
      sc_occupancy hottest = {.resource = w.resource, .busiest_seconds = busiest, .hot = 1, .hot_seconds = busiest};
      assert_int_equal(sc_usage_add_occupancy(w.graph, run, &hottest), 0);
    }
  }
  w.analysis = scene_analyse(w.graph, &target, 1);
  w.resources = scene_resources(w.analysis, kind);
  return w;
}

static sc_interval predict(const scene_world *w, enum sc_resource_metric metric, double n)
{
  sc_interval i;
  assert_int_equal(sc_resources_predict(w->resources, w->resource, metric, n, &i), 0);
  if (getenv("SCALE_TEST_SHOW"))
    print_message("  %s at %g: %g (%g to %g)\n", sc_resource_metric_name(metric), n, i.value, i.low, i.high);
  assert_true(i.low <= i.value && i.value <= i.high);
  return i;
}

/* What holds of any predictions of one resource at one size, whatever was measured. */
static void agree(const scene_world *w, double n)
{
  sc_interval acquires = predict(w, SC_RMETRIC_ACQUIRES, n), waits = predict(w, SC_RMETRIC_WAITS, n);
  sc_interval wait = predict(w, SC_RMETRIC_WAIT, n), total = predict(w, SC_RMETRIC_WAIT_TOTAL, n);
  sc_interval used = predict(w, SC_RMETRIC_UTILISATION, n), failed = predict(w, SC_RMETRIC_FAILURE_RATIO, n);
  sc_interval failures = predict(w, SC_RMETRIC_FAILURES, n);
  assert_true(waits.value <= acquires.value && waits.high <= acquires.high * (1 + 1e-9));
  unit_near_by(total.value, wait.value * acquires.value, 1e-9);
  assert_true(used.value <= 1 && used.high <= 1);
  assert_true(used.value == 0 || used.low < used.value || used.value < used.high); /* times are never known exactly */
  unit_near_by(failures.value, failed.value * (failures.value + acquires.value), 1e-6);
}

static const double tens[] = {10, 20, 40, 60, 80, 100}, few[] = {1, 2, 3, 5, 6, 7};

/* One of eight threads checks buffers out, all of them give them back: 14.2 of 16 are out at n = 100. */
static seen checked_out(double n)
{
  return (seen){.threads = 8, .instances = 1, .active = 8, .span = 1, .acquires = 1000, .hold = 14.24e-5 * n};
}

TEST(others_may_give_back)
{
  for (double noise = 0; noise < 0.15; noise += 0.1) {
    scene_world w = make(tens, 400, SC_PARAMETER_DATA, SC_RESOURCE_OTHER, 16, checked_out, noise);
    for (size_t i = 0; i < SIZES; i++) {
      unit_near_by(predict(&w, SC_RMETRIC_UTILISATION, tens[i]).value, tens[i] / 100 * 0.89, 0.1 + noise);
      agree(&w, tens[i]);
    }
    assert_true(predict(&w, SC_RMETRIC_UTILISATION, 400).value > 0.95);
    assert_true(predict(&w, SC_RMETRIC_WAITS, 400).value > 500);
    agree(&w, 400);
    scene_world_drop(&w);
  }
}

/* The twin: each of eight threads has one at a time. */
static seen one_each(double n)
{
  double hold = 1e-6 * n, think = 1e-3;
  return (seen){.threads = 8, .instances = 1, .active = 8, .span = 1, .acquires = 8 / (hold + think), .hold = hold};
}

TEST(who_has_one_at_a_time_never_has_more)
{
  scene_world w = make(tens, 1e6, SC_PARAMETER_DATA, SC_RESOURCE_OTHER, 16, one_each, 0);
  unit_near_by(predict(&w, SC_RMETRIC_UTILISATION, 100).value, 8 * 0.1 / 1.1 / 16, 0.05);
  unit_near_by(predict(&w, SC_RMETRIC_UTILISATION, 1e6).value, 0.5, 0.05); /* of 16, eight threads can have eight */
  assert_true(predict(&w, SC_RMETRIC_UTILISATION, 1e6).high < 0.6);
  assert_true(predict(&w, SC_RMETRIC_WAITS, 1e6).value < 1e-3);
  scene_world_drop(&w);
}

/* A thread that takes unit after unit of a pool, while another one only looks in: 81 % at 201, and so it is at 200. */
static seen hoarded(double n)
{
  return (seen){.threads = 2, .instances = 1, .active = 1.2, .span = 1, .acquires = 4 * n, .hold = 0.81 * 16 / 4 / n};
}

TEST(between_sizes_nothing_falls)
{
  static const double sizes[] = {51, 101, 151, 201, 301, 401};
  scene_world w = make(sizes, 800, SC_PARAMETER_DATA, SC_RESOURCE_OTHER, 16, hoarded, 0.02);
  for (double n = 51; n < 402; n += 25)
    unit_near_by(predict(&w, SC_RMETRIC_UTILISATION, n).value, 0.81, 0.1);
  agree(&w, 200);
  agree(&w, 800);
  scene_world_drop(&w);
}

/* One of 64 stripes has all that is contended for: 41 % of the acquires wait at seven threads, 294 us each time one is
 * acquired. */
static seen hot(double n)
{
  sc_queue q = {.hold = 0.3e-3, .think = 0.9e-3, .customers = n, .stations = 1, .servers = 1};
  sc_queue_result result = sc_queue_solve(&q);
  double acquires = 400 * n, each = q.hold + q.think + result.wait;
  return (seen){.threads = n,
                .instances = 64,
                .active = acquires * each,
                .span = 400 * each,
                .acquires = acquires,
                .hold = q.hold,
                .waits = acquires * result.blocked,
                .wait = result.blocked > 0 ? result.wait / result.blocked : 0};
}

/* The same, and each instance's holds are known. */
static seen hottest(double n)
{
  seen s = hot(n);
  s.busiest = 1;
  return s;
}

/* Seven tenths of the acquires go to it; the others, to 63 more, hardly ever wait. */
static seen hotter(double n)
{
  seen s = hot(n);
  s.busiest = 0.7;
  s.acquires /= 0.7;
  s.active += 0.3 * s.acquires * s.hold;
  return s;
}

TEST(others_than_hot_stripes_are_not_waited_for)
{
  scene_world w = make(few, 28, SC_PARAMETER_THREADS, SC_RESOURCE_MUTEX, 0, hotter, 0);
  seen far = hotter(28);
  unit_near_by(predict(&w, SC_RMETRIC_WAITS, 28).value, far.waits, 0.1);
  assert_true(predict(&w, SC_RMETRIC_WAITS, 28).value < 0.75 * far.acquires);
  scene_world_drop(&w);
}

/* What the busiest is used, not what all are. */
TEST(hot_stripes_are_as_busy_as_the_busiest)
{
  for (double noise = 0; noise < 0.15; noise += 0.1) {
    scene_world w = make(few, 28, SC_PARAMETER_THREADS, SC_RESOURCE_MUTEX, 0, hottest, noise);
    seen far = hot(28);
    sc_resource_hot known;
    sc_buf text = {0};
    unit_near_by(predict(&w, SC_RMETRIC_UTILISATION, 28).value, far.acquires * far.hold / far.span, 0.1 + 2 * noise);
    unit_near_by(predict(&w, SC_RMETRIC_WAIT, 28).value, far.waits * far.wait / far.acquires, 0.2 + 3 * noise);
    agree(&w, 7);
    assert_true(sc_resources_hot(w.resources, w.resource, &known));
    sc_resource_hot_text(&known, &text);
    scene_says(&text, "1 of 64 instances has 100% of the hold time of all");
    const sc_resource_finding *f = scene_resource_finding(w.resources, SC_RULE_CONTENTION, w.resource);
    assert_non_null(f);
    assert_non_null(strstr(f->evidence, "1 of 64 instances has 100% of the hold time of all. Of the busiest: "));
    scene_world_drop(&w);
  }
}

TEST(hot_stripes_are_waited_for)
{
  for (double noise = 0; noise < 0.15; noise += 0.1) {
    scene_world w = make(few, 28, SC_PARAMETER_THREADS, SC_RESOURCE_MUTEX, 0, hot, noise);
    for (size_t i = 1; i < SIZES; i++) {
      seen s = hot(few[i]);
      unit_near_by(predict(&w, SC_RMETRIC_WAITS, few[i]).value, s.waits, 0.1 + 2 * noise);
      unit_near_by(predict(&w, SC_RMETRIC_WAIT, few[i]).value, s.waits * s.wait / s.acquires, 0.15 + 3 * noise);
      agree(&w, few[i]);
    }
    seen far = hot(28);
    unit_near_by(predict(&w, SC_RMETRIC_UTILISATION, 28).value, far.acquires * far.hold / far.span / 64,
                 0.1 + 2 * noise);
    unit_near_by(predict(&w, SC_RMETRIC_WAIT, 28).value, far.waits * far.wait / far.acquires, 0.2 + 3 * noise);
    assert_true(predict(&w, SC_RMETRIC_WAITS, 28).value > 0.8 * far.waits);
    agree(&w, 28);
    assert_non_null(scene_resource_finding(w.resources, SC_RULE_CONTENTION, w.resource));
    scene_world_drop(&w);
  }
}

/* A lock that is tried until it is free: 18 % of the attempts fail at eight threads, nearly all at sixty. */
static seen tried(double n)
{
  sc_queue q = {.hold = 0.1e-3, .think = 3e-3, .customers = n, .stations = 1, .servers = 1};
  double busy = sc_queue_solve(&q).blocked, acquires = 29 * n, each = q.hold + q.think + sc_queue_solve(&q).wait;
  return (seen){.threads = n,
                .instances = 1,
                .active = acquires * each,
                .span = 29 * each,
                .acquires = acquires,
                .hold = q.hold,
                .failures = acquires * busy / (1 - busy)};
}

TEST(refusals_are_those_who_find_it_taken)
{
  static const double sizes[] = {1, 2, 3, 4, 6, 8};
  scene_world w = make(sizes, 60, SC_PARAMETER_THREADS, SC_RESOURCE_MUTEX, 0, tried, 0.05);
  unit_near_by(predict(&w, SC_RMETRIC_FAILURE_RATIO, 8).value, 0.19, 0.2);
  unit_near_by(predict(&w, SC_RMETRIC_FAILURES, 8).value, tried(8).failures, 0.3);
  assert_true(predict(&w, SC_RMETRIC_FAILURE_RATIO, 60).value > 0.9);
  assert_true(predict(&w, SC_RMETRIC_FAILURES, 60).value > 10 * 29 * 60);
  agree(&w, 8);
  agree(&w, 60);
  scene_world_drop(&w);
}

/* A semaphore of unknown size: as many wait as acquire it, and no more however many there will be. */
static seen unknown(double n)
{
  return (seen){.threads = 4,
                .instances = 1,
                .active = 4,
                .span = 1,
                .acquires = 100 * n,
                .hold = 1e-3 / n,
                .waits = 100 * n * n / (20 + n),
                .wait = 1e-4};
}

TEST(waits_are_acquires)
{
  for (double noise = 0; noise < 0.4; noise += 0.3) {
    scene_world w = make(tens, 1e6, SC_PARAMETER_DATA, SC_RESOURCE_SEMAPHORE, 0, unknown, noise);
    for (double n = 10; n < 2e6; n *= 10)
      agree(&w, n);
    scene_world_drop(&w);
  }
}

/* Eight connections that are waited for less than expected below saturation: clients come in good order. Beyond
 * it, the time is what the queue makes it: 48 h / 8 - h - z. */
static seen orderly(double n)
{
  sc_queue q = {.hold = 1.08e-3, .think = 2.07e-3, .customers = n, .stations = 1, .servers = 8};
  sc_queue_result result = sc_queue_solve(&q);
  double odd = n < 9 ? 0 : n < 11 ? 0.3 : 0.9, acquires = 60 * n, each = q.hold + q.think + odd * result.wait;
  return (seen){.threads = n,
                .instances = 1,
                .active = acquires * each,
                .span = 60 * each,
                .acquires = acquires,
                .hold = q.hold,
                .waits = acquires * odd * result.blocked,
                .wait = odd > 0 ? result.wait / result.blocked : 0};
}

TEST(beyond_saturation_the_queue_decides)
{
  static const double sizes[] = {2, 4, 6, 8, 10, 12};
  scene_world w = make(sizes, 48, SC_PARAMETER_THREADS, SC_RESOURCE_SEMAPHORE, 8, orderly, 0.02);
  sc_interval wait = predict(&w, SC_RMETRIC_WAIT, 48);
  unit_near_by(wait.value, 48 * 1.08e-3 / 8 - 3.15e-3, 0.2);
  assert_true(wait.low > 1e-3 && wait.high < 8e-3);
  assert_true(predict(&w, SC_RMETRIC_WAITS, 48).value > 0.95 * 60 * 48);
  agree(&w, 48);
  scene_world_drop(&w);
}

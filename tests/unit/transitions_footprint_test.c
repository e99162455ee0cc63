/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much dearer executions may get where data leave the caches: by the memory in use, by what a step through it takes
 * on the machine, and by the times of the sizes measured. */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "transitions/model/data.h"
#include "transitions/model/footprint.h"
#include "transitions/model/latency.h"
#include "transitions/model/predict.h"
#include "transitions_scene.h"

static const double SIZES[] = {1000, 2000, 4000, 8000, 16000, 32000};
static const double TARGET[] = {320000};
static const double EACH = 200e-9; /* long enough to wait for a line each time */

/* A loop of n iterations of `each` seconds, the share `waiting` for memory; bytes(n) are allocated. */
static sc_graph *scene(double (*bytes)(double n), double each, double waiting)
{
  const sc_latency usual = {.page = 0};
  sc_graph *graph = scene_new(SIZES, COUNT(SIZES), "task-clock");
  scene_loop(graph, scene_main(graph), "main", 3, scene_n, each);
  uint32_t heap;
  assert_int_equal(
      sc_usage_resource(graph, &(sc_resource){.resource_class = SC_RESOURCE_HEAP, .name = "heap", .file = ""}, &heap),
      0);
  double last = sc_latency_step(&usual, bytes(SIZES[COUNT(SIZES) - 1]));
  for (size_t i = 0; i < COUNT(SIZES); i++) {
    sc_run *run = sc_graph_run(graph, i);
    double step = sc_latency_step(&usual, bytes(run->n)) / last;
    run->user_seconds = 1e-4 + run->n * each * (1 - waiting + waiting * step);
    run->samples = 1000;
    assert_int_equal(sc_usage_add_occupancy(graph, i, &(sc_occupancy){.resource = heap, .peak = bytes(run->n)}), 0);
  }
  return graph;
}

static sc_analysis *analyse(const sc_graph *graph, sc_latency latency)
{
  sc_analysis_options options = scene_options(TARGET, 1);
  options.latency = latency;
  return scene_analyse_with(graph, &options);
}

/* The upper end at the target by the value; `latency` may be NULL: the machine was not measured. */
static double rise(sc_graph *graph, const sc_latency *latency)
{
  sc_interval at;
  sc_analysis *analysis = analyse(graph, latency ? *latency : (sc_latency){.page = 0});
  assert_int_equal(sc_predict_steady_total(analysis, TARGET[0], &at), 0);
  scene_end(graph, analysis, NULL);
  return at.high / at.value;
}

static double constant(double n) { return n > 0 ? 40000 : 0; }
static double leaving(double n) { return 16 * n; }   /* 512 KB, then 5 MB */
static double outside(double n) { return 4096 * n; } /* 130 MB: in no cache any more */
static double within(double n) { return n / 100; }

TEST(only_memory_that_leaves_the_caches_widens)
{
  assert_true(rise(scene(constant, EACH, 0), NULL) < 1.5);
  assert_true(rise(scene(within, EACH, 0), NULL) < 1.5);
  assert_true(rise(scene(outside, EACH, 0), NULL) < 1.5);
  assert_true(rise(scene(leaving, EACH, 1), NULL) > 4);
}

/* Half of the sizes fitted the caches already. */
TEST(times_that_did_not_rise_narrow_it)
{
  double waits = rise(scene(leaving, 10 * EACH, 1), NULL), works = rise(scene(leaving, 10 * EACH, 0), NULL);
  assert_true(works < 3 && waits > 2 * works);
}

/* What takes less than a step of the memory that it uses does not wait for each. */
TEST(short_executions_get_a_few_times_dearer) { assert_true(rise(scene(leaving, 1e-9, 0.9), NULL) < 4.5); }

TEST(the_machine_decides)
{
  sc_latency flat = {.page = 1e-6}, steep = {.page = 1e-6};
  for (size_t i = 0; i < SC_LATENCY_SIZES; i++) {
    flat.steps[i] = flat.fast[i] = flat.most[i] = 5e-9;
    steep.steps[i] = steep.fast[i] = steep.most[i] = ldexp(1e-9, (int)i);
  }
  assert_true(rise(scene(leaving, EACH, 1), &flat) < 1.5);
  assert_true(rise(scene(leaving, EACH, 1), &steep) > 4);
}

/* Allocations of libraries are seen by resident memory alone. */
TEST(resident_memory_counts)
{
  sc_graph *hidden = scene(leaving, EACH, 1), *graph = scene(constant, EACH, 0);
  for (size_t i = 0; i < COUNT(SIZES); i++) {
    sc_run *run = sc_graph_run(graph, i);
    run->user_seconds = sc_graph_run(hidden, i)->user_seconds;
    run->max_rss_kib = 3000 + (uint64_t)(leaving(SIZES[i]) / 1024);
  }
  sc_graph_free(hidden);
  assert_true(rise(graph, NULL) > 4);
}

TEST(a_step_is_read_between_sizes)
{
  sc_latency latency = {.page = 0};
  for (size_t i = 0; i < SC_LATENCY_SIZES; i++)
    latency.steps[i] = ldexp(1e-9, (int)i);
  assert_float_equal(sc_latency_step(&latency, 0), 1e-9, 1e-15);
  assert_float_equal(sc_latency_step(&latency, 32768), 2e-9, 1e-15);
  assert_float_equal(sc_latency_step(&latency, 32768 * sqrt(2)), 2e-9 * sqrt(2), 1e-15);
  assert_float_equal(sc_latency_step(&latency, INFINITY), ldexp(1e-9, SC_LATENCY_SIZES - 1), 1e-12);
  assert_true(sc_latency_page(&latency) > 0);
}

/* A step takes 1 ns within 16 KiB, and twice as long in twice as much; 64 KiB are in use at 100, as much more as n. */
TEST(the_factor_by_hand)
{
  static const struct {
    double n, waiting, dependent, streamed, fast, start, factor, most, walked, seldom;
  } cases[] = {{400, 1, 1, 0, 1, 0, 4},      /* 16 ns instead of 4 */
               {400, 1, 1, 0, 1, 0, 6, 1.5}, /* 24 ns at the slowest moment */
               {400, 1, 0, 1, 1, 0, 2},      /* of a walk in order the root */
               {300, 1, 0, 0, 1, 0, 3},      /* steps that overlap: up to 4 times */
               {1600, 1, 0, 0, 1, 0, 4},     /* 16 times */
               {1600, 1, 0.5, 0.25, 1, 0, 1 + 0.5 * 15 + 0.25 * 3 + 0.25 * 3},
               {400, 0.5, 1, 0, 1, 0, 2.5},
               {400, 1, 1, 0, 0.25, 0, 8}, /* half as long in runs by the faster measurement */
               {400, 1, 1, 0, 1, 65536, 2.5},
               {400, 0.5, 1, 0, 1, 0, 1.375, 0, 0, 0.125}, /* now and then */
               {400, 0.5, 0, 0, 1, 0, 2.5, 0, 1, 0.125},   /* again and again */
               {400, 0.5, 0.5, 0, 1, 0, 1 + 0.5 * 0.125 * 3 + 0.25 * 0.5 * 3 + 0.25 * 0.5 * 3, 0, 0.25, 0.125},
               {100, 1, 1, 0, 0.25, 0, 1},
               {50, 1, 1, 0, 0.25, 0, 1}};
  static const double hundred[] = {50, 100};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_analysis a = {.run_count = 2,
                     .sizes = (double *)hundred,
                     .footprint = {.size = 100,
                                   .start = cases[i].start,
                                   .at_size = 65536,
                                   .exponent = 1,
                                   .grows = true,
                                   .waiting = cases[i].waiting,
                                   .seldom = cases[i].seldom > 0 ? cases[i].seldom : cases[i].waiting,
                                   .walked = cases[i].walked,
                                   .dependent = cases[i].dependent,
                                   .streamed = cases[i].streamed}};
    for (size_t k = 0; k < SC_LATENCY_SIZES; k++) {
      a.options.latency.steps[k] = ldexp(1e-9, (int)k);
      a.options.latency.fast[k] = cases[i].fast * a.options.latency.steps[k];
      a.options.latency.most[k] = fmax(1, cases[i].most) * a.options.latency.steps[k];
    }
    if (fabs(sc_footprint_factor(&a, cases[i].n) / cases[i].factor - 1) > 1e-9)
      fail_msg("case %zu: %g", i, sc_footprint_factor(&a, cases[i].n));
    a.footprint.grows = false;
    assert_true(sc_footprint_factor(&a, cases[i].n) == 1);
  }
  /* steps that stay as they are: what is used again soon grows as n^0.3 */
  sc_analysis a = {.run_count = 2,
                   .sizes = (double *)hundred,
                   .footprint = {.size = 100, .at_size = 65536, .exponent = 1, .grows = true, .waiting = 1}};
  for (size_t k = 0; k < SC_LATENCY_SIZES; k++)
    a.options.latency.steps[k] = a.options.latency.fast[k] = a.options.latency.most[k] = 1e-9;
  assert_float_equal(sc_footprint_factor(&a, 400), pow(4, 0.3), 1e-9);
  a.footprint.dependent = 1;
  assert_float_equal(sc_footprint_factor(&a, 400), 1, 1e-9);
}

static double squares(double n) { return n * n / 1000; }
static double with_start(double n) { return 1e6 + 64 * n; }
static double late(double n) { return n < 4000 ? 0 : 16 * n; } /* small runs do without */
static double latest(double n) { return n < 16000 ? 0 : 16 * n; }
static double last(double n) { return n < 32000 ? 0 : 16 * n; } /* one size shows no growth */

/* The memory at ten times the largest size: as the heap's peaks grow, but no faster than all counts, which are n. What
 * is resident beyond the start of the process, which it has at every size, counts where the heap is smaller by 256 KiB.
 */
TEST(memory_grows_as_it_did)
{
  static const struct {
    double (*heap)(double n);
    double resident; /* bytes for each n; 0: not known */
    double bytes;
    bool grows;
  } cases[] = {{leaving, 0, 16 * 320000.0, true},
               {squares, 0, 10 * 32000.0 * 32, true},
               {with_start, 0, 1e6 + 64 * 320000.0, true},
               {constant, 0, 40000, false},
               {leaving, 23, 16 * 320000.0, true},
               {leaving, 25, 25 * 320000.0, true},
               {late, 0, 16 * 320000.0, true},
               {latest, 0, 16 * 320000.0, true},
               {last, 0, 0, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph = scene(cases[i].heap, EACH, 0);
    for (size_t k = 0; cases[i].resident > 0 && k < COUNT(SIZES); k++)
      sc_graph_run(graph, k)->max_rss_kib = 3000 + (uint64_t)(cases[i].resident * SIZES[k] / 1024);
    sc_analysis *a = scene_analyse(graph, TARGET, 1);
    unit_near_by(1 + sc_footprint_bytes(a, 320000), 1 + cases[i].bytes, 2e-3);
    assert_true(a->footprint.grows == cases[i].grows);
    scene_end(graph, a, NULL);
  }
}

static sc_latency everywhere(double step)
{
  sc_latency latency = {.page = 1e-6};
  for (size_t i = 0; i < SC_LATENCY_SIZES; i++)
    latency.steps[i] = latency.fast[i] = latency.most[i] = step;
  return latency;
}

/* A loop of n executions of `each` seconds, and library work of as many bytes, a third as long each; a step takes
 * `step` seconds wherever. The shares of the predicted time that may wait for each line, and that go over memory in
 * order. */
static void divided(double each, double step, double dependent, double streamed)
{
  sc_graph *graph = scene(leaving, each, 0);
  if (streamed > 0)
    scene_work(graph, scene_main(graph), "memcpy", 9, scene_n, each / 3);
  for (size_t i = 0; i < COUNT(SIZES); i++)
    sc_graph_run(graph, i)->samples = 1000000;
  sc_analysis *analysis = analyse(graph, everywhere(step));
  unit_near_by(1 + analysis->footprint.dependent, 1 + dependent, 1e-3);
  unit_near_by(1 + analysis->footprint.streamed, 1 + streamed, 1e-3);
  scene_end(graph, analysis, NULL);
}

/* From half of a step in memory on, and from 4 ns. */
TEST(what_takes_half_a_step_waits_for_it)
{
  divided(9.9e-9, 20e-9, 0, 0);
  divided(10.1e-9, 20e-9, 1, 0);
  divided(3.9e-9, 5e-9, 0, 0);
  divided(4.1e-9, 5e-9, 1, 0);
  divided(100e-9, 20e-9, 0.75, 0.25); /* work waits for none, however long it takes */
  divided(9e-9, 20e-9, 0, 0.25);
}

/* A loop of n executions of 100 ns and what is executed n^2 times in it, a walk of a list. */
TEST(walks_over_all_data_are_apart)
{
  sc_graph *graph = scene(leaving, 0, 0);
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 9, scene_n, 100e-9);
  scene_loop(graph, loop, "main", 10, scene_square, 10e-9);
  sc_analysis *a = scene_analyse(graph, TARGET, 1);
  double linear = 320000.0 * 100e-9, square = 320000.0 * 320000.0 * 10e-9;
  unit_near_by(1 + a->footprint.walked, 1 + square / (linear + square), 1e-3);
  unit_near_by(1 + a->footprint.dependent, 1 + linear / (linear + square), 1e-3);
  scene_end(graph, a, NULL);
}

/* Times that say nothing leave what is believed of all programs: with probability 0.95 s is less than a share whose
 * power of 0.3 is that; of what goes to another line once in 25 ns at most, but for one program in twenty, the power is
 * that of the share in a step's part of these. */
TEST(few_programs_wait_all_the_time)
{
  static const double steps[] = {1e-9, 4e-9, 10e-9, 25e-9, 100e-9};
  for (size_t i = 0; i < COUNT(steps); i++) {
    sc_graph *graph = scene(leaving, EACH, 0);
    sc_analysis *a = analyse(graph, everywhere(steps[i]));
    double most = fmin(1, steps[i] / 25e-9), seldom = pow(0.95 / (0.95 * pow(most, -0.3) + 0.05), 1 / 0.3);
    assert_float_equal(a->footprint.waiting, pow(0.95, 1 / 0.3), 0.005); /* in steps of a hundredth */
    assert_float_equal(a->footprint.seldom, seldom, 0.005);
    assert_true(most < 1 || a->footprint.seldom == a->footprint.waiting);
    scene_end(graph, a, NULL);
  }
}

/* A loop of n that spends all its time waiting is known for that by times that passed a cache, however seldom it is. */
TEST(times_that_rose_are_believed)
{
  sc_latency latency = {.page = 1e-6};
  for (size_t i = 0; i < SC_LATENCY_SIZES; i++)
    latency.steps[i] = latency.fast[i] = latency.most[i] = i < 3 ? 1e-9 : 4e-9;
  for (int waits = 0; waits < 2; waits++) {
    sc_graph *graph = scene(leaving, EACH, 0);
    for (size_t i = 0; i < COUNT(SIZES); i++) {
      double step = sc_latency_step(&latency, leaving(SIZES[i])) / 4e-9;
      sc_graph_run(graph, i)->user_seconds = SIZES[i] * 1e-5 * (waits ? step : 1);
    }
    sc_analysis *a = analyse(graph, latency);
    assert_true(waits ? a->footprint.seldom > 0.9 : a->footprint.seldom < 0.16);
    scene_end(graph, a, NULL);
  }
}

/* On a machine that others use: 1.15 standard errors of a logarithm above the mean of one or two moments, from six
 * times a step in the first cache on. */
TEST(few_moments_are_no_range)
{
  static const struct {
    double moments, step, first, most, likely;
  } cases[] = {{1, 8, 1, 8, 8 * exp(1.15 * M_SQRT2)},
               {2, 8, 1, 8, 8 * exp(1.15 * sqrt(1.5))},
               {3, 8, 1, 8, 8},
               {1, 8, 1, 60, 60},
               {1, 6.1, 1, 6.1, 6.1 * exp(1.15 * M_SQRT2)},
               {1, 5.9, 1, 5.9, 5.9},
               {1, 30, 1, 30, 100},
               {0, 8, 1, 8, 8}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_latency latency = {.page = 1e-6, .moments = cases[i].moments};
    for (size_t k = 0; k < SC_LATENCY_SIZES; k++) {
      latency.steps[k] = latency.fast[k] = k ? cases[i].step * 1e-9 : cases[i].first * 1e-9;
      latency.most[k] = k + 1 < SC_LATENCY_SIZES ? cases[i].most * 1e-9 : 100e-9;
    }
    unit_near(sc_latency_likely_most(&latency, 1 << 20), cases[i].likely * 1e-9);
  }
}

/* Runs that waited for a processor for a tenth of their time say that others use the machine. */
TEST(others_make_moments_differ)
{
  static const double sizes[] = {50, 100};
  sc_analysis a = {
      .run_count = 2,
      .sizes = (double *)sizes,
      .footprint = {.size = 100, .at_size = 65536, .exponent = 1, .grows = true, .walked = 1, .waiting = 1}};
  a.options.latency = (sc_latency){.page = 1e-6, .moments = 1};
  for (size_t k = 0; k < SC_LATENCY_SIZES; k++)
    a.options.latency.steps[k] = a.options.latency.fast[k] = a.options.latency.most[k] = ldexp(1e-9, (int)k);
  a.busy = 0.099;
  unit_near(sc_footprint_factor(&a, 400), 4);
  a.busy = 0.101;
  unit_near(sc_footprint_factor(&a, 400), 4 * exp(1.15 * M_SQRT2));
}

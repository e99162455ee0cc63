/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What predictions of a metric are bounded by: other metrics of the resource, and what was measured. */
#include "unit.h"

#include "transitions_resources_scene.h"

static const double sizes[] = {10, 20, 30, 50, 80};
enum { SIZES = 5 };

/* Of memory, one run at each size: pieces acquired, and most units out at a time. */
typedef struct held {
  double acquires[SIZES], peak[SIZES];
} held;

static scene_world make(const held *of)
{
  scene_world w = {.graph = scene_repeats(sizes, SIZES, 1)};
  uint32_t main = scene_main(w.graph);
  w.resource = scene_resource(w.graph, SC_RESOURCE_HEAP, "heap", 0);
  for (size_t run = 0; run < SIZES; run++) {
    sc_usage freed = {
        .via = "free", .event = SC_USAGE_EVENT_RELEASE, .values = {[SC_USAGE_RELEASES] = of->acquires[run]}};
    scene_units_run(w.graph, run, main, w.resource,
                    (scene_units){of->acquires[run], 1, of->acquires[run], of->peak[run]});
    scene_usage(w.graph, run, main, w.resource, &freed);
  }
  w.analysis = scene_analyse(w.graph, (double[]){1e4}, 1);
  w.resources = scene_resources(w.analysis, SC_PARAMETER_DATA);
  return w;
}

static sc_interval predict(const scene_world *w, enum sc_resource_metric metric, double n)
{
  sc_interval i;
  assert_int_equal(sc_resources_predict(w->resources, w->resource, metric, n, &i), 0);
  assert_true(i.low <= i.value && i.value <= i.high);
  return i;
}

/* Fewer than n at a time at every size measured, by curves that go far beyond n: n^2/100, exactly and about. */
TEST(a_peak_is_at_most_what_is_acquired)
{
  static const held curves[] = {{{10, 20, 30, 50, 80}, {1, 4, 9, 25, 64}}, {{10, 20, 30, 50, 80}, {1, 4, 8, 27, 61}}};
  for (size_t i = 0; i < 2; i++) {
    scene_world w = make(&curves[i]);
    sc_interval peak = predict(&w, SC_RMETRIC_PEAK, 1e4);
    assert_true(peak.value == 1e4 && peak.high == 1e4);
    peak = predict(&w, SC_RMETRIC_PEAK, 30);
    assert_true(peak.value > 7.5 && peak.value < 9.5);
    scene_world_drop(&w);
  }
}

/* Bytes of two programs whose tables double: at the sizes measured n log n misses them by 1% to 2%, and at 10 and 30
 * times the largest it is a third too much. */
TEST(a_peak_that_looks_like_n_log_n_may_be_a_line)
{
  static const struct {
    size_t count;
    double n[10], bytes[10], far, there;
  } cases[] = {
      {10,
       {100, 154, 191, 238, 367, 566, 873, 1345, 3200, 6400},
       {49152, 57600, 66944, 81344, 106208, 143792, 200672, 305608, 698776, 1528664},
       64000,
       13733824},
      {6, {100, 238, 566, 1345, 2074, 3200}, {180536, 192024, 218712, 280944, 345736, 451352}, 100000, 8948800}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t count = cases[i].count;
    double largest = cases[i].n[count - 1], last = cases[i].bytes[count - 1];
    scene_world w = {.graph = scene_repeats(cases[i].n, count, 1)};
    uint32_t main = scene_main(w.graph);
    w.resource = scene_resource(w.graph, SC_RESOURCE_HEAP, "heap", 0);
    for (size_t run = 0; run < count; run++)
      scene_units_run(w.graph, run, main, w.resource, (scene_units){cases[i].n[run], 1e5, 0, cases[i].bytes[run]});
    w.analysis = scene_analyse(w.graph, (double[]){cases[i].far}, 1);
    w.resources = scene_resources(w.analysis, SC_PARAMETER_DATA);
    const sc_model *model = &sc_resources_series(w.resources, w.resource, SC_USAGE_NONE, SC_RMETRIC_PEAK)->model;
    assert_true(model->order.log_exponent == 1 && !model->exact);
    sc_interval peak = predict(&w, SC_RMETRIC_PEAK, cases[i].far);
    assert_true(peak.low < cases[i].there && peak.low > 0.8 * cases[i].there && peak.value > 1.25 * cases[i].there);
    peak = predict(&w, SC_RMETRIC_PEAK, largest); /* within what was measured it is no matter */
    assert_true(peak.low > 0.8 * last);
    scene_world_drop(&w);
  }
}

/* 20 units were there before the program acquired any. */
TEST(what_contradicts_a_bound_has_none)
{
  scene_world w = make(&(held){{10, 20, 30, 50, 80}, {30, 40, 50, 70, 100}});
  assert_true(predict(&w, SC_RMETRIC_PEAK, 1e4).value == 1e4 + 20);
  scene_world_drop(&w);
}

/* Always 16 at a time, while the number acquired scatters: its interval must not widen that of the peak. */
TEST(an_exact_peak_stays_exact)
{
  scene_world w = make(&(held){{90, 33, 71, 20, 42}, {16, 16, 16, 16, 16}});
  sc_interval peak = predict(&w, SC_RMETRIC_PEAK, 1e4);
  assert_true(peak.low == 16 && peak.high == 16);
  assert_true(predict(&w, SC_RMETRIC_UNITS, 1e4).low < 16);
  scene_world_drop(&w);
}

static void expect_at_least(const scene_world *w, double n, double least)
{
  static const enum sc_resource_metric cumulative[] = {SC_RMETRIC_ACQUIRES, SC_RMETRIC_RELEASES, SC_RMETRIC_UNITS};
  for (size_t i = 0; i < 3; i++) {
    sc_interval count = predict(w, cumulative[i], n);
    assert_true(count.low >= least && count.value >= least);
  }
}

/* The map of a deque is allocated anew as it doubles: too few allocations for a model. */
TEST(counts_are_not_below_what_was_measured)
{
  scene_world w = make(&(held){{2, 2, 2, 2, 4}, {1, 1, 1, 1, 1}});
  expect_at_least(&w, 1e4, 4);
  expect_at_least(&w, 81, 4);
  assert_true(predict(&w, SC_RMETRIC_ACQUIRES, 80).low < 4); /* not by what is measured there */
  expect_at_least(&w, 80, 2);
  scene_world_drop(&w);
}

/* A count that fell once may fall again. */
TEST(counts_that_fell_are_not_bounded)
{
  scene_world w = make(&(held){{90, 71, 42, 33, 20}, {1, 1, 1, 1, 1}});
  assert_true(predict(&w, SC_RMETRIC_ACQUIRES, 1e4).value < 20);
  scene_world_drop(&w);
  w = make(&(held){{2, 3, 2, 3, 4}, {1, 1, 1, 1, 1}});
  assert_true(predict(&w, SC_RMETRIC_ACQUIRES, 1e4).low < 4);
  scene_world_drop(&w);
}

/* The main thread waits for the first of its threads; the others have ended by then. */
TEST(mean_waits_of_joins_follow_from_the_total)
{
  static const double numbers[] = {1, 2, 3, 4}, target = 64;
  sc_graph *graph = scene_repeats(numbers, 4, 2);
  uint32_t main_function = scene_main(graph), joined = scene_resource(graph, SC_RESOURCE_THREAD, "threads", 0);
  for (size_t run = 0; run < 8; run++) {
    double n = numbers[run / 2];
    sc_usage usage = {.values = {[SC_USAGE_ACQUIRES] = n,
                                 [SC_USAGE_UNITS] = n,
                                 [SC_USAGE_WAITS] = 1,
                                 [SC_USAGE_WAIT_SECONDS] = run % 2 ? 0.3 : 0.31}};
    scene_usage(graph, run, main_function, joined, &usage);
    scene_occupancy(graph, run, joined, 1, n, 0.3, 0.3);
  }
  sc_analysis *analysis = scene_analyse(graph, &target, 1);
  sc_resources *resources = scene_resources(analysis, SC_PARAMETER_THREADS);
  sc_interval mean, total;
  assert_int_equal(sc_resources_predict(resources, joined, SC_RMETRIC_WAIT, 64, &mean), 0);
  assert_int_equal(sc_resources_predict(resources, joined, SC_RMETRIC_WAIT_TOTAL, 64, &total), 0);
  assert_true(fabs(total.value - 0.305) < 0.02);
  assert_true(fabs(mean.value * 64 / total.value - 1) < 1e-6);
  assert_true(mean.low <= 0.3 / 64 && 0.3 / 64 <= mean.high);
  sc_interval waits;
  assert_int_equal(sc_resources_predict(resources, joined, SC_RMETRIC_WAITS, 64, &waits), 0);
  assert_true(waits.value == 1 && waits.low == 0 && waits.high == 6); /* whether a thread has ended is chance */
  scene_drop(graph, analysis, resources);
}

/* Waits that no run agrees on: a bound a million times away says nothing. */
TEST(bounds_that_say_nothing_are_none)
{
  static const double numbers[] = {1, 2, 3, 4}, target = 64, waited[] = {1e-6, 0.5, 2e-4, 0.9};
  size_t open = 0, bounded = 0;
  sc_graph *graph = scene_repeats(numbers, 4, 1);
  uint32_t main_function = scene_main(graph), joined = scene_resource(graph, SC_RESOURCE_THREAD, "threads", 0);
  for (size_t run = 0; run < 4; run++) {
    sc_usage usage = {.values = {[SC_USAGE_ACQUIRES] = numbers[run],
                                 [SC_USAGE_UNITS] = numbers[run],
                                 [SC_USAGE_WAITS] = 1,
                                 [SC_USAGE_WAIT_SECONDS] = waited[run]}};
    scene_usage(graph, run, main_function, joined, &usage);
    scene_occupancy(graph, run, joined, 1, numbers[run], 1, 1);
  }
  sc_analysis *analysis = scene_analyse(graph, &target, 1);
  sc_resources *resources = scene_resources(analysis, SC_PARAMETER_THREADS);
  for (double n = 1; n < 1e9; n *= 1.5) {
    sc_interval mean;
    assert_int_equal(sc_resources_predict(resources, joined, SC_RMETRIC_WAIT, n, &mean), 0);
    assert_true(isinf(mean.high) || mean.high <= 1e6 * mean.value);
    assert_true(mean.low == 0 || mean.low * 1e6 >= mean.value);
    open += isinf(mean.high);
    bounded += isfinite(mean.high);
  }
  assert_true(open > 0 && bounded > 0);
  scene_drop(graph, analysis, resources);
}

/* A lock that `threads` acquire 100 times each and size, and never wait for. */
static sc_resources *never_waited(double threads, unsigned repeats, sc_graph **graph, sc_analysis **a, uint32_t *lock)
{
  static const double target = 8000;
  *graph = scene_repeats(sizes, SIZES, repeats);
  uint32_t main_function = scene_main(*graph);
  *lock = scene_resource(*graph, SC_RESOURCE_MUTEX, "lock", 0);
  for (size_t run = 0; run < SIZES * repeats; run++) {
    double n = sizes[run / repeats];
    sc_usage usage = {.values = {[SC_USAGE_ACQUIRES] = 100 * n,
                                 [SC_USAGE_UNITS] = 100 * n,
                                 [SC_USAGE_HOLDS] = 100 * n,
                                 [SC_USAGE_HOLD_SECONDS] = 1e-5 * n}};
    scene_usage(*graph, run, main_function, *lock, &usage);
    scene_occupancy(*graph, run, *lock, threads, 1, threads * n, n);
  }
  *a = scene_analyse(*graph, &target, 1);
  return scene_resources(*a, SC_PARAMETER_DATA);
}

/* What several threads count is exact if repeats say so, and waits never are: those that nobody met may come. */
TEST(counts_of_several_threads_are_seldom_exact)
{
  for (unsigned repeats = 1; repeats <= 3; repeats++)
    for (double threads = 1; threads <= 4; threads += 3) {
      sc_graph *graph;
      sc_analysis *a;
      uint32_t lock;
      sc_interval acquires, waits;
      sc_resources *r = never_waited(threads, repeats, &graph, &a, &lock);
      assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_ACQUIRES, 8000, &acquires), 0);
      assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAITS, 8000, &waits), 0);
      assert_true(fabs(acquires.value - 8e5) < 1 && waits.value < 10);
      assert_int_equal(acquires.high == acquires.low, threads == 1 || repeats > 1);
      assert_int_equal(waits.high == 0, threads == 1);
      scene_drop(graph, a, r);
    }
}

/* n threads, or main alone, that hold a lock for a tenth of their time 100 times each: one has ended when the next one
 * begins, so that the profile has them as one. */
static sc_resources *one_after_another(bool several, sc_graph **graph, sc_analysis **a, uint32_t *lock)
{
  static const double numbers[] = {1, 2, 3, 4}, target = 64, hold = 1e-6;
  *graph = scene_repeats(numbers, 4, 3);
  uint32_t context = scene_main(*graph);
  if (several)
    context = scene_function(*graph, sc_graph_parent(*graph, context), "work", scene_n, 0);
  *lock = scene_resource(*graph, SC_RESOURCE_MUTEX, "lock", 0);
  for (size_t run = 0; run < 12; run++) {
    double n = numbers[run / 3];
    sc_usage usage = {.values = {[SC_USAGE_ACQUIRES] = 100 * n,
                                 [SC_USAGE_UNITS] = 100 * n,
                                 [SC_USAGE_RETURNED_UNITS] = 100 * n,
                                 [SC_USAGE_HOLDS] = 100 * n,
                                 [SC_USAGE_HOLD_SECONDS] = 100 * n * hold}};
    scene_usage(*graph, run, context, *lock, &usage);
    scene_occupancy(*graph, run, *lock, 1, 1, 1000 * n * hold, 1000 * n * hold);
  }
  *a = scene_analyse(*graph, &target, 1);
  return scene_resources(*a, SC_PARAMETER_THREADS);
}

/* None seen of 3,000 where they were measured: the next time up to one of 400. 64 threads that live at the same time
 * would nearly all wait, for half of the others each. */
TEST(waits_that_nobody_saw_have_an_upper_bound)
{
  for (int several = 0; several <= 1; several++) {
    sc_graph *graph;
    sc_analysis *a;
    uint32_t lock;
    sc_interval waits, wait, total, few;
    sc_resources *r = one_after_another(several, &graph, &a, &lock);
    assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAITS, 4, &few), 0);
    assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAITS, 64, &waits), 0);
    assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAIT, 64, &wait), 0);
    assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAIT_TOTAL, 64, &total), 0);
    assert_true(few.value == 0 && few.low == 0 && few.high == several);
    assert_true(waits.value == 0 && waits.low == 0 && wait.value == 0 && wait.low == 0);
    assert_true(several ? waits.high > 6000 && waits.high <= 6400 : waits.high == 0);
    assert_true(several ? fabs(wait.high / 54e-6 - 1) < 0.05 : wait.high == 0);
    assert_true(fabs(total.high - 6400 * wait.high) <= 1e-9 * total.high);
    scene_drop(graph, a, r);
  }
}

/* A list that grows beside what each of n threads acquires, the same in every run: 20, 22, 24, 25. Forms of two powers
 * go through these numbers and reach 60,000 at 40. The list's peak is a little less. */
TEST(counts_of_threads_that_agree_are_no_measurements)
{
  static const double numbers[] = {1, 2, 3, 4}, counts[] = {20, 22, 24, 25}, target = 40;
  sc_graph *graph = scene_repeats(numbers, 4, 3);
  uint32_t context = scene_main(graph), heap = scene_resource(graph, SC_RESOURCE_HEAP, "heap", 0);
  for (size_t run = 0; run < 12; run++) {
    scene_units_run(graph, run, context, heap, (scene_units){counts[run / 3], 100, 0, 90 * counts[run / 3]});
    scene_occupancy(graph, run, heap, 1 + numbers[run / 3], 1, 1, 1);
  }
  sc_analysis *a = scene_analyse(graph, &target, 1);
  sc_resources *r = scene_resources(a, SC_PARAMETER_THREADS);
  sc_interval acquires, peak, waits, threads;
  assert_int_equal(sc_resources_predict(r, heap, SC_RMETRIC_ACQUIRES, 40, &acquires), 0);
  assert_int_equal(sc_resources_predict(r, heap, SC_RMETRIC_PEAK, 40, &peak), 0);
  assert_int_equal(sc_resources_predict(r, heap, SC_RMETRIC_WAITS, 40, &waits), 0);
  assert_true(acquires.value < 200 && acquires.low <= 65 && acquires.high >= 65);
  assert_true(peak.value < 20000 && peak.low <= 6500 && peak.high > peak.low);
  assert_true(waits.high == 0); /* memory is not waited for */
  assert_int_equal(sc_resources_predict(r, heap, SC_RMETRIC_THREADS, 40, &threads), 0);
  assert_true(fabs(threads.value - 41) < 1 && threads.low > 35 && threads.high < 45); /* n + 1 is plain */
  scene_drop(graph, a, r);
}

/* A lock that threads hold for a fifth of their time, all at the same time, and never wait for: they take it under
 * another one alone. So it stays, however busy both become. */
TEST(threads_that_never_meet_do_not_beyond)
{
  static const double numbers[] = {1, 2, 3, 4}, target = 64;
  sc_graph *graph = scene_repeats(numbers, 4, 3);
  uint32_t context = scene_main(graph), lock = scene_resource(graph, SC_RESOURCE_MUTEX, "inner", 0);
  for (size_t run = 0; run < 12; run++)
    scene_lock_run(graph, run, context, lock, (scene_lock){numbers[run / 3], 100, 1e-3, 4e-3, 0, 1});
  sc_analysis *a = scene_analyse(graph, &target, 1);
  sc_resources *r = scene_resources(a, SC_PARAMETER_THREADS);
  sc_interval waits, wait, used;
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAITS, 64, &waits), 0);
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAIT, 64, &wait), 0);
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_UTILISATION, 64, &used), 0);
  assert_true(wait.low == 0 && wait.value < 1e-3);
  assert_true(waits.low == 0);
  assert_true(used.value > 0.9);
  scene_drop(graph, a, r);
}

/* A quarter of the acquires are exclusive, for a millisecond; 64 threads keep it saturated with them. Readers come
 * whenever no writer is in, whoever waits: where half of the time is a writer's, fewer than all acquires wait. */
TEST(readers_wait_for_writers_alone)
{
  static const double numbers[] = {1, 2, 3, 4}, target = 64;
  sc_graph *graph = scene_repeats(numbers, 4, 3);
  uint32_t context = scene_main(graph), lock = scene_resource(graph, SC_RESOURCE_RWLOCK, "table", 0);
  for (size_t run = 0; run < 12; run++) {
    double n = numbers[run / 3], span = 60 * 12.5e-3, met = 0.08 * (n - 1);
    sc_usage read = {.shared = true,
                     .values = {[SC_USAGE_ACQUIRES] = 45 * n,
                                [SC_USAGE_WAITS] = floor(45 * met),
                                [SC_USAGE_WAIT_SECONDS] = floor(45 * met) * 0.5e-3,
                                [SC_USAGE_HOLDS] = 45 * n,
                                [SC_USAGE_HOLD_SECONDS] = 45 * n * 0.5e-3}};
    sc_usage write = {.values = {[SC_USAGE_ACQUIRES] = 15 * n,
                                 [SC_USAGE_WAITS] = floor(15 * met),
                                 [SC_USAGE_WAIT_SECONDS] = floor(15 * met) * 0.7e-3,
                                 [SC_USAGE_HOLDS] = 15 * n,
                                 [SC_USAGE_HOLD_SECONDS] = 15 * n * 1e-3}};
    scene_usage(graph, run, context, lock, &read);
    scene_usage(graph, run, context, lock, &write);
    scene_occupancy(graph, run, lock, n, 1, n * span, span);
  }
  sc_analysis *a = scene_analyse(graph, &target, 1);
  sc_resources *r = scene_resources(a, SC_PARAMETER_THREADS);
  sc_interval waits, used;
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_WAITS, 64, &waits), 0);
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_UTILISATION, 64, &used), 0);
  double possible = 64 * (15 + 45 * used.value);
  assert_true(used.value > 0.3 && used.value < 0.8);
  assert_true(waits.value > 0.7 * possible && waits.value < 1.1 * possible);
  scene_drop(graph, a, r);
}

/* A start of 10 us that all holds share: a power of the size describes the mean as well, and ends at nothing. */
TEST(a_mean_hold_does_not_fall_below_what_all_take)
{
  static const double n[] = {100, 200, 400, 800, 1131, 1600};
  static const double hold[] = {131e-9, 50.3e-9, 43e-9, 24.6e-9, 21.1e-9, 18.5e-9};
  sc_graph *graph = scene_repeats(n, COUNT(n), 1);
  uint32_t context = scene_main(graph), lock = scene_resource(graph, SC_RESOURCE_MUTEX, "m", 1);
  double target = 1e5;
  for (size_t run = 0; run < COUNT(n); run++) {
    sc_usage usage = scene_holds(n[run], hold[run]);
    scene_usage(graph, run, context, lock, &usage);
  }
  sc_analysis *a = scene_analyse(graph, &target, 1);
  sc_resources *r = scene_resources(a, SC_PARAMETER_DATA);
  sc_interval mean, total, near;
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_HOLD, target, &mean), 0);
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_HOLD_TOTAL, target, &total), 0);
  assert_true(mean.value > 5e-9 && mean.value < 18.6e-9);
  assert_true(mean.low <= 12e-9 && mean.high >= mean.value);
  assert_float_equal(mean.value * target, total.value, 1e-3 * total.value);
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_HOLD, 1600, &near), 0); /* measured */
  assert_true(near.value > 10e-9 && near.value < 30e-9);
  scene_drop(graph, a, r);
}

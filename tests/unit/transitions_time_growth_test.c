/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the time of an execution grows, decided apart from the counts. */
#include "unit.h"

#include "transitions/model/time_growth.h"

#include "transitions/model/latency.h"
#include "transitions_scene.h"

static const double sizes[] = {10000, 20000, 40000, 80000, 160000};
enum { SIZES = 5 };

static scene_curve bytes_in_use; /* NULL: as much at every size */
static sc_latency memory;        /* zero: not measured */

/* Of `runs` runs at n[], which took seconds[] and waited `ready` times as long for a processor. */
static sc_time_growth judge_busy(const double *n, const double *seconds, size_t runs, scene_curve count, double target,
                                 double ready)
{
  sc_graph *graph = scene_new(n, runs, "");
  sc_location loop = {.kind = SC_LOCATION_LOOP, .name = "main", .file = "a.c", .line = 3};
  sc_location function = {.kind = SC_LOCATION_FUNCTION, .name = "main", .file = "a.c", .line = 1};
  uint32_t main_context = scene_context(graph, 0, &function);
  scene_fill(graph, main_context, scene_one, 0);
  scene_fill(graph, scene_context(graph, main_context, &loop), count, 0);
  for (size_t i = 0; i < runs; i++) {
    sc_run *run = sc_graph_run(graph, i);
    run->user_seconds = seconds[i];
    run->wall_seconds = (1 + ready) * seconds[i];
    run->has_waits = true;
    run->max_rss_kib = bytes_in_use ? (uint64_t)(bytes_in_use(n[i]) / 1024) : 2048;
    run->waits[SC_WAIT_RUNNABLE] = ready * seconds[i];
  }
  sc_analysis_options options = scene_options(&target, 1);
  options.latency = memory;
  options.include_validation = true;
  sc_analysis *analysis = scene_analyse_with(graph, &options);
  sc_time_growth growth = sc_analysis_time_growth(analysis);
  scene_end(graph, analysis, NULL);
  return growth;
}

static sc_time_growth judge_runs(const double *n, const double *seconds, size_t runs, scene_curve count, double target)
{
  return judge_busy(n, seconds, runs, count, target, 0);
}

static sc_time_growth judge(scene_curve count, scene_curve seconds, double target)
{
  double taken[SIZES];
  for (size_t i = 0; i < SIZES; i++)
    taken[i] = seconds(sizes[i]);
  return judge_runs(sizes, taken, SIZES, count, target);
}

static double linear(double n) { return 0.001 + 5e-6 * n; }
static double sorting(double n) { return 0.001 + 3e-7 * n * log2(n); }
static double square(double n) { return 0.001 + 2e-11 * n * n; } /* 0.5 s at the largest */
static double hidden(double n) { return 0.002 + 1e-14 * n * n; } /* 0.3 ms of 2 */
static double rising(double n) { return 0.002 + 3e-13 * n * n; } /* 8 ms of 10 */
static double start_alone(double n) { return 0.002 + 0 * n; }
static double short_start(double n) { return 0.001 + 0 * n; }

TEST(linear_time_is_constant_for_an_execution)
{
  sc_time_growth g = judge(scene_n, linear, 1.6e6);
  assert_int_equal(g.state, SC_TIME_CONSTANT);
  assert_true(g.checked == 160000 && g.low <= 1 && g.high >= 1);
  assert_int_equal(judge(scene_sorting, sorting, 1.6e6).state, SC_TIME_CONSTANT);
}

/* One large size after many short ones shows growth, but not where: those below it do, one after the other. */
TEST(growth_without_a_place_asks_for_sizes_near_the_largest)
{
  const double n[] = {1000, 2000, 4000, 6000, 11250, 22500, 45000, 90000};
  double taken[8];
  for (size_t i = 0; i < 8; i++)
    taken[i] = 0.001 + 1e-9 * n[i] * n[i]; /* 37 ms at 6,000, 8.1 s at the largest */
  const double wanted[] = {11250, 22500, 45000};
  for (size_t run = 0; run < 3; run++) { /* of the sizes that may show it the largest `run` were run */
    double some[8], seconds[8];
    memcpy(some, n, 4 * sizeof *n);
    memcpy(seconds, taken, 4 * sizeof *taken);
    memcpy(some + 4, n + 7 - run, (run + 1) * sizeof *n);
    memcpy(seconds + 4, taken + 7 - run, (run + 1) * sizeof *taken);
    sc_time_growth g = judge_runs(some, seconds, 5 + run, scene_n, 1e6);
    assert_int_equal(g.state, SC_TIME_GROWING);
    assert_true(g.between == wanted[2 - run]);
  }
  assert_true(judge_runs(n, taken, 8, scene_n, 1e6).between == 0);
}

/* The loop around strcat: as many iterations as items, and each goes over all there is. */
TEST(square_time_of_linear_counts_grows)
{
  sc_time_growth g = judge(scene_n, square, 1.6e6);
  assert_int_equal(g.state, SC_TIME_GROWING);
  assert_true(fabs(g.exponent - 2) < 0.1 && g.counts == 1);
}

/* From half an order on caches alone do not explain it. */
static double exponent_of_time;
static double as_power(double n) { return 0.001 + 1e-3 * pow(n / 10000, exponent_of_time); }
TEST(time_that_rises_by_half_an_order_is_no_growth)
{
  exponent_of_time = 1.5;
  sc_time_growth g = judge(scene_n, as_power, 1.6e6);
  assert_true(g.state == SC_TIME_UNCHECKED || g.state == SC_TIME_UNDECIDED);
  exponent_of_time = 1.9;
  assert_int_equal(judge(scene_n, as_power, 1.6e6).state, SC_TIME_GROWING);
}

/* A machine that was busy while the largest size ran: nothing is claimed, nor is the growth excluded. */
static double twice_at_last(double n) { return (n == 160000 ? 2 : 1) * (0.001 + 1e-6 * n); }
static double fourfold_at_last(double n) { return (n == 160000 ? 4 : 1) * (0.001 + 1e-6 * n); }
static double late(double n) { return n == 160000 ? 0.012 : 0.004; } /* steeper than any count, of one size alone */
static double late_twice(double n) { return n >= 80000 ? 0.012 * n / 80000 * n / 80000 : 0.004; }
TEST(one_size_is_no_growth)
{
  assert_int_equal(judge(scene_n, late, 1.6e8).state, SC_TIME_UNDECIDED);
  assert_int_equal(judge(scene_n, late_twice, 1.6e8).state, SC_TIME_GROWING);
  assert_int_not_equal(judge(scene_n, twice_at_last, 1.6e8).state, SC_TIME_GROWING);
  assert_int_equal(judge(scene_n, fourfold_at_last, 1.6e8).state, SC_TIME_UNDECIDED);
}

/* Most repeats of the largest size took thrice as long: the machine, as the others show. */
TEST(slow_repeats_are_no_growth)
{
  static const double n[] = {10000, 20000, 40000, 80000, 160000, 160000, 160000, 160000, 160000};
  static const double seconds[] = {0.0041, 0.0042, 0.0044, 0.0048, 0.0056, 0.0056, 0.0168, 0.0168, 0.0168};
  sc_time_growth g = judge_runs(n, seconds, sizeof n / sizeof *n, scene_n, 1.6e8);
  assert_true(g.state != SC_TIME_GROWING && g.exponent < 2);
}

/* A square, measured on a machine where one of two repeats took twice the time: what is open is said to be. */
TEST(one_slow_repeat_does_not_hide_growth)
{
  static const double n[] = {1000, 1000, 2115, 4472, 4472, 9457, 9457, 17094, 20000};
  static const double seconds[] = {0.0026, 0.0034, 0.0081, 0.0417, 0.0447, 0.098, 0.2044, 0.6214, 0.4546};
  assert_int_equal(judge_runs(n, seconds, sizeof n / sizeof *n, scene_n, 2e5).state, SC_TIME_UNDECIDED);
}

/* Below 0.05 s, times of a machine that was busy for a tenth of the time claim no growth. */
static double below(double n) { return 0.0499 * n / 160000 * n / 160000; }
static double above(double n) { return 0.0501 * n / 160000 * n / 160000; }
static sc_time_growth judge_shared(scene_curve seconds, double ready)
{
  double taken[SIZES];
  for (size_t i = 0; i < SIZES; i++)
    taken[i] = seconds(sizes[i]);
  return judge_busy(sizes, taken, SIZES, scene_n, 1.6e8, ready);
}
TEST(short_times_of_a_busy_machine_claim_nothing)
{
  assert_int_equal(judge_shared(below, 0.1).state, SC_TIME_GROWING); /* a tenth of the processor time is less of both */
  assert_int_equal(judge_shared(below, 0.12).state, SC_TIME_UNDECIDED);
  assert_int_equal(judge_shared(above, 0.12).state, SC_TIME_GROWING);
}

/* A hash table that leaves the caches: n steps, each within 25 n bytes. */
static const double table_sizes[] = {20000, 100000, 200000, 400000, 800000};
static double table_bytes(double n) { return 2e6 + 25 * n; }
static double table_seconds(double n)
{
  sc_latency usual = {.page = 0};
  return 0.004 + 4 * n * sc_latency_step(&usual, table_bytes(n) - 2e6);
}
/* 4 steps for each of n are 32 for each of n / 8. */
static double few(double n) { return 0.15 * n; }
static double too_few(double n) { return 0.11 * n; }
/* What nothing explains hints at growth, though by less than half an order. */
static enum sc_time_state judge_table(scene_curve bytes, scene_curve count)
{
  double seconds[SIZES];
  for (size_t i = 0; i < SIZES; i++)
    seconds[i] = table_seconds(table_sizes[i]);
  bytes_in_use = bytes;
  enum sc_time_state state = judge_runs(table_sizes, seconds, SIZES, count, 8e6).state;
  bytes_in_use = NULL;
  return state;
}
TEST(data_that_leave_the_caches_are_no_growth)
{
  assert_int_equal(judge_table(table_bytes, scene_n), SC_TIME_CONSTANT);
  assert_int_equal(judge_table(NULL, scene_n), SC_TIME_UNDECIDED);
  assert_int_equal(judge_table(table_bytes, few), SC_TIME_CONSTANT);
  assert_int_equal(judge_table(table_bytes, too_few), SC_TIME_UNDECIDED);
}

/* A hash table of strings on a machine whose other programs use the cache of all: as it was measured (seconds). */
enum { SHARED = 11 };
static const double shared_sizes[SHARED] = {2000,   83333,  162268, 222129, 259890, 355764,
                                            416244, 487005, 666661, 800000, 1000000};
static const double shared_seconds[SHARED] = {0.0024, 0.0192, 0.0323, 0.0436, 0.0567, 0.1122,
                                              0.184,  0.213,  0.358,  0.452,  0.72};
static double shared_bytes(double n) { return 3e6 + 29 * n; }
/* 10 ns for each item at the smallest size, and proportional to them: below 32 steps in memory at the largest. */
static double shared_square(double n) { return 0.0024 + 1.2e-12 * n * n; }

static void set_memory(size_t from, double least, double most)
{
  for (size_t i = 0; i < SC_LATENCY_SIZES; i++) {
    memory.least[i] = i < from ? 4e-9 : least;
    memory.most[i] = i < from ? 4e-9 : most;
    memory.steps[i] = memory.fast[i] = sqrt(memory.least[i] * memory.most[i]);
  }
}
TEST(a_cache_that_others_share_may_end_anywhere)
{
  bytes_in_use = shared_bytes;
  set_memory(7, 60e-9, 60e-9);
  assert_int_equal(judge_runs(shared_sizes, shared_seconds, SHARED, scene_n, 1e6).state, SC_TIME_GROWING);
  set_memory(7, 30e-9, 200e-9);
  assert_int_equal(judge_runs(shared_sizes, shared_seconds, SHARED, scene_n, 1e6).state, SC_TIME_UNDECIDED);
  /* no cache makes a square of it */
  double square_seconds[SHARED];
  for (size_t i = 0; i < SHARED; i++)
    square_seconds[i] = shared_square(shared_sizes[i]);
  assert_int_equal(judge_runs(shared_sizes, square_seconds, SHARED, scene_n, 1e6).state, SC_TIME_GROWING);
  bytes_in_use = NULL;
  memory = (sc_latency){.page = 0};
}

TEST(square_time_of_square_counts_does_not)
{
  assert_int_equal(judge(scene_square, square, 1.6e6).state, SC_TIME_CONSTANT);
}

TEST(short_runs_leave_it_unchecked)
{
  sc_time_growth g = judge(scene_n, hidden, 1.6e7);
  assert_int_equal(g.state, SC_TIME_UNCHECKED);
  assert_true(g.deciding >= 320000 && isfinite(g.deciding));
  assert_true(g.longest == hidden(160000) && sc_time_growth_is_short(&g));
  assert_int_equal(judge(scene_n, start_alone, 1.6e8).state, SC_TIME_UNCHECKED);
}

TEST(short_runs_that_hint_at_growth_leave_it_undecided)
{
  sc_time_growth g = judge(scene_n, rising, 1.6e7);
  assert_int_equal(g.state, SC_TIME_UNDECIDED);
  assert_true(g.deciding >= 320000 && isfinite(g.deciding));
}

/* A last step is steep if it stands out by 1.64 of its errors above a power of 1.4. Four sizes: too few for a part that
 * grows beneath the rest. */
static double of_last;
static double standing_out(double n) { return n == 160000 ? of_last : 0.012 * pow(n / 80000, 1.4); }
static enum sc_time_state judge_last(double last)
{
  double taken[SIZES];
  of_last = last;
  for (size_t i = 1; i < SIZES; i++)
    taken[i] = standing_out(sizes[i]);
  return judge_runs(sizes + 1, taken + 1, SIZES - 1, scene_n, 1.6e8).state;
}
TEST(a_hint_begins_where_times_stand_out)
{
  double before = standing_out(80000), steepest = before * pow(2, 1.4);
  double error = hypot(hypot(0.05, 2e-4 / before), hypot(0.05, 2e-4 / steepest));
  assert_int_equal(judge_last(steepest * (1 + 1.5 * error)), SC_TIME_UNCHECKED);
  assert_int_equal(judge_last(steepest * (1 + 1.8 * error)), SC_TIME_UNDECIDED);
}

/* As measured: a loop whose body calls into an object without counters, in which n^2 is a quarter of the largest run's
 * time. It took 4.75 s at ten times the size, where constant costs make 1.1 s. */
static const double quarter_sizes[] = {2000, 2000, 3557, 3557, 3557, 6325, 6325, 6325, 6325, 11247, 14997, 20000};
static const double quarter_seconds[] = {0.012108, 0.01228,  0.02098,  0.020518, 0.021272, 0.037612,
                                         0.037435, 0.038305, 0.037937, 0.07044,  0.100728, 0.144591};
enum { QUARTER = sizeof quarter_sizes / sizeof *quarter_sizes };
TEST(a_square_beneath_linear_work_is_no_constant_time)
{
  sc_time_growth g = judge_runs(quarter_sizes, quarter_seconds, QUARTER, scene_n, 2e5);
  assert_int_equal(g.state, SC_TIME_UNDECIDED);
  assert_true(g.high < 1.4 && g.deciding > 40000 && g.deciding <= 200000);
}

/* By how much a part of n^2 (of the largest size's time) bends the times of n, and that it matters at the target. */
static double part;
static double with_part(double n) { return 0.5 * n / 160000 * (1 - part + part * n / 160000); }
static enum sc_time_state judge_part(double share, double target)
{
  part = share;
  return judge(scene_n, with_part, target).state;
}
TEST(a_part_of_an_order_more_hints_from_what_times_tell)
{
  assert_int_equal(judge_part(0, 1.6e6), SC_TIME_CONSTANT);
  assert_int_equal(judge_part(0.1, 1.6e6), SC_TIME_CONSTANT);
  assert_int_equal(judge_part(0.3, 1.6e6),
                   SC_TIME_UNCHECKED); /* as caches do, at 38% a decade; or half an order more */
  assert_int_equal(judge_part(0.5, 1.6e6), SC_TIME_UNDECIDED);
}

/* A part that makes half as much again at the target, and more. */
TEST(a_part_matters_by_what_it_makes_at_the_target)
{
  assert_int_equal(judge_part(0.5, 2 * 160000), SC_TIME_UNCHECKED);
  assert_int_equal(judge_part(0.5, 3 * 160000), SC_TIME_UNDECIDED);
}

/* 160,000 executions take 0.16 ms at least, and 0.05 s would decide. */
TEST(a_start_that_hides_the_rest_leaves_a_size_that_decides)
{
  sc_time_growth g = judge(scene_n, short_start, 1.6e8);
  assert_int_equal(g.state, SC_TIME_UNCHECKED);
  assert_float_equal(g.deciding, 5e7, 1e6);
}

/* What grows as n^2 stands out sooner: three hundredths of 2 ms have to become 0.05 s. */
static double tenths_squared(double n) { return n * n / 1e8; }
static double cubes_of_tenths(double n) { return n * n * n / 1e12; }
TEST(steeper_counts_stand_out_sooner)
{
  double start = short_start(160000), rise = 0.05 / (0.03 * start);
  assert_true(start == short_start(10000) && 4 * start < 0.05 && rise > 100);
  unit_near_by(judge(tenths_squared, short_start, 1.6e8).deciding, 160000 * sqrt(rise), 1e-3);
  unit_near_by(judge(cubes_of_tenths, short_start, 1.6e8).deciding, 160000 * cbrt(rise), 1e-3);
}

/* Who knows the time of the target has nothing to decide; a target out of reach is not asked for. */
TEST(no_size_beyond_the_target_is_asked_for)
{
  assert_float_equal(judge(scene_n, short_start, 4e7).deciding, 4e7, 1);
  assert_float_equal(judge(scene_n, hidden, 1.6e8).deciding, judge(scene_n, hidden, 1.7e8).deciding, 1);
  assert_true(isinf(judge(scene_one, short_start, 1.61e8).deciding));
  assert_float_equal(judge(scene_one, short_start, 1.6e8).deciding, 1.6e8, 1);
}

/* One long run after short ones: its time alone would decide. */
TEST(a_gap_asks_for_a_size_between)
{
  static const double n[] = {100, 280, 800, 2300, 6400, 800000, 1000000};
  static const double rising_late[] = {0.001, 0.001, 0.0011, 0.0011, 0.0013, 0.233, 0.323};
  sc_time_growth g = judge_runs(n, rising_late, sizeof n / sizeof *n, scene_n, 1e6);
  assert_int_equal(g.state, SC_TIME_UNCHECKED);
  assert_true(g.between > 4 * 6400 && g.between < 800000 / 2);
  static const double filled[] = {100, 2263, 6400, 69000, 171000, 369000, 794000};
  static const double caches[] = {0.0011, 0.0011, 0.0012, 0.0069, 0.0215, 0.074, 0.221};
  g = judge_runs(filled, caches, sizeof filled / sizeof *filled, scene_n, 1e6);
  assert_int_equal(g.state, SC_TIME_UNDECIDED);
  assert_true(g.between == 0);
  assert_true(judge(scene_n, hidden, 1.6e7).between == 0); /* nothing stands out yet */
}

/* Even at its steepest nobody would notice. */
TEST(what_stays_unnoticed_needs_no_decision)
{
  assert_int_equal(judge(scene_n, start_alone, 160000).state, SC_TIME_CONSTANT);
}

static double none(double n) { return 0 * n; }

TEST(without_times_nothing_is_said) { assert_int_equal(judge(scene_n, none, 1.6e6).state, SC_TIME_UNKNOWN); }

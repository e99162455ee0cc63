/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that library functions go over: where they are findings, what they weigh, and whose the time is. */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "transitions_scene.h"

#include "transitions/findings/coverage.h"
#include "transitions/suppose/portion.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double TARGETS[] = {16000};

static double eight_n(double n) { return 8 * n; }
static double thousand_n(double n) { return 1000 * n; }
static double hundred_squares(double n) { return 100 * n * n; }
static double thousand_squares(double n) { return 1000 * n * n; }
static double billion_squares(double n) { return 1e9 * n * n; }
static double small_blocks(double n) { return 4000 * n * n; }
static double large_blocks(double n) { return 4200 * n * n; }
static double log_factor(double n) { return n * floor(log2(n)); }

typedef struct fixture {
  sc_graph *graph;
  uint32_t top, loop, work;
  sc_analysis *analysis;
  sc_findings findings;
} fixture;

/* for (i < n) FUNCTION(...): the loop costs `iteration` each, a byte `byte`. */
static fixture looping(const char *event, const char *function, scene_curve bytes, double iteration, double byte)
{
  fixture f = {.graph = scene_new(SIZES, 5, event)};
  f.top = scene_main(f.graph);
  f.loop = scene_loop(f.graph, f.top, "main", 5, scene_n, iteration);
  f.work = scene_work(f.graph, f.loop, function, 6, bytes, byte);
  return f;
}

static void judge(fixture *f)
{
  f->analysis = scene_analyse(f->graph, TARGETS, 1);
  f->findings = scene_infer(f->analysis);
}

static void release(fixture *f) { scene_end(f->graph, f->analysis, &f->findings); }

static void expect_work(const fixture *f, const char *described)
{
  const sc_finding *found = scene_find(&f->findings, f->work);
  assert_non_null(found);
  assert_ptr_equal(found, &f->findings.list[0]);
  assert_int_equal(found->rule, SC_RULE_LIBRARY_WORK);
  assert_int_equal(found->kind, SC_FINDING_WORK);
  assert_true(found->superlinear && !found->linear && !found->has_cost_model);
  assert_int_equal(found->from.integer, 1);
  assert_int_equal(found->to.integer, 2);
  assert_int_equal(found->member_count, 1);
  assert_non_null(strstr(found->advice, described));
  for (size_t i = 1; i < f->findings.count; i++) /* the loop, where it matters: it is not said twice */
    assert_true(f->findings.list[i].linear && f->findings.list[i].context == f->loop);
}

TEST(string_growing_in_a_loop)
{
  fixture f = looping("", "strcat", thousand_squares, 0, 0);
  judge(&f);
  expect_work(&f, "For each of the n iterations, strcat goes over 1000 n bytes on average. It looks for the end of "
                  "the string in each call: keep a pointer to the end");
  assert_string_equal(f.findings.list[0].evidence,
                      "Bytes at n = 100: 10,000,000; n = 200: 40,000,000; n = 400: 160,000,000; n = 800: 640,000,000; "
                      "n = 1,600: 2,560,000,000. The model reproduces every one of them exactly.");
  assert_float_equal(f.findings.list[0].predictions[0].count.value, 1000.0 * 16000 * 16000, 1);
  release(&f);
  f = looping("", "__isoc99_sscanf", hundred_squares, 0, 0);
  judge(&f);
  expect_work(&f, "read with strtol or strtod");
  release(&f);
}

/* Each call goes over as much as the one before: the loop is linear, and so is all in it. */
TEST(bounded_calls)
{
  fixture f = looping("", "memcpy", thousand_n, 0, 0);
  judge(&f);
  assert_int_equal(f.findings.count, 1);
  assert_int_equal(f.findings.list[0].context, f.loop);
  assert_int_equal(f.findings.list[0].rule, SC_RULE_LINEAR_TRANSITION);
  assert_true(scene_has_member(&f.findings.list[0], f.work));
  release(&f);
  f = looping("", "snprintf", log_factor, 0, 0); /* the digits of numbers up to n */
  judge(&f);
  assert_int_equal(f.findings.count, 1);
  assert_int_equal(f.findings.list[0].context, f.loop);
  assert_true(scene_has_member(&f.findings.list[0], f.work));
  release(&f);
}

/* Once over everything: linear growth, as a loop would be. */
TEST(copied_once)
{
  fixture f = {.graph = scene_new(SIZES, 5, "")};
  f.top = scene_main(f.graph);
  f.work = scene_work(f.graph, f.top, "memcpy", 6, thousand_n, 0);
  judge(&f);
  assert_int_equal(f.findings.count, 1);
  assert_int_equal(f.findings.list[0].context, f.work);
  assert_int_equal(f.findings.list[0].rule, SC_RULE_LINEAR_TRANSITION);
  assert_true(f.findings.list[0].linear);
  assert_non_null(strstr(f.findings.list[0].advice, "memcpy goes over about n bytes."));
  release(&f);
}

/* A copy of 8 n bytes beside a loop of n takes an eighth of what the loop takes, not eight times as much. */
TEST(bytes_weigh_less)
{
  fixture f = {.graph = scene_new(SIZES, 5, "")};
  sc_interval total, own;
  sc_coverage coverage;
  f.top = scene_main(f.graph);
  f.loop = scene_loop(f.graph, f.top, "main", 5, scene_n, 0);
  f.work = scene_work(f.graph, f.top, "memcpy", 6, eight_n, 0);
  judge(&f);
  assert_int_equal(sc_analysis_total(f.analysis, 16000, &total), 0);
  assert_float_equal(total.value, 1 + 16000 + 2000, 1e-6);
  assert_int_equal(sc_analysis_cost(f.analysis, f.work, 16000, &own), 0);
  assert_float_equal(own.value, 2000, 1e-6);
  assert_int_equal(sc_analysis_count(f.analysis, f.work, 16000, &own), 0);
  assert_float_equal(own.value, 128000, 1e-6); /* bytes */
  const sc_finding *copy = scene_find(&f.findings, f.work);
  assert_non_null(copy);
  assert_float_equal(copy->predictions[0].share, 2000.0 / 18001, 1e-9);
  assert_int_equal(sc_coverage_at(f.analysis, &f.findings, SC_COVERAGE_EXECUTIONS, 16000, &coverage), 0);
  assert_float_equal(coverage.total, 18001, 1e-6);
  release(&f);
}

TEST(portions)
{
  fixture f = looping("", "strcat", thousand_squares, 0, 0);
  const uint32_t work[] = {f.work}, both[] = {f.loop, f.work};
  const struct {
    const uint32_t *contexts;
    size_t count;
    enum sc_portion_metric metric;
    double value;
  } cases[] = {{work, 1, SC_PORTION_UNITS, 1000.0 * 16000 * 16000},
               {work, 1, SC_PORTION_COUNT, 1000.0 * 16000 * 16000 / 64},
               {both, 2, SC_PORTION_COUNT, 1000.0 * 16000 * 16000 / 64 + 16000},
               {NULL, 0, SC_PORTION_COUNT, 1000.0 * 16000 * 16000 / 64 + 16001}};
  judge(&f);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_portion *portion;
    sc_interval value;
    assert_int_equal(sc_portion_new(f.analysis, cases[i].contexts, cases[i].count, cases[i].metric, NULL, &portion), 0);
    assert_int_equal(sc_portion_predict(portion, 16000, &value), 0);
    assert_float_equal(value.value, cases[i].value, 1e-3);
    sc_portion_free(portion);
  }
  release(&f);
}

/* The mean of several calls, which differs from run to run. */
static double about_three(double n)
{
  static unsigned run;
  return run++ % 2 ? 3.2 : 3;
}

/* A whole number is no more likely than another: the interval is the model's. */
TEST(bytes_are_not_made_whole)
{
  double sizes[30];
  for (size_t i = 0; i < 30; i++)
    sizes[i] = SIZES[i / 6];
  fixture f = {.graph = scene_new(sizes, 30, "")};
  f.top = scene_main(f.graph);
  f.work = scene_work(f.graph, f.top, "strcat", 6, about_three, 0);
  sc_portion *portion;
  sc_interval value, own;
  judge(&f);
  assert_int_equal(sc_model_predict(sc_analysis_model(f.analysis, f.work), 1000, 0.95, &own), 0);
  assert_true(own.high > own.low && own.high - own.low < 1);
  assert_int_equal(sc_portion_new(f.analysis, &f.work, 1, SC_PORTION_UNITS, NULL, &portion), 0);
  assert_int_equal(sc_portion_predict(portion, 1000, &value), 0);
  assert_float_equal(value.low, own.low, 1e-9);
  assert_float_equal(value.high, own.high, 1e-9);
  sc_portion_free(portion);
  release(&f);
}

/* Work that never amounts to more than ten executions shows nothing. */
TEST(few_bytes)
{
  static const double sizes[] = {2, 4, 8, 16};
  fixture f = {.graph = scene_new(sizes, 4, "")};
  f.top = scene_main(f.graph);
  f.loop = scene_loop(f.graph, f.top, "main", 5, thousand_n, 0);
  f.work = scene_work(f.graph, f.loop, "strcat", 6, scene_square, 0);
  judge(&f);
  assert_null(scene_find(&f.findings, f.work));
  release(&f);
}

/* The sampler placed the time in the library's function. */
TEST(time_of_the_work)
{
  fixture f = looping("task-clock", "strcat", thousand_squares, 1e-4, 1e-9);
  sc_interval cost;
  judge(&f);
  expect_work(&f, "strcat");
  assert_float_equal(sc_analysis_cost_each(f.analysis, f.work), 1e-9, 1e-14);
  assert_int_equal(sc_analysis_cost(f.analysis, f.work, 16000, &cost), 0);
  assert_float_equal(cost.value, 256, 1e-3);
  release(&f);
}

/* The sampler saw the loop alone: its own time is a n + b n^2, and the library's part of it is the work's. */
TEST(time_of_the_caller)
{
  fixture f = looping("task-clock", "strcat", thousand_squares, 1e-4, 0);
  sc_interval cost;
  for (size_t i = 0; i < 5; i++) {
    double n = SIZES[i], more = 1e-9 * thousand_squares(n);
    assert_int_equal(sc_graph_add(f.graph, i, f.loop, SC_METRIC_COST, more), 0);
    sc_graph_run(f.graph, i)->samples += (uint64_t)ceil(more * 1000);
  }
  judge(&f);
  expect_work(&f, "strcat"); /* and no growing cost of the loop, which would be the same said again */
  assert_int_equal(sc_analysis_cost(f.analysis, f.work, 16000, &cost), 0);
  assert_float_equal(cost.value, 256, 8);
  assert_true(cost.low < 256 && cost.high > 256);
  assert_int_equal(sc_analysis_cost(f.analysis, f.loop, 16000, &cost), 0);
  assert_float_equal(cost.value, 1.6, 0.8);
  release(&f);
}

/* Too few samples to see any growth: what 64 bytes take is known well enough to predict by. */
TEST(runs_of_milliseconds)
{
  fixture f = looping("task-clock", "strcat", scene_square, 0, 0);
  sc_interval cost;
  static const double seconds[] = {0, 0, 0.001, 0.001, 0.002}; /* of the loop, and 0.2 ms of them of 2.56 MB */
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(sc_graph_add(f.graph, i, f.loop, SC_METRIC_COST, seconds[i]), 0);
    sc_graph_run(f.graph, i)->samples += (uint64_t)ceil(seconds[i] * 1000);
    sc_graph_run(f.graph, i)->samples += 30; /* elsewhere */
    assert_int_equal(sc_graph_add(f.graph, i, f.top, SC_METRIC_COST, 0.03), 0);
  }
  judge(&f);
  assert_int_equal(sc_analysis_cost(f.analysis, f.work, 16000, &cost), 0);
  assert_true(cost.value > 16000.0 * 16000 / 64 * 1e-9 && cost.value < 16000.0 * 16000 / 64 * 2e-8);
  release(&f);
}

/* No sample fell there, for the runs are too short: it takes as long as any processor does, and the interval says that
 * nothing was seen. */
TEST(runs_without_samples)
{
  fixture f = looping("task-clock", "strlen", scene_square, 0, 0);
  double least = scene_square(16000) / 64 * 0.25e-9;
  sc_interval cost;
  for (size_t i = 0; i < 5; i++)
    sc_graph_run(f.graph, i)->user_seconds = 1e-3;
  assert_int_equal(sc_graph_add(f.graph, 4, f.top, SC_METRIC_COST, 1e-3), 0); /* the only one of all runs */
  sc_graph_run(f.graph, 4)->samples = 1;
  judge(&f);
  assert_int_equal(sc_analysis_cost(f.analysis, f.work, 16000, &cost), 0);
  assert_true(cost.value >= 0.999 * least && cost.value < 16 * least);
  assert_true(cost.low < 0.9 * least && cost.high > cost.value);
  release(&f);
}

/* What many samples say is so: blocks of fresh pages take no time to clear. */
TEST(faster_than_any_processor)
{
  fixture f = looping("task-clock", "calloc", billion_squares, 1e-4, 1e-14);
  sc_interval cost;
  judge(&f);
  assert_int_equal(sc_analysis_cost(f.analysis, f.work, 16000, &cost), 0);
  assert_float_equal(cost.value, 2560, 1);
  release(&f);
}

/* `fresh`: each block is allocated for its call. */
static sc_interval time_of_blocks(scene_curve bytes, bool fresh)
{
  fixture f = {.graph = scene_new(SIZES, 5, "task-clock")};
  sc_interval cost;
  f.top = scene_main(f.graph);
  f.loop = scene_loop(f.graph, f.top, "main", 5, thousand_n, 0);
  f.work = scene_work(f.graph, f.loop, "memcpy", 6, bytes, 1e-10);
  for (size_t i = 0; fresh && i < 5; i++) {
    sc_usage usage = {.context = f.loop, .via = "malloc", .event = SC_USAGE_EVENT_ACQUIRE};
    sc_resource heap = {.resource_class = SC_RESOURCE_HEAP, .name = "heap", .file = ""};
    usage.values[SC_USAGE_UNITS] = bytes(SIZES[i]);
    assert_int_equal(sc_usage_resource(f.graph, &heap, &usage.resource), 0);
    assert_int_equal(sc_usage_add(f.graph, i, &usage, NULL), 0);
  }
  judge(&f);
  assert_int_equal(sc_analysis_cost(f.analysis, f.work, 16000, &cost), 0);
  release(&f);
  return cost;
}

/* 64,000 bytes a call, and 67,200: what goes over large blocks only beyond the sizes measured may take far longer,
 * but not in the same block again and again. */
TEST(blocks_that_outgrow_caches)
{
  sc_interval small = time_of_blocks(small_blocks, true), large = time_of_blocks(large_blocks, true);
  sc_interval again = time_of_blocks(large_blocks, false);
  assert_true(small.high < 2 * small.value);
  assert_true(large.high > 3 * large.value);
  assert_true(again.high < 2 * again.value);
  assert_float_equal(large.value / small.value, 1.05, 0.01);
}

/* Its own time grows with its executions: none of it is the library's, whatever that goes over. */
TEST(time_without_work)
{
  fixture f = looping("page-faults", "strcat", scene_square, 1, 0);
  sc_interval cost;
  judge(&f);
  assert_int_equal(sc_analysis_cost(f.analysis, f.loop, 16000, &cost), 0);
  assert_float_equal(cost.value, 16000, 160);
  release(&f);
}

/* The comparisons of a search are what it goes over: one finding, which has their cost. A sort compares more. */
TEST(comparisons_of_a_search)
{
  fixture f = looping("task-clock", "lfind", scene_triangle, 0, 0);
  uint32_t library = scene_foreign(f.graph, f.loop, "lfind");
  uint32_t compare = scene_function(f.graph, library, "by_int", scene_triangle, 1e-9);
  judge(&f);
  const sc_finding *found = scene_find(&f.findings, f.work);
  assert_non_null(found);
  assert_int_equal(scene_superlinear(&f.findings), 1);
  assert_true(scene_has_member(found, compare));
  assert_float_equal(found->predictions[0].cost.value, 1e-9 * scene_triangle(16000), 1e-3);
  assert_non_null(strstr(found->advice, "bsearch"));
  release(&f);
  f = looping("task-clock", "qsort", scene_n, 0, 0);
  library = scene_foreign(f.graph, f.loop, "qsort");
  compare = scene_function(f.graph, library, "by_int", scene_triangle, 1e-9);
  judge(&f);
  assert_non_null(scene_find(&f.findings, compare));
  release(&f);
}

/* Of two searches in one loop that make one comparison's calls, it is the one that goes over most. */
TEST(comparisons_of_two_searches)
{
  for (int larger = 0; larger < 2; larger++) {
    fixture f = looping("task-clock", "lfind", larger ? hundred_squares : scene_triangle, 0, 0);
    uint32_t other = scene_work(f.graph, f.loop, "lfind", 7, larger ? scene_triangle : hundred_squares, 0);
    uint32_t library = scene_foreign(f.graph, f.loop, "lfind");
    uint32_t compare = scene_function(f.graph, library, "by_int", hundred_squares, 1e-9);
    judge(&f);
    const sc_finding *found = scene_find(&f.findings, larger ? f.work : other);
    assert_non_null(found);
    assert_ptr_equal(found, &f.findings.list[0]);
    assert_true(scene_has_member(found, compare));
    release(&f);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one call of a library does, split into parts that grow at one another's expense, is judged by its sum. */
#include "unit.h"

#include "transitions_scene.h"

static const double SIZES[] = {100, 200, 400, 800, 1100, 1600};
static double off; /* by how much sums and parts miss their formulas, up and down in turn */

/* A number between 0 and 1 that looks like chance. */
static double chance(double n) { return fmod(sin(n * 12.9898) * 43758.5453, 1) / 2 + 0.5; }
static double sign(double n) { return fmod(n, 200) < 100 ? 1 : -1; }

/* Bytes that move when a deque is emptied from its middle. */
static double all_moved(double n) { return n * n / 4 - n / 2; }
static double moved_within(double n) { return floor(all_moved(n) * (0.2 + 0.6 * chance(n))); }
static double moved_across(double n) { return all_moved(n) - moved_within(n); }

/* A line, and a part of it that has looked like a square so far. */
static double line(double n) { return floor(200 * n * (1 + off * sign(n))); }
static double rising(double n) { return floor(n * n / 16 * (0.97 + 0.06 * chance(n))); }
static double rest_of_line(double n) { return line(n) - rising(n); }

static double bursts(double n) { return floor(100 * n * (0.2 + 3 * chance(n))); }
static double tenth(double n) { return floor(line(n) / 10 * (0.7 + 0.6 * chance(n))); }

static uint32_t library(sc_graph *graph, uint32_t parent, const char *name, scene_curve count)
{
  sc_location location = {
      .kind = SC_LOCATION_FUNCTION, .name = name, .file = "/usr/include/c++/12/bits/stl_deque.h", .line = 9};
  uint32_t context = scene_context(graph, parent, &location);
  scene_fill(graph, context, count, 0);
  return context;
}

/* A loop that calls `erase` n times, which has two parts of work or of calls in functions of its own. */
typedef struct scene {
  scene_program program;
  uint32_t call, parts[2];
} scene;

static double target = 16000;
static scene split(size_t sizes, bool work, scene_curve one, scene_curve other)
{
  scene s = {.program = scene_open(SIZES, sizes, "")};
  sc_graph *graph = s.program.graph;
  s.call = library(graph, scene_loop(graph, s.program.main, "main", 5, scene_n, 0), "erase", scene_n);
  uint32_t inner[] = {library(graph, s.call, "move", scene_n), library(graph, s.call, "move_backward", scene_n)};
  for (int i = 0; i < 2; i++) {
    scene_curve count = i ? other : one;
    s.parts[i] = work ? scene_work(graph, inner[i], "memmove", 7, count, 0) : library(graph, inner[i], "step", count);
  }
  scene_judge(&s.program, &target, 1);
  return s;
}

static bool follows(const scene *s, int part)
{
  return sc_analysis_sum(s->program.analysis, s->parts[part]) != UINT32_MAX;
}

static bool close_scene(scene *s, bool result)
{
  scene_close(&s->program);
  return result;
}

TEST(exact_sum_of_bursty_parts_is_the_finding)
{
  scene s = split(6, true, moved_within, moved_across);
  const sc_finding *found = &s.program.findings.list[0];
  char formula[160];
  assert_true(s.program.findings.count > 0 && found->rule == SC_RULE_LIBRARY_WORK && found->superlinear);
  assert_true(found->together && found->site_count == 2 && found->model.exact);
  sc_model_format(&found->model, "n", formula, sizeof formula);
  assert_string_equal(formula, "0.25 n^2 - 0.5 n");
  assert_float_equal(found->predictions[0].count.value, all_moved(16000), 0.5);
  assert_float_equal(found->predictions[0].count.high, all_moved(16000), 0.5);
  assert_float_equal(found->confidence, 1, 1e-9);
  assert_non_null(strstr(found->evidence, "n = 1,600: 639,200. The model reproduces every one of them exactly."));
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    sc_interval part;
    assert_int_equal(sc_analysis_count(s.program.analysis, s.parts[i], 16000, &part), 0);
    assert_true(part.low < part.value && part.high > part.value); /* how much of it falls to each is not known */
    sum += part.value;
  }
  assert_float_equal(sum, all_moved(16000), 1e-6 * sum);
  scene_close(&s.program);
}

TEST(part_that_outgrows_the_whole_does_not_go_on)
{
  off = 0.01;
  scene s = split(6, false, rising, rest_of_line);
  sc_interval total;
  assert_int_equal(scene_superlinear(&s.program.findings), 0);
  assert_int_equal(s.program.findings.undecided_count, 0);
  assert_true(follows(&s, 0) && follows(&s, 1));
  assert_int_equal(sc_analysis_total_executions(s.program.analysis, 16000, &total), 0);
  assert_in_range((int)total.value, 200 * 16000, 210 * 16000); /* as a square it would come to 16 million */
  scene_close(&s.program);
}

TEST(part_of_what_has_no_model_is_undecided)
{
  scene s = split(6, false, rising, bursts);
  assert_int_equal(scene_superlinear(&s.program.findings), 0);
  assert_true(s.program.findings.undecided_count > 0);
  assert_false(follows(&s, 0));
  scene_close(&s.program);
  /* In functions of the program's own it is a finding: they are not parts of one thing. */
  scene_program own = scene_open(SIZES, 6, "");
  uint32_t loop = scene_loop(own.graph, own.main, "main", 5, scene_n, 0);
  uint32_t step = scene_function(own.graph, scene_function(own.graph, loop, "move", scene_n, 0), "step", rising, 0);
  scene_function(own.graph, scene_function(own.graph, loop, "other", scene_n, 0), "burst", bursts, 0);
  scene_judge(&own, &target, 1);
  assert_non_null(scene_find(&own.findings, step));
  scene_close(&own);
}

static double square(double n) { return floor(n * n / 8 * (1 + 0.02 * sign(n))); }
/* Faster at the largest sizes than any power that is tried, and it scatters. */
static double explosion(double n) { return floor(2000 * pow(n / 400, 7) * (0.8 + 0.4 * chance(n))); }

/* No model of the sum holds, but it is superlinear by any power law, and so are its parts. */
TEST(part_of_what_surely_is_superlinear_is_a_finding)
{
  scene s = split(6, false, square, explosion);
  assert_false(follows(&s, 0));
  assert_non_null(scene_find(&s.program.findings, s.parts[0]));
  scene_close(&s.program);
}

TEST(parts_that_agree_with_their_sum_stand_for_themselves)
{
  off = 0.01;
  scene s = split(6, false, line, tenth);
  assert_false(follows(&s, 0) || follows(&s, 1));
  scene_close(&s.program);
}

TEST(sums_that_parts_follow_are_measured_well)
{
  scene s;
  off = 0.01;
  s = split(SC_TOGETHER_SIZES - 1, false, rising, rest_of_line);
  assert_false(close_scene(&s, follows(&s, 0)));
  s = split(SC_TOGETHER_SIZES, false, rising, rest_of_line);
  assert_true(close_scene(&s, follows(&s, 0)));
  off = 0.8 * SC_TOGETHER_ERROR;
  s = split(6, false, rising, rest_of_line);
  assert_true(close_scene(&s, follows(&s, 0)));
  off = 1.5 * SC_TOGETHER_ERROR;
  s = split(6, false, rising, rest_of_line);
  assert_false(close_scene(&s, follows(&s, 0)));
}

/* From which size on the sum's model predicts an upper end that is `width` times the lower one. */
static double size_of_width(const sc_model *sum, double width)
{
  double low = 1600, high = 1e12;
  for (int i = 0; i < 100; i++) {
    double middle = sqrt(low * high);
    sc_interval there;
    assert_int_equal(sc_model_predict(sum, middle, 0.95, &there), 0);
    *(there.high > width * there.low ? &high : &low) = middle;
  }
  return high;
}

TEST(sums_that_parts_follow_are_sure_enough)
{
  off = 0.8 * SC_TOGETHER_ERROR;
  scene s = split(6, false, rising, rest_of_line);
  double most = size_of_width(sc_analysis_model_at(s.program.analysis, sc_analysis_sum(s.program.analysis, s.parts[0])),
                              SC_TOGETHER_WIDE);
  scene_close(&s.program);
  assert_true(most < 1e11);
  target = 0.99 * most;
  s = split(6, false, rising, rest_of_line);
  assert_true(close_scene(&s, follows(&s, 0)));
  target = 1.01 * most;
  s = split(6, false, rising, rest_of_line);
  assert_false(close_scene(&s, follows(&s, 0)));
  target = 16000;
}

static double share_of_calls; /* of the sum at the largest size; the loop has the rest */
static double calls_of_sum(double n)
{
  return floor(share_of_calls * all_moved(n) * (0.9 + 0.2 * chance(n)) / (0.9 + 0.2 * chance(1600)));
}
static double iterations_of_sum(double n) { return all_moved(n) - calls_of_sum(n); }

static bool is_told_as_one(double calls)
{
  scene_program p = scene_open(SIZES, 6, "");
  share_of_calls = calls;
  uint32_t call = library(p.graph, scene_loop(p.graph, p.main, "main", 5, scene_n, 0), "erase", scene_n);
  sc_location location = *sc_graph_at(p.graph, call);
  location.kind = SC_LOCATION_LOOP;
  location.line++;
  uint32_t loop = scene_context(p.graph, call, &location);
  scene_fill(p.graph, loop, iterations_of_sum, 0);
  (void)library(p.graph, call, "step", calls_of_sum);
  scene_judge(&p, &target, 1);
  const sc_finding *found = scene_find(&p.findings, loop);
  assert_true(found && found->superlinear && found->together);
  bool exact = found->model.exact; /* the sum's own model */
  scene_close(&p);
  return exact;
}

TEST(places_with_nearly_all_of_a_sum_are_told_of_as_one)
{
  assert_true(is_told_as_one(1 - SC_TOGETHER_WHOLE - 0.01));
  assert_false(is_told_as_one(1 - SC_TOGETHER_WHOLE + 0.01));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the findings explain, in words: of programs whose shares are known. */
#include "unit.h"

#include "transitions_scene.h"

#include <stdlib.h>

#include "runner/report/coverage.h"
#include "runner/several/open.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double TARGETS[] = {500, 16000};
static char *const program[] = {"./program", "{n}", NULL};

static double thousand_n(double n) { return 1000 * n; }
static double forty_eight_thousand_n(double n) { return 48000 * n; }
static double sixteen_thousand_n(double n) { return 16000 * n; }
static double a_billion(double n) { return n > 0 ? 1e9 : 0; }

typedef struct fixture {
  sc_judge judge;
  sc_graph *graph;
  uint32_t main;
} fixture;

static fixture *set_up(const char *event)
{
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->judge.study = "scale.db";
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){"n=100..1600", "16000"}, (char **)program,
                                            &f->judge.loaded.workload),
                   0);
  f->graph = f->judge.loaded.graph = scene_new(SIZES, 5, event);
  f->main = scene_main(f->graph);
  return f;
}

static void judge(fixture *f, size_t targets)
{
  f->judge.loaded.analysis = scene_analyse(f->graph, TARGETS, targets);
  f->judge.findings = scene_infer(f->judge.loaded.analysis);
}

static void tear_down(fixture *f)
{
  sc_judge_close(&f->judge);
  free(f);
}

static void expect_sentences(const fixture *f, const char *expected)
{
  sc_buf text = {0};
  assert_int_equal(sc_report_coverage_text(&f->judge, &text), 0);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, expected);
  sc_buf_free(&text);
}

static void expect_table(const fixture *f, int width, const char *expected)
{
  const sc_text_options options = {.width = width, .style = {"", "", "", "", ""}};
  char *text;
  FILE *out = unit_stream(&text);
  assert_int_equal(sc_report_coverage_print(out, &f->judge, &options), 0);
  fclose(out);
  assert_string_equal(text, expected);
  free(text);
}

/* n^2, 48,000 n and 16,000 n: 1 to 3 to 1 at n = 16,000; an execution of the first loop costs five times as much. */
TEST(both_are_broken_down)
{
  fixture *f = set_up("task-clock");
  scene_loop(f->graph, f->main, "main", 3, scene_square, 5e-6);
  scene_loop(f->graph, f->main, "main", 5, forty_eight_thousand_n, 1e-6);
  scene_loop(f->graph, f->main, "main", 7, sixteen_thousand_n, 1e-6);
  judge(f, 2);
  expect_table(f, 100,
               "The finding explains 56% of the processor time and 20% of the executions at n = 16,000. The rest:\n"
               "  processor time  executions\n"
               "             44%         80%  linear growth, 33% in main (scene.c:5:3)\n");
  expect_sentences(f,
                   "The finding explains 56% of the processor time and 20% of the executions at n = 16,000. The rest "
                   "of the processor time: 44% linear growth, 33% in main (scene.c:5:3). The rest of the "
                   "executions: 80% linear growth, 60% in main (scene.c:5:3).");
  tear_down(f);
}

/* What costs next to nothing is executed most: only the executions are left to explain. */
TEST(one_of_two_is_broken_down)
{
  fixture *f = set_up("task-clock");
  scene_loop(f->graph, f->main, "main", 3, scene_square, 1e-3);
  scene_loop(f->graph, f->main, "main", 5, forty_eight_thousand_n, 1e-9);
  scene_loop(f->graph, f->main, "main", 7, a_billion, 1e-9);
  judge(f, 2);
  expect_table(f, 100,
               "The finding explains >99.9% of the processor time and 13% of the executions at n = 16,000. The rest\n"
               "of the executions:\n"
               "     49%  constant in main (scene.c:7:3)\n"
               "     38%  linear growth in main (scene.c:5:3)\n");
  tear_down(f);
}

TEST(enough_is_one_line)
{
  fixture *f = set_up("instructions");
  scene_loop(f->graph, f->main, "main", 3, scene_square, 1);
  scene_loop(f->graph, scene_function(f->graph, f->main, "f", scene_one, 0), "f", 9, scene_square, 1);
  judge(f, 2);
  const char *all = "The findings explain 100% of the cost in instructions and >99.9% of the executions at n = 16,000.";
  expect_sentences(f, all);
  tear_down(f);
}

TEST(without_findings_growth_is_summed_up)
{
  fixture *f = set_up("");
  scene_loop(f->graph, f->main, "main", 3, thousand_n, 0);
  judge(f, 2);
  expect_sentences(f, "Linear or slower growth makes up 100% of the executions at n = 16,000.");
  expect_table(f, 40, "Linear or slower growth makes up 100% of\nthe executions at n = 16,000.\n");
  tear_down(f);
  f = set_up("");
  for (uint32_t i = 0; i < 300; i++)
    scene_loop(f->graph, f->main, "main", 10 + i, scene_n, 0);
  judge(f, 2);
  expect_sentences(f, "Linear or slower growth makes up 100% of the executions at n = 16,000.");
  tear_down(f);
}

TEST(without_a_target_nothing_is_said)
{
  fixture *f = set_up("");
  scene_loop(f->graph, f->main, "main", 3, scene_square, 0);
  judge(f, 0);
  expect_sentences(f, "");
  expect_table(f, 100, "");
  tear_down(f);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_compare_scene.h"

static double two_n(double n) { return 2 * n; }
static double ten_n(double n) { return 10 * n; }
static double thousand_n(double n) { return 1000 * n; }
static double three(double n) { return n > 0 ? 3 : 0; }
static double cube(double n) { return n * n * n; }
static double nearly_n(double n) { return 1.003 * n; }

/* main: a loop over n items, each parsed by a loop of ten steps; then a scan over all pairs. */
typedef struct program {
  uint32_t main, items, parse, steps, scan, pairs;
} program;

static program make(sc_graph *graph, scene_curve steps, scene_curve pairs)
{
  program p = {.main = scene_main(graph)};
  p.items = scene_loop(graph, p.main, "main", 10, scene_n, 1e-6);
  p.parse = scene_function(graph, p.items, "parse", scene_n, 1e-6);
  p.steps = scene_loop(graph, p.parse, "parse", 20, steps, 1e-6);
  p.scan = scene_function(graph, p.main, "scan", scene_one, 0);
  p.pairs = scene_loop(graph, p.scan, "scan", 30, pairs, 1e-6);
  return p;
}

TEST(the_same)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  make(p.base, ten_n, scene_triangle);
  make(p.head, ten_n, scene_triangle);
  pair_compare(&p);
  pair_expect_none(&p);
  assert_int_equal(p.comparison.matched, 7);
  assert_int_equal(p.comparison.renamed, 0);
  assert_true(p.comparison.same_machine);
  pair_free(&p);
}

TEST(renamed)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  program b = make(p.base, ten_n, scene_triangle);
  uint32_t main = scene_main(p.head);
  uint32_t items = scene_loop(p.head, main, "main", 12, scene_n, 1e-6);
  uint32_t read = scene_function(p.head, items, "read_one", scene_n, 1e-6);
  uint32_t steps = scene_loop(p.head, read, "read_one", 22, ten_n, 1e-6);
  uint32_t check = scene_function(p.head, main, "check_all", scene_one, 0);
  uint32_t pairs = scene_loop(p.head, check, "check_all", 35, scene_triangle, 1e-6);
  pair_compare(&p);
  pair_expect_none(&p);
  assert_int_equal(p.comparison.base_of[read], b.parse);
  assert_int_equal(p.comparison.base_of[steps], b.steps);
  assert_int_equal(p.comparison.base_of[check], b.scan);
  assert_int_equal(p.comparison.base_of[pairs], b.pairs);
  assert_int_equal(p.comparison.head_of[b.items], items);
  assert_int_equal(p.comparison.renamed, 4);
  pair_free(&p);
}

/* A C++ function whose parameters changed, in a file that was renamed. */
TEST(changed_signature)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t before = scene_main(p.base), after = scene_main(p.head);
  uint32_t one = scene_function_at(p.base, before, "_ZN4Book3addEi", "Book::add(int)", "/a/book.cpp", 7, scene_n, 0);
  scene_loop(p.base, one, "_ZN4Book3addEi", 9, scene_square, 0);
  uint32_t two =
      scene_function_at(p.head, after, "_ZN4Book3addEil", "Book::add(int, long)", "/b/list.cpp", 70, two_n, 0);
  uint32_t loop = scene_loop(p.head, two, "_ZN4Book3addEil", 72, scene_square, 0);
  pair_compare(&p);
  assert_int_equal(p.comparison.base_of[two], one);
  assert_int_not_equal(p.comparison.base_of[loop], SC_COMPARE_NONE);
  pair_expect_none(&p); /* twice the calls are 0.0006 % of the work */
  pair_free(&p);
}

TEST(extracted)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  program b = make(p.base, ten_n, scene_triangle);
  uint32_t main = scene_main(p.head);
  uint32_t all = scene_function(p.head, main, "all_items", scene_one, 0);
  uint32_t items = scene_loop(p.head, all, "all_items", 5, scene_n, 1e-6);
  uint32_t parse = scene_function(p.head, items, "parse", scene_n, 1e-6);
  uint32_t helper = scene_function(p.head, parse, "steps_of", scene_n, 0);
  uint32_t steps = scene_loop(p.head, helper, "steps_of", 3, ten_n, 1e-6);
  uint32_t scan = scene_function(p.head, main, "scan", scene_one, 0);
  scene_loop(p.head, scan, "scan", 30, scene_triangle, 1e-6);
  pair_compare(&p);
  pair_expect_none(&p);
  assert_int_equal(p.comparison.base_of[items], b.items);
  assert_int_equal(p.comparison.base_of[parse], b.parse);
  assert_int_equal(p.comparison.base_of[steps], b.steps);
  assert_int_equal(p.comparison.base_of[all], SC_COMPARE_NONE);
  pair_free(&p);
  /* and inlined again */
  pair_new(&p, "task-clock");
  main = scene_main(p.base);
  all = scene_function(p.base, main, "all_items", scene_one, 0);
  items = scene_loop(p.base, all, "all_items", 5, scene_n, 1e-6);
  parse = scene_function(p.base, items, "parse", scene_n, 1e-6);
  steps = scene_loop(p.base, parse, "parse", 3, ten_n, 1e-6);
  scan = scene_function(p.base, main, "scan", scene_one, 0);
  scene_loop(p.base, scan, "scan", 30, scene_triangle, 1e-6);
  b = make(p.head, ten_n, scene_triangle);
  pair_compare(&p);
  pair_expect_none(&p);
  assert_int_equal(p.comparison.head_of[items], b.items);
  assert_int_equal(p.comparison.head_of[steps], b.steps);
  pair_free(&p);
}

TEST(order_worse)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  make(p.base, ten_n, scene_triangle);
  program h = make(p.head, scene_square, scene_triangle);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, h.steps);
  assert_int_equal(change->severity, SC_SEVERITY_ERROR); /* two thirds of the cost */
  assert_float_equal(change->factor, 16000, 1);
  assert_float_equal(change->share, 2.0 / 3, 0.01);
  assert_float_equal(change->base.predictions[1].value, 1.6e6, 1);
  assert_float_equal(change->head.predictions[1].value, 2.56e10, 1);
  assert_true(change->emergence >= 100 && change->emergence <= 120); /* exceeds 10 n from 11 on */
  assert_non_null(strstr(change->evidence, "Before: 10 n iterations (n = 100: 1,000;"));
  assert_non_null(strstr(change->evidence, "Now: n^2 iterations"));
  pair_free(&p);
}

TEST(order_better)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  make(p.base, scene_square, scene_triangle);
  program h = make(p.head, ten_n, scene_triangle);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_BETTER, h.steps);
  assert_int_equal(change->severity, SC_SEVERITY_NOTE);
  assert_float_equal(change->factor, 1 / 16000.0, 1e-6);
  pair_free(&p);
}

/* The caller runs as often as the square: what it calls is no news of its own. */
TEST(told_of_the_caller)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t before = scene_main(p.base), after = scene_main(p.head);
  uint32_t loop = scene_loop(p.base, before, "main", 5, scene_n, 1e-6);
  scene_loop(p.base, scene_function(p.base, loop, "step", scene_n, 1e-6), "step", 8, ten_n, 1e-6);
  loop = scene_loop(p.head, after, "main", 5, scene_square, 1e-6);
  uint32_t step = scene_function(p.head, loop, "step", scene_square, 1e-6);
  scene_loop(p.head, step, "step", 8, scene_square, 1e-6);
  pair_compare(&p);
  pair_expect_one(&p, SC_RULE_WORSE_ORDER, loop);
  pair_free(&p);
}

TEST(constant_worse)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t before = scene_main(p.base), after = scene_main(p.head);
  scene_loop(p.base, before, "main", 5, scene_n, 1e-6);
  uint32_t loop = scene_loop(p.head, after, "main", 5, two_n, 1e-6);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_COST, loop);
  assert_float_equal(change->factor, 2, 1e-9);
  assert_int_equal(change->severity, SC_SEVERITY_WARNING);
  pair_free(&p);
  /* three iterations more in a thousand are not worth a word */
  pair_new(&p, "task-clock");
  scene_loop(p.base, scene_main(p.base), "main", 5, scene_n, 1e-6);
  scene_loop(p.head, scene_main(p.head), "main", 5, nearly_n, 1e-6);
  pair_compare(&p);
  pair_expect_none(&p);
  pair_free(&p);
}

TEST(new_code)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  make(p.base, ten_n, scene_triangle);
  program h = make(p.head, ten_n, scene_triangle);
  uint32_t dump = scene_function(p.head, h.main, "dump", scene_one, 0);
  uint32_t loop = scene_loop(p.head, dump, "dump", 50, scene_square, 1e-6);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_NEW_COST, loop);
  assert_true(isinf(change->factor));
  assert_null(change->base.predictions);
  pair_free(&p);
  /* worse than all there was */
  pair_new(&p, "task-clock");
  make(p.base, ten_n, scene_triangle);
  h = make(p.head, ten_n, scene_triangle);
  dump = scene_function(p.head, h.main, "dump", scene_one, 0);
  loop = scene_loop(p.head, dump, "dump", 50, cube, 1e-6);
  pair_compare(&p);
  pair_expect_one(&p, SC_RULE_WORSE_ORDER, loop);
  pair_free(&p);
  /* and little */
  pair_new(&p, "task-clock");
  make(p.base, ten_n, scene_triangle);
  h = make(p.head, ten_n, scene_triangle);
  scene_loop(p.head, scene_function(p.head, h.main, "dump", three, 0), "dump", 50, scene_n, 1e-6);
  pair_compare(&p);
  pair_expect_none(&p);
  pair_free(&p);
}

enum { PLACES = 20 };

/* A program of 12 us an item, and PLACES functions more, each with a loop of its own, that take `share` of all
 * together. `count`: of each, so that others are not taken for the same, renamed. */
static void add_places(sc_graph *graph, const char *word, scene_curve count, double share)
{
  uint32_t main = scene_main(graph), items = scene_loop(graph, main, "main", 10, scene_n, 2e-6);
  scene_loop(graph, scene_function(graph, items, "parse", scene_n, 0), "parse", 20, thousand_n, 1e-8);
  for (int i = 0; i < PLACES && share > 0; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s_%c", word, 'a' + i);
    uint32_t place = scene_function(graph, main, name, count, 0);
    scene_loop(graph, place, name, 8, count, share / (1 - share) * 12e-6 / PLACES / (count(1e6) / 1e6));
  }
}

static void diff_places(scene_pair *p, double before, double after)
{
  pair_new(p, "task-clock");
  add_places(p->base, "old", two_n, before);
  add_places(p->head, "helper", scene_n, after);
  pair_compare(p);
}

/* New linear code in many places, each below 5%: the sum decides. */
TEST(new_code_in_many_places)
{
  scene_pair p;
  diff_places(&p, 0, 0.6);
  const sc_change *change = pair_expect_one(&p, SC_RULE_NEW_COST, SC_COMPARE_NONE);
  assert_int_equal(change->context_count, 2 * PLACES); /* functions and their loops */
  assert_float_equal(change->share, 0.6, 0.001);
  assert_float_equal(change->head.predictions[1].value, PLACES * 320000.0, 1);
  assert_int_equal(sc_graph_at(p.head, change->head.context)->kind, SC_LOCATION_LOOP);
  assert_non_null(strstr(change->evidence, " now, in 40 contexts"));
  pair_free(&p);
  diff_places(&p, 0, 0.052);
  pair_expect_one(&p, SC_RULE_NEW_COST, SC_COMPARE_NONE);
  pair_free(&p);
  diff_places(&p, 0, 0.048);
  pair_expect_none(&p);
  pair_free(&p);
}

/* Places that went make up for it: more than half of what came. */
TEST(replaced_code_in_many_places)
{
  scene_pair p;
  diff_places(&p, 0.45, 0.6);
  assert_int_equal(p.comparison.renamed, 0);
  for (size_t i = 0; i < p.comparison.count; i++)
    assert_int_not_equal(p.comparison.list[i].rule, SC_RULE_NEW_COST);
  pair_free(&p);
}

/* A loop that goes over the items again, inside the one there was. */
TEST(nested_loop)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t before = scene_main(p.base), after = scene_main(p.head);
  uint32_t work = scene_function(p.base, before, "work", scene_one, 0);
  scene_loop(p.base, work, "work", 5, scene_n, 0);
  work = scene_function(p.head, after, "work", scene_one, 0);
  uint32_t outer = scene_loop(p.head, work, "work", 5, scene_n, 0);
  uint32_t inner = scene_loop(p.head, outer, "work", 6, scene_triangle, 0);
  pair_compare(&p);
  pair_expect_one(&p, SC_RULE_WORSE_ORDER, inner);
  pair_free(&p);
}

TEST(gone)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  program b = make(p.base, ten_n, scene_triangle);
  uint32_t dump = scene_function(p.base, b.main, "dump", scene_one, 0);
  uint32_t loop = scene_loop(p.base, dump, "dump", 50, scene_square, 1e-6);
  make(p.head, ten_n, scene_triangle);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_GONE, SC_COMPARE_NONE);
  assert_int_equal(change->head.context, SC_COMPARE_NONE);
  assert_int_equal(change->contexts[0], loop);
  assert_float_equal(change->factor, 0, 1e-12);
  pair_free(&p);
}

/* Threads share the work as it comes: counts that scatter by 5 % are the same. */
TEST(noisy_counts)
{
  uint64_t seed = 7;
  for (int round = 0; round < 20; round++) {
    scene_pair p;
    pair_new(&p, "");
    uint32_t before = scene_main(p.base), after = scene_main(p.head);
    uint32_t base = scene_loop(p.base, before, "main", 5, scene_n, 0);
    uint32_t head = scene_loop(p.head, after, "main", 5, scene_n, 0);
    for (size_t i = 0; i < 5; i++) {
      double noise[2];
      for (int k = 0; k < 2; k++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        noise[k] = 0.1 * (double)(seed >> 11) / 9007199254740992.0;
      }
      assert_int_equal(sc_graph_add(p.base, i, base, SC_METRIC_COUNT, floor(noise[0] * pair_sizes[i])), 0);
      assert_int_equal(sc_graph_add(p.head, i, head, SC_METRIC_COUNT, floor(noise[1] * pair_sizes[i])), 0);
    }
    pair_compare(&p);
    pair_expect_none(&p);
    pair_free(&p);
  }
}

/* Counts without a model that are clearly others than before. */
TEST(cannot_tell)
{
  static const double before[] = {900, 5100, 1200, 8000, 2500}, after[] = {2900, 15500, 4100, 25000, 8100};
  scene_pair p;
  pair_new(&p, "");
  uint32_t base = scene_loop(p.base, scene_main(p.base), "main", 5, scene_n, 0);
  uint32_t head = scene_loop(p.head, scene_main(p.head), "main", 5, scene_n, 0);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(sc_graph_add(p.base, i, base, SC_METRIC_COUNT, before[i]), 0);
    assert_int_equal(sc_graph_add(p.head, i, head, SC_METRIC_COUNT, after[i]), 0);
  }
  pair_compare(&p);
  pair_expect_one(&p, SC_RULE_CHANGE_UNKNOWN, head);
  pair_free(&p);
}

/* Measured at other sizes, in another order. */
TEST(other_sizes)
{
  static const double sizes[] = {150, 320, 700, 1500, 3100, 6000};
  scene_pair p = {scene_new(pair_sizes, 5, ""), scene_new(sizes, 6, "")};
  make(p.base, ten_n, scene_sorting);
  make(p.head, ten_n, scene_sorting);
  pair_compare(&p);
  pair_expect_none(&p);
  pair_free(&p);
}

TEST(other_parameter)
{
  scene_pair p;
  pair_new(&p, "");
  make(p.base, ten_n, scene_triangle);
  make(p.head, ten_n, scene_triangle);
  sc_analysis_options options = {.fit = SC_FIT_OPTIONS_DEFAULT, .variable = "threads", .level = 0.95};
  p.before = scene_analyse(p.base, pair_targets, 2);
  assert_int_equal(sc_analysis_new(p.head, &options, &p.after), 0);
  sc_compare_side base = {p.before, NULL, NULL}, head = {p.after, NULL, NULL};
  assert_int_equal(sc_compare(&base, &head, &p.comparison), SC_E_MISMATCH);
  assert_non_null(strstr(sc_err_message(), "n in the base, threads in the head"));
  pair_free(&p);
}

TEST(another_program)
{
  scene_pair p;
  pair_new(&p, "");
  make(p.base, ten_n, scene_triangle);
  sc_location process = {.kind = SC_LOCATION_PROCESS, .name = "other", .file = ""};
  uint32_t main = scene_function(p.head, scene_context(p.head, 0, &process), "main", scene_one, 0);
  scene_function(p.head, main, "open_window", three, 0);
  scene_loop(p.head, scene_function(p.head, main, "draw", scene_n, 0), "draw", 4, cube, 0);
  p.before = scene_analyse(p.base, pair_targets, 2);
  p.after = scene_analyse(p.head, pair_targets, 2);
  sc_compare_side base = {p.before, NULL, NULL}, head = {p.after, NULL, NULL};
  assert_int_equal(sc_compare(&base, &head, &p.comparison), SC_E_MISMATCH);
  pair_free(&p);
}

static double thousand_squares(double n) { return 1000 * n * n; }

/* main > loop (n) with calls of library functions in it: the lines of the head are those of the base, and more. */
static uint32_t loop_with_calls(sc_graph *graph, uint32_t more, const char *function, scene_curve bytes)
{
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 5 + more, scene_n, 0);
  scene_work(graph, loop, "strlen", 6 + more, thousand_n, 0);
  uint32_t work = scene_work(graph, loop, function, 7 + more, bytes, 0);
  scene_work(graph, loop, "strlen", 8 + more, scene_n, 0);
  return work;
}

/* The same calls some lines further down are the same. */
TEST(library_calls_moved)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t before = loop_with_calls(p.base, 0, "memcpy", thousand_n);
  uint32_t after = loop_with_calls(p.head, 10, "memcpy", thousand_n);
  pair_compare(&p);
  pair_expect_none(&p);
  assert_int_equal(p.comparison.base_of[after], before);
  pair_free(&p);
}

/* Another strlen in front of those that were there does not take the place of one of them. */
TEST(library_call_added)
{
  scene_pair p;
  pair_new(&p, "");
  loop_with_calls(p.base, 0, "memcpy", thousand_n);
  uint32_t work = loop_with_calls(p.head, 1, "memcpy", thousand_n);
  uint32_t loop = sc_graph_parent(p.head, work);
  uint32_t added = scene_work(p.head, loop, "strlen", 5, thousand_squares, 0);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, added);
  assert_int_equal(p.comparison.base_of[added], SC_COMPARE_NONE);
  assert_true(p.comparison.base_of[work] != SC_COMPARE_NONE);
  assert_int_equal(change->severity, SC_SEVERITY_ERROR);
  pair_free(&p);
}

/* stpcpy(end, ...) became strcat(s, ...) in the same line. */
TEST(library_call_worse)
{
  scene_pair p;
  pair_new(&p, "");
  loop_with_calls(p.base, 0, "stpcpy", scene_n);
  uint32_t work = loop_with_calls(p.head, 0, "strcat", thousand_squares);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, work);
  assert_int_equal(change->severity, SC_SEVERITY_ERROR);
  assert_non_null(strstr(change->evidence, "Now: 1000 n^2 bytes"));
  pair_free(&p);
}

/* The string became longer: the same call, of a higher order; and back. */
TEST(library_call_on_more)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t before = loop_with_calls(p.base, 0, "strcat", thousand_n);
  uint32_t after = loop_with_calls(p.head, 3, "strcat", thousand_squares);
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, after);
  assert_int_equal(change->base.context, before);
  assert_false(change->other_unit);
  assert_float_equal(change->factor, 160000, 1);
  pair_free(&p);
  pair_new(&p, "");
  loop_with_calls(p.base, 3, "strcat", thousand_squares);
  after = loop_with_calls(p.head, 0, "strcat", thousand_n);
  pair_compare(&p);
  pair_expect_one(&p, SC_RULE_BETTER, after);
  pair_free(&p);
}

/* Bytes are compared with iterations as executions: one side has no such call. */
TEST(loop_became_a_library_call)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t base = scene_loop(p.base, scene_main(p.base), "main", 5, scene_n, 0);
  uint32_t head = scene_loop(p.head, scene_main(p.head), "main", 5, scene_n, 0);
  uint32_t work = scene_work(p.head, head, "strlen", 6, thousand_squares, 0);
  (void)base;
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, work);
  assert_true(change->other_unit);
  assert_float_equal(change->factor, 160000. * 1000 / 64, 1);
  assert_non_null(strstr(change->evidence, "160,000 iterations before, 25,600,000,000,000 bytes now."));
  pair_free(&p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of programs, and what they would cost if a place grew otherwise: programs whose truth is known. */
#include "unit.h"

#include "transitions/suppose/portion.h"

#include "transitions_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600};

/* main > loop (n) > check (n calls) > loop (n (n - 1) / 2) > leaf (as often), and once more: other > loop (n), each
 * execution of a loop or the leaf takes 1. */
typedef struct program {
  sc_graph *graph;
  sc_analysis *analysis;
  uint32_t outer, check, inner, leaf, other, once;
} program;

static void set_up(program *p)
{
  p->graph = scene_new(sizes, 5, "page-faults");
  uint32_t top = scene_main(p->graph);
  p->outer = scene_loop(p->graph, top, "main", 10, scene_n, 1);
  p->check = scene_function(p->graph, p->outer, "check", scene_n, 0);
  p->inner = scene_loop(p->graph, p->check, "check", 20, scene_triangle, 1);
  p->leaf = scene_function(p->graph, p->inner, "leaf", scene_triangle, 1);
  p->other = scene_function(p->graph, top, "other", scene_one, 0);
  p->once = scene_loop(p->graph, p->other, "other", 30, scene_n, 1);
  p->analysis = scene_analyse(p->graph, NULL, 0);
}

static void tear_down(program *p) { scene_end(p->graph, p->analysis, NULL); }

static double predict(const program *p, const uint32_t *contexts, size_t count, enum sc_portion_metric metric,
                      const sc_suppose *suppose, double n)
{
  sc_portion *portion;
  sc_interval out;
  assert_int_equal(sc_portion_new(p->analysis, contexts, count, metric, suppose, &portion), 0);
  assert_int_equal(sc_portion_predict(portion, n, &out), 0);
  assert_true(out.low <= out.value && out.value <= out.high);
  sc_portion_free(portion);
  return out.value;
}

/* How many times as often as without the suppositions a context is executed. */
static double factor(const program *p, const sc_suppose *s, uint32_t context, double n)
{
  return predict(p, &context, 1, SC_PORTION_COUNT, s, n) / predict(p, &context, 1, SC_PORTION_COUNT, NULL, n);
}

static sc_suppose *suppose(const program *p, const sc_supposition *list, size_t count)
{
  sc_suppose *s;
  if (sc_suppose_new(p->analysis, list, count, &s) < 0)
    fail_msg("%s", sc_err_message());
  return s;
}

TEST(parts_add_up)
{
  program p;
  set_up(&p);
  const uint32_t check[] = {p.check, p.inner, p.leaf}, calls[] = {p.check, p.leaf};
  sc_interval total;
  unit_near(predict(&p, check, 3, SC_PORTION_COST, NULL, 1e6), 1e6 * (1e6 - 1));
  unit_near(predict(&p, calls, 2, SC_PORTION_COUNT, NULL, 1e4), 1e4 + 1e4 * (1e4 - 1) / 2);
  assert_int_equal(sc_analysis_total(p.analysis, 1e6, &total), 0);
  unit_near(predict(&p, NULL, 0, SC_PORTION_COST, NULL, 1e6), total.value);
  unit_near(predict(&p, NULL, 0, SC_PORTION_COUNT, NULL, 1000), 1 + 1000 + 1000 + 2 * 499500 + 1 + 1000);
  sc_portion *one;
  assert_int_equal(sc_portion_new(p.analysis, &p.inner, 1, SC_PORTION_COUNT, NULL, &one), 0);
  assert_int_equal(sc_portion_predict(one, 0, &total), SC_E_INPUT);
  sc_portion_free(one);
  tear_down(&p);
}

/* The loop goes through 4,950 at 100 and grows as n log n from there; the leaf in it goes along, the rest stays. */
TEST(an_order_is_replaced_from_the_smallest_size_on)
{
  program p;
  set_up(&p);
  const uint32_t place[] = {p.check, p.inner};
  sc_supposition what = {.contexts = place, .context_count = 2, .order = {.exponent = 1, .log_exponent = 1}};
  sc_suppose *s = suppose(&p, &what, 1);
  double n = 1e6, fixed = 4950 * (n * log2(n)) / (100 * log2(100));
  assert_false(sc_suppose_changes(s, 0, p.check)); /* called n times: no faster than n log n */
  assert_true(sc_suppose_changes(s, 0, p.inner));
  assert_false(sc_suppose_changes(s, 0, p.leaf));
  unit_near(factor(&p, s, p.leaf, n), fixed / (n * (n - 1) / 2));
  assert_true(factor(&p, s, p.leaf, 100) == 1 && factor(&p, s, p.inner, 10) == 1);
  assert_true(factor(&p, s, p.check, n) == 1);
  unit_near(predict(&p, NULL, 0, SC_PORTION_COST, s, n), 2 * n + 2 * fixed);
  unit_near(predict(&p, NULL, 0, SC_PORTION_COST, s, 100), 200 + 2 * 4950);
  unit_near(predict(&p, &p.leaf, 1, SC_PORTION_COUNT, s, n), fixed);
  sc_suppose_free(s);
  tear_down(&p);
}

/* In each call 49.5 iterations at 100, growing with log n: in a run n log n, as the function is called n times. */
TEST(an_order_of_each_call)
{
  program p;
  set_up(&p);
  const uint32_t place[] = {p.check, p.inner};
  sc_supposition what = {.contexts = place, .context_count = 2, .order = {.log_exponent = 1}, .per_call = true};
  sc_suppose *s = suppose(&p, &what, 1);
  unit_near(predict(&p, &p.inner, 1, SC_PORTION_COUNT, s, 1e6), 1e6 * 49.5 * log2(1e6) / log2(100));
  sc_suppose_free(s);
  what = (sc_supposition){.contexts = &p.leaf, .context_count = 1, .order = {.log_exponent = 1}, .per_call = true};
  assert_int_equal(sc_suppose_new(p.analysis, &what, 1, &s), SC_E_USAGE); /* it has no loop */
  tear_down(&p);
}

TEST(worse_orders_replace_what_grows_fastest)
{
  program p;
  set_up(&p);
  const uint32_t place[] = {p.other, p.once};
  sc_supposition what = {.contexts = place, .context_count = 2, .order = {.exponent = 3}};
  sc_suppose *s = suppose(&p, &what, 1);
  assert_false(sc_suppose_changes(s, 0, p.other));
  unit_near(predict(&p, &p.once, 1, SC_PORTION_COST, s, 1e4), 100 * 1e6);
  sc_suppose_free(s);
  tear_down(&p);
}

/* What is executed once as often costs what it did, to the last part. */
TEST(nothing_supposed_changes_nothing)
{
  program p;
  sc_interval total, supposed;
  sc_portion *portion;
  set_up(&p);
  sc_supposition what = {.contexts = &p.outer, .context_count = 1, .scaled = true, .times = 1};
  sc_suppose *s = suppose(&p, &what, 1);
  assert_int_equal(sc_portion_new(p.analysis, NULL, 0, SC_PORTION_COST, s, &portion), 0);
  for (double n = 50; n < 1e9; n *= 7) {
    assert_int_equal(sc_analysis_total(p.analysis, n, &total), 0);
    assert_int_equal(sc_portion_predict(portion, n, &supposed), 0);
    unit_near(supposed.value, total.value);
    unit_near(supposed.low, total.low);
    unit_near(supposed.high, total.high);
  }
  sc_portion_free(portion);
  sc_suppose_free(s);
  tear_down(&p);
}

TEST(factors_multiply_and_inner_orders_win)
{
  program p;
  set_up(&p);
  const uint32_t nested[] = {p.check, p.inner};
  sc_supposition list[] = {{.contexts = nested, .context_count = 2, .scaled = true, .times = 0.5},
                           {.contexts = &p.leaf, .context_count = 1, .scaled = true, .times = 4}};
  sc_suppose *s = suppose(&p, list, 2);
  unit_near(factor(&p, s, p.inner, 1e5), 0.5); /* not twice, though both its contexts are named */
  unit_near(factor(&p, s, p.leaf, 1e5), 2);
  sc_suppose_free(s);
  list[1] = (sc_supposition){.contexts = &p.leaf, .context_count = 1, .order = {.exponent = 1}};
  s = suppose(&p, list, 2);
  assert_true(sc_suppose_changes(s, 1, p.leaf) && !sc_suppose_changes(s, 1, p.check));
  unit_near(predict(&p, &p.leaf, 1, SC_PORTION_COUNT, s, 1e5), 0.5 * 4950 * 1e3);
  unit_near(predict(&p, NULL, 0, SC_PORTION_COST, s, 1e5), 2e5 + 0.5 * 1e5 * (1e5 - 1) / 2 + 0.5 * 4950 * 1e3);
  sc_suppose_free(s);
  sc_supposition both[] = {{.contexts = nested, .context_count = 2, .order = {.exponent = 1}}, list[0]};
  s = suppose(&p, both, 2); /* an order, and half of it */
  unit_near(predict(&p, &p.inner, 1, SC_PORTION_COUNT, s, 1e5), 0.5 * 4950 * 1e3);
  unit_near(predict(&p, &p.leaf, 1, SC_PORTION_COUNT, s, 1e5), 0.5 * 4950 * 1e3);
  unit_near(predict(&p, &p.check, 1, SC_PORTION_COUNT, s, 1e5), 0.5 * 1e5);
  sc_suppose_free(s);
  list[0] = (sc_supposition){.contexts = nested, .context_count = 2, .scaled = true, .times = 0};
  s = suppose(&p, list, 1);
  unit_near(predict(&p, NULL, 0, SC_PORTION_COST, s, 1e5), 2e5);
  sc_suppose_free(s);
  tear_down(&p);
}

/* What is exact stays exact, with a supposition too. */
TEST(intervals_of_exact_counts_are_exact)
{
  program p;
  sc_portion *portion;
  sc_interval out;
  set_up(&p);
  sc_supposition what = {.contexts = &p.inner, .context_count = 1, .order = {.exponent = 1}};
  sc_suppose *s = suppose(&p, &what, 1);
  assert_int_equal(sc_portion_new(p.analysis, &p.leaf, 1, SC_PORTION_COUNT, s, &portion), 0);
  assert_int_equal(sc_portion_predict(portion, 1e6, &out), 0);
  assert_true(out.high - out.low < 1e-9 * out.value);
  sc_portion_free(portion);
  sc_suppose_free(s);
  tear_down(&p);
}

/* Up and down by more than any function of n says. */
static double wild(double n) { return 1 + floor(n * n * (fmod(n / 100, 8) < 3 ? 50 : 1)); }

static double kilobytes(double n) { return 640 * n; }

/* main > loop (n) > copy (a call a step, 640 bytes in each: ten executions) > wild, without a model. */
TEST(units_executions_and_what_has_no_model)
{
  sc_graph *graph = scene_new(sizes, 5, "");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 10, scene_n, 0),
           copy = scene_work(graph, loop, "memcpy", 11, kilobytes, 0),
           function = scene_function(graph, loop, "wild", wild, 0);
  program p = {.graph = graph, .analysis = scene_analyse(graph, NULL, 0)};
  double sum = 0;
  for (size_t i = 0; i < 5; i++)
    sum += wild(sizes[i]) / (100 * 31);
  unit_near(predict(&p, &copy, 1, SC_PORTION_UNITS, NULL, 1e5), 640e5);
  unit_near(predict(&p, &copy, 1, SC_PORTION_COUNT, NULL, 1e5), 10e5);
  unit_near(predict(&p, &function, 1, SC_PORTION_COUNT, NULL, 1e5), sum * 1e5); /* in proportion to the loop */
  sc_supposition what = {.contexts = &function, .context_count = 1, .order = {.exponent = 0.5}};
  sc_suppose *s = suppose(&p, &what, 1);
  unit_near(predict(&p, &function, 1, SC_PORTION_COUNT, s, 1e6), wild(100) * 100); /* from what was measured at 100 */
  sc_suppose_free(s);
  tear_down(&p);
}

/* log n is 0 at 1: it goes through the count at the next size. */
TEST(a_logarithm_begins_behind_one)
{
  static const double from_one[] = {1, 10, 100, 1000, 10000};
  sc_graph *graph = scene_new(from_one, 5, "");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 10, scene_square, 0);
  program p = {.graph = graph, .analysis = scene_analyse(graph, NULL, 0)};
  sc_supposition what = {.contexts = &loop, .context_count = 1, .order = {.log_exponent = 1}};
  sc_suppose *s = suppose(&p, &what, 1);
  unit_near(predict(&p, &loop, 1, SC_PORTION_COUNT, s, 1e6), 100 * 6);
  sc_suppose_free(s);
  what.order = (sc_order){.exponent = 1};
  s = suppose(&p, &what, 1);
  unit_near(predict(&p, &loop, 1, SC_PORTION_COUNT, s, 1e6), 1e6); /* n through 1 at 1 */
  sc_suppose_free(s);
  tear_down(&p);
}

TEST(places_that_are_not_there_are_refused)
{
  program p;
  sc_suppose *s;
  set_up(&p);
  const uint32_t beyond = 1000000, both[] = {beyond, p.leaf};
  sc_supposition what = {.contexts = &beyond, .context_count = 1, .order = {.exponent = 1}};
  assert_int_equal(sc_suppose_new(p.analysis, &what, 1, &s), SC_E_USAGE);
  what.contexts = both, what.context_count = 0;
  assert_int_equal(sc_suppose_new(p.analysis, &what, 1, &s), SC_E_USAGE);
  what.scaled = true;
  assert_int_equal(sc_suppose_new(p.analysis, &what, 1, &s), SC_E_USAGE);
  what.scaled = false, what.context_count = 2;
  s = suppose(&p, &what, 1);
  assert_true(sc_suppose_changes(s, 0, p.leaf) && !sc_suppose_changes(s, 1, p.leaf) &&
              !sc_suppose_changes(s, 0, beyond));
  sc_suppose_free(s);
  tear_down(&p);
}

static double rough(double n) { return round(n * sqrt(n) * (fmod(n / 100, 3) < 1.5 ? 1.003 : 0.998)); }
static double twice_as_rough(double n) { return 2 * rough(n); }

/* The widest part is the one to measure again; exact ones have no width, even in large numbers. */
TEST(the_widest_part_is_found)
{
  sc_graph *graph = scene_new(sizes, 5, "");
  uint32_t top = scene_main(graph), noisy = scene_loop(graph, top, "main", 10, rough, 0),
           rougher = scene_loop(graph, top, "main", 20, twice_as_rough, 0),
           exact = scene_loop(graph, top, "main", 30, scene_square, 0);
  program p = {.graph = graph, .analysis = scene_analyse(graph, NULL, 0)};
  const uint32_t all[] = {noisy, rougher, exact};
  static const struct {
    size_t from, count;
    int widest;
  } cases[] = {{0, 3, 1}, {1, 2, 1}, {0, 1, 0}, {2, 1, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_portion *portion;
    assert_int_equal(sc_portion_new(p.analysis, all + cases[i].from, cases[i].count, SC_PORTION_COUNT, NULL, &portion),
                     0);
    assert_int_equal(sc_analysis_model(p.analysis, noisy)->verdict, SC_VERDICT_MODEL);
    const sc_model *model = cases[i].widest < 0 ? NULL : sc_analysis_model(p.analysis, all[cases[i].widest]);
    assert_ptr_equal(sc_portion_widest(portion, 1e5), model);
    sc_portion_free(portion);
  }
  tear_down(&p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many times as often contexts are executed under suppositions, computed by hand. */
#include "unit.h"

#include "transitions/suppose/internal.h"
#include "transitions_compare_scene.h"

static double ten_squares(double n) { return 10 * n * n; }
static double squares_and_lines(double n) { return n * n + n; }
/* Up and down by more than any function of n says. */
static double wild(double n) { return 1 + floor(n * n * (fmod(n / 100, 3) < 2 ? 50 : 1)); }

/* main > loop (n) > f (n) > inner (n^2) > deep (10 n^2), and main > g (1) > lines (n) > wild. */
typedef struct program {
  sc_graph *graph;
  sc_analysis *a;
  uint32_t main, loop, f, inner, deep, g, lines, odd;
  sc_suppose *s;
} program;

static program open_program(void)
{
  program p = {.graph = scene_new(pair_sizes, 5, "")};
  p.main = scene_main(p.graph);
  p.loop = scene_loop(p.graph, p.main, "main", 5, scene_n, 0);
  p.f = scene_function(p.graph, p.loop, "f", scene_n, 0);
  p.inner = scene_loop(p.graph, p.f, "f", 8, scene_square, 0);
  p.deep = scene_function(p.graph, p.inner, "deep", ten_squares, 0);
  p.g = scene_function(p.graph, p.main, "g", scene_one, 0);
  p.lines = scene_loop(p.graph, p.g, "g", 3, scene_n, 0);
  p.odd = scene_loop(p.graph, p.lines, "g", 4, wild, 0);
  p.a = scene_analyse(p.graph, pair_targets, 2);
  return p;
}

static void suppose(program *p, const sc_supposition *list, size_t count)
{
  sc_suppose_free(p->s);
  unit_ok(sc_suppose_new(p->a, list, count, &p->s));
}

static void close_program(program *p)
{
  sc_suppose_free(p->s);
  scene_end(p->graph, p->a, NULL);
}

static double factor(const program *p, uint32_t context, double n)
{
  double factors[64];
  assert_true(p->s->group_count <= COUNT(factors));
  sc_suppose_factors(p->s, n, factors);
  return factors[p->s->group[context]];
}

/* Of main, loop, f, inner, deep, g, lines. */
static void factors_are(const program *p, double n, const double expected[7])
{
  const uint32_t contexts[] = {p->main, p->loop, p->f, p->inner, p->deep, p->g, p->lines};
  for (size_t i = 0; i < 7; i++)
    unit_near(factor(p, contexts[i], n), expected[i]);
}

#define FACTORS(...) ((const double[]){__VA_ARGS__})
#define OF(...)      .contexts = (const uint32_t[]){__VA_ARGS__}, .context_count = COUNT(((const uint32_t[]){__VA_ARGS__}))

TEST(nothing_supposed_changes_nothing)
{
  program p = open_program();
  suppose(&p, NULL, 0);
  assert_int_equal(p.s->group_count, 1);
  factors_are(&p, 1e5, FACTORS(1, 1, 1, 1, 1, 1, 1));
  assert_false(sc_suppose_changes(p.s, 0, p.f));
  close_program(&p);
}

/* Whatever is inside is executed in proportion; factors multiply, and of a place in itself the outer one counts. */
TEST(times_multiply_with_what_is_inside)
{
  program p = open_program();
  suppose(&p, &(sc_supposition){OF(p.f), .scaled = true, .times = 3}, 1);
  factors_are(&p, 1e5, FACTORS(1, 1, 3, 3, 3, 1, 1));
  factors_are(&p, 10, FACTORS(1, 1, 3, 3, 3, 1, 1));
  const sc_supposition two[] = {{OF(p.f), .scaled = true, .times = 3},
                                {OF(p.inner, p.lines), .scaled = true, .times = 0.5}};
  suppose(&p, two, 2);
  factors_are(&p, 1e5, FACTORS(1, 1, 3, 1.5, 1.5, 1, 0.5));
  assert_true(sc_suppose_changes(p.s, 0, p.f) && !sc_suppose_changes(p.s, 0, p.inner) &&
              sc_suppose_changes(p.s, 1, p.inner) && sc_suppose_changes(p.s, 1, p.lines) &&
              !sc_suppose_changes(p.s, 2, p.f) && !sc_suppose_changes(p.s, 0, 1000));
  const sc_supposition same[] = {{OF(p.f), .scaled = true, .times = 3}, {OF(p.f), .scaled = true, .times = 5}};
  suppose(&p, same, 2);
  factors_are(&p, 1e5, FACTORS(1, 1, 15, 15, 15, 1, 1));
  suppose(&p, &(sc_supposition){OF(p.deep, p.loop, p.inner), .scaled = true, .times = 7}, 1);
  factors_are(&p, 1e5, FACTORS(1, 7, 7, 7, 7, 1, 1));
  suppose(&p, &(sc_supposition){OF(p.f), .scaled = true, .times = 0}, 1);
  factors_are(&p, 1e5, FACTORS(1, 1, 0, 0, 0, 1, 1));
  close_program(&p);
}

/* From the smallest size on, where both are the same: n^2 in place of 10 n^2 and n for n^2. What is inside goes along.
 */
TEST(orders_begin_at_the_smallest_size)
{
  program p = open_program();
  suppose(&p, &(sc_supposition){OF(p.inner), .order = {1, 0, 1, 0, 0}}, 1);
  static const double at[] = {50, 100, 101, 1600, 1e6};
  for (size_t i = 0; i < COUNT(at); i++) {
    double by = fmin(1, 100 / at[i]);
    factors_are(&p, at[i], FACTORS(1, 1, 1, by, by, 1, 1));
  }
  suppose(&p, &(sc_supposition){OF(p.loop), .order = {0, 0, 0, 0, 0}}, 1);
  factors_are(&p, 1000, FACTORS(1, 0.1, 0.1, 0.1, 0.1, 1, 1));
  suppose(&p, &(sc_supposition){OF(p.inner), .order = {1, 1, 1, 0, 0}}, 1); /* n log n */
  unit_near(factor(&p, p.inner, 1000), 0.1 * log(1000) / log(100));
  /* inside of what is supposed, an order of its own: of its executions, whatever is around */
  const sc_supposition two[] = {{OF(p.loop), .order = {0.5, 0, 0, 0, 0}}, {OF(p.deep), .order = {1, 0, 1, 0, 0}}};
  suppose(&p, two, 2);
  unit_near(factor(&p, p.inner, 10000), 0.1);
  unit_near(factor(&p, p.deep, 10000), 0.01);
  /* and times around an order multiply with it */
  const sc_supposition times[] = {{OF(p.loop), .scaled = true, .times = 3}, {OF(p.inner), .order = {1, 0, 1, 0, 0}}};
  suppose(&p, times, 2);
  factors_are(&p, 1000, FACTORS(1, 3, 3, 0.3, 0.3, 1, 1));
  close_program(&p);
}

/* The later of two orders of one place. */
TEST(later_orders_win)
{
  program p = open_program();
  const sc_supposition two[] = {{OF(p.inner), .order = {1, 0, 1, 0, 0}}, {OF(p.inner), .order = {0, 0, 0, 0, 0}}};
  suppose(&p, two, 2);
  unit_near(factor(&p, p.inner, 1000), 0.01);
  const sc_supposition turned[] = {two[1], two[0]};
  suppose(&p, turned, 2);
  unit_near(factor(&p, p.inner, 1000), 0.1);
  close_program(&p);
}

/* Of a place's contexts those that grow faster than what is supposed; without any, those that grow fastest. */
TEST(contexts_that_grow_faster_are_changed)
{
  program p = open_program();
  suppose(&p, &(sc_supposition){OF(p.loop, p.inner, p.g), .order = {1, 0, 1, 0, 0}}, 1);
  assert_true(!sc_suppose_changes(p.s, 0, p.loop) && sc_suppose_changes(p.s, 0, p.inner) &&
              !sc_suppose_changes(p.s, 0, p.g));
  suppose(&p, &(sc_supposition){OF(p.loop, p.inner, p.g), .order = {3, 0, 3, 0, 0}}, 1);
  assert_true(!sc_suppose_changes(p.s, 0, p.loop) && sc_suppose_changes(p.s, 0, p.inner) &&
              !sc_suppose_changes(p.s, 0, p.g));
  unit_near(factor(&p, p.inner, 1000), 10);
  suppose(&p, &(sc_supposition){OF(p.g, p.lines, p.loop), .order = {2, 0, 2, 0, 0}}, 1);
  assert_true(sc_suppose_changes(p.s, 0, p.loop) && sc_suppose_changes(p.s, 0, p.lines) &&
              !sc_suppose_changes(p.s, 0, p.g));
  suppose(&p, &(sc_supposition){OF(p.loop), .order = {1, 0, 1, 0, 0}}, 1); /* as it does */
  assert_true(sc_suppose_changes(p.s, 0, p.loop));
  unit_near(factor(&p, p.loop, 1000), 1);
  close_program(&p);
}

/* Iterations of a call: of n^2 in n calls there are n in each. */
TEST(orders_of_each_call_are_those_of_loops)
{
  program p = open_program();
  suppose(&p, &(sc_supposition){OF(p.inner, p.f), .per_call = true, .order = {0, 0, 0, 0, 0}}, 1);
  assert_true(sc_suppose_changes(p.s, 0, p.inner) && !sc_suppose_changes(p.s, 0, p.f));
  factors_are(&p, 1000, FACTORS(1, 1, 1, 0.1, 0.1, 1, 1));
  suppose(&p, &(sc_supposition){OF(p.inner), .per_call = true, .order = {2, 0, 2, 0, 0}}, 1);
  factors_are(&p, 1000, FACTORS(1, 1, 1, 10, 10, 1, 1));
  suppose(&p, &(sc_supposition){OF(p.inner, p.lines), .per_call = true, .order = {0.5, 0, 0, 0, 0}}, 1);
  unit_near(factor(&p, p.inner, 10000), 0.1);
  unit_near(factor(&p, p.lines, 10000), 0.1);
  /* what changes how often the function is called changes the loop with it */
  const sc_supposition two[] = {{OF(p.loop), .order = {0, 0, 0, 0, 0}},
                                {OF(p.inner), .per_call = true, .order = {0, 0, 0, 0, 0}}};
  suppose(&p, two, 2);
  factors_are(&p, 1000, FACTORS(1, 0.1, 0.1, 0.01, 0.01, 1, 1));
  close_program(&p);
}

static void is_refused(const program *p, sc_supposition what)
{
  sc_suppose *s;
  assert_int_equal(sc_suppose_new(p->a, &what, 1, &s), SC_E_USAGE);
  assert_null(s);
}

TEST(what_cannot_change_is_refused)
{
  program p = open_program();
  uint32_t process = sc_graph_parent(p.graph, p.main);
  is_refused(&p, (sc_supposition){.order = {1, 0, 1, 0, 0}});
  is_refused(&p, (sc_supposition){.scaled = true, .times = 2});
  is_refused(&p, (sc_supposition){OF(process), .order = {1, 0, 1, 0, 0}});
  is_refused(&p, (sc_supposition){OF(100), .order = {1, 0, 1, 0, 0}});
  is_refused(&p, (sc_supposition){OF(p.f), .per_call = true, .order = {1, 0, 1, 0, 0}});
  is_refused(&p, (sc_supposition){OF(process), .per_call = true, .order = {1, 0, 1, 0, 0}});
  close_program(&p);
}

/* Counts that follow no model go with what is around them, from their own count at the smallest size on. */
TEST(what_has_no_model_begins_at_its_count)
{
  program p = open_program();
  assert_false(sc_analysis_known(p.a, p.odd));
  suppose(&p, &(sc_supposition){OF(p.odd), .order = {0, 0, 0, 0, 0}}, 1);
  const sc_load *load = sc_analysis_load(p.a, p.odd);
  double carrier = sc_model_value(&p.a->models[load->model], 1000);
  unit_near(factor(&p, p.odd, 1000) * load->ratio * carrier, wild(100));
  assert_true(factor(&p, p.odd, 100) == 1 && factor(&p, p.lines, 1000) == 1);
  close_program(&p);
}

/* The count of what an order is supposed of is exact at the anchor, and so beyond; of calls, as the calls are. */
TEST(counts_are_as_sure_as_where_they_begin)
{
  program p = open_program();
  sc_interval count = {-1, -1, -1};
  suppose(&p, &(sc_supposition){OF(p.inner), .order = {1, 0, 1, 0, 0}}, 1);
  uint32_t group = p.s->group[p.inner], model = p.a->series[p.inner];
  assert_int_equal(sc_suppose_count(p.s, group, model, 1000, 0.1, &count), 1);
  unit_near(count.value, 1e5);
  unit_near(count.low, 1e5);
  unit_near(count.high, 1e5);
  assert_int_equal(sc_suppose_count(p.s, group, model, 100, 0.1, &count), 0);
  assert_int_equal(sc_suppose_count(p.s, group, p.a->series[p.f], 1000, 0.1, &count), 0);
  assert_int_equal(sc_suppose_count(p.s, p.s->group[p.f], p.a->series[p.f], 1000, 0.1, &count), 0);
  p.a->models[model].exact = false;
  p.a->models[model].sigma = 0.1;
  p.a->models[model].degrees = 3;
  p.a->models[model].covariance[0][0] = 1e-2;
  sc_interval sure;
  unit_ok(sc_model_predict(&p.a->models[model], 100, 0.95, &sure));
  assert_true(sure.low < sure.value && sure.high > sure.value);
  assert_int_equal(sc_suppose_count(p.s, group, model, 1000, 0.1, &count), 1);
  unit_near(count.low, 1e5 * sure.low / sure.value);
  unit_near(count.high, 1e5 * sure.high / sure.value);
  p.a->models[model].exact = true;
  close_program(&p);
}

/* Of two terms the ratio at the smallest size stays. */
TEST(sums_are_replaced_as_they_are)
{
  program p = {.graph = scene_new(pair_sizes, 5, "")};
  p.main = scene_main(p.graph);
  p.inner = scene_loop(p.graph, p.main, "main", 5, squares_and_lines, 0);
  p.a = scene_analyse(p.graph, pair_targets, 2);
  suppose(&p, &(sc_supposition){OF(p.inner), .order = {1, 0, 1, 0, 0}}, 1);
  unit_near(factor(&p, p.inner, 1000), 10 * 10100.0 / 1001000);
  close_program(&p);
}

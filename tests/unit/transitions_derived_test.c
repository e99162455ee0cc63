/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts that follow others: parts of sums, models of an analysis made of another one's, and what stands below roots.
 */
#include "unit.h"

#include "transitions/model/data.h"
#include "transitions/model/derived.h"
#include "transitions/model/together.h"
#include "transitions_scene.h"

enum { SIZES = 4, SERIES = 4, CONTEXTS = 5 };
static const double doubling[SIZES] = {100, 200, 400, 800};

/* A sum of n^2, known to within a scatter and a drift. */
static sc_model square_with(double scatter, double drift, double centre)
{
  return (sc_model){.terms = {{1, 2, 0}},
                    .term_count = 1,
                    .order = {2, 0, 2},
                    .scatter = scatter,
                    .drift = drift,
                    .n_center = centre,
                    .exact = true};
}

static sc_model part_of(const double *values, const sc_model *sum, const double *sums)
{
  double rows[SIZES];
  sc_model models[1] = {*sum}, model;
  sc_analysis a = {.sizes = (double *)doubling, .run_count = SIZES, .models = models, .model_count = 1};
  memcpy(rows, sums, sizeof rows);
  a.counts = (sc_series_set){.values = rows, .width = SIZES, .count = 1};
  unit_ok(sc_together_model(&a, 0, values, &model));
  return model;
}

static const double squares[SIZES] = {1e4, 4e4, 16e4, 64e4};
enum { ALL = 850000 };

/* All of the executions give the share; what its logarithm scatters and how it falls widen. */
TEST(a_part_follows_its_sum)
{
  sc_model sum = square_with(0.3, 0.4, 0);
  double values[SIZES], off[SIZES] = {0.1, -0.1, -0.1, 0.1}, total = 0;
  for (int curved = 0; curved < 2; curved++) {
    total = 0;
    for (int i = 0; i < SIZES; i++) {
      values[i] = 0.5 * squares[i] * pow(doubling[i] / 100, -0.25) * exp(curved * off[i]);
      total += values[i];
    }
    sc_model part = part_of(values, &sum, squares);
    unit_near(part.terms[0].coefficient, total / ALL);
    assert_true(part.terms[0].exponent == 2 && part.order.exponent == 2 && !part.exact);
    unit_near(part.drift, hypot(0.4, -0.25));
    unit_near(part.scatter, hypot(0.3, curved * sqrt(4 * 0.01 / 2)));
    unit_near(part.n_center, 100 * exp2(1.5));
  }
  sum.n_center = 123;
  unit_near(part_of(values, &sum, squares).n_center, 123);
  sum.n_center = 0.5;
  unit_near(part_of(values, &sum, squares).n_center, 0.5);
}

/* From 95% of the largest size's on it is the sum. */
TEST(nearly_all_of_a_sum_is_the_sum)
{
  sc_model sum = square_with(0.3, 0.4, 0);
  double values[SIZES] = {0, 0, 0, 0.95 * 64e4};
  sc_model part = part_of(values, &sum, squares);
  assert_true(part.exact && part.terms[0].coefficient == 1 && part.drift == 0.4 && part.scatter == 0.3);
  values[SIZES - 1] = nextafter(0.95 * 64e4, 0);
  part = part_of(values, &sum, squares);
  assert_false(part.exact);
  unit_near(part.terms[0].coefficient, 0.95 * 64 / 85);
}

/* Sizes at which there is nothing of the sum say nothing of the share; with two left nothing widens. */
TEST(shares_of_nothing_are_left_out)
{
  static const double late[SIZES] = {0, 4e4, 16e4, 64e4}, later[SIZES] = {0, 0, 16e4, 64e4};
  sc_model sum = square_with(0.3, 0.4, 0);
  double values[SIZES] = {7, 2e4, 4e4, 8e4};
  sc_model part = part_of(values, &sum, late);
  unit_near(part.drift, hypot(0.4, 1));
  unit_near(part.n_center, 400);
  unit_near(part.scatter + 1, 1.3);
  part = part_of(values, &sum, later);
  assert_true(part.drift == 0.4 && part.scatter == 0.3 && part.n_center == 0);
  unit_near(part.terms[0].coefficient, 140007.0 / 800000);
}

/* The context's own count, else of the first context that shared the model and has one in both. */
TEST(models_are_found_again)
{
  uint32_t before[CONTEXTS], after[CONTEXTS];
  static const uint32_t own[] = {SC_NONE, SC_SERIES_ONE, 1, 2};
  sc_analysis base = {.contexts = CONTEXTS, .series = before}, a = {.contexts = CONTEXTS, .series = after};
  for (unsigned way = 0; way < 1 << (4 * CONTEXTS); way += way % 3 + 1) { /* two bits each for before and after */
    for (unsigned c = 0; c < CONTEXTS; c++) {
      before[c] = own[way >> (4 * c) & 3];
      after[c] = own[way >> (4 * c + 2) & 3] == SC_NONE ? SC_NONE : own[way >> (4 * c + 2) & 3] + 10;
    }
    for (uint32_t model = 0; model < 3; model++) {
      uint32_t context = way % CONTEXTS, expected = SC_NONE;
      for (uint32_t c = CONTEXTS; c-- > 0;)
        if (before[c] == model && after[c] != SC_NONE)
          expected = after[c];
      if (model == SC_SERIES_ONE)
        expected = SC_SERIES_ONE;
      if (before[context] == model && after[context] != SC_NONE)
        expected = after[context];
      if (sc_derived_model(&base, &a, model, context) != expected)
        fail_msg("%u: model %u of context %u", way, model, context);
    }
  }
}

/* The values of all models at all sizes, in the order of the models. */
TEST(counts_are_what_models_have)
{
  sc_model models[SERIES] = {0};
  for (int i = 0; i < SERIES; i++)
    models[i] = (sc_model){.terms = {{i + 1, i / 2.0, 0}}, .term_count = 1};
  sc_analysis a = {.sizes = (double *)doubling, .run_count = SIZES, .models = models, .model_count = SERIES};
  unit_ok(sc_derived_count(&a));
  assert_true(a.counts.width == SIZES && a.counts.count == SERIES && a.counted_series == SERIES);
  for (uint32_t i = 0; i < SERIES; i++)
    for (size_t k = 0; k < SIZES; k++)
      unit_near(sc_series_row(&a.counts, i)[k], (i + 1) * pow(doubling[k], i / 2.0));
  sc_series_free(&a.counts);
}

static sc_analysis *below(sc_graph *graph, const char *const *roots, size_t count)
{
  sc_analysis *a;
  sc_analysis_options options = {
      .fit = SC_FIT_OPTIONS_DEFAULT, .roots = roots, .root_count = count, .level = 0.95, .negligible = -1};
  unit_ok(sc_analysis_new(graph, &options, &a));
  return a;
}

/* All that a root calls, however deep, and nothing beside it; of roots inside roots the outermost is the top. */
TEST(what_roots_call_is_in_scope)
{
  static const char *const names[] = {"inner", "outer"};
  sc_graph *graph = scene_new(doubling, SIZES, "");
  uint32_t main = scene_main(graph), beside = scene_function(graph, main, "beside", scene_n, 0);
  uint32_t loop = scene_loop(graph, main, "main", 3, scene_n, 0),
           outer = scene_function(graph, loop, "outer", scene_n, 0);
  uint32_t helper = scene_function(graph, outer, "helper", scene_n, 0);
  uint32_t deep = scene_loop(graph, helper, "helper", 9, scene_n, 0),
           inner = scene_function(graph, deep, "inner", scene_n, 0);
  uint32_t alone = scene_function(graph, beside, "inner", scene_n, 0),
           last = scene_function(graph, alone, "last", scene_n, 0);
  const uint32_t of[] = {0, main, beside, loop, outer, helper, deep, inner, alone, last};
  static const enum sc_scope O = SC_SCOPE_OUT, T = SC_SCOPE_TOP, I = SC_SCOPE_IN;
  const enum sc_scope all[] = {I, I, I, I, I, I, I, I, I, I}, both[] = {O, O, O, O, T, I, I, I, T, I},
                      first[] = {O, O, O, O, O, O, O, T, T, I}, second[] = {O, O, O, O, T, I, I, I, O, O};
  const struct {
    const enum sc_scope *scope;
    size_t from, count;
  } cases[] = {{all, 0, 0}, {both, 0, 2}, {first, 0, 1}, {second, 1, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_analysis *a = below(graph, names + cases[i].from, cases[i].count);
    for (size_t k = 0; k < COUNT(of); k++) {
      if (a->scope[of[k]] != cases[i].scope[k])
        fail_msg("roots %zu, context %zu: %d", i, k, a->scope[of[k]]);
      if (a->scope[of[k]] == SC_SCOPE_OUT)
        assert_true(a->series[of[k]] == SC_NONE);
    }
    sc_analysis_free(a);
  }
  sc_graph_free(graph);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting many series at once, in threads, gives what fitting each alone gives; run under TSan too. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/model/data.h"
#include "transitions/model/predict.h"
#include "transitions/model/sums.h"
#include "transitions_scene.h"

enum { CONTEXTS = 3000, RUNS = 5 };
static const double SIZES[RUNS] = {100, 200, 400, 800, 1600};

static double count_of(uint32_t i, double n)
{
  double scatter = 1 + 0.03 * sin(i * 12.9898 + n * 78.233);
  switch (i % 5) {
  case 0:
    return floor(n * n / (1 + i % 7)) + i;
  case 1:
    return (1 + i) * n + 3;
  case 2:
    return floor(n * log2(n) * scatter) + i;
  case 3:
    return n < 300 ? 0 : 7 + i; /* fewer sizes: their design differs */
  default:
    return floor(pow(n, 1.5) * scatter) + i;
  }
}

typedef struct told {
  size_t times, last;
} told;

static void tell(void *user, size_t done, size_t all)
{
  told *t = user;
  assert_true(done >= t->last && done <= all);
  t->last = done;
  t->times++;
}

static bool same_terms(const sc_model *x, const sc_model *y)
{
  for (size_t i = 0; i < x->term_count; i++)
    if (x->terms[i].coefficient != y->terms[i].coefficient || x->terms[i].exponent != y->terms[i].exponent ||
        x->terms[i].log_exponent != y->terms[i].log_exponent || x->terms[i].shape != y->terms[i].shape)
      return false;
  return true;
}

/* To the last bit: who fits, and what was fitted before, must not matter. */
static void assert_same(const sc_model *x, const sc_model *y)
{
  sc_interval a, b;
  assert_int_equal(x->verdict, y->verdict);
  assert_string_equal(x->why, y->why);
  assert_int_equal(x->term_count, y->term_count);
  assert_int_equal(x->piece_count, y->piece_count);
  assert_int_equal(x->rival_count, y->rival_count);
  assert_true(same_terms(x, y));
  assert_true(x->error == y->error && x->fit_error == y->fit_error && x->sigma == y->sigma && x->mass == y->mass);
  assert_true(x->exponent_low == y->exponent_low && x->exact == y->exact);
  assert_int_equal(sc_model_predict(x, 12345, 0.95, &a), 0);
  assert_int_equal(sc_model_predict(y, 12345, 0.95, &b), 0);
  assert_true(a.value == b.value && a.low == b.low && a.high == b.high);
}

TEST(many_are_fitted_as_each_alone)
{
  sc_graph *graph = scene_new(SIZES, RUNS, "");
  uint32_t main = scene_main(graph);
  told t = {0};
  for (uint32_t i = 0; i < CONTEXTS; i++) {
    char name[32];
    snprintf(name, sizeof name, "f%u", i);
    uint32_t c = scene_context(graph, main, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name, .file = "a.c"});
    for (size_t r = 0; r < RUNS; r++)
      assert_int_equal(sc_graph_add(graph, r, c, SC_METRIC_COUNT, count_of(i, SIZES[r])), 0);
  }
  sc_analysis *analysis;
  sc_analysis_options options = {
      .fit = SC_FIT_OPTIONS_DEFAULT, .variable = "n", .level = 0.95, .progress = tell, .progress_user = &t};
  assert_int_equal(sc_analysis_new(graph, &options, &analysis), 0);
  assert_true(t.times > 0);
  for (size_t i = SC_SERIES_ONE + 1; i < analysis->counts.count; i++) {
    sc_model alone;
    const sc_series series = {
        .n = analysis->sizes, .y = sc_series_row(&analysis->counts, (uint32_t)i), .count = RUNS, .counts = true};
    assert_int_equal(sc_fit_select(&series, &options.fit, &alone), 0);
    assert_same(&analysis->models[i], &alone);
  }
  assert_true(analysis->counts.count > CONTEXTS * 9 / 10);
  scene_end(graph, analysis, NULL);
}

/* What was summed up at a size is what summing it up again gives. */
TEST(sums_are_remembered)
{
  sc_graph *graph = scene_new(SIZES, RUNS, "");
  uint32_t main = scene_main(graph);
  scene_loop(graph, main, "a", 1, scene_square, 0);
  scene_loop(graph, main, "b", 2, scene_n, 0);
  sc_analysis *analysis = scene_analyse(graph, NULL, 0);
  for (int round = 0; round < 2; round++)
    for (double n = 1; n < 1e12; n *= 1.01) { /* more sizes than are kept */
      sc_interval total, again;
      assert_int_equal(sc_analysis_total(analysis, n, &total), 0);
      assert_int_equal(sc_blend_predict(&analysis->total, analysis->models, n, 0.95, &again), 0);
      sc_sums_whole(&again);
      assert_true(total.value == again.value && total.low == again.low);
    }
  scene_end(graph, analysis, NULL);
}

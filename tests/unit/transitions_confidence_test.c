/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_scene.h"

#include "transitions/model/confidence.h"
#include "transitions/model/superlinear.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double FAR[] = {16000};

typedef struct fixture {
  sc_graph *graph;
  sc_analysis *near, *far; /* ranked at the largest measured size, and at ten times that */
} fixture;

static int set_up(void **state)
{
  static fixture f;
  f.graph = scene_new(SIZES, 5, "");
  scene_loop(f.graph, scene_main(f.graph), "main", 3, scene_n, 0);
  f.near = scene_analyse(f.graph, NULL, 0);
  f.far = scene_analyse(f.graph, FAR, 1);
  *state = &f;
  return 0;
}

static int tear_down(void **state)
{
  fixture *f = *state;
  sc_analysis_free(f->near);
  scene_end(f->graph, f->far, NULL);
  return 0;
}

static sc_model noisy(void)
{
  return (sc_model){.terms = {{1, 2, 0}},
                    .term_count = 1,
                    .order = {2, 0, 2},
                    .points = 5,
                    .error = 0.05,
                    .fit_error = 0.02,
                    .n_min = 100,
                    .n_max = 1600};
}

static const sc_interval SHARP = {1000, 1000, 1000}, WIDE = {1000, 0, 2000};

TEST(exact_is_certain)
{
  const fixture *f = *state;
  sc_model model = noisy();
  model.exact = true;
  assert_float_equal(sc_confidence(f->far, &model, &SHARP), 1, 1e-12);
  model.points = 2; /* a line through two points is exact too, and says nothing */
  assert_float_equal(sc_confidence(f->far, &model, &SHARP), 0.25, 1e-12);
}

TEST(each_factor)
{
  const fixture *f = *state;
  sc_model model = noisy();
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 1 / 1.2, 1e-12); /* the error of 5 % */
  assert_float_equal(sc_confidence(f->near, &model, &WIDE), 1 / 1.2 / 1.5, 1e-12);
  assert_float_equal(sc_confidence(f->near, &model, &(sc_interval){1000, 0, INFINITY}), 1 / 1.2 / 2, 1e-12);
  assert_float_equal(sc_confidence(f->far, &model, &SHARP), 1 / 1.2 / 1.05, 1e-12);
  model.points = 3;
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0.5 / 1.2, 1e-12);
  model.rivals[0].terms[0] = (sc_term){3, 1, 1};
  model.rivals[0].term_count = model.rival_count = 1;
  model.rivals[0].weight = 0.06;
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0.7 * 0.5 / 1.2, 1e-12);
  model.rivals[0].terms[0].exponent = 1.5; /* half an exponent is another order, less is not */
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0.7 * 0.5 / 1.2, 1e-12);
  model.rivals[0].terms[0].exponent = 1.51;
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0.5 / 1.2, 1e-12);
  model.rivals[0].terms[0].exponent = 1;
  model.rivals[0].weight = 0.04; /* it only widens the interval */
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0.5 / 1.2, 1e-12);
  model.rivals[0].weight = 1;
  model.rivals[0].terms[0].exponent = 2; /* of the same order: harmless */
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0.5 / 1.2, 1e-12);
}

TEST(hostile_numbers)
{
  const fixture *f = *state;
  sc_model model = noisy();
  const sc_interval nothing = {0, 0, 0}, endless = {1000, 0, INFINITY};
  model.error = INFINITY;
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0, 0);
  model.error = -1; /* unknown: the fit's own error counts */
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 1 / 1.08, 1e-12);
  assert_float_equal(sc_confidence(f->near, &model, &nothing), 0.5 / 1.08, 1e-12);
  assert_float_equal(sc_confidence(f->near, &model, &endless), 0.5 / 1.08, 1e-12);
  model.points = 0;
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0, 0);
  model = noisy();
  model.verdict = SC_VERDICT_CANNOT_TELL;
  assert_float_equal(sc_confidence(f->near, &model, &SHARP), 0, 0);
}

static double scattered(double n) { return rint(n * n * (n == 200 || n == 800 ? 0.97 : 1.03)); }
static double bent(double n) { return rint(pow(n, n > 500 ? 1.3 : 2)); }
static double slow(double n) { return rint(pow(n, 1.43) * (n == 200 || n == 800 ? 0.97 : 1.03)); }
static double jumps(double n) { return n > 1000 ? 40 * n : n; }

/* The confidence that a count grows superlinearly, whatever its interval, with a model of this least exponent. */
static double in_growth(scene_curve curve, double exponent_low)
{
  sc_graph *graph = scene_new(SIZES, 5, "");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, curve, 0);
  sc_analysis *analysis = scene_analyse(graph, FAR, 1);
  sc_model model = noisy();
  model.exponent_low = exponent_low;
  model.rivals[0].terms[0] = (sc_term){3, 3, 0};
  model.rivals[0].term_count = model.rival_count = 1;
  model.rivals[0].weight = 0.5;
  double confidence = sc_superlinear_certain(analysis, loop, &model) ? sc_confidence_in_growth(analysis, &model) : 0;
  scene_end(graph, analysis, NULL);
  return confidence;
}

TEST(growth_is_more_certain_than_its_amount)
{
  assert_float_equal(in_growth(scattered, 2), 1 / 1.2 / 1.05, 1e-12);
  assert_float_equal(in_growth(scattered, 1.4), 1 / 1.2 / 1.05, 1e-12);
  assert_float_equal(in_growth(scattered, 1.39), 0, 0); /* a plausible model is not superlinear */
  assert_float_equal(in_growth(bent, 2), 0, 0);         /* the larger half of the sizes grows slower */
  assert_float_equal(in_growth(slow, 2), 0, 0);         /* within its scatter it may grow as n^1.39 */
  assert_float_equal(in_growth(jumps, 2), 0, 0);
}

int main(void) { return unit_run(set_up, tear_down); }

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of terms along one parameter n, fitted to relative residuals, validated and ranked: computed by hand. */
#include "unit.h"

#include <math.h>

#include "regress/surface/internal.h"

static sc_surface_engine *engine_of(const double *n, const double *y, size_t count)
{
  sc_surface_engine *engine;
  sc_surface surface;
  const sc_surface_series series = {.at = n, .y = y, .count = count, .parameters = 1};
  assert_int_equal(sc_surface_new(&SC_FIT_OPTIONS_DEFAULT, &engine), 0);
  assert_int_equal(sc_surface_run(engine, &series, &surface), 0);
  engine->ranks = 0;
  engine->space = (sc_surface_space){0};
  return engine;
}

/* A hypothesis: the sum of n^a for each of `count` exponents. */
static void propose(sc_surface_engine *engine, const double *exponents, size_t count, double cost)
{
  sc_surface_candidate one = {.count = count,
                              .parameters = count,
                              .cost = cost,
                              .forward_square = 77,
                              .forward_error = 7,
                              .rss = 70}; /* of no account */
  for (size_t i = 0; i < count; i++)
    one.terms[i] = (sc_surface_term){1, {{1, exponents[i], 0, 0, SC_SHAPE_PLAIN, 0}}};
  engine->ranked[engine->ranks++] = one;
}

static const sc_surface_candidate *examined(sc_surface_engine *engine)
{
  assert_int_equal(sc_surface_examine(engine), 0);
  return engine->ranks ? &engine->ranked[0] : NULL;
}

/* Of y = 1 at one run and y = 2 in two, the constant c misses c - 1 and, twice, c / 2 - 1: least for c = 4/3. */
TEST(repeats_weigh_and_residuals_are_relative)
{
  static const double n[] = {10, 20, 20}, y[] = {1, 2, 2}, exponents[] = {0};
  sc_surface_engine *engine = engine_of(n, y, 3);
  propose(engine, exponents, 1, 0);
  const sc_surface_candidate *c = examined(engine);
  unit_near(c->terms[0].coefficient, 4.0 / 3);
  unit_near(c->rss, 1.0 / 9 + 2 * 1.0 / 9);
  unit_near(c->covariance[0][0], 1 / (1 + 2 * 0.25));
  assert_true(c->fold_square[0] < 0 && c->forward_error < 0); /* two sizes: no fold */
  unit_near(c->forward_square, 3 * c->rss / 3);               /* three times the mean square */
  sc_surface_free(engine);
}

TEST(sums_have_their_coefficients)
{
  static const double n[] = {1, 2, 3, 4, 5}, y[] = {105, 120, 145, 180, 225}, exponents[] = {2, 0};
  sc_surface_engine *engine = engine_of(n, y, 5);
  propose(engine, exponents, 2, 0);
  const sc_surface_candidate *c = examined(engine); /* 5 n^2 + 100 */
  unit_near_by(c->terms[0].coefficient, 5, 1e-7);
  unit_near_by(c->terms[1].coefficient, 100, 1e-7);
  assert_true(c->rss < 1e-15 && c->forward_error < 1e-7);
  double xx = 0, x1 = 0, one = 0;
  for (size_t i = 0; i < 5; i++) {
    xx += pow(n[i], 4) / (y[i] * y[i]), x1 += n[i] * n[i] / (y[i] * y[i]), one += 1 / (y[i] * y[i]);
  }
  double determinant = xx * one - x1 * x1;
  unit_near(c->covariance[0][0], one / determinant);
  unit_near(c->covariance[0][1], -x1 / determinant);
  unit_near(c->covariance[1][1], xx / determinant);
  sc_surface_free(engine);
}

/* From four values on the largest is held out: the others say 1, and it is 2. */
TEST(the_largest_of_four_values_is_held_out)
{
  static const double n[] = {1, 2, 3, 4, 4}, y[] = {1, 1, 1, 2, 2}, exponents[] = {0};
  sc_surface_engine *engine = engine_of(n, y, 5);
  propose(engine, exponents, 1, 0);
  const sc_surface_candidate *c = examined(engine);
  unit_near(c->fold_square[0], 0.25);
  unit_near(c->forward_square, 0.25);
  unit_near(c->forward_error, 0.5);
  for (size_t f = 1; f < SC_SURFACE_FOLDS; f++)
    assert_true(c->fold_square[f] < 0);
  sc_surface_free(engine);
}

/* 1 and n, where n is 1 + d and 1 - d in turn: of singular values sqrt(1 + c) and sqrt(1 - c) with c = 1 / sqrt(1 +
 * d^2), the smaller is d / 2 of the larger. */
TEST(columns_are_parallel_below_1e_11)
{
  static const double smaller[] = {0.9e-11, 1.1e-11}, exponents[] = {0, 1};
  for (size_t i = 0; i < 2; i++) {
    double n[4], y[] = {1, 1, 1, 1};
    for (size_t k = 0; k < 4; k++)
      n[k] = 1 + (k % 2 ? -2 : 2) * smaller[i];
    sc_surface_engine *engine = engine_of(n, y, 4);
    propose(engine, exponents, 2, 0);
    assert_int_equal(examined(engine) != NULL, i == 1);
    sc_surface_free(engine);
  }
  sc_surface_engine *engine = engine_of((double[]){1, 2}, (double[]){3, 4}, 2);
  propose(engine, (double[]){0, 1}, 2, 0);
  propose(engine, (double[]){0, 1, 2}, 3, 0); /* more terms than points */
  const sc_surface_candidate *c = examined(engine);
  assert_true(engine->ranks == 1 && c->count == 2);
  sc_surface_free(engine);
}

/* A free exponent is searched 0.05 around where it began, and the least lies within the half of that: by Brent's rule
 * the sum in the middle must be better than at both ends. */
TEST(free_exponents_are_polished)
{
  static const struct {
    double truth, found;
  } cases[] = {{1.52, 1.52}, {1.524, 1.524}, {1.476, 1.476}, {1.527, 1.5}, {1.473, 1.5}, {1.6, 1.5}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double n[] = {10, 20, 40, 80, 160}, y[5], exponents[] = {1.5};
    for (size_t k = 0; k < 5; k++)
      y[k] = 3 * pow(n[k], cases[i].truth);
    sc_surface_engine *engine = engine_of(n, y, 5);
    propose(engine, exponents, 1, 0);
    engine->ranked[0].free = 1;
    engine->space.count[0] = 1;
    engine->space.factor[0][0] = (sc_surface_factor){{1, 1.5, 0, 0, SC_SHAPE_PLAIN, 0}, 0, true};
    const sc_surface_candidate *c = examined(engine);
    unit_near_by(c->terms[0].factor[0].exponent, cases[i].found, 1e-6);
    sc_surface_free(engine);
  }
}

/* The least sum of log variance, price of parameters and cost comes first. */
TEST(the_best_score_comes_first)
{
  static const double n[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 4, 5, 6.1}, constant[] = {0}, line[] = {1};
  sc_surface_engine *engine = engine_of(n, y, 6);
  propose(engine, constant, 1, 0);
  propose(engine, line, 1, 3);
  propose(engine, line, 1, 1);
  const sc_surface_candidate *c = examined(engine);
  assert_int_equal(engine->ranks, 3);
  assert_true(c[0].cost == 1 && c[1].cost == 3 && c[2].cost == 0);
  unit_near(c[1].score - c[0].score, 2);
  assert_true(c[2].score > c[1].score);
  double mean = c[0].rss / 6, lack = 0.75 * mean + 0.25 * c[0].forward_square;
  unit_near(c[0].score, 6 * log(lack + 1e-18) + 2 * 6 / 4.0 + 1); /* Akaike's price: 2 p n / (n - p - 1) */
  sc_surface_free(engine);
}

/* The logarithm of a scale is searched four times as far around it: 0.2, and the least lies within half of that. */
TEST(free_scales_are_polished)
{
  static const double off[] = {0.05, 0.097, -0.097, 0.115, -0.115, 0.3};
  for (size_t i = 0; i < COUNT(off); i++) {
    double n[] = {10, 20, 40, 80, 160}, y[5];
    for (size_t k = 0; k < 5; k++)
      y[k] = 3 * n[k] / (n[k] + 50 * exp(off[i]));
    sc_surface_engine *engine = engine_of(n, y, 5);
    const sc_term limit = {1, 0, 0, 0, SC_SHAPE_HYPERBOLIC, 50};
    engine->ranked[0] = (sc_surface_candidate){.terms = {{1, {limit}}}, .count = 1, .parameters = 2, .free = 1};
    engine->ranks = 1;
    engine->space.count[0] = 1;
    engine->space.factor[0][0] = (sc_surface_factor){limit, 0, true};
    const sc_surface_candidate *c = examined(engine);
    unit_near_by(c->terms[0].factor[0].scale, fabs(off[i]) < 0.1 ? 50 * exp(off[i]) : 50, 1e-6);
    sc_surface_free(engine);
  }
}

/* Of a single hypothesis, too, it is asked whether it errs alike at points of one value: here it does not. */
TEST(a_single_hypothesis_has_its_evidence)
{
  static const double n[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 4, 5, 6.1}, line[] = {1};
  sc_surface_engine *engine = engine_of(n, y, 6);
  propose(engine, line, 1, 0);
  engine->effect[0] = 7;
  engine->points.independent = 2;
  const sc_surface_candidate *c = examined(engine);
  assert_true(engine->effect[0] == 1 && engine->points.independent == 6);
  double lack = 0.75 * c->rss / 6 + 0.25 * c->forward_square;
  unit_near(c->score, 6 * log(lack + 1e-18) + 2 * 6 / 4.0);
  sc_surface_free(engine);
}

/* What is missed is above in the first half of the sizes and below in the second, whatever the other parameter: 18
 * observations are worth as many less as the design effect says, for each of the hypotheses. */
TEST(evidence_is_weighed_for_every_hypothesis)
{
  double at[18][2], y[18];
  for (size_t i = 0; i < 18; i++) {
    at[i][0] = 10 * exp2((double)(i / 3)), at[i][1] = 1 + (double)(i % 3);
    y[i] = 2 * at[i][0] * (i < 9 ? 1.1 : 0.9) * (1 + 1e-3 * sin(5.0 * (double)i));
  }
  sc_surface_engine *engine;
  static sc_surface surface;
  const sc_surface_series series = {.at = &at[0][0], .y = y, .count = 18, .parameters = 2};
  assert_int_equal(sc_surface_new(&SC_FIT_OPTIONS_DEFAULT, &engine), 0);
  assert_int_equal(sc_surface_run(engine, &series, &surface), 0);
  engine->ranks = 0;
  engine->space = (sc_surface_space){0};
  engine->points.independent = 18;
  propose(engine, (const double[]){1}, 1, 3);
  propose(engine, (const double[]){1}, 1, 1);
  propose(engine, (const double[]){0}, 1, 2);
  const sc_surface_candidate *c = examined(engine);
  assert_true(engine->ranks == 3 && engine->effect[0] > 2.9 && engine->effect[0] < 3 && engine->effect[1] == 1);
  unit_near(engine->points.independent, 18 / engine->effect[0]);
  assert_true(c[0].cost == 1 && c[1].cost == 3 && c[2].cost == 2);
  assert_true(c[0].forward_error > 0.1 && c[0].forward_error < 0.3); /* 0.9 times where it was 1.1 */
  for (size_t i = 0; i < 3;
       i++) { /* validated by the largest sizes, and by the points off the axes: both count alike */
    double squares = 0, folds = 0;
    for (size_t f = 0; f < SC_SURFACE_FOLDS; f++)
      if (c[i].fold_square[f] >= 0)
        squares += c[i].fold_square[f], folds++;
    assert_true(folds == 2);
    unit_near(c[i].forward_square, squares / 2);
  }
  for (size_t i = 0; i < 3; i++)
    unit_near(c[i].score, sc_surface_score(&engine->points, c[i].rss, c[i].forward_square, 1, c[i].cost));
  sc_surface_free(engine);
}

/* That is done for the first six. */
TEST(six_hypotheses_are_polished)
{
  double n[] = {10, 20, 40, 80, 160}, y[5];
  size_t polished = 0;
  for (size_t k = 0; k < 5; k++)
    y[k] = 3 * pow(n[k], 1.52);
  sc_surface_engine *engine = engine_of(n, y, 5);
  for (size_t i = 0; i < 9; i++) {
    propose(engine, (const double[]){1.5}, 1, (double)i);
    engine->ranked[i].free = i != 1;
  }
  engine->space.count[0] = 1;
  engine->space.factor[0][0] = (sc_surface_factor){{1, 1.5, 0, 0, SC_SHAPE_PLAIN, 0}, 0, true};
  assert_non_null(examined(engine));
  assert_int_equal(engine->ranks, 9);
  for (size_t i = 0; i < 9; i++) {
    bool near = fabs(engine->ranked[i].terms[0].factor[0].exponent - 1.52) < 1e-6;
    assert_true(near == (engine->ranked[i].cost != 1 && engine->ranked[i].cost < 7));
    polished += near;
  }
  assert_int_equal(polished, 6);
  sc_surface_free(engine);
}

/* Of equal ones the first stays first. */
TEST(equal_hypotheses_keep_their_order)
{
  static const double n[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 2, 3, 4, 5, 6.1}, line[] = {1};
  sc_surface_engine *engine = engine_of(n, y, 6);
  for (size_t i = 0; i < 4; i++) {
    propose(engine, line, 1, 0);
    engine->ranked[i].free = i; /* nothing that could be polished */
  }
  const sc_surface_candidate *c = examined(engine);
  assert_int_equal(engine->ranks, 4);
  for (size_t i = 0; i < 4; i++)
    assert_true(c[i].free == i && c[i].score == c[0].score);
  sc_surface_free(engine);
}

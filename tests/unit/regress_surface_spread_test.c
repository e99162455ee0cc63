/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From ranked hypotheses to a model: its errors, orders and rivals. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/surface/internal.h"

static const sc_term none = {1, 0, 0, 0, 0, 0}, n1 = {1, 1, 0, 0, 0, 0}, n2 = {1, 2, 0, 0, 0, 0},
                     n3 = {1, 3, 0, 0, 0, 0};

/* n of 10, 20 and 40 by t of 1 and 4, each measured twice: 2 n t, missed by some percent. */
static sc_surface_engine begin(void)
{
  sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT, .effect = {1, 1, 1}};
  double at[12][2], y[12];
  for (size_t i = 0; i < 12; i++) {
    at[i][0] = 10 * exp2((double)(i / 4));
    at[i][1] = i / 2 % 2 ? 4 : 1;
    y[i] = 2 * at[i][0] * at[i][1] * (i % 2 ? 1.01 : 0.99);
  }
  sc_surface_series series = {.at = &at[0][0], .y = y, .count = 12, .parameters = 2};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  return engine;
}

static sc_surface surface(void) { return (sc_surface){.parameters = 2, .along = -1, .center = {20, 2}}; }

static sc_surface_candidate candidate(double coefficient, sc_term n, sc_term t, double rss, double score)
{
  return (sc_surface_candidate){.terms = {{coefficient, {n, t}}},
                                .count = 1,
                                .parameters = 1,
                                .rss = rss,
                                .score = score,
                                .covariance = {{0.25}},
                                .forward_error = 0.125};
}

TEST(a_model_misses_by_its_repeats_and_more)
{
  sc_surface_engine engine = begin();
  const double noise = 12e-4 / 6; /* 1% above and below six means */
  unit_near(engine.points.pure_ss, 12e-4);
  sc_surface s = surface();
  engine.ranked[0] = candidate(2, n1, n1, 5 * noise / 2, 0); /* misses by less than repeats scatter */
  engine.ranks = 1;
  sc_surface_spread(&engine, &s);
  double variance = (12e-4 + 2.5 * noise) / 11;
  unit_near(s.form.sigma, sqrt(variance));
  assert_true(s.form.scatter == 0 && s.form.weight == 1 && s.form.error == 0.125 && s.error == 0.125);
  assert_int_equal(s.form.degrees, 11);
  unit_near(s.form.covariance[0][0], 0.25 * variance);
  double squares_n = 4 * 2 * M_LN2 * M_LN2, squares_t = 12 * M_LN2 * M_LN2; /* of log(n / 20), and of log(t / 2) */
  unit_near(s.form.drift[0], 2 * sqrt(variance / squares_n));
  unit_near(s.form.drift[1], 2 * sqrt(variance / squares_t));
  assert_int_equal(s.rival_count, 0);
  /* by more: what is left beside the noise is how far the true counts are off */
  engine.ranked[0].rss = 5 * 3 * noise;
  sc_surface_spread(&engine, &s);
  unit_near(s.form.sigma, sqrt(3 * noise));
  unit_near(s.form.scatter, sqrt(2 * noise * 6 / 12));
  assert_int_equal(s.form.degrees, 5); /* six points, a coefficient */
  unit_near(s.form.covariance[0][0], 0.25 * 3 * noise);
  /* where residuals at a value err alike, twelve observations are worth three */
  engine.points.independent = 3;
  engine.effect[0] = 4;
  sc_surface_spread(&engine, &s);
  unit_near(s.form.covariance[0][0], 0.25 * 3 * noise * 4);
  unit_near(s.form.drift[0], 2 * 2 * sqrt(3 * 4 * noise / squares_n));
  unit_near(s.form.drift[1], 2 * 2 * sqrt(3 * noise / squares_t));
  assert_int_equal(s.form.degrees, 1); /* six points by fours, less a coefficient: one at least */
  engine.points.independent = 6;
  engine.ranked[0].rss = 0; /* six points by twos are three, less a coefficient */
  sc_surface_spread(&engine, &s);
  assert_int_equal(s.form.degrees, 2);
  sc_surface_points_free(&engine.points);
}

/* As many parameters as points leave nothing to divide by: what is missed is the variance. */
TEST(no_degrees_are_left)
{
  sc_surface_engine engine = begin();
  sc_surface s = surface();
  for (size_t parameters = 5; parameters <= 7; parameters++) {
    engine.ranked[0] = candidate(2, n1, n1, 0.01, 0);
    engine.ranked[0].parameters = parameters;
    engine.ranks = 1;
    sc_surface_spread(&engine, &s);
    unit_near(s.form.sigma, 0.1);
    assert_int_equal(s.form.degrees, 1);
  }
  sc_surface_points_free(&engine.points);
}

/* Two that are next, and those that lead furthest up and down, up to a score of 12 more. */
TEST(rivals_are_the_next_and_the_farthest)
{
  sc_surface_engine engine = begin();
  sc_surface s = surface();
  engine.ranked[0] = candidate(2, n1, n1, 1, 10);
  engine.ranked[1] = candidate(2.1, n1, n1, 1, 10.5);
  engine.ranked[2] = candidate(2.2, n1, n1, 1, 12);
  engine.ranked[3] = candidate(2.3, n1, n1, 1, 13);
  engine.ranked[4] = candidate(3, n2, n1, 1, 14);
  engine.ranked[5] = candidate(1, n1, none, 1, 22);
  engine.ranked[6] = candidate(1, n3, n1, 1, 22.1);
  engine.ranks = 7;
  sc_surface_spread(&engine, &s);
  assert_int_equal(s.rival_count, 4);
  assert_true(s.rivals[0].terms[0].coefficient == 2.1 && s.rivals[1].terms[0].coefficient == 2.2);
  assert_true(s.rivals[2].terms[0].coefficient == 3 && s.rivals[3].terms[0].coefficient == 1);
  unit_near(s.rivals[0].weight, exp(-0.25));
  unit_near(s.rivals[3].weight, exp(-6));
  s.rival_count = 0;
  engine.ranks = 5;
  sc_surface_spread(&engine, &s);
  assert_int_equal(s.rival_count, 3); /* 2.1 leads down */
  sc_surface_points_free(&engine.points);
}

/* Of those that lead equally far the likelier one. */
TEST(equally_far_rivals_are_the_likelier_ones)
{
  sc_surface_engine engine = begin();
  sc_surface s = surface();
  static const double coefficients[] = {2, 2.1, 2.2, 1, 5, 1, 5};
  for (size_t i = 0; i < COUNT(coefficients); i++)
    engine.ranked[i] = candidate(coefficients[i], n1, n1, 1, 10 + 0.5 * (double)i);
  engine.ranks = COUNT(coefficients);
  sc_surface_spread(&engine, &s);
  assert_int_equal(s.rival_count, 4);
  unit_near(s.rivals[2].weight, exp(-0.75));
  unit_near(s.rivals[3].weight, exp(-1));
  assert_true(s.rivals[2].terms[0].coefficient == 1 && s.rivals[3].terms[0].coefficient == 5);
  sc_surface_points_free(&engine.points);
}

/* A search that had to leave out what the model has is its rival, of 5% at least, for the last one there is room for.
 * Those stay that are plausible and have the model's factors. */
TEST(the_other_explanation_is_a_rival)
{
  sc_surface_engine engine = begin();
  sc_surface s = surface();
  s.form = (sc_surface_form){.terms = {{2, {n1, n1}}, {1, {n2, none}}, {1, {n2, n2}}}, .term_count = 2};
  const sc_surface_form known = {.terms = {{3, {n1, none}}}, .term_count = 1, .weight = 0.05};
  for (size_t i = 0; i < 4; i++)
    s.rivals[i] = known;
  s.rival_count = 4;
  s.rivals[1].weight = 0.049;
  s.rivals[2].terms[0].factor[1] = n2; /* none that the model has there */
  s.rivals[3].terms[0].coefficient = 4;
  engine.ranked[0] = candidate(7, n1, n1, 1, 20);
  sc_surface_spread_other(&engine, 10, &s);
  assert_int_equal(s.rival_count, 3);
  assert_true(s.rivals[0].terms[0].coefficient == 3 && s.rivals[1].terms[0].coefficient == 4);
  assert_true(s.rivals[2].terms[0].coefficient == 7 && s.rivals[2].weight == 0.05); /* exp(-5) is less */
  for (size_t i = 0; i < 4; i++)
    s.rivals[i] = known;
  s.rival_count = 4;
  sc_surface_spread_other(&engine, 18, &s);
  assert_int_equal(s.rival_count, 4);
  unit_near(s.rivals[3].weight, exp(-1));
  engine.ranked[0].score = 4; /* better than the model: no more than as likely */
  sc_surface_spread_other(&engine, 18, &s);
  assert_true(s.rivals[3].weight == 1);
  sc_surface_points_free(&engine.points);
}

TEST(terms_are_sorted_by_size)
{
  sc_surface_engine engine = begin();
  /* at n = 40 and t = 4: 160, -800, 3200, and 800 */
  sc_surface_form form = {.terms = {{1, {n1, n1}}, {-20, {n1, none}}, {2, {n2, none}}, {5, {n1, n1}}}, .term_count = 4};
  for (size_t i = 0; i < 4; i++)
    for (size_t j = 0; j < 4; j++)
      form.covariance[i][j] = (double)(10 * i + j);
  sc_surface_sort(&engine.points, &form);
  static const double coefficients[] = {2, 5, -20, 1}, was[] = {2, 3, 1, 0};
  for (size_t i = 0; i < 4; i++) {
    assert_true(form.terms[i].coefficient == coefficients[i]); /* of two equal ones the positive one first */
    for (size_t j = 0; j < 4; j++)
      assert_true(form.covariance[i][j] == 10 * was[i] + was[j]);
  }
  sc_surface_points_free(&engine.points);
}

/* The order in a parameter is that of the fastest factor whose terms are more than 0 together. */
TEST(orders_and_errors_are_described)
{
  sc_surface_engine engine = begin();
  sc_surface s = surface();
  s.form = (sc_surface_form){.terms = {{2, {n1, n1}}}, .term_count = 1};
  sc_surface_describe(&engine.points, &s);
  assert_true(s.interacting && s.effective[0] && s.effective[1]);
  assert_true(s.order[0].exponent == 1 && s.order[1].exponent == 1);
  unit_near(s.r2, 1);
  assert_true(s.fit_error < 1e-12);
  s.form.terms[0].coefficient = 2.2; /* 10% too much */
  sc_surface_describe(&engine.points, &s);
  unit_near(s.fit_error, 0.1);
  double mean = 0, total = 0, left = 0;
  for (size_t i = 0; i < 6; i++)
    mean += engine.points.y[i] / 6;
  for (size_t i = 0; i < 6; i++)
    total += pow(engine.points.y[i] - mean, 2), left += pow(engine.points.y[i] / 10, 2);
  unit_near(s.r2, 1 - left / total);
  s.form = (sc_surface_form){.terms = {{1e4, {none, none}}}, .term_count = 1};
  sc_surface_describe(&engine.points, &s);
  assert_true(s.r2 == 0 && !s.interacting && !s.effective[0] && !s.effective[1] && s.order[0].exponent == 0);
  /* n^2 (t - 4.1): falls at t = 4 */
  s.form = (sc_surface_form){.terms = {{1, {n2, n1}}, {-4.1, {n2, none}}, {3, {n1, none}}}, .term_count = 3};
  sc_surface_describe(&engine.points, &s);
  assert_true(s.order[0].exponent == 0);
  s.form.terms[1].coefficient = -3.9;
  sc_surface_describe(&engine.points, &s);
  assert_true(s.order[0].exponent == 2 && s.order[1].exponent == 1);
  s.form = (sc_surface_form){.terms = {{1, {n1, none}}, {3, {none, n2}}}, .term_count = 2};
  sc_surface_describe(&engine.points, &s);
  assert_true(!s.interacting && s.effective[0] && s.effective[1]);
  assert_true(s.order[0].exponent == 1 && s.order[1].exponent == 2);
  sc_surface_points_free(&engine.points);
}

/* Whatever order they come in. */
TEST(terms_are_sorted_from_any_order)
{
  sc_surface_engine engine = begin();
  static const double coefficients[] = {3, -2, 1, -0.5, 0.25};
  for (size_t k = 0; k < 120; k++) {
    size_t from[5], left[] = {0, 1, 2, 3, 4};
    sc_surface_form form = {.term_count = 5};
    for (size_t i = 0, rest = k; i < 5; rest /= 5 - i++) {
      from[i] = left[rest % (5 - i)];
      left[rest % (5 - i)] = left[4 - i];
    }
    for (size_t i = 0; i < 5; i++) {
      form.terms[i] = (sc_surface_term){coefficients[from[i]], {n1, n1}};
      for (size_t j = 0; j < 5; j++)
        form.covariance[i][j] = (double)(10 * from[i] + from[j]);
    }
    sc_surface_sort(&engine.points, &form);
    for (size_t i = 0; i < 5; i++) {
      assert_true(form.terms[i].coefficient == coefficients[i]);
      for (size_t j = 0; j < 5; j++)
        assert_true(form.covariance[i][j] == (double)(10 * i + j));
    }
  }
  sc_surface_points_free(&engine.points);
}

/* Nothing drifts with what had one value; what stands behind the parameters is of no account. */
TEST(one_value_does_not_drift)
{
  static const double at[][2] = {{10, 4}, {20, 4}, {40, 4}, {80, 4}};
  sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT, .effect = {1, 1, NAN}};
  sc_surface_series series = {.at = &at[0][0], .y = (double[]){80, 161, 319, 640}, .count = 4, .parameters = 2};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  sc_surface s = {.parameters = 2, .along = -1, .center = {28, 4, 1}};
  engine.ranked[0] = candidate(2, n1, n1, 1e-4, 0);
  engine.ranks = 1;
  sc_surface_spread(&engine, &s);
  assert_true(s.form.drift[0] > 0 && s.form.drift[1] == 0 && s.form.drift[2] == 0);
  /* nor do rivals lead away along it: 10 n is more at t = 4 than n t, and than n t^2 / 2, which are more elsewhere */
  static const double coefficients[] = {2, 2.1, 2.2, 1, 10, 0.5, 2.3};
  for (size_t i = 0; i < 7; i++)
    engine.ranked[i] = candidate(coefficients[i], n1, i == 5 ? n2 : i == 3 || i == 4 ? none : n1, 1e-4, (double)i);
  engine.ranks = 7;
  sc_surface_spread(&engine, &s);
  assert_int_equal(s.rival_count, 4);
  assert_true(s.rivals[2].terms[0].coefficient == 1 && s.rivals[3].terms[0].coefficient == 10);
  sc_surface_points_free(&engine.points);
}

/* Of values that are all the same everything is explained by what meets them, and nothing by what does not. */
TEST(equal_values_are_explained_or_not)
{
  static const double at[][2] = {{10, 4}, {20, 4}, {10, 8}};
  sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT};
  sc_surface_series series = {.at = &at[0][0], .y = (double[]){5, 5, 5}, .count = 3, .parameters = 2};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  for (int off = 0; off < 2; off++) {
    sc_surface s = surface();
    s.form = (sc_surface_form){.terms = {{5 + off, {none, none}}}, .term_count = 1};
    sc_surface_describe(&engine.points, &s);
    assert_true(s.r2 == !off);
    unit_near(s.fit_error + 1, 1 + off / 5.0);
  }
  sc_surface_points_free(&engine.points);
}

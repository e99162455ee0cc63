/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a surface says far away, from forms whose covariance, drift and rivals are made up. */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/err.h"
#include "regress/surface/internal.h"

static const sc_term n1 = {1, 1, 0, 0, 0, 0}, none = {1, 0, 0, 0, 0, 0};

#define near_to(value, expected) unit_near_by(value, expected, 1e-7)

/* 3 n t + 50, measured for n of 10 to 100 and t of 1 to 8. */
static sc_surface product(void)
{
  sc_surface made = {.form = {.terms = {{3, {n1, n1}}, {50, {none, none}}},
                              .term_count = 2,
                              .covariance = {{1e-4, 2e-3}, {2e-3, 9}},
                              .degrees = 5,
                              .sigma = 0.01,
                              .scatter = 0.02,
                              .drift = {0.03, 0.04}},
                     .parameters = 2,
                     .along = -1,
                     .points = 20,
                     .low = {10, 1},
                     .high = {100, 8},
                     .center = {30, 3}};
  made.form.drift[2] = made.center[2] = 7; /* what stands behind the parameters is of no account */
  made.low[2] = made.high[2] = NAN;
  made.fixed[2] = true;
  for (size_t i = 0; i < 2; i++)
    made.form.terms[i].factor[2] = (sc_term){1, 3, 0, 0, 0, 0};
  for (size_t i = 0; i < SC_SURFACE_TERMS; i++) { /* nor what stands behind the terms and rivals */
    for (size_t j = 0; j < SC_SURFACE_TERMS; j++)
      made.form.covariance[i][j] = i < 2 && j < 2 ? made.form.covariance[i][j] : NAN;
    made.form.terms[i].coefficient = i < 2 ? made.form.terms[i].coefficient : NAN;
  }
  for (size_t i = 0; i < SC_SURFACE_RIVALS; i++)
    made.rivals[i] = (sc_surface_form){.terms = {{NAN, {n1}}}, .term_count = 1, .weight = 1};
  return made;
}

static sc_interval at(const sc_surface *s, double n, double t)
{
  sc_interval i;
  assert_int_equal(sc_surface_predict(s, (double[]){n, t, -9}, 0.95, &i), 0);
  return i;
}

/* What the coefficients may be off by, what the true counts are off by, and a drift away from the middle. */
static double error_at(double n, double t)
{
  double x = n * t, value = 3 * x + 50, along_n = 0.03 * log(n / 30), along_t = 0.04 * log(t / 3);
  return sqrt(1e-4 * x * x + 2 * 2e-3 * x + 9 + value * value * (0.02 * 0.02 + along_n * along_n + along_t * along_t));
}

TEST(an_interval_has_its_parts)
{
  sc_surface s = product();
  near_to(sc_surface_standard_error(&s, &s.form, (double[]){400, 16}, 3 * 6400 + 50), error_at(400, 16));
  sc_interval i = at(&s, 400, 16);
  near_to(i.value, 19250);
  near_to(i.low, 19250 - gsl_cdf_tdist_Pinv(0.975, 5) * error_at(400, 16));
  near_to(i.high, 19250 + gsl_cdf_tdist_Pinv(0.975, 5) * error_at(400, 16));
  s.form.degrees = 0; /* at least one: Student's t of 0.975 is 12.706 */
  near_to(at(&s, 400, 16).high, 19250 + gsl_cdf_tdist_Pinv(0.975, 1) * error_at(400, 16));
  assert_true(at(&s, 400, 16).low == 0); /* never below */
  s.exact = true;
  i = at(&s, 400, 16);
  assert_true(i.low == 19250 && i.value == 19250 && i.high == 19250);
}

/* Two opinions far apart with shares of 0.8 and 0.2: 2.5% of all are 3.125% of the one, and 12.5% of the other. */
TEST(rivals_widen_the_interval_by_their_share)
{
  sc_surface s = product();
  s.form = (sc_surface_form){.terms = {{1, {n1, none}}}, .term_count = 1, .covariance = {{1e-6}}, .degrees = 5};
  s.rivals[0] = (sc_surface_form){
      .terms = {{2, {n1, none}}}, .term_count = 1, .covariance = {{4e-6}}, .degrees = 9, .weight = 0.25};
  s.rival_count = 1;
  sc_interval i = at(&s, 1000, 8);
  near_to(i.low, 1000 + gsl_cdf_tdist_Pinv(0.025 / 0.8, 5));
  near_to(i.high, 2000 + 2 * gsl_cdf_tdist_Pinv(1 - 0.025 / 0.2, 9));
  assert_true(i.value == 1000);
  s.ambiguous = true; /* all that either says, whatever their shares */
  s.verdict = SC_VERDICT_CANNOT_TELL;
  i = at(&s, 1000, 8);
  near_to(i.low, 1000 - gsl_cdf_tdist_Pinv(0.975, 5));
  near_to(i.high, 2000 + 2 * gsl_cdf_tdist_Pinv(0.975, 9));
  s.rivals[0].terms[0].coefficient = 0.5;
  near_to(at(&s, 1000, 8).low, 500 - 2 * gsl_cdf_tdist_Pinv(0.975, 9));
  s.form.covariance[0][0] = 1e6;
  assert_true(at(&s, 1000, 8).low == 0);
}

/* Without errors of their own, opinions are points. */
TEST(certain_opinions_are_points)
{
  sc_surface s = product();
  s.form = (sc_surface_form){.terms = {{1, {n1, none}}}, .term_count = 1, .degrees = 5};
  assert_true(at(&s, 1000, 8).low == 1000 && at(&s, 1000, 8).high == 1000);
  s.rivals[0] = (sc_surface_form){.terms = {{2, {n1, none}}}, .term_count = 1, .degrees = 5, .weight = 0.02};
  s.rival_count = 1;
  near_to(at(&s, 1000, 8).high, 1000); /* less than 2.5% */
  s.rivals[0].weight = 0.03;
  near_to(at(&s, 1000, 8).high, 2000);
  near_to(at(&s, 1000, 8).low, 1000);
  s.rivals[0].terms[0].coefficient = -2; /* nothing is less than 0 */
  s.rivals[0].weight = 1;
  assert_true(at(&s, 1000, 8).low < 1e-6);
}

TEST(what_is_not_known_is_anything)
{
  sc_surface s = product();
  s.verdict = SC_VERDICT_CANNOT_TELL;
  sc_interval i = at(&s, 400, 16);
  assert_true(i.value == 19250 && i.low == 0 && isinf(i.high));
  s = product();
  s.exact = true;
  s.fixed[1] = true;
  s.low[1] = s.high[1] = 8;
  assert_true(at(&s, 400, 8).high == 3 * 3200 + 50);
  assert_true(at(&s, 400, 9).low == 0 && isinf(at(&s, 400, 9).high));
  static const double bad[][2] = {{0, 1}, {1, -1}, {NAN, 1}, {1, INFINITY}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    assert_int_equal(sc_surface_predict(&s, bad[k], 0.95, &i), SC_E_INPUT);
  unit_has(sc_err_message(), "the value inf of parameter 2");
  for (double level = 0; level <= 1; level++)
    assert_int_equal(sc_surface_predict(&s, (double[]){1, 1}, level, &i), SC_E_INPUT);
  s.fixed[0] = true; /* whichever of them it is */
  s.fixed[1] = false;
  s.low[0] = s.high[0] = 400;
  s.low[1] = 1;
  assert_true(at(&s, 400, 9).high == 3 * 3600 + 50 && isinf(at(&s, 401, 9).high));
  s = product();
  s.form.terms[0].coefficient = 1e300; /* squares are beyond what a double holds */
  s.form.covariance[0][0] = 1e300;
  i = at(&s, 400, 16);
  assert_true(i.low == 0 && isinf(i.high));
}

TEST(one_parameter_alone_has_a_line)
{
  sc_surface s = product();
  s.along = 1;
  s.line = (sc_model){.terms = {{7, 1, 0, 0, 0, 0}},
                      .term_count = 1,
                      .order = {1, 0, 1, 0, 0},
                      .exponent_low = 1,
                      .exact = true,
                      .points = 4,
                      .n_min = 1,
                      .n_max = 8};
  assert_true(sc_surface_value(&s, (double[]){400, 16}) == 112);
  assert_true(at(&s, 400, 16).high == 112 && at(&s, 400, 16).low == 112);
  double size[3];
  s.line.verdict = SC_VERDICT_CANNOT_TELL;
  assert_true(sc_surface_deciding(&s, size));
  assert_true(size[0] == 100 && size[1] == 32);
  s.along = 0;
  s.line.n_max = 100;
  assert_true(sc_surface_deciding(&s, size));
  assert_true(size[0] == 400 && size[1] == 8);
  s.along = 1;
  s.line.n_max = 0; /* nothing was measured */
  assert_false(sc_surface_deciding(&s, size));
}

/* n t against what one of its factors is elsewhere: four deviations, and a tenth, are apart. */
TEST(the_nearest_point_that_decides)
{
  sc_surface s = product();
  double p[3];
  s.form = (sc_surface_form){.terms = {{1, {n1, n1}}}, .term_count = 1, .sigma = 0.01};
  s.rivals[0] = (sc_surface_form){.terms = {{8, {n1, none}}}, .term_count = 1, .weight = 0.05}; /* the same at t = 8 */
  assert_false(sc_surface_deciding(&s, p));                                                     /* none yet */
  s.rival_count = 1;
  assert_true(sc_surface_deciding(&s, p));
  assert_true(p[0] == 100 && p[1] == 12); /* 1.5 times as far */
  s.rivals[0].weight = 0.049;
  assert_false(sc_surface_deciding(&s, p));
  s.rivals[0] = (sc_surface_form){.terms = {{100, {none, n1}}}, .term_count = 1, .weight = 1};
  assert_true(sc_surface_deciding(&s, p));
  assert_true(p[0] == 150 && p[1] == 8);
  s.fixed[0] = true;
  assert_false(sc_surface_deciding(&s, p));
  s.fixed[0] = false;
  /* a rival 25% above everywhere is seen at once with 4.9%, and never with 5.1% */
  s.rivals[0] = (sc_surface_form){.terms = {{1.25, {n1, n1}}}, .term_count = 1, .weight = 1};
  s.form.sigma = 0.049;
  assert_true(sc_surface_deciding(&s, p) && p[0] == 100 && p[1] == 8);
  s.form.sigma = 0.051;
  assert_false(sc_surface_deciding(&s, p));
  s.form.sigma = 0;
  s.rivals[0].terms[0].coefficient = 1 / 0.89;
  assert_true(sc_surface_deciding(&s, p));
  s.rivals[0].terms[0].coefficient = 1 / 0.91;
  assert_false(sc_surface_deciding(&s, p));
  s.points = 0;
  assert_false(sc_surface_deciding(&s, p));
}

/* Where nothing is known, all parameters four times as far; what had one value stays there. */
TEST(without_a_model_all_go_further)
{
  sc_surface s = product();
  double p[3];
  s.verdict = SC_VERDICT_CANNOT_TELL;
  s.high[0] = 100.3;
  assert_true(sc_surface_deciding(&s, p));
  assert_true(p[0] == 402 && p[1] == 32);
  s.fixed[1] = true;
  assert_true(sc_surface_deciding(&s, p));
  assert_true(p[0] == 402 && p[1] == 8);
}

/* Looked at are 1, 1.5, 2.25, 4.5, ... times the largest values: a tenth apart, which (n / 100)^0.1 is from 2.87 on. */
TEST(steps_to_what_decides)
{
  sc_surface s = product();
  double p[3];
  s.form = (sc_surface_form){.terms = {{1, {n1, n1}}}, .term_count = 1};
  s.rivals[0] =
      (sc_surface_form){.terms = {{pow(100, -0.1), {{1, 1.1, 0, 0, 0, 0}, n1}}}, .term_count = 1, .weight = 1};
  s.rival_count = 1;
  assert_true(sc_surface_deciding(&s, p) && p[0] == 450 && p[1] == 8);
  s.rivals[0].terms[0] = (sc_surface_term){pow(100, -0.14), {{1, 1.14, 0, 0, 0, 0}, n1}}; /* 2.12 */
  assert_true(sc_surface_deciding(&s, p) && p[0] == 225);
  s.rivals[0].terms[0] = (sc_surface_term){pow(100, -0.3), {{1, 1.3, 0, 0, 0, 0}, n1}}; /* 1.42 */
  assert_true(sc_surface_deciding(&s, p) && p[0] == 150);
}

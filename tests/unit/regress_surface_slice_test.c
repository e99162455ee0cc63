/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A surface cut along one parameter says what the surface says there. */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "regress/surface/internal.h"

static const sc_term none = {1, 0, 0, 0, 0, 0}, n1 = {1, 1, 0, 0, 0, 0}, n2 = {1, 2, 0, 0, 0, 0};

/* 3 n t + 2 n + 5 t^2 + 50, measured for n of 10 to 100 and t of 1 to 8. */
static sc_surface made(void)
{
  sc_surface s = {.form = {.terms = {{3, {n1, n1}}, {2, {n1, none}}, {5, {none, n2}}, {50, {none, none}}},
                           .term_count = 4,
                           .degrees = 7,
                           .sigma = 0.01,
                           .scatter = 0.02,
                           .drift = {0.03, 0.04},
                           .error = 0.125},
                  .parameters = 2,
                  .along = -1,
                  .points = 20,
                  .low = {10, 1},
                  .high = {100, 8},
                  .center = {30, 3},
                  .r2 = 0.99,
                  .error = 0.125,
                  .fit_error = 0.0625};
  s.form.drift[2] = s.center[2] = 7; /* what stands behind the parameters is of no account */
  s.low[2] = s.high[2] = NAN;
  s.fixed[2] = true;
  for (size_t i = 0; i < 4; i++)
    for (size_t j = 0; j < 4; j++)
      s.form.covariance[i][j] = (i == j ? 1e-2 : 1e-4) * (1 + (double)(i + j));
  for (size_t i = 0; i < SC_SURFACE_TERMS; i++) { /* nor what stands behind the terms and rivals */
    for (size_t j = 0; j < SC_SURFACE_TERMS; j++)
      s.form.covariance[i][j] = i < 4 && j < 4 ? s.form.covariance[i][j] : NAN;
    if (i >= 4)
      s.form.terms[i] = (sc_surface_term){NAN, {n1, n2}};
  }
  for (size_t i = 0; i < SC_SURFACE_RIVALS; i++)
    s.rivals[i] = (sc_surface_form){.terms = {{NAN, {n1}}}, .term_count = 1, .weight = 1};
  return s;
}

static sc_model slice(const sc_surface *s, double n, double t, size_t along)
{
  sc_model m;
  assert_int_equal(sc_surface_slice(s, (double[]){n, t, 9}, along, &m), 0);
  return m;
}

TEST(terms_of_one_function_are_added_up)
{
  sc_surface s = made();
  sc_model m = slice(&s, 0, 16, 0); /* (48 + 2) n + 1280 + 50 */
  assert_true(m.verdict == SC_VERDICT_MODEL && m.term_count == 2);
  assert_true(m.terms[0].exponent == 1 && m.terms[1].exponent == 0);
  unit_near(m.terms[0].coefficient, 50);
  unit_near(m.terms[1].coefficient, 1330);
  static const double factor[2][4] = {{16, 1, 0, 0}, {0, 0, 256, 1}};
  for (size_t a = 0; a < 2; a++)
    for (size_t b = 0; b < 2; b++) {
      double sum = 0;
      for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
          sum += factor[a][i] * factor[b][j] * s.form.covariance[i][j];
      unit_near(m.covariance[a][b], sum);
    }
  unit_near(m.scatter, hypot(0.02, 0.04 * log(16.0 / 3))); /* t's drift is the same for every n */
  assert_true(m.drift == 0.03 && m.n_center == 30 && m.degrees == 7 && m.sigma == 0.01);
  assert_true(m.n_min == 10 && m.n_max == 100 && m.points == 20);
  assert_true(m.r2 == 0.99 && m.error == 0.125 && m.fit_error == 0.0625);
  assert_true(m.order.exponent == 1 && m.exponent_low == 1 && !m.exact);
  unit_near(m.y_max, 50 * 100 + 1330);
  m = slice(&s, 1000, 0, 1); /* 5 t^2 + 3000 t + 2050 */
  assert_true(m.term_count == 3 && m.order.exponent == 2);
  unit_near(m.terms[0].coefficient, 5);
  unit_near(m.terms[1].coefficient, 3000);
  unit_near(m.terms[2].coefficient, 2050);
  unit_near(m.y_max, 5 * 64 + 3000 * 8 + 2050);
  assert_true(m.n_max == 8 && m.drift == 0.04 && m.n_center == 3);
}

/* Whatever the cut: values, and without rivals intervals. */
TEST(a_slice_predicts_what_the_surface_does)
{
  sc_surface s = made();
  for (size_t along = 0; along < 2; along++)
    for (double other = 2; other <= 200; other *= 5) {
      sc_model m = along ? slice(&s, other, 0, 1) : slice(&s, 0, other, 0);
      for (double x = 3; x <= 3e4; x *= 7) {
        sc_interval line, surface;
        assert_int_equal(sc_model_predict(&m, x, 0.95, &line), 0);
        assert_int_equal(sc_surface_predict(&s, along ? (double[]){other, x} : (double[]){x, other}, 0.95, &surface),
                         0);
        unit_near(line.value, surface.value);
        assert_true(line.low <= line.value && line.low >= surface.low);
        assert_true(fabs(line.high / surface.high - 1) < 1e-3);
      }
    }
  s.form.drift[0] = 0;
  s.form.degrees = 0;
  sc_model m = slice(&s, 0, 16, 0);
  assert_true(m.drift == 0 && m.n_center == 0 && m.degrees == 1);
}

/* What cancels where the others stand is nothing: n t - 16 n at t = 16. */
TEST(terms_that_cancel_fall_away)
{
  sc_surface s = made();
  s.form.terms[1].coefficient = -48;
  sc_model m = slice(&s, 0, 16, 0);
  assert_true(m.term_count == 1 && m.terms[0].exponent == 0 && m.order.exponent == 0);
  unit_near(m.terms[0].coefficient, 1330);
}

/* A rival that is nothing anywhere is that for certain. */
TEST(nothing_has_no_error)
{
  sc_surface s = made();
  s.rivals[0] = (sc_surface_form){.terms = {{-4, {n1, n1}}}, .term_count = 1, .covariance = {{1e-2}}, .scatter = 0.05};
  s.rivals[0].weight = 0.5;
  s.rival_count = 1;
  sc_model m = slice(&s, 0, 16, 0);
  assert_true(m.rival_count == 1 && m.rivals[0].deviation[0] == 0 && m.rivals[0].deviation[1] == 0);
}

/* A model has four terms: of more the least one at the largest size goes, and what it makes is scatter. */
TEST(the_least_terms_go)
{
  sc_surface s = made();
  static const double exponents[] = {3, 2, 1.5, 1, 0.5, 0};
  static const double coefficients[] = {1, 20, 3, 400, 7, 90000};
  s.exact = true;
  s.form.term_count = 6;
  memset(s.form.drift, 0, sizeof s.form.drift);
  for (size_t i = 0; i < 6; i++)
    s.form.terms[i] = (sc_surface_term){coefficients[i], {{1, exponents[i], 0, 0, 0, 0}, none}};
  sc_model m = slice(&s, 0, 2, 0); /* at 100: 1e6, 2e5, 3e3, 4e4, 70, 9e4 */
  assert_true(m.term_count == 4 && !m.exact);
  assert_true(m.terms[0].exponent == 3 && m.terms[1].exponent == 2 && m.terms[2].exponent == 1 &&
              m.terms[3].exponent == 0);
  double at_10 = 1000 + 2000 + 3 * pow(10, 1.5) + 4000 + 7 * sqrt(10) + 90000, left_10 = at_10 - 7 * sqrt(10);
  double at_100 = 1e6 + 2e5 + 3e3 + 4e4 + 70 + 9e4, left_100 = at_100 - 70;
  double lost = fmax(7 * sqrt(10) / at_10, 70 / at_100) + fmax(3 * pow(10, 1.5) / left_10, 3e3 / left_100);
  unit_near(m.scatter, hypot(0.02, lost));
  s.form.term_count = 4;
  assert_true(slice(&s, 0, 2, 0).exact);
}

TEST(rivals_are_cut_too)
{
  sc_surface s = made();
  s.rivals[0] = (sc_surface_form){.terms = {{4, {n1, n1}}, {7, {none, none}}},
                                  .term_count = 2,
                                  .covariance = {{1e-2, 0}, {0, 1}},
                                  .error = 0.25,
                                  .scatter = 0.05,
                                  .weight = 0.05};
  s.rivals[1] = (sc_surface_form){.terms = {{1e4, {none, n1}}}, .term_count = 1, .weight = 0.049};
  s.rival_count = 2;
  sc_model m = slice(&s, 0, 16, 0);
  assert_int_equal(m.rival_count, 2);
  assert_true(m.rivals[0].term_count == 2 && m.rivals[0].weight == 0.05 && m.rivals[0].error == 0.25);
  unit_near(m.rivals[0].terms[0].coefficient, 64);
  unit_near(m.rivals[0].terms[1].coefficient, 7);
  for (int far = 0; far < 2; far++) { /* at 2 and 64 times the largest size */
    double x = (far ? 6400 : 200) * 16, value = 4 * x + 7;
    unit_near(m.rivals[0].deviation[far], sqrt(1e-2 * x * x + 1 + value * value * 0.05 * 0.05) / value);
  }
  assert_true(m.exponent_low == 1); /* the second one, a constant here, is not plausible */
  s.rivals[1].weight = 0.05;
  assert_true(slice(&s, 0, 16, 0).exponent_low == 0);
  s.ambiguous = true;
  s.verdict = SC_VERDICT_CANNOT_TELL; /* each may be right */
  m = slice(&s, 0, 16, 0);
  assert_true(m.verdict == SC_VERDICT_MODEL && m.rivals[0].weight == 1 && m.rivals[1].weight == 1);
  s = made();
  s.exact = true;
  s.rival_count = 1;
  assert_int_equal(slice(&s, 0, 16, 0).rival_count, 0);
}

TEST(another_parameters_line_is_a_constant_here)
{
  sc_surface s = made();
  s.along = 1;
  s.line = (sc_model){.terms = {{7, 1, 0, 0, 0, 0}},
                      .term_count = 1,
                      .covariance = {{0.01}},
                      .order = {1, 0, 1, 0, 0},
                      .exponent_low = 1,
                      .degrees = 5,
                      .points = 4,
                      .n_min = 1,
                      .n_max = 8};
  sc_model m = slice(&s, 1000, 16, 1);
  assert_true(memcmp(&m, &s.line, sizeof m) == 0);
  m = slice(&s, 1000, 16, 0);
  assert_true(m.term_count == 1 && m.terms[0].exponent == 0 && m.degrees == 5);
  unit_near(m.terms[0].coefficient, 112);
  assert_true(fabs(m.covariance[0][0] / (1.6 * 1.6) - 1) < 1e-3); /* as sure as it is there */
  sc_interval there;
  assert_int_equal(sc_model_predict(&m, 5, 0.95, &there), 0);
  assert_true(fabs(there.high / (112 + 1.6 * gsl_cdf_tdist_Pinv(0.975, 5)) - 1) < 1e-3);
  s.line.terms[0].coefficient = 0;
  s.line.term_count = 0;
  memset(s.line.covariance, 0, sizeof s.line.covariance);
  assert_int_equal(slice(&s, 1000, 16, 0).term_count, 0);
  s.line.verdict = SC_VERDICT_CANNOT_TELL; /* it may be anything there */
  m = slice(&s, 1000, 16, 0);
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  assert_string_equal(m.why, "it has no upper end there");
}

TEST(what_the_surface_cannot_tell)
{
  sc_surface s = made();
  s.verdict = SC_VERDICT_CANNOT_TELL;
  snprintf(s.why, sizeof s.why, "n and t changed together");
  sc_model m = slice(&s, 0, 16, 0);
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  assert_string_equal(m.why, "n and t changed together");
  s = made();
  s.exact = true;
  s.fixed[1] = true;
  s.low[1] = s.high[1] = 8;
  assert_int_equal(slice(&s, 0, 8, 0).verdict, SC_VERDICT_MODEL);
  assert_true(slice(&s, 0, 8, 0).exact);
  assert_int_equal(slice(&s, 0, 9, 0).verdict, SC_VERDICT_CANNOT_TELL);
  assert_false(slice(&s, 0, 9, 0).exact);
  assert_int_equal(slice(&s, 100, 8, 1).verdict, SC_VERDICT_CANNOT_TELL); /* along what had one value */
}

/* What rounding leaves of terms that cancel is nothing, too: up to 1e-12 of what was added. */
TEST(what_rounding_leaves_is_nothing)
{
  static const double left[] = {0.9e-12, -0.9e-12, 1.1e-12, -1.1e-12};
  for (size_t i = 0; i < COUNT(left); i++) {
    sc_surface s = made();
    s.form.terms[0].coefficient = 1;
    s.form.terms[1].coefficient = -16 * (1 - 2 * left[i]);
    sc_model m = slice(&s, 0, 16, 0);
    assert_int_equal(m.term_count, i < 2 ? 1 : 2);
    if (i >= 2)
      unit_near_by(m.terms[0].coefficient, 32 * left[i], 1e-3);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weighted least squares beside an implementation of its own: normal equations in long double, and what the largest
 * sizes are predicted as by fits that really leave them out. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/wls.h"

enum { SIZES = 7 };
static const double n[SIZES] = {3, 5, 8, 13, 20, 31, 47}, y[SIZES] = {17, 30, 44, 91, 155, 242, 391};
static const double weight[SIZES] = {1, 2, 1, 3, 1, 0.5, 4};

static void near_to(double value, double expected)
{
  if (!(fabs(value - expected) <= 1e-7 * fmax(fabs(expected), 1e-3)))
    fail_msg("%.12g is not %.12g", value, expected);
}

typedef struct reference {
  long double coefficient[SC_MODEL_TERMS], covariance[SC_MODEL_TERMS][SC_MODEL_TERMS];
} reference;

/* (X'WX)^-1 by Gauss and Jordan, and that times X'Wy. */
static reference solve(const sc_points *points, size_t sizes, const sc_term *terms, size_t count)
{
  reference r = {0};
  long double a[SC_MODEL_TERMS][2 * SC_MODEL_TERMS] = {{0}}, right[SC_MODEL_TERMS] = {0};
  for (size_t s = 0; s < sizes; s++) {
    long double w = points->weight[s] / ((long double)points->scale[s] * points->scale[s]);
    for (size_t i = 0; i < count; i++) {
      right[i] += w * sc_term_basis(&terms[i], points->n[s]) * points->y[s];
      for (size_t j = 0; j < count; j++)
        a[i][j] += w * sc_term_basis(&terms[i], points->n[s]) * sc_term_basis(&terms[j], points->n[s]);
    }
  }
  for (size_t i = 0; i < count; i++)
    a[i][count + i] = 1;
  for (size_t p = 0; p < count; p++) {
    long double pivot = a[p][p];
    for (size_t j = 0; j < 2 * count; j++)
      a[p][j] /= pivot;
    for (size_t i = 0; i < count; i++) {
      long double by = a[i][p];
      for (size_t j = 0; i != p && j < 2 * count; j++)
        a[i][j] -= by * a[p][j];
    }
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      r.covariance[i][j] = a[i][count + j];
      r.coefficient[i] += a[i][count + j] * right[j];
    }
  return r;
}

static double value_at(const reference *r, const sc_term *terms, size_t count, double at)
{
  long double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += r->coefficient[i] * sc_term_basis(&terms[i], at);
  return (double)sum;
}

static void compare(sc_wls *wls, const sc_points *points, const sc_term *form, size_t count)
{
  sc_term terms[SC_MODEL_TERMS];
  sc_wls_result got;
  double rss = 0, lowest = INFINITY;
  size_t last = points->count - 1;
  memcpy(terms, form, count * sizeof *terms);
  assert_int_equal(sc_wls_fit(wls, points, terms, count, &got), 0);
  reference all = solve(points, points->count, form, count);
  for (size_t s = 0; s < points->count; s++) {
    double value = value_at(&all, form, count, points->n[s]), off = (value - points->y[s]) / points->scale[s];
    rss += points->weight[s] * off * off;
    lowest = fmin(lowest, value / points->scale[s]);
  }
  near_to(got.rss, rss);
  near_to(got.lowest, lowest);
  for (size_t i = 0; i < count; i++) {
    near_to(terms[i].coefficient, (double)all.coefficient[i]);
    near_to(got.part[i], (double)all.coefficient[i] * sc_term_basis(&form[i], points->n[last]) / points->scale[last]);
    for (size_t j = 0; j < count; j++)
      near_to(got.covariance[i][j], (double)all.covariance[i][j]);
  }
  for (size_t out = 1; out <= 2; out++) {
    if (points->count < count + out) {
      assert_true(isnan(got.forward[out - 1]));
      continue;
    }
    reference without = solve(points, points->count - out, form, count);
    double value = value_at(&without, form, count, points->n[last]);
    near_to(got.forward[out - 1], (value - points->y[last]) / points->scale[last]);
  }
}

static const sc_term forms[][SC_MODEL_TERMS] = {
    {{0, 1, 0}}, {{0, 1, 1}, {0}}, {{0, 2, 0}, {0, 1, 0}, {0}}, {{0, 3, 0}, {0, 2, 0}, {0, 1, 0}, {0}}};

TEST(fits_are_those_of_the_normal_equations)
{
  sc_wls *wls;
  sc_points points = {0};
  assert_int_equal(sc_wls_new(&wls), 0);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, SIZES, false}, &points), 0);
  for (int weighted = 0; weighted < 2; weighted++) {
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
      for (size_t sizes = f + 1; sizes <= SIZES; sizes++) {
        sc_points part = sc_points_part(&points, 0, sizes);
        compare(wls, &part, forms[f], f + 1);
      }
    memcpy(points.weight, weight, sizeof weight);
    points.scale[2] = 60, points.scale[6] = 300; /* need not be the value */
  }
  sc_points_free(&points);
  sc_wls_free(wls);
}

TEST(what_has_no_solution)
{
  static const sc_term parallel[] = {{0, 1, 0}, {0, 1, 0}}, near[] = {{0, 1, 0}, {0, 1 + 1e-6, 0}};
  sc_term terms[SC_MODEL_TERMS + 1] = {{0}};
  sc_wls *wls;
  sc_wls_result result;
  sc_points points = {0};
  assert_int_equal(sc_wls_new(&wls), 0);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, SIZES, false}, &points), 0);
  memcpy(terms, parallel, sizeof parallel);
  assert_int_equal(sc_wls_fit(wls, &points, terms, 2, &result), SC_E_NUMERIC);
  memcpy(terms, near, sizeof near); /* some 1e-6 apart: enough to tell them apart */
  assert_int_equal(sc_wls_fit(wls, &points, terms, 2, &result), 0);
  assert_int_equal(sc_wls_fit(wls, &points, terms, 0, &result), SC_E_NUMERIC);
  assert_int_equal(sc_wls_fit(wls, &points, terms, SC_MODEL_TERMS + 1, &result), SC_E_NUMERIC);
  sc_points two = sc_points_part(&points, 0, 2);
  memcpy(terms, forms[2], sizeof forms[2]);
  assert_int_equal(sc_wls_fit(wls, &two, terms, 3, &result), SC_E_NUMERIC);
  /* a size of its own term: nothing is left of it that the others could predict */
  static const double at[] = {1, 2, 3, 1e9}, value[] = {5, 5, 5, 1e9};
  sc_points lone = {0};
  assert_int_equal(sc_points_gather(&(sc_series){at, value, 4, false}, &lone), 0);
  memcpy(terms, (sc_term[]){{0, 4, 0}, {0}}, 2 * sizeof *terms);
  assert_int_equal(sc_wls_fit(wls, &lone, terms, 2, &result), 0);
  assert_true(isnan(result.forward[0]));
  sc_points_free(&lone);
  sc_points_free(&points);
  sc_wls_free(wls);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The unit of a measurement is of no account: in nanoseconds or hours the same form is chosen, as sure and as wide, and
 * predictions are that many times as large. Nor is the order in which points come. What they are, other tests say. */
#include "unit.h"

#include <math.h>

#include "regress/plan/plan.h"
#include "regress/surface/surface.h"
#include "regress_fit_scene.h"

static const double units[] = {0x1p-40, 0x1p-12, 1, 0x1p12, 0x1p40};
enum { MOST = 64, REPEATS = 2 };

static double constant(double n) { return 5 + 0 * n; }
static double logarithm(double n) { return log2(n) + 3; }
static double root(double n) { return 7 * sqrt(n) + 1; }
static double line(double n) { return 3 * n + 100; }
static double sorted(double n) { return n * log2(n) + 2 * n; }
static double digits(double n) { return n * floor(log10(n)) + n; }
static double strange(double n) { return pow(n, 1.37); }
static double square(double n) { return n * n / 4 + 9 * n; }
static double cube(double n) { return n * n * n / 1000 + n; }
static double falling(double n) { return 4 + 9000 / n; }
static double limited(double n) { return 40 * n / (n + 300); }
static double change(double n) { return n < 400 ? 2 * n : n * n / 200; }
static double jump(double n) { return n < 300 ? 2 * n : 6 * n + 50; }
static double stairs(double n) { return exp2(ceil(log2(n))) + n; }
static double burst(double n) { return n > 300 && n < 800 ? 5 * n : 2 * n; }
static double exploding(double n) { return exp2(n / 60) + 2; }
static double erratic(double n) { return fmod(n * 7919, 101) + 1; }
static double (*const functions[])(double n) = {constant, logarithm, root,  line,      sorted,  digits,
                                                strange,  square,    cube,  falling,   limited, change,
                                                jump,     stairs,    burst, exploding, erratic};
static const double noises[] = {0, 0.003, 0.03, 0.2};

/* Between -1 and 1, the same for the same place. */
static double wave(size_t i, size_t k)
{
  double x = sin((double)i * 12.9898 + (double)k * 78.233) * 43758.5453;
  return 2 * (x - floor(x)) - 1;
}

static size_t measure(size_t function, size_t noise, double unit, double *n, double *y)
{
  size_t count = 0;
  for (size_t i = 0; i < COUNT(uneven); i++)
    for (size_t k = 0; k < REPEATS; k++, count++) {
      n[count] = uneven[i];
      y[count] = unit * functions[function](uneven[i]) * (1 + noises[noise] * wave(function * 64 + i, k + 7 * noise));
    }
  return count;
}

static void same(double value, double expected, const char *what, size_t function, size_t noise, double unit)
{
  if (isinf(value) && isinf(expected))
    return;
  if (!(fabs(value - expected) <= 1e-5 * fabs(expected) + 1e-12 * unit))
    fail_msg("%s of function %zu at noise %g, times %g: %.9g for %.9g", what, function, noises[noise], unit, value,
             expected);
}

#define SAME(value, expected) same(value, expected, #value, function, noise, unit)

static void same_model(const sc_model *m, const sc_model *one, size_t function, size_t noise, double unit)
{
  assert_int_equal(m->verdict, one->verdict);
  assert_int_equal(m->term_count, one->term_count);
  assert_int_equal(m->piece_count, one->piece_count);
  assert_int_equal(m->rival_count, one->rival_count);
  assert_int_equal(m->points, one->points);
  assert_int_equal(m->degrees, one->degrees);
  SAME(m->order.exponent, one->order.exponent);
  SAME(m->order.log_exponent, one->order.log_exponent);
  SAME(m->order.base, one->order.base);
  SAME(m->exponent_low, one->exponent_low);
  SAME(m->r2, one->r2);
  SAME(m->drift + 1, one->drift + 1);
  for (size_t i = 0; i < m->term_count; i++)
    SAME(m->terms[i].coefficient, unit * one->terms[i].coefficient);
  for (size_t i = 0; i < m->rival_count; i++)
    SAME(m->rivals[i].weight, one->rivals[i].weight);
  for (double n = 20; n < 1e6; n *= 7) {
    sc_interval is, was;
    assert_int_equal(sc_model_predict(m, n, 0.95, &is), 0);
    assert_int_equal(sc_model_predict(one, n, 0.95, &was), 0);
    SAME(is.value, unit * was.value);
    SAME(is.low, unit * was.low);
    SAME(is.high, unit * was.high);
  }
}

static void fit_with(const sc_fit_options *options, const double *n, const double *y, size_t count, sc_model *model)
{
  const sc_series series = {n, y, count, false};
  assert_int_equal(sc_fit_select(&series, options, model), 0);
}

static void scale_with(const sc_fit_options *options)
{
  for (size_t function = 0; function < COUNT(functions); function++)
    for (size_t noise = 0; noise < COUNT(noises); noise++) {
      double n[MOST], y[MOST];
      sc_model one, model;
      size_t count = measure(function, noise, 1, n, y);
      fit_with(options, n, y, count, &one);
      for (size_t u = 0; u < COUNT(units); u++) {
        count = measure(function, noise, units[u], n, y);
        fit_with(options, n, y, count, &model);
        same_model(&model, &one, function, noise, units[u]);
      }
    }
}

TEST(measurements_have_any_unit)
{
  sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  scale_with(&options);
}

TEST(the_papers_measurements_have_any_unit)
{
  sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  options.engine = SC_FIT_DELTA_INFER;
  scale_with(&options);
}

/* Of counts, too. */
TEST(points_come_in_any_order)
{
  for (size_t function = 0; function < COUNT(functions); function++)
    for (size_t noise = 0; noise < COUNT(noises); noise++)
      for (int counts = 0; counts < 2; counts++) {
        double n[MOST], y[MOST], n2[MOST], y2[MOST];
        sc_model one, model;
        size_t count = measure(function, noise, 1, n, y);
        for (size_t i = 0; counts && i < count; i++)
          y[i] = floor(10 * y[i]);
        for (size_t i = 0; i < count; i++) { /* 5 has no divisor in common with the number of points */
          n2[i] = n[(5 * i + 3) % count];
          y2[i] = y[(5 * i + 3) % count];
        }
        const sc_series as_is = {n, y, count, counts}, other = {n2, y2, count, counts};
        assert_int_equal(sc_fit_select(&as_is, &SC_FIT_OPTIONS_DEFAULT, &one), 0);
        assert_int_equal(sc_fit_select(&other, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
        same_model(&model, &one, function, noise, 1);
      }
}

/* ---- several parameters ---- */

static double sum(double n, double t) { return 5 * n + 300 * t + 40; }
static double product(double n, double t) { return 2 * n * t + n; }
static double divided(double n, double t) { return 9 * n / t + 7 * t; }
static double powers(double n, double t) { return n * n / 10 + n * sqrt(t); }
static double of_one(double n, double t) { return n * log2(n) + 0 * t; }
static double mixed(double n, double t) { return n * log2(n) / t + t * t; }
static double (*const planes[])(double n, double t) = {sum, product, divided, powers, of_one, mixed};

static void surface_of(size_t function, size_t noise, double unit, bool swapped, sc_surface *surface)
{
  static const double ns[] = {50, 130, 340, 900}, ts[] = {1, 2, 4, 8};
  double at[MOST], y[MOST];
  size_t count = 0;
  for (size_t i = 0; i < COUNT(ns); i++)
    for (size_t k = 0; k < COUNT(ts); k++, count++) {
      at[2 * count + swapped] = ns[i];
      at[2 * count + !swapped] = ts[k];
      y[count] = unit * planes[function](ns[i], ts[k]) * (1 + noises[noise] * wave(function * 16 + i, k));
    }
  const sc_surface_series series = {.at = at, .y = y, .count = count, .parameters = 2};
  assert_int_equal(sc_surface_fit(&series, &SC_FIT_OPTIONS_DEFAULT, surface), 0);
}

static void same_surface(const sc_surface *s, const sc_surface *one, bool swapped, size_t function, size_t noise,
                         double unit)
{
  assert_int_equal(s->verdict, one->verdict);
  assert_int_equal(s->form.term_count, one->form.term_count);
  assert_int_equal(s->rival_count, one->rival_count);
  assert_int_equal(s->interacting, one->interacting);
  for (size_t p = 0; p < 2; p++) {
    size_t q = swapped ? 1 - p : p;
    assert_int_equal(s->effective[p], one->effective[q]);
    SAME(s->order[p].exponent, one->order[q].exponent);
    SAME(s->order[p].log_exponent, one->order[q].log_exponent);
    SAME(s->low[p], one->low[q]);
    SAME(s->center[p], one->center[q]);
  }
  SAME(s->r2, one->r2);
  SAME(s->error, one->error);
  for (double n = 40; n < 1e5; n *= 9)
    for (double t = 1; t < 100; t *= 5) {
      sc_interval is, was;
      assert_int_equal(sc_surface_predict(s, swapped ? (double[]){t, n} : (double[]){n, t}, 0.95, &is), 0);
      assert_int_equal(sc_surface_predict(one, (double[]){n, t}, 0.95, &was), 0);
      SAME(is.value, unit * was.value);
      SAME(is.low, unit * was.low);
      SAME(is.high, unit * was.high);
    }
}

TEST(surfaces_have_any_unit_and_order_of_parameters)
{
  for (size_t function = 0; function < COUNT(planes); function++)
    for (size_t noise = 1; noise < COUNT(noises); noise++) {
      static sc_surface one, other;
      surface_of(function, noise, 1, false, &one);
      for (size_t u = 0; u < COUNT(units); u++) {
        surface_of(function, noise, units[u], false, &other);
        same_surface(&other, &one, false, function, noise, units[u]);
      }
      surface_of(function, noise, 1, true, &other);
      same_surface(&other, &one, true, function, noise, 1);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which counts of two parameters are sums of few products, to the last one. */
#include "unit.h"

#include <math.h>

#include "regress/surface/internal.h"

enum { MOST = 100 };
typedef double function(double n, double t);

static const sc_term none = {1, 0, 0, 0, 0, 0};

/* All pairs of the first `ns` and `ts` values; the function of the lines as factors, where `factors` of them are given.
 */
static bool found(function *f, size_t ns, size_t ts, const sc_term (*factors)[2], size_t count, sc_surface_form *form)
{
  static const double n[] = {3, 7, 10, 19, 40, 64}, t[] = {1, 2, 5, 8, 13};
  double at[MOST][2], y[MOST];
  size_t points = 0;
  for (size_t i = 0; i < ns; i++)
    for (size_t k = 0; k < ts; k++) {
      at[points][0] = n[i], at[points][1] = t[k];
      y[points] = f(n[i], t[k]);
      points++;
    }
  sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT};
  sc_surface_series series = {.at = &at[0][0], .y = y, .count = points, .parameters = 2, .counts = true};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  for (size_t p = 0; p < 2; p++) {
    engine.space.exact[p] = count;
    engine.space.count[p] = count + 1;
    engine.space.factor[p][0].term = none;
    for (size_t i = 0; i < count; i++)
      engine.space.factor[p][i + 1].term = factors[i][p];
  }
  *form = (sc_surface_form){0};
  bool yes = sc_surface_exact_lines(&engine, form);
  if (yes)
    for (size_t i = 0; i < points; i++)
      assert_true(fabs(sc_surface_sum(form->terms, form->term_count, 2, at[i]) - y[i]) <= 1e-9 * (1 + y[i]));
  assert_true(!yes || (form->degrees == points - form->term_count && form->weight == 1));
  sc_surface_points_free(&engine.points);
  return yes;
}

static double square(double n, double t) { return n * n + 0 * t; }
static double polynomial(double n, double t) { return n * n + n + 1 + 0 * t; }
static double pairs(double n, double t) { return n * (n - 1) / 2 * t; }
static double cubes(double n, double t) { return n * n * n * t; }
static double fourth(double n, double t) { return n * n * n * n * t; }
static double both_cubes(double n, double t) { return n * n * t * t * t + 5; }
static double twenty_fourths(double n, double t) { return 24 * n + (n - 1) * (n - 2) * (n - 3) * t / 6; }
static double difference(double n, double t) { return fmax(0, 70 * n - n * n - 60 + 0 * t) + 20 * (n > 60); }
static double less(double n, double t) { return n * t - t; }
static double falls(double n, double t) { return 65 * t - n * t; }
static double odd(double n, double t) { return n * t + (n == 19 && t == 5); }

/* Any function of three values is a square: in each parameter one value more than it has functions confirms them, of
 * one function two. */
TEST(values_confirm_functions)
{
  sc_surface_form form;
  assert_true(found(square, 4, 3, NULL, 0, &form) && form.term_count == 1);
  assert_false(found(square, 3, 4, NULL, 0, &form)); /* two values more than its degree */
  assert_false(found(polynomial, 3, 3, NULL, 0, &form));
  assert_false(found(polynomial, 4, 1, NULL, 0, &form)); /* five points at least: two more than terms */
  assert_true(found(polynomial, 5, 1, NULL, 0, &form) && form.term_count == 3);
  assert_true(found(polynomial, 4, 2, NULL, 0, &form) && form.term_count == 3);
  assert_true(form.terms[0].factor[0].exponent == 2 && form.terms[1].factor[0].exponent == 1);
  assert_true(form.terms[0].coefficient == 1 && form.terms[1].coefficient == 1 && form.terms[2].coefficient == 1);
}

TEST(degrees_go_up_to_three)
{
  sc_surface_form form;
  assert_true(found(pairs, 5, 3, NULL, 0, &form) && form.term_count == 2);
  assert_true(form.terms[0].coefficient == 0.5 && form.terms[1].coefficient == -0.5);
  assert_true(form.terms[0].factor[0].exponent == 2 && form.terms[0].factor[1].exponent == 1);
  assert_true(found(cubes, 5, 3, NULL, 0, &form) && form.term_count == 1);
  assert_false(found(cubes, 4, 3, NULL, 0, &form)); /* four values: squares at most */
  assert_false(found(fourth, 6, 3, NULL, 0, &form));
  assert_true(found(both_cubes, 5, 5, NULL, 0, &form) && form.term_count == 2);
  assert_true(form.terms[0].factor[1].exponent == 3 && form.terms[1].coefficient == 5);
  assert_true(found(twenty_fourths, 6, 3, NULL, 0, &form) && form.term_count == 5);
}

TEST(one_count_off_is_none)
{
  sc_surface_form form;
  assert_false(found(odd, 6, 4, NULL, 0, &form));
  assert_true(found(odd, 3, 4, NULL, 0, &form)); /* without that point */
}

/* Counts are not negative at the ends of the ranges, nor where both are ten times as large. */
TEST(counts_stay_positive)
{
  sc_surface_form form;
  assert_true(found(less, 6, 4, NULL, 0, &form) && form.term_count == 2);
  assert_false(found(falls, 6, 4, NULL, 0, &form)); /* 65 t - 640 t far away */
  assert_false(found(difference, 6, 4, NULL, 0, &form));
}

static double logs(double n, double t) { return 3 * n * ceil(log2(n)) * t + 2 * ceil(log2(n)) + 7; }
static double blocks(double n, double t) { return ceil(n / 8) * t + floor(sqrt(n)); }
static double eighth(double n, double t) { return 8 * n * t; }

/* Functions of the lines that no polynomial is. */
TEST(rounded_functions_of_lines)
{
  static const sc_term halving[][2] = {{{1, 1, 1, 0, SC_SHAPE_CEIL_LOG, 0}, {1, 1, 0, 0, 0, 0}},
                                       {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 0}, {1, 2, 0, 0, 0, 0}}};
  static const sc_term divided[][2] = {{{1, 1, 0, 0, SC_SHAPE_CEIL_BLOCK, 8}, {1, 1, 0, 0, 0, 0}},
                                       {{1, 0.5, 0, 0, SC_SHAPE_FLOOR_ROOT, 0}, {1, 2, 0, 0, 0, 0}}};
  sc_surface_form form;
  assert_false(found(logs, 6, 4, NULL, 0, &form));
  assert_true(found(logs, 6, 4, halving, 2, &form) && form.term_count == 3);
  assert_true(form.terms[0].coefficient == 3 && (form.terms[1].coefficient == 2 || form.terms[1].coefficient == 7));
  assert_true(found(blocks, 6, 4, divided, 2, &form) && form.term_count == 2);
  assert_true(found(eighth, 6, 4, halving, 2, &form) && form.term_count == 1);     /* and polynomials all the same */
  static const sc_term fitted[][2] = {{{1, 1.5, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0}}}; /* is not whole */
  assert_true(found(pairs, 5, 4, fitted, 1, &form) && form.terms[0].factor[0].exponent == 2);
}

/* What a search found nearly exact is tried, in its order. */
TEST(hypotheses_of_a_search_are_tried)
{
  double at[20][2], y[20];
  for (size_t i = 0; i < 20; i++) {
    at[i][0] = 3 + 5 * (double)(i / 4), at[i][1] = 1 + (double)(i % 4);
    y[i] = 6 * at[i][0] * at[i][1] + 4;
  }
  sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT};
  sc_surface_series series = {.at = &at[0][0], .y = y, .count = 20, .parameters = 2, .counts = true};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  const sc_term n1 = {1, 1, 0, 0, 0, 0};
  engine.ranked[0] = (sc_surface_candidate){.terms = {{5, {n1, n1}}}, .count = 1, .rss = 0};
  engine.ranked[1] = (sc_surface_candidate){.terms = {{5.9, {n1, n1}}, {4.1, {none, none}}}, .count = 2, .rss = 19e-12};
  engine.ranks = 2;
  sc_surface_form form;
  assert_true(sc_surface_exact_ranked(&engine, &form) && form.term_count == 2);
  assert_true(form.terms[0].coefficient == 6 && form.terms[1].coefficient == 4 && form.degrees == 18);
  engine.ranked[1].rss = 21e-12; /* misses by more than rounding: a twelfth decimal on average */
  assert_false(sc_surface_exact_ranked(&engine, &form));
  engine.ranked[1].rss = 0;
  engine.ranks = 1;
  assert_false(sc_surface_exact_ranked(&engine, &form));
  engine.ranks = 2;
  engine.points.whole = false;
  assert_false(sc_surface_exact_ranked(&engine, &form));
  sc_surface_points_free(&engine.points);
}

/* Of three parameters, from their degrees alone: n t m, n^2 + t m, and a product whose third factor is a square. */
TEST(degrees_of_three_parameters)
{
  for (int which = 0; which < 3; which++) {
    double at[MOST][3], y[MOST];
    size_t points = 0;
    for (size_t i = 0; i < 80; i++, points++) {
      double n = at[i][0] = 3 + 4 * (double)(i % 5), t = at[i][1] = 1 + (double)(i / 5 % 4),
             m = at[i][2] = 2 + 3 * (double)(i / 20);
      y[i] = which == 0 ? n * t * m : which == 1 ? n * n + t * m : 6 * t * m * m + 2 * n;
    }
    sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT, .space = {.count = {1, 1, 1}}};
    sc_surface_series series = {.at = &at[0][0], .y = y, .count = points, .parameters = 3, .counts = true};
    sc_surface_form form = {.term_count = 0};
    assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
    for (size_t p = 0; p < 3; p++)
      engine.space.factor[p][0].term = none;
    assert_true(sc_surface_exact_lines(&engine, &form));
    assert_int_equal(form.term_count, which == 0 ? 1 : 2);
    for (size_t i = 0; i < points; i++)
      unit_near(sc_surface_sum(form.terms, form.term_count, 3, at[i]), y[i]);
    const double far[] = {1000, 70, 300};
    unit_near(sc_surface_sum(form.terms, form.term_count, 3, far), which == 0   ? 21e6
                                                                   : which == 1 ? 1e6 + 21000
                                                                                : 6 * 70 * 9e4 + 2000);
    sc_surface_points_free(&engine.points);
  }
}

/* Whether the one hypothesis, of these terms, is exact for counts y. */
static bool terms_are_exact(double (*at)[2], const double *y, size_t count, const sc_surface_term *terms,
                            size_t term_count)
{
  sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT, .ranks = 1};
  sc_surface_series series = {.at = &at[0][0], .y = y, .count = count, .parameters = 2, .counts = true};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  assert_true(engine.points.whole);
  engine.ranked[0] = (sc_surface_candidate){.count = term_count};
  memcpy(engine.ranked[0].terms, terms, term_count * sizeof *terms);
  sc_surface_form form;
  bool exact = sc_surface_exact_ranked(&engine, &form);
  sc_surface_points_free(&engine.points);
  return exact;
}

/* What is confirmed by values: in each parameter one more than functions, and of one function two. 6 n t + `constant`
 * at `ns` values of n by `ts` of t, or at the first `ns` of the diagonal. */
static bool ranked_is_exact(size_t ns, size_t ts, double constant)
{
  double at[MOST][2], y[MOST];
  size_t count = 0;
  for (size_t i = 0; i < ns; i++)
    for (size_t k = 0; k < (ts ? ts : 1); k++, count++) {
      at[count][0] = 3 + 5 * (double)i, at[count][1] = 1 + (double)(ts ? k : i);
      y[count] = 6 * at[count][0] * at[count][1] + constant;
    }
  const sc_term n1 = {1, 1, 0, 0, 0, 0};
  return terms_are_exact(at, y, count, (sc_surface_term[]){{6, {n1, n1}}, {1, {none, none}}}, 1 + (constant > 0));
}

TEST(hypotheses_are_confirmed_by_values)
{
  assert_true(ranked_is_exact(3, 3, 0) && !ranked_is_exact(3, 2, 0) && !ranked_is_exact(2, 3, 0));
  assert_true(ranked_is_exact(3, 3, 4) && !ranked_is_exact(3, 2, 4) && !ranked_is_exact(2, 3, 4));
  assert_true(ranked_is_exact(4, 0, 4) && !ranked_is_exact(3, 0, 4)); /* two points more than terms */
  assert_true(ranked_is_exact(3, 0, 0));
}

/* Powers up to the eighth are whole numbers; of larger ones, and of fractions, nobody asks. */
TEST(exact_powers_are_whole)
{
  static const double exponents[] = {1, 8, 9, -1, 0.5, 1.5};
  for (size_t e = 0; e < COUNT(exponents); e++) {
    double at[20][2], y[20];
    for (size_t i = 0; i < 20; i++) {
      double root = (double)(1 + i / 4);
      at[i][0] = exponents[e] < 2 ? root * root : root, at[i][1] = 1 + (double)(i % 4);
      y[i] = (exponents[e] < 0 ? 3600 : 1) * pow(at[i][0], exponents[e]) * at[i][1];
    }
    const sc_term power = {1, exponents[e], 0, 0, 0, 0}, n1 = {1, 1, 0, 0, 0, 0};
    assert_int_equal(terms_are_exact(at, y, 20, (sc_surface_term[]){{1, {power, n1}}}, 1), e < 2);
  }
}

/* What no number holds is no column. */
TEST(beyond_all_numbers_nothing_is_exact)
{
  double at[20][2], y[20];
  for (size_t i = 0; i < 20; i++) {
    at[i][0] = pow(10, 100 + 50 * (double)(i / 4)), at[i][1] = 1 + (double)(i % 4);
    y[i] = 7 + (double)(i * i % 11);
  }
  sc_surface_engine engine = {.options = SC_FIT_OPTIONS_DEFAULT};
  sc_surface_series series = {.at = &at[0][0], .y = y, .count = 20, .parameters = 2, .counts = true};
  assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
  sc_surface_form form = {.term_count = 0};
  for (size_t p = 0; p < 2; p++)
    engine.space.factor[p][0].term = none;
  assert_false(sc_surface_exact_lines(&engine, &form));
  sc_surface_points_free(&engine.points);
}

/* Whether one hypothesis of `count` terms is exact for y = f(n, t), at n of 1, 2, 4, 8 and 16 by t of 1 to 4; at point
 * `off` there is one more. */
static bool exactly(const sc_surface_term *terms, size_t count, function *f, size_t off)
{
  double at[20][2], y[20];
  for (size_t i = 0; i < 20; i++) {
    at[i][0] = exp2((double)(i / 4)), at[i][1] = 1 + (double)(i % 4);
    y[i] = f(at[i][0], at[i][1]) + (i == off);
  }
  return terms_are_exact(at, y, 20, terms, count);
}

static double exponential(double n, double t) { return 5 * exp2(n) * t + 3; }
static double halved(double n, double t) { return exp2(n) * pow(1.5, n) * t; }
static double times_log(double n, double t) { return n * log2(n) * t; }
static double rounded_log(double n, double t) { return n * floor(log2(n)) * t; }
static double seven(double n, double t) { return 7 * n * t + 9; }

/* Powers of whole bases and rounded logarithms are whole; logarithms are not, though they seem so at powers of two. */
TEST(exact_factors_are_whole_everywhere)
{
  static const sc_term n1 = {1, 1, 0, 0, 0, 0}, two = {1, 0, 0, 2, 0, 0}, three = {1, 0, 0, 3, 0, 0},
                       half = {1, 0, 0, 2.5, 0, 0}, log_n = {1, 1, 1, 0, 0, 0}, both = {1, 0, 1, 2, 0, 0},
                       whole = {1, 1, 1, 0, SC_SHAPE_FLOOR_LOG, 0};
  const sc_surface_term constant = {1, {none, none}};
  assert_true(exactly((sc_surface_term[]){{1, {two, n1}}, constant}, 2, exponential, 99));
  assert_true(exactly((sc_surface_term[]){{1, {three, n1}}}, 1, halved, 99));
  assert_false(exactly((sc_surface_term[]){{1, {half, n1}}}, 1, halved, 99));
  assert_false(exactly((sc_surface_term[]){{1, {log_n, n1}}}, 1, times_log, 99));
  assert_false(exactly((sc_surface_term[]){{1, {both, n1}}}, 1, exponential, 99));
  assert_true(exactly((sc_surface_term[]){{1, {whole, n1}}}, 1, rounded_log, 99));
}

/* Wherever the one is. */
TEST(one_more_at_any_point_is_not_exact)
{
  static const sc_term n1 = {1, 1, 0, 0, 0, 0};
  const sc_surface_term terms[] = {{1, {n1, n1}}, {1, {none, none}}};
  assert_true(exactly(terms, 2, seven, 99));
  for (size_t off = 0; off < 20; off++)
    assert_false(exactly(terms, 2, seven, off));
}

/* n + t - c at points where it is not negative: where both are least it must not be, either, though nothing was
 * measured there. */
TEST(counts_are_positive_where_all_are_least)
{
  static const sc_term n1 = {1, 1, 0, 0, 0, 0};
  for (int less = 2; less <= 3; less++) {
    double at[25][2], y[25];
    size_t count = 0;
    for (size_t i = 0; i < 25; i++) {
      double n = 1 + (double)(i / 5), t = 1 + (double)(i % 5);
      if (n + t < 4)
        continue;
      at[count][0] = n, at[count][1] = t;
      y[count++] = n + t - less;
    }
    const sc_surface_term terms[] = {{1, {n1, none}}, {1, {none, n1}}, {1, {none, none}}};
    assert_int_equal(terms_are_exact(at, y, count, terms, 3), less == 2);
  }
}

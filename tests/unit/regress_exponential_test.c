/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponential growth is kept apart from powers of the size, and powers are never taken for it. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regress/core/points.h"
#include "regress/core/tuning.h"
#include "regress_fit_scene.h"

enum { MOST = 16 };

typedef struct sizes {
  size_t count;
  double n[MOST];
} sizes;

static const sizes small[] = {{6, {10, 14, 18, 22, 26, 30}},
                              {9, {10, 12, 13, 16, 19, 20, 25, 28, 30}},
                              {8, {4, 5, 7, 8, 10, 13, 16, 18}},
                              {4, {10, 15, 21, 30}}};
static const sizes large[] = {{5, {100, 141, 200, 283, 400}}, {4, {100, 200, 300, 400}}, {6, {10, 12, 16, 20, 25, 30}}};

static sc_model fit_on(double (*f)(double), const sizes *grid, bool counts, double noise)
{
  double y[MOST];
  unsigned seed = 7;
  for (size_t i = 0; i < grid->count; i++) {
    y[i] = f(grid->n[i]);
    if (noise > 0) {
      seed = seed * 1103515245u + 12345u;
      y[i] *= 1 + noise * ((double)(seed >> 16 & 0x7fff) / 0x4000 - 1);
    }
    if (counts)
      y[i] = round(y[i]);
  }
  return fit(grid->n, y, grid->count, counts);
}

static double powers_of_2(double n) { return exp2(n); }
static double less_one(double n) { return exp2(n) - 1; }
static double subsets(double n) { return n * exp2(n); }
static double thirds(double n) { return (pow(3, n) - 1) / 2; }
static double fibonacci(double n)
{
  double a = 0, b = 1;
  for (int i = 0; i <= (int)n; i++) {
    double next = a + b;
    a = b;
    b = next;
  }
  return 2 * a - 1;
}

TEST(whole_bases_are_exact)
{
  struct {
    double (*f)(double);
    const char *formula, *order;
  } known[] = {{powers_of_2, "2^n", "2^n"},
               {less_one, "2^n - 1", "2^n"},
               {subsets, "n * 2^n", "n 2^n"},
               {thirds, "0.5 * 3^n - 0.5", "3^n"}};
  for (size_t k = 0; k < COUNT(known); k++)
    for (size_t g = 0; g < COUNT(small); g++) {
      char text[100];
      sc_model m = fit_on(known[k].f, &small[g], true, 0);
      assert_int_equal(m.verdict, SC_VERDICT_MODEL);
      assert_true(m.exact);
      sc_model_format(&m, "n", text, sizeof text);
      assert_string_equal(text, known[k].formula);
      sc_model_format_order(&m.order, "n", text, sizeof text);
      assert_string_equal(text, known[k].order);
      sc_interval at = predict(&m, 40);
      assert_true(at.value == known[k].f(40) && at.low == at.value && at.high == at.value);
    }
}

TEST(fibonacci_calls)
{
  for (size_t g = 0; g < COUNT(small); g++) {
    char text[100];
    sc_model m = fit_on(fibonacci, &small[g], true, 0);
    assert_int_equal(m.verdict, SC_VERDICT_MODEL);
    assert_true(fabs(m.order.base - 1.618) < 0.01);
    sc_model_format_order(&m.order, "n", text, sizeof text);
    assert_int_equal(strncmp(text, "1.6", 3), 0);
    sc_interval at = predict(&m, 45);
    assert_true(at.low <= fibonacci(45) && at.high >= fibonacci(45));
    assert_true(at.high < 3 * at.low);
    assert_true(m.exponent_low > 4);
  }
}

TEST(measured_exponentials)
{
  for (size_t g = 0; g < COUNT(small); g++) {
    sc_model m = fit_on(less_one, &small[g], false, 0.02);
    assert_true(m.order.base > 1.9 && m.order.base < 2.1);
    sc_interval at = predict(&m, 40);
    assert_true(at.low <= less_one(40) && at.high >= less_one(40));
  }
}

static double line(double n) { return 3 * n + 100; }
static double nlogn(double n) { return n * log2(n); }
static double square(double n) { return n * n; }
static double triangle(double n) { return (n - 3) * (n - 4) / 2; }
static double cube(double n) { return n * n * n; }
static double quartic(double n) { return n * n * n * n + 1000; }
static double fifth(double n) { return pow(n, 5); }
static double choose(double n) { return n * (n - 1) * (n - 2) * (n - 3) * (n - 4) / 120; }
static double late_cube(double n) { return 50000 + 2 * n * n * n; }
static double threshold(double n) { return n < 20 ? 100 : 100 * n * n * n; }
static double square_log(double n) { return n * n * log2(n); }

TEST(powers_stay_powers)
{
  double (*const powers[])(double) = {line,  nlogn,  square,    triangle,  cube,      quartic,
                                      fifth, choose, late_cube, threshold, square_log};
  for (size_t k = 0; k < COUNT(powers); k++)
    for (int noise = 0; noise <= 3; noise++)
      for (size_t g = 0; g < COUNT(small) + COUNT(large); g++) {
        const sizes *grid = g < COUNT(small) ? &small[g] : &large[g - COUNT(small)];
        assert_true(fit_on(powers[k], grid, true, noise * 0.03).order.base == 0);
        assert_true(fit_on(powers[k], grid, false, noise * 0.03).order.base == 0);
      }
}

TEST(orders_above_every_power)
{
  sc_order two = fit_on(powers_of_2, &small[0], true, 0).order, more = fit_on(subsets, &small[0], true, 0).order;
  sc_order fast = fit_on(thirds, &small[0], true, 0).order, power = fit_on(fifth, &small[0], true, 0).order;
  assert_true(sc_model_compare_order(&two, &power) > 0);
  assert_true(sc_model_compare_order(&two, &more) < 0);
  assert_true(sc_model_compare_order(&more, &fast) < 0);
  assert_true(sc_model_compare_order(&fast, &fast) == 0);
}

TEST(formulas_in_short_buffers)
{
  sc_model m = fit_on(subsets, &small[0], true, 0);
  char text[4];
  assert_int_equal(sc_model_format(&m, "n", text, sizeof text), (int)strlen("n * 2^n"));
  assert_string_equal(text, "n *");
}

/* ---- what a fitted one consists of: 3 n 1.7^n, or 40 + 1.7^n, that misses the points alternately by 1% ---- */
static double power_times(double n) { return 3 * n * pow(1.7, n); }
static double with_constant(double n) { return 4000 + 5 * pow(1.7, n); }
static double with_line(double n) { return 4000 * n + 5 * pow(1.7, n); }
static double alone(double n) { return 5 * pow(1.7, n); }

TEST(fitted_exponentials_have_their_terms)
{
  static const sizes grid = {9, {10, 12, 14, 16, 18, 20, 22, 24, 26}};
  static const struct {
    double (*f)(double);
    double coefficient, beside, lower, below;
    size_t terms;
  } cases[] = {{alone, 5, 0, 0, 0, 1},
               {power_times, 3, 1, 0, 0, 1},
               {with_constant, 5, 0, 0, 4000, 2},
               {with_line, 5, 0, 1, 4000, 2}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double y[MOST], center = 0, spread = 0;
    for (size_t k = 0; k < grid.count; k++) {
      y[k] = cases[i].f(grid.n[k]) * (k % 2 ? 1.0001 : 0.9999);
      center += grid.n[k] / (double)grid.count;
    }
    for (size_t k = 0; k < grid.count; k++)
      spread += (grid.n[k] - center) * (grid.n[k] - center);
    sc_model m = fit(grid.n, y, grid.count, false);
    assert_true(fabs(m.order.base / 1.7 - 1) < 1e-3 && m.order.beside == cases[i].beside);
    assert_int_equal(m.term_count, cases[i].terms);
    assert_true(fabs(m.terms[0].coefficient / cases[i].coefficient - 1) < 0.02);
    if (cases[i].terms == 2)
      assert_true(m.terms[1].exponent == cases[i].lower && fabs(m.terms[1].coefficient / cases[i].below - 1) < 0.02);
    assert_true(m.degrees == grid.count - cases[i].terms - 1 && m.points == grid.count);
    assert_true(m.scatter > 5e-5 && m.scatter < 2e-4); /* 1e-4 at each of nine, by the degrees of freedom */
    assert_true(m.sigma == 0.01 && m.n_center == center);
    assert_true(fabs(m.drift / (2.5 * 0.01 / sqrt(spread)) - 1) < 1e-9);
    assert_true(m.n_min == 10 && m.n_max == 26 && m.exponent_low == m.order.exponent && m.error < 0.1);
    if (m.rival_count) /* it widens the interval alone */
      assert_true(m.rivals[0].weight == 0.025 && m.rivals[0].mass == 0.1 && m.rivals[0].error == -1);
  }
}

/* Fewer than four sizes, growth of less than six times, falls, zeros, or less than n^4 at the end are none. */
TEST(what_is_no_exponential)
{
  static const struct {
    size_t count;
    double n[5], y[5];
    bool exponential;
  } cases[] = {{4, {10, 12, 14, 16}, {1024, 4096, 16384, 65536}, true},
               {4, {1, 2, 3, 4}, {2, 4, 8, 16}, false}, /* n^2.8 at the end, and a sum of powers */
               {3, {10, 12, 14}, {1024, 4096, 16384}, false},
               {4, {10, 12, 14, 16}, {0, 4096, 16384, 65536}, false},
               {5, {10, 11, 12, 14, 16}, {1024, 1000, 4096, 16384, 65536}, false},
               {4, {20, 21, 22, 23}, {1048576, 2097152, 4194304, 8388608}, true},
               {4, {20, 20.5, 21, 22.5}, {1048576, 1482910, 2097152, 5931641}, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_model m = fit(cases[i].n, cases[i].y, cases[i].count, true);
    if ((m.order.base > 0) != cases[i].exponential)
      fail_msg("case %zu: base %g", i, m.order.base);
  }
}

static double sixths(double n) { return (exp2(n) * 5 + 4 * n) / 6; }
static double powers_of_16(double n) { return pow(16, n); }
static double powers_of_17(double n) { return pow(17, n); }
static double times_n_more(double n) { return n * pow(3, n) + 2 * n; }

TEST(exact_exponentials_have_small_parts)
{
  static const sizes few = {6, {2, 4, 6, 8, 10, 12}};
  char text[100];
  sc_model m = fit_on(times_n_more, &few, true, 0);
  sc_model_format(&m, "n", text, sizeof text);
  assert_true(m.exact);
  assert_string_equal(text, "n * 3^n + 2 n");
  assert_true(fit_on(powers_of_16, &few, true, 0).exact);
  assert_false(fit_on(powers_of_17, &few, true, 0).exact);
  m = fit_on(sixths, &(sizes){4, {4, 10, 16, 22}}, true, 0); /* whole there: 2^(3 k + 1) 5 + 4 n */
  sc_model_format(&m, "n", text, sizeof text);
  if (m.exact)
    assert_non_null(strstr(text, "2^n"));
}

/* A single term as well as a sum. */
TEST(single_terms_are_exact)
{
  static const sizes wide[] = {{4, {4, 6, 8, 12}}, {5, {20, 28, 30, 40, 44}}, {4, {3, 9, 10, 30}}};
  static const double coefficients[] = {1, 5, 0.5, 1 / 8.0};
  for (size_t g = 0; g < COUNT(wide); g++)
    for (size_t c = 0; c < COUNT(coefficients); c++)
      for (int beside = 0; beside <= 1; beside++) {
        double y[MOST];
        for (size_t i = 0; i < wide[g].count; i++)
          y[i] = coefficients[c] * exp2(wide[g].n[i]) * (beside ? wide[g].n[i] : 1);
        sc_model m = fit(wide[g].n, y, wide[g].count, true);
        if (!m.exact || m.term_count != 1 || m.terms[0].coefficient != coefficients[c] || m.order.base != 2 ||
            m.terms[0].exponent != beside)
          fail_msg("sizes %zu, coefficient %g, times n^%d", g, coefficients[c], beside);
      }
}

/* b^(n - 100) at 100 to 104, where b^4 is one below, at and one above the six times that an exponential grows by. */
TEST(exponentials_grow_six_times_at_least)
{
  static const double last[] = {5.999, 6, 6.001};
  for (size_t i = 0; i < COUNT(last); i++) {
    double n[5], y[5];
    for (size_t k = 0; k < 5; k++) {
      n[k] = 100 + (double)k;
      y[k] = k == 4 ? last[i] : pow(last[i], (double)k / 4);
    }
    sc_model model = fit(n, y, 5, false);
    assert_int_equal(model.order.base > 0, i > 0);
  }
}

/* What nearly cancels at the smallest size is no exponential: 5 1.7^n less than half of its value there may be taken
 * away from it, and more may not. */
TEST(exponentials_do_not_cancel)
{
  static const double shares[] = {0.3, 0.45, 0.55, 0.7};
  for (size_t i = 0; i < COUNT(shares); i++) {
    double n[9], y[9];
    for (size_t k = 0; k < 9; k++) {
      n[k] = 10 + 2 * (double)k;
      y[k] = 5 * pow(1.7, n[k]) - shares[i] * 5 * pow(1.7, 10);
    }
    sc_model m = fit(n, y, 9, false);
    assert_int_equal(m.order.base > 0, i < 2);
  }
}

/* The next nearest exponential is the one rival there is. */
TEST(one_rival_widens_the_interval)
{
  static const sizes grid = {9, {10, 12, 14, 16, 18, 20, 22, 24, 26}};
  size_t with = 0;
  for (int which = 0; which < 4; which++) {
    static double (*const functions[])(double) = {alone, power_times, with_constant, with_line};
    sc_model m = fit_on(functions[which], &grid, false, 0.003);
    assert_true(m.order.base > 0 && m.rival_count <= 1);
    with += m.rival_count;
    if (m.rival_count)
      assert_true(m.rivals[0].weight == 0.025 && m.rivals[0].mass == 0.1 && m.rivals[0].error == -1 &&
                  m.rivals[0].term_count > 0 && m.rivals[0].terms[0].base > 1);
  }
  assert_true(with > 0);
}

/* A series that falls anywhere, by however little, is not exponential: 4000 + 5 1.7^n, nearly constant at first. */
TEST(exponentials_do_not_fall)
{
  for (int falls = 0; falls < 2; falls++) {
    double n[12], y[12];
    for (size_t k = 0; k < 12; k++) {
      n[k] = 2 + 2 * (double)k;
      y[k] = 4000 + 5 * pow(1.7, n[k]);
    }
    y[1] = y[0] * (falls ? 1 - 1e-6 : 1 + 1e-6);
    sc_model m = fit(n, y, 12, false);
    assert_int_equal(m.order.base > 0, !falls);
  }
}

/* ---- the nearest exponential, by another way: all bases in small steps, and least squares by Gram and Schmidt ---- */
typedef struct nearest {
  double t, miss; /* logarithm of the base */
  double beside;
  int lower;
} nearest;

static double missed(const sc_points *p, double t, double beside, int lower)
{
  size_t last = p->count - 1;
  long double xx = 0, xz = 0, zz = 0, left = 0, c, d = 0;
  long double x[MOST], z[MOST], y[MOST];
  for (size_t i = 0; i < p->count; i++) {
    double w = sqrt(p->repeats[i]) / p->y[i];
    x[i] = w * exp(t * (p->n[i] - p->n[last])) * pow(p->n[i] / p->n[last], beside);
    z[i] = lower ? w * pow(p->n[i], lower - 1) : 0;
    y[i] = w * p->y[i];
    xx += x[i] * x[i], xz += x[i] * z[i];
  }
  for (size_t i = 0; i < p->count; i++) { /* z becomes orthogonal to x */
    z[i] -= xz / xx * x[i];
    zz += z[i] * z[i];
  }
  c = 0;
  for (size_t i = 0; i < p->count; i++)
    c += x[i] * y[i] / xx, d += lower ? z[i] * y[i] / zz : 0;
  for (size_t i = 0; i < p->count; i++)
    left += (y[i] - c * x[i] - d * z[i]) * (y[i] - c * x[i] - d * z[i]);
  if (!(c - d * xz / xx > 0) && lower) /* of x itself, z being what it was */
    return INFINITY;
  return sqrt((double)left / (double)(p->count - (lower ? 3 : 2)));
}

static nearest nearest_of(const sc_points *p, double beside, int lower)
{
  double low = 1 / p->n[p->count - 1], step = 1.01;
  nearest best = {low, INFINITY, beside, lower};
  for (double t = low; t <= 3; t *= step) {
    double miss = missed(p, t, beside, lower);
    if (miss < best.miss)
      best.t = t, best.miss = miss;
  }
  double a = best.t / step, b = best.t * step;
  for (int i = 0; i < 100; i++) {
    double left = a + (b - a) / 3, right = b - (b - a) / 3;
    *(missed(p, left, beside, lower) < missed(p, right, beside, lower) ? &b : &a) =
        a + (b - a) * (missed(p, left, beside, lower) < missed(p, right, beside, lower) ? 2 : 1) / 3;
  }
  best.t = (a + b) / 2;
  best.miss = missed(p, best.t, beside, lower);
  return best;
}

/* Simple ones first: those with another term must be nearer by a factor of SC_EXPONENTIAL_LOWER, with n before the
 * power by SC_EXPONENTIAL_BESIDE. The next nearest is the rival, where it is near. */
TEST(the_nearest_exponential_is_found)
{
  static double (*const functions[])(double) = {alone, power_times, with_constant, with_line, powers_of_2, subsets};
  size_t rivals = 0;
  for (size_t f = 0; f < COUNT(functions); f++)
    for (int wild = 0; wild < 2; wild++) {
      double n[3 * MOST], y[3 * MOST], noise, center = 0, spread = 0;
      size_t count = 0;
      for (size_t i = 0; i < 9; i++)
        for (size_t r = 0; r < 1 + i * (f + 1) % 3; r++, count++) {
          n[count] = 9 + 2 * (double)i + (double)(i == 4);
          y[count] = functions[f](n[count]) * (1 + (wild ? 0.008 : 0.002) * sin(37.0 * (double)(count + 9 * f)));
        }
      sc_points p = {0};
      assert_int_equal(sc_points_gather(&(sc_series){n, y, count, false}, &p), 0);
      sc_model m = fit(n, y, count, false);
      nearest best = {.miss = INFINITY}, other = {.miss = INFINITY};
      for (int lower = 0; lower <= 2; lower++)
        for (int beside = 0; beside <= 1; beside++) {
          nearest one = nearest_of(&p, beside, lower);
          bool better = one.miss < best.miss / (beside ? SC_EXPONENTIAL_BESIDE : SC_EXPONENTIAL_LOWER);
          nearest worse = better ? best : one;
          other = worse.miss < other.miss ? worse : other;
          best = better ? one : best;
        }
      noise = p.pure_degrees ? sqrt(p.pure_ss / (double)p.pure_degrees) : 0;
      unit_near_by(m.scatter, best.miss, 1e-6);
      unit_near_by(m.order.base, exp(best.t), 1e-6);
      assert_true(m.order.beside == best.beside && m.term_count == (best.lower ? 2 : 1));
      assert_true(!best.lower || m.terms[1].exponent == best.lower - 1);
      unit_near_by(m.sigma, fmax(fmax(best.miss, noise), SC_EXPONENTIAL_NOISE), 1e-6);
      for (size_t i = 0; i < p.count; i++)
        center += p.repeats[i] * p.n[i] / (double)p.observations;
      for (size_t i = 0; i < p.count; i++)
        spread += p.repeats[i] * (p.n[i] - center) * (p.n[i] - center);
      unit_near(m.n_center, center);
      unit_near_by(m.drift, SC_EXPONENTIAL_DRIFT * m.sigma / sqrt(spread), 1e-6);
      bool near = other.miss <= fmax(SC_EXPONENTIAL_NEXT * best.miss, SC_EXPONENTIAL_NEXT_LEAST);
      assert_int_equal(m.rival_count, near);
      if (near) {
        unit_near_by(m.rivals[0].terms[0].base, exp(other.t), 1e-5);
        assert_true(m.rivals[0].terms[0].exponent == other.beside && m.rivals[0].term_count == (other.lower ? 2 : 1));
      }
      rivals += near;
      sc_points_free(&p);
    }
  assert_true(rivals > 2);
}

/* Whole bases up to 16 with fractions down to 24ths, alone, beside n, and beside a constant or a line that may be
 * taken away. */
TEST(exact_exponentials_have_fractions)
{
  static const struct {
    int base, over, under;
    double beside, constant, line;
  } cases[] = {{2, 3, 8, 0, -2, 0},   {6, 5, 24, 0, 7, 0},   {6, 7, 12, 1, 0, 3},  {3, 4, 3, 0, 0, 2},
               {12, 11, 24, 0, 1, 0}, {16, 1, 8, 0, 0, -1},  {16, 3, 4, 1, 9, 0},  {5, 2, 1, 0, 0, 0},
               {7, 1, 1, 1, 0, 0},    {10, 13, 2, 0, 0, -2}, {15, 8, 3, 0, -2, 0}, {4, 1, 4, 1, 0, 0},
               {9, 1, 3, 0, 40, 0},   {2, 1000, 1, 0, 0, 1}, {13, 1, 1, 0, 1, 0},  {2, 1, 1, 1, -1, 0},
               {6, 5, 24, 0, 5e7, 0}, {6, 5, 24, 0, 0, 4e6}};
  static const double n[] = {3, 5, 8, 10, 12};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double y[5], c = (double)cases[i].over / cases[i].under;
    for (size_t k = 0; k < 5; k++) {
      y[k] = cases[i].over * pow(cases[i].base, n[k]) * pow(n[k], cases[i].beside) / cases[i].under +
             cases[i].constant + cases[i].line * n[k];
      assert_true(y[k] == floor(y[k]) && y[k] < 0x1p53);
    }
    sc_model m = fit(n, y, 5, true);
    if (!m.exact || m.order.base != cases[i].base || m.order.beside != cases[i].beside ||
        fabs(m.terms[0].coefficient / c - 1) > 1e-15)
      fail_msg("case %zu: exact %d, %g, %g^n", i, m.exact, m.terms[0].coefficient, m.order.base);
    bool two = cases[i].constant != 0 || cases[i].line != 0;
    assert_int_equal(m.term_count, two ? 2 : 1);
    assert_true(!two || (m.terms[1].exponent == (cases[i].line != 0) &&
                         fabs(m.terms[1].coefficient - cases[i].constant - cases[i].line) < 1e-9));
    assert_true(m.degrees == 5 - m.term_count && m.points == 5 && m.n_min == 3 && m.n_max == 12);
    y[2]++; /* one off */
    m = fit(n, y, 5, true);
    assert_false(m.exact);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of counts that several formulas reproduce at the sizes measured: "exact" is true at every size, and else
 * the interval holds what the sizes leave open. */
#include "unit.h"

#include <math.h>

#include "regress_fit_scene.h"

typedef double function(double n);
#define DEFINE(name, formula) \
  static double name(double n) { return formula; }
DEFINE(half_square, floor(n / 2) * floor(n / 2))
DEFINE(half_square_up, ceil(n / 2) * ceil(n / 2))
DEFINE(half_pairs, floor(n / 2) * (floor(n / 2) - 1) / 2)
DEFINE(half_product, floor(n *n / 4))
DEFINE(half, floor(n / 2))
DEFINE(half_up, ceil(n / 2))
DEFINE(half_rows, n *floor(n / 2))
DEFINE(third_square, floor(n / 3) * floor(n / 3) + n)

/* At a hundred sizes in a row beyond those measured the interval holds the truth, and is a fiftieth of it at most; what
 * is exact is the truth. */
static void holds(const char *name, function *f, const double *n, size_t count)
{
  char text[300];
  sc_model model = fit_counts(f, n, count);
  sc_model_format(&model, "n", text, sizeof text);
  for (double at = 4 * n[count - 1]; at < 4 * n[count - 1] + 100; at++) {
    sc_interval p;
    assert_int_equal(sc_model_predict(&model, at, 0.95, &p), 0);
    double truth = f(at);
    if (p.low > truth + 1e-6 || p.high < truth - 1e-6 || p.high - p.low > 0.02 * truth ||
        (model.exact && p.low == p.high && p.value != truth))
      fail_msg("%s from %g at %g: %g in [%g, %g], not %g: %s", name, n[0], at, p.value, p.low, p.high, truth, text);
  }
}

#define CASE(f) \
  {             \
#f, f       \
  }
static const struct {
  const char *name;
  function *f;
} halves[] = {CASE(half_square), CASE(half_square_up), CASE(half_pairs), CASE(half_product),
              CASE(half),        CASE(half_up),        CASE(half_rows)};

TEST(one_odd_size_is_no_formula_of_the_odd_ones)
{
  static const double first[] = {51, 100, 200, 400, 800, 1600}, middle[] = {50, 100, 136, 185, 252, 342, 500, 584},
                      last[] = {10, 20, 40, 80, 160, 321};
  for (size_t i = 0; i < COUNT(halves); i++) {
    holds(halves[i].name, halves[i].f, first, COUNT(first));
    holds(halves[i].name, halves[i].f, middle, COUNT(middle));
    holds(halves[i].name, halves[i].f, last, COUNT(last));
  }
}

TEST(even_sizes_tell_nothing_of_odd_ones)
{
  static const double even[] = {100, 136, 186, 252, 342, 500, 584}, doubled[] = {100, 200, 400, 800, 1600};
  for (size_t i = 0; i < COUNT(halves); i++) {
    holds(halves[i].name, halves[i].f, even, COUNT(even));
    holds(halves[i].name, halves[i].f, doubled, COUNT(doubled));
    sc_interval far; /* where a half is a small part of the count */
    sc_model model = fit_counts(halves[i].f, even, COUNT(even));
    assert_int_equal(sc_model_predict(&model, 200001, 0.95, &far), 0);
    assert_true(far.low <= halves[i].f(200001) && halves[i].f(200001) <= far.high);
  }
}

TEST(squares_of_blocks_are_found)
{
  static const double n[] = {50, 100, 136, 185, 251, 342, 499, 584, 684, 800};
  static function *const functions[] = {half_square, half_square_up, half_pairs, third_square};
  for (size_t i = 0; i < COUNT(functions); i++) {
    sc_model model = fit_counts(functions[i], n, COUNT(n));
    assert_true(model.exact && sc_model_value(&model, 8001) == functions[i](8001));
  }
}

/* As many blocks as are begun, and one more: the roundest of the block sizes that the counts leave is the best,
 * whatever lies at the ends stays possible. */
DEFINE(thousands, 1000 * (floor(n / 1000) + 1))
DEFINE(buffers, 4096 * (floor(n / 512) + 1))

TEST(blocks_and_one_more)
{
  static const double wide[] = {500, 1000, 1360, 1850, 2510, 3420, 4990, 8000},
                      narrow[] = {1000, 1360, 1850, 2510, 3420, 4650, 6330, 8610},
                      few[] = {50, 100, 136, 185, 251, 342, 499, 584, 684, 800, 1500, 3000};
  static const struct {
    const double *n;
    size_t count;
  } at[] = {{wide, COUNT(wide)}, {narrow, COUNT(narrow)}, {few, COUNT(few)}};
  static function *const functions[] = {thousands, buffers};
  for (size_t f = 0; f < COUNT(functions); f++)
    for (size_t i = 0; i < COUNT(at); i++) {
      sc_model model = fit_counts(functions[f], at[i].n, at[i].count);
      for (double n = 10 * at[i].n[0]; n < 90000; n += 77) {
        sc_interval p;
        assert_int_equal(sc_model_predict(&model, n, 0.95, &p), 0);
        assert_true(p.low <= functions[f](n) && functions[f](n) <= p.high);
        assert_true(at[i].n == few || functions[f] != thousands || p.value == thousands(n));
      }
    }
}

/* 50 is below 100: n log10 n makes one step there, and a limit of 100 that happens to be twice 50 the same one. */
DEFINE(limited_rows, 3 * fmin(n, 100) * n + 3)
DEFINE(digits_each, 5 * n * (floor(log10(n)) + 1))

TEST(one_step_of_a_logarithm_may_be_a_limit)
{
  static const double n[] = {50, 100, 136, 185, 251, 342, 499, 584, 684, 800};
  static function *const functions[] = {limited_rows, digits_each};
  for (size_t i = 0; i < COUNT(functions); i++) {
    sc_model model = fit_counts(functions[i], n, COUNT(n));
    sc_interval p;
    assert_int_equal(sc_model_predict(&model, 8000, 0.95, &p), 0);
    assert_true(!model.exact && p.low <= functions[i](8000) && functions[i](8000) <= p.high);
  }
  static const double wide[] = {50, 100, 136, 185, 342, 584, 800, 1360, 3420}; /* two steps are no limit */
  assert_true(fit_counts(digits_each, wide, COUNT(wide)).exact);
}

/* A form with as many numbers as there are sizes says nothing: 913 n log2 n, rounded, is no sum of whole logarithms. */
TEST(as_many_numbers_as_sizes)
{
  static const double n[] = {100, 200, 400, 800}, y[] = {609426, 1398610, 3159578, 7046714};
  sc_model model = fit(n, y, COUNT(n), true);
  sc_interval p;
  assert_int_equal(sc_model_predict(&model, 1600, 0.95, &p), 0);
  assert_true(!model.exact && p.low <= 15551387 && 15551387 <= p.high);
}

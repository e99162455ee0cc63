/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hypotheses with a number that is not linear, and those that are no sum of the space's terms. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/forms/curve.h"
#include "regress/forms/forms.h"
#include "regress/forms/special.h"

enum { SIZES = 9 };
static const double n[SIZES] = {10, 20, 45, 90, 200, 410, 800, 1500, 3300};

static sc_space space;
static sc_points points;
static sc_candidate list[SC_CURVE_MOST];

static size_t find(double (*f)(double), size_t sizes, bool counts, double worst)
{
  double y[SIZES];
  for (size_t i = 0; i < sizes; i++)
    y[i] = counts ? round(f(n[i])) : f(n[i]);
  if (!space.candidates)
    assert_int_equal(sc_space_new(&space, true), 0);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, sizes, counts}, &points), 0);
  space.ready = false;
  assert_int_equal(sc_space_prepare(&space, &points), 0);
  return sc_curve_find(&space, &points, worst, list);
}

/* The exponent or scale of the curved term among those found with this one beside it (-1: none); NAN: not found. */
static double found_at(size_t count, enum sc_shape shape, int beside)
{
  for (size_t i = 0; i < count; i++) {
    const sc_candidate *c = &list[i];
    size_t curved = shape == SC_SHAPE_PLAIN && c->count == 2 && c->terms[0].exponent == beside ? 1 : 0;
    bool alone = c->count == 1;
    if (c->terms[curved].shape != shape || alone != (beside < 0) || (!alone && c->terms[1 - curved].exponent != beside))
      continue;
    assert_true(c->parameters == c->count + 1);
    return shape == SC_SHAPE_PLAIN ? c->terms[curved].exponent : c->terms[curved].scale;
  }
  return NAN;
}

static double exponent, beside_power;
static double power(double x) { return 3 * pow(x, exponent); }
static double power_beside(double x) { return 3 * pow(x, exponent) + 50 * pow(x, beside_power); }

/* Hundredths, twelfths, and the exponents of recurrences have all their digits. */
TEST(free_exponents)
{
  const double exponents[] = {1.26, 17.0 / 12, log2(3), log2(7), log(2) / log(3) + 1, log(5) / log(4), 0.37, 2.81};
  for (size_t i = 0; i < COUNT(exponents); i++) {
    exponent = exponents[i];
    double got = found_at(find(power, SIZES, false, 1e9), SC_SHAPE_PLAIN, -1);
    if (!(fabs(got - exponent) < 1e-5) || (i != 4 && got != exponent && fabs(got - exponent) > 1e-15))
      fail_msg("%.17g is not %.17g", got, exponent);
  }
  exponent = 1.23456; /* none of these */
  double got = found_at(find(power, SIZES, false, 1e9), SC_SHAPE_PLAIN, -1);
  assert_true(fabs(got - exponent) < 1e-5 && got != 1.23);
}

TEST(free_exponents_beside_others)
{
  static const double exponents[] = {1.45, 2.4, 0.55}, besides[] = {0, 1, 2};
  for (size_t i = 0; i < COUNT(exponents); i++)
    for (size_t b = 0; b < COUNT(besides); b++) {
      exponent = exponents[i];
      beside_power = besides[b];
      size_t count = find(power_beside, SIZES, false, 1e9);
      double got = found_at(count, SC_SHAPE_PLAIN, (int)besides[b]);
      if (!(fabs(got - exponent) < 2e-3))
        fail_msg("n^%g beside n^%g: %g", exponent, besides[b], got);
      for (size_t k = 0; k < count; k++) /* the leading term comes first */
        assert_true(list[k].count == 1 || list[k].terms[0].shape != SC_SHAPE_PLAIN ||
                    list[k].terms[0].exponent > list[k].terms[1].exponent);
    }
}

static double hyperbolic(double x) { return 700 * x / (x + 600); }
static double approach(double x) { return 700 * (1 - exp(-x / 900)); }
static double hyperbolic_more(double x) { return 90 + 700 * x / (x + 600); }
static double approach_more(double x) { return 90 + 700 * (1 - exp(-x / 900)); }
static double not_yet(double x) { return 700 * x / (x + 5000); }

TEST(saturations)
{
  static const struct {
    double (*f)(double);
    enum sc_shape shape;
    int beside;
    double scale;
  } cases[] = {{hyperbolic, SC_SHAPE_HYPERBOLIC, -1, 600},
               {approach, SC_SHAPE_APPROACH, -1, 900},
               {hyperbolic_more, SC_SHAPE_HYPERBOLIC, 0, 600},
               {approach_more, SC_SHAPE_APPROACH, 0, 900}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double got = found_at(find(cases[i].f, SIZES, false, 1e9), cases[i].shape, cases[i].beside);
    if (!(fabs(got / cases[i].scale - 1) < 0.01))
      fail_msg("case %zu: %g", i, got);
  }
  /* half of the limit has to be seen: 5,000 is above the largest size */
  assert_true(isnan(found_at(find(not_yet, SIZES, false, 1e9), SC_SHAPE_HYPERBOLIC, -1)));
  exponent = 0.9; /* and it has to slow down */
  size_t count = find(power, SIZES, false, 1e9);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(list[i].terms[0].shape, SC_SHAPE_PLAIN);
}

TEST(prices_of_curves)
{
  static const double measured[] = {7, 9, 9, 9, 10, 12, 10, 12}, counted[] = {20, 22, 22, 22, 20, 24, 20, 24};
  for (int counts = 0; counts < 2; counts++) {
    size_t count = find(hyperbolic_more, SIZES, counts, 1e9);
    for (size_t i = 0; i < count; i++) {
      size_t row = list[i].terms[0].shape == SC_SHAPE_PLAIN        ? list[i].count == 1 ? 0 : 1
                   : list[i].terms[0].shape == SC_SHAPE_HYPERBOLIC ? 3 + list[i].count
                                                                   : 5 + list[i].count;
      assert_true(list[i].cost == (counts ? counted : measured)[row]);
    }
    assert_true(count >= 3);
  }
  exponent = 1.45; /* with three sizes twice as much, and nothing beside it */
  size_t count = find(power, 3, false, 1e9);
  assert_true(count == 1 && list[0].cost == 14 && list[0].count == 1);
  assert_int_equal(find(power, 3, false, -1e9), 0);
  exponent = 1.05; /* this near to n a term n beside it says nothing */
  beside_power = 0;
  assert_true(isnan(found_at(find(power_beside, SIZES, false, 1e9), SC_SHAPE_PLAIN, 1)));
}

/* ---- forms ---- */
static double divided(double x) { return 5 * x * x / log2(x); }
static double per_size(double x) { return 9000 / x + 4; }
static double falls_little(double x) { return 100 - 5 * (x > 1000); }
static double falls_more(double x) { return 100 - 25 * (x > 1000); }

TEST(quotients_cubes_and_shares)
{
  sc_candidate forms[SC_FORMS_MOST];
  (void)find(divided, SIZES, false, 1e9);
  size_t count = sc_forms_find(&points, 1e9, forms);
  assert_int_equal(count, 4);
  for (int a = 1; a <= 3; a++)
    assert_true(forms[a - 1].count == 1 && forms[a - 1].parameters == 1 && forms[a - 1].cost == 8 &&
                forms[a - 1].terms[0].exponent == a && forms[a - 1].terms[0].log_exponent == -1);
  assert_true(forms[3].count == 3 && forms[3].parameters == 3 && forms[3].cost == 6 &&
              forms[3].terms[0].exponent == 3 && forms[3].terms[1].exponent == 2 && forms[3].terms[2].exponent == 1);
  /* only what may be better than the worst: n^2 / log n hits all */
  double best = sc_candidate_score(&points, 0, NAN, 1, 8);
  count = sc_forms_find(&points, best + 1, forms);
  assert_true(count == 1 && forms[0].terms[0].exponent == 2);
  assert_int_equal(sc_forms_find(&points, best - 1, forms), 0);
  points.whole = true;
  count = sc_forms_find(&points, 1e9, forms);
  assert_true(count == 4 && forms[0].cost == 16 && forms[3].cost == 12);
  points.whole = false;
  points.count = 4; /* no cubic */
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 3);
  points.count = 3; /* no quotients without repeats */
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 0);
  points.pure_degrees = 1;
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 3);
  points.pure_degrees = 0;
  points.count = SIZES;
  points.n[0] = 2;
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 4);
  points.n[0] = 1.9; /* where the logarithm is less than 1 */
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 1);
  (void)find(per_size, SIZES, false, 1e9);
  count = sc_forms_find(&points, 1e9, forms);
  assert_int_equal(count, 7);
  assert_true(forms[4].count == 1 && forms[4].terms[0].exponent == -1 && forms[4].cost == 6);
  assert_true(forms[5].count == 2 && forms[5].terms[0].exponent == 0 && forms[5].terms[1].exponent == -1);
  assert_true(forms[6].count == 2 && forms[6].parameters == 2 && forms[6].terms[0].exponent == 1 &&
              forms[6].terms[1].exponent == -1);
  points.count = 3;
  points.pure_degrees = 0;
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 3);
  (void)find(falls_little, SIZES, false, 1e9); /* to 95%: above 80% nothing is divided */
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 4);
  (void)find(falls_more, SIZES, false, 1e9);
  assert_int_equal(sc_forms_find(&points, 1e9, forms), 7);
}

static double (*under)(double);
static double wobbling(double x) { return under(x) * (1 + 0.004 * sin(x)); }
static double straight(double x) { return 3 * x + 50; }

/* Whatever its score is, a curve is found where it may be as bad as that: what ends a search early promises less. Where
 * even a perfect one would be too bad it is not. */
TEST(what_reaches_the_worst_is_found)
{
  static double (*const functions[])(double) = {power,           power_beside,  hyperbolic, approach,
                                                hyperbolic_more, approach_more, straight};
  sc_wls *wls;
  size_t checked = 0;
  assert_int_equal(sc_wls_new(&wls), 0);
  exponent = 1.37;
  beside_power = 0;
  for (size_t k = 0; k < COUNT(functions); k++) {
    sc_candidate all[SC_CURVE_MOST];
    under = functions[k];
    size_t count = find(wobbling, SIZES, false, 1e9);
    memcpy(all, list, sizeof all);
    for (size_t i = 0; i < count; i++) {
      sc_wls_result fit;
      sc_term terms[SC_MODEL_TERMS];
      memcpy(terms, all[i].terms, sizeof terms);
      if (sc_wls_fit(wls, &points, terms, all[i].count, &fit) != 0)
        continue;
      double score = sc_candidate_score(&points, fit.rss, NAN, all[i].parameters, all[i].cost);
      double perfect = sc_candidate_score(&points, 0, NAN, all[i].parameters, all[i].cost);
      for (int enough = 0; enough < 2; enough++) {
        size_t again = find(wobbling, SIZES, false, enough ? score + 1e-6 : perfect - 1e-6), same = 0;
        for (size_t j = 0; j < again; j++)
          same += list[j].count == all[i].count && list[j].terms[0].shape == all[i].terms[0].shape &&
                  list[j].terms[0].exponent == all[i].terms[0].exponent &&
                  list[j].terms[0].scale == all[i].terms[0].scale;
        if (same != (size_t)enough)
          fail_msg("function %zu, curve %zu, %d", k, i, enough);
      }
      checked++;
    }
  }
  assert_true(checked > 20);
  sc_wls_free(wls);
}

TEST(the_power_law_through_two_sizes)
{
  exponent = 1.5;
  (void)find(power, SIZES, false, 1e9);
  sc_term law = sc_special_power_law(&points, 3, 7);
  double e = log(3 * pow(3300, 1.5) / 7) / log(3300 / 90.0);
  assert_true(fabs(law.exponent - e) < 1e-12 && fabs(law.coefficient * pow(90, e) / 7 - 1) < 1e-9);
  sc_space_free(&space);
  sc_points_free(&points);
}

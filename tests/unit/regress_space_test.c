/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The space of sums, each hypothesis beside a fit of its own. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/wls.h"
#include "regress/forms/candidate.h"
#include "regress/forms/space.h"

static void near_to(double value, double expected, double tolerance)
{
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.14g is not %.14g", value, expected);
}

/* Growth costs 5, rarer forms more, pairs that are not polynomials 6; exact counts pay twice, and 4 for such pairs. */
TEST(prices)
{
  static const struct {
    double exponent, log_exponent, price;
  } growths[] = {{0, 1, 1},   {0, 2, 4},   {0.5, 0, 2}, {0.5, 1, 6}, {1, 0, 0},   {1, 1, 0},
                 {1, 2, 4},   {1.5, 0, 3}, {1.5, 1, 6}, {2, 0, 0},   {2, 1, 2},   {2, 2, 6},
                 {2.5, 0, 4}, {2.5, 1, 8}, {3, 0, 0},   {3, 1, 3},   {3.5, 0, 6}, {4, 0, 1}};
  static const size_t polynomials[] = {5, 10, 15, 18};
  sc_space space;
  size_t seen = 0;
  assert_int_equal(sc_space_new(&space, true), 0);
  assert_int_equal(space.candidate_count, 1 + 18 * 2 + 18 * 17);
  assert_true(space.candidates[0].count == 1 && space.candidates[0].column[0] == 0 && space.candidates[0].cost == 0 &&
              space.candidates[0].counted_cost == 0);
  assert_true(sc_space_term(0).exponent == 0 && sc_space_term(0).log_exponent == 0);
  for (size_t i = 0; i < COUNT(growths); i++)
    assert_true(sc_space_term(i + 1).exponent == growths[i].exponent &&
                sc_space_term(i + 1).log_exponent == growths[i].log_exponent);
  for (size_t i = 1; i < space.candidate_count; i++) {
    const sc_space_candidate *c = &space.candidates[i];
    bool pair = c->count == 3 || (c->count == 2 && c->column[1]), whole[2] = {false};
    for (size_t p = 0; p < COUNT(polynomials); p++)
      for (size_t k = 0; k < 2; k++)
        whole[k] = whole[k] || c->column[k] == polynomials[p];
    double price = growths[c->column[0] - 1].price + (pair ? growths[c->column[1] - 1].price : 0);
    bool usual = !pair || (whole[0] && whole[1]);
    assert_true(c->cost == price + 5 + (usual ? 0 : 6) && c->counted_cost == 2 * (price + 5) + (usual ? 0 : 4));
    assert_true(c->column[0] > c->column[1] && (c->count < 3 || c->column[2] == 0));
    seen += pair;
  }
  assert_int_equal(seen, 18 * 17);
  sc_space_free(&space);
  assert_int_equal(sc_space_new(&space, false), 0);
  assert_int_equal(space.candidate_count, 1 + 18 * 2);
  sc_space_free(&space);
  assert_true(sc_space_growth_cost(false) == 5 && sc_space_growth_cost(true) == 10);
  near_to(sc_space_power(0), 0.1, 1e-12);
  near_to(sc_space_power(34), 6.9, 1e-12);
  near_to(sc_space_saturation(0), 2, 1e-12);
  near_to(sc_space_saturation(2), 2 * 0.42 * 0.42, 1e-12);
}

/* What each hypothesis leaves is what a fit of it leaves, if that may be a count function. */
TEST(residuals_are_those_of_fits)
{
  static const double n[] = {10, 23, 41, 80, 170, 330, 512};
  static const double y[][7] = {{130, 280, 520, 1000, 2300, 4400, 6600},
                                {900, 1100, 1150, 1300, 1380, 1420, 1600},
                                {150, 600, 1800, 6600, 29000, 110000, 263000},
                                {40, 55, 61, 60, 63, 58, 66}};
  sc_wls *wls;
  sc_space space;
  sc_points points = {0};
  size_t kept = 0, refused = 0;
  assert_int_equal(sc_wls_new(&wls), 0);
  assert_int_equal(sc_space_new(&space, true), 0);
  for (size_t s = 0; s < COUNT(y); s++) {
    assert_int_equal(sc_points_gather(&(sc_series){n, y[s], 7, false}, &points), 0);
    points.weight[3] = 2, points.scale[5] *= 1.5;
    assert_int_equal(sc_space_prepare(&space, &points), 0);
    sc_space_gather(&space, &points);
    for (size_t i = 0; i < space.candidate_count; i++) {
      const sc_space_candidate *c = &space.candidates[i];
      sc_term terms[SC_MODEL_TERMS];
      sc_wls_result fit;
      double parts = 0, sum = 0, residual = sc_space_residual(&space, c);
      for (size_t t = 0; t < c->count; t++)
        terms[t] = sc_space_term(c->column[t]);
      assert_int_equal(sc_wls_fit(wls, &points, terms, c->count, &fit), 0);
      for (size_t t = 0; t < c->count; t++)
        parts += fabs(fit.part[t]), sum += fit.part[t];
      bool constant = c->count == 2 && c->column[1] == 0;
      double lead = fit.part[0] / sum, missed = sqrt(fit.rss);
      double least = constant ? 1e-11 : lead > 0 && missed * 100 < 0.03 ? fmax(1e-3, 100 * missed) : 0.03;
      double shown = constant ? fabs(lead) : lead, cancel = parts / fabs(sum);
      if (fabs(cancel / 20 - 1) < 1e-3 || fabs(shown / least - 1) < 1e-3)
        continue; /* rounding may decide */
      bool may = sum > 0 && cancel < 20 && shown > least;
      if (c->count == 1)
        may = fit.part[0] > 0;
      if (isfinite(residual) != may)
        fail_msg("series %zu, hypothesis %zu: leads by %g, %g in parts", s, i, lead, cancel);
      if (may)
        near_to(residual, fit.rss, 1e-6);
      kept += may, refused += !may;
    }
    space.ready = false;
  }
  assert_true(kept > 300 && refused > 300);
  sc_points_free(&points);
  sc_space_free(&space);
  sc_wls_free(wls);
}

/* The tables that curves are looked for in. */
TEST(tables_of_curves)
{
  static const double n[] = {10, 40, 160}, y[] = {1, 2, 3}, other[] = {20, 40, 160};
  sc_space space;
  sc_points points = {0};
  assert_int_equal(sc_space_new(&space, true), 0);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, 3, false}, &points), 0);
  assert_int_equal(sc_space_prepare(&space, &points), 0);
  for (size_t i = 0; i < 3; i++) {
    for (size_t e = 0; e < SC_SPACE_POWERS; e++)
      near_to(space.powers[e * 3 + i], pow(n[i] / 160, sc_space_power(e)), 1e-12);
    for (size_t r = 0; r < SC_SPACE_SATURATIONS; r++) {
      near_to(space.hyperbolic[r * 3 + i], n[i] / (n[i] + 160 * sc_space_saturation(r)), 1e-12);
      near_to(space.approach[r * 3 + i], 1 - exp(-n[i] / 160 / sc_space_saturation(r)), 1e-12);
    }
  }
  double before = space.basis[5];
  assert_true(before == 10);
  assert_int_equal(sc_points_gather(&(sc_series){other, y, 3, false}, &points), 0);
  assert_int_equal(sc_space_prepare(&space, &points), 0);
  assert_true(space.basis[5] == before); /* ready: not computed again */
  space.ready = false;
  assert_int_equal(sc_space_prepare(&space, &points), 0);
  assert_true(space.basis[5] == 20);
  sc_points_free(&points);
  sc_space_free(&space);
}

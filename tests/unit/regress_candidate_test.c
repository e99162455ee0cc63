/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hypotheses cost and which may be, from their formulas. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/forms/candidate.h"

#define near_to(value, expected) unit_near_by(value, expected, 1e-10)

TEST(the_variance_and_the_score)
{
  sc_points points = {.observations = 8, .pure_ss = 0.16, .rounding = 0.003, .stairs = 0.0005};
  near_to(sc_candidate_variance(&points, 0.4, NAN), 0.02 + 0.05 + 0.0035 + 1e-18);
  near_to(sc_candidate_variance(&points, 0.4, 0.3), 0.02 + 0.95 * 0.05 + 0.05 * 0.3 + 0.0035 + 1e-18);
  points.whole = true;
  near_to(sc_candidate_variance(&points, 0.4, 0.3), 0.02 + 0.5 * 0.05 + 0.5 * 0.3 + 0.0035 + 1e-18);
  near_to(sc_candidate_score(&points, 0.4, 0.3, 2, 7), 8 * log(0.1985) + 2 * 2 * 8 / 5.0 + 7);
  points = (sc_points){.observations = 2};
  near_to(sc_candidate_variance(&points, 0, NAN), 1e-18);
  /* few observations: AICc; many: BIC; none left: as with one */
  near_to(sc_candidate_penalty(8, 3), 2 * 3 * 8 / 4.0);
  near_to(sc_candidate_penalty(4, 3), 2 * 3 * 4);
  near_to(sc_candidate_penalty(3, 3), 2 * 3 * 3);
  near_to(sc_candidate_penalty(1000, 3), 3 * log(1000));
}

/* Three fitted numbers and four sizes without repeats. */
TEST(chance_hits)
{
  static const struct {
    size_t parameters, sizes, degrees;
    bool whole, chance;
  } cases[] = {{3, 4, 0, true, true},  {3, 4, 0, false, false}, {3, 4, 1, true, false}, {3, 5, 0, true, false},
               {3, 3, 0, true, false}, {2, 3, 0, true, false},  {4, 5, 0, true, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_points points = {.count = cases[i].sizes, .pure_degrees = cases[i].degrees, .whole = cases[i].whole};
    assert_true(sc_candidate_hits_by_chance(&points, cases[i].parameters) == cases[i].chance);
  }
}

TEST(common_forms)
{
  static const struct {
    sc_candidate candidate;
    bool common;
  } cases[] = {{{.terms = {{1, 2, 1}, {-1, 1, 0}, {3, 0, 0}}, .count = 3}, true},
               {{.terms = {{1, 0, 1}}, .count = 1}, true},
               {{.terms = {{1, 1, 0}, {1, 0, 1}}, .count = 2}, false},
               {{.terms = {{1, 1, 0}, {1, 1, 1}}, .count = 2}, true},
               {{.terms = {{1, 1.5, 0}}, .count = 1}, false},
               {{.terms = {{1, 1, 2}}, .count = 1}, false},
               {{.terms = {{1, 1, -1}}, .count = 1}, false},
               {{.terms = {{1, -1, 0}}, .count = 1}, false},
               {{.terms = {{-1, 1, 0}}, .count = 1}, false},
               {{.terms = {{0, 1, 0}}, .count = 1}, false},
               {{.terms = {{1, 1, 0, 2}}, .count = 1}, false},
               {{.terms = {{1, 1, 0, 0, SC_SHAPE_FLOOR_BLOCK, 3}}, .count = 1}, false},
               {{.terms = {{1, 1, 0}}, .count = 1, .piece_count = 1}, false},
               {{.terms = {{1, 1, 0}}, .count = 0}, false}};
  for (size_t i = 0; i < COUNT(cases); i++)
    if (sc_candidate_common(&cases[i].candidate) != cases[i].common)
      fail_msg("case %zu", i);
}

TEST(the_preferred_goes_to_the_front)
{
  sc_candidate list[4];
  const sc_candidate *ranked[] = {list, list + 1, list + 2, list + 3};
  sc_candidate_prefer(ranked, 2);
  assert_true(ranked[0] == list + 2 && ranked[1] == list && ranked[2] == list + 1 && ranked[3] == list + 3);
  sc_candidate_prefer(ranked, 0);
  assert_true(ranked[0] == list + 2 && ranked[1] == list);
}

/* Parts that cancel to less than a twentieth, a leading term of less than 3% (a thousandth where nothing is missed),
 * growth on a constant below rounding, values below zero. */
TEST(sums_that_may_be)
{
  static const sc_term growing[] = {{1, 2, 0}, {1, 1, 0}}, on_constant[] = {{1, 2, 0}, {1, 0, 0}};
  static const struct {
    double part[2], rss, lowest;
    size_t count;
    bool constant, leads, sane;
  } cases[] = {{{1}, 0, 0, 1, false, true, true},
               {{0}, 0, 0, 1, false, true, true},
               {{-1e-9}, 0, 0, 1, false, true, false},
               {{1}, 0, -1, 1, false, true, true},
               {{1}, 0, -1.01, 1, false, true, false},
               {{10.4, -9.4}, 1, 0, 2, false, true, true},  /* 19.8 in parts, 1 in all */
               {{10.6, -9.6}, 1, 0, 2, false, true, false}, /* 20.2 */
               {{0.0301, 0.9699}, 1, 0, 2, false, true, true},
               {{0.0299, 0.9701}, 1, 0, 2, false, true, false},
               {{0.0011, 0.9989}, 1e-10, 0, 2, false, true, true},
               {{0.0009, 0.9991}, 1e-14, 0, 2, false, true, false},
               {{0.0101, 0.9899}, 1e-8, 0, 2, false, true, true}, /* 100 times what is missed */
               {{0.0099, 0.9901}, 1e-8, 0, 2, false, true, false},
               {{0.0001, 0.9999}, 1, 0, 2, true, true, true},
               {{2e-11, 1}, 1, 0, 2, true, true, true},
               {{5e-12, 1}, 1, 0, 2, true, true, false},
               {{-0.1, 1.1}, 1, 0, 2, true, true, false}, /* falls */
               {{-0.1, 1.1}, 1, 0, 2, true, false, true},
               {{-0.1, 1.1}, 1, 0, 2, false, false, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_wls_result fit = {.rss = cases[i].rss, .lowest = cases[i].lowest};
    memcpy(fit.part, cases[i].part, sizeof cases[i].part);
    if (sc_candidate_sane(&fit, cases[i].constant ? on_constant : growing, cases[i].count, cases[i].leads) !=
        cases[i].sane)
      fail_msg("case %zu", i);
  }
  /* three terms, the last of them constant, are none on a constant */
  sc_term three[] = {{1, 2, 0}, {1, 0, 0}, {1, 1, 0}};
  sc_wls_result fit = {.rss = 1, .part = {0.001, 0.5, 0.499}};
  assert_false(sc_candidate_sane(&fit, three, 3, true));
}

TEST(what_is_taken_away_costs)
{
  static const struct {
    double part[3];
    size_t count;
    double measured, counted;
  } cases[] = {{{1, 1}, 2, 0, 0},        {{1, -0.5}, 2, 2, 0},   {{-0.5, 1}, 2, 4, 4},
               {{2, -1, -0.5}, 3, 4, 0}, {{-2, -1, 6}, 3, 6, 4}, {{0, 0}, 2, 0, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_points points = {0};
    sc_wls_result fit = {0};
    double size = 0, sum = 0;
    memcpy(fit.part, cases[i].part, sizeof cases[i].part);
    for (size_t j = 0; j < cases[i].count; j++)
      size += fabs(fit.part[j]), sum += fit.part[j];
    near_to(sc_candidate_sign_cost(&points, &fit, cases[i].count),
            cases[i].measured + (size > 0 ? 3 * log(size / fabs(sum)) : 0));
    points.whole = true;
    near_to(sc_candidate_sign_cost(&points, &fit, cases[i].count), cases[i].counted);
  }
  sc_points points = {0};
  sc_wls_result fit = {.part = {1, -1}}; /* at most as if a thousandth were left */
  near_to(sc_candidate_sign_cost(&points, &fit, 2), 2 + 3 * log(1000));
}

/* 10, 21, 39, 82 at 1, 2, 4, 8 as c n: without the last size, and without the last two. */
TEST(examined_by_prediction)
{
  static const double n[] = {1, 2, 4, 8}, y[] = {10, 21, 39, 82};
  sc_engine engine = {0};
  assert_int_equal(sc_wls_new(&engine.wls), 0);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, 4, false}, &engine.points), 0);
  /* relative residuals: c is the sum of n/y over that of (n/y)^2 */
  double x[4], c[3], rss = 0;
  for (size_t i = 0; i < 4; i++)
    x[i] = n[i] / y[i];
  for (size_t out = 0; out < 3; out++) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < 4 - out; i++)
      sum += x[i], squares += x[i] * x[i];
    c[out] = sum / squares;
  }
  for (size_t i = 0; i < 4; i++)
    rss += (c[0] * x[i] - 1) * (c[0] * x[i] - 1);
  double one = fabs(c[1] * x[3] - 1), two = fabs(c[2] * x[3] - 1);
  sc_candidate candidate = {.terms = {{0, 1, 0}}, .count = 1, .parameters = 1, .cost = 3};
  assert_int_equal(sc_candidate_examine(&engine, &candidate), 0);
  near_to(candidate.terms[0].coefficient, c[0]);
  near_to(candidate.forward_error, (one + two) / 2);
  near_to(candidate.forward_square, (one * one + two * two) / 2);
  near_to(candidate.score, sc_candidate_score(&engine.points, rss, (one * one + two * two) / 2, 1, 3));
  /* with three parameters only the last size is left out */
  candidate = (sc_candidate){.terms = {{0, 1, 0}}, .count = 1, .parameters = 3};
  assert_int_equal(sc_candidate_examine(&engine, &candidate), 0);
  near_to(candidate.forward_error, one);
  candidate = (sc_candidate){.terms = {{0, 2, 0}, {0, 1, 0}, {0}, {0, 3, 0}}, .count = 4, .parameters = 4};
  assert_int_equal(sc_candidate_examine(&engine, &candidate), SC_E_NUMERIC);
  candidate = (sc_candidate){.terms = {{0, -2, 0}, {0}}, .count = 2, .parameters = 2, .cost = 1};
  assert_int_equal(sc_candidate_examine(&engine, &candidate), 0);
  assert_true(candidate.terms[0].coefficient < 0);
  double without = sc_candidate_score(&engine.points, candidate.fit.rss, candidate.forward_square, 2, 1);
  near_to(candidate.score, without + sc_candidate_sign_cost(&engine.points, &candidate.fit, 2));
  candidate.parameters = 3; /* one of them in an exponent: then it must grow */
  assert_int_equal(sc_candidate_examine(&engine, &candidate), SC_E_NUMERIC);
  sc_points_free(&engine.points);
  sc_wls_free(engine.wls);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats gathered by size, what residuals are divided by, and the spread of models made of them. */
#include "unit.h"

#include <math.h>

#include "regress/choose/spread.h"
#include "regress/choose/trend.h"
#include "regress/core/points.h"

static sc_points gather(const double *n, const double *y, size_t count, bool counts)
{
  sc_points points = {0};
  assert_int_equal(sc_points_gather(&(sc_series){n, y, count, counts}, &points), 0);
  return points;
}

TEST(repeats_are_gathered_by_size)
{
  static const double n[] = {20, 10, 20, 40, 10, 20}, y[] = {8, 3, 10, 50, 5, 12};
  sc_points p = gather(n, y, 6, false);
  assert_true(p.count == 3 && p.observations == 6 && !p.counts && !p.equal && !p.whole && p.zeros == 0 &&
              p.y_max == 50);
  static const double sizes[] = {10, 20, 40}, means[] = {4, 10, 50}, repeats[] = {2, 3, 1};
  for (size_t i = 0; i < 3; i++) {
    assert_true(p.n[i] == sizes[i] && p.y[i] == means[i] && p.scale[i] == means[i] && p.repeats[i] == repeats[i]);
    unit_near(p.log_n[i], log(sizes[i]));
    unit_near(p.log2_n[i], log2(sizes[i]));
  }
  unit_near(p.pure_ss, 2 / 16.0 + 8 / 100.0);
  assert_true(p.pure_degrees == 3 && p.rounding == 0);
  unit_near(sc_points_noise(&p, 1), p.pure_ss / 3 / 3);
  unit_near(sc_points_noise(&p, 2), p.pure_ss / 3);
  p.weight[2] = 0;
  unit_near(sc_points_noise(&p, 2), p.pure_ss / 3 / 1e-9);
  p.weight[2] = 1;
  sc_points part = sc_points_part(&p, 1, 2);
  assert_true(part.count == 2 && part.n[0] == 20 && part.y[0] == 10 && part.scale[0] == 10 && part.repeats[0] == 3 &&
              part.weight[0] == 3 && part.log_n[0] == p.log_n[1] && part.log2_n[0] == p.log2_n[1]);
  assert_int_equal(sc_points_gather(&(sc_series){n, y, 6, false}, &p), 0);
  assert_true(p.same_sizes);
  sc_points_drop(&p, 0);
  assert_true(p.same_sizes && p.count == 3);
  sc_points_drop(&p, 1);
  assert_true(!p.same_sizes && p.count == 2 && p.observations == 4 && p.pure_degrees == 2 && p.n[0] == 20 &&
              p.y[1] == 50 && p.scale[1] == 50 && p.repeats[0] == 3 && p.weight[1] == 1 && p.log2_n[1] == log2(40));
  sc_points_free(&p);
}

/* A value of 0: the smallest of the others, a thousandth of the largest. A count: one at least, and up to five beside
 * hundreds. */
TEST(what_residuals_are_divided_by)
{
  static const double n[] = {1, 2, 3, 4};
  static const struct {
    double y[4];
    bool counts;
    double scale, rounding;
    size_t zeros;
  } cases[] = {{{0, 5, 8, 100}, false, 5, 0, 1},
               {{0, 0.05, 8, 100}, false, 0.1, 0, 1},
               {{0, 0.05, 8, 100}, true, 1, (1 + 1 + 1 / 64.0 + 1e-4) / 16, 1},
               {{0, 0, 0, 0}, false, 1, 0, 4},
               {{1e-13, 1, 1, 1}, false, 1e-12, 0, 0},
               {{2, 0, 8, 100}, true, 2, (1 / 4.0 + 1 / 4.0 + 1 / 64.0 + 1e-4) / 16, 0},
               {{0, 0, 8, 100}, true, 8, (3 / 64.0 + 1e-4) / 16, 2},
               {{1, 5, 8, 100}, true, 1, (1 + 1 / 25.0 + 1 / 64.0 + 1e-4) / 16, 0},
               {{1, 5, 8, 200}, true, 2, (1 / 4.0 + 1 / 25.0 + 1 / 64.0 + 1 / 4e4) / 16, 0},
               {{1, 5, 8, 500}, true, 5, (2 / 25.0 + 1 / 64.0 + 1 / 25e4) / 16, 0},
               {{4, 6, 8, 1000}, true, 5, (1 / 25.0 + 1 / 36.0 + 1 / 64.0 + 1e-6) / 16, 0},
               {{1, 5, 8, 1000}, false, 1, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_points p = gather(n, cases[i].y, 4, cases[i].counts);
    unit_near(p.scale[0], cases[i].scale);
    unit_near(p.rounding, cases[i].rounding);
    assert_int_equal(p.zeros, cases[i].zeros);
    if (i == 6) {
      sc_points_drop(&p, 2);
      unit_near(p.rounding, 0.25 * (1 / 64.0 + 1e-4) / 2);
      assert_int_equal(p.zeros, 0);
    }
    sc_points_free(&p);
  }
}

/* Repeats of counts that are equal are one; that differ by 1% are one count as well, but observed twice. */
TEST(counts_that_repeat)
{
  static const double n[] = {10, 10, 20, 20};
  static const struct {
    double y[4];
    bool counts, equal, whole;
    size_t observations;
  } cases[] = {{{7, 7, 9, 9}, true, true, true, 2},
               {{7, 7, 9, 9.5}, false, false, false, 4},
               {{1000, 1014, 3000, 3000}, true, false, true, 4},
               {{1000, 1041, 3000, 3000}, true, false, false, 4},
               {{7, 7, 0x1p63, 0x1p63}, true, true, true, 2},
               {{7, 7, 0x1.1p63, 0x1.1p63}, false, false, false, 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_points p = gather(n, cases[i].y, 4, true);
    if (p.counts != cases[i].counts || p.equal != cases[i].equal || p.whole != cases[i].whole ||
        p.observations != cases[i].observations)
      fail_msg("case %zu", i);
    sc_points_free(&p);
  }
}

TEST(bad_numbers_are_refused)
{
  static const double bad_n[] = {0, -1, INFINITY, NAN}, bad_y[] = {-1, INFINITY, NAN};
  sc_points p = {0};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(sc_points_gather(&(sc_series){&bad_n[i], (double[]){1}, 1, false}, &p), SC_E_INPUT);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(sc_points_gather(&(sc_series){(double[]){1}, &bad_y[i], 1, false}, &p), SC_E_INPUT);
  sc_points_free(&p);
}

/* ---- models made of them ---- */
TEST(a_model_has_the_spread_of_its_points)
{
  static const double n[] = {100, 200, 400, 800}, y[] = {110, 190, 420, 790};
  sc_points p = gather(n, y, 4, false);
  sc_candidate best = {.terms = {{7, 0, 0}, {2, 1, 0}},
                       .count = 2,
                       .parameters = 2,
                       .fit = {.rss = 0.02, .covariance = {{3, 5}, {5, 9}}},
                       .pieces = {{.until = 150}},
                       .piece_count = 1};
  sc_model m = {.verdict = SC_VERDICT_MODEL};
  sc_spread s = sc_spread_of(&p, &best);
  sc_spread_set(&p, &best, &m);
  assert_true(m.term_count == 2 && m.terms[0].exponent == 1 && m.terms[1].coefficient == 7); /* leading first */
  unit_near(m.covariance[0][0], 9 * 0.01);
  unit_near(m.covariance[1][1], 3 * 0.01);
  unit_near(m.covariance[0][1], 5 * 0.01);
  unit_near(m.sigma, 0.1);
  unit_near(m.scatter, sqrt(0.01));
  assert_true(m.degrees == 2 && m.piece_count == 1 && m.pieces[0].until == 150 && m.order.exponent == 1);
  assert_true(m.n_center == s.n_center && m.drift == s.drift);
  unit_near(m.n_center, pow(100 * 200.0 * 400 * 800, 0.25));
  /* relative: x' C x at n = 200 is 3 + 2 * 5 * 200 + 9 * 40,000, of 407 */
  unit_near(sc_spread_deviation(&s, &best, 200),
            sqrt((3 + 2000 + 360000.0) * 0.01 / 407 / 407 + pow(s.drift * log(200 / m.n_center), 2) + 0.01));
  best.first = 2; /* of the last two sizes */
  unit_near(sc_spread_of(&p, &best).n_center, sqrt(400 * 800.0));
  sc_points_free(&p);
}

/* Logarithms of counts are cut at the same place where sizes double: a step is off by 0.29, 1 / sqrt(12). */
TEST(sizes_that_double_hide_steps)
{
  static const double doubling[] = {128, 256, 512, 1024}, others[] = {128, 256, 520, 1024};
  static const double y[] = {100, 200, 300, 400};
  for (int i = 0; i < 2; i++) {
    sc_points p = gather(i ? others : doubling, y, 4, true);
    sc_candidate best = {.terms = {{4, 1, 1}, {2, 1, 0}}, .count = 2, .parameters = 2, .fit = {.rss = 1e-12}};
    sc_model m = {.verdict = SC_VERDICT_MODEL};
    sc_spread_set(&p, &best, &m);
    if (i)
      unit_near(m.scatter, 0.5 / 400); /* the largest count is rounded */
    else
      unit_near(m.scatter, 40.0 / 42 * 0.29 / 10);
    best = (sc_candidate){.terms = {{4, 1, 0}}, .count = 1, .parameters = 1, .fit = {.rss = 1e-20}};
    m = (sc_model){.verdict = SC_VERDICT_MODEL};
    sc_spread_set(&p, &best, &m); /* hit to the last digit: they may all stand at the same place of a stair */
    if (i)
      unit_near(m.scatter, 0.5 / 400); /* the largest count is rounded */
    else
      unit_near(m.scatter, M_LN2 / sqrt(12));
    sc_points_free(&p);
  }
}

/* ---- trends: thresholds of how many ---- */
TEST(trends_need_three)
{
  static const double n[] = {1, 2, 4, 8}, two[] = {3, 0, 6, INFINITY}, three[] = {3, 0, 6, 9};
  sc_trend t;
  assert_false(sc_trend_fit(n, two, 4, 0, &t));
  assert_true(sc_trend_fit(n, three, 4, 0, &t) && t.sizes == 3 && t.n_max == 8);
  assert_true(sc_trend_slope(n, two, 4) == 0);
  unit_near(sc_trend_slope(n, three, 4), log(3) / log(8)); /* of 0.5, 0.528 and 0.585 */
  static const double equal[] = {2, 2, 4}, values[] = {1, 5, 7};
  assert_true(sc_trend_slope(equal, values, 3) == 0); /* two pairs of different sizes */
}

/* Of 65 sizes every second one counts, from the first on. */
TEST(trends_of_many_sizes)
{
  double n[65], y[65];
  for (size_t i = 0; i < 65; i++)
    n[i] = pow(1.1, (double)i), y[i] = i % 2 ? 1 : n[i] * n[i];
  unit_near(sc_trend_slope(n, y, 65), 2);
  assert_true(sc_trend_slope(n, y, 64) != 2);
}

/* Wherever the two are that come in the wrong order. */
TEST(any_two_that_are_swapped_are_sorted)
{
  for (size_t at = 0; at + 1 < 5; at++) {
    double n[] = {100, 200, 300, 400, 500}, y[] = {1, 2, 3, 4, 5};
    sc_points points = {0};
    n[at] += 100, n[at + 1] -= 100, y[at] += 1, y[at + 1] -= 1;
    assert_int_equal(sc_points_gather(&(sc_series){n, y, 5, false}, &points), 0);
    assert_int_equal(points.count, 5);
    for (size_t i = 0; i < 5; i++)
      assert_true(points.n[i] == 100 * (double)(i + 1) && points.y[i] == (double)(i + 1));
    sc_points_free(&points);
  }
}

/* A count of 1 is divided by itself, and by a hundredth of the largest from 100 on, up to 5. */
TEST(single_events_have_the_scale_of_few)
{
  static const double most[] = {50, 100, 300, 500, 1e6}, scales[] = {1, 1, 3, 5, 5};
  for (size_t i = 0; i < COUNT(most); i++) {
    const double n[] = {10, 20, 40}, y[] = {most[i] / 10, 1, most[i]};
    sc_points points = {0};
    assert_int_equal(sc_points_gather(&(sc_series){n, y, 3, true}, &points), 0);
    unit_near(points.scale[1], scales[i]);
    unit_near(points.scale[2], most[i]);
    sc_points_free(&points);
  }
}

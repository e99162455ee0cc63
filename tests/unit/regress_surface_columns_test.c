/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of factors as columns, and which sums of them may be counts. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "regress/surface/columns.h"

enum { POINTS = 6 };
static const double at[POINTS][2] = {{10, 1}, {10, 4}, {20, 1}, {20, 4}, {40, 1}, {40, 4}};
static const double y[POINTS] = {100, 130, 200, 260, 400, 500};
/* 1, n and n^2; 1, t and 1/t: column 3 i + j is the product of n's factor j and t's factor i. */
enum { ONE, N, N2, T, NT, N2T, T1, NT1, N2T1, COLUMNS };

static sc_surface_columns begin(sc_surface_engine *engine, int rule)
{
  sc_surface_columns columns;
  *engine = (sc_surface_engine){
      .options = SC_FIT_OPTIONS_DEFAULT,
      .space = {
          .factor = {{{{1, 0, 0, 0, 0, 0}, 0, false}, {{1, 1, 0, 0, 0, 0}, 0.5, false}, {{1, 2, 0, 0, 0, 0}, 2, true}},
                     {{{1, 0, 0, 0, 0, 0}, 0, false}, {{1, 1, 0, 0, 0, 0}, 3, false}, {{1, -1, 0, 0, 0, 0}, 4, true}}},
          .count = {3, 3}}};
  sc_surface_series series = {.at = &at[0][0], .y = y, .count = POINTS, .parameters = 2};
  assert_int_equal(sc_surface_points_gather(&series, &engine->points), 0);
  sc_surface_pair pair = {0, 1, rule};
  assert_int_equal(sc_surface_columns_fill(engine, &pair, &columns), 0);
  return columns;
}

static void end(sc_surface_engine *engine)
{
  sc_surface_points_free(&engine->points);
  free(engine->numbers);
}

static double value_of(size_t column, double n, double t)
{
  return pow(n, (double)(column % 3)) * (column / 3 == 0 ? 1 : column / 3 == 1 ? t : 1 / t);
}

TEST(columns_are_all_products)
{
  sc_surface_engine engine;
  sc_surface_columns s = begin(&engine, SC_SURFACE_ANY);
  assert_true(s.count == COLUMNS && s.corners == 8);
  unit_near(s.yy, POINTS); /* values are relative to themselves */
  unit_near(s.rounding, POINTS * 1e-14);
  static const double costs[COLUMNS] = {0, 0.5, 2, 3, 4.5, 6, 4, 5.5, 7}; /* and one for a second factor */
  for (size_t c = 0; c < COLUMNS; c++) {
    double square = 0, xy = 0;
    for (size_t i = 0; i < POINTS; i++) {
      double x = value_of(c, at[i][0], at[i][1]) / y[i];
      square += x * x, xy += x;
    }
    unit_near(s.norm[c], sqrt(square));
    unit_near(s.xy[c], xy / sqrt(square));
    unit_near(s.cost[c], costs[c]);
    assert_true(s.bits[c] == ((uint64_t)1 << c % 3 | (uint64_t)1 << (SC_SURFACE_FACTORS + c / 3)));
    sc_surface_term term = sc_surface_columns_term(&s, c);
    assert_true(term.coefficient == 1 && term.factor[0].exponent == (double)(c % 3));
    assert_true(term.factor[1].exponent == (c / 3 == 2 ? -1 : (double)(c / 3)));
    for (size_t i = 0; i < POINTS; i++)
      unit_near(s.x[c * POINTS + i], value_of(c, at[i][0], at[i][1]) / y[i] / s.norm[c]);
    for (size_t k = 0; k < 8; k++) { /* the ends of the ranges, and ten times as far */
      double by = k >= 4 ? 10 : 1, n = k & 1 ? 40 * by : 10, t = k & 2 ? 4 * by : 1;
      unit_near(s.corner[c * SC_SURFACE_CORNERS + k], value_of(c, n, t) / s.norm[c]);
    }
    for (size_t d = 0; d < COLUMNS; d++) {
      double product = 0;
      for (size_t i = 0; i < POINTS; i++)
        product += s.x[c * POINTS + i] * s.x[d * POINTS + i];
      unit_near(s.gram[c * COLUMNS + d], product);
    }
  }
  end(&engine);
  s = begin(&engine, SC_SURFACE_APART); /* no products of both */
  for (size_t c = 0; c < COLUMNS; c++)
    assert_true((s.norm[c] > 0) == (c % 3 == 0 || c / 3 == 0));
  assert_true(s.xy[NT] == 0 && s.x[NT * POINTS] == 0 && s.corner[NT * SC_SURFACE_CORNERS] == 0);
  end(&engine);
}

TEST(factors_have_their_rank_and_sums_their_price)
{
  sc_surface_engine engine;
  sc_surface_columns s = begin(&engine, SC_SURFACE_ANY);
  assert_true(s.rank[0][0] == 0 && s.rank[0][1] == 2 && s.rank[0][2] == 3);
  assert_true(s.rank[1][0] == 0 && s.rank[1][1] == 3 && s.rank[1][2] == 0); /* 1/t falls */
  assert_true(s.functions[0] == 2 && s.functions[1] == 2);                  /* of three values, and of two */
  assert_int_equal(sc_surface_columns_free(&s, s.bits[NT]), 0);
  assert_int_equal(sc_surface_columns_free(&s, s.bits[N2]), 1);
  assert_int_equal(sc_surface_columns_free(&s, s.bits[N2T1]), 2);
  assert_true(sc_surface_columns_told(&s, s.bits[ONE] | s.bits[N] | s.bits[T]));
  assert_false(sc_surface_columns_told(&s, s.bits[ONE] | s.bits[N] | s.bits[N2]));
  assert_false(sc_surface_columns_told(&s, s.bits[ONE] | s.bits[T] | s.bits[T1]));
  /* the number of sums of two of nine is 36: twice its logarithm; growth costs 5 */
  unit_near(sc_surface_columns_prior(&s, 2, 1, s.bits[ONE] | s.bits[T]), 1 + 2 * log(36) + 5);
  unit_near(sc_surface_columns_prior(&s, 1, 0, s.bits[ONE]), 2 * log(9));
  unit_near(sc_surface_columns_prior(&s, 3, 0, s.bits[N]), 2 * log(84) + 5);
  end(&engine);
  double many[6][2] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 4}, {6, 4}};
  sc_surface_series series = {.at = &many[0][0], .y = y, .count = POINTS, .parameters = 2};
  s = begin(&engine, SC_SURFACE_ANY);
  for (size_t five = 0; five <= 1; five++) {
    many[5][0] = five ? 5 : 6;
    assert_int_equal(sc_surface_points_gather(&series, &engine.points), 0);
    assert_int_equal(sc_surface_columns_fill(&engine, &(sc_surface_pair){0, 1, SC_SURFACE_ANY}, &s), 0);
    assert_true(s.functions[0] == (five ? 3 : 4) && s.functions[1] == 3);
  }
  end(&engine);
}

/* There is one sum of both of two columns. */
TEST(sums_of_all_columns_are_not_rare)
{
  sc_surface_engine engine;
  sc_surface_columns s = begin(&engine, SC_SURFACE_ANY);
  engine.space.count[0] = 2, engine.space.count[1] = 1;
  assert_int_equal(sc_surface_columns_fill(&engine, &(sc_surface_pair){0, 1, SC_SURFACE_ANY}, &s), 0);
  assert_int_equal(s.count, 2);
  unit_near(sc_surface_columns_prior(&s, 1, 0, s.bits[0]), 2 * log(2));
  assert_true(fabs(sc_surface_columns_prior(&s, 2, 0, s.bits[0] | s.bits[1]) - 5) < 1e-12);
  end(&engine);
}

/* Whether a n + b n t + ... with these coefficients of columns may be a count. */
static bool sane(const sc_surface_columns *s, size_t a, double of_a, size_t b, double of_b)
{
  sc_surface_set set = {.column = {(unsigned short)a, (unsigned short)b}, .count = 2, .rss = 1};
  const double coefficients[] = {of_a * s->norm[a], of_b * s->norm[b]};
  return sc_surface_columns_sane(s, &set, coefficients);
}

TEST(counts_are_not_negative_and_no_difference)
{
  sc_surface_engine engine;
  sc_surface_columns s = begin(&engine, SC_SURFACE_ANY);
  assert_true(sane(&s, N, 2, NT, 3));
  /* n - 9 is 1/19 of its parts at n = 10, n - 11 is -1/21; below zero by 5% of the parts is borne */
  assert_true(sane(&s, ONE, -9, N, 1));
  assert_true(sane(&s, ONE, -11, N, 1));    /* -0.0476 */
  assert_false(sane(&s, ONE, -11.1, N, 1)); /* -0.0521 */
  /* far beyond, at n = 400, too: 380 - n is -0.026 of its parts there, 350 - n is -0.067 */
  assert_true(sane(&s, ONE, 441, N, -1) && sane(&s, ONE, 380, N, -1));
  assert_false(sane(&s, ONE, 350, N, -1));
  /* parts that are twenty times the sum at the largest size cancel: n^2 - 80 n + c at n = 40 */
  sc_surface_set set = {.column = {ONE, N, N2}, .count = 3, .rss = 0};
  assert_true(sc_surface_columns_sane(&s, &set, (double[]){1940 * s.norm[ONE], -80 * s.norm[N], s.norm[N2]}));
  assert_false(sc_surface_columns_sane(&s, &set, (double[]){1930 * s.norm[ONE], -80 * s.norm[N], s.norm[N2]}));
  /* and t + 16 / t - 8 + c at t = 4: c is a twentieth of the parts from 16 / 21 on; nowhere else they cancel */
  set = (sc_surface_set){.column = {ONE, T, T1}, .count = 3, .rss = 0};
  assert_true(sc_surface_columns_sane(&s, &set, (double[]){(0.77 - 8) * s.norm[ONE], s.norm[T], 16 * s.norm[T1]}));
  assert_false(sc_surface_columns_sane(&s, &set, (double[]){(0.75 - 8) * s.norm[ONE], s.norm[T], 16 * s.norm[T1]}));
  end(&engine);
}

/* What grows fastest in a parameter has 3% somewhere at the ends of what was measured. */
TEST(what_leads_is_seen)
{
  sc_surface_engine engine;
  sc_surface_columns s = begin(&engine, SC_SURFACE_ANY);
  double edge = 0.03 / 0.97 / 40; /* n^2 at n = 40 */
  assert_true(sane(&s, N, 1, N2, edge * 1.001));
  assert_false(sane(&s, N, 1, N2, edge * 0.999));
  sc_surface_set exact = {.column = {N, N2}, .count = 2, .rss = 0}; /* it leaves nothing */
  assert_true(sc_surface_columns_sane(&s, &exact, (double[]){s.norm[N], s.norm[N2] * edge / 2}));
  edge = 0.03 / 0.97 / 4; /* t at t = 4 */
  assert_true(sane(&s, ONE, 1, T, edge * 1.001));
  assert_false(sane(&s, ONE, 1, T, edge * 0.999));
  assert_true(sane(&s, ONE, 1, T1, 1e-9)); /* what falls doesn't lead */
  end(&engine);
  s = begin(&engine, SC_SURFACE_TOGETHER); /* n t has 3% at the largest */
  edge = 0.03 / 0.97 / 4;
  assert_true(sane(&s, N, 1, NT, edge * 1.001));
  assert_false(sane(&s, N, 1, NT, edge * 0.999));
  assert_false(sane(&s, N, 1, T, 1));
  edge = 0.03 / 0.97 / 40; /* and n t beside t, at n = 40 */
  assert_true(sane(&s, T, 1, NT, edge * 1.001));
  /* at the largest 1%, though ten times as far it is 7%: 100 t + 0.01 n^2 + 0.026 n t */
  sc_surface_set far = {.column = {N2, T, NT}, .count = 3, .rss = 1};
  assert_false(sc_surface_columns_sane(&s, &far, (double[]){0.01 * s.norm[N2], 100 * s.norm[T], 0.026 * s.norm[NT]}));
  assert_true(sc_surface_columns_sane(&s, &far, (double[]){0.01 * s.norm[N2], 100 * s.norm[T], 0.085 * s.norm[NT]}));
  end(&engine);
}

/* To the last bit: parts of exactly 3, and 97, of 100. */
TEST(what_leads_has_its_share_at_least)
{
  sc_surface_engine engine;
  sc_surface_columns s = begin(&engine, SC_SURFACE_ANY);
  sc_surface_set set = {.column = {ONE, N}, .count = 2, .rss = 1};
  for (size_t k = 0; k < SC_SURFACE_CORNERS; k++)
    s.corner[ONE * SC_SURFACE_CORNERS + k] = s.corner[N * SC_SURFACE_CORNERS + k] = 1;
  assert_true(3 / 100.0 == 0.03);
  assert_true(sc_surface_columns_sane(&s, &set, (double[]){97, 3}));
  assert_false(sc_surface_columns_sane(&s, &set, (double[]){97, nextafter(3, 0)}));
  end(&engine);
  s = begin(&engine, SC_SURFACE_TOGETHER); /* and so has a product that has to be there */
  set = (sc_surface_set){.column = {N, NT}, .count = 2, .rss = 0};
  for (size_t k = 0; k < SC_SURFACE_CORNERS; k++)
    s.corner[N * SC_SURFACE_CORNERS + k] = s.corner[NT * SC_SURFACE_CORNERS + k] = 1;
  assert_true(sc_surface_columns_sane(&s, &set, (double[]){97, 3}));
  assert_false(sc_surface_columns_sane(&s, &set, (double[]){97, nextafter(3, 0)}));
  end(&engine);
}

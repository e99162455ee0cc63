/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions of one parameter the lines along it, or points without lines, speak for. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress_surface_scene.h"

typedef double function(double n, double t);

static void begin(surface_scene *s, double (*at)[2], size_t count, function *f, bool counts)
{
  double y[SURFACE_POINTS];
  for (size_t i = 0; i < count; i++)
    y[i] = f(at[i][0], at[i][1]);
  surface_begin(s, &(sc_surface_series){.at = &at[0][0], .y = y, .count = count, .parameters = 2, .counts = counts});
}

static void grid(surface_scene *s, function *f, bool counts)
{
  double at[SURFACE_GRID][2];
  surface_grid(at);
  begin(s, at, SURFACE_GRID, f, counts);
}

/* Points that share no value with each other. */
static void scattered(surface_scene *s, size_t count, function *f)
{
  double at[SURFACE_POINTS][2];
  for (size_t i = 0; i < count; i++) {
    at[i][0] = 20 * pow(1.3, (double)i);
    at[i][1] = 1 + (double)(i * 7 % count) / 2;
  }
  begin(s, at, count, f, false);
}

static size_t column_of(double exponent, double log_exponent)
{
  for (size_t c = 0; c <= SC_SURFACE_GROWTHS; c++) {
    sc_term term = sc_surface_lines_term(c);
    if (fabs(term.exponent - exponent) < 1e-12 && term.log_exponent == log_exponent)
      return c;
  }
  fail_msg("no n^%g log^%g", exponent, log_exponent);
  return 0;
}

/* Every growth of the table, on every line with other coefficients. */
static double one_exponent, one_log;
static double one(double n, double t) { return (3 + t * t) * pow(n, one_exponent) * pow(log2(n), one_log); }
static double beside(double n, double t) { return one(n, t) + 40 * t; }
static double rows(double n, double t) { return one(t + 1, n); }

TEST(each_growth_is_found_alone_and_beside_a_constant)
{
  static const double known[][2] = {{1, 0},   {2, 0},        {3, 0},       {4, 0},      {1, 1},  {0, 1},
                                    {0.5, 0}, {2, 1},        {3, 1},       {1.5, 0},    {0, 2},  {1, 2},
                                    {2.5, 0}, {-1, 0},       {-2, 0},      {-0.5, 0},   {-1, 1}, {0.5, 1},
                                    {1.5, 1}, {-2.0 / 3, 0}, {1.0 / 3, 0}, {2.0 / 3, 0}};
  assert_int_equal(sizeof known / sizeof *known, SC_SURFACE_GROWTHS);
  for (size_t k = 0; k < SC_SURFACE_GROWTHS; k++)
    for (int constant = 0; constant <= 1; constant++) {
      surface_scene s;
      sc_surface_rating rating;
      one_exponent = known[k][0], one_log = known[k][1];
      grid(&s, constant ? beside : one, false);
      sc_surface_lines_rate(&s.engine, 0, &rating);
      size_t column = column_of(known[k][0], known[k][1]);
      assert_true(rating.lines && rating.pairs == SC_SURFACE_PAIRS);
      assert_true(rating.pair[0][0] == column && rating.pair[0][1] == 0); /* dearer ones fit no better */
      assert_true(rating.score[column] == rating.pair_score[0]);
      for (size_t i = 1; i < SC_SURFACE_PAIRS; i++)
        assert_true(rating.pair_score[i] >= rating.pair_score[i - 1]);
      surface_end(&s);
    }
}

static double two(double n, double t) { return t * n * n + (5 - t / 2) * 100 * n + 3; }

TEST(two_growths_are_found_together)
{
  surface_scene s;
  sc_surface_rating rating;
  grid(&s, two, false);
  sc_surface_lines_rate(&s.engine, 0, &rating);
  assert_true(rating.pair[0][0] == column_of(1, 0) && rating.pair[0][1] == column_of(2, 0));
  assert_true(rating.score[1] == rating.pair_score[0] && rating.score[2] == rating.pair_score[0]);
  surface_end(&s);
}

/* Half of the points, or half of the values, are in lines of three; else prices are all there is. */
TEST(lines_by_accident_show_little)
{
  static const struct {
    size_t count;
    double at[8][2];
    bool lines;
  } cases[] = {{6, {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 3}, {6, 4}}, true},
               {7, {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 3}, {6, 4}, {7, 5}}, false},
               {7, {{1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 3}, {6, 4}, {6, 5}}, true},
               {4, {{1, 1}, {2, 1}, {3, 2}, {4, 2}}, false}};
  one_exponent = 1, one_log = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    surface_scene s;
    sc_surface_rating rating;
    double at[8][2];
    memcpy(at, cases[i].at, sizeof at);
    begin(&s, at, cases[i].count, one, false);
    sc_surface_lines_rate(&s.engine, 0, &rating);
    assert_true(rating.lines == cases[i].lines);
    for (size_t c = 1; c <= SC_SURFACE_GROWTHS && !rating.lines; c++)
      assert_true(rating.score[c] == sc_surface_lines_cost(c));
    surface_end(&s);
  }
  assert_true(sc_surface_lines_cost(0) == 0);
}

TEST(the_best_pairs_are_kept_in_order)
{
  sc_surface_rating rating = {.pairs = 0};
  for (size_t i = 0; i < SC_SURFACE_PAIRS + 3; i++) /* 7, 14, 4, 11, 1, ... without 10 */
    sc_surface_lines_keep(&rating, i + 1, i % 2 ? i + 1 : i + 2, (double)((i + 1) * 7 % 17));
  assert_int_equal(rating.pairs, SC_SURFACE_PAIRS);
  for (size_t at = 0; at < SC_SURFACE_PAIRS; at++) {
    double score = rating.pair_score[at];
    size_t i = rating.pair[at][0] - 1;
    assert_true(score == (double)((i + 1) * 7 % 17) && score == (double)(at + (at >= 9) + 1));
    assert_int_equal(rating.pair[at][1], i % 2 ? 0 : i + 2);
  }
}

/* Where no two points share a value, what the other parameter does is taken out. */
static double scattered_square(double n, double t) { return (3 * t + 2) * n * n + 100 * t; }

TEST(points_without_lines_show_growth_too)
{
  surface_scene s;
  scattered(&s, 16, scattered_square);
  for (int few = 0; few <= 1; few++) {
    sc_surface_rating rating;
    sc_surface_lines_rate(&s.engine, 0, &rating);
    assert_false(rating.lines);
    assert_int_equal(sc_surface_scatter_rate(&s.engine, 0, &rating), 0);
    size_t square = column_of(2, 0);
    if (few)
      assert_int_equal(rating.pairs, 0);
    for (size_t c = 1; c <= SC_SURFACE_GROWTHS && !few; c++)
      if (c != square && rating.score[c] <= rating.score[square] + 100)
        fail_msg("%zu: %g, %g", c, rating.score[c], rating.score[square]);
    if (!few)
      assert_true(rating.pairs == SC_SURFACE_PAIRS && rating.pair[0][0] == square && rating.pair[0][1] == 0);
    surface_end(&s);
    scattered(&s, 10, scattered_square); /* eight columns and three more points: eleven at least */
  }
  surface_end(&s);
  scattered(&s, 11, scattered_square);
  sc_surface_rating rating;
  sc_surface_lines_rate(&s.engine, 0, &rating);
  assert_int_equal(sc_surface_scatter_rate(&s.engine, 0, &rating), 0);
  assert_int_equal(rating.pairs, SC_SURFACE_PAIRS);
  surface_end(&s);
}

/* ---- numbers that are searched for ---- */

static double free_power(double n, double t) { return (2 + t) * pow(n, 1.23); }
static double free_beside(double n, double t) { return (2 + t) * pow(n, 1.23) + 500 / t; }
static double falling_power(double n, double t) { return 1e5 * t * pow(n, -0.73) + t; }

TEST(a_power_that_the_table_lacks)
{
  static const struct {
    function *f;
    double exponent;
  } cases[] = {{free_power, 1.23}, {free_beside, 1.23}, {falling_power, -0.73}};
  for (size_t i = 0; i < 3; i++) {
    surface_scene s;
    sc_surface_factor factor;
    grid(&s, cases[i].f, false);
    assert_true(sc_surface_free_power(&s.engine, 0, &factor));
    assert_true(fabs(factor.term.exponent - cases[i].exponent) < 1e-6 && factor.term.coefficient == 1);
    assert_true(factor.free && factor.cost == 10 && factor.term.log_exponent == 0);
    surface_end(&s);
  }
}

static double constant(double n, double t) { return t + 0 * n; }

TEST(powers_of_the_table_are_no_free_ones)
{
  static const double known[] = {1, 2, 3, 4, 0.5, 1.5, 2.5, -1, -0.5};
  surface_scene s;
  sc_surface_factor factor;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    one_exponent = known[i], one_log = 0;
    grid(&s, one, false);
    assert_false(sc_surface_free_power(&s.engine, 0, &factor));
    surface_end(&s);
  }
  one_exponent = 5.5; /* beyond the scan */
  grid(&s, one, false);
  assert_false(sc_surface_free_power(&s.engine, 0, &factor));
  surface_end(&s);
  one_exponent = -2.5;
  grid(&s, one, false);
  assert_false(sc_surface_free_power(&s.engine, 0, &factor));
  surface_end(&s);
  grid(&s, constant, false);
  assert_false(sc_surface_free_power(&s.engine, 0, &factor));
  surface_end(&s);
}

static double hyperbolic(double n, double t) { return n * 40 * t / (t + 6); }
static double hyperbolic_beside(double n, double t) { return n * (40 * t / (t + 6) + 3); }
static double approach(double n, double t) { return n * 40 * -expm1(-t / 5); }

TEST(limits_have_their_scale)
{
  static const struct {
    function *f;
    enum sc_shape shape;
    double scale;
  } cases[] = {{hyperbolic, SC_SHAPE_HYPERBOLIC, 6},
               {hyperbolic_beside, SC_SHAPE_HYPERBOLIC, 6},
               {approach, SC_SHAPE_APPROACH, 5}};
  for (size_t i = 0; i < 3; i++) {
    surface_scene s;
    sc_surface_factor factor;
    grid(&s, cases[i].f, false);
    assert_true(sc_surface_free_limit(&s.engine, 1, INFINITY, &factor));
    assert_int_equal(factor.term.shape, cases[i].shape);
    assert_true(fabs(factor.term.scale / cases[i].scale - 1) < 1e-6);
    assert_true(factor.free && factor.cost == 10 && factor.term.coefficient == 1 && factor.term.exponent == 0);
    assert_false(sc_surface_free_limit(&s.engine, 1, -INFINITY, &factor)); /* nothing is better */
    surface_end(&s);
  }
}

/* The other parameter's lines have their own functions. */
TEST(each_parameter_has_its_lines)
{
  surface_scene s;
  sc_surface_rating rating;
  one_exponent = 2, one_log = 0;
  grid(&s, rows, false);
  sc_surface_lines_rate(&s.engine, 1, &rating);
  assert_true(rating.pair[0][0] == 1 && rating.pair[0][1] == column_of(2, 0)); /* (t + 1)^2 */
  sc_surface_lines_rate(&s.engine, 0, &rating);
  assert_true(rating.pair[0][0] == column_of(2, 0) && rating.pair[0][1] == 0);
  surface_end(&s);
}

/* The table: exponents, and what a hypothesis costs beside a plain power. */
TEST(growths_and_their_prices)
{
  static const double table[][3] = {{1, 0, 0},   {2, 0, 0},  {3, 0, 0},   {4, 0, 1},    {1, 1, 0},  {0, 1, 1},
                                    {0.5, 0, 2}, {2, 1, 2},  {3, 1, 3},   {1.5, 0, 3},  {0, 2, 4},  {1, 2, 4},
                                    {2.5, 0, 4}, {-1, 0, 1}, {-2, 0, 6},  {-0.5, 0, 4}, {-1, 1, 6}, {-2, 0, 6},
                                    {1, 0, 4},   {2, 0, 4},  {0.5, 1, 6}, {1.5, 1, 6}};
  for (size_t c = 1; c <= SC_SURFACE_GROWTHS; c++) {
    double thirds = c >= 18 && c <= 20 ? 3 : 1;
    sc_term term = sc_surface_lines_term(c);
    assert_true(fabs(term.exponent - table[c - 1][0] / thirds) < 1e-15 && term.log_exponent == table[c - 1][1]);
    assert_true(sc_surface_lines_cost(c) == table[c - 1][2]);
  }
  sc_term constant = sc_surface_lines_term(0);
  assert_true(sc_surface_lines_cost(0) == 0 && sc_term_is_constant(&constant, 1) && constant.coefficient == 1);
}

/* Next to 1, too: nothing that moves less than half a step of the scan is a power. */
TEST(powers_near_0)
{
  static const double known[] = {0.07, -0.07, 0.12, -0.12, 0.053, -0.053};
  surface_scene s;
  sc_surface_factor factor;
  one_log = 0;
  for (size_t i = 0; i < COUNT(known); i++) {
    one_exponent = known[i];
    grid(&s, one, false);
    assert_true(sc_surface_free_power(&s.engine, 0, &factor));
    assert_true(fabs(factor.term.exponent - known[i]) < 1e-6);
    surface_end(&s);
  }
  for (int falls = 0; falls < 2; falls++) {
    one_exponent = falls ? -0.047 : 0.047;
    grid(&s, one, false);
    assert_false(sc_surface_free_power(&s.engine, 0, &factor));
    surface_end(&s);
  }
}

static double erratic(double n, double t) { return pow(900, fmod(0.618034 * (n / 10 + 3 * t * t), 1)); }

/* What explains next to nothing has a score above 0, and is that of the best set all the same. */
TEST(scores_of_what_explains_nothing)
{
  surface_scene s;
  sc_surface_rating rating;
  grid(&s, erratic, false);
  sc_surface_lines_rate(&s.engine, 0, &rating);
  assert_true(rating.lines && rating.pair_score[0] > 0);
  for (size_t c = 1; c <= SC_SURFACE_GROWTHS; c++)
    assert_true(rating.score[c] >= rating.pair_score[0]);
  assert_true(rating.score[rating.pair[0][0]] == rating.pair_score[0]);
  surface_end(&s);
}

static double growing(double n, double t) { return (5 + n) * t; }

/* What grows in proportion, and what falls, has no limit within four times the values. */
TEST(no_limit_is_none)
{
  surface_scene s;
  sc_surface_factor factor = {.cost = 77};
  grid(&s, growing, false);
  assert_false(sc_surface_free_limit(&s.engine, 1, INFINITY, &factor));
  assert_true(factor.cost == 77);
  surface_end(&s);
}

/* An exponent within a millionth of one of the table is that. */
TEST(exponents_of_the_table_have_six_digits)
{
  static const double off[] = {0.9e-6, -0.9e-6, 1.1e-6, -1.1e-6};
  one_log = 0;
  for (size_t i = 0; i < COUNT(off); i++) {
    surface_scene s;
    sc_surface_factor factor;
    one_exponent = 2 + off[i];
    grid(&s, one, false);
    assert_int_equal(sc_surface_free_power(&s.engine, 0, &factor), i >= 2);
    surface_end(&s);
  }
}

/* The variance of a fit to some of the observations: their part of the repeats' squares, and what it leaves. */
TEST(scores_are_of_the_observations_in_lines)
{
  sc_surface_engine engine = {.points = {.pure_ss = 0.6, .observations = 30, .independent = 7, .rounding = 0.005}};
  double variance = 0.6 * 12 / 30 / 12 + 0.3 / 12 + 0.005 + 1e-18;
  unit_near(sc_surface_lines_score(&engine, 12, 0.3, 3, 5), 12 * log(variance) + 2 * 3 * 12 / 8.0 + 5);
}

/* Better than the last of them and no better than the one before it takes the last place; as good as the last none. */
TEST(the_last_place_is_taken_by_what_is_better)
{
  sc_surface_rating rating = {.pairs = 0};
  for (size_t i = 0; i < SC_SURFACE_PAIRS; i++)
    sc_surface_lines_keep(&rating, i + 1, i + 1, (double)(10 * i));
  sc_surface_lines_keep(&rating, 20, 21, 10.0 * (SC_SURFACE_PAIRS - 1));
  assert_int_equal(rating.pair[SC_SURFACE_PAIRS - 1][0], SC_SURFACE_PAIRS);
  sc_surface_lines_keep(&rating, 20, 21, 10.0 * (SC_SURFACE_PAIRS - 1) - 5);
  assert_int_equal(rating.pairs, SC_SURFACE_PAIRS);
  assert_true(rating.pair[SC_SURFACE_PAIRS - 1][0] == 20 && rating.pair[SC_SURFACE_PAIRS - 1][1] == 21);
  assert_int_equal(rating.pair[SC_SURFACE_PAIRS - 2][0], SC_SURFACE_PAIRS - 1);
  assert_true(rating.pair_score[SC_SURFACE_PAIRS - 1] == 10.0 * (SC_SURFACE_PAIRS - 1) - 5);
}

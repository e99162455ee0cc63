/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of all sums of products of some factors the one that the points are is found, and has the best score. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "regress/surface/columns.h"

enum { SIDE = 5, POINTS = SIDE * SIDE, FACTORS = 3, COLUMNS = FACTORS * FACTORS };
static const double ns[SIDE] = {10, 20, 40, 80, 160}, ts[SIDE] = {1, 2, 4, 8, 16};
static const double exponents[2][FACTORS] = {{0, 1, 2}, {0, 1, -1}}, costs[2][FACTORS] = {{0, 0.5, 2}, {0, 3, 4}};

static size_t points_of_search = POINTS;
static bool free_square; /* whether the exponent of n^2 counts as fitted */

static double product(size_t column, double n, double t)
{
  return pow(n, exponents[0][column % FACTORS]) * pow(t, exponents[1][column / FACTORS]);
}

/* Terms are of equal size in the middle. */
static double value(const size_t *columns, size_t count, double n, double t)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (1 + 0.1 * (double)i) * product(columns[i], n, t) / product(columns[i], 40, 4);
  return 1000 * sum;
}

static void search(sc_surface_engine *engine, const size_t *columns, size_t count, int rule)
{
  double at[POINTS][2], y[POINTS];
  *engine = (sc_surface_engine){.options = SC_FIT_OPTIONS_DEFAULT};
  for (size_t p = 0; p < 2; p++) {
    engine->space.count[p] = FACTORS;
    for (size_t f = 0; f < FACTORS; f++)
      engine->space.factor[p][f] = (sc_surface_factor){
          {1, exponents[p][f], 0, 0, SC_SHAPE_PLAIN, 0}, costs[p][f], free_square && p == 0 && f == 2};
  }
  for (size_t i = 0; i < POINTS; i++) {
    at[i][0] = ns[i % SIDE], at[i][1] = ts[(i / SIDE + i) % SIDE]; /* the first five are on a diagonal */
    y[i] = value(columns, count, at[i][0], at[i][1]);
  }
  const sc_surface_series series = {.at = &at[0][0], .y = y, .count = points_of_search, .parameters = 2};
  assert_int_equal(sc_surface_points_gather(&series, &engine->points), 0);
  assert_int_equal(sc_surface_search(engine, &(sc_surface_pair){0, 1, rule}), 0);
}

static void end(sc_surface_engine *engine)
{
  sc_surface_points_free(&engine->points);
  free(engine->numbers);
}

static bool has(const sc_surface_candidate *c, size_t column)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->terms[i].factor[0].exponent == exponents[0][column % FACTORS] &&
        c->terms[i].factor[1].exponent == exponents[1][column / FACTORS])
      return true;
  return false;
}

/* The hypothesis of these terms alone, or NULL. */
static const sc_surface_candidate *ranked(const sc_surface_engine *engine, const size_t *columns, size_t count)
{
  for (size_t i = 0; i < engine->ranks; i++) {
    bool all = engine->ranked[i].count == count;
    for (size_t k = 0; k < count; k++)
      all = all && has(&engine->ranked[i], columns[k]);
    if (all)
      return &engine->ranked[i];
  }
  return NULL;
}

static double choose(size_t of, size_t count)
{
  double sets = 1;
  for (size_t i = 0; i < count; i++)
    sets = sets * (double)(of - i) / (double)(i + 1);
  return sets;
}

/* It leaves nothing but rounding; all sums of that number of terms are counted; growth costs 5, a further factor of a
 * product one; and each term its factors. */
static void is_found(const size_t *columns, size_t count)
{
  static sc_surface_engine engine;
  search(&engine, columns, count, SC_SURFACE_ANY);
  const sc_surface_candidate *c = ranked(&engine, columns, count);
  if (!c)
    fail_msg("%zu, %zu, %zu of %zu are not found", columns[0], columns[1], columns[2], count);
  double cost = 2 * log(choose(COLUMNS, count));
  for (size_t i = 0; i < count; i++)
    cost += costs[0][columns[i] % FACTORS] + costs[1][columns[i] / FACTORS] +
            (columns[i] % FACTORS > 0 && columns[i] / FACTORS > 0);
  cost += count > 1 || columns[0] > 0 ? 5 : 0;
  unit_near(c->cost, cost);
  assert_true(c->parameters == count && c->free == 0);
  double squares = 0, most = 0; /* residuals are relative to a thousandth of the largest */
  for (size_t i = 0; i < POINTS; i++)
    most = fmax(most, value(columns, count, ns[i / SIDE], ts[i % SIDE]));
  for (size_t i = 0; i < POINTS; i++)
    squares += pow(fmin(1, value(columns, count, ns[i / SIDE], ts[i % SIDE]) * 1000 / most), 2) / POINTS;
  double k = (double)count, penalty = fmax(2 * k * POINTS / (POINTS - k - 1), k * log(POINTS));
  unit_near(c->score, POINTS * log(squares * 1e-14 + 1e-18) + penalty + cost);
  for (size_t i = 0; i < engine.ranks; i++)
    assert_true(engine.ranked[i].count > count || engine.ranked[i].score >= c->score);
  end(&engine);
}

TEST(each_sum_of_up_to_three_products_is_found)
{
  for (size_t a = 0; a < COLUMNS; a++) {
    is_found((const size_t[]){a, 0, 0}, 1);
    for (size_t b = a + 1; b < COLUMNS; b++) {
      is_found((const size_t[]){a, b, 0}, 2);
      for (size_t c = b + 1; c < COLUMNS; c++)
        is_found((const size_t[]){a, b, c}, 3);
    }
  }
}

/* 1, n and t, with their product and without. */
TEST(rules_say_what_may_stand_together)
{
  static const size_t sum[] = {0, 1, 3}, with[] = {0, 1, 4};
  static sc_surface_engine engine;
  search(&engine, sum, 3, SC_SURFACE_APART);
  assert_non_null(ranked(&engine, sum, 3));
  for (size_t i = 0; i < engine.ranks; i++)
    for (size_t c = 0; c < COLUMNS; c++)
      assert_false(c % FACTORS > 0 && c / FACTORS > 0 && has(&engine.ranked[i], c));
  end(&engine);
  search(&engine, sum, 3, SC_SURFACE_TOGETHER);
  assert_null(ranked(&engine, sum, 3));
  end(&engine);
  search(&engine, with, 3, SC_SURFACE_TOGETHER);
  assert_non_null(ranked(&engine, with, 3));
  end(&engine);
}

/* Six hypotheses at most of each number of terms, and up to six terms. */
TEST(the_best_of_each_number_of_terms_are_kept)
{
  static sc_surface_engine engine;
  static const size_t four[] = {0, 1, 3, 4};
  search(&engine, four, 4, SC_SURFACE_ANY);
  size_t counts[SC_SURFACE_TERMS + 1] = {0};
  for (size_t i = 0; i < engine.ranks; i++) {
    const sc_surface_candidate *c = &engine.ranked[i];
    counts[c->count]++;
    if (i && engine.ranked[i - 1].count == c->count)
      assert_true(engine.ranked[i - 1].score <= c->score);
    for (size_t k = 0; k < i; k++) { /* no two are the same */
      size_t same = 0;
      for (size_t column = 0; column < COLUMNS; column++)
        same += has(c, column) == has(&engine.ranked[k], column);
      assert_true(same < COLUMNS);
    }
  }
  for (size_t k = 1; k <= SC_SURFACE_TERMS; k++)
    assert_true(counts[k] <= SC_SURFACE_FINALISTS / SC_SURFACE_TERMS);
  assert_true(counts[1] > 0 && counts[4] > 0 && ranked(&engine, four, 4));
  end(&engine);
}

/* A factor whose exponent was fitted costs a parameter once, however many terms have it. */
TEST(fitted_factors_are_parameters)
{
  static const size_t terms[] = {0, 2, 5};
  static sc_surface_engine engine;
  size_t with = 0;
  free_square = true;
  search(&engine, terms, 3, SC_SURFACE_ANY);
  free_square = false;
  for (size_t i = 0; i < engine.ranks; i++) {
    const sc_surface_candidate *c = &engine.ranked[i];
    size_t has_square = has(c, 2) || has(c, 5) || has(c, 8);
    assert_true(c->free == has_square && c->parameters == c->count + has_square);
    with += has_square;
  }
  assert_true(with > 0 && with < engine.ranks && ranked(&engine, terms, 3));
  end(&engine);
}

/* Three points for each term, but pairs in any case where there are three points; of two points one term. */
TEST(terms_are_as_many_as_points_tell)
{
  static const struct {
    size_t points, most;
  } cases[] = {{2, 1}, {3, 2}, {5, 2}, {8, 2}, {9, 3}, {11, 3}, {12, 4}, {17, 5}, {18, 6}, {25, 6}};
  static sc_surface_engine engine;
  for (size_t i = 0; i < COUNT(cases); i++) {
    size_t most = 0;
    points_of_search = cases[i].points;
    search(&engine, (const size_t[]){0, 1, 3}, 3, SC_SURFACE_ANY);
    for (size_t r = 0; r < engine.ranks; r++)
      most = engine.ranked[r].count > most ? engine.ranked[r].count : most;
    assert_int_equal(most, cases[i].most);
    end(&engine);
  }
  points_of_search = POINTS;
}

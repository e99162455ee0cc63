/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of functions that loops count, with fractions as coefficients: found through as many points, held against
 * others, and in lowest terms. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "regress/core/term.h"
#include "regress/exact/sets.h"
#include "regress/exact/sum.h"

TEST(functions_have_whole_values)
{
  static const struct {
    sc_term basis;
    double n;
    long value; /* -1: none */
  } cases[] = {{{1, 0}, 7, 1},
               {{1, 3}, 7, 343},
               {{1, 4}, 1e9, -2}, /* 10^36, which is a whole number of 128 bits */
               {{1, 4}, 1e10, -1},
               {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 0}, 1, 0},
               {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 0}, 8, 3},
               {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 0}, 9, 4},
               {{1, 1, 2, 0, SC_SHAPE_CEIL_LOG, 0}, 9, 9 * 16},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG, 0}, 7, 2},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG, 0}, 8, 3},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG, 10}, 999, 2},
               {{1, 1, 1, 0, SC_SHAPE_FLOOR_LOG, 10}, 1000, 3000},
               {{1, 1, 0, 0, SC_SHAPE_CEIL_POWER, 0}, 9, 16},
               {{1, 2, 0, 0, SC_SHAPE_CEIL_POWER, 0}, 9, 144},
               {{1, 1, 0, 0, SC_SHAPE_FLOOR_POWER, 0}, 9, 8},
               {{1, 1, 0, 0, SC_SHAPE_FLOOR_POWER, 3}, 13, 4},
               {{1, 1, 0, 0, SC_SHAPE_CEIL_POWER, 0.75}, 7, 16}, /* 9.33 times */
               {{1, 1, 0, 0, SC_SHAPE_FLOOR_POWER, 0.75}, 7, 8},
               {{1, 2, 0, 0, SC_SHAPE_CEIL_POWER, 3}, 13, 13 * 8},
               {{1, 1, 0, 0, SC_SHAPE_FLOOR_POWER, 3}, 3, 1},
               {{1, 1, 0, 0, SC_SHAPE_FLOOR_POWER, 3}, 2, -1}, /* less than one */
               {{1, 1, 0, 0, SC_SHAPE_CEIL_BLOCK, 10}, 31, 4},
               {{1, 2, 0, 0, SC_SHAPE_FLOOR_BLOCK, 10}, 39, 39 * 3},
               {{1, 2, 0, 0, SC_SHAPE_BLOCK_SQUARE, 10}, 31, 16},
               {{1, 3, 0, 0, SC_SHAPE_BLOCK_SQUARE, 10}, 31, 31 * 16},
               {{1, 2, 0, 0, SC_SHAPE_FLOOR_SQUARE, 10}, 39, 9},
               {{1, 3, 0, 0, SC_SHAPE_FLOOR_SQUARE, 10}, 39, 39 * 9},
               {{1, 0.5, 0, 0, SC_SHAPE_FLOOR_ROOT, 0}, 35, 5},
               {{1, 1.5, 0, 0, SC_SHAPE_FLOOR_ROOT, 0}, 36, 216},
               {{1, 0, 0, 0, SC_SHAPE_HYPERBOLIC, 30}, 10, -1},
               {{1, 0, 0, 0, SC_SHAPE_APPROACH, 30}, 10, -1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_wide value = 0;
    bool known = sc_exact_basis(&cases[i].basis, cases[i].n, &value);
    assert_int_equal(known, cases[i].value != -1);
    if (cases[i].value >= 0)
      assert_true(value == cases[i].value);
    else if (known)
      assert_true(value == (sc_wide)1000000000000000000 * 1000000000000000000);
  }
}

/* Powers; ceil(log2 n) alone and times n; the power of two above; the same below; the root alone and times n; squares
 * of the logarithm; n times the power of two; n^2 log n; floors of blocks of 2 to 8, alone and times n; thirds. */
TEST(columns_are_what_loops_count)
{
  static const long at_10[SC_EXACT_COLUMNS] = {1,   10, 100, 1000, 10000, 4, 40, 16, 3,  30, 8,  3, 30, 16, 160, 160,
                                               400, 5,  50,  3,    30,    2, 20, 2,  20, 1,  10, 1, 10, 1,  10,  4};
  static const double orders[SC_EXACT_COLUMNS][2] = {{0, 0},   {1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 1},
                                                     {1, 1},   {1, 0}, {0, 1}, {1, 1}, {1, 0}, {0.5, 0},
                                                     {1.5, 0}, {0, 2}, {1, 2}, {2, 0}, {2, 1}};
  for (size_t c = 0; c < SC_EXACT_COLUMNS; c++) {
    sc_term term = sc_exact_column(c);
    sc_wide value;
    assert_true(sc_exact_basis(&term, 10, &value) && value == at_10[c]);
    double exponent = c < 17 ? orders[c][0] : c == 31 ? 1 : 1 + (double)((c - 17) % 2);
    assert_true(term.exponent == exponent && term.log_exponent == (c < 17 ? orders[c][1] : 0));
  }
}

/* Families of functions with at most three or four members; at least one of them makes the family. */
TEST(sets_are_listed_once)
{
  static sc_exact_set sets[SC_EXACT_SETS];
  size_t polynomials, count = sc_exact_list_sets(sets, &polynomials);
  assert_int_equal(polynomials, 5 + 10 + 10 + 5); /* one to four of five powers */
  /* rounded up and down: 3 + 12 + 19 + 15; roots: 2 + 7 + 9; squares of logarithms: 8 and 4; n times a capacity, and
   * n^2 log n: 1 + 3 + 3; seven blocks: 2 + 7 + 9 + 5; thirds: 1 + 4 + 6 + 4 */
  assert_int_equal(count, 30 + 2 * 49 + 18 + 8 + 4 + 7 + 7 + 7 * 23 + 15);
  for (size_t i = 0; i < count; i++) {
    assert_true(sets[i].count >= 1 && sets[i].count <= 4);
    assert_int_equal(sets[i].spare, sc_exact_column(sets[i].column[0]).shape == SC_SHAPE_FLOOR_BLOCK ||
                                            sc_exact_column(sets[i].column[0]).shape == SC_SHAPE_CEIL_BLOCK
                                        ? 1 + (sets[i].count > 2)
                                        : 1);
    if (i && i != polynomials)
      assert_true(sets[i].count >= sets[i - 1].count); /* the smaller ones first */
    for (size_t k = 0; k < i; k++)
      assert_false(sets[i].count == sets[k].count && memcmp(sets[i].column, sets[k].column, sets[i].count) == 0);
  }
}

/* Any of these sums, with these coefficients. */
TEST(sums_are_found_through_as_many_points)
{
  static sc_exact_set sets[SC_EXACT_SETS];
  static const double n[] = {1012, 307, 90, 2413, 53, 641, 47, 5003};
  static const long over[] = {9, 4, 84, 6};
  size_t polynomials, count = sc_exact_list_sets(sets, &polynomials), found = 0;
  for (size_t i = 0; i < count; i++) {
    sc_exact_sum sum = {.count = sets[i].count}, made;
    double y[COUNT(n)];
    unsigned rows[SC_MODEL_TERMS];
    for (size_t j = 0; j < sum.count; j++) {
      sum.basis[j] = sc_exact_column(sets[i].column[j]);
      sum.over[j] = over[j];
      rows[j] = (unsigned)j;
    }
    sum.under = 12;
    for (size_t k = 0; k < COUNT(n); k++) {
      sc_wide total = 0, term;
      for (size_t j = 0; j < sum.count; j++) {
        assert_true(sc_exact_basis(&sum.basis[j], n[k], &term));
        total += term * 12 * over[j]; /* 12 times what it is */
      }
      y[k] = (double)(total / 12);
    }
    made = sum;
    if (!sc_exact_sum_solve(&made, n, y, rows))
      continue; /* functions that are alike at these points */
    found++;
    assert_int_equal(made.under, 1);
    for (size_t j = 0; j < sum.count; j++)
      assert_int_equal(made.over[j], over[j]);
    assert_true(sc_exact_sum_holds(&made, n, y, COUNT(n)));
    y[COUNT(n) - 1] += 1;
    if (y[COUNT(n) - 1] < 0x1p53)
      assert_false(sc_exact_sum_holds(&made, n, y, COUNT(n)));
    assert_true(sc_exact_sum_holds(&made, n, y, COUNT(n) - 1));
  }
  assert_true(found > count * 95 / 100);
}

/* At one, two and three times a size at which all is whole. */
static bool solves(const double *coefficients, size_t count, double size, sc_exact_sum *sum)
{
  const double n[] = {size, 2 * size, 3 * size};
  static const unsigned rows[] = {0, 1, 2};
  double y[3] = {0};
  *sum = (sc_exact_sum){.basis = {{1, 2}, {1, 1}, {1, 0}}, .count = count};
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < count; j++)
      y[i] += coefficients[j] * pow(n[i], sum->basis[j].exponent);
    y[i] = round(y[i]);
  }
  return sc_exact_sum_solve(sum, n, y, rows);
}

/* Denominators up to 1,000, and a million in common. */
TEST(coefficients_are_plain_fractions)
{
  sc_exact_sum sum;
  assert_true(solves((double[]){1.0 / 1000}, 1, 1000, &sum) && sum.over[0] == 1 && sum.under == 1000);
  assert_false(solves((double[]){1.0 / 1001}, 1, 1001, &sum));
  assert_true(solves((double[]){22.0 / 7, -3}, 2, 7, &sum) && sum.over[0] == 22 && sum.over[1] == -21 &&
              sum.under == 7);
  assert_true(solves((double[]){1.0 / 990, 1.0 / 1000}, 2, 99000, &sum) && sum.over[0] == 100 && sum.over[1] == 99 &&
              sum.under == 99000);
  assert_true(solves((double[]){1.0 / 997, 1.0 / 1000}, 2, 997000, &sum) && sum.under == 997000);
  assert_false(solves((double[]){1, 0, 5}, 3, 10, &sum)); /* a term that is not there */
  assert_false(solves((double[]){M_PI}, 1, 1000, &sum));
  assert_false(sc_exact_sum_solve(&(sc_exact_sum){.basis = {{1, 1}, {1, 1}}, .count = 2}, (double[]){5, 9},
                                  (double[]){5, 9}, (unsigned[]){0, 1})); /* twice the same function */
  assert_int_equal(sc_exact_divisor(12, -18), 6);
  assert_int_equal(sc_exact_divisor(-7, 0), 7);
}

/* Above 2^53 a count is known to its nearest double only. */
TEST(large_counts_are_rounded)
{
  sc_exact_sum sum = {.basis = {{1, 1}, {1, 0}}, .over = {1, 1}, .under = 1, .count = 2};
  double n[] = {0x1p54, 0x1p54}, y[] = {0x1p54, 0x1p54 + 4};
  assert_true(sc_exact_sum_holds(&sum, n, y, 1)); /* 2^54 + 1 rounds to 2^54 */
  assert_false(sc_exact_sum_holds(&sum, n + 1, y + 1, 1));
  assert_true(sc_exact_sum_holds(&sum, (double[]){0x1p53}, (double[]){0x1p53}, 1)); /* as 2^53 + 1 does to 2^53 */
  assert_false(sc_exact_sum_holds(&sum, (double[]){0x1p53 - 1}, (double[]){0x1p53 - 1}, 1));
  sum.under = 2; /* no whole number */
  assert_false(sc_exact_sum_holds(&sum, n, (double[]){0x1p53}, 1));
  sum.over[1] = 0;
  assert_true(sc_exact_sum_holds(&sum, n, (double[]){0x1p53}, 1));
}

TEST(sums_are_reduced)
{
  sc_exact_sum sum = {.basis = {{1, 2}, {1, 1}, {1, 0}}, .over = {6, 0, -9}, .under = 12, .count = 3};
  sc_exact_sum_reduce(&sum);
  assert_true(sum.count == 2 && sum.over[0] == 2 && sum.over[1] == -3 && sum.under == 4);
  assert_true(sum.basis[0].exponent == 2 && sum.basis[1].exponent == 0);
}

TEST(counts_are_whole_everywhere)
{
  static const struct {
    sc_exact_sum sum;
    bool whole;
  } cases[] = {{{{{1, 2}, {1, 1}}, {1, -1}, 2, 2}, true},   /* n (n - 1) / 2 */
               {{{{1, 2}}, {1}, 2, 1}, false},              /* n^2 / 2 */
               {{{{1, 3}, {1, 1}}, {1, -1}, 6, 2}, true},   /* (n - 1) n (n + 1) / 6 */
               {{{{1, 3}, {1, 1}}, {1, -1}, 12, 2}, false}, /* whole at 1 and 3 */
               {{{{1, 4}, {1, 0}}, {1, -1}, 5, 2}, false},  /* whole at 1 to 4, and not at 5 */
               {{{{1, 1}, {1, 0}}, {7, 3}, 1, 2}, true},
               {{{{1, 1}, {1, 1, 0, 0, SC_SHAPE_FLOOR_BLOCK, 2}}, {1, -2}, 1, 2}, true},
               {{{{1, 2}, {1, 2, 0, 0, SC_SHAPE_FLOOR_BLOCK, 2}}, {1, -2}, 3, 2}, false},
               {{{{1, 0, 0, 0, SC_SHAPE_HYPERBOLIC, 5}}, {1}, 2, 1}, false}};
  for (size_t i = 0; i < COUNT(cases); i++)
    if (sc_exact_sum_counts(&cases[i].sum) != cases[i].whole)
      fail_msg("case %zu", i);
}

/* Of terms that grow alike one that is added leads. */
TEST(terms_are_sorted_and_added)
{
  sc_term terms[SC_MODEL_TERMS];
  const sc_exact_sum sum = {.basis = {{1, 0}, {1, 1}, {1, 1, 0, 0, SC_SHAPE_FLOOR_BLOCK, 10}, {1, 2}},
                            .over = {8, -3, 10, 1},
                            .under = 2,
                            .count = 4};
  assert_int_equal(sc_exact_sum_terms(&sum, terms), 4);
  assert_true(terms[0].exponent == 2 && terms[0].coefficient == 0.5 && terms[3].exponent == 0 &&
              terms[3].coefficient == 4);
  sc_exact_sum alike = {
      .basis = {{1, 1}, {1, 1, 0, 0, SC_SHAPE_FLOOR_BLOCK, 10}, {1, 0}}, .over = {-3, 10, 1}, .under = 1, .count = 3};
  for (int swapped = 0; swapped < 2; swapped++) {
    assert_int_equal(sc_exact_sum_terms(&alike, terms), 3);
    assert_true(terms[0].coefficient == 10 && terms[0].shape == SC_SHAPE_FLOOR_BLOCK && terms[1].coefficient == -3);
    sc_term basis = alike.basis[0];
    alike.basis[0] = alike.basis[1], alike.basis[1] = basis;
    alike.over[0] = 10, alike.over[1] = -3;
  }
  alike = (sc_exact_sum){.basis = {{1, 1}, {1, 0}}, .over = {-3, 10}, .under = 1, .count = 2};
  sc_exact_sum_terms(&alike, terms);
  assert_true(terms[0].exponent == 1 && terms[0].coefficient == -3); /* nothing grows like it */
}

/* A matrix by its inverse is one, wherever its zeros are. */
TEST(matrices_are_inverted)
{
  for (size_t k = 0; k < 100; k++) {
    size_t order[4], left[] = {0, 1, 2, 3};
    long double given[4][4], a[4][2 * SC_MODEL_TERMS];
    for (size_t i = 0, rest = k; i < 4; rest /= 4 - i++) {
      order[i] = left[rest % (4 - i)];
      left[rest % (4 - i)] = left[3 - i];
    }
    for (size_t i = 0; i < 4; i++)
      for (size_t j = 0; j < 4; j++) /* a permutation, and others beside it */
        given[i][j] = a[i][j] = order[i] == j ? 2 : k < 24 ? 0 : 0.3 * sin(7.0 * (double)(k + 5 * i + 11 * j));
    assert_true(sc_exact_invert(4, a));
    for (size_t i = 0; i < 4; i++)
      for (size_t j = 0; j < 4; j++) {
        long double sum = 0;
        for (size_t m = 0; m < 4; m++)
          sum += given[i][m] * a[m][4 + j];
        assert_true(fabsl(sum - (i == j)) < 1e-15L);
      }
  }
  for (int above = 0; above < 2; above++) {
    long double a[2][2 * SC_MODEL_TERMS] = {{1, 0}, {0, above ? 1.1e-17L : 0.9e-17L}};
    assert_int_equal(sc_exact_invert(2, a), above);
  }
  long double same[3][2 * SC_MODEL_TERMS] = {{1, 2, 3}, {2, 4, 6}, {1, 0, 1}};
  assert_false(sc_exact_invert(3, same));
}

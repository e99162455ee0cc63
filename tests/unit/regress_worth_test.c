/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counts are worth as evidence, and when two formulas are one. */
#include "unit.h"

#include <math.h>

#include "regress/exact/worth.h"

#define near_to(value, expected) unit_near_by(value, expected, 1e-12)

/* A count is worth the bits of what it might have been: anything up to itself at the ends, and between them what its
 * neighbours are off, or the part of itself by which the size is larger than the one before. */
TEST(evidence_of_counts)
{
  static const struct {
    size_t count;
    double n[4], y[4], range[4];
  } cases[] = {{3, {100, 110, 121}, {7, 15, 31}, {7, 24, 31}},
               {3, {100, 110, 121}, {7, 100, 90}, {7, 93, 90}},
               {3, {100, 110, 121}, {1000, 1003, 1007}, {1000, 100.3, 1007}},
               {3, {100, 200, 400}, {1000, 1003, 1007}, {1000, 1003, 1007}},
               {4, {100, 200, 400, 500}, {0, 1, 1, 0}, {0, 1, 1, 0}},
               /* what stands still: 3 bits for each doubling of the size */
               {3, {100, 200, 300}, {1e9, 1e9, 1e9}, {1e9, 7, 2.375}},
               /* no more than a double holds */
               {2, {1, 2}, {0x1p60, 0x1p61}, {0x1p53 - 1, 0x1p53 - 1}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_points points = {0};
    double worth[4], sum = 0;
    assert_int_equal(sc_points_gather(&(sc_series){cases[i].n, cases[i].y, cases[i].count, true}, &points), 0);
    double bits = sc_exact_evidence(&points, worth);
    for (size_t k = 0; k < cases[i].count; k++) {
      near_to(worth[k], log2(1 + cases[i].range[k]));
      sum += worth[k];
    }
    near_to(bits, sum);
    sc_points_free(&points);
  }
}

TEST(formulas_that_agree)
{
  sc_exact_model a = {.terms = {{0.5, 2, 0}, {-0.5, 1, 0}}, .term_count = 2}, b = a;
  assert_true(sc_exact_agree(&a, &b, 1000));
  b.terms[1].coefficient = -0.5 + 1e-13;
  assert_true(sc_exact_agree(&a, &b, 1000));
  b.terms[1].coefficient = -0.51;
  assert_false(sc_exact_agree(&a, &b, 1000));
  b = a;
  b.term_count = 1;
  assert_false(sc_exact_agree(&a, &b, 1000));
  /* capacities that double are no line, though they meet it at powers of two */
  a = (sc_exact_model){.terms = {{1, 1, 0, 0, SC_SHAPE_CEIL_POWER}}, .term_count = 1};
  b = (sc_exact_model){.terms = {{1, 1, 0}}, .term_count = 1};
  assert_false(sc_exact_agree(&a, &b, 1024));
}

/* ---- what a model saves beside worse ones ---- */

static double surplus(const double *n, const double *y, size_t count, const sc_exact_model *best, double worth)
{
  sc_points points = {0};
  sc_exact_designs *designs;
  sc_exact_design *design;
  assert_int_equal(sc_points_gather(&(sc_series){n, y, count, true}, &points), 0);
  assert_int_equal(sc_exact_designs_new(&designs), 0);
  assert_int_equal(sc_exact_designs_get(designs, &points, &design), 0);
  assert_int_equal(sc_exact_designs_complete(designs, design), 0);
  double saved = sc_exact_surplus(design, &points, best, worth);
  sc_exact_designs_free(designs);
  sc_points_free(&points);
  return saved;
}

/* A line of any slope costs 5 bits, its ends, and for each size twice what it is off there at most, and two. It stands
 * beside blocks alone, and whole. */
TEST(blocks_are_nearly_a_line)
{
  static const double n[] = {10, 20, 30, 40}, y[] = {17, 29, 37, 47};
  sc_exact_model blocks = {.terms = {{1, 1, 0, 0, SC_SHAPE_CEIL_BLOCK, 8}}, .term_count = 1, .bits = 8}, line = blocks;
  double rough = 5 + log2(1 + 47) + log2(1 + 7) + 4 * log2(2 + 2 * 2);
  near_to(surplus(n, y, 4, &blocks, 1e9), rough - 8);
  near_to(surplus(n, y, 4, &blocks, 20), 20 - 8);
  blocks.terms[0].shape = SC_SHAPE_FLOOR_BLOCK;
  near_to(surplus(n, y, 4, &blocks, 1e9), rough - 8);
  blocks.terms[1] = blocks.terms[0], blocks.terms[0].shape = SC_SHAPE_PLAIN, blocks.term_count = 2;
  near_to(surplus(n, y, 4, &blocks, 1e9), rough - 8);
  blocks.piece_count = 1;
  near_to(surplus(n, y, 4, &blocks, 1e9), 1e9 - 8);
  line.terms[0].shape = SC_SHAPE_PLAIN;
  near_to(surplus(n, y, 4, &line, 1e9), 1e9 - 8);
}

/* A form that one size alone breaks costs its own bits, 2 and the place, what it is off there, and the 5 that a model
 * has to save; of descriptions of at most 9 bits nobody asks. */
TEST(a_form_with_an_exception)
{
  static const double n[] = {10, 20, 30, 40, 50, 60, 70, 80};
  for (size_t at = 0; at < COUNT(n); at++)
    for (double off = 1; off <= 9; off += 4) {
      double y[COUNT(n)];
      unsigned rows[] = {at == 0};
      sc_exact_sum sum = {.count = 1, .basis = {{1, 1, 0}}};
      sc_exact_model best = {.terms = {{1, 1, 0}}, .term_count = 1, .bits = 9.5};
      for (size_t i = 0; i < COUNT(n); i++)
        y[i] = 3 * n[i] + (i == at ? off : 0);
      assert_true(sc_exact_sum_solve(&sum, n, y, rows) && sum.over[0] == 3);
      double bits = sc_exact_sum_bits(&sum, 80, fmax(240, y[7])) + log2(1 + 2 * off) + 2 + log2(8) + 5;
      near_to(surplus(n, y, COUNT(n), &best, 1e9), bits - 9.5);
      near_to(surplus(n, y, COUNT(n), &best, 12), 12 - 9.5);
      best.bits = 9;
      near_to(surplus(n, y, COUNT(n), &best, 1e9), 1e9 - 9);
    }
}

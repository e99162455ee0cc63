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

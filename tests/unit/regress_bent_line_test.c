/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part that grows faster beneath what is known to grow. */
#include "unit.h"

#include "regress/core/bent_line.h"

#include <math.h>

enum { SIZES = 6 };

/* start + each n + more n^2 at 1, 2, 4, ... times 1000. `noise`: relative, in turns up and down. */
static void make(double start, double each, double more, double noise, sc_bent_line_point *out)
{
  for (int i = 0; i < SIZES; i++) {
    double n = 1000 * pow(2, i), y = start + each * n + more * n * n;
    out[i] = (sc_bent_line_point){y * (1 + (i % 2 ? noise : -noise)), 0.03 * y, n, n * n};
  }
}

TEST(exact_parts_are_found)
{
  static const double parts[][3] = {{5, 0.01, 0}, {0, 0.01, 1e-7}, {5, 0, 1e-6}, {5, 0.02, 3e-7}, {7, 0, 0}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    sc_bent_line_point points[SIZES];
    sc_bent_line bent, most;
    make(parts[i][0], parts[i][1], parts[i][2], 0, points);
    double errors = sc_bent_line_fit(points, SIZES, &bent), all = points[SIZES - 1].y;
    assert_float_equal(bent.start, parts[i][0], 1e-3 * all);
    assert_float_equal(bent.each * 32000, parts[i][1] * 32000, 1e-3 * all);
    assert_float_equal(bent.more * 32000 * 32000, parts[i][2] * 32000 * 32000, 1e-3 * all);
    assert_true(parts[i][2] > 0 ? errors > 1.64 : errors < 0.01);
    sc_bent_line_most(points, SIZES, &most);
    assert_true(most.more >= bent.more && most.start >= 0 && most.each >= 0);
  }
}

/* The region: twice the errors, and the part of n^2 stands out by half as many. */
TEST(errors_decide_what_is_preferred)
{
  sc_bent_line_point points[SIZES];
  sc_bent_line bent, narrow, wide;
  make(1, 0.01, 1e-7, 0, points);
  double close = sc_bent_line_fit(points, SIZES, &bent);
  sc_bent_line_most(points, SIZES, &narrow);
  for (int i = 0; i < SIZES; i++)
    points[i].error *= 2;
  assert_float_equal(sc_bent_line_fit(points, SIZES, &bent), close / 2, 1e-3 * close);
  sc_bent_line_most(points, SIZES, &wide);
  assert_true(narrow.more > 1e-7 && wide.more > narrow.more);
}

/* Points that scatter more than their errors say count for less. */
TEST(scatter_counts_for_more_than_errors)
{
  sc_bent_line_point points[SIZES];
  sc_bent_line bent;
  make(1, 0.01, 1e-7, 0, points);
  double exact = sc_bent_line_fit(points, SIZES, &bent);
  make(1, 0.01, 1e-7, 0.15, points);
  assert_true(sc_bent_line_fit(points, SIZES, &bent) < exact / 2);
}

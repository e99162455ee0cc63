/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/bent_line.h"

#include <math.h>

#include "regress/core/line.h"
#include "regress/core/tuning.h"

enum { STEPS = 32, PARTS = 3 };

/* The best start and base for one `more`: chi squared of it, which is convex in `more`. */
static double try_more(const sc_bent_line_point *points, size_t count, double more, sc_bent_line *bent)
{
  sc_line_sums sums = {0};
  double chi2 = 0;
  for (size_t i = 0; i < count; i++)
    sc_line_add(&sums, points[i].base, points[i].y - more * points[i].extra, points[i].error);
  sc_line line = sc_line_fit(&sums);
  line.start = fmax(0, line.start);
  line.each = fmax(0, line.each);
  for (size_t i = 0; i < count; i++)
    chi2 += sc_line_miss(&line, points[i].base, points[i].y - more * points[i].extra, points[i].error);
  *bent = (sc_bent_line){line.start, line.each, more};
  return chi2;
}

/* Far more than any point may have of it. */
static double most_possible(const sc_bent_line_point *points, size_t count)
{
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, (points[i].y + 10 * points[i].error) / points[i].extra);
  return most;
}

/* Chi squared of the best one. */
static double find_best(const sc_bent_line_point *points, size_t count, sc_bent_line *bent)
{
  double low = 0, high = most_possible(points, count);
  sc_bent_line left, right;
  for (int step = 0; step < STEPS; step++) {
    double third = (high - low) / 3;
    if (try_more(points, count, low + third, &left) <= try_more(points, count, high - third, &right))
      high -= third;
    else
      low += third;
  }
  double best = try_more(points, count, (low + high) / 2, &left), without = try_more(points, count, 0, bent);
  if (best < without)
    *bent = left;
  return fmin(best, without);
}

/* Points that scatter more than their errors say count for less. */
static double find_scatter(double chi2, size_t count)
{
  return count > PARTS ? fmax(1, chi2 / (double)(count - PARTS)) : 1;
}

double sc_bent_line_fit(const sc_bent_line_point *points, size_t count, sc_bent_line *bent)
{
  sc_bent_line none;
  double best = find_best(points, count, bent);
  return sqrt(fmax(0, try_more(points, count, 0, &none) - best) / find_scatter(best, count));
}

void sc_bent_line_most(const sc_bent_line_point *points, size_t count, sc_bent_line *bent)
{
  sc_bent_line tried;
  double best = find_best(points, count, bent), limit = best + SC_POWER_RISE * find_scatter(best, count);
  double low = bent->more, high = most_possible(points, count);
  for (int step = 0; step < STEPS; step++) {
    double middle = (low + high) / 2;
    if (try_more(points, count, middle, &tried) > limit) {
      high = middle;
      continue;
    }
    low = middle;
    *bent = tried;
  }
}

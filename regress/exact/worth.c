/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/worth.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

double sc_exact_evidence(const sc_points *points, double *worth)
{
  const double *y = points->y;
  size_t last = points->count - 1;
  double bits = 0;
  for (size_t i = 0; i <= last; i++) {
    double before = i > 0 ? fabs(y[i] - y[i - 1]) : y[i];
    double range = i == 0 || i == last ? y[i] : fmax(before, fabs(y[i + 1] - y[i - 1]));
    if (i > 0) /* and what lies further off, the further the neighbour is */
      range = fmax(range, y[i] * fmin(1, points->n[i] / points->n[i - 1] - 1));
    if (before > 0 || i == 0)
      worth[i] = fmin(53, log2(1 + range));
    else
      worth[i] = fmin(log2(1 + y[i]), SC_EXACT_FLAT * (points->log_n[i] - points->log_n[i - 1]) / log(2));
    bits += worth[i];
  }
  return bits;
}

bool sc_exact_agree(const sc_exact_model *a, const sc_exact_model *b, double n_max)
{
  static const double probes[] = {1.37, 3.31, 7.77, 41.3, 97.1};
  for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
    double n = 2 * floor(probes[i] * n_max / 2) + 1;
    double left = sc_term_sum(a->terms, a->term_count, n), right = sc_term_sum(b->terms, b->term_count, n);
    if (fabs(left - right) > 1e-9 * fabs(left))
      return false;
  }
  return true;
}

/* How far the sum is off, if at one size only and by a count or more: less is the rounding of fractions. */
static bool off_once(const sc_points *points, const sc_exact_sum *sum, double *off)
{
  static const double rounding = 0.99;
  size_t count = 0;
  for (size_t i = 0; i < points->count && count < 2; i++)
    if (!sc_exact_sum_holds(sum, points->n + i, points->y + i, 1)) {
      double value = 0;
      for (size_t j = 0; j < sum->count; j++)
        value += (double)sum->over[j] / (double)sum->under * sc_term_basis(&sum->basis[j], points->n[i]);
      *off = fabs(value - points->y[i]);
      count++;
    }
  return count == 1 && *off > rounding;
}

/* Whether neighbouring sizes obey the form, as some must unless the exception lies among all of them. */
static bool exact_possible(const sc_exact_design *design, const sc_points *points, size_t set)
{
  if (points->count < 2u * sc_exact_piece_sets[set].count + 3)
    return true;
  for (size_t i = 0; i < points->count; i++)
    if (sc_exact_window_obeys(design, points->y, set, i))
      return true;
  return false;
}

/* A plain form that all sizes but one have, and that one told by itself: the length of that description. A count that
 * is off by one makes no new formula. */
static double with_exception(const sc_exact_design *design, const sc_points *points)
{
  double least = INFINITY, off = 0;
  for (size_t s = 0; s < SC_EXACT_PIECES; s++) {
    const sc_exact_set *set = &sc_exact_piece_sets[s];
    if (!exact_possible(design, points, s))
      continue;
    for (size_t part = 0; part <= set->count && set->count + 2u <= points->count; part++) {
      sc_exact_sum sum = {.count = set->count};
      unsigned rows[SC_MODEL_TERMS];
      for (size_t j = 0; j < sum.count; j++) { /* of the first sizes all but one, each in turn */
        sum.basis[j] = sc_exact_column(set->column[j]);
        rows[j] = (unsigned)(j + (j >= part));
      }
      if (sc_exact_sum_solve(&sum, points->n, points->y, rows) && off_once(points, &sum, &off))
        least = fmin(least, sc_exact_sum_bits(&sum, points->n[points->count - 1], points->y_max) + log2(1 + 2 * off));
    }
  }
  return least + SC_EXACT_EXCEPTION + log2((double)points->count);
}

/* Blocks are nearly a line: a line of any slope, which no counting loops make, and what each size is off. */
static double as_rough_line(const sc_points *points)
{
  size_t last = points->count - 1;
  double off = 0, slope = (points->y[last] - points->y[0]) / (points->n[last] - points->n[0]);
  for (size_t i = 1; i < last; i++)
    off = fmax(off, fabs(points->y[i] - points->y[0] - slope * (points->n[i] - points->n[0])));
  double offset = fabs(points->y[0] - slope * points->n[0]);
  return SC_EXACT_UNUSUAL + log2(1 + points->y_max) + log2(1 + offset) + (double)points->count * log2(2 + 2 * off);
}

static bool has_blocks(const sc_exact_model *model)
{
  bool blocks = false;
  for (size_t i = 0; i < model->term_count; i++)
    blocks = blocks || model->terms[i].shape == SC_SHAPE_CEIL_BLOCK || model->terms[i].shape == SC_SHAPE_FLOOR_BLOCK;
  return blocks;
}

double sc_exact_surplus(const sc_exact_design *design, const sc_points *points, const sc_exact_model *best,
                        double worth)
{
  double other = worth;
  if (best->piece_count == 0 && has_blocks(best))
    other = fmin(other, as_rough_line(points));
  if (best->bits > SC_EXACT_EXCEPTION_LEAST)
    other = fmin(other, with_exception(design, points) + SC_EXACT_SURPLUS);
  return other - best->bits;
}

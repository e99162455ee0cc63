/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/choose/level.h"

#include <math.h>

#include "regress/core/term.h"

/* 1: they only rise; -1: only fall; 0: neither, or both. */
static int level_direction(const sc_points *points)
{
  bool rises = false, falls = false;
  for (size_t i = 1; i < points->count; i++) {
    rises = rises || points->y[i] > points->y[i - 1];
    falls = falls || points->y[i] < points->y[i - 1];
  }
  return (int)rises - (int)falls;
}

/* The mean becomes the last level. */
static void stand_on_level(const sc_points *points, double last, sc_model *model)
{
  double factor = last / model->terms[0].coefficient;
  model->terms[0].coefficient = last;
  model->covariance[0][0] *= factor * factor;
  model->scatter = fmax(model->scatter, fabs(last - points->y[0]) / (2 * last));
}

void sc_level_set(const sc_points *points, sc_model *model)
{
  bool constant = model->term_count == 1 && !model->piece_count && sc_term_is_constant(model->terms, 1);
  double last = points->count ? points->y[points->count - 1] : 0;
  int direction = points->equal && !model->exact ? level_direction(points) : 0;
  if (!direction || !(last > 0))
    return;
  if (direction > 0)
    model->least = last;
  if (model->verdict == SC_VERDICT_MODEL && constant && model->terms[0].coefficient > 0)
    stand_on_level(points, last, model);
}

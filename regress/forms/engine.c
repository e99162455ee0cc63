/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last step of every fit: R^2 and errors of the model, or why no model is given. */
#include "regress/forms/engine.h"

#include <math.h>
#include <stdio.h>

void sc_engine_cannot_tell(sc_model *model, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(model->why, sizeof model->why, format, args);
  va_end(args);
  model->verdict = SC_VERDICT_CANNOT_TELL;
}

/* The error is relative to each point's own scale: sizes differ by orders of magnitude, and R^2 sees the largest
 * alone. */
void sc_engine_judge(const sc_points *points, sc_model *model)
{
  double mean = 0, total = 0, left = 0, error = 0;
  for (size_t i = 0; i < points->count; i++)
    mean += points->y[i] / (double)points->count;
  for (size_t i = 0; i < points->count; i++) {
    double residual = points->y[i] - sc_model_value(model, points->n[i]);
    total += (points->y[i] - mean) * (points->y[i] - mean);
    left += residual * residual;
    error += fabs(residual) / points->scale[i] / (double)points->count;
  }
  model->fit_error = error;
  model->r2 = total > 0 ? fmax(0, 1 - left / total) : left == 0;
}

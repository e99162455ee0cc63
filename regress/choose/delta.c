/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paper's engine (delta-infer 5.2): a linear model or a power law, chosen by R^2. */
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "regress/choose/engines.h"
#include "regress/core/term.h"

/*
 * The regressions of delta-infer 5.2 and the order of 6.1: y = A + B w, and ln y = ln A + B ln w; the one with the
 * better R^2, which is the squared correlation of what was regressed. Repeats of a size enter as their mean, because a
 * profile has one value per location.
 */
typedef struct line {
  double intercept, slope, cov00, cov01, cov11, rss, r2;
} line;

/* A line through numbers that do not vary fits them perfectly, though the correlation is 0/0. */
static int regress_delta(const double *x, const double *y, size_t count, line *out)
{
  if (gsl_fit_linear(x, 1, y, 1, count, &out->intercept, &out->slope, &out->cov00, &out->cov01, &out->cov11,
                     &out->rss) != 0)
    return sc_err_set(SC_E_NUMERIC, "linear regression failed");
  double min, max;
  gsl_stats_minmax(&min, &max, y, 1, count);
  if (min == max) {
    *out = (line){.intercept = y[0], .r2 = 1};
    return 0;
  }
  double r = gsl_stats_correlation(x, 1, y, 1, count);
  out->r2 = isfinite(r) ? r * r : 0;
  if (count == 2)
    out->cov00 = out->cov01 = out->cov11 = 0; /* no residual degrees of freedom */
  return 0;
}

static void set_linear(const line *fit, sc_model *model)
{
  sc_term terms[2] = {{fit->slope, 1, 0}, {fit->intercept, 0, 0}};
  double covariance[2][2] = {{fit->cov11, fit->cov01}, {fit->cov01, fit->cov00}};
  size_t map[SC_MODEL_TERMS];
  model->term_count = sc_term_sort(terms, 2, map);
  memcpy(model->terms, terms, sizeof terms);
  for (size_t i = 0; i < model->term_count; i++)
    for (size_t j = 0; j < model->term_count; j++)
      model->covariance[i][j] = covariance[map[i]][map[j]];
}

/* In logarithms the error of the power law is a relative one: that of the level plus that of the exponent times the
 * distance from the middle of the points, which is what `drift` stands for. */
static void set_power(const sc_points *points, const line *fit, sc_model *model)
{
  double k = (double)points->count, variance = points->count > 2 ? fit->rss / (k - 2) : 0;
  model->terms[0] = (sc_term){exp(fit->intercept), fit->slope, 0};
  model->term_count = 1;
  model->covariance[0][0] = model->terms[0].coefficient * model->terms[0].coefficient * variance / k;
  model->drift = sqrt(fit->cov11);
  model->n_center = exp(gsl_stats_mean(points->log_n, 1, points->count));
}

static void set_order(const sc_engine *engine, sc_model *model)
{
  model->order = sc_term_order(model->terms, model->term_count);
  model->order.integer = model->order.integer > 0 ? model->order.integer : 0;
  if (model->r2 < engine->options->r2_threshold)
    model->order = (sc_order){0, 0, 0};
}

int sc_delta_fit(sc_engine *engine, sc_model *model)
{
  const sc_points *points = &engine->points;
  line linear = {0}, power = {0};
  if (points->count < 2) {
    model->terms[0].coefficient = points->y[0];
    model->term_count = points->y[0] != 0;
    sc_engine_cannot_tell(model, "measured at 1 size only; a regression needs at least 2");
    return 0;
  }
  SC_TRY(regress_delta(points->n, points->y, points->count, &linear));
  bool positive = true;
  for (size_t i = 0; i < points->count; i++) {
    positive = positive && points->y[i] > 0;
    points->scale[i] = points->y[i] > 0 ? log(points->y[i]) : 0; /* borrowed: this engine weighs nothing */
  }
  if (positive)
    SC_TRY(regress_delta(points->log_n, points->scale, points->count, &power));
  for (size_t i = 0; i < points->count; i++)
    points->scale[i] = points->y[i] > 0 ? points->y[i] : 1;
  if (positive && power.r2 > linear.r2)
    set_power(points, &power, model);
  else
    set_linear(&linear, model);
  sc_engine_judge(points, model);
  model->r2 = positive ? fmax(linear.r2, power.r2) : linear.r2;
  model->degrees = points->count > 2 ? points->count - 2 : 0;
  model->sigma = model->scatter = model->fit_error;
  set_order(engine, model);
  model->exponent_low = model->order.exponent;
  return 0;
}

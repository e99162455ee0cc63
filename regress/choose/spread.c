/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/choose/spread.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/exact/exact.h"
#include "regress/forms/special.h"

/* Whole numbers know no smooth logarithm. Where the sizes double, all of them are cut at the same place, and the fit
 * cannot show the step that other sizes have. */
static void add_log_steps(const sc_points *points, sc_model *model)
{
  double n = points->n[points->count - 1], share = 0, value = sc_model_value(model, n);
  for (size_t i = 0; i < model->term_count; i++)
    share += fabs(model->terms[i].coefficient * sc_term_basis(&model->terms[i], n)) * model->terms[i].log_exponent;
  if (share > 0 && value > 0 && n > 2 && sc_exact_doubling(points))
    model->scatter = fmax(model->scatter, share / value * SC_SPECIAL_STEP / log2(n));
}

/* Counts that a sum hits to the last digit though no form of counts does, at sizes that double, are stairs that all of
 * these sizes hit at the same place: others lie anywhere on them. */
static void add_stairs_alike(const sc_points *points, sc_model *model)
{
  if (points->whole && model->degrees > 0 && model->sigma < SC_EXACT_ACCURACY && model->order.exponent > 0 &&
      sc_exact_doubling(points))
    model->scatter = fmax(model->scatter, log(SC_DOUBT_STAIR) / sqrt(12));
}

/* `error`: the standard error of d; `lack`, `noise`: mean squares of lack of fit and of the repeats. */
static double drift_of(const sc_points *points, double error, double lack, double noise)
{
  if (points->whole)
    return SC_SPREAD_DRIFT_COUNTED * error;
  double strange = lack > 0 ? fmax(0, lack - SC_SPREAD_MISFIT * noise) / lack : 0;
  return fmin(hypot(SC_SPREAD_DRIFT_MEASURED * error, SC_SPREAD_DRIFT_USUAL), SC_SPREAD_DRIFT_MOST * error) +
         strange * SC_SPREAD_DRIFT_MISFIT * error;
}

sc_spread sc_spread_of(const sc_points *points, const sc_candidate *candidate)
{
  double all = (double)points->observations, k = (double)points->count, p = (double)candidate->parameters;
  double repeats = all / k, lack = candidate->fit.rss / fmax(k - p, 1);
  double noise = points->pure_degrees ? points->pure_ss / (double)points->pure_degrees : 0;
  double together = (points->pure_ss + candidate->fit.rss) / fmax(all - p, 1), center = 0, spread = 0, weights = 0;
  bool misfit = lack > together;
  sc_spread s = {.variance = misfit ? lack : together};
  s.degrees = misfit ? points->count - candidate->parameters : points->observations - candidate->parameters;
  s.scatter = sqrt(fmax(points->stairs, fmax(0, lack - noise) / repeats));
  for (size_t i = candidate->first; i < points->count; i++)
    center += points->weight[i] * points->log_n[i], weights += points->weight[i];
  center /= weights;
  for (size_t i = candidate->first; i < points->count; i++)
    spread += points->weight[i] * (points->log_n[i] - center) * (points->log_n[i] - center);
  s.n_center = exp(center);
  s.drift = drift_of(points, sqrt(s.variance / spread), lack, noise);
  return s;
}

double sc_spread_deviation(const sc_spread *spread, const sc_candidate *candidate, double n)
{
  double square = 0, x[SC_MODEL_TERMS], value = sc_term_sum(candidate->terms, candidate->count, n);
  for (size_t i = 0; i < candidate->count; i++)
    x[i] = sc_term_basis(&candidate->terms[i], n);
  for (size_t i = 0; i < candidate->count; i++)
    for (size_t j = 0; j < candidate->count; j++)
      square += x[i] * x[j] * candidate->fit.covariance[i][j];
  double drift = spread->drift * log(n / spread->n_center);
  return sqrt(fmax(0, square) * spread->variance / (value * value) + drift * drift + spread->scatter * spread->scatter);
}

/* A smooth function of whole counts is off by up to half of one at any size, however well it meets those at hand:
 * relative to the largest. */
static double spread_rounded(const sc_points *points)
{
  return points->counts && points->y_max > 0 ? SC_SPREAD_ROUNDED / points->y_max : 0;
}

void sc_spread_set(const sc_points *points, const sc_candidate *best, sc_model *model)
{
  sc_spread s = sc_spread_of(points, best);
  size_t map[SC_MODEL_TERMS];
  model->degrees = s.degrees;
  model->sigma = sqrt(s.variance);
  model->scatter = fmax(s.scatter, spread_rounded(points));
  model->n_center = s.n_center;
  model->drift = s.drift;
  memcpy(model->terms, best->terms, sizeof model->terms);
  model->term_count = sc_term_sort(model->terms, best->count, map);
  for (size_t i = 0; i < model->term_count; i++)
    for (size_t j = 0; j < model->term_count; j++)
      model->covariance[i][j] = best->fit.covariance[map[i]][map[j]] * s.variance;
  memcpy(model->pieces, best->pieces, sizeof best->pieces);
  model->piece_count = best->piece_count;
  model->order = sc_term_order(model->terms, model->term_count);
  if (points->rounding > 0)
    add_log_steps(points, model);
  add_stairs_alike(points, model);
}

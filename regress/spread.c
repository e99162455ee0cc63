/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/spread.h"

#include <math.h>
#include <string.h>

#include "regress/exact.h"
#include "regress/special.h"
#include "regress/term.h"

/* Score difference up to which a rival is kept: an Akaike weight of 1 to 400. More than usual, because what the data
 * hardly tell apart where they lie is far apart at the target. Measured, as is the factor by which the standard error
 * of a missing slow factor is widened: see the coverage in docs/models.md. */
static const double rival_difference = 12, drift_factor = 2.5;
/* Rivals are told apart by where they lead to at this multiple of the largest size. */
static const double rival_distance = 50;
/* A misfit is a mean square this much above that of the repeats, and above half a percent where there are none. */
static const double misfit_factor = 2, misfit_floor = 0.005;

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

void sc_spread_set(const sc_points *points, const sc_candidate *best, sc_model *model)
{
  double all = (double)points->observations, k = (double)points->count, p = (double)best->parameters;
  double repeats = all / k, lack = best->fit.rss / (k - p);
  double noise = points->pure_degrees ? points->pure_ss / (double)points->pure_degrees : 0;
  double together = (points->pure_ss + best->fit.rss) / (all - p), center = 0, spread = 0;
  bool misfit = lack > together;
  double variance = misfit ? lack : together;
  model->degrees = misfit ? points->count - best->parameters : points->observations - best->parameters;
  model->sigma = sqrt(variance);
  model->scatter = sqrt(fmax(points->stairs, fmax(0, lack - noise) / repeats));
  for (size_t i = 0; i < points->count; i++)
    center += points->repeats[i] * points->log_n[i] / all;
  for (size_t i = 0; i < points->count; i++)
    spread += points->repeats[i] * (points->log_n[i] - center) * (points->log_n[i] - center);
  model->n_center = exp(center);
  model->drift = drift_factor * sqrt(variance / spread);
  size_t map[SC_MODEL_TERMS];
  memcpy(model->terms, best->terms, sizeof model->terms);
  model->term_count = sc_term_sort(model->terms, best->count, map);
  for (size_t i = 0; i < model->term_count; i++)
    for (size_t j = 0; j < model->term_count; j++)
      model->covariance[i][j] = best->fit.covariance[map[i]][map[j]] * variance;
  model->order = sc_term_order(model->terms, model->term_count);
  if (points->rounding > 0)
    add_log_steps(points, model);
}

static void add_rival(const sc_candidate *rival, double best_score, sc_model *model)
{
  size_t at = model->rival_count++;
  memcpy(model->rivals[at].terms, rival->terms, sizeof model->rivals[at].terms);
  model->rivals[at].term_count = sc_term_sort(model->rivals[at].terms, rival->count, NULL);
  model->rivals[at].error = rival->forward_error;
  model->rivals[at].weight = fmin(1, exp((best_score - rival->score) / 2));
}

/* A view of the points without the first `drop` sizes. */
static sc_points tail_of(const sc_points *points, size_t drop)
{
  sc_points tail = *points;
  tail.n += drop, tail.log_n += drop, tail.y += drop, tail.scale += drop, tail.repeats += drop, tail.weight += drop;
  tail.count -= drop;
  return tail;
}

/* Where the best model misses the sizes by more than their noise, growth may have changed on the way. What the largest
 * half of the sizes alone would say, as a power law, is then a rival too. */
static void add_late_rival(sc_engine *engine, const sc_candidate *best, sc_model *model)
{
  const sc_points *points = &engine->points;
  double lack = best->fit.rss / (double)(points->count - best->parameters);
  double noise = points->pure_degrees ? points->pure_ss / (double)points->pure_degrees : 0;
  size_t count = points->count / 2 > 3 ? points->count / 2 : 3, at = model->rival_count;
  if (lack < misfit_factor * noise + misfit_floor * misfit_floor || at == SC_MODEL_RIVALS || points->count == count)
    return;
  sc_points tail = tail_of(points, points->count - count);
  sc_candidate powers[SC_CANDIDATE_POWERS];
  if (sc_candidate_free_powers(&tail, powers) == 0 || powers[0].count != 1 ||
      sc_wls_fit(engine->wls, &tail, powers[0].terms, 1, &powers[0].fit) < 0)
    return;
  model->rivals[at].terms[0] = powers[0].terms[0];
  model->rivals[at].term_count = 1;
  model->rivals[at].error = -1;
  model->rival_count++;
}

/* Of the models that the data cannot tell from the best: the two next best, and the two that go furthest away. */
void sc_spread_rivals(sc_engine *engine, const sc_candidate *ranked, size_t ranks, sc_model *model)
{
  const sc_points *points = &engine->points;
  size_t near = 1, low = 0, high = 0;
  double far = rival_distance * points->n[points->count - 1], lowest = INFINITY, highest = -INFINITY;
  while (near < ranks && ranked[near].score - ranked[0].score <= rival_difference)
    near++;
  for (size_t i = 1; i < near; i++) {
    double value = sc_term_sum(ranked[i].terms, ranked[i].count, far);
    if (value < lowest)
      lowest = value, low = i;
    if (value > highest)
      highest = value, high = i;
  }
  for (size_t i = 1; i < near; i++)
    if (i <= 2 || i == low || i == high)
      add_rival(&ranked[i], ranked[0].score, model);
  add_late_rival(engine, &ranked[0], model);
}

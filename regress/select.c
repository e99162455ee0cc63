/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "regress/candidate.h"
#include "regress/exact.h"
#include "regress/term.h"

enum { FINALISTS = 12, FREE_POWERS = 2 };
/* Score difference up to which a rival is kept: an Akaike weight of 1 to 400. More than usual, because what the data
 * hardly tell apart where they lie is far apart at the target. Measured, as is the factor by which the standard error
 * of a missing slow factor is widened: see the coverage in docs/models.md. */
static const double rival_difference = 12, drift_factor = 2;
/* Rivals are told apart by where they lead to at this multiple of the largest size. */
static const double rival_distance = 50;
/* A series without growth that scatters more than this cannot be called constant. */
static const double constant_scatter = 0.5;

/* Capacities that double lie evenly (in log n) between n and 2 n: the standard deviation of 2^u / mean(2^u). */
static const double staircase_scatter = 0.2;
/* The standard deviation of what rounding does, in steps: 1 / sqrt(12). */
static const double step_scatter = 0.29;

static void set_terms(sc_model *model, const sc_term *terms, size_t count)
{
  memcpy(model->terms, terms, count * sizeof *terms);
  model->term_count = count;
  model->order = sc_term_order(model->terms, count);
}

/* A coefficient such as 1.28 is a sign of stairs that all sizes hit alike: capacities that double, where the sizes do;
 * else blocks of as many items as the denominator says, up to one block off. */
static void add_stairs(const sc_points *points, sc_model *model)
{
  double block = sc_exact_denominator(model->terms, model->term_count) / points->n[points->count - 1];
  model->exact = false;
  model->scatter = sc_exact_doubling(points) ? staircase_scatter : fmin(step_scatter * block, staircase_scatter);
}

static void set_exact(const sc_points *points, sc_model *model, const sc_term *terms, size_t count)
{
  set_terms(model, terms, count);
  model->exact = points->whole;
  model->error = 0;
  model->degrees = points->observations - count;
  sc_engine_judge(points, model);
  if (points->whole && !sc_exact_plain(model->terms, count))
    add_stairs(points, model);
}

static bool all_equal(const sc_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    if (points->y[i] != points->y[0])
      return false;
  return points->pure_ss == 0;
}

/* One or two sizes: a best guess, so that there is something to show, and the verdict that it is one. */
static void guess(const sc_points *points, sc_model *model)
{
  sc_term term = {points->y[points->count - 1], 0, 0};
  if (points->count == 2 && points->y[0] > 0 && points->y[1] > 0) {
    double e = log(points->y[1] / points->y[0]) / (points->log_n[1] - points->log_n[0]);
    term = (sc_term){points->y[1] / pow(points->n[1], e), e, 0};
  }
  set_terms(model, &term, term.coefficient != 0);
  sc_engine_judge(points, model);
  sc_engine_cannot_tell(model, "only %zu size%s with a count above 0; at least 3 different sizes are needed",
                        points->count, points->count == 1 ? "" : "s");
}

static void insert(sc_candidate *list, size_t *count, size_t most, const sc_candidate *candidate)
{
  size_t at = *count;
  if (at == most) {
    if (list[most - 1].score <= candidate->score)
      return;
    at--;
  } else {
    ++*count;
  }
  for (; at > 0 && list[at - 1].score > candidate->score; at--)
    list[at] = list[at - 1];
  list[at] = *candidate;
}

/* The hypotheses that describe the points best, by their score without forward validation. */
static size_t shortlist(sc_engine *engine, sc_candidate *list)
{
  const sc_points *points = &engine->points;
  size_t count = 0, most_terms = points->count - 1;
  /* One size more than terms, and no repeats, cannot speak for an unusual form. */
  double most_cost = points->count == 3 && points->pure_degrees == 0 ? 5 : INFINITY;
  sc_space_screen(&engine->space, points, most_terms, engine->rss);
  for (size_t i = 0; i < engine->space.candidate_count; i++) {
    if (!isfinite(engine->rss[i]))
      continue;
    const sc_space_candidate *hypothesis = &engine->space.candidates[i];
    if (hypothesis->count > 1 && hypothesis->cost > most_cost)
      continue;
    double cost = hypothesis->cost * (points->whole ? SC_CANDIDATE_WHOLE : 1);
    double score = sc_candidate_score(points, engine->rss[i], NAN, hypothesis->count, cost);
    if (count == FINALISTS && score >= list[FINALISTS - 1].score)
      continue;
    sc_candidate made = {.count = hypothesis->count, .parameters = hypothesis->count, .cost = cost, .score = score};
    for (size_t j = 0; j < made.count; j++)
      made.terms[j] = sc_space_term(hypothesis->column[j]);
    insert(list, &count, FINALISTS, &made);
  }
  return count;
}

/* Examines the shortlist, the free powers and the constant; the result is sorted, best first. */
static size_t examine(sc_engine *engine, sc_candidate *ranked)
{
  sc_candidate list[FINALISTS + FREE_POWERS + 1];
  size_t count = shortlist(engine, list), ranks = 0;
  count += sc_candidate_free_powers(&engine->points, list + count);
  list[count++] = (sc_candidate){.count = 1, .parameters = 1};
  for (size_t i = 0; i < count; i++)
    if (sc_candidate_examine(engine, &list[i]) == 0)
      insert(ranked, &ranks, FINALISTS + FREE_POWERS + 1, &list[i]);
  return ranks;
}

static void set_spread(const sc_points *points, const sc_candidate *best, sc_model *model)
{
  double all = (double)points->observations, k = (double)points->count, p = (double)best->parameters;
  double repeats = all / k, lack = best->fit.rss / (k - p);
  double noise = points->pure_degrees ? points->pure_ss / (double)points->pure_degrees : 0;
  double together = (points->pure_ss + best->fit.rss) / (all - p), center = 0, spread = 0;
  bool misfit = lack > together;
  double variance = misfit ? lack : together;
  model->degrees = misfit ? points->count - best->parameters : points->observations - best->parameters;
  model->sigma = sqrt(variance);
  model->scatter = sqrt(fmax(0, lack - noise) / repeats);
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
}

/* Whole numbers know no smooth logarithm. Where the sizes double, all of them are cut at the same place, and the fit
 * cannot show the step that other sizes have. */
static void add_log_steps(const sc_points *points, sc_model *model)
{
  double n = points->n[points->count - 1], share = 0, value = sc_model_value(model, n);
  for (size_t i = 0; i < model->term_count; i++)
    share += fabs(model->terms[i].coefficient * sc_term_basis(&model->terms[i], n)) * model->terms[i].log_exponent;
  if (share > 0 && value > 0 && n > 2 && sc_exact_doubling(points))
    model->scatter = fmax(model->scatter, share / value * step_scatter / log2(n));
}

static void add_rival(const sc_candidate *rival, double best_score, sc_model *model)
{
  size_t at = model->rival_count++;
  memcpy(model->rivals[at].terms, rival->terms, sizeof model->rivals[at].terms);
  model->rivals[at].term_count = sc_term_sort(model->rivals[at].terms, rival->count, NULL);
  model->rivals[at].error = rival->forward_error;
  model->rivals[at].weight = exp((best_score - rival->score) / 2);
}

/* Of the models that the data cannot tell from the best: the two next best, and the two that go furthest away. */
static void set_rivals(const sc_points *points, const sc_candidate *ranked, size_t ranks, sc_model *model)
{
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
}

/* A polynomial that the largest sizes follow exactly: what a count is after a threshold, a limit or a last digit more.
 * Two sizes more than coefficients must confirm it, and at least half of the sizes. A flat or straight tail may also be
 * a stretch of a logarithm's stairs: it must span a factor of 4, or refute a best model that grows faster. */
static void try_tail(const sc_points *points, sc_model *model)
{
  double best_exponent = model->order.exponent;
  for (size_t drop = 1; 2 * drop <= points->count && points->count - drop >= 3; drop++) {
    sc_points tail = *points;
    tail.n += drop, tail.log_n += drop, tail.y += drop, tail.scale += drop, tail.repeats += drop;
    tail.count -= drop;
    sc_term terms[SC_MODEL_TERMS];
    int count = sc_exact_polynomial(&tail, terms);
    if (count < 1 || tail.count < (size_t)count + 2 || !sc_exact_plain(terms, (size_t)count))
      continue;
    bool spans = tail.n[tail.count - 1] >= 4 * tail.n[0];
    if (terms[0].exponent < 2 && !spans && terms[0].exponent > best_exponent - 0.25)
      return;
    if (model->rival_count == SC_MODEL_RIVALS)
      model->rival_count--;
    size_t at = model->rival_count++;
    memcpy(model->rivals[at].terms, model->terms, sizeof model->terms);
    model->rivals[at].term_count = model->term_count;
    model->rivals[at].error = model->error;
    model->rivals[at].weight = 1;
    memset(model->covariance, 0, sizeof model->covariance);
    set_terms(model, terms, (size_t)count);
    model->verdict = SC_VERDICT_MODEL;
    model->why[0] = '\0';
    model->sigma = model->scatter = model->drift = model->error = 0;
    model->points = tail.count;
    model->n_min = tail.n[0];
    model->degrees = tail.count - (size_t)count;
    sc_engine_judge(&tail, model);
    return;
  }
}

static void judge(sc_engine *engine, const sc_candidate *best, sc_model *model)
{
  sc_engine_judge(&engine->points, model);
  if (best->count == 1 && best->terms[0].exponent == 0 && best->terms[0].log_exponent == 0) {
    if (model->sigma > constant_scatter)
      sc_engine_cannot_tell(model, "the values scatter by %.0f%% and follow no function of the size",
                            100 * model->sigma);
  } else if (model->r2 < engine->options->r2_threshold) {
    sc_engine_cannot_tell(model, "the best model explains only %.0f%% of the variation (R^2 below %g)", 100 * model->r2,
                          engine->options->r2_threshold);
  }
}

int sc_select_fit(sc_engine *engine, sc_model *model)
{
  const sc_points *points = &engine->points;
  sc_term terms[SC_MODEL_TERMS];
  int count = sc_exact_polynomial(points, terms);
  if (count < 0 && points->count >= 2 && all_equal(points)) {
    terms[0] = (sc_term){points->y[0], 0, 0};
    count = points->y[0] != 0;
  }
  if (count >= 0) {
    set_exact(points, model, terms, (size_t)count);
    return 0;
  }
  if (points->count < 3) {
    guess(points, model);
    return 0;
  }
  SC_TRY(sc_space_prepare(&engine->space, points));
  sc_candidate ranked[FINALISTS + FREE_POWERS + 1];
  size_t ranks = examine(engine, ranked);
  if (ranks == 0) {
    sc_engine_cannot_tell(model, "no model can be computed from these numbers");
    return 0;
  }
  set_spread(points, &ranked[0], model);
  model->order = sc_term_order(model->terms, model->term_count);
  model->error = ranked[0].forward_error;
  if (points->rounding > 0)
    add_log_steps(points, model);
  set_rivals(points, ranked, ranks, model);
  judge(engine, &ranked[0], model);
  if (points->whole)
    try_tail(points, model);
  return 0;
}

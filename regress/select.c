/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "regress/doubt.h"
#include "regress/exponential.h"
#include "regress/special.h"
#include "regress/spread.h"

enum { FINALISTS = 12, DIVIDED = 3, MOST = FINALISTS + SC_CANDIDATE_POWERS + DIVIDED + 1 };
/* A series without growth that scatters more than this cannot be called constant. */
static const double constant_scatter = 0.5;

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

/* c n^a / log n: primes, blocks of log n items, series that a power law nearly fits. Not where the logarithm is 0. */
static size_t divided(const sc_points *points, sc_candidate *list)
{
  static const double cost = 8;
  if (points->n[0] < 2 || (points->count == 3 && points->pure_degrees == 0))
    return 0;
  for (int a = 1; a <= DIVIDED; a++)
    list[a - 1] = (sc_candidate){
        .terms = {{0, a, -1}}, .count = 1, .parameters = 1, .cost = cost * (points->whole ? SC_CANDIDATE_WHOLE : 1)};
  return DIVIDED;
}

/* Examines the shortlist, the free powers and the constant; the result is sorted, best first. */
static size_t examine(sc_engine *engine, sc_candidate *ranked)
{
  sc_candidate list[MOST];
  size_t count = shortlist(engine, list), ranks = 0;
  count += sc_candidate_free_powers(&engine->points, list + count);
  count += divided(&engine->points, list + count);
  bool constant = false;
  for (size_t i = 0; i < count; i++)
    constant = constant || (list[i].count == 1 && list[i].terms[0].exponent == 0 && list[i].terms[0].log_exponent == 0);
  if (!constant)
    list[count++] = (sc_candidate){.count = 1, .parameters = 1};
  for (size_t i = 0; i < count; i++)
    if (sc_candidate_examine(engine, &list[i]) == 0)
      insert(ranked, &ranks, MOST, &list[i]);
  return ranks;
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

static int select_fit(sc_engine *engine, sc_model *model)
{
  sc_points *points = &engine->points;
  int special = sc_special_fit(engine, model);
  if (special)
    return special < 0 ? special : 0;
  points->stairs = sc_doubt_stairs(points);
  SC_TRY(sc_space_prepare(&engine->space, points));
  sc_candidate ranked[MOST];
  size_t ranks = examine(engine, ranked);
  if (ranks == 0) {
    sc_engine_cannot_tell(model, "no model can be computed from these numbers");
    return 0;
  }
  sc_doubt_prefer_low(points, ranked, ranks);
  sc_spread_set(points, &ranked[0], model);
  model->error = ranked[0].forward_error;
  sc_spread_rivals(engine, ranked, ranks, model);
  judge(engine, &ranked[0], model);
  sc_special_tail(engine, model);
  return 0;
}

int sc_select_fit(sc_engine *engine, sc_model *model)
{
  engine->points.stairs = 0;
  SC_TRY(select_fit(engine, model));
  sc_doubt_set(&engine->points, model);
  return sc_exponential_prefer(engine, model);
}

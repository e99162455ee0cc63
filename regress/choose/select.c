/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses among all hypotheses about a series by one score, in rounds from the cheapest to fit to the dearest. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "regress/choose/doubt.h"
#include "regress/choose/engines.h"
#include "regress/choose/late.h"
#include "regress/choose/level.h"
#include "regress/choose/rivals.h"
#include "regress/choose/spread.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/forms/curve.h"
#include "regress/forms/exponential.h"
#include "regress/forms/forms.h"
#include "regress/forms/segment.h"
#include "regress/forms/special.h"

enum { MOST = SC_SELECT_FINALISTS + 1 + SC_FORMS_MOST + SC_CURVE_MOST + SC_SEGMENT_MOST + SC_DOUBT_LOW };

/* Examined hypotheses, best first. */
typedef struct ranking {
  sc_candidate list[MOST];
  const sc_candidate *best[MOST];
  size_t count;
} ranking;

/* What is this much worse than the best is no rival: what its weight would be in the interval (rivals.c) is below a
 * thousandth. */
static double find_rival_margin(const sc_points *points)
{
  return points->whole ? SC_SELECT_DIFFERENCE_COUNTED : SC_SELECT_DIFFERENCE_MEASURED;
}

static int by_key(const void *left, const void *right)
{
  const sc_listed *a = left, *b = right;
  return SC_COMPARE(a->key, b->key);
}

/* Scores differ by N log(variance) + penalty and cost, so variances times exp((penalty + cost) / N) are in the same
 * order, and these factors stay while the number of observations does. NULL without memory. */
static const sc_listed *order_for(sc_engine *engine)
{
  const sc_points *points = &engine->points;
  for (size_t i = 0; i < SC_ENGINE_ORDERS; i++)
    if (engine->orders[i].list && engine->orders[i].observations == points->observations &&
        engine->orders[i].counted == points->whole)
      return engine->orders[i].list;
  sc_order_list *order = &engine->orders[engine->next_order];
  engine->next_order = (engine->next_order + 1) % SC_ENGINE_ORDERS;
  size_t count = engine->space.candidate_count;
  double all = (double)points->observations;
  if (!order->list)
    order->list = sc_mem_new(count, sizeof *order->list);
  for (size_t i = 0; order->list && i < count; i++) {
    const sc_space_candidate *c = &engine->space.candidates[i];
    double cost = points->whole ? c->counted_cost : c->cost;
    order->list[i] = (sc_listed){exp((sc_candidate_penalty(all, c->count) + cost) / all), i};
  }
  if (order->list)
    qsort(order->list, count, sizeof *order->list, by_key);
  order->observations = points->observations;
  order->counted = points->whole;
  return order->list;
}

/* One size more than terms, and no repeats, cannot speak for an unusual form. */
static bool is_unusual(const sc_points *points, const sc_space_candidate *hypothesis)
{
  size_t count = (size_t)hypothesis->count;
  bool alone = count > 1 && count + 1 == points->count && points->pure_degrees == 0;
  return (alone && hypothesis->cost > SC_SELECT_USUAL) || sc_candidate_hits_by_chance(points, count);
}

/* The hypotheses that describe the points best, by their score without forward validation. Once the factor alone is too
 * large, all that follow are worse. */
static size_t list_best(const sc_engine *engine, const sc_listed *order, sc_listed best[SC_SELECT_FINALISTS])
{
  const sc_points *points = &engine->points;
  double all = (double)points->observations, least = sc_candidate_variance(points, 0, NAN);
  double reach = exp(find_rival_margin(points) / all), most = INFINITY;
  size_t count = 0;
  for (size_t i = 0; i < engine->space.candidate_count && order[i].key * least < most; i++) {
    const sc_space_candidate *hypothesis = &engine->space.candidates[order[i].hypothesis];
    if (hypothesis->count >= points->count || is_unusual(points, hypothesis))
      continue;
    double key = (least + sc_space_residual(&engine->space, hypothesis) / all) * order[i].key;
    if (!(key < most))
      continue;
    size_t at = count < SC_SELECT_FINALISTS ? count++ : SC_SELECT_FINALISTS - 1;
    for (; at > 0 && best[at - 1].key > key; at--)
      best[at] = best[at - 1];
    best[at] = (sc_listed){key, order[i].hypothesis};
    most = fmin(count == SC_SELECT_FINALISTS ? best[SC_SELECT_FINALISTS - 1].key : INFINITY, best[0].key * reach);
  }
  while (count > 1 && best[count - 1].key > most)
    count--;
  return count;
}

static int shortlist_candidate(sc_engine *engine, sc_candidate *list)
{
  const sc_points *points = &engine->points;
  sc_listed best[SC_SELECT_FINALISTS];
  sc_space_gather(&engine->space, points);
  const sc_listed *order = order_for(engine);
  if (!order)
    return SC_E_NOMEM;
  size_t count = list_best(engine, order, best);
  for (size_t i = 0; i < count; i++) {
    const sc_space_candidate *hypothesis = &engine->space.candidates[best[i].hypothesis];
    double cost = points->whole ? hypothesis->counted_cost : hypothesis->cost;
    list[i] = (sc_candidate){.count = hypothesis->count, .parameters = hypothesis->count, .cost = cost};
    for (size_t j = 0; j < hypothesis->count; j++)
      list[i].terms[j] = sc_space_term(hypothesis->column[j]);
  }
  return (int)count;
}

static void rank_candidate(ranking *r, const sc_candidate *candidate)
{
  size_t at = r->count++;
  for (; at > 0 && r->best[at - 1]->score > candidate->score; at--)
    r->best[at] = r->best[at - 1];
  r->best[at] = candidate;
}

static void examine_candidate(sc_engine *engine, ranking *r, size_t from, size_t count)
{
  for (size_t i = from; i < from + count; i++)
    if (sc_candidate_examine(engine, &r->list[i]) == 0)
      rank_candidate(r, &r->list[i]);
}

static bool same_form(const sc_candidate *a, const sc_candidate *b)
{
  bool same = a->count == b->count && a->piece_count == 0 && b->piece_count == 0;
  for (size_t i = 0; same && i < a->count; i++)
    same = a->terms[i].exponent == b->terms[i].exponent && a->terms[i].log_exponent == b->terms[i].log_exponent &&
           a->terms[i].shape == b->terms[i].shape;
  return same;
}

/* What is doubted needs something to give way to, however unlikely. */
static void add_low(sc_engine *engine, ranking *r, size_t used)
{
  sc_candidate low[SC_DOUBT_LOW];
  if (r->count == 0 || sc_doubt_proven(&engine->points, r->best[0]))
    return;
  size_t count = sc_doubt_find_low(&engine->points, low);
  for (size_t i = 0; i < count; i++) {
    bool known = false;
    for (size_t j = 0; j < r->count && !known; j++)
      known = same_form(&low[i], r->best[j]);
    if (!known) {
      r->list[used] = low[i];
      examine_candidate(engine, r, used++, 1);
    }
  }
}

/* Examines the shortlist and the constant, then what could still be better than the best of these or not much worse:
 * quotients, the cubic, free powers and saturations, change points. */
static int examine_all(sc_engine *engine, ranking *r)
{
  const sc_points *points = &engine->points;
  int listed = shortlist_candidate(engine, r->list);
  SC_TRY(listed);
  size_t used = (size_t)listed;
  bool constant = false;
  for (size_t i = 0; i < used; i++)
    constant = constant || sc_term_is_constant(r->list[i].terms, r->list[i].count);
  if (!constant)
    r->list[used++] = (sc_candidate){.count = 1, .parameters = 1};
  examine_candidate(engine, r, 0, used);
  if (engine->options->space != SC_FIT_SPACE_ALL)
    return 0;
  double worst = r->count ? r->best[0]->score + find_rival_margin(points) : INFINITY;
  size_t others = sc_forms_find(points, worst, r->list + used);
  examine_candidate(engine, r, used, others);
  used += others;
  size_t curves = sc_curve_find(&engine->space, points, worst, r->list + used);
  examine_candidate(engine, r, used, curves);
  used += curves;
  worst = r->count ? r->best[0]->score + find_rival_margin(points) : INFINITY;
  size_t segments = sc_segment_find(engine, r->count ? r->best[0] : NULL, worst, r->list + used);
  for (size_t i = used; i < used + segments; i++)
    rank_candidate(r, &r->list[i]);
  add_low(engine, r, used + segments);
  return 0;
}

/* The last size but those close to the largest: between close sizes a step is a power of 60. The first if all are. */
static size_t size_before_last(const sc_points *points)
{
  size_t at = points->count - 1;
  double last = points->n[at];
  while (at > 0 && points->n[at] * SC_SELECT_APART > last)
    at--;
  return at;
}

/* Relative errors bound what a model that is too small misses: a constant that describes the small sizes may be a
 * millionth of the largest. Where the largest size exceeds its model by more than its repeats scatter, the model is
 * refused, and the power law through this size and one before it stands for it. */
static void refuse_outgrown(const sc_points *points, sc_model *model)
{
  size_t last = points->count - 1, from = size_before_last(points);
  double value = sc_model_value(model, points->n[last]), noise = SC_SELECT_ERRORS * sqrt(sc_points_noise(points, last));
  if (last < 1 || !(points->y[last] - noise * points->scale[last] > SC_SELECT_OUTGROWN * value))
    return;
  sc_term guess = sc_special_power_law(points, from, fmax(points->y[from], points->scale[from]));
  model->rival_count = 0;
  if (!(guess.exponent > 0 && isfinite(guess.coefficient) && guess.coefficient > 0)) {
    sc_engine_cannot_tell(model, "at the largest size it is more than %g times what the best model gives",
                          SC_SELECT_OUTGROWN);
    return;
  }
  model->piece_count = 0;
  sc_special_set_terms(model, &guess, 1);
  sc_engine_cannot_tell(model, "it grows faster at the largest sizes than any model of all: by n^%.3g from %g to %g",
                        guess.exponent, points->n[from], points->n[last]);
}

/* Whether a model of counts leaves no more unexplained than the scatter of their repeats and the height of their
 * stairs, even if that is much: more sizes would explain no more, and the interval contains it. The growth must still
 * show. */
static bool noise_explains_rest(const sc_points *points, const sc_model *model, double threshold)
{
  double total = gsl_stats_tss(points->y, 1, points->count), expected = sc_points_scatter(points, points->stairs);
  return points->counts && model->r2 >= SC_SELECT_VISIBLE && expected >= (threshold - model->r2) * total;
}

static void judge_candidate(sc_engine *engine, const sc_candidate *best, sc_model *model)
{
  sc_engine_judge(&engine->points, model);
  if (sc_term_is_constant(best->terms, best->count) && best->piece_count == 0) {
    if (model->sigma > SC_SELECT_CONSTANT)
      sc_engine_cannot_tell(model, "the values scatter by %.0f%% and follow no function of the size",
                            100 * model->sigma);
  } else if (model->r2 < engine->options->r2_threshold &&
             !noise_explains_rest(&engine->points, model, engine->options->r2_threshold)) {
    sc_engine_cannot_tell(model, "the best model explains only %.0f%% of the variation (R^2 below %g)", 100 * model->r2,
                          engine->options->r2_threshold);
  }
  refuse_outgrown(&engine->points, model);
}

/* A constant that scatters too much to be one gives way to the best growth that is not much less likely; whether it
 * did.
 */
static bool prefer_growth(const sc_points *points, ranking *r)
{
  const sc_candidate *best = r->best[0];
  if (best->piece_count || !sc_term_is_constant(best->terms, best->count) ||
      sc_spread_of(points, best).variance <= SC_SELECT_CONSTANT * SC_SELECT_CONSTANT)
    return false;
  for (size_t i = 1; i < r->count && r->best[i]->score <= best->score + SC_SELECT_GROWTH; i++)
    if (!sc_term_is_constant(r->best[i]->terms, r->best[i]->count) && r->best[i]->terms[0].coefficient > 0) {
      sc_candidate_prefer(r->best, i);
      return true;
    }
  return false;
}

/* Where the likeliest hypothesis is not likelier than all others together, the one in the middle is chosen: that below
 * and above whose prediction far beyond the data half of the weight lies. The likeliest may lie at an end, and its
 * error then has no bound (compare Barbieri and Berger's median probability model, Annals of Statistics 32, 2004). */
static void prefer_middle(const sc_points *points, ranking *r)
{
  double weight[MOST], value[MOST], total = 0, below = 0, far = SC_RIVAL_FAR * points->n[points->count - 1];
  size_t order[MOST] = {0}, count = 0;
  for (size_t i = 0; i < r->count; i++) {
    double behind = r->best[i]->score - r->best[0]->score;
    if (behind > SC_SELECT_MIDDLE)
      break;
    weight[i] = exp(-behind / 2);
    value[i] = sc_term_sum(r->best[i]->terms, r->best[i]->count, far);
    total += weight[i];
    size_t at = count++;
    for (; at > 0 && value[order[at - 1]] > value[i]; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  size_t middle = 0;
  for (size_t i = 0; i < count && below + weight[order[i]] < total / 2; i++) {
    below += weight[order[i]];
    middle = i + 1;
  }
  sc_candidate_prefer(r->best, order[middle]);
}

/* Whether it reaches the R^2 that a model needs. */
static bool candidate_explains(const sc_engine *engine, const sc_candidate *candidate)
{
  const sc_points *points = &engine->points;
  return sc_candidate_left(points, candidate) <=
         (1 - engine->options->r2_threshold) * gsl_stats_tss(points->y, 1, points->count);
}

/* Of counts that grow in proportion or faster the likeliest hypothesis is chosen, which is shown: counts have no noise
 * that favours now one, now another, as repeats have. Among equals it is the likeliest that programs commonly have.
 * False for slower growth, which may be a step that a logarithm describes as well. */
static bool prefer_likeliest(const sc_engine *engine, ranking *r)
{
  if (r->best[0]->terms[0].exponent < 1)
    return false;
  for (size_t i = 0; !r->best[0]->piece_count && i < r->count; i++) {
    if (r->best[i]->score > r->best[0]->score + SC_CANDIDATE_EQUAL)
      break;
    if (!sc_candidate_common(r->best[i]) || !candidate_explains(engine, r->best[i]))
      continue;
    sc_candidate_prefer(r->best, i);
    break;
  }
  return true;
}

static int select_fit(sc_engine *engine, sc_model *model)
{
  sc_points *points = &engine->points;
  int special = sc_special_fit(engine, model);
  if (special)
    return special < 0 ? special : 0;
  points->stairs = sc_doubt_stairs(points);
  SC_TRY(sc_space_prepare(&engine->space, points));
  ranking ranked;
  ranked.count = 0;
  SC_TRY(examine_all(engine, &ranked));
  if (ranked.count == 0) {
    sc_engine_cannot_tell(model, "no model can be computed from these numbers");
    return 0;
  }
  if (!prefer_growth(points, &ranked) && !(points->whole && prefer_likeliest(engine, &ranked)))
    prefer_middle(points, &ranked);
  sc_doubt_prefer_low(points, ranked.best, ranked.count);
  sc_doubt_refuse(points, ranked.best, ranked.count, engine->options->r2_threshold);
  sc_spread_set(points, ranked.best[0], model);
  model->error = ranked.best[0]->forward_error;
  sc_rivals_set(points, ranked.best, ranked.count, model);
  judge_candidate(engine, ranked.best[0], model);
  sc_special_tail(engine, model);
  return 0;
}

int sc_select_fit(sc_engine *engine, sc_model *model)
{
  engine->points.stairs = 0;
  engine->points.doubted = engine->points.refused = false;
  SC_TRY(select_fit(engine, model));
  sc_doubt_set(&engine->points, model);
  sc_late_widen(&engine->points, model);
  SC_TRY(sc_exponential_prefer(engine, model));
  sc_level_set(&engine->points, model);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/choose/doubt.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "regress/choose/trend.h"
#include "regress/core/sizes.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"

static const double linear = 1; /* the exponent of growth in proportion */

double sc_doubt_stairs(const sc_points *points)
{
  size_t last = points->count - 1;
  double worst = 0;
  if (!points->whole || points->count < 3 || !(points->y[0] > 0) || !(points->y[last] > points->y[0]))
    return 0;
  double slope = log(points->y[last] / points->y[0]) / (points->log_n[last] - points->log_n[0]);
  for (size_t i = 1, end; i < last; i = end) { /* what stands still from the first size on is a threshold */
    for (end = i + 1; end <= last && points->y[end] == points->y[i]; end++)
      ;
    if (points->y[i] > points->y[0] && end > i + 1)
      worst = fmax(worst, slope * (points->log_n[end - 1] - points->log_n[i]));
  }
  return worst * worst / 12;
}

static double find_residual_deviation(const sc_points *points, const sc_candidate *candidate)
{
  double degrees = (double)points->count - (double)candidate->parameters;
  return degrees > 0 ? sqrt(candidate->fit.rss / degrees) : 0;
}

void sc_doubt_prefer_low(const sc_points *points, const sc_candidate **ranked, size_t count)
{
  double best = ranked[0]->terms[0].exponent;
  size_t i = 1;
  if (!points->whole || best <= linear + SC_DOUBT_STEP / 2 ||
      find_residual_deviation(points, ranked[0]) < SC_DOUBT_MISSES)
    return;
  while (i < count && (ranked[i]->terms[0].coefficient <= 0 || ranked[i]->terms[0].exponent <= 0 ||
                       ranked[i]->terms[0].exponent > fmin(best, linear + 2 * SC_DOUBT_STEP) - SC_DOUBT_STEP))
    i++;
  if (i == count || ranked[i]->score - ranked[0]->score > -2 * log(SC_DOUBT_WEIGHT))
    return;
  sc_candidate_prefer(ranked, i);
}

static double noise_of(const sc_points *points)
{
  double repeats = (double)points->observations / (double)points->count;
  return points->pure_degrees ? sqrt(points->pure_ss / (double)points->pure_degrees / repeats) : 0;
}

/* The exponent by which the counts grow up to size `last` if one stair is taken away, from wherever it is largest. */
static double exponent_without_stair(const sc_points *points, size_t last, size_t sizes, double factor)
{
  double best = 0, taken = log(SC_DOUBT_STAIR) + 2 * M_SQRT2 * noise_of(points);
  for (size_t first = 0; first + sizes <= last + 1 && points->n[last] >= factor * points->n[first]; first++)
    if (points->y[first] > 0 && points->y[last] > 0)
      best =
          fmax(best, (log(points->y[last] / points->y[first]) - taken) / (points->log_n[last] - points->log_n[first]));
  return best;
}

/* Whether a size shows the leading term, where it has this value and all is missed by `miss`. */
static bool shows_leading(double leading, double miss, double scale)
{
  static const double rounding = 0.5;
  return leading >= SC_DOUBT_VISIBLE * scale || SC_DOUBT_HITS * leading >= fmax(miss, rounding);
}

/* Whether the last piece hits its sizes as no stairs do. */
static bool hits_all(const sc_points *points, const sc_candidate *candidate)
{
  size_t used = candidate->piece_count ? candidate->count : candidate->parameters, distinct = 0;
  double part = fmin(fabs(candidate->fit.part[0]), 1), before = 0;
  if (!(fabs(candidate->fit.forward[0]) <= SC_DOUBT_PREDICTS))
    return false;
  for (size_t i = candidate->first; i < points->count; i++) {
    double value = sc_term_sum(candidate->terms, candidate->count, points->n[i]);
    double miss = fabs(value - points->y[i]), leading = sc_term_sum(candidate->terms, 1, points->n[i]);
    if (miss > SC_DOUBT_HITS * part * points->scale[i])
      return false;
    if (points->n[i] >= SC_DOUBT_APART * before && shows_leading(leading, miss, points->scale[i])) {
      before = points->n[i];
      distinct++;
    }
  }
  return distinct >= used + SC_DOUBT_HIT_DEGREES;
}

/* The slowest growth from one size to the next that is `step` times as large or more. */
static double slowest_step(const sc_points *points)
{
  double slowest = INFINITY;
  size_t steps = 0;
  for (size_t i = 0, next = 0; i + 1 < points->count && points->y[i] > 0; i = next, steps++) {
    double rest = points->n[points->count - 1];
    while (next + 1 < points->count && points->n[next] < SC_DOUBT_SIZE_STEP * points->n[i])
      next++;
    if (rest < SC_DOUBT_SIZE_STEP * points->n[next]) /* what is left is no step of its own */
      next = points->count - 1;
    slowest = fmin(slowest, log(points->y[next] / points->y[i]) / (points->log_n[next] - points->log_n[i]));
  }
  return steps >= 2 ? slowest : -INFINITY;
}

/* With the largest size and without, which may be a burst. Of three sizes each step has to show the growth. */
static double stairless_exponent(const sc_points *points)
{
  size_t last = points->count - 1;
  if (points->count < 3)
    return 0;
  if (points->count < SC_DOUBT_STAIR_SIZES)
    return fmin(exponent_without_stair(points, last, last + 1, SC_DOUBT_STAIR_SPAN), fmax(0, slowest_step(points)));
  return fmin(exponent_without_stair(points, last, SC_DOUBT_STAIR_SIZES, SC_DOUBT_STAIR_SPAN),
              exponent_without_stair(points, last - 1, SC_DOUBT_STAIR_SIZES - 1, SC_DOUBT_STAIR_SPAN / 2));
}

bool sc_doubt_proven(const sc_points *points, const sc_candidate *candidate)
{
  double claimed = sc_term_order(candidate->terms, candidate->count).exponent;
  double needed = fmax(linear + SC_DOUBT_ABOVE_LINEAR, claimed - SC_DOUBT_BELOW_CLAIMED);
  return !points->counts || claimed <= linear + SC_DOUBT_STEP / 2 || hits_all(points, candidate) ||
         stairless_exponent(points) >= needed;
}

static bool comes_near(const sc_points *points, const sc_candidate *candidate)
{
  for (size_t i = candidate->first; i < points->count; i++) {
    double value = sc_term_sum(candidate->terms, candidate->count, points->n[i]);
    if (fabs(value - points->y[i]) > SC_DOUBT_NEAR * fmin(fmax(value, 0), points->scale[i]))
      return false;
  }
  return true;
}

/* The variance of a uniform deviation by one stair. */
static double stair_variance(void) { return log(SC_DOUBT_STAIR) * log(SC_DOUBT_STAIR) / 12; }

/* What a model with the coefficient of determination `r2` may leave of the variation, besides repeats and stairs: sum
 * of squares. */
static double allow_unexplained(const sc_points *points, double r2)
{
  return (1 - r2) * gsl_stats_tss(points->y, 1, points->count) +
         sc_points_scatter(points, fmax(points->stairs, stair_variance()));
}

/* The likeliest hypothesis that may stand for a refused one, or one that programs commonly have and that is as good;
 * `count` without any. Its order is `most` at most, and it leaves a sum of squares of `left` at most. */
static size_t find_instead(const sc_points *points, const sc_candidate **ranked, size_t count, double most, double left)
{
  size_t first = count;
  for (size_t i = 1; i < count; i++) {
    double exponent = sc_term_order(ranked[i]->terms, ranked[i]->count).exponent;
    if (!(exponent > 0 && exponent <= most && sc_doubt_proven(points, ranked[i]) && comes_near(points, ranked[i]) &&
          sc_candidate_left(points, ranked[i]) <= left))
      continue;
    if (first < count && ranked[i]->score > ranked[first]->score + SC_CANDIDATE_EQUAL)
      break;
    if (sc_candidate_common(ranked[i]))
      return i;
    if (first == count)
      first = i;
  }
  return first;
}

void sc_doubt_refuse(sc_points *points, const sc_candidate **ranked, size_t count, double r2)
{
  double claimed = sc_term_order(ranked[0]->terms, ranked[0]->count).exponent;
  points->doubted = !sc_doubt_proven(points, ranked[0]);
  if (!points->doubted)
    return;
  /* What foresees the largest size is no burst: only what is a model itself says more than it, in doubt as it is. */
  bool foresees = fabs(ranked[0]->fit.forward[0]) <= SC_DOUBT_PREDICTS;
  double left = foresees ? allow_unexplained(points, r2) : INFINITY;
  size_t instead = find_instead(points, ranked, count, claimed - SC_DOUBT_STEP, left);
  if (instead == count)
    return;
  sc_candidate_prefer(ranked, instead);
  points->doubted = false;
  points->refused = true;
  points->stairs = fmax(points->stairs, stair_variance()); /* anywhere on its stair */
}

size_t sc_doubt_find_low(const sc_points *points, sc_candidate *candidates)
{
  if (!points->counts || points->count < 3)
    return 0;
  candidates[0] = (sc_candidate){.terms = {{.exponent = 1}}, .count = 1, .parameters = 1};
  candidates[1] = (sc_candidate){.terms = {{.exponent = 1}, {0}}, .count = 2, .parameters = 2};
  candidates[2] = (sc_candidate){.terms = {{.exponent = 1, .log_exponent = 1}}, .count = 1, .parameters = 1};
  for (size_t i = 0; i < SC_DOUBT_LOW; i++)
    candidates[i].cost = sc_space_growth_cost(points->whole);
  return SC_DOUBT_LOW;
}

/* The lower bound of the exponent of the power law through the sizes from `first` on. */
static double bound_exponent_from(const sc_points *points, size_t first)
{
  sc_trend trend;
  if (!sc_trend_fit(points->n + first, points->y + first, points->count - first, 0, &trend) ||
      trend.sizes < SC_DOUBT_SIZES)
    return -INFINITY;
  double low = sc_trend_bound(&trend, SC_DOUBT_LEVEL, -1);
  return isfinite(low) ? low : -INFINITY;
}

/* What every step shows, or the best of the bounds of all ends of the series that are long enough: growth may have
 * begun late. */
static double certain_exponent(const sc_points *points)
{
  double largest = points->n[points->count - 1];
  double best = largest >= SC_DOUBT_SPAN * points->n[0] ? fmax(0, slowest_step(points)) : 0;
  for (size_t first = 0; first < points->count && largest >= SC_DOUBT_SPAN * points->n[first]; first++)
    best = fmax(best, bound_exponent_from(points, first));
  return best;
}

/* Whether the form was found, not proven: the counts deviate from it as only bursts do, or one size is the only witness
 * of a polynomial that loops do not make. */
static bool form_doubted(const sc_points *points, const sc_model *model)
{
  if (!points->whole || model->exact)
    return false;
  return model->sigma >= SC_DOUBT_FORM || (model->fit_error <= 1e-12 && points->count < model->term_count + 2);
}

/* Whether the leading term is hardly seen yet: at the largest size it is a small part of the value, and not much more
 * than what the counts scatter by. A sort whose partitions fall out unevenly has such a term now and then. */
static bool leading_unseen(const sc_model *model)
{
  double whole = sc_model_value(model, model->n_max);
  double part = whole > 0 ? sc_term_sum(model->terms, 1, model->n_max) / whole : 0;
  return model->term_count >= 2 && model->terms[1].exponent > 0 && part < SC_DOUBT_PART &&
         part < SC_DOUBT_CLEAR * fmax(model->sigma, model->fit_error);
}

/* Whether growth changed near the end of the sizes: a jump among bursts looks like that, too. */
static bool changed_lately(const sc_points *points, const sc_model *model)
{
  return points->counts && model->piece_count &&
         model->n_max < SC_DOUBT_SPAN * model->pieces[model->piece_count - 1].until_high;
}

void sc_doubt_set(const sc_points *points, sc_model *model)
{
  double low = model->order.exponent;
  model->exponent_low = low;
  if (model->exact || model->n_min > points->n[0]) /* the end of the series is an exact polynomial */
    return;
  for (size_t i = 0; i < model->rival_count; i++)
    if (model->rivals[i].weight >= SC_MODEL_PLAUSIBLE && model->rivals[i].error < SC_DOUBT_HOPELESS)
      low = fmin(low, sc_term_order(model->rivals[i].terms, model->rivals[i].term_count).exponent);
  if (points->doubted)
    low = fmin(low, stairless_exponent(points));
  if (leading_unseen(model))
    low = fmin(low, model->terms[1].exponent);
  if (changed_lately(points, model))
    low = fmin(low, sc_term_order(model->pieces[model->piece_count - 1].terms,
                                  model->pieces[model->piece_count - 1].term_count)
                        .exponent);
  if (form_doubted(points, model))
    low = fmin(low, certain_exponent(points));
  model->exponent_low = low;
}

void sc_doubt_begin(const sc_points *points, sc_model *model)
{
  size_t last = points->count - 1;
  if (!points->counts || points->whole || model->exact || model->verdict != SC_VERDICT_MODEL)
    return;
  double since = linear, begin = points->n[0];
  if (points->count > 2)
    since = log(points->y[last] / points->y[1]) / log((points->n[last] - begin) / (points->n[1] - begin));
  model->exponent_low = fmin(model->exponent_low, fmax(0, since));
}

/* Relative distance from which on one measurement tells two models apart. */
static double find_telling_gap(const sc_model *model)
{
  return fmin(SC_DOUBT_GAP_MOST, fmax(SC_DOUBT_GAP_LEAST, SC_DOUBT_GAP * fmax(model->sigma, model->scatter)));
}

static double measure_gap(double a, double b) { return fabs(a - b) / fmax(fmax(a, b), 1e-300); }

double sc_model_deciding_size(const sc_model *model)
{
  double least = find_telling_gap(model), from = SC_DOUBT_DECIDING_FIRST * model->n_max,
         anchor = sc_model_value(model, model->n_max);
  if (model->verdict != SC_VERDICT_MODEL || !(model->n_max > 0) || !(anchor > 0))
    return model->n_max > 0 ? sc_sizes_round_up(4 * model->n_max) : INFINITY;
  for (double n = from; n <= SC_DOUBT_DECIDING_MOST * model->n_max; n *= SC_DOUBT_DECIDING_STEP) {
    double value = sc_model_value(model, n);
    bool all = true;
    for (size_t i = 0; i < model->rival_count; i++)
      if (model->rivals[i].weight >= SC_MODEL_PLAUSIBLE &&
          fabs(model->rivals[i].terms[0].exponent - model->order.exponent) >= SC_DOUBT_STEP)
        all = all &&
              measure_gap(value, fmax(0, sc_term_sum(model->rivals[i].terms, model->rivals[i].term_count, n))) >= least;
    double slow = anchor * pow(n / model->n_max, fmin(model->exponent_low, model->order.exponent - SC_DOUBT_STEP));
    if (all && measure_gap(value, slow) >= least)
      return sc_sizes_round_up(n);
  }
  return INFINITY;
}

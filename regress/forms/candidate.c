/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hypothesis under examination: fitted, checked on the largest sizes, scored. */
#include "regress/forms/candidate.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

double sc_candidate_variance(const sc_points *points, double rss, double forward_square)
{
  double all = (double)points->observations, lack = rss / all;
  double forward_weight = points->whole ? SC_CANDIDATE_FORWARD_COUNTED : SC_CANDIDATE_FORWARD_MEASURED;
  if (!isnan(forward_square))
    lack = (1 - forward_weight) * lack + forward_weight * forward_square;
  return points->pure_ss / all + lack + points->rounding + points->stairs +
         SC_CANDIDATE_ROUNDING * SC_CANDIDATE_ROUNDING;
}

/* The larger of two criteria: the corrected AIC, which is strict where there are few points, and the BIC, which goes
 * on rising with their number. */
double sc_candidate_penalty(double observations, size_t parameters)
{
  double p = (double)parameters;
  return fmax(2 * p * observations / fmax(observations - p - 1, 1), p * log(observations));
}

/* One parameter less than there are points: that a formula meets whole numbers then says little. */
bool sc_candidate_hits_by_chance(const sc_points *points, size_t parameters)
{
  return points->whole && parameters > 2 && parameters + 1 == points->count && points->pure_degrees == 0;
}

double sc_candidate_score(const sc_points *points, double rss, double forward_square, size_t parameters, double cost)
{
  double variance = sc_candidate_variance(points, rss, forward_square);
  double all = (double)points->observations;
  return all * log(variance) + sc_candidate_penalty(all, parameters) + cost;
}

double sc_candidate_left(const sc_points *points, const sc_candidate *candidate)
{
  double left = 0;
  for (size_t i = 0; i < points->count; i++) {
    double off = points->y[i] - sc_term_sum(candidate->terms, candidate->count, points->n[i]);
    left += off * off;
  }
  return left;
}

void sc_candidate_prefer(const sc_candidate **ranked, size_t index)
{
  const sc_candidate *preferred = ranked[index];
  for (; index > 0; index--)
    ranked[index] = ranked[index - 1];
  ranked[0] = preferred;
}

/* What plain loops, halving and sorting count: whole powers, with a logarithm at most once. */
bool sc_candidate_common(const sc_candidate *candidate)
{
  bool common = candidate->count && !candidate->piece_count && candidate->terms[0].coefficient > 0;
  for (size_t i = 0; i < candidate->count; i++) {
    const sc_term *term = &candidate->terms[i];
    common = common && term->shape == SC_SHAPE_PLAIN && !(term->base > 0) && term->exponent >= 0 &&
             term->exponent == round(term->exponent) && (term->log_exponent == 0 || term->log_exponent == 1) &&
             !(i && term->exponent == 0 && term->log_exponent > 0);
  }
  return common;
}

bool sc_candidate_sane(const sc_wls_result *fit, const sc_term *terms, size_t count, bool leads)
{
  double size = 0, sum = 0;
  for (size_t j = 0; j < count; j++) {
    size += fabs(fit->part[j]);
    sum += fit->part[j];
  }
  if (fit->lowest < -1)
    return false;
  if (count == 1)
    return sum >= 0;
  bool on_constant = count == 2 && sc_term_is_constant(&terms[1], 1) && (fit->part[0] > 0 || !leads);
  return sc_space_shape(fit->part[0], sum, size, on_constant, fit->rss);
}

double sc_candidate_sign_cost(const sc_points *points, const sc_wls_result *fit, size_t count)
{
  double size = 0, sum = 0, cost = 0;
  for (size_t j = 0; j < count; j++) {
    size += fabs(fit->part[j]);
    sum += fit->part[j];
    if (fit->part[j] < 0)
      cost += j == 0 ? SC_CANDIDATE_FALLING : SC_CANDIDATE_NEGATIVE;
  }
  if (points->whole) /* triangular loops: n^2 / 2 - n / 2 */
    return fit->part[0] < 0 ? SC_CANDIDATE_FALLING : 0;
  return size > 0 ? cost + SC_CANDIDATE_CANCEL * log(size / fmax(fabs(sum), size * 1e-3)) : cost;
}

/* The errors at the largest sizes, foretold without them, count in the score: what matters of a form is where it
 * leads. */
int sc_candidate_examine(sc_engine *engine, sc_candidate *candidate)
{
  const sc_points *points = &engine->points;
  size_t k = points->count, holds = k > candidate->parameters + 1 ? 2 : 1;
  SC_TRY(sc_wls_fit(engine->wls, points, candidate->terms, candidate->count, &candidate->fit));
  if (!sc_candidate_sane(&candidate->fit, candidate->terms, candidate->count, candidate->parameters > candidate->count))
    return SC_E_NUMERIC;
  candidate->forward_square = candidate->forward_error = 0;
  for (size_t h = 0; h < holds; h++) {
    double e = candidate->fit.forward[h];
    if (isnan(e))
      return SC_E_NUMERIC;
    candidate->forward_square += e * e / (double)holds;
    candidate->forward_error += fabs(e) / (double)holds;
  }
  double cost = candidate->cost + sc_candidate_sign_cost(points, &candidate->fit, candidate->count);
  candidate->score =
      sc_candidate_score(points, candidate->fit.rss, candidate->forward_square, candidate->parameters, cost);
  return 0;
}

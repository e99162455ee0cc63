/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/candidate.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <string.h>

#include "regress/term.h"

/* Weight of the forward validation against the fit in the residual variance. Half: a model must both describe and
 * extrapolate. */
static const double forward_weight = 0.5;
/* Relative residuals below this are rounding of the numbers given, not evidence. */
static const double measured_floor = 1e-9;
/* Exponents that counts have: from slower than a square root to n^5. */
static const double exponent_low = 0.1, exponent_high = 5, exponent_step = 0.1;
/* The price of a falling series on top of that of a growing one. */
static const double falling_cost = 4;
static const double free_exponent_cost = 10;

double sc_candidate_score(const sc_points *points, double rss, double forward_square, size_t parameters, double cost)
{
  double all = (double)points->observations, p = (double)parameters;
  double lack = rss / all;
  if (!isnan(forward_square))
    lack = (1 - forward_weight) * lack + forward_weight * forward_square;
  double variance = points->pure_ss / all + lack + points->rounding + points->stairs + measured_floor * measured_floor;
  /* Hurvich and Tsai's corrected AIC while observations are few, Schwarz's BIC when they are many. */
  double penalty = fmax(2 * p * all / fmax(all - p - 1, 1), p * log(all));
  return all * log(variance) + penalty + cost;
}

static bool sane(const sc_points *points, const sc_candidate *candidate)
{
  size_t last = points->count - 1;
  double n_max = points->n[last], size = 0;
  for (size_t i = 0; i < points->count; i++)
    if (sc_term_sum(candidate->terms, candidate->count, points->n[i]) < -points->scale[i])
      return false;
  for (size_t j = 0; j < candidate->count; j++)
    size += fabs(candidate->terms[j].coefficient * sc_term_basis(&candidate->terms[j], n_max));
  double sum = sc_term_sum(candidate->terms, candidate->count, n_max);
  double lead = candidate->terms[0].coefficient * sc_term_basis(&candidate->terms[0], n_max);
  if (candidate->count == 1)
    return sum >= 0;
  bool on_constant = candidate->count == 2 && candidate->terms[1].exponent == 0 &&
                     candidate->terms[1].log_exponent == 0 && (lead > 0 || candidate->parameters == 2);
  return sc_space_shape(lead, sum, size, on_constant);
}

int sc_candidate_examine(sc_engine *engine, sc_candidate *candidate)
{
  const sc_points *points = &engine->points;
  size_t k = points->count, holds = k > candidate->parameters + 1 ? 2 : 1;
  SC_TRY(sc_wls_fit(engine->wls, points, candidate->terms, candidate->count, &candidate->fit));
  if (!sane(points, candidate))
    return SC_E_NUMERIC;
  candidate->forward_square = candidate->forward_error = 0;
  for (size_t h = 0; h < holds; h++) {
    double e = candidate->fit.forward[h];
    if (isnan(e))
      return SC_E_NUMERIC;
    candidate->forward_square += e * e / (double)holds;
    candidate->forward_error += fabs(e) / (double)holds;
  }
  double cost = candidate->cost + (candidate->terms[0].coefficient < 0 ? falling_cost : 0);
  candidate->score =
      sc_candidate_score(points, candidate->fit.rss, candidate->forward_square, candidate->parameters, cost);
  return 0;
}

/* Weighted residual sum of squares of c n^e (+ d), the linear part solved in closed form. */
static double power_rss(const sc_points *points, double e, bool constant)
{
  double xx = 0, x1 = 0, oo = 0, xy = 0, oy = 0, yy = 0;
  double center = points->log_n[points->count - 1];
  for (size_t i = 0; i < points->count; i++) {
    double w = points->repeats[i], s = 1 / points->scale[i];
    double x = exp(e * (points->log_n[i] - center)) * s, y = points->y[i] * s;
    xx += w * x * x, x1 += w * x * s, oo += w * s * s, xy += w * x * y, oy += w * s * y, yy += w * y * y;
  }
  if (!constant)
    return fmax(0, yy - xy * xy / xx);
  double det = xx * oo - x1 * x1;
  if (!(det > 1e-13 * xx * oo))
    return INFINITY;
  double c = (xy * oo - oy * x1) / det, d = (oy * xx - xy * x1) / det;
  return fmax(0, yy - c * xy - d * oy);
}

typedef struct power_problem {
  const sc_points *points;
  bool constant;
} power_problem;

static double power_objective(double e, void *problem)
{
  const power_problem *p = problem;
  return power_rss(p->points, e, p->constant);
}

/* The minimum over e: a scan, then Brent's method (GSL) in the bracket it found; NAN if it lies at an end. */
static double best_exponent(const sc_points *points, bool constant)
{
  double best = NAN, best_rss = INFINITY;
  for (double e = exponent_low; e <= exponent_high; e += exponent_step) {
    double rss = power_rss(points, e, constant);
    if (rss < best_rss)
      best = e, best_rss = rss;
  }
  power_problem problem = {points, constant};
  gsl_function function = {power_objective, &problem};
  gsl_min_fminimizer *search = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  if (!search || gsl_min_fminimizer_set(search, &function, best, best - exponent_step, best + exponent_step)) {
    if (search)
      gsl_min_fminimizer_free(search);
    return NAN;
  }
  for (int i = 0; i < 50; i++) {
    if (gsl_min_fminimizer_iterate(search) != GSL_SUCCESS ||
        gsl_min_fminimizer_x_upper(search) - gsl_min_fminimizer_x_lower(search) < 1e-10)
      break;
  }
  best = gsl_min_fminimizer_x_minimum(search);
  gsl_min_fminimizer_free(search);
  return best;
}

size_t sc_candidate_free_powers(const sc_points *points, sc_candidate *candidates)
{
  size_t made = 0;
  double cost = free_exponent_cost * (points->whole ? SC_CANDIDATE_WHOLE : 1) *
                (points->count == 3 && points->pure_degrees == 0 ? 2 : 1);
  for (int constant = 0; constant <= 1; constant++) {
    size_t parameters = constant ? 3 : 2;
    if (points->count <= parameters)
      break;
    double e = best_exponent(points, constant);
    if (!(e > exponent_low / 2) || e >= exponent_high)
      continue;
    candidates[made] = (sc_candidate){.count = parameters - 1, .parameters = parameters, .cost = cost};
    candidates[made++].terms[0].exponent = e;
  }
  return made;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponents of factors that no fixed set has, by minimising what is left. */
#include <math.h>

#include "regress/core/minimum.h"
#include "regress/core/tuning.h"
#include "regress/surface/lines.h"

/* Functions of one parameter with a number that has to be searched for: the same on all lines, with coefficients of
 * their own for each. */

typedef struct search_problem {
  const sc_surface_engine *engine;
  size_t p;
  bool limit, constant; /* the shape with the scale exp(u) instead of x^u; beside a constant */
  enum sc_shape shape;
  size_t observations, lines;
} search_problem;

static double function_of(const search_problem *problem, double x, double u)
{
  if (!problem->limit)
    return pow(x / problem->engine->points.high[problem->p], u);
  return problem->shape == SC_SHAPE_HYPERBOLIC ? x / (x + exp(u)) : -expm1(-x / exp(u));
}

static double free_residual(double u, void *user)
{
  search_problem *problem = user;
  const sc_surface_points *points = &problem->engine->points;
  const sc_surface_lines *lines = &problem->engine->lines[problem->p];
  double sum = 0;
  problem->observations = problem->lines = 0;
  for (size_t l = 0; l < lines->count; l++) {
    double xx = 0, x1 = 0, oo = 0, xy = 0, oy = 0, yy = 0;
    if (lines->start[l + 1] - lines->start[l] < SC_SURFACE_LINE_LEAST)
      continue;
    problem->observations += lines->start[l + 1] - lines->start[l];
    problem->lines++;
    for (size_t j = lines->start[l]; j < lines->start[l + 1]; j++) {
      size_t i = lines->index[j];
      double s = 1 / points->scale[i], w = points->repeats[i], y = points->y[i] * s;
      double x = function_of(problem, points->at[i * points->parameters + problem->p], u) * s;
      xx += w * x * x, x1 += w * x * s, oo += w * s * s, xy += w * x * y, oy += w * s * y, yy += w * y * y;
    }
    double det = xx * oo - x1 * x1;
    if (!problem->constant)
      sum += fmax(0, yy - xy * xy / xx);
    else if (det > 1e-13 * xx * oo)
      sum += fmax(0, yy - (xy * oo - oy * x1) / det * xy - (oy * xx - xy * x1) / det * oy);
    else
      sum += fmax(0, yy - oy * oy / oo);
  }
  return sum;
}

/* The minimum: a scan, then Brent's method (GSL); NAN if it lies at an end. */
static double free_minimum(search_problem *problem, double low, double high, double step)
{
  double best = NAN, best_rss = INFINITY;
  for (double u = low; u <= high; u += step) {
    double rss = free_residual(u, problem);
    if ((problem->limit || fabs(u) > step / 2) && rss < best_rss)
      best = u, best_rss = rss;
  }
  return sc_minimum_find(free_residual, problem, best - step, best, best + step, 1e-10);
}

/* With a constant where that leaves much less. */
static double best_of_both(search_problem *problem, double low, double high, double step, double *rss)
{
  problem->constant = true;
  double with = free_minimum(problem, low, high, step),
         rss_with = isfinite(with) ? free_residual(with, problem) : INFINITY;
  problem->constant = false;
  double alone = free_minimum(problem, low, high, step),
         rss_alone = isfinite(alone) ? free_residual(alone, problem) : INFINITY;
  problem->constant = rss_with < rss_alone / 4;
  *rss = problem->constant ? rss_with : rss_alone;
  return problem->constant ? with : alone;
}

bool sc_surface_free_power(const sc_surface_engine *engine, size_t p, sc_surface_factor *factor)
{
  search_problem problem = {.engine = engine, .p = p};
  double rss,
      e = best_of_both(&problem, SC_SURFACE_EXPONENT_LEAST, SC_SURFACE_EXPONENT_MOST, SC_SURFACE_EXPONENT_STEP, &rss);
  if (!isfinite(e) || fabs(e) < SC_SURFACE_EXPONENT_STEP / 2)
    return false;
  for (size_t i = 1; i <= SC_SURFACE_GROWTHS; i++) {
    sc_term known = sc_surface_lines_term(i);
    if (known.log_exponent == 0 && fabs(known.exponent - e) < 1e-6)
      return false;
  }
  *factor = (sc_surface_factor){.term = {.coefficient = 1, .exponent = e}, .cost = SC_SURFACE_FREE, .free = true};
  return true;
}

/* The best scale of a shape; its score, or infinity. */
static double rate_limit(search_problem *problem, double *scale)
{
  const sc_surface_points *points = &problem->engine->points;
  double low = log(points->low[problem->p]) - log(SC_SURFACE_SCALE_BEYOND),
         high = log(points->high[problem->p]) + log(SC_SURFACE_SCALE_BEYOND), rss;
  double u = best_of_both(problem, low, high, fmax(SC_SURFACE_SCALE_STEP, (high - low) / SC_SURFACE_SCALE_STEPS), &rss);
  if (!isfinite(u))
    return INFINITY;
  *scale = exp(u);
  size_t numbers = 1 + problem->lines * (problem->constant ? 2 : 1);
  return sc_surface_lines_score(problem->engine, problem->observations, rss, numbers, SC_SURFACE_FREE);
}

bool sc_surface_free_limit(const sc_surface_engine *engine, size_t p, double score, sc_surface_factor *factor)
{
  static const enum sc_shape shapes[] = {SC_SHAPE_HYPERBOLIC, SC_SHAPE_APPROACH};
  bool better = false;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    search_problem problem = {.engine = engine, .p = p, .limit = true, .shape = shapes[i]};
    double scale = 0, now = rate_limit(&problem, &scale);
    if (!(now < score))
      continue;
    better = true;
    score = now;
    *factor = (sc_surface_factor){
        .term = {.coefficient = 1, .shape = shapes[i], .scale = scale}, .cost = SC_SURFACE_FREE, .free = true};
  }
  return better;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/cost_growth.h"

#include <math.h>

enum { SAMPLES = 5, SIZES = 4 };         /* samples that make a size count, and sizes needed */
static const double LEAST_RANGE = 6;     /* largest over smallest size */
static const double BEND = 0.25;         /* logarithm a point may be off by */
static const double CERTAIN_SLOPE = 0.6; /* even two standard errors below the estimate */
static const double NEAR_INTEGER = 0.25;
static const double WORTH_LOOKING = 0.01; /* share of all sampled cost */

static size_t distinct(const sc_cost_point *points, size_t count)
{
  size_t sizes = 0;
  for (size_t i = 0; i < count; i++)
    sizes += i == 0 || points[i].n != points[i - 1].n;
  return sizes;
}

/* A sample count s has the relative error 1/sqrt(s), so that s is the weight of ln each. */
bool sc_cost_growth_fit(const sc_cost_point *points, size_t count, sc_cost_slope *out)
{
  double weight = 0, x = 0, y = 0, xx = 0, xy = 0, squares = 0, relative = 0;
  if (distinct(points, count) < 3)
    return false;
  for (size_t i = 0; i < count; i++) {
    weight += points[i].samples;
    x += points[i].samples * log(points[i].n);
    y += points[i].samples * log(points[i].each);
  }
  x /= weight;
  y /= weight;
  for (size_t i = 0; i < count; i++) {
    double dx = log(points[i].n) - x;
    xx += points[i].samples * dx * dx;
    xy += points[i].samples * dx * (log(points[i].each) - y);
  }
  *out = (sc_cost_slope){.slope = xy / xx, .centre = x, .level = y};
  for (size_t i = 0; i < count; i++) {
    double off = log(points[i].each) - y - out->slope * (log(points[i].n) - x);
    squares += points[i].samples * off * off;
    out->worst = fmax(out->worst, fabs(off) - 3 / sqrt(points[i].samples));
    relative += points[i].samples * fabs(expm1(off));
  }
  double excess = fmax(1, sqrt(squares / (double)(count - 2)));
  out->error = excess / sqrt(xx);
  out->level_error = excess / sqrt(weight);
  out->residual = relative / weight;
  return isfinite(out->slope) && isfinite(out->error);
}

bool sc_cost_growth_certain(const sc_cost_slope *slope)
{
  return slope->slope - 2 * slope->error >= CERTAIN_SLOPE && slope->worst <= BEND;
}

/* A slope near an integer is that integer, a walk over everything there is: what is left of it is caches. */
static double simple_slope(const sc_cost_slope *slope)
{
  double whole = round(slope->slope);
  return fabs(slope->slope - whole) <= fmax(NEAR_INTEGER, 2 * slope->error) ? whole : slope->slope;
}

static void scale_terms(sc_term *terms, size_t count, double factor, double exponent)
{
  for (size_t i = 0; i < count; i++) {
    terms[i].coefficient *= factor;
    terms[i].exponent += exponent;
  }
}

/* The model of count times cost of one: every term gets the slope's exponent. */
static sc_model times(const sc_model *count, const sc_cost_slope *slope, double exponent, size_t sizes)
{
  sc_model model = *count;
  double factor = exp(slope->level - exponent * slope->centre);
  scale_terms(model.terms, model.term_count, factor, exponent);
  for (size_t i = 0; i < SC_MODEL_TERMS; i++)
    for (size_t j = 0; j < SC_MODEL_TERMS; j++)
      model.covariance[i][j] *= factor * factor;
  for (size_t i = 0; i < model.rival_count; i++)
    scale_terms(model.rivals[i].terms, model.rivals[i].term_count, factor, exponent);
  model.order.exponent += exponent;
  model.exponent_low += exponent;
  model.order.integer = (int)lround(model.order.exponent);
  model.exact = false;
  model.error = -1;
  model.fit_error = slope->residual;
  model.points = sizes;
  return model;
}

static double error_at(const sc_analysis *a, const sc_cost_slope *slope, double chosen)
{
  double away = log(sc_analysis_horizon(a)) - slope->centre;
  double steepness = hypot(slope->error, (slope->slope - chosen) / 2);
  return a->quantile * hypot(slope->level_error, steepness * away);
}

/* Enough sizes over a wide enough range: with the slope asked for, the cost of one execution has about tripled. */
static bool well_seen(const sc_cost_point *points, size_t count)
{
  return distinct(points, count) >= SIZES && points[count - 1].n >= LEAST_RANGE * points[0].n;
}

int sc_cost_growth_load(sc_analysis *a, const sc_measured *m, uint32_t context, sc_cost_point *points)
{
  sc_cost_slope slope;
  sc_load *load = &a->loads[context];
  if (!a->sampled || a->options.fit.engine == SC_FIT_DELTA_INFER || m->folded[context] ||
      m->cost[context] < WORTH_LOOKING * m->all || !sc_analysis_known(a, context))
    return 0;
  size_t count = sc_cost_each_points(m, context, SAMPLES, points);
  if (!well_seen(points, count) || !sc_cost_growth_fit(points, count, &slope) || !sc_cost_growth_certain(&slope))
    return 0;
  load->growth = simple_slope(&slope);
  sc_model model = times(sc_analysis_model(a, context), &slope, load->growth, distinct(points, count));
  SC_TRY(sc_analysis_add_model(a, &model, &load->cost_model));
  load->growth_error = error_at(a, &slope, load->growth);
  load->growing = true;
  return 0;
}

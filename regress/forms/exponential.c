/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exponentials, held against the power laws that look like them: a few sizes close together cannot tell the two
 * apart by their fit alone. An exponential is believed if it meets whole numbers exactly, or fits well, clearly
 * better than any power, and foretells the largest size from the others. */
#include "regress/forms/exponential.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/forms/special.h"

enum { LOWER = 3 };

/* What is searched: the exponent of a power, or the logarithm of a base with n^beside before it. */
typedef struct shape {
  bool power;
  double beside;
  int lower; /* term below: 0 none, 1 constant, 2 linear */
} shape;

typedef struct found {
  shape shape;
  double parameter, miss; /* root of the mean square of the relative errors, by degrees of freedom */
} found;

static double exponential_column(const sc_points *points, const shape *s, double parameter, size_t i)
{
  size_t last = points->count - 1;
  if (s->power)
    return exp(parameter * (points->log_n[i] - points->log_n[last]));
  return exp(parameter * (points->n[i] - points->n[last]) + s->beside * (points->log_n[i] - points->log_n[last]));
}

/* Weighted residual sum of squares, the linear part solved in closed form. */
static double exponential_residual(const sc_points *points, const shape *s, double parameter)
{
  double xx = 0, xz = 0, zz = 0, xy = 0, zy = 0, yy = 0;
  for (size_t i = 0; i < points->count; i++) {
    double w = points->repeats[i], scale = 1 / points->scale[i],
           x = exponential_column(points, s, parameter, i) * scale;
    double y = points->y[i] * scale, z = s->lower == 0 ? 0 : scale * (s->lower == 2 ? points->n[i] : 1);
    xx += w * x * x, xz += w * x * z, zz += w * z * z, xy += w * x * y, zy += w * z * y, yy += w * y * y;
  }
  if (s->lower == 0)
    return fmax(0, yy - xy * xy / xx);
  double det = xx * zz - xz * xz;
  if (!(det > 1e-13 * xx * zz))
    return INFINITY;
  double c = (xy * zz - zy * xz) / det, d = (zy * xx - xy * xz) / det;
  return c > 0 || s->power ? fmax(0, yy - c * xy - d * zy) : INFINITY;
}

/* A scan by equal factors, then the golden section in the bracket: with one free number a shape there is no need for a
 * start that could be guessed wrong. */
static found search_exponential(const sc_points *points, const shape *s, double low, double high)
{
  static const double golden = 0.6180339887498949;
  double best = low, least = INFINITY;
  for (double t = low; t <= high; t *= SC_EXPONENTIAL_STEP) {
    double rss = exponential_residual(points, s, t);
    if (rss < least)
      best = t, least = rss;
  }
  double a = best / SC_EXPONENTIAL_STEP, b = best * SC_EXPONENTIAL_STEP;
  for (int i = 0; i < 60; i++) {
    double left = b - golden * (b - a), right = a + golden * (b - a);
    if (exponential_residual(points, s, left) < exponential_residual(points, s, right))
      b = right;
    else
      a = left;
  }
  double parameters = s->lower ? 3 : 2, degrees = (double)points->count - parameters;
  best = (a + b) / 2;
  return (found){*s, best, degrees > 0 ? sqrt(fmin(least, exponential_residual(points, s, best)) / degrees) : INFINITY};
}

static double power_miss(const sc_points *points)
{
  double least = INFINITY;
  for (int lower = 0; lower < LOWER; lower++) {
    const shape power = {.power = true, .lower = lower};
    least = fmin(least, search_exponential(points, &power, SC_EXPONENTIAL_POWER_LEAST, SC_EXPONENTIAL_POWER_MOST).miss);
  }
  return least;
}

static size_t make_terms(const found *f, double base, sc_term *terms)
{
  size_t count = 1;
  terms[0] = (sc_term){.exponent = f->shape.beside, .base = base};
  if (f->shape.lower)
    terms[count++] = (sc_term){.exponent = f->shape.lower - 1};
  return count;
}

/* The exponential that is nearest to the points; simple forms first, others must be clearly nearer. *other is the next
 * nearest, which widens the interval. */
static found exponential_nearest(const sc_points *points, found *other)
{
  double last = points->n[points->count - 1];
  found best = {.miss = INFINITY};
  *other = best;
  for (int lower = 0; lower < LOWER; lower++)
    for (int beside = 0; beside <= 1; beside++) {
      if (points->count < (size_t)(lower ? 3 : 2) + 2)
        continue;
      found f = search_exponential(points, &(shape){.beside = beside, .lower = lower}, 1 / last, 3);
      bool better = f.miss < best.miss / (beside ? SC_EXPONENTIAL_BESIDE : SC_EXPONENTIAL_LOWER);
      const found *worse = better ? &best : &f;
      if (worse->miss < other->miss)
        *other = *worse;
      if (better)
        best = f;
    }
  return best;
}

typedef __int128 wide;

/* under * y == over[0] n^a base^n + over[1] n^b in integers; an overflow counts as no. */
static bool exponential_holds(const sc_points *points, const shape *s, int base, const int64_t *over, int under)
{
  for (size_t i = 0; i < points->count; i++) {
    wide term = over[0], sum = over[1], left;
    if (points->n[i] != floor(points->n[i]) || points->n[i] > 200)
      return false;
    for (int e = 0; e < (int)points->n[i]; e++)
      if (__builtin_mul_overflow(term, (wide)base, &term))
        return false;
    if (s->beside > 0 && __builtin_mul_overflow(term, (wide)points->n[i], &term))
      return false;
    if (s->lower == 2)
      sum *= (wide)points->n[i];
    left = (wide)points->y[i] * under;
    if (__builtin_add_overflow(sum, term, &sum) || left != sum)
      return false;
  }
  return true;
}

/* Coefficients through the first and the last size, as fractions; whether every point is met. A single term is the sum
 * in which the other one is 0. */
static bool exact_with(const sc_points *points, const shape *s, int base, sc_term *terms, size_t *count)
{
  size_t last = points->count - 1;
  long double x0 = powl(base, points->n[0]) * (s->beside > 0 ? points->n[0] : 1), z0 = 1, z1 = 1;
  long double x1 = powl(base, points->n[last]) * (s->beside > 0 ? points->n[last] : 1);
  if (s->lower == 2)
    z0 = points->n[0], z1 = points->n[last];
  long double det = x0 * z1 - x1 * z0, c = (points->y[0] * z1 - points->y[last] * z0) / det;
  long double d = (x0 * points->y[last] - x1 * points->y[0]) / det;
  for (int under = 1; under <= SC_EXPONENTIAL_DENOMINATOR; under++) {
    if (SC_EXPONENTIAL_DENOMINATOR % under || fabsl(c) > 1e12L || fabsl(d) > 1e15L)
      continue;
    int64_t over[2] = {(int64_t)llroundl(c * under), (int64_t)llroundl(d * under)};
    if (over[0] <= 0 || !exponential_holds(points, s, base, over, under))
      continue;
    found f = {.shape = *s};
    *count = make_terms(&f, base, terms);
    terms[0].coefficient = (double)over[0] / under;
    terms[1].coefficient = (double)over[1] / under;
    *count -= over[1] == 0;
    return true;
  }
  return false;
}

static bool exponential_exact(const sc_points *points, sc_term *terms, size_t *count)
{
  for (int lower = 1; points->equal && lower < LOWER; lower++)
    for (int beside = 0; beside <= 1; beside++)
      for (int base = 2; base <= SC_EXPONENTIAL_BASE_MOST; base++)
        if (exact_with(points, &(shape){.beside = beside, .lower = lower}, base, terms, count))
          return true;
  return false;
}

static void reset_exponential(const sc_points *points, sc_model *model)
{
  *model = (sc_model){.points = points->count, .n_min = points->n[0], .n_max = points->n[points->count - 1]};
}

static void finish_exponential(const sc_points *points, sc_model *model)
{
  sc_engine_judge(points, model);
  model->exponent_low = model->order.exponent;
}

static void set_exponential_exact(const sc_points *points, const sc_term *terms, size_t count, sc_model *model)
{
  reset_exponential(points, model);
  sc_special_set_terms(model, terms, count);
  model->exact = true;
  model->degrees = points->observations - count;
  finish_exponential(points, model);
}

/* Relative error at the last size of what the others say. */
static double exponential_forward(const sc_points *points, const found *f)
{
  sc_points without = *points;
  double last = points->n[points->count - 1], top = points->y[points->count - 1];
  without.count--;
  found g = search_exponential(&without, &f->shape, 1 / last, 3);
  /* Through the last size known: what the rate alone says. */
  size_t before = without.count - 1;
  double lift = exp(g.parameter * (last - points->n[before])) * pow(last / points->n[before], f->shape.beside);
  return fabs(points->y[before] * lift - top) / top;
}

static int set_fitted(sc_engine *engine, const found *f, double foreseen, sc_model *model)
{
  const sc_points *points = &engine->points;
  sc_term terms[SC_MODEL_TERMS] = {{0}};
  sc_wls_result fit;
  size_t count = make_terms(f, exp(f->parameter), terms);
  double center = 0, spread = 0, all = (double)points->observations;
  SC_TRY(sc_wls_fit(engine->wls, points, terms, count, &fit));
  if (!(terms[0].coefficient > 0))
    return SC_E_NUMERIC;
  /* A steep power is met by an exponential that nearly cancels at the smallest size. */
  if (count == 2 && -terms[1].coefficient * sc_term_basis(&terms[1], points->n[0]) >
                        terms[0].coefficient * sc_term_basis(&terms[0], points->n[0]) / 2)
    return SC_E_NUMERIC;
  reset_exponential(points, model);
  sc_special_set_terms(model, terms, count);
  model->degrees = points->count - count - 1;
  model->sigma = fmax(f->miss, points->pure_degrees ? sqrt(points->pure_ss / (double)points->pure_degrees) : 0);
  if (!points->whole) /* few points may lie well by chance */
    model->sigma = fmax(model->sigma, SC_EXPONENTIAL_NOISE);
  model->scatter = f->miss;
  for (size_t i = 0; i < points->count; i++)
    center += points->repeats[i] * points->n[i] / all;
  for (size_t i = 0; i < points->count; i++)
    spread += points->repeats[i] * (points->n[i] - center) * (points->n[i] - center);
  model->n_center = center;
  model->drift = SC_EXPONENTIAL_DRIFT * model->sigma / sqrt(spread);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      model->covariance[i][j] = fit.covariance[i][j] * model->sigma * model->sigma;
  model->error = foreseen;
  finish_exponential(points, model);
  return 0;
}

/* Too unlikely to be shown, but it widens the interval. */
static int add_exponential_rival(sc_engine *engine, const found *f, sc_model *model)
{
  sc_term terms[SC_MODEL_TERMS] = {{0}};
  sc_wls_result fit;
  size_t count = make_terms(f, exp(f->parameter), terms);
  SC_TRY(sc_wls_fit(engine->wls, &engine->points, terms, count, &fit));
  memcpy(model->rivals[0].terms, terms, sizeof terms);
  model->rivals[0].term_count = count;
  model->rivals[0].error = -1;
  model->rivals[0].weight = SC_MODEL_PLAUSIBLE / 2;
  model->rivals[0].mass = SC_EXPONENTIAL_RIVAL;
  model->rival_count = 1;
  return 0;
}

/* Whether the series may be an exponential at all: it grows, all the way, and at the end as steeply as one that is n^4
 * there. Between the last two sizes an exponential of exponent b n at the last has grown by b (n - m). */
static bool exponential_steep(const sc_points *points)
{
  size_t last = points->count - 1;
  if (points->count < SC_EXPONENTIAL_SIZES || !(points->y[0] > 0) ||
      points->y[last] < SC_EXPONENTIAL_GROWTH * points->y[0])
    return false;
  for (size_t i = 1; i <= last; i++)
    if (points->y[i] < points->y[i - 1])
      return false;
  double grown = log(points->y[last] / points->y[last - 1]);
  return grown > SC_EXPONENTIAL_STEEP_NEARLY * SC_EXPONENTIAL_STEEP * (1 - points->n[last - 1] / points->n[last]);
}

/* Whether the model describes the points so well that no other form is called for. What repeats scatter by is nothing
 * that another form could explain. */
static bool exponential_described(const sc_points *points, const sc_model *model)
{
  double missed = model->fit_error;
  if (points->pure_degrees) {
    double noise =
        sqrt(points->pure_ss / (double)points->pure_degrees * (double)points->count / (double)points->observations);
    missed = model->scatter < SC_EXPONENTIAL_OF_NOISE * noise ? 0 : fmin(missed, model->scatter);
  }
  return model->verdict == SC_VERDICT_MODEL && missed < SC_EXPONENTIAL_POWER_MISSES;
}

/* Each test may only refuse; the model that was chosen without exponentials stays then. */
int sc_exponential_prefer(sc_engine *engine, sc_model *model)
{
  const sc_points *points = &engine->points;
  sc_term terms[SC_MODEL_TERMS] = {{0}};
  size_t count;
  if (!exponential_steep(points) || (model->exact && model->verdict == SC_VERDICT_MODEL))
    return 0;
  if (exponential_exact(points, terms, &count)) {
    set_exponential_exact(points, terms, count, model);
    return 0;
  }
  if (exponential_described(points, model))
    return 0;
  found other, best = exponential_nearest(points, &other);
  double last = points->n[points->count - 1], against = power_miss(points);
  if (!(best.miss <= SC_EXPONENTIAL_FITS) || !(best.miss * SC_EXPONENTIAL_BETTER <= against) ||
      !(against >= SC_EXPONENTIAL_POWER_MISSES) || best.parameter * last + best.shape.beside < SC_EXPONENTIAL_STEEP)
    return 0;
  double foreseen = exponential_forward(points, &best);
  if (!(foreseen <= SC_EXPONENTIAL_FORESEES))
    return 0;
  sc_model made = *model;
  int err = set_fitted(engine, &best, foreseen, &made);
  if (err == 0 && other.miss <= fmax(SC_EXPONENTIAL_NEXT * best.miss, SC_EXPONENTIAL_NEXT_LEAST))
    err = add_exponential_rival(engine, &other, &made);
  if (err == 0)
    *model = made;
  return err == SC_E_NUMERIC ? 0 : err;
}

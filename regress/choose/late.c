/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/choose/late.h"

#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

/* Sizes before the change, which a function of two coefficients has to follow, and behind it. */
enum { BEFORE = 4, BEHIND = 2 };

/* A function of the earlier sizes: a sum of one or two of these. */
static const sc_term CONSTANT = {0}, LINE = {.exponent = 1}, LOG_LINE = {.exponent = 1, .log_exponent = 1},
                     SQUARE = {.exponent = 2};

typedef struct function {
  sc_term terms[SC_MODEL_TERMS];
  size_t count;
} function;

static double late_value_at(const function *f, double n) { return sc_term_sum(f->terms, f->count, n); }

/* Least squares of relative errors, by one or two columns; the root mean square that is left, infinity without any. */
static double fit_late(const sc_points *points, size_t count, function *f)
{
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0, left = 0;
  for (size_t i = 0; i < count; i++) {
    double w = 1 / (points->scale[i] * points->scale[i]), y = points->y[i];
    double a = sc_term_basis(&f->terms[0], points->n[i]);
    double b = f->count > 1 ? sc_term_basis(&f->terms[1], points->n[i]) : 0;
    aa += w * a * a, ab += w * a * b, bb += w * b * b, ay += w * a * y, by += w * b * y;
  }
  double det = aa * bb - ab * ab;
  if (f->count > 1 && !(det > 1e-12 * aa * bb))
    return INFINITY;
  f->terms[0].coefficient = f->count > 1 ? (ay * bb - by * ab) / det : ay / aa;
  if (f->count > 1)
    f->terms[1].coefficient = (by * aa - ay * ab) / det;
  for (size_t i = 0; i < count; i++) {
    double off = (points->y[i] - late_value_at(f, points->n[i])) / points->scale[i];
    left += off * off;
  }
  return sqrt(left / (double)(count - f->count));
}

/* The simple function that the earlier sizes follow best; false where they follow none. */
static bool find_before(const sc_points *points, size_t count, double noise, function *best)
{
  const sc_term *const forms[][2] = {{&CONSTANT, NULL},    {&LINE, NULL},      {&LOG_LINE, NULL},
                                     {&SQUARE, NULL},      {&LINE, &CONSTANT}, {&LOG_LINE, &CONSTANT},
                                     {&SQUARE, &CONSTANT}, {&SQUARE, &LINE},   {&LOG_LINE, &LINE}};
  double least = fmax(SC_LATE_FOLLOWS, SC_LATE_FOLLOWS_NOISE * noise);
  bool found = false;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    function f = {.terms = {*forms[i][0]}, .count = 1};
    if (forms[i][1])
      f.terms[f.count++] = *forms[i][1];
    double left = fit_late(points, count, &f);
    if (!(left < least) || f.terms[0].coefficient < 0)
      continue;
    least = left;
    *best = f;
    found = true;
  }
  return found;
}

static void add_term(function *f, double coefficient, double exponent)
{
  for (size_t i = 0; i < f->count; i++)
    if (f->terms[i].exponent == exponent && f->terms[i].log_exponent == 0) {
      f->terms[i].coefficient += coefficient;
      return;
    }
  if (f->count < SC_MODEL_TERMS)
    f->terms[f->count++] = (sc_term){.coefficient = coefficient, .exponent = exponent};
}

/* The two sizes behind the change: what is counted there, and by how much that is off the function before. */
typedef struct behind {
  double n[BEHIND], y[BEHIND], gap[BEHIND];
} behind;

static double power_between(const behind *b, const double *y) { return log(y[1] / y[0]) / log(b->n[1] / b->n[0]); }

/* The gap stays the power that it was between both; a steep one becomes a square from its threshold on. */
static function continue_steep(const function *before, const behind *b)
{
  function f = *before;
  double power = power_between(b, b->gap), root = sqrt(b->gap[1] / b->gap[0]);
  if (power <= SC_LATE_STEEPEST) {
    add_term(&f, b->gap[1] / pow(b->n[1], power), power);
    return f;
  }
  double from = (b->n[0] * root - b->n[1]) / (root - 1), by = b->gap[1] / ((b->n[1] - from) * (b->n[1] - from));
  add_term(&f, by, 2);
  add_term(&f, -2 * by * from, 1);
  add_term(&f, by * from * from, 0);
  return f;
}

/* The gap becomes a straight line. */
static function continue_straight(const function *before, const behind *b)
{
  function f = *before;
  double slope = (b->gap[1] - b->gap[0]) / (b->n[1] - b->n[0]);
  add_term(&f, slope, 1);
  add_term(&f, b->gap[1] - slope * b->n[1], 0);
  return f;
}

/* The function before no longer counts. */
static function continue_alone(const behind *b)
{
  double power = fmax(0, power_between(b, b->y));
  return (function){.terms = {{.coefficient = b->y[1] / pow(b->n[1], power), .exponent = power}}, .count = 1};
}

/* As one more rival with the chosen model's own share of the interval, in place of the least of the others. */
static void add_late_rival(sc_model *model, const function *f, double error, double exponent_error)
{
  size_t order[SC_MODEL_TERMS], at = model->rival_count;
  if (at == SC_MODEL_RIVALS)
    at--;
  else
    model->rival_count++;
  sc_rival *rival = &model->rivals[at];
  *rival = (sc_rival){.term_count = f->count, .error = -1, .mass = model->mass};
  memcpy(rival->terms, f->terms, sizeof rival->terms);
  rival->term_count = sc_term_sort(rival->terms, rival->term_count, order);
  rival->deviation[0] = error + exponent_error * log(SC_RIVAL_NEAR);
  rival->deviation[1] = error + exponent_error * log(SC_RIVAL_FAR);
}

static bool is_off(const behind *b, const sc_points *points, double noise)
{
  for (size_t i = 0; i < BEHIND; i++)
    if (!(fabs(b->gap[i]) > fmax(SC_LATE_OFF, SC_LATE_OFF_NOISE * noise) * points->scale[points->count - BEHIND + i]))
      return false;
  return b->gap[0] * b->gap[1] > 0 && b->y[0] > 0 && b->y[1] > 0;
}

void sc_late_widen(const sc_points *points, sc_model *model)
{
  function before;
  behind b;
  double noise = 0;
  if (model->verdict != SC_VERDICT_MODEL || model->exact || points->count < BEFORE + BEHIND)
    return;
  size_t count = points->count - BEHIND;
  for (size_t i = 0; i < points->count; i++)
    noise = fmax(noise, sqrt(sc_points_noise(points, i)));
  if (!find_before(points, count, noise, &before))
    return;
  for (size_t i = 0; i < BEHIND; i++) {
    b.n[i] = points->n[count + i];
    b.y[i] = points->y[count + i];
    b.gap[i] = b.y[i] - late_value_at(&before, b.n[i]);
  }
  if (!is_off(&b, points, noise) || b.n[1] < SC_LATE_APART * b.n[0])
    return;
  double error = fmax(SC_LATE_ERROR, noise), steps = log(b.n[1] / b.n[0]);
  double gaps = M_SQRT2 * noise * fmax(b.y[0] / fabs(b.gap[0]), b.y[1] / fabs(b.gap[1])) / steps;
  function steep = continue_steep(&before, &b), straight = continue_straight(&before, &b), alone = continue_alone(&b);
  model->mass = model->mass > 0 ? model->mass : 1;
  add_late_rival(model, &straight, error, gaps);
  add_late_rival(model, &alone, error, M_SQRT2 * noise / steps);
  add_late_rival(model, &steep, error, gaps);
}

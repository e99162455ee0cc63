/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/model.h"

#include <math.h>

#include "base/compare.h"
#include "regress/core/mixture.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/core/wls.h"

void sc_interval_add(sc_interval *sum, const sc_interval *more)
{
  sum->value += more->value;
  sum->low += more->low;
  sum->high += more->high;
}

double sc_model_value(const sc_model *model, double n)
{
  for (size_t i = 0; i < model->piece_count; i++)
    if (n < model->pieces[i].until)
      return fmax(0, sc_term_sum(model->pieces[i].terms, model->pieces[i].term_count, n));
  return fmax(n > model->n_max ? model->least : 0, sc_term_sum(model->terms, model->term_count, n));
}

static void scale_terms(sc_term *terms, size_t count, double factor, double exponent)
{
  for (size_t i = 0; i < count; i++) {
    terms[i].coefficient *= factor;
    terms[i].exponent += exponent;
  }
}

static void raise_order(sc_order *order, double exponent)
{
  if (order->base > 0) { /* exponential growth is above every power */
    order->beside += exponent;
    return;
  }
  order->exponent += exponent;
  order->integer = (int)lround(order->exponent);
}

void sc_model_scale(sc_model *model, double factor, double exponent)
{
  scale_terms(model->terms, model->term_count, factor, exponent);
  for (size_t i = 0; i < model->piece_count; i++)
    scale_terms(model->pieces[i].terms, model->pieces[i].term_count, factor, exponent);
  for (size_t i = 0; i < model->rival_count; i++)
    scale_terms(model->rivals[i].terms, model->rivals[i].term_count, factor, exponent);
  for (size_t i = 0; i < SC_MODEL_TERMS; i++)
    for (size_t j = 0; j < SC_MODEL_TERMS; j++)
      model->covariance[i][j] *= factor * factor;
  if (exponent != 0) {
    raise_order(&model->order, exponent);
    raise_order(&model->later, exponent);
    model->exponent_low += model->order.base > 0 ? 0 : exponent;
  }
  model->y_max *= factor * pow(model->n_max, exponent);
  model->least *= exponent < 0 ? 0 : factor * pow(model->n_max, exponent);
}

/* Standard error of the expected count at n, relative to it where the parts are. */
static double standard_error(const sc_model *model, double n, double value)
{
  double square = 0, x[SC_MODEL_TERMS];
  for (size_t i = 0; i < model->term_count; i++)
    x[i] = sc_term_basis(&model->terms[i], n);
  for (size_t i = 0; i < model->term_count; i++)
    for (size_t j = 0; j < model->term_count; j++)
      square += x[i] * x[j] * model->covariance[i][j];
  bool exponential = model->term_count && model->terms[0].base > 0;
  double drift = 0;
  if (model->n_center > 0)
    drift = model->drift * (exponential ? n - model->n_center : log(n / model->n_center));
  return sqrt(fmax(0, square) + value * value * (drift * drift + model->scatter * model->scatter));
}

/* The rival's relative standard error, known at two sizes. */
static double rival_deviation(const sc_model *model, const sc_rival *rival, double n)
{
  double near = log(SC_RIVAL_NEAR), far = log(SC_RIVAL_FAR);
  double share = fmax(0, (log(n / model->n_max) - near) / (far - near));
  return fmax(0, rival->deviation[0] + share * (rival->deviation[1] - rival->deviation[0]));
}

/* The interval of the chosen model and its rivals together, each by its share (Bayesian model averaging: Hoeting,
 * Madigan, Raftery and Volinsky, Statistical Science 14, 1999). */
static void model_average(const sc_model *model, double n, double value, double level, sc_interval *out)
{
  sc_mixture_part parts[SC_MODEL_RIVALS + 1];
  double deviation = standard_error(model, n, value);
  if (!isfinite(deviation)) { /* numbers near the end of the range of double overflow when squared */
    *out = (sc_interval){value, 0, INFINITY};
    return;
  }
  parts[0] = (sc_mixture_part){model->mass > 0 ? model->mass : 1, value, deviation, model->degrees};
  double least = parts[0].mass * SC_MODEL_NEGLIGIBLE;
  size_t count = 1;
  for (size_t i = 0; i < model->rival_count; i++) {
    const sc_rival *rival = &model->rivals[i];
    double mass = rival->mass > 0 ? rival->mass : rival->weight;
    if (mass < least)
      continue;
    double other = fmax(0, sc_term_sum(rival->terms, rival->term_count, n));
    parts[count++] = (sc_mixture_part){mass, other, other * rival_deviation(model, rival, n), model->degrees};
  }
  sc_mixture_interval(parts, count, level, &out->low, &out->high);
  out->low = fmin(out->low, value);
  out->high = fmax(out->high, value);
}

/* An exact form that is a fraction at n is not a count there: all sizes measured are multiples of a block, and its
 * rivals are the counts in whole blocks. */
static void span_readings(const sc_model *model, double n, sc_interval *out)
{
  for (size_t i = 0; i < model->rival_count; i++) {
    double other = fmax(0, sc_term_sum(model->rivals[i].terms, model->rivals[i].term_count, n));
    if (model->rivals[i].weight < SC_MODEL_PLAUSIBLE)
      continue;
    out->low = fmin(out->low, other);
    out->high = fmax(out->high, other);
  }
}

int sc_model_predict(const sc_model *model, double n, double level, sc_interval *out)
{
  sc_wls_init();
  if (!(n > 0) || !isfinite(n)) {
    sc_err_set(SC_E_INPUT, "cannot predict at size %g", n);
    return sc_err_hint(SC_E_INPUT, "sizes must be finite and greater than 0");
  }
  if (!(level > 0 && level < 1)) {
    sc_err_set(SC_E_INPUT, "an interval of level %g does not exist", level);
    return sc_err_hint(SC_E_INPUT, "the level lies between 0 and 1, such as 0.95");
  }
  double value = sc_model_value(model, n);
  *out = (sc_interval){value, value, value};
  if (model->exact) {
    if (fabs(value - round(value)) > SC_MODEL_FRACTION)
      span_readings(model, n, out);
    return 0;
  }
  if (model->verdict == SC_VERDICT_CANNOT_TELL) {
    *out = (sc_interval){value, 0, INFINITY};
    return 0;
  }
  model_average(model, n, value, level, out);
  return 0;
}

/* Fitted exponents are not known better than this; orders closer than it are the same order. */
static double grade_exponent(double exponent) { return round(exponent * 10); }

int sc_model_compare_order(const sc_order *a, const sc_order *b)
{
  int by = SC_COMPARE(grade_exponent(a->exponent), grade_exponent(b->exponent));
  if (!by && a->base > 0 && b->base > 0)
    by = SC_COMPARE(grade_exponent(a->base), grade_exponent(b->base))
             ?: SC_COMPARE(grade_exponent(a->beside), grade_exponent(b->beside));
  return by ?: SC_COMPARE(grade_exponent(a->log_exponent), grade_exponent(b->log_exponent));
}

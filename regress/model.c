/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/model.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "regress/term.h"
#include "regress/wls.h"

double sc_model_value(const sc_model *model, double n)
{
  for (size_t i = 0; i < model->piece_count; i++)
    if (n < model->pieces[i].until)
      return fmax(0, sc_term_sum(model->pieces[i].terms, model->pieces[i].term_count, n));
  return fmax(0, sc_term_sum(model->terms, model->term_count, n));
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
  if (model->exact)
    return 0;
  if (model->verdict == SC_VERDICT_CANNOT_TELL) {
    *out = (sc_interval){value, 0, INFINITY};
    return 0;
  }
  double degrees = model->degrees ? (double)model->degrees : 1;
  double quantile = gsl_cdf_tdist_Pinv(0.5 + level / 2, degrees);
  if (!isfinite(quantile))
    return sc_err_set(SC_E_NUMERIC, "no t quantile for level %g and %zu degrees of freedom", level, model->degrees);
  double half = quantile * standard_error(model, n, value);
  bool known = isfinite(half); /* numbers near the end of the range of double overflow when squared */
  out->low = known ? fmax(0, value - half) : 0;
  out->high = known ? value + half : INFINITY;
  for (size_t i = 0; i < model->rival_count; i++) {
    double other = fmax(0, sc_term_sum(model->rivals[i].terms, model->rivals[i].term_count, n));
    out->low = fmin(out->low, other);
    out->high = fmax(out->high, other);
  }
  return 0;
}

/* Fitted exponents are not known better than this; orders closer than it are the same order. */
static double grade(double exponent) { return round(exponent * 10); }

int sc_model_compare_order(const sc_order *a, const sc_order *b)
{
  double left = grade(a->exponent), right = grade(b->exponent);
  if (left != right)
    return left < right ? -1 : 1;
  if (a->base > 0 && b->base > 0 && grade(a->base) != grade(b->base))
    return a->base < b->base ? -1 : 1;
  if (a->base > 0 && b->base > 0 && grade(a->beside) != grade(b->beside))
    return a->beside < b->beside ? -1 : 1;
  left = grade(a->log_exponent), right = grade(b->log_exponent);
  return (left > right) - (left < right);
}

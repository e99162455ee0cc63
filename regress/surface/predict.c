/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions of surfaces with intervals: the form's own error, and what its rivals say. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/core/wls.h"
#include "regress/surface/internal.h"

bool sc_surface_same_factor(const sc_term *a, const sc_term *b)
{
  return sc_term_compare(a, b) == 0 && a->scale == b->scale;
}

double sc_surface_term_value(const sc_surface_term *term, size_t parameters, const double *at)
{
  double value = 1;
  for (size_t p = 0; p < parameters; p++)
    if (!sc_term_is_constant(&term->factor[p], 1))
      value *= sc_term_basis(&term->factor[p], at[p]);
  return value;
}

double sc_surface_sum(const sc_surface_term *terms, size_t count, size_t parameters, const double *at)
{
  double sum = 0;
  for (size_t i = count; i-- > 0;)
    sum += terms[i].coefficient * sc_surface_term_value(&terms[i], parameters, at);
  return sum;
}

double sc_surface_value(const sc_surface *surface, const double *at)
{
  if (surface->along >= 0)
    return sc_model_value(&surface->line, at[surface->along]);
  return fmax(0, sc_surface_sum(surface->form.terms, surface->form.term_count, surface->parameters, at));
}

double sc_surface_standard_error(const sc_surface *surface, const sc_surface_form *form, const double *at, double value)
{
  double square = 0, x[SC_SURFACE_TERMS], relative = form->scatter * form->scatter;
  for (size_t i = 0; i < form->term_count; i++)
    x[i] = sc_surface_term_value(&form->terms[i], surface->parameters, at);
  for (size_t i = 0; i < form->term_count; i++)
    for (size_t j = 0; j < form->term_count; j++)
      square += x[i] * x[j] * form->covariance[i][j];
  for (size_t p = 0; p < surface->parameters; p++)
    if (form->drift[p] > 0) {
      double drift = form->drift[p] * log(at[p] / surface->center[p]);
      relative += drift * drift;
    }
  return sqrt(fmax(0, square) + value * value * relative);
}

/* What the model and one of its rivals say at a point: a t distribution. */
typedef struct opinion {
  double value, error, degrees, weight;
} opinion;

static size_t gather_opinions(const sc_surface *surface, const double *at, opinion *list)
{
  double sum = 0;
  for (size_t i = 0; i <= surface->rival_count; i++) {
    const sc_surface_form *form = i ? &surface->rivals[i - 1] : &surface->form;
    list[i].value = fmax(0, sc_surface_sum(form->terms, form->term_count, surface->parameters, at));
    list[i].error = sc_surface_standard_error(surface, form, at, list[i].value);
    list[i].degrees = form->degrees ? (double)form->degrees : 1;
    list[i].weight = i ? form->weight : 1;
    sum += list[i].weight;
  }
  for (size_t i = 0; i <= surface->rival_count; i++)
    list[i].weight /= sum;
  return surface->rival_count + 1;
}

static double share_below(const opinion *list, size_t count, double x)
{
  double share = 0;
  for (size_t i = 0; i < count; i++) {
    double away = x - list[i].value;
    share += list[i].weight * (list[i].error > 0 ? gsl_cdf_tdist_P(away / list[i].error, list[i].degrees)
                               : away == 0       ? 0.5
                                                 : away > 0);
  }
  return share;
}

/* Where the mixture of all opinions has the given share below it: a bisection between their own quantiles. */
static double opinions_quantile(const opinion *list, size_t count, double share)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    double x = list[i].value + gsl_cdf_tdist_Pinv(share, list[i].degrees) * list[i].error;
    low = fmin(low, x);
    high = fmax(high, x);
  }
  for (int i = 0; i < 60 && high - low > 1e-9 * high; i++) {
    double middle = low + (high - low) / 2;
    if (share_below(list, count, middle) < share)
      low = middle;
    else
      high = middle;
  }
  return share < 0.5 ? low : high;
}

/* Where sum and product fit alike, weights say nothing: the interval holds what each of them says. */
static void join_opinions(const opinion *list, size_t count, double level, sc_interval *out)
{
  for (size_t i = 0; i < count; i++) {
    double half = gsl_cdf_tdist_Pinv(0.5 + level / 2, list[i].degrees) * list[i].error;
    out->low = fmin(out->low, list[i].value - half);
    out->high = fmax(out->high, list[i].value + half);
  }
}

static int check_point(const sc_surface *surface, const double *at, double level)
{
  for (size_t p = 0; p < surface->parameters; p++)
    if (!(at[p] > 0) || !isfinite(at[p])) {
      sc_err_set(SC_E_INPUT, "cannot predict at the value %g of parameter %zu", at[p], p + 1);
      return sc_err_hint(SC_E_INPUT, "parameters must be finite and greater than 0");
    }
  if (!(level > 0 && level < 1)) {
    sc_err_set(SC_E_INPUT, "an interval of level %g does not exist", level);
    return sc_err_hint(SC_E_INPUT, "the level lies between 0 and 1, such as 0.95");
  }
  return 0;
}

int sc_surface_predict(const sc_surface *surface, const double *at, double level, sc_interval *out)
{
  sc_wls_init();
  SC_TRY(check_point(surface, at, level));
  bool known = surface->verdict == SC_VERDICT_MODEL || surface->ambiguous;
  for (size_t p = 0; p < surface->parameters; p++)
    known = known && (!surface->fixed[p] || at[p] == surface->low[p]);
  if (known && surface->along >= 0)
    return sc_model_predict(&surface->line, at[surface->along], level, out);
  double value = sc_surface_value(surface, at);
  *out = (sc_interval){value, value, value};
  if (!known)
    out->low = 0, out->high = INFINITY;
  if (!known || surface->exact)
    return 0;
  opinion list[1 + SC_SURFACE_RIVALS];
  size_t count = gather_opinions(surface, at, list);
  if (surface->ambiguous) {
    join_opinions(list, count, level, out);
  } else {
    out->low = fmin(value, opinions_quantile(list, count, 0.5 - level / 2));
    out->high = fmax(value, opinions_quantile(list, count, 0.5 + level / 2));
  }
  /* Numbers near the end of the range of double overflow when squared. */
  out->low = isfinite(out->low) ? fmax(0, out->low) : 0;
  out->high = isfinite(out->high) ? out->high : INFINITY;
  return 0;
}

static bool opinions_decides(const sc_surface *surface, const double *at)
{
  double value = sc_surface_value(surface, at),
         sigma = fmax(SC_SURFACE_DECIDES * surface->form.sigma, SC_SURFACE_DECIDES_LEAST);
  for (size_t i = 0; i < surface->rival_count; i++) {
    const sc_surface_form *rival = &surface->rivals[i];
    double other = fmax(0, sc_surface_sum(rival->terms, rival->term_count, surface->parameters, at));
    if (rival->weight >= SC_MODEL_PLAUSIBLE && fabs(other - value) > sigma * fmax(value, other))
      return true;
  }
  return false;
}

bool sc_surface_deciding(const sc_surface *surface, double *at)
{
  if (surface->points == 0)
    return false;
  if (surface->along >= 0) {
    for (size_t p = 0; p < surface->parameters; p++)
      at[p] = surface->high[p];
    at[surface->along] = sc_model_deciding_size(&surface->line);
    return isfinite(at[surface->along]);
  }
  bool guess = surface->verdict == SC_VERDICT_CANNOT_TELL && !surface->ambiguous;
  unsigned all = 1u << surface->parameters;
  for (double by = guess ? SC_SURFACE_GUESS : 1; by <= SC_SURFACE_DECIDING_MOST; by *= by < 2 ? 1.5 : 2) {
    for (unsigned further = guess ? all - 1 : 1; further < all;
         further++) { /* parameters that go beyond what was measured */
      for (size_t p = 0; p < surface->parameters; p++)
        at[p] = further >> p & 1 && !surface->fixed[p] && by > 1 ? ceil(surface->high[p] * by) : surface->high[p];
      if (guess || opinions_decides(surface, at))
        return true;
    }
  }
  return false;
}

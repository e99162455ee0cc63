/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/plan/gain.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/core/wls.h"

static void fill_basis(const sc_model *model, double n, double *basis)
{
  for (size_t i = 0; i < model->term_count; i++)
    basis[i] = sc_term_basis(&model->terms[i], n);
}

static double gain_square(double x) { return x * x; }

/* a' S b */
static double gain_product(const sc_plan_view *view, const double *a, const double *b)
{
  double sum = 0;
  for (size_t i = 0; i < view->model->term_count; i++)
    for (size_t j = 0; j < view->model->term_count; j++)
      sum += a[i] * view->model->covariance[i][j] * b[j];
  return sum;
}

static void fill_forms(sc_plan_view *view)
{
  const sc_model *model = view->model;
  double sum = model->mass > 0 ? model->mass : 1;
  view->forms = 1;
  view->probability[0] = sum;
  view->prediction[0] = view->value;
  for (size_t i = 0; i < model->rival_count; i++) {
    const sc_rival *rival = &model->rivals[i];
    double prediction = fmax(0, sc_term_sum(rival->terms, rival->term_count, view->target));
    double mass = rival->mass > 0 ? rival->mass : rival->weight;
    if (!(mass > 0) || !isfinite(prediction))
      continue;
    view->rival[view->forms] = rival;
    view->probability[view->forms] = mass;
    view->prediction[view->forms++] = prediction;
    sum += mass;
  }
  for (size_t i = 0; i < view->forms; i++)
    view->probability[i] /= sum;
}

static int measure_half(sc_plan_view *view, double level)
{
  sc_interval interval;
  const sc_model *model = view->model;
  SC_TRY(sc_model_predict(model, view->target, level, &interval));
  /* What no model describes may be far from what stands for it: it has been as large as y_max already. */
  double least = fmax(sc_model_value(model, model->n_max), model->y_max);
  double most = SC_PLAN_ANYTHING * fmax(interval.value, least), half = 0.5 * (interval.high - interval.low);
  view->value = interval.value;
  view->half = half <= most ? half : most;
  return 0;
}

/* The place of a size: its logarithm; with exponential growth the size itself. */
static double place_of(const sc_model *model, double n)
{
  return model->term_count && model->terms[0].base > 0 ? n : log(n);
}

static void fill_spread(sc_plan_view *view, const sc_plan_measured *measured)
{
  const sc_model *model = view->model;
  double sum = 0;
  view->place = place_of(model, view->target);
  for (size_t i = 0; i < measured->count; i++)
    if (measured->sizes[i] >= model->n_min) {
      sum += measured->runs[i] * place_of(model, measured->sizes[i]);
      view->observations += measured->runs[i];
    }
  view->center = view->observations > 0 ? sum / view->observations : view->place;
  for (size_t i = 0; i < measured->count; i++)
    if (measured->sizes[i] >= model->n_min)
      view->spread += measured->runs[i] * gain_square(place_of(model, measured->sizes[i]) - view->center);
}

/* Variance at the target for want of a slow factor, after `runs` more runs at n: they move the centre, and with the sum
 * of squares around it the standard error of the factor's exponent falls as that of a slope does. */
static double drift_after(const sc_plan_view *view, double n, double runs)
{
  const sc_model *model = view->model;
  if (!(model->n_center > 0) || !(view->spread > 0))
    return 0;
  double away = place_of(model, n) - view->center, all = view->observations + runs;
  double spread = view->spread + runs * view->observations / all * gain_square(away);
  double distance = view->place - (view->center + runs / all * away);
  return gain_square(model->drift * distance * view->value) * view->spread / spread;
}

int sc_plan_view_make(const sc_model *model, double target, double level, const sc_plan_measured *measured,
                      sc_plan_view *view)
{
  sc_wls_init();
  *view = (sc_plan_view){.model = model, .target = target, .quantile = 1};
  SC_TRY(measure_half(view, level));
  if (model->verdict == SC_VERDICT_CANNOT_TELL) {
    double deciding = sc_model_deciding_size(model);
    view->deciding = isfinite(deciding) ? deciding : 4 * model->n_max;
    return 0;
  }
  fill_spread(view, measured);
  /* sigma holds the noise of single runs and, once for every run, what the true counts deviate. */
  double runs = view->observations / (double)(model->points ? model->points : 1);
  view->noise = measured->exact ? 0 : sqrt(fmax(0, gain_square(model->sigma) - runs * gain_square(model->scatter)));
  fill_basis(model, target, view->basis);
  view->fitted = fmax(0, gain_product(view, view->basis, view->basis));
  double degrees = model->degrees ? (double)model->degrees : 1, tail = 0.5 + level / 2;
  view->quantile = gsl_cdf_tdist_Pinv(tail, degrees + 1) / gsl_cdf_tdist_Pinv(tail, degrees);
  if (!(view->quantile > 0 && view->quantile < 1))
    view->quantile = 1;
  fill_forms(view);
  return 0;
}

static double gain_value_of(const sc_plan_view *view, size_t form, double n)
{
  const sc_rival *rival = view->rival[form];
  return rival ? fmax(0, sc_term_sum(rival->terms, rival->term_count, n)) : sc_model_value(view->model, n);
}

/* Relative standard error of a form's prediction at n; `chosen` is the model's, and stands in for a rival's that is not
 * known. */
static double gain_deviation(const sc_plan_view *view, size_t form, double n, double chosen)
{
  const sc_rival *rival = view->rival[form];
  if (!rival || !(rival->deviation[0] > 0))
    return chosen;
  double position = log(n / view->model->n_max / SC_RIVAL_NEAR) / log((double)SC_RIVAL_FAR / SC_RIVAL_NEAR);
  double error = rival->deviation[0] + position * (rival->deviation[1] - rival->deviation[0]);
  return fmax(error, 0.5 * rival->deviation[0]);
}

/* Variance between the forms at the target. `n` > 0: what is expected to be left of it after a measurement there with
 * the given relative error. Two forms whose predictions differ by d standard deviations keep at most exp(-d^2 / 8) of
 * the product of their probabilities, on average over what is measured: the integral of the root of the product of two
 * normal densities (Bhattacharyya, Bull. Calcutta Math. Soc. 35, 1943), which bounds that of their harmonic mean. */
static double gain_between(const sc_plan_view *view, double n, double error, double chosen)
{
  double sum = 0;
  for (size_t i = 0; i < view->forms; i++)
    for (size_t j = 0; j < i; j++) {
      double share =
          view->probability[i] * view->probability[j] * gain_square(view->prediction[i] - view->prediction[j]);
      if (n > 0 && share > 0) {
        double a = gain_value_of(view, i, n), b = gain_value_of(view, j, n), middle = 0.5 * (a + b);
        double variance = gain_square(error * middle) + gain_square(gain_deviation(view, i, n, chosen) * a) +
                          gain_square(gain_deviation(view, j, n, chosen) * b);
        share *= exp(-gain_square(a - b) / fmax(variance, 1e-300) / 8);
      }
      sum += share;
    }
  return sum;
}

/* The coefficients' variance at the target once a size n is measured with the relative variance `error2`; and what it
 * is at n now. */
static double fitted_after(const sc_plan_view *view, double n, double value, double error2, double *before_at_n)
{
  double basis[SC_MODEL_TERMS];
  fill_basis(view->model, n, basis);
  double here = fmax(0, gain_product(view, basis, basis)), across = gain_product(view, view->basis, basis);
  double denominator = error2 * value * value + here;
  *before_at_n = here;
  return denominator > 0 ? fmax(0, view->fitted - across * across / denominator) : view->fitted;
}

/* Relative variance of what `runs` runs more say of a size, where there were `before`. */
static double new_error2(const sc_plan_view *view, double runs, double before)
{
  double scatter2 = gain_square(view->model->scatter), noise2 = gain_square(view->noise);
  double with = scatter2 + noise2 / (before + runs), without = scatter2 + noise2 / before;
  return before > 0 ? 1 / (1 / with - 1 / without) : with;
}

static double undecided_after(const sc_plan_view *view, double n, double before)
{
  double reach = log(view->deciding / view->model->n_max), way = n > 0 ? log(n / view->model->n_max) / reach : 0;
  if (before > 0)
    return view->half;
  return view->half * fmin(SC_PLAN_ANY_SIZE, pow(SC_PLAN_DECIDED, fmin(way, 1)));
}

double sc_plan_view_after(const sc_plan_view *view, double n, double runs, double before)
{
  const sc_model *model = view->model;
  if (!(view->half > 0))
    return 0;
  if (view->deciding > 0)
    return undecided_after(view, n, before);
  double value = sc_model_value(model, n), error2 = new_error2(view, runs, before), here;
  bool other_piece = model->piece_count && n < model->pieces[model->piece_count - 1].until;
  if (!(value > 0) || other_piece || !isfinite(error2)) /* repeats that repeat themselves; what holds elsewhere */
    return view->half;
  double own = fitted_after(view, n, value, error2, &here), rest = gain_square(model->scatter * view->value);
  double all = view->fitted + drift_after(view, n, 0) + gain_between(view, 0, 0, 0) + rest;
  double left = own + drift_after(view, n, runs) + gain_between(view, n, sqrt(error2), sqrt(here) / value) + rest;
  double ratio = all > 0 ? sqrt(left / all) * view->quantile : 1;
  return view->half * (ratio < 1 ? ratio : 1);
}

double sc_plan_view_between(const sc_plan_view *view)
{
  double apart = gain_between(view, 0, 0, 0), rest = gain_square(view->model->scatter * view->value);
  double all = apart + view->fitted + drift_after(view, view->target, 0) + rest;
  return all > 0 ? apart / all : 0;
}

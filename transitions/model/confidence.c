/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/confidence.h"

#include <math.h>

#include "regress/choose/trend.h"
#include "transitions/model/data.h"
#include "transitions/model/order.h"

/* Each sets where its factor has fallen to about a half. */
static const double SIZES_ENOUGH = 4; /* sizes beyond the first */
static const double ERROR_HALF = 0.25;
static const double WIDTH_HALF = 2;
static const double REACH_LOSS = 0.05; /* for each power of ten */
static const double RIVAL_FACTOR = 0.7;
enum { UPPER_SIZES = 4 };                  /* at least, of the larger half: fewer lie on any power law by chance */
static const double CERTAIN = 0.95;        /* level of a power law's exponent */
static const double LEAST_SCATTER = 0.001; /* relative: counts on one line are not certain for that */

static double clamp(double value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

/* A model of k terms that hits more than k exact integers has shown itself; one that merely passes through its points
 * has not. */
static double of_sizes(const sc_model *model)
{
  if (model->exact && model->points >= model->term_count + 2)
    return 1;
  return clamp(((double)model->points - 1) / SIZES_ENOUGH);
}

static double of_fit(const sc_model *model)
{
  double error = fmax(model->error, model->fit_error);
  if (model->exact)
    return 1;
  return isfinite(error) ? 1 / (1 + fmax(error, 0) / ERROR_HALF) : 0;
}

static double of_width(const sc_interval *count)
{
  if (!(count->value > 0) || !isfinite(count->high))
    return 0.5;
  return 1 / (1 + (count->high - count->low) / 2 / count->value / WIDTH_HALF);
}

double sc_confidence_in_reach(double reach) { return reach > 1 ? 1 / (1 + REACH_LOSS * log10(reach)) : 1; }

static double of_reach(const sc_analysis *analysis, const sc_model *model)
{
  return model->exact || !(model->n_max > 0) ? 1 : sc_confidence_in_reach(sc_analysis_horizon(analysis) / model->n_max);
}

static double of_rivals(const sc_model *model)
{
  for (size_t i = 0; i < model->rival_count; i++)
    if (model->rivals[i].weight >= SC_MODEL_PLAUSIBLE && model->rivals[i].term_count &&
        fabs(model->rivals[i].terms[0].exponent - model->order.exponent) >= 0.5)
      return RIVAL_FACTOR;
  return 1;
}

double sc_confidence_in_order(const sc_model *model)
{
  return model->verdict == SC_VERDICT_MODEL ? clamp(of_sizes(model) * of_fit(model) * of_rivals(model)) : 0;
}

double sc_confidence(const sc_analysis *analysis, const sc_model *model, const sc_interval *count)
{
  if (model->verdict != SC_VERDICT_MODEL)
    return 0;
  return clamp(of_sizes(model) * of_fit(model) * of_width(count) * of_reach(analysis, model) * of_rivals(model));
}

/* Whether a power law through the sizes from position `from` on is superlinear for certain. */
static bool grows_from(const sc_analysis *a, const double *values, size_t from)
{
  sc_trend trend;
  return sc_trend_fit(a->sizes + from, values + from, a->run_count - from, LEAST_SCATTER, &trend) &&
         sc_trend_bound(&trend, CERTAIN, -1) >= SC_ORDER_SUPERLINEAR;
}

/* The first position of the larger half of the sizes. */
static size_t find_upper(const sc_analysis *a)
{
  double middle = sqrt(a->sizes[0] * a->sizes[a->run_count - 1]);
  size_t from = a->run_count, count = 0;
  while (from && (a->sizes[from - 1] >= middle || count < UPPER_SIZES)) {
    from--;
    count += from == 0 || a->sizes[from - 1] < a->sizes[from];
  }
  return from;
}

double sc_confidence_in_growth(const sc_analysis *a, uint32_t context, const sc_model *model)
{
  if (model->verdict != SC_VERDICT_MODEL || !(model->exponent_low >= SC_ORDER_SUPERLINEAR))
    return 0;
  const double *values = sc_analysis_values(a, context);
  if (!grows_from(a, values, 0) || !grows_from(a, values, find_upper(a)))
    return 0;
  return clamp(of_sizes(model) * of_fit(model) * of_reach(a, model));
}

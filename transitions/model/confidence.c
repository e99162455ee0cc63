/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/confidence.h"

#include <math.h>

#include "transitions/model/tuning.h"

static double clamp_confidence(double value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

/* A model of k terms that hits more than k exact integers has shown itself; one that merely passes through its points
 * has not. */
static double of_sizes(const sc_model *model)
{
  if (model->exact && model->points >= model->term_count + 2)
    return 1;
  return clamp_confidence(((double)model->points - 1) / SC_CONFIDENCE_SIZES);
}

static double of_fit(const sc_model *model)
{
  double error = fmax(model->error, model->fit_error);
  if (model->exact)
    return 1;
  return isfinite(error) ? 1 / (1 + fmax(error, 0) / SC_CONFIDENCE_ERROR) : 0;
}

static double of_width(const sc_interval *count)
{
  if (!(count->value > 0) || !isfinite(count->high))
    return SC_CONFIDENCE_UNBOUNDED;
  return 1 / (1 + (count->high - count->low) / 2 / count->value / SC_CONFIDENCE_WIDTH);
}

double sc_confidence_in_reach(double reach) { return reach > 1 ? 1 / (1 + SC_CONFIDENCE_REACH * log10(reach)) : 1; }

static double of_reach(const sc_analysis *analysis, const sc_model *model)
{
  return model->exact || !(model->n_max > 0) ? 1 : sc_confidence_in_reach(sc_analysis_horizon(analysis) / model->n_max);
}

static double of_rivals(const sc_model *model)
{
  for (size_t i = 0; i < model->rival_count; i++)
    if (model->rivals[i].weight >= SC_MODEL_PLAUSIBLE && model->rivals[i].term_count &&
        fabs(model->rivals[i].terms[0].exponent - model->order.exponent) >= SC_CONFIDENCE_APART)
      return SC_CONFIDENCE_RIVAL;
  return 1;
}

double sc_confidence_in_order(const sc_model *model)
{
  return model->verdict == SC_VERDICT_MODEL ? clamp_confidence(of_sizes(model) * of_fit(model) * of_rivals(model)) : 0;
}

double sc_confidence(const sc_analysis *analysis, const sc_model *model, const sc_interval *count)
{
  if (model->verdict != SC_VERDICT_MODEL)
    return 0;
  return clamp_confidence(of_sizes(model) * of_fit(model) * of_width(count) * of_reach(analysis, model) *
                          of_rivals(model));
}

double sc_confidence_in_growth(const sc_analysis *analysis, const sc_model *model)
{
  return model->verdict == SC_VERDICT_MODEL
             ? clamp_confidence(of_sizes(model) * of_fit(model) * of_reach(analysis, model))
             : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order that a change counts for where the data leave several open. */
#include <math.h>

#include "regress/choose/trend.h"
#include "transitions/compare/internal.h"
#include "transitions/model/order.h"
#include "transitions/model/tuning.h"

static sc_order order_of_rival(const sc_rival *rival)
{
  const sc_term *lead = &rival->terms[0];
  double exponent = lead->base > 0 ? SC_ORDER_EXPONENTIAL : lead->exponent;
  return (sc_order){.exponent = exponent,
                    .log_exponent = lead->log_exponent,
                    .integer = (int)lround(exponent),
                    .base = lead->base,
                    .beside = lead->base > 0 ? lead->exponent : 0};
}

/* side -1: the lowest, 1: the highest. */
static sc_order plausible_extreme(const sc_model *model, int side)
{
  sc_order best = model->order;
  for (size_t i = 0; i < model->rival_count; i++) {
    const sc_rival *rival = &model->rivals[i];
    if (rival->weight < SC_MODEL_PLAUSIBLE || !rival->term_count)
      continue;
    sc_order order = order_of_rival(rival);
    if (side * sc_model_compare_order(&order, &best) > 0)
      best = order;
  }
  if (side < 0 && model->exponent_low < best.exponent)
    best = (sc_order){.exponent = model->exponent_low, .integer = (int)lround(model->exponent_low)};
  return best;
}

/* Of counts without a model: an end of the 95% interval of the power law through what was measured; 0 for fewer than
 * three sizes with a count. */
static double bound_exponent(const sc_side *side, uint32_t context, int direction)
{
  sc_trend trend;
  if (!sc_trend_fit(side->sizes, sc_sides_curve(side, context), side->size_count, SC_TREND_TIMES, &trend))
    return 0;
  return fmax(0, sc_trend_bound(&trend, SC_ANALYSIS_LEVEL, direction));
}

sc_order sc_plausible_order(const sc_side *side, uint32_t context, bool head, bool *undecided)
{
  const sc_model *model = sc_sides_model(side, context);
  *undecided = false;
  if (model->exact)
    return model->order;
  if (model->verdict != SC_VERDICT_MODEL) {
    double exponent = bound_exponent(side, context, head ? 1 : -1);
    *undecided = exponent > 0;
    return (sc_order){.exponent = exponent, .integer = (int)lround(exponent)};
  }
  sc_order low = plausible_extreme(model, -1), high = plausible_extreme(model, 1);
  *undecided = high.exponent - low.exponent >= SC_ORDER_STEP;
  return !*undecided ? model->order : head ? high : low;
}

bool sc_plausible_rise(const sc_compared *c, uint32_t base, uint32_t head, double explained)
{
  bool base_undecided, head_undecided;
  if (sc_sides_model(&c->base, base)->verdict != SC_VERDICT_MODEL &&
      sc_sides_model(&c->head, head)->verdict != SC_VERDICT_MODEL)
    return false;
  sc_order from = sc_plausible_order(&c->base, base, false, &base_undecided);
  sc_order to = sc_plausible_order(&c->head, head, true, &head_undecided);
  double step = to.exponent - from.exponent;
  return (base_undecided || head_undecided) && step - explained >= SC_ORDER_STEP &&
         (to.integer > from.integer || sc_order_superlinear(&to));
}

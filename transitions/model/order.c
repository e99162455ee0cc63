/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When one order rises over another, and which order a model shows at a size. */
#include "transitions/model/order.h"

#include <math.h>

#include "regress/core/term.h"
#include "transitions/model/confidence.h"
#include "transitions/model/tuning.h"

bool sc_order_supported(const sc_model *model)
{
  return !sc_order_superlinear(&model->order) ||
         (model->exponent_low >= SC_ORDER_SUPERLINEAR && sc_confidence_in_order(model) >= SC_ORDER_CONFIDENCE);
}

static bool fraction_supported(const sc_model *model)
{
  return model->exact || (model->points >= SC_ORDER_FRACTION_SIZES && model->fit_error <= SC_ORDER_FRACTION_ERROR);
}

/* The paper's engine compares whole exponents only. The default engine takes half an order for a rise where that has
 * all of the work or the data exclude less, and keeps logarithms apart. */
enum sc_rise sc_order_rise(const sc_order *from, const sc_model *model, enum sc_fit_engine engine)
{
  const sc_order *to = &model->order;
  double step = to->exponent - from->exponent;
  if (engine == SC_FIT_DELTA_INFER)
    return to->integer > from->integer ? SC_RISE_ORDER : SC_RISE_NONE;
  if (step >= SC_ORDER_STEP && to->integer > from->integer)
    return SC_RISE_ORDER;
  if (step >= SC_ORDER_STEP && from->exponent < 1 && to->exponent >= SC_ORDER_LOG_RISE && fraction_supported(model))
    return SC_RISE_ORDER; /* a loop over n items in blocks of sqrt(n): half an order, but all of the work */
  if (step >= SC_ORDER_STEP && sc_order_superlinear(to) && fraction_supported(model))
    return SC_RISE_ORDER;
  if (fabs(step) < SC_ORDER_STEP && to->exponent >= SC_ORDER_LOG_RISE && to->log_exponent >= from->log_exponent + 1)
    return SC_RISE_LOG;
  return SC_RISE_NONE;
}

/* The share of the first `count` terms in the value at n. */
static double order_share_of(const sc_model *model, size_t count, double n)
{
  double value = sc_model_value(model, n);
  return value > 0 ? sc_term_sum(model->terms, count, n) / value : 1;
}

/* From where on they make half of it: doubled, then bisected. */
static double outweighs_from(const sc_model *model, size_t count, double n)
{
  double low = n, high = n;
  while (order_share_of(model, count, high) < 0.5 && high < SC_ORDER_FARTHEST)
    low = high, high *= 2;
  for (int i = 0; i < 60; i++) {
    double middle = low + (high - low) / 2;
    *(order_share_of(model, count, middle) < 0.5 ? &low : &high) = middle;
  }
  return high;
}

/* A term that hardly counts at the size that findings are ranked at makes no order there, however it grows later: the
 * report says from which size on it does. */
void sc_order_at(sc_model *model, double n)
{
  size_t left = 0;
  if (model->verdict != SC_VERDICT_MODEL || (model->piece_count && n < model->pieces[model->piece_count - 1].until))
    return;
  while (left + 1 < model->term_count && model->terms[left].coefficient > 0 && !(model->terms[left].base > 0) &&
         model->terms[left + 1].coefficient > 0 && model->terms[left + 1].exponent > 0 &&
         order_share_of(model, left + 1, n) < SC_ORDER_HARDLY)
    left++;
  sc_order order = sc_term_order(model->terms + left, model->term_count - left);
  if (!left || sc_model_compare_order(&order, &model->order) >= 0)
    return;
  model->later = model->order;
  model->later_from = outweighs_from(model, left, n);
  model->order = order;
  model->exponent_low = fmin(model->exponent_low, order.exponent);
}

bool sc_order_carried(const sc_order *inner, const sc_order *outer, enum sc_fit_engine engine)
{
  if (engine == SC_FIT_DELTA_INFER)
    return inner->integer >= outer->integer;
  return inner->exponent > outer->exponent - SC_ORDER_STEP;
}

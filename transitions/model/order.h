/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/choose/fit.h"
#include "transitions/model/tuning.h"

/* Comparing growth orders (delta-infer 6.1 and 6.2, line 6 of algorithm 2), with fractions and log powers. */
enum sc_rise {
  SC_RISE_NONE,
  SC_RISE_LOG,  /* same exponent, more log powers: n to n log n */
  SC_RISE_ORDER /* the integer order rises, or the exponent by about a half */
};

/* Whether a finding about growth may have this order: n log n is below it. */
static inline bool sc_order_superlinear(const sc_order *order) { return order->exponent >= SC_ORDER_SUPERLINEAR; }
/* False if the model claims superlinear growth, but the data leave slower growth plausible or support nothing well. */
bool sc_order_supported(const sc_model *model);
/* How the order rises from `from` to that of `model`. `engine`: the paper's compares integer orders alone. */
enum sc_rise sc_order_rise(const sc_order *from, const sc_model *model, enum sc_fit_engine engine);
/* True if `inner` grows about as fast as `outer` or faster: what stands in a transition to `outer` is carried by it. */
bool sc_order_carried(const sc_order *inner, const sc_order *outer, enum sc_fit_engine engine);
/* Names the order that matters up to size n: leading terms that make less than a hundredth of the model's value there
 * give way to those behind them; `later` has their order then. */
void sc_order_at(sc_model *model, double n);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/findings/findings.h"
#include "transitions/model/data.h"
#include "transitions/model/order.h"

/* Algorithm 2 (TransInfer): where the order rises, and what each rise carries. */
typedef struct sc_transition {
  uint32_t context, parent; /* parent: direct parent in the graph */
  uint32_t outer;           /* the transition this one stands in, or SC_NONE */
  uint32_t from, to; /* models, whose orders are meant (sc_infer_order): a large program has a million of these */
  unsigned char rise, kind; /* enum sc_rise, enum sc_finding_kind */
  bool doubtful; /* superlinear, but the data leave slower growth plausible: carries nothing, what is inside is compared
                    with what is around */
  bool claimed;  /* a callback that is what its library function, the one around, goes over: no finding of its own */
  bool of_cost;  /* what rises is the own cost of one execution: `from` is the count's order, `to` the cost's */
} sc_transition;

typedef struct sc_transitions {
  sc_transition *list; /* an outer transition stands before those inside it */
  size_t count, capacity;
  uint32_t *owner; /* [contexts] the transition that carries the context's cost, or SC_NONE */
} sc_transitions;

/* The order of a model of the analysis; of SC_NONE: constant. */
const sc_order *sc_infer_order(const sc_analysis *analysis, uint32_t model);
int sc_infer_transitions(const sc_analysis *analysis, sc_transitions *out) SC_CHECK;
void sc_infer_free(sc_transitions *transitions);
/* Gives what the transitions marked in dissolved[count] carry to those they stand in. */
void sc_infer_dissolve(sc_transitions *transitions, const sc_analysis *analysis, const bool *dissolved);
/* True for a context that no run executed more than a handful of times. */
bool sc_infer_is_tiny(const sc_analysis *analysis, uint32_t context);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/*
 * What if some places grew otherwise? A supposition changes how often the contexts of a place are executed; whatever is
 * inside them is executed in proportion. docs/what-if.md says exactly what is computed.
 */
typedef struct sc_suppose sc_suppose;

typedef struct sc_supposition {
  const uint32_t *contexts; /* that the place consists of, in every calling context; borrowed for sc_suppose_new */
  size_t context_count;
  bool scaled;    /* executed `times` as often at every size; else its executions grow as `order` says: */
  double times;   /* >= 0 */
  sc_order order; /* of the executions in a run, through the count at the smallest size measured; */
  bool per_call;  /* or of a loop's iterations in each call of the function around it */
} sc_supposition;

/* Of the contexts of a place with an order, those are changed that grow faster than it; where none does, those that
 * grow fastest. Later suppositions win over earlier ones about the same context, and inner orders over outer
 * ones; factors multiply with whatever is in them. The analysis must outlive the result. SC_E_USAGE for a place where
 * nothing can be changed. */
int sc_suppose_new(const sc_analysis *analysis, const sc_supposition *list, size_t count,
                   sc_suppose **suppose) SC_CHECK;
void sc_suppose_free(sc_suppose *suppose);
/* Whether supposition `index` changes this context itself, not what is around it. */
bool sc_suppose_changes(const sc_suppose *suppose, size_t index, uint32_t context);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* Calls in loops' conditions. Such a call is made once more per entry than the body runs; where debug information puts
 * it beside the loop, it is the loop's all the same. */
typedef struct sc_conditions sc_conditions;

/* Lists the loops in every context by what they count, so that one is found without looking at all beside it: a
 * dispatcher may have 100,000 children. NULL: out of memory. */
sc_conditions *sc_conditions_new(const sc_analysis *analysis);
void sc_conditions_free(sc_conditions *conditions);
/* The first loop right in `parent` in whose condition the call `context` in `parent` may stand; SC_NONE: none. */
uint32_t sc_conditions_find(const sc_conditions *conditions, uint32_t context, uint32_t parent);

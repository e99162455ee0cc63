/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_COST_EACH_H
#define SC_TRANSITIONS_COST_EACH_H
#include "transitions/measured.h"

/* Fills in what one execution of a counted context costs (delta-infer 6.3), with its interval. `one_sample`: cost of
 * one sample, for contexts that none hit. */
void sc_cost_each_load(const sc_measured *m, uint32_t context, double one_sample, sc_load *load);
#endif

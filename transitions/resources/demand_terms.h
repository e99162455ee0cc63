/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* The terms of a demand, each by its own model: who asks, of how many instances, and for how long. */

/* True for locks, and for what has a capacity, where holds were seen to end in more than one thread. */
bool sc_demand_known(const sc_resources *r, const sc_resource_cell *cell);
/* How many instances there are at n: never fewer than 1, nor, where their number was seen to stay or grow, than at the
 * size measured below n. 0 in all if nobody knows of any. */
int sc_demand_instances(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out) SC_CHECK;
/* The fewest instances that there may be at n: where their number was seen to grow, or stay, as many as at the next
 * size below that was measured. A model of how many stripes were hit by chance may fall beyond the sizes. */
double sc_demand_least_instances(const sc_resources *r, const sc_resource_cell *cell, double n);
/* Share of the span of the resource in which a thread of it is active, at the larger sizes, 0..1. */
double sc_demand_presence(const sc_resources *r, const sc_resource_cell *cell);
/* Predicts a hold or think time, in seconds, as its model has it, within bounds: holds may get shorter once caches are
 * warm, think times when more clients keep workers busy, but what is done in them does not vanish. A model that falls
 * on and on, or one that noise leaves plausible, is wrong about the sizes beyond. */
int sc_demand_model(const sc_resources *r, const sc_resource_cell *cell, int metric, double n,
                    sc_interval *time) SC_CHECK;

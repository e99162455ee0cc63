/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* What one call of a library does is often split into parts that grow in bursts and at one another's expense (the
 * blocks of a deque, the partitions and the heap of a sort), while their sum is plain. The parts are the contexts below
 * the call from the user's own code. Those with exact models stand for themselves. The others are summed by place, or
 * by the library function whose work they are, and what then has no plain sum all together. Where a sum has a model
 * that holds, parts that have none, or all if they contradict it, are taken to grow as it does; where it has none, no
 * part of it grows superlinearly for certain. To be called once, when the counts are fitted and nothing else is. */
int sc_together_judge(sc_analysis *analysis) SC_CHECK;
/* The model of values[runs] that are parts of a sum and follow it (sc_analysis_sum): the sum's own of nearly all of it,
 * else in proportion, as unsure as their share scatters. */
int sc_together_model(const sc_analysis *analysis, uint32_t sum, const double *values, sc_model *model) SC_CHECK;

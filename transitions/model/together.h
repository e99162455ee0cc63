/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_MODEL_TOGETHER_H
#define SC_TRANSITIONS_MODEL_TOGETHER_H
#include "transitions/model/data.h"

/* What one call of a library does is often split into parts that grow in bursts and at one another's expense (the
 * blocks of a deque, the partitions and the heap of a sort), while their sum is plain. The parts are the contexts below
 * the call up to the user's own code, those of a library function whose work is counted apart; parts with exact models
 * stand for themselves. Where the sum of the others has a model that holds and the parts' contradict it or are missing,
 * parts are taken to grow as the sum does; where it has none, no part of it grows superlinearly for certain. To be
 * called once, when the counts are fitted and nothing else is. */
int sc_together_judge(sc_analysis *analysis) SC_CHECK;
/* The number of the series that the context's counts are a part of, and follow; SC_NONE: none. */
uint32_t sc_together_sum(const sc_analysis *analysis, uint32_t context);
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/findings/judging.h"

/* Fills in findings->undecided: doubtful transitions, once for each location and kind, unless negligible at the horizon
 * or inside another. Those that are negligible one by one, and the transitions in `small` [small_count], are one entry
 * if they reach SC_SPREAD_SHARE together and their sum seems to grow superlinearly. */
int sc_undecided_make(const sc_judging *judging, const uint32_t *small, size_t small_count,
                      sc_findings *findings) SC_CHECK;
void sc_undecided_free(sc_findings *findings);

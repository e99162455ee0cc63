/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_UNDECIDED_H
#define SC_TRANSITIONS_UNDECIDED_H
#include "transitions/judging.h"

/* Fills in findings->undecided: doubtful transitions, once for each location and kind, unless negligible at the horizon
 * or inside another. */
int sc_undecided_make(const sc_judging *judging, sc_findings *findings) SC_CHECK;
void sc_undecided_free(sc_findings *findings);
#endif

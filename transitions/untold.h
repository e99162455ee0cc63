/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_UNTOLD_H
#define SC_TRANSITIONS_UNTOLD_H
#include "transitions/measured.h"

/* Finds the contexts that grow without a model, marks their loads and sums what they hold. */
void sc_untold_find(sc_analysis *analysis, const sc_measured *m);
#endif

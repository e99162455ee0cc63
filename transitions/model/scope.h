/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_MODEL_SCOPE_H
#define SC_TRANSITIONS_MODEL_SCOPE_H
#include "transitions/model/data.h"

/* Fills in analysis->scope from its options' roots (delta-infer's responsive actions). SC_E_INPUT if no run reached a
 * root. */
int sc_scope_find(sc_analysis *analysis) SC_CHECK;
#endif

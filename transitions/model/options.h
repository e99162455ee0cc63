/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/* Fills in defaults and takes copies of strings and arrays; what was copied so far is owned even after a failure.
 * SC_E_INPUT for a target that is not a positive number. */
int sc_options_copy(sc_analysis_options *own, const sc_analysis_options *given) SC_CHECK;
void sc_options_clear(sc_analysis_options *own);

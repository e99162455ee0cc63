/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"

/* Writes the count model of every context in scope and the findings into the study, in place of earlier ones, for
 * other readers of the file (docs/study-format.md). */
int sc_store_analysis(const sc_judge *judge) SC_CHECK;

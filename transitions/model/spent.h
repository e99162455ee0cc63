/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/*
 * What contexts cost in each run. Where sampling saw the caller of a library's function alone, the caller's own cost is
 * divided between both: own = a executions + b work, over the runs. docs/findings.md, "Work of library functions".
 */
typedef struct sc_spent sc_spent;

/* `priced`: [run_count] the runs whose cost is that of the analysis; `per_sample`: [run_count] cost of one sample, 0:
 * unknown. */
int sc_spent_load(sc_analysis *analysis, const bool *priced, const double *per_sample) SC_CHECK;
void sc_spent_free(sc_spent *spent);
/* Own cost in the fitted run at `position`. */
double sc_spent_at(const sc_analysis *analysis, size_t position, uint32_t context);

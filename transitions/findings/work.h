/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "transitions/findings/findings.h"

/* What to say of the work of library functions. */

/* "For each of the n iterations, strlen goes over 0.5 n bytes on average." of a finding about work: the quotient of the
 * models of both, so that calls that are skipped count as well. */
void sc_work_describe(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out);
/* What to do instead, by the function's family: what it looks for, moves, copies, ... */
const char *sc_work_advice(const sc_graph *graph, uint32_t context);

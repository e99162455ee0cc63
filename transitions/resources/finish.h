/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Sorts the findings, worst first. */
int sc_findings_rank(sc_resources *r) SC_CHECK;
/* Makes weaker ones lines of stronger ones that name the same line for the same reason; behind sc_findings_rank. */
int sc_findings_fold(sc_resources *r) SC_CHECK;
/* Whether two findings of a study are about the same, which one cure takes away. */
bool sc_findings_same(const sc_resources *r, const sc_resource_finding *a, const sc_resource_finding *b);

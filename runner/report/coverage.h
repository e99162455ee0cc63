/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/report/text.h"

/* How much of the predicted time and executions at the largest target the findings explain and, where that is not
 * enough (sc_coverage_enough), what the rest is. Without a target nothing is said. */

/* In one line of sentences, for formats that have no table. */
int sc_report_coverage_text(const sc_judge *judge, sc_buf *out) SC_CHECK;
/* As a line and a table, for the report. */
int sc_report_coverage_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;

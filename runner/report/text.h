/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/buf.h"
#include "runner/judge/judge.h"
#include "runner/text/text_options.h"

/* The report for people: ranked findings, totals, what is not known, the next command. Fits 100 columns. */
int sc_report_text_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;
/* The same, or the document of docs/report-format.md, into the file `path` (NULL: standard output), which sets the
 * options' width and style. */
int sc_report_print(const char *path, const sc_judge *judge, bool json, sc_text_options options) SC_CHECK;

/* Whether to suggest a real run at n: beyond the sizes measured, not run yet, and none that takes longer than anybody
 * waits, or whose time is unknown. */
bool sc_report_may_verify(const sc_judge *judge, double n);

/* One finding (finding.c). */
int sc_report_finding_print(FILE *out, const sc_judge *judge, size_t index, const sc_text_options *options) SC_CHECK;
/* Its headline, and what it comes to at the last target. */
int sc_report_finding_print_brief(FILE *out, const sc_judge *judge, const sc_finding *finding,
                                  const sc_text_options *options) SC_CHECK;
/* All places of negligible growth, below their heading; nothing without any. */
int sc_report_negligible_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;
/* What it comes to at the last target, "at n = 5,000: 12 iterations, 21 us, <0.1% of all"; nothing without any. */
void sc_report_finding_brief(const sc_judge *judge, const sc_finding *finding, sc_buf *out);
/* "check_open_blocks (blocks.c:1075:3)", "150 places in many.c". */
void sc_report_finding_title(const sc_judge *judge, const sc_finding *finding, sc_buf *out);
/* What its counts count: "iterations", "calls", "executions" of many places. */
const char *sc_report_finding_counts(const sc_judge *judge, const sc_finding *finding);
/* The parameter it grows with: the focused one or a further one. */
const char *sc_report_finding_variable(const sc_judge *judge, const sc_finding *finding);
/* "0.5 n^2 + 1.5 n", of growth along a further parameter in all parameters: "n m^2". */
void sc_report_finding_formula(const sc_judge *judge, const sc_finding *finding, sc_buf *out);
/* What sc_finding_count predicts, as measured where n was run as a target; else false. */
bool sc_report_finding_actual(const sc_judge *judge, const sc_finding *finding, double n, double *actual);
/* "check_open_blocks (blocks.c:1075:3): quadratic loop, 0.5 n^2 + 1.5 n iterations". */
void sc_report_finding_headline(const sc_judge *judge, const sc_finding *finding, sc_buf *out);
/* Its part behind the colon. */
void sc_report_finding_growth(const sc_judge *judge, const sc_finding *finding, sc_buf *out);
/* "; at n = 5,000 25.0 million iterations, 21 ms, 12% of the total": at the largest target; nothing without any. */
void sc_report_finding_effect(const sc_judge *judge, const sc_finding *finding, sc_buf *out);
/* "quadratic", or "n^1.53" where there is no word for it. */
void sc_report_order_word(const sc_order *order, const char *variable, sc_buf *out);

/* What limits the answers (caveats.c): prints a list, or nothing. */
void sc_report_caveats_print(FILE *out, const sc_judge *judge, const sc_text_options *options);

/* Predicted beside actual at size n, which was run as a target (compare.c). */
int sc_report_compare_print(FILE *out, const sc_judge *judge, double n, const sc_text_options *options) SC_CHECK;
/* What follows its table: how far all counts are off, and the resources. */
int sc_report_compare_parts_print(FILE *out, const sc_judge *judge, double n, const sc_text_options *options) SC_CHECK;

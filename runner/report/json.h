/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/judge/judge.h"
#include "runner/text/json_write.h"

/* JSON documents for scripts (docs/report-format.md, docs/answers-format.md); each has a schema_version. Infinity and
 * "unknown" are null. */
struct sc_notice;
struct sc_notices;
enum { SC_REPORT_JSON_VERSION = 1 };

/* The report: findings and totals. `notices`: which are accepted, or NULL. `all`: all sites of findings, also of those
 * that have many. */
int sc_report_json_print(FILE *out, const sc_judge *judge, const struct sc_notices *notices, bool all) SC_CHECK;
/* Predicted beside actual at the sizes given, which were run as targets. */
int sc_report_json_compare(FILE *out, const sc_judge *judge, const double *sizes, size_t count) SC_CHECK;
/* Its "counts", "findings" and "resources" at one size. */
int sc_report_json_compare_parts(sc_json *json, const sc_judge *judge, double n, cJSON *object) SC_CHECK;

/* Parts, for the other documents. */
/* "accepted": {"reason", "until"}, or null without a notice that is accepted. */
void sc_report_json_accepted(sc_json *json, cJSON *object, const struct sc_notice *accepted);
/* A document with schema_version, document ("ask"), study, parameter, measured range and cost unit; of a judge
 * without an analysis these are unknown. */
cJSON *sc_report_json_document(const sc_judge *judge, const char *document);

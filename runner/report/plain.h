/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/report/text.h"
#include "runner/text/json_parts.h"

/* Whose times are printed: the plain program's, or those of the instrumented one (transitions/model/plain.h). */

/* Appends a sentence or two: by how much instrumentation slows the program down, which was taken out; or, where no
 * plain program ran, how much of the times it is about, from a tenth on. False, and nothing, where that is less, or
 * nothing was timed. */
bool sc_report_plain_text(const sc_judge *judge, sc_buf *text);
/* The same as a paragraph. */
void sc_report_plain_print(FILE *out, const sc_judge *judge, const sc_text_options *options);
/* Estimated share of the processor time that instrumentation adds; < 0: it was taken out, or nothing was timed. */
double sc_report_plain_share(const sc_judge *judge);
/* "instrumentation" of the JSON documents. */
void sc_report_plain_json(sc_json *json, const sc_judge *judge, cJSON *document);
/* What the counts of a study made by attaching are; false: it was made by running. */
bool sc_report_attached_text(const sc_judge *judge, sc_buf *text);
/* "1000 calls of handle", "window of 30 s": what they are counts of, of such a study. */
void sc_report_attached_unit(const sc_judge *judge, sc_buf *text);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/held_out.h"
#include "runner/text/format.h"
#include "runner/text/json_parts.h"
#include "runner/text/text_options.h"

/* How far predictions are off at the sizes that no model was fitted to: a table, or nothing. */
int sc_report_held_out_print(FILE *out, const sc_judge *judge, const sc_text_options *options) SC_CHECK;
/* `held_out` of the report's document. */
int sc_report_held_out_json(sc_json *json, const sc_judge *judge, cJSON *document) SC_CHECK;
/* "Counts of all 8 contexts with a model: 38% off on average (median 50%, 95% of them at most 75%), 3 in their
 * intervals." */
void sc_report_held_out_sentence(const sc_judge *judge, const sc_held_out *size, sc_buf *out);
/* The numbers of one size. */
int sc_report_held_out_numbers(sc_json *json, const sc_judge *judge, cJSON *object, const sc_held_out *size) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/accept/notice.h"
#include "runner/text/format.h"

/* Notices in words, the same in every format. */

/* Units of sc_notice: "" counts, "s", "bytes", and SC_NOTICE_RATIO, which people read as percent. */
#define SC_NOTICE_RATIO "ratio"
/* A value, and an interval without it, in a unit of sc_notice. */
sc_text sc_notice_value(const char *unit, double value);
sc_text sc_notice_range(const char *unit, const sc_interval *interval);
/* The unit of a resource's metric. */
const char *sc_notice_resource_unit(const sc_resource *resource, enum sc_resource_metric metric);
/* "file:line:column"; with `line` 0 the file alone; "" if unknown. To be freed; NULL: out of memory. */
char *sc_notice_place(const char *file, uint32_t line, uint32_t column);
/* The prediction at the largest size; NULL without any. */
const sc_notice_prediction *sc_notice_last(const sc_notice *notice);
/* "takes half of the total from n = 12,400 on (9,800 to 15,000)", "holds at no size looked at"; "" where nothing is
 * to tell. To be freed; NULL: out of memory. */
char *sc_notice_emergence(const sc_notices *notices, const sc_notice *notice);
const char *sc_notice_variable(const sc_notices *notices);
/* Where a notice's prediction for size n is: "n = 1,000,000, m = 32". */
void sc_notice_point(const sc_notices *notices, const sc_notice *notice, double n, sc_buf *out);
/* Of a search for inputs, a line each with its label: family, example, where the growth ends, the bytes at which it
 * takes 1 s and 1 min. False: there are no more than `i`. */
bool sc_notice_inputs_line(const sc_notice_inputs *inputs, size_t i, const char **label, sc_buf *out);
/* "57,639 bytes (57,450 to 57,830)", "no size up to 1 GB"; "" where it is unknown. */
void sc_notice_reached(const sc_interval *bytes, sc_buf *out);
/* How often a severity stands among those that are not accepted. */
size_t sc_notices_count(const sc_notices *notices, enum sc_severity severity);
/* Text in Markdown, its tables or HTML, where nothing in it is read as something else. */
void sc_notice_markdown(const char *text, sc_buf *out);

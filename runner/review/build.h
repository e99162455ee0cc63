/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "runner/accept/notice.h"
#include "runner/loaded/source.h"
#include "runner/text/tuning.h"

/* What the makers of notices share (notices_*.c). */

/* Appends an empty notice with the rule's title, whose other texts are "" until they are set. */
int sc_notice_add(sc_notices *notices, enum sc_rule rule, enum sc_severity severity, sc_notice **notice) SC_CHECK;
/* Puts what was composed in the place of a notice's text and empties the buffer, also after an error. */
int sc_notice_set(char **text, sc_buf *composed) SC_CHECK;
int sc_notice_copy(char **text, const char *from) SC_CHECK; /* NULL: as "" */
/* Place, steps and the part of the fingerprint that is the path of a context. `line` and `column` of a call in it, or
 * 0: its own. In a header of the library the place is the user's call. */
int sc_notice_locate(sc_notice *notice, const sc_judge *judge, uint32_t context, uint32_t line,
                     uint32_t column) SC_CHECK;
/* Place and steps of a spread finding: the worst context's, and the places (at most SC_NOTICE_PLACES). */
int sc_notice_locate_sites(sc_notice *notice, const sc_graph *graph, const sc_finding_site *sites,
                           size_t count) SC_CHECK;
/* The place of a resource: its most telling site (`context`, with the place of a call there or 0, or SC_USAGE_NONE: of
 * the worst finding about it, or the context that acquires it most), else where it is declared. */
int sc_notice_locate_resource(sc_notice *notice, const sc_judge *judge, uint32_t resource, enum sc_rule rule,
                              uint32_t context, uint32_t line, uint32_t column) SC_CHECK;
/* Ascending by size, whatever order --at has. */
void sc_notice_sort_predictions(sc_notice *notice);
/* "0.5 n^2 - 0.5 n iterations". */
int sc_notice_formula(char **text, const sc_model *model, const char *variable, const char *metric) SC_CHECK;

/* Makes a text what sc_notice promises. */
int sc_notice_clean(char **text) SC_CHECK;
/* Column and end of the notice's line: the word at the column, or the whole line where the column is 0. */
void sc_notice_close_region(sc_notice *notice, sc_sources *sources);

/* When all are made: cleans their texts, closes regions, tells equal fingerprints apart, says the verdict. */
int sc_notices_finish(sc_notices *notices) SC_CHECK;

/* Makers of parts of a list; each appends. */
int sc_notices_add_budgets(sc_notices *notices) SC_CHECK;
int sc_notices_add_findings(sc_notices *notices) SC_CHECK;
int sc_notices_add_resources(sc_notices *notices) SC_CHECK;
int sc_notices_add_changes(sc_notices *notices) SC_CHECK;
/* Of two studies that vary the same further parameters: what grows faster with one of them than in the base. */
int sc_notices_add_changes_along(sc_notices *notices) SC_CHECK;
/* The total, if at a target it is clearly more than `ratio` times the base's; a ratio of 0 is never exceeded. */
int sc_notices_add_total(sc_notices *notices, double ratio) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/accept/notice.h"

/* Findings, resource findings and broken budgets of a study. sc_notices_free also after an error. */
int sc_notices_of_study(const sc_judge *judge, sc_notices *notices) SC_CHECK;
/* Changes between base and head, the head's broken budgets, and the total where it exceeds the ratio that --fail-on
 * (NULL: none) names. */
int sc_notices_of_change(const sc_judge *base, const sc_judge *head, const sc_comparison *comparison,
                         const char *fail_on, sc_notices *notices) SC_CHECK;
void sc_notices_free(sc_notices *notices);

/* The same with the file that --accept names, or .scale-accept; and what comments in the sources accept. */
int sc_notices_accept_default(sc_notices *notices, const sc_options *options) SC_CHECK;
/* Places notices on lines that the unified diff changed where they belong to one (the finding's own line, or that of a
 * step of its context, innermost first). */
int sc_notices_place(sc_notices *notices, const char *diff_path) SC_CHECK;

/* 1 if one of the words of --fail-on applies (NULL: never): "order" (of a change: grows faster than before; of a study,
 * as "superlinear": faster than n log n), "cost", "budget", "any", "warning", "resource"; "none": never. Accepted ones
 * do not count. */
int sc_notices_status(const sc_notices *notices, const char *fail_on);

struct sc_page;
/* What `report` and `diff` end with: accepts (--accept), places (--changed), prints (--format, -o; with a page adds
 * to that instead) and judges (--fail-on): 0, 1, or an error. `fail_on`: the verb's. */
int sc_notices_deliver(const sc_options *options, const char *fail_on, sc_notices *notices,
                       struct sc_page *page) SC_CHECK;
/* The page that the options ask for, without anything in it. */
int sc_notices_page(const sc_options *options, struct sc_page **page) SC_CHECK;

typedef int (*sc_notices_print_fn)(FILE *out, const sc_notices *notices);
/* By --format (NULL: "text"); NULL: the page ("html"), which has more than notices. */
sc_notices_print_fn sc_notices_printer(const char *format);
int sc_notices_print_text(FILE *out, const sc_notices *notices) SC_CHECK;  /* "file:line:column: severity: ..." */
int sc_notices_print_lines(FILE *out, const sc_notices *notices) SC_CHECK; /* the same without details: a line each */
int sc_notices_print_json(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_markdown(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_sarif(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_junit(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_github(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_gitlab(FILE *out, const sc_notices *notices) SC_CHECK;
int sc_notices_print_openmetrics(FILE *out, const sc_notices *notices) SC_CHECK;
/* The message for those who print the title in front of it: without the title, if it begins with that. */
const char *sc_notice_beyond_title(const sc_notice *notice);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/ask/ask.h"
#include "runner/points/points.h"
#include "runner/several/internal.h"
#include "runner/several/open.h"
#include "runner/text/table.h"

/* ask.c: opens the study with these as targets; both are to be closed, also after an error. */
int sc_several_open(const sc_options *options, sc_judge *judge, sc_several **several) SC_CHECK;
/* Predictions at all points of --at: *answers [*count], also after an error to be released. */
int sc_several_answers(const sc_several *several, const char *list, sc_several_answer **answers,
                       size_t *count) SC_CHECK;
void sc_several_answers_free(sc_several_answer *answers, size_t count);

/* text.c: one point (sorts its rows). */
int sc_several_print(FILE *out, const sc_several *several, sc_several_answer *answer,
                     const sc_text_options *options) SC_CHECK;

/* sweep.c: --at with the swept parameter's sizes (`range`: of --sweep), to be freed by the caller; one row a point. */
int sc_several_sweep_list(const sc_several *several, const char *at, const char *range, char **list) SC_CHECK;
int sc_several_print_sweep(FILE *out, const sc_several *several, const sc_several_answer *answers, size_t count,
                           const sc_text_options *options) SC_CHECK;

/* The index of the parameter that a range is of; 0: the focused one. */
size_t sc_several_swept(const sc_several *several, const char *range);

/* elsewhere.c: `ask` of anything that the study judged at other values answers (--function, --of, --limit, --suppose,
 * --plot), at each combination of --at or over a further parameter. */
int sc_several_ask_elsewhere(const sc_several *several, const sc_options *options) SC_CHECK;

/* visit.c: the study judged at other values, and asked there: hands the answer on, which is freed afterwards. */
typedef int sc_several_visitor(void *user, sc_ask *ask);
/* `others`: the further parameters' values; `resources`: judge them there, too. The visitor's error is handed on. */
int sc_several_visit(const sc_several *several, const double *others, bool resources, const sc_ask_request *request,
                     sc_several_visitor *visitor, void *user) SC_CHECK;

/* limit.c: `ask --over threads --limit time=10s`, at each combination of the other parameters in --at. */
int sc_several_ask_over(const sc_several *several, const sc_options *options) SC_CHECK;
/* sweep_rows.c: answers over a further parameter: of what is asked first, or with limits the sizes at which these are
 * reached. Prints the heading; the table is to be freed by the caller. A row a size, or one with limits. */
sc_table *sc_several_sweep_rows_new(const sc_several *several, const sc_ask *ask, size_t swept);
void sc_several_sweep_rows_add(sc_table *table, const sc_several *several, const sc_ask *ask, const double *others);

/* plot.c: draws the answer over a further parameter, whose values alone differ between the points; with a document also
 * its "plot". */
int sc_several_plot(const sc_several *several, const sc_options *options, size_t parameter,
                    const sc_several_point *points, size_t count, cJSON *document) SC_CHECK;

/* json.c: {"n": ..., "threads": ...}; one point; the range measured. */
void sc_several_json_values(sc_json *json, cJSON *object, const char *key, const sc_several *several,
                            const double *values);
void sc_several_json_point(sc_json *json, cJSON *list, const sc_several *several, sc_several_answer *answer,
                           size_t top);
void sc_several_json_measured(sc_json *json, cJSON *document, const sc_several *several);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_SEVERAL_INTERNAL_H
#define SC_RUNNER_SEVERAL_INTERNAL_H
#include "runner/ask/ask.h"
#include "runner/several/several.h"
#include "runner/text/table.h"
#include "transitions/model/elsewhere.h"
#include "transitions/model/json_parts.h"
#include "transitions/model/series.h"

_Static_assert((int)SC_SURFACE_PARAMETERS == 1 + (int)SC_RUN_OTHERS, "a surface has all parameters of a workload");

#define SC_SEVERAL_REST UINT32_MAX /* a series without a model of its own */

/* The price of what never ran at the base is not known: at most this many times the guess. */
#define SC_SEVERAL_PRICE_MOST 3

struct sc_several {
  const sc_judge *judge;
  size_t parameters;
  const char *names[SC_SURFACE_PARAMETERS];
  enum sc_parameter_kind kinds[SC_SURFACE_PARAMETERS];
  double low[SC_SURFACE_PARAMETERS], high[SC_SURFACE_PARAMETERS];
  double high_varied; /* largest focused value at which further parameters were varied */
  sc_graph *graph;    /* contexts have the same numbers as in the judge's */
  size_t *runs;       /* [run_count] of the graph that are fitted */
  double *at;         /* [run_count][parameters] */
  size_t run_count;
  sc_series_set set;
  uint32_t *series;   /* [context_count] number in the set */
  double *members;    /* [set.count] what contexts in scope that have it weigh in executions: 1, of work less */
  uint32_t *fits;     /* [set.count] index of its surface, or REST */
  sc_surface *models; /* [model_count]; the last one is of the rest's sum, if there is a rest */
  size_t model_count;
  bool rest;
  uint32_t contexts;
  double *prices;                             /* [contexts] own cost of an execution */
  struct sc_several_time *time;               /* elapsed time; NULL: not known */
  bool costs;                                 /* were sampled */
  struct sc_resources_everywhere **resources; /* [1] made when first asked for */
  double checked;                             /* cost measured away from the base by what prices say; NaN: not known */
};

/* fit.c: the series, and their surfaces. */
int sc_several_fit(sc_several *several) SC_CHECK;
/* costs.c: prices, and what they are worth. */
int sc_several_price(sc_several *several) SC_CHECK;
/* False of a process: what it costs has no executions to go by. */
bool sc_several_counted(const sc_several *several, uint32_t context);

/* elapsed.c: what the elapsed time of all runs goes by, and of an answer. */
int sc_several_time_load(sc_several *several) SC_CHECK;
void sc_several_time_free(sc_several *several);
int sc_several_time_predict(const sc_several *several, sc_several_answer *answer) SC_CHECK;
/* The elapsed time at other values, for an analysis that is moved there; several->time must be known. */
int sc_several_time_there(const sc_several *several, const double *others, sc_elsewhere_time *time) SC_CHECK;
/* move.c: the analysis moved to other values of further parameters, to be freed by the caller. */
int sc_several_move_analysis(const sc_several *several, const double *others, sc_analysis **analysis) SC_CHECK;

/* ask.c: opens the study with these as targets; both are to be closed, also after an error. */
int sc_several_open(const sc_options *options, sc_judge *judge, sc_several **several) SC_CHECK;
/* Predictions at all points of --at: *answers [*count], also after an error to be released. */
int sc_several_answers(const sc_several *several, const char *list, sc_several_answer **answers,
                       size_t *count) SC_CHECK;
void sc_several_answers_free(sc_several_answer *answers, size_t count);

/* text.c: a context's model with four significant digits; one point (sorts its rows). */
void sc_several_formula(const sc_several *several, uint32_t context, sc_buf *out);
int sc_several_print(FILE *out, const sc_several *several, sc_several_answer *answer,
                     const sc_report_text_options *options) SC_CHECK;

/* sweep.c: --at with the swept parameter's sizes (`range`: of --sweep), to be freed by the caller; one row a point. */
int sc_several_sweep_list(const sc_several *several, const char *at, const char *range, char **list) SC_CHECK;
int sc_several_print_sweep(FILE *out, const sc_several *several, const sc_several_answer *answers, size_t count,
                           const sc_report_text_options *options) SC_CHECK;

/* The index of the parameter that a range is of; 0: the focused one. */
size_t sc_several_swept(const sc_several *several, const char *range);

/* elsewhere.c: `ask` of anything that the study judged at other values answers (--function, --of, --limit, --suppose,
 * --plot), at each combination of --at or over a further parameter. */
int sc_several_ask_elsewhere(const sc_several *several, const sc_options *options) SC_CHECK;

/* visit.c: the study judged at other values, and asked there: hands the answer on, which is freed afterwards. */
typedef int sc_several_visitor(void *user, sc_ask *ask);
int sc_several_visit(const sc_several *several, const double *others, bool resources, const sc_ask_request *request,
                     sc_several_visitor *visitor, void *user) SC_CHECK;

/* limit.c: `ask --over threads --limit time=10s`, at each combination of the other parameters in --at. */
int sc_several_ask_over(const sc_several *several, const sc_options *options) SC_CHECK;
/* at.c: --at, or where it is NULL the targets, without values of the further parameter `over`, which has its base in
 * the points; 0: as sc_several_points. */
int sc_several_points_over(const sc_several *several, const char *list, size_t over, sc_several_point **points,
                           size_t *count) SC_CHECK;

/* table.c: answers over a further parameter: of what is asked first, or with limits the sizes at which these are
 * reached. Prints the heading; the table is to be freed by the caller. A row a size, or one with limits. */
sc_table *sc_several_table_new(const sc_several *several, const sc_ask *ask, size_t swept);
void sc_several_table_add(sc_table *table, const sc_several *several, const sc_ask *ask, const double *others);

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
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/surface/surface.h"
#include "runner/judge/judge.h"
#include "runner/text/rank.h"
#include "runner/text/text_options.h"
#include "transitions/model/elapsed.h"

/* Questions about several workload parameters at once: models of all runs of a study, those away from the base values
 * of further parameters included (docs/what-if.md). */
typedef struct sc_several_point {
  double at[SC_SURFACE_PARAMETERS]; /* the focused parameter first; behind the study's parameters 0 */
} sc_several_point;

/* Whether --at names a further parameter of the study; 1, 0 or an error. */
int sc_several_asked(const sc_options *options);
/* --at as points, "n=1e6,threads=8,16" all combinations; a further parameter left out is at its base, the focused one
 * at the study's targets. "10x" is ten times the largest measured value. *points [*count], to be freed by the caller.
 * SC_E_USAGE. */
typedef struct sc_several sc_several;
int sc_several_points(const sc_several *several, const char *list, sc_several_point **points, size_t *count) SC_CHECK;

/* The sizes of `parameter`, the focused one, in --at ("n=1e6,2e6,threads=64": "1e6;2e6"); NULL: there are none. To be
 * freed by the caller. SC_E_USAGE. */
int sc_several_focus(const char *at, const char *parameter, char **sizes) SC_CHECK;

/* The same of --at and the study's focused parameter. */
int sc_several_focused(const sc_options *options, char **sizes) SC_CHECK;

/* Whether a range as --sweep takes it goes over the parameter: "threads=1..64"; NULL over none. */
bool sc_several_sweeps(const char *range, const char *parameter);

/* Where a question about the study holds that names no further parameter: at the targets which the study has of them,
 * but of those that --sweep and --over go over, and for `diff` of those that the base does not vary. *at: --at with
 * these, for the caller to free; NULL: there are none, and --at names what it is about. `largest`: one combination, of
 * the largest. SC_E_USAGE. */
int sc_several_at_targets(const sc_options *options, bool largest, char **at) SC_CHECK;

/* --at, which names further parameters, as one list for each combination of their values: "n=1e6,threads=8,64" as
 * "n=1000000,threads=8" and "n=1000000,threads=64". *lists [*count] and each of them are to be freed by the caller.
 * SC_E_USAGE. */
int sc_several_split(const sc_options *options, char ***lists, size_t *count) SC_CHECK;

/* Loads all runs and fits: every distinct series of counts once. The judge, of a study and not of a baseline, must
 * outlive it. SC_E_TOOLITTLE where no run is away from the base values. */
int sc_several_new(const sc_judge *judge, sc_several **several) SC_CHECK;
void sc_several_free(sc_several *several);

/* The study judged where further parameters have the values `others`: the judge the models were made with, with another
 * analysis and other findings; at the base values with its own. To be released with sc_several_leave alone, before
 * `several`. */
int sc_several_move(const sc_several *several, const double *others, sc_judge *moved) SC_CHECK;
/* Findings of what grows along the further parameters, each judged at its value in `judge`, or where that is the base
 * at the largest one measured: joins those of the judge, which owns the analyses along. sc_several_move has them. */
int sc_several_add_along(const sc_several *several, sc_judge *judge) SC_CHECK;
/* As sc_several_move without findings, which predictions do not need. */
int sc_several_place(const sc_several *several, const double *others, sc_judge *moved) SC_CHECK;
/* Its resources there, where the runs recorded any: they take longer than the rest, and few answers ask for them. */
int sc_several_move_resources(const sc_several *several, sc_judge *moved) SC_CHECK;
void sc_several_leave(sc_judge *moved);
/* Findings about resources that are healthy at the base values, where `judge` is, and turn pathological as a further
 * parameter grows to the largest value measured, or as warnings to SC_SEVERAL_FAR times that: join those of the judge,
 * which refer to judges beside it. These are to be released with sc_several_leave_beside, before `several`. */
int sc_several_add_resources(const sc_several *several, sc_judge *judge) SC_CHECK;
void sc_several_leave_beside(sc_judge *judge);
/* How many times the largest value measured the farthest of further parameters is; at least 1. */
double sc_several_beyond(const sc_several *several, const double *others);
/* The combination of further parameters measured that is nearest to `others`, by the sum of the factors' logarithms. */
void sc_several_nearest(const sc_several *several, const double *others, double *nearest);
/* All runs: a graph whose contexts have the judge's numbers. Whether the run at `position` has these values. */
const sc_graph *sc_several_graph(const sc_several *several);
size_t sc_several_run_count(const sc_several *several);
bool sc_several_was_run(const sc_several *several, const double *others, size_t position, size_t *run);

typedef struct sc_several_answer {
  sc_several_point point;
  double beyond[SC_SURFACE_PARAMETERS]; /* times the largest value measured of each parameter */
  double beyond_varied;                 /* of the focused one: times the largest at which further ones were varied */
  sc_interval executions;               /* calls and iterations of everything in scope */
  sc_interval cost;                     /* in the analysis's unit; of the whole scope */
  bool costs;                           /* a cost was sampled */
  bool timed;                           /* the elapsed time is known */
  sc_interval elapsed;                  /* seconds of a run */
  sc_elapsed_parts parts;               /* of its value */
  double checked;    /* cost measured at other values than the base, by what is predicted there; NaN: not known */
  sc_rank_row *rows; /* [row_count] of contexts that are not 0 there */
  size_t row_count;
  double untold_share; /* of the executions of the largest run: of undecided contexts */
  size_t untold;       /* such contexts */
} sc_several_answer;
/* Errors are those of making the analysis there and of predicting. sc_several_answer_free also after one. */
int sc_several_predict(const sc_several *several, const sc_several_point *point, sc_several_answer *answer) SC_CHECK;
void sc_several_answer_free(sc_several_answer *answer);

/* Parameters with the focused one, and their names [parameters], the focused one's first. */
size_t sc_several_parameters(const sc_several *several);
const char *const *sc_several_names(const sc_several *several);
/* The values measured of a parameter. */
void sc_several_range(const sc_several *several, size_t parameter, double *low, double *high);
/* The model of a context's count; NULL: it is one of many small ones, which are predicted together. */
const sc_surface *sc_several_surface(const sc_several *several, uint32_t context);
/* The formula of a context's count in all parameters, by its surface ("2 n t + 3 n / t") or by a product of models
 * along each: "n (m < 19: 30; else m^2)"; for programs (`expression`) as sc_model_expression writes it. False, and
 * nothing is written, without either; *exact (NULL: not asked): whether it is exact. */
bool sc_several_count_formula(const sc_several *several, uint32_t context, bool expression, sc_buf *out, bool *exact);
/* "n = 1,000,000, threads = 64" */
void sc_several_describe(const sc_several *several, const sc_several_point *point, sc_buf *out);

/* Whether costs were measured. */
bool sc_several_has_prices(const sc_several *several);
/* What costs away from the base values rest on; nothing where none were measured. */
int sc_several_print_prices(FILE *out, const sc_several *several, const sc_text_options *options) SC_CHECK;

/* What else than n a study varies, for reports: "At threads = 1 (also measured: 2, 4, 8)"; of a judge that was moved
 * "At threads = 64 (measured: 1, 2, 4, 8); what an execution takes is known at threads = 1". */
void sc_several_note(const sc_judge *judge, sc_buf *out);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "regress/choose/fit.h"
#include "transitions/model/blend.h"
#include "transitions/model/latency.h"
#include "transitions/model/tuning.h"

/*
 * A graph with a model for every context: the spatial half of delta-infer (section 6) and what is computed from it.
 * The analysis refers to the graph; the graph must stay as it is while the analysis lives.
 */
typedef struct sc_analysis sc_analysis;

typedef struct sc_analysis_options {
  sc_fit_options fit;
  const char *variable;  /* name of the workload parameter, "n" */
  const double *targets; /* sizes to predict [target_count] */
  size_t target_count;
  const char *const *roots; /* restrict to contexts below these functions (delta-infer's responsive action); */
  size_t root_count;        /* 0: everything */
  bool population;    /* the parameter is a number of threads or clients: as many callbacks and threads are given */
  double level;       /* of intervals, 0.95 */
  double time_budget; /* seconds a finding's cost may take (emergence); <= 0: half of the total */
  double doubt;       /* relative half-width, at 95 %, of a factor that all times were taken times; 0: none */
  bool entries;       /* counts are those of single functions: their callers and loops are not known */
  sc_latency latency; /* of the machine's memory; 0: not measured */
  bool include_validation; /* fit on validation runs too (the default engine does, the paper's does not) */
  double negligible;       /* share of cost and of executions below which, at every target, nothing is reported;
                              0: the default, SC_ANALYSIS_NEGLIGIBLE; < 0: report everything */
  void (*progress)(void *user, size_t done, size_t all); /* NULL, or called now and then while models are fitted, from
                                                            the calling thread */
  void *progress_user;
} sc_analysis_options;

/* SC_E_TOOLITTLE without a run to fit, SC_E_MISMATCH for runs of different builds, SC_E_INPUT for impossible targets or
 * a root that no run reached. Options are copied. Equal series are fitted once. */
int sc_analysis_new(const sc_graph *graph, const sc_analysis_options *options, sc_analysis **analysis) SC_CHECK;
void sc_analysis_free(sc_analysis *analysis);

/* What it was made of and with; live as long as the graph and the analysis. */
const sc_graph *sc_analysis_graph(const sc_analysis *analysis);
const sc_analysis_options *sc_analysis_get_options(const sc_analysis *analysis);
/* The count model of a context; never NULL. Contexts outside the roots have a CANNOT_TELL model. */
const sc_model *sc_analysis_model(const sc_analysis *analysis, uint32_t context);
bool sc_analysis_in_scope(const sc_analysis *analysis, uint32_t context);
/* Own cost per execution (delta-infer 6.3; the default engine takes it from the largest sizes), in the cost event's
 * unit; 0 where never sampled or not counted. */
double sc_analysis_cost_each(const sc_analysis *analysis, uint32_t context);
/* "s" for clocks; where no cost was sampled every execution counts 1: "iterations", of entries alone "calls"; else the
 * event's name. */
const char *sc_analysis_cost_unit(const sc_analysis *analysis);

/* Whether costs are times, and whether there are any beside the executions. */
bool sc_analysis_timed(const sc_analysis *analysis);
bool sc_analysis_has_costs(const sc_analysis *analysis);

/* Predicted count of one context at n, with interval. A context whose own model cannot tell is predicted in proportion
 * to its nearest ancestor that has a model. SC_E_INPUT for a context outside the roots or an n that is not positive. */
int sc_analysis_count(const sc_analysis *analysis, uint32_t context, double n, sc_interval *out) SC_CHECK;
/* The number of the model (sc_analysis_model_at) of the sum that the context's count is a part of and follows, where
 * only the sum is known to (transitions/model/together.h): the part may be any of it. Else UINT32_MAX. */
uint32_t sc_analysis_sum(const sc_analysis *analysis, uint32_t context);
/* Contexts of the same number, below `sc_analysis_likes`, are predicted alike: count and cost at any size. */
uint32_t sc_analysis_like(const sc_analysis *analysis, uint32_t context);
size_t sc_analysis_likes(const sc_analysis *analysis);
/* Predicted own cost of one context at n, and of the whole scope (sum over contexts; intervals combined). */
int sc_analysis_cost(const sc_analysis *analysis, uint32_t context, double n, sc_interval *out) SC_CHECK;
int sc_analysis_total(const sc_analysis *analysis, double n, sc_interval *out) SC_CHECK;
/* Predicted executions of the whole scope, units of work by their weight. */
int sc_analysis_total_executions(const sc_analysis *analysis, double n, sc_interval *out) SC_CHECK;
/* By how much everything may get dearer at n than at the sizes measured, because the data outgrow caches, or because
 * the times leave open whether an execution costs more and more: part of the upper ends of all costs; 1 if there is
 * nothing of the kind. */
double sc_analysis_dearer(const sc_analysis *analysis, double n);
/* What is not known of all costs at n together, relative to a cost: it lies up to `less` below and `more` above, beside
 * what is not known of it alone (as independent errors), and up to `open` times as high in any case. */
typedef struct sc_cost_doubt {
  double less, more, open;
} sc_cost_doubt;
sc_cost_doubt sc_analysis_cost_doubt(const sc_analysis *analysis, double n);
/* For those who predict many contexts at many sizes: the models behind all of them, and a context's parts. Its
 * executions (units of work by their weight) and its own cost are the blends (transitions/model/blend.h) of these parts
 * alone, those of a subtree the blends of its contexts'. A context that is not counted has the value 0 in *count.
 * Returns whether it grows without a model, so that beyond the sizes measured the high end is infinite. The context
 * must be in scope. */
size_t sc_analysis_model_count(const sc_analysis *analysis);
const sc_model *sc_analysis_model_at(const sc_analysis *analysis, size_t number);
bool sc_analysis_parts(const sc_analysis *analysis, uint32_t context, sc_blend_part *count, sc_blend_part *cost);
/* Range of sizes measured and fitted. */
void sc_analysis_range(const sc_analysis *analysis, double *n_min, double *n_max);
/* The size findings are ranked at: the largest target, or the largest measured size without targets. */
double sc_analysis_horizon(const sc_analysis *analysis);
/* Share (0..1) of the cost measured in the fitted runs that stands in contexts with a usable model: what a prediction
 * of the total rests on. The rest is predicted in proportion to its nearest modelled ancestor. */
double sc_analysis_modelled_share(const sc_analysis *analysis);
/* Share (0..1) of the executions of the largest run that have an exact model; 1 of none. */
double sc_analysis_exact_share(const sc_analysis *analysis);
/* What grows, but has no model. */
typedef struct sc_untold {
  size_t count;                   /* contexts; 0: the rest is 0 too */
  uint32_t context;               /* the one executed most */
  double cost_share, count_share; /* of the largest measured run's cost and executions, 0..1 */
  bool unbounded;                 /* enough that totals beyond the sizes measured have no upper end */
  bool slow;   /* together, not superlinear over the sizes measured and over the larger half of them, with certainty */
  bool chance; /* not slow, nor superlinear for certain, where runs of one size differ by more than a factor of two */
  bool most;   /* not slow, and the greater part of the cost (of the executions, where samples are few) */
} sc_untold;
const sc_untold *sc_analysis_untold(const sc_analysis *analysis);
/* Whether it is of other values of further parameters than those of its runs (transitions/model/elsewhere.h). */
bool sc_analysis_moved(const sc_analysis *analysis);
/* Runs that were fitted, ascending by n: their number, and the n-th one's index in the graph. */
size_t sc_analysis_run_count(const sc_analysis *analysis);
size_t sc_analysis_size_count(const sc_analysis *analysis); /* distinct sizes of these runs */
size_t sc_analysis_run(const sc_analysis *analysis, size_t position);
/* The size of the n-th one; of an analysis along a further parameter (transitions/model/along.h) the value of that. */
double sc_analysis_size(const sc_analysis *analysis, size_t position);
/* Of such an analysis where the other parameters stand in its runs, "n = 1,600"; else "". */
const char *sc_analysis_held(const sc_analysis *analysis);

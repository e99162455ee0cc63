/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/process/seen.h"
#include "runner/workload/workload.h"
#include "transitions/model/analysis.h"
#include "transitions/model/plain.h"

/* A study's runs, read, with models fitted to them. */

/* The budget of time ended before the sizes did that would have told more. */
typedef struct sc_budget_cut {
  double budget; /* seconds; 0: it did not end first */
  bool given;    /* it is the user's, and holds for the whole study */
  bool of_time;  /* what was to be run would have checked the time of an execution */
  double wanted; /* seconds of a budget that goes on from here */
  double width;  /* of the total count at a target, relative half of its interval; < 0: unknown */
} sc_budget_cut;

/* A size whose runs all failed, with what the last failure was. */
typedef struct sc_failed_size {
  double n;
  char *what;
} sc_failed_size;

/* Opens a study, loads graph and workload, fits: what report and ask start from. TARGET runs are not fitted. */
typedef struct sc_loaded {
  sc_graph *graph;   /* training and validation runs */
  sc_graph *targets; /* runs made at target sizes, to compare with predictions */
  sc_graph *plains;  /* runs of the plain program: times alone */
  sc_plain plain;    /* what instrumentation added to the times, which were taken out of both graphs; runs 0: nothing */
  bool entries;      /* counts come from uprobes: of single functions, without callers and loops */
  double attached;   /* seconds of the window, of a study made by attaching; 0: by running */
  char *attached_per;     /* function whose 1,000 calls are the unit of counts; NULL or "": none */
  double attach_overhead; /* largest of a run, relative to the program's processor time */
  double slowdown; /* processor time with uprobes by that without, where `plain` takes all times away; 0: not known */
  sc_workload *workload;
  sc_latency latency; /* of the machine's memory, when the study began */
  sc_analysis *analysis;
  sc_failed_size *failed; /* [failed_count] ascending */
  size_t failed_count;
  sc_budget_cut cut;
  char *seen[SC_SEEN_KINDS]; /* what the program's code has and its numbers have not; NULL: nothing */
} sc_loaded;
/* What is known about the times of a graph's runs. */
typedef struct sc_loaded_times {
  const sc_plain *plain;     /* what was taken out of them */
  const sc_latency *latency; /* of the machine's memory */
  bool entries;              /* as of sc_loaded */
} sc_loaded_times;
/* `targets` replaces the workload's targets when target_count > 0; without either it is 10 times the largest size.
 * The paper's engine is fitted to the training runs, the default one to the validation runs too. SC_E_TOOLITTLE when
 * fewer than 3 sizes were measured. */
int sc_loaded_read(const char *study_path, const sc_fit_options *fit, const double *targets, size_t target_count,
                   sc_loaded *loaded) SC_CHECK;
void sc_loaded_free(sc_loaded *loaded);
/* Whether a graph has runs of sizes enough for models: 3. */
bool sc_loaded_is_enough(const sc_graph *graph);
/* The last step of it, for a graph and a workload that came from elsewhere (`source` names it in errors): checks that
 * there are sizes enough, and fits. `times`: NULL: nothing is known. */
int sc_loaded_analyse(const char *source, const sc_workload *workload, const sc_graph *graph, const sc_fit_options *fit,
                      const double *targets, size_t target_count, const sc_loaded_times *times,
                      sc_analysis **analysis) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_DRIVE_DRIVE_H
#define SC_RUNNER_DRIVE_DRIVE_H
#include "profiles/study/study.h"
#include "regress/paper/refine.h"
#include "regress/plan/plan.h"
#include "runner/process/execute.h"
#include "transitions/findings/findings.h"
#include "transitions/model/plain.h"

/* Drives a study: runs a workload over the sizes that are asked for, stores every run, resumes what is there. */
enum sc_drive_kind {
  SC_DRIVE_SETUP,
  SC_DRIVE_BUDGET, /* text: how much time there is */
  SC_DRIVE_RESUMED,
  SC_DRIVE_RUN_BEGIN,
  SC_DRIVE_RUN_END,
  SC_DRIVE_FITTED,
  SC_DRIVE_TIMING,  /* a short run is repeated for the sake of its time; samples_wanted 0: that is over */
  SC_DRIVE_SKIPPED, /* a size would take longer than its limit; text says so, seconds is what it would take */
  SC_DRIVE_STOPPED,
  SC_DRIVE_WARNING
};
typedef struct sc_drive_event {
  enum sc_drive_kind kind;
  double n;        /* RUN_*: the size */
  const char *why; /* RUN_*: this size */
  unsigned repeat, repeats;
  size_t run_number, runs_expected; /* expected so far: may grow */
  double seconds;                   /* RUN_BEGIN: expected from earlier runs, < 0 unknown; RUN_END: measured */
  double seconds_left;              /* estimate for the whole study; < 0 unknown */
  bool planned;                     /* sizes are chosen by what they buy at the target: `plan`, else `state` */
  sc_plan_state plan;               /* what is known of the total */
  sc_refine_state state;            /* error so far, iteration, ranges */
  uint64_t samples, samples_wanted; /* TIMING: of the sizes like this one */
  const char *text, *hint;          /* WARNING, SKIPPED and STOPPED */
} sc_drive_event;
typedef void (*sc_drive_fn)(void *user, const sc_drive_event *event);

enum sc_drive_refine {
  SC_DRIVE_REFINE_TARGET,   /* by what they buy at the target (regress/plan/plan.h) */
  SC_DRIVE_REFINE_ALGORITHM /* delta-infer's Algorithm 1 (regress/paper/refine.h) */
};
typedef struct sc_drive_options {
  const char *study_path;    /* scale.db */
  const char *workload_path; /* for provenance; NULL when from a command line */
  sc_fit_options fit;
  const char *event;           /* cost event; NULL: task-clock; "none" */
  double frequency;            /* samples a second; 0: the sampler's own choice */
  const char *plain;           /* the program without instrumentation, to take out what that adds; NULL: none */
  uint64_t trace;              /* events of each thread to keep, by which profiles are checked; 0: none */
  enum sc_drive_refine refine; /* how sizes are chosen */
  double precision;            /* TARGET: of the total, as half of an interval relative to it; 0: default */
  double budget_seconds;  /* of the study, its earlier parts included; 0: the default, of sizes that nobody named */
  double timeout_seconds; /* a run may take, in place of the workload's time-out; 0: its own, or a limit by itself */
  uint64_t seed;
  size_t max_iterations;   /* 0: default */
  double prediction_error; /* ALGORITHM; 0: default */
  bool restart;            /* an existing study is moved aside to <path>.old first */
  bool keep_scratch;
  const char *scratch; /* NULL: under $TMPDIR */
  volatile int *interrupted;
  sc_drive_fn report;
  void *user;
} sc_drive_options;

/* Runs the study to its end: sizes it has already are not run again, so that an interrupted study goes on where it
 * stopped. A changed binary, command or workload in an existing study gives SC_E_MISMATCH with a hint
 * (--restart, or another -o). Failed runs are recorded; what was measured stays usable. No size beyond the range, the
 * validation range given and the largest target is run, nor one that would take too long (docs/workload.md). */
int sc_drive_study(const sc_workload *workload, const sc_drive_options *options) SC_CHECK;
/* Runs the workload of a study once at size n, with the further parameters at others[SC_RUN_OTHERS] (NULL: at their
 * bases), and stores it as a TARGET or VARIED_TARGET run (demo, `run --verify`). Reports warnings only. SC_E_TIMEOUT if
 * it takes longer than the time-out given; there is no other limit. */
int sc_drive_verify(const sc_workload *workload, const sc_drive_options *options, double n,
                    const double *others) SC_CHECK;

/* The budget of time ended before the sizes did that would have told more. */
typedef struct sc_drive_cut {
  double budget; /* seconds; 0: it did not end first */
  bool given;    /* it is the user's, and holds for the whole study */
  bool of_time;  /* what was to be run would have checked the time of an execution */
  double wanted; /* seconds of a budget that goes on from here */
  double width;  /* of the total count at a target, relative half of its interval; < 0: unknown */
} sc_drive_cut;

/* A size whose runs all failed, with what the last failure was. */
typedef struct sc_failed_size {
  double n;
  char *what;
} sc_failed_size;

/* Opens a study, loads graph and workload, fits: what report and ask start from. TARGET runs are not fitted. */
typedef struct sc_drive_loaded {
  sc_graph *graph;   /* training and validation runs */
  sc_graph *targets; /* runs made at target sizes, to compare with predictions */
  sc_graph *plains;  /* runs of the plain program: times alone */
  sc_plain plain;    /* what instrumentation added to the times, which were taken out of both graphs; runs 0: nothing */
  sc_workload *workload;
  sc_latency latency; /* of the machine's memory, when the study began */
  sc_analysis *analysis;
  sc_failed_size *failed; /* [failed_count] ascending */
  size_t failed_count;
  sc_drive_cut cut;
  char *seen[SC_SEEN_KINDS]; /* what the program's code has and its numbers have not; NULL: nothing */
} sc_drive_loaded;
/* What is known about the times of a graph's runs. */
typedef struct sc_drive_times {
  const sc_plain *plain;     /* what was taken out of them */
  const sc_latency *latency; /* of the machine's memory */
} sc_drive_times;
/* `targets` replaces the workload's targets when target_count > 0; without either it is 10 times the largest size.
 * The paper's engine is fitted to the training runs, the default one to the validation runs too. SC_E_TOOLITTLE when
 * fewer than 3 sizes were measured. */
int sc_drive_load(const char *study_path, const sc_fit_options *fit, const double *targets, size_t target_count,
                  sc_drive_loaded *loaded) SC_CHECK;
void sc_drive_unload(sc_drive_loaded *loaded);
/* The last step of it, for a graph and a workload that came from elsewhere (`source` names it in errors): checks that
 * there are sizes enough, and fits. `times`: NULL: nothing is known. */
int sc_drive_analyse(const char *source, const sc_workload *workload, const sc_graph *graph, const sc_fit_options *fit,
                     const double *targets, size_t target_count, const sc_drive_times *times,
                     sc_analysis **analysis) SC_CHECK;
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/paper/refine.h"
#include "regress/plan/plan.h"
#include "runner/process/execute.h"

/* Drives a study: runs a workload over the sizes that are asked for, stores every run, resumes what is there. */
enum sc_drive_kind {
  SC_DRIVE_SETUP,
  SC_DRIVE_BUDGET, /* text: how much time there is */
  SC_DRIVE_VALUES, /* text: the values of further parameters, and the runs that they cost */
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
  size_t run_number, runs_expected; /* RUN_*: expected so far, may grow */
  double seconds;                   /* RUN_BEGIN: expected from earlier runs, < 0 unknown; RUN_END: measured */
  double seconds_left;              /* RUN_*: estimate for the whole study; < 0 unknown */
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
  const char *event;      /* cost event; NULL: task-clock; "none" */
  double frequency;       /* samples a second; 0: the sampler's own choice */
  const char *probe_sets; /* files of probe sets whose events uprobes are to catch, separated by semicolons; NULL */
  const char *uprobes;    /* functions of an ordinary program to count (runner/process/uprobes.h); NULL: none */
  const char *plain;      /* the program without instrumentation, to take out what that adds; NULL: none */
  uint64_t trace;         /* events of each thread to keep, by which profiles are checked; 0: none */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/drive/drive.h"

/* The state of one study being driven, shared by the files here. */

/* Series that sizes are chosen by: the distinct vectors of counts over the sizes handed out so far. */
typedef struct sc_drive_series {
  double *sizes;
  size_t size_count, size_capacity;
  double *values;     /* [count][size_count] */
  uint32_t *contexts; /* [count] one with these counts */
  double *members;    /* [count] contexts that have them, by what their counts weigh in executions */
  size_t count;
  bool stale; /* a run came after they were built */
  int error;  /* why they could not be built */
} sc_drive_series;

/* A size to run. */
typedef struct sc_drive_step {
  double n;
  unsigned runs; /* wanted at n; 0: as many as of any size */
  enum sc_run_role role;
  bool first, check; /* one of the first sizes; one that is sure to come and checks the models */
  char why[200];
} sc_drive_step;

typedef struct sc_drive {
  const sc_workload *workload;
  const sc_drive_options *options;
  sc_study *study;
  int lock;          /* descriptor of the study's file, held with flock; -1: not held */
  sc_graph *graph;   /* runs at the base values of further parameters */
  sc_graph *varied;  /* the others: VARIED and VARIED_TARGET */
  sc_graph *plain;   /* runs of the plain program */
  bool varied_done;  /* nothing is left to be run of these */
  sc_refine *refine; /* one of both; the other is NULL */
  sc_plan *plan;
  uint64_t plan_purpose;       /* hash of what the plan was made for */
  enum sc_plan_stop plan_stop; /* of the same plan, when it had ended before */
  sc_drive_series series;
  char *scratch;
  int scratch_lock; /* descriptor that marks it as in use; -1: none */
  char *build;      /* of the study; NULL before its first run */
  char *rebuilt;    /* a file that was built anew since the study's runs; NULL: none was found */
  sc_execute_options execute;
  double start;        /* sc_clock_now */
  double spent_before; /* seconds, in earlier parts of a resumed study */
  double added_before; /* of these, with sizes that nobody named */
  double added;        /* the same now, until `adding_since` */
  bool adding;         /* sizes that nobody named are chosen and run */
  double adding_since; /* sc_clock_now */
  size_t made;         /* runs made now */
  double memory_due;   /* sc_clock_now: from when on the machine's memory is measured again */
  double *first;       /* first sizes [first_count] */
  size_t first_count, first_done, check_count, check_done;
  sc_drive_step
      *rounds; /* [round_count] first sizes that ran, and may have to be repeated; n is 0 of one that gave up */
  size_t round_count, round_capacity;
  double check_size; /* about the size of checks */
  size_t run_number; /* runs made or found so far */
  double *totals;    /* [total_count] counts of a run, summed over contexts */
  size_t total_count, total_capacity;
  double too_long, too_long_seconds; /* the smallest size that had to be stopped, and after what time; 0: none */
  bool named;                        /* the step at hand is a first size: the range itself names it */
  bool range_too_long;               /* one of those had to give way */
  double run_limit;                  /* seconds after which the last run was to be stopped; 0: never */
  size_t stops;                      /* runs that were */
  size_t skipped;                    /* sizes that would have taken too long */
  bool cut;                          /* the budget ended while the last run was under way, and stopped it */
  double overhead;                   /* the most seconds that a run took beside its command: <prepare>, reading, ... */
  size_t repeats_left_out, varied_left_out; /* runs, for want of time */
  bool limit_hit;           /* the last run was stopped for its limit, not for a time-out of the workload */
  char *probe_sets;         /* text of those that were given (runner/process/uprobes_events.h); NULL: none */
  char *plain_program;      /* without instrumentation; NULL: none */
  char plain_build[65];     /* its build ID, or a hash of its content; "": unknown */
  char **plain_argv;        /* the command's words (the service's) with it in front; the words are the workload's */
  sc_service plain_service; /* the workload's with these words */
  bool set_up;              /* <setup> ran */
  bool libraries_known;     /* libraries that are not instrumented were looked for */
  bool budgets_checked;     /* the functions that budgets are of were looked for */
  bool unsteady;            /* counts differ between repeats */
  uint64_t warned[64];      /* hashes of warnings given: each is given once */
  size_t warned_count;
} sc_drive;

/* From the lowest file to the highest: each calls those above it alone. */

/* events.c */
void sc_drive_tell(const sc_drive *drive, sc_drive_event event);
/* Once a text; the other one composes it. */
void sc_drive_warn(void *drive, const char *text, const char *hint);
void sc_drive_warn_of(sc_drive *drive, const char *hint, const char *format, ...) SC_PRINTF(3, 4);
/* Sets the error that the study "was made with another program", or whatever `what` says. Returns SC_E_MISMATCH. */
int sc_drive_mismatch(const sc_drive *drive, const char *what);

/* uprobes.c: finds the functions of --uprobes and attaches to them, before anything is written. */
int sc_drive_uprobes_find(sc_drive *drive) SC_CHECK;
/* Once the study is open: what it counted so far is counted on; SC_E_MISMATCH if that is something else. */
int sc_drive_uprobes_recall(sc_drive *drive) SC_CHECK;
/* Warns of functions that no run called. */
void sc_drive_uprobes_check_called(sc_drive *drive);

/* study.c: opens or creates the study, refuses one of another workload, program or plain program, loads its runs,
 * writes provenance. SC_E_MISMATCH; SC_E_USAGE: the plain program is instrumented, or missing. */
int sc_drive_open_study(sc_drive *drive, enum sc_study_mode mode) SC_CHECK;
void sc_drive_close_study(sc_drive *drive);
/* SC_E_MISMATCH if the modules of a new run are not those the study was made with; sets the run's build. */
int sc_drive_check_build(sc_drive *drive, sc_graph *graph, const sc_execute_result *result) SC_CHECK;
/* Puts the plain program into a copy of the workload. */
void sc_drive_plain_command(const sc_drive *drive, sc_workload *workload);

/* time.c */
/* Runs of a size in the study that are not TARGET runs. */
unsigned sc_drive_count_runs(const sc_drive *drive, double n);
/* Expected seconds of a run at n, from the runs so far, rather too long than too short; < 0 unknown. */
double sc_drive_expect(sc_drive *drive, double n);
/* Whether from now on the time is spent with sizes that nobody named: those have a budget by default. */
void sc_drive_set_adding(sc_drive *drive, bool adding);
/* Seconds of the study so far; of its default budget; of the budget that holds for what is done now, infinity: none;
 * left of that. */
double sc_drive_spent(const sc_drive *drive);
double sc_drive_default_budget(const sc_drive *drive);
double sc_drive_budget(const sc_drive *drive);
double sc_drive_seconds_left(const sc_drive *drive);
bool sc_drive_out_of_time(const sc_drive *drive);
/* With a plan: whether the time ended before a size could show whether an execution takes longer. */
bool sc_drive_times_are_cut(const sc_drive *drive);
/* Whether a run whose command takes `seconds` (< 0: unknown) is expected to end within the budget. */
bool sc_drive_fits(const sc_drive *drive, double seconds);
int sc_drive_recall_spent(sc_drive *drive) SC_CHECK;
int sc_drive_remember_spent(const sc_drive *drive) SC_CHECK;
/* Seconds that a run may take: by the user; the step at hand; a size that the models, or chance, choose; and after
 * which one at n is stopped. */
double sc_drive_given_limit(const sc_drive *drive);
double sc_drive_limit(const sc_drive *drive);
double sc_drive_chosen_limit(const sc_drive *drive);
double sc_drive_stop_after(sc_drive *drive, double n);

/* misspelt.c: warns of roots and tasks that no run called. */
void sc_drive_misspelt_warn(sc_drive *drive);
/* SC_E_USAGE, once there was a run: a budget is of a function whose name no file of the program has. */
int sc_drive_misspelt_check_budgets(sc_drive *drive) SC_CHECK;

/* run.c */
/* Warns once if the run's counts differ from those of another run of the same size. */
void sc_drive_check_steady(sc_drive *drive, size_t run);
/* One run, stored; of `planned` n, others, role and repeat are given. */
int sc_drive_run(sc_drive *drive, const sc_run *planned) SC_CHECK;
/* The same at the base values of further parameters. */
int sc_drive_run_base(sc_drive *drive, double n, enum sc_run_role role, unsigned repeat) SC_CHECK;
/* SC_E_INTERRUPTED if a signal came between two runs. */
int sc_drive_check_interrupt(const sc_drive *drive) SC_CHECK;

/* choose.c: which size is run next. */
int sc_drive_choose_start(sc_drive *drive) SC_CHECK;
/* 1 with *step, 0 at the end, or an error. */
int sc_drive_choose_next(sc_drive *drive, sc_drive_step *step) SC_CHECK;
/* A smaller size in place of the step handed out last; step->n is 0 if none is left. */
int sc_drive_choose_instead(sc_drive *drive, double wanted, sc_drive_step *step) SC_CHECK;
/* Why it ended. */
void sc_drive_choose_end(const sc_drive *drive, char *text, size_t size);
/* A size was handed out. */
int sc_drive_series_add_size(sc_drive_series *series, double n) SC_CHECK;
void sc_drive_series_free(sc_drive_series *series);

/* vary.c: says which values of further parameters there are, and how many runs are still to be made for them. */
int sc_drive_tell_values(const sc_drive *drive) SC_CHECK;
/* Runs the values of further parameters at the smallest, a middle and the largest of the first sizes. */
int sc_drive_vary(sc_drive *drive) SC_CHECK;
/* Runs of these that are still to come. */
size_t sc_drive_vary_left(const sc_drive *drive);
/* Runs at these values in the study, of this role. */
unsigned sc_drive_vary_count(const sc_drive *drive, const sc_run *like);

/* measure.c */
/* A run begins or ends, with what is still to come. */
void sc_drive_tell_run(sc_drive *drive, enum sc_drive_kind kind, const sc_drive_step *step, unsigned repeat,
                       double seconds);
/* Of a resumed study: the size that had to be stopped. */
int sc_drive_recall_limit(sc_drive *drive) SC_CHECK;
/* Runs the step, or a smaller size where it would take, or takes, too long; a first size once, its repeats are left to
 * sc_drive_rounds_finish. */
int sc_drive_measure_step(sc_drive *drive, sc_drive_step *step) SC_CHECK;
/* All further rounds of the first sizes. */
int sc_drive_rounds_finish(sc_drive *drive) SC_CHECK;

/* plain.c: runs the plain program at a few of the sizes that were measured, beside the instrumented one. */
int sc_drive_plain_measure(sc_drive *drive) SC_CHECK;
/* Runs it at a size that was run for real, if it ran before. */
int sc_drive_plain_target(sc_drive *drive, const sc_run *target) SC_CHECK;

/* timing.c: runs the largest sizes again as long as they have few samples, within a few seconds. */
int sc_drive_repeat_short(sc_drive *drive) SC_CHECK;

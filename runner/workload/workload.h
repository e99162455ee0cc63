/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "profiles/graph/graph.h"
#include "profiles/study/study.h"
#include "runner/workload/expand.h"
#include "transitions/resources/resources.h"

/* A workload: what to run at which sizes. From an XML file (schema runner/workload/workload.rng, docs/workload.md) or
 * from a command line. `{n}` (the parameter's name in braces) in arguments, stdin, environment, directory, files and
 * generator bodies is replaced by the size, `{dir}` by the run's scratch directory, `{shared}` by a directory that
 * lives as long as the study's run, `{env:NAME}` by the environment variable, `{{` by a brace
 * (runner/workload/expand.h). */

typedef struct sc_command {
  char **argv;          /* NULL-terminated; no shell */
  char *stdin_file;     /* NULL: /dev/null */
  char *stdout_file;    /* NULL: /dev/null */
  bool output_required; /* a run that writes nothing to stdout has failed */
  char **environment;   /* NULL-terminated NAME=value additions; may be NULL */
  char *directory;      /* NULL: where scale-run was started */
  int expect_status;    /* default: 0 */
  double timeout;       /* seconds; 0: none */
} sc_command;

/* A line or block repeated, to make an input file without a script. Body text may contain {n} and {i} (1..n). */
typedef struct sc_generator_part {
  char *text;
  char *repeat; /* "1", "{n}", "{n}*{n}", ...: an arithmetic expression of the parameter */
} sc_generator_part;
typedef struct sc_generator {
  char *file; /* "{dir}/input.md" */
  sc_generator_part *parts;
  size_t part_count;
  char *family; /* runner/family/family.h; NULL: the parts say what is written */
} sc_generator;

typedef struct sc_service {
  sc_command command;
  int wait_port;                 /* 0: none */
  char *wait_file, *wait_output; /* NULL: none */
  double wait_seconds;
  int stop_signal;
} sc_service;

typedef struct sc_budget {
  char *text;       /* "utilisation of order_lock at threads=64 <= 0.7" */
  char *metric;     /* "time", "memory", "calls", ..., of resources: "utilisation"; or "order" */
  char *subject;    /* function or resource; NULL: the whole program */
  double n;         /* 0 for an order */
  char *limit_text; /* as written; NULL: `limit` says it */
  double limit;     /* of time in seconds, of memory in bytes, of a share 0..1 */
  sc_order order;   /* of the metric "order" */
} sc_budget;

/* A parameter beside the focused one: with a few values, one of them the base at which everything but the models of
 * several parameters is studied. */
typedef struct sc_workload_other {
  char *name, *unit; /* unit may be NULL */
  enum sc_parameter_kind kind;
  double *values; /* [count] ascending, at least three; base is one of them */
  size_t count;
  double base;
  double *targets; /* [target_count] ascending: what is predicted; none: the base */
  size_t target_count;
} sc_workload_other;

/* What a search for inputs found with the family of the first generator. */
typedef struct sc_workload_found {
  char *what;            /* "grows", "crashes", "lasts", "memory" */
  char *place;           /* "loop", "call", "work"; NULL: unknown, as the next two */
  char *function, *file; /* the file without folders */
  double order;          /* exponent of bytes; 0: not told */
  double size;           /* that fails; 0: not told */
  int signal;            /* 0: not told */
} sc_workload_found;

typedef struct sc_workload {
  char *name, *title;
  char *parameter, *unit; /* the focused parameter, "n" */
  enum sc_parameter_kind kind;
  sc_workload_other others[SC_RUN_OTHERS];
  size_t other_count;
  double range_low, range_high, validation_low, validation_high;
  unsigned validation_count; /* random validation sizes; 0: the default, 5 */
  double *first;
  size_t first_count; /* first sizes; may be empty */
  double *targets;
  size_t target_count;
  unsigned repeats; /* runs per size, >= 1 */
  sc_command *setup;
  size_t setup_count; /* once, before the first run */
  sc_command *prepare;
  size_t prepare_count; /* before every run */
  sc_generator *generators;
  size_t generator_count; /* before every run, before prepare */
  sc_command command;     /* the load (a service's client, or the program under test itself) */
  sc_service *service;    /* NULL: none */
  sc_command *cleanup;
  size_t cleanup_count; /* after every run */
  sc_command *teardown;
  size_t teardown_count; /* once, at the end */
  char **roots;
  size_t root_count; /* functions to which the analysis is restricted */
  char **tasks;
  size_t task_count; /* functions that are a request's entry */
  sc_budget *budgets;
  size_t budget_count;
  sc_workload_found *found; /* NULL: it was written by a person */
  char *source;             /* the text it was read from, or a canonical XML of the command line */
} sc_workload;

/* The command whose program is measured: the service's, if there is one. */
static inline const sc_command *sc_workload_measured(const sc_workload *workload)
{
  return workload->service ? &workload->service->command : &workload->command;
}
int sc_workload_load(const char *path, sc_workload **workload) SC_CHECK;
int sc_workload_parse(const char *text, const char *name, sc_workload **workload) SC_CHECK;
/* *workload NULL: the study holds none. */
int sc_workload_of_study(sc_study *study, sc_workload **workload) SC_CHECK;
typedef struct sc_workload_words { /* of a command line; all but `parameter` may be NULL */
  const char *parameter; /* as in -P: "n=100..6400" or "n=100,200,400"; further ones "threads=1,2,4" or "m=1..64", with
                            semicolons between them */
  const char *targets;   /* as in --at: "1000000" or "1e6,2e6" */
  const char *kind;      /* as in --kind: "work" */
  const char *tasks;     /* as in --task, with semicolons between them */
  const char *others[SC_RUN_OTHERS]; /* as `targets`, of the further parameters in their order */
} sc_workload_words;
int sc_workload_from_command(const sc_workload_words *words, char **argv, sc_workload **workload) SC_CHECK;
/* Text as content or attribute of a workload file. */
void sc_workload_escape(const char *text, sc_buf *out);
void sc_workload_free(sc_workload *workload);

/* The further parameters' base values: fills others[SC_RUN_OTHERS], 0 for those not given. */
void sc_workload_base(const sc_workload *workload, double *others);
/* How to ask for other values of further parameters: "--at n=SIZE,threads=VALUE." */
void sc_workload_example(const sc_workload *workload, sc_buf *out);
/* Whether these are the base values. */
bool sc_workload_is_base(const sc_workload *workload, const double *others);
/* Its index among the further parameters, or other_count if none of them has this name. */
size_t sc_workload_find_other(const sc_workload *workload, const char *name);
/* Whether the study is run for other values of a further parameter than its base. */
bool sc_workload_elsewhere(const sc_workload_other *other);
/* Whether the program takes whole numbers only, as far as its range and its list of sizes tell. */
bool sc_workload_has_whole_sizes(const sc_workload *workload);
/* A size of about n (> 0) that people type and the program takes: n rounded up to two digits, and to a whole number. */
double sc_workload_round_up(const sc_workload *workload, double n);
/* Whether no size above the end of the range is run, whatever would help. */
bool sc_workload_is_closed(const sc_workload *workload);
/* Whether it is closed by its range alone; sizes that were listed are all that is wanted. */
bool sc_workload_may_open(const sc_workload *workload);
/* What placeholders stand for at a size, with the further parameters at others[SC_RUN_OTHERS] (NULL: at their bases);
 * refers to the workload's names. */
sc_expand_vars sc_workload_vars(const sc_workload *workload, double n, const double *others);

/* "200ms", "2s", "1e6", "1,000,000", "64k": parsing shared with the command line. */
int sc_workload_parse_size(const char *text, double *value) SC_CHECK;
int sc_workload_parse_time(const char *text, double *seconds) SC_CHECK;
/* Sizes separated by commas, blanks or semicolons: "1e6,2e6", "100 200 400"; "1,500,000" is one size, as 000 cannot be
 * one. *sizes is to be freed. */
int sc_workload_parse_sizes(const char *text, double **sizes, size_t *count) SC_CHECK;
/* "100..6400" or "100..6400+" (`open`); *range false: something else, such as a list. */
int sc_workload_parse_range(const char *text, bool *range, double *low, double *high, bool *open) SC_CHECK;
/* Values of a further parameter, which is called `name`: sizes, or a range "1..64" over which a few are spread, `base`
 * (0: none) among them. *values is to be freed. */
int sc_workload_parse_values(const char *text, const char *name, double base, double **values, size_t *count) SC_CHECK;

/* A budget as text: METRIC [of SUBJECT] at [NAME=]SIZE <= LIMIT, or order of FUNCTION <= ORDER. SC_E_INPUT with a hint.
 * What it names is looked for when a study is judged. To be released with sc_workload_free_budget, also after an error.
 */
int sc_workload_parse_budget(const char *text, const char *parameter, sc_budget *budget) SC_CHECK;
void sc_workload_free_budget(sc_budget *budget);

/* Hash (16 hex digits) over what decides the counts at a size: names and base values of parameters, generators,
 * commands, service. Title, ranges, sizes, targets, repeats, time-outs, roots, budgets, the parameter's kind and tasks
 * are left out: changing them keeps a study valid. */
int sc_workload_hash(const sc_workload *workload, char hash[17]) SC_CHECK;

/* Replaces the parameter's kind and the tasks, as --kind and --task say them; NULL leaves what is there. */
int sc_workload_set_tasks(sc_workload *workload, const char *kind, const char *tasks) SC_CHECK;
/* "data", "work", "threads", "clients", and back; SC_PARAMETER_DATA for any other text. */
const char *sc_workload_kind_name(enum sc_parameter_kind kind);
enum sc_parameter_kind sc_workload_kind(const char *name);
/* What a parameter of this name is taken for where nobody says it: "threads" and "workers" are threads, "clients" and
 * "connections" clients, all others data. */
enum sc_parameter_kind sc_workload_kind_by_name(const char *parameter);

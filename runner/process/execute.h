/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "profiles/scprof/reader.h"
#include "runner/process/seen.h"
#include "runner/workload/workload.h"

/* One run of a workload at one size: generators, preparation, service, command under the sampler, clean-up; then the
 * profiles it wrote are read and merged into the graph as a new run. */
typedef struct sc_uprobes sc_uprobes;
typedef struct sc_execute_options {
  const char *scratch; /* directory for the run's files, which are removed afterwards */
  bool keep;           /* keep them, named after the run */
  const char *event;   /* cost event, NULL: task-clock; "none": no sampling */
  double frequency;    /* samples a second; 0: the sampler's own choice */
  bool plain;          /* the program has no instrumentation: nothing is sampled or read, its times alone are kept */
  sc_uprobes *uprobes; /* count functions of a program without instrumentation; NULL: it has counters of its own */
  uint64_t trace;      /* the last events of each thread that the program keeps; 0: none */
  double deadline;     /* sc_clock_now() at which it is stopped with SC_E_TIMEOUT; 0: never. Not for <cleanup> */
  volatile int *interrupted; /* set by a signal handler: stop the target and return SC_E_INTERRUPTED */
  void (*warn)(void *user, const char *message, const char *hint); /* e.g. sampling refused, truncated profile */
  void *user;
} sc_execute_options;

typedef struct sc_execute_result {
  size_t run; /* index in the graph */
  sc_module *modules;
  size_t module_count;        /* owned by the result */
  sc_buf seen[SC_SEEN_KINDS]; /* what the code has and the numbers have not */
  char *output_tail;          /* last lines the command wrote to stderr, for error messages */
} sc_execute_result;

/* Whether costs are sampled: false for the event "none"; NULL: the usual one. */
bool sc_execute_samples(const char *event);
/* Runs once. Of `planned` n, others, role and repeat are given; the latter two are for the record. After an error the
 * graph is as before (but for new contexts), and nothing of the run is left. SC_E_TARGET, SC_E_TIMEOUT, SC_E_NOPROFILE,
 * SC_E_WORKLOAD, SC_E_DAMAGED, SC_E_NOSPACE, SC_E_INTERRUPTED, SC_E_INPUT. `result` is to be released with
 * sc_execute_result_free, after an error too. */
int sc_execute_once(const sc_workload *workload, const sc_run *planned, const sc_execute_options *options,
                    sc_graph *graph, sc_execute_result *result) SC_CHECK;
void sc_execute_result_free(sc_execute_result *result);
/* <setup> and <teardown>. */
int sc_execute_setup(const sc_workload *workload, const sc_execute_options *options) SC_CHECK;
int sc_execute_teardown(const sc_workload *workload, const sc_execute_options *options) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/study/study.h"
#include "runner/attach/attach.h"
#include "runner/process/execute.h"
#include "runner/workload/workload.h"

/* The study that attaches to one program add up to: a run each. */
typedef struct sc_attached {
  sc_study *study;
  int lock; /* descriptor of its file, held with flock */
  sc_graph *graph;
  sc_workload *workload;
  char *uprobes, *sets; /* what is probed; "": none */
  char *per;            /* function whose 1,000 calls are the unit of counts; "": `window` */
  char parameter[64];
  double size;
  double window; /* seconds: the unit of counts; 0: it has no run */
} sc_attached;

/* Opens or makes the study. SC_E_USAGE: the size, or that nothing is said to be probed; SC_E_MISMATCH: it is of
 * something else. To be closed with sc_attached_close, also after an error. */
int sc_attached_open(const sc_attach_options *options, const char *program, sc_attached *attached) SC_CHECK;
/* Saves the last run of the graph. SC_E_MISMATCH: the program is another one than in earlier runs. */
int sc_attached_save(sc_attached *attached, const sc_execute_result *result, double overhead) SC_CHECK;
void sc_attached_close(sc_attached *attached);

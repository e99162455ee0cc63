/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/attach/watch.h"

/* Attaches to a process that serves: the calls of the window become one run of a study, at the size that the user
 * gives (docs/attach.md). */
typedef struct sc_attach_options {
  pid_t process;
  const char *uprobes, *probe_sets; /* as of sc_drive_options; NULL, both: those of the study */
  const char *parameter;            /* "clients=8"; NULL: a size of 1 of what nobody named */
  const char *kind, *tasks;         /* as of sc_workload_words */
  const char *per;                  /* function that is called once a request; NULL: the study's, or none */
  double seconds, overhead;
  const char *study_path;
  volatile int *interrupted;
  void (*begun)(void *user, const sc_uprobes *uprobes, const sc_groups *groups); /* it is attached */
  void (*dropped)(void *user, const sc_group *group);
  void (*warn)(void *user, const char *message, const char *hint);
  void *user;
} sc_attach_options;

typedef struct sc_attach_result {
  sc_watch_result watch;
  sc_groups groups;
  double *calls;          /* [groups.count] counted and caught */
  uint64_t earlier, lost; /* releases of what was acquired before; events that were lost */
  char parameter[64];
  double size;
  size_t sizes;  /* distinct ones that the study has now */
  double window; /* seconds: the unit of the study's counts */
  char per[256]; /* the unit in place of it: 1,000 calls of this function; "": none */
} sc_attach_result;

/* SC_E_USAGE, SC_E_INPUT, SC_E_UNSUPPORTED, SC_E_MISMATCH with hints. The result is to be released with
 * sc_attach_result_free, also after an error. */
int sc_attach_once(const sc_attach_options *options, sc_attach_result *result) SC_CHECK;
void sc_attach_result_free(sc_attach_result *result);

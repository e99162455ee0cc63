/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/err.h"
#include "runner/process/lifetimes.h"
#include "runner/process/waits.h"
#include "runner/sampler/sampler.h"

/* A program in a process group of its own, started without a shell, with the signals and limits that scale-run was
 * started with (inherited.h). It waits before exec until it is released, so that whoever observes it sees its first
 * instruction. Whatever ends the wait (exit, time-out, interruption), no descendant stays behind, in whatever session
 * it is; nor does one when scale-run is killed, as its parent is a keeper (keeper/protocol.h) that sees to that. */
typedef struct sc_process sc_process;

typedef struct sc_process_options {
  char *const *argv;
  char *const *environment; /* NAME=value additions, NULL-terminated; may be NULL */
  const char *profile_dir;  /* value of SCALE_PROFILE_DIR; NULL: the variable is removed */
  uint64_t trace;           /* value of SCALE_TRACE; 0: the variable stays as it is */
  const char *directory;    /* NULL: stay */
  bool background; /* descendants outside its group may stay until sc_process_end_background: daemons it starts */
  const char *stdin_file, *stdout_file; /* NULL: /dev/null */
  const char *stderr_file;              /* NULL: kept in memory, the last lines only */
} sc_process_options;

typedef struct sc_process_end {
  bool timed_out, interrupted;
  bool
      wants_terminal; /* timed out while the terminal had stopped it, as it does with what reads it in the background */
  bool strays;        /* descendants outlived it and were killed */
  int exit_status;    /* valid if signal == 0 */
  int signal;         /* that ended it, or 0 */
  double wall_seconds; /* from release to exit */
  double ready;        /* seconds that its first thread was ready to run and had no processor; < 0: unknown */
  struct rusage usage; /* of it and the descendants it waited for */
} sc_process_end;

/* SC_E_WORKLOAD with hint when a file cannot be opened, SC_E_UNSUPPORTED without a scale-keeper. */
int sc_process_start(const sc_process_options *options, sc_process **process) SC_CHECK;
pid_t sc_process_pid(const sc_process *process);
/* Lets it exec; SC_E_TARGET if that fails. */
int sc_process_release(sc_process *process) SC_CHECK;

typedef struct sc_process_wait {
  double timeout;            /* seconds from now; 0: none */
  volatile int *interrupted; /* may be NULL */
  sc_sampler *sampler;       /* drained meanwhile; may be NULL */
  sc_waits *waits;           /* gathers what the process waits for; may be NULL */
  sc_lifetimes *lifetimes;   /* drained meanwhile; may be NULL */
} sc_process_wait;
/* Waits for the end. At a time-out the group gets SIGTERM, at an interruption SIGINT, and all descendants SIGKILL soon
 * after. */
int sc_process_wait_end(sc_process *process, const sc_process_wait *wait, sc_process_end *end) SC_CHECK;
/* Whether it has ended (then sc_process_wait_end returns at once). Waits up to `seconds`, draining the sampler. */
int sc_process_poll(sc_process *process, double seconds, sc_sampler *sampler, bool *ended) SC_CHECK;
void sc_process_signal(sc_process *process, int signal);
/* Kills what still runs, and releases. NULL is allowed. */
void sc_process_free(sc_process *process);
/* Ends what programs with `background` left: SIGTERM, and SIGKILL after a second. */
void sc_process_end_background(void);

/* A file that belongs to scale-run, beside it as installed; tests lie deeper in the build. False: it is not there. */
bool sc_process_find_part(const char *name, char *path, size_t size);
/* The program that starts all others: SC_E_UNSUPPORTED with hint if it is not installed. */
int sc_process_find_keeper(char *path, size_t size) SC_CHECK;
/* The last lines on stderr so far; never NULL. */
const char *sc_process_error_tail(const sc_process *process);
/* Arguments joined for messages, cut at about 200 bytes. */
void sc_process_describe(char *const *argv, char *text, size_t size);

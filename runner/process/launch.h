/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/process/execute.h"
#include "runner/process/process.h"
#include "runner/workload/expand.h"

/* A workload's command with its placeholders replaced. */
typedef struct sc_launch {
  char **argv, **environment;
  char *directory, *stdin_file, *stdout_file;
  uint64_t trace;  /* entries of SCALE_TRACE; 0: none */
  bool background; /* daemons that it starts stay until the study is closed */
  char name[200];  /* for messages */
} sc_launch;

/* Replaces {n} and the other placeholders in all that the command has. SC_E_INPUT of an unknown one, or an environment
 * variable that is not set: nothing is to be freed then. */
int sc_launch_expand(const sc_command *command, const sc_expand_vars *vars, sc_launch *launch) SC_CHECK;
/* As at the workload's smallest size, to look at its files before anything runs. */
int sc_launch_expand_smallest(const sc_workload *workload, const sc_command *command, sc_launch *launch) SC_CHECK;
void sc_launch_free(sc_launch *launch);
/* Starts it (not yet released). `profile_dir` and `stderr_file` as in sc_process_options. */
int sc_launch_start(const sc_launch *launch, const char *profile_dir, const char *stderr_file,
                    sc_process **process) SC_CHECK;
/* Turns an unexpected end into an error: SC_E_INTERRUPTED, SC_E_TIMEOUT, or `code` (SC_E_TARGET, SC_E_WORKLOAD), with
 * the last line of `tail` in the message. `what` is "the command", "prepare", ... */
int sc_launch_judge(const sc_command *command, const char *name, const char *what, const sc_process_end *end,
                    const char *tail, int code) SC_CHECK;
/* What is left of a time-out (0: none) now that there is a deadline, too: seconds, 0: none. */
double sc_launch_timeout(const sc_execute_options *options, double timeout);
/* Runs steps one after another that are not measured (setup, prepare, cleanup, teardown). */
int sc_launch_steps(const sc_command *commands, size_t count, const char *what, const sc_expand_vars *vars,
                    const sc_execute_options *options) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_PROCESS_INTERNAL_H
#define SC_RUNNER_PROCESS_INTERNAL_H
#include "runner/process.h"

/* Shared by process.c and process_spawn.c. */
enum { SC_PROCESS_STEP_FILES = 1, SC_PROCESS_STEP_DIRECTORY, SC_PROCESS_STEP_EXEC };

struct sc_process_child {
  const sc_process_options *options;
  char **environment;
  int in, out, error; /* become 0, 1, 2 */
  int gate, report;   /* close-on-exec */
};

/* What the child's environment refers to beside the options. */
typedef struct sc_process_variables {
  char *profile;
  char trace[40];
} sc_process_variables;

/* The child's environment; *out and variables->profile are to be freed, also after an error. */
int sc_process_environment(const sc_process_options *options, sc_process_variables *variables, char ***out) SC_CHECK;
/* Never returns. */
_Noreturn void sc_process_child(const struct sc_process_child *child);
#endif

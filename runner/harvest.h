/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_HARVEST_H
#define SC_RUNNER_HARVEST_H
#include "runner/execute.h"

/* Reads every *.scprof of a directory into the run, collects the modules in `result` and sets the run's build. One
 * unreadable profile makes the run fail, since its counts would be too small without anybody noticing. No profile at
 * all: SC_E_NOPROFILE. Counts that the target could not store: SC_E_NOSPACE. */
int sc_harvest_profiles(const char *directory, sc_graph *graph, size_t run, const sc_execute_options *options,
                        sc_execute_result *result) SC_CHECK;
/* Sets message and hint for the program (looked up from `directory`) that should have written a profile into
 * `profiles`. Returns SC_E_NOPROFILE, or SC_E_NOSPACE if there was no room for one. */
int sc_harvest_missing(char *const *argv, const char *directory, const char *profiles);
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/process/execute.h"
#include "runner/process/lifetimes.h"

/* Reads every *.scprof of a directory into the run, collects the modules in `result` and sets the run's build. What
 * killed processes left unfinished, and files that are no profiles, are losses of the run. No readable profile at all:
 * SC_E_NOPROFILE. Counts that found no room on the disk: SC_E_NOSPACE. `lifetimes` may be NULL. */
int sc_harvest_profiles(const char *directory, const sc_lifetimes *lifetimes, sc_graph *graph, size_t run,
                        const sc_execute_options *options, sc_execute_result *result) SC_CHECK;
/* Whether a directory has a profile. */
bool sc_harvest_any(const char *directory);
/* What to do where profiles could not be stored for this reason (a run's lost_reason). */
const char *sc_harvest_reason_hint(int reason);
/* Sets message and hint for the program (looked up from `directory`) that should have written a profile into
 * `profiles`. Returns SC_E_NOPROFILE, or SC_E_NOSPACE if there was no room for one. */
int sc_harvest_missing(char *const *argv, const char *directory, const char *profiles);

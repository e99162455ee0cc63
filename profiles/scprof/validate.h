/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/scprof/reader.h"

/*
 * Post-profiling validation (gigiprofiler 3.5.1): what a probe set or an annotation claims of a function is held
 * against the trace of what happened. A unit is acquired, then used, then released; who waits, waits for somebody who
 * has it, and for a while. Functions whose events break that in more than a tenth of all cases, and twice at least,
 * don't do what was claimed: they are discarded, each with the reason.
 */

/* Checks the traces of all profiles of a run together (some resources are shared between processes) and adds what is to
 * be discarded to the graph, whose sc_reader_merge then leaves it out: so this comes before the run's profiles are
 * merged. Nothing happens where no profile has a trace. docs/validation.md says what is checked, and why. */
int sc_validate_profiles(sc_reader *const *readers, size_t count, sc_graph *graph) SC_CHECK;

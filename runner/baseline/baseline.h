/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/loaded/load.h"

/*
 * A baseline: what `diff` needs of a study, as a small, sorted JSON file to be committed (docs/baseline.schema.json).
 * It holds what was measured, not what was fitted, so that both sides of a comparison are fitted by the same engine.
 */
enum { SC_BASELINE_VERSION = 1 };

/* Whether the file begins as JSON does; false too if it cannot be read. */
bool sc_baseline_is(const char *path);
/* As sc_loaded_read, of a baseline. *machine: where it was measured, to be freed, or NULL. SC_E_INPUT with what is
 * wrong for anything but a baseline, SC_E_VERSION for one of a later version. */
int sc_baseline_load(const char *path, const sc_fit_options *fit, const double *targets, size_t target_count,
                     sc_loaded *loaded, char **machine) SC_CHECK;
/* The same of a text, up to what was measured: nothing is fitted, and what stays empty is. `name` stands in messages.
 * The graph and the workload are to be freed in any case. */
int sc_baseline_parse(const char *text, size_t length, const char *name, sc_loaded *loaded, char **machine) SC_CHECK;
/* Writes the baseline of a study, which was measured on `machine`; NULL: unknown. */
int sc_baseline_write(FILE *out, const sc_loaded *loaded, const char *machine) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_CLI_COMBINATIONS_H
#define SC_RUNNER_CLI_COMBINATIONS_H
#include "runner/options/options.h"
#include "runner/several/open.h"

/* What a verb does at one combination: prints where the options say, and returns 0, 1 or an error. `cache`: of the
 * judges it opens. */
typedef int (*sc_combination_fn)(const sc_options *options, sc_judge_cache *cache);

/* A verb at each combination of further parameters in --at, "n=1e6,threads=8,64" two of them, and its documents as one.
 * 1 if `one` ever returns it. */
int sc_combinations_each(const sc_options *options, sc_combination_fn one) SC_CHECK;
#endif

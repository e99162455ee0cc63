/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_CLI_COMBINATIONS_H
#define SC_RUNNER_CLI_COMBINATIONS_H
#include "runner/options/options.h"

/* A verb at each combination of further parameters in --at, "n=1e6,threads=8,64" two of them, and its documents as one.
 * `one` prints where the options say and returns 0, 1 or an error; 1 if it ever does. */
int sc_combinations_each(const sc_options *options, int (*one)(const sc_options *options)) SC_CHECK;
#endif

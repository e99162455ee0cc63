/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_LOADED_NAMED_H
#define SC_RUNNER_LOADED_NAMED_H
#include "runner/cli/options.h"

/* What a command line names. */

/* The study. */
const char *sc_named_study(const sc_options *options);
/* The resource that `blame` names; NULL: none. */
const char *sc_named_resource(const sc_options *options);
#endif

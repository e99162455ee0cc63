/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/options/options.h"
#include "runner/workload/workload.h"

/* What a command line names. */

/* The study. */
const char *sc_named_study(const sc_options *options);
/* The resource that `blame` names; NULL: none. */
const char *sc_named_resource(const sc_options *options);
/* Whether --at names a further parameter of the workload; what cannot be read is left to whoever means one parameter.
 */
bool sc_named_other(const char *at, const sc_workload *workload);

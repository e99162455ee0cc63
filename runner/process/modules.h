/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/process/execute.h"

/* The programs and libraries of a run, by which builds are told apart. */

/* Adds one (copied) that is not there yet; without a build ID it gets a hash of its content. */
int sc_modules_add(const sc_module *module, sc_execute_result *result) SC_CHECK;
/* Puts them in order, and sets the run's build. */
void sc_modules_set_build(sc_execute_result *result, sc_run *run);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/workload/expand.h"
#include "runner/workload/workload.h"

/* Writes a generator's file for the size in `vars` (its {i} is set here). SC_E_NOSPACE on a full disk, SC_E_WORKLOAD
 * if the file cannot be written, SC_E_INTERRUPTED when *interrupted (may be NULL) becomes non-zero, SC_E_TIMEOUT
 * when sc_clock_now() reaches `deadline` (0: none). */
int sc_generate_file(const sc_generator *generator, const sc_expand_vars *vars, volatile int *interrupted,
                     double deadline) SC_CHECK;

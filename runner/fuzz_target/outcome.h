/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_FUZZ_TARGET_OUTCOME_H
#define SC_RUNNER_FUZZ_TARGET_OUTCOME_H
#include "runner/fuzz_target/server.h"

/* What an end means under a limit of `memory` bytes (0: none). Nobody tells why an allocation failed: a program that
 * fails with much of its limit in use ran out of memory. */
enum sc_fuzz_outcome sc_forks_outcome(const sc_forks_end *end, uint64_t memory);
#endif

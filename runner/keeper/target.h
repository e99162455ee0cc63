/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <sys/types.h>

#include "runner/keeper/protocol.h"

/* The program under test, before its exec. */
typedef struct sc_target {
  const sc_keeper_order *order;
  const char *directory;
  char **arguments, **variables;
  pid_t keeper;
  int gate, report; /* one byte lets it go; what failed: {step, errno}. Close-on-exec */
} sc_target;

/* The child's side of the fork: gives itself the state that scale-run was started with, waits for the gate, execs.
 * Never returns. */
_Noreturn void sc_target_begin(const sc_target *target);

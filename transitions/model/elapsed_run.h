/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"

/* What a run's elapsed seconds went to. Several threads may use more processor seconds than pass. */
typedef struct sc_elapsed_run {
  double processor; /* user and system seconds, of all threads and processes */
  double on;        /* that passed while it was on a processor */
  double ready;     /* that it waited for one; 0: not measured */
  double waiting;   /* the rest */
} sc_elapsed_run;
/* Without measured waits all that was not processor time is `waiting`. */
sc_elapsed_run sc_elapsed_of_run(const sc_run *run);

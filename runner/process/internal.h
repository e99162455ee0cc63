/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/keeper/protocol.h"
#include "runner/process/process.h"

/* Shared by process.c and spawn.c. */

/* The program's descriptors 0 to 2. */
typedef struct sc_process_ends {
  int in, out, error;
} sc_process_ends;

/* Starts a keeper for the program; `name` is what ps shows. *control is the socket to it. */
int sc_process_spawn(const sc_process_options *options, const sc_process_ends *ends, const char *name, pid_t *keeper,
                     int *control) SC_CHECK;
/* SC_E_IO with the system's error and the hint that helps when descriptors have run out. */
int sc_process_descriptor_error(int errnum, const char *what);

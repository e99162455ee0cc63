/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>

#include "runner/workload/workload.h"

/* runner/workload/workload.rng, embedded when built. */
extern const unsigned char sc_workload_schema[];
extern const unsigned sc_workload_schema_bytes;

/* An empty workload with the defaults; NULL when out of memory. */
sc_workload *sc_workload_new(void);
/* Fills what was left open (validation range, targets stay) and checks what holds between the fields: order of ranges,
 * sizes above 0. Messages have no file name; the caller prefixes one. */
int sc_workload_complete(sc_workload *workload) SC_CHECK;
/* Appends a copy of `text` to a NULL-terminated list. */
int sc_workload_append(char ***list, const char *text) SC_CHECK;
/* Parameters beside the focused one: sorts their values, and checks that names and values differ. */
int sc_workload_complete_others(sc_workload *workload) SC_CHECK;
void sc_workload_free_tasks(sc_workload *workload);

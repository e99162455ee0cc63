/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_RESOURCES_CONDITIONS_H
#define SC_RUNNER_RESOURCES_CONDITIONS_H
#include "base/buf.h"
#include "runner/judge/judge.h"

/* Whether a resource is a condition that threads wait for to take something: that is a semaphore of its name, and has
 * its waits. */
bool sc_condition_has_units(const sc_graph *graph, uint32_t resource);
/* Conditions that no pool is known behind: a sentence on those that threads waited for at the largest size, and one on
 * those that were signalled and never waited for. Each stays empty where there are none. */
void sc_unjudged_conditions_text(const sc_judge *judge, sc_buf *waited_for, sc_buf *signalled);
#endif

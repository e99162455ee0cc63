/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"
#include "transitions/resources/queue.h"

/* Solves the queue of exclusive holds among shared ones, which are part of its think time: those in it delay an
 * exclusive hold, and exclusive holds keep readers waiting. Without shared holds it is sc_queue_solve. Share and cycle
 * are those of all threads; utilisation that of exclusive holds. */
sc_queue_result sc_readers_solve(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *queue);
/* Share of the time of those that write that they wait, 0..1, by the same queue, if shared holds are `longer` times as
 * long as they were; 0 without shared holds. `in_step`: all readers come and leave together, as one does. */
double sc_readers_kept_out(const sc_resources *r, const sc_resource_cell *cell, const sc_queue *queue, double longer,
                           bool in_step);
/* Share of all acquires that can wait if exclusive holds use that share of the time: those of writers, and of readers
 * those that come while one has it. A writer that waits keeps no reader out. */
double sc_readers_can_wait(const sc_resources *r, const sc_resource_cell *cell, double utilisation);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/*
 * Locks that are taken while another one is held: the wait for the inner one is part of the outer one's hold, and grows
 * with the threads. docs/resources.md, "Locks inside of locks". Both queues are solved in turn, each with what the
 * other one adds to its times or keeps of its customers (surrogate delays: Jacobson and Lazowska, 1982).
 */
/* Looks for them in all runs: both halves of the sizes show how holds changed, and the larger one what they come to.
 * Only where the parameter counts workers. */
int sc_inner_locks_find(sc_resources *r) SC_CHECK;
void sc_inner_locks_free(sc_resources *r);
/* The time of a hold, or the think time after it, in seconds, beyond the sizes, where `time` is what its model says:
 * the hold as waits for the lock inside of it make it, or at least as long if it gets longer by something else, too. */
int sc_inner_locks_lengthen(const sc_resources *r, const sc_resource_cell *cell, int metric, double n,
                            sc_interval *time) SC_CHECK;
/* Which part of the customers of a lock at n does not wait for one around it. *least: where as little is asked for as
 * may be, so that fewer wait there. */
int sc_inner_locks_kept(const sc_resources *r, const sc_resource_cell *cell, double n, double *kept,
                        double *least) SC_CHECK;
/* Seconds of one hold at n that are spent waiting for the lock inside of it; *inner: which one. 0: none is known. */
int sc_inner_locks_inside(const sc_resources *r, const sc_resource_cell *cell, double n, double *seconds,
                          uint32_t *inner) SC_CHECK;
/* Whether one of them is waited for inside of the other: sc_inner_locks_kept has what they do to each other. */
bool sc_inner_locks_are_pair(const sc_resources *r, const sc_resource_cell *a, const sc_resource_cell *b);

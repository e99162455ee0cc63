/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/*
 * What threads are there for, as the contexts of a profile tell it: threads that begin in the same function are of one
 * role. A function that all threads begin with and that calls another one in each (a thread class' start routine) is
 * none of its own.
 */

/* The context of the function that stands for the role of the threads that reach a context. */
uint32_t sc_rrole_of(const sc_resources *r, uint32_t context);
bool sc_rrole_in(const uint32_t *roles, size_t count, uint32_t role);
/* Adds one that is not there yet; false: it is, or there are `most`. */
bool sc_rrole_add(uint32_t *roles, size_t *count, size_t most, uint32_t role);
/* How often that function was entered in a run: threads of the role, also such as lived one after another. */
double sc_rrole_threads(const sc_resources *r, size_t run, uint32_t role);

/* Whether the first call stands in front of the second one (-1) or behind it (1) in the innermost function or loop that
 * leads to both; 0: neither. */
int sc_rcall_order(const sc_resources *r, const sc_rcall *first, const sc_rcall *second);
/* The statement of `around`, a context at or above the call's, that leads to the call: its line; 0: not known. *below:
 * the context right below `around` on the way, or that itself where the call stands in it. */
uint32_t sc_rcall_line_in(const sc_resources *r, const sc_rcall *call, uint32_t around, uint32_t *below);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Finds the processor time of all resources whose demand `known` knows: `r` itself, or resources with the same cells.
 */
int sc_rprocessors_find(const sc_resources *known, sc_resources *r) SC_CHECK;
/* The same for other runs: each as runs[count] of `from`, or not known (SIZE_MAX). *copy is freed with its cell, also
 * after an error. */
int sc_rprocessors_copy(const sc_rprocessors *from, const size_t *runs, size_t count, sc_rprocessors **copy) SC_CHECK;

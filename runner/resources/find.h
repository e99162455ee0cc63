/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"

/* The resource a command line means: by its name, by "name (file:line)", or by a part of that which only one has.
 * SC_E_USAGE with the candidates, or with the nearest name, where none or more than one fits. */
int sc_resource_find(const sc_graph *graph, const char *text, uint32_t *number) SC_CHECK;
/* The same, and also by the name that a finding has: "heap of put (cache.c:80)", "heap of put". Of several
 * calls one is "heap of put (cache.c:80), in main > serve > put". A pool of threads is its condition. */
int sc_resource_find_spot(const sc_judge *judge, const char *text, sc_resource_spot *spot) SC_CHECK;
/* The one that is waited for longest at the largest size; where nobody waits, that of the worst finding. SC_E_INPUT if
 * there is neither. */
int sc_resource_find_worst(const sc_judge *judge, uint32_t *number) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/*
 * Queues of work behind condition variables: threads of one role wait for the condition until others, their clients,
 * have put something there and signal it. Such a pool is a resource with as many units as it has threads. A request is
 * an acquire, its service the hold. docs/resources.md, "Pools behind conditions", has the rules.
 */
/* Looks for pools, and makes the cells of their conditions say what a resource's do. Only where the parameter is a
 * number of threads or clients. */
int sc_rpools_find(sc_resources *r) SC_CHECK;
void sc_rpools_free(sc_resources *r);

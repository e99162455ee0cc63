/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/*
 * Waits that no run saw. Threads that live shortly may have ended when the next one begins: they never meet, and the
 * profile has them as one. In other runs, or more of them, they may. If none of all acquires waited, waits are at most
 * as frequent as what is missed by chance in that number (Poisson).
 */

/* Whether several threads or processes may come to it, at a time or by luck one after another. */
bool sc_unseen_overlap(const sc_resources *r, const sc_resource_cell *cell);
/* Upper ends for a resource that is waited for and never was: share of the acquires at n that wait, and seconds of one
 * acquire. Both 0 where waits were seen, or nobody can meet. */
int sc_unseen_waits(const sc_resources *r, const sc_resource_cell *cell, double n, double *share,
                    double *wait) SC_CHECK;

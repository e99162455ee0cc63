/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Finds of every lock that is shared which of its threads read, and which write (sc_rsharing). */
void sc_rsharing_find(sc_resources *r);
/* Of `threads` at a size, those that write, and those that read; all of them where that is not known. */
double sc_rsharing_writers(const sc_resource_cell *cell, double threads);
double sc_rsharing_readers(const sc_resource_cell *cell, double threads);
/* Share of those that write that read as well, 0..1. */
double sc_rsharing_both(const sc_resource_cell *cell);
/* Whether nobody does both, and how often each of them comes is known. */
bool sc_rsharing_apart(const sc_resource_cell *cell);
/* Then: the think time of `threads` threads that hold it alone for `hold` as often as those that write do. */
double sc_rsharing_think(const sc_resource_cell *cell, double threads, double hold);

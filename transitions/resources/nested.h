/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "transitions/resources/cells.h"

/* What holders of a resource wait for while they hold it. */

/* Fills in `nested` of a finding about a resource as a whole, the longest first, from the runs at the largest size. */
int sc_nested_fill(const sc_resources *r, const sc_resource_cell *cell, sc_resource_finding *finding) SC_CHECK;
/* " While it is held its holder waits 61% of the time for index_lock (crowd.c:10), in find (crowd.c:32)."; nothing if
 * it doesn't. */
void sc_nested_tell(const sc_resources *r, const sc_resource_finding *finding, sc_buf *out);
/* The same as an instruction, if the holder waits for one thing for most of the time. True: that is another resource,
 * and nothing else would help. */
bool sc_nested_advise(const sc_resources *r, const sc_resource_finding *finding, sc_buf *out);
/* Puts findings about what holders wait for most of the time in front of those about what they hold meanwhile, among
 * findings of one severity. The findings are ranked. */
void sc_nested_order(sc_resources *r);

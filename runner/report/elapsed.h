/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/report/text.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/waiting.h"

/* Elapsed time beside processor time (transitions/model/elapsed.h). */

/* Whether the two differ at n by more than a tenth, so that elapsed time has numbers of its own. */
bool sc_report_elapsed_differs(const sc_judge *judge, double n);
/* "92% of the elapsed time at n = 64,000 is not processor time: 80% sleeping, 12% waiting for I/O.": where most of it
 * is not. Where less is, and a tenth or more is spent ready for busy processors, that. Else false, and nothing. */
bool sc_report_elapsed_note(const sc_judge *judge, double n, sc_buf *text);
/* The same of these parts; `where`: "n = 64,000, threads = 8". */
bool sc_report_elapsed_parts_note(const sc_elapsed_parts *parts, const char *where, sc_buf *text);
/* Of `told` seconds that calls wait in one thread: how much of it is ready time in the parts, too, as a call's time goes
 * on until its thread has a processor again. Nothing where that is less than a tenth. */
void sc_report_elapsed_shared_note(const sc_elapsed_parts *parts, double told, sc_buf *text);
/* "sleeping in poll_device (app.c:41), by usleep, grows as n^2; at n = 64,000: 12 s of the 13 s that pass": a place
 * whose calls certainly wait superlinearly at the horizon; false, and no text, without one. */
bool sc_report_elapsed_superlinear(const sc_judge *judge, sc_buf *text);

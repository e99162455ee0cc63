/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/buf.h"
#include "runner/fit/solve.h"

/* JSON, written as it comes. */
void sc_emit_text(sc_buf *out, const char *text); /* as it is */
void sc_emit_number(sc_buf *out, double value);   /* null if not finite; whole numbers without exponent */

void sc_emit_shown(sc_buf *out, const char *text); /* in quotes, as sc_utf8_show shows it */
/* Writes what is there, and empties it. */
int sc_emit_flush(sc_buf *out, FILE *stream) SC_CHECK;

/* One object of a series, without the end of a line. */
int sc_emit_series(sc_buf *out, const sc_solved *solved) SC_CHECK;
/* The measurements of a series as Extra-P reads them: a line for each point. */
void sc_emit_points(sc_buf *out, const sc_store_series *series);

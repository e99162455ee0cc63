/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/fit/input.h"

/* Plain text in words and numbers. */

sc_view sc_words_trim(sc_view text); /* without blanks at its ends */
/* Takes the next word, up to a blank, off the front of *text; false at the end. */
bool sc_words_next(sc_view *text, sc_view *word);
/* The whole text as a decimal number; "nan" and "inf" are taken, so that the caller can say what of. False if it is
 * none. */
bool sc_words_number(sc_view text, double *value);
/* Seconds in a unit of time: "s", "ms", "us" or "ns"; 0 for any other. */
double sc_words_seconds(sc_view unit);
/* The unit of time that a metric's name ends with: "time (ms)", "time [ms]", "time_ms", "wall_seconds". Brackets are
 * taken off the name. Without one *unit is unchanged. */
void sc_words_take_unit(sc_view *metric, sc_view *unit);
/* SC_E_INPUT with the column if the line is not UTF-8. */
int sc_words_check(sc_view line) SC_CHECK;

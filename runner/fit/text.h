/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/fit/solve.h"
#include "runner/text/terminal.h"

/* `scale-run fit` for people: a table of a row for each series, printed in parts, so that any number will do. */
typedef struct sc_fit_text sc_fit_text;
/* `width` columns; sc_fit_text_end prints what is not printed yet. SC_E_NOMEM; freeing NULL does nothing. */
int sc_fit_text_new(FILE *out, int width, sc_style style, sc_fit_text **text) SC_CHECK;
int sc_fit_text_add(sc_fit_text *text, const sc_solved *solved) SC_CHECK;
int sc_fit_text_end(sc_fit_text *text) SC_CHECK;
void sc_fit_text_free(sc_fit_text *text);

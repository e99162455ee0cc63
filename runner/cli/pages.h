/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/options/options.h"

/* What the program says about its command line, all of it made from runner/options/options.def and
 * transitions/findings/rules.def. `verb` SC_VERB_COUNT: of the program as a whole. */

/* Help for people, wrapped to `width` columns. */
void sc_help_print(FILE *out, enum sc_verb verb, int width);
/* scale-run(1) or scale-run-VERB(1), as roff. */
void sc_man_print(FILE *out, enum sc_verb verb);
/* Completions, to be put where the shells look for them. */
void sc_bash_print(FILE *out);
void sc_zsh_print(FILE *out);
void sc_fish_print(FILE *out);

/* --help=PAGE: "man", "bash", "zsh" or "fish". SC_E_USAGE for any other. */
int sc_pages_print(FILE *out, const char *page, enum sc_verb verb) SC_CHECK;

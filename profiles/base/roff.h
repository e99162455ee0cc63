/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

/* Man pages: plain text into roff, in the macros of man(7). */

/* The first lines: title, NAME. `name`: "scale-run-report"; `source`: the table it is made from. */
void sc_roff_begin(FILE *out, const char *name, const char *summary, const char *source);
/* .SH, .SS */
void sc_roff_section(FILE *out, const char *title);
void sc_roff_subsection(FILE *out, const char *title);
/* Text that ends its line; nothing in it is taken for a request or an escape. */
void sc_roff_line(FILE *out, const char *text);
/* The same without an end of line, inside a line; at most `bytes` of it. */
void sc_roff_text(FILE *out, const char *text, size_t bytes);
/* A paragraph that begins with a term, or a command to be typed, in bold. */
void sc_roff_term(FILE *out, const char *term, const char *text);
/* "SEE ALSO": names of pages of section 1, in their order, up to a NULL. */
void sc_roff_see(FILE *out, const char *const *names);

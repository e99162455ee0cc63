/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdio.h>

/* What an output can show. */
enum { SC_TERMINAL_WIDTH = 100 };
bool sc_terminal_is(FILE *out);   /* a terminal that understands cursor movement */
bool sc_terminal_utf8(void);      /* the locale's characters are UTF-8 */
int sc_terminal_width(FILE *out); /* of the terminal, at most 100; 100 elsewhere */

/* Escape sequences, or "" without colour. */
typedef struct sc_style {
  const char *bold, *dim, *red, *yellow, *off;
} sc_style;
/* With colours on a terminal, unless NO_COLOR is set. */
sc_style sc_terminal_style(FILE *out);
/* A line "label text", the label in a style. The text may have come from a file: it is made fit to be printed. */
void sc_terminal_say(FILE *out, const char *style, const char *label, const char *text);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "runner/text/terminal.h"

struct sc_notices;

/* What the end of `run` leaves out where a screen has no room for it: each also what those before it do. */
enum sc_terse { SC_TERSE_NOTHING, SC_TERSE_CAVEATS, SC_TERSE_NOTES, SC_TERSE_SHARES, SC_TERSE_TARGETS };

/* How texts for people are printed: at most `width` columns. */
typedef struct sc_text_options {
  size_t top;                       /* findings printed in full; 0: 10 */
  bool all;                         /* also those that cost next to nothing */
  bool details;                     /* each in full: context, evidence, rivals, all places */
  bool resources;                   /* all of them, not only those that matter */
  bool brief;                       /* one paragraph a finding, without context and tables: the end of `run` */
  enum sc_terse terse;              /* what is left out: caveats, notes on times, shares, smaller targets */
  const struct sc_notices *notices; /* which of them are accepted; NULL: none */
  int width;
  sc_style style;
} sc_text_options;

enum { SC_TEXT_INDENT = 3, SC_TEXT_LABEL = 15 }; /* columns before a label, and before the text behind it */
/* "   Evidence    text", wrapped. */
void sc_text_labelled(FILE *out, const char *label, const char *text, const sc_text_options *options);
/* "high", "medium" or "low". */
const char *sc_text_confidence(double confidence);

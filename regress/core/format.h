/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "regress/core/model.h"

/* A formula being written into a buffer that may be too small: as snprintf in a row, what does not fit is counted. */
typedef struct sc_sink {
  char *text;
  size_t size, length;
  bool programs;  /* for programs: "3 * n", all digits; else for people: "3 n" */
  bool exact;     /* coefficients are exact: fractions are written as such */
  bool brief;     /* for tables and headlines: few digits */
  double seconds; /* brief: coefficients are times, one unit is this long; 0: numbers */
} sc_sink;

/* Writes to text[size], always NUL-terminated if size > 0; `length` is what all of it takes. */
sc_sink sc_sink_open(char *text, size_t size, bool programs, bool exact);
void sc_sink_put(sc_sink *sink, const char *format, ...) SC_PRINTF(2, 3);
/* What stands between factors. */
const char *sc_sink_times(const sc_sink *sink);

/* A model as a part of another formula, in its style. Returns the length as snprintf does. */
int sc_format_like(const sc_sink *other, const sc_model *model, const char *variable, char *text, size_t size);

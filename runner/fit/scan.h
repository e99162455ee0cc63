/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/fit/input.h"

/*
 * Reads JSON (RFC 8259) value by value from memory, without building a tree: trees of cJSON, one a line, take 0.8 s of
 * processor time for a million lines of measurements, more than `fit` takes for all that it does with them (0.7 s).
 * Errors are SC_E_INPUT and say the column (the line as well where there are several).
 */
typedef struct sc_scan {
  const char *start, *at, *end;
  char *unescaped; /* strings with escapes, one behind the other */
  size_t unescaped_length, unescaped_capacity;
  bool first; /* nothing of the object or array just begun is read */
} sc_scan;

enum { SC_SCAN_DEPTH = 64 };

void sc_scan_begin(sc_scan *scan, sc_view text); /* keeps buffers; zero-initialise before the first time */
void sc_scan_free(sc_scan *scan);

/* The kind of the next value by its first character: '{', '[', '"', '0' (a number), 't', 'f', 'n'; else 0. */
char sc_scan_kind(sc_scan *scan);
int sc_scan_open(sc_scan *scan, char bracket) SC_CHECK; /* '{' or '['; `what` is expected */
/* Within an object: 1 and the next key, 0 behind its end. Within an array: 1 before the next value, 0 behind its end.
 */
int sc_scan_member(sc_scan *scan, sc_view *key) SC_CHECK;
int sc_scan_element(sc_scan *scan) SC_CHECK;
/* Strings are valid UTF-8 without NUL characters. They live until sc_scan_begin. */
int sc_scan_string(sc_scan *scan, sc_view *text) SC_CHECK;
/* NaN and the infinities, which some programs write, are taken too, so that the caller can say what of is infinite; a
 * number beyond all doubles is infinite. */
int sc_scan_number(sc_scan *scan, double *value) SC_CHECK;
/* All of a document that is an object: `each` reads every element of the list `name`; the rest is skipped. SC_E_INPUT
 * without such a list. */
int sc_scan_list_of(sc_scan *scan, const char *name, int (*each)(void *user), void *user) SC_CHECK;
int sc_scan_skip(sc_scan *scan) SC_CHECK;   /* any value, at most SC_SCAN_DEPTH deep */
int sc_scan_finish(sc_scan *scan) SC_CHECK; /* nothing but blanks may follow */
/* SC_E_INPUT at the current place: "column 17: <message>". */
int sc_scan_fault(const sc_scan *scan, const char *message) SC_CHECK;

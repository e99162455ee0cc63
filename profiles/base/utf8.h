/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_BASE_UTF8_H
#define SC_BASE_UTF8_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

/* Bytes of the UTF-8 sequence at text, of which `left` bytes are there; 0 if there is none: overlong forms, surrogates
 * and what is beyond U+10FFFF are none, nor is a NUL. */
size_t sc_utf8_length(const char *text, size_t left);
/* The same, and 0 for controls (C0, C1) and format characters that change the direction, the lines or the looks of what
 * is around them: of what may be given to a terminal, or to a reviewer. */
size_t sc_utf8_printable(const char *text, size_t left);
/* Appends a text of which nobody knows where it comes from as it may be printed: each byte of what is not printable as
 * a question mark. */
void sc_utf8_show(const char *text, sc_buf *out);
void sc_utf8_print(const char *text, FILE *out); /* the same */
/* Prints a JSON document: what is not printable in its strings as \uXXXX, which has the same value; bytes that are not
 * UTF-8 as U+FFFD. */
void sc_utf8_print_json(const char *json, FILE *out);
/* Writes a code point (not a surrogate), at most 4 bytes; returns how many. */
size_t sc_utf8_write(uint32_t code, char *text);
#endif

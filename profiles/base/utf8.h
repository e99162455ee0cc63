/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

/* Bytes of the UTF-8 sequence at text, with `left` bytes there; 0 if it is invalid: overlong forms, surrogates
 * and what is beyond U+10FFFF are none, nor is a NUL. */
size_t sc_utf8_length(const char *text, size_t left);
/* The same, and 0 for controls (C0, C1), for characters that change the direction or the lines of what is around them,
 * and for those that nobody sees: of what may be given to a terminal, or to a reviewer. */
size_t sc_utf8_printable(const char *text, size_t left);
enum { SC_UTF8_SHOWN = 12 };
/* Writes the first character of `left` > 0 bytes of text in a form that may be printed, with a NUL: the character if it
 * is printable, an escape like C's "\u202e" if it is beyond ASCII, else "?". Returns the bytes it takes in the text; 1
 * for a byte that is not UTF-8. */
size_t sc_utf8_show_one(const char *text, size_t left, char shown[SC_UTF8_SHOWN]);
/* Appends a text of unknown origin as it may be printed, character by character as above. */
void sc_utf8_show(const char *text, sc_buf *out);
void sc_utf8_print(const char *text, FILE *out); /* the same */
/* Prints a JSON document: what is not printable in its strings as \uXXXX, which has the same value; bytes that are not
 * UTF-8 as U+FFFD. */
void sc_utf8_print_json(const char *json, FILE *out);
/* Writes a code point (not a surrogate), at most 4 bytes; returns how many. */
size_t sc_utf8_write(uint32_t code, char *text);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A text in lines. Compilers count columns in bytes from 1, editors in UTF-16 units from 0. */
typedef struct sc_lines { /* zero-initialise */
  char *text;
  size_t *starts; /* [count + 1] */
  uint32_t count; /* at least 1 once it was set */
} sc_lines;

int sc_lines_set(sc_lines *lines, const char *text) SC_CHECK; /* copies it */
void sc_lines_free(sc_lines *lines);
/* A line, counted from 0, without its end; NULL behind the last one. */
const char *sc_lines_at(const sc_lines *lines, uint32_t line, size_t *length);
/* UTF-16 units before a byte of a line; bytes that are no UTF-8 count 1 each. */
uint32_t sc_lines_units(const char *line, size_t length, size_t byte);
/* The byte at which `units` end; `length` behind the end. */
size_t sc_lines_byte(const char *line, size_t length, uint32_t units);
/* The identifier that a byte of a line is in or behind: its first byte, and *size; 0: none there. */
size_t sc_lines_word(const char *line, size_t length, size_t byte, size_t *size);

/* Where a line of an earlier text stands in a later one, if all that changed lies between the lines that both begin and
 * end with. False if it was changed itself; then it is where the change is. */
typedef struct sc_lines_shift {
  uint32_t before, after;  /* equal lines at the beginning and at the end */
  uint32_t earlier, later; /* number of lines */
} sc_lines_shift;
/* See sc_lines_shift; refers to neither text. *line, from 0, is changed in place. */
sc_lines_shift sc_lines_compare(const sc_lines *earlier, const sc_lines *later);
bool sc_lines_move(const sc_lines_shift *shift, uint32_t *line);

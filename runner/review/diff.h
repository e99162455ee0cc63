/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Lines that a unified diff adds or changes, of the new files. */
typedef struct sc_diff_lines {
  uint32_t first, last; /* 1-based, both included */
} sc_diff_lines;
typedef struct sc_diff_file {
  char *path; /* as in "+++ b/PATH", without "b/" */
  sc_diff_lines *list;
  size_t count, capacity;
} sc_diff_file;
typedef struct sc_diff {
  sc_diff_file *files;
  size_t count, capacity;
} sc_diff;

/* Parses `git diff` or `diff -u`; what stands between files is skipped. SC_E_USAGE with the line where it contradicts
 * itself, or if it is no diff at all; an empty one changes nothing. sc_diff_free also after an error. */
int sc_diff_parse(const char *text, size_t length, sc_diff *diff) SC_CHECK;
void sc_diff_free(sc_diff *diff);
/* The first changed line of the file from `first` to `last`; 0 if none is. The diff's path and this one may differ in
 * leading folders. */
uint32_t sc_diff_find(const sc_diff *diff, const char *path, uint32_t first, uint32_t last);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The source files that a study names, as far as they can be read here: plain files up to 16 MiB. What cannot be read
 * has no lines; that is no error. */
typedef struct sc_source_file {
  char *path;
  char *text;     /* NULL: not readable */
  size_t *starts; /* [line_count + 1] offsets of lines */
  uint32_t line_count;
} sc_source_file;

typedef struct sc_sources { /* zero-initialise */
  sc_source_file *list;
  size_t count, capacity;
} sc_sources;

/* The line (1-based) without its end, `*length` bytes, not NUL-terminated; NULL if it cannot be read. */
const char *sc_source_line(sc_sources *sources, const char *path, uint32_t line, size_t *length);
/* The column behind the identifier or keyword that starts at a column (1-based bytes): at least column + 1. */
uint32_t sc_source_word_end(sc_sources *sources, const char *path, uint32_t line, uint32_t column);
/* A column in bytes as one in characters; the same where the line cannot be read. */
uint32_t sc_source_character(sc_sources *sources, const char *path, uint32_t line, uint32_t column);
/* The last line of the function or loop that starts at a line: that of its closing brace, or of its `;` where it has no
 * braces. 0: unknown. */
uint32_t sc_source_extent(sc_sources *sources, const char *path, uint32_t line, uint32_t column);
void sc_sources_free(sc_sources *sources);

/* Relative to the current directory where it is below it, without "." and "..". To be freed; NULL: out of memory. */
char *sc_source_relative(const char *path);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"

/* A file or standard input, read forwards in blocks, so that a pipe will do. */
typedef struct sc_view {
  const char *text; /* not terminated */
  size_t length;
} sc_view;
#define SC_VIEW(literal) ((sc_view){literal, sizeof(literal) - 1})
/* Whether the bytes are those of `text`. */
static inline bool sc_view_is(sc_view view, const char *text)
{
  return strlen(text) == view.length && memcmp(view.text, text, view.length) == 0;
}

enum {
  SC_INPUT_LINE_MAX = 1 << 24,    /* bytes of a line */
  SC_INPUT_DOCUMENT_MAX = 1 << 29 /* bytes of an input that is one document */
};

typedef struct sc_input {
  const char *name; /* for messages */
  size_t line;      /* number of the line last given, from 1 */
  int fd;
  bool owned, ended;
  char *block;
  size_t at, filled, capacity; /* block[at .. filled) is not given yet */
} sc_input;

/* `path` "-": standard input. SC_E_IO with a hint for what cannot be read: folders, missing files. */
int sc_input_open(const char *path, sc_input *input) SC_CHECK;
/* Reads from memory that outlives the input. */
void sc_input_memory(const char *name, const char *text, size_t length, sc_input *input);
void sc_input_close(sc_input *input);

/* The next line without its end ("\n" or "\r\n"), until the next call. 1; 0 at the end; SC_E_INPUT for an overlong one
 * or one with a NUL byte, which is skipped by the next call. */
int sc_input_line(sc_input *input, sc_view *line) SC_CHECK;
/* What lies ahead, at least up to the end of the first block; nothing is consumed. A byte order mark is dropped. */
int sc_input_peek(sc_input *input, sc_view *ahead) SC_CHECK;
/* All the rest in one piece. SC_E_INPUT if it is longer than SC_INPUT_DOCUMENT_MAX. */
int sc_input_rest(sc_input *input, sc_view *text) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_SEEN_H
#define SC_RUNNER_SEEN_H
#include "base/buf.h"
#include "profiles/study.h"

/*
 * What is in the program's code and not understood: kind, function and place. A list of lines
 * "WHAT\tFUNCTION\tFILE\tLINE\n", each once, in the order they were seen; a study keeps it with its provenance.
 */

void sc_seen_add(sc_buf *list, const char *what, const char *function, const char *file, uint32_t line);
/* Adds a run's list to that of the study. */
int sc_seen_store(sc_study *study, const sc_buf *list) SC_CHECK;
/* The study's, to be freed; NULL: it has none. */
int sc_seen_load(sc_study *study, char **list) SC_CHECK;

typedef struct sc_seen {
  char *what, *function, *file, *line;
} sc_seen;
/* Takes the next line off the front of *list, which it changes; false at the end. */
bool sc_seen_next(char **list, sc_seen *one);
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "profiles/graph/graph.h"
#include "profiles/scprof/reader.h"
#include "profiles/study/study.h"

/*
 * What is in the program's code and not in its numbers: what it is, function and place. Lists of lines
 * "WHAT\tFUNCTION\tFILE\tLINE\n", each once, in the order they were seen; a study keeps them with its provenance.
 */
enum sc_seen_kind {
  SC_SEEN_NOT_UNDERSTOOD, /* operations that may be locks' */
  SC_SEEN_NOT_COUNTED,    /* code without counters */
  SC_SEEN_SEPARATE_TREE,  /* a module (FILE) that counts beside the main tree of its program (FUNCTION) */
  SC_SEEN_SILENT_LIBRARY, /* a library (FILE) of a program with threads (FUNCTION) that takes locks, and is not
                             instrumented; WHAT: by which function */
  SC_SEEN_INLINED,        /* a function of a program or library (FILE) that is counted at its entry, and was inlined
                             elsewhere; WHAT: at how many places */
  SC_SEEN_UNDESCRIBED,    /* the same, and nobody can tell whether it was inlined; WHAT: why */
  SC_SEEN_UNCAUGHT,       /* an event of a resource (FILE) that a probe set has and uprobes cannot catch, by a function;
                             WHAT: why */
  SC_SEEN_DROPPED, /* a function of a program or library (FILE) whose probe was dropped while others went on; WHAT:
                      when and why */
  SC_SEEN_KINDS
};

/* Adds a row to a list, if it is not there yet; texts that are unknown are "", a line 0. */
void sc_seen_add(sc_buf *list, const char *what, const char *function, const char *file, uint32_t line);
/* Adds what a profile has to a run's lists, SC_SEEN_KINDS many. */
int sc_seen_gather(const sc_reader *reader, sc_buf *lists) SC_CHECK;
/* Adds a run's lists to those of the study. */
int sc_seen_store(sc_study *study, const sc_buf *lists) SC_CHECK;
/* The study's, each to be freed; NULL: it has none. */
int sc_seen_load(sc_study *study, char **lists) SC_CHECK;
/* Takes loops without counters off the study's lists that stand in functions which no run has called: these did not run
 * either. */
void sc_seen_drop_idle(char **lists, const sc_graph *graph);

/* Whether what was seen is a loop, which stands in the function, and not the function itself. */
bool sc_seen_is_loop(const char *what);

typedef struct sc_seen {
  char *what, *function, *file, *line;
} sc_seen;
/* Takes the next line off the front of *list, which it changes; false at the end. */
bool sc_seen_next(char **list, sc_seen *one);

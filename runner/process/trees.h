/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_PROCESS_TREES_H
#define SC_RUNNER_PROCESS_TREES_H
#include "base/buf.h"
#include "profiles/scprof/reader.h"

/*
 * Processes whose counts are in several trees. A library that does not find the program's runtime (closed exports,
 * RTLD_LOCAL in a plain program) brings its own, with a profile of its own, and calls across the border have no
 * context.
 */

typedef struct sc_trees {
  struct sc_tree *items;
  size_t count, capacity;
} sc_trees;

/* Notes one profile of a run. */
int sc_trees_add(sc_trees *trees, const sc_reader *reader) SC_CHECK;
/* Adds a line to `seen` (runner/process/seen.h, SC_SEEN_SEPARATE_TREE) for each module that counted beside its
 * process's main tree: its file, and the program. */
void sc_trees_tell(const sc_trees *trees, sc_buf *seen);
void sc_trees_free(sc_trees *trees);
#endif

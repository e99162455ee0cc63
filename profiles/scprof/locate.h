/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "profiles/scprof/reader.h"

/* Where in a profile a context's count is, or a part of it: a u64. */
typedef struct sc_located {
  uint64_t block;   /* the node that has it; 0: a root */
  uint64_t offset;  /* of the count. Several contexts may have the same: a function, and what always runs in it */
  uint32_t context; /* UINT32_MAX: of a slot that nothing went through yet, so that nobody knows what it leads to */
} sc_located;
typedef int (*sc_locate_fn)(void *user, const sc_located *located);
/* Where the count of a slot is that all entries of a node but recursion go through: 0 there means that the node has not
 * been entered. */
typedef int (*sc_locate_block_fn)(void *user, uint64_t block, uint64_t entered);

/* Makes the contexts of all nodes, as sc_reader_merge does of those that counted, and visits the places of their counts
 * in the file. Offsets are valid as long as the process that writes the file lives. */
int sc_locate(const sc_reader *reader, sc_graph *graph, sc_locate_fn visit, sc_locate_block_fn visit_block,
              void *user) SC_CHECK;

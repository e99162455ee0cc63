/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/scprof/internal.h"

/*
 * From nodes to calling contexts. A node is one compiled function under its callers; with what was inlined into it and
 * its loops it becomes a little tree of contexts, and the slots say below which of them its callees go. Nodes come
 * parents first, so one pass over the array is enough.
 */
struct sc_expand {
  const struct sc_reader *reader;
  sc_graph *graph;
  size_t run;
  uint32_t process, truncated; /* contexts; truncated: SC_NONE until needed */
  uint32_t *bases;             /* [node_count] context its function stands below */
  uint32_t *lines;             /* [node_count] of the call in it, 0 = unknown */
  struct sc_call *tallies;     /* [tally_count] the event's call; context SC_NONE where nothing was counted */
  size_t next_tally;           /* of the node at hand or behind it */
  uint32_t *first_loc;         /* [function_count] where its locs begin in: */
  uint32_t *locations;         /* [all locs] location numbers, SC_NONE until needed */
  uint32_t *contexts,
      *callee_contexts; /* [most locs of a function] of the node at hand, and of a callee without node */
};

/* All but graph and reader, which are given; to be released with sc_expand_end, after an error, too. */
int sc_expand_begin(struct sc_expand *e) SC_CHECK;
void sc_expand_end(struct sc_expand *e);
/* contexts[0]: that of a function that is called in `line` of `base`; its other locs have none yet. */
int sc_expand_function(struct sc_expand *e, uint32_t function, uint32_t base, uint32_t line,
                       uint32_t *contexts) SC_CHECK;
/* The context of a loc of a function whose own context is contexts[0]; those in between are made where missing. */
int sc_expand_loc(struct sc_expand *e, uint32_t function, uint32_t loc, uint32_t *contexts, uint32_t *context) SC_CHECK;
/* The context below which the edge's callee stands (`parent`: that of the call; owner: NULL for a root), and the line
 * of its call. */
int sc_expand_below(struct sc_expand *e, const struct sc_function *owner, const struct sc_edge *edge, uint32_t *parent,
                    uint32_t *line) SC_CHECK;
/* The context that edges of a root stand in. */
int sc_expand_root(struct sc_expand *e, const struct sc_edge *edge, uint32_t *parent) SC_CHECK;
/* Of a callee without node its function, or SC_NONE: then the context of its name is found or made, if it has one
 * (SC_NONE: it has none). */
int sc_expand_callee(struct sc_expand *e, uint32_t parent, uint32_t line, const struct sc_function *owner,
                     const struct sc_edge *edge, uint32_t *function, uint32_t *context) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sc_reader_merge's walk, for places instead of values: where in the file each context's counts are, so that they
 * can be read again without it. Contexts are made by the same functions (expand.h), or the two would disagree. */
#include "profiles/scprof/locate.h"

#include <stdlib.h>

#include "profiles/scprof/expand.h"

struct locate {
  struct sc_expand e;
  const sc_reader *reader;
  sc_locate_fn visit;
  sc_locate_block_fn visit_block;
  void *user;
  uint32_t *entered; /* contexts that the entries of nodes count, by node */
  size_t entered_count, entered_capacity;
  uint32_t *first_entered; /* [node_count + 1] */
};

static int tell_count(const struct locate *l, uint64_t block, uint64_t offset, uint32_t context)
{
  sc_located located = {block, offset, context};
  return l->visit(l->user, &located);
}

static uint64_t block_of(const struct locate *l, uint32_t node)
{
  return node == SC_NONE ? 0 : l->reader->nodes[node].offset;
}

static int tell_edge(const struct locate *l, const struct sc_edge *edge, uint32_t context)
{
  return tell_count(l, block_of(l, edge->owner), edge->offset + offsetof(struct scale_slot, count), context);
}

/* Whether the entries of the function's node are part of the loc's count (sc_sites_count). */
static bool locate_counts_entries(const struct sc_function *function, uint32_t loc, bool node)
{
  const struct scale_loc *at = &function->locs[loc];
  if (!loc && (!node || !at->ref_count))
    return true;
  for (uint32_t i = 0; i < at->ref_count; i++)
    if (!function->refs[at->first_ref + i].offset)
      return true;
  return false;
}

/* What the node's own counters count. */
static int locate_locs(struct locate *l, uint32_t index)
{
  const struct sc_node *node = &l->reader->nodes[index];
  const struct sc_function *function = &l->reader->functions[node->function];
  uint32_t context;
  for (uint32_t loc = 0; loc < function->sites.loc_count; loc++) {
    const struct scale_loc *at = &function->locs[loc];
    if (loc && !at->ref_count)
      continue;
    SC_TRY(sc_expand_loc(&l->e, node->function, loc, l->e.contexts, &context));
    for (uint32_t i = 0; i < at->ref_count; i++) {
      uint32_t offset = function->refs[at->first_ref + i].offset;
      if (offset)
        SC_TRY(tell_count(l, node->offset, node->offset + offset, context));
    }
    if (!locate_counts_entries(function, loc, true))
      continue;
    SC_TRY(sc_mem_grow(&l->entered, &l->entered_capacity, l->entered_count + 1, sizeof *l->entered));
    l->entered[l->entered_count++] = context;
  }
  return 0;
}

/* What a callee without a node counts in the slot. The same count stands for the function and for all in it that
 * runs once a call: one place, several contexts. */
static int locate_callee(struct locate *l, uint32_t parent, uint32_t line, const struct sc_function *owner,
                         const struct sc_edge *edge)
{
  struct sc_expand *e = &l->e;
  uint32_t function, context;
  SC_TRY(sc_expand_callee(e, parent, line, owner, edge, &function, &context));
  if (function == SC_NONE)
    return context == SC_NONE ? 0 : tell_edge(l, edge, context);
  const struct sc_function *callee = &l->reader->functions[function];
  SC_TRY(sc_expand_function(e, function, parent, line, e->callee_contexts));
  for (uint32_t loc = 0; loc < callee->sites.loc_count; loc++) {
    if (!locate_counts_entries(callee, loc, false))
      continue;
    SC_TRY(sc_expand_loc(e, function, loc, e->callee_contexts, &context));
    SC_TRY(tell_edge(l, edge, context));
  }
  return 0;
}

/* `parent` is the context the call stands in. */
static int locate_edge(struct locate *l, uint32_t parent, const struct sc_function *owner, uint32_t index)
{
  const struct sc_edge *edge = &l->reader->edges[index];
  uint32_t line;
  if (edge->target != SC_NONE && l->reader->nodes[edge->target].parent_edge != index)
    return 0; /* recursion and truncation are counted at the node they lead to */
  SC_TRY(sc_expand_below(&l->e, owner, edge, &parent, &line));
  if (edge->target == SC_NONE)
    return locate_callee(l, parent, line, owner, edge);
  l->e.bases[edge->target] = parent;
  l->e.lines[edge->target] = line;
  return 0;
}

/* Slots that nothing went through have no edge. */
static int locate_unused(struct locate *l, uint32_t index)
{
  const struct sc_node *node = &l->reader->nodes[index];
  const struct sc_function *function = &l->reader->functions[node->function];
  uint32_t edge = node->first_edge, end = edge + node->edge_count;
  for (uint32_t i = 0; i < function->sites.slot_count; i++) {
    bool used = edge < end && l->reader->edges[edge].slot == i;
    while (edge < end && l->reader->edges[edge].slot == i)
      edge++;
    if (!used)
      SC_TRY(tell_count(l, node->offset, node->offset + function->slots[i].offset + offsetof(struct scale_slot, count),
                        SC_NONE));
  }
  return 0;
}

static int locate_node(struct locate *l, uint32_t index)
{
  const struct sc_node *node = &l->reader->nodes[index];
  const struct sc_function *function = &l->reader->functions[node->function];
  struct sc_expand *e = &l->e;
  uint32_t context;
  l->first_entered[index] = (uint32_t)l->entered_count;
  SC_TRY(sc_expand_function(e, node->function, e->bases[index], e->lines[index], e->contexts));
  SC_TRY(locate_locs(l, index));
  for (uint32_t i = node->first_edge; i < node->first_edge + node->edge_count; i++) {
    SC_TRY(sc_expand_loc(e, node->function, function->slots[l->reader->edges[i].slot].loc, e->contexts, &context));
    SC_TRY(locate_edge(l, context, function, i));
  }
  SC_TRY(locate_unused(l, index));
  return l->visit_block(l->user, node->offset,
                        l->reader->edges[node->parent_edge].offset + offsetof(struct scale_slot, count));
}

static int locate_roots(struct locate *l)
{
  for (uint32_t i = 0; i < l->reader->root_edge_count; i++) {
    uint32_t parent;
    SC_TRY(sc_expand_root(&l->e, &l->reader->edges[i], &parent));
    SC_TRY(locate_edge(l, parent, NULL, i));
  }
  return 0;
}

/* A node's entries are what its slots counted, wherever those are. */
static int locate_entries(struct locate *l)
{
  for (uint32_t i = 0; i < l->reader->edge_count; i++) {
    const struct sc_edge *edge = &l->reader->edges[i];
    if (edge->target == SC_NONE)
      continue;
    for (uint32_t k = l->first_entered[edge->target]; k < l->first_entered[edge->target + 1]; k++)
      SC_TRY(tell_edge(l, edge, l->entered[k]));
  }
  return 0;
}

int sc_locate(const sc_reader *reader, sc_graph *graph, sc_locate_fn visit, sc_locate_block_fn visit_block, void *user)
{
  int err = SC_E_NOMEM;
  struct locate l = {{.reader = reader, .graph = graph}, reader, visit, visit_block, user, NULL, 0, 0, NULL};
  l.first_entered = sc_mem_new(reader->node_count + 1, sizeof *l.first_entered);
  if (!l.first_entered)
    goto out;
  SC_GOTO(sc_expand_begin(&l.e));
  SC_GOTO(locate_roots(&l));
  for (uint32_t i = 0; i < reader->node_count; i++)
    SC_GOTO(locate_node(&l, i));
  l.first_entered[reader->node_count] = (uint32_t)l.entered_count;
  SC_GOTO(locate_entries(&l));
out:
  sc_expand_end(&l.e);
  free(l.first_entered);
  free(l.entered);
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The links of the tree, which are recursion or truncation, checked; and every node's entries and life, summed. */
#include <stdlib.h>

#include "base/hash.h"
#include "profiles/scprof/internal.h"

/* Made by number(). */
struct ranges {
  uint32_t *from, *to;
};

/* The nodes that links lead to. Most profiles have few links, so these are what is indexed, not the nodes. */
struct targets {
  const struct sc_link *links;
  uint32_t *nodes;    /* [link] node + 1; of links to the same block only the first's */
  sc_index by_offset; /* that first link + 1 */
};

static sc_index_slot *find_link(const struct targets *targets, uint64_t offset)
{
  sc_index_slot *slot = sc_index_first(&targets->by_offset, (uint32_t)sc_hash_mix(offset));
  while (slot->number && targets->links[slot->number - 1].offset != offset)
    slot = sc_index_next(&targets->by_offset, slot);
  return slot;
}

static int find_targets(const struct sc_reader *reader, size_t count, struct targets *targets)
{
  targets->nodes = sc_mem_new(count, sizeof *targets->nodes);
  if (!targets->nodes)
    return SC_E_NOMEM;
  SC_TRY(sc_index_reserve(&targets->by_offset, count));
  for (size_t i = 0; i < count; i++) {
    uint64_t offset = targets->links[i].offset;
    sc_index_slot *slot = find_link(targets, offset);
    if (!slot->number)
      sc_index_take(&targets->by_offset, slot, (uint32_t)sc_hash_mix(offset), (uint32_t)i + 1);
  }
  for (size_t i = 0; i < reader->node_count; i++) {
    uint32_t link = find_link(targets, reader->nodes[i].offset)->number;
    if (link)
      targets->nodes[link - 1] = (uint32_t)i + 1;
  }
  return 0;
}

/* Where each node stands in a depth-first walk, and where its descendants end: `from[a] <= from[b] < to[a]` says that
 * a is b or above it. */
static void number_linked_nodes(const struct sc_reader *reader, uint32_t *from, uint32_t *to)
{
  uint32_t next = 0;
  for (size_t i = 0; i < reader->node_count; i++)
    to[i] = 1;
  for (size_t i = reader->node_count; i-- > 0;) { /* to: the number of nodes in the subtree, for now */
    uint32_t owner = reader->edges[reader->nodes[i].parent_edge].owner;
    if (owner != SC_NONE)
      to[owner] += to[i];
  }
  for (size_t i = 0; i < reader->node_count; i++) {
    uint32_t owner = reader->edges[reader->nodes[i].parent_edge].owner;
    uint32_t size = to[i];
    uint32_t *place = owner == SC_NONE ? &next : &to[owner]; /* to of a numbered node: the next child's place */
    from[i] = *place;
    *place += size;
    to[i] = from[i] + 1;
  }
}

/* Slots that lead to a node made through another slot: recursion, or a truncated node. */
static int check_link(struct sc_reader *reader, const struct targets *targets, const struct ranges *ranges,
                      const struct sc_link *link)
{
  uint32_t owner = reader->edges[link->edge].owner;
  uint32_t target = targets->nodes[find_link(targets, link->offset)->number - 1];
  if (!target && sc_blocks_may_lose(reader)) {
    reader->lost_parts++;
    return 0;
  }
  if (!target)
    return sc_reader_damaged(reader, link->from, "a slot that leads to a node outside the tree");
  target--;
  bool above =
      owner != SC_NONE && ranges->from[target] <= ranges->from[owner] && ranges->from[owner] < ranges->to[target];
  if (!above && !reader->nodes[target].truncated)
    return sc_reader_damaged(reader, link->from, "a slot that leads to a node which is not above it");
  reader->edges[link->edge].target = target;
  return 0;
}

static int resolve_link(struct sc_reader *reader, const struct sc_link *links, size_t count)
{
  int err = SC_E_NOMEM;
  struct targets targets = {.links = links};
  struct ranges ranges = {sc_mem_new(reader->node_count, sizeof *ranges.from),
                          sc_mem_new(reader->node_count, sizeof *ranges.to)};
  if (!ranges.from || !ranges.to)
    goto out;
  number_linked_nodes(reader, ranges.from, ranges.to);
  SC_GOTO(find_targets(reader, count, &targets));
  for (size_t i = 0; i < count; i++)
    SC_GOTO(sc_reader_forgive(reader, check_link(reader, &targets, &ranges, &links[i])));
out:
  free(targets.nodes);
  sc_index_free(&targets.by_offset);
  free(ranges.from);
  free(ranges.to);
  return err;
}

/* After a fork the child's tree is still that of its parent, with all counts zero: only what it then used is live. */
static int sum_links(struct sc_reader *reader)
{
  for (size_t i = 0; i < reader->edge_count; i++) {
    struct sc_edge *edge = &reader->edges[i];
    if (edge->target == SC_NONE)
      continue;
    struct sc_node *node = &reader->nodes[edge->target];
    if (edge->key != SC_NONE && edge->key != node->function) {
      int err = sc_reader_damaged(reader, node->offset, "a node of another function than the slot that leads to it");
      SC_TRY(sc_reader_forgive(reader, err));
      edge->key = node->function;
    }
    node->entries += edge->count;
  }
  for (size_t i = reader->node_count; i-- > 0;) {
    struct sc_node *node = &reader->nodes[i];
    uint32_t owner = reader->edges[node->parent_edge].owner;
    node->live = node->live || node->entries;
    if (node->live && owner != SC_NONE)
      reader->nodes[owner].live = true;
  }
  return 0;
}

int sc_links_resolve(struct sc_reader *reader, const struct sc_link *links, size_t count)
{
  if (count)
    SC_TRY(resolve_link(reader, links, count));
  return sum_links(reader);
}

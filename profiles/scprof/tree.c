/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of all arenas of a profile, put together as one tree of contexts. */
#include <stdlib.h>
#include <string.h>

#include "profiles/scprof/internal.h"

/*
 * The live part of the file is a graph of pointers that a process may still be changing. It is walked once, every
 * pointer checked as it is followed, and becomes two arrays without any: nodes, and edges for the slots that counted
 * something or lead to a node. No node is met twice: each is entered through the one slot that its creator names.
 */
struct build {
  struct sc_reader *reader;
  struct sc_link *links; /* slots that lead to a node made through another one */
  size_t link_count, link_capacity;
};

/* The slot or entry being looked at. */
struct place {
  uint32_t owner, slot;   /* as in struct sc_edge */
  uint64_t block_address; /* of the block that holds it */
  uint64_t address, offset;
};

/* What function a reference names: 1 and its index, or 0 if its record is lost. */
static int find_function(struct sc_reader *reader, uint32_t ref, uint32_t *index)
{
  *index = sc_records_function(reader, ref);
  if (*index != SC_NONE)
    return 1;
  reader->lost_parts++;
  return 0;
}

/* A slot may lead to a node of a record that was lost: its subtree is left out, and counted as lost, without an
 * error. */
static int add_tree_node(struct sc_reader *reader, const struct place *place, const struct scale_node *block,
                         uint64_t offset, uint64_t address)
{
  uint32_t function, edge = (uint32_t)reader->edge_count - 1;
  if (block->parent != place->block_address)
    return sc_reader_damaged(reader, offset, "a node whose parent is not the block it was entered from");
  if (block->function == 0 || block->function == SCALE_TALLY || block->function == SCALE_HOLDER)
    return sc_reader_damaged(reader, place->offset, "a slot that leads to a block which is no node");
  if (!find_function(reader, block->function, &function))
    return 0;
  if (block->bytes < reader->functions[function].sites.node_bytes)
    return sc_reader_damaged(reader, offset, "a node of %u bytes instead of %u", block->bytes,
                             reader->functions[function].sites.node_bytes);
  SC_TRY(sc_mem_grow(&reader->nodes, &reader->node_capacity, reader->node_count + 1, sizeof *reader->nodes));
  reader->nodes[reader->node_count] = (struct sc_node){
      .offset = offset,
      .address = address,
      .function = function,
      .parent_edge = edge,
      .truncated = place->owner == SC_NONE && place->slot == 1,
  };
  reader->edges[edge].target = (uint32_t)reader->node_count++;
  return 0;
}

/* The creator of a node is its place in the tree; any other slot that leads to it is a link (recursion, an open call),
 * which is looked at when all nodes are known. */
static int follow_tree(struct build *build, const struct place *place, uint64_t child)
{
  struct sc_reader *reader = build->reader;
  struct scale_node block;
  uint64_t offset;
  int found = sc_blocks_find(reader, child, place->offset, &offset);
  if (found < 0)
    return found;
  if (found == 0) {
    reader->lost_parts++;
    return 0;
  }
  memcpy(&block, reader->data + offset, sizeof block);
  if (block.creator == place->address)
    return add_tree_node(reader, place, &block, offset, child);
  SC_TRY(sc_mem_grow(&build->links, &build->link_capacity, build->link_count + 1, sizeof *build->links));
  build->links[build->link_count++] =
      (struct sc_link){.offset = offset, .from = place->offset, .edge = (uint32_t)reader->edge_count - 1};
  return 0;
}

static int add_tree_edge(struct build *build, const struct place *place, const struct scale_slot *slot, uint32_t key)
{
  struct sc_reader *reader = build->reader;
  uint32_t function = SC_NONE;
  if (!slot->count && !slot->child)
    return 0;
  if (key && key != SCALE_NO_CONTEXT) {
    (void)find_function(reader, key, &function);
  }
  if (reader->edge_count >= SC_NONE - 1)
    return sc_err_set(SC_E_NOMEM, "%s: too many calling contexts", reader->path);
  SC_TRY(sc_mem_grow(&reader->edges, &reader->edge_capacity, reader->edge_count + 1, sizeof *reader->edges));
  reader->edges[reader->edge_count++] = (struct sc_edge){.count = slot->count,
                                                         .offset = place->offset,
                                                         .owner = place->owner,
                                                         .slot = place->slot,
                                                         .target = SC_NONE,
                                                         .key = function};
  return slot->child ? sc_reader_forgive(reader, follow_tree(build, place, slot->child)) : 0;
}

static int add_entry(struct build *build, const struct place *place, uint64_t *next)
{
  struct scale_entry entry;
  memcpy(&entry, build->reader->data + place->offset, sizeof entry);
  *next = entry.next;
  struct scale_slot slot = {.child = entry.child, .count = entry.count};
  return add_tree_edge(build, place, &slot, entry.key);
}

/* Goes on from an entry of the list to the one at `next`, in an entry block of the same slot. 1, 0 if it is lost, or an
 * error. */
static int next_entry(struct sc_reader *reader, const struct place *head, uint64_t next, struct place *place)
{
  struct scale_node block;
  uint64_t offset;
  int found = sc_blocks_find(reader, next - sizeof block, place->offset, &offset);
  if (found <= 0)
    return found;
  memcpy(&block, reader->data + offset, sizeof block);
  if (block.function || block.creator != head->address || block.parent != head->block_address ||
      block.bytes < sizeof block + sizeof(struct scale_entry))
    return sc_reader_damaged(reader, place->offset, "an entry that goes on in a block which is not its own");
  place->block_address = next - sizeof block;
  place->address = next;
  place->offset = offset + sizeof block;
  return 1;
}

/* Whether a list of entries runs in a circle: it is then longer than the file has room for. */
static bool runs_in_circle(struct sc_reader *reader, const struct place *head)
{
  struct place place = *head;
  uint64_t left = reader->size / (sizeof(struct scale_node) + sizeof(struct scale_entry));
  for (;; left--) {
    struct scale_entry entry;
    memcpy(&entry, reader->data + place.offset, sizeof entry);
    if (!entry.next || next_entry(reader, head, entry.next, &place) <= 0)
      return false;
    if (left == 0)
      return true;
  }
}

/* An open slot and the entry blocks that continue it. Each of them names its slot, so that no two share one; of a
 * circle nothing is taken, or it would be taken twice. */
static int add_entries(struct build *build, const struct place *head)
{
  struct sc_reader *reader = build->reader;
  uint64_t next;
  if (runs_in_circle(reader, head))
    return sc_reader_damaged(reader, head->offset, "a list of entries that runs in a circle");
  SC_TRY(add_entry(build, head, &next));
  for (struct place place = *head; next;) {
    int found = next_entry(reader, head, next, &place);
    reader->lost_parts += found == 0;
    if (found <= 0)
      return found;
    SC_TRY(add_entry(build, &place, &next));
  }
  return 0;
}

/* Whether a counter of the node or one of its slots has counted; its entries are not known yet. */
static bool tree_counted(const struct sc_reader *reader, const struct sc_node *node)
{
  const struct sc_function *function = &reader->functions[node->function];
  for (uint32_t i = 0; i < node->edge_count; i++)
    if (reader->edges[node->first_edge + i].count)
      return true;
  for (uint32_t i = 0; i < function->sites.loc_count; i++)
    if (sc_sites_count(function, i, reader->data + node->offset, 0))
      return true;
  return false;
}

static int add_slots(struct build *build, uint32_t index)
{
  struct sc_reader *reader = build->reader;
  const struct sc_node node = reader->nodes[index]; /* a copy: the array grows */
  const struct sc_function *function = &reader->functions[node.function];
  reader->nodes[index].first_edge = (uint32_t)reader->edge_count;
  for (uint32_t i = 0; i < function->sites.slot_count; i++) {
    const struct scale_site_slot *site = &function->slots[i];
    struct place place = {index, i, node.address, node.address + site->offset, node.offset + site->offset};
    struct scale_slot slot;
    if (site->kind == SCALE_SLOT_OPEN) {
      SC_TRY(sc_reader_forgive(reader, add_entries(build, &place)));
      continue;
    }
    memcpy(&slot, reader->data + place.offset, sizeof slot);
    SC_TRY(add_tree_edge(build, &place, &slot, 0));
  }
  reader->nodes[index].edge_count = (uint32_t)reader->edge_count - reader->nodes[index].first_edge;
  reader->nodes[index].live = tree_counted(reader, &reader->nodes[index]);
  return 0;
}

/* Profiles of old do not tell, nor does one that was cut off here: then the whole stays unknown. */
static void add_outs(struct sc_reader *reader, uint64_t offset, uint64_t bytes)
{
  struct scale_out outs[SCALE_OUT_CLASSES];
  uint64_t at = sizeof(struct scale_node) + 2 * sizeof(struct scale_entry);
  bool told = bytes >= at + sizeof outs;
  if (told)
    memcpy(outs, reader->data + offset + at, sizeof outs);
  for (int i = 0; i < SCALE_OUT_CLASSES; i++)
    reader->most_out[i] = told && reader->most_out[i] >= 0 ? reader->most_out[i] + (double)outs[i].most : -1;
}

static int add_root(struct build *build, const struct sc_chunk *chunk)
{
  struct sc_reader *reader = build->reader;
  uint64_t header = sizeof(struct scale_chunk) + chunk->bitmap_bytes;
  uint64_t at = (header + SCALE_BLOCK_ALIGN - 1) / SCALE_BLOCK_ALIGN * SCALE_BLOCK_ALIGN;
  struct scale_node root;
  uint64_t bytes = sizeof root + 2 * sizeof(struct scale_entry), offset;
  if (chunk->used < at + bytes || (!sc_blocks_starts(reader, chunk, at) && chunk->used == at + bytes)) {
    reader->lost_parts++; /* killed before it was made */
    return 0;
  }
  int found = sc_blocks_find(reader, chunk->address + at, chunk->offset, &offset);
  reader->lost_parts += found == 0;
  if (found <= 0)
    return found;
  memcpy(&root, reader->data + offset, sizeof root);
  if (root.function || root.parent || root.bytes < bytes)
    return sc_reader_damaged(reader, offset, "an arena that doesn't begin with a root block");
  add_outs(reader, offset, root.bytes);
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t entry = sizeof root + i * sizeof(struct scale_entry);
    struct place place = {SC_NONE, i, chunk->address + at, chunk->address + at + entry, offset + entry};
    SC_TRY(sc_reader_forgive(reader, add_entries(build, &place)));
  }
  return 0;
}

/* Depth first, as the nodes lie in the file, because the process made them so: large profiles are read in order. */
static int add_below(struct build *build)
{
  int err = 0;
  struct sc_reader *reader = build->reader;
  uint32_t *stack = NULL;
  size_t capacity = 0, depth = 0, pushed = 0;
  do {
    SC_GOTO(sc_mem_grow(&stack, &capacity, depth + reader->node_count - pushed, sizeof *stack));
    for (size_t i = reader->node_count; i-- > pushed;) /* the first child on top */
      stack[depth++] = (uint32_t)i;
    pushed = reader->node_count;
    if (depth)
      SC_GOTO(add_slots(build, stack[--depth]));
  } while (depth || pushed < reader->node_count);
out:
  free(stack);
  return err;
}

static int add_all(struct build *build)
{
  struct sc_reader *reader = build->reader;
  for (size_t i = 0; i < reader->chunk_count; i++)
    if (reader->chunks[i].type == SCALE_CHUNK_ARENA && reader->chunks[i].flags & SCALE_CHUNK_FIRST)
      SC_TRY(sc_reader_forgive(reader, add_root(build, &reader->chunks[i])));
  reader->root_edge_count = reader->edge_count;
  return add_below(build);
}

/* Links and tallies come behind the nodes, as both name nodes that may lie anywhere. */
int sc_tree_build(struct sc_reader *reader)
{
  int err = 0;
  struct build build = {.reader = reader};
  SC_GOTO(add_all(&build));
  SC_GOTO(sc_tallies_scan(reader));
  SC_GOTO(sc_links_resolve(reader, build.links, build.link_count));
out:
  free(build.links);
  return err;
}

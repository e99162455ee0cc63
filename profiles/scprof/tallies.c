/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tallies of a profile, found by address and by the cell of a node that leads to them. */
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "profiles/scprof/internal.h"

/*
 * The tallies of resource events hang on their nodes: the cell of a site leads to the first, each to the next, and to
 * the first of its holders. Every one names the pointer that leads to it, so that none is met twice. Only then are
 * those pointers followed that lead across, to tallies of any node.
 */

/* A pointer: where it is in the process and in the file. */
struct pointer {
  uint64_t address, offset, to;
};

/* Finds the block that a pointer leads to, which must be of that kind and size and know its owner and the pointer. 1,
 * or 0 if it is lost, or an error. */
static int follow_tally(struct sc_reader *reader, const struct pointer *pointer, uint32_t kind, uint64_t owner,
                        size_t bytes, uint64_t *offset)
{
  struct scale_node block;
  const char *word = kind == SCALE_TALLY ? "tally" : "holder";
  int found = sc_blocks_find(reader, pointer->to, pointer->offset, offset);
  if (found <= 0) {
    reader->lost_parts += found == 0;
    return found;
  }
  memcpy(&block, reader->data + *offset, sizeof block);
  if (block.function != kind)
    return sc_reader_damaged(reader, pointer->offset, "a pointer to a block which is no %s", word);
  if (block.parent != owner || block.creator != pointer->address)
    return sc_reader_damaged(reader, pointer->offset, "a pointer to a %s that belongs elsewhere", word);
  if (block.bytes < bytes)
    return sc_reader_damaged(reader, *offset, "a %s of %u bytes", word, block.bytes);
  return 1;
}

static int add_holders(struct sc_reader *reader, struct sc_tally *tally, const struct scale_tally *data)
{
  struct pointer pointer = {tally->address + offsetof(struct scale_tally, holders),
                            tally->offset + offsetof(struct scale_tally, holders), data->holders};
  tally->first_holder = (uint32_t)reader->holder_count;
  while (pointer.to) {
    struct scale_holder holder;
    uint64_t offset;
    int found = follow_tally(reader, &pointer, SCALE_HOLDER, tally->address, sizeof holder, &offset);
    if (found <= 0)
      return found;
    if (reader->holder_count >= reader->size / sizeof holder)
      return sc_reader_damaged(reader, offset, "a list of holders that runs in a circle");
    memcpy(&holder, reader->data + offset, sizeof holder);
    SC_TRY(sc_mem_grow(&reader->holders, &reader->holder_capacity, reader->holder_count + 1, sizeof *reader->holders));
    reader->holders[reader->holder_count++] = (struct sc_holder){.offset = offset,
                                                                 .address = holder.tally,
                                                                 .tally = SC_NONE,
                                                                 .waits = holder.waits,
                                                                 .ticks = holder.wait_ticks,
                                                                 .inside = holder.inside_ticks};
    tally->holder_count++;
    pointer = (struct pointer){pointer.to + offsetof(struct scale_holder, next),
                               offset + offsetof(struct scale_holder, next), holder.next};
  }
  return 0;
}

bool sc_tallies_counted(const struct scale_tally *t)
{
  return t->acquires || t->failures || t->waits || t->releases || t->reads || t->writes || t->strangers;
}

static int add_tally(struct sc_reader *reader, const struct sc_tally *found, struct scale_tally *data)
{
  struct sc_tally tally = *found;
  memcpy(data, reader->data + tally.offset, sizeof *data);
  if (reader->tally_count >= reader->size / sizeof *data)
    return sc_reader_damaged(reader, tally.offset, "a list of tallies that runs in a circle");
  SC_TRY(sc_reader_forgive(reader, add_holders(reader, &tally, data)));
  SC_TRY(sc_mem_grow(&reader->tallies, &reader->tally_capacity, reader->tally_count + 1, sizeof *reader->tallies));
  reader->tallies[reader->tally_count++] = tally;
  if (sc_tallies_counted(data))
    reader->nodes[tally.node].live = true;
  return 0;
}

static int add_cell(struct sc_reader *reader, uint32_t index, uint32_t event)
{
  const struct sc_node *node = &reader->nodes[index];
  uint32_t cell = reader->functions[node->function].events[event].offset;
  struct pointer pointer = {node->address + cell, node->offset + cell, 0};
  memcpy(&pointer.to, reader->data + pointer.offset, sizeof pointer.to);
  while (pointer.to) {
    struct sc_tally tally = {.address = pointer.to, .node = index, .event = event, .named = SC_NONE};
    struct scale_tally data;
    int found = follow_tally(reader, &pointer, SCALE_TALLY, node->address, sizeof data, &tally.offset);
    if (found <= 0)
      return found;
    SC_TRY(add_tally(reader, &tally, &data));
    pointer = (struct pointer){tally.address + offsetof(struct scale_tally, next),
                               tally.offset + offsetof(struct scale_tally, next), data.next};
  }
  return 0;
}

static sc_index_slot *tally_position(const struct sc_reader *reader, uint64_t address)
{
  sc_index_slot *slot = sc_index_first(&reader->by_address, (uint32_t)sc_hash_mix(address));
  while (slot->number && reader->tallies[slot->number - 1].address != address)
    slot = sc_index_next(&reader->by_address, slot);
  return slot;
}

uint32_t sc_tallies_find(const struct sc_reader *reader, uint64_t address)
{
  return reader->tally_count ? tally_position(reader, address)->number - 1 : SC_NONE; /* SC_NONE without a number */
}

static int index_tallies(struct sc_reader *reader)
{
  SC_TRY(sc_index_reserve(&reader->by_address, reader->tally_count));
  for (size_t i = 0; i < reader->tally_count; i++) {
    uint64_t address = reader->tallies[i].address;
    sc_index_take(&reader->by_address, tally_position(reader, address), (uint32_t)sc_hash_mix(address),
                  (uint32_t)i + 1);
  }
  return 0;
}

/* A pointer to a tally of whatever node. It may be lost, alone or with its node, or too new for a reader of a running
 * process: then nobody knows whose it is. */
static int resolve_tally(struct sc_reader *reader, uint64_t address, uint64_t from, uint32_t *tally)
{
  uint64_t offset;
  *tally = SC_NONE;
  if (!address)
    return 0;
  *tally = sc_tallies_find(reader, address);
  if (*tally != SC_NONE)
    return 0;
  int found = sc_blocks_find(reader, address, from, &offset);
  if (found < 0)
    return found;
  if (found && ((const struct scale_node *)(const void *)(reader->data + offset))->function != SCALE_TALLY)
    return sc_reader_damaged(reader, from, "a pointer to a block which is no tally");
  if (found && !sc_blocks_may_lose(reader) && !reader->lost_parts && reader->header.exited)
    return sc_reader_damaged(reader, from, "a pointer to a tally outside the tree");
  reader->lost_parts += !found;
  return 0;
}

static int resolve_all(struct sc_reader *reader)
{
  for (size_t i = 0; i < reader->tally_count; i++) {
    uint64_t named, at = reader->tallies[i].offset + offsetof(struct scale_tally, named);
    memcpy(&named, reader->data + at, sizeof named);
    SC_TRY(sc_reader_forgive(reader, resolve_tally(reader, named, at, &reader->tallies[i].named)));
  }
  for (size_t i = 0; i < reader->holder_count; i++) {
    struct sc_holder *holder = &reader->holders[i];
    uint64_t at = holder->offset + offsetof(struct scale_holder, tally);
    if (holder->waits ||
        holder->inside) /* those that a forked child has from its parent are empty, and may lead nowhere */
      SC_TRY(sc_reader_forgive(reader, resolve_tally(reader, holder->address, at, &holder->tally)));
  }
  return 0;
}

int sc_tallies_scan(struct sc_reader *reader)
{
  for (uint32_t i = 0; i < reader->node_count; i++) {
    uint32_t events = reader->functions[reader->nodes[i].function].sites.event_count;
    for (uint32_t event = 0; event < events; event++)
      if (sc_sites_has_cell(&reader->functions[reader->nodes[i].function].events[event]))
        SC_TRY(sc_reader_forgive(reader, add_cell(reader, i, event)));
  }
  if (reader->tally_count >= SC_NONE - 1 || reader->holder_count >= SC_NONE - 1)
    return sc_err_set(SC_E_NOMEM, "%s: too many tallies of resource events", reader->path);
  if (!reader->tally_count)
    return 0;
  SC_TRY(index_tallies(reader));
  return resolve_all(reader);
}

const struct scale_site_event *sc_tallies_site(const struct sc_reader *reader, const struct sc_tally *tally)
{
  return &sc_tallies_function(reader, tally)->events[tally->event];
}

const struct sc_function *sc_tallies_function(const struct sc_reader *reader, const struct sc_tally *tally)
{
  return &reader->functions[reader->nodes[tally->node].function];
}

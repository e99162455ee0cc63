/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/unit/scprof_unit.h"

/*
 * Builds raw profiles in memory, as the run-time part would write them, for tests and fuzzers. Everything is addressed
 * by file offset; `builder_seal` puts the checksums in, so a test can first spoil what it wants to be sealed.
 */
/* Bytes of the chunks; a test of small profiles may define them smaller. */
#ifndef BUILDER_RECORDS
#define BUILDER_RECORDS (1 << 20)
#endif
#ifndef BUILDER_ARENA
#define BUILDER_ARENA (1 << 16)
#endif
enum { BUILDER_ENTRIES = -1, BUILDER_REFS = 4, BUILDER_FUNCTIONS = 4096 };
#define BUILDER_BASE UINT64_C(0x7f1200000000)

struct builder_loc {
  uint32_t parent, kind, line, column, nth, flags;
  const char *name, *file;
  int counters[BUILDER_REFS]; /* number of a counter + 1, BUILDER_ENTRIES, or 0 behind the last */
};

struct builder_slot {
  uint32_t kind, loc;
  const char *callee, *file; /* NULL: unknown */
  uint32_t flags;
};

struct builder_event {
  uint32_t resource_class, event, loc;
  const char *via, *name, *file; /* name, file: NULL: unknown */
  uint32_t declared, line, flags, capacity;
};

struct builder_function {
  uint32_t ref, node_bytes, slot_count;
  uint32_t slots[64]; /* offsets in the node */
  uint32_t counters;  /* offset of counter 0 */
  uint32_t cells;     /* of the cell of event 0 */
};

struct builder {
  unsigned char *data;
  size_t size, capacity;
  uint64_t records, records_used; /* offsets of the RECORDS chunk and its end of use */
  uint32_t module;
  uint64_t roots[64]; /* by arena: offset of the root block */
  uint64_t chunks[64];
  uint32_t arenas;
  uint64_t rings[64];
  uint32_t ring_count;
  struct builder_function functions[BUILDER_FUNCTIONS];
  uint32_t function_count;
  bool units;    /* functions are members of units of their own, as the pass writes them, */
  bool packs;    /* whose tables are packed */
  uint32_t unit; /* reference of the newest */
};

static inline void *builder_at(struct builder *b, uint64_t offset) { return b->data + offset; }

static inline uint64_t builder_address(uint64_t offset)
{
  return BUILDER_BASE + offset * 3; /* chunks are not next to each other in memory as they are in the file */
}

static inline uint64_t builder_chunk(struct builder *b, uint32_t type, uint32_t flags, uint64_t bytes, uint32_t arena)
{
  uint64_t offset = b->size;
  while (b->size + bytes > b->capacity) {
    size_t larger = b->capacity ? b->capacity * 2 : 1 << 20;
    b->data = realloc(b->data, larger);
    if (!b->data)
      abort();
    memset(b->data + b->capacity, 0, larger - b->capacity);
    b->capacity = larger;
  }
  b->size += bytes;
  struct scale_chunk *chunk = builder_at(b, offset);
  *chunk = (struct scale_chunk){.magic = SCALE_CHUNK_MAGIC,
                                .type = (uint16_t)type,
                                .flags = (uint16_t)flags,
                                .bytes = bytes,
                                .address = builder_address(offset),
                                .arena = arena};
  if (type == SCALE_CHUNK_ARENA)
    chunk->bitmap_bytes = (uint32_t)(bytes / SCALE_BLOCK_ALIGN / 8);
  chunk->used = sizeof *chunk + chunk->bitmap_bytes;
  return offset;
}

/* A record; `payload` must be a multiple of 8 long once padded. Returns its reference. */
static inline uint32_t builder_record(struct builder *b, uint32_t type, const void *payload, size_t bytes)
{
  struct scale_chunk *chunk = builder_at(b, b->records);
  uint64_t offset = b->records + chunk->used;
  size_t padded = (bytes + 7) / 8 * 8;
  if (chunk->used + sizeof(struct scale_record) + padded > chunk->bytes)
    abort();
  chunk->used += sizeof(struct scale_record) + padded;
  struct scale_record *record = builder_at(b, offset);
  *record = (struct scale_record){.magic = SCALE_RECORD_MAGIC,
                                  .type = (uint16_t)type,
                                  .version = SCALE_FORMAT_VERSION,
                                  .bytes = (uint32_t)(sizeof *record + padded),
                                  .module = type >= SCALE_RECORD_FUNCTION ? b->module : 0};
  memcpy(record + 1, payload, bytes);
  record->crc = (uint32_t)crc32(0, (const Bytef *)(record + 1), (uInt)padded);
  return (uint32_t)(offset / 8);
}

static inline void builder_begin(struct builder *b, const char *exe, const char *command, size_t command_bytes)
{
  unsigned char text[1024];
  *b = (struct builder){0};
  builder_chunk(b, 0, 0, SCALE_HEADER_BYTES, 0);
  struct scale_header *header = builder_at(b, 0);
  *header = (struct scale_header){.magic = SCALE_FILE_MAGIC,
                                  .version = SCALE_FORMAT_VERSION,
                                  .endian = SCALE_ENDIAN,
                                  .header_bytes = SCALE_HEADER_BYTES,
                                  .machine = 62,
                                  .pid = 42,
                                  .parent_pid = 7,
                                  .start_ns = 1,
                                  .threads = 1,
                                  .exited = 1};
  b->records = builder_chunk(b, SCALE_CHUNK_RECORDS, 0, BUILDER_RECORDS, 0);
  struct scale_info info = {.exe_bytes = (uint32_t)strlen(exe), .command_bytes = (uint32_t)command_bytes};
  memcpy(text, &info, sizeof info);
  memcpy(text + sizeof info, exe, info.exe_bytes);
  memcpy(text + sizeof info + info.exe_bytes, command, command_bytes);
  builder_record(b, SCALE_RECORD_INFO, text, sizeof info + info.exe_bytes + command_bytes);
  struct scale_module module = {.base = 0x400000, .path_bytes = info.exe_bytes, .build_id_bytes = 2};
  memcpy(text, &module, sizeof module);
  memcpy(text + sizeof module, exe, info.exe_bytes);
  memcpy(text + sizeof module + info.exe_bytes, "\xab\xcd", 2);
  b->module = builder_record(b, SCALE_RECORD_MODULE, text, sizeof module + info.exe_bytes + 2);
}

struct builder_text {
  char text[8192];
  uint32_t bytes;
};

static inline uint32_t builder_string(struct builder_text *text, const char *string)
{
  if (!string)
    return SCALE_NO_STRING;
  uint32_t at = text->bytes;
  memcpy(text->text + at, string, strlen(string) + 1);
  text->bytes += (uint32_t)strlen(string) + 1;
  return at;
}

/* Lays out the node and writes the FUNCTION record. Returns the function's number in b->functions. */
static inline unsigned char *builder_slots(unsigned char *out, const struct builder_slot *slots,
                                           const struct builder_function *function, struct builder_text *text)
{
  for (uint32_t i = 0; i < function->slot_count; i++, out += sizeof(struct scale_site_slot)) {
    struct scale_site_slot slot = {.offset = function->slots[i],
                                   .kind = (uint16_t)slots[i].kind,
                                   .flags = (uint16_t)slots[i].flags,
                                   .loc = slots[i].loc,
                                   .callee = builder_string(text, slots[i].callee),
                                   .file = builder_string(text, slots[i].file),
                                   .line = 1,
                                   .column = 1};
    memcpy(out, &slot, sizeof slot);
  }
  return out;
}

static inline unsigned char *builder_events(unsigned char *out, const struct builder_event *events, uint32_t count,
                                            uint32_t cells, struct builder_text *text)
{
  for (uint32_t i = 0; i < count; i++, out += sizeof(struct scale_site_event)) {
    struct scale_site_event event = {.offset = cells + 8 * i,
                                     .resource_class = (uint16_t)events[i].resource_class,
                                     .flags = (uint16_t)events[i].flags,
                                     .event = events[i].event,
                                     .loc = events[i].loc,
                                     .via = builder_string(text, events[i].via),
                                     .name = builder_string(text, events[i].name),
                                     .file = builder_string(text, events[i].file),
                                     .declared = events[i].declared,
                                     .line = events[i].line,
                                     .column = 1,
                                     .capacity = events[i].capacity};
    memcpy(out, &event, sizeof event);
  }
  return out;
}

/* A MEMBER record, and before it that of its unit. Returns its reference. */
static inline uint32_t builder_member(struct builder *b, const struct unit_tables *t)
{
  struct {
    struct scale_member head;
    uint32_t places[256];
  } member = {.head = {.node_bytes = t->sites.node_bytes,
                       .slot_count = t->sites.slot_count,
                       .event_count = t->sites.event_count}};
  size_t bytes;
  unsigned char *unit = unit_payload(t, b->packs, &bytes);
  b->unit = builder_record(b, SCALE_RECORD_UNIT, unit, bytes);
  free(unit);
  for (uint32_t i = 0; i < t->sites.slot_count; i++)
    member.places[i] = t->slots[i].offset | (t->slots[i].kind == SCALE_SLOT_OPEN ? SCALE_PLACE_OPEN : 0);
  for (uint32_t i = 0; i < t->sites.event_count; i++)
    member.places[t->sites.slot_count + i] = t->events[i].offset;
  uint32_t ref = builder_record(b, SCALE_RECORD_MEMBER, &member,
                                sizeof member.head + (t->sites.slot_count + t->sites.event_count) * sizeof(uint32_t));
  ((struct scale_record *)builder_at(b, (uint64_t)ref * 8))->unit = b->unit;
  return ref;
}

static inline uint32_t builder_function_events(struct builder *b, const struct builder_loc *locs, uint32_t loc_count,
                                               const struct builder_slot *slots, uint32_t slot_count, uint32_t counters,
                                               const struct builder_event *events, uint32_t event_count)
{
  static unsigned char payload[1 << 17];
  struct builder_function *function = &b->functions[b->function_count];
  struct builder_text *text = calloc(1, sizeof *text);
  struct scale_sites sites = {.loc_count = loc_count, .slot_count = slot_count, .event_count = event_count};
  uint32_t refs[256];
  uint32_t offset = sizeof(struct scale_node);
  for (uint32_t i = 0; i < slot_count; i++) {
    function->slots[i] = offset;
    offset += slots[i].kind == SCALE_SLOT_OPEN ? sizeof(struct scale_entry) : sizeof(struct scale_slot);
  }
  function->counters = offset;
  function->cells = offset + 8 * counters;
  sites.node_bytes = function->node_bytes = function->cells + 8 * event_count;
  function->slot_count = slot_count;
  unsigned char *out = builder_slots(payload + sizeof sites, slots, function, text);
  struct unit_tables tables = {.slots = (void *)(payload + sizeof sites), .events = (void *)out, .refs = refs};
  out = builder_events(out, events, event_count, function->cells, text);
  tables.locs = (void *)out;
  for (uint32_t i = 0; i < loc_count; i++, out += sizeof(struct scale_loc)) {
    struct scale_loc loc = {.parent = locs[i].parent,
                            .kind = (uint16_t)locs[i].kind,
                            .flags = (uint16_t)locs[i].flags,
                            .name = builder_string(text, locs[i].name),
                            .file = builder_string(text, locs[i].file),
                            .line = locs[i].line,
                            .column = locs[i].column,
                            .nth = locs[i].nth,
                            .ordinal = i,
                            .first_ref = sites.ref_count};
    for (int r = 0; r < BUILDER_REFS && locs[i].counters[r]; r++, loc.ref_count++)
      refs[sites.ref_count++] =
          locs[i].counters[r] == BUILDER_ENTRIES ? 0 : function->counters + 8 * (uint32_t)(locs[i].counters[r] - 1);
    memcpy(out, &loc, sizeof loc);
  }
  memcpy(out, refs, 4 * sites.ref_count);
  out += 4 * sites.ref_count;
  sites.string_bytes = text->bytes;
  memcpy(out, text->text, text->bytes);
  out += text->bytes;
  memcpy(payload, &sites, sizeof sites);
  memset(out, 0, 8);
  tables.sites = sites;
  tables.strings = text->text;
  function->ref = b->units ? builder_member(b, &tables)
                           : builder_record(b, SCALE_RECORD_FUNCTION, payload, (size_t)(out - payload));
  free(text);
  return b->function_count++;
}

static inline uint32_t builder_function(struct builder *b, const struct builder_loc *locs, uint32_t loc_count,
                                        const struct builder_slot *slots, uint32_t slot_count, uint32_t counters)
{
  return builder_function_events(b, locs, loc_count, slots, slot_count, counters, NULL, 0);
}

static inline uint64_t builder_find_chunk(struct builder *b, uint64_t offset)
{
  for (uint32_t i = b->arenas; i-- > 0;)
    if (offset >= b->chunks[i])
      return b->chunks[i];
  abort();
}

/* The address of something in an arena. */
static inline uint64_t builder_pointer(struct builder *b, uint64_t offset)
{
  uint64_t chunk = builder_find_chunk(b, offset);
  return builder_address(chunk) + (offset - chunk);
}

static inline uint64_t builder_block(struct builder *b, uint64_t bytes, uint64_t parent, uint64_t creator)
{
  uint64_t at = b->chunks[b->arenas - 1];
  struct scale_chunk *chunk = builder_at(b, at);
  bytes = (bytes + 15) / 16 * 16;
  if (chunk->used + bytes > chunk->bytes) { /* another chunk of the same arena */
    uint32_t arena = chunk->arena;
    at = b->chunks[b->arenas++] = builder_chunk(b, SCALE_CHUNK_ARENA, 0, BUILDER_ARENA, arena);
    chunk = builder_at(b, at);
  }
  uint64_t offset = at + chunk->used;
  uint64_t bit = chunk->used / SCALE_BLOCK_ALIGN;
  ((unsigned char *)(chunk + 1))[bit / 8] |= (unsigned char)(1 << bit % 8);
  chunk->used += bytes;
  *(struct scale_node *)builder_at(b, offset) =
      (struct scale_node){.parent = parent ? builder_pointer(b, parent) : 0,
                          .creator = creator ? builder_pointer(b, creator) : 0,
                          .bytes = (uint32_t)bytes};
  return offset;
}

enum { BUILDER_OUTS = SCALE_OUT_CLASSES * sizeof(struct scale_out) };

/* A new arena; returns its root block. Later blocks go to the newest arena. */
static inline uint64_t builder_arena(struct builder *b)
{
  b->chunks[b->arenas] = builder_chunk(b, SCALE_CHUNK_ARENA, SCALE_CHUNK_FIRST, BUILDER_ARENA, b->arenas);
  b->arenas++;
  return builder_block(b, sizeof(struct scale_node) + 2 * sizeof(struct scale_entry) + BUILDER_OUTS, 0, 0);
}

/* What the threads of an arena had out of a class at a time, at most. */
static inline void builder_out(struct builder *b, uint64_t root, enum scale_resource_class class, uint64_t most)
{
  struct scale_out *outs = builder_at(b, root + sizeof(struct scale_node) + 2 * sizeof(struct scale_entry));
  outs[class - SCALE_CLASS_THREAD].most = most;
}

/* Makes a node through a slot and links it there. */
static inline uint64_t builder_node(struct builder *b, uint64_t block, uint64_t slot, uint32_t function)
{
  uint64_t offset = builder_block(b, b->functions[function].node_bytes, block, slot);
  ((struct scale_node *)builder_at(b, offset))->function = b->functions[function].ref;
  ((struct scale_slot *)builder_at(b, slot))->child = builder_pointer(b, offset);
  ((struct scale_header *)builder_at(b, 0))->nodes++;
  return offset;
}

/* The entry for a function behind an open slot (key 0: unclaimed), appended if the slot has another's. *block becomes
 * the block that holds it. */
static inline uint64_t builder_entry(struct builder *b, uint64_t *block, uint64_t slot, uint32_t function)
{
  uint32_t ref = b->functions[function].ref;
  uint64_t at = slot, head = slot;
  for (;;) {
    struct scale_entry *entry = builder_at(b, at);
    if (!entry->key && !entry->count)
      entry->key = ref;
    if (entry->key == ref)
      return at;
    if (!entry->next)
      break;
    for (uint64_t i = 0;; i += 16) /* translate back: tests are small */
      if (builder_pointer(b, b->chunks[0] + i) == entry->next) {
        at = b->chunks[0] + i;
        break;
      }
    *block = at - sizeof(struct scale_node);
  }
  uint64_t fresh = builder_block(b, sizeof(struct scale_node) + sizeof(struct scale_entry), *block, head);
  if (at != head) /* the parent is the block that owns the slot */
    ((struct scale_node *)builder_at(b, fresh))->parent = ((struct scale_node *)builder_at(b, *block))->parent;
  *block = fresh;
  ((struct scale_entry *)builder_at(b, at))->next = builder_pointer(b, fresh + sizeof(struct scale_node));
  ((struct scale_entry *)builder_at(b, fresh + sizeof(struct scale_node)))->key = ref;
  return fresh + sizeof(struct scale_node);
}

static inline uint64_t builder_slot_at(struct builder *b, uint64_t node, uint32_t function, uint32_t slot)
{
  return node + b->functions[function].slots[slot];
}

static inline void builder_add(struct builder *b, uint64_t slot, uint64_t count)
{
  ((struct scale_slot *)builder_at(b, slot))->count += count;
}

/* `caller` (a node of `caller_function`) calls `callee` `count` times through a direct slot; returns the new node. */
static inline uint64_t builder_call(struct builder *b, uint64_t caller, uint32_t caller_function, uint32_t slot,
                                    uint32_t callee, uint64_t count)
{
  uint64_t at = builder_slot_at(b, caller, caller_function, slot);
  builder_add(b, at, count);
  return builder_node(b, caller, at, callee);
}

/* A function entered without an instrumented caller. */
static inline uint64_t builder_root(struct builder *b, uint64_t root, uint32_t function, uint64_t count)
{
  uint64_t block = root, entry = builder_entry(b, &block, root + sizeof(struct scale_node), function);
  builder_add(b, entry, count);
  return builder_node(b, block, entry, function);
}

/* The end of a list of blocks whose first is at the pointer at `at`; `next` is that of each in its block. */
static inline uint64_t builder_last(struct builder *b, uint64_t at, size_t next)
{
  for (;;) {
    uint64_t to;
    memcpy(&to, b->data + at, sizeof to);
    if (!to)
      return at;
    uint64_t i = b->chunks[0];
    while (builder_pointer(b, i) != to) /* translate back: tests are small */
      i += 16;
    at = i + next;
  }
}

/* A tally behind the others of the event's cell in the node, of an identity, or 0. */
static inline uint64_t builder_tally_of(struct builder *b, uint64_t node, uint32_t function, uint32_t event,
                                        uint64_t key, uint64_t bytes)
{
  uint64_t at =
      builder_last(b, node + b->functions[function].cells + 8 * (uint64_t)event, offsetof(struct scale_tally, next));
  uint64_t fresh = builder_block(b, bytes, node, at);
  struct scale_tally *tally = builder_at(b, fresh);
  tally->function = SCALE_TALLY;
  tally->key = key;
  uint64_t to = builder_pointer(b, fresh);
  memcpy(b->data + at, &to, sizeof to);
  return fresh;
}

/* With room for a histogram. */
static inline uint64_t builder_tally(struct builder *b, uint64_t node, uint32_t function, uint32_t event, uint64_t key)
{
  return builder_tally_of(b, node, function, event, key, sizeof(struct scale_tally) + 4 * SCALE_HOLD_BUCKETS);
}

/* With shares of locks as well. */
static inline uint64_t builder_lock_tally(struct builder *b, uint64_t node, uint32_t function, uint32_t event)
{
  uint64_t shares = SCALE_SHARES * sizeof(struct scale_share);
  return builder_tally_of(b, node, function, event, 0, sizeof(struct scale_tally) + 4 * SCALE_HOLD_BUCKETS + shares);
}

static inline struct scale_share *builder_shares_at(struct builder *b, uint64_t tally)
{
  return builder_at(b, tally + sizeof(struct scale_tally) + 4 * SCALE_HOLD_BUCKETS);
}

static inline struct scale_tally *builder_tally_at(struct builder *b, uint64_t tally) { return builder_at(b, tally); }

/* Waits of one tally while another (0: nobody known) held. */
static inline uint64_t builder_holder(struct builder *b, uint64_t waiter, uint64_t tally, uint64_t waits,
                                      uint64_t ticks)
{
  uint64_t at = builder_last(b, waiter + offsetof(struct scale_tally, holders), offsetof(struct scale_holder, next));
  uint64_t fresh = builder_block(b, sizeof(struct scale_holder), waiter, at);
  struct scale_holder *holder = builder_at(b, fresh);
  holder->function = SCALE_HOLDER;
  holder->tally = tally ? builder_pointer(b, tally) : 0;
  holder->waits = waits;
  holder->wait_ticks = ticks;
  uint64_t to = builder_pointer(b, fresh);
  memcpy(b->data + at, &to, sizeof to);
  return fresh;
}

/* Ticks that each take `per_tick` nanoseconds, from `start` on, which was `clock` by CLOCK_MONOTONIC. */
static inline void builder_clock(struct builder *b, uint64_t start, uint64_t clock, double per_tick)
{
  struct scale_header *header = builder_at(b, 0);
  header->ticks_start = start;
  header->clock_start = clock;
  header->ticks_last = start + 1000000000;
  header->clock_last = clock + (uint64_t)(1e9 * per_tick);
}

/* A trace of an arena, before or behind the arena's chunks; returns its chunk. */
static inline uint64_t builder_ring(struct builder *b, uint32_t arena, uint64_t capacity)
{
  uint64_t bytes = sizeof(struct scale_chunk) + sizeof(struct scale_ring) + capacity * sizeof(struct scale_traced);
  uint64_t chunk = b->rings[b->ring_count++] = builder_chunk(
      b, SCALE_CHUNK_TRACE, 0, (bytes + SCALE_CHUNK_ALIGN - 1) / SCALE_CHUNK_ALIGN * SCALE_CHUNK_ALIGN, arena);
  ((struct scale_ring *)builder_at(b, chunk + sizeof(struct scale_chunk)))->capacity = capacity;
  return chunk;
}

static inline void builder_trace(struct builder *b, uint64_t chunk, uint64_t ticks, uint64_t tally, uint32_t event,
                                 uint64_t identity, uint32_t units)
{
  struct scale_ring *ring = builder_at(b, chunk + sizeof(struct scale_chunk));
  ((struct scale_traced *)(ring + 1))[ring->written++ % ring->capacity] =
      (struct scale_traced){ticks, builder_pointer(b, tally), identity, event, units};
}

static inline void builder_count(struct builder *b, uint64_t node, uint32_t function, uint32_t counter, uint64_t value)
{
  memcpy(b->data + node + b->functions[function].counters + 8 * (uint64_t)counter, &value, sizeof value);
}

static inline void builder_seal_record(struct builder *b, uint64_t offset)
{
  struct scale_record *record = builder_at(b, offset);
  record->crc = (uint32_t)crc32(0, (const Bytef *)(record + 1), (uInt)(record->bytes - sizeof *record));
}

static inline void builder_seal_chunk(struct builder *b, uint64_t offset)
{
  struct scale_chunk *chunk = builder_at(b, offset);
  chunk->crc = (uint32_t)crc32(0, (const Bytef *)chunk, offsetof(struct scale_chunk, crc));
}

static inline void builder_seal(struct builder *b)
{
  struct scale_header *header = builder_at(b, 0);
  header->used = b->size;
  header->crc = 0;
  header->crc = (uint32_t)crc32(0, (const Bytef *)header, offsetof(struct scale_header, used));
  builder_seal_chunk(b, b->records);
  for (uint32_t i = 0; i < b->arenas; i++)
    builder_seal_chunk(b, b->chunks[i]);
  for (uint32_t i = 0; i < b->ring_count; i++)
    builder_seal_chunk(b, b->rings[i]);
}

static inline void builder_write(const struct builder *b, const char *path)
{
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(b->data, 1, b->size, file) != b->size || fclose(file) != 0)
    abort();
}

static inline void builder_free(struct builder *b)
{
  free(b->data);
  *b = (struct builder){0};
}

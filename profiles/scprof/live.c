/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a program that runs one input after another, a few microseconds each. Reading all of a profile's nodes
 * would take longer than the input, so only those are looked at that were entered: a node's count of entries leads
 * to it from the nodes that were, and a reading costs what the input did, not what the program has ever done. */
#include "profiles/scprof/live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/hash.h"
#include "profiles/graph/index.h"
#include "profiles/scprof/internal.h"
#include "profiles/scprof/locate.h"

enum { SORTED_SHARE = 16 /* of the contexts: sorting one costs as much as looking at this many */ };

/* The counts of a node, or of the roots. */
struct block {
  uint64_t offset;  /* of the node; 0: the roots */
  uint64_t entered; /* offset of a count that is 0 unless it was entered; 0: nobody knows */
  size_t first, end;
  uint32_t next;  /* another block that the same count enters, or SC_NONE */
  bool reachable; /* by the place that counts its entries: else it is always looked at */
};

struct sc_live {
  char *path;
  sc_graph *graph;
  unsigned char *data;
  size_t size;
  sc_located *places; /* by block and offset */
  size_t place_count, place_capacity;
  uint32_t *entries; /* [place_count] the first block that the place's count enters, or SC_NONE */
  size_t entry_capacity;
  struct block *blocks; /* by offset, which is that of the process's making: parents mostly first */
  size_t block_count, block_capacity;
  uint64_t *chunks; /* offsets of those with nodes */
  size_t chunk_count, chunk_capacity;
  uint64_t state;   /* of the file's tree when it was located */
  uint32_t *always; /* blocks that no place enters */
  size_t always_count, always_capacity;
  uint32_t *touched; /* blocks that have counted */
  size_t touched_count, touched_capacity;
  uint64_t *under_way; /* ascending offsets of nodes that may count without being entered again */
  size_t under_way_count;
  uint64_t *sums; /* by context; all 0 between readings */
  size_t sum_capacity;
  uint32_t *counted; /* contexts with sums */
  size_t counted_count, counted_capacity;
  struct sc_live_count *counts;
  size_t count_capacity;
};

static uint64_t get_live_value(const sc_live *live, uint64_t offset)
{
  uint64_t value;
  memcpy(&value, live->data + offset, sizeof value);
  return value;
}

static const struct scale_header *header_of(const sc_live *live) { return (const void *)live->data; }

/* Changes whenever the tree does: nothing is ever taken out of it. */
static uint64_t tree_state(const sc_live *live)
{
  const struct scale_header *header = header_of(live);
  uint64_t state = header->nodes + header->used;
  for (size_t i = 0; i < live->chunk_count; i++)
    state += get_live_value(live, live->chunks[i] + offsetof(struct scale_chunk, used));
  return state;
}

/* Writable: counts are set back to 0 between inputs, which costs less than a process an input. Not through symbolic
 * links, as the folder of profiles may be one that others can write to. */
static int map_live(sc_live *live)
{
  struct stat status;
  int err = 0, fd = open(live->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 || fstat(fd, &status) < 0) {
    err = sc_err_system(SC_E_IO, errno, "cannot open the profile %s", live->path);
    goto out;
  }
  if ((size_t)status.st_size == live->size)
    goto out;
  if (live->data)
    munmap(live->data, live->size);
  live->size = (size_t)status.st_size;
  live->data = mmap(NULL, live->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (live->data == MAP_FAILED) {
    live->data = NULL;
    err = sc_err_system(SC_E_IO, errno, "cannot map the profile %s", live->path);
  }
out:
  if (fd >= 0)
    close(fd);
  return err;
}

static int add_place(void *user, const sc_located *located)
{
  sc_live *live = user;
  SC_TRY(sc_mem_grow(&live->places, &live->place_capacity, live->place_count + 1, sizeof *live->places));
  live->places[live->place_count++] = *located;
  return 0;
}

static int add_block(void *user, uint64_t offset, uint64_t entered)
{
  sc_live *live = user;
  SC_TRY(sc_mem_grow(&live->blocks, &live->block_capacity, live->block_count + 1, sizeof *live->blocks));
  live->blocks[live->block_count++] = (struct block){.offset = offset, .entered = entered};
  return 0;
}

/* Of one offset those without context last. */
static int compare_places(const void *left, const void *right)
{
  const sc_located *a = left, *b = right;
  return SC_COMPARE(a->block, b->block) ?: SC_COMPARE(a->offset, b->offset) ?: SC_COMPARE(a->context, b->context);
}

static int compare_blocks(const void *left, const void *right)
{
  return SC_COMPARE(((const struct block *)left)->offset, ((const struct block *)right)->offset);
}

/* Each place once; that of a slot without context only as long as nothing is known of it. */
static void unite_places(sc_live *live)
{
  size_t kept = 0;
  if (live->place_count)
    qsort(live->places, live->place_count, sizeof *live->places, compare_places);
  for (size_t i = 0; i < live->place_count; i++) {
    const sc_located *before = kept ? &live->places[kept - 1] : NULL, *at = &live->places[i];
    bool same = before && before->offset == at->offset;
    if (!same || (before->context != at->context && at->context != SC_NONE))
      live->places[kept++] = *at;
  }
  live->place_count = kept;
}

/* Places and blocks are both sorted by offset, so each block's places are a slice of the list. */
static void share_places(sc_live *live)
{
  size_t place = 0;
  if (live->block_count)
    qsort(live->blocks, live->block_count, sizeof *live->blocks, compare_blocks);
  for (size_t i = 0; i < live->block_count; i++) {
    struct block *block = &live->blocks[i];
    block->first = place;
    while (place < live->place_count && live->places[place].block == block->offset)
      place++;
    block->end = place;
  }
}

static int note_chunks(sc_live *live, const sc_reader *reader)
{
  live->chunk_count = 0;
  for (size_t i = 0; i < reader->arena_count; i++) {
    SC_TRY(sc_mem_grow(&live->chunks, &live->chunk_capacity, live->chunk_count + 1, sizeof *live->chunks));
    live->chunks[live->chunk_count++] = reader->arenas[i].offset;
  }
  return 0;
}

/* Of the blocks that a count enters the first, or the free slot for them. */
static sc_index_slot *entered_slot(const sc_live *live, const sc_index *entered, uint64_t offset)
{
  sc_index_slot *slot = sc_index_first(entered, (uint32_t)sc_hash_mix(offset));
  while (slot->number && live->blocks[slot->number - 1].entered != offset)
    slot = sc_index_next(entered, slot);
  return slot;
}

/* `entered`: blocks + 1 by the count that enters them. Several blocks may be entered by one count (a function and what
 * always runs in it): they are chained by `next`. */
static int index_blocks(sc_live *live, sc_index *entered)
{
  SC_TRY(sc_index_reserve(entered, live->block_count));
  for (uint32_t i = 0; i < live->block_count; i++) {
    struct block *block = &live->blocks[i];
    block->next = SC_NONE;
    block->reachable = false;
    if (!block->entered)
      continue;
    sc_index_slot *slot = entered_slot(live, entered, block->entered);
    block->next = slot->number ? slot->number - 1 : SC_NONE;
    if (slot->number)
      slot->number = i + 1;
    else
      sc_index_take(entered, slot, (uint32_t)sc_hash_mix(block->entered), i + 1);
  }
  return 0;
}

/* What leads from counts to the blocks that they enter, so that of a large tree only what counted is looked at. */
static int note_entries(sc_live *live)
{
  sc_index entered = {0};
  int err;
  SC_GOTO(index_blocks(live, &entered));
  SC_GOTO(sc_mem_grow(&live->entries, &live->entry_capacity, live->place_count, sizeof *live->entries));
  for (size_t k = 0; k < live->place_count; k++) {
    uint32_t number = entered_slot(live, &entered, live->places[k].offset)->number;
    live->entries[k] = number && !live->blocks[number - 1].reachable ? number - 1 : SC_NONE;
    for (uint32_t i = live->entries[k]; i != SC_NONE; i = live->blocks[i].next)
      live->blocks[i].reachable = true;
  }
  SC_GOTO(sc_mem_grow(&live->always, &live->always_capacity, live->block_count, sizeof *live->always));
  live->always_count = 0;
  for (uint32_t i = 0; i < live->block_count; i++)
    if (!live->blocks[i].reachable)
      live->always[live->always_count++] = i;
out:
  sc_index_free(&entered);
  return err;
}

static void mark_under_way(sc_live *live)
{
  size_t at = 0;
  for (size_t i = 0; i < live->block_count; i++) {
    while (at < live->under_way_count && live->under_way[at] < live->blocks[i].offset)
      at++;
    if (at < live->under_way_count && live->under_way[at] == live->blocks[i].offset)
      live->blocks[i].entered = 0;
  }
}

/* Places that are known stay: a slot that has counted, and was set to 0, looks like one that has not. */
static int locate_all(sc_live *live)
{
  int err = 0;
  sc_reader *reader = NULL;
  SC_TRY(sc_reader_open(live->path, &reader));
  SC_GOTO(map_live(live)); /* then: all that was read is mapped, even if somebody still writes */
  SC_GOTO(note_chunks(live, reader));
  live->state = tree_state(live);
  live->block_count = 0;
  SC_GOTO(add_block(live, 0, 0));
  SC_GOTO(sc_locate(reader, live->graph, add_place, add_block, live));
  unite_places(live);
  share_places(live);
  mark_under_way(live);
  SC_GOTO(note_entries(live));
  SC_GOTO(sc_mem_grow(&live->touched, &live->touched_capacity, live->block_count, sizeof *live->touched));
  size_t contexts = sc_graph_context_count(live->graph);
  SC_GOTO(sc_mem_grow_zeroed(&live->sums, &live->sum_capacity, contexts, sizeof *live->sums));
  SC_GOTO(sc_mem_grow(&live->counts, &live->count_capacity, contexts, sizeof *live->counts));
  SC_GOTO(sc_mem_grow(&live->counted, &live->counted_capacity, contexts, sizeof *live->counted));
out:
  sc_reader_close(reader);
  return err;
}

/* Adds what a block has counted, and lists the blocks that it entered. False: something that is in no context. */
static bool sum_block(sc_live *live, const struct block *block, bool list)
{
  bool known = true;
  for (size_t k = block->first; k < block->end; k++) {
    uint64_t count = get_live_value(live, live->places[k].offset);
    if (!count)
      continue;
    uint32_t context = live->places[k].context;
    if (context == SC_NONE) {
      known = false;
    } else {
      uint64_t room = UINT64_MAX - live->sums[context];
      if (!live->sums[context])
        live->counted[live->counted_count++] = context;
      live->sums[context] += count < room ? count : room; /* never back to 0: each is listed once */
    }
    for (uint32_t i = list ? live->entries[k] : SC_NONE; i != SC_NONE; i = live->blocks[i].next)
      live->touched[live->touched_count++] = i;
  }
  return known;
}

/* Adds up what the blocks have counted. False: something that is in no context. The list of touched blocks grows
 * while it is walked: a block adds those that its counts enter, down to where nothing counted. */
static bool sum_live_counts(sc_live *live)
{
  bool known = true, alone = header_of(live)->threads <= 1; /* else a thread may have been in a node from the start */
  live->touched_count = alone ? live->always_count : live->block_count;
  for (uint32_t i = 0; i < live->touched_count; i++)
    live->touched[i] = alone ? live->always[i] : i;
  for (size_t i = 0; i < live->touched_count; i++)
    known &= sum_block(live, &live->blocks[live->touched[i]], alone);
  return known;
}

static void reset_counts(sc_live *live)
{
  for (size_t i = 0; i < live->touched_count; i++) {
    const struct block *block = &live->blocks[live->touched[i]];
    for (size_t k = block->first; k < block->end; k++)
      memset(live->data + live->places[k].offset, 0, sizeof(uint64_t));
  }
}

/* Ascending. Sorting takes less than a look at all contexts, unless many of them counted. */
static void order_counted(sc_live *live)
{
  uint32_t contexts = sc_graph_context_count(live->graph);
  size_t count = 0;
  if (live->counted_count < contexts / SORTED_SHARE) {
    qsort(live->counted, live->counted_count, sizeof *live->counted, sc_compare_numbers);
    return;
  }
  for (uint32_t i = 0; i < contexts && i < live->sum_capacity; i++)
    if (live->sums[i])
      live->counted[count++] = i;
}

static size_t deliver_sums(sc_live *live)
{
  size_t count = live->counted_count;
  order_counted(live);
  for (size_t i = 0; i < count; i++) {
    live->counts[i] = (struct sc_live_count){live->counted[i], live->sums[live->counted[i]]};
    live->sums[live->counted[i]] = 0;
  }
  live->counted_count = 0;
  return count;
}

/* Where counts stand is found out once for each shape of the tree: an input that enters no new context costs a look at
 * the blocks that it entered. */
int sc_live_read(sc_live *live, const struct sc_live_count **counts, size_t *count)
{
  /* The first function that runs takes a slot of the root's own: the tree is no larger for it. */
  if (!live->place_count || tree_state(live) != live->state)
    SC_TRY(locate_all(live));
  if (!sum_live_counts(live)) {
    memset(live->sums, 0, live->sum_capacity * sizeof *live->sums);
    live->counted_count = 0;
    SC_TRY(locate_all(live));
    (void)sum_live_counts(live); /* what is in no context still is of a lost record */
  }
  reset_counts(live);
  *count = deliver_sums(live);
  *counts = live->counts;
  return 0;
}

static int by_block_offset(const void *a, const void *b)
{
  return SC_COMPARE(*(const uint64_t *)a, *(const uint64_t *)b);
}

int sc_live_begun(sc_live *live)
{
  SC_TRY(SC_NEW(live->under_way, live->touched_count + 1));
  for (size_t i = 0; i < live->touched_count; i++)
    live->under_way[live->under_way_count++] = live->blocks[live->touched[i]].offset;
  qsort(live->under_way, live->under_way_count, sizeof *live->under_way, by_block_offset);
  mark_under_way(live);
  return note_entries(live);
}

bool sc_live_is_full(const sc_live *live)
{
  return header_of(live)->truncated_nodes || header_of(live)->lost_records || header_of(live)->lost_bytes;
}

int sc_live_open(const char *path, sc_graph *graph, sc_live **live)
{
  int err = SC_E_NOMEM;
  *live = NULL;
  sc_live *fresh = sc_mem_new(1, sizeof *fresh);
  if (!fresh || !(fresh->path = sc_mem_copy_string(path)))
    goto out;
  fresh->graph = graph;
  SC_GOTO(locate_all(fresh));
  *live = fresh;
  fresh = NULL;
out:
  sc_live_close(fresh);
  return err;
}

void sc_live_close(sc_live *live)
{
  if (!live)
    return;
  if (live->data)
    munmap(live->data, live->size);
  free(live->path);
  free(live->places);
  free(live->blocks);
  free(live->chunks);
  free(live->entries);
  free(live->always);
  free(live->touched);
  free(live->under_way);
  free(live->sums);
  free(live->counted);
  free(live->counts);
  free(live);
}

/* SPDX-License-Identifier: MIT */
/* A child's copies of its parent's chunks: what leads from block to block, and no counts. */
#include "fork_copy.h"
#include "bytes.h"
#include "file.h"
#include "fork_keep.h"
#include "os.h"
#include "records.h"
#include "tally.h"

/* Zeroes an entry's count; what it leads to stays. */
static void fork_reset_entry(struct scale_entry *e) { e->count = 0; }

/* Zeroes what was counted, and when. Names stay with tallies of this thread only: they know by themselves. */
static void fork_reset_tally(struct scale_tally *tally)
{
  uint64_t holders = tally->holders;
  uint64_t bytes = tally->bytes < sizeof(struct sc_timed_tally) ? sizeof(*tally) : tally->bytes;

  sc_zero(&tally->named, bytes - offsetof(struct scale_tally, named));
  tally->first_tick = tally->last_tick = sc_ticks();
  tally->holders = holders;
}

static void fork_reset_holder(struct scale_holder *holder)
{
  holder->waits = holder->wait_ticks = holder->inside_ticks = 0;
}

/* Zeroes a node's counters, all but the slots' way to their children. `from` is the old node. */
static void fork_reset_node(const struct sc_process *p, struct scale_node *node, const struct scale_node *from)
{
  struct sc_places places;

  sc_zero(node + 1, node->bytes - sizeof(*node));
  if (!__scale_records_places(p, node->function, &places))
    return;
  for (uint32_t i = 0; i < places.slot_count; i++) {
    uint32_t slot = sc_places_slot(&places, i), at = slot & ~(uint32_t)SCALE_PLACE_OPEN;
    uint32_t bytes = slot != at ? sizeof(struct scale_entry) : sizeof(struct scale_slot);
    if (at + bytes > node->bytes)
      continue;
    sc_copy((char *)node + at, (const char *)from + at, bytes);
    ((struct scale_slot *)((char *)node + at))->count = 0;
  }
  for (uint32_t i = 0; i < places.event_count; i++) {
    uint32_t at = sc_places_event(&places, i);
    if (at + sizeof(uint64_t) <= node->bytes)
      sc_copy((char *)node + at, (const char *)from + at, sizeof(uint64_t));
  }
}

/* Zeroes what a block has counted. `from`: the block as the parent has it. */
static void fork_reset(const struct sc_process *p, struct scale_node *block, const struct scale_node *from)
{
  if (block->function == SCALE_TALLY) {
    fork_reset_tally((struct scale_tally *)block);
  } else if (block->function == SCALE_HOLDER) {
    fork_reset_holder((struct scale_holder *)block);
  } else if (block->function) {
    fork_reset_node(p, block, from);
  } else if (block->parent) {
    fork_reset_entry(&((struct sc_continuation *)block)->entry);
  } else {
    fork_reset_entry(&((struct sc_root *)block)->root);
    fork_reset_entry(&((struct sc_root *)block)->truncated);
    sc_zero(((struct sc_root *)block)->outs, sizeof(((struct sc_root *)block)->outs));
  }
}

/* Pages of a chunk that the child's file has. */
struct fork_pages {
  struct sc_process *p;
  int fd;
  struct scale_chunk *chunk; /* where they are mapped */
  uint64_t offset;           /* of the chunk in the file */
  uint64_t from, end;        /* those that are not mapped yet */
};

static void fork_map_pages(const struct fork_pages *pages)
{
  uint64_t bytes = pages->end - pages->from, offset = pages->offset + pages->from;
  int err;

  if (pages->p->full)
    return;
  err = pages->fd < 0 ? pages->fd : __scale_file_reserve(pages->fd, offset, bytes);
  if (err == 0 && sc_os_map((char *)pages->chunk + pages->from, bytes, pages->fd, offset))
    return;
  __scale_file_lost(pages->p->header, err ? err : -12 /* ENOMEM */);
  pages->p->full = 1;
}

/* Adds what lies behind all before. */
static void fork_add_pages(struct fork_pages *pages, uint64_t from, uint64_t bytes)
{
  uint64_t end = sc_round_up(from + bytes, SCALE_CHUNK_ALIGN);

  from &= ~(uint64_t)(SCALE_CHUNK_ALIGN - 1);
  if (from > pages->end) {
    fork_map_pages(pages);
    pages->from = from;
  }
  if (end > pages->end)
    pages->end = end;
}

/* Maps the pages that the chunk's kept blocks and their bits lie in; its header's, too. */
static void fork_map_kept(struct fork_pages *pages, const struct sc_keep *keep, const uint64_t *kept,
                          const struct scale_chunk *from)
{
  uint64_t words = from->bitmap_bytes / 8;

  fork_add_pages(pages, 0, keep->whole ? SC_LOAD(from->used) : sizeof(*from));
  for (uint64_t w = 0; w < words && !keep->whole; w++)
    if (kept[w])
      fork_add_pages(pages, sizeof(*from) + w * 8, 8);
  for (uint64_t w = 0; w < words && !keep->whole; w++)
    for (uint64_t bits = kept[w]; bits; bits &= bits - 1) {
      const struct scale_node *block = sc_arena_block_of(from, w, bits);
      fork_add_pages(pages, (uintptr_t)block - (uintptr_t)from, block->bytes);
    }
  fork_map_pages(pages);
}

static void fork_copy_kept(const struct sc_process *p, struct scale_chunk *to, const uint64_t *kept,
                           const struct scale_chunk *from)
{
  for (uint64_t w = 0; w < from->bitmap_bytes / 8; w++) {
    if (kept[w])
      sc_arena_bitmap(to)[w] = kept[w];
    for (uint64_t bits = kept[w]; bits; bits &= bits - 1) {
      const struct scale_node *old = sc_arena_block_of(from, w, bits);
      struct scale_node *block = sc_arena_block_of(to, w, bits);
      sc_copy(block, old, old->bytes);
      fork_reset(p, block, old);
    }
  }
}

void __scale_fork_forget(struct scale_chunk *chunk, uint64_t bytes) { sc_os_map(chunk, bytes, -1, 0); }

/* The chunk as it is up to `used`; of the blocks those that were complete. */
static void fork_copy_whole(struct scale_chunk *to, const struct scale_chunk *from, uint64_t used)
{
  uint64_t head = sizeof(*from) + from->bitmap_bytes;
  __atomic_thread_fence(__ATOMIC_ACQUIRE); /* a block whose bit was seen is complete */
  sc_copy((char *)to + head, (const char *)from + head, used - head);
}

/* `from`: where the parent's chunk is now. */
static void fork_fill(struct sc_process *p, int fd, const struct sc_keep *keep, const struct sc_keep_chunk *at,
                      const struct scale_chunk *from)
{
  struct scale_chunk *to = at->chunk;
  struct fork_pages pages = {p, fd, to, p->header->used, 0, 0};
  uint64_t used = SC_LOAD(from->used);

  fork_map_kept(&pages, keep, at->bits, from);
  if (p->full) { /* the file has no part of a chunk either */
    SC_ADD(p->header->lost_bytes, pages.end);
    __scale_fork_forget(to, from->bytes);
  }
  sc_copy(to, from, sizeof(*to));
  to->used = used < pages.end ? used : pages.end;
  if (keep->whole)
    fork_copy_whole(to, from, to->used);
  fork_copy_kept(p, to, at->bits, from);
  __scale_file_chunk_place(to, pages.end, p->full ? 0 : pages.offset);
  if (!p->full)
    p->header->used = pages.offset + pages.end;
}

int __scale_fork_copy(struct sc_process *p, int fd, const struct sc_keep *keep, const struct sc_keep_chunk *at)
{
  uint64_t bytes = at->chunk->bytes, words = at->chunk->bitmap_bytes / 8, w = 0;
  struct scale_chunk *from;

  while (w < words && !at->bits[w])
    w++;
  from = w < words ? sc_os_map(NULL, bytes, -1, 0) : NULL;
  if (from && sc_os_move(at->chunk, bytes, from) < 0) {
    sc_os_unmap(from, bytes);
    from = NULL;
  }
  __scale_fork_forget(at->chunk, bytes);
  if (!from)
    return 0;
  fork_fill(p, fd, keep, at, from);
  sc_os_unmap(from, bytes);
  return 1;
}

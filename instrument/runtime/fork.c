/* SPDX-License-Identifier: MIT */
#include "fork.h"
#include "bytes.h"
#include "file.h"
#include "names.h"
#include "os.h"
#include "records.h"
#include "steps.h"
#include "tally.h"
#include "thread.h"
#include "trace.h"
#include "pools.h"
#include "units.h"

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

/* Copies the forking thread's chunk without its counts. */
static void fork_copy(const struct sc_process *p, struct scale_chunk *to, const struct scale_chunk *from)
{
  __scale_fork_snapshot(to, from);
  for (uint64_t w = 0; w < to->bitmap_bytes / 8; w++)
    for (uint64_t bits = sc_arena_bitmap(to)[w]; bits; bits &= bits - 1) {
      uint64_t at = (w * 64 + (uint64_t)__builtin_ctzll(bits)) * SCALE_BLOCK_ALIGN;
      struct scale_node *node = (struct scale_node *)((char *)to + at);
      if (node->function == SCALE_TALLY) {
        fork_reset_tally((struct scale_tally *)node);
      } else if (node->function == SCALE_HOLDER) {
        fork_reset_holder((struct scale_holder *)node);
      } else if (node->function) {
        fork_reset_node(p, node, (const struct scale_node *)((const char *)from + at));
      } else if (node->parent) {
        fork_reset_entry(&((struct sc_continuation *)node)->entry);
      } else {
        fork_reset_entry(&((struct sc_root *)node)->root);
        fork_reset_entry(&((struct sc_root *)node)->truncated);
        sc_zero(((struct sc_root *)node)->outs, sizeof(((struct sc_root *)node)->outs));
      }
    }
}

/* Another thread's chunk: that thread is not here, and in the parent it may be writing. Its arena becomes an
   empty one. The space stays used, for a fiber of that thread may be what forked. */
static void fork_empty(struct scale_chunk *to, const struct scale_chunk *from)
{
  uint64_t used = SC_LOAD(from->used);

  sc_copy(to, from, sizeof(*to));
  if (to->flags & SCALE_CHUNK_FIRST) {
    to->used = sizeof(*to) + to->bitmap_bytes;
    __scale_arena_root(to);
  }
  to->used = used;
}

/* Puts a chunk of the child's own in the place of the one shared with the parent. */
static void fork_chunk(struct sc_process *p, int fd, struct scale_chunk *chunk, int own)
{
  uint64_t bytes = chunk->bytes;
  struct scale_chunk *to = fd < 0 ? NULL : sc_os_map(NULL, bytes, fd, sc_file_offset(chunk));

  if (!to) {
    to = sc_os_map(NULL, bytes, -1, 0);
    if (chunk->type == SCALE_CHUNK_ARENA)
      p->header->lost_bytes += bytes;
  }
  if (!to)
    return;
  if (chunk->type == SCALE_CHUNK_RECORDS) {
    __scale_fork_snapshot(to, chunk);
  } else if (chunk->type == SCALE_CHUNK_TRACE) {
    sc_copy(to, chunk, sizeof(*to));
    __scale_trace_clear(to);
  } else if (own) {
    fork_copy(p, to, chunk);
  } else {
    fork_empty(to, chunk);
  }
  if (sc_os_move(to, bytes, chunk) < 0)
    sc_os_unmap(to, bytes);
}

typedef void fork_visit(void *context, struct scale_chunk *chunk, int own);

/* Visits every chunk that is in the file: arenas first, for they are read with the parent's records. */
static void fork_each(struct sc_process *p, fork_visit *visit, void *context)
{
  const struct sc_arena *self = __scale_thread_own;
  struct scale_chunk *next;

  for (struct sc_arena *a = __scale_arenas; a; a = a->next) {
    for (struct scale_chunk *c = SC_LOAD(a->current); c; c = next) {
      next = sc_arena_older(c);
      if (sc_file_offset(c))
        visit(context, c, a == self);
    }
    if (a->trace)
      visit(context, a->trace, 0);
  }
  for (struct scale_chunk *c = p->records; c; c = next) {
    next = sc_arena_older(c);
    visit(context, c, 0);
  }
}

/* Where chunks lie in the file. */
struct fork_extent {
  uint64_t offset, end;
};
struct fork_extents {
  struct fork_extent *at; /* NULL: they are only counted */
  uint64_t count, most;
  uint64_t last; /* where the last of them ends */
};

static void fork_find(void *context, struct scale_chunk *chunk, int own)
{
  struct fork_extents *all = context;
  uint64_t offset = sc_file_offset(chunk);

  SC_STEP();
  if (all->at && all->count < all->most)
    all->at[all->count] = (struct fork_extent){offset, offset + chunk->bytes};
  if (offset + chunk->bytes > all->last)
    all->last = offset + chunk->bytes;
  all->count++;
}

/* Lets the extent at `i` sink in the heap of the first `count`. */
static void fork_sift(struct fork_extent *at, uint64_t i, uint64_t count)
{
  struct fork_extent moved = at[i];

  for (uint64_t child; (child = 2 * i + 1) < count; i = child) {
    SC_STEP();
    child += child + 1 < count && at[child + 1].offset > at[child].offset;
    if (at[child].offset <= moved.offset)
      break;
    at[i] = at[child];
  }
  at[i] = moved;
}

static void fork_sort(struct fork_extent *at, uint64_t count)
{
  for (uint64_t i = count / 2; i-- > 0;)
    fork_sift(at, i, count);
  for (uint64_t left = count; left > 1; left--) {
    struct fork_extent last = at[left - 1];
    at[left - 1] = at[0];
    at[0] = last;
    fork_sift(at, 0, left - 1);
  }
}

static void fork_fill(int fd, uint64_t from, uint64_t to)
{
  struct scale_chunk empty;

  sc_zero(&empty, sizeof(empty));
  __scale_file_chunk_header(&empty, SCALE_CHUNK_RECORDS, 0, to - from, 0, NULL, from);
  sc_os_pwrite(fd, &empty, sizeof(empty), from);
}

/* A chunk that the parent began after the fork is unknown here: an empty chunk takes its place in the file, so
   that a reader can step over it. Returns the bytes used. */
static uint64_t fork_fill_gaps(struct sc_process *p, int fd)
{
  struct fork_extents all = {NULL, 0, 0, SCALE_HEADER_BYTES};
  uint64_t bytes, end = SCALE_HEADER_BYTES;

  fork_each(p, fork_find, &all);
  bytes = sc_round_up(all.count * sizeof(*all.at), 4096);
  all = (struct fork_extents){sc_os_map(NULL, bytes, -1, 0), 0, all.count, all.last};
  if (!all.at) /* no memory, or no chunk: the reader will say what is damaged */
    return all.last;
  fork_each(p, fork_find, &all);
  fork_sort(all.at, all.count);
  for (uint64_t i = 0; i < all.count; i++) {
    if (all.at[i].offset > end)
      fork_fill(fd, end, all.at[i].offset);
    end = all.at[i].end;
  }
  sc_os_unmap(all.at, bytes);
  return end;
}

struct fork_move {
  struct sc_process *p;
  int fd;
};

static void fork_move(void *context, struct scale_chunk *chunk, int own)
{
  struct fork_move *move = context;
  fork_chunk(move->p, move->fd, chunk, own);
}

/* What of a chunk the child's file has room for: what the parent had in use. All of a trace, which is written anew. */
static uint64_t fork_kept(const struct scale_chunk *chunk)
{
  uint64_t used = sc_round_up(SC_LOAD(chunk->used), SCALE_CHUNK_ALIGN);

  return chunk->type != SCALE_CHUNK_TRACE && used < chunk->bytes ? used : chunk->bytes;
}

struct fork_room {
  int fd, err;
  uint64_t end;
};

static void fork_reserve(void *context, struct scale_chunk *chunk, int own)
{
  struct fork_room *room = context;
  uint64_t offset = sc_file_offset(chunk);

  if (room->err == 0)
    room->err = __scale_file_reserve(room->fd, offset, fork_kept(chunk));
  if (offset + chunk->bytes > room->end)
    room->end = offset + chunk->bytes;
}

/* The child's file, with room for all that the parent's held. -1 if there is none. */
static int fork_file(struct sc_process *p)
{
  int fd = -1, err = __scale_file_create(p, 1);

  if (err == 0) {
    err = fd = __scale_file_open(p);
    if (fd >= 0) {
      struct fork_room room = {fd, 0, SCALE_HEADER_BYTES};
      fork_each(p, fork_reserve, &room);
      err = room.err == 0 ? __scale_file_extend(fd, room.end) : room.err;
    }
  }
  if (err < 0) {
    p->full = 1;
    __scale_file_lost(p->header, err); /* of the parent, if there is no other */
    if (fd >= 0)
      sc_os_close(fd);
    fd = -1;
  }
  return fd;
}

static int fork_is_cut(const struct scale_chunk *chunk) { return chunk && fork_kept(chunk) < chunk->bytes; }

/* Where the child's file has no room in the newest chunk, it begins new ones, small at first. */
static void fork_shut(struct sc_process *p)
{
  p->shut = fork_is_cut(p->records) ? p->records : NULL;
  for (struct sc_arena *a = __scale_arenas; a; a = a->next)
    a->shut = fork_is_cut(a->current) ? a->current : NULL;
}

static void fork_profile(struct sc_process *p)
{
  struct scale_header *before = p->header, *after;
  struct fork_move move = {p, fork_file(p)};

  if (p->header == before) { /* no file at all: the parent's says so, which is still mapped here */
    SC_ADD(before->lost_children, 1);
    p->ancestor = before;
    p->has_file = 0;
    p->header = &p->private_header;
  }
  after = p->header;
  after->nodes = before->nodes;
  after->arenas = before->arenas;
  after->threads = 1;
  if (move.fd >= 0)
    after->used = fork_fill_gaps(p, move.fd);
  fork_each(p, fork_move, &move);
  fork_shut(p);
  if (__scale_thread_own)
    __scale_fork_prune(p, __scale_thread_own);
  if (move.fd >= 0)
    sc_os_close(move.fd);
  if (p->has_file)
    sc_os_unmap(before, SCALE_HEADER_BYTES);
}

/* What the child has of its parent was acquired by nobody here. The locks of the forking thread stay held. */
static void fork_resources(void)
{
  __scale_held_fork(__scale_thread_own);
  __scale_units_fork();
  __scale_pool_fork();
  __scale_names_fork(__scale_thread_own);
}

void __scale_fork_child(void)
{
  struct sc_process *p = __scale_process_state;
  uint64_t signals;

  if (!p)
    return;
  signals = sc_os_block_signals();
  __scale_process_own();
  if (p->has_file)
    fork_profile(p);
  else if (p->ancestor)
    SC_ADD(p->ancestor->lost_children, 1);
  fork_resources();
  __scale_thread_only(__scale_thread_own);
  sc_os_restore_signals(signals);
}

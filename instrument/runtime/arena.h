/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An arena holds the tree of one thread (or of several, one after another): a
 * list of chunks with blocks in them. Blocks are only ever added, by atomic
 * bumps, so a signal handler may interrupt any step and do the same.
 */
#include "gates_cache.h"
#include "hold.h"
#include "state.h"

enum {
  SC_ARENA_FIRST_BYTES = 4 << 10, /* most threads need no more; each further chunk is twice the one before */
  SC_ARENA_CHUNK_MAX = 16 << 20,
  SC_ARENA_INSTANCES = 64, /* a power of two */
  SC_ARENA_NEAR = 16       /* the first ones, that may be looked at one by one */
};
/* Set in `owner` when the thread said that it ends; once it is really gone the arena can be adopted. */
#define SC_ARENA_LEAVING UINT32_C(0x80000000)

struct sc_arena {
  struct sc_arena *next;       /* of all arenas */
  struct sc_arena *free;       /* the next of those that may be adopted (thread.c) */
  uint32_t listed;             /* (atomic) 1: it is among them */
  uint32_t noted;              /* thread by whose number it is found (thread.c) */
  struct scale_chunk *current; /* newest chunk */
  struct scale_chunk *shut;    /* one of them that takes no more: the file has no room behind what is in it */
  struct sc_root *root;
  uint64_t stack; /* stack pointer when the owner came */
  uint32_t number;
  uint32_t owner;                            /* thread id, with SC_ARENA_LEAVING */
  struct scale_entry *cache[SC_GATES_CACHE]; /* entries lately found, by slot and function; only hints */
  struct sc_dormant *dormant;                /* nodes by function, in a process without a profile; or NULL */
  struct sc_entries *entries;                /* those of slots with many, or NULL (entries.h) */
  uint32_t entries_lossy;                    /* 1: there was no memory for all of them */
  struct sc_held held;                       /* locks of the thread whose arena it is */
  struct scale_chunk *trace;                 /* its ring, or NULL */
  struct {
    uint64_t condition, since, out, by; /* units of a pool that the thread waits for (pools.h); 0: none */
    uint64_t has;                       /* units */
  } pool;
  uint64_t awaited, awaited_by; /* what the thread waits for, and the tally of who held it then */
  uint64_t switches;            /* of its thread, that waited, when it was asked last (blocked.h) */
  uint64_t waited;              /* since such a call began that may wait: bits (event.c) */
  uint64_t locked_ticks;        /* of all waits for mutexes, read-write locks and spin locks */
  struct sc_arena_instance {    /* tallies lately found, by cell and identity; only hints */
    uint64_t check;             /* of all three; half of another's never passes */
    uint64_t tally;
  } instances[SC_ARENA_INSTANCES];
};

/* The root block, first in an arena's first chunk. */
struct sc_root {
  struct scale_node node;
  struct scale_entry root;      /* functions entered without an instrumented caller */
  struct scale_entry truncated; /* functions whose own place could not be made */
  struct scale_out outs[SCALE_OUT_CLASSES];
};

/* A block that continues an open slot with one more callee. Its node.creator is that slot. In the first one of a slot
   node.stack_low, which such blocks have no other use for, is the address of the last entry, or of one before it. */
struct sc_continuation {
  struct scale_node node;
  struct scale_entry entry;
};

/* A block as it is made: invisible to readers until published. */
struct sc_block {
  struct scale_chunk *chunk;
  struct scale_node *node; /* NULL: no memory, or over the budget */
};

/* All arenas, newest first. */
extern struct sc_arena *__scale_arenas;
/* The first ones by number, NULL where none is made yet; and whether there are others. */
extern struct sc_arena *__scale_arenas_near[SC_ARENA_NEAR];
extern uint32_t __scale_arenas_far;

/* Arenas of a server for threads that its children begin. */
static inline uint64_t sc_arena_spare(const struct sc_process *p) { return (p->budget >> 21) + 1; }
/* A new arena with its root block, not yet in the list; NULL without memory, or if a server has none left. */
struct sc_arena *__scale_arena_new(struct sc_process *p);
/* Puts an arena into the list. */
void __scale_arena_link(struct sc_arena *arena);

/* A zeroed block of `bytes`; with `forced` the budget does not count. */
struct sc_block __scale_arena_block(struct sc_process *p, struct sc_arena *arena, uint64_t bytes, int forced);
void __scale_arena_publish(struct sc_block block);

/* The block that holds `address` (a slot in it), looking first in *arena and then in all; sets *arena to the
   one that has it. NULL if nobody has. *arena may be NULL. */
struct scale_node *__scale_arena_owner(struct sc_arena **arena, const void *address);

/* The published block of the chunk that the address lies in, or NULL. */
struct scale_node *__scale_arena_block_at(struct scale_chunk *chunk, const void *address);
/* Whether a published block begins at `address`, in any arena. */
int __scale_arena_begins(uint64_t address);

/* A bit for each place that a block may begin at: set once the block is published. */
static inline uint64_t *sc_arena_bitmap(struct scale_chunk *chunk) { return (uint64_t *)(chunk + 1); }
/* The block that the lowest bit set in `bits` stands for, of the bitmap's word `word`. */
static inline struct scale_node *sc_arena_block_of(const struct scale_chunk *chunk, uint64_t word, uint64_t bits)
{
  return (struct scale_node *)((char *)chunk + (word * 64 + (uint64_t)__builtin_ctzll(bits)) * SCALE_BLOCK_ALIGN);
}
static inline struct scale_chunk *sc_arena_older(const struct scale_chunk *chunk)
{
  return (struct scale_chunk *)(uintptr_t)chunk->next;
}

/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The locks that a thread holds, as they lie in its arena. Only the thread itself adds and removes; others look when
 * they wait, to see who holds what they wait for, and claim an acquire that they give back in its place. The thread
 * settles such claims itself, at its next step. Whatever is done takes the same time however many locks are held, by
 * however many threads: the first of a thread are in a small array, the others in a hash table (held_store.h); how
 * others find them is in held_others.h.
 */
#include "layout.h"

struct sc_arena;
struct sc_table_value;

enum { SC_HELD_FIRST = 12 };

enum sc_held_state {
  SC_HELD_INNER = 1,     /* the thread held it already: this is not where the hold ends */
  SC_HELD_AWAY = 2,      /* in a condition wait: not held at the moment */
  SC_HELD_INHERITED = 4, /* from before a fork: counts for nobody */
  SC_HELD_BEHIND = 8,    /* not in the array */
  SC_HELD_LISTED = 16    /* was put into its lock's list */
};

/* Its memory stays a hold's for ever: who finds one that is another's by now sees that by `left`. */
struct sc_hold {
  uint64_t identity; /* 0: unused */
  uint64_t tally;    /* address */
  uint64_t since;    /* ticks; 0: this hold is not timed. Of several units of a semaphore, of the first one */
  uint64_t ended;    /* when the newest claim was made */
  uint64_t left;     /* (atomic) number of the use of this memory << 32 | acquires that nobody gave back */
  uint32_t how;      /* class and flags, as in events */
  uint16_t state;    /* enum sc_held_state */
  uint8_t weight;    /* holds that the time of this one stands for */
  uint8_t queued;    /* (atomic) 1: among its thread's `claims` */
  uint32_t unused;
  struct sc_hold *claim;         /* the next of them */
  struct sc_arena *of;           /* whose it is */
  struct sc_hold *older, *newer; /* behind the array: of the same lock and thread; `older` of free ones: the next */
  struct sc_hold *in_use, *in_use_before; /* behind the array: all of the thread */
  struct sc_table_value *record;          /* (atomic) its lock's list that it is in (held_others.c), or NULL */
  struct sc_hold *after, *before;         /* there */
};
_Static_assert(sizeof(struct sc_hold) == 128, "two lines of the cache, and found in the array without multiplying");

struct sc_held {
  uint32_t count;         /* used part of `first` */
  uint32_t more;          /* holds behind it */
  struct sc_hold *claims; /* (atomic) holds that other threads gave back from, not settled yet */
  uint32_t ended;         /* holds ever, to look at the clock now and then */
  uint32_t dice;          /* which of many holds are timed */
  struct sc_hold first[SC_HELD_FIRST];
  struct sc_hold *in_use, *unused; /* behind `first` */
  struct sc_hold *fresh;           /* never used, `fresh_count` of them, in a piece of `piece_count` */
  uint32_t fresh_count, piece_count;
};

/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_HELD_H
#define SCALE_RUNTIME_HELD_H
/*
 * The locks that a thread holds. Only the thread itself adds and removes; others
 * read the list when they wait, to see who holds what they wait for, and claim
 * an acquire that they give back in its place. The thread settles such claims
 * itself, at its next step.
 */
#include "layout.h"

struct sc_arena;

enum { SC_HELD_FIRST = 12 };

enum sc_held_state {
  SC_HELD_INNER = 1,    /* the thread held it already: this is not where the hold ends */
  SC_HELD_AWAY = 2,     /* in a condition wait: not held at the moment */
  SC_HELD_INHERITED = 4 /* from before a fork: counts for nobody */
};

struct sc_hold {
  uint64_t identity; /* 0: unused */
  uint64_t tally;    /* address */
  uint64_t since;    /* ticks; 0: this hold is not timed */
  uint64_t ended;    /* when the newest claim was made */
  uint32_t depth;    /* acquires */
  uint32_t claimed;  /* (atomic) of them given back by other threads, and not settled yet */
  uint32_t how;      /* class and flags, as in events */
  uint32_t state;    /* enum sc_held_state */
  uint32_t weight;   /* holds that the time of this one stands for */
};

struct sc_held {
  struct sc_hold *holds;
  uint32_t count, room;
  uint32_t claims; /* (atomic) holds with claims that were not settled yet */
  uint32_t ended;  /* holds ever, to look at the clock now and then */
  uint32_t dice;   /* which of many holds are timed */
  struct sc_hold first[SC_HELD_FIRST];
};

/* Forgets everything: for a fresh arena, or one with a new thread. */
void __scale_held_reset(struct sc_held *held);
/* Adds an acquire by the calling thread. now: the time, or 0 for a hold that is not to be timed. 0: no memory. */
int __scale_held_push(struct sc_arena *own, uint64_t identity, struct scale_tally *tally, uint64_t now, uint32_t weight,
                      uint32_t how);
/* The calling thread gives one acquire back. 1: it was its own, and is accounted for; 0: the thread has none. */
int __scale_held_pop(struct sc_arena *own, uint64_t identity, uint32_t how, int *stranger);
/* The same for an acquire of another thread. */
int __scale_held_claim(const struct sc_arena *own, uint64_t identity, uint32_t how);
/* The tally of whoever, but the calling thread, has held it longest; 0 if nobody. */
uint64_t __scale_held_by(const struct sc_arena *own, uint64_t identity, uint32_t how);
/* A condition wait gives the mutex back for a while: its hold ends. */
void __scale_held_part(struct sc_arena *own, uint64_t mutex);
void __scale_held_rejoin(struct sc_arena *own, uint64_t mutex);
/* Accounts for what other threads gave back. */
void __scale_held_settle(struct sc_arena *own);
/* In a child of fork: what is held counts for nobody from now on. */
void __scale_held_inherit(struct sc_held *held);
#endif

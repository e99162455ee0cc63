/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/index.h"
#include "profiles/graph/usage_internal.h"
#include "runner/process/caught.h"

enum { NOBODY = UINT32_MAX };

/* What the calls of one event did in one process; the names are those of struct scale_tally (profiles/layout.inc). */
typedef struct tally {
  uint32_t process, event, shared, touched; /* what it is found by; touched: as a use of the second resource */
  uint32_t next;                            /* of the process, or NOBODY */
  uint64_t acquires, failures, waits, releases, reads, writes, units, units_released;
  uint64_t returned, returned_units, unseen, strangers, peak, wait_ns, holds, hold_ns;
  uint32_t buckets[SC_USAGE_BUCKETS];
} tally;

/* Waits of one tally while another one held (of locks: the same one; nested: what the thread itself held). */
typedef struct pair {
  uint32_t waiter, holder, nested;
  uint64_t waits, ns;
} pair;

typedef struct tallied_process {
  uint32_t number, image;
  uint64_t began, ended;                               /* numbers of events; ended 0: it lives */
  uint32_t first_tally, first_instance, first_stretch; /* heads of lists of its own; NOBODY: none */
} tallied_process;

/* When a thread was busy with a resource. */
typedef struct stretch {
  uint32_t process, thread, resource, reserved;
  uint64_t first, last;
  uint32_t next; /* of the process, or NOBODY */
} stretch;

typedef struct tallied_instance {
  uint32_t process, resource;
  uint64_t identity;
  uint32_t newest, next;   /* newest: hold, or NOBODY: nobody has it; next: of the process, or NOBODY */
  uint64_t holds, hold_ns; /* exclusive ones of a lock that ended */
  bool known;              /* since it was acquired, or given back, once: whether it is out is known from then on */
} tallied_instance;

/* Of a lock by a thread, of a unit, or of units that one place acquired in one thread. */
typedef struct hold {
  uint32_t tally, thread, instance, older; /* older: of the same instance, or of free ones the next */
  uint64_t since, units;                   /* since: of several acquires the mean */
  uint32_t count;                          /* acquires that were not given back */
  bool inner, shared;                      /* inner: the thread held the lock already */
} hold;

typedef struct tallied_thread {
  uint32_t process, number;
  uint32_t awaited_by; /* tally that held the lock when the call that may wait was entered */
  uint32_t *locks;     /* holds, the newest last */
  size_t lock_count, lock_room;
} tallied_thread;

#define TABLE(type)                  \
  struct {                           \
    type *list;                      \
    size_t count, room;              \
    sc_index index; /* number + 1 */ \
  }

struct sc_caught {
  const sc_caught_events *events;
  uint32_t *first_event; /* [functions + 1] */
  size_t functions;
  TABLE(tally) tallies;
  TABLE(pair) pairs;
  TABLE(tallied_process) processes;
  TABLE(tallied_thread) threads;
  TABLE(tallied_instance) instances;
  TABLE(stretch) stretches;
  hold *holds;
  size_t hold_count, hold_room;
  uint32_t free_hold;
  uint64_t clock; /* numbers of events, for the lives of processes */
  uint64_t lost;
  bool running;     /* sc_caught_set_running */
  uint64_t earlier; /* releases of what was acquired before */
  double scale;
};

/* Whether a resource of the events is a mutex, a read-write lock or a spin lock. */
static inline bool sc_caught_locks(const struct sc_caught *t, uint32_t resource)
{
  return sc_resource_class_locks(t->events->resources[resource].resource.resource_class);
}

/* A call, while it is looked at. */
typedef struct tallied_call {
  sc_caught *t;
  const struct scale_happened *what;
  const sc_caught_event *event;
  uint32_t number; /* of the event */
  uint32_t process, thread;
} tallied_call;

/* A tally by its number, and the call's thread; valid until one is added. */
static inline tally *sc_caught_at(const tallied_call *c, uint32_t number) { return &c->t->tallies.list[number]; }
static inline tallied_thread *sc_caught_thread(const tallied_call *c) { return &c->t->threads.list[c->thread]; }

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "instrument/attach/happened.h"
#include "instrument/events/probes.h"
#include "profiles/graph/usage.h"

/*
 * What calls that uprobes caught did to resources: what happened, one after the other, becomes the same tallies that
 * the runtime of an instrumented program keeps (instrument/runtime), by the same rules: an instance of a pool is held
 * once and comes back as a whole, units that are counted come back as many as a release says, locks are held by
 * threads.
 */

enum { SC_CAUGHT_NO_VALUE = -1 };

/* An event of a probe set, and where its values are among those that are told of a call. */
typedef struct sc_caught_event {
  const sc_probes_event *event;
  uint32_t function, resource;                      /* numbers; events of a function follow each other */
  uint32_t touched;                                 /* number of the second resource; UINT32_MAX: none */
  int unit, units[2], sharing;                      /* indices of values, or SC_CAUGHT_NO_VALUE */
  uint8_t unit_bytes, units_bytes[2], result_bytes; /* of the numbers; 0: not known, all 8 */
} sc_caught_event;

typedef struct sc_caught_resource {
  sc_resource resource;
  bool counted; /* its instances may be acquired several times */
} sc_caught_resource;

typedef struct sc_caught_events {
  sc_caught_event *list;
  size_t count, room;
  sc_caught_resource *resources;
  size_t resource_count, resource_room;
} sc_caught_events;

/* Whether an event tells of its call after it, and before it. */
bool sc_caught_after(const sc_probes_event *event);
bool sc_caught_before(const sc_probes_event *event);

typedef struct sc_caught sc_caught;

/* `events` is referred to, and stays as it is. NULL: no memory. */
sc_caught *sc_caught_new(const sc_caught_events *events, size_t functions);
void sc_caught_free(sc_caught *tallies); /* NULL is allowed */
/* What happens is of processes that were there before: what they give back and nobody saw them acquire was acquired
 * then, and is no event of this run. */
void sc_caught_set_running(sc_caught *tallies);
/* Releases of that, so far. */
uint64_t sc_caught_earlier(const sc_caught *tallies);
/* All counts and times are multiplied with it when they are added (1 at first), but for what is out at a time. */
void sc_caught_set_scale(sc_caught *tallies, double scale);
/* Forgets all. */
void sc_caught_clear(sc_caught *tallies);
/* `tallies` is a sc_caught: takes what happened next. Without memory it counts what is lost. */
void sc_caught_take(void *tallies, const struct scale_happened *what);
/* What could not be taken: for want of memory, or because a value stood in memory that could not be read. */
uint64_t sc_caught_lost(const sc_caught *tallies);
/* The context of calls of a function by processes of an image. */
typedef int (*sc_caught_context_fn)(void *user, uint32_t image, uint32_t function, uint32_t *context);
/* Adds all to a run of the graph. */
int sc_caught_add(const sc_caught *tallies, sc_graph *graph, size_t run, sc_caught_context_fn context,
                  void *user) SC_CHECK;

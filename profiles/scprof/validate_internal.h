/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/index.h"
#include "profiles/graph/resource_set.h"
#include "profiles/scprof/reader.h"
#include "profiles/scprof/trace.h"

/* What an event did that the life of a unit does not allow; the strongest evidence first. */
enum sc_validate_fault {
  SC_VALIDATE_USED_AFTER,   /* released a unit that the same thread used afterwards */
  SC_VALIDATE_NOT_HELD,     /* used a unit that nobody had */
  SC_VALIDATE_NO_HOLDER,    /* waited though nobody else had it */
  SC_VALIDATE_HELD_ALREADY, /* acquired a unit that somebody had */
  SC_VALIDATE_NO_ACQUIRE,   /* released a unit that nobody had */
  SC_VALIDATE_NO_DELAY,     /* a wait that took no time: told by the median, not event by event */
  SC_VALIDATE_FAULTS
};

/* A function and the resource that its calls are said to do something to. */
struct sc_validate_subject {
  const char *via, *resource;  /* interned */
  uint64_t waits, short_waits; /* if it is said to wait and nothing else; short: below a microsecond */
  uint64_t checked, broken;    /* events, and their faults */
  uint64_t faults[SC_VALIDATE_FAULTS];
  bool probe, discarded;
};

struct sc_validate_event {
  uint64_t ticks, number, identity;
  uint64_t wait_start; /* of a WAIT: in ticks; UINT64_MAX: not known */
  uint32_t scope, task, resource, subject;
  uint32_t units;
  unsigned kind; /* as in sc_trace_event */
  bool shared;
};

/* What is known of a resource from the whole trace. */
struct sc_validate_resource {
  bool acquired, resized, shared; /* there is such an event; shared: such an acquire */
};

/* Where instances are told apart by their identity: all processes together (scope 0), or one. */
struct sc_validate_scope {
  uint64_t known_from; /* ticks from which on no event is missing; UINT64_MAX: never */
  bool begins_free;    /* nothing was held before the first event */
};

/* The traces of a run's processes, as far as they are about resources of probe sets and annotations. */
struct sc_validate_check {
  struct sc_validate_event *events; /* in the order of time */
  size_t event_count, event_capacity;
  struct sc_validate_subject *subjects;
  size_t subject_count, subject_capacity;
  sc_index by_name; /* subject + 1 */
  sc_resource_set set;
  struct sc_validate_resource *resources; /* [set.count] */
  size_t resource_capacity;
  struct sc_validate_scope *scopes; /* [1 + processes] */
  uint32_t task_count;
  uint64_t lost_events;
};

/* validate_gather.c */
int sc_validate_gather(sc_reader *const *readers, size_t count, struct sc_validate_check *check) SC_CHECK;
/* Also after a failure. */
void sc_validate_free(struct sc_validate_check *check);
/* validate_units.c: goes through the events, those of discarded subjects left out, and counts them and their faults. */
int sc_validate_units(const struct sc_validate_check *check) SC_CHECK;

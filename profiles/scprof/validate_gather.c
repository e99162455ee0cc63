/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the validation of probe sets looks at: the traced events and waits of all profiles of a run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "profiles/scprof/internal.h"
#include "profiles/scprof/validate_internal.h"

/* The subject of a call; strings of the set's pool have one address. */
static int find_subject(struct sc_validate_check *check, const sc_trace_event *event, uint32_t *number)
{
  const char *via = sc_pool_intern(&check->set.strings, event->via);
  const char *resource = sc_pool_intern(&check->set.strings, event->resource->name);
  if (!via || !resource)
    return SC_E_NOMEM;
  uint32_t hash = (uint32_t)sc_hash_mix((uintptr_t)via ^ sc_hash_mix((uintptr_t)resource));
  SC_TRY(sc_index_reserve(&check->by_name, check->subject_count + 1));
  sc_index_slot *slot = sc_index_first(&check->by_name, hash);
  while (slot->number &&
         (check->subjects[slot->number - 1].via != via || check->subjects[slot->number - 1].resource != resource))
    slot = sc_index_next(&check->by_name, slot);
  if (!slot->number) {
    SC_TRY(sc_mem_grow(&check->subjects, &check->subject_capacity, check->subject_count + 1, sizeof *check->subjects));
    check->subjects[check->subject_count++] = (struct sc_validate_subject){.via = via, .resource = resource};
    sc_index_take(&check->by_name, slot, hash, (uint32_t)check->subject_count);
  }
  *number = slot->number - 1;
  check->subjects[*number].probe = check->subjects[*number].probe || event->probe;
  return 0;
}

static int find_resource(struct sc_validate_check *check, const sc_resource *resource, uint32_t *number)
{
  SC_TRY(sc_resource_set_intern(&check->set, resource, number, NULL));
  SC_TRY(sc_mem_grow_zeroed(&check->resources, &check->resource_capacity, check->set.count, sizeof *check->resources));
  return 0;
}

/* When the wait that ended with the event began. Its length is known in whole microseconds. */
static uint64_t wait_start(const struct sc_reader *reader, const sc_trace_event *event)
{
  if (!(reader->tick_ns > 0))
    return UINT64_MAX;
  double ticks = (event->units + 1.0) * 1000 / reader->tick_ns;
  return event->units == UINT32_MAX || ticks >= (double)event->ticks ? 0 : event->ticks - (uint64_t)ceil(ticks);
}

static int add_gathered_event(struct sc_validate_check *check, const struct sc_reader *reader,
                              const sc_trace_event *event, uint32_t process, uint32_t first_task)
{
  uint32_t resource, number;
  if (!event->resource->probe)
    return 0;
  SC_TRY(find_resource(check, event->resource, &resource));
  SC_TRY(find_subject(check, event, &number));
  check->resources[resource].acquired |= event->kind == SC_USAGE_EVENT_ACQUIRE;
  check->resources[resource].shared |= event->kind == SC_USAGE_EVENT_ACQUIRE && event->shared;
  check->resources[resource].resized |= event->kind == SC_USAGE_EVENT_RESIZE;
  if (event->kind == SC_USAGE_EVENT_WAIT && event->site == SC_USAGE_EVENT_WAIT) {
    check->subjects[number].waits++;
    check->subjects[number].short_waits += event->units < 1;
  }
  SC_TRY(sc_mem_grow(&check->events, &check->event_capacity, check->event_count + 1, sizeof *check->events));
  check->events[check->event_count++] = (struct sc_validate_event){
      .ticks = event->ticks,
      .number = event->number,
      .identity = event->identity,
      .wait_start = event->kind == SC_USAGE_EVENT_WAIT ? wait_start(reader, event) : 0,
      .scope = event->resource->global ? 0 : process + 1,
      .task = first_task + event->ring,
      .resource = resource,
      .subject = number,
      .units = event->units,
      .kind = event->kind,
      .shared = event->shared,
  };
  return 0;
}

/* Whether every thread that did something to a resource of a probe set, one of those between processes if `global`,
 * has a trace. */
static bool all_traced(const struct sc_reader *reader, const sc_trace *trace, bool global)
{
  for (size_t i = 0; i < reader->tally_count; i++) {
    struct scale_tally tally;
    const sc_resource *resource = reader->resources.list[reader->tallies[i].resource];
    uint32_t arena = sc_blocks_arena(reader, reader->tallies[i].address);
    size_t ring = 0;
    memcpy(&tally, reader->data + reader->tallies[i].offset, sizeof tally);
    if (!resource->probe || (global && !resource->global) || !sc_tallies_counted(&tally))
      continue;
    while (ring < trace->ring_count && trace->rings[ring].arena != arena)
      ring++;
    if (ring == trace->ring_count)
      return false;
  }
  return true;
}

/* The first event that is left of the ring's. */
static uint64_t first_of(const sc_trace *trace, uint32_t ring)
{
  for (size_t i = 0; i < trace->count; i++)
    if (trace->events[i].ring == ring)
      return trace->events[i].ticks;
  return UINT64_MAX;
}

static uint64_t known_from(const sc_trace *trace)
{
  uint64_t from = 0;
  for (uint32_t i = 0; i < trace->ring_count; i++) {
    uint64_t first = trace->rings[i].overwritten ? first_of(trace, i) : 0;
    if (trace->rings[i].unreadable > 1) /* one is what a process that was killed leaves */
      first = UINT64_MAX;
    from = first > from ? first : from;
  }
  return from;
}

static bool has_parent(sc_reader *const *readers, size_t count, const struct sc_reader *child)
{
  for (size_t i = 0; i < count; i++)
    if (readers[i]->header.pid == child->header.parent_pid)
      return true;
  return false;
}

/* A scope is where an identity means one thing: a process, or all of them (scope 0) for what they share. Its events
 * count from where every ring has all of its own; before that a unit may have been taken unseen. */
static int add_process(struct sc_validate_check *check, sc_reader *const *readers, size_t count, uint32_t process)
{
  const struct sc_reader *reader = readers[process];
  struct sc_validate_scope *all = &check->scopes[0], *own = &check->scopes[process + 1];
  sc_trace trace = {0};
  int err;
  SC_GOTO(sc_reader_trace(reader, &trace));
  own->known_from = all_traced(reader, &trace, false) ? known_from(&trace) : UINT64_MAX;
  uint64_t global = all_traced(reader, &trace, true) ? known_from(&trace) : UINT64_MAX;
  all->known_from = global > all->known_from ? global : all->known_from;
  bool whole = !known_from(&trace) && !reader->header.lost_events;
  own->begins_free = whole && !reader->header.forked;
  all->begins_free = all->begins_free && whole && (!reader->header.forked || has_parent(readers, count, reader));
  check->lost_events += reader->header.lost_events;
  for (size_t i = 0; i < trace.count; i++) {
    uint32_t ring = trace.events[i].ring, first = 0;
    while (trace.rings[first].arena != trace.rings[ring].arena) /* a thread with two rings is one task */
      first++;
    trace.events[i].ring = first;
    SC_GOTO(add_gathered_event(check, reader, &trace.events[i], process, check->task_count));
  }
  check->task_count += (uint32_t)trace.ring_count;
out:
  sc_trace_free(&trace);
  return err;
}

static int by_gathered_time(const void *left, const void *right)
{
  const struct sc_validate_event *a = left, *b = right;
  return SC_COMPARE(a->ticks, b->ticks) ?: SC_COMPARE(a->task, b->task) ?: SC_COMPARE(a->number, b->number);
}

int sc_validate_gather(sc_reader *const *readers, size_t count, struct sc_validate_check *check)
{
  SC_TRY(sc_index_reserve(&check->set.table, 1));
  check->scopes = sc_mem_new(count + 1, sizeof *check->scopes);
  if (!check->scopes)
    return SC_E_NOMEM;
  check->scopes[0].begins_free = true;
  for (size_t i = 0; i < count; i++)
    SC_TRY(add_process(check, readers, count, (uint32_t)i));
  if (check->event_count)
    qsort(check->events, check->event_count, sizeof *check->events, by_gathered_time);
  return 0;
}

void sc_validate_free(struct sc_validate_check *check)
{
  free(check->events);
  free(check->subjects);
  sc_index_free(&check->by_name);
  sc_resource_set_free(&check->set);
  free(check->resources);
  free(check->scopes);
}

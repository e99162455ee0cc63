/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of each unit of a resource, as a trace tells it. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "profiles/scprof/validate_holds.h"
#include "profiles/scprof/validate_internal.h"

/* In the place of an identity: the resource as a whole. */
static const uint64_t WHOLE = UINT64_MAX;

struct unit {
  uint64_t identity;
  uint32_t scope, resource;
  uint32_t holds; /* the first, or 0 */
  bool known;     /* all of its history is in the trace, from some event on */
  bool exclusive; /* it is held so */
  bool reused;    /* the newest release was found out */
  /* the newest release, and the newest by another task than that */
  uint32_t released_by[2], released_through; /* tasks; subject */
  uint64_t released_at[2];
};

/* Every unit that the trace names, followed event by event. `known` separates two kinds of "nobody has it": seen to
 * be free, which may be held against a function, and not seen at all, which may not. */
struct life {
  const struct sc_validate_check *check;
  struct unit *units;
  size_t count, capacity;
  sc_index table; /* unit + 1 */
  sc_validate_holds holds;
};

static uint32_t hash_life(uint64_t identity, uint32_t scope, uint32_t resource)
{
  return (uint32_t)sc_hash_mix(identity ^ sc_hash_mix((uint64_t)scope << 32 | resource));
}

static int find_life_unit(struct life *life, const struct sc_validate_event *event, uint64_t identity,
                          struct unit **unit)
{
  uint32_t key = hash_life(identity, event->scope, event->resource);
  SC_TRY(sc_index_reserve(&life->table, life->count + 1));
  sc_index_slot *slot = sc_index_first(&life->table, key);
  for (; slot->number; slot = sc_index_next(&life->table, slot)) {
    *unit = &life->units[slot->number - 1];
    if ((*unit)->identity == identity && (*unit)->scope == event->scope && (*unit)->resource == event->resource)
      return 0;
  }
  SC_TRY(sc_mem_grow(&life->units, &life->capacity, life->count + 1, sizeof *life->units));
  *unit = &life->units[life->count++];
  **unit = (struct unit){.identity = identity,
                         .scope = event->scope,
                         .resource = event->resource,
                         .known = life->check->scopes[event->scope].begins_free,
                         .released_by = {SC_VALIDATE_NOBODY, SC_VALIDATE_NOBODY}};
  sc_index_take(&life->table, slot, key, (uint32_t)life->count);
  return 0;
}

static bool life_holds(const struct life *life, const struct unit *unit, uint32_t task)
{
  return sc_validate_holds_by(&life->holds, unit->holds, task);
}

static bool others_hold(const struct life *life, const struct unit *unit, uint32_t task)
{
  return sc_validate_holds_by_others(&life->holds, unit->holds, task);
}

static int take_unit(struct life *life, struct unit *unit, uint32_t task, uint64_t depth)
{
  return sc_validate_holds_take(&life->holds, &unit->holds, task, depth);
}

static void drop_all(struct life *life, struct unit *unit)
{
  sc_validate_holds_give_all(&life->holds, &unit->holds, SC_VALIDATE_NOBODY, UINT64_MAX);
}

static enum sc_resource_class class_of_life_event(const struct life *life, const struct sc_validate_event *event)
{
  return life->check->set.list[event->resource]->resource_class;
}

/* Units without an identity are told by their number only, as are references to what is no lock but shared. */
static bool is_counted(const struct life *life, const struct sc_validate_event *event)
{
  return !event->identity || class_of_life_event(life, event) == SC_RESOURCE_SEMAPHORE ||
         (event->shared && !sc_resource_class_locks(class_of_life_event(life, event)));
}

static void blame_life(const struct life *life, uint32_t subject, enum sc_validate_fault fault)
{
  life->check->subjects[subject].faults[fault]++;
  life->check->subjects[subject].broken++;
}

/* The trace decides what holds from here on, whatever was blamed: a unit that was acquired is held by who acquired
 * it. */
static int acquire_life(struct life *life, const struct sc_validate_event *event, struct unit *unit, bool check)
{
  const struct sc_validate_resource *resource = &life->check->resources[event->resource];
  if (is_counted(life, event))
    return take_unit(life, unit, event->task, event->units);
  bool others = others_hold(life, unit, event->task) && (unit->exclusive || !event->shared);
  bool again = life_holds(life, unit, event->task) && !sc_resource_class_locks(class_of_life_event(life, event));
  if (check && unit->known && !resource->resized && (others || again))
    blame_life(life, event->subject, SC_VALIDATE_HELD_ALREADY);
  if (!unit->known && event->shared) /* whether others share it nobody knows */
    return 0;
  if (!unit->known || others) /* whoever had it has it no more, or never had */
    drop_all(life, unit);
  else if (again)
    return 0;
  unit->known = true;
  unit->exclusive = !event->shared;
  return take_unit(life, unit, event->task, 1);
}

static void note_release(struct unit *unit, const struct sc_validate_event *event)
{
  if (unit->released_by[0] != event->task) {
    unit->released_by[1] = unit->released_by[0];
    unit->released_at[1] = unit->released_at[0];
  }
  unit->released_by[0] = event->task;
  unit->released_at[0] = event->ticks;
  unit->released_through = event->subject;
  unit->reused = false;
}

static void release_life(struct life *life, const struct sc_validate_event *event, struct unit *unit, bool check)
{
  const struct sc_validate_resource *resource = &life->check->resources[event->resource];
  bool counted = is_counted(life, event);
  bool strange = unit->known && !unit->holds && resource->acquired;
  if (check && strange &&
      class_of_life_event(life, event) != SC_RESOURCE_SEMAPHORE) /* whose posts need no wait before */
    blame_life(life, event->subject, SC_VALIDATE_NO_ACQUIRE);
  if (counted)
    sc_validate_holds_give_all(&life->holds, &unit->holds, event->task,
                               event->units == UINT32_MAX ? UINT64_MAX : event->units);
  else
    (void)sc_validate_holds_give(&life->holds, &unit->holds, event->task, 1);
  if (!counted && !resource->shared)
    unit->known = true; /* it is free now */
  note_release(unit, event);
}

static void use_life(const struct life *life, const struct sc_validate_event *event, struct unit *unit, bool check)
{
  if (!check || !unit->known || !life->check->resources[event->resource].acquired)
    return;
  bool lock = sc_resource_class_locks(class_of_life_event(life, event));
  if (lock ? life_holds(life, unit, event->task) : unit->holds != 0)
    return;
  if (unit->released_by[0] == event->task && life->check->subjects[unit->released_through].probe) {
    if (!unit->reused)
      blame_life(life, unit->released_through, SC_VALIDATE_USED_AFTER);
    unit->reused = true;
  } else {
    blame_life(life, event->subject, SC_VALIDATE_NOT_HELD);
  }
}

/* Somebody else must have had it when the wait began, or later. */
static void wait_life(const struct life *life, const struct sc_validate_event *event, const struct unit *unit,
                      bool check)
{
  const struct sc_validate_resource *resource = &life->check->resources[event->resource];
  if (!check || !unit->known || !resource->acquired || life->check->set.list[event->resource]->idle ||
      event->wait_start == UINT64_MAX || others_hold(life, unit, event->task))
    return;
  for (int i = 0; i < 2; i++)
    if (unit->released_by[i] != SC_VALIDATE_NOBODY && unit->released_by[i] != event->task &&
        unit->released_at[i] >= event->wait_start)
      return;
  blame_life(life, event->subject, SC_VALIDATE_NO_HOLDER);
}

/* A pool's units are all alike to who waits for one: what is waited for is the whole. */
static int follow_whole(struct life *life, const struct sc_validate_event *event, bool check)
{
  struct unit *whole;
  SC_TRY(find_life_unit(life, event, WHOLE, &whole));
  switch (event->kind) {
  case SC_USAGE_EVENT_ACQUIRE:
    return take_unit(life, whole, event->task, 1);
  case SC_USAGE_EVENT_RELEASE:
    (void)sc_validate_holds_give(&life->holds, &whole->holds, event->task, 1);
    note_release(whole, event);
    return 0;
  case SC_USAGE_EVENT_WAIT:
    wait_life(life, event, whole, check);
    return 0;
  default:
    return 0;
  }
}

static int follow_unit(struct life *life, const struct sc_validate_event *event, bool check)
{
  struct unit *unit;
  SC_TRY(find_life_unit(life, event, event->identity, &unit));
  switch (event->kind) {
  case SC_USAGE_EVENT_ACQUIRE:
    return acquire_life(life, event, unit, check);
  case SC_USAGE_EVENT_RESIZE:
    drop_all(life, unit);
    unit->known = true;
    return take_unit(life, unit, event->task, 1);
  case SC_USAGE_EVENT_RELEASE:
    release_life(life, event, unit, check);
    return 0;
  case SC_USAGE_EVENT_READ:
  case SC_USAGE_EVENT_WRITE:
    use_life(life, event, unit, check);
    return 0;
  case SC_USAGE_EVENT_WAIT:
    if (sc_resource_class_locks(class_of_life_event(life, event)))
      wait_life(life, event, unit, check);
    return 0;
  default:
    return 0;
  }
}

/* Nobody knows what an event that was discarded does: the unit's life is seen again from the next event on. */
static int forget_life(struct life *life, const struct sc_validate_event *event)
{
  const uint64_t identities[] = {event->identity, WHOLE};
  if (event->kind != SC_USAGE_EVENT_ACQUIRE && event->kind != SC_USAGE_EVENT_RELEASE)
    return 0;
  for (int i = 0; i < 2; i++) {
    struct unit *unit;
    SC_TRY(find_life_unit(life, event, identities[i], &unit));
    drop_all(life, unit);
    unit->known = false;
  }
  return 0;
}

static int follow_life(struct life *life, const struct sc_validate_event *event)
{
  const struct sc_validate_scope *scope = &life->check->scopes[event->scope];
  struct sc_validate_subject *subject = &life->check->subjects[event->subject];
  enum sc_resource_class resource_class = class_of_life_event(life, event);
  bool lives = resource_class != SC_RESOURCE_CONDITION && resource_class != SC_RESOURCE_BARRIER &&
               resource_class != SC_RESOURCE_THREAD && !sc_resource_class_blocks(resource_class);
  if (subject->discarded)
    return forget_life(life, event);
  if (!lives || event->ticks < scope->known_from || scope->known_from == UINT64_MAX)
    return 0;
  subject->checked++;
  SC_TRY(follow_unit(life, event, subject->probe));
  return sc_resource_class_locks(resource_class) ? 0 : follow_whole(life, event, subject->probe);
}

int sc_validate_units(const struct sc_validate_check *check)
{
  int err = 0;
  struct life life = {.check = check};
  SC_GOTO(sc_index_reserve(&life.table, 1));
  for (size_t i = 0; i < check->event_count; i++)
    SC_GOTO(follow_life(&life, &check->events[i]));
out:
  free(life.units);
  sc_validate_holds_free(&life.holds);
  sc_index_free(&life.table);
  return err;
}

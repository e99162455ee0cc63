/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who has what. The rules are the runtime's: instrument/runtime/held.c of locks, units.c of units. */
#include "runner/process/caught_holds.h"

#include <string.h>

#include "base/buf.h"

static uint32_t new_hold(const tallied_call *c, uint32_t instance)
{
  sc_caught *t = c->t;
  uint32_t number = t->free_hold;
  if (number != NOBODY)
    t->free_hold = t->holds[number].older;
  else if (t->hold_count < NOBODY && sc_mem_grow(&t->holds, &t->hold_room, t->hold_count + 1, sizeof *t->holds) == 0)
    number = (uint32_t)t->hold_count++;
  else
    return NOBODY;
  t->holds[number] = (hold){.thread = c->thread, .instance = instance, .older = t->instances.list[instance].newest};
  t->instances.list[instance].newest = number;
  return number;
}

static void forget_lock(tallied_thread *of, uint32_t number)
{
  for (size_t i = of->lock_count; i-- > 0;)
    if (of->locks[i] == number) {
      memmove(of->locks + i, of->locks + i + 1, (--of->lock_count - i) * sizeof *of->locks);
      return;
    }
}

static void drop_hold(sc_caught *t, uint32_t number)
{
  hold *which = &t->holds[number];
  uint32_t *link = &t->instances.list[which->instance].newest;
  while (*link != number)
    link = &t->holds[*link].older;
  *link = which->older;
  forget_lock(&t->threads.list[which->thread], number);
  which->older = t->free_hold;
  t->free_hold = number;
}

/* `acquires` of a hold are over. */
static void end_hold(const tallied_call *c, const hold *which, uint64_t acquires)
{
  tally *of = sc_caught_at(c, which->tally);
  uint64_t ns = c->what->time > which->since ? c->what->time - which->since : 0;
  unsigned bucket = 63 - (unsigned)__builtin_clzll(ns | 1);
  of->holds += acquires;
  of->hold_ns += ns * acquires;
  of->buckets[bucket < SC_USAGE_BUCKETS ? bucket : SC_USAGE_BUCKETS - 1] += (uint32_t)acquires;
  if (!which->shared) {
    c->t->instances.list[which->instance].holds += acquires;
    c->t->instances.list[which->instance].hold_ns += ns * acquires;
  }
}

/* ---- locks ---- */

uint32_t sc_caught_newest(const tallied_call *c, uint32_t instance, uint32_t thread, bool its)
{
  for (uint32_t at = c->t->instances.list[instance].newest; at != NOBODY; at = c->t->holds[at].older)
    if ((c->t->holds[at].thread == thread) == its)
      return at;
  return NOBODY;
}

bool sc_caught_keep_lock(const tallied_call *c, uint32_t instance, uint32_t tally_number)
{
  uint32_t known = sc_caught_newest(c, instance, c->thread, true);
  bool inner = known != NOBODY;
  for (uint32_t at = known; at != NOBODY; at = c->t->holds[at].older)
    if (c->t->holds[at].thread == c->thread && c->t->holds[at].tally == tally_number) {
      c->t->holds[at].count++;
      return true;
    }
  tallied_thread *own = sc_caught_thread(c);
  uint32_t number = sc_mem_grow(&own->locks, &own->lock_room, own->lock_count + 1, sizeof *own->locks) == 0
                        ? new_hold(c, instance)
                        : NOBODY;
  if (number == NOBODY)
    return false;
  own->locks[own->lock_count++] = number;
  hold *made = &c->t->holds[number];
  made->tally = tally_number;
  made->since = c->what->time;
  made->units = made->count = 1;
  made->inner = inner;
  made->shared = sc_caught_at(c, tally_number)->shared;
  return true;
}

/* One acquire is given back; false: nobody has it. */
bool sc_caught_give_lock(const tallied_call *c, uint32_t instance)
{
  uint32_t number = sc_caught_newest(c, instance, c->thread, true);
  if (number == NOBODY)
    number = sc_caught_newest(c, instance, c->thread, false);
  if (number == NOBODY)
    return false;
  hold *which = &c->t->holds[number];
  tally *of = sc_caught_at(c, which->tally);
  of->returned++;
  of->returned_units++;
  if (--which->count)
    return true;
  if (!which->inner)
    end_hold(c, which, 1);
  drop_hold(c->t, number);
  return true;
}

/* ---- units ---- */

bool sc_caught_counted(const tallied_call *c, uint64_t identity)
{
  return !identity || c->t->events->resources[c->event->resource].counted;
}

bool sc_caught_keep_units(const tallied_call *c, uint32_t instance, uint64_t identity, uint32_t tally_number,
                          uint64_t units)
{
  uint32_t number = c->t->instances.list[instance].newest;
  if (sc_caught_counted(c, identity)) {
    while (number != NOBODY && (c->t->holds[number].tally != tally_number || c->t->holds[number].thread != c->thread))
      number = c->t->holds[number].older;
    if (number != NOBODY) {
      hold *more = &c->t->holds[number];
      more->count++;
      more->since += (c->what->time - more->since) / more->count;
      more->units += units;
      return true;
    }
  } else if (number != NOBODY) { /* it was given back where nobody saw it */
    tally *of = sc_caught_at(c, c->t->holds[number].tally);
    of->unseen++;
    of->returned++;
    of->returned_units += c->t->holds[number].units;
    drop_hold(c->t, number);
  }
  number = new_hold(c, instance);
  if (number == NOBODY)
    return false;
  hold *made = &c->t->holds[number];
  made->tally = tally_number;
  made->since = c->what->time;
  made->units = units;
  made->count = 1;
  made->shared = sc_caught_at(c, tally_number)->shared;
  return true;
}

/* How many of a hold's acquires are over when that many of its units stay. */
static uint32_t acquires_over(const hold *of, uint64_t left)
{
  if (!left)
    return of->count;
  uint64_t stay = (uint64_t)(((unsigned __int128)left * of->count + of->units - 1) / of->units);
  return of->count - (uint32_t)(stay ? stay : 1);
}

/* Returns how many units came back. */
uint64_t sc_caught_give_units(const tallied_call *c, uint32_t instance, bool counted, uint64_t units)
{
  uint64_t all = 0, back;
  do {
    uint32_t number = sc_caught_newest(c, instance, c->thread, true);
    if (number == NOBODY)
      number = sc_caught_newest(c, instance, c->thread, false);
    if (number == NOBODY)
      break;
    hold *which = &c->t->holds[number];
    tally *of = sc_caught_at(c, which->tally);
    back = counted && units - all < which->units ? units - all : which->units;
    uint32_t over = acquires_over(which, which->units - back);
    of->returned += over;
    of->returned_units += back;
    if (over)
      end_hold(c, which, over);
    which->units -= back;
    which->count -= over;
    if (!which->count)
      drop_hold(c->t, number);
    all += back;
  } while (back && counted && all < units);
  return all;
}

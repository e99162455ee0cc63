/* SPDX-License-Identifier: MIT */
#include "units.h"
#include "how.h"
#include "table.h"
#include "tally.h"
#include "valgrind.h"

static SC_SHARED struct sc_table units_table;

/* Two resources may know the same instance: a number, or a pointer that one hands on to the other. Addresses leave the
   bits from 47 on free. */
static uint64_t units_key(uint64_t identity, uint32_t how)
{
  return __scale_table_key(sc_event_class(how), identity ^ (uint64_t)sc_event_resource(how) << 47);
}

static int units_counted(uint64_t identity, uint32_t how)
{
  return sc_event_class(how) == SCALE_CLASS_OTHER && (!identity || sc_event_flags(how) & SCALE_SITE_SHARED);
}

static int units_of_tally(const struct sc_table_value *value, const void *tally)
{
  return value->tally == (uintptr_t)tally;
}

static int units_of_arena(const struct sc_table_value *value, const void *arena)
{
  return value->arena == ((const struct sc_arena *)arena)->number;
}

static int units_acquired_at(const struct sc_table_value *value, const void *since)
{
  return value->since == *(const uint64_t *)since;
}

/* One more acquire in a counted slot; `since` is the mean of all. */
static void units_more(struct sc_table_value *value, uint64_t units, uint64_t now)
{
  value->count++;
  value->since += sc_ticks_between(value->since, now) / value->count;
  value->units += units;
}

int __scale_units_acquired(const struct sc_arena *own, uint64_t identity, uint64_t units, struct scale_tally *tally,
                           uint64_t now, uint32_t how)
{
  uint64_t key = units_key(identity, how);
  int counted = units_counted(identity, how);
  struct sc_table_at at = __scale_table_find(&units_table, key, counted ? units_of_tally : NULL, tally, counted);
  int more = counted && at.value;

  if (at.value && !counted) {
    SC_ADD(sc_tally_at(at.value->tally)->unseen, 1);
    SC_ADD(sc_tally_at(at.value->tally)->unseen_units, at.value->units);
    sc_out_less(own, sc_event_class(how), at.value->units);
  }
  if (!at.value)
    at = __scale_table_add(&units_table, key);
  if (!at.value && counted) { /* acquired in too many places: another one's slot takes it */
    at = __scale_table_find(&units_table, key, NULL, NULL, 0);
    more = 1;
  }
  if (!at.value)
    return 0;
  if (more)
    units_more(at.value, units, now);
  else
    *at.value = (struct sc_table_value){(uintptr_t)tally, now, units, own->number, 1};
  __scale_table_leave(at, key);
  return 1;
}

/* Accounts for `acquires` and `units` of a slot that came back. */
static void units_account(const struct sc_arena *own, const struct sc_table_value *value, uint64_t acquires,
                          uint64_t units, uint64_t now)
{
  struct scale_tally *tally = sc_tally_at(value->tally);

  if (value->arena == own->number) {
    SC_BUMP(tally->returned, acquires);
    SC_BUMP(tally->returned_units, units);
  } else {
    SC_ADD(tally->foreign, acquires);
    SC_ADD(tally->foreign_units, units);
  }
  if (acquires)
    sc_tally_hold_shared(tally, sc_ticks_between(value->since, now), acquires);
}

/* How many of a slot's acquires are over when that many of its units stay. */
static uint32_t units_over(const struct sc_table_value *value, uint64_t left)
{
  uint64_t all = value->units, count = value->count, stay;

  if (!left)
    return value->count;
  for (; all >> 32; all >>= 1)
    left >>= 1;
  stay = (left * count + all - 1) / all;
  return (uint32_t)(count - (stay ? stay : 1));
}

uint64_t __scale_units_released(const struct sc_arena *own, uint64_t identity, uint64_t units, uint64_t now,
                                uint32_t how, uint64_t since)
{
  uint64_t key = units_key(identity, how), all = 0;
  int counted = units_counted(identity, how);

  do {
    struct sc_table_at at = __scale_table_find(&units_table, key, since ? units_acquired_at : units_of_arena,
                                               since ? (const void *)&since : own, since != 0);
    uint64_t back;
    uint32_t over;
    if (!at.value)
      break;
    back = counted && units - all < at.value->units ? units - all : at.value->units;
    over = units_over(at.value, at.value->units - back);
    units_account(own, at.value, over, back, now);
    at.value->units -= back;
    at.value->count -= over;
    __scale_table_leave(at, at.value->count ? key : 0);
    all += back;
    if (!back)
      break;
  } while (counted && all < units);
  return all;
}

uint64_t __scale_units_since(uint64_t identity, uint32_t how)
{
  struct sc_table_value found;

  return __scale_table_look(&units_table, units_key(identity, how), &found) ? found.since : 0;
}

void __scale_units_fork(void) { __scale_table_clear(&units_table, NULL, NULL); }

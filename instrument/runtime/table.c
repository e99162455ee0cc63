/* SPDX-License-Identifier: MIT */
#include "table.h"
#include "bytes.h"
#include "os.h"
#include "steps.h"

enum {
  SC_TABLE_CLAIMED = 1,
  SC_TABLE_FIRST_BITS = 12, /* of slots in the first level; each further one has 16 times as many */
  SC_TABLE_STEP_BITS = 4,
  SC_TABLE_SPINS = 16, /* of these tries are made at once, before others are let run */
  SC_TABLE_TRIES = 200 /* until a claimed slot is taken for another key's */
};

struct sc_table_level {
  uint64_t mask;
  struct sc_table_value *values; /* [slots], in the same mapping */
  uint64_t keys[];               /* [slots]: 0 empty, SC_TABLE_CLAIMED */
};

uint64_t __scale_table_key(uint32_t resource_class, uint64_t identity)
{
  uint64_t key = (identity ^ (uint64_t)resource_class << 58) + UINT64_C(0x9e3779b97f4a7c15);

  /* each step can be undone, so that different instances have different keys */
  key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
  key ^= key >> 31;
  return key > SC_TABLE_CLAIMED ? key : key + 2;
}

static uint64_t table_slots(int level) { return UINT64_C(1) << (SC_TABLE_FIRST_BITS + SC_TABLE_STEP_BITS * level); }

static uint64_t table_bytes(int level)
{
  uint64_t slots = table_slots(level) + SC_TABLE_WINDOW;
  return sc_round_up(sizeof(struct sc_table_level) + slots * (sizeof(uint64_t) + sizeof(struct sc_table_value)), 4096);
}

static struct sc_table_level *table_level(struct sc_table *table, int number, int make)
{
  struct sc_table_level *level = SC_LOAD(table->level[number]), *before = NULL;

  if (level || !make)
    return level;
  level = sc_os_reserve(table_bytes(number));
  if (!level)
    return NULL;
  level->mask = table_slots(number) - 1;
  level->values = (struct sc_table_value *)(level->keys + table_slots(number) + SC_TABLE_WINDOW);
  if (SC_SWAP(table->level[number], &before, level))
    return level;
  sc_os_unmap(level, table_bytes(number));
  return before;
}

/* Whoever has claimed the slot may have lost its processor. */
static void table_pause(int tries)
{
  if (tries >= SC_TABLE_SPINS)
    sc_os_yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/* Where a search stands: in which level, at which slot of the key's window. */
struct table_search {
  struct sc_table_at best;
  int busy; /* met a claimed slot */
};

static void table_scan(struct sc_table_level *level, uint64_t key, sc_table_wish *wish, const void *context, int only,
                       struct table_search *s)
{
  uint64_t *keys = level->keys + (key & level->mask);
  struct sc_table_value *values = level->values + (key & level->mask);

  for (int i = 0; i < SC_TABLE_WINDOW; i++) {
    uint64_t seen = SC_PEEK(keys[i]);
    int wished;
    SC_STEP();
    if (seen == SC_TABLE_CLAIMED)
      s->busy = 1;
    if (seen != key || (s->best.value && !wish) || !SC_SWAP(keys[i], &seen, SC_TABLE_CLAIMED))
      continue;
    wished = !wish || wish(&values[i], context);
    if (wished || (!only && !s->best.value)) {
      if (s->best.value)
        __scale_table_leave(s->best, key);
      s->best = (struct sc_table_at){&keys[i], &values[i]};
      if (wished)
        return;
    } else {
      SC_STORE(keys[i], key);
    }
  }
}

struct sc_table_at __scale_table_find(struct sc_table *table, uint64_t key, sc_table_wish *wish, const void *context,
                                      int only)
{
  struct table_search s;

  for (int tries = 0;; tries++) {
    s = (struct table_search){{NULL, NULL}, 0};
    for (int number = 0; number < SC_TABLE_LEVELS; number++) {
      struct sc_table_level *level = table_level(table, number, 0);
      if (!level || (s.best.value && (!wish || wish(s.best.value, context))))
        break;
      table_scan(level, key, wish, context, only, &s);
    }
    if (s.best.value || !s.busy || tries == SC_TABLE_TRIES)
      return s.best;
    table_pause(tries);
  }
}

struct sc_table_at __scale_table_add(struct sc_table *table, uint64_t key)
{
  struct sc_table_at at = {NULL, NULL};

  for (int number = 0; number < SC_TABLE_LEVELS; number++) {
    struct sc_table_level *level = table_level(table, number, 1);
    uint64_t *keys = level ? level->keys + (key & level->mask) : NULL;
    for (int i = 0; keys && i < SC_TABLE_WINDOW; i++) {
      uint64_t empty = 0;
      SC_STEP();
      if (SC_PEEK(keys[i]) == 0 && SC_SWAP(keys[i], &empty, SC_TABLE_CLAIMED)) {
        at = (struct sc_table_at){&keys[i], level->values + (key & level->mask) + i};
        return at;
      }
    }
  }
  return at;
}

void __scale_table_leave(struct sc_table_at at, uint64_t key) { SC_STORE(*at.key, key); }

int __scale_table_look(struct sc_table *table, uint64_t key, struct sc_table_value *to)
{
  struct sc_table_at at = __scale_table_find(table, key, NULL, NULL, 0);

  if (!at.value)
    return 0;
  *to = *at.value;
  __scale_table_leave(at, key);
  return 1;
}

struct sc_table_at __scale_table_seek(const struct sc_table *table, uint64_t key, sc_table_wish *wish,
                                      const void *context)
{
  for (int number = 0; number < SC_TABLE_LEVELS; number++) {
    struct sc_table_level *level = SC_LOAD(table->level[number]);
    for (uint64_t i = 0, at = level ? key & level->mask : 0; level && i < SC_TABLE_WINDOW; i++, at++) {
      SC_STEP();
      if (SC_LOAD(level->keys[at]) == key && wish(&level->values[at], context))
        return (struct sc_table_at){&level->keys[at], &level->values[at]};
    }
  }
  return (struct sc_table_at){NULL, NULL};
}

int __scale_table_claim(struct sc_table_at at, uint64_t key)
{
  for (int tries = 0; tries <= SC_TABLE_TRIES; tries++) {
    uint64_t seen = key;
    SC_STEP();
    if (SC_SWAP(*at.key, &seen, SC_TABLE_CLAIMED))
      return 1;
    if (seen != SC_TABLE_CLAIMED)
      return 0;
    table_pause(tries);
  }
  return 0;
}

void __scale_table_clear(struct sc_table *table, sc_table_wish *keep, const void *context)
{
  for (int number = 0; number < SC_TABLE_LEVELS; number++) {
    struct sc_table_level *level = table->level[number];
    if (level && !keep) {
      sc_os_unmap(level, table_bytes(number));
      table->level[number] = NULL;
      continue;
    }
    for (uint64_t i = 0; level && i < table_slots(number) + SC_TABLE_WINDOW; i++)
      if (level->keys[i] && (level->keys[i] == SC_TABLE_CLAIMED || !keep(&level->values[i], context)))
        level->keys[i] = 0;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Keys in a hash table that doubles. SC_BENCH_WEAK: with h * 31 + character, else with a hash that is seeded. */
#include <stdint.h>

#include "input.h"

typedef struct entry {
  const char *key;
  struct entry *next, *more;
} entry;
typedef struct table {
  entry **slots;
  size_t count, room;
} table;

static uint64_t hash_key(const char *key)
{
#ifdef SC_BENCH_WEAK
  uint32_t hash = 0;
  for (; *key; key++)
    hash = hash * 31 + (unsigned char)*key;
  return hash;
#else
  uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
  for (; *key; key++) {
    hash = (hash ^ (unsigned char)*key) * UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 29;
  }
  return hash ^ (hash >> 33);
#endif
}

static void table_grow(table *t)
{
  size_t room = t->room ? 2 * t->room : 16;
  entry **slots = calloc(room, sizeof *slots);
  for (size_t i = 0; i < t->room; i++)
    for (entry *e = t->slots[i], *next; e; e = next) {
      next = e->next;
      size_t slot = hash_key(e->key) % room;
      e->next = slots[slot];
      slots[slot] = e;
    }
  free(t->slots);
  t->slots = slots;
  t->room = room;
}

static entry *table_get(table *t, const char *key)
{
  if (t->count >= t->room / 2)
    table_grow(t);
  size_t slot = hash_key(key) % t->room;
  for (entry *e = t->slots[slot]; e; e = e->next)
    if (strcmp(e->key, key) == 0)
      return e;
  entry *made = calloc(1, sizeof *made);
  made->key = key;
  made->next = t->slots[slot];
  t->slots[slot] = made;
  t->count++;
  return made;
}

/* NULL: there is no more. */
static char *next_line(char **rest)
{
  char *line = *rest;
  if (!*line)
    return NULL;
  char *end = strchr(line, '\n');
  *rest = end ? end + 1 : line + strlen(line);
  if (end)
    *end = '\0';
  return line;
}

/* SPDX-License-Identifier: MIT */
#include "entries.h"
#include "bytes.h"
#include "os.h"
#include "steps.h"

enum { SC_ENTRIES_FIRST = 256 /* cells, half of them used at most: with the head below, 4 KiB hold a page's worth */ };

struct sc_entries {
  uint64_t mask;              /* cells - 1 */
  uint64_t used;              /* (atomic) */
  struct scale_entry *cell[]; /* NULL: empty. Nothing is ever taken out */
};

static uint64_t entries_bytes(uint64_t cells)
{
  return sc_round_up(sizeof(struct sc_entries) + cells * sizeof(struct scale_entry *), 4096);
}

static uint64_t entries_hash(const struct scale_entry *slot, uint32_t key)
{
  uint64_t hash = ((uintptr_t)slot / SCALE_BLOCK_ALIGN ^ (uint64_t)key << 32) * UINT64_C(0x9e3779b97f4a7c15);
  return (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 20;
}

/* What lies in a cell is an entry once, but in a child of fork perhaps no more: it is compared with what is wanted. */
static int entries_is(const struct scale_entry *e, const struct scale_entry *slot, uint32_t key)
{
  return e->key == key && sc_entries_block(e)->node.creator == (uintptr_t)slot;
}

static struct scale_entry *entries_search(const struct sc_entries *table, const struct scale_entry *slot, uint32_t key)
{
  for (uint64_t i = entries_hash(slot, key), n = 0; n <= table->mask; i++, n++) {
    struct scale_entry *e = SC_LOAD(table->cell[i & table->mask]);
    SC_STEP();
    if (!e || entries_is(e, slot, key))
      return e;
  }
  return NULL;
}

struct scale_entry *__scale_entries_find(const struct sc_arena *arena, const struct scale_entry *slot, uint32_t key)
{
  const struct sc_entries *table = SC_LOAD(arena->entries);

  return table ? entries_search(table, slot, key) : NULL;
}

/* 0: the table is full, which those who add at once may come to. */
static int entries_put(struct sc_entries *table, const struct scale_entry *slot, struct scale_entry *e)
{
  for (uint64_t i = entries_hash(slot, e->key), n = 0; n <= table->mask; i++, n++) {
    struct scale_entry *before = NULL;
    SC_STEP();
    if (SC_SWAP(table->cell[i & table->mask], &before, e)) {
      SC_ADD(table->used, 1);
      return 1;
    }
    if (before == e)
      return 1;
  }
  return 0;
}

static void entries_copy(struct sc_entries *to, const struct sc_entries *from)
{
  for (uint64_t i = 0; i <= from->mask; i++) {
    struct scale_entry *e = SC_LOAD(from->cell[i]);
    SC_STEP();
    if (e)
      entries_put(to, (const struct scale_entry *)(uintptr_t)sc_entries_block(e)->node.creator, e);
  }
}

/* A table of twice as many cells, the old one's entries in it. The old one stays: somebody may be reading it. */
static struct sc_entries *entries_grow(struct sc_arena *arena, struct sc_entries *old)
{
  uint64_t cells = old ? (old->mask + 1) * 2 : SC_ENTRIES_FIRST;
  struct sc_entries *table = sc_os_reserve(entries_bytes(cells)), *before = old;

  if (!table)
    return NULL;
  table->mask = cells - 1;
  if (old)
    entries_copy(table, old);
  if (!SC_SWAP(arena->entries, &before, table)) {
    sc_os_unmap(table, entries_bytes(cells));
    return before;
  }
  if (old) /* once more: what was put there before everybody could see the new one */
    entries_copy(table, old);
  return table;
}

void __scale_entries_add(struct sc_arena *arena, const struct scale_entry *slot, struct scale_entry *e)
{
  struct sc_entries *table = SC_LOAD(arena->entries), *in = NULL;

  if (!table || SC_LOAD(table->used) * 2 > table->mask)
    table = entries_grow(arena, table);
  while (table && table != in && entries_put(table, slot, e)) {
    in = table;
    table = __atomic_load_n(&arena->entries, __ATOMIC_SEQ_CST); /* another one meanwhile? */
  }
  if (!table || table != in)
    SC_STORE(arena->entries_lossy, 1);
}

void __scale_entries_forget(struct sc_arena *arena)
{
  struct sc_entries *table = arena->entries;

  arena->entries = NULL;
  arena->entries_lossy = 0;
  if (table)
    sc_os_unmap(table, entries_bytes(table->mask + 1));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of calling contexts, as an array with links by number. Two ways lead in: sc_contexts_intern looks for
 * what is there, by the hash table; sc_contexts_append trusts its caller, a study, that nothing comes twice, and
 * leaves the table behind (`indexed` says how far it is): a report that never looks anything up never pays for it. */
#include "profiles/graph/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"

static uint32_t hash_context(uint32_t parent, uint32_t location)
{
  return (uint32_t)sc_hash_mix((uint64_t)parent << 32 | location);
}

static bool is_context(const sc_contexts *contexts, uint32_t number, uint32_t parent, uint32_t location)
{
  return contexts->list[number].parent == parent && contexts->list[number].location == location;
}

/* The slot of the context, or the free one that it takes. The root is never found: its number 0 means a free slot. */
static sc_index_slot *context_position(const sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  sc_index_slot *slot = sc_index_first(&contexts->table, hash_context(parent, location));
  while (slot->number && !is_context(contexts, slot->number, parent, location))
    slot = sc_index_next(&contexts->table, slot);
  return slot;
}

/* Runs reach the contexts in much the same order as those before them: mostly the one that follows the last is meant,
 * and it costs no miss of the cache to see that. */
static bool context_follows(sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  if (contexts->last + 1 >= contexts->count || !is_context(contexts, contexts->last + 1, parent, location))
    return false;
  contexts->last++;
  return true;
}

/* Kept while contexts are added, as whoever asks how many contexts a location has asks it of every location. */
static int count_use(sc_contexts *contexts, uint32_t location)
{
  SC_TRY(sc_mem_grow_zeroed(&contexts->uses, &contexts->use_capacity, (size_t)location + 1, sizeof *contexts->uses));
  contexts->uses[location]++;
  return 0;
}

static int append_context(sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  if (contexts->count == SC_CONTEXTS_NONE - 1)
    return sc_err_set(SC_E_NOMEM, "too many calling contexts");
  SC_TRY(sc_mem_grow(&contexts->list, &contexts->capacity, (size_t)contexts->count + 1, sizeof *contexts->list));
  SC_TRY(count_use(contexts, location));
  contexts->list[contexts->count++] = (sc_context){.parent = parent, .location = location};
  return 0;
}

int sc_contexts_begin(sc_contexts *contexts, uint32_t root_location)
{
  SC_TRY(sc_index_reserve(&contexts->table, 1));
  contexts->indexed = 1;
  return append_context(contexts, 0, root_location);
}

/* Puts into the table what was appended. */
static int catch_up(sc_contexts *contexts)
{
  if (contexts->indexed == contexts->count)
    return 0;
  SC_TRY(sc_index_reserve(&contexts->table, contexts->count));
  for (; contexts->indexed < contexts->count; contexts->indexed++) {
    const sc_context *c = &contexts->list[contexts->indexed];
    sc_index_slot *slot = context_position(contexts, c->parent, c->location);
    if (!slot->number)
      sc_index_take(&contexts->table, slot, hash_context(c->parent, c->location), contexts->indexed);
  }
  return 0;
}

/* Without the table, for want of memory. */
static uint32_t walk_context(const sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  uint32_t child = parent < contexts->count ? contexts->list[parent].first_child : 0;
  while (child && contexts->list[child].location != location)
    child = contexts->list[child].next_sibling;
  return child ? child : SC_CONTEXTS_NONE;
}

uint32_t sc_contexts_find(sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  if (context_follows(contexts, parent, location))
    return contexts->last;
  if (catch_up(contexts) < 0)
    return walk_context(contexts, parent, location);
  uint32_t found = context_position(contexts, parent, location)->number;
  if (!found)
    return SC_CONTEXTS_NONE;
  return contexts->last = found;
}

/* Behind the last child, which is kept, so that a context with a million children takes linear time. */
static void add_child(sc_contexts *contexts, uint32_t parent, uint32_t child)
{
  sc_context *above = &contexts->list[parent];
  if (above->last_child)
    contexts->list[above->last_child].next_sibling = child;
  else
    above->first_child = child;
  above->last_child = child;
}

int sc_contexts_intern(sc_contexts *contexts, uint32_t parent, uint32_t location, uint32_t *context)
{
  if (context_follows(contexts, parent, location)) {
    *context = contexts->last;
    return 0;
  }
  /* What was appended has to be in the table before anything is looked for, and room be made before that: growing moves
   * slots. */
  SC_TRY(catch_up(contexts));
  SC_TRY(sc_index_reserve(&contexts->table, contexts->count));
  sc_index_slot *slot = context_position(contexts, parent, location);
  if (!slot->number) {
    SC_TRY(append_context(contexts, parent, location));
    sc_index_take(&contexts->table, slot, hash_context(parent, location), contexts->count - 1);
    contexts->indexed = contexts->count;
    add_child(contexts, parent, contexts->count - 1);
  }
  *context = contexts->last = slot->number;
  return 0;
}

int sc_contexts_append(sc_contexts *contexts, uint32_t parent, uint32_t location, uint32_t *context)
{
  SC_TRY(append_context(contexts, parent, location));
  *context = contexts->count - 1;
  add_child(contexts, parent, *context);
  return 0;
}

/* Through the lists of children, parent by parent: one pass without the hash table, whose every entry would be a miss
 * of the cache. */
int sc_contexts_check(const sc_contexts *contexts, uint32_t locations, bool *twice)
{
  uint32_t *seen; /* the last parent, from 1, that has a child there */
  SC_TRY(SC_NEW(seen, locations));
  *twice = false;
  for (uint32_t parent = 0; parent < contexts->count && !*twice; parent++)
    for (uint32_t c = contexts->list[parent].first_child; c; c = contexts->list[c].next_sibling) {
      uint32_t *last = &seen[contexts->list[c].location];
      *twice = *twice || *last == parent + 1;
      *last = parent + 1;
    }
  free(seen);
  return 0;
}

/* The smallest line, so that the result does not depend on which run or process was added first. */
bool sc_contexts_call(sc_contexts *contexts, uint32_t context, uint32_t line)
{
  uint32_t *known = &contexts->list[context].call;
  if (!line || (*known && *known <= line))
    return false;
  *known = line;
  return true;
}

uint32_t sc_contexts_uses(const sc_contexts *contexts, uint32_t location)
{
  return location < contexts->use_capacity ? contexts->uses[location] : 0;
}

void sc_contexts_free(sc_contexts *contexts)
{
  free(contexts->list);
  sc_index_free(&contexts->table);
  free(contexts->uses);
  *contexts = (sc_contexts){0};
}

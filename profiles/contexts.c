/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profiles/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/hash.h"

static size_t position(const sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  size_t mask = contexts->slots - 1, at = sc_hash_mix((uint64_t)parent << 32 | location) & mask;
  for (; contexts->table[at]; at = (at + 1) & mask) {
    const sc_context *context = &contexts->list[contexts->table[at]];
    if (context->parent == parent && context->location == location)
      break;
  }
  return at;
}

static int grow_table(sc_contexts *contexts)
{
  size_t slots = contexts->slots ? contexts->slots * 2 : 256;
  uint32_t *table = sc_mem_new(slots, sizeof *table);
  if (!table)
    return SC_E_NOMEM;
  free(contexts->table);
  contexts->table = table;
  contexts->slots = slots;
  for (uint32_t i = 1; i < contexts->count; i++)
    table[position(contexts, contexts->list[i].parent, contexts->list[i].location)] = i;
  return 0;
}

static int count_use(sc_contexts *contexts, uint32_t location)
{
  size_t before = contexts->use_capacity;
  SC_TRY(sc_mem_grow(&contexts->uses, &contexts->use_capacity, (size_t)location + 1, sizeof *contexts->uses));
  memset(contexts->uses + before, 0, (contexts->use_capacity - before) * sizeof *contexts->uses);
  contexts->uses[location]++;
  return 0;
}

static int append(sc_contexts *contexts, uint32_t parent, uint32_t location)
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
  SC_TRY(grow_table(contexts));
  return append(contexts, 0, root_location);
}

uint32_t sc_contexts_find(const sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  uint32_t found = contexts->table[position(contexts, parent, location)];
  return found ? found : SC_CONTEXTS_NONE;
}

int sc_contexts_intern(sc_contexts *contexts, uint32_t parent, uint32_t location, uint32_t *context)
{
  size_t at = position(contexts, parent, location);
  if (contexts->table[at]) {
    *context = contexts->table[at];
    return 0;
  }
  SC_TRY(append(contexts, parent, location));
  uint32_t fresh = contexts->count - 1;
  contexts->table[at] = fresh;
  sc_context *above = &contexts->list[parent];
  if (above->last_child)
    contexts->list[above->last_child].next_sibling = fresh;
  else
    above->first_child = fresh;
  above->last_child = fresh;
  *context = fresh;
  if (contexts->count > contexts->slots / 2)
    SC_TRY(grow_table(contexts));
  return 0;
}

uint32_t sc_contexts_uses(const sc_contexts *contexts, uint32_t location)
{
  return location < contexts->use_capacity ? contexts->uses[location] : 0;
}

void sc_contexts_free(sc_contexts *contexts)
{
  free(contexts->list);
  free(contexts->table);
  free(contexts->uses);
  *contexts = (sc_contexts){0};
}

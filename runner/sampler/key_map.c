/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/key_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* The cell's slot, or a free one. */
static sc_index_slot *find_cell(const sc_sampler_keys *table, uint64_t first, uint64_t second, uint32_t *hash)
{
  *hash = (uint32_t)sc_hash_mix(sc_hash_mix(first) ^ second);
  sc_index_slot *slot = sc_index_first(&table->index, *hash);
  while (slot->number &&
         (table->cells[slot->number - 1].first != first || table->cells[slot->number - 1].second != second))
    slot = sc_index_next(&table->index, slot);
  return slot;
}

uint32_t *sc_sampler_keys_get(const sc_sampler_keys *table, uint64_t first, uint64_t second)
{
  uint32_t hash;
  if (!table->count)
    return NULL;
  const sc_index_slot *slot = find_cell(table, first, second, &hash);
  return slot->number ? &table->cells[slot->number - 1].value : NULL;
}

int sc_sampler_keys_put(sc_sampler_keys *table, uint64_t first, uint64_t second, uint32_t value)
{
  uint32_t hash;
  SC_TRY(sc_index_reserve(&table->index, table->count + 1));
  SC_TRY(sc_mem_grow(&table->cells, &table->room, table->count + 1, sizeof *table->cells));
  sc_index_slot *slot = find_cell(table, first, second, &hash);
  if (!slot->number) {
    table->cells[table->count++] = (struct sc_sampler_cell){first, second, 0};
    sc_index_take(&table->index, slot, hash, (uint32_t)table->count);
  }
  table->cells[slot->number - 1].value = value;
  return 0;
}

void sc_sampler_keys_free(sc_sampler_keys *table)
{
  free(table->cells);
  sc_index_free(&table->index);
  *table = (sc_sampler_keys){0};
}

static sc_index_slot *find_text(const sc_sampler_strings *strings, const char *text, size_t length, uint32_t *hash)
{
  *hash = sc_hash_key(text, length);
  sc_index_slot *slot = sc_index_first(&strings->index, *hash);
  while (slot->number && (strncmp(strings->texts[slot->number - 1], text, length) != 0 ||
                          strings->texts[slot->number - 1][length] != '\0'))
    slot = sc_index_next(&strings->index, slot);
  return slot;
}

uint32_t sc_sampler_strings_find(const sc_sampler_strings *strings, const char *text, size_t length)
{
  uint32_t hash;
  const sc_index_slot *slot = strings->count ? find_text(strings, text, length, &hash) : NULL;
  return slot && slot->number ? slot->number - 1 : UINT32_MAX;
}

int sc_sampler_strings_add(sc_sampler_strings *strings, const char *text, size_t length, uint32_t *number)
{
  uint32_t hash;
  SC_TRY(sc_index_reserve(&strings->index, strings->count + 1));
  sc_index_slot *slot = find_text(strings, text, length, &hash);
  if (!slot->number) {
    SC_TRY(sc_mem_grow(&strings->texts, &strings->room, strings->count + 1, sizeof *strings->texts));
    char *copy = sc_mem_new(length + 1, 1);
    if (!copy)
      return SC_E_NOMEM;
    memcpy(copy, text, length);
    strings->texts[strings->count++] = copy;
    sc_index_take(&strings->index, slot, hash, (uint32_t)strings->count);
  }
  *number = slot->number - 1;
  return 0;
}

void sc_sampler_strings_free(sc_sampler_strings *strings)
{
  for (size_t i = 0; i < strings->count; i++)
    free(strings->texts[i]);
  free(strings->texts);
  sc_index_free(&strings->index);
  *strings = (sc_sampler_strings){0};
}

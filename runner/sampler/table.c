/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/table.h"

#include <stdlib.h>

static uint64_t mix(uint64_t first, uint64_t second)
{
  uint64_t value =
      first * UINT64_C(0x9e3779b97f4a7c15) ^ (second + UINT64_C(0x632be59bd9b4e019)) * UINT64_C(0xff51afd7ed558ccd);
  value ^= value >> 32;
  value *= UINT64_C(0xd6e8feb86659fd93);
  return value ^ value >> 32;
}

static struct sc_sampler_cell *seek(struct sc_sampler_cell *cells, size_t room, uint64_t first, uint64_t second)
{
  size_t at = (size_t)mix(first, second) & (room - 1);
  while (cells[at].used && (cells[at].first != first || cells[at].second != second))
    at = (at + 1) & (room - 1);
  return &cells[at];
}

uint32_t *sc_sampler_table_get(const sc_sampler_table *table, uint64_t first, uint64_t second)
{
  if (!table->room)
    return NULL;
  struct sc_sampler_cell *cell = seek(table->cells, table->room, first, second);
  return cell->used ? &cell->value : NULL;
}

int sc_sampler_table_put(sc_sampler_table *table, uint64_t first, uint64_t second, uint32_t value)
{
  if (table->count * 2 >= table->room) {
    size_t room = table->room ? table->room * 2 : 64;
    struct sc_sampler_cell *cells;
    SC_TRY(SC_NEW(cells, room));
    for (size_t i = 0; i < table->room; i++)
      if (table->cells[i].used)
        *seek(cells, room, table->cells[i].first, table->cells[i].second) = table->cells[i];
    free(table->cells);
    table->cells = cells;
    table->room = room;
  }
  struct sc_sampler_cell *cell = seek(table->cells, table->room, first, second);
  table->count += !cell->used;
  *cell = (struct sc_sampler_cell){first, second, value, 1};
  return 0;
}

void sc_sampler_table_free(sc_sampler_table *table)
{
  free(table->cells);
  *table = (sc_sampler_table){0};
}

static uint64_t hash(const char *text, size_t length)
{
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    value = (value ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return value;
}

/* Strings of equal hash take ties 0, 1, ...: *tie is the string's or the first free one. */
static uint32_t find_text(const sc_sampler_strings *strings, const char *text, size_t length, uint64_t key,
                          uint64_t *tie)
{
  const uint32_t *number;
  for (*tie = 0; (number = sc_sampler_table_get(&strings->table, key, *tie)); ++*tie)
    if (!strncmp(strings->texts[*number], text, length) && !strings->texts[*number][length])
      return *number;
  return UINT32_MAX;
}

uint32_t sc_sampler_strings_find(const sc_sampler_strings *strings, const char *text, size_t length)
{
  uint64_t tie;
  return find_text(strings, text, length, hash(text, length), &tie);
}

int sc_sampler_strings_add(sc_sampler_strings *strings, const char *text, size_t length, uint32_t *number)
{
  uint64_t key = hash(text, length), tie;
  *number = find_text(strings, text, length, key, &tie);
  if (*number != UINT32_MAX)
    return 0;
  SC_TRY(sc_mem_grow(&strings->texts, &strings->room, strings->count + 1, sizeof *strings->texts));
  char *copy = sc_mem_new(length + 1, 1);
  if (!copy)
    return SC_E_NOMEM;
  memcpy(copy, text, length);
  strings->texts[strings->count] = copy;
  *number = (uint32_t)strings->count++;
  return sc_sampler_table_put(&strings->table, key, tie, *number);
}

void sc_sampler_strings_free(sc_sampler_strings *strings)
{
  for (size_t i = 0; i < strings->count; i++)
    free(strings->texts[i]);
  free(strings->texts);
  sc_sampler_table_free(&strings->table);
  *strings = (sc_sampler_strings){0};
}

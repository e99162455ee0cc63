/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of the page's data, each once. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "runner/page/parts.h"

/* The index knows a text by its number plus 1, as 0 means a free slot there. */
int sc_page_strings_add(sc_page_strings *strings, const char *text, uint32_t *number)
{
  uint32_t hash = sc_hash_key(text, strlen(text));
  SC_TRY(sc_index_reserve(&strings->index, strings->count + 1));
  sc_index_slot *slot = sc_index_first(&strings->index, hash);
  while (slot->number && strcmp(strings->list[slot->number - 1], text) != 0)
    slot = sc_index_next(&strings->index, slot);
  if (!slot->number) {
    SC_TRY(sc_mem_grow(&strings->list, &strings->capacity, strings->count + 1, sizeof *strings->list));
    char *copy = sc_mem_copy_string(text);
    if (!copy)
      return SC_E_NOMEM;
    strings->list[strings->count++] = copy;
    sc_index_take(&strings->index, slot, hash, (uint32_t)strings->count);
  }
  *number = slot->number - 1;
  return 0;
}

void sc_page_strings_write(const sc_page_strings *strings, sc_page_json *json)
{
  sc_page_open(json, "strings", '[');
  for (size_t i = 0; i < strings->count; i++)
    sc_page_text(json, NULL, strings->list[i]);
  sc_page_close(json, ']');
}

void sc_page_strings_free(sc_page_strings *strings)
{
  for (size_t i = 0; i < strings->count; i++)
    free(strings->list[i]);
  free(strings->list);
  sc_index_free(&strings->index);
  *strings = (sc_page_strings){0};
}

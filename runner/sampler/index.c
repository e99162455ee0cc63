/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/index.h"

#include <stdlib.h>
#include <string.h>

#include "runner/sampler/match.h"

static uint64_t index_key_of(enum sc_sampler_list list, uint32_t home) { return (uint64_t)list << 32 | home; }

static uint32_t *index_links(const sc_sampler_index *index, enum sc_sampler_list list)
{
  switch (list) {
  case SC_SAMPLER_FUNCTIONS_PLAIN:
    return index->next_plain;
  case SC_SAMPLER_NAMED:
    return index->next_far;
  case SC_SAMPLER_NAMED_PLAIN:
    return index->next_plain_far;
  default:
    return index->next_near;
  }
}

uint32_t sc_sampler_index_first(const sc_sampler_index *index, enum sc_sampler_list list, uint32_t home, uint32_t name)
{
  const uint32_t *first =
      name == UINT32_MAX ? NULL : sc_sampler_keys_get(&index->lists, index_key_of(list, home), name);
  return first ? *first : 0;
}

uint32_t sc_sampler_index_next(const sc_sampler_index *index, enum sc_sampler_list list, uint32_t context)
{
  return index_links(index, list)[context];
}

uint32_t sc_sampler_index_home(const sc_sampler_index *index, uint32_t context)
{
  return index->owner[sc_graph_parent(index->graph, context)];
}

static int push_context(sc_sampler_index *index, enum sc_sampler_list list, uint32_t home, uint32_t name,
                        uint32_t context)
{
  index_links(index, list)[context] = sc_sampler_index_first(index, list, home, name);
  return sc_sampler_keys_put(&index->lists, index_key_of(list, home), name, context);
}

/* A class has up to three constructors and destructors per written one (complete, base, deleting), often aliases of one
 * another: C1, C2, D0, D1, D2 before the E that ends a nested name. Suffixes are cut. Returns the length. */
static size_t unify_structors(const char *name, char *result, size_t room)
{
  size_t length = sc_sampler_symbol_stem(name);
  length = length < room ? length : room - 1;
  memcpy(result, name, length);
  result[length] = '\0';
  if (strncmp(name, "_ZN", 3) != 0)
    return length;
  for (size_t i = 3; i + 2 < length; i++)
    if (result[i + 2] == 'E' && (result[i] == 'C' || result[i] == 'D') && strchr("0123", result[i + 1]))
      result[i + 1] = '2';
  return length;
}

uint32_t sc_sampler_index_name(const sc_sampler_index *index, const char *name)
{
  char text[8192];
  size_t length = unify_structors(name, text, sizeof text);
  return sc_sampler_strings_find(&index->names, text, length);
}

static int add_index_name(sc_sampler_index *index, uint32_t context, const char *name)
{
  char text[8192];
  size_t length = unify_structors(name, text, sizeof text);
  return sc_sampler_strings_add(&index->names, text, length, &index->name[context]);
}

static int add_index_function(sc_sampler_index *index, uint32_t context, const sc_location *at)
{
  size_t length;
  uint32_t home = sc_sampler_index_home(index, context);
  const char *plain = sc_sampler_match_plain(at->display, &length);
  SC_TRY(add_index_name(index, context, at->name));
  SC_TRY(sc_sampler_strings_add(&index->plains, plain, length, &index->plain[context]));
  SC_TRY(push_context(index, SC_SAMPLER_FUNCTIONS, home, index->name[context], context));
  SC_TRY(push_context(index, SC_SAMPLER_FUNCTIONS_PLAIN, home, index->plain[context], context));
  SC_TRY(push_context(index, SC_SAMPLER_NAMED, 0, index->name[context], context));
  return push_context(index, SC_SAMPLER_NAMED_PLAIN, 0, index->plain[context], context);
}

static int add_index_context(sc_sampler_index *index, uint32_t context)
{
  const sc_location *at = sc_graph_at(index->graph, context);
  index->name[context] = index->plain[context] = UINT32_MAX;
  index->owner[context] = context;
  switch (at->kind) {
  case SC_LOCATION_LOOP:
    index->owner[context] = sc_sampler_index_home(index, context);
    return push_context(index, SC_SAMPLER_LOOPS, index->owner[context], at->ordinal, context);
  case SC_LOCATION_FUNCTION:
    return add_index_function(index, context, at);
  case SC_LOCATION_FOREIGN:
  case SC_LOCATION_TRUNCATED:
    SC_TRY(add_index_name(index, context, at->name));
    return push_context(index, SC_SAMPLER_FOREIGN, sc_sampler_index_home(index, context), 0, context);
  default:
    return 0;
  }
}

int sc_sampler_index_make(sc_sampler_index *index, const sc_graph *graph)
{
  uint32_t **arrays[] = {&index->owner,    &index->name,       &index->plain,         &index->next_near,
                         &index->next_far, &index->next_plain, &index->next_plain_far};
  *index = (sc_sampler_index){.graph = graph, .count = sc_graph_context_count(graph)};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (!(*arrays[i] = sc_mem_new(index->count, sizeof **arrays[i])))
      return SC_E_NOMEM;
  for (uint32_t context = 0; context < index->count; context++)
    SC_TRY(add_index_context(index, context));
  return 0;
}

void sc_sampler_index_free(sc_sampler_index *index)
{
  free(index->owner);
  free(index->name);
  free(index->plain);
  free(index->next_near);
  free(index->next_far);
  free(index->next_plain);
  free(index->next_plain_far);
  sc_sampler_strings_free(&index->names);
  sc_sampler_strings_free(&index->plains);
  sc_sampler_keys_free(&index->lists);
}

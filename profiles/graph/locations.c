/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locations, each once. What identifies one depends on its kind (by_file, by_place); all else that profiles say of
 * it, be it a line or that it is recursive, is added to what is known, so that one object without debug information
 * does no harm. */
#include "profiles/graph/locations.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "profiles/graph/demangle.h"

enum { PAGE = SC_LOCATIONS_PAGE, MOST = UINT32_MAX - 1 };

static sc_location *location_at(const sc_locations *locations, uint32_t number)
{
  return &locations->pages[number / PAGE][number % PAGE];
}

/* Whether the file belongs to the identity: two static functions of one name are two, while an inline function that
 * many objects have is one, whichever of them named its file. */
static bool by_file(const sc_location *l) { return l->local || l->kind == SC_LOCATION_WORK; }

/* Whether line and column belong to it: loops and works have no names of their own. A function's line is not part of
 * it: an object without debug information does not know it. */
static bool by_place(const sc_location *l) { return l->kind == SC_LOCATION_LOOP || l->kind == SC_LOCATION_WORK; }

/* Names and files are interned, so that their addresses stand for them. */
static uint32_t hash_location(const sc_location *l)
{
  uint64_t key = sc_hash_mix((uintptr_t)l->name + (uint64_t)l->kind * 2 + l->local);
  if (by_file(l))
    key = sc_hash_mix(key ^ (uintptr_t)l->file);
  if (by_place(l))
    key = sc_hash_mix(key ^ ((uint64_t)l->line << 32 | l->column)) + sc_hash_mix(l->nth);
  return (uint32_t)key;
}

static bool same_location(const sc_location *a, const sc_location *b)
{
  if (a->kind != b->kind || a->name != b->name || a->local != b->local || (by_file(a) && a->file != b->file))
    return false;
  return !by_place(a) || (a->line == b->line && a->column == b->column && a->nth == b->nth);
}

static sc_index_slot *location_position(const sc_locations *locations, const sc_location *location)
{
  sc_index_slot *slot = sc_index_first(&locations->table, hash_location(location));
  while (slot->number && !same_location(location_at(locations, slot->number - 1), location))
    slot = sc_index_next(&locations->table, slot);
  return slot;
}

/* What a programmer calls it: headers make __isoc99_sscanf of sscanf, and __strcat_chk of strcat. NULL: as it is. The
 * pass writes plain names; studies, baselines and profiles of programs that were built before it did have the others.
 */
static char *make_plain(const char *name)
{
  static const char *const prefixes[] = {"__isoc99_", "__isoc23_", "__builtin_", "__"};
  const char *start = name, *end;
  for (size_t i = 0; start == name && name[0] == '_' && i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      start += strlen(prefixes[i]);
  end = start + strlen(start);
  if (start > name && end - start > 4 && strcmp(end - 4, "_chk") == 0)
    end -= 4;
  return start > name && end > start ? strndup(start, (size_t)(end - start)) : NULL;
}

/* Demangled once here, not at every print: a study's page shows the name of each context. */
static int set_display(sc_locations *locations, sc_location *location)
{
  char *made = location->display ? NULL : sc_demangle_name(location->name);
  if (!location->display && !made && location->kind == SC_LOCATION_WORK)
    made = make_plain(location->name);
  const char *display = location->display ? location->display : made;
  location->display = display ? sc_pool_intern(&locations->strings, display) : location->name;
  free(made);
  return location->display ? 0 : SC_E_NOMEM;
}

/* In pages: callers keep pointers to locations while others are added. */
static int intern_location(sc_locations *locations, sc_location *location)
{
  if (locations->count == MOST)
    return sc_err_set(SC_E_NOMEM, "too many program locations");
  SC_TRY(set_display(locations, location));
  size_t page = locations->count / PAGE;
  if (locations->count % PAGE == 0) {
    SC_TRY(sc_mem_grow(&locations->pages, &locations->page_capacity, page + 1, sizeof *locations->pages));
    locations->pages[page] = sc_mem_new(PAGE, sizeof **locations->pages);
    if (!locations->pages[page])
      return SC_E_NOMEM;
  }
  *location_at(locations, locations->count++) = *location;
  return 0;
}

/* A process without debug information may name a function first; what another knows of it is added, never replaced. */
static enum sc_locations_news enrich_location(sc_location *known, const sc_location *fresh)
{
  enum sc_locations_news news = SC_LOCATIONS_KNOWN;
  if (!*known->file && *fresh->file) {
    known->file = fresh->file;
    news = SC_LOCATIONS_ENRICHED;
  }
  if (!known->line && fresh->line) {
    known->line = fresh->line;
    news = SC_LOCATIONS_ENRICHED;
  }
  if (!known->recursive && fresh->recursive) {
    known->recursive = true;
    news = SC_LOCATIONS_ENRICHED;
  }
  if (!known->system && fresh->system) {
    known->system = true;
    news = SC_LOCATIONS_ENRICHED;
  }
  return news;
}

int sc_locations_intern(sc_locations *locations, const sc_location *location, uint32_t *number,
                        enum sc_locations_news *news)
{
  enum sc_locations_news ignored;
  news = news ? news : &ignored;
  SC_TRY(sc_index_reserve(&locations->table, (size_t)locations->count + 1));
  sc_location own = *location;
  own.name = sc_pool_intern(&locations->strings, location->name ? location->name : "");
  own.file = sc_pool_intern(&locations->strings, location->file ? location->file : "");
  if (!own.name || !own.file)
    return SC_E_NOMEM;
  sc_index_slot *slot = location_position(locations, &own);
  if (slot->number) {
    *number = slot->number - 1;
    *news = enrich_location(location_at(locations, *number), &own);
    return 0;
  }
  SC_TRY(intern_location(locations, &own));
  *number = locations->count - 1;
  sc_index_take(&locations->table, slot, hash_location(&own), locations->count);
  *news = SC_LOCATIONS_NEW;
  return 0;
}

void sc_locations_free(sc_locations *locations)
{
  for (size_t page = 0; page * PAGE < locations->count; page++)
    free(locations->pages[page]);
  free(locations->pages);
  sc_index_free(&locations->table);
  sc_pool_free(&locations->strings);
  *locations = (sc_locations){0};
}

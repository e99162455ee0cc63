/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which resource each tally is about. Most sites say it: by name, or their class does (heap). Where the program had
 * only a pointer, tallies are told apart by the identity of the instance, and its name is the one under which events
 * elsewhere saw it, or the global variable that lies there, or at least a function that obtains it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/graph/demangle.h"
#include "profiles/graph/shorten.h"
#include "profiles/scprof/internal.h"
#include "profiles/scprof/symbols.h"

/* A tally without a name of its own. */
struct anonymous {
  uint16_t resource_class;
  uint64_t key;
  uint32_t tally;
};

struct names {
  struct sc_reader *reader;
  struct anonymous *list;
  size_t count, capacity;
  sc_symbols *symbols; /* NULL until needed */
};

static const uint64_t OTHERS = UINT64_MAX; /* the key of all identities that got no tally of their own */

static int intern_name(struct names *names, uint32_t tally, const char *name, const char *file, uint32_t line)
{
  struct sc_reader *reader = names->reader;
  const struct scale_site_event *site = sc_tallies_site(reader, &reader->tallies[tally]);
  uint16_t kind = site->resource_class;
  sc_resource resource = {
      .resource_class = (enum sc_resource_class)kind,
      .name = name,
      .file = file,
      .line = line,
      .probe = site->flags & SCALE_SITE_PROBE,
      .global = site->flags & SCALE_SITE_GLOBAL,
      .idle = site->flags & SCALE_SITE_IDLE || kind == SCALE_CLASS_CONDITION || kind == SCALE_CLASS_BARRIER ||
              kind == SCALE_CLASS_THREAD,
      .capacity = site->capacity,
  };
  return sc_resource_set_intern(&reader->resources, &resource, &reader->tallies[tally].resource, NULL);
}

/* By the name that the site of `source` has. */
static int intern_like(struct names *names, uint32_t tally, uint32_t source)
{
  const struct sc_tally *from = &names->reader->tallies[source];
  const struct sc_function *function = sc_tallies_function(names->reader, from);
  const struct scale_site_event *site = sc_tallies_site(names->reader, from);
  return intern_name(names, tally, sc_sites_string(function, site->name), sc_sites_string(function, site->file),
                     site->declared);
}

static bool has_name(const struct names *names, uint32_t tally)
{
  return tally != SC_NONE && sc_tallies_site(names->reader, &names->reader->tallies[tally])->name != SCALE_NO_STRING;
}

/* Whether an identity is needed to tell; if not, the tally has its resource now. */
static int settle_name(struct names *names, uint32_t tally, bool *open)
{
  const struct scale_site_event *site = sc_tallies_site(names->reader, &names->reader->tallies[tally]);
  uint32_t named = names->reader->tallies[tally].named;
  *open = false;
  if (has_name(names, tally))
    return intern_like(names, tally, tally);
  if (!(site->flags & SCALE_SITE_BY_INSTANCE))
    return intern_name(names, tally, sc_resource_class_plural((enum sc_resource_class)site->resource_class), "", 0);
  if (has_name(names, named))
    return intern_like(names, tally, named);
  *open = true;
  return 0;
}

static const struct scale_loc *function_of(const struct sc_function *function, uint32_t loc)
{
  while (function->locs[loc].kind != SCALE_LOC_FUNCTION)
    loc = function->locs[loc].parent;
  return &function->locs[loc];
}

static int compare_functions(const struct sc_reader *reader, uint32_t left, uint32_t right)
{
  const struct sc_function *a = sc_tallies_function(reader, &reader->tallies[left]);
  const struct sc_function *b = sc_tallies_function(reader, &reader->tallies[right]);
  const struct scale_loc *in_a = function_of(a, sc_tallies_site(reader, &reader->tallies[left])->loc);
  const struct scale_loc *in_b = function_of(b, sc_tallies_site(reader, &reader->tallies[right])->loc);
  int order = strcmp(sc_sites_string(a, in_a->name), sc_sites_string(b, in_b->name));
  return order ? order : strcmp(sc_sites_string(a, in_a->file), sc_sites_string(b, in_b->file));
}

/* "mutex in put()", after the function in which the event of `source` stands. */
static int intern_place(struct names *names, uint32_t tally, uint32_t source)
{
  const struct sc_tally *from = &names->reader->tallies[source];
  const struct scale_site_event *site = sc_tallies_site(names->reader, from);
  const struct sc_function *function = sc_tallies_function(names->reader, from);
  const struct scale_loc *place = function_of(function, site->loc);
  const char *linkage = sc_sites_string(function, place->name);
  sc_buf name = {0};
  char *display = sc_demangle_name(linkage);
  sc_buf_printf(&name, "%s in ", sc_resource_class_name((enum sc_resource_class)site->resource_class));
  sc_shorten_name(display ? display : linkage, &name);
  sc_buf_puts(&name, "()");
  free(display);
  int err = sc_buf_finish(&name);
  if (err == 0)
    err = intern_name(names, tally, name.text, sc_sites_string(function, place->file), place->line);
  sc_buf_free(&name);
  return err;
}

static int by_identity(const void *left, const void *right)
{
  const struct anonymous *a = left, *b = right;
  return SC_COMPARE(a->resource_class, b->resource_class) ?: SC_COMPARE(a->key, b->key) ?: SC_COMPARE(a->tally, b->tally);
}

/* The tally whose function an instance is named after, the same in every run in which the same functions see it: the
 * first by name of those that obtain it. */
static uint32_t choose_name(const struct names *names, const struct anonymous *list, size_t count)
{
  const struct sc_reader *reader = names->reader;
  uint32_t best = list[0].tally;
  for (size_t i = 1; i < count; i++) {
    bool obtains = sc_tallies_site(reader, &reader->tallies[list[i].tally])->event == SCALE_EVENT_ACQUIRE;
    bool best_obtains = sc_tallies_site(reader, &reader->tallies[best])->event == SCALE_EVENT_ACQUIRE;
    if (obtains != best_obtains ? obtains : compare_functions(reader, list[i].tally, best) < 0)
      best = list[i].tally;
  }
  return best;
}

/* A name that other tallies of the same instance have: SC_NONE if none or several. */
static uint32_t find_named(const struct names *names, const struct anonymous *list, size_t count)
{
  const struct sc_reader *reader = names->reader;
  uint32_t found = SC_NONE;
  for (size_t i = 0; i < count; i++) {
    uint32_t named = reader->tallies[list[i].tally].named;
    if (!has_name(names, named))
      continue;
    if (found != SC_NONE && reader->tallies[list[i].tally].resource != reader->tallies[found].resource)
      return SC_NONE;
    found = list[i].tally;
  }
  return found;
}

/* All tallies of one instance. */
static int name_instance(struct names *names, const struct anonymous *list, size_t count)
{
  struct sc_tally *tallies = names->reader->tallies;
  sc_symbol variable = {0};
  uint32_t known = find_named(names, list, count);
  int err = 0;
  if (known == SC_NONE) {
    if (!names->symbols)
      SC_GOTO(sc_symbols_new(names->reader, &names->symbols));
    SC_GOTO(sc_symbols_find(names->symbols, list[0].key, &variable));
  }
  uint32_t source = choose_name(names, list, count);
  for (size_t i = 0; i < count; i++) {
    if (has_name(names, tallies[list[i].tally].named))
      continue;
    if (known != SC_NONE)
      SC_GOTO(intern_like(names, list[i].tally, tallies[known].named));
    else if (variable.name)
      SC_GOTO(intern_name(names, list[i].tally, variable.name, variable.file, variable.line));
    else
      SC_GOTO(intern_place(names, list[i].tally, source));
  }
out:
  free(variable.name);
  return err;
}

static uint64_t name_key_of(const struct sc_reader *reader, uint32_t tally)
{
  uint64_t key;
  memcpy(&key, reader->data + reader->tallies[tally].offset + offsetof(struct scale_tally, key), sizeof key);
  return key;
}

/* The tally of all further instances: what those of the same cell are about, if they agree. */
static int name_others(struct names *names, uint32_t tally)
{
  struct sc_tally *tallies = names->reader->tallies;
  uint32_t first = tally, end = tally + 1, found = SC_NONE;
  if (has_name(names, tallies[tally].named))
    return 0;
  while (first && tallies[first - 1].node == tallies[tally].node && tallies[first - 1].event == tallies[tally].event)
    first--;
  while (end < names->reader->tally_count && tallies[end].node == tallies[tally].node &&
         tallies[end].event == tallies[tally].event)
    end++;
  for (uint32_t i = first; i < end; i++) {
    if (name_key_of(names->reader, i) == OTHERS)
      continue;
    if (found != SC_NONE && tallies[i].resource != found)
      return intern_place(names, tally, tally);
    found = tallies[i].resource;
  }
  if (found == SC_NONE)
    return intern_place(names, tally, tally);
  tallies[tally].resource = found;
  return 0;
}

/* Sorted by identity, so that all tallies of one instance are named together, whichever of them knows the name. */
static int collect_names(struct names *names)
{
  struct sc_reader *reader = names->reader;
  for (uint32_t i = 0; i < reader->tally_count; i++) {
    bool open;
    const struct scale_site_event *site = sc_tallies_site(reader, &reader->tallies[i]);
    SC_TRY(settle_name(names, i, &open));
    if (!open && !(site->flags & SCALE_SITE_BY_INSTANCE && site->name == SCALE_NO_STRING))
      continue;
    SC_TRY(sc_mem_grow(&names->list, &names->capacity, names->count + 1, sizeof *names->list));
    names->list[names->count++] = (struct anonymous){site->resource_class, name_key_of(reader, i), i};
  }
  if (names->count)
    qsort(names->list, names->count, sizeof *names->list, by_identity);
  return 0;
}

/* Three rounds, as each needs the names of the ones before: sites that say it, instances that somebody names, and
 * the tallies of all further instances, which can only follow the others of their cell. */
int sc_names_resolve(struct sc_reader *reader)
{
  int err = 0;
  struct names names = {.reader = reader};
  SC_TRY(sc_index_reserve(&reader->resources.table, 1));
  SC_GOTO(collect_names(&names));
  for (size_t i = 0, end; i < names.count; i = end) {
    for (end = i + 1; end < names.count && names.list[end].key == names.list[i].key &&
                      names.list[end].resource_class == names.list[i].resource_class;)
      end++;
    if (names.list[i].key != OTHERS)
      SC_GOTO(name_instance(&names, names.list + i, end - i));
  }
  for (size_t i = 0; i < names.count; i++)
    if (names.list[i].key == OTHERS)
      SC_GOTO(name_others(&names, names.list[i].tally));
out:
  sc_symbols_free(names.symbols);
  free(names.list);
  return err;
}

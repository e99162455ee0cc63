/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/functions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/suggest.h"
#include "profiles/graph/demangle.h"
#include "profiles/graph/location.h"

/* ---- names of symbols ---- */

enum symbol_kind {
  NAMED, /* the function itself */
  COPY,  /* of it, for other arguments or another unit; calls go to one or the other */
  PART,  /* of it, which the rest calls */
  COLD   /* of it, which is jumped to */
};

static bool is_suffix(const char *word, size_t length, const char *suffix)
{
  return strlen(suffix) == length && memcmp(word, suffix, length) == 0;
}

/* What compilers append: "find.constprop.0.isra.0", "find.part.0", "find.cold", "find.llvm.123". */
static enum symbol_kind classify_symbol(const char *name, size_t *stem)
{
  static const char *const copies[] = {"constprop", "isra", "lto_priv", "localalias", "llvm", "clone", "__uniq"};
  enum symbol_kind kind = NAMED;
  *stem = *name ? 1 + strcspn(name + 1, ".@") : 0;
  for (const char *at = name + *stem; *at == '.';) {
    const char *word = at + 1;
    size_t length = strcspn(word, ".@");
    bool copy = length > 0;
    for (size_t i = 0; i < length && copy; i++)
      copy = isxdigit((unsigned char)word[i]);
    for (size_t i = 0; i < sizeof copies / sizeof *copies && !copy; i++)
      copy = is_suffix(word, length, copies[i]);
    if (copy)
      kind = kind == NAMED ? COPY : kind;
    else if (is_suffix(word, length, "cold"))
      kind = COLD;
    else if (is_suffix(word, length, "part"))
      kind = kind == COLD ? COLD : PART;
    else { /* a name with a dot in it */
      *stem = strlen(name);
      return NAMED;
    }
    at = word + length;
  }
  return kind;
}

/* As users write it. NULL: no memory. */
static char *make_display(const char *stem) { return sc_demangle_name(stem) ?: sc_mem_copy_string(stem); }

static char *copy_stem(const char *name, size_t length)
{
  char *stem = strndup(name, length);
  if (!stem)
    (void)sc_err_set(SC_E_NOMEM, "out of memory");
  return stem;
}

/* ---- finding ---- */

/* What is looked for, one after the other. */
enum pass {
  FUNCTIONS,
  COPIES_ALONE, /* to which every call of a function goes, which has no other code */
  BELONGINGS    /* of functions that were found: copies, parts, other names */
};

typedef struct search {
  const sc_object *object;
  const char *word;
  sc_functions *functions;
  enum pass pass;
} search;

static sc_function *find_known(const search *s, const char *stem, const char *source, bool local)
{
  for (size_t i = 0; i < s->functions->count; i++) {
    sc_function *known = &s->functions->list[i];
    if (strcmp(known->file, sc_object_path(s->object)) == 0 && strcmp(known->name, stem) == 0 &&
        known->local == local && (!local || strcmp(known->source, source) == 0))
      return known;
  }
  return NULL;
}

/* Code that has an entry there: it is known by another name. */
static sc_function *find_by_address(const search *s, uint64_t address)
{
  for (size_t i = 0; i < s->functions->count; i++)
    for (size_t e = 0; e < s->functions->list[i].entry_count; e++)
      if (s->functions->list[i].entries[e].address == address &&
          strcmp(s->functions->list[i].file, sc_object_path(s->object)) == 0)
        return &s->functions->list[i];
  return NULL;
}

static int add_entry(const search *s, sc_function *function, const sc_object_symbol *symbol)
{
  sc_entry entry = {.address = symbol->address};
  for (size_t i = 0; i < function->entry_count; i++)
    if (function->entries[i].address == symbol->address)
      return 0;
  if (!sc_object_offset(s->object, symbol->address, &entry.offset))
    return 0; /* no code of this file */
  SC_TRY(sc_mem_grow(&function->entries, &function->entry_room, function->entry_count + 1, sizeof entry));
  function->entries[function->entry_count++] = entry;
  return 0;
}

static int add_function(const search *s, const char *stem, const char *display, const sc_object_symbol *symbol)
{
  sc_functions *all = s->functions;
  SC_TRY(sc_mem_grow_zeroed(&all->list, &all->room, all->count + 1, sizeof *all->list));
  sc_function *made = &all->list[all->count++];
  *made = (sc_function){.file = sc_mem_copy_string(sc_object_path(s->object)),
                        .name = sc_mem_copy_string(stem),
                        .display = sc_mem_copy_string(display),
                        .source = sc_mem_copy_string(symbol->source),
                        .local = symbol->local,
                        .indirect = symbol->indirect};
  if (!made->file || !made->name || !made->display || !made->source)
    return SC_E_NOMEM;
  return made->indirect ? 0 : add_entry(s, made, symbol);
}

static int add_if_called(const search *s, const char *stem, const char *display, const sc_object_symbol *symbol)
{
  const sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = stem, .display = display};
  if (!sc_location_is_called(&location, s->word) && strcmp(s->word, symbol->name) != 0)
    return 0;
  sc_function *known = find_known(s, stem, symbol->source, symbol->local);
  if (known)
    return known->indirect || symbol->indirect ? 0 : add_entry(s, known, symbol);
  known = symbol->indirect ? NULL : find_by_address(s, symbol->address);
  if (known && strcmp(known->display, display) == 0) /* constructors of complete objects and of bases */
    return 0;
  return add_function(s, stem, display, symbol);
}

static int add_named(const search *s, const char *stem, const sc_object_symbol *symbol)
{
  char *display = make_display(stem);
  int err = display ? add_if_called(s, stem, display, symbol) : SC_E_NOMEM;
  free(display);
  return err;
}

/* Whether a copy may be without arguments that its function has. */
static bool takes_other_arguments(const char *name) { return strstr(name, ".constprop") || strstr(name, ".isra"); }

/* A copy is local, whatever its function is. */
static sc_function *find_original(const search *s, const char *stem, const sc_object_symbol *copy)
{
  return find_known(s, stem, copy->source, true) ?: find_known(s, stem, "", false);
}

static int add_copy(const search *s, const char *stem, enum symbol_kind kind, const sc_object_symbol *symbol)
{
  sc_function *of = find_original(s, stem, symbol);
  if (!of)
    return 0;
  of->split |= kind == PART;
  of->copied |= takes_other_arguments(symbol->name);
  return kind == COPY ? add_entry(s, of, symbol) : 0;
}

/* "__free" and "__GI_strcoll" are how a library calls its own functions. */
static bool is_spelling(const char *name, const char *other)
{
  size_t a = strlen(name), b = strlen(other);
  return a < b ? strcmp(other + (b - a), name) == 0 : strcmp(name + (a - b), other) == 0;
}

static int note_alias(const search *s, const char *stem, const sc_object_symbol *symbol)
{
  sc_function *known = find_by_address(s, symbol->address);
  if (!known || known->alias || is_spelling(known->name, stem))
    return 0;
  char *display = make_display(stem);
  if (!display)
    return SC_E_NOMEM;
  if (strcmp(known->display, display) == 0)
    free(display);
  else
    known->alias = display;
  return 0;
}

/* The compiler left no other code of it. */
static int add_copy_alone(const search *s, const char *stem, const sc_object_symbol *symbol)
{
  size_t before = s->functions->count;
  SC_TRY(add_named(s, stem, symbol));
  for (size_t i = before; i < s->functions->count; i++)
    s->functions->list[i].copied = takes_other_arguments(symbol->name);
  return 0;
}

static int look_at_name(const search *s, enum symbol_kind kind, const char *stem, const sc_object_symbol *symbol)
{
  switch (s->pass) {
  case FUNCTIONS:
    return kind == NAMED ? add_named(s, stem, symbol) : 0;
  case COPIES_ALONE:
    return kind == COPY && !find_original(s, stem, symbol) ? add_copy_alone(s, stem, symbol) : 0;
  default:
    return kind == NAMED ? note_alias(s, stem, symbol) : add_copy(s, stem, kind, symbol);
  }
}

static int look_at_symbol(void *user, const sc_object_symbol *symbol)
{
  size_t length;
  enum symbol_kind kind = classify_symbol(symbol->name, &length);
  if (kind == COLD)
    return 0;
  char *stem = copy_stem(symbol->name, length);
  int err = stem ? look_at_name(user, kind, stem, symbol) : SC_E_NOMEM;
  free(stem);
  return err;
}

int sc_functions_find(const sc_object *object, const char *name, sc_functions *functions)
{
  search s = {object, name, functions, FUNCTIONS};
  size_t before = functions->count;
  SC_TRY(sc_object_symbols(object, look_at_symbol, &s));
  s.pass = COPIES_ALONE;
  SC_TRY(sc_object_symbols(object, look_at_symbol, &s));
  if (functions->count == before)
    return 0;
  s.pass = BELONGINGS;
  return sc_object_symbols(object, look_at_symbol, &s);
}

void sc_functions_free(sc_functions *functions)
{
  for (size_t i = 0; i < functions->count; i++) {
    sc_function *function = &functions->list[i];
    free(function->file);
    free(function->name);
    free(function->display);
    free(function->source);
    free(function->alias);
    free(function->entries);
  }
  free(functions->list);
  *functions = (sc_functions){0};
}

/* ---- names that are near ---- */

typedef struct suggestion {
  const char *word;
  char *best;
  size_t size;
  unsigned *distance;
} suggestion;

static int consider_symbol(void *user, const sc_object_symbol *symbol)
{
  const suggestion *s = user;
  const char *near = NULL, *counted = strstr(symbol->name, ".__scale"); /* what scale-cc calls a function's own code */
  size_t length;
  if (classify_symbol(symbol->name, &length) != NAMED || symbol->indirect)
    return 0;
  length = counted ? (size_t)(counted - symbol->name) : length;
  char *stem = copy_stem(symbol->name, length), *shown = stem ? make_display(stem) : NULL;
  free(stem);
  if (!shown)
    return SC_E_NOMEM;
  shown[strcspn(shown, "(")] = '\0';
  unsigned before = *s->distance;
  sc_suggest_consider(s->word, shown, &near, s->distance);
  const char *last = strrchr(shown, ':'); /* "parse" for "app::parse" */
  if (last)
    sc_suggest_consider(s->word, last + 1, &near, s->distance);
  if (*s->distance < before)
    snprintf(s->best, s->size, "%s", shown);
  free(shown);
  return 0;
}

int sc_functions_suggest(const sc_object *object, const char *name, char *best, size_t size, unsigned *distance)
{
  suggestion s = {name, best, size, distance};
  return sc_object_symbols(object, consider_symbol, &s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/attach/inlined.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/graph/demangle.h"
#include "profiles/graph/location.h"

enum { DEEPEST = 250 }; /* scopes within each other: a file may have any number, the stack has not */

/* As debug information names a function. A local one of C++ has no linkage name there, so what tells its inlined
 * copies is also where it is written. */
typedef struct identity {
  const char *plain, *linkage, *file; /* NULL: not there */
  int line;
} identity;

typedef struct walk {
  const char *path; /* of the object */
  sc_functions *functions;
  identity *identities; /* [functions->count]; plain is NULL of those that were not met */
  const char *wanted;   /* instead of them: a name */
  unsigned places;      /* of the wanted one */
  bool counting;        /* the second pass: inlined copies; the first finds the functions */
  bool incomplete;      /* something could not be read */
} walk;

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
  Dwarf_Attribute attr;
  return dwarf_attr_integrate(die, attribute, &attr) ? dwarf_formstring(&attr) : NULL;
}

static identity identify_function(Dwarf_Die *die)
{
  identity of = {.plain = text_of(die, DW_AT_name),
                 .linkage = text_of(die, DW_AT_linkage_name) ?: text_of(die, DW_AT_MIPS_linkage_name),
                 .file = dwarf_decl_file(die)};
  if (dwarf_decl_line(die, &of.line) != 0)
    of.line = 0;
  return of;
}

static bool same_place(const identity *a, const identity *b)
{
  return a->line == b->line && a->line && a->file && b->file && strcmp(a->file, b->file) == 0;
}

static bool same_function(const identity *a, const identity *b)
{
  if (a->linkage && b->linkage)
    return strcmp(a->linkage, b->linkage) == 0;
  return a->plain && b->plain && strcmp(a->plain, b->plain) == 0 && same_place(a, b);
}

static bool has_entry(const sc_function *function, Dwarf_Addr address)
{
  for (size_t i = 0; i < function->entry_count; i++)
    if (function->entries[i].address == address)
      return true;
  return false;
}

/* A function in several parts has several ranges; one begins at its entry. */
static bool begins_at(Dwarf_Die *die, const sc_function *function)
{
  Dwarf_Addr base, low, high;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;)
    if (has_entry(function, low))
      return true;
  return false;
}

static void meet_function(walk *w, Dwarf_Die *die)
{
  for (size_t i = 0; i < w->functions->count; i++)
    if (strcmp(w->functions->list[i].file, w->path) == 0 && begins_at(die, &w->functions->list[i])) {
      w->identities[i] = identify_function(die);
      sc_values_read(die, &w->functions->list[i].values);
    }
}

static bool is_wanted(const char *wanted, const identity *of)
{
  char *display = of->linkage ? sc_demangle_name(of->linkage) : NULL;
  const sc_location location = {.kind = SC_LOCATION_FUNCTION,
                                .name = of->linkage ? of->linkage : of->plain,
                                .display = display ? display : of->plain};
  bool is = of->plain && sc_location_is_called(&location, wanted);
  free(display);
  return is;
}

static void meet_inlined(walk *w, Dwarf_Die *die)
{
  Dwarf_Attribute attr;
  Dwarf_Die origin;
  if (!dwarf_attr(die, DW_AT_abstract_origin, &attr) || !dwarf_formref_die(&attr, &origin)) {
    w->incomplete = true;
    return;
  }
  const identity of = identify_function(&origin);
  if (w->wanted)
    w->places += is_wanted(w->wanted, &of);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): one of the two is there */
  for (size_t i = 0; !w->wanted && i < w->functions->count; i++)
    if (w->identities[i].plain && same_function(&w->identities[i], &of))
      w->functions->list[i].inlined++;
}

/* What functions may stand in. */
static bool is_scope(int tag)
{
  switch (tag) {
  case DW_TAG_subprogram:
  case DW_TAG_inlined_subroutine:
  case DW_TAG_lexical_block:
  case DW_TAG_try_block:
  case DW_TAG_catch_block:
  case DW_TAG_namespace:
  case DW_TAG_module:
  case DW_TAG_class_type:
  case DW_TAG_structure_type:
    return true;
  default:
    return false;
  }
}

static void walk_scope(walk *w, Dwarf_Die *parent, unsigned depth)
{
  Dwarf_Die die;
  if (dwarf_child(parent, &die) != 0)
    return;
  if (depth == DEEPEST) {
    w->incomplete = true;
    return;
  }
  do {
    int tag = dwarf_tag(&die);
    if (tag == DW_TAG_subprogram && !w->counting)
      meet_function(w, &die);
    else if (tag == DW_TAG_inlined_subroutine && w->counting)
      meet_inlined(w, &die);
    if (is_scope(tag))
      walk_scope(w, &die, depth + 1);
  } while (dwarf_siblingof(&die, &die) == 0);
}

static void walk_units(walk *w, Dwarf *dwarf)
{
  Dwarf_CU *cursor = NULL;
  Dwarf_Die die, sub;
  uint8_t type;
  while (dwarf_get_units(dwarf, cursor, &cursor, NULL, &type, &die, &sub) == 0)
    if (type == DW_UT_compile || type == DW_UT_partial)
      walk_scope(w, &die, 0);
    else if (type == DW_UT_skeleton && sub.addr)
      walk_scope(w, &sub, 0);
    else
      w->incomplete |= type == DW_UT_skeleton;
}

/* A compiler notes the source file's name with a local symbol; debug information has its path. */
static int take_source(sc_function *function, const identity *of)
{
  if (!of->file)
    return 0;
  free(function->source);
  function->source = sc_mem_copy_string(of->file);
  function->line = (unsigned)of->line;
  return function->source ? 0 : SC_E_NOMEM;
}

int sc_inlined_look(const sc_object *object, sc_functions *functions)
{
  Dwarf *dwarf = sc_object_dwarf(object);
  walk w = {.path = sc_object_path(object), .functions = functions};
  int err = 0;
  bool any = false;
  for (size_t i = 0; i < functions->count && !any; i++)
    any = strcmp(functions->list[i].file, w.path) == 0;
  if (!dwarf || !any)
    return 0;
  SC_TRY(SC_NEW(w.identities, functions->count));
  walk_units(&w, dwarf);
  w.counting = true;
  walk_units(&w, dwarf);
  for (size_t i = 0; err == 0 && i < functions->count; i++) {
    if (!w.identities[i].plain)
      continue;
    functions->list[i].described = !w.incomplete;
    err = take_source(&functions->list[i], &w.identities[i]);
  }
  free(w.identities);
  return err;
}

unsigned sc_inlined_count(const sc_object *object, const char *name)
{
  Dwarf *dwarf = sc_object_dwarf(object);
  walk w = {.path = sc_object_path(object), .wanted = name, .counting = true};
  if (dwarf)
    walk_units(&w, dwarf);
  return w.places;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/discover/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "runner/discover/facts_internal.h"

enum { VERSION = 1, UNIT_BYTES = 1 << 30, POINTERS = 255 };

/* ---- the unit, its files and types ------------------------------------------------------------------- */

static uint32_t pair_hash(const void *a, const void *b)
{
  const void *pair[2] = {a, b};
  return sc_hash_key(pair, sizeof pair);
}

/* *added: it was not there yet. */
static int unit_add(sc_facts_at *at, const char *folder, const char *name, bool *added)
{
  sc_facts *facts = at->facts;
  sc_facts_unit unit = {sc_facts_intern(facts, folder), sc_facts_intern(facts, name)};
  if (!unit.folder || !unit.name)
    return SC_E_NOMEM;
  uint32_t hash = pair_hash(unit.folder, unit.name);
  SC_TRY(sc_index_reserve(&facts->unit_index, facts->units_count + 1));
  sc_index_slot *slot = sc_index_first(&facts->unit_index, hash);
  for (; slot->number; slot = sc_index_next(&facts->unit_index, slot))
    if (facts->units[slot->number - 1].folder == unit.folder && facts->units[slot->number - 1].name == unit.name) {
      *added = false;
      return 0;
    }
  SC_TRY(SC_FACTS_ADD(facts, units));
  at->unit = (uint32_t)facts->units_count;
  facts->units[facts->units_count++] = unit;
  sc_index_take(&facts->unit_index, slot, hash, (uint32_t)facts->units_count);
  *added = true;
  return 0;
}

static int read_files(sc_facts_at *at, const cJSON *root)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "files");
  if (list && !cJSON_IsArray(list))
    return sc_facts_fault(at, "'files' is not a list");
  SC_TRY(SC_NEW(at->file_names, (size_t)cJSON_GetArraySize(list) + 1));
  for (const cJSON *file = list ? list->child : NULL; file; file = file->next) {
    if (!cJSON_IsString(file))
      return sc_facts_fault(at, "'files' has something else than strings in it");
    if (!(at->file_names[at->file_count++] = sc_facts_intern(at->facts, file->valuestring)))
      return SC_E_NOMEM;
  }
  return 0;
}

static int read_type_ref(const sc_facts_at *at, const cJSON *item, sc_facts_type_ref *ref)
{
  const char *name;
  uint32_t pointers;
  SC_TRY(sc_facts_text(at, item, "type", &name));
  SC_TRY(sc_facts_number(at, item, "pointers", POINTERS, &pointers));
  SC_TRY(sc_facts_flag(at, item, "out", &ref->out));
  ref->pointers = pointers;
  ref->name = sc_facts_intern(at->facts, name);
  if (!ref->name)
    return SC_E_NOMEM;
  ref->name = sc_facts_canonical(at->facts, ref->name);
  return 0;
}

static int alias_add(sc_facts *facts, const char *from, const char *to)
{
  uint32_t hash = sc_hash_key(&from, sizeof from);
  if (from == to || sc_facts_canonical(facts, from) != from)
    return 0;
  SC_TRY(sc_index_reserve(&facts->alias_index, facts->aliases_count + 1));
  SC_TRY(SC_FACTS_ADD(facts, aliases));
  facts->aliases[facts->aliases_count++] = (sc_facts_alias){from, to};
  sc_index_slot *slot = sc_index_first(&facts->alias_index, hash);
  while (slot->number)
    slot = sc_index_next(&facts->alias_index, slot);
  sc_index_take(&facts->alias_index, slot, hash, (uint32_t)facts->aliases_count);
  return 0;
}

/* Names first: fields may refer to types behind them. */
static int read_aliases(sc_facts_at *at, const cJSON *item)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "aliases");
  const char *text, *name;
  SC_TRY(sc_facts_text(at, item, "name", &text));
  if (!(name = sc_facts_intern(at->facts, text)))
    return SC_E_NOMEM;
  if (list && !cJSON_IsArray(list))
    return sc_facts_fault(at, "'aliases' is not a list");
  for (const cJSON *alias = list ? list->child : NULL; alias; alias = alias->next) {
    const char *from;
    if (!cJSON_IsString(alias))
      return sc_facts_fault(at, "'aliases' has something else than strings in it");
    if (!(from = sc_facts_intern(at->facts, alias->valuestring)))
      return SC_E_NOMEM;
    SC_TRY(alias_add(at->facts, from, sc_facts_canonical(at->facts, name)));
  }
  return 0;
}

static int read_fields(sc_facts_at *at, const cJSON *item, sc_facts_type *type)
{
  const cJSON *list;
  SC_TRY(sc_facts_list(at, item, "fields", &list));
  type->fields = (sc_facts_slice){(uint32_t)at->facts->fields_count, 0};
  for (const cJSON *one = list ? list->child : NULL; one; one = one->next) {
    sc_facts_field field = {0};
    const char *name;
    SC_TRY(sc_facts_text(at, one, "name", &name));
    SC_TRY(read_type_ref(at, one, &field.type));
    if (!(field.name = sc_facts_intern(at->facts, name)))
      return SC_E_NOMEM;
    SC_TRY(SC_FACTS_ADD(at->facts, fields));
    at->facts->fields[at->facts->fields_count++] = field;
    type->fields.count++;
  }
  return 0;
}

static int read_type(sc_facts_at *at, const cJSON *item)
{
  sc_facts *facts = at->facts;
  sc_facts_type type = {0};
  const char *name;
  SC_TRY(sc_facts_text(at, item, "name", &name));
  if (!(type.name = sc_facts_intern(facts, name)))
    return SC_E_NOMEM;
  type.name = sc_facts_canonical(facts, type.name);
  if (sc_facts_type_of(facts, type.name))
    return 0; /* another unit's header said so already */
  const cJSON *aliases = cJSON_GetObjectItemCaseSensitive(item, "aliases");
  type.shown = type.name;
  if (*name == '_' && aliases && aliases->child) /* which are strings: read_aliases */
    type.shown = sc_facts_intern(facts, aliases->child->valuestring);
  if (!type.shown)
    return SC_E_NOMEM;
  uint32_t hash = sc_hash_key(&type.name, sizeof type.name);
  SC_TRY(read_fields(at, item, &type));
  SC_TRY(sc_index_reserve(&facts->type_index, facts->types_count + 1));
  SC_TRY(SC_FACTS_ADD(facts, types));
  facts->types[facts->types_count++] = type;
  sc_index_slot *slot = sc_index_first(&facts->type_index, hash);
  while (slot->number)
    slot = sc_index_next(&facts->type_index, slot);
  sc_index_take(&facts->type_index, slot, hash, (uint32_t)facts->types_count);
  return 0;
}

const sc_facts_type *sc_facts_type_of(const sc_facts *facts, const char *name)
{
  const sc_index *index = &facts->type_index;
  if (!index->slots)
    return NULL;
  for (sc_index_slot *slot = sc_index_first(index, sc_hash_key(&name, sizeof name)); slot->number;
       slot = sc_index_next(index, slot))
    if (facts->types[slot->number - 1].name == name)
      return &facts->types[slot->number - 1];
  return NULL;
}

const sc_facts_field *sc_facts_field_of(const sc_facts *facts, uint32_t place)
{
  if (place == SC_FACTS_NONE || !facts->places[place].record)
    return NULL;
  const sc_facts_type *type = sc_facts_type_of(facts, facts->places[place].record);
  if (!type)
    return NULL;
  SC_FACTS_EACH (field, facts->fields, type->fields)
    if (field->name == facts->places[place].field)
      return field;
  return NULL;
}

/* ---- functions ------------------------------------------------------------------------------------------ */

/* The number of a function that a unit calls by this name, an interned string; SC_FACTS_NONE. */
static uint32_t find_called_as(const sc_facts *facts, const char *name, uint32_t unit)
{
  const sc_index *index = &facts->function_index;
  uint32_t found = SC_FACTS_NONE, copied = SC_FACTS_NONE;
  if (!index->slots)
    return found;
  for (sc_index_slot *slot = sc_index_first(index, sc_hash_key(&name, sizeof name)); slot->number;
       slot = sc_index_next(index, slot)) {
    const sc_facts_function *function = &facts->functions[slot->number - 1];
    if (function->name == name && function->unit == unit)
      return slot->number - 1;
    if (function->name == name && (!function->is_static || function->copied))
      *(function->is_static ? &copied : &found) = slot->number - 1;
  }
  return found != SC_FACTS_NONE ? found : copied;
}

/* Without the way up that it begins with. */
static const char *strip_way_up(const char *path)
{
  while (strncmp(path, "../", 3) == 0 || strncmp(path, "./", 2) == 0)
    path = strchr(path, '/') + 1;
  return path;
}

uint32_t sc_facts_find_in(const sc_facts *facts, const char *name, const char *file)
{
  const sc_index *index = &facts->function_index;
  uint32_t found = SC_FACTS_NONE;
  if (!index->slots)
    return found;
  for (sc_index_slot *slot = sc_index_first(index, sc_hash_key(&name, sizeof name)); slot->number;
       slot = sc_index_next(index, slot)) {
    const sc_facts_function *function = &facts->functions[slot->number - 1];
    if (function->name != name)
      continue;
    if (sc_path_ends_alike(strip_way_up(function->file), strip_way_up(file)))
      return slot->number - 1;
    if (found == SC_FACTS_NONE && (!function->is_static || function->namesake == SC_FACTS_NONE))
      found = slot->number - 1;
  }
  return found;
}

static bool same_type(const sc_facts_type_ref *a, const sc_facts_type_ref *b)
{
  return a->name == b->name && a->pointers == b->pointers;
}

/* Whether both are one header's, in two units. What a macro makes of one line for several types is not. */
static bool is_copy(const sc_facts *facts, const sc_facts_function *a, const sc_facts_function *b)
{
  bool same_folder = *a->file == '/' || facts->units[a->unit].folder == facts->units[b->unit].folder;
  if (a->name != b->name || !a->is_static || !b->is_static || a->file != b->file || !same_folder ||
      a->line != b->line || !a->line || !same_type(&a->result, &b->result) || a->arguments.count != b->arguments.count)
    return false;
  for (uint32_t i = 0; i < a->arguments.count; i++)
    if (!same_type(&facts->type_refs[a->arguments.first + i], &facts->type_refs[b->arguments.first + i]))
      return false;
  return true;
}

static sc_facts_function *find_copy(const sc_facts *facts, const sc_facts_function *function)
{
  const sc_index *index = &facts->function_index;
  if (!index->slots || !function->is_static)
    return NULL;
  for (sc_index_slot *slot = sc_index_first(index, sc_hash_key(&function->name, sizeof function->name)); slot->number;
       slot = sc_index_next(index, slot))
    if (is_copy(facts, &facts->functions[slot->number - 1], function))
      return &facts->functions[slot->number - 1];
  return NULL;
}

static int function_insert(sc_facts *facts, const sc_facts_function *function)
{
  uint32_t hash = sc_hash_key(&function->name, sizeof function->name);
  SC_TRY(sc_index_reserve(&facts->function_index, facts->functions_count + 1));
  SC_TRY(SC_FACTS_ADD(facts, functions));
  facts->functions[facts->functions_count++] = *function;
  sc_index_slot *slot = sc_index_first(&facts->function_index, hash);
  for (; slot->number; slot = sc_index_next(&facts->function_index, slot))
    if (facts->functions[slot->number - 1].name == function->name) {
      facts->functions[slot->number - 1].namesake = (uint32_t)facts->functions_count - 1;
      facts->functions[facts->functions_count - 1].namesake = slot->number - 1;
    }
  sc_index_take(&facts->function_index, slot, hash, (uint32_t)facts->functions_count);
  return 0;
}

static int read_names(const sc_facts_at *at, const cJSON *item, sc_facts_function *function)
{
  const char *name, *shown;
  uint32_t file;
  SC_TRY(sc_facts_text(at, item, "name", &name));
  SC_TRY(sc_facts_text(at, item, "shown", &shown));
  if (!*name)
    return sc_facts_fault(at, "there is no 'name'");
  function->name = sc_facts_intern(at->facts, name);
  function->shown = sc_facts_intern(at->facts, *shown ? shown : name);
  if (!function->name || !function->shown)
    return SC_E_NOMEM;
  SC_TRY(sc_facts_number(at, item, "file", UINT32_MAX, &file));
  SC_TRY(sc_facts_number(at, item, "line", UINT32_MAX, &function->line));
  function->file = file < at->file_count ? at->file_names[file] : at->facts->units[at->unit].name;
  return 0;
}

static int read_signature(const sc_facts_at *at, const cJSON *item, sc_facts_function *function)
{
  sc_facts *facts = at->facts;
  const cJSON *list, *result = cJSON_GetObjectItemCaseSensitive(item, "result");
  if (result && !cJSON_IsNull(result) && !cJSON_IsObject(result))
    return sc_facts_fault(at, "'result' is not an object");
  SC_TRY(read_type_ref(at, result, &function->result));
  SC_TRY(sc_facts_list(at, item, "arguments", &list));
  function->arguments = (sc_facts_slice){(uint32_t)facts->type_refs_count, 0};
  for (const cJSON *one = list ? list->child : NULL; one; one = one->next) {
    SC_TRY(SC_FACTS_ADD(facts, type_refs));
    SC_TRY(read_type_ref(at, one, &facts->type_refs[facts->type_refs_count]));
    facts->type_refs_count++;
    function->arguments.count++;
  }
  return 0;
}

static int read_function(sc_facts_at *at, const cJSON *item)
{
  sc_facts_function function = {.unit = at->unit, .namesake = SC_FACTS_NONE}, *copy;
  SC_TRY(read_names(at, item, &function));
  SC_TRY(sc_facts_flag(at, item, "static", &function.is_static));
  SC_TRY(sc_facts_flag(at, item, "address_taken", &function.address_taken));
  uint32_t before = find_called_as(at->facts, function.name, at->unit);
  if (before != SC_FACTS_NONE && (!function.is_static || at->facts->functions[before].unit == at->unit)) {
    at->facts->functions[before].address_taken |= function.address_taken; /* a header's function, in another unit */
    return 0;
  }
  SC_TRY(read_signature(at, item, &function));
  if ((copy = find_copy(at->facts, &function))) {
    copy->copied = true;
    copy->address_taken |= function.address_taken;
    at->facts->type_refs_count = function.arguments.first;
    return 0;
  }
  SC_TRY(sc_facts_read_effects(at, item, &function));
  return function_insert(at->facts, &function);
}

static int read_unit(sc_facts_at *at, const cJSON *root)
{
  const cJSON *types, *functions;
  SC_TRY(read_files(at, root));
  SC_TRY(sc_facts_list(at, root, "types", &types));
  SC_TRY(sc_facts_list(at, root, "functions", &functions));
  at->list = "types";
  for (const cJSON *item = types ? types->child : NULL; item; item = item->next, at->index++)
    SC_TRY(read_aliases(at, item));
  at->index = 0;
  for (const cJSON *item = types ? types->child : NULL; item; item = item->next, at->index++)
    SC_TRY(read_type(at, item));
  at->list = "functions";
  at->index = 0;
  for (const cJSON *item = functions ? functions->child : NULL; item; item = item->next, at->index++)
    SC_TRY(read_function(at, item));
  return 0;
}

static int read_root(sc_facts_at *at, const cJSON *root, bool *added)
{
  const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "scale_facts");
  const char *folder, *unit;
  if (!cJSON_IsObject(root) || !cJSON_IsNumber(version))
    return sc_facts_fault(at, "not an object with \"scale_facts\"");
  if (version->valuedouble != VERSION) {
    sc_err_set(SC_E_VERSION, "%s:%zu: facts of version %.0f; this is scale-run for version %d", at->name, at->line,
               version->valuedouble, VERSION);
    return sc_err_hint(SC_E_VERSION, "build again with the scale-cc that belongs to this scale-run");
  }
  SC_TRY(sc_facts_text(at, root, "folder", &folder));
  SC_TRY(sc_facts_text(at, root, "unit", &unit));
  SC_TRY(unit_add(at, folder, unit, added));
  return *added ? read_unit(at, root) : 0;
}

int sc_facts_add(sc_facts *facts, const char *text, size_t length, const char *name, size_t line, bool *added)
{
  sc_facts_at at = {.facts = facts, .name = name, .line = line};
  *added = false;
  if (length > UNIT_BYTES)
    return sc_facts_fault(&at, "a unit of more than %d bytes", UNIT_BYTES);
  cJSON *root = cJSON_ParseWithLength(text, length);
  int err = root ? read_root(&at, root, added) : sc_facts_fault(&at, "no JSON, or too little memory for it");
  cJSON_Delete(root);
  free(at.file_names);
  return err;
}

int sc_facts_link_calls(sc_facts *facts)
{
  for (size_t i = 0; i < facts->functions_count; i++) {
    const sc_facts_function *function = &facts->functions[i];
    SC_FACTS_EACH (call, facts->calls, function->calls)
      if (call->callee)
        call->target = find_called_as(facts, call->callee, function->unit);
  }
  return 0;
}

void sc_facts_free(sc_facts *facts)
{
  sc_index *const indexes[] = {&facts->unit_index, &facts->place_index, &facts->alias_index, &facts->type_index,
                               &facts->function_index};
  void *const arrays[] = {facts->units,     facts->types, facts->fields,   facts->aliases,   facts->places,
                          facts->functions, facts->calls, facts->counters, facts->links,     facts->stores,
                          facts->waits,     facts->lists, facts->values,   facts->type_refs, facts->places_listed};
  for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++)
    sc_index_free(indexes[i]);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
  sc_pool_free(&facts->strings);
  *facts = (sc_facts){0};
}

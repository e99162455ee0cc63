/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of the facts' objects, each checked, and the small languages of places, bases and values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/discover/facts_internal.h"

/* Names of templates may have any length. */
enum { TEXT_BYTES = 1 << 20, NUMBER_DIGITS = 9 };

int sc_facts_fault(const sc_facts_at *at, const char *format, ...)
{
  char text[512];
  sc_buf place = {0};
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (at->list)
    sc_buf_printf(&place, "%s %zu", at->list, at->index);
  if (at->function)
    sc_buf_printf(&place, " of the function %.200s", at->function);
  int err = sc_buf_finish(&place);
  if (err == 0)
    err = sc_err_set(SC_E_INPUT, "%s:%zu: invalid facts: %s%s%s", at->name, at->line, place.text,
                     *place.text ? ": " : "", text);
  sc_buf_free(&place);
  return sc_err_hint(err, "they may be damaged, or of another version of scale-cc: build again with scale-cc "
                          "--scale-facts");
}

const char *sc_facts_intern(sc_facts *facts, const char *text) { return sc_pool_intern(&facts->strings, text); }

int sc_facts_text(const sc_facts_at *at, const cJSON *object, const char *key, const char **text)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *text = "";
  if (!item || cJSON_IsNull(item))
    return 0;
  if (!cJSON_IsString(item))
    return sc_facts_fault(at, "'%s' is not a string", key);
  if (strlen(item->valuestring) > TEXT_BYTES)
    return sc_facts_fault(at, "'%s' is longer than %d bytes", key, TEXT_BYTES);
  *text = item->valuestring;
  return 0;
}

int sc_facts_flag(const sc_facts_at *at, const cJSON *object, const char *key, bool *flag)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *flag = cJSON_IsTrue(item);
  return !item || cJSON_IsBool(item) ? 0 : sc_facts_fault(at, "'%s' is not true or false", key);
}

int sc_facts_number(const sc_facts_at *at, const cJSON *object, const char *key, double most, uint32_t *value)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *value = 0;
  if (!item)
    return 0;
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= most) ||
      floor(item->valuedouble) != item->valuedouble)
    return sc_facts_fault(at, "'%s' is not a whole number from 0 to %.0f", key, most);
  *value = (uint32_t)item->valuedouble;
  return 0;
}

int sc_facts_list(const sc_facts_at *at, const cJSON *object, const char *key, const cJSON **list)
{
  *list = cJSON_GetObjectItemCaseSensitive(object, key);
  if (*list && !cJSON_IsArray(*list))
    return sc_facts_fault(at, "'%s' is not a list", key);
  for (const cJSON *item = *list ? (*list)->child : NULL; item; item = item->next)
    if (!cJSON_IsObject(item))
      return sc_facts_fault(at, "'%s' has something else than objects in it", key);
  return 0;
}

const char *sc_facts_canonical(const sc_facts *facts, const char *name)
{
  const sc_index *index = &facts->alias_index;
  if (!index->slots)
    return name;
  for (sc_index_slot *slot = sc_index_first(index, sc_hash_key(&name, sizeof name)); slot->number;
       slot = sc_index_next(index, slot))
    if (facts->aliases[slot->number - 1].from == name)
      return facts->aliases[slot->number - 1].to;
  return name;
}

/* ---- places: "record.field", "::global" ---------------------------------------------------------------- */

static int place_add(sc_facts *facts, const sc_facts_place *place, uint32_t *number)
{
  uint32_t hash = sc_hash_key(&place->text, sizeof place->text);
  SC_TRY(sc_index_reserve(&facts->place_index, facts->places_count + 1));
  sc_index_slot *slot = sc_index_first(&facts->place_index, hash);
  for (; slot->number; slot = sc_index_next(&facts->place_index, slot))
    if (facts->places[slot->number - 1].text == place->text) {
      *number = slot->number - 1;
      return 0;
    }
  SC_TRY(SC_FACTS_ADD(facts, places));
  *number = (uint32_t)facts->places_count;
  facts->places[facts->places_count++] = *place;
  sc_index_take(&facts->place_index, slot, hash, *number + 1);
  return 0;
}

/* A field by its record's one name. */
static int place_of_record(sc_facts *facts, const char *text, const char *dot, sc_facts_place *place)
{
  sc_buf whole = {0};
  int err = SC_E_NOMEM;
  sc_buf_add(&whole, text, (size_t)(dot - text));
  if (sc_buf_finish(&whole) == 0 && (place->record = sc_facts_intern(facts, whole.text))) {
    place->record = sc_facts_canonical(facts, place->record);
    whole.length = 0;
    sc_buf_printf(&whole, "%s.%s", place->record, dot + 1);
    if (sc_buf_finish(&whole) == 0 && (place->text = sc_facts_intern(facts, whole.text)) &&
        (place->field = sc_facts_intern(facts, dot + 1)))
      err = 0;
  }
  sc_buf_free(&whole);
  return err;
}

int sc_facts_parse_place(const sc_facts_at *at, const char *text, uint32_t *number)
{
  sc_facts_place place = {0};
  const char *colons = NULL;
  *number = SC_FACTS_NONE;
  if (strcmp(text, "*") == 0) /* what a pointer leads to, no field */
    return 0;
  for (const char *next = text; (next = strstr(next, "::")); next += 2)
    colons = next;
  const char *dot = strchr(colons ? colons : text, '.'); /* a record's name has none */
  if (colons && (!dot || strncmp(text, "::", 2) == 0)) { /* "::global", "unit.c::global" */
    place.text = sc_facts_intern(at->facts, text);
    place.field = sc_facts_intern(at->facts, colons + 2);
    if (!place.text || !place.field)
      return SC_E_NOMEM;
  } else if (!dot || dot == text || !dot[1]) {
    return sc_facts_fault(at, "'%.100s' is not a field or a global", text);
  } else {
    SC_TRY(place_of_record(at->facts, text, dot, &place));
  }
  return place_add(at->facts, &place, number);
}

int sc_facts_read_place(const sc_facts_at *at, const cJSON *object, const char *key, uint32_t *place)
{
  const char *text;
  *place = SC_FACTS_NONE;
  SC_TRY(sc_facts_text(at, object, key, &text));
  return *text ? sc_facts_parse_place(at, text, place) : 0;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* Digits up to `end` of them; false: something else stands there. */
static bool value_digits(const char *text, const char *end, uint32_t *number)
{
  *number = 0;
  if (text == end || end - text > NUMBER_DIGITS)
    return false;
  for (; text < end; text++) {
    if (*text < '0' || *text > '9')
      return false;
    *number = *number * 10 + (uint32_t)(*text - '0');
  }
  return true;
}

static int value_name(const sc_facts_at *at, const char *text, const char *end, const char **name)
{
  sc_buf copy = {0};
  sc_buf_add(&copy, text, (size_t)(end - text));
  *name = sc_buf_finish(&copy) == 0 ? sc_facts_intern(at->facts, copy.text) : NULL;
  sc_buf_free(&copy);
  return *name ? 0 : SC_E_NOMEM;
}

/* Where the field begins in "a0:T.f" and "g:x:T.f": at the first colon that no other one is beside. */
static const char *value_field(const char *text)
{
  for (; *text; text++)
    if (text[0] == ':' && text[1] == ':')
      text++;
    else if (text[0] == ':')
      return text;
  return NULL;
}

/* A global as a place of its own. */
static int value_global(const sc_facts_at *at, sc_facts_value *value)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "%s%s", strstr(value->name, "::") ? "" : "::", value->name);
  int err = sc_buf_finish(&text);
  if (err == 0)
    err = sc_facts_parse_place(at, text.text, &value->number);
  sc_buf_free(&text);
  return err;
}

static int value_record(const sc_facts_at *at, const char *text, sc_facts_value *value)
{
  const char *start = *text == 'g' ? text + 2 : text + 1, *colon = value_field(start);
  const char *end = colon ? colon : start + strlen(start);
  value->from = *text == 'g' ? SC_FACTS_GLOBAL : *text == 'a' ? SC_FACTS_ARGUMENT : SC_FACTS_CALL;
  if (value->from == SC_FACTS_GLOBAL) {
    SC_TRY(value_name(at, start, end, &value->name));
    SC_TRY(value_global(at, value));
  } else if (!value_digits(start, end, &value->number))
    return sc_facts_fault(at, "'%.100s' is not a value", text);
  value->behind = colon && strcmp(colon + 1, "*") == 0;
  return colon ? sc_facts_parse_place(at, colon + 1, &value->place) : 0;
}

/* "o3:1"; false: something else stands there. */
static bool value_written(const char *text, sc_facts_value *value)
{
  const char *colon = strchr(text, ':');
  if (*text != 'o' || !colon || !value_digits(text + 1, colon, &value->number) ||
      !value_digits(colon + 1, colon + strlen(colon), &value->argument))
    return false;
  value->from = SC_FACTS_WRITTEN;
  return true;
}

static int value_parse(const sc_facts_at *at, const char *text, sc_facts_value *value)
{
  *value = (sc_facts_value){.place = SC_FACTS_NONE};
  value->address = *text == '&';
  text += value->address;
  if (strncmp(text, "g:", 2) == 0 || ((*text == 'a' || *text == 'c') && text[1] >= '0' && text[1] <= '9'))
    return value_record(at, text, value);
  if (value_written(text, value))
    return 0;
  if (strncmp(text, "*:", 2) == 0) {
    value->from = SC_FACTS_WALKED;
    return sc_facts_parse_place(at, text + 2, &value->number);
  }
  value->number = SC_FACTS_NONE;
  if (strncmp(text, "l:", 2) == 0) {
    value->from = SC_FACTS_LOCAL;
    return sc_facts_parse_place(at, text + 2, &value->place);
  }
  if (strncmp(text, "f:", 2) == 0) {
    value->from = SC_FACTS_FUNCTION;
    return value_name(at, text + 2, text + strlen(text), &value->name);
  }
  value->from = strcmp(text, "n") == 0        ? SC_FACTS_NULL
                : strcmp(text, "l") == 0      ? SC_FACTS_LOCAL
                : strcmp(text, "*") == 0      ? SC_FACTS_WALKED
                : strncmp(text, "k:", 2) == 0 ? SC_FACTS_CONSTANT
                                              : SC_FACTS_OTHER;
  return 0;
}

/* Of several the first one that the caller knows, an argument or a global. */
int sc_facts_read_base(const sc_facts_at *at, const cJSON *object, sc_facts_value *base)
{
  sc_facts_slice values;
  SC_TRY(sc_facts_parse_values(at, cJSON_GetObjectItemCaseSensitive(object, "base"), &values));
  *base = (sc_facts_value){.place = SC_FACTS_NONE};
  if (values.count)
    *base = at->facts->values[values.first];
  for (uint32_t i = 0; i < values.count; i++) {
    const sc_facts_value *value = &at->facts->values[values.first + i];
    if (value->from == SC_FACTS_ARGUMENT || value->from == SC_FACTS_GLOBAL) {
      *base = *value;
      break;
    }
  }
  at->facts->values_count = values.first;
  return 0;
}

int sc_facts_parse_values(const sc_facts_at *at, const cJSON *item, sc_facts_slice *values)
{
  sc_facts *facts = at->facts;
  *values = (sc_facts_slice){(uint32_t)facts->values_count, 0};
  if (!item || cJSON_IsNull(item))
    return 0;
  if (!cJSON_IsString(item))
    return sc_facts_fault(at, "a value is not a string");
  for (const char *text = item->valuestring;; text++) {
    const char *one, *end = text + strcspn(text, "|");
    SC_TRY(value_name(at, text, end, &one));
    SC_TRY(SC_FACTS_ADD(facts, values));
    SC_TRY(value_parse(at, one, &facts->values[facts->values_count]));
    facts->values_count++;
    values->count++;
    text = end;
    if (!*text)
      return 0;
  }
}

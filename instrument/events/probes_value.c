/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values that probe sets are made of, each checked by itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "instrument/events/place.h"
#include "instrument/events/probes_internal.h"

int sc_probes_fault(const sc_probes_at *at, const cJSON *item, const char *format, ...)
{
  sc_buf message = {0};
  char text[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  unsigned line = sc_place_line(at->set->text, at->set->bytes, at->set->root, item ? item : at->item);
  sc_buf_printf(&message, "%s:%u: %s", at->set->name, line, text);
  int err = sc_buf_finish(&message);
  if (err == 0)
    err = sc_err_set(SC_E_INPUT, "%s", message.text);
  sc_buf_free(&message);
  return err;
}

sc_probes_at sc_probes_inside(const sc_probes_at *at, const cJSON *item, const char *what)
{
  sc_probes_at inside = *at;
  inside.item = item;
  inside.what = what;
  return inside;
}

/* The hint: the nearest of the words if one is near, and all of them. */
static void value_hint(const char *word, const char *const *words)
{
  const char *best = NULL;
  unsigned distance = 100;
  sc_buf all = {0};
  for (size_t i = 0; words[i]; i++) {
    sc_buf_printf(&all, "%s%s", i ? ", " : "", words[i]);
    if (word)
      sc_suggest_consider(word, words[i], &best, &distance);
  }
  if (sc_buf_finish(&all) == 0) {
    if (best && sc_suggest_near(word, distance))
      sc_err_hint(SC_E_INPUT, "did you mean '%s'? Allowed here: %s", best, all.text);
    else
      sc_err_hint(SC_E_INPUT, "allowed here: %s", all.text);
  }
  sc_buf_free(&all);
}

static bool value_has(const char *const *words, const char *word)
{
  for (; *words; words++)
    if (strcmp(*words, word) == 0)
      return true;
  return false;
}

int sc_probes_value_object(const sc_probes_at *at, const char *const *keys)
{
  if (!cJSON_IsObject(at->item)) {
    sc_probes_fault(at, NULL, "%s has to be an object", at->what);
    value_hint(NULL, keys);
    return SC_E_INPUT;
  }
  for (const cJSON *member = at->item->child; member; member = member->next) {
    if (!value_has(keys, member->string)) {
      sc_probes_fault(at, member, "'%.200s' is no key of %s", member->string, at->what);
      value_hint(member->string, keys);
      return SC_E_INPUT;
    }
    if (cJSON_GetObjectItemCaseSensitive(at->item, member->string) != member) {
      sc_probes_fault(at, member, "'%s' stands twice in %s", member->string, at->what);
      return sc_err_hint(SC_E_INPUT, "remove one of the two");
    }
  }
  return 0;
}

int sc_probes_value_member(const sc_probes_at *at, const char *key, const cJSON **member)
{
  *member = cJSON_GetObjectItemCaseSensitive(at->item, key);
  if (*member)
    return 0;
  sc_probes_fault(at, NULL, "%s without '%s'", at->what, key);
  return sc_err_hint(SC_E_INPUT, "add \"%s\": docs/probe-sets.md says what it is", key);
}

const char *sc_probes_value_flaw(const char *text)
{
  size_t bytes = strlen(text);
  for (size_t i = 0; i < bytes; i++)
    if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
      return "has a control character in it";
  return bytes == 0 ? "is empty" : bytes > SC_PROBES_TEXT_BYTES ? "is too long" : NULL;
}

int sc_probes_value_text(const sc_probes_at *at, const cJSON *item, const char **text)
{
  const char *hint = "write a string of 1 to 1023 bytes without tabs and other control characters";
  if (!cJSON_IsString(item)) {
    sc_probes_fault(at, item, "'%s' has to be a string", item->string ? item->string : at->what);
    return sc_err_hint(SC_E_INPUT, "%s", hint);
  }
  const char *flaw = sc_probes_value_flaw(item->valuestring);
  if (flaw) {
    sc_probes_fault(at, item, "'%s' %s", item->string ? item->string : at->what, flaw);
    return sc_err_hint(SC_E_INPUT, "%s", hint);
  }
  *text = item->valuestring;
  return 0;
}

static int value_range_hint(const cJSON *item, double low, double high)
{
  if (low == high)
    return sc_err_hint(SC_E_INPUT, "write %.0f", low);
  if (!cJSON_IsNumber(item))
    return sc_err_hint(SC_E_INPUT, "write a number, without quotes or brackets");
  if (item->valuedouble < low)
    return sc_err_hint(SC_E_INPUT, "it is too small: write %.0f or more", low);
  if (item->valuedouble > high)
    return sc_err_hint(SC_E_INPUT, "it is too large: write %.0f or less", high);
  return sc_err_hint(SC_E_INPUT, "leave out the fraction");
}

int sc_probes_value_integer(const sc_probes_at *at, const cJSON *item, double low, double high, double *value)
{
  const char *what = item->string ? item->string : at->what;
  if (cJSON_IsNumber(item) && item->valuedouble >= low && item->valuedouble <= high &&
      trunc(item->valuedouble) == item->valuedouble) {
    *value = item->valuedouble;
    return 0;
  }
  if (low == high)
    sc_probes_fault(at, item, "'%s' has to be %.0f", what, low);
  else
    sc_probes_fault(at, item, "'%s' has to be a whole number from %.0f to %.0f", what, low, high);
  return value_range_hint(item, low, high);
}

int sc_probes_value_word(const sc_probes_at *at, const cJSON *item, const char *const *words, size_t *index)
{
  const char *word = cJSON_IsString(item) ? item->valuestring : NULL;
  for (*index = 0; word && words[*index]; ++*index)
    if (strcmp(words[*index], word) == 0)
      return 0;
  if (word)
    sc_probes_fault(at, item, "'%.200s' is no '%s'", word, item->string);
  else
    sc_probes_fault(at, item, "'%s' has to be a word", item->string);
  value_hint(word, words);
  return SC_E_INPUT;
}

int sc_probes_value_flag(const sc_probes_at *at, const char *key, bool *flag)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->item, key);
  if (!item)
    return 0;
  if (!cJSON_IsBool(item)) {
    sc_probes_fault(at, item, "'%s' has to be true or false", key);
    return sc_err_hint(SC_E_INPUT, "allowed here: true, false (without quotes)");
  }
  *flag = cJSON_IsTrue(item);
  return 0;
}

int sc_probes_value_argument(const sc_probes_at *at, const cJSON *item, unsigned *argument)
{
  double value;
  SC_TRY(sc_probes_value_integer(at, item, 0, SC_PROBES_ARGUMENTS - 1, &value));
  *argument = (unsigned)value;
  return 0;
}

int sc_probes_value_return(const sc_probes_at *at, const cJSON *item)
{
  if (cJSON_IsTrue(item))
    return 0;
  sc_probes_fault(at, item, "'return' has to be true");
  return sc_err_hint(SC_E_INPUT, "leave %s out if it is not the return value", at->what);
}

int sc_probes_value_function(const sc_probes_at *at, const cJSON *item, const char **function)
{
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$@";
  SC_TRY(sc_probes_value_text(at, item, function));
  for (const char *c = *function; *c; c++)
    if (!strchr(allowed, *c)) {
      sc_probes_fault(at, item, "'%.200s' is no linkage name", *function);
      return sc_err_hint(SC_E_INPUT, "write it as nm prints it: of a C++ function, _ZN3foo3barEv");
    }
  return 0;
}

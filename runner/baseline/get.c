/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a baseline, each checked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/baseline/internal.h"

int sc_baseline_fault(const sc_baseline_reader *r, const char *format, ...)
{
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (r->section)
    (void)sc_err_set(SC_E_INPUT, "%s is no valid baseline: number %zu of \"%s\": %s", r->name, r->item + 1, r->section,
                     text);
  else
    (void)sc_err_set(SC_E_INPUT, "%s is no valid baseline: %s", r->name, text);
  return sc_err_hint(SC_E_INPUT, "write it anew: scale-run baseline STUDY -o %s", r->name);
}

int sc_baseline_get_number(const sc_baseline_reader *r, const cJSON *object, const char *key, double absent,
                           double most, double *value)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!item && !isnan(absent)) {
    *value = absent;
    return 0;
  }
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): not NULL here */
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || !(item->valuedouble <= most))
    return sc_baseline_fault(r, "\"%s\" is not a number from 0 to %g", key, most);
  *value = item->valuedouble;
  return 0;
}

int sc_baseline_get_whole(const sc_baseline_reader *r, const cJSON *object, const char *key, double absent,
                          uint32_t *value)
{
  double number;
  SC_TRY(sc_baseline_get_number(r, object, key, absent, 1e9, &number));
  if (number != floor(number))
    return sc_baseline_fault(r, "\"%s\" is no whole number", key);
  *value = (uint32_t)number;
  return 0;
}

int sc_baseline_get_bool(const sc_baseline_reader *r, const cJSON *object, const char *key, bool *value)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (item && !cJSON_IsBool(item))
    return sc_baseline_fault(r, "\"%s\" is neither true nor false", key);
  *value = cJSON_IsTrue(item);
  return 0;
}

int sc_baseline_get_text(const sc_baseline_reader *r, const cJSON *object, const char *key, const char *absent,
                         const char **text)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if ((!item || cJSON_IsNull(item)) && absent) {
    *text = absent;
    return 0;
  }
  if (!cJSON_IsString(item))
    return sc_baseline_fault(r, "\"%s\" is no text", key);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): not NULL here */
  *text = item->valuestring;
  return 0;
}

int sc_baseline_get_list(const sc_baseline_reader *r, const cJSON *object, const char *key, const cJSON **list)
{
  *list = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsArray(*list) ? 0 : sc_baseline_fault(r, "\"%s\" is not a list", key);
}

int sc_baseline_get_series(const sc_baseline_reader *r, const cJSON *object, const char *key,
                           const sc_baseline_series **series)
{
  const char *id;
  size_t low = 0, high = r->series_count;
  *series = NULL;
  if (!cJSON_GetObjectItemCaseSensitive(object, key))
    return 0;
  SC_TRY(sc_baseline_get_text(r, object, key, NULL, &id));
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(r->series[middle].id, id) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == r->series_count || strcmp(r->series[low].id, id) != 0)
    return sc_baseline_fault(r, "\"%s\" names a series that is not there", key);
  *series = &r->series[low];
  return 0;
}

double sc_baseline_series_at(const sc_baseline_reader *r, const sc_baseline_series *series, size_t run)
{
  return series->values[series->count == r->run_count ? run : r->size_of[run]];
}

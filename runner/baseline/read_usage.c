/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the uses of resources that a baseline has. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/baseline/internal.h"
#include "runner/text/tuning.h"

static int read_class(const sc_baseline_reader *r, const cJSON *object, enum sc_resource_class *resource_class)
{
  const char *name;
  SC_TRY(sc_baseline_get_text(r, object, "class", NULL, &name));
  for (int i = SC_RESOURCE_MUTEX; i <= SC_RESOURCE_PROCESS; i++)
    if (strcmp(sc_resource_class_name((enum sc_resource_class)i), name) == 0) {
      *resource_class = (enum sc_resource_class)i;
      return 0;
    }
  return sc_baseline_fault(r, "\"class\" is not a class of resources");
}

static int read_occupancies(sc_baseline_reader *r, const cJSON *object, uint32_t resource)
{
  const sc_baseline_series *series[SC_BASELINE_OCCUPANCY];
  for (int i = 0; i < SC_BASELINE_OCCUPANCY; i++)
    SC_TRY(sc_baseline_get_series(r, object, sc_baseline_occupancy[i].name, &series[i]));
  for (size_t run = 0; run < r->run_count; run++) {
    sc_occupancy o = {.resource = resource};
    for (int i = 0; i < SC_BASELINE_OCCUPANCY; i++)
      if (series[i])
        *(double *)((char *)&o + sc_baseline_occupancy[i].offset) = sc_baseline_series_at(r, series[i], run);
    if (o.instances > 0 || o.threads > 0 || o.active_seconds > 0 || o.span_seconds > 0 || o.peak > 0)
      SC_TRY(sc_usage_add_occupancy(r->graph, run, &o));
  }
  return 0;
}

static int read_resource(sc_baseline_reader *r, const cJSON *object)
{
  sc_resource resource = {.capacity = 0};
  const char *key;
  uint32_t number;
  SC_TRY(sc_baseline_get_text(r, object, "key", NULL, &key));
  SC_TRY(read_class(r, object, &resource.resource_class));
  SC_TRY(sc_baseline_get_text(r, object, "name", "", &resource.name));
  SC_TRY(sc_baseline_get_text(r, object, "file", "", &resource.file));
  SC_TRY(sc_baseline_get_whole(r, object, "line", 0, &resource.line));
  SC_TRY(sc_baseline_get_bool(r, object, "probe", &resource.probe));
  SC_TRY(sc_baseline_get_bool(r, object, "global", &resource.global));
  SC_TRY(sc_baseline_get_bool(r, object, "idle", &resource.idle));
  SC_TRY(sc_baseline_get_number(r, object, "capacity", 0, SC_BASELINE_LARGEST, &resource.capacity));
  SC_TRY(sc_usage_resource(r->graph, &resource, &number));
  if (number != r->resource_count)
    return sc_baseline_fault(r, "the resource is there twice");
  r->resources[r->resource_count] = (struct sc_baseline_key){sc_mem_copy_string(key), number};
  if (!r->resources[r->resource_count++].key)
    return SC_E_NOMEM;
  return read_occupancies(r, object, number);
}

static int compare_keys(const void *a, const void *b)
{
  return strcmp(((const struct sc_baseline_key *)a)->key, ((const struct sc_baseline_key *)b)->key);
}

int sc_baseline_read_resources(sc_baseline_reader *r, const cJSON *document)
{
  const cJSON *list, *item;
  r->section = NULL;
  SC_TRY(sc_baseline_get_list(r, document, "resources", &list));
  r->section = "resources";
  r->item = 0;
  SC_TRY(SC_NEW(r->resources, (size_t)cJSON_GetArraySize(list) + 1));
  cJSON_ArrayForEach(item, list)
  {
    SC_TRY(read_resource(r, item));
    r->item++;
  }
  qsort(r->resources, r->resource_count, sizeof *r->resources, compare_keys);
  return 0;
}

static int read_event(const sc_baseline_reader *r, const cJSON *object, enum sc_usage_event *event)
{
  const char *name;
  SC_TRY(sc_baseline_get_text(r, object, "event", NULL, &name));
  for (int i = SC_USAGE_EVENT_ACQUIRE; i <= SC_USAGE_EVENT_RESIZE; i++)
    if (strcmp(sc_usage_event_name((enum sc_usage_event)i), name) == 0) {
      *event = (enum sc_usage_event)i;
      return 0;
    }
  return sc_baseline_fault(r, "\"event\" is not an event");
}

typedef struct use {
  sc_usage row; /* without values */
  const sc_baseline_series *values[SC_USAGE_VALUES], *buckets[SC_USAGE_BUCKETS];
  const sc_baseline_series *kept_by_one;
} use;

static int read_use(const sc_baseline_reader *r, const cJSON *object, use *u)
{
  const char *key;
  SC_TRY(sc_baseline_get_text(r, object, "resource", NULL, &key));
  struct sc_baseline_key wanted = {(char *)key, 0}, *found = NULL;
  if (r->resource_count)
    found = bsearch(&wanted, r->resources, r->resource_count, sizeof *r->resources, compare_keys);
  if (!found)
    return sc_baseline_fault(r, "\"resource\" names one that is not there");
  u->row.resource = found->number;
  SC_TRY(read_event(r, object, &u->row.event));
  SC_TRY(sc_baseline_get_text(r, object, "via", "", &u->row.via));
  SC_TRY(sc_baseline_get_whole(r, object, "line", 0, &u->row.line));
  SC_TRY(sc_baseline_get_whole(r, object, "column", 0, &u->row.column));
  SC_TRY(sc_baseline_get_bool(r, object, "shared", &u->row.shared));
  for (int i = 0; i < SC_USAGE_VALUES; i++)
    SC_TRY(sc_baseline_get_series(r, object, sc_baseline_values[i], &u->values[i]));
  SC_TRY(sc_baseline_get_series(r, object, "kept_by_one", &u->kept_by_one));
  const cJSON *held = cJSON_GetObjectItemCaseSensitive(object, "held");
  for (int i = 0; held && i < SC_USAGE_BUCKETS; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", i);
    SC_TRY(sc_baseline_get_series(r, held, name, &u->buckets[i]));
  }
  return 0;
}

static int add_baseline_use(sc_baseline_reader *r, const use *u)
{
  for (size_t run = 0; run < r->run_count; run++) {
    sc_usage row = u->row;
    double any = 0;
    for (int i = 0; i < SC_USAGE_VALUES; i++) {
      row.values[i] = u->values[i] ? sc_baseline_series_at(r, u->values[i], run) : 0;
      any += row.values[i];
    }
    row.kept_by_one = u->kept_by_one ? sc_baseline_series_at(r, u->kept_by_one, run) : 0;
    for (int i = 0; i < SC_USAGE_BUCKETS; i++)
      row.buckets[i] = u->buckets[i] ? sc_baseline_series_at(r, u->buckets[i], run) : 0;
    if (any > 0)
      SC_TRY(sc_usage_add(r->graph, run, &row, NULL));
  }
  return 0;
}

int sc_baseline_read_uses(sc_baseline_reader *r, const cJSON *object, uint32_t context)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "uses"), *item;
  if (!list)
    return 0;
  SC_TRY(sc_baseline_get_list(r, object, "uses", &list));
  cJSON_ArrayForEach(item, list)
  {
    use u = {.row = {.context = context}};
    SC_TRY(read_use(r, item, &u));
    SC_TRY(add_baseline_use(r, &u));
  }
  return 0;
}

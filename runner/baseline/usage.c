/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a baseline holds of resources. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "runner/baseline/internal.h"

const char *const sc_baseline_values[SC_USAGE_VALUES] = {
    [SC_USAGE_ACQUIRES] = "acquires", [SC_USAGE_FAILURES] = "failures",
    [SC_USAGE_WAITS] = "waits",       [SC_USAGE_RELEASES] = "releases",
    [SC_USAGE_READS] = "reads",       [SC_USAGE_WRITES] = "writes",
    [SC_USAGE_UNITS] = "units",       [SC_USAGE_UNITS_RELEASED] = "units_released",
    [SC_USAGE_RETURNED] = "returned", [SC_USAGE_RETURNED_UNITS] = "returned_units",
    [SC_USAGE_UNSEEN] = "unseen",     [SC_USAGE_STRANGERS] = "strangers",
    [SC_USAGE_PEAK] = "peak",         [SC_USAGE_WAIT_SECONDS] = "wait_seconds",
    [SC_USAGE_HOLDS] = "holds",       [SC_USAGE_HOLD_SECONDS] = "hold_seconds",
};

/* "mutex order_book::mutex book.c:41": what tells a resource from all others. */
static int kept_usage_key_of(const sc_baseline_writer *w, uint32_t number, sc_buf *key)
{
  const sc_resource *resource = sc_usage_resource_at(w->graph, number);
  char *file = sc_baseline_file(w, resource->file);
  if (!file)
    return SC_E_NOMEM;
  sc_buf_printf(key, "%s %s", sc_resource_class_name(resource->resource_class), resource->name);
  if (*file)
    sc_buf_printf(key, " %s:%u", file, resource->line);
  free(file);
  return sc_buf_finish(key);
}

static void add_series(sc_baseline_writer *w, cJSON *object, const char *name)
{
  bool any = false;
  for (size_t i = 0; i < w->run_count; i++)
    any |= w->row[i] != 0;
  const char *id = any ? sc_baseline_series_note(w, w->row) : NULL;
  if (any && !id)
    w->json.failed = true;
  else if (any)
    sc_json_text(&w->json, object, name, id);
}

static void add_kept_usage_occupancy(sc_baseline_writer *w, uint32_t resource, cJSON *object,
                                     const sc_baseline_field *field)
{
  for (size_t i = 0; i < w->run_count; i++) {
    size_t count;
    const sc_occupancy *list = sc_usage_occupancies(w->graph, w->runs[i], &count);
    w->row[i] = 0;
    for (size_t k = 0; k < count; k++)
      if (list[k].resource == resource) {
        double value = *(const double *)((const char *)&list[k] + field->offset);
        w->row[i] = field->seconds ? sc_baseline_round(value) : value;
      }
  }
  add_series(w, object, field->name);
}

typedef struct keyed {
  char *key;
  uint32_t number;
} keyed;

static int compare_keyed(const void *a, const void *b)
{
  return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key);
}

static int write_kept_usage_resource(sc_baseline_writer *w, const keyed *k)
{
  const sc_resource *resource = sc_usage_resource_at(w->graph, k->number);
  cJSON *object = cJSON_CreateObject();
  char *file = sc_baseline_file(w, resource->file);
  sc_json_text(&w->json, object, "key", k->key);
  sc_json_text(&w->json, object, "class", sc_resource_class_name(resource->resource_class));
  sc_json_text(&w->json, object, "name", resource->name);
  if (file && *file) {
    sc_json_text(&w->json, object, "file", file);
    sc_json_number(&w->json, object, "line", resource->line);
  }
  if (resource->probe)
    sc_json_bool(&w->json, object, "probe", true);
  if (resource->global)
    sc_json_bool(&w->json, object, "global", true);
  if (resource->idle)
    sc_json_bool(&w->json, object, "idle", true);
  if (resource->capacity > 0)
    sc_json_number(&w->json, object, "capacity", resource->capacity);
  for (int i = 0; i < SC_BASELINE_OCCUPANCY; i++)
    add_kept_usage_occupancy(w, k->number, object, &sc_baseline_occupancy[i]);
  free(file);
  return sc_baseline_line(w, object);
}

int sc_baseline_write_resources(sc_baseline_writer *w)
{
  int err = SC_E_NOMEM;
  uint32_t count = sc_usage_resource_count(w->graph);
  keyed *list = sc_mem_new(count + 1, sizeof *list);
  if (!list)
    return err;
  SC_GOTO(sc_baseline_list_begin(w, "resources"));
  for (uint32_t i = 0; i < count; i++) {
    sc_buf key = {0};
    SC_GOTO(kept_usage_key_of(w, i, &key));
    list[i] = (keyed){sc_buf_take(&key), i};
  }
  qsort(list, count, sizeof *list, compare_keyed);
  for (uint32_t i = 0; i < count; i++)
    SC_GOTO(write_kept_usage_resource(w, &list[i]));
  err = sc_baseline_list_end(w);
out:
  for (uint32_t i = 0; i < count; i++)
    free(list[i].key);
  free(list);
  return err;
}

/* Rows of a place in a context; those of contexts left out below it have no place. */
typedef struct use {
  const struct sc_baseline_use *like;
  char *key;
} use;

static int compare_kept_usage_rows(const struct sc_baseline_use *left, const struct sc_baseline_use *right)
{
  const sc_usage *a = left->row, *b = right->row;
  return SC_COMPARE(a->resource, b->resource) ?: SC_COMPARE(a->event, b->event) ?: SC_COMPARE(a->shared, b->shared) ?:
         SC_COMPARE(left->line, right->line) ?: SC_COMPARE(left->column, right->column) ?: strcmp(a->via, b->via);
}

static int compare_uses(const void *a, const void *b)
{
  const use *x = a, *y = b;
  return strcmp(x->key, y->key) ?: compare_kept_usage_rows(x->like, y->like);
}

static int compare_held(const void *a, const void *b)
{
  const struct sc_baseline_use *x = a, *y = b;
  return SC_COMPARE(x->holder, y->holder) ?: SC_COMPARE(x->run, y->run) ?: SC_COMPARE(x->row, y->row);
}

int sc_baseline_index_uses(sc_baseline_writer *w)
{
  size_t capacity = 0;
  for (size_t i = 0; i < w->run_count; i++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(w->graph, w->runs[i], &rows);
    SC_TRY(sc_mem_grow(&w->uses, &capacity, w->use_count + rows + 1, sizeof *w->uses));
    for (; rows; rows--, row++) {
      bool own = w->holder[row->context] == row->context;
      w->uses[w->use_count++] =
          (struct sc_baseline_use){w->holder[row->context], i, row, own ? row->line : 0, own ? row->column : 0};
    }
  }
  if (w->use_count)
    qsort(w->uses, w->use_count, sizeof *w->uses, compare_held);
  return 0;
}

/* The rows that a context holds. */
static const struct sc_baseline_use *held_by(const sc_baseline_writer *w, uint32_t context, size_t *count)
{
  size_t low = 0, high = w->use_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (w->uses[middle].holder < context)
      low = middle + 1;
    else
      high = middle;
  }
  for (*count = 0; low + *count < w->use_count && w->uses[low + *count].holder == context;)
    ++*count;
  return w->uses + low;
}

static int list_uses(const sc_baseline_writer *w, const struct sc_baseline_use *held, size_t rows, use **list,
                     size_t *count)
{
  size_t capacity = 0;
  for (size_t i = 0; i < rows; i++) {
    size_t k = 0;
    while (k < *count && compare_kept_usage_rows((*list)[k].like, &held[i]) != 0)
      k++;
    if (k < *count)
      continue;
    sc_buf key = {0};
    SC_TRY(sc_mem_grow(list, &capacity, *count + 1, sizeof **list));
    SC_TRY(kept_usage_key_of(w, held[i].row->resource, &key));
    (*list)[(*count)++] = (use){&held[i], sc_buf_take(&key)};
  }
  if (*count)
    qsort(*list, *count, sizeof **list, compare_uses);
  return 0;
}

/* Sums of a value (bucket < 0), or of a bucket of holds, of the rows like this one. */
static void sum_rows(sc_baseline_writer *w, const struct sc_baseline_use *held, size_t rows,
                     const struct sc_baseline_use *like, int value, int bucket)
{
  memset(w->row, 0, w->run_count * sizeof *w->row);
  for (size_t i = 0; i < rows; i++)
    if (compare_kept_usage_rows(&held[i], like) == 0)
      w->row[held[i].run] += bucket < 0 ? held[i].row->values[value] : held[i].row->buckets[bucket];
  for (size_t i = 0; i < w->run_count; i++)
    if (bucket < 0 && (value == SC_USAGE_WAIT_SECONDS || value == SC_USAGE_HOLD_SECONDS))
      w->row[i] = sc_baseline_round(w->row[i]);
}

/* What one process kept, of the rows like this one. */
static void most_kept(sc_baseline_writer *w, const struct sc_baseline_use *held, size_t rows,
                      const struct sc_baseline_use *like)
{
  memset(w->row, 0, w->run_count * sizeof *w->row);
  for (size_t i = 0; i < rows; i++)
    if (compare_kept_usage_rows(&held[i], like) == 0)
      w->row[held[i].run] = fmax(w->row[held[i].run], held[i].row->kept_by_one);
}

static void add_kept_use(sc_baseline_writer *w, const struct sc_baseline_use *held, size_t rows, const use *u,
                         cJSON *to)
{
  cJSON *object = sc_json_object(&w->json, to, NULL), *lasted = NULL;
  char name[16];
  sc_json_text(&w->json, object, "resource", u->key);
  sc_json_text(&w->json, object, "event", sc_usage_event_name(u->like->row->event));
  sc_json_text(&w->json, object, "via", u->like->row->via);
  if (u->like->line)
    sc_json_number(&w->json, object, "line", u->like->line);
  if (u->like->column)
    sc_json_number(&w->json, object, "column", u->like->column);
  if (u->like->row->shared)
    sc_json_bool(&w->json, object, "shared", true);
  for (int value = 0; value < SC_USAGE_VALUES; value++) {
    sum_rows(w, held, rows, u->like, value, -1);
    add_series(w, object, sc_baseline_values[value]);
  }
  most_kept(w, held, rows, u->like);
  add_series(w, object, "kept_by_one");
  for (int bucket = 0; bucket < SC_USAGE_BUCKETS; bucket++) {
    double any = 0;
    sum_rows(w, held, rows, u->like, 0, bucket);
    for (size_t i = 0; i < w->run_count; i++)
      any += w->row[i];
    if (!(any > 0))
      continue;
    if (!lasted)
      lasted = sc_json_object(&w->json, object, "held");
    snprintf(name, sizeof name, "%d", bucket);
    add_series(w, lasted, name);
  }
}

int sc_baseline_add_uses(sc_baseline_writer *w, uint32_t context, cJSON *object)
{
  use *list = NULL;
  size_t count = 0, rows;
  const struct sc_baseline_use *held = held_by(w, context, &rows);
  int err = list_uses(w, held, rows, &list, &count);
  cJSON *to = err == 0 && count ? sc_json_array(&w->json, object, "uses") : NULL;
  for (size_t i = 0; err == 0 && i < count; i++)
    add_kept_use(w, held, rows, &list[i], to);
  for (size_t i = 0; i < count; i++)
    free(list[i].key);
  free(list);
  return err;
}

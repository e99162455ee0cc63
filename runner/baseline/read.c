/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a baseline into a graph, as if it were a study. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/baseline/internal.h"
#include "runner/text/tuning.h"
#include "transitions/compare/compare.h"

static int read_head(sc_baseline_reader *r, const cJSON *document, char **machine)
{
  const char *text;
  double version;
  if (!cJSON_IsObject(document))
    return sc_baseline_fault(r, "it is no JSON object");
  SC_TRY(sc_baseline_get_text(r, document, "document", NULL, &text));
  if (strcmp(text, "baseline") != 0)
    return sc_baseline_fault(r, "\"document\" is not \"baseline\"");
  SC_TRY(sc_baseline_get_number(r, document, "schema_version", NAN, 1e9, &version));
  if (version > SC_BASELINE_VERSION) {
    (void)sc_err_set(SC_E_VERSION, "%s was written by a later version of scale-run", r->name);
    return sc_err_hint(SC_E_VERSION, "use that version, or write the baseline anew with this one");
  }
  if (version != SC_BASELINE_VERSION)
    return sc_baseline_fault(r, "\"schema_version\" is not %d", SC_BASELINE_VERSION);
  SC_TRY(sc_baseline_get_text(r, document, "machine", "", &text));
  *machine = *text ? sc_mem_copy_string(text) : NULL;
  return *text && !*machine ? SC_E_NOMEM : 0;
}

/* Its times are the plain program's already: what remains is how sure they are. */
static int read_baseline_plain(sc_baseline_reader *r, const cJSON *document, sc_plain *plain)
{
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(document, "plain");
  uint32_t runs = 0;
  *plain = (sc_plain){.estimated = -1, .factor = 1, .waits = 1};
  if (!object)
    return 0;
  if (!cJSON_IsObject(object))
    return sc_baseline_fault(r, "\"plain\" is no object");
  SC_TRY(sc_baseline_get_whole(r, object, "runs", NAN, &runs));
  SC_TRY(sc_baseline_get_number(r, object, "low", NAN, SC_BASELINE_LARGEST, &plain->low));
  SC_TRY(sc_baseline_get_number(r, object, "high", NAN, SC_BASELINE_LARGEST, &plain->high));
  SC_TRY(sc_baseline_get_number(r, object, "doubt", NAN, SC_BASELINE_LARGEST, &plain->doubt));
  SC_TRY(sc_baseline_get_number(r, object, "slowdown", NAN, SC_BASELINE_LARGEST, &plain->slowdown));
  SC_TRY(sc_baseline_get_number(r, object, "slowdown_low", NAN, SC_BASELINE_LARGEST, &plain->slowdown_low));
  SC_TRY(sc_baseline_get_number(r, object, "slowdown_high", NAN, SC_BASELINE_LARGEST, &plain->slowdown_high));
  plain->runs = runs;
  return 0;
}

/* Counts of entries; of their times nothing may be left, and then this is why. */
static int read_uprobes(sc_baseline_reader *r, const cJSON *document, sc_loaded *loaded)
{
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(document, "uprobes");
  bool times = false;
  if (!object)
    return 0;
  if (!cJSON_IsObject(object))
    return sc_baseline_fault(r, "\"uprobes\" is no object");
  loaded->entries = true;
  SC_TRY(sc_baseline_get_bool(r, object, "times", &times));
  if (!times)
    loaded->plain = (sc_plain){.taken_away = true};
  return sc_baseline_get_number(r, object, "slowdown", 0, SC_BASELINE_LARGEST, &loaded->slowdown);
}

static int read_workload(sc_baseline_reader *r, const cJSON *document, sc_workload **workload)
{
  const cJSON *list, *item;
  const char *parameter;
  sc_buf text = {0};
  int err;
  SC_GOTO(sc_baseline_get_list(r, document, "workload", &list));
  cJSON_ArrayForEach(item, list)
  {
    if (!cJSON_IsString(item)) {
      err = sc_baseline_fault(r, "\"workload\" is not made of lines");
      goto out;
    }
    sc_buf_printf(&text, "%s\n", item->valuestring);
  }
  SC_GOTO(sc_buf_finish(&text));
  SC_GOTO(sc_workload_parse(text.text, "the baseline's workload", workload));
  SC_GOTO(sc_baseline_get_text(r, document, "parameter", NULL, &parameter));
  if (strcmp(parameter, (*workload)->parameter) != 0)
    err = sc_baseline_fault(r, "\"parameter\" is not that of its workload");
out:
  sc_buf_free(&text);
  return err;
}

static int read_run(sc_baseline_reader *r, const cJSON *object)
{
  sc_run run = {.role = SC_RUN_TRAINING};
  bool validation;
  double kib, samples;
  uint32_t repeat;
  const char *event;
  size_t index;
  SC_TRY(sc_baseline_get_number(r, object, "n", NAN, SC_BASELINE_LARGEST, &run.n));
  SC_TRY(sc_baseline_get_bool(r, object, "validation", &validation));
  SC_TRY(sc_baseline_get_whole(r, object, "repeat", 0, &repeat));
  SC_TRY(sc_baseline_get_number(r, object, "user_seconds", 0, 1e12, &run.user_seconds));
  SC_TRY(sc_baseline_get_number(r, object, "system_seconds", 0, 1e12, &run.system_seconds));
  SC_TRY(sc_baseline_get_number(r, object, "max_rss_kib", 0, 1e15, &kib));
  SC_TRY(sc_baseline_get_number(r, object, "samples", 0, 1e15, &samples));
  SC_TRY(sc_baseline_get_text(r, object, "event", "", &event));
  if (!(run.n > 0))
    return sc_baseline_fault(r, "\"n\" is no positive size");
  if (strlen(event) >= sizeof run.cost_event)
    return sc_baseline_fault(r, "\"event\" is too long");
  memcpy(run.cost_event, event, strlen(event) + 1);
  run.role = validation ? SC_RUN_VALIDATION : SC_RUN_TRAINING;
  run.repeat = repeat;
  run.max_rss_kib = (uint64_t)kib;
  run.samples = (uint64_t)samples;
  return sc_graph_begin_run(r->graph, &run, &index);
}

static int read_runs(sc_baseline_reader *r, const cJSON *document)
{
  const cJSON *list, *item;
  SC_TRY(sc_baseline_get_list(r, document, "runs", &list));
  r->section = "runs";
  SC_TRY(SC_NEW(r->size_of, (size_t)cJSON_GetArraySize(list) + 1));
  cJSON_ArrayForEach(item, list)
  {
    size_t i = r->item = r->run_count;
    SC_TRY(read_run(r, item));
    double n = sc_graph_run_const(r->graph, i)->n, last = i ? sc_graph_run_const(r->graph, i - 1)->n : 0;
    if (n < last)
      return sc_baseline_fault(r, "the sizes do not ascend");
    r->size_count += n > last;
    r->size_of[i] = r->size_count - 1;
    r->run_count++;
  }
  r->section = NULL;
  return 0;
}

static int compare_series(const void *a, const void *b)
{
  return strcmp(((const sc_baseline_series *)a)->id, ((const sc_baseline_series *)b)->id);
}

static int read_one_series(sc_baseline_reader *r, const cJSON *item, sc_baseline_series *series)
{
  const cJSON *value;
  size_t length = strlen(item->string), count = 0;
  if (length >= sizeof series->id || !cJSON_IsArray(item))
    return sc_baseline_fault(r, "no series has such a name, or it is not a list");
  memcpy(series->id, item->string, length + 1);
  series->count = (size_t)cJSON_GetArraySize(item);
  if (series->count != r->run_count && series->count != r->size_count)
    return sc_baseline_fault(r, "it has neither a value for each run nor one for each size");
  SC_TRY(SC_NEW(series->values, series->count + 1));
  cJSON_ArrayForEach(value, item)
  {
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0) || !(value->valuedouble <= SC_BASELINE_LARGEST))
      return sc_baseline_fault(r, "a value is not a number from 0 on");
    series->values[count++] = value->valuedouble;
  }
  return 0;
}

static int read_series(sc_baseline_reader *r, const cJSON *document)
{
  const cJSON *all = cJSON_GetObjectItemCaseSensitive(document, "series"), *item;
  if (!cJSON_IsObject(all))
    return sc_baseline_fault(r, "\"series\" is no object");
  r->section = "series";
  SC_TRY(SC_NEW(r->series, (size_t)cJSON_GetArraySize(all) + 1));
  cJSON_ArrayForEach(item, all)
  {
    r->item = r->series_count;
    SC_TRY(read_one_series(r, item, &r->series[r->series_count++]));
  }
  qsort(r->series, r->series_count, sizeof *r->series, compare_series);
  for (size_t i = 1; i < r->series_count; i++)
    if (strcmp(r->series[i].id, r->series[i - 1].id) == 0)
      return sc_baseline_fault(r, "the series is there twice");
  r->section = NULL;
  return 0;
}

static int read_kind(const sc_baseline_reader *r, const cJSON *object, sc_location *at)
{
  const char *kind;
  SC_TRY(sc_baseline_get_text(r, object, "kind", NULL, &kind));
  if (strcmp(kind, "rest") == 0) {
    *at = (sc_location){.kind = SC_LOCATION_FUNCTION, .name = SC_COMPARE_REST, .file = ""};
    return 0;
  }
  for (int i = SC_LOCATION_PROCESS; i < SC_BASELINE_KINDS; i++)
    if (strcmp(sc_baseline_kinds[i], kind) == 0) {
      at->kind = (enum sc_location_kind)i;
      return 0;
    }
  return sc_baseline_fault(r, "\"kind\" is not a kind of location");
}

static int read_location(const sc_baseline_reader *r, const cJSON *object, uint32_t *number)
{
  sc_location at = {.kind = SC_LOCATION_ROOT};
  SC_TRY(read_kind(r, object, &at));
  if (!at.name) {
    SC_TRY(sc_baseline_get_text(r, object, "name", "", &at.name));
    SC_TRY(sc_baseline_get_text(r, object, "display", at.name, &at.display));
    SC_TRY(sc_baseline_get_text(r, object, "file", "", &at.file));
    SC_TRY(sc_baseline_get_whole(r, object, "line", 0, &at.line));
    SC_TRY(sc_baseline_get_whole(r, object, "column", 0, &at.column));
    SC_TRY(sc_baseline_get_whole(r, object, "nth", 0, &at.nth));
    SC_TRY(sc_baseline_get_bool(r, object, "local", &at.local));
    SC_TRY(sc_baseline_get_bool(r, object, "recursive", &at.recursive));
    SC_TRY(sc_baseline_get_bool(r, object, "system", &at.system));
  }
  return sc_graph_location(r->graph, &at, number);
}

static int read_baseline_values(sc_baseline_reader *r, const cJSON *object, uint32_t context)
{
  const sc_baseline_series *count, *recursion;
  const cJSON *costs = cJSON_GetObjectItemCaseSensitive(object, "cost"), *item;
  size_t run = 0;
  SC_TRY(sc_baseline_get_series(r, object, "count", &count));
  SC_TRY(sc_baseline_get_series(r, object, "recursion", &recursion));
  for (size_t i = 0; i < r->run_count; i++) {
    if (count)
      SC_TRY(sc_graph_add(r->graph, i, context, SC_METRIC_COUNT, sc_baseline_series_at(r, count, i)));
    if (recursion)
      SC_TRY(sc_graph_add(r->graph, i, context, SC_METRIC_DEPTH, sc_baseline_series_at(r, recursion, i)));
  }
  if (costs && !cJSON_IsArray(costs))
    return sc_baseline_fault(r, "\"cost\" is not a list");
  cJSON_ArrayForEach(item, costs)
  {
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || !(item->valuedouble <= SC_BASELINE_LARGEST) ||
        run >= r->run_count)
      return sc_baseline_fault(r, "\"cost\" is not a list of numbers, one for each run");
    SC_TRY(sc_graph_add(r->graph, run++, context, SC_METRIC_COST, item->valuedouble));
  }
  return 0;
}

/* Contexts stand behind their parents, each with its depth: the parent is the last one that is less deep. */
static int read_context(sc_baseline_reader *r, const cJSON *object, uint32_t *path, uint32_t *depth, uint32_t most)
{
  uint32_t at, location, context;
  SC_TRY(sc_baseline_get_whole(r, object, "depth", NAN, &at));
  if (at < 1 || at > *depth + 1 || at > most)
    return sc_baseline_fault(r, "\"depth\" does not fit to the context before");
  SC_TRY(read_location(r, object, &location));
  if (sc_graph_find(r->graph, path[at - 1], location) != UINT32_MAX)
    return sc_baseline_fault(r, "the context is there twice");
  SC_TRY(sc_graph_context(r->graph, path[at - 1], location, &context));
  path[at] = context;
  *depth = at;
  SC_TRY(read_baseline_values(r, object, context));
  return sc_baseline_read_uses(r, object, context);
}

static int read_contexts(sc_baseline_reader *r, const cJSON *document)
{
  const cJSON *list, *item;
  uint32_t depth = 0, most = 0, *path;
  int err = 0;
  r->section = NULL;
  SC_TRY(sc_baseline_get_list(r, document, "contexts", &list));
  most = (uint32_t)cJSON_GetArraySize(list);
  SC_TRY(SC_NEW(path, (size_t)most + 2));
  r->section = "contexts";
  r->item = 0;
  cJSON_ArrayForEach(item, list)
  {
    err = read_context(r, item, path, &depth, most);
    if (err < 0)
      break;
    r->item++;
  }
  free(path);
  return err;
}

static void close_reader(sc_baseline_reader *r)
{
  for (size_t i = 0; i < r->series_count; i++)
    free(r->series[i].values);
  for (size_t i = 0; i < r->resource_count; i++)
    free(r->resources[i].key);
  free(r->series);
  free(r->resources);
  free(r->size_of);
}

int sc_baseline_parse(const char *text, size_t length, const char *name, sc_loaded *loaded, char **machine)
{
  int err;
  sc_baseline_reader r = {.name = name};
  cJSON *document = cJSON_ParseWithLength(text, length);
  *loaded = (sc_loaded){0};
  *machine = NULL;
  if (!document)
    return sc_baseline_fault(&r, "it is no JSON");
  SC_GOTO(sc_graph_new(&loaded->graph));
  r.graph = loaded->graph;
  SC_GOTO(read_head(&r, document, machine));
  SC_GOTO(read_baseline_plain(&r, document, &loaded->plain));
  SC_GOTO(read_uprobes(&r, document, loaded));
  SC_GOTO(read_workload(&r, document, &loaded->workload));
  SC_GOTO(read_runs(&r, document));
  SC_GOTO(read_series(&r, document));
  SC_GOTO(sc_baseline_read_resources(&r, document));
  err = read_contexts(&r, document);
out:
  close_reader(&r);
  cJSON_Delete(document);
  return err;
}

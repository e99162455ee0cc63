/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a baseline: sorted, and with nothing in it that another run on the same machine would change. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/utf8.h"
#include "runner/baseline/internal.h"

static int put_baseline_text(sc_baseline_writer *w, const char *name, const char *value)
{
  cJSON *object = cJSON_CreateObject();
  sc_json_text(&w->json, object, name, value);
  char *text = w->json.failed ? NULL : cJSON_PrintUnformatted(object);
  cJSON_Delete(object);
  if (!text)
    return sc_err_set(SC_E_NOMEM, "out of memory while writing the baseline");
  text[strlen(text) - 1] = '\0';
  sc_utf8_print_json(text + 1, w->out); /* without its braces */
  fputs(",\n", w->out);
  cJSON_free(text);
  return 0;
}

/* What was taken out of the times, where anything was. */
static void put_plain(sc_baseline_writer *w)
{
  const sc_plain *plain = &w->loaded->plain;
  if (plain->runs)
    fprintf(w->out,
            "\"plain\": {\"runs\": %zu, \"low\": %.17g, \"high\": %.17g, \"doubt\": %.4g, \"slowdown\": %.4g, "
            "\"slowdown_low\": %.4g, \"slowdown_high\": %.4g},\n",
            plain->runs, plain->low, plain->high, plain->doubt, plain->slowdown, plain->slowdown_low,
            plain->slowdown_high);
}

/* That counts are of entries, and why nothing is left of times. */
static void put_uprobes(sc_baseline_writer *w)
{
  const sc_loaded *loaded = w->loaded;
  if (loaded->entries && loaded->plain.taken_away)
    fprintf(w->out, "\"uprobes\": {\"times\": false, \"slowdown\": %.4g},\n", loaded->slowdown);
  else if (loaded->entries)
    fputs("\"uprobes\": {\"times\": true},\n", w->out);
}

static int put_workload(sc_baseline_writer *w)
{
  char hash[17];
  SC_TRY(sc_workload_hash(w->loaded->workload, hash));
  SC_TRY(put_baseline_text(w, "workload_hash", hash));
  SC_TRY(sc_baseline_list_begin(w, "workload"));
  for (const char *line = w->loaded->workload->source; *line;) {
    size_t length = strcspn(line, "\n");
    cJSON *item = NULL;
    char *text = strndup(line, length);
    if (text)
      item = cJSON_CreateString(text);
    free(text);
    SC_TRY(sc_baseline_line(w, item));
    line += length + (line[length] == '\n');
  }
  return sc_baseline_list_end(w);
}

static int compare_runs(const void *a, const void *b, void *user)
{
  const sc_graph *graph = user;
  const sc_run *x = sc_graph_run_const(graph, *(const size_t *)a), *y = sc_graph_run_const(graph, *(const size_t *)b);
  return SC_COMPARE(x->n, y->n) ?: SC_COMPARE(x->role, y->role) ?: SC_COMPARE(x->repeat, y->repeat) ?:
         SC_COMPARE(*(const size_t *)a, *(const size_t *)b);
}

static int list_runs(sc_baseline_writer *w)
{
  w->run_count = sc_graph_run_count(w->graph);
  w->runs = sc_mem_new(w->run_count + 1, sizeof *w->runs);
  w->row = sc_mem_new(w->run_count + 1, sizeof *w->row);
  if (!w->runs || !w->row)
    return SC_E_NOMEM;
  for (size_t i = 0; i < w->run_count; i++)
    w->runs[i] = i;
  qsort_r(w->runs, w->run_count, sizeof *w->runs, compare_runs, (void *)w->graph);
  return 0;
}

/* What a run took differs at each measuring, and where no cost was sampled nothing is made of it. */
static bool has_baseline_costs(const sc_graph *graph)
{
  for (size_t i = 0; i < sc_graph_run_count(graph); i++)
    if (sc_graph_run_const(graph, i)->cost_event[0])
      return true;
  return false;
}

static int put_runs(sc_baseline_writer *w)
{
  bool costs = has_baseline_costs(w->graph);
  SC_TRY(sc_baseline_list_begin(w, "runs"));
  for (size_t i = 0; i < w->run_count; i++) {
    const sc_run *run = sc_graph_run_const(w->graph, w->runs[i]);
    cJSON *object = cJSON_CreateObject();
    sc_json_number(&w->json, object, "n", run->n);
    if (run->role == SC_RUN_VALIDATION)
      sc_json_bool(&w->json, object, "validation", true);
    sc_json_number(&w->json, object, "repeat", run->repeat);
    if (costs) {
      sc_json_number(&w->json, object, "user_seconds", sc_baseline_round(run->user_seconds));
      sc_json_number(&w->json, object, "system_seconds", sc_baseline_round(run->system_seconds));
      sc_json_number(&w->json, object, "max_rss_kib", (double)run->max_rss_kib);
    }
    if (run->cost_event[0]) {
      sc_json_text(&w->json, object, "event", run->cost_event);
      sc_json_number(&w->json, object, "samples", (double)run->samples);
    }
    SC_TRY(sc_baseline_line(w, object));
  }
  return sc_baseline_list_end(w);
}

static void add_baseline_values(sc_baseline_writer *w, cJSON *object, const char *name, uint32_t context,
                                enum sc_metric metric)
{
  bool any = false;
  for (size_t i = 0; i < w->run_count; i++) {
    w->row[i] = sc_graph_value(w->graph, w->runs[i], context, metric);
    any |= w->row[i] != 0;
  }
  const char *id = any ? sc_baseline_series_note(w, w->row) : NULL;
  if (id)
    sc_json_text(&w->json, object, name, id);
  w->json.failed |= any && !id;
}

static void add_costs(sc_baseline_writer *w, cJSON *object)
{
  size_t count = w->run_count;
  while (count && w->row[count - 1] == 0)
    count--;
  cJSON *list = count ? sc_json_array(&w->json, object, "cost") : NULL;
  for (size_t i = 0; i < count; i++)
    if (!cJSON_AddItemToArray(list, cJSON_CreateNumber(sc_baseline_round(w->row[i]))))
      w->json.failed = true;
}

static void add_baseline_place(sc_baseline_writer *w, cJSON *object, const sc_location *at)
{
  char *file = sc_baseline_file(w, at->file);
  if (file && *file)
    sc_json_text(&w->json, object, "file", file);
  w->json.failed |= !file;
  if (at->line)
    sc_json_number(&w->json, object, "line", at->line);
  if (at->column)
    sc_json_number(&w->json, object, "column", at->column);
  if (at->nth)
    sc_json_number(&w->json, object, "nth", at->nth);
  if (at->local)
    sc_json_bool(&w->json, object, "local", true);
  if (at->recursive)
    sc_json_bool(&w->json, object, "recursive", true);
  if (at->system)
    sc_json_bool(&w->json, object, "system", true);
  free(file);
}

static int put_context(sc_baseline_writer *w, uint32_t context, double depth)
{
  const sc_location *at = sc_graph_at(w->graph, context);
  cJSON *object = cJSON_CreateObject();
  sc_json_number(&w->json, object, "depth", depth);
  sc_json_text(&w->json, object, "kind", sc_baseline_kinds[at->kind]);
  sc_json_text(&w->json, object, "name", at->name);
  if (strcmp(at->name, at->display) != 0)
    sc_json_text(&w->json, object, "display", at->display);
  add_baseline_place(w, object, at);
  add_baseline_values(w, object, "count", context, SC_METRIC_COUNT);
  add_baseline_values(w, object, "recursion", context, SC_METRIC_DEPTH);
  for (size_t i = 0; i < w->run_count; i++)
    w->row[i] = sc_graph_value(w->graph, w->runs[i], context, SC_METRIC_COST);
  add_costs(w, object);
  SC_TRY(sc_baseline_add_uses(w, context, object));
  return sc_baseline_line(w, object);
}

/* What was left out below a context, so that totals stay. */
static int put_rest(sc_baseline_writer *w, uint32_t context, double depth)
{
  bool any = false;
  cJSON *object = cJSON_CreateObject();
  sc_json_number(&w->json, object, "depth", depth);
  sc_json_text(&w->json, object, "kind", "rest");
  for (enum sc_metric metric = SC_METRIC_COUNT; metric <= SC_METRIC_COST; metric++) {
    double sum = 0;
    memset(w->row, 0, w->run_count * sizeof *w->row);
    for (uint32_t c = w->left_out[context]; c; c = w->next_left_out[c])
      for (size_t i = 0; i < w->run_count; i++)
        w->row[i] += sc_graph_value(w->graph, w->runs[i], c, metric);
    for (size_t i = 0; i < w->run_count; i++)
      sum += w->row[i];
    any |= sum > 0;
    if (metric == SC_METRIC_COST)
      add_costs(w, object);
    else if (sum > 0)
      sc_json_text(&w->json, object, "count", sc_baseline_series_note(w, w->row));
  }
  if (any)
    return sc_baseline_line(w, object);
  cJSON_Delete(object);
  return 0;
}

static int compare_contexts(const void *a, const void *b, void *user)
{
  const sc_graph *graph = user;
  const sc_location *x = sc_graph_at(graph, *(const uint32_t *)a), *y = sc_graph_at(graph, *(const uint32_t *)b);
  return SC_COMPARE(x->kind, y->kind) ?: strcmp(x->name, y->name) ?: strcmp(x->file, y->file) ?:
         SC_COMPARE(x->line, y->line) ?: SC_COMPARE(x->column, y->column) ?: SC_COMPARE(x->nth, y->nth);
}

static int put_children(sc_baseline_writer *w, uint32_t context, double depth)
{
  int err = SC_E_NOMEM;
  size_t count = 0;
  for (uint32_t c = sc_graph_first_child(w->graph, context); c; c = sc_graph_next_sibling(w->graph, c))
    count++;
  uint32_t *list = sc_mem_new(count + 1, sizeof *list);
  if (!list)
    return err;
  count = 0;
  for (uint32_t c = sc_graph_first_child(w->graph, context); c; c = sc_graph_next_sibling(w->graph, c))
    if (w->kept[c])
      list[count++] = c;
  qsort_r(list, count, sizeof *list, compare_contexts, (void *)w->graph);
  for (size_t i = 0; i < count; i++) {
    SC_GOTO(put_context(w, list[i], depth));
    SC_GOTO(put_children(w, list[i], depth + 1));
  }
  err = put_rest(w, context, depth);
out:
  free(list);
  return err;
}

static int put_all(sc_baseline_writer *w)
{
  SC_TRY(list_runs(w));
  SC_TRY(sc_baseline_find_root(w));
  SC_TRY(sc_baseline_keep(w));
  SC_TRY(sc_baseline_index_uses(w));
  fprintf(w->out, "{\n\"schema_version\": %d,\n\"document\": \"baseline\",\n", SC_BASELINE_VERSION);
  SC_TRY(put_baseline_text(w, "parameter", w->loaded->workload->parameter));
  SC_TRY(put_baseline_text(w, "machine", w->machine));
  put_plain(w);
  put_uprobes(w);
  SC_TRY(put_workload(w));
  SC_TRY(put_runs(w));
  SC_TRY(sc_baseline_write_resources(w));
  SC_TRY(sc_baseline_list_begin(w, "contexts"));
  SC_TRY(put_children(w, 0, 1));
  SC_TRY(sc_baseline_list_end(w));
  SC_TRY(sc_baseline_series_write(w));
  fputs("\n}\n", w->out);
  return 0;
}

int sc_baseline_write(FILE *out, const sc_loaded *loaded, const char *machine)
{
  sc_baseline_writer w = {.out = out, .loaded = loaded, .machine = machine, .graph = loaded->graph};
  int err = put_all(&w);
  for (size_t i = 0; i < w.series_count; i++)
    free(w.series[i].values);
  free(w.series);
  free(w.runs);
  free(w.row);
  free(w.kept);
  free(w.holder);
  free(w.left_out);
  free(w.next_left_out);
  free(w.uses);
  free(w.root);
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What blame answers, as JSON. */
#include <math.h>

#include "runner/blame/blame.h"
#include "runner/report/json.h"
#include "runner/resources/json.h"

static void add_end(sc_json *json, const sc_blame_view *view, cJSON *object, const char *key, const sc_blame_end *end)
{
  if (end->context == SC_USAGE_NONE) {
    sc_json_text(json, object, key, NULL);
    return;
  }
  const sc_location *location = sc_graph_at(view->judge->loaded.graph, end->context);
  cJSON *item = sc_json_object(json, object, key);
  sc_json_text(json, item, "function", location->display);
  sc_json_text(json, item, "file", location->file);
  sc_json_number(json, item, "line", end->line ? end->line : NAN);
  sc_json_number(json, item, "column", end->column ? end->column : NAN);
  sc_json_text(json, item, "via", end->via);
  sc_json_bool(json, item, "shared", end->shared);
  sc_json_context(json, item, "context", view->judge->loaded.graph, end->context);
}

static void add_sum(sc_json *json, cJSON *object, const char *key, const sc_blame_sum *sum)
{
  cJSON *item = sc_json_object(json, object, key);
  sc_json_number(json, item, "count", sum->count);
  sc_json_number(json, item, "seconds", sum->seconds);
}

static void add_sums(sc_json *json, cJSON *object, const char *key, const sc_blame_sum *sums)
{
  cJSON *item = sc_json_object(json, object, key);
  add_sum(json, item, "smallest", &sums[SC_BLAME_SMALL]);
  add_sum(json, item, "largest", &sums[SC_BLAME_LARGE]);
}

static void add_blame_predictions(sc_json *json, const sc_blame_view *view, cJSON *document)
{
  cJSON *list = sc_json_array(json, document, "predictions");
  for (size_t t = 0; t < view->target_count; t++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_number(json, item, "n", view->targets[t]);
    sc_json_interval(json, item, "seconds", &view->seconds[t]);
    sc_json_interval(json, item, "each", &view->each[t]);
  }
}

static void add_edges(sc_json *json, const sc_blame_view *view, cJSON *document)
{
  cJSON *list = sc_json_array(json, document, "edges");
  for (size_t i = 0; i < view->blame.edge_count; i++) {
    const sc_blame_edge *edge = &view->blame.edges[i];
    cJSON *item = sc_json_object(json, list, NULL);
    add_end(json, view, item, "waiter", &edge->waiter);
    add_end(json, view, item, "holder", &edge->holder);
    add_sums(json, item, "waits", edge->waits);
    sc_json_number(json, item, "share", edge->share);
  }
}

static void add_blame_chain(sc_json *json, const sc_blame_view *view, cJSON *document)
{
  static const char *const ends[] = {[SC_BLAME_NOBODY_WAITS] = "nobody_waits",
                                     [SC_BLAME_HOLDER] = "holder",
                                     [SC_BLAME_CYCLE] = "cycle",
                                     [SC_BLAME_UNKNOWN] = "unknown"};
  const sc_graph *graph = view->judge->loaded.graph;
  cJSON *list = sc_json_array(json, document, "chain");
  for (size_t i = 0; i < view->blame.chain_count; i++) {
    const sc_blame_step *step = &view->blame.chain[i];
    cJSON *item = sc_json_object(json, list, NULL);
    sc_resource_json_resource(json, sc_usage_resource_at(graph, step->resource),
                              sc_json_object(json, item, "resource"));
    add_end(json, view, item, "waiter", &step->waiter);
    add_end(json, view, item, "holder", &step->holder);
    add_sums(json, item, "waits", step->waits);
    add_sums(json, item, "holds", step->holds);
    sc_json_number(json, item, "longest", step->longest > 0 ? step->longest : NAN);
    sc_json_number(json, item, "share", step->share);
    sc_json_number(json, item, "waiting", step->waiting);
  }
  sc_json_text(json, document, "end", ends[view->blame.end]);
  sc_json_number(json, document, "cycle", view->blame.end == SC_BLAME_CYCLE ? (double)view->blame.cycle + 1 : NAN);
}

static void add_blame_others(sc_json *json, const sc_blame_view *view, cJSON *document)
{
  const sc_workload *workload = view->judge->loaded.workload;
  cJSON *item = sc_json_object(json, document, "pairs_further");
  for (size_t i = 0; i < workload->other_count; i++)
    sc_json_number(json, item, workload->others[i].name, view->others[i]);
}

int sc_blame_print_json(FILE *out, const sc_blame_view *view)
{
  sc_json json = {0};
  const sc_blame *blame = &view->blame;
  cJSON *document = sc_report_json_document(view->judge, "blame");
  sc_resource_json_resource(&json, sc_usage_resource_at(view->judge->loaded.graph, view->resource),
                            sc_json_object(&json, document, "resource"));
  sc_json_number(&json, document, "smallest", blame->sizes[SC_BLAME_SMALL]);
  sc_json_number(&json, document, "largest", blame->sizes[SC_BLAME_LARGE]);
  if (view->elsewhere)
    add_blame_others(&json, view, document);
  sc_json_bool(&json, document, "expected", blame->expected);
  add_sums(&json, document, "waits", blame->waits);
  add_blame_predictions(&json, view, document);
  add_edges(&json, view, document);
  add_blame_chain(&json, view, document);
  return sc_json_write(out, document, &json, 0);
}

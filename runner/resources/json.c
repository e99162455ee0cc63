/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/json.h"

#include <math.h>

#include "runner/resources/finding.h"
#include "runner/resources/numbers.h"

void sc_resource_json_resource(sc_json *json, const sc_resource *resource, cJSON *item)
{
  sc_json_text(json, item, "name", resource->name);
  sc_json_text(json, item, "class", sc_resource_class_name(resource->resource_class));
  sc_json_text(json, item, "unit", sc_resource_class_unit(resource->resource_class));
  sc_json_text(json, item, "file", resource->file);
  sc_json_number(json, item, "line", resource->line ? resource->line : NAN);
  sc_json_bool(json, item, "probe", resource->probe);
  sc_json_bool(json, item, "global", resource->global);
  sc_json_bool(json, item, "idle", resource->idle);
  sc_json_number(json, item, "capacity", resource->capacity > 0 ? resource->capacity : NAN);
}

static void add_resource_json_number(sc_json *json, const sc_judge *judge, cJSON *list,
                                     const sc_resource_number *number)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  cJSON *item = sc_json_object(json, list, NULL);
  sc_json_text(json, item, "metric", sc_resource_metric_name(number->metric));
  sc_json_text(json, item, "unit", sc_resource_metric_unit(number->metric));
  sc_json_number(json, item, "measured", number->measured);
  if (number->model)
    sc_json_model(json, sc_json_object(json, item, "model"), number->model, asked->variable);
  else
    sc_json_text(json, item, "model", NULL);
  if (number->correction.n > 0) {
    cJSON *correction = sc_json_object(json, item, "correction");
    sc_json_number(json, correction, "n", number->correction.n);
    sc_json_number(json, correction, "computed", number->correction.computed);
    sc_json_number(json, correction, "measured", number->correction.measured);
  } else {
    sc_json_text(json, item, "correction", NULL);
  }
  cJSON *predictions = sc_json_array(json, item, "predictions");
  for (size_t i = 0; i < asked->target_count; i++) {
    cJSON *prediction = sc_json_object(json, predictions, NULL);
    sc_json_number(json, prediction, "n", asked->targets[i]);
    sc_json_bounds(json, prediction, &number->predictions[i]);
  }
}

static void add_resource_json_context(sc_json *json, const sc_judge *judge, cJSON *item, const char *key,
                                      uint32_t context)
{
  if (context == SC_USAGE_NONE)
    sc_json_text(json, item, key, NULL);
  else
    sc_json_context(json, item, key, judge->loaded.graph, context);
}

static void add_held(sc_json *json, cJSON *list, double n, bool holds)
{
  cJSON *item = sc_json_object(json, list, NULL);
  sc_json_number(json, item, "n", n);
  sc_json_bool(json, item, "holds", holds);
}

static void add_extent(sc_json *json, const sc_judge *judge, const sc_resource_finding *f, cJSON *item)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  cJSON *emergence = sc_json_object(json, item, "emergence");
  sc_json_number(json, emergence, "size", f->emergence.value);
  sc_json_number(json, emergence, "low", f->emergence.low);
  sc_json_number(json, emergence, "high", f->emergence.high);
  cJSON *measured = sc_json_array(json, item, "holds_measured");
  for (size_t i = 0; i < sc_resources_size_count(judge->resources); i++)
    add_held(json, measured, sc_resources_size(judge->resources, i), f->holds_measured[i]);
  cJSON *predicted = sc_json_array(json, item, "holds_predicted");
  for (size_t i = 0; i < asked->target_count; i++)
    add_held(json, predicted, asked->targets[i], f->holds_predicted[i]);
}

static void add_resource_json_sites(sc_json *json, const sc_judge *judge, const sc_resource_finding *f, cJSON *item)
{
  cJSON *list = sc_json_array(json, item, "sites");
  for (size_t i = 0; i < f->site_count; i++) {
    const sc_resource_site *site = &f->sites[i];
    const sc_location *location = sc_graph_at(judge->loaded.graph, site->context);
    cJSON *object = sc_json_object(json, list, NULL);
    sc_json_text(json, object, "role", sc_resource_role_name(site->role));
    sc_json_text(json, object, "function", location->display);
    sc_json_text(json, object, "file", location->file);
    sc_json_number(json, object, "line", site->line ? site->line : NAN);
    sc_json_number(json, object, "column", site->column ? site->column : NAN);
    sc_json_text(json, object, "via", site->via);
    sc_json_number(json, object, "amount", site->amount);
    sc_json_number(json, object, "share", site->share);
    sc_json_context(json, object, "context", judge->loaded.graph, site->context);
  }
}

static void add_resource_json_tasks(sc_json *json, const sc_judge *judge, const sc_resource_finding *f, cJSON *item)
{
  cJSON *list = sc_json_array(json, item, "tasks");
  for (size_t i = 0; i < f->task_count; i++) {
    cJSON *object = sc_json_object(json, list, NULL);
    sc_json_text(json, object, "function", sc_graph_at(judge->loaded.graph, f->tasks[i].context)->display);
    sc_json_number(json, object, "amount", f->tasks[i].amount);
    sc_json_number(json, object, "share", f->tasks[i].share);
    sc_json_context(json, object, "context", judge->loaded.graph, f->tasks[i].context);
  }
}

static void add_resource_json_pairs(sc_json *json, const sc_judge *judge, const sc_resource_finding *f, cJSON *item)
{
  cJSON *list = sc_json_array(json, item, "pairs");
  for (size_t i = 0; i < f->pair_count; i++) {
    const sc_resource_pair *pair = &f->pairs[i];
    cJSON *object = sc_json_object(json, list, NULL);
    add_resource_json_context(json, judge, object, "waiter", pair->waiter);
    sc_json_number(json, object, "waiter_line", pair->waiter_line ? pair->waiter_line : NAN);
    sc_json_number(json, object, "waiter_column", pair->waiter_column ? pair->waiter_column : NAN);
    add_resource_json_context(json, judge, object, "holder", pair->holder);
    sc_json_number(json, object, "holder_line", pair->holder_line ? pair->holder_line : NAN);
    sc_json_number(json, object, "holder_column", pair->holder_column ? pair->holder_column : NAN);
    sc_json_number(json, object, "waits", pair->waits);
    sc_json_number(json, object, "seconds", pair->seconds);
    sc_json_number(json, object, "share", pair->share);
    sc_json_number(json, object, "seconds_small", pair->seconds_small);
  }
}

static void add_nested(sc_json *json, const sc_judge *judge, const sc_resource_finding *f, cJSON *item)
{
  cJSON *list = sc_json_array(json, item, "nested");
  for (size_t i = 0; i < f->nested_count; i++) {
    const sc_resource_nested *nested = &f->nested[i];
    cJSON *object = sc_json_object(json, list, NULL);
    sc_resource_json_resource(json, sc_usage_resource_at(judge->loaded.graph, nested->resource),
                              sc_json_object(json, object, "resource"));
    add_resource_json_context(json, judge, object, "context", nested->context);
    sc_json_number(json, object, "line", nested->line ? nested->line : NAN);
    sc_json_number(json, object, "column", nested->column ? nested->column : NAN);
    sc_json_number(json, object, "seconds", nested->seconds);
    sc_json_number(json, object, "share", nested->share);
  }
}

/* Locks that are held far more than others of their name; else null. */
static void add_hot(sc_json *json, const sc_judge *judge, uint32_t resource, cJSON *item)
{
  sc_resource_hot hot;
  if (!sc_resources_hot(judge->resources, resource, &hot)) {
    sc_json_text(json, item, "hot", NULL);
    return;
  }
  cJSON *object = sc_json_object(json, item, "hot");
  sc_json_number(json, object, "instances", hot.instances);
  sc_json_number(json, object, "hot", hot.hot);
  sc_json_number(json, object, "share", hot.share);
  sc_json_number(json, object, "busiest", hot.busiest);
}

/* Null, or the further parameter that it turns up with, and the value at which numbers are. */
static void add_resource_json_along(sc_json *json, const sc_judge *there, size_t along, cJSON *item)
{
  if (along == SIZE_MAX) {
    sc_json_text(json, item, "along", NULL);
    return;
  }
  cJSON *object = sc_json_object(json, item, "along");
  sc_json_text(json, object, "parameter", there->loaded.workload->others[along].name);
  sc_json_number(json, object, "at", there->others[along]);
}

void sc_resource_json_finding(sc_json *json, const sc_judge *of, const sc_resource_finding *f, size_t rank, cJSON *item)
{
  size_t along;
  const sc_judge *judge = sc_judge_beside(of, f, &along);
  sc_json_number(json, item, "rank", (double)rank);
  sc_json_text(json, item, "rule", sc_rule_id(f->rule));
  sc_buf title = {0};
  sc_resource_finding_title(of, f, &title);
  sc_json_text(json, item, "title", sc_buf_finish(&title) == 0 ? title.text : sc_rule_title(f->rule));
  sc_buf_free(&title);
  sc_json_text(json, item, "severity", sc_severity_name(f->severity));
  sc_json_number(json, item, "confidence", f->confidence);
  sc_resource_json_resource(json, sc_usage_resource_at(judge->loaded.graph, f->resource),
                            sc_json_object(json, item, "resource"));
  add_resource_json_context(json, judge, item, "context", f->context);
  sc_json_number(json, item, "line", f->line ? f->line : NAN);
  sc_json_number(json, item, "column", f->column ? f->column : NAN);
  sc_json_number(json, item, "servers", f->servers > 0 ? f->servers : NAN);
  add_hot(json, judge, f->resource, item);
  add_resource_json_along(json, judge, along, item);
  add_extent(json, judge, f, item);
  cJSON *numbers = sc_json_array(json, item, "numbers");
  for (size_t i = 0; i < f->number_count; i++)
    add_resource_json_number(json, judge, numbers, &f->numbers[i]);
  add_resource_json_sites(json, judge, f, item);
  add_resource_json_tasks(json, judge, f, item);
  add_resource_json_pairs(json, judge, f, item);
  add_nested(json, judge, f, item);
  sc_json_text(json, item, "also", f->also);
  sc_json_text(json, item, "evidence", f->evidence);
  sc_json_text(json, item, "advice", f->advice);
}

int sc_resource_json_numbers(sc_json *json, const sc_judge *judge, const sc_resource_spot *spot, cJSON *item)
{
  cJSON *numbers = sc_json_array(json, item, "numbers");
  for (int metric = 0; metric < SC_RMETRIC_COUNT; metric++) {
    sc_resource_number number;
    int known = sc_resource_number_make(judge, spot, (enum sc_resource_metric)metric, &number);
    if (known > 0)
      add_resource_json_number(json, judge, numbers, &number);
    sc_resource_number_drop(&number);
    SC_TRY(known < 0 ? known : 0);
  }
  return 0;
}

static int add_list(sc_json *json, const sc_judge *judge, cJSON *resources)
{
  cJSON *list = sc_json_array(json, resources, "list");
  for (uint32_t r = 0; r < sc_usage_resource_count(judge->loaded.graph); r++) {
    const sc_resource *resource = sc_usage_resource_at(judge->loaded.graph, r);
    if (sc_resource_class_blocks(resource->resource_class)) /* waits of calls: in `elapsed` */
      continue;
    cJSON *item = sc_json_object(json, list, NULL);
    sc_resource_json_resource(json, resource, item);
    add_hot(json, judge, r, item);
    const sc_resource_spot whole = sc_resources_whole(r);
    SC_TRY(sc_resource_json_numbers(json, judge, &whole, item));
  }
  return 0;
}

static void add_scalability(sc_json *json, const sc_judge *judge, cJSON *resources)
{
  const sc_scalability *s = sc_resources_scalability(judge->resources);
  if (!s) {
    sc_json_text(json, resources, "scalability", NULL);
    return;
  }
  cJSON *item = sc_json_object(json, resources, "scalability");
  sc_json_bool(json, item, "known", s->known);
  sc_json_text(json, item, "why", s->why);
  if (s->known) {
    sc_json_interval(json, item, "lambda", &s->lambda);
    sc_json_interval(json, item, "sigma", &s->sigma);
    sc_json_interval(json, item, "kappa", &s->kappa);
    sc_json_interval(json, item, "peak", &s->peak);
    sc_json_interval(json, item, "peak_throughput", &s->peak_throughput);
    sc_json_number(json, item, "error", s->error);
  }
  cJSON *points = sc_json_array(json, item, "points");
  for (size_t i = 0; i < s->count; i++) {
    cJSON *point = sc_json_object(json, points, NULL);
    sc_json_number(json, point, "n", s->sizes[i]);
    sc_json_number(json, point, "throughput", s->throughputs[i]);
  }
}

static void add_discarded(sc_json *json, const sc_judge *judge, cJSON *resources)
{
  size_t count;
  const sc_discarded_event *events = sc_usage_discarded(judge->loaded.graph, &count);
  cJSON *list = sc_json_array(json, resources, "discarded");
  for (size_t i = 0; i < count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_text(json, item, "function", events[i].via);
    sc_json_text(json, item, "resource", events[i].resource);
    sc_json_text(json, item, "why", events[i].why);
  }
}

int sc_resource_json_report(sc_json *json, const sc_judge *judge, cJSON *document)
{
  if (!judge->resources) {
    sc_json_text(json, document, "resources", NULL);
    return 0;
  }
  size_t count;
  const sc_resource_finding *findings = sc_resources_findings(judge->resources, &count);
  cJSON *resources = sc_json_object(json, document, "resources");
  sc_json_text(json, resources, "kind", sc_workload_kind_name(judge->loaded.workload->kind));
  SC_TRY(add_list(json, judge, resources));
  cJSON *list = sc_json_array(json, resources, "findings");
  for (size_t i = 0; i < count; i++)
    sc_resource_json_finding(json, judge, &findings[i], i + 1, sc_json_object(json, list, NULL));
  add_scalability(json, judge, resources);
  add_discarded(json, judge, resources);
  return 0;
}

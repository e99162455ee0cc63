/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data of resources and of findings about them. */
#include <math.h>

#include "runner/page/parts.h"
#include "runner/resources/finding.h"
#include "runner/resources/numbers.h"
#include "runner/resources/section.h"
#include "runner/text/tuning.h"

/* Of a context in a header of the library, the page names the one that called it: the user wrote that. */
static void write_page_resource_context(const sc_page_study *study, uint32_t context, sc_page_json *json)
{
  const sc_graph *graph = study->judge->loaded.graph;
  sc_page_integer(json, "context", context == SC_USAGE_NONE ? -1 : (int64_t)sc_graph_written(graph, context, NULL));
}

/* Else the line of the call is the library's. */
static bool is_page_resource_written(const sc_page_study *study, uint32_t context)
{
  return context != SC_USAGE_NONE && sc_graph_written(study->judge->loaded.graph, context, NULL) == context;
}

/* Shown only where it tells two calls in one line apart. */
static uint32_t telling_column(const sc_page_study *study, const sc_resource_site *site)
{
  if (!is_page_resource_written(study, site->context))
    return 0;
  return sc_usage_telling_column(study->judge->loaded.graph, site->context, site->line, site->column);
}

static void write_sites(const sc_page_study *study, const sc_resource_finding *f, sc_page_json *json)
{
  sc_page_open(json, "sites", '[');
  for (size_t i = 0; i < f->site_count && i < SC_PAGE_RESOURCE_SITES; i++) {
    sc_page_open(json, NULL, '{');
    sc_page_text(json, "role", sc_resource_role_name(f->sites[i].role));
    write_page_resource_context(study, f->sites[i].context, json);
    sc_page_text(json, "via", f->sites[i].via);
    sc_page_integer(json, "line", is_page_resource_written(study, f->sites[i].context) ? f->sites[i].line : 0);
    sc_page_integer(json, "column", telling_column(study, &f->sites[i]));
    sc_page_number(json, "amount", f->sites[i].amount, 5);
    sc_page_number(json, "share", f->sites[i].share, 4);
    sc_page_close(json, '}');
  }
  sc_page_close(json, ']');
}

static void write_page_resource_title(const sc_page_study *study, const sc_resource_finding *f, sc_page_json *json)
{
  sc_buf title = {0};
  sc_resource_finding_title(study->judge, f, &title);
  sc_page_text(json, "title", sc_buf_finish(&title) == 0 ? title.text : sc_rule_title(f->rule));
  sc_buf_free(&title);
}

/* Of one along a further parameter which that is, and the value it has in the evidence. */
static void write_page_resource_along(const sc_page_study *study, const sc_resource_finding *f, sc_page_json *json)
{
  size_t along;
  const sc_judge *there = sc_judge_beside(study->judge, f, &along);
  if (along == SIZE_MAX)
    return;
  sc_page_open(json, "along", '{');
  sc_page_text(json, "parameter", there->loaded.workload->others[along].name);
  sc_page_number(json, "at", there->others[along], 17);
  sc_page_close(json, '}');
}

static void write_page_resource_finding(const sc_page_study *study, const sc_resource_finding *f, sc_page_json *json)
{
  sc_page_open(json, NULL, '{');
  sc_page_text(json, "rule", sc_rule_id(f->rule));
  write_page_resource_title(study, f, json);
  sc_page_text(json, "help", sc_rule_help(f->rule));
  sc_page_text(json, "severity", sc_severity_name(f->severity));
  sc_page_integer(json, "resource", f->resource);
  sc_page_integer(json, "servers", (int64_t)f->servers);
  write_page_resource_context(study, f->context, json);
  sc_page_number(json, "confidence", f->confidence, 3);
  sc_page_interval(json, "emergence", &f->emergence);
  write_page_resource_along(study, f, json);
  sc_page_open(json, "metrics", '[');
  for (size_t i = 0; i < f->number_count; i++)
    sc_page_text(json, NULL, sc_resource_metric_name(f->numbers[i].metric));
  sc_page_close(json, ']');
  write_sites(study, f, json);
  sc_page_text(json, "also", f->also);
  sc_page_text(json, "evidence", f->evidence);
  sc_page_text(json, "advice", f->advice);
  sc_page_accepted(json, study->notices, f);
  sc_page_close(json, '}');
}

static int write_page_resource_curve(const sc_page_study *study, uint32_t resource, enum sc_resource_metric metric,
                                     sc_page_json *json)
{
  sc_page_open(json, "curve", '[');
  for (size_t i = 0; i < study->grid->count; i++) {
    sc_interval at;
    SC_TRY(sc_resources_predict(study->judge->resources, resource, metric, study->grid->sizes[i], &at));
    sc_page_interval(json, NULL, &at);
  }
  sc_page_close(json, ']');
  return 0;
}

/* A metric that the resource has: points, model, and what it is at every size of the grid. */
static int write_page_resource_metric(const sc_page_study *study, uint32_t resource, enum sc_resource_metric metric,
                                      sc_page_json *json)
{
  const sc_judge *judge = study->judge;
  const sc_resource_series *series = sc_resources_series(judge->resources, resource, SC_USAGE_NONE, metric);
  sc_resource_number number;
  const sc_resource_spot whole = sc_resources_whole(resource);
  int known = sc_resource_number_make(judge, &whole, metric, &number);
  if (known > 0) {
    sc_page_open(json, NULL, '{');
    sc_page_text(json, "metric", sc_resource_metric_name(metric));
    sc_page_text(json, "unit", sc_resource_metric_unit(metric));
    sc_page_number(json, "measured", number.measured, 6);
    sc_page_model_brief(json, "model", number.model, judge->loaded.workload->parameter);
    sc_page_open(json, "points", '[');
    bool measured = sc_resources_measured(judge->resources); /* else there is nothing but models */
    for (size_t i = 0; measured && series && i < series->count; i++) {
      sc_page_number(json, NULL, series->sizes[i], 17);
      sc_page_number(json, NULL, series->values[i], 6);
    }
    sc_page_close(json, ']');
    known = write_page_resource_curve(study, resource, metric, json);
    sc_page_close(json, '}');
  }
  sc_resource_number_drop(&number);
  return known < 0 ? known : 0;
}

static void write_hot(const sc_page_study *study, uint32_t number, sc_page_json *json)
{
  sc_resource_hot hot;
  sc_buf text = {0};
  if (!sc_resources_hot(study->judge->resources, number, &hot))
    return;
  sc_resource_hot_text(&hot, &text);
  if (sc_buf_finish(&text) == 0)
    sc_page_text(json, "hot", text.text);
  sc_buf_free(&text);
}

static int write_page_resource(sc_page_study *study, uint32_t number, sc_page_json *json)
{
  const sc_resource *resource = sc_usage_resource_at(study->judge->loaded.graph, number);
  sc_page_open(json, NULL, '{');
  sc_page_text(json, "name", resource->name);
  sc_page_text(json, "class", sc_resource_class_name(resource->resource_class));
  sc_page_text(json, "unit", sc_resource_class_unit(resource->resource_class));
  sc_page_text(json, "file", resource->file);
  sc_page_integer(json, "line", resource->line);
  sc_page_number(json, "capacity", resource->capacity, 6);
  write_hot(study, number, json);
  sc_page_open(json, "metrics", '[');
  for (int metric = 0; metric < SC_RMETRIC_COUNT; metric++)
    SC_TRY(write_page_resource_metric(study, number, (enum sc_resource_metric)metric, json));
  sc_page_close(json, ']');
  SC_TRY(sc_page_blame_write(study, number, json));
  sc_page_close(json, '}');
  return 0;
}

static void write_rise(const sc_judge *judge, const sc_scalability *s, sc_page_json *json)
{
  sc_buf rise = {0};
  sc_resource_section_rise(judge, s, &rise);
  if (sc_buf_finish(&rise) == 0)
    sc_page_text(json, "rise", rise.text);
  sc_buf_free(&rise);
}

static void write_scalability(const sc_judge *judge, sc_page_json *json)
{
  const sc_scalability *s = sc_resources_scalability(judge->resources);
  if (!s || !s->known)
    return;
  sc_page_open(json, "scalability", '{');
  sc_page_interval(json, "lambda", &s->lambda);
  sc_page_interval(json, "sigma", &s->sigma);
  sc_page_interval(json, "kappa", &s->kappa);
  sc_page_interval(json, "peak", &s->peak);
  sc_page_interval(json, "peak_throughput", &s->peak_throughput);
  if (!isfinite(s->peak.value))
    write_rise(judge, s, json);
  sc_page_open(json, "points", '[');
  for (size_t i = 0; i < s->count; i++) {
    sc_page_number(json, NULL, s->sizes[i], 17);
    sc_page_number(json, NULL, s->throughputs[i], 6);
  }
  sc_page_close(json, ']');
  sc_page_close(json, '}');
}

int sc_page_resources_write(sc_page_study *study, sc_page_json *json)
{
  const sc_judge *judge = study->judge;
  size_t count;
  if (!judge->resources)
    return 0;
  const sc_resource_finding *findings = sc_resources_findings(judge->resources, &count);
  sc_page_open(json, "resources", '{');
  sc_page_open(json, "list", '[');
  for (uint32_t r = 0; r < sc_usage_resource_count(judge->loaded.graph); r++)
    SC_TRY(write_page_resource(study, r, json));
  sc_page_close(json, ']');
  sc_page_open(json, "findings", '[');
  for (size_t i = 0; i < count; i++)
    write_page_resource_finding(study, &findings[i], json);
  sc_page_close(json, ']');
  write_scalability(judge, json);
  sc_page_close(json, '}');
  return 0;
}

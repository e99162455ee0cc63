/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/accept/notice.h"
#include "runner/process/seen.h"
#include "runner/quantity/budget.h"
#include "runner/report/outcome.h"
#include "runner/report/plain.h"
#include "runner/resources/compare.h"
#include "runner/resources/json.h"
#include "runner/text/context.h"
#include "runner/text/findings_json.h"
#include "runner/text/json_parts.h"
#include "transitions/model/elapsed.h"

void sc_report_json_accepted(cJSON *object, const sc_notice *accepted)
{
  if (!accepted) {
    cJSON_AddNullToObject(object, "accepted");
    return;
  }
  cJSON *mark = cJSON_AddObjectToObject(object, "accepted");
  cJSON_AddStringToObject(mark, "reason", accepted->accepted);
  cJSON_AddStringToObject(mark, "until", accepted->accepted_until);
}

/* Lists of findings in the document have the order of the judge's. */
static void mark_accepted(const sc_judge *judge, const sc_notices *notices, const cJSON *document)
{
  size_t i = 0, count = 0;
  const sc_resource_finding *found = judge->resources ? sc_resources_findings(judge->resources, &count) : NULL;
  cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(document, "findings")) if (i < judge->findings.count)
      sc_report_json_accepted(item, sc_notices_accepted(notices, &judge->findings.list[i++]));
  i = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(cJSON_GetObjectItem(document, "resources"), "findings")) if (i < count)
      sc_report_json_accepted(item, sc_notices_accepted(notices, &found[i++]));
}

/* `not_understood`, `not_counted`, `separate_trees` and `silent_libraries`: what the code has and the numbers have not.
 */
static int add_seen(sc_json *json, const sc_judge *judge, cJSON *document)
{
  static const char *const names[] = {[SC_SEEN_NOT_UNDERSTOOD] = "not_understood",
                                      [SC_SEEN_NOT_COUNTED] = "not_counted",
                                      [SC_SEEN_SEPARATE_TREE] = "separate_trees",
                                      [SC_SEEN_SILENT_LIBRARY] = "silent_libraries"};
  for (size_t kind = 0; kind < SC_SEEN_KINDS; kind++) {
    const char *lines = judge->loaded.seen[kind] ? judge->loaded.seen[kind] : "";
    char *copy = sc_mem_copy_string(lines), *rest = copy;
    cJSON *list = sc_json_array(json, document, names[kind]);
    sc_seen one;
    if (!copy)
      return SC_E_NOMEM;
    while (sc_seen_next(&rest, &one)) {
      cJSON *item = sc_json_object(json, list, NULL);
      double line = strtod(one.line, NULL);
      if (kind == SC_SEEN_SEPARATE_TREE || kind == SC_SEEN_SILENT_LIBRARY) {
        if (kind == SC_SEEN_SILENT_LIBRARY)
          sc_json_text(json, item, "calls", one.what);
        sc_json_text(json, item, "module", one.file);
        sc_json_text(json, item, "program", one.function);
        continue;
      }
      sc_json_text(json, item, "what", one.what);
      sc_json_text(json, item, "function", one.function);
      sc_json_text(json, item, "file", one.file);
      sc_json_number(json, item, "line", line > 0 ? line : NAN);
    }
    free(copy);
  }
  return 0;
}

static void add_failed(sc_json *json, const sc_judge *judge, cJSON *document)
{
  cJSON *list = sc_json_array(json, document, "failed_sizes");
  for (size_t i = 0; i < judge->loaded.failed_count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_number(json, item, "n", judge->loaded.failed[i].n);
    sc_json_text(json, item, "what", judge->loaded.failed[i].what);
  }
}

static void add_number(cJSON *object, const char *name, double value)
{
  if (isfinite(value))
    cJSON_AddNumberToObject(object, name, value);
  else
    cJSON_AddNullToObject(object, name);
}

static void add_further(const sc_judge *judge, cJSON *document)
{
  const sc_workload *workload = judge->loaded.workload;
  cJSON *further = workload->other_count ? cJSON_AddObjectToObject(document, "further") : NULL;
  for (size_t i = 0; i < workload->other_count; i++)
    add_number(further, workload->others[i].name, sc_judge_other(judge, i));
}

int sc_report_json_print(FILE *out, const sc_judge *judge, const sc_notices *notices)
{
  char *text = sc_findings_to_json(judge->loaded.analysis, &judge->findings);
  if (!text)
    return SC_E_NOMEM;
  cJSON *document = cJSON_Parse(text);
  free(text);
  if (!document)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  sc_json json = {0};
  int err = sc_outcome_to_json(judge, notices, document) ?: sc_budget_to_json(judge, document);
  err = err ?: sc_resource_json_report(&json, judge, document);
  err = err ?: add_seen(&json, judge, document);
  add_failed(&json, judge, document);
  cJSON_AddItemToObject(document, "instrumentation", sc_report_plain_json(judge));
  add_further(judge, document);
  if (err == 0 && json.failed)
    err = sc_err_set(SC_E_NOMEM, "out of memory while composing JSON");
  if (err == 0) {
    mark_accepted(judge, notices, document);
    return sc_report_json_write(out, document);
  }
  cJSON_Delete(document);
  return err;
}

cJSON *sc_report_json_context(const sc_graph *graph, uint32_t context)
{
  const sc_location *location = sc_graph_at(graph, context);
  sc_location spot = sc_graph_spot(graph, context);
  sc_buf title = {0};
  uint32_t path[256];
  size_t depth = sc_context_ancestry(graph, context, path, 256);
  cJSON *object = cJSON_CreateObject(), *steps = cJSON_AddArrayToObject(object, "path");
  for (size_t i = 0; i < depth; i++) {
    sc_buf step = {0};
    sc_context_step(graph, path[i], &step);
    if (sc_buf_finish(&step) == 0)
      cJSON_AddItemToArray(steps, cJSON_CreateString(step.text));
    sc_buf_free(&step);
  }
  cJSON_AddStringToObject(object, "kind", sc_location_kind_name(location->kind));
  cJSON_AddStringToObject(object, "function", location->display);
  cJSON_AddStringToObject(object, "file", location->file);
  cJSON_AddNumberToObject(object, "line", location->line);
  cJSON_AddNumberToObject(object, "column", location->column);
  sc_context_title(graph, context, &title);
  if (sc_buf_finish(&title) == 0)
    cJSON_AddStringToObject(object, "subject", title.text);
  sc_buf_free(&title);
  cJSON_AddStringToObject(object, "subject_file", spot.file);
  cJSON_AddNumberToObject(object, "subject_line", spot.line);
  return object;
}

cJSON *sc_report_json_document(const sc_judge *judge, const char *document)
{
  double low, high;
  cJSON *object = cJSON_CreateObject();
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  cJSON_AddNumberToObject(object, "schema_version", SC_REPORT_JSON_VERSION);
  cJSON_AddStringToObject(object, "document", document);
  cJSON_AddStringToObject(object, "study", judge->study);
  cJSON_AddStringToObject(object, "parameter", judge->loaded.workload->parameter);
  add_further(judge, object);
  cJSON *measured = cJSON_AddObjectToObject(object, "measured");
  add_number(measured, "low", low);
  add_number(measured, "high", high);
  cJSON_AddStringToObject(object, "cost_unit", sc_analysis_cost_unit(judge->loaded.analysis));
  add_number(object, "level", sc_analysis_get_options(judge->loaded.analysis)->level);
  cJSON_AddItemToObject(object, "instrumentation", sc_report_plain_json(judge));
  return object;
}

int sc_report_json_write(FILE *out, cJSON *document)
{
  char *text = document ? cJSON_Print(document) : NULL;
  int err = text ? sc_err_kept(0) : sc_err_set(SC_E_NOMEM, "out of memory");
  cJSON_Delete(document);
  if (err == 0) {
    sc_utf8_print_json(text, out);
    putc('\n', out);
  }
  cJSON_free(text);
  return err;
}

static void add_comparison(cJSON *object, const sc_interval *predicted, double actual)
{
  sc_json_interval(&(sc_json){0}, object, "predicted", predicted);
  add_number(object, "actual", actual);
  add_number(object, "relative_error",
             actual > 0                   ? (predicted->value - actual) / actual
             : predicted->value == actual ? 0
                                          : INFINITY);
  cJSON_AddBoolToObject(object, "within_interval", actual >= predicted->low && actual <= predicted->high);
}

static int compare_resources(const sc_judge *judge, double n, cJSON *size)
{
  size_t count;
  sc_resource_comparison *compared;
  SC_TRY(sc_resource_compare(judge, n, &compared, &count));
  cJSON *list = cJSON_AddArrayToObject(size, "resources");
  for (size_t i = 0; i < count; i++) {
    sc_json json = {0};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    sc_resource_json_resource(&json, sc_usage_resource_at(judge->loaded.graph, compared[i].resource),
                              cJSON_AddObjectToObject(item, "resource"));
    cJSON_AddStringToObject(item, "metric", sc_resource_metric_name(compared[i].metric));
    add_comparison(item, &compared[i].predicted, compared[i].actual);
  }
  free(compared);
  return 0;
}

static int compare_totals(const sc_judge *judge, double n, cJSON *size)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  double actual = 0;
  sc_interval predicted;
  if (sc_judge_actual_total(judge, n, &actual)) {
    SC_TRY(sc_analysis_total(analysis, n, &predicted));
    add_comparison(cJSON_AddObjectToObject(size, "total"), &predicted, actual);
  }
  if (sc_analysis_elapsed_known(analysis) && sc_judge_actual_elapsed(judge, n, &actual)) {
    SC_TRY(sc_analysis_elapsed(analysis, n, &predicted));
    add_comparison(cJSON_AddObjectToObject(size, "elapsed"), &predicted, actual);
  }
  return 0;
}

int sc_report_json_compare_parts(const sc_judge *judge, double n, cJSON *size)
{
  double actual = 0;
  sc_interval predicted;
  sc_judge_errors errors;
  SC_TRY(sc_judge_count_errors(judge, n, &errors));
  cJSON *counts = cJSON_AddObjectToObject(size, "counts");
  cJSON_AddNumberToObject(counts, "contexts", (double)errors.contexts);
  cJSON_AddNumberToObject(counts, "within_interval", (double)errors.inside);
  cJSON_AddNumberToObject(counts, "mean_error", errors.mean);
  cJSON *findings = cJSON_AddArrayToObject(size, "findings");
  for (size_t i = 0; i < judge->findings.count; i++) {
    const sc_finding *f = &judge->findings.list[i];
    if (!sc_report_finding_actual(judge, f, n, &actual))
      continue;
    SC_TRY(sc_report_finding_predict(judge, f, n, &predicted));
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(findings, item);
    cJSON_AddNumberToObject(item, "rank", (double)(i + 1));
    cJSON_AddItemToObject(item, "context", sc_report_json_context(judge->loaded.graph, f->context));
    cJSON_AddStringToObject(item, "counts", sc_report_finding_counts(judge, f));
    add_comparison(item, &predicted, actual);
  }
  return compare_resources(judge, n, size);
}

int sc_report_json_compare(FILE *out, const sc_judge *judge, const double *sizes, size_t count)
{
  cJSON *document = sc_report_json_document(judge, "verify");
  cJSON *list = cJSON_AddArrayToObject(document, "sizes");
  for (size_t i = 0; i < count; i++) {
    cJSON *size = cJSON_CreateObject();
    cJSON_AddItemToArray(list, size);
    cJSON_AddNumberToObject(size, "n", sizes[i]);
    int err = compare_totals(judge, sizes[i], size) ?: sc_report_json_compare_parts(judge, sizes[i], size);
    if (err < 0) {
      cJSON_Delete(document);
      return err;
    }
  }
  return sc_report_json_write(out, document);
}

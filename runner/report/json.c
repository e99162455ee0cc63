/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/accept/notice.h"
#include "runner/process/seen.h"
#include "runner/quantity/budget.h"
#include "runner/report/held_out.h"
#include "runner/report/outcome.h"
#include "runner/report/plain.h"
#include "runner/report/processes.h"
#include "runner/resources/compare.h"
#include "runner/resources/json.h"
#include "runner/text/findings_json.h"
#include "runner/text/json_parts.h"
#include "runner/text/json_write.h"
#include "transitions/model/elapsed.h"

void sc_report_json_accepted(sc_json *json, cJSON *object, const sc_notice *accepted)
{
  cJSON *mark = sc_json_object_if(json, object, "accepted", accepted);
  if (!mark)
    return;
  sc_json_string(json, mark, "reason", accepted->accepted);
  sc_json_string(json, mark, "until", accepted->accepted_until);
}

/* Lists of findings in the document have the order of the judge's. */
static void mark_accepted(sc_json *json, const sc_judge *judge, const sc_notices *notices, const cJSON *document)
{
  size_t i = 0, count = 0;
  const sc_resource_finding *found = judge->resources ? sc_resources_findings(judge->resources, &count) : NULL;
  cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(document, "findings")) if (i < judge->findings.count)
      sc_report_json_accepted(json, item, sc_notices_accepted(notices, &judge->findings.list[i++]));
  i = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(cJSON_GetObjectItem(document, "resources"), "findings")) if (i < count)
      sc_report_json_accepted(json, item, sc_notices_accepted(notices, &found[i++]));
}

/* `not_understood`, `not_counted`, `separate_trees`, `silent_libraries`, `inlined`, `undescribed`, `uncaught` and
 * `dropped`: what the code has and the numbers have not. */
static int add_report_json_seen(sc_json *json, const sc_judge *judge, cJSON *document)
{
  static const char *const names[] = {[SC_SEEN_NOT_UNDERSTOOD] = "not_understood",
                                      [SC_SEEN_NOT_COUNTED] = "not_counted",
                                      [SC_SEEN_SEPARATE_TREE] = "separate_trees",
                                      [SC_SEEN_SILENT_LIBRARY] = "silent_libraries",
                                      [SC_SEEN_INLINED] = "inlined",
                                      [SC_SEEN_UNDESCRIBED] = "undescribed",
                                      [SC_SEEN_UNCAUGHT] = "uncaught",
                                      [SC_SEEN_DROPPED] = "dropped"};
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
      if (kind == SC_SEEN_UNCAUGHT || kind == SC_SEEN_DROPPED) {
        sc_json_text(json, item, "function", one.function);
        sc_json_text(json, item, kind == SC_SEEN_DROPPED ? "module" : "resource", one.file);
        sc_json_text(json, item, "why", one.what);
        continue;
      }
      if (kind >= SC_SEEN_INLINED) {
        sc_json_text(json, item, "function", one.function);
        sc_json_text(json, item, "module", one.file);
        if (kind == SC_SEEN_INLINED)
          sc_json_text(json, item, "inlined", one.what);
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

static void add_attached(sc_json *json, const sc_judge *judge, cJSON *document)
{
  if (!(judge->loaded.attached > 0))
    return;
  cJSON *object = sc_json_object(json, document, "attached");
  sc_json_number(json, object, "seconds", judge->loaded.attached);
  if (judge->loaded.attached_per && *judge->loaded.attached_per)
    sc_json_text(json, object, "per", judge->loaded.attached_per);
  sc_json_number(json, object, "overhead", judge->loaded.attach_overhead);
}

static void add_report_json_further(sc_json *json, const sc_judge *judge, cJSON *document)
{
  const sc_workload *workload = judge->loaded.workload;
  cJSON *further = workload->other_count ? sc_json_object(json, document, "further") : NULL;
  for (size_t i = 0; i < workload->other_count; i++)
    sc_json_number(json, further, workload->others[i].name, sc_judge_other(judge, i));
}

/* A sc_json_member_fn: the sites of a finding. */
static int make_site(void *user, int number, size_t index, cJSON **made)
{
  const sc_judge *judge = user;
  const sc_finding *finding = &judge->findings.list[number];
  if (index == finding->site_count)
    return 0;
  *made = sc_findings_json_site(judge->loaded.analysis, finding, index);
  return *made ? 1 : SC_E_NOMEM;
}

/* Sites are written one by one at the end (make_site): a finding about many places may have a million, and cJSON would
 * hold them all in memory. */
int sc_report_json_print(FILE *out, const sc_judge *judge, const sc_notices *notices, bool all)
{
  cJSON *document =
      sc_findings_json_tree(judge->loaded.analysis, &judge->findings, all ? SC_JSON_SITES_APART : SC_JSON_SITES_WORTH);
  if (!document)
    return sc_err_kept(SC_E_NOMEM);
  sc_json json = {0};
  int err = sc_outcome_to_json(&json, judge, notices, document) ?: sc_budget_to_json(&json, judge, document);
  err = err ?: sc_resource_json_report(&json, judge, document);
  err = err ?: add_report_json_seen(&json, judge, document) ?: sc_report_held_out_json(&json, judge, document);
  err = err ?: sc_report_processes_json(&json, judge, document);
  add_failed(&json, judge, document);
  sc_report_plain_json(&json, judge, document);
  add_attached(&json, judge, document);
  add_report_json_further(&json, judge, document);
  mark_accepted(&json, judge, notices, document);
  return sc_json_write_members(out, document, &json, err, make_site, (void *)judge);
}

cJSON *sc_report_json_document(const sc_judge *judge, const char *document)
{
  double low = NAN, high = NAN;
  sc_json json = {0};
  cJSON *object = cJSON_CreateObject();
  const sc_analysis *analysis = judge->loaded.analysis;
  if (analysis)
    sc_analysis_range(analysis, &low, &high);
  sc_json_number(&json, object, "schema_version", SC_REPORT_JSON_VERSION);
  sc_json_string(&json, object, "document", document);
  sc_json_string(&json, object, "study", judge->study);
  sc_json_string(&json, object, "parameter", judge->loaded.workload->parameter);
  add_report_json_further(&json, judge, object);
  cJSON *measured = sc_json_object(&json, object, "measured");
  sc_json_number(&json, measured, "low", low);
  sc_json_number(&json, measured, "high", high);
  sc_json_string(&json, object, "cost_unit", analysis ? sc_analysis_cost_unit(analysis) : "");
  sc_json_number(&json, object, "level", analysis ? sc_analysis_get_options(analysis)->level : NAN);
  if (analysis)
    sc_report_plain_json(&json, judge, object);
  return object;
}

static int compare_resources(sc_json *json, const sc_judge *judge, double n, cJSON *size)
{
  size_t count;
  sc_resource_comparison *compared;
  SC_TRY(sc_resource_compare(judge, n, &compared, &count));
  cJSON *list = sc_json_array(json, size, "resources");
  for (size_t i = 0; i < count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_resource_json_resource(json, sc_usage_resource_at(judge->loaded.graph, compared[i].resource),
                              sc_json_object(json, item, "resource"));
    sc_json_string(json, item, "metric", sc_resource_metric_name(compared[i].metric));
    sc_json_comparison(json, item, &compared[i].predicted, compared[i].actual);
  }
  free(compared);
  return 0;
}

static int compare_totals(sc_json *json, const sc_judge *judge, double n, cJSON *size)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  double actual = 0;
  sc_interval predicted;
  if (sc_judge_actual_total(judge, n, &actual)) {
    SC_TRY(sc_analysis_total(analysis, n, &predicted));
    sc_json_comparison(json, sc_json_object(json, size, "total"), &predicted, actual);
  }
  if (sc_analysis_elapsed_known(analysis) && sc_judge_actual_elapsed(judge, n, &actual)) {
    SC_TRY(sc_analysis_elapsed(analysis, n, &predicted));
    sc_json_comparison(json, sc_json_object(json, size, "elapsed"), &predicted, actual);
  }
  return 0;
}

int sc_report_json_compare_parts(sc_json *json, const sc_judge *judge, double n, cJSON *size)
{
  double actual = 0;
  sc_interval predicted;
  sc_held_out errors;
  sc_elapsed_parts parts;
  if (sc_analysis_elapsed_known(judge->loaded.analysis) && sc_judge_actual_parts(judge, n, &parts))
    sc_json_elapsed_parts(json, sc_json_object(json, size, "actual_elapsed"), &parts);
  SC_TRY(sc_judge_count_errors(judge, n, &errors));
  SC_TRY(sc_report_held_out_numbers(json, judge, sc_json_object(json, size, "counts"), &errors));
  cJSON *findings = sc_json_array(json, size, "findings");
  for (size_t i = 0; i < judge->findings.count; i++) {
    const sc_finding *f = &judge->findings.list[i];
    if (!sc_report_finding_actual(judge, f, n, &actual))
      continue;
    SC_TRY(sc_finding_count(judge->loaded.analysis, f, n, &predicted));
    cJSON *item = sc_json_object(json, findings, NULL);
    sc_json_number(json, item, "rank", (double)(i + 1));
    sc_json_answer_context(json, item, judge->loaded.graph, f->context);
    sc_json_string(json, item, "counts", sc_report_finding_counts(judge, f));
    sc_json_comparison(json, item, &predicted, actual);
  }
  return compare_resources(json, judge, n, size);
}

int sc_report_json_compare(FILE *out, const sc_judge *judge, const double *sizes, size_t count)
{
  sc_json json = {0};
  cJSON *document = sc_report_json_document(judge, "verify"), *list = sc_json_array(&json, document, "sizes");
  int err = 0;
  for (size_t i = 0; i < count && err == 0; i++) {
    cJSON *size = sc_json_object(&json, list, NULL);
    sc_json_number(&json, size, "n", sizes[i]);
    err = compare_totals(&json, judge, sizes[i], size) ?: sc_report_json_compare_parts(&json, judge, sizes[i], size);
  }
  return sc_json_write(out, document, &json, err);
}

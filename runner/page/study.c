/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data of one study: how it was measured, its runs, totals and caveats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/baseline/baseline.h"
#include "runner/export/export.h"
#include "runner/page/parts.h"
#include "runner/quantity/budget.h"
#include "runner/report/coverage.h"
#include "runner/report/elapsed.h"
#include "runner/report/held_out.h"
#include "runner/report/outcome.h"
#include "runner/report/plain.h"
#include "runner/report/untold.h"
#include "runner/text/text_stream.h"
#include "transitions/model/elapsed.h"

/* What limits the answers, as the report for people says it: a list of sentences. */
static int write_caveats(const sc_judge *judge, sc_page_json *json)
{
  const sc_text_options plain = {.width = 1 << 20, .style = {"", "", "", "", ""}};
  sc_text_stream memory;
  SC_TRY(sc_text_stream_open(&memory));
  sc_report_caveats_print(memory.stream, judge, &plain);
  int err = sc_text_stream_close(&memory, 0);
  if (err < 0) {
    free(memory.text);
    return err;
  }
  sc_page_open(json, "caveats", '[');
  char *rest = NULL;
  for (char *line = strtok_r(memory.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    if (strncmp(line, "  - ", 4) == 0)
      sc_page_text(json, NULL, line + 4);
  sc_buf untold = {0};
  if (sc_analysis_untold(judge->loaded.analysis)->unbounded)
    sc_report_untold_text(judge, &untold);
  if (untold.length)
    sc_page_text(json, NULL, untold.text);
  sc_buf_free(&untold);
  sc_buf note = {0};
  if (sc_report_elapsed_note(judge, sc_analysis_horizon(judge->loaded.analysis), &note) && sc_buf_finish(&note) == 0)
    sc_page_text(json, NULL, note.text);
  sc_buf_free(&note);
  sc_buf plain_note = {0};
  if (sc_report_plain_text(judge, &plain_note) && sc_buf_finish(&plain_note) == 0)
    sc_page_text(json, NULL, plain_note.text);
  sc_buf_free(&plain_note);
  sc_page_close(json, ']');
  free(memory.text);
  return 0;
}

/* Where the numbers come from: a baseline doesn't say. */
static int write_provenance(const sc_judge *judge, sc_page_json *json)
{
  static const char *const keys[] = {"command", "workload_path", "machine", "versions", "build", "spent_seconds"};
  sc_study *study = NULL;
  int err = 0;
  sc_page_open(json, "provenance", '{');
  if (!sc_baseline_is(judge->study))
    SC_GOTO(sc_study_open(judge->study, SC_STUDY_READ, &study));
  for (size_t i = 0; study && i < sizeof keys / sizeof *keys; i++) {
    char *value = NULL;
    SC_GOTO(sc_study_get(study, keys[i], &value));
    if (value)
      sc_page_text(json, keys[i], value);
    free(value);
  }
  sc_page_close(json, '}');
out:
  sc_study_close(study);
  return err;
}

static void write_runs(const sc_judge *judge, sc_page_json *json)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  sc_page_open(json, "runs", '[');
  for (size_t i = 0; i < sc_analysis_run_count(analysis); i++)
    sc_page_number(json, NULL, sc_graph_run_const(judge->loaded.graph, sc_analysis_run(analysis, i))->n, 17);
  sc_page_close(json, ']');
  sc_page_open(json, "actual", '['); /* targets that were run: size and total */
  const sc_graph *targets = judge->loaded.targets;
  for (size_t i = 0; targets && i < sc_graph_run_count(targets); i++) {
    double n = sc_graph_run_const(targets, i)->n, total;
    if (!sc_judge_actual_total(judge, n, &total))
      continue;
    sc_page_number(json, NULL, n, 17);
    sc_page_number(json, NULL, total, 6);
  }
  sc_page_close(json, ']');
}

/* [size, runs, executions, cost, elapsed seconds] as in exports: means over the runs of a size; without samples the
 * cost is null. */
static int write_measured(const sc_judge *judge, double n, sc_page_json *json)
{
  sc_export at;
  int err = sc_export_make(judge, n, NULL, &at);
  if (err == 0) {
    sc_page_open(json, NULL, '[');
    sc_page_number(json, NULL, n, 17);
    sc_page_integer(json, NULL, (int64_t)at.runs);
    sc_page_number(json, NULL, at.total[SC_EXPORT_EXECUTIONS], 9);
    sc_page_number(json, NULL, at.has_cost ? at.total[SC_EXPORT_COST] : NAN, 6);
    sc_page_number(json, NULL, at.elapsed > 0 ? at.elapsed : NAN, 6);
    sc_page_close(json, ']');
  }
  sc_export_free(&at);
  return err;
}

/* Every size of the grid that was run, also to check a prediction; away from the base values none was. */
static int write_measured_sizes(const sc_page_study *study, sc_page_json *json)
{
  const sc_graph *graphs[] = {study->judge->loaded.graph, study->judge->loaded.targets};
  sc_page_open(json, "measured", '[');
  for (size_t i = 0; i < study->grid->count; i++) {
    bool run = false;
    for (size_t g = 0; g < 2; g++)
      for (size_t r = 0; graphs[g] && r < sc_graph_run_count(graphs[g]); r++)
        run |= sc_graph_run_const(graphs[g], r)->n == study->grid->sizes[i];
    if (run && !sc_analysis_moved(study->judge->loaded.analysis))
      SC_TRY(write_measured(study->judge, study->grid->sizes[i], json));
  }
  sc_page_close(json, ']');
  return 0;
}

static int write_totals(const sc_page_study *study, sc_page_json *json)
{
  const sc_analysis *analysis = study->judge->loaded.analysis;
  sc_page_open(json, "dearer", '[');
  for (size_t i = 0; i < study->grid->count; i++)
    sc_page_number(json, NULL, sc_analysis_dearer(analysis, study->grid->sizes[i]), 6);
  sc_page_close(json, ']');
  sc_page_open(json, "doubt", '[');
  for (size_t i = 0; i < study->grid->count; i++) {
    sc_cost_doubt doubt = sc_analysis_cost_doubt(analysis, study->grid->sizes[i]);
    sc_page_open(json, NULL, '[');
    sc_page_number(json, NULL, doubt.less, 6);
    sc_page_number(json, NULL, doubt.more, 6);
    sc_page_number(json, NULL, doubt.open, 6);
    sc_page_close(json, ']');
  }
  sc_page_close(json, ']');
  sc_page_open(json, "totals", '[');
  for (size_t i = 0; i < study->grid->count; i++) {
    sc_interval total;
    SC_TRY(sc_analysis_total(analysis, study->grid->sizes[i], &total));
    sc_page_interval(json, NULL, &total);
  }
  sc_page_close(json, ']');
  return 0;
}

/* Left out where it is not known. */
static int write_elapsed(const sc_page_study *study, sc_page_json *json)
{
  const sc_analysis *analysis = study->judge->loaded.analysis;
  if (!sc_analysis_elapsed_known(analysis))
    return 0;
  sc_page_open(json, "elapsed", '[');
  for (size_t i = 0; i < study->grid->count; i++) {
    sc_interval elapsed;
    SC_TRY(sc_analysis_elapsed(analysis, study->grid->sizes[i], &elapsed));
    sc_page_interval(json, NULL, &elapsed);
  }
  sc_page_close(json, ']');
  return 0;
}

static int write_budgets(const sc_judge *judge, sc_page_json *json)
{
  cJSON *document = cJSON_CreateObject();
  sc_json budgets = {0};
  int err = sc_budget_to_json(&budgets, judge, document);
  if (err == 0 && budgets.failed)
    err = sc_err_set(SC_E_NOMEM, "out of memory");
  char *text = err == 0 ? cJSON_PrintUnformatted(cJSON_GetObjectItem(document, "budgets")) : NULL;
  if (text) {
    sc_buf_puts(json->out, ",\"budgets\":");
    sc_buf_puts(json->out, text);
  }
  cJSON_free(text);
  cJSON_Delete(document);
  return err;
}

/* The line that everything begins with, as in every other format. */
static int write_verdict(const sc_page_study *study, sc_page_json *json)
{
  sc_outcome outcome;
  sc_buf text = {0}, remedy = {0};
  SC_TRY(sc_outcome_of(study->judge, study->notices, &outcome));
  int err = sc_outcome_text(study->judge, &outcome, &text);
  sc_buf_puts(&text, ".");
  sc_outcome_add_remedy(study->judge, &outcome, &remedy);
  err = err ?: sc_buf_finish(&text);
  err = err ?: sc_buf_finish(&remedy);
  if (err == 0) {
    sc_page_open(json, "verdict", '{');
    sc_page_text(json, "outcome", sc_outcome_name(outcome.kind));
    sc_page_text(json, "text", text.text);
    sc_page_text(json, "remedy", remedy.length ? remedy.text : NULL);
    sc_page_close(json, '}');
  }
  sc_buf_free(&text);
  sc_buf_free(&remedy);
  return err;
}

/* null without a target. */
static int write_coverage(const sc_judge *judge, sc_page_json *json)
{
  sc_buf text = {0};
  int err = sc_report_coverage_text(judge, &text) ?: sc_buf_finish(&text);
  if (err == 0)
    sc_page_text(json, "coverage", text.length ? text.text : NULL);
  sc_buf_free(&text);
  return err;
}

static int write_page_study_title(const sc_judge *judge, sc_page_json *json)
{
  sc_buf title = {0};
  sc_judge_title(judge, &title);
  int err = sc_buf_finish(&title);
  if (err == 0)
    sc_page_text(json, "title", title.text);
  sc_buf_free(&title);
  return err;
}

/* [size, what is said of predictions there] of those that no model was fitted to. */
static int write_held_out(const sc_judge *judge, sc_page_json *json)
{
  size_t count = 0;
  sc_held_out *list = NULL;
  int err = sc_judge_held_out(judge, &list, &count);
  sc_page_open(json, "held_out", '[');
  for (size_t i = 0; i < count && err == 0; i++) {
    sc_buf text = {0};
    sc_report_held_out_sentence(judge, &list[i], &text);
    err = sc_buf_finish(&text);
    sc_page_open(json, NULL, '[');
    sc_page_number(json, NULL, list[i].n, 17);
    sc_page_text(json, NULL, err < 0 ? NULL : text.text);
    sc_page_close(json, ']');
    sc_buf_free(&text);
  }
  sc_page_close(json, ']');
  free(list);
  return err;
}

static int write_page_study_head(const sc_page_study *study, sc_page_json *json)
{
  const sc_judge *judge = study->judge;
  const sc_analysis *analysis = judge->loaded.analysis;
  const sc_analysis_options *asked = sc_analysis_get_options(analysis);
  const sc_workload *workload = judge->loaded.workload;
  sc_page_text(json, "path", judge->study);
  SC_TRY(write_verdict(study, json));
  SC_TRY(write_coverage(judge, json));
  SC_TRY(write_page_study_title(judge, json));
  sc_page_text(json, "parameter", workload->parameter);
  sc_page_text(json, "unit", workload->unit);
  sc_page_text(json, "kind", sc_workload_kind_name(workload->kind));
  sc_page_text(json, "cost_unit", sc_analysis_cost_unit(analysis));
  sc_page_number(json, "modelled_share", sc_analysis_modelled_share(analysis), 4);
  sc_page_bool(json, "unbounded", sc_analysis_untold(analysis)->unbounded);
  sc_page_number(json, "level", asked->level, 4);
  sc_page_open(json, "targets", '[');
  for (size_t i = 0; i < asked->target_count; i++)
    sc_page_number(json, NULL, asked->targets[i], 17);
  sc_page_close(json, ']');
  double opens_at = judge->at > 0 ? judge->at : workload->target_count ? workload->targets[0] : 0;
  if (opens_at > 0)
    sc_page_number(json, "at", opens_at, 17);
  write_runs(judge, json);
  SC_TRY(write_held_out(judge, json));
  SC_TRY(write_measured_sizes(study, json));
  SC_TRY(write_totals(study, json));
  SC_TRY(write_elapsed(study, json));
  SC_TRY(write_budgets(judge, json));
  SC_TRY(write_caveats(judge, json));
  return write_provenance(judge, json);
}

int sc_page_study_write(sc_page_study *study, const char *key, sc_page_json *json)
{
  sc_page_open(json, key, '{');
  SC_TRY(write_page_study_head(study, json));
  SC_TRY(sc_page_models_write(study, json));
  SC_TRY(sc_page_contexts_write(study, json));
  SC_TRY(sc_page_findings_write(study, json));
  SC_TRY(sc_page_resources_write(study, json));
  sc_page_close(json, '}');
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenMetrics text: gauges to follow over commits. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/quantity/budget.h"
#include "runner/report/plain.h"
#include "runner/review/review.h"
#include "runner/review/words.h"
#include "transitions/findings/coverage.h"
#include "transitions/model/elapsed.h"

static void openmetrics_number(FILE *out, double value)
{
  if (isnan(value))
    fputs("NaN", out);
  else if (isinf(value))
    fputs(value < 0 ? "-Inf" : "+Inf", out);
  else
    fprintf(out, "%.17g", value);
}

static void openmetrics_label(FILE *out, const char *before, const char *name, const char *value)
{
  fprintf(out, "%s%s=\"", before, name);
  sc_buf clean = {0};
  sc_utf8_show(value, &clean); /* the workload's name may be that of a program */
  for (const char *at = sc_buf_finish(&clean) == 0 ? clean.text : ""; *at; at++) {
    if (*at == '\\' || *at == '"')
      fputc('\\', out);
    fputc(*at, out);
  }
  sc_buf_free(&clean);
  fputc('"', out);
}

static void openmetrics_family(FILE *out, const char *name, const char *help)
{
  fprintf(out, "# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
}

static const char *workload_of(const sc_notices *notices)
{
  const sc_workload *workload = notices->judge->loaded.workload;
  return workload->name ? workload->name : "";
}

/* Values of further parameters away from the base, and of that along which the notice's subject grows. */
static void place_labels(FILE *out, const sc_judge *judge, const sc_notice *notice)
{
  const sc_workload *workload = judge->loaded.workload;
  for (size_t i = 0; i < workload->other_count; i++) {
    char text[40], key[40];
    bool named = notice && notice->parameter && strcmp(notice->parameter, workload->others[i].name) == 0;
    if (!named && !judge->several)
      continue;
    snprintf(key, sizeof key, "further_parameter_%zu", i + 1);
    openmetrics_label(out, ",", key, workload->others[i].name);
    snprintf(key, sizeof key, "further_value_%zu", i + 1);
    snprintf(text, sizeof text, "%.17g", named ? notice->parameter_at : judge->others[i]);
    openmetrics_label(out, ",", key, text);
  }
}

static void begin_about(FILE *out, const char *name, const sc_notices *notices, const sc_notice *notice)
{
  fputs(name, out);
  openmetrics_label(out, "{", "workload", workload_of(notices));
  place_labels(out, notices->judge, notice);
}

static void begin_family(FILE *out, const char *name, const sc_notices *notices)
{
  begin_about(out, name, notices, NULL);
}

static void begin_notice(FILE *out, const char *name, const sc_notices *notices, const sc_notice *notice)
{
  begin_about(out, name, notices, notice);
  openmetrics_label(out, ",", "rule", sc_rule_id(notice->rule));
  openmetrics_label(out, ",", "subject", notice->subject);
  openmetrics_label(out, ",", "fingerprint", notice->fingerprint);
}

static void openmetrics_end(FILE *out, double value)
{
  fputs("} ", out);
  openmetrics_number(out, value);
  fputc('\n', out);
}

static void size_label(FILE *out, const sc_notices *notices, double n)
{
  char text[40];
  openmetrics_label(out, ",", "parameter", sc_notice_variable(notices));
  snprintf(text, sizeof text, "%.17g", n);
  openmetrics_label(out, ",", "size", text);
}

/* The same size twice, as in --at 1e6,1e6, would be the same sample twice. */
static bool size_repeats(const sc_notice *notice, size_t p)
{
  for (size_t i = 0; i < p; i++)
    if (notice->predictions[i].n == notice->predictions[p].n)
      return true;
  return false;
}

static bool target_repeats(const sc_analysis_options *asked, size_t i)
{
  size_t before = 0;
  while (asked->targets[before] != asked->targets[i])
    before++;
  return before < i;
}

typedef int (*predict_fn)(const sc_analysis *analysis, double n, sc_interval *out);

/* Of the whole program, at each target once. */
static int print_openmetrics_whole(FILE *out, const sc_notices *notices, const char *name, const char *unit,
                                   predict_fn predict)
{
  static const char *const bounds[] = {"value", "low", "high"};
  const sc_analysis *analysis = notices->judge->loaded.analysis;
  const sc_analysis_options *asked = sc_analysis_get_options(analysis);
  for (size_t i = 0; i < asked->target_count; i++) {
    sc_interval at;
    if (target_repeats(asked, i))
      continue;
    SC_TRY(predict(analysis, asked->targets[i], &at));
    const double values[] = {at.value, at.low, at.high};
    for (size_t b = 0; b < 3; b++) {
      begin_family(out, name, notices);
      size_label(out, notices, asked->targets[i]);
      openmetrics_label(out, ",", "unit", unit);
      openmetrics_label(out, ",", "bound", bounds[b]);
      openmetrics_end(out, values[b]);
    }
  }
  return 0;
}

static int print_openmetrics_totals(FILE *out, const sc_notices *notices)
{
  const sc_analysis *analysis = notices->judge->loaded.analysis;
  openmetrics_family(out, "scale_predicted_total", "Predicted total cost of the workload at a size.");
  SC_TRY(print_openmetrics_whole(out, notices, "scale_predicted_total", sc_analysis_cost_unit(analysis),
                                 sc_analysis_total));
  if (!sc_analysis_elapsed_known(analysis))
    return 0;
  openmetrics_family(out, "scale_predicted_elapsed", "Predicted elapsed time of the workload at a size.");
  return print_openmetrics_whole(out, notices, "scale_predicted_elapsed", "s", sc_analysis_elapsed);
}

static int print_coverage_at(FILE *out, const sc_notices *notices, double n, enum sc_coverage_metric metric)
{
  const sc_judge *judge = notices->judge;
  sc_coverage coverage;
  SC_TRY(sc_coverage_at(judge->loaded.analysis, &judge->findings, metric, n, &coverage));
  for (int part_class = 0; part_class < SC_COVERAGE_CLASSES; part_class++) {
    begin_family(out, "scale_coverage", notices);
    size_label(out, notices, n);
    openmetrics_label(out, ",", "of", metric == SC_COVERAGE_COST ? "cost" : "executions");
    openmetrics_label(out, ",", "class", sc_coverage_class_name((enum sc_coverage_class)part_class));
    openmetrics_end(out, coverage.parts[part_class].share);
  }
  return 0;
}

/* Of a study: what changed between two is no part of either's total. */
static int print_coverage(FILE *out, const sc_notices *notices)
{
  const sc_analysis *analysis = notices->judge->loaded.analysis;
  const sc_analysis_options *asked = sc_analysis_get_options(analysis);
  if (notices->comparison)
    return 0;
  openmetrics_family(out, "scale_coverage",
                     "Share of the predicted total that findings explain, and of what else there is.");
  for (size_t i = 0; i < asked->target_count; i++) {
    if (target_repeats(asked, i))
      continue;
    if (sc_analysis_has_costs(analysis))
      SC_TRY(print_coverage_at(out, notices, asked->targets[i], SC_COVERAGE_COST));
    SC_TRY(print_coverage_at(out, notices, asked->targets[i], SC_COVERAGE_EXECUTIONS));
  }
  return 0;
}

/* Whose times these are, which other formats say as a sentence; nothing without times. */
static void print_plain(FILE *out, const sc_notices *notices)
{
  static const char *const bounds[] = {"value", "low", "high"};
  const sc_plain *plain = &notices->judge->loaded.plain;
  const double slowdown[] = {plain->slowdown, plain->slowdown_low, plain->slowdown_high};
  double share = sc_report_plain_share(notices->judge);
  if (!plain->runs && share < 0)
    return;
  openmetrics_family(out, "scale_times_plain",
                     "1: what instrumentation adds was measured and taken out of all times; 0: it was estimated.");
  begin_family(out, "scale_times_plain", notices);
  openmetrics_end(out, plain->runs > 0);
  if (!plain->runs) {
    openmetrics_family(out, "scale_instrumentation_share",
                       "Share of the processor time that instrumentation is estimated to add, which was taken out.");
    begin_family(out, "scale_instrumentation_share", notices);
    openmetrics_end(out, share);
    return;
  }
  openmetrics_family(out, "scale_instrumentation_slowdown",
                     "Factor by which instrumentation multiplies the processor time.");
  for (size_t b = 0; b < 3; b++) {
    begin_family(out, "scale_instrumentation_slowdown", notices);
    openmetrics_label(out, ",", "bound", bounds[b]);
    openmetrics_end(out, slowdown[b]);
  }
}

static void print_interval(FILE *out, const char *name, const sc_notices *notices, const sc_notice *notice, double n,
                           const char *side, const sc_interval *interval)
{
  static const char *const bounds[] = {"value", "low", "high"};
  const double values[] = {interval->value, interval->low, interval->high};
  for (size_t b = 0; b < 3; b++) {
    begin_notice(out, name, notices, notice);
    openmetrics_label(out, ",", "metric", notice->metric);
    openmetrics_label(out, ",", "unit", notice->unit);
    size_label(out, notices, n);
    openmetrics_label(out, ",", "side", side);
    openmetrics_label(out, ",", "bound", bounds[b]);
    openmetrics_end(out, values[b]);
  }
}

static void print_openmetrics_predictions(FILE *out, const sc_notices *notices)
{
  openmetrics_family(out, "scale_notice_predicted",
                     "Predicted value of what a notice is about, before and after a change.");
  for (size_t i = 0; i < notices->count; i++)
    for (size_t p = 0; p < notices->list[i].prediction_count; p++) {
      const sc_notice_prediction *at = &notices->list[i].predictions[p];
      if (size_repeats(&notices->list[i], p))
        continue;
      if (at->has_before)
        print_interval(out, "scale_notice_predicted", notices, &notices->list[i], at->n, "before", &at->before);
      if (at->has_after)
        print_interval(out, "scale_notice_predicted", notices, &notices->list[i], at->n, "after", &at->after);
    }
}

static void print_openmetrics_costs(FILE *out, const sc_notices *notices)
{
  if (sc_notices_of_search(notices))
    return;
  openmetrics_family(out, "scale_notice_cost", "Predicted cost of what a finding is about.");
  for (size_t i = 0; i < notices->count; i++)
    for (size_t p = 0; p < notices->list[i].prediction_count; p++) {
      const sc_notice_prediction *at = &notices->list[i].predictions[p];
      if (!at->has_cost || size_repeats(&notices->list[i], p))
        continue;
      begin_notice(out, "scale_notice_cost", notices, &notices->list[i]);
      openmetrics_label(out, ",", "unit", sc_analysis_cost_unit(notices->judge->loaded.analysis));
      size_label(out, notices, at->n);
      openmetrics_end(out, at->cost.value);
    }
}

static void print_scalars(FILE *out, const sc_notices *notices)
{
  openmetrics_family(out, "scale_notice_confidence", "Confidence in a notice, 0 to 1.");
  for (size_t i = 0; i < notices->count; i++) {
    begin_notice(out, "scale_notice_confidence", notices, &notices->list[i]);
    openmetrics_label(out, ",", "severity", sc_severity_name(notices->list[i].severity));
    openmetrics_label(out, ",", "accepted", notices->list[i].accepted ? "yes" : "no");
    openmetrics_end(out, notices->list[i].confidence);
  }
  openmetrics_family(
      out, "scale_notice_emergence",
      "Size from which on a finding takes half of the total, one about a resource holds, a change exceeds the "
      "base; +Inf: never.");
  for (size_t i = 0; i < notices->count; i++)
    if (!isnan(notices->list[i].emergence.value)) {
      begin_notice(out, "scale_notice_emergence", notices, &notices->list[i]);
      openmetrics_end(out, notices->list[i].emergence.value);
    }
  openmetrics_family(out, "scale_notices", "Notices that are not accepted, by severity.");
  for (int severity = SC_SEVERITY_NOTE; severity <= SC_SEVERITY_ERROR; severity++) {
    begin_family(out, "scale_notices", notices);
    openmetrics_label(out, ",", "severity", sc_severity_name((enum sc_severity)severity));
    openmetrics_end(out, (double)sc_notices_count(notices, (enum sc_severity)severity));
  }
}

static int print_openmetrics_budgets(FILE *out, const sc_notices *notices)
{
  const sc_workload *workload = notices->judge->loaded.workload;
  openmetrics_family(out, "scale_budget_kept", "1: the budget is kept, 0: broken, NaN: cannot tell.");
  for (size_t i = 0; i < workload->budget_count; i++) {
    static const double values[] = {[SC_BUDGET_KEPT] = 1, [SC_BUDGET_BROKEN] = 0, [SC_BUDGET_CANNOT_TELL] = NAN};
    sc_budget_verdict verdict;
    size_t before = 0;
    while (before < i && strcmp(workload->budgets[before].text, workload->budgets[i].text) != 0)
      before++;
    if (before < i)
      continue;
    SC_TRY(sc_budget_judge(notices->judge, i, &verdict));
    begin_family(out, "scale_budget_kept", notices);
    openmetrics_label(out, ",", "budget", workload->budgets[i].text);
    openmetrics_end(out, values[verdict.state]);
  }
  return 0;
}

static void print_openmetrics_inputs(FILE *out, const sc_notices *notices)
{
  static const char *const goals[SC_NOTICE_GOALS] = {"1", "60"};
  static const char *const bounds[] = {"value", "low", "high"};
  openmetrics_family(out, "scale_input_order", "Exponent of bytes with which what inputs make slow grows.");
  for (size_t i = 0; i < notices->count; i++)
    if (isfinite(notices->list[i].inputs->order)) {
      begin_notice(out, "scale_input_order", notices, &notices->list[i]);
      openmetrics_end(out, notices->list[i].inputs->order);
    }
  openmetrics_family(out, "scale_input_bytes", "Bytes of an input that takes the seconds named; +Inf: no input does.");
  for (size_t i = 0; i < notices->count; i++)
    for (size_t goal = 0; goal < SC_NOTICE_GOALS; goal++) {
      const sc_interval *bytes = &notices->list[i].inputs->reached[goal];
      const double values[] = {bytes->value, bytes->low, bytes->high};
      for (size_t b = 0; b < 3 && !isnan(bytes->value); b++) {
        begin_notice(out, "scale_input_bytes", notices, &notices->list[i]);
        openmetrics_label(out, ",", "seconds", goals[goal]);
        openmetrics_label(out, ",", "bound", bounds[b]);
        openmetrics_end(out, values[b]);
      }
    }
}

int sc_notices_print_openmetrics(FILE *out, const sc_notices *notices)
{
  if (sc_notices_of_search(notices)) {
    print_openmetrics_inputs(out, notices);
  } else {
    SC_TRY(print_openmetrics_totals(out, notices));
    SC_TRY(print_coverage(out, notices));
    print_plain(out, notices);
  }
  print_openmetrics_predictions(out, notices);
  print_openmetrics_costs(out, notices);
  print_scalars(out, notices);
  SC_TRY(print_openmetrics_budgets(out, notices));
  fputs("# EOF\n", out);
  return 0;
}

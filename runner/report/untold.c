/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What grows without a model: said wherever a total beyond the sizes measured is shown. */
#include "runner/report/untold.h"

#include <math.h>
#include <string.h>

#include "runner/process/harvest.h"
#include "runner/report/elapsed.h"
#include "runner/report/gate.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "transitions/model/time_growth.h"

void sc_report_untold_text(const sc_judge *judge, sc_buf *text)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  const sc_untold *u = sc_analysis_untold(analysis);
  const sc_model *model = sc_analysis_model(analysis, u->context);
  double low, high;
  sc_analysis_range(analysis, &low, &high);
  bool cost = u->cost_share > u->count_share;
  sc_buf_printf(text, "%s of the %s at the largest sizes %s what grows but has no model, above all ",
                sc_format_percent(fmax(u->cost_share, u->count_share)).s, cost ? "cost" : "executions",
                cost ? "is that of" : "are those of");
  sc_context_title(judge->loaded.graph, u->context, text);
  if (*model->why)
    sc_buf_printf(text, ": %s", model->why);
  sc_buf_printf(text, ". Beyond %s = %s nothing bounds the total. ", judge->loaded.workload->parameter,
                sc_format_number(high).s);
  sc_buf_puts(text, u->chance ? "Runs of one size differ by more than that grows: chance says how often it is executed."
                              : "More sizes help: a wider range (-P or <range>).");
}

bool sc_report_untold_at(const sc_judge *judge, double n)
{
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  return n > high && sc_analysis_untold(judge->loaded.analysis)->unbounded;
}

void sc_report_untold_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  sc_buf text = {0};
  sc_report_untold_text(judge, &text);
  if (sc_buf_finish(&text) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, text.text, 2, 2, options->width);
  }
  sc_buf_free(&text);
}

/* Whether a count is undecided that may be what the time grows with. */
static bool may_be_counted(const sc_findings *findings)
{
  for (size_t i = 0; i < findings->undecided_count; i++)
    if (!findings->undecided[i].of_cost)
      return true;
  return false;
}

/* The context where more than half of the largest run's time was sampled; 0: none. */
static uint32_t find_most_time(const sc_judge *judge)
{
  const sc_graph *graph = judge->loaded.graph;
  const sc_analysis *analysis = judge->loaded.analysis;
  size_t largest = sc_analysis_run(analysis, sc_analysis_run_count(analysis) - 1);
  double all = 0, most = 0;
  uint32_t found = 0;
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    double cost = sc_graph_value(graph, largest, c, SC_METRIC_COST);
    all += cost;
    if (cost <= most)
      continue;
    most = cost;
    found = c;
  }
  return 2 * most > all ? found : 0;
}

void sc_report_most_time(const sc_judge *judge, const char *lead, sc_buf *text)
{
  uint32_t most = find_most_time(judge);
  if (!most)
    return;
  sc_buf_printf(text, "%s is the own time of ", lead);
  sc_context_title(judge->loaded.graph, most, text);
}

/* Each execution costs more and more, and no finding, though it be accepted, says where. */
static bool add_unexplained_time(const sc_judge *judge, sc_buf *text)
{
  const sc_undecided *costliest = judge->findings.undecided_count ? judge->findings.undecided : NULL;
  sc_time_growth time = sc_analysis_time_growth(judge->loaded.analysis);
  if (time.state != SC_TIME_GROWING || may_be_counted(&judge->findings))
    return false;
  for (size_t i = 0; i < judge->findings.count; i++)
    if (judge->findings.list[i].superlinear)
      return false;
  sc_buf_printf(text,
                "the processor time grows as %s^%.2g (95%% interval of the exponent %.2g to %.2g), faster than any "
                "count, ",
                judge->loaded.workload->parameter, time.exponent, time.low, time.high);
  if (!costliest) {
    sc_buf_puts(text, "and no finding explains it");
    sc_report_most_time(judge, "; most of it", text);
    return true;
  }
  sc_buf_puts(text, "above all the own time of ");
  sc_context_title(judge->loaded.graph, costliest->context, text);
  return true;
}

bool sc_report_unexplained_text(const sc_judge *judge, sc_buf *text)
{
  sc_order order = {.exponent = judge->findings.unexplained};
  const char *variable = judge->loaded.workload->parameter;
  char growth[64];
  if (!(judge->findings.unexplained > 0))
    return add_unexplained_time(judge, text) || sc_report_elapsed_superlinear(judge, text);
  order.integer = (int)lround(order.exponent);
  sc_model_format_order(&order, variable, growth, sizeof growth);
  sc_buf_printf(text, "the total grows as %s up to %s = %s, and no finding explains it", growth, variable,
                sc_format_number(sc_analysis_horizon(judge->loaded.analysis)).s);
  return true;
}

static bool asks_for_growth(const void *none, const char *word)
{
  static const char *const growth[] = {"order", "superlinear", "any", "warning"};
  (void)none;
  for (size_t i = 0; i < sizeof growth / sizeof *growth; i++)
    if (strcmp(word, growth[i]) == 0)
      return true;
  return false;
}

int sc_report_unexplained_status(const sc_judge *judge, const char *fail_on)
{
  sc_buf text = {0};
  if (!sc_gate_any(fail_on, asks_for_growth, NULL) || !sc_report_unexplained_text(judge, &text)) {
    sc_buf_free(&text);
    return 0;
  }
  if (sc_buf_finish(&text) == 0)
    (void)sc_err_set(SC_E_TOOLITTLE, "%s", text.text);
  sc_buf_free(&text);
  return sc_err_hint(SC_E_TOOLITTLE, "measure larger sizes, where its causes stand out: scale-run run -P ...");
}

int sc_report_lost_status(const sc_judge *judge)
{
  const sc_graph *graph = judge->loaded.graph;
  uint64_t lost = 0, read = 0;
  int reason = 0;
  for (size_t i = 0; i < sc_graph_run_count(graph); i++) {
    const sc_run *run = sc_graph_run_const(graph, i);
    lost += run->lost_processes;
    read += run->processes;
    reason = reason ? reason : run->lost_reason;
  }
  if (lost <= read)
    return 0;
  (void)sc_err_set(SC_E_TOOLITTLE, "%llu of %llu processes left no profile", (unsigned long long)lost,
                   (unsigned long long)(lost + read));
  return sc_err_hint(SC_E_TOOLITTLE, "%s", sc_harvest_reason_hint(reason));
}

int sc_report_untold_status(const sc_judge *judge)
{
  sc_buf text = {0};
  const sc_untold *u = sc_analysis_untold(judge->loaded.analysis);
  SC_TRY(sc_report_lost_status(judge));
  if (!u->most || u->chance)
    return 0;
  sc_context_title(judge->loaded.graph, u->context, &text);
  if (sc_buf_finish(&text) == 0)
    (void)sc_err_set(SC_E_TOOLITTLE, "most of what was measured grows without a model, above all %s", text.text);
  sc_buf_free(&text);
  return sc_err_hint(SC_E_TOOLITTLE, "measure more sizes over a wider range: scale-run run -P ...");
}

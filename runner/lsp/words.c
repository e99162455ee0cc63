/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lenses and hovers: what the study says of one place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/graph/shorten.h"
#include "runner/lsp/view.h"
#include "runner/report/elapsed.h"
#include "runner/resources/words.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/model/elapsed.h"

static const char DOT[] = " \xc2\xb7 ", PROPORTIONAL[] = " \xe2\x88\x9d ", ABOUT[] = "\xe2\x89\x88";

/* Three digits and a letter: "20 M", "1.28 k"; exact below 10,000. */
static sc_text lens_compact(double value, const char *blank)
{
  static const char letters[] = "kMGTPE";
  sc_text text;
  size_t letter = 0;
  if (!isfinite(value))
    return sc_format_number(value);
  if (value < 1e4 && value == floor(value)) {
    snprintf(text.s, sizeof text.s, "%.0f", value);
    return text;
  }
  for (; value >= 999.5 && letter < sizeof letters - 1; letter++)
    value /= 1000;
  if (value >= 999.5)
    snprintf(text.s, sizeof text.s, "%.3g%s%c", value, blank, letters[letter - 1]);
  else
    snprintf(text.s, sizeof text.s, letter ? "%.3g%s%c" : "%.3g", value, blank, letter ? letters[letter - 1] : 0);
  return text;
}

/* "1e6", "64000", "1,234,567". */
static sc_text size_text(double n)
{
  sc_text text;
  double power = floor(log10(n)), digits = n / pow(10, power);
  if (n >= 1e5 && n < 1e18 && fabs(digits - round(digits)) < 1e-9)
    snprintf(text.s, sizeof text.s, "%.0fe%.0f", round(digits), power);
  else
    text = sc_format_number(n);
  return text;
}

/* "41k", "25": two digits of what is known to no more. */
static sc_text about_number(double n)
{
  double step = n > 0 && isfinite(n) ? pow(10, floor(log10(n)) - 1) : 1;
  return lens_compact(n < 10 ? round(n) : round(n / step) * step, "");
}

static const sc_model *model_of(const sc_view *view, const sc_spot *spot)
{
  return sc_analysis_model(view->judge->loaded.analysis, spot->contexts[0]);
}

static const char *variable_of_view(const sc_view *view) { return view->judge->loaded.workload->parameter; }

static bool lens_constant(const sc_model *model)
{
  return model->order.exponent == 0 && model->order.log_exponent == 0 && model->order.base == 0;
}

/* What calls of the system there wait, if it is worth it. */
static void add_waiting(const sc_view *view, const sc_spot *spot, sc_buf *out)
{
  const sc_analysis *analysis = view->judge->loaded.analysis;
  size_t count;
  double sum = 0;
  sc_interval seconds, elapsed;
  const sc_waiting_place *places = sc_waiting_places(analysis, &count);
  for (size_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < spot->context_count; k++)
      if (places[i].blocks && places[i].context == spot->contexts[k] &&
          sc_waiting_predict(analysis, &places[i], view->horizon, &seconds) == 0)
        sum += seconds.value;
  if (sum > 0 && sc_analysis_elapsed(analysis, view->horizon, &elapsed) == 0 && sum >= SC_LSP_WAITING * elapsed.value)
    sc_buf_printf(out, "%swaits %s", DOT, sc_format_seconds(sum).s);
}

void sc_view_lens(const sc_view *view, const sc_spot *spot, sc_buf *out)
{
  const sc_model *model = model_of(view, spot);
  const char *n = variable_of_view(view), *unit = sc_analysis_cost_unit(view->judge->loaded.analysis);
  char order[96];
  bool known = model->verdict == SC_VERDICT_MODEL;
  sc_buf_puts(out, sc_context_counts(view->judge->loaded.graph, spot->contexts[0]));
  if (spot->at->kind == SC_LOCATION_WORK) {
    sc_buf_puts(out, " of ");
    sc_shorten_name(spot->at->display, out);
  }
  if (known && lens_constant(model)) {
    sc_buf_printf(out, " constant%s%s", DOT, lens_compact(spot->count.value, " ").s);
  } else {
    sc_model_format_order(&model->order, n, order, sizeof order);
    sc_buf_puts(out, known ? PROPORTIONAL : ": growth not known");
    sc_buf_puts(out, known ? order : "");
    sc_buf_printf(out, "%s%s at %s=%s", DOT, lens_compact(spot->count.value, " ").s, n, size_text(view->horizon).s);
  }
  if (spot->share >= SC_LSP_COST && sc_analysis_has_costs(view->judge->loaded.analysis))
    sc_buf_printf(out, "%s%s (%s)", DOT, sc_format_cost(spot->cost.value, unit).s, sc_format_percent(spot->share).s);
  add_waiting(view, spot, out);
  if (spot->trouble)
    sc_buf_printf(out, "%s%s from %s%s%s", DOT, spot->trouble, spot->trouble_along, ABOUT,
                  about_number(spot->trouble_from).s);
}

/* Mean over the runs of the size that begins at *position, which is moved to the next size. */
static double lens_measured(const sc_view *view, const sc_spot *spot, enum sc_metric metric, size_t *position,
                            double *size)
{
  const sc_judge *judge = view->judge;
  const sc_graph *graph = judge->loaded.graph;
  double sum = 0, runs = 0;
  *size = sc_graph_run_const(graph, sc_analysis_run(judge->loaded.analysis, *position))->n;
  for (; *position < sc_analysis_run_count(judge->loaded.analysis); ++*position) {
    size_t run = sc_analysis_run(judge->loaded.analysis, *position);
    const sc_run *info = sc_graph_run_const(graph, run);
    if (info->n != *size)
      break;
    if (metric == SC_METRIC_COST && !info->cost_event[0])
      continue;
    runs++;
    for (uint32_t i = 0; i < spot->context_count; i++)
      sum += sc_graph_value(graph, run, spot->contexts[i], metric);
  }
  return runs > 0 ? sum / runs : NAN;
}

enum { ROWS = 6 }; /* measured sizes shown: the first ones and the last ones */

static void add_lens_measured(const sc_view *view, const sc_spot *spot, bool costs, sc_buf *out)
{
  const char *unit = sc_analysis_cost_unit(view->judge->loaded.analysis);
  size_t sizes = sc_analysis_size_count(view->judge->loaded.analysis), position = 0, again = 0;
  for (size_t i = 0; i < sizes; i++) {
    double n, count = lens_measured(view, spot, SC_METRIC_COUNT, &position, &n);
    double cost = costs ? lens_measured(view, spot, SC_METRIC_COST, &again, &n) : 0;
    if (sizes > ROWS && i >= ROWS / 2 && i < sizes - ROWS / 2) {
      if (i == ROWS / 2)
        sc_buf_puts(out, costs ? "| ... | | | |\n" : "| ... | | |\n");
      continue;
    }
    sc_buf_printf(out, "| %s | %s | measured |", sc_format_number(n).s, sc_format_count(count).s);
    if (costs)
      sc_buf_printf(out, " %s |", isnan(cost) ? "" : sc_format_cost(cost, unit).s);
    sc_buf_puts(out, "\n");
  }
}

static int add_lens_predicted(const sc_view *view, const sc_spot *spot, bool costs, sc_buf *out)
{
  const sc_analysis *analysis = view->judge->loaded.analysis;
  const sc_analysis_options *asked = sc_analysis_get_options(analysis);
  for (size_t t = 0; t < asked->target_count; t++) {
    sc_interval count = {0}, cost = {0};
    for (uint32_t i = 0; i < spot->context_count; i++) {
      sc_interval one, price;
      SC_TRY(sc_analysis_count(analysis, spot->contexts[i], asked->targets[t], &one));
      SC_TRY(sc_analysis_cost(analysis, spot->contexts[i], asked->targets[t], &price));
      count = (sc_interval){count.value + one.value, count.low + one.low, count.high + one.high};
      cost = (sc_interval){cost.value + price.value, cost.low + price.low, cost.high + price.high};
    }
    sc_buf_printf(out, "| **%s** | **%s** | %s |", sc_format_number(asked->targets[t]).s,
                  sc_format_count(count.value).s, sc_format_interval(&count, "").s);
    if (costs)
      sc_buf_printf(out, " %s (%s) |", sc_format_cost(cost.value, sc_analysis_cost_unit(analysis)).s,
                    sc_format_interval(&cost, sc_analysis_cost_unit(analysis)).s);
    sc_buf_puts(out, "\n");
  }
  return 0;
}

static void add_model(const sc_view *view, const sc_spot *spot, sc_buf *out)
{
  const sc_model *model = model_of(view, spot);
  const char *counts = sc_context_counts(view->judge->loaded.graph, spot->contexts[0]);
  if (model->verdict != SC_VERDICT_MODEL) {
    sc_buf_printf(out, "How its %s grow is undecided: %s\n\n", counts, model->why);
    return;
  }
  sc_buf_printf(out, "`%s = ", counts);
  sc_context_formula(model, variable_of_view(view), out);
  sc_buf_puts(out, model->exact ? "`, exactly at every size measured" : "`");
  if (spot->context_count > 1)
    sc_buf_printf(out, ", in the calling context that makes most of them (there are %u)", spot->context_count);
  sc_buf_puts(out, "\n\n");
}

/* Of the whole program, where it is not about its processor time. */
static void add_lens_elapsed(const sc_view *view, sc_buf *out)
{
  sc_interval at;
  if (!sc_report_elapsed_differs(view->judge, view->horizon) ||
      sc_analysis_elapsed(view->judge->loaded.analysis, view->horizon, &at) < 0)
    return;
  sc_buf_printf(out, "\nA run at %s = %s takes %s (95%% interval: %s). ", variable_of_view(view),
                sc_format_number(view->horizon).s, sc_format_estimate(&at, "s").s, sc_format_interval(&at, "s").s);
  (void)sc_report_elapsed_note(view->judge, view->horizon, out);
  sc_buf_puts(out, "\n");
}

int sc_view_hover(const sc_view *view, const sc_spot *spot, sc_buf *out)
{
  const sc_graph *graph = view->judge->loaded.graph;
  bool costs = sc_analysis_has_costs(view->judge->loaded.analysis);
  sc_buf title = {0};
  sc_context_title(graph, spot->contexts[0], &title);
  sc_buf_printf(out, "**%s%s**\n\n", spot->at->kind == SC_LOCATION_LOOP ? "loop in " : "",
                sc_buf_finish(&title) < 0 ? "" : title.text);
  sc_buf_free(&title);
  add_model(view, spot, out);
  if (spot->trouble) {
    sc_buf_puts(out, "Resource ");
    sc_resource_words_name(sc_usage_resource_at(graph, spot->resource), out);
    sc_buf_printf(out, ": %s from %s%s%s\n\n", spot->trouble, spot->trouble_along, ABOUT,
                  about_number(spot->trouble_from).s);
  }
  sc_buf_printf(out, "| %s | %s | 95%% interval |%s\n", variable_of_view(view),
                sc_context_counts(graph, spot->contexts[0]), costs ? " own cost |" : "");
  sc_buf_puts(out, costs ? "|---:|---:|---|---:|\n" : "|---:|---:|---|\n");
  add_lens_measured(view, spot, costs, out);
  SC_TRY(add_lens_predicted(view, spot, costs, out));
  sc_buf_puts(out, "\n");
  if (sc_view_plot(view, spot, out) == SC_E_NOMEM) /* what cannot be drawn is left out */
    return SC_E_NOMEM;
  sc_context_path(graph, view->judge->loaded.analysis, spot->contexts[0], out);
  sc_buf_puts(out, "\n");
  add_lens_elapsed(view, out);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One finding about growth: its six lines, and all of its evidence with --details. */
#include <math.h>
#include <string.h>

#include "runner/accept/notice.h"
#include "runner/report/text.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/table.h"
#include "runner/text/tuning.h"
#include "transitions/findings/explain.h"
#include "transitions/model/waiting.h"

enum { LABEL = SC_TEXT_LABEL, STEP_COLUMNS = 66, SITES_SHOWN = 3 };

/* A word only where the order is that to within what is printed; "almost quadratic" would be a guess. */
void sc_report_order_word(const sc_order *order, const char *variable, sc_buf *out)
{
  static const char *const words[] = {"constant", "linear", "quadratic", "cubic"};
  char text[64];
  bool whole = fabs(order->exponent - order->integer) < SC_REPORT_WHOLE && order->log_exponent == 0;
  if (whole && order->integer >= 0 && order->integer < 4) {
    sc_buf_puts(out, words[order->integer]);
    return;
  }
  if (order->exponent == 0 && order->log_exponent == 1) {
    sc_buf_puts(out, "logarithmic");
    return;
  }
  sc_model_format_order(order, variable, text, sizeof text);
  sc_buf_puts(out, text);
}

static const char *kind_word(const sc_judge *judge, enum sc_finding_kind kind)
{
  if (kind == SC_FINDING_IMPLICIT && judge->loaded.entries)
    return "function";
  return kind == SC_FINDING_IMPLICIT ? "callback" : kind == SC_FINDING_SPREAD ? "together" : sc_finding_kind_name(kind);
}

static const sc_analysis *analysis_of(const sc_judge *judge, const sc_finding *finding)
{
  return sc_findings_analysis(judge->loaded.analysis, finding->along);
}

const char *sc_report_finding_variable(const sc_judge *judge, const sc_finding *finding)
{
  return sc_findings_variable(judge->loaded.analysis, finding->along);
}

void sc_report_finding_formula(const sc_judge *judge, const sc_finding *finding, sc_buf *out)
{
  if (finding->formula)
    sc_buf_puts(out, finding->formula);
  else
    sc_context_formula(&finding->model, sc_report_finding_variable(judge, finding), out);
}

/* Where its prediction for size n is: "n = 1,000,000", along a further parameter "n = 1,000,000, m = 32". */
static void add_prediction_point(const sc_judge *judge, const sc_finding *finding, double n, sc_buf *out)
{
  bool along = finding->along != NULL;
  sc_judge_describe_with(judge, n, along ? sc_report_finding_variable(judge, finding) : NULL,
                         along ? sc_analysis_horizon(finding->along) : 0, out);
}

/* " from n = 1,021 on", along a further parameter " from m = 4 on, at n = 1,000,000"; nothing where it never emerges.
 */
static void add_emergence(const sc_judge *judge, const sc_finding *finding, sc_buf *out)
{
  double low, high;
  sc_analysis_range(analysis_of(judge, finding), &low, &high);
  if (isfinite(finding->emergence) && finding->emergence <= low)
    sc_buf_printf(out, " from the smallest measured %s on",
                  finding->along ? sc_report_finding_variable(judge, finding) : "size");
  else if (isfinite(finding->emergence))
    sc_buf_printf(out, " from %s = %s on", sc_report_finding_variable(judge, finding),
                  sc_format_number(round(finding->emergence)).s);
  if (isfinite(finding->emergence) && finding->along)
    sc_buf_printf(out, ", at %s = %s", judge->loaded.workload->parameter,
                  sc_format_number(sc_analysis_horizon(judge->loaded.analysis)).s);
}

void sc_report_finding_title(const sc_judge *judge, const sc_finding *finding, sc_buf *out)
{
  if (finding->spread)
    sc_buf_puts(out, finding->spread->title);
  else
    sc_context_title(judge->loaded.graph, finding->context, out);
}

const char *sc_report_finding_counts(const sc_judge *judge, const sc_finding *finding)
{
  return finding->spread ? "executions" : sc_context_counts(judge->loaded.graph, finding->context);
}

bool sc_report_finding_actual(const sc_judge *judge, const sc_finding *finding, double n, double *actual)
{
  double one, sum = finding->spread ? 0 : sc_judge_worked_elsewhere(judge, finding->context, n);
  size_t count = finding->spread || finding->together ? finding->site_count : 1;
  for (size_t i = 0; i < count; i++) {
    if (!sc_judge_actual_count(judge, finding->sites[i].context, n, &one))
      return false;
    sum += one * (finding->spread ? finding->sites[i].weight : 1);
  }
  *actual = sum;
  return true;
}

void sc_report_finding_headline(const sc_judge *judge, const sc_finding *finding, sc_buf *out)
{
  sc_report_finding_title(judge, finding, out);
  sc_buf_puts(out, ": ");
  sc_report_finding_growth(judge, finding, out);
}

/* ", n^2 from n = 400,000 on": what hardly counts at the targets. */
static void add_later(const sc_model *model, const char *variable, sc_buf *out)
{
  char order[64];
  if (!(model->later_from > 0))
    return;
  sc_model_format_order(&model->later, variable, order, sizeof order);
  sc_buf_printf(out, ", %s from %s = %s on", order, variable, sc_format_round_number(model->later_from).s);
}

void sc_report_finding_growth(const sc_judge *judge, const sc_finding *finding, sc_buf *out)
{
  const char *counts = sc_report_finding_counts(judge, finding), *variable = sc_report_finding_variable(judge, finding);
  sc_report_order_word(&finding->to, variable, out);
  if (finding->has_cost_model) { /* the count is not what rises */
    sc_buf_puts(out, " cost of its own, ");
    sc_report_order_word(&finding->from, variable, out);
    sc_buf_printf(out, " %s", counts);
    return;
  }
  sc_buf_printf(out, " %s%s%s, ", kind_word(judge, finding->kind), finding->along ? " in " : "",
                finding->along ? variable : "");
  sc_report_finding_formula(judge, finding, out);
  sc_buf_printf(out, " %s", counts);
  add_later(&finding->model, variable, out);
}

/* " (18 to 25 ms)": nowhere a prediction without it, unless it is exact or no more than a bound. */
static void add_effect_interval(const sc_interval *of, const char *unit, sc_buf *out)
{
  const sc_text interval = sc_format_interval(of, unit);
  if (!sc_format_bounds(of, unit) && strcmp(interval.s, "exactly") != 0 && strcmp(interval.s, "about") != 0)
    sc_buf_printf(out, " (%s)", interval.s);
}

/* "n = 5,000: 25.0 million iterations, 21 ms (18 to 25 ms), 12% of all" */
static void add_effect(const sc_judge *judge, const sc_finding *f, const sc_finding_prediction *p, const char *whole,
                       sc_buf *out)
{
  const char *unit = sc_analysis_cost_unit(judge->loaded.analysis);
  bool time = strcmp(unit, "s") == 0, costed = sc_analysis_has_costs(judge->loaded.analysis) && p->cost.value > 0;
  add_prediction_point(judge, f, p->n, out);
  sc_buf_printf(out, ": %s %s", sc_format_count(p->count.value).s, sc_report_finding_counts(judge, f));
  add_effect_interval(&p->count, "", out);
  if (costed) {
    sc_buf_printf(out, ", %s", sc_format_estimate(&p->cost, time ? "s" : "").s);
    sc_buf_printf(out, "%s%s", time ? "" : " ", time ? "" : unit);
    add_effect_interval(&p->cost, time ? "s" : "", out);
  }
  sc_buf_printf(out, ", %s", sc_format_cost_share(&p->cost, time && !costed ? "s" : NULL, p->share, whole).s);
}

/* At the largest target, which is what the ranking is by; smaller ones are in the table. */
void sc_report_finding_effect(const sc_judge *judge, const sc_finding *finding, sc_buf *out)
{
  size_t targets = sc_analysis_get_options(judge->loaded.analysis)->target_count;
  const sc_finding_prediction *last = NULL;
  for (size_t i = 0; i < targets; i++)
    if (!last || finding->predictions[i].n > last->n)
      last = &finding->predictions[i];
  if (!last)
    return;
  sc_buf_puts(out, "; at ");
  add_effect(judge, finding, last, " of the total", out);
}

static void print_order(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  sc_buf text = {0};
  char from[64], to[64];
  const char *variable = sc_report_finding_variable(judge, f);
  sc_model_format_order(&f->to, variable, to, sizeof to);
  sc_model_format_order(&f->from, variable, from, sizeof from);
  if (f->spread)
    sc_buf_printf(&text, "%s%s, all places together", f->has_cost_model ? "cost " : "", to);
  else if (f->has_cost_model)
    sc_buf_printf(&text, "cost %s, from %s %s: each costs more as %s grows", to, from,
                  sc_context_counts(judge->loaded.graph, f->context), variable);
  else {
    sc_buf_printf(&text, "%s, rising from %s in ", to, from);
    sc_context_step(judge->loaded.graph, f->parent, &text);
    add_later(&f->model, variable, &text);
  }
  if (sc_buf_finish(&text) == 0)
    sc_text_labelled(out, "Order", text.text, options);
  sc_buf_free(&text);
}

static void print_finding_model(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "%s (%.2f)", sc_text_confidence(f->confidence), f->confidence);
  if (!f->model.exact && f->model.error >= 0)
    sc_buf_printf(&text, "; predictions of the largest measured sizes are %s off", sc_format_percent(f->model.error).s);
  bool shown = false;
  for (size_t i = 0; i < f->model.rival_count; i++) {
    if (f->model.rivals[i].weight < SC_MODEL_PLAUSIBLE)
      continue;
    sc_model rival = {.verdict = SC_VERDICT_MODEL, .term_count = f->model.rivals[i].term_count};
    memcpy(rival.terms, f->model.rivals[i].terms, sizeof rival.terms);
    sc_buf_puts(&text, shown ? ", or " : "; the points measured fit as well: ");
    sc_context_formula(&rival, sc_report_finding_variable(judge, f), &text);
    shown = true;
  }
  if (sc_buf_finish(&text) == 0)
    sc_text_labelled(out, "Confidence", text.text, options);
  sc_buf_free(&text);
}

/* One line of the finding's path: name, and on the right how often it is executed. */
static void print_finding_step(FILE *out, const sc_judge *judge, const sc_finding *f, uint32_t context, bool here,
                               size_t depth, const sc_text_options *options)
{
  sc_buf step = {0};
  char order[64] = "";
  const sc_model *model = sc_analysis_model(analysis_of(judge, f), here ? f->context : context);
  enum sc_location_kind kind = sc_graph_at(judge->loaded.graph, context)->kind;
  sc_context_step(judge->loaded.graph, context, &step);
  if (sc_buf_finish(&step) == 0) {
    int indent = LABEL + 2 * (int)(depth < 16 ? depth : 16), columns = sc_format_columns(step.text);
    int padding = LABEL + STEP_COLUMNS - indent - columns;
    if (kind != SC_LOCATION_PROCESS && kind != SC_LOCATION_FOREIGN && model->verdict == SC_VERDICT_MODEL)
      sc_model_format_order(&model->order, sc_report_finding_variable(judge, f), order, sizeof order);
    if (depth)
      fprintf(out, "%*s", indent, "");
    fprintf(out, "%s%s%s%*s%s%s\n", here ? options->style.bold : "", step.text, here ? options->style.off : "",
            *order ? (padding > 2 ? padding : 2) : 0, "", order, here ? "  <-- here" : "");
  }
  sc_buf_free(&step);
}

/* Steps at which nothing rises are left out, with their number: a path of a hundred levels has four or five that
 * matter. */
static void print_path(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  uint32_t path[256];
  size_t depth = sc_context_ancestry(judge->loaded.graph, f->context, path, 256), line = 0, hidden = 0;
  fprintf(out, "%*s%-*s", SC_TEXT_INDENT, "", LABEL - SC_TEXT_INDENT, "Context");
  for (size_t i = 0; i < depth; i++) {
    bool telling = sc_context_is_telling(analysis_of(judge, f), path, i, depth);
    hidden += !telling;
    if (!telling)
      continue;
    if (hidden)
      fprintf(out, "%*s... %s\n", LABEL + 2 * (int)line++, "", sc_format_plural(hidden, "level").s);
    hidden = 0;
    print_finding_step(out, judge, f, path[i], i + 1 == depth, line++, options);
  }
}

static void cell_error(sc_table *table, bool known, double predicted, double actual)
{
  sc_table_cell(table, known ? sc_format_error(predicted, actual).s : "");
}

/* Whether the finding's predictions are of the values that the judge's runs at targets had. */
static bool was_run_there(const sc_judge *judge, const sc_finding *f)
{
  return !f->along || sc_analysis_horizon(f->along) == sc_judge_other(judge, sc_judge_along(judge, f->along));
}

/* " at m = 32": what the table's sizes have beside them. */
static void add_other_values(const sc_judge *judge, const sc_finding *f, sc_buf *out)
{
  if (f->along)
    sc_buf_printf(out, " at %s = %s", sc_report_finding_variable(judge, f),
                  sc_format_number(sc_analysis_horizon(f->along)).s);
}

/* "unknown" where no sample says what an execution costs: 0 would read as free. */
static int print_finding_predictions(FILE *out, const sc_judge *judge, const sc_finding *f,
                                     const sc_text_options *options)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const char *unit = sc_analysis_cost_unit(judge->loaded.analysis);
  bool time = strcmp(unit, "s") == 0;
  if (!asked->target_count)
    return 0;
  sc_table *table = sc_table_new("rrrrrrrr");
  const char *const headings[] = {judge->loaded.workload->parameter,
                                  sc_report_finding_counts(judge, f),
                                  "95% interval",
                                  "actual",
                                  "error",
                                  time ? "time" : "cost",
                                  "95% interval",
                                  "of all"};
  for (size_t i = 0; i < 8; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < asked->target_count; i++) {
    const sc_finding_prediction *p = &f->predictions[i];
    double actual = 0;
    bool known = was_run_there(judge, f) && sc_report_finding_actual(judge, f, p->n, &actual);
    sc_table_cell(table, sc_format_number(p->n).s);
    sc_table_cell(table, sc_format_count(p->count.value).s);
    sc_table_cell(table, sc_format_interval(&p->count, "").s);
    sc_table_cell(table, known ? sc_format_count(actual).s : "");
    cell_error(table, known, p->count.value, actual);
    bool bounded = p->cost.value > 0 || p->cost.high > 0;
    sc_table_cell(table, bounded ? sc_format_estimate(&p->cost, time ? "s" : "").s : "unknown");
    sc_table_cell(table, bounded ? sc_format_interval(&p->cost, time ? "s" : "").s : "");
    sc_table_cell(table, sc_format_cost_share(&p->cost, NULL, p->share, "").s);
  }
  sc_buf at = {0};
  sc_buf_puts(&at, "Predicted");
  add_other_values(judge, f, &at);
  if (sc_buf_finish(&at) == 0)
    fprintf(out, "%*s%s\n", SC_TEXT_INDENT, "", at.text);
  sc_buf_free(&at);
  int err = sc_table_print(table, out, SC_TEXT_INDENT + 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

/* From which size on it matters: takes half of the total, or exceeds its budget. */
static void describe_finding_emergence(const sc_judge *judge, const sc_finding *f, sc_buf *text)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const sc_finding_prediction *last = asked->target_count ? &f->predictions[asked->target_count - 1] : NULL;
  const char *verb = asked->time_budget > 0 ? "exceeds" : "takes";
  if (last && last->cost.value == 0 && last->cost.high > 0) {
    sc_buf_printf(text, "cannot tell: no sample fell on it, so it may cost up to %s at ",
                  sc_format_cost(last->cost.high, sc_analysis_cost_unit(judge->loaded.analysis)).s);
    add_prediction_point(judge, f, last->n, text);
    return;
  }
  if (!isfinite(f->emergence))
    sc_buf_puts(text, "never ");
  sc_buf_puts(text, verb);
  if (asked->time_budget > 0)
    sc_buf_printf(text, " its budget of %s", sc_format_seconds(asked->time_budget).s);
  else
    sc_buf_puts(text, " half of the total");
  add_emergence(judge, f, text);
}

/* The other calling contexts of the same place in the source; of many places the first ones, or each of them. */
static void print_sites(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  if (f->together) /* parts of one call */
    return;
  size_t first = f->spread ? 0 : 1, shown = f->spread && options->details ? f->site_count : first + SITES_SHOWN;
  for (size_t i = first; i < f->site_count && i < shown; i++) {
    sc_buf text = {0};
    sc_buf_printf(&text, "%s of the cost: ", sc_format_percent(f->sites[i].share).s);
    if (f->spread)
      sc_context_title(judge->loaded.graph, f->sites[i].context, &text);
    else
      sc_context_path(judge->loaded.graph, analysis_of(judge, f), f->sites[i].context, &text);
    if (sc_buf_finish(&text) == 0)
      sc_text_labelled(out, i > first ? "" : f->spread ? "Places" : "Also in", text.text, options);
    sc_buf_free(&text);
  }
  if (f->site_count > shown)
    fprintf(out, "%*sand %s%s\n", LABEL, "", sc_format_plural(f->site_count - shown, "more context").s,
            f->spread ? ": --details" : "");
}

void sc_report_finding_brief(const sc_judge *judge, const sc_finding *f, sc_buf *out)
{
  size_t count = sc_analysis_get_options(judge->loaded.analysis)->target_count;
  if (!count)
    return;
  sc_buf_puts(out, "at ");
  add_effect(judge, f, &f->predictions[count - 1], " of all", out);
}

static void print_finding_brief(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  sc_buf text = {0};
  sc_report_finding_brief(judge, f, &text);
  if (text.length && sc_buf_finish(&text) == 0) {
    fprintf(out, "%*s", SC_TEXT_INDENT, "");
    sc_format_wrap(out, text.text, SC_TEXT_INDENT, SC_TEXT_INDENT, options->width);
  }
  sc_buf_free(&text);
}

int sc_report_finding_print_brief(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  sc_buf headline = {0};
  sc_report_finding_headline(judge, f, &headline);
  int err = sc_buf_finish(&headline);
  if (err == 0) {
    sc_format_wrap(out, headline.text, 0, SC_TEXT_INDENT, options->width);
    print_finding_brief(out, judge, f, options);
  }
  sc_buf_free(&headline);
  return err;
}

static void print_finding_where(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  uint32_t path[256];
  size_t depth = sc_context_ancestry(judge->loaded.graph, f->context, path, 256);
  sc_buf text = {0};
  if (depth < 2)
    return;
  sc_context_path(judge->loaded.graph, analysis_of(judge, f), path[depth - 2], &text);
  if (sc_buf_finish(&text) == 0)
    sc_text_labelled(out, "In", text.text, options);
  sc_buf_free(&text);
}

/* "n = 5,000: 25.0 million iterations (exactly), 21 ms (18 to 25 ms), 12% of all" */
static void print_prediction(FILE *out, const sc_judge *judge, const sc_finding *f, size_t target,
                             const sc_text_options *options)
{
  const sc_finding_prediction *p = &f->predictions[target];
  const char *unit = sc_analysis_cost_unit(judge->loaded.analysis);
  bool time = strcmp(unit, "s") == 0;
  double actual;
  sc_buf text = {0};
  add_prediction_point(judge, f, p->n, &text);
  sc_buf_printf(&text, ": %s %s (%s)", sc_format_count(p->count.value).s, sc_report_finding_counts(judge, f),
                sc_format_interval(&p->count, "").s);
  if (was_run_there(judge, f) && sc_report_finding_actual(judge, f, p->n, &actual))
    sc_buf_printf(&text, ", actual %s (%s)", sc_format_count(actual).s, sc_format_error(p->count.value, actual).s);
  bool costed = p->cost.value > 0 && sc_analysis_has_costs(judge->loaded.analysis);
  if (costed)
    sc_buf_printf(&text, ", %s (%s)%s%s", sc_format_estimate(&p->cost, time ? "s" : "").s,
                  sc_format_interval(&p->cost, time ? "s" : "").s, time ? "" : " ", time ? "" : unit);
  sc_buf_printf(&text, ", %s", sc_format_cost_share(&p->cost, time && !costed ? "s" : NULL, p->share, " of all").s);
  if (sc_explain_waits(p)) {
    bool overlaps = sc_waiting_overlaps(judge->loaded.analysis);
    sc_buf_printf(&text, "; calls in it wait %s%s, %s of the elapsed time%s", sc_format_seconds(p->waiting).s,
                  overlaps ? " in all threads" : "", sc_format_percent(p->waiting_share).s,
                  overlaps ? " of all of them" : "");
  }
  if (sc_buf_finish(&text) == 0)
    sc_text_labelled(out, target ? "" : "Predicted", text.text, options);
  sc_buf_free(&text);
}

/* Whether an earlier finding of those that are printed has said what to do. */
static bool is_said(const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  for (const sc_finding *g = judge->findings.list; g < f; g++)
    if (g->remedy == f->remedy && g->linear == f->linear && !sc_notices_accepted(options->notices, g))
      return true;
  return false;
}

static void print_advice(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  size_t length = strlen(f->advice) - strlen(f->remedy);
  sc_buf why = {0};
  sc_buf_add(&why, f->advice, length);
  if (length && sc_buf_finish(&why) == 0)
    sc_text_labelled(out, *f->remedy ? "Why" : "Do", why.text, options);
  if (*f->remedy && !is_said(judge, f, options))
    sc_text_labelled(out, "Do", f->remedy, options);
  sc_buf_free(&why);
}

/* Six lines or so: where, how much, from when on and why. */
static void print_short(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  sc_buf when = {0};
  if (f->spread)
    print_sites(out, judge, f, options);
  else
    print_finding_where(out, judge, f, options);
  for (size_t i = 0; i < sc_analysis_get_options(judge->loaded.analysis)->target_count; i++)
    print_prediction(out, judge, f, i, options);
  describe_finding_emergence(judge, f, &when);
  sc_buf_printf(&when, "; confidence %s (%.2f)", sc_text_confidence(f->confidence), f->confidence);
  if (sc_buf_finish(&when) == 0)
    sc_text_labelled(out, "When", when.text, options);
  sc_buf_free(&when);
  print_advice(out, judge, f, options);
}

static int print_full(FILE *out, const sc_judge *judge, const sc_finding *f, const sc_text_options *options)
{
  sc_buf place = {0}, when = {0};
  if (!f->spread)
    sc_context_place(judge->loaded.graph, f->context, &place);
  fprintf(out, "%*s%s [%s]\n", SC_TEXT_INDENT, "", sc_rule_title(f->rule), sc_rule_id(f->rule));
  if (place.length && sc_buf_finish(&place) == 0)
    sc_text_labelled(out, "Source", place.text, options);
  print_order(out, judge, f, options);
  if (!f->spread)
    print_path(out, judge, f, options);
  print_sites(out, judge, f, options);
  int err = print_finding_predictions(out, judge, f, options);
  describe_finding_emergence(judge, f, &when);
  if (sc_buf_finish(&when) == 0)
    sc_text_labelled(out, "Emergence", when.text, options);
  print_finding_model(out, judge, f, options);
  if (f->evidence && *f->evidence)
    sc_text_labelled(out, "Evidence", f->evidence, options);
  if (f->advice && *f->advice)
    sc_text_labelled(out, "Do", f->advice, options);
  sc_buf_free(&when);
  sc_buf_free(&place);
  return err;
}

int sc_report_finding_print(FILE *out, const sc_judge *judge, size_t index, const sc_text_options *options)
{
  const sc_finding *f = &judge->findings.list[index];
  const sc_notice *accepted = sc_notices_accepted(options->notices, f);
  sc_buf headline = {0};
  sc_buf_printf(&headline, "%zu. ", index + 1);
  sc_report_finding_headline(judge, f, &headline);
  int err = sc_buf_finish(&headline);
  if (err == 0 && accepted)
    sc_notice_print_accepted(out, headline.text, accepted, options);
  else if (err == 0) {
    fputs(options->style.bold, out);
    sc_format_wrap(out, headline.text, 0, SC_TEXT_INDENT, options->width);
    fputs(options->style.off, out);
    if (options->brief)
      print_finding_brief(out, judge, f, options);
    else if (options->details)
      err = print_full(out, judge, f, options);
    else
      print_short(out, judge, f, options);
  }
  sc_buf_free(&headline);
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes between two studies as notices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/same.h"
#include "runner/report/text.h"
#include "runner/review/build.h"
#include "runner/review/words.h"
#include "runner/text/context.h"
#include "transitions/findings/work.h"
#include "transitions/model/order.h"

/* The side that the change is reported for: the head, unless it is gone there. */
typedef struct telling {
  const sc_judge *judge;
  const sc_change_state *state;
} telling;

static telling side_of_change(const sc_notices *notices, const sc_change *change)
{
  bool head = change->of == SC_CHANGE_OF_RESOURCE ? change->head.resource != SC_COMPARE_NONE
                                                  : change->head.context != SC_COMPARE_NONE;
  return head ? (telling){notices->judge, &change->head} : (telling){notices->base, &change->base};
}

static int set_change_subject(sc_notice *notice, const telling *told)
{
  const sc_graph *graph = told->judge->loaded.graph;
  if (notice->resource)
    return sc_notice_copy(&notice->subject, sc_usage_resource_at(graph, told->state->resource)->name);
  sc_buf name = {0};
  sc_context_subject(graph, told->state->context, &name);
  return sc_notice_set(&notice->subject, &name);
}

/* The nearest function above the one that it is in. */
static void add_caller(const telling *told, sc_buf *out)
{
  const sc_graph *graph = told->judge->loaded.graph;
  size_t functions = 0;
  for (uint32_t at = told->state->context; at; at = sc_graph_parent(graph, at))
    if (sc_graph_at(graph, at)->kind == SC_LOCATION_FUNCTION && ++functions == 2) {
      sc_context_subject(graph, at, out);
      return;
    }
}

static bool is_namesake(const sc_notices *notices, const sc_change *change, const sc_change *other)
{
  const telling told = side_of_change(notices, change), others = side_of_change(notices, other);
  if (other == change || other->rule != change->rule || other->of == SC_CHANGE_OF_RESOURCE)
    return false;
  const sc_location *a = sc_graph_at(told.judge->loaded.graph, told.state->context);
  const sc_location *b = sc_graph_at(others.judge->loaded.graph, others.state->context);
  return a->kind == b->kind && a->line == b->line && a->column == b->column && sc_same_text(a->name, b->name) &&
         sc_same_text(a->file, b->file);
}

/* One place in the source under two callers is two changes. */
static int set_caller(const sc_notices *notices, sc_notice *notice, const sc_comparison *comparison,
                      const sc_change *change, const telling *told)
{
  sc_buf text = {0};
  bool needed = false;
  for (size_t i = 0; i < comparison->count && !needed && !notice->resource; i++)
    needed = is_namesake(notices, change, &comparison->list[i]);
  if (!needed)
    return 0;
  sc_buf_puts(&text, " from ");
  size_t empty = text.length;
  add_caller(told, &text);
  if (text.length > empty)
    return sc_notice_set(&notice->caller, &text);
  sc_buf_free(&text);
  return 0;
}

static int set_metric(sc_notice *notice, const sc_change *change, const telling *told)
{
  const sc_graph *graph = told->judge->loaded.graph;
  switch (change->of) {
  case SC_CHANGE_OF_COUNT:
    return sc_notice_copy(&notice->metric, sc_context_counts(graph, told->state->context));
  case SC_CHANGE_OF_COST:
    notice->unit = sc_analysis_timed(told->judge->loaded.analysis) ? "s" : "";
    return sc_notice_copy(&notice->metric, strcmp(sc_context_counts(graph, told->state->context), "calls") == 0
                                               ? "own cost of a call"
                                               : "own cost of an iteration");
  case SC_CHANGE_OF_RESOURCE:
    notice->unit = sc_notice_resource_unit(sc_usage_resource_at(graph, told->state->resource), change->metric);
    return sc_notice_copy(&notice->metric, sc_resource_metric_name(change->metric));
  }
  return 0;
}

static int set_change_predictions(sc_notice *notice, const sc_comparison *comparison, const sc_change *change)
{
  size_t count = comparison->target_count;
  SC_TRY(SC_NEW(notice->predictions, count ? count : 1));
  for (size_t i = 0; i < count; i++) {
    sc_notice_prediction *p = &notice->predictions[i];
    *p = (sc_notice_prediction){.n = comparison->targets[i],
                                .has_before = change->base.predictions != NULL && !change->other_unit,
                                .has_after = change->head.predictions != NULL};
    if (p->has_before)
      p->before = change->base.predictions[i];
    if (p->has_after)
      p->after = change->head.predictions[i];
  }
  notice->prediction_count = count;
  sc_notice_sort_predictions(notice);
  return 0;
}

static const char *base_counts(const sc_notices *notices, const sc_change *change)
{
  return sc_context_counts(notices->base->loaded.graph, change->base.context);
}

static const char *variable_of_notice(const sc_notices *notices, const sc_notice *notice)
{
  return notice->parameter ? notice->parameter : sc_notice_variable(notices);
}

static bool has_order(const sc_model *model) { return model && model->verdict == SC_VERDICT_MODEL; }

/* "quadratic", of growth along a further parameter "quadratic in m". */
static void add_change_word(const sc_notices *notices, const sc_notice *notice, const sc_order *order, sc_buf *out)
{
  sc_report_order_word(order, variable_of_notice(notices, notice), out);
  if (notice->parameter)
    sc_buf_printf(out, " in %s", notice->parameter);
}

static void add_change_order(const sc_notices *notices, const sc_notice *notice, const sc_model *model,
                             const char *before, sc_buf *out)
{
  if (!has_order(model))
    return;
  sc_buf_puts(out, before);
  add_change_word(notices, notice, &model->order, out);
}

/* An order that the data leave open: "up to quadratic", "linear or more". */
static void add_counted(const sc_notices *notices, const sc_notice *notice, const sc_change_state *state,
                        const char *before, sc_buf *out)
{
  bool base = strstr(before, "before") != NULL;
  sc_buf_printf(out, "%s%s", before, state->undecided && !base ? "up to " : "");
  add_change_word(notices, notice, &state->counts_as, out);
  if (state->undecided && base)
    sc_buf_puts(out, " or more");
}

/* "iterations quadratic, before linear"; "new: iterations quadratic"; "mean hold time up, linear as before". */
static void say_growth(const sc_notices *notices, const sc_notice *notice, const sc_change *change, sc_buf *out)
{
  const sc_model *base = change->base.model, *head = change->head.model;
  sc_buf before = {0};
  bool both = has_order(base) && has_order(head);
  bool same = both && sc_model_compare_order(&base->order, &head->order) == 0;
  switch (change->rule) {
  case SC_RULE_NEW_COST:
    sc_buf_printf(out, "new: %s", notice->metric);
    add_change_order(notices, notice, head, " ", out);
    return;
  case SC_RULE_GONE:
    sc_buf_printf(out, "gone: %s", notice->metric);
    add_change_order(notices, notice, base, " were ", out);
    return;
  case SC_RULE_CHANGE_UNKNOWN:
    sc_buf_printf(out, "%s changed, the data cannot tell how", notice->metric);
    return;
  default:
    break;
  }
  sc_buf_puts(out, notice->metric);
  if (change->rule == SC_RULE_WORSE_ORDER && (change->base.undecided || change->head.undecided)) {
    add_counted(notices, notice, &change->head, " ", out);
    add_counted(notices, notice, &change->base, ", before ", out);
    return;
  }
  if (both && !same) {
    sc_buf_puts(&before, ", before ");
    if (change->other_unit)
      sc_buf_printf(&before, "%s ", base_counts(notices, change));
    add_change_order(notices, notice, head, " ", out);
    add_change_order(notices, notice, base, sc_buf_finish(&before) == 0 ? before.text : "", out);
    sc_buf_free(&before);
    return;
  }
  sc_buf_puts(out, change->factor < 1 ? " down" : " up");
  if (both) {
    add_change_order(notices, notice, head, ", ", out);
    sc_buf_puts(out, " as before");
  }
}

/* "; at n = 1,000,000: 500 billion, before 3.00 million (167,000 x), 90% of the total" */
static void say_figures(const sc_notices *notices, const sc_notice *notice, const sc_change *change, sc_buf *out)
{
  const sc_notice_prediction *last = sc_notice_last(notice);
  if (!last || (!last->has_before && !last->has_after))
    return;
  sc_buf_puts(out, "; at ");
  sc_notice_point(notices, notice, last->n, out);
  sc_buf_puts(out, ":");
  if (last->has_after)
    sc_buf_printf(out, " %s", sc_notice_value(notice->unit, last->after.value).s);
  if (last->has_before)
    sc_buf_printf(out, "%sbefore %s", last->has_after ? ", " : " ",
                  sc_notice_value(notice->unit, last->before.value).s);
  if (last->has_before && last->has_after && isfinite(change->factor) && change->factor > 0)
    sc_buf_printf(out, " (%s x)", sc_format_count(change->factor).s);
  if (change->of != SC_CHANGE_OF_RESOURCE && change->share > 0)
    sc_buf_printf(out, ", %s of the total%s", sc_format_percent(change->share).s, last->has_after ? "" : " then");
}

/* Places in the source that the change's contexts stand at; 0 if there is no memory. */
static size_t count_places(const sc_graph *graph, const sc_change *change)
{
  size_t places = 0;
  uint32_t *locations = sc_mem_new(change->context_count + 1, sizeof *locations);
  if (!locations)
    return 0;
  for (size_t i = 0; i < change->context_count; i++)
    locations[i] = sc_graph_location_of(graph, change->contexts[i]);
  qsort(locations, change->context_count, sizeof *locations, sc_compare_numbers);
  for (size_t i = 0; i < change->context_count; i++)
    places += i == 0 || locations[i] != locations[i - 1];
  free(locations);
  return places;
}

/* Many small places are told as one change, under the name of the worst. */
static int set_change_message(const sc_notices *notices, sc_notice *notice, const sc_change *change,
                              const telling *told)
{
  sc_buf text = {0};
  size_t places = 1;
  if (change->of != SC_CHANGE_OF_RESOURCE && change->context_count > 1)
    places = count_places(told->judge->loaded.graph, change);
  if (!places)
    return SC_E_NOMEM;
  sc_buf_puts(&text, notice->subject);
  sc_buf_puts(&text, notice->caller ? notice->caller : "");
  if (places > 1)
    sc_buf_printf(&text, " and %s", sc_format_plural(places - 1, "more place").s);
  sc_buf_puts(&text, ": ");
  say_growth(notices, notice, change, &text);
  say_figures(notices, notice, change, &text);
  if (change->context_count > 1)
    sc_buf_printf(&text, "; in %s", sc_format_plural(change->context_count, "context").s);
  return sc_notice_set(&notice->message, &text);
}

/* "Same order as the base, but 19,193 times the iterations at n = 100,000." */
static int set_advice(const sc_notices *notices, sc_notice *notice, const sc_change *change)
{
  const sc_graph *graph = notices->judge->loaded.graph;
  bool named = change->of == SC_CHANGE_OF_COUNT && change->head.context != SC_COMPARE_NONE;
  bool worse = change->rule == SC_RULE_WORSE_ORDER || change->rule == SC_RULE_NEW_COST;
  if (named && worse && sc_graph_at(graph, change->head.context)->kind == SC_LOCATION_WORK)
    return sc_notice_copy(&notice->advice, sc_work_advice(graph, change->head.context));
  const sc_notice_prediction *last = sc_notice_last(notice);
  sc_buf text = {0};
  if (change->rule != SC_RULE_WORSE_COST || !last || !isfinite(change->factor))
    return sc_notice_copy(&notice->advice, sc_rule_help(change->rule));
  bool ordered = has_order(change->base.model) && has_order(change->head.model);
  sc_buf_printf(&text, "%s times the %s at ", sc_format_count(change->factor).s, notice->metric);
  sc_notice_point(notices, notice, last->n, &text);
  sc_buf_printf(&text, "%s. Look at what the change made it do again, or for longer.",
                ordered ? ", of the same order as in the base" : "");
  return sc_notice_set(&notice->advice, &text);
}

/* Along a further parameter of the head's, where `parameter` is not NULL. */
static int add_change(sc_notices *notices, const sc_comparison *comparison, const sc_change *change,
                      const char *parameter)
{
  sc_notice *notice;
  telling told = side_of_change(notices, change);
  SC_TRY(sc_notice_add(notices, change->rule, change->severity, &notice));
  notice->about = change;
  notice->parameter = parameter;
  notice->parameter_at = parameter ? comparison->targets[0] : 0;
  const char *variable = variable_of_notice(notices, notice);
  if (change->of == SC_CHANGE_OF_RESOURCE)
    SC_TRY(sc_notice_locate_resource(notice, told.judge, told.state->resource, change->rule, told.state->context,
                                     told.state->line, told.state->column));
  else
    SC_TRY(sc_notice_locate(notice, told.judge, told.state->context, 0, 0));
  if (change->rule == SC_RULE_GONE) /* the line is one of the base's file */
    notice->line = notice->column = 0;
  SC_TRY(set_change_subject(notice, &told));
  SC_TRY(set_caller(notices, notice, comparison, change, &told));
  SC_TRY(set_metric(notice, change, &told));
  SC_TRY(set_change_predictions(notice, comparison, change));
  for (size_t i = 0; parameter && i < notice->prediction_count; i++)
    notice->predictions[i].n = sc_analysis_horizon(notices->judge->loaded.analysis);
  SC_TRY(sc_notice_formula(&notice->before, change->base.model, variable,
                           change->other_unit ? base_counts(notices, change) : notice->metric));
  SC_TRY(sc_notice_formula(&notice->after, change->head.model, variable, notice->metric));
  SC_TRY(set_change_message(notices, notice, change, &told));
  SC_TRY(sc_notice_copy(&notice->evidence, change->evidence));
  SC_TRY(set_advice(notices, notice, change));
  notice->superlinear = has_order(change->head.model) && sc_order_superlinear(&change->head.counts_as);
  notice->confidence = change->confidence;
  notice->share = change->share;
  notice->emergence = (sc_interval){change->emergence, change->emergence, change->emergence};
  return 0;
}

int sc_notices_add_changes(sc_notices *notices)
{
  for (size_t i = 0; i < notices->comparison->count; i++)
    SC_TRY(add_change(notices, notices->comparison, &notices->comparison->list[i], NULL));
  return 0;
}

/* What --fail-on order asks about. A higher count of the same order shows at --at. */
static bool grows_faster(const sc_change *change)
{
  const sc_model *head = change->head.model;
  if (change->rule == SC_RULE_WORSE_ORDER)
    return true;
  return change->rule == SC_RULE_NEW_COST && has_order(head) && sc_order_superlinear(&change->head.counts_as);
}

static int add_change_along(sc_notices *notices, const sc_analysis *base, const sc_analysis *head)
{
  const sc_compare_side before = {.analysis = base}, after = {.analysis = head}; /* times are those of the base */
  const char *parameter = sc_analysis_get_options(head)->variable;
  sc_comparison *comparison = &notices->along[notices->along_count++];
  SC_TRY(sc_compare(&before, &after, comparison));
  for (size_t i = 0; i < comparison->count; i++)
    if (grows_faster(&comparison->list[i]))
      SC_TRY(add_change(notices, comparison, &comparison->list[i], parameter));
  return 0;
}

int sc_notices_add_changes_along(sc_notices *notices)
{
  for (size_t i = 0; i < SC_RUN_OTHERS; i++)
    for (size_t k = 0; k < SC_RUN_OTHERS; k++) {
      const sc_analysis *head = notices->judge->along[i], *base = notices->base->along[k];
      if (head && base && strcmp(sc_analysis_get_options(head)->variable, sc_analysis_get_options(base)->variable) == 0)
        SC_TRY(add_change_along(notices, base, head));
    }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers by docs/answers.schema.json. */
#include <math.h>
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/ask/curve.h"
#include "runner/report/json.h"
#include "runner/resources/json.h"
#include "runner/text/context.h"
#include "runner/text/findings_json.h"

static void add_answer_certainty(sc_json *json, cJSON *parent, const sc_certainty *c)
{
  cJSON *object = sc_json_object(json, parent, "certainty");
  sc_json_number(json, object, "beyond_measured", c->beyond);
  if (c->beyond_others > 1)
    sc_json_number(json, object, "beyond_measured_further", c->beyond_others);
  sc_json_number(json, object, "half_width", c->half);
  sc_json_number(json, object, "half_width_at_largest", c->half_at_largest);
  sc_json_number(json, object, "width_factor", sc_certainty_factor(c));
  sc_json_number(json, object, "confidence", c->confidence);
  sc_json_text(json, object, "word", sc_certainty_word(c));
  sc_json_number(json, object, "next_size", c->next_size > 0 ? c->next_size : NAN);
}

static void add_quantity(sc_json *json, cJSON *object, const sc_quantity *q)
{
  sc_json_text(json, object, "metric", q->metric);
  sc_json_text(json, object, "of", q->title);
  sc_json_text(json, object, "unit", sc_amount_unit(q->kind));
}

static void add_answer_values(sc_json *json, const sc_ask *ask, const sc_ask_size *size, cJSON *object)
{
  cJSON *list = sc_json_array(json, object, "values");
  sc_json_number(json, object, "n", size->n);
  sc_json_number(json, object, "beyond_measured", size->n / ask->n_max);
  if (size->n < ask->n_min)
    sc_json_text(json, object, "warning", "below the sizes measured");
  sc_json_interval(json, object, "total", &size->total);
  for (size_t i = 0; i < ask->quantity_count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    add_quantity(json, item, &ask->quantities[i]);
    sc_json_interval(json, item, "predicted", &size->values[i].predicted);
    if (ask->supposed)
      sc_json_interval(json, item, "supposed", &size->values[i].supposed);
    add_answer_certainty(json, item, &size->values[i].certainty);
  }
}

static void add_ranked_json(sc_json *json, cJSON *list, const sc_ask *ask, const sc_rank_row *row, double total)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  cJSON *object = sc_json_object(json, list, NULL);
  sc_json_answer_context(json, object, sc_analysis_graph(analysis), row->context);
  sc_json_interval(json, object, "cost", &row->cost);
  if (total > 0)
    sc_json_number(json, object, "share", row->cost.value / total);
  if (!row->counted)
    return;
  const sc_model *model = sc_analysis_model(analysis, row->context);
  char formula[256];
  sc_model_format(model, ask->judge->loaded.workload->parameter, formula, sizeof formula);
  sc_json_interval(json, object, "count", &row->count);
  sc_json_text(json, object, "counts", sc_context_counts(sc_analysis_graph(analysis), row->context));
  if (model->verdict == SC_VERDICT_MODEL)
    sc_json_text(json, object, "model", formula);
}

static void add_ranking(sc_json *json, cJSON *object, const char *name, const sc_ask *ask, const sc_ask_size *size,
                        bool costs)
{
  cJSON *list = sc_json_array(json, object, name);
  for (size_t i = 0; i < size->row_count && i < ask->top && (!costs || size->rows[i].cost.value > 0); i++)
    add_ranked_json(json, list, ask, &size->rows[i], size->total.value);
}

static void add_contexts(sc_json *json, cJSON *object, const sc_ask *ask, const sc_ask_size *size)
{
  cJSON *list = sc_json_array(json, object, "contexts");
  for (size_t i = 0; i < size->context_count; i++) {
    const sc_ask_context *c = &size->contexts[i];
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_answer_context(json, item, ask->judge->loaded.graph, c->context);
    sc_json_interval(json, item, "inclusive", &c->inclusive);
    if (size->total.value > 0)
      sc_json_number(json, item, "share", c->inclusive.value / size->total.value);
    sc_json_interval(json, item, "count", &c->count);
    sc_json_text(json, item, "counts", sc_context_counts(ask->judge->loaded.graph, c->context));
  }
}

/* `ways`: to the function; else of what it calls, which have contexts of their own. */
static void add_neighbours(sc_json *json, cJSON *object, const char *name, const sc_ask *ask, const sc_ask_size *size,
                           const sc_ask_neighbours *neighbours, bool ways)
{
  cJSON *list = sc_json_array(json, object, name);
  for (size_t i = 0; i < neighbours->count; i++) {
    const sc_ask_neighbour *row = &neighbours->rows[i];
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_text(json, item, "name", row->title);
    sc_json_number(json, item, "contexts", (double)row->contexts);
    if (!ways)
      sc_json_answer_context(json, item, ask->judge->loaded.graph, row->context);
    sc_json_interval(json, item, "inclusive", &row->inclusive);
    if (size->total.value > 0)
      sc_json_number(json, item, "share", row->inclusive.value / size->total.value);
    if (neighbours == &size->functions)
      sc_json_interval(json, item, "self", &row->self);
    sc_json_interval(json, item, "executions", &row->executions);
    sc_text order = sc_ask_order(ask, row->lead);
    if (*order.s)
      sc_json_text(json, item, "order", order.s);
    if (!row->counted)
      continue;
    sc_json_number(json, item, "count", row->count);
    sc_json_text(json, item, "counts", sc_context_counts(ask->judge->loaded.graph, row->context));
  }
}

static void add_answer_size(sc_json *json, cJSON *list, const sc_ask *ask, const sc_ask_size *size)
{
  cJSON *object = sc_json_object(json, list, NULL);
  add_answer_values(json, ask, size, object);
  if (ask->subject.kind == SC_SUBJECT_RESOURCE)
    return;
  if (ask->functions) {
    add_neighbours(json, object, "functions", ask, size, &size->functions, false);
    return;
  }
  sc_rank_sort(size->rows, size->row_count, SC_RANK_COST);
  add_ranking(json, object, "most_costly", ask, size, true);
  sc_rank_sort(size->rows, size->row_count, SC_RANK_COUNT);
  add_ranking(json, object, "most_executed", ask, size, false);
  if (ask->subject.kind != SC_SUBJECT_FUNCTION)
    return;
  add_contexts(json, object, ask, size);
  add_neighbours(json, object, "callers", ask, size, &size->callers, true);
  add_neighbours(json, object, "callees", ask, size, &size->callees, false);
}

void sc_limit_json(sc_json *json, cJSON *object, const sc_limit *limit)
{
  bool already = sc_limit_exceeded_already(limit);
  add_quantity(json, object, &limit->quantity);
  sc_json_number(json, object, "value", limit->value);
  sc_json_bool(json, object, "exceeded_at_smallest", already);
  sc_json_bool(json, object, "reached", already || isfinite(limit->n.value));
  sc_json_bool(json, object, "cannot_tell", !already && limit->cannot_tell);
  sc_json_interval(json, object, "n", &limit->n);
  sc_json_number(json, object, "farthest", limit->farthest);
  if (limit->variable && already)
    sc_json_interval(json, object, "below_from", &limit->below);
  bool found = already ? limit->variable && isfinite(limit->below.value) : isfinite(limit->n.value);
  if (found)
    add_answer_certainty(json, object, &limit->certainty);
}

static void add_limits(sc_json *json, cJSON *document, const sc_ask *ask)
{
  cJSON *list = ask->limit_count ? sc_json_array(json, document, "limits") : NULL;
  for (size_t i = 0; i < ask->limit_count; i++) {
    cJSON *object = sc_json_object(json, list, NULL);
    sc_limit_json(json, object, &ask->limits[i]);
    if (ask->supposing)
      sc_limit_json(json, sc_json_object(json, object, "supposed"), &ask->supposed_limits[i]);
  }
}

static void add_item(sc_json *json, cJSON *list, const sc_supposing *s, const sc_supposing_item *item)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  const char *variable = s->judge->loaded.workload->parameter;
  cJSON *object = sc_json_object(json, list, NULL), *places = sc_json_array(json, object, "places");
  sc_json_text(json, object, "text", item->text);
  sc_json_text(json, object, "supposed", item->what);
  for (size_t i = 0; i < item->place_count; i++) {
    const sc_model *model = sc_analysis_model(analysis, item->places[i].context);
    cJSON *place = sc_json_object(json, places, NULL);
    char formula[256] = "";
    sc_json_answer_context(json, place, s->judge->loaded.graph, item->places[i].context);
    if (model->verdict == SC_VERDICT_MODEL)
      sc_model_format(model, variable, formula, sizeof formula);
    sc_json_text(json, place, "model", formula);
    sc_json_number(json, place, "count_at_smallest", item->places[i].anchor_count);
  }
}

static void add_supposing(sc_json *json, cJSON *document, const sc_supposing *s)
{
  cJSON *object = sc_json_object(json, document, "suppose");
  cJSON *items = sc_json_array(json, object, "suppositions"), *sizes = sc_json_array(json, object, "sizes");
  for (size_t i = 0; i < s->item_count; i++)
    add_item(json, items, s, &s->items[i]);
  for (size_t i = 0; i < s->size_count; i++) {
    const sc_supposing_size *size = &s->sizes[i];
    cJSON *item = sc_json_object(json, sizes, NULL);
    sc_json_number(json, item, "n", size->n);
    sc_json_interval(json, item, "before", &size->before);
    sc_json_interval(json, item, "after", &size->after);
    sc_json_interval(json, item, "part_before", &size->part_before);
    sc_json_interval(json, item, "part_after", &size->part_after);
  }
  if (!s->has_worst)
    return;
  cJSON *worst = sc_json_object(json, object, "worst");
  sc_json_answer_context(json, worst, s->judge->loaded.graph, s->worst.finding->context);
  if (s->worst.finding->spread)
    sc_json_number(json, worst, "places", (double)s->worst.finding->spread->places);
  sc_json_number(json, worst, "n", s->worst.n);
  sc_json_number(json, worst, "cost", s->worst.cost);
  sc_json_number(json, worst, "share", s->worst.share);
  sc_json_text(json, worst, "order", s->worst.order);
}

static int add_subject(sc_json *json, cJSON *document, const sc_ask *ask)
{
  static const char *const kinds[] = {"total", "function", "resource"};
  cJSON *object = sc_json_object(json, document, "subject");
  sc_json_text(json, object, "kind", kinds[ask->subject.kind]);
  sc_json_text(json, object, "name", ask->subject_title);
  if (ask->subject.kind == SC_SUBJECT_FUNCTION)
    sc_json_number(json, object, "contexts", (double)ask->subject.places.count);
  if (ask->subject.kind != SC_SUBJECT_RESOURCE)
    return 0;
  cJSON *item = sc_json_object(json, document, "resource");
  sc_resource_json_resource(json, sc_usage_resource_at(ask->judge->loaded.graph, ask->subject.resource.resource), item);
  return sc_resource_json_numbers(json, ask->judge, &ask->subject.resource, item);
}

int sc_ask_make_json(sc_ask *ask, bool plot, cJSON **document)
{
  sc_json json = {0};
  *document = sc_report_json_document(ask->judge, "ask");
  int err = add_subject(&json, *document, ask);
  cJSON *list = sc_json_array(&json, *document, "sizes");
  for (size_t i = 0; i < ask->size_count; i++)
    add_answer_size(&json, list, ask, &ask->sizes[i]);
  cJSON *sweep = ask->sweep_count ? sc_json_array(&json, *document, "sweep") : NULL;
  for (size_t i = 0; i < ask->sweep_count; i++)
    add_answer_values(&json, ask, &ask->sweep[i], sc_json_object(&json, sweep, NULL));
  add_limits(&json, *document, ask);
  if (ask->all && err == 0)
    err = sc_findings_json_negligible(ask->judge->loaded.analysis, &ask->judge->findings, *document);
  if (ask->supposing)
    add_supposing(&json, *document, ask->supposing);
  if (plot && err == 0) {
    sc_curve curve;
    err = sc_curve_make(ask, &curve);
    if (err == 0)
      sc_curve_json(&json, &curve, *document);
    sc_curve_free(&curve);
  }
  if (err == 0 && !json.failed)
    return 0;
  cJSON_Delete(*document);
  *document = NULL;
  return err < 0 ? err : sc_err_set(SC_E_NOMEM, "out of memory while composing JSON");
}

int sc_ask_print_json(FILE *out, sc_ask *ask, bool plot)
{
  cJSON *document;
  SC_TRY(sc_ask_make_json(ask, plot, &document));
  return sc_json_write(out, document, &(sc_json){0}, 0);
}

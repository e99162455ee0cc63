/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/json_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/text/context.h"

static void add_json_clean(sc_buf *out, const char *text)
{
  for (const char *end = text + strlen(text); text < end;) {
    size_t length = sc_utf8_length(text, (size_t)(end - text));
    if (length)
      sc_buf_add(out, text, length);
    else
      sc_buf_puts(out, "\xef\xbf\xbd"); /* the replacement character */
    text += length ? length : 1;
  }
}

static cJSON *attach_json(sc_json *json, cJSON *parent, const char *key, cJSON *item)
{
  bool done = item && parent && (key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item));
  if (done)
    return item;
  json->failed = true;
  cJSON_Delete(item);
  return NULL;
}

cJSON *sc_json_object(sc_json *json, cJSON *parent, const char *key)
{
  return attach_json(json, parent, key, cJSON_CreateObject());
}

cJSON *sc_json_object_if(sc_json *json, cJSON *parent, const char *key, bool any)
{
  if (any)
    return sc_json_object(json, parent, key);
  attach_json(json, parent, key, cJSON_CreateNull());
  return NULL;
}

cJSON *sc_json_array(sc_json *json, cJSON *parent, const char *key)
{
  return attach_json(json, parent, key, cJSON_CreateArray());
}

void sc_json_number(sc_json *json, cJSON *object, const char *key, double value)
{
  attach_json(json, object, key, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void sc_json_bool(sc_json *json, cJSON *object, const char *key, bool value)
{
  attach_json(json, object, key, cJSON_CreateBool(value));
}

void sc_json_string(sc_json *json, cJSON *object, const char *key, const char *text)
{
  sc_buf clean = {0};
  cJSON *item = NULL;
  if (!text) {
    item = cJSON_CreateNull();
  } else {
    add_json_clean(&clean, text);
    if (sc_buf_finish(&clean) >= 0)
      item = cJSON_CreateString(clean.text);
  }
  attach_json(json, object, key, item);
  sc_buf_free(&clean);
}

void sc_json_text(sc_json *json, cJSON *object, const char *key, const char *text)
{
  sc_json_string(json, object, key, text && *text ? text : NULL);
}

void sc_json_bounds(sc_json *json, cJSON *object, const sc_interval *interval)
{
  sc_json_number(json, object, "value", interval->value);
  sc_json_number(json, object, "low", interval->low);
  sc_json_number(json, object, "high", interval->high);
}

void sc_json_interval(sc_json *json, cJSON *object, const char *key, const sc_interval *interval)
{
  cJSON *bounds = sc_json_object_if(json, object, key, interval);
  if (bounds)
    sc_json_bounds(json, bounds, interval);
}

void sc_json_comparison(sc_json *json, cJSON *object, const sc_interval *predicted, double actual)
{
  double error = predicted->value == actual ? 0 : actual > 0 ? (predicted->value - actual) / actual : INFINITY;
  sc_json_interval(json, object, "predicted", predicted);
  sc_json_number(json, object, "actual", actual);
  sc_json_number(json, object, "relative_error", error);
  sc_json_bool(json, object, "within_interval", actual >= predicted->low && actual <= predicted->high);
}

void sc_json_order(sc_json *json, cJSON *object, const char *key, const sc_order *order, const char *variable)
{
  char text[64];
  cJSON *item = sc_json_object(json, object, key);
  sc_model_format_order(order, variable, text, sizeof text);
  sc_json_text(json, item, "text", text);
  sc_json_number(json, item, "exponent", order->exponent);
  sc_json_number(json, item, "log_exponent", order->log_exponent);
  sc_json_number(json, item, "integer", order->integer);
  if (order->base > 0)
    sc_json_number(json, item, "base", order->base);
}

static const char *shape_name(enum sc_shape shape)
{
  static const char *const names[] = {[SC_SHAPE_CEIL_LOG] = "ceil_log",        [SC_SHAPE_FLOOR_LOG] = "floor_log",
                                      [SC_SHAPE_CEIL_POWER] = "ceil_power",    [SC_SHAPE_FLOOR_POWER] = "floor_power",
                                      [SC_SHAPE_CEIL_BLOCK] = "ceil_block",    [SC_SHAPE_FLOOR_BLOCK] = "floor_block",
                                      [SC_SHAPE_FLOOR_ROOT] = "floor_root",    [SC_SHAPE_HYPERBOLIC] = "hyperbolic",
                                      [SC_SHAPE_APPROACH] = "approach",        [SC_SHAPE_BLOCK_SQUARE] = "block_square",
                                      [SC_SHAPE_FLOOR_SQUARE] = "floor_square"};
  return names[shape];
}

static void add_terms(sc_json *json, cJSON *object, const sc_term *terms, size_t count)
{
  cJSON *list = sc_json_array(json, object, "terms");
  for (size_t i = 0; i < count; i++) {
    cJSON *term = sc_json_object(json, list, NULL);
    sc_json_number(json, term, "coefficient", terms[i].coefficient);
    sc_json_number(json, term, "exponent", terms[i].exponent);
    sc_json_number(json, term, "log_exponent", terms[i].log_exponent);
    if (terms[i].base > 0)
      sc_json_number(json, term, "base", terms[i].base);
    if (terms[i].shape != SC_SHAPE_PLAIN)
      sc_json_text(json, term, "shape", shape_name(terms[i].shape));
    if (terms[i].scale > 0)
      sc_json_number(json, term, "scale", terms[i].scale);
  }
}

static void add_pieces(sc_json *json, cJSON *object, const sc_model *model)
{
  cJSON *list = sc_json_array(json, object, "pieces");
  for (size_t i = 0; i < model->piece_count; i++) {
    const sc_piece *piece = &model->pieces[i];
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_number(json, item, "until", piece->until);
    sc_json_number(json, item, "until_low", piece->until_low);
    sc_json_number(json, item, "until_high", piece->until_high);
    add_terms(json, item, piece->terms, piece->term_count);
  }
}

static void add_formula(sc_json *json, cJSON *object, const sc_model *model, const char *variable)
{
  char text[256];
  sc_model_format(model, variable, text, sizeof text);
  sc_json_text(json, object, "formula", text);
}

static void add_rivals(sc_json *json, cJSON *object, const sc_model *model, const char *variable)
{
  cJSON *list = sc_json_array(json, object, "rivals");
  for (size_t i = 0; i < model->rival_count; i++) {
    sc_model rival = {.term_count = model->rivals[i].term_count};
    cJSON *item = sc_json_object(json, list, NULL);
    memcpy(rival.terms, model->rivals[i].terms, sizeof rival.terms);
    add_formula(json, item, &rival, variable);
    add_terms(json, item, rival.terms, rival.term_count);
    sc_json_number(json, item, "error", model->rivals[i].error < 0 ? NAN : model->rivals[i].error);
    sc_json_number(json, item, "weight", model->rivals[i].weight);
  }
}

void sc_json_model(sc_json *json, cJSON *object, const sc_model *model, const char *variable)
{
  bool usable = model->verdict == SC_VERDICT_MODEL;
  cJSON *range;
  sc_json_text(json, object, "verdict", usable ? "model" : "cannot-tell");
  sc_json_text(json, object, "why", model->why);
  if (usable)
    add_formula(json, object, model, variable);
  else
    sc_json_text(json, object, "formula", NULL);
  sc_json_order(json, object, "order", &model->order, variable);
  if (model->later_from > 0) {
    cJSON *later = sc_json_object(json, object, "later");
    sc_json_order(json, later, "order", &model->later, variable);
    sc_json_number(json, later, "from", model->later_from);
  }
  add_terms(json, object, model->terms, model->term_count);
  if (model->piece_count)
    add_pieces(json, object, model);
  sc_json_number(json, object, "error", model->error < 0 ? NAN : model->error);
  sc_json_number(json, object, "fit_error", model->fit_error);
  sc_json_number(json, object, "exponent_low", model->exponent_low);
  sc_json_number(json, object, "r2", model->r2);
  sc_json_bool(json, object, "exact", model->exact);
  sc_json_number(json, object, "points", (double)model->points);
  range = sc_json_object(json, object, "range");
  sc_json_number(json, range, "min", model->n_min);
  sc_json_number(json, range, "max", model->n_max);
  add_rivals(json, object, model, variable);
}

static void add_json_line(sc_json *json, cJSON *object, const char *key, uint32_t number)
{
  sc_json_number(json, object, key, number ? number : NAN);
}

void sc_json_place(sc_json *json, cJSON *object, const sc_location *location)
{
  sc_json_text(json, object, "function", location->display);
  sc_json_text(json, object, "linkage_name", location->name);
  sc_json_text(json, object, "file", location->file);
  add_json_line(json, object, "line", location->line);
  add_json_line(json, object, "column", location->column);
}

void sc_json_subject(sc_json *json, cJSON *object, const sc_graph *graph, uint32_t context)
{
  uint32_t through;
  const sc_location *written = sc_graph_at(graph, sc_graph_written(graph, context, &through));
  sc_location spot = sc_graph_spot(graph, context);
  cJSON *subject = sc_json_object(json, object, "subject");
  sc_json_text(json, subject, "function", written->display);
  sc_json_text(json, subject, "through", through ? sc_graph_at(graph, through)->display : NULL);
  sc_json_text(json, subject, "file", spot.file);
  add_json_line(json, subject, "line", spot.line);
}

/* From the process down to the context itself; the root says nothing. */
void sc_json_context(sc_json *json, cJSON *object, const char *key, const sc_graph *graph, uint32_t context)
{
  cJSON *list = sc_json_array(json, object, key);
  size_t depth = sc_graph_depth(graph, context);
  uint32_t *path = sc_mem_new(depth + 1, sizeof *path);
  if (!path)
    json->failed = true;
  for (size_t i = depth; path && i-- > 0; context = sc_graph_parent(graph, context))
    path[i] = context;
  for (size_t i = 0; path && i < depth; i++) {
    const sc_location *at = sc_graph_at(graph, path[i]);
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_text(json, item, "kind", sc_location_kind_name(at->kind));
    sc_json_text(json, item, "name", at->display);
    sc_json_text(json, item, "file", at->file);
    add_json_line(json, item, "line", at->line);
    add_json_line(json, item, "column", at->column);
    add_json_line(json, item, "call_line", sc_graph_call_line(graph, path[i]));
  }
  free(path);
}

/* What `write` makes of a context, as a text. */
static void add_words(sc_json *json, cJSON *object, const char *key, const sc_graph *graph, uint32_t context,
                      void (*write)(const sc_graph *, uint32_t, sc_buf *))
{
  sc_buf words = {0};
  write(graph, context, &words);
  if (sc_buf_finish(&words) == 0)
    sc_json_string(json, object, key, words.text);
  sc_buf_free(&words);
}

void sc_json_answer_context(sc_json *json, cJSON *object, const sc_graph *graph, uint32_t context)
{
  const sc_location *location = sc_graph_at(graph, context);
  sc_location spot = sc_graph_spot(graph, context);
  uint32_t path[256];
  size_t depth = sc_context_ancestry(graph, context, path, 256);
  cJSON *item = sc_json_object(json, object, "context"), *steps = sc_json_array(json, item, "path");
  for (size_t i = 0; i < depth; i++)
    add_words(json, steps, NULL, graph, path[i], sc_context_step);
  sc_json_string(json, item, "kind", sc_location_kind_name(location->kind));
  sc_json_string(json, item, "function", location->display);
  sc_json_string(json, item, "file", location->file);
  sc_json_number(json, item, "line", location->line);
  sc_json_number(json, item, "column", location->column);
  add_words(json, item, "subject", graph, context, sc_context_title);
  sc_json_string(json, item, "subject_file", spot.file);
  sc_json_number(json, item, "subject_line", spot.line);
}

void sc_json_elapsed_parts(sc_json *json, cJSON *item, const sc_elapsed_parts *parts)
{
  cJSON *object = sc_json_object(json, item, "parts");
  sc_json_number(json, object, "processor", parts->processor);
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    sc_json_number(json, object, sc_elapsed_wait_key((enum sc_wait_kind)k), parts->waits[k]);
  sc_json_bool(json, item, "parts_measured", parts->measured);
  sc_json_bool(json, item, "mostly_waiting", sc_elapsed_parts_mostly_wait(parts));
}

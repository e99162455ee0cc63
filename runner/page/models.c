/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data of models: formulas, and curves where no formula draws them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/page/parts.h"
#include "runner/text/context.h"
#include "runner/text/tuning.h"
#include "transitions/model/order.h"

/* Values stand as log2 in steps of 2^-20 (relative 3e-7, so that counts below a million are exact), ends of intervals
 * as distances from them in steps of 2^-8. */
static const double VALUE_STEPS = 1 << 20, WIDTH_STEPS = 256;
enum { ZERO = -(1 << 29), UNBOUNDED = 1 << 29 };

int sc_page_order_class(const sc_order *order)
{
  if (order->base > 0 || order->exponent > 2 + SC_PAGE_ORDER_NEAR ||
      (order->exponent > 2 - SC_PAGE_ORDER_NEAR && order->log_exponent > SC_PAGE_ORDER_LOG))
    return 5;
  if (sc_order_superlinear(order))
    return 4;
  if (order->exponent > 1 + SC_PAGE_ORDER_NEAR || (order->exponent > 1 - SC_PAGE_ORDER_NEAR && order->log_exponent > 0))
    return 3;
  if (order->exponent > 1 - SC_PAGE_ORDER_NEAR)
    return 2;
  return order->exponent > SC_PAGE_ORDER_NEAR || order->log_exponent > 0;
}

static int64_t steps_of(double value)
{
  if (!(value > 0))
    return ZERO;
  return isfinite(value) ? llround(log2(value) * VALUE_STEPS) : UNBOUNDED;
}

/* First the values as differences; then for each how far low and high are, -1 for 0 and for infinity. */
static int write_page_model_curve(const sc_page_study *study, const sc_model *model, sc_page_json *json)
{
  const sc_page_grid *grid = study->grid;
  double level = sc_analysis_get_options(study->judge->loaded.analysis)->level;
  int64_t before = 0;
  int err = SC_E_NOMEM;
  sc_interval *at = sc_mem_new(grid->count, sizeof *at);
  if (!at)
    goto out;
  for (size_t i = 0; i < grid->count; i++)
    SC_GOTO(sc_model_predict(model, grid->sizes[i], level, &at[i]));
  sc_page_open(json, NULL, '[');
  for (size_t i = 0; i < grid->count; i++) {
    int64_t now = steps_of(at[i].value);
    sc_page_integer(json, NULL, now - before);
    before = now;
  }
  for (size_t i = 0; !model->exact && i < 2 * grid->count; i++) {
    const sc_interval *p = &at[i % grid->count];
    double ratio = i < grid->count ? p->value / p->low : p->high / p->value;
    bool known = isfinite(ratio) && p->value > 0 && (i >= grid->count || p->low > 0);
    sc_page_integer(json, NULL, known ? llround(log2(fmax(1, ratio)) * WIDTH_STEPS) : p->value > 0 ? -1 : 0);
  }
  sc_page_close(json, ']');
  err = 0;
out:
  free(at);
  return err;
}

/* [formula, weight, error, values as in a curve] of those that are plausible. */
static int write_rivals(sc_page_study *study, const sc_model *model, sc_page_json *json)
{
  const char *variable = study->judge->loaded.workload->parameter;
  sc_page_open(json, NULL, '[');
  for (size_t r = 0; r < model->rival_count; r++) {
    sc_model rival = {.term_count = model->rivals[r].term_count};
    sc_buf formula = {0};
    int64_t before = 0;
    if (model->rivals[r].weight < SC_MODEL_PLAUSIBLE)
      continue;
    memcpy(rival.terms, model->rivals[r].terms, sizeof rival.terms);
    sc_context_formula(&rival, variable, &formula);
    sc_page_open(json, NULL, '[');
    sc_page_text(json, NULL, formula.text);
    sc_buf_free(&formula);
    sc_page_number(json, NULL, model->rivals[r].weight, 3);
    sc_page_number(json, NULL, model->rivals[r].error < 0 ? NAN : model->rivals[r].error, 3);
    sc_page_open(json, NULL, '[');
    for (size_t i = 0; i < study->grid->count; i++) {
      int64_t now = steps_of(sc_model_value(&rival, study->grid->sizes[i]));
      sc_page_integer(json, NULL, now - before);
      before = now;
    }
    sc_page_close(json, ']');
    sc_page_close(json, ']');
  }
  sc_page_close(json, ']');
  return 0;
}

void sc_page_model_brief(sc_page_json *json, const char *key, const sc_model *model, const char *variable)
{
  char order[64];
  sc_buf formula = {0};
  if (!model) {
    sc_page_text(json, key, NULL);
    return;
  }
  bool usable = model->verdict == SC_VERDICT_MODEL;
  sc_model_format_order(&model->order, variable, order, sizeof order);
  sc_context_formula(model, variable, &formula);
  sc_page_open(json, key, '{');
  sc_page_text(json, "formula", usable ? formula.text : NULL);
  sc_page_text(json, "order", usable ? order : NULL);
  sc_page_integer(json, "class", usable ? sc_page_order_class(&model->order) : -1);
  sc_page_bool(json, "exact", model->exact);
  sc_page_number(json, "error", model->error < 0 ? NAN : model->error, 3);
  sc_page_text(json, "why", *model->why ? model->why : NULL);
  sc_page_close(json, '}');
  sc_buf_free(&formula);
}

static int write_words(sc_page_study *study, const sc_model *model, sc_page_json *json)
{
  const char *variable = study->judge->loaded.workload->parameter;
  bool usable = model->verdict == SC_VERDICT_MODEL;
  char order[64];
  uint32_t formula, class, why;
  sc_buf text = {0};
  sc_model_format_order(&model->order, variable, order, sizeof order);
  sc_context_formula(model, variable, &text);
  int err = sc_buf_finish(&text);
  err = err ?: sc_page_strings_add(study->strings, usable ? text.text : "", &formula);
  err = err ?: sc_page_strings_add(study->strings, usable ? order : "", &class);
  err = err ?: sc_page_strings_add(study->strings, model->why, &why);
  sc_buf_free(&text);
  SC_TRY(err);
  sc_page_open(json, NULL, '[');
  sc_page_integer(json, NULL, usable ? sc_page_order_class(&model->order) : -1);
  sc_page_integer(json, NULL, formula);
  sc_page_integer(json, NULL, class);
  sc_page_integer(json, NULL, why);
  sc_page_integer(json, NULL, model->exact);
  sc_page_number(json, NULL, model->error < 0 ? NAN : model->error, 3);
  sc_page_number(json, NULL, model->points, 3);
  sc_page_close(json, ']');
  return 0;
}

int sc_page_models_write(sc_page_study *study, sc_page_json *json)
{
  const sc_analysis *analysis = study->judge->loaded.analysis;
  size_t count = sc_analysis_model_count(analysis);
  sc_page_open(json, "models", '{');
  sc_page_open(json, "words", '[');
  for (size_t m = 0; m < count; m++)
    SC_TRY(write_words(study, sc_analysis_model_at(analysis, m), json));
  sc_page_close(json, ']');
  sc_page_open(json, "curves", '[');
  for (size_t m = 0; m < count; m++) {
    const sc_model *model = sc_analysis_model_at(analysis, m);
    if (model->verdict == SC_VERDICT_MODEL)
      SC_TRY(write_page_model_curve(study, model, json));
    else
      sc_page_text(json, NULL, NULL);
  }
  sc_page_close(json, ']');
  sc_page_open(json, "rivals", '[');
  for (size_t m = 0; m < count; m++)
    SC_TRY(write_rivals(study, sc_analysis_model_at(analysis, m), json));
  sc_page_close(json, ']');
  sc_page_close(json, '}');
  return 0;
}

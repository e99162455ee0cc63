/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What no sum of products of functions describes, such as a change from constant to quadratic at some value: models of
 * one parameter have change points, stairs and the like, so the product of one along each is tried. It has to reproduce
 * every point.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"
#include "runner/text/tuning.h"
#include "transitions/model/costs.h"

static int fit_product_line(const sc_several *s, const double *row, size_t along, sc_model *model, double *crossing)
{
  const sc_several_line *l = &s->lines[along];
  double base[SC_SURFACE_PARAMETERS] = {0}, *y;
  sc_workload_base(s->judge->loaded.workload, base + 1);
  *model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL};
  if (l->count < SC_ALONG_VALUES)
    return 0;
  SC_TRY(SC_NEW(y, l->count));
  for (size_t i = 0; i < l->count; i++) {
    y[i] = row[l->points[i]];
    if (along && l->values[i] == base[along])
      *crossing = y[i];
  }
  const sc_series series = {.n = l->values, .y = y, .count = l->count, .counts = true};
  int err = sc_costs_fit(&series, &sc_analysis_get_options(s->judge->loaded.analysis)->fit, model);
  free(y);
  return err;
}

double sc_several_product_value(const sc_several *s, const sc_several_product *product, const double *at)
{
  double value = product->reference;
  for (size_t p = 0; p < s->parameters; p++)
    value *= sc_model_value(&product->lines[p], at[p]) / product->reference;
  return value;
}

static bool product_reproduces(const sc_several *s, const double *row, sc_several_product *product)
{
  bool exact = true;
  for (size_t p = 0; p < s->parameters; p++)
    exact = exact && product->lines[p].exact;
  for (size_t i = 0; i < s->run_count; i++) {
    double off = fabs(sc_several_product_value(s, product, s->at + i * s->parameters) - row[i]);
    if (!(off <= SC_SEVERAL_MISSES * row[i]))
      return false;
    exact = exact && off < 0.5;
  }
  for (size_t p = 0; p < s->parameters; p++)
    product->lines[p].exact = exact;
  return true;
}

static int find_product(const sc_several *s, const double *row, sc_several_product *product, bool *found)
{
  *found = false;
  for (size_t p = 0; p < s->parameters; p++) {
    product->reference = 0;
    SC_TRY(fit_product_line(s, row, p, &product->lines[p], &product->reference));
    if (product->lines[p].verdict != SC_VERDICT_MODEL || (p && !(product->reference > 0)))
      return 0;
  }
  *found = product_reproduces(s, row, product);
  return 0;
}

int sc_several_find_products(sc_several *s)
{
  SC_TRY(SC_NEW(s->products, s->set.count + 1));
  for (uint32_t k = 0; k < s->set.count; k++) {
    const sc_surface *surface = s->fits[k] == SC_SEVERAL_REST ? NULL : &s->models[s->fits[k]];
    bool found;
    if (!surface || surface->verdict == SC_VERDICT_MODEL || surface->ambiguous)
      continue;
    SC_TRY(SC_NEW(s->products[k], 1));
    SC_TRY(find_product(s, sc_series_row(&s->set, k), s->products[k], &found));
    if (found)
      continue;
    free(s->products[k]);
    s->products[k] = NULL;
  }
  return 0;
}

void sc_several_free_products(sc_several *s)
{
  for (uint32_t k = 0; s->products && k < s->set.count; k++)
    free(s->products[k]);
  free(s->products);
}

/* The others' errors are alike in all of it. */
int sc_several_cut_product(const sc_several *s, const sc_several_product *product, const double *at, size_t along,
                           sc_model *model)
{
  double factor = 1, square = 0, level = sc_analysis_get_options(s->judge->loaded.analysis)->level;
  *model = product->lines[along];
  for (size_t p = 0; p < s->parameters; p++) {
    sc_interval other;
    if (p == along)
      continue;
    SC_TRY(sc_model_predict(&product->lines[p], at[p], level, &other));
    double deviation = other.value > 0 ? (other.high - other.low) / (4 * other.value) : 0;
    factor *= other.value / product->reference;
    square += deviation * deviation;
  }
  sc_model_scale(model, factor, 0);
  model->exact = model->exact && square == 0;
  model->scatter = sqrt(model->scatter * model->scatter + square);
  return 0;
}

/* Of a single term in front the coefficient goes to the next factor. */
void sc_several_product_formula(const sc_several *s, const sc_several_product *product, bool expression, sc_buf *out)
{
  const sc_model *first = &product->lines[0];
  bool alone = first->term_count == 1 && !first->piece_count && !(first->terms[0].base > 0);
  double moved = alone ? first->terms[0].coefficient : 1;
  for (size_t p = 0; p < s->parameters; p++) {
    sc_model line = product->lines[p];
    char text[512];
    sc_model_scale(&line, p == 0 ? 1 / moved : p == 1 ? moved / product->reference : 1 / product->reference, 0);
    (expression ? sc_model_expression(&line, s->names[p], text, sizeof text)
                : sc_model_format_brief(&line, s->names[p], 0, text, sizeof text));
    bool simple = strchr(text, ' ') == NULL;
    sc_buf_printf(out, "%s%s%s%s", p == 0 ? "" : expression ? " * " : " ", simple ? "" : "(", text, simple ? "" : ")");
  }
}

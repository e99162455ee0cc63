/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distinct series of counts over all points, and a surface for each that matters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"
#include "runner/text/tuning.h"

static int intern_surface(sc_several *s)
{
  int err = 0;
  double *row = sc_mem_new(s->run_count + 1, sizeof *row);
  s->series = sc_mem_new(s->contexts, sizeof *s->series);
  if (!row || !s->series) {
    err = SC_E_NOMEM;
    goto out;
  }
  s->set.width = s->run_count;
  for (uint32_t c = 0; c < s->contexts; c++) {
    bool covered = c && sc_analysis_in_scope(s->judge->loaded.analysis, c);
    for (size_t i = 0; i < s->run_count; i++)
      row[i] = covered ? sc_graph_value(s->graph, s->runs[i], c, SC_METRIC_COUNT) : 0;
    SC_GOTO(sc_series_intern(&s->set, row, &s->series[c]));
  }
  s->members = sc_mem_new(s->set.count, sizeof *s->members);
  s->fits = sc_mem_new(s->set.count, sizeof *s->fits);
  if (!s->members || !s->fits)
    err = SC_E_NOMEM;
  for (uint32_t c = 1; err == 0 && c < s->contexts; c++)
    if (sc_analysis_in_scope(s->judge->loaded.analysis, c))
      s->members[s->series[c]] += sc_location_weight(sc_graph_at(s->graph, c));
out:
  free(row);
  return err;
}

typedef struct weighed {
  uint32_t series;
  double weight;
} weighed;

static int compare_weights(const void *a, const void *b)
{
  const weighed *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->series < y->series ? -1 : x->series > y->series;
}

/* What all contexts with the series make at the point where that is most. */
static double surface_weight_of(const sc_several *s, uint32_t series)
{
  const double *row = sc_series_row(&s->set, series);
  double most = 0;
  for (size_t i = 0; i < s->run_count; i++)
    most = fmax(most, row[i] * s->members[series]);
  return most;
}

static int fit_row(const sc_several *s, sc_surface_engine *engine, const double *row, sc_surface *model)
{
  sc_surface_series series = {
      .at = s->at, .y = row, .count = s->run_count, .parameters = s->parameters, .counts = true, .names = s->names};
  for (size_t i = 0; i < s->run_count; i++)
    series.counts = series.counts && row[i] == floor(row[i]) && row[i] < 0x1p53;
  return sc_surface_run(engine, &series, model);
}

static int fit_rest(sc_several *s, sc_surface_engine *engine)
{
  double *sum = sc_mem_new(s->run_count + 1, sizeof *sum);
  if (!sum)
    return SC_E_NOMEM;
  for (uint32_t k = 0; k < s->set.count; k++)
    for (size_t i = 0; s->fits[k] == SC_SEVERAL_REST && i < s->run_count; i++)
      sum[i] += s->members[k] * sc_series_row(&s->set, k)[i];
  int err = fit_row(s, engine, sum, &s->models[s->model_count]);
  s->model_count++;
  free(sum);
  return err;
}

static int fit_all(sc_several *s, sc_surface_engine *engine, const weighed *order)
{
  size_t count = s->set.count, alone = count < SC_SEVERAL_MODELS ? count : SC_SEVERAL_MODELS;
  s->rest = count > alone;
  s->models = sc_mem_new(alone + 1, sizeof *s->models);
  if (!s->models)
    return SC_E_NOMEM;
  for (size_t i = 0; i < count; i++)
    s->fits[order[i].series] = i < alone ? (uint32_t)i : SC_SEVERAL_REST;
  for (; s->model_count < alone; s->model_count++)
    SC_TRY(fit_row(s, engine, sc_series_row(&s->set, order[s->model_count].series), &s->models[s->model_count]));
  return s->rest ? fit_rest(s, engine) : 0;
}

int sc_several_fit(sc_several *s)
{
  sc_surface_engine *engine = NULL;
  weighed *order = NULL;
  int err;
  SC_GOTO(intern_surface(s));
  SC_GOTO(sc_surface_new(&SC_FIT_OPTIONS_DEFAULT, &engine)); /* the paper's engine knows one parameter only */
  order = sc_mem_new(s->set.count + 1, sizeof *order);
  if (!order) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (uint32_t k = 0; k < s->set.count; k++)
    order[k] = (weighed){k, surface_weight_of(s, k)};
  qsort(order, s->set.count, sizeof *order, compare_weights);
  SC_GOTO(fit_all(s, engine, order));
  err = sc_several_find_products(s);
out:
  sc_surface_free(engine);
  free(order);
  return err;
}

const sc_surface *sc_several_surface(const sc_several *several, uint32_t context)
{
  uint32_t fit = several->fits[several->series[context]];
  return fit == SC_SEVERAL_REST ? NULL : &several->models[fit];
}

bool sc_several_count_formula(const sc_several *s, uint32_t context, bool expression, sc_buf *out, bool *exact)
{
  const sc_several_product *product = s->products[s->series[context]];
  const sc_surface *surface = sc_several_surface(s, context);
  char text[512];
  if (exact)
    *exact = product ? product->lines[0].exact : surface && surface->exact;
  if (product) {
    sc_several_product_formula(s, product, expression, out);
    return true;
  }
  if (!surface || (surface->verdict != SC_VERDICT_MODEL && !surface->ambiguous))
    return false;
  (expression ? sc_surface_expression(surface, s->names, text, sizeof text)
              : sc_surface_format_brief(surface, s->names, 0, text, sizeof text));
  sc_buf_puts(out, text);
  return true;
}

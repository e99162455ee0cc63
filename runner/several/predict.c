/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Executions come from the surfaces. What an execution costs is known from the study at the base values, with its
 * growth in the focused parameter: the cost at a point is the cost predicted at the base, in proportion to executions.
 * Whether that holds is looked at where other values were run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"

/* Above this share of the executions what cannot be told leaves the total without an upper end, as at one parameter. */
static const double UNTOLD_MOST = 0.01;

static bool is_base(const sc_several *s, const sc_several_answer *a)
{
  return sc_workload_is_base(s->judge->loaded.workload, a->point.at + 1);
}

typedef struct prediction {
  sc_interval there; /* executions of one context */
  double base;       /* at the base values */
} prediction;

static bool untold(const sc_surface *model) { return model->verdict == SC_VERDICT_CANNOT_TELL && !model->ambiguous; }

static const sc_surface *model_of(const sc_several *s, uint32_t series)
{
  uint32_t fit = s->fits[series];
  return &s->models[fit == SC_SEVERAL_REST ? s->model_count - 1 : fit];
}

/* Of each model once. */
static int predict_models(const sc_several *s, const sc_several_point *point, prediction **list)
{
  double base[SC_SURFACE_PARAMETERS] = {point->at[0]};
  sc_workload_base(s->judge->loaded.workload, base + 1);
  *list = sc_mem_new(s->model_count + 1, sizeof **list);
  if (!*list)
    return SC_E_NOMEM;
  for (size_t i = 0; i < s->model_count; i++) {
    (*list)[i].base = sc_surface_value(&s->models[i], base);
    SC_TRY(sc_surface_predict(&s->models[i], point->at, 0.95, &(*list)[i].there));
  }
  return 0;
}

/* What is known of the cost at a point: the parts of the sum over all contexts. */
typedef struct parts {
  double value, low, high;       /* low, high: with what executions are unsure, all erring alike */
  double below, above;           /* squares of what prices are unsure, by chance: here, */
  double base_below, base_above; /* and at the base values */
  double base;                   /* value there */
  bool open;
} parts;

static double square(double x) { return x * x; }

/* One context's cost, by what it is at the base, and as a part of the whole. */
static int predict_cost(const sc_several *s, uint32_t context, const prediction *p, double n, sc_interval *out,
                        parts *sum)
{
  sc_interval base;
  SC_TRY(sc_analysis_cost(s->judge->loaded.analysis, context, n, &base));
  double times = p->base > 0 ? p->there.value / p->base : 1;
  double low = p->there.value > 0 ? p->there.low / p->there.value : 1;
  double high = p->there.value > 0 ? p->there.high / p->there.value : 1;
  sc_interval here = {base.value * times, base.low * times, base.high * times};
  if (sc_several_counted(s, context) && !(p->base > 0)) { /* nothing of it at the base */
    double price = s->prices[context] * p->there.value;
    here = (sc_interval){base.value + price, base.low, base.high + SC_SEVERAL_PRICE_MOST * price};
  }
  *out = (sc_interval){here.value, here.low * low, here.high * high};
  sum->open = sum->open || isinf(here.high) || isinf(high);
  sum->value += here.value;
  sum->low += here.value * low;
  sum->high += here.value * (isinf(high) ? 1 : high);
  sum->below += square(here.value - here.low);
  sum->above += isinf(here.high) ? 0 : square(here.high - here.value);
  sum->base += base.value;
  sum->base_below += square(base.value - base.low);
  sum->base_above += isinf(base.high) ? 0 : square(base.high - base.value);
  return 0;
}

/* The run with the most executions: the share of those of which nothing can be told. */
static void find_untold(const sc_several *s, sc_several_answer *a)
{
  double most = 0;
  for (size_t i = 0; i < s->run_count; i++) {
    double all = 0, lost = 0;
    for (uint32_t k = 0; k < s->set.count; k++) {
      double here = s->members[k] * sc_series_row(&s->set, k)[i];
      all += here;
      lost += untold(model_of(s, k)) ? here : 0;
    }
    if (all > most) {
      most = all;
      a->untold_share = lost / all;
    }
  }
  for (uint32_t c = 1; c < s->contexts; c++)
    a->untold += sc_analysis_in_scope(s->judge->loaded.analysis, c) && untold(model_of(s, s->series[c]));
}

static void add_executions(const sc_several *s, const prediction *predictions, sc_several_answer *a)
{
  for (uint32_t k = 0; k < s->set.count; k++) {
    if (s->fits[k] == SC_SEVERAL_REST)
      continue;
    const sc_interval *one = &predictions[s->fits[k]].there;
    bool open = isinf(one->high) && a->untold_share < UNTOLD_MOST;
    a->executions.value += s->members[k] * one->value;
    a->executions.low += s->members[k] * one->low;
    a->executions.high += s->members[k] > 0 ? s->members[k] * (open ? one->value : one->high) : 0;
  }
  if (!s->rest)
    return;
  const sc_interval *rest = &predictions[s->model_count - 1].there;
  a->executions.value += rest->value;
  a->executions.low += rest->low;
  a->executions.high += rest->high;
}

static double weight_of(const sc_several *s, uint32_t context)
{
  return sc_location_weight(sc_graph_at(s->graph, context));
}

static int add_rows(const sc_several *s, const prediction *predictions, sc_several_answer *a, parts *sum)
{
  size_t capacity = 0;
  for (uint32_t c = 1; c < s->contexts; c++) {
    uint32_t fit = s->fits[s->series[c]];
    const prediction *p = &predictions[fit == SC_SEVERAL_REST ? s->model_count - 1 : fit];
    sc_interval cost = {0};
    if (!sc_analysis_in_scope(s->judge->loaded.analysis, c))
      continue;
    if (a->costs)
      SC_TRY(predict_cost(s, c, p, a->point.at[0], &cost, sum));
    if (fit == SC_SEVERAL_REST || !(cost.value > 0 || p->there.value > 0))
      continue;
    SC_TRY(sc_mem_grow(&a->rows, &capacity, a->row_count + 1, sizeof *a->rows));
    a->rows[a->row_count++] = (sc_rank_row){.context = c,
                                            .count = p->there,
                                            .cost = cost,
                                            .executions = p->there.value * weight_of(s, c),
                                            .counted = p->there.value > 0};
  }
  return 0;
}

/* What the whole costs at the base beyond its contexts (samples in none of them) stays as it is, with what is left of
 * the interval. */
static int bound_cost(const sc_several *s, const parts *sum, sc_several_answer *a)
{
  sc_interval base;
  SC_TRY(sc_analysis_total(s->judge->loaded.analysis, a->point.at[0], &base));
  double rest = fmax(0, base.value - sum->base), value = sum->value + rest;
  double below = sum->below + fmax(0, square(base.value - base.low) - sum->base_below);
  double above = sum->above + fmax(0, square(base.high - base.value) - sum->base_above);
  double low = sum->low + rest - sqrt(below), high = sum->high + rest + sqrt(above);
  if (isfinite(a->checked)) {
    low *= fmin(1, a->checked);
    high *= fmax(1, a->checked);
  }
  bool open = sum->open && a->untold_share >= UNTOLD_MOST;
  a->cost = (sc_interval){value, fmax(0, low), open ? INFINITY : high};
  return 0;
}

/* At the base values: what the study says by itself. */
static int take_base(const sc_several *s, sc_several_answer *a)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  size_t capacity = 0;
  for (uint32_t c = 1; c < s->contexts; c++) {
    sc_rank_row row = {.context = c};
    if (!sc_analysis_in_scope(analysis, c))
      continue;
    if (sc_several_counted(s, c))
      SC_TRY(sc_analysis_count(analysis, c, a->point.at[0], &row.count));
    if (a->costs)
      SC_TRY(sc_analysis_cost(analysis, c, a->point.at[0], &row.cost));
    row.executions = row.count.value * weight_of(s, c);
    row.counted = row.count.value > 0;
    a->executions.value += row.executions;
    a->executions.low += row.count.low * weight_of(s, c);
    a->executions.high += row.count.high * weight_of(s, c);
    if (!row.counted && !(row.cost.value > 0))
      continue;
    SC_TRY(sc_mem_grow(&a->rows, &capacity, a->row_count + 1, sizeof *a->rows));
    a->rows[a->row_count++] = row;
  }
  a->untold = sc_analysis_untold(analysis)->count;
  a->untold_share = sc_analysis_untold(analysis)->count_share;
  return a->costs ? sc_analysis_total(analysis, a->point.at[0], &a->cost) : 0;
}

static int find_analysis(const sc_several *s, const double *others, const sc_analysis **analysis)
{
  struct sc_several_moved *m = s->moved;
  size_t bytes = (s->parameters - 1) * sizeof *others;
  *analysis = s->judge->loaded.analysis;
  if (sc_workload_is_base(s->judge->loaded.workload, others)) /* the study's own */
    return 0;
  if (m->analysis && memcmp(m->others, others, bytes) != 0) {
    sc_analysis_free(m->analysis);
    m->analysis = NULL;
  }
  if (!m->analysis)
    SC_TRY(sc_several_move_analysis(s, others, &m->analysis));
  memcpy(m->others, others, bytes);
  *analysis = m->analysis;
  return 0;
}

static int predict_elapsed(const sc_several *s, sc_several_answer *a)
{
  const sc_analysis *analysis;
  a->timed = s->time != NULL;
  if (!a->timed)
    return 0;
  SC_TRY(find_analysis(s, a->point.at + 1, &analysis));
  SC_TRY(sc_analysis_elapsed(analysis, a->point.at[0], &a->elapsed));
  return sc_analysis_elapsed_parts(analysis, a->point.at[0], &a->parts);
}

int sc_several_predict(const sc_several *s, const sc_several_point *point, sc_several_answer *a)
{
  prediction *predictions = NULL;
  parts sum = {.value = 0};
  int err;
  *a = (sc_several_answer){.point = *point, .checked = s->checked};
  a->costs = s->costs;
  for (size_t i = 0; i < s->parameters; i++)
    a->beyond[i] = point->at[i] / s->high[i];
  a->beyond_varied = point->at[0] / s->high_varied;
  if (is_base(s, a)) {
    SC_TRY(take_base(s, a));
    return predict_elapsed(s, a);
  }
  SC_GOTO(predict_models(s, point, &predictions));
  find_untold(s, a);
  add_executions(s, predictions, a);
  SC_GOTO(add_rows(s, predictions, a, &sum));
  if (a->costs)
    SC_GOTO(bound_cost(s, &sum, a));
  err = predict_elapsed(s, a);
out:
  free(predictions);
  return err;
}

void sc_several_answer_free(sc_several_answer *answer)
{
  free(answer->rows);
  *answer = (sc_several_answer){0};
}

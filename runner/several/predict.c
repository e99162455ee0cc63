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

static int predict_cost(const sc_several *s, uint32_t context, const prediction *p, double n, sc_interval *out)
{
  SC_TRY(sc_analysis_cost(s->judge->loaded.analysis, context, n, out));
  if (!sc_several_counted(s, context))
    return 0;
  if (p->base > 0) {
    out->value *= p->there.value / p->base;
    out->low *= p->there.low / p->base;
    out->high *= p->there.high / p->base;
    return 0;
  }
  double price = s->prices[context];
  *out = (sc_interval){price * p->there.value, 0, price > 0 ? 2 * price * p->there.high : 0};
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
  for (uint32_t k = 0; k < s->set.count; k++)
    a->untold += untold(model_of(s, k)) ? (size_t)s->members[k] : 0;
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

static int add_rows(const sc_several *s, const prediction *predictions, sc_several_answer *a)
{
  size_t capacity = 0;
  for (uint32_t c = 1; c < s->contexts; c++) {
    uint32_t fit = s->fits[s->series[c]];
    const prediction *p = &predictions[fit == SC_SEVERAL_REST ? s->model_count - 1 : fit];
    sc_interval cost = {0};
    if (!sc_analysis_in_scope(s->judge->loaded.analysis, c))
      continue;
    if (a->costs)
      SC_TRY(predict_cost(s, c, p, a->point.at[0], &cost));
    a->cost.value += cost.value;
    a->cost.low += cost.low;
    a->cost.high += isinf(cost.high) && a->untold_share < UNTOLD_MOST ? cost.value : cost.high;
    if (fit == SC_SEVERAL_REST || !(cost.value > 0 || p->there.value > 0))
      continue;
    SC_TRY(sc_mem_grow(&a->rows, &capacity, a->row_count + 1, sizeof *a->rows));
    a->rows[a->row_count++] =
        (sc_rank_row){.context = c, .count = p->there, .cost = cost, .counted = p->there.value > 0};
  }
  return 0;
}

/* Single contexts' samples err by chance, and their sum by less: its interval is the study's own at the base values,
 * wider by what executions are unsure, and by what was measured elsewhere. */
static int bound_cost(const sc_several *s, sc_several_answer *a)
{
  sc_interval base;
  SC_TRY(sc_analysis_total(s->judge->loaded.analysis, a->point.at[0], &base));
  double low = 1, high = 1;
  if (a->executions.value > 0) {
    low = a->executions.low / a->executions.value;
    high = a->executions.high / a->executions.value;
  }
  if (isfinite(a->checked)) {
    low *= fmin(1, a->checked);
    high *= fmax(1, a->checked);
  }
  if (base.value > 0) {
    a->cost.low = a->cost.value * low * base.low / base.value;
    a->cost.high = a->cost.value * high * base.high / base.value;
  }
  return 0;
}

int sc_several_predict(const sc_several *s, const sc_several_point *point, sc_several_answer *a)
{
  prediction *predictions = NULL;
  int err;
  *a = (sc_several_answer){.point = *point, .checked = s->checked};
  a->costs = strcmp(sc_analysis_cost_unit(s->judge->loaded.analysis), "iterations") != 0;
  for (size_t i = 0; i < s->parameters; i++)
    a->beyond[i] = point->at[i] / s->high[i];
  a->beyond_varied = point->at[0] / s->high_varied;
  SC_GOTO(predict_models(s, point, &predictions));
  find_untold(s, a);
  add_executions(s, predictions, a);
  SC_GOTO(add_rows(s, predictions, a));
  if (a->costs)
    err = bound_cost(s, a);
out:
  free(predictions);
  return err;
}

void sc_several_answer_free(sc_several_answer *answer)
{
  free(answer->rows);
  *answer = (sc_several_answer){0};
}

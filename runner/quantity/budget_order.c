/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "order of parse() <= n log n": of everything that is executed in parse, in any of its contexts. */
#include <stdlib.h>

#include "runner/quantity/budget.h"
#include "runner/quantity/places.h"
#include "runner/text/tuning.h"
#include "transitions/model/order.h"

typedef struct search {
  const sc_judge *judge;
  const uint32_t *contexts;
  size_t count;
  const sc_model *highest, *over, *doubtful; /* of those within the limit or not; that is above it; that may be */
  uint32_t highest_at, over_at, doubtful_at;
  double unknown, all; /* executions in the largest run: without a model, in total */
} search;

static void keep_higher(const sc_model **best, uint32_t *at, const sc_model *model, uint32_t context)
{
  if (*best && sc_model_compare_order(&model->order, &(*best)->order) <= 0)
    return;
  *best = model;
  *at = context;
}

/* Over the limit for sure only where the data exclude slower growth: a gate must not close for a model that has rivals
 * below the limit. */
static void judge_budget_order(search *s, const sc_order *limit, uint32_t context)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  const sc_model *model = sc_analysis_model(analysis, context);
  size_t run = sc_analysis_run(analysis, sc_analysis_run_count(analysis) - 1);
  double executions = sc_graph_executions(s->judge->loaded.graph, run, context);
  enum sc_fit_engine engine = sc_analysis_get_options(analysis)->fit.engine;
  s->all += executions;
  if (model->verdict != SC_VERDICT_MODEL) {
    s->unknown += executions;
    return;
  }
  keep_higher(&s->highest, &s->highest_at, model, context);
  if (sc_order_rise(limit, model, engine) == SC_RISE_NONE)
    return;
  bool sure = model->exact || (sc_order_supported(model) && model->exponent_low > limit->exponent);
  if (sure)
    keep_higher(&s->over, &s->over_at, model, context);
  else
    keep_higher(&s->doubtful, &s->doubtful_at, model, context);
}

static void conclude_budget_order(const search *s, sc_budget_verdict *v)
{
  const sc_model *told = s->over ? s->over : s->doubtful ? s->doubtful : s->highest;
  v->context = s->over ? s->over_at : s->doubtful ? s->doubtful_at : s->highest ? s->highest_at : s->contexts[0];
  if (told)
    sc_model_format_order(&told->order, s->judge->loaded.workload->parameter, v->found, sizeof v->found);
  if (s->over)
    v->state = SC_BUDGET_BROKEN;
  else if (s->doubtful)
    snprintf(v->why, sizeof v->why, "the data leave slower growth plausible");
  else if (!told || s->unknown > s->all * SC_BUDGET_UNMODELLED)
    snprintf(v->why, sizeof v->why, "a part of it has no model");
  else
    v->state = SC_BUDGET_KEPT;
}

int sc_budget_judge_order(const sc_judge *judge, const sc_budget *budget, sc_budget_verdict *verdict)
{
  const sc_graph *graph = judge->loaded.graph;
  sc_places places = {0};
  uint32_t *contexts = NULL;
  search s = {.judge = judge};
  int err;
  SC_GOTO(sc_places_find(graph, budget->subject, &places));
  SC_GOTO(sc_places_inside(graph, &places, &contexts, &s.count));
  s.contexts = contexts;
  for (size_t i = 0; i < s.count; i++)
    if (sc_location_is_counted(sc_graph_at(graph, contexts[i])) &&
        sc_analysis_in_scope(judge->loaded.analysis, contexts[i]))
      judge_budget_order(&s, &budget->order, contexts[i]);
  if (s.count)
    conclude_budget_order(&s, verdict);
out:
  free(contexts);
  sc_places_free(&places);
  return err;
}

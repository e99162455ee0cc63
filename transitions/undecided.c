/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/undecided.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/costs.h"

/* The slowest plausible rival, if it is not superlinear. */
static bool slow_rival(const sc_model *model, sc_model *rival)
{
  bool found = false;
  double slowest = SC_ORDER_SUPERLINEAR;
  for (size_t i = 0; i < model->rival_count; i++) {
    double exponent = model->rivals[i].term_count ? model->rivals[i].terms[0].exponent : 0;
    if (model->rivals[i].weight < SC_MODEL_PLAUSIBLE || exponent >= slowest)
      continue;
    *rival = (sc_model){.term_count = model->rivals[i].term_count};
    memcpy(rival->terms, model->rivals[i].terms, sizeof rival->terms);
    slowest = exponent;
    found = true;
  }
  return found;
}

static void add_reason(const sc_analysis *a, const sc_undecided *u, sc_buf *out)
{
  const char *variable = a->options.variable ? a->options.variable : "n", *what = u->of_cost ? "cost" : "counts";
  char best[160], other[160];
  sc_model rival;
  sc_model_format(&u->model, variable, best, sizeof best);
  if (slow_rival(&u->model, &rival)) {
    sc_model_format(&rival, variable, other, sizeof other);
    sc_buf_printf(out, "The %s fit %s, and about as well %s.", what, best, other);
  } else if (u->exponent_low < SC_ORDER_SUPERLINEAR) {
    sc_buf_printf(out, "The %s come in steps or bursts: %s misses them by %.2g%% on average.", what, best,
                  100 * fmax(u->model.fit_error, u->model.error));
  } else {
    sc_buf_printf(out, "%s misses the %s by %.2g%% on average, at %zu sizes.", best, what,
                  100 * fmax(u->model.fit_error, u->model.error), u->model.points);
  }
}

/* The next in the context's subtree, depth first; 0 at its end. */
static uint32_t next_below(const sc_graph *graph, uint32_t top, uint32_t context)
{
  uint32_t next = sc_graph_first_child(graph, context);
  while (!next && context != top) {
    next = sc_graph_next_sibling(graph, context);
    context = sc_graph_parent(graph, context);
  }
  return next;
}

/* What no finding carries of the context and of what is in it. */
static int add_cost(const sc_judging *j, const sc_transition *t, sc_undecided *u)
{
  const sc_analysis *a = j->analysis;
  sc_blend blend = {0};
  int err = 0;
  for (uint32_t c = t->context; c; c = t->of_cost ? 0 : next_below(a->graph, t->context, c)) {
    sc_blend_part part = sc_costs_part(&a->loads[c]);
    if (j->transitions.owner[c] == SC_NONE && sc_analysis_in_scope(a, c) && part.value > 0)
      SC_GOTO(sc_blend_add(&blend, &part));
  }
  sc_blend_compact(&blend);
  u->cost += sc_blend_value(&blend, a->models, j->horizon);
out:
  sc_blend_free(&blend);
  return err;
}

static bool inside_another(const sc_judging *j, const bool *doubtful, uint32_t context)
{
  for (uint32_t c = sc_graph_parent(j->analysis->graph, context); c; c = sc_graph_parent(j->analysis->graph, c))
    if (doubtful[c])
      return true;
  return false;
}

static sc_undecided *find(const sc_judging *j, sc_findings *findings, const sc_transition *t)
{
  const sc_graph *graph = j->analysis->graph;
  for (size_t i = 0; i < findings->undecided_count; i++) {
    sc_undecided *u = &findings->undecided[i];
    if (sc_graph_location_of(graph, u->context) == sc_graph_location_of(graph, t->context) && u->kind == t->kind &&
        u->of_cost == t->of_cost)
      return u;
  }
  return NULL;
}

static int add(const sc_judging *j, const sc_transition *t, sc_findings *findings)
{
  const sc_analysis *a = j->analysis;
  sc_undecided *u = find(j, findings, t);
  double most = u ? sc_analysis_values(a, u->context)[a->run_count - 1] : -1;
  if (!u)
    u = &findings->undecided[findings->undecided_count++];
  SC_TRY(add_cost(j, t, u));
  u->sites++;
  if (sc_analysis_values(a, t->context)[a->run_count - 1] <= most)
    return 0;
  u->context = t->context;
  u->parent = t->parent;
  u->kind = t->kind;
  u->from = t->from;
  u->to = t->to;
  u->of_cost = t->of_cost;
  u->model = t->of_cost ? a->models[a->loads[t->context].cost_model] : *sc_analysis_model(a, t->context);
  u->exponent_low = u->model.exponent_low;
  return 0;
}

static int finish(const sc_judging *j, sc_undecided *u, bool *negligible)
{
  const sc_analysis *a = j->analysis;
  sc_interval count;
  sc_buf reason = {0};
  SC_TRY(sc_analysis_count(a, u->context, j->horizon, &count));
  u->share = sc_judging_share(u->cost, j->total.value);
  u->deciding = sc_model_deciding_size(&u->model);
  *negligible =
      u->share < a->options.negligible && sc_judging_share(count.value, j->executions) < a->options.negligible;
  add_reason(a, u, &reason);
  int err = sc_buf_finish(&reason);
  u->reason = sc_buf_take(&reason);
  sc_buf_free(&reason);
  return err;
}

static int compare(const void *left, const void *right)
{
  const sc_undecided *x = left, *y = right;
  if (x->cost != y->cost)
    return x->cost > y->cost ? -1 : 1;
  return x->context < y->context ? -1 : x->context > y->context;
}

static int finish_all(const sc_judging *j, sc_findings *findings)
{
  size_t kept = 0, all = findings->undecided_count;
  int err = 0;
  for (size_t i = 0; i < all && err >= 0; i++) {
    bool negligible;
    err = finish(j, &findings->undecided[i], &negligible);
    if (err >= 0 && !negligible) {
      sc_undecided kept_one = findings->undecided[i];
      findings->undecided[i].reason = NULL;
      findings->undecided[kept++] = kept_one;
      continue;
    }
    free(findings->undecided[i].reason);
    findings->undecided[i].reason = NULL;
  }
  findings->undecided_count = kept;
  qsort(findings->undecided, kept, sizeof *findings->undecided, compare);
  return err;
}

int sc_undecided_make(const sc_judging *j, sc_findings *findings)
{
  int err = SC_E_NOMEM;
  bool *doubtful = sc_mem_new(j->analysis->contexts, sizeof *doubtful);
  findings->undecided = sc_mem_new(j->transitions.count + 1, sizeof *findings->undecided);
  if (!doubtful || !findings->undecided)
    goto out;
  err = 0;
  for (size_t t = 0; t < j->transitions.count; t++) {
    const sc_transition *transition = &j->transitions.list[t];
    if (!transition->doubtful || sc_judging_tiny(j->analysis, transition->context) ||
        inside_another(j, doubtful, transition->context))
      continue;
    doubtful[transition->context] = true;
    SC_GOTO(add(j, transition, findings));
  }
  SC_GOTO(finish_all(j, findings));
out:
  free(doubtful);
  return err;
}

void sc_undecided_free(sc_findings *findings)
{
  for (size_t i = 0; i < findings->undecided_count; i++)
    free(findings->undecided[i].reason);
  free(findings->undecided);
  findings->undecided = NULL;
  findings->undecided_count = 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places whose growth the data do not decide. */
#include "transitions/findings/undecided.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/findings/spread.h"
#include "transitions/model/predict.h"
#include "transitions/model/tuning.h"

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

/* Along a further parameter. */
static bool has_few_values(const sc_analysis *a, const sc_undecided *u)
{
  return *sc_analysis_held(a) && u->model.points < SC_ALONG_VALUES;
}

static void add_reason(const sc_analysis *a, const sc_undecided *u, sc_buf *out)
{
  const char *variable = a->options.variable ? a->options.variable : "n", *what = u->of_cost ? "cost" : "counts";
  char best[160], other[160];
  sc_model rival;
  sc_model_format_brief(&u->model, variable, 0, best, sizeof best);
  if (has_few_values(a, u)) {
    sc_buf_printf(out, "%s was measured at %zu values, which decide no order.", variable, u->model.points);
    return;
  }
  if (slow_rival(&u->model, &rival)) {
    sc_model_format_brief(&rival, variable, 0, other, sizeof other);
    sc_buf_printf(out, "The %s fit %s, and about as well %s.", what, best, other);
  } else if (u->exponent_low < SC_ORDER_SUPERLINEAR) {
    sc_buf_printf(out, "The %s come in steps or bursts: %s misses them by %.2g%% on average.", what, best,
                  100 * fmax(u->model.fit_error, u->model.error));
  } else {
    sc_buf_printf(out, "%s misses the %s by %.2g%% on average, at %zu sizes.", best, what,
                  100 * fmax(u->model.fit_error, u->model.error), u->model.points);
  }
}

/* Of a doubtful one, what no finding carries of the context and of what is in it. */
static double undecided_cost_of(const sc_judging *j, size_t number)
{
  const sc_analysis *a = j->analysis;
  const sc_transition *t = &j->transitions.list[number];
  double cost = t->doubtful ? 0 : sc_carried_cost(j->carried, (uint32_t)number);
  for (uint32_t c = t->doubtful ? t->context : 0; c; c = t->of_cost ? 0 : sc_graph_next_within(a->graph, c, t->context))
    if (j->transitions.owner[c] == SC_NONE && sc_analysis_has(a, c))
      cost += sc_carried_worth(j->carried, c);
  return cost;
}

static bool inside_another(const sc_judging *j, const bool *doubtful, uint32_t context)
{
  for (uint32_t c = sc_graph_parent(j->analysis->graph, context); c; c = sc_graph_parent(j->analysis->graph, c))
    if (doubtful[c])
      return true;
  return false;
}

/* Entries in the making. */
typedef struct listing {
  const sc_judging *j;
  sc_findings *findings;
  bool *doubtful;     /* [contexts] */
  uint32_t *entry;    /* [locations * KINDS] number of the entry + 1; 0: none yet */
  uint32_t *entry_of; /* [transitions] the same */
  uint32_t *small;    /* [small_count] transitions that are negligible one by one */
  size_t small_count;
} listing;

enum { KINDS = 2 * SC_FINDING_KINDS }; /* of entries for a location: of counts or costs */

static uint32_t *entry_at(const listing *l, const sc_transition *t)
{
  size_t location = sc_graph_location_of(l->j->analysis->graph, t->context);
  return &l->entry[location * KINDS + (size_t)t->kind * 2 + t->of_cost];
}

/* One entry a location: of its contexts the one that is executed most says what the entry is about. */
static void list_transition(listing *l, size_t number)
{
  const sc_analysis *a = l->j->analysis;
  const sc_transition *t = &l->j->transitions.list[number];
  uint32_t *entry = entry_at(l, t);
  double most = *entry ? sc_analysis_values(a, l->findings->undecided[*entry - 1].context)[a->run_count - 1] : -1;
  if (!*entry)
    *entry = (uint32_t)++l->findings->undecided_count;
  sc_undecided *u = &l->findings->undecided[*entry - 1];
  l->entry_of[number] = *entry;
  u->cost += undecided_cost_of(l->j, number);
  u->sites++;
  if (sc_analysis_values(a, t->context)[a->run_count - 1] <= most)
    return;
  u->context = t->context;
  u->parent = t->parent;
  u->kind = (enum sc_finding_kind)t->kind;
  u->from = *sc_infer_order(a, t->from);
  u->to = *sc_infer_order(a, t->to);
  u->of_cost = t->of_cost;
  u->model = t->of_cost ? a->models[sc_analysis_load(a, t->context)->cost_model] : *sc_analysis_model(a, t->context);
  u->exponent_low = u->model.exponent_low;
}

/* A reader can act on one number: the next size to measure, at which the rivals part. */
static int explain_undecided(const sc_judging *j, sc_undecided *u)
{
  sc_buf reason = {0};
  u->share = sc_predict_share(u->cost, j->total.value);
  u->deciding = sc_model_deciding_size(&u->model);
  if (!isfinite(u->deciding)) /* nothing speaks for another order: a wider range shows how well this one holds */
    u->deciding = SC_UNDECIDED_FURTHER * u->model.n_max;
  if (has_few_values(j->analysis, u)) /* each value twice the one before */
    u->deciding = ldexp(u->model.n_max, SC_ALONG_VALUES - (int)u->model.points);
  add_reason(j->analysis, u, &reason);
  int err = sc_buf_finish(&reason);
  u->reason = sc_buf_take(&reason);
  sc_buf_free(&reason);
  return err;
}

static int finish_undecided(const sc_judging *j, sc_undecided *u, bool *negligible)
{
  const sc_analysis *a = j->analysis;
  sc_interval count;
  SC_TRY(sc_analysis_count(a, u->context, j->horizon, &count));
  SC_TRY(explain_undecided(j, u));
  u->executed = sc_predict_share(sc_analysis_executions(a, u->context, count.value), j->executions);
  *negligible = u->share < a->options.negligible && u->executed < a->options.negligible;
  return 0;
}

static int compare_undecided(const void *left, const void *right)
{
  const sc_undecided *x = left, *y = right;
  return SC_COMPARE(y->cost, x->cost) ?: SC_COMPARE(x->context, y->context);
}

/* Drops the negligible entries; their transitions join the small ones. */
static int finish_all(listing *l)
{
  sc_undecided *list = l->findings->undecided;
  size_t kept = 0, all = l->findings->undecided_count;
  int err = 0;
  bool *dropped;
  SC_TRY(SC_NEW(dropped, all + 1));
  for (size_t i = 0; i < all && err >= 0; i++) {
    err = finish_undecided(l->j, &list[i], &dropped[i]);
    if (err >= 0 && !dropped[i]) {
      sc_undecided kept_one = list[i];
      list[i].reason = NULL;
      list[kept++] = kept_one;
      continue;
    }
    free(list[i].reason);
    list[i].reason = NULL;
  }
  l->findings->undecided_count = kept;
  for (size_t t = 0; t < l->j->transitions.count; t++) {
    if (!l->entry_of[t])
      continue;
    bool small = dropped[l->entry_of[t] - 1];
    l->j->classes[t] = small ? SC_COVERAGE_SMALL : SC_COVERAGE_UNDECIDED;
    if (small && !l->j->transitions.list[t].of_cost)
      l->small[l->small_count++] = (uint32_t)t;
  }
  free(dropped);
  return err;
}

static int compare_undecided_sites(const void *left, const void *right)
{
  const sc_finding_site *x = left, *y = right;
  return SC_COMPARE(y->cost, x->cost) ?: SC_COMPARE(x->context, y->context);
}

static int make_undecided_sites(const listing *l, sc_finding_site *sites, double *cost, double *executions)
{
  const sc_judging *j = l->j;
  for (size_t i = 0; i < l->small_count; i++) {
    const sc_transition *t = &j->transitions.list[l->small[i]];
    sites[i] = (sc_finding_site){.context = t->context,
                                 .parent = t->parent,
                                 .from = sc_infer_order(j->analysis, t->from),
                                 .to = sc_infer_order(j->analysis, t->to),
                                 .weight = sc_analysis_executions(j->analysis, t->context, 1)};
    SC_TRY(sc_carried_count(j->carried, t->context, &sites[i].count));
    sites[i].cost = undecided_cost_of(j, l->small[i]);
    sites[i].share = sc_predict_share(sites[i].cost, j->total.value);
    *cost += sites[i].cost;
    *executions += sites[i].count.value * sites[i].weight;
  }
  qsort(sites, l->small_count, sizeof *sites, compare_undecided_sites);
  return 0;
}

/* Those that are negligible one by one. */
static int add_undecided_small(listing *l)
{
  const sc_judging *j = l->j;
  double executions = 0;
  sc_undecided *u = &l->findings->undecided[l->findings->undecided_count];
  sc_finding_site *sites = sc_mem_new(l->small_count + 1, sizeof *sites);
  int err = sites ? 0 : SC_E_NOMEM;
  *u = (sc_undecided){.kind = SC_FINDING_SPREAD, .sites = l->small_count};
  if (!sites || l->small_count < 2)
    goto out;
  SC_GOTO(make_undecided_sites(l, sites, &u->cost, &executions));
  SC_GOTO(sc_spread_fit(j->analysis, sites, l->small_count, &u->model));
  u->context = sites[0].context;
  u->parent = sites[0].parent;
  u->from = *sites[0].from;
  u->to = u->model.order;
  u->exponent_low = u->model.exponent_low;
  if (u->model.verdict != SC_VERDICT_MODEL || !sc_order_superlinear(&u->to) ||
      (sc_predict_share(u->cost, j->total.value) < SC_SPREAD_SHARE &&
       sc_predict_share(executions, j->executions) < SC_SPREAD_SHARE))
    goto out;
  u->spread = sc_spread_new(j->analysis, sites, l->small_count);
  if (!u->spread) {
    err = SC_E_NOMEM;
    goto out;
  }
  l->findings->undecided_count++;
  for (size_t i = 0; i < l->small_count; i++)
    j->classes[l->small[i]] = SC_COVERAGE_UNDECIDED;
  err = explain_undecided(j, u);
out:
  free(sites);
  return err;
}

static int open_listing(listing *l, const uint32_t *small, size_t small_count)
{
  const sc_analysis *a = l->j->analysis;
  size_t transitions = l->j->transitions.count, doubtful = 0;
  l->doubtful = sc_mem_new(a->contexts, sizeof *l->doubtful);
  l->entry = sc_mem_new(sc_graph_location_count(a->graph) * KINDS, sizeof *l->entry);
  l->entry_of = sc_mem_new(transitions + 1, sizeof *l->entry_of);
  l->small = sc_mem_new(transitions + 1, sizeof *l->small);
  for (size_t t = 0; t < transitions; t++)
    doubtful += l->j->transitions.list[t].doubtful;
  l->findings->undecided = sc_mem_new(doubtful + 2, sizeof *l->findings->undecided);
  if (!l->doubtful || !l->entry || !l->entry_of || !l->small || !l->findings->undecided)
    return SC_E_NOMEM;
  if (small_count)
    memcpy(l->small, small, small_count * sizeof *small);
  l->small_count = small_count;
  return 0;
}

int sc_undecided_make(const sc_judging *j, const uint32_t *small, size_t small_count, sc_findings *findings)
{
  int err;
  listing l = {.j = j, .findings = findings};
  SC_GOTO(open_listing(&l, small, small_count));
  for (size_t t = 0; t < j->transitions.count; t++) {
    const sc_transition *transition = &j->transitions.list[t];
    bool tiny = !transition->of_cost && sc_infer_is_tiny(j->analysis, transition->context);
    if (!transition->doubtful || tiny || inside_another(j, l.doubtful, transition->context))
      continue;
    l.doubtful[transition->context] = true;
    list_transition(&l, t);
  }
  SC_GOTO(finish_all(&l));
  SC_GOTO(add_undecided_small(&l));
  qsort(findings->undecided, findings->undecided_count, sizeof *findings->undecided, compare_undecided);
out:
  free(l.doubtful);
  free(l.entry);
  free(l.entry_of);
  free(l.small);
  return err;
}

void sc_undecided_free(sc_findings *findings)
{
  for (size_t i = 0; i < findings->undecided_count; i++) {
    free(findings->undecided[i].reason);
    sc_spread_free(findings->undecided[i].spread);
  }
  free(findings->undecided);
  findings->undecided = NULL;
  findings->undecided_count = 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes one finding of the transitions of one place: its sites, what it carries, predictions at each target, rule,
 * severity, confidence, and texts. Cheap steps first, as most transitions of a large program turn out negligible. */
#include "transitions/findings/judging.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/sort.h"
#include "transitions/findings/explain.h"
#include "transitions/findings/spread.h"
#include "transitions/model/confidence.h"
#include "transitions/model/costs.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/predict.h"
#include "transitions/model/sums.h"
#include "transitions/model/superlinear.h"
#include "transitions/model/together.h"
#include "transitions/model/tuning.h"

static int make_site(const sc_judging *j, uint32_t number, sc_finding_site *site)
{
  const sc_transition *t = &j->transitions.list[number];
  *site = (sc_finding_site){.context = t->context,
                            .parent = t->parent,
                            .from = sc_infer_order(j->analysis, t->from),
                            .to = sc_infer_order(j->analysis, t->to),
                            .weight = sc_analysis_executions(j->analysis, t->context, 1),
                            .cost = sc_carried_cost(j->carried, number)};
  site->share = sc_predict_share(site->cost, j->total.value);
  return sc_carried_count(j->carried, t->context, &site->count);
}

/* What sites are ranked by: there may be hundreds of thousands. */
typedef struct site_rank {
  double cost, count;
  uint32_t context, number;
  bool superlinear;
} site_rank;

static int compare_judged_sites(const void *a, const void *b)
{
  const site_rank *x = a, *y = b;
  return SC_COMPARE(y->superlinear, x->superlinear) ?: SC_COMPARE(y->cost, x->cost) ?:
         SC_COMPARE(y->count, x->count) ?: SC_COMPARE(x->context, y->context);
}

/* Whether the sites' counts are parts of one sum, and follow it: then the finding's model is of all of them. */
static int model_together(const sc_analysis *a, sc_finding *f)
{
  uint32_t sum = f->has_cost_model ? SC_NONE : sc_analysis_sum(a, f->context);
  for (size_t i = 0; i < f->site_count; i++)
    if (sum == SC_NONE || sc_analysis_sum(a, f->sites[i].context) != sum)
      return 0;
  double *values = sc_spread_sum(a, f->sites, f->site_count, false);
  if (!values)
    return SC_E_NOMEM;
  f->together = true;
  int err = sc_together_model(a, sum, values, &f->model);
  free(values);
  return err;
}

/* As contexts are numbered, and so as memory has them. */
static int list_sites(const sc_judging *j, const uint32_t *transitions, size_t count, sc_finding_site *sites,
                      site_rank *ranks)
{
  for (size_t i = 0; i < count; i++) {
    SC_TRY(make_site(j, transitions[i], &sites[i]));
    ranks[i] = (site_rank){.cost = sites[i].cost,
                           .count = sites[i].count.value,
                           .context = sites[i].context,
                           .number = (uint32_t)i,
                           .superlinear = sc_order_superlinear(sites[i].to)};
  }
  qsort(ranks, count, sizeof *ranks, compare_judged_sites);
  return 0;
}

static int make_judged_sites(const sc_judging *j, const uint32_t *transitions, size_t count, sc_finding *f)
{
  site_rank *ranks = NULL;
  sc_finding_site *sites = NULL;
  int err;
  SC_GOTO(SC_NEW(ranks, count));
  SC_GOTO(SC_NEW(sites, count));
  SC_GOTO(list_sites(j, transitions, count, sites, ranks));
  SC_GOTO(SC_NEW(f->sites, count));
  for (; f->site_count < count; f->site_count++)
    f->sites[f->site_count] = sites[ranks[f->site_count].number];
  f->context = f->sites[0].context;
  f->parent = f->sites[0].parent;
  f->from = *f->sites[0].from;
  f->to = *f->sites[0].to;
  f->model = *sc_analysis_model(j->analysis, f->context);
  f->has_cost_model = j->transitions.list[transitions[0]].of_cost;
  if (f->has_cost_model)
    f->cost_model = j->analysis->models[sc_analysis_load(j->analysis, f->context)->cost_model];
  err = model_together(j->analysis, f);
out:
  free(ranks);
  free(sites);
  return err;
}

/* Sorted, so that others can look up whether a context belongs to a finding. */
static int make_members(const sc_judging *j, const uint32_t *transitions, size_t count, sc_finding *f)
{
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += j->carried->start[transitions[i] + 1] - j->carried->start[transitions[i]];
  SC_TRY(SC_NEW(f->members, total + 1));
  for (size_t i = 0; i < count; i++) {
    size_t first = j->carried->start[transitions[i]], number = j->carried->start[transitions[i] + 1] - first;
    memcpy(f->members + f->member_count, j->carried->contexts + first, number * sizeof *f->members);
    f->member_count += number;
  }
  sc_sort_by(f->members, f->member_count, sizeof *f->members, 0);
  return 0;
}

/* In executions. Errors of counts are taken as fully correlated, as in blends. */
static int count_sites(const sc_analysis *a, const sc_finding *f, double n, sc_interval *out)
{
  *out = (sc_interval){0};
  for (size_t i = 0; i < f->site_count; i++) {
    double weight = f->sites[i].weight;
    sc_interval count = f->sites[i].count;
    if (n != sc_analysis_horizon(a) || sc_analysis_moved(a))
      SC_TRY(sc_analysis_count(a, f->sites[i].context, n, &count));
    out->value += count.value * weight;
    out->low += count.low * weight;
    out->high += count.high * weight;
  }
  return 0;
}

/* What a finding counts depends on what it is of: the model of a sum that its sites share; its sites added up; or
 * the one context's own model. */
int sc_finding_count(const sc_analysis *a, const sc_finding *f, double n, sc_interval *out)
{
  if (f->together && !sc_analysis_moved(a))
    return sc_model_predict(&f->model, n, a->options.level, out);
  if (!f->together && !f->spread)
    return sc_analysis_count(a, f->context, n, out);
  SC_TRY(count_sites(a, f, n, out));
  if (f->together)
    *out =
        (sc_interval){out->value / f->sites[0].weight, out->low / f->sites[0].weight, out->high / f->sites[0].weight};
  return 0;
}

/* What rises may be nothing to the processor, and all that the program waits for. */
static int waits_at(const sc_analysis *a, const sc_finding *f, double n, double *seconds, double *share)
{
  size_t count = f->has_cost_model ? 0 : f->member_count;
  return sc_elapsed_waited(a, f->members, count, n, seconds, share);
}

/* Cost and share are of all that the finding carries, the count of its sites alone. */
static int judged_predict_at(const sc_analysis *a, const sc_blend *cost, const sc_finding *f, double n,
                             double *executions, sc_finding_prediction *out)
{
  sc_interval total, sites;
  out->n = n;
  SC_TRY(count_sites(a, f, n, &sites));
  *executions = sites.value;
  SC_TRY(sc_finding_count(a, f, n, &out->count));
  SC_TRY(sc_sums_blend(a, cost, n, &out->cost));
  sc_predict_allow_for_common(a, n, &out->cost);
  SC_TRY(sc_analysis_total(a, n, &total));
  out->share = sc_predict_share(out->cost.value, total.value);
  return waits_at(a, f, n, &out->waiting, &out->waiting_share);
}

/* Fills predictions; a share of the cost or of the executions at any target makes a finding worth reading. */
static int make_predictions(const sc_judging *j, const sc_blend *cost, sc_finding *f, bool *negligible)
{
  const sc_analysis *a = j->analysis;
  double least = f->spread ? fmax(SC_SPREAD_SHARE, a->options.negligible) : a->options.negligible, count, executions;
  size_t targets = a->options.target_count;
  *negligible = true;
  SC_TRY(SC_NEW(f->predictions, targets + 1));
  for (size_t i = 0; i < targets + !targets; i++) { /* without targets, judge at the horizon */
    double n = targets ? a->options.targets[i] : j->horizon;
    SC_TRY(judged_predict_at(a, cost, f, n, &count, &f->predictions[i]));
    executions = sc_sums_executions(a, n);
    if (fmax(f->predictions[i].share, f->predictions[i].waiting_share) >= least ||
        (!f->has_cost_model && sc_predict_share(count, executions) >= least))
      *negligible = false;
  }
  return 0;
}

/* From the most special to the most general: each finding has one rule, by which it is accepted and gated. */
static enum sc_rule judged_rule_of(const sc_finding *f, enum sc_rise rise)
{
  if (f->spread)
    return SC_RULE_SPREAD_GROWTH;
  if (f->has_cost_model)
    return SC_RULE_GROWING_COST;
  if (f->to.base > 0)
    return SC_RULE_EXPONENTIAL;
  if (f->kind == SC_FINDING_IMPLICIT)
    return SC_RULE_IMPLICIT_LOOP;
  if (f->kind == SC_FINDING_RECURSION)
    return SC_RULE_RECURSION;
  if (rise == SC_RISE_LOG)
    return SC_RULE_LOG_FACTOR;
  if (f->kind == SC_FINDING_WORK && f->superlinear)
    return SC_RULE_LIBRARY_WORK;
  return f->superlinear ? SC_RULE_SUPERLINEAR_LOOP : SC_RULE_LINEAR_TRANSITION;
}

/* The budget is one of seconds: it says nothing about other units. */
static bool has_budget(const sc_analysis *a) { return a->options.time_budget > 0 && sc_analysis_timed(a); }

/* Without a budget of seconds: the size from which it takes most of the cost. */
static int make_emergence(const sc_judging *j, const sc_blend *cost, sc_finding *f)
{
  const sc_analysis *a = j->analysis;
  sc_interval size;
  if (!has_budget(a)) {
    f->emergence = sc_predict_share_size(a, cost, SC_SELECT_DOMINANT);
    return 0;
  }
  SC_TRY(sc_predict_limit(a, cost, a->options.time_budget, a->sizes[0], &size));
  f->emergence = size.value;
  return 0;
}

/* Gates fail by errors: only what takes most of the cost, or passes the budget, and is known well enough may be one. */
static enum sc_severity severity_of(const sc_judging *j, const sc_finding *f, double cost)
{
  const sc_analysis *a = j->analysis;
  bool over = false, over_at_last = has_budget(a) && cost > a->options.time_budget;
  for (size_t i = 0; has_budget(a) && i < a->options.target_count; i++)
    over = over || f->predictions[i].cost.value > a->options.time_budget;
  if (!f->superlinear && !over)
    return SC_SEVERITY_NOTE;
  bool dominant =
      f->superlinear && fmax(sc_predict_share(cost, j->total.value), f->waiting_share) >= SC_SELECT_DOMINANT;
  return (dominant || over_at_last) && f->confidence >= SC_CONFIDENCE_SURE ? SC_SEVERITY_ERROR : SC_SEVERITY_WARNING;
}

static int explain_judged(const sc_judging *j, sc_finding *f)
{
  sc_buf evidence = {0}, advice = {0};
  sc_explain_evidence(j->analysis, f, &evidence);
  f->remedy = sc_explain_advice(j->analysis, f, &advice);
  return sc_explain_take(&evidence, &advice, &f->evidence, &f->advice);
}

static enum sc_rise rise_at(const sc_judging *j, const uint32_t *transitions, size_t count, uint32_t context)
{
  for (size_t i = 0; i < count; i++)
    if (j->transitions.list[transitions[i]].context == context)
      return (enum sc_rise)j->transitions.list[transitions[i]].rise;
  return SC_RISE_NONE;
}

/* Confidence is that of whatever the finding claims: the model of its price where that grows, else of its count. */
static int weigh_finding(const sc_judging *j, const sc_blend *all, sc_finding *f)
{
  sc_interval cost, count;
  if (f->spread && f->has_cost_model) {
    SC_TRY(sc_blend_predict(all, j->analysis->models, j->horizon, j->analysis->options.level, &cost));
    f->confidence = sc_confidence(j->analysis, &f->cost_model, &cost);
    return 0;
  }
  if (f->spread || !f->has_cost_model) {
    SC_TRY(sc_finding_count(j->analysis, f, j->horizon, &count));
    f->confidence = sc_confidence(j->analysis, &f->model, &count);
    if (!f->spread && sc_superlinear_certain(j->analysis, f->context, &f->model))
      f->confidence = fmax(f->confidence, sc_confidence_in_growth(j->analysis, &f->model));
    return 0;
  }
  SC_TRY(sc_predict_steady_cost(j->analysis, f->context, j->horizon, &cost));
  f->confidence = sc_confidence(j->analysis, &f->cost_model, &cost);
  return 0;
}

/* The places' costs grow alike, so that the worst one's model, as many times as large, is that of the sum. */
static void sum_up_costs(const sc_judging *j, const sc_blend *all, sc_finding *f)
{
  sc_model *model = &f->cost_model;
  double one = sc_model_value(model, j->horizon);
  double times = one > 0 ? sc_blend_value(all, j->analysis->models, j->horizon) / one : 1;
  sc_model_scale(model, times, 0);
  model->rival_count = 0;
  f->to = model->order;
}

/* The sum of many places is judged as one place is: by the model of its counts, or of its cost. */
static int sum_up(const sc_judging *j, const sc_blend *all, sc_finding *f)
{
  f->kind = SC_FINDING_SPREAD;
  f->spread = sc_spread_new(j->analysis, f->sites, f->site_count);
  if (!f->spread)
    return SC_E_NOMEM;
  SC_TRY(sc_spread_fit(j->analysis, f->sites, f->site_count, &f->model));
  f->to = f->model.order;
  if (f->has_cost_model)
    sum_up_costs(j, all, f);
  return 0;
}

/* That each part rises is not enough for a sum: its own data have to support its order. */
static bool is_superlinear(const sc_finding *f, enum sc_rise rise)
{
  const sc_model *sum = f->has_cost_model ? &f->cost_model : &f->model;
  bool supported = !f->spread || (sum->verdict == SC_VERDICT_MODEL && sc_order_supported(sum));
  return rise != SC_RISE_NONE && supported && sc_order_superlinear(&f->to);
}

/* What is negligible stops half-way, without emergence, confidence and texts: most transitions of a large program
 * are. */
int sc_judging_make(const sc_judging *judging, const uint32_t *transitions, size_t count, bool spread,
                    sc_finding *finding, bool *negligible, double *cost, double *executions)
{
  int err;
  sc_blend all = {0};
  sc_interval sites;
  *finding = (sc_finding){.kind = (enum sc_finding_kind)judging->transitions.list[transitions[0]].kind};
  SC_GOTO(make_judged_sites(judging, transitions, count, finding));
  SC_GOTO(sc_carried_blend(judging->carried, transitions, count, &all));
  if (spread)
    SC_GOTO(sum_up(judging, &all, finding));
  enum sc_rise rise = rise_at(judging, transitions, count, finding->context);
  *cost = sc_blend_value(&all, judging->analysis->models, judging->horizon);
  SC_GOTO(count_sites(judging->analysis, finding, judging->horizon, &sites));
  *executions = sites.value;
  SC_GOTO(make_members(judging, transitions, count, finding));
  double waiting;
  SC_GOTO(waits_at(judging->analysis, finding, judging->horizon, &waiting, &finding->waiting_share));
  SC_GOTO(make_predictions(judging, &all, finding, negligible));
  finding->superlinear = is_superlinear(finding, rise);
  *negligible = *negligible || (spread && !finding->superlinear);
  finding->rule = judged_rule_of(finding, rise);
  if (*negligible)
    goto out;
  SC_GOTO(make_emergence(judging, &all, finding));
  SC_GOTO(weigh_finding(judging, &all, finding));
  finding->severity = severity_of(judging, finding, *cost);
  finding->linear = finding->severity == SC_SEVERITY_NOTE && !judging->analysis->options.root_count;
  SC_GOTO(explain_judged(judging, finding));
out:
  sc_blend_free(&all);
  return err;
}

/* Growth was found at the base; elsewhere the same members are predicted anew, so that a finding keeps its identity
 * while its numbers change. */
int sc_judging_predict_there(const sc_analysis *there, sc_finding *finding)
{
  size_t targets = there->options.target_count;
  sc_blend cost = {0};
  double executions;
  int err;
  sc_finding_prediction *predictions;
  SC_TRY(SC_NEW(predictions, targets + 1));
  free(finding->predictions);
  finding->predictions = predictions;
  for (size_t i = 0; i < finding->member_count; i++) {
    sc_blend_part part = sc_costs_part(sc_analysis_load(there, finding->members[i]));
    SC_GOTO(sc_blend_add(&cost, &part));
  }
  sc_blend_compact(&cost);
  for (size_t i = 0; i < targets + !targets; i++) {
    double n = targets ? there->options.targets[i] : sc_analysis_horizon(there);
    SC_GOTO(judged_predict_at(there, &cost, finding, n, &executions, &predictions[i]));
  }
  err = 0;
out:
  sc_blend_free(&cost);
  return err;
}

void sc_judging_clear(sc_finding *finding)
{
  free(finding->formula);
  free(finding->members);
  free(finding->predictions);
  free(finding->evidence);
  free(finding->advice);
  free(finding->sites);
  sc_spread_free(finding->spread);
  *finding = (sc_finding){0};
}

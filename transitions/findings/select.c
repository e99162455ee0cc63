/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which transitions become findings: those too small or explained by others do not. */
#include "transitions/findings/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/sort.h"
#include "transitions/findings/coverage_map.h"
#include "transitions/findings/judging.h"
#include "transitions/findings/undecided.h"
#include "transitions/model/predict.h"
#include "transitions/model/sums.h"
#include "transitions/model/tuning.h"

typedef struct ranked {
  sc_finding finding;
  const sc_location *location;
  int tier;                /* 0 before 1 before 2, the linear ones */
  double cost, executions; /* at the horizon */
} ranked;

/* Transitions of one place: order[first] and so on. */
typedef struct group {
  size_t first, size;
} group;

typedef struct ranking {
  ranked *list;
  size_t count, capacity;
  ranked *hidden; /* places left out as negligible */
  size_t suppressed, hidden_capacity;
  uint32_t *order; /* transitions by place */
  group *little;   /* [little_count] negligible ones that no finding was made of yet: mostly they are summed up */
  size_t little_count, little_capacity;
  uint32_t *small[2]; /* [small_count] superlinear transitions that are negligible one by one: of counts, of costs */
  size_t small_count[2];
  bool summed[2]; /* there is a finding of their sum */
  bool *within;   /* [contexts] a place in such a sum; NULL: no such sum */
} ranking;

/* One transition, to be sorted to those of the same source. What happens in a system header is the user's call: its
 * caller, the library's function and the line are the source, whichever of the library's loops rises. */
typedef struct source {
  uint32_t location, through, line;
  uint32_t kind, transition; /* kind: with rises of cost apart from those of counts */
} source;

/* Whether a log factor carries little. */
static int judge_log(const sc_judging *j, uint32_t transition, bool *dissolved)
{
  uint32_t context = j->transitions.list[transition].context;
  sc_interval count;
  SC_TRY(sc_carried_count(j->carried, context, &count));
  double executions = sc_analysis_executions(j->analysis, context, count.value);
  *dissolved = sc_predict_share(sc_carried_cost(j->carried, transition), j->total.value) < SC_SELECT_LOG &&
               sc_predict_share(executions, j->executions) < SC_SELECT_LOG;
  return 0;
}

/* Such ones, and what is another one's in any case, are given to the transition they stand in. Owners change with
 * it, so what each transition carries is listed anew. */
static int dissolve_selected(sc_judging *j, bool *dissolved)
{
  bool any = false, everything = j->analysis->options.negligible < 0; /* is to be reported */
  for (uint32_t t = 0; t < j->transitions.count; t++) {
    dissolved[t] = j->transitions.list[t].claimed;
    if (!dissolved[t] && !everything && j->transitions.list[t].rise == SC_RISE_LOG)
      SC_TRY(judge_log(j, t, &dissolved[t]));
    any = any || dissolved[t];
  }
  if (!any)
    return 0;
  sc_infer_dissolve(&j->transitions, j->analysis, dissolved);
  return sc_carried_index(j->carried);
}

static bool same_source(const source *x, const source *y)
{
  return x->location == y->location && x->through == y->through && x->line == y->line && x->kind == y->kind;
}

static source source_of(const sc_graph *graph, uint32_t context)
{
  uint32_t through, written = sc_graph_written(graph, context, &through);
  return (source){.location = sc_graph_location_of(graph, written),
                  .through = through ? sc_graph_location_of(graph, through) : 0,
                  .line = through ? sc_graph_call_line(graph, through) : 0};
}

static size_t list_sources(const sc_judging *j, const bool *dissolved, source *out)
{
  const sc_graph *graph = j->analysis->graph;
  size_t count = 0;
  for (uint32_t t = 0; t < j->transitions.count; t++) {
    const sc_transition *transition = &j->transitions.list[t];
    uint32_t kind = (uint32_t)transition->kind * 2 + transition->of_cost;
    if (dissolved[t] || transition->doubtful ||
        (!transition->of_cost && sc_infer_is_tiny(j->analysis, transition->context)))
      continue;
    out[count] = source_of(graph, transition->context);
    out[count].kind = kind;
    out[count++].transition = t;
  }
  /* by place, kind and, as they were listed, transition */
  sc_sort_by(out, count, sizeof *out, offsetof(source, kind));
  sc_sort_by(out, count, sizeof *out, offsetof(source, line));
  sc_sort_by(out, count, sizeof *out, offsetof(source, through));
  sc_sort_by(out, count, sizeof *out, offsetof(source, location));
  return count;
}

/* Whether a reader should see it first is a matter of its share, not of its order alone: n^3 of next to nothing
 * comes late. */
static int tier_of(const sc_judging *j, const ranked *r)
{
  if (r->finding.linear)
    return 2;
  double share = fmax(sc_predict_share(r->cost, j->total.value), r->finding.waiting_share);
  double executions = sc_predict_share(r->executions, j->executions);
  if (r->finding.rule == SC_RULE_EXPONENTIAL)
    return 0;
  if (share >= SC_SELECT_DOMINANT)
    return 0;
  return r->finding.superlinear && (share >= SC_SELECT_RELEVANT || executions >= SC_SELECT_DOMINANT) ? 0 : 1;
}

static void set_small(const sc_judging *j, const uint32_t *transitions, size_t count, ranking *out)
{
  for (size_t i = 0; i < count; i++) {
    const sc_transition *t = &j->transitions.list[transitions[i]];
    if (t->rise == SC_RISE_ORDER && sc_order_superlinear(sc_infer_order(j->analysis, t->to)))
      out->small[t->of_cost][out->small_count[t->of_cost]++] = transitions[i];
  }
}

/* Superlinear growth that the data support so badly is not ranked among what is known. */
static bool is_uncertain(const sc_judging *j, const sc_finding *f)
{
  return f->superlinear && !f->spread && f->confidence < SC_CONFIDENCE_SURE &&
         j->analysis->options.fit.engine != SC_FIT_DELTA_INFER;
}

/* They are as doubtful as those whose order has a rival: what they carry is in no finding. */
static void take_back(const sc_judging *j, const uint32_t *transitions, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    j->transitions.list[transitions[i]].doubtful = true;
    j->classes[transitions[i]] = SC_COVERAGE_CLASSES;
    for (size_t m = j->carried->start[transitions[i]]; m < j->carried->start[transitions[i] + 1]; m++)
      j->transitions.owner[j->carried->contexts[m]] = SC_NONE;
  }
}

/* A thread or a callback for every client: that is the workload itself. */
static bool as_many_as_clients(const sc_judging *j, const sc_finding *f)
{
  return j->analysis->options.population && f->linear && f->kind == SC_FINDING_IMPLICIT && f->to.exponent <= 1 &&
         f->to.log_exponent == 0;
}

static void classify_selected(const sc_judging *j, const uint32_t *transitions, size_t count, bool linear)
{
  for (size_t i = 0; i < count; i++)
    j->classes[transitions[i]] = linear ? SC_COVERAGE_LINEAR : SC_COVERAGE_FINDINGS;
}

/* Keeps a place that is left out, for those who ask for all. Takes the finding over. */
static int hide_selected(const sc_judging *j, ranked *r, ranking *out)
{
  int err = sc_mem_grow(&out->hidden, &out->hidden_capacity, out->suppressed + 1, sizeof *out->hidden);
  if (err < 0) {
    sc_judging_clear(&r->finding);
    return err;
  }
  r->location = sc_graph_at(j->analysis->graph, r->finding.context);
  r->tier = r->finding.superlinear ? 0 : 1;
  out->hidden[out->suppressed++] = *r;
  return 0;
}

/* Four ends: doubtful after all, nothing even together, left out as negligible, or listed. `classes` tells the
 * coverage which, so that no share of the cost is lost between them. */
static int add_finding(const sc_judging *j, const uint32_t *transitions, size_t count, bool spread, bool *negligible,
                       ranking *out)
{
  SC_TRY(sc_mem_grow(&out->list, &out->capacity, out->count + 1, sizeof *out->list));
  ranked *r = &out->list[out->count];
  int err = sc_judging_make(j, transitions, count, spread, &r->finding, negligible, &r->cost, &r->executions);
  if (err == 0 && !*negligible && is_uncertain(j, &r->finding)) {
    take_back(j, transitions, count);
    sc_judging_clear(&r->finding);
    return 0;
  }
  if (err < 0 || (*negligible && spread)) {
    sc_judging_clear(&r->finding);
    return err;
  }
  if (!*negligible) {
    classify_selected(j, transitions, count, r->finding.linear);
    *negligible = as_many_as_clients(j, &r->finding);
  }
  if (*negligible)
    return hide_selected(j, r, out);
  r->location = sc_graph_at(j->analysis->graph, r->finding.context);
  r->tier = tier_of(j, r);
  out->count++;
  return 0;
}

static int note_summed(const sc_judging *j, const sc_finding *sum, ranking *out)
{
  if (!out->within)
    SC_TRY(SC_NEW(out->within, j->analysis->contexts + 1));
  for (size_t i = 0; i < sum->site_count; i++)
    out->within[sum->sites[i].context] = true;
  return 0;
}

/* Places in a sum are not left out any more, neither for the growth that is summed up nor for any other. */
static void take_out_hidden(ranking *out)
{
  size_t kept = 0;
  for (size_t i = 0; out->within && i < out->suppressed; i++)
    if (!out->within[out->hidden[i].finding.context])
      out->hidden[kept++] = out->hidden[i];
    else
      sc_judging_clear(&out->hidden[i].finding);
  if (out->within)
    out->suppressed = kept;
}

/* What is negligible place by place may not be so together. */
static int add_spread(const sc_judging *j, int of_cost, ranking *out)
{
  bool negligible = true;
  if (out->small_count[of_cost] < 2)
    return 0;
  /* as contexts are numbered, and so as memory has them: there may be hundreds of thousands */
  sc_sort_by(out->small[of_cost], out->small_count[of_cost], sizeof **out->small, 0);
  SC_TRY(add_finding(j, out->small[of_cost], out->small_count[of_cost], true, &negligible, out));
  if (negligible)
    return 0;
  out->small_count[of_cost] = 0;
  out->summed[of_cost] = true;
  return note_summed(j, &out->list[out->count - 1].finding, out);
}

/* Negligible groups wait: they are judged when it is known which of them the finding of many places has taken. */
static int make_group(const sc_judging *j, group g, ranking *out)
{
  bool negligible;
  SC_TRY(sc_carried_is_negligible(j->carried, out->order + g.first, g.size, &negligible));
  if (negligible) {
    SC_TRY(sc_mem_grow(&out->little, &out->little_capacity, out->little_count + 1, sizeof *out->little));
    out->little[out->little_count++] = g;
  } else {
    SC_TRY(add_finding(j, out->order + g.first, g.size, false, &negligible, out));
  }
  if (negligible)
    set_small(j, out->order + g.first, g.size, out);
  return 0;
}

/* Of each place. */
static int make_all(const sc_judging *j, const bool *dissolved, ranking *out)
{
  int err = SC_E_NOMEM;
  source *sources = sc_mem_new(j->transitions.count + 1, sizeof *sources);
  out->order = sc_mem_new(j->transitions.count + 1, sizeof *out->order);
  for (int of_cost = 0; of_cost < 2; of_cost++)
    out->small[of_cost] = sc_mem_new(j->transitions.count + 1, sizeof **out->small);
  if (!sources || !out->order || !out->small[0] || !out->small[1])
    goto out;
  size_t count = list_sources(j, dissolved, sources);
  err = 0;
  for (group g = {0}; g.first < count; g.first += g.size) {
    for (g.size = 0; g.first + g.size < count && same_source(&sources[g.first], &sources[g.first + g.size]); g.size++)
      out->order[g.first + g.size] = sources[g.first + g.size].transition;
    SC_GOTO(make_group(j, g, out));
  }
out:
  free(sources);
  return err;
}

/* Whether it needs no finding: the sum has its worst place, as it has all superlinear ones. */
static bool is_summed_up(const sc_judging *j, group g, const ranking *out)
{
  size_t superlinear = 0, summed = 0;
  for (size_t i = g.first; i < g.first + g.size; i++) {
    const sc_transition *t = &j->transitions.list[out->order[i]];
    bool rises = sc_order_superlinear(sc_infer_order(j->analysis, t->to));
    superlinear += rises;
    summed += rises && t->rise == SC_RISE_ORDER && out->summed[t->of_cost];
  }
  return superlinear && superlinear == summed;
}

/* Groups that were negligible by themselves are judged once it is known which of them a finding about many places has
 * summed up: the others are listed with --all. */
static int hide_little(const sc_judging *j, ranking *out)
{
  for (size_t i = 0; i < out->little_count; i++) {
    group g = out->little[i];
    ranked r = {0};
    bool negligible;
    if (is_summed_up(j, g, out))
      continue;
    int err = sc_judging_make(j, out->order + g.first, g.size, false, &r.finding, &negligible, &r.cost, &r.executions);
    if (err < 0) {
      sc_judging_clear(&r.finding);
      return err;
    }
    SC_TRY(hide_selected(j, &r, out));
  }
  return 0;
}

/* By tier, cost, executions; then by place, so that equal findings keep their order from run to run. */
static int compare_ranked(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  return SC_COMPARE(x->tier, y->tier) ?:
         SC_COMPARE(y->finding.rule == SC_RULE_EXPONENTIAL, x->finding.rule == SC_RULE_EXPONENTIAL) ?:
         SC_COMPARE(y->cost, x->cost) ?: SC_COMPARE(y->executions, x->executions) ?:
         strcmp(x->location->file, y->location->file) ?: SC_COMPARE(x->location->line, y->location->line) ?:
         SC_COMPARE(x->finding.context, y->finding.context);
}

/* In the memory that they are in: a place takes kilobytes, and there are tens of thousands. */
static void hand_over_list(ranked **from, size_t *count, sc_finding **to, size_t *handed)
{
  ranked *list = *from;
  if (*count > 1)
    qsort(list, *count, sizeof *list, compare_ranked);
  for (size_t i = 0; i < *count; i++)
    memmove((char *)list + i * sizeof list->finding, &list[i].finding, sizeof list->finding);
  sc_finding *less = *count ? realloc(list, *count * sizeof *less) : NULL;
  *to = less ? less : (sc_finding *)(void *)list;
  *handed = *count;
  *from = NULL;
  *count = 0;
}

static void hand_over(ranking *from, sc_findings *to)
{
  hand_over_list(&from->list, &from->count, &to->list, &to->count);
  for (size_t i = 0; i < to->count; i++)
    to->linear += to->list[i].linear;
  hand_over_list(&from->hidden, &from->suppressed, &to->negligible, &to->suppressed);
}

static bool superlinear_doubling(double half, double whole)
{
  double exponent = half > 0 ? log2(whole / half) : 0;
  return isfinite(exponent) && exponent >= SC_ORDER_SUPERLINEAR;
}

/* The total's exponent over the last doubling up to the horizon, if it is superlinear and nothing listed says why. The
 * least that the total may be has to grow so too: of thousands of counts that scatter, one looks like a power by
 * chance. */
static int find_unexplained(const sc_judging *j, sc_findings *findings)
{
  sc_interval half;
  for (size_t i = 0; i < findings->count; i++)
    if (findings->list[i].superlinear)
      return 0;
  if (findings->undecided_count || !(j->horizon > j->analysis->sizes[0]))
    return 0;
  SC_TRY(sc_analysis_total(j->analysis, j->horizon / 2, &half));
  if (superlinear_doubling(half.value, j->total.value) && superlinear_doubling(half.low, j->total.low))
    findings->unexplained = log2(j->total.value / half.value);
  return 0;
}

/* Transitions first, then groups of them at one place, then what is left of growth that no place shows alone; coverage
 * comes last, as it says of every context which of these explains it. */
int sc_findings_infer(const sc_analysis *analysis, sc_findings *findings)
{
  int err;
  sc_carried carried = {0};
  sc_judging j = {.analysis = analysis, .carried = &carried, .horizon = sc_analysis_horizon(analysis)};
  ranking all = {0};
  bool *dissolved = NULL;
  *findings = (sc_findings){0};
  SC_GOTO(sc_infer_transitions(analysis, &j.transitions));
  SC_GOTO(sc_analysis_total(analysis, j.horizon, &j.total));
  j.executions = sc_sums_executions(analysis, j.horizon);
  SC_GOTO(sc_carried_begin(analysis, &j.transitions, &carried));
  dissolved = sc_mem_new(j.transitions.count + 1, sizeof *dissolved);
  j.classes = sc_mem_new(j.transitions.count + 1, sizeof *j.classes);
  if (!dissolved || !j.classes) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (size_t t = 0; t < j.transitions.count; t++) {
    const sc_transition *transition = &j.transitions.list[t];
    j.classes[t] =
        sc_order_superlinear(sc_infer_order(analysis, transition->to)) ? SC_COVERAGE_SMALL : SC_COVERAGE_LINEAR;
    if (transition->doubtful)
      j.classes[t] = SC_COVERAGE_CLASSES;
  }
  SC_GOTO(dissolve_selected(&j, dissolved));
  SC_GOTO(make_all(&j, dissolved, &all));
  SC_GOTO(add_spread(&j, 0, &all));
  SC_GOTO(add_spread(&j, 1, &all));
  SC_GOTO(hide_little(&j, &all));
  take_out_hidden(&all);
  hand_over(&all, findings);
  SC_GOTO(sc_undecided_make(&j, all.small[0], all.small_count[0], findings));
  SC_GOTO(find_unexplained(&j, findings));
  err = sc_coverage_map_new(&j, dissolved, &findings->coverage);
out:
  for (size_t i = 0; i < all.count; i++)
    sc_judging_clear(&all.list[i].finding);
  for (size_t i = 0; i < all.suppressed; i++)
    sc_judging_clear(&all.hidden[i].finding);
  free(all.list);
  free(all.small[0]);
  free(all.small[1]);
  free(all.hidden);
  free(all.order);
  free(all.little);
  free(all.within);
  free(dissolved);
  free(j.classes);
  sc_carried_free(&carried);
  sc_infer_free(&j.transitions);
  return err;
}

void sc_findings_free(sc_findings *findings)
{
  for (size_t i = 0; i < findings->count; i++)
    sc_judging_clear(&findings->list[i]);
  for (size_t i = 0; i < findings->suppressed; i++)
    sc_judging_clear(&findings->negligible[i]);
  free(findings->list);
  free(findings->negligible);
  sc_undecided_free(findings);
  sc_coverage_map_free(findings->coverage);
  *findings = (sc_findings){0};
}

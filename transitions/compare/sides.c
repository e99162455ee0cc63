/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two sides of a comparison: weights of their contexts, and what of them was matched. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"
#include "transitions/model/costs.h"

static int list_side_sizes(sc_side *s)
{
  const sc_analysis *a = s->a;
  SC_TRY(SC_NEW(s->sizes, a->run_count));
  for (size_t i = 0; i < a->run_count; i++)
    if (!i || a->sizes[i] != a->sizes[i - 1])
      s->sizes[s->size_count++] = a->sizes[i];
  SC_TRY(SC_NEW(s->means, a->counts.count * s->size_count));
  for (uint32_t series = 0; series < a->counts.count; series++) {
    const double *row = sc_series_row(&a->counts, series);
    for (size_t i = 0, size = 0; i < a->run_count; size++) {
      double sum = 0, runs = 0;
      for (; i < a->run_count && a->sizes[i] == s->sizes[size]; i++, runs++)
        sum += row[i];
      s->means[series * s->size_count + size] = sum / runs;
    }
  }
  return 0;
}

const double *sc_sides_curve(const sc_side *s, uint32_t context)
{
  uint32_t series = s->a->series[context] == SC_NONE ? SC_SERIES_ONE : s->a->series[context];
  return s->means + series * s->size_count;
}

const sc_model *sc_sides_model(const sc_side *s, uint32_t context)
{
  return s->a->series[context] == SC_NONE ? &s->a->models[SC_SERIES_ONE] : sc_analysis_model(s->a, context);
}

static void find_function(sc_side *s, uint32_t location)
{
  sc_place *p = &s->places[location];
  p->mate = p->function = SC_NONE;
  p->file = p->at ? p->at->file : "";
  bool work = p->at && p->at->kind == SC_LOCATION_WORK;
  if (!p->at || (p->at->kind != SC_LOCATION_LOOP && !work))
    return;
  for (uint32_t c = p->first; c; c = sc_graph_parent(s->graph, c))
    if (sc_graph_at(s->graph, c)->kind == SC_LOCATION_FUNCTION) {
      if (work || strcmp(sc_graph_at(s->graph, c)->name, p->at->name) == 0)
        p->function = sc_graph_location_of(s->graph, c);
      return;
    }
}

static int list_places(sc_side *s)
{
  uint32_t most = 0;
  for (uint32_t c = 0; c < s->contexts; c++)
    most = sc_graph_location_of(s->graph, c) > most ? sc_graph_location_of(s->graph, c) : most;
  s->place_count = most + 1;
  s->places = sc_mem_new(s->place_count, sizeof *s->places);
  s->totals = sc_mem_new((size_t)s->place_count * s->size_count, sizeof *s->totals);
  s->next = sc_mem_new(s->contexts, sizeof *s->next);
  s->mate = sc_mem_new(s->contexts, sizeof *s->mate);
  if (!s->places || !s->totals || !s->next || !s->mate)
    return SC_E_NOMEM;
  for (uint32_t c = s->contexts; c-- > 0;) {
    uint32_t l = sc_graph_location_of(s->graph, c);
    sc_place *p = &s->places[l];
    s->next[c] = p->at ? p->first : 0;
    p->at = sc_graph_at(s->graph, c);
    p->first = c;
    p->count++;
    s->mate[c] = SC_COMPARE_NONE;
    for (size_t i = 0; i < s->size_count && s->a->series[c] != SC_NONE; i++)
      s->totals[l * s->size_count + i] += sc_sides_curve(s, c)[i];
  }
  for (uint32_t l = 0; l < s->place_count; l++)
    find_function(s, l);
  return 0;
}

/* Own predicted cost and executions of every context at a size, and their sums. */
static int weigh_side_own(sc_side *s, double n)
{
  const sc_analysis *a = s->a;
  double *values;
  SC_TRY(SC_NEW(values, a->model_count));
  for (size_t m = 0; m < a->model_count; m++)
    values[m] = a->models[m].verdict == SC_VERDICT_MODEL ? sc_model_value(&a->models[m], n) : 0;
  s->total_cost = s->total_work = 0;
  for (uint32_t c = 0; c < s->contexts; c++) {
    const sc_load *load = sc_analysis_load(a, c);
    s->own_cost[c] = s->own_work[c] = 0;
    if (!sc_analysis_in_scope(a, c))
      continue;
    sc_blend_part part = sc_costs_part(load);
    if (part.value > 0)
      s->own_cost[c] = part.value * values[part.model];
    if (load->counted)
      s->own_work[c] = load->weight * load->ratio * values[load->model];
    s->total_cost += s->own_cost[c];
    s->total_work += s->own_work[c];
  }
  free(values);
  return 0;
}

static double side_part_of(double part, double whole) { return whole > 0 && isfinite(whole) ? part / whole : part > 0; }

static int weigh_at(sc_side *s, double n)
{
  SC_TRY(weigh_side_own(s, n));
  memcpy(s->cost, s->own_cost, s->contexts * sizeof *s->cost);
  memcpy(s->work, s->own_work, s->contexts * sizeof *s->work);
  for (uint32_t c = s->contexts; c-- > 0;) {
    uint32_t parent = sc_graph_parent(s->graph, c);
    s->share[c] =
        fmax(s->share[c], fmax(side_part_of(s->cost[c], s->total_cost), side_part_of(s->work[c], s->total_work)));
    if (c) {
      s->cost[parent] += s->cost[c];
      s->work[parent] += s->work[c];
    }
  }
  return 0;
}

static int weigh_contexts(sc_side *s, const sc_compared *c)
{
  s->own_cost = sc_mem_new(s->contexts, sizeof *s->own_cost);
  s->own_work = sc_mem_new(s->contexts, sizeof *s->own_work);
  s->cost = sc_mem_new(s->contexts, sizeof *s->cost);
  s->work = sc_mem_new(s->contexts, sizeof *s->work);
  s->share = sc_mem_new(s->contexts, sizeof *s->share);
  if (!s->own_cost || !s->own_work || !s->cost || !s->work || !s->share)
    return SC_E_NOMEM;
  for (size_t t = 0; t < c->target_count; t++)
    if (c->targets[t] != c->horizon)
      SC_TRY(weigh_at(s, c->targets[t]));
  return weigh_at(s, c->horizon);
}

static int open_side(sc_compared *c, sc_side *s, const sc_compare_side *in)
{
  s->in = in;
  s->a = in->analysis;
  s->graph = sc_analysis_graph(in->analysis);
  s->contexts = s->a->contexts;
  SC_TRY(list_side_sizes(s));
  SC_TRY(list_places(s));
  return weigh_contexts(s, c);
}

int sc_sides_open(sc_compared *c, const sc_compare_side *base, const sc_compare_side *head)
{
  SC_TRY(open_side(c, &c->base, base));
  SC_TRY(open_side(c, &c->head, head));
  return sc_grid_make(c);
}

bool sc_sides_is_rest(const sc_side *s, uint32_t context)
{
  const sc_location *at = sc_graph_at(s->graph, context);
  return at->kind == SC_LOCATION_FUNCTION && strcmp(at->name, SC_COMPARE_REST) == 0;
}

/* What the other side left out is here in full, and no addition. */
static void subtract_rest(sc_side *s, const sc_side *other)
{
  double price = other->total_cost > 0 && s->total_work > 0
                     ? s->total_cost / s->total_work * (other->total_work / other->total_cost)
                     : 0;
  for (uint32_t c = 1; c < other->contexts; c++) {
    uint32_t mate = other->mate[sc_graph_parent(other->graph, c)];
    if (other->mate[c] != SC_COMPARE_NONE || mate == SC_COMPARE_NONE || !sc_sides_is_rest(other, c))
      continue;
    s->added_cost[mate] -= other->own_cost[c] * price;
    s->added_work[mate] -= other->own_work[c];
  }
}

/* Prices are this side's, so that two machines, or a machine that is busier now, make no difference. */
static int weigh_added(sc_side *s, const sc_side *other)
{
  s->added_cost = sc_mem_new(s->contexts, sizeof *s->added_cost);
  s->added_work = sc_mem_new(s->contexts, sizeof *s->added_work);
  if (!s->added_cost || !s->added_work)
    return SC_E_NOMEM;
  subtract_rest(s, other);
  for (uint32_t c = s->contexts; c-- > 0;) {
    double there = s->mate[c] == SC_COMPARE_NONE ? 0 : other->own_work[s->mate[c]];
    double part = s->a->series[c] == SC_NONE ? (s->mate[c] == SC_COMPARE_NONE)
                  : s->own_work[c] > 0       ? 1 - there / s->own_work[c]
                                             : 0;
    s->added_cost[c] += part * s->own_cost[c];
    s->added_work[c] += s->own_work[c] - there;
    if (!c)
      break;
    s->added_cost[sc_graph_parent(s->graph, c)] += s->added_cost[c];
    s->added_work[sc_graph_parent(s->graph, c)] += s->added_work[c];
  }
  return 0;
}

int sc_sides_weigh_added(sc_compared *c)
{
  SC_TRY(weigh_added(&c->base, &c->head));
  return weigh_added(&c->head, &c->base);
}

static void close_side(sc_side *s)
{
  free(s->mate);
  free(s->next);
  free(s->places);
  free(s->sizes);
  free(s->means);
  free(s->totals);
  free(s->own_cost);
  free(s->cost);
  free(s->added_cost);
  free(s->added_work);
  free(s->own_work);
  free(s->work);
  free(s->share);
}

void sc_sides_close(sc_compared *c)
{
  close_side(&c->base);
  close_side(&c->head);
  free(c->grid.points);
}

uint32_t sc_sides_matched_above(const sc_side *s, uint32_t context)
{
  do
    context = sc_graph_parent(s->graph, context);
  while (context && s->mate[context] == SC_COMPARE_NONE);
  return context;
}

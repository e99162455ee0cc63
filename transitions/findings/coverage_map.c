/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every context belongs to exactly one part of the coverage, so that the parts add up to all of the cost: to what
 * carries it, else to the doubtful place around it, else to what its own order says. */
#include "transitions/findings/coverage_map.h"

#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/tuning.h"

typedef struct mapping {
  const sc_judging *j;
  const bool *dissolved;
  struct sc_coverage_map *map;
  uint32_t *doubt;   /* [contexts] the listed doubtful transition that the context stands in, or SC_NONE */
  uint32_t *of_cost; /* [contexts] the context's transition of cost, or SC_NONE */
} mapping;

static enum sc_coverage_class class_of(const mapping *m, uint32_t transition)
{
  return (enum sc_coverage_class)m->j->classes[transition];
}

static const sc_order *order_of(const sc_analysis *a, uint32_t context, enum sc_coverage_metric metric)
{
  const sc_load *load = sc_analysis_load(a, context);
  return &a->models[load->growing && metric == SC_COVERAGE_COST ? load->cost_model : load->model].order;
}

/* What no transition carries. */
static enum sc_coverage_class classify_rest(const sc_analysis *a, uint32_t context, enum sc_coverage_metric metric)
{
  const sc_order *order = order_of(a, context, metric);
  if (!sc_analysis_counted(a, context))
    return SC_COVERAGE_UNCOUNTED;
  if (sc_analysis_load(a, context)->open)
    return SC_COVERAGE_UNMODELLED;
  if (order->exponent < 0 || (order->exponent == 0 && order->log_exponent <= 0))
    return SC_COVERAGE_CONSTANT;
  return order->exponent < SC_COVERAGE_SLOW ? SC_COVERAGE_SUBLINEAR : SC_COVERAGE_OTHER;
}

/* A linear transition also carries what grows faster than it, where no rule makes a transition of that, and what has no
 * model. Neither is linear growth. */
static bool mapping_outgrows(const mapping *m, uint32_t context, uint32_t transition, enum sc_coverage_metric metric)
{
  const sc_analysis *a = m->j->analysis;
  if (class_of(m, transition) != SC_COVERAGE_LINEAR || a->series[context] == SC_NONE)
    return false;
  return sc_analysis_load(a, context)->open || sc_order_superlinear(order_of(a, context, metric));
}

static void assign_mapping(mapping *m, uint32_t context, enum sc_coverage_metric metric, uint32_t owner)
{
  uint32_t transition = owner != SC_NONE ? owner : m->doubt[context];
  sc_coverage_assignment *out = &m->map->list[metric][context];
  if (transition == SC_NONE || mapping_outgrows(m, context, transition, metric))
    *out = (sc_coverage_assignment){context, (unsigned char)classify_rest(m->j->analysis, context, metric)};
  else
    *out = (sc_coverage_assignment){m->j->transitions.list[transition].context, m->j->classes[transition]};
}

/* The transition around one of cost that was not given up, or SC_NONE. */
static uint32_t outer_of(const mapping *m, uint32_t transition)
{
  const sc_transition *list = m->j->transitions.list;
  uint32_t outer = list[transition].outer;
  while (outer != SC_NONE && m->dissolved[outer])
    outer = list[outer].outer;
  return outer != SC_NONE && list[outer].doubtful ? SC_NONE : outer;
}

static void map_context(mapping *m, uint32_t context)
{
  uint32_t owner = m->j->transitions.owner[context], cost = m->of_cost[context];
  uint32_t listed = cost != SC_NONE && class_of(m, cost) != SC_COVERAGE_CLASSES ? cost : SC_NONE;
  assign_mapping(m, context, SC_COVERAGE_COST, owner != SC_NONE ? owner : listed);
  if (m->map->list[SC_COVERAGE_EXECUTIONS] != m->map->list[SC_COVERAGE_COST])
    assign_mapping(m, context, SC_COVERAGE_EXECUTIONS, cost != SC_NONE ? outer_of(m, cost) : owner);
}

/* Undecided places hold what is in them and in no finding; those that are in another one are not listed. */
static void find_doubts(mapping *m)
{
  const sc_transitions *transitions = &m->j->transitions;
  const sc_analysis *a = m->j->analysis;
  for (uint32_t c = 0; c < a->contexts; c++)
    m->doubt[c] = m->of_cost[c] = SC_NONE;
  for (uint32_t t = 0; t < transitions->count; t++) {
    const sc_transition *transition = &transitions->list[t];
    if (transition->of_cost)
      m->of_cost[transition->context] = t;
    else if (transition->doubtful && class_of(m, t) != SC_COVERAGE_CLASSES)
      m->doubt[transition->context] = t;
  }
  for (uint32_t c = 1; c < a->contexts; c++) /* parents stand before their children */
    if (m->doubt[c] == SC_NONE)
      m->doubt[c] = m->doubt[sc_graph_parent(a->graph, c)];
}

/* Of an execution, anywhere. */
static bool costs_rise(const sc_analysis *a)
{
  for (size_t i = 0; i < a->loads.count; i++)
    if (a->loads.list[i].growing)
      return true;
  return false;
}

int sc_coverage_map_new(const sc_judging *j, const bool *dissolved, struct sc_coverage_map **map)
{
  uint32_t contexts = j->analysis->contexts;
  int err = SC_E_NOMEM;
  mapping m = {.j = j, .dissolved = dissolved, .map = sc_mem_new(1, sizeof *m.map)};
  *map = m.map;
  if (!m.map)
    return SC_E_NOMEM;
  m.doubt = sc_mem_new(contexts, sizeof *m.doubt);
  m.of_cost = sc_mem_new(contexts, sizeof *m.of_cost);
  m.map->list[SC_COVERAGE_COST] = sc_mem_new(contexts, sizeof **m.map->list);
  m.map->list[SC_COVERAGE_EXECUTIONS] =
      costs_rise(j->analysis) ? sc_mem_new(contexts, sizeof **m.map->list) : m.map->list[SC_COVERAGE_COST];
  if (!m.doubt || !m.of_cost || !m.map->list[0] || !m.map->list[1])
    goto out;
  find_doubts(&m);
  for (uint32_t c = 0; c < contexts; c++)
    if (sc_analysis_has(j->analysis, c))
      map_context(&m, c);
  err = 0;
out:
  free(m.doubt);
  free(m.of_cost);
  return err;
}

void sc_coverage_map_free(struct sc_coverage_map *map)
{
  if (!map)
    return;
  if (map->list[1] != map->list[0])
    free(map->list[1]);
  free(map->list[0]);
  free(map->last[0]);
  free(map->last[1]);
  free(map);
}

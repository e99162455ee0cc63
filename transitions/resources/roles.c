/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/roles.h"
#include "base/compare.h"
#include "transitions/model/tuning.h"

/* Of all runs of the largest size; of all runs at all where their sizes are not told apart. */
static double count_entries(const sc_resources *r, uint32_t context)
{
  double sum = 0;
  for (size_t run = r->size_count ? r->starts[r->size_count - 1] : 0; run < r->run_count; run++)
    sum += sc_graph_executions(r->graph, sc_rgraph_run(r, run), context);
  return sum;
}

/* The contexts from below `from` down to `context`; how many, SC_ROLES_DEEP at most. */
static size_t path_below(const sc_graph *graph, uint32_t from, uint32_t context, uint32_t path[SC_ROLES_DEEP])
{
  size_t count = 0;
  for (uint32_t c = context; c && c != from; c = sc_graph_parent(graph, c))
    count++;
  size_t kept = count < SC_ROLES_DEEP ? count : SC_ROLES_DEEP, i = count;
  for (uint32_t c = context; c && c != from; c = sc_graph_parent(graph, c))
    if (--i < kept)
      path[i] = c;
  return kept;
}

/* Threads that begin in one function may part below it: the first function that fewer threads enter names the role. */
uint32_t sc_rrole_of(const sc_resources *r, uint32_t context)
{
  uint32_t path[SC_ROLES_DEEP], role = sc_graph_task(r->graph, context, NULL, 0);
  double threads = count_entries(r, role);
  size_t count = path_below(r->graph, role, context, path);
  for (size_t i = 0; i < count && sc_graph_at(r->graph, path[i])->kind == SC_LOCATION_FUNCTION; i++) {
    double own = count_entries(r, path[i]);
    if (own > threads)
      break;
    if (own < threads && own > 0) { /* one of several that the function leads to */
      role = path[i];
      threads = own;
    }
  }
  return role;
}

bool sc_rrole_in(const uint32_t *roles, size_t count, uint32_t role)
{
  for (size_t i = 0; i < count; i++)
    if (roles[i] == role)
      return true;
  return false;
}

bool sc_rrole_add(uint32_t *roles, size_t *count, size_t most, uint32_t role)
{
  if (*count == most || sc_rrole_in(roles, *count, role))
    return false;
  roles[(*count)++] = role;
  return true;
}

double sc_rrole_threads(const sc_resources *r, size_t run, uint32_t role)
{
  return sc_graph_executions(r->graph, sc_analysis_run(r->analysis, run), role);
}

uint32_t sc_rcall_line_in(const sc_resources *r, const sc_rcall *call, uint32_t around, uint32_t *below)
{
  *below = call->context;
  if (*below == around)
    return call->line;
  while (*below && sc_graph_parent(r->graph, *below) != around)
    *below = sc_graph_parent(r->graph, *below);
  const sc_location *at = sc_graph_at(r->graph, *below);
  return at->kind == SC_LOCATION_FUNCTION ? sc_graph_call_line(r->graph, *below) : at->line;
}

int sc_rcall_order(const sc_resources *r, const sc_rcall *first, const sc_rcall *second)
{
  uint32_t around = sc_graph_common(r->graph, first->context, second->context), below;
  enum sc_location_kind kind = sc_graph_at(r->graph, around)->kind;
  if (kind != SC_LOCATION_FUNCTION && kind != SC_LOCATION_LOOP)
    return 0;
  uint32_t a = sc_rcall_line_in(r, first, around, &below), b = sc_rcall_line_in(r, second, around, &below);
  return a && b ? SC_COMPARE(a, b) : 0;
}

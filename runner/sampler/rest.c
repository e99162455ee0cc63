/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/rest.h"

int sc_sampler_rest_count(sc_sampler_rest *rest, uint32_t tid, uint32_t *number)
{
  uint32_t *known = sc_sampler_keys_get(&rest->tasks, tid, 0);
  *number = known ? *known + (*known < UINT32_MAX) : 1;
  if (!known)
    return sc_sampler_keys_put(&rest->tasks, tid, 0, 1);
  *known = *number;
  return 0;
}

void sc_sampler_rest_note(sc_sampler_rest *rest, double value, uint64_t tail)
{
  rest->sampled += value;
  rest->tail = tail > rest->tail ? tail : rest->tail;
}

void sc_sampler_rest_free(sc_sampler_rest *rest) { sc_sampler_keys_free(&rest->tasks); }

static double cost_below(const sc_graph *graph, uint32_t process, const double *cost)
{
  double sum = 0;
  for (uint32_t c = process; c < sc_graph_context_count(graph); c++) {
    uint32_t up = c;
    if (cost[c] <= 0)
      continue;
    while (up > process)
      up = sc_graph_parent(graph, up);
    sum += up == process ? cost[c] : 0;
  }
  return sum;
}

/* The first process if none was sampled; the root without processes. */
static uint32_t main_process(const sc_graph *graph, const double *cost)
{
  uint32_t best = 0;
  double most = -1;
  for (uint32_t c = sc_graph_first_child(graph, 0); c; c = sc_graph_next_sibling(graph, c)) {
    double below = sc_graph_at(graph, c)->kind == SC_LOCATION_PROCESS ? cost_below(graph, c, cost) : -1;
    if (below > most) {
      most = below;
      best = c;
    }
  }
  return best;
}

void sc_sampler_rest_charge(const sc_sampler_rest *rest, const sc_graph *graph, double counted, double unit,
                            double *cost)
{
  double missing = counted - rest->sampled, tails = (double)rest->tasks.count * (double)rest->tail;
  if (!(missing > 0))
    return;
  double spread = rest->sampled > 0 ? missing < tails ? missing : tails : 0;
  uint32_t process = main_process(graph, cost);
  for (uint32_t c = 0; spread > 0 && c < sc_graph_context_count(graph); c++)
    cost[c] *= 1 + spread / rest->sampled;
  cost[process] += (missing - spread) * unit;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/sampler/work.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static bool is_work(const sc_sampler_work *work, uint32_t context)
{
  return sc_graph_at(work->graph, context)->kind == SC_LOCATION_WORK;
}

static double units(const sc_sampler_work *work, uint32_t context)
{
  const sc_location *at = sc_graph_at(work->graph, context);
  double count = sc_graph_value(work->graph, work->run, context, SC_METRIC_COUNT);
  return count * sc_location_weight(at);
}

/* The functions that the runtime calls in place of a library's bear its name behind this. */
static const char INSTEAD[] = "__scale_work_";

int sc_sampler_work_charge(sc_sampler_work *work, uint32_t context, const char *name, double cost, double *costs)
{
  bool any = false;
  if (strncmp(name, INSTEAD, sizeof INSTEAD - 1) == 0)
    name = "";
  for (uint32_t c = sc_graph_first_child(work->graph, context); c; c = sc_graph_next_sibling(work->graph, c)) {
    if (!is_work(work, c) || units(work, c) <= 0)
      continue;
    any = true;
    if (*name && strcmp(sc_graph_at(work->graph, c)->name, name) == 0) {
      costs[c] += cost;
      return 0;
    }
  }
  if (*name || !any) {
    costs[context] += cost;
    return 0;
  }
  if (!work->some) {
    work->count = sc_graph_context_count(work->graph);
    SC_TRY(SC_NEW(work->some, work->count));
  }
  work->some[context] += cost;
  return 0;
}

static void share(const sc_sampler_work *work, uint32_t context, double *costs)
{
  double all = 0;
  for (uint32_t c = sc_graph_first_child(work->graph, context); c; c = sc_graph_next_sibling(work->graph, c))
    all += is_work(work, c) ? units(work, c) : 0;
  for (uint32_t c = sc_graph_first_child(work->graph, context); c; c = sc_graph_next_sibling(work->graph, c))
    if (is_work(work, c))
      costs[c] += work->some[context] * units(work, c) / all;
}

void sc_sampler_work_share(sc_sampler_work *work, double *costs)
{
  for (uint32_t c = 0; c < work->count; c++)
    if (work->some[c] > 0)
      share(work, c, costs);
}

void sc_sampler_work_free(sc_sampler_work *work)
{
  free(work->some);
  *work = (sc_sampler_work){0};
}

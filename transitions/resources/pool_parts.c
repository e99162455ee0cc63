/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/pool_parts.h"

#include "base/buf.h"
#include "transitions/resources/roles.h"

bool sc_rpart_condition(const sc_resources *r, uint32_t resource)
{
  return resource < r->resource_count &&
         sc_usage_resource_at(r->graph, resource)->resource_class == SC_RESOURCE_CONDITION;
}

bool sc_rpart_signals(const sc_usage *row) { return row->event == SC_USAGE_EVENT_WRITE; }

static int find_part(sc_rparts *all, uint32_t resource, uint32_t role, sc_rpart **out)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].resource == resource && all->list[i].role == role) {
      *out = &all->list[i];
      return 0;
    }
  SC_TRY(sc_mem_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list));
  all->list[all->count] = (sc_rpart){.resource = resource, .role = role};
  *out = &all->list[all->count++];
  return 0;
}

static int add_usage_to_parts(const sc_resources *r, const sc_usage *row, sc_rparts *all)
{
  sc_rpart *p;
  double waits = row->values[SC_USAGE_WAITS], writes = row->values[SC_USAGE_WRITES];
  if (!sc_rpart_condition(r, row->resource) || row->context >= sc_graph_context_count(r->graph))
    return 0;
  SC_TRY(find_part(all, row->resource, sc_rrole_of(r, row->context), &p));
  if (sc_rpart_signals(row) && writes > p->signal_most) {
    p->signal_most = writes;
    p->signal = (sc_rcall){row->context, row->line, row->column};
  } else if (!sc_rpart_signals(row) && waits > p->wait_most) {
    p->wait_most = waits;
    p->wait = (sc_rcall){row->context, row->line, row->column};
  }
  p->signals += sc_rpart_signals(row) ? writes : 0;
  p->waits += sc_rpart_signals(row) ? 0 : waits;
  return 0;
}

int sc_rparts_gather(const sc_resources *r, sc_rparts *all)
{
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (; rows; rows--, row++)
      SC_TRY(add_usage_to_parts(r, row, all));
  }
  return 0;
}

const sc_rpart *sc_rpart_of(const sc_rparts *all, uint32_t resource, uint32_t role)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].resource == resource && all->list[i].role == role)
      return &all->list[i];
  return NULL;
}

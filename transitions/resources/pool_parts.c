/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The larger half of the sizes, added up: at small sizes few threads are there, and a queue's sides are not told
 * apart. */
#include "transitions/resources/pool_parts.h"

#include "base/buf.h"
#include "transitions/resources/roles.h"

bool sc_rpart_counts(const sc_resources *r, uint32_t resource)
{
  return resource < r->resource_count && sc_resource_cell_signal(r, &r->cells[resource]);
}

bool sc_rpart_queues(const sc_resources *r, uint32_t resource)
{
  return resource < r->resource_count &&
         (sc_usage_resource_at(r->graph, resource)->resource_class == SC_RESOURCE_CONDITION ||
          sc_rpart_counts(r, resource));
}

bool sc_rpart_signals(const sc_usage *row)
{
  return row->event == SC_USAGE_EVENT_WRITE || row->event == SC_USAGE_EVENT_RELEASE;
}

double sc_rpart_times(const sc_resources *r, const sc_usage *row)
{
  bool counts = sc_usage_resource_at(r->graph, row->resource)->resource_class == SC_RESOURCE_SEMAPHORE;
  if (sc_rpart_signals(row))
    return row->values[counts ? SC_USAGE_UNITS_RELEASED : SC_USAGE_WRITES];
  return row->values[counts ? SC_USAGE_ACQUIRES : SC_USAGE_WAITS];
}

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
  if (!sc_rpart_queues(r, row->resource))
    return 0;
  SC_TRY(find_part(all, row->resource, sc_rrole_of(r, row->context), &p));
  bool signals = sc_rpart_signals(row);
  double times = sc_rpart_times(r, row), *most = signals ? &p->signal_most : &p->wait_most;
  if (times > *most) {
    *most = times;
    *(signals ? &p->signal : &p->wait) = (sc_rcall){row->context, row->line, row->column};
  }
  *(signals ? &p->signals : &p->waits) += times;
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

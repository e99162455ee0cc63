/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/buf.h"
#include "transitions/resources/judge.h"
#include "transitions/resources/pools.h"
#include "transitions/resources/roles.h"

/* Who takes part in a finding about a pool, at the largest size measured: the statements of its workers that take time,
 * where its clients wait, and where they ask. */
static const double UNSEEN = 0.1; /* of the service time: less than this is the pool's own upkeep */

typedef struct listing {
  const sc_resources *r;
  const sc_rpool *pool;
  sc_resource_finding *finding;
  size_t site_capacity, task_capacity;
  double runs;
} listing;

static int add_site(listing *l, const sc_resource_site *site)
{
  sc_resource_finding *f = l->finding;
  for (size_t i = 0; i < f->site_count; i++) {
    sc_resource_site *s = &f->sites[i];
    if (s->role == site->role && s->context == site->context && s->line == site->line && s->column == site->column) {
      s->amount += site->amount;
      return 0;
    }
  }
  SC_TRY(sc_mem_grow(&f->sites, &l->site_capacity, f->site_count + 1, sizeof *f->sites));
  f->sites[f->site_count++] = *site;
  return 0;
}

/* The statement of the function, or loop, from which workers also take what is to be done: what is below it are
 * details. */
static int add_service(listing *l, const sc_rcall *call, uint32_t column, const char *via, double seconds)
{
  uint32_t around = sc_rcall_around(l->r, call->context, l->pool->take.context), below;
  uint32_t line = sc_rcall_line_in(l->r, call, around, &below);
  bool own = below == around;
  return add_site(l, &(sc_resource_site){.role = SC_ROLE_HOLDS,
                                         .context = line ? around : call->context,
                                         .via = own || !line ? via : sc_graph_at(l->r->graph, below)->name,
                                         .line = line ? line : call->line,
                                         .column = own ? column : 0,
                                         .amount = seconds});
}

static bool is_worker(const listing *l, uint32_t context)
{
  return sc_rrole_in(l->pool->workers, l->pool->worker_count, sc_rrole_of(l->r, context));
}

static bool is_client(const listing *l, uint32_t context)
{
  return sc_rrole_in(l->pool->clients, l->pool->client_count, sc_rrole_of(l->r, context));
}

static int add_use(listing *l, const sc_usage *row, enum sc_resource_role role, double amount)
{
  return add_site(l, &(sc_resource_site){.role = role,
                                         .context = row->context,
                                         .via = row->via,
                                         .line = row->line,
                                         .column = row->column,
                                         .amount = amount});
}

static int add_row(listing *l, const sc_usage *row, double *seen)
{
  double waited = row->values[SC_USAGE_WAIT_SECONDS] / l->runs, signals = row->values[SC_USAGE_WRITES] / l->runs;
  enum sc_resource_class class = sc_usage_resource_at(l->r->graph, row->resource)->resource_class;
  if (row->context >= sc_graph_context_count(l->r->graph))
    return 0;
  if (row->resource == l->pool->resource && signals > 0 && is_client(l, row->context)) {
    SC_TRY(add_use(l, row, SC_ROLE_ACQUIRES, signals));
    return sc_people_add_task(l->r, l->finding, &l->task_capacity, row->context, signals);
  }
  if (row->resource == l->pool->answers && waited > 0 && is_client(l, row->context))
    return add_use(l, row, SC_ROLE_WAITS, waited);
  if (row->resource == l->pool->resource || !(waited > 0) || !is_worker(l, row->context) ||
      !(sc_resource_class_blocks(class) || class == SC_RESOURCE_MUTEX || class == SC_RESOURCE_RWLOCK))
    return 0;
  *seen += waited;
  return add_service(l, &(sc_rcall){row->context, row->line, row->column}, row->column, row->via, waited);
}

/* What was not waited for is processor time: where samples say so, or else nobody knows. */
static int add_unseen(listing *l, double seconds)
{
  const sc_resources *r = l->r;
  double all = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t c = 1; c < sc_graph_context_count(r->graph) && (!pass || all > 0); c++) {
      double cost = 0;
      for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++)
        cost += sc_graph_value(r->graph, sc_analysis_run(r->analysis, run), c, SC_METRIC_COST);
      if (!(cost > 0) || !is_worker(l, c))
        continue;
      all += pass ? 0 : cost;
      if (pass)
        SC_TRY(add_service(l, &(sc_rcall){c, sc_graph_at(r->graph, c)->line, 0}, 0, sc_graph_at(r->graph, c)->name,
                           seconds * cost / all));
    }
  if (all > 0)
    return 0;
  return add_site(l, &(sc_resource_site){.role = SC_ROLE_HOLDS,
                                         .context = l->pool->take.context,
                                         .via = "",
                                         .line = l->pool->take.line,
                                         .amount = seconds});
}

int sc_rpool_people(const sc_resources *r, const sc_rpool *pool, sc_resource_finding *f)
{
  size_t from = r->starts[r->size_count - 1];
  listing l = {.r = r, .pool = pool, .finding = f, .runs = (double)(r->run_count - from)};
  double seen = 0, served = sc_rmetric_last(r, &r->cells[pool->resource], SC_RMETRIC_HOLD_TOTAL);
  for (size_t run = from; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, run), &rows);
    for (; rows; rows--, row++)
      SC_TRY(add_row(&l, row, &seen));
  }
  if (served - seen > UNSEEN * served)
    SC_TRY(add_unseen(&l, served - seen));
  return 0;
}

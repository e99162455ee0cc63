/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits inside of holds, from pairs that say so (sc_usage_pair_nested). Who holds a lock while waiting for another
 * one is the second one's victim: the order of findings and their advice follow from that. */
#include "transitions/resources/nested.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "transitions/findings/explain.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/demand.h"
#include "transitions/resources/inner_locks.h"
#include "transitions/resources/text.h"

typedef struct gathered {
  sc_resource_nested *list;
  double *worst; /* [capacity] seconds of the call that is named */
  size_t count, capacity, worst_capacity;
} gathered;

static int add_wait(gathered *g, const sc_usage *waiter, double seconds)
{
  size_t i = 0;
  while (i < g->count && g->list[i].resource != waiter->resource)
    i++;
  if (i == g->count) {
    SC_TRY(sc_mem_grow(&g->list, &g->capacity, g->count + 1, sizeof *g->list));
    SC_TRY(sc_mem_grow(&g->worst, &g->worst_capacity, g->count + 1, sizeof *g->worst));
    g->list[g->count] = (sc_resource_nested){.resource = waiter->resource};
    g->worst[g->count++] = 0;
  }
  g->list[i].seconds += seconds;
  if (seconds > g->worst[i]) {
    g->worst[i] = seconds;
    g->list[i].context = waiter->context;
    g->list[i].line = waiter->line;
    g->list[i].column = waiter->column;
  }
  return 0;
}

static int by_seconds(const void *left, const void *right)
{
  const sc_resource_nested *a = left, *b = right;
  return SC_COMPARE(b->ahead, a->ahead) ?: SC_COMPARE(b->seconds, a->seconds) ?: SC_COMPARE(a->resource, b->resource);
}

/* Holds that don't exclude others keep nobody waiting where there are some that do. */
static bool keeps_waiting(const sc_resource_cell *cell, const sc_usage *row)
{
  return row->resource == cell->resource && !(row->shared && cell->exclusive);
}

static int gather_nested_run(const sc_resources *r, const sc_resource_cell *cell, size_t run, gathered *g, double *held)
{
  size_t pairs, rows, index = sc_analysis_run(r->analysis, run);
  const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
  const sc_wait_pair *pair = sc_usage_pairs(r->graph, index, &pairs);
  for (size_t i = 0; i < rows; i++)
    *held += keeps_waiting(cell, &row[i]) ? row[i].values[SC_USAGE_HOLD_SECONDS] : 0;
  for (size_t i = 0; i < pairs; i++)
    if (sc_usage_pair_nested(r->graph, row, &pair[i]) && keeps_waiting(cell, &row[pair[i].holder]))
      SC_TRY(add_wait(g, &row[pair[i].waiter], pair[i].seconds));
  return 0;
}

/* What is predicted of the lock that holders will wait for longest. */
static int look_ahead(const sc_resources *r, const sc_resource_cell *cell, gathered *g)
{
  sc_interval hold;
  double seconds;
  uint32_t inner = SC_USAGE_NONE;
  SC_TRY(sc_inner_locks_inside(r, cell, r->horizon, &seconds, &inner));
  if (!(seconds > 0))
    return 0;
  SC_TRY(sc_demand_time(r, cell, SC_RMETRIC_HOLD, r->horizon, &hold));
  for (size_t i = 0; i < g->count; i++)
    if (g->list[i].resource == inner && hold.value > 0)
      g->list[i].ahead = fmin(1, seconds / hold.value);
  return 0;
}

int sc_nested_fill(const sc_resources *r, const sc_resource_cell *cell, sc_resource_finding *f)
{
  gathered g = {0};
  size_t from = r->starts[r->size_count - 1], kept = 0;
  double held = 0;
  int err = 0;
  /* a unit that others give back is theirs: what its taker does meanwhile keeps nobody waiting */
  for (size_t run = from; !err && !cell->lent && run < r->run_count; run++)
    err = gather_nested_run(r, cell, run, &g, &held);
  if (!err && !cell->lent)
    err = look_ahead(r, cell, &g);
  for (size_t i = 0; i < g.count; i++) {
    g.list[i].share = held > 0 ? fmin(g.list[i].seconds / held, 1) : 0;
    g.list[i].seconds /= (double)(r->run_count - from);
    if (fmax(g.list[i].share, g.list[i].ahead) >= SC_NESTED_WORTH)
      g.list[kept++] = g.list[i];
  }
  if (kept)
    qsort(g.list, kept, sizeof *g.list, by_seconds);
  free(g.worst);
  f->nested = g.list;
  f->nested_count = kept;
  return err;
}

/* "waits 58% of the time for index_lock (crowd.c:10), in find (crowd.c:32) (predicted, 98% at n = 64)" */
static void add_share(const sc_resources *r, const sc_resource_nested *nested, sc_buf *out)
{
  enum sc_resource_class kind = sc_usage_resource_at(r->graph, nested->resource)->resource_class;
  sc_buf_printf(out, "%s %.0f%% of the time", kind == SC_RESOURCE_SLEEP ? "sleeps" : "waits", 100 * nested->share);
  if (kind == SC_RESOURCE_IO) {
    sc_buf_puts(out, " for input or output");
  } else if (kind == SC_RESOURCE_PROCESS) {
    sc_buf_puts(out, " for a process to end");
  } else if (kind != SC_RESOURCE_SLEEP) {
    sc_buf_puts(out, " for ");
    sc_rtext_name(r, &r->cells[nested->resource], out);
  }
  sc_buf_puts(out, ", in ");
  sc_rtext_place(r, nested->context, nested->line, nested->column, out);
  if (nested->ahead >= nested->share + SC_NESTED_WORTH) {
    sc_buf_printf(out, " (predicted, %.0f%% at %s = ", 100 * nested->ahead, r->variable);
    sc_explain_number(out, r->horizon);
    sc_buf_puts(out, ")");
  }
}

void sc_nested_tell(const sc_resources *r, const sc_resource_finding *f, sc_buf *out)
{
  for (size_t i = 0; i < f->nested_count; i++) {
    sc_buf_puts(out, i ? "; it " : " While it is held its holder ");
    add_share(r, &f->nested[i], out);
  }
  sc_buf_puts(out, f->nested_count ? "." : "");
}

/* What the holder waits for above all; NULL: nothing. */
static const sc_resource_nested *cause_of(const sc_resource_finding *f)
{
  return f->nested_count && fmax(f->nested[0].share, f->nested[0].ahead) >= SC_NESTED_CAUSE ? &f->nested[0] : NULL;
}

bool sc_nested_advise(const sc_resources *r, const sc_resource_finding *f, sc_buf *out)
{
  const sc_resource_nested *cause = cause_of(f);
  if (!cause)
    return false;
  bool blocks = sc_resource_class_blocks(sc_usage_resource_at(r->graph, cause->resource)->resource_class);
  if (blocks) {
    sc_buf_puts(out, "Take the wait out of the hold first: while it is held its holder ");
    add_share(r, cause, out);
    sc_buf_puts(out, ". ");
    return false;
  }
  sc_buf_puts(out, "Change ");
  sc_rtext_name(r, &r->cells[cause->resource], out);
  sc_buf_puts(out, " first, for it is the cause: while this one is held its holder ");
  add_share(r, cause, out);
  sc_buf_puts(out, ". Or acquire that one before this one, or after giving this one back.");
  return true;
}

/* The index of the finding about what keeps its holders waiting, behind the finding at `at`; `at` without one. */
static size_t find_cause(const sc_resources *r, size_t at)
{
  const sc_resource_finding *f = &r->findings[at];
  const sc_resource_nested *cause = cause_of(f);
  for (size_t i = at + 1; cause && i < r->finding_count && r->findings[i].severity == f->severity; i++)
    if (r->findings[i].resource == cause->resource && r->findings[i].rule == f->rule)
      return i;
  return at;
}

void sc_nested_order(sc_resources *r)
{
  size_t moves = r->finding_count; /* locks may be taken in both orders, and wait for each other */
  for (size_t at = 0; at < r->finding_count;) {
    size_t from = find_cause(r, at);
    if (from == at || moves == 0) {
      at++;
      continue;
    }
    sc_resource_finding cause = r->findings[from];
    double impact = r->impacts[from];
    memmove(&r->findings[at + 1], &r->findings[at], (from - at) * sizeof cause);
    memmove(&r->impacts[at + 1], &r->impacts[at], (from - at) * sizeof impact);
    r->findings[at] = cause;
    r->impacts[at] = impact;
    moves--;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for whom: every pair of contexts, or, where nobody waits yet, who would. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/resources/blame_sums.h"

enum { EXPECTED = 8 }; /* edges of who would wait */

static const sc_blame_end nobody = {.context = SC_USAGE_NONE};

/* What a row waited that is in no pair with a known holder. */
static sc_blame_sum untold_waits(const sc_blame_sums *sums, const sc_blame_row *row)
{
  sc_blame_sum left = sc_blame_waits(row);
  for (size_t i = 0; row && i < sums->pair_count; i++)
    if (&sums->rows[sums->pairs[i].waiter] == row && sums->pairs[i].holder != SC_USAGE_NONE) {
      left.count -= sums->pairs[i].waits.count;
      left.seconds -= sums->pairs[i].waits.seconds;
    }
  return (sc_blame_sum){fmax(left.count, 0), fmax(left.seconds, 0)};
}

static void add_edge(sc_blame_slice *s, const sc_blame_edge *edge)
{
  sc_blame *blame = s->blame;
  const sc_blame_sum *all = &blame->waits[SC_BLAME_LARGE], *own = &edge->waits[SC_BLAME_LARGE];
  sc_blame_edge *added = &blame->edges[blame->edge_count++];
  *added = *edge;
  added->share = all->seconds > 0 ? own->seconds / all->seconds : own->count / all->count;
}

static void add_measured(sc_blame_slice *s)
{
  const sc_blame_sums *small = &s->sums[SC_BLAME_SMALL], *large = &s->sums[SC_BLAME_LARGE];
  for (size_t i = 0; i < large->pair_count; i++) {
    const sc_blame_pair *pair = &large->pairs[i], *before = sc_blame_sums_pair(small, large, pair);
    const sc_blame_row *waiter = &large->rows[pair->waiter];
    if (waiter->resource != s->resource || pair->holder == SC_USAGE_NONE)
      continue;
    sc_blame_edge edge = {
        .resource = s->resource, .waiter = waiter->at, .holder = large->rows[pair->holder].at, .waits[1] = pair->waits};
    if (before)
      edge.waits[SC_BLAME_SMALL] = before->waits;
    add_edge(s, &edge);
  }
  for (size_t i = 0; i < large->row_count; i++) {
    const sc_blame_row *row = &large->rows[i];
    sc_blame_sum left = row->resource == s->resource ? untold_waits(large, row) : (sc_blame_sum){0};
    if (left.count < 0.5)
      continue;
    add_edge(s, &(sc_blame_edge){.resource = s->resource,
                                 .waiter = row->at,
                                 .holder = nobody,
                                 .waits = {untold_waits(small, sc_blame_sums_row(small, row)), left}});
  }
}

static int compare_edges(const void *left, const void *right)
{
  const sc_blame_edge *a = left, *b = right;
  return (b->share > a->share) - (b->share < a->share);
}

static bool excludes(enum sc_resource_class kind)
{
  return kind == SC_RESOURCE_MUTEX || kind == SC_RESOURCE_RWLOCK || kind == SC_RESOURCE_SPINLOCK ||
         kind == SC_RESOURCE_SEMAPHORE || kind == SC_RESOURCE_OTHER;
}

static bool acquires(const sc_blame_slice *s, const sc_blame_row *row)
{
  return row->resource == s->resource && row->event == SC_USAGE_EVENT_ACQUIRE;
}

/* Keeps the EXPECTED largest. */
static void keep_worst(sc_blame *blame, const sc_blame_edge *edge)
{
  size_t at = blame->edge_count;
  while (at > 0 && blame->edges[at - 1].share < edge->share)
    at--;
  if (at == EXPECTED)
    return;
  blame->edge_count += blame->edge_count < EXPECTED;
  memmove(&blame->edges[at + 1], &blame->edges[at], (blame->edge_count - 1 - at) * sizeof *edge);
  blame->edges[at] = *edge;
}

/* Nobody waited: whoever acquires it most would, for whoever holds it longest. */
static void add_expected(sc_blame_slice *s)
{
  const sc_blame_sums *large = &s->sums[SC_BLAME_LARGE];
  double all = 0;
  if (!excludes(sc_usage_resource_at(s->graph, s->resource)->resource_class))
    return;
  for (size_t w = 0; w < large->row_count; w++)
    for (size_t h = 0; acquires(s, &large->rows[w]) && h < large->row_count; h++) {
      const sc_blame_row *waiter = &large->rows[w], *holder = &large->rows[h];
      double share = waiter->values[SC_USAGE_ACQUIRES] * holder->values[SC_USAGE_HOLD_SECONDS];
      if (!acquires(s, holder) || !(share > 0) || (waiter->at.shared && holder->at.shared))
        continue;
      all += share;
      keep_worst(s->blame,
                 &(sc_blame_edge){.resource = s->resource, .waiter = waiter->at, .holder = holder->at, .share = share});
    }
  for (size_t i = 0; i < s->blame->edge_count; i++)
    s->blame->edges[i].share /= all;
  s->blame->expected = s->blame->edge_count > 0;
}

int sc_blame_find_edges(sc_blame_slice *s)
{
  size_t room = EXPECTED + s->sums[SC_BLAME_LARGE].pair_count + s->sums[SC_BLAME_LARGE].row_count;
  for (int size = 0; size < SC_BLAME_SIZES; size++)
    for (size_t i = 0; i < s->sums[size].row_count; i++)
      if (s->sums[size].rows[i].resource == s->resource) {
        sc_blame_sum waits = sc_blame_waits(&s->sums[size].rows[i]);
        s->blame->waits[size].count += waits.count;
        s->blame->waits[size].seconds += waits.seconds;
      }
  s->blame->edges = sc_mem_new(room, sizeof *s->blame->edges);
  if (!s->blame->edges)
    return SC_E_NOMEM;
  if (!(s->blame->waits[SC_BLAME_LARGE].count > 0))
    add_expected(s);
  else {
    add_measured(s);
    qsort(s->blame->edges, s->blame->edge_count, sizeof *s->blame->edges, compare_edges);
  }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/findings/herd.h"

#include <string.h>

#include "transitions/model/tuning.h"

static size_t last_run(const sc_analysis *a) { return sc_analysis_run(a, sc_analysis_run_count(a) - 1); }

/* Whoever waits until a time may be woken by that. */
static bool has_timeout(const sc_usage *row)
{
  return strstr(row->via, "timedwait") || strstr(row->via, "clockwait") || strstr(row->via, "wait_for") ||
         strstr(row->via, "wait_until");
}

/* The condition that is waited for most in the loop, for as long as it takes. */
static bool find_condition(const sc_graph *graph, size_t run, uint32_t loop, sc_herd *h)
{
  size_t count;
  const sc_usage *row = sc_usage_rows(graph, run, &count);
  for (size_t i = 0; i < count; i++)
    if (row[i].event == SC_USAGE_EVENT_WAIT && row[i].values[SC_USAGE_WAITS] > h->waits &&
        sc_usage_resource_at(graph, row[i].resource)->resource_class == SC_RESOURCE_CONDITION &&
        !has_timeout(&row[i]) && sc_graph_within(graph, row[i].context, loop))
      *h = (sc_herd){.resource = row[i].resource, .waits = row[i].values[SC_USAGE_WAITS]};
  return h->waits > 0;
}

/* By the names of what wakes: pthread_cond_broadcast, cnd_broadcast, notify_all of the standard's classes. */
static bool wakes_all(const sc_usage *row) { return strstr(row->via, "broadcast") || strstr(row->via, "notify_all"); }

/* Returns how often one alone was woken. */
static double count_wakings(const sc_graph *graph, size_t run, sc_herd *h)
{
  size_t count;
  double single = 0;
  const sc_usage *row = sc_usage_rows(graph, run, &count);
  for (size_t i = 0; i < count; i++) {
    double wakings = row[i].values[SC_USAGE_WRITES];
    if (row[i].resource != h->resource)
      continue;
    if (!wakes_all(&row[i])) {
      single += wakings;
      continue;
    }
    h->wakings += wakings;
    if (!h->waking || wakings > h->waking->values[SC_USAGE_WRITES])
      h->waking = &row[i];
  }
  return single;
}

bool sc_herd_find(const sc_analysis *a, const sc_finding *f, sc_herd *h)
{
  const sc_graph *graph = sc_analysis_graph(a);
  size_t run = last_run(a);
  *h = (sc_herd){0};
  if (!find_condition(graph, run, f->context, h) ||
      h->waits < SC_HERD_WAITS * sc_graph_value(graph, run, f->context, SC_METRIC_COUNT))
    return false;
  double single = count_wakings(graph, run, h); /* each of these has ended one of the waits */
  return h->wakings > 0 && h->waits - single >= SC_HERD_EACH * h->wakings;
}

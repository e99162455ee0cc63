/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/discover/counted.h"

#include <math.h>
#include <string.h>

#include "profiles/graph/usage.h"

static bool is_of_role(const sc_usage *row, enum sc_role role)
{
  static const enum sc_usage_event events[] = {SC_USAGE_EVENT_ACQUIRE, SC_USAGE_EVENT_RELEASE, SC_USAGE_EVENT_WAIT};
  return row->event == events[role];
}

static void add_counted_values(const sc_usage *row, sc_counted *counted)
{
  counted->acquires += row->values[SC_USAGE_ACQUIRES];
  counted->failures += row->values[SC_USAGE_FAILURES];
  counted->back += row->values[SC_USAGE_RETURNED] - row->values[SC_USAGE_UNSEEN];
  counted->unseen += row->values[SC_USAGE_UNSEEN];
  counted->releases += row->values[SC_USAGE_RELEASES];
  counted->strangers += row->values[SC_USAGE_STRANGERS];
  counted->peak += row->values[SC_USAGE_PEAK];
  counted->waits += row->values[SC_USAGE_WAITS];
  counted->wait_seconds += row->values[SC_USAGE_WAIT_SECONDS];
}

static void add_counted_occupancy(const sc_graph *graph, size_t run, uint32_t resource, sc_counted *counted)
{
  size_t count;
  const sc_occupancy *occupancies = sc_usage_occupancies(graph, run, &count);
  for (size_t i = 0; i < count; i++)
    if (occupancies[i].resource == resource)
      counted->instances = fmax(counted->instances, occupancies[i].instances);
}

static bool is_row_of(const sc_graph *graph, const sc_usage *row, const char *function, enum sc_role role)
{
  return is_of_role(row, role) && strcmp(row->via, function) == 0 && sc_usage_resource_at(graph, row->resource)->probe;
}

bool sc_counted_add(const sc_graph *graph, size_t run, const char *function, enum sc_role role, const char *resource,
                    sc_counted *counted)
{
  size_t count;
  const sc_usage *rows = sc_usage_rows(graph, run, &count);
  bool any = false;
  for (size_t i = 0; i < count; i++)
    if (is_row_of(graph, &rows[i], function, role) &&
        (!any || strcmp(sc_usage_resource_at(graph, rows[i].resource)->name, resource) == 0)) {
      any = true;
      counted->resource = rows[i].resource;
    }
  for (size_t i = 0; any && i < count; i++)
    if (rows[i].resource == counted->resource && is_row_of(graph, &rows[i], function, role)) {
      add_counted_values(&rows[i], counted);
      add_counted_occupancy(graph, run, rows[i].resource, counted);
    }
  return any;
}

static bool has_probe(const sc_graph *graph, const char *resource)
{
  for (uint32_t i = 0; i < sc_usage_resource_count(graph); i++)
    if (sc_usage_resource_at(graph, i)->probe && strcmp(sc_usage_resource_at(graph, i)->name, resource) == 0)
      return true;
  return false;
}

const char *sc_counted_discarded(const sc_graph *graph, const char *function, const char *resource)
{
  size_t count;
  const sc_discarded_event *discarded = sc_usage_discarded(graph, &count);
  const char *any = NULL;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(discarded[i].via, function) != 0)
      continue;
    if (strcmp(discarded[i].resource, resource) == 0)
      return discarded[i].why;
    any = discarded[i].why;
  }
  return any && !has_probe(graph, resource) ? any : NULL;
}

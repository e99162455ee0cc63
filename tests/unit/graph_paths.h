/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>
#include <string.h>

#include "profiles/graph/graph.h"

/* How a location is written in a test's path: a function by its linkage name, a loop "name:line", a foreign function
 * "(name)", the truncated root "...". */
static inline void path_step(const sc_location *location, char *text, size_t size)
{
  const char *format = location->kind == SC_LOCATION_FOREIGN ? "(%s)" : "%s";
  if (location->kind == SC_LOCATION_LOOP)
    snprintf(text, size, "%s:%u", location->name, location->line);
  else if (location->kind == SC_LOCATION_TRUNCATED)
    snprintf(text, size, "...");
  else
    snprintf(text, size, format, location->name);
}

/* The context of a path "demo/main/main:3/work", or 0. */
static inline uint32_t path_find(const sc_graph *graph, const char *path)
{
  uint32_t context = 0;
  while (*path) {
    size_t length = strcspn(path, "/");
    uint32_t child = sc_graph_first_child(graph, context);
    for (; child; child = sc_graph_next_sibling(graph, child)) {
      char text[256];
      path_step(sc_graph_at(graph, child), text, sizeof text);
      if (strlen(text) == length && strncmp(text, path, length) == 0)
        break;
    }
    if (!child)
      return 0;
    context = child;
    path += length + (path[length] == '/');
  }
  return context;
}

/* The count of a path in a run; -1 if there is no such context. */
static inline double path_count(const sc_graph *graph, size_t run, const char *path)
{
  uint32_t context = path_find(graph, path);
  return context ? sc_graph_value(graph, run, context, SC_METRIC_COUNT) : -1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that listen are told by how they wait: as many in all runs, often, and long where there is least to do.
 * Names of calls alone would take a client that polls for one. */
#include "transitions/resources/listeners.h"

#include <math.h>
#include <string.h>

#include "base/sample.h"
#include "regress/core/median.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/roles.h"

enum { ROLES = 16, REPEATS = 64 };

typedef struct listener {
  uint32_t role;
  double waits, longest; /* at the largest size */
  sc_listeners is;
} listener;

static bool waits_in(const sc_usage *row, const char *const *calls, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (row->values[SC_USAGE_WAITS] > 0 && !strcmp(row->via, calls[i]))
      return true;
  return false;
}

static bool is_listening(const sc_usage *row)
{
  static const char *const calls[] = {"epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "pselect",
                                      "accept", "accept4",
                                      /* as many threads at all sizes: those of clients would be more */
                                      "read", "readv", "recv", "recvfrom", "recvmsg"};
  return waits_in(row, calls, sizeof calls / sizeof *calls);
}

bool sc_rlistens(const sc_usage *row)
{
  static const char *const calls[] = {"epoll_wait", "epoll_pwait", "epoll_pwait2", "accept", "accept4"};
  return waits_in(row, calls, sizeof calls / sizeof *calls);
}

/* By role, not by call: threads of one pool are one listener, named by the call that waits longest. */
static void add_listener(const sc_resources *r, const sc_usage *row, listener *list, size_t *count)
{
  uint32_t role = sc_rrole_of(r, row->context);
  size_t i = 0;
  while (i < *count && list[i].role != role)
    i++;
  if (i == ROLES)
    return;
  if (i == *count)
    list[(*count)++] = (listener){.role = role};
  list[i].waits += row->values[SC_USAGE_WAITS];
  if (row->values[SC_USAGE_WAIT_SECONDS] <= list[i].longest)
    return;
  list[i].longest = row->values[SC_USAGE_WAIT_SECONDS];
  list[i].is.context = row->context;
  list[i].is.line = row->line;
  list[i].is.column = row->column;
  list[i].is.via = row->via;
}

static size_t find_listeners(const sc_resources *r, listener list[ROLES])
{
  size_t rows, count = 0;
  for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++) {
    const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
    for (; rows; rows--, row++)
      if (is_listening(row))
        add_listener(r, row, list, &count);
  }
  return count;
}

/* Median of the repeats of a size. */
static double busy_at(const sc_resources *r, const listener *l, size_t size)
{
  double room[REPEATS];
  sc_sample shares = sc_sample_begin(room, REPEATS);
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++) {
    size_t rows, index = sc_rgraph_run(r, run);
    double idle = 0, all = l->is.threads * sc_graph_run_const(r->graph, index)->wall_seconds;
    const sc_usage *row = sc_usage_rows(r->graph, index, &rows);
    for (; rows; rows--, row++)
      if (is_listening(row) && sc_rrole_of(r, row->context) == l->role)
        idle += row->values[SC_USAGE_WAIT_SECONDS];
    if (all > 0)
      sc_sample_add(&shares, fmin(1, fmax(0, 1 - idle / all)));
  }
  return shares.count ? sc_median(room, shares.count) : NAN;
}

/* As many threads in all runs; they wait often, and for long where there is least to do. */
static bool is_steady(const sc_resources *r, listener *l)
{
  l->is.threads = sc_rrole_threads(r, 0, l->role);
  for (size_t run = 0; run < r->run_count; run++)
    if (sc_rrole_threads(r, run, l->role) != l->is.threads)
      return false;
  l->is.busy_small = busy_at(r, l, 0);
  l->is.busy_large = busy_at(r, l, r->size_count - 1);
  l->is.full = 0;
  if (l->is.busy_large > 0 && l->is.busy_large >= SC_LISTENERS_BUSIER * l->is.busy_small)
    l->is.full = ceil(r->sizes[r->size_count - 1] / l->is.busy_large);
  double runs = (double)(r->run_count - r->starts[r->size_count - 1]);
  return l->waits >= SC_LISTENERS_WAITS * runs && l->is.busy_small <= 1 - SC_LISTENERS_IDLE;
}

size_t sc_resources_listeners(const sc_resources *r, sc_listeners *out, size_t most)
{
  listener list[ROLES];
  size_t count = 0;
  if (r->place || !sc_parameter_is_workers(r->kind) || !r->size_count)
    return 0;
  size_t found = find_listeners(r, list);
  for (size_t i = 0; i < found; i++) {
    if (!is_steady(r, &list[i]))
      continue;
    size_t at = count < most ? count++ : most;
    for (; at && out[at - 1].threads < list[i].is.threads; at--)
      if (at < most)
        out[at] = out[at - 1];
    if (at < most)
      out[at] = list[i].is;
  }
  return count;
}

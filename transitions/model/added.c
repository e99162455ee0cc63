/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/added.h"

#include <math.h>
#include <string.h>

#include "profiles/graph/usage.h"
#include "transitions/model/tuning.h"

static double walked_again(const sc_location *location, double bytes)
{
  return location->kind == SC_LOCATION_WORK && strstr(location->name, "sscanf") ? SC_ADDED_WALK * bytes / 64 : 0;
}

enum {
  BESIDE = 32, /* calls compared with one: a function can have thousands of callees */
  REPEATED = 4 /* calls in a straight line: a.size() == b.size() is two */
};

/* Whether a context's counter is its caller's or that of a call beside it: functions that were compiled into their
 * caller run as often as what stands around them, or a few times for each, and share its counter. */
static bool shares_counter(const sc_graph *graph, size_t run, uint32_t context, double count)
{
  uint32_t parent = sc_graph_parent(graph, context);
  double around = sc_graph_value(graph, run, parent, SC_METRIC_COUNT);
  for (int times = 1; times <= REPEATED; times++)
    if (times * around == count)
      return true;
  uint32_t beside = sc_graph_first_child(graph, parent);
  for (int looked = 0; looked < BESIDE && beside && beside != context; looked++) {
    if (sc_graph_value(graph, run, beside, SC_METRIC_COUNT) == count)
      return true;
    beside = sc_graph_next_sibling(graph, beside);
  }
  return false;
}

/* At most a share of the run: which functions were compiled into their callers is guessed from their counts, and wrong
 * guesses add up. */
static double counters_added(const sc_graph *graph, size_t run)
{
  double seconds = 0;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++) {
    enum sc_location_kind kind = sc_graph_at(graph, c)->kind;
    double count = sc_graph_value(graph, run, c, SC_METRIC_COUNT);
    if (kind == SC_LOCATION_FUNCTION && !shares_counter(graph, run, c, count))
      seconds += SC_ADDED_CALL * count;
    else if (kind == SC_LOCATION_LOOP)
      seconds += SC_ADDED_ITERATION * count;
  }
  return fmin(seconds, SC_ADDED_COUNTERS_MOST * sc_run_processor(sc_graph_run_const(graph, run)));
}

static double cost_of_event(const sc_resource *resource)
{
  return sc_resource_class_memory(resource->resource_class) ? SC_ADDED_BLOCK : SC_ADDED_EVENT;
}

double sc_added_seconds(const sc_graph *graph, size_t run)
{
  size_t rows;
  const sc_run *r = sc_graph_run_const(graph, run);
  const sc_usage *usages = sc_usage_rows(graph, run, &rows);
  /* The start of the first process is left out: it does not grow. */
  double processes = fmax(0, (double)r->processes - 1), threads = fmax(0, (double)r->threads - (double)r->processes);
  double seconds = SC_ADDED_PROCESS * processes + SC_ADDED_THREAD * threads + SC_ADDED_NODE * (double)r->nodes +
                   counters_added(graph, run);
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    seconds += walked_again(sc_graph_at(graph, c), sc_graph_value(graph, run, c, SC_METRIC_COUNT));
  for (size_t i = 0; i < rows; i++) {
    const double *v = usages[i].values;
    double events =
        v[SC_USAGE_ACQUIRES] + v[SC_USAGE_FAILURES] + v[SC_USAGE_RELEASES] + v[SC_USAGE_READS] + v[SC_USAGE_WRITES];
    seconds += events * cost_of_event(sc_usage_resource_at(graph, usages[i].resource));
  }
  return seconds;
}

/* At the largest size alone, the one that predictions start from. -1: no run has a processor time to compare with. */
double sc_added_share(const sc_graph *graph)
{
  double largest = 0, added = 0, all = 0;
  for (size_t r = 0; r < sc_graph_run_count(graph); r++)
    largest = fmax(largest, sc_graph_run_const(graph, r)->n);
  for (size_t r = 0; r < sc_graph_run_count(graph); r++)
    if (sc_graph_run_const(graph, r)->n == largest) {
      added += sc_added_seconds(graph, r);
      all += sc_run_processor(sc_graph_run_const(graph, r));
    }
  return all > 0 ? fmin(added / all, SC_ADDED_MOST) : -1;
}

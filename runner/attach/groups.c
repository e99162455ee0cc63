/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/attach/groups.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "instrument/attach/catch.h"
#include "profiles/graph/usage.h"
#include "runner/text/tuning.h"

/* ---- which functions go together ---- */

static uint32_t find_root(uint32_t *parents, uint32_t of)
{
  while (parents[of] != of)
    of = parents[of] = parents[parents[of]];
  return of;
}

static void unite_sets(uint32_t *parents, uint32_t a, uint32_t b)
{
  a = find_root(parents, a);
  b = find_root(parents, b);
  parents[a > b ? a : b] = a > b ? b : a;
}

/* Functions first, then resources: each event joins both. */
static void unite_events(const sc_uprobes *uprobes, uint32_t *parents)
{
  const sc_caught_events *events = &uprobes->events.caught;
  uint32_t functions = (uint32_t)uprobes->functions.count;
  for (size_t i = 0; i < events->count; i++) {
    unite_sets(parents, events->list[i].function, functions + events->list[i].resource);
    if (events->list[i].touched != UINT32_MAX)
      unite_sets(parents, events->list[i].function, functions + events->list[i].touched);
  }
}

static void append_group_name(sc_group *group, const char *name)
{
  size_t length = strlen(group->name);
  snprintf(group->name + length, sizeof group->name - length, "%s%s", length ? ", " : "", name);
}

static void name_groups(const sc_uprobes *uprobes, uint32_t *parents, const uint32_t *numbers, sc_groups *groups)
{
  const sc_caught_events *events = &uprobes->events.caught;
  for (size_t i = 0; i < events->resource_count; i++) {
    uint32_t root = find_root(parents, (uint32_t)(groups->functions + i));
    sc_group *group = root < groups->functions ? &groups->list[numbers[root]] : NULL;
    if (!group) /* nothing of it is caught */
      continue;
    group->resource = true;
    group->utility = fmax(group->utility, SC_ATTACH_RESOURCE);
    append_group_name(group, events->resources[i].resource.name);
  }
  for (size_t i = 0; i < groups->functions; i++) {
    sc_group *group = &groups->list[groups->of[i]];
    if (group->resource)
      continue;
    group->utility = SC_ATTACH_FUNCTION;
    append_group_name(group, uprobes->functions.list[i].display);
  }
}

/* What the set says of its resources takes the place of what is taken for any. */
static void weigh_groups(const sc_uprobes *uprobes, sc_groups *groups)
{
  const sc_caught_events *events = &uprobes->events.caught;
  for (int told = 0; told < 2; told++)
    for (size_t i = 0; i < events->count; i++) {
      double weight = events->list[i].event->resource->weight;
      sc_group *group = &groups->list[groups->of[events->list[i].function]];
      if (weight >= 0)
        group->utility = told ? fmax(group->utility, weight) : 0;
    }
}

static int divide_groups(const sc_uprobes *uprobes, sc_groups *groups)
{
  size_t all = groups->functions + uprobes->events.caught.resource_count;
  uint32_t *parents = sc_mem_new(all, sizeof *parents), *numbers = sc_mem_new(all, sizeof *numbers);
  int err = parents && numbers ? SC_NEW(groups->list, groups->functions) : SC_E_NOMEM;
  err = err ?: SC_NEW(groups->of, groups->functions);
  if (err == 0) {
    for (size_t i = 0; i < all; i++)
      parents[i] = (uint32_t)i;
    unite_events(uprobes, parents);
    for (size_t i = 0; i < groups->functions; i++) {
      uint32_t root = find_root(parents, (uint32_t)i); /* the first of its functions */
      if (root == i)
        numbers[i] = (uint32_t)groups->count++;
      groups->of[i] = numbers[root];
      groups->list[groups->of[i]].until = -1;
    }
    name_groups(uprobes, parents, numbers, groups);
    weigh_groups(uprobes, groups);
  }
  free(parents);
  free(numbers);
  return err;
}

/* ---- prices ---- */

static enum sc_price_start read_start(const char *file, uint64_t offset)
{
  unsigned char code[16];
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? 0 : pread(fd, code, sizeof code, (off_t)offset);
  if (fd >= 0)
    close(fd);
  return sc_price_start(code, got > 0 ? (size_t)got : 0);
}

static int price_functions(const sc_uprobes *uprobes, const sc_prices *prices, sc_groups *groups)
{
  const struct scale_capture *captures = uprobes->events.captures;
  SC_TRY(SC_NEW(groups->call_price, groups->functions));
  for (size_t i = 0; i < uprobes->place_count; i++) {
    uint32_t function = uprobes->places[i].function;
    enum sc_price_start start = read_start(uprobes->places[i].file, uprobes->places[i].offset);
    double price = sc_price_call(prices, start, captures ? &captures[function] : NULL);
    groups->call_price[function] = fmax(groups->call_price[function], price);
  }
  return 0;
}

int sc_groups_make(const sc_uprobes *uprobes, const sc_prices *prices, sc_groups *groups)
{
  *groups = (sc_groups){.functions = uprobes->functions.count, .per = UINT32_MAX};
  SC_TRY(divide_groups(uprobes, groups));
  return price_functions(uprobes, prices, groups);
}

void sc_groups_free(sc_groups *groups)
{
  free(groups->list);
  free(groups->of);
  free(groups->call_price);
  *groups = (sc_groups){0};
}

/* ---- what earlier runs tell ---- */

/* Of all groups in one run. */
typedef struct taken {
  double *calls, *waits; /* [groups] */
  double all_calls, all_waits;
} taken;

static uint32_t group_of(const sc_groups *groups, const sc_uprobes *uprobes, const char *function)
{
  for (uint32_t i = 0; i < groups->functions; i++)
    if (strcmp(uprobes->functions.list[i].name, function) == 0)
      return groups->of[i];
  return UINT32_MAX;
}

static void gather_counts(const sc_groups *groups, const sc_uprobes *uprobes, const sc_graph *graph, size_t run,
                          taken *to)
{
  size_t rows;
  const sc_usage *usages = sc_usage_rows(graph, run, &rows);
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    const sc_location *at = sc_graph_at(graph, c);
    uint32_t group = at->kind == SC_LOCATION_FUNCTION ? group_of(groups, uprobes, at->name) : UINT32_MAX;
    if (group == UINT32_MAX)
      continue;
    to->calls[group] += sc_graph_value(graph, run, c, SC_METRIC_COUNT);
    to->all_calls += sc_graph_value(graph, run, c, SC_METRIC_COUNT);
  }
  for (size_t i = 0; i < rows; i++) {
    uint32_t group = group_of(groups, uprobes, usages[i].via);
    if (group == UINT32_MAX)
      continue;
    to->waits[group] += usages[i].values[SC_USAGE_WAIT_SECONDS];
    to->all_waits += usages[i].values[SC_USAGE_WAIT_SECONDS];
  }
}

static double share_of(double part, double all) { return all > 0 ? part / all : 0; }

int sc_groups_learn(sc_groups *groups, const sc_uprobes *uprobes, const sc_graph *graph)
{
  size_t small = 0, large = 0, runs = sc_graph_run_count(graph);
  for (size_t r = 1; r < runs; r++) {
    small = sc_graph_run_const(graph, r)->n < sc_graph_run_const(graph, small)->n ? r : small;
    large = sc_graph_run_const(graph, r)->n > sc_graph_run_const(graph, large)->n ? r : large;
  }
  if (!runs || sc_graph_run_const(graph, small)->n == sc_graph_run_const(graph, large)->n)
    return 0;
  double *values = sc_mem_new(4 * groups->count, sizeof *values);
  if (!values)
    return SC_E_NOMEM;
  taken at_small = {values, values + groups->count, 0, 0};
  taken at_large = {values + 2 * groups->count, values + 3 * groups->count, 0, 0};
  gather_counts(groups, uprobes, graph, small, &at_small);
  gather_counts(groups, uprobes, graph, large, &at_large);
  for (size_t i = 0; i < groups->count; i++) {
    double calls = share_of(at_large.calls[i], at_large.all_calls) - share_of(at_small.calls[i], at_small.all_calls);
    double waits = share_of(at_large.waits[i], at_large.all_waits) - share_of(at_small.waits[i], at_small.all_waits);
    groups->list[i].utility = fmax(groups->list[i].utility, fmax(calls, 0) + fmax(waits, 0));
  }
  free(values);
  return 0;
}

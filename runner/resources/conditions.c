/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/conditions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "runner/resources/numbers.h"
#include "runner/resources/words.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/resources/listeners.h"

typedef struct condition {
  const char *name;
  uint32_t resource;
  double waits, seconds, signals;
  bool units; /* are taken and given back; `signals` is how often */
} condition;

static int compare_conditions(const void *a, const void *b)
{
  const condition *x = a, *y = b;
  return SC_COMPARE(y->waits, x->waits) ?: SC_COMPARE(y->signals, x->signals);
}

/* A pool's queue, or what its clients wait for; or units are what is judged. */
static bool is_judged(const sc_judge *judge, uint32_t resource)
{
  sc_thread_pool pool;
  for (uint32_t i = 0; i < sc_usage_resource_count(judge->loaded.graph); i++)
    if (sc_resources_pool(judge->resources, i, &pool) && (i == resource || pool.answers == resource))
      return true;
  return sc_usage_condition_has_units(judge->loaded.graph, resource);
}

/* Units whose number nobody knows as long as no thread waits; or one that is held to wait for work. */
static bool are_open(const sc_judge *judge, uint32_t r, const sc_resource *resource)
{
  double hold;
  return resource->resource_class == SC_RESOURCE_SEMAPHORE &&
         (!(resource->capacity > 0) || sc_resources_awaits_work(judge->resources, r)) &&
         sc_resource_number_now(judge, r, SC_RMETRIC_HOLD, &hold) >= 0 && hold > 0;
}

/* One thread raises it, another one takes it: threads wait for it as for a condition. */
static bool hands_over(const sc_judge *judge, uint32_t r, const sc_resource *resource)
{
  double hold;
  return resource->resource_class == SC_RESOURCE_SEMAPHORE &&
         (sc_resource_number_now(judge, r, SC_RMETRIC_HOLD, &hold) < 0 || !(hold > 0));
}

/* Whether a row counts who reads or writes in a lock that the program makes of counters. */
static bool is_counted_lock(const sc_graph *graph, const sc_usage *row)
{
  return sc_usage_resource_at(graph, row->resource)->resource_class == SC_RESOURCE_RWLOCK &&
         (!strcmp(row->via, "readers' count") || !strcmp(row->via, "writer's flag"));
}

/* Whether who waits there enters such a lock: in the function around the loop that waits. */
static bool enters_lock(const sc_graph *graph, const sc_usage *rows, size_t count, uint32_t context)
{
  while (context && context < sc_graph_context_count(graph) && sc_graph_at(graph, context)->kind == SC_LOCATION_LOOP)
    context = sc_graph_parent(graph, context);
  for (size_t i = 0; i < count; i++)
    if (rows[i].context == context && is_counted_lock(graph, &rows[i]))
      return true;
  return false;
}

/* Whether all who wait for a condition enter a lock of readers and writers there, which has their waits. */
static bool is_of_lock(const sc_judge *judge, uint32_t resource)
{
  const sc_graph *graph = judge->loaded.graph;
  size_t runs = sc_analysis_run_count(judge->loaded.analysis), rows;
  if (!runs)
    return false;
  const sc_usage *row = sc_usage_rows(graph, sc_analysis_run(judge->loaded.analysis, runs - 1), &rows);
  bool any = false;
  for (size_t i = 0; i < rows; i++) {
    if (row[i].resource != resource || !(row[i].values[SC_USAGE_WAITS] > 0))
      continue;
    if (!enters_lock(graph, row, rows, row[i].context))
      return false;
    any = true;
  }
  return any;
}

/* The conditions not judged that were waited for, or signalled often, at the largest size, those with most waits first.
 * To be freed. */
static size_t find_conditions(const sc_judge *judge, condition **out)
{
  const sc_graph *graph = judge->loaded.graph;
  uint32_t resources = sc_usage_resource_count(graph);
  size_t count = 0;
  condition *list = *out = sc_mem_new(resources + 1, sizeof *list);
  for (uint32_t r = 0; list && r < resources; r++) {
    const sc_resource *resource = sc_usage_resource_at(graph, r);
    condition *c = &list[count];
    *c = (condition){.name = resource->name, .resource = r, .units = are_open(judge, r, resource)};
    if ((resource->resource_class != SC_RESOURCE_CONDITION && !c->units && !hands_over(judge, r, resource)) ||
        is_judged(judge, r) || is_of_lock(judge, r) ||
        sc_resource_number_now(judge, r, SC_RMETRIC_WAITS, &c->waits) < 0 ||
        sc_resource_number_now(judge, r, SC_RMETRIC_WAIT_TOTAL, &c->seconds) < 0 ||
        sc_resource_number_now(judge, r, c->units ? SC_RMETRIC_ACQUIRES : SC_RMETRIC_USES, &c->signals) < 0)
      continue;
    count += c->waits > 0 ? c->seconds > 0 : c->signals >= SC_CONDITIONS_SIGNALS;
  }
  if (count)
    qsort(list, count, sizeof *list, compare_conditions);
  return count;
}

/* "in serve (pool.c:21)": where threads wait for it longest, at the largest size. */
static void add_condition_place(const sc_judge *judge, uint32_t resource, sc_buf *text)
{
  const sc_usage *longest = NULL;
  size_t runs = sc_analysis_run_count(judge->loaded.analysis);
  for (size_t run = 0; run < runs; run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(judge->loaded.graph, sc_analysis_run(judge->loaded.analysis, run), &rows);
    for (; rows; rows--, row++)
      if (row->resource == resource && row->context < sc_graph_context_count(judge->loaded.graph) &&
          row->values[SC_USAGE_WAIT_SECONDS] > (longest ? longest->values[SC_USAGE_WAIT_SECONDS] : 0))
        longest = row;
  }
  if (!longest)
    return;
  sc_buf_puts(text, ", in ");
  sc_resource_words_place(judge->loaded.graph, longest->context, longest->line, longest->column, text);
}

static void add_condition_names(const sc_judge *judge, const condition *found, size_t count, sc_buf *text)
{
  for (size_t i = 0; i < count && i < SC_CONDITIONS_SHOWN; i++) {
    sc_buf_puts(text, i ? "; " : "");
    sc_utf8_show(found[i].name, text);
    if (found[i].waits > 0) {
      sc_buf_printf(text, ", %s, %s of all threads", sc_format_plural((size_t)found[i].waits, "wait").s,
                    sc_format_seconds(found[i].seconds).s);
      add_condition_place(judge, found[i].resource, text);
    } else {
      sc_buf_printf(text, found[i].units ? ", taken %s" : ", %s",
                    sc_format_plural((size_t)found[i].signals, found[i].units ? "time" : "signal").s);
    }
  }
  if (count > SC_CONDITIONS_SHOWN)
    sc_buf_printf(text, "; and %s", sc_format_plural(count - SC_CONDITIONS_SHOWN, "more condition").s);
}

static void add_condition_size(const sc_judge *judge, sc_buf *text)
{
  double smallest, largest;
  sc_analysis_range(judge->loaded.analysis, &smallest, &largest);
  sc_buf_printf(text, "%s = %s", judge->loaded.workload->parameter, sc_format_number(largest).s);
}

/* Pools of threads behind a condition that are not recognised. */
static void add_waited_for(const sc_judge *judge, const condition *found, size_t count, sc_buf *text)
{
  sc_buf_puts(text, "Waits for conditions were not judged. At ");
  add_condition_size(judge, text);
  sc_buf_puts(text, ": ");
  add_condition_names(judge, found, count, text);
  sc_buf_puts(text, ". Whether the threads that serve behind one are too few is not seen; `scale-run ask --resource` "
                    "with its name tells how its waits grow.");
}

/* Such a condition may guard a list of free units that is long enough at the sizes measured. */
static void add_signalled(const sc_judge *judge, const condition *found, size_t count, sc_buf *text)
{
  sc_buf_puts(text, "No thread waited for a condition that others signal: ");
  add_condition_names(judge, found, count, text);
  sc_buf_puts(text, " at ");
  add_condition_size(judge, text);
  sc_buf_puts(text, ". Whether threads will wait at larger sizes is not judged: measure larger ones.");
}

void sc_unjudged_conditions_text(const sc_judge *judge, sc_buf *waited_for, sc_buf *signalled)
{
  condition *found = NULL;
  size_t waited = 0;
  if (!judge->resources || !sc_parameter_is_workers(judge->loaded.workload->kind))
    return;
  size_t count = find_conditions(judge, &found);
  while (waited < count && found[waited].waits > 0)
    waited++;
  if (waited)
    add_waited_for(judge, found, waited, waited_for);
  if (count > waited)
    add_signalled(judge, found + waited, count - waited, signalled);
  free(found);
}

void sc_listening_text(const sc_judge *judge, sc_buf *text)
{
  sc_listeners found[SC_CONDITIONS_SHOWN];
  const char *variable = judge->loaded.workload->parameter;
  double smallest, largest, first = INFINITY;
  size_t count = judge->resources ? sc_resources_listeners(judge->resources, found, SC_CONDITIONS_SHOWN) : 0;
  if (!count)
    return;
  sc_analysis_range(judge->loaded.analysis, &smallest, &largest);
  sc_buf_puts(text, "Threads that wait for requests from outside, or by way of a pipe, are not judged. ");
  for (size_t i = 0; i < count; i++) {
    const sc_listeners *l = &found[i];
    sc_buf_puts(text, i ? "; " : "");
    sc_buf_printf(text, "%s in %s, ", sc_format_plural((size_t)l->threads, "thread").s, l->via);
    sc_resource_words_place(judge->loaded.graph, l->context, l->line, l->column, text);
    sc_buf_printf(text, ", did something else for %.0f%% of the time at %s = %s", 100 * l->busy_small, variable,
                  sc_format_number(smallest).s);
    sc_buf_printf(text, " and for %.0f%% at %s = %s", 100 * l->busy_large, variable, sc_format_number(largest).s);
    if (l->full > 0) {
      sc_buf_printf(text, " (in proportion, all of it at %s = %s)", variable, sc_format_number(l->full).s);
      first = fmin(first, l->full);
    }
  }
  sc_buf_puts(text, ". Where that comes near 100%, they are too few");
  if (isfinite(first)) /* twice as many leave no doubt */
    sc_buf_printf(text, "; to see it, measure up to %s = %s", variable, sc_format_number(ceil(2 * first)).s);
  sc_buf_puts(text, ".");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/resources/numbers.h"
#include "runner/resources/words.h"
#include "runner/text/table.h"
#include "runner/text/tuning.h"

static bool same_resource_name(const sc_resource *a, const sc_resource *b)
{
  return a->resource_class == b->resource_class && a->line == b->line && strcmp(a->name, b->name) == 0 &&
         strcmp(a->file, b->file) == 0;
}

/* What a run recorded of a resource. */
typedef struct recorded {
  bool touched;
  double sums[SC_USAGE_VALUES], exclusive_holds, exclusive_seconds;
  sc_occupancy occupancy;
} recorded;

static recorded sum_run(const sc_graph *graph, size_t run, const sc_resource *wanted)
{
  size_t count;
  recorded all = {0};
  const sc_usage *rows = sc_usage_rows(graph, run, &count);
  for (size_t i = 0; i < count; i++) {
    if (!same_resource_name(sc_usage_resource_at(graph, rows[i].resource), wanted))
      continue;
    all.touched = true;
    for (int v = 0; v < SC_USAGE_VALUES; v++)
      all.sums[v] += rows[i].values[v];
    all.exclusive_holds += rows[i].shared ? 0 : rows[i].values[SC_USAGE_HOLDS];
    all.exclusive_seconds += rows[i].shared ? 0 : rows[i].values[SC_USAGE_HOLD_SECONDS];
  }
  const sc_occupancy *list = sc_usage_occupancies(graph, run, &count);
  for (size_t i = 0; i < count; i++)
    if (same_resource_name(sc_usage_resource_at(graph, list[i].resource), wanted))
      all.occupancy = list[i];
  return all;
}

/* Whether a context is one of those that hand out a pool's work: functions of one name, as targets have other numbers.
 */
static bool is_client(const sc_judge *judge, const sc_thread_pool *pool, uint32_t context)
{
  const sc_graph *graph = judge->loaded.graph, *targets = judge->loaded.targets;
  for (; context && context < sc_graph_context_count(targets); context = sc_graph_parent(targets, context))
    for (size_t i = 0; i < pool->client_count; i++) {
      const sc_location *client = sc_graph_at(graph, pool->clients[i]), *at = sc_graph_at(targets, context);
      if (at->kind == client->kind && strcmp(at->name, client->name) == 0 && strcmp(at->file, client->file) == 0)
        return true;
    }
  return false;
}

/* Of what a pool's threads and clients did to its condition, leaves the clients' signals, and the threads' waits. */
static void divide_pool(const sc_judge *judge, size_t run, const sc_thread_pool *pool, const sc_resource *wanted,
                        recorded *all)
{
  size_t count;
  const sc_usage *rows = sc_usage_rows(judge->loaded.targets, run, &count);
  for (size_t i = 0; i < count; i++) {
    if (!same_resource_name(sc_usage_resource_at(judge->loaded.targets, rows[i].resource), wanted))
      continue;
    bool asks = is_client(judge, pool, rows[i].context);
    all->sums[SC_USAGE_WRITES] -= asks ? 0 : rows[i].values[SC_USAGE_WRITES];
    all->sums[SC_USAGE_WAIT_SECONDS] -= asks ? rows[i].values[SC_USAGE_WAIT_SECONDS] : 0;
  }
}

static bool recorded_ratio(double part, double whole, double *value)
{
  *value = whole > 0 ? fmax(0, part) / whole : 0;
  return whole > 0;
}

/* Those of exclusive holds, or of all if none are. */
static bool mean_hold(const recorded *of, double *value)
{
  bool exclusive = of->exclusive_holds > 0;
  return recorded_ratio(exclusive ? of->exclusive_seconds : of->sums[SC_USAGE_HOLD_SECONDS],
                        exclusive ? of->exclusive_holds : of->sums[SC_USAGE_HOLDS], value);
}

/* As it is where its model is from (docs/resources.md, "Measured"). */
static bool recorded_utilisation(const recorded *of, const sc_resource *what, double *value)
{
  bool lock = sc_resource_class_locks(what->resource_class);
  bool each = what->resource_class == SC_RESOURCE_SEMAPHORE && !what->probe;
  double instances = fmax(1, of->occupancy.instances), acquires = of->sums[SC_USAGE_ACQUIRES];
  if (lock && of->occupancy.hot > 0) /* as busy as the busiest */
    instances = fmax(1, fmin(instances, of->exclusive_seconds / of->occupancy.busiest_seconds));
  double places = lock ? instances : what->capacity * (each ? instances : 1);
  double units = lock || !(acquires > 0) ? 1 : of->sums[SC_USAGE_UNITS] / acquires;
  double span = of->occupancy.loaded_seconds > 0 ? of->occupancy.loaded_seconds : of->occupancy.span_seconds;
  bool known = recorded_ratio(of->exclusive_seconds * units, span * places, value);
  *value = fmin(1, *value);
  return known && of->exclusive_holds > 0;
}

static bool sum_of_recorded(const recorded *of, enum sc_resource_metric metric, double *value)
{
  static const int sums[] = {[SC_RMETRIC_ACQUIRES] = SC_USAGE_ACQUIRES,
                             [SC_RMETRIC_FAILURES] = SC_USAGE_FAILURES,
                             [SC_RMETRIC_WAITS] = SC_USAGE_WAITS,
                             [SC_RMETRIC_RELEASES] = SC_USAGE_RELEASES,
                             [SC_RMETRIC_UNITS] = SC_USAGE_UNITS,
                             [SC_RMETRIC_HOLD_TOTAL] = SC_USAGE_HOLD_SECONDS,
                             [SC_RMETRIC_WAIT_TOTAL] = SC_USAGE_WAIT_SECONDS};
  *value = of->sums[sums[metric]];
  return true;
}

/* As its model is of: places that take turns are not added up where the run says what was out of all together. */
static double recorded_peak(const recorded *of, const sc_resource *what)
{
  double most = sc_usage_most_out(what, of->sums[SC_USAGE_PEAK], of->occupancy.instances);
  return of->occupancy.peak > 0 ? fmin(most, of->occupancy.peak) : most;
}

static bool value_of_recorded(const recorded *of, const sc_resource *what, enum sc_resource_metric metric,
                              double *value)
{
  double acquires = of->sums[SC_USAGE_ACQUIRES], failures = of->sums[SC_USAGE_FAILURES];
  switch (metric) {
  case SC_RMETRIC_ACQUIRES:
  case SC_RMETRIC_FAILURES:
  case SC_RMETRIC_WAITS:
  case SC_RMETRIC_RELEASES:
  case SC_RMETRIC_UNITS:
  case SC_RMETRIC_HOLD_TOTAL:
  case SC_RMETRIC_WAIT_TOTAL:
    return sum_of_recorded(of, metric, value);
  case SC_RMETRIC_PEAK:
    *value = recorded_peak(of, what);
    return true;
  case SC_RMETRIC_OUTSTANDING:
    *value = of->sums[SC_USAGE_UNITS] - of->sums[SC_USAGE_RETURNED_UNITS];
    return true;
  case SC_RMETRIC_HOLD:
    return mean_hold(of, value);
  case SC_RMETRIC_WAIT:
    return recorded_ratio(of->sums[SC_USAGE_WAIT_SECONDS], acquires > 0 ? acquires : of->sums[SC_USAGE_WAITS], value);
  case SC_RMETRIC_FAILURE_RATIO:
    return recorded_ratio(failures, acquires + failures, value);
  case SC_RMETRIC_UTILISATION:
    return recorded_utilisation(of, what, value);
  default:
    return false;
  }
}

/* A pool of threads behind a condition, as it is where its model is from (docs/resources.md, "Pools behind
 * conditions"). How many of the signals were requests is not looked at again. */
static bool pool_value_of(const recorded *work, const recorded *answers, const sc_thread_pool *pool,
                          enum sc_resource_metric metric, double *value)
{
  double span = fmax(work->occupancy.span_seconds, answers->occupancy.span_seconds);
  double items = work->sums[SC_USAGE_WRITES];
  sc_pool_times times = {.threads = pool->threads,
                         .items = items,
                         .span = span,
                         .loaded = work->occupancy.loaded_seconds,
                         .active = work->occupancy.active_seconds,
                         .idle = work->sums[SC_USAGE_WAIT_SECONDS],
                         .answered = answers->sums[SC_USAGE_WAIT_SECONDS]};
  double busy = sc_pool_busy(&times);
  double waited = sc_pool_waited(pool->closed, times.answered, busy);
  switch (metric) {
  case SC_RMETRIC_UTILISATION:
    return recorded_ratio(busy, pool->threads * sc_pool_loaded(&times, busy), value);
  case SC_RMETRIC_HOLD_TOTAL:
    *value = busy;
    return true;
  case SC_RMETRIC_HOLD:
    return recorded_ratio(busy, items, value);
  case SC_RMETRIC_WAIT_TOTAL:
    *value = waited;
    return pool->answers != SC_USAGE_NONE;
  case SC_RMETRIC_WAIT:
    return recorded_ratio(waited, items, value) && pool->answers != SC_USAGE_NONE;
  default:
    return false;
  }
}

/* Of one run. */
static bool value_in(const sc_judge *judge, size_t run, uint32_t resource, enum sc_resource_metric metric,
                     bool *touched, double *value)
{
  sc_thread_pool pool;
  const sc_graph *graph = judge->loaded.graph, *targets = judge->loaded.targets;
  const sc_resource *wanted = sc_usage_resource_at(graph, resource);
  recorded all = sum_run(targets, run, wanted), answers = {0};
  *touched = all.touched;
  if (!judge->resources || !sc_resources_pool(judge->resources, resource, &pool))
    return value_of_recorded(&all, wanted, metric, value);
  divide_pool(judge, run, &pool, wanted, &all);
  if (pool.answers != SC_USAGE_NONE)
    answers = sum_run(targets, run, sc_usage_resource_at(graph, pool.answers));
  return pool_value_of(&all, &answers, &pool, metric, value);
}

bool sc_resource_actual(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric, double n,
                        double *value)
{
  const sc_graph *targets = judge->loaded.targets;
  double sum = 0, runs = 0, one;
  bool touched = false, now;
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++) {
    if (!sc_judge_ran(judge, run, n))
      continue;
    runs++;
    bool known = value_in(judge, run, resource, metric, &now, &one);
    if (now && !known)
      return false;
    sum += now ? one : 0;
    touched = touched || now;
  }
  *value = touched ? fmax(0, sum / runs) : 0;
  return touched;
}

/* What is asked of a lock is time, of memory units, and of a pool both. */
static const enum sc_resource_metric COMPARED[] = {
    SC_RMETRIC_ACQUIRES, SC_RMETRIC_WAITS,         SC_RMETRIC_FAILURES,    SC_RMETRIC_HOLD,
    SC_RMETRIC_WAIT,     SC_RMETRIC_HOLD_TOTAL,    SC_RMETRIC_WAIT_TOTAL,  SC_RMETRIC_UTILISATION,
    SC_RMETRIC_PEAK,     SC_RMETRIC_FAILURE_RATIO, SC_RMETRIC_OUTSTANDING,
};

static bool is_compared(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric)
{
  bool units = metric == SC_RMETRIC_PEAK || metric == SC_RMETRIC_OUTSTANDING;
  enum sc_resource_class kind = sc_usage_resource_at(judge->loaded.graph, resource)->resource_class;
  if (kind >= SC_RESOURCE_SLEEP) /* the elapsed time's */
    return false;
  if (units)
    return kind > SC_RESOURCE_BARRIER || (kind == SC_RESOURCE_SEMAPHORE && metric == SC_RMETRIC_PEAK);
  return !sc_resource_number_is_void(judge, resource, metric);
}

typedef struct comparisons {
  sc_resource_comparison *list;
  size_t count, capacity;
} comparisons;

static int add_recorded_metrics(const sc_judge *judge, uint32_t resource, double n, comparisons *all)
{
  for (size_t m = 0; m < sizeof COMPARED / sizeof *COMPARED; m++) {
    sc_resource_comparison one = {.resource = resource, .metric = COMPARED[m]};
    const sc_resource_series *series = sc_resources_series(judge->resources, resource, SC_USAGE_NONE, COMPARED[m]);
    if (!series || !is_compared(judge, resource, COMPARED[m]) ||
        !sc_resource_actual(judge, resource, COMPARED[m], n, &one.actual))
      continue;
    SC_TRY(sc_resources_predict(judge->resources, resource, COMPARED[m], n, &one.predicted));
    if (m > 0 && one.actual == 0 && one.predicted.value == 0)
      continue;
    SC_TRY(sc_mem_grow(&all->list, &all->capacity, all->count + 1, sizeof *all->list));
    all->list[all->count++] = one;
  }
  return 0;
}

static bool was_found(const sc_resource_finding *findings, size_t count, uint32_t resource)
{
  while (count && findings[count - 1].resource != resource)
    count--;
  return count > 0;
}

int sc_resource_compare(const sc_judge *judge, double n, sc_resource_comparison **list, size_t *count)
{
  comparisons all = {0};
  size_t found = 0;
  int err = 0;
  const sc_resource_finding *findings = judge->resources ? sc_resources_findings(judge->resources, &found) : NULL;
  uint32_t resources =
      judge->resources && sc_judge_was_run(judge, n) ? sc_usage_resource_count(judge->loaded.graph) : 0;
  for (size_t i = 0; i < found && resources; i++)
    if (!was_found(findings, i, findings[i].resource))
      SC_GOTO(add_recorded_metrics(judge, findings[i].resource, n, &all));
  for (uint32_t i = 0; i < resources; i++)
    if (!was_found(findings, found, i) && !sc_usage_condition_has_units(judge->loaded.graph, i))
      SC_GOTO(add_recorded_metrics(judge, i, n, &all));
out:
  if (err < 0) {
    free(all.list);
    all = (comparisons){0};
  }
  *list = all.list;
  *count = all.count;
  return err;
}

static void add_comparison_row(sc_table *table, const sc_judge *judge, const sc_resource_comparison *one, bool first)
{
  const sc_resource *what = sc_usage_resource_at(judge->loaded.graph, one->resource);
  const sc_interval *p = &one->predicted;
  sc_buf name = {0};
  sc_resource_words_name(what, &name);
  if (sc_buf_finish(&name) == 0) {
    sc_table_cell(table, first ? name.text : "");
    sc_table_cell(table, sc_resource_metric_name(one->metric));
    sc_table_cell(table, sc_resource_words_predicted(one->metric, what, p).s);
    sc_table_cell(table, sc_resource_words_interval(one->metric, what, p).s);
    sc_table_cell(table, sc_resource_words_value(one->metric, what, one->actual).s);
    sc_table_cell(table, sc_format_error(p->value, one->actual).s);
    sc_table_cell(table, one->actual >= p->low && one->actual <= p->high ? "" : "outside");
  }
  sc_buf_free(&name);
}

int sc_resource_compare_print(FILE *out, const sc_judge *judge, double n, const sc_text_options *options)
{
  static const char *const headings[] = {"resource", "", "predicted", "95% interval", "actual", "error", ""};
  size_t count, shown = 0, top = options->top ? options->top : SC_TOP;
  sc_resource_comparison *list;
  SC_TRY(sc_resource_compare(judge, n, &list, &count));
  if (!count)
    return 0;
  sc_table *table = sc_table_new("llrrrrl");
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  bool all = options->all || options->resources;
  for (size_t i = 0; i < count; i++) {
    bool first = i == 0 || list[i].resource != list[i - 1].resource;
    shown += first;
    if (all || shown <= top)
      add_comparison_row(table, judge, &list[i], first);
  }
  sc_table_fit(table, 0, options->width - 2);
  fprintf(out, "\n%sResources%s\n", options->style.bold, options->style.off);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  if (!all && shown > top)
    fprintf(out, "  %s not shown here: --json\n", sc_format_plural(shown - top, "resource").s);
  sc_table_free(table);
  free(list);
  return err;
}

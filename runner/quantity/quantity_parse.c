/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "utilisation(order_lock)": from words to a quantity. */
#include "runner/quantity/quantity.h"

#include <stdlib.h>
#include <string.h>

#include "runner/resources/find.h"
#include "runner/resources/metric.h"
#include "runner/resources/words.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/waiting.h"

static bool is_judge_timed(const sc_judge *judge) { return sc_analysis_timed(judge->loaded.analysis); }

/* How the cost unit is called on a command line. */
static const char *cost_metric(const sc_judge *judge)
{
  return is_judge_timed(judge) ? "time" : sc_analysis_cost_unit(judge->loaded.analysis);
}

static const char *cost_words(const sc_judge *judge)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  return is_judge_timed(judge)                                      ? "processor time"
         : sc_analysis_has_costs(analysis) || judge->loaded.entries ? sc_analysis_cost_unit(analysis)
                                                                    : "iterations and calls";
}

enum { OF_TIME, OF_WALL, OF_WAITING, OF_OWN, OF_CALLS, OF_ITERATIONS, OF_WORK, OF_MEMORY, OF_RESOURCE };

/* "bytes": the unit of enum sc_work_unit; 0: none. */
static uint32_t unit_called(const char *metric)
{
  for (uint32_t unit = SC_UNIT_BYTES; unit <= SC_UNIT_BLOCKS; unit++)
    if (strcmp(metric, sc_location_unit(&(sc_location){.kind = SC_LOCATION_WORK, .nth = unit})) == 0)
      return unit;
  return 0;
}

static int no_such_cost(const sc_judge *judge, const char *metric)
{
  const char *unit = sc_analysis_cost_unit(judge->loaded.analysis);
  if (strcmp(unit, "s") == 0 || strcmp(metric, "time") != 0)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "this study's costs are in %s, not time", unit);
  if (judge->loaded.entries)
    return sc_err_hint(SC_E_USAGE, "uprobes count calls, and time nothing but the whole: ask for wall, or %s",
                       cost_metric(judge));
  return sc_err_hint(SC_E_USAGE, "run again with --event task-clock --restart, or ask for %s, or wall",
                     cost_metric(judge));
}

/* `place`: of a function or loop, whose iterations are those of loops, also where everything executed is the cost. */
static int program_metric(const sc_judge *judge, const char *metric, bool place)
{
  if (strcmp(metric, "iterations") == 0 && place)
    return OF_ITERATIONS;
  if (strcmp(metric, "calls") == 0 && place)
    return OF_CALLS;
  if (strcmp(metric, "time") == 0 || strcmp(metric, "cost") == 0 || strcmp(metric, cost_metric(judge)) == 0)
    return OF_TIME;
  if (sc_elapsed_is_metric(metric))
    return OF_WALL;
  if (strcmp(metric, "waiting") == 0 || strcmp(metric, "waiting-time") == 0 || strcmp(metric, "waiting time") == 0)
    return OF_WAITING;
  if (strcmp(metric, "own") == 0 || strcmp(metric, "own-time") == 0 || strcmp(metric, "own time") == 0)
    return OF_OWN;
  if (strcmp(metric, "calls") == 0)
    return OF_CALLS;
  if (strcmp(metric, "iterations") == 0)
    return OF_ITERATIONS;
  if (strcmp(metric, "work") == 0 || unit_called(metric))
    return OF_WORK;
  return strcmp(metric, "memory") == 0 ? OF_MEMORY : OF_RESOURCE;
}

static int set_quantity_title(sc_quantity *q, const char *what, const char *of, sc_buf *name)
{
  sc_buf title = {0};
  sc_buf_printf(&title, "%s%s", what, of);
  if (name && sc_buf_finish(name) == 0)
    sc_buf_puts(&title, name->text);
  int err = sc_buf_finish(&title);
  q->title = sc_buf_take(&title);
  return err;
}

static int keep_some(const sc_graph *graph, sc_quantity *q, bool loops)
{
  size_t kept = 0;
  for (size_t i = 0; i < q->context_count; i++)
    if (sc_graph_at(graph, q->contexts[i])->kind != SC_LOCATION_WORK &&
        (sc_graph_at(graph, q->contexts[i])->kind == SC_LOCATION_LOOP) == loops)
      q->contexts[kept++] = q->contexts[i];
  q->context_count = kept;
  return 0;
}

/* Work of one unit, of places or (NULL) of everything: `metric` is the unit, or "work" where there is one alone. */
static int choose_work(const sc_graph *graph, const sc_places *places, const char *metric, sc_quantity *q)
{
  const uint32_t root = 0;
  const sc_places everything = {.contexts = (uint32_t *)&root, .count = 1};
  uint32_t unit = unit_called(metric);
  if (places)
    SC_TRY(sc_places_work(graph, places, unit, &q->contexts, &q->context_count));
  else
    SC_TRY(sc_places_inside(graph, &everything, &q->contexts, &q->context_count));
  size_t kept = 0;
  for (size_t i = 0; i < q->context_count; i++) {
    const sc_location *at = sc_graph_at(graph, q->contexts[i]);
    if (at->kind != SC_LOCATION_WORK || (unit && at->nth != unit))
      continue;
    if (!unit && kept && at->nth != sc_graph_at(graph, q->contexts[0])->nth)
      return sc_err_hint(sc_err_set(SC_E_USAGE, "work of several kinds is done there"),
                         "ask for one of them: bytes, characters, elements or operations");
    q->contexts[kept++] = q->contexts[i];
  }
  q->context_count = kept;
  q->units = true;
  snprintf(q->metric, sizeof q->metric, "%s",
           kept   ? sc_location_unit(sc_graph_at(graph, q->contexts[0]))
           : unit ? metric
                  : "work");
  return 0;
}

/* The contexts that a metric of a function or loop adds up. */
static int choose_contexts(const sc_graph *graph, const sc_places *places, int of, sc_quantity *q)
{
  if (of == OF_TIME)
    return sc_places_inside(graph, places, &q->contexts, &q->context_count);
  if (of != OF_CALLS)
    SC_TRY(sc_places_body(graph, places, &q->contexts, &q->context_count));
  if (of == OF_ITERATIONS && places->loop) {
    free(q->contexts);
    q->contexts = NULL;
  } else if (of == OF_ITERATIONS) {
    return keep_some(graph, q, true);
  } else if (of == OF_OWN) {
    return 0;
  }
  q->contexts = sc_mem_new(places->count, sizeof *q->contexts);
  if (!q->contexts)
    return SC_E_NOMEM;
  memcpy(q->contexts, places->contexts, places->count * sizeof *q->contexts);
  q->context_count = places->count;
  return of == OF_CALLS ? keep_some(graph, q, false) : 0;
}

static int none_there(const sc_quantity *q, const sc_places *places, int of, const char *name)
{
  if (of == OF_WORK) {
    (void)sc_err_set(SC_E_USAGE, "%.80s calls no library function whose %s %s counted", name,
                     strcmp(q->metric, "work") == 0 ? "work" : q->metric,
                     strcmp(q->metric, "work") == 0 ? "is" : "are");
    return sc_err_hint(SC_E_USAGE, "docs/instrumenting.md lists whose work is counted; what is inlined is a loop");
  }
  (void)sc_err_set(SC_E_USAGE, "%.80s has no %s of its own", name, q->metric);
  if (places->work)
    return sc_err_hint(SC_E_USAGE, "of a library function its work is counted: work(strlen), bytes(strlen)");
  return sc_err_hint(SC_E_USAGE, strcmp(q->metric, "calls") == 0 ? "a loop has iterations" : "a function has calls");
}

static const char *metric_name(const sc_judge *judge, int of)
{
  switch (of) {
  case OF_CALLS:
    return "calls";
  case OF_ITERATIONS:
    return "iterations";
  case OF_OWN:
    return is_judge_timed(judge) ? "own time" : "own cost";
  default:
    return is_judge_timed(judge) ? "time" : "cost";
  }
}

static enum sc_portion_metric portion_of(const sc_quantity *q, int of)
{
  return of == OF_WORK ? SC_PORTION_UNITS : q->costs ? SC_PORTION_COST : SC_PORTION_COUNT;
}

static int of_places(const sc_judge *judge, const sc_places *places, const sc_suppose *suppose, int of,
                     const char *metric, sc_quantity *q)
{
  const sc_graph *graph = judge->loaded.graph;
  sc_buf name = {0}, words = {0};
  int err;
  snprintf(q->metric, sizeof q->metric, "%s", metric_name(judge, of));
  SC_GOTO(of == OF_WORK ? choose_work(graph, places, metric, q) : choose_contexts(graph, places, of, q));
  sc_places_title(graph, places, &name);
  SC_GOTO(sc_buf_finish(&name));
  if (!q->context_count) {
    err = none_there(q, places, of, name.text);
    goto out;
  }
  q->costs = of == OF_TIME || of == OF_OWN;
  q->kind = q->costs && is_judge_timed(judge) ? SC_AMOUNT_TIME : SC_AMOUNT_COUNT;
  sc_buf_printf(&words, "%s%s", of == OF_OWN ? "own " : "", q->costs ? cost_words(judge) : q->metric);
  SC_GOTO(sc_buf_finish(&words));
  SC_GOTO(set_quantity_title(q, words.text, " of ", &name));
  err = sc_portion_new(judge->loaded.analysis, q->contexts, q->context_count, portion_of(q, of), suppose, &q->portion);
out:
  sc_buf_free(&words);
  sc_buf_free(&name);
  return err;
}

/* The program waits, but no call that is timed does: that is not 0 seconds. */
static bool waits_unseen(const sc_analysis *analysis)
{
  size_t count;
  double low, high, seen = 0;
  sc_elapsed_parts parts;
  const sc_waiting_place *places = sc_waiting_places(analysis, &count);
  sc_analysis_range(analysis, &low, &high);
  for (size_t i = 0; i < count; i++)
    seen += places[i].measured;
  if (seen > 0 || sc_analysis_elapsed_parts(analysis, high, &parts) < 0 || !parts.measured)
    return false;
  double waits =
      parts.waits[SC_WAIT_IO] + parts.waits[SC_WAIT_LOCK] + parts.waits[SC_WAIT_SLEEP] + parts.waits[SC_WAIT_OTHER];
  return waits > parts.processor + parts.waits[SC_WAIT_RUNNABLE] + parts.waits[SC_WAIT_PROCESS];
}

/* Of places, or (NULL) of everything. */
static int of_waiting(const sc_judge *judge, const sc_places *places, const sc_suppose *suppose, sc_quantity *q)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  bool overlaps = sc_waiting_overlaps(analysis);
  sc_buf name = {0};
  int err;
  if (!sc_analysis_elapsed_known(analysis))
    return sc_err_hint(sc_err_set(SC_E_TOOLITTLE, "where the time is waited is not known"),
                       "it is measured with every run of `scale-run run`, at three or more sizes");
  if (waits_unseen(analysis))
    return sc_err_hint(
        sc_err_set(SC_E_TOOLITTLE, "most of the elapsed time is waiting, but which calls wait is not known"),
        "calls through pointers, of code without instrumentation and of functions that read a character "
        "at a time are not timed; ask for --of wall");
  if (suppose)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "waiting is not predicted with suppositions"),
                       "ask without --suppose, or for --of time");
  q->waiting = true;
  q->whole = !places;
  q->kind = SC_AMOUNT_TIME;
  snprintf(q->metric, sizeof q->metric, "waiting");
  if (places)
    SC_TRY(sc_places_inside(judge->loaded.graph, places, &q->contexts, &q->context_count));
  if (places)
    sc_places_title(judge->loaded.graph, places, &name);
  SC_GOTO(sc_buf_finish(&name));
  SC_GOTO(set_quantity_title(q, overlaps ? "waiting of all threads" : "waiting", places ? " in " : "",
                             places ? &name : NULL));
  err = sc_portion_new(analysis, q->contexts, q->context_count, SC_PORTION_WAITING, NULL, &q->portion);
out:
  sc_buf_free(&name);
  return err;
}

static int of_elapsed(const sc_judge *judge, const sc_suppose *suppose, sc_quantity *q)
{
  sc_interval any;
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  SC_TRY(sc_analysis_elapsed(judge->loaded.analysis, high, &any));
  q->whole = q->elapsed = true;
  q->kind = SC_AMOUNT_TIME;
  snprintf(q->metric, sizeof q->metric, "wall");
  SC_TRY(set_quantity_title(q, "elapsed time", "", NULL));
  return sc_portion_new(judge->loaded.analysis, NULL, 0, SC_PORTION_ELAPSED, suppose, &q->portion);
}

/* All that library functions work through. */
static int of_all_work(const sc_judge *judge, const sc_suppose *suppose, const char *metric, sc_quantity *q)
{
  sc_buf title = {0};
  q->kind = SC_AMOUNT_COUNT;
  SC_TRY(choose_work(judge->loaded.graph, NULL, metric, q));
  if (!q->context_count)
    return none_there(q, NULL, OF_WORK, "the program");
  sc_buf_printf(&title, "%s of all library functions", q->metric);
  int err = sc_buf_finish(&title);
  if (err == 0)
    err = set_quantity_title(q, title.text, "", NULL);
  sc_buf_free(&title);
  SC_TRY(err);
  return sc_portion_new(judge->loaded.analysis, q->contexts, q->context_count, SC_PORTION_UNITS, suppose, &q->portion);
}

/* What only a function has (its own time, its calls) has no sum that means anything. */
static int of_everything(const sc_judge *judge, const sc_suppose *suppose, int of, const char *metric, sc_quantity *q)
{
  if (of == OF_WORK)
    return of_all_work(judge, suppose, metric, q);
  if (of == OF_OWN || of == OF_CALLS) {
    (void)sc_err_set(SC_E_USAGE, "%s of what?", of == OF_OWN ? "own time" : "calls");
    return sc_err_hint(SC_E_USAGE, "name a function: %s(parse), or --function parse", of == OF_OWN ? "own" : "calls");
  }
  q->whole = true;
  q->costs = of == OF_TIME;
  q->kind = q->costs && is_judge_timed(judge) ? SC_AMOUNT_TIME : SC_AMOUNT_COUNT;
  snprintf(q->metric, sizeof q->metric, "%s", q->costs ? cost_metric(judge) : "iterations");
  SC_TRY(
      set_quantity_title(q, q->costs || judge->loaded.entries ? cost_words(judge) : "iterations and calls", "", NULL));
  return sc_portion_new(judge->loaded.analysis, NULL, 0, q->costs ? SC_PORTION_COST : SC_PORTION_COUNT, suppose,
                        &q->portion);
}

static bool has_series(const sc_judge *judge, const sc_resource_spot *spot, enum sc_resource_metric metric)
{
  const sc_resource_series *series = sc_resources_series_at(judge->resources, spot, metric);
  return series && series->count;
}

/* Heap and mappings together, each at its peak: the sum is an upper bound, as peaks need not come at one time. */
static int of_memory(const sc_judge *judge, sc_quantity *q)
{
  const sc_graph *graph = judge->loaded.graph;
  uint32_t all = sc_usage_resource_count(graph);
  q->kind = SC_AMOUNT_BYTES;
  q->resource_metric = SC_RMETRIC_PEAK;
  snprintf(q->metric, sizeof q->metric, "memory");
  SC_TRY(sc_judge_need_resources(judge));
  q->resources = sc_mem_new(all, sizeof *q->resources);
  if (!q->resources)
    return SC_E_NOMEM;
  for (uint32_t i = 0; i < all; i++) {
    const sc_resource_spot whole = sc_resources_whole(i);
    if (sc_resource_class_memory(sc_usage_resource_at(graph, i)->resource_class) &&
        has_series(judge, &whole, SC_RMETRIC_PEAK))
      q->resources[q->resource_count++] = whole;
  }
  if (!q->resource_count)
    return sc_err_hint(sc_err_set(SC_E_INPUT, "the runs of %s recorded no memory", judge->study),
                       "`scale-run report --resources` lists what was recorded");
  return set_quantity_title(q, "memory in use at its peak", "", NULL);
}

static int no_series(const sc_judge *judge, const sc_resource_spot *spot, enum sc_resource_metric metric,
                     const char *name)
{
  sc_buf list = {0};
  for (int m = 0; m < SC_RMETRIC_COUNT; m++)
    if (has_series(judge, spot, (enum sc_resource_metric)m))
      sc_buf_printf(&list, "%s%s", list.length ? ", " : "", sc_resource_metric_name((enum sc_resource_metric)m));
  (void)sc_err_set(SC_E_USAGE, "%.80s has no %s", name, sc_resource_metric_name(metric));
  if (sc_buf_finish(&list) == 0)
    (void)sc_err_hint(SC_E_USAGE, "it has: %s", *list.text ? list.text : "nothing that was measured");
  sc_buf_free(&list);
  return SC_E_USAGE;
}

static int of_resource(const sc_judge *judge, const sc_resource_spot *spot, enum sc_resource_metric metric,
                       sc_quantity *q)
{
  const sc_resource *what = sc_usage_resource_at(judge->loaded.graph, spot->resource);
  sc_buf name = {0}, words = {0};
  int err;
  sc_resource_words_spot(judge->loaded.graph, spot, &name);
  SC_GOTO(sc_buf_finish(&name));
  if (!has_series(judge, spot, metric)) {
    err = no_series(judge, spot, metric, name.text);
    goto out;
  }
  q->resource_metric = metric;
  q->kind = sc_resource_metric_kind(metric, what);
  snprintf(q->metric, sizeof q->metric, "%s", sc_resource_metric_name(metric));
  q->resources = sc_mem_new(1, sizeof *q->resources);
  if (!q->resources) {
    err = SC_E_NOMEM;
    goto out;
  }
  q->resources[q->resource_count++] = *spot;
  sc_resource_words_metric(metric, what, &words);
  SC_GOTO(sc_buf_finish(&words));
  err = set_quantity_title(q, words.text, " of ", &name);
out:
  sc_buf_free(&words);
  sc_buf_free(&name);
  return err;
}

/* What is asked first of a resource: of a lock its utilisation, else what is out at a time, else acquires. */
static enum sc_resource_metric first_metric(const sc_judge *judge, const sc_resource_spot *spot)
{
  static const enum sc_resource_metric order[] = {SC_RMETRIC_UTILISATION, SC_RMETRIC_PEAK, SC_RMETRIC_UNITS};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (has_series(judge, spot, order[i]))
      return order[i];
  return SC_RMETRIC_ACQUIRES;
}

static int parse_resource(const sc_judge *judge, const sc_subject *subject, const char *metric, const char *name,
                          sc_quantity *q)
{
  enum sc_resource_metric which;
  sc_resource_spot spot = subject->resource;
  SC_TRY(sc_resource_metric_parse(metric, &which));
  SC_TRY(sc_judge_need_resources(judge));
  if (name) {
    SC_TRY(sc_resource_find_spot(judge, name, &spot));
  } else if (subject->kind != SC_SUBJECT_RESOURCE) {
    (void)sc_err_set(SC_E_USAGE, "%s of which resource?", sc_resource_metric_name(which));
    return sc_err_hint(SC_E_USAGE,
                       "name one: %s(order_lock), or --resource order_lock; `scale-run report --resources` "
                       "lists them",
                       metric);
  }
  return of_resource(judge, &spot, which, q);
}

/* Elapsed time is known for whole runs alone; a function's share of it is what waits and what runs below it. */
static int parse_program(const sc_judge *judge, const sc_subject *subject, const sc_suppose *suppose, int of,
                         const char *metric, const char *name, sc_quantity *q)
{
  sc_places places;
  if (of == OF_WALL && (name || subject->kind == SC_SUBJECT_FUNCTION)) {
    (void)sc_err_set(SC_E_USAGE, "elapsed time is modelled for the whole program, not for a function");
    return sc_err_hint(SC_E_USAGE,
                       "ask for what calls in the function wait, --of waiting, or for its processor time, --of time");
  }
  if (of == OF_WALL)
    return of_elapsed(judge, suppose, q);
  if (!name && of == OF_WAITING)
    return of_waiting(judge, subject->kind == SC_SUBJECT_FUNCTION ? &subject->places : NULL, suppose, q);
  if (!name)
    return subject->kind == SC_SUBJECT_FUNCTION ? of_places(judge, &subject->places, suppose, of, metric, q)
                                                : of_everything(judge, suppose, of, metric, q);
  int err = sc_places_find(judge->loaded.graph, name, &places);
  if (err == 0)
    err = of == OF_WAITING ? of_waiting(judge, &places, suppose, q) : of_places(judge, &places, suppose, of, metric, q);
  sc_places_free(&places);
  return err;
}

/* Cuts "METRIC(NAME)" in two. */
static int split_quantity(char *text, char **name)
{
  char *open = strchr(text, '(');
  size_t length = strlen(text);
  *name = NULL;
  if (!open)
    return 0;
  if (open == text || text[length - 1] != ')' || open + 2 >= text + length)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "\"%.80s\" is not METRIC(NAME)", text),
                       "for example utilisation(order_lock) or calls(parse)");
  text[length - 1] = '\0';
  *open = '\0';
  *name = open + 1;
  return 0;
}

/* Words of the program come first, then those of resources: "waits" of a function and of a lock are told apart by what
 * stands in the parentheses. */
int sc_quantity_parse(const sc_judge *judge, const sc_subject *subject, const sc_suppose *suppose, const char *text,
                      size_t length, sc_quantity *quantity)
{
  *quantity = (sc_quantity){.judge = judge};
  if (!length && subject->kind == SC_SUBJECT_RESOURCE)
    return of_resource(judge, &subject->resource, first_metric(judge, &subject->resource), quantity);
  if (!length)
    return parse_program(judge, subject, suppose, OF_TIME, "", NULL, quantity);
  sc_buf copy = {0};
  char *name;
  sc_buf_add(&copy, text, length);
  int err;
  SC_GOTO(sc_buf_finish(&copy));
  SC_GOTO(split_quantity(copy.text, &name));
  SC_GOTO(no_such_cost(judge, copy.text));
  int of = program_metric(judge, copy.text, name || subject->kind == SC_SUBJECT_FUNCTION);
  if (of == OF_MEMORY && !name)
    err = of_memory(judge, quantity);
  else if (of == OF_MEMORY)
    err = parse_resource(judge, subject, "peak-outstanding", name, quantity);
  else if (of == OF_RESOURCE || (subject->kind == SC_SUBJECT_RESOURCE && !name))
    err = parse_resource(judge, subject, copy.text, name, quantity);
  else
    err = parse_program(judge, subject, suppose, of, copy.text, name, quantity);
out:
  sc_buf_free(&copy);
  return err;
}

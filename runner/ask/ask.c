/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/ask/ask.h"

#include <stdlib.h>
#include <string.h>

#include "runner/ask/sweep.h"
#include "runner/resources/find.h"
#include "runner/resources/words.h"
#include "runner/text/tuning.h"
#include "transitions/model/elapsed.h"

enum { MOST_LIMITS = 16 };

static int take_subject(sc_ask *ask, const sc_ask_request *request)
{
  const sc_graph *graph = ask->judge->loaded.graph;
  sc_buf title = {0};
  if (request->functions && (request->function || request->resource || request->of || request->suppose))
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--functions lists all functions"),
                       request->function ? "ask about one of them: --function NAME alone"
                                         : "of one number: leave out --functions");
  if (request->function && request->resource)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--function and --resource are two questions"),
                       "ask one after the other");
  if (request->function) {
    ask->subject.kind = SC_SUBJECT_FUNCTION;
    SC_TRY(sc_places_find(graph, request->function, &ask->subject.places));
    sc_places_title(graph, &ask->subject.places, &title);
  } else if (request->resource) {
    ask->subject.kind = SC_SUBJECT_RESOURCE;
    SC_TRY(sc_judge_need_resources(ask->judge));
    SC_TRY(sc_resource_find_spot(ask->judge, request->resource, &ask->subject.resource));
    sc_resource_words_spot(graph, &ask->subject.resource, &title);
  }
  int err = sc_buf_finish(&title);
  ask->subject_title = sc_buf_take(&title);
  return err;
}

/* The default metrics of a subject: what it takes, alone, and how often it runs. */
static size_t metrics_of(const sc_subject *subject, const char *of, const char **metrics)
{
  metrics[0] = of ? of : "";
  if (of || subject->kind != SC_SUBJECT_FUNCTION)
    return 1;
  metrics[1] = subject->places.work ? "work" : "own";
  metrics[2] = subject->places.loop ? "iterations" : "calls";
  return subject->places.work ? 2 : 3;
}

/* What calls in a function wait is asked, too, where that is a part of the elapsed time worth a line. */
static int take_ask_waiting(sc_ask *ask)
{
  static const char metric[] = "waiting";
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  sc_quantity *q = &ask->quantities[ask->quantity_count];
  sc_interval waits, elapsed;
  double low, high;
  if (ask->subject.kind != SC_SUBJECT_FUNCTION || ask->subject.places.work || !sc_analysis_elapsed_known(analysis))
    return 0;
  int err = sc_quantity_parse(ask->judge, &ask->subject, NULL, metric, strlen(metric), q);
  if (err < 0) {
    sc_quantity_free(q);
    return err == SC_E_TOOLITTLE ? 0 : err; /* nobody asked for it: the rest is answered */
  }
  sc_analysis_range(analysis, &low, &high);
  err = sc_quantity_predict(q, high, &waits) ?: sc_analysis_elapsed(analysis, high, &elapsed);
  if (err == 0 && waits.value >= SC_ASK_WAITING * elapsed.value)
    ask->quantity_count++;
  else
    sc_quantity_free(q);
  return err;
}

static int take_quantities(sc_ask *ask, const char *of)
{
  const char *metrics[3];
  size_t count = metrics_of(&ask->subject, of, metrics);
  const sc_suppose *suppose = ask->supposing ? ask->supposing->suppose : NULL;
  ask->quantities = sc_mem_new(count + 1, sizeof *ask->quantities);
  ask->supposed = suppose ? sc_mem_new(count, sizeof *ask->supposed) : NULL;
  if (!ask->quantities || (suppose && !ask->supposed))
    return SC_E_NOMEM;
  for (; ask->quantity_count < count; ask->quantity_count++) {
    const char *metric = metrics[ask->quantity_count];
    sc_quantity *q = &ask->quantities[ask->quantity_count];
    int err = sc_quantity_parse(ask->judge, &ask->subject, NULL, metric, strlen(metric), q);
    if (err == 0 && suppose)
      err = sc_quantity_parse(ask->judge, &ask->subject, suppose, metric, strlen(metric),
                              &ask->supposed[ask->quantity_count]);
    if (err < 0) {
      sc_quantity_free(q);
      if (suppose)
        sc_quantity_free(&ask->supposed[ask->quantity_count]);
      return of ? sc_err_prefix(err, "--of") : err;
    }
  }
  return of || suppose ? 0 : take_ask_waiting(ask);
}

static int take_supposing(sc_ask *ask, const char *list)
{
  if (ask->subject.kind == SC_SUBJECT_RESOURCE)
    return sc_err_hint(sc_err_set(SC_E_USAGE, "--suppose changes executions and their cost, not resources"),
                       "ask about the total or a --function");
  SC_TRY(SC_NEW(ask->supposing, 1));
  SC_TRY(sc_supposing_parse(ask->judge, list, ask->supposing));
  return sc_supposing_answer(ask->supposing);
}

static int answer_values(sc_ask *ask, double n, sc_ask_size *size)
{
  size->n = n;
  SC_TRY(SC_NEW(size->values, ask->quantity_count));
  SC_TRY(sc_analysis_total(ask->judge->loaded.analysis, n, &size->total));
  for (size_t i = 0; i < ask->quantity_count; i++) {
    sc_ask_value *value = &size->values[i];
    SC_TRY(sc_quantity_predict(&ask->quantities[i], n, &value->predicted));
    if (ask->supposed)
      SC_TRY(sc_quantity_predict(&ask->supposed[i], n, &value->supposed));
    SC_TRY(sc_certainty_make(&ask->quantities[i], n, &value->certainty));
  }
  return 0;
}

/* Of a function: what its contexts' own costs are, and those of the loops in them. */
static int answer_rows(sc_ask *ask, sc_ask_size *size)
{
  uint32_t *body = NULL;
  sc_rank_wanted wanted = {.most = ask->top > SC_FLAT_CONTEXTS ? ask->top : SC_FLAT_CONTEXTS};
  if (ask->subject.kind == SC_SUBJECT_RESOURCE)
    return 0;
  if (ask->subject.kind == SC_SUBJECT_FUNCTION)
    SC_TRY(sc_places_body(ask->judge->loaded.graph, &ask->subject.places, &body, &wanted.count));
  wanted.contexts = body;
  int err = sc_rank_predict(ask->judge->loaded.analysis, size->n, &wanted, &size->rows, &size->row_count);
  free(body);
  SC_TRY(err);
  if (ask->subject.kind == SC_SUBJECT_TOTAL)
    return ask->functions ? sc_ask_functions(ask, size) : 0;
  return sc_ask_contexts(ask, size);
}

static int answer_sizes(sc_ask *ask, const double *sizes, size_t count)
{
  SC_TRY(SC_NEW(ask->sizes, count));
  for (size_t i = 0; i < count; i++) {
    ask->size_count++;
    SC_TRY(answer_values(ask, sizes[i], &ask->sizes[i]));
    SC_TRY(answer_rows(ask, &ask->sizes[i]));
  }
  return 0;
}

static int answer_sweep(sc_ask *ask, const char *range)
{
  const sc_workload *workload = ask->judge->loaded.workload;
  bool doubling = sc_parameter_is_workers(workload->kind);
  double *sizes;
  size_t count;
  int err = 0;
  SC_TRY(sc_sweep_parse(range, workload->parameter, ask->n_max, doubling, &sizes, &count));
  ask->sweep = sc_mem_new(count, sizeof *ask->sweep);
  if (!ask->sweep) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (size_t i = 0; i < count; i++) {
    ask->sweep_count++;
    SC_GOTO(answer_values(ask, sizes[i], &ask->sweep[i]));
  }
out:
  free(sizes);
  return err;
}

static int answer_limits(sc_ask *ask, const char *list)
{
  const sc_suppose *suppose = ask->supposing ? ask->supposing->suppose : NULL;
  int err = 0;
  ask->limits = sc_mem_new(MOST_LIMITS, sizeof *ask->limits);
  ask->supposed_limits = sc_mem_new(MOST_LIMITS, sizeof *ask->supposed_limits);
  if (!ask->limits || !ask->supposed_limits)
    return SC_E_NOMEM;
  for (const char *at = list; err == 0 && *at;) {
    size_t length = strcspn(at, ";");
    sc_buf one = {0};
    if (ask->limit_count == MOST_LIMITS)
      return sc_err_set(SC_E_USAGE, "--limit: more than %d limits", MOST_LIMITS);
    sc_buf_add(&one, at, length);
    err = sc_buf_finish(&one);
    size_t i = ask->limit_count++;
    err = err ?: sc_limit_find(ask->judge, &ask->subject, NULL, one.text, &ask->limits[i]);
    if (err == 0 && suppose)
      err = sc_limit_find(ask->judge, &ask->subject, suppose, one.text, &ask->supposed_limits[i]);
    sc_buf_free(&one);
    at += length + (at[length] != '\0');
  }
  return err;
}

int sc_ask_answer(const sc_judge *judge, const sc_ask_request *request, sc_ask *ask)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  *ask = (sc_ask){.judge = judge,
                  .all = request->all,
                  .functions = request->functions,
                  .top = request->top ? request->top : SC_TOP,
                  .unit = sc_analysis_cost_unit(analysis)};
  sc_analysis_range(analysis, &ask->n_min, &ask->n_max);
  SC_TRY(take_subject(ask, request));
  if (request->suppose)
    SC_TRY(take_supposing(ask, request->suppose));
  SC_TRY(take_quantities(ask, request->of));
  SC_TRY(answer_sizes(ask, request->sizes, request->size_count));
  if (request->sweep)
    SC_TRY(answer_sweep(ask, request->sweep));
  return request->limits ? answer_limits(ask, request->limits) : 0;
}

static void free_sizes(sc_ask_size *sizes, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    free(sizes[i].values);
    free(sizes[i].rows);
    free(sizes[i].contexts);
    sc_ask_neighbours_free(&sizes[i].callers);
    sc_ask_neighbours_free(&sizes[i].callees);
    sc_ask_neighbours_free(&sizes[i].functions);
  }
  free(sizes);
}

void sc_ask_free(sc_ask *ask)
{
  free_sizes(ask->sizes, ask->size_count);
  free_sizes(ask->sweep, ask->sweep_count);
  for (size_t i = 0; i < ask->quantity_count; i++) {
    sc_quantity_free(&ask->quantities[i]);
    if (ask->supposed)
      sc_quantity_free(&ask->supposed[i]);
  }
  for (size_t i = 0; i < ask->limit_count; i++) {
    sc_limit_free(&ask->limits[i]);
    sc_limit_free(&ask->supposed_limits[i]);
  }
  if (ask->supposing)
    sc_supposing_free(ask->supposing);
  free(ask->supposing);
  free(ask->quantities);
  free(ask->supposed);
  free(ask->limits);
  free(ask->supposed_limits);
  sc_places_free(&ask->subject.places);
  free(ask->subject_title);
  *ask = (sc_ask){0};
}

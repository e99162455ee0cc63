/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calling contexts of a function, what calls it and what it calls, by what they cost with all that is in them. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/graph/shorten.h"
#include "runner/ask/ask.h"
#include "runner/text/context.h"

enum { CALLERS = 4 }; /* functions on the way to a place that are named: the first, and the nearest */

typedef struct candidate {
  uint32_t context;
  double cost, count;
  bool counted;
  char *title; /* of a neighbour */
} candidate;

typedef struct weights {   /* of every context at a size */
  double *own, *inclusive; /* cost; with all that is in it */
} weights;

typedef struct group { /* neighbours of one title, which stand one behind the other */
  size_t first, count;
  double cost;
} group;

static int compare_neighbours(const void *a, const void *b)
{
  const candidate *x = a, *y = b;
  return SC_COMPARE(y->cost, x->cost) ?: SC_COMPARE(y->count, x->count) ?: SC_COMPARE(x->context, y->context);
}

static void weights_free(weights *w)
{
  free(w->own);
  free(w->inclusive);
  *w = (weights){0};
}

/* Own costs at n, and their sums along the tree. To be released with weights_free, also after an error. */
static int weigh_all(const sc_analysis *analysis, double n, weights *w)
{
  const sc_graph *graph = sc_analysis_graph(analysis);
  uint32_t count = sc_graph_context_count(graph);
  *w = (weights){.own = sc_mem_new(count, sizeof *w->own), .inclusive = sc_mem_new(count, sizeof *w->inclusive)};
  if (!w->own || !w->inclusive)
    return SC_E_NOMEM;
  for (uint32_t c = count; c-- > 1;) {
    sc_interval own = {0};
    if (sc_analysis_in_scope(analysis, c))
      SC_TRY(sc_analysis_cost(analysis, c, n, &own));
    w->own[c] = own.value;
    w->inclusive[c] += own.value;
    w->inclusive[sc_graph_parent(graph, c)] += w->inclusive[c];
  }
  return 0;
}

static int predict_portion(const sc_analysis *analysis, const uint32_t *contexts, size_t count,
                           enum sc_portion_metric metric, double n, sc_interval *out)
{
  sc_portion *portion = NULL;
  int err = sc_portion_new(analysis, contexts, count, metric, NULL, &portion) ?: sc_portion_predict(portion, n, out);
  sc_portion_free(portion);
  return err;
}

/* What contexts cost at n with all that is in them. */
static int predict_inclusive(const sc_ask *ask, uint32_t *contexts, size_t count, double n, sc_interval *inclusive)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_places places = {.contexts = contexts, .count = count};
  uint32_t *inside;
  size_t inside_count;
  SC_TRY(sc_places_inside(sc_analysis_graph(analysis), &places, &inside, &inside_count));
  int err = predict_portion(analysis, inside, inside_count, SC_PORTION_COST, n, inclusive);
  free(inside);
  return err;
}

static uint32_t answer_context_dearest(const weights *w, uint32_t first, const uint32_t *contexts, size_t count)
{
  uint32_t dearest = first;
  for (size_t i = 0; i < count; i++)
    if (w->own[contexts[i]] > w->own[dearest])
      dearest = contexts[i];
  return dearest;
}

/* The same of a row, with executions, and what makes most of it. */
static int predict_row(const sc_ask *ask, const weights *w, uint32_t *contexts, size_t count, double n,
                       sc_ask_neighbour *row)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_places places = {.contexts = contexts, .count = count};
  uint32_t *inside;
  size_t inside_count;
  int err;
  SC_TRY(sc_places_inside(sc_analysis_graph(analysis), &places, &inside, &inside_count));
  row->lead = answer_context_dearest(w, row->context, inside, inside_count);
  SC_GOTO(predict_portion(analysis, inside, inside_count, SC_PORTION_COST, n, &row->inclusive));
  err = predict_portion(analysis, inside, inside_count, SC_PORTION_COUNT, n, &row->executions);
out:
  free(inside);
  return err;
}

/* What a row takes itself, and what makes most of that. */
static int predict_self(const sc_ask *ask, const weights *w, uint32_t *contexts, size_t count, double n,
                        sc_ask_neighbour *row)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_places places = {.contexts = contexts, .count = count};
  uint32_t *body;
  size_t body_count;
  SC_TRY(sc_places_body(sc_analysis_graph(analysis), &places, &body, &body_count));
  row->lead = answer_context_dearest(w, row->context, body, body_count);
  int err = predict_portion(analysis, body, body_count, SC_PORTION_COST, n, &row->self);
  free(body);
  return err;
}

static int weigh_context(const sc_ask *ask, const weights *w, uint32_t context, double n, candidate *out)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_location *location = sc_graph_at(sc_analysis_graph(analysis), context);
  sc_interval count = {0};
  bool counted = sc_analysis_in_scope(analysis, context) && sc_location_is_counted(location);
  if (counted)
    SC_TRY(sc_analysis_count(analysis, context, n, &count));
  *out = (candidate){.context = context, .cost = w->inclusive[context], .count = count.value, .counted = counted};
  return 0;
}

static int list_contexts(const sc_ask *ask, sc_ask_size *size, candidate *all, size_t count)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  if (count)
    qsort(all, count, sizeof *all, compare_neighbours);
  for (; size->context_count < count && size->context_count < ask->top; size->context_count++) {
    sc_ask_context *c = &size->contexts[size->context_count];
    *c = (sc_ask_context){.context = all[size->context_count].context};
    SC_TRY(predict_inclusive(ask, &c->context, 1, size->n, &c->inclusive));
    if (sc_analysis_in_scope(analysis, c->context))
      SC_TRY(sc_analysis_count(analysis, c->context, size->n, &c->count));
  }
  return 0;
}

static int compare_answer_context_titles(const void *a, const void *b)
{
  const candidate *x = a, *y = b;
  return strcmp(x->title, y->title) ?: compare_neighbours(a, b);
}

static int compare_groups(const void *a, const void *b)
{
  const group *x = a, *y = b;
  return SC_COMPARE(y->cost, x->cost) ?: SC_COMPARE(x->first, y->first);
}

/* What readers see by one name is one thing. Sorts both; sums stand in for predictions until it is clear which are
 * printed. Returns the number of groups. */
static size_t group_by_title(candidate *all, size_t count, group *groups)
{
  size_t used = 0;
  if (count)
    qsort(all, count, sizeof *all, compare_answer_context_titles);
  for (size_t i = 0; i < count; i++) {
    if (!i || strcmp(all[i].title, all[i - 1].title) != 0)
      groups[used++] = (group){.first = i};
    groups[used - 1].count++;
    groups[used - 1].cost += all[i].cost;
  }
  if (used)
    qsort(groups, used, sizeof *groups, compare_groups);
  return used;
}

/* A library's own inner calls are printed by the name of the user's call, but don't count as calls. */
static bool is_called_by_itself(const sc_graph *graph, uint32_t context)
{
  return sc_graph_at(graph, context)->kind != SC_LOCATION_WORK && sc_graph_folded(graph, context);
}

static int fill_row(const sc_ask *ask, const weights *w, double n, candidate *members, size_t count, bool self,
                    sc_ask_neighbour *row)
{
  *row = (sc_ask_neighbour){.title = members->title, .context = members->context, .contexts = count};
  members->title = NULL;
  uint32_t *contexts;
  SC_TRY(SC_NEW(contexts, count));
  for (size_t i = 0; i < count; i++) {
    contexts[i] = members[i].context;
    row->count += is_called_by_itself(ask->judge->loaded.graph, members[i].context) ? 0 : members[i].count;
    row->counted |= members[i].counted;
  }
  int err = predict_row(ask, w, contexts, count, n, row);
  if (err == 0 && self)
    err = predict_self(ask, w, contexts, count, n, row);
  free(contexts);
  return err;
}

/* `name` writes what a context is called in the list. Sorts the candidates. */
static int gather_neighbours(const sc_ask *ask, const weights *w, sc_ask_size *size, candidate *all, size_t count,
                             void (*name)(const sc_graph *graph, uint32_t context, sc_buf *out), sc_ask_neighbours *out)
{
  int err = SC_E_NOMEM;
  group *groups = sc_mem_new(count, sizeof *groups);
  out->rows = sc_mem_new(count < ask->top ? count : ask->top, sizeof *out->rows);
  if (!groups || !out->rows)
    goto out;
  for (size_t i = 0; i < count; i++) {
    sc_buf title = {0};
    name(ask->judge->loaded.graph, all[i].context, &title);
    all[i].title = sc_buf_take(&title);
    if (!all[i].title)
      goto out;
  }
  err = 0;
  out->all = group_by_title(all, count, groups);
  for (size_t i = 0; err == 0 && i < out->all && i < ask->top; i++)
    err = fill_row(ask, w, size->n, all + groups[i].first, groups[i].count, out == &size->functions,
                   &out->rows[out->count++]);
out:
  for (size_t i = 0; i < count; i++) {
    free(all[i].title);
    all[i].title = NULL;
  }
  free(groups);
  return err;
}

sc_text sc_ask_order(const sc_ask *ask, uint32_t context)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  sc_text order = {"cannot tell"};
  if (!sc_analysis_in_scope(analysis, context) ||
      !sc_location_is_counted(sc_graph_at(sc_analysis_graph(analysis), context)))
    return (sc_text){""};
  const sc_model *model = sc_analysis_model(analysis, context);
  if (model->verdict == SC_VERDICT_MODEL)
    sc_model_format_order(&model->order, ask->judge->loaded.workload->parameter, order.s, sizeof order.s);
  return order;
}

void sc_ask_neighbours_free(sc_ask_neighbours *neighbours)
{
  for (size_t i = 0; i < neighbours->count; i++)
    free(neighbours->rows[i].title);
  free(neighbours->rows);
  *neighbours = (sc_ask_neighbours){0};
}

static void name_way(const sc_graph *graph, uint32_t context, sc_buf *out)
{
  sc_context_functions(graph, sc_graph_parent(graph, context), CALLERS, out);
  if (!out->length)
    sc_buf_puts(out, "(the process itself)");
}

/* What is called by a place, from it or from what it does itself. */
static int list_callees(const sc_ask *ask, const weights *w, sc_ask_size *size)
{
  const sc_graph *graph = ask->judge->loaded.graph;
  uint32_t *body = NULL;
  size_t count = 0, used = 0, room = 0;
  candidate *all = NULL;
  int err;
  SC_GOTO(sc_places_body(graph, &ask->subject.places, &body, &count));
  for (size_t i = 0; i < count; i++)
    for (uint32_t c = sc_graph_first_child(graph, body[i]); c; c = sc_graph_next_sibling(graph, c)) {
      if (sc_graph_at(graph, c)->kind == SC_LOCATION_LOOP || is_called_by_itself(graph, c))
        continue;
      SC_GOTO(sc_mem_grow(&all, &room, used + 1, sizeof *all));
      SC_GOTO(weigh_context(ask, w, c, size->n, &all[used]));
      used++;
    }
  err = gather_neighbours(ask, w, size, all, used, sc_context_title, &size->callees);
out:
  free(body);
  free(all);
  return err;
}

int sc_ask_contexts(const sc_ask *ask, sc_ask_size *size)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_places *places = &ask->subject.places;
  int err = SC_E_NOMEM;
  weights w = {0};
  candidate *all = sc_mem_new(places->count, sizeof *all);
  size->contexts = sc_mem_new(ask->top, sizeof *size->contexts);
  if (!all || !size->contexts)
    goto out;
  SC_GOTO(weigh_all(analysis, size->n, &w));
  for (size_t i = 0; i < places->count; i++)
    SC_GOTO(weigh_context(ask, &w, places->contexts[i], size->n, &all[i]));
  SC_GOTO(list_contexts(ask, size, all, places->count));
  SC_GOTO(gather_neighbours(ask, &w, size, all, places->count, name_way, &size->callers));
  err = list_callees(ask, &w, size);
out:
  weights_free(&w);
  free(all);
  return err;
}

/* The function that a context is in: it stands above it, or is the context itself. */
static uint32_t function_of(const sc_graph *graph, uint32_t context)
{
  while (context && sc_graph_at(graph, context)->kind == SC_LOCATION_LOOP)
    context = sc_graph_parent(graph, context);
  return context;
}

/* Of a library, too, counted or only sampled; and what a process takes itself, so that all of the cost has a row. */
static bool is_row(const sc_graph *graph, uint32_t context, double self)
{
  enum sc_location_kind kind = sc_graph_at(graph, context)->kind;
  return kind == SC_LOCATION_FUNCTION || kind == SC_LOCATION_WORK || (kind != SC_LOCATION_LOOP && self > 0);
}

/* Work of one function is one row, wherever it is called. */
static void name_function(const sc_graph *graph, uint32_t context, sc_buf *out)
{
  if (sc_graph_at(graph, context)->kind == SC_LOCATION_WORK)
    sc_shorten_name(sc_graph_at(graph, context)->display, out);
  else
    sc_context_title(graph, context, out);
}

int sc_ask_functions(const sc_ask *ask, sc_ask_size *size)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_graph *graph = sc_analysis_graph(analysis);
  uint32_t contexts = sc_graph_context_count(graph);
  size_t used = 0;
  int err = SC_E_NOMEM;
  weights w = {0};
  double *self = sc_mem_new(contexts, sizeof *self);
  candidate *all = sc_mem_new(contexts, sizeof *all);
  if (!self || !all)
    goto out;
  SC_GOTO(weigh_all(analysis, size->n, &w));
  for (uint32_t c = 1; c < contexts; c++)
    self[function_of(graph, c)] += w.own[c];
  for (uint32_t c = 1; c < contexts; c++)
    if (is_row(graph, c, self[c]) && sc_analysis_in_scope(analysis, c)) {
      SC_GOTO(weigh_context(ask, &w, c, size->n, &all[used]));
      all[used++].cost = self[c];
    }
  err = gather_neighbours(ask, &w, size, all, used, name_function, &size->functions);
out:
  weights_free(&w);
  free(self);
  free(all);
  return err;
}

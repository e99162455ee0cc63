/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calling contexts of a function, by what they cost with all that is in them. */
#include <math.h>
#include <stdlib.h>

#include "runner/ask/ask.h"

typedef struct candidate {
  uint32_t context;
  double cost, count;
} candidate;

static int compare(const void *a, const void *b)
{
  const candidate *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost > y->cost ? -1 : 1;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->context < y->context ? -1 : x->context > y->context;
}

/* Own costs at n, summed up along the tree: what a context costs with all that is in it. */
static int inclusive_values(const sc_analysis *analysis, double n, double *values)
{
  const sc_graph *graph = sc_analysis_graph(analysis);
  for (uint32_t c = sc_graph_context_count(graph); c-- > 1;) {
    sc_interval own = {0};
    if (sc_analysis_in_scope(analysis, c))
      SC_TRY(sc_analysis_cost(analysis, c, n, &own));
    values[c] += own.value;
    values[sc_graph_parent(graph, c)] += values[c];
  }
  return 0;
}

static int predict(const sc_ask *ask, uint32_t context, double n, sc_ask_context *out)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_places one = {.contexts = &context, .count = 1};
  uint32_t *inside;
  size_t count;
  sc_portion *portion = NULL;
  int err;
  *out = (sc_ask_context){.context = context};
  SC_TRY(sc_places_inside(sc_analysis_graph(analysis), &one, &inside, &count));
  SC_GOTO(sc_portion_new(analysis, inside, count, SC_PORTION_COST, NULL, &portion));
  SC_GOTO(sc_portion_predict(portion, n, &out->inclusive));
  if (sc_analysis_in_scope(analysis, context))
    err = sc_analysis_count(analysis, context, n, &out->count);
out:
  free(inside);
  sc_portion_free(portion);
  return err;
}

int sc_ask_contexts(const sc_ask *ask, sc_ask_size *size)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const sc_places *places = &ask->subject.places;
  int err = SC_E_NOMEM;
  double *values = sc_mem_new(sc_graph_context_count(sc_analysis_graph(analysis)), sizeof *values);
  candidate *all = sc_mem_new(places->count, sizeof *all);
  size->contexts = sc_mem_new(ask->top, sizeof *size->contexts);
  if (!values || !all || !size->contexts)
    goto out;
  SC_GOTO(inclusive_values(analysis, size->n, values));
  for (size_t i = 0; i < places->count; i++) {
    sc_interval count = {0};
    if (sc_analysis_in_scope(analysis, places->contexts[i]))
      SC_GOTO(sc_analysis_count(analysis, places->contexts[i], size->n, &count));
    all[i] = (candidate){places->contexts[i], values[places->contexts[i]], count.value};
  }
  qsort(all, places->count, sizeof *all, compare);
  for (; size->context_count < places->count && size->context_count < ask->top; size->context_count++)
    SC_GOTO(predict(ask, all[size->context_count].context, size->n, &size->contexts[size->context_count]));
out:
  free(values);
  free(all);
  return err;
}

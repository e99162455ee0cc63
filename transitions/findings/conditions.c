/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call in a loop's condition, which debug information may put beside the loop, by its count: one more than the
 * loop's for each time that the loop is entered. */
#include "transitions/findings/conditions.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"

typedef struct beside {
  uint32_t parent, series;
  uint32_t loop; /* of those with the same counts: the first */
  double last;   /* its count in the last run */
} beside;

struct sc_conditions {
  const sc_analysis *analysis;
  beside *list; /* [count] by parent and last count */
  size_t count;
};

static int compare_condition_places(const beside *x, const beside *y)
{
  return SC_COMPARE(x->parent, y->parent) ?: SC_COMPARE(x->last, y->last);
}

static int compare_conditional(const void *left, const void *right)
{
  const beside *x = left, *y = right;
  return compare_condition_places(x, y) ?: SC_COMPARE(x->series, y->series) ?: SC_COMPARE(x->loop, y->loop);
}

static void list_condition_loops(sc_conditions *made)
{
  const sc_analysis *a = made->analysis;
  for (uint32_t c = 1; c < a->contexts; c++)
    if (a->series[c] != SC_NONE && sc_graph_at(a->graph, c)->kind == SC_LOCATION_LOOP)
      made->list[made->count++] =
          (beside){sc_graph_parent(a->graph, c), a->series[c], c, sc_analysis_values(a, c)[a->run_count - 1]};
}

static void drop_equal(sc_conditions *made)
{
  size_t kept = 0;
  for (size_t i = 0; i < made->count; i++)
    if (!kept || made->list[kept - 1].parent != made->list[i].parent ||
        made->list[kept - 1].series != made->list[i].series)
      made->list[kept++] = made->list[i];
  made->count = kept;
}

/* Sorted by parent and by the count in the last run, so that a context's candidates are neighbours. */
sc_conditions *sc_conditions_new(const sc_analysis *analysis)
{
  sc_conditions *made = sc_mem_new(1, sizeof *made);
  if (!made)
    return NULL;
  *made = (sc_conditions){.analysis = analysis, .list = sc_mem_new((size_t)analysis->contexts + 1, sizeof *made->list)};
  if (!made->list) {
    sc_conditions_free(made);
    return NULL;
  }
  list_condition_loops(made);
  qsort(made->list, made->count, sizeof *made->list, compare_conditional);
  drop_equal(made);
  return made;
}

void sc_conditions_free(sc_conditions *conditions)
{
  if (conditions)
    free(conditions->list);
  free(conditions);
}

/* The first loop of the parent that counts at least `last` in the last run. */
static size_t lower_bound(const sc_conditions *conditions, uint32_t parent, double last)
{
  beside wanted = {.parent = parent, .last = last};
  size_t low = 0, high = conditions->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_condition_places(&conditions->list[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* What runs in a loop under a condition has counts that are the loop's, but for one at each entry: compared run by run,
 * after the last run has narrowed the candidates down. */
uint32_t sc_conditions_find(const sc_conditions *conditions, uint32_t context, uint32_t parent)
{
  const sc_analysis *a = conditions->analysis;
  const double *own = sc_analysis_values(a, context);
  size_t last = a->run_count - 1;
  uint32_t above = sc_analysis_counted(a, parent) ? parent : sc_analysis_counted_ancestor(a, context);
  const double *around = above && a->series[above] != SC_NONE ? sc_analysis_values(a, above) : NULL;
  double entries = around ? around[last] : 1;
  uint32_t best = SC_NONE;
  for (size_t at = lower_bound(conditions, parent, own[last] - entries); at < conditions->count; at++) {
    const beside *b = &conditions->list[at];
    if (b->parent != parent || b->last > own[last] + entries)
      break;
    const double *loop = sc_series_row(&a->counts, b->series);
    size_t i = 0;
    while (i <= last && b->loop < best && !(fabs(own[i] - loop[i]) > (around ? around[i] : 1)))
      i++;
    if (i > last)
      best = b->loop;
  }
  return best;
}

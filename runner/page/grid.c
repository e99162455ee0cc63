/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of further parameters that a page of several combinations lets readers choose. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "regress/core/sizes.h"
#include "runner/page/parts.h"
#include "runner/text/tuning.h"

static void sort_distinct(sc_sizes *all)
{
  size_t kept = 0;
  gsl_sort(all->n, 1, all->count);
  for (size_t i = 0; i < all->count; i++)
    if (!kept || all->n[i] != all->n[kept - 1])
      all->n[kept++] = all->n[i];
  all->count = kept;
}

/* Sizes that somebody named, or measured. */
static int add_named(const sc_judge *judge, sc_sizes *all)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  const sc_analysis_options *asked = sc_analysis_get_options(analysis);
  const sc_graph *graph = judge->loaded.graph;
  for (size_t i = 0; i < sc_analysis_run_count(analysis); i++)
    SC_TRY(sc_sizes_add(all, sc_graph_run_const(graph, sc_analysis_run(analysis, i))->n));
  for (size_t i = 0; i < asked->target_count; i++)
    SC_TRY(sc_sizes_add(all, asked->targets[i]));
  return 0;
}

static int fill_grid(sc_sizes *all, size_t models)
{
  size_t named = all->count, room = SC_PAGE_VALUES / (models + 1);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a study has sizes */
  double low = log(all->n[0]), high = log(all->n[named - 1]);
  size_t steps = (size_t)ceil((high - low) / log(10) * SC_PAGE_STEPS);
  room = room < SC_PAGE_GRID_LEAST ? SC_PAGE_GRID_LEAST : room > SC_PAGE_GRID_MOST ? SC_PAGE_GRID_MOST : room;
  steps = steps > room ? room : steps;
  for (size_t i = 1; i < steps; i++) {
    double n = exp(low + (high - low) * (double)i / (double)steps);
    double scale = pow(10, floor(log10(n)) - 2);
    double rounded = round(n / scale) * scale; /* three digits read better */
    size_t near = 0;
    while (near < named && fabs(log(all->n[near] / rounded)) > SC_PAGE_GRID_NEAR * (high - low) / (double)steps)
      near++;
    if (near == named)
      SC_TRY(sc_sizes_add(all, rounded));
  }
  return 0;
}

int sc_page_grid_make(const sc_judge *judge, const sc_judge *base, sc_page_grid *grid)
{
  int err = 0;
  sc_sizes all = {0};
  size_t models = sc_analysis_model_count(judge->loaded.analysis);
  *grid = (sc_page_grid){0};
  SC_GOTO(add_named(judge, &all));
  if (base) {
    SC_GOTO(add_named(base, &all));
    models += sc_analysis_model_count(base->loaded.analysis);
  }
  sort_distinct(&all);
  SC_GOTO(fill_grid(&all, models));
  sort_distinct(&all);
out:
  *grid = (sc_page_grid){all.n, all.count};
  return err;
}

void sc_page_grid_free(sc_page_grid *grid)
{
  free(grid->sizes);
  *grid = (sc_page_grid){0};
}

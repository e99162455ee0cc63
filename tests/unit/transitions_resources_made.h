/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What the files of transitions/resources work on, made by hand: resources as wholes, and their sums in each run. */
#include <stdlib.h>

#include "transitions/resources/cells.h"
#include "transitions_scene.h"

enum { MADE_RUNS = 8, MADE_RESOURCES = 3 };

typedef struct made_resources {
  sc_resources r;
  sc_graph *graph;
  double sizes[MADE_RUNS], run_sizes[MADE_RUNS];
  size_t starts[MADE_RUNS + 1], cell_starts[MADE_RESOURCES + 1];
  sc_resource_cell cells[MADE_RESOURCES];
  double sums[MADE_RESOURCES][MADE_RUNS * SC_RSUM_COUNT];
  sc_occupancy occupancies[MADE_RUNS * MADE_RESOURCES];
  double buckets[MADE_RUNS * MADE_RESOURCES * SC_RBUCKETS];
  sc_rseries series[SC_RMETRIC_ALL]; /* of the first one */
} made_resources;

/* `repeats` runs of 100, 200, 400, ... */
static inline made_resources *made_new(const sc_resource *resources, uint32_t count, size_t sizes, size_t repeats)
{
  made_resources *m = calloc(1, sizeof *m);
  assert_non_null(m);
  assert_int_equal(sc_graph_new(&m->graph), 0);
  m->r = (sc_resources){.graph = m->graph,
                        .level = 0.95,
                        .variable = "n",
                        .run_sizes = m->run_sizes,
                        .run_count = sizes * repeats,
                        .sizes = m->sizes,
                        .starts = m->starts,
                        .size_count = sizes,
                        .resource_count = count,
                        .cells = m->cells,
                        .cell_count = count,
                        .cell_starts = m->cell_starts,
                        .occupancies = m->occupancies,
                        .buckets = m->buckets};
  for (size_t i = 0; i < sizes; i++) {
    m->sizes[i] = 100 * exp2((double)i);
    m->starts[i] = i * repeats;
  }
  m->starts[sizes] = sizes * repeats;
  for (size_t run = 0; run < sizes * repeats; run++)
    m->run_sizes[run] = m->sizes[run / repeats];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number;
    assert_int_equal(sc_usage_resource(m->graph, &resources[i], &number), 0);
    m->cells[i] = (sc_resource_cell){
        .resource = i, .context = SC_USAGE_NONE, .sums = m->sums[i], .exclusive = true, .in_scope = true};
    m->cell_starts[i] = m->cell_starts[i + 1] = count;
  }
  return m;
}

static inline void made_sum(made_resources *m, uint32_t resource, size_t run, int sum, double value)
{
  m->sums[resource][run * SC_RSUM_COUNT + (size_t)sum] = value;
}

static inline sc_occupancy *made_occupancy(made_resources *m, uint32_t resource, size_t run)
{
  return &m->occupancies[run * m->r.resource_count + resource];
}

/* Holds of 2^bucket nanoseconds and more, less than twice that. */
static inline void made_holds(made_resources *m, uint32_t resource, size_t run, int bucket, double holds)
{
  sc_resource_cell_buckets(&m->r, &m->cells[resource], run)[bucket] = holds;
}

/* A metric of the first resource is coefficient * n^exponent, exactly, measured at 100 to 800. */
static inline void made_power(made_resources *m, int metric, double coefficient, double exponent)
{
  m->series[metric] = (sc_rseries){.shown = {.sizes = m->run_sizes,
                                             .values = m->run_sizes,
                                             .count = m->r.run_count,
                                             .model = {.terms = {{coefficient, exponent, 0, 0, 0, 0}},
                                                       .term_count = coefficient > 0,
                                                       .order = {exponent, 0, (int)exponent, 0, 0},
                                                       .exact = true,
                                                       .n_min = 100,
                                                       .n_max = 800}}};
  m->cells[0].series[metric] = &m->series[metric];
  m->cells[0].made[metric] = true;
}

/* An interval as computed by hand; `high` may be infinite. */
static inline void made_is(sc_interval i, double value, double low, double high)
{
  unit_near(i.value, value);
  unit_near(i.low, low);
  if (i.high != high)
    unit_near(i.high, high);
}

static inline void made_free(made_resources *m)
{
  sc_graph_free(m->graph);
  free(m);
}

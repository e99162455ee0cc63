/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Runs of a program by threads and by values of one further parameter; the first value is the base. */
#include "transitions/resources/resources.h"
#include "transitions_resources_scene.h"

enum { PLACE_RUNS = 20 };

typedef struct scene_place {
  sc_graph *graph, *all; /* runs of the base, of all values */
  sc_analysis *analysis;
  sc_resources_everywhere *everywhere;
  size_t count, runs[PLACE_RUNS];
  double at[PLACE_RUNS][2];
} scene_place;

/* Graphs with their runs, which have nothing yet: in that of all values those of the first come first. */
static inline void place_open(scene_place *p, const double *sizes, size_t size_count, const double *values,
                              size_t value_count)
{
  double all[PLACE_RUNS];
  assert_true(size_count * value_count <= PLACE_RUNS);
  *p = (scene_place){.count = size_count * value_count};
  for (size_t i = 0; i < p->count; i++) {
    p->runs[i] = i;
    p->at[i][0] = all[i] = sizes[i % size_count];
    p->at[i][1] = values[i / size_count];
  }
  p->graph = scene_repeats(sizes, size_count, 1);
  p->all = scene_repeats(all, p->count, 1);
}

/* Once the runs are filled; `further`: what the second parameter is. */
static inline void place_analyse(scene_place *p, enum sc_parameter_kind further)
{
  static const char *const names[] = {"n", "t"};
  static enum sc_parameter_kind kinds[] = {SC_PARAMETER_THREADS, SC_PARAMETER_WORK};
  kinds[1] = further;
  p->analysis = scene_analyse(p->graph, (double[]){24}, 1);
  const sc_resources_runs runs = {p->all, p->runs, p->at[0], p->count, 2, names, kinds};
  unit_ok(sc_resources_everywhere_new(p->analysis, &runs, &p->everywhere));
}

static inline void place_close(scene_place *p)
{
  sc_resources_everywhere_free(p->everywhere);
  scene_end(p->graph, p->analysis, NULL);
  sc_graph_free(p->all);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* A program that obtains units of one resource at a site, at six sizes, for the tests of rules about units. */
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 300, 450, 600, 800};
enum { SIZES = 6, REPEATS = 2 };

/* What a program does with one resource at a site, and with the same resource at another one. */
typedef scene_units (*units_at)(double n);
typedef struct site_case {
  enum sc_resource_class resource_class;
  double capacity;
  units_at site, other; /* other may be NULL */
  double threads;       /* of the resource; 0: 1 */
} site_case;

typedef struct world {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *resources;
  uint32_t resource, context;
} world;

enum { SECOND = 1 };

static inline world make(const site_case *c, enum sc_parameter_kind kind, double target, double noise)
{
  world w = {.graph = scene_repeats(sizes, SIZES, REPEATS)};
  uint32_t main = scene_main(w.graph), elsewhere = scene_function(w.graph, main, "elsewhere", scene_one, 0);
  w.context = scene_function(w.graph, main, "site", scene_n, 0);
  w.resource = scene_resource(w.graph, c->resource_class, "units", c->capacity);
  scene_seed = 5;
  for (size_t run = 0; run < SIZES * REPEATS; run++) {
    double n = sizes[run / REPEATS], threads = c->threads > 0 ? c->threads : 1;
    scene_units site = c->site(n);
    site.hold *= scene_noise(noise);
    scene_units_run(w.graph, run, w.context, w.resource, site);
    if (c->other)
      scene_units_run(w.graph, run, elsewhere, w.resource, c->other(n));
    scene_occupancy(w.graph, run, w.resource, threads, 1, threads * SECOND, SECOND);
    sc_graph_run(w.graph, run)->threads = (uint64_t)threads;
  }
  w.analysis = scene_analyse(w.graph, &target, 1);
  w.resources = scene_resources(w.analysis, kind);
  return w;
}

static inline void drop(world *w) { scene_drop(w->graph, w->analysis, w->resources); }

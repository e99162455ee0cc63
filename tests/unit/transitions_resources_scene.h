/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Programs whose use of resources is known, for the tests of transitions/resources. */
#include "transitions/resources/resources.h"
#include "transitions_scene.h"

/* Measurements with noise: factors with a mean near 1, the same in every run of the tests. */
static uint64_t scene_seed;
static inline double scene_uniform(void)
{
  scene_seed = scene_seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return ((double)(scene_seed >> 11) + 0.5) / 9007199254740992.0;
}
static inline double scene_noise(double deviation)
{
  return exp(deviation * sqrt(-2 * log(scene_uniform())) * cos(6.283185307179586 * scene_uniform()));
}

/* Repeats of each size. */
static inline sc_graph *scene_repeats(const double *sizes, size_t count, unsigned repeats)
{
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  for (size_t i = 0; i < count * repeats; i++) {
    sc_run run = {.n = sizes[i / repeats], .role = SC_RUN_TRAINING, .repeat = (unsigned)(i % repeats)};
    size_t index;
    assert_int_equal(sc_graph_begin_run(graph, &run, &index), 0);
  }
  return graph;
}

static inline uint32_t scene_resource(sc_graph *graph, enum sc_resource_class resource_class, const char *name,
                                      double capacity)
{
  uint32_t number;
  sc_resource resource = {.resource_class = resource_class,
                          .name = name,
                          .file = "scene.c",
                          .line = 7,
                          .probe = resource_class == SC_RESOURCE_OTHER,
                          .capacity = capacity};
  assert_int_equal(sc_usage_resource(graph, &resource, &number), 0);
  return number;
}

/* A row of a run; `via` may be NULL. Returns its index. */
static inline uint32_t scene_usage(sc_graph *graph, size_t run, uint32_t context, uint32_t resource,
                                   const sc_usage *what)
{
  uint32_t index;
  sc_usage usage = *what;
  usage.context = context;
  usage.resource = resource;
  if (!usage.via)
    usage.via = "obtain";
  if (!usage.event)
    usage.event = SC_USAGE_EVENT_ACQUIRE;
  if (!usage.line)
    usage.line = 42;
  assert_int_equal(sc_usage_add(graph, run, &usage, &index), 0);
  return index;
}

static inline void scene_occupancy(sc_graph *graph, size_t run, uint32_t resource, double threads, double instances,
                                   double active, double span)
{
  sc_occupancy occupancy = {resource, instances, threads, active, span};
  assert_int_equal(sc_usage_add_occupancy(graph, run, &occupancy), 0);
}

/* A lock's acquires: each was given back after `hold` seconds. */
static inline sc_usage scene_holds(double acquires, double hold)
{
  return (sc_usage){.via = "pthread_mutex_lock",
                    .values = {[SC_USAGE_ACQUIRES] = acquires,
                               [SC_USAGE_UNITS] = acquires,
                               [SC_USAGE_RETURNED] = acquires,
                               [SC_USAGE_RETURNED_UNITS] = acquires,
                               [SC_USAGE_HOLDS] = acquires,
                               [SC_USAGE_HOLD_SECONDS] = acquires * hold}};
}

/* Threads that all hold a lock and think in turn. */
typedef struct scene_lock {
  double threads, rounds, hold, think, wait; /* of one round */
  double instances;                          /* 0: 1 */
} scene_lock;

static inline uint32_t scene_lock_run(sc_graph *graph, size_t run, uint32_t context, uint32_t resource, scene_lock lock)
{
  double acquires = lock.threads * lock.rounds;
  double each = lock.rounds * (lock.hold + lock.wait) + (lock.rounds - 1) * lock.think;
  sc_usage usage = scene_holds(acquires, lock.hold);
  usage.values[SC_USAGE_PEAK] = lock.threads;
  usage.values[SC_USAGE_WAITS] = lock.wait > 0 ? floor(acquires / 2) : 0;
  usage.values[SC_USAGE_WAIT_SECONDS] = acquires * lock.wait;
  uint32_t row = scene_usage(graph, run, context, resource, &usage);
  scene_occupancy(graph, run, resource, lock.threads, lock.instances > 0 ? lock.instances : 1, lock.threads * each,
                  each);
  return row;
}

/* Units obtained at a site, some of them came back. */
typedef struct scene_units {
  double acquires, each, returned, peak; /* returned: acquires; peak: units */
  double unseen, failures, hold;         /* hold: seconds of each */
  double kept_by_one;
} scene_units;

static inline void scene_units_run(sc_graph *graph, size_t run, uint32_t context, uint32_t resource, scene_units units)
{
  sc_usage usage = {.via = "malloc",
                    .kept_by_one = units.kept_by_one,
                    .values = {[SC_USAGE_ACQUIRES] = units.acquires,
                               [SC_USAGE_FAILURES] = units.failures,
                               [SC_USAGE_UNITS] = units.acquires * units.each,
                               [SC_USAGE_RETURNED] = units.returned,
                               [SC_USAGE_RETURNED_UNITS] = units.returned * units.each,
                               [SC_USAGE_UNSEEN] = units.unseen,
                               [SC_USAGE_PEAK] = units.peak,
                               [SC_USAGE_HOLDS] = units.returned,
                               [SC_USAGE_HOLD_SECONDS] = units.returned * units.hold}};
  /* one bucket: they all last as long */
  for (int i = 0; i < 40; i++)
    if (units.hold * 1e9 >= ldexp(1, i) && units.hold * 1e9 < ldexp(1, i + 1))
      usage.buckets[i] = units.returned;
  scene_usage(graph, run, context, resource, &usage);
}

static inline sc_resources *scene_resources(const sc_analysis *analysis, enum sc_parameter_kind kind)
{
  sc_resources *resources;
  sc_resource_options options = {.kind = kind};
  int err = sc_resources_new(analysis, &options, &resources);
  if (err)
    fail_msg("sc_resources_new: %s", sc_err_message());
  return resources;
}

static inline void scene_drop(sc_graph *graph, sc_analysis *analysis, sc_resources *resources)
{
  law_resources(resources, analysis);
  sc_resources_free(resources);
  scene_end(graph, analysis, NULL);
}

/* A program with one resource, and what was computed of it. */
typedef struct scene_world {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *resources;
  uint32_t resource;
} scene_world;

static inline void scene_world_drop(scene_world *w) { scene_drop(w->graph, w->analysis, w->resources); }

/* The finding of a rule about a resource, or NULL. */
static inline const sc_resource_finding *scene_resource_finding(const sc_resources *resources, enum sc_rule rule,
                                                                uint32_t resource)
{
  size_t count;
  const sc_resource_finding *list = sc_resources_findings(resources, &count);
  for (size_t i = 0; i < count; i++)
    if (list[i].rule == rule && list[i].resource == resource)
      return &list[i];
  return NULL;
}

static inline size_t scene_finding_count(const sc_resources *resources)
{
  size_t count;
  const sc_resource_finding *list = sc_resources_findings(resources, &count);
  for (size_t i = 0; i < count; i++)
    print_message("  %s %s, confidence %.2f, emergence %g (%g to %g)\n    %s\n    %s\n", sc_rule_id(list[i].rule),
                  sc_severity_name(list[i].severity), list[i].confidence, list[i].emergence.value,
                  list[i].emergence.low, list[i].emergence.high, list[i].evidence, list[i].advice);
  return count;
}

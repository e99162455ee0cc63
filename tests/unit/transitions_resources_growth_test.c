/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which peaks grow without bound: below and at each threshold. */
#include "unit.h"

#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600};
enum { SIZES = 5, REPEATS = 3, SIZES_MOST = 8 };

typedef struct program {
  enum sc_resource_class resource_class;
  enum sc_parameter_kind kind;
  double peak[SIZES];  /* units; 0: the site is not executed */
  double off[REPEATS]; /* what repeats have more at sizes up to half the largest */
} program;

static bool grows(const program *p)
{
  bool scatter = p->off[0] != 0 || p->off[2] != 0;
  unsigned repeats = scatter ? REPEATS : 1;
  sc_graph *graph = scene_repeats(sizes, SIZES, repeats);
  uint32_t site = scene_function(graph, scene_main(graph), "site", scene_n, 0);
  uint32_t resource = scene_resource(graph, p->resource_class, "units", 0);
  for (size_t run = 0; run < (size_t)SIZES * repeats; run++) {
    double n = sizes[run / repeats], peak = p->peak[run / repeats] + (n <= 800 ? p->off[run % repeats] : 0);
    if (peak > 0)
      scene_units_run(graph, run, site, resource, (scene_units){n, peak / n, n, peak, .hold = 0.5});
    scene_occupancy(graph, run, resource, 1, 1, 1, 1);
    sc_graph_run(graph, run)->threads = 1;
  }
  sc_analysis *analysis = scene_analyse(graph, (double[]){1e5}, 1);
  sc_resources *resources = scene_resources(analysis, p->kind);
  bool found = scene_resource_finding(resources, SC_RULE_UNBOUNDED_GROWTH, resource);
  scene_drop(graph, analysis, resources);
  return found;
}

TEST(edges)
{
  static const struct {
    bool yes;
    program program;
  } cases[] = {
      {true, {SC_RESOURCE_HEAP, SC_PARAMETER_WORK, {1e4, 2e4, 4e4, 8e4, 16e4}}},
      {false, {SC_RESOURCE_HEAP, SC_PARAMETER_DATA, {1e4, 2e4, 4e4, 8e4, 16e4}}},
      {true, {SC_RESOURCE_HEAP, SC_PARAMETER_DATA, {1e4, 4e4, 16e4, 64e4, 256e4}}},
      {true, {SC_RESOURCE_HEAP, SC_PARAMETER_DATA, {0, 4e4, 16e4, 64e4, 256e4}}},
      {true, {SC_RESOURCE_HEAP, SC_PARAMETER_DATA, {1e4, 1e4, 4e4, 16e4, 64e4}}},
      /* scatter: a fifth above all at up to half the largest size */
      {true, {SC_RESOURCE_HEAP, SC_PARAMETER_WORK, {1e4, 2e4, 4e4, 8e4, 12e4}, {-1e4, 0, 2e4}}},
      {false, {SC_RESOURCE_HEAP, SC_PARAMETER_WORK, {1e4, 2e4, 4e4, 8e4, 11.9e4}, {-1e4, 0, 2e4}}},
      /* few units where repeats differ */
      {true, {SC_RESOURCE_OTHER, SC_PARAMETER_WORK, {1, 2, 3, 4, 8}, {0, 0, 1}}},
      {false, {SC_RESOURCE_OTHER, SC_PARAMETER_WORK, {1, 2, 3, 4, 7}, {0, 0, 1}}},
      {true, {SC_RESOURCE_OTHER, SC_PARAMETER_WORK, {1, 2, 3, 5, 7}}},
      {true, {SC_RESOURCE_HEAP, SC_PARAMETER_WORK, {256, 512, 1024, 2048, 4096}, {0, 0, 1}}},
      {false, {SC_RESOURCE_HEAP, SC_PARAMETER_WORK, {256, 512, 1024, 2048, 4095}, {0, 0, 1}}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (grows(&cases[i].program) != cases[i].yes)
      fail_msg("case %zu: %s", i, cases[i].yes ? "does not grow" : "grows");
}

/* Three runs a size, all alike; each acquire obtains EACH bytes, or all of them do if that is 0. */
static bool grows_by(enum sc_parameter_kind kind, const double *n, const double *peak, size_t count, double each)
{
  sc_graph *graph = scene_repeats(n, count, REPEATS);
  uint32_t site = scene_function(graph, scene_main(graph), "site", scene_n, 0);
  uint32_t resource = scene_resource(graph, SC_RESOURCE_HEAP, "heap", 0);
  for (size_t run = 0; run < count * REPEATS; run++) {
    double out = peak[run / REPEATS], acquires = each > 0 ? out / each : 1;
    if (out > 0)
      scene_units_run(graph, run, site, resource, (scene_units){acquires, out / acquires, acquires, out, .hold = 0.5});
    scene_occupancy(graph, run, resource, 2, 1, 2, 1);
    sc_graph_run(graph, run)->threads = 2;
  }
  sc_analysis *analysis = scene_analyse(graph, (double[]){8 * n[count - 1]}, 1);
  sc_resources *resources = scene_resources(analysis, kind);
  bool found = scene_resource_finding(resources, SC_RULE_UNBOUNDED_GROWTH, resource);
  scene_drop(graph, analysis, resources);
  return found;
}

/* The items for which a vector has room already, of n: n - ceil(log2 n) - 1. It begins late and is a line then,
 * whichever sizes were measured: what is out for each unit of n grows to 1 at most. */
TEST(what_begins_late_does_not_outgrow_the_workload)
{
  static const double n[][SIZES_MOST] = {{1, 2, 4, 8, 16},         {1, 2, 4, 8, 16, 32}, {1, 2, 4, 8, 16, 32, 64},
                                         {1, 2, 3, 4, 5, 6, 7, 8}, {2, 4, 8, 16},        {4, 8, 16, 32},
                                         {3, 4, 5, 6, 8},          {1, 4, 6, 7, 8},      {2, 3, 4, 8, 12, 16},
                                         {10, 20, 40, 80, 160}};
  for (size_t i = 0; i < COUNT(n); i++)
    for (int late = 0; late < 2; late++) {
      double peak[SIZES_MOST];
      size_t count = 0;
      for (; count < SIZES_MOST && n[i][count] > 0; count++)
        peak[count] = 24 * fmax(0, late ? n[i][count] - 3 : n[i][count] - ceil(log2(n[i][count])) - 1);
      if (grows_by(SC_PARAMETER_THREADS, n[i], peak, count, 24))
        fail_msg("sizes %zu, %s: grows", i, late ? "from 3 on" : "in a vector");
    }
}

/* Squares, in blocks of their own and as one, and n log2 n are more than the workload asks for, from four sizes on. */
TEST(what_outgrows_the_workload_is_found)
{
  static const double n[][SIZES_MOST] = {
      {1, 2, 4, 8, 16}, {1, 2, 3, 4, 5, 6, 7, 8}, {4, 8, 16, 32}, {100, 200, 300, 400}};
  for (size_t i = 0; i < COUNT(n); i++)
    for (int whole = 0; whole < 2; whole++) {
      double peak[SIZES_MOST];
      size_t count = 0;
      for (; count < SIZES_MOST && n[i][count] > 0; count++)
        peak[count] = 96 * n[i][count] * n[i][count];
      if (!grows_by(SC_PARAMETER_THREADS, n[i], peak, count, whole ? 0 : 96))
        fail_msg("sizes %zu, %s: does not grow", i, whole ? "one block" : "many");
    }
}

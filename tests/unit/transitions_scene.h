/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Programs made of contexts with known counts, for the tests of transitions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/findings/findings.h"
#include "transitions/model/inverse.h"
#include "transitions_laws.h"
#include "unit.h"

typedef double (*scene_curve)(double n);

static inline double scene_one(double n) { return n > 0; }
static inline double scene_n(double n) { return n; }
static inline double scene_square(double n) { return n * n; }
static inline double scene_triangle(double n) { return n * (n - 1) / 2; }
static const double scene_driven[] = {1000, 2000, 4000, 5194, 8000};
/* Counts of a real program, at scene_driven: pages defragmented in bursts, n or n^2. */
static inline double scene_bursts(double n)
{
  static const double counts[] = {1244, 2137, 4978, 10691, 29563};
  for (size_t i = 0; i < 5; i++)
    if (scene_driven[i] == n)
      return counts[i];
  fail();
  return 0;
}
static inline double scene_sorting(double n) { return floor(n * log2(n)); }

/* A graph with one training run for each size; `event` "" means that no cost was sampled. */
static inline sc_graph *scene_new(const double *sizes, size_t count, const char *event)
{
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  for (size_t i = 0; i < count; i++) {
    sc_run run = {.n = sizes[i], .role = SC_RUN_TRAINING};
    size_t index;
    snprintf(run.cost_event, sizeof run.cost_event, "%s", event);
    assert_int_equal(sc_graph_begin_run(graph, &run, &index), 0);
  }
  return graph;
}

static inline uint32_t scene_context(sc_graph *graph, uint32_t parent, const sc_location *location)
{
  uint32_t number, context;
  assert_int_equal(sc_graph_location(graph, location, &number), 0);
  assert_int_equal(sc_graph_context(graph, parent, number, &context), 0);
  return context;
}

/* Adds count(n) executions to every run, each costing `each`; 1,000 samples to the unit of cost. */
static inline void scene_fill(sc_graph *graph, uint32_t context, scene_curve count, double each)
{
  for (size_t i = 0; i < sc_graph_run_count(graph); i++) {
    sc_run *run = sc_graph_run(graph, i);
    double value = count(run->n);
    assert_int_equal(sc_graph_add(graph, i, context, SC_METRIC_COUNT, value), 0);
    if (each > 0) {
      assert_int_equal(sc_graph_add(graph, i, context, SC_METRIC_COST, value * each), 0);
      run->samples += (uint64_t)ceil(value * each * 1000);
    }
  }
}

static inline uint32_t scene_function(sc_graph *graph, uint32_t parent, const char *name, scene_curve count,
                                      double each)
{
  sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = "scene.c"};
  uint32_t context = scene_context(graph, parent, &location);
  scene_fill(graph, context, count, each);
  return context;
}

static inline uint32_t scene_loop(sc_graph *graph, uint32_t parent, const char *function, uint32_t line,
                                  scene_curve count, double each)
{
  sc_location location = {.kind = SC_LOCATION_LOOP, .name = function, .file = "scene.c", .line = line, .column = 3};
  uint32_t context = scene_context(graph, parent, &location);
  scene_fill(graph, context, count, each);
  return context;
}

/* A call of a library's function, and the bytes it goes over; `each`: cost of a byte, where sampling sees it. */
static inline uint32_t scene_work(sc_graph *graph, uint32_t parent, const char *name, uint32_t line, scene_curve bytes,
                                  double each)
{
  sc_location location = {
      .kind = SC_LOCATION_WORK, .name = name, .file = "scene.c", .line = line, .column = 9, .nth = SC_UNIT_BYTES};
  uint32_t context = scene_context(graph, parent, &location);
  scene_fill(graph, context, bytes, each);
  return context;
}

static inline uint32_t scene_foreign(sc_graph *graph, uint32_t parent, const char *name)
{
  return scene_context(graph, parent, &(sc_location){.kind = SC_LOCATION_FOREIGN, .name = name, .file = ""});
}

/* A process with its main. */
static inline uint32_t scene_main(sc_graph *graph)
{
  sc_location process = {.kind = SC_LOCATION_PROCESS, .name = "program", .file = ""};
  return scene_function(graph, scene_context(graph, 0, &process), "main", scene_one, 0);
}

/* Those of scene_analyse, for tests of another one. */
static inline sc_analysis_options scene_options(const double *targets, size_t count)
{
  return (sc_analysis_options){
      .fit = SC_FIT_OPTIONS_DEFAULT, .variable = "n", .targets = targets, .target_count = count, .level = 0.95};
}

static inline sc_analysis *scene_analyse_with(const sc_graph *graph, const sc_analysis_options *options)
{
  sc_analysis *analysis;
  int err = sc_analysis_new(graph, options, &analysis);
  if (err)
    fail_msg("sc_analysis_new: %s", sc_err_message());
  return analysis;
}

static inline sc_analysis *scene_analyse(const sc_graph *graph, const double *targets, size_t count)
{
  const sc_analysis_options options = scene_options(targets, count);
  return scene_analyse_with(graph, &options);
}

static inline int scene_total(void *analysis, double n, sc_interval *out)
{
  return sc_analysis_total(analysis, n, out);
}

/* The size from which on the total reaches a limit. */
static inline int scene_limit(sc_analysis *analysis, double limit, double from, sc_interval *out)
{
  return sc_inverse_find(scene_total, analysis, limit, &(sc_inverse_range){from, SC_INVERSE_FAR, 2}, out);
}

static inline sc_findings scene_infer(const sc_analysis *analysis)
{
  sc_findings findings;
  int err = sc_findings_infer(analysis, &findings);
  if (err)
    fail_msg("sc_findings_infer: %s", sc_err_message());
  return findings;
}

/* The end of a test, once what holds of any program holds of this; `findings` may be NULL. */
static inline void scene_end(sc_graph *graph, sc_analysis *analysis, sc_findings *findings)
{
  law_analysis(analysis);
  if (findings && findings->coverage)
    law_findings(analysis, findings), law_order(analysis, findings);
  if (findings)
    sc_findings_free(findings);
  sc_analysis_free(analysis);
  sc_graph_free(graph);
}

/* A program, and from when it was judged on what was found of it. */
typedef struct scene_program {
  sc_graph *graph;
  uint32_t main;
  sc_analysis *analysis;
  sc_findings findings;
} scene_program;

static inline scene_program scene_open(const double *sizes, size_t count, const char *event)
{
  scene_program s = {.graph = scene_new(sizes, count, event)};
  s.main = scene_main(s.graph);
  return s;
}

static inline void scene_judge(scene_program *s, const double *targets, size_t count)
{
  s->analysis = scene_analyse(s->graph, targets, count);
  s->findings = scene_infer(s->analysis);
}

static inline void scene_close(scene_program *s) { scene_end(s->graph, s->analysis, &s->findings); }

/* The same text, which is freed. */
static inline void scene_says(sc_buf *text, const char *expected)
{
  assert_int_equal(sc_buf_finish(text), 0);
  assert_string_equal(text->text, expected);
  sc_buf_free(text);
}

/* The finding at a context, or NULL. */
static inline const sc_finding *scene_find(const sc_findings *findings, uint32_t context)
{
  for (size_t i = 0; i < findings->count; i++)
    if (findings->list[i].context == context)
      return &findings->list[i];
  return NULL;
}

static inline bool scene_has_member(const sc_finding *finding, uint32_t context)
{
  for (size_t i = 0; i < finding->member_count; i++)
    if (finding->members[i] == context)
      return true;
  return false;
}

static inline size_t scene_superlinear(const sc_findings *findings)
{
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++)
    count += findings->list[i].superlinear || findings->list[i].rule == SC_RULE_SUPERLINEAR_LOOP;
  return count;
}

static inline void scene_print(const sc_analysis *analysis, const sc_findings *findings)
{
  for (size_t i = 0; i < findings->count; i++) {
    const sc_finding *f = &findings->list[i];
    const sc_location *at = sc_graph_at(sc_analysis_graph(analysis), f->context);
    char formula[160];
    sc_model_format(&f->model, "n", formula, sizeof formula);
    print_message("%zu %s %s %s:%u %s | emerges %g, confidence %.2f, %s, sites %zu, members %zu\n   %s\n   %s\n", i + 1,
                  sc_rule_id(f->rule), sc_finding_kind_name(f->kind), at->name, at->line, formula, f->emergence,
                  f->confidence, sc_severity_name(f->severity), f->site_count, f->member_count, f->evidence, f->advice);
  }
}

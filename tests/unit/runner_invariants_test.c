/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_scene.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "runner/text/findings_json.h"
#include "transitions/findings/coverage.h"

/* What must hold whatever the program: random trees of every kind of context, with counts and costs that fit nothing,
 * that vanish, and that are huge. */

enum { SCENES = 60, CONTEXTS = 60, SIZES = 6 };
static const double TARGETS[] = {50, 1e4, 1e7};

static uint32_t seed;

static uint32_t next(uint32_t below)
{
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

static double random_count(uint32_t shape, double n)
{
  switch (shape) {
  case 0:
    return 1;
  case 1:
    return n;
  case 2:
    return n * n;
  case 3:
    return floor(n * log2(n));
  case 4:
    return next(1000);
  case 5:
    return next(2) ? 0 : floor(n * n * n);
  case 6:
    return floor(n * n * (0.95 + next(100) / 1000.0));
  case 7:
    return 0;
  case 8:
    return floor(1e15 / n);
  default:
    return floor(pow(n, next(40) / 10.0));
  }
}

static uint32_t random_context(sc_graph *graph, uint32_t count)
{
  static const char *const names[] = {"a", "b", "c", "d"};
  sc_location location = {.kind = (enum sc_location_kind)(1 + next(5)), .name = names[next(4)], .file = "scene.c"};
  if (next(3))
    location.kind = next(2) ? SC_LOCATION_FUNCTION : SC_LOCATION_LOOP;
  if (location.kind == SC_LOCATION_LOOP)
    location.line = 1 + next(5);
  location.recursive = next(4) == 0;
  return scene_context(graph, next(count), &location);
}

static sc_graph *random_scene(void)
{
  static const double sizes[SIZES] = {16, 32, 32, 64, 128, 256};
  sc_graph *graph = scene_new(sizes, SIZES, next(3) ? "task-clock" : "");
  for (uint32_t i = 0; i < CONTEXTS; i++) {
    uint32_t context = random_context(graph, sc_graph_context_count(graph)), shape = next(10);
    for (size_t run = 0; run < SIZES; run++) {
      double cost = next(3) ? 0 : next(100) / 1000.0 * (next(2) ? 1 : sizes[run]);
      assert_int_equal(sc_graph_add(graph, run, context, SC_METRIC_COUNT, random_count(shape, sizes[run])), 0);
      assert_int_equal(sc_graph_add(graph, run, context, SC_METRIC_COST, cost), 0);
      assert_int_equal(sc_graph_add(graph, run, context, SC_METRIC_DEPTH, next(50)), 0);
      sc_graph_run(graph, run)->samples += (uint64_t)(cost * 1000);
    }
  }
  return graph;
}

/* Beside what law_findings holds; shares up to 1 without any rounding. */
static void check_finding(const sc_analysis *a, const sc_finding *f, unsigned char *taken)
{
  bool own = false;
  assert_int_not_equal(f->model.verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(f->confidence <= 1 && f->advice && *f->advice);
  for (size_t i = 0; i < f->member_count; i++) {
    assert_int_equal(taken[f->members[i]]++, 0); /* nothing is paid for twice */
    assert_true(sc_analysis_in_scope(a, f->members[i]));
    own = own || f->members[i] == f->context;
  }
  if (!own) /* only where the context's own cost is a finding of its own */
    assert_false(f->has_cost_model);
  for (size_t i = 0; i < 3; i++)
    assert_true(f->predictions[i].share <= 1);
}

/* The findings' part is what they cost, and all parts are the total. */
static void check_coverage(const sc_analysis *a, const sc_findings *findings, size_t target)
{
  sc_coverage c;
  sc_interval total;
  double parts = 0, explained = 0;
  assert_int_equal(sc_coverage_at(a, findings, SC_COVERAGE_COST, TARGETS[target], &c), 0);
  assert_int_equal(sc_analysis_total(a, TARGETS[target], &total), 0);
  law_interval("the total", TARGETS[target], &total);
  for (int i = 0; i < SC_COVERAGE_CLASSES; i++)
    parts += c.parts[i].value;
  for (size_t i = 0; i < findings->count; i++)
    explained += findings->list[i].linear ? 0 : findings->list[i].predictions[target].cost.value;
  assert_float_equal(parts, total.value, 1e-9 * total.value);
  assert_float_equal(c.parts[SC_COVERAGE_FINDINGS].value, explained, 1e-9 * total.value);
}

static void check_scene(enum sc_fit_engine engine)
{
  sc_graph *graph = random_scene();
  sc_analysis_options options = {.fit = {engine, 0.9}, .targets = TARGETS, .target_count = 3, .level = 0.9};
  sc_analysis *a;
  sc_interval size;
  options.negligible = next(2) ? 0 : -1;
  assert_int_equal(sc_analysis_new(graph, &options, &a), 0);
  unsigned char *taken = calloc(sc_graph_context_count(graph), 1);
  sc_findings findings = scene_infer(a);
  double shares[3] = {0};
  for (size_t i = 0; i < findings.count; i++) {
    check_finding(a, &findings.list[i], taken);
    for (size_t t = 0; t < 3; t++)
      shares[t] += findings.list[i].predictions[t].share;
  }
  for (size_t t = 0; t < 3; t++) {
    assert_true(shares[t] <= 1 + 1e-6);
    check_coverage(a, &findings, t);
  }
  assert_int_equal(scene_limit(a, 1e6, 16, &size), 0);
  assert_true(size.low <= size.value && size.value <= size.high);
  cJSON *json = sc_findings_json_tree(a, &findings, SC_JSON_SITES_ALL);
  assert_non_null(json);
  cJSON_Delete(json);
  free(taken);
  law_analysis(a); /* and not law_order: counts that fit nothing have another total, by a ten-thousandth */
  law_findings(a, &findings);
  sc_findings_free(&findings);
  sc_analysis_free(a);
  sc_graph_free(graph);
}

TEST(random_programs)
{
  for (seed = 1; seed <= SCENES; seed++) {
    uint32_t kept = seed;
    check_scene(seed % 4 ? SC_FIT_DEFAULT : SC_FIT_DELTA_INFER);
    seed = kept;
  }
}

static sc_findings infer_again(const sc_graph *graph)
{
  sc_analysis *a = scene_analyse(graph, TARGETS, 3);
  sc_findings findings = scene_infer(a);
  sc_analysis_free(a);
  return findings;
}

TEST(the_same_every_time)
{
  seed = 4711;
  sc_graph *graph = random_scene();
  sc_findings first = infer_again(graph), second = infer_again(graph);
  assert_true(first.count > 1);
  assert_int_equal(first.count, second.count);
  for (size_t i = 0; i < first.count; i++) {
    assert_int_equal(first.list[i].context, second.list[i].context);
    assert_string_equal(first.list[i].evidence, second.list[i].evidence);
  }
  sc_findings_free(&first);
  sc_findings_free(&second);
  sc_graph_free(graph);
}

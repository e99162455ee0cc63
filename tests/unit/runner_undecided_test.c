/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is no finding because the data leave slower growth plausible, and what stays one beside it. */
#include "unit.h"

#include "transitions_scene.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "runner/text/findings_json.h"

static const double TARGETS[] = {160000};

static double double_bursts(double n) { return 2 * scene_bursts(n); }

TEST(burst_is_undecided)
{
  sc_graph *graph = scene_new(scene_driven, 5, "task-clock");
  uint32_t main = scene_main(graph);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 1e-4);
  uint32_t burst =
      scene_loop(graph, scene_function(graph, outer, "free_space", scene_n, 0), "free_space", 7, scene_bursts, 1e-6);
  uint32_t within = scene_function(graph, burst, "within", scene_bursts, 1e-6);
  scene_loop(graph, within, "within", 17, double_bursts, 0);
  sc_analysis *analysis = scene_analyse(graph, TARGETS, 1);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.list[0].context, outer);
  assert_int_equal(scene_superlinear(&findings), 0);
  assert_int_equal(findings.undecided_count, 1); /* what is in it is in the same doubt, and not listed again */
  const sc_undecided *u = &findings.undecided[0];
  assert_int_equal(u->context, burst);
  assert_int_equal(u->kind, SC_FINDING_LOOP);
  assert_true(u->to.integer >= 2);
  assert_true(u->exponent_low < 1.4 && u->share > 0.3 && u->sites == 1);
  assert_true(u->deciding > 8000 && isfinite(u->deciding));
  assert_non_null(strstr(u->reason, "about as well"));
  assert_false(scene_has_member(&findings.list[0], burst)); /* its cost is nobody's until it is decided */
  cJSON *json = sc_findings_json_tree(analysis, &findings, SC_JSON_SITES_ALL),
        *list = cJSON_GetObjectItem(json, "undecided");
  assert_int_equal(cJSON_GetArraySize(list), 1);
  assert_true(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "deciding_size")->valuedouble == u->deciding);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 0), "function")), "free_space");
  cJSON_Delete(json);
  scene_end(graph, analysis, &findings);
}

/* An exact square inside something undecided, or beside it at the same line, stays a finding. */
TEST(squares_stay_findings)
{
  sc_graph *graph = scene_new(scene_driven, 5, "");
  uint32_t main = scene_main(graph);
  uint32_t burst = scene_loop(graph, main, "main", 3, scene_bursts, 0);
  uint32_t inside = scene_loop(graph, burst, "main", 5, scene_square, 0);
  uint32_t twice = scene_loop(graph, scene_function(graph, main, "other", scene_one, 0), "find", 9, scene_bursts, 0);
  uint32_t sure = scene_loop(graph, scene_function(graph, main, "third", scene_one, 0), "find", 9, scene_triangle, 0);
  sc_analysis *analysis = scene_analyse(graph, TARGETS, 1);
  sc_findings findings = scene_infer(analysis);
  assert_non_null(scene_find(&findings, inside));
  assert_true(scene_find(&findings, inside)->superlinear);
  assert_non_null(scene_find(&findings, sure));
  assert_true(scene_find(&findings, sure)->superlinear);
  assert_int_equal(findings.count, 2);
  for (size_t i = 0; i < findings.undecided_count; i++)
    assert_true(findings.undecided[i].context == burst || findings.undecided[i].context == twice);
  scene_end(graph, analysis, &findings);
}

/* Three sizes are few, but exact. */
TEST(three_exact_sizes)
{
  static const double sizes[] = {50, 100, 200};
  sc_graph *graph = scene_new(sizes, 3, "");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, scene_square, 0);
  sc_analysis *analysis = scene_analyse(graph, TARGETS, 1);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.list[0].context, loop);
  assert_true(findings.list[0].superlinear);
  assert_int_equal(findings.undecided_count, 0);
  scene_end(graph, analysis, &findings);
}

static double recursive_calls(double n) { return n * n + 16 * n + 13; }
static double loop_calls(double n) { return n * n - 1; }
static double four_times(double n) { return 4 * recursive_calls(n); }

/* Freeing an array of n elements n times: the function calls itself once for each element, from the loop in a function
 * it calls. `deeper`: the recursion's depth grows, as in a walk over a tree. */
static void free_array(bool deeper)
{
  static const double sizes[] = {400, 800, 1600, 1816};
  sc_graph *graph = scene_new(sizes, 4, "task-clock");
  uint32_t run = scene_loop(graph, scene_main(graph), "main", 3, scene_n, 1e-9);
  sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = "free_value", .file = "scene.c", .recursive = true};
  uint32_t function = scene_context(graph, run, &location);
  scene_fill(graph, function, recursive_calls, 2e-6);
  uint32_t kind = scene_function(graph, function, "get_kind", four_times, 1e-9);
  uint32_t array = scene_function(graph, function, "free_array", deeper ? recursive_calls : scene_n, 1e-9);
  uint32_t loop = scene_loop(graph, array, "free_array", 202, loop_calls, 1e-6);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(sc_graph_add(graph, i, function, SC_METRIC_DEPTH, deeper ? sizes[i] / 100 : 2), 0);
  sc_analysis *analysis = scene_analyse(graph, TARGETS, 1);
  sc_findings findings = scene_infer(analysis);
  const sc_finding *f = &findings.list[0];
  assert_int_equal(scene_superlinear(&findings), 1);
  assert_int_equal(f->context, deeper ? function : loop);
  assert_int_equal(f->kind, deeper ? SC_FINDING_RECURSION : SC_FINDING_LOOP);
  assert_int_equal(f->rule, deeper ? SC_RULE_RECURSION : SC_RULE_SUPERLINEAR_LOOP);
  assert_true(scene_has_member(f, function) && scene_has_member(f, loop) && scene_has_member(f, kind));
  assert_true(scene_has_member(f, array) == deeper); /* else it is called n times only */
  assert_true(f->from.integer == 1 && f->to.integer == 2);
  assert_true(f->predictions[0].share > 0.99);
  scene_end(graph, analysis, &findings);
}

TEST(a_loop_carries_its_recursive_calls) { free_array(false); }
TEST(a_growing_depth_is_recursion) { free_array(true); }

/* A context whose model cannot tell has no upper bound; JSON has no infinity. */
TEST(no_bound_is_null)
{
  static const double sizes[] = {100, 200};
  sc_graph *graph = scene_new(sizes, 2, "");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
  sc_analysis *analysis = scene_analyse(graph, TARGETS, 1);
  sc_interval at;
  assert_int_equal(sc_model_predict(sc_analysis_model(analysis, loop), 1e5, 0.95, &at), 0);
  assert_true(at.low == 0 && isinf(at.high));
  sc_finding finding = {.context = loop, .model = *sc_analysis_model(analysis, loop)};
  finding.predictions = &(sc_finding_prediction){.n = 160000, .count = at, .cost = at};
  sc_findings inferred = scene_infer(analysis), findings = inferred;
  findings.list = &finding;
  findings.count = 1;
  cJSON *json = sc_findings_json_tree(analysis, &findings, SC_JSON_SITES_ALL);
  char *text = cJSON_Print(json);
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "findings"), 0);
  const cJSON *prediction = cJSON_GetArrayItem(cJSON_GetObjectItem(first, "predictions"), 0);
  assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(prediction, "count"), "high")));
  assert_true(cJSON_IsNumber(cJSON_GetObjectItem(cJSON_GetObjectItem(prediction, "count"), "low")));
  assert_null(strstr(text, "inf"));
  cJSON_Delete(json);
  free(text);
  scene_end(graph, analysis, &inferred);
}

/* A square with a confidence below 0.5 is neither ranked nor counted by a gate, but listed with the size that decides;
 * the paper's engine has no doubts. */
TEST(uncertain_growth_is_no_finding)
{
  static const double sizes[] = {100, 200, 400, 800, 1600};
  static const double sure[] = {5000, 20400, 79000, 322000, 1270000}, rough[] = {76, 304, 805, 2597, 13537};
  for (int i = 0; i < 3; i++) {
    sc_graph *graph = scene_new(sizes, 5, "");
    sc_location location = {.kind = SC_LOCATION_LOOP, .name = "scan", .file = "scene.c", .line = 5, .column = 3};
    uint32_t loop = scene_context(graph, scene_main(graph), &location);
    for (size_t k = 0; k < 5; k++)
      assert_int_equal(sc_graph_add(graph, k, loop, SC_METRIC_COUNT, (i ? rough : sure)[k]), 0);
    sc_analysis_options options = scene_options(TARGETS, 1);
    options.fit.engine = i == 2 ? SC_FIT_DELTA_INFER : SC_FIT_DEFAULT;
    sc_analysis *analysis = scene_analyse_with(graph, &options);
    sc_findings findings = scene_infer(analysis);
    assert_int_equal(scene_superlinear(&findings), i == 1 ? 0 : 1);
    assert_int_equal(findings.undecided_count, i == 1 ? 1 : 0);
    if (i == 0)
      assert_true(findings.list[0].confidence >= 0.5);
    if (i == 1) {
      assert_int_equal(findings.undecided[0].context, loop);
      assert_true(findings.undecided[0].deciding > 1600 && isfinite(findings.undecided[0].deciding));
      assert_non_null(strstr(findings.undecided[0].reason, "n^2"));
    }
    scene_end(graph, analysis, &findings);
  }
}

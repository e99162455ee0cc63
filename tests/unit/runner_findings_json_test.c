/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_scene.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "runner/text/findings_json.h"
#include "runner/text/tuning.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double TARGETS[] = {16000, 160000};

static cJSON *schema;

static void load_schema(void)
{
  static const char path[] = SCALE_SOURCE_DIR "/docs/report.schema.json";
  char text[1 << 18];
  FILE *file = fopen(path, "r");
  if (!file)
    fail_msg("cannot read %s", path);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  schema = cJSON_Parse(text);
  assert_non_null(schema);
}

static bool type_is(const cJSON *value, const char *type)
{
  if (cJSON_IsObject(value) || cJSON_IsArray(value))
    return strcmp(type, cJSON_IsObject(value) ? "object" : "array") == 0;
  if (cJSON_IsNumber(value))
    return strcmp(type, "number") == 0 ||
           (strcmp(type, "integer") == 0 && value->valuedouble == floor(value->valuedouble));
  if (cJSON_IsString(value))
    return strcmp(type, "string") == 0;
  return strcmp(type, cJSON_IsNull(value) ? "null" : "boolean") == 0;
}

static bool type_allowed(const cJSON *value, const cJSON *type)
{
  const cJSON *item;
  if (!type)
    return true;
  if (cJSON_IsString(type))
    return type_is(value, type->valuestring);
  cJSON_ArrayForEach(item, type) if (type_is(value, item->valuestring)) return true;
  return false;
}

static bool value_allowed(const cJSON *value, const cJSON *rule)
{
  const cJSON *item, *list = cJSON_GetObjectItem(rule, "enum"), *least = cJSON_GetObjectItem(rule, "minimum"),
                     *most = cJSON_GetObjectItem(rule, "maximum"), *fixed = cJSON_GetObjectItem(rule, "const");
  bool listed = list == NULL;
  cJSON_ArrayForEach(item, list) listed = listed || cJSON_Compare(item, value, true);
  if (cJSON_IsNumber(value) &&
      ((least && value->valuedouble < least->valuedouble) || (most && value->valuedouble > most->valuedouble)))
    return false;
  return listed && (!fixed || cJSON_Compare(fixed, value, true));
}

/* As much of JSON Schema as the report's schema uses. */
static void validate(const cJSON *value, const cJSON *rule, const char *where)
{
  const cJSON *item, *reference = cJSON_GetObjectItem(rule, "$ref"),
                     *properties = cJSON_GetObjectItem(rule, "properties");
  if (reference) {
    const char *name = strrchr(reference->valuestring, '/') + 1;
    rule = cJSON_GetObjectItem(cJSON_GetObjectItem(schema, "$defs"), name);
    assert_non_null(rule);
    validate(value, rule, where);
    return;
  }
  if (cJSON_GetObjectItem(rule, "anyOf")) { /* one thing, or null */
    if (!cJSON_IsNull(value))
      validate(value, cJSON_GetArrayItem(cJSON_GetObjectItem(rule, "anyOf"), 0), where);
    return;
  }
  if (!type_allowed(value, cJSON_GetObjectItem(rule, "type")) || !value_allowed(value, rule))
    fail_msg("%s: not allowed by the schema", where);
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(rule, "required")) if (!cJSON_GetObjectItem(value, item->valuestring))
      fail_msg("%s: %s is missing", where, item->valuestring);
  if (cJSON_IsObject(value))
    cJSON_ArrayForEach(item, value)
    {
      const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, item->string);
      if (!property)
        fail_msg("%s: %s is not in the schema", where, item->string);
      validate(item, property, item->string);
    }
  if (cJSON_IsArray(value))
    cJSON_ArrayForEach(item, value) validate(item, cJSON_GetObjectItem(rule, "items"), where);
}

static cJSON *report(const sc_graph *graph, const double *targets, size_t count)
{
  sc_analysis *analysis = scene_analyse(graph, targets, count);
  sc_findings findings = scene_infer(analysis);
  cJSON *json = sc_findings_json_tree(analysis, &findings, SC_JSON_SITES_ALL);
  assert_non_null(json);
  validate(json, schema, "report");
  sc_findings_free(&findings);
  sc_analysis_free(analysis);
  return json;
}

static double number(const cJSON *object, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  assert_true(cJSON_IsNumber(item));
  return item->valuedouble;
}

static const char *text(const cJSON *object, const char *key)
{
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

TEST(report_follows_its_schema)
{
  sc_graph *graph = scene_new(SIZES, 5, "task-clock");
  uint32_t main = scene_main(graph);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 1e-6);
  uint32_t find = scene_function(graph, outer, "find", scene_n, 0);
  scene_loop(graph, find, "find", 7, scene_triangle, 1e-6);
  scene_function(graph, scene_foreign(graph, main, "qsort"), "compare", scene_sorting, 1e-3);
  cJSON *json = report(graph, TARGETS, 2);
  const cJSON *list = cJSON_GetObjectItem(json, "findings"), *first = cJSON_GetArrayItem(list, 0);
  assert_int_equal(number(json, "schema_version"), SC_FINDINGS_JSON_VERSION);
  assert_int_equal(cJSON_GetArraySize(list), 2);
  assert_string_equal(text(first, "rule"), "superlinear-loop");
  assert_string_equal(text(first, "function"), "find");
  assert_int_equal(number(first, "line"), 7);
  assert_string_equal(text(cJSON_GetObjectItem(first, "to"), "text"), "n^2");
  const cJSON *context = cJSON_GetObjectItem(first, "context");
  assert_int_equal(cJSON_GetArraySize(context), 5); /* program, main, its loop, find, its loop */
  assert_string_equal(text(cJSON_GetArrayItem(context, 0), "kind"), "process");
  assert_string_equal(text(cJSON_GetArrayItem(context, 4), "kind"), "loop");
  const cJSON *prediction = cJSON_GetArrayItem(cJSON_GetObjectItem(first, "predictions"), 1);
  assert_float_equal(number(prediction, "n"), 160000, 0);
  assert_float_equal(number(cJSON_GetObjectItem(prediction, "count"), "value"), scene_triangle(160000), 10);
  assert_string_equal(text(cJSON_GetArrayItem(list, 1), "kind"), "implicit");
  const cJSON *coverage = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "coverage"), 1), *part;
  double shares = 0;
  assert_float_equal(number(coverage, "n"), 160000, 0);
  cJSON_ArrayForEach(part, cJSON_GetObjectItem(cJSON_GetObjectItem(coverage, "cost"), "parts")) shares +=
      number(part, "share");
  assert_float_equal(shares, 1, 1e-9);
  assert_float_equal(number(cJSON_GetObjectItem(coverage, "cost"), "explained"), number(prediction, "share"), 1e-9);
  assert_true(number(cJSON_GetObjectItem(coverage, "executions"), "explained") > 0.99);
  cJSON_Delete(json);
  sc_graph_free(graph);
}

TEST(growing_cost_has_two_models)
{
  sc_graph *graph = scene_new(SIZES, 5, "task-clock");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(sc_graph_add(graph, i, loop, SC_METRIC_COST, SIZES[i] * SIZES[i] * 1e-6), 0);
    sc_graph_run(graph, i)->samples = 1000;
  }
  cJSON *json = report(graph, TARGETS, 2);
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "findings"), 0);
  assert_string_equal(text(first, "rule"), "growing-cost");
  assert_string_equal(text(cJSON_GetObjectItem(first, "model"), "formula"), "n");
  const cJSON *order = cJSON_GetObjectItem(cJSON_GetObjectItem(first, "cost_model"), "order");
  assert_int_equal(number(order, "integer"), 2);
  cJSON_Delete(json);
  sc_graph_free(graph);
}

TEST(never_is_null)
{
  sc_graph *graph = scene_new(SIZES, 5, "");
  uint32_t main = scene_main(graph);
  for (uint32_t i = 0; i < 3; i++)
    scene_loop(graph, main, "main", 3 + i, scene_n, 0);
  cJSON *json = report(graph, NULL, 0);
  const cJSON *finding, *list = cJSON_GetObjectItem(json, "findings");
  assert_int_equal(cJSON_GetArraySize(list), 3); /* a third each: none ever takes half */
  cJSON_ArrayForEach(finding, list) assert_true(cJSON_IsNull(cJSON_GetObjectItem(finding, "emergence")));
  assert_string_equal(text(cJSON_GetObjectItem(json, "cost"), "unit"), "iterations");
  cJSON_Delete(json);
  sc_graph_free(graph);
}

/* Names come from binaries: whatever bytes they hold, the report is UTF-8. */
TEST(hostile_names)
{
  sc_graph *graph = scene_new(SIZES, 5, "");
  uint32_t main = scene_main(graph);
  scene_loop(graph, main, "a\"b\\\x01\xff\xc3\xa9\xed\xa0\x80", 3, scene_square, 0);
  cJSON *json = report(graph, TARGETS, 2);
  const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "findings"), 0);
  assert_string_equal(text(first, "linkage_name"),
                      "a\"b\\\x01\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  cJSON_Delete(json);
  sc_graph_free(graph);
}

static double stairs(double n) { return n < 300 ? 50 : n < 1000 ? 410 : 5200; }

TEST(undecided_follows_the_schema)
{
  sc_graph *graph = scene_new(SIZES, 5, "");
  scene_loop(graph, scene_main(graph), "main", 3, stairs, 0);
  sc_analysis *analysis = scene_analyse(graph, TARGETS, 2);
  sc_undecided place = {.context = 3, .to = {2, 0, 2}, .exponent_low = 1, .deciding = INFINITY, .sites = 1};
  place.model = *sc_analysis_model(analysis, 3);
  sc_findings inferred = scene_infer(analysis), findings = inferred;
  findings.undecided = &place;
  findings.undecided_count = 1;
  cJSON *json = sc_findings_json_tree(analysis, &findings, SC_JSON_SITES_ALL);
  validate(json, schema, "report");
  const cJSON *item = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "undecided"), 0);
  assert_true(cJSON_IsNull(cJSON_GetObjectItem(item, "deciding_size")));
  assert_string_equal(text(item, "of"), "count");
  assert_int_equal(number(item, "line"), 3);
  cJSON_Delete(json);
  scene_end(graph, analysis, &inferred);
}

/* The document of a finding that has `count` sites, the last one with the share `last`. */
static cJSON *with_sites(const sc_analysis *analysis, const sc_findings *inferred, size_t count, double last,
                         enum sc_json_sites which)
{
  sc_finding finding = inferred->list[0];
  sc_findings findings = *inferred;
  sc_finding_site *sites = calloc(count, sizeof *sites);
  static const sc_order from, to = {2, 0, 2};
  for (size_t i = 0; i < count; i++)
    sites[i] =
        (sc_finding_site){.context = finding.context, .from = &from, .to = &to, .share = i + 1 == count ? last : 0};
  finding.sites = sites;
  finding.site_count = count;
  findings.list = &finding;
  findings.count = 1;
  cJSON *json = sc_findings_json_tree(analysis, &findings, which);
  validate(json, schema, "report");
  free(sites);
  return json;
}

static void expect_sites(const sc_analysis *analysis, const sc_findings *inferred, size_t count, double last,
                         enum sc_json_sites which, int listed)
{
  cJSON *json = with_sites(analysis, inferred, count, last, which);
  const cJSON *finding = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "findings"), 0);
  const cJSON *left_out = cJSON_GetObjectItem(finding, "sites_left_out");
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(finding, "sites")), listed);
  assert_int_equal(left_out ? left_out->valueint : 0, (int)count - listed);
  assert_int_equal(left_out != NULL, (int)count > listed);
  cJSON_Delete(json);
}

/* A finding in a million contexts is a document of a gigabyte, and hardly any of them says anything. */
TEST(negligible_sites_of_many_are_left_out)
{
  sc_graph *graph = scene_new(SIZES, 5, "");
  scene_loop(graph, scene_main(graph), "main", 3, scene_square, 0);
  sc_analysis *analysis = scene_analyse(graph, TARGETS, 2);
  double negligible = sc_analysis_get_options(analysis)->negligible;
  sc_findings inferred = scene_infer(analysis);
  expect_sites(analysis, &inferred, SC_JSON_SITES, 0, SC_JSON_SITES_WORTH, SC_JSON_SITES);
  expect_sites(analysis, &inferred, SC_JSON_SITES + 1, 0, SC_JSON_SITES_WORTH, SC_JSON_SITES);
  expect_sites(analysis, &inferred, SC_JSON_SITES + 1, 0.99 * negligible, SC_JSON_SITES_WORTH, SC_JSON_SITES);
  expect_sites(analysis, &inferred, SC_JSON_SITES + 1, negligible, SC_JSON_SITES_WORTH, SC_JSON_SITES + 1);
  expect_sites(analysis, &inferred, SC_JSON_SITES + 1, 0, SC_JSON_SITES_ALL, SC_JSON_SITES + 1);
  scene_end(graph, analysis, &inferred);
}

TEST(one_model)
{
  sc_model model = {.terms = {{2, 1, 1}, {5, 0, 0}}, .term_count = 2, .order = {1, 1, 1}, .error = -1, .points = 5};
  model.rivals[0].terms[0] = (sc_term){3, 1.2, 0};
  model.rivals[0].term_count = model.rival_count = 1;
  cJSON *json = sc_findings_json_model(&model, "items");
  validate(json, cJSON_GetObjectItem(cJSON_GetObjectItem(schema, "$defs"), "model"), "model");
  assert_non_null(strstr(text(json, "formula"), "items"));
  assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "error")));
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "rivals")), 1);
  cJSON_Delete(json);
  model.verdict = SC_VERDICT_CANNOT_TELL;
  snprintf(model.why, sizeof model.why, "too few sizes");
  json = sc_findings_json_model(&model, "items");
  assert_string_equal(text(json, "why"), "too few sizes");
  assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "formula")));
  cJSON_Delete(json);
}

/* The schema lists the rules of findings, which stand in front of those of budgets and changes; the table of rules must
 * not outgrow it. */
TEST(schema_knows_every_rule)
{
  const cJSON *definitions = cJSON_GetObjectItem(schema, "$defs");
  const cJSON *properties = cJSON_GetObjectItem(cJSON_GetObjectItem(definitions, "finding"), "properties");
  const cJSON *rules = cJSON_GetObjectItem(cJSON_GetObjectItem(properties, "rule"), "enum"), *item;
  assert_int_equal(cJSON_GetArraySize(rules), SC_RULE_BUDGET);
  for (int i = 0; i < SC_RULE_COUNT; i++) {
    bool found = false;
    cJSON_ArrayForEach(item, rules) found = found || strcmp(item->valuestring, sc_rule_id((enum sc_rule)i)) == 0;
    assert_int_equal(found, i < SC_RULE_BUDGET);
    assert_true(*sc_rule_title((enum sc_rule)i) && *sc_rule_help((enum sc_rule)i));
  }
}

static int set_up(void **state)
{
  load_schema();
  return 0;
}

static int tear_down(void **state)
{
  cJSON_Delete(schema);
  return 0;
}

int main(void) { return unit_run(set_up, tear_down); }

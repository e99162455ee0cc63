/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SARIF 2.1.0, with what GitHub's code scanning reads. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/review/build.h"
#include "runner/review/review.h"
#include "runner/review/words.h"
#include "runner/text/json_write.h"
#include "runner/text/tuning.h"

static const char SCHEMA[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/* A path as a URI's: what is not unreserved is written as %XX. */
static char *uri_of(const char *scheme, const char *path, const char *end)
{
  sc_buf out = {0};
  sc_buf_puts(&out, scheme);
  for (; *path; path++) {
    if (isalnum((unsigned char)*path) || strchr("-._~/+,=@", *path))
      sc_buf_add(&out, path, 1);
    else
      sc_buf_printf(&out, "%%%02X", (unsigned char)*path);
  }
  sc_buf_puts(&out, end);
  char *uri = sc_buf_finish(&out) == 0 ? sc_buf_take(&out) : NULL;
  sc_buf_free(&out);
  return uri;
}

static cJSON *sarif_message(cJSON *parent, const char *name, const char *text)
{
  cJSON *object = cJSON_AddObjectToObject(parent, name);
  cJSON_AddStringToObject(object, "text", text);
  return object;
}

static void add_artifact(cJSON *physical, const char *file)
{
  cJSON *artifact = cJSON_AddObjectToObject(physical, "artifactLocation");
  bool absolute = *file == '/';
  char *uri = uri_of(absolute ? "file://" : "", file, "");
  cJSON_AddStringToObject(artifact, "uri", uri ? uri : "");
  if (!absolute)
    cJSON_AddStringToObject(artifact, "uriBaseId", "SRCROOT");
  free(uri);
}

static void add_region(cJSON *physical, uint32_t line, uint32_t column, uint32_t end_line, uint32_t end_column)
{
  cJSON *region = cJSON_AddObjectToObject(physical, "region");
  cJSON_AddNumberToObject(region, "startLine", line ? line : 1);
  cJSON_AddNumberToObject(region, "startColumn", line && column ? column : 1);
  cJSON_AddNumberToObject(region, "endLine", line ? end_line : 1);
  cJSON_AddNumberToObject(region, "endColumn", line && end_column ? end_column : 2);
}

/* What has no place in the source stands in the study: a viewer refuses results without any. */
static void add_sarif_location(cJSON *result, const sc_notices *notices, const sc_notice *n, sc_sources *sources)
{
  cJSON *list = cJSON_AddArrayToObject(result, "locations"), *location = cJSON_CreateObject();
  cJSON_AddItemToArray(list, location);
  cJSON *physical = cJSON_AddObjectToObject(location, "physicalLocation");
  add_artifact(physical, *n->file ? n->file : notices->judge->study);
  add_region(physical, n->line, sc_source_character(sources, n->file, n->line, n->column), n->end_line,
             sc_source_character(sources, n->file, n->end_line, n->end_column));
  cJSON *logical = cJSON_CreateObject();
  cJSON_AddItemToArray(cJSON_AddArrayToObject(location, "logicalLocations"), logical);
  cJSON_AddStringToObject(logical, "name", n->subject);
  if (!n->spread) /* the subject is what its places share: a function, a file or a folder */
    cJSON_AddStringToObject(logical, "kind", n->resource || n->rule == SC_RULE_BUDGET ? "resource" : "function");
}

static void fill_location(cJSON *location, const sc_notice_step *step, sc_sources *sources)
{
  cJSON *physical = cJSON_AddObjectToObject(location, "physicalLocation");
  add_artifact(physical, step->file);
  uint32_t end = step->column ? sc_source_word_end(sources, step->file, step->line, step->column) : 2;
  add_region(physical, step->line, sc_source_character(sources, step->file, step->line, step->column), step->line,
             sc_source_character(sources, step->file, step->line, end));
  sarif_message(location, "message", step->text);
}

static void add_sarif_step(cJSON *list, const sc_notice_step *step, size_t level, sc_sources *sources)
{
  cJSON *item = cJSON_CreateObject(), *location = cJSON_AddObjectToObject(item, "location");
  cJSON_AddItemToArray(list, item);
  fill_location(location, step, sources);
  cJSON_AddNumberToObject(item, "nestingLevel", (double)level);
}

/* Many places: the worst first. */
static void add_sarif_places(cJSON *result, const sc_notice *notice, sc_sources *sources)
{
  cJSON *list = cJSON_AddArrayToObject(result, "relatedLocations");
  for (size_t i = 0; i < notice->step_count && i < SC_SARIF_PLACES; i++) {
    const sc_notice_step *step = &notice->steps[notice->step_count - 1 - i];
    if (!*step->file)
      continue;
    cJSON *location = cJSON_CreateObject();
    cJSON_AddItemToArray(list, location);
    cJSON_AddNumberToObject(location, "id", (double)(i + 1));
    fill_location(location, step, sources);
  }
}

/* The calling context: steps that have a place. */
static void add_flow(cJSON *result, const sc_notice *notice, sc_sources *sources)
{
  size_t placed = 0;
  for (size_t i = 0; i < notice->step_count; i++)
    placed += *notice->steps[i].file != '\0';
  if (!placed)
    return;
  if (notice->spread) {
    add_sarif_places(result, notice, sources);
    return;
  }
  cJSON *flow = cJSON_CreateObject(), *thread = cJSON_CreateObject();
  cJSON_AddItemToArray(cJSON_AddArrayToObject(result, "codeFlows"), flow);
  cJSON_AddItemToArray(cJSON_AddArrayToObject(flow, "threadFlows"), thread);
  cJSON *list = cJSON_AddArrayToObject(thread, "locations");
  for (size_t i = 0; i < notice->step_count; i++)
    if (*notice->steps[i].file)
      add_sarif_step(list, &notice->steps[i], i, sources);
}

static void add_sarif_inputs(cJSON *properties, const sc_notice_inputs *inputs)
{
  const char *label;
  cJSON *object = inputs ? cJSON_AddObjectToObject(properties, "inputs") : NULL;
  sc_buf text = {0};
  for (size_t i = 0; object && sc_notice_inputs_line(inputs, i, &label, &text); i++) {
    if (text.length && sc_buf_finish(&text) == 0)
      cJSON_AddStringToObject(object, label, text.text);
    sc_buf_free(&text);
  }
}

static void add_properties(cJSON *result, const sc_notice *notice)
{
  cJSON *properties = cJSON_AddObjectToObject(result, "properties");
  cJSON_AddStringToObject(properties, "evidence", notice->evidence);
  cJSON_AddStringToObject(properties, "advice", notice->advice);
  if (notice->before)
    cJSON_AddStringToObject(properties, "before", notice->before);
  if (notice->after)
    cJSON_AddStringToObject(properties, "after", notice->after);
  cJSON_AddStringToObject(properties, "metric", notice->metric);
  if (notice->parameter) {
    cJSON_AddStringToObject(properties, "parameter", notice->parameter);
    cJSON_AddNumberToObject(properties, "parameterAt", notice->parameter_at);
  }
  cJSON_AddStringToObject(properties, "unit", notice->unit);
  add_sarif_inputs(properties, notice->inputs);
  sc_json_number(&(sc_json){0}, properties, "confidence", notice->confidence);
  sc_json_number(&(sc_json){0}, properties, "share", notice->share);
  if (isfinite(notice->emergence.value))
    cJSON_AddNumberToObject(properties, "emergence", notice->emergence.value);
  cJSON_AddBoolToObject(properties, "onChangedLine", notice->changed);
}

static void add_suppression(cJSON *result, const sc_notice *notice)
{
  cJSON *list = cJSON_AddArrayToObject(result, "suppressions");
  if (!notice->accepted)
    return;
  sc_buf why = {0};
  cJSON *suppression = cJSON_CreateObject();
  cJSON_AddItemToArray(list, suppression);
  cJSON_AddStringToObject(suppression, "kind", notice->accepted_inline ? "inSource" : "external");
  cJSON_AddStringToObject(suppression, "status", "accepted");
  sc_buf_printf(&why, "until %s: %s", notice->accepted_until, notice->accepted);
  cJSON_AddStringToObject(suppression, "justification", sc_buf_finish(&why) == 0 ? why.text : "");
  sc_buf_free(&why);
}

/* Nothing to be done: told, but no failure. */
static bool only_informs(const sc_notice *notice)
{
  return notice->rule == SC_RULE_BETTER || notice->rule == SC_RULE_GONE;
}

static void add_sarif_result(cJSON *list, const sc_notices *notices, const sc_notice *notice, sc_sources *sources)
{
  cJSON *result = cJSON_CreateObject();
  char fingerprint[sizeof notice->fingerprint + 2];
  double rank = fmin(fmax(notice->confidence, 0), 1) * 100;
  cJSON_AddItemToArray(list, result);
  cJSON_AddStringToObject(result, "ruleId", sc_rule_id(notice->rule));
  cJSON_AddNumberToObject(result, "ruleIndex", notice->rule);
  cJSON_AddStringToObject(result, "kind", only_informs(notice) ? "informational" : "fail");
  cJSON_AddStringToObject(result, "level", only_informs(notice) ? "none" : sc_severity_name(notice->severity));
  sarif_message(result, "message", notice->message);
  add_sarif_location(result, notices, notice, sources);
  add_flow(result, notice, sources);
  snprintf(fingerprint, sizeof fingerprint, "%s:1", notice->fingerprint);
  cJSON *fingerprints = cJSON_AddObjectToObject(result, "partialFingerprints");
  cJSON_AddStringToObject(fingerprints, "primaryLocationLineHash", fingerprint);
  cJSON_AddNumberToObject(result, "rank", isfinite(rank) ? rank : 0);
  add_suppression(result, notice);
  add_properties(result, notice);
}

/* "superlinear-loop" as the name that SARIF wants: "SuperlinearLoop". */
static void add_sarif_name(cJSON *rule, const char *id)
{
  char name[64];
  size_t length = 0;
  bool start = true;
  for (; *id && length < sizeof name - 1; id++) {
    if (*id != '-')
      name[length++] = (char)(start ? toupper((unsigned char)*id) : *id);
    start = *id == '-';
  }
  name[length] = '\0';
  cJSON_AddStringToObject(rule, "name", name);
}

static void add_rule(cJSON *list, enum sc_rule code)
{
  cJSON *rule = cJSON_CreateObject();
  sc_buf markdown = {0};
  cJSON_AddItemToArray(list, rule);
  cJSON_AddStringToObject(rule, "id", sc_rule_id(code));
  add_sarif_name(rule, sc_rule_id(code));
  sarif_message(rule, "shortDescription", sc_rule_title(code));
  sarif_message(rule, "fullDescription", sc_rule_help(code));
  cJSON *help = sarif_message(rule, "help", sc_rule_help(code));
  sc_buf_printf(&markdown, "**%s**\n\n%s\n", sc_rule_title(code), sc_rule_help(code));
  cJSON_AddStringToObject(help, "markdown", sc_buf_finish(&markdown) == 0 ? markdown.text : "");
  sc_buf_free(&markdown);
  cJSON_AddStringToObject(cJSON_AddObjectToObject(rule, "defaultConfiguration"), "level", "warning");
  cJSON *properties = cJSON_AddObjectToObject(rule, "properties"), *tags = cJSON_AddArrayToObject(properties, "tags");
  cJSON_AddItemToArray(tags, cJSON_CreateString("performance"));
  cJSON_AddItemToArray(tags, cJSON_CreateString("scalability"));
}

static void add_tool(cJSON *run)
{
  cJSON *driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
  cJSON_AddStringToObject(driver, "name", "scale-run");
  cJSON_AddStringToObject(driver, "version", SCALE_VERSION);
  cJSON_AddStringToObject(driver, "semanticVersion", SCALE_VERSION);
  cJSON *rules = cJSON_AddArrayToObject(driver, "rules");
  for (int i = 0; i < SC_RULE_COUNT; i++)
    add_rule(rules, (enum sc_rule)i);
}

static void add_root(cJSON *run)
{
  char here[4096];
  if (!getcwd(here, sizeof here))
    return;
  char *uri = uri_of("file://", here, strcmp(here, "/") == 0 ? "" : "/");
  cJSON *base = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "originalUriBaseIds"), "SRCROOT");
  cJSON_AddStringToObject(base, "uri", uri ? uri : "file:///");
  free(uri);
}

/* Results of the same workload, at the same values of further parameters, replace each other in a viewer; others stand
 * beside them. */
static void add_automation(cJSON *run, const sc_notices *notices)
{
  const sc_workload *workload = notices->judge->loaded.workload;
  sc_buf end = {0};
  for (size_t i = 0; notices->judge->several && i < workload->other_count; i++)
    sc_buf_printf(&end, "/%s=%.12g", workload->others[i].name, notices->judge->others[i]);
  sc_buf_puts(&end, "/");
  char *name = sc_buf_finish(&end) == 0
                   ? uri_of("scale-run/", workload->name && *workload->name ? workload->name : "study", end.text)
                   : NULL;
  sc_buf_free(&end);
  cJSON *details = cJSON_AddObjectToObject(run, "automationDetails");
  sc_buf text = {0};
  cJSON_AddStringToObject(details, "id", name ? name : "scale-run/");
  sc_buf_printf(&text, "%s%s%s%s%s", notices->verdict, *notices->coverage ? " " : "", notices->coverage,
                *notices->times ? " " : "", notices->times);
  sarif_message(details, "description", sc_buf_finish(&text) == 0 ? text.text : notices->verdict);
  sc_buf_free(&text);
  free(name);
}

int sc_notices_print_sarif(FILE *out, const sc_notices *notices)
{
  sc_sources sources = {0};
  cJSON *document = cJSON_CreateObject(), *run = cJSON_CreateObject();
  cJSON_AddStringToObject(document, "$schema", SCHEMA);
  cJSON_AddStringToObject(document, "version", "2.1.0");
  cJSON_AddItemToArray(cJSON_AddArrayToObject(document, "runs"), run);
  add_tool(run);
  add_root(run);
  add_automation(run, notices);
  cJSON_AddStringToObject(run, "columnKind", "unicodeCodePoints");
  cJSON *results = cJSON_AddArrayToObject(run, "results");
  for (size_t i = 0; i < notices->count; i++)
    add_sarif_result(results, notices, &notices->list[i], &sources);
  sc_sources_free(&sources);
  return sc_json_write(out, document, &(sc_json){0}, 0);
}

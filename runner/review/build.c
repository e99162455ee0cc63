/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/review/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "profiles/graph/shorten.h"
#include "runner/text/context.h"

enum { STEPS = 64 };

int sc_notice_add(sc_notices *notices, enum sc_rule rule, enum sc_severity severity, sc_notice **notice)
{
  SC_TRY(sc_mem_grow(&notices->list, &notices->capacity, notices->count + 1, sizeof *notices->list));
  *notice = &notices->list[notices->count++];
  **notice = (sc_notice){.rule = rule, .severity = severity, .unit = "", .emergence = {NAN, NAN, NAN}};
  SC_TRY(sc_notice_copy(&(*notice)->title, sc_rule_title(rule)));
  char **const texts[] = {&(*notice)->subject,  &(*notice)->file,   &(*notice)->message,
                          &(*notice)->evidence, &(*notice)->advice, &(*notice)->metric};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    SC_TRY(sc_notice_copy(texts[i], ""));
  return 0;
}

static int by_notice_size(const void *a, const void *b)
{
  double x = ((const sc_notice_prediction *)a)->n, y = ((const sc_notice_prediction *)b)->n;
  return SC_COMPARE(x, y);
}

void sc_notice_sort_predictions(sc_notice *notice)
{
  if (notice->prediction_count)
    qsort(notice->predictions, notice->prediction_count, sizeof *notice->predictions, by_notice_size);
}

int sc_notice_set(char **text, sc_buf *composed)
{
  int err = sc_buf_finish(composed);
  if (err == 0) {
    free(*text);
    *text = sc_buf_take(composed);
  }
  sc_buf_free(composed);
  return err;
}

int sc_notice_copy(char **text, const char *from)
{
  free(*text);
  *text = sc_mem_copy_string(from ? from : "");
  return *text ? 0 : SC_E_NOMEM;
}

int sc_notice_formula(char **text, const sc_model *model, const char *variable, const char *metric)
{
  sc_buf formula = {0};
  if (!model || model->verdict != SC_VERDICT_MODEL)
    return 0;
  sc_context_formula(model, variable, &formula);
  sc_buf_printf(&formula, "%s%s", *metric ? " " : "", metric);
  return sc_notice_set(text, &formula);
}

/* Names without lines: a path that stays when code is moved about. */
static void hash_step(const sc_location *location, sc_buf *path)
{
  if (location->kind == SC_LOCATION_LOOP)
    sc_buf_puts(path, "loop");
  else if (location->kind == SC_LOCATION_PROCESS)
    sc_buf_puts(path, "process");
  else
    sc_shorten_name(location->display && *location->display ? location->display : location->name, path);
  sc_buf_add(path, "\n", 1);
}

/* `call`: the line of a call there that is meant, or 0, and its column, or 0. */
static int set_place(char **file, uint32_t *line, uint32_t *column, const sc_location *location, uint32_t call,
                     uint32_t call_column)
{
  char *relative = sc_source_relative(location->file);
  if (!relative)
    return SC_E_NOMEM;
  free(*file);
  *file = relative;
  *line = call ? call : location->line;
  *column = call ? call_column : location->column;
  return 0;
}

static int add_notice_step(sc_notice *notice, const sc_graph *graph, uint32_t context)
{
  sc_buf text = {0};
  sc_notice_step *step = &notice->steps[notice->step_count++];
  sc_context_step(graph, context, &text);
  SC_TRY(sc_notice_set(&step->text, &text));
  sc_location spot = sc_graph_spot(graph, context);
  return set_place(&step->file, &step->line, &step->column, &spot, 0, 0);
}

int sc_notice_locate(sc_notice *notice, const sc_judge *judge, uint32_t context, uint32_t line, uint32_t column)
{
  const sc_graph *graph = judge->loaded.graph;
  uint32_t path[STEPS], through;
  sc_buf names = {0};
  sc_location spot = sc_graph_spot(graph, context);
  (void)sc_graph_written(graph, context, &through);
  size_t depth = sc_context_ancestry(graph, context, path, STEPS);
  notice->steps = sc_mem_new(depth ? depth : 1, sizeof *notice->steps);
  int err = notice->steps ? 0 : SC_E_NOMEM;
  for (size_t i = 0; err == 0 && i < depth; i++) {
    hash_step(sc_graph_at(graph, path[i]), &names);
    err = add_notice_step(notice, graph, path[i]);
    notice->steps[i].telling = sc_context_is_telling(judge->loaded.analysis, path, i, depth);
  }
  err = err ?: sc_buf_finish(&names);
  if (err == 0)
    sc_hash_format(sc_hash_string(SC_HASH_START, names.text), notice->fingerprint);
  sc_buf_free(&names);
  SC_TRY(err);
  return set_place(&notice->file, &notice->line, &notice->column, &spot, through ? 0 : line, column);
}

/* A place in the source has a step for each of its contexts: the worst is the last. */
int sc_notice_locate_sites(sc_notice *notice, const sc_graph *graph, const sc_finding_site *sites, size_t count)
{
  size_t shown = count < SC_NOTICE_PLACES ? count : SC_NOTICE_PLACES;
  sc_location worst = sc_graph_spot(graph, sites[0].context);
  notice->spread = true;
  SC_TRY(SC_NEW(notice->steps, shown));
  for (size_t i = shown; i-- > 0;) {
    sc_buf text = {0};
    sc_notice_step *step = &notice->steps[notice->step_count++];
    sc_context_title(graph, sites[i].context, &text);
    SC_TRY(sc_notice_set(&step->text, &text));
    sc_location spot = sc_graph_spot(graph, sites[i].context);
    SC_TRY(set_place(&step->file, &step->line, &step->column, &spot, 0, 0));
  }
  return set_place(&notice->file, &notice->line, &notice->column, &worst, 0, 0);
}

/* The role whose sites tell where to change something. */
static enum sc_resource_role telling_role(enum sc_rule rule)
{
  switch (rule) {
  case SC_RULE_CONTENTION:
  case SC_RULE_INEFFICIENT_POLICY:
    return SC_ROLE_HOLDS;
  case SC_RULE_UNBOUNDED_GROWTH:
  case SC_RULE_LEAK:
    return SC_ROLE_KEEPS;
  case SC_RULE_INCONSISTENT_STATE:
    return SC_ROLE_FAILS;
  default:
    return SC_ROLE_ACQUIRES;
  }
}

static const sc_resource_site *finding_site(const sc_judge *judge, uint32_t resource, enum sc_rule rule,
                                            uint32_t context)
{
  size_t count = 0;
  const sc_resource_site *any = NULL;
  const sc_resource_finding *found = judge->resources ? sc_resources_findings(judge->resources, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    enum sc_resource_role role = telling_role(rule == found[i].rule ? rule : found[i].rule);
    for (size_t s = 0; found[i].resource == resource && s < found[i].site_count; s++) {
      const sc_resource_site *site = &found[i].sites[s];
      if (context != SC_USAGE_NONE && site->context != context)
        continue;
      if (site->role == role && found[i].rule == rule)
        return site;
      any = any ? any : site;
    }
  }
  return any;
}

/* The context that acquires it most in the largest run. */
static uint32_t find_busiest_context(const sc_judge *judge, uint32_t resource, uint32_t *line, uint32_t *column)
{
  const sc_graph *graph = judge->loaded.graph;
  size_t runs = sc_analysis_run_count(judge->loaded.analysis), count = 0;
  const sc_usage *rows = runs ? sc_usage_rows(graph, sc_analysis_run(judge->loaded.analysis, runs - 1), &count) : NULL;
  const sc_usage *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (rows[i].resource == resource && (!best || rows[i].values[SC_USAGE_ACQUIRES] > best->values[SC_USAGE_ACQUIRES]))
      best = &rows[i];
  *line = best ? best->line : 0;
  *column = best ? best->column : 0;
  return best ? best->context : SC_USAGE_NONE;
}

int sc_notice_locate_resource(sc_notice *notice, const sc_judge *judge, uint32_t resource, enum sc_rule rule,
                              uint32_t context, uint32_t line, uint32_t column)
{
  const sc_resource *declared = sc_usage_resource_at(judge->loaded.graph, resource);
  bool given = context != SC_USAGE_NONE;
  const sc_resource_site *site = given && line ? NULL : finding_site(judge, resource, rule, context);
  if (site) {
    context = site->context;
    line = site->line;
    column = site->column;
  } else if (!given) {
    context = find_busiest_context(judge, resource, &line, &column);
  }
  notice->resource = true;
  if (context != SC_USAGE_NONE)
    SC_TRY(sc_notice_locate(notice, judge, context, line, column));
  if (!given) /* which site is worst may change from study to study */
    notice->fingerprint[0] = '\0';
  if (*notice->file || !*declared->file)
    return 0;
  const sc_location place = {.file = declared->file, .line = declared->line};
  return set_place(&notice->file, &notice->line, &notice->column, &place, 0, 0);
}

int sc_notice_clean(char **text)
{
  sc_buf out = {0};
  char shown[SC_UTF8_SHOWN];
  if (!*text)
    return 0;
  for (const char *at = *text, *end = at + strlen(at); at < end;) {
    char c = *at;
    at += sc_utf8_show_one(at, (size_t)(end - at), shown);
    sc_buf_puts(&out, c == '\n' || c == '\t' ? " " : shown);
  }
  return sc_notice_set(text, &out);
}

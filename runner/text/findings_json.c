/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/findings_json.h"

#include <stdlib.h>

#include "runner/text/json_parts.h"
#include "runner/text/tuning.h"
#include "transitions/findings/coverage.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/waiting.h"

static void add_finding_json_predictions(sc_json *json, cJSON *object, const sc_finding *finding, size_t count)
{
  cJSON *list = sc_json_array(json, object, "predictions");
  for (size_t i = 0; i < count; i++) {
    const sc_finding_prediction *prediction = &finding->predictions[i];
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_number(json, item, "n", prediction->n);
    sc_json_interval(json, item, "count", &prediction->count);
    sc_json_interval(json, item, "cost", &prediction->cost);
    sc_json_number(json, item, "share", prediction->share);
    if (prediction->waiting > 0) {
      sc_json_number(json, item, "waiting", prediction->waiting);
      sc_json_number(json, item, "waiting_share", prediction->waiting_share);
    }
  }
}

/* Of growth along a further parameter which one it is, and where predictions have it. */
static void add_finding_json_along(sc_json *json, cJSON *item, const sc_analysis *along, const char *formula)
{
  if (!along) {
    sc_json_text(json, item, "along", NULL);
    return;
  }
  cJSON *object = sc_json_object(json, item, "along");
  sc_json_text(json, object, "parameter", sc_analysis_get_options(along)->variable);
  sc_json_number(json, object, "at", sc_analysis_horizon(along));
  sc_json_text(json, object, "formula", formula);
}

static void fill_site(sc_json *json, cJSON *item, const sc_analysis *analysis, const sc_finding_site *site)
{
  const char *variable = sc_analysis_get_options(analysis)->variable;
  sc_json_context(json, item, "context", sc_analysis_graph(analysis), site->context);
  sc_json_order(json, item, "from", site->from, variable);
  sc_json_order(json, item, "to", site->to, variable);
  sc_json_model(json, sc_json_object(json, item, "model"), sc_analysis_model(analysis, site->context), variable);
  sc_json_interval(json, item, "count", &site->count);
  sc_json_number(json, item, "cost", site->cost);
  sc_json_number(json, item, "share", site->share);
}

/* The worst come first, but a place may be costly that is not superlinear. */
static void add_finding_json_sites(sc_json *json, cJSON *object, const sc_analysis *analysis, const sc_finding *finding,
                                   enum sc_json_sites sites)
{
  cJSON *list = sc_json_array(json, object, "sites");
  size_t left_out = 0;
  for (size_t i = 0; i < finding->site_count; i++)
    if (sites == SC_JSON_SITES_ALL || i < SC_JSON_SITES ||
        finding->sites[i].share >= sc_analysis_get_options(analysis)->negligible)
      fill_site(json, sc_json_object(json, list, NULL), analysis, &finding->sites[i]);
    else
      left_out++;
  if (left_out)
    sc_json_number(json, object, "sites_left_out", (double)left_out);
}

static void add_apart(sc_json *json, cJSON *object, int number)
{
  cJSON *raw = cJSON_AddRawToObject(object, "sites", "[]");
  if (raw)
    raw->valueint = number;
  else
    json->failed = true;
}

static void add_spread(sc_json *json, cJSON *object, const sc_spread *spread)
{
  static const char *const keys[SC_SPREAD_BY_COUNT] = {"files", "callers", "orders"};
  if (!spread)
    return;
  cJSON *item = sc_json_object(json, object, "spread");
  sc_json_number(json, item, "places", (double)spread->places);
  sc_json_number(json, item, "functions", (double)spread->functions);
  sc_json_text(json, item, "title", spread->title);
  sc_json_text(json, item, "common", spread->common);
  for (int by = 0; by < SC_SPREAD_BY_COUNT; by++) {
    cJSON *list = sc_json_array(json, item, keys[by]);
    for (size_t i = 0; i < spread->group_count[by]; i++) {
      cJSON *group = sc_json_object(json, list, NULL);
      sc_json_text(json, group, "name", spread->groups[by][i].name);
      sc_json_number(json, group, "places", (double)spread->groups[by][i].places);
      sc_json_number(json, group, "share", spread->groups[by][i].share);
    }
  }
}

static void add_finding_json(sc_json *json, cJSON *list, const sc_analysis *analysis, const sc_finding *finding,
                             size_t rank, enum sc_json_sites sites)
{
  const sc_analysis *own = sc_findings_analysis(analysis, finding->along);
  const char *variable = sc_findings_variable(analysis, finding->along);
  const sc_graph *graph = sc_analysis_graph(analysis);
  cJSON *item = sc_json_object(json, list, NULL);
  sc_json_number(json, item, "rank", (double)rank);
  sc_json_text(json, item, "rule", sc_rule_id(finding->rule));
  sc_json_text(json, item, "title", sc_rule_title(finding->rule));
  sc_json_text(json, item, "kind", sc_finding_kind_name(finding->kind));
  sc_json_text(json, item, "severity", sc_severity_name(finding->severity));
  sc_json_bool(json, item, "superlinear", finding->superlinear);
  sc_json_bool(json, item, "linear", finding->linear);
  sc_json_place(json, item, sc_graph_at(graph, finding->context));
  sc_json_subject(json, item, graph, finding->context);
  sc_json_context(json, item, "context", graph, finding->context);
  add_finding_json_along(json, item, finding->along, finding->formula);
  sc_json_order(json, item, "from", &finding->from, variable);
  sc_json_order(json, item, "to", &finding->to, variable);
  sc_json_model(json, sc_json_object(json, item, "model"), &finding->model, variable);
  if (finding->has_cost_model)
    sc_json_model(json, sc_json_object(json, item, "cost_model"), &finding->cost_model, variable);
  else
    sc_json_text(json, item, "cost_model", NULL);
  sc_json_text(json, item, "count_unit",
               finding->spread ? "executions" : sc_location_unit(sc_graph_at(graph, finding->context)));
  add_finding_json_predictions(json, item, finding, sc_analysis_get_options(analysis)->target_count);
  sc_json_number(json, item, "emergence", finding->emergence);
  sc_json_number(json, item, "confidence", finding->confidence);
  sc_json_text(json, item, "evidence", finding->evidence);
  sc_json_text(json, item, "advice", finding->advice);
  sc_json_number(json, item, "members", (double)finding->member_count);
  if (sites == SC_JSON_SITES_APART)
    add_apart(json, item, (int)rank - 1);
  else
    add_finding_json_sites(json, item, own, finding, sites);
  add_spread(json, item, finding->spread);
}

static void add_finding_json_negligible(sc_json *json, cJSON *root, const sc_analysis *analysis,
                                        const sc_findings *findings)
{
  const sc_analysis_options *options = sc_analysis_get_options(analysis);
  cJSON *list = sc_json_array(json, root, "negligible");
  sc_json_number(json, root, "suppressed", (double)findings->suppressed);
  for (size_t i = 0; i < findings->suppressed; i++) {
    const sc_finding *f = &findings->negligible[i];
    const char *variable = sc_findings_variable(analysis, f->along);
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_text(json, item, "kind", sc_finding_kind_name(f->kind));
    sc_json_bool(json, item, "superlinear", f->superlinear);
    sc_json_place(json, item, sc_graph_at(sc_analysis_graph(analysis), f->context));
    add_finding_json_along(json, item, f->along, f->formula);
    sc_json_order(json, item, "from", &f->from, variable);
    sc_json_order(json, item, "to", &f->to, variable);
    sc_json_number(json, item, "share", f->predictions[options->target_count ? options->target_count - 1 : 0].share);
  }
}

int sc_findings_json_negligible(const sc_analysis *analysis, const sc_findings *findings, cJSON *document)
{
  sc_json json = {0};
  add_finding_json_negligible(&json, document, analysis, findings);
  return json.failed ? sc_err_set(SC_E_NOMEM, "out of memory while composing JSON") : 0;
}

static void add_finding_json_undecided(sc_json *json, cJSON *root, const sc_analysis *analysis,
                                       const sc_findings *findings)
{
  cJSON *list = sc_json_array(json, root, "undecided");
  for (size_t i = 0; i < findings->undecided_count; i++) {
    const sc_undecided *u = &findings->undecided[i];
    const char *variable = sc_findings_variable(analysis, u->along);
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_text(json, item, "kind", sc_finding_kind_name(u->kind));
    sc_json_place(json, item, sc_graph_at(sc_analysis_graph(analysis), u->context));
    sc_json_context(json, item, "context", sc_analysis_graph(analysis), u->context);
    add_finding_json_along(json, item, u->along, NULL);
    sc_json_order(json, item, "from", &u->from, variable);
    sc_json_order(json, item, "to", &u->to, variable);
    sc_json_number(json, item, "exponent_low", u->exponent_low);
    sc_json_text(json, item, "of", u->of_cost ? "cost" : "count");
    sc_json_model(json, sc_json_object(json, item, "model"), &u->model, variable);
    sc_json_number(json, item, "share", u->share);
    sc_json_text(json, item, "reason", u->reason);
    sc_json_number(json, item, "deciding_size", u->deciding);
    sc_json_number(json, item, "sites", (double)u->sites);
    add_spread(json, item, u->spread);
  }
}

static void add_finding_json_sizes(sc_json *json, cJSON *object, const sc_analysis *analysis)
{
  double last = 0;
  cJSON *list = sc_json_array(json, object, "sizes");
  for (size_t i = 0; i < sc_analysis_run_count(analysis); i++) {
    double n = sc_graph_run_const(sc_analysis_graph(analysis), sc_analysis_run(analysis, i))->n;
    if (i == 0 || n != last)
      sc_json_number(json, list, NULL, n);
    last = n;
  }
}

static void add_finding_json_frame(sc_json *json, cJSON *root, const sc_analysis *analysis)
{
  double n_min, n_max;
  cJSON *generator, *range, *cost;
  sc_json_number(json, root, "schema_version", SC_FINDINGS_JSON_VERSION);
  generator = sc_json_object(json, root, "generator");
  sc_json_text(json, generator, "name", "scale-run");
  sc_json_text(json, generator, "version", SCALE_VERSION);
  sc_json_text(json, root, "variable", sc_analysis_get_options(analysis)->variable);
  sc_analysis_range(analysis, &n_min, &n_max);
  range = sc_json_object(json, root, "range");
  sc_json_number(json, range, "min", n_min);
  sc_json_number(json, range, "max", n_max);
  add_finding_json_sizes(json, range, analysis);
  sc_json_number(json, root, "level", sc_analysis_get_options(analysis)->level);
  cost = sc_json_object(json, root, "cost");
  sc_json_text(json, cost, "unit", sc_analysis_cost_unit(analysis));
  sc_json_number(json, cost, "modelled_share", sc_analysis_modelled_share(analysis));
}

static void add_untold(sc_json *json, cJSON *root, const sc_analysis *analysis)
{
  const sc_untold *u = sc_analysis_untold(analysis);
  if (!u->count)
    return;
  cJSON *object = sc_json_object(json, root, "untold");
  sc_json_number(json, object, "contexts", (double)u->count);
  sc_json_context(json, object, "context", sc_analysis_graph(analysis), u->context);
  sc_json_text(json, object, "why", sc_analysis_model(analysis, u->context)->why);
  sc_json_number(json, object, "cost_share", u->cost_share);
  sc_json_number(json, object, "count_share", u->count_share);
  sc_json_bool(json, object, "unbounded", u->unbounded);
  sc_json_bool(json, object, "slow", u->slow);
  sc_json_bool(json, object, "chance", u->chance);
  sc_json_bool(json, object, "most", u->most);
}

static int add_totals(sc_json *json, cJSON *root, const sc_analysis *analysis)
{
  const sc_analysis_options *options = sc_analysis_get_options(analysis);
  cJSON *targets = sc_json_array(json, root, "targets"), *totals = sc_json_array(json, root, "total");
  for (size_t i = 0; i < options->target_count; i++) {
    sc_interval total;
    SC_TRY(sc_analysis_total(analysis, options->targets[i], &total));
    cJSON *item = sc_json_object(json, totals, NULL);
    sc_json_number(json, targets, NULL, options->targets[i]);
    sc_json_number(json, item, "n", options->targets[i]);
    sc_json_interval(json, item, "cost", &total);
  }
  return 0;
}

/* Where to look for what is waited for. */
static void add_goes_with(sc_json *json, cJSON *item, const sc_analysis *analysis, double n)
{
  sc_elapsed_place place;
  if (!sc_elapsed_goes_with(analysis, n, &place)) {
    sc_json_text(json, item, "goes_with", NULL);
    return;
  }
  cJSON *object = sc_json_object(json, item, "goes_with");
  sc_location spot = sc_graph_spot(sc_analysis_graph(analysis), place.context);
  sc_json_place(json, object, &spot);
  sc_json_number(json, object, "each", place.each);
  sc_json_number(json, object, "others", (double)place.others);
}

/* The places where a share of the elapsed time is waited that matters. */
static int add_waits(sc_json *json, cJSON *item, const sc_analysis *analysis, double n, double elapsed)
{
  size_t count;
  const sc_waiting_place *places = sc_waiting_places(analysis, &count);
  const char *variable = sc_analysis_get_options(analysis)->variable;
  cJSON *list = sc_json_array(json, item, "waits");
  sc_json_bool(json, item, "waits_overlap", sc_waiting_overlaps(analysis));
  for (size_t i = 0; i < count && i < SC_WAITING_PLACES; i++) {
    sc_interval seconds;
    SC_TRY(sc_waiting_predict(analysis, &places[i], n, &seconds));
    if (seconds.value < SC_WAITING_LISTED * elapsed)
      continue;
    cJSON *object = sc_json_object(json, list, NULL);
    sc_location spot = sc_graph_spot(sc_analysis_graph(analysis), places[i].context);
    sc_json_text(json, object, "kind", sc_elapsed_wait_key(places[i].kind));
    sc_json_text(json, object, "called", places[i].via);
    spot.line = places[i].spot_line;
    spot.column = places[i].spot_column;
    sc_json_place(json, object, &spot);
    sc_json_context(json, object, "context", sc_analysis_graph(analysis), places[i].context);
    sc_json_interval(json, object, "seconds", &seconds);
    sc_json_number(json, object, "measured", places[i].measured);
    sc_json_number(json, object, "waits", places[i].waits);
    sc_json_model(json, sc_json_object(json, object, "proportional_to"), sc_waiting_model(analysis, &places[i], n),
                  variable);
  }
  return 0;
}

/* Only where it is known: baselines and what is restricted to roots have none. */
static int add_finding_json_elapsed(sc_json *json, cJSON *root, const sc_analysis *analysis)
{
  const sc_analysis_options *options = sc_analysis_get_options(analysis);
  if (!sc_analysis_elapsed_known(analysis))
    return 0;
  cJSON *list = sc_json_array(json, root, "elapsed");
  for (size_t i = 0; i < options->target_count; i++) {
    sc_interval time;
    sc_elapsed_parts parts;
    SC_TRY(sc_analysis_elapsed(analysis, options->targets[i], &time));
    SC_TRY(sc_analysis_elapsed_parts(analysis, options->targets[i], &parts));
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_number(json, item, "n", options->targets[i]);
    sc_json_interval(json, item, "time", &time);
    sc_json_elapsed_parts(json, item, &parts);
    add_goes_with(json, item, analysis, options->targets[i]);
    SC_TRY(add_waits(json, item, analysis, options->targets[i], time.value));
  }
  return 0;
}

static void add_coverage_part(sc_json *json, cJSON *list, const sc_analysis *analysis, const sc_coverage *coverage,
                              enum sc_coverage_class part_class)
{
  const sc_coverage_part *part = &coverage->parts[part_class];
  cJSON *item = sc_json_object(json, list, NULL);
  sc_json_text(json, item, "class", sc_coverage_class_name(part_class));
  sc_json_number(json, item, "share", part->share);
  if (part->context == SC_COVERAGE_NOWHERE) {
    sc_json_text(json, item, "place", NULL);
    return;
  }
  cJSON *place = sc_json_object(json, item, "place");
  sc_location spot = sc_graph_spot(sc_analysis_graph(analysis), part->context);
  sc_json_place(json, place, &spot);
  sc_json_number(json, place, "share", part->place_share);
}

static int add_coverage_of(sc_json *json, cJSON *item, const char *key, const sc_analysis *analysis,
                           const sc_findings *findings, enum sc_coverage_metric metric, double n)
{
  sc_coverage coverage;
  SC_TRY(sc_coverage_at(analysis, findings, metric, n, &coverage));
  cJSON *object = sc_json_object(json, item, key);
  sc_json_number(json, object, "explained", coverage.parts[SC_COVERAGE_FINDINGS].share);
  cJSON *list = sc_json_array(json, object, "parts");
  for (int part_class = 0; part_class < SC_COVERAGE_CLASSES; part_class++)
    if (coverage.parts[part_class].value > 0)
      add_coverage_part(json, list, analysis, &coverage, (enum sc_coverage_class)part_class);
  return 0;
}

/* How much of the total the findings explain, and what the rest is. */
static int add_coverage(sc_json *json, cJSON *root, const sc_analysis *analysis, const sc_findings *findings)
{
  const sc_analysis_options *options = sc_analysis_get_options(analysis);
  cJSON *list = sc_json_array(json, root, "coverage");
  for (size_t i = 0; i < options->target_count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_number(json, item, "n", options->targets[i]);
    if (sc_analysis_has_costs(analysis))
      SC_TRY(add_coverage_of(json, item, "cost", analysis, findings, SC_COVERAGE_COST, options->targets[i]));
    else
      sc_json_text(json, item, "cost", NULL);
    SC_TRY(add_coverage_of(json, item, "executions", analysis, findings, SC_COVERAGE_EXECUTIONS, options->targets[i]));
  }
  return 0;
}

static cJSON *finish_tree(cJSON *root, const sc_json *json, int err)
{
  if (err >= 0 && !json->failed)
    return root;
  if (err >= 0)
    (void)sc_err_set(SC_E_NOMEM, "out of memory while composing JSON");
  cJSON_Delete(root);
  return NULL;
}

cJSON *sc_findings_json_tree(const sc_analysis *analysis, const sc_findings *findings, enum sc_json_sites sites)
{
  sc_json json = {0};
  cJSON *root = cJSON_CreateObject(), *list;
  add_finding_json_frame(&json, root, analysis);
  int err = add_totals(&json, root, analysis) ?: add_finding_json_elapsed(&json, root, analysis);
  err = err ?: add_coverage(&json, root, analysis, findings);
  add_finding_json_negligible(&json, root, analysis, findings);
  if (findings->unexplained > 0)
    sc_json_number(&json, root, "unexplained_exponent", findings->unexplained);
  list = sc_json_array(&json, root, "findings");
  for (size_t i = 0; i < findings->count; i++)
    add_finding_json(&json, list, analysis, &findings->list[i], i + 1, sites);
  add_finding_json_undecided(&json, root, analysis, findings);
  add_untold(&json, root, analysis);
  return finish_tree(root, &json, err);
}

cJSON *sc_findings_json_site(const sc_analysis *analysis, const sc_finding *finding, size_t site)
{
  sc_json json = {0};
  cJSON *item = cJSON_CreateObject();
  fill_site(&json, item, sc_findings_analysis(analysis, finding->along), &finding->sites[site]);
  return finish_tree(item, &json, 0);
}

cJSON *sc_findings_json_model(const sc_model *model, const char *variable)
{
  sc_json json = {0};
  cJSON *root = cJSON_CreateObject();
  sc_json_model(&json, root, model, variable);
  return finish_tree(root, &json, 0);
}

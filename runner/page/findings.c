/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data of findings about growth. */

#include "runner/accept/notice.h"
#include "runner/page/parts.h"
#include "runner/report/text.h"
#include "runner/text/context.h"
#include "runner/text/tuning.h"

void sc_page_accepted(sc_page_json *json, const sc_notices *notices, const void *about)
{
  const sc_notice *accepted = sc_notices_accepted(notices, about);
  if (!accepted)
    return;
  sc_page_open(json, "accepted", '{');
  sc_page_text(json, "reason", accepted->accepted);
  sc_page_text(json, "until", accepted->accepted_until);
  sc_page_close(json, '}');
}

static void write_predictions(const sc_finding *f, size_t targets, sc_page_json *json)
{
  sc_page_open(json, "predictions", '[');
  for (size_t t = 0; t < targets; t++) {
    sc_page_open(json, NULL, '{');
    sc_page_number(json, "n", f->predictions[t].n, 17);
    sc_page_interval(json, "count", &f->predictions[t].count);
    sc_page_interval(json, "cost", &f->predictions[t].cost);
    sc_page_number(json, "share", f->predictions[t].share, 5);
    sc_page_close(json, '}');
  }
  sc_page_close(json, ']');
}

static void write_page_finding_order(const char *key, const sc_order *order, const char *variable, sc_page_json *json)
{
  char text[64];
  sc_model_format_order(order, variable, text, sizeof text);
  sc_page_text(json, key, text);
}

/* What the places of a spread finding have in common: their number, and the largest groups. */
static void write_spread(const sc_spread *spread, sc_page_json *json)
{
  static const char *const keys[SC_SPREAD_BY_COUNT] = {"files", "callers", "orders"};
  if (!spread)
    return;
  sc_page_open(json, "spread", '{');
  sc_page_text(json, "title", spread->title);
  sc_page_integer(json, "places", (int64_t)spread->places);
  for (int by = 0; by < SC_SPREAD_BY_COUNT; by++) {
    sc_page_open(json, keys[by], '[');
    for (size_t i = 0; i < spread->group_count[by] && i < SC_PAGE_GROUPS; i++) {
      sc_page_open(json, NULL, '{');
      sc_page_text(json, "name", spread->groups[by][i].name);
      sc_page_integer(json, "places", (int64_t)spread->groups[by][i].places);
      sc_page_number(json, "share", spread->groups[by][i].share, 5);
      sc_page_close(json, '}');
    }
    sc_page_close(json, ']');
  }
  sc_page_close(json, '}');
}

/* Of what stands in a system header: the user's function and the line of its call, which the page names instead. */
static void write_subject(const sc_graph *graph, uint32_t context, sc_page_json *json)
{
  uint32_t through;
  sc_buf subject = {0}, place = {0};
  (void)sc_graph_written(graph, context, &through);
  if (!through)
    return;
  sc_context_subject(graph, context, &subject);
  sc_context_place(graph, context, &place);
  if (sc_buf_finish(&subject) == 0 && sc_buf_finish(&place) == 0) {
    sc_page_text(json, "subject", subject.text);
    sc_page_text(json, "place", place.text);
  }
  sc_buf_free(&subject);
  sc_buf_free(&place);
}

/* Of growth along a further parameter which one it is, its value in predictions, and the formula in all parameters. */
static void write_page_finding_along(const sc_analysis *along, const char *formula, sc_page_json *json)
{
  if (!along)
    return;
  sc_page_open(json, "along", '{');
  sc_page_text(json, "parameter", sc_analysis_get_options(along)->variable);
  sc_page_number(json, "at", sc_analysis_horizon(along), 17);
  sc_page_text(json, "formula", formula);
  sc_page_close(json, '}');
}

static void write_page_finding(const sc_page_study *study, const sc_finding *f, sc_page_json *json)
{
  const char *variable = sc_findings_variable(study->judge->loaded.analysis, f->along);
  sc_page_open(json, NULL, '{');
  sc_page_text(json, "rule", sc_rule_id(f->rule));
  sc_page_text(json, "title", sc_rule_title(f->rule));
  sc_page_text(json, "help", sc_rule_help(f->rule));
  sc_page_text(json, "severity", sc_severity_name(f->severity));
  sc_page_bool(json, "linear", f->linear);
  sc_page_text(json, "kind", sc_finding_kind_name(f->kind));
  sc_page_integer(json, "context", f->context);
  if (!f->spread)
    write_subject(study->judge->loaded.graph, f->context, json);
  write_page_finding_along(f->along, f->formula, json);
  write_page_finding_order("from", &f->from, variable, json);
  write_page_finding_order("to", &f->to, variable, json);
  sc_page_integer(json, "class", sc_page_order_class(&f->to));
  sc_page_model_brief(json, "model", &f->model, variable);
  sc_page_model_brief(json, "cost_model", f->has_cost_model ? &f->cost_model : NULL, variable);
  write_predictions(f, sc_analysis_get_options(study->judge->loaded.analysis)->target_count, json);
  sc_page_number(json, "emergence", f->emergence, 6);
  sc_page_number(json, "confidence", f->confidence, 3);
  sc_page_text(json, "evidence", f->evidence);
  sc_page_text(json, "advice", f->advice);
  sc_page_accepted(json, study->notices, f);
  write_spread(f->spread, json);
  sc_page_open(json, "members", '['); /* ascending, as distances */
  for (size_t i = 0; i < f->member_count; i++)
    sc_page_integer(json, NULL, (int64_t)f->members[i] - (i ? (int64_t)f->members[i - 1] : 0));
  sc_page_close(json, ']');
  sc_page_integer(json, "site_count", (int64_t)f->site_count);
  sc_page_open(json, "sites", '[');
  for (size_t i = 0; i < f->site_count && i < SC_PAGE_SITES; i++)
    sc_page_integer(json, NULL, f->sites[i].context);
  sc_page_close(json, ']');
  sc_page_close(json, '}');
}

static void write_undecided(const sc_page_study *study, const sc_undecided *u, sc_page_json *json)
{
  const char *variable = sc_findings_variable(study->judge->loaded.analysis, u->along);
  sc_page_open(json, NULL, '{');
  sc_page_integer(json, "context", u->context);
  write_page_finding_along(u->along, NULL, json);
  write_page_finding_order("from", &u->from, variable, json);
  write_page_finding_order("to", &u->to, variable, json);
  sc_page_number(json, "share", u->share, 5);
  sc_page_number(json, "deciding", u->deciding, 6);
  sc_page_text(json, "reason", u->reason);
  write_spread(u->spread, json);
  sc_page_close(json, '}');
}

/* A place that costs next to nothing, in the words of report --all. */
static int write_negligible(const sc_page_study *study, const sc_finding *f, sc_page_json *json)
{
  sc_buf headline = {0}, brief = {0};
  sc_report_finding_headline(study->judge, f, &headline);
  sc_report_finding_brief(study->judge, f, &brief);
  int err = sc_buf_finish(&headline) ?: sc_buf_finish(&brief);
  if (err == 0) {
    sc_page_open(json, NULL, '{');
    sc_page_integer(json, "context", f->context);
    sc_page_text(json, "headline", headline.text);
    sc_page_text(json, "brief", brief.text);
    sc_page_close(json, '}');
  }
  sc_buf_free(&headline);
  sc_buf_free(&brief);
  return err;
}

int sc_page_findings_write(sc_page_study *study, sc_page_json *json)
{
  const sc_findings *findings = &study->judge->findings;
  int err = 0;
  sc_page_open(json, "findings", '[');
  for (size_t i = 0; i < findings->count; i++)
    write_page_finding(study, &findings->list[i], json);
  sc_page_close(json, ']');
  sc_page_open(json, "undecided", '[');
  for (size_t i = 0; i < findings->undecided_count; i++)
    write_undecided(study, &findings->undecided[i], json);
  sc_page_close(json, ']');
  sc_page_integer(json, "suppressed", (int64_t)findings->suppressed);
  sc_page_open(json, "negligible", '[');
  for (size_t i = 0; i < findings->suppressed && i < SC_PAGE_NEGLIGIBLE && err == 0; i++)
    err = write_negligible(study, &findings->negligible[i], json);
  sc_page_close(json, ']');
  sc_page_number(json, "unexplained", findings->unexplained, 3);
  return err;
}

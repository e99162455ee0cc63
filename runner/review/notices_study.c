/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings of one study as notices. */
#include <string.h>

#include "runner/report/text.h"
#include "runner/resources/finding.h"
#include "runner/review/build.h"
#include "runner/review/words.h"
#include "runner/text/context.h"
#include "transitions/model/order.h"

static const sc_analysis_options *get_notice_options(const sc_judge *judge)
{
  return sc_analysis_get_options(judge->loaded.analysis);
}

static int set_notice_subject(sc_notice *notice, const sc_graph *graph, const sc_finding *f)
{
  sc_buf name = {0};
  if (f->spread)
    return sc_notice_copy(&notice->subject, f->spread->common);
  sc_context_subject(graph, f->context, &name);
  return sc_notice_set(&notice->subject, &name);
}

static int set_notice_predictions(sc_notice *notice, const sc_judge *judge, const sc_finding *f)
{
  size_t count = get_notice_options(judge)->target_count;
  SC_TRY(SC_NEW(notice->predictions, count ? count : 1));
  for (size_t i = 0; i < count; i++) {
    const sc_finding_prediction *p = &f->predictions[i];
    notice->predictions[i] = (sc_notice_prediction){
        .n = p->n, .has_after = true, .after = p->count, .has_cost = true, .cost = p->cost, .share = p->share};
  }
  notice->prediction_count = count;
  sc_notice_sort_predictions(notice);
  return 0;
}

/* "f: quadratic loop, n^2 - n iterations; at n = 5,000: 25.0 million iterations, 21 ms, 12% of the total" */
static int set_notice_message(sc_notice *notice, const sc_judge *judge, const sc_finding *f)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "%s: ", f->spread ? f->spread->title : notice->subject);
  sc_report_finding_growth(judge, f, &text);
  sc_report_finding_effect(judge, f, &text);
  return sc_notice_set(&notice->message, &text);
}

static int set_formula(sc_notice *notice, const sc_judge *judge, const sc_finding *f)
{
  sc_buf text = {0};
  if (f->has_cost_model)
    return sc_notice_formula(&notice->after, &f->cost_model, sc_report_finding_variable(judge, f),
                             sc_analysis_cost_unit(judge->loaded.analysis));
  sc_report_finding_formula(judge, f, &text);
  sc_buf_printf(&text, " %s", notice->metric);
  return sc_notice_set(&notice->after, &text);
}

static int add_notice_finding(sc_notices *notices, const sc_finding *f)
{
  const sc_judge *judge = notices->judge;
  sc_notice *notice;
  SC_TRY(sc_notice_add(notices, f->rule, f->severity, &notice));
  notice->about = f;
  notice->parameter = f->along ? sc_report_finding_variable(judge, f) : NULL;
  notice->parameter_at = f->along ? sc_analysis_horizon(f->along) : 0;
  if (f->spread)
    SC_TRY(sc_notice_locate_sites(notice, judge->loaded.graph, f->sites, f->site_count));
  else
    SC_TRY(sc_notice_locate(notice, judge, f->context, 0, 0));
  SC_TRY(set_notice_subject(notice, judge->loaded.graph, f));
  SC_TRY(sc_notice_copy(&notice->metric, sc_report_finding_counts(judge, f)));
  SC_TRY(set_notice_predictions(notice, judge, f));
  SC_TRY(set_notice_message(notice, judge, f));
  SC_TRY(sc_notice_copy(&notice->evidence, f->evidence));
  SC_TRY(sc_notice_copy(&notice->advice, f->advice));
  SC_TRY(set_formula(notice, judge, f));
  notice->superlinear = f->superlinear;
  notice->linear = f->linear;
  notice->confidence = f->confidence;
  notice->share = notice->prediction_count ? sc_notice_last(notice)->share : f->site_count ? f->sites[0].share : 0;
  notice->emergence = (sc_interval){f->emergence, f->emergence, f->emergence};
  return 0;
}

int sc_notices_add_findings(sc_notices *notices)
{
  for (size_t i = 0; i < notices->judge->findings.count; i++)
    SC_TRY(add_notice_finding(notices, &notices->judge->findings.list[i]));
  return 0;
}

/* The number the finding is about stands first. */
static const sc_resource_number *find_telling_number(const sc_resource_finding *f)
{
  return f->number_count ? &f->numbers[0] : NULL;
}

static int set_numbers(sc_notice *notice, const sc_judge *judge, const sc_resource_finding *f)
{
  const sc_resource *resource = sc_usage_resource_at(judge->loaded.graph, f->resource);
  const sc_resource_number *number = find_telling_number(f);
  size_t count = get_notice_options(judge)->target_count;
  if (!number)
    return 0;
  SC_TRY(sc_notice_copy(&notice->metric, sc_resource_metric_name(number->metric)));
  notice->unit = sc_notice_resource_unit(resource, number->metric);
  if (number->model)
    SC_TRY(sc_notice_formula(&notice->after, number->model, judge->loaded.workload->parameter, notice->metric));
  notice->superlinear =
      number->model && number->model->verdict == SC_VERDICT_MODEL && sc_order_superlinear(&number->model->order);
  SC_TRY(SC_NEW(notice->predictions, count ? count : 1));
  for (size_t i = 0; i < count; i++)
    notice->predictions[i] = (sc_notice_prediction){
        .n = get_notice_options(judge)->targets[i], .has_after = true, .after = number->predictions[i]};
  notice->prediction_count = count;
  sc_notice_sort_predictions(notice);
  return 0;
}

static int add_notice_resource(sc_notices *notices, const sc_resource_finding *f)
{
  size_t along;
  const sc_judge *judge = notices->judge, *there = sc_judge_beside(judge, f, &along);
  const sc_resource_number *number = find_telling_number(f);
  sc_notice *notice;
  sc_buf text = {0};
  SC_TRY(sc_notice_add(notices, f->rule, f->severity, &notice));
  notice->about = f;
  if (along != SIZE_MAX) {
    notice->parameter = there->loaded.workload->others[along].name;
    notice->parameter_at = there->others[along];
  }
  SC_TRY(sc_notice_locate_resource(notice, judge, f->resource, f->rule, f->context, f->line, f->column));
  SC_TRY(sc_notice_copy(&notice->subject, sc_usage_resource_at(judge->loaded.graph, f->resource)->name));
  SC_TRY(set_numbers(notice, judge, f));
  sc_resource_finding_title(judge, f, &text);
  SC_TRY(sc_notice_set(&notice->title, &text));
  sc_resource_finding_headline(judge, f, &text);
  const sc_notice_prediction *last = sc_notice_last(notice);
  if (number)
    sc_buf_printf(&text, "; %s %s", notice->metric, sc_notice_value(notice->unit, number->measured).s);
  if (number && last) {
    sc_buf_puts(&text, ", at ");
    sc_judge_describe(there, last->n, &text);
    sc_buf_printf(&text, "%s %s", there->several ? ":" : "", sc_notice_value(notice->unit, last->after.value).s);
    sc_text range = sc_notice_range(notice->unit, &last->after);
    if (strcmp(range.s, "exactly") != 0)
      sc_buf_printf(&text, " (%s)", range.s);
  }
  SC_TRY(sc_notice_set(&notice->message, &text));
  sc_buf_printf(&text, "%s%s%s", f->also ? "Also " : "", f->also ? f->also : "", f->also ? ". " : "");
  sc_buf_puts(&text, f->evidence);
  SC_TRY(sc_notice_set(&notice->evidence, &text));
  SC_TRY(sc_notice_copy(&notice->advice, f->advice));
  notice->confidence = f->confidence;
  notice->emergence = f->emergence;
  return 0;
}

int sc_notices_add_resources(sc_notices *notices)
{
  size_t count = 0;
  const sc_judge *judge = notices->judge;
  const sc_resource_finding *found = judge->resources ? sc_resources_findings(judge->resources, &count) : NULL;
  for (size_t i = 0; i < count; i++)
    SC_TRY(add_notice_resource(notices, &found[i]));
  return 0;
}

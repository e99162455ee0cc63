/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/finding.h"

#include <math.h>
#include <string.h>

#include "runner/accept/notice.h"
#include "runner/resources/words.h"
#include "runner/text/context.h"
#include "runner/text/table.h"

enum { SHOWN = 3 };

static const sc_resource *resource_of_finding(const sc_judge *judge, const sc_resource_finding *f)
{
  return sc_usage_resource_at(judge->loaded.graph, f->resource);
}

/* Predicted from the largest measured size on, where it was seen not to hold. */
static bool holds_only_beyond(const sc_judge *judge, const sc_resource_finding *f, double largest)
{
  size_t sizes = judge->resources ? sc_resources_size_count(judge->resources) : 0;
  return sizes && f->emergence.value <= largest && !f->holds_measured[sizes - 1];
}

/* " from threads = 12 on, at n = 800" */
static void emergence_along(const sc_judge *judge, const sc_resource_finding *f, const char *along, sc_buf *out)
{
  sc_buf_printf(out, " from %s = %s on, at %s = %s", along, sc_format_number(f->emergence.value).s,
                judge->loaded.workload->parameter, sc_format_number(sc_analysis_horizon(judge->loaded.analysis)).s);
}

static void describe_resource_emergence(const sc_judge *judge, const sc_resource_finding *f, sc_buf *out)
{
  const char *variable = judge->loaded.workload->parameter;
  const sc_interval *size = &f->emergence;
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  if (!isfinite(size->value)) {
    sc_buf_puts(out, ", below no size looked at");
    return;
  }
  bool beyond = holds_only_beyond(judge, f, high);
  if (size->value <= low && !beyond) {
    sc_buf_puts(out, " from the smallest measured size on");
    return;
  }
  sc_buf_printf(out, " %s %s = %s%s", beyond ? "above" : "from", variable, sc_format_number(round(size->value)).s,
                beyond ? "" : " on");
  if (isinf(size->high))
    sc_buf_printf(out, " (%s or later)", sc_format_number(round(size->low)).s);
  else if (size->low < size->high)
    sc_buf_printf(out, " (%s to %s)", sc_format_number(round(size->low)).s, sc_format_number(round(size->high)).s);
}

void sc_resource_finding_name(const sc_judge *judge, const sc_resource_finding *f, sc_buf *out)
{
  const sc_graph *graph = judge->loaded.graph;
  if (!(f->servers > 0)) {
    sc_resource_words_spot(graph, &(sc_resource_spot){f->resource, f->context, f->line, f->column}, out);
    return;
  }
  sc_buf_printf(out, "Pool of %s behind ", sc_format_plural((size_t)f->servers, "thread").s);
  sc_resource_words_name(resource_of_finding(judge, f), out);
  if (f->context == SC_USAGE_NONE)
    return;
  sc_buf_puts(out, ", waiting in "); /* for work */
  sc_context_call(graph, f->context, f->line, f->column, out);
}

void sc_resource_finding_headline(const sc_judge *judge, const sc_resource_finding *f, sc_buf *out)
{
  size_t along;
  const sc_judge *there = sc_judge_beside(judge, f, &along);
  const sc_resource *resource = resource_of_finding(judge, f);
  const char *kind = sc_resource_class_name(resource->resource_class);
  sc_resource_finding_name(judge, f, out);
  sc_buf_puts(out, ": ");
  if (!(f->servers > 0) && resource->resource_class != SC_RESOURCE_OTHER && strcmp(kind, resource->name) != 0)
    sc_buf_printf(out, "%s, ", kind);
  sc_buf_puts(out, sc_rule_id(f->rule));
  sc_resource_words_hot(there->resources, f->resource, " in ", out);
  if (along != SIZE_MAX)
    emergence_along(there, f, there->loaded.workload->others[along].name, out);
  else
    describe_resource_emergence(judge, f, out);
}

void sc_resource_finding_title(const sc_judge *judge, const sc_resource_finding *f, sc_buf *out)
{
  if (f->servers > 0)
    sc_resource_finding_headline(judge, f, out);
  else
    sc_buf_puts(out, sc_rule_title(f->rule));
}

/* Measured, and predicted at each target. */
static int print_numbers(FILE *out, const sc_judge *judge, const sc_resource_finding *f, const sc_text_options *options)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const sc_resource *resource = resource_of_finding(judge, f);
  double low, high;
  char measured[80], heading[80];
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  if (!f->number_count)
    return 0;
  snprintf(measured, sizeof measured, "%.12s = %.48s", judge->loaded.workload->parameter, sc_format_number(high).s);
  sc_table *table = sc_table_new("lrrrr");
  const char *const headings[] = {"", measured, judge->loaded.workload->parameter, "predicted", "95% interval"};
  for (size_t i = 0; i < 5; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < f->number_count; i++) {
    const sc_resource_number *number = &f->numbers[i];
    sc_buf name = {0};
    sc_resource_words_metric(number->metric, resource, &name);
    snprintf(heading, sizeof heading, "%s", sc_buf_finish(&name) == 0 ? name.text : "");
    sc_buf_free(&name);
    for (size_t t = 0; t < asked->target_count || t == 0; t++) {
      bool predicted = t < asked->target_count;
      const sc_interval *p = predicted ? &number->predictions[t] : NULL;
      sc_table_cell(table, t ? "" : heading);
      sc_table_cell(table, t ? "" : sc_resource_words_value(number->metric, resource, number->measured).s);
      sc_table_cell(table, predicted ? sc_format_number(asked->targets[t]).s : "");
      sc_table_cell(table, predicted ? sc_resource_words_predicted(number->metric, resource, p).s : "");
      sc_table_cell(table, predicted ? sc_resource_words_interval(number->metric, resource, p).s : "");
    }
  }
  fprintf(out, "%*sMeasured and predicted", SC_TEXT_INDENT, "");
  for (size_t i = 0; f->along && i < judge->loaded.workload->other_count; i++)
    fprintf(out, ", %s%s = %s", i ? "" : "at ", judge->loaded.workload->others[i].name,
            sc_format_number(judge->others[i]).s);
  fputc('\n', out);
  int err = sc_table_print(table, out, SC_TEXT_INDENT + 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

static void say_resource(FILE *out, const char *label, sc_buf *text, const sc_text_options *options)
{
  if (sc_buf_finish(text) == 0)
    sc_text_labelled(out, label, text->text, options);
  sc_buf_free(text);
}

static void print_role(FILE *out, const sc_judge *judge, const sc_resource_finding *f, enum sc_resource_role role,
                       const sc_text_options *options)
{
  static const char *const labels[] = {[SC_ROLE_ACQUIRES] = "Acquires",
                                       [SC_ROLE_HOLDS] = "Holds",
                                       [SC_ROLE_KEEPS] = "Keeps",
                                       [SC_ROLE_WAITS] = "Waits",
                                       [SC_ROLE_FAILS] = "Fails"};
  size_t shown = 0, most = options->details ? f->site_count : 1;
  for (size_t i = 0; i < f->site_count && shown < most; i++) {
    const sc_resource_site *site = &f->sites[i];
    sc_buf text = {0};
    if (site->role != role)
      continue;
    sc_buf_printf(&text, "%s (%s): ", sc_format_percent(site->share).s,
                  sc_resource_words_amount(role, resource_of_finding(judge, f), site->amount).s);
    sc_resource_words_place(judge->loaded.graph, site->context, site->line, site->column, &text);
    say_resource(out, shown++ ? "" : labels[role], &text, options);
  }
}

static void print_tasks(FILE *out, const sc_judge *judge, const sc_resource_finding *f, const sc_text_options *options)
{
  sc_buf text = {0};
  for (size_t i = 0; i < f->task_count; i++) {
    sc_buf_printf(&text, "%s%s ", i ? ", " : "", sc_format_percent(f->tasks[i].share).s);
    sc_context_title(judge->loaded.graph, f->tasks[i].context, &text);
  }
  if (f->task_count)
    say_resource(out, "Tasks", &text, options);
}

/* "83% (1.2 s in 8,400 waits): put (cache.c:80) while get (cache.c:52) holds it; each 45 us (at n = 100: 3 us)" */
static void print_pairs(FILE *out, const sc_judge *judge, const sc_resource_finding *f, const sc_text_options *options)
{
  const sc_graph *graph = judge->loaded.graph;
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  for (size_t i = 0; i < f->pair_count; i++) {
    const sc_resource_pair *pair = &f->pairs[i];
    sc_buf text = {0};
    sc_buf_printf(&text, "%s (%s in %s %s): ", sc_format_percent(pair->share).s, sc_format_seconds(pair->seconds).s,
                  sc_resource_words_times(pair->waits).s, pair->waits == 1 ? "wait" : "waits");
    sc_context_call(graph, pair->waiter, pair->waiter_line, pair->waiter_column, &text);
    if (pair->holder == SC_USAGE_NONE)
      sc_buf_puts(&text, ", the holder is not known");
    else {
      sc_buf_puts(&text, " while ");
      sc_context_call(graph, pair->holder, pair->holder_line, pair->holder_column, &text);
      sc_buf_puts(&text, " holds it");
    }
    if (pair->waits > 0 && pair->seconds_small > 0)
      sc_buf_printf(&text, "; each %s (at %s = %s: %s)", sc_format_seconds(pair->seconds / pair->waits).s,
                    judge->loaded.workload->parameter, sc_format_number(low).s,
                    sc_format_seconds(pair->seconds_small).s);
    say_resource(out, i ? "" : "Pairs", &text, options);
  }
}

static void print_corrections(FILE *out, const sc_judge *judge, const sc_resource_finding *f,
                              const sc_text_options *options)
{
  sc_buf text = {0};
  bool any = false;
  for (size_t i = 0; i < f->number_count; i++)
    any = sc_resource_words_correction(&f->numbers[i], resource_of_finding(judge, f), judge->loaded.workload->parameter,
                                       &text) ||
          any;
  if (any)
    say_resource(out, "Corrected", &text, options);
  else
    sc_buf_free(&text);
}

/* At which of the sizes measured and predicted it holds. */
static void print_extent(FILE *out, const sc_judge *judge, const sc_resource_finding *f, const sc_text_options *options)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  size_t sizes = judge->resources ? sc_resources_size_count(judge->resources) : 0, held = 0, shown = 0;
  sc_buf text = {0};
  const char *by = sizes && sc_resources_moved(judge->resources) ? " (by models of all runs)" : "";
  for (size_t i = 0; i < sizes; i++)
    held += f->holds_measured[i];
  if (sizes && held == 0)
    sc_buf_printf(&text, "at none of the sizes measured%s", by);
  else if (sizes)
    sc_buf_printf(&text, "at %s%zu of the %zu sizes measured%s", held == sizes ? "all " : "", held, sizes, by);
  for (size_t i = 0; i < asked->target_count; i++)
    if (f->holds_predicted[i])
      sc_buf_printf(&text, "%s%s",
                    shown++       ? ", "
                    : text.length ? "; predicted at "
                                  : "predicted at ",
                    sc_format_number(asked->targets[i]).s);
  if (asked->target_count && !shown)
    sc_buf_puts(&text, "; predicted at none of the targets");
  say_resource(out, "Holds true", &text, options);
}

/* The first number at the last target in one line. */
static void print_resource_brief(FILE *out, const sc_judge *judge, const sc_resource_finding *f,
                                 const sc_text_options *options)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const sc_resource *resource = resource_of_finding(judge, f);
  sc_buf text = {0};
  if (!asked->target_count || !f->number_count)
    return;
  sc_buf_puts(&text, "at ");
  sc_judge_describe(judge, asked->targets[asked->target_count - 1], &text);
  sc_buf_puts(&text, ": ");
  for (size_t i = 0; i < f->number_count && i < SHOWN; i++) {
    const sc_resource_number *number = &f->numbers[i];
    sc_buf_puts(&text, i ? "; " : "");
    sc_resource_words_metric(number->metric, resource, &text);
    const sc_interval *p = &number->predictions[asked->target_count - 1];
    sc_text interval = sc_resource_words_interval(number->metric, resource, p);
    sc_buf_printf(&text, " %s", sc_resource_words_predicted(number->metric, resource, p).s);
    if (*interval.s && strcmp(interval.s, "exactly") != 0)
      sc_buf_printf(&text, " (%s)", interval.s);
  }
  if (sc_buf_finish(&text) == 0) {
    fprintf(out, "%*s", SC_TEXT_INDENT, "");
    sc_format_wrap(out, text.text, SC_TEXT_INDENT, SC_TEXT_INDENT, options->width);
  }
  sc_buf_free(&text);
}

/* `details`: all of it, else the numbers and, of each part that the program plays, the first place. */
static int print_body(FILE *out, const sc_judge *judge, const sc_resource_finding *f, const sc_text_options *options)
{
  bool details = options->details;
  sc_buf text = {0};
  if (details)
    fprintf(out, "%*s%s [%s, %s]\n", SC_TEXT_INDENT, "", sc_resource_words_title(f), sc_rule_id(f->rule),
            sc_severity_name(f->severity));
  SC_TRY(print_numbers(out, judge, f, options));
  if (details)
    print_corrections(out, judge, f, options);
  if (details)
    print_extent(out, judge, f, options);
  for (int role = SC_ROLE_ACQUIRES; role <= SC_ROLE_FAILS; role++)
    print_role(out, judge, f, (enum sc_resource_role)role, options);
  if (details)
    print_tasks(out, judge, f, options);
  if (details)
    print_pairs(out, judge, f, options);
  sc_buf_printf(&text, "%s (%.2f)", sc_text_confidence(f->confidence), f->confidence);
  say_resource(out, "Confidence", &text, options);
  if (f->also)
    sc_text_labelled(out, "Also", f->also, options);
  if (details && f->evidence && *f->evidence)
    sc_text_labelled(out, "Evidence", f->evidence, options);
  if (f->advice && *f->advice)
    sc_text_labelled(out, "Do", f->advice, options);
  return 0;
}

int sc_resource_finding_print(FILE *out, const sc_judge *judge, const sc_resource_finding *f, size_t rank,
                              const sc_text_options *options)
{
  size_t along;
  const sc_notice *accepted = sc_notices_accepted(options->notices, f);
  const sc_judge *there = sc_judge_beside(judge, f, &along);
  sc_buf headline = {0};
  sc_buf_printf(&headline, "%zu. ", rank);
  sc_resource_finding_headline(judge, f, &headline);
  int err = sc_buf_finish(&headline);
  if (err == 0 && accepted) {
    sc_notice_print_accepted(out, headline.text, accepted, options);
  } else if (err == 0) {
    fputs(options->style.bold, out);
    sc_format_wrap(out, headline.text, 0, SC_TEXT_INDENT, options->width);
    fputs(options->style.off, out);
    if (options->brief)
      print_resource_brief(out, there, f, options);
    else
      err = print_body(out, there, f, options);
  }
  sc_buf_free(&headline);
  return err;
}

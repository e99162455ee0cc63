/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/accept/notice.h"
#include "runner/process/seen.h"
#include "runner/resources/find.h"
#include "runner/resources/finding.h"
#include "runner/resources/numbers.h"
#include "runner/resources/words.h"
#include "runner/text/operand.h"
#include "runner/text/table.h"
#include "runner/text/tuning.h"

typedef struct row {
  uint32_t resource;
  size_t rank; /* of its worst finding; SIZE_MAX: none */
  double now[SC_RMETRIC_COUNT], then[SC_RMETRIC_COUNT];
} row;

static double section_horizon(const sc_judge *judge) { return sc_analysis_horizon(judge->loaded.analysis); }

static int fill_resource_row(const sc_judge *judge, row *r)
{
  static const enum sc_resource_metric shown[] = {SC_RMETRIC_ACQUIRES, SC_RMETRIC_WAITS,       SC_RMETRIC_HOLD,
                                                  SC_RMETRIC_WAIT,     SC_RMETRIC_UTILISATION, SC_RMETRIC_OUTSTANDING,
                                                  SC_RMETRIC_PEAK};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    enum sc_resource_metric metric = shown[i];
    const sc_resource_series *series = sc_resources_series(judge->resources, r->resource, SC_USAGE_NONE, metric);
    sc_interval predicted = {NAN, NAN, NAN};
    if (sc_resource_number_is_void(judge, r->resource, metric))
      series = NULL;
    r->now[metric] = NAN;
    if (series)
      SC_TRY(sc_resource_number_now(judge, r->resource, metric, &r->now[metric]));
    if (series && series->count)
      SC_TRY(sc_resources_predict(judge->resources, r->resource, metric, section_horizon(judge), &predicted));
    r->then[metric] = predicted.value;
  }
  return 0;
}

static bool is_above_limit(double value, double limit) { return isfinite(value) && value > limit; }

/* Has a finding, is used noticeably, is waited for, or is kept. */
static bool row_matters(const row *r)
{
  return r->rank != SIZE_MAX || is_above_limit(r->then[SC_RMETRIC_UTILISATION], SC_RESOURCES_LINE) ||
         is_above_limit(r->now[SC_RMETRIC_WAITS], 0) || is_above_limit(r->now[SC_RMETRIC_OUTSTANDING], 0);
}

static double compare_by(double a, double b) { return (isnan(b) ? -1 : b) - (isnan(a) ? -1 : a); }

static int compare_section_rows(const void *left, const void *right)
{
  const row *a = left, *b = right;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  double by = compare_by(a->then[SC_RMETRIC_UTILISATION], b->then[SC_RMETRIC_UTILISATION]);
  by = by != 0 ? by : compare_by(a->now[SC_RMETRIC_ACQUIRES], b->now[SC_RMETRIC_ACQUIRES]);
  return by != 0 ? (by > 0 ? 1 : -1) : a->resource < b->resource ? -1 : a->resource > b->resource;
}

static size_t rank_of(const sc_judge *judge, uint32_t resource)
{
  size_t count;
  const sc_resource_finding *findings = sc_resources_findings(judge->resources, &count);
  for (size_t i = 0; i < count; i++)
    if (findings[i].resource == resource)
      return i;
  return SIZE_MAX;
}

static int gather_resources(const sc_judge *judge, const sc_text_options *options, row **rows, size_t *count)
{
  uint32_t all = sc_usage_resource_count(judge->loaded.graph);
  *count = 0;
  SC_TRY(SC_NEW(*rows, all));
  for (uint32_t i = 0; i < all; i++) {
    if (sc_resource_class_blocks(sc_usage_resource_at(judge->loaded.graph, i)->resource_class) ||
        sc_usage_condition_has_units(judge->loaded.graph, i))
      continue;
    row *r = &(*rows)[*count];
    *r = (row){.resource = i, .rank = rank_of(judge, i)};
    SC_TRY(fill_resource_row(judge, r));
    *count += options->resources || row_matters(r);
  }
  qsort(*rows, *count, sizeof **rows, compare_section_rows);
  return 0;
}

static void section_cell(sc_table *table, const sc_judge *judge, const row *r, enum sc_resource_metric metric,
                         bool then)
{
  double value = metric == SC_RMETRIC_COUNT ? NAN : then ? r->then[metric] : r->now[metric];
  const sc_resource *resource = sc_usage_resource_at(judge->loaded.graph, r->resource);
  bool zero = value == 0 && (metric == SC_RMETRIC_WAITS || metric == SC_RMETRIC_OUTSTANDING);
  sc_table_cell(table, isnan(value) || zero ? "" : sc_resource_words_value(metric, resource, value).s);
}

static void add_resource_row(sc_table *table, const sc_judge *judge, const row *r)
{
  const sc_resource *resource = sc_usage_resource_at(judge->loaded.graph, r->resource);
  sc_resource_hot hot;
  sc_buf name = {0};
  sc_resource_words_name(resource, &name);
  if (sc_resources_hot(judge->resources, r->resource, &hot))
    sc_buf_printf(&name, ", %.0f of %.0f hot", hot.hot, hot.instances);
  sc_table_cell(table, sc_buf_finish(&name) == 0 ? name.text : "?");
  sc_buf_free(&name);
  sc_table_cell(table, sc_resource_class_name(resource->resource_class));
  section_cell(table, judge, r, SC_RMETRIC_ACQUIRES, false);
  section_cell(table, judge, r, SC_RMETRIC_WAITS, false);
  section_cell(table, judge, r, SC_RMETRIC_HOLD, false);
  section_cell(table, judge, r, SC_RMETRIC_UTILISATION, false);
  section_cell(table, judge, r, SC_RMETRIC_UTILISATION, true);
  bool counted = !sc_resource_class_locks(resource->resource_class);
  section_cell(table, judge, r, counted ? SC_RMETRIC_PEAK : SC_RMETRIC_COUNT, false);
  section_cell(table, judge, r, counted ? SC_RMETRIC_PEAK : SC_RMETRIC_COUNT, true);
  section_cell(table, judge, r, SC_RMETRIC_OUTSTANDING, false);
  section_cell(table, judge, r, SC_RMETRIC_OUTSTANDING, true);
}

static int print_section_heading(FILE *out, const sc_judge *judge, double high, const sc_text_options *options)
{
  sc_buf text = {0};
  sc_buf_puts(&text, "at ");
  sc_judge_describe(judge, high, &text);
  sc_buf_puts(&text, sc_resources_measured(judge->resources) ? "" : ", by models of all runs");
  sc_buf_puts(&text, ": acquires, waits, mean hold, utilisation, units out at most and at the end");
  int err = sc_buf_finish(&text);
  if (err == 0) {
    fprintf(out, "\n%sResources%s ", options->style.bold, options->style.off);
    sc_format_wrap(out, text.text, (int)strlen("Resources "), 2, options->width);
  }
  sc_buf_free(&text);
  return err;
}

/* The resources that matter, one a line, measured at the largest size and predicted at the largest target; with
 * options->resources all of them. */
static int print_section_table(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count, shown = 0, top = options->top ? options->top : SC_TOP;
  double low, high;
  row *rows = NULL;
  char then[80];
  int err = gather_resources(judge, options, &rows, &count);
  sc_table *table = sc_table_new("llrrrrrrrrr");
  if (err < 0 || !count)
    goto out;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  snprintf(then, sizeof then, "at %s", sc_format_count(section_horizon(judge)).s);
  const char *const headings[] = {"resource", "class", "acquired", "waits", "hold", "used",
                                  then,       "peak",  then,       "kept",  then};
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  for (; shown < count && (options->resources || shown < top); shown++)
    add_resource_row(table, judge, &rows[shown]);
  sc_table_fit(table, 0, options->width - 2);
  SC_GOTO(print_section_heading(out, judge, high, options));
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  if (shown < count)
    fprintf(out, "  %s not shown here: --resources\n", sc_format_plural(count - shown, "resource").s);
out:
  sc_table_free(table);
  free(rows);
  return err;
}

static bool is_listed(const sc_resource_finding *finding, const sc_text_options *options)
{
  return options->all || !sc_resource_uncertain(finding->severity);
}

static void print_section_wrapped(FILE *out, sc_buf *text, int indent, const sc_text_options *options)
{
  if (sc_buf_finish(text) == 0) {
    fprintf(out, "%*s", indent, "");
    sc_format_wrap(out, text->text, indent, indent, options->width);
  }
  sc_buf_free(text);
}

/* What is not listed, as it is uncertain, and what would decide. */
static void print_section_uncertain(FILE *out, const sc_judge *judge, size_t count, const sc_text_options *options)
{
  sc_buf text = {0};
  if (!count)
    return;
  sc_buf_printf(&text, "%s about resources not shown here: --all. Sizes nearer to %s = %s decide.",
                sc_format_plural(count, "uncertain finding").s, judge->loaded.workload->parameter,
                sc_format_count(section_horizon(judge)).s);
  if (!options->brief)
    fputc('\n', out);
  print_section_wrapped(out, &text, 0, options);
}

/* `listed` of the `count`. */
static int print_section_findings(FILE *out, const sc_judge *judge, const sc_resource_finding *findings, size_t count,
                                  size_t listed, const sc_text_options *options)
{
  size_t shown = 0, top = options->top ? options->top : options->brief ? SC_TOP_BRIEF : SC_TOP;
  fprintf(out, "\n%s%s about resources%s%s\n", options->style.bold, sc_format_plural(listed, "finding").s,
          listed > 1 ? ", worst first" : "", options->style.off);
  for (int accepted = 0; accepted < 2; accepted++) /* behind all others */
    for (size_t i = 0; i < count && (options->all || shown < top); i++) {
      if (!is_listed(&findings[i], options) ||
          (sc_notices_accepted(options->notices, &findings[i]) != NULL) != accepted)
        continue;
      if (!options->brief || shown == 0)
        fputc('\n', out);
      SC_TRY(sc_resource_finding_print(out, judge, &findings[i], i + 1, options));
      shown++;
    }
  if (shown < listed)
    fprintf(out, "%s%s about resources not shown here: --all\n", options->brief ? "" : "\n",
            sc_format_plural(listed - shown, "finding").s);
  return 0;
}

/* Without costs of coordination the law has no highest point, but sigma bounds it: said where that is less than as many
 * as there are at the sizes asked for. */
void sc_resource_section_rise(const sc_judge *judge, const sc_scalability *s, sc_buf *out)
{
  const char *parameter = judge->loaded.workload->parameter;
  if (round(100 / s->sigma.value) <= 100) /* "at most 1.00 times" */
    sc_buf_printf(out, "does not grow with %s", parameter);
  else if (s->sigma.value * sc_analysis_horizon(judge->loaded.analysis) > 1)
    sc_buf_printf(out, "grows with %s to at most %s times that of %s = 1", parameter,
                  sc_format_count(1 / s->sigma.value).s, parameter);
  else
    sc_buf_printf(out, "keeps growing with %s", parameter);
}

/* Throughput is in requests where the workload names them; executions of everything say how it changes, but not how
 * high it is. */
static void add_law(const sc_judge *judge, const sc_scalability *s, sc_buf *out)
{
  const sc_workload *workload = judge->loaded.workload;
  bool requests = workload->task_count > 0;
  if (!isfinite(s->peak.value))
    sc_resource_section_rise(judge, s, out);
  else
    sc_buf_printf(out, "highest at %s = %s (%s)", workload->parameter, sc_format_number(round(s->peak.value)).s,
                  sc_format_interval(&s->peak, "").s);
  if (requests && isfinite(s->peak.value))
    sc_buf_printf(out, " with %s requests a second (%s)", sc_format_count(s->peak_throughput.value).s,
                  sc_format_interval(&s->peak_throughput, "").s);
  if (requests)
    sc_buf_printf(out, ". %s = 1: %s requests a second", workload->parameter, sc_format_count(s->lambda.value).s);
  if (s->sigma.value <= 1 && s->kappa.value <= 1)
    sc_buf_printf(out, ". %s of the work is serialised (sigma), coordination costs %s of it for each pair (kappa)",
                  sc_format_percent(s->sigma.value).s, sc_format_percent(s->kappa.value).s);
  sc_buf_printf(out, ". The law is %s off.", sc_format_percent(s->error).s);
}

/* The law knows only of what was measured; a pool that will be too small bounds it. */
static void add_bound(const sc_judge *judge, sc_buf *out)
{
  size_t count, targets = sc_analysis_get_options(judge->loaded.analysis)->target_count;
  const sc_resource_finding *findings = sc_resources_findings(judge->resources, &count);
  for (size_t i = 0; i < count && targets; i++) {
    const sc_resource_finding *f = &findings[i];
    for (size_t k = 0; k < f->number_count && f->servers > 0; k++) {
      double service = f->numbers[k].metric == SC_RMETRIC_HOLD ? f->numbers[k].predictions[targets - 1].value : 0;
      if (!(service > 0))
        continue;
      sc_buf_puts(out, " The pool behind ");
      sc_utf8_show(sc_usage_resource_at(judge->loaded.graph, f->resource)->name, out);
      sc_buf_printf(out, " serves at most %s requests a second.", sc_format_count(f->servers / service).s);
    }
  }
}

/* The Universal Scalability Law's fit. */
static void print_throughput(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  const sc_scalability *s = sc_resources_scalability(judge->resources);
  sc_buf text = {0};
  enum sc_parameter_kind kind = judge->loaded.workload->kind;
  bool people = sc_parameter_is_workers(kind);
  if (!people || !s || (!s->known && (!s->why || options->brief)))
    return;
  fprintf(out, "\n%sThroughput%s\n", options->style.bold, options->style.off);
  if (!s->known)
    sc_buf_printf(&text, "undecided: %s", s->why);
  else
    add_law(judge, s, &text);
  add_bound(judge, &text);
  print_section_wrapped(out, &text, 2, options);
}

static void print_discarded(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count;
  const sc_discarded_event *events = sc_usage_discarded(judge->loaded.graph, &count);
  if (count)
    fprintf(out, "\n%sEvents left out, as the trace speaks against them%s\n", options->style.bold, options->style.off);
  for (size_t i = 0; i < count; i++) {
    sc_buf raw = {0}, text = {0};
    sc_buf_printf(&raw, "- %s of \"%s\": %s", events[i].via, events[i].resource, events[i].why);
    if (sc_buf_finish(&raw) == 0)
      sc_utf8_show(raw.text, &text);
    sc_buf_free(&raw);
    print_section_wrapped(out, &text, 2, options);
  }
}

/* Locks of a library that is not instrumented are no resource that anybody sees. */
static void add_silent(const sc_judge *judge, sc_buf *text)
{
  const char *lines = judge->loaded.seen[SC_SEEN_SILENT_LIBRARY];
  char *copy = lines ? sc_mem_copy_string(lines) : NULL, *rest = copy;
  sc_seen one;
  if (sc_seen_next(&rest, &one)) {
    sc_buf_puts(text, ", of those that are seen: ");
    sc_utf8_show(basename(one.file), text);
    sc_buf_puts(text, " is not instrumented");
  }
  free(copy);
}

int sc_resource_section_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count, listed = 0;
  if (!judge->resources && options->resources)
    fputs("\nThe runs recorded nothing of resources.\n", out);
  if (!judge->resources)
    return 0;
  const sc_resource_finding *findings = sc_resources_findings(judge->resources, &count);
  for (size_t i = 0; i < count; i++)
    listed += is_listed(&findings[i], options);
  if (listed)
    SC_TRY(print_section_findings(out, judge, findings, count, listed, options));
  else if (!count && !options->brief) {
    sc_buf text = {0};
    sc_buf_puts(&text, "No resource turns pathological at the sizes measured and predicted");
    add_silent(judge, &text);
    sc_buf_puts(&text, options->resources ? "." : " (--resources lists them).");
    fputc('\n', out);
    print_section_wrapped(out, &text, 0, options);
  }
  print_section_uncertain(out, judge, count - listed, options);
  if (!options->brief && (count || options->resources))
    SC_TRY(print_section_table(out, judge, options));
  print_throughput(out, judge, options);
  print_discarded(out, judge, options);
  return 0;
}

/* Who waits at other values of further parameters is asked for there. */
static void print_section_place(FILE *out, const sc_judge *judge, const sc_resource_finding *f)
{
  size_t along;
  const sc_judge *there = sc_judge_beside(judge, f, &along);
  sc_buf at = {0};
  if (there->several)
    sc_judge_describe_option(there, sc_analysis_horizon(there->loaded.analysis), &at);
  if (at.length && sc_buf_finish(&at) == 0)
    fprintf(out, " --at %s", at.text);
  sc_buf_free(&at);
}

void sc_resource_section_print_next(FILE *out, const sc_judge *judge)
{
  size_t count = 0, i = 0;
  const sc_resource_finding *findings = judge->resources ? sc_resources_findings(judge->resources, &count) : NULL;
  while (i < count && (findings[i].rule != SC_RULE_CONTENTION || findings[i].servers > 0))
    i++;
  if (i == count)
    return;
  sc_buf name = {0}, text = {0};
  const sc_resource *resource = sc_usage_resource_at(judge->loaded.graph, findings[i].resource);
  uint32_t found;
  bool alone = sc_resource_find(judge->loaded.graph, resource->name, &found) == 0;
  if (alone)
    sc_utf8_show(resource->name, &name);
  else
    sc_resource_words_name(resource, &name);
  sc_buf_puts(&text, "      scale-run blame ");
  if (sc_buf_finish(&name) == 0 && *name.text != '-') {
    sc_operand_quote(name.text, &text);
    if (sc_buf_finish(&text) == 0) {
      fputs(text.text, out);
      sc_operand_print_study(judge->study, out);
      print_section_place(out, judge, &findings[i]);
      fputc('\n', out);
    }
  }
  sc_buf_free(&name);
  sc_buf_free(&text);
}

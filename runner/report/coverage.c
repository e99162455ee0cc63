/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/coverage.h"

#include <string.h>

#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/findings/coverage.h"

typedef struct metric {
  char name[80]; /* "processor time", "cost in cycles", "executions" */
  sc_coverage coverage;
  bool open; /* the rest is to be broken down */
} metric;

typedef struct report {
  const sc_judge *judge;
  bool found; /* there are findings, beside linear growth */
  metric metrics[2];
  size_t count; /* metrics; 0: nothing is to be said */
} report;

/* What the first sentence is about: the findings or, without any, what grows no faster than the workload. */
static bool is_summed_up(bool found, enum sc_coverage_class part_class)
{
  return found ? part_class == SC_COVERAGE_FINDINGS
               : part_class == SC_COVERAGE_LINEAR || part_class == SC_COVERAGE_SUBLINEAR ||
                     part_class == SC_COVERAGE_CONSTANT;
}

static double sum_up(bool found, const sc_coverage *c)
{
  double sum = 0;
  for (int part_class = 0; part_class < SC_COVERAGE_CLASSES; part_class++)
    sum += is_summed_up(found, (enum sc_coverage_class)part_class) ? c->parts[part_class].share : 0;
  return sum;
}

static int add_coverage_metric(report *r, enum sc_coverage_metric of)
{
  const sc_analysis *analysis = r->judge->loaded.analysis;
  const char *unit = sc_analysis_cost_unit(analysis);
  metric *m = &r->metrics[r->count];
  SC_TRY(sc_coverage_at(analysis, &r->judge->findings, of, sc_analysis_horizon(analysis), &m->coverage));
  if (!(m->coverage.total > 0))
    return 0;
  if (of == SC_COVERAGE_EXECUTIONS)
    snprintf(m->name, sizeof m->name, "executions");
  else if (strcmp(unit, "s") == 0)
    snprintf(m->name, sizeof m->name, "processor time");
  else
    snprintf(m->name, sizeof m->name, "cost in %s", unit);
  m->open = !sc_coverage_enough(sum_up(r->found, &m->coverage));
  r->count++;
  return 0;
}

/* Growth along further parameters is not what the total consists of where these have one value. */
static size_t count_found(const sc_judge *judge)
{
  size_t count = 0;
  for (size_t i = 0; i < judge->findings.count; i++)
    count += !judge->findings.list[i].linear && !judge->findings.list[i].along;
  return count;
}

static int make_report(const sc_judge *judge, report *r)
{
  *r = (report){.judge = judge, .found = count_found(judge) > 0};
  if (!sc_analysis_get_options(judge->loaded.analysis)->target_count)
    return 0;
  if (sc_analysis_has_costs(judge->loaded.analysis))
    SC_TRY(add_coverage_metric(r, SC_COVERAGE_COST));
  return add_coverage_metric(r, SC_COVERAGE_EXECUTIONS);
}

/* "93% of the processor time and 99% of the executions at n = 1,000,000" */
static void add_shares(const report *r, sc_buf *out)
{
  for (size_t i = 0; i < r->count; i++) {
    double share = sum_up(r->found, &r->metrics[i].coverage);
    sc_buf_printf(out, "%s%s of the %s", i ? " and " : "", sc_format_percent(share).s, r->metrics[i].name);
  }
  sc_buf_puts(out, " at ");
  sc_judge_describe_all(r->judge, r->metrics[0].coverage.n, out);
}

static void add_summary(const report *r, sc_buf *out)
{
  bool one = count_found(r->judge) == 1;
  if (r->found)
    sc_buf_puts(out, one ? "The finding explains " : "The findings explain ");
  else
    sc_buf_puts(out, "Linear or slower growth makes up ");
  add_shares(r, out);
  sc_buf_puts(out, ".");
}

/* " The rest:", or " The rest of the executions:" where only these are to be broken down; false: nothing is. */
static bool add_coverage_heading(const report *r, sc_buf *out)
{
  const metric *open = r->metrics[0].open ? &r->metrics[0] : &r->metrics[1];
  size_t count = 0;
  for (size_t i = 0; i < r->count; i++)
    count += r->metrics[i].open;
  if (count)
    sc_buf_printf(out, " The rest%s%s:", count < r->count ? " of the " : "", count < r->count ? open->name : "");
  return count > 0;
}

/* Parts to list, the largest of the first open metric first. */
static size_t sort_parts(const report *r, enum sc_coverage_class order[SC_COVERAGE_CLASSES])
{
  const metric *first = r->metrics[0].open ? &r->metrics[0] : &r->metrics[1];
  size_t count = 0;
  for (int part_class = 0; part_class < SC_COVERAGE_CLASSES; part_class++) {
    double most = 0;
    if (is_summed_up(r->found, (enum sc_coverage_class)part_class))
      continue;
    for (size_t i = 0; i < r->count; i++)
      if (r->metrics[i].open && r->metrics[i].coverage.parts[part_class].share > most)
        most = r->metrics[i].coverage.parts[part_class].share;
    if (most < SC_COVERAGE_SHOWN)
      continue;
    size_t at = count++;
    for (; at && first->coverage.parts[order[at - 1]].share < first->coverage.parts[part_class].share; at--)
      order[at] = order[at - 1];
    order[at] = (enum sc_coverage_class)part_class;
  }
  return count;
}

/* "linear growth, 55% in parse (a.c:10:3)"; without the share where the place is all of it. */
static void add_coverage_share(const report *r, const metric *m, enum sc_coverage_class part_class, sc_buf *out)
{
  static const char *const words[] = {
      [SC_COVERAGE_LINEAR] = "linear growth",
      [SC_COVERAGE_UNDECIDED] = "undecided growth",
      [SC_COVERAGE_SMALL] = "superlinear growth at places that are each negligible",
      [SC_COVERAGE_CONSTANT] = "constant",
      [SC_COVERAGE_SUBLINEAR] = "growth slower than linear",
      [SC_COVERAGE_OTHER] = "growth without a finding",
      [SC_COVERAGE_UNMODELLED] = "growth without a model",
      [SC_COVERAGE_UNCOUNTED] = "outside counted functions: start and end of processes, code without instrumentation"};
  const sc_coverage_part *part = &m->coverage.parts[part_class];
  sc_text whole = sc_format_percent(part->share), place = sc_format_percent(part->place_share);
  sc_buf_puts(out, words[part_class]);
  if (part->context == SC_COVERAGE_NOWHERE || part->place_share < SC_COVERAGE_SHOWN)
    return;
  if (strcmp(whole.s, place.s) != 0)
    sc_buf_printf(out, ", %s", place.s);
  sc_buf_puts(out, " in ");
  sc_context_title(r->judge->loaded.graph, part->context, out);
}

/* "20% linear growth in f (a.c:3); 7% constant." */
static void add_coverage_rest(const report *r, const metric *m, sc_buf *out)
{
  enum sc_coverage_class order[SC_COVERAGE_CLASSES];
  report only = {.judge = r->judge, .found = r->found, .metrics = {*m}, .count = 1};
  size_t count = sort_parts(&only, order);
  for (size_t i = 0; i < count; i++) {
    sc_buf_printf(out, "%s%s ", i ? "; " : "", sc_format_percent(m->coverage.parts[order[i]].share).s);
    add_coverage_share(r, m, order[i], out);
  }
  sc_buf_puts(out, ".");
}

int sc_report_coverage_text(const sc_judge *judge, sc_buf *out)
{
  report r;
  SC_TRY(make_report(judge, &r));
  if (!r.count)
    return 0;
  add_summary(&r, out);
  for (size_t i = 0; i < r.count; i++) {
    if (!r.metrics[i].open)
      continue;
    sc_buf_printf(out, " The rest of the %s: ", r.metrics[i].name);
    add_coverage_rest(&r, &r.metrics[i], out);
  }
  return 0;
}

/* Shares below each other, the metrics' names above them where there are two. */
static int print_coverage_table(FILE *out, const report *r, const sc_text_options *options)
{
  enum sc_coverage_class order[SC_COVERAGE_CLASSES];
  size_t count = sort_parts(r, order);
  bool both = r->count == 2 && r->metrics[0].open && r->metrics[1].open;
  const metric *first = r->metrics[0].open ? &r->metrics[0] : &r->metrics[1];
  int widths[2] = {6, 6}, indent = 2;
  for (size_t i = 0; both && i < 2; i++)
    widths[i] = (int)strlen(r->metrics[i].name);
  if (both)
    fprintf(out, "  %s%*s  %*s%s\n", options->style.dim, widths[0], r->metrics[0].name, widths[1], r->metrics[1].name,
            options->style.off);
  for (size_t i = 0; i < count; i++) {
    sc_buf text = {0};
    indent = 0;
    for (size_t m = 0; m < r->count; m++)
      if (r->metrics[m].open)
        indent += fprintf(out, "  %*s", widths[m], sc_format_percent(r->metrics[m].coverage.parts[order[i]].share).s);
    add_coverage_share(r, first, order[i], &text);
    int err = sc_buf_finish(&text);
    if (err == 0) {
      fputs("  ", out);
      sc_format_wrap(out, text.text, indent + 2, indent + 2, options->width);
    }
    sc_buf_free(&text);
    SC_TRY(err);
  }
  return 0;
}

int sc_report_coverage_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  report r;
  sc_buf text = {0};
  SC_TRY(make_report(judge, &r));
  if (!r.count)
    return 0;
  add_summary(&r, &text);
  bool open = options->terse < SC_TERSE_SHARES && add_coverage_heading(&r, &text);
  int err = sc_buf_finish(&text);
  if (err == 0)
    sc_format_wrap(out, text.text, 0, 0, options->width);
  if (err == 0 && open)
    err = print_coverage_table(out, &r, options);
  sc_buf_free(&text);
  return err;
}

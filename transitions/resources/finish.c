/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with all findings together: ranked, and folded where several are about one line. */
#include "transitions/resources/finish.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/nested.h"
#include "transitions/resources/text.h"

/* Worst first: by severity, then by what the rule says of the impact, then by confidence. Contention and exhausted
 * capacities have an impact of 1 and more: they stop everybody. */
typedef struct ranked {
  sc_resource_finding finding;
  double impact;
} ranked;

static int compare_findings(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  const sc_resource_finding *f = &x->finding, *g = &y->finding;
  return SC_COMPARE(g->severity, f->severity) ?: SC_COMPARE(y->impact, x->impact) ?:
         SC_COMPARE(g->confidence, f->confidence) ?: SC_COMPARE(f->resource, g->resource) ?:
         SC_COMPARE(f->rule, g->rule) ?: SC_COMPARE(f->context, g->context) ?: SC_COMPARE(f->line, g->line) ?:
         SC_COMPARE(f->column, g->column);
}

/* By impact, which needs all findings; the order decides which of several about one line keeps its place when they are
 * folded. */
int sc_findings_rank(sc_resources *r)
{
  ranked *all = sc_mem_new(r->finding_count + 1, sizeof *all);
  if (!all)
    return SC_E_NOMEM;
  for (size_t i = 0; i < r->finding_count; i++)
    all[i] = (ranked){r->findings[i], r->impacts[i]};
  qsort(all, r->finding_count, sizeof *all, compare_findings);
  for (size_t i = 0; i < r->finding_count; i++) {
    r->findings[i] = all[i].finding;
    r->impacts[i] = all[i].impact;
  }
  free(all);
  sc_nested_order(r);
  return 0;
}

/* ---- one pathology is one finding: what is kept, grown in steps or never given back for one reason is said once ----
 */

/* Rules about how much of a resource is out, which one cure takes away: bounding it, or giving it back. */
static bool is_about_amount(enum sc_rule rule)
{
  return rule == SC_RULE_LEAK || rule == SC_RULE_UNBOUNDED_GROWTH || rule == SC_RULE_INSUFFICIENT_ALLOCATION;
}

/* Both name one line of one function. */
static bool is_same_line(const sc_resources *r, const sc_resource_finding *a, const sc_resource_finding *b)
{
  return a->context != SC_USAGE_NONE && b->context != SC_USAGE_NONE && a->line && a->line == b->line &&
         a->resource == b->resource &&
         sc_graph_location_of(r->graph, a->context) == sc_graph_location_of(r->graph, b->context);
}

static const sc_resource_cell *cell_of(const sc_resources *r, const sc_resource_finding *f)
{
  sc_resource_spot spot = {f->resource, f->context, f->line, f->column};
  return sc_resource_cells_find(r, &spot);
}

/* Lines of one function enlarge theirs as often in every run: arrays that grow together. */
static bool is_enlarged_together(const sc_resources *r, const sc_resource_finding *a, const sc_resource_finding *b)
{
  if (a->rule != SC_RULE_INSUFFICIENT_ALLOCATION || b->rule != a->rule || a->resource != b->resource ||
      a->context == SC_USAGE_NONE || b->context == SC_USAGE_NONE ||
      sc_graph_location_of(r->graph, a->context) != sc_graph_location_of(r->graph, b->context))
    return false;
  const sc_resource_cell *x = cell_of(r, a), *y = cell_of(r, b);
  bool alike = x && y && sc_resource_cell_sum(x, r->run_count - 1, SC_RSUM_RESIZES) > 0;
  for (size_t run = 0; alike && run < r->run_count; run++)
    alike = sc_resource_cell_sum(x, run, SC_RSUM_RESIZES) == sc_resource_cell_sum(y, run, SC_RSUM_RESIZES);
  return alike;
}

bool sc_findings_same(const sc_resources *r, const sc_resource_finding *a, const sc_resource_finding *b)
{
  bool here = a->resource == b->resource && a->context == b->context && a->line == b->line && a->column == b->column;
  bool alike = a->rule == b->rule || (is_about_amount(a->rule) && is_about_amount(b->rule));
  return alike && (here || is_same_line(r, a, b));
}

/* "unbounded-growth in column 41: peak outstanding 192,000, predicted at n = 100,000: 2.4 million" */
static void describe_merged(const sc_resources *r, const sc_resource_finding *weaker,
                            const sc_resource_finding *stronger, sc_buf *out)
{
  sc_buf_puts(out, out->length ? "; " : "");
  sc_buf_puts(out, sc_rule_id(weaker->rule));
  if (weaker->column && weaker->column != stronger->column)
    sc_buf_printf(out, " in column %u", weaker->column);
  if (!weaker->number_count)
    return;
  const sc_resource_number *number = &weaker->numbers[0];
  sc_buf_printf(out, ": %s ", sc_resource_metric_name(number->metric));
  sc_rtext_value(number->metric, number->measured, out);
  if (number->metric == SC_RMETRIC_PEAK || number->metric == SC_RMETRIC_OUTSTANDING ||
      number->metric == SC_RMETRIC_UNITS) {
    sc_buf_puts(out, " ");
    sc_rtext_units(r, &r->cells[weaker->resource], number->measured, out);
  }
  sc_rtext_predicted(r, weaker, number->metric, out);
}

static const char ELSEWHERE[] = "as often in line ";

static int append_text(char **text, const char *between, const char *more)
{
  sc_buf all = {0};
  sc_buf_puts(&all, *text ? *text : "");
  sc_buf_puts(&all, all.length ? between : "");
  sc_buf_puts(&all, more);
  int err = sc_buf_finish(&all);
  if (err == 0) {
    free(*text);
    *text = sc_buf_take(&all);
  }
  sc_buf_free(&all);
  return err;
}

/* The weaker as a line of the stronger. */
static int fold_finished(const sc_resources *r, sc_resource_finding *stronger, const sc_resource_finding *weaker)
{
  sc_buf line = {0};
  const char *between = "; ";
  if (weaker->line == stronger->line) {
    describe_merged(r, weaker, stronger, &line);
  } else { /* its numbers are nearly the same */
    bool more =
        stronger->also && strncmp(stronger->also, ELSEWHERE, sizeof ELSEWHERE - 1) == 0 && !strchr(stronger->also, ';');
    between = more ? ", " : between;
    sc_buf_printf(&line, "%s%u", more ? "line " : ELSEWHERE, weaker->line);
  }
  int err = sc_buf_finish(&line);
  if (err == 0)
    err = append_text(&stronger->also, between, line.text);
  sc_buf_free(&line);
  if (err == 0 && weaker->rule != stronger->rule && weaker->advice)
    err = append_text(&stronger->advice, " ", weaker->advice);
  return err;
}

static bool is_one_pathology(const sc_resources *r, const sc_resource_finding *a, const sc_resource_finding *b)
{
  return (is_about_amount(a->rule) && is_about_amount(b->rule) && is_same_line(r, a, b)) ||
         is_enlarged_together(r, a, b);
}

/* Several rules about how much is obtained may hold at one line, and one at several lines, for one reason: the reader
 * gets one finding, which mentions the others. */
int sc_findings_fold(sc_resources *r)
{
  size_t used = 0;
  int err = 0;
  for (size_t i = 0; i < r->finding_count; i++) {
    sc_resource_finding *f = &r->findings[i];
    size_t into = used;
    for (size_t k = 0; err == 0 && into == used && k < used; k++)
      if (is_one_pathology(r, &r->findings[k], f))
        into = k;
    if (err == 0 && into < used) {
      err = fold_finished(r, &r->findings[into], f);
      sc_resource_finding_clear(f);
    } else {
      r->impacts[used] = r->impacts[i];
      r->findings[used++] = *f;
    }
  }
  r->finding_count = used;
  return err;
}

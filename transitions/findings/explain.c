/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences of a finding: what was counted (evidence), and what to do (advice). They name only what the runs
 * showed, with the reader's own names; figures of other sizes are predictions and stand elsewhere, with their
 * intervals. */
#include "transitions/findings/explain.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "profiles/graph/shorten.h"
#include "transitions/findings/recursion.h"
#include "transitions/findings/spread.h"
#include "transitions/findings/work.h"
#include "transitions/model/order.h"
#include "transitions/model/spent.h"
#include "transitions/model/tuning.h"
#include "transitions/model/waiting.h"

/* A thundering herd: all that wait for a condition are woken, one gets on, and the others wait again. In the last run
 * of the largest size: */
typedef struct sc_herd {
  uint32_t resource;      /* the condition */
  double waits;           /* for it in the loop */
  double wakings;         /* of all who wait for it: calls */
  const sc_usage *waking; /* the call that did most of them; owned by the graph */
} sc_herd;

static size_t last_run(const sc_analysis *a) { return sc_analysis_run(a, sc_analysis_run_count(a) - 1); }

/* Whoever waits until a time may be woken by that. */
static bool has_timeout(const sc_usage *row)
{
  return strstr(row->via, "timedwait") || strstr(row->via, "clockwait") || strstr(row->via, "wait_for") ||
         strstr(row->via, "wait_until");
}

/* The condition that is waited for most in the loop, for as long as it takes. */
static bool find_condition(const sc_graph *graph, size_t run, uint32_t loop, sc_herd *h)
{
  size_t count;
  const sc_usage *row = sc_usage_rows(graph, run, &count);
  for (size_t i = 0; i < count; i++)
    if (row[i].event == SC_USAGE_EVENT_WAIT && row[i].values[SC_USAGE_WAITS] > h->waits &&
        sc_usage_resource_at(graph, row[i].resource)->resource_class == SC_RESOURCE_CONDITION &&
        !has_timeout(&row[i]) && sc_graph_within(graph, row[i].context, loop))
      *h = (sc_herd){.resource = row[i].resource, .waits = row[i].values[SC_USAGE_WAITS]};
  return h->waits > 0;
}

/* By the names of what wakes: pthread_cond_broadcast, cnd_broadcast, notify_all of the standard's classes. */
static bool wakes_all(const sc_usage *row) { return strstr(row->via, "broadcast") || strstr(row->via, "notify_all"); }

/* Returns how often one alone was woken. */
static double count_wakings(const sc_graph *graph, size_t run, sc_herd *h)
{
  size_t count;
  double single = 0;
  const sc_usage *row = sc_usage_rows(graph, run, &count);
  for (size_t i = 0; i < count; i++) {
    double wakings = row[i].values[SC_USAGE_WRITES];
    if (row[i].resource != h->resource)
      continue;
    if (!wakes_all(&row[i])) {
      single += wakings;
      continue;
    }
    h->wakings += wakings;
    if (!h->waking || wakings > h->waking->values[SC_USAGE_WRITES])
      h->waking = &row[i];
  }
  return single;
}

/* Whether that is what the finding's loop is about. */
static bool find_herd(const sc_analysis *a, const sc_finding *f, sc_herd *h)
{
  const sc_graph *graph = sc_analysis_graph(a);
  size_t run = last_run(a);
  *h = (sc_herd){0};
  if (!find_condition(graph, run, f->context, h) ||
      h->waits < SC_HERD_WAITS * sc_graph_value(graph, run, f->context, SC_METRIC_COUNT))
    return false;
  double single = count_wakings(graph, run, h); /* each of these has ended one of the waits */
  return h->wakings > 0 && h->waits - single >= SC_HERD_EACH * h->wakings;
}

void sc_explain_number(sc_buf *out, double value)
{
  char digits[64];
  if (!isfinite(value) || fabs(value) >= 1e15) {
    sc_buf_printf(out, "%.4g", value);
    return;
  }
  if (fabs(value) < 1000 && value != floor(value)) {
    sc_buf_printf(out, "%.4g", value);
    return;
  }
  int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
  if (value < 0)
    sc_buf_puts(out, "-");
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0)
      sc_buf_puts(out, ",");
    sc_buf_add(out, &digits[i], 1);
  }
}

static void add_name(const sc_analysis *analysis, uint32_t context, sc_buf *out)
{
  const sc_graph *graph = sc_analysis_graph(analysis);
  uint32_t through;
  (void)sc_graph_written(graph, context, &through);
  sc_shorten_name(sc_graph_at(graph, through ? through : context)->display, out);
}

/* Mean over the repeats of the size that starts at run position `first`; *next is where the next size starts. */
static double mean_at(const sc_analysis *a, uint32_t context, size_t first, size_t *next)
{
  double n = a->sizes[first], sum = 0;
  size_t i = first;
  for (; i < a->run_count && a->sizes[i] == n; i++)
    sum += sc_graph_value(a->graph, a->runs[i], context, SC_METRIC_COUNT);
  *next = i;
  return sum / (double)(i - first);
}

/* What evidence shows of executions: what was counted; away from the runs what their models say of these sizes. */
static double count_at(const sc_analysis *a, uint32_t context, size_t first, size_t *next)
{
  double counted = mean_at(a, context, first, next);
  return a->moved ? sc_model_value(sc_analysis_model(a, context), a->sizes[first]) : counted;
}

/* As count_at, of all sites together, whose sums in each run these are. */
static double mean_of_sites(const sc_analysis *a, const double *sums, size_t first, size_t *next)
{
  double sum = 0;
  size_t i = first;
  for (; i < a->run_count && a->sizes[i] == a->sizes[first]; i++)
    sum += sums[i];
  *next = i;
  return sum / (double)(i - first);
}

/* As mean_at, of the own cost of one execution, of all sites of a spread finding together; 0 where none was executed.
 */
static double finding_cost_at(const sc_analysis *a, const sc_finding *f, size_t first, size_t *next)
{
  double cost = 0, count = 0;
  for (size_t s = 0; s < (f->spread ? f->site_count : 1); s++) {
    uint32_t context = f->spread ? f->sites[s].context : f->context;
    count += mean_at(a, context, first, next) * (double)(*next - first);
    for (size_t i = first; i < *next; i++)
      cost += sc_spent_at(a, i, context);
  }
  return count > 0 ? cost / count : 0;
}

void sc_explain_duration(double seconds, sc_buf *out)
{
  static const struct {
    double unit;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  size_t i = 0;
  while (i < 3 && seconds < 0.9995 * units[i].unit)
    i++;
  sc_buf_printf(out, "%.3g %s", seconds / units[i].unit, units[i].name);
}

static void add_cost(double value, const char *unit, sc_buf *out)
{
  if (strcmp(unit, "s") == 0)
    sc_explain_duration(value, out);
  else
    sc_buf_printf(out, "%.3g %s", value, unit);
}

static void add_points(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  const char *variable = sc_analysis_get_options(a)->variable;
  size_t sizes = sc_analysis_size_count(a), number = 0, shown = 0;
  bool skipped = false;
  bool summed = (f->spread || f->together) && !f->has_cost_model;
  double *sums = summed ? sc_spread_sum(a, f->sites, f->site_count, f->spread) : NULL;
  if (summed && !sums) {
    out->failed = true;
    return;
  }
  for (size_t i = 0, next; i < sc_analysis_run_count(a); i = next, number++) {
    double value = f->has_cost_model ? finding_cost_at(a, f, i, &next)
                   : summed          ? mean_of_sites(a, sums, i, &next)
                                     : count_at(a, f->context, i, &next);
    /* the first two and the last ones: the start of the growth and where it has got to */
    if (sizes > SC_EXPLAIN_POINTS && number >= 2 && number < sizes - (SC_EXPLAIN_POINTS - 2)) {
      skipped = true;
      continue;
    }
    sc_buf_puts(out, shown++ ? (skipped ? "; ...; " : "; ") : "");
    skipped = false;
    sc_buf_printf(out, "%s = ", variable);
    sc_explain_number(out, sc_analysis_size(a, i));
    sc_buf_puts(out, ": ");
    if (f->has_cost_model)
      add_cost(value, sc_analysis_cost_unit(a), out);
    else
      sc_explain_number(out, value);
  }
  free(sums);
}

static bool loop_of(const sc_analysis *a, const sc_finding *finding)
{
  return sc_graph_at(sc_analysis_graph(a), finding->context)->kind == SC_LOCATION_LOOP;
}

bool sc_explain_waits(const sc_finding_prediction *prediction)
{
  double share = prediction->waiting_share;
  return share >= SC_EXPLAIN_WAITS && prediction->waiting >= share * SC_ELAPSED_SHORT;
}

/* What its calls of the system wait for at the last target. */
static void add_finding_waiting(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out)
{
  const sc_analysis_options *options = sc_analysis_get_options(analysis);
  const sc_finding_prediction *last = &finding->predictions[options->target_count ? options->target_count - 1 : 0];
  if (!sc_explain_waits(last))
    return;
  sc_buf_printf(out, " At %s = ", options->variable);
  sc_explain_number(out, last->n);
  sc_buf_puts(out, " calls in it wait ");
  sc_explain_number(out, last->waiting);
  sc_buf_printf(out, " s%s: %.0f%% of the elapsed time%s.", sc_waiting_overlaps(analysis) ? ", in all threads" : "",
                100 * last->waiting_share, sc_waiting_overlaps(analysis) ? " of all of them" : "");
}

void sc_explain_evidence(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out)
{
  const char *unit = sc_location_unit(sc_graph_at(sc_analysis_graph(analysis), finding->context));
  double depth = finding->kind == SC_FINDING_RECURSION ? sc_recursion_depth(analysis, finding->context, true) : 0;
  if (finding->has_cost_model) {
    sc_buf_puts(out, finding->spread              ? "Own cost of one execution of all together at "
                     : loop_of(analysis, finding) ? "Own cost of one iteration at "
                                                  : "Own cost of one call at ");
    add_points(analysis, finding, out);
    sc_buf_puts(out, ".");
    if (finding->spread)
      sc_spread_evidence(analysis, finding, out);
    return;
  }
  if (*sc_analysis_held(analysis))
    sc_buf_printf(out, "Measured at %s: ", sc_analysis_held(analysis));
  if (sc_analysis_moved(analysis))
    sc_buf_puts(out, "By models of all runs, at other values of further parameters: ");
  if (finding->spread)
    sc_buf_puts(out, "Executions of all together at ");
  else
    sc_buf_printf(out, "%c%s at ", toupper((unsigned char)*unit), unit + 1);
  add_points(analysis, finding, out);
  sc_buf_puts(out, ".");
  if (finding->model.exact && !sc_analysis_moved(analysis))
    sc_buf_puts(out, " The model reproduces every one of them exactly.");
  if (finding->spread)
    sc_spread_evidence(analysis, finding, out);
  if (depth > 0) {
    sc_buf_puts(out, " Deepest recursion at the largest size: ");
    sc_explain_number(out, depth);
    sc_buf_puts(out, depth == 1 ? " level." : " levels.");
  }
  add_finding_waiting(analysis, finding, out);
}

static void add_order(const sc_analysis *a, const sc_order *order, sc_buf *out)
{
  char text[64];
  sc_model_format_order(order, sc_analysis_get_options(a)->variable, text, sizeof text);
  sc_buf_puts(out, text);
}

/* What one entry contributes: the orders' difference. Fitted exponents are off a little where the program's are
 * whole: a quotient close to a whole power is that power. */
static sc_order order_between(const sc_order *from, const sc_order *to)
{
  if (to->base > 0 && !(from->base > 0))
    return *to;
  sc_order each = {.exponent = to->exponent - from->exponent, .log_exponent = to->log_exponent - from->log_exponent};
  if (fabs(each.exponent - round(each.exponent)) < SC_EXPLAIN_WHOLE)
    each.exponent = round(each.exponent);
  each.log_exponent = fmax(0, each.log_exponent);
  each.integer = (int)lround(each.exponent);
  return each;
}

static bool is_finding_constant(const sc_order *order)
{
  return order->exponent < SC_ORDER_STEP && order->log_exponent <= 0;
}

static void add_enclosing(const sc_analysis *a, uint32_t context, sc_buf *out)
{
  const sc_graph *graph = sc_analysis_graph(a);
  while (context && sc_graph_at(graph, context)->kind != SC_LOCATION_FUNCTION)
    context = sc_graph_parent(graph, context);
  if (context)
    add_name(a, context, out);
  else
    sc_buf_puts(out, "the program");
}

static void add_file(const char *file, uint32_t line, sc_buf *out)
{
  if (!*file)
    return;
  sc_buf_puts(out, " (");
  sc_utf8_show(sc_path_last(file), out);
  sc_buf_printf(out, line ? ":%u)" : ")", line);
}

static const char *advise_herd(const sc_analysis *a, const sc_herd *h, sc_buf *out)
{
  const sc_graph *graph = sc_analysis_graph(a);
  const sc_resource *resource = sc_usage_resource_at(graph, h->resource);
  uint32_t through, context = sc_graph_written(graph, h->waking->context, &through);
  sc_location spot = sc_graph_spot(graph, h->waking->context);
  sc_buf_puts(out, "Thundering herd: ");
  add_enclosing(a, context, out);
  add_file(spot.file, !through && h->waking->line ? h->waking->line : spot.line, out);
  sc_buf_puts(out, " wakes all threads that wait for ");
  sc_utf8_show(*resource->name ? resource->name : "a condition", out);
  add_file(resource->file, resource->line, out);
  sc_buf_printf(out, ", and most only wait again: at %s = ", sc_analysis_get_options(a)->variable);
  sc_explain_number(out, sc_analysis_size(a, sc_analysis_run_count(a) - 1));
  sc_buf_puts(out, ", ");
  sc_explain_number(out, h->waits);
  sc_buf_puts(out, " waits here for ");
  sc_explain_number(out, h->wakings);
  sc_buf_puts(out, " wake-ups of all.");
  return "Wake one thread (pthread_cond_signal, notify_one) if any of them can proceed; if they wait for different "
         "things, "
         "use one condition for each. Wake all only for what all must see, such as the end of the work.";
}

/* A cause is worth more than a description: the herd is looked for first, then the loop that does it all in one
 * pass. */
static const char *advise_superlinear(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  sc_order each = order_between(&f->from, &f->to);
  sc_herd herd;
  if (find_herd(a, f, &herd))
    return advise_herd(a, &herd, out);
  if (is_finding_constant(&f->from)) {
    sc_buf_puts(out, "One pass of this loop in ");
    add_enclosing(a, f->context, out);
    sc_buf_puts(out, " already makes ");
    add_order(a, &f->to, out);
    sc_buf_puts(out, " iterations.");
    return "Check what bounds it, and whether it visits the same data more than once.";
  }
  add_enclosing(a, f->context, out);
  sc_buf_puts(out, " gets here about ");
  add_order(a, &f->from, out);
  sc_buf_puts(out, " times, and each time this loop makes ");
  /* both orders are told, so these have to be their quotient: n / log n */
  sc_buf_puts(out, f->from.log_exponent > f->to.log_exponent ? "almost " : "about ");
  add_order(a, &each, out);
  sc_buf_puts(out, " steps.");
  return "Replace the walk by an index or a hash, keep its result up to date, or hoist it.";
}

static const char *advise_exponential(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  const char *variable = sc_analysis_get_options(a)->variable;
  if (f->kind == SC_FINDING_LOOP)
    sc_buf_puts(out, "This loop in ");
  add_enclosing(a, f->context, out);
  sc_buf_printf(out, " does %.3g times the work when %s grows by 1.", f->to.base, variable);
  return f->kind == SC_FINDING_LOOP
             ? "If it tries all subsets or all combinations, cut off what cannot lead to a result, or use an algorithm "
               "made for the problem."
             : "If the same arguments come again and again, remember the results or compute them bottom-up; if it "
               "tries all possibilities, cut off what cannot lead to a result.";
}

static const char *advise_linear(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  double each = sc_analysis_cost_each(a, f->context);
  sc_buf_puts(out, "Linear growth is often intended.");
  if (f->kind == SC_FINDING_WORK) {
    sc_buf_puts(out, " ");
    sc_work_describe(a, f, out);
  }
  if (each > 0 && f->kind != SC_FINDING_WORK && sc_analysis_timed(a)) {
    sc_buf_puts(out, " An iteration takes ");
    sc_explain_duration(each, out);
    sc_buf_puts(out, " of its own, without what it calls.");
  }
  return "If the caller must answer at once, do this work in the background, in batches, or for the visible part "
         "alone; else make what stands inside cheaper.";
}

/* Of a function that was counted alone. */
static const char *advise_entry(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  add_name(a, f->context, out);
  sc_buf_puts(out, " is called about ");
  add_order(a, &f->to, out);
  sc_buf_puts(out, " times; who calls it was not counted.");
  return "Count its callers as well (--uprobes): the loop is in the nearest one whose own calls grow less.";
}

static const char *advise_implicit(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  if (sc_analysis_get_options(a)->entries)
    return advise_entry(a, f, out);
  const sc_location *by = sc_graph_at(sc_analysis_graph(a), f->parent);
  if (by->kind == SC_LOCATION_FOREIGN) {
    add_name(a, f->parent, out);
    sc_buf_puts(out, " calls ");
    add_name(a, f->context, out);
    sc_buf_puts(out, " back ");
  } else if (by->kind == SC_LOCATION_PROCESS) {
    sc_buf_puts(out, "Code without instrumentation (thread start, signal, event) enters ");
    add_name(a, f->context, out);
    sc_buf_puts(out, " ");
  } else {
    sc_buf_puts(out, "Without a loop in the program, ");
    add_name(a, f->context, out);
    sc_buf_puts(out, " is called under ");
    add_name(a, f->parent, out);
    sc_buf_puts(out, " ");
  }
  sc_buf_puts(out, "about ");
  add_order(a, &f->to, out);
  sc_buf_puts(out, " times.");
  return f->to.log_exponent > 0 ? "That is what sorting needs: make one call cheap, for instance by computing keys "
                                  "beforehand, or sort less often."
                                : "Gather the notifications and handle them once, block them while many items change, "
                                  "or make the handler's work independent of the number of items.";
}

static const char *advise_recursion(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  double first = sc_recursion_depth(a, f->context, false), last = sc_recursion_depth(a, f->context, true);
  add_name(a, f->context, out);
  sc_buf_puts(out, " calls itself about ");
  add_order(a, &f->to, out);
  sc_buf_puts(out, " times in all.");
  if (sc_order_superlinear(&f->to))
    sc_buf_puts(out, " Look for parts that are visited again and again, and remember their results.");
  return last > first && first > 0
             ? "It also goes deeper as the workload grows: bound the depth or use a stack of your "
               "own, before the thread's stack overflows."
             : "Check that its depth stays bounded.";
}

static const char *advise_growing_cost(const sc_analysis *a, const sc_finding *f, sc_buf *out)
{
  sc_order each = order_between(&f->from, &f->to);
  sc_buf_puts(out, loop_of(a, f) ? "The cost of one iteration grows as " : "The cost of one call grows as ");
  add_order(a, &each, out);
  sc_buf_puts(out, ", though no loop of the program runs in it.");
  return "Look for library or system calls that go over growing data (strlen, strcat, memmove, erasing at the front, "
         "growing a buffer by a fixed step), and keep the length, append, or take the call out of the loop. Memory "
         "that no longer fits the caches costs more too, but rarely this much.";
}

/* What happens, written to `out`, and what to do about it, the same text for all that it helps; "" where `out` has
 * both.
 */
static const char *advise_finding(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out)
{
  switch (finding->rule) {
  case SC_RULE_EXPONENTIAL:
    return advise_exponential(analysis, finding, out);
  case SC_RULE_SUPERLINEAR_LOOP:
    return advise_superlinear(analysis, finding, out);
  case SC_RULE_IMPLICIT_LOOP:
    return advise_implicit(analysis, finding, out);
  case SC_RULE_RECURSION:
    return advise_recursion(analysis, finding, out);
  case SC_RULE_GROWING_COST:
    return advise_growing_cost(analysis, finding, out);
  case SC_RULE_LIBRARY_WORK:
    sc_work_describe(analysis, finding, out);
    return sc_work_advice(sc_analysis_graph(analysis), finding->context);
  case SC_RULE_SPREAD_GROWTH:
    sc_spread_advice(analysis, finding, out);
    return "";
  case SC_RULE_LOG_FACTOR:
    return "A logarithmic factor is the price of a tree or a search; if it matters, a hash table or a sorted pass over "
           "both sides avoids it.";
  default: /* rules about resources have their own: transitions/resources */
    return advise_linear(analysis, finding, out);
  }
}

const char *sc_explain_advice(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out)
{
  const char *remedy = advise_finding(analysis, finding, out);
  sc_buf_printf(out, "%s%s", out->length && *remedy ? " " : "", remedy);
  return remedy;
}

int sc_explain_take(sc_buf *evidence, sc_buf *advice, char **evidence_text, char **advice_text)
{
  int err = sc_buf_finish(evidence) ?: sc_buf_finish(advice);
  *evidence_text = sc_buf_take(evidence);
  *advice_text = sc_buf_take(advice);
  return err;
}

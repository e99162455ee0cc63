/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What limits the answers, each with the option that would help. Silence here means that nothing does. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/process/harvest.h"
#include "runner/report/command.h"
#include "runner/report/outcome.h"
#include "runner/report/plain.h"
#include "runner/report/seen.h"
#include "runner/report/text.h"
#include "runner/resources/conditions.h"
#include "runner/several/several.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "runner/workload/expand.h"
#include "transitions/model/order.h"

typedef struct caveats {
  FILE *out;
  const sc_text_options *options;
  size_t count;
} caveats;

static size_t count_shown(const sc_text_options *options)
{
  if (!options->brief)
    return SIZE_MAX;
  return options->terse >= SC_TERSE_CAVEATS ? 0 : SC_CAVEATS_BRIEF;
}

static void add_caveat(caveats *list, sc_buf *text)
{
  if (list->count >= count_shown(list->options))
    list->count++;
  else if (sc_buf_finish(text) == 0) {
    if (list->count++ == 0)
      fprintf(list->out, "\n%sWhat is not known%s\n", list->options->style.bold, list->options->style.off);
    fputs("  - ", list->out);
    sc_format_wrap(list->out, text->text, 4, 4, list->options->width);
  }
  sc_buf_free(text);
}

static double largest_count(const sc_graph *graph, uint32_t context)
{
  double largest = 0;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++)
    largest = fmax(largest, sc_graph_executions(graph, run, context));
  return largest;
}

/* What the contexts without a model weigh at the sizes measured. */
typedef struct weight {
  size_t count;
  uint32_t worst;          /* the one executed most */
  double cost, executions; /* shares */
} weight;

static double total_of(const sc_graph *graph, size_t runs, uint32_t context, enum sc_metric metric)
{
  double sum = 0;
  for (size_t run = 0; run < runs; run++)
    sum += sc_graph_value(graph, run, context, metric);
  return sum;
}

static bool has_caveat_costs(const sc_graph *graph, size_t runs)
{
  while (runs && !sc_graph_has_values(graph, runs - 1, SC_METRIC_COST))
    runs--;
  return runs > 0;
}

static weight weigh_untold(const sc_judge *judge)
{
  const sc_graph *graph = judge->loaded.graph;
  double cost = 0, executions = 0;
  size_t runs = sc_graph_run_count(graph), costs = has_caveat_costs(graph, runs) ? runs : 0;
  weight w = {0};
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++) {
    const sc_location *location = sc_graph_at(graph, c);
    if (!sc_analysis_in_scope(judge->loaded.analysis, c))
      continue;
    double own = total_of(graph, costs, c, SC_METRIC_COST);
    double executed = total_of(graph, runs, c, SC_METRIC_COUNT) * sc_location_weight(location);
    cost += own;
    executions += executed;
    if (!sc_location_is_counted(location) ||
        sc_analysis_model(judge->loaded.analysis, c)->verdict != SC_VERDICT_CANNOT_TELL || largest_count(graph, c) == 0)
      continue;
    w.count++;
    w.cost += own;
    w.executions += executed;
    if (!w.worst || largest_count(graph, c) > largest_count(graph, w.worst))
      w.worst = c;
  }
  w.cost = cost > 0 ? w.cost / cost : 0;
  w.executions = executions > 0 ? w.executions / executions : 0;
  return w;
}

/* Contexts without a model: how many, what that means for the predictions, and the one executed most. */
static void without_models(caveats *list, const sc_judge *judge)
{
  bool counts = !sc_analysis_has_costs(judge->loaded.analysis);
  const sc_untold *untold = sc_analysis_untold(judge->loaded.analysis);
  bool of_chance = untold->most && untold->chance;
  weight w = weigh_untold(judge);
  const char *them = w.count == 1 ? "it" : "them";
  if (!w.count)
    return;
  sc_buf text = {0};
  const sc_model *model = sc_analysis_model(judge->loaded.analysis, w.worst);
  sc_buf_printf(&text, "%s %s counts that follow no model, with %s of the executions measured",
                sc_format_plural(w.count, "context").s, w.count == 1 ? "has" : "have",
                sc_format_percent(w.executions).s);
  if (!counts)
    sc_buf_printf(&text, " and %s of the cost", sc_format_percent(w.cost).s);
  sc_buf_printf(&text, ". Predictions take %s to grow like the code that calls %s", them, them);
  if (w.executions < SC_CAVEATS_LITTLE && w.cost < SC_CAVEATS_LITTLE) {
    sc_buf_puts(&text, ": so little hardly matters for the total.");
    add_caveat(list, &text);
    return;
  }
  sc_buf_printf(&text, ". %s ", w.count == 1 ? "It is" : "The one executed most is");
  sc_context_title(judge->loaded.graph, w.worst, &text);
  if (*model->why)
    sc_buf_printf(&text, ": %s", model->why);
  if (judge->loaded.attached > 0)
    sc_buf_puts(&text, ". Further attaches under the same loads, and under larger ones, may settle it.");
  else
    sc_buf_printf(&text, ". Check with `scale-run verify`; %sinput that is the same at every run of a size%s.",
                  of_chance ? "" : "a wider range (-P or <range>) may settle it, and ",
                  of_chance ? " may settle it" : "");
  add_caveat(list, &text);
}

/* " With m = 8 measured as well, it is decided: -P m=1,2,4,8." */
static void add_deciding_value(const sc_judge *judge, const sc_undecided *u, sc_buf *out)
{
  const sc_workload_other *other = &judge->loaded.workload->others[sc_judge_along(judge, u->along)];
  char number[64];
  sc_buf_printf(out, " With %s = %s measured as well, it is decided: -P %s=", other->name,
                sc_format_number(u->deciding).s, other->name);
  sc_expand_number(other->base, number, sizeof number); /* the first one is the base */
  sc_buf_puts(out, number);
  for (size_t v = 0; v < other->count; v++) {
    sc_expand_number(other->values[v], number, sizeof number);
    if (other->values[v] != other->base)
      sc_buf_printf(out, ",%s", number);
  }
  sc_expand_number(u->deciding, number, sizeof number);
  sc_buf_printf(out, ",%s.", number);
}

/* Places that may be the next finding: the costliest few, and how many more. */
static void caveat_undecided(caveats *list, const sc_judge *judge)
{
  size_t count = judge->findings.undecided_count,
         shown = list->options->all || count <= SC_CAVEATS_UNDECIDED ? count : SC_CAVEATS_UNDECIDED;
  for (size_t i = 0; i < shown; i++) {
    const sc_undecided *u = &judge->findings.undecided[i];
    sc_buf text = {0};
    char order[64];
    const char *variable = sc_findings_variable(judge->loaded.analysis, u->along);
    sc_model_format_order(&u->to, variable, order, sizeof order);
    if (u->spread)
      sc_buf_printf(&text, "%s together", u->spread->title);
    else
      sc_context_title(judge->loaded.graph, u->context, &text);
    sc_buf_printf(&text, " may grow as fast as %s: that is undecided. %s", order, u->reason);
    if (u->along && isfinite(u->deciding))
      add_deciding_value(judge, u, &text);
    else if (isfinite(u->deciding))
      sc_buf_printf(&text, " A range up to %s = %s would decide (-P or <range>).", variable,
                    sc_format_number(sc_workload_round_up(judge->loaded.workload, u->deciding)).s);
    add_caveat(list, &text);
  }
  if (shown < count) {
    sc_buf text = {0};
    sc_buf_printf(&text, "Also undecided in this way, with --all: %s.", sc_format_plural(count - shown, "place").s);
    add_caveat(list, &text);
  }
}

/* What the code has and the numbers have not. */
static void in_code(caveats *list, const sc_judge *judge)
{
  for (int kind = 0; kind < SC_SEEN_KINDS; kind++) {
    sc_buf text = {0};
    if (sc_report_seen_text(judge->loaded.seen[kind], (enum sc_seen_kind)kind, list->options->all, &text))
      add_caveat(list, &text);
    sc_buf_free(&text);
  }
}

typedef struct sums {
  uint64_t processes, truncated, lost_bytes, lost_records, lost_processes, lost_events, untimed, samples, dropped;
  int lost_reason;
  size_t sampled_runs;
  double longest; /* seconds of processor time of a run */
} sums;

static sums sum_up_runs(const sc_graph *graph)
{
  sums s = {0};
  for (size_t i = 0; i < sc_graph_run_count(graph); i++) {
    const sc_run *run = sc_graph_run_const(graph, i);
    s.truncated += run->truncated_nodes;
    s.lost_bytes += run->lost_bytes;
    s.lost_records += run->lost_records;
    s.lost_processes += run->lost_processes;
    s.processes += run->processes;
    s.lost_reason = s.lost_reason ? s.lost_reason : run->lost_reason;
    s.lost_events += run->lost_events;
    s.untimed += run->untimed;
    s.samples += run->samples;
    s.sampled_runs += *run->cost_event != '\0';
    s.longest = fmax(s.longest, sc_run_processor(run));
    s.dropped += run->samples_lost;
  }
  return s;
}

/* Counts that are missing: of whole processes, and of parts of profiles. */
static void missing_counts(caveats *list, const sums *s)
{
  sc_buf text = {0};
  bool full = s->lost_reason == ENOSPC || s->lost_reason == EDQUOT || s->lost_reason == EFBIG;
  if (s->lost_processes) {
    sc_buf_printf(&text, "%s of %s processes left no profile: what they did is missing from every figure. ",
                  sc_format_number((double)s->lost_processes).s,
                  sc_format_number((double)(s->processes + s->lost_processes)).s);
    if (s->lost_reason)
      sc_buf_printf(&text, "They could not write one (%s): %s.", strerror(s->lost_reason),
                    sc_harvest_reason_hint(s->lost_reason));
    else
      sc_buf_puts(&text, "They were killed before they had begun it.");
    add_caveat(list, &text);
  }
  if (s->lost_bytes || s->lost_records) {
    sc_buf_puts(&text, full             ? "The disk was full: "
                       : s->lost_reason ? "The program could not extend its profile: "
                                        : "Processes were killed while they wrote their profiles, or profiles are "
                                          "damaged: ");
    sc_buf_printf(&text, "%s of counts and %s are lost.", sc_format_bytes((double)s->lost_bytes).s,
                  sc_format_plural(s->lost_records, "record").s);
    if (full)
      sc_buf_puts(&text, " Point TMPDIR at a larger disk and run again with --restart.");
    else if (s->lost_reason)
      sc_buf_printf(&text, " The reason is \"%s\": %s.", strerror(s->lost_reason),
                    sc_harvest_reason_hint(s->lost_reason));
    add_caveat(list, &text);
  }
}

static void profile_losses(caveats *list, const sums *s)
{
  sc_buf text = {0};
  missing_counts(list, s);
  if (s->truncated) {
    sc_buf_printf(&text,
                  "%s did not fit into the profiles: they are counted without their callers. Set SCALE_PROFILE_MAX to "
                  "more bytes and run again with --restart.",
                  sc_format_plural(s->truncated, "calling context").s);
    add_caveat(list, &text);
  }
  if (s->lost_events) {
    sc_buf_printf(
        &text,
        "%s could not be counted: resources were acquired, used or given back more often than the report shows. "
        "Set SCALE_PROFILE_MAX to more bytes and run again with --restart.",
        sc_format_plural(s->lost_events, "resource event").s);
    add_caveat(list, &text);
  }
  if (s->untimed) {
    sc_buf_printf(&text,
                  "Waits and holds in %s count, but took no time: the processor's tick counter did not go with the "
                  "clock.",
                  sc_format_plural(s->untimed, "profile").s);
    add_caveat(list, &text);
  }
}

static void no_times(caveats *list, const sc_judge *judge, const sums *s)
{
  sc_buf text = {0};
  if (judge->loaded.entries && sc_usage_resource_count(judge->loaded.graph))
    sc_buf_puts(&text,
                "Calls were caught by uprobes, of the functions that --probes describes what they do to resources, and "
                "nothing else: not who calls them, nor loops, nor processor time by function. Costs are calls, each "
                "counting 1. How long resources are held and waited for contains what the uprobes take.");
  else if (judge->loaded.entries)
    sc_buf_puts(&text,
                "Calls of the functions that --uprobes names were counted, and nothing else: not who calls them, "
                "nor loops, nor processor time by function. Costs are calls, each counting 1.");
  else if (s->sampled_runs)
    sc_buf_printf(
        &text,
        "The runs were too short to be sampled (%s the longest): costs are executions, each counting 1. Larger "
        "sizes (-P or <range>) give times.",
        sc_format_seconds(s->longest).s);
  else
    sc_buf_puts(&text, "No time was sampled: costs are executions, each counting 1. `scale-run doctor` says whether "
                       "this machine can sample; then run again with --restart, and without --event none.");
  add_caveat(list, &text);
}

/* Cost of processes themselves, in no function, and of everything: in all runs, and in the mean of those at the
 * smallest and largest size. */
typedef struct placeless {
  double part, all, first, last, last_all;
} placeless;

static placeless sum_placeless(const sc_judge *judge)
{
  const sc_graph *graph = judge->loaded.graph;
  double low, high, runs[2] = {0};
  placeless p = {0};
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    double n = sc_graph_run_const(graph, run)->n, part = 0, all = 0;
    for (uint32_t c = 0; c < sc_graph_context_count(graph); c++) {
      enum sc_location_kind kind = sc_graph_at(graph, c)->kind;
      double cost = sc_analysis_in_scope(judge->loaded.analysis, c) ? sc_graph_value(graph, run, c, SC_METRIC_COST) : 0;
      all += cost;
      part += kind == SC_LOCATION_PROCESS || kind == SC_LOCATION_ROOT ? cost : 0;
    }
    p.part += part;
    p.all += all;
    p.first += n == low ? part : 0;
    p.last += n == high ? part : 0;
    p.last_all += n == high ? all : 0;
    runs[0] += n == low;
    runs[1] += n == high;
  }
  p.first /= fmax(1, runs[0]);
  p.last /= fmax(1, runs[1]);
  p.last_all /= fmax(1, runs[1]);
  return p;
}

/* What was sampled where no known function was, and what was not sampled. Where it grows with the size it is no start
 * of processes, and larger sizes have more of it. */
static void caveat_unplaced(caveats *list, const sc_judge *judge)
{
  const char *unit = sc_analysis_cost_unit(judge->loaded.analysis), *v = judge->loaded.workload->parameter;
  placeless p = sum_placeless(judge);
  sc_buf text = {0};
  double low, high;
  if (!(p.part > SC_CAVEATS_MUCH * p.all))
    return;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  if (p.last > SC_CAVEATS_GROWN * p.first && p.last > SC_CAVEATS_MUCH * p.last_all) {
    sc_buf_printf(&text, "%s of the cost at %s = %s is in code that is not counted, and it grows with the workload: ",
                  sc_format_percent(p.last / p.last_all).s, v, sc_format_number(high).s);
    sc_buf_printf(&text, "%s of %s, ", sc_format_cost(p.last, unit).s, sc_format_cost(p.last_all, unit).s);
    sc_buf_printf(
        &text,
        "after %s at %s = %s. It is machine code made at run time (a just-in-time compiler), or libraries and "
        "objects that were not built with scale-cc. It counts in totals, as cost of the process, and in no "
        "finding. Larger sizes only have more of it; building that code with scale-cc places it.",
        sc_format_cost(p.first, unit).s, v, sc_format_number(low).s);
    add_caveat(list, &text);
    return;
  }
  sc_buf_printf(&text, "%s of the cost (%s of ", sc_format_percent(p.part / p.all).s, sc_format_cost(p.part, unit).s);
  sc_buf_printf(
      &text,
      "%s in all runs) could be placed in no function: start and end of processes (exec, loader, kernel), "
      "threads and processes too short to be sampled, or code that was not built with scale-cc. It counts in "
      "totals, as cost of the process, and in no finding. Larger sizes have less of a start; --frequency 5000 "
      "places more of what is short.",
      sc_format_cost(p.all, unit).s);
  add_caveat(list, &text);
}

static void caveat_sampling(caveats *list, const sc_judge *judge, const sums *s)
{
  sc_buf text = {0};
  if (!sc_analysis_has_costs(judge->loaded.analysis)) {
    if (sc_report_attached_text(judge, &text))
      add_caveat(list, &text);
    no_times(list, judge, s);
    return;
  }
  if (s->samples < SC_CAVEATS_SAMPLES) {
    sc_buf_printf(
        &text,
        "Times rest on %s in all runs, which is few. A wider range (-P or <range>) or --frequency 5000 gives more.",
        sc_format_plural(s->samples, "sample").s);
    add_caveat(list, &text);
  }
  caveat_unplaced(list, judge);
  if (s->dropped * 100 > s->samples) {
    sc_buf_printf(&text, "The kernel dropped %s. A lower --frequency helps.", sc_format_plural(s->dropped, "sample").s);
    add_caveat(list, &text);
  }
}

/* A task that never ran makes no request: misspelt, most likely. */
static void unknown_tasks(caveats *list, const sc_judge *judge)
{
  const sc_workload *workload = judge->loaded.workload;
  for (size_t t = 0; t < workload->task_count && judge->resources; t++) {
    uint32_t c = 0, count = sc_graph_context_count(judge->loaded.graph);
    while (c < count && !sc_location_is_called(sc_graph_at(judge->loaded.graph, c), workload->tasks[t]))
      c++;
    if (c < count)
      continue;
    sc_buf text = {0};
    sc_buf_puts(&text, "No function named ");
    sc_utf8_show(workload->tasks[t], &text);
    sc_buf_puts(&text, " ran: what it would tell as a task is missing. Is it misspelt (--task, <task>)?");
    add_caveat(list, &text);
  }
}

static void unjudged_conditions(caveats *list, const sc_judge *judge)
{
  enum { WAITED, SIGNALLED, LISTENING, TEXTS };
  sc_buf texts[TEXTS] = {{0}};
  sc_unjudged_conditions_text(judge, &texts[WAITED], &texts[SIGNALLED]);
  sc_listening_text(judge, &texts[LISTENING]);
  for (size_t i = 0; i < TEXTS; i++) {
    if (texts[i].length)
      add_caveat(list, &texts[i]);
    sc_buf_free(&texts[i]);
  }
}

/* A range that is not to be left, unless its sizes were listed. */
static void widen_caveat(const sc_workload *workload, sc_buf *text)
{
  char low[64], high[64];
  if (!sc_workload_may_open(workload))
    return;
  sc_expand_number(workload->range_low, low, sizeof low);
  sc_expand_number(workload->range_high, high, sizeof high);
  sc_buf_printf(text, " -P %s=%s..%s+ (a file's <validation>) goes on to larger sizes where they tell more.",
                workload->parameter, low, high);
}

static void caveat_distance(caveats *list, const sc_judge *judge)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const char *variable = judge->loaded.workload->parameter;
  double low, high, largest = 0, smallest = 0;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  for (size_t i = 0; i < asked->target_count; i++) {
    largest = asked->targets[i] > largest ? asked->targets[i] : largest;
    smallest = !i || asked->targets[i] < smallest ? asked->targets[i] : smallest;
  }
  sc_buf text = {0};
  if (largest > high * SC_CAVEATS_FAR) {
    sc_buf_printf(&text,
                  "%s = %s is %s times the largest size measured. The intervals assume that "
                  "nothing new starts above %s (a cache that overflows, a table that is rehashed). "
                  "A wider range (-P or <range>) helps most.",
                  variable, sc_format_number(largest).s, sc_format_count(largest / high).s, sc_format_number(high).s);
    widen_caveat(judge->loaded.workload, &text);
    add_caveat(list, &text);
  }
  if (asked->target_count && smallest < low) {
    sc_buf_printf(&text,
                  "%s = %s lies below the sizes measured (%s to %s), where constant parts weigh more. A lower "
                  "range (-P or <range>) helps.",
                  variable, sc_format_number(smallest).s, sc_format_number(low).s, sc_format_number(high).s);
    add_caveat(list, &text);
  }
}

/* Sizes whose runs all failed: growth that starts there, and the reason for the failure, were not measured. */
static void failed_sizes(caveats *list, const sc_judge *judge)
{
  for (size_t i = 0; i < judge->loaded.failed_count; i++) {
    const sc_failed_size *failed = &judge->loaded.failed[i];
    sc_buf text = {0};
    sc_buf_printf(&text, "%s = %s was not measured, as its run failed: ", judge->loaded.workload->parameter,
                  sc_format_number(failed->n).s);
    sc_utf8_show(failed->what, &text);
    sc_buf_puts(&text, ".");
    add_caveat(list, &text);
  }
}

/* The place whose growth rises soonest beyond the targets (transitions/model/order.h), of places that were not listed:
 * with an earlier model than `after`; UINT32_MAX: none. */
static uint32_t rising_next(const sc_judge *judge, double farthest, const sc_model *after)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  uint32_t best = UINT32_MAX;
  double soonest = INFINITY;
  for (uint32_t c = 1; c < sc_graph_context_count(judge->loaded.graph); c++) {
    const sc_model *model = sc_analysis_model(analysis, c);
    bool listed = after && model->later_from <= after->later_from;
    if (!(model->later_from > 0) || model->later_from > farthest || listed || !sc_order_superlinear(&model->later) ||
        sc_order_superlinear(&model->order) || model->later_from >= soonest)
      continue;
    soonest = model->later_from;
    best = c;
  }
  return best;
}

static void caveat_rising(caveats *list, const sc_judge *judge)
{
  const char *variable = judge->loaded.workload->parameter;
  double farthest = SC_CAVEATS_BEYOND * sc_analysis_horizon(judge->loaded.analysis);
  const sc_model *model = NULL;
  for (int i = 0; i < SC_CAVEATS_RISING; i++) {
    uint32_t context = rising_next(judge, farthest, model);
    if (context == UINT32_MAX)
      return;
    char order[64];
    sc_buf text = {0};
    model = sc_analysis_model(judge->loaded.analysis, context);
    sc_model_format_order(&model->later, variable, order, sizeof order);
    sc_context_title(judge->loaded.graph, context, &text);
    sc_buf_printf(&text, ": growth of %s hardly counts at the targets, but outweighs the rest from %s = %s on: ", order,
                  variable, sc_format_round_number(model->later_from).s);
    sc_context_formula(model, variable, &text);
    sc_buf_printf(&text, " %s.", sc_context_counts(judge->loaded.graph, context));
    add_caveat(list, &text);
  }
}

/* At other values of further parameters than those of the base. */
static void caveat_elsewhere(caveats *list, const sc_judge *judge)
{
  const sc_workload *workload = judge->loaded.workload;
  sc_buf text = {0};
  for (size_t i = 0; judge->several && i < workload->other_count; i++) {
    double low, high;
    sc_several_range(judge->several, 1 + i, &low, &high);
    if (!(judge->others[i] > high))
      continue;
    sc_buf_printf(&text, "%s = %s is %s times the largest value measured (%s).", workload->others[i].name,
                  sc_format_number(judge->others[i]).s, sc_format_count(judge->others[i] / high).s,
                  sc_format_number(high).s);
    add_caveat(list, &text);
  }
  if (!judge->resources || !sc_resources_moved(judge->resources))
    return;
  sc_buf_puts(&text,
              "Of resources contention and leaks alone are judged away from the base values; for growth and other "
              "findings leave further parameters out of --at.");
  add_caveat(list, &text);
}

/* The verdict has the command where it is open for that reason. */
static void budget_ended(caveats *list, const sc_judge *judge)
{
  sc_buf text = {0};
  sc_outcome outcome;
  if (!(judge->loaded.cut.budget > 0) || sc_outcome_of(judge, list->options->notices, &outcome) < 0 || outcome.cut)
    return;
  sc_buf_printf(&text, "The time budget of %s ended before the counts reached the target precision. To resume: ",
                sc_format_seconds(judge->loaded.cut.budget).s);
  sc_buf command = {0};
  sc_outcome_add_longer(judge, &command);
  if (sc_buf_finish(&command) == 0)
    sc_utf8_show(command.text, &text);
  sc_buf_free(&command);
  add_caveat(list, &text);
}

/* Worst first; the end of `run` shows as many as its screen has room for. */
void sc_report_caveats_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  caveats list = {.out = out, .options = options};
  sums s = sum_up_runs(judge->loaded.graph);
  failed_sizes(&list, judge);
  budget_ended(&list, judge);
  profile_losses(&list, &s);
  caveat_undecided(&list, judge);
  without_models(&list, judge);
  in_code(&list, judge);
  unknown_tasks(&list, judge);
  unjudged_conditions(&list, judge);
  caveat_sampling(&list, judge, &s);
  caveat_distance(&list, judge);
  caveat_rising(&list, judge);
  caveat_elsewhere(&list, judge);
  size_t shown = count_shown(options);
  if (list.count <= shown)
    return;
  sc_buf more = {0};
  fputs(shown ? "  " : "\n", out);
  if (shown)
    sc_buf_printf(&more, "- and %zu more: scale-run report", list.count - shown);
  else
    sc_buf_printf(&more, "What is not known, %s: scale-run report", sc_format_plural(list.count, "point").s);
  sc_report_print_command(out, judge, &more, "", options->width - 2);
}

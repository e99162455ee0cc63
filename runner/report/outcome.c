/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/outcome.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/accept/notice.h"
#include "runner/quantity/budget.h"
#include "runner/report/text.h"
#include "runner/report/untold.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/operand.h"
#include "runner/text/tuning.h"
#include "runner/workload/expand.h"

const char *sc_outcome_name(enum sc_outcome_kind kind)
{
  static const char *const names[] = {"none", "superlinear", "undecided"};
  return names[kind];
}

static void count_resource(const sc_judge *judge, const sc_resource_finding *f, bool accepted, sc_outcome *o)
{
  size_t along, first = SIZE_MAX;
  *(accepted ? &o->accepted : &o->resources) += 1;
  if (accepted || !f->along)
    return;
  o->along++;
  (void)sc_judge_beside(judge, f, &along);
  if (o->first_along)
    (void)sc_judge_beside(judge, o->first_along, &first);
  o->along_several = o->along_several || (o->first_along && first != along);
  if (!o->first_along || f->emergence.value < o->first_along->emergence.value)
    o->first_along = f;
}

static void count_outcome_findings(const sc_judge *judge, const sc_notices *notices, sc_outcome *o)
{
  size_t resources = 0;
  const sc_resource_finding *found = judge->resources ? sc_resources_findings(judge->resources, &resources) : NULL;
  for (size_t i = 0; i < judge->findings.count; i++) {
    const sc_finding *f = &judge->findings.list[i];
    if (f->linear)
      continue;
    if (sc_notices_accepted(notices, f)) {
      o->accepted++;
      continue;
    }
    if (f->superlinear && !o->worst)
      o->worst = f;
    *(f->superlinear ? &o->superlinear : &o->others) += 1;
  }
  for (size_t i = 0; i < resources; i++)
    if (!sc_resource_uncertain(found[i].severity))
      count_resource(judge, &found[i], sc_notices_accepted(notices, &found[i]) != NULL, o);
}

bool sc_outcome_is_cut(const sc_judge *judge)
{
  const sc_budget_cut *cut = &judge->loaded.cut;
  enum sc_time_state time = sc_analysis_time_growth(judge->loaded.analysis).state;
  bool time_open = cut->of_time && (time == SC_TIME_UNCHECKED || time == SC_TIME_UNDECIDED);
  return cut->budget > 0 && (time_open || cut->width > SC_OUTCOME_UNSURE);
}

int sc_outcome_of(const sc_judge *judge, const sc_notices *notices, sc_outcome *o)
{
  const sc_untold *untold = sc_analysis_untold(judge->loaded.analysis);
  *o = (sc_outcome){.undecided = judge->findings.undecided_count,
                    .untold = untold->most,
                    .chance = untold->most && untold->chance,
                    .unmodelled = untold->unbounded ? fmax(untold->cost_share, untold->count_share) : 0,
                    .exact = !untold->unbounded && sc_analysis_exact_share(judge->loaded.analysis) >= SC_OUTCOME_EXACT,
                    .time = sc_analysis_time_growth(judge->loaded.analysis)};
  count_outcome_findings(judge, notices, o);
  for (size_t i = 0; i < judge->loaded.workload->budget_count; i++) {
    sc_budget_verdict verdict;
    SC_TRY(sc_budget_judge(judge, i, &verdict));
    o->budgets += verdict.state == SC_BUDGET_BROKEN;
  }
  sc_buf unexplained = {0};
  bool more = sc_report_unexplained_text(judge, &unexplained);
  sc_buf_free(&unexplained);
  if (o->superlinear || more)
    o->kind = SC_OUTCOME_SUPERLINEAR;
  else if (o->undecided || o->untold || o->time.state == SC_TIME_UNDECIDED || sc_outcome_is_cut(judge))
    o->kind = SC_OUTCOME_UNDECIDED;
  o->cut = o->kind == SC_OUTCOME_UNDECIDED && judge->loaded.cut.budget > 0;
  return 0;
}

/* "pack_vector (output.c:891:2), 88% of the total": the costliest of the undecided places. */
static void add_costliest(const sc_judge *judge, sc_buf *out)
{
  const sc_undecided *first = judge->findings.undecided;
  if (first->spread)
    sc_buf_puts(out, first->spread->title);
  else
    sc_context_title(judge->loaded.graph, first->context, out);
  if (first->share > 0)
    sc_buf_printf(out, ", %s of the total", sc_format_percent(first->share).s);
  /* What takes so little is there for its executions. */
  double negligible = sc_analysis_get_options(judge->loaded.analysis)->negligible;
  if (first->share < negligible && first->executed >= negligible)
    sc_buf_printf(out, "%s%s of the executions", first->share > 0 ? " and " : ", ",
                  sc_format_percent(first->executed).s);
}

/* Whether an undecided place costs more than the worst finding: then it is what would hang. */
static bool is_undecided_worse(const sc_judge *judge, const sc_outcome *o)
{
  size_t targets = sc_analysis_get_options(judge->loaded.analysis)->target_count;
  double share = 0;
  for (size_t i = 0; o->worst && i < targets + !targets; i++)
    share = fmax(share, o->worst->predictions[i].share);
  return o->worst && o->undecided && judge->findings.undecided->share > share;
}

static void add_superlinear(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  sc_buf headline = {0};
  sc_buf_puts(out, "Superlinear growth: ");
  if (o->superlinear) {
    sc_report_finding_headline(judge, o->worst, &headline);
    sc_report_finding_effect(judge, o->worst, &headline);
    sc_buf_printf(out, "%s%s%s", sc_format_plural(o->superlinear, "finding").s, o->superlinear > 1 ? ", worst " : ", ",
                  sc_buf_finish(&headline) == 0 ? headline.text : "");
  } else
    (void)sc_report_unexplained_text(judge, out);
  if (is_undecided_worse(judge, o)) {
    char order[64];
    const sc_undecided *first = judge->findings.undecided;
    sc_model_format_order(&first->to, sc_findings_variable(judge->loaded.analysis, first->along), order, sizeof order);
    sc_buf_printf(out, "; undecided, up to %s: ", order);
    add_costliest(judge, out);
  }
  sc_buf_free(&headline);
}

/* "exact", "modelled but for what takes 26%" */
static void add_counts(const sc_outcome *o, sc_buf *out)
{
  sc_buf_puts(out, o->exact ? "exact" : "modelled");
  if (o->unmodelled > 0)
    sc_buf_printf(out, " but for what takes %s", sc_format_percent(o->unmodelled).s);
}

/* "counts exact, time per execution checked up to n = 6,400" */
static void add_checked(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  sc_buf_puts(out, "counts ");
  add_counts(o, out);
  sc_buf_puts(out, ", time per execution ");
  if (o->time.state == SC_TIME_CONSTANT)
    sc_buf_printf(out, "checked up to %s = %s", judge->loaded.workload->parameter, sc_format_number(o->time.checked).s);
  else
    sc_buf_puts(out, o->time.state == SC_TIME_UNDECIDED ? "undecided" : "not checked");
}

/* "; time per execution not checked: runs of at most 2.1 ms are too short" */
static void add_unchecked(const sc_outcome *o, sc_buf *out)
{
  sc_buf_puts(out, "; time per execution not checked: ");
  if (sc_time_growth_is_short(&o->time))
    sc_buf_printf(out, "runs of at most %s are too short", sc_format_seconds(o->time.longest).s);
  else
    sc_buf_puts(out, "the times do not exclude that it grows");
}

static void add_outcome_places(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  const sc_undecided *first = judge->findings.undecided;
  if (o->undecided == 1 && first->spread) {
    sc_buf_printf(out, "Undecided: %s may grow superlinearly", first->spread->title);
    return;
  }
  sc_buf_printf(out, "Undecided: %s may grow superlinearly: ", sc_format_plural(o->undecided, "place").s);
  sc_buf_puts(out, o->undecided > 1 ? "most of all " : "");
  add_costliest(judge, out);
}

static void add_outcome_undecided(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  if (o->untold)
    sc_buf_puts(out, o->chance ? "Undecided: most of what was measured differs from run to run of one size"
                               : "Undecided: most of what was measured has no model");
  else if (o->undecided)
    add_outcome_places(judge, o, out);
  else if (o->time.state == SC_TIME_UNDECIDED)
    sc_buf_puts(out,
                "Undecided: no count grows superlinearly, but the times hint that each execution costs more as the "
                "workload grows");
  else
    sc_buf_puts(out, "Undecided: no superlinear growth found so far");
  sc_buf_puts(out, " (");
  add_checked(judge, o, out);
  sc_buf_puts(out, ")");
  if (o->cut)
    sc_buf_printf(out, "; the time budget of %s ended first", sc_format_seconds(judge->loaded.cut.budget).s);
  if (!o->untold && !o->undecided && o->time.state == SC_TIME_UNDECIDED)
    sc_report_most_time(judge, "; most of the time", out);
}

/* ", 1 of them from threads = 10 on", ", 2 of them with more of further parameters" */
static void add_outcome_along(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  size_t along;
  if (!o->along)
    return;
  const sc_workload *workload = sc_judge_beside(judge, o->first_along, &along)->loaded.workload;
  sc_buf_puts(out, ", ");
  if (o->along < o->resources)
    sc_buf_printf(out, "%zu of them ", o->along);
  if (o->along_several) {
    sc_buf_puts(out, "with more of further parameters");
    return;
  }
  sc_buf_printf(out, "from %s = %s on", workload->others[along].name,
                sc_format_number(o->first_along->emergence.value).s);
}

static void add_outcome_rest(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  const struct {
    size_t count;
    const char *one, *many;
  } rest[] = {{o->budgets, "budget is broken", "budgets are broken"},
              {o->others, "finding that is not superlinear", "findings that are not superlinear"},
              {o->resources, "finding about resources", "findings about resources"}};
  const char *between = o->kind == SC_OUTCOME_NONE ? ", but " : "; ";
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
    if (!rest[i].count)
      continue;
    sc_buf_printf(out, "%s%zu %s", between, rest[i].count, rest[i].count == 1 ? rest[i].one : rest[i].many);
    between = ", ";
  }
  add_outcome_along(judge, o, out);
}

int sc_outcome_text(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  sc_buf text = {0};
  if (o->kind == SC_OUTCOME_SUPERLINEAR)
    add_superlinear(judge, o, &text);
  else if (o->kind == SC_OUTCOME_UNDECIDED)
    add_outcome_undecided(judge, o, &text);
  else if (o->time.state == SC_TIME_UNCHECKED) {
    sc_buf_puts(&text, "No superlinear growth found in counts (");
    add_counts(o, &text);
    sc_buf_puts(&text, ")");
  } else {
    sc_buf_puts(&text, "No superlinear growth found (");
    add_checked(judge, o, &text);
    sc_buf_puts(&text, ")");
  }
  add_outcome_rest(judge, o, &text);
  if (o->kind == SC_OUTCOME_NONE && o->time.state == SC_TIME_UNCHECKED)
    add_unchecked(o, &text);
  if (o->accepted)
    sc_buf_printf(&text, " (%zu accepted)", o->accepted);
  int err = sc_buf_finish(&text);
  if (err == 0)
    sc_utf8_show(text.text, out);
  sc_buf_free(&text);
  return err;
}

/* Nothing but what a command line says: then the same command with a wider range resumes the study. */
static bool is_command_line(const sc_workload *w)
{
  return !w->title && !w->generator_count && !w->prepare_count && !w->setup_count && !w->service && !w->cleanup_count &&
         !w->teardown_count && !w->command.stdin_file && !w->command.environment && !w->command.directory &&
         w->command.argv;
}

/* " -P threads=1,2,4": the base first, as a command line has it. */
static void add_outcome_further(const sc_workload *w, sc_buf *out)
{
  char number[64];
  for (size_t i = 0; i < w->other_count; i++) {
    const sc_workload_other *other = &w->others[i];
    sc_expand_number(other->base, number, sizeof number);
    sc_buf_printf(out, " -P %s=%s", other->name, number);
    for (size_t v = 0; v < other->count; v++) {
      sc_expand_number(other->values[v], number, sizeof number);
      if (other->values[v] != other->base)
        sc_buf_printf(out, ",%s", number);
    }
  }
}

static void put_sizes(const char *before, const double *sizes, size_t count, sc_buf *out)
{
  char number[64];
  for (size_t i = 0; i < count; i++) {
    sc_expand_number(sizes[i], number, sizeof number);
    sc_buf_printf(out, "%s%s", i ? "," : before, number);
  }
}

/* " --at 1000000", away from the base values " --at n=1000000,threads=64". */
static void add_outcome_targets(const sc_judge *judge, sc_buf *out)
{
  const sc_workload *w = judge->loaded.workload;
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  if (!judge->several) {
    if (w->target_count)
      put_sizes(" --at ", w->targets, w->target_count, out);
    return;
  }
  if (!asked->target_count)
    return;
  sc_buf_printf(out, " --at %s=", w->parameter);
  put_sizes("", asked->targets, asked->target_count, out);
  for (size_t i = 0; i < w->other_count; i++) {
    sc_buf_printf(out, ",%s=", w->others[i].name);
    put_sizes("", &judge->others[i], 1, out);
  }
}

/* " -P threads=1,2 --at 1000000 -o my.db -- ./prog '{n}'": what follows the sizes. */
static void add_outcome_command(const sc_judge *judge, sc_buf *out)
{
  const sc_workload *w = judge->loaded.workload;
  add_outcome_further(w, out);
  add_outcome_targets(judge, out);
  if (strcmp(judge->study, "scale.db") != 0) {
    sc_buf_puts(out, " -o ");
    sc_operand_quote(judge->study, out);
  }
  sc_buf_puts(out, " --");
  for (char **arg = w->command.argv; *arg; arg++) {
    sc_buf_puts(out, " ");
    sc_operand_quote(*arg, out);
  }
}

/* The smallest size that failed, where that keeps a size that decides from being run; NULL: nothing does. */
static const sc_failed_size *find_obstacle(const sc_judge *judge, const sc_time_growth *time)
{
  for (size_t i = 0; i < judge->loaded.failed_count; i++)
    if (judge->loaded.failed[i].n > time->checked)
      return !isfinite(time->deciding) ||
                     judge->loaded.failed[i].n <= sc_workload_round_up(judge->loaded.workload, time->deciding)
                 ? &judge->loaded.failed[i]
                 : NULL;
  return NULL;
}

/* Of a size whose times decide: what is open already, or what nothing hints at. */
static void add_wider(const sc_judge *judge, const sc_time_growth *time, sc_buf *out)
{
  const sc_workload *w = judge->loaded.workload;
  const char *purpose = time->state == SC_TIME_UNDECIDED ? "To decide" : "To check it";
  const sc_failed_size *obstacle = find_obstacle(judge, time);
  char low[64], high[64];
  if (obstacle) {
    sc_buf_printf(out, "%s: larger sizes have to run, and %s = %s failed", purpose, w->parameter,
                  sc_format_number(obstacle->n).s);
    return;
  }
  if (!isfinite(time->deciding)) {
    sc_buf_printf(out, "%s: sizes whose runs take a tenth of a second or more", purpose);
    return;
  }
  sc_expand_number(w->range_low, low, sizeof low);
  sc_expand_number(sc_workload_round_up(w, time->deciding), high, sizeof high);
  if (!is_command_line(w)) {
    sc_buf_printf(out, "%s: <range low=\"%s\" high=\"%s\"/> in the workload file, and the same command again", purpose,
                  low, high);
    return;
  }
  sc_buf_printf(out, "%s: scale-run run -P %s=%s..%s", purpose, w->parameter, low, high);
  add_outcome_command(judge, out);
}

/* Minutes, or what two digits say of less. */
static void add_duration(double seconds, sc_buf *out)
{
  if (seconds >= 60)
    sc_buf_printf(out, "%.0fmin", ceil(seconds / 60));
  else
    sc_buf_printf(out, "%.0fs", ceil(seconds));
}

void sc_outcome_add_longer(const sc_judge *judge, sc_buf *out)
{
  const sc_workload *w = judge->loaded.workload;
  char low[64], high[64];
  if (!is_command_line(w)) {
    sc_buf_puts(out, "the same command with --budget ");
    add_duration(judge->loaded.cut.wanted, out);
    return;
  }
  sc_expand_number(w->range_low, low, sizeof low);
  sc_expand_number(w->range_high, high, sizeof high);
  sc_buf_puts(out, "scale-run run --budget ");
  add_duration(judge->loaded.cut.wanted, out);
  sc_buf_printf(out, " -P %s=", w->parameter);
  if (w->first_count)
    put_sizes("", w->first, w->first_count, out);
  else
    sc_buf_printf(out, "%s..%s%s", low, high, sc_workload_is_closed(w) ? "" : "+");
  add_outcome_command(judge, out);
}

void sc_outcome_add_remedy(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  if (o->chance)
    sc_buf_puts(out,
                "To decide: runs of one size that repeat (a fixed seed, or items that threads do not share); neither "
                "a wider range nor more time helps");
  else if (o->cut) {
    sc_buf_puts(out, "To decide: ");
    sc_outcome_add_longer(judge, out);
  } else if (o->time.state == SC_TIME_UNDECIDED || o->time.state == SC_TIME_UNCHECKED)
    add_wider(judge, &o->time, out);
}

static void add_time(sc_json *json, cJSON *verdict, const sc_time_growth *time)
{
  bool known = time->state != SC_TIME_UNKNOWN;
  bool deciding = time->state == SC_TIME_UNDECIDED || time->state == SC_TIME_UNCHECKED;
  cJSON *object = sc_json_object(json, verdict, "time");
  sc_json_string(json, object, "state", sc_time_state_name(time->state));
  sc_json_number(json, object, "checked_up_to", known ? time->checked : NAN);
  sc_json_number(json, object, "exponent", known ? time->exponent : NAN);
  sc_json_number(json, object, "exponent_low", known ? time->low : NAN);
  sc_json_number(json, object, "exponent_high", known ? time->high : NAN);
  sc_json_number(json, object, "longest_seconds", known ? time->longest : NAN);
  sc_json_number(json, object, "deciding_size", deciding ? time->deciding : NAN);
}

/* null unless the time ended before the sizes did. */
static void add_budget(sc_json *json, cJSON *verdict, const sc_budget_cut *cut)
{
  cJSON *object = sc_json_object_if(json, verdict, "budget_ended", cut->budget > 0);
  if (!object)
    return;
  sc_json_number(json, object, "seconds", cut->budget);
  sc_json_bool(json, object, "default", !cut->given);
  sc_json_number(json, object, "enough_seconds", cut->wanted);
}

int sc_outcome_to_json(sc_json *json, const sc_judge *judge, const sc_notices *notices, cJSON *document)
{
  sc_outcome o;
  sc_buf text = {0};
  SC_TRY(sc_outcome_of(judge, notices, &o));
  int err = sc_outcome_text(judge, &o, &text) ?: sc_buf_finish(&text);
  if (err == 0) {
    cJSON *verdict = sc_json_object(json, document, "verdict");
    sc_json_string(json, verdict, "outcome", sc_outcome_name(o.kind));
    sc_json_string(json, verdict, "text", text.text);
    sc_json_number(json, verdict, "superlinear", (double)o.superlinear);
    sc_json_number(json, verdict, "others", (double)o.others);
    sc_json_number(json, verdict, "budgets", (double)o.budgets);
    sc_json_number(json, verdict, "resources", (double)o.resources);
    sc_json_number(json, verdict, "undecided", (double)o.undecided);
    sc_json_number(json, verdict, "accepted", (double)o.accepted);
    sc_json_bool(json, verdict, "counts_exact", o.exact);
    add_time(json, verdict, &o.time);
    add_budget(json, verdict, &judge->loaded.cut);
  }
  sc_buf_free(&text);
  return err;
}

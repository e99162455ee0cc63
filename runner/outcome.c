/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/outcome.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/budget.h"
#include "runner/expand.h"
#include "runner/format.h"
#include "runner/operand.h"
#include "runner/report_text.h"
#include "runner/report_untold.h"
#include "runner/resources/section.h"
#include "runner/review/notice.h"

static const double EXACT_SHARE = 0.99; /* of the executions at the largest size: what is left rounds to nothing */

const char *sc_outcome_name(enum sc_outcome_kind kind)
{
  static const char *const names[] = {"none", "superlinear", "undecided"};
  return names[kind];
}

static bool counts_are_exact(const sc_judge *judge)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  size_t largest = sc_analysis_run(analysis, sc_analysis_run_count(analysis) - 1);
  double exact = 0, all = 0;
  for (uint32_t c = 1; c < sc_graph_context_count(judge->loaded.graph); c++) {
    double count =
        sc_analysis_in_scope(analysis, c) ? sc_graph_executions(judge->loaded.graph, largest, c) : 0;
    const sc_model *model = sc_analysis_model(analysis, c);
    all += count;
    exact += model->verdict == SC_VERDICT_MODEL && model->exact ? count : 0;
  }
  return exact >= EXACT_SHARE * all;
}

static void count_findings(const sc_judge *judge, const sc_notices *notices, sc_outcome *o)
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
    if (found[i].severity != SC_SEVERITY_NOTE)
      *(sc_notices_accepted(notices, &found[i]) ? &o->accepted : &o->resources) += 1;
}

int sc_outcome_of(const sc_judge *judge, const sc_notices *notices, sc_outcome *o)
{
  *o = (sc_outcome){.undecided = judge->findings.undecided_count,
                    .untold = sc_analysis_untold(judge->loaded.analysis)->most,
                    .exact = counts_are_exact(judge),
                    .time = sc_analysis_time_growth(judge->loaded.analysis)};
  count_findings(judge, notices, o);
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
  else if (o->undecided || o->untold || o->time.state == SC_TIME_UNDECIDED)
    o->kind = SC_OUTCOME_UNDECIDED;
  return 0;
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
  sc_buf_free(&headline);
}

/* "counts exact, time per execution checked up to n = 6,400" */
static void add_checked(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  sc_buf_printf(out, "counts %s, time per execution ", o->exact ? "exact" : "modelled");
  if (o->time.state == SC_TIME_CONSTANT)
    sc_buf_printf(out, "checked up to %s = %s", judge->loaded.workload->parameter, sc_format_number(o->time.checked).s);
  else
    sc_buf_puts(out, o->time.state == SC_TIME_UNKNOWN ? "not checked" : "undecided");
}

static void add_undecided(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  const sc_undecided *first = judge->findings.undecided;
  if (o->untold)
    sc_buf_puts(out, "Undecided: most of what was measured has no model");
  else if (o->undecided)
    sc_buf_printf(out, "Undecided: %s may grow superlinearly",
                  o->undecided == 1 && first->spread ? first->spread->title
                                                     : sc_format_plural(o->undecided, "place").s);
  else
    sc_buf_puts(out, "Undecided: no count grows superlinearly, but the runs are too short to exclude that each "
                     "execution costs more as the workload grows");
  sc_buf_puts(out, " (");
  add_checked(judge, o, out);
  sc_buf_puts(out, ")");
}

static void add_rest(const sc_outcome *o, sc_buf *out)
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
}

int sc_outcome_text(const sc_judge *judge, const sc_outcome *o, sc_buf *out)
{
  sc_buf text = {0};
  if (o->kind == SC_OUTCOME_SUPERLINEAR)
    add_superlinear(judge, o, &text);
  else if (o->kind == SC_OUTCOME_UNDECIDED)
    add_undecided(judge, o, &text);
  else {
    sc_buf_puts(&text, "No superlinear growth found (");
    add_checked(judge, o, &text);
    sc_buf_puts(&text, ")");
  }
  add_rest(o, &text);
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

/* Two significant digits: a size that people type. */
static double round_up(double n)
{
  double unit = pow(10, floor(log10(n)) - 1);
  return ceil(n / unit) * unit;
}

/* " -P threads=1,2,4": the base first, as a command line has it. */
static void add_further(const sc_workload *w, sc_buf *out)
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

void sc_outcome_add_remedy(const sc_judge *judge, const sc_time_growth *time, sc_buf *out)
{
  const sc_workload *w = judge->loaded.workload;
  char low[64], high[64];
  if (!isfinite(time->deciding)) {
    sc_buf_puts(out, "Sizes whose runs take a tenth of a second or more would decide");
    return;
  }
  sc_expand_number(w->range_low, low, sizeof low);
  sc_expand_number(round_up(time->deciding), high, sizeof high);
  if (!is_command_line(w)) {
    sc_buf_printf(out, "To decide: <range low=\"%s\" high=\"%s\"/> in the workload file, and the same command again",
                  low, high);
    return;
  }
  sc_buf_printf(out, "To decide: scale-run run -P %s=%s..%s", w->parameter, low, high);
  add_further(w, out);
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

static void add_number(cJSON *object, const char *name, bool known, double value)
{
  if (known && isfinite(value))
    cJSON_AddNumberToObject(object, name, value);
  else
    cJSON_AddNullToObject(object, name);
}

static void add_time(cJSON *verdict, const sc_time_growth *time)
{
  bool known = time->state != SC_TIME_UNKNOWN;
  cJSON *object = cJSON_AddObjectToObject(verdict, "time");
  cJSON_AddStringToObject(object, "state", sc_time_state_name(time->state));
  add_number(object, "checked_up_to", known, time->checked);
  add_number(object, "exponent", known, time->exponent);
  add_number(object, "exponent_low", known, time->low);
  add_number(object, "exponent_high", known, time->high);
  add_number(object, "deciding_size", time->state == SC_TIME_UNDECIDED, time->deciding);
}

int sc_outcome_to_json(const sc_judge *judge, const sc_notices *notices, cJSON *document)
{
  sc_outcome o;
  sc_buf text = {0};
  SC_TRY(sc_outcome_of(judge, notices, &o));
  int err = sc_outcome_text(judge, &o, &text);
  if (err == 0)
    err = sc_buf_finish(&text);
  if (err == 0) {
    cJSON *verdict = cJSON_AddObjectToObject(document, "verdict");
    cJSON_AddStringToObject(verdict, "outcome", sc_outcome_name(o.kind));
    cJSON_AddStringToObject(verdict, "text", text.text);
    cJSON_AddNumberToObject(verdict, "superlinear", (double)o.superlinear);
    cJSON_AddNumberToObject(verdict, "others", (double)o.others);
    cJSON_AddNumberToObject(verdict, "budgets", (double)o.budgets);
    cJSON_AddNumberToObject(verdict, "resources", (double)o.resources);
    cJSON_AddNumberToObject(verdict, "undecided", (double)o.undecided);
    cJSON_AddNumberToObject(verdict, "accepted", (double)o.accepted);
    cJSON_AddBoolToObject(verdict, "counts_exact", o.exact);
    add_time(verdict, &o.time);
  }
  sc_buf_free(&text);
  return err;
}

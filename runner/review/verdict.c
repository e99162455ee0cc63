/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/review/verdict.h"

#include <string.h>

#include "runner/report/coverage.h"
#include "runner/report/outcome.h"
#include "runner/report/plain.h"
#include "runner/review/build.h"
#include "runner/review/words.h"

enum { NAMED = 3 };

static size_t count_rule(const sc_notices *notices, enum sc_rule rule)
{
  size_t count = 0;
  for (size_t i = 0; i < notices->count; i++)
    count += notices->list[i].rule == rule && !notices->list[i].accepted;
  return count;
}

/* ": a, b, c and 2 more" */
static void add_subjects(const sc_notices *notices, enum sc_rule rule, sc_buf *out)
{
  size_t shown = 0, all = count_rule(notices, rule);
  for (size_t i = 0; i < notices->count && shown < NAMED; i++)
    if (notices->list[i].rule == rule && !notices->list[i].accepted)
      sc_buf_printf(out, "%s%s%s", shown++ ? ", " : ": ", notices->list[i].subject,
                    notices->list[i].caller ? notices->list[i].caller : "");
  if (all > shown)
    sc_buf_printf(out, " and %zu more", all - shown);
}

typedef struct phrase {
  enum sc_rule rule;
  const char *one, *many;
} phrase;

/* "1 budget is broken: a; 2 things grow faster than before: b, c"; returns how many kinds were said. */
static size_t say_verdict(const sc_notices *notices, const phrase *phrases, size_t count, sc_buf *out)
{
  size_t said = 0;
  for (size_t i = 0; i < count; i++) {
    size_t found = count_rule(notices, phrases[i].rule);
    if (!found)
      continue;
    sc_buf_printf(out, "%s%zu %s", said++ ? "; " : "", found, found == 1 ? phrases[i].one : phrases[i].many);
    add_subjects(notices, phrases[i].rule, out);
  }
  return said;
}

static void say_no_change(const sc_notices *notices, sc_buf *out)
{
  const sc_comparison *comparison = notices->comparison;
  const sc_workload *workload = notices->judge->loaded.workload;
  sc_buf_printf(out, "No change: %s compared", sc_format_plural(comparison->matched, "context").s);
  if (comparison->renamed)
    sc_buf_printf(out, ", %zu of them under another name or at another place", comparison->renamed);
  for (size_t i = 0; notices->judge->several && i < workload->other_count; i++)
    sc_buf_printf(out, "%s%s = %s", i ? ", " : "; at ", workload->others[i].name,
                  sc_format_number(notices->judge->others[i]).s);
}

static void say_verdict_change(const sc_notices *notices, sc_buf *out)
{
  static const phrase worse[] = {
      {SC_RULE_BUDGET, "budget is broken", "budgets are broken"},
      {SC_RULE_WORSE_ORDER, "thing grows faster than before", "things grow faster than before"},
      {SC_RULE_WORSE_COST, "thing costs more than before", "things cost more than before"},
      {SC_RULE_NEW_COST, "new thing costs a share that matters", "new things cost a share that matters"}};
  static const phrase other[] = {
      {SC_RULE_BETTER, "thing is better", "things are better"},
      {SC_RULE_GONE, "thing is gone", "things are gone"},
      {SC_RULE_CHANGE_UNKNOWN, "changed in a way the data cannot tell", "changed in a way the data cannot tell"}};
  if (!notices->count) {
    say_no_change(notices, out);
    return;
  }
  if (!say_verdict(notices, worse, sizeof worse / sizeof *worse, out)) {
    sc_buf_puts(out, "Nothing got worse");
    sc_buf rest = {0};
    if (say_verdict(notices, other, sizeof other / sizeof *other, &rest) && sc_buf_finish(&rest) == 0)
      sc_buf_printf(out, "; %s", rest.text);
    sc_buf_free(&rest);
  }
}

static void say_search(const sc_notices *notices, sc_buf *out)
{
  static const phrase found[] = {
      {SC_RULE_WORSE_ORDER, "thing grows faster than before", "things grow faster than before"},
      {SC_RULE_SLOW_INPUT, "thing grows faster than the bytes of its input",
       "things grow faster than the bytes of their inputs"},
      {SC_RULE_CRASHING_INPUT, "input crashes the program", "inputs crash the program"},
      {SC_RULE_LASTING_INPUT, "input takes too long", "inputs take too long"},
      {SC_RULE_MEMORY_INPUT, "input takes too much memory", "inputs take too much memory"},
      {SC_RULE_UNRUN_INPUT, "kept input could not be run", "kept inputs could not be run"},
      {SC_RULE_GONE, "thing no longer does", "things no longer do"}};
  if (!say_verdict(notices, found, sizeof found / sizeof *found, out))
    sc_buf_puts(out, notices->accepted ? "Nothing that is not accepted" : "Nothing found");
}

static int say_study(const sc_notices *notices, sc_buf *out)
{
  sc_outcome outcome;
  SC_TRY(sc_outcome_of(notices->judge, notices, &outcome));
  return sc_outcome_text(notices->judge, &outcome, out);
}

/* " In total at n = 1,000,000: 5.00 billion iterations, before 3.10 million." What a change is worth depends on it. */
static void say_total(const sc_notices *notices, sc_buf *out)
{
  const sc_comparison *c = notices->comparison;
  bool time = c && strcmp(c->total_unit, "s") == 0;
  if (!c || !notices->count || !c->target_count || (time && !c->same_machine))
    return;
  const char *unit = c->total_unit;
  double n = sc_analysis_horizon(notices->judge->loaded.analysis);
  sc_buf_puts(out, " In total at ");
  sc_judge_describe(notices->judge, n, out);
  sc_buf_printf(out, ": %s %s, before %s.", sc_format_cost(c->head_total.value, time ? "s" : "").s,
                time ? "of processor time" : unit, sc_format_cost(c->base_total.value, time ? "s" : "").s);
}

/* Once: what is accepted explains as much as what is not. */
static int set_coverage(sc_notices *notices)
{
  sc_buf text = {0};
  if (notices->coverage)
    return 0;
  int err = notices->comparison || sc_notices_of_search(notices) ? 0 : sc_report_coverage_text(notices->judge, &text);
  if (err < 0) {
    sc_buf_free(&text);
    return err;
  }
  SC_TRY(sc_notice_set(&notices->coverage, &text));
  return sc_notice_clean(&notices->coverage);
}

/* Of a change only where times are compared; both sides' are the same program's then. */
static int set_times(sc_notices *notices)
{
  const sc_comparison *c = notices->comparison;
  sc_buf text = {0};
  if (notices->times)
    return 0;
  if (sc_notices_of_search(notices))
    sc_buf_puts(&text, "");
  else if (!c || (c->same_machine && strcmp(c->total_unit, "s") == 0))
    (void)sc_report_plain_text(notices->judge, &text);
  SC_TRY(sc_notice_set(&notices->times, &text));
  return sc_notice_clean(&notices->times);
}

int sc_notices_set_verdict(sc_notices *notices)
{
  sc_buf text = {0};
  int err = 0;
  if (notices->comparison)
    say_verdict_change(notices, &text);
  else if (sc_notices_of_search(notices))
    say_search(notices, &text);
  else
    err = say_study(notices, &text);
  if ((notices->comparison || sc_notices_of_search(notices)) && notices->accepted)
    sc_buf_printf(&text, " (%zu accepted)", notices->accepted);
  sc_buf_puts(&text, ".");
  say_total(notices, &text);
  if (err < 0) {
    sc_buf_free(&text);
    return err;
  }
  SC_TRY(sc_notice_set(&notices->verdict, &text));
  SC_TRY(sc_notice_clean(&notices->verdict));
  SC_TRY(set_coverage(notices));
  return set_times(notices);
}

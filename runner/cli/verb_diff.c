/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale-run diff: what changed between two studies, or between a baseline and a study. */
#include <unistd.h>

#include "base/buf.h"
#include "runner/cli/combinations.h"
#include "runner/cli/verb.h"
#include "runner/judge/named.h"
#include "runner/review/review.h"
#include "runner/several/open.h"
#include "runner/text/terminal.h"
#include "transitions/compare/compare.h"

static sc_compare_side side_of_diff(const sc_judge *judge)
{
  return (sc_compare_side){.analysis = judge->loaded.analysis,
                           .resources = judge->resources,
                           .machine = judge->machine,
                           .plain = judge->loaded.plain.runs > 0,
                           .measured = judge->base ? judge->base->loaded.analysis : NULL};
}

static void warn_of_plain(const sc_judge *base, const sc_judge *head)
{
  const sc_style style = sc_terminal_style(stderr);
  sc_buf text = {0};
  if (!base->loaded.plain.runs == !head->loaded.plain.runs)
    return;
  const sc_judge *plain = base->loaded.plain.runs ? base : head, *other = plain == base ? head : base;
  bool none = other->loaded.plain.taken_away;
  if (none)
    sc_buf_printf(&text, "times are not compared: of %s none are left without what uprobes add", other->study);
  else
    sc_buf_printf(&text, "times are not compared: what instrumentation adds was measured for %s, and estimated for %s",
                  plain->study, other->study);
  if (sc_buf_finish(&text) == 0) {
    sc_terminal_say(stderr, style.yellow, "scale-run: warning:", text.text);
    sc_terminal_say(stderr, style.bold, "hint:",
                    none ? "counts are compared; scale-run report says more of the times"
                         : "measure both with scale-run run --plain PROGRAM, or both without");
  }
  sc_buf_free(&text);
}

/* The head was run for other values of further parameters than its base, and what it is compared with has none. */
static void warn_of_base_values(const sc_judge *base, const sc_judge *head)
{
  const sc_workload *workload = head->loaded.workload;
  sc_buf text = {0};
  bool elsewhere = false;
  for (size_t i = 0; i < workload->other_count; i++)
    elsewhere = elsewhere || sc_workload_elsewhere(&workload->others[i]);
  if (!elsewhere || head->several)
    return;
  sc_buf_puts(&text, "compared");
  sc_judge_describe_held(head, &text);
  sc_buf_printf(&text, ", not at the targets of %s: %s has no other values", head->study, base->study);
  if (sc_buf_finish(&text) == 0)
    sc_terminal_say(stderr, sc_terminal_style(stderr).yellow, "scale-run: warning:", text.text);
  sc_buf_free(&text);
}

/* A program that was built anew has the study of its former build beside the new one. */
static int need_base(const sc_options *options)
{
  const char *study = sc_named_study(options);
  sc_buf old = {0};
  (void)sc_err_set(SC_E_USAGE, "diff needs a BASE: the study, or baseline, to compare with");
  sc_buf_printf(&old, "%s.old", study);
  if (sc_buf_finish(&old) == 0 && access(old.text, R_OK) == 0)
    (void)sc_err_hint(SC_E_USAGE, "the build before: scale-run diff %.200s %.200s", old.text, study);
  else
    (void)sc_err_hint(SC_E_USAGE, "make one before the change: scale-run baseline -o models.json");
  sc_buf_free(&old);
  return SC_E_USAGE;
}

static int diff_combination(const sc_options *options, sc_combination *combination)
{
  int err;
  sc_judge head = {0}, base = {0};
  sc_comparison comparison = {0};
  sc_notices notices = {0};
  SC_GOTO(sc_judge_open_in(combination->cache, options, &head));
  SC_GOTO(sc_judge_open_base_in(combination->cache, options, &head, &base));
  warn_of_plain(&base, &head);
  warn_of_base_values(&base, &head);
  sc_compare_side before = side_of_diff(&base), after = side_of_diff(&head);
  SC_GOTO(sc_compare(&before, &after, &comparison));
  SC_GOTO(sc_notices_of_change(&base, &head, &comparison, options->diff_fail_on, &notices));
  err = sc_notices_deliver(options, options->diff_fail_on, &notices, combination->page);
out:
  sc_notices_free(&notices);
  sc_comparison_free(&comparison);
  sc_judge_close(&base);
  sc_judge_close(&head);
  return err;
}

static int diff_there(const sc_options *options)
{
  return sc_combinations_each(options, options->json ? "json" : options->format, diff_combination);
}

int sc_verb_diff(const sc_options *options)
{
  return options->operand ? sc_combinations_at_targets(options, false, diff_there) : need_base(options);
}

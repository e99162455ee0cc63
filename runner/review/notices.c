/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of notices: fingerprints, order, and which of them fail a gate. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/same.h"
#include "runner/report/gate.h"
#include "runner/review/build.h"
#include "runner/review/review.h"
#include "runner/review/verdict.h"

static void free_notice(sc_notice *notice)
{
  char *const texts[] = {notice->subject,  notice->file,     notice->title,          notice->message,
                         notice->evidence, notice->advice,   notice->before,         notice->after,
                         notice->metric,   notice->accepted, notice->accepted_until, notice->caller};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    free(texts[i]);
  for (size_t i = 0; i < notice->step_count; i++) {
    free(notice->steps[i].text);
    free(notice->steps[i].file);
  }
  free(notice->steps);
  free(notice->predictions);
  if (notice->inputs) {
    free(notice->inputs->family);
    free(notice->inputs->example);
    free(notice->inputs->confirmed);
    free(notice->inputs->file);
    free(notice->inputs);
  }
}

void sc_notices_free(sc_notices *notices)
{
  for (size_t i = 0; i < notices->count; i++)
    free_notice(&notices->list[i]);
  free(notices->list);
  for (size_t i = 0; i < notices->along_count; i++)
    sc_comparison_free(&notices->along[i]);
  free(notices->verdict);
  free(notices->coverage);
  free(notices->times);
  *notices = (sc_notices){0};
}

const char *sc_notice_beyond_title(const sc_notice *notice)
{
  size_t length = strlen(notice->title);
  bool begins = strncmp(notice->message, notice->title, length) == 0;
  return begins && strncmp(notice->message + length, "; ", 2) == 0 ? notice->message + length + 2 : notice->message;
}

static int clean_notice(sc_notice *notice)
{
  char **const texts[] = {&notice->subject, &notice->file,   &notice->title, &notice->message, &notice->evidence,
                          &notice->advice,  &notice->before, &notice->after, &notice->metric,  &notice->caller};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    SC_TRY(sc_notice_clean(texts[i]));
  if (notice->inputs)
    SC_TRY(sc_notice_clean(&notice->inputs->file)); /* its other texts are printable */
  for (size_t i = 0; i < notice->step_count; i++) {
    SC_TRY(sc_notice_clean(&notice->steps[i].text));
    SC_TRY(sc_notice_clean(&notice->steps[i].file));
  }
  return 0;
}

void sc_notice_close_region(sc_notice *notice, sc_sources *sources)
{
  size_t length = 0;
  if (notice->line == 0)
    return;
  notice->end_line = notice->line;
  if (notice->column) {
    notice->end_column = sc_source_word_end(sources, notice->file, notice->line, notice->column);
    return;
  }
  const char *text = sc_source_line(sources, notice->file, notice->line, &length);
  size_t blank = 0;
  while (text && blank < length && (text[blank] == ' ' || text[blank] == '\t'))
    blank++;
  bool told = text && blank < length && length < UINT32_MAX - 1;
  notice->column = told ? (uint32_t)blank + 1 : 1;
  notice->end_column = told ? (uint32_t)length + 1 : 2;
}

static uint64_t hash_notice(uint64_t start, const sc_notice *notice, size_t nth)
{
  uint64_t hash = sc_hash_string(start, sc_rule_id(notice->rule));
  hash = sc_hash_string(hash, notice->subject);
  hash = sc_hash_string(hash, notice->metric);
  if (notice->parameter)
    hash = sc_hash_string(hash, notice->parameter);
  hash = sc_hash_string(hash, notice->fingerprint);
  return sc_hash_bytes(hash, &nth, sizeof nth);
}

typedef struct place {
  sc_notice *notice;
  uint64_t hash;
} place;

static int by_hash_and_place(const void *a, const void *b)
{
  const place *x = a, *y = b;
  return SC_COMPARE(x->hash, y->hash) ?: strcmp(x->notice->file, y->notice->file) ?:
         SC_COMPARE(x->notice->line, y->notice->line) ?: SC_COMPARE(x->notice->column, y->notice->column);
}

/* Two loops of a function have the same path of names: they are told apart by their order in the source. */
static int set_fingerprints(sc_notices *notices)
{
  place *places;
  SC_TRY(SC_NEW(places, notices->count ? notices->count : 1));
  for (size_t i = 0; i < notices->count; i++)
    places[i] = (place){&notices->list[i], hash_notice(SC_HASH_START, &notices->list[i], 0)};
  qsort(places, notices->count, sizeof *places, by_hash_and_place);
  for (size_t i = 0, nth = 0; i < notices->count; i++) {
    nth = i && places[i].hash == places[i - 1].hash ? nth + 1 : 0;
    uint64_t first = hash_notice(SC_HASH_START, places[i].notice, nth);
    uint64_t second = hash_notice(~SC_HASH_START, places[i].notice, nth);
    snprintf(places[i].notice->fingerprint, sizeof places[i].notice->fingerprint, "%016llx%016llx",
             (unsigned long long)first, (unsigned long long)second);
  }
  free(places);
  return 0;
}

int sc_notices_finish(sc_notices *notices)
{
  int err = 0;
  sc_sources sources = {0};
  for (size_t i = 0; i < notices->count; i++) {
    SC_GOTO(clean_notice(&notices->list[i]));
    sc_notice_close_region(&notices->list[i], &sources);
  }
  SC_GOTO(set_fingerprints(notices));
  err = sc_notices_set_verdict(notices);
out:
  sc_sources_free(&sources);
  return err;
}

/* By severity; what is equal keeps its order. */
static int sort_study(sc_notices *notices)
{
  sc_notice *sorted = sc_mem_new(notices->count ? notices->count : 1, sizeof *sorted);
  size_t count = 0;
  if (!sorted)
    return SC_E_NOMEM;
  for (int severity = SC_SEVERITY_ERROR; severity >= SC_SEVERITY_NOTE; severity--)
    for (size_t i = 0; i < notices->count; i++)
      if ((int)notices->list[i].severity == severity)
        sorted[count++] = notices->list[i];
  if (count)
    memcpy(notices->list, sorted, count * sizeof *sorted);
  free(sorted);
  return 0;
}

int sc_notices_of_study(const sc_judge *judge, sc_notices *notices)
{
  *notices = (sc_notices){.judge = judge};
  SC_TRY(sc_notices_add_budgets(notices));
  SC_TRY(sc_notices_add_findings(notices));
  SC_TRY(sc_notices_add_resources(notices));
  SC_TRY(sort_study(notices));
  return sc_notices_finish(notices);
}

int sc_notices_of_change(const sc_judge *base, const sc_judge *head, const sc_comparison *comparison,
                         const char *fail_on, sc_notices *notices)
{
  *notices = (sc_notices){.judge = head, .base = base, .comparison = comparison};
  SC_TRY(sc_notices_add_budgets(notices));
  SC_TRY(sc_notices_add_total(notices, sc_gate_cost_ratio(fail_on)));
  SC_TRY(sc_notices_add_changes_along(notices));
  SC_TRY(sc_notices_add_changes(notices));
  return sc_notices_finish(notices);
}

/* What got worse, or is wrong already. */
static bool is_bad(const sc_notice *notice)
{
  bool uncertain = notice->resource && sc_resource_uncertain(notice->severity);
  return !notice->linear && !uncertain && notice->rule != SC_RULE_BETTER && notice->rule != SC_RULE_GONE &&
         notice->rule != SC_RULE_CHANGE_UNKNOWN && notice->rule != SC_RULE_UNRUN_INPUT;
}

/* A notice that a gate is asked about. */
typedef struct asked {
  const sc_notices *notices;
  const sc_notice *notice;
} asked;

static bool applies_to_notice(const void *user, const char *what)
{
  const asked *a = user;
  const sc_notices *notices = a->notices;
  const sc_notice *notice = a->notice;
  bool warning = notice->severity >= SC_SEVERITY_WARNING;
  if (sc_same_text(what, "cost"))
    return notice->over_ratio;
  if (sc_same_text(what, "any"))
    return is_bad(notice);
  if (sc_same_text(what, "budget"))
    return notice->rule == SC_RULE_BUDGET;
  if (sc_same_text(what, "order") && notices->comparison)
    return notice->rule == SC_RULE_WORSE_ORDER || (notice->rule == SC_RULE_NEW_COST && notice->superlinear);
  if (sc_same_text(what, "order") && notice->rule == SC_RULE_BUDGET)
    return sc_same_text(notice->metric, "order");
  if (sc_same_text(what, "order") || sc_same_text(what, "superlinear"))
    return notice->superlinear;
  if (sc_same_text(what, "resource"))
    return warning && notice->resource;
  return sc_same_text(what, "warning") && warning && is_bad(notice);
}

int sc_notices_status(const sc_notices *notices, const char *fail_on)
{
  for (size_t i = 0; fail_on && i < notices->count; i++)
    if (!notices->list[i].accepted && sc_gate_any(fail_on, applies_to_notice, &(asked){notices, &notices->list[i]}))
      return 1;
  return 0;
}

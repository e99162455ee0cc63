/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is discarded, by two rules: a wait that takes no time, told by the share of short ones; and the lives of
 * units, told by what share of a function's events is impossible. Both want some cases, as a ring that lost events
 * makes good ones look broken. */
#include "profiles/scprof/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/graph/tuning.h"
#include "profiles/scprof/validate_internal.h"

static const char *const reasons[] = {
    [SC_VALIDATE_USED_AFTER] = "%llu of %llu times the same thread used the unit again after %s had released it",
    [SC_VALIDATE_NOT_HELD] = "%llu of %llu times nobody had acquired the unit that %s used",
    [SC_VALIDATE_NO_HOLDER] = "%llu of %llu times nobody else had the resource while %s waited for it",
    [SC_VALIDATE_HELD_ALREADY] =
        ("%llu of %llu times the unit that %s acquired was held already; if several may hold it, "
         "the event has to say that it is shared"),
    [SC_VALIDATE_NO_ACQUIRE] = "%llu of %llu times nobody had acquired the unit that %s released",
    [SC_VALIDATE_NO_DELAY] = "%llu of %llu waits in %s took less than a microsecond",
};

static enum sc_validate_fault worst_fault(const struct sc_validate_subject *subject)
{
  int worst = 0;
  for (int i = 1; i < SC_VALIDATE_FAULTS; i++)
    if (subject->faults[i] > subject->faults[worst])
      worst = i;
  return (enum sc_validate_fault)worst;
}

static int discard_profile(sc_graph *graph, struct sc_validate_subject *subject)
{
  enum sc_validate_fault fault = worst_fault(subject);
  sc_buf why = {0};
  subject->discarded = true;
  sc_buf_printf(&why, reasons[fault], (unsigned long long)subject->faults[fault], (unsigned long long)subject->checked,
                subject->via);
  int err = sc_buf_finish(&why);
  if (err == 0)
    err = sc_usage_add_discarded(graph, &(sc_discarded_event){subject->via, subject->resource, why.text});
  sc_buf_free(&why);
  return err;
}

/* A wait has to take time, but not every one. */
static int check_delays(const struct sc_validate_check *check, sc_graph *graph)
{
  for (size_t i = 0; i < check->subject_count; i++) {
    struct sc_validate_subject *subject = &check->subjects[i];
    if (!subject->probe || subject->waits < SC_VALIDATE_LEAST ||
        subject->short_waits * SC_VALIDATE_SHORT <= subject->waits)
      continue;
    subject->checked = subject->waits;
    memset(subject->faults, 0, sizeof subject->faults);
    subject->faults[SC_VALIDATE_NO_DELAY] = subject->short_waits;
    SC_TRY(discard_profile(graph, subject));
  }
  return 0;
}

static bool is_broken(const struct sc_validate_check *check, const struct sc_validate_subject *subject)
{
  return subject->probe && !subject->discarded && subject->broken >= SC_VALIDATE_LEAST + check->lost_events &&
         subject->broken > subject->checked / SC_VALIDATE_GOOD;
}

/* Whether `a` breaks the order more surely than `b`. */
static bool is_worse(const struct sc_validate_subject *a, const struct sc_validate_subject *b)
{
  double left = (double)a->broken * (double)b->checked, right = (double)b->broken * (double)a->checked;
  if (left != right)
    return left > right;
  if (worst_fault(a) != worst_fault(b))
    return worst_fault(a) < worst_fault(b);
  return a->broken > b->broken;
}

/* One false event makes true ones look broken: the worst is discarded first, and the rest gets another chance. */
static int check_lives(const struct sc_validate_check *check, sc_graph *graph)
{
  for (;;) {
    struct sc_validate_subject *worst = NULL;
    for (size_t i = 0; i < check->subject_count; i++) {
      check->subjects[i].checked = check->subjects[i].broken = 0;
      memset(check->subjects[i].faults, 0, sizeof check->subjects[i].faults);
    }
    SC_TRY(sc_validate_units(check));
    for (size_t i = 0; i < check->subject_count; i++)
      if (is_broken(check, &check->subjects[i]) && (!worst || is_worse(&check->subjects[i], worst)))
        worst = &check->subjects[i];
    if (!worst)
      return 0;
    SC_TRY(discard_profile(graph, worst));
  }
}

int sc_validate_profiles(sc_reader *const *readers, size_t count, sc_graph *graph)
{
  int err;
  struct sc_validate_check check = {0};
  SC_GOTO(sc_validate_gather(readers, count, &check));
  if (!check.event_count)
    goto out;
  SC_GOTO(check_delays(&check, graph));
  err = check_lives(&check, graph);
out:
  sc_validate_free(&check);
  return err;
}

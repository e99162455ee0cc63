/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs showed, in words. */
#include <math.h>

#include "runner/discover/explain.h"
#include "runner/discover/score.h"
#include "runner/text/format.h"

static const sc_measured *study_of(const sc_discovery *d, const sc_ran *ran) { return &d->measured[ran->measured]; }

static void put_size(const char *parameter, double size, sc_buf *out)
{
  sc_buf_printf(out, "%s = %s", parameter, sc_format_number(size).s);
}

/* Means are of several runs. */
static void put_run_number(double count, sc_buf *out) { sc_buf_puts(out, sc_format_number(round(count)).s); }

static void put_times(double count, sc_buf *out)
{
  put_run_number(count, out);
  sc_buf_puts(out, round(count) == 1 ? " time" : " times");
}

static void put_calls(const sc_discovery *d, const sc_ran *ran, sc_buf *out)
{
  const sc_measured *study = study_of(d, ran);
  put_times(ran->few, out);
  sc_buf_puts(out, " at ");
  put_size(study->parameter, study->smallest, out);
  sc_buf_puts(out, ", ");
  put_times(ran->most, out);
  sc_buf_puts(out, " at ");
  put_size(study->parameter, ran->at, out);
}

/* What its probes counted in one run. */
static void put_dealt(const sc_event *event, const sc_dealt *dealt, sc_buf *out)
{
  const sc_counted *counted = &dealt->counted;
  if (event->role == SC_ROLE_WAIT) {
    sc_buf_printf(out, "waited ");
    put_times(counted->waits, out);
    sc_buf_printf(out, ", %s", sc_format_seconds(counted->wait_seconds).s);
  } else if (event->role == SC_ROLE_RELEASE) {
    sc_buf_puts(out, "gave back ");
    put_times(counted->releases, out);
    if (counted->strangers > 0)
      sc_buf_printf(out, ", %s of them what nothing here had acquired", sc_format_number(counted->strangers).s);
  } else {
    sc_buf_puts(out, "acquired ");
    put_times(counted->acquires, out);
    if (counted->failures > 0)
      sc_buf_printf(out, ", failed %s", sc_format_number(counted->failures).s);
    sc_buf_printf(out, ", %s came back", sc_format_number(counted->back).s);
  }
}

void sc_explain_ran(const sc_discovery *d, const sc_event *event, sc_buf *out)
{
  if (!d->ran)
    return;
  const sc_ran *ran = &d->ran[event->function];
  const sc_dealt *dealt = &d->dealt[event - d->events];
  if (!ran->ran) {
    sc_buf_puts(out, "not run");
    return;
  }
  sc_buf_puts(out, "ran ");
  put_calls(d, ran, out);
  if (!dealt->any)
    return;
  sc_buf_puts(out, "; in a run at ");
  put_size(d->measured[dealt->measured].parameter, d->measured[dealt->measured].largest, out);
  sc_buf_puts(out, " it ");
  put_dealt(event, dealt, out);
}

/* ---- a resource --------------------------------------------------------------------------------------------- */

typedef struct balance {
  double acquired, released;               /* calls, or what the probes counted, at the size `at`; */
  double acquired_before, released_before; /* and at the smallest; 0 where probes counted */
  double instances, peak;
  const sc_measured *study;
  double at;
  bool probed, alike;
} balance;

static void weigh_run(const sc_discovery *d, const sc_event *event, balance *sum)
{
  const sc_ran *ran = &d->ran[event->function];
  const sc_dealt *dealt = &d->dealt[event - d->events];
  const sc_counted *counted = &dealt->counted;
  const sc_measured *study = &d->measured[sum->probed ? dealt->measured : ran->measured];
  bool acquires = event->role == SC_ROLE_ACQUIRE;
  double at = sum->probed ? study->largest : ran->at;
  double known = acquires ? counted->acquires : counted->releases - counted->strangers;
  if (event->role == SC_ROLE_WAIT || !ran->ran)
    return;
  sum->alike &= !sum->study || (at == sum->at && sum->study == study);
  sum->study = study;
  sum->at = at;
  *(acquires ? &sum->acquired : &sum->released) += sum->probed ? known : ran->most;
  *(acquires ? &sum->acquired_before : &sum->released_before) += sum->probed ? 0 : ran->few;
  sum->instances = sum->probed ? fmax(sum->instances, counted->instances) : 0;
  sum->peak += sum->probed ? counted->peak : 0;
}

static void put_balance(const balance *sum, sc_buf *out)
{
  double kept = sum->acquired - sum->released, before = sum->acquired_before - sum->released_before;
  sc_buf_puts(out, "at ");
  put_size(sum->study->parameter, sum->at, out);
  sc_buf_puts(out, sum->probed ? " acquired " : " acquires ran ");
  put_times(sum->acquired, out);
  sc_buf_puts(out, sum->probed ? ", given back " : ", releases ");
  put_times(sum->released, out);
  if (kept > before) {
    sc_buf_puts(out, sum->probed ? "; " : "; up to ");
    put_run_number(kept, out);
    sc_buf_puts(out, " stayed: kept on purpose, or a leak");
  }
  if (sum->instances > 0) /* an estimate, where there are many */
    sc_buf_printf(out, "; %s different", sc_format_number(fmin(sum->instances, sum->acquired)).s);
  if (sum->peak > 0)
    sc_buf_printf(out, "; at most %s out at a time", sc_format_number(sum->peak).s);
}

/* Whether probes counted all of its events that ran, as of one resource. */
static bool is_probed(const sc_discovery *d, const sc_resource *resource)
{
  const sc_dealt *first = NULL;
  SC_FACTS_EACH (event, d->events, resource->events) {
    const sc_dealt *dealt = &d->dealt[event - d->events];
    if (!event->chosen || event->role == SC_ROLE_WAIT || !d->ran[event->function].ran)
      continue;
    first = first ? first : dealt;
    if (!dealt->any || dealt->measured != first->measured || dealt->counted.resource != first->counted.resource)
      return false;
  }
  return first;
}

void sc_explain_balance(const sc_discovery *d, const sc_resource *resource, sc_buf *out)
{
  balance sum = {.alike = true};
  if (!d->ran || !resource->ran)
    return;
  sum.probed = is_probed(d, resource);
  SC_FACTS_EACH (event, d->events, resource->events)
    if (event->chosen)
      weigh_run(d, event, &sum);
  if (sum.alike && sum.study)
    put_balance(&sum, out);
}

/* ---- what they disprove, and what they speak against ------------------------------------------------------------ */

void sc_explain_disproved(const sc_discovery *d, const sc_rejected *rejected, sc_buf *out)
{
  const sc_event *event = &d->events[rejected->other];
  const sc_dealt *dealt = &d->dealt[rejected->other];
  switch (rejected->why) {
  case SC_REJECT_TRACE:
    sc_buf_puts(out, dealt->discarded);
    return;
  case SC_REJECT_STRANGERS:
    sc_buf_puts(out, "gives back what nothing here acquires: ");
    break;
  case SC_REJECT_KEPT:
    sc_buf_puts(out, "nothing gives back what it acquires: ");
    break;
  case SC_REJECT_NO_DELAY:
    sc_buf_puts(out, "does not wait: ");
    break;
  case SC_REJECT_NO_RETRY:
    sc_buf_puts(out, "is called more often than anything tries to acquire: ");
    break;
  case SC_REJECT_LEFT:
    sc_buf_printf(out,
                  "nothing is left that %s: ", rejected->role == SC_ROLE_ACQUIRE ? "gives it back" : "acquires it");
    break;
  default:
    sc_buf_puts(out, "does not grow with the size: ");
  }
  sc_explain_ran(d, event, out);
}

const char *sc_explain_doubt(enum sc_run_doubt doubt)
{
  static const char *const words[] = {NULL,
                                      "does not grow with the size, as others do",
                                      "releases run more often than what acquires, and more with the size",
                                      "most of what it gives back was acquired by nothing here",
                                      "its units are hardly known again, as realloc moves some",
                                      "most of what it acquires is acquired again before it came back"};
  return words[doubt];
}

double sc_explain_confidence(const sc_discovery *d, const sc_event *event)
{
  double confidence = sc_score_confidence(event->score);
  bool kept = event->chosen && d->ran && d->ran[event->function].ran && d->resources[event->resource].ran;
  return kept && !event->doubt ? fmax(confidence, SC_DISCOVER_KEPT) : confidence;
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

void sc_explain_verdict(const sc_discovery *d, sc_buf *out)
{
  const sc_run_verdict *verdict = &d->verdict;
  for (size_t i = 0; i < d->measured_count; i++) {
    const sc_measured *study = &d->measured[i];
    sc_buf_puts(out, i == 0 ? "Measured at " : i + 1 < d->measured_count ? ", " : " and ");
    put_size(study->parameter, study->smallest, out);
    sc_buf_printf(out, " to %s", sc_format_number(study->largest).s);
  }
  sc_buf_printf(out, ": of %s %zu ran and %s kept, ", sc_format_plural(verdict->proposed, "proposed event").s,
                verdict->kept, verdict->kept == 1 ? "is" : "are");
  if (verdict->weak)
    sc_buf_printf(out, "%zu %s too weak now, ", verdict->weak, verdict->weak == 1 ? "is" : "are");
  sc_buf_printf(out, "%zu %s rejected, %zu did not run.", verdict->rejected, verdict->rejected == 1 ? "is" : "are",
                verdict->not_run);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "transitions/resources/groups.h"
#include "transitions/resources/text.h"

/* Inconsistent state: more and more acquires fail, or are tried again. */
static const double HALF = 0.5, FIFTH = 0.2;         /* shares of failures */
static const double FASTER = 0.2, MUCH_FASTER = 0.4; /* by which the exponent of failures exceeds that of acquires */
static const double RISE = 1.25, CLEAR_RISE = 1.5;   /* of the share, from the lower to the upper half of the sizes */
static const double FAILURES_ENOUGH = 4;

/* Failures over acquires, from which the share follows; each end of the interval from the ends that lead to it. */
static int predict_score(const sc_question *q, double n, sc_interval *score)
{
  sc_interval f, a;
  SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_FAILURES, n, &f));
  SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_ACQUIRES, n, &a));
  double value = f.value + a.value > 0 ? f.value / (f.value + a.value) : 0;
  double low = f.low > 0 ? (isfinite(a.high) ? f.low / (f.low + a.high) : 0) : 0;
  double high = isfinite(f.high) ? (f.high > 0 ? f.high / (f.high + a.low) : 0) : 1;
  *score = (sc_interval){value / q->reference, low / q->reference, high / q->reference};
  return 0;
}

static double measure_score(const sc_question *q, size_t size)
{
  double share;
  return sc_rmetric_at(q->r, q->cell, size, SC_RMETRIC_FAILURE_RATIO, &share) ? share / q->reference : NAN;
}

static void tell(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  sc_buf_puts(evidence, "Acquires that failed at ");
  sc_rtext_points(r, draft->cell, SC_RMETRIC_FAILURES, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_FAILURES, evidence);
  sc_buf_puts(evidence, ". Share of all: ");
  sc_rtext_points(r, draft->cell, SC_RMETRIC_FAILURE_RATIO, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_FAILURE_RATIO, evidence);
  sc_buf_puts(evidence, ".");
  sc_buf_puts(advice, "Find out what makes ");
  if (!sc_rtext_first(r, f, SC_ROLE_FAILS, advice))
    sc_rtext_name(r, draft->cell, advice);
  sc_buf_puts(advice, " fail: a state that is not what its callers expect, and that earlier work leaves behind (stale "
                      "entries, versions that conflict, units never marked free). Retrying makes it worse.");
}

static int judge_one(sc_resources *r, const sc_rcell *cell, double reference)
{
  static const enum sc_resource_metric metrics[] = {SC_RMETRIC_FAILURES, SC_RMETRIC_ACQUIRES, SC_RMETRIC_FAILURE_RATIO};
  static const enum sc_resource_role roles[] = {SC_ROLE_FAILS};
  sc_question q = {.r = r,
                   .cell = cell,
                   .predict = predict_score,
                   .measure = measure_score,
                   .reference = reference,
                   .growing = true};
  sc_findings_draft draft = {.rule = SC_RULE_INCONSISTENT_STATE,
                             .cell = cell,
                             .sites = &cell,
                             .site_count = cell->context != SC_USAGE_NONE,
                             .metrics = metrics,
                             .metric_count = sizeof metrics / sizeof *metrics,
                             .roles = roles,
                             .role_count = sizeof roles / sizeof *roles,
                             .question = &q,
                             .tell = tell};
  sc_judgement verdict;
  sc_interval score;
  int err;
  SC_GOTO(sc_judge(&q, &verdict));
  if (!verdict.holds)
    goto out;
  SC_GOTO(predict_score(&q, r->horizon, &score));
  draft.impact = score.value * reference;
  SC_GOTO(sc_draft_finish(r, &draft, &verdict));
out:
  sc_judge_clear(&verdict);
  return err;
}

static int judge_cell(sc_resources *r, const sc_rcell *cell)
{
  double failures, acquires, rise = sc_rmetric_rise(r, cell, SC_RMETRIC_FAILURE_RATIO);
  if (sc_rmetric_last(r, cell, SC_RMETRIC_FAILURES) < FAILURES_ENOUGH || rise < RISE || sc_rcell_signal(r, cell))
    return 0;
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_FAILURES, &failures));
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_ACQUIRES, &acquires));
  if (failures - acquires >= MUCH_FASTER)
    return judge_one(r, cell, FIFTH);
  return failures - acquires >= FASTER || rise >= CLEAR_RISE ? judge_one(r, cell, HALF) : 0;
}

int sc_rule_state(sc_resources *r)
{
  for (size_t i = 0; i < r->cell_count; i++) {
    const sc_rcell *cell = &r->cells[i];
    bool whole = cell->context == SC_USAGE_NONE;
    if (cell->in_scope && whole != sc_rcell_generic(r, cell) && !sc_rcell_idle(r, cell))
      SC_TRY(judge_cell(r, cell));
  }
  return 0;
}

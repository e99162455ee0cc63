/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule about acquires that fail ever more often. */
#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/predict.h"
#include "transitions/resources/rules/rule.h"
#include "transitions/resources/series.h"
#include "transitions/resources/text.h"

/* Inconsistent state: more and more acquires fail, or are tried again. */

static int predict_state_score(const sc_question *q, double n, sc_interval *score)
{
  sc_interval share;
  bool derived;
  SC_TRY(sc_resources_predict_cell(q->r, q->cell, SC_RMETRIC_FAILURE_RATIO, n, &share, &derived));
  *score = (sc_interval){share.value / q->reference, share.low / q->reference, share.high / q->reference};
  return 0;
}

static double measure_state_score(const sc_question *q, size_t size)
{
  return sc_question_measure(q, SC_RMETRIC_FAILURE_RATIO, size, q->reference);
}

static void tell_state(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  sc_buf_puts(evidence, "Acquires that failed at ");
  sc_rtext_points(r, cell, SC_RMETRIC_FAILURES, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_FAILURES, evidence);
  sc_buf_puts(evidence, ". Share of all: ");
  sc_rtext_points(r, cell, SC_RMETRIC_FAILURE_RATIO, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_FAILURE_RATIO, evidence);
  sc_buf_puts(evidence, ".");
  sc_buf_puts(advice, "Find out what makes ");
  if (!sc_rtext_first(r, f, SC_ROLE_FAILS, advice))
    sc_rtext_name(r, cell, advice);
  sc_buf_puts(advice, " fail: a state that is not what its callers expect, and that earlier work leaves behind (stale "
                      "entries, versions that conflict, units never marked free). Retrying makes it worse.");
}

/* The share of acquires that fail at the horizon. */
static int weigh_state(const sc_question *q, double *impact)
{
  sc_interval score;
  SC_TRY(predict_state_score(q, q->r->horizon, &score));
  *impact = score.value * q->reference;
  return 0;
}

static const sc_draft_form FORM = {.rule = SC_RULE_INCONSISTENT_STATE,
                                   SC_DRAFT_METRICS(SC_RMETRIC_FAILURES, SC_RMETRIC_ACQUIRES, SC_RMETRIC_FAILURE_RATIO),
                                   SC_DRAFT_ROLES(SC_ROLE_FAILS),
                                   .weigh = weigh_state,
                                   .tell = tell_state};

static int judge_state(sc_resources *r, const sc_resource_cell *cell, double reference)
{
  sc_question q = {.r = r,
                   .cell = cell,
                   .predict = predict_state_score,
                   .measure = measure_state_score,
                   .reference = reference,
                   .growing = true};
  return sc_draft_judge(r, &FORM, &q, &cell, 1, NULL);
}

static int judge_cell(sc_resources *r, const sc_resource_cell *cell)
{
  double failures, acquires, rise = sc_rmetric_rise(r, cell, SC_RMETRIC_FAILURE_RATIO);
  if (sc_rmetric_last(r, cell, SC_RMETRIC_FAILURES) < SC_STATE_FAILURES || rise < SC_STATE_RISE ||
      sc_resource_cell_signal(r, cell))
    return 0;
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_FAILURES, &failures));
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_ACQUIRES, &acquires));
  if (failures - acquires >= SC_STATE_MUCH_FASTER)
    return judge_state(r, cell, SC_STATE_FIFTH);
  return failures - acquires >= SC_STATE_FASTER || rise >= SC_STATE_CLEAR ? judge_state(r, cell, SC_STATE_HALF) : 0;
}

static bool state_concerns(const sc_resources *r, const sc_resource_cell *cell)
{
  return sc_resource_cell_judged(r, cell) && !sc_resource_cell_idle(r, cell);
}

const sc_resource_rule sc_rule_state = {
    .rule = SC_RULE_INCONSISTENT_STATE, .concerns = state_concerns, .judge = judge_cell};

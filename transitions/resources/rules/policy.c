/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule about units that are held long and used rarely. */
#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/rules/rule.h"
#include "transitions/resources/series.h"
#include "transitions/resources/text.h"

/*
 * Inefficient policy: units are held longer and longer, but used no more often for it; or what is obtained is less and
 * less used at all.
 */

/* Uses of one acquire, in a form to divide by: what is never used is used once in a thousand acquires. */
static double uses_of(double ratio) { return fmax(ratio, 1e-3); }

static int predict_longer(const sc_question *q, double n, sc_interval *score)
{
  sc_interval hold, uses;
  SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_HOLD, n, &hold));
  SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_USE_RATIO, n, &uses));
  double limit = SC_POLICY_LONGER * q->reference;
  *score = (sc_interval){hold.value / uses_of(uses.value) / limit, hold.low / uses_of(fmin(uses.high, 1e15)) / limit,
                         hold.high / uses_of(uses.low) / limit};
  return 0;
}

static double each_use(const sc_resources *r, const sc_resource_cell *cell, size_t size)
{
  double hold, uses;
  if (!sc_rmetric_at(r, cell, size, SC_RMETRIC_HOLD, &hold) ||
      !sc_rmetric_at(r, cell, size, SC_RMETRIC_USE_RATIO, &uses))
    return NAN;
  return hold / uses_of(uses);
}

static double measure_longer(const sc_question *q, size_t size)
{
  return each_use(q->r, q->cell, size) / SC_POLICY_LONGER / q->reference;
}

static int predict_unused(const sc_question *q, double n, sc_interval *score)
{
  sc_interval uses;
  SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_USE_RATIO, n, &uses));
  *score = (sc_interval){SC_POLICY_UNUSED / uses_of(uses.value), SC_POLICY_UNUSED / uses_of(fmin(uses.high, 1e15)),
                         SC_POLICY_UNUSED / uses_of(uses.low)};
  return 0;
}

static double measure_unused(const sc_question *q, size_t size)
{
  double uses;
  return sc_rmetric_at(q->r, q->cell, size, SC_RMETRIC_USE_RATIO, &uses) ? SC_POLICY_UNUSED / uses_of(uses) : NAN;
}

static void tell_policy(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  sc_buf_puts(evidence, "Mean hold time at ");
  sc_rtext_points(r, cell, SC_RMETRIC_HOLD, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_HOLD, evidence);
  sc_buf_puts(evidence, ". Uses per acquire at ");
  sc_rtext_points(r, cell, SC_RMETRIC_USE_RATIO, evidence);
  sc_buf_puts(evidence, ".");
  sc_buf_puts(advice, "Obtain it when it is needed and give it back when it has been used");
  sc_buf_puts(advice, f->site_count ? ": it is kept longest by what " : "");
  if (sc_rtext_first(r, f, SC_ROLE_HOLDS, advice))
    sc_buf_puts(advice, " obtains");
  sc_buf_puts(advice, ". Where it is obtained ahead of time, bound how far ahead; where many are, give back the ones "
                      "that have been used.");
}

static const sc_draft_form FORM = {
    .rule = SC_RULE_INEFFICIENT_POLICY,
    SC_DRAFT_METRICS(SC_RMETRIC_HOLD, SC_RMETRIC_USE_RATIO, SC_RMETRIC_ACQUIRES, SC_RMETRIC_USES),
    SC_DRAFT_ROLES(SC_ROLE_HOLDS, SC_ROLE_ACQUIRES),
    .weight = 1,
    .tell = tell_policy};

static int judge_policy(sc_resources *r, const sc_resource_cell *cell)
{
  double hold, slope, uses, last = sc_rmetric_last(r, cell, SC_RMETRIC_USE_RATIO);
  double level = sc_rmetric_last(r, cell, SC_RMETRIC_LEVEL);
  bool found = false;
  sc_question q = {.r = r, .cell = cell, .growing = true};
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_HOLD, &hold));
  SC_TRY(sc_rseries_slope(r, cell, SC_RMETRIC_HOLD, &slope));
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_USE_RATIO, &uses));
  for (size_t i = 0; i < r->size_count && !(q.reference > 0); i++)
    q.reference = fmax(0, each_use(r, cell, i));
  double rise = sc_rmetric_rise(r, cell, SC_RMETRIC_USE_RATIO);
  if (hold >= SC_POLICY_GROWS && slope >= SC_POLICY_FLAT && uses < SC_POLICY_FLAT && rise < SC_POLICY_RISE &&
      last <= SC_POLICY_USES && level >= SC_POLICY_HELD && q.reference > 0) {
    q.timed = true;
    q.predict = predict_longer;
    q.measure = measure_longer;
    SC_TRY(sc_draft_judge(r, &FORM, &q, &cell, 1, &found));
  }
  if (!found && rise <= SC_POLICY_FALL && last < 2 * SC_POLICY_UNUSED && level >= SC_POLICY_UNUSED_HELD) {
    q.timed = false;
    q.predict = predict_unused;
    q.measure = measure_unused;
    SC_TRY(sc_draft_judge(r, &FORM, &q, &cell, 1, NULL));
  }
  return 0;
}

static bool policy_concerns(const sc_resources *r, const sc_resource_cell *cell)
{
  return cell->in_scope && cell->used && !sc_resource_cell_idle(r, cell) &&
         sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES) >= SC_POLICY_ACQUIRES;
}

const sc_resource_rule sc_rule_policy = {
    .rule = SC_RULE_INEFFICIENT_POLICY, .whole = true, .concerns = policy_concerns, .judge = judge_policy};

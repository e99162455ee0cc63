/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "transitions/explain.h"
#include "transitions/resources/groups.h"
#include "transitions/resources/leaks.h"
#include "transitions/resources/text.h"

/* Leak: acquired, and never given back by anybody; more of it the more is done. */
static const double FACTOR = 2; /* times what was kept at the smallest size */

static int predict_score(const sc_question *q, double n, sc_interval *score)
{
  SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_OUTSTANDING, n, score));
  *score = (sc_interval){score->value / q->reference, score->low / q->reference, score->high / q->reference};
  return 0;
}

static double measure_score(const sc_question *q, size_t size)
{
  double kept;
  return sc_rmetric_at(q->r, q->cell, size, SC_RMETRIC_OUTSTANDING, &kept) ? kept / q->reference : NAN;
}

static double mean_units(const sc_resources *r, const sc_rcell *cell)
{
  double acquires = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  return acquires > 0 ? sc_rmetric_last(r, cell, SC_RMETRIC_UNITS) / acquires : 1;
}

static int make_question(const sc_resources *r, const sc_rcell *cell, sc_question *q)
{
  const sc_rseries *kept;
  double first = 0;
  *q = (sc_question){.r = r, .cell = cell, .predict = predict_score, .measure = measure_score};
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_OUTSTANDING, &kept));
  q->model = sc_rseries_model(kept);
  if (!sc_rmetric_at(r, cell, 0, SC_RMETRIC_OUTSTANDING, &first))
    first = 0;
  q->reference = fmax(FACTOR * first, fmax(mean_units(r, cell), 1e-9));
  return 0;
}

static void tell(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_model *model = draft->question->model;
  double n = r->sizes[r->size_count - 1], kept = sc_rmetric_last(r, draft->cell, SC_RMETRIC_OUTSTANDING);
  sc_buf_puts(evidence, "Never given back (");
  sc_rtext_units(r, draft->cell, 2, evidence);
  sc_buf_puts(evidence, ") at ");
  sc_rtext_points(r, draft->cell, SC_RMETRIC_OUTSTANDING, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_OUTSTANDING, evidence);
  if (model->order.integer == 1 && model->order.log_exponent <= 0) {
    sc_buf_printf(evidence, ": %.3g ", kept / n);
    sc_rtext_units(r, draft->cell, kept / n, evidence);
    sc_buf_printf(evidence, " for each %s", r->variable);
  }
  sc_buf_puts(evidence, ". Acquires at the largest size: ");
  sc_rtext_value(SC_RMETRIC_ACQUIRES, sc_rmetric_last(r, draft->cell, SC_RMETRIC_ACQUIRES), evidence);
  sc_buf_puts(evidence, ".");
  if (draft->site_count > 1)
    sc_buf_printf(evidence, " The same in %zu more contexts.", draft->site_count - 1);
  sc_buf_puts(advice, "Nobody gives back what ");
  if (!sc_rtext_first(r, f, SC_ROLE_KEEPS, advice))
    sc_rtext_name(r, draft->cell, advice);
  sc_buf_puts(advice, " obtains: follow it to where its last user is done, and look for the ways out (errors, early "
                      "returns) that leave it behind.");
}

static int judge_group(sc_resources *r, const sc_rcell *const *members, size_t count)
{
  static const enum sc_resource_metric metrics[] = {SC_RMETRIC_OUTSTANDING, SC_RMETRIC_ACQUIRES, SC_RMETRIC_UNITS,
                                                    SC_RMETRIC_PEAK};
  static const enum sc_resource_role roles[] = {SC_ROLE_KEEPS};
  sc_question q;
  SC_TRY(make_question(r, members[0], &q));
  sc_findings_draft draft = {.rule = SC_RULE_LEAK,
                             .cell = members[0],
                             .sites = members,
                             .site_count = members[0]->context == SC_USAGE_NONE ? 0 : count,
                             .metrics = metrics,
                             .metric_count = sizeof metrics / sizeof *metrics,
                             .roles = roles,
                             .role_count = sizeof roles / sizeof *roles,
                             .question = &q,
                             .tell = tell};
  sc_judgement verdict;
  sc_interval share;
  int err;
  SC_GOTO(sc_judge(&q, &verdict));
  if (!verdict.holds)
    goto out;
  SC_GOTO(sc_leak_share(r, members[0], SC_RMETRIC_OUTSTANDING, &share));
  draft.impact = share.value;
  SC_GOTO(sc_draft_finish(r, &draft, &verdict));
out:
  sc_judge_clear(&verdict);
  return err;
}

static bool may_leak(const sc_resources *r, const sc_rcell *cell)
{
  enum sc_resource_class c = sc_rcell_resource(r, cell)->resource_class;
  bool whole = cell->context == SC_USAGE_NONE;
  return cell->in_scope && whole != sc_rcell_generic(r, cell) && !sc_rcell_lock(r, cell) &&
         c != SC_RESOURCE_SEMAPHORE && c != SC_RESOURCE_CONDITION && c != SC_RESOURCE_BARRIER;
}

int sc_rule_leak(sc_resources *r)
{
  int err = 0;
  sc_groups groups = {.r = r};
  for (size_t i = 0; !err && i < r->cell_count; i++) {
    const sc_rcell *cell = &r->cells[i];
    bool yes;
    if (!may_leak(r, cell))
      continue;
    err = sc_leak_holds(r, cell, &yes);
    if (!err && yes)
      err = sc_groups_add(&groups, cell, sc_rmetric_last(r, cell, SC_RMETRIC_OUTSTANDING));
  }
  int each = sc_groups_each(&groups, r, judge_group);
  return err < 0 ? err : each;
}

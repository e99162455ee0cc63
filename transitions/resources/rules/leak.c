/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule about what is obtained and never given back. */
#include <math.h>

#include "transitions/findings/explain.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/leaks.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/rules/rule.h"
#include "transitions/resources/series.h"
#include "transitions/resources/text.h"

/* Leak: acquired, and never given back by anybody; more of it the more is done. */

static int predict_leaking_score(const sc_question *q, double n, sc_interval *score)
{
  return sc_question_predict(q, SC_RMETRIC_OUTSTANDING, n, q->reference, score);
}

static double measure_leaking_score(const sc_question *q, size_t size)
{
  return sc_question_measure(q, SC_RMETRIC_OUTSTANDING, size, q->reference);
}

static double mean_units(const sc_resources *r, const sc_resource_cell *cell)
{
  double acquires = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES);
  return acquires > 0 ? sc_rmetric_last(r, cell, SC_RMETRIC_UNITS) / acquires : 1;
}

static int make_leaking_question(const sc_resources *r, const sc_resource_cell *cell, sc_question *q)
{
  const sc_rseries *kept;
  double first;
  sc_leak_rise rise;
  bool over, beside = false;
  *q = (sc_question){.r = r, .cell = cell, .predict = predict_leaking_score, .measure = measure_leaking_score};
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_OUTSTANDING, &kept));
  q->model = sc_rseries_model(kept);
  if (!sc_rmetric_at(r, cell, 0, SC_RMETRIC_OUTSTANDING, &first))
    first = 0;
  SC_TRY(sc_leak_holds(r, cell, &over));
  if (!over)
    SC_TRY(sc_leak_holds_beside(r, cell, &rise, &beside));
  if (beside)
    first = rise.value_from;
  q->reference = fmax(SC_LEAKS_FACTOR * first, fmax(mean_units(r, cell), 1e-9));
  return 0;
}

/* "; with threads = 1: 1, with threads = 8: 8" */
static void tell_beside(const sc_resources *r, const sc_resource_cell *cell, sc_buf *evidence)
{
  sc_leak_rise rise;
  bool over = true, beside = false;
  if (sc_leak_holds(r, cell, &over) < 0 || over || sc_leak_holds_beside(r, cell, &rise, &beside) < 0 || !beside)
    return;
  const char *name = r->place->runs.names[rise.parameter];
  sc_buf_printf(evidence, "; with %s = ", name);
  sc_explain_number(evidence, rise.from);
  sc_buf_puts(evidence, ": ");
  sc_rtext_value(SC_RMETRIC_OUTSTANDING, rise.value_from, evidence);
  sc_buf_printf(evidence, ", with %s = ", name);
  sc_explain_number(evidence, rise.to);
  sc_buf_puts(evidence, ": ");
  sc_rtext_value(SC_RMETRIC_OUTSTANDING, rise.value_to, evidence);
}

static void tell_leak(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  const sc_model *model = draft->question->model;
  double n = r->sizes[r->size_count - 1], kept = sc_rmetric_last(r, cell, SC_RMETRIC_OUTSTANDING);
  sc_buf_puts(evidence, "Never given back (");
  sc_rtext_units(r, cell, 2, evidence);
  sc_buf_puts(evidence, ") at ");
  sc_rtext_points(r, cell, SC_RMETRIC_OUTSTANDING, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_OUTSTANDING, evidence);
  tell_beside(r, cell, evidence);
  if (model && model->order.integer == 1 && model->order.log_exponent <= 0) {
    sc_buf_printf(evidence, ": %.3g ", kept / n);
    sc_rtext_units(r, cell, kept / n, evidence);
    sc_buf_printf(evidence, " for each %s", r->variable);
  }
  sc_buf_puts(evidence, ". Acquires at the largest size: ");
  sc_rtext_value(SC_RMETRIC_ACQUIRES, sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES), evidence);
  sc_buf_puts(evidence, ".");
  if (draft->site_count > 1)
    sc_buf_printf(evidence, " The same in %zu more contexts.", draft->site_count - 1);
  if (sc_leak_may_be_cache(r, cell))
    sc_buf_puts(evidence,
                " A cache that is not full yet looks the same: whether the program still reaches the memory is "
                "not recorded.");
  sc_buf_puts(advice, "Nobody gives back what ");
  if (!sc_rtext_first(r, f, SC_ROLE_KEEPS, advice)) {
    if (cell->context != SC_USAGE_NONE)
      sc_rtext_place(r, cell->context, cell->line, cell->column, advice);
    else
      sc_rtext_name(r, cell, advice);
  }
  sc_buf_puts(advice, " obtains: follow it to where its last user is done, and look for the ways out (errors, early "
                      "returns) that leave it behind.");
  if (sc_leak_may_be_cache(r, cell))
    sc_buf_puts(advice, " If a cache keeps it, measure beyond its bound.");
}

static int weigh_leak(const sc_question *q, double *impact)
{
  return sc_leak_share(q->r, q->cell, SC_RMETRIC_OUTSTANDING, impact);
}

static bool leak_may_be_cache(const sc_question *q) { return sc_leak_may_be_cache(q->r, q->cell); }

static const sc_draft_form FORM = {
    .rule = SC_RULE_LEAK,
    SC_DRAFT_METRICS(SC_RMETRIC_OUTSTANDING, SC_RMETRIC_ACQUIRES, SC_RMETRIC_UNITS, SC_RMETRIC_PEAK),
    SC_DRAFT_ROLES(SC_ROLE_KEEPS),
    .weigh = weigh_leak,
    .harmless = leak_may_be_cache,
    .tell = tell_leak};

static int suspect_leaking(const sc_resources *r, const sc_resource_cell *cell, double *weight, bool *yes)
{
  *weight = sc_rmetric_last(r, cell, SC_RMETRIC_OUTSTANDING);
  SC_TRY(sc_leak_holds(r, cell, yes));
  return *yes ? 0 : sc_leak_holds_beside(r, cell, &(sc_leak_rise){0}, yes);
}

const sc_resource_rule sc_rule_leak = {.rule = SC_RULE_LEAK,
                                       .elsewhere = true,
                                       .concerns = sc_leak_possible,
                                       .suspect = suspect_leaking,
                                       .ask = make_leaking_question,
                                       .form = &FORM};

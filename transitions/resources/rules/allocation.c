/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules about what is obtained more often than the workload asks for. */
#include <math.h>

#include "transitions/findings/explain.h"
#include "transitions/model/order.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/corrected.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/rules/rule.h"
#include "transitions/resources/series.h"
#include "transitions/resources/text.h"

/*
 * Insufficient allocation, of three kinds: what is asked for reaches the capacity; what is obtained is outgrown and
 * obtained again, larger, too often; the same few units are obtained over and over.
 */

static bool many_threads(const sc_question *q)
{
  return sc_demand_known(q->r, q->cell) && sc_rmetric_last(q->r, q->cell, SC_RMETRIC_THINK) > 0;
}

static int predict_full(const sc_question *q, double n, sc_interval *score)
{
  sc_demand demand;
  double capacity = sc_resource_cell_resource(q->r, q->cell)->capacity;
  if (many_threads(q)) {
    SC_TRY(sc_demand_at(q->r, q->cell, n, &demand));
    *score = demand.utilisation;
    capacity = SC_ALLOCATION_BUSY;
  } else {
    SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_PEAK, n, score));
  }
  *score = (sc_interval){score->value / capacity, score->low / capacity, score->high / capacity};
  return 0;
}

/* All taken is what a cache is made for, unless somebody waits or goes away empty-handed. */
static double measure_full(const sc_question *q, size_t size)
{
  double peak, waits = 0, failures = 0, acquires = 0, busy = 0,
               capacity = sc_resource_cell_resource(q->r, q->cell)->capacity;
  if (!sc_rmetric_at(q->r, q->cell, size, SC_RMETRIC_PEAK, &peak))
    return NAN;
  if (many_threads(q) && sc_rmetric_at(q->r, q->cell, size, SC_RMETRIC_UTILISATION, &busy))
    peak = busy * capacity / SC_ALLOCATION_BUSY;
  for (size_t run = q->r->starts[size]; run < q->r->starts[size + 1]; run++) {
    waits += sc_resource_cell_sum(q->cell, run, SC_USAGE_WAITS);
    failures += sc_resource_cell_sum(q->cell, run, SC_USAGE_FAILURES);
    acquires += sc_resource_cell_sum(q->cell, run, SC_USAGE_ACQUIRES);
  }
  return waits + failures >= SC_ALLOCATION_REFUSED * (acquires + failures)
             ? peak / capacity
             : fmin(peak / capacity, SC_ALLOCATION_NEARLY);
}

static int predict_moved(const sc_question *q, double n, sc_interval *score)
{
  return sc_question_predict(q, SC_RMETRIC_MOVED, n, SC_ALLOCATION_MOVED, score);
}

static double measure_moved(const sc_question *q, size_t size)
{
  return sc_question_measure(q, SC_RMETRIC_MOVED, size, SC_ALLOCATION_MOVED);
}

static int predict_again(const sc_question *q, double n, sc_interval *score)
{
  return sc_question_predict(q, SC_RMETRIC_ACQUIRES, n, SC_ALLOCATION_AGAIN * n * q->reference, score);
}

static double measure_again(const sc_question *q, size_t size)
{
  return sc_question_measure(q, SC_RMETRIC_ACQUIRES, size, SC_ALLOCATION_AGAIN * q->r->sizes[size] * q->reference);
}

static void tell_full(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  double capacity = sc_resource_cell_resource(r, cell)->capacity;
  enum sc_resource_metric metric = many_threads(draft->question) ? SC_RMETRIC_UTILISATION : SC_RMETRIC_PEAK;
  sc_buf_puts(evidence, "Capacity: ");
  sc_explain_number(evidence, capacity);
  sc_buf_puts(evidence, metric == SC_RMETRIC_PEAK ? ". Most units out at a time at " : ". Share of it in use at ");
  sc_rtext_points(r, cell, metric, evidence);
  sc_rtext_predicted(r, f, metric, evidence);
  sc_buf_puts(evidence, ".");
  if (sc_rmetric_last(r, cell, SC_RMETRIC_FAILURES) > 0) {
    sc_buf_puts(evidence, " Acquires that failed at ");
    sc_rtext_points(r, cell, SC_RMETRIC_FAILURES, evidence);
    sc_buf_puts(evidence, ".");
  }
  sc_buf_puts(advice, "Make its capacity follow the workload, or bound what one task may take");
  sc_rtext_led(r, f, SC_ROLE_ACQUIRES, ": most is obtained in ", advice);
  sc_buf_puts(advice, ".");
}

static void tell_moved(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  sc_buf_puts(evidence, "Resizes at ");
  sc_rtext_points(r, cell, SC_RMETRIC_ACQUIRES, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_ACQUIRES, evidence);
  sc_buf_puts(evidence, ". For each ");
  sc_rtext_units(r, cell, 1, evidence);
  sc_buf_puts(evidence, " by which it grows, this many were obtained at ");
  sc_rtext_points(r, cell, SC_RMETRIC_MOVED, evidence);
  sc_buf_puts(evidence, ".");
  sc_rtext_place(r, cell->context, f->site_count ? f->sites[0].line : 0, f->site_count ? f->sites[0].column : 0,
                 advice);
  sc_buf_puts(advice, " enlarges it by a fixed step: enlarge it by a factor (double it), or reserve the final size "
                      "beforehand.");
}

static void tell_again(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  sc_buf_puts(evidence, "Acquires at ");
  sc_rtext_points(r, cell, SC_RMETRIC_ACQUIRES, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_ACQUIRES, evidence);
  sc_buf_puts(evidence, "; most units out at a time at ");
  sc_rtext_points(r, cell, SC_RMETRIC_PEAK, evidence);
  sc_buf_puts(evidence, ".");
  sc_buf_puts(advice, "What is given back is needed again: ");
  if (sc_rtext_first(r, f, SC_ROLE_ACQUIRES, advice))
    sc_buf_puts(advice, " obtains most. ");
  sc_buf_puts(advice, "Give it as many units as are in use together, or change the order of the work so that a unit is "
                      "done with before it is given back.");
}

static const sc_draft_form FORM = {.rule = SC_RULE_INSUFFICIENT_ALLOCATION,
                                   SC_DRAFT_METRICS(SC_RMETRIC_PEAK, SC_RMETRIC_ACQUIRES, SC_RMETRIC_UNITS,
                                                    SC_RMETRIC_FAILURES, SC_RMETRIC_UTILISATION),
                                   SC_DRAFT_ROLES(SC_ROLE_ACQUIRES, SC_ROLE_WAITS, SC_ROLE_FAILS)};

/* Of one of the three kinds. */
static sc_draft_form form_of(double weight,
                             void (*tell)(const sc_findings_draft *, const sc_resource_finding *, sc_buf *, sc_buf *))
{
  sc_draft_form form = FORM;
  form.weight = weight;
  form.tell = tell;
  return form;
}

static int judge_kind(sc_resources *r, const sc_question *q, sc_draft_form form, bool *found)
{
  form.metric_count -= !many_threads(q); /* the last one says nothing of a single thread */
  return sc_draft_judge(r, &form, q, &q->cell, 1, found);
}

/* Share of the processor time that moving takes at the largest target: of all that is obtained until then. 0: nobody
 * notices it; 1: not known. */
static int weigh_moves(const sc_resources *r, const sc_resource_cell *cell, double *share)
{
  sc_interval bytes, total;
  *share = 1;
  if (!sc_resource_class_memory(sc_resource_cell_resource(r, cell)->resource_class))
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_UNITS, r->horizon, &bytes));
  if (bytes.high > 0 && bytes.high < SC_ALLOCATION_LITTLE)
    *share = 0;
  if (*share > 0 && bytes.value > 0 && sc_analysis_timed(r->analysis)) {
    SC_TRY(sc_analysis_total(r->analysis, r->horizon, &total));
    *share = fmin(bytes.value * SC_ALLOCATION_BYTE / total.value, 1); /* the total may be 0 */
  }
  return 0;
}

/* The question comes first: who asks whether it is harmless gets that alone. */
typedef struct moved_question {
  sc_question question;
  double share; /* of the processor time at the largest target, 0..1 */
} moved_question;

static bool is_affordable(const sc_question *q) { return ((const moved_question *)q)->share < SC_SELECT_DOMINANT; }

static int judge_moved(sc_resources *r, const sc_resource_cell *cell)
{
  moved_question q = {
      .question = {.r = r, .cell = cell, .predict = predict_moved, .measure = measure_moved, .growing = true}};
  sc_draft_form form = form_of(SC_ALLOCATION_WEIGHT, tell_moved);
  double exponent;
  if (sc_resource_cell_sum(cell, r->run_count - 1, SC_RSUM_RESIZES) < SC_ALLOCATION_RESIZES)
    return 0;
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_MOVED, &exponent));
  if (exponent < SC_ALLOCATION_GROWS || sc_rmetric_rise(r, cell, SC_RMETRIC_MOVED) < SC_ALLOCATION_FLAT)
    return 0;
  /* What is made smaller and larger in turn is not outgrown; as often enlarged at any size, it moves in proportion. */
  if (sc_rmetric_rise(r, cell, SC_RMETRIC_PEAK) < SC_ALLOCATION_FLAT ||
      sc_rmetric_rise(r, cell, SC_RMETRIC_ACQUIRES) < SC_ALLOCATION_FLAT)
    return 0;
  SC_TRY(weigh_moves(r, cell, &q.share));
  form.harmless = is_affordable;
  bool noticed = q.share > 0 && q.share >= sc_analysis_get_options(r->analysis)->negligible;
  return noticed ? judge_kind(r, &q.question, form, NULL) : 0;
}

static int judge_again(sc_resources *r, const sc_resource_cell *cell)
{
  const sc_rseries *acquires;
  double first = 0, peak = sc_rmetric_last(r, cell, SC_RMETRIC_PEAK);
  sc_question q = {.r = r, .cell = cell, .predict = predict_again, .measure = measure_again, .growing = true};
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_ACQUIRES, &acquires));
  q.model = sc_rseries_model(acquires);
  if (!q.model || !sc_order_superlinear(&q.model->order) || !(peak > 0) ||
      sc_rmetric_rise(r, cell, SC_RMETRIC_PEAK) > SC_ALLOCATION_FLAT ||
      sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES) < SC_ALLOCATION_EACH * peak)
    return 0;
  if (!sc_rmetric_at(r, cell, 0, SC_RMETRIC_ACQUIRES, &first) || !(first > 0))
    return 0;
  q.reference = first / r->sizes[0];
  return judge_kind(r, &q, form_of(SC_ALLOCATION_WEIGHT, tell_again), NULL);
}

static int judge_full(sc_resources *r, const sc_resource_cell *cell)
{
  bool found = false;
  double capacity = sc_resource_cell_resource(r, cell)->capacity;
  sc_question q = {.r = r, .cell = cell, .predict = predict_full, .measure = measure_full, .growing = true};
  bool grows = true;
  q.timed = many_threads(&q);
  if (capacity > 1 && q.timed)
    SC_TRY(sc_demand_grows(r, cell, &grows));
  if (capacity > 1 && grows)
    SC_TRY(judge_kind(r, &q, form_of(1, tell_full), &found));
  return found ? 0 : judge_again(r, cell);
}

static bool allocation_concerns(const sc_resources *r, const sc_resource_cell *cell)
{
  return sc_resource_cell_judged(r, cell) && !sc_resource_cell_idle(r, cell) && !sc_resource_cell_lock(r, cell);
}

static int judge_allocation(sc_resources *r, const sc_resource_cell *cell)
{
  SC_TRY(judge_moved(r, cell));
  bool counted = sc_resource_cell_resource(r, cell)->resource_class != SC_RESOURCE_SEMAPHORE;
  return counted && !sc_resource_cell_generic(r, cell) ? judge_full(r, cell) : 0;
}

const sc_resource_rule sc_rule_allocation = {
    .rule = SC_RULE_INSUFFICIENT_ALLOCATION, .concerns = allocation_concerns, .judge = judge_allocation};

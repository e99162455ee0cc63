/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule about pools that are too small for what is asked of them. */
#include <math.h>

#include "transitions/findings/explain.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/corrected.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/rules/contention.h"
#include "transitions/resources/rules/rule.h"
#include "transitions/resources/text.h"

/*
 * Contention for the threads of a pool: it gets as many requests as it can serve, or nearly. The share of their time
 * that its threads are busy shows that before requests wait for long.
 */

static const sc_rpool *pool_of(const sc_question *q) { return sc_rpool_at(q->r, q->cell->resource); }

/* Requests that come one after another in good order leave no gaps, those of the theory do: the truth is between what
 * is asked for and what a queue of the theory serves. What was measured corrects the two each by itself, but no more is
 * served than was asked for. */
static int predict_pool_rule_score(const sc_question *q, double n, sc_interval *score)
{
  sc_demand demand;
  const sc_rpool *pool = pool_of(q);
  SC_TRY(sc_demand_at(q->r, q->cell, n, &demand));
  const sc_interval *used = &demand.used;
  double part = pool->closed ? SC_POOL_GAPS : 0, most = INFINITY;
  double asked = fmax(demand.utilisation.value, used->value), low = fmax(demand.utilisation.low, used->low);
  *score = (sc_interval){asked + part * (used->value - asked), low + part * (used->low - low),
                         fmax(demand.utilisation.high, used->high)};
  if (pool->limit < 1)
    most = pool->limit;
  *score = (sc_interval){fmin(score->value, most) / SC_POOL_BUSY, fmin(score->low, most / SC_POOL_ABOUT) / SC_POOL_BUSY,
                         fmin(score->high, most * SC_POOL_ABOUT) / SC_POOL_BUSY};
  if (pool->closed && demand.queue.customers <= pool->as.capacity)
    *score = (sc_interval){fmin(score->value, SC_POOL_NOT_YET), fmin(score->low, SC_POOL_NOT_YET),
                           fmin(score->high, SC_POOL_NOT_YET)};
  score->low = fmin(score->low, score->value);
  return 0;
}

static double measure_pool_rule_score(const sc_question *q, size_t size)
{
  double utilisation, share, clients = 0;
  const sc_rpool *pool = pool_of(q);
  if (!sc_rmetric_at(q->r, q->cell, size, SC_RMETRIC_THREADS, &clients) ||
      !sc_demand_measured(q->r, q->cell, size, &utilisation, &share))
    return NAN;
  double score = utilisation / SC_POOL_BUSY;
  return pool->closed && clients <= pool->as.capacity ? fmin(score, SC_POOL_NOT_YET) : score;
}

static void tell_pool_rule_demand(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *out)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  sc_demand demand;
  if (sc_demand_at(r, cell, r->horizon, &demand) < 0)
    return;
  double servers = pool_of(draft->question)->as.capacity;
  sc_buf_printf(out,
                "%.0f thread%s for this condition and serve%s what is queued, whatever %s is. Busy share: ", servers,
                servers == 1 ? " waits" : "s wait", servers == 1 ? "s" : "", r->variable);
  sc_rtext_points(r, cell, SC_RMETRIC_UTILISATION, out);
  sc_rtext_predicted(r, f, SC_RMETRIC_UTILISATION, out);
  sc_buf_printf(out, ". At %s = ", r->variable);
  sc_explain_number(out, r->horizon);
  sc_buf_puts(out, " one request takes ");
  sc_explain_duration(demand.queue.hold, out);
  sc_buf_puts(out, " and a client asks again ");
  sc_explain_duration(demand.queue.think, out);
  sc_buf_printf(out, " later, so that %.3g clients keep all busy; there are %.3g.", sc_queue_saturation(&demand.queue),
                demand.queue.customers);
}

static void tell_pool(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_rpool *pool = pool_of(draft->question);
  tell_pool_rule_demand(draft, f, evidence);
  if (pool->answers != SC_USAGE_NONE) {
    sc_buf_puts(evidence, " Clients wait for ");
    sc_rtext_name(r, &r->cells[pool->answers], evidence);
    sc_buf_puts(evidence, ".");
  }
  sc_buf_puts(advice, "Use more threads, or let their number follow the load; or do less for a request");
  sc_rtext_led(r, f, SC_ROLE_HOLDS, ", above all in ", advice);
  sc_buf_puts(advice, ".");
}

static bool pool_rule_concerns(const sc_resources *r, const sc_resource_cell *cell)
{
  return sc_rpool_at(r, cell->resource) && sc_demand_known(r, cell);
}

static int judge_pool(sc_resources *r, const sc_resource_cell *cell)
{
  const sc_question q = {.r = r,
                         .cell = cell,
                         .predict = predict_pool_rule_score,
                         .measure = measure_pool_rule_score,
                         .timed = true,
                         .growing = true};
  return sc_contention_judge(r, &q, tell_pool);
}

const sc_resource_rule sc_rule_pool = {
    .rule = SC_RULE_CONTENTION, .whole = true, .concerns = pool_rule_concerns, .judge = judge_pool};

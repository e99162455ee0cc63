/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule about threads that wait for each other. */
#include "transitions/resources/rules/contention.h"

#include <math.h>
#include <string.h>

#include "transitions/findings/explain.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/corrected.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/nested.h"
#include "transitions/resources/rules/kept_out.h"
#include "transitions/resources/rules/rule.h"
#include "transitions/resources/series.h"
#include "transitions/resources/text.h"

/*
 * Contention: threads keep each other waiting for a resource, or will as soon as it is asked for more than it can
 * serve. Utilisation says so before anybody waits.
 */

/* The share of waiting on an idle machine where whoever is next runs as soon as it is free. */
static double share_if_woken_at_once(const sc_demand *demand)
{
  sc_queue queue = demand->queue;
  if (!(queue.processors > 0))
    return INFINITY;
  queue.others = queue.handover = 0;
  return sc_queue_solve(&queue).share;
}

static int predict_contention_score(const sc_question *q, double n, sc_interval *score)
{
  sc_interval odds;
  sc_demand demand;
  if (!sc_demand_known(q->r, q->cell)) { /* nobody knows how many it serves: waits alone */
    SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_WAIT_ODDS, n, &odds));
    sc_interval share = sc_shares_of_odds(odds);
    *score = (sc_interval){share.value / SC_CONTENTION_WAITING, share.low / SC_CONTENTION_WAITING,
                           share.high / SC_CONTENTION_WAITING};
    return 0;
  }
  SC_TRY(sc_demand_at(q->r, q->cell, n, &demand));
  *score =
      (sc_interval){fmax(demand.utilisation.value / SC_CONTENTION_BUSY, demand.share.value / SC_CONTENTION_WAITING),
                    fmax(demand.utilisation.low / SC_CONTENTION_BUSY, demand.share.low / SC_CONTENTION_WAITING),
                    fmax(demand.utilisation.high / SC_CONTENTION_BUSY, demand.share.high / SC_CONTENTION_WAITING)};
  /* Who waits for a lock that is free most of the time waits for a processor, not for a holder. How long depends on
   * what else runs; the low end is that of an idle machine. */
  if (demand.utilisation.high < SC_CONTENTION_BUSY &&
      (score->low < SC_JUDGE_SUPPORT || share_if_woken_at_once(&demand) / SC_CONTENTION_WAITING < SC_JUDGE_SUPPORT))
    score->value = fmin(score->value, SC_JUDGE_SUPPORT);
  return 0;
}

/* At other values of further parameters: what models say of that size, where they are sure. */
static double predict_measured(const sc_question *q, size_t size)
{
  sc_interval score;
  if (predict_contention_score(q, q->r->sizes[size], &score) < 0)
    return NAN;
  return score.low >= SC_JUDGE_SUPPORT ? score.value : fmin(score.value, SC_JUDGE_SUPPORT);
}

static double measure_contention_score(const sc_question *q, size_t size)
{
  if (q->r->place)
    return predict_measured(q, size);
  double utilisation, share, threads = 0;
  if (!sc_rmetric_at(q->r, q->cell, size, SC_RMETRIC_THREADS, &threads) || threads < 2 ||
      !sc_demand_measured(q->r, q->cell, size, &utilisation, &share))
    return NAN;
  return fmax(sc_demand_known(q->r, q->cell) ? utilisation / SC_CONTENTION_BUSY : 0, share / SC_CONTENTION_WAITING);
}

static bool may_contend(const sc_resources *r, const sc_resource_cell *cell)
{
  if (!sc_resource_cell_judged(r, cell) || sc_resource_cell_idle(r, cell) || sc_resource_cell_signal(r, cell) ||
      sc_resources_awaits_work(r, cell->resource))
    return false;
  return sc_rmetric_last(r, cell, SC_RMETRIC_THREADS) >= 2 &&
         sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES) >= SC_DEMAND_ACQUIRES && !sc_demand_alone(r, cell);
}

/* Where threads need processors, what that does to the prediction. */
static void tell_processors(const sc_resources *r, const sc_resource_cell *cell, const sc_demand *demand, sc_buf *out)
{
  const sc_queue *q = &demand->queue;
  const sc_rprocessors *own = cell->processors;
  if (own && own->why && r->processors > 0 && q->customers > r->processors)
    sc_buf_printf(out, " Processor time is not known (%s): predicted as if each thread had a processor.", own->why);
  if (!sc_rprocessors_known(cell) || !(demand->stretch > SC_DEMAND_SHARED))
    return;
  sc_buf_puts(out, " A thread computes ");
  sc_explain_duration(q->hold_work + q->think_work, out);
  sc_buf_printf(out, " from one hold to the next, which takes %.3g times as long on %.0f processor%s", demand->stretch,
                q->processors, q->processors == 1 ? "" : "s");
  if (q->others >= 1 && q->grouped)
    sc_buf_printf(out, ", and other programs leave this one %.0f%% of them, however many of its threads can run",
                  100 * q->processors / (q->processors + q->others));
  else if (q->others >= 1)
    sc_buf_printf(out, ", shared with about %.0f threads of other programs as when it was measured", q->others);
  sc_buf_puts(out, ".");
}

static void tell_contention_demand(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *out)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  sc_demand demand;
  if (sc_demand_at(r, cell, r->horizon, &demand) < 0)
    return;
  sc_resource_hot hot;
  bool few = sc_resources_hot(r, f->resource, &hot);
  if (few) {
    sc_resource_hot_text(&hot, out);
    sc_buf_puts(out, ". Of the busiest: ");
  }
  sc_buf_puts(out, few ? "share of the time that it is held: " : "Share of the time that it is held: ");
  sc_rtext_points(r, cell, SC_RMETRIC_UTILISATION, out);
  sc_rtext_predicted(r, f, SC_RMETRIC_UTILISATION, out);
  sc_buf_printf(out, ". At %s = ", r->variable);
  sc_explain_number(out, r->horizon);
  sc_buf_puts(out, " one hold takes ");
  sc_explain_duration(demand.queue.hold, out);
  sc_buf_puts(out, " and a thread wants it again ");
  sc_explain_duration(demand.queue.think, out);
  sc_buf_puts(out, " later, so that ");
  sc_buf_printf(out, "%.3g threads saturate it; there are %.3g", sc_queue_saturation(&demand.queue),
                demand.queue.customers);
  if (demand.share.value / SC_CONTENTION_WAITING > demand.utilisation.value / SC_CONTENTION_BUSY)
    sc_buf_printf(out, ". Waiting takes %.0f%% of their time there (%.0f%% to %.0f%%)", 100 * demand.share.value,
                  100 * demand.share.low, 100 * demand.share.high);
  if (demand.queue.stations > 1 && !few)
    sc_buf_printf(out, ", and %.3g instances", demand.queue.stations);
  sc_buf_puts(out, ".");
  tell_processors(r, cell, &demand, out);
}

/* Where most units are given back, in the last run; NULL: nobody saw it. */
static const sc_usage *contention_giver(const sc_resources *r, uint32_t resource)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(r->graph, sc_analysis_run(r->analysis, r->run_count - 1), &rows), *most = NULL;
  for (size_t i = 0; i < rows; i++)
    if (row[i].resource == resource && row[i].event == SC_USAGE_EVENT_RELEASE &&
        (!most || row[i].values[SC_USAGE_UNITS_RELEASED] > most->values[SC_USAGE_UNITS_RELEASED]))
      most = &row[i];
  return most;
}

/* Nobody was seen to hold it: units that others give back, whose holds end with nobody's. */
static bool is_held_by_none(const sc_resource_finding *f)
{
  for (size_t i = 0; i < f->site_count; i++)
    if (f->sites[i].role == SC_ROLE_HOLDS)
      return false;
  return true;
}

/* Of units that others give back who takes one does not say how long it is out. */
static void advise_lent(const sc_resources *r, const sc_resource_finding *f, sc_buf *advice)
{
  const sc_usage *back = contention_giver(r, f->resource);
  double capacity = sc_resource_cell_resource(r, &r->cells[f->resource])->capacity;
  if (capacity > 0)
    sc_buf_printf(advice, "Allow more than %.0f at a time, or give them back sooner", capacity);
  else
    sc_buf_puts(advice, "Allow more at a time, or give them back sooner");
  if (back) {
    sc_buf_puts(advice, ", above all in ");
    sc_rtext_place(r, back->context, back->line, back->column, advice);
  }
  sc_buf_puts(advice, ": what is done with each of them before that, and how long several wait to be given back at "
                      "once, is what the others wait for.");
}

/* Of a semaphore that the program makes of a mutex and a condition: its code has none of that name. */
static void tell_condition(const sc_resources *r, uint32_t resource, sc_buf *out)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, r->run_count - 1), &rows);
  while (rows && !(row->resource == resource && row->event == SC_USAGE_EVENT_ACQUIRE && strstr(row->via, "cond"))) {
    rows--;
    row++;
  }
  if (!rows || sc_resource_cell_resource(r, &r->cells[resource])->resource_class != SC_RESOURCE_SEMAPHORE)
    return;
  double units = sc_resource_cell_resource(r, &r->cells[resource])->capacity;
  sc_buf_puts(out, "Threads take what they wait for this condition for, and give it back where they signal it");
  if (units > 0)
    sc_buf_printf(out, "; %s %.0f, out and left together", units == 1 ? "there is" : "there are", units);
  sc_buf_puts(out, ". ");
}

/* What shortens the holds, or lets fewer of them meet. */
static void advise_contention(const sc_resources *r, const sc_resource_finding *f, sc_buf *advice)
{
  const sc_resource *resource = sc_resource_cell_resource(r, &r->cells[f->resource]);
  sc_resource_hot hot;
  if (resource->resource_class == SC_RESOURCE_SEMAPHORE && resource->capacity > 1)
    sc_buf_printf(advice, "Allow more than %.0f at a time, or do", resource->capacity);
  else
    sc_buf_puts(advice, "Do");
  sc_buf_puts(advice, " less while it is held");
  sc_rtext_led(r, f, SC_ROLE_HOLDS, ", above all in ", advice);
  sc_buf_puts(advice,
              ": move what needs no protection (input and output, allocation, searches) in front of it or behind "
              "it, work on a copy, or give parts of the data locks of their own. Where most only read, let them "
              "share it.");
  if (sc_resources_hot(r, f->resource, &hot))
    sc_buf_puts(advice, " Spread what the hot instances protect over the others.");
}

static void tell_contention(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence,
                            sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  if (r->place)
    sc_buf_puts(evidence, "By models of all runs, at other values of further parameters. ");
  tell_condition(r, f->resource, evidence);
  if (sc_demand_known(r, cell))
    tell_contention_demand(draft, f, evidence);
  double waits = sc_rmetric_last(r, cell, SC_RMETRIC_WAITS);
  sc_buf_printf(evidence, "%sWaits: ", evidence->length && evidence->text[evidence->length - 1] != ' ' ? " " : "");
  sc_rtext_points(r, cell, SC_RMETRIC_WAITS, evidence);
  if (waits > 0) {
    sc_buf_puts(evidence, "; waited for at the largest size: ");
    sc_rtext_value(SC_RMETRIC_WAIT_TOTAL, sc_rmetric_last(r, cell, SC_RMETRIC_WAIT_TOTAL), evidence);
  }
  sc_buf_puts(evidence, ".");
  sc_nested_tell(r, f, evidence);
  if (cell->lent || (is_held_by_none(f) && contention_giver(r, f->resource)))
    advise_lent(r, f, advice);
  else if (!sc_nested_advise(r, f, advice))
    advise_contention(r, f, advice);
  sc_buf_puts(advice, " scale-run blame shows who waits for whom.");
}

/* On average, at the horizon; of two that are saturated the one that stops more threads is worse. */
static int weigh_contention(const sc_question *q, double *impact)
{
  sc_interval odds, threads;
  sc_demand demand;
  if (sc_demand_known(q->r, q->cell)) {
    SC_TRY(sc_demand_at(q->r, q->cell, q->r->horizon, &demand));
    *impact = demand.share.value * demand.queue.customers;
  } else {
    SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_WAIT_ODDS, q->r->horizon, &odds));
    SC_TRY(sc_rseries_predict(q->r, q->cell, SC_RMETRIC_THREADS, q->r->horizon, &threads));
    *impact = sc_share_of_odds(odds.value) * threads.value;
  }
  *impact = fmin(*impact, 1e15);
  return 0;
}

static const sc_draft_form FORM = {.rule = SC_RULE_CONTENTION,
                                   SC_DRAFT_METRICS(SC_RMETRIC_UTILISATION, SC_RMETRIC_HOLD, SC_RMETRIC_THINK,
                                                    SC_RMETRIC_WAIT, SC_RMETRIC_ACQUIRES, SC_RMETRIC_THREADS),
                                   SC_DRAFT_ROLES(SC_ROLE_HOLDS, SC_ROLE_WAITS, SC_ROLE_ACQUIRES),
                                   .weight = 1,
                                   .weigh = weigh_contention};

int sc_contention_judge(sc_resources *r, const sc_question *q, sc_draft_tell *tell_all)
{
  sc_draft_form form = FORM;
  form.tell = tell_all;
  return sc_draft_judge(r, &form, q, &q->cell, 1, NULL);
}

/* Where threads do not wait for each other's holds, writers may still wait for readers. */
static int judge_kept_out(sc_resources *r, const sc_resource_cell *cell)
{
  sc_kept_out kept;
  bool asked;
  SC_TRY(sc_kept_out_ask(r, cell, &kept, &asked));
  return asked ? sc_contention_judge(r, &kept.question, sc_kept_out_tell) : 0;
}

/* A load that stays where it is will not contend at larger sizes if it does not now. */
static int judge_contention(sc_resources *r, const sc_resource_cell *cell)
{
  sc_question q = {.r = r,
                   .cell = cell,
                   .predict = predict_contention_score,
                   .measure = measure_contention_score,
                   .timed = true,
                   .growing = true};
  bool grows;
  size_t before = r->finding_count;
  SC_TRY(sc_demand_grows(r, cell, &grows));
  if (grows || measure_contention_score(&q, r->size_count - 1) >= 1)
    SC_TRY(sc_contention_judge(r, &q, tell_contention));
  return grows && r->finding_count == before ? judge_kept_out(r, cell) : 0;
}

const sc_resource_rule sc_rule_contention = {
    .rule = SC_RULE_CONTENTION, .whole = true, .elsewhere = true, .concerns = may_contend, .judge = judge_contention};

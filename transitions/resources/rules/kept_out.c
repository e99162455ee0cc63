/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writers that wait until no reader is left: few threads among many, whose waits are a small share of all threads'
 * time. What keeps them out are holds that exclude nobody else. */
#include "transitions/resources/rules/kept_out.h"

#include <math.h>

#include "base/sample.h"
#include "regress/core/median.h"
#include "transitions/findings/explain.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/corrected.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/readers.h"
#include "transitions/resources/sharing.h"
#include "transitions/resources/text.h"

enum { REPEATS = 64 };

/* Of the time of those that write, in one run; false: nobody wrote often enough. */
static bool share_in_run(const sc_resources *r, const sc_resource_cell *cell, size_t run, double *share, double *waits)
{
  const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
  size_t rows;
  const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
  double waited = 0, acquires = 0, part = o->threads > 0 ? sc_rsharing_writers(cell, o->threads) / o->threads : 0;
  for (; rows; rows--, row++)
    if (row->resource == cell->resource && !row->shared) {
      waited += row->values[SC_USAGE_WAIT_SECONDS];
      acquires += row->values[SC_USAGE_ACQUIRES];
      *waits += row->values[SC_USAGE_WAITS];
    }
  *share = part > 0 ? fmin(1, waited / (o->active_seconds * part)) : 0;
  return acquires >= SC_DEMAND_ACQUIRES && part > 0 && o->active_seconds * part >= SC_DEMAND_SPAN;
}

/* Median of the repeats; *waits of all of them. */
static double measured_share(const sc_resources *r, const sc_resource_cell *cell, size_t size, double *waits)
{
  double room[REPEATS], one;
  sc_sample shares = sc_sample_begin(room, REPEATS);
  *waits = 0;
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
    if (share_in_run(r, cell, run, &one, waits))
      sc_sample_add(&shares, one);
  return shares.count ? sc_median(room, shares.count) : NAN;
}

static double measure_kept_out(const sc_question *q, size_t size)
{
  double waits;
  return measured_share(q->r, q->cell, size, &waits) / SC_CONTENTION_WAITING;
}

/* The ends: for shared holds that are as much shorter and longer as may be. */
static int compute_odds(const sc_resources *r, const sc_resource_cell *cell, double n, bool in_step, sc_interval *odds)
{
  sc_demand demand;
  SC_TRY(sc_demand_at(r, cell, n, &demand));
  odds->value = sc_odds_of_share(sc_readers_kept_out(r, cell, &demand.queue, 1, in_step));
  odds->low = sc_odds_of_share(sc_readers_kept_out(r, cell, &demand.queue, 1 / SC_READERS_DOUBT, in_step));
  odds->high = sc_odds_of_share(sc_readers_kept_out(r, cell, &demand.queue, SC_READERS_DOUBT, in_step));
  return 0;
}

static int predict_kept_share(const sc_kept_out *k, double n, bool in_step, sc_interval *share)
{
  const sc_kept_out_fit *fit = in_step ? &k->together : &k->apart;
  sc_interval odds;
  SC_TRY(compute_odds(k->question.r, k->question.cell, n, in_step, &odds));
  *share = sc_shares_of_odds((sc_interval){odds.value * fit->by, odds.low * fit->low, odds.high * fit->high});
  return 0;
}

/* Synchronised readers may drift apart: the upper end is that of independent ones. */
static int predict_kept_out(const sc_question *q, double n, sc_interval *score)
{
  const sc_kept_out *k = (const sc_kept_out *)q;
  sc_interval share, apart;
  SC_TRY(predict_kept_share(k, n, k->in_step, &share));
  if (k->in_step) {
    SC_TRY(predict_kept_share(k, n, false, &apart));
    share.high = fmax(share.high, apart.high);
  }
  *score = (sc_interval){share.value / SC_CONTENTION_WAITING, share.low / SC_CONTENTION_WAITING,
                         share.high / SC_CONTENTION_WAITING};
  return 0;
}

/* By how much the queue is off at the sizes measured, where writers waited often enough to tell. */
static int fit_kept_out(const sc_question *q, bool in_step, sc_kept_out_fit *fit)
{
  const sc_resources *r = q->r;
  double room[REPEATS];
  sc_sample ratios = sc_sample_begin(room, REPEATS);
  *fit = (sc_kept_out_fit){.by = 1, .least = INFINITY};
  for (size_t size = 0; size < r->size_count; size++) {
    sc_interval odds;
    double waits, share = measured_share(r, q->cell, size, &waits);
    SC_TRY(compute_odds(r, q->cell, r->sizes[size], in_step, &odds));
    if (!(odds.value > 0) || !(share > 0) || waits < SC_DEMAND_WAITS)
      continue;
    fit->last = sc_odds_of_share(share) / odds.value;
    fit->first = fit->sizes++ ? fit->first : fit->last;
    sc_sample_add(&ratios, fit->last);
    fit->least = fmin(fit->least, fit->last);
    fit->most = fmax(fit->most, fit->last);
  }
  if (ratios.count)
    fit->by = sc_median(room, ratios.count);
  if (!in_step) /* to be woken takes longer than a short hold, and adds to the wait, however long that is */
    fit->by = fmin(1, fit->by);
  fit->low = fmin(fit->least, fit->by);
  fit->high = fmax(fit->most, fit->by);
  return 0;
}

bool sc_kept_out_is_in_step(const sc_kept_out_fit *apart, const sc_kept_out_fit *together)
{
  return apart->sizes >= SC_KEPT_OUT_SIZES && apart->last < apart->first &&
         log(together->most / together->least) <= SC_KEPT_OUT_STEP * log(apart->most / apart->least);
}

void sc_kept_out_tell(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_question *q = draft->question;
  const sc_resources *r = q->r;
  double threads = sc_rmetric_last(r, q->cell, SC_RMETRIC_THREADS), writers = sc_rsharing_writers(q->cell, threads);
  double waits, share = measured_share(r, q->cell, r->size_count - 1, &waits);
  sc_interval score;
  sc_buf_printf(evidence, "Those that write, %.3g of %.3g threads, wait until no reader is left", writers, threads);
  if (isfinite(share)) {
    sc_buf_printf(evidence, ": %.0f%% of their time at %s = ", 100 * share, r->variable);
    sc_explain_number(evidence, r->sizes[r->size_count - 1]);
  }
  if (q->predict(q, r->horizon, &score) == 0) {
    sc_buf_printf(evidence, "%s %.0f%% of it predicted at %s = ", isfinite(share) ? "," : ":",
                  100 * fmin(1, score.value * SC_CONTENTION_WAITING), r->variable);
    sc_explain_number(evidence, r->horizon);
    sc_buf_printf(evidence, " (%.0f%% to %.0f%%)", 100 * fmin(1, score.low * SC_CONTENTION_WAITING),
                  100 * fmin(1, score.high * SC_CONTENTION_WAITING));
  }
  sc_buf_puts(evidence, ". One that waits keeps no further reader out.");
  if (((const sc_kept_out *)q)->in_step)
    sc_buf_puts(evidence,
                " Readers are synchronised, so that more of them keep it out no longer; they may drift apart.");
  sc_buf_puts(advice, "Read for a shorter time");
  sc_rtext_led(r, f, SC_ROLE_HOLDS, ", above all in ", advice);
  sc_buf_puts(advice, ": copy what is needed and give the lock back, or read in parts. Or let a writer that waits keep "
                      "new readers out (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP), or publish copies that readers "
                      "need no lock for.");
}

int sc_kept_out_ask(const sc_resources *r, const sc_resource_cell *cell, sc_kept_out *out, bool *asked)
{
  *out = (sc_kept_out){.question = {.r = r,
                                    .cell = cell,
                                    .predict = predict_kept_out,
                                    .measure = measure_kept_out,
                                    .timed = true,
                                    .growing = true}};
  *asked = !r->place && cell->sharing.threads > 0 && !(cell->sharing.both > 0);
  if (!*asked)
    return 0;
  SC_TRY(fit_kept_out(&out->question, false, &out->apart));
  SC_TRY(fit_kept_out(&out->question, true, &out->together));
  out->in_step = sc_kept_out_is_in_step(&out->apart, &out->together);
  return 0;
}

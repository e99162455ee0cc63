/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prices from the times of whole runs, where samples are too few. */
#include "transitions/model/cost_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/line.h"
#include "transitions/model/cost_each.h"
#include "transitions/model/spent.h"
#include "transitions/model/tuning.h"

typedef struct times {
  const sc_measured *m;
  sc_analysis *a;
  bool few, missed;             /* missed: samples account for a small part of the time only */
  double *executions, *seconds; /* [run_count] of the contexts to be priced; not yet explained by samples */
} times;

static bool to_price(const times *t, uint32_t context)
{
  return t->a->series[context] != SC_NONE && (t->few || t->m->cost[context] <= 0);
}

static bool few_samples(const sc_analysis *a, const sc_measured *m)
{
  double samples = 0, half = a->sizes[a->run_count - 1] / 2;
  for (size_t i = 0; i < a->run_count; i++)
    if (m->priced[i] && a->sizes[i] >= half)
      samples += (double)sc_graph_run_const(a->graph, a->runs[i])->samples;
  return samples < SC_COST_TIMES_FEW;
}

/* False if the system accounted no time, or less than was sampled. */
static bool gather_times(times *t)
{
  sc_analysis *a = t->a;
  double all = 0, priced = 0, time = 0, sampled = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    if (!t->m->priced[i])
      continue;
    double explained = 0;
    t->executions[i] = 0;
    for (uint32_t c = 0; c < a->contexts; c++) {
      if (!sc_analysis_has(a, c))
        continue;
      double executed = a->series[c] != SC_NONE ? sc_analysis_executions(a, c, sc_analysis_values(a, c)[i]) : 0;
      if (i + 1 == a->run_count)
        all += executed;
      if (to_price(t, c))
        t->executions[i] += executed;
      explained += sc_spent_at(a, i, c);
    }
    double seconds = sc_run_processor(sc_graph_run_const(a->graph, a->runs[i]));
    time += seconds;
    sampled += explained;
    t->seconds[i] = fmax(0, seconds - (t->few ? 0 : explained));
    priced = t->executions[i];
  }
  t->missed = sampled > 0 && time > SC_COST_TIMES_MISSED * sampled;
  return time > 0 && (t->few || (priced >= SC_COST_TIMES_UNSAMPLED * all && time >= sampled / 2));
}

typedef struct rate {
  double start, each, error, most; /* seconds: once, per execution, its standard error, of the largest run */
} rate;

/* seconds = start + each * executions, neither negative, by relative least squares. */
static rate fit_rate(const times *t)
{
  double squares = 0, k = 0;
  rate r = {0};
  sc_line_sums sums = {0};
  for (size_t i = 0; i < t->a->run_count; i++)
    if (t->m->priced[i]) {
      k++;
      sc_line_add(&sums, t->executions[i], t->seconds[i], fmax(t->seconds[i], SC_SECONDS_LEAST));
      r.most = t->seconds[i]; /* ascending sizes */
    }
  sc_line line = sc_line_fit(&sums);
  if (!line.varies)
    line = sc_line_through_zero(&sums);
  for (size_t i = 0; i < t->a->run_count; i++)
    if (t->m->priced[i])
      squares += sc_line_miss(&line, t->executions[i], t->seconds[i], fmax(t->seconds[i], SC_SECONDS_LEAST));
  r.start = line.start;
  r.each = line.each;
  r.error = line.spread > 0 && k > 2 ? sqrt(squares / (k - 2) * line.spread) : INFINITY;
  return r;
}

static void price_one(const times *t, const rate *r, double one_sample, uint32_t c, sc_load *load)
{
  const sc_analysis *a = t->a;
  double there = sc_analysis_values(a, c)[a->run_count - 1];
  double bound = there > 0 ? fmax(r->most, SC_SECONDS_LEAST) / there : INFINITY;
  double missed = SC_COSTS_MISSED * one_sample / sc_measured_count(t->m, c), each = r->each * load->weight;
  if (t->m->cost[c] <= 0 && missed > 0)
    bound = fmin(bound, missed);
  load->each = t->few ? each : fmin(each, bound);
  load->below =
      t->missed ? load->each : fmin(load->each, 3 * r->error * load->weight + SC_COST_TIMES_DOUBT * load->each);
  load->above = isfinite(bound) ? fmax(bound - load->each, SC_COST_TIMES_DOUBT * load->each) : load->each;
  sc_cost_each_bound(a, c, load);
}

/* With few samples, growth of a price that was found in them is chance, and dropped. */
static int price_by_rate(const times *t, const rate *r, double one_sample)
{
  sc_analysis *a = t->a;
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (!sc_analysis_has(a, c))
      continue;
    sc_load load = *sc_analysis_load(a, c);
    load.growing = load.growing && !t->few;
    if (to_price(t, c) && sc_measured_count(t->m, c) > 0)
      price_one(t, r, one_sample, c, &load);
    SC_TRY(sc_loads_set(&a->loads, c, &load));
  }
  return 0;
}

/* The processor time of runs is known exactly where samples are few or fall beside what is short: a line of it in the
 * executions prices what samples did not. Not below roots, as the time is that of the whole program. */
int sc_cost_times_load(sc_analysis *a, const sc_measured *m)
{
  int err = 0;
  times t = {.m = m, .a = a};
  if (!a->sampled || !sc_analysis_timed(a) || a->options.root_count || a->options.fit.engine == SC_FIT_DELTA_INFER)
    return 0;
  t.executions = sc_mem_new(a->run_count, sizeof *t.executions);
  t.seconds = sc_mem_new(a->run_count, sizeof *t.seconds);
  if (!t.executions || !t.seconds) {
    err = SC_E_NOMEM;
    goto out;
  }
  t.few = few_samples(a, m);
  if (!gather_times(&t))
    goto out;
  rate r = fit_rate(&t);
  SC_GOTO(price_by_rate(&t, &r, sc_measured_sample_cost(m)));
  a->few_samples = t.few;
  sc_blend_part once = {
      .model = SC_SERIES_ONE, .value = r.start, .low = t.missed ? 0 : r.start / 2, .high = fmax(r.most, r.start)};
  if (t.few)
    a->start = r.start;
  a->once = once;
  if (a->start > 0)
    SC_GOTO(sc_blend_add(&a->total, &once));
out:
  free(t.executions);
  free(t.seconds);
  return err;
}

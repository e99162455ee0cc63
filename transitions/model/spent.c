/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/spent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/model/tuning.h"

struct sc_spent {
  uint32_t *row; /* [contexts] whose cost differs from what was sampled there, or SC_NONE */
  double *costs; /* [rows][run_count] */
  size_t rows;
};

typedef struct division {
  sc_analysis *a;
  const bool *priced;
  const double *per_sample;
  double sample; /* cost of one, where a run does not know */
  bool guess;    /* costs are seconds, and no sample was ever placed in a library's function */
  double *work;  /* [run_count] of a caller's functions, in executions */
} division;

static double sampled_at(const sc_analysis *a, size_t position, uint32_t context)
{
  return sc_graph_value(a->graph, a->runs[position], context, SC_METRIC_COST);
}

double sc_spent_at(const sc_analysis *a, size_t position, uint32_t context)
{
  uint32_t row = a->spent ? a->spent->row[context] : SC_NONE;
  return row == SC_NONE ? sampled_at(a, position, context) : a->spent->costs[row * a->run_count + position];
}

void sc_spent_free(sc_spent *spent)
{
  if (!spent)
    return;
  free(spent->row);
  free(spent->costs);
  free(spent);
}

static bool is_work(const sc_analysis *a, uint32_t context)
{
  return sc_graph_at(a->graph, context)->kind == SC_LOCATION_WORK && a->series[context] != SC_NONE;
}

static double spent_weight_of(const sc_analysis *a, uint32_t context)
{
  return sc_location_weight(sc_graph_at(a->graph, context));
}

static double spent_cost_of(const division *d, uint32_t context)
{
  double sum = 0;
  for (size_t i = 0; i < d->a->run_count; i++)
    sum += d->priced[i] ? sampled_at(d->a, i, context) : 0;
  return sum;
}

/* The work of a caller's functions that have no cost of their own; returns how many there are. */
static size_t add_spent_work(const division *d, uint32_t caller)
{
  const sc_analysis *a = d->a;
  size_t count = 0;
  memset(d->work, 0, a->run_count * sizeof *d->work);
  for (uint32_t c = sc_graph_first_child(a->graph, caller); c; c = sc_graph_next_sibling(a->graph, c)) {
    if (!is_work(a, c) || spent_cost_of(d, c) > 0)
      continue;
    count++;
    for (size_t i = 0; i < a->run_count; i++)
      d->work[i] += spent_weight_of(a, c) * sc_analysis_values(a, c)[i];
  }
  return count;
}

typedef struct prices {
  double execution, work;
} prices;

/* Least squares, weighted by what samples and runs scatter, neither price negative. */
static bool regress_spent(const division *d, uint32_t caller, prices *out)
{
  const sc_analysis *a = d->a;
  double cc = 0, cw = 0, ww = 0, ct = 0, wt = 0, tt = 0, runs = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    double cost = d->priced[i] ? sampled_at(a, i, caller) : 0, count = sc_analysis_values(a, caller)[i];
    double sample = d->per_sample[i] > 0 ? d->per_sample[i] : d->sample;
    double variance = cost * sample + sample * sample + SC_SPENT_SCATTER * SC_SPENT_SCATTER * cost * cost;
    if (!d->priced[i] || !(variance > 0))
      continue;
    cc += count * count / variance, cw += count * d->work[i] / variance, ww += d->work[i] * d->work[i] / variance;
    ct += count * cost / variance, wt += d->work[i] * cost / variance, tt += cost * cost / variance;
    runs++;
  }
  double known = d->guess ? 1 / (SC_SPENT_DOUBT * SC_SPENT_GUESS * SC_SPENT_DOUBT * SC_SPENT_GUESS) : 0;
  double all = ww + known, all_cost = wt + known * (d->guess ? SC_SPENT_GUESS : 0), det = cc * all - cw * cw;
  if (!(det > 1e-9 * cc * all) || !(all > 0) || runs < 3)
    return false;
  *out = (prices){(ct * all - all_cost * cw) / det, (cc * all_cost - cw * ct) / det};
  if (out->execution < 0)
    *out = (prices){0, all_cost / all};
  double squares = tt - out->execution * ct - out->work * wt;
  double error = sqrt(fmax(1, squares / fmax(1, runs - 2)) * cc / det);
  return out->work > 0 && (d->guess || out->work > SC_SPENT_CERTAIN * error);
}

static int reserve_costs(sc_analysis *a, uint32_t context, size_t *capacity, double **costs)
{
  sc_spent *s = a->spent;
  SC_TRY(sc_mem_grow(&s->costs, capacity, (s->rows + 1) * a->run_count, sizeof *s->costs));
  s->row[context] = (uint32_t)s->rows;
  *costs = s->costs + s->rows++ * a->run_count;
  for (size_t i = 0; i < a->run_count; i++)
    (*costs)[i] = sampled_at(a, i, context);
  return 0;
}

/* Samples cannot see what a library function without frames of its own took of its caller: the caller's cost is
 * regressed on its executions and the work below it, and divided by the two prices, run by run, so that the sum stays
 * what was sampled. */
static int divide_spent(const division *d, uint32_t caller, size_t *capacity)
{
  sc_analysis *a = d->a;
  prices price;
  double *costs;
  if (!add_spent_work(d, caller) || spent_cost_of(d, caller) <= 0 || !regress_spent(d, caller, &price))
    return 0;
  for (uint32_t c = sc_graph_first_child(a->graph, caller); c; c = sc_graph_next_sibling(a->graph, c)) {
    if (!is_work(a, c) || spent_cost_of(d, c) > 0)
      continue;
    SC_TRY(reserve_costs(a, c, capacity, &costs));
    for (size_t i = 0; i < a->run_count; i++) {
      double all = price.execution * sc_analysis_values(a, caller)[i] + price.work * d->work[i];
      double own = price.work * spent_weight_of(a, c) * sc_analysis_values(a, c)[i];
      costs[i] = all > 0 ? sampled_at(a, i, caller) * own / all : 0;
    }
  }
  SC_TRY(reserve_costs(a, caller, capacity, &costs));
  for (uint32_t c = sc_graph_first_child(a->graph, caller); c; c = sc_graph_next_sibling(a->graph, c))
    for (size_t i = 0; i < a->run_count && a->spent->row[c] != SC_NONE; i++)
      costs[i] = fmax(0, costs[i] - sc_spent_at(a, i, c));
  return 0;
}

static double mean_sample(const division *d)
{
  double sum = 0, runs = 0;
  for (size_t i = 0; i < d->a->run_count; i++) {
    sum += d->per_sample[i];
    runs += d->per_sample[i] > 0;
  }
  return runs > 0 ? sum / runs : 0;
}

int sc_spent_load(sc_analysis *a, const bool *priced, const double *per_sample)
{
  int err = 0;
  size_t capacity = 0;
  bool any = false;
  division d = {.a = a, .priced = priced, .per_sample = per_sample, .guess = sc_analysis_timed(a)};
  for (uint32_t c = 0; c < a->contexts; c++) {
    any |= is_work(a, c);
    d.guess = d.guess && !(is_work(a, c) && spent_cost_of(&d, c) > 0);
  }
  if (!any || !a->sampled || a->options.fit.engine == SC_FIT_DELTA_INFER)
    return 0;
  d.sample = mean_sample(&d);
  d.work = sc_mem_new(a->run_count, sizeof *d.work);
  a->spent = sc_mem_new(1, sizeof *a->spent);
  if (a->spent)
    a->spent->row = sc_mem_new(a->contexts, sizeof *a->spent->row);
  if (!d.work || !a->spent || !a->spent->row) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (uint32_t c = 0; c < a->contexts; c++)
    a->spent->row[c] = SC_NONE;
  for (uint32_t c = 0; c < a->contexts; c++)
    if (a->series[c] != SC_NONE)
      SC_GOTO(divide_spent(&d, c, &capacity));
out:
  free(d.work);
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/plan/cost.h"

#include <math.h>

#include "regress/core/tuning.h"

int sc_plan_cost_fit(sc_fit *fit, const double *n, const double *times, size_t count, sc_plan_cost *cost)
{
  const sc_series series = {n, times, count, false};
  *cost = (sc_plan_cost){.n = n, .times = times, .count = count};
  return sc_fit_run(fit, &series, &cost->model);
}

/* Between two sizes on the straight line in logarithms. */
static double plan_cost_within(const sc_plan_cost *cost, double n)
{
  size_t i = 0;
  while (cost->n[i] < n) /* which is the largest at most */
    i++;
  if (i == 0 || cost->n[i] == n || !(cost->times[i - 1] > 0) || !(cost->times[i] > 0))
    return cost->times[i];
  double share = log(n / cost->n[i - 1]) / log(cost->n[i] / cost->n[i - 1]);
  return cost->times[i - 1] * pow(cost->times[i] / cost->times[i - 1], share);
}

double sc_plan_cost_at(const sc_plan_cost *cost, double n)
{
  sc_interval interval;
  if (cost->count == 0)
    return 0;
  double largest = cost->n[cost->count - 1], last = cost->times[cost->count - 1];
  if (n <= largest)
    return plan_cost_within(cost, n);
  double cautious = last * pow(n / largest, SC_PLAN_COST_POWER);
  if (cost->model.verdict != SC_VERDICT_MODEL || sc_model_predict(&cost->model, n, SC_PLAN_COST_LEVEL, &interval) < 0)
    return cautious;
  return fmax(last, isfinite(interval.high) ? interval.high : cautious);
}

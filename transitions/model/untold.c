/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts that grow and have no model. */
#include "transitions/model/untold.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/spent.h"
#include "transitions/model/superlinear.h"
#include "transitions/model/tuning.h"

bool sc_untold_grows(const sc_analysis *a, uint32_t context)
{
  const double *values = sc_analysis_values(a, context);
  double small = 0, large = 0, middle = sqrt(a->sizes[0] * a->sizes[a->run_count - 1]);
  for (size_t i = 0; i < a->run_count; i++)
    *(a->sizes[i] <= middle ? &small : &large) = fmax(a->sizes[i] <= middle ? small : large, values[i]);
  if (a->sizes[0] == a->sizes[a->run_count - 1])
    return small > 1; /* one size shows neither growth nor its absence */
  return large > 1 && large >= SC_UNTOLD_GROWS * small;
}

/* Whether values [runs of the analysis] differ from run to run at one size by more than a factor: then chance says how
 * often it is executed, who came first or how long another thread took. */
static bool differ_at_one_size(const sc_analysis *a, const double *values)
{
  double squares = 0;
  size_t repeats = 0;
  for (size_t i = 0, next; i < a->run_count; i = next) {
    double sum = 0, own = 0;
    size_t count = 0;
    for (next = i; next < a->run_count && a->sizes[next] == a->sizes[i]; next++) {
      double y = log1p(values[next]); /* none in one run and many in the next differ, too */
      sum += y;
      own += y * y;
      count++;
    }
    if (!(own > 0))
      continue;
    squares += fmax(0, own - sum * sum / (double)count);
    repeats += count - 1;
  }
  return repeats >= SC_UNTOLD_REPEATS && sqrt(squares / (double)repeats) >= log(SC_UNTOLD_DIFFERS);
}

/* What is marked as open, all executions together: whether it grows slowly, and whether chance hides if it grows. A
 * foreign function may be open, too, by what it calls, and has no executions. */
static int measure_untold(sc_analysis *a)
{
  double *sums;
  SC_TRY(SC_NEW(sums, a->run_count));
  for (uint32_t c = 0; c < a->contexts; c++)
    for (size_t i = 0; a->series[c] != SC_NONE && sc_analysis_load(a, c)->open && i < a->run_count; i++)
      sums[i] += sc_analysis_executions(a, c, sc_analysis_values(a, c)[i]);
  bool differ = differ_at_one_size(a, sums);
  a->untold.slow = sc_superlinear_unlikely(a, sums) || (!differ && sc_superlinear_burst(a, sums));
  a->untold.chance = !a->untold.slow && differ && !sc_superlinear_surely(a, sums);
  free(sums);
  return 0;
}

int sc_untold_weigh(sc_analysis *a, double count, double counts, double cost, double costs, bool credible)
{
  sc_untold *u = &a->untold;
  SC_TRY(measure_untold(a));
  u->count_share = counts > 0 ? count / counts : 0;
  u->cost_share = costs > 0 ? cost / costs : 0;
  u->unbounded = u->count && fmax(u->count_share, u->cost_share) >= SC_UNTOLD_RELEVANT;
  u->most = u->count && !u->slow && (credible ? u->cost_share : u->count_share) > SC_UNTOLD_MOST;
  return 0;
}

int sc_untold_find(sc_analysis *a, const sc_measured *m)
{
  sc_untold *u = &a->untold;
  size_t last = a->run_count - 1;
  double counts = 0, costs = 0, count = 0, cost = 0, worst = -1;
  *u = (sc_untold){0};
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (!sc_analysis_has(a, c))
      continue;
    double spent = m->priced[last] ? sc_spent_at(a, last, c) : 0;
    costs += spent;
    if (a->series[c] == SC_NONE)
      continue;
    double executed = sc_analysis_executions(a, c, sc_analysis_values(a, c)[last]);
    counts += executed;
    if (sc_analysis_known(a, c) || !sc_untold_grows(a, c))
      continue;
    sc_load open = *sc_analysis_load(a, c);
    open.open = true;
    SC_TRY(sc_loads_set(&a->loads, c, &open));
    u->count++;
    cost += spent;
    count += executed;
    if (executed > worst) {
      worst = executed;
      u->context = c;
    }
  }
  bool credible = sc_graph_run_const(a->graph, a->runs[last])->samples >= SC_UNTOLD_SAMPLES && costs > 0;
  return sc_untold_weigh(a, count, counts, cost, costs, credible);
}

const sc_untold *sc_analysis_untold(const sc_analysis *analysis) { return &analysis->untold; }

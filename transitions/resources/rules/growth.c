/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule about what grows without bound while it is in use. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/order.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/leaks.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/rules/rule.h"
#include "transitions/resources/series.h"
#include "transitions/resources/text.h"

/* Unbounded growth: what is out at a time grows with work done, or faster than the data. */

static bool by_work(const sc_resources *r) { return r->kind == SC_PARAMETER_WORK; }

/* What grows with the parameter without being a finding. */
static double growing_allowed(const sc_question *q, double n)
{
  return SC_GROWTH_FACTOR * q->reference * (by_work(q->r) ? 1 : n / q->r->sizes[0]);
}

static int predict_growing_score(const sc_question *q, double n, sc_interval *score)
{
  return sc_question_predict(q, SC_RMETRIC_PEAK, n, growing_allowed(q, n), score);
}

static double measure_growing_score(const sc_question *q, size_t size)
{
  return sc_question_measure(q, SC_RMETRIC_PEAK, size, growing_allowed(q, q->r->sizes[size]));
}

/* What comes back in the end is still in use, or kept where the program finds it. */
static bool comes_back(const sc_question *q)
{
  return sc_rmetric_last(q->r, q->cell, SC_RMETRIC_OUTSTANDING) <=
         SC_GROWTH_LEFT * sc_rmetric_last(q->r, q->cell, SC_RMETRIC_PEAK);
}

/* Grows with the work and comes back in the end, as a cache does that is not full yet. What outgrows the work exhausts
 * memory. */
static bool growth_may_be_cache(const sc_question *q)
{
  return by_work(q->r) && comes_back(q) && (!q->model || q->model->order.exponent < 1 + SC_ORDER_STEP);
}

static void tell_growth(const sc_findings_draft *draft, const sc_resource_finding *f, sc_buf *evidence, sc_buf *advice)
{
  const sc_resources *r = draft->question->r;
  const sc_resource_cell *cell = draft->question->cell;
  const sc_model *model = draft->question->model;
  char order[64] = "";
  sc_buf_puts(evidence, "Most ");
  sc_rtext_units(r, cell, 2, evidence);
  sc_buf_puts(evidence, " out at a time at ");
  sc_rtext_points(r, cell, SC_RMETRIC_PEAK, evidence);
  sc_rtext_predicted(r, f, SC_RMETRIC_PEAK, evidence);
  if (model)
    sc_model_format_order(&model->order, r->variable, order, sizeof order);
  sc_buf_printf(evidence, "%s%s.", model ? ": in the order of " : "", order);
  sc_buf_puts(evidence,
              comes_back(draft->question)
                  ? " All of it is given back by the end of the run: it is no leak."
                  : " Some of it is never given back in these runs. No bound was seen; a cache that is not full "
                    "yet grows in the same way.");
  if (draft->site_count > 1)
    sc_buf_printf(evidence, " The same in %zu more contexts.", draft->site_count - 1);
  sc_buf_puts(advice, "What ");
  if (!sc_rtext_first(r, f, SC_ROLE_KEEPS, advice))
    sc_rtext_name(r, cell, advice);
  sc_buf_puts(advice, by_work(r) ? " obtains is kept while the work goes on: give it back when its request is done, or "
                                   "bound it (evict, purge, make the producer wait)."
                                 : " obtains grows faster than the workload: look for copies made for each item of "
                                   "what grows itself.");
}

static int make_growing_question(const sc_resources *r, const sc_resource_cell *cell, sc_question *q)
{
  const sc_rseries *peak;
  *q = (sc_question){
      .r = r, .cell = cell, .predict = predict_growing_score, .measure = measure_growing_score, .growing = true};
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_PEAK, &peak));
  q->model = sc_rseries_model(peak);
  for (size_t i = 0; peak && i < r->size_count && !(q->reference > 0); i++)
    if (sc_rmetric_at(r, cell, i, SC_RMETRIC_PEAK, &q->reference) && !by_work(r))
      q->reference *= r->sizes[0] / r->sizes[i];
  return 0;
}

static int weigh_growth(const sc_question *q, double *impact)
{
  return sc_leak_share(q->r, q->cell, SC_RMETRIC_PEAK, impact);
}

static const sc_draft_form FORM = {
    .rule = SC_RULE_UNBOUNDED_GROWTH,
    SC_DRAFT_METRICS(SC_RMETRIC_PEAK, SC_RMETRIC_UNITS, SC_RMETRIC_OUTSTANDING, SC_RMETRIC_ACQUIRES),
    SC_DRAFT_ROLES(SC_ROLE_KEEPS),
    .peak = true,
    .weigh = weigh_growth,
    .harmless = growth_may_be_cache,
    .tell = tell_growth};

/* Peaks of threads hang on their timing: what no two halves of the sizes show is not believed of a model. */
static bool growing_outgrows(const sc_resources *r, const sc_resource_cell *cell)
{
  size_t half = r->size_count / 2;
  double low, high;
  return half && sc_rmetric_at(r, cell, half - 1, SC_RMETRIC_PEAK, &low) &&
         sc_rmetric_at(r, cell, r->size_count - 1, SC_RMETRIC_PEAK, &high) && low > 0 &&
         high / r->sizes[r->size_count - 1] >= SC_GROWTH_RISE * low / r->sizes[half - 1];
}

/* What begins late, as a line, is more for each unit of the workload at every size, and never much above proportion.
 * What outgrows the workload gets steeper within the upper half of the sizes, by more than one acquire makes. */
static bool growing_steepens(const sc_resources *r, const sc_resource_cell *cell)
{
  size_t last = r->size_count - 1, first = r->size_count / 2 - 1, middle = (first + last) / 2;
  double n[] = {r->sizes[first], r->sizes[middle], r->sizes[last]}, y[3], units, acquires = 0;
  for (size_t size = 0; size <= last && !(acquires > 0); size++)
    if (!sc_rmetric_at(r, cell, size, SC_RMETRIC_ACQUIRES, &acquires) ||
        !sc_rmetric_at(r, cell, size, SC_RMETRIC_UNITS, &units))
      acquires = 0;
  if (!(acquires > 0) || middle == first || !sc_rmetric_at(r, cell, first, SC_RMETRIC_PEAK, &y[0]) ||
      !sc_rmetric_at(r, cell, middle, SC_RMETRIC_PEAK, &y[1]) || !sc_rmetric_at(r, cell, last, SC_RMETRIC_PEAK, &y[2]))
    return true;
  double doubt = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES) > acquires ? units / acquires : 0;
  double lower = (y[1] - y[0] + doubt) / (n[1] - n[0]), upper = (y[2] - y[1] - doubt) / (n[2] - n[1]);
  return upper > 0 && upper >= SC_JUDGE_GROWTH * lower;
}

/* A capacity that doubles follows the workload in steps, and the last ones may be steep: each value is a power of
 * two times the first, and never half or twice as far from proportion. */
static bool growing_doubles(const sc_resources *r, const sc_resource_cell *cell)
{
  double first, value;
  if (!sc_rmetric_at(r, cell, 0, SC_RMETRIC_PEAK, &first) || !(first > 0))
    return false;
  for (size_t size = 1; size < r->size_count; size++) {
    if (!sc_rmetric_at(r, cell, size, SC_RMETRIC_PEAK, &value) || !(value > 0))
      return false;
    double steps = log2(value / first);
    if (fabs(steps - round(steps)) > SC_GROWTH_STEP || fabs(round(steps) - log2(r->sizes[size] / r->sizes[0])) > 1)
      return false;
  }
  return true;
}

/* What the largest size alone shows is a step, too: between most pairs of sizes nothing grows. */
static int grows_at_all(const sc_resources *r, const sc_resource_cell *cell, bool *yes)
{
  double *n = sc_mem_new(r->size_count, sizeof *n), *y = sc_mem_new(r->size_count, sizeof *y);
  size_t count = 0;
  if (!n || !y) {
    free(n);
    free(y);
    return SC_E_NOMEM;
  }
  for (size_t size = 0; size < r->size_count; size++)
    if (sc_rmetric_at(r, cell, size, SC_RMETRIC_PEAK, &y[count]))
      n[count++] = r->sizes[size];
  *yes = count < 4 || sc_trend_slope(n, y, count) >= SC_GROWTH_SLOPE;
  free(n);
  free(y);
  return 0;
}

/* Fewer at a time are nothing to warn of. */
static double few_units(const sc_resources *r, const sc_resource_cell *cell)
{
  return sc_resource_class_memory(sc_resource_cell_resource(r, cell)->resource_class) ? SC_GROWTH_BYTES
                                                                                      : SC_GROWTH_UNITS;
}

/* Where repeats differ, the threads' timing makes a part of the peak, and the most of many draws is more than that of
 * few: growth is what the largest size has above all repeats up to half of it, if that is more than a few units. */
static bool beyond_scatter(const sc_resources *r, const sc_resource_cell *cell)
{
  double last = sc_rmetric_last(r, cell, SC_RMETRIC_PEAK), most = 0;
  bool scatters = false;
  for (size_t size = 0; size < r->size_count; size++) {
    double low = INFINITY, high = 0, value;
    for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
      if (sc_rmetric_value(r, cell, run, SC_RMETRIC_PEAK, &value)) {
        low = fmin(low, value);
        high = fmax(high, value);
      }
    scatters = scatters || low < high;
    if (r->sizes[size] <= r->sizes[r->size_count - 1] / 2)
      most = fmax(most, high);
  }
  return !scatters || (last >= SC_GROWTH_SCATTER * most && last >= few_units(r, cell));
}

/* Cheap checks first: most series are constant. */
static int may_grow(const sc_resources *r, const sc_resource_cell *cell, double *weight, bool *yes)
{
  sc_interval peak;
  sc_question q;
  double exponent, share, last = sc_rmetric_last(r, cell, SC_RMETRIC_PEAK);
  bool grows;
  *yes = false;
  if (!(last > 0) || sc_rmetric_rise(r, cell, SC_RMETRIC_PEAK) <= 1 || !beyond_scatter(r, cell))
    return 0;
  SC_TRY(make_growing_question(r, cell, &q));
  SC_TRY(sc_rseries_exponent(r, cell, SC_RMETRIC_PEAK, &exponent));
  if (by_work(r) ? exponent < SC_ORDER_STEP
                 : !q.model || !sc_order_superlinear(&q.model->order) || !growing_outgrows(r, cell) ||
                       !growing_steepens(r, cell) || growing_doubles(r, cell))
    return 0;
  SC_TRY(grows_at_all(r, cell, &grows));
  if (!grows)
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_PEAK, r->horizon, &peak));
  SC_TRY(sc_leak_share(r, cell, SC_RMETRIC_PEAK, &share));
  *weight = peak.value;
  *yes = peak.value >= few_units(r, cell) && share >= sc_analysis_get_options(r->analysis)->negligible;
  return 0;
}

/* Where it is a leak, that says more. */
static int suspect_growing(const sc_resources *r, const sc_resource_cell *cell, double *weight, bool *yes)
{
  bool leaks;
  SC_TRY(may_grow(r, cell, weight, yes));
  if (*yes) {
    SC_TRY(sc_leak_holds(r, cell, &leaks));
    *yes = !leaks;
  }
  return 0;
}

const sc_resource_rule sc_rule_growth = {.rule = SC_RULE_UNBOUNDED_GROWTH,
                                         .concerns = sc_leak_possible,
                                         .suspect = suspect_growing,
                                         .ask = make_growing_question,
                                         .form = &FORM};

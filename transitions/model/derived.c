/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/derived.h"

#include <string.h>

#include "base/buf.h"
#include "transitions/model/costs.h"
#include "transitions/model/options.h"
#include "transitions/model/sums.h"

/* Nothing that the base owns is shared, as either may be freed first; the graph belongs to neither. */
int sc_derived_copy(const sc_analysis *base, const sc_analysis_options *options, sc_analysis *a)
{
  a->graph = base->graph;
  a->contexts = base->contexts;
  a->quantile = base->quantile;
  a->sampled = base->sampled;
  a->few_samples = base->few_samples;
  memcpy(a->event, base->event, sizeof a->event);
  a->unit = base->unit == base->event ? a->event : base->unit;
  SC_TRY(sc_options_copy(&a->options, options));
  a->sums = sc_sums_new();
  a->scope = sc_mem_new(a->contexts + 1, sizeof *a->scope);
  a->series = sc_mem_new(a->contexts + 1, sizeof *a->series);
  SC_TRY(sc_loads_begin(&a->loads, a->contexts));
  if (!a->sums || !a->scope || !a->series)
    return SC_E_NOMEM;
  memcpy(a->scope, base->scope, a->contexts * sizeof *a->scope);
  return 0;
}

/* Rows are not interned: two models may agree at these sizes and not elsewhere. */
int sc_derived_count(sc_analysis *a)
{
  size_t count = a->counted_series = a->model_count;
  a->counts = (sc_series_set){.width = a->run_count, .count = count, .capacity = count};
  SC_TRY(SC_NEW(a->counts.values, count * a->run_count + 1));
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < a->run_count; i++)
      a->counts.values[k * a->run_count + i] = sc_model_value(&a->models[k], a->sizes[i]);
  return 0;
}

/* Series that are equal at the base need not be equal elsewhere: the context's own comes first, then that of any
 * context which shared the model. */
uint32_t sc_derived_model(const sc_analysis *base, const sc_analysis *a, uint32_t model, uint32_t context)
{
  if (base->series[context] == model && a->series[context] != SC_NONE)
    return a->series[context]; /* what is executed once at the base may be executed more often */
  if (model == SC_SERIES_ONE)
    return SC_SERIES_ONE;
  for (uint32_t c = 0; c < base->contexts; c++)
    if (base->series[c] == model && a->series[c] != SC_NONE)
      return a->series[c];
  return SC_NONE;
}

int sc_derived_sum_up(sc_analysis *a)
{
  double modelled = 0, all = 0;
  size_t last = a->run_count - 1;
  if (a->start > 0)
    SC_TRY(sc_blend_add(&a->total, &a->once));
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (!sc_analysis_has(a, c))
      continue;
    sc_blend_part cost = sc_costs_part(sc_analysis_load(a, c));
    double weight = cost.value * sc_model_value(&a->models[cost.model], a->sizes[last]);
    all += weight;
    modelled += sc_analysis_known(a, c) ? weight : 0;
  }
  a->modelled_share = all > 0 ? modelled / all : 0;
  return sc_costs_sum_up(a);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/suppose/portion.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/costs.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/predict.h"
#include "transitions/model/sums.h"
#include "transitions/model/tuning.h"
#include "transitions/model/waiting.h"
#include "transitions/suppose/internal.h"

struct sc_portion {
  const sc_analysis *analysis;
  const sc_suppose *suppose; /* NULL: none */
  bool costs, units, elapsed, waiting;
  bool open;        /* no upper end beyond the sizes measured */
  sc_blend *blends; /* [groups] of contexts whose executions change by the same factor; 0: that do not change */
  double *factors;  /* [groups] scratch */
  size_t groups;
};

static sc_blend_part portion_part_of(const sc_portion *p, uint32_t context)
{
  const sc_load *load = sc_analysis_load(p->analysis, context);
  if (p->units)
    return sc_costs_count_part(load);
  return p->costs ? sc_costs_part(load) : sc_costs_executions_part(load);
}

static bool portion_adds(const sc_portion *p, uint32_t context)
{
  return sc_analysis_in_scope(p->analysis, context) && (p->costs || sc_analysis_load(p->analysis, context)->counted);
}

static bool supposed_order(const sc_portion *p, uint32_t context)
{
  return p->suppose && p->suppose->groups[p->suppose->group[context]].kind >= SC_SUPPOSE_ORDER;
}

static int add_portion_context(sc_portion *p, uint32_t context, bool whole)
{
  uint32_t group = p->suppose ? p->suppose->group[context] : 0;
  sc_blend_part part = portion_part_of(p, context);
  if ((part.value <= 0 && part.high <= 0 && part.above <= 0) || (whole && !group))
    return 0;
  SC_TRY(sc_blend_add(&p->blends[group], &part));
  if (!whole)
    return 0;
  part.value = -part.value; /* it is in the sum of everything */
  part.low = -part.low;
  part.high = -part.high;
  part.below = -part.below;
  part.above = -part.above;
  return sc_blend_add(&p->blends[0], &part);
}

/* What was subtracted to nothing is nothing: its rounding error times a model without an upper end would be anything.
 */
static void drop_rests(sc_blend *rest, const sc_blend *all)
{
  sc_blend_compact(rest);
  for (size_t i = 0, j = 0; i < rest->count; i++) {
    sc_blend_part *part = &rest->parts[i];
    while (j < all->count && all->parts[j].model < part->model)
      j++;
    if (j < all->count && part->value <= SC_PORTION_ROUNDING * all->parts[j].value &&
        part->high <= SC_PORTION_ROUNDING * all->parts[j].high &&
        part->above <= SC_PORTION_ROUNDING * all->parts[j].above)
      *part = (sc_blend_part){.model = part->model};
  }
}

static int add_whole(sc_portion *p)
{
  const sc_analysis *a = p->analysis;
  const sc_blend *all = p->costs ? &a->total : &a->executions;
  bool open = false;
  for (size_t i = 0; i < all->count; i++)
    SC_TRY(sc_blend_add(&p->blends[0], &all->parts[i]));
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (!portion_adds(p, c))
      continue;
    open |= sc_analysis_load(a, c)->open && !supposed_order(p, c);
    SC_TRY(add_portion_context(p, c, true));
  }
  p->open = open && a->untold.unbounded;
  drop_rests(&p->blends[0], all);
  return 0;
}

static double portion_value_of(const sc_portion *p, uint32_t context, double n)
{
  sc_blend_part part = portion_part_of(p, context);
  return part.value > 0 ? part.value * sc_model_value(&p->analysis->models[part.model], n) : 0;
}

static int add_some(sc_portion *p, const uint32_t *contexts, size_t count)
{
  double open = 0, all = 0, largest = p->analysis->sizes[p->analysis->run_count - 1];
  for (size_t i = 0; i < count; i++) {
    if (!portion_adds(p, contexts[i]))
      continue;
    double value = portion_value_of(p, contexts[i], largest);
    all += value;
    open += sc_analysis_load(p->analysis, contexts[i])->open && !supposed_order(p, contexts[i]) ? value : 0;
    SC_TRY(add_portion_context(p, contexts[i], false));
  }
  p->open = open > 0 && open >= SC_UNTOLD_RELEVANT * all;
  return 0;
}

static bool is_among(const uint32_t *contexts, size_t count, uint32_t context)
{
  for (size_t i = 0; i < count; i++)
    if (contexts[i] == context)
      return true;
  return !contexts;
}

static int add_portion_waiting(sc_portion *p, const uint32_t *contexts, size_t count)
{
  size_t all;
  const sc_waiting_place *places = sc_waiting_places(p->analysis, &all);
  for (size_t i = 0; i < all; i++)
    for (size_t k = 0; is_among(contexts, count, places[i].context) && k < places[i].blend.count; k++)
      SC_TRY(sc_blend_add(&p->blends[0], &places[i].blend.parts[k]));
  return 0;
}

int sc_portion_new(const sc_analysis *analysis, const uint32_t *contexts, size_t count, enum sc_portion_metric metric,
                   const sc_suppose *suppose, sc_portion **portion)
{
  int err = SC_E_NOMEM;
  sc_portion *p = *portion = sc_mem_new(1, sizeof *p);
  if (!p)
    return SC_E_NOMEM;
  *p = (sc_portion){.analysis = analysis,
                    .suppose = suppose,
                    .costs = metric == SC_PORTION_COST || metric == SC_PORTION_ELAPSED,
                    .units = metric == SC_PORTION_UNITS,
                    .elapsed = metric == SC_PORTION_ELAPSED,
                    .waiting = metric == SC_PORTION_WAITING};
  p->groups = suppose ? suppose->group_count : 1;
  p->blends = sc_mem_new(p->groups, sizeof *p->blends);
  p->factors = sc_mem_new(p->groups, sizeof *p->factors);
  if (!p->blends || !p->factors)
    goto out;
  SC_GOTO(p->waiting ? add_portion_waiting(p, contexts, count)
          : contexts ? add_some(p, contexts, count)
                     : add_whole(p));
  for (size_t i = 0; i < p->groups; i++)
    sc_blend_compact(&p->blends[i]);
out:
  if (err < 0) {
    sc_portion_free(p);
    *portion = NULL;
  }
  return err;
}

void sc_portion_free(sc_portion *portion)
{
  if (!portion)
    return;
  for (size_t i = 0; portion->blends && i < portion->groups; i++)
    sc_blend_free(&portion->blends[i]);
  free(portion->blends);
  free(portion->factors);
  free(portion);
}

/* What a part's model says at n, and the factor that it is yet to be taken times. */
static int portion_count_of(const sc_portion *p, size_t group, const sc_blend_part *part, double n, sc_interval *count,
                            double *factor)
{
  *factor = p->factors[group];
  if (group) {
    int known = sc_suppose_count(p->suppose, (uint32_t)group, part->model, n, *factor, count);
    if (known)
      *factor = 1;
    if (known)
      return known < 0 ? known : 0;
  }
  return sc_model_predict(&p->analysis->models[part->model], n, p->analysis->options.level, count);
}

static void prepare_portion(const sc_portion *p, double n)
{
  p->factors[0] = 1;
  if (p->suppose)
    sc_suppose_factors(p->suppose, n, p->factors);
}

static bool portion_empty(const sc_blend_part *part) { return part->value <= 0 && part->high <= 0 && part->above <= 0; }

int sc_portion_predict(const sc_portion *portion, double n, sc_interval *out)
{
  sc_blend_sum sum = {0};
  if (!isfinite(n) || n <= 0)
    return sc_err_set(SC_E_INPUT, "the size to predict is %g, not a positive number", n);
  prepare_portion(portion, n);
  for (size_t g = 0; g < portion->groups; g++)
    for (size_t i = 0; i < portion->blends[g].count; i++) {
      const sc_blend_part *part = &portion->blends[g].parts[i];
      sc_interval count;
      double factor;
      if (portion_empty(part))
        continue;
      SC_TRY(portion_count_of(portion, g, part, n, &count, &factor));
      sc_blend_sum_add(&sum, part, &count, factor);
    }
  *out = sc_blend_sum_interval(&sum);
  bool executions = !portion->waiting && !portion->units && !portion->costs; /* bytes of several runs are a mean */
  if (executions || (portion->costs && !portion->analysis->sampled))
    sc_sums_whole(out);
  if (portion->costs)
    sc_predict_allow_for_common(portion->analysis, n, out);
  sc_predict_open_end(portion->analysis, portion->open, n, out);
  if (portion->elapsed) {
    const sc_interval cost = *out;
    return sc_elapsed_predict(portion->analysis, n, &cost, out);
  }
  return 0;
}

const sc_model *sc_portion_widest(const sc_portion *portion, double n)
{
  const sc_model *widest = NULL;
  double most = 0;
  prepare_portion(portion, n);
  if (portion->elapsed && sc_elapsed_mostly_waits(portion->analysis, n))
    return sc_elapsed_model(portion->analysis, n);
  for (size_t g = 0; g < portion->groups; g++)
    for (size_t i = 0; i < portion->blends[g].count; i++) {
      const sc_blend_part *part = &portion->blends[g].parts[i];
      sc_interval count;
      double factor;
      if (portion_empty(part) || portion_count_of(portion, g, part, n, &count, &factor) < 0)
        continue;
      double width = factor * part->value * (count.high - count.low);
      if (!(width > most)) /* also if there is no upper end: the first one of those stays */
        continue;
      most = width;
      widest = &portion->analysis->models[part->model];
    }
  return widest;
}

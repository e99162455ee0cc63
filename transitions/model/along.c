/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/along.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/model/costs.h"
#include "transitions/model/data.h"
#include "transitions/model/derived.h"
#include "transitions/model/order.h"
#include "transitions/model/waiting.h"

typedef struct making {
  const sc_analysis *base;
  const sc_along *along;
  sc_analysis *a;
  double n; /* the base's horizon */
} making;

/* The values of the further parameter take the place of the sizes, and runs at one size that of the runs: all that
 * works on an analysis works on this one, too. */
static int copy_values(const making *m)
{
  const sc_along *along = m->along;
  sc_analysis *a = m->a;
  a->graph = along->graph;
  a->run_count = along->count;
  a->runs = sc_mem_new(along->count + 1, sizeof *a->runs);
  a->sizes = sc_mem_new(along->count + 1, sizeof *a->sizes);
  if (!a->runs || !a->sizes)
    return SC_E_NOMEM;
  memcpy(a->runs, along->runs, along->count * sizeof *a->runs);
  memcpy(a->sizes, along->values, along->count * sizeof *a->sizes);
  snprintf(a->held, sizeof a->held, "%s", along->held);
  return 0;
}

/* The lowest exponent that the data leave plausible. Models of several parameters are not held against stairs and
 * bursts (docs/models.md); the counts along this one are. */
static int doubt_along(const making *m, const double *counts, sc_model *model)
{
  const sc_along *along = m->along;
  const sc_series series = {.n = along->values, .y = counts, .count = along->count, .counts = true};
  sc_model line;
  if (model->verdict != SC_VERDICT_MODEL || !sc_order_superlinear(&model->order))
    return 0;
  if (along->count < SC_ALONG_VALUES)
    model->exponent_low = fmin(model->exponent_low, 1);
  if (model->exact)
    return 0;
  SC_TRY(sc_costs_fit(&series, &m->base->options.fit, &line));
  model->exponent_low = fmin(model->exponent_low, line.verdict == SC_VERDICT_MODEL ? line.exponent_low : 1);
  return 0;
}

/* "Once per run", and the models along the parameter. */
static int take_along_models(making *m)
{
  sc_analysis *a = m->a;
  const sc_along *along = m->along;
  sc_model one = {.terms = {{.coefficient = 1}}, .term_count = 1, .r2 = 1, .exact = true};
  uint32_t number;
  one.points = one.degrees = along->count;
  one.n_min = along->values[0];
  one.n_max = along->values[along->count - 1];
  SC_TRY(sc_analysis_add_model(a, &one, &number));
  for (size_t k = 0; k < along->model_count; k++) {
    SC_TRY(sc_analysis_add_model(a, &along->models[k], &number));
    sc_model *model = &a->models[number];
    sc_order_at(model, along->target);
    model->points = along->count; /* others repeat these values */
    SC_TRY(doubt_along(m, along->counts + k * along->count, model));
  }
  for (uint32_t c = 0; c < a->contexts; c++)
    a->series[c] = m->base->series[c] == SC_NONE ? SC_NONE : 1 + along->model_of[c];
  return sc_derived_count(a);
}

/* What the base's part comes to at its horizon. */
static double cost_there(const making *m, uint32_t context)
{
  sc_blend_part part = sc_costs_part(sc_analysis_load(m->base, context));
  return part.value * sc_model_value(&m->base->models[part.model], m->n);
}

static double count_there(const making *m, uint32_t context)
{
  sc_blend_part part = sc_costs_count_part(sc_analysis_load(m->base, context));
  return part.value * sc_model_value(&m->base->models[part.model], m->n);
}

/* A price is the base's cost at this size for each execution there; where the base had no execution or no sample, it is
 * the one that the runs along the parameter give, which may be off by as much as it is. */
static void load_along_counted(const making *m, uint32_t context, sc_load *load)
{
  const sc_load *base = sc_analysis_load(m->base, context);
  double cost = cost_there(m, context), count = count_there(m, context);
  bool priced = !(count > 0) || (!(cost > 0) && m->along->priced[context]);
  sc_costs_load_count(m->a, context, load);
  load->each = priced ? m->along->prices[context] : cost / count;
  load->below = base->growing ? load->each * base->growth_error : base->below;
  load->above = base->growing ? load->below : base->above;
  if (priced)
    load->below = load->above = load->each;
}

/* The call that a foreign function makes most often: it carries the function's own cost. */
static uint32_t most_called(const making *m, uint32_t context)
{
  const sc_analysis *base = m->base;
  uint32_t best = SC_NONE;
  double most = 0;
  for (uint32_t c = sc_graph_first_child(base->graph, context); c; c = sc_graph_next_sibling(base->graph, c)) {
    double count = base->series[c] == SC_NONE ? 0 : count_there(m, c);
    if (count > most) {
      best = c;
      most = count;
    }
  }
  return best;
}

/* What is not counted is the same at every value, but for foreign functions, whose calls are. */
static void load_along_uncounted(const making *m, uint32_t context, sc_load *load)
{
  bool foreign = sc_graph_at(m->base->graph, context)->kind == SC_LOCATION_FOREIGN;
  uint32_t child = foreign ? most_called(m, context) : SC_NONE;
  double cost = cost_there(m, context);
  *load = (sc_load){.model = SC_SERIES_ONE, .ratio = 1, .ratio_low = 1, .ratio_high = 1, .each = cost};
  if (child == SC_NONE)
    return;
  *load = *sc_analysis_load(m->a, child);
  load->counted = false;
  load->each = cost / count_there(m, child);
  load->below = load->above = 0;
}

/* Counted ones first: what is not counted is carried by models that those have chosen. */
static int load_along_contexts(making *m)
{
  sc_analysis *a = m->a;
  for (int counted = 1; counted >= 0; counted--)
    for (uint32_t c = 0; c < a->contexts; c++) {
      sc_load load = {0};
      if ((a->series[c] != SC_NONE) != counted || (!counted && !sc_analysis_has(a, c)))
        continue;
      (counted ? load_along_counted : load_along_uncounted)(m, c, &load);
      SC_TRY(sc_loads_set(&a->loads, c, &load));
    }
  a->start = m->base->start > 0 ? m->base->once.value * sc_model_value(&m->base->models[m->base->once.model], m->n) : 0;
  a->once = (sc_blend_part){.model = SC_SERIES_ONE, .value = a->start, .low = a->start, .high = a->start};
  return 0;
}

/* What goes with a count follows it along the parameter; all else stays what it is at the base's horizon. */
static int take_along_seconds(const making *m, const sc_blend *from, uint32_t context, sc_blend *to)
{
  for (size_t i = 0; i < from->count; i++) {
    sc_blend_part part = from->parts[i];
    double all = sc_model_value(&m->base->models[part.model], m->n);
    uint32_t model = sc_derived_model(m->base, m->a, part.model, context);
    if (model == SC_NONE)
      part = (sc_blend_part){.value = part.value * all,
                             .low = part.low * all,
                             .high = part.high * all,
                             .below = part.below * all * all,
                             .above = part.above * all * all};
    part.model = model == SC_NONE ? SC_SERIES_ONE : model;
    SC_TRY(sc_blend_add(to, &part));
  }
  return 0;
}

/* The elapsed time, and where the program waits: the base's, at the target. */
static int load_along_time(making *m)
{
  const struct sc_elapsed *from = &m->base->elapsed;
  struct sc_elapsed *e = &m->a->elapsed;
  if (!from->known)
    return 0;
  *e = *from;
  e->ready = e->waiting = e->processor = (sc_blend){.parts = NULL};
  e->place_count = 0;
  e->together = 0;
  SC_TRY(SC_NEW(e->places, from->place_count + 1));
  SC_TRY(take_along_seconds(m, &from->ready, 0, &e->ready));
  SC_TRY(take_along_seconds(m, &from->waiting, 0, &e->waiting));
  SC_TRY(take_along_seconds(m, &from->processor, 0, &e->processor));
  for (size_t i = 0; i < from->place_count; i++) {
    sc_waiting_place *place = &e->places[e->place_count++];
    *place = from->places[i];
    place->blend = (sc_blend){.parts = NULL};
    SC_TRY(take_along_seconds(m, &from->places[i].blend, place->context, &place->blend));
  }
  return 0;
}

/* In the order of what needs what: values, models of the counts, prices on these models, their sum, and the time of it
 * all. */
int sc_analysis_along(const sc_analysis *base, const sc_along *along, sc_analysis **made)
{
  int err = SC_E_NOMEM;
  sc_analysis_options options = base->options;
  making m = {.base = base, .along = along, .a = sc_mem_new(1, sizeof *m.a), .n = sc_analysis_horizon(base)};
  *made = NULL;
  if (!m.a)
    return err;
  options.variable = along->variable;
  options.targets = &along->target;
  options.target_count = 1;
  options.population = along->population;
  SC_GOTO(sc_derived_copy(base, &options, m.a));
  SC_GOTO(copy_values(&m));
  SC_GOTO(take_along_models(&m));
  SC_GOTO(load_along_contexts(&m));
  SC_GOTO(sc_derived_sum_up(m.a));
  SC_GOTO(load_along_time(&m));
  *made = m.a;
  m.a = NULL;
out:
  sc_analysis_free(m.a);
  return err;
}

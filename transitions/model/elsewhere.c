/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/elsewhere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/model/cost_growth.h"
#include "transitions/model/costs.h"
#include "transitions/model/data.h"
#include "transitions/model/derived.h"
#include "transitions/model/order.h"
#include "transitions/model/seconds.h"
#include "transitions/model/time_open.h"
#include "transitions/model/tuning.h"
#include "transitions/model/untold.h"
#include "transitions/model/waiting.h"

typedef struct moving {
  const sc_analysis *base;
  const sc_elsewhere *there;
  sc_analysis *a;
  uint32_t offset; /* number of the base's first model */
} moving;

static int copy_sizes(const sc_analysis *base, sc_analysis *a)
{
  a->moved = true;
  a->start = base->start;
  a->once = base->once;
  a->footprint = base->footprint;
  a->blocks = base->blocks;
  a->busy = base->busy;
  a->run_count = base->run_count;
  a->runs = sc_mem_new(a->run_count + 1, sizeof *a->runs);
  a->sizes = sc_mem_new(a->run_count + 1, sizeof *a->sizes);
  if (!a->runs || !a->sizes)
    return SC_E_NOMEM;
  memcpy(a->runs, base->runs, a->run_count * sizeof *a->runs);
  memcpy(a->sizes, base->sizes, a->run_count * sizeof *a->sizes);
  return 0;
}

/* "Once per run", the models there, and behind them the base's, of what stays as it is. */
static int take_elsewhere_models(moving *m)
{
  uint32_t number;
  const sc_elsewhere *there = m->there;
  SC_TRY(sc_analysis_add_model(m->a, &m->base->models[SC_SERIES_ONE], &number));
  for (size_t k = 0; k < there->model_count; k++) {
    SC_TRY(sc_analysis_add_model(m->a, &there->models[k], &number));
    sc_order_at(&m->a->models[number], sc_analysis_horizon(m->a));
  }
  SC_TRY(sc_derived_count(m->a));
  m->offset = (uint32_t)m->a->model_count;
  for (size_t k = 0; k < m->base->model_count; k++)
    SC_TRY(sc_analysis_add_model(m->a, &m->base->models[k], &number));
  for (uint32_t c = 0; c < m->a->contexts; c++)
    m->a->series[c] = m->base->series[c] == SC_NONE ? SC_NONE : 1 + there->model_of[c];
  return 0;
}

/* Cost of an execution as a power of the size, from what the base's models of cost and count say at both ends. */
static bool elsewhere_growth_of(const moving *m, uint32_t context, double *factor, double *exponent)
{
  const sc_analysis *b = m->base;
  const sc_model *count = &b->models[b->series[context]], *cost = &b->models[sc_analysis_load(b, context)->cost_model];
  double low = b->sizes[0], high = b->sizes[b->run_count - 1];
  double first = sc_model_value(cost, low) / sc_model_value(count, low);
  double last = sc_model_value(cost, high) / sc_model_value(count, high);
  *exponent = high > low ? log(last / first) / log(high / low) : 0;
  *factor = last / pow(high, *exponent);
  return isfinite(*exponent) && isfinite(*factor) && *factor > 0;
}

/* A price that grows with the size at the base is taken to grow elsewhere alike, from the price there; runs elsewhere
 * are too few sizes to show it. */
static int load_growing(moving *m, uint32_t context, sc_load *load)
{
  const sc_load *base = sc_analysis_load(m->base, context);
  double factor, exponent;
  if (!base->growing || !sc_analysis_known(m->a, context) || !elsewhere_growth_of(m, context, &factor, &exponent))
    return 0;
  sc_model model = sc_cost_growth_times(sc_analysis_model(m->a, context), factor, exponent);
  SC_TRY(sc_analysis_add_model(m->a, &model, &load->cost_model));
  load->growing = true;
  load->growth = base->growth;
  load->growth_error = base->growth_error;
  load->growth_sum = base->growth_sum;
  return 0;
}

static bool elsewhere_ran(const sc_analysis *a, uint32_t context)
{
  const double *values = sc_analysis_values(a, context);
  for (size_t i = 0; i < a->run_count; i++)
    if (values[i] > 0)
      return true;
  return false;
}

/* The price of the base where it has one: a further parameter changes how often something is done, seldom what one time
 * costs. What only runs elsewhere, or has no sample at the base, takes the price that those runs give. */
static int load_elsewhere_counted(moving *m, uint32_t context, sc_load *load)
{
  const sc_load *base = sc_analysis_load(m->base, context);
  sc_costs_load_count(m->a, context, load);
  load->each = base->each;
  load->below = base->below;
  load->above = base->above;
  load->open = !sc_analysis_known(m->a, context) && sc_untold_grows(m->a, context);
  bool pooled = !(base->each > 0) && m->there->priced[context];
  if (elsewhere_ran(m->base, context) && !pooled)
    return load_growing(m, context, load);
  load->each = m->there->prices[context];
  load->below = m->base->sampled ? load->each : 0; /* executions that are all there is to count are certain */
  load->above = m->base->sampled ? (m->there->price_most - 1) * load->each : 0;
  return 0;
}

/* The call that carries a foreign function's own cost. */
static uint32_t carrying_child(const moving *m, uint32_t context)
{
  const sc_analysis *b = m->base;
  uint32_t best = SC_NONE;
  double most = -1;
  for (uint32_t c = context + 1; c < b->contexts; c++) {
    if (sc_graph_parent(b->graph, c) != context || b->series[c] == SC_NONE ||
        sc_analysis_load(b, c)->model != sc_analysis_load(b, context)->model)
      continue;
    double count = sc_analysis_values(b, c)[b->run_count - 1];
    if (count > most) {
      most = count;
      best = c;
    }
  }
  return best;
}

/* What is not counted stays as it is at the base, but for foreign functions, whose calls are. */
static void load_elsewhere_uncounted(const moving *m, uint32_t context, sc_load *load)
{
  const sc_load *base = sc_analysis_load(m->base, context);
  bool foreign = sc_graph_at(m->a->graph, context)->kind == SC_LOCATION_FOREIGN;
  uint32_t child = foreign && base->each > 0 ? carrying_child(m, context) : SC_NONE;
  *load = *base;
  load->model += m->offset;
  if (child == SC_NONE)
    return;
  *load = *sc_analysis_load(m->a, child);
  load->counted = load->growing = false;
  load->each = base->each;
  load->below = base->below;
  load->above = base->above;
}

static int load_elsewhere_contexts(moving *m)
{
  sc_analysis *a = m->a;
  double cheaper = fmax(0, 1 - m->there->checked), dearer = fmax(0, m->there->checked - 1); /* NaN: 0 */
  for (uint32_t c = 0; c < a->contexts; c++) {
    sc_load load = {0};
    if (a->series[c] == SC_NONE)
      continue;
    SC_TRY(load_elsewhere_counted(m, c, &load));
    SC_TRY(sc_loads_set(&a->loads, c, &load));
  }
  for (uint32_t c = 0; c < a->contexts; c++) {
    sc_load load = *sc_analysis_load(a, c);
    if (a->series[c] == SC_NONE && sc_analysis_has(a, c))
      load_elsewhere_uncounted(m, c, &load);
    load.cheaper = cheaper;
    load.dearer = dearer;
    SC_TRY(sc_loads_set(&a->loads, c, &load));
  }
  return 0;
}

static int take_elsewhere_seconds(moving *m, const sc_elsewhere_seconds *from, sc_blend *out)
{
  uint32_t number;
  if (!from->has_own)
    return sc_seconds_add((uint32_t)from->model + 1, from->each, from->below, from->above, from->start, out);
  SC_TRY(sc_analysis_add_model(m->a, &from->own, &number));
  return sc_blend_add(out, &(sc_blend_part){.model = number, .value = 1, .low = 1, .high = 1});
}

static int copy_seconds(const moving *m, const sc_blend *from, sc_blend *out)
{
  for (size_t i = 0; i < from->count; i++) {
    sc_blend_part part = from->parts[i];
    part.model += m->offset;
    SC_TRY(sc_blend_add(out, &part));
  }
  return 0;
}

static double executions_at(const sc_analysis *a, uint32_t context)
{
  bool known = a->series[context] != SC_NONE && sc_analysis_known(a, context);
  return known ? sc_model_value(sc_analysis_model(a, context), sc_analysis_horizon(a)) : 0;
}

/* How many times as often as at the base, at the largest target; 1 where it is not known. */
static double more_often(const moving *m, uint32_t context)
{
  double before = executions_at(m->base, context), there = executions_at(m->a, context);
  return before > 0 && there > 0 ? there / before : 1;
}

/* Seconds of waiting follow their count's model elsewhere. Without one they are scaled by how often the place is
 * reached there, and the upper end allows for more, as queues grow faster than what is put in them. */
static int move_place(const moving *m, const sc_waiting_place *from, sc_waiting_place *to)
{
  const sc_analysis *a = m->a;
  double often = more_often(m, from->context);
  *to = *from;
  to->blend = (sc_blend){.parts = NULL};
  for (size_t i = 0; i < from->blend.count; i++) {
    sc_blend_part part = from->blend.parts[i];
    uint32_t model = sc_derived_model(m->base, a, part.model, from->context);
    if (model == SC_NONE)
      part = (sc_blend_part){
          .model = part.model + m->offset, .value = part.value * often, .high = SC_ELSEWHERE_MOST * part.high * often};
    else
      part.model = model;
    SC_TRY(sc_blend_add(&to->blend, &part));
  }
  to->measured = sc_blend_value(&to->blend, a->models, a->sizes[a->run_count - 1]);
  to->waits *= often;
  return 0;
}

/* Where the program waits: what one execution of a place waits is that of the base, as costs are, and executions are
 * those there. */
static int move_places(moving *m)
{
  const struct sc_elapsed *from = &m->base->elapsed;
  struct sc_elapsed *e = &m->a->elapsed;
  e->threads = m->there->base ? from->threads : m->there->time->threads > 1 ? INFINITY : 1;
  SC_TRY(SC_NEW(e->places, from->place_count + 1));
  for (size_t i = 0; i < from->place_count; i++) {
    e->place_count++;
    SC_TRY(move_place(m, &from->places[i], &e->places[i]));
  }
  return 0;
}

static int copy_time(moving *m)
{
  const struct sc_elapsed *from = &m->base->elapsed;
  struct sc_elapsed *e = &m->a->elapsed;
  *e = *from;
  e->ready = e->waiting = e->processor = (sc_blend){.parts = NULL};
  e->places = NULL;
  e->place_count = 0;
  SC_TRY(copy_seconds(m, &from->ready, &e->ready));
  SC_TRY(copy_seconds(m, &from->waiting, &e->waiting));
  SC_TRY(copy_seconds(m, &from->processor, &e->processor));
  return move_places(m);
}

static int load_elsewhere_time(moving *m)
{
  const sc_elsewhere_time *t = m->there->time;
  struct sc_elapsed *e = &m->a->elapsed;
  if (m->there->base && m->base->elapsed.known)
    return copy_time(m);
  if (!t)
    return 0;
  e->of_costs = m->base->elapsed.of_costs;
  e->rate = t->rate;
  e->rate_low = t->rate_low;
  e->rate_high = t->rate_high;
  e->measured = t->measured;
  memcpy(e->shares, t->shares, sizeof e->shares);
  SC_TRY(take_elsewhere_seconds(m, &t->ready, &e->ready));
  SC_TRY(take_elsewhere_seconds(m, &t->waiting, &e->waiting));
  if (!e->of_costs)
    SC_TRY(take_elsewhere_seconds(m, &t->processor, &e->processor));
  e->known = true;
  return move_places(m);
}

/* As sc_untold_find does at the base, but with predicted costs: there are no samples elsewhere. */
static int find_untold(sc_analysis *a)
{
  sc_untold *u = &a->untold;
  size_t last = a->run_count - 1;
  double counts = 0, costs = 0, count = 0, cost = 0, worst = -1;
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (a->series[c] == SC_NONE)
      continue;
    double counted = sc_analysis_values(a, c)[last], spent = counted * sc_analysis_load(a, c)->each;
    double executed = sc_analysis_executions(a, c, counted);
    counts += executed;
    costs += spent;
    if (!sc_analysis_load(a, c)->open)
      continue;
    u->count++;
    count += executed;
    cost += spent;
    if (executed > worst) {
      worst = executed;
      u->context = c;
    }
  }
  return sc_untold_weigh(a, count, counts, cost, costs, costs > 0);
}

int sc_analysis_move(const sc_analysis *base, const sc_elsewhere *there, sc_analysis **moved)
{
  int err = SC_E_NOMEM;
  moving m = {.base = base, .there = there, .a = sc_mem_new(1, sizeof *m.a)};
  *moved = NULL;
  if (!m.a)
    return err;
  SC_GOTO(sc_derived_copy(base, &base->options, m.a));
  SC_GOTO(copy_sizes(base, m.a));
  SC_GOTO(take_elsewhere_models(&m));
  SC_GOTO(load_elsewhere_contexts(&m));
  SC_GOTO(sc_derived_sum_up(m.a));
  SC_GOTO(load_elsewhere_time(&m));
  SC_GOTO(find_untold(m.a));
  SC_GOTO(sc_time_open_load(m.a));
  *moved = m.a;
  m.a = NULL;
out:
  sc_analysis_free(m.a);
  return err;
}

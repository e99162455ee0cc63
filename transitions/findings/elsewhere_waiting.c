/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a program waits at other values of further parameters: what one execution of a place waits is that of the base,
 * as costs are, and executions are those there. */
#include <math.h>

#include "base/buf.h"
#include "transitions/findings/elsewhere.h"
#include "transitions/model/internal.h"
#include "transitions/model/waiting.h"

/* Waiting that goes with no count is known less well elsewhere: at most this many times the guess. */
static const double MOST = 3;

/* The model there of the count that this model is of at the base; SC_NONE: of no count that was moved. */
static uint32_t model_there(const sc_analysis *base, const sc_analysis *a, uint32_t model, uint32_t context)
{
  if (model == SC_SERIES_ONE)
    return SC_SERIES_ONE;
  if (base->series[context] == model && a->series[context] != SC_NONE)
    return a->series[context];
  for (uint32_t c = 0; c < base->contexts; c++)
    if (base->series[c] == model && a->series[c] != SC_NONE)
      return a->series[c];
  return SC_NONE;
}

static double executions_at(const sc_analysis *a, uint32_t context)
{
  return sc_analysis_known(a, context) ? sc_model_value(sc_analysis_model(a, context), sc_analysis_horizon(a)) : 0;
}

/* How many times as often as at the base, at the largest target; 1 where it is not known. */
static double more_often(const sc_analysis *base, const sc_analysis *a, uint32_t context)
{
  double before = base->series[context] != SC_NONE ? executions_at(base, context) : 0;
  double there = a->series[context] != SC_NONE ? executions_at(a, context) : 0;
  return before > 0 && there > 0 ? there / before : 1;
}

static int move_place(const sc_analysis *base, uint32_t offset, sc_analysis *a, const sc_waiting_place *from,
                      sc_waiting_place *to)
{
  *to = *from;
  to->blend = (sc_blend){.parts = NULL};
  for (size_t i = 0; i < from->blend.count; i++) {
    sc_blend_part part = from->blend.parts[i];
    uint32_t model = model_there(base, a, part.model, from->context);
    if (model == SC_NONE) {
      double often = more_often(base, a, from->context);
      part =
          (sc_blend_part){.model = part.model + offset, .value = part.value * often, .high = MOST * part.high * often};
    } else {
      part.model = model;
    }
    SC_TRY(sc_blend_add(&to->blend, &part));
  }
  to->measured = sc_blend_value(&to->blend, a->models, a->sizes[a->run_count - 1]);
  to->waits *= more_often(base, a, from->context);
  return 0;
}

int sc_elsewhere_waiting(const sc_analysis *base, const sc_elsewhere *there, uint32_t offset, sc_analysis *a)
{
  struct sc_elapsed *e = &a->elapsed;
  size_t count = base->elapsed.place_count;
  e->threads = there->base ? base->elapsed.threads : there->time->threads > 1 ? INFINITY : 1;
  e->places = sc_mem_new(count + 1, sizeof *e->places);
  if (!e->places)
    return SC_E_NOMEM;
  for (size_t i = 0; i < count; i++) {
    e->place_count++;
    SC_TRY(move_place(base, offset, a, &base->elapsed.places[i], &e->places[i]));
  }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models of all parameters cut to one of them, and the analysis that these make. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"
#include "transitions/model/elsewhere.h"

static double cut_sum_of(const sc_several *s, uint32_t series)
{
  double sum = 0;
  for (size_t i = 0; i < s->run_count; i++)
    sum += sc_series_row(&s->set, series)[i];
  return sum;
}

static double sum_of_rest(const sc_several *s)
{
  double sum = 0;
  for (uint32_t k = 0; k < s->set.count; k++)
    sum += s->fits[k] == SC_SEVERAL_REST ? s->members[k] * cut_sum_of(s, k) : 0;
  return sum;
}

int sc_several_cut(const sc_several *s, const double *at, size_t along, sc_model *models)
{
  double rest = s->rest ? sum_of_rest(s) : 0;
  for (uint32_t k = 0; k < s->set.count; k++) {
    bool alone = s->fits[k] != SC_SEVERAL_REST;
    if (s->products[k]) {
      SC_TRY(sc_several_cut_product(s, s->products[k], at, along, &models[k]));
      continue;
    }
    SC_TRY(sc_surface_slice(&s->models[alone ? s->fits[k] : s->model_count - 1], at, along, &models[k]));
    if (alone)
      continue;
    sc_model_scale(&models[k], rest > 0 ? cut_sum_of(s, k) / rest : 0, 0); /* its share of the sum's */
    models[k].exact = false;
  }
  return 0;
}

int sc_several_move_analysis(const sc_several *s, const double *others, sc_analysis **analysis)
{
  int err = SC_E_NOMEM;
  double at[SC_SURFACE_PARAMETERS] = {s->high[0]};
  sc_elsewhere_time *time = sc_mem_new(1, sizeof *time);
  sc_model *models = sc_mem_new(s->set.count + 1, sizeof *models);
  *analysis = NULL;
  if (!time || !models)
    goto out;
  memcpy(at + 1, others, (s->parameters - 1) * sizeof *at);
  SC_GOTO(sc_several_cut(s, at, 0, models));
  bool base = sc_workload_is_base(s->judge->loaded.workload, others);
  if (s->time && !base)
    SC_GOTO(sc_several_time_there(s, others, time));
  const sc_elsewhere there = {.models = models,
                              .model_count = s->set.count,
                              .model_of = s->series,
                              .prices = s->prices,
                              .priced = s->priced,
                              .price_most = SC_SEVERAL_PRICE_MOST,
                              .checked = s->checked,
                              .time = s->time && !base ? time : NULL,
                              .base = base};
  err = sc_analysis_move(s->judge->loaded.analysis, &there, analysis);
out:
  free(time);
  free(models);
  return err;
}

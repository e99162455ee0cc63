/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry to fitting: one series in, one model out. */
#include "regress/choose/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/choose/doubt.h"
#include "regress/choose/engines.h"
#include "regress/core/tuning.h"

struct sc_fit {
  sc_fit_options options;
  sc_engine engine;
};

int sc_fit_new(const sc_fit_options *options, sc_fit **fit)
{
  sc_fit *made = sc_mem_new(1, sizeof *made);
  int err = made ? 0 : SC_E_NOMEM;
  if (!made)
    goto out;
  made->options = *options;
  made->engine.options = &made->options;
  SC_GOTO(sc_wls_new(&made->engine.wls));
  SC_GOTO(sc_space_new(&made->engine.space, options->space != SC_FIT_SPACE_TERMS));
  SC_GOTO(sc_exact_new(&made->engine.exact));
out:
  if (err < 0) {
    sc_fit_free(made);
    made = NULL;
  }
  *fit = made;
  return err;
}

void sc_fit_free(sc_fit *fit)
{
  if (!fit)
    return;
  sc_wls_free(fit->engine.wls);
  sc_space_free(&fit->engine.space);
  sc_exact_free(fit->engine.exact);
  sc_points_free(&fit->engine.points);
  for (size_t i = 0; i < SC_ENGINE_ORDERS; i++)
    free(fit->engine.orders[i].list);
  free(fit);
}

static void describe_fit(const sc_points *points, sc_model *model)
{
  model->points = points->count;
  model->error = -1;
  model->y_max = points->y_max;
  if (points->count) {
    model->n_min = points->n[0];
    model->n_max = points->n[points->count - 1];
  }
}

/* What happens only from some size on is judged from there on: nothing below it bears on its growth. A single event at
 * one or two sizes is no growth yet. */
static void drop_zeros(sc_points *points)
{
  bool once = points->y_max <= 1 && points->count < points->zeros + 3;
  if (points->zeros > 0 && points->zeros < points->count && !once)
    sc_points_drop(points, points->zeros);
}

/* A few events at the largest sizes alone are as well a rare event as growth by any power: 1, 3 and 9 are no cubes. */
static void doubt_few_events(const sc_points *points, size_t zeros, sc_model *model)
{
  if (zeros >= SC_FIT_ZEROS && points->count <= SC_FIT_SIZES && points->y_max < SC_FIT_FEW_EVENTS &&
      model->verdict == SC_VERDICT_MODEL && !model->exact && model->order.exponent >= SC_FIT_SUPERLINEAR)
    sc_engine_cannot_tell(model, "only %g events at the largest size, and none at %zu sizes: too few to show growth",
                          points->y_max, zeros);
}

int sc_fit_run(sc_fit *fit, const sc_series *series, sc_model *model)
{
  memset(model, 0, sizeof *model);
  SC_TRY(sc_points_gather(series, &fit->engine.points));
  size_t zeros = fit->engine.points.counts ? fit->engine.points.zeros : 0;
  if (fit->options.engine == SC_FIT_DEFAULT)
    drop_zeros(&fit->engine.points);
  fit->engine.space.ready = fit->engine.space.ready && fit->engine.points.same_sizes;
  describe_fit(&fit->engine.points, model);
  if (fit->engine.points.count == 0) {
    model->verdict = SC_VERDICT_CANNOT_TELL;
    snprintf(model->why, sizeof model->why, "nothing was measured");
    return 0;
  }
  if (fit->options.engine == SC_FIT_DELTA_INFER)
    return sc_delta_fit(&fit->engine, model);
  SC_TRY(sc_select_fit(&fit->engine, model));
  doubt_few_events(&fit->engine.points, zeros, model);
  if (zeros)
    sc_doubt_begin(&fit->engine.points, model);
  return 0;
}

int sc_fit_select(const sc_series *series, const sc_fit_options *options, sc_model *model)
{
  sc_fit *fit = NULL;
  int err = 0;
  SC_GOTO(sc_fit_new(options, &fit));
  SC_GOTO(sc_fit_run(fit, series, model));
out:
  sc_fit_free(fit);
  return err;
}

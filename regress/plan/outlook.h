/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/sizes.h"
#include "regress/core/tuning.h"
#include "regress/plan/choose.h"
#include "regress/plan/plan.h"

/* Of one series at the target. */
typedef struct sc_plan_forecast {
  size_t series;
  double value, half; /* half the interval's width; both in cost */
} sc_plan_forecast;

/* What the measured sizes say. Zero-initialise. */
typedef struct sc_plan_outlook {
  double *sizes, *runs, *times; /* [size_count], ascending */
  size_t size_count, size_capacity, run_capacity, time_capacity;
  double *n, *y; /* [point_count] of one series */
  size_t point_count, n_capacity, y_capacity;
  sc_model *models;         /* [count] of all series */
  sc_plan_forecast *series; /* [count] */
  size_t count, model_capacity, series_capacity;
  double total; /* cost of all series at the target */
  sc_plan_view views[SC_PLAN_VIEWS];
  double weights[SC_PLAN_VIEWS];
} sc_plan_outlook;

/* Fits all series at the sizes used; sets target, width and the numbers of series in *state. */
int sc_plan_outlook_run(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *options, const sc_sizes *used,
                        const sc_plan_data *data, sc_plan_state *state) SC_CHECK;
/* The size to measure next, after sc_plan_outlook_run. */
int sc_plan_outlook_choose(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *options,
                           const sc_plan_data *data, const sc_plan_state *state, sc_plan_choice *choice) SC_CHECK;
/* Where models that look certain are checked, after sc_plan_outlook_run: at options->check, or a larger size that is
 * run in a moment; with the seconds that a run there is expected to take. */
int sc_plan_outlook_check(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *options,
                          const sc_plan_data *data, const sc_plan_state *state, double *n, double *seconds) SC_CHECK;
/* A size to try for the series that no model describes yet: the smallest that would decide between the models of one,
 * or, without such a size, the middle of the widest gap between measured sizes; either is run in a moment. *n becomes
 * 0 where no size will do. */
int sc_plan_outlook_untold(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *options,
                           const sc_plan_data *data, double *n) SC_CHECK;
/* Seconds that a run at n is expected to take. */
int sc_plan_outlook_seconds(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_data *data, double n,
                            double *seconds) SC_CHECK;
void sc_plan_outlook_free(sc_plan_outlook *outlook);

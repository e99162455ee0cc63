/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/sizes.h"
#include "regress/core/tuning.h"
#include "regress/plan/choose.h"
#include "regress/plan/plan.h"

typedef struct sc_plan_outlookd {
  size_t series;
  double value, half; /* at the target, in cost */
} sc_plan_outlookd;

/* What the measured sizes say. Zero-initialise. */
typedef struct sc_plan_outlook {
  double *sizes, *runs, *times; /* [size_count], ascending */
  size_t size_count, size_capacity, run_capacity, time_capacity;
  double *n, *y; /* [point_count] of one series */
  size_t point_count, n_capacity, y_capacity;
  sc_model *models;         /* [count] of all series */
  sc_plan_outlookd *series; /* [count] */
  size_t count, model_capacity, series_capacity;
  double total; /* cost of all series at the target */
  sc_plan_view views[SC_PLAN_VIEWS];
  double weights[SC_PLAN_VIEWS];
} sc_plan_outlook;

/* Fits all series at the sizes used; sets target, width and the numbers of series in *state. */
int sc_plan_outlook_run(sc_plan_outlook *judge, sc_fit *fit, const sc_plan_options *options, const sc_sizes *used,
                        const sc_plan_data *data, sc_plan_state *state) SC_CHECK;
/* The size to measure next, after sc_plan_outlook_run. */
int sc_plan_outlook_choose(sc_plan_outlook *judge, sc_fit *fit, const sc_plan_options *options,
                           const sc_plan_data *data, const sc_plan_state *state, sc_plan_choice *choice) SC_CHECK;
/* Where models that look certain are checked, after sc_plan_outlook_run: at options->check, or a larger size that is
 * run in a moment; with the seconds that a run there is expected to take. */
int sc_plan_outlook_check(sc_plan_outlook *judge, sc_fit *fit, const sc_plan_options *options, const sc_plan_data *data,
                          const sc_plan_state *state, double *n, double *seconds) SC_CHECK;
/* A size that may tell how a series grows of which nothing can be said: what decides it, or the middle of the widest
 * gap between measured sizes; run in a moment. *n is 0 if there is none. */
int sc_plan_outlook_untold(sc_plan_outlook *judge, sc_fit *fit, const sc_plan_options *options,
                           const sc_plan_data *data, double *n) SC_CHECK;
/* Seconds that a run at n is expected to take. */
int sc_plan_outlook_seconds(sc_plan_outlook *judge, sc_fit *fit, const sc_plan_data *data, double n,
                            double *seconds) SC_CHECK;
void sc_plan_outlook_free(sc_plan_outlook *judge);

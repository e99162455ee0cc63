/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/choose/fit.h"

/* What a run at a size costs, from the times of the sizes that were run: rather too much than too little. */
typedef struct sc_plan_cost {
  sc_model model;          /* of the times */
  const double *n, *times; /* [count], ascending */
  size_t count;
} sc_plan_cost;

/* Fits the times; both arrays, sizes ascending, must outlive it. */
int sc_plan_cost_fit(sc_fit *fit, const double *n, const double *times, size_t count, sc_plan_cost *cost) SC_CHECK;
/* Seconds of a run at n: between the sizes run interpolated, beyond them the upper end of an interval. */
double sc_plan_cost_at(const sc_plan_cost *cost, double n);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/wls.h"
#include "regress/exact/exact.h"
#include "regress/forms/space.h"

/* A hypothesis and what its variance is multiplied by, or is when multiplied. */
typedef struct sc_listed {
  double key;
  size_t hypothesis;
} sc_listed;

/* The hypotheses by penalty and prior cost, which depend on the number of observations alone. */
enum { SC_ENGINE_ORDERS = 16 };
typedef struct sc_order_list {
  sc_listed *list; /* [space.candidate_count] */
  size_t observations;
  bool counted; /* costs are those of exact counts */
} sc_order_list;

/* What the two engines work with; private to regress/. */
typedef struct sc_engine {
  const sc_fit_options *options;
  sc_points points; /* the series being fitted */
  sc_wls *wls;
  sc_space space;
  sc_exact *exact;
  sc_exact_result found; /* what the points are exactly, from `first` on */
  sc_order_list orders[SC_ENGINE_ORDERS];
  size_t next_order; /* the one to be given up */
} sc_engine;

/* A verdict of CANNOT_TELL with the reason. */
void sc_engine_cannot_tell(sc_model *model, const char *format, ...) SC_PRINTF(2, 3);
/* Mean relative error of the terms on the points, and R^2 on the sizes' means (1 for a constant that fits). */
void sc_engine_judge(const sc_points *points, sc_model *model);

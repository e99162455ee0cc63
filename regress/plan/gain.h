/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"

/* What a fitted series says of a target size, and what one more measurement is expected to change there. Sizes are not
 * run for it: it follows from the model's covariance and from its rivals (docs/next-size.md). */
enum { SC_PLAN_FORMS = SC_MODEL_RIVALS + 1 };

/* Measured sizes and how often each was run. */
typedef struct sc_plan_measured {
  const double *sizes, *runs; /* [count], ascending */
  size_t count;
  bool exact; /* runs of a size repeat themselves: more of them say nothing */
} sc_plan_measured;

typedef struct sc_plan_view {
  const sc_model *model;
  double target, value;
  double half;                  /* of the interval's width; finite, whatever the interval */
  double deciding;              /* CANNOT_TELL: the size that would decide; else 0 */
  double noise;                 /* relative deviation of one run from the true count of its size */
  double basis[SC_MODEL_TERMS]; /* of the terms at the target */
  double fitted;                /* variance there that the coefficients make */
  /* The slow factor that the model may lack, see the drift in model.h: places are logarithms of sizes. */
  double observations, center, spread, place; /* runs, their mean place, sum of squares around it; the target's place */
  double quantile; /* t quantile with one degree of freedom more, relative to the present one */
  /* The model and its rivals: how likely each is, its prediction. */
  size_t forms;
  const sc_rival *rival[SC_PLAN_FORMS]; /* NULL: the model itself */
  double probability[SC_PLAN_FORMS], prediction[SC_PLAN_FORMS];
} sc_plan_view;

/* *model must outlive the view. */
int sc_plan_view_make(const sc_model *model, double target, double level, const sc_plan_measured *measured,
                      sc_plan_view *view) SC_CHECK;
/* Expected half width at the target after `runs` more runs at n, where `before` were made; at most the present one. */
double sc_plan_view_after(const sc_plan_view *view, double n, double runs, double before);
/* The share of the variance at the target that lies between the model and its rivals: 0..1. */
double sc_plan_view_between(const sc_plan_view *view);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/*
 * The analysis of a program at other values of further parameters than those it was measured at: executions by models
 * of that place, costs as at the base in proportion to executions (docs/what-if.md, "Several parameters").
 */
/* Seconds there: `each` for every execution by a model, and once a run `start`; or by a model of their own. */
typedef struct sc_elsewhere_seconds {
  bool has_own;
  sc_model own;
  size_t model;              /* of sc_elsewhere.models */
  double each, below, above; /* 0: nothing goes with a model; below and above are half-widths of it at 95 % */
  double start;
} sc_elsewhere_seconds;
/* The parts of the elapsed time there (transitions/model/elapsed.h). */
typedef struct sc_elsewhere_time {
  double rate, rate_low, rate_high; /* elapsed seconds per second of processor time, where costs are times, */
  sc_elsewhere_seconds processor;   /* else seconds on a processor */
  sc_elsewhere_seconds ready, waiting;
  bool measured;                /* what is waited for */
  double shares[SC_WAIT_KINDS]; /* of `waiting` */
  double threads;               /* the most of any run; how many there are elsewhere is not known */
} sc_elsewhere_time;

typedef struct sc_elsewhere {
  const sc_model *models; /* [model_count] of executions there */
  size_t model_count;
  const uint32_t *model_of;      /* [contexts] of counted contexts in scope */
  const double *prices;          /* [contexts] what an execution takes of what was not sampled at the base */
  const bool *priced;            /* [contexts] whether samples fell on it in runs elsewhere */
  double price_most;             /* the most times that such a price may be as high; */
  double checked;                /* cost measured elsewhere by what is predicted for it; NaN: not known */
  const sc_elsewhere_time *time; /* NULL: not known, unless */
  bool base;                     /* these are the base's values: the elapsed time is the base's, too */
} sc_elsewhere;

/* A new analysis that refers to the base's graph; the base may be freed before it. Its sizes are those of the base, its
 * executions at them what the models say. */
int sc_analysis_move(const sc_analysis *base, const sc_elsewhere *there, sc_analysis **moved) SC_CHECK;

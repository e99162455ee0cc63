/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/plan/cost.h"
#include "regress/plan/gain.h"

/* Where the next measurement buys most: what sc_plan asks. */
typedef struct sc_plan_question {
  const sc_plan_view *views; /* [count] of the series that cost most at the target */
  const double *weights;     /* [count] cost of one of the series' counts */
  size_t count;
  double total, rest_half; /* cost of all series at the target; half widths of those not in `views`, in cost */
  double precision;        /* relative half width of the total that is wanted */
  double least_gain;       /* narrowing, as a share of the width, that is worth a run */
  double spent;            /* seconds of all runs so far */
  double limit, left;      /* seconds that a run may take, and all that are to come */
  const sc_plan_cost *cost;
  double (*expect)(void *user, double n); /* what a run takes at least, where the caller knows; may be NULL */
  void *user;
  const double *sizes, *runs; /* [size_count] measured sizes, ascending, and how often each was run */
  size_t size_count;
  double low, high; /* between which sizes are chosen */
  double repeats;   /* runs of a new size */
  bool whole;       /* sizes are whole numbers */
  bool no_repeats;  /* measured sizes are not run again */
} sc_plan_question;

enum sc_plan_outcome { SC_PLAN_FOUND, SC_PLAN_OVER_LIMIT, SC_PLAN_OVER_BUDGET, SC_PLAN_NOTHING };
typedef struct sc_plan_choice {
  enum sc_plan_outcome outcome; /* not found: what would have helped takes too long for one run, or for what is left */
  double n, runs, before;       /* runs to make at n, where `before` were made */
  double width;                 /* expected of the total, relative to it */
  double seconds;               /* of all its runs; OVER_BUDGET: of the quickest that would have helped */
  size_t mainly;                /* the view that narrows most */
} sc_plan_choice;

/* Seconds of a run at n, from the question's cost, expect and user alone. */
double sc_plan_seconds(const sc_plan_question *question, double n);
/* The size with the most expected narrowing (of the logarithm of the width) for its time; of sizes that are nearly as
 * good the largest, as range counts more than number. */
sc_plan_choice sc_plan_choose(const sc_plan_question *question);

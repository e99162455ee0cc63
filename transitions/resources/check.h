/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

#include "regress/core/model.h"

/*
 * A derived figure is predicted at the sizes measured, too. How far these predictions are from what was measured there
 * says how far those for other sizes may be off; and where one misses by more than both intervals, predictions are
 * corrected by the distance. docs/resources.md, "The check". Distances are of logarithms of odds for shares (0..1), of
 * logarithms for others.
 */
enum { SC_CHECK_SIZES = 64 }; /* of more sizes, as many are checked, spread over all */

typedef struct sc_check {
  bool share;
  bool elsewhere; /* made at other values of further parameters: nobody expects here what was measured there */
  bool strict;    /* missed where the repeats leave out the predicted value, whatever its interval */
  size_t count;
  double n[SC_CHECK_SIZES], off[SC_CHECK_SIZES], spread[SC_CHECK_SIZES];
  double predicted[SC_CHECK_SIZES], measured[SC_CHECK_SIZES];
  bool missed;    /* at some size: predictions are corrected */
  size_t worst;   /* where it was missed by most */
  double settled; /* distance at the larger sizes */
  double slope;   /* of the distance over ln n, where it is certain; else 0 */
  double doubt; /* standard error of a prediction for what the distances show, without what repeats of few events differ
                   by, which is no error of the prediction */
  double doubt_busy; /* and with it */
} sc_check;

/* Sizes ascending; at most SC_CHECK_SIZES of them. `measured`: median, least and most of the repeats. */
void sc_check_add(sc_check *check, double n, const sc_interval *predicted, const sc_interval *measured);
/* When all sizes are there. */
void sc_check_finish(sc_check *check);
/* By how much a prediction at n is to be corrected, in logarithms; 0 where nothing was missed. */
double sc_check_shift(const sc_check *check, double n);
/* Corrects a prediction at n, and widens its interval of the given level by what the distances show: all of it, or with
 * a weight below 1 a part. `busy`: repeats differ because the machine has other things to do. At a size checked the
 * interval holds what was measured. */
void sc_check_apply(const sc_check *check, double n, double level, double weight, bool busy, sc_interval *prediction);

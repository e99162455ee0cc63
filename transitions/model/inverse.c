/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/inverse.h"

#include <math.h>

#include "transitions/model/tuning.h"

enum { VALUE, EARLIEST, LATEST, ENDS, BISECTIONS = 60 };
static const double EXACT = 0x1p53; /* above it not every whole number is one of double */

typedef struct search {
  sc_inverse_fn predict;
  void *user;
  double limit;
} search;

static int inverse_reached(const search *s, double n, bool yes[ENDS])
{
  sc_interval p;
  SC_TRY(s->predict(s->user, n, &p));
  yes[VALUE] = p.value >= s->limit;
  yes[EARLIEST] = p.high >= s->limit;
  yes[LATEST] = p.low >= s->limit;
  return 0;
}

/* Sizes are whole numbers: the first one between `below`, where it is not reached, and *size. */
static int first_whole(const search *s, int end, double below, double farthest, double *size)
{
  double under = floor(below), above = ceil(*size);
  bool yes[ENDS];
  if (above > farthest || above >= EXACT)
    return 0;
  SC_TRY(inverse_reached(s, above, yes));
  if (!yes[end])
    return 0; /* it falls again before */
  while (above - under > 1) {
    double middle = floor(under + (above - under) / 2);
    yes[end] = false;
    if (middle > below)
      SC_TRY(inverse_reached(s, middle, yes));
    *(yes[end] ? &above : &under) = middle;
  }
  *size = above;
  return 0;
}

/* Halves what lies between a size at which it is not reached, and *size. */
static int bisect_inverse(const search *s, int end, double below, double farthest, double *size)
{
  if (below >= *size)
    return 0;
  for (int i = 0; i < BISECTIONS && SC_INVERSE_CLOSE * *size < *size - below; i++) {
    double middle = below + (*size - below) / 2;
    bool yes[ENDS];
    SC_TRY(inverse_reached(s, middle, yes));
    *(yes[end] ? size : &below) = middle;
  }
  return first_whole(s, end, below, farthest, size);
}

/* Predictions need not grow monotonically (pieces, bounds), so that the first step of a sweep that reaches the limit is
 * bisected, not the whole range: of several sizes the smallest counts. */
int sc_inverse_find(sc_inverse_fn predict, void *user, double limit, const sc_inverse_range *range, sc_interval *out)
{
  const search s = {predict, user, limit};
  double found[ENDS] = {INFINITY, INFINITY, INFINITY}, below = range->from;
  if (isnan(limit) || !(range->from > 0) || !(range->step > 1))
    return sc_err_set(SC_E_INPUT, "the limit or the size to start from is not a number");
  for (double n = range->from; n <= range->farthest;) {
    bool yes[ENDS];
    SC_TRY(inverse_reached(&s, n, yes));
    for (int end = 0; end < ENDS; end++)
      if (yes[end] && isinf(found[end])) {
        found[end] = n;
        SC_TRY(bisect_inverse(&s, end, below, range->farthest, &found[end]));
      }
    if ((isfinite(found[VALUE]) && isfinite(found[LATEST])) || n >= range->farthest)
      break;
    below = n;
    n = fmin(n * range->step, range->farthest);
  }
  *out = (sc_interval){found[VALUE], fmin(found[EARLIEST], found[VALUE]), fmax(found[LATEST], found[VALUE])};
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/inverse.h"

#include <math.h>

enum { VALUE, EARLIEST, LATEST, ENDS, BISECTIONS = 60 };
static const double CLOSE = 1e-9; /* relative */

typedef struct search {
  sc_inverse_fn predict;
  void *user;
  double limit;
} search;

static int reached(const search *s, double n, bool yes[ENDS])
{
  sc_interval p;
  SC_TRY(s->predict(s->user, n, &p));
  yes[VALUE] = p.value >= s->limit;
  yes[EARLIEST] = p.high >= s->limit;
  yes[LATEST] = p.low >= s->limit;
  return 0;
}

/* Halves what lies between a size at which it is not reached, and *size. */
static int bisect(const search *s, int end, double below, double *size)
{
  for (int i = 0; i<BISECTIONS && * size - below> CLOSE * *size; i++) {
    double middle = below + (*size - below) / 2;
    bool yes[ENDS];
    SC_TRY(reached(s, middle, yes));
    *(yes[end] ? size : &below) = middle;
  }
  return 0;
}

int sc_inverse_find(sc_inverse_fn predict, void *user, double limit, const sc_inverse_range *range, sc_interval *out)
{
  const search s = {predict, user, limit};
  double found[ENDS] = {INFINITY, INFINITY, INFINITY}, below = range->from;
  if (isnan(limit) || !(range->from > 0) || !(range->step > 1))
    return sc_err_set(SC_E_INPUT, "the limit or the size to start from is not a number");
  for (double n = range->from; n <= range->farthest;) {
    bool yes[ENDS];
    SC_TRY(reached(&s, n, yes));
    for (int end = 0; end < ENDS; end++)
      if (yes[end] && isinf(found[end])) {
        found[end] = n;
        SC_TRY(bisect(&s, end, below, &found[end]));
      }
    if ((isfinite(found[VALUE]) && isfinite(found[LATEST])) || n >= range->farthest)
      break;
    below = n;
    n = fmin(n * range->step, range->farthest);
  }
  *out = (sc_interval){found[VALUE], fmin(found[EARLIEST], found[VALUE]), fmax(found[LATEST], found[VALUE])};
  return 0;
}

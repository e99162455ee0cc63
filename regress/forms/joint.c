/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the pieces of a model meet. */
#include "regress/forms/joint.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

typedef struct half {
  const sc_term *terms;
  size_t count;
} half;

static double joint_apart(half left, half right, double n)
{
  return sc_term_sum(left.terms, left.count, n) - sc_term_sum(right.terms, right.count, n);
}

/* Where two pieces meet between the sizes a and b; whether they do. If they nearly do, the end that is nearer. */
static bool meet_joint(half left, half right, double a, double b, double scatter, double *at)
{
  double at_a = joint_apart(left, right, a), at_b = joint_apart(left, right, b);
  if ((at_a < 0) == (at_b < 0)) {
    double far_a = fabs(at_a / sc_term_sum(left.terms, left.count, a));
    double far_b = fabs(at_b / sc_term_sum(left.terms, left.count, b));
    *at = far_a < far_b ? a : b;
    return fmin(far_a, far_b) <= SC_JOINT_MEETS * scatter;
  }
  for (int i = 0; i < 60; i++) {
    double middle = (a + b) / 2;
    if ((joint_apart(left, right, middle) < 0) == (at_a < 0))
      a = middle;
    else
      b = middle;
  }
  *at = (a + b) / 2;
  return true;
}

/* Programs change their ways between two sizes that were run; where exactly, the pieces themselves say, if they
 * meet. */
size_t sc_joint_place(const sc_points *points, const size_t *split, double scatter, sc_candidate *made)
{
  size_t jumps = 0;
  for (size_t c = 0; c < made->piece_count; c++) {
    sc_piece *piece = &made->pieces[c], *next = piece + 1;
    bool last = c + 1 == made->piece_count;
    half left = {piece->terms, piece->term_count};
    half right = {last ? made->terms : next->terms, last ? made->count : next->term_count};
    piece->until_low = points->n[split[c] - 1];
    piece->until_high = points->n[split[c]];
    if (meet_joint(left, right, piece->until_low, piece->until_high, scatter, &piece->until))
      continue;
    piece->until = piece->until_high;
    jumps++;
  }
  return jumps;
}

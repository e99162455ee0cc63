/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that do one thing up to a size and another from there on: both formulas, and where they change. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/exact/exact.h"

enum { SIZES = 12, FORMS = 7 };
static const double sizes[SIZES] = {12, 19, 33, 57, 83, 129, 207, 301, 453, 699, 1033, 1777};

static double form(int which, double n)
{
  switch (which) {
  case 0:
    return 400;
  case 1:
    return 5 * n;
  case 2:
    return n + 300;
  case 3:
    return n * n;
  case 4:
    return n * (n - 1) / 2;
  case 5:
    return 3 * n * ceil(log2(n));
  default:
    return 2 * n * n + 7 * n + 11;
  }
}

/* Where the change from `before` to `after` is seen: where both say the same, between two sizes. */
static void check_change(int before, int after, size_t at, double until)
{
  double low = sizes[at - 1], high = sizes[at], from = form(before, low) - form(after, low);
  double to = form(before, high) - form(after, high), expected = 0;
  for (double n = low; n <= high && !(expected > 0); n++)
    if (form(before, n) == form(after, n))
      expected = n;
  if (from == 0 || to == 0 || expected > 0)
    assert_true(until == expected);
  else if ((from > 0) == (to > 0))
    assert_true(until == ceil(sqrt(low * high)));
  else
    assert_true(until > low && until <= high &&
                (form(before, until - 1e-3) > form(after, until - 1e-3)) == (from > 0) &&
                (form(before, until + 1e-3) > form(after, until + 1e-3)) == (to > 0));
}

TEST(every_form_may_follow_every_other)
{
  sc_exact *exact;
  assert_int_equal(sc_exact_new(&exact), 0);
  for (int which = 0; which < FORMS * FORMS; which++)
    for (size_t at = 5; at <= 8; at++) {
      int before = which / FORMS, after = which % FORMS;
      double y[SIZES];
      sc_points points = {0};
      sc_exact_result r;
      for (size_t i = 0; i < SIZES; i++)
        y[i] = form(i < at ? before : after, sizes[i]);
      assert_int_equal(sc_points_gather(&(sc_series){sizes, y, SIZES, true}, &points), 0);
      assert_int_equal(sc_exact_find(exact, &points, &r), 0);
      sc_points_free(&points);
      const sc_exact_model *m = &r.models[0];
      bool right = r.count > 0 && r.believed && r.first == 0 && m->piece_count == (before != after) &&
                   fabs(sc_term_sum(m->terms, m->term_count, 1e5) / form(after, 1e5) - 1) < 1e-12;
      if (right && before != after) {
        const sc_piece *p = &m->pieces[0];
        right = p->until_low == sizes[at - 1] && p->until_high == sizes[at] &&
                fabs(sc_term_sum(p->terms, p->term_count, 7) / form(before, 7) - 1) < 1e-12;
        if (right)
          check_change(before, after, at, p->until);
      }
      if (!right)
        fail_msg("%d before %d, at size %zu", before, after, at);
    }
  sc_exact_free(exact);
}

/* Up to half of the sizes; one alone is an exception, which is worth no change. */
TEST(the_first_sizes_may_follow_no_formula)
{
  static const double odd[] = {701, 1350, 611, 977, 1999, 1234, 4321, 2987};
  sc_exact *exact;
  assert_int_equal(sc_exact_new(&exact), 0);
  for (size_t first = 0; first <= 8; first++) {
    double y[SIZES];
    sc_points points = {0};
    sc_exact_result r;
    for (size_t i = 0; i < SIZES; i++)
      y[i] = i < first ? odd[i] : form(6, sizes[i]);
    assert_int_equal(sc_points_gather(&(sc_series){sizes, y, SIZES, true}, &points), 0);
    assert_int_equal(sc_exact_find(exact, &points, &r), 0);
    sc_points_free(&points);
    bool seen = first != 1 && 2 * first <= SIZES;
    assert_true((r.count > 0) == seen && (!seen || (r.believed && r.first == first)));
  }
  sc_exact_free(exact);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size at which something is reached: known beforehand. */
#include "unit.h"

#include <math.h>

#include "base/err.h"
#include "transitions/model/inverse.h"

typedef struct wanted {
  double least, value, most; /* sizes from which on the low end, the value and the high end are 1 */
  double falls;              /* and up to which; 0: for ever */
  size_t asked;
} wanted;

static int steps(void *user, double n, sc_interval *out)
{
  wanted *w = user;
  bool there = w->falls <= 0 || n < w->falls;
  w->asked++;
  *out = (sc_interval){there && n >= w->value, there && n >= w->most, there && n >= w->least};
  return 0;
}

static sc_interval find(wanted w, double from, double farthest, double step)
{
  sc_interval out;
  unit_ok(sc_inverse_find(steps, &w, 1, &(sc_inverse_range){from, farthest, step}, &out));
  assert_true(w.asked < 400);
  return out;
}

static void finds(sc_interval found, double value, double low, double high)
{
  assert_true(found.value == value && found.low == low && found.high == high);
}

TEST(the_first_whole_size_is_found)
{
  finds(find((wanted){100, 137, 1000}, 10, 1e6, 2), 137, 100, 1000);
  finds(find((wanted){100.5, 136.5, 999.01}, 10, 1e6, 2), 137, 101, 1000);
  finds(find((wanted){100, 100, 100}, 10, 1e6, 7), 100, 100, 100);
  finds(find((wanted){1, 2, 3}, 10, 1e6, 2), 10, 10, 10); /* there from the beginning */
  finds(find((wanted){100, 137, 1e7}, 10, 1e6, 2), 137, 100, INFINITY);
  finds(find((wanted){100, 1e7, 1e8}, 10, 1e6, 2), INFINITY, 100, INFINITY);
  finds(find((wanted){1e7, 1e7, 1e7}, 10, 1e6, 2), INFINITY, INFINITY, INFINITY);
  finds(find((wanted){1e6, 1e6, 1e6}, 10, 1e6, 3), 1e6, 1e6, 1e6); /* the farthest is looked at */
  finds(find((wanted){10.5, 11.5, 12.5}, 10.25, 1e6, 3), 12, 11, 13);
}

/* Sizes that are no whole numbers where whole ones are beyond what is looked at, or it falls again before them. */
TEST(a_size_need_not_be_whole)
{
  sc_interval found = find((wanted){100.5, 100.5, 100.5}, 10, 100.75, 2);
  unit_near_by(found.value, 100.5, 1e-8);
  found = find((wanted){100.25, 100.25, 100.25, .falls = 100.75}, 100, 200, 1.005);
  unit_near_by(found.value, 100.25, 1e-8);
  found = find((wanted){1e17, 1e17, 1e17}, 10, 1e18, 2);
  unit_near_by(found.value, 1e17, 1e-8);
}

TEST(what_is_no_range_is_refused)
{
  static const sc_inverse_range bad[] = {{0, 10, 2}, {-1, 10, 2}, {NAN, 10, 2}, {1, 10, 1}, {1, 10, 0.5}, {1, 10, NAN}};
  wanted w = {1, 1, 1};
  sc_interval out;
  for (size_t i = 0; i < COUNT(bad); i++)
    assert_int_equal(sc_inverse_find(steps, &w, 1, &bad[i], &out), SC_E_INPUT);
  assert_int_equal(sc_inverse_find(steps, &w, NAN, &(sc_inverse_range){1, 10, 2}, &out), SC_E_INPUT);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How two curves differ at the sizes that both sides know. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "transitions/compare/internal.h"

static void near_to(double value, double expected)
{
  if (!(fabs(value - expected) <= 1e-9 * fmax(1e-3, fabs(expected))))
    fail_msg("%.12g is not %.12g", value, expected);
}

static sc_compared grid_of(double *base, size_t base_count, double *head, size_t head_count)
{
  sc_compared c = {.base = {.sizes = base, .size_count = base_count},
                   .head = {.sizes = head, .size_count = head_count}};
  assert_int_equal(sc_grid_make(&c), 0);
  return c;
}

/* Both know the sizes from 20 to 80; what one of them did not measure lies between two sizes of its own. */
TEST(a_grid_has_all_sizes_that_both_span)
{
  double base[] = {10, 20, 40, 80}, head[] = {20, 30, 80, 160};
  sc_compared c = grid_of(base, 4, head, 4);
  assert_int_equal(c.grid.count, 4);
  static const struct {
    double n;
    size_t base[2], head[2];
  } expected[] = {{20, {1, 1}, {0, 0}}, {30, {1, 2}, {1, 1}}, {40, {2, 2}, {1, 2}}, {80, {3, 3}, {2, 2}}};
  for (size_t i = 0; i < 4; i++) {
    const sc_grid_point *p = &c.grid.points[i];
    assert_true(p->n == expected[i].n);
    assert_true(p->base[0] == expected[i].base[0] && p->base[1] == expected[i].base[1]);
    assert_true(p->head[0] == expected[i].head[0] && p->head[1] == expected[i].head[1]);
    near_to(p->base_weight, i == 1 ? log2(1.5) : 0);
    near_to(p->head_weight, i == 2 ? log(4.0 / 3) / log(8.0 / 3) : 0);
  }
  free(c.grid.points);
  double above[] = {100, 200};
  c = grid_of(base, 4, above, 2);
  assert_int_equal(c.grid.count, 0);
  sc_difference d = sc_grid_compare(&c.grid, base, above, NULL, NULL, false);
  assert_true(d.points == 0 && !d.equal && d.least == 0 && d.worst == 0 && d.slope == 0);
  free(c.grid.points);
}

static double sizes[] = {10, 20, 40, 80};

static sc_difference compare(const double *base, const double *head, const double *base_parent,
                             const double *head_parent, bool counts)
{
  sc_compared c = grid_of(sizes, 4, sizes, 4);
  sc_difference d = sc_grid_compare(&c.grid, base, head, base_parent, head_parent, counts);
  free(c.grid.points);
  return d;
}

TEST(differences_are_logarithms)
{
  const double base[] = {100, 200, 400, 800}, head[] = {50, 300, 800, 3200};
  sc_difference d = compare(base, head, NULL, NULL, false);
  assert_true(d.points == 4 && !d.equal && !d.between);
  near_to(d.worst, log(4));
  near_to(d.last, log(4));
  near_to(d.least, log(2));          /* of 40 and 80 */
  near_to(d.slope, log(8) / log(8)); /* from half to four times, over sizes of 8 times */
  d = compare(head, base, NULL, NULL, false);
  near_to(d.last, -log(4));
  near_to(d.least, log(2));
  near_to(d.slope, -1);
  const double later[] = {100, 200, 1600, 1600}, mixed[] = {900, 200, 1600, 400};
  near_to(compare(base, later, NULL, NULL, false).least, log(2)); /* the smaller comes later */
  d = compare(base, mixed, NULL, NULL, false);
  assert_true(d.least == 0); /* one more, one less */
  near_to(d.worst, log(9));  /* at the smallest */
  d = compare(base, base, NULL, NULL, false);
  assert_true(d.equal && d.worst == 0 && d.least == 0 && d.slope == 0);
}

/* One more of a handful is no factor: half of one is added to both. For executions of what is around it is half of one
 * by the larger number of those. */
TEST(one_more_of_a_handful_is_little)
{
  const double base[] = {0, 1, 2, 3}, head[] = {1, 2, 3, 4};
  near_to(compare(base, head, NULL, NULL, true).worst, log(3)); /* 1.5 by 0.5 */
  near_to(compare(base, head, NULL, NULL, true).last, log(4.5 / 3.5));
  near_to(compare(base, head, NULL, NULL, false).last, log(4.0 / 3));
  near_to(compare(base, head, NULL, NULL, false).worst, log(2)); /* of nothing there is no factor */
  const double one_parent[] = {10, 10, 10, 10}, other_parent[] = {10, 10, 10, 5};
  sc_difference d = compare(base, head, one_parent, other_parent, true);
  near_to(d.last, log((0.8 + 0.05) / (0.3 + 0.05)));
  d = compare(base, head, other_parent, one_parent, true);
  near_to(d.last, log((0.4 + 0.05) / (0.6 + 0.05)));
  d = compare(base, head, one_parent, other_parent, false);
  near_to(d.last, log(0.8 / 0.3));
  const double no_parent[] = {10, 10, 10, 0};
  d = compare(base, head, no_parent, one_parent, true); /* nothing around: nothing each */
  near_to(d.last, log((0.4 + 0.05) / 0.05));
}

/* Values that differ by a billionth are equal where both measured them. */
TEST(equal_is_to_a_billionth)
{
  const double base[] = {100, 200, 400, 800}, same[] = {100, 200, 400, 800 * (1 + 0.9e-9)};
  const double other[] = {100, 200, 400, 800 * (1 + 1.1e-9)};
  assert_true(compare(base, same, NULL, NULL, true).equal);
  assert_false(compare(base, other, NULL, NULL, true).equal);
}

/* Between two sizes a value lies on the power through them; where one of them is 0, on the line. */
TEST(values_between_sizes)
{
  double few[] = {10, 80}, all[] = {10, 40, 80};
  sc_compared c = grid_of(few, 2, all, 3);
  const double squares[] = {100, 6400}, same[] = {100, 1600, 6400}, zero[] = {0, 3000}, line[] = {0, 2000, 3000};
  sc_difference d = sc_grid_compare(&c.grid, squares, same, NULL, NULL, true);
  assert_true(d.between && !d.equal && d.points == 3 && d.worst < 1e-9);
  d = sc_grid_compare(&c.grid, zero, line, NULL, NULL, false); /* 40 is two of three doublings */
  assert_true(d.worst < 1e-9);
  d = sc_grid_compare(&c.grid, squares, same, (double[]){10, 80}, (double[]){10, 40, 80}, true); /* n each */
  assert_true(d.worst < 1e-9);
  free(c.grid.points);
  c = grid_of(all, 3, few, 2);
  d = sc_grid_compare(&c.grid, same, squares, NULL, NULL, true);
  assert_true(d.between && !d.equal && d.worst < 1e-9);
  d = sc_grid_compare(&c.grid, line, zero, NULL, NULL, false);
  assert_true(d.worst < 1e-9);
  free(c.grid.points);
}

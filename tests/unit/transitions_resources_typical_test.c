/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hold times without the tail that the machine adds: histograms made by hand, and what is left of their means. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "transitions/resources/typical.h"
#include "transitions_resources_made.h"

static const sc_resource lock = {SC_RESOURCE_MUTEX, "lock", "a.c", 1};
static made_resources *m;

static int begin(void **state)
{
  m = made_new(&lock, 1, 3, 2); /* 100, 200, 400, two runs of each */
  return 0;
}

static int end(void **state)
{
  made_free(m);
  return 0;
}

#define MADE_TEST(name) TEST_WITH(name, begin, end)

typedef struct some {
  int bucket;
  double holds;
} some;

/* Of a run, up to the first without holds; others have none. */
static void set(size_t run, const some *list)
{
  for (int i = 0; i < SC_RBUCKETS; i++)
    made_holds(m, 0, run, i, 0);
  for (; list->holds > 0; list++)
    made_holds(m, 0, run, list->bucket, list->holds);
}
#define SET(run, ...) set(run, (const some[]){__VA_ARGS__, {0, 0}})

static double share_of(size_t run, bool expected)
{
  double share;
  assert_int_equal(sc_rtypical_share(&m->r, &m->cells[0], run, &share), expected);
  return share;
}

MADE_TEST(the_least_of_each_size)
{
  double sizes[] = {1, 1, 2, 3, 3, 3}, values[] = {3, 2, 5, 9, 7, 8}, n[6], y[6];
  sc_resource_series s = {.sizes = sizes, .values = values, .count = 6};
  assert_int_equal(sc_rtypical_least(&s, n, y), 3);
  static const double least[] = {2, 5, 7};
  for (size_t i = 0; i < 3; i++)
    assert_true(n[i] == (double)i + 1 && y[i] == least[i]);
  s.count = 0;
  assert_int_equal(sc_rtypical_least(&s, n, y), 0);
}

/* Without the tail: 16 holds or more, at most a quarter of them in it, and none of a scheduler's slice without it. */
MADE_TEST(the_longest_typical_hold)
{
  double holds[SC_RBUCKETS] = {[10] = 15, [13] = 1};
  assert_true(sc_rtypical_longest(holds) == ldexp(1e-9, 13));
  holds[13] = 5;
  assert_true(sc_rtypical_longest(holds) == ldexp(1e-9, 13));
  holds[13] = 6;
  assert_true(isinf(sc_rtypical_longest(holds)));
  holds[13] = 0;
  assert_true(isinf(sc_rtypical_longest(holds)));
  memset(holds, 0, sizeof holds);
  holds[18] = 16; /* eight times 262 us are 2.1 ms */
  assert_true(sc_rtypical_longest(holds) == ldexp(1e-9, 21));
  holds[19] = 17;
  assert_true(isinf(sc_rtypical_longest(holds)));
}

/* Eight times as long as the median begins the tail: a bucket has holds of twice the length of the one before. */
MADE_TEST(holds_of_eight_times_the_median_are_the_tail)
{
  SET(0, {10, 15}, {13, 1});
  unit_near(share_of(0, true), 1 / ((15 + 8) / 16.0));
  SET(0, {10, 15}, {12, 1});
  unit_near(share_of(0, true), 1);
  SET(0, {10, 14}, {13, 1}); /* fifteen do not tell */
  unit_near(share_of(0, false), 1);
  SET(0, {10, 12}, {13, 4}); /* a quarter is a tail, more is not */
  unit_near(share_of(0, true), 1 / ((12 + 4 * 8) / 16.0));
  SET(0, {10, 12}, {13, 4.1});
  unit_near(share_of(0, false), 1);
  SET(0, {39, 16});
  unit_near(share_of(0, true), 1);
  SET(1, {0, 0}); /* nor does nothing */
  unit_near(share_of(1, false), 1);
}

/* The median's bucket is that in which half of the holds are reached. */
MADE_TEST(half_of_the_holds_are_below_the_median)
{
  SET(0, {5, 8}, {8, 8}); /* 5: the other half is eight times as long */
  unit_near(share_of(0, false), 1);
  SET(0, {5, 7}, {8, 9}, {11, 1}); /* 8 */
  unit_near(share_of(0, true), ((7 + 9 * 8) / 16.0) / ((7 + 9 * 8 + 64) / 17.0));
  SET(0, {0, 16}, {3, 1}); /* 0 */
  unit_near(share_of(0, true), 1 / ((16 + 8) / 17.0));
}

/* Without the longest twentieth, or the longest one. */
MADE_TEST(the_longest_twentieth_is_left_out)
{
  static const struct {
    some list[4];
    double kept, all;
  } cases[] = {{{{3, 38}, {9, 2}}, 1, (38 + 2 * 64) / 40.0},
               {{{3, 37}, {9, 3}}, (37 + 64) / 38.0, (37 + 3 * 64) / 40.0},
               {{{3, 28}, {9, 2}}, (28 + 0.5 * 64) / 28.5, (28 + 2 * 64) / 30.0},
               {{{3, 38}, {9, 1}, {12, 1}}, 1, (38 + 64 + 512) / 40.0},
               {{{3, 16}, {9, 1}}, 1, (16 + 64) / 17.0}, /* one, of fewer than twenty */
               {{{3, 15}, {9, 1}}, 1, (15 + 64) / 16.0},
               {{{3, 14}, {9, 1}}, 1, 1}, /* fifteen do not tell */
               {{{3, 100}}, 1, 1},
               {{{0, 38}, {39, 2}}, 1, (38 + 2 * ldexp(1, 39)) / 40.0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    set(2, cases[i].list);
    unit_near(sc_rtypical_bulk(&m->r, &m->cells[0], 2), cases[i].kept / cases[i].all);
  }
  SET(2, {3, 38}, {9, 2});
  m->cells[0].context = 1; /* a place has no histogram of its own */
  unit_near(sc_rtypical_bulk(&m->r, &m->cells[0], 2), 1);
}

/* What holds of two neighbouring buckets differ by, in a bucket's lower end: from its middle, and at least. */
static double steadiness_of(double first, double second)
{
  double middle = 1 / M_LN2, mean = (first * middle + second * 2 * middle) / (first + second), squares = 0;
  double least = mean < 1 ? 1 - mean : mean > 2 ? mean - 2 : 0;
  squares += first * (pow(least, 2) + pow(middle - mean, 2)) / 2;
  least = mean < 2 ? 2 - mean : mean > 4 ? mean - 4 : 0;
  squares += second * (pow(least, 2) + pow(2 * middle - mean, 2)) / 2;
  return 1 - squares / (first + second) / (mean * mean);
}

/* Of all runs of the larger half of the sizes. */
MADE_TEST(holds_of_one_length_are_steady)
{
  for (size_t run = 0; run < 2; run++)
    SET(run, {1, 1000}, {30, 1000});
  SET(2, {10, 8});
  SET(5, {10, 8});
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), 1);
  SET(3, {11, 16});
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), steadiness_of(16, 16));
  SET(4, {11, 68});
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), steadiness_of(16, 84));
  SET(4, {10, 84});
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), steadiness_of(100, 16));
}

MADE_TEST(few_holds_are_not_known_to_be_steady)
{
  SET(2, {10, 15});
  assert_true(sc_rtypical_steadiness(&m->r, &m->cells[0]) == 0);
  SET(3, {13, 3}); /* not those of the tail */
  assert_true(sc_rtypical_steadiness(&m->r, &m->cells[0]) == 0);
  SET(2, {10, 16});
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), 1);
  SET(3, {13, 5.33}); /* a quarter of all is one */
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), 1);
  SET(3, {13, 5.34});
  assert_true(sc_rtypical_steadiness(&m->r, &m->cells[0]) == 0);
  SET(2, {10, 50}, {11, 1}, {12, 49}); /* four times as long as the other half, which are no tail */
  SET(3, {0, 0});
  double steady = sc_rtypical_steadiness(&m->r, &m->cells[0]);
  assert_true(steady > 0.3 && steady < 0.8);
}

/* The means of a lock, with a tail in the last size's second run: all are at most what holds are without it. */
static void hold_times(const double *means, const double *expected)
{
  double n[6], y[6];
  sc_resource_series s = {.sizes = m->run_sizes, .values = (double *)means, .count = 6};
  assert_int_equal(sc_rtypical_holds(&m->r, &m->cells[0], &s, n, y), 3);
  for (size_t i = 0; i < 3; i++) {
    assert_true(n[i] == m->sizes[i]);
    unit_near(y[i], expected[i]);
  }
}

MADE_TEST(a_tail_that_comes_and_goes_is_the_machines)
{
  static const double means[] = {4e-6, 3e-6, 5e-3, 6e-3, 7e-3, 8e-3}, least[] = {3e-6, 5e-3, 7e-3};
  SET(0, {10, 20}); /* up to 2.048 us */
  SET(1, {11, 20});
  SET(2, {10, 10}, {11, 10}); /* 2.048 and 4.096 us */
  SET(3, {12, 20}, {20, 5});  /* 8.192 us */
  SET(4, {12, 20});
  SET(5, {12, 20}, {15, 1});
  static const double bound[] = {2.048e-6, 3.072e-6, 8.192e-6};
  hold_times(means, bound);
  hold_times((const double[]){1e-6, 3e-6, 5e-3, 2e-6, 7e-3, 8e-3}, (const double[]){1e-6, 2e-6, 8.192e-6});
  SET(4, {12, 15}); /* too few to be without one by more than chance */
  hold_times(means, least);
  SET(4, {12, 16});
  hold_times(means, bound);
  SET(4, {12, 20}, {15, 1}); /* it stays */
  hold_times(means, least);
  SET(4, {12, 20});
  SET(5, {12, 20}, {14, 1}); /* four times as long as most */
  hold_times(means, least);
  SET(5, {12, 20}, {15, 7}); /* more than a quarter: of a kind of its own, but for which the other run tells the same */
  hold_times(means, bound);
  SET(2, {10, 20}, {20, 7}); /* no bound; that of the other one */
  hold_times(means, (const double[]){2.048e-6, 8.192e-6, 8.192e-6});
  SET(3, {10, 20}, {20, 7});
  hold_times(means, (const double[]){2.048e-6, 5e-3, 8.192e-6});
  m->cells[0].context = 1;
  hold_times(means, least);
}

/* A single run of the largest size shows no coming and going. */
MADE_TEST(one_run_has_its_tail)
{
  static const double means[] = {4e-6, 3e-6, 5e-3, 6e-3, 7e-3};
  double n[6], y[6];
  m->r.run_count = m->starts[3] = 5;
  SET(4, {12, 20}, {15, 1});
  sc_resource_series s = {.sizes = m->run_sizes, .values = (double *)means, .count = 5};
  assert_int_equal(sc_rtypical_holds(&m->r, &m->cells[0], &s, n, y), 3);
  unit_near(y[2], 7e-3);
}

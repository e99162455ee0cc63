/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each metric by its definition, and what is typical of holds. */
#include "unit.h"

#include "transitions/resources/metrics.h"
#include "transitions/resources/typical.h"
#include "transitions_resources_made.h"

static const sc_resource kinds[] = {{SC_RESOURCE_RWLOCK, "table", "a.c", 1},
                                    {SC_RESOURCE_OTHER, "pool", "a.c", 2, .probe = true, .capacity = 8},
                                    {SC_RESOURCE_SEMAPHORE, "slots", "a.c", 3, .capacity = 3}};
enum { TABLE, POOL, SLOTS };

static void fill(made_resources *m, uint32_t resource, size_t run)
{
  static const struct {
    int sum;
    double value;
  } values[] = {{SC_USAGE_ACQUIRES, 100},     {SC_USAGE_FAILURES, 25},        {SC_USAGE_WAITS, 40},
                {SC_USAGE_RELEASES, 90},      {SC_USAGE_READS, 70},           {SC_USAGE_WRITES, 30},
                {SC_USAGE_UNITS, 200},        {SC_USAGE_RETURNED_UNITS, 150}, {SC_USAGE_PEAK, 12},
                {SC_USAGE_HOLDS, 80},         {SC_USAGE_HOLD_SECONDS, 8},     {SC_USAGE_WAIT_SECONDS, 2},
                {SC_RSUM_SHARED_HOLDS, 30},   {SC_RSUM_SHARED_SECONDS, 3},    {SC_RSUM_RESIZE_UNITS, 60},
                {SC_RSUM_RESIZE_RELEASED, 40}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    made_sum(m, resource, run, values[i].sum, values[i].value);
  *made_occupancy(m, resource, run) = (sc_occupancy){resource, 2, 20, 22, 10, 9};
}

static void has(const made_resources *m, uint32_t resource, int metric, double expected)
{
  double value = -1;
  if (!sc_rmetric_value(&m->r, &m->cells[resource], 0, metric, &value))
    fail_msg("metric %d is not known", metric);
  unit_near(value, expected);
}

static void lacks(const made_resources *m, uint32_t resource, int metric)
{
  double value;
  if (sc_rmetric_value(&m->r, &m->cells[resource], 0, metric, &value))
    fail_msg("metric %d is %g", metric, value);
}

TEST(metrics_are_what_they_are_called)
{
  made_resources *m = made_new(kinds, 3, 1, 1);
  for (uint32_t i = 0; i < 3; i++)
    fill(m, i, 0);
  static const struct {
    int metric;
    double value;
  } table[] = {{SC_RMETRIC_ACQUIRES, 100},
               {SC_RMETRIC_FAILURES, 25},
               {SC_RMETRIC_WAITS, 40},
               {SC_RMETRIC_RELEASES, 90},
               {SC_RMETRIC_USES, 100},
               {SC_RMETRIC_UNITS, 200},
               {SC_RMETRIC_OUTSTANDING, 50},
               {SC_RMETRIC_PEAK, 9},        /* of all places together, at a time */
               {SC_RMETRIC_HOLD, 5.0 / 50}, /* those that exclude others */
               {SC_RMETRIC_HOLD_TOTAL, 8},
               {SC_RMETRIC_WAIT, 2.0 / 100},
               {SC_RMETRIC_WAIT_TOTAL, 2},
               {SC_RMETRIC_THINK, (22 - 2 - 5) / (50 * (1 - 20.0 / 100))}, /* the first of each thread has none */
               {SC_RMETRIC_THREADS, 20},
               {SC_RMETRIC_INSTANCES, 2},
               {SC_RMETRIC_UTILISATION, 5.0 / (10 * 2)},
               {SC_RMETRIC_FAILURE_RATIO, 25.0 / 125},
               {SC_RMETRIC_LEVEL, 8.0 * 2 / 10},
               {SC_RMETRIC_MOVED, 60.0 / 20},
               {SC_RMETRIC_WAIT_ODDS, 2.0 / 20},
               {SC_RMETRIC_BLOCKED, 0.4},
               {SC_RMETRIC_FAILURE_ODDS, 0.25},
               {SC_RMETRIC_ASK, 20.0 / 100}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    has(m, TABLE, table[i].metric, table[i].value);
  lacks(m, TABLE, SC_RMETRIC_USE_RATIO);
  m->cells[TABLE].used = true;
  has(m, TABLE, SC_RMETRIC_USE_RATIO, 1);
  lacks(m, TABLE, SC_RMETRIC_PACE);  /* nothing is known of processors */
  m->cells[TABLE].exclusive = false; /* then all holds are those */
  has(m, TABLE, SC_RMETRIC_HOLD, 8.0 / 80);
  lacks(m, TABLE, SC_RMETRIC_UTILISATION);
  has(m, POOL, SC_RMETRIC_UTILISATION, 5.0 * 2 / (10 * 8));      /* two units each, eight places in all */
  has(m, SLOTS, SC_RMETRIC_UTILISATION, 5.0 * 2 / (10 * 3 * 2)); /* three of each instance */
  made_occupancy(m, SLOTS, 0)->peak = 0;
  has(m, SLOTS, SC_RMETRIC_PEAK, 6); /* no more than there are */
  has(m, POOL, SC_RMETRIC_PEAK, 9);
  made_occupancy(m, POOL, 0)->peak = 0;
  has(m, POOL, SC_RMETRIC_PEAK, 12);
  made_free(m);
}

TEST(metrics_that_are_not_known)
{
  made_resources *m = made_new(kinds, 3, 1, 1);
  static const int ratios[] = {
      SC_RMETRIC_HOLD,         SC_RMETRIC_WAIT,    SC_RMETRIC_THINK,         SC_RMETRIC_UTILISATION, SC_RMETRIC_LEVEL,
      SC_RMETRIC_WAIT_ODDS,    SC_RMETRIC_ASK,     SC_RMETRIC_FAILURE_RATIO, SC_RMETRIC_MOVED,       SC_RMETRIC_BLOCKED,
      SC_RMETRIC_FAILURE_ODDS, SC_RMETRIC_THREADS, SC_RMETRIC_INSTANCES,     SC_RMETRIC_USE_RATIO};
  m->cells[TABLE].used = true;
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
    lacks(m, TABLE, ratios[i]);
  fill(m, TABLE, 0);
  m->cells[TABLE].context = 1; /* a site has no threads of its own, nor what they think */
  lacks(m, TABLE, SC_RMETRIC_THREADS);
  lacks(m, TABLE, SC_RMETRIC_THINK);
  lacks(m, TABLE, SC_RMETRIC_ASK);
  has(m, TABLE, SC_RMETRIC_PEAK, 12);
  m->cells[TABLE].context = SC_USAGE_NONE;
  made_occupancy(m, TABLE, 0)->threads = 100; /* as many as acquires: nobody came twice */
  lacks(m, TABLE, SC_RMETRIC_THINK);
  made_occupancy(m, TABLE, 0)->threads = 99;
  has(m, TABLE, SC_RMETRIC_THINK, 15 / (50 * 0.01));
  made_occupancy(m, TABLE, 0)->active_seconds = 1; /* less than was waited: none */
  has(m, TABLE, SC_RMETRIC_THINK, 0);
  made_sum(m, TABLE, 0, SC_USAGE_HOLDS, 33); /* three that exclude others: too few to tell how busy it is */
  lacks(m, TABLE, SC_RMETRIC_UTILISATION);
  made_sum(m, TABLE, 0, SC_USAGE_HOLDS, 34);
  has(m, TABLE, SC_RMETRIC_UTILISATION, 5.0 / 20);
  made_sum(m, TABLE, 0, SC_USAGE_ACQUIRES, 0); /* of waits alone */
  has(m, TABLE, SC_RMETRIC_WAIT, 2.0 / 40);
  made_sum(m, TABLE, 0, SC_USAGE_ACQUIRES, 30);
  has(m, TABLE, SC_RMETRIC_BLOCKED, 1);
  made_sum(m, TABLE, 0, SC_USAGE_RETURNED_UNITS, 300);
  has(m, TABLE, SC_RMETRIC_OUTSTANDING, 0);
  assert_string_equal(sc_resource_metric_name(SC_RMETRIC_COUNT), "");
  assert_string_equal(sc_resource_metric_unit(SC_RMETRIC_COUNT), "");
  assert_string_equal(sc_resource_metric_name(SC_RMETRIC_FAILURE_RATIO), "share of failures");
  assert_string_equal(sc_resource_metric_unit(SC_RMETRIC_HOLD), "s");
  made_free(m);
}

/* Units that others give back: threads go on at once, and the last acquire of each is the end of what is seen. */
TEST(lent_units_are_asked_for_in_between)
{
  made_resources *m = made_new(kinds, 3, 1, 1);
  fill(m, SLOTS, 0);
  m->cells[SLOTS].lent = true;
  has(m, SLOTS, SC_RMETRIC_ASK, 20.0 / 80);
  has(m, SLOTS, SC_RMETRIC_THINK, 20.0 / 80);
  made_occupancy(m, SLOTS, 0)->threads = 100;
  has(m, SLOTS, SC_RMETRIC_ASK, 20.0 / 100);
  made_free(m);
}

TEST(time_without_processors_is_taken_out)
{
  made_resources *m = made_new(kinds, 1, 1, 1);
  double ready[] = {1}, hold_ready[] = {0.04}, think_ready[] = {0.1};
  sc_rprocessors own = {.ready = ready, .hold_ready = hold_ready, .think_ready = think_ready};
  fill(m, TABLE, 0);
  m->cells[TABLE].processors = &own;
  has(m, TABLE, SC_RMETRIC_GRIP, 0.1 - 0.04);
  has(m, TABLE, SC_RMETRIC_PACE, 15 / 40.0 - 0.1);
  hold_ready[0] = 3;
  has(m, TABLE, SC_RMETRIC_GRIP, 0);
  ready[0] = NAN;
  lacks(m, TABLE, SC_RMETRIC_GRIP);
  ready[0] = 1;
  own.why = "there was no other";
  lacks(m, TABLE, SC_RMETRIC_PACE);
  made_free(m);
}

/* Sizes have the median of their repeats; what rises does so from the lower half of the sizes to the upper one. */
TEST(sizes_have_medians)
{
  static const double waits[] = {9, 1, 2, /**/ 4, 4, 6, /**/ 100, 100, 100, /**/ 20, 24, 10, /**/ 40, 36, 44};
  double value;
  for (size_t sizes = 1; sizes <= 5; sizes++) {
    made_resources *m = made_new(kinds, 1, sizes < 3 ? sizes : 2, 3);
    size_t last = m->r.size_count - 1;
    for (size_t run = 0; run < m->r.run_count; run++)
      made_sum(m, 0, run, SC_USAGE_WAITS, waits[run]);
    assert_true(sc_rmetric_at(&m->r, &m->cells[0], last, SC_RMETRIC_WAITS, &value) && value == (last ? 4 : 2));
    assert_true(sc_rmetric_last(&m->r, &m->cells[0], SC_RMETRIC_WAITS) == (last ? 4 : 2));
    assert_true(sc_rmetric_rise(&m->r, &m->cells[0], SC_RMETRIC_WAITS) == (last ? 2 : 1));
    assert_false(sc_rmetric_at(&m->r, &m->cells[0], last, SC_RMETRIC_HOLD, &value));
    assert_true(sc_rmetric_last(&m->r, &m->cells[0], SC_RMETRIC_HOLD) == 0);
    assert_true(sc_rmetric_rise(&m->r, &m->cells[0], SC_RMETRIC_HOLD) == 1);
    for (size_t run = 0; run < 3; run++)
      made_sum(m, 0, run, SC_USAGE_WAITS, 0);
    if (last)
      assert_true(isinf(sc_rmetric_rise(&m->r, &m->cells[0], SC_RMETRIC_WAITS)));
    for (size_t run = 3; run < m->r.run_count; run++)
      made_sum(m, 0, run, SC_USAGE_WAITS, 0.25); /* a mean of several runs, say */
    if (last)
      assert_true(isinf(sc_rmetric_rise(&m->r, &m->cells[0], SC_RMETRIC_WAITS)));
    for (size_t run = 3; run < m->r.run_count; run++)
      made_sum(m, 0, run, SC_USAGE_WAITS, 0);
    assert_true(sc_rmetric_rise(&m->r, &m->cells[0], SC_RMETRIC_WAITS) == 1);
    made_free(m);
  }
  made_resources *m = made_new(kinds, 1, 5, 1); /* the middle size is in neither half: 1 and 2 to 20 and 40 */
  static const double five[] = {1, 2, 100, 20, 40};
  for (size_t run = 0; run < 5; run++)
    made_sum(m, 0, run, SC_USAGE_WAITS, five[run]);
  unit_near(sc_rmetric_rise(&m->r, &m->cells[0], SC_RMETRIC_WAITS), 30 / 1.5);
  made_free(m);
}

/* Of the runs that have a value: the first of each size has no acquire, and so no wait of one. */
TEST(sizes_have_a_least_and_a_most)
{
  static const double waited[] = {9, 6, 2, 4, /**/ 7, 5, 5, 5};
  made_resources *m = made_new(kinds, 1, 2, 4);
  for (size_t run = 0; run < m->r.run_count; run++) {
    made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, waited[run]);
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, run % 4 ? 2 : 0);
  }
  double least = -1, most = -1;
  assert_true(sc_rmetric_range(&m->r, &m->cells[0], 0, SC_RMETRIC_WAIT, &least, &most) && least == 1 && most == 3);
  assert_true(sc_rmetric_range(&m->r, &m->cells[0], 1, SC_RMETRIC_WAIT, &least, &most) && least == 2.5 && most == 2.5);
  assert_false(sc_rmetric_range(&m->r, &m->cells[0], 1, SC_RMETRIC_HOLD, &least, &most));
  assert_true(least == 2.5 && most == 2.5);
  made_free(m);
}

/* ---- holds: 2^10 ns are a microsecond; eight times as long is the tail, up to a quarter of them ---- */

static double middle_of(int bucket) { return ldexp(1e-9, bucket) / log(2); }

TEST(the_typical_share_is_without_the_tail)
{
  made_resources *m = made_new(kinds, 1, 1, 1);
  double share;
  made_holds(m, 0, 0, 10, 60);
  made_holds(m, 0, 0, 12, 20); /* four times as long: not yet */
  made_holds(m, 0, 0, 13, 10);
  made_holds(m, 0, 0, 20, 10);
  double kept = 60 * middle_of(10) + 20 * middle_of(12), all = kept + 10 * middle_of(13) + 10 * middle_of(20);
  assert_true(sc_rtypical_share(&m->r, &m->cells[0], 0, &share));
  unit_near(share, kept / 80 / (all / 100));
  made_holds(m, 0, 0, 20, 16.67); /* 26.67 of 106.67 are a quarter and more */
  assert_false(sc_rtypical_share(&m->r, &m->cells[0], 0, &share));
  assert_true(share == 1);
  made_holds(m, 0, 0, 20, 16.66);
  assert_true(sc_rtypical_share(&m->r, &m->cells[0], 0, &share));
  for (int i = 0; i < SC_RBUCKETS; i++)
    made_holds(m, 0, 0, i, i == 10 ? 15 : 0);
  assert_false(sc_rtypical_share(&m->r, &m->cells[0], 0, &share)); /* fewer than 16 show none */
  made_holds(m, 0, 0, 10, 16);
  assert_true(sc_rtypical_share(&m->r, &m->cells[0], 0, &share) && share == 1);
  made_free(m);
}

/* The longest twentieth of 100 holds of a microsecond is five of them. */
TEST(the_bulk_is_without_the_longest_twentieth)
{
  made_resources *m = made_new(kinds, 1, 1, 1);
  made_holds(m, 0, 0, 10, 96);
  made_holds(m, 0, 0, 20, 4);
  double all = (96 * 1024.0 + 4 * 1048576.0) / 100;
  unit_near(sc_rtypical_bulk(&m->r, &m->cells[0], 0), 1024 / all);
  made_holds(m, 0, 0, 20, 104); /* 10 of 200 go, 94 stay */
  all = (96 * 1024.0 + 104 * 1048576.0) / 200;
  unit_near(sc_rtypical_bulk(&m->r, &m->cells[0], 0), (96 * 1024.0 + 94 * 1048576.0) / 190 / all);
  made_holds(m, 0, 0, 10, 15); /* of 16 one at least */
  made_holds(m, 0, 0, 20, 1);
  unit_near(sc_rtypical_bulk(&m->r, &m->cells[0], 0), 1024 / ((15 * 1024.0 + 1048576) / 16));
  made_holds(m, 0, 0, 10, 14);
  assert_true(sc_rtypical_bulk(&m->r, &m->cells[0], 0) == 1);
  m->cells[0].context = 1;
  made_holds(m, 0, 0, 10, 96);
  assert_true(sc_rtypical_bulk(&m->r, &m->cells[0], 0) == 1);
  made_free(m);
}

/* Holds in one bucket differ by less than twice; two buckets apart they vary. Of the larger half of the sizes. */
TEST(steadiness_is_what_variation_leaves)
{
  made_resources *m = made_new(kinds, 1, 3, 1);
  made_holds(m, 0, 0, 30, 1000); /* of the smallest size, which doesn't count */
  made_holds(m, 0, 1, 10, 12);
  made_holds(m, 0, 2, 12, 4);
  double low = ldexp(1e-9, 10), mean = (12 * middle_of(10) + 4 * middle_of(12)) / 16, squares = 0;
  double least = fmax(0, mean - 2 * low), likely = middle_of(10) - mean;
  squares += 12 * (least * least + likely * likely) / 2;
  least = 4 * low - mean, likely = middle_of(12) - mean;
  squares += 4 * (least * least + likely * likely) / 2;
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), 1 - squares / 16 / (mean * mean));
  made_holds(m, 0, 2, 12, 0);
  assert_true(sc_rtypical_steadiness(&m->r, &m->cells[0]) == 0); /* twelve say nothing */
  made_holds(m, 0, 1, 10, 16);
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), 1);
  made_holds(m, 0, 2, 20, 5); /* a tail that is left out */
  unit_near(sc_rtypical_steadiness(&m->r, &m->cells[0]), 1);
  made_holds(m, 0, 2, 20, 6); /* and one that is more than a quarter */
  assert_true(sc_rtypical_steadiness(&m->r, &m->cells[0]) == 0);
  made_free(m);
}

/* Where a repeat of the largest size has no tail, that of the others is the machine's: no hold counts for more than
 * all of those before it in the ends of their buckets. */
TEST(tails_that_come_and_go_are_left_out)
{
  made_resources *m = made_new(kinds, 1, 2, 2);
  static const double runs[] = {100, 100, 200, 200}, values[] = {5e-6, 3e-6, 9e-6, 8e-6};
  sc_resource_series s = {.sizes = runs, .values = values, .count = 4};
  double n[4], y[4];
  for (size_t run = 0; run < 4; run++)
    made_holds(m, 0, run, 10, 20);
  made_holds(m, 0, 0, 20, 4);
  made_holds(m, 0, 3, 13, 4);
  made_holds(m, 0, 3, 12, 4);
  assert_int_equal(sc_rtypical_holds(&m->r, &m->cells[0], &s, n, y), 2);
  assert_true(n[0] == 100 && n[1] == 200);
  unit_near(y[0], ldexp(1e-9, 11));
  unit_near(y[1], ldexp(1e-9, 11));
  made_holds(m, 0, 2, 12, 20); /* the repeat without a tail is longer, the other one has fewer such */
  assert_int_equal(sc_rtypical_holds(&m->r, &m->cells[0], &s, n, y), 2);
  unit_near(y[1], (20 * ldexp(1e-9, 11) + 4 * ldexp(1e-9, 13)) / 24);
  made_holds(m, 0, 2, 12, 0);
  made_holds(m, 0, 2, 13, 4); /* both have one */
  assert_int_equal(sc_rtypical_holds(&m->r, &m->cells[0], &s, n, y), 2);
  assert_true(y[0] == 3e-6 && y[1] == 8e-6);
  made_free(m);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Few locks of a name that have most of the work, and read-write locks that readers keep. */
#include "unit.h"

#include "transitions/resources/hot.h"
#include "transitions/resources/queue.h"
#include "transitions/resources/readers.h"
#include "transitions_resources_made.h"

static const sc_resource kinds[] = {{SC_RESOURCE_MUTEX, "stripe", "a.c", 1},
                                    {SC_RESOURCE_HEAP, "heap", "", 0},
                                    {SC_RESOURCE_RWLOCK, "table", "a.c", 2}};

/* A run in which 16 stripes were held for 10 s, one of them for 4 and two hot ones for 7 together. */
static void stripes(made_resources *m, uint32_t resource, size_t run, double hot)
{
  made_sum(m, resource, run, SC_USAGE_HOLD_SECONDS, 12);
  made_sum(m, resource, run, SC_RSUM_SHARED_SECONDS, 2);
  *made_occupancy(m, resource, run) =
      (sc_occupancy){resource, 16, 1, 1, 1, 0, .busiest_seconds = 4, .hot = hot, .hot_seconds = hot > 0 ? 7 : 0};
}

TEST(a_stripe_is_hot_at_the_largest_size)
{
  made_resources *m = made_new(kinds, 2, 2, 2);
  sc_resource_hot hot;
  assert_false(sc_resources_hot(&m->r, 0, &hot)); /* nothing was held */
  stripes(m, 0, 0, 9);
  stripes(m, 0, 2, 2);
  stripes(m, 0, 3, 0);
  assert_false(sc_resources_hot(&m->r, 0, &hot)); /* in one of two runs: not in most */
  stripes(m, 0, 3, 3);
  made_occupancy(m, 0, 3)->instances = 17;
  assert_true(sc_resources_hot(&m->r, 0, &hot));
  assert_true(hot.instances == 17 && hot.hot == 3); /* 2.5 on average */
  unit_near(hot.share, 14.0 / 20);
  unit_near(hot.busiest, 8.0 / 20);
  sc_buf text = {0};
  sc_resource_hot_text(&hot, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, "3 of 17 instances have 70% of the hold time of all");
  sc_buf_free(&text);
  hot.hot = 1;
  sc_resource_hot_text(&hot, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_string_equal(text.text, "1 of 17 instances has 70% of the hold time of all");
  sc_buf_free(&text);
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 2, 16), 2.5); /* as busy as the busiest: 4 of 10 s */
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 2, 2), 2);
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 1, 16), 16); /* nothing is known of it */
  unit_near(sc_rhot_stations_large(&m->r, &m->cells[0], 16), 2.5);
  made_occupancy(m, 0, 3)->busiest_seconds = 20; /* more than was seen in holds that ended */
  unit_near(sc_rhot_stations(&m->r, &m->cells[0], 3, 16), 1);
  unit_near(sc_rhot_stations_large(&m->r, &m->cells[0], 16), 30.0 / 24);
  stripes(m, 1, 2, 2);
  stripes(m, 1, 3, 2);
  assert_false(sc_resources_hot(&m->r, 1, &hot)); /* no lock */
  assert_false(sc_resources_hot(&m->r, 2, &hot)); /* none at all */
  assert_true(sc_rhot_stations(&m->r, &m->cells[1], 2, 16) == 16);
  assert_true(sc_rhot_stations_large(&m->r, &m->cells[1], 16) == 16);
  made_free(m);
}

/* At the largest size: 300 shared holds of 2 ms, and 100 exclusive ones; threads are active for 10 s, and wait for 4.
 */
static made_resources *table(void)
{
  made_resources *m = made_new(kinds, 3, 2, 1);
  for (size_t run = 0; run < 2; run++) {
    made_sum(m, 2, run, SC_RSUM_SHARED_HOLDS, run ? 300 : 9999);
    made_sum(m, 2, run, SC_RSUM_SHARED_SECONDS, run ? 0.6 : 1);
    made_sum(m, 2, run, SC_RSUM_SHARED_ACQUIRES, run ? 300 : 1);
    made_sum(m, 2, run, SC_USAGE_ACQUIRES, run ? 400 : 9999);
    made_sum(m, 2, run, SC_USAGE_WAIT_SECONDS, 4);
    made_occupancy(m, 2, run)->active_seconds = 10;
  }
  return m;
}

TEST(readers_can_wait_while_a_writer_holds)
{
  made_resources *m = table();
  unit_near(sc_readers_can_wait(&m->r, &m->cells[2], 0.5), (1 + 3 * 0.5) / 4);
  unit_near(sc_readers_can_wait(&m->r, &m->cells[2], 2), 1);
  unit_near(sc_readers_can_wait(&m->r, &m->cells[0], 0.5), 1); /* nobody reads */
  made_free(m);
}

/* A writer waits until readers have gone, so its hold is longer; what the queue then says is a fixed point of it. */
TEST(writers_wait_for_readers_to_go)
{
  made_resources *m = table();
  sc_queue q = {.hold = 0.01, .think = 0.1, .customers = 4, .stations = 1, .servers = 1};
  sc_queue_result result = sc_readers_solve(&m->r, &m->cells[2], &q);
  double delay = 0, share = 0;
  sc_queue_result plain = {0};
  for (int i = 0; i < 400; i++) { /* readers come three times as often as writers, and stay for 2 ms */
    sc_queue slow = q;
    slow.hold += delay;
    plain = sc_queue_solve(&slow);
    double rate = 3 * plain.throughput, there = rate * 0.002;
    delay += ((1 - (1 - plain.utilisation) * exp(-there)) * (exp(there) - 1) / rate - delay) / 2;
  }
  share = plain.share + plain.throughput * sc_queue_blocked(0.01, 6.0 / 300) * 3 / 4;
  double used = plain.utilisation * 0.01 / (0.01 + delay);
  assert_true(fabs(result.share / share - 1) < 1e-3);
  assert_true(fabs(result.utilisation / used - 1) < 1e-3);
  assert_true(fabs(result.throughput / plain.throughput - 1) < 1e-3);
  assert_true(fabs(result.blocked / ((plain.blocked + 3 * used * 3 / 4) / 4) - 1) < 1e-3);
  q.detached = true; /* whoever gives back is not there to read */
  assert_true(sc_readers_solve(&m->r, &m->cells[2], &q).share == sc_queue_solve(&q).share);
  q.detached = false;
  assert_true(sc_readers_solve(&m->r, &m->cells[0], &q).share == sc_queue_solve(&q).share);
  q.customers = 1; /* it is the only one: no reader is there meanwhile */
  assert_true(sc_readers_solve(&m->r, &m->cells[2], &q).blocked <= 0.25 * sc_queue_solve(&q).blocked + 1e-12);
  made_free(m);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for a lock that readers share, computed by hand. */
#include "unit.h"

#include "transitions/resources/readers.h"
#include "transitions_resources_made.h"

static const sc_resource lock[] = {{SC_RESOURCE_RWLOCK, "lock", "a.c", 1}};

/* Two sizes, and two runs of the larger one: `all` acquires, `shared` of them by readers, with holds of `seconds`. The
 * smaller size has other numbers. */
static made_resources *shared_lock(double all, double shared, double holds, double seconds)
{
  made_resources *m = made_new(lock, 1, 2, 2);
  for (size_t run = 0; run < 4; run++) {
    double times = run < 2 ? 7 : run == 2 ? 0.4 : 0.6;
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, run < 2 ? 1000 : times * all);
    made_sum(m, 0, run, SC_RSUM_SHARED_ACQUIRES, times * shared);
    made_sum(m, 0, run, SC_RSUM_SHARED_HOLDS, times * holds);
    made_sum(m, 0, run, SC_RSUM_SHARED_SECONDS, times * holds * seconds);
  }
  return m;
}

static double can_wait(double all, double shared, double holds, double utilisation)
{
  made_resources *m = shared_lock(all, shared, holds, 1e-3);
  double share = sc_readers_can_wait(&m->r, &m->cells[0], utilisation);
  made_free(m);
  return share;
}

/* One of five writes, and all writers can wait: with half of the time in use half of the other four. */
TEST(writers_can_wait_and_readers_that_meet_one)
{
  unit_near(can_wait(100, 80, 80, 0.5), (1 + 4 * 0.5) / 5);
  unit_near(can_wait(100, 80, 80, 0), 1.0 / 5);
  unit_near(can_wait(100, 80, 80, 1.7), 1);
  unit_near(can_wait(400, 300, 300, 0.5), (1 + 3 * 0.5) / 4);
  unit_near(can_wait(400, 300, 300, 2), 1);
  unit_near(can_wait(0, 0, 0, 0.5), 1);   /* nobody came */
  unit_near(can_wait(100, 0, 0, 0.5), 1); /* nobody shares it */
  unit_near(can_wait(100, 80, 0, 0.5), 1);
  unit_near(can_wait(100, 100, 100, 0.5), 1); /* nobody does anything else */
}

static sc_queue_result solve(made_resources *m, const sc_queue *q) { return sc_readers_solve(&m->r, &m->cells[0], q); }

/* A single writer waits for readers alone: as long as the delay that it finds makes what it finds. Throughput T is 1
 * over all times, and with a readers in between for each of its holds, each for s, the delay is
 * (1 - (1 - busy) e^(-aTs)) (e^(aTs) - 1) / (aT). */
TEST(a_writer_waits_until_no_reader_is_left)
{
  static const struct {
    double each, seconds;
  } cases[] = {{4, 1e-3}, {4, 1e-2}, {0.25, 1e-3}};
  const sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 1, .stations = 1, .servers = 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double each = cases[i].each, delay = 0;
    for (int step = 0; step < 400; step++) {
      double rate = each / (q.hold + delay + q.think), busy = (q.hold + delay) / (q.hold + delay + q.think);
      double together = rate * cases[i].seconds;
      delay = 0.9 * delay + 0.1 * (1 - (1 - busy) * exp(-together)) * expm1(together) / rate;
    }
    made_resources *m = shared_lock(1 + each, each, 1, cases[i].seconds);
    sc_queue_result result = solve(m, &q);
    double cycle = q.hold + delay + q.think;
    if (!(fabs(result.throughput * cycle - 1) < 1e-6) || !(fabs(result.utilisation * cycle / q.hold - 1) < 1e-6))
      fail_msg("case %zu: %g a second instead of %g", i, result.throughput, 1 / cycle);
    assert_true(result.blocked == 0 && result.share == 0);
    made_free(m);
  }
}

/* Of 400 acquires 300 are shared, for 2 ms; threads are active for 10 s, and wait for 4. A writer waits until readers
 * have gone, so its hold is longer; what the queue then says is a fixed point of it. */
TEST(writers_wait_for_readers_to_go)
{
  made_resources *m = shared_lock(400, 300, 300, 2e-3);
  made_occupancy(m, 0, 2)->active_seconds = 0.4 * 10; /* the run has 0.4 of all */
  made_sum(m, 0, 2, SC_USAGE_WAIT_SECONDS, 0.4 * 4);
  sc_queue q = {.hold = 0.01, .think = 0.1, .customers = 4, .stations = 1, .servers = 1};
  sc_queue_result result = solve(m, &q);
  double delay = 0;
  sc_queue_result plain = {0};
  for (int i = 0; i < 400; i++) { /* readers come three times as often as writers, and stay for 2 ms */
    sc_queue slow = q;
    slow.hold += delay;
    plain = sc_queue_solve(&slow);
    double rate = 3 * plain.throughput, there = rate * 0.002;
    delay += ((1 - (1 - plain.utilisation) * exp(-there)) * (exp(there) - 1) / rate - delay) / 2;
  }
  double share = plain.share + plain.throughput * sc_queue_blocked(0.01, 6.0 / 300) * 3 / 4;
  double used = plain.utilisation * 0.01 / (0.01 + delay);
  assert_true(fabs(result.share / share - 1) < 1e-3);
  assert_true(fabs(result.utilisation / used - 1) < 1e-3);
  assert_true(fabs(result.throughput / plain.throughput - 1) < 1e-3);
  assert_true(fabs(result.blocked / ((plain.blocked + 3 * used * 3 / 4) / 4) - 1) < 1e-3);
  q.detached = true; /* whoever gives back is not there to read */
  assert_true(solve(m, &q).share == sc_queue_solve(&q).share);
  q.detached = false;
  q.customers = 1; /* it is the only one: no reader is there meanwhile */
  assert_true(solve(m, &q).blocked <= 0.25 * sc_queue_solve(&q).blocked + 1e-12);
  made_free(m);
}

/* Readers that are gone at once delay nobody, but wait for writers: at the other one of two, as often as it is busy, a
 * part of its hold. 80 readers had 0.2 s, and came every 2.5 ms: that is h^2 / 2 / 2.5 ms of 1 ms each time. */
TEST(readers_wait_for_writers)
{
  const sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 2, .stations = 1, .servers = 1};
  sc_queue_result alone = sc_queue_solve(&q);
  made_resources *m = shared_lock(100, 80, 80, 1e-15);
  made_occupancy(m, 0, 2)->active_seconds = 0.1;
  made_sum(m, 0, 2, SC_USAGE_WAIT_SECONDS, 0.02);
  sc_queue_result result = solve(m, &q);
  unit_near(result.throughput, alone.throughput);
  unit_near(result.utilisation, alone.utilisation);
  unit_near(result.blocked, (alone.blocked + 4 * alone.utilisation / 2) / 5);
  unit_near(result.share, alone.share + alone.throughput * (1e-6 / 2 / 2.5e-3) / 2);
  sc_queue two = q;
  two.stations = 2;
  alone = sc_queue_solve(&two);
  unit_near(solve(m, &two).share, alone.share + alone.throughput / 2 * (1e-6 / 2 / 2.5e-3) / 2);
  made_free(m);
}

TEST(without_readers_the_queue_is_left)
{
  sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 3, .stations = 1, .servers = 1};
  made_resources *m = shared_lock(100, 0, 0, 1e-3);
  sc_queue_result alone = sc_queue_solve(&q), result = solve(m, &q);
  assert_memory_equal(&alone, &result, sizeof alone);
  made_free(m);
  m = shared_lock(0, 0, 0, 0);
  result = solve(m, &q);
  assert_memory_equal(&alone, &result, sizeof alone);
  made_free(m);
  m = shared_lock(100, 80, 80, 1e-3);
  q.detached = true;
  alone = sc_queue_solve(&q), result = solve(m, &q);
  assert_memory_equal(&alone, &result, sizeof alone);
  made_free(m);
}

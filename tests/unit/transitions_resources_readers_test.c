/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for a lock that readers share, computed by hand. */
#include "unit.h"

#include "transitions/model/tuning.h"
#include "transitions/resources/readers.h"
#include "transitions/resources/rules/kept_out.h"
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

/* Who reads and writes alone meets nobody. */
TEST(one_thread_waits_for_nobody)
{
  const sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 1, .stations = 1, .servers = 1};
  made_resources *m = shared_lock(5, 4, 4, 1e-3);
  sc_queue_result result = solve(m, &q);
  unit_near(result.throughput, 100);
  unit_near(result.utilisation, 0.1);
  unit_near(result.cycle, 10e-3);
  assert_true(result.blocked == 0 && result.share == 0);
  made_free(m);
}

/* Readers in step are one: with probability s / (s + b) it is there, and the writer waits s for it. */
static void check_in_step(made_resources *m, const sc_queue *q, double s, double between, double think)
{
  double delay = s / (s + between) * s;
  double out = sc_readers_kept_out(&m->r, &m->cells[0], q, 1, true);
  if (!(fabs(out / (delay / (think + delay)) - 1) < 5e-3))
    fail_msg("readers in step for %g s: %g of the time instead of %g", s, out, delay / (think + delay));
}

/* One thread writes, for no time, and two others read: each is there with probability a = s / (s + b). From two inside
 * to one takes s / 2, from one to none s, and what the other one makes of it if it comes meanwhile, as it does s / b
 * times; the writer waits for both if both are there. */
TEST(a_writer_waits_until_no_reader_is_left)
{
  static const double seconds[] = {1e-4, 1e-3, 1e-2};
  for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
    double s = seconds[i], between = 4e-3, hold = 1e-9, think = 1, a = s / (s + between);
    double last = s + s / between * s / 2, delay = 2 * a * (1 - a) * last + a * a * (last + s / 2);
    made_resources *m = shared_lock(400, 300, 300, s);
    m->cells[0].sharing = (sc_rsharing){.threads = 3,
                                        .writers = 1,
                                        .readers = 2,
                                        .writers_stay = true,
                                        .readers_stay = true,
                                        .writer_think = think,
                                        .reader_cycle = s + between};
    const sc_queue q = {.hold = hold, .think = 3 * (think + hold) - hold, .customers = 3, .stations = 1, .servers = 1};
    double out = sc_readers_kept_out(&m->r, &m->cells[0], &q, 1, false);
    if (!(fabs(out / (delay / (think + delay)) - 1) < 5e-3))
      fail_msg("readers for %g s: %g of the time instead of %g", s, out, delay / (think + delay));
    sc_queue_result result = solve(m, &q);
    assert_true(fabs(result.throughput * (think + delay) - 1) < 1e-3);
    assert_true(fabs(result.share / (delay / (think + delay) / 3) - 1) < 5e-3); /* of three threads it is one */
    assert_true(sc_readers_kept_out(&m->r, &m->cells[0], &q, 1.5, false) > out);
    check_in_step(m, &q, s, between, think);
    m->cells[0].sharing.readers_stay = false; /* of six threads five read: longer than two do */
    sc_queue more = q;
    more.customers = 6;
    more.think = 6 * (think + hold) - hold;
    assert_true(sc_readers_kept_out(&m->r, &m->cells[0], &more, 1, false) > out);
    made_free(m);
  }
}

/* What is computed for readers each for itself exceeds what was measured by a factor that rises to 4, from one size to
 * the third; for readers in step it is off by up to half of that, in logarithms. */
TEST(readers_that_keep_in_step_are_told_by_their_waits)
{
  const sc_kept_out_fit apart = {.least = 0.25, .most = 1, .first = 1, .last = 0.25, .sizes = SC_KEPT_OUT_SIZES};
  sc_kept_out_fit together = {.least = 1, .most = 2, .first = 1, .last = 2, .sizes = SC_KEPT_OUT_SIZES}, few = apart;
  assert_true(sc_kept_out_is_in_step(&apart, &together));
  together.most = 2.001;
  assert_false(sc_kept_out_is_in_step(&apart, &together));
  together.most = 1;
  few.sizes--;
  assert_false(sc_kept_out_is_in_step(&few, &together));
  few = apart;
  few.first = 0.25; /* they wait longer than computed the more there are */
  few.last = 1;
  assert_false(sc_kept_out_is_in_step(&few, &together));
}

/* The more wait to write the fewer read: however many threads there are, a writer gets in. */
TEST(threads_that_wait_to_write_do_not_read)
{
  made_resources *m = shared_lock(400, 300, 300, 2e-3);
  const sc_queue few = {.hold = 0.01, .think = 0.1, .customers = 4, .stations = 1, .servers = 1};
  sc_queue many = few;
  many.customers = 1000;
  sc_queue_result result = solve(m, &many);
  assert_true(result.utilisation > 0.5 && result.utilisation < 1);
  assert_true(result.share > 0.9 && result.share < 1);
  assert_true(solve(m, &few).throughput < sc_queue_solve(&few).throughput);
  many.detached = true; /* whoever gives back is not there to read */
  assert_true(solve(m, &many).share == sc_queue_solve(&many).share);
  made_free(m);
}

/* After a long hold all readers come in together, and the next writer behind them, before they come again: one of two
 * writers holds it for 50 ms, and ten readers wait meanwhile, each for 1 ms every 10 ms. */
TEST(readers_that_waited_leave_together)
{
  made_resources *m = shared_lock(400, 300, 300, 1e-3);
  m->cells[0].sharing = (sc_rsharing){
      .threads = 12, .writers = 2, .readers = 10, .writers_stay = true, .readers_stay = true, .reader_cycle = 11e-3};
  const sc_queue q = {.hold = 0.05, .think = 0.25, .customers = 12, .stations = 1, .servers = 1};
  sc_queue_result result = solve(m, &q);
  double leave = 0;
  for (int j = 1; j <= 10; j++)
    leave += 1e-3 / j;
  double cycle = 1 / result.throughput;
  assert_true(cycle > 0.05 + 0.9 * leave && cycle < 0.05 + 1.1 * leave);
  made_free(m);
}

/* Readers that are gone at once delay nobody, but wait for writers: of two threads the one that does not write, each
 * time a part of the hold. One comes every 9 ms / 4: that is h^2 / 2 / 2.25 ms of 1 ms each time. */
TEST(readers_wait_for_writers)
{
  const sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 2, .stations = 1, .servers = 1};
  sc_queue_result alone = sc_queue_solve(&q);
  made_resources *m = shared_lock(100, 80, 80, 1e-15);
  sc_queue_result result = solve(m, &q);
  unit_near(result.throughput, alone.throughput);
  unit_near(result.utilisation, alone.utilisation);
  unit_near(result.blocked, (alone.blocked + 4 * alone.utilisation / 2) / 5);
  unit_near(result.share, (alone.wait + 1e-6 / 2 / 2.25e-3) * alone.throughput / 2);
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

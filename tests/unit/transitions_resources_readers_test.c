/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for a lock that readers share, and for one that nobody was seen to wait for, computed by hand. */
#include "unit.h"

#include "transitions/resources/predict.h"
#include "transitions/resources/readers.h"
#include "transitions/resources/unseen.h"
#include "transitions_resources_made.h"

static const sc_resource lock[] = {{SC_RESOURCE_RWLOCK, "lock", "a.c", 1}};

/* ---- readers ---- */

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
  m = shared_lock(100, 80, 80, 1e-3);
  q.detached = true;
  alone = sc_queue_solve(&q), result = solve(m, &q);
  assert_memory_equal(&alone, &result, sizeof alone);
  made_free(m);
}

/* ---- waits that nobody saw ---- */
typedef struct scene {
  made_resources *m;
  sc_rseries series[SC_RMETRIC_ALL];
} scene;

static void always(scene *s, int metric, double value)
{
  s->series[metric] = (sc_rseries){
      .shown = {
          .sizes = s->m->run_sizes,
          .values = s->m->run_sizes,
          .count = 4,
          .model = {
              .terms = {{value, 0, 0, 0, 0, 0}}, .term_count = value > 0, .exact = true, .n_min = 100, .n_max = 800}}};
  s->m->cells[0].series[metric] = &s->series[metric];
  s->m->cells[0].made[metric] = true;
}

/* Threads n / 100, or as many as at 800 anyhow, acquire a lock 100 times each, for 1 ms every 10; no one ever waits. */
static scene *begin(enum sc_resource_class kind, bool grows, bool together)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(&(sc_resource){kind, "lock", "a.c", 1}, 1, 4, 1);
  for (size_t run = 0; run < 4; run++) {
    double threads = grows ? s->m->sizes[run] / 100 : 8, acquires = s->m->sizes[run];
    made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, acquires);
    *made_occupancy(s->m, 0, run) = (sc_occupancy){0, 1, threads, together ? threads * 2 : 2, 2, threads};
  }
  always(s, SC_RMETRIC_HOLD, 1e-3);
  always(s, SC_RMETRIC_THINK, 9e-3);
  always(s, SC_RMETRIC_INSTANCES, 1);
  return s;
}

static void end(scene *s)
{
  made_free(s->m);
  free(s);
}

static void waits(scene *s, double n, double share, double wait)
{
  double found_share, found_wait;
  assert_int_equal(sc_unseen_waits(&s->m->r, &s->m->cells[0], n, &found_share, &found_wait), 0);
  unit_near(found_share, share);
  unit_near(found_wait, wait);
}

/* None of 1,500: at 95 %, both ends, less than -ln 0.025 of them. */
static const double rare = 3.6888794541139363 / 1500;

TEST(what_never_happened_is_rare)
{
  scene *s = begin(SC_RESOURCE_MUTEX, true, true);
  waits(s, 800, rare, rare * 1e-3);
  waits(s, 100, rare, rare * 1e-3);
  /* 16 threads have 15 others, where 0, 1, 3 and 7 were met */
  double met = (200 + 3 * 400 + 7 * 800) / 1500.0;
  waits(s, 1600, rare * 15 / met, rare * 15 / met * 1e-3);
  end(s);
  s = begin(SC_RESOURCE_MUTEX, false, true); /* there are no more than eight */
  waits(s, 1600, rare, rare * 1e-3);
  end(s);
}

/* One after the other, they never met: who knows how many will. They wait no more than if all are there all the time.
 */
TEST(who_never_met_may_all_come)
{
  scene *s = begin(SC_RESOURCE_MUTEX, true, false);
  sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 16, .stations = 1, .servers = 1};
  sc_queue_result all = sc_queue_solve(&q);
  waits(s, 800, rare, rare * 1e-3);
  waits(s, 1600, all.blocked, all.wait);
  always(s, SC_RMETRIC_INSTANCES, 4);
  q.stations = 4;
  all = sc_queue_solve(&q);
  waits(s, 1600, all.blocked, all.wait);
  always(s, SC_RMETRIC_THINK, 0); /* nobody held it twice: each waits for all at most */
  waits(s, 1600, 1, 16 * 1e-3);
  waits(s, 800, rare, rare * 1e-3);
  end(s);
}

TEST(what_was_seen_or_cannot_be_waited_for_needs_no_guess)
{
  static const int seen[] = {SC_USAGE_WAITS, SC_USAGE_FAILURES};
  scene *s;
  for (size_t i = 0; i < 2; i++)
    for (size_t run = 0; run < 4; run++) {
      s = begin(SC_RESOURCE_MUTEX, true, true);
      made_sum(s->m, 0, run, seen[i], 1);
      waits(s, 800, 0, 0);
      end(s);
    }
  s = begin(SC_RESOURCE_HEAP, true, true);
  waits(s, 800, 0, 0);
  end(s);
  s = begin(SC_RESOURCE_SEMAPHORE, true, true); /* a signal: whoever takes it keeps it */
  waits(s, 800, 0, 0);
  made_sum(s->m, 0, 3, SC_USAGE_HOLDS, 800);
  waits(s, 800, rare, rare * 1e-3);
  end(s);
  s = begin(SC_RESOURCE_MUTEX, true, true);
  s->m->cells[0].context = 1; /* a part of it */
  waits(s, 800, 0, 0);
  end(s);
  s = begin(SC_RESOURCE_MUTEX, true, true);
  for (size_t run = 0; run < 4; run++)
    made_occupancy(s->m, 0, run)->threads = 1;
  waits(s, 800, 0, 0);
  end(s);
}

/* Garwood's table of 95 % intervals for a count by chance (Biometrika 28, 1936), and two standard deviations of a large
 * one. What never happened in four runs may happen once, and eight times as often at eight times the size. */
TEST(counts_by_chance_have_their_interval)
{
  static const struct {
    double n, count, low, high;
  } cases[] = {{800, 1, 0, 6},    {800, 5, 1, 12},
               {800, 10, 4, 19},  {800, 50, 37, 66},
               {6400, 10, 4, 19}, {800, 0, 0, 1},
               {6400, 0, 0, 8},   {800, 4e6, 4e6 - 1.959963984540054 * 2000, 4e6 + 1.959963984540054 * 2000}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    scene *s = begin(SC_RESOURCE_CONDITION, true, true);
    sc_interval waits;
    bool derived;
    for (size_t run = 0; run < 4; run++)
      made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, 0);
    always(s, SC_RMETRIC_WAITS, cases[i].count);
    assert_int_equal(
        sc_resources_predict_cell(&s->m->r, &s->m->cells[0], SC_RMETRIC_WAITS, cases[i].n, &waits, &derived), 0);
    assert_false(derived);
    unit_near(waits.value, cases[i].count);
    unit_near(waits.low, cases[i].low);
    unit_near(waits.high, cases[i].high);
    end(s);
  }
}

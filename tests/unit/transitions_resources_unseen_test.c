/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often threads may wait for a lock that nobody was seen to wait for, computed by hand. */
#include "unit.h"

#include "transitions/resources/queue.h"
#include "transitions/resources/unseen.h"
#include "transitions_resources_made.h"

/* Threads n / 100, or as many as at 800 anyhow, acquire a lock 100 times each, for 1 ms every 10; no one ever waits. */
static made_resources *begin(enum sc_resource_class kind, bool grows, bool together)
{
  made_resources *m = made_new(&(sc_resource){kind, "lock", "a.c", 1}, 1, 4, 1);
  for (size_t run = 0; run < 4; run++) {
    double threads = grows ? m->sizes[run] / 100 : 8;
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, m->sizes[run]);
    *made_occupancy(m, 0, run) = (sc_occupancy){0, 1, threads, together ? threads * 2 : 2, 2, threads};
  }
  made_power(m, SC_RMETRIC_HOLD, 1e-3, 0);
  made_power(m, SC_RMETRIC_THINK, 9e-3, 0);
  made_power(m, SC_RMETRIC_INSTANCES, 1, 0);
  return m;
}

static void waits(const made_resources *m, double n, double share, double wait)
{
  double found_share, found_wait;
  assert_int_equal(sc_unseen_waits(&m->r, &m->cells[0], n, &found_share, &found_wait), 0);
  unit_near(found_share, share);
  unit_near(found_wait, wait);
}

/* None of 1,500: at 95 %, both ends, less than -ln 0.025 of them. */
static const double rare = 3.6888794541139363 / 1500;

TEST(what_never_happened_is_rare)
{
  made_resources *m = begin(SC_RESOURCE_MUTEX, true, true);
  waits(m, 800, rare, rare * 1e-3);
  waits(m, 100, rare, rare * 1e-3);
  /* 16 threads have 15 others, where 0, 1, 3 and 7 were met */
  double met = (200 + 3 * 400 + 7 * 800) / 1500.0;
  waits(m, 1600, rare * 15 / met, rare * 15 / met * 1e-3);
  made_free(m);
  m = begin(SC_RESOURCE_MUTEX, false, true); /* there are no more than eight */
  waits(m, 1600, rare, rare * 1e-3);
  made_free(m);
}

/* One after the other, they never met: who knows how many will. They wait no more than if all are there all the time.
 */
TEST(who_never_met_may_all_come)
{
  made_resources *m = begin(SC_RESOURCE_MUTEX, true, false);
  sc_queue q = {.hold = 1e-3, .think = 9e-3, .customers = 16, .stations = 1, .servers = 1};
  sc_queue_result all = sc_queue_solve(&q);
  waits(m, 800, rare, rare * 1e-3);
  waits(m, 1600, all.blocked, all.wait);
  made_power(m, SC_RMETRIC_INSTANCES, 4, 0);
  q.stations = 4;
  all = sc_queue_solve(&q);
  waits(m, 1600, all.blocked, all.wait);
  made_power(m, SC_RMETRIC_THINK, 0, 0); /* nobody held it twice: each waits for all at most */
  waits(m, 1600, 1, 16 * 1e-3);
  waits(m, 800, rare, rare * 1e-3);
  made_free(m);
}

TEST(what_was_seen_or_cannot_be_waited_for_needs_no_guess)
{
  static const int seen[] = {SC_USAGE_WAITS, SC_USAGE_FAILURES};
  made_resources *m;
  for (size_t i = 0; i < 2; i++)
    for (size_t run = 0; run < 4; run++) {
      m = begin(SC_RESOURCE_MUTEX, true, true);
      made_sum(m, 0, run, seen[i], 1);
      waits(m, 800, 0, 0);
      made_free(m);
    }
  m = begin(SC_RESOURCE_HEAP, true, true);
  waits(m, 800, 0, 0);
  made_free(m);
  m = begin(SC_RESOURCE_SEMAPHORE, true, true); /* a signal: whoever takes it keeps it */
  waits(m, 800, 0, 0);
  made_sum(m, 0, 3, SC_USAGE_HOLDS, 800);
  waits(m, 800, rare, rare * 1e-3);
  made_free(m);
  m = begin(SC_RESOURCE_MUTEX, true, true);
  m->cells[0].context = 1; /* a part of it */
  waits(m, 800, 0, 0);
  made_free(m);
  m = begin(SC_RESOURCE_MUTEX, true, true);
  for (size_t run = 0; run < 4; run++)
    made_occupancy(m, 0, run)->threads = 1;
  waits(m, 800, 0, 0);
  made_free(m);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units behind conditions: who takes one, waits for one, and gives its own back. */
#include "unit.h"

#include "runtime_drive.h"

#define TAKE DRIVE_HOW(SEMAPHORE, ACQUIRE, SCALE_SITE_INFERRED)
#define GIVE DRIVE_HOW(SEMAPHORE, RELEASE, SCALE_SITE_INFERRED)
#define WAIT DRIVE_HOW(CONDITION, WAIT, 0)

enum { TOOK, GAVE, WAITED }; /* cells */

static void take(uint64_t *cell, uint64_t *pool, uint64_t count)
{
  __scale_event_acquired(&cell[TOOK], (uintptr_t)pool, count, TAKE);
}

static void give(uint64_t *cell, uint64_t *pool) { __scale_event_releases(&cell[GAVE], (uintptr_t)pool, 1, GIVE); }

static void wait_once(uint64_t *cell, uint64_t *pool)
{
  uint64_t token = __scale_event_waits(&cell[WAITED], (uintptr_t)pool, WAIT);
  __scale_event_waited(&cell[WAITED], (uintptr_t)pool, token, WAIT);
}

TEST(test_a_unit_is_a_hold)
{
  static uint64_t pool;
  uint64_t *cell = drive_cells(drive_function("plain"));
  for (int i = 0; i < 10; i++) {
    take(cell, &pool, 5);
    give(cell, &pool);
  }
  const struct scale_tally *t = drive_tally(&cell[TOOK]);
  assert_int_equal(t->acquires, 10);
  assert_int_equal(t->returned, 10);
  assert_int_equal(t->holds, 10);
  assert_int_equal(t->waits, 0);
  assert_int_equal(t->reads, 5); /* there are, and nobody says otherwise */
  assert_int_equal(t->writes, 10);
  assert_int_equal(t->strangers, 10);
  assert_int_equal(drive_tally(&cell[GAVE])->releases, 10);
}

/* Who signals what others took, or fills the pool, gives nothing back of its own. */
TEST(test_a_stranger_gives_nothing)
{
  static uint64_t pool;
  uint64_t *cell = drive_cells(drive_function("stranger"));
  give(cell, &pool);
  assert_int_equal(cell[GAVE], 0);
  take(cell, &pool, 4);
  assert_int_equal(drive_tally(&cell[TOOK])->reads, 4);
}

/* However often it is woken in vain, it is one wait of an acquire, and one that gives up has waited, too. */
TEST(test_waits)
{
  static uint64_t pool;
  uint64_t *cell = drive_cells(drive_function("waits"));
  for (int i = 0; i < 3; i++)
    wait_once(cell, &pool);
  take(cell, &pool, 0);
  const struct scale_tally *t = drive_tally(&cell[TOOK]), *w = drive_tally(&cell[WAITED]);
  assert_int_equal(w->waits, 3);
  assert_int_equal(t->waits, 1);
  assert_true(t->wait_ticks >= w->wait_ticks);
  give(cell, &pool);
  take(cell, &pool, 0);
  assert_int_equal(t->waits, 1);
  give(cell, &pool);
  wait_once(cell, &pool);
  __scale_event_failed(&cell[TOOK], (uintptr_t)&pool, TAKE);
  assert_int_equal(t->waits, 2);
  assert_int_equal(t->failures, 1);
  take(cell, &pool, 0);
  assert_int_equal(t->waits, 2);
  give(cell, &pool);
}

/* A thread may have several: each is out until it comes back, and is a hold. */
TEST(test_several_at_a_time)
{
  static uint64_t pool;
  uint64_t *cell = drive_cells(drive_function("several"));
  take(cell, &pool, 3);
  take(cell, &pool, 2);
  const struct scale_tally *t = drive_tally(&cell[TOOK]);
  assert_int_equal(t->holds, 0);
  give(cell, &pool);
  give(cell, &pool);
  give(cell, &pool); /* none is left that is its own */
  assert_int_equal(t->acquires, 2);
  assert_int_equal(t->unseen, 0);
  assert_int_equal(t->returned, 2);
  assert_int_equal(t->holds, 2);
  assert_int_equal(t->peak, 2);
  assert_int_equal(t->reads, 3); /* nobody had one and three were left; one was out, and two were left */
  assert_int_equal(t->writes, 2);
}

/* Of the first takes at a place half come back, or no further ones are looked at. */
TEST(test_a_queue_is_left_alone)
{
  static uint64_t pools[2];
  for (int i = 0; i < 2; i++) {
    uint64_t *cell = drive_cells(drive_function("queue"));
    for (int k = 0; k < 100; k++) {
      take(cell, &pools[i], 0);
      if (k < 31 + i)
        give(cell, &pools[i]);
    }
    assert_int_equal(drive_tally(&cell[TOOK])->acquires, i ? 100 : 64);
  }
}

static uint64_t shared_pool;

static void *take_and_wait(void *function)
{
  uint64_t *cell = drive_cells(function);
  take(cell, &shared_pool, 0);
  wait_once(cell, &shared_pool); /* all are out: two */
  return NULL;
}

TEST(test_all_are_out_where_a_thread_waits)
{
  uint64_t *cell = drive_cells(drive_function("all"));
  pthread_t other;
  take(cell, &shared_pool, 0);
  assert_int_equal(pthread_create(&other, NULL, take_and_wait, drive_function("other")), 0);
  pthread_join(other, NULL);
  wait_once(cell, &shared_pool);
  take(cell, &shared_pool, 0);
  const struct scale_tally *t = drive_tally(&cell[TOOK]);
  assert_int_equal(t->reads, 2);
  assert_int_equal(t->writes, 1);
  assert_int_equal(t->strangers, 1);
  give(cell, &shared_pool);
}

int main(int argc, char **argv)
{
  (void)argc;
  drive_begin(argv, NULL);
  return drive_end(unit_run(NULL, NULL));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of one thread: acquires, holds, failures, timed waits, recursion, condition waits inside a hold. */
#include "unit.h"

#include "runtime_drive.h"
#include <errno.h>

#define LOCK    DRIVE_HOW(MUTEX, ACQUIRE, 0)
#define UNLOCK  DRIVE_HOW(MUTEX, RELEASE, 0)
#define WAIT    DRIVE_HOW(CONDITION, WAIT, 0)
#define READ    DRIVE_HOW(RWLOCK, ACQUIRE, SCALE_SITE_SHARED)
#define WRITE   DRIVE_HOW(RWLOCK, ACQUIRE, 0)
#define RW_FREE DRIVE_HOW(RWLOCK, RELEASE, 0)

static void unlock(pthread_mutex_t *m, uint64_t *cell)
{
  __scale_event_releases(cell, (uintptr_t)m, 1, UNLOCK);
  assert_int_equal(pthread_mutex_unlock(m), 0);
}

static struct timespec soon(clockid_t clock)
{
  struct timespec at;
  clock_gettime(clock, &at);
  at.tv_nsec += 3000000;
  if (at.tv_nsec >= 1000000000) {
    at.tv_sec++;
    at.tv_nsec -= 1000000000;
  }
  return at;
}

TEST(test_plain)
{
  uint64_t *cell = drive_cells(drive_function("plain"));
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(__scale_do_pthread_mutex_lock(&m, &cell[0], LOCK), 0);
    unlock(&m, &cell[1]);
  }
  struct scale_tally *t = drive_tally(&cell[0]), *r = drive_tally(&cell[1]);
  assert_int_equal(t->function, SCALE_TALLY);
  assert_int_equal(t->acquires, 1000);
  assert_int_equal(t->units, 1000);
  assert_int_equal(t->returned, 1000);
  assert_int_equal(t->returned_units, 1000);
  assert_int_equal(t->holds, 1000);
  assert_int_equal(drive_buckets(t), 1000);
  assert_int_equal(t->peak, 1);
  assert_int_equal(t->waits + t->failures + t->foreign + t->unseen + t->strangers, 0);
  assert_true(t->hold_ticks > 0 && t->hold_ticks <= t->last_tick - t->first_tick);
  assert_int_equal(r->releases, 1000);
  assert_int_equal(r->units_released, 1000);
  assert_int_equal(r->strangers, 0);
  /* one instance, one bit */
  assert_int_equal(__builtin_popcountll(t->instances_0) + __builtin_popcountll(t->instances_1) +
                       __builtin_popcountll(t->instances_2) + __builtin_popcountll(t->instances_3),
                   1);
}

/* The sum of holds is the time spent inside, and each lies in its bucket. */
TEST(test_hold_times)
{
  uint64_t *cell = drive_cells(drive_function("times"));
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  uint64_t least = 0, most = 0;
  uint32_t expected[SCALE_HOLD_BUCKETS] = {0};
  __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK); /* makes the tallies */
  unlock(&m, &cell[1]);
  struct sc_timed_tally *t = (struct sc_timed_tally *)drive_tally(&cell[0]);
  for (int i = 0; i < 20; i++) {
    uint64_t sum = t->tally.hold_ticks, before = sc_ticks();
    __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
    uint64_t inside = sc_ticks();
    while (sc_ticks_ns(sc_ticks() - inside) < UINT64_C(1000) << (i % 8))
      ;
    least += sc_ticks() - inside;
    unlock(&m, &cell[1]);
    most += sc_ticks() - before;
    memset(expected, 0, sizeof expected);
    uint64_t ns = sc_ticks_ns(t->tally.hold_ticks - sum);
    assert_true(ns >= UINT64_C(1000) << (i % 8));
    assert_true(t->buckets[63 - __builtin_clzll(ns)] > 0);
  }
  assert_int_equal(t->tally.holds, 21);
  assert_int_equal(drive_buckets(&t->tally), 21);
  assert_true(t->tally.hold_ticks >= least);
  assert_true(t->tally.hold_ticks <= t->tally.last_tick - t->tally.first_tick);
  assert_true(most >= least);
}

static void hold(pthread_mutex_t *m, uint64_t *cell, int times)
{
  for (int i = 0; i < times; i++) {
    __scale_do_pthread_mutex_lock(m, &cell[0], LOCK);
    unlock(m, &cell[1]);
  }
}

static const struct scale_share *find_share(const struct scale_tally *t, const pthread_mutex_t *m)
{
  const struct sc_lock_tally *locks = (const struct sc_lock_tally *)t;
  for (int i = 0; i < SCALE_SHARES; i++)
    if (locks->shares[i].identity == (uintptr_t)m)
      return &locks->shares[i];
  return NULL;
}

/* Each of a few locks has its holds, and of many those that are held most. */
TEST(test_shares)
{
  enum { FEW = SCALE_SHARES, MANY = 100 };
  static pthread_mutex_t locks[MANY];
  uint64_t *few = drive_cells(drive_function("few_locks")), *many = drive_cells(drive_function("many_locks"));
  uint64_t ticks = 0;
  for (int i = 0; i < MANY; i++)
    pthread_mutex_init(&locks[i], NULL);
  for (int i = 0; i < FEW; i++)
    hold(&locks[i], few, i + 1);
  for (int i = 0; i < FEW; i++) {
    assert_non_null(find_share(drive_tally(few), &locks[i]));
    assert_int_equal(find_share(drive_tally(few), &locks[i])->holds, i + 1);
    ticks += find_share(drive_tally(few), &locks[i])->hold_ticks;
  }
  assert_int_equal(ticks, drive_tally(few)->hold_ticks);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < MANY; i++) {
      hold(&locks[i], many, 1);
      hold(&locks[77], many, 2);
    }
  assert_non_null(find_share(drive_tally(many), &locks[77]));
  assert_in_range(find_share(drive_tally(many), &locks[77])->holds, 590, 603);
}

/* Of many holds some are timed, and stand for the others. */
TEST(test_many_holds)
{
  enum { HOLDS = 20000, TICKS = 500 };
  uint64_t *cell = drive_cells(drive_function("many_holds"));
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < HOLDS; i++) {
    __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
    for (uint64_t from = sc_ticks(); sc_ticks() - from < TICKS;)
      ;
    unlock(&m, &cell[1]);
  }
  struct scale_tally *t = drive_tally(&cell[0]);
  assert_int_equal(t->acquires, HOLDS);
  assert_int_equal(t->holds, HOLDS);
  assert_in_range(drive_buckets(t), HOLDS * 9 / 10, HOLDS * 11 / 10);
  assert_true(t->hold_ticks >= drive_buckets(t) * TICKS);
}

TEST(test_recursion)
{
  uint64_t *cell = drive_cells(drive_function("recursion"));
  pthread_mutexattr_t attr;
  pthread_mutex_t m;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attr);
  for (int i = 0; i < 10; i++) {
    __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
    __scale_do_pthread_mutex_lock(&m, &cell[1], LOCK); /* another place */
    __scale_do_pthread_mutex_lock(&m, &cell[1], LOCK);
    __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
    for (int depth = 0; depth < 4; depth++)
      unlock(&m, &cell[2]);
  }
  struct scale_tally *outer = drive_tally(&cell[0]), *inner = drive_tally(&cell[1]);
  assert_int_equal(outer->acquires, 20);
  assert_int_equal(outer->returned, 20);
  assert_int_equal(outer->holds, 10);
  assert_int_equal(inner->acquires, 20);
  assert_int_equal(inner->returned, 20);
  assert_int_equal(inner->holds, 0);
  assert_int_equal(outer->unseen + inner->unseen, 0);
  assert_int_equal(drive_tally(&cell[2])->releases, 40);
}

TEST(test_failures)
{
  uint64_t *cell = drive_cells(drive_function("failures"));
  pthread_mutexattr_t attr;
  pthread_mutex_t m;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &attr);
  errno = 77;
  assert_int_equal(__scale_do_pthread_mutex_lock(&m, &cell[0], LOCK), 0);
  assert_int_equal(__scale_do_pthread_mutex_lock(&m, &cell[0], LOCK), EDEADLK);
  struct timespec past = {1, 0};
  assert_int_equal(__scale_do_pthread_mutex_timedlock(&m, &past, &cell[1], LOCK), EDEADLK);
  unlock(&m, &cell[2]);
  assert_int_equal(errno, 77);
  struct scale_tally *t = drive_tally(&cell[0]);
  assert_int_equal(t->acquires, 1);
  assert_int_equal(t->failures, 1);
  assert_int_equal(t->holds, 1);
  assert_int_equal(drive_tally(&cell[1])->failures, 1);
  /* nobody waited: the real function refused at once */
  assert_int_equal(t->waits + drive_tally(&cell[1])->waits, 0);
  assert_int_equal(t->wait_ticks + drive_tally(&cell[1])->wait_ticks, 0);
}

TEST(test_condition)
{
  uint64_t *cell = drive_cells(drive_function("condition"));
  pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  __scale_do_pthread_mutex_lock(&outer, &cell[4], LOCK);
  __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
  for (int i = 0; i < 3; i++) {
    struct timespec at = soon(CLOCK_REALTIME);
    assert_int_equal(__scale_do_pthread_cond_timedwait(&c, &m, &at, &cell[1], WAIT), ETIMEDOUT);
  }
  unlock(&m, &cell[2]);
  unlock(&outer, &cell[5]);
  struct scale_tally *lock = drive_tally(&cell[0]), *wait = drive_tally(&cell[1]), *around = drive_tally(&cell[4]);
  assert_int_equal(wait->waits, 3);
  assert_true(sc_ticks_ns(wait->wait_ticks) >= 3 * 2500000);
  assert_int_equal(drive_holders(wait), 1); /* the other lock, which stays held; the mutex does not */
  const struct scale_holder *held = (void *)(uintptr_t)wait->holders;
  assert_true(held->tally == (uintptr_t)around && held->waits == 0 && held->inside_ticks == wait->wait_ticks);
  assert_int_equal(lock->acquires, 1);
  assert_int_equal(lock->returned, 1);
  assert_int_equal(lock->holds, 4); /* one up to each wait, and the last */
  assert_true(lock->hold_ticks < wait->wait_ticks);
  assert_int_equal(around->holds, 1); /* the other lock stays held all the time */
  assert_true(around->hold_ticks >= wait->wait_ticks);
}

/* A recursive mutex held twice is not given up by a wait: its hold goes on. */
TEST(test_condition_recursive)
{
  uint64_t *cell = drive_cells(drive_function("nested"));
  uint64_t mutex = 0;
  pthread_mutexattr_t attr;
  pthread_mutex_t m;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attr);
  mutex = (uintptr_t)&m;
  __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
  __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
  __scale_event_parts(mutex);
  __scale_event_rejoins(mutex);
  assert_int_equal(drive_tally(&cell[0])->holds, 0);
  unlock(&m, &cell[1]);
  __scale_event_parts(mutex);
  assert_int_equal(drive_tally(&cell[0])->holds, 1);
  __scale_event_rejoins(mutex);
  unlock(&m, &cell[1]);
  assert_int_equal(drive_tally(&cell[0])->holds, 2);
  assert_int_equal(drive_tally(&cell[0])->returned, 2);
}

TEST(test_readers)
{
  uint64_t *cell = drive_cells(drive_function("readers"));
  pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
  for (int i = 0; i < 3; i++)
    assert_int_equal(__scale_do_pthread_rwlock_rdlock(&l, &cell[0], READ), 0);
  assert_int_equal(drive_tally(&cell[0])->peak, 3);
  struct timespec at = soon(CLOCK_REALTIME);
  assert_int_equal(__scale_do_pthread_rwlock_timedwrlock(&l, &at, &cell[1], WRITE), ETIMEDOUT);
  for (int i = 0; i < 3; i++) {
    __scale_event_releases(&cell[2], (uintptr_t)&l, 1, RW_FREE);
    pthread_rwlock_unlock(&l);
  }
  struct scale_tally *read = drive_tally(&cell[0]), *write = drive_tally(&cell[1]);
  assert_int_equal(read->acquires, 3);
  assert_int_equal(read->returned, 3);
  assert_int_equal(read->holds, 1); /* the outermost only */
  assert_int_equal(write->failures, 1);
  assert_int_equal(write->waits, 1);
  assert_true(sc_ticks_ns(write->wait_ticks) >= 2500000);
  assert_int_equal(drive_holders(write), 2); /* nobody else: the thread waited for itself, while it read */
  assert_int_equal(((struct scale_holder *)write->holders)->tally, 0);
}

/* Unlocked where nobody saw it, and locked again. */
TEST(test_unseen)
{
  uint64_t *cell = drive_cells(drive_function("unseen"));
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
  pthread_mutex_unlock(&m);
  __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
  unlock(&m, &cell[1]);
  struct scale_tally *t = drive_tally(&cell[0]);
  assert_int_equal(t->acquires, 2);
  assert_int_equal(t->returned, 1);
  assert_int_equal(t->unseen, 1);
  assert_int_equal(t->holds, 1);
  assert_int_equal(t->peak, 2); /* as it looked until then */
  /* locked where nobody saw it */
  pthread_mutex_lock(&m);
  unlock(&m, &cell[1]);
  assert_int_equal(drive_tally(&cell[1])->strangers, 1);
}

/* More locks at a time than the first list has room for, given back in the order they came. */
TEST(test_many)
{
  enum { MANY = 500 };
  static pthread_mutex_t m[MANY];
  uint64_t *cell = drive_cells(drive_function("many"));
  for (int i = 0; i < MANY; i++) {
    pthread_mutex_init(&m[i], NULL);
    __scale_do_pthread_mutex_lock(&m[i], &cell[0], LOCK);
  }
  for (int i = 0; i < MANY; i++)
    unlock(&m[i], &cell[1]);
  for (int i = 0; i < MANY; i++) { /* hand over hand: the list has gaps all the time */
    __scale_do_pthread_mutex_lock(&m[i], &cell[0], LOCK);
    if (i)
      unlock(&m[i - 1], &cell[1]);
  }
  unlock(&m[MANY - 1], &cell[1]);
  struct scale_tally *t = drive_tally(&cell[0]);
  assert_int_equal(t->acquires, 2 * MANY);
  assert_int_equal(t->returned, 2 * MANY);
  assert_int_equal(t->holds, 2 * MANY);
  assert_int_equal(t->peak, MANY);
  assert_int_equal(drive_tally(&cell[1])->strangers, 0);
  assert_int_equal(__scale_thread_own->held.count, 0);
}

TEST(test_spin_and_c11)
{
  uint64_t *cell = drive_cells(drive_function("others"));
  pthread_spinlock_t s;
  mtx_t m;
  pthread_spin_init(&s, 0);
  assert_int_equal(__scale_do_pthread_spin_lock(&s, &cell[0], DRIVE_HOW(SPINLOCK, ACQUIRE, 0)), 0);
  __scale_event_releases(&cell[1], (uintptr_t)&s, 1, DRIVE_HOW(SPINLOCK, RELEASE, 0));
  pthread_spin_unlock(&s);
  mtx_init(&m, mtx_timed);
  assert_int_equal(__scale_do_mtx_lock(&m, &cell[2], LOCK), thrd_success);
  struct timespec at = soon(CLOCK_REALTIME);
  assert_int_equal(__scale_do_mtx_timedlock(&m, &at, &cell[3], LOCK), thrd_timedout);
  __scale_event_releases(&cell[4], (uintptr_t)&m, 1, UNLOCK);
  mtx_unlock(&m);
  assert_int_equal(drive_tally(&cell[0])->holds, 1);
  assert_int_equal(drive_tally(&cell[2])->holds, 1);
  assert_int_equal(drive_tally(&cell[3])->failures, 1);
  assert_int_equal(drive_tally(&cell[3])->waits, 1);
}

static uint64_t monotonic(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Ticks, whatever their source, are as long as the header says: as long as the kernel's clock says. */
static void check_ticks(uint64_t *cell)
{
  struct scale_header *h = __scale_process()->header;
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  uint64_t before = drive_tally(&cell[0]) ? drive_tally(&cell[0])->hold_ticks : 0;
  uint64_t outer = monotonic();
  __scale_do_pthread_mutex_lock(&m, &cell[0], LOCK);
  uint64_t inner = monotonic();
  while (monotonic() - inner < 20000000)
    ;
  inner = monotonic() - inner;
  unlock(&m, &cell[1]);
  outer = monotonic() - outer;
  __scale_ticks_mark(__scale_process(), 1);
  double each = (double)(h->clock_last - h->clock_start) / (double)(h->ticks_last - h->ticks_start);
  double ticks = (double)(drive_tally(&cell[0])->hold_ticks - before);
  assert_true(ticks * each >= 0.98 * (double)inner);
  assert_true(ticks * each <= 1.02 * (double)outer);
  assert_true((double)sc_ticks_ns((uint64_t)ticks) >= 0.9 * (double)inner);
  assert_true((double)sc_ticks_ns((uint64_t)ticks) <= 1.1 * (double)outer);
}

TEST(test_ticks) { check_ticks(drive_cells(drive_function("ticks"))); }

TEST(test_clock)
{
  struct scale_header *h = __scale_process()->header;
  const struct scale_header before = *h;
  const uint32_t source = __scale_ticks_source;
  const uint64_t scale = __scale_ticks_scale;
  uint64_t *cell = drive_cells(drive_function("clock"));
  __scale_ticks_source = SC_TICKS_CLOCK;
  __scale_ticks_scale = 0;
  __scale_ticks_begin(h);
  assert_true(sc_ticks() - monotonic() + 1000000000 < 2000000000);
  check_ticks(cell);
  assert_int_equal(h->ticks_last, h->clock_last);
  __scale_ticks_source = source;
  __scale_ticks_scale = scale;
  *h = before;
}

/* A virtual machine that was suspended may resume on another host, whose counter is smaller, hours later. */
TEST(counters_that_were_set_back)
{
  struct scale_header *h = __scale_process()->header;
  const struct scale_header before = *h;
  const uint32_t source = __scale_ticks_source;
  const uint64_t scale = __scale_ticks_scale;
  __scale_ticks_source = SC_TICKS_COUNTER;
  __scale_ticks_scale = 0;
  h->ticks_start = UINT64_MAX;
  h->clock_start = 0;
  assert_true(__scale_ticks_clock() >> 32);
  __scale_ticks_ratio(__scale_process());
  assert_true(__scale_ticks_scale >> 32);
  __scale_ticks_source = source;
  __scale_ticks_scale = scale;
  *h = before;
}

int main(int argc, char **argv)
{
  (void)argc;
  drive_begin(argv, NULL);
  return drive_end(unit_run(NULL, NULL));
}

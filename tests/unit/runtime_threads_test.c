/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources between threads: who waits for whom, releases by others, hand-overs, ends of threads. Run under TSan too.
 */
#include "unit.h"

#include "runtime_drive.h"
#include <errno.h>

#define LOCK    DRIVE_HOW(MUTEX, ACQUIRE, 0)
#define UNLOCK  DRIVE_HOW(MUTEX, RELEASE, 0)
#define WAIT    DRIVE_HOW(CONDITION, WAIT, 0)
#define TAKE    DRIVE_HOW(SEMAPHORE, ACQUIRE, 0)
#define POST    DRIVE_HOW(SEMAPHORE, RELEASE, 0)
#define READ    DRIVE_HOW(RWLOCK, ACQUIRE, SCALE_SITE_SHARED)
#define WRITE   DRIVE_HOW(RWLOCK, ACQUIRE, 0)
#define RW_FREE DRIVE_HOW(RWLOCK, RELEASE, 0)
#define CREATE  DRIVE_HOW(THREAD, ACQUIRE, 0)
#define JOIN    DRIVE_HOW(THREAD, WAIT, 0)
#define OPEN    DRIVE_HOW(DESCRIPTOR, ACQUIRE, 0)
#define CLOSE   DRIVE_HOW(DESCRIPTOR, RELEASE, 0)

/* Two threads that take turns: each step of the second runs while the first waits. */
struct turns {
  pthread_barrier_t at;
  struct drive_function *function;
  uint64_t *cells; /* of the other thread */
  void *thing;
};

static void turn(struct turns *t) { pthread_barrier_wait(&t->at); }

static struct turns *begin(pthread_t *thread, void *(*other)(void *), struct drive_function *f, void *thing)
{
  struct turns *t = calloc(1, sizeof *t);
  pthread_barrier_init(&t->at, NULL, 2);
  t->function = f;
  t->thing = thing;
  assert_int_equal(pthread_create(thread, NULL, other, t), 0);
  return t;
}

static void end(struct turns *t, pthread_t thread)
{
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&t->at);
  free(t);
}

static void nap(long ms)
{
  struct timespec t = {0, ms * 1000000};
  nanosleep(&t, NULL);
}

static void unlock(pthread_mutex_t *m, uint64_t *cell)
{
  __scale_event_releases(cell, (uintptr_t)m, 1, UNLOCK);
  pthread_mutex_unlock(m);
}

static void *holds_for_a_while(void *argument)
{
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  __scale_do_pthread_mutex_lock(t->thing, &t->cells[0], LOCK);
  turn(t);
  nap(20);
  unlock(t->thing, &t->cells[1]);
  return NULL;
}

TEST(test_waiter_and_holder)
{
  struct drive_function *f = drive_function("waiter");
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  struct turns *t = begin(&thread, holds_for_a_while, f, &m);
  uint64_t *cell = drive_cells(f);
  pthread_mutex_t untouched = PTHREAD_MUTEX_INITIALIZER;
  assert_int_equal(__scale_event_meets(&cell[2], (uintptr_t)&untouched, LOCK), 0);
  turn(t);
  assert_int_not_equal(__scale_event_meets(&cell[2], (uintptr_t)&m, LOCK), 0);
  __scale_do_pthread_mutex_lock(&m, &cell[2], LOCK);
  unlock(&m, &cell[3]);
  struct scale_tally *waiter = drive_tally(&cell[2]), *holder = drive_tally(&t->cells[0]);
  assert_int_equal(waiter->acquires, 1);
  assert_int_equal(waiter->waits, 1);
  assert_int_equal(drive_holders(waiter), 1);
  struct scale_holder *h = (void *)(uintptr_t)waiter->holders;
  assert_int_equal(h->function, SCALE_HOLDER);
  assert_ptr_equal(h->tally, (uintptr_t)holder);
  assert_int_equal(h->waits, 1);
  assert_int_equal(h->wait_ticks, waiter->wait_ticks);
  assert_int_equal(h->parent, (uintptr_t)waiter);
  end(t, thread);
  assert_int_equal(holder->waits, 0);
  assert_int_equal(holder->holds, 1);
  assert_true(sc_ticks_ns(holder->hold_ticks) >= 19000000);
  assert_true(waiter->wait_ticks <= holder->hold_ticks + sc_ticks());
}

static uint64_t inside(const struct scale_tally *waiter, const struct scale_tally *held)
{
  for (const struct scale_holder *h = (void *)(uintptr_t)waiter->holders; h; h = (void *)(uintptr_t)h->next)
    if (h->tally == (uintptr_t)held)
      return h->inside_ticks;
  return 0;
}

/* What the waiting thread holds meanwhile is noted, and nothing that it has given back, or only takes later. */
TEST(test_waiter_that_holds)
{
  struct drive_function *f = drive_function("nesting");
  pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t before = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  struct turns *t = begin(&thread, holds_for_a_while, f, &inner);
  uint64_t *cell = drive_cells(f);
  __scale_do_pthread_mutex_lock(&before, &cell[4], LOCK);
  unlock(&before, &cell[5]);
  __scale_do_pthread_mutex_lock(&outer, &cell[0], LOCK);
  turn(t);
  __scale_do_pthread_mutex_lock(&inner, &cell[2], LOCK);
  unlock(&inner, &cell[3]);
  unlock(&outer, &cell[1]);
  const struct scale_tally *waiter = drive_tally(&cell[2]), *held = drive_tally(&cell[0]);
  assert_int_equal(waiter->waits, 1);
  assert_int_equal(inside(waiter, held), waiter->wait_ticks);
  assert_int_equal(inside(waiter, drive_tally(&cell[4])), 0);
  assert_int_equal(inside(waiter, drive_tally(&t->cells[0])), 0); /* of the other thread, who held it */
  assert_true(held->hold_ticks >= waiter->wait_ticks);
  end(t, thread);
}

/* A lock that one thread acquires and another gives back: the hold is the first one's. */
static void *gives_back(void *argument)
{
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  turn(t);
  nap(5);
  __scale_event_releases(&t->cells[1], (uintptr_t)t->thing, 1, UNLOCK);
  turn(t);
  return NULL;
}

TEST(test_release_elsewhere)
{
  struct drive_function *f = drive_function("elsewhere");
  int lock, other;
  pthread_t thread;
  struct turns *t = begin(&thread, gives_back, f, &lock);
  uint64_t *cell = drive_cells(f);
  __scale_event_acquired(&cell[0], (uintptr_t)&lock, 1, LOCK);
  struct scale_tally *mine = drive_tally(&cell[0]);
  turn(t);
  turn(t);
  assert_int_equal(SC_LOAD(mine->foreign), 1);
  assert_int_equal(mine->returned, 0);
  assert_int_equal(drive_tally(&t->cells[1])->strangers, 0);
  nap(5);
  __scale_event_acquired(&cell[0], (uintptr_t)&other, 1, LOCK); /* the thread hears of it now */
  assert_int_equal(mine->holds, 1);
  assert_true(sc_ticks_ns(mine->hold_ticks) >= 4000000);
  __scale_event_releases(&cell[1], (uintptr_t)&other, 1, UNLOCK);
  assert_int_equal(mine->returned, 1);
  assert_int_equal(mine->holds, 2);
  __scale_event_releases(&cell[1], (uintptr_t)&lock, 1, UNLOCK);
  assert_int_equal(drive_tally(&cell[1])->strangers, 1);
  end(t, thread);
}

/* A semaphore's unit posted by another thread is a hand-over, whose time counts; posted by the same, a hold. */
static void *posts(void *argument)
{
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  turn(t); /* the other one took a unit */
  for (int i = 0; i < 3; i++) {
    __scale_event_releases(&t->cells[1], (uintptr_t)t->thing, 1, POST);
    sem_post(t->thing);
  }
  turn(t);
  return NULL;
}

static void *dies_with_lock(void *argument)
{
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  __scale_do_pthread_mutex_lock(t->thing, &t->cells[0], LOCK);
  return NULL;
}

static void *idles(void *argument)
{
  struct turns *t = argument;
  drive_cells(t->function);
  turn(t);
  turn(t);
  return NULL;
}

/* The owner of a robust mutex dies: whoever locks it next gives back what the dead one had, be that one of the first
   threads, which are asked one by one, or a later one, which a list has to name. */
TEST(test_owner_dies)
{
  enum { EARLIER = 20 }; /* more than the first threads, which are asked one by one */
  struct drive_function *f = drive_function("robust");
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  for (int round = 0; round < 2; round++) {
    struct turns *idle[EARLIER];
    pthread_t idler[EARLIER], thread;
    pthread_mutex_t m;
    for (int i = 0; round && i < EARLIER; i++) {
      idle[i] = begin(&idler[i], idles, f, NULL);
      turn(idle[i]);
    }
    pthread_mutex_init(&m, &attr);
    struct turns *t = begin(&thread, dies_with_lock, f, &m);
    pthread_join(thread, NULL);
    uint64_t *cell = drive_cells(f);
    uint64_t before = drive_tally(&cell[2]) ? drive_tally(&cell[2])->acquires : 0;
    assert_int_equal(__scale_do_pthread_mutex_lock(&m, &cell[2], LOCK), EOWNERDEAD);
    assert_int_equal(drive_tally(&cell[2])->acquires - before, 1);
    struct scale_tally *dead = drive_tally(&t->cells[0]);
    assert_int_equal(dead->acquires, dead->returned + dead->foreign + dead->unseen);
    assert_true(dead->foreign >= 1);
    pthread_mutex_consistent(&m);
    unlock(&m, &cell[3]);
    assert_int_equal(drive_tally(&cell[2])->returned, drive_tally(&cell[2])->acquires);
    assert_int_equal(drive_tally(&cell[3])->strangers, 0);
    pthread_barrier_destroy(&t->at);
    free(t);
    for (int i = 0; round && i < EARLIER; i++) {
      turn(idle[i]);
      end(idle[i], idler[i]);
    }
  }
}

TEST(test_semaphore)
{
  struct drive_function *f = drive_function("semaphore");
  pthread_t thread;
  sem_t s;
  sem_init(&s, 0, 1);
  struct turns *t = begin(&thread, posts, f, &s);
  uint64_t *cell = drive_cells(f);
  assert_int_equal(__scale_do_sem_wait(&s, &cell[0], TAKE), 0);
  turn(t);
  turn(t);
  assert_int_equal(drive_tally(&t->cells[1])->strangers, 2); /* what they post nobody took */
  end(t, thread);
  struct scale_tally *mine = drive_tally(&cell[0]);
  assert_int_equal(mine->foreign, 1);
  assert_true(mine->hold_ticks > 0 && mine->hold_ticks <= sc_ticks() - mine->first_tick);
  uint64_t before = mine->hold_ticks, least = 0, most = 0;
  for (int i = 0; i < 3; i++) {
    most -= sc_ticks();
    assert_int_equal(__scale_do_sem_wait(&s, &cell[0], TAKE), 0);
    least -= sc_ticks();
    usleep(1000);
  }
  assert_int_equal(mine->holds, 0);
  for (int i = 0; i < 3; i++) {
    least += sc_ticks();
    __scale_event_releases(&cell[1], (uintptr_t)&s, 1, POST);
    most += sc_ticks();
    sem_post(&s);
  }
  assert_int_equal(mine->acquires, 4);
  assert_int_equal(mine->returned, 3);
  assert_int_equal(mine->holds, 3); /* of each unit, though they were out together */
  assert_true(mine->hold_ticks - before >= least && mine->hold_ticks - before <= most);
  struct timespec past = {1, 0};
  while (sem_trywait(&s) == 0)
    ;
  errno = 0;
  assert_int_equal(__scale_do_sem_timedwait(&s, &past, &cell[2], TAKE), -1);
  assert_int_equal(errno, ETIMEDOUT);
  assert_int_equal(drive_tally(&cell[2])->failures, 1);
  assert_int_equal(drive_tally(&cell[2])->waits, 1);
}

/* Units that another thread gives back at once: as many as are out come back, and those that nobody took count as given
   back all the same. */
static void *posts_many(void *argument)
{
  static const uint64_t BATCHES[] = {3, 0, 4, 6};
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  for (size_t i = 0; i < sizeof BATCHES / sizeof *BATCHES; i++) {
    turn(t);
    __scale_event_releases(&t->cells[1], (uintptr_t)t->thing, BATCHES[i], POST);
    turn(t);
  }
  return NULL;
}

TEST(test_batches)
{
  static const uint64_t BACK[] = {3, 3, 5, 5}, RELEASED[] = {3, 3, 7, 13}, STRANGERS[] = {0, 0, 1, 2};
  struct drive_function *f = drive_function("batches");
  pthread_t thread;
  int s = 0;
  struct turns *t = begin(&thread, posts_many, f, &s);
  uint64_t *cell = drive_cells(f);
  for (int i = 0; i < 5; i++)
    __scale_event_acquired(&cell[0], (uintptr_t)&s, 1, TAKE);
  for (size_t i = 0; i < sizeof BACK / sizeof *BACK; i++) {
    turn(t);
    turn(t);
    assert_int_equal(drive_tally(&cell[0])->foreign_units, BACK[i]);
    assert_int_equal(drive_tally(&t->cells[1])->units_released, RELEASED[i]);
    assert_int_equal(drive_tally(&t->cells[1])->strangers, STRANGERS[i]);
  }
  assert_int_equal(drive_tally(&t->cells[1])->releases, 3); /* none is no release */
  end(t, thread);
}

/* A time or a clock that the real function refuses is refused though the lock is free. What it says is the answer. */
TEST(test_refused_times_are_refused)
{
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  uint64_t *cell = drive_cells(drive_function("refused"));
  struct timespec past = {1, 0}, wrong = {1, -5};
  sem_t s;
  sem_init(&s, 0, 1);
  int real = sem_timedwait(&s, &wrong), said = errno;
  sem_destroy(&s);
  sem_init(&s, 0, 1);
  errno = 0;
  assert_int_equal(__scale_do_sem_timedwait(&s, &wrong, &cell[0], TAKE), real);
  assert_int_equal(errno, real == 0 ? 0 : said);
  real = pthread_rwlock_timedrdlock(&rw, &wrong);
  if (real == 0)
    pthread_rwlock_unlock(&rw);
  assert_int_equal(__scale_do_pthread_rwlock_timedrdlock(&rw, &wrong, &cell[1], READ), real);
#ifdef __GLIBC__
  assert_int_equal(__scale_do_pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &past, &cell[2], LOCK), EINVAL);
  assert_int_equal(__scale_do_pthread_rwlock_clockwrlock(&rw, CLOCK_PROCESS_CPUTIME_ID, &past, &cell[3], WRITE),
                   EINVAL);
  assert_int_equal(drive_tally(&cell[2])->failures, 1);
#endif
  assert_int_equal(__scale_do_pthread_mutex_timedlock(&m, &past, &cell[4], LOCK), 0);
  assert_int_equal(drive_tally(&cell[4])->waits, 0);
  unlock(&m, &cell[5]);
}

/* Threads that take units of semaphores and give back whichever are out, their own or others': nothing comes back
   twice, and each place knows what is out of what it took, while memory of holds is used for one semaphore after
   another. */
enum { POOL_SEMAPHORES = 16, POOL_THREADS = 4, POOL_STEPS = 30000 };

static uint64_t pool_semaphores[POOL_SEMAPHORES], pool_out[POOL_SEMAPHORES];
static pthread_barrier_t pool_at;

static int pool_take_out(uint32_t which)
{
  uint64_t out = SC_LOAD(pool_out[which]);
  while (out)
    if (SC_SWAP(pool_out[which], &out, out - 1))
      return 1;
  return 0;
}

/* What is left of the thread's holds is what did not come back. */
static uint64_t pool_check(const uint64_t *cell)
{
  uint64_t wrong = 0;
  __scale_held_settle(__scale_thread_own);
  for (int i = 0; i < POOL_SEMAPHORES; i++) {
    const struct scale_tally *t = drive_tally(&cell[i]);
    struct sc_hold *h = sc_held_newest(__scale_thread_own, (uintptr_t)&pool_semaphores[i], TAKE);
    uint64_t left = 0;
    for (; h; h = __scale_held_older(__scale_thread_own, h))
      left += sc_hold_left(h->left);
    wrong += t && t->acquires != t->returned + t->foreign + left;
  }
  return wrong;
}

static void *pools(void *argument)
{
  uint64_t *cell = drive_cells(argument);
  uint32_t random = (uint32_t)(uintptr_t)cell;
  for (int step = 0; step < POOL_STEPS; step++) {
    random = random * 1664525 + 1013904223;
    uint32_t which = random >> 28;
    if (random >> 20 & 1) {
      __scale_event_acquired(&cell[which], (uintptr_t)&pool_semaphores[which], 1, TAKE);
      SC_ADD(pool_out[which], 1);
    } else if (pool_take_out(which)) {
      __scale_event_releases(&cell[POOL_SEMAPHORES], (uintptr_t)&pool_semaphores[which], 1, POST);
    }
  }
  pthread_barrier_wait(&pool_at);
  return (void *)(uintptr_t)pool_check(cell);
}

TEST(test_pools)
{
  struct drive_function *f = drive_function("pools");
  pthread_t thread[POOL_THREADS];
  void *wrong;
  pthread_barrier_init(&pool_at, NULL, POOL_THREADS);
  for (int i = 0; i < POOL_THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, pools, f), 0);
  for (int i = 0; i < POOL_THREADS; i++) {
    assert_int_equal(pthread_join(thread[i], &wrong), 0);
    assert_null(wrong);
  }
}

/* Blocks freed by another thread. */
static void *frees(void *argument)
{
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  turn(t);
  for (int i = 0; i < 10; i++) {
    void *block = ((void **)t->thing)[i];
    __scale_event_releases(&t->cells[1], (uintptr_t)block, 0, DRIVE_HOW(HEAP, RELEASE, 0));
    free(block);
  }
  turn(t);
  return NULL;
}

TEST(test_free_elsewhere)
{
  struct drive_function *f = drive_function("frees");
  void *blocks[11];
  uint64_t bytes = 0;
  pthread_t thread;
  struct turns *t = begin(&thread, frees, f, blocks);
  uint64_t *cell = drive_cells(f);
  for (int i = 0; i < 11; i++) {
    blocks[i] = malloc(100 + 50 * (size_t)i);
    __scale_event_acquired(&cell[0], (uintptr_t)blocks[i], 100 + 50 * (uint64_t)i, DRIVE_HOW(HEAP, ACQUIRE, 0));
    bytes += i < 10 ? malloc_usable_size(blocks[i]) : 0;
  }
  turn(t);
  turn(t);
  struct scale_tally *mine = drive_tally(&cell[0]), *theirs = drive_tally(&t->cells[1]);
  assert_int_equal(SC_LOAD(mine->foreign), 10);
  assert_int_equal(SC_LOAD(mine->foreign_units), bytes);
  assert_int_equal(theirs->units_released, bytes);
  assert_int_equal(theirs->strangers, 0);
  end(t, thread);
  __scale_event_releases(&cell[1], (uintptr_t)blocks[10], 0, DRIVE_HOW(HEAP, RELEASE, 0));
  free(blocks[10]);
  assert_int_equal(mine->returned, 1);
  assert_int_equal(mine->units, mine->returned_units + mine->foreign_units);
}

/* A thread that ends with a lock: the hold never ends, and the next one with its arena holds nothing. */
static void *dies_with_it(void *argument)
{
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  __scale_event_acquired(&t->cells[0], (uintptr_t)t->thing, 1, LOCK);
  return NULL;
}

static void *comes_next(void *argument)
{
  struct turns *t = argument;
  t->cells = drive_cells(t->function);
  t->thing = (void *)(uintptr_t)__scale_thread_own->held.count;
  return __scale_thread_own;
}

TEST(test_dies_with_it)
{
  struct drive_function *f = drive_function("dies");
  struct turns t = {.function = f, .thing = &t};
  pthread_t thread;
  pthread_create(&thread, NULL, dies_with_it, &t);
  pthread_join(thread, NULL);
  uint64_t *before = t.cells;
  for (int i = 0; i < 100; i++) { /* until the kernel has buried the thread, and its arena is adopted */
    t.cells = NULL;
    pthread_create(&thread, NULL, comes_next, &t);
    pthread_join(thread, NULL);
    assert_null(t.thing);
    if (t.cells == before)
      break;
  }
  assert_ptr_equal(t.cells, before);
  struct scale_tally *tally = drive_tally(&before[0]);
  assert_int_equal(tally->acquires, 1);
  assert_int_equal(tally->holds + tally->returned + tally->foreign + tally->unseen, 0);
}

/* Cancelled in a condition wait inside a hold: the handler unlocks what is the thread's again. */
struct cancelled {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  uint64_t *cells;
  struct drive_function *function;
  pthread_barrier_t at;
};

static void cleanup(void *argument)
{
  struct cancelled *c = argument;
  unlock(&c->mutex, &c->cells[2]);
}

static void *waits_for_ever(void *argument)
{
  struct cancelled *c = argument;
  c->cells = drive_cells(c->function);
  __scale_do_pthread_mutex_lock(&c->mutex, &c->cells[0], LOCK);
  pthread_barrier_wait(&c->at);
  pthread_cleanup_push(cleanup, c);
  for (;;)
    __scale_do_pthread_cond_wait(&c->condition, &c->mutex, &c->cells[1], WAIT);
  pthread_cleanup_pop(0);
}

TEST(test_cancelled)
{
  struct cancelled c = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, drive_function("cancelled"), {{0}}};
  pthread_t thread;
  void *result;
  pthread_barrier_init(&c.at, NULL, 2);
  pthread_create(&thread, NULL, waits_for_ever, &c);
  pthread_barrier_wait(&c.at);
  pthread_mutex_lock(&c.mutex); /* it waits now */
  pthread_mutex_unlock(&c.mutex);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert_ptr_equal(result, PTHREAD_CANCELED);
  struct scale_tally *lock = drive_tally(&c.cells[0]);
  assert_int_equal(lock->acquires, 1);
  assert_int_equal(lock->returned, 1);
  assert_int_equal(lock->holds, 1); /* up to the wait; how long it had it after that nobody knows */
  assert_int_equal(drive_tally(&c.cells[2])->strangers, 0);
  assert_int_equal(pthread_mutex_trylock(&c.mutex), 0);
}

/* Threads as units: joined, detached, ended. */
static void *enters_and_ends(void *argument)
{
  struct turns *t = argument;
  drive_cells(t->function);
  turn(t);
  return NULL;
}

TEST(test_threads_as_units)
{
  struct drive_function *f = drive_function("units");
  struct turns t = {.function = f};
  uint64_t *cell = drive_cells(f);
  pthread_attr_t attr;
  pthread_t thread;
  void *result = &t;
  pthread_barrier_init(&t.at, NULL, 2);
  pthread_create(&thread, NULL, enters_and_ends, &t);
  __scale_event_acquired(&cell[0], (uintptr_t)thread, 1, CREATE);
  turn(&t);
  assert_int_equal(__scale_do_pthread_join(thread, &result, &cell[1], JOIN), 0);
  assert_null(result);
  struct scale_tally *made = drive_tally(&cell[0]);
  assert_int_equal(made->returned, 1);
  assert_int_equal(made->holds, 1);
  assert_int_equal(drive_tally(&cell[1])->releases, 1);
  assert_int_equal(drive_tally(&cell[1])->strangers, 0);
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attr, enters_and_ends, &t);
  __scale_event_acquired(&cell[0], (uintptr_t)thread, 1, CREATE);
  turn(&t);
  for (int i = 0; i < 1000 && !SC_LOAD(made->foreign); i++)
    nap(1);
  assert_int_equal(SC_LOAD(made->foreign), 1);
  assert_int_equal(made->peak, 1);
}

static void *arrives(void *argument)
{
  struct turns *t = argument;
  uint64_t *cell = drive_cells(t->function);
  for (int i = 0; i < 50; i++)
    __scale_do_pthread_barrier_wait(t->thing, &cell[0], DRIVE_HOW(BARRIER, WAIT, 0));
  return drive_tally(&cell[0]);
}

TEST(test_barrier)
{
  pthread_barrier_t b;
  struct turns t = {.function = drive_function("barrier"), .thing = &b};
  pthread_t thread[4];
  uint64_t waits = 0;
  pthread_barrier_init(&b, NULL, 4);
  for (int i = 0; i < 4; i++)
    pthread_create(&thread[i], NULL, arrives, &t);
  for (int i = 0; i < 4; i++) {
    void *tally;
    pthread_join(thread[i], &tally);
    if (tally) /* or it came last every time */
      waits += ((struct scale_tally *)tally)->waits;
  }
  assert_int_equal(waits, 50 * 3); /* whoever comes last does not wait */
}

/* All at once: nothing is lost, whoever gives back what. */
enum { CROWD = 6, ROUNDS = 3000, THINGS = 32 };

struct crowd {
  struct drive_function *function;
  pthread_mutex_t mutex[2];
  pthread_rwlock_t rwlock;
  uint64_t pool[THINGS]; /* descriptors that anybody may close; 0: none */
  uint64_t next[2];
};

static void *joins_in(void *argument)
{
  struct crowd *c = argument;
  uint64_t *cell = drive_cells(c->function);
  uint64_t seed = (uintptr_t)cell;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_t *m = &c->mutex[i % 2];
    uint64_t old, fresh;
    int write = i % 8 == 0;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    __scale_do_pthread_mutex_lock(m, &cell[0], LOCK);
    fresh = ++c->next[i % 2];
    unlock(m, &cell[1]);
    if (write)
      __scale_do_pthread_rwlock_wrlock(&c->rwlock, &cell[2], WRITE);
    else
      __scale_do_pthread_rwlock_rdlock(&c->rwlock, &cell[3], READ);
    __scale_event_releases(&cell[4], (uintptr_t)&c->rwlock, 1, RW_FREE);
    pthread_rwlock_unlock(&c->rwlock);
    fresh = fresh << 8 | (uint64_t)(i % 2) << 7 | (seed >> 60);
    __scale_event_acquired(&cell[5], fresh, 2, OPEN);
    old = __atomic_exchange_n(&c->pool[seed >> 59], fresh, __ATOMIC_ACQ_REL);
    if (old)
      __scale_event_releases(&cell[6], old, 2, CLOSE);
  }
  return cell;
}

TEST(test_crowd)
{
  static struct crowd c = {.mutex = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER},
                           .rwlock = PTHREAD_RWLOCK_INITIALIZER};
  struct scale_tally sum[7];
  pthread_t thread[CROWD];
  uint64_t *cells[CROWD], left = 0;
  c.function = drive_function("crowd");
  memset(sum, 0, sizeof sum);
  for (int i = 0; i < CROWD; i++)
    pthread_create(&thread[i], NULL, joins_in, &c);
  for (int i = 0; i < CROWD; i++)
    pthread_join(thread[i], (void **)&cells[i]);
  for (int i = 0; i < CROWD; i++) {
    int again = 0; /* threads that ended early leave their arena to the next one */
    for (int k = 0; k < i; k++)
      again |= cells[k] == cells[i];
    for (int n = 0; n < 7 && !again; n++) {
      const struct scale_tally *t = drive_tally(&cells[i][n]);
      sum[n].acquires += t->acquires;
      sum[n].returned += t->returned + t->foreign;
      sum[n].returned_units += t->returned_units + t->foreign_units;
      sum[n].releases += t->releases;
      sum[n].strangers += t->strangers + t->unseen;
      sum[n].holds += t->holds;
    }
  }
  for (int i = 0; i < THINGS; i++)
    left += c.pool[i] != 0;
  assert_int_equal(c.next[0] + c.next[1], CROWD * ROUNDS);
  assert_int_equal(sum[0].acquires, CROWD * ROUNDS);
  assert_int_equal(sum[0].returned, CROWD * ROUNDS);
  assert_int_equal(sum[0].holds, CROWD * ROUNDS);
  assert_int_equal(sum[2].holds + sum[3].holds, CROWD * ROUNDS);
  assert_int_equal(sum[2].acquires + sum[3].acquires, CROWD * ROUNDS);
  assert_int_equal(sum[5].acquires, CROWD * ROUNDS);
  assert_int_equal(sum[5].returned, CROWD * ROUNDS - left);
  assert_int_equal(sum[5].returned_units, 2 * (CROWD * ROUNDS - left));
  assert_int_equal(sum[5].holds, CROWD * ROUNDS - left);
  assert_int_equal(sum[6].releases, CROWD * ROUNDS - left);
  for (int n = 0; n < 7; n++)
    assert_int_equal(sum[n].strangers, 0);
}

int main(int argc, char **argv)
{
  (void)argc;
  drive_begin(argv, NULL);
  return drive_end(unit_run(NULL, NULL));
}

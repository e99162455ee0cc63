/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks made of atomic operations, each taken a known number of times, and lookalikes that are not locks. Without
 * arguments in one thread, so that every count is exact; with a number, the locks are contended by as many threads. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What each lock guards: exact only if it excludes. */
static long flagged, tased, trying, waking, sum;

/* ---- locks ------------------------------------------------------------- */

/* C11's flag */
static atomic_flag flag = ATOMIC_FLAG_INIT;
static void by_flag(int n)
{
  for (int i = 0; i < n; i++) {
    while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
      sched_yield();
    flagged++;
    atomic_flag_clear_explicit(&flag, memory_order_release);
  }
}

/* GCC's oldest builtins, through functions */
typedef volatile int tas_lock;
static tas_lock tas;
static void tas_acquire(tas_lock *l)
{
  while (__sync_lock_test_and_set(l, 1))
    while (*l)
      sched_yield();
}
static void tas_release(tas_lock *l) { __sync_lock_release(l); }
static void by_tas(int n)
{
  for (int i = 0; i < n; i++) {
    tas_acquire(&tas);
    tased++;
    tas_release(&tas);
  }
}

/* compare-exchange, looked at first; in a structure with other things */
struct table {
  long entries;
  atomic_int guard;
};
static struct table table;
static void by_compare(struct table *t, int n)
{
  for (int i = 0; i < n; i++) {
    int expected;
    do {
      while (atomic_load_explicit(&t->guard, memory_order_relaxed))
        sched_yield();
      expected = 0;
    } while (!atomic_compare_exchange_weak(&t->guard, &expected, 1));
    t->entries++;
    atomic_store(&t->guard, 0);
  }
}

/* with a function that tries, which others call, too */
typedef struct spin {
  int state;
} spin;
static spin tried;
static inline bool spin_try(spin *s) { return __atomic_exchange_n(&s->state, 1, __ATOMIC_ACQUIRE) == 0; }
static inline void spin_lock(spin *s)
{
  for (;;) {
    if (spin_try(s))
      return;
    while (__atomic_load_n(&s->state, __ATOMIC_RELAXED))
      sched_yield();
  }
}
static inline void spin_unlock(spin *s) { __atomic_store_n(&s->state, 0, __ATOMIC_RELEASE); }
static int by_try(int n)
{
  int failed = 0;
  for (int i = 0; i < n; i++) {
    spin_lock(&tried);
    trying++;
    if (i % 4 == 0)
      failed += !spin_try(&tried);
    spin_unlock(&tried);
    if (i % 5 == 0 && spin_try(&tried))
      spin_unlock(&tried);
  }
  return failed;
}

/* a futex with three states (Drepper, Futexes Are Tricky, mutex2) */
static int futex;
static void futex_wait(int *f, int value) { syscall(SYS_futex, f, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0); }
static void futex_wake(int *f) { syscall(SYS_futex, f, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }
static void futex_lock(int *f)
{
  int c = 0;
  if (__atomic_compare_exchange_n(f, &c, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
    return;
  while (__atomic_exchange_n(f, 2, __ATOMIC_ACQUIRE) != 0)
    futex_wait(f, 2);
}
static void futex_unlock(int *f)
{
  if (__atomic_fetch_sub(f, 1, __ATOMIC_RELEASE) != 1) {
    __atomic_store_n(f, 0, __ATOMIC_RELEASE);
    futex_wake(f);
  }
}
static void by_futex(int n)
{
  for (int i = 0; i < n; i++) {
    futex_lock(&futex);
    waking++;
    futex_unlock(&futex);
  }
}

/* ---- not locks ------------------------------------------------------------ */

static atomic_int counter, references = 1, once, event, sequence, handed;
struct item {
  struct item *next;
};
static _Atomic(struct item *) top;

static void count_up(int n)
{
  for (int i = 0; i < n; i++) {
    int old = atomic_load(&counter);
    while (!atomic_compare_exchange_weak(&counter, &old, old + 1))
      ;
  }
}

static void push(struct item *items, int n)
{
  for (int i = 0; i < n; i++) {
    items[i].next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &items[i].next, &items[i]))
      ;
  }
}

static bool refer(void)
{
  int old = atomic_load(&references);
  do {
    if (old == 0)
      return false;
  } while (!atomic_compare_exchange_weak(&references, &old, old + 1));
  return true;
}

static void make_once(void)
{
  for (;;) {
    int none = 0;
    if (atomic_load(&once) == 2)
      return;
    if (atomic_compare_exchange_strong(&once, &none, 1)) {
      sum++;
      atomic_store(&once, 2);
      return;
    }
    sched_yield();
  }
}

static long read_sequence(void)
{
  long seen;
  int before;
  do {
    while ((before = atomic_load(&sequence)) & 1)
      sched_yield();
    seen = sum;
  } while (atomic_load(&sequence) != before);
  return seen;
}

static void *raise_event(void *arg)
{
  atomic_store(&event, 1);
  return arg;
}
static void await_event(void)
{
  while (!atomic_load(&event))
    sched_yield();
  while (!atomic_exchange(&event, 0))
    sched_yield();
}

/* One thread sets it, another one takes it away. */
static void *hand_over(void *arg)
{
  while (atomic_exchange(&handed, 1))
    sched_yield();
  return arg;
}
static void *take_over(void *arg)
{
  while (!atomic_load(&handed))
    sched_yield();
  atomic_store(&handed, 0);
  return arg;
}

static void no_locks(int n)
{
  static struct item items[64];
  pthread_t other;
  count_up(n);
  push(items, 64);
  for (int i = 0; i < n; i++)
    refer();
  for (int i = 0; i < n; i++)
    make_once();
  for (int i = 0; i < n; i++)
    read_sequence();
  raise_event(NULL);
  await_event();
  if (pthread_create(&other, NULL, hand_over, NULL) == 0)
    pthread_join(other, NULL);
  if (pthread_create(&other, NULL, take_over, NULL) == 0)
    pthread_join(other, NULL);
}

/* ----------------------------------------------------------------------------- */

static int each = 100;

static void *work(void *arg)
{
  by_flag(each);
  by_tas(2 * each);
  by_compare(&table, 3 * each);
  by_try(4 * each);
  by_futex(5 * each);
  return arg;
}

int main(int argc, char **argv)
{
  int threads = argc > 1 ? atoi(argv[1]) : 0;
  pthread_t *others = malloc(((size_t)threads + 1) * sizeof *others);
  if (argc > 2)
    each = atoi(argv[2]);
  for (int i = 0; i < threads; i++)
    pthread_create(&others[i], NULL, work, NULL);
  for (int i = 0; i < threads; i++)
    pthread_join(others[i], NULL);
  if (!threads) {
    work(NULL);
    no_locks(10);
  }
  free(others);
  printf("%ld %ld %ld %ld %ld %d\n", flagged, tased, table.entries, trying, waking, counter);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program's own resources: from a probe set and from annotations; and releases through pointers. */
#include <scale/annotate.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct LWLock {
  int state;
} LWLock;
struct state {
  LWLock *lock;
  LWLock inner;
};
static LWLock main_locks[16];
static struct state *state;

__attribute__((always_inline)) static inline int lw_acquire(LWLock *lock, int mode)
{
  lock->state = mode;
  return mode != 7;
}
static void lw_release(LWLock *lock) { lock->state = 0; }
/* Its last parameter is never used, its first always 1: still a call with three arguments. */
static int pool_get(int pool, int count, int unused) { return count > 100 ? -1 : count + pool; }
static int waits_for(int x) { return x; }
/* A seat and a desk at once, both known by the same address. */
static struct state *sit(struct state *where, int free) { return free ? where : NULL; }
static void stand_up(struct state *where) { where->inner.state++; }
static void helper(LWLock *lock)
{
  lw_acquire(lock, 1);
  lw_release(lock);
}

static void excluded(void)
{
  SCALE_ACQUIRE("secret", 1, 1);
  free(malloc(10));
}

static void each(void (*release)(void *), void *volatile block) { release(block); }
__attribute__((noinline)) static int same(void (*one)(void *), void (*other)(void *)) { return one == other; }

int main(int argc, char **argv)
{
  void (*volatile release)(void *) = free;
  int sum = 0;

  state = calloc(1, sizeof *state);
  state->lock = &main_locks[3];
  for (int i = 0; i < 2; i++) {
    sum += lw_acquire(state->lock, 0) + lw_acquire(state->lock, 7);
    lw_release(state->lock);
    lw_acquire(&state->inner, 1);
    lw_release(&state->inner);
    lw_acquire(&main_locks[4], 1);
    lw_release(&main_locks[4]);
    helper(&main_locks[5]);
  }
  sum += pool_get(1, 5, 0) + pool_get(1, 1000, 0) + waits_for(argc) + waits_for(argc - 1);
  for (int i = 0; i < 3; i++) {
    struct state *seat = sit(state, i != 1);
    if (seat)
      stand_up(seat);
  }
  SCALE_CAPACITY("connections", 10);
  for (int i = 0; i < 5; i++) {
    SCALE_ACQUIRE("connections", &state[i], 2);
    SCALE_WAIT_BEGIN("connections", 7);
    sum++;
    SCALE_WAIT_END("connections", 7);
    if (i == 3)
      SCALE_ACQUIRE_FAILED("connections", i);
    SCALE_READ("connections", &state[i]);
    SCALE_WRITE("connections", &state[i]);
    SCALE_RELEASE("connections", &state[i], 2);
  }
  excluded();
  for (int i = 0; i < 4; i++)
    each(i & 1 ? free : release, malloc(100));
  release(state);
  printf("%d %d\n", sum, same(free, release));
  (void)argv;
  return 0;
}

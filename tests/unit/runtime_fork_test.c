/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child of fork: what it inherited counts for nobody, what it does itself counts exactly. And programs of which
   nobody wants a profile. */
#include "unit.h"

#include "instrument/runtime/heap.h"
#include "runtime_drive.h"
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>

#define LOCK   DRIVE_HOW(MUTEX, ACQUIRE, 0)
#define UNLOCK DRIVE_HOW(MUTEX, RELEASE, 0)
#define MALLOC DRIVE_HOW(HEAP, ACQUIRE, 0)
#define FREE   DRIVE_HOW(HEAP, RELEASE, 0)
#define OPEN   DRIVE_HOW(DESCRIPTOR, ACQUIRE, 0)
#define CLOSE  DRIVE_HOW(DESCRIPTOR, RELEASE, 0)

/* What the parent has when it forks: all of them once acquired and given back, and once acquired. */
struct stock {
  uint64_t *cell;
  pthread_mutex_t mutex;
  void *block;
};

static void stock_up(struct stock *s)
{
  for (int i = 0; i < 2; i++) {
    __scale_do_pthread_mutex_lock(&s->mutex, &s->cell[0], LOCK);
    s->block = malloc(500);
    __scale_event_acquired(&s->cell[2], (uintptr_t)s->block, 500, MALLOC);
    __scale_event_acquired(&s->cell[4], 17, 1, OPEN);
    if (i)
      break;
    __scale_event_releases(&s->cell[1], (uintptr_t)&s->mutex, 1, UNLOCK);
    pthread_mutex_unlock(&s->mutex);
    __scale_event_releases(&s->cell[3], (uintptr_t)s->block, 0, FREE);
    free(s->block);
    __scale_event_releases(&s->cell[5], 17, 1, CLOSE);
  }
}

static void give_back(struct stock *s)
{
  __scale_event_releases(&s->cell[1], (uintptr_t)&s->mutex, 1, UNLOCK);
  pthread_mutex_unlock(&s->mutex);
  __scale_event_releases(&s->cell[3], (uintptr_t)s->block, 0, FREE);
  free(s->block);
  __scale_event_releases(&s->cell[5], 17, 1, CLOSE);
}

#define CHECK(condition) \
  if (!(condition))      \
  return __LINE__ % 200 + 1

/* Under a limit on its memory a program keeps all of it: no map of the heap, and blocks that nobody remembers. */
static int limited(void)
{
  struct rlimit limit = {64 << 20, 64 << 20};
  uint64_t *cell = drive_cells(drive_function("limited"));
  void *block = malloc(500);
  CHECK(setrlimit(RLIMIT_DATA, &limit) == 0);
  __scale_event_acquired(&cell[0], (uintptr_t)block, 500, MALLOC);
  CHECK(drive_tally(&cell[0])->acquires == 1 && drive_tally(&cell[0])->units >= 500);
  CHECK(!__scale_heap.root && !__scale_heap.owners);
  __scale_event_releases(&cell[1], (uintptr_t)block, 0, FREE);
  CHECK(drive_tally(&cell[1])->releases == 1);
  return 0;
}

/* The first test: once a block is remembered, the map of the heap stays. */
TEST(test_limits_are_the_programs)
{
  int status;
  pid_t pid = fork();
  if (!pid)
    _exit(limited());
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
}

static int child(struct stock *s, uint64_t parent_start)
{
  for (int i = 0; i < 6; i++) { /* what names a lock is there, without counts */
    const struct scale_tally *t = drive_tally(&s->cell[i]);
    CHECK(i != 1 || (t && t->function == SCALE_TALLY && t->parent && t->creator == (uintptr_t)&s->cell[1]));
    CHECK(!t || (!t->acquires && !t->units && !t->returned && !t->holds && !t->peak && !t->releases && !t->hold_ticks));
  }
  CHECK(__scale_process()->header->forked == 1);
  CHECK(__scale_process()->header->ticks_start > parent_start);
  CHECK(__scale_thread_own->held.count == 1);
  give_back(s);
  for (int i = 0; i < 6; i += 2) {
    const struct scale_tally *got = drive_tally(&s->cell[i]), *gave = drive_tally(&s->cell[i + 1]);
    CHECK(!got || (!got->returned && !got->foreign && !got->unseen && !got->holds));
    CHECK(gave && gave->releases == 1 && gave->strangers == 1);
  }
  stock_up(s);
  give_back(s);
  for (int i = 0; i < 6; i += 2) {
    const struct scale_tally *got = drive_tally(&s->cell[i]), *gave = drive_tally(&s->cell[i + 1]);
    CHECK(got->acquires == 2 && got->returned == 2 && got->units == got->returned_units);
    CHECK(got->holds == (i == 2 ? 0 : 2) && !got->unseen);
    CHECK(got->peak == got->units / 2);
    CHECK(gave->releases == 3 && gave->strangers == 1);
  }
  return 0;
}

TEST(test_fork)
{
  struct stock s = {drive_cells(drive_function("fork")), PTHREAD_MUTEX_INITIALIZER, NULL};
  uint64_t start = __scale_process()->header->ticks_start;
  int status = -1;
  stock_up(&s);
  pid_t pid = fork();
  if (pid == 0)
    _exit(child(&s, start));
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  give_back(&s);
  for (int i = 0; i < 6; i += 2) {
    assert_int_equal(drive_tally(&s.cell[i])->acquires, 2);
    assert_int_equal(drive_tally(&s.cell[i])->returned, 2);
    assert_int_equal(drive_tally(&s.cell[i + 1])->strangers, 0);
  }
}

/* A thread that is not there in the child held a lock: nobody holds it there. */
static void *keeps(void *argument)
{
  struct drive_function *f = ((void **)argument)[0];
  pthread_barrier_t *at = ((void **)argument)[1];
  uint64_t *cell = drive_cells(f);
  __scale_event_acquired(&cell[0], 0x4000, 1, LOCK | SCALE_SITE_PROBE << 8);
  pthread_barrier_wait(at);
  pthread_barrier_wait(at);
  return NULL;
}

TEST(test_fork_of_threads)
{
  pthread_barrier_t at;
  pthread_t thread;
  struct drive_function *f = drive_function("threads");
  void *argument[2] = {f, &at};
  int status = -1;
  uint64_t *cell = drive_cells(f);
  pthread_barrier_init(&at, NULL, 2);
  pthread_create(&thread, NULL, keeps, argument);
  pthread_barrier_wait(&at);
  assert_true(__scale_held_by(__scale_thread_own, 0x4000, LOCK | SCALE_SITE_PROBE << 8) != 0);
  pid_t pid = fork();
  if (pid == 0) {
    uint64_t token = __scale_event_waits(&cell[1], 0x4000, LOCK | SCALE_SITE_PROBE << 8);
    __scale_event_waited(&cell[1], 0x4000, token, LOCK | SCALE_SITE_PROBE << 8);
    const struct scale_holder *h = (void *)(uintptr_t)drive_tally(&cell[1])->holders;
    _exit(drive_tally(&cell[1])->waits == 1 && h && !h->tally && h->waits == 1 ? 0 : 1);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  pthread_barrier_wait(&at);
  pthread_join(thread, NULL);
}

/* A child of a fiber has all nodes that there are: frames on other stacks may know any of them. */
static ucontext_t fork_home, fork_fiber;
static uint64_t *fork_cell;

static int has_all(uint64_t nodes)
{
  struct sc_arena *arena = NULL;
  CHECK(__scale_arena_owner(&arena, fork_cell) != NULL);
  CHECK(__scale_process()->header->nodes == nodes);
  return 0;
}

static void fork_on_fiber(void)
{
  uint64_t nodes = __scale_process()->header->nodes;
  int status = -1;
  pid_t pid = fork();
  if (pid == 0)
    _exit(has_all(nodes));
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  swapcontext(&fork_fiber, &fork_home);
}

TEST(test_fork_of_a_fiber)
{
  static char stack[256 << 10];
  for (int i = 0; i < 3; i++)
    fork_cell = drive_cells(drive_function("fiber"));
  getcontext(&fork_fiber);
  fork_fiber.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
  makecontext(&fork_fiber, fork_on_fiber, 0);
  swapcontext(&fork_home, &fork_fiber);
}

/* Nobody wants a profile: the functions do what they stand for, and nothing else. */
static int unprofiled(void)
{
  uint64_t *cell = drive_cells(drive_function("idle"));
  struct stock s = {cell, PTHREAD_MUTEX_INITIALIZER, NULL};
  stock_up(&s);
  if (pthread_mutex_trylock(&s.mutex) != EBUSY)
    return 1;
  give_back(&s);
  for (int i = 0; i < 6; i++)
    if (cell[i])
      return 2;
  return __scale_thread_own->held.count != 0;
}

TEST(test_unprofiled)
{
  int status = -1;
  pid_t pid = fork();
  if (pid == 0) {
    char *const argv[] = {"runtime_fork_test", "unprofiled", NULL};
    unsetenv("SCALE_PROFILE_DIR");
    execv("/proc/self/exe", argv);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
}

int main(int argc, char **argv)
{
  if (argc > 1 && !getenv("SCALE_PROFILE_DIR"))
    return unprofiled();
  drive_begin(argv, NULL);
  return drive_end(unit_run(NULL, NULL));
}

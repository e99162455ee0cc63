/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runtime does takes no more steps when there is more of everything: callees, held locks, threads, contexts.
 */
#include "unit.h"

#include "runtime_drive.h"
#include <sys/wait.h>

/* Steps that one operation may take on average, in whatever it looks something up. */
enum { STEPS_EACH = 200 };

enum { CALLEES = 10000, LOCKS = 100000, THREADS = 10000, FUNCTIONS = 5000 };

#define LOCK   DRIVE_HOW(MUTEX, ACQUIRE, 0)
#define UNLOCK DRIVE_HOW(MUTEX, RELEASE, 0)
#define TAKE   DRIVE_HOW(SEMAPHORE, ACQUIRE, 0)
#define POST   DRIVE_HOW(SEMAPHORE, RELEASE, 0)

static uint64_t began;

static void count_steps(void) { began = __scale_steps; }

/* The operations since count_steps took no more than the allowed number of steps. */
#define ASSERT_STEPS(operations) assert_in_range(__scale_steps - began, 0, (uint64_t)(operations)*STEPS_EACH)

static uint32_t random_below(uint32_t most)
{
  static uint32_t state = 1;
  state = state * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)state * most >> 32);
}

/* They stay for good: the runtime knows them. */
static struct drive_function *many_functions(int count)
{
  static struct drive_function *kept[2];
  static size_t used;
  struct drive_function *f = calloc((size_t)count, sizeof *f);
  assert_non_null(f);
  assert_true(used < sizeof kept / sizeof *kept);
  kept[used++] = f;
  for (int i = 0; i < count; i++) {
    drive_make(&f[i], "many");
    f[i].function.code = f[i].function.body = (uintptr_t)&f[i]; /* calls of it may go to its body at once */
  }
  return f;
}

/* One call site, ten thousand functions: each has its own entry, found again, in whatever order they are called. */
TEST(test_callees_of_a_site)
{
  struct drive_function *f = many_functions(CALLEES);
  struct drive_function *caller = drive_function("dispatch");
  struct drive_node *node = (void *)((char *)drive_cells(caller) - offsetof(struct drive_node, cell));
  struct scale_entry **entry = calloc(CALLEES, sizeof *entry);
  count_steps();
  for (int i = 0; i < CALLEES; i++) {
    entry[i] = __scale_enter(&node->slot, &f[i].function);
    entry[i]->count++;
  }
  ASSERT_STEPS(CALLEES);
  count_steps();
  for (int i = 0; i < 3 * CALLEES; i++) {
    uint32_t which = random_below(CALLEES);
    assert_ptr_equal(__scale_enter(&node->slot, &f[which].function), entry[which]);
  }
  ASSERT_STEPS(3 * CALLEES);
  int listed = 0;
  for (struct scale_entry *e = &node->slot; e; e = (void *)(uintptr_t)e->next)
    listed++;
  assert_int_equal(listed, CALLEES);
  for (int i = 0; i < CALLEES; i++)
    assert_int_equal(entry[i]->key, f[i].function.index);
  free(entry);
}

/* A thread that holds a hundred thousand locks, and gives them back in any order. */
TEST(test_held_locks)
{
  uint64_t *cell = drive_cells(drive_function("held"));
  static pthread_mutex_t mutex[LOCKS];
  static uint32_t order[LOCKS];
  __scale_event_acquired(&cell[0], (uintptr_t)&mutex[0], 1, LOCK); /* makes the tallies */
  __scale_event_releases(&cell[1], (uintptr_t)&mutex[0], 1, UNLOCK);
  for (int order_of = 0; order_of < 3; order_of++) { /* first in first out, the reverse, at random */
    count_steps();
    for (uint32_t i = 0; i < LOCKS; i++) {
      __scale_event_acquired(&cell[0], (uintptr_t)&mutex[i], 1, LOCK);
      order[i] = order_of == 1 ? LOCKS - 1 - i : i;
    }
    for (uint32_t i = LOCKS - 1; order_of == 2 && i > 0; i--) {
      uint32_t j = random_below(i + 1), moved = order[i];
      order[i] = order[j];
      order[j] = moved;
    }
    for (uint32_t i = 0; i < LOCKS; i++)
      __scale_event_releases(&cell[1], (uintptr_t)&mutex[order[i]], 1, UNLOCK);
    ASSERT_STEPS(2 * LOCKS);
  }
  struct scale_tally *t = drive_tally(&cell[0]);
  assert_int_equal(t->returned, t->acquires);
  assert_int_equal(t->holds, t->acquires);
  assert_int_equal(t->acquires, 3 * LOCKS + 1);
  assert_int_equal(t->peak, LOCKS);
  assert_int_equal(drive_tally(&cell[1])->strangers, 0);
  assert_int_equal(__scale_thread_own->held.count + __scale_thread_own->held.more, 0);
}

/* A recursive lock acquired in one place after another. */
TEST(test_nested_places)
{
  enum { PLACES = 1000 };
  struct drive_function *f = many_functions(PLACES);
  uint64_t **cell = calloc(PLACES, sizeof *cell);
  uint32_t how = LOCK | SCALE_SITE_PROBE << 8;
  for (int i = 0; i < PLACES; i++)
    cell[i] = drive_cells(&f[i]);
  for (int round = 0; round < 2; round++) {
    count_steps();
    for (int i = 0; i < PLACES; i++)
      __scale_event_acquired(&cell[i][0], 0x5000, 1, how);
    for (int i = 0; i < PLACES; i++)
      __scale_event_releases(&cell[0][1], 0x5000, 1, how);
    if (round) /* the tallies are there */
      ASSERT_STEPS(2 * PLACES);
  }
  for (int i = 0; i < PLACES; i++) {
    assert_int_equal(drive_tally(&cell[i][0])->returned, 2);
    assert_int_equal(drive_tally(&cell[i][0])->holds, i ? 0 : 2);
  }
  assert_int_equal(drive_tally(&cell[0][1])->strangers, 0);
  free(cell);
}

/*
 * Many threads at a time, each with an arena: what the runtime knows of a thread, played by one, for a machine may not
 * let us have ten thousand.
 */
static struct sc_arena **arenas;
static int arena_count;

static void need_arenas(int count)
{
  struct sc_arena *own = __scale_thread_own;
  arenas = arenas ? arenas : calloc(THREADS, sizeof *arenas);
  for (; arena_count < count; arena_count++) {
    struct sc_arena *a = __scale_arena_new(__scale_process());
    assert_non_null(a);
    a->owner = (uint32_t)getpid(); /* lives as long as we do */
    __scale_arena_link(a);
    arenas[arena_count] = a;
  }
  __scale_thread_own = own;
}

static uint64_t *cells_as(struct sc_arena *a, struct drive_function *f)
{
  struct scale_entry *entry;
  __scale_thread_own = a;
  entry = __scale_enter(&a->root->root, &f->function);
  return ((struct drive_node *)__scale_node(entry, &f->function))->cell;
}

/* Each of the threads has a unit of a semaphore, or reads under a lock; another one gives them back, and waits for it.
 */
TEST(test_units_of_many_threads)
{
  struct sc_arena *own = __scale_thread_own;
  struct drive_function *f = drive_function("crowd");
  uint64_t **cell = calloc(THREADS, sizeof *cell), *mine;
  sem_t semaphore;
  need_arenas(THREADS);
  for (int i = 0; i < THREADS; i++)
    cell[i] = cells_as(arenas[i], f);
  for (int round = 0; round < 2; round++) {
    count_steps();
    for (int i = 0; i < THREADS; i++) {
      __scale_thread_own = arenas[i];
      __scale_event_acquired(&cell[i][0], (uintptr_t)&semaphore, 1, TAKE);
    }
    if (round)
      ASSERT_STEPS(THREADS);
    mine = cells_as(own, f);
    uint64_t token = __scale_event_waits(&mine[1], (uintptr_t)&semaphore, TAKE);
    __scale_event_waited(&mine[1], (uintptr_t)&semaphore, token, TAKE);
    count_steps();
    for (int i = 0; i < THREADS; i++)
      __scale_event_releases(&mine[2], (uintptr_t)&semaphore, 1, POST);
    ASSERT_STEPS(THREADS);
    assert_int_equal(drive_tally(&mine[2])->strangers, (uint64_t)round);
    __scale_event_releases(&mine[2], (uintptr_t)&semaphore, 1, POST); /* of nobody */
    assert_int_equal(drive_tally(&mine[2])->strangers, (uint64_t)round + 1);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(drive_tally(&cell[i][0])->foreign, 2);
    assert_int_equal(drive_tally(&cell[i][0])->unseen, 0);
  }
  assert_true(((struct scale_holder *)(uintptr_t)drive_tally(&mine[1])->holders)->tally != 0);
  free(cell);
}

/* Threads that come and go while ten thousand others stay. */
static void *come(void *f)
{
  drive_cells(f);
  return __scale_thread_own;
}

TEST(test_threads_that_come_and_go)
{
  enum { ROUNDS = 300 };
  struct drive_function *f = drive_function("comes");
  uint64_t before = __scale_process()->header->arenas;
  void *arena;
  pthread_t thread;
  need_arenas(THREADS);
  drive_cells(f);
  before = __scale_process()->header->arenas;
  count_steps();
  for (int i = 0; i < ROUNDS; i++) {
    assert_int_equal(pthread_create(&thread, NULL, come, f), 0);
    pthread_join(thread, &arena);
    assert_non_null(arena);
  }
  ASSERT_STEPS(ROUNDS);
  assert_in_range(__scale_process()->header->arenas - before, 0, 50); /* most adopt that of one before */
}

/* A library that is loaded again, of many functions: each is known by its record, without a look at all others. */
TEST(test_library_loaded_again)
{
  static struct drive_function before[FUNCTIONS], after[FUNCTIONS];
  static struct scale_module_ref again;
  static struct scale_unit_ref unit = {SCALE_UNWRITTEN, 0, 0, (uintptr_t)&again};
  struct drive_function *caller = drive_function("caller");
  struct drive_node *node = (void *)((char *)drive_cells(caller) - offsetof(struct drive_node, cell));
  char name[DRIVE_TEXT];
  for (int i = 0; i < FUNCTIONS; i++) {
    snprintf(name, sizeof name, "f%d", i);
    drive_make(&before[i], name);
    drive_make(&after[i], name);
    after[i].function.unit = (uintptr_t)&unit - (uintptr_t)&after[i].function;
    __scale_enter(&node->slot, &before[i].function);
  }
  again = drive_module;
  again.reserved = 1; /* its record had been written before */
  count_steps();
  for (int i = 0; i < FUNCTIONS; i++) {
    __scale_enter(&node->slot, &after[i].function);
    assert_int_equal(after[i].function.index, before[i].function.index);
  }
  ASSERT_STEPS(FUNCTIONS);
}

/* A fork with ten thousand arenas, each with chunks: steps in proportion to them. */
TEST(test_fork_with_many_arenas)
{
  struct drive_function *f = drive_function("forks");
  int status = -1;
  need_arenas(THREADS);
  drive_cells(f);
  count_steps();
  pid_t pid = fork();
  if (pid == 0)
    _exit(__scale_steps - began > (uint64_t)THREADS * STEPS_EACH);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
}

int main(int argc, char **argv)
{
  (void)argc;
  drive_begin(argv, NULL);
  return drive_end(unit_run(NULL, NULL));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "profiles/scprof/dump.h"
#include "scprof_file.h"

struct fixture {
  struct builder b;
  uint64_t lock, unlock;
  char path[TEMPORARY_PATH];
};

/* main locks a mutex, waits for itself, and allocates. */
static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  builder_begin(&f->b, "/usr/bin/demo", "demo", 5);
  builder_clock(&f->b, 1000, 5000, 0.5);
  struct builder_loc loc = {0, SCALE_LOC_FUNCTION, 7, 0, 0, 0, "main", "demo.c", {0}};
  struct builder_event events[] = {
      {SCALE_CLASS_MUTEX, SCALE_EVENT_ACQUIRE, 0, "pthread_mutex_lock", "order_book::mutex", "book.c", 41, 17, 0, 0},
      {SCALE_CLASS_MUTEX, SCALE_EVENT_RELEASE, 0, "pthread_mutex_unlock", "order_book::mutex", "book.c", 41, 19, 0, 0},
      {SCALE_CLASS_HEAP, SCALE_EVENT_ACQUIRE, 0, "_Znwm", NULL, NULL, 0, 18, 0, 0}};
  uint32_t number = builder_function_events(&f->b, &loc, 1, NULL, 0, 0, events, 3);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
  f->lock = builder_tally(&f->b, node, number, 0, 0);
  f->unlock = builder_tally(&f->b, node, number, 1, 0);
  struct scale_tally *lock = builder_tally_at(&f->b, f->lock);
  lock->acquires = lock->holds = lock->units = lock->returned = 10;
  lock->waits = 2;
  lock->peak = 3; /* of three threads, one after another: there is one instance */
  lock->wait_ticks = 2400000;
  lock->hold_ticks = 6800;
  lock->first_tick = 2000;
  lock->last_tick = 2000000002000;
  lock->instances_0 = 1;
  builder_tally_at(&f->b, f->unlock)->releases = 10;
  struct scale_tally *heap = builder_tally_at(&f->b, builder_tally(&f->b, node, number, 2, 0));
  heap->acquires = 3;
  heap->units = heap->peak = 96;
  builder_holder(&f->b, f->lock, f->lock, 1, 2000000);
  builder_holder(&f->b, f->lock, 0, 1, 400000);
  temporary_path(f->path);
  *state = f;
  return 0;
}

SCPROF_FILE_TEAR_DOWN

static char *dump(struct fixture *f, int (*print)(const char *, FILE *), int expected)
{
  char *text;
  FILE *out = unit_stream(&text);
  builder_seal(&f->b);
  builder_write(&f->b, f->path);
  assert_int_equal(print(f->path, out), expected);
  fclose(out);
  return text;
}

TEST_WITH(usages_stand_below_their_contexts, set_up, tear_down)
{
  char *text = dump(*state, sc_dump_profile, 0);
  const char *tree = strstr(text, "process demo");
  assert_non_null(tree);
  assert_string_equal(
      tree,
      "process demo\n"
      "  function main demo.c:7 calls=1\n"
      "    mutex order_book::mutex (book.c:41)  pthread_mutex_lock:17:1  acquires 10, waits 2 (1.2 ms),"
      " holds 10 (3.4 us), units 10, returned 10, peak 1\n"
      "    mutex order_book::mutex (book.c:41)  pthread_mutex_unlock:19:1  releases 10\n"
      "    heap  operator new(unsigned long):18:1  acquires 3, units 96, peak 96\n"
      "# demo/main pthread_mutex_lock:17:1 waited 1 (1 ms) for mutex order_book::mutex (book.c:41), held by demo/main"
      " pthread_mutex_lock:17:1\n"
      "# demo/main pthread_mutex_lock:17:1 waited 1 (200 us) for mutex order_book::mutex (book.c:41)\n"
      "# mutex order_book::mutex (book.c:41): instances 1, call trees 1, active 1000 s, span 1000 s\n"
      "# heap: instances 0, call trees 1, active unknown, span unknown\n");
  free(text);
}

FIXTURE_TEST(traces_are_printed_in_order)
{
  uint64_t one = builder_ring(&f->b, 0, 3), two = builder_ring(&f->b, 7, 3);
  for (uint64_t i = 0; i < 4; i++)
    builder_trace(&f->b, one, 2000 + 2000 * i, i % 2 ? f->unlock : f->lock,
                  i % 2 ? SCALE_EVENT_RELEASE : SCALE_EVENT_ACQUIRE, 0x5000, 1);
  builder_trace(&f->b, two, 5000, f->lock, SCALE_EVENT_WAIT, 0x5000, 12);
  builder_trace(&f->b, two, 5000, f->lock, SCALE_EVENT_FAIL + 1, 0x5000, 12);
  builder_trace(&f->b, two, 5000, f->lock + 16, SCALE_EVENT_FAIL, 0x5000, 12);
  char *text = dump(f, sc_dump_trace, 0);
  assert_string_equal(text, "# thread 0: 1 events overwritten, 0 unreadable\n"
                            "# thread 7: 0 events overwritten, 2 unreadable\n"
                            "0.000000000\tthread 0\trelease\tmutex order_book::mutex (book.c:41)\t0x5000\t"
                            "pthread_mutex_unlock:19:1\t1\n"
                            "0.000000500\tthread 7\twait\tmutex order_book::mutex (book.c:41)\t0x5000\t"
                            "pthread_mutex_lock:17:1\t12 us\n"
                            "0.000001000\tthread 0\tacquire\tmutex order_book::mutex (book.c:41)\t0x5000\t"
                            "pthread_mutex_lock:17:1\t1\n"
                            "0.000002000\tthread 0\trelease\tmutex order_book::mutex (book.c:41)\t0x5000\t"
                            "pthread_mutex_unlock:19:1\t1\n");
  free(text);
}

TEST_WITH(a_profile_without_trace, set_up, tear_down)
{
  free(dump(*state, sc_dump_trace, SC_E_INPUT));
  assert_non_null(strstr(sc_err_message(), "no trace of resource events"));
  assert_non_null(strstr(sc_err_hint_text(), "SCALE_TRACE"));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units that threads take where they wait for a condition: which are a pool's, and how many there are. */
#include "unit.h"

#include "expand_scene.h"
#include "profiles/graph/usage.h"

static int set_up(void **state)
{
  struct fixture *f = expand_new("demo", 5);
  builder_clock(&f->b, 5000000, 70000000, 0.5);
  *state = f;
  return 0;
}

/* What one thread did: it saw `all` units, `agree` times, and others `differ` times. */
typedef struct thread {
  uint64_t acquires, returned, all, agree, differ;
} thread;

/* Threads take units, and wait for a condition for it. */
static void take(struct fixture *f, const char *condition, const thread *threads, size_t count, uint64_t waits)
{
  struct builder_loc loc = FUNCTION("take");
  struct builder_event events[] = {
      {SCALE_CLASS_SEMAPHORE, SCALE_EVENT_ACQUIRE, 0, "pthread_cond_wait", "free", "pool.c", 41, 12,
       SCALE_SITE_INFERRED, 0},
      {SCALE_CLASS_SEMAPHORE, SCALE_EVENT_RELEASE, 0, "pthread_cond_signal", "free", "pool.c", 41, 13,
       SCALE_SITE_INFERRED, 0},
      {SCALE_CLASS_CONDITION, SCALE_EVENT_WAIT, 0, "pthread_cond_wait", condition, "pool.c", 41, 12, 0, 0}};
  uint32_t number = builder_function_events(&f->b, &loc, 1, NULL, 0, 0, events, 3);
  for (size_t i = 0; i < count; i++) {
    uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1), tallies[3];
    for (uint32_t k = 0; k < 3; k++)
      tallies[k] = builder_tally(&f->b, node, number, k, 0);
    struct scale_tally *t = builder_tally_at(&f->b, tallies[0]);
    t->acquires = t->units = threads[i].acquires;
    t->returned = t->returned_units = threads[i].returned;
    t->reads = threads[i].all;
    t->writes = threads[i].agree - threads[i].differ;
    t->strangers = threads[i].agree + threads[i].differ;
    builder_tally_at(&f->b, tallies[1])->releases = threads[i].returned;
    t->waits = t->wait_ticks = waits;
    builder_tally_at(&f->b, tallies[2])->waits = builder_tally_at(&f->b, tallies[2])->wait_ticks = waits;
  }
  merge(f);
}

/* The class of what has the time of waits, and how many units there are. */
static enum sc_resource_class told(const thread *threads, size_t count, double *units)
{
  void *state;
  set_up(&state);
  struct fixture *f = state;
  take(f, "free", threads, count, 3);
  size_t rows, waits = 0;
  const sc_usage *row = sc_usage_rows(f->graph, f->run, &rows);
  enum sc_resource_class class = SC_RESOURCE_OTHER;
  *units = 0;
  for (size_t i = 0; i < rows; i++) {
    const sc_resource *resource = sc_usage_resource_at(f->graph, row[i].resource);
    if (row[i].event == SC_USAGE_EVENT_ACQUIRE) /* what they say of the pool is no use of it */
      assert_true(row[i].values[SC_USAGE_READS] + row[i].values[SC_USAGE_WRITES] + row[i].values[SC_USAGE_STRANGERS] ==
                  0);
    if (!(row[i].values[SC_USAGE_WAIT_SECONDS] > 0))
      continue;
    class = resource->resource_class;
    *units = resource->capacity;
    waits++;
  }
  assert_int_equal(waits, 1); /* one context */
  tear_down(&state);
  return class;
}

TEST(threads_that_give_back_use_a_pool)
{
  static const struct {
    uint64_t returned;
    bool pool;
  } cases[] = {{89, false}, {90, true}, {91, true}, {100, true}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    double units;
    const thread one = {100, cases[i].returned, 6, 20, 0};
    assert_int_equal(told(&one, 1, &units), cases[i].pool ? SC_RESOURCE_SEMAPHORE : SC_RESOURCE_CONDITION);
    assert_true(units == (cases[i].pool ? 6 : 0));
  }
}

/* Three of four observations must be of the same number: a queue that grows and shrinks is no pool. Of few any may be
 * off.
 */
TEST(as_many_are_out_and_left_at_any_time)
{
  static const struct {
    uint64_t agree, differ;
    bool pool;
  } cases[] = {{74, 26, false}, {75, 25, true}, {76, 24, true}, {2, 1, true}, {2, 2, false}, {3, 2, false}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    double units;
    const thread one = {100, 100, 6, cases[i].agree, cases[i].differ};
    assert_int_equal(told(&one, 1, &units), cases[i].pool ? SC_RESOURCE_SEMAPHORE : SC_RESOURCE_CONDITION);
  }
}

TEST(threads_vote_together)
{
  double units;
  static const thread most[] = {{40, 40, 7, 2, 0}, {40, 40, 6, 30, 1}, {40, 40, 6, 20, 1}};
  assert_int_equal(told(most, LENGTH(most), &units), SC_RESOURCE_SEMAPHORE);
  assert_true(units == 6);
  static const thread divided[] = {{40, 40, 7, 20, 0}, {40, 40, 6, 20, 0}};
  assert_int_equal(told(divided, LENGTH(divided), &units), SC_RESOURCE_CONDITION);
  static const thread nobody[] = {{40, 40, 0, 0, 0}, {40, 40, 0, 0, 0}};
  assert_int_equal(told(nobody, LENGTH(nobody), &units), SC_RESOURCE_SEMAPHORE);
  assert_true(units == 0);
}

/* Where the condition has another name its waits would be told twice: units that were waited for are left out. */
TEST(a_condition_of_another_name)
{
  for (uint64_t waits = 0; waits < 2; waits++) {
    void *made;
    set_up(&made);
    struct fixture *f = made;
    static const thread one = {100, 100, 6, 20, 0};
    take(f, "other", &one, 1, waits);
    size_t rows, units = 0;
    const sc_usage *row = sc_usage_rows(f->graph, f->run, &rows);
    for (size_t i = 0; i < rows; i++)
      units += sc_usage_resource_at(f->graph, row[i].resource)->resource_class == SC_RESOURCE_SEMAPHORE;
    assert_int_equal(units, waits ? 0 : 2); /* taken, and given back */
    tear_down(&made);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is to blame, in wait-for graphs whose answer is known. */
#include "unit.h"

#include "transitions/resources/blame.h"

#include "transitions_scene.h"

enum { LOCKS = 4 };

typedef struct plant {
  sc_graph *graph;
  uint32_t main, locks[LOCKS];
} plant;

static const double sizes[] = {100, 400, 1600};

static uint32_t make_resource(sc_graph *graph, enum sc_resource_class kind, const char *name)
{
  uint32_t number;
  assert_int_equal(
      sc_usage_resource(graph, &(sc_resource){.resource_class = kind, .name = name, .file = "b.c"}, &number), 0);
  return number;
}

static plant build(void)
{
  static const char *const names[LOCKS] = {"first", "second", "third", "fourth"};
  plant p = {.graph = scene_new(sizes, 3, "")};
  p.main = scene_main(p.graph);
  for (int i = 0; i < LOCKS; i++)
    p.locks[i] = make_resource(p.graph, SC_RESOURCE_MUTEX, names[i]);
  return p;
}

static uint32_t function(const plant *p, uint32_t parent, const char *name)
{
  return scene_function(p->graph, parent, name, scene_one, 0);
}

/* A call of pthread_mutex_lock: `values` acquires, waits, seconds waited, holds, seconds held. */
typedef struct call {
  double acquires, waits, waited, holds, held;
} call;

static uint32_t lock(const plant *p, size_t run, uint32_t context, uint32_t resource, uint32_t line, call c)
{
  uint32_t index;
  sc_usage usage = {.context = context,
                    .resource = resource,
                    .via = "pthread_mutex_lock",
                    .line = line,
                    .event = SC_USAGE_EVENT_ACQUIRE,
                    .values = {[SC_USAGE_ACQUIRES] = c.acquires,
                               [SC_USAGE_WAITS] = c.waits,
                               [SC_USAGE_WAIT_SECONDS] = c.waited,
                               [SC_USAGE_HOLDS] = c.holds,
                               [SC_USAGE_HOLD_SECONDS] = c.held},
                    .buckets = {[3] = 1, [20] = c.held > 8}}; /* nanoseconds, powers of two */
  assert_int_equal(sc_usage_add(p->graph, run, &usage, &index), 0);
  return index;
}

static void unlock(const plant *p, size_t run, uint32_t context, uint32_t resource)
{
  const sc_usage usage = {.context = context,
                          .resource = resource,
                          .via = "pthread_mutex_unlock",
                          .event = SC_USAGE_EVENT_RELEASE,
                          .values = {[SC_USAGE_RELEASES] = 1}};
  assert_int_equal(sc_usage_add(p->graph, run, &usage, NULL), 0);
}

static void pair(const plant *p, size_t run, uint32_t waiter, uint32_t holder, double waits, double seconds)
{
  const sc_wait_pair pair = {waiter, holder, waits, seconds};
  assert_int_equal(sc_usage_add_pair(p->graph, run, &pair), 0);
}

static sc_blame blame(const plant *p, uint32_t resource)
{
  sc_blame b;
  if (sc_blame_new(p->graph, resource, NULL, &b) < 0)
    fail_msg("%s", sc_err_message());
  return b;
}

static void release(plant *p, sc_blame *b)
{
  sc_blame_free(b);
  sc_graph_free(p->graph);
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

/* `put` waits for `take` 8 s and for itself 1 s, 1 s is nobody's; the smallest size has a tenth of one of them. */
TEST(edges_are_ranked_and_compared)
{
  plant p = build();
  uint32_t put = function(&p, p.main, "put"), take = function(&p, p.main, "take");
  uint32_t w = lock(&p, 2, put, p.locks[0], 10, (call){100, 50, 10, 100, 1});
  uint32_t h = lock(&p, 2, take, p.locks[0], 20, (call){100, 0, 0, 100, 9});
  pair(&p, 2, w, w, 8, 1);
  pair(&p, 2, w, h, 40, 8);
  pair(&p, 2, w, SC_USAGE_NONE, 2, 1);
  lock(&p, 0, take, p.locks[0], 20, (call){100, 0, 0, 100, 0.5});
  uint32_t w0 = lock(&p, 0, put, p.locks[0], 10, (call){100, 4, 0.1, 100, 1});
  pair(&p, 0, w0, 0, 4, 0.1);
  sc_blame b = blame(&p, p.locks[0]);
  assert_true(b.sizes[SC_BLAME_SMALL] == 100 && b.sizes[SC_BLAME_LARGE] == 1600);
  assert_false(b.expected);
  assert_int_equal(b.edge_count, 3);
  assert_int_equal(b.edges[0].holder.context, take);
  assert_int_equal(b.edges[0].holder.line, 20);
  assert_int_equal(b.edges[0].waiter.context, put);
  assert_true(near(b.edges[0].share, 0.8) && near(b.edges[1].share, 0.1) && near(b.edges[2].share, 0.1));
  assert_true(b.edges[0].waits[SC_BLAME_LARGE].count == 40 && b.edges[0].waits[SC_BLAME_SMALL].count == 4);
  assert_true(near(b.edges[0].waits[SC_BLAME_SMALL].seconds, 0.1));
  assert_true(b.waits[SC_BLAME_LARGE].count == 50 && near(b.waits[SC_BLAME_LARGE].seconds, 10));
  size_t nobody = 0;
  for (size_t i = 0; i < 3; i++)
    nobody += b.edges[i].holder.context == SC_USAGE_NONE && b.edges[i].waits[SC_BLAME_LARGE].count == 2;
  assert_int_equal(nobody, 1);
  assert_int_equal(b.chain_count, 1);
  assert_int_equal(b.end, SC_BLAME_HOLDER);
  assert_true(near(b.chain[0].share, 0.8) && b.chain[0].waiting == 0);
  assert_true(near(b.chain[0].longest, 1048576e-9));
  assert_true(near(b.chain[0].holds[SC_BLAME_LARGE].seconds, 9) && near(b.chain[0].holds[SC_BLAME_SMALL].seconds, 0.5));
  release(&p, &b);
}

/* Waits without any pair are known to be waits, but not for whom. */
TEST(an_unknown_holder_is_said)
{
  plant p = build();
  uint32_t put = function(&p, p.main, "put");
  lock(&p, 2, put, p.locks[0], 10, (call){100, 5, 2, 100, 1});
  sc_blame b = blame(&p, p.locks[0]);
  assert_int_equal(b.edge_count, 1);
  assert_int_equal(b.edges[0].holder.context, SC_USAGE_NONE);
  assert_true(near(b.edges[0].share, 1));
  assert_int_equal(b.chain_count, 1);
  assert_int_equal(b.end, SC_BLAME_UNKNOWN);
  release(&p, &b);
}

/* a waits for first, which b holds while it waits for second, which c holds while it waits for third, which d holds. */
TEST(chain_ends_with_who_does_not_wait)
{
  plant p = build();
  uint32_t a = function(&p, p.main, "a"), b_ = function(&p, p.main, "b"), c = function(&p, p.main, "c");
  uint32_t inner = function(&p, c, "inner"), d = function(&p, p.main, "d");
  uint32_t a1 = lock(&p, 2, a, p.locks[0], 1, (call){10, 9, 9, 10, 0.1});
  uint32_t b1 = lock(&p, 2, b_, p.locks[0], 10, (call){10, 0, 0, 10, 9.5});
  uint32_t b2 = lock(&p, 2, b_, p.locks[1], 11, (call){10, 8, 8, 10, 0.2});
  uint32_t c2 = lock(&p, 2, c, p.locks[1], 20, (call){10, 0, 0, 10, 8.5});
  uint32_t c3 = lock(&p, 2, inner, p.locks[2], 5, (call){10, 7, 7, 10, 0.3});
  uint32_t d3 = lock(&p, 2, d, p.locks[2], 40, (call){10, 0, 0, 10, 7.5});
  pair(&p, 2, a1, b1, 9, 9);
  pair(&p, 2, b2, c2, 8, 8);
  pair(&p, 2, c3, d3, 7, 7);
  sc_blame b = blame(&p, p.locks[0]);
  const uint32_t waiters[] = {a, b_, inner}, holders[] = {b_, c, d};
  assert_int_equal(b.chain_count, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(b.chain[i].resource, p.locks[i]);
    assert_int_equal(b.chain[i].waiter.context, waiters[i]);
    assert_int_equal(b.chain[i].holder.context, holders[i]);
  }
  assert_true(near(b.chain[0].waiting, 8 / 9.5) && near(b.chain[1].waiting, 7 / 8.5) && b.chain[2].waiting == 0);
  assert_int_equal(b.end, SC_BLAME_HOLDER);
  assert_int_equal(b.edge_count, 1);
  release(&p, &b);
}

/* What was recorded inside of holds is followed, wherever it stands in the source, and nothing else. */
TEST(recorded_waits_inside_are_followed)
{
  plant p = build();
  uint32_t a = function(&p, p.main, "a"), b_ = function(&p, p.main, "b"), c = function(&p, p.main, "c");
  uint32_t a1 = lock(&p, 2, a, p.locks[0], 1, (call){10, 9, 9, 10, 0.1});
  uint32_t b1 = lock(&p, 2, b_, p.locks[0], 10, (call){10, 0, 0, 10, 9.5});
  uint32_t b2 = lock(&p, 2, b_, p.locks[1], 9, (call){10, 8, 8, 10, 0.2});
  uint32_t b3 = lock(&p, 2, b_, p.locks[2], 11, (call){10, 8, 9, 10, 0.2});
  uint32_t c2 = lock(&p, 2, c, p.locks[1], 20, (call){10, 0, 0, 10, 8.5});
  pair(&p, 2, a1, b1, 9, 9);
  pair(&p, 2, b2, c2, 8, 8);
  pair(&p, 2, b3, c2, 8, 9);
  pair(&p, 2, b2, b1, 0, 3.8);
  sc_blame b = blame(&p, p.locks[0]);
  assert_int_equal(b.edge_count, 1);
  assert_int_equal(b.chain_count, 2);
  assert_true(near(b.chain[0].waiting, 3.8 / 9.5));
  assert_int_equal(b.chain[1].resource, p.locks[1]);
  assert_int_equal(b.chain[1].holder.context, c);
  release(&p, &b);
}

/* b waits for second, but only before it takes first, or longer than it ever has it: that is not while it holds. */
TEST(waits_outside_of_the_hold_are_not_followed)
{
  static const struct {
    uint32_t line;
    double waited;
  } outside[] = {{9, 8}, {11, 100}, {11, 0.01}};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    plant p = build();
    uint32_t a = function(&p, p.main, "a"), b_ = function(&p, p.main, "b"), c = function(&p, p.main, "c");
    uint32_t a1 = lock(&p, 2, a, p.locks[0], 1, (call){10, 9, 9, 10, 0.1});
    uint32_t b1 = lock(&p, 2, b_, p.locks[0], 10, (call){10, 0, 0, 10, 9.5});
    uint32_t b2 = lock(&p, 2, b_, p.locks[1], outside[i].line, (call){10, 8, outside[i].waited, 10, 9.9});
    uint32_t c2 = lock(&p, 2, c, p.locks[1], 20, (call){10, 0, 0, 10, 8.5});
    pair(&p, 2, a1, b1, 9, 9);
    pair(&p, 2, b2, c2, 8, outside[i].waited);
    sc_blame b = blame(&p, p.locks[0]);
    assert_int_equal(b.chain_count, 1);
    assert_int_equal(b.end, SC_BLAME_HOLDER);
    release(&p, &b);
  }
}

/* transfer > lock_first, then lock_second, then unlock_first: the hold is in transfer, not in lock_first. */
TEST(holds_through_functions_that_lock)
{
  plant p = build();
  uint32_t a = function(&p, p.main, "a"), transfer = function(&p, p.main, "transfer"), c = function(&p, p.main, "c");
  uint32_t first = function(&p, transfer, "lock_first"), second = function(&p, transfer, "lock_second");
  uint32_t done = function(&p, transfer, "unlock_first");
  uint32_t a1 = lock(&p, 2, a, p.locks[0], 1, (call){10, 9, 9, 10, 0.1});
  uint32_t t1 = lock(&p, 2, first, p.locks[0], 10, (call){10, 0, 0, 10, 9.5});
  uint32_t t2 = lock(&p, 2, second, p.locks[1], 4, (call){10, 8, 8, 10, 0.2});
  uint32_t c2 = lock(&p, 2, c, p.locks[1], 20, (call){10, 0, 0, 10, 8.5});
  unlock(&p, 2, done, p.locks[0]);
  pair(&p, 2, a1, t1, 9, 9);
  pair(&p, 2, t2, c2, 8, 8);
  sc_blame b = blame(&p, p.locks[0]);
  assert_int_equal(b.chain_count, 2);
  assert_int_equal(b.chain[1].waiter.context, second);
  assert_int_equal(b.chain[1].holder.context, c);
  release(&p, &b);
}

/* a holds first and waits for second; b holds second and waits for first. */
TEST(a_cycle_is_a_cycle)
{
  plant p = build();
  uint32_t a = function(&p, p.main, "a"), b_ = function(&p, p.main, "b");
  uint32_t a1 = lock(&p, 2, a, p.locks[0], 1, (call){10, 1, 0.5, 10, 9});
  uint32_t a2 = lock(&p, 2, a, p.locks[1], 2, (call){10, 9, 8, 10, 0.1});
  uint32_t b2 = lock(&p, 2, b_, p.locks[1], 11, (call){10, 1, 0.5, 10, 9});
  uint32_t b1 = lock(&p, 2, b_, p.locks[0], 12, (call){10, 9, 8, 10, 0.1});
  pair(&p, 2, a1, b1, 1, 0.5);
  pair(&p, 2, a2, b2, 9, 8);
  pair(&p, 2, b2, a2, 1, 0.5);
  pair(&p, 2, b1, a1, 9, 8);
  sc_blame b = blame(&p, p.locks[0]);
  assert_int_equal(b.chain_count, 2);
  assert_int_equal(b.end, SC_BLAME_CYCLE);
  assert_int_equal(b.cycle, 0);
  assert_int_equal(b.chain[0].waiter.context, b_);
  assert_int_equal(b.chain[1].waiter.context, a);
  release(&p, &b);
}

/* A condition's wait gives the lock back: who waits for work does not make others wait. */
TEST(waiting_for_a_condition_is_not_holding)
{
  plant p = build();
  uint32_t full = make_resource(p.graph, SC_RESOURCE_CONDITION, "full");
  uint32_t a = function(&p, p.main, "a"), b_ = function(&p, p.main, "b");
  uint32_t a1 = lock(&p, 2, a, p.locks[0], 1, (call){10, 9, 9, 10, 0.1});
  uint32_t b1 = lock(&p, 2, b_, p.locks[0], 10, (call){10, 0, 0, 10, 9.5});
  lock(&p, 2, b_, full, 11, (call){0, 10, 5, 0, 0});
  pair(&p, 2, a1, b1, 9, 9);
  sc_blame b = blame(&p, p.locks[0]);
  assert_int_equal(b.chain_count, 1);
  assert_int_equal(b.end, SC_BLAME_HOLDER);
  release(&p, &b);
}

/* Nobody waits: by acquires (3 : 1) and holds (1 : 3), the worst pair is the first one waiting for the second. */
TEST(who_would_wait_is_told_by_acquires_and_holds)
{
  plant p = build();
  uint32_t often = function(&p, p.main, "often"), longer = function(&p, p.main, "longer");
  lock(&p, 2, often, p.locks[0], 1, (call){300, 0, 0, 300, 1});
  lock(&p, 2, longer, p.locks[0], 2, (call){100, 0, 0, 100, 3});
  sc_blame b = blame(&p, p.locks[0]);
  assert_true(b.expected);
  assert_int_equal(b.edge_count, 4);
  assert_int_equal(b.edges[0].waiter.context, often);
  assert_int_equal(b.edges[0].holder.context, longer);
  assert_true(near(b.edges[0].share, 9.0 / 16) && near(b.edges[3].share, 1.0 / 16));
  assert_int_equal(b.chain_count, 0);
  assert_int_equal(b.end, SC_BLAME_NOBODY_WAITS);
  sc_blame_free(&b);
  b = blame(&p, p.locks[1]); /* that nobody touched */
  assert_false(b.expected);
  assert_int_equal(b.edge_count, 0);
  release(&p, &b);
}

/* Two runs of the largest size, one with 10 and one with 30 waits, are one with 20; a target run does not count. */
TEST(repeats_are_averaged)
{
  plant p = build();
  uint32_t put = function(&p, p.main, "put");
  size_t again, target;
  assert_int_equal(sc_graph_begin_run(p.graph, &(sc_run){.n = 1600, .repeat = 1}, &again), 0);
  assert_int_equal(sc_graph_begin_run(p.graph, &(sc_run){.n = 6400, .role = SC_RUN_TARGET}, &target), 0);
  uint32_t one = lock(&p, 2, put, p.locks[0], 10, (call){100, 10, 1, 100, 1});
  lock(&p, again, put, p.locks[1], 10, (call){100, 0, 0, 100, 1});
  uint32_t two = lock(&p, again, put, p.locks[0], 10, (call){100, 30, 5, 100, 3});
  uint32_t far = lock(&p, target, put, p.locks[0], 10, (call){100, 900, 900, 100, 1});
  pair(&p, 2, one, one, 10, 1);
  pair(&p, again, two, two, 30, 5);
  pair(&p, target, far, far, 900, 900);
  sc_blame b = blame(&p, p.locks[0]);
  assert_true(b.sizes[SC_BLAME_LARGE] == 1600);
  assert_int_equal(b.edge_count, 1);
  assert_true(b.edges[0].waits[SC_BLAME_LARGE].count == 20 && near(b.edges[0].waits[SC_BLAME_LARGE].seconds, 3));
  assert_true(near(b.chain[0].holds[SC_BLAME_LARGE].seconds, 2) && near(b.chain[0].longest, 8e-9));
  release(&p, &b);
}

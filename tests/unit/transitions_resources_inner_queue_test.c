/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two locks, one taken in holds of the other, as two queues that are each other's delay: solved by hand. */
#include "unit.h"

#include "transitions/model/data.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/demand_terms.h"
#include "transitions/resources/inner_locks.h"
#include "transitions/resources/queue.h"
#include "transitions_resources_made.h"

static const sc_resource locks[] = {{SC_RESOURCE_MUTEX, "outer", "a.c", 1}, {SC_RESOURCE_MUTEX, "inner", "a.c", 2}};
enum { OUTER, INNER, SIZES = 4, TAKE_LINE = 10, OTHER_LINE = 20, OUTER_LINE = 30 };
static const double OUTER_HOLD = 2e-3, OUTER_THINK = 30e-3, INNER_HOLD = 1e-3, INNER_THINK = 9e-3;

typedef struct scene {
  made_resources *m;
  sc_analysis analysis;
  size_t runs[SIZES];
  sc_rseries inner[SC_RMETRIC_ALL];
} scene;

/* In each run: waits for the inner lock while the outer one is held, of all waits in that place, in seconds; small ones
 * at the smaller sizes. */
typedef struct nested {
  double inside, all; /* of the larger sizes */
  double waits;       /* how many */
  double small;       /* inside, at the smaller sizes */
  bool shared;        /* the outer hold */
} nested;

static void set_model(scene *s, int cell, int metric, double coefficient, double exponent)
{
  made_power(s->m, metric, coefficient, exponent);
  if (cell == OUTER)
    return;
  s->inner[metric] = s->m->series[metric];
  s->m->cells[INNER].series[metric] = &s->inner[metric];
  s->m->cells[INNER].made[metric] = true;
}

static uint32_t note(scene *s, size_t run, uint32_t resource, uint32_t line, sc_usage usage)
{
  uint32_t index;
  usage.resource = resource;
  usage.via = "pthread_mutex_lock";
  usage.line = line;
  usage.event = SC_USAGE_EVENT_ACQUIRE;
  assert_int_equal(sc_usage_add(s->m->graph, run, &usage, &index), 0);
  return index;
}

static void fill_run(scene *s, size_t run, const nested *of)
{
  double threads = s->m->sizes[run] / 100, outer = 100 * threads, inside = 150 * threads, beside = 400 * threads;
  bool large = run >= SIZES / 2;
  double held = outer * OUTER_HOLD, seconds = large ? of->inside : of->small;
  sc_usage taken = {.values = {[SC_USAGE_ACQUIRES] = inside,
                               [SC_USAGE_WAITS] = of->waits,
                               [SC_USAGE_WAIT_SECONDS] = large ? of->all : of->small}};
  uint32_t waiter = note(s, run, INNER, TAKE_LINE, taken);
  taken.values[SC_USAGE_ACQUIRES] = beside;
  note(s, run, INNER, OTHER_LINE, taken);
  uint32_t holder =
      note(s, run, OUTER, OUTER_LINE, (sc_usage){.shared = of->shared, .values = {[SC_USAGE_ACQUIRES] = outer}});
  sc_wait_pair pair = {.waiter = waiter, .holder = holder, .seconds = seconds};
  assert_int_equal(sc_usage_add_pair(s->m->graph, run, &pair), 0);
  made_sum(s->m, OUTER, run, SC_USAGE_ACQUIRES, outer);
  made_sum(s->m, OUTER, run, SC_USAGE_HOLDS, outer);
  made_sum(s->m, OUTER, run, SC_USAGE_HOLD_SECONDS, held);
  made_sum(s->m, INNER, run, SC_USAGE_ACQUIRES, inside + beside);
  made_sum(s->m, INNER, run, SC_USAGE_HOLDS, inside + beside);
  made_sum(s->m, INNER, run, SC_USAGE_HOLD_SECONDS, (inside + beside) * INNER_HOLD);
  *made_occupancy(s->m, OUTER, run) = (sc_occupancy){OUTER, 1, threads, 3.2 * threads, 4, 0};
  *made_occupancy(s->m, INNER, run) = (sc_occupancy){INNER, 1, threads, 5.5 * threads, 5.5 / 0.9, 0};
}

static scene *begin(const nested *of)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(locks, 2, SIZES, 1);
  s->m->r.kind = SC_PARAMETER_THREADS;
  s->m->r.analysis = &s->analysis;
  s->analysis.runs = s->runs;
  for (size_t run = 0; run < SIZES; run++) {
    sc_run one = {.n = s->m->sizes[run], .role = SC_RUN_TRAINING};
    assert_int_equal(sc_graph_begin_run(s->m->graph, &one, &s->runs[run]), 0);
    fill_run(s, run, of);
  }
  for (int cell = INNER; cell >= OUTER; cell--) {
    set_model(s, cell, SC_RMETRIC_HOLD, cell ? INNER_HOLD : OUTER_HOLD, 0);
    set_model(s, cell, SC_RMETRIC_THINK, cell ? INNER_THINK : OUTER_THINK, 0);
    set_model(s, cell, SC_RMETRIC_THREADS, 0.01, 1);
    set_model(s, cell, SC_RMETRIC_INSTANCES, 1, 0);
  }
  unit_ok(sc_inner_locks_find(&s->m->r));
  return s;
}

static void end(scene *s)
{
  sc_inner_locks_free(&s->m->r);
  made_free(s->m);
  free(s);
}

typedef struct solution {
  double hold, wait, kept, think; /* of the outer one; for the inner one; share of its customers; added to think time */
} solution;

/* Those who wait for the outer lock do not come to the inner one: their number, in halvings. */
static solution solve(const nested *of, double n)
{
  double taken = fmin(1, of->inside / of->all) * 150 * 12, holds = 100 * 12, inside = taken / holds;
  double beside = (550 * 12 - taken) / holds, waited = 2 * of->inside / taken;
  double base = OUTER_HOLD - 2 * of->inside / holds, threads = n / 100, low = 0, high = 1;
  solution found = {0};
  for (int i = 0; i < 60; i++) {
    sc_queue inner = {.hold = INNER_HOLD, .think = INNER_THINK, .stations = 1, .servers = 1};
    found.kept = (low + high) / 2;
    inner.customers = 0.9 * threads * found.kept;
    found.wait = sc_queue_solve(&inner).wait;
    found.hold = base + inside * found.wait;
    found.think = beside * fmax(0, found.wait - waited);
    sc_queue outer = {.hold = found.hold,
                      .think = OUTER_THINK + found.think,
                      .customers = 0.8 * threads,
                      .stations = 1,
                      .servers = 1};
    sc_queue_result result = sc_queue_solve(&outer);
    double there = fmax(1 / (0.9 * threads), 1 - result.throughput * result.wait / outer.customers);
    *(there > found.kept ? &low : &high) = found.kept;
  }
  return found;
}

TEST(two_queues_agree)
{
  static const nested cases[] = {
      {0.3, 0.6, 200, 0.01}, {0.3, 0.3, 200, 0.01}, {0.9, 1.2, 200, 0.02}, {0.1, 2, 2000, 0}};
  for (size_t i = 0; i < COUNT(cases); i++)
    for (double n = 900; n <= 6400; n = n < 1000 ? 1600 : 2 * n) {
      scene *s = begin(&cases[i]);
      const sc_resource_cell *outer = &s->m->cells[OUTER], *inner = &s->m->cells[INNER];
      solution is = solve(&cases[i], n);
      double seconds, kept, least;
      uint32_t which = SC_USAGE_NONE;
      sc_interval hold = {1e-4, 0.5e-4, 2e-4}, think = {OUTER_THINK, OUTER_THINK / 2, 2 * OUTER_THINK};
      double taken = fmin(1, cases[i].inside / cases[i].all) * 1.5;
      unit_ok(sc_inner_locks_inside(&s->m->r, outer, n, &seconds, &which));
      assert_true(which == INNER);
      unit_near_by(seconds, taken * is.wait, 2e-3);
      unit_ok(sc_inner_locks_lengthen(&s->m->r, outer, SC_RMETRIC_HOLD, n, &hold));
      unit_near_by(hold.value, is.hold, 2e-3);
      assert_true(hold.low <= hold.value && hold.low > 0.9 * hold.value && hold.high < 1.1 * hold.value);
      unit_ok(sc_inner_locks_lengthen(&s->m->r, outer, SC_RMETRIC_THINK, n, &think));
      unit_near_by(think.value, OUTER_THINK + is.think, 2e-3);
      unit_near_by(think.low, OUTER_THINK / 2 + is.think, 5e-3);
      unit_near_by(think.high, 2 * OUTER_THINK + is.think, 5e-3);
      unit_ok(sc_inner_locks_kept(&s->m->r, inner, n, &kept, &least));
      unit_near_by(kept, is.kept, 2e-3);
      assert_true(least >= kept);
      unit_ok(sc_inner_locks_kept(&s->m->r, outer, n, &kept, &least));
      assert_true(kept == 1 && least == 1); /* nobody is kept from the outer one */
      hold = (sc_interval){1, 1, 1};
      unit_ok(sc_inner_locks_lengthen(&s->m->r, inner, SC_RMETRIC_HOLD, n, &hold));
      assert_true(hold.value == 1 && hold.low == 1 && hold.high == 1);
      end(s);
    }
}

/* A hold that gets longer by something else, too, is at least what its model says. */
TEST(what_waits_do_not_explain_stays)
{
  static const nested of = {0.3, 0.6, 200, 0.075};
  for (int longer = 0; longer < 2; longer++) {
    scene *s = begin(&of);
    for (size_t run = 0; run < SIZES / 2 && longer; run++) /* half as long at the smaller sizes */
      made_sum(s->m, OUTER, run, SC_USAGE_HOLD_SECONDS, s->m->sizes[run] * OUTER_HOLD / 2);
    sc_interval hold = {0.5, 0.25, 0.75}, open = {1e-4, 1e-4, INFINITY};
    solution is = solve(&of, 1600);
    unit_ok(sc_inner_locks_lengthen(&s->m->r, &s->m->cells[OUTER], SC_RMETRIC_HOLD, 1600, &hold));
    unit_ok(sc_inner_locks_lengthen(&s->m->r, &s->m->cells[OUTER], SC_RMETRIC_HOLD, 1600, &open));
    unit_near_by(hold.value, longer ? 0.5 : is.hold, 2e-3);
    if (longer)
      assert_true(hold.low == 0.25 && hold.high == 0.75);
    assert_true(isfinite(open.high) == !longer);
    end(s);
  }
}

/* Two waits inside tell; and only of two locks, beyond the sizes, of threads, by holds that exclude others. */
TEST(what_is_no_inner_lock_lengthens_nothing)
{
  double few = SC_INNER_LOCKS_WAITS;
  for (int i = 0; i < 7; i++) {
    nested of = {0.3, 0.6, 200, 0.01, i == 1};
    if (i == 2 || i == 3) /* of two runs, and of half of the waits */
      of.waits = i == 2 ? few * 0.999 : few * 1.001;
    scene *s = begin(&of);
    sc_interval hold = {1e-5, 1e-5, 1e-5};
    uint32_t which;
    double seconds, n = i == 4 ? 800 : 1600;
    sc_resources_place place = {0};
    if (i == 5)
      s->m->r.place = &place;
    if (i == 6)
      s->m->cells[INNER].exclusive = false;
    unit_ok(sc_inner_locks_lengthen(&s->m->r, &s->m->cells[OUTER], SC_RMETRIC_HOLD, n, &hold));
    unit_ok(sc_inner_locks_inside(&s->m->r, &s->m->cells[OUTER], n, &seconds, &which));
    if ((hold.value > 1e-5) != (i == 0 || i == 3) || (seconds > 0) != (i == 0 || i == 3))
      fail_msg("case %d: %g, %g", i, hold.value, seconds);
    assert_true(sc_inner_locks_are_pair(&s->m->r, &s->m->cells[OUTER], &s->m->cells[INNER]) == (i != 1));
    assert_true(sc_inner_locks_are_pair(&s->m->r, &s->m->cells[INNER], &s->m->cells[OUTER]) == (i != 1));
    assert_false(sc_inner_locks_are_pair(&s->m->r, &s->m->cells[INNER], &s->m->cells[INNER]));
    end(s);
  }
}

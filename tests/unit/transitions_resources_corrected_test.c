/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What corrects and bounds a queue's figures beyond the sizes: below, at and above each threshold. */
#include "unit.h"

#include "transitions/resources/calibrate.h"
#include "transitions/resources/corrected.h"
#include "transitions_resources_made.h"

enum { SIZES = 4 };
static const sc_resource lock = {SC_RESOURCE_MUTEX, "lock", "a.c", 1};
static const double HOLD = 1e-3, THINK = 9e-3, CYCLE = 10e-3;

/* n / 100 threads hold a lock for 1 ms and think for 9, 100 times each at 100, 200, 400 and 800. Waiting of the time
 * that is not waited: `odds` at each size. */
typedef struct scene {
  made_resources *m;
  sc_calibration calibration;
  sc_rpool pool;
  sc_rpool *pools[1];
} scene;

static scene *begin(void)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(&lock, 1, SIZES, 1);
  s->calibration = (sc_calibration){.busy = 1, .made = true};
  s->m->cells[0].calibration = &s->calibration;
  for (size_t run = 0; run < SIZES; run++) {
    double threads = s->m->sizes[run] / 100, acquires = 100 * threads;
    made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, acquires);
    made_sum(s->m, 0, run, SC_USAGE_UNITS, acquires);
    made_sum(s->m, 0, run, SC_USAGE_HOLDS, acquires);
    made_sum(s->m, 0, run, SC_USAGE_HOLD_SECONDS, acquires * HOLD);
    *made_occupancy(s->m, 0, run) = (sc_occupancy){0, 1, threads, threads, 1, threads};
  }
  made_power(s->m, SC_RMETRIC_HOLD, HOLD, 0);
  made_power(s->m, SC_RMETRIC_THINK, THINK, 0);
  made_power(s->m, SC_RMETRIC_ASK, CYCLE, 0);
  made_power(s->m, SC_RMETRIC_THREADS, 0.01, 1);
  made_power(s->m, SC_RMETRIC_INSTANCES, 1, 0);
  made_power(s->m, SC_RMETRIC_ACQUIRES, 1, 1);
  return s;
}

static void end(scene *s)
{
  made_free(s->m);
  free(s);
}

static sc_demand raw(const scene *s, double n)
{
  sc_demand d;
  unit_ok(sc_demand_raw(&s->m->r, &s->m->cells[0], &s->calibration, n, &d));
  return d;
}

static sc_demand at(const scene *s, double n)
{
  sc_demand d;
  unit_ok(sc_demand_at(&s->m->r, &s->m->cells[0], n, &d));
  assert_true(d.odds.low <= d.odds.value && d.odds.value <= d.odds.high);
  return d;
}

/* Seconds waited at a size, of a second's time of each thread: `odds` of the rest of it. */
static void wait_at(scene *s, size_t size, double odds, double waits)
{
  made_sum(s->m, 0, size, SC_USAGE_WAIT_SECONDS, s->m->sizes[size] / 100 * odds / (1 + odds));
  made_sum(s->m, 0, size, SC_USAGE_WAITS, waits);
}

/* What was seen of waiting: five times the time not waited is extrapolated to. */
typedef struct seen {
  double odds[SIZES], waits, slope, excess, n;
  bool added;
} seen;

static void is_added(const seen *x)
{
  scene *s = begin();
  for (size_t i = 0; i < SIZES; i++)
    wait_at(s, i, x->odds[i], i == SIZES - 1 ? x->waits : 1);
  made_power(s->m, SC_RMETRIC_WAIT_ODDS, 5, 0);
  s->m->series[SC_RMETRIC_WAIT_ODDS].slope = x->slope;
  s->calibration.figures[SC_FIGURE_WAITING].slope = x->excess;
  s->calibration.offered = 0.8;
  sc_demand q = raw(s, x->n), d = at(s, x->n);
  double weight = (1 - x->n / 1000) / (1 - 0.8); /* less and less of it, the nearer to saturation */
  unit_near(d.odds.value, x->added ? q.odds.value * pow(5 / q.odds.value, weight) : q.odds.value);
  unit_near(d.wait.value, d.odds.value * CYCLE);
  end(s);
}

/* Seen: a hundredth of the time at the largest size, fifty waits, at three sizes, rising by 15% and more than the
 * queue's, with an exponent of a half; and beyond the sizes. */
TEST(waiting_that_was_seen_to_grow_goes_on)
{
  static const double share = 0.01 / (1 - 0.01);
  static const seen cases[] = {
      {{0, 1e-3, 3e-3, share * 1.001}, 50, 0.5, 0.1, 900, true},
      {{0, 1e-3, 3e-3, share * 0.999}, 50, 0.5, 0.1, 900, false},
      {{0, 1e-3, 3e-3, share * 1.001}, 49, 0.5, 0.1, 900, false},
      {{0, 1e-3, 3e-3, share * 1.001}, 50, 0.499, 0.1, 900, false},
      {{0, 1e-3, 3e-3, share * 1.001}, 50, 0.5, 0, 900, false},
      {{0, 0, 3e-3, share * 1.001}, 50, 0.5, 0.1, 900, false},
      {{0.1, 0.1, 0.1151, 0.1151}, 50, 0.5, 0.1, 900, true},
      {{0.1, 0.1, 0.1149, 0.1149}, 50, 0.5, 0.1, 900, false},
      {{0.1, 0.1, 0.2, 0.2}, 50, 2, 0.1, 801, true},
      {{0.1, 0.1, 0.2, 0.2}, 50, 2, 0.1, 950, true},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    is_added(&cases[i]);
}

/* Not what is less than the queue's. */
TEST(less_than_the_queues_is_not_added)
{
  scene *s = begin();
  for (size_t i = 0; i < SIZES; i++)
    wait_at(s, i, 0.1 * (double)(i + 1), 50);
  made_power(s->m, SC_RMETRIC_WAIT_ODDS, 1e-6, 0);
  s->m->series[SC_RMETRIC_WAIT_ODDS].slope = 1;
  s->calibration.figures[SC_FIGURE_WAITING].slope = 1;
  s->calibration.apart = true;
  unit_near(at(s, 900).odds.value, raw(s, 900).odds.value);
  end(s);
}

/* By `off` logarithms, at every size. */
static void correct(scene *s, enum sc_figure figure, double off)
{
  s->calibration.figures[figure] = (sc_check){.count = 1,
                                              .missed = true,
                                              .share = figure != SC_FIGURE_WAITING,
                                              .settled = off,
                                              .n = {800},
                                              .off = {off},
                                              .predicted = {0.5},
                                              .measured = {0.5},
                                              .doubt = 0.05,
                                              .doubt_busy = 0.05};
}

/* Corrections of waiting fade on the way to saturation, from what was asked for at the largest size; not of threads
 * that never meet, nor where that is saturated already, nor within the sizes. */
TEST(corrections_of_waiting_fade_towards_saturation)
{
  static const struct {
    double n, offered, weight;
    bool apart, elsewhere;
  } cases[] = {{900, 0.8, 0.5, false, false}, {900, 0.6, 0.25, false, false}, {900, 0.95, 1, false, false},
               {900, 1, 1, false, false},     {900, 1.5, 1, false, false},    {900, 0.8, 1, true, false},
               {700, 0.4, 1, false, false},   {700, 0.4, 0.5, false, true},   {800, 0.2, 1, false, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = begin();
    correct(s, SC_FIGURE_WAITING, -1);
    s->calibration.offered = cases[i].offered;
    s->calibration.apart = cases[i].apart;
    s->calibration.figures[SC_FIGURE_USED].elsewhere = cases[i].elsewhere;
    if (cases[i].n == 800)
      made_sum(s->m, 0, 3, SC_USAGE_WAITS, 1), s->m->r.sizes[3] = 801; /* measured figures would replace it */
    sc_demand q = raw(s, cases[i].n), d = at(s, cases[i].n);
    unit_near(d.odds.value, q.odds.value * exp(-cases[i].weight));
    end(s);
  }
}

/* Beyond saturation each waits for what is asked for too much: n / 1,000 of it. Only beyond the sizes. */
TEST(who_asks_for_too_much_waits_for_it)
{
  scene *s = begin();
  correct(s, SC_FIGURE_WAITING, -9);
  s->calibration.offered = 2;
  unit_near(at(s, 3200).odds.value, 2.2);
  unit_near(at(s, 1100).odds.value, fmax(0.1, raw(s, 1100).odds.value * exp(-9)));
  s->calibration.apart = true;
  unit_near(at(s, 3200).odds.value, raw(s, 3200).odds.value * exp(-9));
  end(s);
}

/* Where hardly one wait is expected there may be none. */
TEST(fewer_than_one_wait_may_be_none)
{
  for (int more = 0; more < 2; more++) {
    scene *s = begin();
    sc_demand q = raw(s, 900);
    double acquires = 1 / q.blocked.value * (more ? 1.2 : 0.8); /* of one expected */
    made_power(s->m, SC_RMETRIC_ACQUIRES, acquires, 0);
    for (size_t run = 0; run < SIZES; run++)
      made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, 1);
    sc_demand d = at(s, 900);
    assert_true((d.wait.low > 0) == (d.blocked.low * acquires >= 1));
    if (!more)
      assert_true(d.blocked.low == 0 && d.wait.low == 0 && d.share.low == 0 && d.odds.low == 0);
    end(s);
  }
}

/* Nobody waits for less than those who waited, at the end of the sizes; longer where there is more work in the queue.
 */
TEST(waits_are_as_many_as_they_are_long)
{
  scene *s = begin();
  s->calibration.each_wait = 0.5e-3;
  s->calibration.each_customers = 8 * HOLD;
  sc_demand q = raw(s, 900), d = at(s, 900);
  /* each waits for 0.5 ms times 9/8 at most; half of them at least, where that is the mean */
  double each = 0.5e-3 * 9 / 8, rounds = 100, ends = pow(q.blocked.value, 2) * fmin(0.15, 7 / rounds);
  unit_near(d.blocked.value, fmax(q.blocked.value * (1 - ends / 2), fmin(q.crowded, q.odds.value * CYCLE / each / 2)));
  s->calibration.each_wait = 1e-5; /* all of those that can */
  unit_near(at(s, 900).blocked.value, q.crowded);
  s->calibration.each_wait = 1; /* none more */
  s->calibration.crowded = true;
  s->calibration.crowd_stays = true;
  s->calibration.crowd = 1;
  s->calibration.most_blocked = 0.1;
  d = at(s, 900);
  assert_true(d.blocked.low <= 0.09 + 1e-12);
  end(s);
}

/* The threads of a pool are no less busy for more clients than at the largest size: by a twentieth at most. */
TEST(a_pool_stays_as_busy_as_it_was)
{
  for (int pool = 0; pool < 2; pool++) {
    scene *s = begin();
    s->pool = (sc_rpool){.as = {.resource_class = SC_RESOURCE_CONDITION, .name = "pool", .capacity = 1}, .limit = 1};
    s->pools[0] = &s->pool;
    s->m->cells[0].exclusive = true;
    if (pool)
      s->m->r.pools = s->pools;
    made_power(s->m, SC_RMETRIC_THREADS, 1, 0); /* of one client there is a tenth */
    sc_demand d = at(s, 900);
    if (pool) {
      unit_near(d.used.value, 0.8 * 0.95);
      unit_near(d.used.low, 0.8 * 0.95);
      unit_near(d.utilisation.value, 0.8 * 0.95);
      assert_true(d.used.high >= d.used.value);
    } else {
      assert_true(d.used.value < 0.2);
    }
    end(s);
  }
}

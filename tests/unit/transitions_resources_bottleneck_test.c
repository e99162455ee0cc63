/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lock whose threads take another one, too, and share processors: the queue that is solved, and at which corners. */
#include "unit.h"

#include "transitions/resources/demand.h"
#include "transitions/resources/processors.h"
#include "transitions_resources_made.h"

static const sc_resource locks[] = {{SC_RESOURCE_MUTEX, "queue", "a.c", 1}, {SC_RESOURCE_MUTEX, "slow", "a.c", 2}};
static const sc_resource pools[] = {{SC_RESOURCE_MUTEX, "queue", "a.c", 1},
                                    {SC_RESOURCE_OTHER, "pool", "a.c", 2, .capacity = 3}};

enum { SIZES = 4 };
static const double HOLD = 1e-3, THINK = 9e-3, SLOW = 4e-3;

typedef struct scene {
  made_resources *m;
  sc_rseries slow[SC_RMETRIC_ALL];
  sc_rprocessors own, other;
  double work[SIZES], none[SIZES];
  sc_calibration calibration, slow_calibration;
} scene;

static void set_model(scene *s, uint32_t cell, int metric, double coefficient, double exponent)
{
  made_power(s->m, metric, coefficient, exponent);
  if (!cell)
    return;
  s->slow[metric] = s->m->series[metric];
  s->m->cells[1].series[metric] = &s->slow[metric];
  s->m->cells[1].made[metric] = true;
}

static void set_runs(scene *s, uint32_t cell, double each, double hold)
{
  for (size_t run = 0; run < SIZES; run++) {
    double threads = s->m->sizes[run] / 100, acquires = each * threads;
    made_sum(s->m, cell, run, SC_USAGE_ACQUIRES, acquires);
    made_sum(s->m, cell, run, SC_USAGE_UNITS, acquires);
    made_sum(s->m, cell, run, SC_USAGE_HOLDS, acquires);
    made_sum(s->m, cell, run, SC_USAGE_HOLD_SECONDS, acquires * hold);
    *made_occupancy(s->m, cell, run) = (sc_occupancy){cell, 1, threads, threads, 1, threads};
  }
}

/* n / 100 threads hold a lock for 1 ms and think for 9; meanwhile each takes a slow one twice, for 4 ms. */
static scene *begin_of(const sc_resource *kinds)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(kinds, 2, SIZES, 1);
  s->calibration = s->slow_calibration = (sc_calibration){.busy = 1, .made = true, .apart = true};
  s->own = s->other = (sc_rprocessors){.hold_part = 0.5,
                                       .think_part = 0.25,
                                       .roles = 1,
                                       .work = s->work,
                                       .ready = s->none,
                                       .think_ready = s->none,
                                       .hold_ready = s->none};
  set_model(s, 1, SC_RMETRIC_HOLD, SLOW, 0);
  set_model(s, 1, SC_RMETRIC_GRIP, SLOW, 0);
  set_model(s, 1, SC_RMETRIC_THINK, 1e-3, 0);
  set_model(s, 1, SC_RMETRIC_PACE, 1e-3, 0);
  set_model(s, 1, SC_RMETRIC_THREADS, 0.01, 1);
  set_model(s, 1, SC_RMETRIC_INSTANCES, 1, 0);
  set_model(s, 0, SC_RMETRIC_HOLD, HOLD, 0);
  set_model(s, 0, SC_RMETRIC_GRIP, HOLD, 0);
  set_model(s, 0, SC_RMETRIC_THINK, THINK, 0);
  set_model(s, 0, SC_RMETRIC_PACE, THINK, 0);
  set_model(s, 0, SC_RMETRIC_ASK, HOLD + THINK, 0);
  set_model(s, 0, SC_RMETRIC_THREADS, 0.01, 1);
  set_model(s, 0, SC_RMETRIC_INSTANCES, 1, 0);
  set_model(s, 0, SC_RMETRIC_ACQUIRES, 1, 1);
  set_runs(s, 0, 100, HOLD);
  set_runs(s, 1, 200, SLOW);
  s->m->cells[0].processors = &s->own;
  s->m->cells[1].processors = &s->other;
  return s;
}

static scene *begin(void) { return begin_of(locks); }

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

static void is_limited(const sc_demand *d, double throughput)
{
  unit_near_by(sc_queue_solve(&d->queue).throughput, throughput, 2 * SC_DEMAND_CLOSE);
}

static void is_limited_at(const scene *s, double n, double throughput)
{
  sc_demand d = raw(s, n);
  is_limited(&d, throughput);
}

/* The other one lets through 250 a second, and is taken twice as often. */
TEST(threads_that_wait_elsewhere_are_not_there)
{
  scene *s = begin();
  is_limited_at(s, 800, 125);
  assert_true(raw(s, 100).queue.customers == 1); /* who ask for 100 */
  set_model(s, 1, SC_RMETRIC_INSTANCES, 3, 0);
  is_limited_at(s, 800, 375);
  set_model(s, 1, SC_RMETRIC_INSTANCES, 0.5, 0); /* one at least */
  is_limited_at(s, 800, 125);
  set_model(s, 1, SC_RMETRIC_HOLD, 8e-3, 0);
  is_limited_at(s, 800, 62.5);
  set_runs(s, 1, 50, SLOW);
  is_limited_at(s, 800, 250);
  set_runs(s, 1, 0, SLOW); /* which nobody took */
  assert_true(raw(s, 800).queue.customers == 8);
  end(s);
  s = begin_of(pools); /* of three units: the instances of a pool are all the same */
  set_model(s, 1, SC_RMETRIC_INSTANCES, 2, 0);
  is_limited_at(s, 800, 375);
  end(s);
}

TEST(others_than_the_same_threads_keep_nobody_away)
{
  static const struct {
    uint64_t own, theirs;
    bool limited;
  } roles[] = {{1, 1, true}, {1, 3, true}, {3, 1, false}, {3, 7, true}, {2, 1, false}, {0, 1, false}};
  for (size_t i = 0; i < COUNT(roles); i++) {
    scene *s = begin();
    s->own.roles = roles[i].own;
    s->other.roles = roles[i].theirs;
    if ((raw(s, 800).queue.customers < 7.9) != roles[i].limited)
      fail_msg("case %zu: %g customers", i, raw(s, 800).queue.customers);
    end(s);
  }
  scene *s = begin();
  s->other.why = "it is not known";
  assert_true(raw(s, 800).queue.customers == 8);
  s->other.why = NULL;
  s->own.why = "it is not known";
  assert_true(raw(s, 800).queue.customers == 8);
  s->own.why = NULL;
  s->calibration.detached = true;
  assert_true(raw(s, 800).queue.customers == 8);
  end(s);
}

/* Threads that may meet are kept away by what is certain alone; where it is not, as many may be there. */
TEST(an_uncertain_bottleneck_may_be_none)
{
  scene *s = begin();
  s->calibration.apart = false;
  sc_demand d = raw(s, 800);
  is_limited(&d, 125);
  unit_near(d.most, fmin(1, d.queue.customers));
  unit_near(d.used.high, d.used.value);
  sc_model *hold = &s->slow[SC_RMETRIC_HOLD].shown.model;
  hold->exact = false;
  hold->degrees = 1000000;
  hold->covariance[0][0] = 0.04 * SLOW * SLOW; /* a third shorter at most */
  d = raw(s, 800);
  is_limited(&d, 125);
  unit_near(d.used.high, d.used.value);
  set_runs(s, 1, 200, 1.3e-3); /* or half as long: then it lets more through than are asked for */
  set_model(s, 1, SC_RMETRIC_HOLD, 1.3e-3, 0);
  hold->exact = false;
  hold->degrees = 1000000;
  hold->covariance[0][0] = 9e-6;
  assert_true(raw(s, 800).queue.customers == 8);
  s->calibration.apart = true;
  d = raw(s, 800);
  is_limited(&d, 1 / 1.3e-3 / 2);
  sc_queue all = d.queue;
  all.customers = 8;
  unit_near(d.most, 1);
  unit_near(d.used.value, sc_queue_solve(&d.queue).utilisation);
  unit_near(d.used.high, sc_queue_solve(&all).utilisation);
  end(s);
}

/* Beyond the sizes as many come as the bottleneck's own queue lets through, once it is calibrated: each cycle has one
 * hold for two of the other. */
TEST(beyond_the_sizes_flow_is_forced)
{
  scene *s = begin();
  assert_true(raw(s, 1600).queue.customers == 16);
  s->m->cells[1].calibration = &s->slow_calibration;
  sc_queue slow = {.hold = SLOW,
                   .think = 1e-3,
                   .customers = 16,
                   .stations = 1,
                   .servers = 1,
                   .hold_work = SLOW / 2,
                   .think_work = 0.25e-3};
  is_limited_at(s, 1600, sc_queue_solve(&slow).throughput / 2);
  slow.think = 20e-3; /* which is saturated at 16, and not quite */
  slow.think_work = 5e-3;
  set_model(s, 1, SC_RMETRIC_PACE, 20e-3, 0);
  is_limited_at(s, 1600, sc_queue_solve(&slow).throughput / 2);
  for (size_t run = 0; run < SIZES; run++) /* the larger half counts, whatever the ratio at smaller sizes */
    made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, run < 2 ? 1e6 : run == 2 ? 100 : 500);
  is_limited_at(s, 1600, sc_queue_solve(&slow).throughput * 600 / 2400);
  s->m->cells[1].lent = true; /* units that others give back say nothing of the flow */
  is_limited_at(s, 1600, 1 / SLOW * 500 / 1600);
  s->m->cells[1].lent = false;
  for (size_t run = 0; run < SIZES; run++)
    made_sum(s->m, 1, run, SC_USAGE_ACQUIRES, 10); /* which lets more through */
  assert_true(raw(s, 1600).queue.customers == 16);
  end(s);
}

/* On another machine only the number of processors is known; threads that are alone, or do not stay, have none. */
TEST(processors_are_those_of_the_machine)
{
  static const struct {
    bool made, detached, alone;
    double other, processors, others, handover;
  } cases[] = {{true, false, false, 0, 4, 2.5, 1e-5},
               {true, false, false, 16, 16, 0, 0},
               {false, false, false, 16, 4, 2.5, 1e-5},
               {true, true, false, 0, 0, 0, 0},
               {true, false, true, 0, 0, 0, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = begin();
    s->other.roles = 0;
    s->own.roles = 2;
    s->m->r.processors = 4;
    s->m->r.other_processors = cases[i].other;
    s->calibration = (sc_calibration){.busy = 1,
                                      .made = cases[i].made,
                                      .detached = cases[i].detached,
                                      .alone = cases[i].alone,
                                      .others = 2.5,
                                      .handover = 1e-5,
                                      .exposed = 0.75,
                                      .grouped = true};
    sc_demand d = raw(s, 400);
    bool shared = cases[i].processors > 0;
    if (d.queue.processors != cases[i].processors || d.queue.others != cases[i].others ||
        d.queue.handover != cases[i].handover)
      fail_msg("case %zu: %g processors, %g others, %g s", i, d.queue.processors, d.queue.others, d.queue.handover);
    assert_true(d.queue.grouped == shared && d.queue.hold_exposed == (shared ? 0.75 : 0));
    unit_near(d.queue.hold_work, shared ? HOLD / 2 : 0);
    unit_near(d.queue.think_work, shared ? THINK / 4 : 0);
    end(s);
  }
}

static void widen(sc_interval *i, double value)
{
  i->low = fmin(i->low, value);
  i->high = fmax(i->high, value);
}

/* Programs of others may be none, or more of them. */
TEST(other_programs_widen_what_is_solved)
{
  scene *s = begin();
  s->other.roles = 0;
  s->own.hold_part = s->own.think_part = 1;
  s->m->r.processors = 4;
  s->calibration.others = 3;
  sc_queue q = {.hold = HOLD,
                .think = THINK,
                .customers = 8,
                .stations = 1,
                .servers = 1,
                .hold_work = HOLD,
                .think_work = THINK,
                .processors = 4};
  const double others[] = {3, 0, 3 * SC_DEMAND_OTHERS};
  sc_interval used = {0}, odds = {0}, blocked = {0};
  for (size_t i = 0; i < COUNT(others); i++) {
    q.others = others[i];
    sc_queue_result result = sc_queue_solve(&q);
    double odd = result.share / (1 - result.share);
    if (!i) {
      used = (sc_interval){result.utilisation, result.utilisation, result.utilisation};
      odds = (sc_interval){odd, odd, odd};
      blocked = (sc_interval){result.blocked, result.blocked, result.blocked};
    }
    widen(&used, result.utilisation);
    widen(&odds, odd);
    widen(&blocked, result.blocked);
  }
  sc_demand d = raw(s, 800);
  const sc_interval *found[] = {&d.used, &d.odds, &d.blocked, &d.failed}, *is[] = {&used, &odds, &blocked, &blocked};
  for (size_t i = 0; i < COUNT(found); i++) {
    unit_near(found[i]->value, is[i]->value);
    unit_near(found[i]->low, is[i]->low);
    unit_near(found[i]->high, is[i]->high);
  }
  q.others = 3;
  unit_near(d.stretch, sc_queue_solve(&q).stretch);
  unit_near(d.cycle, sc_queue_solve(&q).cycle);
  unit_near(d.utilisation.value, 0.8 * sc_queue_slowed(&q));
  end(s);
}

/* What is asked for is off by a fifth: the hold is as much longer as makes it so; no more than all of the time. */
TEST(a_demand_that_is_off_is_corrected_by_the_hold)
{
  static const struct {
    double n, by, hold, think;
    bool detached;
  } cases[] = {{800, 1.2, 9e-3 * 0.12 / 0.88, 9e-3, false},
               {800, 0.5, 9e-3 * 0.05 / 0.95, 9e-3, false},
               {100, 9.9, 9e-3 * 0.99 / 0.01, 9e-3, false},
               {100, 10.1, 10e-3, 0, false},
               {800, 1.2, 1.2e-3, 10e-3, true},
               {100, 15, 15e-3, 10e-3, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = begin();
    s->own.why = "it is not known";
    s->calibration.detached = cases[i].detached;
    double off = log(cases[i].by);
    s->calibration.demand = (sc_check){.count = 1, .missed = true, .n = {100}, .off = {off}, .settled = off};
    sc_queue q = {.hold = cases[i].hold,
                  .think = cases[i].think,
                  .customers = cases[i].n / 100,
                  .stations = 1,
                  .servers = 1,
                  .detached = cases[i].detached};
    sc_demand d = raw(s, cases[i].n);
    sc_queue_result result = sc_queue_solve(&q);
    unit_near(d.utilisation.value, cases[i].by * cases[i].n * 1e-3);
    unit_near(d.used.value, result.utilisation);
    unit_near(d.blocked.value, result.blocked);
    unit_near(d.odds.value, sc_odds_of_share(result.share));
    unit_near(d.queue.hold, HOLD); /* which is what it was */
    end(s);
  }
}

/* Twelve units, taken three at a time, are four servers; taken by less than one, all of them. */
TEST(servers_are_as_many_as_take_units_at_once)
{
  static const struct {
    double capacity, units, servers;
  } cases[] = {{12, 3, 4}, {12, 1, 12}, {12, 24, 1}, {12, 0, 12}, {3, 2, 1.5}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const sc_resource pool[] = {{SC_RESOURCE_OTHER, "pool", "a.c", 1, .capacity = cases[i].capacity},
                                {SC_RESOURCE_MUTEX, "slow", "a.c", 2}};
    scene *s = begin_of(pool);
    s->own.roles = 0;
    for (size_t run = 0; run < SIZES; run++)
      made_sum(s->m, 0, run, SC_USAGE_UNITS, cases[i].units * s->m->sizes[run]);
    sc_demand d = raw(s, 800);
    unit_near(d.queue.servers, cases[i].servers);
    unit_near(d.utilisation.value, 0.8 / cases[i].servers);
    assert_true(d.queue.stations == 1);
    end(s);
  }
}

/* A queue of work is saturated at once, and serves as many more as there are workers. */
TEST(what_serves_more_with_each_worker_awaits_work)
{
  static const struct {
    double exponent, busy; /* of what it serves in a second; of its time at the smallest size */
    enum sc_parameter_kind kind;
    bool awaits;
  } cases[] = {{1, 0.95, SC_PARAMETER_THREADS, true},
               {1, 0.95, SC_PARAMETER_DATA, false},
               {1, 0.5, SC_PARAMETER_THREADS, false},
               {0, 0.95, SC_PARAMETER_THREADS, false},
               {SC_DEMAND_SERVES * 1.02, 0.95, SC_PARAMETER_THREADS, true},
               {SC_DEMAND_SERVES * 0.98, 0.95, SC_PARAMETER_THREADS, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = begin();
    s->m->r.kind = cases[i].kind;
    for (size_t run = 0; run < SIZES; run++) {
      double span = 1 + (double)run, served = 100 * pow(s->m->sizes[run] / 100, cases[i].exponent) * span;
      made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, served);
      made_sum(s->m, 0, run, SC_USAGE_HOLDS, served);
      made_sum(s->m, 0, run, SC_USAGE_HOLD_SECONDS, cases[i].busy * span);
      *made_occupancy(s->m, 0, run) = (sc_occupancy){0, 1, 2, 2 * span, span, 0};
    }
    if (sc_resources_awaits_work(&s->m->r, 0) != cases[i].awaits)
      fail_msg("case %zu", i);
    end(s);
  }
}

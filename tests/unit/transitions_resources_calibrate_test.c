/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sizes measured say of a lock's queue: made of sums that a queue known beforehand would leave. */
#include "unit.h"

#include "transitions/resources/calibrate.h"
#include "transitions/resources/demand.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/queue.h"
#include "transitions_resources_made.h"

enum { SIZES = 4, PROCESSORS = 4 };
static const sc_resource lock = {SC_RESOURCE_MUTEX, "lock", "a.c", 1};
#define HOLD_SECONDS  1e-3
#define THINK_SECONDS 9e-3
static const double HOLD = HOLD_SECONDS, THINK = THINK_SECONDS;

/* n / 100 threads and two more hold one of `instances` locks for 1 ms and think for 9, at 100 to 800; of their acquires
 * a share waits. */
static made_resources *begin(const sc_resource *kind, double instances)
{
  made_resources *m = made_new(kind, 1, SIZES, 1);
  m->cells[0].exclusive = true;
  for (size_t run = 0; run < SIZES; run++) {
    double threads = 2 + m->sizes[run] / 100, acquires = 1000 * threads;
    made_sum(m, 0, run, SC_USAGE_ACQUIRES, acquires);
    made_sum(m, 0, run, SC_USAGE_UNITS, acquires);
    made_sum(m, 0, run, SC_USAGE_HOLDS, acquires);
    made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, acquires * HOLD);
    *made_occupancy(m, 0, run) =
        (sc_occupancy){0, instances, threads, acquires * (HOLD + THINK), 1000 * (HOLD + THINK), threads};
  }
  made_power(m, SC_RMETRIC_HOLD, HOLD, 0);
  made_power(m, SC_RMETRIC_THINK, THINK, 0);
  made_power(m, SC_RMETRIC_ASK, HOLD + THINK, 0);
  made_power(m, SC_RMETRIC_GRIP, HOLD, 0);
  made_power(m, SC_RMETRIC_PACE, THINK, 0);
  made_power(m, SC_RMETRIC_THREADS, 0.01, 1);
  m->series[SC_RMETRIC_THREADS].shown.model.terms[1] = (sc_term){.coefficient = 2};
  m->series[SC_RMETRIC_THREADS].shown.model.term_count = 2;
  made_power(m, SC_RMETRIC_INSTANCES, instances, 0);
  made_power(m, SC_RMETRIC_ACQUIRES, 1000, 0);
  return m;
}

/* Waits as a queue of this many stations has them, whose customers are all among `m`'s threads. */
static sc_queue_result wait_in(made_resources *m, size_t run, sc_queue q)
{
  double acquires = m->sums[0][run * SC_RSUM_COUNT + SC_USAGE_ACQUIRES];
  sc_queue_result result = sc_queue_solve(&q);
  made_sum(m, 0, run, SC_USAGE_WAITS, acquires * result.blocked);
  made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, acquires * result.wait);
  sc_occupancy *o = made_occupancy(m, 0, run);
  o->active_seconds = acquires * (HOLD + THINK + result.wait);
  o->span_seconds = o->active_seconds / o->threads;
  return result;
}

static sc_queue queue_of(const made_resources *m, size_t run, double stations)
{
  return (sc_queue){
      .hold = HOLD, .think = THINK, .customers = 2 + m->sizes[run] / 100, .stations = stations, .servers = 1};
}

static const sc_calibration *calibrate(made_resources *m)
{
  const sc_calibration *c;
  unit_ok(sc_calibration_get(&m->r, &m->cells[0], &c));
  assert_ptr_equal(c, m->cells[0].calibration);
  const sc_calibration *again;
  unit_ok(sc_calibration_get(&m->r, &m->cells[0], &again));
  assert_ptr_equal(again, c);
  return c;
}

static void end(made_resources *m)
{
  free(m->cells[0].calibration);
  made_free(m);
}

TEST(what_waits_as_the_queue_says_needs_no_correction)
{
  made_resources *m = begin(&lock, 1);
  double wait = 0, waits = 0;
  for (size_t run = 0; run < SIZES; run++) {
    sc_queue_result result = wait_in(m, run, queue_of(m, run, 1));
    wait = result.wait, waits = result.blocked;
  }
  const sc_calibration *c = calibrate(m);
  assert_true(c->made && !c->detached && !c->crowded && !c->apart && !c->fails && !c->tried && !c->alone);
  unit_near(c->busy, 1);
  unit_near(c->each_wait, wait / waits);
  unit_near(c->each_customers, 10 * HOLD);
  unit_near(c->offered, 10 * HOLD / (HOLD + THINK));
  assert_true(c->others == 0 && c->handover == 0 && c->exposed == 0);
  for (int figure = 0; figure < SC_FIGURE_FAILED; figure++) {
    assert_int_equal(c->figures[figure].count, SIZES);
    for (size_t i = 0; i < SIZES; i++)
      assert_true(fabs(c->figures[figure].off[i]) < 1e-9);
  }
  assert_int_equal(c->figures[SC_FIGURE_FAILED].count, 0);
  end(m);
}

/* A thread that holds for longer than it is there, waits left out, holds more than one: by a twentieth, at the larger
 * sizes. Shared holds are none of that. */
TEST(who_holds_more_than_one_unit_is_detached)
{
  static const struct {
    double held, shared;
    bool detached;
  } cases[] = {{1.04, 0, false}, {1.06, 0, true}, {1.06, 0.03, false}, {1.09, 0.03, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    made_resources *m = begin(&lock, 1);
    for (size_t run = 0; run < SIZES; run++) {
      double free = made_occupancy(m, 0, run)->active_seconds;
      bool larger = run >= SIZES / 2;
      made_sum(m, 0, run, SC_USAGE_WAITS, 1);
      made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, 2);
      made_occupancy(m, 0, run)->active_seconds += 2;
      made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, larger ? cases[i].held * free : 20 * free);
      made_sum(m, 0, run, SC_RSUM_SHARED_SECONDS, larger ? cases[i].shared * free : 0);
    }
    assert_true(calibrate(m)->detached == cases[i].detached);
    end(m);
  }
  made_resources *m = begin(&(sc_resource){SC_RESOURCE_SEMAPHORE, "units", "a.c", 1, .capacity = 4}, 1);
  m->cells[0].lent = true; /* whoever takes them, for no time */
  for (size_t run = 0; run < SIZES; run++)
    made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, 0);
  assert_true(calibrate(m)->detached);
  end(m);
}

/* Failures of the largest size tell that it is tried; and that it only is, if nobody ever waited. */
TEST(what_fails_may_only_be_tried)
{
  static const struct {
    double failures[2], waits[2]; /* at the first and the last size */
    bool fails, tried;
  } cases[] = {{{5, 0}, {0, 0}, false, false},
               {{0, 1}, {0, 0}, true, true},
               {{0, 5}, {1, 0}, true, false},
               {{0, 5}, {0, 1}, true, false},
               {{0, 0}, {1, 1}, false, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    made_resources *m = begin(&lock, 1);
    for (size_t k = 0; k < 2; k++) {
      made_sum(m, 0, k * (SIZES - 1), SC_USAGE_FAILURES, cases[i].failures[k]);
      made_sum(m, 0, k * (SIZES - 1), SC_USAGE_WAITS, cases[i].waits[k]);
    }
    const sc_calibration *c = calibrate(m);
    assert_true(c->fails == cases[i].fails && c->tried == cases[i].tried && !(c->fails && c->apart));
    end(m);
  }
}

/* How long a thread takes from one acquire to the next, over what the queue's cycle has: the median of the larger
 * sizes. */
TEST(what_the_cycle_leaves_out_is_a_median)
{
  static const double factors[SIZES] = {7, 7, 1.6, 1.2};
  made_resources *m = begin(&lock, 1);
  for (size_t run = 0; run < SIZES; run++) {
    wait_in(m, run, queue_of(m, run, 1));
    made_occupancy(m, 0, run)->active_seconds +=
        (factors[run] - 1) * (HOLD + THINK) * sc_resource_cell_sum(&m->cells[0], run, SC_USAGE_ACQUIRES);
  }
  unit_near(calibrate(m)->busy, 1.4);
  end(m);
}

/* Waits of all the acquires that two of the instances explain: as many however many there are, or their share. */
TEST(few_of_many_instances_make_the_waits)
{
  made_resources *m = begin(&lock, 16);
  for (size_t run = 0; run < SIZES; run++)
    wait_in(m, run, queue_of(m, run, 2));
  const sc_calibration *c = calibrate(m);
  assert_true(c->crowded && c->crowd_stays);
  unit_near_by(c->crowd, 2, 2e-3);
  unit_near(c->most_blocked, sc_queue_solve(&(sc_queue){HOLD, THINK, 10, 2, 1}).blocked);
  end(m);
  m = begin(&lock, 16);
  made_power(m, SC_RMETRIC_INSTANCES, 0.02, 1); /* 2, 4, 8 and 16 */
  for (size_t run = 0; run < SIZES; run++) {
    made_occupancy(m, 0, run)->instances = 0.02 * m->sizes[run];
    wait_in(m, run, queue_of(m, run, 0.01 * m->sizes[run]));
  }
  c = calibrate(m);
  assert_true(c->crowded && !c->crowd_stays);
  unit_near_by(c->crowd, 0.5, 2e-3);
  end(m);
}

/* From half as many again on: three instances, whose waits two would make, or a few more. */
TEST(nearly_as_many_instances_are_all)
{
  static const double stations[] = {1.98, 2.02};
  for (size_t i = 0; i < COUNT(stations); i++) {
    made_resources *m = begin(&lock, 3);
    for (size_t run = 0; run < SIZES; run++)
      wait_in(m, run, queue_of(m, run, stations[i]));
    assert_true(calibrate(m)->crowded == (i == 0));
    end(m);
  }
}

/* Fifty waits of a size are looked at. */
TEST(few_waits_tell_of_no_crowd)
{
  for (int more = 0; more < 2; more++) {
    made_resources *m = begin(&lock, 16);
    for (size_t run = 0; run < SIZES; run++) {
      wait_in(m, run, queue_of(m, run, 1));
      if (run + 1 < SIZES || !more)
        made_sum(m, 0, run, SC_USAGE_WAITS, 49);
    }
    const sc_calibration *c = calibrate(m);
    assert_true(c->crowded == (more == 1) && (c->most_blocked > 0) == (more == 1));
    end(m);
  }
}

/* The processors of four of the machine's, as the runs show them: seconds of work in a cycle, and ready without one. */
static void share_processors(made_resources *m, sc_rprocessors *own, double work[SIZES], double ready[SIZES],
                             double think_ready[SIZES], double hold_ready[SIZES])
{
  *own = (sc_rprocessors){.hold_part = 1,
                          .think_part = 1,
                          .roles = 1,
                          .work = work,
                          .ready = ready,
                          .think_ready = think_ready,
                          .hold_ready = hold_ready};
  m->cells[0].processors = own;
  m->r.processors = PROCESSORS;
}

/* As many threads of other programs as make ready time what it was: work times what they make it longer by. */
TEST(other_programs_are_as_many_as_ready_time_tells)
{
  for (double others = 0; others <= 6; others += 3) {
    double work[SIZES] = {0}, ready[SIZES] = {0}, think_ready[SIZES] = {0}, hold_ready[SIZES] = {0};
    sc_rprocessors own;
    made_resources *m = begin(&lock, 1);
    share_processors(m, &own, work, ready, think_ready, hold_ready);
    for (size_t run = 0; run < SIZES; run++) {
      sc_calibration is = {.busy = 1, .others = others};
      sc_demand d;
      unit_ok(sc_demand_raw(&m->r, &m->cells[0], &is, m->sizes[run], &d));
      work[run] = HOLD + THINK;
      ready[run] = work[run] * (d.stretch - 1);
    }
    const sc_calibration *c = calibrate(m);
    if (others > 0)
      unit_near_by(c->others, others, 5e-3);
    else
      assert_true(c->others == 0);
    end(m);
  }
}

/* Threads that hardly work do not tell: less than a twentieth of their time. */
TEST(threads_that_sleep_tell_nothing_of_processors)
{
  for (int more = 0; more < 2; more++) {
    double work[SIZES] = {0}, ready[SIZES] = {0}, think_ready[SIZES] = {0}, hold_ready[SIZES] = {0};
    sc_rprocessors own;
    made_resources *m = begin(&lock, 1);
    share_processors(m, &own, work, ready, think_ready, hold_ready);
    for (size_t run = 0; run < SIZES; run++) {
      work[run] = (more ? 0.0501 : 0.0499) * (HOLD + THINK);
      ready[run] = 0.1 * work[run];
    }
    own.hold_part = own.think_part = 0.05;
    const sc_calibration *c = calibrate(m);
    assert_true((c->others > 0) == (more == 1));
    assert_true(more == 1 || c->exposed == 0);
    end(m);
  }
}

/* Of the larger half of the sizes, how much of the span threads are there: all of it where nobody knows. */
TEST(threads_are_there_for_a_part_of_the_time)
{
  static const struct {
    double active, span, presence; /* of a thread at each larger size; span of the resource */
  } cases[] = {{0.3, 0.4, 0.75}, {0.3, 0.3, 1}, {0.4, 0.3, 1}, {0, 0.3, 1}, {0.3, 0, 1}, {0.001, 0.1, 0.01}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    made_resources *m = begin(&lock, 1);
    for (size_t run = 0; run < SIZES; run++) {
      sc_occupancy *o = made_occupancy(m, 0, run);
      bool larger = run >= SIZES / 2;
      o->threads = 1;
      o->active_seconds = larger ? cases[i].active / 2 : 1e3; /* of both runs together */
      o->span_seconds = larger ? cases[i].span / 2 : 7e5;
    }
    unit_near(sc_demand_presence(&m->r, &m->cells[0]), cases[i].presence);
    end(m);
  }
}

/* More threads or clients ask for more, whatever was seen; of other parameters it has to be seen: that it rises by 15%
 * and with a slope of a tenth. */
TEST(demand_grows_with_workers_or_is_seen_to)
{
  static const struct {
    enum sc_parameter_kind kind;
    double held[SIZES], slope;
    bool grows;
  } cases[] = {{SC_PARAMETER_THREADS, {1, 1, 1, 1}, 0, true},       {SC_PARAMETER_CLIENTS, {1, 1, 1, 1}, 0, true},
               {SC_PARAMETER_DATA, {1, 1, 1, 1}, 1, false},         {SC_PARAMETER_WORK, {1, 1, 1.16, 1.16}, 0.1, true},
               {SC_PARAMETER_DATA, {1, 1, 1.14, 1.14}, 0.1, false}, {SC_PARAMETER_DATA, {1, 1, 2, 2}, 0.099, false},
               {SC_PARAMETER_DATA, {2, 2, 1, 1}, 0.2, false}};
  for (size_t i = 0; i < COUNT(cases); i++)
    for (int waits = 0; waits < 2; waits++) {
      made_resources *m = begin(&lock, 1);
      bool grows = !cases[i].grows;
      m->r.kind = cases[i].kind;
      for (size_t run = 0; run < SIZES; run++) {
        made_occupancy(m, 0, run)->span_seconds = 10;
        made_occupancy(m, 0, run)->active_seconds = 100;
        double held = cases[i].held[run], odds = 0.1 * held;
        made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, waits ? 1 : held);
        made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, waits ? 100 * odds / (1 + odds) : 0);
      }
      made_power(m, SC_RMETRIC_UTILISATION, 0.1, 0);
      made_power(m, SC_RMETRIC_WAIT_ODDS, 0.1, 0);
      m->series[waits ? SC_RMETRIC_WAIT_ODDS : SC_RMETRIC_UTILISATION].slope = cases[i].slope;
      unit_ok(sc_demand_grows(&m->r, &m->cells[0], &grows));
      if (grows != cases[i].grows)
        fail_msg("case %zu", i);
      end(m);
    }
}

/* ---- threads that are never met ---- */

/* Of acquires that would find it taken, all but one in fifty do not. */
TEST(threads_that_take_turns_are_apart)
{
  static const struct {
    double waits, busy, threads; /* share of the acquires; of the time that it is held; at the larger sizes */
    bool apart;
  } cases[] = {{0, 0.5, 4, true},      {0.0074, 0.5, 4, true},  {0.0076, 0.5, 4, false}, {0, 0.5, 1, false},
               {0.0049, 0.5, 2, true}, {0.0051, 0.5, 2, false}, {0, 0.0083, 4, false},   {0, 0.0084, 4, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    made_resources *m = begin(&lock, 1);
    for (size_t run = 0; run < SIZES; run++) {
      bool larger = run >= SIZES / 2;
      sc_occupancy *o = made_occupancy(m, 0, run);
      o->threads = cases[i].threads;
      o->span_seconds = 10, o->active_seconds = 10 * o->threads;
      made_sum(m, 0, run, SC_USAGE_ACQUIRES, 4000); /* 8,000 in all: 50 of 6,000 that may wait are expected at 1/120 */
      made_sum(m, 0, run, SC_USAGE_HOLDS, 4000);
      made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, 10 * cases[i].busy);
      made_sum(m, 0, run, SC_USAGE_WAITS, larger ? 4000 * cases[i].waits : 2000);
    }
    assert_true(sc_demand_alone(&m->r, &m->cells[0]) == cases[i].apart);
    end(m);
  }
}

/* What probes tell of may be waited for unseen: at least one wait at some size says that they tell. */
TEST(probes_may_not_tell_of_waits)
{
  for (int told = 0; told < 2; told++) {
    made_resources *m = begin(&(sc_resource){SC_RESOURCE_OTHER, "units", "a.c", 1, .probe = true, .capacity = 2}, 1);
    for (size_t run = 0; run < SIZES; run++) {
      sc_occupancy *o = made_occupancy(m, 0, run);
      o->threads = 4, o->span_seconds = 10, o->active_seconds = 40;
      made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, 16); /* of two units 80% */
      made_sum(m, 0, run, SC_USAGE_WAITS, told && !run);
    }
    assert_true(sc_demand_alone(&m->r, &m->cells[0]) == (told == 1));
    for (size_t run = 0; run < SIZES; run++)
      made_occupancy(m, 0, run)->threads = 2; /* as many units: nobody has to wait */
    assert_false(sc_demand_alone(&m->r, &m->cells[0]));
    end(m);
  }
}

/* ---- reported misses ---- */

/* The size where a figure missed by most, if that is worth it; waits as seconds of an acquire, on this machine. */
TEST(what_was_missed_is_told)
{
  static const sc_check missed = {.count = 3,
                                  .missed = true,
                                  .worst = 1,
                                  .n = {100, 200, 400},
                                  .predicted = {0, 0.3, 0.9},
                                  .measured = {1, 0.2, 1}};
  static const struct {
    enum sc_resource_metric metric;
    enum sc_figure figure;
    double times;
  } cases[] = {{SC_RMETRIC_UTILISATION, SC_FIGURE_USED, 1},
               {SC_RMETRIC_WAIT, SC_FIGURE_WAITING, 2.5 * (HOLD_SECONDS + THINK_SECONDS)},
               {SC_RMETRIC_FAILURE_RATIO, SC_FIGURE_FAILED, 1},
               {SC_RMETRIC_WAITS, SC_FIGURE_BLOCKED, 0},
               {SC_RMETRIC_UTILISATION, SC_FIGURE_WAITING, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    made_resources *m = begin(&lock, 1);
    sc_calibration *c = calloc(1, sizeof *c);
    sc_resource_correction told;
    assert_non_null(c);
    m->cells[0].calibration = c;
    *c = (sc_calibration){.made = true, .busy = 2.5};
    c->figures[cases[i].figure] = missed;
    unit_ok(sc_calibration_missed(&m->r, &m->cells[0], cases[i].metric, &told));
    assert_true(told.n == (cases[i].times > 0 ? 200 : 0));
    unit_near(told.computed, 0.3 * cases[i].times);
    unit_near(told.measured, 0.2 * cases[i].times);
    if (cases[i].metric == SC_RMETRIC_UTILISATION) { /* of what is asked for, where that is corrected */
      c->demand = missed;
      c->demand.worst = 2;
      unit_ok(sc_calibration_missed(&m->r, &m->cells[0], cases[i].metric, &told));
      assert_true(told.n == 400 && told.computed == 0.9 && told.measured == 1);
    }
    end(m);
  }
  for (int i = 0; i < 6; i++) {
    made_resources *m = begin(&lock, 1);
    sc_calibration *c = calloc(1, sizeof *c);
    sc_resource_correction told;
    assert_non_null(c);
    m->cells[0].calibration = c;
    c->figures[SC_FIGURE_USED] = missed;
    c->figures[SC_FIGURE_USED].missed = i != 0;
    c->figures[SC_FIGURE_USED].elsewhere = i == 1;
    c->figures[SC_FIGURE_USED].predicted[1] = i == 2 || i == 4 ? 0.0099 : i == 3 ? 0.01 : 0;
    c->figures[SC_FIGURE_USED].measured[1] = i == 5 ? 0.01 : 0;
    if (i < 2)
      c->figures[SC_FIGURE_USED].predicted[1] = 1;
    unit_ok(sc_calibration_missed(&m->r, &m->cells[0], SC_RMETRIC_UTILISATION, &told));
    assert_true((told.n > 0) == (i == 3 || i == 5));
    end(m);
  }
}

static double logit(double share) { return log(share / (1 - share)); }

/* A hundred waits of ten thousand are known to two standard deviations of their number; none is fewer than half of one,
 * or what the queue has, if that is less. */
TEST(numbers_of_waits_are_as_certain_as_numbers_are)
{
  made_resources *m = begin(&lock, 1);
  for (size_t run = 0; run < SIZES; run++) {
    double acquires = m->sums[0][run * SC_RSUM_COUNT + SC_USAGE_ACQUIRES];
    made_sum(m, 0, run, SC_USAGE_WAITS, run ? 0.01 * acquires : 0);
    made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, run ? 0.01 * acquires * HOLD : 0);
  }
  const sc_calibration *c = calibrate(m);
  const sc_check *blocked = &c->figures[SC_FIGURE_BLOCKED], *waiting = &c->figures[SC_FIGURE_WAITING];
  assert_true(blocked->count == SIZES && waiting->count == SIZES && blocked->strict && !waiting->share);
  unit_near(blocked->measured[0], 0.5 / 3001);
  for (size_t run = 1; run < SIZES; run++) {
    double acquires = m->sums[0][run * SC_RSUM_COUNT + SC_USAGE_ACQUIRES], noise = 2 / sqrt(0.01 * acquires);
    unit_near(blocked->measured[run], 0.01);
    unit_near(blocked->spread[run], (logit(0.01 * exp(noise)) - logit(0.01 * exp(-noise))) / 2);
  }
  unit_near(c->each_wait, HOLD);
  unit_near(c->offered, 1);
  unit_near(c->each_customers, 10 * HOLD);
  assert_true(c->made && !c->fails && !c->tried && !c->detached && !c->at_intervals && c->apart);
  end(m);
}

/* ---- the machine ---- */

/* Runs as the queue has them with this machine: ready time, that in holds, and waits that took `longest` each. */
static const sc_calibration *on_machine(made_resources *m, sc_rprocessors *own, const sc_calibration *is,
                                        double longest)
{
  sc_calibration bare = {.busy = 1, .others = is->others, .grouped = is->grouped};
  for (size_t run = 0; run < SIZES; run++) {
    sc_demand d;
    double acquires = m->sums[0][run * SC_RSUM_COUNT + SC_USAGE_ACQUIRES];
    unit_ok(sc_demand_raw(&m->r, &m->cells[0], &bare, m->sizes[run], &d));
    own->work[run] = HOLD + THINK;
    own->ready[run] = own->work[run] * (d.stretch - 1);
    own->hold_ready[run] = is->exposed * HOLD * (d.stretch - 1);
    unit_ok(sc_demand_raw(&m->r, &m->cells[0], is, m->sizes[run], &d));
    made_sum(m, 0, run, SC_USAGE_WAIT_SECONDS, acquires * d.odds.value * d.cycle);
    if (longest > 0)
      made_sum(m, 0, run, SC_USAGE_WAITS, acquires * d.odds.value * d.cycle / longest);
  }
  return calibrate(m);
}

TEST(a_machine_is_found_by_what_it_leaves)
{
  static const struct {
    sc_calibration is;
    double longest; /* of a wait, over the handover */
  } cases[] = {{{.busy = 1, .exposed = 0.5, .handover = 2e-4}, 2.828427124746190},
               {{.busy = 1, .exposed = 0.25, .handover = 4e-4}, 1},
               {{.busy = 1, .exposed = 1, .handover = 1e-4}, 8},
               {{.busy = 1, .exposed = 0.5}, 0},
               {{.busy = 1, .exposed = 0.5, .others = 3, .grouped = true}, 0},
               {{.busy = 1, .exposed = 0.5, .others = 3}, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double work[SIZES] = {0}, ready[SIZES] = {0}, think_ready[SIZES] = {0}, hold_ready[SIZES] = {0};
    sc_rprocessors own;
    made_resources *m = begin(&lock, 1);
    share_processors(m, &own, work, ready, think_ready, hold_ready);
    const sc_calibration *is = &cases[i].is, *c = on_machine(m, &own, is, cases[i].longest * is->handover);
    if (fabs(c->handover - is->handover) > 1e-3 * is->handover || c->grouped != is->grouped ||
        fabs(c->others - is->others) > 0.05 * is->others || fabs(c->exposed - is->exposed) > 0.02)
      fail_msg("case %zu: handover %g, %g others, grouped %d, exposed %g", i, c->handover, c->others, c->grouped,
               c->exposed);
    end(m);
  }
}

/* ---- other values of further parameters ---- */

static bool grip_of_two(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value)
{
  *value = 2e-3;
  return metric == SC_RMETRIC_GRIP;
}

/* What is known elsewhere is what the nearest runs are off by, and which part of ready time holds have: a half of 2 ms
 * works, of a cycle that is ready half as long as it works. */
TEST(other_places_take_what_the_nearest_runs_were_off_by)
{
  static const struct {
    double hold_ready, exposed;
    bool known, other;
  } cases[] = {{0.4e-3, 0.8, true, false},
               {0.1e-3, 0.2, true, true},
               {7e-3, 1, true, true},
               {0, 0, true, false},
               {0.4e-3, 1, false, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    made_resources *m = begin(&lock, 1), *all = begin(&lock, 1), *nearest = begin(&lock, 1);
    double work[SIZES] = {0, 10e-3, 10e-3, 0}, ready[SIZES] = {9, 5e-3, 5e-3, 9}, think_ready[SIZES] = {0},
           hold_ready[SIZES] = {7, cases[i].hold_ready, cases[i].hold_ready, 7};
    sc_rprocessors own;
    share_processors(m, &own, work, ready, think_ready, hold_ready);
    own.hold_part = 0.5;
    own.why = cases[i].known ? NULL : "it is not known";
    sc_resources_place place = {.value = grip_of_two, .all = &all->r, .nearest = &nearest->r, .runs.count = 1};
    sc_calibration seen = {.made = true, .offered = 0.7};
    for (int figure = 0; figure < SC_FIGURES; figure++)
      seen.figures[figure].settled = 1 + figure;
    nearest->cells[0].calibration = &seen;
    m->r.place = &place;
    m->r.other_processors = cases[i].other ? 8 : 0;
    const sc_calibration *c = calibrate(m);
    unit_near(c->exposed, cases[i].exposed);
    unit_near(c->offered, 0.7);
    assert_true(c->made && !c->at_intervals && c->busy == 1 && !c->demand.count);
    for (int figure = 0; figure < SC_FIGURES; figure++)
      assert_true(c->figures[figure].settled == 1 + figure && c->figures[figure].elsewhere);
    assert_false(c->alone); /* of what is not known, processors are not ruled out */
    nearest->cells[0].calibration = NULL;
    end(nearest);
    end(all);
    end(m);
  }
}

/* ---- late wakes ---- */

/* Threads that hardly compute hold for 1.5 ms where the queue has 1: as much less of the time it is used. */
TEST(holds_of_late_wakes_are_no_error)
{
  for (int computes = 0; computes < 3; computes++) {
    double work[SIZES] = {0}, ready[SIZES] = {0}, think_ready[SIZES] = {0}, hold_ready[SIZES] = {0};
    sc_rprocessors own;
    made_resources *m = begin(&lock, 1);
    share_processors(m, &own, work, ready, think_ready, hold_ready);
    own.hold_part = own.think_part = computes == 1 ? 0.0501 : 0.0499;
    m->r.processors = 0;
    double late = computes == 2 ? 1 : 1.5;
    for (size_t run = 0; run < SIZES; run++) {
      double acquires = m->sums[0][run * SC_RSUM_COUNT + SC_USAGE_ACQUIRES];
      sc_queue q = queue_of(m, run, 1);
      q.hold *= late;
      made_sum(m, 0, run, SC_USAGE_HOLD_SECONDS, acquires * q.hold);
      sc_occupancy *o = made_occupancy(m, 0, run);
      o->span_seconds = acquires * q.hold / sc_queue_solve(&q).utilisation;
      o->active_seconds = o->span_seconds * o->threads;
    }
    m->series[SC_RMETRIC_HOLD].shown.model.terms[0].coefficient = HOLD;
    const sc_check *used = &calibrate(m)->figures[SC_FIGURE_USED];
    for (size_t run = 0; run < SIZES; run++) {
      double measured = used->measured[run], is;
      assert_true(sc_rmetric_at(&m->r, &m->cells[0], run, SC_RMETRIC_UTILISATION, &is));
      sc_demand d;
      sc_calibration plain = {.busy = 1};
      unit_ok(sc_demand_raw(&m->r, &m->cells[0], &plain, m->sizes[run], &d));
      sc_queue longer = d.queue;
      longer.hold = HOLD * late;
      double part = sc_queue_solve(&d.queue).utilisation / sc_queue_solve(&longer).utilisation;
      unit_near_by(measured, computes == 0 && d.queue.hold < longer.hold ? is * part : is, 1e-9);
    }
    end(m);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether processors explain a queue at the nearest values of further parameters: whichever of two queues is nearer. */
#include "unit.h"

#include "transitions/resources/place_queue.h"
#include "transitions/resources/queue.h"
#include "transitions_resources_made.h"

static const sc_resource lock = {SC_RESOURCE_MUTEX, "lock", "a.c", 1},
                         pool = {SC_RESOURCE_OTHER, "pool", "a.c", 1, .capacity = 3};

/* In a run of 10 s twelve threads are there for nine tenths of the time, hold for 1 ms and think for 4 ms; of that they
 * were ready for a half and a quarter without a processor of four. */
typedef struct scene {
  made_resources *place, *runs;
  sc_resources_place at;
  sc_rprocessors own;
  double work, ready, think_ready, hold_ready;
} scene;

static const double HOLD = 1e-3, THINK = 4e-3, GRIP = 0.5e-3, PACE = 3e-3, THREADS = 12;

static scene *begin(const sc_resource *kind, double instances)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->place = made_new(kind, 1, 1, 1);
  s->runs = made_new(kind, 1, 1, 1);
  s->own = (sc_rprocessors){.hold_part = 0.75,
                            .think_part = 0.5,
                            .roles = 1,
                            .work = &s->work,
                            .ready = &s->ready,
                            .think_ready = &s->think_ready,
                            .hold_ready = &s->hold_ready};
  s->think_ready = THINK - PACE;
  s->hold_ready = HOLD - GRIP;
  s->runs->cells[0].processors = &s->own;
  s->at.all = &s->runs->r;
  s->at.runs.count = 1;
  s->place->r.place = &s->at;
  s->place->r.processors = 4;
  *made_occupancy(s->runs, 0, 0) = (sc_occupancy){0, instances, THREADS, 0.9 * THREADS * 10, 10, 0};
  return s;
}

static void end(scene *s)
{
  made_free(s->place);
  made_free(s->runs);
  free(s);
}

/* Holds that make this utilisation, with the times above. */
static bool shares(scene *s, double used, double capacity, double instances)
{
  made_resources *m = s->runs;
  double seconds = used * 10 * capacity * instances, acquires = seconds / HOLD;
  made_sum(m, 0, 0, SC_USAGE_ACQUIRES, acquires);
  made_sum(m, 0, 0, SC_USAGE_UNITS, acquires);
  made_sum(m, 0, 0, SC_USAGE_HOLDS, acquires);
  made_sum(m, 0, 0, SC_USAGE_HOLD_SECONDS, seconds);
  made_sum(m, 0, 0, SC_USAGE_WAIT_SECONDS, 0.9 * THREADS * 10 - seconds - acquires * THINK);
  return sc_rplace_shares_processors(&s->place->r, &s->place->cells[0], 0.25);
}

static void decide_between(const sc_resource *kind, double servers, double instances)
{
  scene *s = begin(kind, instances);
  sc_queue alone = {
      .hold = HOLD, .think = THINK, .customers = 0.9 * THREADS, .stations = instances, .servers = servers};
  sc_queue shared = alone;
  shared.hold = GRIP, shared.think = PACE;
  shared.hold_work = 0.75 * GRIP, shared.think_work = 0.5 * PACE;
  shared.processors = 4;
  shared.hold_exposed = 0.25;
  double a = sc_queue_solve(&alone).utilisation, b = sc_queue_solve(&shared).utilisation;
  double middle = sqrt(a * b); /* as far from both */
  assert_true(fabs(a / b - 1) > 0.02);
  assert_true(shares(s, a > b ? middle * 0.99 : middle * 1.01, servers, instances));
  assert_false(shares(s, a > b ? middle * 1.01 : middle * 0.99, servers, instances));
  s->own.why = "it is not known";
  assert_true(shares(s, a, servers, instances));
  s->own.why = NULL;
  assert_false(shares(s, a, servers, instances));
  made_occupancy(s->runs, 0, 0)->active_seconds = 0;
  made_occupancy(s->runs, 0, 0)->span_seconds = 0; /* nothing is known */
  assert_true(shares(s, a, servers, instances));
  end(s);
}

TEST(the_nearer_queue_decides)
{
  decide_between(&lock, 1, 1);
  decide_between(&lock, 1, 2);
  decide_between(&pool, 3, 1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the threads of a lock were on a processor, and ready without one: divided by hand, run by run. */
#include "unit.h"

#include "transitions/resources/cells.h"
#include "transitions/resources/processors.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {2, 4, 8, 16};
enum { SIZES = 4, HOLDS = 200 };

/* In each run two threads of `worker` hold a lock 100 times each; one of `helper` does not, unless it `takes` it. All
 * in seconds; times of what is counted for the worker's whole role in a run. */
typedef struct program {
  double hold;                      /* of one */
  double waited, slept, inside;     /* by workers: for the lock, elsewhere, and of that while they held it */
  double processor, worker, helper; /* accounted to the run; samples of the two, in any unit */
  double spare[SIZES];              /* times this the processor time in each run; 0: 1 */
  const char *event;                /* NULL: "task-clock" */
  bool takes, unsampled, unnoted;
  int bucket;  /* of the holds in the histogram; 0: none */
  double tail; /* holds that took 1,024 times as long, of these */
} program;

typedef struct world {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *r;
  const sc_rprocessors *own;
  double hold, think; /* as measured */
} world;

static double spare_of(const program *p, size_t run) { return p->spare[run] > 0 ? p->spare[run] : 1; }

static void fill(const world *w, const program *p, size_t run, uint32_t worker, uint32_t helper, uint32_t lock,
                 uint32_t sleep, uint32_t input)
{
  sc_usage row = scene_holds(HOLDS, p->hold);
  row.values[SC_USAGE_WAITS] = p->waited > 0;
  row.values[SC_USAGE_WAIT_SECONDS] = p->waited;
  if (p->bucket)
    row.buckets[p->bucket] = HOLDS - p->tail, row.buckets[p->bucket + 10] = p->tail;
  uint32_t held = scene_usage(w->graph, run, worker, lock, &row);
  row = (sc_usage){.via = "release", .event = SC_USAGE_EVENT_RELEASE};
  if (p->takes) {
    row = scene_holds(1, 0);
    row.values[SC_USAGE_HOLDS] = row.values[SC_USAGE_HOLD_SECONDS] = 0;
  }
  scene_usage(w->graph, run, helper, lock, &row); /* it only gives back, or takes it for nothing */
  row = (sc_usage){.via = "sleep", .event = SC_USAGE_EVENT_WAIT, .values = {[SC_USAGE_WAITS] = 5}};
  row.values[SC_USAGE_WAIT_SECONDS] = p->slept;
  uint32_t slept = scene_usage(w->graph, run, worker, sleep, &row);
  row.values[SC_USAGE_WAIT_SECONDS] = 77;
  scene_usage(w->graph, run, helper, input, &row);
  if (!p->unnoted) {
    unit_ok(sc_usage_add_pair(w->graph, run, &(sc_wait_pair){slept, SC_USAGE_NONE, 4, p->slept - p->inside}));
    if (p->inside > 0)
      unit_ok(sc_usage_add_pair(w->graph, run, &(sc_wait_pair){slept, held, 1, p->inside}));
  }
  scene_occupancy(w->graph, run, lock, 2, 1, 2, 1);
  sc_run *info = sc_graph_run(w->graph, run);
  info->user_seconds = p->processor * spare_of(p, run) / 4, info->system_seconds = 3 * info->user_seconds;
  info->samples = p->unsampled ? 0 : 1000;
  strcpy(info->cost_event, p->event ? p->event : "task-clock");
  unit_ok(sc_graph_add(w->graph, run, worker, SC_METRIC_COST, p->worker));
  unit_ok(sc_graph_add(w->graph, run, helper, SC_METRIC_COST, p->helper));
}

static world make(const program *p)
{
  world w = {.graph = scene_repeats(sizes, SIZES, 1)};
  uint32_t main = scene_main(w.graph), process = sc_graph_parent(w.graph, main);
  uint32_t worker = scene_function(w.graph, process, "worker", scene_n, 0);
  uint32_t helper = scene_function(w.graph, process, "helper", scene_one, 0);
  uint32_t inner = scene_function(w.graph, worker, "work", scene_n, 0);
  uint32_t lock = scene_resource(w.graph, SC_RESOURCE_MUTEX, "lock", 0);
  uint32_t sleep = scene_resource(w.graph, SC_RESOURCE_SLEEP, "sleep", 0);
  uint32_t input = scene_resource(w.graph, SC_RESOURCE_IO, "input", 0);
  for (size_t run = 0; run < SIZES; run++)
    fill(&w, p, run, inner, helper, lock, sleep, input);
  w.analysis = scene_analyse(w.graph, (double[]){64}, 1);
  w.r = scene_resources(w.analysis, SC_PARAMETER_DATA);
  w.own = w.r->cells[lock].processors;
  assert_non_null(w.own);
  w.hold = p->hold;
  w.think = (2 - p->waited - HOLDS * p->hold) / (HOLDS * (1 - 2.0 / HOLDS));
  return w;
}

static void drop(world *w) { scene_drop(w->graph, w->analysis, w->r); }

static const program usual = {
    .hold = 2e-3, .waited = 0.1, .slept = 0.3, .inside = 0.04, .processor = 1.2, .worker = 3, .helper = 1};

/* In a cycle of a worker: 0.9 s of processor time in 200 of them. What it held and did not sleep in, and what it was
 * away and did not sleep, was on a processor or ready for one; work is as likely at any time of that. */
static void divides(const program *p, double share)
{
  world w = make(p);
  double held = w.hold - p->inside / HOLDS, running = held + w.think - (p->slept - p->inside) / HOLDS;
  double hold = 0, hold_work = 0, think = 0, think_work = 0;
  assert_null(w.own->why);
  for (size_t run = 0; run < SIZES; run++) {
    double work = fmin(p->processor * spare_of(p, run) * share / HOLDS, running), ready = running - work;
    double inside = fmax(work * held / running, held - ready);
    unit_near(w.own->work[run], work);
    unit_near_by(w.own->ready[run] + 1, ready + 1, 1e-12);
    unit_near_by(w.own->hold_ready[run] + 1, held - inside + 1, 1e-12);
    unit_near_by(w.own->think_ready[run] + 1, fmax(0, running - held - (work - inside)) + 1, 1e-12);
    hold += w.hold - w.own->hold_ready[run], hold_work += inside;
    think += w.think - w.own->think_ready[run], think_work += work - inside;
  }
  unit_near(w.own->hold_part, hold_work / hold);
  unit_near(w.own->think_part, think_work / think);
  drop(&w);
}

TEST(time_is_on_a_processor_or_ready_or_asleep)
{
  divides(&usual, 0.75);
  program p = usual;
  p.inside = 0;
  divides(&p, 0.75);
  p.slept = 0.9;
  divides(&p, 0.75);
  p = usual, p.helper = 9;
  divides(&p, 0.25);
  p = usual, p.processor = 9; /* more than there was time for */
  divides(&p, 0.75);
  p = usual, p.waited = 0;
  divides(&p, 0.75);
  p = usual, p.event = "cpu-clock:u";
  divides(&p, 0.75);
}

/* Runs that share what they take for another run's do not matter to each other, but for the least hold. */
TEST(runs_are_divided_one_by_one)
{
  program p = usual;
  p.spare[1] = 0.5, p.spare[2] = 0.25, p.spare[3] = 1.25;
  divides(&p, 0.75);
}

/* Whoever acquires it takes part, with all that its role does. */
TEST(all_that_acquire_take_part)
{
  program p = usual;
  p.takes = true;
  world w = make(&p);
  assert_null(w.own->why);
  /* 201 acquires, of 200 holds; the helper waited 77 s for input: nothing is left of think time */
  double held = w.hold - 0.04 / HOLDS;
  unit_near(w.own->work[0], fmin(1.2 / HOLDS, held));
  unit_near_by(w.own->ready[0] + 1, held - fmin(1.2 / HOLDS, held) + 1, 1e-12);
  assert_true(w.own->roles == 3);
  drop(&w);
  w = make(&usual);
  assert_true(w.own->roles == 1);
  drop(&w);
}

/* Without samples by a clock nobody knows where time was spent; nor without notes of who slept while it held. */
TEST(what_is_not_known_is_said)
{
  static const struct {
    bool unsampled, unnoted;
    const char *event, *why;
  } cases[] = {{true, false, NULL, "no run has samples"},
               {false, true, NULL, "runs of this version say what threads slept"},
               {false, false, "page-faults", "no run has samples"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    program p = usual;
    p.unsampled = cases[i].unsampled, p.unnoted = cases[i].unnoted, p.event = cases[i].event;
    world w = make(&p);
    assert_non_null(w.own->why);
    unit_has(w.own->why, cases[i].why);
    for (size_t run = 0; run < SIZES; run++)
      assert_true(isnan(w.own->work[run]) && isnan(w.own->ready[run]) && isnan(w.own->hold_ready[run]));
    drop(&w);
  }
  program p = usual;
  p.worker = p.helper = 0; /* of samples that are nowhere */
  world w = make(&p);
  assert_non_null(w.own->why);
  drop(&w);
}

/* Holds of 2^14 ns, but for one in a hundred: short ones have their processor, and the long ones lost it. */
TEST(short_holds_keep_their_processor)
{
  program p = {.hold = (198 + 2 * 1024) / 200.0 * ldexp(1e-9, 14) / M_LN2,
               .processor = 0.1,
               .worker = 1,
               .slept = 0.3,
               .bucket = 14,
               .tail = 2};
  world w = make(&p);
  double typical = ldexp(1e-9, 14) / M_LN2, work = 0.1 / HOLDS, running = w.hold + w.think - 0.3 / HOLDS;
  unit_near(w.own->work[0], work);
  unit_near(w.own->hold_ready[0], w.hold - typical);
  unit_near(w.own->ready[0], running - work);
  unit_near(w.own->think_ready[0], running - w.hold - (work - typical));
  drop(&w);
  p.processor = 1e-5; /* too short for a sample: they took that all the same */
  w = make(&p);
  unit_near(w.own->work[0], typical);
  drop(&w);
}

/* Copies have the runs that are asked for; SIZE_MAX stands for one that there is not. */
TEST(runs_are_copied)
{
  program p = usual;
  p.spare[1] = 0.5;
  world w = make(&p);
  static const size_t runs[] = {3, 1, SIZE_MAX, 0, 1};
  sc_rprocessors *copy;
  unit_ok(sc_rprocessors_copy(w.own, runs, COUNT(runs), &copy));
  assert_true(copy->hold_part == w.own->hold_part && copy->think_part == w.own->think_part &&
              copy->roles == w.own->roles && copy->why == w.own->why);
  double *const from[] = {w.own->work, w.own->ready, w.own->think_ready, w.own->hold_ready};
  double *const to[] = {copy->work, copy->ready, copy->think_ready, copy->hold_ready};
  for (size_t i = 0; i < COUNT(runs); i++)
    for (size_t k = 0; k < 4; k++)
      assert_true(runs[i] == SIZE_MAX ? isnan(to[k][i]) : to[k][i] == from[k][runs[i]]);
  for (size_t k = 0; k < 4; k++)
    free(to[k]);
  free(copy);
  drop(&w);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput by threads, where it follows a law whose numbers are known. */
#include "unit.h"

#include "transitions/resources/cells.h"
#include "transitions_resources_scene.h"

static const double threads[] = {1, 2, 4, 8, 16, 32};
enum { SIZES = 6 };

static double law(double n) { return 1000 * n / (1 + 0.05 * (n - 1) + 0.001 * n * (n - 1)); }
/* Of 10 s: requests as executions of `handle`, each calls `step` twice. */
static double requests(double n) { return 10 * law(n); }
static double steps(double n) { return 2 * requests(n); }

typedef struct scene {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *r;
} scene;

static scene make(size_t sizes, enum sc_parameter_kind kind, const char *const *tasks, size_t task_count)
{
  scene s = {.graph = scene_repeats(threads, sizes, 1)};
  double target = 64;
  uint32_t main = scene_main(s.graph), handle = scene_function(s.graph, main, "handle", requests, 0);
  uint32_t nested = scene_function(s.graph, handle, "step", steps, 0);
  scene_function(s.graph, nested, "handle", steps, 0); /* a task that a task calls is part of it */
  for (size_t run = 0; run < sizes; run++)
    sc_graph_run(s.graph, run)->wall_seconds = 10;
  s.analysis = scene_analyse(s.graph, &target, 1);
  sc_resource_options options = {.kind = kind, .tasks = tasks, .task_count = task_count};
  assert_int_equal(sc_resources_new(s.analysis, &options, &s.r), 0);
  return s;
}

static void end(scene *s) { scene_drop(s->graph, s->analysis, s->r); }

#define near_to(value, expected) unit_near_by(value, expected, 1e-4)

TEST(a_law_has_its_numbers)
{
  static const char *const tasks[] = {"handle"};
  scene s = make(SIZES, SC_PARAMETER_CLIENTS, tasks, 1);
  const sc_scalability *x = &s.r->scalability;
  assert_true(x->known && x->count == SIZES);
  for (size_t i = 0; i < SIZES; i++) {
    assert_true(x->sizes[i] == threads[i]);
    near_to(x->throughputs[i], law(threads[i]));
  }
  near_to(x->lambda.value, 1000);
  near_to(x->sigma.value, 0.05);
  near_to(x->kappa.value, 0.001);
  near_to(x->peak.value, sqrt((1 - 0.05) / 0.001));
  near_to(x->peak_throughput.value, law(sqrt((1 - 0.05) / 0.001)));
  assert_true(x->error < 1e-6);
  end(&s);
}

/* Without tasks all that is executed is work: main, requests, two steps of each, and as many requests in them. */
TEST(without_tasks_executions_are_work)
{
  scene s = make(SIZES, SC_PARAMETER_THREADS, NULL, 0);
  const sc_scalability *x = &s.r->scalability;
  assert_true(x->known);
  for (size_t i = 0; i < SIZES; i++)
    near_to(x->throughputs[i], (1 + 5 * requests(threads[i])) / 10);
  end(&s);
}

static double some_requests(double n) { return n == 8 ? 0 : requests(n); }

/* Runs in which nothing was done, that have no time, or that had less than one thread; however short the others are. */
TEST(runs_without_work_or_time_are_left_out)
{
  static const double sizes[] = {0.5, 1, 2, 4, 8, 16, 32, 64};
  static const double left[] = {1, 4, 16, 32, 64};
  static const char *const tasks[] = {"handle"};
  scene s = {.graph = scene_repeats(sizes, COUNT(sizes), 1)};
  double target = 128;
  uint32_t main = scene_main(s.graph);
  scene_function(s.graph, main, "handle", some_requests, 0);
  for (size_t run = 0; run < COUNT(sizes); run++)
    sc_graph_run(s.graph, run)->wall_seconds = sizes[run] == 2 ? 0 : 0.25;
  s.analysis = scene_analyse(s.graph, &target, 1);
  sc_resource_options options = {.kind = SC_PARAMETER_THREADS, .tasks = tasks, .task_count = 1};
  unit_ok(sc_resources_new(s.analysis, &options, &s.r));
  const sc_scalability *x = &s.r->scalability;
  assert_true(x->known && x->count == COUNT(left));
  for (size_t i = 0; i < COUNT(left); i++) {
    assert_true(x->sizes[i] == left[i]);
    near_to(x->throughputs[i], 40 * law(left[i]));
  }
  end(&s);
}

TEST(when_there_is_no_law)
{
  static const char *const tasks[] = {"nobody"};
  scene s = make(SIZES, SC_PARAMETER_DATA, NULL, 0);
  assert_false(s.r->scalability.known);
  assert_string_equal(s.r->scalability.why, "the parameter is not a number of threads or clients");
  end(&s);
  s = make(3, SC_PARAMETER_THREADS, NULL, 0);
  assert_string_equal(s.r->scalability.why, "it needs four sizes or more");
  end(&s);
  s = make(4, SC_PARAMETER_THREADS, NULL, 0);
  assert_true(s.r->scalability.known);
  end(&s);
  s = make(SIZES, SC_PARAMETER_THREADS, tasks, 1);
  assert_string_equal(s.r->scalability.why, "no run called a task");
  end(&s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "runner/sampler/rest.h"

enum { MS = 1000000 };

static sc_graph *graph;
static size_t run;

static uint32_t add(uint32_t parent, enum sc_location_kind kind, const char *name)
{
  uint32_t number, context;
  sc_location at = {.kind = kind, .name = name, .file = ""};
  assert_int_equal(sc_graph_location(graph, &at, &number), 0);
  assert_int_equal(sc_graph_context(graph, parent, number, &context), 0);
  return context;
}

static int begin(void **state)
{
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run), 0);
  return 0;
}

static int end(void **state)
{
  sc_graph_free(graph);
  return 0;
}

static void note(sc_sampler_rest *rest, uint32_t tid)
{
  uint32_t number, *known = sc_sampler_keys_get(&rest->tasks, tid, 0), before = known ? *known : 0;
  assert_int_equal(sc_sampler_rest_count(rest, tid, &number), 0);
  assert_int_equal(number, before + 1);
  sc_sampler_rest_note(rest, MS, MS);
}

/* Ten samples of one thread: 10 ms of what `counted` says. */
static void ten_samples(sc_sampler_rest *rest)
{
  *rest = (sc_sampler_rest){0};
  for (int i = 0; i < 10; i++)
    note(rest, 7);
}

TEST_WITH(the_time_behind_the_last_sample_raises_all, begin, end)
{
  sc_sampler_rest rest;
  uint32_t process = add(0, SC_LOCATION_PROCESS, "prog"), place = add(process, SC_LOCATION_FUNCTION, "main");
  double cost[3] = {0};
  cost[process] = 0.002;
  cost[place] = 0.008;
  ten_samples(&rest);
  sc_sampler_rest_charge(&rest, graph, 10.5 * MS, 1e-9, cost);
  assert_float_equal(cost[process], 0.0021, 1e-12);
  assert_float_equal(cost[place], 0.0084, 1e-12);
  sc_sampler_rest_free(&rest);
}

TEST_WITH(tasks_without_samples_cost_the_process, begin, end)
{
  sc_sampler_rest rest;
  uint32_t shell = add(0, SC_LOCATION_PROCESS, "driver"), start = add(shell, SC_LOCATION_FUNCTION, "main");
  uint32_t process = add(0, SC_LOCATION_PROCESS, "prog"), place = add(process, SC_LOCATION_FUNCTION, "main");
  double cost[5] = {0};
  cost[start] = 0.002;
  cost[place] = 0.008;
  ten_samples(&rest);
  sc_sampler_rest_charge(&rest, graph, 100.0 * MS, 1e-9, cost); /* 1 ms behind the last sample, 89 ms elsewhere */
  assert_float_equal(cost[start], 0.0022, 1e-12);
  assert_float_equal(cost[place], 0.0088, 1e-12);
  assert_float_equal(cost[process], 0.089, 1e-12);
  assert_true(cost[shell] == 0);
  sc_sampler_rest_free(&rest);
}

TEST_WITH(every_sampled_task_has_its_end, begin, end)
{
  sc_sampler_rest rest = {0};
  uint32_t process = add(0, SC_LOCATION_PROCESS, "prog"), place = add(process, SC_LOCATION_FUNCTION, "main");
  double cost[3] = {0};
  for (uint32_t tid = 1; tid <= 4; tid++)
    for (int i = 0; i < 2; i++)
      note(&rest, tid);
  cost[place] = 0.008;
  sc_sampler_rest_charge(&rest, graph, 11.0 * MS, 1e-9, cost);
  assert_float_equal(cost[place], 0.011, 1e-12);
  assert_true(cost[process] == 0);
  sc_sampler_rest_free(&rest);
}

TEST_WITH(nothing_sampled, begin, end)
{
  sc_sampler_rest rest = {0};
  uint32_t process = add(0, SC_LOCATION_PROCESS, "prog");
  double cost[3] = {0};
  sc_sampler_rest_charge(&rest, graph, 0.25 * MS, 1e-9, cost);
  assert_float_equal(cost[process], 0.00025, 1e-15);
  assert_true(cost[0] == 0);
}

TEST_WITH(without_a_process_the_root_pays, begin, end)
{
  sc_sampler_rest rest = {0};
  double cost[1] = {0};
  sc_sampler_rest_charge(&rest, graph, 12, 1, cost);
  assert_true(cost[0] == 12);
}

TEST_WITH(never_less_than_sampled, begin, end)
{
  sc_sampler_rest rest;
  uint32_t process = add(0, SC_LOCATION_PROCESS, "prog"), place = add(process, SC_LOCATION_FUNCTION, "main");
  double cost[3] = {0};
  cost[place] = 0.01;
  ten_samples(&rest);
  sc_sampler_rest_charge(&rest, graph, 9.0 * MS, 1e-9, cost);
  assert_true(cost[place] == 0.01 && cost[process] == 0);
  sc_sampler_rest_free(&rest);
}

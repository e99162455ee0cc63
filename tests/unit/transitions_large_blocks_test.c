/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a byte may cost where blocks become large that the runs had small. */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "transitions/model/predict.h"
#include "transitions_scene.h"

static const double SIZES[] = {100, 200, 400, 800, 1600, 3200};
static const double TARGET[] = {32000};

static double steps_of_an_interpreter(double n) { return 16 * n; }

/* An interpreter copies n^2 bytes in all, as many as it allocates, in n blocks of block(n) bytes on average. The upper
 * end of the time at the target, by its value. */
static double rise(double (*block)(double n))
{
  sc_interval at;
  uint32_t heap;
  sc_graph *graph = scene_new(SIZES, COUNT(SIZES), "task-clock");
  uint32_t loop = scene_loop(graph, scene_main(graph), "execute", 3, steps_of_an_interpreter, 1e-9);
  scene_work(graph, loop, "memcpy", 4, scene_square, 3e-11);
  assert_int_equal(
      sc_usage_resource(graph, &(sc_resource){.resource_class = SC_RESOURCE_HEAP, .name = "heap", .file = ""}, &heap),
      0);
  for (size_t i = 0; i < COUNT(SIZES); i++) {
    double n = SIZES[i];
    uint32_t index;
    sc_usage row = {.context = loop, .resource = heap, .via = "malloc", .line = 4, .event = SC_USAGE_EVENT_ACQUIRE};
    row.values[SC_USAGE_ACQUIRES] = n;
    row.values[SC_USAGE_UNITS] = n * block(n);
    assert_int_equal(sc_usage_add(graph, i, &row, &index), 0);
    sc_graph_run(graph, i)->user_seconds = 1e-4 + 16e-9 * n + 3e-11 * n * n;
  }
  sc_analysis *analysis = scene_analyse(graph, TARGET, 1);
  assert_int_equal(sc_predict_steady_total(analysis, TARGET[0], &at), 0);
  scene_end(graph, analysis, NULL);
  return at.high / at.value;
}

/* 64 KiB on average are blocks of up to 128 KiB: pages of the system, each time anew. */
static double just_large(double n) { return 65600 * n / 32000; }
static double just_small(double n) { return 65400 * n / 32000; }
static double steady(double n) { return 3000 + 0 * n; }
static double large_before(double n) { return 70000 + n; }

TEST(blocks_that_become_large_widen)
{
  double widened = rise(just_large), not = rise(just_small);
  assert_true(widened > 3 * not );
}

TEST(other_blocks_do_not)
{
  assert_float_equal(rise(steady), rise(just_small), 0.05);
  assert_float_equal(rise(large_before), rise(just_small), 0.05); /* the times tell what they take */
}

static double cubes_large(double n) { return 656 * n * n * n / (3200.0 * 3200 * 3200); }
static double cubes_small(double n) { return 654 * n * n * n / (3200.0 * 3200 * 3200); }

/* No block is of more than all data: whatever it did so far, ten times the size makes it 100 times as large at most. */
TEST(blocks_grow_as_a_square_at_most)
{
  assert_float_equal(rise(cubes_small), rise(just_small), 0.05);
  assert_true(rise(cubes_large) > 1.4 * rise(cubes_small));
}

/* 100 n^2 bytes in 16 n calls of a library function: 20,000 each where it was measured, 200,000 at the target, and no
 * allocation that was seen. */
static double hundred_squares(double n) { return 100 * n * n; }
static double rise_within(const char *name)
{
  sc_interval at;
  sc_graph *graph = scene_new(SIZES, COUNT(SIZES), "task-clock");
  uint32_t loop = scene_loop(graph, scene_main(graph), "execute", 3, steps_of_an_interpreter, 1e-9);
  scene_work(graph, loop, name, 4, hundred_squares, 3e-11);
  for (size_t i = 0; i < COUNT(SIZES); i++)
    sc_graph_run(graph, i)->user_seconds = 1e-4 + 16e-9 * SIZES[i] + 3e-9 * SIZES[i] * SIZES[i];
  sc_analysis *analysis = scene_analyse(graph, TARGET, 1);
  assert_int_equal(sc_predict_steady_total(analysis, TARGET[0], &at), 0);
  scene_end(graph, analysis, NULL);
  return at.high / at.value;
}

/* Strings of the C++ library may have to allocate, unseen; not those that are searched or erased, nor C's. */
TEST(strings_may_allocate_unseen)
{
  double none = rise_within("memcpy");
  assert_true(rise_within("_ZNSs6appendEPKcm") > 2 * none);
  assert_float_equal(rise_within("_ZNKSs4findEPKcmm"), none, 1e-9);
  assert_float_equal(rise_within("_ZNSs5eraseEmm"), none, 1e-9);
  assert_float_equal(rise_within("_ZN"), rise_within("_ZNSs6appendEPKcm"), 1e-9);
  assert_float_equal(rise_within("_Z6appendPKcm"), none, 1e-9);
}

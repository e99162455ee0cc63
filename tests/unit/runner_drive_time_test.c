/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a run will take, told from runs of known counts and times. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "runner/drive/internal.h"
#include "runner/text/tuning.h"

enum { RUNS_MOST = 3 };
typedef struct measured {
  double n, count, seconds;
} measured;

/* Seconds foretold at n. */
static double expect_at(double n, const measured *runs, size_t count)
{
  sc_graph *graph;
  uint32_t location, context;
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(
      sc_graph_location(graph, &(sc_location){.kind = SC_LOCATION_LOOP, .name = "main", .file = "main.c", .line = 3},
                        &location),
      0);
  assert_int_equal(sc_graph_context(graph, 0, location, &context), 0);
  for (size_t i = 0; i < count; i++) {
    size_t run;
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = runs[i].n, .wall_seconds = runs[i].seconds}, &run), 0);
    assert_int_equal(sc_graph_add(graph, run, context, SC_METRIC_COUNT, runs[i].count), 0);
  }
  sc_drive drive = {.graph = graph};
  double seconds = sc_drive_expect(&drive, n);
  free(drive.totals);
  sc_graph_free(graph);
  return seconds;
}

/* Runs of 1 s, 1 s and 2 s at 8, 16 and 24: seconds beyond the shortest at 32. */
static double after_three(double first, double second, double third)
{
  return expect_at(32, (const measured[]){{8, first, 1}, {16, second, 1}, {24, third, 2}}, RUNS_MOST) - 1;
}

/* The same by a power that goes on rising. */
static double by_power(double first, double second, double third)
{
  double before = log(second / first) / log(2), power = log(third / second) / log(1.5);
  return pow(32.0 / 24, power + SC_TIME_STEEPER * (power - before));
}

/* Counts that rise fourfold each 8: an exponential, unless a handful of executions begin it. */
TEST(an_exponential_takes_executions)
{
  unit_near(after_three(SC_TIME_EXPONENTIAL + 1, 68, 272), 4);
  unit_near(after_three(SC_TIME_EXPONENTIAL, 64, 256), 4);
  unit_near(after_three(SC_TIME_EXPONENTIAL - 1, 60, 240), by_power(15, 60, 240));
}

/* 2^7 and then 2^10 times as many: seven tenths of the last rise, as logarithms. */
TEST(an_exponential_rose_like_one_before)
{
  const double first = 1 << 10, second = 1 << 17, third = 1 << 27;
  unit_near_by(SC_TIME_RATE, 0.7, 1e-15);
  unit_near(after_three(first, second, third - 1), (third - 1) / second);
  unit_near(after_three(first, second, third), third / second);
  unit_near(after_three(first, second, third + 1), by_power(first, second, third + 1));
}

/* In proportion to n, the larger of two runs taking `seconds` more: seconds at twice its size. */
static double at_double(double count, double seconds)
{
  return expect_at(40, (const measured[]){{10, count / 2, 0}, {20, count, seconds}}, 2);
}

/* A hundredth of a second, which is no time that shows, is all spent on executions if they are enough for it. */
TEST(where_no_time_shows_an_execution_takes_little)
{
  const double enough = 0.01 / SC_TIME_EXECUTION;
  unit_near(at_double(enough + 1, 0.01), 2 * 0.01);
  unit_near(at_double(enough, 0.01), 2 * 0.01);
  unit_near(at_double(enough - 1, 0.01), 2 * (enough - 1) * SC_TIME_EXECUTION);
}

TEST(time_that_shows_is_that_of_its_executions)
{
  unit_near(at_double(100, SC_TIME_SHOWS * 1.001), 2 * SC_TIME_SHOWS * 1.001);
  unit_near(at_double(100, SC_TIME_SHOWS), 2 * SC_TIME_SHOWS);
  unit_near(at_double(100, SC_TIME_SHOWS * 0.999), 2 * 100 * SC_TIME_EXECUTION);
}

/* No run takes less than a millisecond more, however alike they seem. */
TEST(runs_differ_by_chance)
{
  const double many = 1e9;
  unit_near(at_double(many, SC_TIME_CHANCE * 1.001), 2 * SC_TIME_CHANCE * 1.001);
  unit_near(at_double(many, SC_TIME_CHANCE), 2 * SC_TIME_CHANCE);
  unit_near(at_double(many, SC_TIME_CHANCE * 0.999), 2 * SC_TIME_CHANCE);
}

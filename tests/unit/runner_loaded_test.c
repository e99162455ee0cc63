/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of the times of a study whose counts come from uprobes: up to a slowdown, what is left without it. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "runner/loaded/load.h"
#include "runner/text/tuning.h"
#include "study_scene.h"
#include "transitions/model/elapsed.h"

static const double sizes[] = {100, 200, 400, 800};

/* A run of each size, which takes `factor` times the plain program's time. */
static sc_graph *runs_of(enum sc_run_role role, double factor)
{
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  uint32_t process = study_context(graph, 0, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "demo"});
  uint32_t function = study_context(graph, process, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "parse"});
  for (size_t i = 0; i < COUNT(sizes); i++) {
    size_t index;
    double seconds = factor * 1e-3 * sizes[i];
    sc_run run = {.n = sizes[i], .role = role, .user_seconds = seconds, .wall_seconds = seconds, .has_waits = true};
    snprintf(run.build, sizeof run.build, "one");
    assert_int_equal(sc_graph_begin_run(graph, &run, &index), 0);
    if (role != SC_RUN_PLAIN)
      assert_int_equal(sc_graph_add(graph, index, function, SC_METRIC_COUNT, sizes[i]), 0);
  }
  return graph;
}

static double slowdown_high(double factor)
{
  sc_graph *graph = runs_of(SC_RUN_TRAINING, factor), *plains = runs_of(SC_RUN_PLAIN, 1);
  sc_plain plain;
  assert_int_equal(sc_plain_find(graph, plains, &plain), 0);
  assert_true(plain.runs > 0);
  sc_graph_free(graph);
  sc_graph_free(plains);
  return plain.slowdown_high;
}

static void save(sc_study *study, enum sc_run_role role, double factor)
{
  sc_graph *graph = runs_of(role, factor);
  for (size_t i = 0; i < sc_graph_run_count(graph); i++)
    assert_int_equal(sc_study_save_run(study, graph, i, NULL, 0), 0);
  sc_graph_free(graph);
}

static sc_loaded load_study(double factor, bool plain, bool uprobes)
{
  char path[TEMPORARY_PATH];
  sc_workload *workload;
  sc_study *study;
  sc_loaded loaded;
  char *argv[] = {"demo", "{n}", NULL};
  const sc_fit_options fit = SC_FIT_OPTIONS_DEFAULT;
  temporary_path(path);
  unlink(path);
  assert_int_equal(sc_workload_from_command(&(sc_workload_words){.parameter = "n=100..800"}, argv, &workload), 0);
  assert_int_equal(sc_study_open(path, SC_STUDY_CREATE, &study), 0);
  assert_int_equal(sc_study_put(study, "workload", workload->source), 0);
  if (uprobes)
    assert_int_equal(sc_study_put(study, "uprobes", "parse"), 0);
  save(study, SC_RUN_TRAINING, factor);
  if (plain)
    save(study, SC_RUN_PLAIN, 1);
  sc_study_close(study);
  assert_int_equal(sc_loaded_read(path, &fit, NULL, 0, &loaded), 0);
  sc_workload_free(workload);
  unlink(path);
  return loaded;
}

static void expect_times(double factor, bool plain, bool uprobes, bool times)
{
  sc_loaded loaded = load_study(factor, plain, uprobes);
  assert_int_equal(sc_analysis_elapsed_known(loaded.analysis), times);
  assert_int_equal(loaded.plain.taken_away, !times);
  assert_int_equal(loaded.entries, uprobes);
  if (!times && plain)
    unit_near_by(loaded.slowdown, factor, 0.05);
  else
    assert_true(loaded.slowdown == 0);
  sc_loaded_free(&loaded);
}

TEST(times_of_counters_stay)
{
  expect_times(1.1, true, false, true);
  expect_times(1.1, false, false, true);
  expect_times(10, true, false, true);
}

TEST(times_of_uprobes_need_plain_runs)
{
  expect_times(1.1, false, true, false);
  expect_times(1.1, true, true, true);
}

TEST(times_that_are_mostly_the_uprobes_are_taken_away)
{
  double below = 1, above = 4;
  for (int i = 0; i < 60; i++) { /* the factors on both sides of the threshold */
    double middle = (below + above) / 2;
    *(slowdown_high(middle) <= SC_LOADED_PROBED ? &below : &above) = middle;
  }
  assert_true(slowdown_high(below) <= SC_LOADED_PROBED && slowdown_high(above) > SC_LOADED_PROBED);
  assert_true(above > 1.5 && above - below < 1e-12);
  expect_times(below, true, true, true);
  expect_times(above, true, true, false);
  expect_times(3, true, true, false);
}

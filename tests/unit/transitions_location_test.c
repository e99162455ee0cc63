/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that users give functions, what the library's headers are, and whose task a context is. */
#include "unit.h"

#include "profiles/graph/location.h"

#include "transitions_scene.h"

static const sc_location push = {
    .kind = SC_LOCATION_FUNCTION, .name = "_ZN5Queue4pushEi", .display = "Queue::push(int)", .file = "/src/queue.cpp"};

TEST(functions_are_called_by_each_of_their_names)
{
  static const char *const right[] = {"_ZN5Queue4pushEi", "Queue::push(int)", "Queue::push"};
  static const char *const wrong[] = {"push", "Queue::pus", "Queue::push(", "Queue::push(int) const", ""};
  sc_location loop = push;
  loop.kind = SC_LOCATION_LOOP;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    assert_true(sc_location_is_called(&push, right[i]) && !sc_location_is_called(&loop, right[i]));
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(sc_location_is_called(&push, wrong[i]));
}

TEST(headers_of_the_system_are_the_library)
{
  static const char *const files[] = {"/usr/include/c++/12/bits/std_thread.h", "/usr/lib/llvm-19/include/x.h",
                                      "/usr/src/x.c", "/src/usr/include/x.h", ""};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    sc_location location = push;
    location.file = files[i];
    assert_int_equal(sc_location_is_library(&location), i < 2);
  }
}

/* process > std::thread::_M_run > worker > loop > serve > handle */
TEST(tasks_are_entries_or_the_first_own_function)
{
  static const double sizes[] = {1};
  static const char *const none[] = {"other"}, *const entry[] = {"other", "serve"},
                           *const inner[] = {"serve", "handle"};
  sc_graph *graph = scene_new(sizes, 1, "");
  sc_location process = {.kind = SC_LOCATION_PROCESS, .name = "p", .file = ""}, run = push;
  run.name = run.display = "std::thread::_M_run";
  run.file = "/usr/include/c++/12/bits/std_thread.h";
  uint32_t top = scene_context(graph, scene_context(graph, 0, &process), &run);
  uint32_t worker = scene_function(graph, top, "worker", scene_one, 0);
  uint32_t loop = scene_loop(graph, worker, "worker", 5, scene_n, 0);
  uint32_t serve = scene_function(graph, loop, "serve", scene_n, 0);
  uint32_t handle = scene_function(graph, serve, "handle", scene_n, 0);
  assert_int_equal(sc_graph_task(graph, handle, NULL, 0), worker);
  assert_int_equal(sc_graph_task(graph, handle, none, 1), worker);
  assert_int_equal(sc_graph_task(graph, handle, entry, 2), serve);
  assert_int_equal(sc_graph_task(graph, handle, inner, 2), handle);
  assert_int_equal(sc_graph_task(graph, loop, entry, 2), worker);
  assert_int_equal(sc_graph_task(graph, top, entry, 2), top); /* nobody else's */
  sc_graph_free(graph);
}

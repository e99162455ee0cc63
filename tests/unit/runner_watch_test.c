/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The overhead of probes at its limits; processes as /proc shows them. */
#include "runner/attach/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/process/running.h"
#include "runner/text/tuning.h"
#include "unit.h"

TEST(overhead_is_relative_to_the_time_without_probes)
{
  assert_float_equal(sc_watch_overhead(0.03, 1.03, 1), 0.03, 1e-12);
  assert_float_equal(sc_watch_overhead(0.5, 1, 1), 1, 1e-12);
}

TEST(an_idle_program_has_no_overhead)
{
  assert_float_equal(sc_watch_overhead(SC_ATTACH_IDLE * 10 * 0.999, 0.02, 10), 0, 0);
  assert_true(sc_watch_overhead(SC_ATTACH_IDLE * 10 * 1.001, 0.02, 10) > 0.9);
}

TEST(overhead_has_a_cap)
{
  assert_float_equal(sc_watch_overhead(2, 1, 1), SC_ATTACH_DROWNED, 1e-9); /* prices above what was measured */
  assert_float_equal(sc_watch_overhead(1, 1, 1), SC_ATTACH_DROWNED, 1e-9);
  assert_true(sc_watch_overhead(1, 1 + 1.01 / SC_ATTACH_DROWNED, 1) < SC_ATTACH_DROWNED);
}

TEST(a_tree_has_the_children_of_children)
{
  int gate[2], told[2];
  char go;
  assert_int_equal(pipe(gate), 0);
  assert_int_equal(pipe(told), 0);
  pid_t child = fork();
  if (child == 0) {
    pid_t grandchild = fork();
    if (write(told[1], &grandchild, grandchild ? sizeof grandchild : 0) < 0 || read(gate[0], &go, 1) < 0)
      _exit(1);
    if (grandchild)
      waitpid(grandchild, NULL, 0);
    _exit(0);
  }
  pid_t grandchild = 0;
  assert_int_equal(read(told[0], &grandchild, sizeof grandchild), sizeof grandchild);
  sc_running_tree tree;
  assert_int_equal(sc_running_list(child, &tree), 0);
  assert_int_equal(tree.count, 2);
  assert_int_equal(tree.list[0].process, child);
  assert_int_equal(tree.list[1].process, grandchild);
  assert_int_equal(tree.list[1].threads, 1);
  unit_has(tree.list[1].image, "runner_watch_test");
  assert_true(sc_running_processor(&tree) >= 0);
  sc_running_free(&tree);
  assert_int_equal(write(gate[1], "..", 2), 2);
  waitpid(child, NULL, 0);
  assert_int_equal(sc_running_list(child, &tree), 0);
  assert_int_equal(tree.count, 0);
  sc_running_free(&tree);
  assert_int_equal(sc_running_check(child), SC_E_INPUT);
  assert_int_equal(sc_running_check(0), SC_E_INPUT);
  assert_int_equal(sc_running_check(getpid()), 0);
}

static int find_libc(void *user, const char *path)
{
  bool *found = user;
  *found |= strstr(path, "/libc.so.6") != NULL;
  assert_null(strstr(path, "runner_watch_test"));
  return 0;
}

TEST(libraries_are_those_that_are_mapped)
{
  bool found = false;
  char path[4096];
  assert_int_equal(sc_running_libraries(getpid(), find_libc, &found), 0);
  assert_true(found);
  assert_int_equal(sc_running_program(getpid(), path, sizeof path), 0);
  unit_has(path, "runner_watch_test");
}

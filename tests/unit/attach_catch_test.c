/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of libc's exit by another program, with one link for all places and with one for each, as older kernels need
 * it. */
#include "unit.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrument/attach/catch.h"
#include "instrument/attach/functions.h"

/* A child that waits, and then becomes the program. */
static pid_t wait_for_release(int gate[2])
{
  pid_t pid = fork();
  char go;
  if (pid == 0) {
    if (read(gate[0], &go, 1) == 1)
      execl("/bin/sh", "sh", "-c", "/bin/true; exit 0", (char *)NULL);
    _exit(126);
  }
  return pid;
}

typedef struct totals {
  uint64_t sh, other, functions;
} totals;

static int add_calls(void *user, const char *image, uint32_t function, uint64_t calls)
{
  totals *t = user;
  bool shell = strcmp(image, "dash") == 0 || strcmp(image, "sh") == 0 || strcmp(image, "bash") == 0;
  *(shell ? &t->sh : &t->other) += calls;
  t->functions |= 1u << function;
  return 0;
}

static totals run_once(sc_catch *caught, sc_catch_totals *processes, sc_catch_happened_fn happened, void *user)
{
  int gate[2], status;
  totals t = {0};
  assert_int_equal(pipe(gate), 0);
  pid_t pid = wait_for_release(gate);
  assert_int_equal(sc_catch_begin(caught, pid, happened, user), 0);
  assert_int_equal(write(gate[1], "", 1), 1);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  close(gate[0]);
  close(gate[1]);
  assert_int_equal(sc_catch_take(caught, processes, add_calls, &t), 0);
  return t;
}

/* Two functions of libc, caught. */
typedef struct catching {
  sc_object *object;
  sc_functions found;
  sc_catch *caught;
} catching;

static catching catch_two(const char *one, const char *other, const struct scale_capture *captures, unsigned how)
{
  Dl_info libc;
  catching c = {0};
  assert_int_not_equal(dladdr((void *)exit, &libc), 0);
  assert_int_equal(sc_object_open(libc.dli_fname, &c.object), 0);
  assert_int_equal(sc_functions_find(c.object, one, &c.found), 0);
  assert_int_equal(c.found.count, 1);
  assert_int_equal(sc_functions_find(c.object, other, &c.found), 0);
  const sc_catch_place places[] = {{c.found.list[0].file, one, c.found.list[0].entries[0].offset, 0},
                                   {c.found.list[1].file, other, c.found.list[1].entries[0].offset, 1}};
  int err = sc_catch_open(places, COUNT(places), 2, captures, how, &c.caught);
  if (err == SC_E_UNSUPPORTED) {
    printf("skipped: %s\n", sc_err_message());
    skip();
  }
  assert_int_equal(err, 0);
  return c;
}

static void let_go(catching *c)
{
  sc_catch_close(c->caught);
  sc_functions_free(&c->found);
  sc_object_close(c->object);
}

static void count_exits(bool single)
{
  catching c = catch_two("exit", "fork", NULL, single ? SC_CATCH_SINGLE : 0);
  sc_catch_totals processes;
  for (int i = 0; i < 3; i++) { /* each begins with 0 */
    totals t = run_once(c.caught, &processes, NULL, NULL);
    assert_int_equal(t.other, 1);
    assert_int_equal(t.functions & 1, 1);
    assert_int_equal(processes.processes, 2);
    assert_int_equal(processes.lost, 0);
  }
  let_go(&c);
}

TEST(counts_by_one_link) { count_exits(false); }
TEST(counts_by_a_link_for_each_place) { count_exits(true); }

/* ---- what happened ---- */

typedef struct told {
  unsigned began, ended, exits, entries, returns;
  uint64_t statuses; /* of exit, a bit each */
  bool wrong;
} told;

static void note_told(void *user, const struct scale_happened *what)
{
  told *t = user;
  t->began += what->kind == SCALE_HAPPENED_BEGIN;
  t->ended += what->kind == SCALE_HAPPENED_END;
  if (what->kind == SCALE_HAPPENED_ENTRY && what->function == 0) {
    t->exits++;
    t->statuses |= UINT64_C(1) << (what->values[0] & 63);
  }
  if (what->function != 1)
    return;
  t->entries += what->kind == SCALE_HAPPENED_ENTRY;
  t->returns += what->kind == SCALE_HAPPENED_RETURN;
  if (what->kind != SCALE_HAPPENED_RETURN)
    return;
  /* malloc's result, and its argument as it was when it was entered */
  t->wrong |= what->time < what->began || what->result < 4096 || !what->values[0] || what->values[0] > 1 << 30;
}

static void tell_calls(bool single)
{
  static const struct scale_capture captures[] = {
      {SCALE_TELLS_ENTRY, 1, {{SCALE_VALUE_ARGUMENT, 0, 0, 0}}},
      {SCALE_TELLS_ENTRY | SCALE_TELLS_RETURN, 1, {{SCALE_VALUE_ARGUMENT, 0, 0, 0}}}};
  catching c = catch_two("exit", "malloc", captures, single ? SC_CATCH_SINGLE : 0);
  sc_catch_totals processes;
  for (int i = 0; i < 2; i++) {
    told t = {0};
    totals counted = run_once(c.caught, &processes, note_told, &t);
    assert_int_equal(processes.untold, 0);
    assert_int_equal(t.began, 3); /* two execs, a fork */
    assert_int_equal(t.ended, 2);
    assert_true(t.entries > 5);
    assert_int_equal(t.entries, t.returns);
    assert_int_equal(t.entries + t.exits, counted.sh + counted.other);
    assert_int_equal(t.statuses, 1);
    assert_false(t.wrong);
  }
  let_go(&c);
}

TEST(tells_of_calls_by_one_link) { tell_calls(false); }
TEST(tells_of_calls_by_a_link_for_each_place) { tell_calls(true); }

/* ---- processes that are there ---- */

static void fork_often(int times)
{
  for (int i = 0; i < times; i++) {
    pid_t child = fork();
    if (child == 0)
      _exit(0);
    waitpid(child, NULL, 0);
  }
}

static void join_run(unsigned how)
{
  catching c = catch_two("waitpid", "fork", NULL, how);
  const sc_catch_running self = {getpid(), 3, "myself"};
  uint64_t calls[2];
  for (int round = 0; round < 2; round++) {
    fork_often(3); /* it has not joined */
    assert_int_equal(sc_catch_begin(c.caught, 0, NULL, NULL), 0);
    fork_often(3);
    assert_int_equal(sc_catch_join(c.caught, &self, 1), 0);
    fork_often(5);
    assert_int_equal(sc_catch_calls(c.caught, calls), 0);
    assert_int_equal(calls[0], 5);
    assert_int_equal(calls[1], 5);
    sc_catch_end(c.caught);
    fork_often(3); /* it is over */
    assert_int_equal(sc_catch_calls(c.caught, calls), 0);
    assert_int_equal(calls[1], 5);
  }
  assert_int_equal(sc_catch_begin(c.caught, 0, NULL, NULL), 0);
  assert_int_equal(sc_catch_join(c.caught, &self, 1), 0);
  fork_often(2);
  sc_catch_drop(c.caught, (const bool[]){false, true});
  fork_often(2);
  assert_int_equal(sc_catch_calls(c.caught, calls), 0);
  assert_int_equal(calls[0], 4);
  assert_int_equal(calls[1], 2);
  let_go(&c);
}

TEST(a_process_that_is_there_joins) { join_run(SC_CATCH_RUNNING | SC_CATCH_APART); }
TEST(a_process_joins_single_places) { join_run(SC_CATCH_RUNNING | SC_CATCH_SINGLE); }

TEST(names_a_place_that_cannot_be_probed)
{
  sc_catch *caught;
  const sc_catch_place nowhere = {"/proc/self/status", "nothing", 0, 0};
  assert_true(sc_catch_open(&nowhere, 1, 1, NULL, SC_CATCH_SINGLE, &caught) < 0);
  assert_null(caught);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads are there for, and in which order calls stand. */
#include "unit.h"

#include "transitions/resources/roles.h"
#include "transitions_resources_made.h"

static const sc_resource kinds[] = {{SC_RESOURCE_MUTEX, "queue", "a.c", 1}};

/* The run of the made resources in a graph of one run. */
typedef struct scene {
  made_resources *m;
  size_t runs[1];
  uint32_t process;
} scene;

static scene begin(void)
{
  scene s = {.m = made_new(kinds, 1, 1, 1)};
  size_t run;
  sc_run only = {.n = 100, .role = SC_RUN_TRAINING};
  assert_int_equal(sc_graph_begin_run(s.m->graph, &only, &run), 0);
  s.process = scene_context(s.m->graph, 0, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "program", .file = ""});
  return s;
}

static uint32_t function(scene *s, uint32_t parent, const char *name, double entries)
{
  sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = "a.c", .line = 1};
  uint32_t context = scene_context(s->m->graph, parent, &location);
  assert_int_equal(sc_graph_add(s->m->graph, 0, context, SC_METRIC_COUNT, entries), 0);
  return context;
}

static uint32_t loop(scene *s, uint32_t parent, uint32_t line, double iterations)
{
  sc_location location = {.kind = SC_LOCATION_LOOP, .name = "f", .file = "a.c", .line = line, .column = 3};
  uint32_t context = scene_context(s->m->graph, parent, &location);
  assert_int_equal(sc_graph_add(s->m->graph, 0, context, SC_METRIC_COUNT, iterations), 0);
  return context;
}

static uint32_t role(scene *s, uint32_t context)
{
  s->m->r.graph_runs = s->runs;
  return sc_rrole_of(&s->m->r, context);
}

/* All eight threads begin in start; five of them go on in serve, two in log; each calls work many times. */
TEST(threads_of_a_class_have_their_own_roles)
{
  scene s = begin();
  uint32_t start = function(&s, s.process, "start", 8);
  uint32_t run = function(&s, start, "run", 8);
  uint32_t serve = function(&s, run, "serve", 5), log = function(&s, run, "log", 2);
  uint32_t work = function(&s, serve, "work", 5000), once = function(&s, serve, "once", 3);
  assert_int_equal(role(&s, work), serve); /* called more often than there are threads: part of it */
  assert_int_equal(role(&s, serve), serve);
  assert_int_equal(role(&s, log), log);
  assert_int_equal(role(&s, once), once); /* three of the five */
  assert_int_equal(role(&s, run), start); /* as many as begin */
  uint32_t in_loop = function(&s, loop(&s, start, 5, 100), "step", 2);
  assert_int_equal(role(&s, in_loop), start); /* behind a loop all are one role */
  const uint32_t list[] = {serve, log};
  assert_true(sc_rrole_in(list, 2, log) && !sc_rrole_in(list, 1, log) && !sc_rrole_in(list, 0, serve));
  made_free(s.m);
}

/* By the lines of the innermost function or loop that leads to both. */
TEST(calls_stand_in_the_order_of_their_lines)
{
  scene s = begin();
  uint32_t f = function(&s, s.process, "f", 1), early = loop(&s, f, 10, 5), late = loop(&s, f, 20, 5);
  uint32_t inner = loop(&s, early, 12, 50), below;
  const sc_rcall in_f = {f, 15, 0}, in_early = {early, 11, 0}, in_inner = {inner, 13, 0}, in_late = {late, 21, 0};
  assert_int_equal(sc_rcall_order(&s.m->r, &in_early, &in_late), -1);
  assert_int_equal(sc_rcall_order(&s.m->r, &in_late, &in_inner), 1);
  assert_int_equal(sc_rcall_order(&s.m->r, &in_f, &in_late), -1);
  assert_int_equal(sc_rcall_order(&s.m->r, &in_f, &in_inner), 1);
  assert_int_equal(sc_rcall_order(&s.m->r, &in_early, &in_inner), -1); /* 11 and the loop in 12 */
  assert_int_equal(sc_rcall_order(&s.m->r, &in_f, &in_f), 0);
  assert_int_equal(sc_rcall_order(&s.m->r, &(sc_rcall){f, 0, 0}, &in_late), 0); /* a line is not known */
  assert_int_equal(sc_rcall_line_in(&s.m->r, &in_inner, f, &below), 10);
  assert_int_equal(below, early);
  assert_int_equal(sc_rcall_line_in(&s.m->r, &in_inner, inner, &below), 13);
  assert_int_equal(below, inner);
  uint32_t other = function(&s, s.process, "g", 1); /* another thread's: the process has no lines */
  assert_int_equal(sc_rcall_order(&s.m->r, &in_f, &(sc_rcall){other, 30, 0}), 0);
  made_free(s.m);
}

/* A function that is called more often than its caller has threads, if less often than there are at all, is no role. */
TEST(roles_part_from_those_around_them)
{
  scene s = begin();
  uint32_t start = function(&s, s.process, "start", 8), serve = function(&s, start, "serve", 3);
  uint32_t often = function(&s, serve, "often", 5), seldom = function(&s, often, "seldom", 1);
  assert_int_equal(role(&s, often), serve);
  assert_int_equal(role(&s, seldom), serve); /* below it there are no further roles */
  uint32_t never = function(&s, serve, "never", 0), alone = function(&s, never, "alone", 1);
  assert_int_equal(role(&s, never), serve);
  assert_int_equal(role(&s, alone), alone);
  assert_int_equal(role(&s, s.process), s.process);
  s.m->r.size_count = 0; /* sizes are not told apart */
  assert_int_equal(role(&s, often), serve);
  s.m->r.run_count = 0;
  assert_int_equal(role(&s, often), start); /* without any run all are alike */
  made_free(s.m);
}

TEST(roles_are_listed_once)
{
  uint32_t list[2];
  size_t count = 0;
  assert_true(sc_rrole_add(list, &count, 2, 7) && count == 1 && list[0] == 7);
  assert_true(!sc_rrole_add(list, &count, 2, 7) && count == 1);
  assert_true(sc_rrole_add(list, &count, 2, 9) && count == 2 && list[1] == 9);
  assert_true(!sc_rrole_add(list, &count, 2, 11) && count == 2);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that wait for a condition again and again: is it the waking of all that makes them grow? */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "transitions_scene.h"

static const double sizes[] = {4, 8, 16, 32, 64};
enum { SIZES = 5 };

/* Threads that wait in a loop. There are n wakings at n, and `each` n waits for each of them. */
typedef struct waking {
  const char *via;
  double each;
  enum sc_resource_class of;
  bool named;
  const char *wait; /* NULL: pthread_cond_wait */
  double single;    /* n times as many are woken alone */
} waking;

static void add(sc_graph *graph, size_t run, sc_usage usage)
{
  assert_int_equal(sc_usage_add(graph, run, &usage, NULL), 0);
}

static void check(const waking *w)
{
  sc_graph *graph = scene_new(sizes, SIZES, "");
  uint32_t main = scene_main(graph), enter = scene_function(graph, main, "enter", scene_n, 0);
  uint32_t loop = scene_loop(graph, enter, "enter", 9, scene_square, 0);
  uint32_t leave = scene_function(graph, main, "leave", scene_n, 0), turn;
  sc_resource resource = {.resource_class = w->of, .name = "turn", .file = "/src/scene.c", .line = 5};
  assert_int_equal(sc_usage_resource(graph, &resource, &turn), 0);
  for (size_t run = 0; run < SIZES; run++) {
    double n = sizes[run];
    add(graph, run,
        (sc_usage){.context = loop,
                   .resource = turn,
                   .via = w->wait ? w->wait : "pthread_cond_wait",
                   .event = SC_USAGE_EVENT_WAIT,
                   .values = {[SC_USAGE_WAITS] = w->each * n * n}});
    add(graph, run,
        (sc_usage){.context = leave,
                   .resource = turn,
                   .via = w->via,
                   .line = 18,
                   .event = SC_USAGE_EVENT_WRITE,
                   .values = {[SC_USAGE_WRITES] = n}});
    add(graph, run,
        (sc_usage){.context = leave,
                   .resource = turn,
                   .via = "pthread_cond_signal",
                   .line = 19,
                   .event = SC_USAGE_EVENT_WRITE,
                   .values = {[SC_USAGE_WRITES] = w->single * n * n}});
  }
  sc_analysis *a = scene_analyse(graph, (double[]){640}, 1);
  sc_findings found = scene_infer(a);
  const sc_finding *f = scene_find(&found, loop);
  assert_non_null(f);
  assert_int_equal(f->rule, SC_RULE_SUPERLINEAR_LOOP);
  bool told = strstr(f->advice, "turn (scene.c:5)") &&
              strstr(f->advice, "Thundering herd: leave (scene.c:18) wakes all") && strstr(f->advice, "Wake one") &&
              !strstr(f->advice, "index");
  if (told != w->named)
    fail_msg("%s, %g each: %s", w->via, w->each, f->advice);
  scene_end(graph, a, &found);
}

TEST(a_herd_is_told_as_one)
{
  static const waking wakings[] = {
      {"pthread_cond_broadcast", 1, SC_RESOURCE_CONDITION, true},
      {"cnd_broadcast", 1, SC_RESOURCE_CONDITION, true},
      {"_ZNSt18condition_variable10notify_allEv", 0.5, SC_RESOURCE_CONDITION, true},
      {"pthread_cond_broadcast", 0.49, SC_RESOURCE_CONDITION, false},     /* mostly it does something else */
      {"pthread_cond_broadcast", 1.9 / 64, SC_RESOURCE_CONDITION, false}, /* fewer than two at a time */
      {"pthread_cond_signal", 1, SC_RESOURCE_CONDITION, false},
      {"pthread_cond_broadcast", 1, SC_RESOURCE_OTHER, false},
      {"pthread_cond_broadcast", 1, SC_RESOURCE_CONDITION, true, NULL, 0.9},
      {"pthread_cond_broadcast", 1, SC_RESOURCE_CONDITION, false, NULL, 0.98}, /* work that is handed out one by one */
      {"pthread_cond_broadcast", 1, SC_RESOURCE_CONDITION, false, "pthread_cond_timedwait", 0}, /* looks now and then */
      {"pthread_cond_broadcast", 1, SC_RESOURCE_CONDITION, false, "pthread_cond_clockwait", 0},
  };
  for (size_t i = 0; i < sizeof wakings / sizeof *wakings; i++)
    check(&wakings[i]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions/resources/listeners.h"
#include "transitions_resources_scene.h"

static const double clients[] = {1, 2, 4, 8};
enum { SIZES = 4, REPEATS = 3 };

typedef struct server {
  double threads;
  const char *via;
  double waits, busy; /* a run, at the largest size; share of the time for the first client */
  double idle;        /* share of the time that they wait at least */
  double each;        /* share of the time for each further client; 0: as for the first */
} server;

static double servers_at_a_time;
static double count_servers(double n) { return servers_at_a_time > 0 ? servers_at_a_time : n; }

/* Runs of a second; found[0] is what is seen of the server. */
static size_t look(const server *s, enum sc_parameter_kind kind, sc_listeners *found)
{
  static const double target = 64;
  sc_graph *graph = scene_repeats(clients, SIZES, REPEATS);
  servers_at_a_time = s->threads;
  uint32_t process = sc_graph_parent(graph, scene_main(graph));
  uint32_t role = scene_function(graph, process, "serve", count_servers, 0);
  uint32_t io = scene_resource(graph, SC_RESOURCE_IO, "I/O", 0);
  for (size_t run = 0; run < SIZES * REPEATS; run++) {
    double n = clients[run / REPEATS], threads = s->threads > 0 ? s->threads : n;
    sc_usage usage = {
        .via = s->via,
        .event = SC_USAGE_EVENT_WAIT,
        .line = 12,
        .values = {[SC_USAGE_WAITS] = s->waits,
                   [SC_USAGE_WAIT_SECONDS] =
                       threads * fmax(s->idle, 1 - s->busy - (n - 1) * (s->each > 0 ? s->each : s->busy))}};
    scene_usage(graph, run, role, io, &usage);
    sc_graph_run(graph, run)->wall_seconds = 1;
  }
  sc_analysis *analysis = scene_analyse(graph, &target, 1);
  sc_resources *resources = scene_resources(analysis, kind);
  size_t count = sc_resources_listeners(resources, found, 1);
  if (count) /* the graph's text goes */
    found->via = s->via;
  scene_drop(graph, analysis, resources);
  return count;
}

TEST(threads_that_listen_are_seen)
{
  static const char *const calls[] = {"epoll_wait", "poll", "select", "accept4"};
  for (size_t i = 0; i < 4; i++) {
    sc_listeners found;
    const server s = {3, calls[i], 100, 0.1, 0};
    assert_int_equal(look(&s, SC_PARAMETER_CLIENTS, &found), 1);
    assert_true(found.threads == 3 && found.line == 12);
    assert_true(found.full == 10); /* clients */
    assert_true(fabs(found.busy_small - 0.1) < 1e-9 && fabs(found.busy_large - 0.8) < 1e-9);
  }
}

TEST(others_do_not_listen)
{
  sc_listeners found;
  static const server others[] = {
      {3, "connect", 100, 0.1, 0},    /* asks, and waits for the answer */
      {0, "read", 100, 0.1, 0},       /* a thread for each client, or of a client */
      {0, "epoll_wait", 100, 0.1, 0}, /* the same */
  };
  for (size_t i = 0; i < COUNT(others); i++)
    assert_int_equal(look(&others[i], SC_PARAMETER_CLIENTS, &found), 0);
  static const server good = {3, "epoll_wait", 100, 0.1, 0};
  assert_int_equal(look(&good, SC_PARAMETER_WORK, &found), 0);
}

/* A dispatcher writes to their pipe or socket: as many threads at all sizes, as those of clients are not. */
TEST(workers_that_read_from_a_pipe_listen)
{
  static const char *const calls[] = {"read", "readv", "recv", "recvfrom", "recvmsg"};
  for (size_t i = 0; i < COUNT(calls); i++) {
    sc_listeners found;
    const server reads = {3, calls[i], 100, 0.1, 0};
    assert_int_equal(look(&reads, SC_PARAMETER_CLIENTS, &found), 1);
    assert_string_equal(found.via, calls[i]);
  }
}

TEST(they_wait_often_and_long)
{
  static const struct {
    double waits, busy;
    size_t found;
  } cases[] = {{15, 0.1, 0}, {16, 0.1, 1}, {17, 0.1, 1}, {100, 0.89, 1}, {100, 0.9, 1}, {100, 0.91, 0}};
  for (size_t i = 0; i < 6; i++) {
    sc_listeners found;
    const server s = {3, "poll", cases[i].waits, cases[i].busy, 0.01};
    if (look(&s, SC_PARAMETER_THREADS, &found) != cases[i].found)
      fail_msg("case %zu", i);
  }
}

TEST(what_hardly_grows_does_not_go_on)
{
  static const double each[] = {0.1 * 0.14 / 7, 0.1 * 0.16 / 7};
  for (size_t i = 0; i < 2; i++) {
    sc_listeners found;
    const server s = {3, "poll", 100, 0.1, 0, each[i]};
    assert_int_equal(look(&s, SC_PARAMETER_CLIENTS, &found), 1);
    assert_true(i ? found.full == 69 : found.full == 0); /* 8 / 0.116 */
  }
}

/* ---- several ---- */

enum { MOST = 17 };
static double threads_of[MOST];
static size_t at_role;
static double count_of_role(double n) { return n > 0 ? threads_of[at_role] : 0; }

/* Roles with these threads, in runs that last `wall` seconds; each waits for half of that. */
static sc_resources *world_of(size_t roles, double wall, sc_graph **graph, sc_analysis **analysis, uint32_t *contexts)
{
  static const double target = 64;
  *graph = scene_repeats(clients, SIZES, REPEATS);
  uint32_t process = sc_graph_parent(*graph, scene_main(*graph));
  uint32_t io = scene_resource(*graph, SC_RESOURCE_IO, "I/O", 0);
  for (size_t i = 0; i < roles; i++) {
    char name[32];
    snprintf(name, sizeof name, "serve%zu", i);
    at_role = i;
    contexts[i] = scene_function(*graph, process, name, count_of_role, 0);
    for (size_t run = 0; run < SIZES * REPEATS; run++) {
      sc_usage usage = {.via = "poll",
                        .event = SC_USAGE_EVENT_WAIT,
                        .line = 12 + (uint32_t)i,
                        .values = {[SC_USAGE_WAITS] = 100, [SC_USAGE_WAIT_SECONDS] = threads_of[i] * wall / 2}};
      scene_usage(*graph, run, contexts[i], io, &usage);
      sc_graph_run(*graph, run)->wall_seconds = wall;
    }
  }
  *analysis = scene_analyse(*graph, &target, 1);
  return scene_resources(*analysis, SC_PARAMETER_CLIENTS);
}

/* Those with most threads, most first, and as they came where these are the same; nothing is written behind them. */
TEST(the_largest_listeners_are_listed)
{
  static const double orders[][5] = {{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}, {3, 5, 1, 4, 2}, {2, 2, 3, 2, 3}};
  for (size_t o = 0; o < COUNT(orders); o++) {
    sc_graph *graph;
    sc_analysis *analysis;
    uint32_t contexts[MOST];
    memcpy(threads_of, orders[o], sizeof orders[o]);
    sc_resources *r = world_of(5, 1, &graph, &analysis, contexts);
    for (size_t most = 0; most <= 6; most++) {
      sc_listeners found[7];
      bool used[5] = {false};
      for (size_t i = 0; i < 7; i++)
        found[i] = (sc_listeners){.threads = -1};
      size_t count = sc_resources_listeners(r, found, most);
      assert_int_equal(count, most < 5 ? most : 5);
      assert_true(found[count].threads == -1);
      for (size_t i = 0; i < count; i++) {
        size_t next = 5;
        for (size_t k = 0; k < 5; k++)
          if (!used[k] && (next == 5 || orders[o][k] > orders[o][next]))
            next = k;
        used[next] = true;
        assert_true(found[i].threads == orders[o][next] && found[i].context == contexts[next]);
        assert_int_equal(found[i].line, 12 + next);
      }
    }
    scene_drop(graph, analysis, r);
  }
}

/* However short the runs are; of runs without a time nobody knows. The sixteen roles that came first are looked at. */
TEST(shares_of_short_runs_are_known)
{
  static const double walls[] = {0.25, 1, 40, 0};
  for (size_t i = 0; i < COUNT(walls); i++) {
    sc_graph *graph;
    sc_analysis *analysis;
    uint32_t contexts[MOST];
    sc_listeners found[MOST + 1];
    for (size_t k = 0; k < MOST; k++)
      threads_of[k] = 1 + (double)k;
    sc_resources *r = world_of(MOST, walls[i], &graph, &analysis, contexts);
    size_t count = sc_resources_listeners(r, found, MOST + 1);
    assert_int_equal(count, walls[i] > 0 ? 16 : 0);
    for (size_t k = 0; k < count; k++) {
      assert_true(found[k].threads == 16 - (double)k);
      unit_near(found[k].busy_small, 0.5);
      unit_near(found[k].busy_large, 0.5);
    }
    scene_drop(graph, analysis, r);
  }
}

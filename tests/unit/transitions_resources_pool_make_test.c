/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rows of a queue of work say that its workers did, counted by hand. */
#include "unit.h"

#include "transitions/model/data.h"
#include "transitions/resources/pool_load.h"
#include "transitions_resources_made.h"

static const sc_resource conditions[] = {{SC_RESOURCE_CONDITION, "work", "a.c", 1},
                                         {SC_RESOURCE_CONDITION, "answer", "a.c", 2},
                                         {SC_RESOURCE_MUTEX, "log", "a.c", 3}};
enum { WORK, ANSWER, LOG, SIZES = 4, TAKE_LINE = 11, CALL_LINE = 33 };

/* Three workers go for work in a function, where they wait in a loop; n / 100 clients make requests and wait. */
typedef struct scene {
  made_resources *m;
  sc_analysis analysis;
  size_t runs[SIZES];
  uint32_t process, serve, take, loop, ask;
  sc_rparts parts;
  sc_rload load;
} scene;

static uint32_t place(scene *s, uint32_t parent, enum sc_location_kind kind, const char *name, uint32_t line)
{
  sc_location location = {.kind = kind, .name = name, .file = "a.c", .line = line};
  return scene_context(s->m->graph, parent, &location);
}

static void enter(scene *s, size_t run, uint32_t context, double times)
{
  assert_int_equal(sc_graph_add(s->m->graph, run, context, SC_METRIC_COUNT, times), 0);
}

static void note(scene *s, size_t run, uint32_t context, uint32_t resource, const char *via, sc_usage usage)
{
  uint32_t index;
  usage.context = context;
  usage.resource = resource;
  usage.via = via;
  usage.line = TAKE_LINE;
  assert_int_equal(sc_usage_add(s->m->graph, run, &usage, &index), 0);
}

static void wait_at(scene *s, size_t run, uint32_t context, uint32_t resource, const char *via, double waits,
                    double seconds)
{
  note(s, run, context, resource, via,
       (sc_usage){.event = SC_USAGE_EVENT_ACQUIRE,
                  .values = {[SC_USAGE_WAITS] = waits, [SC_USAGE_WAIT_SECONDS] = seconds}});
}

static void signal_at(scene *s, size_t run, uint32_t context, uint32_t resource, double times)
{
  note(s, run, context, resource, "pthread_cond_signal",
       (sc_usage){.event = SC_USAGE_EVENT_WRITE, .values = {[SC_USAGE_WRITES] = times}});
}

static double clients_in(size_t run) { return exp2((double)run); }
static double requests_in_run(size_t run) { return 50 * clients_in(run); }

/* As many takes as requests, and one more of each worker; half of them wait, for two seconds in all. */
static scene *begin(const char *via)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(conditions, 3, SIZES, 1);
  for (size_t run = 0; run < SIZES; run++) {
    sc_run one = {.n = s->m->sizes[run], .role = SC_RUN_TRAINING};
    assert_int_equal(sc_graph_begin_run(s->m->graph, &one, &s->runs[run]), 0);
  }
  s->m->r.graph_runs = s->analysis.runs = s->runs;
  s->m->r.analysis = &s->analysis;
  s->process = place(s, 0, SC_LOCATION_PROCESS, "program", 0);
  s->serve = place(s, s->process, SC_LOCATION_FUNCTION, "serve", 1);
  s->take = place(s, s->serve, SC_LOCATION_FUNCTION, "take", 10);
  s->loop = place(s, s->take, SC_LOCATION_LOOP, "take", TAKE_LINE);
  s->ask = place(s, s->process, SC_LOCATION_FUNCTION, "ask", 20);
  for (size_t run = 0; run < SIZES; run++) {
    double clients = clients_in(run), requests = requests_in_run(run);
    enter(s, run, s->serve, 3);
    enter(s, run, s->take, requests + 3);
    enter(s, run, s->loop, requests / 2);
    enter(s, run, s->ask, clients);
    wait_at(s, run, s->loop, WORK, via, requests / 2, 2);
    signal_at(s, run, s->ask, WORK, requests);
    wait_at(s, run, s->ask, ANSWER, "pthread_cond_wait", requests, 0.04 * requests);
    signal_at(s, run, s->serve, ANSWER, requests);
    wait_at(s, run, s->ask, LOG, "pthread_mutex_lock", 1000, 1000); /* which is another matter */
    made_sum(s->m, ANSWER, run, SC_USAGE_WAIT_SECONDS, 0.04 * requests);
    *made_occupancy(s->m, WORK, run) = (sc_occupancy){
        .resource = WORK, .instances = 1, .threads = 3, .active_seconds = 27, .span_seconds = 10, .loaded_seconds = 8};
    *made_occupancy(s->m, ANSWER, run) =
        (sc_occupancy){.resource = ANSWER, .instances = 1, .threads = clients, .span_seconds = 9};
  }
  s->load = (sc_rload){.r = &s->m->r,
                       .all = &s->parts,
                       .pool = {.resource = WORK,
                                .answers = ANSWER,
                                .closed = true,
                                .take = {s->loop, TAKE_LINE, 0},
                                .workers = {s->serve},
                                .worker_count = 1,
                                .clients = {s->ask},
                                .client_count = 1}};
  s->load.pool.as.capacity = 3;
  return s;
}

static void end(scene *s)
{
  sc_rload_free(&s->load);
  made_free(s->m);
  free(s);
}

static void is_column(const scene *s, enum sc_rload_column column, size_t run, double value)
{
  double found = s->load.columns[column][run];
  if (!(fabs(found - value) <= 1e-9 * fmax(1, fabs(value))))
    fail_msg("column %d of run %zu: %g instead of %g", (int)column, run, found, value);
}

TEST(a_load_is_counted_by_its_takes)
{
  scene *s = begin("pthread_cond_wait");
  unit_ok(sc_rload_make(&s->load));
  assert_false(s->load.timed);
  for (size_t run = 0; run < SIZES; run++) {
    double requests = requests_in_run(run), answered = 0.04 * requests;
    /* three of 27 seconds that nobody sees are as busy as the others */
    double busy = 25 + fmin(1, 28.0 / 24) * 3, last = fmax(busy, answered) / requests;
    is_column(s, SC_RLOAD_TAKES, run, requests);
    is_column(s, SC_RLOAD_REQUESTS, run, requests);
    is_column(s, SC_RLOAD_ITEMS, run, requests);
    is_column(s, SC_RLOAD_WAITS, run, requests / 2);
    is_column(s, SC_RLOAD_BUSY, run, busy);
    is_column(s, SC_RLOAD_ANSWER, run, 0.04);
    double span = fmin(10, fmax(8 + last, busy / 3));
    is_column(s, SC_RLOAD_SPAN, run, span);
    is_column(s, SC_RLOAD_SHARE, run, busy / (3 * span));
    is_column(s, SC_RLOAD_CUSTOMERS, run, clients_in(run));
  }
  unit_near(sc_rload_share(&s->load), s->load.columns[SC_RLOAD_SHARE][SIZES - 1]);
  assert_true(s->load.pool.take.context == s->loop && s->load.pool.take.line == TAKE_LINE);
  end(s);
}

/* Answers that come after the last request lengthen the span; nobody's that are not known. */
TEST(a_span_lasts_until_the_last_answer)
{
  for (int known = 0; known < 2; known++) {
    scene *s = begin("pthread_cond_wait");
    s->load.pool.answers = known ? ANSWER : SC_USAGE_NONE;
    s->load.pool.closed = known;
    for (size_t run = 0; run < SIZES; run++) {
      made_occupancy(s->m, WORK, run)->loaded_seconds = 0;
      made_occupancy(s->m, ANSWER, run)->span_seconds = 12;
    }
    unit_ok(sc_rload_make(&s->load));
    is_column(s, SC_RLOAD_SPAN, 2, known ? 12 : 10);
    is_column(s, SC_RLOAD_BUSY, 2, known ? 34 : 28);
    is_column(s, SC_RLOAD_ANSWER, 2, known ? 0.04 : 0);
    is_column(s, SC_RLOAD_CUSTOMERS, 2, 4);
    end(s);
  }
}

/* Workers that wait for a time come for nothing, too: requests are what was served. Of those that wait for ever the
 * larger of the two numbers is. */
TEST(takes_in_vain_are_no_items)
{
  static const struct {
    const char *via;
    double asked, items; /* over the takes */
    bool by_role;
  } cases[] = {{"pthread_cond_wait", 0.8, 1, false},        {"pthread_cond_wait", 1.25, 1.25, false},
               {"pthread_cond_timedwait", 0.8, 0.8, false}, {"pthread_cond_timedwait", 1.25, 1, false},
               {"pthread_cond_clockwait", 0.8, 0.8, false}, {"pthread_cond_wait", 0.8, 0.8, true},
               {"pthread_cond_timedwait", 0, 1, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = begin(cases[i].via);
    s->load.by_role = cases[i].by_role;
    for (size_t run = 0; run < SIZES; run++)
      signal_at(s, run, s->ask, WORK, (cases[i].asked - 1) * requests_in_run(run));
    unit_ok(sc_rload_make(&s->load));
    assert_true(s->load.timed == (strstr(cases[i].via, "d_wait") == NULL));
    is_column(s, SC_RLOAD_REQUESTS, 1, 100 * cases[i].asked);
    is_column(s, SC_RLOAD_TAKES, 1, 100);
    is_column(s, SC_RLOAD_ITEMS, 1, 100 * cases[i].items);
    if (cases[i].by_role) /* others' times may be in what the condition has */
      is_column(s, SC_RLOAD_BUSY, 1, 28);
    end(s);
  }
}

/* Clients that wait by the same name, once all is over, are no workers; what others signal is no request. */
TEST(who_else_uses_the_condition)
{
  scene *s = begin("pthread_cond_wait");
  uint32_t stop = place(s, s->process, SC_LOCATION_FUNCTION, "stop", 40);
  for (size_t run = 0; run < SIZES; run++) {
    wait_at(s, run, s->ask, WORK, "pthread_cond_wait", 1, 5);
    enter(s, run, stop, 1);
    signal_at(s, run, stop, WORK, 77);
    made_occupancy(s->m, WORK, run)->threads = 3 + clients_in(run);
    made_occupancy(s->m, WORK, run)->loaded_seconds = 0;
  }
  unit_near(sc_rload_asking(&s->load, 3), 8);
  unit_ok(sc_rload_make(&s->load));
  for (size_t run = 0; run < SIZES; run++) {
    is_column(s, SC_RLOAD_REQUESTS, run, requests_in_run(run));
    is_column(s, SC_RLOAD_TAKES, run, requests_in_run(run));
    is_column(s, SC_RLOAD_WAITS, run, requests_in_run(run) / 2);
    is_column(s, SC_RLOAD_BUSY, run, 28);
  }
  end(s);
  static const double threads[][2] = {{1, 1}, {2, 2}, {0.5, 3}, {4, 3}}; /* seen, and taken for workers */
  for (size_t i = 0; i < COUNT(threads); i++) {
    s = begin("pthread_cond_wait");
    made_occupancy(s->m, WORK, 0)->threads = threads[i][0];
    made_occupancy(s->m, WORK, 0)->loaded_seconds = 0;
    unit_ok(sc_rload_make(&s->load));
    is_column(s, SC_RLOAD_BUSY, 0, 10 * threads[i][1] - 2);
    end(s);
  }
}

/* Two places that take are two; the same place, by two calls, is one. */
TEST(each_place_that_takes_is_counted_once)
{
  scene *s = begin("pthread_cond_wait");
  uint32_t other = place(s, s->serve, SC_LOCATION_FUNCTION, "take_more", 50),
           loop = place(s, other, SC_LOCATION_LOOP, "take_more", 51);
  for (size_t run = 0; run < SIZES; run++) {
    enter(s, run, other, 40);
    wait_at(s, run, loop, WORK, "pthread_cond_wait", 5, 0.5);
    note(s, run, s->loop, WORK, "wait_once_more",
         (sc_usage){.event = SC_USAGE_EVENT_ACQUIRE, .values = {[SC_USAGE_WAITS] = 3}});
  }
  unit_ok(sc_rload_make(&s->load));
  is_column(s, SC_RLOAD_TAKES, 1, 140);
  is_column(s, SC_RLOAD_WAITS, 1, 50 + 5 + 3);
  is_column(s, SC_RLOAD_ITEMS, 1, 140);
  end(s);
}

/* Who asks is counted where threads do not get more: then the parameter is their number. */
TEST(clients_are_those_that_get_more)
{
  static const struct {
    double answers, asks; /* exponents of the threads that wait for answers, and that ask */
    bool closed;
    double clients[2]; /* of 100 and 800 */
  } cases[] = {{1, 1, true, {2, 16}},
               {0, 1, true, {1, 8}},
               {1, 1, false, {1, 8}},
               {1, 0, false, {100, 800}},
               {0, 0, true, {100, 800}}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = begin("pthread_cond_wait");
    s->load.pool.closed = cases[i].closed;
    for (size_t run = 0; run < SIZES; run++) {
      made_occupancy(s->m, ANSWER, run)->threads = 2 * pow(clients_in(run), cases[i].answers);
      enter(s, run, s->ask, pow(clients_in(run), cases[i].asks) - clients_in(run));
    }
    unit_ok(sc_rload_make(&s->load));
    is_column(s, SC_RLOAD_CUSTOMERS, 0, cases[i].clients[0]);
    is_column(s, SC_RLOAD_CUSTOMERS, 3, cases[i].clients[1]);
    end(s);
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who takes part in a finding: code sites, tasks, and who waited for whom, at the largest size. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/resources/cells.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/people.h"
#include "transitions/resources/question.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200};
enum { SIZES = 2, REPEATS = 2 };

/* Two threads' functions that call put and get, which use a queue; runs 2 and 3 are those of the largest size. */
typedef struct scene {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *r;
  uint32_t reader, writer, put, get, again, queue, heap;
} scene;

static scene begin(void)
{
  scene s = {.graph = scene_repeats(sizes, SIZES, REPEATS)};
  uint32_t main = scene_main(s.graph), process = sc_graph_parent(s.graph, main);
  s.reader = scene_function(s.graph, process, "reader", scene_one, 0);
  s.writer = scene_function(s.graph, process, "writer", scene_one, 0);
  s.get = scene_function(s.graph, s.reader, "get", scene_n, 0);
  s.put = scene_function(s.graph, s.writer, "put", scene_n, 0);
  s.again = scene_function(s.graph, s.reader, "put", scene_n, 0);
  s.queue = scene_resource(s.graph, SC_RESOURCE_MUTEX, "queue", 0);
  s.heap = scene_resource(s.graph, SC_RESOURCE_HEAP, "heap", 0);
  return s;
}

static uint32_t use(scene *s, size_t run, uint32_t context, uint32_t line, double amount)
{
  sc_usage usage = {.via = "pthread_mutex_lock",
                    .line = line,
                    .column = 5,
                    .values = {[SC_USAGE_ACQUIRES] = amount,
                               [SC_USAGE_HOLD_SECONDS] = 2 * amount,
                               [SC_USAGE_WAIT_SECONDS] = 3 * amount,
                               [SC_USAGE_FAILURES] = 4 * amount,
                               [SC_USAGE_UNITS] = 7 * amount,
                               [SC_USAGE_RETURNED_UNITS] = 2 * amount,
                               [SC_USAGE_PEAK] = 6 * amount}};
  return scene_usage(s->graph, run, context, s->queue, &usage);
}

static void analyse(scene *s)
{
  s->analysis = scene_analyse(s->graph, (double[]){1e4}, 1);
  s->r = scene_resources(s->analysis, SC_PARAMETER_DATA);
}

static sc_resource_finding fill(const scene *s, const enum sc_resource_role *roles, size_t count, bool peak)
{
  sc_draft_form form = {.roles = roles, .role_count = count, .peak = peak};
  sc_question question = {.r = s->r, .cell = &s->r->cells[s->queue]};
  sc_findings_draft draft = {.form = &form, .question = &question};
  sc_resource_finding f = {.context = SC_USAGE_NONE};
  assert_int_equal(sc_people_fill(s->r, &draft, &f), 0);
  return f;
}

static void end(scene *s) { scene_drop(s->graph, s->analysis, s->r); }

/* 30 by get, 10 and 20 by put of either thread: the mean of two runs. */
static void usual(scene *s)
{
  for (size_t run = 0; run < 4; run++) {
    double times = run < 2 ? 1000 : run == 2 ? 0.5 : 1.5;
    use(s, run, s->get, 10, 30 * times);
    use(s, run, s->put, 20, 10 * times);
    use(s, run, s->again, 20, 20 * times);
  }
  sc_usage other = {.values = {[SC_USAGE_ACQUIRES] = 1e6}};
  scene_usage(s->graph, 3, s->get, s->heap, &other); /* of another resource */
}

static void is_site(const sc_resource_finding *f, size_t i, enum sc_resource_role role, uint32_t context, uint32_t line,
                    double amount, double share)
{
  const sc_resource_site *s = &f->sites[i];
  assert_true(s->role == role && s->context == context && s->line == line && s->column == 5);
  assert_string_equal(s->via, "pthread_mutex_lock");
  assert_float_equal(s->amount, amount, 1e-9);
  assert_float_equal(s->share, share, 1e-9);
}

TEST(sites_are_ranked_by_role_and_amount)
{
  static const struct {
    enum sc_resource_role role;
    bool peak;
    double each;
  } cases[] = {{SC_ROLE_ACQUIRES, false, 1}, {SC_ROLE_HOLDS, false, 2}, {SC_ROLE_WAITS, false, 3},
               {SC_ROLE_FAILS, false, 4},    {SC_ROLE_KEEPS, false, 5}, {SC_ROLE_KEEPS, true, 6}};
  scene s = begin();
  usual(&s);
  analyse(&s);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_resource_finding f = fill(&s, &cases[i].role, 1, cases[i].peak);
    double each = cases[i].each;
    assert_int_equal(f.site_count, 3);
    is_site(&f, 0, cases[i].role, s.get, 10, 30 * each, 0.5);
    is_site(&f, 1, cases[i].role, s.again, 20, 20 * each, 1.0 / 3);
    is_site(&f, 2, cases[i].role, s.put, 20, 10 * each, 1.0 / 6);
    assert_int_equal(f.task_count, 2);
    assert_true(f.tasks[0].context == s.reader && f.tasks[1].context == s.writer);
    assert_float_equal(f.tasks[0].amount, 50 * each, 1e-9);
    assert_float_equal(f.tasks[0].share, 5.0 / 6, 1e-9);
    assert_float_equal(f.tasks[1].share, 1.0 / 6, 1e-9);
    assert_int_equal(f.pair_count, 0);
    sc_resource_finding_clear(&f);
  }
  static const enum sc_resource_role both[] = {SC_ROLE_WAITS, SC_ROLE_ACQUIRES}; /* the rule's order */
  sc_resource_finding f = fill(&s, both, 2, false);
  assert_int_equal(f.site_count, 6);
  is_site(&f, 0, SC_ROLE_WAITS, s.get, 10, 90, 0.5);
  is_site(&f, 3, SC_ROLE_ACQUIRES, s.get, 10, 30, 0.5);
  is_site(&f, 5, SC_ROLE_ACQUIRES, s.put, 20, 10, 1.0 / 6);
  sc_resource_finding_clear(&f);
  end(&s);
  static const char *const names[] = {"acquires", "holds", "keeps", "waits", "fails", ""};
  for (int i = 0; i < 6; i++)
    assert_string_equal(sc_resource_role_name((enum sc_resource_role)i), names[i]);
}

/* Twelve calls: the ten that do most, and shares of all. */
TEST(ten_sites_of_a_role_are_kept)
{
  scene s = begin();
  for (size_t run = 0; run < 4; run++)
    for (uint32_t i = 1; i <= 12; i++)
      use(&s, run, s.get, i, i);
  analyse(&s);
  static const enum sc_resource_role both[] = {SC_ROLE_ACQUIRES, SC_ROLE_HOLDS};
  sc_resource_finding f = fill(&s, both, 2, false);
  assert_int_equal(f.site_count, 20);
  for (size_t i = 0; i < 10; i++) {
    is_site(&f, i, SC_ROLE_ACQUIRES, s.get, (uint32_t)(12 - i), (double)(12 - i), (double)(12 - i) / 78);
    is_site(&f, 10 + i, SC_ROLE_HOLDS, s.get, (uint32_t)(12 - i), 2 * (double)(12 - i), (double)(12 - i) / 78);
  }
  sc_resource_finding_clear(&f);
  end(&s);
}

/* What is about a site has that alone, and no pairs. */
TEST(a_site_has_its_own_people)
{
  scene s = begin();
  usual(&s);
  for (size_t run = 0; run < 4; run++) {
    uint32_t get = use(&s, run, s.get, 10, 0);
    unit_ok(sc_usage_add_pair(s.graph, run, &(sc_wait_pair){get, get, 3, 1}));
  }
  analyse(&s);
  enum sc_resource_role role = SC_ROLE_ACQUIRES;
  sc_draft_form form = {.roles = &role, .role_count = 1};
  const sc_resource_cell *cell =
                             sc_resource_cells_find(s.r, &(sc_resource_spot){.resource = s.queue, .context = s.put}),
                         *sites[] = {cell};
  assert_non_null(cell);
  sc_question question = {.r = s.r, .cell = cell};
  sc_findings_draft draft = {.form = &form, .question = &question, .sites = sites, .site_count = 1};
  sc_resource_finding f = {.context = s.put};
  assert_int_equal(sc_people_fill(s.r, &draft, &f), 0);
  assert_true(f.site_count == 1 && f.task_count == 1 && f.pair_count == 0);
  is_site(&f, 0, SC_ROLE_ACQUIRES, s.put, 20, 10, 1);
  assert_true(f.tasks[0].context == s.writer && f.tasks[0].share == 1);
  sc_resource_finding_clear(&f);
  end(&s);
}

TEST(pairs_are_who_waited_for_whom)
{
  scene s = begin();
  for (size_t run = 0; run < 4; run++) {
    uint32_t get = use(&s, run, s.get, 10, 30), put = use(&s, run, s.put, 20, 10);
    double times = run == 2 ? 0.5 : run == 3 ? 1.5 : 0.1;
    const sc_wait_pair pairs[] = {{get, put, 20 * times, 6 * times},
                                  {put, get, 5 * times, 3 * times},
                                  {get, SC_USAGE_NONE, 2 * times, 1 * times}};
    for (size_t i = 0; i < (run < 2 ? 2 : 3); i++) /* the third one is seen at the largest size alone */
      assert_int_equal(sc_usage_add_pair(s.graph, run, &pairs[i]), 0);
  }
  analyse(&s);
  enum sc_resource_role role = SC_ROLE_WAITS;
  sc_resource_finding f = fill(&s, &role, 1, false);
  assert_int_equal(f.pair_count, 3);
  static const double waits[] = {20, 5, 2}, seconds[] = {6, 3, 1}, small[] = {6.0 / 20, 3.0 / 5, 0};
  for (size_t i = 0; i < 3; i++) {
    assert_float_equal(f.pairs[i].waits, waits[i], 1e-9);
    assert_float_equal(f.pairs[i].seconds, seconds[i], 1e-9);
    assert_float_equal(f.pairs[i].share, seconds[i] / 10, 1e-9);
    assert_float_equal(f.pairs[i].seconds_small, small[i], 1e-9); /* of one wait */
  }
  assert_true(f.pairs[0].waiter == s.get && f.pairs[0].holder == s.put && f.pairs[0].waiter_line == 10 &&
              f.pairs[0].holder_line == 20 && f.pairs[0].waiter_column == 5 && f.pairs[0].holder_column == 5);
  assert_true(f.pairs[1].waiter == s.put && f.pairs[1].holder == s.get);
  assert_true(f.pairs[2].holder == SC_USAGE_NONE && f.pairs[2].holder_line == 0 && f.pairs[2].holder_column == 0);
  sc_resource_finding_clear(&f);
  end(&s);
}

/* The first site that holds a lock that get shares, for 4 to 8 us each but for `long_ones` of 1,000, and put holds
 * alone, a millisecond each. Three threads have waited 6 s for get, and three 2 s for put. */
static uint32_t first_to_blame(double long_ones)
{
  scene s = begin();
  for (size_t run = 0; run < 4; run++) {
    sc_usage get = {.via = "rdlock",
                    .shared = true,
                    .values = {[SC_USAGE_ACQUIRES] = 1000, [SC_USAGE_HOLDS] = 1000, [SC_USAGE_HOLD_SECONDS] = 9}};
    sc_usage put = {.via = "wrlock",
                    .values = {[SC_USAGE_ACQUIRES] = 20, [SC_USAGE_HOLDS] = 20, [SC_USAGE_HOLD_SECONDS] = 0.02}};
    get.buckets[12] = 1000 - long_ones;
    get.buckets[32] = long_ones;
    put.buckets[20] = 20;
    uint32_t reads = scene_usage(s.graph, run, s.get, s.queue, &get);
    uint32_t writes = scene_usage(s.graph, run, s.put, s.queue, &put);
    assert_int_equal(sc_usage_add_pair(s.graph, run, &(sc_wait_pair){writes, reads, 3, 6}), 0);
    assert_int_equal(sc_usage_add_pair(s.graph, run, &(sc_wait_pair){reads, writes, 3, 2}), 0);
  }
  analyse(&s);
  enum sc_resource_role role = SC_ROLE_HOLDS;
  sc_resource_finding f = fill(&s, &role, 1, false);
  assert_int_equal(f.site_count, 2);
  uint32_t first = f.sites[0].context == s.get ? s.get : 0;
  sc_resource_finding_clear(&f);
  end(&s);
  return first;
}

/* Who waits for a short hold that lost its processor waits for the processor; of long holds, or holds of two kinds,
 * nobody can tell. */
TEST(short_holds_are_not_blamed_for_processors)
{
  assert_int_equal(first_to_blame(3), 0);
  assert_int_not_equal(first_to_blame(251), 0);
}

/* ---- of a pool: what its workers do, where clients wait for them, and where they ask ---- */

enum { TAKE = 34, HANDLE = 36, ASK = 58, ANSWER = 59, SLEEP = 70 };

typedef struct team {
  scene s;
  uint32_t serve, take, handle, client, stranger, posted, done, io, gate, other;
  sc_rpool pool;
  sc_rpool *pools[8];
} team;

static void wait_for(team *t, size_t run, uint32_t context, uint32_t resource, uint32_t line, double seconds)
{
  sc_usage row = {.via = "wait", .event = SC_USAGE_EVENT_WAIT, .line = line, .column = 7};
  row.values[SC_USAGE_WAITS] = 10;
  row.values[SC_USAGE_WAIT_SECONDS] = seconds;
  scene_usage(t->s.graph, run, context, resource, &row);
}

static void signal_for(team *t, size_t run, uint32_t context, uint32_t resource, double times)
{
  sc_usage row = {.via = "signal", .event = SC_USAGE_EVENT_WRITE, .line = ASK, .column = 8};
  row.values[SC_USAGE_WRITES] = times;
  scene_usage(t->s.graph, run, context, resource, &row);
}

/* At the largest size workers are in handle() for `io` s of the system and `gate` s of a lock, and wait for a lock in
 * serve() for 0.25 s: means of two runs; the second one has thrice as much as the first one. */
static team *open_team(double io, double gate)
{
  team *t = calloc(1, sizeof *t);
  assert_non_null(t);
  sc_graph *g = t->s.graph = scene_repeats(sizes, SIZES, REPEATS);
  uint32_t process = sc_graph_parent(g, scene_main(g));
  t->serve = scene_function(g, process, "serve", scene_one, 0);
  t->take = scene_function(g, t->serve, "take", scene_n, 0);
  t->handle = scene_function(g, scene_function(g, t->serve, "handle", scene_n, 0), "read", scene_n, 0);
  sc_graph_note_call(g, sc_graph_parent(g, t->handle), HANDLE);
  t->client = scene_function(g, process, "client", scene_one, 0);
  t->stranger = scene_function(g, process, "stranger", scene_one, 0);
  t->posted = scene_resource(g, SC_RESOURCE_CONDITION, "posted", 0);
  t->done = scene_resource(g, SC_RESOURCE_CONDITION, "done", 0);
  t->io = scene_resource(g, SC_RESOURCE_IO, "input and output", 0);
  t->gate = scene_resource(g, SC_RESOURCE_MUTEX, "gate", 0);
  t->other = scene_resource(g, SC_RESOURCE_SEMAPHORE, "other", 0);
  for (size_t run = 0; run < 4; run++) {
    double times = run < 2 ? 1000 : run == 2 ? 0.5 : 1.5;
    uint32_t also[] = {t->stranger, t->client};
    wait_for(t, run, t->take, t->posted, TAKE, 100 * times); /* for work */
    wait_for(t, run, t->handle, t->io, 5, io * times);
    wait_for(t, run, t->handle, t->gate, 6, gate * times);
    wait_for(t, run, t->serve, t->gate, SLEEP, 0.25 * times);
    wait_for(t, run, t->handle, t->other, 9, 100 * times); /* nobody else's time */
    wait_for(t, run, t->client, t->done, ANSWER, 2 * times);
    wait_for(t, run, t->stranger, t->done, ANSWER, 50 * times);
    for (size_t i = 0; i < 2; i++)
      wait_for(t, run, also[i], t->io, 5, 70 * times);
    signal_for(t, run, t->client, t->posted, 30 * times);
    signal_for(t, run, t->client, t->done, 33 * times);
    signal_for(t, run, t->stranger, t->posted, 40 * times);
  }
  return t;
}

/* What workers were busy for, in seconds. */
static sc_resource_finding fill_team(team *t, double served)
{
  static const enum sc_resource_role roles[] = {SC_ROLE_HOLDS, SC_ROLE_WAITS, SC_ROLE_ACQUIRES};
  analyse(&t->s);
  sc_resources *r = t->s.r;
  t->pool = (sc_rpool){.resource = t->posted,
                       .answers = t->done,
                       .as = *sc_usage_resource_at(t->s.graph, t->posted),
                       .take = {t->take, TAKE, 7},
                       .workers = {t->serve},
                       .clients = {t->client},
                       .worker_count = 1,
                       .client_count = 1};
  t->pools[t->posted] = &t->pool;
  r->pools = t->pools;
  for (size_t run = 2; run < 4; run++)
    r->cells[t->posted].sums[run * SC_RSUM_COUNT + SC_USAGE_HOLD_SECONDS] = served;
  sc_draft_form form = {.roles = roles, .role_count = 3};
  sc_question question = {.r = r, .cell = &r->cells[t->posted]};
  sc_findings_draft draft = {.form = &form, .question = &question};
  sc_resource_finding f = {.context = SC_USAGE_NONE};
  unit_ok(sc_people_fill(r, &draft, &f));
  assert_int_equal(f.pair_count, 0);
  assert_true(f.task_count == 1 && f.tasks[0].context == t->client && f.tasks[0].share == 1);
  unit_near(f.tasks[0].amount, 30);
  r->pools = NULL;
  return f;
}

static void close_team(team *t, sc_resource_finding *f)
{
  sc_resource_finding_clear(f);
  sc_graph_free(t->s.graph);
  sc_resources_free(t->s.r);
  sc_analysis_free(t->s.analysis);
  free(t);
}

static void is_part(const sc_resource_finding *f, size_t i, sc_resource_site expected)
{
  const sc_resource_site *s = &f->sites[i];
  if (s->role != expected.role || s->context != expected.context || s->line != expected.line ||
      s->column != expected.column || strcmp(s->via, expected.via) != 0)
    fail_msg("site %zu: %s by %s, context %u, %u:%u", i, sc_resource_role_name(s->role), s->via, s->context, s->line,
             s->column);
  unit_near(s->amount, expected.amount);
  unit_near(s->share, expected.share);
}

/* What is below the function that takes the work is named as the statement that calls it. */
TEST(workers_are_busy_with_statements_of_who_takes_the_work)
{
  team *t = open_team(4, 0.5);
  sc_resource_finding f = fill_team(t, 4.75);
  assert_int_equal(f.site_count, 4);
  is_part(&f, 0, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "handle", HANDLE, 0, 4.5, 4.5 / 4.75});
  is_part(&f, 1, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "wait", SLEEP, 7, 0.25, 0.25 / 4.75});
  is_part(&f, 2, (sc_resource_site){SC_ROLE_WAITS, t->client, "wait", ANSWER, 7, 2, 1});
  is_part(&f, 3, (sc_resource_site){SC_ROLE_ACQUIRES, t->client, "signal", ASK, 8, 30, 1});
  close_team(t, &f);
}

/* Statements in one line are told apart by their columns, of one place by what they do, and calls by their lines. Who
 * waits for whom is no matter of a pool. */
TEST(statements_of_workers_are_told_apart)
{
  team *t = open_team(4, 0.5);
  sc_graph *g = t->s.graph;
  uint32_t note = scene_function(g, t->serve, "note", scene_n, 0);
  sc_graph_note_call(g, note, HANDLE + 1);
  for (size_t run = 2; run < 4; run++) {
    sc_usage row = {.via = "wait", .event = SC_USAGE_EVENT_WAIT, .line = SLEEP, .column = 9};
    row.values[SC_USAGE_WAITS] = 10, row.values[SC_USAGE_WAIT_SECONDS] = 0.125;
    scene_usage(g, run, t->serve, t->gate, &row);
    row.line = ASK, row.column = 8, row.values[SC_USAGE_WAIT_SECONDS] = 1; /* where it signals, too */
    scene_usage(g, run, t->client, t->done, &row);
    wait_for(t, run, note, t->io, 5, 1);
    size_t rows;
    const sc_usage *all = sc_usage_rows(g, run, &rows);
    for (uint32_t i = 0; i < rows; i++)
      if (all[i].resource == t->posted && all[i].context == t->take)
        unit_ok(sc_usage_add_pair(g, run, &(sc_wait_pair){i, SC_USAGE_NONE, 3, 1}));
  }
  sc_resource_finding f = fill_team(t, 5.875);
  assert_int_equal(f.site_count, 7);
  is_part(&f, 0, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "handle", HANDLE, 0, 4.5, 4.5 / 5.875});
  is_part(&f, 1, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "note", HANDLE + 1, 0, 1, 1 / 5.875});
  is_part(&f, 2, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "wait", SLEEP, 7, 0.25, 0.25 / 5.875});
  is_part(&f, 3, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "wait", SLEEP, 9, 0.125, 0.125 / 5.875});
  is_part(&f, 4, (sc_resource_site){SC_ROLE_WAITS, t->client, "wait", ANSWER, 7, 2, 2.0 / 3});
  is_part(&f, 5, (sc_resource_site){SC_ROLE_WAITS, t->client, "wait", ASK, 8, 1, 1.0 / 3});
  is_part(&f, 6, (sc_resource_site){SC_ROLE_ACQUIRES, t->client, "signal", ASK, 8, 30, 1});
  close_team(t, &f);
}

/* From a tenth of the time on, what was not waited for is the take's: nobody knows where it went. */
TEST(a_tenth_unseen_is_told)
{
  static const double served[] = {4.75 / 0.901, 4.75 / 0.899};
  for (size_t i = 0; i < 2; i++) {
    team *t = open_team(4, 0.5);
    sc_resource_finding f = fill_team(t, served[i]);
    assert_int_equal(f.site_count, 4 + i);
    if (i)
      is_part(&f, 1, (sc_resource_site){SC_ROLE_HOLDS, t->take, "", TAKE, 0, served[1] - 4.75, 1 - 4.75 / served[1]});
    close_team(t, &f);
  }
}

/* Or samples say where: three quarters of the workers' were below handle(), and one in take(). */
TEST(samples_say_where_workers_are_busy)
{
  team *t = open_team(4, 0.5);
  for (size_t run = 0; run < 4; run++) {
    double times = run < 2 ? 1000 : run - 1;
    unit_ok(sc_graph_add(t->s.graph, run, t->handle, SC_METRIC_COST, run < 2 ? 7 : 3 * times));
    unit_ok(sc_graph_add(t->s.graph, run, t->take, SC_METRIC_COST, times));
    unit_ok(sc_graph_add(t->s.graph, run, t->client, SC_METRIC_COST, 100 * times));
  }
  sc_resource_finding f = fill_team(t, 14.75);
  assert_int_equal(f.site_count, 5);
  is_part(&f, 0, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "handle", HANDLE, 0, 4.5 + 7.5, 12 / 14.75});
  is_part(&f, 1, (sc_resource_site){SC_ROLE_HOLDS, t->take, "take", 0, 0, 2.5, 2.5 / 14.75});
  is_part(&f, 2, (sc_resource_site){SC_ROLE_HOLDS, t->serve, "wait", SLEEP, 7, 0.25, 0.25 / 14.75});
  close_team(t, &f);
}

/* The one that does most is first, whichever came first; and the ten that do most are kept. */
TEST(tasks_are_ranked_by_amount)
{
  scene s = begin();
  enum { TASKS = 12 };
  uint32_t tasks[TASKS];
  uint32_t process = sc_graph_parent(s.graph, s.reader);
  for (size_t i = 0; i < TASKS; i++) {
    tasks[i] = scene_function(s.graph, process, (char[]){(char)('a' + i), 0}, scene_one, 0);
    for (size_t run = 0; run < 4; run++)
      use(&s, run, tasks[i], 10, 1 + (double)(i * 5 % TASKS));
  }
  analyse(&s);
  enum sc_resource_role role = SC_ROLE_ACQUIRES;
  sc_resource_finding f = fill(&s, &role, 1, false);
  assert_int_equal(f.task_count, 10);
  for (size_t i = 0; i < 10; i++) {
    unit_near(f.tasks[i].amount, TASKS - (double)i);
    unit_near(f.tasks[i].share, (TASKS - (double)i) / 78);
    size_t k = 0;
    while (k * 5 % TASKS != TASKS - 1 - i)
      k++;
    assert_int_equal(f.tasks[i].context, tasks[k]);
  }
  sc_resource_finding_clear(&f);
  end(&s);
}

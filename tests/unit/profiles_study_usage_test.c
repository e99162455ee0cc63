/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "study_scene.h"

struct fixture {
  char path[TEMPORARY_PATH];
  sc_graph *graph;
  uint32_t main_context, worker;
  uint32_t mutex, pool;
};

static uint32_t add_function(sc_graph *graph, uint32_t parent, const char *name)
{
  return study_context(graph, parent, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name});
}

static const sc_resource mutex = {
    .resource_class = SC_RESOURCE_MUTEX, .name = "order_book::mutex", .file = "book.c", .line = 41};
static const sc_resource pool = {.resource_class = SC_RESOURCE_OTHER,
                                 .name = "pool",
                                 .file = "",
                                 .probe = true,
                                 .global = true,
                                 .idle = true,
                                 .capacity = 12.5};

static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  temporary_path(f->path);
  unlink(f->path);
  assert_int_equal(sc_graph_new(&f->graph), 0);
  f->main_context = add_function(f->graph, 0, "main");
  f->worker = add_function(f->graph, 0, "worker");
  assert_int_equal(sc_usage_resource(f->graph, &mutex, &f->mutex), 0);
  assert_int_equal(sc_usage_resource(f->graph, &pool, &f->pool), 0);
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  struct fixture *f = *state;
  unlink(f->path);
  sc_graph_free(f->graph);
  free(f);
  return 0;
}

static sc_usage make_usage(uint32_t context, uint32_t resource, const char *via, double base)
{
  sc_usage usage = {.context = context, .resource = resource, .via = via, .line = 17, .column = 3};
  usage.event = SC_USAGE_EVENT_ACQUIRE;
  for (int i = 0; i < SC_USAGE_VALUES; i++)
    usage.values[i] = base + i / 16.0;
  return usage;
}

/* Three rows, two pairs, two occupancies. */
static void save(struct fixture *f, sc_study *study, double n)
{
  size_t run;
  assert_int_equal(sc_graph_begin_run(f->graph, &(sc_run){.n = n, .role = SC_RUN_VALIDATION}, &run), 0);
  sc_usage rows[] = {make_usage(f->worker, f->mutex, "pthread_mutex_lock", n),
                     make_usage(f->main_context, f->pool, "take", 3 * n),
                     make_usage(f->main_context, f->mutex, "pthread_rwlock_rdlock", 0)};
  rows[0].buckets[0] = 2;
  rows[0].buckets[39] = 7;
  rows[1].buckets[3] = 1;
  rows[1].event = SC_USAGE_EVENT_RELEASE;
  rows[2].shared = true;
  for (int i = 0; i < 3; i++)
    assert_int_equal(sc_usage_add(f->graph, run, &rows[i], NULL), 0);
  const sc_wait_pair pairs[] = {{0, 2, 5, 0.25}, {1, SC_USAGE_NONE, 1, 0.5}, {0, 1, 2, 1e-9}};
  for (int i = 0; i < 3; i++)
    assert_int_equal(sc_usage_add_pair(f->graph, run, &pairs[i]), 0);
  const sc_occupancy occupancies[] = {{f->pool, 3, 2, 1.5, 2.5, 7},
                                      {f->mutex, 16, 4, n, 2 * n, 0, n / 2, 3, n / 4 * 3}};
  for (int i = 0; i < 2; i++)
    assert_int_equal(sc_usage_add_occupancy(f->graph, run, &occupancies[i]), 0);
  unit_ok(sc_study_save_run(study, f->graph, run, NULL, 0));
}

static void same_rows(const sc_graph *a, size_t run_a, const sc_graph *b, size_t run_b)
{
  size_t count, other;
  const sc_usage *rows = sc_usage_rows(a, run_a, &count), *back = sc_usage_rows(b, run_b, &other);
  assert_int_equal(count, other);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(rows[i].context, back[i].context);
    assert_string_equal(sc_usage_resource_at(a, rows[i].resource)->name,
                        sc_usage_resource_at(b, back[i].resource)->name);
    assert_string_equal(rows[i].via, back[i].via);
    assert_int_equal(rows[i].line, back[i].line);
    assert_int_equal(rows[i].column, back[i].column);
    assert_int_equal(rows[i].shared, back[i].shared);
    assert_int_equal(rows[i].event, back[i].event);
    assert_memory_equal(rows[i].values, back[i].values, sizeof rows[i].values);
    assert_memory_equal(rows[i].buckets, back[i].buckets, sizeof rows[i].buckets);
  }
}

static void same_rest(const sc_graph *a, size_t run_a, const sc_graph *b, size_t run_b)
{
  size_t count, other;
  const sc_wait_pair *pairs = sc_usage_pairs(a, run_a, &count), *pairs_back = sc_usage_pairs(b, run_b, &other);
  assert_int_equal(count, other);
  for (size_t i = 0; i < count; i++)
    assert_true(pairs[i].waiter == pairs_back[i].waiter && pairs[i].holder == pairs_back[i].holder &&
                pairs[i].waits == pairs_back[i].waits && pairs[i].seconds == pairs_back[i].seconds);
  const sc_occupancy *rows = sc_usage_occupancies(a, run_a, &count), *back = sc_usage_occupancies(b, run_b, &other);
  assert_int_equal(count, other);
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(sc_usage_resource_at(a, rows[i].resource)->name,
                        sc_usage_resource_at(b, back[i].resource)->name);
    assert_true(rows[i].instances == back[i].instances && rows[i].threads == back[i].threads &&
                rows[i].active_seconds == back[i].active_seconds && rows[i].peak == back[i].peak &&
                rows[i].span_seconds == back[i].span_seconds && rows[i].hot == back[i].hot &&
                rows[i].busiest_seconds == back[i].busiest_seconds && rows[i].hot_seconds == back[i].hot_seconds);
  }
}

FIXTURE_TEST(usages_come_back_as_they_were)
{
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, 100);
  save(f, study, 200);
  sc_study_close(study);
  sc_graph *graph = study_load(f->path);
  const sc_resource *back = sc_usage_resource_at(graph, f->pool);
  assert_int_equal(sc_usage_resource_count(graph), 2);
  assert_int_equal(back->resource_class, SC_RESOURCE_OTHER);
  assert_true(back->probe && back->global && back->idle && back->capacity == 12.5);
  back = sc_usage_resource_at(graph, f->mutex);
  assert_string_equal(back->name, "order_book::mutex");
  assert_string_equal(back->file, "book.c");
  assert_true(back->line == 41 && !back->probe && !back->global && !back->idle && back->capacity == 0);
  for (size_t run = 0; run < 2; run++) {
    same_rows(f->graph, run, graph, run);
    same_rest(f->graph, run, graph, run);
  }
  sc_graph_free(graph);
}

/* Another session's graph knows the resources by other numbers, and one more of a kind. */
TEST_WITH(resources_are_aligned_between_sessions, set_up, tear_down)
{
  struct fixture *f = *state, other = {0};
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, 100);
  memcpy(other.path, f->path, sizeof other.path);
  assert_int_equal(sc_graph_new(&other.graph), 0);
  other.worker = add_function(other.graph, 0, "worker");
  other.main_context = add_function(other.graph, 0, "main");
  sc_resource capable = mutex;
  capable.capacity = 1;
  assert_int_equal(sc_usage_resource(other.graph, &pool, &other.pool), 0);
  assert_int_equal(sc_usage_resource(other.graph, &capable, &other.mutex), 0);
  assert_true(other.pool != f->pool);
  save(&other, study, 100);
  sc_study_close(study);
  study = study_open(f->path, SC_STUDY_WRITE);
  save(&other, study, 200);
  sc_study_close(study);
  sc_graph *graph = study_load(f->path);
  assert_int_equal(sc_usage_resource_count(graph), 2);
  assert_true(sc_usage_resource_at(graph, f->mutex)->capacity == 1);
  same_rows(f->graph, 0, graph, 0);
  same_rows(f->graph, 0, graph, 1);
  same_rest(f->graph, 0, graph, 1);
  sc_graph_free(graph);
  sc_graph_free(other.graph);
}

FIXTURE_TEST(discarded_events_are_left_out)
{
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, 100);
  assert_int_equal(sc_usage_add_discarded(f->graph, &(sc_discarded_event){"take", "pool", "never given back"}), 0);
  save(f, study, 200);
  sc_study_close(study);
  sc_graph *graph = study_load(f->path);
  for (size_t run = 0; run < 2; run++) {
    size_t count;
    const sc_usage *rows = sc_usage_rows(graph, run, &count);
    assert_int_equal(count, 2);
    assert_string_equal(rows[1].via, "pthread_rwlock_rdlock");
    const sc_wait_pair *pairs = sc_usage_pairs(graph, run, &count);
    assert_int_equal(count, 2); /* that of the discarded waiter is gone */
    assert_true(pairs[0].waiter == 0 && pairs[0].holder == 1 && pairs[0].waits == 5);
    assert_true(pairs[1].waiter == 0 && pairs[1].holder == SC_USAGE_NONE && pairs[1].waits == 2);
  }
  size_t count;
  assert_string_equal(sc_usage_discarded(graph, &count)->why, "never given back");
  assert_int_equal(count, 1);
  sc_graph_free(graph);
}

FIXTURE_TEST(nonsense_is_found)
{
  static const char *const nonsense[] = {"UPDATE resource SET class = 'lock'",
                                         "UPDATE resource SET id = 9 WHERE id = 1",
                                         "UPDATE resource SET capacity = -1",
                                         "UPDATE usage SET context = 77 WHERE number = 1",
                                         "UPDATE usage SET context = -1 WHERE number = 1",
                                         "UPDATE usage SET resource = 2 WHERE number = 0",
                                         "UPDATE usage SET event = 'steal'",
                                         "UPDATE usage SET waits = -1 WHERE number = 2",
                                         "UPDATE usage SET holds = 9e999 WHERE number = 2",
                                         "UPDATE usage SET buckets = '[1,x]' WHERE number = 0",
                                         "UPDATE usage SET number = 7 WHERE number = 2",
                                         "UPDATE wait_pair SET waiter = 3",
                                         "UPDATE wait_pair SET holder = -2",
                                         "UPDATE wait_pair SET seconds = -0.5",
                                         "UPDATE occupancy SET resource = 5 WHERE resource = 1",
                                         "UPDATE occupancy SET threads = -1",
                                         "UPDATE occupancy SET active_seconds = 'long'"};
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
    unlink(f->path);
    sc_study *study = study_open(f->path, SC_STUDY_CREATE);
    save(f, study, 100);
    sc_study_close(study);
    study_change(f->path, nonsense[i]);
    study_expect_damage(f->path, nonsense[i]);
  }
}

/* For people: the outstanding units, and the buckets as JSON. */
/* Each value of each table: text is damage, whatever the column. In memory, as every change is made durable. */
FIXTURE_TEST(every_value_is_checked)
{
  static const struct {
    const char *table, *columns[20];
  } tables[] = {
      {"usage",
       {"acquires", "failures", "waits", "releases", "reads", "writes", "units", "units_released", "returned",
        "returned_units", "unseen", "strangers", "peak", "wait_seconds", "holds", "hold_seconds", "kept_by_one"}},
      {"wait_pair", {"waits", "seconds"}},
      {"occupancy",
       {"instances", "threads", "active_seconds", "span_seconds", "peak", "busiest_seconds", "hot", "hot_seconds",
        "loaded_seconds"}}};
  if (access("/dev/shm", W_OK) == 0) {
    strcpy(f->path, "/dev/shm/scale-test-XXXXXX");
    close(mkstemp(f->path));
    unlink(f->path);
  }
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    for (size_t c = 0; tables[t].columns[c]; c++) {
      char sql[160];
      sc_study *study = study_open(f->path, SC_STUDY_CREATE);
      save(f, study, 10);
      sc_study_close(study);
      snprintf(sql, sizeof sql, "UPDATE %s SET %s = 'much'", tables[t].table, tables[t].columns[c]);
      study_change(f->path, sql);
      study_expect_damage(f->path, sql);
      sc_graph_drop_run(f->graph);
      unlink(f->path);
    }
}

FIXTURE_TEST(sql_sees_it)
{
  sqlite3 *db;
  sqlite3_stmt *row;
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, 100);
  sc_study_close(study);
  assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
  static const char sql[] =
      "SELECT s.name, u.n, u.role, u.via, u.event, u.outstanding, (SELECT json_extract(buckets, '$[39]') FROM usage"
      " WHERE number = 0) FROM usage_series u JOIN resource s ON s.id = u.resource WHERE u.via = 'take'";
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(row), SQLITE_ROW);
  assert_string_equal(sqlite3_column_text(row, 0), "pool");
  assert_true(sqlite3_column_double(row, 1) == 100);
  assert_string_equal(sqlite3_column_text(row, 2), "validation");
  assert_string_equal(sqlite3_column_text(row, 4), "release");
  assert_true(sqlite3_column_double(row, 5) == (SC_USAGE_UNITS - SC_USAGE_RETURNED_UNITS) / 16.0);
  assert_int_equal(sqlite3_column_int(row, 6), 7);
  assert_int_equal(sqlite3_step(row), SQLITE_DONE);
  sqlite3_finalize(row);
  sqlite3_close(db);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <signal.h>
#include <sys/resource.h>

#include "graph_paths.h"
#include "profiles/study/internal.h"
#include "study_scene.h"
#include "study_version_1.h"
#include "study_version_2.h"
#include "study_version_3.h"
#include "study_version_4.h"
#include "study_version_5.h"
#include "study_version_6.h"

struct fixture {
  char path[TEMPORARY_PATH];
  sc_graph *graph;
  uint32_t main_context, loop, helper;
};

static void fill(struct fixture *f)
{
  assert_int_equal(sc_graph_new(&f->graph), 0);
  uint32_t process = study_context(f->graph, 0, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "demo"});
  f->main_context =
      study_context(f->graph, process,
                    &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "_ZN3app3runEv", .file = "a.cc", .line = 3});
  f->loop = study_context(f->graph, f->main_context,
                          &(sc_location){.kind = SC_LOCATION_LOOP,
                                         .name = "_ZN3app3runEv",
                                         .file = "a.cc",
                                         .line = 5,
                                         .column = 7,
                                         .nth = 1,
                                         .ordinal = 2});
  f->helper = study_context(f->graph, f->loop,
                            &(sc_location){.kind = SC_LOCATION_FUNCTION,
                                           .name = "helper",
                                           .file = "b.cc",
                                           .line = 9,
                                           .local = true,
                                           .recursive = true,
                                           .system = true});
  sc_graph_note_call(f->graph, f->helper, 6);
}

static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  temporary_path(f->path);
  unlink(f->path);
  fill(f);
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

static const sc_run example = {.n = 12.5,
                               .role = SC_RUN_VALIDATION,
                               .repeat = 2,
                               .wall_seconds = 1.25,
                               .user_seconds = 1,
                               .system_seconds = 0.125,
                               .max_rss_kib = 4096,
                               .processes = 2,
                               .threads = 3,
                               .nodes = 4,
                               .truncated_nodes = 5,
                               .lost_bytes = 6,
                               .lost_records = 7,
                               .samples = 8,
                               .samples_unmatched = 9,
                               .samples_lost = 10,
                               .lost_events = 11,
                               .untimed = 12,
                               .lost_processes = 13,
                               .lost_reason = 14,
                               .has_waits = true,
                               .waits = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06},
                               .cost_event = "task-clock",
                               .build = "abc"};

static void save(struct fixture *f, sc_study *study, const sc_run *run, double scale)
{
  size_t index;
  assert_int_equal(sc_graph_begin_run(f->graph, run, &index), 0);
  assert_int_equal(sc_graph_add(f->graph, index, f->main_context, SC_METRIC_COUNT, 1), 0);
  assert_int_equal(sc_graph_add(f->graph, index, f->loop, SC_METRIC_COUNT, 9007199254740991.0), 0);
  assert_int_equal(sc_graph_add(f->graph, index, f->loop, SC_METRIC_COST, 0.1 * scale), 0);
  assert_int_equal(sc_graph_add(f->graph, index, f->helper, SC_METRIC_DEPTH, 4 * scale), 0);
  const sc_module module = {.path = "/usr/bin/demo", .build_id = "abcd"};
  unit_ok(sc_study_save_run(study, f->graph, index, &module, 1));
}

FIXTURE_TEST(runs_come_back_as_they_were)
{
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, &example, 1);
  save(f, study, &(sc_run){.n = 25}, 2);
  assert_int_equal(sc_graph_run(f->graph, 0)->id, 1);
  assert_int_equal(sc_graph_run(f->graph, 1)->id, 2);
  sc_study_close(study);

  sc_graph *graph = study_load(f->path);
  assert_int_equal(sc_graph_run_count(graph), 2);
  sc_run back = *sc_graph_run_const(graph, 0), expected = example;
  expected.id = 1;
  assert_true(back.n == expected.n && back.role == expected.role && back.repeat == expected.repeat);
  assert_true(back.id == 1 && back.wall_seconds == 1.25 && back.user_seconds == 1 && back.system_seconds == 0.125);
  assert_true(back.has_waits && !sc_graph_run_const(graph, 1)->has_waits);
  assert_memory_equal(back.waits, expected.waits, sizeof back.waits);
  assert_memory_equal(&back.max_rss_kib, &expected.max_rss_kib,
                      offsetof(sc_run, cost_event) - offsetof(sc_run, max_rss_kib));
  assert_string_equal(back.cost_event, "task-clock");
  assert_string_equal(back.build, "abc");
  assert_int_equal(sc_graph_context_count(graph), sc_graph_context_count(f->graph));
  for (uint32_t i = 0; i < sc_graph_context_count(graph); i++) {
    const sc_location *a = sc_graph_at(f->graph, i), *b = sc_graph_at(graph, i);
    assert_int_equal(sc_graph_parent(graph, i), sc_graph_parent(f->graph, i));
    assert_int_equal(sc_graph_call_line(graph, i), i == f->helper ? 6 : 0);
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->display, b->display);
    assert_string_equal(a->file, b->file);
    assert_true(a->kind == b->kind && a->line == b->line && a->column == b->column && a->nth == b->nth);
    assert_true(a->ordinal == b->ordinal && a->local == b->local && a->recursive == b->recursive &&
                a->system == b->system);
    for (size_t run = 0; run < 2; run++)
      for (int m = 0; m < SC_METRIC_COUNT_OF_METRICS; m++)
        assert_true(sc_graph_value(f->graph, run, i, (enum sc_metric)m) ==
                    sc_graph_value(graph, run, i, (enum sc_metric)m));
  }
  assert_string_equal(sc_graph_at(graph, f->main_context)->display, "app::run()");
  sc_graph_free(graph);
}

/* Another graph, with other numbers, meets the contexts that are there. */
FIXTURE_TEST(graphs_are_aligned_by_path)
{
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, &example, 1);
  sc_graph_free(f->graph);
  assert_int_equal(sc_graph_new(&f->graph), 0);
  study_context(f->graph, 0, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "other"});
  sc_graph *own = f->graph;
  fill(f);
  sc_graph_free(own);
  save(f, study, &example, 1);
  sc_study_close(study);
  study = study_open(f->path, SC_STUDY_WRITE); /* a mirror from the file this time */
  save(f, study, &example, 1);
  sc_graph *graph = study_graph(study);
  assert_int_equal(sc_graph_run_count(graph), 3);
  assert_int_equal(sc_graph_context_count(graph), 5);
  for (size_t run = 0; run < 3; run++)
    assert_true(path_count(graph, run, "demo/_ZN3app3runEv/_ZN3app3runEv:5") == 9007199254740991.0);
  sc_graph_free(graph);
  sc_study_close(study);
}

FIXTURE_TEST(provenance)
{
  char *value;
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  assert_int_equal(sc_study_get(study, "workload", &value), 0);
  assert_null(value);
  assert_int_equal(sc_study_put(study, "workload", "<a/>"), 0);
  assert_int_equal(sc_study_put(study, "workload", "<b/>"), 0);
  sc_study_close(study);
  study = study_open(f->path, SC_STUDY_READ);
  assert_int_equal(sc_study_get(study, "workload", &value), 0);
  assert_string_equal(value, "<b/>");
  free(value);
  assert_int_equal(sc_study_put(study, "workload", "no"), SC_E_IO);
  sc_study_close(study);
}

FIXTURE_TEST(provenance_has_numbers)
{
  const struct {
    const char *text;
    double number;
  } stored[] = {{"0.25", 0.25}, {"1e9 and more", 1e9}, {"0", 0}, {"-3", 0}, {"inf", 0},
                {"nan", 0},     {"four", 0},           {"", 0}};
  double number = 7;
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  assert_int_equal(sc_study_get_number(study, "attached", &number), 0);
  assert_true(number == 0);
  for (size_t i = 0; i < sizeof stored / sizeof *stored; i++) {
    assert_int_equal(sc_study_put(study, "attached", stored[i].text), 0);
    assert_int_equal(sc_study_get_number(study, "attached", &number), 0);
    assert_true(number == stored[i].number);
  }
  sc_study_close(study);
}

static int count_module(void *user, const sc_module *module)
{
  assert_string_equal(module->path, "/usr/bin/demo");
  assert_string_equal(module->build_id, "abcd");
  ++*(int *)user;
  return 0;
}

static int64_t number(const char *path, const char *sql)
{
  sqlite3 *db;
  sqlite3_stmt *statement;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  int64_t result = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  return result;
}

FIXTURE_TEST(modules_failures_and_analysis)
{
  int modules = 0;
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, &example, 1);
  save(f, study, &example, 1);
  assert_int_equal(sc_study_modules(study, count_module, &modules), 0);
  assert_int_equal(modules, 1);
  assert_int_equal(sc_study_save_failure(study, &example, "exit status 3"), 0);
  const sc_study_model models[] = {{f->loop, SC_METRIC_COUNT, "{\"a\":1}"}, {f->loop, SC_METRIC_COST, "{}"}};
  const char *const findings[] = {"{\"rank\":1}", "{\"rank\":2}"};
  assert_int_equal(sc_study_save_analysis(study, f->graph, models, 2, findings, 2), 0);
  assert_int_equal(sc_study_save_analysis(study, f->graph, models, 1, findings, 1), 0);
  sc_study_close(study);
  assert_int_equal(number(f->path, "SELECT count(*) FROM model"), 1);
  assert_int_equal(number(f->path, "SELECT count(*) FROM finding"), 1);
  assert_int_equal(number(f->path, "SELECT count(*) FROM failure WHERE what = 'exit status 3' AND role = 'validation'"),
                   1);
  assert_int_equal(number(f->path, "SELECT count(*) FROM series WHERE n = 12.5 AND role = 'validation'"), 6);
  assert_int_equal(number(f->path, "SELECT context FROM path WHERE path = '/demo/app::run()/_ZN3app3runEv:5/helper'"),
                   4);
}

static void expect_open(struct fixture *f, enum sc_study_mode mode, int err, const char *part)
{
  sc_study *study = NULL;
  assert_int_equal(sc_study_open(f->path, mode, &study), err);
  assert_null(study);
  if (!strstr(sc_err_message(), part))
    fail_msg("\"%s\" does not say \"%s\"", sc_err_message(), part);
  assert_string_not_equal(sc_err_hint_text(), "");
}

FIXTURE_TEST(foreign_and_damaged_files)
{
  expect_open(f, SC_STUDY_READ, SC_E_IO, "there is no study");
  unit_write_file(
      f->path,
      "This is a text, and longer than the header of a database, which has a hundred bytes; so it is not one.");
  expect_open(f, SC_STUDY_CREATE, SC_E_DAMAGED, "is not a study");
  unlink(f->path);
  assert_int_equal(number(f->path, "PRAGMA user_version"), 0);
  unit_write_file(f->path, "");
  expect_open(f, SC_STUDY_READ, SC_E_DAMAGED, "is not a study: it is empty");
  study_change(f->path, "CREATE TABLE other (x)");
  expect_open(f, SC_STUDY_CREATE, SC_E_DAMAGED, "is not a study");
  unlink(f->path);
  sc_study_close(study_open(f->path, SC_STUDY_CREATE));
  study_change(f->path, "PRAGMA user_version = 99");
  expect_open(f, SC_STUDY_WRITE, SC_E_VERSION, "version 99");
}

static void spoil(struct fixture *f, const char *sql)
{
  unlink(f->path);
  sc_graph_free(f->graph);
  fill(f);
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, &example, 1);
  sc_study_close(study);
  study_change(f->path, sql);
}

FIXTURE_TEST(nonsense_inside)
{
  const char *const nonsense[] = {
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[4,2,')",
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[1,-2,')",
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[1,2,3,')",
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[1, 2,')",
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[1,')",
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[1,99999999999999999999,')",
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[[1,2,')",
      "UPDATE contexts SET numbers = numbers || ','",
      "UPDATE contexts SET numbers = substr(numbers, 1, length(numbers) - 1)",
      "UPDATE contexts SET numbers = '[]'",
      "UPDATE contexts SET numbers = ''",
      "UPDATE contexts SET numbers = 7",
      "UPDATE contexts SET first = 1",
      "UPDATE contexts SET first = -1",
      "DELETE FROM contexts",
      "INSERT INTO contexts VALUES (5, '[[0,1,0]]')",
      "INSERT INTO contexts VALUES (4096, '[[0,1,0]]')",
      "UPDATE location SET kind = 'planet' WHERE id = 1",
      "UPDATE contexts SET numbers = replace(numbers, '[1,2,', '[1,77,')",
      "UPDATE counts SET first = 99",
      "UPDATE counts SET first = 2",
      "UPDATE counts SET first = -1",
      "UPDATE counts SET run = 99",
      "UPDATE counts SET numbers = '[0,-1]'",
      "UPDATE counts SET numbers = '[0,9e999]'",
      "UPDATE counts SET numbers = '[0,nan]'",
      "UPDATE counts SET numbers = '[0,0x10]'",
      "UPDATE counts SET numbers = '[0,1,]'",
      "UPDATE counts SET numbers = '[0,1'",
      "UPDATE counts SET numbers = '[0,1]]'",
      "UPDATE counts SET numbers = '[0 ,1]'",
      "UPDATE counts SET numbers = '[]'",
      "UPDATE counts SET numbers = ''",
      "UPDATE counts SET numbers = x'5b'",
      "UPDATE counts SET numbers = '[' || printf('%.*c', 1000, '9') || ']'",
      "UPDATE costs SET context = 99 WHERE context = 4",
      "UPDATE costs SET run = 99",
      "UPDATE costs SET cost = -1 WHERE context = 3",
      "UPDATE costs SET depth = 9e999 WHERE context = 4",
      "UPDATE run SET role = 'king'",
      "DROP TABLE counts",
      "DROP TABLE costs",
      "DELETE FROM location",
  };
  for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
    spoil(f, nonsense[i]);
    study_expect_damage(f->path, nonsense[i]);
  }
}

static void check_run(const sc_graph *graph, size_t run, uint32_t context, double count, double cost, double depth)
{
  assert_true(sc_graph_value(graph, run, context, SC_METRIC_COUNT) == count);
  assert_true(sc_graph_value(graph, run, context, SC_METRIC_COST) == cost);
  assert_true(sc_graph_value(graph, run, context, SC_METRIC_DEPTH) == depth);
}

static void check_contents(struct fixture *f, enum sc_study_mode mode)
{
  sc_study *study = study_open(f->path, mode);
  sc_graph *graph = study_graph(study);
  assert_int_equal(sc_graph_run_count(graph), 2);
  assert_int_equal(sc_graph_context_count(graph), 5);
  assert_int_equal(sc_graph_run_const(graph, 1)->id, 4);
  check_run(graph, 0, 2, 1, 0, 0);
  check_run(graph, 0, 3, 9007199254740991.0, 0.25, 0);
  check_run(graph, 0, 4, 0, 0, 7);
  check_run(graph, 1, 2, 1, 0.5, 0);
  check_run(graph, 1, 3, 0, 0, 0);
  sc_graph_free(graph);
  sc_study_close(study);
}

static void make_version(struct fixture *f, const char *version, const char *change)
{
  unlink(f->path);
  static const char *const changes[] = {study_version_3, study_version_4, study_version_5,
                                        study_version_6}; /* of the one before */
  size_t wanted = 0;
  for (size_t i = 0; i < 4; i++)
    if (version == changes[i])
      wanted = i + 1;
  study_change(f->path, wanted ? study_version_2 : version);
  for (size_t i = 0; i < wanted; i++)
    study_change(f->path, changes[i]);
  study_change(f->path, change);
}

/* A study of an earlier version is read as it is, and becomes one of the present when it is to be written. */
FIXTURE_TEST(earlier_versions_are_read_and_brought_up_to_date)
{
  const char *const versions[] = {study_version_1, study_version_2, study_version_3,
                                  study_version_4, study_version_5, study_version_6};
  for (int i = 0; i < 6; i++) {
    make_version(f, versions[i], "");
    check_contents(f, SC_STUDY_READ);
    assert_int_equal(number(f->path, "PRAGMA user_version"), i + 1);
    check_contents(f, SC_STUDY_CREATE);
    assert_int_equal(number(f->path, "PRAGMA user_version"), 15);
    assert_int_equal(number(f->path, "SELECT sum(call) FROM context"), 0);
    assert_int_equal(number(f->path, "SELECT sum(system) FROM location"), 0);
    assert_int_equal(number(f->path, "SELECT sum(lost_processes) + sum(lost_reason) FROM run"), 0);
    assert_int_equal(number(f->path, "SELECT count(*) FROM run WHERE other1 IS NULL AND other2 IS NULL"), 2);
    assert_int_equal(number(f->path, "SELECT count(*) FROM run WHERE sleep_seconds IS NULL"), 2);
    assert_int_equal(number(f->path, "SELECT count(*) FROM value"), 4);
    assert_int_equal(number(f->path, "SELECT count(*) FROM series WHERE n = 200 AND cost = 0.5"), 1);
    assert_int_equal(number(f->path, "SELECT sum(lost_events) + sum(untimed) FROM run"), 0);
    assert_int_equal(number(f->path, "SELECT count(*) FROM usage_series"), 0);
    check_contents(f, SC_STUDY_WRITE);
    check_contents(f, SC_STUDY_READ);
    sc_study *study = study_open(f->path, SC_STUDY_WRITE);
    save(f, study, &example, 1);
    sc_study_close(study);
    assert_int_equal(number(f->path, "SELECT count(*) FROM value WHERE run = 5"), 3);
    assert_int_equal(number(f->path, "SELECT lost_events FROM run WHERE id = 5"), 11);
    assert_int_equal(number(f->path, "SELECT count(*) FROM run WHERE finished LIKE '20__-__-__T__:__:__Z'"), 3);
  }
}

/* Makes a study of the present version one of `version`: `change`, after contexts have become rows. */
static void go_back(struct fixture *f, int version, const char *change)
{
  static const char rows[] =
      "CREATE TABLE rows (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, location INTEGER NOT NULL,"
      " call INTEGER NOT NULL DEFAULT 0);"
      "INSERT INTO rows SELECT id, parent, location, call FROM context;"
      "DROP VIEW path; DROP VIEW context; DROP TABLE contexts; ALTER TABLE rows RENAME TO context;";
  sc_study *study = study_open(f->path, SC_STUDY_WRITE);
  assert_int_equal(sc_study_sql_exec(study, rows, "go back"), 0);
  assert_int_equal(sc_study_sql_exec(study, change, "go back"), 0);
  study->version = version;
  assert_int_equal(sc_study_sums_seal(study), 0);
  sc_study_close(study);
}

/* Version 10 has checksums, and all that version 13 has but for the busiest instances of locks and what one process
   kept. */
FIXTURE_TEST(version_10_gets_the_busiest)
{
  static const char back[] = "ALTER TABLE occupancy DROP COLUMN busiest_seconds;"
                             "ALTER TABLE occupancy DROP COLUMN hot;"
                             "ALTER TABLE occupancy DROP COLUMN hot_seconds;"
                             "ALTER TABLE occupancy DROP COLUMN loaded_seconds;"
                             "ALTER TABLE usage DROP COLUMN kept_by_one;"
                             "PRAGMA user_version = 10;";
  make_version(f, study_version_6, "");
  check_contents(f, SC_STUDY_WRITE);
  go_back(f, 10, back);
  check_contents(f, SC_STUDY_READ);
  assert_int_equal(number(f->path, "PRAGMA user_version"), 10);
  check_contents(f, SC_STUDY_WRITE);
  assert_int_equal(number(f->path, "PRAGMA user_version"), 15);
  assert_int_equal(number(f->path, "SELECT count(*) FROM pragma_table_info('occupancy') WHERE name = 'hot'"), 1);
  check_contents(f, SC_STUDY_READ);
}

/* Version 13 has a row for each context. */
FIXTURE_TEST(version_13_gets_blocks)
{
  static const char contexts[] = "SELECT sum((id + 1) * (parent * 10000 + location * 100 + call)) FROM context";
  for (uint32_t i = 0; i < 2 * SC_STUDY_BLOCK; i++) {
    char name[32];
    snprintf(name, sizeof name, "function_%u", i);
    uint32_t context = study_context(f->graph, i / 2, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name});
    sc_graph_note_call(f->graph, context, i % 97);
  }
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, &example, 1);
  sc_study_close(study);
  assert_int_equal(number(f->path, "SELECT count(*) FROM contexts"), 3);
  int64_t sum = number(f->path, contexts);
  go_back(f, 13, "ALTER TABLE occupancy DROP COLUMN loaded_seconds; PRAGMA user_version = 13");
  assert_int_equal(number(f->path, contexts), sum);
  for (int i = 0; i < 2; i++) { /* as it is, and brought up to date */
    study = study_open(f->path, i ? SC_STUDY_WRITE : SC_STUDY_READ);
    sc_graph *graph = study_graph(study);
    assert_int_equal(sc_graph_context_count(graph), sc_graph_context_count(f->graph));
    for (uint32_t c = 0; c < sc_graph_context_count(graph); c++) {
      assert_int_equal(sc_graph_parent(graph, c), sc_graph_parent(f->graph, c));
      assert_int_equal(sc_graph_call_line(graph, c), sc_graph_call_line(f->graph, c));
      assert_string_equal(sc_graph_at(graph, c)->name, sc_graph_at(f->graph, c)->name);
    }
    sc_graph_free(graph);
    sc_study_close(study);
  }
  assert_int_equal(number(f->path, "PRAGMA user_version"), 15);
  assert_int_equal(number(f->path, contexts), sum);
}

/* Blocks of contexts are written again where a run reaches an earlier call, and where the last one grows. */
FIXTURE_TEST(blocks_of_contexts_change)
{
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  for (uint32_t i = 0; i < SC_STUDY_BLOCK; i++) {
    char name[32];
    snprintf(name, sizeof name, "function_%u", i);
    sc_graph_note_call(f->graph, study_context(f->graph, 0, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name}),
                       70);
    if (i % 1000 == 90 || i == SC_STUDY_BLOCK - 6) /* the last fills a block */
      save(f, study, &example, 1);
  }
  sc_graph_note_call(f->graph, f->helper, 3);
  sc_graph_note_call(f->graph, SC_STUDY_BLOCK + 4, 40);
  save(f, study, &example, 1);
  sc_study_close(study);
  assert_int_equal(number(f->path, "SELECT count(*) FROM contexts"), 2);
  assert_int_equal(number(f->path, "SELECT count(*) FROM context"), SC_STUDY_BLOCK + 5);
  assert_int_equal(number(f->path, "SELECT max(id) FROM context"), SC_STUDY_BLOCK + 4);
  assert_int_equal(number(f->path, "SELECT call FROM context WHERE id = 4"), 3);
  assert_int_equal(number(f->path, "SELECT call FROM context WHERE id = 4100"), 40);
  assert_int_equal(number(f->path, "SELECT call FROM context WHERE id = 4099"), 70);
  study = study_open(f->path, SC_STUDY_WRITE); /* its checksums are right */
  sc_study_close(study);
}

static int sound_part(void *user, const char *part, int64_t run, const char *damage)
{
  (void)user, (void)run;
  if (damage)
    fail_msg("%s: %s", part, damage);
  return 0;
}

/* Whoever reads a study that somebody brings up to date meanwhile reads what it has become. */
FIXTURE_TEST(a_study_is_read_while_it_becomes_another_version)
{
  sc_graph *graph;
  make_version(f, study_version_6, "");
  check_contents(f, SC_STUDY_WRITE);
  go_back(f, 13, "ALTER TABLE occupancy DROP COLUMN loaded_seconds; PRAGMA user_version = 13");
  sc_study *study = study_open(f->path, SC_STUDY_READ), *check = study_open(f->path, SC_STUDY_CHECK);
  sc_study_close(study_open(f->path, SC_STUDY_WRITE));
  assert_int_equal(sc_graph_new(&graph), 0);
  unit_ok(sc_study_load(study, graph));
  unit_ok(sc_study_check(check, sound_part, NULL));
  assert_int_equal(sc_graph_context_count(graph), 5);
  sc_graph_free(graph);
  sc_study_close(study);
  sc_study_close(check);
}

/* A block holds what others have written into it, too. */
TEST_WITH(two_write_contexts_into_one_block, set_up, tear_down)
{
  struct fixture *f = *state, others = {0};
  sc_study *study = study_open(f->path, SC_STUDY_CREATE), *other = study_open(f->path, SC_STUDY_WRITE);
  save(f, study, &example, 1);
  fill(&others);
  sc_graph_note_call(others.graph, others.helper, 3);
  save(&others, other, &example, 1);
  study_context(f->graph, 0, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "another"});
  save(f, study, &example, 1); /* the block once more */
  assert_int_equal(number(f->path, "SELECT count(*) FROM contexts"), 1);
  assert_int_equal(number(f->path, "SELECT max(id) FROM context"), 5);
  assert_int_equal(number(f->path, "SELECT call FROM context WHERE id = 4"), 3);
  sc_graph_free(others.graph);
  sc_study_close(other);
  sc_study_close(study);
}

/* New checksums must not hide that a run changed under the old ones. */
FIXTURE_TEST(damage_of_an_earlier_version_is_not_sealed)
{
  make_version(f, study_version_6, "");
  sqlite3 *db;
  assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "UPDATE run SET wall_seconds = wall_seconds + 1", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
  sc_study *study = NULL;
  assert_int_equal(sc_study_open(f->path, SC_STUDY_WRITE, &study), SC_E_DAMAGED);
  assert_non_null(strstr(sc_err_message(), "has changed since it was saved"));
  assert_int_equal(number(f->path, "PRAGMA user_version"), 6);
}

/* Runs away from the base values have roles of their own, so that nobody takes them for others. */
FIXTURE_TEST(further_parameters_come_back)
{
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  const sc_run runs[] = {{.n = 10, .others = {1}},
                         {.n = 10, .role = SC_RUN_VARIED, .others = {8}},
                         {.n = 20, .role = SC_RUN_VARIED_TARGET, .others = {8, 0.5}},
                         {.n = 30}};
  for (size_t i = 0; i < 4; i++)
    save(f, study, &runs[i], 1);
  unit_ok(sc_study_save_failure(study, &runs[2], "crashed"));
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_study_load_roles(study, 1u << SC_RUN_VARIED | 1u << SC_RUN_VARIED_TARGET, graph), 0);
  assert_int_equal(sc_graph_run_count(graph), 2);
  for (size_t i = 0; i < 2; i++) {
    const sc_run *back = sc_graph_run_const(graph, i);
    assert_true(back->n == runs[i + 1].n && back->role == runs[i + 1].role);
    assert_memory_equal(back->others, runs[i + 1].others, sizeof back->others);
  }
  sc_graph_free(graph);
  sc_study_close(study);
  assert_int_equal(number(f->path, "SELECT count(*) FROM run WHERE role = 'varied' AND other1 = 8 AND other2 IS NULL"),
                   1);
  assert_int_equal(number(f->path, "SELECT count(*) FROM run WHERE n = 30 AND other1 IS NULL"), 1);
  assert_int_equal(number(f->path, "SELECT count(*) FROM failure WHERE other1 = 8 AND other2 = 0.5"), 1);
  study_change(f->path, "UPDATE run SET other1 = -1 WHERE n = 20");
  study_expect_damage(f->path, "a value below 0");
}

/* What cannot be brought up to date stays as it was. */
FIXTURE_TEST(damaged_version_1_stays)
{
  static const char *const changes[] = {"UPDATE value SET context = 5 WHERE context = 3",
                                        "UPDATE value SET context = -1 WHERE context = 3",
                                        "UPDATE value SET count = -1 WHERE context = 3"};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    make_version(f, study_version_1, changes[i]);
    expect_open(f, SC_STUDY_WRITE, SC_E_DAMAGED, "a value has no context");
    assert_int_equal(number(f->path, "PRAGMA user_version"), 1);
    assert_int_equal(number(f->path, "SELECT count(*) FROM value WHERE count = 1"), 2);
  }
}

/* Blocks end and begin in the middle of things: values on both sides, gaps, a block without any, a cost without a
 * count, and numbers that are not whole or not exact. SQL sees the same as the program. */
FIXTURE_TEST(blocks_of_counts)
{
  enum { MANY = 20000 };
  static const struct {
    uint32_t context;
    double count, cost;
  } values[] = {{4095, 3, 0},
                {4096, 0, 1.5},
                {4097, 5, 2},
                {8191, 0.1, 0},
                {12288, 18446744073709551615.0, 0},
                {16383, 1, 0},
                {16384, 1e300, 0},
                {16385, 0, 0.125},
                {19999, 9007199254740993.0, 0}};
  size_t index, count = sizeof values / sizeof *values;
  for (uint32_t i = sc_graph_context_count(f->graph); i < MANY; i++) {
    char name[32];
    snprintf(name, sizeof name, "f%u", i);
    study_context(f->graph, 0, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name});
  }
  assert_int_equal(sc_graph_begin_run(f->graph, &example, &index), 0);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(sc_graph_add(f->graph, index, values[i].context, SC_METRIC_COUNT, values[i].count), 0);
    assert_int_equal(sc_graph_add(f->graph, index, values[i].context, SC_METRIC_COST, values[i].cost), 0);
  }
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  assert_int_equal(sc_study_save_run(study, f->graph, index, NULL, 0), 0);
  sc_graph *graph = study_graph(study);
  for (uint32_t i = 0; i < MANY; i++)
    for (int m = 0; m < SC_METRIC_COUNT_OF_METRICS; m++)
      assert_true(sc_graph_value(graph, 0, i, (enum sc_metric)m) ==
                  sc_graph_value(f->graph, index, i, (enum sc_metric)m));
  sc_graph_free(graph);
  sc_study_close(study);
  assert_int_equal(number(f->path, "SELECT count(*) FROM value"), (int64_t)count);
  assert_int_equal(number(f->path, "SELECT count FROM value WHERE context = 4097 AND cost = 2"), 5);
  assert_int_equal(number(f->path, "SELECT count(*) FROM value WHERE context = 4096 AND count = 0 AND cost = 1.5"), 1);
  assert_int_equal(number(f->path, "SELECT count(*) FROM value WHERE typeof(count) <> 'real'"), 0);
  assert_int_equal(number(f->path, "SELECT count = 18446744073709551615.0 FROM value WHERE context = 12288"), 1);
}

/* Training and validation apart from target runs, in graphs whose contexts have the same numbers. */
FIXTURE_TEST(runs_are_loaded_by_their_roles)
{
  static const enum sc_run_role roles[] = {SC_RUN_TARGET, SC_RUN_TRAINING, SC_RUN_TARGET, SC_RUN_VALIDATION};
  size_t runs = 0;
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  for (size_t i = 0; i < 4; i++)
    save(f, study, &(sc_run){.n = (double)i, .role = roles[i]}, (double)i + 1);
  assert_int_equal(sc_study_run_count(study, &runs), 0);
  assert_int_equal(runs, 4);
  for (unsigned wanted = 0; wanted < 8; wanted++) {
    sc_graph *graph;
    size_t next = 0;
    assert_int_equal(sc_graph_new(&graph), 0);
    assert_int_equal(sc_study_load_roles(study, wanted, graph), 0);
    for (size_t i = 0; i < 4; i++) {
      if (!(wanted >> roles[i] & 1))
        continue;
      assert_true(sc_graph_run_const(graph, next)->n == (double)i && sc_graph_run_const(graph, next)->role == roles[i]);
      check_run(graph, next, f->loop, 9007199254740991.0, 0.1 * (double)(i + 1), 0);
      check_run(graph, next++, f->helper, 0, 0, 4 * (double)(i + 1));
    }
    assert_int_equal(sc_graph_run_count(graph), next);
    assert_int_equal(sc_graph_context_count(graph), next ? 5 : 1);
    sc_graph_free(graph);
  }
  sc_study_close(study);
}

/* A full disk, as a limit of the file's size: the run is not there, the earlier ones are, and it can go on. */
FIXTURE_TEST(full_disk_keeps_earlier_runs)
{
  sc_study *study = study_open(f->path, SC_STUDY_CREATE);
  save(f, study, &example, 1);
  sqlite3 *db;
  assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
  struct rlimit before, limit;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  int64_t bytes = number(f->path, "PRAGMA page_count") * 4096;
  sqlite3_close(db);
  for (int i = 0; i < 3000; i++) {
    char name[32];
    snprintf(name, sizeof name, "function_%d", i);
    study_context(f->graph, 0, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name});
  }
  signal(SIGXFSZ, SIG_IGN);
  limit = (struct rlimit){.rlim_cur = (rlim_t)bytes + 8192, .rlim_max = before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  size_t index;
  assert_int_equal(sc_graph_begin_run(f->graph, &example, &index), 0);
  int err = sc_study_save_run(study, f->graph, index, NULL, 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  if (err != SC_E_NOSPACE && err != SC_E_IO) /* SQLite does not tell a file size limit from a broken disk */
    fail_msg("%d %s", err, sc_err_message());
  assert_int_equal(number(f->path, "SELECT count(*) FROM run"), 1);
  unit_ok(sc_study_save_run(study, f->graph, index, NULL, 0));
  sc_study_close(study);
  assert_int_equal(number(f->path, "SELECT count(*) FROM run"), 2);
  assert_int_equal(number(f->path, "SELECT count(*) FROM context"), 3005);
}

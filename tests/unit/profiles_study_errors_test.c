/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every refusal of SQLite is reported, and the study stays sound: each statement of each operation fails once where it
 * is prepared, and each at several moments of its work. */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "study_scene.h"
#include "study_version_1.h"

enum { RUNS = 2, LOOPS = 5 };

/* Counts down to what fails. */
static struct failure {
  bool prepare; /* else while it works */
  long left;    /* until it does; < 0: it has */
  bool armed;
} failure;

/* What only read is rolled back, and nobody asks whether it was. */
static int authorize(void *user, int action, const char *name, const char *b, const char *c, const char *d)
{
  bool back = action == SQLITE_TRANSACTION && name && strcmp(name, "ROLLBACK") == 0;
  return failure.armed && failure.prepare && !back && failure.left-- == 0 ? SQLITE_DENY : SQLITE_OK;
}

static int work(void *db)
{
  if (!failure.armed || failure.prepare)
    return 0;
  for (sqlite3_stmt *at = sqlite3_next_stmt(db, NULL); at; at = sqlite3_next_stmt(db, at)) {
    const char *sql = sqlite3_stmt_busy(at) ? sqlite3_sql(at) : NULL;
    if (sql && strcmp(sql, "ROLLBACK") == 0)
      return 0;
  }
  return failure.left-- == 0;
}

/* Every connection of the process. */
static int watch(sqlite3 *db, const char **message, const struct sqlite3_api_routines *api)
{
  sqlite3_set_authorizer(db, authorize, NULL);
  sqlite3_progress_handler(db, 1, work, db);
  return SQLITE_OK;
}

/* In memory, as every operation is made durable. */
static void begin(char path[TEMPORARY_PATH])
{
  strcpy(path, access("/dev/shm", W_OK) == 0 ? "/dev/shm/scale-test-XXXXXX" : "/tmp/scale-test-XXXXXX");
  close(mkstemp(path));
}

static sc_graph *graph_of_runs(size_t runs)
{
  sc_graph *graph;
  uint32_t loops[LOOPS], heap;
  assert_int_equal(sc_graph_new(&graph), 0);
  uint32_t above = study_context(graph, 0, &(sc_location){.kind = SC_LOCATION_PROCESS, .name = "demo"});
  assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_HEAP, "heap", "", 0}, &heap), 0);
  for (uint32_t i = 0; i < LOOPS; i++) {
    char name[20];
    snprintf(name, sizeof name, "f%u", i);
    loops[i] = study_context(graph, above, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name, .file = "d.c"});
  }
  for (size_t r = 0; r < runs; r++) {
    size_t run;
    uint32_t rows[2];
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 100 << r, .cost_event = "task-clock"}, &run), 0);
    for (uint32_t i = 0; i < LOOPS; i++) {
      assert_int_equal(sc_graph_add(graph, run, loops[i], SC_METRIC_COUNT, i + (double)r), 0);
      assert_int_equal(sc_graph_add(graph, run, loops[i], SC_METRIC_COST, 1e-9 * i), 0);
    }
    for (uint32_t i = 0; i < 2; i++) {
      sc_usage usage = {.context = loops[i],
                        .resource = heap,
                        .via = "malloc",
                        .event = SC_USAGE_EVENT_ACQUIRE,
                        .values = {[SC_USAGE_ACQUIRES] = 3}};
      assert_int_equal(sc_usage_add(graph, run, &usage, &rows[i]), 0);
    }
    assert_int_equal(sc_usage_add_pair(graph, run, &(sc_wait_pair){rows[0], rows[1], 1, 0.5}), 0);
    assert_int_equal(sc_usage_add_occupancy(graph, run, &(sc_occupancy){.resource = heap, .instances = 1}), 0);
  }
  return graph;
}

static const sc_module module = {.path = "/usr/bin/demo", .build_id = "abcd"};

static void make(const char *path)
{
  sc_graph *graph = graph_of_runs(RUNS);
  unlink(path);
  sc_study *study = study_open(path, SC_STUDY_CREATE);
  assert_int_equal(sc_study_put(study, "workload", "<workload/>"), 0);
  for (size_t r = 0; r < RUNS; r++)
    assert_int_equal(sc_study_save_run(study, graph, r, &module, 1), 0);
  assert_int_equal(sc_study_save_failure(study, &(sc_run){.n = 9999}, "crashed"), 0);
  sc_study_close(study);
  sc_graph_free(graph);
}

static int see_module(void *user, const sc_module *seen) { return 0; }
static int see_failure(void *user, double n, const char *what) { return 0; }
static int see_part(void *user, const char *part, int64_t run, const char *damage) { return damage ? SC_E_DAMAGED : 0; }

/* ---- operations ---- */
static int save_run(sc_study *study, sc_graph *graph) { return sc_study_save_run(study, graph, RUNS, &module, 1); }
static int save_failure(sc_study *study, sc_graph *graph)
{
  return sc_study_save_failure(study, &(sc_run){.n = 1}, "timed out");
}
static int save_analysis(sc_study *study, sc_graph *graph)
{
  const char *const finding = "{}";
  return sc_study_save_analysis(study, graph, &(sc_study_model){1, SC_METRIC_COUNT, "{}"}, 1, &finding, 1);
}
static int put(sc_study *study, sc_graph *graph) { return sc_study_put(study, "machine", "m"); }
static int get(sc_study *study, sc_graph *graph)
{
  char *value = NULL;
  int err = sc_study_get(study, "workload", &value);
  free(value);
  return err;
}
static int load(sc_study *study, sc_graph *graph)
{
  sc_graph *loaded;
  assert_int_equal(sc_graph_new(&loaded), 0);
  int err = sc_study_load(study, loaded);
  sc_graph_free(loaded);
  return err;
}
static int count(sc_study *study, sc_graph *graph)
{
  size_t runs;
  return sc_study_run_count(study, &runs);
}
static int modules(sc_study *study, sc_graph *graph) { return sc_study_modules(study, see_module, NULL); }
static int failures(sc_study *study, sc_graph *graph) { return sc_study_failures(study, see_failure, NULL); }
static int check(sc_study *study, sc_graph *graph) { return sc_study_check(study, see_part, NULL); }

typedef int (*operation)(sc_study *study, sc_graph *graph);

/* Once, failing as told: false if it was done before anything failed. */
static bool fail_once(const char *path, operation what, sc_graph *graph, bool prepare, long left)
{
  sc_study *study = study_open(path, SC_STUDY_WRITE);
  failure = (struct failure){prepare, left, true};
  int err = what(study, graph);
  failure.armed = false;
  bool failed = failure.left < 0;
  if (failed ? err >= 0 : err < 0)
    fail_msg("failure %ld: %s", left, err < 0 ? sc_err_message() : "not noticed");
  sc_study_close(study);
  study = study_open(path, SC_STUDY_CHECK);
  if (sc_study_check(study, see_part, NULL) < 0)
    fail_msg("failure %ld left damage: %s", left, sc_err_message());
  sc_study_close(study);
  return failed;
}

static void fail_all(operation what, bool prepare, long step)
{
  char path[TEMPORARY_PATH];
  begin(path);
  make(path);
  sc_graph *graph = graph_of_runs(RUNS + 1);
  for (long left = 0; fail_once(path, what, graph, prepare, left); left += step)
    ;
  sc_graph_free(graph);
  unlink(path);
}

/* A study of the first version is brought up to date where it is opened, or stays as it was. */
static bool upgrade_once(const char *path, bool prepare, long left)
{
  sc_study *study = NULL;
  unlink(path);
  study_change(path, study_version_1);
  failure = (struct failure){prepare, left, true};
  int err = sc_study_open(path, SC_STUDY_WRITE, &study);
  failure.armed = false;
  bool failed = failure.left < 0;
  if (failed ? err >= 0 : err < 0)
    fail_msg("failure %ld: %s", left, err < 0 ? sc_err_message() : "not noticed");
  sc_study_close(study);
  sc_graph_free(study_load(path));
  return failed;
}

static const operation operations[] = {save_run, save_failure, save_analysis, put,      get,
                                       load,     count,        modules,       failures, check};

TEST(statements_that_are_refused)
{
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    fail_all(operations[i], true, 1);
}

TEST(statements_that_fail_at_work)
{
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    fail_all(operations[i], false, 53);
}

TEST(studies_that_are_brought_up_to_date)
{
  char path[TEMPORARY_PATH];
  begin(path);
  for (long left = 0; upgrade_once(path, true, left); left++)
    ;
  for (long left = 0; upgrade_once(path, false, left); left += 53)
    ;
  unlink(path);
}

int main(void)
{
  sqlite3_auto_extension((void (*)(void))watch);
  return unit_run(NULL, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study with any flipped bit is refused, or gives what was saved. */
#include "unit.h"

#include <stdlib.h>

#include <fcntl.h>
#include <unistd.h>

#include "profiles/scprof/dump.h"
#include "study_scene.h"

enum { RUNS = 5, LOOPS = 40, FLIPS = 4001 };

/* Everything that is read of a study, as text; NULL: it is refused, with a message and a hint. */
static char *read_all(const char *path)
{
  char *text = NULL, *workload = NULL;
  size_t size;
  sc_study *study = NULL;
  sc_graph *graph = NULL;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(sc_graph_new(&graph), 0);
  int err = sc_study_open(path, SC_STUDY_READ, &study);
  if (err == 0)
    err = sc_study_get(study, "workload", &workload);
  if (err == 0)
    err = sc_study_load(study, graph);
  for (size_t i = 0; err == 0 && i < sc_graph_run_count(graph); i++) {
    const sc_run *run = sc_graph_run_const(graph, i);
    fprintf(out, "%lld %a %d %u %a %a %a %llu %llu %s %s %a\n", (long long)run->id, run->n, (int)run->role, run->repeat,
            run->wall_seconds, run->user_seconds, run->system_seconds, (unsigned long long)run->max_rss_kib,
            (unsigned long long)run->lost_processes, run->cost_event, run->build, run->others[0]);
    err = sc_dump_graph(graph, i, out);
  }
  fprintf(out, "%s\n", workload ? workload : "none");
  fclose(out);
  if (err < 0) {
    assert_true(*sc_err_message() && *sc_err_hint_text());
    free(text);
    text = NULL;
  }
  free(workload);
  sc_study_close(study);
  sc_graph_free(graph);
  return text;
}

static void make(const char *path)
{
  sc_graph *graph;
  uint32_t loops[LOOPS];
  assert_int_equal(sc_graph_new(&graph), 0);
  const sc_location process = {.kind = SC_LOCATION_PROCESS, .name = "demo"};
  uint32_t above = study_context(graph, 0, &process);
  for (uint32_t i = 0; i < LOOPS; i++) {
    char name[20];
    snprintf(name, sizeof name, "function_%u", i);
    const sc_location function = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = "demo.c", .line = i + 1};
    above = loops[i] = study_context(graph, i % 8 ? above : loops[0] * (i > 0), &function);
  }
  sc_study *study = study_open(path, SC_STUDY_CREATE);
  assert_int_equal(sc_study_put(study, "workload", "<workload name=\"demo\"/>"), 0);
  for (unsigned r = 0; r < RUNS; r++) {
    size_t run;
    const sc_run about = {.n = 100 << r,
                          .repeat = r % 2,
                          .wall_seconds = 0.1 * r,
                          .cost_event = "task-clock",
                          .build = "abc",
                          .lost_processes = r};
    assert_int_equal(sc_graph_begin_run(graph, &about, &run), 0);
    for (uint32_t i = 0; i < LOOPS; i++) {
      assert_int_equal(sc_graph_add(graph, run, loops[i], SC_METRIC_COUNT, (double)about.n * about.n / 2 + i), 0);
      assert_int_equal(sc_graph_add(graph, run, loops[i], SC_METRIC_COST, 1e-9 * about.n * i), 0);
    }
    const sc_module module = {.path = "/usr/bin/demo", .build_id = "abcd"};
    assert_int_equal(sc_study_save_run(study, graph, run, &module, 1), 0);
  }
  assert_int_equal(sc_study_save_failure(study, &(sc_run){.n = 9999}, "crashed"), 0);
  const char *const finding = "{\"rule\":\"superlinear-loop\"}";
  const sc_study_model model = {loops[1], SC_METRIC_COUNT, "{\"order\":2}"};
  assert_int_equal(sc_study_save_analysis(study, graph, &model, 1, &finding, 1), 0);
  sc_study_close(study);
  sc_graph_free(graph);
}

static int see(void *user, const char *part, int64_t run, const char *damage)
{
  if (damage)
    snprintf(user, 200, "%s %lld", part, (long long)run);
  return 0;
}

/* The part that is damaged, "part run", or "". */
static const char *damaged_part(const char *path)
{
  static char part[200];
  sc_study *study = study_open(path, SC_STUDY_CHECK);
  *part = '\0';
  unit_ok(sc_study_check(study, see, part));
  sc_study_close(study);
  return part;
}

static int setup(void **state)
{
  char *path = calloc(1, TEMPORARY_PATH);
  temporary_path(path);
  unlink(path);
  make(path);
  *state = path;
  return 0;
}

static int teardown(void **state)
{
  unlink(*state);
  free(*state);
  return 0;
}

TEST_WITH(bits_flipped, setup, teardown)
{
  char *path = *state;
  char *sound = read_all(path);
  int refused = 0, harmless = 0;
  assert_non_null(sound);
  int file = open(path, O_RDWR);
  off_t size = lseek(file, 0, SEEK_END);
  off_t step = size / FLIPS > 0 ? size / FLIPS : 1;
  for (off_t at = 0; at < size; at += step) {
    unsigned char byte, flipped;
    assert_int_equal(pread(file, &byte, 1, at), 1);
    flipped = byte ^ (unsigned char)(1u << (at / step * 5) % 8);
    assert_int_equal(pwrite(file, &flipped, 1, at), 1);
    char *text = read_all(path);
    if (text && strcmp(text, sound) != 0)
      fail_msg("bit %d of byte %lld changes what is read:\n%.2000s", (int)((at / step * 5) % 8), (long long)at, text);
    refused += !text;
    harmless += text != NULL;
    free(text);
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
  }
  close(file);
  if (refused < 400 || harmless < 400)
    fail_msg("%d refused, %d harmless", refused, harmless);
  assert_string_equal(damaged_part(path), "");
  free(sound);
}

/* What a single changed number, or row, is part of. */
static void change(const char *path, const char *sql)
{
  sqlite3 *db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
    fail_msg("%s: %s", sql, sqlite3_errmsg(db));
  sqlite3_close(db);
}

TEST_WITH(parts_are_named, setup, teardown)
{
  char *path = *state;
  static const struct {
    const char *change, *part, *message;
  } cases[] = {
      {"UPDATE counts SET numbers = replace(numbers, '5000', '4849') WHERE run = 1", "run 1", "run 1 has changed"},
      {"UPDATE costs SET cost = cost * 1.0000001 WHERE run = 3", "run 3", "run 3 has changed"},
      {"UPDATE run SET wall_seconds = 7 WHERE id = 2", "run 2", "run 2 has changed"},
      {"DELETE FROM run_module WHERE run = 5", "run 5", "run 5 has changed"},
      {"UPDATE location SET line = line + 1 WHERE id = 3", "locations 0", "locations: changed"},
      {"UPDATE contexts SET numbers = replace(numbers, ',3,', ',2,')", "contexts 0", "contexts: changed"},
      {"UPDATE meta SET value = 'x' WHERE key = 'workload'", "provenance 0", "provenance: changed"},
      {"UPDATE failure SET n = 5", "failed runs 0", "failed runs: changed"},
      {"UPDATE module SET path = '/x'", "modules 0", "modules: changed"},
      {"UPDATE checksum SET crc = crc - 1 WHERE part = 'schema'", "schema 0", "schema: changed"},
      {"UPDATE model SET document = '{}'", "models 0", NULL},
      {"DELETE FROM finding", "findings 0", NULL},
      {"DELETE FROM checksum WHERE run = 4", "run 4", "run 4 has no checksum"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unlink(path);
    make(path);
    assert_string_equal(damaged_part(path), "");
    change(path, cases[i].change);
    assert_string_equal(damaged_part(path), cases[i].part);
    char *text = read_all(path);
    if (!cases[i].message != (text != NULL) || (!text && !strstr(sc_err_message(), cases[i].message)))
      fail_msg("%s: %s", cases[i].change, text ? "not noticed" : sc_err_message());
    if (!text)
      assert_non_null(strstr(sc_err_hint_text(), "scale-run study check"));
    free(text);
    sc_study *study = NULL; /* nor is anything added, which would make new checksums of what is damaged */
    int err = sc_study_open(path, SC_STUDY_WRITE, &study);
    if (strncmp(cases[i].part, "run", 3) != 0)
      assert_int_equal(err, SC_E_DAMAGED);
    sc_study_close(study);
  }
}

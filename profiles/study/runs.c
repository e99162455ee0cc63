/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of a study: written with their costs, values and modules, and what failed; and their columns for readers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "profiles/study/internal.h"

static const char what_save[] = "save the run";

/* The columns of `run` behind its id, in one order for writing and reading; those of versions 3, 4, 5 and 7 at the end.
 */
#define COLUMNS                                                                                          \
  "n, role, repeat, wall_seconds, user_seconds, system_seconds, max_rss_kib, processes, threads, nodes," \
  " truncated_nodes, lost_bytes, lost_records, samples, samples_unmatched, samples_lost, cost_event, build"
#define COLUMNS_3    ", lost_events, untimed"
#define COLUMNS_4    ", other1, other2"
#define COLUMNS_5    ", lost_processes, lost_reason"
#define COLUMNS_7    ", runnable_seconds, io_seconds, lock_seconds, process_seconds, sleep_seconds, other_seconds"
#define NO_COLUMNS_7 ", NULL, NULL, NULL, NULL, NULL, NULL"
_Static_assert(SC_RUN_OTHERS == 2 && SC_WAIT_KINDS == 6, "a column each");

/* NULL stands for none. */
static void bind_others(sqlite3_stmt *row, int column, const sc_run *run)
{
  for (int i = 0; i < SC_RUN_OTHERS; i++)
    if (run->others[i] > 0)
      sqlite3_bind_double(row, column + i, run->others[i]);
    else
      sqlite3_bind_null(row, column + i);
}

static void bind_run(sqlite3_stmt *row, const sc_run *run)
{
  int column = 1;
  sqlite3_bind_double(row, column++, run->n);
  sqlite3_bind_text(row, column++, sc_study_roles[run->role], -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, column++, run->repeat);
  sqlite3_bind_double(row, column++, run->wall_seconds);
  sqlite3_bind_double(row, column++, run->user_seconds);
  sqlite3_bind_double(row, column++, run->system_seconds);
  const uint64_t numbers[] = {run->max_rss_kib,       run->processes,   run->threads,      run->nodes,
                              run->truncated_nodes,   run->lost_bytes,  run->lost_records, run->samples,
                              run->samples_unmatched, run->samples_lost};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sqlite3_bind_int64(row, column++, (int64_t)numbers[i]);
  sqlite3_bind_text(row, column++, run->cost_event, -1, SQLITE_STATIC);
  sqlite3_bind_text(row, column++, run->build, -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, column++, (int64_t)run->lost_events);
  sqlite3_bind_int64(row, column++, (int64_t)run->untimed);
  bind_others(row, column, run);
  column += SC_RUN_OTHERS;
  sqlite3_bind_int64(row, column++, (int64_t)run->lost_processes);
  sqlite3_bind_int64(row, column++, run->lost_reason);
  for (int i = 0; i < SC_WAIT_KINDS && run->has_waits; i++) /* else they stay NULL */
    sqlite3_bind_double(row, column + i, run->waits[i]);
}

int sc_study_runs_select(sc_study *study, sqlite3_stmt **statement, const char *what)
{
  static const char *const selects[SC_STUDY_VERSION + 1] = {
      [2] = "SELECT id, " COLUMNS ", 0, 0, NULL, NULL, 0, 0" NO_COLUMNS_7 " FROM run ORDER BY id",
      [3] = "SELECT id, " COLUMNS COLUMNS_3 ", NULL, NULL, 0, 0" NO_COLUMNS_7 " FROM run ORDER BY id",
      [4] = "SELECT id, " COLUMNS COLUMNS_3 COLUMNS_4 ", 0, 0" NO_COLUMNS_7 " FROM run ORDER BY id",
      [6] = "SELECT id, " COLUMNS COLUMNS_3 COLUMNS_4 COLUMNS_5 NO_COLUMNS_7 " FROM run ORDER BY id",
      [SC_STUDY_VERSION] = "SELECT id, " COLUMNS COLUMNS_3 COLUMNS_4 COLUMNS_5 COLUMNS_7 " FROM run ORDER BY id"};
  int version = study->version;
  while (!selects[version]) /* versions without columns of their own have those of the next */
    version++;
  return sc_study_sql_prepare(study, selects[version], statement, what);
}

/* NULL: not measured. */
static int read_waits(const sc_study *study, sqlite3_stmt *row, int column, sc_run *run)
{
  run->has_waits = sqlite3_column_type(row, column) != SQLITE_NULL;
  for (int i = 0; i < SC_WAIT_KINDS && run->has_waits; i++) {
    run->waits[i] = sqlite3_column_double(row, column + i);
    if (!isfinite(run->waits[i]) || run->waits[i] < 0)
      return sc_study_sql_damaged(study, "a run waited for an impossible time");
  }
  return 0;
}

int sc_study_runs_column(const sc_study *study, sqlite3_stmt *row, sc_run *run)
{
  *run = (sc_run){.id = sqlite3_column_int64(row, 0), .n = sqlite3_column_double(row, 1)};
  int role = sc_study_word(sc_study_roles, SC_RUN_ROLE_COUNT, sc_study_sql_text(row, 2)), column = 4;
  if (role < 0 || !isfinite(run->n))
    return sc_study_sql_damaged(study, "a run has no valid size or role");
  run->role = (enum sc_run_role)role;
  run->repeat = (unsigned)sqlite3_column_int64(row, 3);
  run->wall_seconds = sqlite3_column_double(row, column++);
  run->user_seconds = sqlite3_column_double(row, column++);
  run->system_seconds = sqlite3_column_double(row, column++);
  uint64_t *const numbers[] = {&run->max_rss_kib,       &run->processes,   &run->threads,      &run->nodes,
                               &run->truncated_nodes,   &run->lost_bytes,  &run->lost_records, &run->samples,
                               &run->samples_unmatched, &run->samples_lost};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = (uint64_t)sqlite3_column_int64(row, column++);
  snprintf(run->cost_event, sizeof run->cost_event, "%s", sc_study_sql_text(row, column++));
  snprintf(run->build, sizeof run->build, "%s", sc_study_sql_text(row, column++));
  run->lost_events = (uint64_t)sqlite3_column_int64(row, column++);
  run->untimed = (uint64_t)sqlite3_column_int64(row, column++);
  for (int i = 0; i < SC_RUN_OTHERS; i++) {
    run->others[i] = sqlite3_column_double(row, column + i);
    if (!isfinite(run->others[i]) || run->others[i] < 0)
      return sc_study_sql_damaged(study, "a run has no valid value of a further parameter");
  }
  column += SC_RUN_OTHERS;
  run->lost_processes = (uint64_t)sqlite3_column_int64(row, column++);
  run->lost_reason = sqlite3_column_int(row, column++);
  return read_waits(study, row, column, run);
}

static int insert_run(sc_study *study, const sc_run *run, int64_t *id)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(
      study,
      "INSERT INTO run (" COLUMNS COLUMNS_3 COLUMNS_4 COLUMNS_5 COLUMNS_7 ", finished)"
      " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,"
      "?25,?26,?27,?28,?29,?30,"
      "strftime('%Y-%m-%dT%H:%M:%SZ','now'))",
      &row, what_save));
  bind_run(row, run);
  SC_GOTO(sc_study_sql_run(study, row, what_save));
  *id = sqlite3_last_insert_rowid(study->db);
out:
  sqlite3_finalize(row);
  return err;
}

/* Costs and depths, and which blocks of counts they belong to. */
static int insert_costs(sc_study *study, const sc_graph *graph, size_t run, int64_t id, const uint32_t *ids,
                        sc_study_counts *counts)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "INSERT INTO costs VALUES (?1, ?2, ?3, ?4)", &row, what_save));
  sqlite3_bind_int64(row, 1, id);
  for (uint32_t i = 0; i < graph->tree.contexts.count; i++) {
    double cost = sc_graph_value(graph, run, i, SC_METRIC_COST);
    double depth = sc_graph_value(graph, run, i, SC_METRIC_DEPTH);
    if (cost == 0 && depth == 0)
      continue;
    sc_study_values_keep(counts, ids[i]);
    sqlite3_bind_int64(row, 2, ids[i]);
    sqlite3_bind_double(row, 3, cost);
    sqlite3_bind_double(row, 4, depth);
    SC_GOTO(sc_study_sql_run(study, row, what_save));
  }
out:
  sqlite3_finalize(row);
  return err;
}

static int insert_values(sc_study *study, const sc_graph *graph, size_t run, int64_t id, const uint32_t *ids)
{
  int err;
  sc_study_counts counts;
  SC_GOTO(sc_study_values_begin(&counts, study->contexts.count));
  for (uint32_t i = 0; i < graph->tree.contexts.count; i++) {
    double count = sc_graph_value(graph, run, i, SC_METRIC_COUNT);
    if (!sc_study_values_valid(count)) {
      err = sc_err_set(SC_E_INTERNAL, "the count of context %u is %g", i, count);
      goto out;
    }
    counts.list[ids[i]] = count;
  }
  SC_GOTO(insert_costs(study, graph, run, id, ids, &counts));
  err = sc_study_values_save(study, id, &counts);
out:
  sc_study_values_end(&counts);
  return err;
}

static int insert_modules(sc_study *study, int64_t run, const sc_module *modules, size_t count)
{
  sqlite3_stmt *module = NULL, *link = NULL;
  int err;
  SC_GOTO(
      sc_study_sql_prepare(study, "INSERT OR IGNORE INTO module (path, build_id) VALUES (?1, ?2)", &module, what_save));
  SC_GOTO(sc_study_sql_prepare(study,
                               "INSERT OR IGNORE INTO run_module SELECT ?3, id FROM module"
                               " WHERE path = ?1 AND build_id = ?2",
                               &link, what_save));
  sqlite3_bind_int64(link, 3, run);
  for (size_t i = 0; i < count; i++) {
    sqlite3_stmt *const both[] = {module, link};
    for (size_t s = 0; s < 2; s++) {
      sqlite3_bind_text(both[s], 1, modules[i].path, -1, SQLITE_STATIC);
      sqlite3_bind_text(both[s], 2, modules[i].build_id, -1, SQLITE_STATIC);
      SC_GOTO(sc_study_sql_run(study, both[s], what_save));
    }
  }
out:
  sqlite3_finalize(module);
  sqlite3_finalize(link);
  return err;
}

int sc_study_save_run(sc_study *study, sc_graph *graph, size_t run, const sc_module *modules, size_t module_count)
{
  int err;
  int64_t id = 0;
  uint32_t *ids = NULL;
  if (run >= sc_graph_run_count(graph))
    return sc_err_set(SC_E_INTERNAL, "no such run (%zu)", run);
  SC_TRY(sc_study_sql_begin(study, what_save));
  SC_GOTO(insert_run(study, sc_graph_run_const(graph, run), &id));
  SC_GOTO(sc_study_mirror_save(study, graph, &ids));
  SC_GOTO(insert_values(study, graph, run, id, ids));
  SC_GOTO(sc_study_usage_save(study, graph, run, id, ids));
  SC_GOTO(insert_modules(study, id, modules, modules ? module_count : 0));
  SC_GOTO(sc_study_sums_save(study,
                             SC_STUDY_RUNS | SC_STUDY_MODULES | SC_STUDY_LOCATIONS | SC_STUDY_CONTEXTS |
                                 SC_STUDY_RESOURCES | SC_STUDY_DISCARDED,
                             id, what_save));
out:
  err = sc_study_sql_end(study, err, what_save);
  if (err >= 0)
    sc_graph_run(graph, run)->id = id;
  free(ids);
  return err;
}

int sc_study_save_failure(sc_study *study, const sc_run *run, const char *what)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_TRY(sc_study_sql_begin(study, what_save));
  SC_GOTO(sc_study_sql_prepare(
      study, "INSERT INTO failure VALUES (NULL,?1,?2,?3,?4,?5,strftime('%Y-%m-%dT%H:%M:%SZ','now'),?6,?7)", &row,
      what_save));
  sqlite3_bind_double(row, 1, run->n);
  sqlite3_bind_text(row, 2, sc_study_roles[run->role], -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, 3, run->repeat);
  sqlite3_bind_double(row, 4, run->wall_seconds);
  sqlite3_bind_text(row, 5, what, -1, SQLITE_STATIC);
  bind_others(row, 6, run);
  SC_GOTO(sc_study_sql_run(study, row, what_save));
  err = sc_study_sums_save(study, SC_STUDY_FAILURES, 0, what_save);
out:
  sqlite3_finalize(row);
  return sc_study_sql_end(study, err, what_save);
}

int sc_study_modules(sc_study *study, sc_study_module_fn visit, void *user)
{
  static const char what[] = "read the study's modules";
  sqlite3_stmt *rows = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "SELECT path, build_id FROM module ORDER BY id", &rows, what));
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what));
    if (err == 0)
      break;
    sc_module module = {.path = sc_study_sql_text(rows, 0)};
    snprintf(module.build_id, sizeof module.build_id, "%s", sc_study_sql_text(rows, 1));
    SC_GOTO(visit(user, &module));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

int sc_study_failures(sc_study *study, sc_study_failure_fn visit, void *user)
{
  static const char what[] = "read the study's failed runs";
  sqlite3_stmt *rows = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(
      study, "SELECT n, what FROM failure WHERE role IN ('training', 'validation') ORDER BY n, id", &rows, what));
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what));
    if (err == 0)
      break;
    SC_GOTO(visit(user, sqlite3_column_double(rows, 0), sc_study_sql_text(rows, 1)));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run did to resources, into the file. */
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/study/internal.h"

static const char what[] = "save the run";

/* The numbers of a run's, a graph's and the file's things. */
struct save {
  sc_study *study;
  const sc_graph *graph;
  size_t run;
  int64_t id;
  const uint32_t *contexts; /* the file's */
  uint32_t *resources;
};

/* A JSON array without the zeros at its end; of nothing: NULL. */
static int bind_buckets(sqlite3_stmt *row, int column, const double *buckets)
{
  sc_buf text = {0};
  int count = SC_USAGE_BUCKETS;
  while (count && buckets[count - 1] == 0)
    count--;
  if (!count) {
    sqlite3_bind_null(row, column);
    return 0;
  }
  for (int i = 0; i < count; i++)
    sc_buf_printf(&text, "%c%.17g", i ? ',' : '[', buckets[i]);
  sc_buf_puts(&text, "]");
  SC_TRY(sc_buf_finish(&text));
  sqlite3_bind_text(row, column, text.text, (int)text.length, SQLITE_TRANSIENT);
  sc_buf_free(&text);
  return 0;
}

static int bind_usage(const struct save *save, sqlite3_stmt *row, const sc_usage *usage)
{
  int column = 3;
  sqlite3_bind_int64(row, column++, save->contexts[usage->context]);
  sqlite3_bind_int64(row, column++, save->resources[usage->resource]);
  sqlite3_bind_text(row, column++, usage->via, -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, column++, usage->line);
  sqlite3_bind_int(row, column++, usage->shared);
  sqlite3_bind_text(row, column++, sc_usage_event_name(usage->event), -1, SQLITE_STATIC);
  for (int i = 0; i < SC_USAGE_VALUES; i++) {
    if (!sc_study_values_valid(usage->values[i]))
      return sc_err_set(SC_E_INTERNAL, "value %d of what context %u did by %s is %g", i, usage->context, usage->via,
                        usage->values[i]);
    sqlite3_bind_double(row, column++, usage->values[i]);
  }
  sqlite3_bind_int64(row, column + 1, usage->column);
  sqlite3_bind_double(row, column + 2, usage->kept_by_one);
  return bind_buckets(row, column, usage->buckets);
}

static int save_rows(const struct save *save)
{
  sqlite3_stmt *row = NULL;
  size_t count;
  const sc_usage *usages = sc_usage_rows(save->graph, save->run, &count);
  int err;
  SC_GOTO(sc_study_sql_prepare(save->study,
                               "INSERT INTO usage VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,"
                               "?18,?19,?20,?21,?22,?23,?24,?25,?26,?27)",
                               &row, what));
  sqlite3_bind_int64(row, 1, save->id);
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_int64(row, 2, (int64_t)i);
    SC_GOTO(bind_usage(save, row, &usages[i]));
    SC_GOTO(sc_study_sql_run(save->study, row, what));
  }
out:
  sqlite3_finalize(row);
  return err;
}

static int save_pairs(const struct save *save)
{
  sqlite3_stmt *row = NULL;
  size_t count;
  const sc_wait_pair *pairs = sc_usage_pairs(save->graph, save->run, &count);
  int err;
  SC_GOTO(sc_study_sql_prepare(save->study, "INSERT INTO wait_pair VALUES (?1,?2,?3,?4,?5)", &row, what));
  sqlite3_bind_int64(row, 1, save->id);
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_int64(row, 2, pairs[i].waiter);
    if (pairs[i].holder == SC_USAGE_NONE)
      sqlite3_bind_null(row, 3);
    else
      sqlite3_bind_int64(row, 3, pairs[i].holder);
    sqlite3_bind_double(row, 4, pairs[i].waits);
    sqlite3_bind_double(row, 5, pairs[i].seconds);
    SC_GOTO(sc_study_sql_run(save->study, row, what));
  }
out:
  sqlite3_finalize(row);
  return err;
}

static int save_occupancies(const struct save *save)
{
  sqlite3_stmt *row = NULL;
  size_t count;
  const sc_occupancy *all = sc_usage_occupancies(save->graph, save->run, &count);
  int err;
  SC_GOTO(sc_study_sql_prepare(save->study, "INSERT INTO occupancy VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)", &row,
                               what));
  sqlite3_bind_int64(row, 1, save->id);
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_int64(row, 2, save->resources[all[i].resource]);
    sqlite3_bind_double(row, 3, all[i].instances);
    sqlite3_bind_double(row, 4, all[i].threads);
    sqlite3_bind_double(row, 5, all[i].active_seconds);
    sqlite3_bind_double(row, 6, all[i].span_seconds);
    sqlite3_bind_double(row, 7, all[i].peak);
    sqlite3_bind_double(row, 8, all[i].busiest_seconds);
    sqlite3_bind_double(row, 9, all[i].hot);
    sqlite3_bind_double(row, 10, all[i].hot_seconds);
    sqlite3_bind_double(row, 11, all[i].loaded_seconds);
    SC_GOTO(sc_study_sql_run(save->study, row, what));
  }
out:
  sqlite3_finalize(row);
  return err;
}

static int save_discarded(const struct save *save)
{
  sqlite3_stmt *row = NULL;
  size_t count;
  const sc_discarded_event *all = sc_usage_discarded(save->graph, &count);
  int err;
  SC_GOTO(sc_study_sql_prepare(save->study, "INSERT OR IGNORE INTO discarded VALUES (?1,?2,?3)", &row, what));
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_text(row, 1, all[i].via, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 2, all[i].resource, -1, SQLITE_STATIC);
    sqlite3_bind_text(row, 3, all[i].why, -1, SQLITE_STATIC);
    SC_GOTO(sc_study_sql_run(save->study, row, what));
  }
out:
  sqlite3_finalize(row);
  return err;
}

int sc_study_usage_save(sc_study *study, const sc_graph *graph, size_t run, int64_t id, const uint32_t *contexts)
{
  int err;
  struct save save = {.study = study, .graph = graph, .run = run, .id = id, .contexts = contexts};
  SC_GOTO(sc_study_resources_save(study, graph, &save.resources));
  SC_GOTO(save_rows(&save));
  SC_GOTO(save_pairs(&save));
  SC_GOTO(save_occupancies(&save));
  SC_GOTO(save_discarded(&save));
out:
  free(save.resources);
  return err;
}

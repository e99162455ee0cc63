/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs did to resources, out of the file. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/study/internal.h"

static const char what[] = "read the study";

static int load_resource(void *user, const sc_resource *resource)
{
  sc_study_usage_loader *load = user;
  SC_TRY(sc_mem_grow(&load->resources, &load->resource_capacity, load->resource_count + 1, sizeof *load->resources));
  return sc_usage_resource(load->graph, resource, &load->resources[load->resource_count++]);
}

static int load_discarded(sc_study_usage_loader *load)
{
  sqlite3_stmt *rows = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(load->study, "SELECT via, resource, why FROM discarded ORDER BY rowid", &rows, what));
  for (;;) {
    SC_GOTO(sc_study_sql_step(load->study, rows, what));
    if (err == 0)
      break;
    sc_discarded_event event = {sc_study_sql_text(rows, 0), sc_study_sql_text(rows, 1), sc_study_sql_text(rows, 2)};
    SC_GOTO(sc_usage_add_discarded(load->graph, &event));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

/* Runs of an earlier version have no columns, and what was measured later is to match them. */
static int find_usage_columns(sc_study_usage_loader *load)
{
  int64_t without = 1;
  if (load->study->version >= SC_STUDY_PLACES_SINCE)
    SC_TRY(sc_study_sql_number(load->study,
                               "SELECT count(*) FROM (SELECT run FROM usage WHERE line <> 0 GROUP BY run"
                               " HAVING max(col) = 0)",
                               &without, what));
  load->columns = !without;
  return 0;
}

int sc_study_usage_begin(sc_study_usage_loader *load)
{
  SC_TRY(sc_study_resources_read(load->study, load_resource, load));
  SC_TRY(load_discarded(load));
  SC_TRY(find_usage_columns(load));
  SC_TRY(sc_study_sql_prepare(load->study, "SELECT * FROM usage WHERE run = ?1 ORDER BY number", &load->rows, what));
  SC_TRY(sc_study_sql_prepare(load->study,
                              "SELECT waiter, holder, waits, seconds FROM wait_pair WHERE run = ?1 ORDER BY rowid",
                              &load->pairs, what));
  const char *occupancies =
      load->study->version >= SC_STUDY_LOADED_SINCE ? "SELECT resource, instances, threads, active_seconds, "
                                                      "span_seconds, peak, busiest_seconds, hot, hot_seconds,"
                                                      " loaded_seconds FROM occupancy WHERE run = ?1 ORDER BY rowid"
      : load->study->version >= SC_STUDY_HOT_SINCE  ? "SELECT resource, instances, threads, active_seconds, "
                                                      "span_seconds, peak, busiest_seconds, hot, hot_seconds,"
                                                      " 0 FROM occupancy WHERE run = ?1 ORDER BY rowid"
      : load->study->version >= SC_STUDY_PLACES_SINCE
          ? "SELECT resource, instances, threads, active_seconds, span_seconds, peak, 0, 0, 0, 0 FROM occupancy"
            " WHERE run = ?1 ORDER BY rowid"
          : "SELECT resource, instances, threads, active_seconds, span_seconds, 0, 0, 0, 0, 0 FROM occupancy"
            " WHERE run = ?1 ORDER BY rowid";
  return sc_study_sql_prepare(load->study, occupancies, &load->occupancies, what);
}

void sc_study_usage_end(sc_study_usage_loader *load)
{
  sqlite3_finalize(load->rows);
  sqlite3_finalize(load->pairs);
  sqlite3_finalize(load->occupancies);
  free(load->resources);
  free(load->numbers);
}

/* A column's number, which the list of `count` has; NULL: the numbers themselves. */
static int find_number(const sc_study_usage_loader *load, sqlite3_stmt *row, int column, const uint32_t *list,
                       size_t count, uint32_t *number)
{
  int64_t id = sqlite3_column_int64(row, column);
  if (id < 0 || (uint64_t)id >= count)
    return sc_study_sql_damaged(load->study, "a use of a resource names something that is not there");
  *number = list ? list[id] : (uint32_t)id;
  return 0;
}

static int usage_value(const sc_study_usage_loader *load, sqlite3_stmt *row, int column, double *out)
{
  int type = sqlite3_column_type(row, column); /* text would be 0 */
  *out = sqlite3_column_double(row, column);
  if ((type == SQLITE_FLOAT || type == SQLITE_INTEGER) && sc_study_values_valid(*out))
    return 0;
  return sc_study_sql_damaged(load->study, "a use of a resource is not a number");
}

static int load_row(sc_study_usage_loader *load, size_t run, sqlite3_stmt *row, uint32_t *number)
{
  sc_usage usage = {.via = sc_study_sql_text(row, 4),
                    .line = (uint32_t)sqlite3_column_int64(row, 5),
                    .shared = sqlite3_column_int(row, 6) != 0};
  const char *event = sc_study_sql_text(row, 7);
  int column = 8;
  SC_TRY(find_number(load, row, 2, NULL, load->graph->tree.contexts.count, &usage.context));
  SC_TRY(find_number(load, row, 3, load->resources, load->resource_count, &usage.resource));
  for (int i = SC_USAGE_EVENT_ACQUIRE; i <= SC_USAGE_EVENT_RESIZE; i++)
    if (strcmp(sc_usage_event_name((enum sc_usage_event)i), event) == 0)
      usage.event = (enum sc_usage_event)i;
  if (!usage.event)
    return sc_study_sql_damaged(load->study, "a use of a resource is no event");
  for (int i = 0; i < SC_USAGE_VALUES; i++)
    SC_TRY(usage_value(load, row, column++, &usage.values[i]));
  if (sqlite3_column_type(row, column) != SQLITE_NULL)
    SC_TRY(sc_study_values_read(load->study, sc_study_sql_text(row, column), usage.buckets, SC_USAGE_BUCKETS));
  if (load->columns)
    usage.column = (uint32_t)sqlite3_column_int64(row, column + 1);
  if (load->study->version >= SC_STUDY_KEPT_SINCE)
    SC_TRY(usage_value(load, row, column + 2, &usage.kept_by_one));
  *number = SC_USAGE_NONE;
  if (sc_usage_is_discarded(load->graph, usage.via, sc_usage_resource_at(load->graph, usage.resource)->name))
    return 0;
  return sc_usage_add(load->graph, run, &usage, number);
}

static int load_usage_rows(sc_study_usage_loader *load, size_t run)
{
  load->number_count = 0;
  for (;;) {
    int err = sc_study_sql_step(load->study, load->rows, what);
    if (err <= 0)
      return err;
    if (sqlite3_column_int64(load->rows, 1) != (int64_t)load->number_count)
      return sc_study_sql_damaged(load->study, "uses of resources are missing");
    SC_TRY(sc_mem_grow(&load->numbers, &load->number_capacity, load->number_count + 1, sizeof *load->numbers));
    SC_TRY(load_row(load, run, load->rows, &load->numbers[load->number_count++]));
  }
}

/* Waits of what was discarded are left out; a holder that was discarded is an unknown one. */
static int load_pairs(sc_study_usage_loader *load, size_t run)
{
  for (;;) {
    sc_wait_pair pair = {.holder = SC_USAGE_NONE};
    int err = sc_study_sql_step(load->study, load->pairs, what);
    if (err <= 0)
      return err;
    SC_TRY(find_number(load, load->pairs, 0, load->numbers, load->number_count, &pair.waiter));
    if (sqlite3_column_type(load->pairs, 1) != SQLITE_NULL)
      SC_TRY(find_number(load, load->pairs, 1, load->numbers, load->number_count, &pair.holder));
    SC_TRY(usage_value(load, load->pairs, 2, &pair.waits));
    SC_TRY(usage_value(load, load->pairs, 3, &pair.seconds));
    if (pair.waiter != SC_USAGE_NONE)
      SC_TRY(sc_usage_add_pair(load->graph, run, &pair));
  }
}

static int load_occupancies(sc_study_usage_loader *load, size_t run)
{
  for (;;) {
    sc_occupancy occupancy;
    sqlite3_stmt *row = load->occupancies;
    int err = sc_study_sql_step(load->study, row, what);
    if (err <= 0)
      return err;
    SC_TRY(find_number(load, row, 0, load->resources, load->resource_count, &occupancy.resource));
    SC_TRY(usage_value(load, row, 1, &occupancy.instances));
    SC_TRY(usage_value(load, row, 2, &occupancy.threads));
    SC_TRY(usage_value(load, row, 3, &occupancy.active_seconds));
    SC_TRY(usage_value(load, row, 4, &occupancy.span_seconds));
    SC_TRY(usage_value(load, row, 5, &occupancy.peak));
    SC_TRY(usage_value(load, row, 6, &occupancy.busiest_seconds));
    SC_TRY(usage_value(load, row, 7, &occupancy.hot));
    SC_TRY(usage_value(load, row, 8, &occupancy.hot_seconds));
    SC_TRY(usage_value(load, row, 9, &occupancy.loaded_seconds));
    SC_TRY(sc_usage_add_occupancy(load->graph, run, &occupancy));
  }
}

int sc_study_usage_run(sc_study_usage_loader *load, int64_t id, size_t run)
{
  sqlite3_stmt *const statements[] = {load->rows, load->pairs, load->occupancies};
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
    sqlite3_reset(statements[i]);
    sqlite3_bind_int64(statements[i], 1, id);
  }
  SC_TRY(load_usage_rows(load, run));
  SC_TRY(load_pairs(load, run));
  return load_occupancies(load, run);
}

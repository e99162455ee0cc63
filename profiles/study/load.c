/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the runs of a study into a graph. */
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/study/internal.h"

enum { ALL_ROLES = ~0 };
#define NOT_WANTED SIZE_MAX

static const char what_load[] = "read the study";

/* Contexts have the graph's numbers in the file, too; locations have these. */
struct load {
  sc_study *study;
  sc_graph *graph;
  uint32_t *locations;
  size_t location_count, location_capacity;
  uint32_t context_count;
  unsigned roles; /* wanted */
  struct run {
    int64_t id;
    size_t number; /* in the graph, or NOT_WANTED */
  } * runs;        /* of the file, by id */
  size_t run_count, run_capacity;
};

static int load_location(void *user, const sc_location *location)
{
  struct load *load = user;
  SC_TRY(sc_mem_grow(&load->locations, &load->location_capacity, load->location_count + 1, sizeof *load->locations));
  return sc_graph_location(load->graph, location, &load->locations[load->location_count++]);
}

static int load_context(void *user, const sc_context *read)
{
  struct load *load = user;
  uint32_t number = 0;
  if (read->location >= load->location_count)
    return sc_study_sql_damaged(load->study, "a context has no location");
  if (load->context_count++ == 0) /* the root */
    return 0;
  SC_TRY(sc_graph_append_context(load->graph, read->parent, load->locations[read->location], &number));
  sc_graph_note_call(load->graph, number, read->call);
  return 0;
}

static int load_run(struct load *load, sqlite3_stmt *row)
{
  sc_run run;
  size_t number = NOT_WANTED;
  SC_TRY(sc_study_runs_column(load->study, row, &run));
  if (load->roles >> run.role & 1)
    SC_TRY(sc_graph_begin_run(load->graph, &run, &number));
  SC_TRY(sc_mem_grow(&load->runs, &load->run_capacity, load->run_count + 1, sizeof *load->runs));
  load->runs[load->run_count++] = (struct run){run.id, number};
  return 0;
}

static int load_runs(struct load *load)
{
  sqlite3_stmt *rows = NULL;
  int err;
  SC_GOTO(sc_study_runs_select(load->study, &rows, what_load));
  for (;;) {
    SC_GOTO(sc_study_sql_step(load->study, rows, what_load));
    if (err == 0)
      break;
    SC_GOTO(load_run(load, rows));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

/* A row of a run's values, which come by run id as the runs do, so that both go side by side. */
struct row {
  struct load *load;
  size_t run;
  int64_t context;
};

static int find_context(const struct row *row, uint32_t *context)
{
  if (row->context < 0 || row->context >= row->load->context_count)
    return sc_study_sql_damaged(row->load->study, "a value has no context");
  *context = (uint32_t)row->context;
  return 0;
}

static int load_value(const struct row *row, enum sc_metric metric, double value)
{
  const struct load *load = row->load;
  uint32_t context = 0;
  SC_TRY(find_context(row, &context));
  if (!sc_study_values_valid(value))
    return sc_study_sql_damaged(load->study, "a value is not a count");
  return sc_graph_add(load->graph, row->run, context, metric, value);
}

static int load_counts(struct row *row, sqlite3_stmt *rows)
{
  uint32_t first = 0;
  double *counts;
  SC_TRY(find_context(row, &first));
  SC_TRY(sc_graph_values(row->load->graph, row->run, SC_METRIC_COUNT, &counts));
  return sc_study_values_read(row->load->study, sc_study_sql_text(rows, 2), counts + first,
                              row->load->context_count - first);
}

static int load_costs(struct row *row, sqlite3_stmt *rows)
{
  SC_TRY(load_value(row, SC_METRIC_COST, sqlite3_column_double(rows, 2)));
  return load_value(row, SC_METRIC_DEPTH, sqlite3_column_double(rows, 3));
}

/* As version 1 had them. */
static int load_all(struct row *row, sqlite3_stmt *rows)
{
  SC_TRY(load_value(row, SC_METRIC_COUNT, sqlite3_column_double(rows, 4)));
  return load_costs(row, rows);
}

/* `sql`: run, context, and what `visit` takes, in this order. */
static int load_study_rows(struct load *load, const char *sql, int (*visit)(struct row *, sqlite3_stmt *))
{
  sqlite3_stmt *rows = NULL;
  int err;
  size_t run = 0;
  SC_GOTO(sc_study_sql_prepare(load->study, sql, &rows, what_load));
  for (;;) {
    SC_GOTO(sc_study_sql_step(load->study, rows, what_load));
    if (err == 0)
      break;
    int64_t id = sqlite3_column_int64(rows, 0);
    while (run < load->run_count && load->runs[run].id < id)
      run++;
    if (run == load->run_count || load->runs[run].id != id) {
      err = sc_study_sql_damaged(load->study, "a value has no run");
      goto out;
    }
    struct row row = {load, load->runs[run].number, sqlite3_column_int64(rows, 1)};
    if (row.run != NOT_WANTED)
      SC_GOTO(visit(&row, rows));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

static int load_values(struct load *load)
{
  if (load->study->version == 1)
    return load_study_rows(load, "SELECT run, context, cost, depth, count FROM value ORDER BY run, context", load_all);
  SC_TRY(load_study_rows(load, "SELECT run, first, numbers FROM counts ORDER BY run, first", load_counts));
  return load_study_rows(load, "SELECT run, context, cost, depth FROM costs ORDER BY run, context", load_costs);
}

static int load_usages(const struct load *load)
{
  sc_study_usage_loader loader = {.study = load->study, .graph = load->graph};
  int err = sc_study_usage_begin(&loader);
  for (size_t i = 0; err >= 0 && i < load->run_count; i++)
    if (load->runs[i].number != NOT_WANTED)
      err = sc_study_usage_run(&loader, load->runs[i].id, load->runs[i].number);
  sc_study_usage_end(&loader);
  return err;
}

static int check_wanted(const struct load *load)
{
  for (size_t i = 0; i < load->run_count; i++)
    if (load->runs[i].number != NOT_WANTED)
      SC_TRY(sc_study_sums_check_run(load->study, load->runs[i].id));
  return 0;
}

static int load_contents(struct load *load)
{
  bool twice;
  SC_TRY(sc_study_sums_check(load->study, SC_STUDY_READ_PARTS & ~SC_STUDY_VALUE_PARTS));
  SC_TRY(load_runs(load));
  if (load->roles != (unsigned)ALL_ROLES && sc_graph_run_count(load->graph) == 0)
    return 0;
  if (load->roles == 1u << SC_RUN_PLAIN) /* which have no values */
    return check_wanted(load);
  SC_TRY(sc_study_sums_check(load->study, SC_STUDY_VALUE_PARTS));
  SC_TRY(check_wanted(load));
  SC_TRY(sc_study_mirror_read(load->study, load_location, load_context, load));
  SC_TRY(sc_graph_check_contexts(load->graph, &twice));
  if (twice)
    return sc_study_sql_damaged(load->study, "it has a context twice");
  SC_TRY(load_values(load));
  SC_TRY(sc_graph_pack(load->graph));
  return load->study->version < 3 ? 0 : load_usages(load);
}

int sc_study_load_roles(sc_study *study, unsigned roles, sc_graph *graph)
{
  struct load load = {.study = study, .graph = graph, .roles = roles};
  SC_TRY(sc_study_sql_read(study, what_load));
  int err = load_contents(&load);
  free(load.locations);
  free(load.runs);
  sc_study_sql_leave(study);
  return err;
}

int sc_study_load(sc_study *study, sc_graph *graph) { return sc_study_load_roles(study, (unsigned)ALL_ROLES, graph); }

int sc_study_run_count(sc_study *study, size_t *count)
{
  int64_t number;
  SC_TRY(sc_study_sql_number(study, "SELECT count(*) FROM run", &number, what_load));
  *count = (size_t)number;
  return 0;
}

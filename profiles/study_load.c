/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/study_internal.h"

static const char what_load[] = "read the study";

/* The graph's numbers of the file's locations and contexts. */
struct load {
  sc_study *study;
  sc_graph *graph;
  uint32_t *locations, *contexts;
  size_t location_count, location_capacity, context_count, context_capacity;
};

static int load_location(void *user, const sc_location *location)
{
  struct load *load = user;
  SC_TRY(sc_mem_grow(&load->locations, &load->location_capacity, load->location_count + 1, sizeof *load->locations));
  return sc_graph_location(load->graph, location, &load->locations[load->location_count++]);
}

static int load_context(void *user, uint32_t parent, uint32_t location)
{
  struct load *load = user;
  SC_TRY(sc_mem_grow(&load->contexts, &load->context_capacity, load->context_count + 1, sizeof *load->contexts));
  if (location >= load->location_count)
    return sc_study_sql_damaged(load->study, "a context has no location");
  uint32_t *fresh = &load->contexts[load->context_count++];
  *fresh = 0;
  if (load->context_count == 1) /* the root */
    return 0;
  return sc_graph_context(load->graph, load->contexts[parent], load->locations[location], fresh);
}

static int load_runs(struct load *load, size_t *first)
{
  sqlite3_stmt *rows = NULL;
  int err;
  *first = sc_graph_run_count(load->graph);
  SC_GOTO(sc_study_sql_prepare(
      load->study,
      "SELECT id, n, role, repeat, wall_seconds, user_seconds, system_seconds, max_rss_kib, processes, threads, nodes,"
      " truncated_nodes, lost_bytes, lost_records, samples, samples_unmatched, samples_lost, cost_event, build"
      " FROM run ORDER BY id",
      &rows, what_load));
  for (;;) {
    sc_run run;
    size_t index;
    SC_GOTO(sc_study_sql_step(load->study, rows, what_load));
    if (err == 0)
      break;
    SC_GOTO(sc_study_runs_column(load->study, rows, &run));
    SC_GOTO(sc_graph_begin_run(load->graph, &run, &index));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

static int load_value(struct load *load, size_t run, sqlite3_stmt *row)
{
  int64_t context = sqlite3_column_int64(row, 1);
  if (context < 0 || (size_t)context >= load->context_count)
    return sc_study_sql_damaged(load->study, "a value has no context");
  for (int metric = 0; metric < SC_METRIC_COUNT_OF_METRICS; metric++) {
    double value = sqlite3_column_double(row, 2 + metric);
    if (!isfinite(value) || value < 0)
      return sc_study_sql_damaged(load->study, "a value is no count");
    SC_TRY(sc_graph_add(load->graph, run, load->contexts[context], (enum sc_metric)metric, value));
  }
  return 0;
}

/* Both runs and values come by run id, so they go side by side. */
static int load_values(struct load *load, size_t run)
{
  sqlite3_stmt *rows = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(load->study, "SELECT run, context, count, cost, depth FROM value ORDER BY run, context",
                               &rows, what_load));
  for (;;) {
    SC_GOTO(sc_study_sql_step(load->study, rows, what_load));
    if (err == 0)
      break;
    int64_t id = sqlite3_column_int64(rows, 0);
    while (run < sc_graph_run_count(load->graph) && sc_graph_run_const(load->graph, run)->id < id)
      run++;
    if (run == sc_graph_run_count(load->graph) || sc_graph_run_const(load->graph, run)->id != id) {
      err = sc_study_sql_damaged(load->study, "a value has no run");
      goto out;
    }
    SC_GOTO(load_value(load, run, rows));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

int sc_study_load(sc_study *study, sc_graph *graph)
{
  int err;
  size_t first = 0;
  struct load load = {.study = study, .graph = graph};
  SC_TRY(sc_study_sql_exec(study, "BEGIN", what_load)); /* one state of the file, whoever writes meanwhile */
  SC_GOTO(sc_study_mirror_read(study, load_location, load_context, &load));
  SC_GOTO(load_runs(&load, &first));
  SC_GOTO(load_values(&load, first));
out:
  free(load.locations);
  free(load.contexts);
  (void)sqlite3_exec(study->db, "ROLLBACK", NULL, NULL, NULL); /* nothing was written */
  return err;
}

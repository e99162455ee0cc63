/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Studies that are made, changed by hand and read again. Include unit.h before. */
#include <sqlite3.h>

#include "profiles/study/internal.h"
#include "temporary.h"

static inline sc_study *study_open(const char *path, enum sc_study_mode mode)
{
  sc_study *study = NULL;
  unit_ok(sc_study_open(path, mode, &study));
  return study;
}

static inline sc_graph *study_graph(sc_study *study)
{
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  unit_ok(sc_study_load(study, graph));
  return graph;
}

static inline sc_graph *study_load(const char *path)
{
  sc_study *study = study_open(path, SC_STUDY_READ);
  sc_graph *graph = study_graph(study);
  sc_study_close(study);
  return graph;
}

/* A study that does not hold together: damage is found when it is loaded. */
static inline void study_expect_damage(const char *path, const char *what)
{
  sc_graph *graph;
  sc_study *study = study_open(path, SC_STUDY_READ);
  assert_int_equal(sc_graph_new(&graph), 0);
  if (sc_study_load(study, graph) != SC_E_DAMAGED)
    fail_msg("not found: %s", what);
  sc_study_close(study);
  sc_graph_free(graph);
}

/* With new checksums, where the study's version has them: what checks find behind them is tested. */
static inline void study_change(const char *path, const char *sql)
{
  struct sc_study study = {.path = (char *)path};
  assert_int_equal(sqlite3_open(path, &study.db), SQLITE_OK);
  if (sqlite3_exec(study.db, sql, NULL, NULL, NULL) != SQLITE_OK)
    fail_msg("%s: %s", sql, sqlite3_errmsg(study.db));
  int64_t version;
  assert_int_equal(sc_study_sql_number(&study, "PRAGMA user_version", &version, "read the version"), 0);
  study.version = (int)version;
  if (sqlite3_exec(study.db, "SELECT 1 FROM checksum", NULL, NULL, NULL) == SQLITE_OK)
    (void)!sc_study_sums_seal(&study); /* fails where tables were dropped */
  sqlite3_close(study.db);
}

static inline uint32_t study_context(sc_graph *graph, uint32_t parent, const sc_location *location)
{
  uint32_t number, made;
  assert_int_equal(sc_graph_location(graph, location, &number), 0);
  assert_int_equal(sc_graph_context(graph, parent, number, &made), 0);
  return made;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Version 1 had a row for each value of each run; version 2 had no resources, version 3 no further parameters,
 * version 4 no lost processes, version 5 no checksums, version 6 no parts of the elapsed time, version 7 no lines of
 * calls, version 8 no headers of -isystem, version 9 one row for all calls of a function from a context,
 * version 10 none of the classes of what calls of the system wait for, version 11 no busiest instances of locks,
 * version 12 nothing of what one process kept, version 13 a row for each context. */
#include "profiles/study/internal.h"

static const char what[] = "bring the study up to date";

static int convert_run(sc_study *study, sqlite3_stmt *rows, int64_t run, sc_study_counts *counts)
{
  int err;
  sqlite3_reset(rows);
  sqlite3_bind_int64(rows, 1, run);
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what));
    if (err == 0)
      break;
    int64_t context = sqlite3_column_int64(rows, 0);
    double count = sqlite3_column_double(rows, 1);
    if (context < 0 || (uint64_t)context >= counts->length || !sc_study_values_valid(count))
      return sc_study_sql_damaged(study, "a value has no context or is not a count");
    counts->list[context] = count;
    if (sqlite3_column_int(rows, 2))
      sc_study_values_keep(counts, (size_t)context);
  }
  err = sc_study_values_save(study, run, counts);
out:
  return err;
}

static int convert_study(sc_study *study)
{
  sqlite3_stmt *runs = NULL, *rows = NULL;
  int64_t contexts;
  int err;
  SC_GOTO(sc_study_sql_number(study, "SELECT count(*) FROM context", &contexts, what));
  SC_GOTO(sc_study_sql_prepare(study, "SELECT DISTINCT run FROM old ORDER BY run", &runs, what));
  SC_GOTO(sc_study_sql_prepare(study, "SELECT context, count, cost <> 0 OR depth <> 0 FROM old WHERE run = ?1", &rows,
                               what));
  for (;;) {
    sc_study_counts counts;
    SC_GOTO(sc_study_sql_step(study, runs, what));
    if (err == 0)
      break;
    err = sc_study_values_begin(&counts, (size_t)contexts);
    err = err ?: convert_run(study, rows, sqlite3_column_int64(runs, 0), &counts);
    sc_study_values_end(&counts);
    if (err < 0)
      goto out;
  }
out:
  sqlite3_finalize(runs);
  sqlite3_finalize(rows);
  return err;
}

static int upgrade_values(sc_study *study)
{
  SC_TRY(sc_study_sql_exec(study, "DROP VIEW series; ALTER TABLE value RENAME TO old", what));
  SC_TRY(sc_study_sql_exec(study, sc_study_schema_values, what));
  SC_TRY(sc_study_sql_exec(
      study, "INSERT INTO costs SELECT run, context, cost, depth FROM old WHERE cost <> 0 OR depth <> 0", what));
  SC_TRY(convert_study(study));
  return sc_study_sql_exec(study, "DROP TABLE old", what);
}

int sc_study_upgrade(sc_study *study)
{
  int err, before = study->version;
  int64_t version;
  SC_TRY(sc_study_sql_begin(study, what));
  SC_GOTO(sc_study_sql_number(study, "PRAGMA user_version", &version, what)); /* somebody may have been faster */
  if (version == 1)
    SC_GOTO(upgrade_values(study));
  if (version <= 2)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_usage, what));
  if (version <= 3)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_others, what));
  if (version <= 4)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_losses, what));
  if (version <= 5)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_sums, what));
  if (version >= SC_STUDY_SUMS_SINCE && version < SC_STUDY_VERSION)
    SC_GOTO(sc_study_sums_check_all(study));
  if (version <= 6)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_waits, what));
  if (version <= 7)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_calls, what));
  if (version <= 8)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_system, what));
  if (version <= 9)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_places, what));
  if (version <= 11)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_hot, what));
  if (version <= 12)
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_kept, what));
  if (version <= 13)
    SC_GOTO(sc_study_contexts_block(study));
  if (version < SC_STUDY_LOADED_SINCE) {
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_loaded, what));
    study->version = SC_STUDY_VERSION; /* whose checksums they are */
    SC_GOTO(sc_study_sums_seal(study));
  }
  SC_GOTO(sc_study_sql_exec(study, "PRAGMA user_version = 15", what));
out:
  err = sc_study_sql_end(study, err, what);
  study->version = err < 0 ? before : SC_STUDY_VERSION;
  return err;
}

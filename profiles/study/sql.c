/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of SQLite with our errors and hints. */
#include <errno.h>
#include <string.h>

#include "profiles/study/internal.h"

const char *const sc_study_roles[] = {
    [SC_RUN_TRAINING] = "training", [SC_RUN_VALIDATION] = "validation",       [SC_RUN_TARGET] = "target",
    [SC_RUN_VARIED] = "varied",     [SC_RUN_VARIED_TARGET] = "varied target", [SC_RUN_PLAIN] = "plain"};
const char *const sc_study_metrics[] = {"count", "cost", "depth"};
const char *const sc_study_kinds[SC_STUDY_KINDS] = {"root",    "process",   "function", "loop",
                                                    "foreign", "truncated", "work"};

int sc_study_word(const char *const *words, size_t count, const char *word)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(words[i], word) == 0)
      return (int)i;
  return -1;
}

static bool no_space(const sc_study *study, int result)
{
  int number = (result & 0xff) == SQLITE_IOERR && study->db ? sqlite3_system_errno(study->db) : 0;
  return (result & 0xff) == SQLITE_FULL || number == ENOSPC || number == EDQUOT || number == EFBIG;
}

int sc_study_sql_error(const sc_study *study, int result, const char *what)
{
  bool known = study->db && sqlite3_errcode(study->db) != SQLITE_OK;
  const char *detail = known ? sqlite3_errmsg(study->db) : sqlite3_errstr(result);
  int err;
  if (no_space(study, result)) {
    err = sc_err_set(SC_E_NOSPACE, "cannot %s: no space is left for the study %s", what, study->path);
    return sc_err_hint(err, "free some space and run again: finished runs are kept");
  }
  switch (result & 0xff) {
  case SQLITE_NOMEM:
    return sc_err_set(SC_E_NOMEM, "cannot %s: out of memory", what);
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    err = sc_err_set(SC_E_IO, "cannot %s: the study %s is in use by another process", what, study->path);
    return sc_err_hint(err, "wait until it is done, or name another study");
  case SQLITE_NOTADB:
    err = sc_err_set(SC_E_DAMAGED, "cannot %s: %s is not a study", what, study->path);
    return sc_err_hint(err, "name another file; `scale-run run` creates a study");
  case SQLITE_CANTOPEN:
  case SQLITE_READONLY:
  case SQLITE_PERM:
  case SQLITE_IOERR:
    err = sc_err_set(SC_E_IO, "cannot %s: study %s: %s", what, study->path, detail);
    return sc_err_hint(err, "check that the file and its folder exist and may be written by you");
  default:
    return sc_study_sql_damaged(study, detail);
  }
}

int sc_study_sql_damaged(const sc_study *study, const char *what)
{
  int err = sc_err_set(SC_E_DAMAGED, "the study %s is damaged: %s", study->path, what);
  return sc_err_hint(err, "move the file away and measure again, or restore a copy of it");
}

int sc_study_sql_exec(sc_study *study, const char *sql, const char *what)
{
  int result = sqlite3_exec(study->db, sql, NULL, NULL, NULL);
  return result == SQLITE_OK ? 0 : sc_study_sql_error(study, result, what);
}

int sc_study_sql_prepare(sc_study *study, const char *sql, sqlite3_stmt **statement, const char *what)
{
  int result = sqlite3_prepare_v2(study->db, sql, -1, statement, NULL);
  return result == SQLITE_OK ? 0 : sc_study_sql_error(study, result, what);
}

int sc_study_sql_step(sc_study *study, sqlite3_stmt *statement, const char *what)
{
  int result = sqlite3_step(statement);
  if (result == SQLITE_ROW)
    return 1;
  return result == SQLITE_DONE ? 0 : sc_study_sql_error(study, result, what);
}

int sc_study_sql_run(sc_study *study, sqlite3_stmt *statement, const char *what)
{
  int err = sc_study_sql_step(study, statement, what);
  sqlite3_reset(statement);
  return err < 0 ? err : 0;
}

int sc_study_sql_number(sc_study *study, const char *sql, int64_t *number, const char *what)
{
  sqlite3_stmt *statement = NULL;
  int err;
  *number = 0;
  SC_GOTO(sc_study_sql_prepare(study, sql, &statement, what));
  SC_GOTO(sc_study_sql_step(study, statement, what));
  if (err > 0)
    *number = sqlite3_column_int64(statement, 0);
  err = 0;
out:
  sqlite3_finalize(statement);
  return err;
}

const char *sc_study_sql_text(sqlite3_stmt *statement, int column)
{
  const char *text = (const char *)sqlite3_column_text(statement, column);
  return text ? text : "";
}

int sc_study_sql_read(sc_study *study, const char *what)
{
  int64_t version;
  SC_TRY(sc_study_sql_exec(study, "BEGIN", what));
  int err = sc_study_sql_number(study, "PRAGMA user_version", &version, what);
  if (err < 0)
    sc_study_sql_leave(study);
  else if (version > study->version && version <= SC_STUDY_VERSION)
    study->version = (int)version;
  return err;
}

void sc_study_sql_leave(sc_study *study) { (void)sqlite3_exec(study->db, "ROLLBACK", NULL, NULL, NULL); }

int sc_study_sql_begin(sc_study *study, const char *what) { return sc_study_sql_exec(study, "BEGIN IMMEDIATE", what); }

int sc_study_sql_end(sc_study *study, int err, const char *what)
{
  if (err >= 0)
    err = sc_study_sql_exec(study, "COMMIT", what);
  if (err >= 0)
    return 0;
  if (!sqlite3_get_autocommit(study->db)) /* some failures have rolled back already */
    (void)sqlite3_exec(study->db, "ROLLBACK", NULL, NULL, NULL);
  study->mirrored = false; /* what was saved is not there: it is read anew */
  return err;
}

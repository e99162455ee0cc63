/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "profiles/study/internal.h"

/* A reader opens the file for writing too if it may: after a crash the first to come has to roll back. It then
 * promises SQLite not to change anything itself. One file and no write-ahead log: a study is to be copied and sent. */
static bool writes_database(enum sc_study_mode mode) { return mode == SC_STUDY_WRITE || mode == SC_STUDY_CREATE; }

static int connect_database(sc_study *study, enum sc_study_mode mode)
{
  static const char what[] = "open the study";
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == SC_STUDY_CREATE ? SQLITE_OPEN_CREATE : 0);
  if (mode != SC_STUDY_CREATE && access(study->path, F_OK) != 0) {
    int err = sc_err_set(SC_E_IO, "there is no study %s", study->path);
    return sc_err_hint(err, "check the name; `scale-run run` creates a study");
  }
  struct stat info;
  if (stat(study->path, &info) == 0 && !S_ISREG(info.st_mode)) { /* a named pipe would make us wait */
    int err = sc_err_set(SC_E_IO, "%s is not a study: it is not a regular file", study->path);
    return sc_err_hint(err, "name another file; `scale-run run` creates a study");
  }
  int result = sqlite3_open_v2(study->path, &study->db, flags, NULL);
  if (result != SQLITE_OK)
    return sc_study_sql_error(study, result, what);
  sqlite3_extended_result_codes(study->db, 1);
  sqlite3_busy_timeout(study->db, SC_STUDY_BUSY_MS);
  sqlite3_db_config(study->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  SC_TRY(sc_study_sql_exec(study, "PRAGMA trusted_schema = OFF", what));
  if (!writes_database(mode)) /* reads each page once or twice, in order */
    return sc_study_sql_exec(study, "PRAGMA query_only = ON", what);
  return sc_study_sql_exec(study, "PRAGMA cache_size = -65536", what);
}

/* Whoever adds to a study would make new checksums of what is there: all of it must be sound. */
static int check_sums(sc_study *study, enum sc_study_mode mode)
{
  if (mode == SC_STUDY_CHECK)
    return 0;
  return sc_study_sums_check(study, writes_database(mode) ? SC_STUDY_ALL_PARTS : SC_STUDY_SCHEMA | SC_STUDY_META);
}

int sc_study_open(const char *path, enum sc_study_mode mode, sc_study **study)
{
  int err = SC_E_NOMEM;
  *study = NULL;
  sc_study *fresh = sc_mem_new(1, sizeof *fresh);
  if (!fresh || !(fresh->path = sc_mem_copy_string(path)))
    goto out;
  SC_GOTO(connect_database(fresh, mode));
  SC_GOTO(sc_study_schema_check(fresh, mode == SC_STUDY_CREATE));
  if (writes_database(mode) && sqlite3_db_readonly(fresh->db, NULL)) {
    err = sc_study_sql_error(fresh, SQLITE_READONLY, "write the study");
    goto out;
  }
  SC_GOTO(check_sums(fresh, mode));
  if (writes_database(mode) && fresh->version < SC_STUDY_VERSION)
    SC_GOTO(sc_study_upgrade(fresh));
  *study = fresh;
  fresh = NULL;
out:
  sc_study_close(fresh);
  return err;
}

void sc_study_close(sc_study *study)
{
  if (!study)
    return;
  sc_study_mirror_drop(study);
  sqlite3_close(study->db);
  free(study->path);
  free(study);
}

int sc_study_lock(const char *path, int *lock)
{
  *lock = open(path, O_RDONLY | O_CLOEXEC);
  if (*lock < 0)
    return sc_err_system(SC_E_IO, errno, "cannot open %s", path);
  if (flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) /* a file system without locks has none */
    return 0;
  (void)sc_err_set(SC_E_INPUT, "another scale-run is at work on the study %s", path);
  return sc_err_hint(SC_E_INPUT, "wait until it has ended, or write another study: -o FILE");
}

int sc_study_put(sc_study *study, const char *key, const char *value)
{
  static const char what[] = "save the study's provenance";
  sqlite3_stmt *statement = NULL;
  int err;
  SC_TRY(sc_study_sql_begin(study, what));
  SC_GOTO(sc_study_sql_prepare(study, "INSERT OR REPLACE INTO meta VALUES (?1, ?2)", &statement, what));
  sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
  SC_GOTO(sc_study_sql_run(study, statement, what));
  err = sc_study_sums_save(study, SC_STUDY_META, 0, what);
out:
  sqlite3_finalize(statement);
  return sc_study_sql_end(study, err, what);
}

int sc_study_get(sc_study *study, const char *key, char **value)
{
  static const char what[] = "read the study's provenance";
  sqlite3_stmt *statement = NULL;
  int err;
  *value = NULL;
  SC_GOTO(sc_study_sql_prepare(study, "SELECT value FROM meta WHERE key = ?1", &statement, what));
  sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
  SC_GOTO(sc_study_sql_step(study, statement, what));
  if (err > 0) {
    *value = sc_mem_copy_string(sc_study_sql_text(statement, 0));
    err = *value ? 0 : SC_E_NOMEM;
  }
out:
  sqlite3_finalize(statement);
  return err;
}

int sc_study_get_number(sc_study *study, const char *key, double *number)
{
  char *stored;
  SC_TRY(sc_study_get(study, key, &stored));
  double found = stored ? strtod(stored, NULL) : 0;
  *number = found > 0 && isfinite(found) ? found : 0;
  free(stored);
  return 0;
}

int sc_study_version(const sc_study *study, bool *checksums)
{
  *checksums = study->version >= SC_STUDY_SUMS_SINCE;
  return study->version;
}

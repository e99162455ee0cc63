/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checksums of a study's content. SQLite checks how its pages hang together, not what stands in them: a bit that flips
 * on a disk changes a number and nothing else. Each part of the content has a CRC-32 of its rows, in the order in which
 * they are read: each run with all its values, and each table that runs share.
 */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "profiles/study/internal.h"

/* The parts that are not runs', in the order of enum sc_study_part. */
static const struct {
  const char *name, *rows;
} parts[] = {
    {"schema", "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"},
    {"provenance", "SELECT key, value FROM meta ORDER BY key"},
    {"list of runs", "SELECT id FROM run ORDER BY id"},
    {"failed runs", "SELECT * FROM failure ORDER BY id"},
    {"modules", "SELECT * FROM module ORDER BY id"},
    {"locations", "SELECT * FROM location ORDER BY id"},
    {"contexts", "SELECT first, numbers FROM contexts ORDER BY first"},
    {"resources", "SELECT * FROM resource ORDER BY id"},
    {"discarded events", "SELECT * FROM discarded ORDER BY via, resource"},
    {"models", "SELECT * FROM model ORDER BY context, metric"},
    {"findings", "SELECT * FROM finding ORDER BY rank"},
};
enum { PARTS = sizeof parts / sizeof *parts };
_Static_assert(1u << PARTS == SC_STUDY_ALL_PARTS + 1u, "a bit each");

/* A run's rows, in the tables' own order. */
static const char *const run_rows[] = {
    "SELECT * FROM run WHERE id = ?1",
    "SELECT module FROM run_module WHERE run = ?1 ORDER BY module",
    "SELECT first, numbers FROM counts WHERE run = ?1 ORDER BY first",
    "SELECT context, cost, depth FROM costs WHERE run = ?1 ORDER BY context",
    "SELECT * FROM usage WHERE run = ?1 ORDER BY number",
    "SELECT * FROM wait_pair WHERE run = ?1 ORDER BY waiter, holder",
    "SELECT * FROM occupancy WHERE run = ?1 ORDER BY resource",
};

/* What the sum is made of, gathered: most columns are numbers, and a call for each costs more than the sum. */
typedef struct summing {
  uLong crc;
  size_t length;
  Bytef bytes[4096];
} summing;

static void flush_study_sum(summing *sum)
{
  sum->crc = crc32(sum->crc, sum->bytes, (uInt)sum->length);
  sum->length = 0;
}

static void add_bytes(summing *sum, const void *bytes, size_t length)
{
  if (sum->length + length > sizeof sum->bytes)
    flush_study_sum(sum);
  if (length > sizeof sum->bytes) {
    sum->crc = crc32(sum->crc, bytes, (uInt)length);
    return;
  }
  memcpy(sum->bytes + sum->length, bytes, length);
  sum->length += length;
}

static void add_column(summing *sum, sqlite3_stmt *rows, int column)
{
  int type = sqlite3_column_type(rows, column);
  sqlite3_int64 whole;
  double number;
  add_bytes(sum, &(unsigned char){(unsigned char)type}, 1);
  if (type == SQLITE_INTEGER) {
    whole = sqlite3_column_int64(rows, column);
    add_bytes(sum, &whole, sizeof whole);
  } else if (type == SQLITE_FLOAT) {
    number = sqlite3_column_double(rows, column);
    add_bytes(sum, &number, sizeof number);
  } else if (type != SQLITE_NULL) {
    const void *bytes = sqlite3_column_blob(rows, column);
    whole = sqlite3_column_bytes(rows, column);
    add_bytes(sum, &whole, sizeof whole);
    if (whole)
      add_bytes(sum, bytes, (size_t)whole);
  }
}

/* Adds the rows that a query gives; a run's has its id as ?1. */
static int add_rows(sc_study *study, const char *sql, int64_t run, uLong *crc, const char *what)
{
  sqlite3_stmt *rows = NULL;
  summing sum = {.crc = *crc};
  int err;
  SC_GOTO(sc_study_sql_prepare(study, sql, &rows, what));
  sqlite3_bind_int64(rows, 1, run);
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what));
    if (err == 0)
      break;
    int columns = sqlite3_column_count(rows);
    for (int i = 0; i < columns; i++)
      add_column(&sum, rows, i);
  }
  flush_study_sum(&sum);
  *crc = sum.crc;
out:
  sqlite3_finalize(rows);
  return err;
}

static int sum_run(sc_study *study, int64_t run, uLong *crc, const char *what)
{
  *crc = crc32(0, NULL, 0);
  for (size_t i = 0; i < sizeof run_rows / sizeof *run_rows; i++)
    SC_TRY(add_rows(study, run_rows[i], run, crc, what));
  return 0;
}

static int sum_part(sc_study *study, int part, uLong *crc, const char *what)
{
  bool rows = 1 << part == SC_STUDY_CONTEXTS && study->version < SC_STUDY_BLOCKS_SINCE;
  *crc = crc32(0, NULL, 0);
  return add_rows(study, rows ? "SELECT * FROM context ORDER BY id" : parts[part].rows, 0, crc, what);
}

static int save_sum(sc_study *study, const char *part, int64_t run, uLong crc, const char *what)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "INSERT OR REPLACE INTO checksum VALUES (?1, ?2, ?3)", &row, what));
  sqlite3_bind_text(row, 1, part, -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, 2, run);
  sqlite3_bind_int64(row, 3, (int64_t)crc);
  err = sc_study_sql_run(study, row, what);
out:
  sqlite3_finalize(row);
  return err;
}

static int save_run(sc_study *study, int64_t run, const char *what)
{
  uLong crc;
  SC_TRY(sum_run(study, run, &crc, what));
  return save_sum(study, "run", run, crc, what);
}

int sc_study_sums_save(sc_study *study, unsigned wanted, int64_t run, const char *what)
{
  for (int i = 0; i < PARTS; i++) {
    uLong crc;
    if (!(wanted >> i & 1))
      continue;
    SC_TRY(sum_part(study, i, &crc, what));
    SC_TRY(save_sum(study, parts[i].name, 0, crc, what));
  }
  return run ? save_run(study, run, what) : 0;
}

/* Visits the ids of all runs. */
static int each_run(sc_study *study, int (*visit)(void *user, int64_t run), void *user, const char *what)
{
  sqlite3_stmt *rows = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "SELECT id FROM run ORDER BY id", &rows, what));
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what));
    if (err == 0)
      break;
    SC_GOTO(visit(user, sqlite3_column_int64(rows, 0)));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

static const char what_seal[] = "make the study's checksums";

static int seal_run(void *user, int64_t run) { return save_run(user, run, what_seal); }

int sc_study_sums_seal(sc_study *study)
{
  SC_TRY(sc_study_sql_exec(study, "DELETE FROM checksum", what_seal));
  SC_TRY(sc_study_sums_save(study, SC_STUDY_ALL_PARTS, 0, what_seal));
  return each_run(study, seal_run, study, what_seal);
}

static const char what_check[] = "check the study";

/* The saved checksum: 1, or 0 if none was saved. */
static int saved_sum(sc_study *study, const char *part, int64_t run, uLong *crc)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "SELECT crc FROM checksum WHERE part = ?1 AND run = ?2", &row, what_check));
  sqlite3_bind_text(row, 1, part, -1, SQLITE_STATIC);
  sqlite3_bind_int64(row, 2, run);
  SC_GOTO(sc_study_sql_step(study, row, what_check));
  *crc = err ? (uLong)sqlite3_column_int64(row, 0) : 0;
out:
  sqlite3_finalize(row);
  return err;
}

static int compare_sum(sc_study *study, const char *part, int64_t run, uLong crc)
{
  char what[120];
  uLong saved;
  int found = saved_sum(study, part, run, &saved);
  if (found < 0 || (found && saved == crc))
    return found < 0 ? found : 0;
  if (run)
    snprintf(what, sizeof what, "run %lld %s", (long long)run,
             found ? "has changed since it was saved" : "has no checksum");
  else
    snprintf(what, sizeof what, "%s: %s", part, found ? "changed since they were saved" : "no checksum");
  int err = sc_study_sql_damaged(study, what);
  return sc_err_hint(err,
                     "`scale-run study check %s` lists what is damaged; restore a copy of the file, or measure again "
                     "into another",
                     study->path);
}

static bool has_sums(const sc_study *study) { return study->version >= SC_STUDY_SUMS_SINCE; }

static int check_part(sc_study *study, int part)
{
  uLong crc;
  SC_TRY(sum_part(study, part, &crc, what_check));
  return compare_sum(study, parts[part].name, 0, crc);
}

static int check_parts(sc_study *study, unsigned wanted)
{
  for (int i = 0; i < PARTS; i++)
    if (wanted >> i & 1)
      SC_TRY(check_part(study, i));
  return 0;
}

/* Rows and checksums are of one state of the file, whoever writes meanwhile. */
int sc_study_sums_check(sc_study *study, unsigned wanted)
{
  if (!has_sums(study))
    return 0;
  if (!sqlite3_get_autocommit(study->db))
    return check_parts(study, wanted);
  SC_TRY(sc_study_sql_read(study, what_check));
  int err = check_parts(study, wanted);
  sc_study_sql_leave(study);
  return err;
}

int sc_study_sums_check_run(sc_study *study, int64_t run)
{
  uLong crc;
  if (!has_sums(study))
    return 0;
  SC_TRY(sum_run(study, run, &crc, what_check));
  return compare_sum(study, "run", run, crc);
}

static int check_run(void *user, int64_t run) { return sc_study_sums_check_run(user, run); }

int sc_study_sums_check_all(sc_study *study)
{
  SC_TRY(sc_study_sums_check(study, SC_STUDY_ALL_PARTS));
  return each_run(study, check_run, study, what_check);
}

struct audit {
  sc_study *study;
  sc_study_part_fn visit;
  void *user;
};

/* Damage is what is looked for: the visitor decides whether to go on. */
static int audit_study_sum(const struct audit *a, const char *part, int64_t run, int err)
{
  if (err < 0 && err != SC_E_DAMAGED)
    return err;
  return a->visit(a->user, part, run, err < 0 ? sc_err_message() : NULL);
}

static int audit_run(void *user, int64_t run)
{
  const struct audit *a = user;
  return audit_study_sum(a, "run", run, sc_study_sums_check_run(a->study, run));
}

/* What SQLite itself can say about its pages. */
static int check_pages(sc_study *study)
{
  sqlite3_stmt *row = NULL;
  int err;
  SC_GOTO(sc_study_sql_prepare(study, "PRAGMA integrity_check(1)", &row, what_check));
  SC_GOTO(sc_study_sql_step(study, row, what_check));
  if (err && strcmp(sc_study_sql_text(row, 0), "ok") != 0)
    err = sc_study_sql_damaged(study, sc_study_sql_text(row, 0));
  else
    err = 0;
out:
  sqlite3_finalize(row);
  return err;
}

static int audit_all(struct audit *a)
{
  sc_study *study = a->study;
  SC_TRY(audit_study_sum(a, "pages", 0, check_pages(study)));
  if (!has_sums(study))
    return 0;
  for (int i = 0; i < PARTS; i++)
    SC_TRY(audit_study_sum(a, parts[i].name, 0, check_part(study, i)));
  return each_run(study, audit_run, a, what_check);
}

int sc_study_check(sc_study *study, sc_study_part_fn visit, void *user)
{
  struct audit a = {study, visit, user};
  SC_TRY(sc_study_sql_read(study, what_check));
  int err = audit_all(&a);
  sc_study_sql_leave(study);
  return err;
}

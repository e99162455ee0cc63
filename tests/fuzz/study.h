/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Studies for the fuzzers, after fuzz.h: a file that lies in memory alone, and mutations of its cells. */
#include <string.h>

#include "profiles/study/internal.h"

static const char fuzz_magic[] = "SQLite format 3";

static inline bool fuzz_is_study(const uint8_t *data, size_t size)
{
  return size >= sizeof fuzz_magic && memcmp(data, fuzz_magic, sizeof fuzz_magic) == 0;
}

/* Puts the checksums of a study right, as its version has them, or nearly every input would end at them. */
static inline void fuzz_seal(const char *path)
{
  struct sc_study study = {.path = (char *)path};
  if (sqlite3_open(path, &study.db) == SQLITE_OK && sc_study_sql_read(&study, "seal") == 0) {
    sc_study_sql_leave(&study);
    if (study.version >= SC_STUDY_SUMS_SINCE)
      (void)!sc_study_sums_seal(&study);
  }
  sqlite3_close(study.db);
}

/* The path of what SQLite opens as a study, or others as a baseline. SQLite's own file system in memory becomes the one
 * it takes: a file on a disk is waited for four times an input, which is nearly all of its time. It keeps the file as
 * long as it is open somewhere. */
static inline const char *fuzz_study(const uint8_t *data, size_t size)
{
  static sqlite3 *keeper;
  sqlite3_file *file;
  const char *path = fuzz_file(data, size, 0); /* for those that look whether there is one, and what it begins with */
  must(keeper ||
       (sqlite3_vfs_register(sqlite3_vfs_find("memdb"), 1) == SQLITE_OK && sqlite3_open(path, &keeper) == SQLITE_OK));
  must(sqlite3_file_control(keeper, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK);
  must(file->pMethods->xTruncate(file, 0) == SQLITE_OK);
  must(size == 0 || file->pMethods->xWrite(file, data, (int)size, 0) == SQLITE_OK);
  if (fuzz_is_study(data, size))
    fuzz_seal(path);
  return path;
}

/* ---- mutations that leave a study one: a cell gets another value, often that of another row ---- */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* The name in the row that the seed chooses of a query, or "". */
static void choose_name(sqlite3 *db, const char *query, unsigned seed, char name[64])
{
  sqlite3_stmt *rows;
  unsigned count = 0;
  *name = '\0';
  if (sqlite3_prepare_v2(db, query, -1, &rows, NULL) != SQLITE_OK)
    return;
  for (int pass = 0; pass < 2; pass++) {
    unsigned wanted = count ? seed % count : 0;
    for (count = 0; sqlite3_step(rows) == SQLITE_ROW; count++)
      if (pass && count == wanted)
        snprintf(name, 64, "%s", (const char *)sqlite3_column_text(rows, 0));
    sqlite3_reset(rows);
  }
  sqlite3_finalize(rows);
}

static void change_cell(sqlite3 *db, unsigned seed)
{
  static const char *const values[] = {
      "(SELECT %2$s FROM %1$s ORDER BY 1 LIMIT 1 OFFSET %4$u %% (SELECT count(*) FROM %1$s))",
      "%2$s + 1",
      "%2$s - 1",
      "-%2$s",
      "%2$s * 1000",
      "%2$s / 1000",
      "0",
      "1",
      "NULL",
      "9e999",
      "1e308",
      "1e-308",
      "9223372036854775807",
      "-9223372036854775808",
      "4294967295",
      "''",
      "'\"<]]>&\\%%' || char(10) || x'ff'",
      "x'00ff'",
      "substr(%2$s, 2)",
      "%2$s || %2$s"};
  char table[64], column[64], value[512], query[1024];
  choose_name(db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'", seed, table);
  snprintf(query, sizeof query, "SELECT name FROM pragma_table_info('%s')", table);
  choose_name(db, query, seed / 32, column);
  const char *form = values[seed / 1024 % (sizeof values / sizeof *values)];
  snprintf(value, sizeof value, form, table, column, 0, seed / 32768);
  /* One row, or where rows have no number all that have the same value there. */
  const char *const which[] = {"rowid", column};
  for (int i = 0, done = 0; i < 2 && !done; i++) {
    snprintf(query, sizeof query,
             "UPDATE %1$s SET %2$s = %3$s WHERE %5$s IS (SELECT %5$s FROM %1$s ORDER BY 1 LIMIT 1 OFFSET %4$u %% "
             "(SELECT count(*) FROM %1$s))",
             table, column, value, seed / 65536, which[i]);
    done = sqlite3_exec(db, query, NULL, NULL, NULL) == SQLITE_OK;
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
  sqlite3 *db = NULL;
  sqlite3_int64 bytes = 0;
  if (!fuzz_is_study(data, size) || seed % 8 == 0)
    return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, most) : size;
  unsigned char *copy = sqlite3_malloc64(size), *changed = NULL;
  must(copy && sqlite3_open(":memory:", &db) == SQLITE_OK);
  memcpy(copy, data, size);
  sqlite3_deserialize(db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  for (unsigned i = 0; i < 1 + seed % 3; i++, seed = seed * 1664525 + 1013904223)
    change_cell(db, seed >> 1);
  changed = sqlite3_serialize(db, "main", &bytes, 0);
  if (changed && (size_t)bytes <= most) {
    memcpy(data, changed, (size_t)bytes);
    size = (size_t)bytes;
  }
  sqlite3_free(changed);
  sqlite3_close(db);
  return size;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/study/internal.h"

/* Puts the checksums of a study right, as its version has them, or nearly every input would end at them. */
static inline const char *fuzz_seal(const char *path)
{
  struct sc_study study = {.path = (char *)path};
  if (sqlite3_open(path, &study.db) == SQLITE_OK && sc_study_sql_read(&study, "seal") == 0) {
    sc_study_sql_leave(&study);
    if (study.version >= SC_STUDY_SUMS_SINCE)
      (void)!sc_study_sums_seal(&study);
  }
  sqlite3_close(study.db);
  return path;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a run in the file. Every context has a count, so these stand in blocks: JSON arrays, which hold a
 * million of them in a tenth of a row's time and space each, and which SQL still reads (the view `value`). Costs and
 * depths are few: only contexts that were sampled or that recurse have any, and those have a row.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "profiles/study/internal.h"

enum { BLOCK = SC_STUDY_BLOCK, NUMBER_BYTES = 32 /* with a comma */, PLAIN_DIGITS = 19 };

static const char what_save[] = "save the run";

char *sc_study_values_put_whole(char *at, uint64_t number)
{
  char digits[20];
  int count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count)
    *at++ = digits[--count];
  return at;
}

/* What is no whole number, or may not be an exact one, takes the long way. */
static char *put_number(char *at, double value)
{
  if (value < 9007199254740992.0 && value == (double)(uint64_t)value)
    return sc_study_values_put_whole(at, (uint64_t)value);
  return at + snprintf(at, NUMBER_BYTES, "%.17g", value);
}

/* Makes the block's text. Zeros at its end are left out. Returns its length, 0 if nothing is left. */
static size_t write_block(char *text, const double *counts, size_t length, bool kept)
{
  char *at = text;
  while (!kept && length && counts[length - 1] == 0)
    length--;
  if (!length)
    return 0;
  *at++ = '[';
  for (size_t i = 0; i < length; i++) {
    at = put_number(at, counts[i]);
    *at++ = ',';
  }
  at[-1] = ']';
  return (size_t)(at - text);
}

int sc_study_values_save(sc_study *study, int64_t run, const sc_study_counts *counts)
{
  sqlite3_stmt *row = NULL;
  int err;
  char *text = sc_mem_new(BLOCK, NUMBER_BYTES);
  if (!text)
    return SC_E_NOMEM;
  SC_GOTO(sc_study_sql_prepare(study, "INSERT INTO counts VALUES (?1, ?2, ?3)", &row, what_save));
  sqlite3_bind_int64(row, 1, run);
  for (size_t first = 0; first < counts->length; first += BLOCK) {
    size_t left = counts->length - first;
    size_t bytes = write_block(text, counts->list + first, left < BLOCK ? left : BLOCK, counts->kept[first / BLOCK]);
    if (!bytes)
      continue;
    sqlite3_bind_int64(row, 2, (int64_t)first);
    sqlite3_bind_text(row, 3, text, (int)bytes, SQLITE_STATIC);
    SC_GOTO(sc_study_sql_run(study, row, what_save));
  }
out:
  free(text);
  sqlite3_finalize(row);
  return err;
}

int sc_study_values_begin(sc_study_counts *counts, size_t length)
{
  *counts = (sc_study_counts){.length = length};
  counts->list = sc_mem_new(length, sizeof *counts->list);
  counts->kept = sc_mem_new(length / BLOCK + 1, sizeof *counts->kept);
  return counts->list && counts->kept ? 0 : SC_E_NOMEM;
}

void sc_study_values_keep(sc_study_counts *counts, size_t context) { counts->kept[context / BLOCK] = true; }

void sc_study_values_end(sc_study_counts *counts)
{
  free(counts->list);
  free(counts->kept);
}

bool sc_study_values_valid(double value) { return isfinite(value) && value >= 0; }

/* A number of a JSON array. The text ends in NUL, and an invalid number has no length. */
static const char *get_number(const char *at, double *value)
{
  const char *start = at;
  uint64_t whole = 0;
  while (*at >= '0' && *at <= '9' && at - start < PLAIN_DIGITS)
    whole = whole * 10 + (uint64_t)(*at++ - '0');
  *value = (double)whole;
  if (at > start && (*at == ',' || *at == ']'))
    return at;
  size_t length = strspn(start, "0123456789.eE+-");
  return at > start && sc_number_read(start, length, value) == length ? start + length : start;
}

int sc_study_values_read(const sc_study *study, const char *text, double *out, size_t room)
{
  static const char what[] = "its counts are not what a study has";
  if (*text != '[')
    return sc_study_sql_damaged(study, what);
  for (size_t i = 0; i == 0 || *text == ','; i++) {
    double value;
    const char *start = ++text;
    text = get_number(start, &value);
    if (i == room || text == start || (*text != ',' && *text != ']') || !sc_study_values_valid(value))
      return sc_study_sql_damaged(study, what);
    out[i] = value;
  }
  return text[1] ? sc_study_sql_damaged(study, what) : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contexts in the file. A large program has millions, and every command reads them all: they stand in blocks as
 * counts do, JSON arrays of [parent, location, call], which take a tenth of a row's time. The view `context` gives
 * SQL the rows.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/study/internal.h"

enum { CONTEXT_BYTES = 40 /* with brackets and commas */ };

static const char what_read[] = "read the study's contexts";
static const char what_save[] = "save contexts";
static const char schema[] =
    "CREATE TABLE contexts (first INTEGER PRIMARY KEY, numbers TEXT NOT NULL);"
    "CREATE VIEW context AS SELECT b.first + j.key AS id, p.value AS parent, l.value AS location, c.value AS call"
    " FROM contexts b JOIN json_each(b.numbers) j JOIN json_each(j.value, '$[0]') p JOIN json_each(j.value, '$[1]') l"
    " JOIN json_each(j.value, '$[2]') c;"
    "CREATE VIEW path AS WITH RECURSIVE c AS MATERIALIZED (SELECT id, parent, location FROM context),"
    " below (context, path) AS (VALUES (0, '') UNION ALL"
    " SELECT c.id, below.path || '/' || CASE l.kind WHEN 'loop' THEN l.name || ':' || l.line WHEN 'truncated' THEN "
    "'...' ELSE l.display END FROM below JOIN c ON c.parent = below.context AND c.id <> 0"
    " JOIN location l ON l.id = c.location) SELECT context, path FROM below;"; /* materialized: once, and indexed */
static const char damage[] = "its contexts are not what a study has";

/* Contexts are visited in the order of their ids. */
typedef struct reading {
  sc_study *study;
  int (*visit)(void *user, const sc_context *context);
  void *user;
  int64_t next; /* id */
} reading;

static int visit_study_context(reading *r, int64_t parent, int64_t location, int64_t call)
{
  int64_t id = r->next++;
  if (id >= SC_CONTEXTS_NONE || parent < 0 || (id ? parent >= id : parent != 0) || location < 0 ||
      location >= SC_CONTEXTS_NONE || call < 0 || call > UINT32_MAX)
    return sc_study_sql_damaged(r->study, damage);
  return r->visit(r->user,
                  &(sc_context){.parent = (uint32_t)parent, .location = (uint32_t)location, .call = (uint32_t)call});
}

/* As versions before 14 have them. */
static int read_study_context_row(reading *r, sqlite3_stmt *row)
{
  if (sqlite3_column_int64(row, 0) != r->next)
    return sc_study_sql_damaged(r->study, damage);
  return visit_study_context(r, sqlite3_column_int64(row, 1), sqlite3_column_int64(row, 2),
                             sqlite3_column_int64(row, 3));
}

/* The whole number at *at and the character behind it; -1 if they are not there. */
static int64_t read_whole(const char **at, char behind)
{
  const char *digit = *at;
  int64_t whole = 0;
  for (; *digit >= '0' && *digit <= '9' && whole <= UINT32_MAX; digit++)
    whole = whole * 10 + (*digit - '0');
  if (digit == *at || *digit != behind)
    return -1;
  *at = digit + 1;
  return whole;
}

static int read_block(reading *r, sqlite3_stmt *row)
{
  const char *at = sc_study_sql_text(row, 1);
  if (sqlite3_column_int64(row, 0) != r->next || r->next % SC_STUDY_BLOCK || *at != '[')
    return sc_study_sql_damaged(r->study, damage);
  do {
    at++;
    if (*at++ != '[')
      return sc_study_sql_damaged(r->study, damage);
    int64_t parent = read_whole(&at, ','), location = parent < 0 ? -1 : read_whole(&at, ',');
    SC_TRY(visit_study_context(r, parent, location, location < 0 ? -1 : read_whole(&at, ']')));
  } while (*at == ',' && r->next % SC_STUDY_BLOCK);
  return at[0] == ']' && !at[1] ? 0 : sc_study_sql_damaged(r->study, damage);
}

int sc_study_contexts_read(sc_study *study, int (*each)(void *user, const sc_context *context), void *user)
{
  sqlite3_stmt *rows = NULL;
  int err;
  reading r = {.study = study, .visit = each, .user = user};
  bool blocks = study->version >= SC_STUDY_BLOCKS_SINCE;
  SC_GOTO(sc_study_sql_prepare(study,
                               blocks ? "SELECT first, numbers FROM contexts ORDER BY first"
                               : study->version >= SC_STUDY_CALLS_SINCE
                                   ? "SELECT id, parent, location, call FROM context ORDER BY id"
                                   : "SELECT id, parent, location, 0 FROM context ORDER BY id",
                               &rows, what_read));
  for (;;) {
    SC_GOTO(sc_study_sql_step(study, rows, what_read));
    if (err == 0)
      break;
    SC_GOTO(blocks ? read_block(&r, rows) : read_study_context_row(&r, rows));
  }
out:
  sqlite3_finalize(rows);
  return err;
}

int sc_study_contexts_save(sc_study *study, const sc_contexts *contexts, uint32_t first)
{
  sqlite3_stmt *row = NULL;
  int err;
  uint32_t left = contexts->count - first, count = left < SC_STUDY_BLOCK ? left : SC_STUDY_BLOCK;
  char *text = sc_mem_new(SC_STUDY_BLOCK, CONTEXT_BYTES), *at = text;
  if (!text)
    return SC_E_NOMEM;
  for (uint32_t i = first; i < first + count; i++) {
    const sc_context *context = &contexts->list[i];
    *at++ = i == first ? '[' : ',';
    *at++ = '[';
    at = sc_study_values_put_whole(at, context->parent);
    *at++ = ',';
    at = sc_study_values_put_whole(at, context->location);
    *at++ = ',';
    at = sc_study_values_put_whole(at, context->call);
    *at++ = ']';
  }
  *at++ = ']';
  SC_GOTO(sc_study_sql_prepare(study, "INSERT OR REPLACE INTO contexts VALUES (?1, ?2)", &row, what_save));
  sqlite3_bind_int64(row, 1, first);
  sqlite3_bind_text(row, 2, text, (int)(at - text), SQLITE_STATIC);
  err = sc_study_sql_run(study, row, what_save);
out:
  free(text);
  sqlite3_finalize(row);
  return err;
}

static int append_study_context(void *user, const sc_context *read)
{
  sc_contexts *contexts = user;
  uint32_t context = 0;
  if (contexts->count)
    SC_TRY(sc_contexts_append(contexts, read->parent, read->location, &context));
  else
    SC_TRY(sc_contexts_begin(contexts, read->location));
  (void)sc_contexts_call(contexts, context, read->call);
  return 0;
}

int sc_study_contexts_block(sc_study *study)
{
  sc_contexts contexts = {0};
  int err;
  SC_GOTO(sc_study_contexts_read(study, append_study_context, &contexts));
  SC_GOTO(sc_study_sql_exec(study, "DROP VIEW IF EXISTS path; DROP TABLE context", what_save));
  SC_GOTO(sc_study_sql_exec(study, schema, what_save));
  for (uint32_t first = 0; first < contexts.count; first += SC_STUDY_BLOCK)
    SC_GOTO(sc_study_contexts_save(study, &contexts, first));
out:
  sc_contexts_free(&contexts);
  return err;
}

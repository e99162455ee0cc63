/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a study, and the refusal of other files and of newer versions. */
#include "profiles/study/internal.h"

/* docs/study-format.md describes it. Numbers of locations and contexts are dense from 0, parents before children. */
static const char schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE run (id INTEGER PRIMARY KEY, n REAL NOT NULL, role TEXT NOT NULL, repeat INTEGER NOT NULL,"
    " wall_seconds REAL NOT NULL, user_seconds REAL NOT NULL, system_seconds REAL NOT NULL,"
    " max_rss_kib INTEGER NOT NULL, processes INTEGER NOT NULL, threads INTEGER NOT NULL, nodes INTEGER NOT NULL,"
    " truncated_nodes INTEGER NOT NULL, lost_bytes INTEGER NOT NULL, lost_records INTEGER NOT NULL,"
    " samples INTEGER NOT NULL, samples_unmatched INTEGER NOT NULL, samples_lost INTEGER NOT NULL,"
    " cost_event TEXT NOT NULL, build TEXT NOT NULL, finished TEXT NOT NULL);"
    "CREATE TABLE failure (id INTEGER PRIMARY KEY, n REAL NOT NULL, role TEXT NOT NULL, repeat INTEGER NOT NULL,"
    " wall_seconds REAL NOT NULL, what TEXT NOT NULL, finished TEXT NOT NULL);"
    "CREATE TABLE module (id INTEGER PRIMARY KEY, path TEXT NOT NULL, build_id TEXT NOT NULL, UNIQUE (path, build_id));"
    "CREATE TABLE run_module (run INTEGER NOT NULL REFERENCES run, module INTEGER NOT NULL REFERENCES module,"
    " PRIMARY KEY (run, module)) WITHOUT ROWID;"
    "CREATE TABLE location (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, display TEXT NOT NULL,"
    " file TEXT NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, nth INTEGER NOT NULL,"
    " ordinal INTEGER NOT NULL, local INTEGER NOT NULL, recursive INTEGER NOT NULL);"
    "CREATE TABLE context (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES context,"
    " location INTEGER NOT NULL REFERENCES location);"
    "CREATE TABLE model (context INTEGER NOT NULL REFERENCES context, metric TEXT NOT NULL, document TEXT NOT NULL,"
    " PRIMARY KEY (context, metric)) WITHOUT ROWID;"
    "CREATE TABLE finding (rank INTEGER PRIMARY KEY, document TEXT NOT NULL);"
    "CREATE VIEW path AS WITH RECURSIVE below (context, path) AS (VALUES (0, '') UNION ALL"
    " SELECT c.id, below.path || '/' || CASE l.kind WHEN 'loop' THEN l.name || ':' || l.line WHEN 'truncated' THEN "
    "'...'"
    " ELSE l.display END FROM below JOIN context c ON c.parent = below.context AND c.id <> 0"
    " JOIN location l ON l.id = c.location) SELECT context, path FROM below;"
    "INSERT INTO location VALUES (0, 'root', '', '', '', 0, 0, 0, 0, 0, 0);"
    "INSERT INTO context VALUES (0, 0, 0);";

/* `counts` are blocks of JSON: values.c says why. */
const char sc_study_schema_values[] =
    "CREATE TABLE counts (run INTEGER NOT NULL REFERENCES run, first INTEGER NOT NULL REFERENCES context,"
    " numbers TEXT NOT NULL, PRIMARY KEY (run, first));"
    "CREATE TABLE costs (run INTEGER NOT NULL REFERENCES run, context INTEGER NOT NULL REFERENCES context,"
    " cost REAL NOT NULL, depth REAL NOT NULL, PRIMARY KEY (run, context)) WITHOUT ROWID;"
    "CREATE VIEW value AS SELECT b.run, b.first + j.key AS context, CAST(j.value AS REAL) AS count,"
    " coalesce(c.cost, 0.0) AS cost, coalesce(c.depth, 0.0) AS depth FROM counts b JOIN json_each(b.numbers) j"
    " LEFT JOIN costs c ON c.run = b.run AND c.context = b.first + j.key WHERE j.value <> 0 OR c.run IS NOT NULL;"
    "CREATE VIEW series AS SELECT v.context, r.n, r.role, r.repeat, v.count, v.cost, v.depth, r.id AS run"
    " FROM value v JOIN run r ON r.id = v.run;";

/* The columns of `run` stand here too, so that a file that was brought up to date equals a new one. */
const char sc_study_schema_usage[] =
    "ALTER TABLE run ADD COLUMN lost_events INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE run ADD COLUMN untimed INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE resource (id INTEGER PRIMARY KEY, class TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL,"
    " line INTEGER NOT NULL, probe INTEGER NOT NULL, global INTEGER NOT NULL, idle INTEGER NOT NULL,"
    " capacity REAL NOT NULL);"
    "CREATE TABLE usage (run INTEGER NOT NULL REFERENCES run, number INTEGER NOT NULL,"
    " context INTEGER NOT NULL REFERENCES context, resource INTEGER NOT NULL REFERENCES resource, via TEXT NOT NULL,"
    " line INTEGER NOT NULL, shared INTEGER NOT NULL, event TEXT NOT NULL,"
    " acquires REAL NOT NULL, failures REAL NOT NULL, waits REAL NOT NULL, releases REAL NOT NULL,"
    " reads REAL NOT NULL, writes REAL NOT NULL, units REAL NOT NULL, units_released REAL NOT NULL,"
    " returned REAL NOT NULL, returned_units REAL NOT NULL, unseen REAL NOT NULL, strangers REAL NOT NULL,"
    " peak REAL NOT NULL, wait_seconds REAL NOT NULL, holds REAL NOT NULL, hold_seconds REAL NOT NULL, buckets TEXT,"
    " PRIMARY KEY (run, number)) WITHOUT ROWID;"
    "CREATE TABLE wait_pair (run INTEGER NOT NULL, waiter INTEGER NOT NULL, holder INTEGER, waits REAL NOT NULL,"
    " seconds REAL NOT NULL, FOREIGN KEY (run, waiter) REFERENCES usage, FOREIGN KEY (run, holder) REFERENCES usage);"
    "CREATE INDEX wait_pair_run ON wait_pair (run);"
    "CREATE TABLE occupancy (run INTEGER NOT NULL REFERENCES run, resource INTEGER NOT NULL REFERENCES resource,"
    " instances REAL NOT NULL, threads REAL NOT NULL, active_seconds REAL NOT NULL, span_seconds REAL NOT NULL,"
    " PRIMARY KEY (run, resource));"
    "CREATE TABLE discarded (via TEXT NOT NULL, resource TEXT NOT NULL, why TEXT NOT NULL,"
    " PRIMARY KEY (via, resource));"
    "CREATE VIEW usage_series AS SELECT u.context, u.resource, u.via, u.event, u.shared, r.n, r.role, r.repeat,"
    " u.acquires, u.failures, u.waits, u.releases, u.reads, u.writes, u.units, u.units_released, u.returned,"
    " u.returned_units, u.units - u.returned_units AS outstanding, u.unseen, u.strangers, u.peak, u.wait_seconds,"
    " u.holds, u.hold_seconds, r.id AS run FROM usage u JOIN run r ON r.id = u.run"
    " WHERE NOT EXISTS (SELECT 1 FROM discarded d JOIN resource s ON s.name = d.resource WHERE d.via = u.via"
    " AND s.id = u.resource);";

const char sc_study_schema_others[] = "ALTER TABLE run ADD COLUMN other1 REAL; ALTER TABLE run ADD COLUMN other2 REAL;"
                                      "ALTER TABLE failure ADD COLUMN other1 REAL;"
                                      "ALTER TABLE failure ADD COLUMN other2 REAL;";

const char sc_study_schema_losses[] = "ALTER TABLE run ADD COLUMN lost_processes INTEGER NOT NULL DEFAULT 0;"
                                      "ALTER TABLE run ADD COLUMN lost_reason INTEGER NOT NULL DEFAULT 0;";

const char sc_study_schema_sums[] =
    "CREATE TABLE checksum (part TEXT NOT NULL, run INTEGER NOT NULL, crc INTEGER NOT NULL,"
    " PRIMARY KEY (part, run)) WITHOUT ROWID;";

const char sc_study_schema_waits[] = "ALTER TABLE run ADD COLUMN runnable_seconds REAL;"
                                     "ALTER TABLE run ADD COLUMN io_seconds REAL;"
                                     "ALTER TABLE run ADD COLUMN lock_seconds REAL;"
                                     "ALTER TABLE run ADD COLUMN process_seconds REAL;"
                                     "ALTER TABLE run ADD COLUMN sleep_seconds REAL;"
                                     "ALTER TABLE run ADD COLUMN other_seconds REAL;";
const char sc_study_schema_calls[] = "ALTER TABLE context ADD COLUMN call INTEGER NOT NULL DEFAULT 0;";
const char sc_study_schema_system[] = "ALTER TABLE location ADD COLUMN system INTEGER NOT NULL DEFAULT 0;";
const char sc_study_schema_places[] =
    "ALTER TABLE usage ADD COLUMN col INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE occupancy ADD COLUMN peak REAL NOT NULL DEFAULT 0;"
    "DROP VIEW usage_series;"
    "CREATE VIEW usage_series AS SELECT u.context, u.resource, u.via, u.line, u.col, u.event, u.shared, r.n, r.role,"
    " r.repeat, u.acquires, u.failures, u.waits, u.releases, u.reads, u.writes, u.units, u.units_released, u.returned,"
    " u.returned_units, u.units - u.returned_units AS outstanding, u.unseen, u.strangers, u.peak, u.wait_seconds,"
    " u.holds, u.hold_seconds, r.id AS run FROM usage u JOIN run r ON r.id = u.run"
    " WHERE NOT EXISTS (SELECT 1 FROM discarded d JOIN resource s ON s.name = d.resource WHERE d.via = u.via"
    " AND s.id = u.resource);";

const char sc_study_schema_hot[] = "ALTER TABLE occupancy ADD COLUMN busiest_seconds REAL NOT NULL DEFAULT 0;"
                                   "ALTER TABLE occupancy ADD COLUMN hot REAL NOT NULL DEFAULT 0;"
                                   "ALTER TABLE occupancy ADD COLUMN hot_seconds REAL NOT NULL DEFAULT 0;";
const char sc_study_schema_loaded[] = "ALTER TABLE occupancy ADD COLUMN loaded_seconds REAL NOT NULL DEFAULT 0;";
const char sc_study_schema_kept[] = "ALTER TABLE usage ADD COLUMN kept_by_one REAL NOT NULL DEFAULT 0;";

static int make_tables(sc_study *study)
{
  static const char what[] = "make the study";
  int64_t tables;
  int err = 0;
  SC_TRY(sc_study_sql_begin(study, what));
  SC_GOTO(sc_study_sql_number(study, "SELECT count(*) FROM sqlite_schema", &tables, what));
  if (tables == 0) { /* nobody else was faster */
    char *mark = sqlite3_mprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", (int)SC_STUDY_APPLICATION,
                                 (int)SC_STUDY_VERSION);
    err = mark ? sc_study_sql_exec(study, mark, what) : sc_err_set(SC_E_NOMEM, "out of memory");
    sqlite3_free(mark);
    if (err < 0)
      goto out;
    SC_GOTO(sc_study_sql_exec(study, schema, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_values, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_usage, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_others, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_losses, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_sums, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_waits, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_calls, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_system, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_places, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_hot, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_kept, what));
    SC_GOTO(sc_study_sql_exec(study, sc_study_schema_loaded, what));
    SC_GOTO(sc_study_contexts_block(study));
    study->version = SC_STUDY_VERSION; /* whose checksums they are */
    SC_GOTO(sc_study_sums_seal(study));
  }
out:
  return sc_study_sql_end(study, err, what);
}

/* A view in the place of a table may compute for ever, and a trigger may change what is written: a study has only what
 * this program makes. (`value` was a table in version 1; views are for people, nothing here reads them.) */
static int refuse_strangers(sc_study *study)
{
  static const char strangers[] =
      "SELECT count(*) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_autoindex_*' AND NOT coalesce("
      "type = 'table' AND sql LIKE 'CREATE TABLE %' AND (name IN ('meta', 'run', 'failure', 'module', 'run_module',"
      " 'location', 'model', 'finding', 'counts', 'costs', 'resource', 'usage', 'wait_pair', 'occupancy',"
      " 'discarded', 'checksum') OR (name = 'value' AND ?1 = 1) OR name = iif(?1 < 14, 'context', 'contexts'))"
      " OR type = 'view' AND (name IN ('path', 'series', 'usage_series') OR (name = 'value' AND ?1 > 1)"
      "  OR (name = 'context' AND ?1 >= 14))"
      " OR type = 'index' AND name = 'wait_pair_run', 0)";
  static const char what[] = "open the study";
  sqlite3_stmt *statement = NULL;
  int err, found;
  SC_GOTO(sc_study_sql_prepare(study, strangers, &statement, what));
  sqlite3_bind_int(statement, 1, study->version);
  SC_GOTO(sc_study_sql_step(study, statement, what));
  found = sqlite3_column_int(statement, 0);
  err = found ? sc_study_sql_damaged(study, "it has tables, views or triggers that no study has") : 0;
out:
  sqlite3_finalize(statement);
  return err;
}

int sc_study_schema_check(sc_study *study, bool create)
{
  static const char what[] = "open the study";
  int64_t application, version, tables;
  SC_TRY(sc_study_sql_number(study, "SELECT count(*) FROM sqlite_schema", &tables, what));
  if (tables == 0 && create)
    SC_TRY(make_tables(study));
  SC_TRY(sc_study_sql_number(study, "PRAGMA application_id", &application, what));
  SC_TRY(sc_study_sql_number(study, "PRAGMA user_version", &version, what));
  if (application != SC_STUDY_APPLICATION && tables == 0) { /* `run` was killed before it could write anything */
    int err = sc_err_set(SC_E_DAMAGED, "%s is not a study: it is empty", study->path);
    return sc_err_hint(err, "measure into it: scale-run run ... -o %s", study->path);
  }
  if (application != SC_STUDY_APPLICATION) {
    int err = sc_err_set(SC_E_DAMAGED, "%s is not a study", study->path);
    return sc_err_hint(err, "name another file; `scale-run run` creates a study");
  }
  if (version < 1 || version > SC_STUDY_VERSION) {
    int err = sc_err_set(SC_E_VERSION, "the study %s has version %lld; this program reads versions up to %d",
                         study->path, (long long)version, (int)SC_STUDY_VERSION);
    return sc_err_hint(err, "use the version of the program that made it, or measure again into another file");
  }
  study->version = (int)version;
  return refuse_strangers(study);
}

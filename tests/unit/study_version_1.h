/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TESTS_STUDY_VERSION_1_H
#define SC_TESTS_STUDY_VERSION_1_H

/* A study as version 1 of the schema had it, word for word: a function that is called, a loop with a count that is just
 * exact, and a function of which only the depth is known; two runs, of which the second reached less. */
static const char study_version_1[] =
    "PRAGMA application_id = 0x5343414c; PRAGMA user_version = 1;"
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
    "CREATE TABLE value (run INTEGER NOT NULL REFERENCES run, context INTEGER NOT NULL REFERENCES context,"
    " count REAL NOT NULL, cost REAL NOT NULL, depth REAL NOT NULL, PRIMARY KEY (run, context)) WITHOUT ROWID;"
    "CREATE TABLE model (context INTEGER NOT NULL REFERENCES context, metric TEXT NOT NULL, document TEXT NOT NULL,"
    " PRIMARY KEY (context, metric)) WITHOUT ROWID;"
    "CREATE TABLE finding (rank INTEGER PRIMARY KEY, document TEXT NOT NULL);"
    "CREATE VIEW series AS SELECT v.context, r.n, r.role, r.repeat, v.count, v.cost, v.depth, r.id AS run"
    " FROM value v JOIN run r ON r.id = v.run;"
    "CREATE VIEW path AS WITH RECURSIVE below (context, path) AS (VALUES (0, '') UNION ALL"
    " SELECT c.id, below.path || '/' || CASE l.kind WHEN 'loop' THEN l.name || ':' || l.line WHEN 'truncated' THEN "
    "'...'"
    " ELSE l.display END FROM below JOIN context c ON c.parent = below.context AND c.id <> 0"
    " JOIN location l ON l.id = c.location) SELECT context, path FROM below;"
    "INSERT INTO location VALUES (0, 'root', '', '', '', 0, 0, 0, 0, 0, 0);"
    "INSERT INTO context VALUES (0, 0, 0);"
    "INSERT INTO run VALUES "
    "(1,100,'training',0,1,1,0,4096,1,1,3,0,0,0,5,0,0,'task-clock','abc','2026-01-01T00:00:00Z'),"
    " (4,200,'validation',1,1,1,0,4096,1,1,3,0,0,0,5,0,0,'task-clock','abc','2026-01-01T00:00:01Z');"
    "INSERT INTO location VALUES (1,'process','demo','demo','',0,0,0,0,0,0),"
    " (2,'function','main','main','a.c',3,0,0,0,0,0), (3,'loop','main','main','a.c',5,7,0,1,0,0),"
    " (4,'function','helper','helper','b.c',9,0,0,0,1,1);"
    "INSERT INTO context VALUES (1,0,1), (2,1,2), (3,2,3), (4,3,4);"
    "INSERT INTO value VALUES (1,2,1,0,0), (1,3,9007199254740991,0.25,0), (1,4,0,0,7), (4,2,1,0.5,0);";
#endif

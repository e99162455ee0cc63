/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What version 3 added to the study of study_version_2.h. */
static const char study_version_3[] =
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
    " AND s.id = u.resource);"
    "PRAGMA user_version = 3;";

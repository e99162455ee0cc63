/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <sqlite3.h>

#include "profiles/graph/internal.h"
#include "profiles/study/study.h"

enum {
  SC_STUDY_APPLICATION = 0x5343414c, /* "SCAL", in the file's application_id */
  SC_STUDY_VERSION = 15, /* in the file's user_version; earlier ones are read, and rewritten before they are added to */
  SC_STUDY_SUMS_SINCE = 6,    /* the first with checksums */
  SC_STUDY_CALLS_SINCE = 8,   /* the first with the lines of calls */
  SC_STUDY_SYSTEM_SINCE = 9,  /* the first with headers of -isystem */
  SC_STUDY_PLACES_SINCE = 10, /* the first with columns of calls that do something to a resource */
  SC_STUDY_HOT_SINCE = 12,    /* the first with the busiest instances of locks */
  SC_STUDY_KEPT_SINCE = 13,   /* the first with what one process kept */
  SC_STUDY_LOADED_SINCE = 15, /* the first with how long a resource was under load */
  SC_STUDY_BLOCKS_SINCE = 14, /* the first with contexts in blocks */
  SC_STUDY_BLOCK = 4096,      /* contexts in a block, and counts */
  SC_STUDY_BUSY_MS = 10000
};
/* Parts of a study that have a checksum each, beside its runs: bits. */
enum sc_study_part {
  SC_STUDY_SCHEMA = 1 << 0,
  SC_STUDY_META = 1 << 1,
  SC_STUDY_RUNS = 1 << 2, /* which there are */
  SC_STUDY_FAILURES = 1 << 3,
  SC_STUDY_MODULES = 1 << 4,
  SC_STUDY_LOCATIONS = 1 << 5,
  SC_STUDY_CONTEXTS = 1 << 6,
  SC_STUDY_RESOURCES = 1 << 7,
  SC_STUDY_DISCARDED = 1 << 8,
  SC_STUDY_MODELS = 1 << 9,
  SC_STUDY_FINDINGS = 1 << 10,
  SC_STUDY_ALL_PARTS = (1 << 11) - 1,
  SC_STUDY_READ_PARTS = SC_STUDY_ALL_PARTS & ~(SC_STUDY_MODELS | SC_STUDY_FINDINGS), /* what an analysis rests on */
  SC_STUDY_VALUE_PARTS = SC_STUDY_LOCATIONS | SC_STUDY_CONTEXTS | SC_STUDY_RESOURCES | SC_STUDY_DISCARDED /* large */
};

struct sc_study {
  char *path;
  sqlite3 *db;
  int version; /* the file's */
  /* The file's locations, contexts and resources, numbered by their ids there. A graph's are looked up in them,
   * whatever graph it is. Read when first needed; dropped when a transaction fails. */
  bool mirrored;
  int64_t mirrored_state; /* of the file, as SQLite counts what others write */
  sc_locations locations;
  sc_contexts contexts;
  sc_resource_set resources;
};

/* The columns that keep words instead of numbers, for people and their SQL. */
extern const char *const sc_study_roles[SC_RUN_ROLE_COUNT];
extern const char *const sc_study_metrics[SC_METRIC_COUNT_OF_METRICS];
enum { SC_STUDY_KINDS = SC_LOCATION_WORK + 1 };
extern const char *const sc_study_kinds[SC_STUDY_KINDS];
/* Index of `word`, or -1. */
int sc_study_word(const char *const *words, size_t count, const char *word);

/* ---- sql.c ---- */
/* The SQLite result as an error of ours with its hint; `what` is what was tried: "save the run". */
int sc_study_sql_error(const sc_study *study, int result, const char *what) SC_CHECK;
/* The content of the file cannot be. */
int sc_study_sql_damaged(const sc_study *study, const char *what) SC_CHECK;
int sc_study_sql_exec(sc_study *study, const char *sql, const char *what) SC_CHECK;
int sc_study_sql_prepare(sc_study *study, const char *sql, sqlite3_stmt **statement, const char *what) SC_CHECK;
/* 1: a row; 0: done; or an error. */
int sc_study_sql_step(sc_study *study, sqlite3_stmt *statement, const char *what) SC_CHECK;
/* Steps a statement without rows, and makes it ready for the next. */
int sc_study_sql_run(sc_study *study, sqlite3_stmt *statement, const char *what) SC_CHECK;
/* The single number a query gives. */
int sc_study_sql_number(sc_study *study, const char *sql, int64_t *number, const char *what) SC_CHECK;
/* A text column; never NULL. */
const char *sc_study_sql_text(sqlite3_stmt *statement, int column);
/* Begins to read one state of the file, whoever writes meanwhile, or has brought it up to date since it was opened. */
int sc_study_sql_read(sc_study *study, const char *what) SC_CHECK;
/* Ends it; nothing was written. */
void sc_study_sql_leave(sc_study *study);
int sc_study_sql_begin(sc_study *study, const char *what) SC_CHECK;
/* Commits if err is 0, else rolls back and drops the mirror; returns the first error. */
int sc_study_sql_end(sc_study *study, int err, const char *what) SC_CHECK;

/* ---- schema.c ---- */
/* Tables and views of the values, which version 1 had otherwise. */
extern const char sc_study_schema_values[];
/* Tables and views of the use of resources, which version 2 had not. */
extern const char sc_study_schema_usage[];
/* Columns of further parameters, which version 3 had not. */
extern const char sc_study_schema_others[];
/* Columns of lost processes, which version 4 had not. */
extern const char sc_study_schema_losses[];
/* The table of checksums, which version 5 had not. */
extern const char sc_study_schema_sums[];
/* Columns of what the elapsed time went to, which version 6 had not. */
extern const char sc_study_schema_waits[];
/* The column of the lines of calls, which version 7 had not. */
extern const char sc_study_schema_calls[];
/* The column of headers of -isystem, which version 8 had not. */
extern const char sc_study_schema_system[];
/* The column of calls that do something to a resource, which version 9 had not. */
extern const char sc_study_schema_places[];
extern const char sc_study_schema_loaded[]; /* version 15 */
extern const char sc_study_schema_hot[];  /* version 12 */
extern const char sc_study_schema_kept[]; /* what one process kept, which version 12 had not */
/* Makes the tables if the file is new, checks whose file it is and finds out its version. */
int sc_study_schema_check(sc_study *study, bool create) SC_CHECK;

/* ---- sums.c ---- */
/* Within a transaction, after these parts and this run (0: none) were written: saves their checksums. */
int sc_study_sums_save(sc_study *study, unsigned parts, int64_t run, const char *what) SC_CHECK;
/* Within a transaction: saves those of all there is. */
int sc_study_sums_seal(sc_study *study) SC_CHECK;
/* SC_E_DAMAGED if one of these parts, or this run, is not what was saved. Earlier versions have no checksums: 0. */
int sc_study_sums_check(sc_study *study, unsigned parts) SC_CHECK;
int sc_study_sums_check_run(sc_study *study, int64_t run) SC_CHECK;
/* Everything at once: before a study is rewritten with new checksums, which would hide what changed before. */
int sc_study_sums_check_all(sc_study *study) SC_CHECK;

/* ---- upgrade.c ---- */
/* Brings a file of an earlier version to the present one, in one transaction. */
int sc_study_upgrade(sc_study *study) SC_CHECK;

/* ---- mirror.c ---- */
void sc_study_mirror_drop(sc_study *study);
/* Within a transaction: saves what the graph has and the file has not. *ids, to be freed, becomes the file's id of each
 * of the graph's contexts. */
int sc_study_mirror_save(sc_study *study, const sc_graph *graph, uint32_t **ids) SC_CHECK;
/* Visits the file's locations and contexts, checked. */
int sc_study_mirror_read(sc_study *study, int (*location)(void *user, const sc_location *location),
                         int (*context)(void *user, const sc_context *context), void *user) SC_CHECK;

/* ---- contexts.c ---- */
/* Visits the file's contexts, checked. */
int sc_study_contexts_read(sc_study *study, int (*visit)(void *user, const sc_context *context), void *user) SC_CHECK;
/* Within a transaction: saves the block that begins with this context. */
int sc_study_contexts_save(sc_study *study, const sc_contexts *contexts, uint32_t first) SC_CHECK;
/* Within a transaction: puts into blocks what version 13 had as rows. */
int sc_study_contexts_block(sc_study *study) SC_CHECK;

/* ---- values.c ---- */
/* The counts of one run by the file's ids of contexts. */
typedef struct sc_study_counts {
  double *list;
  bool *kept; /* by block */
  size_t length;
} sc_study_counts;
/* `length` zeros. */
int sc_study_values_begin(sc_study_counts *counts, size_t length) SC_CHECK;
/* The context has a cost or depth: the view `value` needs its count even if that is 0. */
void sc_study_values_keep(sc_study_counts *counts, size_t context);
/* Saves them as a run's. */
int sc_study_values_save(sc_study *study, int64_t run, const sc_study_counts *counts) SC_CHECK;
void sc_study_values_end(sc_study_counts *counts);
bool sc_study_values_valid(double value);
/* The numbers of a block's text, checked, into out[room]; what follows there is left as it is. More numbers than that
 * are damage. */
int sc_study_values_read(const sc_study *study, const char *text, double *out, size_t room) SC_CHECK;
/* The digits of a number, without an end; returns what is behind them. */
char *sc_study_values_put_whole(char *at, uint64_t number);

/* ---- resources.c ---- */
/* Visits the file's resources, checked. */
int sc_study_resources_read(sc_study *study, int (*visit)(void *user, const sc_resource *resource),
                            void *user) SC_CHECK;
/* Within a transaction: saves what the graph has and the file has not. *ids, to be freed, becomes the file's id of each
 * of the graph's resources. */
int sc_study_resources_save(sc_study *study, const sc_graph *graph, uint32_t **ids) SC_CHECK;

/* ---- usage.c ---- */
/* Saves a run's rows, pairs and occupancies, and the graph's discarded events; contexts: the file's ids of them. */
int sc_study_usage_save(sc_study *study, const sc_graph *graph, size_t run, int64_t id,
                        const uint32_t *contexts) SC_CHECK;

/* ---- usage_load.c ---- */
typedef struct sc_study_usage_loader {
  sc_study *study;
  sc_graph *graph;
  uint32_t *resources; /* the graph's numbers by the file's ids; contexts have the same */
  size_t resource_count, resource_capacity;
  uint32_t *numbers; /* the graph's rows by their numbers in the run; SC_USAGE_NONE: discarded */
  size_t number_count, number_capacity;
  sqlite3_stmt *rows, *pairs, *occupancies;
  bool columns; /* calls have them in all runs */
} sc_study_usage_loader;
/* The first two fields are given. Loads resources and discarded events. */
int sc_study_usage_begin(sc_study_usage_loader *load) SC_CHECK;
/* Loads the run that has this id in the file into this one of the graph. */
int sc_study_usage_run(sc_study_usage_loader *load, int64_t id, size_t run) SC_CHECK;
/* Also after a failed begin. */
void sc_study_usage_end(sc_study_usage_loader *load);

/* ---- runs.c ---- */
/* A statement that gives a run's id and then its fields, as sc_study_runs_column takes them; by id. */
int sc_study_runs_select(sc_study *study, sqlite3_stmt **statement, const char *what) SC_CHECK;
int sc_study_runs_column(const sc_study *study, sqlite3_stmt *statement, sc_run *run) SC_CHECK;

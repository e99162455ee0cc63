/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

#include "profiles/graph/graph.h"
#include "profiles/scprof/reader.h"

/*
 * The study: one SQLite file (scale.db by default) with workload, provenance, runs, contexts, series, models and
 * findings. Every run is one transaction, so an interrupted study keeps all finished runs. Its schema has a version:
 * an earlier one is read, and brought up to date when the file is opened for writing; a later one gives SC_E_VERSION, a
 * foreign or damaged file SC_E_DAMAGED, a full disk SC_E_NOSPACE.
 */
typedef struct sc_study sc_study;

enum sc_study_mode {
  SC_STUDY_READ,
  SC_STUDY_WRITE,
  SC_STUDY_CREATE, /* write, made if absent */
  SC_STUDY_CHECK   /* read; checksums are left to sc_study_check */
};
/* See above for errors; *study is NULL then. Closing NULL does nothing. */
int sc_study_open(const char *path, enum sc_study_mode mode, sc_study **study) SC_CHECK;
void sc_study_close(sc_study *study);

/* Whoever adds runs holds the file from its opening on: two at once would each spoil the other's study. *lock: to be
 * closed after the study, as closing it gives up SQLite's own locks of that file; -1: nothing is to be closed.
 * SC_E_INPUT: somebody else has it. */
int sc_study_lock(const char *path, int *lock) SC_CHECK;

/* Compares the whole study with its checksums. visit() gets each part's name, the id of a run (else 0) and what is
 * wrong (NULL: nothing); it returns an error to end the walk. Everything else that opens or loads a study checks what
 * it reads: SC_E_DAMAGED. */
typedef int (*sc_study_part_fn)(void *user, const char *part, int64_t run, const char *damage);
/* See sc_study_part_fn. */
int sc_study_check(sc_study *study, sc_study_part_fn visit, void *user) SC_CHECK;
/* The file's version, and whether that has checksums. */
int sc_study_version(const sc_study *study, bool *checksums);

/* Key-value provenance: "workload" (the XML or JSON text), "workload_hash", "command", "machine", "versions", "build",
 * "n_targets", ... *value is NULL if the key is absent, else to be freed by the caller. */
int sc_study_put(sc_study *study, const char *key, const char *value) SC_CHECK;
int sc_study_get(sc_study *study, const char *key, char **value) SC_CHECK;
/* The same of a number above 0; 0 where the key is absent, or its value is no such number. */
int sc_study_get_number(sc_study *study, const char *key, double *number) SC_CHECK;

/* Saves one run of the graph with all its values, new contexts and locations, and its modules (may be NULL), in one
 * transaction; sets the run's id. */
int sc_study_save_run(sc_study *study, sc_graph *graph, size_t run, const sc_module *modules,
                      size_t module_count) SC_CHECK;
/* Loads all contexts and runs into an empty graph. */
int sc_study_load(sc_study *study, sc_graph *graph) SC_CHECK;
/* The same of runs whose role is a bit (1 << role) of `roles`; the graph stays empty if there are none. Whatever the
 * roles, contexts have the same numbers. */
int sc_study_load_roles(sc_study *study, unsigned roles, sc_graph *graph) SC_CHECK;
/* Runs of all roles, failed ones left out. */
int sc_study_run_count(sc_study *study, size_t *count) SC_CHECK;
/* Modules (path, build id) of all runs, distinct; for provenance and mismatch messages. */
typedef int (*sc_study_module_fn)(void *user, const sc_module *module);
int sc_study_modules(sc_study *study, sc_study_module_fn visit, void *user) SC_CHECK;

/* A failed or timed-out run is kept for the record: n, role, what happened. It has no values. */
int sc_study_save_failure(sc_study *study, const sc_run *run, const char *what) SC_CHECK;

/* Those recorded at the base values of further parameters, by size; texts are valid during the call. */
typedef int (*sc_study_failure_fn)(void *user, double n, const char *what);
/* visit() returns an error to end the walk, which is handed on. */
int sc_study_failures(sc_study *study, sc_study_failure_fn visit, void *user) SC_CHECK;

/* Analysis results, replaced as a whole in one transaction: documents in JSON, one row a model or finding. */
typedef struct sc_study_model {
  uint32_t context; /* of the graph that was saved or loaded */
  enum sc_metric metric;
  const char *json;
} sc_study_model;
/* `models` [model_count], `findings_json` [finding_count], ranked. */
int sc_study_save_analysis(sc_study *study, const sc_graph *graph, const sc_study_model *models, size_t model_count,
                           const char *const *findings_json, size_t finding_count) SC_CHECK;

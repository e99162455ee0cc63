/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"

/* A raw profile (*.scprof, docs/scprof-format.md), mapped read-only and checked. */
typedef struct sc_reader sc_reader;

/* Maps the file and checks header, chunks, records, CRCs, offsets and lengths. A file without a sound header, or of
 * another version, gives SC_E_DAMAGED or SC_E_VERSION. Of any other damage only the parts concerned are lost: they are
 * counted, and the first is named. */
int sc_reader_open(const char *path, sc_reader **reader) SC_CHECK;
void sc_reader_close(sc_reader *reader);

/* Provenance; strings live as long as the reader. */
typedef struct sc_reader_info {
  uint32_t pid, parent_pid;
  int forked, exited;
  uint64_t clock_start, clock_last; /* CLOCK_MONOTONIC at its start and when last read, in nanoseconds */
  const char *exe;                  /* path of the executable */
  const char *command;              /* arguments, quoted and separated by blanks */
  uint64_t nodes, truncated_nodes, lost_bytes, lost_records, threads, lost_events;
  uint64_t lost_children; /* forked processes that have no profile */
  int lost_reason;        /* errno of the first failure to store something; 0: none */
  const char *damage;     /* message about the first damaged part, or "" */
  int timed;              /* it is known how long a tick took: waits and holds have seconds */
} sc_reader_info;
/* Lives as long as the reader, as its texts do. */
const sc_reader_info *sc_reader_get_info(const sc_reader *reader);
/* Nanoseconds that a tick of its clock took; 0: not known. */
double sc_reader_tick(const sc_reader *reader);
/* For a process that was too short to tell: what another process of the same run found. */
void sc_reader_borrow_tick(sc_reader *reader, double nanoseconds);

typedef struct sc_module {
  const char *path;
  char build_id[129]; /* hex; "" if the module has none */
} sc_module;
/* The executable and the libraries that the process had; `index` below the count. Live as long as the reader. */
size_t sc_reader_module_count(const sc_reader *reader);
const sc_module *sc_reader_module(const sc_reader *reader, size_t index);

/* Expands the profile's nodes into calling contexts below root / process role and adds their counts (and depths) to
 * the run. Threads merge by the function they start with, processes by their role, recursion into the ancestor.
 * Adds to the run's processes, threads, nodes, truncated and lost figures. */
int sc_reader_merge(const sc_reader *reader, sc_graph *graph, size_t run) SC_CHECK;

/* Locations the optimiser removed (site table flag), for `scale-run sites` and the exactness tests. */
typedef int (*sc_reader_removed_fn)(void *user, const sc_location *location);
/* visit() gets each, valid during the call, and returns an error to end the walk, which is handed on. */
int sc_reader_removed(const sc_reader *reader, sc_reader_removed_fn visit, void *user) SC_CHECK;

/* What is in the code and not in the counts: what functions that ran do and nobody understood (SCALE_EVENT_SEEN), and
 * what has no counters though it is in a module that ran (SCALE_EVENT_UNCOUNTED). */
typedef struct sc_reader_seen {
  bool uncounted;                     /* which of the two */
  const char *what, *function, *file; /* linkage name; empty if unknown. They live as long as the reader */
  uint32_t line;                      /* where it stands; 0: unknown */
} sc_reader_seen;
typedef int (*sc_reader_seen_fn)(void *user, const sc_reader_seen *seen);
/* visit() returns an error to end the walk, which is handed on. */
int sc_reader_visit_seen(const sc_reader *reader, sc_reader_seen_fn visit, void *user) SC_CHECK;

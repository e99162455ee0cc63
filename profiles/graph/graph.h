/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "profiles/graph/contexts.h"
#include "profiles/graph/locations.h"
#include "profiles/graph/series.h"

/*
 * The k-profile graph (delta-infer 2, definition 4): every location under every calling context with the vector of
 * its values over the runs. Contexts are aligned by the path of their locations; a context that a run never reached
 * has the value 0 there. Context numbers are stable while the graph lives and a parent's is smaller than its
 * children's; context 0 is the root. Not thread-safe.
 */
typedef struct sc_graph sc_graph;
/* What a graph begins with, for the functions below that are called for each of millions of contexts. */
typedef struct sc_graph_tree {
  sc_locations locations;
  sc_contexts contexts;
  /* Counts of the first runs, once they are packed (sc_graph_pack). */
  size_t packed_runs;       /* 0: nothing is packed */
  uint32_t packed_contexts; /* in those runs the others have 0 */
  uint32_t *series;         /* [packed_contexts] */
  sc_series_set counts;     /* by run */
} sc_graph_tree;
/* The graph's first member, and a context's node in it. */
static inline const sc_graph_tree *sc_graph_tree_of(const sc_graph *graph) { return (const sc_graph_tree *)graph; }
static inline const sc_context *sc_graph_node(const sc_graph *graph, uint32_t context)
{
  assert(context < sc_graph_tree_of(graph)->contexts.count);
  return &sc_graph_tree_of(graph)->contexts.list[context];
}

enum sc_metric {
  SC_METRIC_COUNT, /* calls of a function, iterations of a loop: exact integers below 2^53 stay exact as double */
  SC_METRIC_COST,  /* own (exclusive) cost, in the unit of the run's cost event: seconds for clocks, else events */
  SC_METRIC_DEPTH, /* deepest recursion in levels; merged by maximum, not by sum; 0 = unknown or none */
  SC_METRIC_COUNT_OF_METRICS
};

enum sc_run_role {
  SC_RUN_TRAINING,
  SC_RUN_VALIDATION,
  SC_RUN_TARGET,
  SC_RUN_VARIED,        /* a further parameter is away from its base value: for models of several parameters */
  SC_RUN_VARIED_TARGET, /* the same of TARGET */
  SC_RUN_PLAIN,         /* of the program without instrumentation: times alone, nothing is counted */
  SC_RUN_ROLE_COUNT
};
/* Why the elapsed time of a run was not processor time. */
enum sc_wait_kind {
  SC_WAIT_RUNNABLE, /* ready to run, but the processors were busy with others */
  SC_WAIT_IO,       /* files, pipes, sockets, the disk */
  SC_WAIT_LOCK,
  SC_WAIT_PROCESS, /* for the end of another process; nothing else about it is known */
  SC_WAIT_SLEEP,
  SC_WAIT_OTHER, /* nobody saw for what */
  SC_WAIT_KINDS
};
enum { SC_RUN_OTHERS = 2 }; /* parameters that a workload may have beside the focused one */

typedef struct sc_run {
  int64_t id;                   /* in the study; 0 before it is saved */
  double n;                     /* value of the focused workload parameter */
  double others[SC_RUN_OTHERS]; /* values of the further ones, in the workload's order; 0: it has none */
  enum sc_run_role role;
  unsigned repeat; /* 0, 1, ... among runs of the same n */
  double wall_seconds, user_seconds, system_seconds;
  bool has_waits;              /* `waits` was measured */
  double waits[SC_WAIT_KINDS]; /* seconds of wall_seconds, by kind; what is left was processor time */
  uint64_t max_rss_kib;
  uint64_t processes, threads, nodes;
  uint64_t truncated_nodes, lost_bytes, lost_records; /* what the profiles could not keep */
  uint64_t lost_processes;                            /* that left no profile, or none that can be read */
  int lost_reason;      /* errno of why something could not be stored; 0: nobody said (killed, damaged) */
  uint64_t lost_events; /* resource events that the profiles could not keep */
  uint64_t untimed;     /* processes whose ticks could not be told in seconds: their waits and holds took 0 seconds */
  uint64_t samples, samples_unmatched, samples_lost; /* cost samples: all, without a context, dropped by the kernel */
  char cost_event[64];                               /* libpfm4 name, or "" if no cost was sampled */
  char build[65]; /* hash over the modules' build ids: runs of different builds never mix */
} sc_run;
/* Seconds of all its threads and processes. */
static inline double sc_run_processor(const sc_run *run) { return run->user_seconds + run->system_seconds; }

/* A graph that has the root alone; SC_E_NOMEM. Freeing takes all that was interned along; NULL is allowed. */
int sc_graph_new(sc_graph **graph) SC_CHECK;
void sc_graph_free(sc_graph *graph);

/* Interns a location (strings are copied; display is made from name when NULL) and returns its number in *number. */
int sc_graph_location(sc_graph *graph, const sc_location *location, uint32_t *number) SC_CHECK;
/* Interns the child of `parent` that stands for `location`. */
int sc_graph_context(sc_graph *graph, uint32_t parent, uint32_t location, uint32_t *context) SC_CHECK;
/* The same of one that is not there yet, and that nobody looks up for now: reading millions of a file. Afterwards
 * sc_graph_check_contexts says whether one was there *twice. */
int sc_graph_append_context(sc_graph *graph, uint32_t parent, uint32_t location, uint32_t *context) SC_CHECK;
int sc_graph_check_contexts(const sc_graph *graph, bool *twice) SC_CHECK;
/* Notes the line from which a function's context is called, in the file of its parent; 0: unknown. Of several lines the
 * first is kept. */
void sc_graph_note_call(sc_graph *graph, uint32_t context, uint32_t line);
/* That line, or 0. */
uint32_t sc_graph_call_line(const sc_graph *graph, uint32_t context);
/* The child if it exists, else UINT32_MAX. */
uint32_t sc_graph_find(sc_graph *graph, uint32_t parent, uint32_t location);

/* Adds a run (copied) and returns its index in *index. sc_graph_drop_run takes the newest back. */
int sc_graph_begin_run(sc_graph *graph, const sc_run *run, size_t *index) SC_CHECK;
/* Drops the newest run, its values and usages (contexts and resources stay). */
void sc_graph_drop_run(sc_graph *graph);
/* Adds to (DEPTH: takes the maximum with) a value of a run. */
int sc_graph_add(sc_graph *graph, size_t run, uint32_t context, enum sc_metric metric, double value) SC_CHECK;
/* The same of many: *values of a run, by context, of all contexts there are, to be changed until one is added. */
int sc_graph_values(sc_graph *graph, size_t run, enum sc_metric metric, double **values) SC_CHECK;

/* Keeps the counts of all runs so far as series, each once, from which they are read as before: for a graph that is as
 * it stays, but for further runs and contexts. */
int sc_graph_pack(sc_graph *graph) SC_CHECK;
/* The number of a context's series of counts of all runs, equal ones' numbers being the same, and how many there are;
 * SC_GRAPH_UNPACKED and 0 where runs or contexts came later. */
enum { SC_GRAPH_UNPACKED = UINT32_MAX };
static inline uint32_t sc_graph_series(const sc_graph *graph, uint32_t context)
{
  const sc_graph_tree *tree = sc_graph_tree_of(graph);
  return context < tree->packed_contexts ? tree->series[context] : (uint32_t)SC_GRAPH_UNPACKED;
}

/* See sc_graph_series. */
size_t sc_graph_series_count(const sc_graph *graph);

/* Whether any value of a metric was added to a run; of one that was packed its counts are not meant. */
bool sc_graph_has_values(const sc_graph *graph, size_t run, enum sc_metric metric);

/* Sizes of the graph, and its parts by number (asserted to be there). A run's pointer stays valid until it is
 * dropped. */
size_t sc_graph_run_count(const sc_graph *graph);
size_t sc_graph_size_count(const sc_graph *graph); /* distinct sizes of its runs */
sc_run *sc_graph_run(sc_graph *graph, size_t run);
const sc_run *sc_graph_run_const(const sc_graph *graph, size_t run);
static inline uint32_t sc_graph_context_count(const sc_graph *graph) { return sc_graph_tree_of(graph)->contexts.count; }
static inline uint32_t sc_graph_location_count(const sc_graph *graph)
{
  return sc_graph_tree_of(graph)->locations.count;
}
static inline uint32_t sc_graph_parent(const sc_graph *graph, uint32_t context) /* of 0: 0 */
{
  return sc_graph_node(graph, context)->parent;
}
size_t sc_graph_depth(const sc_graph *graph, uint32_t context);                      /* steps below the root */
static inline uint32_t sc_graph_first_child(const sc_graph *graph, uint32_t context) /* 0 = none */
{
  return sc_graph_node(graph, context)->first_child;
}
static inline uint32_t sc_graph_next_sibling(const sc_graph *graph, uint32_t context) /* 0 = none */
{
  return sc_graph_node(graph, context)->next_sibling;
}
/* Whether a context is `above` or stands in it. */
bool sc_graph_within(const sc_graph *graph, uint32_t context, uint32_t above);
/* The innermost context that both are within. */
uint32_t sc_graph_common(const sc_graph *graph, uint32_t one, uint32_t other);
/* The next one within `top`, depth first; 0 at the end. */
uint32_t sc_graph_next_within(const sc_graph *graph, uint32_t context, uint32_t top);
static inline uint32_t sc_graph_location_of(const sc_graph *graph, uint32_t context) /* location number */
{
  return sc_graph_node(graph, context)->location;
}
static inline const sc_location *sc_graph_location_at(const sc_graph *graph, uint32_t location)
{
  return sc_locations_at(&sc_graph_tree_of(graph)->locations, location);
}
static inline const sc_location *sc_graph_at(const sc_graph *graph, uint32_t context)
{
  return sc_graph_location_at(graph, sc_graph_location_of(graph, context));
}
double sc_graph_kept_value(const sc_graph *graph, size_t run, uint32_t context, enum sc_metric metric);
static inline double sc_graph_value(const sc_graph *graph, size_t run, uint32_t context, enum sc_metric metric)
{ /* 0 if absent */
  const sc_graph_tree *tree = sc_graph_tree_of(graph);
  if (metric != SC_METRIC_COUNT || run >= tree->packed_runs)
    return sc_graph_kept_value(graph, run, context, metric);
  return context < tree->packed_contexts ? sc_series_row(&tree->counts, tree->series[context])[run] : 0;
}
/* Its count in executions: units of work as many as take as long (sc_location_weight). */
double sc_graph_executions(const sc_graph *graph, size_t run, uint32_t context);
/* What the user wrote of the way to a context: the innermost context at or above it that stands in no header of the
 * system or the C++ library (sc_location_is_library), or the context itself if all do. *through, if not NULL, is the
 * library function called from there on the way, or 0. Unfolded, every context is taken for the user's. Work is called
 * from the context right above it, whatever that is, and the outermost library function is `through`. */
uint32_t sc_graph_written(const sc_graph *graph, uint32_t context, uint32_t *through);
/* The context of the outermost function of a library that the user's own code called on the way to this context; 0:
 * none. Folded or not. */
uint32_t sc_graph_library_call(const sc_graph *graph, uint32_t context);
/* Whether a context is part of what a library's function does that is named instead (the one that `through` is). */
bool sc_graph_folded(const sc_graph *graph, uint32_t context);
/* The place in the user's own code: of what stands in a system header the function that calls it, with the line of the
 * call (of old profiles, which have none, the function's own); of others their own location. */
sc_location sc_graph_spot(const sc_graph *graph, uint32_t context);
/* Whether frames from system headers are told apart (false: what they do is said of the user's call). */
void sc_graph_unfold(sc_graph *graph, bool unfold);
bool sc_graph_is_unfolded(const sc_graph *graph);
/* The task that a context belongs to: the nearest function at or above it with one of these names, else the outermost
 * one that the user wrote. */
uint32_t sc_graph_task(const sc_graph *graph, uint32_t context, const char *const *tasks, size_t task_count);
/* Own cost plus that of all contexts below, for every context of the run: fills out[context_count]. */
void sc_graph_inclusive_cost(const sc_graph *graph, size_t run, double *out);

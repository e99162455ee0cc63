/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/choose/trend.h"
#include "regress/surface/surface.h"
#include "transitions/resources/types.h"

/* The data that all files of this folder work on; nobody else includes it. */

/* What is summed over the usage rows of a run: the values of a row, and parts of them. */
enum sc_rsum {
  SC_RSUM_SHARED_ACQUIRES = SC_USAGE_VALUES, /* of holds that do not exclude each other */
  SC_RSUM_SHARED_HOLDS,
  SC_RSUM_SHARED_SECONDS,
  SC_RSUM_RESIZES, /* by RESIZE rows */
  SC_RSUM_RESIZE_UNITS,
  SC_RSUM_RESIZE_RELEASED,
  SC_RSUM_LASTING,     /* holds that ended and had lasted a good part of the resource's span */
  SC_RSUM_KEPT_BY_ONE, /* acquires that one process kept; 0: none, or not known */
  SC_RSUM_COUNT
};

enum { SC_RBUCKETS = 40 }; /* of the histogram of holds: [2^i, 2^(i+1)) nanoseconds */

/* Metrics that only rules look at. */
enum {
  SC_RMETRIC_LEVEL = SC_RMETRIC_COUNT, /* units held on average: unit seconds over span, and what stays */
  SC_RMETRIC_MOVED,                    /* units that resizes obtained, over those by which they grew anything */
  SC_RMETRIC_WAIT_ODDS,                /* time waited, over active time not waited */
  SC_RMETRIC_BLOCKED,                  /* share of the acquires that wait */
  SC_RMETRIC_FAILURE_ODDS,             /* failed acquires over others */
  SC_RMETRIC_ASK,                      /* mean time of a thread from one acquire to the next, waits left out */
  SC_RMETRIC_PACE,                     /* think time without what the thread was ready and had no processor */
  SC_RMETRIC_GRIP,                     /* hold time, the same */
  SC_RMETRIC_ALL
};
/* Standard errors of a time beyond the sizes. */
typedef struct sc_growth_doubt {
  double exponent; /* of its growth */
  double state;    /* relative: the machine may be in another state there */
  double
      seconds; /* at the largest size, of a growth that is believed for what is counted: beyond it grows by no more */
  double each; /* than these executions there, */
  double by;   /* with this exponent, may take; 0: not for that */
  double most; /* seconds of one at most */
} sc_growth_doubt;

/* A series, and what stands in for its model where none is chosen. */
typedef struct sc_rseries {
  sc_resource_series shown;
  sc_trend trend;
  bool trended;
  struct sc_rplane *plane; /* at other values of further parameters, instead of a trend; NULL: none (plane.h) */
  double slope;            /* of times and ratios: the exponent that the sizes agree on (sc_trend_slope) */
  sc_growth_doubt doubt;   /* of times: what the machine adds (sc_growth_judge) */
  double *sizes, *values;
} sc_rseries;

/*
 * Processor time of the threads that use a resource, from one hold to the next: how much of the time in which they
 * neither wait for it nor are blocked elsewhere was processor time, and how much they were ready to run and had no
 * processor. docs/resources.md, "Processors".
 */
typedef struct sc_rprocessors {
  const char *why;              /* not known, and why: a clause; NULL: known */
  double hold_part, think_part; /* processor time: share of hold time, and of think time, without ready time; 0..1 */
  uint64_t roles; /* functions that threads begin with and that acquire it: a bit for each of those of the program */
  double *work, *ready; /* [run_count] of a cycle: seconds on a processor, and ready without one; NAN: not known */
  double *think_ready, *hold_ready; /* [run_count] of these: in think time, in the hold */
} sc_rprocessors;

/* Threads that acquire a lock of readers and writers, at the largest size, by what they do (sharing.h). */
typedef struct sc_rsharing {
  double threads; /* 0: not known */
  double writers, readers, both;
  bool writers_stay, readers_stay; /* as many at the smallest size */
  /* Where none does both, seconds without waiting: of a writer from giving it back to its next acquire; of a reader
   * from one acquire to the next. */
  double writer_think, reader_cycle;
} sc_rsharing;

/* A resource as a whole (context SC_USAGE_NONE), a resource in a context, or, of classes without names of their own, in
 * a place there that acquires. */
typedef struct sc_resource_cell {
  uint32_t resource, context;
  uint32_t line, column;              /* of the call; 0: all else that the context does to the resource */
  double *sums;                       /* [run_count][SC_RSUM_COUNT] */
  bool exclusive;                     /* some hold excluded others */
  bool lent;                          /* a semaphore: units come back by other threads than took them */
  bool used;                          /* has use events */
  bool in_scope;                      /* a context in the analysis' scope took part */
  sc_rseries *series[SC_RMETRIC_ALL]; /* made when asked for */
  bool made[SC_RMETRIC_ALL];
  struct sc_calibration *calibration; /* demand.h; made when asked for */
  sc_rprocessors *processors;         /* NULL: not a queue of threads */
  sc_rsharing sharing;
} sc_resource_cell;

/* Where values and series come from at other values of further parameters: the first member of what elsewhere.c keeps.
 */
typedef struct sc_resources_place {
  /* As sc_rmetric_value, of the size of the run. */
  bool (*value)(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value);
  /* As make_series in series.c. */
  int (*make_series)(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_rseries **series);
  void (*free)(struct sc_resources_place *place);
  sc_resources_runs runs;
  double others[SC_SURFACE_PARAMETERS];
  const sc_resources *all; /* gathered from all runs; its cells are numbered as those of the place */
  sc_resources *nearest;   /* at the nearest values where runs were made; NULL: at these */
  sc_surface **surfaces;   /* [cell_count][SC_RMETRIC_ALL] models of all parameters; made with a series, or NULL */
} sc_resources_place;

/* A call, by the context it stands in, its line and column. */
typedef struct sc_rcall {
  uint32_t context, line, column;
} sc_rcall;

enum { SC_RPOOL_ROLES = 8 }; /* of each side; of more those that do most */

typedef struct sc_rpool {
  uint32_t resource; /* the condition, or semaphore, that workers wait for */
  uint32_t answers;  /* the one that clients wait for meanwhile; SC_USAGE_NONE: not known, or none */
  sc_resource as;    /* what the condition's cell is taken for: units as many as workers */
  bool closed;       /* a client waits until what it asked for is done */
  double limit;      /* the most it can be busy, for another pool that it works for, or that works for it, is busier */
  sc_rcall take;     /* a worker's wait for work */
  uint32_t workers[SC_RPOOL_ROLES], clients[SC_RPOOL_ROLES];
  size_t worker_count, client_count;
} sc_rpool;

typedef struct sc_inner_lock sc_inner_lock; /* of inner_locks.c */

struct sc_resources {
  const sc_analysis *analysis;
  const sc_graph *graph;
  const size_t *graph_runs;  /* [run_count] of the graph; NULL: the analysis' */
  sc_resources_place *place; /* values of further parameters that metrics are predicted at; NULL: they are
                                measured */
  enum sc_parameter_kind kind;
  char **tasks; /* [task_count] */
  size_t task_count;
  const double *targets; /* the analysis' */
  size_t target_count;
  double level, horizon;
  double processors;       /* of the machine that measured; 0: not known */
  double other_processors; /* of the one that is asked about; 0: the same */
  const char *variable;
  double *run_sizes; /* [run_count] of the fitted runs, ascending */
  size_t run_count;
  double *sizes;  /* [size_count] distinct */
  size_t *starts; /* [size_count + 1] the first run of each size */
  size_t size_count;
  uint32_t resource_count;
  sc_resource_cell *cells; /* resources as wholes first, then by resource and context */
  size_t cell_count;
  size_t *cell_starts;        /* [resource_count + 1] */
  sc_rpool **pools;           /* [resource_count] NULL: not a queue of work (pools.h). NULL: there are none */
  sc_inner_lock *inner_locks; /* [inner_lock_count] locks inside of locks (inner_locks.h) */
  size_t inner_lock_count;
  sc_occupancy *occupancies; /* [run_count][resource_count] */
  double *buckets;           /* [run_count][resource_count][SC_RBUCKETS] exclusive holds (shared, if none are) */
  sc_fit *fit_counts, *fit_times;
  sc_resource_finding *findings;
  double *impacts; /* [finding_count] what ranks among findings of one severity */
  size_t finding_count, finding_capacity, impact_capacity;
  sc_scalability scalability;
};

/* Gathers rows and occupancies. */
int sc_resource_cells_gather(sc_resources *r) SC_CHECK;
void sc_resource_cells_free(sc_resources *r);
void sc_rseries_free(sc_rseries *series);
/* The index of the size n, or size_count if nothing was measured there. */
size_t sc_resources_size_of(const sc_resources *r, double n);
/* What a cell is of. */
static inline sc_resource_spot sc_resource_cell_spot(const sc_resource_cell *cell)
{
  return (sc_resource_spot){cell->resource, cell->context, cell->line, cell->column};
}
/* NULL where nothing was done to the resource there. */
const sc_resource_cell *sc_resource_cells_find(const sc_resources *r, const sc_resource_spot *spot);
/* Whether what a row says counts for the cell. */
bool sc_resource_cell_has(const sc_resources *r, const sc_resource_cell *cell, const sc_usage *row);
const sc_resource *sc_resource_cell_resource(const sc_resources *r, const sc_resource_cell *cell);
/* The index in the graph of a run of these. */
static inline size_t sc_rgraph_run(const sc_resources *r, size_t run)
{
  return r->graph_runs ? r->graph_runs[run] : sc_analysis_run(r->analysis, run);
}
static inline double sc_resource_cell_sum(const sc_resource_cell *cell, size_t run, int sum)
{
  return cell->sums[run * SC_RSUM_COUNT + (size_t)sum];
}
static inline const sc_occupancy *sc_resource_cell_occupancy(const sc_resources *r, const sc_resource_cell *cell,
                                                             size_t run)
{
  return &r->occupancies[run * r->resource_count + cell->resource];
}
/* Seconds in which it was under load, of the whole span: without what its places do that work once, when a server
 * begins and ends. A profile may not tell: the whole span then. */
static inline double sc_resource_cell_loaded(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
  return o->loaded_seconds > 0 ? o->loaded_seconds : o->span_seconds;
}
static inline double *sc_resource_cell_buckets(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  return &r->buckets[(run * r->resource_count + cell->resource) * SC_RBUCKETS];
}
/* The pool whose work is queued behind a condition; NULL: not a pool's. */
static inline const sc_rpool *sc_rpool_at(const sc_resources *r, uint32_t resource)
{
  return r->pools ? r->pools[resource] : NULL;
}
/* Those of the cell, if they are known; else NULL. */
static inline const sc_rprocessors *sc_rprocessors_known(const sc_resource_cell *cell)
{
  return cell->processors && !cell->processors->why ? cell->processors : NULL;
}
/* Classes whose waiting is no contention, or whose resource says so. */
bool sc_resource_cell_idle(const sc_resources *r, const sc_resource_cell *cell);
/* Mutexes, read-write locks and spin locks: each instance serves one thread at a time. */
bool sc_resource_cell_lock(const sc_resources *r, const sc_resource_cell *cell);
/* How many an instance serves at a time: 1, or the capacity that was told of what is no lock. */
double sc_resource_cell_servers(const sc_resources *r, const sc_resource_cell *cell);
/* Classes without names of their own (heap, descriptors, ...): what happens is reported for each site. */
bool sc_resource_cell_generic(const sc_resources *r, const sc_resource_cell *cell);
/* In scope, and what findings are about: a site of a class without names, any other resource as a whole; not pools,
 * which have a rule of their own. */
bool sc_resource_cell_judged(const sc_resources *r, const sc_resource_cell *cell);

/* A semaphore that one thread raises and another one takes: waiting for it, or failing to take it, is idling. */
bool sc_resource_cell_signal(const sc_resources *r, const sc_resource_cell *cell);

/* A semaphore whose capacity is each instance's initial value. */
bool sc_resource_cell_units_each(const sc_resources *r, const sc_resource_cell *cell);

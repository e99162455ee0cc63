/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_INTERNAL_H
#define SC_TRANSITIONS_RESOURCES_INTERNAL_H
/* What the files of this folder share about resources; nobody else includes it. */
#include "regress/choose/trend.h"
#include "transitions/resources/resources.h"

/* What is summed over the usage rows of a run: the values of a row, and parts of them. */
enum sc_rsum {
  SC_RSUM_SHARED_ACQUIRES = SC_USAGE_VALUES, /* of holds that do not exclude each other */
  SC_RSUM_SHARED_HOLDS,
  SC_RSUM_SHARED_SECONDS,
  SC_RSUM_RESIZES, /* by RESIZE rows */
  SC_RSUM_RESIZE_UNITS,
  SC_RSUM_RESIZE_RELEASED,
  SC_RSUM_LASTING, /* holds that ended and had lasted a good part of the resource's span */
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
/* With the time in it that threads had no processor, or without. */
static inline bool sc_rmetric_is_hold(int metric) { return metric == SC_RMETRIC_HOLD || metric == SC_RMETRIC_GRIP; }
static inline bool sc_rmetric_is_think(int metric) { return metric == SC_RMETRIC_THINK || metric == SC_RMETRIC_PACE; }

/* A series with what is said of it where no model can be told. */
typedef struct sc_rseries {
  sc_resource_series shown;
  sc_trend trend;
  bool trended;
  struct sc_rplane *plane; /* at other values of further parameters, instead of a trend; NULL: none (elsewhere.h) */
  double slope;            /* of times and ratios: the exponent that the sizes agree on (sc_trend_slope) */
  double doubt;            /* of times: the standard error that the machine adds to the exponent (sc_growth_judge) */
  double *sizes, *values;
} sc_rseries;

/* A resource as a whole (context SC_USAGE_NONE), a resource in a context, or, of classes without names of their own, in
 * a place there that acquires. */
typedef struct sc_rcell {
  uint32_t resource, context;
  uint32_t line, column;              /* of the call; 0: all else that the context does to the resource */
  double *sums;                       /* [run_count][SC_RSUM_COUNT] */
  bool exclusive;                     /* some hold excluded others */
  bool lent;                          /* a semaphore: units come back by other threads than took them */
  bool used;                          /* has use events */
  bool in_scope;                      /* a context in the analysis' scope took part */
  sc_rseries *series[SC_RMETRIC_ALL]; /* made when asked for */
  bool made[SC_RMETRIC_ALL];
  struct sc_calibration *calibration; /* calibrate.h; made when asked for */
  struct sc_rprocessors *processors;  /* processors.h; NULL: not a queue of threads */
} sc_rcell;

typedef struct sc_resources_place sc_resources_place;

struct sc_resources {
  const sc_analysis *analysis;
  const sc_graph *graph;
  const size_t *graph_runs;  /* [run_count] of the graph; NULL: the analysis' */
  sc_resources_place *place; /* values of further parameters that metrics are predicted at (elsewhere.h); NULL: they are
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
  sc_rcell *cells; /* resources as wholes first, then by resource and context */
  size_t cell_count;
  size_t *cell_starts;       /* [resource_count + 1] */
  struct sc_rpool **pools;   /* [resource_count] NULL: not a queue of work (pools.h). NULL: there are none */
  sc_occupancy *occupancies; /* [run_count][resource_count] */
  double *buckets;           /* [run_count][resource_count][SC_RBUCKETS] exclusive holds (shared, if none are) */
  sc_fit *fit_counts, *fit_times;
  sc_resource_finding *findings;
  double *impacts; /* [finding_count] what ranks among findings of one severity */
  size_t finding_count, finding_capacity, impact_capacity;
  sc_scalability scalability;
};

/* resources.c: everything but cells and findings. */
int sc_resources_prepare(const sc_analysis *analysis, const sc_resource_options *options,
                         sc_resources **resources) SC_CHECK;

/* cells.c: gathers rows and occupancies. */
int sc_rcells_gather(sc_resources *r) SC_CHECK;
void sc_rcells_free(sc_resources *r);
/* The resource as a whole (context SC_USAGE_NONE), or what no place of its own has in a context; NULL: there is none.
 */
const sc_rcell *sc_rcells_find(const sc_resources *r, uint32_t resource, uint32_t context);
/* Whether what a row says counts for the cell. */
bool sc_rcell_has(const sc_resources *r, const sc_rcell *cell, const sc_usage *row);
const sc_resource *sc_rcell_resource(const sc_resources *r, const sc_rcell *cell);
static inline double sc_rcell_sum(const sc_rcell *cell, size_t run, int sum)
{
  return cell->sums[run * SC_RSUM_COUNT + (size_t)sum];
}
static inline const sc_occupancy *sc_rcell_occupancy(const sc_resources *r, const sc_rcell *cell, size_t run)
{
  return &r->occupancies[run * r->resource_count + cell->resource];
}
static inline double *sc_rcell_buckets(const sc_resources *r, const sc_rcell *cell, size_t run)
{
  return &r->buckets[(run * r->resource_count + cell->resource) * SC_RBUCKETS];
}
/* Classes whose waiting is no contention, or whose resource says so. */
bool sc_rcell_idle(const sc_resources *r, const sc_rcell *cell);
/* Mutexes, read-write locks and spin locks: instances of which each serves one at a time. */
bool sc_rcell_lock(const sc_resources *r, const sc_rcell *cell);
/* Classes without names of their own (heap, descriptors, ...): what happens is told for each site. */
bool sc_rcell_generic(const sc_resources *r, const sc_rcell *cell);
/* In scope, and what findings are about: a site of a class without names, any other resource as a whole; not pools,
 * which have a rule of their own. */
bool sc_rcell_judged(const sc_resources *r, const sc_rcell *cell);

/* A semaphore that one thread raises and another one takes: waiting for it, or failing to take it, is idling. */
bool sc_rcell_signal(const sc_resources *r, const sc_rcell *cell);

/* A semaphore whose capacity is each instance's initial value. */
bool sc_rcell_units_each(const sc_resources *r, const sc_rcell *cell);

/* metrics.c: a metric in one run; false if it is not defined there. */
bool sc_rmetric_value(const sc_resources *r, const sc_rcell *cell, size_t run, int metric, double *value);
/* Median over the runs of a size; false if no run has a value. */
bool sc_rmetric_at(const sc_resources *r, const sc_rcell *cell, size_t size, int metric, double *value);
/* Median of values[count], which it sorts. */
double sc_rmetric_median(double *values, size_t count);
/* At the largest size, 0 if undefined. */
double sc_rmetric_last(const sc_resources *r, const sc_rcell *cell, int metric);
/* By how much the upper half of the sizes is above the lower half: ratio of medians; INFINITY from nothing; 1 if there
 * is nothing to compare. */
double sc_rmetric_rise(const sc_resources *r, const sc_rcell *cell, int metric);

/* typical.c: hold times as the program makes them, without what the machine adds: one value for each size of the series
 * [count at most]. Fills n[] and y[], returns how many. */
size_t sc_rtypical_holds(const sc_resources *r, const sc_rcell *cell, const sc_resource_series *series, double *n,
                         double *y);
/* Share of the mean hold of a run that is left without the longest twentieth of the holds: 1 where they are all alike,
 * or too few to tell. Of whole resources. */
double sc_rtypical_bulk(const sc_resources *r, const sc_rcell *cell, size_t run);
/* Share of the mean hold of a run that is left without those eight times as long as most; 1 where they are too many to
 * be a tail, or too few to tell. Of whole resources. */
double sc_rtypical_share(const sc_resources *r, const sc_rcell *cell, size_t run);
/* The least value of each size. */
size_t sc_rtypical_least(const sc_resource_series *series, double *n, double *y);

/* models.c: series and models, made once. *series is NULL if no run has a value. */
int sc_rseries_get(const sc_resources *r, const sc_rcell *cell, int metric, const sc_rseries **series) SC_CHECK;
void sc_rseries_free(sc_rseries *series);
/* The exponent with which it grows: of the model, or of the trend if that differs from 0 for certain, else 0. */
int sc_rseries_exponent(const sc_resources *r, const sc_rcell *cell, int metric, double *exponent) SC_CHECK;
/* Its slope; 0 for counts and without a series. */
int sc_rseries_slope(const sc_resources *r, const sc_rcell *cell, int metric, double *slope) SC_CHECK;
/* The model if it may be used and, where it grows superlinearly, is well supported; else NULL. */
const sc_model *sc_rseries_model(const sc_rseries *series);

/* predict.c: 0 in all if there is no series. A peak is at most what is acquired in all; numbers of acquires, releases
 * and units that never fell over the sizes are at least what was measured at a smaller one. */
int sc_rseries_predict(const sc_resources *r, const sc_rcell *cell, int metric, double n, sc_interval *out) SC_CHECK;
#endif

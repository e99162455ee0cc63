/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What the files of this folder share about an analysis; nobody else includes it. */
#include "profiles/graph/series.h"
#include "transitions/model/analysis.h"
#include "transitions/model/blend.h"
#include "transitions/model/loads.h"

enum sc_scope {
  SC_SCOPE_OUT,
  SC_SCOPE_TOP, /* a chosen root itself: how often it is called is given, not found */
  SC_SCOPE_IN
};

/* Series of counts that follow the sum that they are parts of (transitions/model/together.h). */
struct sc_together {
  uint32_t first; /* number of the first of them; 0: there are none */
  uint32_t *sums; /* [count] numbers of the series of their sums; SC_NONE: follows none after all */
  size_t count, capacity;
};

/* The elapsed time: processor time, times `rate`, and what is waited for (transitions/model/elapsed.h). */
struct sc_elapsed {
  bool known, of_costs;             /* of_costs: processor time is the total cost, else `processor` */
  double rate, rate_low, rate_high; /* elapsed seconds per second of processor time */
  sc_blend ready;                   /* seconds that it waits for a processor */
  sc_blend waiting, processor;      /* seconds */
  bool measured;                    /* what is waited for */
  double shares[SC_WAIT_KINDS];     /* of `waiting` */
  struct sc_waiting_place *places;  /* [place_count] where it waits (transitions/model/waiting.h) */
  size_t place_count;
  double threads;  /* the most that a run had */
  double together; /* threads that waited in places at a time, on average of the run with most; 0: runs differ */
};

/* Memory in use: start + at_size (n / size)^exponent bytes (transitions/model/footprint.h). */
struct sc_footprint {
  bool grows;
  double size, start, at_size, exponent;
  /* Shares of the time at the largest size that wait for it, at most: of any program, and as programs have it that go
   * to data now and then. */
  double waiting, seldom;
  /* Shares of the predicted time in places that may wait for each line: those that go over all again and again, and
   * others. */
  double walked, dependent;
  double streamed; /* in functions that go over memory in order: a line costs the root of what a step does (twice at 64
                      KiB, five times at 64 MiB were measured) */
};

/* Bytes that the largest run allocated; and of those, of places whose blocks are small there and large at the horizon
 * (transitions/model/large_blocks.h). */
struct sc_blocks {
  double allocated, becoming_large;
};

/* The times of the sizes where they leave open whether an execution costs the same at every size, and the largest
 * exponent that they may have (transitions/model/time_open.h). */
struct sc_time_open {
  struct sc_power_point *points; /* [count], ascending; none where it is known */
  size_t count;
  double exponent;
  double counts;  /* the exponent of what is executed */
  bool unnoticed; /* only where somebody would notice */
};

struct sc_analysis {
  const sc_graph *graph;
  sc_analysis_options options; /* strings and arrays owned */
  uint32_t contexts;
  size_t *runs;  /* [run_count] fitted, ascending by n */
  double *sizes; /* [run_count] */
  size_t run_count;
  unsigned char *scope; /* [contexts] enum sc_scope */
  uint32_t *series;     /* [contexts] number of the count's series; UINT32_MAX: not counted */
  sc_series_set counts; /* the distinct series; after the first `counted_series`, sums of them and what follows these */
  size_t counted_series;
  sc_model *models; /* [model_count] of the series, in their order, then of costs of uncounted contexts */
  size_t model_count, model_capacity;
  sc_loads loads;
  struct sc_spent *spent; /* what contexts cost in each run (transitions/model/spent.h); NULL: as sampled */
  const char *unit;       /* in `event`, or a literal */
  bool sampled;           /* costs were measured */
  char event[64];
  double quantile; /* of the normal distribution, for options.level */
  double modelled_share;
  sc_untold untold;
  bool moved;         /* executions are those of another place than the runs' */
  char held[128];     /* where other parameters stand in the runs (transitions/model/along.h); "": everywhere */
  bool few_samples;   /* costs come from the processor time of whole runs */
  double start;       /* the part of `total` that no context has: once a run, where samples are few; */
  sc_blend_part once; /* this part, where it is not 0 */
  struct sc_together together;
  sc_blend total;      /* cost of the scope */
  sc_blend executions; /* of the scope: counts, those of work by its weight */
  struct sc_footprint footprint;
  struct sc_blocks blocks;
  double busy; /* share of the largest sizes' time that they waited for a processor */
  struct sc_elapsed elapsed;
  struct sc_time_open time_open;
  struct sc_sums *sums; /* what both come to at sizes asked before (transitions/model/sums.h) */
};

/* The series every analysis starts with: 1 in every run, "one workload". */
enum { SC_SERIES_ONE = 0 };
#define SC_NONE UINT32_MAX

/* How a context is predicted; valid until one is set. */
static inline const sc_load *sc_analysis_load(const sc_analysis *analysis, uint32_t context)
{
  return sc_loads_at(&analysis->loads, context);
}
/* Adds a model and returns its number in *number; pointers to models become invalid. */
int sc_analysis_add_model(sc_analysis *analysis, const sc_model *model, uint32_t *number) SC_CHECK;
/* The same as sc_analysis_in_scope, of a context that the graph has. */
static inline bool sc_analysis_has(const sc_analysis *analysis, uint32_t context)
{
  return analysis->scope[context] != SC_SCOPE_OUT;
}
/* True for functions, loops and work: what is counted. */
static inline bool sc_analysis_counted(const sc_analysis *analysis, uint32_t context)
{
  return sc_location_is_counted(sc_graph_at(analysis->graph, context));
}
/* True if the context is counted, in scope and its model may be used. */
static inline bool sc_analysis_known(const sc_analysis *analysis, uint32_t context)
{
  uint32_t series = analysis->series[context];
  return series != SC_NONE && analysis->models[series].verdict == SC_VERDICT_MODEL;
}
/* The nearest ancestor that is counted, in scope or not, or 0 (the root, executed once). */
uint32_t sc_analysis_counted_ancestor(const sc_analysis *analysis, uint32_t context);
/* A number of its count in executions: units of work as many as take as long. */
static inline double sc_analysis_executions(const sc_analysis *analysis, uint32_t context, double count)
{
  return count * sc_location_weight(sc_graph_at(analysis->graph, context));
}
/* The context's series, [run_count]; only for counted contexts in scope. */
static inline const double *sc_analysis_values(const sc_analysis *analysis, uint32_t context)
{
  return sc_series_row(&analysis->counts, analysis->series[context]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdio.h>

#include "base/buf.h"
#include "runner/judge/judge.h"

/* A study at one size, as profiles of other tools see it: what `scale-run export` writes in their formats. */
enum { SC_EXPORT_NONE = UINT32_MAX };

enum sc_export_metric {
  SC_EXPORT_EXECUTIONS, /* of everything: work is in it by its weight (sc_location_weight) */
  SC_EXPORT_COST,
  SC_EXPORT_STORED,                   /* every node has its own value of the metrics above */
  SC_EXPORT_BYTES = SC_EXPORT_STORED, /* work of library functions, a metric for each enum sc_work_unit */
  SC_EXPORT_CHARACTERS,
  SC_EXPORT_ELEMENTS,
  SC_EXPORT_OPERATIONS,
  SC_EXPORT_MICROSECONDS,
  SC_EXPORT_FAULTS,
  SC_EXPORT_BLOCKS,
  SC_EXPORT_METRICS
};

typedef struct sc_export_frame { /* what stands in a stack: a location */
  char *name; /* "loop blocks.c:1075:3", valid UTF-8 without control characters; no two frames have the same */
  const sc_location *at;
} sc_export_frame;

typedef struct sc_export_node { /* a calling context that has something, or below which something is; folded ones
                                   (sc_graph_folded) are part of the call of the library that they belong to */
  uint32_t context;
  uint32_t parent; /* index of a node before this one, or SC_EXPORT_NONE */
  uint32_t frame;
  sc_interval own[SC_EXPORT_STORED]; /* without what is below it; all three the same where it was measured */
  double entered;                    /* executions of the context itself, without folded frames that are part of it */
  double work;                       /* of a library function: how much, in the unit of its frame's location */
} sc_export_node;

typedef struct sc_export {
  const sc_judge *judge;
  const char *variable; /* the parameter */
  double n;
  bool predicted; /* else the mean over `runs` runs of this size */
  size_t runs;
  bool has_cost;                   /* costs were sampled; else every node's is 0, and has[SC_EXPORT_COST] is false */
  bool waiting;                    /* the costs are seconds that calls wait, of all threads */
  bool seconds;                    /* they are seconds */
  const char *unit;                /* else what they are: "page-faults" */
  bool has[SC_EXPORT_METRICS];     /* what formats with several metrics show */
  enum sc_export_metric first;     /* what the reader wants to see first */
  double total[SC_EXPORT_METRICS]; /* sums over the nodes */
  double elapsed;                  /* seconds of a run; 0: not known */
  sc_export_node *nodes;
  uint32_t count;
  sc_export_frame *frames;
  uint32_t frame_count;
} sc_export;

/* The contexts at size n: as measured where it was run, else as predicted. `metric` NULL: cost first if there is any;
 * "waiting": what calls wait in place of it; "bytes": that work first. Work of a unit whose total has no room in 63
 * bits is left out, unless it is first. The judge must outlive the result; sc_export_free also after an error. */
int sc_export_make(const sc_judge *judge, double n, const char *metric, sc_export *out) SC_CHECK;
void sc_export_free(sc_export *out);

/* A node's own value. */
double sc_export_own(const sc_export *out, uint32_t node, enum sc_export_metric metric);
/* Own values as whole numbers, of seconds the nanoseconds: none is off by 1 or more, and their sum is that of the
 * values, rounded. wholes[count]. SC_E_INPUT where the total is 2^63 or more. */
int sc_export_whole(const sc_export *out, enum sc_export_metric metric, int64_t *wholes) SC_CHECK;
/* "cpu", "page-faults", "executions" or "bytes": the metric's name; "nanoseconds", "count" or "bytes": the unit of its
 * whole numbers. */
const char *sc_export_metric_name(const sc_export *out, enum sc_export_metric metric);
const char *sc_export_metric_unit(const sc_export *out, enum sc_export_metric metric);
/* The line in its parent from which a node is called; 0: unknown. */
uint32_t sc_export_call_line(const sc_export *out, uint32_t node);
/* "scale.db at n = 1,000,000, threads = 64, predicted from n = 100 to 6,400", valid UTF-8. */
void sc_export_title(const sc_export *out, sc_buf *title);

/* The formats, a file each. They say nothing of a stream that fails: sc_outfile_close does. */
typedef int (*sc_export_write_fn)(FILE *stream, const sc_export *out);
/* One profile to a stream; SC_E_NOMEM, SC_E_INPUT of what the format cannot hold. */
int sc_export_pprof(FILE *stream, const sc_export *out) SC_CHECK;
int sc_export_folded(FILE *stream, const sc_export *out) SC_CHECK;
/* Of one study at several sizes, or combinations of further parameters, in one file: list[count], at least one. */
int sc_export_speedscope_all(FILE *stream, const sc_export *list, size_t count) SC_CHECK;
int sc_export_callgrind(FILE *stream, const sc_export *out) SC_CHECK;

/* The series that models are fitted to, of all contexts in scope, as Extra-P's JSON Lines: a line for each point. */
int sc_export_series(FILE *stream, const sc_judge *judge) SC_CHECK;
/* The traced events of raw profiles as Chrome's JSON. SC_E_INPUT for a profile without a trace. */
int sc_export_trace(FILE *stream, const char *const *paths, size_t count) SC_CHECK;

/* The frames of the contexts that are wanted[contexts] (NULL: of all), with short names (sc_shorten_name) or whole
 * ones: *frames [*count], to be released with sc_export_frames_free, and frame_of[contexts], SC_EXPORT_NONE for the
 * others. */
int sc_export_frames(const sc_graph *graph, const bool *wanted, bool brief, sc_export_frame **frames, uint32_t *count,
                     uint32_t *frame_of) SC_CHECK;
void sc_export_frames_free(sc_export_frame *frames, uint32_t count);

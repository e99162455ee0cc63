/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_BLAME_SUMS_H
#define SC_TRANSITIONS_BLAME_SUMS_H
#include "transitions/resources/blame.h"

/* Usages and wait pairs of all runs of one size, added up and divided by the number of runs. */
typedef struct sc_blame_row {
  sc_blame_end at;
  uint32_t resource;
  enum sc_usage_event event;
  double values[SC_USAGE_VALUES];
  double longest; /* hold, in seconds: at least so long, from the histogram; 0: no hold ended */
} sc_blame_row;

typedef struct sc_blame_pair {
  uint32_t waiter, holder; /* rows; holder SC_USAGE_NONE: not known */
  sc_blame_sum waits;
} sc_blame_pair;

typedef struct sc_blame_sums {
  sc_blame_row *rows; /* by context, resource, via, shared, event */
  size_t row_count;
  sc_blame_pair *pairs; /* by waiter, holder */
  size_t pair_count;
} sc_blame_sums;

int sc_blame_sums_new(const sc_graph *graph, double n, const double *others, sc_blame_sums *sums) SC_CHECK;
/* Whether a run is no target, and has these values of further parameters (NULL: any). */
bool sc_blame_takes(const sc_graph *graph, size_t run, const double *others);
void sc_blame_sums_free(sc_blame_sums *sums);
/* The same row or pair in the sums of another size; NULL if there is none. */
const sc_blame_row *sc_blame_sums_row(const sc_blame_sums *sums, const sc_blame_row *like);
const sc_blame_pair *sc_blame_sums_pair(const sc_blame_sums *sums, const sc_blame_sums *other,
                                        const sc_blame_pair *like);
/* How often and how long a row waited, and had what it acquired; 0 of NULL. */
sc_blame_sum sc_blame_waits(const sc_blame_row *row);
sc_blame_sum sc_blame_holds(const sc_blame_row *row);

/* A resource being blamed. */
typedef struct sc_blame_slice {
  const sc_graph *graph;
  uint32_t resource;
  sc_blame_sums sums[SC_BLAME_SIZES];
  sc_blame *blame;
} sc_blame_slice;

/* Fills in blame->edges, waits and expected (blame_edges.c). */
int sc_blame_find_edges(sc_blame_slice *slice) SC_CHECK;
#endif

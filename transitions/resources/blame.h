/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/usage.h"

/*
 * Who waits for a resource, and who is to blame: the wait-for graph summed over a run, at the smallest and at the
 * largest measured size, and Argus's backward slice over it: from the context that waits most back along the holders,
 * as long as a holder itself waits for something while it holds. docs/blame.md has the rules.
 */
enum { SC_BLAME_SMALL, SC_BLAME_LARGE, SC_BLAME_SIZES }; /* smallest and largest size measured */

/* A call that acquires, on either side of a wait. */
typedef struct sc_blame_end {
  uint32_t context;      /* SC_USAGE_NONE: not known */
  const char *via;       /* NULL: not known */
  uint32_t line, column; /* of the call, or 0 */
  bool shared;
} sc_blame_end;

/* Times something happened, and how long it took in all: means over the runs of a size. */
typedef struct sc_blame_sum {
  double count, seconds;
} sc_blame_sum;

/* One waits while the other one holds. */
typedef struct sc_blame_edge {
  uint32_t resource;
  sc_blame_end waiter, holder;
  sc_blame_sum waits[SC_BLAME_SIZES];
  double share; /* of all waiting for the resource at the largest size, in seconds, 0..1 */
} sc_blame_edge;

/* A step of the slice: `waiter` waits for `resource`, most of the time for `holder`. */
typedef struct sc_blame_step {
  uint32_t resource;
  sc_blame_end waiter, holder;
  sc_blame_sum waits[SC_BLAME_SIZES]; /* of the waiter for this holder */
  sc_blame_sum holds[SC_BLAME_SIZES]; /* of the holder, whoever waits */
  double longest; /* of the holder's holds at the largest size, seconds: at least so long; 0: none */
  double share;   /* of the waiter's waiting for the resource that is for this holder */
  double waiting; /* share of the holder's time with the resource in which it waits itself, as the
                     next step says; 0: it does not */
} sc_blame_step;

enum sc_blame_end_of_chain {
  SC_BLAME_NOBODY_WAITS, /* no chain */
  SC_BLAME_HOLDER,       /* the last holder is not itself waiting: its holds make the others wait */
  SC_BLAME_CYCLE,        /* the last holder waits as step `cycle` says */
  SC_BLAME_UNKNOWN       /* nobody knows who held it */
};

typedef struct sc_blame {
  double sizes[SC_BLAME_SIZES];
  bool expected;        /* nobody waits at the largest size: edges are who would, by acquires and holds; waits are 0 */
  sc_blame_edge *edges; /* [edge_count] of the resource, worst first */
  size_t edge_count;
  sc_blame_sum waits[SC_BLAME_SIZES]; /* for the resource, by whomever */
  sc_blame_step *chain;               /* [chain_count] the slice, beginning with who waits most */
  size_t chain_count;
  enum sc_blame_end_of_chain end;
  size_t cycle;
} sc_blame;

/* Of the runs that are not targets, and have the values `others` [SC_RUN_OTHERS] of further parameters (NULL: any).
 * *blame is to be released with sc_blame_free, also after an error. */
int sc_blame_new(const sc_graph *graph, uint32_t resource, const double *others, sc_blame *blame) SC_CHECK;
void sc_blame_free(sc_blame *blame);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/pool_parts.h"

/* What a pool that conditions suggest had to do in each run, and whether that is what a pool's work looks like. */
enum sc_rload_column {
  SC_RLOAD_ITEMS,     /* requests served */
  SC_RLOAD_TAKES,     /* times that a worker went for work */
  SC_RLOAD_REQUESTS,  /* signals of its clients */
  SC_RLOAD_BUSY,      /* seconds of all workers */
  SC_RLOAD_SHARE,     /* of their time that they are busy */
  SC_RLOAD_ANSWER,    /* seconds that clients wait for one answer */
  SC_RLOAD_CUSTOMERS, /* clients */
  SC_RLOAD_WAITS,     /* of workers */
  SC_RLOAD_SPAN,      /* seconds */
  SC_RLOAD_WAITED,    /* seconds that clients wait for a worker */
  SC_RLOAD_ACTIVE,    /* seconds that clients are there */
  SC_RLOAD_COLUMNS
};

typedef struct sc_rload {
  const sc_resources *r;
  const sc_rparts *all;
  sc_rpool pool;
  bool by_role;                      /* only what its workers' role does counts as theirs */
  bool timed;                        /* its workers wait with a time limit */
  double *columns[SC_RLOAD_COLUMNS]; /* [run_count] */
} sc_rload;

/* Threads that ask and are counted with the condition's, as they wait for it, too, when all is over. */
double sc_rload_asking(const sc_rload *load, size_t run);
/* Fills everything but `waited` and `active`, while the cells of conditions still say what was recorded of them. */
int sc_rload_make(sc_rload *load) SC_CHECK;
void sc_rload_free(sc_rload *load);
/* Whether it gets more to do with more clients. If so, fills the rest. */
bool sc_rload_fits(sc_rload *load);
/* Busy share at the largest size. */
double sc_rload_share(const sc_rload *load);
/* Makes the condition's cell say what a resource's does. */
void sc_rload_write(sc_resources *r, const sc_rload *load);

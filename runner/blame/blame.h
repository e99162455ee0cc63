/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/report/text.h"
#include "transitions/resources/blame.h"

/* The wait-for picture of a resource with what is predicted of it: what `scale-run blame` prints. */
typedef struct sc_blame_view {
  const sc_judge *judge;
  uint32_t resource;
  sc_blame blame;
  const double *targets; /* [target_count] the analysis' */
  size_t target_count;
  bool pool;      /* a condition that a pool's threads wait for: nothing is predicted of it */
  bool elsewhere; /* pairs are those of the runs nearest to the judge's values of further parameters, which have the */
  double others[SC_RUN_OTHERS]; /* values */
  size_t number;                /* of several in one picture, from 1 on; 0: the only one */
  sc_interval *seconds, *each;  /* [target_count] predicted waiting: in all, by whomever; each time it is acquired */
} sc_blame_view;

/* sc_blame_view_free also after an error. */
int sc_blame_view_make(const sc_judge *judge, uint32_t resource, sc_blame_view *view) SC_CHECK;
void sc_blame_view_free(sc_blame_view *view);
/* "n = 6,400", of runs at other values of further parameters "n = 6,400, threads = 8". */
void sc_blame_view_size(const sc_blame_view *view, double n, sc_buf *out);

/* The view for people, at most options->width columns. */
void sc_blame_print_text(FILE *out, const sc_blame_view *view, const sc_text_options *options);
/* With a number a cluster, for a graph around it (sc_combine_write). */
int sc_blame_print_dot(FILE *out, const sc_blame_view *view) SC_CHECK;
int sc_blame_print_json(FILE *out, const sc_blame_view *view) SC_CHECK;

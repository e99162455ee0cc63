/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "instrument/attach/catch.h"
#include "profiles/graph/graph.h"
#include "runner/process/running.h"

/* What the kernel adds up of threads by itself, between two moments (docs/attach.md, "Kernel metrics"): of those that
 * live by /proc, of those that ended meanwhile by the catch. */

/* Of sums: members of struct scale_consumed. */
enum { SC_CONSUMED_KINDS = sizeof(struct scale_consumed) / sizeof(unsigned long long) };

typedef struct sc_consumed_image {
  char image[256];                /* name of the executable, without the folder */
  double sums[SC_CONSUMED_KINDS]; /* in the order and the units of struct scale_consumed */
} sc_consumed_image;

typedef struct sc_consumed {
  sc_consumed_image *list;
  size_t count, room;
  bool known; /* false: /proc does not tell, or it did not begin */
} sc_consumed;

/* The first moment: these processes are of the run (sc_catch_join was called). SC_E_NOMEM. To be released with
 * sc_consumed_free, also after an error. */
int sc_consumed_begin(sc_consumed *consumed, sc_catch *caught, const sc_running_tree *tree) SC_CHECK;
/* Further processes that are of the run from now on. */
int sc_consumed_join(sc_consumed *consumed, const sc_running_tree *tree) SC_CHECK;
/* The last moment; the catch has ended (sc_catch_end). `tree`: processes that live. */
int sc_consumed_end(sc_consumed *consumed, sc_catch *caught, const sc_running_tree *tree) SC_CHECK;
/* Adds them to a run, multiplied with `scale`, as work right below the processes. Where earlier runs have none, none
 * are added: they would be known at some sizes only. */
int sc_consumed_collect(const sc_consumed *consumed, sc_graph *graph, size_t run, double scale) SC_CHECK;
void sc_consumed_free(sc_consumed *consumed);

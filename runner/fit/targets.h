/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/fit/store.h"

/*
 * --at of `scale-run fit`: groups of sizes. "12800,64000" for series of one parameter; "n=12800,64000,threads=8,16" all
 * combinations, four here. "10x" is ten times a series' largest size.
 */
typedef struct sc_targets_axis {
  char *name; /* NULL: the only parameter */
  double *sizes;
  bool *relative; /* the size is a multiple of the series' largest */
  size_t count;
} sc_targets_axis;
typedef struct sc_targets_group {
  sc_targets_axis *axes;
  size_t count;
} sc_targets_group;
typedef struct sc_targets {
  sc_targets_group *groups;
  size_t count;
} sc_targets;

/* `list`: all --at, joined by semicolons; NULL: none. SC_E_USAGE. */
int sc_targets_parse(const char *list, sc_targets *targets) SC_CHECK;
void sc_targets_free(sc_targets *targets);
/* SC_E_USAGE for a name that no series' parameter has. */
int sc_targets_check(const sc_targets *targets, const sc_store *store) SC_CHECK;

/* The points at which a series is to be predicted: *points is [count][set->count], of `capacity` doubles, and grows.
 * `low` and `high`: [set->count], the range of each parameter. SC_E_USAGE where a parameter that varies is left out. */
int sc_targets_expand(const sc_targets *targets, const sc_store_series *series, const double *low, const double *high,
                      double **points, size_t *capacity, size_t *count) SC_CHECK;

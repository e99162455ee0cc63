/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/fit/input.h"
#include "runner/fit/spool.h"

/*
 * Measurements, gathered to series whatever order they come in. A series is what has the same callpath, metric and
 * unit. Nobody can know before the end of the input that a series is complete, so all are kept: the points in a spool
 * (memory, then a temporary file), 32 bytes and a slot of a hash table for each series in memory. The points of a
 * series that come together are one segment of the spool; those of one whose points are scattered, a chain of segments.
 */
enum { SC_STORE_PARAMETERS = 8 };

typedef struct sc_measurement {
  sc_view callpath, metric, unit; /* unit: length 0 if not known */
  sc_view names[SC_STORE_PARAMETERS];
  double at[SC_STORE_PARAMETERS];
  size_t parameters;
  const double *values; /* [count] repeats at this point */
  size_t count;
} sc_measurement;

/* A set of parameters; the strings live as long as the store. */
typedef struct sc_store_set {
  char *names[SC_STORE_PARAMETERS];
  size_t count;
} sc_store_set;

/* One series, read back: valid until the next one is loaded. */
typedef struct sc_store_series {
  sc_view callpath, metric, unit;
  const sc_store_set *set;
  double *at;                  /* [observations][set->count]; repeats stand one behind the other */
  double *y;                   /* [observations] */
  size_t observations, points; /* points: as they were added */
  size_t *repeats;             /* [points] */
  bool bad;                    /* a measurement of it was refused */
} sc_store_series;

typedef struct sc_store sc_store;
int sc_store_new(size_t memory, sc_store **store) SC_CHECK; /* memory: of the spool; 0: as it likes */
void sc_store_free(sc_store *store);
/* SC_E_INPUT if sizes or values are not what can be fitted, or the parameters are not those of the series so far; the
 * message names the series. */
int sc_store_add(sc_store *store, const sc_measurement *measurement) SC_CHECK;
/* Marks the series that a refused measurement belongs to. */
int sc_store_refuse(sc_store *store, const sc_measurement *measurement) SC_CHECK;
/* The end of the input. */
int sc_store_finish(sc_store *store) SC_CHECK;
/* In the order in which they came first. */
size_t sc_store_count(const sc_store *store);
size_t sc_store_set_count(const sc_store *store);
const sc_store_set *sc_store_get_set(const sc_store *store, size_t index);
int sc_store_load(sc_store *store, size_t index, sc_store_series *series) SC_CHECK;

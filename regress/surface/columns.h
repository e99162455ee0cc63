/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>

#include "regress/surface/internal.h"

/* All products of the parameters' factors as columns of one design, and what sums of them are like. */

enum { SC_SURFACE_CORNERS = 2 << SC_SURFACE_PARAMETERS };

/* A sum: its columns in ascending order, but for the last one while it is being extended. */
typedef struct sc_surface_set {
  unsigned short column[SC_SURFACE_TERMS];
  size_t count;
  double rss, score;
} sc_surface_set;

typedef struct sc_surface_columns {
  const sc_surface_points *points;
  const sc_surface_space *space;
  sc_surface_pair pair;
  size_t count, corners;
  double *x;            /* [count][points] weighted values, of length 1 */
  double *gram;         /* [count][count] */
  double *xy;           /* [count] */
  double *norm;         /* [count]; 0: not usable */
  double *cost;         /* [count] prior cost */
  double *corner;       /* [count][SC_SURFACE_CORNERS] values at the ends of the ranges, then far beyond */
  double *y, *left;     /* [points] weighted values; residuals of a search */
  double yy, rounding;  /* sum of the values' squares, and what of it rounding may leave */
  unsigned char *digit; /* [count][SC_SURFACE_PARAMETERS] which factors */
  uint64_t *bits;       /* [count] the same as one bit per factor of each parameter */
  uint64_t free;        /* the factors whose exponent was fitted */
  unsigned char rank[SC_SURFACE_PARAMETERS][SC_SURFACE_FACTORS]; /* of a factor's growth; 0: constant or falling */
  size_t functions[SC_SURFACE_PARAMETERS];                       /* how many of a parameter its values can tell apart */
  double rarity[SC_SURFACE_TERMS + 1];                           /* [terms]: log of the number of sums of that many */
} sc_surface_columns;

/* Into the engine's buffer. */
int sc_surface_columns_fill(sc_surface_engine *engine, const sc_surface_pair *pair,
                            sc_surface_columns *columns) SC_CHECK;
sc_surface_term sc_surface_columns_term(const sc_surface_columns *columns, size_t c);
/* Of the factors in `bits`: free exponents among them; whether each parameter has values enough for them. */
size_t sc_surface_columns_free(const sc_surface_columns *columns, uint64_t bits);
bool sc_surface_columns_told(const sc_surface_columns *columns, uint64_t bits);
/* Prior cost of a sum of `count` terms whose columns' costs are `cost` together. */
double sc_surface_columns_prior(const sc_surface_columns *columns, size_t count, double cost, uint64_t bits);
/* Whether the sum may be a count: not negative, no difference of parts that cancel, no leading term that is another
 * one's residual; and whether it has the pair together, if that is asked for. */
bool sc_surface_columns_sane(const sc_surface_columns *columns, const sc_surface_set *set, const double *coefficient);

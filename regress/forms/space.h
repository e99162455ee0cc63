/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"

/* The model space of the default engine; docs/models.md gives the reason for every part. */
enum { SC_SPACE_GROWTHS = 18, SC_SPACE_COLUMNS = SC_SPACE_GROWTHS + 1, SC_SPACE_CANDIDATE_TERMS = 3 };
/* The exponents at which free powers are looked for first, from 0.1 to 6.9; never whole ones, which a term beside may
 * have.
 */
enum { SC_SPACE_POWERS = 35 };
/* The scales at which saturations are looked for first: from twice the largest size down, by this factor each. */
enum { SC_SPACE_SATURATIONS = 12, SC_SPACE_SCRATCH = 4 };

/* One hypothesis: columns (0 is the constant, others growth terms, leading first). */
typedef struct sc_space_candidate {
  unsigned char column[SC_SPACE_CANDIDATE_TERMS], count;
  /* Prior cost in units of -2 log likelihood, of measurements and of exact counts: how unusual the form is for a
   * program. Counts come from loops, and nested loops make polynomials: other forms cost more for them. */
  float cost, counted_cost;
} sc_space_candidate;

/* Inner products of the columns, each divided by its norm, and the same with what a constant explains taken out. */
typedef struct sc_space_products {
  double product[SC_SPACE_COLUMNS][SC_SPACE_COLUMNS], right[SC_SPACE_COLUMNS];
  double beside[SC_SPACE_COLUMNS][SC_SPACE_COLUMNS], beside_right[SC_SPACE_COLUMNS];
  double last[SC_SPACE_COLUMNS]; /* the scaled column at the largest size */
  double total, beside_total;    /* target with itself */
} sc_space_products;

typedef struct sc_space {
  sc_space_candidate *candidates;
  size_t candidate_count;
  double *basis;                 /* [sizes][SC_SPACE_COLUMNS] values at the current sizes */
  double *powers;                /* [SC_SPACE_POWERS][sizes] (n / largest n)^e */
  double *hyperbolic, *approach; /* [SC_SPACE_SATURATIONS][sizes] */
  double *scratch;               /* [SC_SPACE_SCRATCH][sizes] */
  size_t capacity;
  sc_space_products products;
  bool ready; /* basis is that of the sizes at hand; cleared when the sizes change */
} sc_space;

/* sums: of two growth terms, too. */
int sc_space_new(sc_space *space, bool sums) SC_CHECK;
void sc_space_free(sc_space *space);
/* Computes the basis at the points' sizes unless `ready`. */
int sc_space_prepare(sc_space *space, const sc_points *points) SC_CHECK;
/* The inner products of the points' columns, and what a hypothesis leaves of the weighted sum of squares: infinity if
 * it is no growing, non-negative count function. */
void sc_space_gather(sc_space *space, const sc_points *points);
double sc_space_residual(const sc_space *space, const sc_space_candidate *candidate);
/* A sum of squares that is a difference may be below 0 by rounding. Not fmax, a function that is not inlined. */
static inline double sc_space_squares(double difference) { return difference > 0 ? difference : 0; }
sc_term sc_space_term(size_t column);
float sc_space_growth_cost(bool counted); /* the price of any growth */
double sc_space_power(size_t index);      /* the exponent of a row of `powers` */
double sc_space_saturation(size_t index); /* the scale of a row of `hyperbolic` or `approach` by the largest size */
/* Whether a sum may be a count's growth, from its parts at the largest size: leading term, sum, sum of magnitudes;
 * on_constant: it is one term and a constant; rss: the weighted sum of squares that is left. */
bool sc_space_shape(double lead, double sum, double magnitude, bool on_constant, double rss);

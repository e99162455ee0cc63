/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_CANDIDATE_H
#define SC_REGRESS_CANDIDATE_H
#include "regress/engine.h"

/* Exact counts come from loops, and nested loops make polynomials: other forms cost this much more for them. */
enum { SC_CANDIDATE_WHOLE = 2 };
enum { SC_CANDIDATE_POWERS = 2 };

/* A hypothesis under examination. */
typedef struct sc_candidate {
  sc_term terms[SC_MODEL_TERMS];
  size_t count, parameters; /* terms; fitted numbers, a free exponent included */
  double cost;              /* prior cost, units of -2 log likelihood */
  sc_wls_result fit;
  double forward_square, forward_error; /* mean square and mean size of the relative errors in forward validation */
  double score;                         /* lower is better */
} sc_candidate;

/* Score from fit and forward validation; see docs/models.md. `forward` may be NAN: not known yet. */
double sc_candidate_score(const sc_points *points, double rss, double forward_square, size_t parameters, double cost);
/* Fits, validates forward on the largest sizes, scores. SC_E_NUMERIC if it is no count function (falls below zero,
 * cancels, cannot be solved). */
int sc_candidate_examine(sc_engine *engine, sc_candidate *candidate) SC_CHECK;
/* The best exponents for c n^e and c n^e + d: candidates[SC_CANDIDATE_POWERS], returns how many exist. */
size_t sc_candidate_free_powers(const sc_points *points, sc_candidate *candidates);
#endif

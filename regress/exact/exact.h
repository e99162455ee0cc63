/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"

/*
 * Recognises whole-number counts that a formula reproduces at every size: polynomials, rounded logarithms and roots,
 * capacities that double, blocks, and pieces of these. What is believed is decided by the length of the description:
 * docs/models.md, "Exact counts".
 */
typedef struct sc_exact_model {
  sc_term terms[SC_MODEL_TERMS]; /* leading first; of the last piece */
  size_t term_count;
  sc_piece pieces[SC_MODEL_PIECES];
  size_t piece_count;
  double bits;   /* length of the description */
  double weight; /* how likely beside the best: 2 to the difference of the lengths */
  bool between;  /* says the same as the best at multiples of a block, as all sizes are: only the interval needs it */
} sc_exact_model;

enum { SC_EXACT_MODELS = 1 + SC_MODEL_RIVALS };

typedef struct sc_exact_result {
  sc_exact_model models[SC_EXACT_MODELS]; /* best first */
  size_t count;                           /* 0: nothing worth telling reproduces the counts */
  size_t first;                           /* the size from which on the best holds; those before follow no formula */
  double surplus;                         /* bits that the best saves; the odds of a chance hit are 2^-surplus */
  bool believed; /* it saves enough to be no chance hit; else it is a guess for want of anything better */
  bool sure;     /* the others, if any, differ from the best at few sizes only */
} sc_exact_result;

typedef struct sc_exact sc_exact; /* what is kept from series to series; one thread at a time */
int sc_exact_new(sc_exact **exact) SC_CHECK;
void sc_exact_free(sc_exact *exact);
/* Looks for exact models of the points, which must be sorted. No result is no error. */
int sc_exact_find(sc_exact *exact, const sc_points *points, sc_exact_result *out) SC_CHECK;

/* Whether all sizes are a power of two apart (100, 200, 400): a count that follows floor(log2 n), or capacities that
 * double, then looks like a smooth function. */
bool sc_exact_doubling(const sc_points *points);

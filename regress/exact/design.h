/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"
#include "regress/exact/sets.h"

/*
 * What recognising needs of the sizes alone, computed once for all series that have them. A sum of k functions leaves
 * one linear relation between the values at k + 1 sizes: a series that breaks it does not have that sum, which costs k
 * + 1 multiplications to see. Private to exact*.c.
 */
enum { SC_EXACT_ROWS = 12 };

/* The values at the first `count` rows give those at the others: value at rows[count + r] == sum of weight[r][i] *
 * value at rows[i]. */
typedef struct sc_exact_relation {
  sc_exact_set set;
  unsigned rows[SC_EXACT_ROWS], row_count;
  double weight[SC_EXACT_ROWS - 1][SC_MODEL_TERMS];
} sc_exact_relation;

typedef struct sc_exact_design {
  double *n;
  size_t count;
  sc_exact_relation *relations; /* those of the sets whose functions differ at these sizes: polynomials, then others */
  size_t polynomials, relation_count;
  /* The same for the functions that a piece may have and each run of neighbouring sizes: weights of the relation of the
   * sizes i .. i + k, where there are such; NAN: none. */
  double *windows;     /* [SC_EXACT_PIECES][count][SC_EXACT_PIECE_TERMS] */
  bool doubling;       /* 2^ceil(log2 n) is proportional to n here */
  bool complete;       /* all is known; else the polynomials' relations and `doubling` */
  long double *sample; /* [SC_EXACT_ROWS][SC_EXACT_COLUMNS] the functions at the sizes that relations are taken from */
} sc_exact_design;

typedef struct sc_exact_designs sc_exact_designs;
/* Designs of the sizes asked for last. SC_E_NOMEM; freeing NULL does nothing. */
int sc_exact_designs_new(sc_exact_designs **designs) SC_CHECK;
void sc_exact_designs_free(sc_exact_designs *designs);
/* The design of the points' sizes, which must be whole numbers; kept for those that come again soon. */
int sc_exact_designs_get(sc_exact_designs *designs, const sc_points *points, sc_exact_design **design) SC_CHECK;
/* Computes what `complete` says is missing. SC_E_NOMEM. */
int sc_exact_designs_complete(sc_exact_designs *designs, sc_exact_design *design) SC_CHECK;

/* Whether y == sum of weight[i] * values at rows[i], as far as double can tell. */
static inline bool sc_exact_obeys(const double *values, const unsigned *rows, const double *weight, size_t count,
                                  double y)
{
  double off = -y, size = y;
  for (size_t i = 0; i < count; i++) {
    double part = weight[i] * values[rows[i]];
    off += part;
    size += part < 0 ? -part : part;
  }
  return off <= 1e-13 * size && -off <= 1e-13 * size;
}
/* Whether the values at the sizes from i on obey the relation of a set of a piece; false where it has none. */
static inline bool sc_exact_window_obeys(const sc_exact_design *design, const double *y, size_t set, size_t i)
{
  static const unsigned rows[] = {0, 1, 2, 3};
  size_t count = sc_exact_piece_sets[set].count;
  return i + count < design->count &&
         sc_exact_obeys(y + i, rows, design->windows + (set * design->count + i) * SC_EXACT_PIECE_TERMS, count,
                        y[i + count]);
}

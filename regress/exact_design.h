/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_EXACT_DESIGN_H
#define SC_REGRESS_EXACT_DESIGN_H
#include "regress/exact_sum.h"
#include "regress/points.h"

/*
 * What recognising needs of the sizes alone, computed once for all series that have them. A sum of k functions leaves
 * one linear relation between the values at k + 1 sizes: a series that breaks it does not have that sum, which costs k
 * + 1 multiplications to see. Private to exact*.c.
 */
enum { SC_EXACT_PIECES = 12, SC_EXACT_PIECE_TERMS = 3 };

typedef struct sc_exact_set { /* a set of functions: indices for sc_exact_column */
  unsigned char count, column[SC_MODEL_TERMS];
  unsigned char spare; /* sizes that must confirm it: more than one where the functions can imitate anything */
} sc_exact_set;

/* value at rows[count] == sum of weight[i] * value at rows[i] */
typedef struct sc_exact_relation {
  sc_exact_set set;
  unsigned rows[SC_MODEL_TERMS + 1];
  double weight[SC_MODEL_TERMS];
} sc_exact_relation;

typedef struct sc_exact_design {
  double *n;
  size_t count, relation_count;
  sc_exact_relation *relations; /* those of the sets whose functions differ at these sizes, small sets first */
  /* The same for the functions that a piece may have and each run of neighbouring sizes: weights of the relation of the
   * sizes i .. i + k, where there are such; NAN: none. */
  double *windows; /* [SC_EXACT_PIECES][count][SC_EXACT_PIECE_TERMS] */
  bool doubling;   /* 2^ceil(log2 n) is proportional to n here */
} sc_exact_design;

typedef struct sc_exact_designs sc_exact_designs;
int sc_exact_designs_new(sc_exact_designs **designs) SC_CHECK;
void sc_exact_designs_free(sc_exact_designs *designs);
/* The design of the points' sizes, which must be whole numbers; kept for those that come again soon. */
int sc_exact_designs_get(sc_exact_designs *designs, const sc_points *points, const sc_exact_design **design) SC_CHECK;

sc_term sc_exact_column(size_t column);
extern const sc_exact_set sc_exact_piece_sets[SC_EXACT_PIECES];
/* Whether the values obey the relation, as far as double can tell. */
static inline bool sc_exact_obeys(const double *y, const double *weight, const unsigned *rows, size_t count)
{
  double off = -y[rows[count]], size = y[rows[count]];
  for (size_t i = 0; i < count; i++) {
    double part = weight[i] * y[rows[i]];
    off += part;
    size += part < 0 ? -part : part;
  }
  return off <= 1e-13 * size && -off <= 1e-13 * size;
}
#endif

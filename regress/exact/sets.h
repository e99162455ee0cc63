/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/exact/sum.h"

/* The functions that exact counts are sums of, and the sets of them that are tried. Private to exact*.c. */
enum {
  SC_EXACT_LINE = 1,
  SC_EXACT_SQUARE = 2,
  SC_EXACT_FIRST_SHAPE = 5, /* those before are powers */
  SC_EXACT_POWER = 7,       /* 2^ceil(log2 n) */
  SC_EXACT_COLUMNS = 32,
  SC_EXACT_SETS = 400,
  SC_EXACT_PIECES = 12,
  SC_EXACT_PIECE_TERMS = 3
};

typedef struct sc_exact_set { /* indices for sc_exact_column, the fastest growing function of a kind first */
  unsigned char count, column[SC_MODEL_TERMS];
  unsigned char spare; /* sizes that must confirm it: more than one where the functions can imitate anything */
} sc_exact_set;

/* The function with that index, `column` < SC_EXACT_COLUMNS. */
sc_term sc_exact_column(size_t column);
/* Fills sets[SC_EXACT_SETS]: polynomials, then the others, each from small sets to large ones. Returns their number. */
size_t sc_exact_list_sets(sc_exact_set *sets, size_t *polynomials);
/* What a piece of a series may be. */
extern const sc_exact_set sc_exact_piece_sets[SC_EXACT_PIECES];

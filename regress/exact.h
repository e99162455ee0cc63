/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_EXACT_H
#define SC_REGRESS_EXACT_H
#include "regress/points.h"

enum { SC_EXACT_DEGREE = 4 };

/*
 * A polynomial with rational coefficients that goes through every point exactly, where whole-numbered counts and sizes
 * have one with fewer coefficients than there are sizes. Fewest coefficients first, then the lowest degree.
 * Returns the number of terms (leading first), or -1 if there is none. A series of zeros has 0 terms.
 */
int sc_exact_polynomial(const sc_points *points, sc_term terms[SC_MODEL_TERMS]);
/* Whether all sizes are a power of two apart (100, 200, 400): a count that follows floor(log2 n), or capacities that
 * double, then looks like a smooth function. */
bool sc_exact_doubling(const sc_points *points);
/* The common denominator of the coefficients. */
int sc_exact_denominator(const sc_term *terms, size_t count);
/* Whether the coefficients are such as nested loops have: fractions whose denominators divide 4!. */
bool sc_exact_plain(const sc_term *terms, size_t count);
#endif

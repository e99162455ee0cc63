/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"

/* n^exponent * log2(n)^log_exponent * base^n; n > 0. */
double sc_term_basis(const sc_term *term, double n);
/* The same, where log2 n is known. */
double sc_term_basis_at(const sc_term *term, double n, double log2_n);
/* Whether the sum is a constant, 0 included. */
bool sc_term_is_constant(const sc_term *terms, size_t count);
/* Sum of the terms at n, as it is: may be negative. */
double sc_term_sum(const sc_term *terms, size_t count, double n);
/* <0, 0, >0: a grows slower than, as, faster than b. */
int sc_term_compare(const sc_term *a, const sc_term *b);
/* Sorts the terms, fastest growing first, and drops those with coefficient 0. Returns how many are left. The map,
 * where given, receives for each new index the old one [count]. */
size_t sc_term_sort(sc_term *terms, size_t count, size_t *map);
/* The order of a sum: its fastest growing term's, 0 where that term has a coefficient below 0 (section 6.1: B <= 0). */
sc_order sc_term_order(const sc_term *terms, size_t count);

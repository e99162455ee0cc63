/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* A list of workload sizes, in the order they were added. Zero-initialise. */
typedef struct sc_sizes {
  double *n;
  size_t count, capacity;
} sc_sizes;

/* Appends n, also one that is in the list. SC_E_NOMEM. */
int sc_sizes_add(sc_sizes *sizes, double n) SC_CHECK;
/* Exactly equal. */
bool sc_sizes_has(const sc_sizes *sizes, double n);
/* The size closest to n, the smaller of two equally close ones; 0 for an empty list. */
double sc_sizes_nearest(const sc_sizes *sizes, double n);
/* A size in place of one that cannot be run: the largest that is not in the list at or below `wanted`; if `wanted` is
 * in it, the middle of the first wide gap between its sizes below, or of the widest; 0 if all are taken. */
double sc_sizes_up_to(const sc_sizes *sizes, double wanted, bool whole);
/* Takes n out, if it is there; the others keep their order. */
void sc_sizes_remove(sc_sizes *sizes, double n);
void sc_sizes_free(sc_sizes *sizes);

/* SC_E_INPUT for any of n[count] that is not greater than 0, or not a whole number where `whole`; `what` they are is
 * for the message ("first sizes"). */
int sc_sizes_check(const double *n, size_t count, bool whole, const char *what) SC_CHECK;

/* How many different ones there are among `count` numbers in order, which lie `stride` doubles apart. */
size_t sc_sizes_distinct(const double *n, size_t stride, size_t count);

/* n > 0 rounded up to two significant digits: a size that people type. */
double sc_sizes_round_up(double n);

/* The i-th of `count` sizes, geometric from low to high. Steps are never a power of 2: see docs/next-size.md. */
double sc_sizes_spread(double low, double high, size_t i, size_t count);
/* The same of first sizes: not from below a 64th of high (delta-infer 5.1: very small workloads are noise). */
double sc_sizes_spaced(double low, double high, size_t i, size_t count);

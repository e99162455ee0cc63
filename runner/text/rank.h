/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/* The contexts that will matter at a size. */
typedef struct sc_rank_row {
  uint32_t context;
  sc_interval count, cost; /* cost: own, in the analysis's unit */
  double executions;       /* the count's, by which contexts are compared: units of work weigh less */
  bool counted;            /* false: a process or foreign function, which has costs only */
} sc_rank_row;

enum sc_rank_by { SC_RANK_COST, SC_RANK_COUNT };

/* Which of them. People read the largest. */
typedef struct sc_rank_wanted {
  const uint32_t *contexts; /* [count] ascending; NULL: all but the root */
  size_t count;
  size_t most; /* > 0: this many of the largest by cost, and by executions */
} sc_rank_wanted;

/* Predicts the wanted contexts of the scope at n: *rows [*count] in any order, to be freed by the caller, those that
 * are 0 left out. Some that are not among the largest may be there, too. */
int sc_rank_predict(const sc_analysis *analysis, double n, const sc_rank_wanted *wanted, sc_rank_row **rows,
                    size_t *count) SC_CHECK;
/* Sorts them, largest first; ties by context number, so that the order is the same every time. */
void sc_rank_sort(sc_rank_row *rows, size_t count, enum sc_rank_by by);

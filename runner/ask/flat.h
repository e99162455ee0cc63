/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"
#include "runner/text/rank.h"

/* Contexts that readers would see by the same name, as one: a function called from many places, or all that a library
 * does in one call of the user's. */
typedef struct sc_flat_row {
  char *title;
  uint32_t context; /* the one that makes most of it */
  size_t contexts;
  sc_interval value; /* own cost, or executions */
  double count;      /* of those that are counted, of work in its units */
  double executed;   /* the same in executions */
  bool counted;      /* one of them is */
} sc_flat_row;
typedef struct sc_flat {
  sc_flat_row *rows; /* [count] largest first */
  size_t count;
} sc_flat;

/* Sorts the rows predicted at n, and gathers the largest of them. To be released with sc_flat_free, also after an
 * error. */
int sc_flat_make(const sc_judge *judge, double n, sc_rank_row *rows, size_t count, enum sc_rank_by by,
                 sc_flat *flat) SC_CHECK;
void sc_flat_free(sc_flat *flat);

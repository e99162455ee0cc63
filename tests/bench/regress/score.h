/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "bench.h"

enum { NEAR, FAR, FARTHEST }; /* 10, 50 and 100 times the largest size */

struct sc_list {
  double *values;
  size_t count, capacity;
};

struct sc_row {
  char noise[32], family[64]; /* family "": all of them */
  size_t series, cannot, exponent, impossible, covered[2], exact;
  size_t plain, alarms;           /* series without a change point, and those in which one is found */
  size_t steady, steady_alarms;   /* the same of those that don't waver */
  size_t changed, known;          /* with a change point, and where is known */
  size_t found, placed, followed; /* of these: found, the last one placed, the leading exponent right */
  struct sc_list errors[SC_CASE_TARGETS], widths[2];
};

struct sc_score {
  sc_fit *fit;
  bool families;
  struct sc_row **rows;
  size_t count;
};

/* The quantile as the public suite's score.py takes it; NAN of nothing. Sorts the list. */
double sc_score_quantile(struct sc_list *list, double part);
double sc_score_share(size_t part, size_t whole); /* in percent; NAN of nothing */

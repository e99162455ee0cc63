/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/quantity/quantity.h"
#include "runner/report/text.h"

/* How far a prediction extrapolates, and what that costs (docs/what-if.md has the formulas). */
typedef struct sc_certainty {
  double beyond;          /* times the largest size measured */
  double beyond_others;   /* the same of the farthest of further parameters; 1: none is beyond */
  double half;            /* half of the interval, relative to the value; infinite: no upper end; NaN: the value is 0 */
  double factor;          /* by which the value may be off, up or down; infinite: no end */
  double half_at_largest; /* the same at the largest size measured */
  bool exact;             /* it is a count, which may be known exactly */
  double confidence;      /* 0..1; of an infinite interval 0 */
  double next_size;       /* whose measurement would narrow it; 0: none is needed, or it is measured */
} sc_certainty;

/* Of the prediction at n. Errors are those of predicting. */
int sc_certainty_make(const sc_quantity *quantity, double n, sc_certainty *certainty) SC_CHECK;
/* How many times as wide as at the largest size measured; NaN: not known. */
double sc_certainty_factor(const sc_certainty *certainty);
const char *sc_certainty_word(const sc_certainty *certainty); /* "high", "medium", "low", "none" */
/* Sentences (distance, width, confidence, what would help), printed, wrapped behind two blanks. */
void sc_certainty_print(FILE *out, const sc_quantity *quantity, double n, const sc_certainty *certainty,
                        const sc_text_options *options);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"

/* How far predicted counts are off at a size that was run and no model was fitted to: delta-infer's Tables 2 and 3.
 * Errors are |predicted - actual| / actual; of an actual count of 0 what is predicted, at most 1. */
typedef struct sc_held_out {
  double n;
  bool validation; /* a validation size, which only the paper's engine leaves out; else one that was verified */
  size_t contexts; /* functions and loops in scope that have a model */
  size_t inside;   /* of these, counts that lie in the 95% interval */
  double mean, median, most; /* errors; 95% of them are at most the last */
  double weighted;           /* all executions that predictions are off by, by all that there were */
  size_t few;                /* contexts with the largest errors that make 90% of the mean, */
  double few_share;          /* and their share of the executions counted */
  uint32_t farthest;         /* the context with the largest of all, */
  double predicted, actual;  /* and its counts */
} sc_held_out;

/* At a size that was verified. */
int sc_judge_count_errors(const sc_judge *judge, double n, sc_held_out *errors) SC_CHECK;
/* At all sizes held out, ascending. The list is to be freed, also after an error. */
int sc_judge_held_out(const sc_judge *judge, sc_held_out **list, size_t *count) SC_CHECK;

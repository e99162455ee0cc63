/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_ASK_H
#define SC_RUNNER_ASK_H
#include <stdio.h>

#include "runner/judge.h"
#include "runner/rank.h"
#include "runner/report_text.h"

/* A question to a study, answered: what `scale-run ask` prints as text or JSON. */
typedef struct sc_ask_size {
  double n;
  sc_interval total;
  sc_rank_row *rows; /* every context that is not 0 there */
  size_t row_count;
} sc_ask_size;

typedef struct sc_ask_limit {
  double limit;            /* in the study's cost unit */
  double smallest;         /* smallest size measured */
  sc_interval at_smallest; /* predicted total there */
  sc_interval n;           /* where the limit is reached; infinite: never */
} sc_ask_limit;

typedef struct sc_ask {
  const sc_judge *judge;
  double n_min, n_max; /* measured */
  const char *unit;    /* of costs */
  size_t top;          /* contexts to print */
  sc_ask_size *sizes;
  size_t size_count;
  sc_ask_limit *limit; /* NULL: not asked */
} sc_ask;

/* "time=200ms", "200ms", "iterations=1e9": in the study's unit, or SC_E_USAGE. */
int sc_ask_parse_limit(const char *text, const char *unit, double *limit) SC_CHECK;
/* Answers; sc_ask_free also after an error. */
int sc_ask_answer(const sc_judge *judge, const double *sizes, size_t size_count, const char *limit,
                  sc_ask *ask) SC_CHECK;
void sc_ask_free(sc_ask *ask);

int sc_ask_print_text(FILE *out, sc_ask *ask, const sc_report_text_options *options) SC_CHECK; /* sorts rows */
int sc_ask_print_json(FILE *out, sc_ask *ask) SC_CHECK;
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/ask/certainty.h"
#include "runner/text/json_parts.h"

/* The inverse question: from which size on a quantity reaches a value. */
typedef struct sc_limit {
  sc_quantity quantity;
  double value;            /* in the quantity's unit */
  double smallest;         /* smallest size measured, from which on sizes are looked at */
  sc_interval at_smallest; /* predicted there */
  sc_interval n;           /* the smallest size at which it is reached; infinite: at none up to `farthest`. low: by the
                              upper ends of its intervals, high: by their lower ends */
  sc_interval below;      /* of a further parameter, where it is exceeded at the smallest value: from which one on it is
                             not any more; infinite: at none. low: by the lower ends, high: by the upper ones */
  const char *variable;   /* what n is a value of; NULL: the parameter */
  double farthest;        /* size looked at */
  bool cannot_tell;       /* its interval has no upper end beyond the sizes measured, and it is not reached before */
  sc_certainty certainty; /* where it is reached, if it is: */
  double certainty_at;    /* at this size */
} sc_limit;

/* "METRIC=VALUE", "METRIC(NAME)=VALUE", or a VALUE of what is asked first (runner/quantity/quantity.h): parsed and
 * answered. To be released with sc_limit_free, also after an error. */
int sc_limit_find(const sc_judge *judge, const sc_subject *subject, const sc_suppose *suppose, const char *text,
                  sc_limit *limit) SC_CHECK;
/* Its parts: the quantity, to be freed also after an error, and unless NULL the value. */
int sc_limit_parse(const sc_judge *judge, const sc_subject *subject, const sc_suppose *suppose, const char *text,
                   sc_quantity *quantity, double *value) SC_CHECK;
void sc_limit_json(sc_json *json, cJSON *object, const sc_limit *limit);
void sc_limit_free(sc_limit *limit);
bool sc_limit_exceeded_already(const sc_limit *limit); /* at the smallest size measured */
/* "200 ms of processor time is reached at n = 632 (95% interval: 560 to 640)" */
void sc_limit_text(const sc_limit *limit, sc_buf *out);
void sc_limit_print(FILE *out, const sc_limit *limit, const sc_text_options *options);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_RESOURCES_ASK_H
#define SC_RUNNER_RESOURCES_ASK_H
#include "runner/report_text.h"

/* A question about one resource: its metrics at sizes, or the size at which one of them reaches a limit. */
typedef struct sc_resource_limit {
  enum sc_resource_metric metric;
  double limit;     /* in the metric's unit */
  sc_interval size; /* smallest one at which it is reached; infinite: at none up to `farthest`. low: by the upper ends
                       of its intervals, high: by the lower ends */
  double farthest;  /* size looked at */
} sc_resource_limit;

/* "utilisation=80%", "mean-wait-time=1ms", "peak=1e9": a metric, or the beginning of only one, and its limit. */
int sc_resource_limit_parse(const char *text, sc_resource_limit *limit) SC_CHECK;
int sc_resource_limit_find(const sc_judge *judge, uint32_t resource, sc_resource_limit *limit) SC_CHECK;

/* `limit` is NULL if none is asked for. */
int sc_resource_ask_text(FILE *out, const sc_judge *judge, uint32_t resource, const sc_resource_limit *limit,
                         const sc_report_text_options *options) SC_CHECK;
int sc_resource_ask_json(FILE *out, const sc_judge *judge, uint32_t resource, const sc_resource_limit *limit) SC_CHECK;
#endif

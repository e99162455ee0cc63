/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"
#include "runner/text/text_options.h"

/* A metric of a resource in the runs that were made at size n as targets, a mean over them, each measured as the fitted
 * runs are. False for metrics that such a run does not have, and where n was never run or never touched it. */
bool sc_resource_actual(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric, double n,
                        double *value);
/* One metric of one resource, predicted and actual. */
typedef struct sc_resource_comparison {
  uint32_t resource;
  enum sc_resource_metric metric;
  sc_interval predicted;
  double actual;
} sc_resource_comparison;
/* Those of all resources that were touched at n, ones with findings first: how often a lock is asked for and how long
 * it is held and waited for, how many units of others are out. What is 0 in both is left out. To be freed; none where
 * nothing was recorded of resources. */
int sc_resource_compare(const sc_judge *judge, double n, sc_resource_comparison **list, size_t *count) SC_CHECK;
/* The same, printed. */
int sc_resource_compare_print(FILE *out, const sc_judge *judge, double n, const sc_text_options *options) SC_CHECK;

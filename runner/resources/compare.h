/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_RESOURCES_COMPARE_H
#define SC_RUNNER_RESOURCES_COMPARE_H
#include "runner/report_text.h"

/* Sums of a resource in the runs that were made at size n as targets, a mean over them: acquires, total hold and wait
 * time, peak, outstanding. False for other metrics, and where n was never run or never touched it. */
bool sc_resource_actual(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric, double n,
                        double *value);
/* The metrics that are compared [SC_RESOURCE_COMPARED]: what is asked of a lock is time, of memory units. */
enum { SC_RESOURCE_COMPARED = 3 };
const enum sc_resource_metric *sc_resource_compared(const sc_resource *resource);
/* Predicted beside actual of the resources that have findings; nothing where there are none. */
int sc_resource_compare_print(FILE *out, const sc_judge *judge, double n,
                              const sc_report_text_options *options) SC_CHECK;
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/judge/judge.h"

/* A metric of a resource or a spot of it, measured (median at the largest size) and predicted at the targets: 1, or 0
 * without one, or an error. To be released with sc_resource_number_drop in every case. */
int sc_resource_number_make(const sc_judge *judge, const sc_resource_spot *spot, enum sc_resource_metric metric,
                            sc_resource_number *number) SC_CHECK;
/* Metrics that say nothing of a class: how long files are open, and how busy that makes them. */
bool sc_resource_number_is_void(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric);
void sc_resource_number_drop(sc_resource_number *number);
/* The metric at the largest size: the median of what was measured, at other values of further parameters what is
 * predicted there; NaN: the resource has none. */
int sc_resource_number_now(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric,
                           double *value) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/demand.h"

/* Of all resources of known demand, whose figures at larger sizes may rest on each other's. */
int sc_calibrations_make(const sc_resources *r) SC_CHECK;
/* Made once for a resource of known demand. */
int sc_calibration_get(const sc_resources *r, const sc_resource_cell *cell,
                       const sc_calibration **calibration) SC_CHECK;

/* What the queue alone made of a metric where that missed most; n is 0 if nothing was missed, or too little to matter.
 */
int sc_calibration_missed(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                          sc_resource_correction *out) SC_CHECK;

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Series and models, made once. *series is NULL if no run has a value. */
int sc_rseries_get(const sc_resources *r, const sc_resource_cell *cell, int metric, const sc_rseries **series) SC_CHECK;
/* The exponent with which it grows: of the model, or of the trend if that differs from 0 for certain, else 0. */
int sc_rseries_exponent(const sc_resources *r, const sc_resource_cell *cell, int metric, double *exponent) SC_CHECK;
/* Its slope; 0 for counts and without a series. */
int sc_rseries_slope(const sc_resources *r, const sc_resource_cell *cell, int metric, double *slope) SC_CHECK;
/* The model if it may be used and, where it grows superlinearly, is well supported; else NULL. */
const sc_model *sc_rseries_model(const sc_rseries *series);

/* 0 in all if there is no series. A peak is at most what is acquired in all; numbers of acquires, releases
 * and units that never fell over the sizes are at least what was measured at a smaller one. */
int sc_rseries_predict(const sc_resources *r, const sc_resource_cell *cell, int metric, double n,
                       sc_interval *out) SC_CHECK;

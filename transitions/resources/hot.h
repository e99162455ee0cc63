/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* A few locks of one name that have most of the work: a hot stripe. */

/* As many of `instances` that are used alike would be as busy each as the busiest is: in a run, and at the larger sizes
 * together. `instances` where none is hot. */
double sc_rhot_stations(const sc_resources *r, const sc_resource_cell *cell, size_t run, double instances);
double sc_rhot_stations_large(const sc_resources *r, const sc_resource_cell *cell, double instances);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_CORRECTED_H
#define SC_TRANSITIONS_RESOURCES_CORRECTED_H
#include "transitions/resources/demand.h"

/* What a resource is asked for at n, corrected by what was measured. SC_E_INPUT for sizes that are not positive. */
int sc_demand_at(const sc_resources *r, const sc_resource_cell *cell, double n, sc_demand *out) SC_CHECK;
#endif

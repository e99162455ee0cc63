/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/demand.h"

/* What a resource is asked for at n, corrected by what was measured. SC_E_INPUT for sizes that are not positive. */
int sc_demand_at(const sc_resources *r, const sc_resource_cell *cell, double n, sc_demand *out) SC_CHECK;

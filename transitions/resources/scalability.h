/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Fills in r->scalability: throughput of the runs and the law fitted to it. */
int sc_scalability_find(sc_resources *r) SC_CHECK;
void sc_scalability_clear(sc_scalability *scalability);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "runner/discover/discover.h"

/* Adds what the runs of a study showed. SC_E_TOOLITTLE: they are of one size; SC_E_INPUT: of another program. */
int sc_discovery_measure(sc_discovery *d, const sc_graph *graph, const char *study, const char *parameter) SC_CHECK;
/* What the runs that were added disprove is rejected, what they speak against is lowered. */
int sc_discovery_check(sc_discovery *d) SC_CHECK;

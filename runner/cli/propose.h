/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/discover/discover.h"

/* What discover and run --discover share. */

/* Writes the probe set; nothing without a path. */
int sc_propose_write(const char *path, const sc_discovery *discovery, const sc_discover_view *view) SC_CHECK;
/* What was found, and what to do with it; `probes`: where the set was written, or NULL. */
void sc_propose_print(const char *probes, const sc_discovery *discovery, const sc_discover_view *view);

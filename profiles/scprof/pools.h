/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/scprof/internal.h"

/*
 * Units behind conditions (docs/events.md): what threads take where they wait for a condition otherwise. They are a
 * pool if whoever takes one gives it back, and as many are out and left together at any time; else something is handed
 * over.
 */
/* [the reader's resources] */
typedef struct sc_pools {
  bool *left_out; /* such units that are no pool: they are not told of */
  bool *untimed;  /* a pool's condition: the time that threads wait for it is its units' */
} sc_pools;

/* Sets what is so of pools that begin as false. Tells the reader's resources how many units there are. */
int sc_pools_find(const struct sc_reader *reader, const sc_pools *pools) SC_CHECK;
/* Whether a site's acquires are of such units. */
bool sc_pools_takes(const struct scale_site_event *site);

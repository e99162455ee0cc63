/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"

/* The counts of a profile that is being written (struct scale_control), read again and again by contexts of a graph,
 * and set back to 0. Nobody may count meanwhile. */
typedef struct sc_live sc_live;
struct sc_live_count {
  uint32_t context;
  uint64_t count;
};

/* The graph, which gets the contexts that appear, outlives it. */
int sc_live_open(const char *path, sc_graph *graph, sc_live **live) SC_CHECK;
void sc_live_close(sc_live *live);
/* What was counted since it was opened or read last, ascending by context, without zeroes; valid until it is read
 * again. SC_E_DAMAGED. */
int sc_live_read(sc_live *live, const struct sc_live_count **counts, size_t *count) SC_CHECK;
/* What the last reading found may be under way, and goes on counting without being entered again. Once. */
int sc_live_begun(sc_live *live) SC_CHECK;
/* Whether contexts were left out, as the profile has no room for them. */
bool sc_live_is_full(const sc_live *live);

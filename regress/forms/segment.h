/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/candidate.h"

enum { SC_SEGMENT_MOST = 4 };

/* The best models with one change point, or with two where `best` (the best hypothesis so far; may be NULL) misses the
 * sizes by more than their noise; examined: candidates[SC_SEGMENT_MOST], returns how many. Only such as may have a
 * score below `worst` are looked for. */
size_t sc_segment_find(sc_engine *engine, const sc_candidate *best, double worst, sc_candidate *candidates);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/sampler/images.h"

enum { SC_SAMPLER_FRAMES_MOST = 4096 };

/* A call chain, innermost first. */
typedef struct sc_sampler_chain {
  uint64_t pcs[SC_SAMPLER_FRAMES_MOST]; /* addresses inside the instruction that runs or called */
  size_t count;
  bool complete; /* it reaches the thread's start; else the outer frames lie beyond the copied stack */
} sc_sampler_chain;

/* Unwinds one sample within its image by the call frame information of the mapped files (libdwfl). A chain may be
 * short where that is missing; it has at least the interrupted address unless the sample has no registers. */
int sc_sampler_unwind_sample(sc_sampler_image *image, const sc_sampler_sample *sample,
                             sc_sampler_chain *chain) SC_CHECK;
/* The map an address lies in, or NULL. */
const sc_sampler_map *sc_sampler_unwind_map(const sc_sampler_image *image, uint64_t pc);
void sc_sampler_unwind_free(void *unwinder);

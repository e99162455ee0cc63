/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a thread has out, all places together: the peak of a sum is not the sum of the places' peaks, so it is kept
 * while the program runs.
 */
#include "arena.h"
#include "bytes.h"

/* What the thread of an arena has out of a class: classes of other things have none. */
static inline void sc_out_more(const struct sc_arena *own, uint32_t resource_class, uint64_t units)
{
  struct scale_out *out;
  uint64_t now;

  if (!own || resource_class - SCALE_CLASS_THREAD >= SCALE_OUT_CLASSES)
    return;
  out = &own->root->outs[resource_class - SCALE_CLASS_THREAD];
  now = SC_PEEK(out->now) + units;
  SC_POKE(out->now, now);
  if ((int64_t)(now - SC_PEEK(out->most)) > 0)
    SC_POKE(out->most, now);
}

/* The same given back; of a class that is not kept nothing happens. */
static inline void sc_out_less(const struct sc_arena *own, uint32_t resource_class, uint64_t units)
{
  sc_out_more(own, resource_class, -units);
}

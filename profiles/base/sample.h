/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/* At most `room` of any number of values, evenly spread over all that were offered, in their order: of more than fit,
 * every second, fourth, ... one. For medians, which more values do not change. */
typedef struct sc_sample {
  double *values; /* [room], the caller's */
  size_t room;    /* at least 1 */
  size_t count;   /* values kept */
  size_t offered, stride;
} sc_sample;

/* `values` [room], the caller's, is where the sample is kept. */
static inline sc_sample sc_sample_begin(double *values, size_t room)
{
  return (sc_sample){.values = values, .room = room, .stride = 1};
}

/* Offers a value, which is kept or left out. */
static inline void sc_sample_add(sc_sample *sample, double value)
{
  size_t at = sample->offered++;
  if (at % sample->stride)
    return;
  if (sample->count == sample->room) {
    for (size_t i = 0; 2 * i < sample->count; i++)
      sample->values[i] = sample->values[2 * i];
    sample->count = (sample->count + 1) / 2;
    sample->stride *= 2;
    if (at % sample->stride)
      return;
  }
  sample->values[sample->count++] = value;
}

/* Of `count` every how many leave at most `most`; at least 1. */
static inline size_t sc_sample_step(size_t count, size_t most) { return count > most ? (count + most - 1) / most : 1; }

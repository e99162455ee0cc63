/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

#include "base/err.h"
#include "profiles/graph/index.h"
#include "transitions/model/blend.h"

/* How one context's executions and cost are predicted: `ratio` executions for each execution of `model`, each of them
 * costing `each`. A context with a model of its own has the ratio 1. Contexts that are not counted (processes) have a
 * model of their cost instead, and each = 1. */
typedef struct sc_load {
  double weight; /* executions that one of its count stands for */
  double ratio, ratio_low, ratio_high;
  double each;         /* cost of one of its count */
  double below, above; /* half widths of `each`'s interval */
  double growth;       /* exponent by which `each` grows */
  double growth_error; /* relative half width of what that makes of the cost at the horizon */
  double growth_sum;   /* the same, of the growth of many contexts together, whose errors go together */
  /* By how much of it the cost may be less or more, everything alike (transitions/model/elsewhere.h). */
  double cheaper, dearer;
  uint32_t model, cost_model;
  bool counted;
  bool open;               /* grows without a model: no upper end beyond the sizes measured */
  bool growing;            /* one execution costs more and more: the cost is that of `cost_model` instead */
  unsigned char unused[5]; /* 0: loads are compared by their bytes */
} sc_load;

/* A load for each context. Most contexts share theirs with others, as they share the series of their counts: each
 * distinct one is kept once. */
typedef struct sc_loads {
  uint32_t *numbers; /* [contexts] into the list; 0: all fields are 0, as at first */
  sc_load *list;
  size_t count, capacity;
  sc_index index;
} sc_loads;

/* Also after a failure to be freed. */
int sc_loads_begin(sc_loads *loads, size_t contexts) SC_CHECK;
void sc_loads_free(sc_loads *loads);
/* Valid until the next one is set. */
static inline const sc_load *sc_loads_at(const sc_loads *loads, uint32_t context)
{
  return &loads->list[loads->numbers[context]];
}
/* Gives a context the load that another one has. */
static inline void sc_loads_share(sc_loads *loads, uint32_t context, uint32_t other)
{
  loads->numbers[context] = loads->numbers[other];
}
int sc_loads_set(sc_loads *loads, uint32_t context, const sc_load *load) SC_CHECK;

/* How many contexts have each load: together they come to as many times the same, which is blended once. */
typedef struct sc_load_counts {
  uint32_t *times; /* [loads] */
  uint32_t *used;  /* [used_count] loads that any has */
  size_t used_count;
} sc_load_counts;

/* For the loads that there are; none may be set while it lives. Also after a failure to be freed. */
int sc_load_counts_begin(sc_load_counts *counts, const sc_loads *loads) SC_CHECK;
void sc_load_counts_free(sc_load_counts *counts);
static inline void sc_load_counts_add(sc_load_counts *counts, const sc_loads *loads, uint32_t context)
{
  uint32_t number = loads->numbers[context];
  if (counts->times[number]++ == 0)
    counts->used[counts->used_count++] = number;
}
/* Begins again with none. */
void sc_load_counts_clear(sc_load_counts *counts);
/* Sorts `used`. */
void sc_load_counts_sort(sc_load_counts *counts);
/* Adds what they come to, a part of each of them. */
int sc_load_counts_blend(sc_load_counts *counts, const sc_loads *loads, sc_blend_part (*part)(const sc_load *load),
                         sc_blend *blend) SC_CHECK;

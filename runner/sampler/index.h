/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"
#include "runner/sampler/key_map.h"

/*
 * The contexts of a graph by what a stack can tell. A context's owner is the nearest one at or above it that is no
 * loop; a function's or loop's home is the owner of its surroundings: a stack knows homes exactly, loops mostly.
 * All lists are linked by context number and end with 0.
 */
typedef struct sc_sampler_index {
  const sc_graph *graph;
  uint32_t count;
  uint32_t *owner;                /* [context] */
  uint32_t *name, *plain;         /* [context] numbers in the strings below */
  uint32_t *next_near, *next_far; /* [context] links of the lists by home and by name alone */
  uint32_t *next_plain, *next_plain_far;
  sc_sampler_strings names, plains; /* linkage names; plain ones */
  sc_sampler_keys lists;
} sc_sampler_index;

/* What a list holds; `name` is a number of `names`, or of `plains` for the plain ones. */
enum sc_sampler_list {
  SC_SAMPLER_FUNCTIONS,       /* functions of a home with a linkage name */
  SC_SAMPLER_FUNCTIONS_PLAIN, /* ... with a plain name */
  SC_SAMPLER_LOOPS,           /* loops of a function with an ordinal (instead of a name) */
  SC_SAMPLER_FOREIGN,         /* foreign and truncated contexts of a home; name 0 */
  SC_SAMPLER_NAMED,           /* functions anywhere with a linkage name; home 0 */
  SC_SAMPLER_NAMED_PLAIN      /* functions anywhere with a plain name; home 0 */
};

/* Of all contexts the graph has now. SC_E_NOMEM; freed also after an error. */
int sc_sampler_index_make(sc_sampler_index *index, const sc_graph *graph) SC_CHECK;
void sc_sampler_index_free(sc_sampler_index *index);
/* The first context of a list, and the one behind `context` in it; 0: no more. */
uint32_t sc_sampler_index_first(const sc_sampler_index *index, enum sc_sampler_list list, uint32_t home, uint32_t name);
uint32_t sc_sampler_index_next(const sc_sampler_index *index, enum sc_sampler_list list, uint32_t context);
/* The number of a linkage name in `names`, constructors' and destructors' variants taken as one; UINT32_MAX: unknown.
 */
uint32_t sc_sampler_index_name(const sc_sampler_index *index, const char *name);
/* Where the context stands: the owner of its parent. */
uint32_t sc_sampler_index_home(const sc_sampler_index *index, uint32_t context);

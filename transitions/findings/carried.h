/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/findings/infer.h"
#include "transitions/model/loads.h"

/* What transitions carry. Most contexts share their loads, and what a context comes to at the horizon is its load's:
 * found out once for each of them. */
typedef struct sc_carried {
  const sc_analysis *analysis;
  const sc_transitions *transitions;
  size_t *start; /* [transitions + 2] contexts[start[t]] to contexts[start[t + 1]] are what t carries, ascending */
  uint32_t *contexts;
  double horizon;
  double *worth;                 /* [loads] cost of a context at the horizon */
  sc_interval *counts;           /* [loads] how often it is executed there; low < 0: not yet known */
  sc_load_counts members, sites; /* of what is being summed up; empty in between */
} sc_carried;

/* Once sc_carried_index was called, too. After a failure to be freed as well. */
int sc_carried_begin(const sc_analysis *analysis, const sc_transitions *transitions, sc_carried *carried) SC_CHECK;
void sc_carried_free(sc_carried *carried);
/* Lists what every transition carries; again after owners have changed. */
int sc_carried_index(sc_carried *carried) SC_CHECK;
/* At the horizon: cost of a context, of all that a transition carries, and how often a context is executed. */
static inline double sc_carried_worth(const sc_carried *carried, uint32_t context)
{
  return carried->worth[carried->analysis->loads.numbers[context]];
}
double sc_carried_cost(sc_carried *carried, uint32_t transition);
int sc_carried_count(const sc_carried *carried, uint32_t context, sc_interval *count) SC_CHECK;
/* Adds the cost of everything that the transitions carry. */
int sc_carried_blend(sc_carried *carried, const uint32_t *transitions, size_t count, sc_blend *cost) SC_CHECK;
/* Whether transitions of one place and kind clearly reach no share, at no target, that makes a finding worth reading.
 * False does not say that they do. */
int sc_carried_is_negligible(sc_carried *carried, const uint32_t *transitions, size_t count, bool *negligible) SC_CHECK;

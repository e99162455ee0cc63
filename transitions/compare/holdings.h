/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/compare/internal.h"

/* One metric of a resource that both sides have (base SC_COMPARE_NONE: it is new). */
typedef struct sc_holding {
  sc_compared *c;
  uint32_t base, head;
  enum sc_resource_metric metric;
  const sc_resource_series *base_series, *head_series;
  sc_interval before, after; /* at the horizon */
  sc_difference measured;
  double spread, apart; /* of repeats; at every size that both measured, at least (logarithms) */
  double least;         /* of counts: one more or less of a handful is no factor; 0: it is a time or a ratio of times */
} sc_holding;

/* The base's resource of each of the head, or SC_COMPARE_NONE: by class and name, what is left by where it is declared.
 * To be freed. */
int sc_holding_match(const sc_compared *c, uint32_t **mates) SC_CHECK;
/* Fills in series, predictions and measured; *known: both sides have them. */
int sc_holding_measure(sc_holding *x, bool *known) SC_CHECK;
typedef struct sc_holding_place {
  uint32_t context;      /* the head's; SC_COMPARE_NONE: it is known of no context */
  uint32_t line, column; /* of the call there, or 0 */
} sc_holding_place;
/* Where the metric rose (fell) most: calls of a context are matched with the base's in their order in the source. */
int sc_holding_site(const sc_holding *x, sc_holding_place *site) SC_CHECK;
int sc_holding_tell(const sc_holding *x, enum sc_rule rule, const sc_holding_place *site) SC_CHECK;

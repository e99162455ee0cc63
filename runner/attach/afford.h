/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What to probe within a budget (docs/attach.md, "The budget"). */

typedef struct sc_afford_item {
  double utility; /* >= 0 */
  double price;   /* >= 0, in the budget's unit */
} sc_afford_item;

/* Chooses the items whose utilities sum up to most within the budget (the knapsack problem, exact but for prices, which
 * are rounded up to a ten-thousandth of the budget). chosen[count]; *utility: their sum. SC_E_NOMEM. */
int sc_afford_knapsack(const sc_afford_item *items, size_t count, double budget, bool *chosen,
                       double *utility) SC_CHECK;
/* The same as DBdoctor does it (section IV-A): ranked by utility (equal ones by price), the first K of the largest K
 * that the budget allows, by binary search. */
int sc_afford_ranking(const sc_afford_item *items, size_t count, double budget, bool *chosen, double *utility) SC_CHECK;

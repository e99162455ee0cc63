/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/attach/afford.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"

enum { STEPS = 10000 /* of the budget */ };

/* What an item takes, rounded up; above STEPS: more than there is. */
static double round_price(const sc_afford_item *item, double budget)
{
  return item->price > 0 ? ceil(item->price / budget * STEPS - 1e-9) : 0;
}

/* best[p]: most utility for a price of p steps; taken[i * (STEPS + 1) + p]: whether the i-th is part of it. */
static void fill_knapsack(const sc_afford_item *items, size_t count, double budget, double *best, bool *taken)
{
  for (size_t i = 0; i < count; i++) {
    double steps = round_price(&items[i], budget);
    if (!(steps <= STEPS))
      continue;
    size_t cost = (size_t)steps;
    for (size_t p = STEPS + 1; p-- > cost;) {
      double with = best[p - cost] + items[i].utility;
      if (with <= best[p])
        continue;
      best[p] = with;
      taken[i * (STEPS + 1) + p] = true;
    }
  }
}

static double sum_utilities(const sc_afford_item *items, size_t count, const bool *chosen)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += chosen[i] ? items[i].utility : 0;
  return sum;
}

int sc_afford_knapsack(const sc_afford_item *items, size_t count, double budget, bool *chosen, double *utility)
{
  double *best = sc_mem_new(STEPS + 1, sizeof *best);
  bool *taken = sc_mem_new(count * (STEPS + 1), sizeof *taken);
  int err = best && taken ? 0 : SC_E_NOMEM;
  for (size_t i = 0; i < count; i++)
    chosen[i] = !(budget > 0) && !(items[i].price > 0); /* without a budget, what costs nothing */
  if (err == 0 && budget > 0) {
    size_t left = STEPS;
    fill_knapsack(items, count, budget, best, taken);
    for (size_t i = count; i-- > 0;) {
      chosen[i] = taken[i * (STEPS + 1) + left];
      if (chosen[i])
        left -= (size_t)round_price(&items[i], budget);
    }
  }
  *utility = sum_utilities(items, count, chosen);
  free(best);
  free(taken);
  return err;
}

typedef struct ranked {
  const sc_afford_item *item;
  size_t number;
} ranked;

static int compare_ranked(const void *left, const void *right)
{
  const ranked *a = left, *b = right;
  return SC_COMPARE(b->item->utility, a->item->utility) ?: SC_COMPARE(a->item->price, b->item->price);
}

static double price_of(const ranked *all, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += all[i].item->price;
  return sum;
}

int sc_afford_ranking(const sc_afford_item *items, size_t count, double budget, bool *chosen, double *utility)
{
  ranked *all = sc_mem_new(count, sizeof *all);
  size_t low = 0, high = count;
  if (!all)
    return SC_E_NOMEM;
  for (size_t i = 0; i < count; i++) {
    all[i] = (ranked){&items[i], i};
    chosen[i] = false;
  }
  qsort(all, count, sizeof *all, compare_ranked);
  while (low < high) {
    size_t middle = high - (high - low) / 2;
    if (price_of(all, middle) <= budget)
      low = middle;
    else
      high = middle - 1;
  }
  for (size_t i = 0; i < low; i++)
    chosen[all[i].number] = true;
  *utility = sum_utilities(items, count, chosen);
  free(all);
  return 0;
}

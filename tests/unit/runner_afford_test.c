/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is chosen within a budget: known best sets, and that no other set is better. */
#include "runner/attach/afford.h"

#include "unit.h"

#include <string.h>

enum { MOST = 12 };

static double best_of_all(const sc_afford_item *items, size_t count, double budget)
{
  double best = 0;
  for (unsigned set = 0; set < 1u << count; set++) {
    double price = 0, utility = 0;
    for (size_t i = 0; i < count; i++)
      if (set >> i & 1) {
        price += items[i].price;
        utility += items[i].utility;
      }
    best = price <= budget && utility > best ? utility : best;
  }
  return best;
}

TEST(a_dear_one_gives_way_to_two_that_tell_more)
{
  const sc_afford_item items[] = {{3, 0.03}, {2, 0.01}, {2, 0.01}, {0.5, 0.02}};
  bool chosen[4];
  double utility;
  assert_int_equal(sc_afford_knapsack(items, 4, 0.03, chosen, &utility), 0);
  assert_float_equal(utility, 4, 0);
  assert_true(!chosen[0] && chosen[1] && chosen[2] && !chosen[3]);
  assert_int_equal(sc_afford_ranking(items, 4, 0.03, chosen, &utility), 0);
  assert_float_equal(utility, 3, 0); /* the ranking begins with the dear one */
  assert_true(chosen[0] && !chosen[1] && !chosen[2] && !chosen[3]);
}

TEST(a_price_that_equals_the_budget_is_paid)
{
  const sc_afford_item items[] = {{1, 0.03}, {1, 0.0300001}, {1, 0}};
  bool chosen[3];
  double utility;
  assert_int_equal(sc_afford_knapsack(items, 3, 0.03, chosen, &utility), 0);
  assert_true(chosen[0] && !chosen[1] && chosen[2]);
  assert_int_equal(sc_afford_knapsack(items, 3, 0, chosen, &utility), 0);
  assert_true(!chosen[0] && !chosen[1] && chosen[2]);
  assert_int_equal(sc_afford_ranking(items, 3, 0, chosen, &utility), 0);
  assert_true(!chosen[0]);
}

TEST(no_other_set_is_better)
{
  unsigned random = 7;
  for (int round = 0; round < 100; round++) {
    sc_afford_item items[MOST];
    bool chosen[MOST];
    double knapsack, ranking, price = 0, budget = 0.001 * (1 + round);
    for (size_t i = 0; i < MOST; i++) {
      random = random * 1103515245 + 12345;
      items[i] = (sc_afford_item){random >> 16 & 15, budget * (double)(random >> 20 & 63) / 100};
    }
    assert_int_equal(sc_afford_knapsack(items, MOST, budget, chosen, &knapsack), 0);
    for (size_t i = 0; i < MOST; i++)
      price += chosen[i] ? items[i].price : 0;
    assert_true(price <= budget * (1 + 1e-9));
    assert_float_equal(knapsack, best_of_all(items, MOST, budget * (1 + 1e-9)), 1e-9);
    assert_int_equal(sc_afford_ranking(items, MOST, budget, chosen, &ranking), 0);
    assert_true(ranking <= knapsack + 1e-9);
  }
}

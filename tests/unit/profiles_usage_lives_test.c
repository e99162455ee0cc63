/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What processes that lived at the same time had together. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "profiles/graph/usage_lives.h"

enum { PROCESSES = 60 };

typedef struct life {
  uint64_t began, ended;
  double peak, acquires, returned;
} life;

/* The most at a time: when a process begins, of those that have not ended. */
static double most_at_once(const life *lives, size_t count, double (*what)(const life *))
{
  double most = 0;
  for (size_t i = 0; i < count; i++) {
    double sum = 0;
    for (size_t k = 0; k <= i; k++)
      sum += lives[k].ended >= lives[i].began ? what(&lives[k]) : 0;
    most = fmax(most, sum);
  }
  return most;
}

static double peak_of(const life *l) { return l->peak; }
static double kept_by(const life *l) { return l->acquires - l->returned; }
static double units_kept_by(const life *l) { return 3 * l->acquires - 2 * l->returned; }

TEST(lives_are_added_up_while_they_last)
{
  uint64_t seed = 1;
  for (int round = 0; round < 50; round++) {
    life lives[PROCESSES];
    struct sc_usage_alive alive = {0};
    sc_usage row = {.values = {0}};
    double one = 0;
    for (size_t i = 0; i < PROCESSES; i++) {
      uint64_t random[4];
      for (size_t k = 0; k < 4; k++)
        random[k] = (seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407)) >> 33;
      lives[i] = (life){10 + 10 * i, 15 + 10 * i + random[0] % (round < 25 ? 40 : 400), 1 + (double)(random[1] % 9),
                        5 + (double)(random[2] % 9), (double)(random[3] % 5)};
      sc_usage more = {.values = {[SC_USAGE_PEAK] = lives[i].peak,
                                  [SC_USAGE_ACQUIRES] = lives[i].acquires,
                                  [SC_USAGE_RETURNED] = lives[i].returned,
                                  [SC_USAGE_UNITS] = 3 * lives[i].acquires,
                                  [SC_USAGE_RETURNED_UNITS] = 2 * lives[i].returned}};
      assert_int_equal(sc_usage_alive_add(&alive, lives[i].began, lives[i].ended, &more), 0);
      row.values[SC_USAGE_ACQUIRES] += lives[i].acquires;
      row.values[SC_USAGE_UNITS] += 3 * lives[i].acquires;
      one = fmax(one, kept_by(&lives[i]));
      sc_usage_alive_set(&alive, &row);
      assert_true(row.values[SC_USAGE_PEAK] == most_at_once(lives, i + 1, peak_of));
      assert_true(row.values[SC_USAGE_ACQUIRES] - row.values[SC_USAGE_RETURNED] == most_at_once(lives, i + 1, kept_by));
      assert_true(row.values[SC_USAGE_UNITS] - row.values[SC_USAGE_RETURNED_UNITS] ==
                  most_at_once(lives, i + 1, units_kept_by));
      assert_true(row.kept_by_one == one);
    }
    free(alive.heap);
  }
}

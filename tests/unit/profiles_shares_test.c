/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of many locks of one name are held most: below and at each threshold. */
#include "unit.h"

#include "profiles/scprof/shares.h"

enum { LOCKS = 8 };

typedef struct locks {
  double holds, seconds;           /* of the first of eight, where all have 16 holds and a second on average */
  double rest_holds, rest_seconds; /* of those that are not told apart */
  int bits;                        /* how many locks the bitmap tells of */
  bool halves;                     /* two tallies have half of the first each */
  bool global;                     /* seen by other processes, too */
} locks;

static struct sc_usage_extent sum(const locks *l)
{
  sc_share list[LOCKS + 3] = {{1, 7, 5, 100}};
  sc_shares shares = {list, 1, LOCKS + 3};
  sc_resource other = {0}, resource = {.global = l->global};
  sc_resource *resources[] = {&other, &resource};
  struct sc_reader reader = {.resources = {.list = resources, .count = 2}};
  struct sc_usage_extent extents[2] = {0};
  list[0].resource = 0;
  for (int i = LOCKS; i-- > 0;) {
    double holds = i ? (16 * LOCKS - l->holds) / (LOCKS - 1) : l->holds;
    double seconds = i ? (LOCKS - l->seconds) / (LOCKS - 1) : l->seconds;
    double part = i == 0 && l->halves ? 0.5 : 1;
    for (double done = 0; done < 1; done += part)
      list[shares.count++] = (sc_share){1, 100 + (uint64_t)i, holds * part, seconds * part};
  }
  if (l->rest_holds > 0)
    list[shares.count++] = (sc_share){1, 0, l->rest_holds, l->rest_seconds};
  for (int i = 0; i < l->bits; i++)
    extents[1].bits[i % SC_USAGE_BITMAP] |= UINT64_C(1) << (i / SC_USAGE_BITMAP);
  sc_shares_sum(&shares, &reader, extents);
  assert_true(extents[0].busiest_seconds == 100 && extents[0].hot == 0 && extents[0].instances == 1);
  return extents[1];
}

TEST(a_lock_is_hot_from_thresholds_on)
{
  static const struct {
    locks locks;
    double hot, instances;
  } cases[] = {
      {{40, 2}, 1, 8}, /* 16 + 4 sqrt(16) + 8 holds, twice the mean time */
      {{39.99, 2}, 0, 8},
      {{40, 1.999}, 0, 8},
      {{41, 2.5, .halves = true}, 1, 8},
      {{40, 2, .bits = 8}, 1, 8},
      {{1000, 7.5, .bits = 9}, 1, 0}, /* more than are told apart */
      /* the rest counts for the mean: 20 holds, 1.25 s */
      {{20 + 4 * 4.47214 + 8, 2.501, 32, 2}, 1, 8},
      {{20 + 4 * 4.47213 + 8, 2.501, 32, 2}, 0, 8},
      {{60, 2.499, 32, 2}, 0, 8},
      {{60, 3, .global = true}, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const locks *l = &cases[i].locks;
    struct sc_usage_extent extent = sum(l);
    if (extent.hot != cases[i].hot || extent.instances != cases[i].instances)
      fail_msg("case %zu: %g hot of %g", i, extent.hot, extent.instances);
    assert_true(extent.hot_seconds == (extent.hot > 0 ? l->seconds : 0));
    assert_true(extent.busiest_seconds == (l->global ? 0 : l->seconds));
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stddef.h>

#include "base/sort.h"

struct item {
  char before;
  uint32_t key, number;
};

static uint32_t next(uint32_t *state) { return *state = *state * 1664525 + 1013904223; }

/* As many as are compared, one less and one more than that, and many; keys of each length. */
TEST(equal_items_keep_their_order)
{
  static const size_t counts[] = {0, 1, 2, 255, 256, 257, 5000};
  static struct item items[5000];
  uint32_t random = 1;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (unsigned shift = 0; shift < 32; shift++) {
      for (uint32_t i = 0; i < counts[c]; i++)
        items[i] = (struct item){.key = next(&random) >> shift, .number = i};
      sc_sort_by(items, counts[c], sizeof *items, offsetof(struct item, key));
      for (size_t i = 1; i < counts[c]; i++)
        assert_true(items[i - 1].key < items[i].key ||
                    (items[i - 1].key == items[i].key && items[i - 1].number < items[i].number));
      uint64_t sum = 0; /* none is lost */
      for (size_t i = 0; i < counts[c]; i++)
        sum += items[i].number;
      assert_int_equal(sum, counts[c] ? counts[c] * (counts[c] - 1) / 2 : 0);
    }
}

TEST(numbers_alone_are_sorted_too)
{
  static uint32_t numbers[3000];
  for (uint32_t i = 0; i < 3000; i++)
    numbers[i] = UINT32_MAX - i * 1000003u % 3000;
  sc_sort_by(numbers, 3000, sizeof *numbers, 0);
  for (uint32_t i = 0; i < 3000; i++)
    assert_int_equal(numbers[i], UINT32_MAX - 2999 + i);
}

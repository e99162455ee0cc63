/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <sys/resource.h>

#include "base/sort.h"

/* Where the tests run under a sanitizer: that memory runs out is part of the test. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }

struct item {
  char before;
  uint32_t key, number;
};

static uint32_t next(uint32_t *state) { return *state = *state * 1664525 + 1013904223; }

static struct item items[400000];

static void check_order(size_t count, unsigned shift)
{
  static uint32_t random = 1;
  for (uint32_t i = 0; i < count; i++)
    items[i] = (struct item){.key = next(&random) >> shift, .number = i};
  sc_sort_by(items, count, sizeof *items, offsetof(struct item, key));
  for (size_t i = 1; i < count; i++)
    assert_true(items[i - 1].key < items[i].key ||
                (items[i - 1].key == items[i].key && items[i - 1].number < items[i].number));
  uint64_t sum = 0; /* none is lost */
  for (size_t i = 0; i < count; i++)
    sum += items[i].number;
  assert_int_equal(sum, count ? count * (count - 1) / 2 : 0);
}

/* As many as are compared, one less and one more than that, and many; keys of each length. */
TEST(equal_items_keep_their_order)
{
  static const size_t counts[] = {0, 1, 2, 12, 13, 25, 63, 64, 65, 5000, 70000};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (unsigned shift = 0; shift < 32; shift++)
      check_order(counts[c], shift);
}

/* With room for nothing but what is there. */
TEST(equal_items_keep_their_order_without_memory)
{
  struct rlimit before, none;
  assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
  none = before;
  none.rlim_cur = 1;
  for (unsigned shift = 0; shift < 32; shift += 10) {
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    check_order(sizeof items / sizeof *items, shift);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
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

/* Items are exchanged 64 bytes at a time: one less, as many, one more, and three times that and one more. */
static void check_large(size_t size)
{
  enum { ITEMS = 40 };
  static unsigned char large[ITEMS * 193];
  for (uint32_t i = 0; i < ITEMS; i++) {
    uint32_t key = i * 7 % ITEMS;
    memset(large + i * size, (int)key, size);
    memcpy(large + i * size, &key, sizeof key);
  }
  sc_sort_by(large, ITEMS, size, 0);
  for (uint32_t i = 0; i < ITEMS; i++) {
    uint32_t key;
    memcpy(&key, large + i * size, sizeof key);
    assert_int_equal(key, i);
    for (size_t byte = sizeof key; byte < size; byte++)
      assert_int_equal(large[i * size + byte], i);
  }
}

TEST(large_items_move_as_a_whole)
{
  static const size_t sizes[] = {63, 64, 65, 193};
  for (size_t i = 0; i < COUNT(sizes); i++)
    check_large(sizes[i]);
}

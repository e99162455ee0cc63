/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who holds what, texts kept once, and the shares of instances: small parts of reading profiles, by hand. */
#include "unit.h"

#include <stdlib.h>

#include "base/hash.h"
#include "profiles/graph/index.h"
#include "profiles/graph/pool.h"
#include "profiles/scprof/validate_holds.h"

enum { NOBODY_ELSE = 99 };

TEST(holds_are_taken_and_given_back)
{
  sc_validate_holds holds = {0};
  uint32_t first = 0, other = 0;
  assert_false(sc_validate_holds_by(&holds, first, 1));
  assert_true(sc_validate_holds_give(&holds, &first, 1, 5) == 0);
  for (uint32_t task = 1; task <= 3; task++)
    assert_int_equal(sc_validate_holds_take(&holds, &first, task, task), 0);
  assert_int_equal(sc_validate_holds_take(&holds, &other, 7, 1), 0);
  assert_int_equal(sc_validate_holds_take(&holds, &first, 2, 10), 0); /* 1, 12 and 3 */
  for (uint32_t task = 1; task <= 3; task++)
    assert_true(sc_validate_holds_by(&holds, first, task) && sc_validate_holds_by_others(&holds, first, task));
  assert_true(!sc_validate_holds_by(&holds, first, 7) && sc_validate_holds_by_others(&holds, first, NOBODY_ELSE));
  assert_true(sc_validate_holds_give(&holds, &first, 2, 11) == 0 && sc_validate_holds_by(&holds, first, 2));
  assert_true(sc_validate_holds_give(&holds, &first, 2, 4) == 3); /* one was left */
  assert_false(sc_validate_holds_by(&holds, first, 2));
  assert_true(sc_validate_holds_by(&holds, first, 1) && sc_validate_holds_by(&holds, first, 3));
  assert_true(sc_validate_holds_give(&holds, &first, NOBODY_ELSE, 1) == 0); /* of somebody: the last one that took */
  assert_true(sc_validate_holds_give(&holds, &first, 3, 2) == 0);
  assert_false(sc_validate_holds_by(&holds, first, 3));
  assert_false(sc_validate_holds_by_others(&holds, first, 1));
  size_t used = holds.count;
  assert_int_equal(sc_validate_holds_take(&holds, &first, 8, 1), 0); /* takes the place of one that was given back */
  assert_int_equal(holds.count, used);
  sc_validate_holds_give_all(&holds, &first, 8, 100);
  assert_true(first == 0 && sc_validate_holds_by(&holds, other, 7) && !sc_validate_holds_by_others(&holds, other, 7));
  sc_validate_holds_free(&holds);
}

static int compare_keys(const void *left, const void *right)
{
  const uint64_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/* Two different texts with the same hash, and many others; a text longer than a block. */
TEST(texts_are_kept_once)
{
  enum { TEXTS = 400000 };
  uint64_t *keys = malloc(TEXTS * sizeof *keys);
  char one[16] = "", two[16] = "", text[16];
  assert_non_null(keys);
  for (uint64_t i = 0; i < TEXTS; i++) {
    snprintf(text, sizeof text, "t%u", (unsigned)i);
    keys[i] = (uint64_t)sc_hash_key(text, strlen(text)) << 32 | i;
  }
  qsort(keys, TEXTS, sizeof *keys, compare_keys);
  for (size_t i = 1; i < TEXTS && !*one; i++)
    if (keys[i] >> 32 == keys[i - 1] >> 32) {
      snprintf(one, sizeof one, "t%u", (unsigned)(uint32_t)keys[i]);
      snprintf(two, sizeof two, "t%u", (unsigned)(uint32_t)keys[i - 1]);
    }
  free(keys);
  assert_true(*one && *two); /* 18 such pairs are to be expected */
  sc_pool pool = {0};
  const char *first = sc_pool_intern(&pool, one), *second = sc_pool_intern(&pool, two);
  assert_true(first && second && first != second && strcmp(first, one) == 0 && strcmp(second, two) == 0);
  assert_true(sc_pool_intern(&pool, one) == first && sc_pool_intern(&pool, two) == second && pool.count == 2);
  char *long_text = calloc(1, 200001);
  assert_non_null(long_text);
  memset(long_text, 'x', 200000);
  const char *kept = sc_pool_intern(&pool, long_text);
  assert_true(kept && strcmp(kept, long_text) == 0 && sc_pool_intern(&pool, long_text) == kept);
  for (unsigned round = 0; round < 2; round++)
    for (unsigned i = 0; i < 20000; i++) {
      snprintf(text, sizeof text, "u%u", i);
      assert_string_equal(sc_pool_intern(&pool, text), text);
    }
  assert_int_equal(pool.count, 20003);
  assert_string_equal(kept, long_text);
  free(long_text);
  sc_pool_free(&pool);
}

/* Half of the slots stay empty: the smallest table has 256. */
TEST(tables_grow_before_they_are_full)
{
  sc_index index = {0};
  static const struct {
    size_t count, slots;
  } steps[] = {{1, 256}, {128, 256}, {129, 512}, {256, 512}, {1000, 2048}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    assert_int_equal(sc_index_reserve(&index, steps[i].count), 0);
    assert_int_equal(index.mask + 1, steps[i].slots);
  }
  sc_index_free(&index);
}

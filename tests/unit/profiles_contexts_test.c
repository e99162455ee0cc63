/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <stdlib.h>

#include "profiles/graph/contexts.h"

enum { MANY = 3000, LOCATIONS = 40 };

/* The contexts of a tree by the slow and certain way. */
struct plain {
  uint32_t parents[MANY], locations[MANY], count;
};

static uint32_t plain_find(const struct plain *plain, uint32_t parent, uint32_t location)
{
  for (uint32_t i = 1; i < plain->count; i++)
    if (plain->parents[i] == parent && plain->locations[i] == location)
      return i;
  return SC_CONTEXTS_NONE;
}

static uint32_t intern(sc_contexts *contexts, uint32_t parent, uint32_t location)
{
  uint32_t context = 0;
  assert_int_equal(sc_contexts_intern(contexts, parent, location, &context), 0);
  return context;
}

static void fill(sc_contexts *contexts, struct plain *plain)
{
  uint32_t state = 1;
  assert_int_equal(sc_contexts_begin(contexts, 7), 0);
  plain->locations[0] = 7;
  plain->count = 1;
  while (plain->count < MANY) {
    state = state * 1664525 + 1013904223;
    uint32_t parent = (state >> 8) % plain->count, location = (state >> 3) % LOCATIONS;
    uint32_t expected = plain_find(plain, parent, location);
    assert_int_equal(sc_contexts_find(contexts, parent, location), expected);
    if (expected == SC_CONTEXTS_NONE) {
      plain->parents[plain->count] = parent;
      plain->locations[plain->count] = location;
      expected = plain->count++;
    }
    assert_int_equal(intern(contexts, parent, location), expected);
  }
}

/* Whatever order they are asked for in: as they were made, backwards, in leaps, again and again, and absent ones
 * between. */
TEST(every_order_finds_the_same)
{
  static const uint32_t steps[] = {1, MANY - 1, 7, 1009};
  sc_contexts contexts = {0};
  struct plain *plain = calloc(1, sizeof *plain);
  fill(&contexts, plain);
  assert_int_equal(contexts.count, MANY);
  for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
    for (uint32_t i = 0, at = 0; i < MANY; i++, at = (at + steps[s]) % MANY) {
      if (!at)
        continue;
      assert_int_equal(sc_contexts_find(&contexts, plain->parents[at], plain->locations[at]), at);
      assert_int_equal(intern(&contexts, plain->parents[at], plain->locations[at]), at);
      assert_int_equal(sc_contexts_find(&contexts, at, LOCATIONS + 1), SC_CONTEXTS_NONE);
    }
  assert_int_equal(contexts.count, MANY);
  free(plain);
  sc_contexts_free(&contexts);
}

TEST(children_stand_in_the_order_they_came)
{
  sc_contexts contexts = {0};
  assert_int_equal(sc_contexts_begin(&contexts, 0), 0);
  assert_int_equal(sc_contexts_find(&contexts, 0, 0), SC_CONTEXTS_NONE); /* the root is nobody's child */
  uint32_t a = intern(&contexts, 0, 5), b = intern(&contexts, 0, 3), below = intern(&contexts, a, 5);
  uint32_t c = intern(&contexts, 0, 0);
  assert_int_equal(contexts.list[0].first_child, a);
  assert_int_equal(contexts.list[a].next_sibling, b);
  assert_int_equal(contexts.list[b].next_sibling, c);
  assert_int_equal(contexts.list[c].next_sibling, 0);
  assert_int_equal(contexts.list[a].first_child, below);
  assert_int_equal(sc_contexts_uses(&contexts, 5), 2);
  assert_int_equal(sc_contexts_uses(&contexts, 4), 0);
  sc_contexts_free(&contexts);
}

/* Of a file that has each once: found afterwards as if they had been looked up, and seen if one is there twice. */
TEST(appended_ones_are_found)
{
  sc_contexts contexts = {0};
  uint32_t made, found;
  bool twice;
  assert_int_equal(sc_contexts_begin(&contexts, 0), 0);
  for (uint32_t i = 1; i <= 3000; i++) {
    assert_int_equal(sc_contexts_append(&contexts, (i - 1) / 3, 1 + i % 3, &made), 0);
    assert_int_equal(made, i);
  }
  assert_int_equal(sc_contexts_check(&contexts, 4, &twice), 0);
  assert_false(twice);
  for (uint32_t i = 3000; i >= 1; i--)
    assert_int_equal(sc_contexts_find(&contexts, (i - 1) / 3, 1 + i % 3), i);
  assert_int_equal(sc_contexts_intern(&contexts, 5, 2, &found), 0);
  assert_true(found < 3001);
  assert_int_equal(sc_contexts_intern(&contexts, 2999, 2, &found), 0);
  assert_int_equal(found, 3001);
  assert_int_equal(sc_contexts_append(&contexts, 5, 2, &made), 0);
  assert_int_equal(sc_contexts_check(&contexts, 4, &twice), 0);
  assert_true(twice);
  sc_contexts_free(&contexts);
}

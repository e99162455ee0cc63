/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_compare_scene.h"

/* A function with a loop of n steps; in head it begins at another line and may have further such loops. Whether that at
 * `line` is taken for the loop of base. */
static bool is_the_loop(uint32_t function, uint32_t line, uint32_t before, uint32_t behind)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t f = scene_function_at(p.base, scene_main(p.base), "walk", "walk", "/a/walk.c", 3, scene_one, 0);
  uint32_t loop = scene_loop(p.base, f, "walk", 10, scene_n, 0);
  f = scene_function_at(p.head, scene_main(p.head), "walk", "walk", "/a/walk.c", function, scene_one, 0);
  if (before)
    scene_loop(p.head, f, "walk", before, scene_n, 0);
  uint32_t same = scene_loop(p.head, f, "walk", line, scene_n, 0);
  if (behind)
    scene_loop(p.head, f, "walk", behind, scene_n, 0);
  pair_compare(&p);
  bool found = p.comparison.base_of[same] == loop;
  pair_free(&p);
  return found;
}

TEST(loops_that_moved_with_their_function_are_the_same)
{
  assert_true(is_the_loop(103, 110, 0, 0));
  assert_true(is_the_loop(103, 110, 106, 0));
  assert_true(is_the_loop(103, 110, 0, 120));
  assert_true(is_the_loop(103, 110, 106, 120));
}

TEST(loops_that_stayed_where_they_were_are_the_same)
{
  assert_true(is_the_loop(2, 10, 8, 0));
  assert_true(is_the_loop(2, 10, 0, 20));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of several local functions of one name is which: by its file, then by the file's name, then the one that is
 * left. */
#include "unit.h"

#include "transitions_compare_scene.h"

enum { MOST = 3 };

/* A local function "get" of a file, called by main, or 0 without a file. */
static uint32_t add(sc_graph *graph, uint32_t main, const char *file, scene_curve count)
{
  if (!file)
    return 0;
  sc_location l = {.kind = SC_LOCATION_FUNCTION, .name = "get", .file = file, .line = 7, .local = true};
  uint32_t context = scene_context(graph, main, &l);
  scene_fill(graph, context, count, 0);
  return context;
}

TEST(local_functions_are_paired_by_file)
{
  static const struct {
    const char *base[MOST], *head[MOST];
    int mates[MOST];                                                 /* of the head's: index in the base, -1 none */
  } cases[] = {{{"/a/x.c", "/b/x.c"}, {"/b/x.c", "/a/x.c"}, {1, 0}}, /* the same path first */
               {{"/a/x.c", "/a/y.c"}, {"/b/y.c", "/b/x.c"}, {1, 0}}, /* else the same name */
               {{"/a/x.c", "/a/y.c"}, {"/b/x.c", "/b/z.c"}, {0, 1}}, /* else what is left */
               {{"/a/y.c", "/a/x.c"}, {"/b/z.c", "/b/x.c"}, {0, 1}},
               {{"/a/x.c", "/a/y.c", "/a/w.c"}, {"/a/w.c", "/b/z.c", "/b/y.c"}, {2, 0, 1}},
               {{"/a/x.c"}, {"/b/z.c"}, {0}}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene_pair p;
    uint32_t base[MOST], head[MOST];
    pair_new(&p, "");
    uint32_t before = scene_main(p.base), after = scene_main(p.head);
    for (size_t k = 0; k < MOST; k++)
      base[k] = add(p.base, before, cases[i].base[k], scene_n);
    for (size_t k = 0; k < MOST; k++)
      head[k] = add(p.head, after, cases[i].head[k], scene_n);
    pair_compare(&p);
    for (size_t k = 0; k < MOST && head[k]; k++)
      if (p.comparison.base_of[head[k]] != base[cases[i].mates[k]])
        fail_msg("case %zu, function %zu", i, k);
    pair_free(&p);
  }
}

/* Two that are left on a side are no pair by that; they are called elsewhere, and so not alike. */
TEST(of_several_that_are_left_none_is_taken)
{
  for (int side = 0; side < 2; side++) {
    scene_pair p;
    pair_new(&p, "");
    sc_graph *one = side ? p.base : p.head, *two = side ? p.head : p.base;
    uint32_t first = scene_main(one), second = scene_function(two, scene_main(two), "elsewhere", scene_one, 0);
    uint32_t lone = add(one, first, "/a/x.c", scene_one);
    add(two, second, "/b/y.c", scene_square);
    add(two, second, "/b/z.c", scene_square);
    pair_compare(&p);
    const uint32_t *mates = side ? p.comparison.head_of : p.comparison.base_of;
    assert_true(mates[lone] == SC_COMPARE_NONE);
    pair_free(&p);
  }
}

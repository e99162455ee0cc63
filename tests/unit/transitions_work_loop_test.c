/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of two nested loops is named: the one that does the work. */
#include "unit.h"

#include "transitions_scene.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double TARGETS[] = {160000};

static double blocks(double n) { return ceil(n / 256); }      /* 1 to 7 */
static double many_blocks(double n) { return ceil(n / 128); } /* 1 to 13 */
static double roots(double n) { return floor(sqrt(n)); }
static double hundred_n(double n) { return 100 * n; }

typedef struct fixture {
  sc_graph *graph;
  uint32_t outer, inner;
  sc_analysis *analysis;
  sc_findings findings;
} fixture;

static fixture nested(scene_curve outer, scene_curve inner)
{
  fixture f = {.graph = scene_new(SIZES, 5, "")};
  f.outer = scene_loop(f.graph, scene_main(f.graph), "main", 10, outer, 0);
  f.inner = scene_loop(f.graph, f.outer, "main", 12, inner, 0);
  f.analysis = scene_analyse(f.graph, TARGETS, 1);
  f.findings = scene_infer(f.analysis);
  return f;
}

static void release(fixture *f) { scene_end(f->graph, f->analysis, &f->findings); }

static void expect_alone(const fixture *f, uint32_t context)
{
  assert_int_equal(f->findings.count, 1);
  assert_int_equal(f->findings.list[0].context, context);
  assert_true(scene_has_member(&f->findings.list[0], f->inner));
}

/* n items in blocks: the loop over the blocks runs seven times at most, and is no rise; the one over the items is. */
TEST(items_in_blocks)
{
  fixture f = nested(blocks, scene_n);
  expect_alone(&f, f.inner);
  assert_int_equal(f.findings.list[0].rule, SC_RULE_LINEAR_TRANSITION);
  release(&f);
  f = nested(blocks, scene_square);
  expect_alone(&f, f.inner);
  assert_true(f.findings.list[0].superlinear);
  release(&f);
}

/* More of them than a handful: still fewer than one for 100 items. */
TEST(items_in_many_blocks)
{
  fixture f = nested(many_blocks, scene_n);
  expect_alone(&f, f.inner);
  assert_true(f.findings.list[0].from.exponent == 0); /* in main, around the blocks */
  assert_int_equal(f.findings.list[0].parent, sc_graph_parent(f.graph, f.outer));
  release(&f);
}

TEST(items_in_roots)
{
  fixture f = nested(roots, scene_n);
  expect_alone(&f, f.inner);
  assert_int_equal(f.findings.list[0].parent, f.outer);
  release(&f);
}

/* A constant number of steps for each item is the items' work. */
TEST(steps_of_items)
{
  fixture f = nested(scene_n, hundred_n);
  expect_alone(&f, f.outer);
  release(&f);
}

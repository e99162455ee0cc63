/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "expand_scene.h"

#define DEFINE(b, locs, slots, counters) builder_function(b, locs, LENGTH(locs), slots, LENGTH(slots), counters)

static int set_up(void **state)
{
  *state = expand_new("demo\0-n\0a b", 12);
  return 0;
}

static void expect(struct fixture *f, const char *path, double count)
{
  double is = path_count(f->graph, f->run, path);
  if (is != count)
    fail_msg("%s is %.0f instead of %.0f", path, is, count);
}

static uint32_t leaf(struct fixture *f, const char *name)
{
  struct builder_loc loc = FUNCTION(name);
  return builder_function(&f->b, &loc, 1, NULL, 0, 0);
}

/* main { loop 10 { helper (inlined) { loop 30 { leaf 60 } } } leaf 1 } */
FIXTURE_TEST(loops_and_inlined_functions)
{
  uint32_t leaf_fn = leaf(f, "leaf");
  struct builder_loc locs[] = {FUNCTION("main"),
                               {0, SCALE_LOC_LOOP, 3, 5, 0, 0, "main", "demo.c", {1}},
                               {1, SCALE_LOC_FUNCTION, 20, 0, 4, SCALE_LOC_LOCAL, "helper", "demo.c", {1}},
                               {2, SCALE_LOC_LOOP, 22, 7, 0, SCALE_LOC_LOCAL, "helper", "demo.c", {2, 3}},
                               {0, SCALE_LOC_LOOP, 9, 1, 0, 0, "main", "demo.c", {4}},
                               {0, SCALE_LOC_FUNCTION, 50, 0, 0, 0, "once", "demo.c", {BUILDER_ENTRIES}}};
  struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 3, "leaf", "demo.c", 0},
                                 {SCALE_SLOT_DIRECT, 0, "leaf", "demo.c", 0}};
  uint32_t main_fn = DEFINE(&f->b, locs, slots, 4);
  uint64_t root = builder_arena(&f->b);
  uint64_t node = builder_root(&f->b, root, main_fn, 1);
  builder_count(&f->b, node, main_fn, 0, 10);
  builder_count(&f->b, node, main_fn, 1, 20);
  builder_count(&f->b, node, main_fn, 2, 10);
  builder_call(&f->b, node, main_fn, 0, leaf_fn, 60);
  builder_add(&f->b, builder_slot_at(&f->b, node, main_fn, 1), 1);
  merge(f);
  expect(f, "demo/main", 1);
  expect(f, "demo/main/main:3", 10);
  expect(f, "demo/main/main:3/helper", 10);
  expect(f, "demo/main/main:3/helper/helper:22", 30);
  expect(f, "demo/main/main:3/helper/helper:22/leaf", 60);
  expect(f, "demo/main/leaf", 1);
  expect(f, "demo/main/once", 1);
  assert_int_equal(sc_graph_call_line(f->graph, path_find(f->graph, "demo/main/main:3/helper")), 4); /* inlined */
  assert_int_equal(sc_graph_call_line(f->graph, path_find(f->graph, "demo/main/once")), 0);          /* not known */
  assert_int_equal(sc_graph_call_line(f->graph, path_find(f->graph, "demo/main/main:3")), 0);
  expect(f, "demo/main/main:9", -1); /* never run: no context */
  const sc_run *run = sc_graph_run_const(f->graph, f->run);
  assert_int_equal(run->processes, 1);
  assert_int_equal(run->threads, 1);
  assert_int_equal(run->nodes, 2);
  assert_int_equal(run->lost_records, 0);
}

/* Two call sites of one function in one place make one context, whether they had nodes or not. */
FIXTURE_TEST(call_sites_merge)
{
  struct builder_loc callee[] = {FUNCTION("work"), {0, SCALE_LOC_LOOP, 2, 2, 0, 0, "work", "demo.c", {1}}};
  uint32_t work = builder_function(&f->b, callee, 2, NULL, 0, 1);
  struct builder_loc locs[] = {FUNCTION("main")};
  struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 0, "work", "demo.c", 0},
                                 {SCALE_SLOT_DIRECT, 0, "work", "demo.c", 0},
                                 {SCALE_SLOT_OPEN, 0, NULL, NULL, 0}};
  uint32_t main_fn = DEFINE(&f->b, locs, slots, 0);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, main_fn, 1);
  builder_count(&f->b, builder_call(&f->b, node, main_fn, 0, work, 3), work, 0, 100);
  builder_count(&f->b, builder_call(&f->b, node, main_fn, 1, work, 4), work, 0, 200);
  uint64_t block = node, entry = builder_entry(&f->b, &block, builder_slot_at(&f->b, node, main_fn, 2), work);
  builder_add(&f->b, entry, 5);
  merge(f);
  expect(f, "demo/main/work", 12);
  expect(f, "demo/main/work/work:2", 300);
}

/* The repeated function is found by the run-time part: its slot leads to the ancestor. */
FIXTURE_TEST(recursion_adds_to_the_ancestor)
{
  struct builder_loc even[] = {{0, SCALE_LOC_FUNCTION, 1, 0, 0, SCALE_LOC_RECURSIVE, "even", "demo.c", {0}},
                               {0, SCALE_LOC_LOOP, 4, 1, 0, 0, "even", "demo.c", {1}}};
  struct builder_loc odd[] = {FUNCTION("odd"),
                              {0, SCALE_LOC_FUNCTION, 8, 0, 0, 0, "inside", "demo.c", {BUILDER_ENTRIES}}};
  struct builder_slot to_odd[] = {{SCALE_SLOT_DIRECT, 1, "odd", "demo.c", 0}},
                      to_even[] = {{SCALE_SLOT_DIRECT, 0, "even", "demo.c", 0}};
  uint32_t even_fn = builder_function(&f->b, even, 2, to_odd, 1, 1),
           odd_fn = builder_function(&f->b, odd, 2, to_even, 1, 0);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, even_fn, 1);
  uint64_t odd_node = builder_call(&f->b, node, even_fn, 0, odd_fn, 7);
  builder_count(&f->b, node, even_fn, 0, 7);
  uint64_t slot = builder_slot_at(&f->b, odd_node, odd_fn, 0);
  builder_add(&f->b, slot, 6);
  ((struct scale_slot *)builder_at(&f->b, slot))->child = builder_pointer(&f->b, node);
  struct scale_node *live = builder_at(&f->b, node);
  live->stack_high = 0x7ff000;
  live->stack_low = 0x7ff000 - 6 * 96;
  live->stack_step = 96;
  merge(f);
  expect(f, "demo/even", 7);
  expect(f, "demo/even/even:4", 7);
  expect(f, "demo/even/even:4/odd", 7);
  expect(f, "demo/even/even:4/odd/inside", 7);
  expect(f, "demo/even/even:4/odd/even", -1);
  uint32_t context = path_find(f->graph, "demo/even");
  assert_true(sc_graph_value(f->graph, f->run, context, SC_METRIC_DEPTH) == 7);
  assert_true(sc_graph_at(f->graph, context)->recursive);
}

/* A tail call that the compiler made a jump is a call all the same: the function has a counter beside its entries, or
 * one that has the entries too. */
FIXTURE_TEST(tail_recursion_counts)
{
  struct builder_loc locs[] = {{0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "down", "demo.c", {BUILDER_ENTRIES, 1}}};
  struct builder_loc all_in_one[] = {{0, SCALE_LOC_FUNCTION, 5, 0, 0, 0, "up", "demo.c", {1}}};
  struct builder_slot to_up[] = {{SCALE_SLOT_DIRECT, 0, "up", "demo.c", 0}};
  uint32_t down = builder_function(&f->b, locs, 1, to_up, 1, 1),
           up = builder_function(&f->b, all_in_one, 1, NULL, 0, 1);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, down, 2);
  builder_count(&f->b, node, down, 0, 20);
  builder_count(&f->b, builder_call(&f->b, node, down, 0, up, 3), up, 0, 12);
  merge(f);
  expect(f, "demo/down", 22);
  expect(f, "demo/down/up", 12);
}

/* a calls b, into which a was inlined: the loop of the inlined a is a's, and so are its calls. */
FIXTURE_TEST(inlined_recursion_collapses)
{
  uint32_t leaf_fn = leaf(f, "leaf");
  struct builder_loc b_locs[] = {FUNCTION("b"),
                                 {0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "a", "demo.c", {1}},
                                 {1, SCALE_LOC_LOOP, 5, 1, 0, 0, "a", "demo.c", {2}}};
  struct builder_slot b_slots[] = {{SCALE_SLOT_DIRECT, 2, "leaf", "demo.c", 0}};
  uint32_t b_fn = DEFINE(&f->b, b_locs, b_slots, 2);
  struct builder_loc a_locs[] = {FUNCTION("a"), {0, SCALE_LOC_LOOP, 5, 1, 0, 0, "a", "demo.c", {1}}};
  struct builder_slot a_slots[] = {{SCALE_SLOT_DIRECT, 1, "b", "demo.c", 0}};
  uint32_t a_fn = DEFINE(&f->b, a_locs, a_slots, 1);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, a_fn, 1);
  builder_count(&f->b, node, a_fn, 0, 2);
  uint64_t b_node = builder_call(&f->b, node, a_fn, 0, b_fn, 2);
  builder_count(&f->b, b_node, b_fn, 0, 2);
  builder_count(&f->b, b_node, b_fn, 1, 40);
  builder_call(&f->b, b_node, b_fn, 0, leaf_fn, 40);
  merge(f);
  expect(f, "demo/a", 3);
  expect(f, "demo/a/a:5", 42);
  expect(f, "demo/a/a:5/b", 2);
  expect(f, "demo/a/a:5/b/a", -1);
  expect(f, "demo/a/a:5/leaf", 40);
}

/* main calls qsort, which is not instrumented and calls cmp and, through the same slot, swap. */
FIXTURE_TEST(callbacks_stand_below_the_foreign_function)
{
  uint32_t cmp = leaf(f, "cmp"), swap = leaf(f, "swap"), other = leaf(f, "other");
  struct builder_loc locs[] = {FUNCTION("main")};
  struct builder_slot slots[] = {{SCALE_SLOT_OPEN, 0, "qsort", NULL, 0},
                                 {SCALE_SLOT_OPEN, 0, "other", NULL, 0},
                                 {SCALE_SLOT_OPEN, 0, "elsewhere", NULL, 0},
                                 {SCALE_SLOT_OPEN, 0, NULL, NULL, 0}};
  uint32_t main_fn = DEFINE(&f->b, locs, slots, 0);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, main_fn, 1);
  for (uint32_t i = 0; i < 4; i++) {
    uint64_t block = node, slot = builder_slot_at(&f->b, node, main_fn, i);
    if (i == 0) {
      uint64_t entry = builder_entry(&f->b, &block, slot, cmp);
      builder_add(&f->b, entry, 90);
      builder_node(&f->b, block, entry, cmp);
      entry = builder_entry(&f->b, &block, slot, swap);
      builder_add(&f->b, entry, 30);
      builder_node(&f->b, block, entry, swap);
    } else if (i == 1) {
      builder_add(&f->b, builder_entry(&f->b, &block, slot, other), 2); /* instrumented elsewhere: no foreign step */
    } else if (i == 2) {
      builder_add(&f->b, slot, 4); /* the register carried the slot: no key */
    } else {
      builder_add(&f->b, builder_entry(&f->b, &block, slot, swap), 5);
      block = node;
      builder_add(&f->b, builder_entry(&f->b, &block, slot, cmp), 6);
      block = node;
      builder_add(&f->b, builder_entry(&f->b, &block, slot, other), 7);
    }
  }
  merge(f);
  expect(f, "demo/main/(qsort)", 0);
  expect(f, "demo/main/(qsort)/cmp", 90);
  expect(f, "demo/main/(qsort)/swap", 30);
  expect(f, "demo/main/elsewhere", 4);
  expect(f, "demo/main/swap", 5);
  expect(f, "demo/main/cmp", 6);
  expect(f, "demo/main/other", 9);
}

/* A constructor's slot names the complete object's, the record the base object's: not a foreign function, through which
 * it was entered. */
FIXTURE_TEST(constructor_variants_are_one_function)
{
  static const struct {
    const char *callee, *entered;
    bool same;
  } cases[] = {{"_ZN3FooC1Ev", "_ZN3FooC2Ev", true},  {"_ZN3BarD0Ev", "_ZN3BarD5Ev", true},
               {"_ZN3BazC1Ev", "_ZN3BazC6Ev", false}, {"_ZN3CarB1Ev", "_ZN3CarB2Ev", false},
               {"_AN3FarC1Ev", "_AN3FarC2Ev", false}, {"_ZN3GarC1Ev", "_ZN3GarC2Ei", false},
               {"_ZN3HarC1", "_ZN3HarC12", false},    {"_ZN3JarC-Ev", "_ZN3JarC1Ev", false}};
  struct builder_loc locs[] = {FUNCTION("main")};
  struct builder_slot slots[COUNT(cases)];
  uint32_t entered[COUNT(cases)];
  for (size_t i = 0; i < COUNT(cases); i++) {
    entered[i] = leaf(f, cases[i].entered);
    slots[i] = (struct builder_slot){SCALE_SLOT_OPEN, 0, cases[i].callee, NULL, 0};
  }
  uint32_t main_fn = DEFINE(&f->b, locs, slots, 0);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, main_fn, 1);
  for (uint32_t i = 0; i < COUNT(cases); i++) {
    uint64_t block = node;
    builder_add(&f->b, builder_entry(&f->b, &block, builder_slot_at(&f->b, node, main_fn, i), entered[i]), 3);
  }
  merge(f);
  for (size_t i = 0; i < COUNT(cases); i++) {
    char path[100];
    snprintf(path, sizeof path, cases[i].same ? "demo/main/%s" : "demo/main/(%s)/%s",
             cases[i].same ? cases[i].entered : cases[i].callee, cases[i].entered);
    expect(f, path, 3);
  }
  assert_string_equal(sc_graph_at(f->graph, path_find(f->graph, "demo/main/_ZN3FooC2Ev"))->display, "Foo::Foo()");
}

/* A callee that needed no node still stands for what was inlined into its entry. */
FIXTURE_TEST(callee_without_node)
{
  struct builder_loc callee[] = {{0, SCALE_LOC_FUNCTION, 1, 0, 0, SCALE_LOC_LOCAL, "get", "a.c", {0}},
                                 {0, SCALE_LOC_FUNCTION, 9, 0, 0, 0, "inner", "demo.c", {BUILDER_ENTRIES}},
                                 {0, SCALE_LOC_LOOP, 3, 0, 0, SCALE_LOC_LOCAL, "get", "a.c", {1}}};
  builder_function(&f->b, callee, 3, NULL, 0, 1);
  struct builder_loc twin[] = {{0, SCALE_LOC_FUNCTION, 1, 0, 0, SCALE_LOC_LOCAL, "get", "b.c", {0}}};
  builder_function(&f->b, twin, 1, NULL, 0, 0);
  struct builder_loc locs[] = {FUNCTION("main")};
  struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 0, "get", "a.c", SCALE_LOC_LOCAL},
                                 {SCALE_SLOT_DIRECT, 0, "get", "b.c", SCALE_LOC_LOCAL},
                                 {SCALE_SLOT_DIRECT, 0, "unknown", "c.c", 0}};
  uint32_t main_fn = DEFINE(&f->b, locs, slots, 0);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, main_fn, 1);
  for (uint32_t i = 0; i < 3; i++)
    builder_add(&f->b, builder_slot_at(&f->b, node, main_fn, i), i + 2);
  merge(f);
  expect(f, "demo/main/get", 2); /* a.c's: the first of two contexts of that name */
  expect(f, "demo/main/get/inner", 2);
  expect(f, "demo/main/get/get:3", -1);
  expect(f, "demo/main/unknown", 4);
  uint32_t main_context = path_find(f->graph, "demo/main"), children = 0;
  for (uint32_t c = sc_graph_first_child(f->graph, main_context); c; c = sc_graph_next_sibling(f->graph, c))
    children++;
  assert_int_equal(children, 3);
}

/* Whatever order the functions are in, each is found by its name and, of local ones, its file. */
FIXTURE_TEST(callees_are_found_by_name)
{
  static const struct {
    const char *name, *file, *inner;
    uint32_t flags;
  } functions[] = {{"walk", "a.c", "in_walk", 0},
                   {"get", "b.c", "in_get_b", SCALE_LOC_LOCAL},
                   {"zip", "a.c", "in_zip", 0},
                   {"get", "a.c", "in_get_a", SCALE_LOC_LOCAL},
                   {"add", "a.c", "in_add", 0}};
  struct builder_slot slots[COUNT(functions)];
  for (size_t i = 0; i < COUNT(functions); i++) {
    struct builder_loc callee[] = {
        {0, SCALE_LOC_FUNCTION, 1, 0, 0, functions[i].flags, functions[i].name, functions[i].file, {0}},
        {0, SCALE_LOC_FUNCTION, 9, 0, 0, 0, functions[i].inner, "demo.c", {BUILDER_ENTRIES}}};
    builder_function(&f->b, callee, 2, NULL, 0, 1);
    slots[i] = (struct builder_slot){SCALE_SLOT_DIRECT, 0, functions[i].name, functions[i].file, functions[i].flags};
  }
  struct builder_loc locs[] = {FUNCTION("main")};
  uint32_t main_fn = DEFINE(&f->b, locs, slots, 0);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, main_fn, 1);
  for (uint32_t i = 0; i < COUNT(functions); i++)
    builder_add(&f->b, builder_slot_at(&f->b, node, main_fn, i), i + 2);
  merge(f);
  double sum = 0;
  for (uint32_t c = 1; c < sc_graph_context_count(f->graph); c++)
    for (size_t i = 0; i < COUNT(functions); i++) {
      const sc_location *at = sc_graph_at(f->graph, c), *above = sc_graph_at(f->graph, sc_graph_parent(f->graph, c));
      if (strcmp(at->name, functions[i].inner) != 0)
        continue;
      assert_string_equal(above->name, functions[i].name);
      assert_string_equal(above->file, functions[i].file);
      assert_true(sc_graph_value(f->graph, f->run, c, SC_METRIC_COUNT) == (double)i + 2);
      sum += (double)i + 2;
    }
  assert_true(sum == 2 + 3 + 4 + 5 + 6);
}

/* Threads merge by the function they start with; what the budget cut off stands aside, complete in its counts. */
FIXTURE_TEST(threads_and_truncation)
{
  uint32_t leaf_fn = leaf(f, "leaf");
  struct builder_loc locs[] = {FUNCTION("worker"), {0, SCALE_LOC_LOOP, 3, 1, 0, 0, "worker", "demo.c", {1}}};
  struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 1, "leaf", "demo.c", 0}};
  uint32_t worker = DEFINE(&f->b, locs, slots, 1);
  for (uint64_t i = 1; i <= 2; i++) {
    uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, worker, i);
    builder_count(&f->b, node, worker, 0, 10 * i);
    uint64_t block = root, truncated = root + sizeof(struct scale_node) + sizeof(struct scale_entry);
    uint64_t entry = builder_entry(&f->b, &block, truncated, leaf_fn);
    uint64_t cut = builder_node(&f->b, block, entry, leaf_fn);
    uint64_t slot = builder_slot_at(&f->b, node, worker, 0);
    builder_add(&f->b, slot, 10 * i);
    ((struct scale_slot *)builder_at(&f->b, slot))->child = builder_pointer(&f->b, cut);
  }
  ((struct scale_header *)builder_at(&f->b, 0))->truncated_nodes = 2;
  merge(f);
  expect(f, "demo/worker", 3);
  expect(f, "demo/worker/worker:3", 30);
  expect(f, "demo/worker/worker:3/leaf", -1);
  expect(f, "demo/.../leaf", 30);
  assert_int_equal(sc_graph_run_const(f->graph, f->run)->truncated_nodes, 2);
}

/* A forked child begins with its parent's tree and no counts. */
FIXTURE_TEST(forked_child_without_counts)
{
  uint32_t leaf_fn = leaf(f, "leaf"), idle = leaf(f, "idle");
  struct builder_loc locs[] = {FUNCTION("main")};
  struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 0, "leaf", "demo.c", 0},
                                 {SCALE_SLOT_DIRECT, 0, "idle", "demo.c", 0}};
  uint32_t main_fn = DEFINE(&f->b, locs, slots, 0);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, main_fn, 0);
  builder_call(&f->b, node, main_fn, 0, leaf_fn, 5);
  builder_call(&f->b, node, main_fn, 1, idle, 0);
  merge(f);
  expect(f, "demo/main", 0);
  expect(f, "demo/main/leaf", 5);
  expect(f, "demo/main/idle", -1);
}

/* A chain of many thousand nested functions must not use up the stack, nor take quadratic time. */
FIXTURE_TEST(deep_chain)
{
  enum { DEEP = 4000 };
  static uint32_t functions[DEEP];
  static char names[DEEP][16];
  for (uint32_t i = 0; i < DEEP; i++) {
    snprintf(names[i], sizeof names[i], "f%u", i);
    struct builder_loc locs[] = {FUNCTION(names[i])};
    struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 0, "next", "demo.c", 0}};
    functions[i] = DEFINE(&f->b, locs, slots, 0);
  }
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, functions[0], 1);
  for (uint32_t i = 1; i < DEEP; i++)
    node = builder_call(&f->b, node, functions[i - 1], 0, functions[i], i + 1);
  merge(f);
  uint32_t context = path_find(f->graph, "demo"), depth = 0;
  while ((context = sc_graph_first_child(f->graph, context)) != 0)
    assert_true(sc_graph_value(f->graph, f->run, context, SC_METRIC_COUNT) == ++depth);
  assert_int_equal(depth, DEEP);
}

/* The same profile twice: everything doubles, nothing is new. */
TEST_WITH(merging_is_adding, set_up, tear_down)
{
  struct fixture *f = *state;
  inlined_recursion_collapses(state);
  uint32_t contexts = sc_graph_context_count(f->graph);
  merge(f);
  assert_int_equal(sc_graph_context_count(f->graph), contexts);
  expect(f, "demo/a", 6);
  expect(f, "demo/a/a:5/leaf", 80);
  assert_int_equal(sc_graph_run_const(f->graph, f->run)->processes, 2);
}

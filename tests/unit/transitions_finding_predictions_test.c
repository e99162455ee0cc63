/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What findings are predicted to do, against their members predicted together and against the program's formulas. */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "transitions/suppose/portion.h"
#include "transitions_scene.h"

static const double SIZES[] = {1000, 2000, 4000, 8000, 16000, 32000};
static const double TARGETS[] = {64000, 320000};

enum { SCAN, SORT, PAIRS, WALK, PLACES };
typedef struct program {
  sc_graph *graph;
  uint32_t at[PLACES];
} program;

/* Of n records: scans of all for each; n log n steps of a sort; in one function pairs, and what each of them walks. */
static program make(double each, bool memory)
{
  program p = {.graph = scene_new(SIZES, COUNT(SIZES), "task-clock")};
  uint32_t main = scene_main(p.graph), outer = scene_loop(p.graph, main, "main", 3, scene_n, 5 * each);
  p.at[SCAN] = scene_loop(p.graph, outer, "main", 4, scene_square, each);
  p.at[SORT] = scene_loop(p.graph, main, "sort", 20, scene_sorting, each);
  uint32_t join = scene_function(p.graph, main, "join", scene_one, 0);
  p.at[PAIRS] = scene_loop(p.graph, join, "join", 33, scene_triangle, each / 4);
  p.at[WALK] = scene_function(p.graph, p.at[PAIRS], "walk", scene_triangle, each / 2);
  uint32_t heap;
  unit_ok(sc_usage_resource(p.graph, &(sc_resource){.resource_class = SC_RESOURCE_HEAP, .name = "heap", .file = ""},
                            &heap));
  for (size_t i = 0; i < COUNT(SIZES); i++) {
    sc_run *run = sc_graph_run(p.graph, i);
    double n = run->n;
    run->user_seconds = each * (5 * n + n * n + floor(n * log2(n)) + n * (n - 1) / 2 * 0.75);
    run->samples = 1000000;
    if (memory)
      unit_ok(sc_usage_add_occupancy(p.graph, i, &(sc_occupancy){.resource = heap, .peak = 16 * n}));
  }
  return p;
}

static const sc_finding *found_at(const sc_findings *all, uint32_t context)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].context == context)
      return &all->list[i];
  return NULL;
}

static void interval_is(const sc_interval *found, const sc_interval *expected)
{
  unit_near_by(found->value, expected->value, 1e-6);
  unit_near_by(found->low, expected->low, 1e-6);
  unit_near_by(found->high, expected->high, 1e-6);
}

/* Members cost what they cost together; a share is of the total; the count is that of the place. */
static void predicted_as_members(const sc_analysis *a, const sc_finding *f)
{
  sc_portion *portion;
  unit_ok(sc_portion_new(a, f->members, f->member_count, SC_PORTION_COST, NULL, &portion));
  for (size_t t = 0; t < COUNT(TARGETS); t++) {
    const sc_finding_prediction *p = &f->predictions[t];
    sc_interval cost, total, count;
    assert_true(p->n == TARGETS[t]);
    unit_ok(sc_portion_predict(portion, TARGETS[t], &cost));
    interval_is(&p->cost, &cost);
    unit_ok(sc_analysis_total(a, TARGETS[t], &total));
    unit_near_by(p->share, cost.value / total.value, 1e-9);
    unit_ok(sc_analysis_count(a, f->context, TARGETS[t], &count));
    interval_is(&p->count, &count);
    assert_true(p->waiting == 0 && p->waiting_share == 0);
  }
  sc_portion_free(portion);
}

/* With memory that leaves the caches all may get dearer, and the upper ends are far above the values. */
TEST(findings_cost_what_their_members_do)
{
  for (int memory = 0; memory < 2; memory++) {
    program p = make(200e-9, memory);
    sc_analysis *a = scene_analyse(p.graph, TARGETS, COUNT(TARGETS));
    sc_findings all = scene_infer(a);
    assert_true(all.count >= 2);
    double widest = 0;
    for (size_t i = 0; i < all.count; i++) {
      predicted_as_members(a, &all.list[i]);
      widest = fmax(widest, all.list[i].predictions[1].cost.high / all.list[i].predictions[1].cost.value);
    }
    assert_true(memory ? widest > 1.5 : widest < 1.5);
    scene_end(p.graph, a, &all);
  }
}

/* n^2 scans, and half as many pairs that cost three quarters as much. */
TEST(findings_cost_what_the_program_does)
{
  double each = 200e-9;
  program p = make(each, false);
  sc_analysis *a = scene_analyse(p.graph, TARGETS, COUNT(TARGETS));
  sc_findings all = scene_infer(a);
  const sc_finding *scan = found_at(&all, p.at[SCAN]), *pairs = found_at(&all, p.at[PAIRS]);
  assert_non_null(scan);
  assert_non_null(pairs);
  assert_true(scan->superlinear && pairs->superlinear && !scan->linear && !pairs->linear);
  assert_true(scan == &all.list[0] && pairs == &all.list[1]); /* the dearest first */
  assert_true(scan->member_count == 1 && scan->members[0] == p.at[SCAN]);
  assert_true(pairs->member_count == 2 && pairs->members[0] == p.at[PAIRS] && pairs->members[1] == p.at[WALK]);
  for (size_t t = 0; t < COUNT(TARGETS); t++) {
    double n = TARGETS[t], triangle = n * (n - 1) / 2;
    unit_near_by(scan->predictions[t].cost.value, n * n * each, 1e-3);
    unit_near_by(pairs->predictions[t].cost.value, triangle * 0.75 * each, 1e-3);
    unit_near_by(scan->predictions[t].count.value, n * n, 1e-9);
    unit_near_by(pairs->predictions[t].count.value, triangle, 1e-9);
    unit_near_by(scan->predictions[t].share, 1 / 1.375, 2e-3);
    unit_near_by(pairs->predictions[t].share, 0.375 / 1.375, 2e-3);
  }
  assert_true(!found_at(&all, p.at[SORT]) || found_at(&all, p.at[SORT])->linear);
  scene_end(p.graph, a, &all);
}

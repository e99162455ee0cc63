/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth along a further parameter among the findings of the focused one: places and order. */
#include "unit.h"

#include <stdlib.h>

#include "transitions_scene.h"

static const double targets[] = {160000};
enum { LOOPS = 5 };

static double rare(double n) { return floor(n * n / 1e5); }
static double bursts(double n) { return 10 * scene_bursts(n); }
static double hundred(double n) { return n > 0 ? 100 : 0; }
/* Loops of main, each in a function of its own; `curves` of each, and what an execution costs. */
static scene_program make(const scene_curve curves[LOOPS], const double each[LOOPS], uint32_t loops[LOOPS])
{
  scene_program s = scene_open(scene_driven, 5, "task-clock");
  for (uint32_t i = 0; i < LOOPS; i++) {
    char name[] = "f0";
    name[1] = (char)('0' + i);
    loops[i] =
        scene_loop(s.graph, scene_function(s.graph, s.main, name, scene_one, 0), name, 10 * i + 5, curves[i], each[i]);
  }
  scene_judge(&s, targets, 1);
  return s;
}

/* Of the focused parameter the second and the fourth loop are squares, of the other one all but the first are. By what
 * each costs at the target of the focused one: 4, 3, 2, 1 parts of ten. */
TEST(findings_are_ranked_by_what_they_cost_there)
{
  static const scene_curve focused[] = {scene_n, scene_square, hundred, scene_square, hundred};
  static const scene_curve other[] = {hundred, scene_n, scene_square, scene_n, scene_square};
  static const double costs[] = {1e-9, 2e-9, 4e-9 * 2.56e10 / 100, 1e-9, 3e-9 * 2.56e10 / 100};
  static const double alike[] = {1e-9, 1e-9, 1e-9, 1e-9, 1e-9};
  uint32_t loops[LOOPS], same[LOOPS];
  scene_program there = make(focused, costs, loops), along = make(other, alike, same);
  for (size_t i = 0; i < LOOPS; i++)
    assert_int_equal(loops[i], same[i]);
  size_t linear = there.findings.linear, before = there.findings.count;
  assert_int_equal(scene_superlinear(&there.findings), 2);
  if (sc_findings_add_along(there.analysis, along.analysis, &there.findings) < 0)
    fail_msg("%s", sc_err_message());
  assert_int_equal(there.findings.count, before + 2); /* the linear ones are none of it */
  static const size_t order[] = {2, 4, 1, 3};
  static const double share[] = {0.4, 0.3, 0.2, 0.1};
  for (size_t i = 0; i < 4; i++) {
    const sc_finding *f = &there.findings.list[i];
    assert_int_equal(f->context, loops[order[i]]);
    assert_true((f->along == along.analysis) == (i < 2) && !f->linear && f->superlinear);
    assert_float_equal(f->predictions[0].share, share[i], 1e-3);
  }
  for (size_t i = 4; i < there.findings.count; i++)
    assert_true(there.findings.list[i].linear);
  assert_int_equal(there.findings.linear, linear);
  scene_close(&along);
  scene_close(&there);
}

/* What is negligible stands behind the superlinear ones that are; what is undecided where its share puts it. */
TEST(negligible_and_undecided_ones_come_along)
{
  static const scene_curve focused[] = {scene_square, scene_bursts, hundred, scene_n, rare};
  static const scene_curve other[] = {scene_n, hundred, bursts, rare, hundred};
  static const double costs[] = {1e-9, 1e-9, 0.1, 1e-13, 1e-12};
  static const double alike[] = {1e-9, 1e-9, 1e-9, 1e-12, 1e-9};
  uint32_t loops[LOOPS];
  scene_program there = make(focused, costs, loops), along = make(other, alike, loops);
  size_t negligible = there.findings.suppressed, undecided = there.findings.undecided_count;
  size_t more = 0, doubts = along.findings.undecided_count;
  for (size_t i = 0; i < along.findings.suppressed; i++)
    more += along.findings.negligible[i].superlinear;
  assert_int_equal(sc_findings_add_along(there.analysis, along.analysis, &there.findings), 0);
  assert_int_equal(there.findings.suppressed, negligible + more);
  assert_int_equal(there.findings.undecided_count, undecided + doubts);
  bool linear = false;
  size_t added = 0;
  for (size_t i = 0; i < there.findings.suppressed; i++) {
    const sc_finding *f = &there.findings.negligible[i];
    assert_false(linear && f->superlinear);
    linear = linear || !f->superlinear;
    added += f->along == along.analysis;
  }
  assert_int_equal(added, more);
  for (size_t i = 1; i < there.findings.undecided_count; i++)
    assert_true(there.findings.undecided[i - 1].share >= there.findings.undecided[i].share);
  added = 0;
  for (size_t i = 0; i < there.findings.undecided_count; i++) {
    added += there.findings.undecided[i].along == along.analysis;
    assert_non_null(there.findings.undecided[i].reason);
  }
  assert_int_equal(added, doubts);
  if (!more || !doubts)
    fail_msg("%zu negligible, %zu undecided", more, doubts);
  scene_close(&along);
  scene_close(&there);
}

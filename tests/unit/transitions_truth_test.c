/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is measured without noise: what is predicted of its parts, of what they do to resources, and of what
 * is supposed of them, is what is true. */
#include "unit.h"

#include "transitions/model/elapsed.h"
#include "transitions_program.h"

/* Counts that are exactly a function of the size, and those that are nearly one. */
static double known_to(curve of)
{
  return of == late || of == erratic ? NAN : of == sorted || of == scattered || of == few || of == most ? 0.01 : 1e-9;
}

static void near_truth(const sc_interval *i, double truth, double by, const char *what)
{
  if (!(fabs(i->value - truth) <= by * truth + 1e-12 && i->low <= truth * (1 + 1e-9) && i->high >= truth * (1 - 1e-9)))
    fail_msg("%s: %.9g (%.9g to %.9g) instead of %.9g", what, i->value, i->low, i->high, truth);
}

/* Measured without noise, counts and costs are predicted as they are, in parts and together, but for what has no model.
 */
TEST(what_is_measured_exactly_is_predicted_so)
{
  noisy = 0;
  program p = make(false, false);
  sc_interval count, cost;
  for (size_t t = 0; t < TARGETS; t++) {
    double n = targets[t], total = 0, unknown = 0;
    for (int k = 0; k < PARTS; k++) {
      const struct part *part = &parts[k];
      double by = part->count ? known_to(part->count) : 0, truth = part->count ? floor(part->count(n)) : 0;
      total += truth * part->each;
      unknown += isnan(by) ? truth * part->each : 0;
      if (isnan(by) || !part->count)
        continue;
      assert_int_equal(sc_analysis_count(p.analysis, p.contexts[k], n, &count), 0);
      assert_int_equal(sc_analysis_cost(p.analysis, p.contexts[k], n, &cost), 0);
      near_truth(&count, truth, by, part->name);
      near_truth(&cost, truth * part->each, fmax(by, 1e-6), part->name);
      unit_near_by(sc_analysis_cost_each(p.analysis, p.contexts[k]), part->each, fmax(by, 1e-6));
    }
    assert_int_equal(sc_analysis_total(p.analysis, n, &cost), 0);
    assert_true(fabs(cost.value / total - 1) < 0.01 + 2 * unknown / total);
  }
  drop(&p);
  noisy = 1;
}

static double cost_of(int part, double n)
{
  return parts[part].count ? floor(parts[part].count(n)) * parts[part].each : 0;
}

static double supposed(const program *p, int part, bool scaled, double n)
{
  sc_suppose *suppose;
  sc_portion *portion;
  sc_interval i;
  sc_supposition one = {&p->contexts[part], 1, scaled, 0.25, {.exponent = 1, .integer = 1}, false};
  assert_int_equal(sc_suppose_new(p->analysis, &one, 1, &suppose), 0);
  assert_int_equal(sc_portion_new(p->analysis, NULL, 0, SC_PORTION_COST, suppose, &portion), 0);
  assert_int_equal(sc_portion_predict(portion, n, &i), 0);
  sc_portion_free(portion);
  sc_suppose_free(suppose);
  check(&i);
  return i.value;
}

/* What is in a loop is supposed with it: a quarter as often, or in proportion from the smallest size on. Elapsed time
 * is a quarter longer than processor time, and what is waited for beside it, among the sizes measured. */
TEST(suppositions_and_elapsed_time_follow_from_counts)
{
  noisy = 0;
  program p = make(false, false);
  sc_interval i;
  sc_elapsed_parts of;
  for (size_t t = 0; t < TARGETS; t++) {
    double n = targets[t], total, pairs_of = cost_of(3, n) + cost_of(4, n);
    double line = pairs(100) * n / 100 / pairs(n), waited = items(n) * 2e-4 / 2 + thousand(n) * 1e-5 / 2;
    assert_int_equal(sc_analysis_total(p.analysis, n, &i), 0);
    total = i.value;
    unit_near_by(total - supposed(&p, 3, true, n), 0.75 * pairs_of, 1e-3);
    unit_near_by(total - supposed(&p, 3, false, n), (1 - line) * pairs_of, 1e-3);
    unit_near_by(total - supposed(&p, 10, true, n), 0.75 * cost_of(10, n), 1e-3);
    assert_int_equal(sc_analysis_elapsed(p.analysis, n, &i), 0);
    assert_int_equal(sc_analysis_elapsed_parts(p.analysis, n, &of), 0);
    unit_near_by(of.processor, total, 1e-6);
    if (t == 0)
      unit_near_by(i.value, 1.25 * total + waited, 0.01);
  }
  drop(&p);
  noisy = 1;
}

/* Acquires, units and holds of all uses of a resource together. */
TEST(resources_are_predicted_by_their_uses)
{
  noisy = 0;
  program p = make(false, false);
  for (size_t r = 0; r + 2 < COUNT(declared); r++)
    for (size_t t = 0; t < TARGETS; t++) {
      double n = targets[t], acquires = 0, units = 0, kept = 0, held = 0, holds = 0;
      for (size_t u = 0; u < COUNT(uses); u++) {
        if (strcmp(uses[u].name, declared[r]) != 0)
          continue;
        double often_of = floor(uses[u].acquires(n)), back = floor(often_of * (1 - uses[u].kept));
        acquires += often_of, units += often_of * uses[u].each, kept += (often_of - back) * uses[u].each;
        held += back * uses[u].hold, holds += back;
      }
      const struct {
        enum sc_resource_metric metric;
        double truth;
      } all[] = {{SC_RMETRIC_ACQUIRES, acquires}, {SC_RMETRIC_UNITS, units}, {SC_RMETRIC_OUTSTANDING, kept},
                 {SC_RMETRIC_HOLD_TOTAL, held},   {SC_RMETRIC_FAILURES, 0},  {SC_RMETRIC_RELEASES, 0},
                 {SC_RMETRIC_INSTANCES, 1},       {SC_RMETRIC_THREADS, 4}};
      for (size_t k = 0; k < COUNT(all); k++) {
        sc_interval i;
        assert_int_equal(sc_resources_predict(p.all, p.resources[r], all[k].metric, n, &i), 0);
        double by = all[k].metric == SC_RMETRIC_HOLD_TOTAL ? 0.1 : 0.02; /* a mean times a number */
        if (!(fabs(i.value - all[k].truth) <= by * all[k].truth && i.low <= all[k].truth && i.high >= all[k].truth))
          fail_msg("%s %s at %g: %g (%g to %g) instead of %g\n", declared[r], sc_resource_metric_name(all[k].metric), n,
                   i.value, i.low, i.high, all[k].truth);
      }
    }
  drop(&p);
  noisy = 1;
}

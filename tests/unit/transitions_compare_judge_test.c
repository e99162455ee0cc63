/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the count of a loop that both versions have: models and measured values are given, one below, at and
 * one above each threshold. */
#include "unit.h"

#include <math.h>

#include "transitions/compare/internal.h"
#include "transitions_compare_scene.h"
#include "transitions_resources_scene.h"

enum { COUNTS = 5 };

/* One version: c n^exponent is its loop's model; measured are `scale` times 1,000,000 times its value, times e^off at
 * each size, and times e^(+-spread / root of 2) in two runs. Of its function all is counted once, or `calls` n. */
typedef struct version {
  const double *sizes;
  sc_model model;
  double off[COUNTS], spread, power; /* power: of what is measured */
  double calls;
  sc_model *around; /* of the calls, in place of exactly that */
} version;

static sc_model noisy(double coefficient, double exponent)
{
  return (sc_model){.verdict = SC_VERDICT_MODEL,
                    .terms = {{coefficient, exponent, 0, 0, 0, 0}},
                    .term_count = 1,
                    .order = {exponent, 0, (int)lround(exponent), 0, 0},
                    .exponent_low = exponent,
                    .points = 8,
                    .degrees = 6,
                    .r2 = 1,
                    .n_min = 100,
                    .n_max = 1600};
}

static sc_model exactly(double coefficient, double exponent)
{
  sc_model m = noisy(coefficient, exponent);
  m.exact = true;
  return m;
}

static sc_graph *build(const version *v, uint32_t *loop)
{
  sc_graph *graph = scene_repeats(v->sizes, COUNTS, 2);
  uint32_t main = scene_main(graph), f = scene_function(graph, main, "f", scene_one, 0);
  *loop = scene_loop(graph, f, "f", 5, scene_one, 0);
  for (size_t run = 0; run < 2 * COUNTS; run++) {
    double n = v->sizes[run / 2], value = 1e6 * pow(n, v->power);
    value *= exp(v->off[run / 2] + (run % 2 ? 1 : -1) * v->spread / sqrt(2));
    assert_int_equal(sc_graph_add(graph, run, *loop, SC_METRIC_COUNT, value), 0);
    if (v->calls > 0)
      assert_int_equal(sc_graph_add(graph, run, f, SC_METRIC_COUNT, 1000 * v->calls * n), 0);
  }
  return graph;
}

static sc_analysis *analyse(const sc_graph *graph, const version *v, uint32_t loop, const double *targets)
{
  sc_analysis *a = scene_analyse(graph, targets, 2);
  uint32_t f = sc_graph_parent(graph, loop);
  assert_true(a->series[loop] != a->series[f]);
  a->models[a->series[loop]] = v->model;
  if (v->calls > 0)
    a->models[a->series[f]] = v->around ? *v->around : exactly(1000 * v->calls, 1);
  return a;
}

static enum sc_behaviour judge_at(const version *base, const version *head, const double *targets)
{
  uint32_t before, after;
  enum sc_behaviour what;
  sc_graph *b = build(base, &before), *h = build(head, &after);
  sc_analysis *x = analyse(b, base, before, targets), *y = analyse(h, head, after, targets);
  sc_compare_side in[] = {{.analysis = x}, {.analysis = y}};
  sc_compared c = {.targets = targets, .target_count = 2, .horizon = fmax(targets[0], targets[1])};
  unit_ok(sc_sides_open(&c, &in[0], &in[1]));
  for (uint32_t i = 0; i <= before; i++) /* built alike */
    c.base.mate[i] = c.head.mate[i] = i;
  unit_ok(sc_behaviour_judge(&c, after, &what));
  sc_sides_close(&c);
  sc_analysis_free(x);
  sc_analysis_free(y);
  sc_graph_free(b);
  sc_graph_free(h);
  return what;
}

static enum sc_behaviour judge(const version *base, const version *head) { return judge_at(base, head, pair_targets); }

#define LINEAR(...) ((version){.sizes = pair_sizes, .power = 1, __VA_ARGS__})

static void set_off(version *v, double off)
{
  for (size_t i = 0; i < COUNTS; i++)
    v->off[i] = off;
}

/* A fifth more or less at the largest target; the sizes show it. */
TEST(noisy_counts_change_by_a_fifth)
{
  static const struct {
    double factor;
    enum sc_behaviour what;
  } cases[] = {{1.19, SC_BEHAVES_SAME},     {1.21, SC_BEHAVES_WORSE},      {3, SC_BEHAVES_WORSE},
               {1 / 1.19, SC_BEHAVES_SAME}, {1 / 1.21, SC_BEHAVES_BETTER}, {0.1, SC_BEHAVES_BETTER}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(1e6 * cases[i].factor, 1));
    set_off(&head, log(cases[i].factor));
    assert_int_equal(judge(&base, &head), cases[i].what);
  }
}

/* Exact ones by a fiftieth. */
TEST(exact_counts_change_by_a_fiftieth)
{
  static const struct {
    double factor;
    enum sc_behaviour what;
  } cases[] = {{1.019, SC_BEHAVES_SAME},
               {1.021, SC_BEHAVES_WORSE},
               {1 / 1.019, SC_BEHAVES_SAME},
               {1 / 1.021, SC_BEHAVES_BETTER}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    version base = LINEAR(.model = exactly(1e6, 1)), head = LINEAR(.model = exactly(1e6 * cases[i].factor, 1));
    set_off(&head, log(cases[i].factor));
    assert_int_equal(judge(&base, &head), cases[i].what);
    base.model.exact = false; /* one that is noisy makes both so */
    assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  }
}

/* A tenth is seen, at all larger sizes. */
TEST(what_the_sizes_do_not_show_is_not_told)
{
  version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(2e6, 1));
  set_off(&head, 0.099);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  set_off(&head, 0.101);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
  head.off[0] = head.off[1] = 0; /* of the lower half nothing is asked */
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
  head.off[2] = 0.099;
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
}

/* Twice what models miss by, of both, is put down to them, on top of a twentieth: 0.05 + 2 (0.08 + 0.09) is 0.39; up to
 * a half. */
TEST(what_models_miss_is_no_change)
{
  version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(2e6, 1));
  base.model.fit_error = 0.08, head.model.fit_error = 0.09;
  set_off(&head, 0.388);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  set_off(&head, 0.392);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
  head.model.fit_error = 5;
  set_off(&head, 0.498);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  set_off(&head, 0.502);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
}

/* And three standard deviations of repeats: of the side whose repeats scatter more. 0.05 + 3 * 0.1 is 0.35. */
TEST(what_repeats_scatter_by_is_no_change)
{
  for (int side = 0; side < 2; side++) {
    version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(2e6, 1));
    base.spread = side ? 0.1 : 0.02, head.spread = side ? 0.02 : 0.1;
    set_off(&head, 0.346);
    assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
    set_off(&head, 0.356);
    assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
  }
}

/* The models are the same at the largest target, but what was measured differs by half of itself. */
TEST(measured_differences_without_predicted_ones_are_unknown)
{
  static const struct {
    double factor;
    enum sc_behaviour what;
  } cases[] = {
      {1.49, SC_BEHAVES_SAME}, {1.51, SC_BEHAVES_UNKNOWN}, {1 / 1.49, SC_BEHAVES_SAME}, {1 / 1.51, SC_BEHAVES_UNKNOWN}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    version base = LINEAR(.model = noisy(1e6, 1)), head = base;
    set_off(&head, log(cases[i].factor));
    assert_int_equal(judge(&base, &head), cases[i].what);
    base.model.exact = head.model.exact = true; /* those are the models */
    assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  }
}

/* Each execution of what is around does the same: that changed, and not this. */
TEST(what_is_around_explains_it)
{
  version base = LINEAR(.model = noisy(1e6, 1), .calls = 1), head = LINEAR(.model = noisy(3e6, 1), .calls = 3);
  set_off(&head, log(3));
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  base.model.exact = head.model.exact = true;
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  /* a fifth more for each is reported, though it is three times as much in all */
  base.model = noisy(1e6, 1), head.model = noisy(3e6 * 1.19, 1);
  set_off(&head, log(3 * 1.19));
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  head.model = noisy(3e6 * 1.21, 1);
  set_off(&head, log(3 * 1.21));
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
  /* three times as many calls, which do half of that each, are half as much again in all, and less in each */
  head.model = noisy(1.5e6, 1);
  set_off(&head, log(1.5));
  assert_int_equal(judge(&base, &head), SC_BEHAVES_BETTER);
}

/* Without a model of what is around there is nothing to hold it against but itself. */
TEST(what_is_around_without_a_model_explains_nothing)
{
  sc_model none = {.verdict = SC_VERDICT_CANNOT_TELL};
  version base = LINEAR(.model = noisy(1e6, 1), .calls = 1), head = LINEAR(.model = noisy(1.5e6, 1), .calls = 3);
  set_off(&head, log(1.5));
  head.around = &none;
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
  head.around = NULL, base.around = &none;
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
}

/* Called once before and three times now, as far as its model says: each call does the same then. */
TEST(what_is_called_more_often_may_do_the_same_each_time)
{
  sc_model thrice = exactly(3, 0);
  version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(3e6, 1), .calls = 1, .around = &thrice);
  set_off(&head, log(3));
  assert_int_equal(judge(&base, &head), SC_BEHAVES_UNKNOWN); /* what was measured of the calls is another matter */
  head.model = noisy(3e6 * 1.21, 1);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE);
  head.model = noisy(3e6 * 1.19, 1);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_UNKNOWN);
}

/* An order more, where exact counts differ by a hundredth at some target or the largest size: n and n + e n^2. */
TEST(exact_counts_are_the_same_to_a_hundredth)
{
  static const double near[] = {200, 300}, far[] = {16000, 160000};
  static const struct {
    double apart, at;
    const double *targets;
    enum sc_behaviour what;
  } cases[] = {{0.0099, 160000, far, SC_BEHAVES_SAME},
               {0.0102, 160000, far, SC_BEHAVES_WORSE_ORDER},
               {0.0099, 1600, near, SC_BEHAVES_SAME},
               {0.0102, 1600, near, SC_BEHAVES_WORSE_ORDER},
               {0.0102, 1600, far, SC_BEHAVES_WORSE_ORDER}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    version base = LINEAR(.model = exactly(1e6, 1)), head = LINEAR(.model = exactly(1e6, 2));
    head.model.terms[0].coefficient = 1e6 * cases[i].apart / cases[i].at;
    head.model.terms[1] = (sc_term){1e6, 1, 0, 0, 0, 0};
    head.model.term_count = 2;
    for (size_t k = 0; k < COUNTS; k++)
      head.off[k] = log(1 + cases[i].apart / cases[i].at * pair_sizes[k]);
    assert_int_equal(judge_at(&base, &head, cases[i].targets), cases[i].what);
    if (cases[i].what == SC_BEHAVES_WORSE_ORDER)
      assert_int_equal(judge_at(&head, &base, cases[i].targets), SC_BEHAVES_BETTER);
  }
}

/* A higher order is reported where the largest size shows it by three standard deviations of repeats. */
TEST(an_order_has_to_be_clear_of_repeats)
{
  version base = LINEAR(.model = noisy(1e6, 1), .spread = 0.1), head = LINEAR(.model = noisy(1e6, 2), .spread = 0.1);
  set_off(&head, 1);
  head.off[COUNTS - 1] = 0.29;
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
  head.off[COUNTS - 1] = 0.31;
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE_ORDER);
  head.off[COUNTS - 1] = -0.31; /* to whichever side */
  assert_int_equal(judge(&base, &head), SC_BEHAVES_WORSE_ORDER);
  head.model = noisy(1e6, 1), base.model = noisy(1e6, 2);
  assert_int_equal(judge(&base, &head), SC_BEHAVES_BETTER);
  head.off[COUNTS - 1] = -0.29;
  assert_int_equal(judge(&base, &head), SC_BEHAVES_SAME);
}

/* Where the data leave open whether the order rose, that the larger sizes differ by a tenth makes it unknown. */
TEST(an_open_order_is_unknown)
{
  for (int reverse = 0; reverse < 2; reverse++) {
    version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(1e6 / 160000, 2));
    head.model.exponent_low = 1;
    head.off[0] = 0.2; /* so that it does not rise */
    for (size_t i = 1; i < COUNTS; i++)
      head.off[i] = 0.099;
    assert_int_equal(reverse ? judge(&head, &base) : judge(&base, &head), SC_BEHAVES_SAME);
    for (size_t i = 1; i < COUNTS; i++)
      head.off[i] = 0.101;
    assert_int_equal(reverse ? judge(&head, &base) : judge(&base, &head), SC_BEHAVES_UNKNOWN);
    base.spread = 0.04; /* and by three standard deviations of repeats */
    head.off[0] = 0.5;
    assert_int_equal(reverse ? judge(&head, &base) : judge(&base, &head), SC_BEHAVES_SAME);
  }
}

/* It rises for all that is known: the difference grows by a fifth of an exponent, to a factor of 1.5 at the largest
 * size of exact counts before. */
TEST(an_open_order_that_is_seen_to_rise_is_worse)
{
  static const struct {
    double slope, last;
    enum sc_behaviour what;
  } cases[] = {{0.21, 0.41, SC_BEHAVES_WORSE_ORDER}, {0.19, 0.41, SC_BEHAVES_UNKNOWN}, {0.21, 0.4, SC_BEHAVES_UNKNOWN}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    version base = LINEAR(.model = exactly(1e6, 1)), head = LINEAR(.model = noisy(1e6 / 160000, 2));
    head.model.exponent_low = 1;
    for (size_t k = 0; k < COUNTS; k++) /* 400, in the middle, is to differ by a tenth, too */
      head.off[k] = cases[i].last + cases[i].slope * log(pair_sizes[k] / 1600);
    assert_int_equal(judge(&base, &head), cases[i].what);
  }
}

/* Of a noisy base all larger sizes have to show the factor. */
TEST(an_open_order_above_a_noisy_base_has_to_be_seen_at_all_larger_sizes)
{
  for (int more = 0; more < 2; more++) {
    version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(1e6 / 160000, 2));
    head.model.exponent_low = 1;
    for (size_t k = 0; k < COUNTS; k++)
      head.off[k] = (more ? 0.41 : 0.4) + 0.21 * log(pair_sizes[k] / 400);
    assert_int_equal(judge(&base, &head), more ? SC_BEHAVES_WORSE_ORDER : SC_BEHAVES_UNKNOWN);
  }
}

/* Exact counts that follow no model any more: they differ somewhere by a factor of 1.5, to either side. */
TEST(a_lost_order_is_unknown)
{
  for (int reverse = 0; reverse < 2; reverse++)
    for (int more = 0; more < 2; more++) {
      version exact = LINEAR(.model = exactly(1e6, 1)), none = LINEAR(.model = {.verdict = SC_VERDICT_CANNOT_TELL});
      for (size_t k = 0; k < COUNTS; k++)
        none.off[k] = (k % 2 ? -1 : 1) * log(more ? 1.51 : 1.49);
      enum sc_behaviour what = reverse ? judge(&none, &exact) : judge(&exact, &none);
      assert_int_equal(what, more ? SC_BEHAVES_UNKNOWN : SC_BEHAVES_SAME);
      exact.model.exact = false; /* it had none before */
      what = reverse ? judge(&none, &exact) : judge(&exact, &none);
      assert_int_equal(what, SC_BEHAVES_SAME);
    }
}

/* No size that both measured: what one predicts at the other's has to be it, up to what both miss by. */
TEST(other_sizes_are_held_against_the_model)
{
  static const double larger[] = {3200, 6400, 12800, 25600, 51200};
  static const struct {
    double log;
    enum sc_behaviour what;
  } cases[] = {{0.44, SC_BEHAVES_SAME}, {0.46, SC_BEHAVES_WORSE}, {-0.44, SC_BEHAVES_SAME}, {-0.46, SC_BEHAVES_BETTER}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(1e6 * exp(cases[i].log), 1));
    base.model.fit_error = head.model.fit_error = 0.1; /* 0.05 + 2 (0.1 + 0.1) */
    head.sizes = larger;
    set_off(&head, cases[i].log);
    assert_int_equal(judge(&base, &head), cases[i].what);
  }
}

/* A size in between that one side measured alone may differ by a tenth more. */
TEST(sizes_between_may_differ_by_more)
{
  static const double others[] = {100, 200, 450, 800, 1600};
  for (int more = 0; more < 2; more++) {
    version base = LINEAR(.model = noisy(1e6, 1)), head = LINEAR(.model = noisy(2e6, 1));
    base.model.fit_error = head.model.fit_error = 0.05; /* 0.05 + 2 (0.05 + 0.05) + 0.1 */
    head.sizes = others;
    set_off(&head, more ? 0.352 : 0.348);
    assert_int_equal(judge(&base, &head), more ? SC_BEHAVES_WORSE : SC_BEHAVES_SAME);
    head.sizes = pair_sizes;
    set_off(&head, more ? 0.252 : 0.248);
    assert_int_equal(judge(&base, &head), more ? SC_BEHAVES_WORSE : SC_BEHAVES_SAME);
  }
}

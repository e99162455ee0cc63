/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan makes of the sizes measured: their total at a target, and where a check or a size between is run. */
#include "unit.h"

#include <math.h>

#include "regress/plan/outlook.h"

/* Three times n at a cost of 2, and n^2 at 0.5; more series by `costs`. A run of n takes n times `pace` seconds. */
typedef struct program {
  double costs[8];
  size_t count;
  double pace;
} program;

static size_t series(void *user) { return ((const program *)user)->count; }
static double cost(void *user, size_t i) { return ((const program *)user)->costs[i]; }
static size_t runs(void *user, double n) { return n == 300 ? 0 : 1; } /* could not be run */
static double value(void *user, size_t i, double n, size_t run)
{
  static const double wild[] = {7, 900, 20, 400, 1};
  return i % 3 == 0 ? 3 * n : i % 3 == 1 ? n * n : wild[(int)n / 100 % 5];
}
static double seconds(void *user, double n) { return ((const program *)user)->pace * n; }

static const double given[] = {800, 100, 300, 400, 200, 1600};

typedef struct judged {
  program program;
  sc_plan_data data;
  sc_plan_options options;
  sc_plan_outlook outlook;
  sc_plan_state state;
  sc_fit *fit;
} judged;

static void judge(judged *j, const double *targets, size_t count)
{
  sc_sizes used = {0};
  assert_int_equal(sc_fit_new(&SC_FIT_OPTIONS_DEFAULT, &j->fit), 0);
  for (size_t i = 0; i < COUNT(given); i++)
    assert_int_equal(sc_sizes_add(&used, given[i]), 0);
  j->data = (sc_plan_data){.user = &j->program,
                           .count = series,
                           .cost = cost,
                           .runs = runs,
                           .value = value,
                           .seconds = seconds,
                           .limit = INFINITY,
                           .left = INFINITY,
                           .counts = true};
  j->options.targets = targets, j->options.target_count = count;
  j->options.level = 0.95, j->options.precision = 0.05;
  assert_int_equal(sc_plan_outlook_run(&j->outlook, j->fit, &j->options, &used, &j->data, &j->state), 0);
  sc_sizes_free(&used);
}

static void drop(judged *j)
{
  sc_plan_outlook_free(&j->outlook);
  sc_fit_free(j->fit);
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

TEST(series_add_up_by_their_cost)
{
  static const double targets[] = {1e4, 1e6, 1e5};
  judged j = {.program = {.costs = {2, 0.5}, .count = 2, .pace = 1e-3}};
  judge(&j, targets, 3);
  assert_true(j.state.models == 2 && j.state.untold == 0 && j.state.wide == 0);
  assert_true(j.state.width == 0 && j.state.target == 1e6); /* of equals the largest */
  assert_true(near(j.outlook.total, 2 * 3 * 1e6 + 0.5 * 1e12));
  static const double ascending[] = {100, 200, 400, 800, 1600};
  assert_int_equal(j.outlook.size_count, 5);
  for (size_t i = 0; i < 5; i++)
    assert_true(j.outlook.sizes[i] == ascending[i] && j.outlook.runs[i] == 1 &&
                near(j.outlook.times[i], ascending[i] * 1e-3));
  drop(&j);
}

/* Costs that are no positive numbers count as 0. */
TEST(bad_costs_are_none)
{
  static const double target[] = {1e4}, bad[] = {-1, NAN, INFINITY, 0};
  for (size_t i = 0; i < COUNT(bad); i++) {
    judged j = {.program = {.costs = {2, bad[i]}, .count = 2}};
    judge(&j, target, 1);
    assert_true(near(j.outlook.total, 2 * 3 * 1e4));
    drop(&j);
  }
  judged j = {.program = {.costs = {0, 0}, .count = 2}};
  judge(&j, target, 1);
  assert_true(j.state.width == 0 && j.outlook.total == 0);
  drop(&j);
}

/* What has no model is as wide as anything: twice what it may be. It matters from a hundredth of the total on. */
TEST(wide_series_are_counted_where_they_matter)
{
  static const double target[] = {1e4};
  judged j = {.program = {.costs = {1, 1, 1}, .count = 3}};
  judge(&j, target, 1);
  assert_true(j.state.models == 2 && j.state.untold == 1);
  double all = 3e4 + 1e8, wild = j.outlook.series[2].value, half = j.outlook.series[2].half;
  assert_true(j.outlook.series[2].series == 2 && half > wild && near(j.outlook.total, all + wild));
  assert_true(near(j.state.width, half / (all + wild)) && j.state.wide == 0);
  drop(&j);
  for (int above = 0; above <= 1; above++) {
    double weight = all / wild / 99 * (above ? 1.001 : 0.999);
    j = (judged){.program = {.costs = {1, 1, weight}, .count = 3}};
    judge(&j, target, 1);
    assert_true(j.state.wide == (size_t)above);
    drop(&j);
  }
}

static double gap(double pace, double low, bool whole, double high)
{
  static const double target[] = {1e4};
  double n;
  judged j = {.program = {.costs = {2, 0.5}, .count = 2, .pace = pace},
              .options = {.low = low, .high = high, .integer_sizes = whole}};
  judge(&j, target, 1);
  assert_int_equal(sc_plan_outlook_untold(&j.outlook, j.fit, &j.options, &j.data, &n), 0);
  drop(&j);
  return n;
}

/* Gaps are all twice as wide; of equals the first that holds a size from `low` on, which is run in 0.25 s. */
TEST(a_size_between_is_the_middle_of_a_gap)
{
  assert_true(near(gap(1e-6, 1, false, 1e4), 100 * M_SQRT2));
  assert_true(gap(1e-6, 1, true, 1e4) == 141);
  assert_true(near(gap(1e-6, 142, false, 1e4), 200 * M_SQRT2));
  assert_true(near(gap(1e-6, 300, false, 1e4), 400 * M_SQRT2));
  assert_true(gap(1e-6, 1200, false, 1e4) == 0);
  assert_true(near(gap(0.249 / (100 * M_SQRT2), 1, false, 1e4), 100 * M_SQRT2));
  assert_true(gap(0.251 / (100 * M_SQRT2), 1, false, 1e4) == 0);
}

/* Beyond all sizes a check is as large as a moment allows, up to four fifths of the target and what may be chosen. */
TEST(a_check_is_moved_as_far_as_a_moment)
{
  static const double targets[] = {1e5};
  static const struct {
    double check, high, pace, from, to;
  } cases[] = {{3200, 1e5, 1e-9, 79000, 80000},
               {3200, 5e4, 1e-9, 49500, 50000},
               {3200, 1e5, 1, 3200, 3200},
               {3200, 1e5, 5e-5, 4000, 5050},
               {1000, 1e5, 1e-9, 1000, 1000}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    judged j = {.program = {.costs = {2, 0.5}, .count = 2, .pace = cases[i].pace},
                .options = {.low = 1, .high = cases[i].high, .check = cases[i].check, .integer_sizes = true}};
    double n, takes, expected;
    judge(&j, targets, 1);
    assert_int_equal(sc_plan_outlook_check(&j.outlook, j.fit, &j.options, &j.data, &j.state, &n, &takes), 0);
    assert_int_equal(sc_plan_outlook_seconds(&j.outlook, j.fit, &j.data, n, &expected), 0);
    if (!(n >= cases[i].from && n <= cases[i].to && n == floor(n)) || takes != expected)
      fail_msg("case %zu: %g", i, n);
    drop(&j);
  }
}

/* Where it is open a size four times the largest decides, if a run there is allowed and takes a moment; else it is
 * the gap. */
TEST(what_is_open_is_decided_beyond)
{
  static const double target[] = {1e4};
  static const struct {
    double high, pace, n;
  } cases[] = {
      {6400, 1e-6, 6400}, {6399, 1e-6, 141}, {1e4, 1e-6, 6400}, {1e4, 0.24 / 6400, 6400}, {1e4, 0.26 / 6400, 141}};
  for (size_t i = 0; i < COUNT(cases); i++)
    for (size_t first = 0; first < 2; first++) { /* whether its series is the first or the last */
      double n;
      judged j = {.program = {.costs = {1, 1, 1}, .count = 3, .pace = cases[i].pace},
                  .options = {.low = 1, .high = cases[i].high, .integer_sizes = true}};
      judge(&j, target, 1);
      if (first) {
        sc_model kept = j.outlook.models[0];
        j.outlook.models[0] = j.outlook.models[2], j.outlook.models[2] = kept;
      }
      assert_int_equal(sc_plan_outlook_untold(&j.outlook, j.fit, &j.options, &j.data, &n), 0);
      assert_true(n == cases[i].n);
      drop(&j);
    }
}

/* The widest series decides; no size is above what is allowed, nor above four fifths of the target. */
TEST(the_next_size_is_that_of_the_widest)
{
  static const double targets[] = {1e4, 7000};
  static const struct {
    double high, n;
    size_t target;
  } cases[] = {{1e6, 8000, 0}, {5000, 5000, 0}, {1e6, 5600, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_plan_choice c;
    judged j = {.program = {.costs = {1e-3, 1e-4, 1, 0, 0, 4}, .count = 6, .pace = 1e-6},
                .options = {.low = 1, .high = cases[i].high, .integer_sizes = true, .repeats = 2, .least_gain = 0.01}};
    judge(&j, &targets[cases[i].target], 1);
    double total = j.outlook.total, half = j.outlook.series[2].half;
    assert_true(near(j.outlook.series[5].half, 4 * half) && near(j.state.width, 5 * half / total));
    assert_int_equal(sc_plan_outlook_choose(&j.outlook, j.fit, &j.options, &j.data, &j.state, &c), 0);
    assert_true(c.outcome == SC_PLAN_FOUND && c.n == cases[i].n && c.runs == 2 && c.mainly == 0);
    if (c.n >= 6400)
      assert_true(near(c.width, 0.15 * j.state.width)); /* all that does not fit alike is decided there */
    assert_true(c.seconds >= 2 * c.n * 1e-6 * (1 - 1e-9));
    drop(&j);
  }
}

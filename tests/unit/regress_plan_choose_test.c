/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which size is measured next, computed by hand: questions about one series without a model. At the size that decides
 * 0.15 of its width is left, at the size to the power w 0.15^w, and 0.9 at most. */
#include "unit.h"

#include <math.h>

#include "regress/plan/choose.h"

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)); }

static const double measured[] = {100, 1000}, often[] = {2, 2};

typedef struct asked {
  sc_model model;
  sc_plan_view view;
  double weight;
  double n[2], times[2];
  sc_plan_cost cost;
  sc_plan_question question;
} asked;

/* A run of n items takes seconds * n^power. */
static void ask(asked *a, double deciding, double high, double seconds, double power)
{
  *a = (asked){.model = {.verdict = SC_VERDICT_CANNOT_TELL, .n_max = 1000}, .weight = 3};
  a->view = (sc_plan_view){.model = &a->model, .half = 10, .deciding = deciding};
  a->n[0] = 1, a->n[1] = 1e6;
  a->times[0] = seconds, a->times[1] = seconds * pow(1e6, power);
  a->cost = (sc_plan_cost){.model = {.verdict = SC_VERDICT_CANNOT_TELL}, .n = a->n, .times = a->times, .count = 2};
  a->question = (sc_plan_question){.views = &a->view,
                                   .weights = &a->weight,
                                   .count = 1,
                                   .total = 100,
                                   .limit = INFINITY,
                                   .left = INFINITY,
                                   .cost = &a->cost,
                                   .sizes = measured,
                                   .runs = often,
                                   .size_count = 2,
                                   .low = 1000,
                                   .high = high,
                                   .repeats = 2};
}

static sc_plan_choice answer(const asked *a) { return sc_plan_choose(&a->question); }

TEST(a_choice_has_its_runs_and_what_they_bring)
{
  asked a;
  ask(&a, 8000, 8000, 0.5, 0);
  sc_plan_choice c = answer(&a);
  assert_true(c.outcome == SC_PLAN_FOUND && c.n == 8000 && c.runs == 2 && c.before == 0 && c.mainly == 0);
  assert_true(near(c.width, 0.15 * 0.3) && near(c.seconds, 2 * 0.5));
  a.question.rest_half = 5;
  assert_true(near(answer(&a).width, 0.15 * 0.3 + 0.05));
  a.question.total = 0;
  assert_int_equal(answer(&a).outcome, SC_PLAN_NOTHING);
  ask(&a, 8000, 0, 0.5, 0);
  assert_int_equal(answer(&a).outcome, SC_PLAN_NOTHING);
}

static double expected(void *rate, double n) { return *(double *)rate * n; }

/* Between the sizes measured the straight line in logarithms, below the first one's time; beyond, the most of the last
 * times the square of the factor, and of what is known. */
TEST(what_a_run_takes)
{
  asked a;
  double rate = 2e-6;
  ask(&a, 8000, 8000, 1e-6, 1);
  a.n[0] = 10, a.times[0] = 1e-4; /* 1e-4 at 10, 1 at a million: n^0.8 */
  assert_true(near(sc_plan_seconds(&a.question, 1e3), 1e-4 * pow(100, 0.8)));
  assert_true(near(sc_plan_seconds(&a.question, 10), 1e-4) && near(sc_plan_seconds(&a.question, 1), 1e-4));
  assert_true(near(sc_plan_seconds(&a.question, 1e6), 1));
  assert_true(near(sc_plan_seconds(&a.question, 3e6), 9));
  a.question.expect = expected, a.question.user = &rate;
  assert_true(near(sc_plan_seconds(&a.question, 1e6), 1)); /* nobody is asked what was measured */
  a.cost.model.verdict = SC_VERDICT_MODEL;                 /* of the constant 0: no less than the last */
  assert_true(near(sc_plan_seconds(&a.question, 3e6), 6));
  rate = 1e-7;
  assert_true(near(sc_plan_seconds(&a.question, 3e6), 1));
  rate = -1; /* unknown */
  assert_true(near(sc_plan_seconds(&a.question, 3e6), 1));
  a.cost.model.verdict = SC_VERDICT_CANNOT_TELL; /* what is known stands in for a model */
  assert_true(near(sc_plan_seconds(&a.question, 3e6), 9));
  rate = 1e-7;
  assert_true(near(sc_plan_seconds(&a.question, 3e6), 0.3));
  rate = 0;
  assert_true(sc_plan_seconds(&a.question, 3e6) == 0);
  a.cost.count = 0;
  assert_true(sc_plan_seconds(&a.question, 3e6) == 0);
}

/* Sizes are the largest measured one times a power of 1.17; the limit is between two of them, at 10 and 9. */
TEST(runs_take_no_longer_than_they_may)
{
  asked a;
  ask(&a, 8000, 8000, 0.001, 1);
  double tenth = 1000 * pow(1.17, 10), ninth = 1000 * pow(1.17, 9);
  a.question.limit = tenth * 0.001 * 1.000001;
  assert_true(near(answer(&a).n, tenth));
  a.question.limit = tenth * 0.001 * 0.999999;
  assert_true(near(answer(&a).n, ninth));
  a.question.whole = true;
  assert_true(answer(&a).n == round(ninth));
  a.question.whole = false;
  a.question.left = 2 * ninth * 0.001 * 0.999999; /* two runs */
  assert_true(near(answer(&a).n, 1000 * pow(1.17, 8)));
}

/* 1,170 and 2,000 would help. */
TEST(what_would_have_helped_is_told)
{
  asked a;
  ask(&a, 2000, 2000, 0.001, 1);
  a.question.left = 2;
  sc_plan_choice c = answer(&a);
  assert_true(c.outcome == SC_PLAN_OVER_BUDGET && near(c.seconds, 2 * 1.17) && c.n == 0);
  a.question.limit = 1.2; /* one of them is over the limit, too */
  c = answer(&a);
  assert_true(c.outcome == SC_PLAN_OVER_BUDGET && near(c.seconds, 2 * 1.17));
  a.question.limit = 1.1;
  c = answer(&a);
  assert_true(c.outcome == SC_PLAN_OVER_LIMIT && c.seconds == 0);
}

TEST(too_little_narrowing_is_not_worth_a_run)
{
  asked a;
  ask(&a, 1e9, 2000, 1, 0); /* a tenth less */
  a.question.least_gain = 0.099;
  assert_true(answer(&a).n == 2000);
  a.question.least_gain = 0.101;
  assert_int_equal(answer(&a).outcome, SC_PLAN_NOTHING);
}

/* Sizes nearer than 5 % to a measured one are none; the only other one is the highest. */
TEST(new_sizes_lie_apart)
{
  static const struct {
    double high, n;
    bool whole;
  } cases[] = {{1049, 0, false}, {1051, 1051, false}, {1051.4, 1051, true}, {1051.6, 0, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    asked a;
    ask(&a, 1e9, cases[i].high, 1, 0);
    a.question.whole = cases[i].whole;
    assert_true(answer(&a).n == cases[i].n);
  }
}

/* All bring a tenth; a smaller one is taken where it brings 1.15 times as much for its time, of two runs, 0.3 times
 * what was spent and a quarter of a second: those of 2,000 and 1,170 are to each other as `ratio`. */
TEST(smaller_sizes_must_be_worth_it)
{
  static const double ratios[] = {1.14, 1.16}, spent[] = {0, 10};
  for (size_t i = 0; i < COUNT(ratios); i++)
    for (size_t k = 0; k < COUNT(spent); k++) {
      asked a;
      double beside = 0.3 * spent[k] + 0.25, each = (ratios[i] - 1) * beside / (2 * (2000 - 1170 * ratios[i]));
      ask(&a, 1e9, 2000, each, 1);
      a.question.spent = spent[k];
      sc_plan_choice c = answer(&a);
      assert_true(ratios[i] > 1.15 ? near(c.n, 1170) : c.n == 2000);
    }
}

/* Below 0.8 of the width that is wanted all are as good. At 1,170 more is left than at 2,000, 0.65 of the width, and
 * its time is 1.2 times shorter. */
TEST(more_than_wanted_is_worth_nothing)
{
  asked a;
  double each = 0.2 * 0.25 / (2 * (2000 - 1170 * 1.2));
  ask(&a, 2000, 2000, each, 1);
  a.question.precision = 0.82 * 0.3;
  assert_true(near(answer(&a).n, 1170));
  a.question.precision = 0.77 * 0.3;
  assert_true(answer(&a).n == 2000);
}

/* Sizes below the largest are believed by the root of their place between both ends, in logarithms: 316 by 0.71. */
TEST(small_sizes_are_believed_less)
{
  asked a;
  double middle = sqrt(100 * 1000);
  ask(&a, 1e9, middle, 1, 0);
  a.question.low = middle * 0.99;
  sc_plan_choice c = answer(&a);
  assert_true(near(c.n, middle) && near(c.width, 0.3 * (1 - sqrt(0.5) * 0.1)));
  a.question.low = 20, a.question.high = 90;
  assert_int_equal(answer(&a).outcome, SC_PLAN_NOTHING); /* below the smallest not at all */
}

/* The size that decides is looked at, whether or not it is a step from the others. */
TEST(the_deciding_size_is_looked_at)
{
  asked a;
  ask(&a, 1234, 8000, 1, 0);
  a.question.limit = 1;
  a.n[1] = 1234, a.times[1] = 1; /* beyond it takes longer */
  assert_true(answer(&a).n == 1234);
}

TEST(the_series_that_narrows_most_is_named)
{
  for (size_t i = 0; i < 4; i++) {
    asked a;
    size_t first = i % 2;
    double narrow = i < 2 ? 1 : 1e-4; /* however narrow all are */
    ask(&a, 2000, 2000, 1, 0);
    a.view.half *= narrow;
    sc_plan_view views[2] = {a.view, a.view};
    double weights[] = {1, 1};
    weights[first] = 2;
    a.question.views = views, a.question.weights = weights, a.question.count = 2;
    assert_true(answer(&a).mainly == first && near(answer(&a).width, narrow * 0.15 * 0.3));
    weights[first] = 1, views[1 - first].deciding = 1e9; /* the other one learns little from it */
    assert_true(answer(&a).mainly == first && near(answer(&a).width, narrow * (0.15 * 10 + 0.9 * 10) / 100));
  }
}

/* y = 2 n, the coefficient known to 0.02, one run to 0.1 of the value: after r more runs the width is 1 / (1 + r /
 * 100), to the root. */
static void ask_noisy(asked *a, double sigma, double one)
{
  static sc_plan_measured all = {measured, often, 2, false};
  ask(a, 0, 1000, one, 0);
  a->model = (sc_model){.verdict = SC_VERDICT_MODEL,
                        .terms = {{.coefficient = 2, .exponent = 1}},
                        .term_count = 1,
                        .order = {1, 0, 1, 0, 0},
                        .points = 2,
                        .n_min = 100,
                        .n_max = 1000,
                        .sigma = sigma,
                        .covariance = {{0.0004}},
                        .degrees = 1000000,
                        .exponent_low = 1};
  assert_int_equal(sc_plan_view_make(&a->model, 1e6, 0.95, &all, &a->view), 0);
  a->question.repeats = 4;
}

TEST(noise_wants_more_runs)
{
  asked a;
  ask_noisy(&a, 0.1, 0);
  sc_plan_choice c = answer(&a);
  assert_true(c.outcome == SC_PLAN_FOUND && c.n == 1000 && c.before == 2 && c.runs == 4 * 8);
  assert_true(fabs(c.width / (a.view.half * 3 / 100) - sqrt(1 / 1.32)) < 1e-5);
  a.question.no_repeats = true;
  assert_int_equal(answer(&a).outcome, SC_PLAN_NOTHING);
  ask_noisy(&a, 0.1, 1); /* log(1 + r / 100) / (r + 0.25) is highest at 8 of 4, 8, 16 and 32 */
  assert_true(answer(&a).runs == 8);
  a.question.least_gain = 0.05; /* 0.0377 there, 0.0715 at 16 */
  assert_true(answer(&a).runs == 16);
  ask_noisy(&a, 0, 0); /* exact counts */
  assert_int_equal(answer(&a).outcome, SC_PLAN_NOTHING);
}

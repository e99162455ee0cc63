/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs at a size are expected to narrow of a prediction's interval, and the choice that follows. */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "regress/core/term.h"
#include "regress/plan/choose.h"

static bool near(double a, double b) { return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)); }

/* y = 2 n, measured at 10, 100 and 1,000, four times each, with the coefficient's standard error 0.02. */
static const double measured_sizes[] = {10, 100, 1000}, measured_runs[] = {4, 4, 4};
static const sc_plan_measured measured = {measured_sizes, measured_runs, 3, false};
static sc_model line_model(void)
{
  return (sc_model){.verdict = SC_VERDICT_MODEL,
                    .terms = {{.coefficient = 2, .exponent = 1}},
                    .term_count = 1,
                    .order = {1, 0, 1, 0, 0},
                    .points = 3,
                    .n_min = 10,
                    .n_max = 1000,
                    .sigma = 0.1,
                    .covariance = {{0.0004}},
                    .degrees = 1000000,
                    .exponent_low = 1};
}

static sc_plan_view view_of(const sc_model *model, double target)
{
  sc_plan_view view;
  assert_int_equal(sc_plan_view_make(model, target, 0.95, &measured, &view), 0);
  return view;
}

static double ratio(const sc_plan_view *view, double n, double runs, double before)
{
  return sc_plan_view_after(view, n, runs, before) / view->half;
}

/* Precisions add up: 1 / 0.0004 of the coefficient, and runs / (0.1 * 2)^2 of a measurement of relative error 0.1,
 * whatever its size. */
TEST(one_coefficient)
{
  sc_model model = line_model();
  sc_plan_view view = view_of(&model, 1e6);
  assert_true(near(view.value, 2e6));
  assert_true(fabs(view.half / (1.96 * 0.02 * 1e6) - 1) < 0.03);
  for (double n = 50; n <= 1e5; n *= 10)
    for (double runs = 1; runs <= 16; runs *= 4)
      assert_true(near(ratio(&view, n, runs, 0), sqrt((1 / 0.0004) / (1 / 0.0004 + runs / 0.04))));
  for (double before = 1; before <= 4; before++) /* noise alone: runs are runs */
    assert_true(near(ratio(&view, 100, 4, before), ratio(&view, 50, 4, 0)));
  const sc_plan_measured exact = {measured_sizes, measured_runs, 3, true};
  assert_int_equal(sc_plan_view_make(&model, 1e6, 0.95, &exact, &view), 0);
  assert_true(near(ratio(&view, 100, 4, 4), 1));
}

/* What the true counts deviate from the model is the same in every repeat, and stays at the target. */
TEST(repeats_do_not_remove_scatter)
{
  sc_model model = line_model();
  model.sigma = 0.1;
  model.scatter = 0.05; /* four runs a size: all of sigma */
  sc_plan_view view = view_of(&model, 1e6);
  assert_true(view.noise < 1e-9);
  assert_true(near(ratio(&view, 100, 100, 4), 1));
  double variance = 1 / (1 / 0.0004 + 1 / (0.05 * 0.05 * 4)), scatter = 4 * 0.05 * 0.05;
  assert_true(near(ratio(&view, 2000, 100, 0), sqrt((variance + scatter) / (0.0004 + scatter))));
}

/* The slope's sum of squares over 12 runs at 1, 2 and 3 (log10) is 8; four more at 4 move the centre from 2 to 2.5 and
 * make it 20. At 6 the distance falls from 4 to 3.5. */
TEST(a_slow_factor_is_a_slope)
{
  sc_model model = line_model();
  model.covariance[0][0] = 0;
  model.drift = 0.01;
  model.n_center = 100;
  sc_plan_view view = view_of(&model, 1e6);
  assert_true(near(ratio(&view, 1e4, 4, 0), 3.5 / 4 * sqrt(8.0 / 20)));
  assert_true(ratio(&view, 1e5, 4, 0) < ratio(&view, 1e4, 4, 0));
}

/* n log2(n) / 5 against 2 n: equal at 1,024, 30% apart at 8,192. */
TEST(rivals_are_told_apart_where_they_differ)
{
  sc_model model = line_model();
  model.rival_count = 1;
  model.rivals[0] =
      (sc_rival){.terms = {{.coefficient = 0.2, .exponent = 1, .log_exponent = 1}}, .term_count = 1, .weight = 1};
  model.sigma = 0.01;
  model.covariance[0][0] = 0;
  sc_plan_view view = view_of(&model, 1 << 20);
  assert_true(near(view.prediction[1], 2 * view.prediction[0]));
  assert_true(sc_plan_view_between(&view) > 0.999);
  assert_true(near(ratio(&view, 1024, 1, 0), 1));
  double distance = (2.6 - 2) / (0.01 * 2.3);
  assert_true(fabs(ratio(&view, 8192, 1, 0) - exp(-distance * distance / 16)) < 1e-9);
  assert_true(ratio(&view, 1200, 1, 0) > 0.5 && ratio(&view, 1200, 1, 0) < 1);
  model.rivals[0].deviation[0] = model.rivals[0].deviation[1] = 0.3; /* it could be anywhere itself */
  assert_true(ratio(&view, 8192, 1, 0) > 0.8);
}

TEST(exact_models_need_nothing)
{
  sc_model model = line_model();
  model.exact = true;
  sc_plan_view view = view_of(&model, 1e6);
  assert_true(view.half == 0);
  assert_true(sc_plan_view_after(&view, 1e4, 1, 0) == 0);
}

TEST(what_cannot_be_told_wants_its_size)
{
  sc_model model = line_model();
  model.verdict = SC_VERDICT_CANNOT_TELL;
  sc_plan_view view = view_of(&model, 1e6);
  assert_true(isfinite(view.half) && view.half > view.value);
  assert_true(near(view.deciding, 4000)); /* four times the largest */
  assert_true(ratio(&view, 4000, 1, 0) < 0.2);
  assert_true(ratio(&view, 2000, 1, 0) > ratio(&view, 4000, 1, 0));
  assert_true(near(ratio(&view, 8000, 1, 0), ratio(&view, 4000, 1, 0)));
}

static double expected_seconds(void *user, double n) { return *(double *)user * n; }

/* Runs cost a millisecond an item. */
static sc_plan_question question_of(sc_plan_view *view, const double *sizes, size_t count)
{
  static double weight = 1, rate = 0.001, times[3];
  static sc_plan_cost cost;
  cost = (sc_plan_cost){.n = sizes, .times = times, .count = count};
  cost.model.verdict = SC_VERDICT_CANNOT_TELL;
  for (size_t i = 0; i < count; i++)
    times[i] = sizes[i] * rate;
  return (sc_plan_question){.views = view,
                            .weights = &weight,
                            .count = 1,
                            .total = view->value,
                            .precision = 0.001,
                            .limit = INFINITY,
                            .left = INFINITY,
                            .cost = &cost,
                            .expect = expected_seconds,
                            .user = &rate,
                            .sizes = sizes,
                            .runs = measured_runs,
                            .size_count = count,
                            .repeats = 4,
                            .whole = true};
}

static sc_plan_choice choose(sc_plan_view *view, double limit, double left, double high)
{
  sc_plan_question question = question_of(view, measured_sizes, COUNT(measured_sizes));
  question.least_gain = 0.05, question.spent = 4;
  question.limit = limit, question.left = left;
  question.low = 10, question.high = high;
  return sc_plan_choose(&question);
}

TEST(choices_keep_to_time_and_range)
{
  sc_model model = line_model();
  model.drift = 0.01;
  model.n_center = 100;
  sc_plan_view view = view_of(&model, 1e6);
  sc_plan_choice free = choose(&view, INFINITY, INFINITY, 1e6);
  assert_int_equal(free.outcome, SC_PLAN_FOUND);
  assert_true(free.n > 1000 && free.n == round(free.n)); /* range before number */
  assert_true(near(free.seconds, free.runs * free.n * 0.001));
  assert_true(free.width < view.half / view.value);
  sc_plan_choice short_runs = choose(&view, 1.2, INFINITY, 1e6);
  assert_int_equal(short_runs.outcome, SC_PLAN_FOUND);
  assert_true(short_runs.n <= 1200);
  sc_plan_choice little_left = choose(&view, INFINITY, 6, 1e6);
  assert_int_equal(little_left.outcome, SC_PLAN_FOUND);
  assert_true(little_left.seconds <= 6);
  assert_true(choose(&view, INFINITY, INFINITY, 500).n <= 1000); /* a list: between its sizes, or those again */
  assert_int_equal(choose(&view, 0.001, INFINITY, 1e6).outcome, SC_PLAN_OVER_LIMIT);
  assert_int_equal(choose(&view, INFINITY, 0.001, 1e6).outcome, SC_PLAN_OVER_BUDGET);
  model.covariance[0][0] = model.drift = 0;
  model.sigma = model.scatter = 0.05;
  view = view_of(&model, 1e6);
  assert_int_equal(choose(&view, INFINITY, INFINITY, 1e6).outcome, SC_PLAN_NOTHING);
}

/* Beyond the sizes run the cost is the upper end of an interval; between them it is what was measured. */
TEST(costs_are_rather_too_much)
{
  static const double n[] = {100, 200, 400, 800, 1600};
  double times[5];
  sc_plan_cost cost;
  sc_fit *fit;
  assert_int_equal(sc_fit_new(&SC_FIT_OPTIONS_DEFAULT, &fit), 0);
  for (size_t i = 0; i < 5; i++)
    times[i] = (0.002 + 1e-6 * n[i] * n[i]) * (i % 2 ? 1.03 : 0.98);
  assert_int_equal(sc_plan_cost_fit(fit, n, times, 5, &cost), 0);
  assert_true(near(sc_plan_cost_at(&cost, 400), times[2]));
  assert_true(sc_plan_cost_at(&cost, 300) > times[1] && sc_plan_cost_at(&cost, 300) < times[2]);
  double at = sc_plan_cost_at(&cost, 6400);
  assert_true(at > 0.98 * 1e-6 * 6400 * 6400 && at < 3 * 1e-6 * 6400 * 6400);
  sc_fit_free(fit);
}

/* Sizes next to 1,000 are new from 1,050 and from 952 on. */
TEST(new_sizes_are_5_percent_away)
{
  sc_model model = line_model();
  model.drift = 0.01;
  model.n_center = 100;
  sc_plan_view view = view_of(&model, 1e6);
  static const double sizes[] = {100, 1000};
  sc_plan_question q = question_of(&view, sizes, COUNT(sizes));
  q.low = 990, q.high = 1049, q.no_repeats = true;
  assert_int_equal(sc_plan_choose(&q).outcome, SC_PLAN_NOTHING);
  q.high = 1050;
  assert_true(sc_plan_choose(&q).n == 1050);
  q.sizes = (double[]){100, 1050};
  q.low = q.high = 1000;
  assert_true(sc_plan_choose(&q).n == 1000);
  q.sizes = (double[]){100, 1049};
  assert_int_equal(sc_plan_choose(&q).outcome, SC_PLAN_NOTHING);
}

/* A rival's error at the new size: that at twice the largest size up to there, half of it at least below, and a
 * straight line of the logarithm to that at 64 times. Two forms that differ by d deviations keep exp(-d^2 / 8) of the
 * variance between them. */
TEST(errors_of_rivals_blur_what_tells_them_apart)
{
  static const struct {
    double n, deviation;
  } cases[] = {{2000, 0.3}, {64000, 0.9}, {11313.708498984760, 0.6}, {1100, 0.3 - 0.6 * 0.17250}, {1, 0.15}};
  sc_model model = line_model();
  model.rival_count = 1;
  model.rivals[0] = (sc_rival){.terms = {{.coefficient = 0.2, .exponent = 1.1}}, .term_count = 1, .weight = 1};
  model.rivals[0].deviation[0] = 0.3, model.rivals[0].deviation[1] = 0.9;
  model.sigma = 0.01;
  model.covariance[0][0] = 0;
  sc_plan_view view = view_of(&model, 1 << 20);
  for (size_t i = 0; i < COUNT(cases); i++) {
    double n = cases[i].n, a = 2 * n, b = 0.2 * pow(n, 1.1);
    double variance = pow(0.01 * (a + b) / 2, 2) + pow(cases[i].deviation * b, 2);
    double expected = exp(-(a - b) * (a - b) / variance / 16);
    if (!(fabs(ratio(&view, n, 1, 0) - expected) < 1e-3 * expected))
      fail_msg("%g: %g, %g", n, ratio(&view, n, 1, 0), expected);
  }
}

/* Quantiles of Student's distribution with one degree and with two: 12.706 and 4.303. */
TEST(a_run_more_is_a_degree_more)
{
  static const struct {
    size_t degrees;
    double before, after;
  } cases[] = {{0, 12.7062047, 4.30265273}, {1, 12.7062047, 4.30265273}, {2, 4.30265273, 3.18244631}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_model model = line_model();
    model.degrees = cases[i].degrees;
    sc_plan_view view = view_of(&model, 1e6);
    assert_true(near(view.quantile, cases[i].after / cases[i].before));
  }
}

/* What took no time has no logarithm: beside it the time of the next size holds. */
TEST(costs_of_nothing)
{
  static const double n[] = {100, 200, 400}, starts[] = {0, 5, 8}, ends[] = {5, 0, 8};
  sc_plan_cost cost = {.n = n, .times = starts, .count = 3};
  cost.model.verdict = SC_VERDICT_CANNOT_TELL;
  assert_true(sc_plan_cost_at(&cost, 150) == 5 && sc_plan_cost_at(&cost, 50) == 0 && sc_plan_cost_at(&cost, 100) == 0);
  assert_true(near(sc_plan_cost_at(&cost, 200 * M_SQRT2), sqrt(40)) && sc_plan_cost_at(&cost, 400) == 8);
  cost.times = ends;
  assert_true(sc_plan_cost_at(&cost, 150) == 0 && sc_plan_cost_at(&cost, 300) == 8 && sc_plan_cost_at(&cost, 50) == 5);
  cost.count = 0;
  assert_true(sc_plan_cost_at(&cost, 150) == 0);
}

/* What a size says of a piece that ended before the last one began is nothing. */
TEST(sizes_of_other_pieces_say_nothing)
{
  sc_model model = line_model();
  model.drift = 0.01;
  model.n_center = 100;
  model.piece_count = 2;
  for (size_t i = 0; i < 2; i++)
    model.pieces[i] = (sc_piece){.terms = {{2, 1, 0}}, .term_count = 1, .until = i ? 400 : 150};
  sc_plan_view view = view_of(&model, 1e6);
  assert_true(ratio(&view, 120, 4, 0) == 1 && ratio(&view, 200, 4, 0) == 1 && ratio(&view, 399, 4, 0) == 1);
  assert_true(ratio(&view, 400, 4, 0) < 1 && ratio(&view, 1e4, 4, 0) < 1);
}

/* Of series that are narrowed alike the first is the one that a size is chosen for. */
TEST(the_first_of_equal_series_is_narrowed)
{
  static const double weights[] = {1, 1, 1}, sizes[] = {10, 100, 1000};
  sc_model model = line_model();
  model.drift = 0.01;
  model.n_center = 100;
  sc_plan_view views[3];
  for (size_t i = 0; i < 3; i++)
    views[i] = view_of(&model, 1e6);
  sc_plan_question q = question_of(views, sizes, 3);
  q.weights = weights, q.count = 3, q.total = 3 * views[0].value;
  q.least_gain = 0.05, q.low = 10, q.high = 1e6, q.spent = 4;
  sc_plan_choice choice = sc_plan_choose(&q);
  assert_true(choice.outcome == SC_PLAN_FOUND && choice.mainly == 0);
  static const double later[] = {1, 1, 1.5};
  q.weights = later;
  assert_true(sc_plan_choose(&q).mainly == 2);
}

/* ---- the narrowing by another way: all sums anew, with the runs that are to come among those that were ---- */
typedef struct run_at {
  double n, runs;
} run_at;

static double square_of(double x) { return x * x; }

static double placed(const sc_model *m, double n) { return m->terms[0].base > 0 ? n : log(n); }

/* Squared standard error of the slow factor's exponent by that of one over runs with a variance of 1, and the mean. */
static double spread_of(const sc_model *m, const run_at *runs, size_t count, double *mean)
{
  double all = 0, sum = 0, spread = 0;
  for (size_t i = 0; i < count; i++)
    all += runs[i].runs, sum += runs[i].runs * placed(m, runs[i].n);
  *mean = sum / all;
  for (size_t i = 0; i < count; i++)
    spread += runs[i].runs * square_of(placed(m, runs[i].n) - *mean);
  return spread;
}

static double covariance_of(const sc_model *m, double a, double b)
{
  double sum = 0;
  for (size_t i = 0; i < m->term_count; i++)
    for (size_t j = 0; j < m->term_count; j++)
      sum += sc_term_basis(&m->terms[i], a) * sc_term_basis(&m->terms[j], b) * m->covariance[i][j];
  return sum;
}

/* Variance between the model and its rivals at the target, with an error of measurement at n; n = 0: as it is. */
static double between_of(const sc_model *m, double target, double n, double error)
{
  double mass[5], far[5], there[5], deviation[5], all = 0, sum = 0;
  size_t forms = m->rival_count + 1;
  for (size_t i = 0; i < forms; i++) {
    const sc_rival *r = i ? &m->rivals[i - 1] : NULL;
    mass[i] = r ? r->mass : m->mass;
    far[i] = r ? sc_term_sum(r->terms, r->term_count, target) : sc_model_value(m, target);
    there[i] = n > 0 ? r ? sc_term_sum(r->terms, r->term_count, n) : sc_model_value(m, n) : 0;
    deviation[i] = n > 0 ? sqrt(covariance_of(m, n, n)) / sc_model_value(m, n) : 0;
    if (r && n > 0) {
      double share = log(n / (2 * m->n_max)) / log(32);
      deviation[i] = fmax(r->deviation[0] + share * (r->deviation[1] - r->deviation[0]), r->deviation[0] / 2);
    }
    all += mass[i];
  }
  for (size_t i = 0; i < forms; i++)
    for (size_t k = 0; k < i; k++) {
      double part = mass[i] * mass[k] / all / all * square_of(far[i] - far[k]), kept = 1;
      if (n > 0)
        kept = exp(-square_of(there[i] - there[k]) / 8 /
                   (square_of(error * (there[i] + there[k]) / 2) + square_of(deviation[i] * there[i]) +
                    square_of(deviation[k] * there[k])));
      sum += part * kept;
    }
  return sum;
}

/* The half width that is left of 1 by `runs` more at a size where there were `before`. */
static double left_of(const sc_model *m, double target, double n, double runs, double before)
{
  run_at all[4] = {{10, 4}, {100, 4}, {1000, 4}, {n, runs}};
  double mean, later, value = sc_model_value(m, target), here = sc_model_value(m, n);
  double spread = spread_of(m, all, 3, &mean), wider = spread_of(m, all, 4, &later);
  double noise2 = square_of(m->sigma) - 12.0 / (double)m->points * square_of(m->scatter);
  double error2 = square_of(m->scatter) + noise2 / (runs + before);
  if (before > 0)
    error2 = 1 / (1 / error2 - 1 / (square_of(m->scatter) + noise2 / before));
  double fitted = covariance_of(m, target, target), rest = square_of(m->scatter * value);
  double was = fitted + square_of(m->drift * (placed(m, target) - mean) * value) + between_of(m, target, 0, 0) + rest;
  double is = fitted - square_of(covariance_of(m, target, n)) / (error2 * here * here + covariance_of(m, n, n)) +
              square_of(m->drift * (placed(m, target) - later) * value) * spread / wider +
              between_of(m, target, n, sqrt(error2)) + rest;
  double quantiles = gsl_cdf_tdist_Pinv(0.975, (double)m->degrees + 1) / gsl_cdf_tdist_Pinv(0.975, (double)m->degrees);
  return fmin(1, sqrt(is / was) * quantiles);
}

TEST(narrowing_is_that_of_all_runs_together)
{
  for (int k = 0; k < 8; k++) {
    sc_model m = {.terms = {{2, 1, 0}, {300, 0, 0}},
                  .term_count = 2,
                  .order = {1, 0, 1, 0, 0},
                  .covariance = {{4e-3, -0.02}, {-0.02, 9}},
                  .degrees = 4,
                  .points = 3,
                  .n_min = 10,
                  .n_max = 1000,
                  .sigma = 0.08,
                  .scatter = k & 1 ? 0.02 : 0,
                  .drift = k & 2 ? 0.03 : 0,
                  .n_center = 100,
                  .mass = 0.6,
                  .exponent_low = 1,
                  .rival_count = k & 4 ? 2 : 0};
    m.rivals[0] = (sc_rival){
        .terms = {{0.3, 1.2, 0}, {350, 0, 0}}, .term_count = 2, .weight = 0.2, .mass = 0.25, .deviation = {0.03, 0.1}};
    m.rivals[1] =
        (sc_rival){.terms = {{9, 0.8, 0}}, .term_count = 1, .weight = 0.1, .mass = 0.15, .deviation = {0.05, 0.2}};
    if (k == 7)
      m.terms[0] = (sc_term){2, 0, 0, 1.001, SC_SHAPE_PLAIN, 0};
    sc_plan_view view = view_of(&m, 8000);
    double apart = between_of(&m, 8000, 0, 0), mean;
    const run_at all[] = {{10, 4}, {100, 4}, {1000, 4}};
    (void)spread_of(&m, all, 3, &mean);
    for (double n = 20; n < 8000; n *= 2.3)
      for (double runs = 1; runs <= 4; runs += 3)
        for (double before = 0; before <= 4; before += 4)
          unit_near_by(ratio(&view, n, runs, before), left_of(&m, 8000, n, runs, before), 1e-7);
    double value = sc_model_value(&m, 8000);
    unit_near_by(sc_plan_view_between(&view) + 1,
                 1 + apart / (apart + covariance_of(&m, 8000, 8000) +
                              square_of(m.drift * (placed(&m, 8000) - mean) * value) + square_of(m.scatter * value)),
                 1e-7);
  }
}

/* The logarithm of the narrowing by its time, with three tenths of what was spent and a quarter of a second; 0 where it
 * is not allowed, or not worth a run. */
static double rate_of(const sc_plan_question *q, double n, double runs, double before, double *width)
{
  double now = q->rest_half, then = q->rest_half, one = n * 0.001, smallest = q->sizes[0];
  double largest = q->sizes[q->size_count - 1];
  double belief = n < largest ? sqrt(log(n / smallest) / log(largest / smallest)) : 1;
  for (size_t i = 0; i < q->count; i++) {
    double half = q->views[i].half;
    now += q->weights[i] * half;
    then += q->weights[i] * (half - belief * (half - sc_plan_view_after(&q->views[i], n, runs, before)));
  }
  *width = then / q->total;
  if (!(then < now * (1 - q->least_gain)) || one > q->limit || one * runs > q->left)
    return 0;
  return log(now / fmax(then, 0.8 * q->precision * q->total)) / (one * runs + 0.3 * q->spent + 0.25);
}

/* Nothing that is looked at is better by more than 15%, and nothing larger is better at all. */
TEST(no_size_is_much_better_than_the_chosen_one)
{
  static const double spent[] = {0, 4, 60}, highs[] = {700, 5000, 1e5}, limits[] = {INFINITY, 3};
  size_t found = 0, repeated = 0;
  for (int k = 0; k < 72; k++) {
    sc_model models[2] = {line_model(), line_model()};
    models[0].drift = 0.01 + 0.02 * (k % 2), models[0].n_center = 100;
    models[1].covariance[0][0] = k % 4 < 2 ? 0.01 : 1e-5;
    models[1].terms[0].coefficient = 5;
    sc_plan_view views[2] = {view_of(&models[0], 1e6), view_of(&models[1], 1e6)};
    static const double weights[] = {1, 0.5};
    sc_plan_question q = question_of(views, measured_sizes, 3);
    q.weights = weights, q.count = 2, q.total = views[0].value + 0.5 * views[1].value;
    q.rest_half = 0.01 * q.total;
    q.least_gain = 0.05, q.low = 10, q.high = highs[k % 3], q.spent = spent[k / 3 % 3], q.limit = limits[k / 9 % 2];
    q.left = k / 18 % 2 ? 20 : INFINITY;
    q.no_repeats = k / 36;
    q.precision = 0.01;
    sc_plan_choice c = sc_plan_choose(&q);
    double width, best = c.outcome == SC_PLAN_FOUND ? rate_of(&q, c.n, c.runs, c.before, &width) : 0;
    if (c.outcome == SC_PLAN_FOUND) {
      assert_true(best > 0 && c.n == round(c.n));
      unit_near(c.width, width);
      unit_near(c.seconds, c.runs * c.n * 0.001);
      assert_true((c.before > 0) == (c.n == 10 || c.n == 100 || c.n == 1000));
      found++, repeated += c.before > 0;
    }
    for (int step = -30; step <= 40; step++)
      for (double times = 4; times <= 32; times *= 2) {
        double n = step == 40 ? q.high : round(1000 * pow(1.17, step));
        bool near = n > q.high || n < q.low;
        for (size_t i = 0; i < 3; i++)
          near = near || (n < measured_sizes[i] * 1.05 && measured_sizes[i] < n * 1.05);
        double rate = near ? 0 : rate_of(&q, n, times, 0, &width);
        if (rate > best * (n > c.n && c.before == 0 ? 1 : 1.15) * (1 + 1e-9))
          fail_msg("case %d: %g runs at %g are worth %g, %g at %g %g", k, times, n, rate, c.runs, c.n, best);
      }
    for (size_t i = 0; i < 3 && !q.no_repeats; i++)
      for (double times = 4; times <= 32; times *= 2)
        if (rate_of(&q, measured_sizes[i], times, 4, &width) > best * 1.15 * (1 + 1e-9))
          fail_msg("case %d: %g runs more at %g", k, times, measured_sizes[i]);
  }
  assert_true(found == 72 && repeated > 4);
}

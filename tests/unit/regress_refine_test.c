/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/paper/refine.h"

enum { MOST_STEPS = 200 };

typedef double (*count_function)(double n);

/* A study simulated by analytic count functions; it checks that only measured sizes are asked for. */
typedef struct study {
  const count_function *functions;
  size_t count;
  sc_refine_step steps[MOST_STEPS];
  size_t step_count;
} study;

static bool measured(const study *s, double n)
{
  for (size_t i = 0; i < s->step_count; i++)
    if (s->steps[i].n == n)
      return true;
  return false;
}

static size_t series_count(void *user) { return ((study *)user)->count; }

static double series_value(void *user, size_t i, double n)
{
  study *s = user;
  assert_true(i < s->count);
  assert_true(measured(s, n));
  return s->functions[i](n);
}

static sc_refine_data data_of(study *s) { return (sc_refine_data){s, series_count, series_value, true}; }

static sc_refine_options paper_options(const double *initial, size_t count)
{
  return (sc_refine_options){.range_low = 1,
                             .range_high = 1280,
                             .validation_low = 1,
                             .validation_high = 2560,
                             .initial = initial,
                             .initial_count = count,
                             .integer_sizes = true,
                             .seed = 1,
                             .fit = {SC_FIT_DELTA_INFER, 0.9}};
}

static sc_refine_state simulate(const sc_refine_options *options, study *s)
{
  sc_refine *refine;
  sc_refine_data data = data_of(s);
  int more;
  assert_int_equal(sc_refine_new(options, &refine), 0);
  while ((more = sc_refine_next(refine, &data, &s->steps[s->step_count])) == 1) {
    assert_false(measured(s, s->steps[s->step_count].n));
    s->step_count++;
    assert_true(s->step_count < MOST_STEPS);
  }
  assert_int_equal(more, 0);
  sc_refine_state state = sc_refine_status(refine);
  assert_int_not_equal(state.stop, SC_REFINE_RUNNING);
  sc_refine_free(refine);
  return state;
}

static double line(double n) { return 3 * n + 17; }
static double square(double n) { return n * n; }
static double pairs(double n) { return n * (n - 1) / 2 + 1000 * n; }
static double constant(double n) { return 5 + 0 * n; }
static double zero(double n) { return 0 * n; }

static const double paper_sizes[] = {20, 40, 80};

TEST(begins_as_the_paper_does)
{
  const count_function functions[] = {line, square, constant};
  study s = {.functions = functions, .count = 3};
  sc_refine_options options = paper_options(paper_sizes, 3);
  sc_refine_state end = simulate(&options, &s);
  assert_true(end.first_models >= end.models && end.first_error >= 0);
  if (end.iteration == 1)
    assert_true(end.first_error == end.error);
  for (size_t i = 0; i < 3; i++) {
    assert_true(s.steps[i].n == paper_sizes[i]);
    assert_int_equal(s.steps[i].role, SC_REFINE_TRAINING);
    assert_int_equal(s.steps[i].reason, SC_REFINE_INITIAL);
  }
  for (size_t i = 3; i < 8; i++) {
    assert_int_equal(s.steps[i].role, SC_REFINE_VALIDATION);
    assert_int_equal(s.steps[i].reason, SC_REFINE_VALIDATE);
    assert_true(s.steps[i].n >= 1 && s.steps[i].n <= 2560 && s.steps[i].n == round(s.steps[i].n));
  }
  /* Both regressions fit these exactly: one new size, because nothing can be compared in the first turn, and then
   * the error is 0 with the same three models. */
  assert_int_equal(end.stop, SC_REFINE_ACCURATE);
  assert_int_equal(end.iteration, 2);
  assert_int_equal(end.models, 3);
  assert_true(end.error < 1e-9);
  assert_int_equal(s.step_count, 3 + 5 + 1 + (end.range_high > 1280));
}

/* The first turn has no previous error (-1 in line 2) and must not end at line 19. */
TEST(first_turn_never_stops)
{
  const count_function functions[] = {pairs};
  study s = {.functions = functions, .count = 1};
  sc_refine_options options = paper_options(paper_sizes, 3);
  sc_refine_state end = simulate(&options, &s);
  assert_true(end.iteration >= 2);
  assert_true(end.previous_error >= 0);
}

/* The new size is the middle between the worst validation size and its nearest training size, computed here again
 * from the steps alone. */
TEST(new_size_is_halfway_to_the_worst)
{
  const count_function functions[] = {pairs};
  study s = {.functions = functions, .count = 1};
  sc_refine_options options = paper_options(paper_sizes, 3);
  simulate(&options, &s);
  double y[3], n[3], worst = 0, worst_error = -1;
  for (size_t i = 0; i < 3; i++)
    n[i] = paper_sizes[i], y[i] = pairs(n[i]);
  sc_model model;
  assert_int_equal(sc_fit_select(&(sc_series){n, y, 3, true}, &options.fit, &model), 0);
  for (size_t i = 3; i < 8; i++) {
    double error = fabs(sc_model_value(&model, s.steps[i].n) - pairs(s.steps[i].n)) / pairs(s.steps[i].n);
    if (error > worst_error)
      worst_error = error, worst = s.steps[i].n;
  }
  double nearest = n[0];
  for (size_t i = 1; i < 3; i++)
    if (fabs(n[i] - worst) < fabs(nearest - worst))
      nearest = n[i];
  assert_int_equal(s.steps[8].role, SC_REFINE_TRAINING);
  assert_int_equal(s.steps[8].reason, SC_REFINE_WORST);
  assert_true(fabs(s.steps[8].n - (worst + nearest) / 2) <= 0.5);
}

static double unlike_the_models(double n) { return n < 1000 ? n : n * n / 50; }

/* Beyond the fitting range both ranges double, and the new validation size lies in the new part alone. */
TEST(ranges_double)
{
  const count_function functions[] = {unlike_the_models};
  static const double initial[] = {100, 200, 400};
  bool doubled = false;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    study s = {.functions = functions, .count = 1};
    sc_refine_options options = paper_options(initial, 3);
    options.range_high = 500;
    options.validation_high = 4000;
    options.seed = seed;
    sc_refine_state end = simulate(&options, &s);
    double range = 500, validation = 4000;
    for (size_t i = 8; i < s.step_count; i++) {
      if (s.steps[i].reason == SC_REFINE_WORST) {
        bool beyond = s.steps[i].n > range;
        bool follows = i + 1 < s.step_count && s.steps[i + 1].reason == SC_REFINE_EXTENDED;
        assert_int_equal(beyond, follows);
        range *= beyond ? 2 : 1;
      } else {
        assert_int_equal(s.steps[i].reason, SC_REFINE_EXTENDED);
        assert_int_equal(s.steps[i].role, SC_REFINE_VALIDATION);
        assert_true(s.steps[i].n > validation && s.steps[i].n <= 2 * validation);
        validation *= 2;
        doubled = true;
      }
    }
    assert_true(end.range_high == range && end.validation_high == validation);
  }
  assert_true(doubled);
}

/* A count that no model of the pair follows: the error stops improving, and the run ends instead of going on. */
TEST(stops_without_gain)
{
  const count_function functions[] = {unlike_the_models, line};
  study s = {.functions = functions, .count = 2};
  sc_refine_options options = paper_options(paper_sizes, 3);
  sc_refine_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_REFINE_NO_GAIN);
  assert_true(end.previous_error - end.error < 0.02);
  assert_true(end.error >= 0.05 || end.models == 0);
}

TEST(stops_at_the_most_iterations)
{
  const count_function functions[] = {square};
  study s = {.functions = functions, .count = 1};
  sc_refine_options options = paper_options(paper_sizes, 3);
  options.max_iterations = 1;
  sc_refine_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_REFINE_EXHAUSTED);
  assert_int_equal(end.iteration, 1);
}

static double noise_like(double n) { return 1000 * (1 + fmod(n * 7919, 101)); }

TEST(whole_numbers_run_out)
{
  const count_function functions[] = {noise_like, square};
  static const double initial[] = {1, 3, 5};
  size_t ran_out = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    study s = {.functions = functions, .count = 2};
    sc_refine_options options = paper_options(initial, 3);
    options.range_high = 5;
    options.validation_high = 6;
    options.seed = seed;
    sc_refine_state end = simulate(&options, &s); /* asserts that no size comes twice */
    ran_out += end.stop == SC_REFINE_NO_NEW_SIZE;
  }
  assert_true(ran_out > 0);
}

/* An actual count of 0: the error is the predicted count, at most 1; a series of zeros is predicted without error. */
static double late(double n) { return n < 1000 ? 0 : 1; }

TEST(zero_counts_have_bounded_errors)
{
  const count_function zeros[] = {zero, square};
  study s = {.functions = zeros, .count = 2};
  sc_refine_options options = paper_options(paper_sizes, 3);
  sc_refine_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_REFINE_ACCURATE);
  assert_int_equal(end.models, 2);
  const count_function lates[] = {late};
  s = (study){.functions = lates, .count = 1};
  end = simulate(&options, &s);
  assert_true(end.error >= 0 && end.error <= 1);
}

TEST(same_seed_same_sizes)
{
  const count_function functions[] = {pairs, unlike_the_models};
  study a = {.functions = functions, .count = 2}, b = a, c = a;
  sc_refine_options options = paper_options(paper_sizes, 3);
  simulate(&options, &a);
  simulate(&options, &b);
  assert_int_equal(a.step_count, b.step_count);
  for (size_t i = 0; i < a.step_count; i++)
    assert_true(a.steps[i].n == b.steps[i].n);
  options.seed = 2;
  simulate(&options, &c);
  bool differs = false;
  for (size_t i = 3; i < 8; i++)
    differs = differs || a.steps[i].n != c.steps[i].n;
  assert_true(differs);
}

TEST(chooses_first_sizes)
{
  const count_function functions[] = {square};
  study s = {.functions = functions, .count = 1};
  sc_refine_options options = {
      .range_low = 100, .range_high = 1600, .integer_sizes = true, .seed = 7, .fit = SC_FIT_OPTIONS_DEFAULT};
  sc_refine_state end = simulate(&options, &s);
  assert_true(s.steps[0].n == 100 && s.steps[4].n == 1600);
  for (size_t i = 1; i < 5; i++) {
    assert_int_equal(s.steps[i].reason, SC_REFINE_INITIAL);
    assert_true(s.steps[i].n > s.steps[i - 1].n * 1.3);
  }
  /* Not all a power of two apart. */
  assert_true(fabs(log2(s.steps[1].n / 100) - round(log2(s.steps[1].n / 100))) > 0.05);
  assert_int_equal(end.stop, SC_REFINE_ACCURATE);
  assert_true(end.validation_low == 100);
  sc_refine *refine; /* validation reaches twice as far, or up to the limit */
  for (int limited = 0; limited < 2; limited++) {
    options.size_limit = limited ? 2000 : 0;
    assert_int_equal(sc_refine_new(&options, &refine), 0);
    assert_true(sc_refine_status(refine).validation_high == (limited ? 2000 : 3200));
    sc_refine_free(refine);
  }
}

TEST(default_engine_reaches_what_the_pair_cannot)
{
  const count_function functions[] = {pairs};
  sc_refine_options options = paper_options(paper_sizes, 3);
  study s = {.functions = functions, .count = 1};
  options.fit = SC_FIT_OPTIONS_DEFAULT;
  sc_refine_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_REFINE_ACCURATE);
  assert_true(end.error < 1e-9);
}

/* No size beyond the limit, though the ranges would double; sizes stay distinct where the limit leaves few. */
TEST(limit_ends_the_sizes)
{
  const count_function functions[] = {unlike_the_models};
  static const double initial[] = {100, 300, 500};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    study s = {.functions = functions, .count = 1};
    sc_refine_options options = paper_options(initial, 3);
    options.range_high = 500;
    options.validation_high = 4000;
    options.size_limit = 505;
    options.seed = seed;
    sc_refine_state end = simulate(&options, &s); /* asserts that no size comes twice */
    for (size_t i = 0; i < s.step_count; i++)
      assert_true(s.steps[i].n <= 505);
    assert_true(end.range_high <= 505 && end.validation_high == 505);
  }
}

/* All whole numbers are first sizes: nothing is left to check with, and that is no error. */
TEST(closed_range_without_room)
{
  const count_function functions[] = {square};
  static const double initial[] = {1, 2, 3};
  study s = {.functions = functions, .count = 1};
  sc_refine_options options = paper_options(initial, 3);
  options.range_high = options.validation_high = 3;
  sc_refine_state end = simulate(&options, &s);
  assert_int_equal(s.step_count, 3);
  assert_int_equal(end.stop, SC_REFINE_NO_NEW_SIZE);
}

TEST(replaces_a_size)
{
  static const double initial[] = {10, 20, 60};
  sc_refine *refine;
  sc_refine_step step;
  sc_refine_options options = paper_options(initial, 3);
  options.range_low = 10;
  options.range_high = options.validation_high = 60;
  options.validation_low = 10;
  options.validation_count = 1;
  assert_int_equal(sc_refine_new(&options, &refine), 0);
  for (int i = 0; i < 3; i++)
    assert_int_equal(sc_refine_next(refine, NULL, &step), 1);
  assert_true(step.n == 60);
  assert_int_equal(sc_refine_replace(refine, 60, &step), SC_E_INTERNAL); /* not smaller */
  assert_int_equal(sc_refine_replace(refine, 20, &step), 0); /* in use: between 10 and 20, where a validation may be */
  assert_int_equal(step.role, SC_REFINE_TRAINING);
  assert_true(step.n > 10 && step.n < 20 && step.n == round(step.n));
  assert_int_equal(sc_refine_replace(refine, 12.5, &step), 0);
  assert_true(step.n == 12 || step.n == 11); /* whole, and free */
  assert_int_equal(sc_refine_replace(refine, 0, &step), 0);
  assert_true(step.n == 0);
  assert_int_equal(sc_refine_next(refine, NULL, &step), 1); /* continues without it */
  assert_int_equal(step.role, SC_REFINE_VALIDATION);
  sc_refine_free(refine);
}

TEST(refuses_bad_options)
{
  static const double twice[] = {10, 10}, negative[] = {-1}, broken[] = {1.5};
  sc_refine *refine = NULL;
  sc_refine_options good = paper_options(paper_sizes, 3), o = good;
  o.range_low = 0;
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  o = good, o.range_high = 1;
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  double *const numbers[] = {&o.range_low,       &o.range_high,  &o.validation_low,
                             &o.validation_high, &o.improvement, &o.prediction_error};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    o = good, *numbers[i] = NAN;
    assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
    o = good, *numbers[i] = INFINITY;
    assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  }
  o = good, o.improvement = -0.1;
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  o = good, o.prediction_error = -0.1;
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  o = good, o.validation_high = 1000;
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  assert_true(sc_err_hint_text()[0] != '\0');
  o = paper_options(twice, 2);
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  o = paper_options(negative, 1);
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  o = paper_options(broken, 1);
  assert_int_equal(sc_refine_new(&o, &refine), SC_E_INPUT);
  assert_null(refine);
}

TEST(no_series_is_an_error)
{
  study s = {.count = 0};
  sc_refine *refine;
  sc_refine_options options = paper_options(paper_sizes, 3);
  assert_int_equal(sc_refine_new(&options, &refine), 0);
  sc_refine_data data = data_of(&s);
  sc_refine_step step;
  int more;
  while ((more = sc_refine_next(refine, &data, &step)) == 1)
    ;
  assert_int_equal(more, SC_E_TOOLITTLE);
  sc_refine_free(refine);
}

TEST(texts_exist)
{
  assert_string_equal(sc_refine_reason_text(SC_REFINE_WORST), "halfway to the worst prediction");
  for (int i = SC_REFINE_RUNNING; i <= SC_REFINE_NO_NEW_SIZE; i++)
    assert_string_not_equal(sc_refine_stop_text((enum sc_refine_stop)i), "unknown");
  assert_string_equal(sc_refine_stop_text((enum sc_refine_stop)(SC_REFINE_NO_NEW_SIZE + 1)), "unknown");
  assert_string_equal(sc_refine_reason_text((enum sc_refine_reason)99), "unknown");
}

/* Counts that no model describes, by a wave of a given height. */
static double height;
static double waved(double n) { return round(1000 * n * (1 + height * sin(n / 37))); }

/* What is left out is what the paper's method has: rounds that gain less than 2% or predict to 5% are the last ones,
 * five sizes validate, and there are 20 rounds at most. */
TEST(defaults_are_those_of_the_paper)
{
  static const count_function functions[] = {waved};
  size_t rounds = 0, ends[SC_REFINE_EXHAUSTED + 2] = {0};
  for (int k = 0; k < 240; k++) {
    study left_out = {.functions = functions, .count = 1}, given = left_out;
    sc_refine_options options = paper_options(paper_sizes, 3);
    height = 0.01 + 0.002 * (k % 120);
    options.seed = (uint64_t)k + 1;
    options.improvement = k < 120 ? 0 : 1e-9;
    sc_refine_state one = simulate(&options, &left_out);
    options.improvement = k < 120 ? 0.02 : 1e-9;
    options.prediction_error = 0.05;
    options.validation_count = 5;
    options.max_iterations = 20;
    sc_refine_state other = simulate(&options, &given);
    assert_true(one.stop == other.stop && one.iteration == other.iteration && one.error == other.error);
    assert_int_equal(left_out.step_count, given.step_count);
    for (size_t i = 0; i < given.step_count; i++)
      assert_true(left_out.steps[i].n == given.steps[i].n);
    rounds = one.iteration > rounds ? one.iteration : rounds;
    ends[one.stop < COUNT(ends) ? one.stop : 0]++;
  }
  assert_true(rounds > 5 && ends[SC_REFINE_ACCURATE] > 20 && ends[SC_REFINE_NO_GAIN] > 20);
}

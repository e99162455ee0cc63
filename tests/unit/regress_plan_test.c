/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/plan/choose.h"
#include "regress/plan/plan.h"

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
  assert_true(near(ratio(&view, 100, 4, 4), ratio(&view, 50, 4, 0))); /* noise alone: runs are runs */
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
static sc_plan_choice choose(sc_plan_view *view, double limit, double left, double high)
{
  double weight = 1, rate = 0.001, times[] = {0.01, 0.1, 1};
  sc_plan_cost cost = {.n = measured_sizes, .times = times, .count = 3};
  cost.model.verdict = SC_VERDICT_CANNOT_TELL;
  const sc_plan_question question = {.views = view,
                                     .weights = &weight,
                                     .count = 1,
                                     .total = view->value,
                                     .precision = 0.001,
                                     .least_gain = 0.05,
                                     .spent = 4,
                                     .limit = limit,
                                     .left = left,
                                     .cost = &cost,
                                     .expect = expected_seconds,
                                     .user = &rate,
                                     .sizes = measured_sizes,
                                     .runs = measured_runs,
                                     .size_count = 3,
                                     .low = 10,
                                     .high = high,
                                     .repeats = 4,
                                     .whole = true};
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

/* Studies of analytic programs. */
enum { MOST_STEPS = 100 };
typedef struct study {
  double (*functions[3])(double n);
  size_t count;
  double noise, left, spent;
  double wanted;      /* until_5000; 0: nothing */
  double start, pace; /* seconds of a run, and of each n; 0: 0.01 and 1e-4 */
  double drift;       /* each run of a size deviates by this much more than the one before: no mean settles */
  sc_plan_step steps[MOST_STEPS];
  size_t step_count;
  double sizes[MOST_STEPS];
  unsigned runs[MOST_STEPS];
  size_t size_count;
} study;

static double line(double n) { return 3 * n + 17; }
static double pairs(double n) { return n * (n - 1) / 2; }
static double stairs(double n) { return n > 500 && n < 1000 ? 9 * n : 3 * n; }
static double chaos(double n) { return fmod(n * 7919, 101) * n; }
static double dice(double n) { return fmod(n * 7919, 101); }

static size_t size_index(const study *s, double n)
{
  size_t i = 0;
  while (i < s->size_count && s->sizes[i] != n)
    i++;
  return i;
}

static size_t series_count(void *user) { return ((study *)user)->count; }
static size_t series_runs(void *user, double n)
{
  const study *s = user;
  size_t i = size_index(s, n);
  return i < s->size_count ? s->runs[i] : 0;
}
static double series_value(void *user, size_t i, double n, size_t run)
{
  const study *s = user;
  assert_true(run < series_runs(user, n));
  double wave = sin(n * 12.9898 + (double)run * 78.233 + (double)i) * 43758.5453;
  double drift = s->drift * (double)run * (run % 2 ? 1 : -1);
  return s->functions[i](n) * fmax(0.01, 1 + s->noise * 2 * (wave - floor(wave) - 0.5) + drift);
}
static double series_seconds(void *user, double n)
{
  const study *s = user;
  return (s->start > 0 ? s->start : 0.01) + (s->pace > 0 ? s->pace : 1e-4) * n;
}

static void measure(study *s, double n, unsigned runs)
{
  size_t i = size_index(s, n);
  if (i == s->size_count) {
    s->sizes[s->size_count] = n;
    s->runs[s->size_count++] = 0;
  }
  for (; s->runs[i] < runs; s->runs[i]++)
    s->spent += series_seconds(s, n);
}

static const double first[] = {20, 57, 160, 453, 1280};
static const double target = 64000;
static sc_plan_options options_of(void)
{
  return (sc_plan_options){.targets = &target,
                           .target_count = 1,
                           .initial = first,
                           .initial_count = 5,
                           .low = 20,
                           .high = target,
                           .check = 2560,
                           .integer_sizes = true,
                           .fit = SC_FIT_OPTIONS_DEFAULT};
}

/* Something that needs a size of 5,000 or more. */
static int until_5000(void *user, double *n)
{
  const study *s = user;
  double largest = 0;
  for (size_t i = 0; i < s->size_count; i++)
    largest = fmax(largest, s->sizes[i]);
  *n = s->wanted && largest < 5000 ? s->wanted : 0;
  return 0;
}

static int next(sc_plan *plan, study *s, sc_plan_step *step)
{
  const sc_plan_data data = {.user = s,
                             .further = until_5000,
                             .count = series_count,
                             .runs = series_runs,
                             .value = series_value,
                             .seconds = series_seconds,
                             .limit = 10,
                             .left = s->left > 0 ? s->left - s->spent : INFINITY,
                             .counts = s->noise == 0};
  return sc_plan_next(plan, &data, step);
}

/* Runs at most `most` steps. */
static void run(sc_plan *plan, study *s, size_t most)
{
  sc_plan_step step;
  int more = 1;
  while (most-- > 0 && (more = next(plan, s, &step)) == 1) {
    assert_true(s->step_count < MOST_STEPS);
    assert_true(step.reason == SC_PLAN_REPEAT || step.reason == SC_PLAN_MEASURED ||
                size_index(s, step.n) == s->size_count);
    s->steps[s->step_count++] = step;
    measure(s, step.n, step.runs);
  }
  assert_true(more >= 0);
}

static sc_plan_state simulate(const sc_plan_options *options, study *s)
{
  sc_plan *plan;
  assert_int_equal(sc_plan_new(options, &plan), 0);
  run(plan, s, MOST_STEPS);
  sc_plan_state state = sc_plan_status(plan);
  assert_int_not_equal(state.stop, SC_PLAN_RUNNING);
  sc_plan_free(plan);
  return state;
}

TEST(exact_counts_are_checked_once)
{
  study s = {.functions = {line, pairs}, .count = 2};
  sc_plan_options options = options_of();
  sc_plan_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_PLAN_ACCURATE);
  assert_true(end.width == 0);
  assert_int_equal(end.models, 2);
  assert_int_equal(end.untold + end.wide, 0);
  assert_int_equal(s.step_count, 6);
  for (size_t i = 0; i < 5; i++) {
    assert_true(s.steps[i].n == first[i]);
    assert_int_equal(s.steps[i].reason, SC_PLAN_INITIAL);
  }
  assert_true(s.steps[5].n == 2560);
  assert_int_equal(s.steps[5].reason, SC_PLAN_CHECK);
  options.check = 0;
  s = (study){.functions = {line, pairs}, .count = 2};
  assert_int_equal(simulate(&options, &s).stop, SC_PLAN_ACCURATE);
  assert_int_equal(s.step_count, 5);
  options.check = 1500; /* a run of 2,400 takes a quarter of a second */
  s = (study){.functions = {line, pairs}, .count = 2};
  assert_int_equal(simulate(&options, &s).stop, SC_PLAN_ACCURATE);
  assert_true(s.step_count == 6 && s.steps[5].n > 1500 && s.steps[5].n <= 2400);
}

/* A range that is not to be left: a check between first sizes, unless something was measured there anyway. */
TEST(exact_counts_are_checked_between)
{
  study s = {.functions = {line, pairs}, .count = 2};
  sc_plan_options options = options_of();
  options.high = 1280;
  options.check = 700; /* between 453 and 1,280 */
  assert_int_equal(simulate(&options, &s).stop, SC_PLAN_ACCURATE);
  assert_true(s.step_count == 6 && s.steps[5].n == 700);
  assert_int_equal(s.steps[5].reason, SC_PLAN_CHECK);
  s = (study){.functions = {line, stairs}, .count = 2};
  simulate(&options, &s);
  assert_true(s.step_count > 6); /* right at the first sizes, wrong at the check */
  for (size_t i = 0; i < s.step_count; i++)
    assert_true(s.steps[i].n <= 1280);
  options.check = 453;
  s = (study){.functions = {line, pairs}, .count = 2};
  assert_int_equal(simulate(&options, &s).stop, SC_PLAN_ACCURATE);
  assert_int_equal(s.step_count, 5);
}

/* Counts are done, and something else is not: it has its size, up to the highest, where a run there may take so long.
 */
TEST(something_else_needs_a_size)
{
  const struct {
    double wanted, high, got;
  } cases[] = {{6000, 64000, 6000}, {6000, 5500, 5500}, {6000.5, 64000, 6001},
               {0, 64000, 0},       {1e6, 1e6, 0},      {300, 64000, 300}, /* between those measured */
               {460, 64000, 0}};                                           /* as good as one of them, 453 */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    study s = {.functions = {line, pairs}, .count = 2, .wanted = cases[i].wanted};
    sc_plan_options options = options_of();
    options.high = cases[i].high;
    assert_int_equal(simulate(&options, &s).stop, SC_PLAN_ACCURATE);
    assert_int_equal(s.step_count, cases[i].got > 0 ? 7 : 6); /* a run of a million would take 100 s */
    if (cases[i].got > 0) {
      assert_true(s.steps[6].n == cases[i].got);
      assert_int_equal(s.steps[6].reason, SC_PLAN_FURTHER);
    }
  }
  study s = {.functions = {line, chaos}, .count = 2, .wanted = 6000};
  sc_plan_options options = options_of();
  options.max_iterations = 1;
  assert_int_equal(simulate(&options, &s).stop, SC_PLAN_EXHAUSTED);
  for (size_t i = 0; i < s.step_count; i++)
    assert_int_not_equal(s.steps[i].reason, SC_PLAN_FURTHER);
}

/* Runs that are mostly start say little of how long a size far beyond takes: one on the way there is run. */
TEST(a_size_that_seems_too_slow_is_approached)
{
  study s = {.functions = {line, pairs}, .count = 2, .wanted = 30000, .start = 0.6, .pace = 3.5e-4};
  sc_plan_options options = options_of();
  assert_int_equal(simulate(&options, &s).stop, SC_PLAN_ACCURATE);
  assert_int_equal(s.step_count, 7);
  assert_int_equal(s.steps[6].reason, SC_PLAN_FURTHER);
  assert_true(s.steps[6].n > 2 * 2560 && s.steps[6].n < 30000 && series_seconds(&s, s.steps[6].n) <= 10);
}

/* It cannot be run: nothing smaller is tried in its place, and nothing more. */
TEST(something_else_fails_once)
{
  study s = {.functions = {line, pairs}, .count = 2, .wanted = 6000};
  sc_plan_options options = options_of();
  sc_plan *plan;
  sc_plan_step step;
  assert_int_equal(sc_plan_new(&options, &plan), 0);
  while (next(plan, &s, &step) == 1 && step.reason != SC_PLAN_FURTHER)
    measure(&s, step.n, step.runs);
  assert_int_equal(step.reason, SC_PLAN_FURTHER);
  assert_int_equal(sc_plan_replace(plan, 0, &step), 0);
  assert_true(step.n == 0);
  assert_int_equal(next(plan, &s, &step), 0);
  sc_plan_free(plan);
}

/* A few sizes that cost little are tried for what cannot be told, although it does not matter for the total. */
TEST(what_cannot_be_told_is_tried)
{
  study s = {.functions = {pairs, dice}, .count = 2};
  sc_plan_options options = options_of();
  sc_plan_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_PLAN_ACCURATE);
  assert_int_equal(end.untold, 1);
  assert_true(end.width > 0 && end.width < 1e-6);
  assert_int_equal(s.step_count, 10);
  assert_int_equal(s.steps[5].reason, SC_PLAN_CHECK);
  for (size_t i = 6; i < s.step_count; i++) {
    assert_int_equal(s.steps[i].reason, SC_PLAN_DECIDE);
    assert_true(series_seconds(&s, s.steps[i].n) <= 0.25);
  }
}

TEST(noise_is_narrowed_at_large_sizes)
{
  study s = {.functions = {line, pairs}, .count = 2, .noise = 0.01};
  sc_plan_options options = options_of();
  options.repeats = 3;
  sc_plan_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_PLAN_ACCURATE);
  assert_true(end.width > 0 && end.width <= 0.05);
  assert_true(s.step_count > 5);
  for (size_t i = 5; i < s.step_count; i++)
    assert_true(s.steps[i].n > 160 && s.steps[i].n <= target);
}

/* Where the runs of a size differ more the more of them there are, repeats cannot narrow anything. */
TEST(vain_repeats_end)
{
  study s = {.functions = {line, pairs}, .count = 2, .noise = 0.05, .drift = 0.02};
  sc_plan_options options = options_of();
  options.repeats = 3;
  options.check = 0;
  options.high = 1280;
  options.precision = 0.001;
  sc_plan_state end = simulate(&options, &s);
  unsigned most = 0;
  for (size_t i = 0; i < s.size_count; i++)
    most = s.runs[i] > most ? s.runs[i] : most;
  if (!end.repeats_fail || most > 30)
    fail_msg("%u runs of one size, stopped for %d", most, (int)end.stop);
}

TEST(stops_for_time_and_iterations)
{
  study s = {.functions = {line}, .count = 1, .noise = 0.05, .left = 1};
  sc_plan_options options = options_of();
  options.precision = 1e-6;
  assert_int_equal(simulate(&options, &s).stop, SC_PLAN_BUDGET);
  assert_true(s.step_count > 5 && s.spent <= 1);
  s = (study){.functions = {line}, .count = 1, .noise = 0.05};
  options.max_iterations = 1;
  sc_plan_state end = simulate(&options, &s);
  assert_int_equal(end.stop, SC_PLAN_EXHAUSTED);
  assert_int_equal(s.step_count, 6);
  options.max_iterations = 50;
  options.precision = 0.05;
  options.high = 1e4;
  s = (study){.functions = {chaos}, .count = 1};
  end = simulate(&options, &s);
  assert_true(end.stop == SC_PLAN_STALLED || end.stop == SC_PLAN_NO_GAIN);
  assert_true(end.width > 0.05);
}

/* Interrupted after any number of steps, a study goes on as it would have. */
TEST(resumed_studies_decide_alike)
{
  study whole = {.functions = {line, pairs}, .count = 2, .noise = 0.03};
  sc_plan_options options = options_of();
  options.max_iterations = 6;
  options.precision = 0.001;
  (void)simulate(&options, &whole);
  assert_true(whole.step_count > 8);
  for (size_t stop = 0; stop < whole.step_count; stop++) {
    study part = {.functions = {line, pairs}, .count = 2, .noise = 0.03};
    sc_plan *plan;
    assert_int_equal(sc_plan_new(&options, &plan), 0);
    run(plan, &part, stop);
    sc_plan_free(plan);
    assert_int_equal(sc_plan_new(&options, &plan), 0);
    for (size_t i = 0; i < part.size_count; i++)
      assert_int_equal(sc_plan_known(plan, part.sizes[i]), 0);
    part.step_count = 0;
    study before = part;
    sc_plan_step step;
    while (next(plan, &part, &step) == 1 && series_runs(&before, step.n) >= step.runs)
      ;
    assert_true(step.n == whole.steps[stop].n);
    assert_int_equal(step.runs, whole.steps[stop].runs);
    sc_plan_free(plan);
  }
}

TEST(what_cannot_be_run_gives_way)
{
  study s = {.functions = {pairs}, .count = 1, .noise = 0.02};
  sc_plan_options options = options_of();
  sc_plan *plan;
  sc_plan_step step;
  assert_int_equal(sc_plan_new(&options, &plan), 0);
  run(plan, &s, 4);
  assert_false(sc_plan_decides(plan));
  assert_int_equal(next(plan, &s, &step), 1);
  assert_true(sc_plan_decides(plan));
  assert_true(step.n == 1280);
  assert_int_equal(sc_plan_replace(plan, 1500, &step), SC_E_INTERNAL); /* not smaller */
  assert_int_equal(sc_plan_replace(plan, 453, &step), 0);              /* in use: between it and 160 */
  assert_true(step.n > 160 && step.n < 453);
  measure(&s, step.n, step.runs);
  assert_int_equal(next(plan, &s, &step), 1);
  double chosen = step.n;
  assert_int_equal(sc_plan_replace(plan, 400, &step), 0);
  assert_true(step.n == 0);
  for (int i = 0; i < 5 && next(plan, &s, &step) == 1; i++) {
    assert_true(step.n < chosen);
    measure(&s, step.n, step.runs);
  }
  sc_plan_free(plan);
}

/* A program that knows only the sizes named: one between them is tried, and no other; what is asked for stays. */
TEST(between_sizes_one_failure_is_enough)
{
  study s = {.functions = {pairs, dice}, .count = 2};
  sc_plan_options options = options_of();
  options.high = options.initial[options.initial_count - 1];
  options.check = 0;
  sc_plan *plan;
  sc_plan_step step;
  assert_int_equal(sc_plan_new(&options, &plan), 0);
  size_t failed = 0, steps = 0;
  while (next(plan, &s, &step) == 1 && steps++ < 50) {
    bool named = false;
    for (size_t i = 0; i < options.initial_count; i++)
      named |= step.n == options.initial[i];
    if (named) {
      measure(&s, step.n, step.runs);
      continue;
    }
    failed++;
    assert_int_equal(sc_plan_replace(plan, 0, &step), 0);
    assert_true(step.n == 0);
  }
  assert_int_equal(failed, 1);
  assert_true(steps < 50);
  sc_plan_free(plan);
}

/* A hole between the first sizes says nothing of larger ones. */
TEST(a_first_size_that_fails_leaves_larger_ones)
{
  study s = {.functions = {pairs}, .count = 1, .noise = 0.02};
  sc_plan_options options = options_of();
  sc_plan *plan;
  sc_plan_step step;
  double largest = 0;
  assert_int_equal(sc_plan_new(&options, &plan), 0);
  for (size_t steps = 0; steps < 12 && next(plan, &s, &step) == 1; steps++) {
    if (step.n == options.initial[2]) {
      assert_int_equal(sc_plan_replace(plan, 0, &step), 0);
      assert_true(step.n == 0);
      continue;
    }
    largest = fmax(largest, step.n);
    measure(&s, step.n, step.runs);
  }
  assert_true(largest > 2 * options.initial[options.initial_count - 1]);
  sc_plan_free(plan);
}

/* Several targets: the widest counts. Without series there is nothing to plan. */
TEST(targets_and_series)
{
  static const double targets[] = {1e6, 64000, 2000};
  study s = {.functions = {pairs}, .count = 1, .noise = 0.01};
  sc_plan_options options = options_of();
  sc_plan *plan;
  sc_plan_step step;
  options.targets = targets;
  options.target_count = 3;
  assert_true(simulate(&options, &s).target == 1e6);
  s = (study){.count = 0};
  assert_int_equal(sc_plan_new(&options, &plan), 0);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(next(plan, &s, &step), 1);
    measure(&s, step.n, step.runs);
  }
  assert_int_equal(next(plan, &s, &step), SC_E_TOOLITTLE);
  sc_plan_free(plan);
}

TEST(bad_options)
{
  static const double twice[] = {20, 20}, zero[] = {0, 20}, broken[] = {20, 20.5};
  sc_plan *plan;
#define REFUSED(change)                                         \
  do {                                                          \
    sc_plan_options options = options_of();                     \
    change;                                                     \
    assert_int_equal(sc_plan_new(&options, &plan), SC_E_INPUT); \
    assert_null(plan);                                          \
  } while (0)
  REFUSED(options.initial = twice; options.initial_count = 2);
  REFUSED(options.initial = zero; options.initial_count = 2);
  REFUSED(options.initial = broken; options.initial_count = 2);
  REFUSED(options.target_count = 0);
  REFUSED(options.high = 10);
  REFUSED(options.high = INFINITY);
  REFUSED(options.low = NAN);
  REFUSED(options.precision = -1);
  REFUSED(options.level = 1);
}

/* Sizes next to 1,000 are new from 1,050 and from 952 on. */
TEST(new_sizes_are_5_percent_away)
{
  sc_model model = line_model();
  model.drift = 0.01;
  model.n_center = 100;
  sc_plan_view view = view_of(&model, 1e6);
  double weight = 1, rate = 0.001, sizes[] = {100, 1000}, runs[] = {4, 4}, times[] = {0.1, 1};
  sc_plan_cost cost = {.n = sizes, .times = times, .count = 2};
  cost.model.verdict = SC_VERDICT_CANNOT_TELL;
  sc_plan_question q = {&view,
                        &weight,
                        1,
                        .total = view.value,
                        .precision = 0.001,
                        .limit = INFINITY,
                        .left = INFINITY,
                        .cost = &cost,
                        .expect = expected_seconds,
                        .user = &rate,
                        .sizes = sizes,
                        .runs = runs,
                        .size_count = 2,
                        .low = 990,
                        .high = 1049,
                        .repeats = 4,
                        .whole = true,
                        .no_repeats = true};
  assert_int_equal(sc_plan_choose(&q).outcome, SC_PLAN_NOTHING);
  q.high = 1050;
  assert_true(sc_plan_choose(&q).n == 1050);
  q.sizes = (double[]){100, 1050};
  q.low = q.high = 1000;
  assert_true(sc_plan_choose(&q).n == 1000);
  q.sizes = (double[]){100, 1049};
  assert_int_equal(sc_plan_choose(&q).outcome, SC_PLAN_NOTHING);
}

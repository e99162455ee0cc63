/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/plan/plan.h"

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

/* A plan whose next step, the first of this reason, is not measured yet. */
static sc_plan *plan_until(const sc_plan_options *options, study *s, enum sc_plan_reason reason, sc_plan_step *step)
{
  sc_plan *plan;
  assert_int_equal(sc_plan_new(options, &plan), 0);
  while (next(plan, s, step) == 1 && step->reason != reason)
    measure(s, step->n, step->runs);
  assert_int_equal(step->reason, reason);
  return plan;
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

/* With that size the models are looked at once more. */
TEST(what_something_else_had_is_looked_at)
{
  study s = {.functions = {line, pairs}, .count = 2, .wanted = 6000};
  sc_plan_options options = options_of();
  sc_plan_step step;
  sc_plan *plan = plan_until(&options, &s, SC_PLAN_FURTHER, &step);
  sc_plan_state before = sc_plan_status(plan);
  assert_int_equal(before.stop, SC_PLAN_RUNNING);
  measure(&s, step.n, step.runs);
  assert_int_equal(next(plan, &s, &step), 0);
  sc_plan_state after = sc_plan_status(plan);
  assert_true(after.stop == SC_PLAN_ACCURATE && after.iteration == before.iteration + 1);
  sc_plan_free(plan);
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
  sc_plan_step step;
  sc_plan *plan = plan_until(&options, &s, SC_PLAN_FURTHER, &step);
  assert_int_equal(sc_plan_replace(plan, 0, &step), 0);
  assert_true(step.n == 0);
  assert_int_equal(next(plan, &s, &step), 0);
  sc_plan_free(plan);
}

/* A few sizes that cost little are tried for an undecided series, although it does not matter for the total. */
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

/* Independent deviations average out: repeats go on. */
TEST(repeats_that_narrow_go_on)
{
  static const double near = 1600;
  study s = {.functions = {line}, .count = 1, .noise = 0.05};
  sc_plan_options options = options_of();
  options.targets = &near;
  options.repeats = 3;
  options.check = 0;
  options.high = 1280;
  options.precision = 0.008;
  options.max_iterations = 40;
  sc_plan_state end = simulate(&options, &s);
  size_t repeats = 0;
  for (size_t i = 0; i < s.step_count; i++)
    repeats += s.steps[i].reason == SC_PLAN_REPEAT;
  assert_true(repeats >= 2 && !end.repeats_fail);
}

/* What was measured in the gap of the check, strictly between the first sizes beside it, is one; elsewhere it is not.
 */
TEST(a_known_size_is_a_check)
{
  static const struct {
    double known, check;
    bool checked;
  } cases[] = {{600, 700, false}, {454, 700, false}, {1279, 700, false}, {300, 700, true},
               {700, 700, false}, {300, 200, false}, {300, 454, true},   {1000, 1280, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    study s = {.functions = {line, pairs}, .count = 2};
    sc_plan_options options = options_of();
    options.high = 1280;
    options.check = cases[i].check;
    sc_plan *plan;
    assert_int_equal(sc_plan_new(&options, &plan), 0);
    assert_int_equal(sc_plan_known(plan, cases[i].known), 0);
    run(plan, &s, MOST_STEPS);
    assert_int_equal(sc_plan_status(plan).stop, SC_PLAN_ACCURATE);
    assert_int_equal(s.step_count, cases[i].checked ? 7 : 6);
    assert_true(s.steps[5].n == cases[i].known && s.steps[5].reason == SC_PLAN_MEASURED);
    assert_true(!cases[i].checked || (s.steps[6].n == cases[i].check && s.steps[6].reason == SC_PLAN_CHECK));
    sc_plan_free(plan);
  }
}

/* Beyond the first sizes a size from the geometric mean of the largest and the check on counts as a check. */
TEST(a_known_size_beyond_is_a_check)
{
  double root = sqrt(1280.0 * 2560);
  for (int above = 0; above < 2; above++) {
    study s = {.functions = {line, pairs}, .count = 2};
    sc_plan_options options = options_of();
    sc_plan *plan;
    assert_int_equal(sc_plan_new(&options, &plan), 0);
    assert_int_equal(sc_plan_known(plan, above ? ceil(root) : floor(root)), 0);
    run(plan, &s, MOST_STEPS);
    assert_int_equal(sc_plan_status(plan).stop, SC_PLAN_ACCURATE);
    assert_int_equal(s.step_count, above ? 6 : 7);
    sc_plan_free(plan);
  }
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

/* A check at 2,560 that cannot be run gives way to a size more than 5% above the others, which go up to 1,280. Where no
 * size is wanted instead, sizes above 80% of it are not chosen any more. */
TEST(a_check_gives_way)
{
  static const struct {
    double wanted, instead, further;
  } cases[] = {{1344, 0, 6000}, {1344.5, 1344, 6000}, {1345, 1345, 6000}, {2559, 2559, 6000}, {0, 0, 2048}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    study s = {.functions = {line, pairs}, .count = 2, .wanted = 6000};
    sc_plan_options options = options_of();
    sc_plan_step step;
    sc_plan *plan = plan_until(&options, &s, SC_PLAN_CHECK, &step);
    assert_true(step.n == 2560);
    assert_int_equal(sc_plan_replace(plan, cases[i].wanted, &step), 0);
    assert_true(step.n == cases[i].instead);
    if (step.n > 0)
      measure(&s, step.n, step.runs);
    assert_int_equal(next(plan, &s, &step), 1);
    if (step.reason != SC_PLAN_FURTHER || step.n != cases[i].further)
      fail_msg("case %zu: %g", i, step.n);
    sc_plan_free(plan);
  }
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
  REFUSED(options.precision = -0x1p-1074);
  REFUSED(options.precision = NAN);
  REFUSED(options.least_gain = 1);
  REFUSED(options.least_gain = -0x1p-1074);
  REFUSED(options.level = -0x1p-1074);
  REFUSED(options.initial_count = 0);
  REFUSED(options.low = 0);
  REFUSED(options.low = 100; options.high = nextafter(100, 0));
  REFUSED(options.check = INFINITY);
  static const double three[] = {20, 40, 20};
  REFUSED(options.initial = three; options.initial_count = 3);
#define TAKEN(change)                                  \
  do {                                                 \
    sc_plan_options options = options_of();            \
    change;                                            \
    assert_int_equal(sc_plan_new(&options, &plan), 0); \
    sc_plan_free(plan);                                \
  } while (0)
  TAKEN(options.level = nextafter(1, 0));
  TAKEN(options.level = 0);
  TAKEN(options.least_gain = nextafter(1, 0));
  TAKEN(options.least_gain = 0);
  TAKEN(options.precision = 0);
  TAKEN(options.low = options.high = 100);
  TAKEN(options.low = 0x1p-1074);
  TAKEN(options.initial_count = 1);
}

TEST(reasons_and_ends_have_words)
{
  const char *said[SC_PLAN_REPEAT + SC_PLAN_EXHAUSTED + 2];
  size_t count = 0;
  for (int i = SC_PLAN_INITIAL; i <= SC_PLAN_REPEAT; i++)
    said[count++] = sc_plan_reason_text((enum sc_plan_reason)i);
  for (int i = SC_PLAN_RUNNING; i <= SC_PLAN_EXHAUSTED; i++)
    said[count++] = sc_plan_stop_text((enum sc_plan_stop)i);
  for (size_t i = 0; i < count; i++) {
    assert_true(said[i] && strlen(said[i]) > 10);
    assert_string_not_equal(said[i], "unknown");
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(said[i], said[k]);
  }
  assert_string_equal(sc_plan_reason_text(SC_PLAN_REPEAT), "again, against noise");
  assert_string_equal(sc_plan_reason_text((enum sc_plan_reason)(SC_PLAN_REPEAT + 1)), "unknown");
  assert_string_equal(sc_plan_stop_text((enum sc_plan_stop)(SC_PLAN_EXHAUSTED + 1)), "unknown");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which way of choosing sizes gets further: target refinement (regress/plan/plan.h) or Algorithm 1 of delta-infer
 * (regress/paper/refine.h), on simulated programs whose runs cost time as their counts do. For every function, noise, range
 * of first sizes and seed both are run to their end, with the same limit for a run, the same time in all and the same
 * measurements where they ask for the same size. Printed: how often the prediction at 50 times the largest first size
 * is really within 5%, how often that was claimed, and rightly, and what it took.
 *
 *   bench-plan [-v|--check] [SEED]   -v: every step; --check: exit status 1 where target refinement is not what it
 *                                    was; SEED: the first of those that vary coefficients and noise (101). The
 *                                    constants of regress/plan_choose.c were chosen with 1.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regress/paper/refine.h"
#include "regress/plan/plan.h"

enum { MOST_POINTS = 2000, MOST_SIZES = 200, SEEDS = 16 };
static const double wanted = 0.05, distance = 50;
/* Seconds: what the largest first size computes, what every run takes beside, what a run may take (and that share of
 * what is left), what all may. */
static const double largest_first = 1, start_up = 0.1, short_run = 10, share = 0.25, whole_budget = 120;

typedef struct family {
  const char *name;
  double (*value)(double n, double a, double b); /* a in 1..4, b in 0.5..2 */
} family;

static double linear(double n, double a, double b) { return a * n + 0 * b; }
static double n_log_n(double n, double a, double b) { return a * n * log2(n) + 0 * b; }
static double power15(double n, double a, double b) { return a * pow(n, 1.5) + 0 * b; }
static double squared(double n, double a, double b) { return a * n * n + 0 * b; }
static double square_log(double n, double a, double b) { return a * n * n * log2(n) + 0 * b; }
static double cubed(double n, double a, double b) { return a * n * n * n + 0 * b; }
static double offset(double n, double a, double b) { return 500 * b + a * n; }
static double mixed(double n, double a, double b) { return 100 * a * n + b * n * n; }
static double change(double n, double a, double b) { return n < 100 * b ? 100 * a * b * n : a * n * n; }
static double power12(double n, double a, double b) { return 5 * a * pow(n, 1.2) + 0 * b; }
static double roots(double n, double a, double b) { return a * n + 30 * b * sqrt(n); }
static double quotient(double n, double a, double b) { return 10 * a * n / log(n) + 0 * b; }
static double pairs(double n, double a, double b) { return round(a) * n * (n - 1) / 2 + 0 * b; }

static const family families[] = {
    {"n", linear},       {"n log n", n_log_n},      {"n^1.5", power15},
    {"n^2", squared},    {"n^2 log n", square_log}, {"n^3", cubed},
    {"a + b n", offset}, {"a n + b n^2", mixed},    {"n, then n^2", change},
    {"n^1.2", power12},  {"n + c sqrt n", roots},   {"n / log n", quotient},
    {"C(n, 2)", pairs},
};
enum { FAMILIES = sizeof families / sizeof *families };

static const struct range {
  double low, high;
} ranges[] = {{20, 1280}, {20, 200}};
enum { FIRST = 5 };
static const double noises[] = {0, 0.01, 0.05};

/* One simulated program and what was measured of it. */
typedef struct program {
  const family *family;
  double a, b, noise, target, scale; /* scale: seconds of one count */
  double budget;                     /* seconds of all runs */
  size_t repeats;
  uint64_t seed;
  double n[MOST_POINTS], y[MOST_POINTS];
  bool fitted[MOST_POINTS]; /* the paper's engine leaves validation runs out */
  size_t points, sizes;
  double size[MOST_SIZES], seconds;
  size_t runs[MOST_SIZES];
  sc_fit *fit;
  bool training_only;
  /* since when the prediction has been right */
  bool right;
  size_t right_runs;
  double right_seconds;
} program;

static uint64_t mix(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static double uniform(uint64_t key) { return ((double)(mix(key) >> 11) + 0.5) / 9007199254740992.0; }

/* A normal deviate that belongs to a program, a size and a run: whoever asks gets the same. */
static double normal(const program *p, double n, size_t run)
{
  uint64_t bits, key;
  memcpy(&bits, &n, sizeof bits);
  key = mix(p->seed ^ mix(bits + run));
  return sqrt(-2 * log(uniform(key))) * cos(6.283185307179586 * uniform(key + 1));
}

static double truth(const program *p, double n) { return p->family->value(n, p->a, p->b); }

static double measured(const program *p, double n, size_t run)
{
  double value = truth(p, n);
  return p->noise > 0 ? fmax(0, value * (1 + p->noise * normal(p, n, run))) : round(value);
}

static double seconds_of(const program *p, double n, size_t run)
{
  return start_up + p->scale * truth(p, n) * (1 + 0.02 * fabs(normal(p, n, run + 1000)));
}

static size_t index_of(const program *p, double n)
{
  size_t i = 0;
  while (i < p->sizes && p->size[i] != n)
    i++;
  return i;
}

static void judge(program *p)
{
  double n[MOST_POINTS], y[MOST_POINTS];
  sc_model model;
  size_t count = 0;
  for (size_t i = 0; i < p->points; i++)
    if (p->fitted[i] || !p->training_only) {
      n[count] = p->n[i];
      y[count++] = p->y[i];
    }
  const sc_series series = {n, y, count, p->noise == 0};
  bool was = p->right;
  if (sc_fit_run(p->fit, &series, &model) < 0)
    exit(1);
  double actual = truth(p, p->target);
  p->right = fabs(sc_model_value(&model, p->target) - actual) <= wanted * actual;
  if (p->right && !was) {
    p->right_runs = p->points;
    p->right_seconds = p->seconds;
  }
}

static void run(program *p, double n, size_t runs, bool fitted)
{
  size_t at = index_of(p, n);
  if (at == p->sizes && p->sizes < MOST_SIZES) {
    p->size[p->sizes] = n;
    p->runs[p->sizes++] = 0;
  }
  for (; at < p->sizes && p->runs[at] < runs && p->points < MOST_POINTS; p->runs[at]++) {
    p->n[p->points] = n;
    p->fitted[p->points] = fitted;
    p->y[p->points++] = measured(p, n, p->runs[at]);
    p->seconds += seconds_of(p, n, p->runs[at]);
  }
  judge(p);
}

static size_t one_series(void *user) { return 1; }
static double mean_value(void *user, size_t i, double n)
{
  const program *p = user;
  double sum = 0;
  size_t at = index_of(p, n);
  for (size_t r = 0; at < p->sizes && r < p->runs[at]; r++)
    sum += measured(p, n, r) / (double)p->runs[at];
  return sum;
}
static double run_value(void *user, size_t i, double n, size_t r) { return measured(user, n, r); }
static size_t runs_of(void *user, double n)
{
  const program *p = user;
  size_t at = index_of(p, n);
  return at < p->sizes ? p->runs[at] : 0;
}
static double mean_seconds(void *user, double n)
{
  const program *p = user;
  double sum = 0;
  size_t runs = runs_of(user, n);
  for (size_t r = 0; r < runs; r++)
    sum += seconds_of(p, n, r) / (double)runs;
  return sum;
}

static double run_limit(const program *p) { return fmax(short_run, share * (p->budget - p->seconds)); }

static bool too_long(const program *p, double n) { return start_up + p->scale * truth(p, n) > run_limit(p); }

/* The largest size that takes no longer than a run may. */
static double affordable(const program *p, double n)
{
  double low = 1;
  for (int i = 0; i < 60; i++) {
    double middle = sqrt(low * n);
    *(too_long(p, middle) ? &n : &low) = middle;
  }
  return floor(low);
}

static size_t first_sizes(const struct range *range, double *first)
{
  for (size_t i = 0; i < FIRST; i++)
    first[i] = round(range->low * pow(range->high / range->low, (double)i / (FIRST - 1)));
  return FIRST;
}

enum method { TARGET, ALGORITHM, PAPER, TARGET_IN_TIME, METHODS };
static const char *const method_names[] = {"target", "delta-infer", "delta-infer, its models",
                                           "target, in delta-infer's time"};
static bool verbose;

/* Both return whether the wanted precision is claimed. */
static bool by_target(program *p, const struct range *range, const double *first, size_t count)
{
  const sc_plan_options options = {.targets = &p->target,
                                   .target_count = 1,
                                   .initial = first,
                                   .initial_count = count,
                                   .precision = wanted,
                                   .low = range->low,
                                   .high = p->target,
                                   .check = 2 * range->high,
                                   .repeats = (unsigned)p->repeats,
                                   .integer_sizes = true,
                                   .fit = SC_FIT_OPTIONS_DEFAULT};
  sc_plan *plan;
  sc_plan_step step;
  int more;
  if (sc_plan_new(&options, &plan) < 0)
    exit(1);
  for (;;) {
    const sc_plan_data data = {.user = p,
                               .count = one_series,
                               .runs = runs_of,
                               .value = run_value,
                               .seconds = mean_seconds,
                               .limit = run_limit(p),
                               .left = p->budget - p->seconds,
                               .counts = p->noise == 0};
    if ((more = sc_plan_next(plan, &data, &step)) != 1)
      break;
    while (step.n > 0 && too_long(p, step.n))
      if (sc_plan_replace(plan, affordable(p, step.n), &step) < 0)
        exit(1);
    if (verbose) {
      sc_plan_state s = sc_plan_status(plan);
      printf("    n=%g runs %u %s: %g -> %g, %g s\n", step.n, step.runs, sc_plan_reason_text(step.reason), s.width,
             s.expected, s.seconds);
    }
    if (step.n > 0)
      run(p, step.n, step.runs, true);
  }
  sc_plan_state state = sc_plan_status(plan);
  if (verbose)
    printf("    %s, width %g\n", more < 0 ? sc_err_message() : sc_plan_stop_text(state.stop), state.width);
  sc_plan_free(plan);
  return state.stop == SC_PLAN_ACCURATE;
}

static bool by_algorithm(program *p, const struct range *range, const double *first, size_t count,
                         enum sc_fit_engine engine)
{
  const sc_refine_options options = {.range_low = range->low,
                                     .range_high = range->high,
                                     .size_limit = p->target,
                                     .initial = first,
                                     .initial_count = count,
                                     .prediction_error = wanted,
                                     .integer_sizes = true,
                                     .seed = p->seed,
                                     .fit = {engine, 0.9}};
  const sc_refine_data data = {p, one_series, mean_value, p->noise == 0};
  sc_refine *refine;
  sc_refine_step step;
  p->training_only = engine == SC_FIT_DELTA_INFER;
  if (sc_refine_new(&options, &refine) < 0)
    exit(1);
  while (p->seconds < p->budget && sc_refine_next(refine, &data, &step) == 1) {
    while (step.n > 0 && too_long(p, step.n))
      if (sc_refine_replace(refine, affordable(p, step.n), &step) < 0)
        exit(1);
    if (step.n > 0)
      run(p, step.n, p->repeats, step.role == SC_REFINE_TRAINING);
  }
  bool claimed = sc_refine_status(refine).stop == SC_REFINE_ACCURATE;
  sc_refine_free(refine);
  return claimed;
}

typedef struct result {
  bool claimed, right;
  double runs, seconds, right_runs, right_seconds;
} result;

static result simulate(enum method method, size_t f, double noise, const struct range *range, uint64_t seed,
                       double budget)
{
  static program p;
  double first[FIRST];
  sc_fit_options fit = {method == PAPER ? SC_FIT_DELTA_INFER : SC_FIT_DEFAULT, 0.9};
  uint64_t key = mix(seed * 1000 + f);
  p = (program){.family = &families[f], .noise = noise, .budget = budget, .repeats = noise > 0 ? 3 : 1, .seed = key};
  p.a = pow(4, uniform(key + 11));
  p.b = 0.5 * pow(4, uniform(key + 22));
  p.target = distance * range->high;
  p.scale = largest_first / truth(&p, range->high);
  if (sc_fit_new(&fit, &p.fit) < 0)
    exit(1);
  size_t count = first_sizes(range, first);
  bool claimed = method == TARGET || method == TARGET_IN_TIME ? by_target(&p, range, first, count)
                                                              : by_algorithm(&p, range, first, count, fit.engine);
  sc_fit_free(p.fit);
  return (result){claimed, p.right, (double)p.points, p.seconds, (double)p.right_runs, p.right_seconds};
}

enum { MOST_RESULTS = FAMILIES * 2 * SEEDS };

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
  qsort(values, count, sizeof *values, compare);
  return count ? values[count / 2] : NAN;
}

typedef struct summary {
  double right, claimed, rightly; /* percent; rightly: of those claimed */
  double right_runs, right_seconds, runs, seconds;
} summary;

static summary sum_up(const result *results, size_t count)
{
  static double runs[MOST_RESULTS], seconds[MOST_RESULTS], right_runs[MOST_RESULTS], right_seconds[MOST_RESULTS];
  size_t right = 0, claimed = 0, rightly = 0;
  for (size_t i = 0; i < count; i++) {
    runs[i] = results[i].runs;
    seconds[i] = results[i].seconds;
    claimed += results[i].claimed;
    rightly += results[i].claimed && results[i].right;
    if (!results[i].right)
      continue;
    right_runs[right] = results[i].right_runs;
    right_seconds[right++] = results[i].right_seconds;
  }
  return (summary){100.0 * (double)right / (double)count,
                   100.0 * (double)claimed / (double)count,
                   claimed ? 100.0 * (double)rightly / (double)claimed : 100,
                   median(right_runs, right),
                   median(right_seconds, right),
                   median(runs, count),
                   median(seconds, count)};
}

static void print(const char *what, const char *method, const result *results, size_t count)
{
  summary s = sum_up(results, count);
  printf("| %s | %s | %.0f%% | %.0f%% | %.0f%% | %.0f | %.1f | %.0f | %.1f |\n", what, method, s.right, s.claimed,
         s.rightly, s.right_runs, s.right_seconds, s.runs, s.seconds);
}

static void print_head(const char *what)
{
  printf("\n| %s | refinement | right | claimed | claims that are right | runs until right | seconds | runs in all | "
         "seconds |\n",
         what);
  printf("|---|---|---|---|---|---|---|---|---|\n");
}

/* [noise][method][function][range and seed] */
static result results[3][METHODS][FAMILIES][2 * SEEDS];

static void simulate_all(uint64_t seed)
{
  for (size_t x = 0; x < 3; x++)
    for (size_t f = 0; f < FAMILIES; f++)
      for (size_t r = 0; r < 2; r++)
        for (size_t s = 0; s < SEEDS; s++)
          for (size_t m = 0; m < METHODS; m++) {
            bool told = verbose && m == TARGET;
            if (told)
              printf("  %s, noise %g, from %g to %g, seed %zu\n", families[f].name, noises[x], ranges[r].low,
                     ranges[r].high, (size_t)seed + s);
            result *to = &results[x][m][f][r * SEEDS + s];
            double time = m == TARGET_IN_TIME ? results[x][ALGORITHM][f][r * SEEDS + s].seconds : whole_budget;
            *to = simulate((enum method)m, f, noises[x], &ranges[r], seed + s, time);
            if (told)
              printf("    %s, %s\n", to->claimed ? "claimed" : "not claimed", to->right ? "right" : "wrong");
          }
}

static void print_all(void)
{
  print_head("noise");
  for (size_t x = 0; x < 3; x++)
    for (size_t m = 0; m < METHODS; m++) {
      char what[32];
      snprintf(what, sizeof what, "%g%%", 100 * noises[x]);
      print(what, method_names[m], results[x][m][0], MOST_RESULTS);
    }
  print_head("function");
  for (size_t f = 0; f < FAMILIES; f++)
    for (size_t m = 0; m < METHODS; m++) {
      static result one[3 * 2 * SEEDS];
      for (size_t x = 0; x < 3; x++)
        memcpy(one + x * 2 * SEEDS, results[x][m][f], sizeof results[x][m][f]);
      print(families[f].name, method_names[m], one, 3 * 2 * SEEDS);
    }
}

/* What must not get lost: claims are true, predictions are as good as Algorithm 1's; and where noise is not what keeps
 * the total from being known, in three quarters of its runs. */
static int check(void)
{
  int status = 0;
  for (size_t x = 0; x < 3; x++) {
    summary by_plan = sum_up(results[x][TARGET][0], MOST_RESULTS);
    summary by_paper = sum_up(results[x][ALGORITHM][0], MOST_RESULTS);
    bool good = by_plan.rightly >= 95 && by_plan.right >= by_paper.right - 2 &&
                by_plan.runs <= (noises[x] < 0.05 ? 0.75 : 1.5) * by_paper.runs;
    printf("noise %g: right %.0f%% (Algorithm 1: %.0f%%), claims that are right %.0f%%, runs %.0f (%.0f): %s\n",
           noises[x], by_plan.right, by_paper.right, by_plan.rightly, by_plan.runs, by_paper.runs,
           good ? "good" : "BAD");
    status |= !good;
  }
  return status;
}

int main(int argc, char **argv)
{
  uint64_t seed = 101;
  bool checking = argc > 1 && !strcmp(argv[1], "--check");
  verbose = argc > 1 && !strcmp(argv[1], "-v");
  if (argc > 1 + (checking || verbose))
    seed = strtoull(argv[argc - 1], NULL, 10);
  simulate_all(seed);
  if (checking)
    return check();
  print_all();
  return 0;
}

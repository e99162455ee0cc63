/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well models of several parameters predict functions that the engine doesn't know; docs/models-several.md. */
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regress/surface/surface.h"

enum { VALUES = 5, MOST_POINTS = 125, REPEATS = 5, TARGETS = 2, MOST_CASES = 4000 };

/* Sizes, threads, and a third parameter; the targets multiply the largest size by 10 and 50, the others by 2 and 4. */
static const double values[SC_SURFACE_PARAMETERS][VALUES] = {
    {20, 57, 160, 453, 1280}, {1, 2, 4, 8, 16}, {3, 5, 11, 24, 50}};
/* What is a millionth off is not missed. */
static const double rounding = 1e-6;
static const double away[TARGETS][SC_SURFACE_PARAMETERS] = {{10, 2, 2}, {50, 4, 4}};

/* c[0]: scale; c[1]: the second term beside the first one in the middle of the ranges. */
typedef struct family {
  const char *name;
  bool tuning; /* looked at while choosing the engine's constants; the others were not */
  size_t parameters;
  double exponent[SC_SURFACE_PARAMETERS]; /* leading, per parameter */
  bool interacting, whole;
  double (*value)(const double *x, double balance);
} family;

static double middle(size_t p) { return values[p][VALUES / 2]; }
static double n_t(const double *x, double b) { return x[0] * x[1]; }
static double sum(const double *x, double b) { return x[0] + b * middle(0) / middle(1) * x[1]; }
static double square_t(const double *x, double b) { return x[0] * x[0] * x[1] + b * middle(0) * middle(1) * x[0]; }
static double shared_work(const double *x, double b)
{
  return x[0] * log2(x[0]) / x[1] + b * middle(0) * log2(middle(0)) / middle(1) * log2(x[1] + 1);
}
static double power_root(const double *x, double b) { return pow(x[0], 1.2) * sqrt(x[1]); }
static double minus_one(const double *x, double b) { return x[0] * (x[1] - 1 + b); }
static double three(const double *x, double b) { return x[0] * x[1] + b * middle(0) * middle(1) / middle(2) * x[2]; }
static double nothing(const double *x, double b) { return x[0] * log2(x[0]) + b * middle(0) * log2(middle(0)); }

static double nlogn_t(const double *x, double b)
{
  return x[0] * (log2(x[0]) * x[1] + b * log2(middle(0)) * middle(1));
}
static double karatsuba(const double *x, double b)
{
  return pow(x[0], log2(3)) / x[1] + b * pow(middle(0), log2(3)) / middle(1) / 8 * x[1] * log2(x[1]);
}
static double amdahl(const double *x, double b) { return x[0] * (1 + b * middle(1) / x[1]); }
static double halo(const double *x, double b)
{
  return x[0] * x[0] / x[1] + b * middle(0) / gsl_pow_2(middle(1)) * x[0] * x[1];
}
static double harmonic(const double *x, double b) { return x[0] * (gsl_sf_psi(x[1] + 1) + M_EULER); }
static double loglog(const double *x, double b) { return x[0] * log2(log2(x[0])) * x[1]; }
static double shifted(const double *x, double b) { return (x[0] + b * middle(0)) * (x[1] + middle(1)); }
static double powers(const double *x, double b)
{
  return pow(x[0], 0.7) + b * pow(middle(0), 0.7) / pow(middle(1), 0.8) * pow(x[1], 0.8);
}
static double contention(const double *x, double b) { return x[0] * x[1] / (x[1] + 4 * b); }
static double pairs_t(const double *x, double b) { return x[0] * (x[0] - 1) / 2 * (x[1] - 1) + floor(8 * b) * x[0]; }
static double log_whole(const double *x, double b) { return x[0] * ceil(log2(x[0])) * x[1] + floor(5 * b) * x[1]; }
static double three_shared(const double *x, double b) { return x[0] * x[2] / x[1] + b * middle(0) / middle(1) * x[2]; }
static double three_apart(const double *x, double b)
{
  return x[0] * log2(x[0]) * x[1] + b * middle(0) * 7 * middle(1) / gsl_pow_2(middle(2)) * x[2] * x[2];
}

/* Not looked at before the constants were chosen. */
static double root_shifted(const double *x, double b) { return x[0] * sqrt(x[1] + 3 * b); }
static double power_135(const double *x, double b) { return pow(x[0], 1.35) * x[1]; }
static double log_t(const double *x, double b) { return x[0] * log2(x[1]) + 3 * b * x[0]; }
static double factorial(const double *x, double b) { return lgamma(x[0] + 1) * x[1]; }
static double two_roots(const double *x, double b)
{
  return x[0] * pow(x[1], 0.35) + b * sqrt(middle(0)) * pow(middle(1), -0.65) * sqrt(x[0]) * x[1];
}
static double shifted_power(const double *x, double b) { return pow(x[0] + 20 * b, 1.5) / x[1]; }
static double queue(const double *x, double b) { return x[0] * (1 + 0.1 * b * (x[1] - 1) * x[1]); }
static double filling(const double *x, double b) { return x[0] * -expm1(-x[1] / (6 * b)); }
static double both_t(const double *x, double b) { return (x[0] + b * middle(0) / middle(2) * x[2]) * x[1]; }
static double root_and_square(const double *x, double b)
{
  return x[0] * sqrt(x[2]) + b * middle(0) * sqrt(middle(2)) / gsl_pow_2(middle(1)) * x[1] * x[1];
}
static double triples(const double *x, double b) { return x[0] * (x[0] - 1) * (x[0] - 2) / 6 * x[1] + floor(9 * b); }
static double reduction(const double *x, double b) { return x[0] * x[1] * x[1] - x[0] * x[1] + floor(90 * b) * x[1]; }

static const family families[] = {
    {"n t", true, 2, {1, 1}, true, false, n_t},
    {"n + t", true, 2, {1, 1}, false, false, sum},
    {"n^2 t + n", true, 2, {2, 1}, true, false, square_t},
    {"n log n / t + log(t + 1)", true, 2, {1, 0}, true, false, shared_work},
    {"n^1.2 t^0.5", true, 2, {1.2, 0.5}, true, false, power_root},
    {"n (t - 1 + b)", true, 2, {1, 1}, true, false, minus_one},
    {"n t + m", true, 3, {1, 1, 1}, true, false, three},
    {"n log n + c, no t", true, 2, {1, 0}, false, false, nothing},
    {"n log n t + n", true, 2, {1, 1}, true, false, nlogn_t},
    {"n^1.58 / t + t log t", true, 2, {1.585, 1}, true, false, karatsuba},
    {"n + n / t", true, 2, {1, 0}, true, false, amdahl},
    {"n^2 / t + n t", true, 2, {2, 1}, true, false, halo},
    {"n harmonic(t)", true, 2, {1, 0}, true, false, harmonic},
    {"n log log n t", true, 2, {1, 1}, true, false, loglog},
    {"(n + a)(t + b)", true, 2, {1, 1}, true, false, shifted},
    {"n^0.7 + t^0.8", true, 2, {0.7, 0.8}, false, false, powers},
    {"n t / (t + b)", true, 2, {1, 0}, true, false, contention},
    {"n m / t + m", true, 3, {1, 0, 1}, true, false, three_shared},
    {"n log n t + m^2", true, 3, {1, 1, 2}, true, false, three_apart},
    {"n (n - 1) / 2 (t - 1) + b n", true, 2, {2, 1}, true, true, pairs_t},
    {"n ceil(log2 n) t + b t", true, 2, {1, 1}, true, true, log_whole},
    {"n sqrt(t + b)", false, 2, {1, 0.5}, true, false, root_shifted},
    {"n^1.35 t", false, 2, {1.35, 1}, true, false, power_135},
    {"n log t + n", false, 2, {1, 0}, true, false, log_t},
    {"log(n!) t", false, 2, {1, 1}, true, false, factorial},
    {"n t^0.35 + n^0.5 t", false, 2, {1, 1}, true, false, two_roots},
    {"(n + b)^1.5 / t", false, 2, {1.5, 0}, true, false, shifted_power},
    {"n (1 + b t (t - 1))", false, 2, {1, 2}, true, false, queue},
    {"n (1 - exp(-t / b))", true, 2, {1, 0}, true, false, filling},
    {"(n + b m) t", false, 3, {1, 1, 1}, true, false, both_t},
    {"n m^0.5 + t^2", false, 3, {1, 2, 0.5}, true, false, root_and_square},
    {"C(n, 3) t + b", false, 2, {3, 1}, true, true, triples},
    {"n t (t - 1) + b t", false, 2, {1, 2}, true, true, reduction},
};

enum design { GRID, SPARSE, DESIGNS };
static const char *const design_names[DESIGNS] = {"grid", "sparse"};

/* All combinations, or the axes and the diagonal. */
static bool measured(enum design design, const size_t *index, size_t parameters)
{
  size_t off = 0;
  bool diagonal = true;
  for (size_t p = 0; p < parameters; p++) {
    off += index[p] > 0;
    diagonal = diagonal && index[p] == index[0];
  }
  return design == GRID || off <= 1 || diagonal;
}

typedef struct measurements {
  double at[MOST_POINTS * REPEATS * SC_SURFACE_PARAMETERS], y[MOST_POINTS * REPEATS];
  size_t count;
} measurements;

static void measure(const family *f, enum design design, double noise, double scale, double balance, gsl_rng *rng,
                    measurements *to)
{
  size_t all = f->parameters == 3 ? VALUES * VALUES * VALUES : VALUES * VALUES;
  to->count = 0;
  for (size_t i = 0; i < all; i++) {
    size_t index[] = {i % VALUES, i / VALUES % VALUES, i / VALUES / VALUES};
    if (!measured(design, index, f->parameters))
      continue;
    double x[SC_SURFACE_PARAMETERS];
    for (size_t p = 0; p < f->parameters; p++)
      x[p] = values[p][index[p]];
    double truth = scale * f->value(x, balance);
    for (size_t r = 0; r < (noise > 0 ? REPEATS : 1); r++) {
      memcpy(to->at + to->count * f->parameters, x, f->parameters * sizeof *x);
      /* As in the public suite, the noise is that of the mean. */
      to->y[to->count++] = truth * fmax(0.01, 1 + gsl_ran_gaussian(rng, noise * sqrt(REPEATS)));
    }
  }
}

/* What one row of the table counts. */
typedef struct row {
  size_t cases, told, right, covered[TARGETS], exact;
  double error[TARGETS][MOST_CASES], width[TARGETS][MOST_CASES];
} row;

static bool right_form(const family *f, const sc_surface *surface)
{
  bool right = surface->interacting == f->interacting;
  for (size_t p = 0; p < f->parameters; p++)
    right = right && fabs(surface->order[p].exponent - f->exponent[p]) <= 0.25;
  return right;
}

static int judge(const family *f, double scale, double balance, const sc_surface *surface, row *to)
{
  if (to->cases == MOST_CASES)
    return 0;
  for (size_t k = 0; k < TARGETS; k++) {
    double x[SC_SURFACE_PARAMETERS];
    sc_interval interval;
    for (size_t p = 0; p < f->parameters; p++)
      x[p] = values[p][VALUES - 1] * away[k][p];
    double truth = scale * f->value(x, balance);
    SC_TRY(sc_surface_predict(surface, x, 0.95, &interval));
    to->error[k][to->cases] = fabs(interval.value / truth - 1);
    to->width[k][to->cases] = (interval.high - interval.low) / truth;
    to->covered[k] += interval.low <= truth * (1 + rounding) && truth * (1 - rounding) <= interval.high;
  }
  to->cases++;
  to->told += surface->verdict == SC_VERDICT_MODEL;
  to->right += right_form(f, surface);
  to->exact += surface->exact;
  return 0;
}

static double quantile(double *list, size_t count, double share)
{
  gsl_sort(list, 1, count);
  return gsl_stats_quantile_from_sorted_data(list, 1, count, share);
}

static void print_row(const char *name, enum design design, double noise, row *r)
{
  double all = (double)r->cases;
  printf("%-28s %-6s %3.0f%% %5zu %6.1f%% %6.1f%% %6.1f%%", name, design_names[design], 100 * noise, r->cases,
         100 * (double)r->told / all, 100 * (double)r->right / all, 100 * (double)r->exact / all);
  for (size_t k = 0; k < TARGETS; k++)
    printf(" | %7.2g%% %7.2g%% %6.1f%% %7.2g", 100 * quantile(r->error[k], r->cases, 0.5),
           100 * quantile(r->error[k], r->cases, 0.9), 100 * (double)r->covered[k] / all,
           quantile(r->width[k], r->cases, 0.5));
  putchar('\n');
}

static int run(sc_surface_engine *engine, const family *f, enum design design, double noise, unsigned long seed,
               row **rows, size_t row_count)
{
  static measurements made;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  if (!rng)
    return SC_E_NOMEM;
  gsl_rng_set(rng, seed);
  double scale = f->whole ? 1 : exp(gsl_ran_flat(rng, log(0.1), log(1000)));
  double balance = exp(gsl_ran_flat(rng, log(0.2), log(5)));
  measure(f, design, noise, scale, balance, rng, &made);
  gsl_rng_free(rng);
  sc_surface_series series = {
      .at = made.at, .y = made.y, .count = made.count, .parameters = f->parameters, .counts = f->whole};
  static sc_surface surface;
  SC_TRY(sc_surface_run(engine, &series, &surface));
  for (size_t i = 0; i < row_count; i++)
    SC_TRY(judge(f, scale, balance, &surface, rows[i]));
  return 0;
}

/* The table: a row per family with --families, else one for those tuned with and one for the others. */
static int simulate(sc_surface_engine *engine, size_t instances, bool each, row *least)
{
  static const double noises[] = {0, 0.01, 0.05};
  static row set[4], single;
  static const char *const names[] = {"tuned with", "held out", "whole, tuned with", "whole, held out"};
  for (size_t d = 0; d < DESIGNS; d++) {
    for (size_t n = 0; n < 3; n++) {
      memset(set, 0, sizeof set);
      for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        single = (row){.cases = 0};
        row *rows[] = {&set[2 * families[f].whole + !families[f].tuning], &single, least};
        for (size_t i = 0; i < instances && !(families[f].whole && noises[n] > 0); i++)
          SC_TRY(run(engine, &families[f], (enum design)d, noises[n], 1000 * f + i, rows, 3));
        if (each && single.cases)
          print_row(families[f].name, (enum design)d, noises[n], &single);
      }
      for (size_t i = 0; i < 4; i++)
        if (set[i].cases)
          print_row(names[i], (enum design)d, noises[n], &set[i]);
    }
  }
  return 0;
}

/* What a change of the engine must not lose. */
static bool holds(const row *all)
{
  double cases = (double)all->cases;
  bool good = (double)all->right >= 0.85 * cases && (double)all->covered[0] >= 0.9 * cases &&
              (double)all->covered[1] >= 0.85 * cases;
  if (!good)
    printf("right form %.1f%%, covered %.1f%% and %.1f%%: less than 85%%, 90%%, 85%%\n",
           100 * (double)all->right / cases, 100 * (double)all->covered[0] / cases,
           100 * (double)all->covered[1] / cases);
  return good;
}

int main(int count, char **arguments)
{
  static row all;
  bool check = false, each = false;
  size_t instances = 40;
  for (int i = 1; i < count; i++) {
    check = check || strcmp(arguments[i], "--check") == 0;
    each = each || strcmp(arguments[i], "--families") == 0;
    if (strncmp(arguments[i], "--instances=", 12) == 0)
      instances = strtoul(arguments[i] + 12, NULL, 10);
  }
  if (check)
    instances = 4;
  sc_surface_engine *engine = NULL;
  sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  int err = 0;
  printf("%-28s %-6s %4s %5s %7s %7s %7s | 10 times: error, 90%%, covered, width | 50 times\n", "functions", "points",
         "noise", "cases", "model", "right", "exact");
  SC_GOTO(sc_surface_new(&options, &engine));
  SC_GOTO(simulate(engine, instances, each, &all));
out:
  sc_surface_free(engine);
  if (err < 0)
    fprintf(stderr, "%s\n", sc_err_message());
  return err < 0 || (check && !holds(&all));
}

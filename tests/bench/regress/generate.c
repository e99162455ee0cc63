/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the series of a set. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { REPEATS = 5, MOST_SIZES = 1024 };

const double SC_CASE_AT[SC_CASE_TARGETS] = {10, 50, 100};

double sc_draw_even(const sc_draw *draw, double low, double high) { return gsl_ran_flat(draw->rng, low, high); }

double sc_draw_log(const sc_draw *draw, double low, double high)
{
  return exp(gsl_ran_flat(draw->rng, log(low), log(high)));
}

double sc_draw_whole(const sc_draw *draw, double low, double high)
{
  return low + (double)gsl_rng_uniform_int(draw->rng, (unsigned long)(high - low) + 1);
}

double sc_draw_cut(const sc_draw *draw, size_t before, size_t after)
{
  return sc_draw_log(draw, draw->n[before - 1], draw->n[draw->count - after]);
}

double sc_draw_centre(const sc_draw *draw) { return sqrt(draw->n[0] * draw->n[draw->count - 1]); }

/* FNV-1a: a seed from a name. */
static uint64_t hash_name(uint64_t hash, const char *name)
{
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
  return hash;
}

static int compare_sizes(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sizes that turn out equal are kept once. */
static size_t make_sizes(const sc_layout *layout, gsl_rng *rng, double *n)
{
  size_t count = 0;
  for (size_t i = 0; i < layout->count; i++) {
    double at = layout->random ? gsl_rng_uniform(rng) : (double)i / (double)(layout->count - 1);
    n[i] = round(layout->low * pow(layout->high / layout->low, at));
  }
  qsort(n, layout->count, sizeof *n, compare_sizes);
  for (size_t i = 0; i < layout->count; i++)
    if (!count || n[i] > n[count - 1])
      n[count++] = n[i];
  return count;
}

static double noise_of_repeat(const sc_noise *noise, double factor, gsl_rng *rng)
{
  /* five repeats: their mean has the level asked for */
  double deviation = noise->level * sqrt(REPEATS) * factor;
  double normal = gsl_ran_gaussian(rng, deviation);
  return noise->kind == SC_NOISE_LOGNORMAL ? exp(normal - deviation * deviation / 2) : fmax(1 + normal, 0);
}

static void measure(const sc_noise *noise, gsl_rng *rng, double value, double *y)
{
  double factor = noise->kind == SC_NOISE_UNEVEN ? exp(gsl_ran_flat(rng, -log(3), log(3))) : 1;
  for (size_t i = 0; i < REPEATS; i++)
    y[i] = value * noise_of_repeat(noise, factor, rng);
  if (noise->kind == SC_NOISE_OUTLIERS && gsl_rng_uniform_int(rng, 3) == 0)
    y[gsl_rng_uniform_int(rng, REPEATS)] *= gsl_ran_flat(rng, 1.5, 4);
}

struct instance {
  const sc_family *family;
  double n[MOST_SIZES], c[SC_FAMILY_COEFFICIENTS];
  size_t count;
};

static void make_points(const struct instance *instance, const sc_noise *noise, gsl_rng *rng, sc_series *series,
                        double *n, double *y)
{
  const sc_family *family = instance->family;
  bool real = family->kind == SC_FAMILY_REAL;
  size_t repeats = real && noise->kind != SC_NOISE_NONE ? REPEATS : 1, count = 0;
  for (size_t i = 0; i < instance->count; i++) {
    double value = family->value(instance->n[i], instance->c);
    if (repeats > 1)
      measure(noise, rng, value, y + count);
    else
      y[count] = real ? value : round(value * (1 + family->jitter * gsl_ran_flat(rng, -1, 1)));
    for (size_t j = 0; j < repeats; j++)
      n[count++] = instance->n[i];
  }
  *series = (sc_series){n, y, count, !real};
}

static void add_truth(const struct instance *instance, sc_case *c)
{
  const sc_family *family = instance->family;
  c->exponent = isnan(family->exponent) ? instance->c[SC_FAMILY_COEFFICIENTS - 1] : family->exponent;
  c->log_exponent = family->log_exponent;
  c->last_change = family->change ? instance->c[family->change] : NAN;
  for (size_t i = 0; i < SC_CASE_TARGETS; i++) {
    c->at[i] = instance->n[instance->count - 1] * SC_CASE_AT[i];
    c->truth[i] = family->value(c->at[i], instance->c);
  }
}

/* Counts have no noise: the noises' place is taken by the kind. */
static void visit_instance(const sc_set *set, const struct instance *instance, const sc_case *base, gsl_rng *rng,
                           sc_case_visit *visit, void *context)
{
  static const sc_noise exact[] = {{"exact", SC_NOISE_NONE, 0}, {0}}, counts[] = {{"counts", SC_NOISE_NONE, 0}, {0}};
  enum sc_family_kind kind = instance->family->kind;
  const sc_noise *noises = kind == SC_FAMILY_REAL ? set->noises : kind == SC_FAMILY_EXACT ? exact : counts;
  double n[MOST_SIZES * REPEATS], y[MOST_SIZES * REPEATS];
  for (const sc_noise *noise = noises; noise->row; noise++) {
    sc_case c = *base;
    c.row = noise->row, c.noise = noise->level;
    snprintf(c.name, sizeof c.name, "%.90s->%.20s", base->name, noise->row);
    gsl_rng_set(rng, (unsigned long)hash_name(set->seed, c.name));
    make_points(instance, noise, rng, &c.series, n, y);
    add_truth(instance, &c);
    visit(context, &c);
  }
}

static bool is_measurable(const struct instance *instance)
{
  const sc_family *family = instance->family;
  double most = family->value(instance->n[instance->count - 1], instance->c);
  return instance->count >= family->least_sizes && (family->kind == SC_FAMILY_REAL || most < 0x1p53);
}

void sc_set_visit(const sc_set *set, sc_case_visit *visit, void *context)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  if (!rng)
    sc_bench_fail("out of memory");
  for (const sc_family *family = set->families; family->name; family++)
    for (const sc_layout *layout = set->layouts; layout->name; layout++) {
      unsigned instances = family->draw || family->jitter > 0 || layout->random ? set->instances : 1;
      for (unsigned i = 0; i < instances; i++) {
        sc_case base = {
            .set = set->name, .family = family->name, .changes = family->change > 0, .wavers = family->wavers};
        struct instance instance = {.family = family};
        snprintf(base.name, sizeof base.name, "%s->%s->i%u", family->name, layout->name, i);
        gsl_rng_set(rng, (unsigned long)hash_name(set->seed, base.name));
        base.sizes = instance.count = make_sizes(layout, rng, instance.n);
        if (instance.count < family->least_sizes)
          continue;
        if (family->draw)
          family->draw(&(sc_draw){rng, instance.n, instance.count}, instance.c);
        if (is_measurable(&instance))
          visit_instance(set, &instance, &base, rng, visit, context);
      }
    }
  gsl_rng_free(rng);
}

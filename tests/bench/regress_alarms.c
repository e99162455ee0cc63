/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the regression engine calls growth superlinear that is not, and how often it finds growth that is: programs
 * whose counts go by stairs and bursts (tables that double and are rehashed, at once or by steps, with open addressing
 * or chains; arrays that grow; buffers; collectors; loops that wait), at sizes such as a study chooses, with keys that
 * differ from run to run or not; and quadratic programs among the same noise. regress_alarms [--check] [--verbose]
 * [STUDIES [SEED]]
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regress/choose/fit.h"

enum { COUNTERS = 5, SIZES = 16, REPEATS = 3 };
/* The bars of --check: studies of 200 with a false superlinear verdict; true ones of 1,000 series that are not found,
 * most of them sums with a linear part at four sizes. */
enum { STUDIES = 200, MOST_FALSE = 1, MOST_MISSED = 20 };
/* Superlinear as transitions/model/order.h has it, of the lowest exponent that is plausible, too. */
static const double ALARM = 1.4;

typedef struct program {
  uint64_t state;      /* of the keys */
  double load, factor; /* of a table: items a slot when it grows, and by how much */
  uint64_t first;      /* slots of the first table, or what a buffer holds */
  gsl_rng *rng;        /* what differs from run to run beside the keys */
  double scatter;      /* relative, of what depends on time or input */
} program;

static uint64_t next_key(program *p)
{
  p->state ^= p->state << 13;
  p->state ^= p->state >> 7;
  p->state ^= p->state << 17;
  return p->state >> 20 | 1;
}

static size_t slot_of(uint64_t key, size_t slots) { return (size_t)(key * 0x9E3779B97F4A7C15u >> 20) % slots; }

static size_t place_key(uint64_t *table, size_t slots, uint64_t key)
{
  size_t at = slot_of(key, slots), probes = 0;
  for (; table[at] && table[at] != key; probes++)
    at = (at + 1) % slots;
  table[at] = key;
  return probes;
}

/* Probes of inserts and of rehashing, slots looked at while rehashing, keys moved, and most bytes at a time. */
static void open_addressing(program *p, size_t n, double *count)
{
  size_t slots = p->first;
  uint64_t *table = calloc(slots, sizeof *table);
  for (size_t i = 0; table && i < n; i++) {
    if ((double)i >= p->load * (double)slots) {
      size_t more = (size_t)(p->factor * (double)slots);
      uint64_t *larger = calloc(more, sizeof *larger);
      for (size_t s = 0; larger && s < slots; s++)
        if (table[s]) {
          count[1] += (double)place_key(larger, more, table[s]);
          count[3]++;
        }
      count[2] += (double)slots;
      count[4] = 8.0 * (double)(slots + more) + 16;
      free(table);
      table = larger, slots = more;
    }
    if (table)
      count[0] += (double)place_key(table, slots, next_key(p));
  }
  free(table);
}

/* Chains walked by inserts, keys moved, buckets looked at, and the last table's buckets. All chains of a table get
 * their lengths at random; rehashing draws them anew. */
static void chained(program *p, size_t n, double *count)
{
  size_t slots = p->first;
  uint32_t *length = calloc(slots, sizeof *length);
  for (size_t i = 0; length && i < n; i++) {
    if ((double)i >= p->load * (double)slots) {
      count[1] += (double)i;
      count[2] += (double)slots;
      slots = (size_t)(p->factor * (double)slots);
      free(length);
      length = calloc(slots, sizeof *length);
      for (size_t k = 0; length && k < i; k++)
        length[slot_of(next_key(p), slots)]++;
    }
    if (length)
      count[0] += length[slot_of(next_key(p), slots)]++;
  }
  count[3] = (double)slots;
  free(length);
}

/* A table that moves a few buckets with every insert while it has two: moves, walks of both, buckets that were empty,
 * and inserts that found it so. */
static void incremental(program *p, size_t n, double *count)
{
  double old = 0, slots = (double)p->first, moved = 0;
  for (size_t i = 0; i < n; i++) {
    if (old > 0) {
      count[0] += fmin(p->factor, old - moved);
      count[3]++;
      moved += p->factor;
      count[2] += next_key(p) % 4 == 0;
      if (moved >= old)
        old = 0;
    } else if ((double)i >= p->load * slots) {
      old = slots, moved = 0, slots *= 2;
    }
    double items = (double)i / (slots + old);
    count[1] += gsl_ran_poisson(p->rng, items);
  }
}

/* Items copied by an array, its room, and by one that grows by half; bytes out at the most. */
static void growing_array(program *p, size_t n, double *count)
{
  double room = (double)p->first, half = (double)p->first;
  for (; room < (double)n; room = floor(p->factor * room)) {
    count[0] += room;
    count[3] = 8 * (room + floor(p->factor * room));
  }
  for (; half < (double)n; half = floor(half * 1.5) + 1)
    count[2] += half;
  count[1] = room;
  count[4] = count[0] + 3 * (double)n;
}

/* A buffer that is written when full, items of several lengths; a merge whenever there are eight runs. */
static void buffered(program *p, size_t n, double *count)
{
  double used = 0, room = 64 * (double)p->first, runs = 0;
  for (size_t i = 0; i < n; i++) {
    used += 8 + (double)(next_key(p) % 32);
    if (used >= room) {
      count[0]++;
      count[1] += room;
      used -= room;
      if (++runs >= 8) {
        count[2] += runs * room;
        runs = 0;
      }
    }
  }
  count[3] = (double)n + count[1] / 16;
}

/* A collector that marks what lives whenever the heap has doubled; sweeps; and its number. */
static void collector(program *p, size_t n, double *count)
{
  double live = 0, limit = 32 * (double)p->first;
  for (size_t i = 0; i < n; i++) {
    live += next_key(p) % 8 < 6;
    if (live >= limit) {
      count[0] += live;
      count[1] += 1.3 * live;
      count[2]++;
      limit = p->factor * live;
    }
  }
  count[1] = floor(count[1]);
  count[3] = (double)n + count[0];
}

/* Loops that wait or poll, retry or depend on the input: their counts follow the time taken. */
static void idle(program *p, size_t n, double *count)
{
  double s = p->scatter;
  count[0] = floor((double)n * exp(gsl_ran_gaussian(p->rng, s)));
  count[1] = floor(5000 * exp(gsl_ran_gaussian(p->rng, s)));
  count[2] = gsl_ran_poisson(p->rng, 3 + 0.01 * (double)n);
  count[3] = floor(40 * (double)n + 2000 * exp(gsl_ran_gaussian(p->rng, 2 * s)));
  count[4] = floor((double)n * log2((double)n + 1) * exp(gsl_ran_gaussian(p->rng, s / 2)));
}

/* Comparisons of a quicksort, and of one that ends with an insertion sort. */
static double quick_sort(program *p, double n, double few, double *inserted)
{
  double sum = 0;
  while (n > few) {
    double pivot = floor(gsl_rng_uniform(p->rng) * n);
    sum += n - 1;
    sum += quick_sort(p, fmin(pivot, n - 1 - pivot), few, inserted);
    n = fmax(pivot, n - 1 - pivot);
  }
  if (n > 1)
    *inserted += n * (n - 1) / 4;
  return sum;
}

static void sorts(program *p, size_t n, double *count)
{
  count[0] = quick_sort(p, (double)n, 1, &count[1]);
  count[1] = 0;
  count[2] = quick_sort(p, (double)n, 16, &count[1]);
  for (double left = (double)n; left > 1; left = floor(left * (0.5 + 0.5 * gsl_rng_uniform(p->rng)))) /* selection */
    count[3] += left;
  count[1] = floor(count[1]);
}

/* --- quadratic: pairs, a list that is searched, triangles of items that differ, a shift, and a sum with a linear part
 */
static void quadratic(program *p, size_t n, double *count)
{
  double x = (double)n, s = fmin(p->scatter, 0.1);
  count[0] = floor(x * x / 4 * (1 + gsl_ran_gaussian(p->rng, s / sqrt(x))));
  count[1] = floor(x * x / 6 * (1 + gsl_ran_gaussian(p->rng, s / 4)));
  count[2] = floor(x * (x - 1) / 2 - gsl_ran_poisson(p->rng, x / 4));
  count[3] = floor(x * x * x / 100 * (1 + gsl_ran_gaussian(p->rng, s / 4)));
  count[4] = floor(x * x / 8 + 20 * x + gsl_ran_poisson(p->rng, x));
}

typedef struct family {
  const char *name;
  void (*run)(program *, size_t, double *);
} family;

static const family benign[] = {{"open addressing", open_addressing},
                                {"chained", chained},
                                {"incremental", incremental},
                                {"growing array", growing_array},
                                {"buffered", buffered},
                                {"collector", collector},
                                {"idle", idle},
                                {"sorts", sorts}};
static const family faulty[] = {{"quadratic", quadratic}};

typedef struct study {
  double n[SIZES];
  size_t size_count, repeats;
  double values[COUNTERS][SIZES * REPEATS], sizes[SIZES * REPEATS];
} study;

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Four to six sizes over a factor of 16 or more, doubled or in equal steps of logarithms, and up to five beyond or
 * between, as a plan would. */
static void choose_sizes(gsl_rng *rng, study *s)
{
  static const double lows[] = {20, 50, 100, 200, 1000};
  double low = lows[gsl_rng_uniform_int(rng, 5)], factor = gsl_rng_uniform_int(rng, 3) ? 16 : 64;
  size_t first = 4 + gsl_rng_uniform_int(rng, 3), more = gsl_rng_uniform_int(rng, 5);
  bool twice = gsl_rng_uniform_int(rng, 2) && factor == 16;
  s->size_count = 0;
  first = twice ? 5 : first;
  for (size_t i = 0; i < first; i++)
    s->n[s->size_count++] = round(low * pow(factor, (double)i / (double)(first - 1)));
  for (size_t i = 0; i < more; i++) {
    double from = i && gsl_rng_uniform_int(rng, 3) == 0 ? 0.1 : 1;
    s->n[s->size_count++] = round(low * factor * exp(gsl_ran_flat(rng, log(from), log(low > 500 ? 16 : 24))));
  }
  qsort(s->n, s->size_count, sizeof *s->n, by_value);
  size_t kept = 1;
  for (size_t i = 1; i < s->size_count; i++)
    if (s->n[i] > s->n[kept - 1])
      s->n[kept++] = s->n[i];
  s->size_count = kept;
}

static void run_study(const family *f, gsl_rng *rng, study *s)
{
  static const double loads[] = {0.5, 0.7, 0.75, 0.875, 1, 2}, factors[] = {2, 2, 2, 4, 1.5};
  bool open = f->run == open_addressing;
  program p = {.rng = rng,
               .load = loads[gsl_rng_uniform_int(rng, open ? 4 : 6)],
               .factor = factors[gsl_rng_uniform_int(rng, 5)],
               .first = 8u << gsl_rng_uniform_int(rng, 3),
               .scatter = gsl_ran_flat(rng, 0.02, 0.4)};
  bool salted = gsl_rng_uniform_int(rng, 2);
  uint64_t seed = gsl_rng_get(rng) * 2654435761u + 88172645463325252u;
  choose_sizes(rng, s);
  s->repeats = salted ? 1 + gsl_rng_uniform_int(rng, REPEATS) : 1;
  for (size_t i = 0, at = 0; i < s->size_count; i++)
    for (size_t r = 0; r < s->repeats; r++, at++) {
      double count[COUNTERS] = {0};
      p.state = salted ? seed + at * 0x9E3779B97F4A7C15u : seed;
      f->run(&p, (size_t)s->n[i], count);
      s->sizes[at] = s->n[i];
      for (size_t c = 0; c < COUNTERS; c++)
        s->values[c][at] = count[c];
    }
}

static void show(const family *f, const study *s, size_t counter, const sc_model *m)
{
  char text[200];
  sc_model_format(m, "n", text, sizeof text);
  printf("%s %zu: %s (low %.2f, sigma %.3f)\n ", f->name, counter, text, m->exponent_low, m->sigma);
  for (size_t i = 0; i < s->size_count * s->repeats; i++)
    printf(" %.0f:%.0f", s->sizes[i], s->values[counter][i]);
  printf("\n");
}

/* Series of a study with a superlinear verdict; *growing: that have any values. */
static size_t count_alarms(sc_fit *fit, const family *f, const study *s, int verbose, size_t *growing)
{
  size_t alarms = 0;
  *growing = 0;
  for (size_t c = 0; c < COUNTERS; c++) {
    sc_series series = {s->sizes, s->values[c], s->size_count * s->repeats, true};
    sc_model model;
    if (!(s->values[c][series.count - 1] > 0))
      continue;
    ++*growing;
    if (sc_fit_run(fit, &series, &model) < 0)
      exit(2);
    bool alarm = model.verdict == SC_VERDICT_MODEL && fmin(model.order.exponent, model.exponent_low) >= ALARM;
    alarms += alarm;
    if (alarm ? verbose & 1 : verbose & 2)
      show(f, s, c, &model);
  }
  return alarms;
}

int main(int argc, char **argv)
{
  bool check = false;
  int verbose = 0;
  size_t studies = STUDIES, plain = 0;
  unsigned long seed = 7;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--check"))
      check = true;
    else if (!strcmp(argv[i], "--verbose"))
      verbose = 1;
    else if (plain++ == 0)
      studies = strtoul(argv[i], NULL, 10);
    else
      seed = strtoul(argv[i], NULL, 10);
  }
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  sc_fit *fit;
  if (!rng || sc_fit_new(&SC_FIT_OPTIONS_DEFAULT, &fit) < 0)
    return 2;
  gsl_rng_set(rng, seed);
  size_t alarmed = 0, missed = 0, total = 0, growing, kinds = sizeof benign / sizeof *benign;
  static study s;
  for (size_t i = 0; i < studies; i++) {
    run_study(&benign[i % kinds], rng, &s);
    alarmed += count_alarms(fit, &benign[i % kinds], &s, verbose, &growing) > 0;
  }
  for (size_t i = 0; i < studies; i++) {
    run_study(&faulty[0], rng, &s);
    size_t alarms = count_alarms(fit, &faulty[0], &s, 2 * verbose, &growing);
    missed += growing - alarms;
    total += growing;
  }
  printf("false superlinear verdicts in %zu of %zu studies; %zu of %zu superlinear series not found\n", alarmed,
         studies, missed, total);
  sc_fit_free(fit);
  gsl_rng_free(rng);
  return check && (alarmed * STUDIES > MOST_FALSE * studies || missed * 1000 > MOST_MISSED * total);
}

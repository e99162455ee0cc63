/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series per second on one core: the fit and three predictions of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { ROUNDS = 7, POINTS = 6, COLUMNS = 4, SEED = 31 };

/* Series kept in memory. */
struct pile {
  sc_case *cases;
  size_t count;
};

struct column {
  const char *name;
  const sc_family *families;
  sc_noise noise;
  bool random; /* every series has its own sizes */
  sc_fit_options options;
};

struct cell {
  struct pile pile;
  sc_fit *fit;
  double rates[ROUNDS];
};

static double *copy_values(const double *values, size_t count)
{
  double *copy = sc_bench_allocate(NULL, count, sizeof *copy);
  return memcpy(copy, values, count * sizeof *copy);
}

static void keep(void *context, const sc_case *c)
{
  struct pile *pile = context;
  pile->cases = sc_bench_allocate(pile->cases, pile->count + 1, sizeof *pile->cases);
  sc_case *kept = &pile->cases[pile->count++];
  *kept = *c;
  kept->series.n = copy_values(c->series.n, c->series.count);
  kept->series.y = copy_values(c->series.y, c->series.count);
}

static void free_pile(struct pile *pile)
{
  for (size_t i = 0; i < pile->count; i++) {
    free((void *)pile->cases[i].series.n);
    free((void *)pile->cases[i].series.y);
  }
  free(pile->cases);
}

static sc_fit *new_fit(const sc_fit_options *options)
{
  sc_fit *fit;
  if (sc_fit_new(options, &fit) < 0)
    sc_bench_fail("%s", sc_err_message());
  return fit;
}

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void fit_pile(sc_fit *fit, const struct pile *pile)
{
  sc_model model;
  sc_interval at;
  for (size_t i = 0; i < pile->count; i++) {
    int err = sc_fit_run(fit, &pile->cases[i].series, &model);
    for (size_t j = 0; j < SC_CASE_TARGETS && err >= 0; j++)
      err = sc_model_predict(&model, pile->cases[i].at[j], 0.95, &at);
    if (err < 0)
      sc_bench_fail("%s: %s", pile->cases[i].name, sc_err_message());
  }
}

/* Whole piles, so that each family weighs the same. */
static double measure_rate(sc_fit *fit, const struct pile *pile)
{
  static const double least = 0.03;
  double begin = processor_seconds(), spent;
  size_t series = 0;
  do {
    fit_pile(fit, pile);
    series += pile->count;
    spent = processor_seconds() - begin;
  } while (spent < least);
  return (double)series / spent;
}

static int compare_rates(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *rates)
{
  qsort(rates, ROUNDS, sizeof *rates, compare_rates);
  return rates[ROUNDS / 2];
}

/* From 20 to 64 times that, as the public suite; 1,000 sizes need more room. */
static void make_cell(const struct column *column, size_t points, struct cell *cell)
{
  sc_layout layouts[] = {{"speed", 20, points > 100 ? 20000 : 1280, points, column->random}, {0}};
  sc_noise noises[] = {column->noise, {0}};
  sc_set set = {"speed", column->families, layouts, noises, points > 100 ? 1 : 4, SEED};
  *cell = (struct cell){.fit = new_fit(&column->options)};
  sc_set_visit(&set, keep, &cell->pile);
}

static const sc_noise none = {"0", SC_NOISE_NONE, 0}, some = {"1%", SC_NOISE_NORMAL, 0.01};
static const size_t points_of_rows[POINTS] = {3, 5, 9, 20, 100, 1000};

static void print_cells(const struct column *columns, struct cell cells[POINTS][COLUMNS])
{
  printf("| sizes ");
  for (size_t j = 0; j < COLUMNS; j++)
    printf("| %16s ", columns[j].name);
  printf("|\n|------:|-----------------:|-----------------:|-----------------:|-----------------:|\n");
  for (size_t i = 0; i < POINTS; i++) {
    printf("| %5zu ", points_of_rows[i]);
    for (size_t j = 0; j < COLUMNS; j++)
      printf("| %16.0f ", median(cells[i][j].rates));
    printf("|\n");
  }
  printf("\n");
}

static void measure_table(const struct column *columns)
{
  struct cell cells[POINTS][COLUMNS];
  for (size_t i = 0; i < POINTS; i++)
    for (size_t j = 0; j < COLUMNS; j++)
      make_cell(&columns[j], points_of_rows[i], &cells[i][j]);
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < POINTS; i++)
      for (size_t j = 0; j < COLUMNS; j++)
        cells[i][j].rates[round] = measure_rate(cells[i][j].fit, &cells[i][j].pile);
  print_cells(columns, cells);
  for (size_t i = 0; i < POINTS; i++)
    for (size_t j = 0; j < COLUMNS; j++) {
      free_pile(&cells[i][j].pile);
      sc_fit_free(cells[i][j].fit);
    }
}

static const sc_fit_options whole = {SC_FIT_DEFAULT, 0.9, SC_FIT_SPACE_ALL},
                            sums = {SC_FIT_DEFAULT, 0.9, SC_FIT_SPACE_SUMS},
                            terms = {SC_FIT_DEFAULT, 0.9, SC_FIT_SPACE_TERMS},
                            delta = {SC_FIT_DELTA_INFER, 0.9, SC_FIT_SPACE_ALL};

static void print_points(void)
{
  const struct column series[COLUMNS] = {{"one value", SC_FAMILIES_TUNING, none, false, whole},
                                         {"5 repeats", SC_FAMILIES_TUNING, some, false, whole},
                                         {"other sizes each", SC_FAMILIES_TUNING, some, true, whole},
                                         {"counts", SC_COUNTS_TUNING, none, false, whole}};
  const struct column spaces[COLUMNS] = {{"all", SC_FAMILIES_TUNING, some, false, whole},
                                         {"sums", SC_FAMILIES_TUNING, some, false, sums},
                                         {"terms", SC_FAMILIES_TUNING, some, false, terms},
                                         {"delta-infer", SC_FAMILIES_TUNING, some, false, delta}};
  printf(
      "Series per second of processor time on one core: fit, selection and three predictions with intervals. Medians "
      "of\n"
      "%d rounds in turn. The tuning set's real functions with one value a size, and with five repeats and 1%% noise;\n"
      "the same with other sizes for each series; and the tuning set's counts.\n\n",
      ROUNDS);
  measure_table(series);
  printf("By the model space searched, five repeats with 1%% noise: all of it; without quotients, free exponents,\n"
         "saturations and change points; one growth term and a constant; the line and power law of delta-infer.\n\n");
  measure_table(spaces);
}

static void print_suite(const char *folder)
{
  const sc_fit_options *options[COLUMNS] = {&whole, &sums, &terms, &delta};
  struct cell cells[COLUMNS] = {0};
  struct pile pile = {0};
  sc_suite_visit(folder, keep, &pile);
  for (size_t i = 0; i < COLUMNS; i++)
    cells[i].fit = new_fit(options[i]);
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < COLUMNS; i++)
      cells[i].rates[round] = measure_rate(cells[i].fit, &pile);
  printf("The suite's %zu series, a second: %.0f; sums %.0f, terms %.0f, delta-infer %.0f\n", pile.count,
         median(cells[0].rates), median(cells[1].rates), median(cells[2].rates), median(cells[3].rates));
  for (size_t i = 0; i < COLUMNS; i++)
    sc_fit_free(cells[i].fit);
  free_pile(&pile);
}

void sc_speed_print(const char *suite)
{
  if (suite)
    print_suite(suite);
  else
    print_points();
}

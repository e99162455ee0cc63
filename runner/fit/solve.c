/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/solve.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/fit/check.h"
#include "runner/fit/words.h"

enum { NAME_BYTES = 72 };

struct sc_solve {
  const sc_solve_options *options;
  sc_fit *fit;
  sc_surface_engine *engine; /* NULL until a series has several parameters */
  sc_solved solved;
  char names[SC_STORE_PARAMETERS][NAME_BYTES];
  double *columns; /* the varying parameters' columns of series->at */
  size_t column_capacity, point_capacity, predicted_capacity;
  size_t *order; /* of observations, to find repeats */
  size_t order_capacity;
};

int sc_solve_new(const sc_solve_options *options, sc_solve **solve)
{
  sc_solve *made = sc_mem_new(1, sizeof *made);
  *solve = made;
  if (!made)
    return SC_E_NOMEM;
  made->options = options;
  return sc_fit_new(&options->fit, &made->fit);
}

void sc_solve_free(sc_solve *solve)
{
  if (!solve)
    return;
  sc_fit_free(solve->fit);
  sc_surface_free(solve->engine);
  free(solve->columns);
  free(solve->order);
  free(solve->solved.points);
  free(solve->solved.predicted);
  free(solve);
}

/* A name that formulas can have: letters, digits and underscores, and none of the functions. */
static void formula_name(const char *name, char text[NAME_BYTES])
{
  static const char *const functions[] = {"log2", "ceil", "floor", "sqrt", "exp", "where", "min", "max"};
  size_t length = 0;
  if (isdigit((unsigned char)*name))
    text[length++] = '_';
  for (; *name && length < NAME_BYTES - 2; name++) {
    unsigned char c = (unsigned char)*name;
    text[length++] = (char)(c < 0x80 && (isalnum(c) || c == '_') ? c : '_');
  }
  text[length] = '\0';
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(text, functions[i]) == 0)
      memcpy(text + length, "_", 2);
}

static void find_ranges(sc_solve *solve, const sc_store_series *series)
{
  sc_solved *solved = &solve->solved;
  size_t parameters = series->set->count;
  for (size_t p = 0; p < parameters; p++) {
    solved->low[p] = INFINITY;
    solved->high[p] = 0;
    for (size_t i = 0; i < series->observations; i++) {
      solved->low[p] = fmin(solved->low[p], series->at[i * parameters + p]);
      solved->high[p] = fmax(solved->high[p], series->at[i * parameters + p]);
    }
  }
  solved->parameters = 0;
  for (size_t p = 0; p < parameters; p++)
    if (solved->low[p] < solved->high[p])
      solved->parameter[solved->parameters++] = p;
  if (solved->parameters == 0 && parameters) /* one size only: of the first */
    solved->parameter[solved->parameters++] = 0;
  for (size_t i = 0; i < solved->parameters; i++) {
    formula_name(series->set->names[solved->parameter[i]], solve->names[i]);
    solved->names[i] = solve->names[i];
  }
}

/* The columns of the parameters that vary; without any, sizes of 1. */
static int take_fit_columns(sc_solve *solve, const sc_store_series *series, const double **at)
{
  const sc_solved *solved = &solve->solved;
  size_t width = solved->parameters ? solved->parameters : 1;
  *at = series->at;
  if (solved->parameters == series->set->count && solved->parameters)
    return 0;
  SC_TRY(sc_mem_grow(&solve->columns, &solve->column_capacity, series->observations * width, sizeof *solve->columns));
  for (size_t i = 0; i < series->observations; i++)
    for (size_t k = 0; k < width; k++)
      solve->columns[i * width + k] =
          solved->parameters ? series->at[i * series->set->count + solved->parameter[k]] : 1;
  *at = solve->columns;
  return 0;
}

static int compare_fit_places(const void *a, const void *b, void *user)
{
  const sc_store_series *series = user;
  size_t width = series->set->count;
  const double *x = &series->at[*(const size_t *)a * width], *y = &series->at[*(const size_t *)b * width];
  for (size_t p = 0; p < width; p++)
    if (x[p] != y[p])
      return x[p] < y[p] ? -1 : 1;
  return 0;
}

static bool is_whole_count(double y) { return y == floor(y) && y <= 0x1p63; }

/* Counts are whole numbers that come out the same whenever they are repeated. */
static int look_for_counts(sc_solve *solve, const sc_store_series *series, bool *counts)
{
  size_t all = series->observations;
  *counts = false;
  for (size_t i = 0; i < all; i++)
    if (!is_whole_count(series->y[i]))
      return 0;
  if (sc_words_seconds(series->unit) > 0)
    return 0;
  SC_TRY(sc_mem_grow(&solve->order, &solve->order_capacity, all, sizeof *solve->order));
  for (size_t i = 0; i < all; i++)
    solve->order[i] = i;
  qsort_r(solve->order, all, sizeof *solve->order, compare_fit_places, (void *)(uintptr_t)series);
  for (size_t i = 1; i < all; i++) {
    const size_t *pair = &solve->order[i - 1];
    if (series->y[pair[0]] != series->y[pair[1]] &&
        compare_fit_places(&pair[0], &pair[1], (void *)(uintptr_t)series) == 0)
      return 0;
  }
  *counts = true;
  return 0;
}

static int decide_counts(sc_solve *solve, const sc_store_series *series, bool *counts)
{
  *counts = solve->options->counts == SC_SOLVE_COUNTS_YES;
  if (solve->options->counts == SC_SOLVE_COUNTS_AUTO)
    return look_for_counts(solve, series, counts);
  for (size_t i = 0; *counts && i < series->observations; i++)
    if (!is_whole_count(series->y[i])) {
      (void)sc_err_set(SC_E_INPUT, "series %s: %s is not a count",
                       sc_check_series(series->callpath, series->metric).text, sc_check_number(series->y[i]).text);
      return sc_err_hint(SC_E_INPUT, "--counts yes is for whole numbers up to 2^63; leave it out, or --counts no");
    }
  return 0;
}

static void set_fit_undecided(sc_model *model, const char *why)
{
  memset(model, 0, sizeof *model);
  model->verdict = SC_VERDICT_CANNOT_TELL;
  model->error = -1;
  snprintf(model->why, sizeof model->why, "%s", why);
}

static int fit_name_series(int err, const sc_store_series *series)
{
  return err < 0 ? sc_err_prefix(err, "series %s", sc_check_series(series->callpath, series->metric).text) : 0;
}

static int fit_one(sc_solve *solve, const sc_store_series *series, const double *n)
{
  sc_solved *solved = &solve->solved;
  sc_series points = {n, series->y, series->observations, solved->counts};
  SC_TRY(fit_name_series(sc_fit_run(solve->fit, &points, &solved->model), series));
  if (series->set->count == 0)
    set_fit_undecided(&solved->model, "it has no parameter, so nothing says what it grows with");
  return 0;
}

static int fit_several(sc_solve *solve, const sc_store_series *series, const double *at)
{
  sc_solved *solved = &solve->solved;
  sc_surface_series points = {at, series->y, series->observations, solved->parameters, solved->counts, solved->names};
  solved->several = true;
  if (!solve->engine)
    SC_TRY(sc_surface_new(&solve->options->fit, &solve->engine));
  return fit_name_series(sc_surface_run(solve->engine, &points, &solved->surface), series);
}

static int predict_one(const sc_solve *solve, const double *point, sc_interval *out)
{
  const sc_solved *solved = &solve->solved;
  double at[SC_STORE_PARAMETERS];
  for (size_t i = 0; i < solved->parameters; i++)
    at[i] = point[solved->parameter[i]];
  int err = solved->several ? sc_surface_predict(&solved->surface, at, solve->options->level, out)
                            : sc_model_predict(&solved->model, at[0], solve->options->level, out);
  if (err < 0)
    return fit_name_series(err, solved->series);
  bool unknown = solved->parameters > SC_SURFACE_PARAMETERS;
  for (size_t p = 0; p < solved->series->set->count;
       p++) /* a parameter that had one size: nothing is known beside it */
    unknown |= solved->low[p] == solved->high[p] && point[p] != solved->low[p];
  if (unknown)
    *out = (sc_interval){NAN, 0, INFINITY};
  return 0;
}

static int predict_series(sc_solve *solve, const sc_store_series *series)
{
  sc_solved *solved = &solve->solved;
  SC_TRY(sc_targets_expand(&solve->options->targets, series, solved->low, solved->high, &solved->points,
                           &solve->point_capacity, &solved->predictions));
  SC_TRY(sc_mem_grow(&solved->predicted, &solve->predicted_capacity, solved->predictions, sizeof *solved->predicted));
  for (size_t i = 0; i < solved->predictions; i++)
    SC_TRY(predict_one(solve, &solved->points[i * series->set->count], &solved->predicted[i]));
  return 0;
}

int sc_solve_check(sc_solve *solve, const sc_store_series *series)
{
  sc_solved *solved = &solve->solved;
  bool counts;
  find_ranges(solve, series);
  if (solve->options->counts == SC_SOLVE_COUNTS_YES)
    SC_TRY(decide_counts(solve, series, &counts));
  if (solved->parameters > 1 && solve->options->fit.engine == SC_FIT_DELTA_INFER) {
    (void)sc_err_set(SC_E_INPUT, "series %s varies %zu parameters; the models of delta-infer have one",
                     sc_check_series(series->callpath, series->metric).text, solved->parameters);
    return sc_err_hint(SC_E_INPUT, "leave out --models delta-infer");
  }
  return sc_targets_expand(&solve->options->targets, series, solved->low, solved->high, &solved->points,
                           &solve->point_capacity, &solved->predictions);
}

int sc_solve_series(sc_solve *solve, const sc_store_series *series, const sc_solved **out)
{
  sc_solved *solved = &solve->solved;
  const double *at;
  *out = solved;
  solved->series = series;
  solved->several = false;
  find_ranges(solve, series);
  SC_TRY(decide_counts(solve, series, &solved->counts));
  SC_TRY(take_fit_columns(solve, series, &at));
  if (solved->parameters <= 1)
    SC_TRY(fit_one(solve, series, at));
  else if (solved->parameters <= SC_SURFACE_PARAMETERS)
    SC_TRY(fit_several(solve, series, at));
  else
    set_fit_undecided(&solved->model, "more than 3 parameters vary; keep some of them at one size");
  return predict_series(solve, series);
}

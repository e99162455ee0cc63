/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/surface/surface.h"
#include "runner/fit/store.h"
#include "runner/fit/targets.h"

/* One series of the store after another: its model and its predictions. */
enum sc_solve_counts { SC_SOLVE_COUNTS_AUTO, SC_SOLVE_COUNTS_YES, SC_SOLVE_COUNTS_NO };

typedef struct sc_solve_options {
  sc_fit_options fit;
  double level;
  enum sc_solve_counts counts;
  sc_targets targets;
} sc_solve_options;

typedef struct sc_solved {
  const sc_store_series *series;
  size_t parameters;                                          /* that vary, and that the model has */
  size_t parameter[SC_STORE_PARAMETERS];                      /* their places in the series' set */
  const char *names[SC_STORE_PARAMETERS];                     /* their names, as formulas have them */
  double low[SC_STORE_PARAMETERS], high[SC_STORE_PARAMETERS]; /* ranges of all of the set */
  bool counts;
  bool several;   /* `surface` is the model, else `model` */
  sc_model model; /* also where nothing varies or too much does: it cannot tell, then */
  sc_surface surface;
  double *points; /* [predictions][set->count] */
  sc_interval *predicted;
  size_t predictions;
} sc_solved;

typedef struct sc_solve sc_solve;
int sc_solve_new(const sc_solve_options *options, sc_solve **solve) SC_CHECK; /* options must outlive it */
void sc_solve_free(sc_solve *solve);
/* What sc_solve_series could have against a series, to be known before anything is printed. It has nothing against one
 * of a single parameter unless counts were asked for. */
int sc_solve_check(sc_solve *solve, const sc_store_series *series) SC_CHECK;
/* *solved is valid until the next call. Too little data is no error; SC_E_USAGE: see sc_targets_expand. */
int sc_solve_series(sc_solve *solve, const sc_store_series *series, const sc_solved **solved) SC_CHECK;

/* What both kinds of models have. */
typedef struct sc_solve_facts {
  bool usable; /* verdict: model */
  const char *why;
  double r2, error, fit_error; /* < 0: not known */
  bool exact;
  size_t points, rivals;
} sc_solve_facts;
/* `why` lives as long as `solved`. */
sc_solve_facts sc_solve_describe(const sc_solved *solved);
/* The formula for programs, with all digits, or for people, with three and units of time; of the model, or of a rival,
 * which also has a weight and an error. */
int sc_solve_format(const sc_solved *solved, bool program, char *text, size_t size);
/* How likely a rival is beside the model; below SC_MODEL_PLAUSIBLE it only widens intervals. */
double sc_solve_rival_weight(const sc_solved *solved, size_t rival);
int sc_solve_format_rival(const sc_solved *solved, size_t rival, bool program, char *text, size_t size, double *weight,
                          double *error);
/* The growth order in one of the varying parameters. */
const sc_order *sc_solve_order(const sc_solved *solved, size_t parameter);
/* Where one more measurement would decide between the model and its plausible rivals, or give what is missing where it
 * cannot tell: at[set->count]. False if nothing is open, or no place near enough would do. */
bool sc_solve_deciding(const sc_solved *solved, double *at);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <gsl/gsl_multifit.h>

#include "regress/core/tuning.h"
#include "regress/surface/surface.h"

/* What the files of surface*.c share; private to them. */
enum { SC_SURFACE_FACTORS = 12, SC_SURFACE_FOLDS = SC_SURFACE_PARAMETERS + 1 };
enum { SC_SURFACE_PAIRS = 12, SC_SURFACE_SETS = 7 };

/* A series with its repeats gathered, one entry per distinct point, in lexicographic order. */
typedef struct sc_surface_points {
  size_t count, observations, parameters;
  double *at; /* [count][parameters] */
  double *y, *scale, *repeats;
  double pure_ss; /* relative squares of the repeats around their means, and their degrees of freedom */
  size_t pure_degrees;
  double rounding; /* mean square of the relative error of half a count; 0 for measurements */
  double y_max;
  double independent; /* observations that speak for themselves; see sc_surface_design_effect */
  bool whole;         /* exact counts: whole numbers below 2^53, repeats equal */
  double low[SC_SURFACE_PARAMETERS], high[SC_SURFACE_PARAMETERS];
  size_t values[SC_SURFACE_PARAMETERS]; /* distinct ones of each parameter */
  size_t capacity;
  void *order;
} sc_surface_points;

/* Points that differ in one parameter only: line l has index[start[l]] .. index[start[l + 1] - 1]. */
typedef struct sc_surface_lines {
  size_t *index, *start, count;
} sc_surface_lines;

/* A factor that terms may have in one parameter. */
typedef struct sc_surface_factor {
  sc_term term;
  double cost; /* prior cost, units of -2 log likelihood */
  bool free;   /* its exponent or scale was fitted */
} sc_surface_factor;

/* The factors under consideration; the first of each parameter is 1. */
typedef struct sc_surface_space {
  sc_surface_factor factor[SC_SURFACE_PARAMETERS][SC_SURFACE_FACTORS];
  size_t count[SC_SURFACE_PARAMETERS];
  size_t exact[SC_SURFACE_PARAMETERS]; /* how many after the first come from lines that are exact */
  /* The functions of one parameter, one or two beside a constant, that describe its lines best; the second may be 0. */
  size_t set[SC_SURFACE_PARAMETERS][SC_SURFACE_SETS][2], sets[SC_SURFACE_PARAMETERS];
} sc_surface_space;

/* A hypothesis under examination. */
typedef struct sc_surface_candidate {
  sc_surface_term terms[SC_SURFACE_TERMS];
  size_t count, parameters, free; /* terms; fitted numbers; free exponents among those */
  double cost, rss, score;
  double covariance[SC_SURFACE_TERMS][SC_SURFACE_TERMS]; /* for a residual variance of 1 */
  double fold_square[SC_SURFACE_FOLDS]; /* mean square error on what each fold holds out; < 0: not known */
  double forward_square, forward_error; /* on points held out; forward_error < 0: none could be */
} sc_surface_candidate;

/* What a search may do with two parameters. */
typedef struct sc_surface_pair {
  size_t p, q;
  enum { SC_SURFACE_ANY, SC_SURFACE_APART, SC_SURFACE_TOGETHER } rule; /* in no term both; in one of them at least */
} sc_surface_pair;

struct sc_surface_engine {
  sc_fit_options options;
  sc_fit *fit; /* for models of one parameter */
  sc_surface_points points;
  sc_surface_lines lines[SC_SURFACE_PARAMETERS];
  sc_surface_space space;
  sc_surface_candidate ranked[SC_SURFACE_FINALISTS];
  size_t ranks;
  unsigned char *held[SC_SURFACE_FOLDS]; /* [points.count], which points a fold holds out; the last: mixed ones */
  bool fold_used[SC_SURFACE_FOLDS];
  double *numbers; /* of the search, see search.c */
  size_t numbers_capacity;
  double *line_n, *line_y;              /* [observations] */
  double effect[SC_SURFACE_PARAMETERS]; /* design effects of the best hypothesis */
  gsl_multifit_linear_workspace *work;
  double *design; /* [work_capacity * (SC_SURFACE_TERMS + 2)] */
  size_t work_capacity, capacity;
};

/* points.c */
int sc_surface_points_gather(const sc_surface_series *series, sc_surface_points *points) SC_CHECK;
void sc_surface_points_free(sc_surface_points *points);
/* Lines of at least two points along parameter p, in order of their coordinates. */
void sc_surface_points_lines(const sc_surface_points *points, size_t p, sc_surface_lines *lines);
/* Whether the design cannot tell a sum of functions of p and q from their product. */
bool sc_surface_points_aliased(const sc_surface_points *points, size_t p, size_t q);
/* Takes from column c of columns[][count] what the orthonormal ones before it explain, and gives it the length 1;
 * returns what was left of its length. A column that depends on them becomes 0. */
double sc_surface_orthogonalise(double *columns, size_t count, size_t c);
/* Whether q always rises, or always falls, with p. */
bool sc_surface_points_together(const sc_surface_points *points, size_t p, size_t q);
/* Fills held[] and fold_used[]. */
void sc_surface_points_fold(sc_surface_engine *engine);

/* How many times less the observations say of parameter p than independent ones would, by their relative residuals
 * [count], because those at the same value of p err alike (Kish's design effect). */
double sc_surface_design_effect(const sc_surface_points *points, size_t p, const double *residuals);

/* space.c, with lines.h: the factors that describe the lines best. */
int sc_surface_space_choose(sc_surface_engine *engine) SC_CHECK;

/* search.c: the best sums of products of the factors, without validation, into ranked[]. */
int sc_surface_search(sc_surface_engine *engine, const sc_surface_pair *pair) SC_CHECK;
double sc_surface_score(const sc_surface_points *points, double rss, double forward_square, size_t parameters,
                        double cost);

/* examine.c: fits ranked[] by singular values, validates, scores and sorts; drops what is not a count function. */
int sc_surface_examine(sc_surface_engine *engine) SC_CHECK;

/* exact.c: whole numbers that are exactly a sum of few products; whether `form` is now one. */
bool sc_surface_exact_lines(sc_surface_engine *engine, sc_surface_form *form);  /* from the lines' functions */
bool sc_surface_exact_ranked(sc_surface_engine *engine, sc_surface_form *form); /* from ranked[] */

/* spread.c */
/* From ranked[] to the model with orders, errors, rivals and what its interval needs. */
void sc_surface_spread(sc_surface_engine *engine, sc_surface *surface);
/* Adds ranked[0] of a search that had to leave out what the model has, or had to have what it lacks, to the plausible
 * rivals; `best` is the score of the model. */
void sc_surface_spread_other(sc_surface_engine *engine, double best, sc_surface *surface);
/* Terms in the order of their size at the largest values. */
void sc_surface_sort(const sc_surface_points *points, sc_surface_form *form);
/* Orders, effective parameters and interaction of the form's terms, which are sorted; errors on the points. */
void sc_surface_describe(const sc_surface_points *points, sc_surface *surface);

/* verdict.c */
void sc_surface_cannot_tell(sc_surface *surface, const char *format, ...) SC_PRINTF(2, 3);
/* "threads", or "parameter 2". */
typedef struct sc_surface_label {
  char text[48];
} sc_surface_label;
sc_surface_label sc_surface_label_of(const sc_surface_series *series, size_t p);
/* Whether every line along p has only values of 0: then it says nothing of p where the others have effect. */
bool sc_surface_silent(const sc_surface_engine *engine, size_t p);
/* Says what the design hides, where the model depends on it. */
int sc_surface_judge(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface) SC_CHECK;
/* Nothing is known of either of two parameters that were never changed without each other. */
void sc_surface_judge_together(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface);

/* predict.c */
double sc_surface_term_value(const sc_surface_term *term, size_t parameters, const double *at); /* no coefficient */
double sc_surface_sum(const sc_surface_term *terms, size_t count, size_t parameters, const double *at);
/* Standard error of what the form expects at a point, `value`. */
double sc_surface_standard_error(const sc_surface *surface, const sc_surface_form *form, const double *at,
                                 double value);
bool sc_surface_same_factor(const sc_term *a, const sc_term *b);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/choose/fit.h"

/*
 * Models of up to three workload parameters: sums of terms c * f1(x1) * f2(x2) * f3(x3), each factor one that a model
 * of a single parameter has. docs/models-several.md.
 */
enum { SC_SURFACE_PARAMETERS = 3, SC_SURFACE_TERMS = 6, SC_SURFACE_RIVALS = 4 };

/* Points of one series. Repeats are points with the same coordinates. */
typedef struct sc_surface_series {
  const double *at; /* [count][parameters], row by row; > 0, finite */
  const double *y;  /* [count]; >= 0, finite */
  size_t count, parameters;
  bool counts; /* y are exact integers, not measurements */
  /* [parameters], for `why`; NULL: "parameter 2" */
  const char *const *names;
} sc_surface_series;

typedef struct sc_surface_term {
  double coefficient;
  sc_term factor[SC_SURFACE_PARAMETERS]; /* their coefficients do not count; exponents of 0 and no shape: 1 */
} sc_surface_term;

/* One sum, and what the interval needs to know of it. */
typedef struct sc_surface_form {
  sc_surface_term terms[SC_SURFACE_TERMS]; /* largest share at the largest values first */
  size_t term_count;                       /* 0: the constant 0 */
  double covariance[SC_SURFACE_TERMS][SC_SURFACE_TERMS];
  size_t degrees;
  double sigma;                        /* relative residual standard deviation, repeats and lack of fit */
  double scatter;                      /* relative deviation of the true counts from the sum, repeats' noise out */
  double drift[SC_SURFACE_PARAMETERS]; /* standard error of a factor (x / center)^d that it may lack, per parameter */
  double error;                        /* mean relative error on points held out, mixed ones; < 0 unknown */
  double weight;                       /* relative to the chosen one's */
} sc_surface_form;

typedef struct sc_surface {
  enum sc_verdict verdict;
  char why[160];     /* CANNOT_TELL: the reason, for people; else "" or what the model does not know: a parameter that
                        had one value only */
  size_t parameters; /* as in the series */
  sc_surface_form form;
  sc_surface_form rivals[SC_SURFACE_RIVALS]; /* what the data cannot separate from it */
  size_t rival_count;
  sc_order order[SC_SURFACE_PARAMETERS]; /* growth in each parameter while the others stay */
  bool effective[SC_SURFACE_PARAMETERS]; /* parameters that the model depends on */
  bool fixed[SC_SURFACE_PARAMETERS];     /* parameters that had one value only: nothing is known of their effect */
  bool interacting;                      /* a term has factors of several parameters */
  bool ambiguous; /* CANNOT_TELL since the points cannot tell sum from product: the interval holds what is left */
  int along;      /* the only parameter that matters: `line` is the model then; -1: several, see `form` */
  sc_model line;  /* `form` has its terms where they can be written so */
  double r2, error, fit_error; /* as in sc_model; error on held out mixed points, < 0 unknown */
  bool exact;                  /* counts are exact integers and the model reproduces every one of them */
  size_t points;               /* distinct ones */
  double low[SC_SURFACE_PARAMETERS], high[SC_SURFACE_PARAMETERS]; /* ranges */
  double center[SC_SURFACE_PARAMETERS];                           /* geometric means */
} sc_surface;

/* Fits and selects. Invalid numbers give SC_E_INPUT naming the index; too little data is not an error but a model with
 * verdict CANNOT_TELL. The paper's engine knows one parameter only: SC_E_INPUT with several. */
int sc_surface_fit(const sc_surface_series *series, const sc_fit_options *options, sc_surface *surface) SC_CHECK;

/* The same for many series; keeps its buffers. One thread at a time may use a context. */
typedef struct sc_surface_engine sc_surface_engine;
/* Options are copied. SC_E_NOMEM; sc_surface_run also as sc_surface_fit. Freeing NULL does nothing. */
int sc_surface_new(const sc_fit_options *options, sc_surface_engine **engine) SC_CHECK;
int sc_surface_run(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface) SC_CHECK;
void sc_surface_free(sc_surface_engine *engine);

/* `at` has one value per parameter of the series, > 0. Never negative. */
double sc_surface_value(const sc_surface *surface, const double *at);
/* Prediction with an interval of the given level, rivals included. [0, infinity) where the model cannot tell (but see
 * `ambiguous`), and away from the one value of a fixed parameter. SC_E_INPUT for values that are not > 0. */
int sc_surface_predict(const sc_surface *surface, const double *at, double level, sc_interval *out) SC_CHECK;
/* The model of parameter `along` where the others have the values of `at`: the same values, and the same intervals but
 * for the share of rivals, which is interpolated. CANNOT_TELL where the surface cannot, or that parameter had one
 * value. */
int sc_surface_slice(const sc_surface *surface, const double *at, size_t along, sc_model *model) SC_CHECK;
/* "2 n t + 3 n / t" for people, with names[parameters]; see sc_model_format_brief. Returns the length as snprintf does.
 */
int sc_surface_format_brief(const sc_surface *surface, const char *const *names, double seconds, char *text,
                            size_t size);
/* "2 * n * t + 3 * n / t" for programs; see sc_model_expression. */
int sc_surface_expression(const sc_surface *surface, const char *const *names, char *text, size_t size);
/* The point nearest to those measured at which one measurement would tell the model from its plausible rivals, or give
 * what is missing where it cannot tell. False if none is within 1,000 times the largest values. */
bool sc_surface_deciding(const sc_surface *surface, double *at);

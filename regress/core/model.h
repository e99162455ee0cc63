/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* A complexity model: a sum of terms c * n^a * (log2 n)^b (delta-infer 5.2 has the linear and the power law; the
 * default engine has more), or c * n^a * base^n. The constant is a term with a = b = 0. */
enum { SC_MODEL_TERMS = 4, SC_MODEL_RIVALS = 4, SC_MODEL_CHANGES = 2, SC_MODEL_PIECES = 3 };

/* What a term is beside a power and a logarithm. Its exponents stay those of its growth. */
enum sc_shape {
  SC_SHAPE_PLAIN,        /* n^exponent * log2(n)^log_exponent * base^n */
  SC_SHAPE_CEIL_LOG,     /* n^exponent * ceil(log2 n)^log_exponent: halving; with a scale, the log to this base */
  SC_SHAPE_FLOOR_LOG,    /* n^exponent * floor(log2 n)^log_exponent: digits, tree levels; the same */
  SC_SHAPE_CEIL_POWER,   /* n^(exponent - 1) * 2^ceil(log2 n): capacities that double; with a scale, of n / scale */
  SC_SHAPE_FLOOR_POWER,  /* n^(exponent - 1) * 2^floor(log2 n); with a scale, of n / scale */
  SC_SHAPE_CEIL_BLOCK,   /* n^(exponent - 1) * ceil(n / scale): blocks of `scale` items */
  SC_SHAPE_FLOOR_BLOCK,  /* n^(exponent - 1) * floor(n / scale) */
  SC_SHAPE_FLOOR_ROOT,   /* n^(exponent - 1/2) * floor(sqrt n): divisor scans, square grids */
  SC_SHAPE_HYPERBOLIC,   /* n / (n + scale), exponent 0: a rate against a fixed one (Michaelis and Menten) */
  SC_SHAPE_APPROACH,     /* 1 - exp(-n / scale), exponent 0: a table of `scale` places that fills up at random */
  SC_SHAPE_BLOCK_SQUARE, /* n^(exponent - 2) * ceil(n / scale)^2: all is copied whenever a block is full */
  SC_SHAPE_FLOOR_SQUARE  /* n^(exponent - 2) * floor(n / scale)^2: loops in each other over every second item */
};

typedef struct sc_term {
  double coefficient, exponent, log_exponent;
  double base;         /* of a factor base^n; 0: none */
  enum sc_shape shape; /* default: SC_SHAPE_PLAIN */
  double scale;        /* of the shapes that have one, > 0 */
} sc_term;

/* What holds before a change point; see `pieces`. */
typedef struct sc_piece {
  sc_term terms[SC_MODEL_TERMS - 1];
  size_t term_count;
  double until;                 /* the piece holds for n < until */
  double until_low, until_high; /* the sizes between which the change surely lies */
} sc_piece;

/* The exponent of an order with a base: above every power, so that whoever compares exponents is right. */
#define SC_ORDER_EXPONENTIAL 100

/* Growth order: exponent and log power of the leading term, and the integer the paper compares (6.1), for which
 * n log n is neither constant nor quadratic: `integer` is the rounded exponent and log is kept beside it. */
typedef struct sc_order {
  double exponent, log_exponent;
  int integer;
  double base;   /* exponential growth: base^n, with the exponent SC_ORDER_EXPONENTIAL; else 0 */
  double beside; /* exponential growth: the exponent of a power of n beside base^n */
} sc_order;

enum sc_verdict {
  SC_VERDICT_MODEL,      /* the model may be used */
  SC_VERDICT_CANNOT_TELL /* too few points, or nothing fits; `why` says it */
};

/* A model beside the chosen one. For sizes above those measured only: earlier pieces are not kept. */
typedef struct sc_rival {
  sc_term terms[SC_MODEL_TERMS];
  size_t term_count;
  double error;        /* as `error` of sc_model */
  double weight;       /* Akaike weight relative to the chosen model's, 0..1 */
  double mass;         /* its share of the interval: the weights of all models it stands for; 0: its own */
  double deviation[2]; /* relative standard error of its prediction at SC_RIVAL_NEAR and SC_RIVAL_FAR times n_max; in
                          between and beyond it goes with log n */
} sc_rival;

typedef struct sc_model {
  enum sc_verdict verdict;
  char why[160]; /* CANNOT_TELL: the reason, for people; else "" */
  sc_term terms[SC_MODEL_TERMS];
  size_t term_count;                /* leading term first; 0 = the constant 0. Of the last piece, if there are pieces */
  sc_piece pieces[SC_MODEL_PIECES]; /* change points, ascending: pieces before the one that `terms` describe. Up to
                                       SC_MODEL_CHANGES are seen; those beyond n_max are expected (exact/digits.h) */
  size_t piece_count;
  sc_order order;      /* of the last piece: what holds for large sizes */
  sc_order later;      /* where later_from > 0: the order of all terms, where `order` leaves those out that hardly */
  double later_from;   /* count yet; from this size on they make half of the value (transitions/model/order.h) */
  double r2;           /* coefficient of determination, in the paper's sense for its two regressions */
  double error;        /* mean relative error in cross-validation on the largest sizes; < 0 unknown */
  double fit_error;    /* mean relative error on the points fitted */
  bool exact;          /* counts are exact integers and the model reproduces every one of them */
  size_t points;       /* distinct sizes */
  double n_min, n_max; /* fitted range */
  double y_max;        /* the largest value measured */
  double least;        /* of counts that never fell: beyond n_max there are no fewer than at n_max; 0: not known */
  /* what the interval needs: residual scale and the terms' covariance (relative weights) */
  double sigma; /* relative residual standard deviation, repeats and lack of fit */
  double covariance[SC_MODEL_TERMS][SC_MODEL_TERMS];
  size_t degrees;  /* of freedom */
  double scatter;  /* relative deviation of the true counts from the model (repeats' noise taken out) */
  double drift;    /* standard error of a slowly varying factor (n / n_center)^d the model may lack */
  double n_center; /* geometric mean of the fitted sizes; 0: no drift. With a base: their arithmetic mean, and the drift
                      is the standard error of log(base) */
  sc_rival rivals[SC_MODEL_RIVALS]; /* models the data cannot separate from this one */
  size_t rival_count;
  double mass;         /* the chosen model's share of the interval, as the rivals'; 0: 1 */
  double exponent_low; /* the lowest exponent that the data leave plausible; order.exponent where nothing speaks against
                          it, and always in the paper's engine */
} sc_model;

typedef struct sc_interval {
  double value, low, high; /* low is never negative */
} sc_interval;

void sc_interval_add(sc_interval *sum, const sc_interval *more); /* end to end, as of sums that err together */

double sc_model_value(const sc_model *model, double n); /* never negative; n > 0 */
/* All that a model comes to times factor * n^exponent, such as the cost of one: its pieces, its interval and its
 * rivals, too. `error` and `exact` stay as they are. */
void sc_model_scale(sc_model *model, double factor, double exponent);
/* Prediction of the expected count at n with an interval of the given level (0.95), rivals included. For a model with
 * verdict CANNOT_TELL the interval is [0, infinity). SC_E_INPUT if n is not > 0 or the level not in (0, 1). */
int sc_model_predict(const sc_model *model, double n, double level, sc_interval *out) SC_CHECK;
/* "0.5 n^2 - 0.5 n", "3 n log2(n) + 17"; `variable` is the parameter's name. Returns the length as snprintf does. */
int sc_model_format(const sc_model *model, const char *variable, char *text, size_t size);
/* The same for tables and headlines: three significant digits, exact coefficients up to 99,999 as they are. seconds >
 * 0: values are times, one unit is `seconds` long, "5.08 ns n log2(n) + 664 ns". */
int sc_model_format_brief(const sc_model *model, const char *variable, double seconds, char *text, size_t size);
/* The same as programs read it: "0.5 * n^2 - 0.5 * n", "where(n < 300, 5 * n, 2 * n^2 - 7)", with +, -, *, /, ^ and the
 * functions log2, ceil, floor, sqrt, exp and where(condition, then, else). Fitted numbers have 15 digits, exact ones
 * all. */
int sc_model_expression(const sc_model *model, const char *variable, char *text, size_t size);
/* "constant", "n", "n log n", "n^2", "n^1.53", "1.618^n": the order for people. */
int sc_model_format_order(const sc_order *order, const char *variable, char *text, size_t size);
/* The smallest size beyond the fitted ones, rounded up to two digits, at which one measurement would tell the model
 * from its plausible rivals of another order and from growth by exponent_low; infinity if it is not among those up to
 * 1,000 times the largest. Four times the largest size where the model cannot tell. */
double sc_model_deciding_size(const sc_model *model);
/* <0, 0, >0: a grows slower than, as, faster than b; log powers count. */
int sc_model_compare_order(const sc_order *a, const sc_order *b);

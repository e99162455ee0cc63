/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>

#include "regress/choose/fit.h"

/*
 * Model inference and refinement: Algorithm 1 of delta-infer (5.4), as a state machine that says which size to run
 * next and is fed with the values measured there. It runs nothing itself.
 */
typedef struct sc_refine sc_refine;

typedef struct sc_refine_options {
  double range_low, range_high;           /* RVR: the representative (fitting) range */
  double validation_low, validation_high; /* VVR: should be twice as wide; random validation sizes come from it. With
                                           * range_high as its end, nothing beyond is ever asked for */
  double size_limit;     /* no larger size, however often the ranges double, but for range_high and below; 0: none */
  const double *initial; /* first sizes [initial_count]; NULL: chosen in the range, geometric */
  size_t initial_count;
  size_t validation_count; /* 5 */
  size_t max_iterations;   /* 20 */
  double improvement;      /* thresholdimp: 0.02 */
  double prediction_error; /* thresholde: 0.05 */
  bool integer_sizes;      /* sizes are whole numbers */
  uint64_t seed;           /* of the validation sizes: same seed, same sizes */
  sc_fit_options fit;
} sc_refine_options;

enum sc_refine_role { SC_REFINE_TRAINING, SC_REFINE_VALIDATION };
enum sc_refine_reason {
  SC_REFINE_INITIAL,  /* one of the first sizes */
  SC_REFINE_VALIDATE, /* random size of the validation range */
  SC_REFINE_WORST,    /* halfway between the worst validation point and its nearest training point */
  SC_REFINE_EXTENDED  /* validation size in the doubled range */
};
enum sc_refine_stop {
  SC_REFINE_RUNNING,
  SC_REFINE_ACCURATE,   /* error below the threshold and the number of accepted models did not change */
  SC_REFINE_NO_GAIN,    /* the error improved by less than the threshold */
  SC_REFINE_EXHAUSTED,  /* max_iterations */
  SC_REFINE_NO_NEW_SIZE /* whole numbers ran out between the points */
};

typedef struct sc_refine_step {
  double n;
  enum sc_refine_role role;
  enum sc_refine_reason reason;
} sc_refine_step;

/* SC_E_INPUT for ranges that are not one inside the other, or first sizes that are not distinct and greater than 0.
 * validation_high <= 0 means [range_low, 2 * range_high]. `initial` is copied. */
int sc_refine_new(const sc_refine_options *options, sc_refine **refine) SC_CHECK;
void sc_refine_free(sc_refine *refine);

/*
 * The next size to run; with the same options, seed and values the same as before. When the algorithm needs the models
 * judged first, it calls `series` for every series by index to get its values at the measured sizes (training and
 * validation) and fits them itself. Returns 1 with *step set, 0 when it has stopped (see sc_refine_status), or an
 * error.
 */
typedef struct sc_refine_data {
  void *user;
  size_t (*count)(void *user); /* number of series */
  /* value of series i at size n (mean over repeats); n was handed out before */
  double (*value)(void *user, size_t i, double n);
  bool counts;
} sc_refine_data;
/* See sc_refine_data. */
int sc_refine_next(sc_refine *refine, const sc_refine_data *data, sc_refine_step *step) SC_CHECK;

/* Takes back the step that was handed out last, because its size cannot be run: the role goes to the largest size that
 * is not in use at or below `wanted`; if `wanted` is in use, to the middle of the first wide gap between the sizes in
 * use below it, or of the widest. *step is the new one; its n is 0 if none is left (wanted <= 0, or no whole number
 * left), and the algorithm continues without. Given the same sizes a resumed study replaces alike. */
int sc_refine_replace(sc_refine *refine, double wanted, sc_refine_step *step) SC_CHECK;

typedef struct sc_refine_state {
  enum sc_refine_stop stop;
  size_t iteration;
  double error; /* average relative prediction error over the validation profiles; < 0 not known yet */
  double previous_error;
  size_t models;      /* series with a model above the R^2 threshold */
  double first_error; /* both after the first iteration: columns E. I. and M. I. of delta-infer's Table 2 */
  size_t first_models;
  double range_low, range_high, validation_low, validation_high; /* as they are after doubling */
} sc_refine_state;
/* Where it stands, and words for it, which live for ever. */
sc_refine_state sc_refine_status(const sc_refine *refine);
const char *sc_refine_reason_text(enum sc_refine_reason reason); /* "halfway to the worst prediction" */
const char *sc_refine_stop_text(enum sc_refine_stop stop);

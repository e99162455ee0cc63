/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/choose/fit.h"

/*
 * Chooses the sizes of a study by what they buy at the target: the expected narrowing of its interval for the time that
 * a run takes. A state machine like sc_refine: it says which size to run next, is fed with the values measured there,
 * and runs nothing itself. What it decides follows from the measured sizes, their values and times alone, so that
 * a study that is resumed goes on as it would have (docs/next-size.md).
 */
typedef struct sc_plan sc_plan;

typedef struct sc_plan_options {
  const double *targets; /* [target_count], at least one: what is to be predicted. Copied, as `initial` */
  size_t target_count;
  const double *initial; /* first sizes, [initial_count] */
  size_t initial_count;
  double level;     /* of the interval; 0: SC_PLAN_LEVEL */
  double precision; /* half width of the total's interval at the targets, relative to it, that is wanted; 0:
                       SC_PLAN_PRECISION */
  double low, high; /* between which sizes are chosen */
  double check; /* size that is measured before anything is believed: beyond the first ones, then a larger one if that
                 * runs in a moment, or between two of them; 0: none */
  unsigned repeats;      /* runs of a size; 0: 1 */
  size_t max_iterations; /* 0: 20 */
  double least_gain;     /* narrowing that is worth a run, as a share of the width; 0: SC_PLAN_GAIN_LEAST */
  bool integer_sizes;
  sc_fit_options fit;
} sc_plan_options;

enum sc_plan_reason {
  SC_PLAN_INITIAL,  /* one of the first sizes */
  SC_PLAN_MEASURED, /* of a resumed study: measured already, perhaps not often enough */
  SC_PLAN_CHECK,    /* apart from the sizes measured: the models agree, and have to hold there */
  SC_PLAN_NARROW,   /* narrows the interval of the model that is likely anyway */
  SC_PLAN_SEPARATE, /* tells rival models apart */
  SC_PLAN_DECIDE,   /* an undecided series needs it */
  SC_PLAN_FURTHER,  /* the counts don't: sc_plan_data's further wants it */
  SC_PLAN_REPEAT    /* more runs of a measured size, against noise */
};
enum sc_plan_stop {
  SC_PLAN_RUNNING,
  SC_PLAN_ACCURATE, /* the total at the targets is known as closely as wanted */
  SC_PLAN_BUDGET,   /* what would narrow it takes longer than what is left of the time: `seconds` */
  SC_PLAN_TOO_SLOW, /* what would narrow it takes longer than one run may */
  SC_PLAN_NO_GAIN,  /* no size is expected to narrow it */
  SC_PLAN_STALLED,  /* several sizes were expected to, and did not */
  SC_PLAN_EXHAUSTED /* max_iterations */
};

typedef struct sc_plan_step {
  double n;
  unsigned runs; /* wanted at n, with those it has already */
  enum sc_plan_reason reason;
} sc_plan_step;

typedef struct sc_plan_state {
  enum sc_plan_stop stop;
  size_t iteration;
  double target; /* the one whose interval is widest */
  double width;  /* half width of the total there, relative to it; < 0 not known yet */
  double previous_width;
  double expected;       /* width expected of the step handed out last; < 0 none */
  double seconds;        /* expected of its runs */
  double lacking;        /* seconds that sc_plan_data's further needs and that are not left; 0: it has all it needs */
  bool repeats_fail;     /* repeats narrowed the total by much less than they promised: no more of them */
  size_t models, untold; /* series with a model; without */
  size_t wide;           /* series that make 1% of the total or more and are not known as closely as wanted */
} sc_plan_state;

/* SC_E_INPUT for targets, sizes or limits that are no numbers greater than 0, or first sizes that are not distinct. */
int sc_plan_new(const sc_plan_options *options, sc_plan **plan) SC_CHECK;
void sc_plan_free(sc_plan *plan);
/* A size that was measured before, of a resumed study; before the first sc_plan_next. */
int sc_plan_known(sc_plan *plan, double n) SC_CHECK;

typedef struct sc_plan_data {
  void *user;
  size_t (*count)(void *user);          /* number of series */
  double (*cost)(void *user, size_t i); /* of one count of series i; NULL: 1 */
  size_t (*runs)(void *user, double n); /* made at n, which was handed out before */
  double (*value)(void *user, size_t i, double n, size_t run);
  double (*seconds)(void *user, double n); /* that a run at n took, on average */
  double (*expect)(void *user, double n);  /* that one will take at least, < 0 unknown; NULL: never known */
  /* Asked before it stops: *n becomes a size that something else than the series needs, above all measured or between
   * them; 0: none. Larger ones than may be chosen are left to it. SC_E_* ends all. NULL: never */
  int (*further)(void *user, double *n);
  double limit, left; /* seconds that a run may take, and all that are to come; INFINITY: any */
  bool counts;
} sc_plan_data;

/* The next size to run; 1 with *step set, 0 when it has stopped (see sc_plan_status), or an error. SC_E_TOOLITTLE
 * without series. */
int sc_plan_next(sc_plan *plan, const sc_plan_data *data, sc_plan_step *step) SC_CHECK;
/* Whether the next step is to be decided by the models: all first and known sizes were handed out. */
bool sc_plan_decides(const sc_plan *plan);
/* Takes back the step handed out last, because its size cannot be run. A first size, or the check, gives way to the
 * largest size that is not in use at or below `wanted`, or in the gaps below (the check only above all others). Without
 * such a size, and for steps of another reason, step->n becomes 0. After a size larger than all others, sizes chosen
 * later are smaller than it; else none is chosen between those that ran. */
int sc_plan_replace(sc_plan *plan, double wanted, sc_plan_step *step) SC_CHECK;

/* Where it stands, and words for reasons and ends, which live for ever. */
sc_plan_state sc_plan_status(const sc_plan *plan);
const char *sc_plan_reason_text(enum sc_plan_reason reason);
const char *sc_plan_stop_text(enum sc_plan_stop stop);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <gsl/gsl_rng.h>
#include <stdint.h>

#include "regress/choose/fit.h"

enum { SC_CASE_TARGETS = 3, SC_FAMILY_COEFFICIENTS = 6 };

/* How many times the largest size the predictions lie: 10, 50 and 100. */
extern const double SC_CASE_AT[SC_CASE_TARGETS];

/* A measured series and what is true of it. */
typedef struct sc_case {
  const char *set, *family;
  const char *row; /* the table's row it belongs to: its noise, or "exact" or "counts" */
  char name[128];
  double noise;
  size_t sizes; /* distinct ones */
  sc_series series;
  double exponent, log_exponent; /* of the leading term */
  double at[SC_CASE_TARGETS], truth[SC_CASE_TARGETS];
  bool changes;       /* there is a change point among the sizes */
  bool wavers;        /* as the family */
  double last_change; /* the largest of them; NAN: nobody knows */
} sc_case;
typedef void sc_case_visit(void *context, const sc_case *c);

/* Where an instance's coefficients come from: its own random numbers and its sizes. */
typedef struct sc_draw {
  gsl_rng *rng;
  const double *n; /* [count], ascending */
  size_t count;
} sc_draw;
double sc_draw_even(const sc_draw *draw, double low, double high);
double sc_draw_log(const sc_draw *draw, double low, double high);   /* evenly in the logarithm */
double sc_draw_whole(const sc_draw *draw, double low, double high); /* low, low + 1, ... high */
/* Evenly in the logarithm between sizes, so that `before` of them lie below and `after` above. */
double sc_draw_cut(const sc_draw *draw, size_t before, size_t after);
double sc_draw_centre(const sc_draw *draw); /* geometric mean of the smallest and the largest size */

enum sc_family_kind {
  SC_FAMILY_REAL,  /* measured with noise */
  SC_FAMILY_EXACT, /* whole numbers with a closed form, to be predicted exactly */
  SC_FAMILY_COUNTS /* whole numbers without one */
};

/* A function of n with random coefficients. */
typedef struct sc_family {
  const char *name;
  enum sc_family_kind kind;
  double exponent, log_exponent;                /* of the leading term; exponent NAN: the last coefficient */
  void (*draw)(const sc_draw *draw, double *c); /* NULL: there is one instance */
  double (*value)(double n, const double *c);
  size_t change;      /* the coefficient that is the last change point; 0: no change */
  bool wavers;        /* no change point, but growth that changes gradually or jumps at many sizes */
  size_t least_sizes; /* fewer show nothing of it */
  double jitter;      /* SC_FAMILY_COUNTS: evenly random relative deviation of what is counted */
} sc_family;

typedef struct sc_layout {
  const char *name;
  double low, high;
  size_t count;
  bool random; /* instead of geometric */
} sc_layout;

enum sc_noise_kind {
  SC_NOISE_NONE,      /* one value per size */
  SC_NOISE_NORMAL,    /* five repeats whose mean has the standard deviation `level`, as in the public suite */
  SC_NOISE_LOGNORMAL, /* the same with a longer upper tail, mean 1 */
  SC_NOISE_UNEVEN,    /* the deviation differs by a factor of up to 9 from size to size */
  SC_NOISE_OUTLIERS   /* at a third of the sizes one repeat took 1.5 to 4 times as long */
};
typedef struct sc_noise {
  const char *row;
  enum sc_noise_kind kind;
  double level;
} sc_noise;

/* NULL-terminated by name. */
typedef struct sc_set {
  const char *name;
  const sc_family *families;
  const sc_layout *layouts;
  const sc_noise *noises; /* ended by row */
  unsigned instances;
  uint64_t seed;
} sc_set;
extern const sc_family SC_FAMILIES_TUNING[], SC_COUNTS_TUNING[], SC_FAMILIES_OUTSIDE[], SC_COUNTS_OUTSIDE[],
    SC_FAMILIES_HOLDOUT[], SC_COUNTS_HOLDOUT[];

/* The sets by name: "tuning", "outside" or "holdout"; `quick` makes as few instances as a test has time for. Two
 * sets each, real functions and counts. NULL if there is no such set. */
const sc_set *sc_sets_find(const char *name, bool quick);
/* Visits all series of a set. Each one's numbers depend on the set's seed and on its name alone. */
void sc_set_visit(const sc_set *set, sc_case_visit *visit, void *context);
/* Visits the series of FOLDER/points.jsonl with the truths of FOLDER/truth.jsonl. Ends the process if it cannot. */
void sc_suite_visit(const char *folder, sc_case_visit *visit, void *context);
/* A visitor that writes a suite's two files; and what opens and closes them. */
typedef struct sc_suite_writer sc_suite_writer;
sc_suite_writer *sc_suite_open(const char *folder);
void sc_suite_write(void *writer, const sc_case *c);
void sc_suite_close(sc_suite_writer *writer);

/* Fits, predicts and gathers what the tables are made of. */
typedef struct sc_score sc_score;
sc_score *sc_score_new(const sc_fit_options *options, bool families);
void sc_score_add(void *score, const sc_case *c);
void sc_score_print(sc_score *score);
void sc_score_print_alarms(const sc_score *score);
/* A figure by the names a limits file uses, of the row of all families; NAN for another name. */
double sc_score_figure(sc_score *score, const char *row, const char *figure);
void sc_score_free(sc_score *score);
/* A visitor that prints a line for each series: the model, the prediction and the truth at 50 times the largest size.
 * The context is a sc_fit. */
void sc_score_print_each(void *fit, const sc_case *c);

/* Compares a quick run over the sets with a limits file; 0 if all hold, 1 if not. */
int sc_limits_check(const char *path, const sc_fit_options *options);
/* Prints series per second: of the suite in the folder, or against numbers of points if it is NULL. */
void sc_speed_print(const char *suite);

/* Prints the message and ends the process. */
void sc_bench_fail(const char *format, ...) SC_PRINTF(1, 2) __attribute__((noreturn));
void *sc_bench_allocate(void *old, size_t count, size_t size);

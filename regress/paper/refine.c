/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/paper/refine.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/sizes.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"

typedef struct accepted_model {
  size_t series, term_count;
  sc_term terms[SC_MODEL_TERMS];
} accepted_model;

/*
 * Algorithm 1 turned inside out: where the paper runs the program, sc_refine_next returns the size, and goes on behind
 * that point at its next call. The steps that wait to be handed out are a queue of at most a few entries; when it is
 * empty, all sizes handed out so far have been measured and the models can be judged (lines 4 to 29).
 */
struct sc_refine {
  sc_refine_options options;
  gsl_rng *random;
  sc_fit *fit;
  sc_sizes training, validation;
  sc_refine_step *queue;
  size_t queued, taken, queue_capacity;
  sc_refine_state state;
  long previous_models;   /* pc of the paper, -1 at first */
  accepted_model *models; /* [state.models] of the judgement at hand: those above the threshold */
  size_t model_capacity;
  double *errors; /* eM of the paper, one for each validation size */
  size_t error_capacity;
  double *values; /* scratch: a series at the training sizes */
  size_t value_capacity;
};

enum { TRIES = 1000, DEFAULT_INITIAL = 5 };

static int check_refinement_options(const sc_refine_options *o)
{
  bool numbers = isfinite(o->range_low) && isfinite(o->range_high) && isfinite(o->validation_low) &&
                 isfinite(o->validation_high) && isfinite(o->improvement) && isfinite(o->prediction_error);
  if (!numbers || !(o->range_low > 0) || !(o->range_high > o->range_low)) {
    sc_err_set(SC_E_INPUT, "%g..%g is no range of sizes to fit", o->range_low, o->range_high);
    return sc_err_hint(SC_E_INPUT, "give a range such as 100..6400");
  }
  if (o->validation_high > 0 && (o->validation_low > o->range_low || o->validation_high < o->range_high)) {
    sc_err_set(SC_E_INPUT, "the validation range %g..%g does not include the fitting range %g..%g", o->validation_low,
               o->validation_high, o->range_low, o->range_high);
    return sc_err_hint(SC_E_INPUT, "it must contain the fitting range and should be twice as wide: %g..%g",
                       o->range_low, 2 * o->range_high);
  }
  if (o->improvement < 0 || o->prediction_error < 0)
    return sc_err_set(SC_E_INPUT, "thresholds must not be negative");
  return 0;
}

static void set_refinement_defaults(sc_refine_options *o)
{
  if (o->validation_high <= 0) {
    o->validation_low = o->range_low;
    o->validation_high = 2 * o->range_high;
  }
  if (o->validation_low <= 0)
    o->validation_low = o->range_low;
  o->size_limit = o->size_limit > 0 ? fmax(o->size_limit, o->range_high) : INFINITY;
  o->validation_high = fmin(o->validation_high, o->size_limit);
  if (!o->validation_count)
    o->validation_count = SC_REFINE_SIZES;
  if (!o->max_iterations)
    o->max_iterations = SC_REFINE_ROUNDS;
  if (o->improvement == 0)
    o->improvement = SC_REFINE_IMPROVEMENT;
  if (o->prediction_error == 0)
    o->prediction_error = SC_REFINE_ERROR;
  if (!(o->fit.r2_threshold > 0))
    o->fit.r2_threshold = SC_FIT_R2;
}

static int enqueue_refinement(sc_refine *r, double n, enum sc_refine_role role, enum sc_refine_reason reason)
{
  SC_TRY(sc_sizes_add(role == SC_REFINE_TRAINING ? &r->training : &r->validation, n));
  SC_TRY(sc_mem_grow(&r->queue, &r->queue_capacity, r->queued + 1, sizeof *r->queue));
  r->queue[r->queued++] = (sc_refine_step){n, role, reason};
  return 0;
}

static double round_size(const sc_refine *r, double n) { return r->options.integer_sizes ? round(n) : n; }

static bool is_size_taken(const sc_refine *r, double n)
{
  return sc_sizes_has(&r->training, n) || sc_sizes_has(&r->validation, n);
}

static int plan_initial(sc_refine *r)
{
  const sc_refine_options *o = &r->options;
  size_t count = o->initial_count ? o->initial_count : DEFAULT_INITIAL;
  for (size_t i = 0; i < count; i++) {
    double n = o->initial ? o->initial[i] : round_size(r, sc_sizes_spaced(o->range_low, o->range_high, i, count));
    SC_TRY(sc_sizes_check(&n, 1, o->integer_sizes, "first sizes"));
    if (sc_sizes_has(&r->training, n)) {
      if (!o->initial)
        continue; /* a range with fewer whole numbers than sizes wanted */
      return sc_err_set(SC_E_INPUT, "the size %g is given twice", n);
    }
    SC_TRY(enqueue_refinement(r, n, SC_REFINE_TRAINING, SC_REFINE_INITIAL));
  }
  return 0;
}

/* A random size in (low, high] that is not in use; 0 if none was found. */
static double draw_size(sc_refine *r, double low, double high)
{
  for (int i = 0; i < TRIES; i++) {
    double n = round_size(r, high - gsl_rng_uniform(r->random) * (high - low));
    if (n > low && n <= high && n > 0 && !is_size_taken(r, n))
      return n;
  }
  return 0;
}

static int plan_validation(sc_refine *r)
{
  const sc_refine_options *o = &r->options;
  double below = o->integer_sizes ? ceil(o->validation_low) - 1 : o->validation_low;
  for (size_t i = 0; i < o->validation_count; i++) {
    double n = draw_size(r, below, o->validation_high);
    if (n > 0)
      SC_TRY(enqueue_refinement(r, n, SC_REFINE_VALIDATION, SC_REFINE_VALIDATE));
  }
  return 0; /* without any, where all whole numbers are first sizes, there is nothing to refine by */
}

static int copy_initial(sc_refine *r)
{
  if (!r->options.initial || !r->options.initial_count) {
    r->options.initial = NULL;
    return 0;
  }
  double *copy = sc_mem_new(r->options.initial_count, sizeof *copy);
  if (copy)
    memcpy(copy, r->options.initial, r->options.initial_count * sizeof *copy);
  r->options.initial = copy;
  return copy ? 0 : SC_E_NOMEM;
}

int sc_refine_new(const sc_refine_options *options, sc_refine **refine)
{
  int err = check_refinement_options(options);
  sc_refine *r = err < 0 ? NULL : sc_mem_new(1, sizeof *r);
  *refine = NULL;
  if (!r)
    return err < 0 ? err : SC_E_NOMEM;
  r->options = *options;
  SC_GOTO(copy_initial(r));
  set_refinement_defaults(&r->options);
  SC_GOTO(sc_fit_new(&r->options.fit, &r->fit));
  r->random = gsl_rng_alloc(gsl_rng_mt19937);
  if (!r->random) {
    err = sc_err_set(SC_E_NOMEM, "out of memory");
    goto out;
  }
  gsl_rng_set(r->random, (unsigned long)r->options.seed);
  r->previous_models = -1;
  r->state = (sc_refine_state){.error = -1,
                               .previous_error = -1,
                               .first_error = -1,
                               .range_low = r->options.range_low,
                               .range_high = r->options.range_high,
                               .validation_low = r->options.validation_low,
                               .validation_high = r->options.validation_high};
  SC_GOTO(plan_initial(r));
  SC_GOTO(plan_validation(r));
  *refine = r;
  r = NULL;
out:
  sc_refine_free(r);
  return err;
}

void sc_refine_free(sc_refine *r)
{
  if (!r)
    return;
  if (r->random)
    gsl_rng_free(r->random);
  sc_fit_free(r->fit);
  sc_sizes_free(&r->training);
  sc_sizes_free(&r->validation);
  free((void *)r->options.initial);
  free(r->queue);
  free(r->models);
  free(r->errors);
  free(r->values);
  free(r);
}

/* Lines 4 to 6: the models of all series, those above the threshold kept. */
static int infer_refinement(sc_refine *r, const sc_refine_data *data, size_t series_count)
{
  SC_TRY(sc_mem_grow(&r->models, &r->model_capacity, series_count, sizeof *r->models));
  SC_TRY(sc_mem_grow(&r->values, &r->value_capacity, r->training.count, sizeof *r->values));
  size_t count = 0;
  for (size_t i = 0; i < series_count; i++) {
    for (size_t j = 0; j < r->training.count; j++)
      r->values[j] = data->value(data->user, i, r->training.n[j]);
    sc_series series = {r->training.n, r->values, r->training.count, data->counts};
    sc_model model;
    SC_TRY(sc_fit_run(r->fit, &series, &model));
    bool below = r->options.fit.engine == SC_FIT_DELTA_INFER && model.r2 < r->options.fit.r2_threshold;
    if (model.verdict != SC_VERDICT_MODEL || below)
      continue;
    accepted_model *kept = &r->models[count++];
    *kept = (accepted_model){.series = i, .term_count = model.term_count};
    memcpy(kept->terms, model.terms, sizeof kept->terms);
  }
  r->state.models = count;
  return 0;
}

/* Line 14. An actual count of 0 has no relative error: the absolute one stands in, at most 1, so that a context that
 * simply did not run at one size cannot drown all others. */
static double relative_error(double predicted, double actual)
{
  if (actual > 0)
    return fabs(actual - predicted) / actual;
  return fmin(fabs(predicted), 1);
}

/* Lines 7 to 18: the error of every validation size, and their mean. */
static int validate_refinement(sc_refine *r, const sc_refine_data *data)
{
  SC_TRY(sc_mem_grow(&r->errors, &r->error_capacity, r->validation.count, sizeof *r->errors));
  double total = 0;
  for (size_t v = 0; v < r->validation.count; v++) {
    double n = r->validation.n[v], sum = 0;
    for (size_t m = 0; m < r->state.models; m++) {
      const accepted_model *model = &r->models[m];
      double predicted = fmax(0, sc_term_sum(model->terms, model->term_count, n));
      sum += relative_error(predicted, data->value(data->user, model->series, n));
    }
    /* Without any model nothing is predicted: wholly wrong, and most so at the largest size. */
    r->errors[v] = r->state.models ? sum / (double)r->state.models : 1;
    total += r->errors[v];
  }
  r->state.error = total / (double)r->validation.count;
  return 0;
}

/* The new size for a validation size, or 0 where whole numbers leave no room. */
static double find_size_between(const sc_refine *r, double worst)
{
  double nearest = sc_sizes_nearest(&r->training, worst), middle = (nearest + worst) / 2;
  if (!r->options.integer_sizes)
    return is_size_taken(r, middle) ? 0 : middle;
  double choices[2] = {floor(middle), ceil(middle)};
  for (int i = 0; i < 2; i++)
    if (choices[i] > 0 && !is_size_taken(r, choices[i]))
      return choices[i];
  return 0;
}

/* NewWorkload (5.4): the middle between the worst validation size and its nearest training size; the next worst where
 * that one leaves no room. 0 if none does. */
static double new_size(sc_refine *r)
{
  for (size_t round = 0; round < r->validation.count; round++) {
    size_t worst = 0;
    for (size_t v = 1; v < r->validation.count; v++)
      if (r->errors[v] > r->errors[worst] ||
          (r->errors[v] == r->errors[worst] && r->validation.n[v] > r->validation.n[worst]))
        worst = v;
    double n = find_size_between(r, r->validation.n[worst]);
    if (n > 0)
      return n;
    r->errors[worst] = -1;
  }
  return 0;
}

/* Line 25, with the doubling of both ranges when the new size lies beyond the fitting range. */
static int augment_refinement(sc_refine *r)
{
  double n = new_size(r);
  if (n <= 0) {
    r->state.stop = SC_REFINE_NO_NEW_SIZE;
    return 0;
  }
  SC_TRY(enqueue_refinement(r, n, SC_REFINE_TRAINING, SC_REFINE_WORST));
  if (n <= r->state.range_high)
    return 0;
  double low = r->state.validation_high;
  r->state.range_high = fmin(2 * r->state.range_high, r->options.size_limit);
  r->state.validation_high = fmin(2 * low, r->options.size_limit);
  double extended = draw_size(r, low, r->state.validation_high);
  return extended > 0 ? enqueue_refinement(r, extended, SC_REFINE_VALIDATION, SC_REFINE_EXTENDED) : 0;
}

/* Lines 3 to 30, one turn. */
static int judge_refinement(sc_refine *r, const sc_refine_data *data)
{
  sc_refine_state *s = &r->state;
  size_t series_count = data ? data->count(data->user) : 0;
  if (series_count == 0) {
    sc_err_set(SC_E_TOOLITTLE, "the runs so far hold no series to fit");
    return sc_err_hint(SC_E_TOOLITTLE, "check that the program is instrumented and that the roots are reached");
  }
  if (s->iteration >= r->options.max_iterations || r->validation.count == 0) {
    s->stop = r->validation.count ? SC_REFINE_EXHAUSTED : SC_REFINE_NO_NEW_SIZE;
    return 0;
  }
  double previous = s->error;
  SC_TRY(infer_refinement(r, data, series_count));
  SC_TRY(validate_refinement(r, data));
  s->previous_error = previous;
  if (s->iteration++ == 0) {
    s->first_error = s->error;
    s->first_models = s->models;
  }
  bool accurate = s->error < r->options.prediction_error && r->previous_models == (long)s->models;
  bool gained = previous < 0 || previous - s->error >= r->options.improvement;
  r->previous_models = (long)s->models;
  if (accurate || !gained) {
    s->stop = accurate ? SC_REFINE_ACCURATE : SC_REFINE_NO_GAIN;
    return 0;
  }
  return augment_refinement(r);
}

int sc_refine_next(sc_refine *r, const sc_refine_data *data, sc_refine_step *step)
{
  for (;;) {
    if (r->taken < r->queued) {
      *step = r->queue[r->taken++];
      return 1;
    }
    r->queued = r->taken = 0;
    if (r->state.stop != SC_REFINE_RUNNING)
      return 0;
    SC_TRY(judge_refinement(r, data));
  }
}

/* A size for sc_refine_replace; *n is 0 if none is left. */
static int size_up_to(const sc_refine *r, double wanted, double *n)
{
  sc_sizes used = {0};
  int err = 0;
  for (size_t i = 0; err == 0 && i < r->training.count; i++)
    err = sc_sizes_add(&used, r->training.n[i]);
  for (size_t i = 0; err == 0 && i < r->validation.count; i++)
    err = sc_sizes_add(&used, r->validation.n[i]);
  *n = err == 0 ? sc_sizes_up_to(&used, wanted, r->options.integer_sizes) : 0;
  sc_sizes_free(&used);
  return err;
}

int sc_refine_replace(sc_refine *r, double wanted, sc_refine_step *step)
{
  if (!r->taken || !(wanted < r->queue[r->taken - 1].n))
    return sc_err_set(SC_E_INTERNAL, "only the step handed out last can be replaced, by a smaller size");
  sc_refine_step *last = &r->queue[r->taken - 1];
  sc_sizes *sizes = last->role == SC_REFINE_TRAINING ? &r->training : &r->validation;
  sc_sizes_remove(sizes, last->n);
  last->n = 0;
  if (wanted > 0)
    SC_TRY(size_up_to(r, wanted, &last->n));
  *step = *last;
  return last->n > 0 ? sc_sizes_add(sizes, last->n) : 0;
}

sc_refine_state sc_refine_status(const sc_refine *r) { return r->state; }

const char *sc_refine_reason_text(enum sc_refine_reason reason)
{
  switch (reason) {
  case SC_REFINE_INITIAL:
    return "one of the first sizes";
  case SC_REFINE_VALIDATE:
    return "random size to check the models with";
  case SC_REFINE_WORST:
    return "halfway to the worst prediction";
  case SC_REFINE_EXTENDED:
    return "random size in the doubled range";
  }
  return "unknown";
}

const char *sc_refine_stop_text(enum sc_refine_stop stop)
{
  switch (stop) {
  case SC_REFINE_RUNNING:
    return "still running";
  case SC_REFINE_ACCURATE:
    return "the models predict well enough";
  case SC_REFINE_NO_GAIN:
    return "another run improved the models too little";
  case SC_REFINE_EXHAUSTED:
    return "the number of iterations is used up";
  case SC_REFINE_NO_NEW_SIZE:
    return "no whole number is left between the sizes measured";
  }
  return "unknown";
}

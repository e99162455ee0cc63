/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From scores over the sizes to a verdict: does it hold, from where on, how sure. */
#include "transitions/resources/question.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/confidence.h"
#include "transitions/model/predict.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/series.h"

int sc_question_predict(const sc_question *q, int metric, double n, double limit, sc_interval *score)
{
  SC_TRY(sc_rseries_predict(q->r, q->cell, metric, n, score));
  *score = (sc_interval){score->value / limit, score->low / limit, score->high / limit};
  return 0;
}

double sc_question_measure(const sc_question *q, int metric, size_t size, double limit)
{
  double value;
  return sc_rmetric_at(q->r, q->cell, size, metric, &value) ? value / limit : NAN;
}

typedef double (*bound)(const sc_interval *);
static double bound_low(const sc_interval *interval) { return interval->low; }
static double bound_value(const sc_interval *interval) { return interval->value; }
static double bound_high(const sc_interval *interval) { return interval->high; }

static int question_reaches(const sc_question *q, double n, bound which, bool *yes)
{
  sc_interval score = {0};
  SC_TRY(q->predict(q, n, &score));
  *yes = which(&score) >= 1;
  return 0;
}

/* The probability that the score exceeds 1, its logarithm being normal. */
static double question_margin(const sc_question *q, const sc_interval *score)
{
  double quantile = gsl_cdf_ugaussian_Pinv(0.5 + q->r->level / 2);
  double down = score->low > 0 ? log(score->value / score->low) : INFINITY;
  double sigma = fmax(down / quantile, 1e-3);
  return isfinite(score->value) ? gsl_cdf_ugaussian_P(log(score->value) / sigma) : 0.5;
}

/* Doubles until the score is reached, then halves the bracket. */
static int first_from(const sc_question *q, double from, bound which, double *out)
{
  double low = from, high = from;
  bool yes;
  SC_TRY(question_reaches(q, high, which, &yes));
  while (!yes) {
    low = high;
    high *= 2;
    if (high > SC_PREDICT_FAR) {
      *out = INFINITY;
      return 0;
    }
    SC_TRY(question_reaches(q, high, which, &yes));
  }
  for (int i = 0; i < 40 && high - low > 1e-6 * high; i++) {
    double middle = low + (high - low) / 2;
    SC_TRY(question_reaches(q, middle, which, &yes));
    *(yes ? &high : &low) = middle;
  }
  *out = high;
  return 0;
}

/* Measured: the size from which on it held at all larger ones too. Else on the models beyond the sizes measured. */
static int find_emergence(const sc_question *q, sc_judgement *v)
{
  const sc_resources *r = q->r;
  size_t last = r->size_count - 1, first = last;
  double largest = r->sizes[last];
  if (v->now) {
    while (first && v->measured[first - 1])
      first--;
    v->emergence = (sc_interval){r->sizes[first], r->sizes[first ? first - 1 : 0], r->sizes[first]};
    return 0;
  }
  SC_TRY(first_from(q, largest, bound_value, &v->emergence.value));
  SC_TRY(first_from(q, largest, bound_high, &v->emergence.low));
  SC_TRY(first_from(q, largest, bound_low, &v->emergence.high));
  v->emergence.low = fmin(v->emergence.low, v->emergence.value);
  v->emergence.high = fmax(v->emergence.high, v->emergence.value);
  return 0;
}

static double clamp_question(double value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

static int find_confidence(const sc_question *q, double at, sc_judgement *v)
{
  double sizes = clamp_question(((double)q->r->size_count - 1) / SC_JUDGE_SIZES);
  sc_interval score, count;
  if (q->model) {
    SC_TRY(sc_model_predict(q->model, q->r->horizon, q->r->level, &count));
    v->confidence = sc_confidence(q->r->analysis, q->model, &count);
  } else {
    SC_TRY(q->predict(q, at, &score));
    v->confidence = sizes * question_margin(q, &score);
    if (q->timed)
      v->confidence *= sc_confidence_in_reach(at / q->r->sizes[q->r->size_count - 1]);
    if (q->timed && q->r->run_count - q->r->starts[q->r->size_count - 1] < 2) /* what did the machine add to it? */
      v->confidence = fmin(v->confidence, SC_JUDGE_ONE_RUN);
  }
  if (v->now) /* it was seen */
    v->confidence = fmax(v->confidence, SC_JUDGE_SEEN + sizes / 4);
  return 0;
}

/* The size the confidence is about: the smallest target at which the rule holds. */
static double smallest_held(const sc_question *q, const sc_judgement *v, bool *is_smallest)
{
  const sc_resources *r = q->r;
  double held = INFINITY, smallest = INFINITY;
  for (size_t i = 0; i < r->target_count; i++) {
    smallest = fmin(smallest, r->targets[i]);
    if (v->predicted[i])
      held = fmin(held, r->targets[i]);
  }
  *is_smallest = isfinite(held) && held <= smallest;
  return isfinite(held) ? held : r->sizes[r->size_count - 1];
}

/* A measured size settles the matter; a predicted one must be supported by its interval, and a rule about growth must
 * have grown from the largest size on: a flat score near its bar holds nowhere. */
static int hold_anywhere(const sc_question *q, sc_judgement *v)
{
  const sc_resources *r = q->r;
  sc_interval score, largest = {0};
  for (size_t i = 0; i < r->size_count; i++)
    v->measured[i] = q->measure(q, i) >= 1;
  v->now = v->holds = v->measured[r->size_count - 1];
  SC_TRY(q->predict(q, r->sizes[r->size_count - 1], &largest));
  for (size_t i = 0; i < r->target_count; i++) {
    SC_TRY(q->predict(q, r->targets[i], &score));
    v->predicted[i] = score.value >= 1 &&
                      (score.low >= SC_JUDGE_SUPPORT || question_margin(q, &score) >= SC_JUDGE_PROBABILITY) &&
                      (!q->growing || v->now || score.value >= SC_JUDGE_GROWTH * largest.value);
    v->holds = v->holds || v->predicted[i];
  }
  return 0;
}

int sc_question_judge(const sc_question *q, sc_judgement *v)
{
  bool at_smallest;
  *v = (sc_judgement){0};
  v->measured = sc_mem_new(q->r->size_count + 1, sizeof *v->measured);
  v->predicted = sc_mem_new(q->r->target_count + 1, sizeof *v->predicted);
  if (!v->measured || !v->predicted)
    return SC_E_NOMEM;
  SC_TRY(hold_anywhere(q, v));
  if (!v->holds)
    return 0;
  double at = smallest_held(q, v, &at_smallest);
  SC_TRY(find_emergence(q, v));
  SC_TRY(find_confidence(q, at, v));
  v->severity = v->now || at_smallest ? SC_SEVERITY_ERROR : SC_SEVERITY_WARNING;
  if (v->confidence < SC_CONFIDENCE_SURE) /* nobody is to be alarmed by what is as probably nothing */
    v->severity = SC_SEVERITY_NOTE;
  return 0;
}

void sc_question_clear(sc_judgement *v)
{
  free(v->measured);
  free(v->predicted);
  *v = (sc_judgement){0};
}

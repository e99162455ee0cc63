/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/plan/choose.h"

#include <math.h>

#include "regress/core/tuning.h"

static const double multiples[] = {1, 2, 4, 8};

typedef struct search {
  const sc_plan_question *question;
  double width; /* of the total now */
  bool noisy;
  sc_plan_choice best;
  double rate; /* of the best */
  bool over_limit, over_budget;
  double lacking; /* over_budget: seconds of the quickest one */
} search;

/* Relative half width of the total as it is. */
static double predict_width(const sc_plan_question *q)
{
  double half = q->rest_half;
  for (size_t i = 0; i < q->count; i++)
    half += q->weights[i] * q->views[i].half;
  return q->total > 0 ? half / q->total : 0;
}

/* How far a size is believed to speak of the target. The models' arithmetic takes small sizes for as good as large
 * ones, since a slope has two ends; but programs do things at small sizes that they no longer do at large ones, and the
 * other way round. So belief grows with the logarithm of the size, from none at the smallest to all at the largest; in
 * the simulation the root lies between fewer runs (without it) and less time (belief in all sizes). */
static double next_size_belief(const sc_plan_question *q, double n)
{
  double smallest = q->size_count ? q->sizes[0] : n, largest = q->size_count ? q->sizes[q->size_count - 1] : n;
  return n < largest && largest > smallest ? sqrt(fmax(0, log(n / smallest) / log(largest / smallest))) : 1;
}

static double half_after(const sc_plan_question *q, size_t view, double n, double runs, double before)
{
  double half = q->views[view].half;
  return half - next_size_belief(q, n) * (half - sc_plan_view_after(&q->views[view], n, runs, before));
}

static double width_after(const sc_plan_question *q, double n, double runs, double before)
{
  double half = q->rest_half;
  for (size_t i = 0; i < q->count; i++)
    half += q->weights[i] * half_after(q, i, n, runs, before);
  return q->total > 0 ? half / q->total : 0;
}

static size_t narrows_most(const sc_plan_question *q, const sc_plan_choice *choice)
{
  double most = 0;
  size_t at = 0;
  for (size_t i = 0; i < q->count; i++) {
    double after = half_after(q, i, choice->n, choice->runs, choice->before);
    double less = q->weights[i] * (q->views[i].half - after);
    if (less > most)
      most = less, at = i;
  }
  return at;
}

double sc_plan_seconds(const sc_plan_question *q, double n)
{
  const sc_plan_cost *cost = q->cost;
  if (cost->count && n <= cost->n[cost->count - 1]) /* between sizes that were run nobody need be asked */
    return sc_plan_cost_at(cost, n);
  double known = q->expect ? q->expect(q->user, n) : -1;
  bool doubtful = cost->model.verdict == SC_VERDICT_CANNOT_TELL && known >= 0;
  return doubtful ? known : fmax(known, sc_plan_cost_at(cost, n));
}

/* Looks at a size, run some times more. */
static void consider_size(search *s, double n, double runs, double before, double one)
{
  const sc_plan_question *q = s->question;
  double width = width_after(q, n, runs, before);
  if (!(width < s->width * (1 - q->least_gain)))
    return;
  if (one > q->limit || runs * one > q->left) {
    s->over_limit |= one > q->limit;
    if (one <= q->limit) {
      s->lacking = s->over_budget ? fmin(s->lacking, runs * one) : runs * one;
      s->over_budget = true;
    }
    return;
  }
  double gain = log(s->width / fmax(width, SC_PLAN_MARGIN * q->precision));
  double rate = gain / (runs * one + SC_PLAN_PATIENCE * q->spent + SC_PLAN_MOMENT);
  if (rate <= s->rate * (n < s->best.n ? SC_PLAN_SMALLER : 1))
    return;
  s->rate = rate;
  s->best = (sc_plan_choice){.n = n, .runs = runs, .before = before, .width = width, .seconds = runs * one};
}

static void look_at(search *s, double n, double before)
{
  double one = sc_plan_seconds(s->question, n);
  size_t most = s->noisy ? sizeof multiples / sizeof *multiples : 1;
  if (before > 0 && (!s->noisy || s->question->no_repeats))
    return;
  for (size_t i = 0; i < most; i++)
    consider_size(s, n, s->question->repeats * multiples[i], before, one);
}

static bool is_new(const sc_plan_question *q, double n)
{
  for (size_t i = 0; i < q->size_count; i++)
    if (n == q->sizes[i] || (n < q->sizes[i] * SC_PLAN_SIZE_APART && q->sizes[i] < n * SC_PLAN_SIZE_APART))
      return false;
  return n >= q->low && n <= q->high;
}

static void look_at_new(search *s, double n)
{
  n = s->question->whole ? round(n) : n;
  if (is_new(s->question, n))
    look_at(s, n, 0);
}

/* From the largest size down, in steps from the largest measured one. */
static void look_at_all(search *s)
{
  const sc_plan_question *q = s->question;
  double anchor = q->size_count ? q->sizes[q->size_count - 1] : q->low;
  look_at_new(s, q->high);
  for (double steps = floor(log(q->high / anchor) / log(SC_PLAN_SIZE_STEP));
       anchor * pow(SC_PLAN_SIZE_STEP, steps) >= q->low; steps--)
    look_at_new(s, anchor * pow(SC_PLAN_SIZE_STEP, steps));
  for (size_t i = 0; i < q->count; i++)
    if (q->views[i].deciding > 0)
      look_at_new(s, q->views[i].deciding);
  for (size_t i = q->size_count; i-- > 0;)
    look_at(s, q->sizes[i], q->runs[i]);
}

sc_plan_choice sc_plan_choose(const sc_plan_question *q)
{
  search s = {.question = q, .width = predict_width(q), .best = {.n = 0}};
  for (size_t i = 0; i < q->count; i++)
    s.noisy |= q->views[i].noise > 0;
  if (s.width > 0 && q->high > 0)
    look_at_all(&s);
  if (s.best.n > 0)
    s.best.mainly = narrows_most(q, &s.best);
  else {
    s.best.seconds = s.lacking;
    s.best.outcome = s.over_budget ? SC_PLAN_OVER_BUDGET : s.over_limit ? SC_PLAN_OVER_LIMIT : SC_PLAN_NOTHING;
  }
  return s.best;
}

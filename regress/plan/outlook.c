/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All series at the target: how wide their intervals are, which of them matter, and what would narrow them. */
#include "regress/plan/outlook.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"
#include "regress/core/tuning.h"

void sc_plan_outlook_free(sc_plan_outlook *outlook)
{
  free(outlook->sizes);
  free(outlook->runs);
  free(outlook->times);
  free(outlook->n);
  free(outlook->y);
  free(outlook->models);
  free(outlook->series);
}

/* Sizes handed out that could be run, ascending, and their runs. */
static int gather_sizes(sc_plan_outlook *outlook, const sc_sizes *used, const sc_plan_data *data)
{
  SC_TRY(sc_mem_grow(&outlook->sizes, &outlook->size_capacity, used->count + 1, sizeof *outlook->sizes));
  SC_TRY(sc_mem_grow(&outlook->runs, &outlook->run_capacity, used->count + 1, sizeof *outlook->runs));
  SC_TRY(sc_mem_grow(&outlook->times, &outlook->time_capacity, used->count + 1, sizeof *outlook->times));
  outlook->size_count = outlook->point_count = 0;
  for (size_t i = 0; i < used->count; i++) {
    double n = used->n[i];
    size_t runs = data->runs(data->user, n), at = outlook->size_count;
    if (!runs)
      continue;
    for (; at > 0 && outlook->sizes[at - 1] > n; at--)
      outlook->sizes[at] = outlook->sizes[at - 1], outlook->runs[at] = outlook->runs[at - 1];
    outlook->sizes[at] = n;
    outlook->runs[at] = (double)runs;
    outlook->size_count++;
    outlook->point_count += runs;
  }
  for (size_t i = 0; i < outlook->size_count; i++)
    outlook->times[i] = fmax(0, data->seconds(data->user, outlook->sizes[i]));
  return 0;
}

static int fit_outlook_one(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_data *data, size_t i)
{
  size_t points = 0;
  for (size_t s = 0; s < outlook->size_count; s++)
    for (size_t run = 0; run < (size_t)outlook->runs[s]; run++) {
      outlook->n[points] = outlook->sizes[s];
      outlook->y[points++] = data->value(data->user, i, outlook->sizes[s], run);
    }
  const sc_series series = {outlook->n, outlook->y, points, data->counts};
  return sc_fit_run(fit, &series, &outlook->models[i]);
}

static int fit_all(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_data *data, sc_plan_state *state)
{
  SC_TRY(sc_mem_grow(&outlook->n, &outlook->n_capacity, outlook->point_count + 1, sizeof *outlook->n));
  SC_TRY(sc_mem_grow(&outlook->y, &outlook->y_capacity, outlook->point_count + 1, sizeof *outlook->y));
  SC_TRY(sc_mem_grow(&outlook->models, &outlook->model_capacity, outlook->count, sizeof *outlook->models));
  SC_TRY(sc_mem_grow(&outlook->series, &outlook->series_capacity, outlook->count, sizeof *outlook->series));
  state->models = state->untold = 0;
  for (size_t i = 0; i < outlook->count; i++) {
    SC_TRY(fit_outlook_one(outlook, fit, data, i));
    bool told = outlook->models[i].verdict == SC_VERDICT_MODEL;
    state->models += told;
    state->untold += !told;
  }
  return 0;
}

static double find_series_cost(const sc_plan_data *data, size_t i)
{
  double cost = data->cost ? data->cost(data->user, i) : 1;
  return cost > 0 && isfinite(cost) ? cost : 0;
}

static int view_series(const sc_plan_outlook *outlook, size_t i, const sc_plan_options *o, bool exact, double target,
                       sc_plan_view *out)
{
  const sc_plan_measured measured = {outlook->sizes, outlook->runs, outlook->size_count, exact};
  return sc_plan_view_make(&outlook->models[i], target, o->level, &measured, out);
}

/* What all series say of a target; *width: the half width of their sum, as if all erred alike, relative to it. */
static int look_at_target(sc_plan_outlook *outlook, const sc_plan_options *o, const sc_plan_data *data, double target,
                          double *width)
{
  double half = 0;
  outlook->total = 0;
  for (size_t i = 0; i < outlook->count; i++) {
    sc_plan_view seen;
    double cost = find_series_cost(data, i);
    SC_TRY(view_series(outlook, i, o, data->counts, target, &seen));
    outlook->series[i] = (sc_plan_forecast){i, cost * seen.value, cost * seen.half};
    outlook->total += outlook->series[i].value;
    half += outlook->series[i].half;
  }
  if (!(outlook->total > 0)) /* nothing is predicted: wholly wrong where anything is possible */
    outlook->total = half;
  *width = outlook->total > 0 && isfinite(outlook->total) ? half / outlook->total
                                                          : 0; /* what no double can hold no run narrows */
  return 0;
}

int sc_plan_outlook_run(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *o, const sc_sizes *used,
                        const sc_plan_data *data, sc_plan_state *state)
{
  double widest = -1, width;
  outlook->count = data->count(data->user);
  if (outlook->count)
    SC_TRY(gather_sizes(outlook, used, data));
  if (!outlook->count || !outlook->size_count) {
    sc_err_set(SC_E_TOOLITTLE, "the runs so far hold no series to fit");
    return sc_err_hint(SC_E_TOOLITTLE, "check that the program is instrumented and that the roots are reached");
  }
  SC_TRY(fit_all(outlook, fit, data, state));
  for (size_t i = 0; i < o->target_count; i++) {
    SC_TRY(look_at_target(outlook, o, data, o->targets[i], &width));
    if (width > widest || (width == widest && o->targets[i] > state->target))
      state->target = o->targets[i];
    widest = fmax(widest, width);
  }
  state->previous_width = state->width;
  SC_TRY(look_at_target(outlook, o, data, state->target, &state->width));
  state->wide = 0;
  for (size_t i = 0; i < outlook->count; i++)
    state->wide += outlook->series[i].value >= SC_PLAN_WORTH * outlook->total &&
                   outlook->series[i].half > o->precision * outlook->series[i].value;
  return 0;
}

static int compare_errors(const void *a, const void *b)
{
  const sc_plan_forecast *x = a, *y = b;
  return SC_COMPARE(y->half, x->half) ?: SC_COMPARE(x->series, y->series);
}

/* The series with the widest intervals, and what the others add. */
static int fill_views(sc_plan_outlook *outlook, const sc_plan_options *o, const sc_plan_data *data, double target,
                      sc_plan_question *question)
{
  qsort(outlook->series, outlook->count, sizeof *outlook->series, compare_errors);
  question->count = outlook->count < SC_PLAN_VIEWS ? outlook->count : SC_PLAN_VIEWS;
  question->rest_half = 0;
  for (size_t i = 0; i < outlook->count; i++) {
    if (i >= question->count) {
      question->rest_half += outlook->series[i].half;
      continue;
    }
    outlook->weights[i] = find_series_cost(data, outlook->series[i].series);
    SC_TRY(view_series(outlook, outlook->series[i].series, o, data->counts, target, &outlook->views[i]));
  }
  return 0;
}

int sc_plan_outlook_choose(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *o, const sc_plan_data *data,
                           const sc_plan_state *state, sc_plan_choice *choice)
{
  sc_plan_cost cost;
  SC_TRY(sc_plan_cost_fit(fit, outlook->sizes, outlook->times, outlook->size_count, &cost));
  sc_plan_question question = {.views = outlook->views,
                               .weights = outlook->weights,
                               .total = outlook->total,
                               .precision = o->precision,
                               .least_gain = o->least_gain,
                               .limit = data->limit,
                               .left = data->left,
                               .cost = &cost,
                               .expect = data->expect,
                               .user = data->user,
                               .sizes = outlook->sizes,
                               .runs = outlook->runs,
                               .size_count = outlook->size_count,
                               .low = o->low,
                               .high = fmin(o->high, SC_PLAN_BELOW_TARGET * state->target),
                               .repeats = o->repeats,
                               .whole = o->integer_sizes,
                               .no_repeats = state->repeats_fail};
  for (size_t i = 0; i < outlook->size_count; i++)
    question.spent += outlook->runs[i] * outlook->times[i];
  SC_TRY(fill_views(outlook, o, data, state->target, &question));
  *choice = sc_plan_choose(&question);
  return 0;
}

/* What sc_plan_seconds needs; `cost` is room for what the question refers to. */
static int price_runs(const sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_data *data, sc_plan_cost *cost,
                      sc_plan_question *question)
{
  SC_TRY(sc_plan_cost_fit(fit, outlook->sizes, outlook->times, outlook->size_count, cost));
  *question = (sc_plan_question){.cost = cost, .expect = data->expect, .user = data->user};
  return 0;
}

int sc_plan_outlook_seconds(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_data *data, double n, double *seconds)
{
  sc_plan_cost cost;
  sc_plan_question question;
  SC_TRY(price_runs(outlook, fit, data, &cost, &question));
  *seconds = sc_plan_seconds(&question, n);
  return 0;
}

int sc_plan_outlook_check(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *o, const sc_plan_data *data,
                          const sc_plan_state *state, double *n, double *seconds)
{
  sc_plan_cost cost;
  sc_plan_question question;
  SC_TRY(price_runs(outlook, fit, data, &cost, &question));
  bool beyond = o->check > outlook->sizes[outlook->size_count - 1];
  double low = o->check, high = beyond ? fmin(o->high, SC_PLAN_BELOW_TARGET * state->target) : low;
  for (int i = 0; i < 40 && high > low * 1.01; i++) {
    double middle = sqrt(low * high);
    *(sc_plan_seconds(&question, middle) > SC_PLAN_MOMENT ? &high : &low) = middle;
  }
  *n = o->integer_sizes ? floor(low) : low;
  *seconds = sc_plan_seconds(&question, *n);
  return 0;
}

/* The middle of the widest gap, in logarithms, that holds a size not measured, from `least` on, and run in a moment. */
static double widest_gap(const sc_plan_outlook *outlook, const sc_plan_question *question, double least, bool whole)
{
  double best = 0, widest = 1;
  for (size_t i = 1; i < outlook->size_count; i++) {
    double low = outlook->sizes[i - 1], high = outlook->sizes[i], middle = sqrt(low * high);
    middle = whole ? round(middle) : middle;
    if (high / low > widest && middle >= least && middle > low && middle < high &&
        sc_plan_seconds(question, middle) <= SC_PLAN_MOMENT) {
      widest = high / low;
      best = middle;
    }
  }
  return best;
}

int sc_plan_outlook_untold(sc_plan_outlook *outlook, sc_fit *fit, const sc_plan_options *o, const sc_plan_data *data,
                           double *n)
{
  sc_plan_cost cost;
  sc_plan_question question;
  SC_TRY(price_runs(outlook, fit, data, &cost, &question));
  *n = 0;
  for (size_t i = 0; i < outlook->count; i++) {
    double deciding =
        outlook->models[i].verdict == SC_VERDICT_MODEL ? INFINITY : sc_model_deciding_size(&outlook->models[i]);
    deciding = o->integer_sizes ? ceil(deciding) : deciding;
    bool beyond = deciding > outlook->sizes[outlook->size_count - 1] && deciding <= o->high;
    if (beyond && (*n == 0 || deciding < *n) && sc_plan_seconds(&question, deciding) <= SC_PLAN_MOMENT)
      *n = deciding;
  }
  if (*n == 0)
    *n = widest_gap(outlook, &question, o->low, o->integer_sizes);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a family grows as it seems: sizes that rise as long as the growth does, a model, one size held out, and the
 * size at which the growth ends, where it does. */
#include <math.h>

#include "runner/fuzz/internal.h"

/* No powers of two, odd ones and even: steps and halves show. */
static const double ladder[] = {25, 50, 101, 200, 403, 798};
enum { RUNGS = sizeof ladder / sizeof *ladder };

typedef struct rung {
  double n, count, bytes, length; /* sc_family_length */
  bool ended;
  enum sc_fuzz_outcome outcome;
  int exit_status;
} rung;

static double count_in_run(const struct sc_fuzz_run *run, uint32_t context)
{
  for (size_t i = 0; i < run->count_count; i++)
    if (run->counts[i].context == context)
      return (double)run->counts[i].count;
  return 0;
}

static int climb_rung(sc_fuzz_searching *s, const sc_family *family, uint32_t context, double n, rung *to)
{
  struct sc_fuzz_run run = {0};
  size_t size;
  *to = (rung){.n = n};
  int err = sc_fuzz_run_at(s, family, (uint64_t)n, &run, &size);
  if (err == SC_E_INPUT)
    return 0; /* larger than allowed: its end */
  SC_TRY(err);
  to->ended = run.outcome == SC_FUZZ_ENDED;
  to->outcome = run.outcome;
  to->exit_status = run.exit_status;
  to->count = count_in_run(&run, context);
  to->bytes = (double)size;
  to->length = sc_fuzz_length(s, family, (uint64_t)n);
  return to->ended ? 0 : sc_fuzz_keep_failure(s, family, (uint64_t)n, &run);
}

/* Whether the growth goes on from the first to the third, as an exponent of the differences. */
static bool goes_on(const rung *r)
{
  uint64_t counts[SC_FUZZ_SIZES];
  double lengths[SC_FUZZ_SIZES];
  for (int i = 0; i < SC_FUZZ_SIZES; i++) {
    if (!r[i].ended)
      return false;
    counts[i] = (uint64_t)r[i].count;
    lengths[i] = r[i].length;
  }
  double exponent = sc_fuzz_exponent(counts, lengths);
  return exponent >= SC_FUZZ_RISING && exponent <= SC_FUZZ_STEP;
}

int sc_fuzz_fit_counts(sc_fuzz_searching *s, sc_fuzz_find *find)
{
  const sc_series series = {find->n, find->counts, SC_FUZZ_FITTED, true};
  return sc_fit_run(s->fit, &series, &find->model);
}

static int fit_rungs(sc_fuzz_searching *s, const rung *r, sc_fuzz_find *find)
{
  for (int i = 0; i < SC_FUZZ_FITTED; i++) {
    find->n[i] = r[i].n;
    find->counts[i] = r[i].count;
  }
  SC_TRY(sc_fuzz_fit_counts(s, find));
  const rung *last = &r[SC_FUZZ_FITTED - 1], *before = last - 1;
  double lengths = log(last->length / before->length) / log(last->n / before->n);
  find->order = find->model.order.exponent / fmax(lengths, 0.5);
  return 0;
}

static bool is_near(double count, double predicted) { return fabs(count - predicted) <= SC_FUZZ_WITHIN * predicted; }

/* A model that has all counts exactly has to predict exactly; the end of a growth may be near. */
static bool is_predicted(const sc_fuzz_find *find)
{
  return find->model.exact ? find->exact : is_near(find->held_count, find->held_predicted);
}

/* The model of five rungs against a size that it does not know, whose run is *held. */
static int hold_out(sc_fuzz_searching *s, const rung *fitted, double n, sc_fuzz_find *find, rung *held, bool *holds)
{
  SC_TRY(fit_rungs(s, fitted, find));
  SC_TRY(climb_rung(s, &find->family, find->context, n, held));
  find->held_n = n;
  find->held_count = held->count;
  find->held_predicted = sc_model_value(&find->model, n);
  find->bytes = held->bytes;
  find->exit_status = held->exit_status;
  find->exact = find->model.exact && fabs(held->count - find->held_predicted) < 0.5;
  *holds = find->model.verdict == SC_VERDICT_MODEL && find->order >= SC_FUZZ_ORDER && held->ended && is_predicted(find);
  return 0;
}

/* The largest size between two at which the model holds. */
static int find_cap(sc_fuzz_searching *s, double holds, double ends, sc_fuzz_find *find)
{
  while (ends - holds > 1) {
    rung r;
    double middle = floor((holds + ends) / 2);
    SC_TRY(climb_rung(s, &find->family, find->context, middle, &r));
    if (r.ended && is_near(r.count, sc_model_value(&find->model, middle)))
      holds = middle;
    else
      ends = middle;
  }
  find->cap = (uint64_t)holds;
  return 0;
}

/* A run that was ended for its time, or is too large for the program to be given, is no end of the growth. */
static bool is_end(const rung *r)
{
  return r->ended || r->outcome == SC_FUZZ_CRASHED || r->outcome == SC_FUZZ_OUT_OF_MEMORY;
}

int sc_fuzz_confirm(sc_fuzz_searching *s, const sc_family *family, uint32_t context, sc_fuzz_find *find,
                    bool *confirmed)
{
  rung r[RUNGS + 1] = {{0}}, held;
  int good = 2; /* rungs up to which it grows */
  *confirmed = false;
  *find = (sc_fuzz_find){.family = *family, .context = context};
  s->finds->confirmations++;
  for (int i = 0; i < RUNGS; i++) {
    SC_TRY(climb_rung(s, family, context, ladder[i], &r[i]));
    if (!r[i].ended || (i >= 2 && !goes_on(&r[i - 2])))
      break;
    good = i + 1;
  }
  if (good < SC_FUZZ_FITTED)
    return 0;
  rung *beyond = &r[good];
  bool holds = false;
  if (good == RUNGS) {
    SC_TRY(hold_out(s, r + 1, SC_FUZZ_HELD_OUT, find, beyond, confirmed));
    if (*confirmed)
      return 0;
    SC_TRY(hold_out(s, r + 1, 601, find, &held, &holds));
    if (!holds) /* it may end below the last rung, and still rise there */
      beyond = &r[--good];
  }
  if (!holds)
    SC_TRY(hold_out(s, r, 301, find, &held, &holds));
  if (!holds || (beyond->ended && is_near(beyond->count, sc_model_value(&find->model, beyond->n))))
    return 0;
  *confirmed = true;
  return is_end(beyond) ? find_cap(s, r[good - 1].n, beyond->n, find) : 0;
}

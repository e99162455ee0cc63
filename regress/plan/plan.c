/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/sizes.h"
#include "regress/core/tuning.h"
#include "regress/plan/outlook.h"

struct sc_plan {
  sc_plan_options options;
  sc_fit *fit;
  sc_sizes used, known; /* handed out; measured before */
  sc_plan_step queue, last;
  size_t initial_done, known_done;
  bool started, queued, checked;
  bool gaps_closed; /* a size between others could not be run: the program may know only those named */
  bool no_further;  /* a size that something else than the series wanted could not be run */
  sc_plan_state state;
  double best_width;
  double hoped, gained; /* logarithms of the narrowing that repeats promised, and brought */
  double vain;          /* logarithm of the narrowing that was promised since best_width was reached */
  sc_plan_outlook outlook;
};

static int check_plan_options(const sc_plan_options *o)
{
  SC_TRY(sc_sizes_check(o->initial, o->initial_count, o->integer_sizes, "first sizes"));
  SC_TRY(sc_sizes_check(o->targets, o->target_count, false, "target sizes"));
  for (size_t i = 0; i < o->initial_count; i++)
    for (size_t j = 0; j < i; j++)
      if (o->initial[i] == o->initial[j])
        return sc_err_set(SC_E_INPUT, "the size %g is given twice", o->initial[i]);
  if (!o->initial_count || !o->target_count) {
    sc_err_set(SC_E_INPUT, "sizes cannot be chosen without first sizes and a target");
    return sc_err_hint(SC_E_INPUT, "give at least one of both");
  }
  if (!(o->low > 0) || !(o->high >= o->low) || !isfinite(o->high) || !isfinite(o->check)) {
    sc_err_set(SC_E_INPUT, "%g..%g is no range of sizes to choose from", o->low, o->high);
    return sc_err_hint(SC_E_INPUT, "give a range such as 100..6400");
  }
  if (!(o->precision >= 0) || !(o->least_gain >= 0 && o->least_gain < 1) || !(o->level >= 0 && o->level < 1)) {
    sc_err_set(SC_E_INPUT, "precision, gain or level are out of range");
    return sc_err_hint(SC_E_INPUT, "a precision is a share such as 0.05; level and gain lie between 0 and 1");
  }
  return 0;
}

static int copy_numbers(const double **numbers, size_t count)
{
  double *made = sc_mem_new(count, sizeof *made);
  if (made)
    memcpy(made, *numbers, count * sizeof *made);
  *numbers = made;
  return made ? 0 : SC_E_NOMEM;
}

static void set_plan_defaults(sc_plan_options *o)
{
  o->level = o->level > 0 ? o->level : SC_PLAN_LEVEL;
  o->precision = o->precision > 0 ? o->precision : SC_PLAN_PRECISION;
  o->least_gain = o->least_gain > 0 ? o->least_gain : SC_PLAN_GAIN_LEAST;
  o->repeats = o->repeats ? o->repeats : 1;
  o->max_iterations = o->max_iterations ? o->max_iterations : 20;
}

int sc_plan_new(const sc_plan_options *options, sc_plan **plan)
{
  *plan = NULL;
  SC_TRY(check_plan_options(options));
  sc_plan *p;
  SC_TRY(SC_NEW(p, 1));
  p->options = *options;
  int err, initial = copy_numbers(&p->options.initial, options->initial_count);
  int targets =
      copy_numbers(&p->options.targets, options->target_count); /* both, for none of the caller's may be freed */
  SC_GOTO(initial);
  SC_GOTO(targets);
  set_plan_defaults(&p->options);
  SC_GOTO(sc_fit_new(&p->options.fit, &p->fit));
  p->state = (sc_plan_state){.width = -1, .previous_width = -1, .expected = -1};
  p->best_width = INFINITY;
  *plan = p;
  p = NULL;
out:
  sc_plan_free(p);
  return err;
}

void sc_plan_free(sc_plan *p)
{
  if (!p)
    return;
  free((void *)p->options.initial);
  free((void *)p->options.targets);
  sc_fit_free(p->fit);
  sc_sizes_free(&p->used);
  sc_sizes_free(&p->known);
  sc_plan_outlook_free(&p->outlook);
  free(p);
}

int sc_plan_known(sc_plan *p, double n)
{
  if (p->started)
    return sc_err_set(SC_E_INTERNAL, "sizes measured before must be given before the first step");
  return sc_sizes_has(&p->known, n) ? 0 : sc_sizes_add(&p->known, n);
}

static int enqueue_plan(sc_plan *p, double n, unsigned runs, enum sc_plan_reason reason)
{
  p->queue = (sc_plan_step){n, runs, reason};
  p->queued = true;
  return sc_sizes_has(&p->used, n) ? 0 : sc_sizes_add(&p->used, n);
}

/* First sizes, then those of a resumed study, need no judgement. */
static int enqueue_given(sc_plan *p)
{
  const sc_plan_options *o = &p->options;
  while (!p->queued && p->initial_done < o->initial_count) {
    double n = o->initial[p->initial_done++];
    if (!sc_sizes_has(&p->used, n)) /* a first size that gave way may have taken this one */
      SC_TRY(enqueue_plan(p, n, o->repeats, SC_PLAN_INITIAL));
  }
  while (!p->queued && p->known_done < p->known.count) {
    double n = p->known.n[p->known_done++];
    if (!sc_sizes_has(&p->used, n))
      SC_TRY(enqueue_plan(p, n, o->repeats, SC_PLAN_MEASURED));
  }
  return 0;
}

static double largest_of(const sc_sizes *sizes)
{
  double largest = 0;
  for (size_t i = 0; i < sizes->count; i++)
    largest = fmax(largest, sizes->n[i]);
  return largest;
}

/* Whether a size was chosen in the gap between first sizes that holds the check. */
static bool gap_is_used(const sc_plan *p)
{
  const sc_plan_options *o = &p->options;
  double low = 0, high = INFINITY;
  for (size_t i = 0; i < o->initial_count; i++) {
    low = o->initial[i] <= o->check ? fmax(low, o->initial[i]) : low;
    high = o->initial[i] >= o->check ? fmin(high, o->initial[i]) : high;
  }
  bool used = low == high;
  for (size_t i = 0; i < p->used.count; i++)
    used |= p->used.n[i] > low && p->used.n[i] < high;
  return used;
}

/* What is known closely enough may still be so only for the sizes that it was fitted to. */
static bool wants_check(const sc_plan *p)
{
  double largest = 0;
  for (size_t i = 0; i < p->options.initial_count; i++)
    largest = fmax(largest, p->options.initial[i]);
  if (p->checked || !(p->options.check > 0) || (p->options.check <= largest_of(&p->used) && p->gaps_closed))
    return false;
  return p->options.check > largest ? largest_of(&p->used) < sqrt(largest * p->options.check) : !gap_is_used(p);
}

/* Adds up what was promised in vain since the interval was last narrowed. */
static bool plan_stalled(sc_plan *p)
{
  const sc_plan_state *s = &p->state;
  bool narrowed = s->width < p->best_width * (1 - p->options.least_gain);
  if (narrowed)
    p->vain = 0;
  else if (s->expected > 0)
    p->vain += fmax(0, log(s->previous_width / s->expected));
  p->best_width = fmin(p->best_width, s->width);
  return p->vain > log(SC_PLAN_PROMISED);
}

/* What the last step, if it repeated a size, brought of what it promised. */
static void weigh_repeats(sc_plan *p)
{
  sc_plan_state *s = &p->state;
  if (p->last.reason != SC_PLAN_REPEAT || !(s->expected > 0) || !(s->width > 0))
    return;
  p->hoped += log(s->previous_width / s->expected);
  p->gained += log(s->previous_width / s->width);
  s->repeats_fail = p->hoped > log(SC_PLAN_REPEATS_PROMISED) && p->gained < SC_PLAN_REPEATS_KEPT * p->hoped;
}

static enum sc_plan_reason reason_of(const sc_plan *p, const sc_plan_choice *choice)
{
  const sc_plan_view *view = &p->outlook.views[choice->mainly];
  if (choice->before > 0)
    return SC_PLAN_REPEAT;
  if (view->deciding > 0)
    return SC_PLAN_DECIDE;
  return sc_plan_view_between(view) > 0.5 ? SC_PLAN_SEPARATE : SC_PLAN_NARROW;
}

static int choose_plan(sc_plan *p, const sc_plan_data *data)
{
  static const enum sc_plan_stop stops[] = {[SC_PLAN_OVER_LIMIT] = SC_PLAN_TOO_SLOW,
                                            [SC_PLAN_OVER_BUDGET] = SC_PLAN_BUDGET,
                                            [SC_PLAN_NOTHING] = SC_PLAN_NO_GAIN};
  sc_plan_choice choice;
  SC_TRY(sc_plan_outlook_choose(&p->outlook, p->fit, &p->options, data, &p->state, &choice));
  if (choice.outcome != SC_PLAN_FOUND) {
    p->state.stop = stops[choice.outcome];
    p->state.seconds = choice.seconds;
    return 0;
  }
  p->state.expected = choice.width;
  p->state.seconds = choice.seconds;
  return enqueue_plan(p, choice.n, (unsigned)(choice.before + choice.runs), reason_of(p, &choice));
}

/* Undecided series hardly matter for the total here, but whoever reads about them wants to know. */
static int try_untold(sc_plan *p, const sc_plan_data *data)
{
  double n = 0;
  if (p->state.untold && p->outlook.size_count < p->options.initial_count + SC_PLAN_TRIES && data->left > 0)
    SC_TRY(sc_plan_outlook_untold(&p->outlook, p->fit, &p->options, data, &n));
  if (n > 0 && !sc_sizes_has(&p->used, n))
    return enqueue_plan(p, n, p->options.repeats, SC_PLAN_DECIDE);
  p->state.stop = SC_PLAN_ACCURATE;
  return 0;
}

/* Stops, after a check for which there is time. */
static int check_or_stop(sc_plan *p, const sc_plan_data *data)
{
  const sc_plan_options *o = &p->options;
  double n = 0, seconds = 0;
  if (wants_check(p))
    SC_TRY(sc_plan_outlook_check(&p->outlook, p->fit, o, data, &p->state, &n, &seconds));
  if (!(n > 0) || seconds * o->repeats > data->left)
    return try_untold(p, data);
  p->checked = true;
  return enqueue_plan(p, n, o->repeats, SC_PLAN_CHECK);
}

static int decide_plan(sc_plan *p, const sc_plan_data *data)
{
  sc_plan_state *s = &p->state;
  SC_TRY(sc_plan_outlook_run(&p->outlook, p->fit, &p->options, &p->used, data, s));
  s->iteration++;
  bool vain = plan_stalled(p);
  weigh_repeats(p);
  s->expected = -1;
  if (s->width <= p->options.precision)
    return check_or_stop(p, data);
  if (s->iteration > p->options.max_iterations || vain) {
    s->stop = vain ? SC_PLAN_STALLED : SC_PLAN_EXHAUSTED;
    return 0;
  }
  return choose_plan(p, data);
}

static bool is_near_used(const sc_plan *p, double n)
{
  for (size_t i = 0; i < p->used.count; i++)
    if (n <= p->used.n[i] * SC_PLAN_CHECK_APART && p->used.n[i] <= n * SC_PLAN_CHECK_APART)
      return true;
  return false;
}

/* Replaces a size that seems too slow by one on the way there, where runs so far take mostly their start: on a busy
 * machine an estimate far beyond them is worth little. n stays the same where no size is fast enough. */
static int come_nearer(sc_plan *p, const sc_plan_data *data, double *n, double *seconds)
{
  double largest = largest_of(&p->used), nearer = *n, there = *seconds, first, last;
  SC_TRY(sc_plan_outlook_seconds(&p->outlook, p->fit, data, p->options.low, &first));
  SC_TRY(sc_plan_outlook_seconds(&p->outlook, p->fit, data, largest, &last));
  while (last < SC_PLAN_START * first && there > data->limit && sqrt(nearer * largest) >= SC_PLAN_NEARER * largest) {
    nearer = sqrt(nearer * largest);
    nearer = p->options.integer_sizes ? ceil(nearer) : nearer;
    SC_TRY(sc_plan_outlook_seconds(&p->outlook, p->fit, data, nearer, &there));
  }
  if (there <= data->limit && !is_near_used(p, nearer)) {
    *n = nearer;
    *seconds = there;
  }
  return 0;
}

/* What the series need is done; what else needs a size may have it, if a run there takes no longer than it may. */
static int go_further(sc_plan *p, const sc_plan_data *data)
{
  const sc_plan_options *o = &p->options;
  double n = 0, seconds;
  SC_TRY(data->further(data->user, &n));
  n = fmin(o->integer_sizes ? ceil(n) : n, o->integer_sizes ? floor(o->high) : o->high);
  if (!(n > 0) || is_near_used(p, n))
    return 0;
  SC_TRY(sc_plan_outlook_seconds(&p->outlook, p->fit, data, n, &seconds));
  if (seconds > data->limit)
    SC_TRY(come_nearer(p, data, &n, &seconds));
  if (seconds > data->limit)
    return 0;
  if (seconds * o->repeats > data->left) {
    p->state.lacking = seconds * o->repeats;
    return 0;
  }
  p->state.stop = SC_PLAN_RUNNING;
  return enqueue_plan(p, n, o->repeats, SC_PLAN_FURTHER);
}

int sc_plan_next(sc_plan *p, const sc_plan_data *data, sc_plan_step *step)
{
  p->started = true;
  SC_TRY(enqueue_given(p));
  if (!p->queued && p->state.stop == SC_PLAN_RUNNING)
    SC_TRY(decide_plan(p, data));
  if (!p->queued && data->further && !p->no_further && p->state.stop != SC_PLAN_EXHAUSTED)
    SC_TRY(go_further(p, data));
  if (!p->queued)
    return 0;
  p->queued = false;
  p->last = *step = p->queue;
  return 1;
}

bool sc_plan_decides(const sc_plan *p)
{
  return p->initial_done == p->options.initial_count && p->known_done == p->known.count;
}

/* What takes the place of the last step; 0: nothing. */
static double replace_last_step(sc_plan *p, double wanted)
{
  enum sc_plan_reason reason = p->last.reason;
  double largest = largest_of(&p->used);
  p->no_further |= reason == SC_PLAN_FURTHER;
  if (reason == SC_PLAN_INITIAL) /* the others are run all the same, and say more of what can be run */
    return wanted > 0 ? sc_sizes_up_to(&p->used, wanted, p->options.integer_sizes) : 0;
  if (wanted > 0 && reason == SC_PLAN_CHECK)
    return wanted > largest * SC_PLAN_CHECK_APART ? (p->options.integer_sizes ? floor(wanted) : wanted) : 0;
  p->gaps_closed |= p->last.n < largest;
  if (p->gaps_closed)
    p->options.low = fmax(p->options.low, largest * SC_PLAN_CHECK_APART);
  if (p->last.n > largest)
    p->options.high = fmin(p->options.high, p->last.n * SC_PLAN_NEARLY);
  return 0;
}

int sc_plan_replace(sc_plan *p, double wanted, sc_plan_step *step)
{
  if (!(p->last.n > 0) || !(wanted < p->last.n))
    return sc_err_set(SC_E_INTERNAL, "only the step handed out last can be replaced, by a smaller size");
  sc_sizes_remove(&p->used, p->last.n);
  p->last.n = replace_last_step(p, wanted);
  *step = p->last;
  return p->last.n > 0 ? sc_sizes_add(&p->used, p->last.n) : 0;
}

sc_plan_state sc_plan_status(const sc_plan *p) { return p->state; }

const char *sc_plan_reason_text(enum sc_plan_reason reason)
{
  switch (reason) {
  case SC_PLAN_INITIAL:
    return "one of the first sizes";
  case SC_PLAN_MEASURED:
    return "measured before";
  case SC_PLAN_CHECK:
    return "to check the models at a size that they have not seen";
  case SC_PLAN_NARROW:
    return "narrows the prediction";
  case SC_PLAN_SEPARATE:
    return "tells rival models apart";
  case SC_PLAN_DECIDE:
    return "may show how an undecided count grows";
  case SC_PLAN_FURTHER:
    return "may show whether an execution takes longer at larger sizes";
  case SC_PLAN_REPEAT:
    return "again, against noise";
  }
  return "unknown";
}

const char *sc_plan_stop_text(enum sc_plan_stop stop)
{
  switch (stop) {
  case SC_PLAN_RUNNING:
    return "still running";
  case SC_PLAN_ACCURATE:
    return "target precision reached for the total count";
  case SC_PLAN_BUDGET:
    return "a size that would narrow the prediction takes longer than what is left of the time";
  case SC_PLAN_TOO_SLOW:
    return "a size that would narrow the prediction takes longer than a run may";
  case SC_PLAN_NO_GAIN:
    return "no size is expected to narrow the prediction any more";
  case SC_PLAN_STALLED:
    return "further sizes did not narrow the prediction";
  case SC_PLAN_EXHAUSTED:
    return "the number of iterations is used up";
  }
  return "unknown";
}

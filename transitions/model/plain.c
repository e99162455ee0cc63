/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/plain.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/model/added.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/measured.h"
#include "transitions/model/tuning.h"

/* Pairs of runs of one size. */
typedef struct size_pairs {
  double n, pairs;
  double plain, instrumented; /* processor seconds, means */
  double logs, squares;       /* of the logarithms of their ratios: sums */
} size_pairs;

static bool same_size(const sc_run *a, const sc_run *b)
{
  return a->n == b->n && memcmp(a->others, b->others, sizeof a->others) == 0;
}

/* The instrumented run of the same size that was made nearest in time; NULL if that size has no such run. */
static const sc_run *plain_partner(const sc_graph *graph, const sc_run *plain)
{
  const sc_run *nearest = NULL;
  for (size_t r = 0; r < sc_graph_run_count(graph); r++) {
    const sc_run *run = sc_graph_run_const(graph, r);
    if (same_size(run, plain) && sc_run_processor(run) > 0 &&
        (!nearest || llabs(run->id - plain->id) < llabs(nearest->id - plain->id)))
      nearest = run;
  }
  return nearest;
}

/* Of the plain program that ran last: it may have been built anew. */
static bool is_current(const sc_graph *plain, const sc_run *run)
{
  size_t count = sc_graph_run_count(plain);
  return strcmp(run->build, sc_graph_run_const(plain, count - 1)->build) == 0;
}

/* Logarithms of ratios, as the two runs of a pair share the machine's mood, which changes between pairs. */
static void add_pair(size_pairs *sizes, size_t *count, const sc_run *plain, const sc_run *instrumented)
{
  size_t i = 0;
  while (i < *count && sizes[i].n != plain->n)
    i++;
  if (i == *count)
    sizes[(*count)++] = (size_pairs){.n = plain->n};
  size_pairs *s = &sizes[i];
  double ratio = log(sc_run_processor(plain) / sc_run_processor(instrumented));
  s->plain += sc_run_processor(plain);
  s->instrumented += sc_run_processor(instrumented);
  s->logs += ratio;
  s->squares += ratio * ratio;
  s->pairs++;
}

static int compare_sizes(const void *a, const void *b)
{
  const size_pairs *x = a, *y = b;
  return SC_COMPARE(x->n, y->n);
}

/* Half-width at 95 % of a size's mean ratio, relative. */
static double ratio_error(const size_pairs *s)
{
  double free = s->pairs - 1;
  if (free < 1)
    return SC_PLAIN_ONE_PAIR;
  double variance = fmax(0, s->squares - s->logs * s->logs / s->pairs) / free;
  return gsl_cdf_tdist_Pinv(0.975, free) * fmax(SC_PLAIN_ERROR, sqrt(variance / s->pairs));
}

/* plain = start + factor * instrumented through the sizes: what is added once a process stands in `start`. */
static bool fit_plain_line(const size_pairs *sizes, size_t count, sc_plain *out)
{
  double most = 0, least = INFINITY, w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, sizes[i].instrumented);
    least = fmin(least, sizes[i].instrumented);
  }
  if (count < 2 || most < SC_PLAIN_APART * least)
    return false;
  for (size_t i = 0; i < count; i++) {
    double q = sizes[i].instrumented, scale = fmax(q, fmax(SC_PLAIN_SCATTER, SC_SECONDS_SMALL * most)),
           u = 1 / (scale * scale);
    w += u, x += u * q, y += u * sizes[i].plain, xx += u * q * q, xy += u * q * sizes[i].plain;
  }
  double factor = (w * xy - x * y) / (w * xx - x * x);
  if (!(factor > SC_PLAIN_FACTOR_LEAST && factor < SC_PLAIN_FACTOR_MOST))
    return false;
  out->factor = factor;
  out->start = (y - factor * x) / w;
  return true;
}

static void find_factor(size_pairs *sizes, size_t count, sc_plain *out)
{
  for (size_t i = 0; i < count; i++) {
    sizes[i].plain /= sizes[i].pairs;
    sizes[i].instrumented /= sizes[i].pairs;
  }
  qsort(sizes, count, sizeof *sizes, compare_sizes);
  const size_pairs *largest = &sizes[count - 1];
  double ratio = largest->plain / largest->instrumented, error = ratio_error(largest);
  if (!fit_plain_line(sizes, count, out))
    out->factor = ratio;
  /* What the line and the plain ratio disagree about is not known: the mix of what is executed may change. */
  out->doubt = hypot(error, (out->factor - ratio) / ratio);
  out->low = sizes[0].n;
  out->high = largest->n;
  out->slowdown = 1 / ratio;
  out->slowdown_low = exp(-error) / ratio;
  out->slowdown_high = exp(error) / ratio;
}

/* The truth lies between nothing and twice as much. */
static void estimate_plain(const sc_graph *graph, sc_plain *out)
{
  out->estimated = sc_added_share(graph);
  out->factor = 1 - fmax(0, out->estimated);
  out->doubt = (1 - out->factor) / out->factor;
}

int sc_plain_find(const sc_graph *graph, const sc_graph *plain, sc_plain *out)
{
  size_t count = 0, all = sc_graph_run_count(plain);
  double waited[2] = {0, 0}, elapsed = 0;
  *out = (sc_plain){.factor = 1, .waits = 1};
  size_pairs *sizes;
  SC_TRY(SC_NEW(sizes, all));
  for (size_t r = 0; r < all; r++) {
    const sc_run *run = sc_graph_run_const(plain, r), *other = plain_partner(graph, run);
    if (!other || !is_current(plain, run) || !(sc_run_processor(run) > 0))
      continue;
    add_pair(sizes, &count, run, other);
    waited[0] += sc_elapsed_of_run(run).waiting;
    waited[1] += sc_elapsed_of_run(other).waiting;
    elapsed += other->wall_seconds;
    out->runs++;
  }
  if (count)
    find_factor(sizes, count, out);
  else
    estimate_plain(graph, out);
  if (waited[0] > SC_PLAIN_WAITS * elapsed && waited[1] > SC_PLAIN_WAITS * elapsed)
    out->waits = waited[0] / waited[1];
  free(sizes);
  return 0;
}

/* Means of the plain program's runs at the size of a target. */
typedef struct actual {
  double runs, processor, wall, waiting;
} actual;

/* Where the plain program itself was run at a target there is nothing to correct: its times are the answer. */
static actual ran_at(const sc_graph *plain, const sc_run *target)
{
  actual a = {0};
  bool wanted = target->role == SC_RUN_TARGET || target->role == SC_RUN_VARIED_TARGET;
  for (size_t r = 0; wanted && r < sc_graph_run_count(plain); r++) {
    const sc_run *run = sc_graph_run_const(plain, r);
    if (!same_size(run, target) || !is_current(plain, run))
      continue;
    a.runs++;
    a.processor += sc_run_processor(run);
    a.wall += run->wall_seconds;
    a.waiting += sc_elapsed_of_run(run).waiting;
  }
  if (a.runs > 0)
    a.processor /= a.runs, a.wall /= a.runs, a.waiting /= a.runs;
  return a;
}

/* The context that has what belongs to no function: the process that cost most. */
static uint32_t process_of(const double *costs, const sc_graph *graph)
{
  uint32_t found = 0;
  double most = -1;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    if (costs[c] > most && sc_graph_at(graph, c)->kind == SC_LOCATION_PROCESS) {
      most = costs[c];
      found = c;
    }
  return found;
}

/* Instrumentation adds time, not cache misses or branches: counts of such events stay as they were sampled. */
static int scale_costs(sc_graph *graph, size_t run, double factor, double start)
{
  double *costs;
  bool timed = sc_measured_is_clock(sc_graph_run_const(graph, run)->cost_event);
  if (!timed || !sc_graph_has_values(graph, run, SC_METRIC_COST))
    return 0;
  SC_TRY(sc_graph_values(graph, run, SC_METRIC_COST, &costs));
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    if (costs[c] > 0)
      costs[c] *= factor;
  if (start != 0) {
    uint32_t process = process_of(costs, graph);
    costs[process] = fmax(0, costs[process] + start);
  }
  return 0;
}

static void scale_waits(sc_run *run, double factor)
{
  for (int k = SC_WAIT_RUNNABLE + 1; k < SC_WAIT_KINDS && run->has_waits; k++)
    run->waits[k] *= factor;
}

static int apply_to_run(const sc_plain *plain, const sc_graph *runs, sc_graph *graph, size_t number)
{
  sc_run *run = sc_graph_run(graph, number);
  sc_elapsed_run before = sc_elapsed_of_run(run);
  double used = before.processor;
  double factor = plain->factor, start = plain->start, waits = plain->waits;
  actual a = ran_at(runs, run);
  if (a.runs > 0 && used > 0) {
    factor = a.processor / used;
    start = 0;
    waits = before.waiting > 0 ? a.waiting / before.waiting : 1;
  }
  SC_TRY(scale_costs(graph, number, factor, start));
  double share = used > 0 ? fmax(factor + start / used, SC_PLAIN_FACTOR_LEAST) : 1;
  run->user_seconds *= share;
  run->system_seconds *= share;
  scale_waits(run, waits);
  run->wall_seconds = a.runs > 0 ? a.wall : share * before.on + before.ready + waits * before.waiting;
  return 0;
}

static void take_away(sc_graph *graph)
{
  for (size_t r = 0; r < sc_graph_run_count(graph); r++) {
    sc_run *run = sc_graph_run(graph, r);
    run->wall_seconds = run->user_seconds = run->system_seconds = 0;
    run->has_waits = false;
  }
}

int sc_plain_apply(const sc_plain *plain, const sc_graph *runs, sc_graph *graph)
{
  if (plain->taken_away) {
    take_away(graph);
    return 0;
  }
  for (size_t r = 0; r < sc_graph_run_count(graph); r++)
    SC_TRY(apply_to_run(plain, runs, graph, r));
  return 0;
}

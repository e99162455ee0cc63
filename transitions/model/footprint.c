/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the memory in use grows, and what that adds to the time once it leaves the caches. */
#include "transitions/model/footprint.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/graph/usage.h"
#include "regress/core/line.h"
#include "transitions/model/time_points.h"
#include "transitions/model/tuning.h"

enum { STEPS = 100 };

/* A size: its time, what the costs of its executions make of it, and a step's time by that at the largest size. */
typedef struct evidence {
  double seconds, error; /* error: standard deviation, in seconds */
  double steady, step;
} evidence;

static double heap_of(const sc_graph *graph, size_t run)
{
  size_t count;
  double bytes = 0;
  const sc_occupancy *all = sc_usage_occupancies(graph, run, &count);
  for (size_t i = 0; i < count; i++)
    if (sc_resource_class_memory(sc_usage_resource_at(graph, all[i].resource)->resource_class))
      bytes += all[i].peak;
  return bytes;
}

static double resident_of(const sc_graph *graph, size_t run)
{
  return 1024.0 * (double)sc_graph_run_const(graph, run)->max_rss_kib;
}

/* One point a size, of the run that had most. */
static size_t memory_points(const sc_analysis *a, double (*bytes_of)(const sc_graph *, size_t), double error,
                            sc_power_point *points)
{
  size_t count = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    double bytes = bytes_of(a->graph, a->runs[i]);
    if (!(bytes > 0))
      continue;
    if (!count || points[count - 1].n != a->sizes[i])
      count++, points[count - 1].y = 0;
    sc_power_point *point = &points[count - 1];
    point->n = a->sizes[i];
    point->y = fmax(point->y, bytes);
    point->error = hypot(SC_FOOTPRINT_MEMORY, error / point->y);
  }
  return count;
}

/* Memory that grows faster than all counts would have to be taken without being touched. */
static double footprint_steepest(const sc_analysis *a)
{
  double most = 1;
  for (size_t i = 0; i < a->counts.count; i++)
    if (a->models[i].verdict == SC_VERDICT_MODEL)
      most = fmax(most, a->models[i].order.exponent);
  return fmin(most, SC_POWER_MOST);
}

/* Two or three sizes: the power through the outer ones. */
static void join_ends(const sc_power_point *points, size_t count, sc_power *fit)
{
  const sc_power_point *first = &points[0], *last = &points[count - 1];
  double exponent = log(last->y / first->y) / log(last->n / first->n);
  *fit = (sc_power){.exponent = fmin(fmax(exponent, 0), SC_POWER_MOST), .at_largest = last->y};
}

static bool fit_points(const sc_analysis *a, const sc_power_point *points, size_t count, struct sc_footprint *f)
{
  sc_power fit;
  if (count < 2)
    return false;
  if (!sc_power_fit(points, count, points[count - 1].n, &fit))
    join_ends(points, count, &fit);
  *f = (struct sc_footprint){.size = points[count - 1].n,
                             .start = fit.start,
                             .at_size = fit.at_largest,
                             .exponent = fmin(fit.exponent, footprint_steepest(a))};
  f->grows = f->at_size > 0 && f->exponent > 0;
  return true;
}

/* What the program allocated; resident memory beyond what a process has at its start, where that is more: allocations
 * of libraries are not seen. */
static void fit_memory(sc_analysis *a, sc_power_point *points)
{
  struct sc_footprint heap = {0}, resident = {0};
  fit_points(a, points, memory_points(a, heap_of, 0, points), &heap);
  if (fit_points(a, points, memory_points(a, resident_of, SC_FOOTPRINT_STEP, points), &resident))
    resident.start = 0;
  bool seen = resident.at_size <= heap.start + heap.at_size + 2 * SC_FOOTPRINT_STEP;
  a->footprint = heap.grows && seen ? heap : resident.at_size > 2 * SC_FOOTPRINT_STEP ? resident : heap;
}

double sc_footprint_bytes(const sc_analysis *a, double n)
{
  const struct sc_footprint *f = &a->footprint;
  return f->size > 0 ? f->start + f->at_size * pow(n / f->size, f->exponent) : 0;
}

double sc_footprint_step(const sc_analysis *a, double n)
{
  const sc_latency *latency = &a->options.latency;
  double largest = a->sizes[a->run_count - 1];
  return sc_latency_step(latency, sc_footprint_bytes(a, n)) / sc_latency_step(latency, sc_footprint_bytes(a, largest));
}

double sc_footprint_steady(const sc_analysis *a, double n)
{
  double sum = 0;
  for (size_t i = 0; i < a->total.count; i++) {
    const sc_blend_part *part = &a->total.parts[i];
    if (part->model != SC_SERIES_ONE && part->value > 0)
      sum += part->value * sc_model_value(&a->models[part->model], n);
  }
  return sum;
}

static double footprint_carried(const evidence *e, double share) { return e->steady * (1 - share + share * e->step); }

/* chi squared of: seconds = start + factor * steady * (1 - share + share * step), neither part negative. */
static double chi_squared(const evidence *e, size_t count, double share)
{
  double sum = 0;
  sc_line_sums sums = {0};
  for (size_t i = 0; i < count; i++)
    sc_line_add(&sums, footprint_carried(&e[i], share), e[i].seconds, e[i].error);
  sc_line line = sc_line_fit(&sums);
  for (size_t i = 0; i < count; i++)
    sum += sc_line_miss(&line, footprint_carried(&e[i], share), e[i].seconds, e[i].error);
  return sum;
}

/* How likely the share is this or less before any time is seen: of programs that seldom go to another line, it ends at
 * `most`. */
static double prior_share(double share, double most)
{
  double seldom = pow(fmin(1, share / most), SC_FOOTPRINT_PRIOR), often = pow(share, SC_FOOTPRINT_PRIOR);
  return (1 - SC_FOOTPRINT_CHAINS) * seldom + SC_FOOTPRINT_CHAINS * often;
}

/* How likely the times of all sizes make each share that the time waits for memory at the largest size. */
static void weigh_shares(const evidence *e, size_t count, double likely[STEPS + 1])
{
  double best = INFINITY;
  for (int k = 0; k <= STEPS; k++) {
    likely[k] = count >= SC_FOOTPRINT_SIZES ? chi_squared(e, count, (double)k / STEPS) : 0;
    best = fmin(best, likely[k]);
  }
  double spread = count >= SC_FOOTPRINT_SIZES ? fmax(1, best / (double)(count - SC_FOOTPRINT_SIZES + 1)) : 1;
  for (int k = 0; k <= STEPS; k++)
    likely[k] = exp((best - likely[k]) / (2 * spread));
}

/* That share, at most: the quantile of what the prior and the times make likely. */
static double most_waiting(const double likely[STEPS + 1], double most)
{
  double weight[STEPS + 1], sum = 0, all = 0;
  for (int k = 0; k <= STEPS; k++) {
    double prior = prior_share(fmin(1, (k + 0.5) / STEPS), most) - prior_share(fmax(0, (k - 0.5) / STEPS), most);
    weight[k] = prior * likely[k];
    all += weight[k];
  }
  int share = 0;
  while (share < STEPS && (sum += weight[share]) < SC_FOOTPRINT_QUANTILE * all)
    share++;
  return (double)share / STEPS;
}

static double largest_bytes(const sc_analysis *a) { return sc_footprint_bytes(a, a->sizes[a->run_count - 1]); }

/* What a step took in the runs of the largest size. */
static double step_had(const sc_latency *latency, double bytes)
{
  return sqrt(sc_latency_step(latency, bytes) * sc_latency_fast_step(latency, bytes));
}

/* What the predicted time is made of: places whose executions take long enough to wait for a line each, with those
 * apart that go over what is there again and again, and functions that go over memory in order. */
static void divide_time(sc_analysis *a)
{
  struct sc_footprint *f = &a->footprint;
  double n = sc_analysis_horizon(a), all = 0, walked = 0, dependent = 0, streamed = 0;
  double step = sc_latency_step(&a->options.latency, largest_bytes(a));
  for (uint32_t c = 0; c < a->contexts; c++) {
    const sc_load *load = sc_analysis_load(a, c);
    if (!sc_analysis_has(a, c) || !load->counted || !(load->each > 0))
      continue;
    double cost = load->ratio * load->each * sc_model_value(&a->models[load->model], n);
    bool work = sc_graph_at(a->graph, c)->kind == SC_LOCATION_WORK;
    all += cost;
    streamed += work ? cost : 0;
    if (work || load->each < fmax(SC_FOOTPRINT_DEPENDENT * step, SC_FOOTPRINT_DEPENDENT_LEAST))
      continue;
    *(a->models[load->model].order.exponent >= SC_ORDER_SUPERLINEAR ? &walked : &dependent) += cost;
  }
  f->walked = all > 0 ? walked / all : 0;
  f->dependent = all > 0 ? dependent / all : 1;
  f->streamed = all > 0 ? streamed / all : 0;
}

static int weigh_times(sc_analysis *a, sc_power_point *points, evidence *e)
{
  size_t count;
  double likely[STEPS + 1];
  SC_TRY(sc_time_points(a, points, &count));
  for (size_t i = 0; i < count; i++)
    e[i] = (evidence){.seconds = points[i].y,
                      .error = hypot(points[i].error, SC_FOOTPRINT_SHAPE) * points[i].y,
                      .steady = sc_footprint_steady(a, points[i].n),
                      .step = sc_footprint_step(a, points[i].n)};
  weigh_shares(e, count, likely);
  a->footprint.waiting = most_waiting(likely, 1);
  a->footprint.seldom =
      most_waiting(likely, fmin(1, step_had(&a->options.latency, largest_bytes(a)) / SC_FOOTPRINT_OFTEN));
  divide_time(a);
  return 0;
}

static bool is_timed(const sc_analysis *a)
{
  return a->sampled && sc_analysis_timed(a) && a->options.fit.engine != SC_FIT_DELTA_INFER;
}

int sc_footprint_load(sc_analysis *a)
{
  sc_power_point *points;
  SC_TRY(SC_NEW(points, a->run_count));
  fit_memory(a, points);
  free(points);
  return 0;
}

int sc_footprint_weigh(sc_analysis *a)
{
  int err = SC_E_NOMEM;
  if (!a->footprint.grows || !is_timed(a))
    return 0;
  sc_power_point *points = sc_mem_new(a->run_count, sizeof *points);
  evidence *e = sc_mem_new(a->run_count, sizeof *e);
  if (points && e)
    err = weigh_times(a, points, e);
  free(points);
  free(e);
  return err;
}

/* Three kinds of accesses get dearer when data outgrow a cache, each differently: those that depend on each other by
 * the latency's rise, streamed ones by the root of it, and the others, which overlap, by a bounded factor. */
double sc_footprint_factor(const sc_analysis *a, double n)
{
  if (!a->footprint.grows || !(n > a->sizes[a->run_count - 1]))
    return 1;
  const struct sc_footprint *f = &a->footprint;
  double before = largest_bytes(a), after = sc_footprint_bytes(a, n);
  const sc_latency *latency = &a->options.latency;
  bool shared = a->busy >= SC_TIME_GROWTH_BUSY;
  double most = shared ? sc_latency_likely_most(latency, after) : sc_latency_most_step(latency, after);
  double rise = fmax(0, most / step_had(latency, before) - 1), streamed = sqrt(1 + rise) - 1;
  double hot = pow(after / before, SC_FOOTPRINT_HOT) - 1;
  double overlapped = fmin(fmax(rise, hot), SC_FOOTPRINT_OVERLAPPED - 1);
  double rest = fmax(0, 1 - f->walked - f->dependent - f->streamed);
  return 1 + f->seldom * f->dependent * rise +
         f->waiting * (f->walked * rise + f->streamed * streamed + rest * overlapped);
}

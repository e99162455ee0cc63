/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/elsewhere.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/surface/surface.h"
#include "transitions/resources/finish.h"
#include "transitions/resources/judge.h"

struct sc_resources_place {
  sc_resources_runs runs;
  double others[SC_SURFACE_PARAMETERS];
  sc_resources *all; /* gathered from all runs; its cells are numbered as those of the place */
  sc_surface_engine *engine;
};

static const double *at(const sc_resources_runs *runs, size_t i) { return runs->at + i * runs->parameters; }

/* How far a run's values of further parameters are from the place's. */
static double distance(const sc_resources_place *p, size_t i)
{
  double sum = 0;
  for (size_t k = 1; k < p->runs.parameters; k++)
    sum += fabs(log(at(&p->runs, i)[k] / p->others[k - 1]));
  return sum;
}

static bool whole(double value) { return value == floor(value) && value < 0x1p53; }

/* Whole numbers that repeats agree on: what threads make of each other's timing is a measurement. */
static bool exact_counts(const sc_resources_runs *runs, const double *points, const double *y, size_t count)
{
  size_t bytes = runs->parameters * sizeof *points;
  for (size_t i = 0; i < count; i++) {
    if (!whole(y[i]))
      return false;
    for (size_t k = 0; k < i; k++)
      if (y[k] != y[i] && memcmp(points + k * runs->parameters, points + i * runs->parameters, bytes) == 0)
        return false;
  }
  return true;
}

/* The model of the first parameter at the place. Numbers that no surface fits are no error, but cannot tell. */
static int fit(const sc_resources_place *p, const double *points, const double *y, size_t count, bool counts,
               sc_model *model)
{
  const sc_resources_runs *runs = &p->runs;
  double there[SC_SURFACE_PARAMETERS] = {at(runs, 0)[0]};
  const sc_surface_series series = {.at = points,
                                    .y = y,
                                    .count = count,
                                    .parameters = runs->parameters,
                                    .counts = counts && exact_counts(runs, points, y, count),
                                    .names = runs->names};
  sc_surface *surface = sc_mem_new(1, sizeof *surface);
  if (!surface)
    return SC_E_NOMEM;
  memcpy(there + 1, p->others, (runs->parameters - 1) * sizeof *there);
  *model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL};
  int err = sc_surface_run(p->engine, &series, surface);
  if (err == 0)
    err = sc_surface_slice(surface, there, 0, model);
  free(surface);
  return err == SC_E_NUMERIC ? 0 : err;
}

static bool is_count(int metric)
{
  return metric <= SC_RMETRIC_PEAK || metric == SC_RMETRIC_THREADS || metric == SC_RMETRIC_INSTANCES;
}

typedef struct points {
  double *at, *y; /* [count][parameters], [count] */
  size_t *runs;   /* [count] positions */
  size_t count;
} points;

static void free_points(points *list)
{
  free(list->at);
  free(list->y);
  free(list->runs);
}

static int new_points(const sc_resources_place *p, points *list)
{
  *list = (points){.at = sc_mem_new(p->runs.count * p->runs.parameters + 1, sizeof *list->at),
                   .y = sc_mem_new(p->runs.count + 1, sizeof *list->y),
                   .runs = sc_mem_new(p->runs.count + 1, sizeof *list->runs)};
  return list->at && list->y && list->runs ? 0 : SC_E_NOMEM;
}

static int gather(const sc_resources_place *p, const sc_rcell *cell, int metric, points *list)
{
  size_t parameters = p->runs.parameters;
  SC_TRY(new_points(p, list));
  for (size_t i = 0; i < p->runs.count; i++) {
    if (!sc_rmetric_value(p->all, cell, i, metric, &list->y[list->count]))
      continue;
    memcpy(list->at + list->count * parameters, at(&p->runs, i), parameters * sizeof *list->at);
    list->runs[list->count++] = i;
  }
  return 0;
}

/* ---- times that no model describes ---- */

/*
 * A power law in all parameters, by least squares in logarithms over the means of the points, cut at the place: what
 * sc_trend is for one parameter. ln y = level + sum of slopes (ln x - centre).
 */
enum { COEFFICIENTS = 1 + SC_SURFACE_PARAMETERS };
struct sc_rplane {
  size_t count;                /* of coefficients */
  double values[COEFFICIENTS]; /* the level, and the slopes */
  bool certain[COEFFICIENTS];  /* an uncertain slope counts as 0 for the value, and as itself for the interval */
  double covariance[COEFFICIENTS][COEFFICIENTS];
  double centre, away[COEFFICIENTS]; /* of the first parameter; of the others at the place, from their centres */
  double quantile;
};

/* Means of the logarithms at each distinct point: x [count][parameters], y [count]; what is 0 has none. */
static size_t log_means(const points *list, size_t parameters, double *x, double *y, double *weights)
{
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    const double *from = list->at + i * parameters;
    size_t k = 0;
    if (!(list->y[i] > 0))
      continue;
    while (k < count && memcmp(x + k * parameters, from, parameters * sizeof *x) != 0)
      k++;
    if (k == count) {
      memcpy(x + count * parameters, from, parameters * sizeof *x);
      y[count] = weights[count] = 0;
      count++;
    }
    y[k] += log(list->y[i]);
    weights[k]++;
  }
  for (size_t i = 0; i < count; i++)
    y[i] /= weights[i];
  for (size_t i = 0; i < count * parameters; i++)
    x[i] = log(x[i]);
  return count;
}

static int solve_plane(struct sc_rplane *plane, const double *x, const double *y, size_t count, double level)
{
  int err = SC_E_NOMEM;
  double chisq, degrees = (double)(count - plane->count);
  gsl_matrix *design = gsl_matrix_alloc(count, plane->count);
  gsl_matrix *covariance = gsl_matrix_alloc(plane->count, plane->count);
  gsl_vector *values = gsl_vector_alloc(count), *found = gsl_vector_alloc(plane->count);
  gsl_multifit_linear_workspace *room = gsl_multifit_linear_alloc(count, plane->count);
  if (!design || !covariance || !values || !found || !room)
    goto out;
  for (size_t i = 0; i < count; i++) {
    gsl_vector_set(values, i, y[i]);
    for (size_t k = 0; k < plane->count; k++)
      gsl_matrix_set(design, i, k, k ? x[i * (plane->count - 1) + k - 1] : 1);
  }
  err = gsl_multifit_linear(design, values, found, covariance, &chisq, room) ? SC_E_NUMERIC : 0;
  SC_GOTO(err);
  double variance = chisq / degrees, least = SC_TREND_TIMES * SC_TREND_TIMES;
  double widen = variance >= least ? 1 : variance > 0 ? least / variance : 0;
  plane->quantile = gsl_cdf_tdist_Pinv(0.5 + level / 2, degrees);
  for (size_t k = 0; k < plane->count; k++) {
    plane->values[k] = gsl_vector_get(found, k);
    for (size_t m = 0; m < plane->count; m++)
      plane->covariance[k][m] = widen * gsl_matrix_get(covariance, k, m);
    plane->certain[k] = k == 0 || fabs(plane->values[k]) > plane->quantile * sqrt(fmax(0, plane->covariance[k][k]));
  }
out:
  gsl_matrix_free(design);
  gsl_matrix_free(covariance);
  gsl_vector_free(values);
  gsl_vector_free(found);
  if (room)
    gsl_multifit_linear_free(room);
  return err;
}

/* Takes the means out of the points; false where a parameter has fewer than three values, or points are too few. */
static bool centre_plane(const sc_resources_place *p, struct sc_rplane *plane, double *x, size_t count)
{
  size_t parameters = p->runs.parameters;
  plane->count = 1 + parameters;
  if (count < plane->count + 2)
    return false;
  for (size_t k = 0; k < parameters; k++) {
    double sum = 0;
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
      size_t same = 0;
      while (x[same * parameters + k] != x[i * parameters + k])
        same++;
      distinct += same == i;
      sum += x[i * parameters + k];
    }
    if (distinct < 3)
      return false;
    double centre = sum / (double)count;
    if (k)
      plane->away[1 + k] = log(p->others[k - 1]) - centre;
    else
      plane->centre = centre;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < parameters; k++)
      x[i * parameters + k] -= k ? log(p->others[k - 1]) - plane->away[1 + k] : plane->centre;
  return true;
}

static int fit_plane(const sc_resources *r, const points *list, struct sc_rplane **out)
{
  size_t parameters = r->place->runs.parameters;
  int err = SC_E_NOMEM;
  double *x = sc_mem_new(list->count * parameters + 1, sizeof *x), *y = sc_mem_new(list->count + 1, sizeof *y);
  double *weights = sc_mem_new(list->count + 1, sizeof *weights);
  struct sc_rplane *plane = sc_mem_new(1, sizeof *plane);
  if (!x || !y || !weights || !plane)
    goto out;
  size_t count = log_means(list, parameters, x, y, weights);
  err = 0;
  if (!centre_plane(r->place, plane, x, count))
    goto out;
  SC_GOTO(solve_plane(plane, x, y, count, r->level));
  *out = plane;
  plane = NULL;
out:
  free(x);
  free(y);
  free(weights);
  free(plane);
  return err == SC_E_NUMERIC ? 0 : err;
}

void sc_rplane_predict(const struct sc_rplane *plane, double n, sc_interval *out)
{
  double x[COEFFICIENTS], steep = 0, flat = 0, variance = 0;
  for (size_t k = 0; k < plane->count; k++)
    x[k] = k == 0 ? 1 : k == 1 ? log(n) - plane->centre : plane->away[k];
  for (size_t k = 0; k < plane->count; k++) {
    steep += plane->values[k] * x[k];
    flat += plane->certain[k] ? plane->values[k] * x[k] : 0;
    for (size_t m = 0; m < plane->count; m++)
      variance += x[k] * plane->covariance[k][m] * x[m];
  }
  double half = plane->quantile * sqrt(fmax(0, variance));
  *out = (sc_interval){exp(flat), exp(fmin(steep, flat) - half), exp(fmax(steep, flat) + half)};
}

/* False: nothing is known of it. */
static bool value_at(const sc_rseries *s, double n, double *value)
{
  sc_interval plane;
  if (s->shown.model.verdict == SC_VERDICT_MODEL) {
    *value = fmax(0, sc_model_value(&s->shown.model, n));
  } else if (s->plane) {
    sc_rplane_predict(s->plane, n, &plane);
    *value = plane.value;
  } else {
    return false;
  }
  return isfinite(*value);
}

/* What a table shows as measured: the runs at the place, or else, of a model, what it says at the base's sizes; without
 * either the runs nearest to the place. Runs are in ascending order of their sizes. */
static int show(const sc_resources *r, const points *list, sc_rseries *s)
{
  const sc_resources_place *p = r->place;
  size_t room = list->count > r->size_count ? list->count : r->size_count;
  double nearest = INFINITY;
  s->shown.sizes = s->sizes = sc_mem_new(room + 1, sizeof *s->sizes);
  s->shown.values = s->values = sc_mem_new(room + 1, sizeof *s->values);
  if (!s->sizes || !s->values)
    return SC_E_NOMEM;
  for (size_t i = 0; i < list->count; i++)
    nearest = fmin(nearest, distance(p, list->runs[i]));
  for (size_t i = 0; nearest > 0 && i < r->size_count && value_at(s, r->sizes[i], &s->values[i]); i++) {
    s->sizes[i] = r->sizes[i];
    s->shown.count++;
  }
  if (s->shown.count)
    return 0;
  for (size_t i = 0; i < list->count; i++)
    if (distance(p, list->runs[i]) <= nearest) {
      size_t k = s->shown.count++;
      for (; k && s->sizes[k - 1] > list->at[i * p->runs.parameters]; k--) {
        s->sizes[k] = s->sizes[k - 1];
        s->values[k] = s->values[k - 1];
      }
      s->sizes[k] = list->at[i * p->runs.parameters];
      s->values[k] = list->y[i];
    }
  return 0;
}

/* What the models say of the base's sizes grows so. */
static double slope_of(const sc_resources *r, const sc_rseries *s)
{
  double y[64];
  size_t count = r->size_count < 64 ? r->size_count : 64;
  for (size_t i = 0; i < count; i++)
    if (!value_at(s, r->sizes[i], &y[i]))
      return 0;
  return sc_trend_slope(r->sizes, y, count);
}

/* What never happened in any run. */
static int fit_nothing(const sc_resources *r, sc_model *model)
{
  double *zeros = sc_mem_new(r->size_count + 1, sizeof *zeros);
  const sc_series series = {.n = r->sizes, .y = zeros, .count = r->size_count, .counts = true};
  if (!zeros)
    return SC_E_NOMEM;
  int err = sc_fit_run(r->fit_counts, &series, model);
  free(zeros);
  return err;
}

static int fit_series(const sc_resources *r, const points *list, bool counts, sc_rseries *s)
{
  bool any = false;
  for (size_t i = 0; i < list->count; i++)
    any |= list->y[i] > 0;
  if (!any)
    return fit_nothing(r, &s->shown.model);
  SC_TRY(fit(r->place, list->at, list->y, list->count, counts, &s->shown.model));
  return s->shown.model.verdict == SC_VERDICT_MODEL ? 0 : fit_plane(r, list, &s->plane);
}

int sc_rplace_series(const sc_resources *r, const sc_rcell *cell, int metric, sc_rseries **series)
{
  points list = {.count = 0};
  int err;
  sc_rseries *s = sc_mem_new(1, sizeof *s);
  *series = NULL;
  if (!s)
    return SC_E_NOMEM;
  SC_GOTO(gather(r->place, &r->place->all->cells[cell - r->cells], metric, &list));
  if (!list.count)
    goto out;
  SC_GOTO(fit_series(r, &list, is_count(metric), s));
  SC_GOTO(show(r, &list, s));
  if (!is_count(metric))
    s->slope = slope_of(r, s);
  *series = s;
  s = NULL;
out:
  free_points(&list);
  sc_rseries_free(s);
  return err;
}

bool sc_rplace_value(const sc_resources *r, const sc_rcell *cell, size_t run, int metric, double *value)
{
  const sc_rseries *s;
  if (sc_rseries_get(r, cell, metric, &s) < 0 || !s || !value_at(s, r->run_sizes[run], value))
    return false;
  if (metric == SC_RMETRIC_UTILISATION || metric == SC_RMETRIC_FAILURE_RATIO)
    *value = fmin(1, *value);
  double acquires;
  if (metric == SC_RMETRIC_WAITS && sc_rplace_value(r, cell, run, SC_RMETRIC_ACQUIRES, &acquires))
    *value = fmin(acquires, *value); /* two models that do not know of each other */
  return true;
}

/* ---- sums and occupancies of what queues are computed for ---- */

/* The run nearest to the place, and of these nearest to the size, that used the resource. */
static size_t nearest_run(const sc_resources *r, const sc_rcell *all, double n)
{
  const sc_resources_place *p = r->place;
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < p->runs.count; i++) {
    if (!(sc_rcell_sum(all, i, SC_USAGE_ACQUIRES) > 0))
      continue;
    double away = best == SIZE_MAX ? 0 : distance(p, i) - distance(p, best);
    if (best == SIZE_MAX || away < 0 ||
        (away == 0 && fabs(log(at(&p->runs, i)[0] / n)) < fabs(log(at(&p->runs, best)[0] / n))))
      best = i;
  }
  return best;
}

static double known_or(const sc_resources *r, const sc_rcell *cell, size_t run, int metric, double otherwise)
{
  double value;
  return sc_rplace_value(r, cell, run, metric, &value) ? value : otherwise;
}

/* Everything for each acquire, and the shares of time, as in the nearest run: how much more waiting there is at the
 * place follows from the queue alone. */
static void scale_run(sc_resources *r, sc_rcell *cell, size_t run)
{
  const sc_rcell *all = &r->place->all->cells[cell - r->cells];
  size_t from = nearest_run(r, all, r->run_sizes[run]);
  if (from == SIZE_MAX)
    return;
  const sc_occupancy *o = sc_rcell_occupancy(r->place->all, all, from);
  sc_occupancy *to = &r->occupancies[run * r->resource_count + cell->resource];
  double acquires = sc_rcell_sum(all, from, SC_USAGE_ACQUIRES), threads = fmax(1, o->threads);
  double more = known_or(r, cell, run, SC_RMETRIC_ACQUIRES, acquires) / acquires;
  double *sums = &cell->sums[run * SC_RSUM_COUNT];
  for (int i = 0; i < SC_RSUM_COUNT; i++)
    sums[i] = more * sc_rcell_sum(all, from, i);
  *to = *o;
  to->threads = known_or(r, cell, run, SC_RMETRIC_THREADS, o->threads);
  to->instances = known_or(r, cell, run, SC_RMETRIC_INSTANCES, o->instances);
  to->active_seconds = o->active_seconds * to->threads / threads;
  sums[SC_USAGE_WAIT_SECONDS] = sc_rcell_sum(all, from, SC_USAGE_WAIT_SECONDS) * to->threads / threads;
}

static int copy_cells(sc_resources *r)
{
  const sc_resources *all = r->place->all;
  r->resource_count = all->resource_count;
  r->cells = sc_mem_new(all->cell_count + 1, sizeof *r->cells);
  r->cell_starts = sc_mem_new(all->resource_count + 1, sizeof *r->cell_starts);
  r->occupancies = sc_mem_new(r->run_count * r->resource_count + 1, sizeof *r->occupancies);
  r->buckets = sc_mem_new(r->run_count * r->resource_count * SC_RBUCKETS + 1, sizeof *r->buckets);
  if (!r->cells || !r->cell_starts || !r->occupancies || !r->buckets)
    return SC_E_NOMEM;
  memcpy(r->cell_starts, all->cell_starts, (all->resource_count + 1) * sizeof *r->cell_starts);
  for (; r->cell_count < all->cell_count; r->cell_count++) {
    const sc_rcell *from = &all->cells[r->cell_count];
    sc_rcell *to = &r->cells[r->cell_count];
    *to = (sc_rcell){.resource = from->resource,
                     .context = from->context,
                     .exclusive = from->exclusive,
                     .lent = from->lent,
                     .used = from->used,
                     .in_scope = from->in_scope,
                     .sums = sc_mem_new(r->run_count * SC_RSUM_COUNT, sizeof(double))};
    if (!to->sums)
      return SC_E_NOMEM;
  }
  return 0;
}

static void scale_cells(sc_resources *r)
{
  for (uint32_t i = 0; i < r->resource_count; i++)
    for (size_t run = 0; r->cells[i].exclusive && !sc_rcell_generic(r, &r->cells[i]) && run < r->run_count; run++)
      scale_run(r, &r->cells[i], run);
}

static int gather_all(const sc_analysis *analysis, const sc_resources_runs *runs, sc_resources **out)
{
  sc_resources *all = *out = sc_mem_new(1, sizeof *all);
  if (!all)
    return SC_E_NOMEM;
  all->analysis = analysis;
  all->graph = runs->graph;
  all->graph_runs = runs->runs;
  all->run_count = runs->count;
  return sc_rcells_gather(all);
}

int sc_resources_move(const sc_analysis *analysis, const sc_resource_options *options, const sc_resources_runs *runs,
                      const double *others, sc_resources **resources)
{
  int err = SC_E_NOMEM;
  sc_resources *r = NULL;
  *resources = NULL;
  SC_TRY(sc_resources_prepare(analysis, options, &r));
  sc_resources_place *p = r->place = sc_mem_new(1, sizeof *p);
  if (!p)
    goto out;
  p->runs = *runs;
  memcpy(p->others, others, (runs->parameters - 1) * sizeof *others);
  SC_GOTO(gather_all(analysis, runs, &p->all));
  SC_GOTO(sc_surface_new(&SC_FIT_OPTIONS_DEFAULT, &p->engine));
  SC_GOTO(copy_cells(r));
  scale_cells(r);
  SC_GOTO(sc_rule_contention(r));
  SC_GOTO(sc_findings_rank(r));
  r->scalability.why = "it is looked at for the base values of further parameters only";
  *resources = r;
  r = NULL;
out:
  sc_resources_free(r);
  return err;
}

bool sc_resources_moved(const sc_resources *r) { return r->place != NULL; }

bool sc_resources_measured(const sc_resources *r)
{
  const sc_resources_place *p = r->place;
  for (size_t i = 0; p && i < p->runs.count; i++)
    if (distance(p, i) == 0)
      return true;
  return !p;
}

void sc_rplace_free(sc_resources *r)
{
  if (!r->place)
    return;
  sc_resources_free(r->place->all);
  sc_surface_free(r->place->engine);
  free(r->place);
  r->place = NULL;
}

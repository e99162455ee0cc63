/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resources at other values of further parameters than those of the base: each metric has a model of all parameters,
 * fitted to all runs of the study and cut at these values. What is computed from metrics, the waits of a lock for
 * instance, is computed from them there. docs/resources.md, "Other values of further parameters".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/surface/surface.h"
#include "transitions/resources/finish.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/place.h"
#include "transitions/resources/plane.h"
#include "transitions/resources/prepare.h"
#include "transitions/resources/processors.h"
#include "transitions/resources/resources.h"
#include "transitions/resources/rules/rules.h"
#include "transitions/resources/series.h"

struct sc_resources_everywhere {
  sc_resources_runs runs;
  sc_resources *all; /* gathered from all runs; its cells are numbered as those of each place */
  sc_surface_engine *engine;
  sc_surface **surfaces; /* [all->cell_count][SC_RMETRIC_ALL] fitted so far */
};

typedef struct elsewhere {
  sc_resources_place place;
  const sc_resources_everywhere *everywhere;
} elsewhere;

static const elsewhere *elsewhere_of(const sc_resources *r) { return (const elsewhere *)r->place; }

static const double *place_of_run(const sc_resources_runs *runs, size_t i) { return runs->at + i * runs->parameters; }

static bool is_whole_count(double value) { return value == floor(value) && value < 0x1p53; }

/* Whole numbers that repeats agree on: what threads make of each other's timing is a measurement. */
static bool exact_counts(const sc_resources_runs *runs, const double *points, const double *y, size_t count)
{
  size_t bytes = runs->parameters * sizeof *points;
  for (size_t i = 0; i < count; i++) {
    if (!is_whole_count(y[i]))
      return false;
    for (size_t k = 0; k < i; k++)
      if (y[k] != y[i] && memcmp(points + k * runs->parameters, points + i * runs->parameters, bytes) == 0)
        return false;
  }
  return true;
}

/* The model of all parameters, into a new *surface; NULL where no surface fits the numbers. */
static int fit_surface(const elsewhere *p, const double *points, const double *y, size_t count, bool counts,
                       sc_surface **surface)
{
  const sc_resources_runs *runs = &p->place.runs;
  const sc_surface_series series = {.at = points,
                                    .y = y,
                                    .count = count,
                                    .parameters = runs->parameters,
                                    .counts = counts && exact_counts(runs, points, y, count),
                                    .names = runs->names};
  sc_surface *made = sc_mem_new(1, sizeof *made);
  *surface = NULL;
  if (!made)
    return SC_E_NOMEM;
  int err = sc_surface_run(p->everywhere->engine, &series, made);
  if (err == 0)
    *surface = made;
  else
    free(made);
  return err == SC_E_NUMERIC ? 0 : err;
}

/* The model of the first parameter at the place. Numbers that no surface fits are no error, but cannot tell. */
static int cut_surface(const elsewhere *p, const sc_surface *surface, sc_model *model)
{
  double there[SC_SURFACE_PARAMETERS] = {place_of_run(&p->place.runs, 0)[0]};
  memcpy(there + 1, p->place.others, (p->place.runs.parameters - 1) * sizeof *there);
  *model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL};
  int err = surface ? sc_surface_slice(surface, there, 0, model) : 0;
  return err == SC_E_NUMERIC ? 0 : err;
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

static int new_points(const elsewhere *p, points *list)
{
  *list = (points){.at = sc_mem_new(p->place.runs.count * p->place.runs.parameters + 1, sizeof *list->at),
                   .y = sc_mem_new(p->place.runs.count + 1, sizeof *list->y),
                   .runs = sc_mem_new(p->place.runs.count + 1, sizeof *list->runs)};
  return list->at && list->y && list->runs ? 0 : SC_E_NOMEM;
}

static int gather_cell(const elsewhere *p, const sc_resource_cell *cell, int metric, points *list)
{
  size_t parameters = p->place.runs.parameters;
  SC_TRY(new_points(p, list));
  for (size_t i = 0; i < p->place.runs.count; i++) {
    if (!sc_rmetric_value(p->place.all, cell, i, metric, &list->y[list->count]))
      continue;
    memcpy(list->at + list->count * parameters, place_of_run(&p->place.runs, i), parameters * sizeof *list->at);
    list->runs[list->count++] = i;
  }
  return 0;
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
static int show_points(const sc_resources *r, const points *list, sc_rseries *s)
{
  const elsewhere *p = elsewhere_of(r);
  size_t room = list->count > r->size_count ? list->count : r->size_count;
  double nearest = INFINITY;
  s->shown.sizes = s->sizes = sc_mem_new(room + 1, sizeof *s->sizes);
  s->shown.values = s->values = sc_mem_new(room + 1, sizeof *s->values);
  if (!s->sizes || !s->values)
    return SC_E_NOMEM;
  for (size_t i = 0; i < list->count; i++)
    nearest = fmin(nearest, sc_rplace_distance(&p->place, list->runs[i]));
  for (size_t i = 0; nearest > 0 && i < r->size_count && value_at(s, r->sizes[i], &s->values[i]); i++) {
    s->sizes[i] = r->sizes[i];
    s->shown.count++;
  }
  if (s->shown.count)
    return 0;
  for (size_t i = 0; i < list->count; i++)
    if (sc_rplace_distance(&p->place, list->runs[i]) <= nearest) {
      size_t k = s->shown.count++;
      for (; k && s->sizes[k - 1] > list->at[i * p->place.runs.parameters]; k--) {
        s->sizes[k] = s->sizes[k - 1];
        s->values[k] = s->values[k - 1];
      }
      s->sizes[k] = list->at[i * p->place.runs.parameters];
      s->values[k] = list->y[i];
    }
  return 0;
}

/* What the models say of the base's sizes grows so. */
static double runs_slope_of(const sc_resources *r, const sc_rseries *s)
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

/* The surface over all parameters is fitted once and kept for other places; here it is cut at the further parameters'
 * values, so that what is left is a model of the size like any other. */
static int fit_series(const sc_resources *r, const points *list, bool counts, sc_surface **surface, sc_rseries *s)
{
  bool any = false;
  for (size_t i = 0; i < list->count; i++)
    any |= list->y[i] > 0;
  if (!any)
    return fit_nothing(r, &s->shown.model);
  const elsewhere *p = elsewhere_of(r);
  if (!*surface)
    SC_TRY(fit_surface(p, list->at, list->y, list->count, counts, surface));
  SC_TRY(cut_surface(p, *surface, &s->shown.model));
  if (s->shown.model.verdict == SC_VERDICT_MODEL)
    return 0;
  const sc_rplane_points all = {list->at, list->y, list->count, p->place.runs.parameters, p->place.others};
  return sc_rplane_fit(&all, r->level, &s->plane);
}

static int make_runs_series(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_rseries **series)
{
  points list = {.count = 0};
  int err;
  sc_rseries *s = sc_mem_new(1, sizeof *s);
  *series = NULL;
  if (!s)
    return SC_E_NOMEM;
  SC_GOTO(gather_cell(elsewhere_of(r), &r->place->all->cells[cell - r->cells], metric, &list));
  if (!list.count)
    goto out;
  sc_surface **surface = &r->place->surfaces[(size_t)(cell - r->cells) * SC_RMETRIC_ALL + (size_t)metric];
  SC_GOTO(fit_series(r, &list, sc_rmetric_is_count(metric), surface, s));
  SC_GOTO(show_points(r, &list, s));
  if (!sc_rmetric_is_count(metric))
    s->slope = runs_slope_of(r, s);
  *series = s;
  s = NULL;
out:
  free_points(&list);
  sc_rseries_free(s);
  return err;
}

static bool predict_value(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value)
{
  const sc_rseries *s;
  if (sc_rseries_get(r, cell, metric, &s) < 0 || !s || !value_at(s, r->run_sizes[run], value))
    return false;
  if (metric == SC_RMETRIC_UTILISATION || metric == SC_RMETRIC_FAILURE_RATIO)
    *value = fmin(1, *value);
  double acquires;
  if (metric == SC_RMETRIC_WAITS && predict_value(r, cell, run, SC_RMETRIC_ACQUIRES, &acquires))
    *value = fmin(acquires, *value); /* two models that do not know of each other */
  return true;
}

/* ---- sums and occupancies of what queues are computed for ---- */

/* The run nearest to the place, and of these nearest to the size, that used the resource. */
static size_t nearest_run(const sc_resources *r, const sc_resource_cell *all, double n)
{
  const elsewhere *p = elsewhere_of(r);
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < p->place.runs.count; i++) {
    if (!(sc_resource_cell_sum(all, i, SC_USAGE_ACQUIRES) > 0))
      continue;
    double away = best == SIZE_MAX ? 0 : sc_rplace_distance(&p->place, i) - sc_rplace_distance(&p->place, best);
    if (best == SIZE_MAX || away < 0 ||
        (away == 0 &&
         fabs(log(place_of_run(&p->place.runs, i)[0] / n)) < fabs(log(place_of_run(&p->place.runs, best)[0] / n))))
      best = i;
  }
  return best;
}

static double known_or(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double otherwise)
{
  double value;
  return predict_value(r, cell, run, metric, &value) ? value : otherwise;
}

/* Everything for each acquire, and the shares of time, as in the nearest run: how much more waiting there is at the
 * place follows from the queue alone. */
static void scale_run(sc_resources *r, sc_resource_cell *cell, size_t run)
{
  const sc_resource_cell *all = &r->place->all->cells[cell - r->cells];
  size_t from = nearest_run(r, all, r->run_sizes[run]);
  if (from == SIZE_MAX)
    return;
  const sc_occupancy *o = sc_resource_cell_occupancy(r->place->all, all, from);
  sc_occupancy *to = &r->occupancies[run * r->resource_count + cell->resource];
  double acquires = sc_resource_cell_sum(all, from, SC_USAGE_ACQUIRES), threads = fmax(1, o->threads);
  double more = known_or(r, cell, run, SC_RMETRIC_ACQUIRES, acquires) / acquires;
  double *sums = &cell->sums[run * SC_RSUM_COUNT];
  for (int i = 0; i < SC_RSUM_COUNT; i++)
    sums[i] = more * sc_resource_cell_sum(all, from, i);
  *to = *o;
  to->threads = known_or(r, cell, run, SC_RMETRIC_THREADS, o->threads);
  to->instances = known_or(r, cell, run, SC_RMETRIC_INSTANCES, o->instances);
  to->active_seconds = o->active_seconds * to->threads / threads;
  sums[SC_USAGE_WAIT_SECONDS] = sc_resource_cell_sum(all, from, SC_USAGE_WAIT_SECONDS) * to->threads / threads;
}

static int copy_cells(sc_resources *r)
{
  const sc_resources *all = elsewhere_of(r)->everywhere->all;
  r->resource_count = all->resource_count;
  r->cells = sc_mem_new(all->cell_count + 1, sizeof *r->cells);
  r->cell_starts = sc_mem_new(all->resource_count + 1, sizeof *r->cell_starts);
  r->occupancies = sc_mem_new(r->run_count * r->resource_count + 1, sizeof *r->occupancies);
  r->buckets = sc_mem_new(r->run_count * r->resource_count * SC_RBUCKETS + 1, sizeof *r->buckets);
  if (!r->cells || !r->cell_starts || !r->occupancies || !r->buckets)
    return SC_E_NOMEM;
  memcpy(r->cell_starts, all->cell_starts, (all->resource_count + 1) * sizeof *r->cell_starts);
  for (; r->cell_count < all->cell_count; r->cell_count++) {
    const sc_resource_cell *from = &all->cells[r->cell_count];
    sc_resource_cell *to = &r->cells[r->cell_count];
    *to = (sc_resource_cell){.resource = from->resource,
                             .context = from->context,
                             .line = from->line,
                             .column = from->column,
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

/* What has no name of its own is taken as the nearest run has it: of leaks it says whether units come back at all. */
static void copy_run(sc_resources *r, size_t cell, size_t run)
{
  const sc_resources *all = elsewhere_of(r)->everywhere->all;
  size_t from = sc_rplace_run(r, run);
  memcpy(&r->cells[cell].sums[run * SC_RSUM_COUNT], &all->cells[cell].sums[from * SC_RSUM_COUNT],
         SC_RSUM_COUNT * sizeof(double));
  if (r->cells[cell].context == SC_USAGE_NONE)
    r->occupancies[run * r->resource_count + r->cells[cell].resource] =
        *sc_resource_cell_occupancy(all, &all->cells[cell], from);
}

static void scale_cells(sc_resources *r)
{
  for (size_t i = 0; i < r->cell_count; i++) {
    bool whole = i < r->resource_count, generic = sc_resource_cell_generic(r, &r->cells[i]);
    for (size_t run = 0; generic && run < r->run_count; run++)
      copy_run(r, i, run);
    for (size_t run = 0; whole && !generic && r->cells[i].exclusive && run < r->run_count; run++)
      scale_run(r, &r->cells[i], run);
  }
}

/* What the processors do to the queues: in each run as in the nearest one. */
static int move_processors(sc_resources *r)
{
  sc_resources *all = elsewhere_of(r)->everywhere->all;
  size_t *runs = sc_mem_new(r->run_count + 1, sizeof *runs);
  int err = runs ? 0 : SC_E_NOMEM;
  SC_GOTO(err);
  SC_GOTO(sc_rprocessors_find(r, all));
  for (uint32_t i = 0; i < r->resource_count; i++) {
    if (!all->cells[i].processors)
      continue;
    for (size_t run = 0; run < r->run_count; run++)
      runs[run] = nearest_run(r, &all->cells[i], r->run_sizes[run]);
    SC_GOTO(sc_rprocessors_copy(all->cells[i].processors, runs, r->run_count, &r->cells[i].processors));
  }
out:
  free(runs);
  return err;
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
  all->size_count = 1; /* they are in no order of size */
  SC_TRY(SC_NEW(all->starts, 2));
  all->starts[1] = runs->count;
  return sc_resource_cells_gather(all);
}

static void free_place(sc_resources_place *place)
{
  sc_resources_free(place->nearest);
  free(place);
}

int sc_resources_everywhere_new(const sc_analysis *analysis, const sc_resources_runs *runs,
                                sc_resources_everywhere **everywhere)
{
  int err = SC_E_NOMEM;
  *everywhere = NULL;
  sc_resources_everywhere *e = sc_mem_new(1, sizeof *e);
  if (!e)
    return err;
  e->runs = *runs;
  SC_GOTO(gather_all(analysis, runs, &e->all));
  SC_GOTO(sc_surface_new(&SC_FIT_OPTIONS_DEFAULT, &e->engine));
  e->surfaces = sc_mem_new(e->all->cell_count * SC_RMETRIC_ALL + 1, sizeof *e->surfaces);
  if (!e->surfaces) {
    err = SC_E_NOMEM;
    goto out;
  }
  *everywhere = e;
  e = NULL;
out:
  sc_resources_everywhere_free(e);
  return err;
}

void sc_resources_everywhere_free(sc_resources_everywhere *e)
{
  if (!e)
    return;
  for (size_t i = 0; e->surfaces && i < e->all->cell_count * SC_RMETRIC_ALL; i++)
    free(e->surfaces[i]);
  free(e->surfaces);
  sc_surface_free(e->engine);
  sc_resources_free(e->all);
  free(e);
}

/* The metrics there, without findings. */
static int move_metrics(const sc_analysis *analysis, const sc_resource_options *options,
                        const sc_resources_everywhere *everywhere, const double *others, sc_resources **resources)
{
  int err = SC_E_NOMEM;
  sc_resources *r = NULL;
  *resources = NULL;
  SC_TRY(sc_resources_prepare(analysis, options, &r));
  elsewhere *p = sc_mem_new(1, sizeof *p);
  if (!p)
    goto out;
  r->place = &p->place;
  *p = (elsewhere){.place = {.value = predict_value,
                             .make_series = make_runs_series,
                             .free = free_place,
                             .runs = everywhere->runs,
                             .all = everywhere->all,
                             .surfaces = everywhere->surfaces},
                   .everywhere = everywhere};
  memcpy(p->place.others, others, (p->place.runs.parameters - 1) * sizeof *others);
  SC_GOTO(copy_cells(r));
  scale_cells(r);
  SC_GOTO(move_processors(r));
  *resources = r;
  r = NULL;
out:
  sc_resources_free(r);
  return err;
}

/* The values nearest to the place with runs, unless it has some. */
static int find_nearest(const sc_analysis *analysis, const sc_resource_options *options,
                        const sc_resources_everywhere *everywhere, sc_resources *r)
{
  size_t run = sc_rplace_run(r, r->run_count - 1);
  if (sc_resources_measured(r))
    return 0;
  return move_metrics(analysis, options, everywhere, place_of_run(&everywhere->runs, run) + 1, &r->place->nearest);
}

/* Rules judge the moved resources as they do those of the base; what a rule needs of single runs is taken from the
 * nearest place that was run. */
int sc_resources_move(const sc_analysis *analysis, const sc_resource_options *options,
                      const sc_resources_everywhere *everywhere, const double *others, sc_resources **resources)
{
  int err;
  sc_resources *r;
  *resources = NULL;
  SC_TRY(move_metrics(analysis, options, everywhere, others, &r));
  SC_GOTO(find_nearest(analysis, options, everywhere, r));
  SC_GOTO(sc_rules_judge(r));
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
  const elsewhere *p = elsewhere_of(r);
  for (size_t i = 0; p && i < p->place.runs.count; i++)
    if (sc_rplace_distance(&p->place, i) == 0)
      return true;
  return !p;
}

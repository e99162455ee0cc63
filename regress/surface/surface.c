/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/tuning.h"
#include "regress/core/wls.h"
#include "regress/surface/internal.h"

int sc_surface_new(const sc_fit_options *options, sc_surface_engine **engine)
{
  sc_wls_init();
  sc_surface_engine *made = sc_mem_new(1, sizeof *made);
  int err = made ? 0 : SC_E_NOMEM;
  if (made) {
    made->options = *options;
    err = sc_fit_new(options, &made->fit);
  }
  if (err < 0) {
    sc_surface_free(made);
    made = NULL;
  }
  *engine = made;
  return err;
}

static void free_buffers(sc_surface_engine *engine)
{
  for (size_t p = 0; p < SC_SURFACE_PARAMETERS; p++) {
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): {0} once it is free */
    free(engine->lines[p].index);
    free(engine->lines[p].start);
    engine->lines[p] = (sc_surface_lines){0};
  }
  free(engine->held[0]);
  free(engine->line_n);
  engine->held[0] = NULL;
  engine->line_n = NULL;
  engine->capacity = 0;
}

void sc_surface_free(sc_surface_engine *engine)
{
  if (!engine)
    return;
  free_buffers(engine);
  sc_fit_free(engine->fit);
  sc_surface_points_free(&engine->points);
  free(engine->numbers);
  free(engine->design);
  gsl_multifit_linear_free(engine->work);
  free(engine);
}

static int reserve_surface(sc_surface_engine *engine, size_t count)
{
  if (count <= engine->capacity)
    return 0;
  free_buffers(engine);
  for (size_t p = 0; p < SC_SURFACE_PARAMETERS; p++) {
    engine->lines[p].index = sc_mem_new(count, sizeof *engine->lines[p].index);
    engine->lines[p].start = sc_mem_new(count + 1, sizeof *engine->lines[p].start);
    if (!engine->lines[p].index || !engine->lines[p].start)
      return SC_E_NOMEM;
  }
  engine->held[0] = sc_mem_new(count, SC_SURFACE_FOLDS);
  engine->line_n = sc_mem_new(2 * count, sizeof *engine->line_n);
  if (!engine->held[0] || !engine->line_n)
    return SC_E_NOMEM;
  for (size_t f = 1; f < SC_SURFACE_FOLDS; f++)
    engine->held[f] = engine->held[0] + f * count;
  engine->line_y = engine->line_n + count;
  engine->capacity = count;
  return 0;
}

static void begin_surface(const sc_surface_points *points, sc_surface *surface)
{
  memset(surface, 0, sizeof *surface);
  surface->parameters = points->parameters;
  surface->points = points->count;
  surface->error = -1;
  surface->along = -1;
  for (size_t p = 0; p < points->parameters; p++) {
    double sum = 0;
    surface->fixed[p] = points->values[p] == 1;
    surface->low[p] = points->low[p];
    surface->high[p] = points->high[p];
    for (size_t i = 0; i < points->count; i++)
      sum += points->repeats[i] * log(points->at[i * points->parameters + p]);
    surface->center[p] = points->count ? exp(sum / (double)points->observations) : 0;
  }
}

/* The line's terms as those of a surface. */
static void set_surface_terms(sc_surface *surface, size_t p)
{
  const sc_model *line = &surface->line;
  surface->form = (sc_surface_form){.term_count = line->term_count,
                                    .degrees = line->degrees,
                                    .sigma = line->sigma,
                                    .scatter = line->scatter,
                                    .error = line->error,
                                    .weight = 1};
  surface->form.drift[p] = line->drift;
  for (size_t i = 0; i < line->term_count; i++) {
    surface->form.terms[i].coefficient = line->terms[i].coefficient;
    surface->form.terms[i].factor[p] = line->terms[i];
    for (size_t j = 0; j < line->term_count; j++)
      surface->form.covariance[i][j] = line->covariance[i][j];
  }
}

/* Only parameter p matters: all points are those of a series of one parameter, and the others make repeats. */
static int fit_line(sc_surface_engine *engine, const sc_surface_series *series, size_t p, sc_surface *surface)
{
  for (size_t i = 0; i < series->count; i++) {
    engine->line_n[i] = series->at[i * series->parameters + p];
    engine->line_y[i] = series->y[i];
  }
  sc_series line = {engine->line_n, engine->line_y, series->count, series->counts};
  begin_surface(&engine->points, surface);
  SC_TRY(sc_fit_run(engine->fit, &line, &surface->line));
  surface->along = (int)p;
  surface->verdict = surface->line.verdict;
  memcpy(surface->why, surface->line.why, sizeof surface->why);
  set_surface_terms(surface, p);
  sc_surface_describe(&engine->points, surface);
  surface->order[p] = surface->line.order;
  surface->effective[p] = surface->effective[p] || surface->line.piece_count > 0;
  surface->error = surface->line.error;
  surface->exact = surface->line.exact;
  return 0;
}

/* Selection among all hypotheses; whether exact counts are among them. */
static int select_form(sc_surface_engine *engine, sc_surface *surface)
{
  const sc_surface_pair any = {.rule = SC_SURFACE_ANY};
  SC_TRY(sc_surface_search(engine, &any));
  SC_TRY(sc_surface_examine(engine));
  if (engine->ranks == 0) {
    sc_surface_cannot_tell(surface, "no model can be computed from these numbers");
    return 0;
  }
  sc_surface_spread(engine, surface);
  surface->exact = sc_surface_exact_ranked(engine, &surface->form);
  return 0;
}

/* At most one parameter has an effect. */
static int fit_surface_series(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface)
{
  const sc_surface_points *points = &engine->points;
  size_t along = 0;
  while (points->values[along] < 2) /* two vary */
    along++;
  for (size_t p = 0; p < points->parameters; p++)
    along = surface->effective[p] ? p : along;
  SC_TRY(fit_line(engine, series, along, surface));
  for (size_t q = 0; q < points->parameters; q++) {
    if (q == along || !surface->effective[along] || points->values[q] < 2 || !sc_surface_silent(engine, q) ||
        !sc_surface_points_aliased(points, along, q))
      continue;
    sc_surface_cannot_tell(surface, "all values with another %s are 0: what it does where %s has effect is undecided",
                           sc_surface_label_of(series, q).text, sc_surface_label_of(series, along).text);
    surface->exact = false;
  }
  return 0;
}

/* Few values of a parameter are too few for a line of its own to be sure of a form, however simple. As a sum of
 * products it is confirmed by two of them, and at other values of the others. */
static bool is_proved(const sc_surface_points *points, const sc_surface *surface)
{
  size_t along = 0;
  while (along < points->parameters && !surface->effective[along])
    along++;
  if (along == points->parameters || !surface->exact || points->values[along] > SC_SURFACE_FEW ||
      points->values[along] < surface->form.term_count + SC_SURFACE_CONFIRMING)
    return false;
  for (size_t q = 0; q < points->parameters; q++)
    if (q != along && points->values[q] > 1 && sc_surface_points_aliased(points, along, q))
      return false;
  return true;
}

/* Whether counts along it differ by less than those of repeats may, at all values of the others: n / t rounded down, t
 * times, is n. */
static bool is_level(const sc_surface_engine *engine, size_t p)
{
  const sc_surface_lines *lines = &engine->lines[p];
  for (size_t l = 0; l < lines->count; l++) {
    double low = INFINITY, high = 0;
    for (size_t i = lines->start[l]; i < lines->start[l + 1]; i++) {
      low = fmin(low, engine->points.y[lines->index[i]]);
      high = fmax(high, engine->points.y[lines->index[i]]);
    }
    if (high - low > SC_FIT_NEARLY * high)
      return false;
  }
  return lines->count > 0;
}

/* How many parameters may have an effect; *p is one of them. */
static size_t count_uneven(const sc_surface_engine *engine, size_t *p)
{
  const sc_surface_points *points = &engine->points;
  size_t uneven = 0;
  *p = 0;
  for (size_t q = 0; q < points->parameters; q++) {
    bool level = points->values[q] < 2 || is_level(engine, q);
    uneven += !level;
    *p = level ? *p : q;
  }
  return uneven;
}

static int fit_several(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface)
{
  const sc_surface_points *points = &engine->points;
  engine->ranks = 0;
  for (size_t p = 0; p < points->parameters; p++)
    sc_surface_points_lines(points, p, &engine->lines[p]);
  SC_TRY(sc_surface_space_choose(engine));
  surface->exact = sc_surface_exact_lines(engine, &surface->form);
  size_t only;
  if (!surface->exact && series->counts && count_uneven(engine, &only) == 1)
    return fit_line(engine, series, only, surface);
  if (!surface->exact)
    SC_TRY(select_form(engine, surface));
  if (surface->verdict == SC_VERDICT_CANNOT_TELL)
    return 0;
  sc_surface_describe(points, surface);
  size_t effective = 0;
  for (size_t p = 0; p < points->parameters; p++)
    effective += surface->effective[p];
  if (effective > 1)
    SC_TRY(sc_surface_judge(engine, series, surface));
  else if (!is_proved(points, surface))
    SC_TRY(fit_surface_series(engine, series, surface));
  sc_surface_judge_together(engine, series, surface);
  if (surface->exact) {
    surface->rival_count = 0;
    surface->error = 0;
  }
  return 0;
}

/* What was never varied is not in the model. */
static void remark_surface(const sc_surface_series *series, sc_surface *surface)
{
  for (size_t p = 0; p < surface->parameters; p++)
    if (surface->fixed[p] && surface->verdict == SC_VERDICT_MODEL && !surface->why[0])
      snprintf(surface->why, sizeof surface->why, "%s was always %.10g: what it does is not known",
               sc_surface_label_of(series, p).text, surface->low[p]);
}

int sc_surface_run(sc_surface_engine *engine, const sc_surface_series *series, sc_surface *surface)
{
  const sc_surface_points *points = &engine->points;
  if (engine->options.engine != SC_FIT_DEFAULT && series->parameters > 1) {
    sc_err_set(SC_E_INPUT, "%zu parameters, but the paper's models have one", series->parameters);
    return sc_err_hint(SC_E_INPUT, "use the default models");
  }
  SC_TRY(sc_surface_points_gather(series, &engine->points));
  SC_TRY(reserve_surface(engine, series->count));
  begin_surface(points, surface);
  if (points->count == 0) {
    sc_surface_cannot_tell(surface, "nothing was measured");
    return 0;
  }
  size_t varying = 0, last = 0;
  for (size_t p = 0; p < points->parameters; p++)
    if (points->values[p] > 1) {
      varying++;
      last = p;
    }
  SC_TRY(varying > 1 ? fit_several(engine, series, surface) : fit_line(engine, series, last, surface));
  remark_surface(series, surface);
  return 0;
}

int sc_surface_fit(const sc_surface_series *series, const sc_fit_options *options, sc_surface *surface)
{
  sc_surface_engine *engine = NULL;
  int err = 0;
  SC_GOTO(sc_surface_new(options, &engine));
  SC_GOTO(sc_surface_run(engine, series, surface));
out:
  sc_surface_free(engine);
  return err;
}

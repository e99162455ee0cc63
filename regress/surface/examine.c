/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits and validates candidates of surfaces, and keeps the best. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/tuning.h"
#include "regress/surface/internal.h"

static int reserve_candidates(sc_surface_engine *engine, size_t count)
{
  if (count <= engine->work_capacity)
    return 0;
  double *design = sc_mem_new(count * (SC_SURFACE_TERMS + 2), sizeof *design);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(count, SC_SURFACE_TERMS);
  if (!design || !work) {
    free(design);
    gsl_multifit_linear_free(work);
    return sc_err_set(SC_E_NOMEM, "out of memory for a fit over %zu points", count);
  }
  free(engine->design);
  gsl_multifit_linear_free(engine->work);
  engine->design = design;
  engine->work = work;
  engine->work_capacity = count;
  return 0;
}

/* Relative residuals of the points that are not held out; each column is divided by its largest entry. */
static size_t fill_candidate(sc_surface_engine *engine, const sc_surface_candidate *candidate,
                             const unsigned char *held, double *largest)
{
  const sc_surface_points *points = &engine->points;
  size_t k = candidate->count, rows = 0;
  double *target = engine->design + points->count * k, *weight = target + points->count;
  for (size_t i = 0; i < points->count; i++) {
    if (held && held[i])
      continue;
    for (size_t j = 0; j < k; j++)
      engine->design[rows * k + j] =
          sc_surface_term_value(&candidate->terms[j], points->parameters, points->at + i * points->parameters) /
          points->scale[i];
    target[rows] = points->y[i] / points->scale[i];
    weight[rows++] = points->repeats[i];
  }
  for (size_t j = 0; j < k; j++) {
    largest[j] = 0;
    for (size_t i = 0; i < rows; i++)
      largest[j] = fmax(largest[j], fabs(engine->design[i * k + j]));
    if (!(largest[j] > 0) || !isfinite(largest[j]))
      largest[j] = 1;
    for (size_t i = 0; i < rows; i++)
      engine->design[i * k + j] /= largest[j];
  }
  return rows;
}

/* Coefficients by singular values (GSL); SC_E_NUMERIC if the points do not determine them. */
static int fit_surface(sc_surface_engine *engine, sc_surface_candidate *candidate, const unsigned char *held)
{
  size_t k = candidate->count, rank = 0;
  double largest[SC_SURFACE_TERMS], coefficient[SC_SURFACE_TERMS], spread[SC_SURFACE_TERMS * SC_SURFACE_TERMS];
  size_t rows = fill_candidate(engine, candidate, held, largest), all = engine->points.count;
  if (rows < k)
    return SC_E_NUMERIC;
  double *target_at = engine->design + all * k;
  gsl_matrix_const_view design = gsl_matrix_const_view_array(engine->design, rows, k);
  gsl_vector_const_view target = gsl_vector_const_view_array(target_at, rows);
  gsl_vector_const_view weight = gsl_vector_const_view_array(target_at + all, rows);
  gsl_vector_view solution = gsl_vector_view_array(coefficient, k);
  gsl_matrix_view covariance = gsl_matrix_view_array(spread, k, k);
  int status = gsl_multifit_wlinear_tsvd(&design.matrix, &weight.vector, &target.vector, SC_SURFACE_SINGULAR,
                                         &solution.vector, &covariance.matrix, &candidate->rss, &rank, engine->work);
  if (status != GSL_SUCCESS || rank < k)
    return SC_E_NUMERIC;
  for (size_t i = 0; i < k; i++) {
    candidate->terms[i].coefficient = coefficient[i] / largest[i];
    if (!isfinite(candidate->terms[i].coefficient))
      return SC_E_NUMERIC;
    for (size_t j = 0; j < k; j++)
      candidate->covariance[i][j] = spread[i * k + j] / (largest[i] * largest[j]);
  }
  return 0;
}

typedef struct free_problem {
  sc_surface_engine *engine;
  sc_surface_candidate *candidate;
  size_t p;
  bool in[SC_SURFACE_TERMS];
} free_problem;

/* With x^u, or the scale exp(u). */
static double free_rss(double u, void *user)
{
  free_problem *problem = user;
  for (size_t i = 0; i < problem->candidate->count; i++) {
    sc_term *factor = &problem->candidate->terms[i].factor[problem->p];
    if (problem->in[i] && factor->shape != SC_SHAPE_PLAIN)
      factor->scale = exp(u);
    else if (problem->in[i])
      factor->exponent = u;
  }
  return fit_surface(problem->engine, problem->candidate, NULL) == 0 ? problem->candidate->rss : INFINITY;
}

/* The free number of a factor of parameter p for all points together, by Brent's method (GSL). */
static void polish_surface(sc_surface_engine *engine, sc_surface_candidate *candidate, size_t p, const sc_term *factor)
{
  sc_surface_candidate trial = *candidate;
  free_problem problem = {engine, &trial, p, {false}};
  bool any = false, limit = factor->shape != SC_SHAPE_PLAIN;
  double start = limit ? log(factor->scale) : factor->exponent,
         width = limit ? 4 * SC_SURFACE_POLISH : SC_SURFACE_POLISH;
  for (size_t i = 0; i < trial.count; i++)
    any |= problem.in[i] = sc_surface_same_factor(&trial.terms[i].factor[p], factor);
  gsl_min_fminimizer *search = any ? gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent) : NULL;
  gsl_function function = {free_rss, &problem};
  if (search && gsl_min_fminimizer_set(search, &function, start, start - width, start + width) == 0) {
    for (int i = 0; i < 40 && gsl_min_fminimizer_iterate(search) == GSL_SUCCESS; i++)
      if (gsl_min_fminimizer_x_upper(search) - gsl_min_fminimizer_x_lower(search) < 1e-10)
        break;
    if (free_rss(gsl_min_fminimizer_x_minimum(search), &problem) <= candidate->rss)
      *candidate = trial;
  }
  gsl_min_fminimizer_free(search);
}

static void polish_all(sc_surface_engine *engine, sc_surface_candidate *candidate)
{
  for (size_t p = 0; p < engine->points.parameters; p++)
    for (size_t i = 0; i < engine->space.count[p]; i++)
      if (engine->space.factor[p][i].free)
        polish_surface(engine, candidate, p, &engine->space.factor[p][i].term);
}

/* Fits without each fold and predicts it. Folds that leave the coefficients undetermined say nothing. */
static void validate_surface(sc_surface_engine *engine, sc_surface_candidate *candidate)
{
  const sc_surface_points *points = &engine->points;
  size_t folds = 0;
  candidate->forward_square = 0;
  candidate->forward_error = -1;
  for (size_t f = 0; f < SC_SURFACE_FOLDS; f++) {
    sc_surface_candidate without = *candidate;
    candidate->fold_square[f] = -1;
    if (!engine->fold_used[f] || fit_surface(engine, &without, engine->held[f]) < 0)
      continue;
    double square = 0, error = 0, held = 0;
    for (size_t i = 0; i < points->count; i++) {
      if (!engine->held[f][i])
        continue;
      const double *at = points->at + i * points->parameters;
      double sum = sc_surface_sum(without.terms, without.count, points->parameters, at);
      double e = (sum - points->y[i]) / points->scale[i];
      square += e * e, error += fabs(e), held++;
    }
    candidate->fold_square[f] = square / held;
    candidate->forward_square += square / held;
    candidate->forward_error = error / held; /* the last fold is that of the mixed points */
    folds++;
  }
  if (folds)
    candidate->forward_square /= (double)folds;
  else
    candidate->forward_square = SC_SURFACE_UNVALIDATED * candidate->rss / (double)points->observations;
}

/* The search has judged the shape already, from coefficients of fewer digits. */
static bool surface_positive(const sc_surface_points *points, const sc_surface_candidate *candidate)
{
  for (size_t i = 0; i < points->count; i++)
    if (!(sc_surface_sum(candidate->terms, candidate->count, points->parameters, points->at + i * points->parameters) >=
          -points->scale[i]))
      return false;
  return true;
}

static void insert_surface(sc_surface_candidate *ranked, size_t count, const sc_surface_candidate *one)
{
  for (; count > 0 && ranked[count - 1].score > one->score; count--)
    ranked[count] = ranked[count - 1];
  ranked[count] = *one;
}

/* Where the best hypothesis errs alike at points that share a value, there is less evidence than points. */
static void weigh_evidence(sc_surface_engine *engine)
{
  sc_surface_points *points = &engine->points;
  const sc_surface_candidate *best = &engine->ranked[0];
  double most = 1;
  for (size_t i = 0; i < points->count; i++) {
    double sum = sc_surface_sum(best->terms, best->count, points->parameters, points->at + i * points->parameters);
    engine->line_y[i] = (points->y[i] - sum) / points->scale[i] * sqrt(points->repeats[i]);
  }
  for (size_t p = 0; p < points->parameters; p++) {
    engine->effect[p] = sc_surface_design_effect(points, p, engine->line_y);
    most = fmax(most, engine->effect[p]);
  }
  points->independent = (double)points->observations / most;
  for (size_t i = 0; i < engine->ranks; i++) {
    sc_surface_candidate one = engine->ranked[i];
    one.score = sc_surface_score(points, one.rss, one.forward_square, one.parameters, one.cost);
    insert_surface(engine->ranked, i, &one);
  }
}

int sc_surface_examine(sc_surface_engine *engine)
{
  const sc_surface_points *points = &engine->points;
  size_t ranks = 0, polished = 0;
  SC_TRY(reserve_candidates(engine, points->count));
  sc_surface_points_fold(engine);
  for (size_t i = 0; i < engine->ranks; i++) {
    sc_surface_candidate made = engine->ranked[i];
    if (fit_surface(engine, &made, NULL) < 0 || !surface_positive(points, &made))
      continue;
    if (made.free > 0 && polished++ < SC_SURFACE_POLISHED)
      polish_all(engine, &made);
    validate_surface(engine, &made);
    made.score = sc_surface_score(points, made.rss, made.forward_square, made.parameters, made.cost);
    insert_surface(engine->ranked, ranks++, &made);
  }
  engine->ranks = ranks;
  if (ranks > 0)
    weigh_evidence(engine);
  return 0;
}

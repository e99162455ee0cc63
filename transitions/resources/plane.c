/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/plane.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/choose/trend.h"
#include "regress/surface/surface.h"

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
static size_t log_means(const sc_rplane_points *list, double *x, double *y, double *weights)
{
  size_t count = 0, parameters = list->parameters;
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
  gsl_vector *alike = gsl_vector_alloc(count); /* weights: with them the covariance is that of a variance of 1 */
  gsl_multifit_linear_workspace *room = gsl_multifit_linear_alloc(count, plane->count);
  if (!design || !covariance || !values || !found || !alike || !room)
    goto out;
  gsl_vector_set_all(alike, 1);
  for (size_t i = 0; i < count; i++) {
    gsl_vector_set(values, i, y[i]);
    for (size_t k = 0; k < plane->count; k++)
      gsl_matrix_set(design, i, k, k ? x[i * (plane->count - 1) + k - 1] : 1);
  }
  err = gsl_multifit_wlinear(design, alike, values, found, covariance, &chisq, room) ? SC_E_NUMERIC : 0;
  SC_GOTO(err);
  double variance = fmax(chisq / degrees, SC_TREND_TIMES * SC_TREND_TIMES);
  plane->quantile = gsl_cdf_tdist_Pinv(0.5 + level / 2, degrees);
  for (size_t k = 0; k < plane->count; k++) {
    plane->values[k] = gsl_vector_get(found, k);
    for (size_t m = 0; m < plane->count; m++)
      plane->covariance[k][m] = variance * gsl_matrix_get(covariance, k, m);
    plane->certain[k] = k == 0 || fabs(plane->values[k]) > plane->quantile * sqrt(fmax(0, plane->covariance[k][k]));
  }
out:
  gsl_matrix_free(design);
  gsl_matrix_free(covariance);
  gsl_vector_free(values);
  gsl_vector_free(found);
  gsl_vector_free(alike);
  if (room)
    gsl_multifit_linear_free(room);
  return err;
}

/* Takes the means out of the points; false where a parameter has fewer than three values, or points are too few.
 * Three values a parameter, as elsewhere (regress/surface): two let every slope pass. */
static bool centre_plane(const sc_rplane_points *list, struct sc_rplane *plane, double *x, size_t count)
{
  size_t parameters = list->parameters;
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
      plane->away[1 + k] = log(list->others[k - 1]) - centre;
    else
      plane->centre = centre;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < parameters; k++)
      x[i * parameters + k] -= k ? log(list->others[k - 1]) - plane->away[1 + k] : plane->centre;
  return true;
}

int sc_rplane_fit(const sc_rplane_points *list, double level, struct sc_rplane **out)
{
  int err = SC_E_NOMEM;
  double *x = sc_mem_new(list->count * list->parameters + 1, sizeof *x), *y = sc_mem_new(list->count + 1, sizeof *y);
  double *weights = sc_mem_new(list->count + 1, sizeof *weights);
  struct sc_rplane *plane = sc_mem_new(1, sizeof *plane);
  if (!x || !y || !weights || !plane)
    goto out;
  size_t count = log_means(list, x, y, weights);
  err = 0;
  if (!centre_plane(list, plane, x, count))
    goto out;
  SC_GOTO(solve_plane(plane, x, y, count, level));
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

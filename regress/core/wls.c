/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/wls.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <threads.h>

#include "base/buf.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"

struct sc_wls {
  size_t capacity;
  /* [capacity * SC_MODEL_TERMS] twice: as it is and decomposed; then [capacity] each */
  double *design, *factors, *target, *residual, *root;
};

static void handler_off(void) { gsl_set_error_handler_off(); }

void sc_wls_init(void)
{
  static once_flag once = ONCE_FLAG_INIT;
  call_once(&once, handler_off);
}

int sc_wls_new(sc_wls **wls)
{
  sc_wls_init();
  return SC_NEW(*wls, 1);
}

void sc_wls_free(sc_wls *wls)
{
  if (!wls)
    return;
  free(wls->design);
  free(wls);
}

static int reserve_wls(sc_wls *wls, size_t count)
{
  if (count <= wls->capacity)
    return 0;
  double *design = sc_mem_new(count * (2 * SC_MODEL_TERMS + 3), sizeof *design);
  if (!design)
    return sc_err_set(SC_E_NOMEM, "out of memory for a fit over %zu sizes", count);
  free(wls->design);
  double *factors = design + count * SC_MODEL_TERMS, *target = factors + count * SC_MODEL_TERMS;
  *wls = (sc_wls){count, design, factors, target, target + count, target + 2 * count};
  return 0;
}

/* Rows are divided by what residuals are relative to and multiplied by the root of the weight. Columns are divided by
 * their largest entry, because n^3 and 1 in one matrix cost digits. */
static void fill_matrix(sc_wls *wls, const sc_points *points, const sc_term *terms, size_t term_count, double *largest)
{
  size_t count = points->count;
  for (size_t i = 0; i < count; i++) {
    wls->root[i] = sqrt(points->weight[i]) / points->scale[i];
    wls->target[i] = points->y[i] * wls->root[i];
  }
  for (size_t j = 0; j < term_count; j++) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
      double x = sc_term_basis_at(&terms[j], points->n[i], points->log2_n[i]) * wls->root[i];
      wls->design[i * term_count + j] = x;
      if (fabs(x) > most)
        most = fabs(x);
    }
    largest[j] = most > 0 && isfinite(most) ? most : 1;
    for (size_t i = 0; i < count; i++)
      wls->factors[i * term_count + j] = wls->design[i * term_count + j] /= largest[j];
  }
}

/* x with R^T x = b, R the upper triangle of the factors. */
static void solve_transposed(const sc_wls *wls, size_t count, const double *b, double *x)
{
  for (size_t j = 0; j < count; j++) {
    x[j] = b[j];
    for (size_t l = 0; l < j; l++)
      x[j] -= wls->factors[l * count + j] * x[l];
    x[j] /= wls->factors[j * count + j];
  }
}

/* What the largest size is predicted as without it, and without the two largest: from the residuals e of the whole fit
 * and the hat matrix H, residuals of the left out sizes are (I - H)^-1 e (Cook and Weisberg, Residuals and Influence in
 * Regression, 1982, 2.2). */
static void hold_out(const sc_wls *wls, const sc_points *points, size_t term_count, double forward[2])
{
  size_t last = points->count - 1;
  double q[2][SC_MODEL_TERMS], h[3] = {0}, unit = sqrt(points->weight[last]);
  forward[0] = forward[1] = NAN;
  if (points->count <= term_count)
    return;
  for (size_t i = 0; i < 2; i++)
    solve_transposed(wls, term_count, wls->design + (last - i) * term_count, q[i]);
  for (size_t j = 0; j < term_count; j++)
    h[0] += q[0][j] * q[0][j], h[1] += q[1][j] * q[1][j], h[2] += q[0][j] * q[1][j];
  double e0 = wls->residual[last], e1 = wls->residual[last - 1], det = (1 - h[0]) * (1 - h[1]) - h[2] * h[2];
  if (1 - h[0] > SC_WLS_DETERMINED)
    forward[0] = -e0 / (1 - h[0]) / unit;
  if (points->count > term_count + 1 && det > SC_WLS_DETERMINED * SC_WLS_DETERMINED)
    forward[1] = -((1 - h[1]) * e0 + h[2] * e1) / det / unit;
}

static void set_covariances(const sc_wls *wls, size_t count, const double *largest, sc_wls_result *result)
{
  double inverse[SC_MODEL_TERMS][SC_MODEL_TERMS]; /* columns of R^-T */
  for (size_t j = 0; j < count; j++) {
    double unit[SC_MODEL_TERMS] = {0};
    unit[j] = 1;
    solve_transposed(wls, count, unit, inverse[j]);
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) {
      double sum = 0;
      for (size_t l = 0; l < count; l++)
        sum += inverse[i][l] * inverse[j][l];
      result->covariance[i][j] = sum / (largest[i] * largest[j]);
    }
}

int sc_wls_fit(sc_wls *wls, const sc_points *points, sc_term *terms, size_t term_count, sc_wls_result *result)
{
  size_t count = points->count;
  if (count < term_count || term_count == 0 || term_count > SC_MODEL_TERMS)
    return sc_err_set(SC_E_NUMERIC, "%zu sizes do not determine %zu terms", count, term_count);
  SC_TRY(reserve_wls(wls, count));
  double largest[SC_MODEL_TERMS], coefficient[SC_MODEL_TERMS], tau[SC_MODEL_TERMS];
  fill_matrix(wls, points, terms, term_count, largest);
  gsl_matrix_view factors = gsl_matrix_view_array(wls->factors, count, term_count);
  gsl_vector_view reflections = gsl_vector_view_array(tau, term_count);
  gsl_vector_const_view target = gsl_vector_const_view_array(wls->target, count);
  gsl_vector_view solution = gsl_vector_view_array(coefficient, term_count);
  gsl_vector_view residual = gsl_vector_view_array(wls->residual, count);
  int status = gsl_linalg_QR_decomp(&factors.matrix, &reflections.vector);
  for (size_t j = 0; j < term_count && status == GSL_SUCCESS; j++)
    if (!(fabs(wls->factors[j * term_count + j]) > SC_WLS_PARALLEL))
      status = GSL_ESING;
  if (status == GSL_SUCCESS)
    status =
        gsl_linalg_QR_lssolve(&factors.matrix, &reflections.vector, &target.vector, &solution.vector, &residual.vector);
  if (status != GSL_SUCCESS)
    return sc_err_set(SC_E_NUMERIC, "least squares failed: %s", gsl_strerror(status));
  result->rss = 0;
  result->lowest = INFINITY;
  for (size_t i = 0; i < count; i++) {
    result->rss += wls->residual[i] * wls->residual[i];
    result->lowest = fmin(result->lowest, (wls->target[i] - wls->residual[i]) / sqrt(points->weight[i]));
  }
  for (size_t j = 0; j < term_count; j++) {
    terms[j].coefficient = coefficient[j] / largest[j];
    result->part[j] = coefficient[j] * wls->design[(count - 1) * term_count + j] / sqrt(points->weight[count - 1]);
    if (!isfinite(terms[j].coefficient))
      return sc_err_set(SC_E_NUMERIC, "least squares gave a coefficient that is not finite");
  }
  set_covariances(wls, term_count, largest, result);
  hold_out(wls, points, term_count, result->forward);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/wls.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <threads.h>

#include "base/buf.h"
#include "regress/term.h"

struct sc_wls {
  size_t capacity;
  gsl_multifit_linear_workspace *work;
  double *design, *target, *weight; /* [capacity * SC_MODEL_TERMS], [capacity], [capacity] */
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
  *wls = sc_mem_new(1, sizeof **wls);
  return *wls ? 0 : SC_E_NOMEM;
}

void sc_wls_free(sc_wls *wls)
{
  if (!wls)
    return;
  if (wls->work)
    gsl_multifit_linear_free(wls->work);
  free(wls->design);
  free(wls);
}

static int reserve(sc_wls *wls, size_t count)
{
  if (count <= wls->capacity)
    return 0;
  double *design = sc_mem_new(count * (SC_MODEL_TERMS + 2), sizeof *design);
  gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(count, SC_MODEL_TERMS);
  if (!design || !work) {
    free(design);
    if (work)
      gsl_multifit_linear_free(work);
    return sc_err_set(SC_E_NOMEM, "out of memory for a fit over %zu sizes", count);
  }
  if (wls->work)
    gsl_multifit_linear_free(wls->work);
  free(wls->design);
  *wls = (sc_wls){count, work, design, design + count * SC_MODEL_TERMS, design + count * (SC_MODEL_TERMS + 1)};
  return 0;
}

/* The columns are divided by their largest entry, because n^3 and 1 in one matrix cost digits. */
static void fill(sc_wls *wls, const sc_points *points, size_t count, const sc_term *terms, size_t term_count,
                 double *largest)
{
  for (size_t j = 0; j < term_count; j++) {
    largest[j] = 0;
    for (size_t i = 0; i < count; i++) {
      double x = sc_term_basis(&terms[j], points->n[i]) / points->scale[i];
      wls->design[i * term_count + j] = x;
      largest[j] = fmax(largest[j], fabs(x));
    }
    if (!(largest[j] > 0) || !isfinite(largest[j]))
      largest[j] = 1;
    for (size_t i = 0; i < count; i++)
      wls->design[i * term_count + j] /= largest[j];
  }
  for (size_t i = 0; i < count; i++) {
    wls->target[i] = points->y[i] / points->scale[i];
    wls->weight[i] = points->repeats[i];
  }
}

int sc_wls_fit(sc_wls *wls, const sc_points *points, size_t count, sc_term *terms, size_t term_count,
               sc_wls_result *result)
{
  if (count < term_count || term_count == 0 || term_count > SC_MODEL_TERMS)
    return sc_err_set(SC_E_NUMERIC, "%zu sizes do not determine %zu terms", count, term_count);
  SC_TRY(reserve(wls, count));
  double largest[SC_MODEL_TERMS], coefficient[SC_MODEL_TERMS], covariance[SC_MODEL_TERMS * SC_MODEL_TERMS];
  fill(wls, points, count, terms, term_count, largest);
  gsl_matrix_const_view design = gsl_matrix_const_view_array(wls->design, count, term_count);
  gsl_vector_const_view target = gsl_vector_const_view_array(wls->target, count);
  gsl_vector_const_view weight = gsl_vector_const_view_array(wls->weight, count);
  gsl_vector_view solution = gsl_vector_view_array(coefficient, term_count);
  gsl_matrix_view spread = gsl_matrix_view_array(covariance, term_count, term_count);
  int status = gsl_multifit_wlinear(&design.matrix, &weight.vector, &target.vector, &solution.vector, &spread.matrix,
                                    &result->rss, wls->work);
  if (status != GSL_SUCCESS)
    return sc_err_set(SC_E_NUMERIC, "least squares failed: %s", gsl_strerror(status));
  for (size_t j = 0; j < term_count; j++) {
    terms[j].coefficient = coefficient[j] / largest[j];
    if (!isfinite(terms[j].coefficient))
      return sc_err_set(SC_E_NUMERIC, "least squares gave a coefficient that is not finite");
    for (size_t l = 0; l < term_count; l++)
      result->covariance[j][l] = covariance[j * term_count + l] / (largest[j] * largest[l]);
  }
  return 0;
}

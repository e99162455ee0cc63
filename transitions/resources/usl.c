/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the law by trust region on relative residuals. Bounds are kept by cases (sigma or kappa 0), not by penalties:
 * what stands at 0 then is exactly 0, and the law has no peak. */
#include "transitions/resources/usl.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "regress/core/wls.h"
#include "transitions/model/tuning.h"

enum { PARAMETERS = 3 };

double sc_usl_at(const sc_usl *u, double n)
{
  return u->lambda * n / (1 + u->sigma * (n - 1) + u->kappa * n * (n - 1));
}

double sc_usl_peak(const sc_usl *u)
{
  if (u->kappa <= SC_USL_NOTHING)
    return INFINITY;
  return u->sigma < 1 ? fmax(1, sqrt((1 - u->sigma) / u->kappa)) : 1;
}

double sc_usl_peak_throughput(const sc_usl *u)
{
  double peak = sc_usl_peak(u);
  if (isfinite(peak))
    return sc_usl_at(u, peak);
  return u->sigma > SC_USL_NOTHING ? u->lambda / u->sigma : INFINITY;
}

typedef struct usl_data {
  const double *n, *x;
  size_t count, free; /* parameters that are fitted: lambda, then these */
  int which[PARAMETERS];
} usl_data;

static sc_usl usl_of(const usl_data *d, const gsl_vector *p)
{
  double all[PARAMETERS] = {0};
  for (size_t i = 0; i < d->free; i++)
    all[d->which[i]] = gsl_vector_get(p, i);
  return (sc_usl){.lambda = all[0], .sigma = all[1], .kappa = all[2]};
}

static int usl_residuals(const gsl_vector *p, void *data, gsl_vector *f)
{
  const usl_data *d = data;
  sc_usl u = usl_of(d, p);
  for (size_t i = 0; i < d->count; i++)
    gsl_vector_set(f, i, sc_usl_at(&u, d->n[i]) / d->x[i] - 1);
  return GSL_SUCCESS;
}

static int usl_jacobian(const gsl_vector *p, void *data, gsl_matrix *j)
{
  const usl_data *d = data;
  sc_usl u = usl_of(d, p);
  for (size_t i = 0; i < d->count; i++) {
    double n = d->n[i], below = 1 + u.sigma * (n - 1) + u.kappa * n * (n - 1);
    double by[PARAMETERS] = {n / below / d->x[i], -u.lambda * n * (n - 1) / below / below / d->x[i],
                             -u.lambda * n * n * (n - 1) / below / below / d->x[i]};
    for (size_t k = 0; k < d->free; k++)
      gsl_matrix_set(j, i, k, by[d->which[k]]);
  }
  return GSL_SUCCESS;
}

/* n / X is linear in 1 / lambda, sigma / lambda and kappa / lambda: where the search starts. */
static bool start_usl(const usl_data *d, gsl_vector *p)
{
  double normal[PARAMETERS * PARAMETERS] = {0}, right[PARAMETERS] = {0};
  for (size_t i = 0; i < d->count; i++) {
    double n = d->n[i], row[PARAMETERS] = {1, n - 1, n * (n - 1)}, weight = d->x[i] / n;
    for (size_t a = 0; a < d->free; a++) {
      right[a] += weight * row[d->which[a]]; /* of weighted values, all 1 */
      for (size_t b = 0; b < d->free; b++)
        normal[a * d->free + b] += weight * row[d->which[a]] * weight * row[d->which[b]];
    }
  }
  gsl_matrix_view matrix = gsl_matrix_view_array(normal, d->free, d->free);
  gsl_vector_view side = gsl_vector_view_array(right, d->free);
  if (gsl_linalg_cholesky_decomp1(&matrix.matrix) || gsl_linalg_cholesky_solve(&matrix.matrix, &side.vector, p))
    return false;
  double first = gsl_vector_get(p, 0);
  if (!(first > 0))
    return false;
  gsl_vector_set(p, 0, 1 / first);
  for (size_t k = 1; k < d->free; k++)
    gsl_vector_set(p, k, fmax(gsl_vector_get(p, k) / first, 0));
  return true;
}

/* Fits the parameters that are free, the others being 0. *sum is the sum of squares, INFINITY without a solution inside
 * the bounds. */
static int fit_free(usl_data *d, sc_usl *u, double *sum)
{
  gsl_multifit_nlinear_parameters options = gsl_multifit_nlinear_default_parameters();
  gsl_multifit_nlinear_fdf system = {.f = usl_residuals, .df = usl_jacobian, .n = d->count, .p = d->free, .params = d};
  gsl_multifit_nlinear_workspace *w =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &options, d->count, d->free);
  gsl_vector *p = gsl_vector_alloc(d->free);
  int err = w && p ? 0 : sc_err_set(SC_E_NOMEM, "no memory for a fit"), info;
  *sum = INFINITY;
  if (!err && start_usl(d, p) && !gsl_multifit_nlinear_init(p, &system, w)) {
    gsl_multifit_nlinear_driver(SC_USL_ITERATIONS, SC_USL_TOLERANCE, SC_USL_TOLERANCE, SC_USL_TOLERANCE, NULL, NULL,
                                &info, w);
    *u = usl_of(d, gsl_multifit_nlinear_position(w));
    double squares;
    gsl_blas_ddot(gsl_multifit_nlinear_residual(w), gsl_multifit_nlinear_residual(w), &squares);
    if (u->lambda > 0 && u->sigma >= 0 && u->kappa >= 0 && isfinite(squares))
      *sum = squares;
  }
  gsl_vector_free(p);
  gsl_multifit_nlinear_free(w);
  return err;
}

static int check_throughput(const double *n, const double *x, size_t count)
{
  if (count < PARAMETERS)
    return sc_err_set(SC_E_INPUT, "%zu points are too few for the scalability law", count);
  for (size_t i = 0; i < count; i++)
    if (!(n[i] >= 1) || !(x[i] > 0) || !isfinite(n[i]) || !isfinite(x[i]))
      return sc_err_set(SC_E_INPUT, "the scalability law needs numbers of threads and throughputs: %g, %g", n[i], x[i]);
  return 0;
}

/* The minimum inside the bounds, or the best of those on them: the function is smooth and there are four cases. */
int sc_usl_fit(const double *n, const double *x, size_t count, sc_usl *usl)
{
  static const int cases[][PARAMETERS] = {{0, 1, 2}, {0, 1}, {0, 2}, {0}};
  static const size_t sizes[] = {3, 2, 2, 1};
  double best = INFINITY;
  SC_TRY(check_throughput(n, x, count));
  sc_wls_init();
  for (size_t i = 0; i < 4; i++) {
    usl_data d = {.n = n, .x = x, .count = count, .free = sizes[i]};
    sc_usl u;
    double sum;
    for (size_t k = 0; k < d.free; k++)
      d.which[k] = cases[i][k];
    SC_TRY(fit_free(&d, &u, &sum));
    if (sum < best) {
      best = sum;
      *usl = u;
    }
  }
  if (!isfinite(best))
    return sc_err_set(SC_E_NUMERIC, "no scalability law fits the throughputs");
  usl->error = 0;
  for (size_t i = 0; i < count; i++)
    usl->error += fabs(sc_usl_at(usl, n[i]) / x[i] - 1) / (double)count;
  return 0;
}

static sc_interval usl_percentiles(double *values, size_t count, double value, double level)
{
  gsl_sort(values, 1, count);
  size_t low = (size_t)floor((1 - level) / 2 * (double)(count - 1));
  sc_interval i = {value, values[low], values[count - 1 - low]};
  i.low = fmin(i.low, value);
  i.high = fmax(i.high, value);
  return i;
}

int sc_usl_bootstrap(const sc_usl *usl, const double *n, const double *x, size_t count, double level,
                     sc_usl_intervals *out)
{
  int err = SC_E_NOMEM;
  size_t used = 0;
  gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
  double *sample = sc_mem_new(count, sizeof *sample), *values = sc_mem_new(5 * SC_USL_RESAMPLES, sizeof *values);
  if (!random || !sample || !values)
    goto out;
  /* as many parameters as were fitted make residuals smaller than the noise */
  double inflate = sqrt((double)count / fmax(1, (double)count - PARAMETERS));
  for (int round = 0; round < SC_USL_RESAMPLES; round++) {
    sc_usl u;
    for (size_t i = 0; i < count; i++) {
      size_t k = gsl_rng_uniform_int(random, count);
      sample[i] = sc_usl_at(usl, n[i]) * exp(inflate * log(x[k] / sc_usl_at(usl, n[k])));
    }
    if (sc_usl_fit(n, sample, count, &u) < 0)
      continue;
    double five[] = {u.lambda, u.sigma, u.kappa, sc_usl_peak(&u), sc_usl_peak_throughput(&u)};
    for (size_t k = 0; k < 5; k++)
      values[k * SC_USL_RESAMPLES + used] = five[k];
    used++;
  }
  err = used ? 0 : sc_err_set(SC_E_NUMERIC, "no scalability law fits the resampled throughputs");
  if (err)
    goto out;
  out->lambda = usl_percentiles(values, used, usl->lambda, level);
  out->sigma = usl_percentiles(values + SC_USL_RESAMPLES, used, usl->sigma, level);
  out->kappa = usl_percentiles(values + 2 * SC_USL_RESAMPLES, used, usl->kappa, level);
  out->peak = usl_percentiles(values + 3 * SC_USL_RESAMPLES, used, sc_usl_peak(usl), level);
  out->peak_throughput = usl_percentiles(values + 4 * SC_USL_RESAMPLES, used, sc_usl_peak_throughput(usl), level);
out:
  gsl_rng_free(random);
  free(sample);
  free(values);
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The minimum of a function of one number. */
#include "regress/core/minimum.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

#include "regress/core/tuning.h"

double sc_minimum_find(double (*function)(double, void *), void *data, double low, double best, double high,
                       double close)
{
  gsl_function wrapped = {function, data};
  gsl_min_fminimizer *search = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  if (!search || gsl_min_fminimizer_set(search, &wrapped, best, low, high)) {
    if (search)
      gsl_min_fminimizer_free(search);
    return NAN;
  }
  for (int i = 0; i < SC_MINIMUM_STEPS_MOST; i++)
    if (gsl_min_fminimizer_iterate(search) != GSL_SUCCESS ||
        gsl_min_fminimizer_x_upper(search) - gsl_min_fminimizer_x_lower(search) < close)
      break;
  best = gsl_min_fminimizer_x_minimum(search);
  gsl_min_fminimizer_free(search);
  return best;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A power law through the prices of one context, each weighed by its samples. */
#include "transitions/model/cost_slope.h"

#include <math.h>

#include "regress/core/sizes.h"
#include "transitions/model/tuning.h"

size_t sc_cost_slope_sizes(const sc_cost_point *points, size_t count)
{
  return sc_sizes_distinct(&points->n, sizeof *points / sizeof points->n, count);
}

/* A sample count s has the relative error 1/sqrt(s), so that s is the weight of ln each. */
bool sc_cost_slope_fit(const sc_cost_point *points, size_t count, sc_cost_slope *out)
{
  double weight = 0, x = 0, y = 0, xx = 0, xy = 0, squares = 0, relative = 0;
  if (sc_cost_slope_sizes(points, count) < 3)
    return false;
  for (size_t i = 0; i < count; i++) {
    weight += points[i].samples;
    x += points[i].samples * log(points[i].n);
    y += points[i].samples * log(points[i].each);
  }
  x /= weight;
  y /= weight;
  for (size_t i = 0; i < count; i++) {
    double dx = log(points[i].n) - x;
    xx += points[i].samples * dx * dx;
    xy += points[i].samples * dx * (log(points[i].each) - y);
  }
  *out = (sc_cost_slope){.slope = xy / xx, .centre = x, .level = y};
  for (size_t i = 0; i < count; i++) {
    double off = log(points[i].each) - y - out->slope * (log(points[i].n) - x);
    squares += points[i].samples * off * off;
    out->worst = fmax(out->worst, fabs(off) - 3 / sqrt(points[i].samples));
    relative += points[i].samples * fabs(expm1(off));
  }
  double excess = fmax(1, sqrt(squares / (double)(count - 2)));
  out->error = excess / sqrt(xx);
  out->level_error = excess / sqrt(weight);
  out->residual = relative / weight;
  return isfinite(out->slope) && isfinite(out->error);
}

bool sc_cost_slope_certain(const sc_cost_slope *slope)
{
  return slope->slope - 2 * slope->error >= SC_COST_SLOPE_CERTAIN && slope->worst <= SC_COST_SLOPE_BEND;
}

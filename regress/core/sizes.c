/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/sizes.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "regress/core/tuning.h"

int sc_sizes_add(sc_sizes *sizes, double n)
{
  SC_TRY(sc_mem_grow(&sizes->n, &sizes->capacity, sizes->count + 1, sizeof *sizes->n));
  sizes->n[sizes->count++] = n;
  return 0;
}

bool sc_sizes_has(const sc_sizes *sizes, double n)
{
  for (size_t i = 0; i < sizes->count; i++)
    if (sizes->n[i] == n)
      return true;
  return false;
}

double sc_sizes_nearest(const sc_sizes *sizes, double n)
{
  double best = 0;
  for (size_t i = 0; i < sizes->count; i++) {
    double near = fabs(sizes->n[i] - n), so_far = fabs(best - n);
    if (i == 0 || near < so_far || (near == so_far && sizes->n[i] < best))
      best = sizes->n[i];
  }
  return best;
}

/* The largest size below n; 0: all are larger. */
static double find_size_below(const sc_sizes *sizes, double n)
{
  double best = 0;
  for (size_t i = 0; i < sizes->count; i++)
    if (sizes->n[i] < n)
      best = fmax(best, sizes->n[i]);
  return best;
}

double sc_sizes_up_to(const sc_sizes *sizes, double wanted, bool whole)
{
  double best = 0, widest = 1, above = whole ? floor(wanted) : wanted;
  if (!sc_sizes_has(sizes, above))
    return above;
  for (double below = find_size_below(sizes, above); below > 0 && widest < SC_SIZES_WIDE;
       below = find_size_below(sizes, above)) {
    double middle = (below + above) / 2;
    middle = whole ? round(middle) : middle;
    if (middle > below && middle < above && above / below > widest) {
      widest = above / below;
      best = middle;
    }
    above = below;
  }
  return best;
}

void sc_sizes_remove(sc_sizes *sizes, double n)
{
  size_t kept = 0;
  for (size_t i = 0; i < sizes->count; i++)
    if (sizes->n[i] != n)
      sizes->n[kept++] = sizes->n[i];
  sizes->count = kept;
}

void sc_sizes_free(sc_sizes *sizes)
{
  free(sizes->n);
  *sizes = (sc_sizes){0};
}

size_t sc_sizes_distinct(const double *n, size_t stride, size_t count)
{
  size_t distinct = 0;
  for (size_t i = 0; i < count; i++)
    distinct += i == 0 || n[i * stride] != n[(i - 1) * stride];
  return distinct;
}

int sc_sizes_check(const double *n, size_t count, bool whole, const char *what)
{
  for (size_t i = 0; i < count; i++) {
    if (isfinite(n[i]) && n[i] > 0 && (!whole || n[i] == round(n[i])))
      continue;
    sc_err_set(SC_E_INPUT, "%g cannot be one of the %s", n[i], what);
    return sc_err_hint(SC_E_INPUT, "sizes are %s greater than 0", whole ? "whole numbers" : "numbers");
  }
  return 0;
}

double sc_sizes_round_up(double n)
{
  double exponent = floor(log10(n)) - 1, unit = pow(10, exponent);
  double digits = ceil(n / unit - 1e-9);                             /* what is such a size but for rounding stays */
  return exponent < 0 ? digits / pow(10, -exponent) : digits * unit; /* 9.7, and not 97 times what is nearly 0.1 */
}

double sc_sizes_spread(double low, double high, size_t i, size_t count)
{
  if (count < 2 || i + 1 == count)
    return high;
  double step = log2(high / low) / (double)(count - 1), exponent = step * (double)i;
  /* Sizes that double hide whatever happens at powers of 2: move the inner ones off the grid. */
  if (i > 0 && fabs(step - round(step)) < SC_SIZES_DOUBLING)
    exponent += step * (i % 2 ? SC_SIZES_ASIDE_UP : -SC_SIZES_ASIDE_DOWN);
  return low * exp2(exponent);
}

double sc_sizes_spaced(double low, double high, size_t i, size_t count)
{
  return sc_sizes_spread(fmax(low, high / SC_SIZES_SPAN), high, i, count);
}

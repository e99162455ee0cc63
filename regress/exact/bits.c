/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it costs to describe an exact sum: sc_exact_sum_bits of sum.h. */
#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/exact/sum.h"

double sc_exact_number_bits(double magnitude, double most)
{
  return fmin(1 + SC_EXACT_NUMBER * log2(magnitude), 2 + log2(1 + most));
}

double sc_exact_any_scale_bits(double scale) { return 2 + SC_EXACT_NUMBER * log2(scale); }

double sc_exact_scale_bits(double scale)
{
  double whole = floor(scale), power = floor(log10(scale) + 1e-12);
  if (whole != scale) { /* a quotient of whole numbers: items of some size in blocks of another */
    for (int under = 2; under <= 64; under++) {
      double over = log2(scale * under);
      if (floor(scale * under) == scale * under)
        return 7 + SC_EXACT_NUMBER * (over == floor(over) ? log2(1 + fabs(over)) : over) +
               SC_EXACT_NUMBER * log2(under);
    }
    return INFINITY;
  }
  double bits = sc_exact_any_scale_bits(scale);
  if (log2(scale) == floor(log2(scale)))
    bits = fmin(bits, 1 + log2(1 + log2(scale)));
  double digits = scale / pow(10, power);
  if (power >= 1 && digits == floor(digits))
    bits = fmin(bits, digits == 1 || digits == 2 || digits == 5 ? 3 + power / 2 : 5 + power / 2);
  return bits;
}

/* How unusual a function is: the more, the less often counting loops make it. */
static double basis_bits(const sc_term *basis)
{
  static const double powers[] = {1, 1.5, 2.5, 4, 5}, by_n = 1;
  double e = basis->exponent;
  switch (basis->shape) {
  case SC_SHAPE_PLAIN:
    return powers[(int)e];
  case SC_SHAPE_CEIL_LOG:
    return 2 + by_n * (e > 1 ? 2 : 0) + 3 * (basis->log_exponent - 1) +
           (basis->scale > 0 ? sc_exact_scale_bits(basis->scale) : 0);
  case SC_SHAPE_FLOOR_LOG:
    return 3 + by_n * (e > 1 ? 2 : 0) + 3 * (basis->log_exponent - 1) +
           (basis->scale > 0 ? sc_exact_scale_bits(basis->scale) : 0);
  case SC_SHAPE_CEIL_POWER:
    return 5 + by_n * (e - 1) + (basis->scale > 0 ? sc_exact_scale_bits(basis->scale) : 0);
  case SC_SHAPE_FLOOR_POWER:
    return 6 + by_n * (e - 1) + (basis->scale > 0 ? sc_exact_scale_bits(basis->scale) : 0);
  case SC_SHAPE_CEIL_BLOCK:
    return 2 + by_n * (e - 1) + sc_exact_scale_bits(basis->scale);
  case SC_SHAPE_FLOOR_BLOCK:
    return 3 + by_n * (e - 1) + sc_exact_scale_bits(basis->scale);
  case SC_SHAPE_BLOCK_SQUARE:
    return 4 + by_n * (e - 2) + sc_exact_scale_bits(basis->scale);
  case SC_SHAPE_FLOOR_SQUARE:
    return 5 + by_n * (e - 2) + sc_exact_scale_bits(basis->scale);
  case SC_SHAPE_FLOOR_ROOT:
    return 4.5 + by_n * (e - 0.5);
  case SC_SHAPE_HYPERBOLIC:
  case SC_SHAPE_APPROACH:
    break;
  }
  return INFINITY;
}

static double denominator_bits(long under)
{
  switch (under) { /* those of nested loops are the divisors of 4! */
  case 1:
    return 0;
  case 2:
    return 2;
  case 6:
  case 4:
    return 3;
  case 3:
  case 24:
    return 4;
  case 8:
  case 12:
    return 5;
  default:
    return 6 + SC_EXACT_NUMBER * log2((double)under);
  }
}

double sc_exact_sum_bits(const sc_exact_sum *sum, double n_max, double y_max)
{
  double bits = 1 + denominator_bits(sum->under);
  for (size_t j = 0; j < sum->count; j++) {
    sc_term basis = sum->basis[j];
    double most = y_max * (double)sum->under / fmax(1, sc_term_basis(&basis, n_max));
    bits += 1 + basis_bits(&basis) + sc_exact_number_bits(fabs((double)sum->over[j]), most) + (sum->over[j] < 0);
  }
  return bits + (sc_exact_sum_counts(sum) ? 0 : SC_EXACT_FRACTIONAL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms of models: their values, sums, orders and order among each other. */
#include "regress/core/term.h"

#include <math.h>

#include "base/compare.h"

/* pow is slow, and nearly every exponent is a small multiple of 1/2. */
static double term_power(double n, double exponent)
{
  if (exponent == 0)
    return 1;
  if (exponent == 0.5)
    return sqrt(n);
  if (exponent == 1)
    return n;
  if (exponent == 1.5)
    return n * sqrt(n);
  if (exponent == 2)
    return n * n;
  if (exponent == 2.5)
    return n * n * sqrt(n);
  if (exponent == 3)
    return n * n * n;
  if (exponent == 3.5)
    return n * n * n * sqrt(n);
  if (exponent == 4)
    return n * n * (n * n);
  return pow(n, exponent);
}

/* log2 n rounded to a whole number. frexp and not log2: that would miss powers of two by its rounding. */
static double term_whole_log(double n, bool up)
{
  int exponent;
  double mantissa = frexp(n, &exponent);
  return up && mantissa > 0.5 ? exponent : exponent - 1;
}

/* The logarithm to a whole base, rounded. Powers are counted: a quotient of logarithms would miss them by its rounding.
 */
static double whole_log_of(double n, double base, bool up)
{
  double power = 1, count = 0;
  for (; base > 1 && power * base <= n; count++)
    power *= base;
  return count + (up && power < n);
}

static double term_plain(const sc_term *term, double n, double log2_n)
{
  double value = term_power(n, term->exponent);
  if (term->log_exponent > 0)
    value *= term_power(log2_n, term->log_exponent);
  else if (term->log_exponent < 0) /* a quotient is one of sizes from 2 on */
    value /= term_power(fmax(log2_n, 1), -term->log_exponent);
  if (term->base > 0)
    value *= pow(term->base, n);
  return value;
}

double sc_term_basis(const sc_term *term, double n)
{
  return sc_term_basis_at(term, n, term->log_exponent ? log2(n) : 0);
}

double sc_term_basis_at(const sc_term *term, double n, double log2_n)
{
  switch (term->shape) {
  case SC_SHAPE_PLAIN:
    break;
  case SC_SHAPE_CEIL_LOG:
  case SC_SHAPE_FLOOR_LOG:
    if (term->scale > 0)
      return term_power(n, term->exponent) *
             term_power(whole_log_of(n, term->scale, term->shape == SC_SHAPE_CEIL_LOG), term->log_exponent);
    return term_power(n, term->exponent) *
           term_power(term_whole_log(n, term->shape == SC_SHAPE_CEIL_LOG), term->log_exponent);
  case SC_SHAPE_CEIL_POWER:
  case SC_SHAPE_FLOOR_POWER:
    return term_power(n, term->exponent - 1) *
           exp2(term_whole_log(term->scale > 0 ? n / term->scale : n, term->shape == SC_SHAPE_CEIL_POWER));
  case SC_SHAPE_CEIL_BLOCK:
    return term_power(n, term->exponent - 1) * ceil(n / term->scale);
  case SC_SHAPE_FLOOR_BLOCK:
    return term_power(n, term->exponent - 1) * floor(n / term->scale);
  case SC_SHAPE_BLOCK_SQUARE:
    return term_power(n, term->exponent - 2) * term_power(ceil(n / term->scale), 2);
  case SC_SHAPE_FLOOR_SQUARE:
    return term_power(n, term->exponent - 2) * term_power(floor(n / term->scale), 2);
  case SC_SHAPE_FLOOR_ROOT:
    return term_power(n, term->exponent - 0.5) * floor(sqrt(n));
  case SC_SHAPE_HYPERBOLIC:
    return n / (n + term->scale);
  case SC_SHAPE_APPROACH:
    return -expm1(-n / term->scale);
  }
  return term_plain(term, n, log2_n);
}

bool sc_term_is_constant(const sc_term *terms, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (terms[i].exponent != 0 || terms[i].log_exponent != 0 || terms[i].base > 0 || terms[i].shape != SC_SHAPE_PLAIN)
      return false;
  return true;
}

double sc_term_sum(const sc_term *terms, size_t count, double n)
{
  double sum = 0;
  for (size_t i = count; i-- > 0;)
    sum += terms[i].coefficient * sc_term_basis(&terms[i], n);
  return sum;
}

int sc_term_compare(const sc_term *a, const sc_term *b)
{
  return SC_COMPARE(a->base, b->base) ?: SC_COMPARE(a->exponent, b->exponent) ?:
         SC_COMPARE(a->log_exponent, b->log_exponent) ?: SC_COMPARE(a->shape, b->shape);
}

size_t sc_term_sort(sc_term *terms, size_t count, size_t *map)
{
  size_t kept = 0, from[SC_MODEL_TERMS];
  for (size_t i = 0; i < count; i++) {
    if (terms[i].coefficient == 0)
      continue;
    sc_term term = terms[i];
    size_t at = kept++;
    for (; at > 0 && sc_term_compare(&terms[at - 1], &term) < 0; at--) {
      terms[at] = terms[at - 1];
      from[at] = from[at - 1];
    }
    terms[at] = term;
    from[at] = i;
  }
  for (size_t i = 0; map && i < kept; i++)
    map[i] = from[i];
  return kept;
}

sc_order sc_term_order(const sc_term *terms, size_t count)
{
  if (count == 0 || terms[0].coefficient < 0 || terms[0].exponent < 0)
    return (sc_order){.exponent = 0};
  if (terms[0].base > 1)
    return (sc_order){.exponent = SC_ORDER_EXPONENTIAL,
                      .integer = SC_ORDER_EXPONENTIAL,
                      .base = terms[0].base,
                      .beside = terms[0].exponent};
  return (sc_order){
      .exponent = terms[0].exponent, .log_exponent = terms[0].log_exponent, .integer = (int)lround(terms[0].exponent)};
}

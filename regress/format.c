/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "regress/model.h"

enum { DENOMINATOR_MAX = 1000 };

/* As snprintf in a row: counts what does not fit. */
typedef struct sink {
  char *text;
  size_t size, length;
} sink;

static void put(sink *out, const char *format, ...) SC_PRINTF(2, 3);
static void put(sink *out, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  size_t left = out->length < out->size ? out->size - out->length : 0;
  int length = vsnprintf(left ? out->text + out->length : NULL, left, format, args);
  va_end(args);
  if (length > 0)
    out->length += (size_t)length;
}

/* 10 digits, or a fraction where the number is one that 10 digits do not hold ("1/6"). */
static void put_number(sink *out, double x, bool exact)
{
  char digits[40];
  snprintf(digits, sizeof digits, "%.10g", x);
  for (int under = 2; exact && strtod(digits, NULL) != x && under <= DENOMINATOR_MAX; under++) {
    double over = round(x * under);
    if (over / under == x && over < 1e15) {
      put(out, "%.0f/%d", over, under);
      return;
    }
  }
  if (exact && strtod(digits, NULL) != x)
    snprintf(digits, sizeof digits, "%.17g", x);
  put(out, "%s", digits);
}

static void put_power(sink *out, const char *base, double exponent, const char *format)
{
  if (exponent == 1) {
    put(out, "%s", base);
    return;
  }
  put(out, "%s^%s", base, exponent < 0 ? "(" : "");
  char digits[40];
  snprintf(digits, sizeof digits, format[0] == 'r' ? "%.3g" : "%.10g", exponent);
  put(out, "%s%s", digits, exponent < 0 ? ")" : "");
}

/* "2.236 * 1.618^n", "n * 2^n" */
static void put_exponential(sink *out, const sc_term *t, bool unit, const char *variable)
{
  char digits[40];
  snprintf(digits, sizeof digits, "%.10g", t->base);
  if (t->exponent != 0) {
    put(out, unit ? "" : " ");
    put_power(out, variable, t->exponent, "exact");
  }
  put(out, "%s%s^%s", unit && t->exponent == 0 ? "" : " * ", digits, variable);
}

int sc_model_format(const sc_model *model, const char *variable, char *text, size_t size)
{
  sink out = {text, size, 0};
  char logarithm[80];
  snprintf(logarithm, sizeof logarithm, "log2(%s)", variable);
  if (size)
    text[0] = '\0';
  if (model->term_count == 0)
    put(&out, "0");
  for (size_t i = 0; i < model->term_count; i++) {
    const sc_term *t = &model->terms[i];
    bool growing = t->exponent != 0 || t->log_exponent != 0 || t->base > 0;
    bool unit = growing && fabs(fabs(t->coefficient) - 1) < 1e-10;
    if (i > 0)
      put(&out, t->coefficient < 0 ? " - " : " + ");
    else if (t->coefficient < 0)
      put(&out, "-");
    if (!unit)
      put_number(&out, fabs(t->coefficient), model->exact);
    if (t->base > 0) {
      put_exponential(&out, t, unit, variable);
      continue;
    }
    if (t->exponent != 0) {
      put(&out, unit ? "" : " ");
      put_power(&out, variable, t->exponent, "exact");
    }
    if (t->log_exponent != 0) {
      put(&out, unit && t->exponent == 0 ? "" : " ");
      put(&out, t->log_exponent < 0 ? "/ " : "");
      put_power(&out, logarithm, fabs(t->log_exponent), "exact");
    }
  }
  return (int)out.length;
}

int sc_model_format_order(const sc_order *order, const char *variable, char *text, size_t size)
{
  sink out = {text, size, 0};
  char logarithm[80];
  snprintf(logarithm, sizeof logarithm, "log %s", variable);
  if (size)
    text[0] = '\0';
  if (order->base > 0) {
    if (order->beside != 0) {
      put_power(&out, variable, order->beside, "readable");
      put(&out, " ");
    }
    put(&out, "%.4g^%s", order->base, variable);
    return (int)out.length;
  }
  if (order->exponent == 0 && order->log_exponent == 0)
    put(&out, "constant");
  if (order->exponent != 0)
    put_power(&out, variable, order->exponent, "readable");
  if (order->log_exponent != 0) {
    put(&out, order->exponent != 0 ? " " : "");
    put(&out, order->log_exponent < 0 ? "/ " : "");
    if (fabs(order->log_exponent) == 1)
      put(&out, "%s", logarithm);
    else
      put(&out, "(%s)^%.3g", logarithm, fabs(order->log_exponent));
  }
  return (int)out.length;
}

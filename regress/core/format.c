/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "regress/core/tuning.h"

sc_sink sc_sink_open(char *text, size_t size, bool programs, bool exact)
{
  if (size)
    text[0] = '\0';
  return (sc_sink){.text = text, .size = size, .programs = programs, .exact = exact};
}

void sc_sink_put(sc_sink *sink, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  size_t left = sink->length < sink->size ? sink->size - sink->length : 0;
  int length = vsnprintf(left ? sink->text + sink->length : NULL, left, format, args);
  va_end(args);
  if (length > 0)
    sink->length += (size_t)length;
}

static void write_text(sc_sink *sink, const char *text)
{
  size_t length = strlen(text);
  if (sink->length + length >= sink->size) { /* as much as there is room for */
    sc_sink_put(sink, "%s", text);
    return;
  }
  memcpy(sink->text + sink->length, text, length + 1);
  sink->length += length;
}

const char *sc_sink_times(const sc_sink *sink) { return sink->programs ? " * " : " "; }

static double round_to(int digits, double x)
{
  char text[32];
  snprintf(text, sizeof text, "%.*g", digits, x);
  return strtod(text, NULL);
}

/* Fitted numbers beside coefficients: exponents, scales, sizes. */
static double round_fitted(const sc_sink *out, double x)
{
  return out->brief && !out->exact ? round_to(SC_FORMAT_BRIEF, x) : x;
}

/* Written as it is. For people 10 digits, or a fraction where the number is one that 10 digits do not hold ("1/6"). */
static void put_number(sc_sink *out, double x)
{
  char digits[40];
  if (out->programs && !out->exact) {
    sc_number_write(x, SC_FORMAT_FITTED, digits);
    write_text(out, digits);
    return;
  }
  snprintf(digits, sizeof digits, "%.10g", x);
  bool held = strtod(digits, NULL) == x;
  for (int under = 2; out->exact && !held && under <= SC_EXACT_DENOMINATOR_MOST; under++) {
    double over = round(x * under);
    if (over / under == x && over < 1e15) {
      sc_sink_put(out, "%.0f/%d", over, under);
      return;
    }
  }
  if (out->exact && out->brief && !held)
    snprintf(digits, sizeof digits, "%.10g", round_to(SC_FORMAT_BRIEF, x));
  else if (out->exact)
    sc_number_write(x, SC_NUMBER_SAME, digits);
  write_text(out, digits);
}

/* "5.08 ns" */
static void put_time(sc_sink *out, double seconds)
{
  static const struct {
    double unit;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}, {1e-12, "ps"}};
  size_t i = 0;
  while (i + 1 < sizeof units / sizeof *units && seconds < 0.9995 * units[i].unit)
    i++;
  sc_sink_put(out, "%.10g %s", round_to(SC_FORMAT_BRIEF, seconds / units[i].unit), units[i].name);
}

static void put_coefficient(sc_sink *out, double x)
{
  if (out->seconds > 0) {
    put_time(out, x * out->seconds);
    return;
  }
  bool stays = !out->brief || (out->exact && fabs(x) <= SC_FORMAT_READABLE);
  put_number(out, stays ? x : round_to(SC_FORMAT_BRIEF, x));
}

static void put_power(sc_sink *out, const char *base, double exponent, const char *format)
{
  exponent = round_fitted(out, exponent);
  if (exponent == 1) {
    write_text(out, base);
    return;
  }
  write_text(out, base);
  write_text(out, exponent < 0 ? "^(" : "^");
  char digits[40];
  if (out->programs)
    sc_number_write(exponent, SC_FORMAT_FITTED, digits);
  else
    snprintf(digits, sizeof digits, format[0] == 'r' ? "%.3g" : "%.10g", exponent);
  write_text(out, digits);
  write_text(out, exponent < 0 ? ")" : "");
}

/* A rounded logarithm. Programs have that to base 2 alone, and must not miss a power of another base by its rounding.
 */
static void log_text(const sc_sink *out, const sc_term *t, const char *variable, char text[static 160])
{
  bool up = t->shape == SC_SHAPE_CEIL_LOG, program = out->programs;
  char digits[40];
  sc_number_write(program ? log2(t->scale) : round_fitted(out, t->scale), SC_NUMBER_SAME, digits);
  if (!(t->scale > 0))
    snprintf(text, 160, "%s(log2(%s))", up ? "ceil" : "floor", variable);
  else if (program)
    snprintf(text, 160, "%s(log2(%s) / %s %s 1e-12)", up ? "ceil" : "floor", variable, digits, up ? "-" : "+");
  else
    snprintf(text, 160, "%s(log%s%s(%s))", up ? "ceil" : "floor", t->scale == 10 ? "" : "_", digits, variable);
}

/* The rounded or saturating factor of a term, and what is left of its exponent beside it. */
static double shape_text(const sc_sink *out, const sc_term *t, const char *variable, char text[static 160])
{
  const char *round = t->shape == SC_SHAPE_FLOOR_LOG || t->shape == SC_SHAPE_FLOOR_POWER ||
                              t->shape == SC_SHAPE_FLOOR_BLOCK || t->shape == SC_SHAPE_FLOOR_SQUARE
                          ? "floor"
                          : "ceil";
  char scale[40];
  if (t->shape == SC_SHAPE_PLAIN && t->log_exponent == 0)
    return t->exponent;
  sc_number_write(round_fitted(out, t->scale), SC_FORMAT_FITTED, scale);
  switch (t->shape) {
  case SC_SHAPE_CEIL_LOG:
  case SC_SHAPE_FLOOR_LOG:
    log_text(out, t, variable, text);
    return t->exponent;
  case SC_SHAPE_CEIL_POWER:
  case SC_SHAPE_FLOOR_POWER:
    if (t->scale > 0)
      snprintf(text, 160, "2^%s(log2(%s / %s))", round, variable, scale);
    else
      snprintf(text, 160, "2^%s(log2(%s))", round, variable);
    return t->exponent - 1;
  case SC_SHAPE_CEIL_BLOCK:
  case SC_SHAPE_FLOOR_BLOCK:
    snprintf(text, 160, "%s(%s / %s)", round, variable, scale);
    return t->exponent - 1;
  case SC_SHAPE_BLOCK_SQUARE:
  case SC_SHAPE_FLOOR_SQUARE:
    snprintf(text, 160, "%s(%s / %s)^2", round, variable, scale);
    return t->exponent - 2;
  case SC_SHAPE_FLOOR_ROOT:
    snprintf(text, 160, "floor(sqrt(%s))", variable);
    return t->exponent - 0.5;
  case SC_SHAPE_HYPERBOLIC:
    snprintf(text, 160, "%s / (%s + %s)", variable, variable, scale);
    return 0;
  case SC_SHAPE_APPROACH:
    snprintf(text, 160, "(1 - exp(-%s / %s))", variable, scale);
    return 0;
  case SC_SHAPE_PLAIN:
    break;
  }
  snprintf(text, 160, "log2(%s)", variable);
  return t->exponent;
}

static void separate_factors(sc_sink *out, size_t *factors)
{
  if ((*factors)++)
    write_text(out, sc_sink_times(out));
}

static void put_formula_term(sc_sink *out, const sc_term *t, const char *variable)
{
  char text[160], digits[40];
  size_t f = 0;
  double exponent = shape_text(out, t, variable, text);
  bool logs = t->shape <= SC_SHAPE_FLOOR_LOG, other = t->shape > SC_SHAPE_FLOOR_LOG;
  bool growing = exponent != 0 || t->log_exponent != 0 || t->base > 0 || other;
  if (!growing || out->seconds > 0 || fabs(fabs(t->coefficient) - 1) >= 1e-10) {
    separate_factors(out, &f);
    put_coefficient(out, fabs(t->coefficient));
  }
  if (exponent != 0) {
    separate_factors(out, &f);
    put_power(out, variable, exponent, "exact");
  }
  if (logs && t->log_exponent < 0)
    sc_sink_put(out, "%s / ", f ? "" : "1");
  else if (t->log_exponent != 0 || other)
    separate_factors(out, &f);
  if (logs && t->log_exponent != 0)
    put_power(out, text, fabs(t->log_exponent), "exact");
  else if (other)
    write_text(out, text);
  if (t->base > 0) { /* "2.236 * 1.618^n", "n * 2^n" */
    write_text(out, f ? " * " : "");
    snprintf(digits, sizeof digits, "%.*g", out->brief && !out->exact ? SC_FORMAT_BRIEF_BASE : 10, t->base);
    if (out->programs)
      sc_number_write(t->base, SC_NUMBER_SAME, digits);
    sc_sink_put(out, "%s^%s", digits, variable);
  }
}

static void put_sum(sc_sink *out, const sc_term *terms, size_t count, const char *variable)
{
  if (count == 0)
    write_text(out, "0");
  for (size_t i = 0; i < count; i++) {
    if (out->brief && !out->exact && fabs(terms[i].coefficient) < SC_FORMAT_ROUNDING * fabs(terms[0].coefficient))
      continue;
    if (i > 0)
      write_text(out, terms[i].coefficient < 0 ? " - " : " + ");
    else if (terms[i].coefficient < 0)
      write_text(out, "-");
    put_formula_term(out, &terms[i], variable);
  }
}

/* Pieces: "n < 300: 5 n; else n^2", and for programs "where(n < 300, 5 * n, n^2)". */
static int put_formula_model(sc_sink *out, const sc_model *model, const char *variable)
{
  for (size_t i = 0; i < model->piece_count; i++) {
    const sc_piece *piece = &model->pieces[i];
    const char *then = i + 1 < model->piece_count ? "; " : "; else ";
    sc_sink_put(out, out->programs ? "where(%s < " : "%s < ", variable);
    put_number(out, round_fitted(out, piece->until));
    write_text(out, out->programs ? ", " : ": ");
    put_sum(out, piece->terms, piece->term_count, variable);
    write_text(out, out->programs ? ", " : then);
  }
  put_sum(out, model->terms, model->term_count, variable);
  for (size_t i = 0; out->programs && i < model->piece_count; i++)
    write_text(out, ")");
  return (int)out->length;
}

int sc_model_format(const sc_model *model, const char *variable, char *text, size_t size)
{
  sc_sink out = sc_sink_open(text, size, false, model->exact);
  return put_formula_model(&out, model, variable);
}

int sc_model_format_brief(const sc_model *model, const char *variable, double seconds, char *text, size_t size)
{
  sc_sink out = sc_sink_open(text, size, false, model->exact);
  out.brief = true;
  out.seconds = seconds;
  return put_formula_model(&out, model, variable);
}

int sc_format_like(const sc_sink *other, const sc_model *model, const char *variable, char *text, size_t size)
{
  sc_sink out = sc_sink_open(text, size, other->programs, other->exact);
  out.brief = other->brief;
  out.seconds = other->seconds;
  return put_formula_model(&out, model, variable);
}

int sc_model_expression(const sc_model *model, const char *variable, char *text, size_t size)
{
  sc_sink out = sc_sink_open(text, size, true, model->exact);
  return put_formula_model(&out, model, variable);
}

int sc_model_format_order(const sc_order *order, const char *variable, char *text, size_t size)
{
  sc_sink out = sc_sink_open(text, size, false, false);
  char logarithm[80];
  snprintf(logarithm, sizeof logarithm, "log %s", variable);
  if (order->base > 0) {
    if (order->beside != 0) {
      put_power(&out, variable, order->beside, "readable");
      sc_sink_put(&out, " ");
    }
    sc_sink_put(&out, "%.4g^%s", order->base, variable);
    return (int)out.length;
  }
  if (order->exponent == 0 && order->log_exponent == 0)
    sc_sink_put(&out, "constant");
  if (order->exponent != 0)
    put_power(&out, variable, order->exponent, "readable");
  if (order->log_exponent != 0) {
    sc_sink_put(&out, order->exponent != 0 ? " " : "");
    sc_sink_put(&out, order->log_exponent < 0 ? "/ " : "");
    if (fabs(order->log_exponent) == 1)
      sc_sink_put(&out, "%s", logarithm);
    else
      sc_sink_put(&out, "(%s)^%.3g", logarithm, fabs(order->log_exponent));
  }
  return (int)out.length;
}

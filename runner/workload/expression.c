/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of `repeat`: recursive descent over the text, no tree. Depth is bounded, as the text is foreign. */
#include "runner/workload/expression.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "runner/text/tuning.h"

enum { DEPTH_LIMIT = 64 };

typedef struct parser {
  const char *text, *at;
  const sc_expand_vars *vars;
  int depth;
} parser;

static int sum_expression(parser *p, double *value);
static int sign_expression(parser *p, double *value);

static int fail_expression(const parser *p, const char *what)
{
  (void)sc_err_set(SC_E_INPUT, "repeat=\"%.80s\": %s at character %zu", p->text, what, (size_t)(p->at - p->text) + 1);
  char names[256];
  sc_expand_names(p->vars, names, sizeof names);
  return sc_err_hint(SC_E_INPUT, "an expression of numbers, %s, + - * / %% ^ ( ), log2, sqrt, floor, ceil, min and max",
                     names);
}

static char peek_expression(parser *p)
{
  while (isspace((unsigned char)*p->at))
    p->at++;
  return *p->at;
}

static bool take_sign(parser *p, char c)
{
  if (peek_expression(p) != c)
    return false;
  p->at++;
  return true;
}

/* Arguments that a function does not take are 0, so that all results can be written in one table. */
static int call_expression(parser *p, const char *name, size_t length, double *value)
{
  static const struct {
    const char *name;
    int arguments;
  } functions[] = {{"log2", 1}, {"sqrt", 1}, {"floor", 1}, {"ceil", 1}, {"min", 2}, {"max", 2}};
  size_t f = 0;
  while (f < 6 && (strlen(functions[f].name) != length || memcmp(functions[f].name, name, length)))
    f++;
  if (f == 6)
    return fail_expression(p, "unknown function");
  double a = 0, b = 0;
  p->at++;
  SC_TRY(sum_expression(p, &a));
  if (functions[f].arguments == 2) {
    if (!take_sign(p, ','))
      return fail_expression(p, "a comma is missing");
    SC_TRY(sum_expression(p, &b));
  }
  if (!take_sign(p, ')'))
    return fail_expression(p, "a closing parenthesis is missing");
  double results[] = {log2(a), sqrt(a), floor(a), ceil(a), fmin(a, b), fmax(a, b)};
  *value = results[f];
  return 0;
}

/* A parameter may stand bare or in braces, as in the other texts; a function is a bare name with a parenthesis
 * behind it. */
static int expression_name(parser *p, double *value)
{
  bool brace = take_sign(p, '{');
  const char *start = p->at;
  while (isalnum((unsigned char)*p->at) || *p->at == '_')
    p->at++;
  size_t length = (size_t)(p->at - start);
  if (!brace && length && peek_expression(p) == '(')
    return call_expression(p, start, length, value);
  const double *parameter = sc_expand_parameter(p->vars, start, length);
  if (parameter)
    *value = *parameter;
  else
    return fail_expression(p, length ? "unknown name" : "a number is missing");
  if (brace && !take_sign(p, '}'))
    return fail_expression(p, "a closing brace is missing");
  return 0;
}

static int expression_primary(parser *p, double *value)
{
  if (++p->depth > DEPTH_LIMIT)
    return fail_expression(p, "too deeply nested");
  int err = 0;
  char c = peek_expression(p);
  if (take_sign(p, '(')) {
    err = sum_expression(p, value);
    if (err == 0 && !take_sign(p, ')'))
      err = fail_expression(p, "a closing parenthesis is missing");
  } else if (isdigit((unsigned char)c) || c == '.') {
    size_t length = sc_number_read(p->at, strlen(p->at), value);
    if (!length)
      err = fail_expression(p, "a number is missing");
    p->at += length;
  } else
    err = expression_name(p, value);
  p->depth--;
  return err;
}

/* Right to left, as in mathematics: 2^3^2 is 2^9. The exponent may have a sign. */
static int expression_power(parser *p, double *value)
{
  SC_TRY(expression_primary(p, value));
  if (!take_sign(p, '^'))
    return 0;
  double exponent = 0;
  if (++p->depth > DEPTH_LIMIT)
    return fail_expression(p, "too deeply nested");
  SC_TRY(sign_expression(p, &exponent));
  p->depth--;
  *value = pow(*value, exponent);
  return 0;
}

/* As in mathematics a sign is that of the whole power: -n^2 is -(n^2). */
static int sign_expression(parser *p, double *value)
{
  if (!take_sign(p, '-'))
    return expression_power(p, value);
  if (++p->depth > DEPTH_LIMIT)
    return fail_expression(p, "too deeply nested");
  SC_TRY(sign_expression(p, value));
  p->depth--;
  *value = -*value;
  return 0;
}

/* Division by 0 is refused where it stands: an infinity or a NaN would end as an error of the whole expression. */
static int expression_product(parser *p, double *value)
{
  SC_TRY(sign_expression(p, value));
  for (;;) {
    char operation = peek_expression(p);
    if (operation != '*' && operation != '/' && operation != '%')
      return 0;
    p->at++;
    double right = 0;
    SC_TRY(sign_expression(p, &right));
    if (operation != '*' && right == 0)
      return fail_expression(p, "division by zero");
    *value = operation == '*' ? *value * right : operation == '/' ? *value / right : fmod(*value, right);
  }
}

static int sum_expression(parser *p, double *value)
{
  SC_TRY(expression_product(p, value));
  for (;;) {
    char operation = peek_expression(p);
    if (operation != '+' && operation != '-')
      return 0;
    p->at++;
    double right = 0;
    SC_TRY(expression_product(p, &right));
    *value += operation == '+' ? right : -right;
  }
}

/* Rounded down with a little to spare: log2(8) may come out below 3 by the last bit. */
int sc_expression_repeat(const char *expression, const sc_expand_vars *vars, uint64_t *times)
{
  parser p = {expression, expression, vars, 0};
  double value = 0;
  *times = 0;
  SC_TRY(sum_expression(&p, &value));
  if (peek_expression(&p))
    return fail_expression(&p, "unexpected text");
  if (!(value >= 0) || value > SC_EXPRESSION_REPEATS) {
    char n[64];
    sc_expand_number(vars->n, n, sizeof n);
    (void)sc_err_set(SC_E_INPUT, "repeat=\"%.80s\" is %g at %s = %s", expression, value, vars->parameter, n);
    return sc_err_hint(SC_E_INPUT, "a part can be repeated 0 to %g times", SC_EXPRESSION_REPEATS);
  }
  *times = (uint64_t)floor(value + 1e-9);
  return 0;
}

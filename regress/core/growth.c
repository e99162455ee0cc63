/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/growth.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/number.h"
#include "regress/core/tuning.h"

typedef struct scanner {
  const char *at, *variable;
} scanner;

static void skip_blanks(scanner *s)
{
  while (*s->at == ' ' || *s->at == '*' || *s->at == '\t')
    s->at++;
}

static bool take_word(scanner *s, const char *word)
{
  size_t length = strlen(word);
  skip_blanks(s);
  if (strncmp(s->at, word, length) != 0)
    return false;
  if (isalpha((unsigned char)word[length - 1]) && (isalnum((unsigned char)s->at[length]) || s->at[length] == '_'))
    return false;
  s->at += length;
  return true;
}

static bool take_variable(scanner *s) { return take_word(s, s->variable) || take_word(s, "n"); }

/* What stands behind a ^ or as a superscript; 1 without either. */
static bool scan_power(scanner *s, double *exponent)
{
  static const char *const raised[] = {"\xc2\xb2", "\xc2\xb3"};
  *exponent = 1;
  for (int i = 0; i < 2; i++)
    if (take_word(s, raised[i])) {
      *exponent = i + 2;
      return true;
    }
  if (!take_word(s, "^"))
    return true;
  bool bracket = take_word(s, "(");
  skip_blanks(s);
  size_t length = sc_number_read(s->at, strlen(s->at), exponent);
  s->at += length;
  return length && *exponent >= 0 && *exponent <= SC_GROWTH_MOST && (!bracket || take_word(s, ")"));
}

static bool take_log(scanner *s)
{
  static const char *const names[] = {"log2", "log", "ln", "lg"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (take_word(s, names[i]))
      return true;
  return false;
}

static bool variable_in_brackets(scanner *s)
{
  bool bracket = take_word(s, "(");
  return take_variable(s) && (!bracket || take_word(s, ")"));
}

/* log n, log(n), log^2 n, (log n)^2, log(n)^2 behind what was read; the power in *exponent. */
static bool scan_logarithm(scanner *s, bool bracket, double *exponent)
{
  double before, behind;
  if (!scan_power(s, &before) || !variable_in_brackets(s) || (bracket && !take_word(s, ")")) || !scan_power(s, &behind))
    return false;
  *exponent = before * behind;
  return true;
}

/* One factor; false if it is not one. */
static bool scan_factor(scanner *s, sc_order *order)
{
  double exponent;
  scanner before = *s;
  if (take_word(s, "1") || take_word(s, "constant"))
    return true;
  if (take_word(s, "sqrt")) {
    order->exponent += 0.5;
    return variable_in_brackets(s);
  }
  bool over = take_word(s, "/"), bracket = take_word(s, "(");
  if (take_log(s)) {
    if (!scan_logarithm(s, bracket, &exponent))
      return false;
    order->log_exponent += over ? -exponent : exponent;
    return true;
  }
  *s = before;
  if (!take_variable(s) || !scan_power(s, &exponent))
    return false;
  order->exponent += exponent;
  return true;
}

static bool scan_product(scanner *s, sc_order *order)
{
  bool o = (s->at[0] == 'O' || s->at[0] == 'o') && s->at[1] == '(';
  if (o)
    s->at += 2;
  do {
    if (!scan_factor(s, order))
      return false;
    skip_blanks(s);
  } while (*s->at && *s->at != ')');
  if (o && !take_word(s, ")"))
    return false;
  skip_blanks(s);
  return !*s->at;
}

int sc_growth_parse(const char *text, const char *variable, sc_order *order)
{
  scanner s = {.at = text, .variable = variable && *variable ? variable : "n"};
  *order = (sc_order){0};
  skip_blanks(&s);
  if (scan_product(&s, order) && order->exponent <= SC_GROWTH_MOST && fabs(order->log_exponent) <= SC_GROWTH_MOST &&
      (order->exponent > 0 || order->log_exponent >= 0)) {
    order->integer = (int)lround(order->exponent);
    return 0;
  }
  (void)sc_err_set(SC_E_USAGE, "\"%.60s\" is not an order of growth", text);
  return sc_err_hint(SC_E_USAGE, "orders are: constant, log n, n, n log n, n^1.5, n^2, n^2 log n");
}

double sc_growth_value(const sc_order *order, double n)
{
  double logarithm = order->log_exponent != 0 ? pow(log2(n), order->log_exponent) : 1;
  return pow(n, order->exponent) * logarithm;
}

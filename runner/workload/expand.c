/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placeholders. Expansion is one pass from left to right, and what was put in is not looked at again: a value that
 * contains braces stays as it is. */
#include "runner/workload/expand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As few digits as read back the same: {n} stands in file names and arguments, where 0.1 has to be 0.1. */
void sc_expand_number(double value, char *text, size_t size)
{
  if (value == floor(value) && fabs(value) < 1e18) {
    snprintf(text, size, "%.0f", value);
    return;
  }
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, size, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      return;
  }
}

static bool is_expansion_word(const char *name, size_t length, const char *word)
{
  return strlen(word) == length && !memcmp(name, word, length);
}

const double *sc_expand_parameter(const sc_expand_vars *vars, const char *name, size_t length)
{
  if (is_expansion_word(name, length, vars->parameter))
    return &vars->n;
  for (size_t i = 0; i < SC_EXPAND_OTHERS && vars->other_names[i]; i++)
    if (is_expansion_word(name, length, vars->other_names[i]))
      return &vars->others[i];
  return NULL;
}

void sc_expand_names(const sc_expand_vars *vars, char *text, size_t size)
{
  int length = snprintf(text, size, "{%s}", vars->parameter);
  for (size_t i = 0; i < SC_EXPAND_OTHERS && vars->other_names[i] && length > 0 && (size_t)length < size; i++)
    length += snprintf(text + length, size - (size_t)length, ", {%s}", vars->other_names[i]);
}

static int refuse_unknown_placeholder(const char *name, size_t length, const sc_expand_vars *vars)
{
  (void)sc_err_set(SC_E_INPUT, "unknown placeholder {%.*s}", length > 60 ? 60 : (int)length, name);
  char names[256];
  sc_expand_names(vars, names, sizeof names);
  return sc_err_hint(SC_E_INPUT, "known here: %s, {dir}, {shared}, {env:NAME}%s; write {{ for {", names,
                     vars->generator ? ", {i}" : "");
}

/* A workload is checked on machines where the variable need not be set; it must be where the command runs. */
static int add_environment(const char *name, size_t length, const sc_expand_vars *vars, sc_buf *out)
{
  char variable[256];
  if (length == 0 || length >= sizeof variable || memchr(name, '=', length))
    return sc_err_set(SC_E_INPUT, "{env:...} holds no name of an environment variable");
  if (vars->check)
    return 0;
  memcpy(variable, name, length);
  variable[length] = '\0';
  const char *value = getenv(variable);
  if (!value) {
    (void)sc_err_set(SC_E_INPUT, "the workload needs the environment variable %s, which is not set", variable);
    return sc_err_hint(SC_E_INPUT, "set it: %s=... scale-run ...", variable);
  }
  sc_buf_puts(out, value);
  return 0;
}

static int add_placeholder(const char *name, size_t length, const sc_expand_vars *vars, sc_buf *out)
{
  char number[64];
  if (length > 4 && !memcmp(name, "env:", 4))
    return add_environment(name + 4, length - 4, vars, out);
  const double *value = sc_expand_parameter(vars, name, length);
  if (value) {
    sc_expand_number(*value, number, sizeof number);
    sc_buf_puts(out, number);
  } else if (is_expansion_word(name, length, "dir"))
    sc_buf_puts(out, vars->dir ? vars->dir : "");
  else if (is_expansion_word(name, length, "shared"))
    sc_buf_puts(out, vars->shared ? vars->shared : "");
  else if (vars->generator && is_expansion_word(name, length, "i")) {
    sc_expand_number(vars->i, number, sizeof number);
    sc_buf_puts(out, number);
  } else
    return refuse_unknown_placeholder(name, length, vars);
  return 0;
}

/* A "}" alone is itself, so that JSON or code in an argument has to escape only the braces that open. */
int sc_expand_into(const char *text, const sc_expand_vars *vars, sc_buf *out)
{
  while (*text) {
    size_t plain = strcspn(text, "{");
    sc_buf_add(out, text, plain);
    text += plain;
    if (!*text)
      break;
    if (text[1] == '{') {
      sc_buf_puts(out, "{");
      text += 2;
      continue;
    }
    size_t length = strcspn(++text, "{}");
    if (text[length] != '}') {
      (void)sc_err_set(SC_E_INPUT, "a placeholder is not closed: {%.40s", text);
      return sc_err_hint(SC_E_INPUT, "write {{ for a { that is meant literally");
    }
    SC_TRY(add_placeholder(text, length, vars, out));
    text += length + 1;
  }
  return 0;
}

int sc_expand_text(const char *text, const sc_expand_vars *vars, char **out)
{
  sc_buf buf = {0};
  *out = NULL;
  int err = sc_expand_into(text, vars, &buf) ?: sc_buf_finish(&buf);
  if (err < 0) {
    sc_buf_free(&buf);
    return err;
  }
  *out = sc_buf_take(&buf);
  return 0;
}

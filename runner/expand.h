/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_EXPAND_H
#define SC_RUNNER_EXPAND_H
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Placeholders in a workload's texts: `{n}` (the parameter), `{i}` (number of the repetition, generators only), `{dir}`
 * (the run's directory), `{shared}` (the study's directory), `{env:NAME}`; `{{` stands for a brace. A lone `}` is
 * itself. */
typedef struct sc_expand_vars {
  const char *parameter; /* "n" */
  double n;
  const char *dir, *shared; /* may be NULL: "" */
  double i;
  bool generator; /* {i} is allowed */
  bool check;     /* only the names are checked: the environment is not consulted */
} sc_expand_vars;

/* Appends the text with its placeholders replaced. SC_E_INPUT for an unknown or unfinished one or an unset variable. */
int sc_expand_into(const char *text, const sc_expand_vars *vars, sc_buf *out) SC_CHECK;
/* The same as a new string, to be freed. */
int sc_expand_text(const char *text, const sc_expand_vars *vars, char **out) SC_CHECK;

/* A size as it appears in arguments: whole numbers without exponent ("1000000"), others in the shortest exact form. */
void sc_expand_number(double value, char *text, size_t size);
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Placeholders in a workload's texts: `{n}` (the parameter, and further ones), `{i}` (number of the repetition,
 * generators only), `{dir}` (the run's directory), `{shared}` (the study's directory), `{env:NAME}`; `{{` stands for a
 * brace. A lone `}` is itself. */
enum { SC_EXPAND_OTHERS = 2 };
typedef struct sc_expand_vars {
  const char *parameter; /* "n" */
  double n;
  const char *other_names[SC_EXPAND_OTHERS]; /* further parameters; NULL: none */
  double others[SC_EXPAND_OTHERS];
  const char *dir, *shared; /* may be NULL: "" */
  double i;
  bool generator; /* {i} is allowed */
  bool check;     /* only the names are checked: the environment is not consulted */
} sc_expand_vars;

/* Appends the text with its placeholders replaced. SC_E_INPUT for an unknown or unfinished one or an unset variable. */
int sc_expand_into(const char *text, const sc_expand_vars *vars, sc_buf *out) SC_CHECK;
/* The same as a new string, to be freed. */
int sc_expand_text(const char *text, const sc_expand_vars *vars, char **out) SC_CHECK;

/* The value of the parameter, the focused or a further one, that is called name[length]; NULL: none is. */
const double *sc_expand_parameter(const sc_expand_vars *vars, const char *name, size_t length);
/* "{n}" or "{n}, {threads}", for hints. */
void sc_expand_names(const sc_expand_vars *vars, char *text, size_t size);

/* A size as it appears in arguments: whole numbers without exponent ("1000000"), others in the shortest exact form. */
void sc_expand_number(double value, char *text, size_t size);

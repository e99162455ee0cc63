/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of sizes, and the values of further parameters that a range stands for. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/sizes.h"
#include "runner/text/tuning.h"
#include "runner/workload/workload.h"

static int parse_end(const char *text, size_t length, double *size)
{
  char end[80];
  if (length >= sizeof end)
    return sc_err_set(SC_E_USAGE, "the range is too long");
  memcpy(end, text, length);
  end[length] = '\0';
  return sc_workload_parse_size(end, size);
}

/* "100-6400", "100:6400", "100...6400": a number, what stands for the dots, and a number. NULL: none of them. */
static const char *find_mistaken_dots(const char *text, size_t *length)
{
  for (const char *at = strpbrk(text, "-:."); at; at = strpbrk(at + *length, "-:.")) {
    *length = strspn(at, *at == '.' ? "." : "-:");
    bool between = at > text && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[*length]);
    if (between && (*at != '.' || *length > 2))
      return at;
  }
  return NULL;
}

int sc_workload_parse_range(const char *text, bool *range, double *low, double *high, bool *open)
{
  size_t width = 0;
  const char *dots = strstr(text, ".."), *mistaken = find_mistaken_dots(text, &width);
  *range = dots != NULL;
  if (mistaken) {
    (void)sc_err_set(SC_E_USAGE, "invalid range %.80s", text);
    return sc_err_hint(SC_E_USAGE, "a range has two dots: %.*s..%.40s", (int)(mistaken - text), text, mistaken + width);
  }
  if (!dots)
    return 0;
  if (dots == text || !dots[2]) {
    (void)sc_err_set(SC_E_USAGE, "the range %.80s has no %s end", text, dots == text ? "lower" : "upper");
    return sc_err_hint(SC_E_USAGE, dots == text ? "for example 100%.80s" : "for example %.80s6400", text);
  }
  size_t length = strlen(dots + 2);
  while (length && isspace((unsigned char)dots[1 + length]))
    length--;
  *open = length && dots[1 + length] == '+';
  SC_TRY(parse_end(text, (size_t)(dots - text), low));
  return parse_end(dots + 2, length - *open, high);
}

/* An open end means that larger sizes may be chosen; values of a further parameter are not chosen but all run. */
static int check_range(const char *name, double low, double high, bool open)
{
  if (open) {
    (void)sc_err_set(SC_E_INPUT, "%s=%.12g..%.12g+: no values of a further parameter are chosen beyond its range", name,
                     low, high);
    return sc_err_hint(SC_E_INPUT, "without the +, values are spread over the range: %s=%.12g..%.12g", name, low, high);
  }
  if (low < high)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "the range %.12g..%.12g of %s is empty", low, high, name);
  return sc_err_hint(SC_E_INPUT, "low has to be below high, and a factor of 8 or more between them helps the models");
}

/* Both ends, and what lies between them in equal steps of the logarithm, whole where both ends are. A base inside
 * the range is one more value: the focused parameter is varied there, so it is measured in any case. */
static int spread_range(double low, double high, double base, double **values, size_t *count)
{
  bool whole = low == floor(low) && high == floor(high);
  SC_TRY(SC_NEW(*values, SC_RANGE_VALUES + 1));
  for (size_t i = 0; i < SC_RANGE_VALUES; i++) {
    double size = sc_sizes_spread(low, high, i, SC_RANGE_VALUES), value = whole ? round(size) : size;
    if (!*count || value > (*values)[*count - 1])
      (*values)[(*count)++] = value;
  }
  if (base > low && base < high)
    (*values)[(*count)++] = base;
  return 0;
}

int sc_workload_parse_values(const char *text, const char *name, double base, double **values, size_t *count)
{
  double low = 0, high = 0;
  bool range = false, open = false;
  *values = NULL;
  *count = 0;
  SC_TRY(sc_workload_parse_range(text, &range, &low, &high, &open));
  if (!range)
    return sc_workload_parse_sizes(text, values, count);
  SC_TRY(check_range(name, low, high, open));
  return spread_range(low, high, base, values, count);
}

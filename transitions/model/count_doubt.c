/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no series of bytes of library work can show of larger sizes. */
#include "transitions/model/count_doubt.h"

#include <math.h>
#include <string.h>

#include "transitions/model/tuning.h"

static bool is_any_of(const char *name, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* Large blocks of glibc's are mappings, which move without a copy: less is copied than smaller blocks foretell, but no
 * less than for the largest size measured. */
static void allow_for_mappings(const sc_analysis *a, uint32_t context, sc_interval *count)
{
  static const char *const names[] = {"realloc", "reallocarray"};
  double last = sc_analysis_values(a, context)[a->run_count - 1];
  if (is_any_of(sc_graph_at(a->graph, context)->name, names, sizeof names / sizeof *names) &&
      count->high >= SC_COUNT_DOUBT_BLOCK)
    count->low = fmin(count->low, last);
}

/* Whether all runs have the same count, which is not 0. */
static bool is_count_doubt_constant(const sc_analysis *a, uint32_t context)
{
  const double *values = sc_analysis_values(a, context);
  for (size_t i = 1; i < a->run_count; i++)
    if (values[i] != values[0])
      return false;
  return values[0] > 0;
}

static double count_calls(const sc_analysis *a, uint32_t context)
{
  uint32_t above = sc_analysis_counted_ancestor(a, context);
  return above ? fmax(1, sc_analysis_values(a, above)[a->run_count - 1]) : 1;
}

/* Functions that read or write numbers: what they work through goes by the number's digits. */
static bool converts_numbers(const char *name)
{
  static const char *const parts[] = {"printf", "scanf", "strto", "wcsto"};
  static const char *const names[] = {"atoi", "atol", "atoll", "atof"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(name, parts[i]))
      return true;
  return is_any_of(name, names, sizeof names / sizeof *names);
}

/* Bytes that never changed: of a number in a text, whose digits were as many in all runs by chance, or as no size had
 * more of them. */
static void allow_for_digits(const sc_analysis *a, uint32_t context, double n, sc_interval *count)
{
  double first = a->sizes[0], last = a->sizes[a->run_count - 1], more = floor(log10(n)) - floor(log10(last));
  bool decade = floor(log10(first)) == floor(log10(last)) && more > 0;
  if (!is_count_doubt_constant(a, context) || (!decade && !converts_numbers(sc_graph_at(a->graph, context)->name)))
    return;
  double calls = count_calls(a, context);
  count->low = fmax(fmin(count->low, 0), count->low - calls);
  count->high += calls * fmax(1, more);
}

void sc_count_doubt_allow(const sc_analysis *a, uint32_t context, double n, sc_interval *count)
{
  if (sc_graph_at(a->graph, context)->kind != SC_LOCATION_WORK || n <= a->sizes[a->run_count - 1] ||
      a->series[context] == SC_NONE || a->options.fit.engine == SC_FIT_DELTA_INFER)
    return;
  allow_for_mappings(a, context, count);
  allow_for_digits(a, context, n, count);
}

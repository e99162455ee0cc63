/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "base/utf8.h"

enum { SETS_MOST = 1000, NAME_MOST = 64 };

void sc_check_plain(sc_view from, char *to, size_t size)
{
  size_t length = 0;
  for (size_t at = 0; at < from.length;) {
    char shown[SC_UTF8_SHOWN], c = from.text[at];
    at += sc_utf8_show_one(from.text + at, from.length - at, shown);
    if (length + strlen(shown) >= size)
      break;
    memcpy(to + length, *shown == '?' && c != '?' ? " " : shown, strlen(shown));
    length += strlen(shown);
  }
  to[length] = '\0';
}

sc_check_name sc_check_series(sc_view callpath, sc_view metric)
{
  sc_check_name name;
  char one[160], other[64];
  sc_check_plain(callpath, one, sizeof one);
  sc_check_plain(metric, other, sizeof other);
  snprintf(name.text, sizeof name.text, "%s, %s", one, other);
  return name;
}

sc_check_digits sc_check_number(double value)
{
  sc_check_digits digits;
  if (isfinite(value))
    sc_number_write(value, SC_NUMBER_SAME, digits.text);
  else
    snprintf(digits.text, sizeof digits.text, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
  return digits;
}

static int input_fault(const sc_measurement *m, const char *what, double value, const char *wrong, const char *hint)
{
  (void)sc_err_set(SC_E_INPUT, "series %s: %s is %s: %s", sc_check_series(m->callpath, m->metric).text, what,
                   sc_check_number(value).text, wrong);
  return sc_err_hint(SC_E_INPUT, "%s", hint);
}

int sc_check_measurement(const sc_measurement *m)
{
  char what[NAME_MOST + 20], name[NAME_MOST];
  if (m->count == 0) {
    (void)sc_err_set(SC_E_INPUT, "series %s: there is no value", sc_check_series(m->callpath, m->metric).text);
    return sc_err_hint(SC_E_INPUT, "a point has one value, or several from repeated runs");
  }
  for (size_t i = 0; i < m->parameters; i++)
    if (!(m->at[i] > 0) || !(m->at[i] <= SC_CHECK_SIZE_MOST)) {
      sc_check_plain(m->names[i], name, sizeof name);
      snprintf(what, sizeof what, "parameter %s", name);
      return input_fault(m, what, m->at[i], m->at[i] > 0 ? "too large for a size" : "sizes must be above 0",
                         "sizes are positive numbers up to 1e18");
    }
  for (size_t i = 0; i < m->count; i++) {
    double y = m->values[i];
    if (y == 0 || (y >= SC_CHECK_VALUE_LEAST && y <= SC_CHECK_VALUE_MOST))
      continue;
    snprintf(what, sizeof what, m->count > 1 ? "value %zu" : "the value", i + 1);
    return input_fault(
        m, what, y,
        isnan(y) ? "not a number"
        : y < 0  ? "measurements must not be negative"
        : y < 1  ? "too small"
                 : "too large",
        "counts, times and bytes are 0, or numbers from 1e-100 to 1e100; leave out what was not measured");
  }
  return 0;
}

static bool is_parameter_named(const sc_store_set *set, size_t at, sc_view name)
{
  return sc_view_is(name, set->names[at]);
}

static int other_parameters(const sc_measurement *m, const char *name, const char *problem, const sc_store_set *set)
{
  sc_buf list = {0};
  char one[NAME_MOST];
  for (size_t i = 0; i < set->count; i++) {
    sc_check_plain((sc_view){set->names[i], strlen(set->names[i])}, one, sizeof one);
    sc_buf_printf(&list, "%s%s", i ? ", " : "", one);
  }
  if (sc_buf_finish(&list) < 0)
    return SC_E_NOMEM;
  (void)sc_err_set(SC_E_INPUT, "series %s: parameter %s %s", sc_check_series(m->callpath, m->metric).text, name,
                   problem);
  (void)sc_err_hint(SC_E_INPUT, "the series began with these parameters: %s. All its points need the same",
                    set->count ? list.text : "none");
  sc_buf_free(&list);
  return SC_E_INPUT;
}

int sc_check_parameters(const sc_measurement *m, const sc_store_set *set, double *at)
{
  char name[NAME_MOST];
  bool same = m->parameters == set->count;
  for (size_t i = 0; same && i < set->count; i++) {
    at[i] = m->at[i];
    same = is_parameter_named(set, i, m->names[i]);
  }
  if (same)
    return 0;
  bool seen[SC_STORE_PARAMETERS] = {false};
  for (size_t i = 0; i < m->parameters; i++) {
    size_t k = 0;
    while (k < set->count && !is_parameter_named(set, k, m->names[i]))
      k++;
    sc_check_plain(m->names[i], name, sizeof name);
    if (k == set->count)
      return other_parameters(m, name, "is new here", set);
    if (seen[k])
      return other_parameters(m, name, "is there twice", set);
    seen[k] = true;
    at[k] = m->at[i];
  }
  for (size_t k = 0; k < set->count; k++)
    if (!seen[k]) {
      sc_check_plain((sc_view){set->names[k], strlen(set->names[k])}, name, sizeof name);
      return other_parameters(m, name, "is missing here", set);
    }
  return 0;
}

static bool set_equals(const sc_store_set *set, const sc_measurement *m)
{
  bool same = set->count == m->parameters;
  for (size_t i = 0; same && i < set->count; i++)
    same = is_parameter_named(set, i, m->names[i]);
  return same;
}

static int check_input_names(const sc_measurement *m)
{
  const char *wrong = NULL;
  for (size_t i = 0; i < m->parameters && !wrong; i++) {
    if (m->names[i].length == 0)
      wrong = "a parameter has no name";
    else if (m->names[i].length >= NAME_MOST)
      wrong = "a parameter's name is too long";
    for (size_t k = 0; k < i && !wrong; k++)
      if (m->names[i].length == m->names[k].length &&
          memcmp(m->names[i].text, m->names[k].text, m->names[i].length) == 0)
        wrong = "two parameters have the same name";
  }
  if (!wrong)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "series %s: %s", sc_check_series(m->callpath, m->metric).text, wrong);
  return sc_err_hint(SC_E_INPUT, "parameters need different names of 1 to %d bytes", NAME_MOST - 1);
}

int sc_check_set(const sc_measurement *m, sc_store_set ***sets, size_t *count, size_t *capacity, uint32_t *index)
{
  for (size_t i = *count; i-- > 0;) /* most often the last one */
    if (set_equals((*sets)[i], m)) {
      *index = (uint32_t)i;
      return 0;
    }
  SC_TRY(check_input_names(m));
  if (*count >= SETS_MOST)
    return sc_err_hint(sc_err_set(SC_E_INPUT, "more than %d different sets of parameters", SETS_MOST),
                       "series that vary the same parameter should give it the same name");
  SC_TRY(sc_mem_grow(sets, capacity, *count + 1, sizeof **sets));
  sc_store_set *set;
  SC_TRY(SC_NEW(set, 1));
  (*sets)[(*count)++] = set;
  for (size_t i = 0; i < m->parameters; i++) {
    set->names[i] = sc_mem_new(m->names[i].length + 1, 1);
    if (!set->names[i])
      return SC_E_NOMEM;
    memcpy(set->names[i], m->names[i].text, m->names[i].length);
    set->count++;
  }
  *index = (uint32_t)*count - 1;
  return 0;
}

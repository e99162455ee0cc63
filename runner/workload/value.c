/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes and times as people write them. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/workload/internal.h"

enum { SIZES_LIMIT = 1000 };

static const char *skip(const char *text)
{
  while (isspace((unsigned char)*text))
    text++;
  return text;
}

static bool separator(char c) { return c == ',' || c == '_' || c == '\''; }

/* A decimal number with separators between groups of three digits ("1,000,000") and an exponent; no hex, no "inf". */
static int number(const char *text, const char **end, double *value)
{
  char plain[64];
  size_t length = 0;
  const char *at = text;
  while (*at && length < sizeof plain - 1) {
    bool digit = isdigit((unsigned char)*at);
    bool exponent =
        (*at == 'e' || *at == 'E') && length &&
        (isdigit((unsigned char)at[1]) || ((at[1] == '+' || at[1] == '-') && isdigit((unsigned char)at[2])));
    if (separator(*at) && length && isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]) &&
        isdigit((unsigned char)at[3]) && !isalnum((unsigned char)at[4])) {
      at++; /* a group of exactly three digits follows */
      continue;
    }
    if (exponent) {
      plain[length++] = *at++;
      if (!isdigit((unsigned char)*at) && length < sizeof plain - 1)
        plain[length++] = *at++;
      continue;
    }
    if (!digit && *at != '.')
      break;
    if (*at == '.' && at[1] == '.') /* the dots of a range */
      break;
    plain[length++] = *at++;
  }
  plain[length] = '\0';
  char *rest;
  *value = strtod(plain, &rest);
  *end = at;
  return length && !*rest && isfinite(*value) ? 0 : SC_E_INPUT;
}

static int bad_size(const char *text)
{
  (void)sc_err_set(SC_E_INPUT, "\"%.60s\" is not a size", text);
  return sc_err_hint(SC_E_INPUT, "sizes are positive numbers up to 1e18: 1000, 1,000,000, 1e6, 64k, 2M");
}

int sc_workload_parse_size(const char *text, double *value)
{
  static const struct {
    const char *suffix;
    double factor;
  } suffixes[] = {{"", 1},      {"k", 1e3},   {"K", 1e3},      {"M", 1e6},      {"G", 1e9},
                  {"Ki", 1024}, {"ki", 1024}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"m", 1e6}};
  const char *end;
  double parsed = 0;
  *value = 0;
  if (number(skip(text), &end, &parsed) < 0)
    return bad_size(text);
  end = skip(end);
  size_t length = strlen(end);
  while (length && isspace((unsigned char)end[length - 1]))
    length--;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes - 1; i++)
    if (strlen(suffixes[i].suffix) == length && !memcmp(suffixes[i].suffix, end, length)) {
      parsed *= suffixes[i].factor;
      if (!(parsed > 0) || !(parsed <= 1e18))
        return bad_size(text);
      *value = parsed;
      return 0;
    }
  return bad_size(text);
}

int sc_workload_parse_time(const char *text, double *seconds)
{
  static const struct {
    const char *suffix;
    double factor;
  } suffixes[] = {{"", 1},      {"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"\xc2\xb5s", 1e-6},
                  {"ns", 1e-9}, {"m", 60}, {"min", 60},  {"h", 3600}};
  const char *end;
  double parsed = 0;
  *seconds = 0;
  if (number(skip(text), &end, &parsed) == 0) {
    end = skip(end);
    size_t length = strlen(end);
    while (length && isspace((unsigned char)end[length - 1]))
      length--;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
      if (strlen(suffixes[i].suffix) == length && !memcmp(suffixes[i].suffix, end, length)) {
        parsed *= suffixes[i].factor;
        if (!(parsed > 0) || !(parsed < 1e9))
          break;
        *seconds = parsed;
        return 0;
      }
  }
  (void)sc_err_set(SC_E_INPUT, "\"%.60s\" is not a time", text);
  return sc_err_hint(SC_E_INPUT, "times are positive numbers with a unit: 200ms, 2s, 5min, 1h");
}

static bool group(const char *at)
{
  return *at == ',' && isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]) &&
         isdigit((unsigned char)at[3]) && !isalnum((unsigned char)at[4]) && at[4] != '.';
}

/* Length of the next size in a list. "100,200,400" is three sizes but "1,500,000" is one: groups of three digits belong
 * to one number if the last of them is 000, which as a size of its own would be 0. */
static size_t item(const char *text)
{
  size_t length = strcspn(text, ",; \t\r\n");
  size_t whole = length <= 3 ? length : 0;
  for (size_t at = length; whole && group(text + at);) {
    at += 4;
    if (!memcmp(text + at - 3, "000", 3))
      whole = at;
  }
  return whole > length ? whole : length;
}

static int too_many(void)
{
  (void)sc_err_set(SC_E_INPUT, "more than %d sizes in one list", SIZES_LIMIT);
  return sc_err_hint(SC_E_INPUT, "sizes that lie close together tell the same; leave most of them out");
}

int sc_workload_parse_sizes(const char *text, double **sizes, size_t *count)
{
  size_t capacity = 0;
  *sizes = NULL;
  *count = 0;
  int err = 0;
  for (const char *at = text; *(at += strspn(at, " \t\r\n,;"));) {
    size_t length = item(at);
    char one[80];
    SC_GOTO(*count >= SIZES_LIMIT ? too_many() : length >= sizeof one ? bad_size(at) : 0);
    memcpy(one, at, length);
    one[length] = '\0';
    at += length;
    SC_GOTO(sc_mem_grow(sizes, &capacity, *count + 1, sizeof **sizes));
    SC_GOTO(sc_workload_parse_size(one, &(*sizes)[*count]));
    ++*count;
  }
  if (*count == 0)
    err = bad_size(text);
out:
  if (err < 0) {
    free(*sizes);
    *sizes = NULL;
    *count = 0;
  }
  return err;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/workload/amount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "runner/workload/workload.h"

static const struct {
  const char *suffix;
  double factor;
} bytes[] = {{"", 1},         {"B", 1},        {"byte", 1},     {"bytes", 1},    {"k", 1e3},     {"kB", 1e3},
             {"K", 1e3},      {"KB", 1e3},     {"M", 1e6},      {"MB", 1e6},     {"G", 1e9},     {"GB", 1e9},
             {"T", 1e12},     {"TB", 1e12},    {"Ki", 0x1p10},  {"Mi", 0x1p20},  {"Gi", 0x1p30}, {"Ti", 0x1p40},
             {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"PiB", 0x1p50}};

static int bad_bytes(const char *text)
{
  (void)sc_err_set(SC_E_USAGE, "\"%.40s\" is not an amount of memory", text);
  return sc_err_hint(SC_E_USAGE, "amounts are positive numbers of bytes, or with a unit: 4GiB, 512MiB, 64kB");
}

static int parse_bytes(const char *text, double *value)
{
  char number[64];
  size_t digits = strspn(text, "0123456789.,_'"), exponent = strspn(text + digits, "eE");
  if (exponent == 1 && strspn(text + digits + 1, "+-0123456789"))
    digits += 1 + strspn(text + digits + 1, "+-0123456789");
  if (!digits || digits >= sizeof number)
    return bad_bytes(text);
  memcpy(number, text, digits);
  number[digits] = '\0';
  const char *suffix = text + digits + strspn(text + digits, " ");
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
    if (strcmp(suffix, bytes[i].suffix) == 0) {
      if (sc_workload_parse_size(number, value) < 0)
        return bad_bytes(text);
      *value *= bytes[i].factor;
      return 0;
    }
  return bad_bytes(text);
}

static int parse_ratio(const char *text, double *value)
{
  if (sc_number_positive(text, true, value))
    return 0;
  (void)sc_err_set(SC_E_USAGE, "\"%.40s\" is not a share", text);
  return sc_err_hint(SC_E_USAGE, "shares are positive numbers: 80%% or 0.8");
}

/* A workload may leave the unit out, as its grammar says it is seconds; nothing says so in a question. */
static int parse_time(const char *text, double *value)
{
  size_t length = strlen(text);
  while (length && text[length - 1] == ' ')
    length--;
  SC_TRY(sc_workload_parse_time(text, value));
  if (length && !strchr("0123456789.", text[length - 1]))
    return 0;
  (void)sc_err_set(SC_E_USAGE, "\"%.40s\" is a time without a unit", text);
  return sc_err_hint(SC_E_USAGE, "times are positive numbers with a unit: %.*ss, %.*sms", (int)length, text,
                     (int)length, text);
}

static int as_usage(int err) { return err < 0 ? SC_E_USAGE : 0; }

int sc_amount_parse(const char *text, enum sc_amount_kind kind, double *value)
{
  switch (kind) {
  case SC_AMOUNT_TIME:
    return as_usage(parse_time(text, value));
  case SC_AMOUNT_BYTES:
    return parse_bytes(text, value);
  case SC_AMOUNT_RATIO:
    return parse_ratio(text, value);
  case SC_AMOUNT_COUNT:
    break;
  }
  return as_usage(sc_workload_parse_size(text, value));
}

sc_text sc_amount_text(enum sc_amount_kind kind, double value)
{
  switch (kind) {
  case SC_AMOUNT_BYTES:
    return sc_format_bytes(value);
  case SC_AMOUNT_RATIO:
    return sc_format_percent(value);
  case SC_AMOUNT_TIME:
    return sc_format_seconds(value);
  case SC_AMOUNT_COUNT:
    break;
  }
  return sc_format_count(value);
}

sc_text sc_amount_interval(enum sc_amount_kind kind, const sc_interval *interval)
{
  bool exact = interval->low == interval->value && interval->high == interval->value;
  if (exact || kind == SC_AMOUNT_TIME || kind == SC_AMOUNT_COUNT)
    return sc_format_interval(interval, kind == SC_AMOUNT_TIME ? "s" : "");
  sc_text low = sc_amount_text(kind, interval->low), high = sc_amount_text(kind, interval->high), out;
  char *word = strchr(low.s, ' '), *same = strchr(high.s, ' ');
  if (isinf(interval->high))
    snprintf(high.s, sizeof high.s, "unbounded");
  else if (word && same && strcmp(word, same) == 0)
    *word = '\0';
  snprintf(out.s, sizeof out.s, "%.28s to %.28s", low.s, high.s);
  return out;
}

sc_text sc_amount_estimate(enum sc_amount_kind kind, const sc_interval *interval)
{
  sc_text out;
  if (interval->value == 0 && interval->high > 0 && isfinite(interval->high))
    snprintf(out.s, sizeof out.s, "under %.50s", sc_amount_text(kind, interval->high).s);
  else
    out = sc_amount_text(kind, interval->value);
  return out;
}

static sc_text short_count(double value)
{
  static const struct {
    double factor;
    const char *suffix;
  } scales[] = {{1e12, "e12"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
  sc_text out;
  size_t i = 0;
  while (i < 4 && fabs(value) < scales[i].factor * 0.9995)
    i++;
  if (fabs(value) >= 999.5e12 || (value != 0 && fabs(value) < 1e-3))
    snprintf(out.s, sizeof out.s, "%.3g", value);
  else
    snprintf(out.s, sizeof out.s, "%.3g%s", value / scales[i].factor, scales[i].suffix);
  return out;
}

sc_text sc_amount_short(enum sc_amount_kind kind, double value)
{
  if (kind == SC_AMOUNT_COUNT)
    return short_count(value);
  if (kind != SC_AMOUNT_TIME || value == 0)
    return sc_amount_text(kind, value);
  sc_text text = sc_format_seconds(value); /* "1.0 s" is "1 s" on an axis */
  char *point = strstr(text.s, ".0 ");
  if (point)
    memmove(point, point + 2, strlen(point + 2) + 1);
  return text;
}

const char *sc_amount_unit(enum sc_amount_kind kind)
{
  return kind == SC_AMOUNT_TIME ? "s" : kind == SC_AMOUNT_BYTES ? "bytes" : "";
}

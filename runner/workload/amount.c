/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts as text, of each kind with the units that people use for it. Reading them is in value.c, beside sizes. */
#include "runner/workload/amount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Bytes and shares: the ends may lie in different units ("900 KiB to 1.2 MiB"), so each is printed with its own. */
sc_text sc_amount_interval(enum sc_amount_kind kind, const sc_interval *interval)
{
  bool exact = interval->low == interval->value && interval->high == interval->value;
  if (exact || kind == SC_AMOUNT_TIME || kind == SC_AMOUNT_COUNT)
    return sc_format_interval(interval, kind == SC_AMOUNT_TIME ? "s" : "");
  return sc_format_ends(sc_amount_text(kind, interval->low), sc_amount_text(kind, interval->high), interval->high);
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

/* Ticks of an axis have 8 columns: three digits and a letter. The thresholds are where %.3g would round up to the
 * next unit. */
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

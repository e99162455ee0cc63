/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/format.h"

#include <math.h>
#include <string.h>

#include "base/same.h"
#include "runner/text/tuning.h"

enum { MOST_DIGITS = 13 };

static sc_text format_words(const char *text)
{
  sc_text out;
  snprintf(out.s, sizeof out.s, "%s", text);
  return out;
}

/* Number and word, cut to the size of a sc_text (which nothing of ours reaches). */
static sc_text join_format(sc_text number, const char *between, const char *word)
{
  sc_text out;
  snprintf(out.s, sizeof out.s, "%.30s%.4s%.28s", number.s, between, word);
  return out;
}

static sc_text significant_digits(double value, int digits)
{
  sc_text out;
  snprintf(out.s, sizeof out.s, "%.*g", digits, value);
  return out;
}

/* A number below a million with this many significant digits, never in exponent notation. */
static sc_text format_plain(double value, int digits)
{
  double size = fabs(value), rounded = size * (1 + 0.5 * pow(10, -digits)); /* 9.996 is written 10.0, not 10.00 */
  int before = rounded >= 1 ? (int)floor(log10(rounded)) + 1 : 0;
  if (size > 0 && size < 1e-4)
    return significant_digits(value, digits);
  sc_text out;
  int after = before >= digits ? 0 : digits - before;
  snprintf(out.s, sizeof out.s, "%.*f", after, value);
  return out;
}

sc_text sc_format_number(double value)
{
  if (isnan(value))
    return format_words("?");
  if (isinf(value))
    return format_words("unbounded");
  if (value != floor(value) || fabs(value) > 0x1p53)
    return significant_digits(value, 4);
  char digits[64];
  int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
  sc_text out;
  char *to = out.s;
  if (value < 0)
    *to++ = '-';
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0)
      *to++ = ',';
    *to++ = digits[i];
  }
  *to = '\0';
  return out;
}

sc_text sc_format_round_number(double value)
{
  double unit = value > 0 ? pow(10, floor(log10(value)) - 1) : 1;
  return sc_format_number(unit > 1 ? round(value / unit) * unit : round(value));
}

static const struct scale {
  double factor;
  const char *name;
} counts[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};

/* The word a count is given in, or NULL. Rounding 999,999,900 to three digits makes a billion of it. */
static const struct scale *count_scale(double value)
{
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (fabs(value) >= counts[i].factor * 0.9995)
      return &counts[i];
  return NULL;
}

sc_text sc_format_count(double value)
{
  if (isnan(value))
    return format_words("?");
  if (isinf(value))
    return format_words("unbounded");
  if (fabs(value) >= 999.95e12)
    return significant_digits(value, 3);
  if (fabs(value) < 999500)
    return fabs(value) >= 100 || value == floor(value) ? sc_format_number(round(value)) : format_plain(value, 3);
  const struct scale *scale = count_scale(value);
  return join_format(format_plain(value / scale->factor, 3), " ", scale->name);
}

static const struct scale times[] = {{365.25 * 86400, "years"},
                                     {86400, "days"},
                                     {3600, "h"},
                                     {60, "min"},
                                     {1, "s"},
                                     {1e-3, "ms"},
                                     {1e-6, "us"},
                                     {1e-9, "ns"}};

static const struct scale *time_scale(double seconds)
{
  double size = fabs(seconds);
  static const double from[] = {2 * 365.25 * 86400, 2 * 86400, 2 * 3600, 2 * 60, 0.9995, 0.9995e-3, 0.9995e-6};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++)
    if (size >= from[i])
      return &times[i];
  return &times[7];
}

sc_text sc_format_seconds(double seconds)
{
  if (isnan(seconds))
    return format_words("?");
  if (isinf(seconds))
    return format_words("for ever");
  if (seconds == 0)
    return format_words("0 s");
  if (fabs(seconds) < SC_FORMAT_RESOLVED)
    return format_words("under 0.1 ns");
  const struct scale *scale = time_scale(seconds);
  double value = seconds / scale->factor;
  return join_format(fabs(value) < 99.5 ? format_plain(value, 2) : sc_format_count(round(value)), " ", scale->name);
}

sc_text sc_format_cost(double value, const char *unit)
{
  if (strcmp(unit, "s") == 0)
    return sc_format_seconds(value);
  return join_format(sc_format_count(value), *unit ? " " : "", unit);
}

sc_text sc_format_percent(double ratio)
{
  double percent = ratio * 100;
  if (isnan(percent))
    return format_words("?");
  if (percent <= 0)
    return format_words("0%");
  if (isinf(percent))
    return format_words("unbounded");
  if (percent < 0.1)
    return format_words("<0.1%");
  if (percent > 99.9 && percent < 100)
    return format_words(">99.9%");
  if (percent < 9.95 || (percent > 99 && percent < 100))
    return join_format(format_plain(percent, percent < 9.95 ? 2 : 3), "%", "");
  return join_format(sc_format_number(round(percent)), "%", "");
}

sc_text sc_format_margin(double ratio)
{
  if (ratio <= 0)
    return format_words("exactly");
  if (ratio < 0.001)
    return format_words("under +-0.1%");
  sc_text percent = sc_format_percent(ratio);
  return *percent.s == '>' ? format_words("over +-99.9%")
                           : join_format(format_words("+-"), "", percent.s); /* "->" reads as an arrow */
}

sc_text sc_format_bytes(double bytes)
{
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  while (fabs(bytes) >= 1023.5 && unit < 5) {
    bytes /= 1024;
    unit++;
  }
  return join_format(unit && bytes < 99.5 ? format_plain(bytes, 2) : sc_format_number(round(bytes)), " ", units[unit]);
}

/* "3.1 s", "3.4 s" become "3.1 to 3.4 s": the unit stands once, and not behind a 0. */
static sc_text range_of(sc_text low, sc_text high, double upper, bool zero)
{
  if (isinf(upper))
    high = format_words("unbounded");
  else if (strcmp(low.s, high.s) == 0)
    return join_format(format_words("about"), " ", high.s);
  char *low_word = strchr(low.s, ' '), *high_word = strchr(high.s, ' ');
  sc_text out;
  if (low_word && (zero || (high_word && strcmp(low_word, high_word) == 0)))
    *low_word = '\0';
  snprintf(out.s, sizeof out.s, "%.28s to %.28s", low.s, high.s);
  return out;
}

sc_text sc_format_ends(sc_text low, sc_text high, double upper) { return range_of(low, high, upper, false); }

/* A duration or a count with more digits than people need, to tell two apart. */
static sc_text exact_cost(double value, const char *unit, int digits)
{
  bool time = strcmp(unit, "s") == 0;
  const struct scale *scale = time ? time_scale(value) : count_scale(value);
  if (fabs(value) >= 999.95e12)
    return significant_digits(value, digits);
  sc_text out =
      scale ? join_format(format_plain(value / scale->factor, digits), " ", scale->name) : format_plain(value, digits);
  return time || !*unit ? out : join_format(out, " ", unit);
}

sc_text sc_format_cost_share(const sc_interval *cost, const char *unit, double share, const char *whole)
{
  bool sampled = cost->value > 0, bounded = cost->high > 0 && isfinite(cost->high);
  sc_text shown = format_words("not sampled");
  if (sampled)
    shown = join_format(sc_format_percent(share), "", format_words(whole).s);
  if (unit && (sampled || bounded))
    shown = join_format(sc_format_estimate(cost, unit), ", ", shown.s);
  return shown;
}

bool sc_format_bounds(const sc_interval *interval, const char *unit)
{
  double least = sc_same_text(unit, "s") ? SC_FORMAT_RESOLVED : 0;
  bool known = interval->value != 0 && (interval->low > least || sc_format_tells(interval, unit));
  return !known && interval->high > 0 && isfinite(interval->high);
}

sc_text sc_format_estimate(const sc_interval *interval, const char *unit)
{
  if (sc_format_bounds(interval, unit))
    return join_format(format_words("under"), " ", sc_format_cost(interval->high, unit).s);
  return sc_format_cost(interval->value, unit);
}

bool sc_format_tells(const sc_interval *interval, const char *unit)
{
  return !sc_same_text(unit, "s") || interval->value <= 0 || isinf(interval->high) ||
         interval->high <= SC_REPORT_TELLS * interval->value;
}

sc_text sc_format_unknown(void) { return format_words("not known"); }

sc_text sc_format_least(const sc_interval *interval, const char *unit)
{
  return interval->low > 0 ? join_format(sc_format_cost(interval->low, unit), " ", "or more") : format_words("");
}

/* Relative width below which the ends of an interval differ by their rounding alone. */
#define ROUNDING 1e-11
/* Relative: ends nearer to the value are told apart by more digits than anybody needs. */
#define NARROW 1e-5
enum { MOST_WITHIN = 9 }; /* decimals of a percentage: what ROUNDING leaves */

/* "within 0.0001%": the least power of ten that is not less than it is off, so that errors can be held against it. */
static sc_text say_within(double off)
{
  sc_text out;
  int digits = 3;
  while (digits < MOST_WITHIN && off <= NARROW * pow(10, 2 - digits))
    digits++;
  snprintf(out.s, sizeof out.s, "within %.*f%%", digits, 100 * NARROW * pow(10, 3 - digits));
  return out;
}

sc_text sc_format_interval(const sc_interval *interval, const char *unit)
{
  bool time = sc_same_text(unit, "s"), unseen = time && interval->low < SC_FORMAT_RESOLVED;
  if (interval->high - interval->low <= interval->value * ROUNDING) /* only counts are known exactly */
    return format_words(!time ? "exactly" : interval->value > 0 ? "about" : "none measured");
  double off = fmax(interval->high - interval->value, interval->value - interval->low) / interval->value;
  if (off < NARROW)
    return say_within(off);
  if (unseen && interval->high < SC_FORMAT_RESOLVED)
    return sc_format_seconds(interval->high);
  sc_text low = sc_format_cost(unseen ? 0 : interval->low, unit), high = sc_format_cost(interval->high, unit);
  for (int digits = 4; digits < MOST_DIGITS && interval->low < interval->high && strcmp(low.s, high.s) == 0; digits++) {
    low = exact_cost(interval->low, unit, digits);
    high = exact_cost(interval->high, unit, digits);
  }
  return range_of(low, high, interval->high, (interval->low == 0 || unseen) && isfinite(interval->high));
}

bool sc_format_within(const sc_interval *interval, const char *unit, double value)
{
  double low = *unit ? interval->low : floor(interval->low), high = *unit ? interval->high : ceil(interval->high);
  return value >= low && value <= high;
}

sc_text sc_format_plural(size_t count, const char *noun)
{
  char word[32];
  snprintf(word, sizeof word, "%.28s%s", noun, count == 1 ? "" : "s");
  return join_format(sc_format_number((double)count), " ", word);
}

sc_text sc_format_error(double predicted, double actual)
{
  if (predicted == actual || fabs(predicted - actual) <= ROUNDING * fabs(actual))
    return format_words("exact");
  double percent = (predicted - actual) / actual * 100;
  sc_text out;
  if (!isfinite(percent))
    return format_words("?");
  if (fabs(percent) < 0.005) {
    int digits = (int)fmin(MOST_WITHIN, ceil(-log10(fabs(percent))));
    snprintf(out.s, sizeof out.s, "%+.*f%%", digits, percent);
    return out;
  }
  snprintf(out.s, sizeof out.s, "%+.*f%%", fabs(percent) < 0.995 ? 2 : fabs(percent) < 99.5 ? 1 : 0, percent);
  return out;
}

int sc_format_columns(const char *text)
{
  int columns = 0;
  for (; *text; text++)
    columns += ((unsigned char)*text & 0xc0) != 0x80;
  return columns;
}

void sc_format_wrap(FILE *out, const char *text, int at, int indent, int width)
{
  bool line_empty = true;
  while (*text) {
    text += strspn(text, " \n");
    size_t length = strcspn(text, " \n");
    if (!length)
      break;
    while (strncmp(text + length, " = ", 3) == 0) /* "n = 100" stays together */
      length += 3 + strcspn(text + length + 3, " \n");
    int columns = 0;
    for (size_t i = 0; i < length; i++)
      columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    if (!line_empty && at + 1 + columns > width) {
      fprintf(out, "\n%*s", indent, "");
      at = indent;
      line_empty = true;
    }
    fprintf(out, "%s%.*s", line_empty ? "" : " ", (int)length, text);
    at += columns + !line_empty;
    line_empty = false;
    text += length;
  }
  fputc('\n', out);
}

/* Up to the next space outside of quotes; words are quoted as sc_operand_quote does. */
static size_t shell_word(const char *text)
{
  bool quoted = false;
  size_t i = 0;
  for (; text[i] && (quoted || text[i] != ' '); i++)
    if (text[i] == '\'')
      quoted = !quoted;
    else if (!quoted && text[i] == '\\' && text[i + 1])
      i++;
  return i;
}

void sc_format_command(const char *text, int width, sc_buf *out)
{
  enum { INDENT = 2, CONTINUED = 2 }; /* " \\" */
  bool fits = sc_format_columns(text) <= width;
  for (int at = 0; *text;) {
    size_t length = shell_word(text);
    int columns = 0;
    for (size_t i = 0; i < length; i++)
      columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    if (at > INDENT && !fits && at + 1 + columns + CONTINUED > width) {
      sc_buf_printf(out, " \\\n%*s", INDENT, "");
      at = INDENT;
    } else if (at) {
      sc_buf_puts(out, " ");
      at++;
    }
    sc_buf_printf(out, "%.*s", (int)length, text);
    at += columns;
    text += length;
    text += *text == ' ';
  }
}

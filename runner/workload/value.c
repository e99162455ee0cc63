/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes, times and other amounts as people write them. */
#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "runner/workload/amount.h"
#include "runner/workload/internal.h"

#define BLANKS " \t\r\n\v\f"
enum { SIZES_LIMIT = 1000 };

/* A suffix, and what a number with it is multiplied by. Smaller units divide, as 1e-3 is no double. */
typedef struct unit {
  const char *suffix;
  double times, per;
} unit;
static const unit counts[] = {{"", 1, 1},      {"k", 1e3, 1},   {"K", 1e3, 1},      {"M", 1e6, 1},      {"G", 1e9, 1},
                              {"Ki", 1024, 1}, {"ki", 1024, 1}, {"Mi", 1 << 20, 1}, {"Gi", 1 << 30, 1}, {0}};
static const unit times[] = {{"", 1, 1},     {"s", 1, 1},  {"ms", 1, 1e3}, {"us", 1, 1e6}, {"\xc2\xb5s", 1, 1e6},
                             {"ns", 1, 1e9}, {"m", 60, 1}, {"min", 60, 1}, {"h", 3600, 1}, {0}};
static const unit bytes[] = {{"", 1, 1},         {"B", 1, 1},        {"byte", 1, 1},     {"bytes", 1, 1},
                             {"k", 1e3, 1},      {"kB", 1e3, 1},     {"K", 1e3, 1},      {"KB", 1e3, 1},
                             {"M", 1e6, 1},      {"MB", 1e6, 1},     {"G", 1e9, 1},      {"GB", 1e9, 1},
                             {"T", 1e12, 1},     {"TB", 1e12, 1},    {"Ki", 0x1p10, 1},  {"Mi", 0x1p20, 1},
                             {"Gi", 0x1p30, 1},  {"Ti", 0x1p40, 1},  {"KiB", 0x1p10, 1}, {"MiB", 0x1p20, 1},
                             {"GiB", 0x1p30, 1}, {"TiB", 0x1p40, 1}, {"PiB", 0x1p50, 1}, {0}};
static const unit ratios[] = {{"", 1, 1}, {"%", 1, 100}, {0}};

static const struct {
  const char *what, *hint;
  const unit *units;
  double most;
} kinds[] = {
    [SC_AMOUNT_COUNT] = {"size", "sizes are positive numbers up to 1e18: 1000, 1,000,000, 1e6, 64k, 2M", counts, 1e18},
    [SC_AMOUNT_TIME] = {"time", "times are positive numbers with a unit: 200ms, 2s, 5min, 1h", times, 1e9},
    [SC_AMOUNT_BYTES] = {"amount of memory",
                         "amounts are positive numbers of bytes, or with a unit: 4GiB, 512MiB, 64kB", bytes, DBL_MAX},
    [SC_AMOUNT_RATIO] = {"share", "shares are positive numbers: 80% or 0.8", ratios, DBL_MAX}};

static int refuse_value(const char *text, enum sc_amount_kind kind)
{
  (void)sc_err_set(SC_E_INPUT, "\"%.60s\" is not %s %s", text, kind == SC_AMOUNT_BYTES ? "an" : "a", kinds[kind].what);
  return sc_err_hint(SC_E_INPUT, "%s", kinds[kind].hint);
}

/* A unit may stand directly behind the digits, as in "1,024MiB"; not in sizes: "100,200k" may be a list. */
static bool is_group(const char *at, bool measured)
{
  return isdigit((unsigned char)at[1]) && isdigit((unsigned char)at[2]) && isdigit((unsigned char)at[3]) &&
         !(measured ? isdigit((unsigned char)at[4]) : isalnum((unsigned char)at[4]));
}

/* Without what separates groups of three digits ("1,000,000", "1_500", "12'000") and blanks around it; false: too long
 * for an amount. */
static bool copy_plain(const char *text, bool measured, char *plain, size_t size)
{
  size_t length = 0;
  for (text += strspn(text, BLANKS); *text && length < size - 1; text++)
    if (!strchr(",_'", *text) || !length || !is_group(text, measured))
      plain[length++] = *text;
  while (length && strchr(BLANKS, plain[length - 1]))
    length--;
  plain[length] = '\0';
  return !*text;
}

/* `bare`: the number has no unit. One reader for all kinds of amounts: a number, then a row of the kind's table of
 * units. */
static int parse_value(const char *text, enum sc_amount_kind kind, bool *bare, double *value)
{
  char plain[80];
  double number = 0;
  *value = 0;
  if (!copy_plain(text, kind != SC_AMOUNT_COUNT, plain, sizeof plain))
    return refuse_value(text, kind);
  const char *suffix = plain + sc_number_read(plain, strlen(plain), &number);
  if (suffix == plain)
    return refuse_value(text, kind);
  suffix += strspn(suffix, BLANKS);
  const unit *row = kinds[kind].units;
  while (row->suffix && strcmp(row->suffix, suffix) != 0)
    row++;
  number = row->suffix ? number * row->times / row->per : 0;
  if (!(number > 0) || !(number <= kinds[kind].most))
    return refuse_value(text, kind);
  *bare = !*suffix;
  *value = number;
  return 0;
}

int sc_workload_parse_size(const char *text, double *value)
{
  bool bare;
  return parse_value(text, SC_AMOUNT_COUNT, &bare, value);
}

int sc_workload_parse_time(const char *text, double *seconds)
{
  bool bare;
  return parse_value(text, SC_AMOUNT_TIME, &bare, seconds);
}

/* A workload may leave the unit of a time out, as its grammar says it is seconds; nothing says so in a question. */
int sc_amount_parse(const char *text, enum sc_amount_kind kind, double *value)
{
  bool bare = false;
  if (parse_value(text, kind, &bare, value) < 0)
    return SC_E_USAGE;
  if (kind != SC_AMOUNT_TIME || !bare)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "\"%.40s\" is a time without a unit", text);
  char digits[SC_NUMBER_BYTES];
  sc_number_write(*value, SC_NUMBER_SAME, digits);
  return sc_err_hint(SC_E_USAGE, "times are positive numbers with a unit: %ss, %sms", digits, digits);
}

/* Length of the next size in a list. "100,200,400" is three sizes but "1,500,000" is one: groups of three digits belong
 * to one number if the last of them is 000, which as a size of its own would be 0. */
static size_t value_item(const char *text)
{
  size_t length = strcspn(text, ",; \t\r\n");
  size_t whole = length <= 3 ? length : 0;
  for (size_t at = length; whole && text[at] == ',' && is_group(text + at, false) && text[at + 4] != '.';) {
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

/* Separators may be mixed: lists come from XML, from shells and out of tables. */
int sc_workload_parse_sizes(const char *text, double **sizes, size_t *count)
{
  size_t capacity = 0;
  *sizes = NULL;
  *count = 0;
  int err = 0;
  for (const char *at = text; *(at += strspn(at, " \t\r\n,;"));) {
    size_t length = value_item(at);
    char one[80];
    SC_GOTO(*count >= SIZES_LIMIT ? too_many() : length >= sizeof one ? refuse_value(at, SC_AMOUNT_COUNT) : 0);
    memcpy(one, at, length);
    one[length] = '\0';
    at += length;
    SC_GOTO(sc_mem_grow(sizes, &capacity, *count + 1, sizeof **sizes));
    SC_GOTO(sc_workload_parse_size(one, &(*sizes)[*count]));
    ++*count;
  }
  if (*count == 0)
    err = refuse_value(text, SC_AMOUNT_COUNT);
out:
  if (err < 0) {
    free(*sizes);
    *sizes = NULL;
    *count = 0;
  }
  return err;
}

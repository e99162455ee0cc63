/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Longer numbers are possible, but nobody's. */
enum { USUAL = 64 };

static bool is_digit(const char *text, size_t length, size_t at)
{
  return at < length && text[at] >= '0' && text[at] <= '9';
}

static size_t skip_digits(const char *text, size_t length, size_t at)
{
  while (is_digit(text, length, at))
    at++;
  return at;
}

/* The bytes of the number that the text begins with; 0 without one. */
static size_t number_extent(const char *text, size_t length)
{
  size_t first = length && *text == '-', at = skip_digits(text, length, first), digits = at - first;
  if (at < length && text[at] == '.') {
    size_t behind = skip_digits(text, length, at + 1);
    digits += behind - at - 1;
    at = behind;
  }
  if (!digits)
    return 0;
  if (at < length && (text[at] == 'e' || text[at] == 'E')) {
    size_t sign = at + 1 < length && (text[at + 1] == '-' || text[at + 1] == '+');
    if (is_digit(text, length, at + 1 + sign))
      at = skip_digits(text, length, at + 1 + sign);
  }
  return at;
}

static const uint64_t powers[] = {1,
                                  10,
                                  100,
                                  1000,
                                  10000,
                                  100000,
                                  1000000,
                                  10000000,
                                  100000000,
                                  1000000000,
                                  10000000000,
                                  100000000000,
                                  1000000000000,
                                  10000000000000,
                                  100000000000000,
                                  1000000000000000,
                                  10000000000000000,
                                  100000000000000000,
                                  1000000000000000000};
enum { POWERS = sizeof powers / sizeof *powers };

/* Numbers of up to 18 digits without an exponent, nearly all there are: their digits are a whole number, and one
 * division in long double is right to half of its last bit (Clinger, "How to read floating point numbers accurately",
 * PLDI 1990, 4). Where that does not settle which double is nearest, strtod must: a tenth of a microsecond instead of a
 * hundredth. */
static bool read_short(const char *text, size_t length, double *value)
{
  bool negative = *text == '-', point = false;
  uint64_t digits = 0;
  size_t behind = 0, count = 0;
  for (size_t at = negative; at < length; at++) {
    if (text[at] == '.') {
      point = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9' || ++count == POWERS)
      return false;
    digits = digits * 10 + (uint64_t)(text[at] - '0');
    behind += point;
  }
  long double exact = (long double)digits / (long double)powers[behind];
  double nearest = (double)exact;
  long double off = fabsl(exact - (long double)nearest),
              half = (long double)(nextafter(nearest, INFINITY) - nearest) / 2;
  if (fabsl(off - half) < half * 0x1p-8L)
    return false;
  *value = negative ? -nearest : nearest;
  return true;
}

/* strtod wants an end that the text may not have. */
size_t sc_number_read(const char *text, size_t length, double *value)
{
  char usual[USUAL], *copy = usual;
  size_t bytes = number_extent(text, length);
  if (!bytes || read_short(text, bytes, value))
    return bytes;
  if (bytes >= USUAL)
    copy = sc_mem_new(bytes + 1, 1);
  if (!copy)
    return 0;
  memcpy(copy, text, bytes);
  copy[bytes] = '\0';
  *value = strtod(copy, NULL);
  if (copy != usual)
    free(copy);
  return bytes;
}

bool sc_number_all(const char *text, size_t length, double *value)
{
  return length && sc_number_read(text, length, value) == length && isfinite(*value);
}

bool sc_number_whole(const char *text, uint64_t *value)
{
  uint64_t number = 0;
  size_t at = 0;
  for (unsigned digit; is_digit(text, SIZE_MAX, at); at++) {
    digit = (unsigned)(text[at] - '0');
    if (number > (UINT64_MAX - digit) / 10)
      return false;
    number = number * 10 + digit;
  }
  *value = number;
  return at && !text[at];
}

bool sc_number_positive(const char *text, bool share, double *value)
{
  size_t length = strlen(text);
  bool percent = share && length && text[length - 1] == '%';
  if (!sc_number_all(text, length - percent, value) || !(*value > 0))
    return false;
  *value /= percent ? 100 : 1;
  return true;
}

static size_t write_whole(uint64_t value, bool negative, char *text)
{
  char reversed[24];
  size_t count = 0, length = 0;
  do
    reversed[count++] = (char)('0' + value % 10);
  while (value /= 10);
  if (negative)
    text[length++] = '-';
  while (count)
    text[length++] = reversed[--count];
  text[length] = '\0';
  return length;
}

/* Fifteen digits of 0.0001 to 10^15, with the point in its place. printf takes five times as long, which was a quarter
 * of all that fitting a series takes. The last digit may be off by one. */
static size_t write_fixed(double value, char *text)
{
  int above = 1, below = 14; /* digits before and behind the point */
  double size = fabs(value);
  while (above < 15 && size >= (double)powers[above])
    above++, below--;
  for (double least = 1; below < 18 && size < least; least /= 10)
    below++;
  uint64_t whole = (uint64_t)size;
  uint64_t rest = (uint64_t)(((long double)size - (long double)whole) * (long double)powers[below] + 0.5L);
  if (rest >= powers[below])
    whole++, rest = 0;
  size_t length = write_whole(whole, value < 0, text);
  if (!rest)
    return length;
  while (rest % 10 == 0)
    rest /= 10, below--;
  text[length] = '.';
  for (int at = below; at > 0; at--, rest /= 10)
    text[length + (size_t)at] = (char)('0' + rest % 10);
  text[length + (size_t)below + 1] = '\0';
  return length + (size_t)below + 1;
}

size_t sc_number_write(double value, int digits, char *text)
{
  static const int least = 15, most = 17; /* fifteen are never more than a double has, seventeen never fewer */
  if (value == floor(value) && fabs(value) <= 0x1p63)
    return write_whole((uint64_t)fabs(value), value < 0, text);
  if (digits == least && fabs(value) >= 1e-4 && fabs(value) < 1e15)
    return write_fixed(value, text);
  if (digits != SC_NUMBER_SAME)
    return (size_t)snprintf(text, SC_NUMBER_BYTES, "%.*g", digits, value);
  size_t length = 0;
  for (int tried = least; tried <= most; tried++) {
    length = (size_t)snprintf(text, SC_NUMBER_BYTES, "%.*g", tried, value);
    if (strtod(text, NULL) == value)
      break;
  }
  return length;
}

static int hex_digit(char c)
{
  static const char digits[] = "0123456789abcdef";
  const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
  return found ? (int)(found - digits) : -1;
}

int sc_number_hex(const char *two)
{
  int high = hex_digit(two[0]), low = high < 0 ? -1 : hex_digit(two[1]);
  return low < 0 ? -1 : high * 16 + low;
}

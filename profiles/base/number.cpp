/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ for std::from_chars and std::to_chars (ISO C++17, 23.2.9), which C has nothing like. */
#include "base/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

/* Most numbers are whole and short: their digits as they are; 0 for all others. */
static size_t read_short(const char *text, size_t length, double *value)
{
  std::int64_t number = 0;
  size_t at = 0;
  for (; at < length && at < 16 && text[at] >= '0' && text[at] <= '9'; at++)
    number = number * 10 + (text[at] - '0');
  if (at == 0 || at == 16 || (at < length && (text[at] == '.' || text[at] == 'e' || text[at] == 'E')))
    return 0;
  *value = (double)number;
  return at;
}

size_t sc_number_read(const char *text, size_t length, double *value)
{
  size_t short_length = read_short(text, length, value);
  if (short_length)
    return short_length;
  const char *end = text + length, *first = text + (length && *text == '-');
  if (first == end || !((*first >= '0' && *first <= '9') || *first == '.'))
    return 0;
  auto [rest, error] = std::from_chars(text, end, *value);
  if (error == std::errc::invalid_argument)
    return 0;
  if (error == std::errc::result_out_of_range)
    *value = std::strtod(std::string(text, rest).c_str(), nullptr);
  return (size_t)(rest - text);
}

size_t sc_number_write(double value, char *text)
{
  char *end = text + SC_NUMBER_BYTES - 1;
  bool whole = value == std::floor(value) && std::fabs(value) < 0x1p63;
  auto [rest, error] = whole ? std::to_chars(text, end, (std::int64_t)value) : std::to_chars(text, end, value);
  if (error != std::errc())
    rest = text; /* does not happen: the longest is -2.2250738585072014e-308 */
  *rest = '\0';
  return (size_t)(rest - text);
}

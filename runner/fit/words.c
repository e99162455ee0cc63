/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/words.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/utf8.h"

static bool is_blank_character(char c) { return c == ' ' || c == '\t'; }

sc_view sc_words_trim(sc_view text)
{
  while (text.length && is_blank_character(text.text[0])) {
    text.text++;
    text.length--;
  }
  while (text.length && is_blank_character(text.text[text.length - 1]))
    text.length--;
  return text;
}

bool sc_words_next(sc_view *text, sc_view *word)
{
  *text = sc_words_trim(*text);
  size_t length = 0;
  while (length < text->length && !is_blank_character(text->text[length]))
    length++;
  *word = (sc_view){text->text, length};
  text->text += length;
  text->length -= length;
  return length > 0;
}

bool sc_words_number(sc_view text, double *value)
{
  static const struct {
    const char *word;
    double value;
  } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"infinity", INFINITY}};
  bool minus = text.length && text.text[0] == '-', plus = text.length && text.text[0] == '+';
  sc_view digits = {text.text + (minus || plus), text.length - (minus || plus)};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (digits.length == strlen(words[i].word) && strncasecmp(digits.text, words[i].word, digits.length) == 0) {
      *value = minus ? -words[i].value : words[i].value;
      return true;
    }
  if (!digits.length || digits.text[0] == '-' || sc_number_read(digits.text, digits.length, value) != digits.length)
    return false;
  *value = minus ? -*value : *value;
  return true;
}

static const struct {
  const char *name, *unit;
  double seconds;
} times[] = {{"s", "s", 1},      {"seconds", "s", 1}, {"ms", "ms", 1e-3}, {"us", "us", 1e-6},
             {"µs", "us", 1e-6}, {"μs", "us", 1e-6},  {"ns", "ns", 1e-9}};
enum { TIMES = sizeof times / sizeof *times };

double sc_words_seconds(sc_view unit)
{
  for (size_t i = 0; i < TIMES; i++)
    if (sc_view_is(unit, times[i].unit))
      return times[i].seconds;
  return 0;
}

/* Takes `end` off the text; false where the text does not end with it, or has nothing before it. */
static bool drop_end(sc_view *text, const char *end)
{
  size_t length = strlen(end);
  if (text->length <= length || memcmp(text->text + text->length - length, end, length) != 0)
    return false;
  text->length -= length;
  return true;
}

/* "time (ms)" */
static bool take_brackets(sc_view *metric, const char *time)
{
  static const char *const forms[][2] = {{"(", ")"}, {"[", "]"}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    sc_view name = *metric;
    if (!drop_end(&name, forms[i][1]) || !drop_end(&name, time) || !drop_end(&name, forms[i][0]))
      continue;
    name = sc_words_trim(name);
    if (name.length)
      *metric = name;
    return name.length;
  }
  return false;
}

/* "time_ms", but neither "bytes_per_ms" nor "items_s", which are rates. */
static bool has_suffix(sc_view metric, const char *time)
{
  return strcmp(time, "s") != 0 && drop_end(&metric, time) && drop_end(&metric, "_") && !drop_end(&metric, "per");
}

void sc_words_take_unit(sc_view *metric, sc_view *unit)
{
  for (size_t i = 0; i < TIMES; i++)
    if (take_brackets(metric, times[i].name) || has_suffix(*metric, times[i].name)) {
      *unit = (sc_view){times[i].unit, strlen(times[i].unit)};
      return;
    }
}

int sc_words_check(sc_view line)
{
  for (size_t at = 0, bytes; at < line.length; at += bytes) {
    bytes = (unsigned char)line.text[at] < 0x80 ? 1 : sc_utf8_length(line.text + at, line.length - at);
    if (!bytes)
      return sc_err_hint(sc_err_set(SC_E_INPUT, "column %zu: this is not valid UTF-8", at + 1),
                         "iconv -t UTF-8 converts other encodings");
  }
  return 0;
}

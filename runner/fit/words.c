/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/words.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/utf8.h"

static bool blank(char c) { return c == ' ' || c == '\t'; }

sc_view sc_words_trim(sc_view text)
{
  while (text.length && blank(text.text[0])) {
    text.text++;
    text.length--;
  }
  while (text.length && blank(text.text[text.length - 1]))
    text.length--;
  return text;
}

bool sc_words_next(sc_view *text, sc_view *word)
{
  *text = sc_words_trim(*text);
  size_t length = 0;
  while (length < text->length && !blank(text->text[length]))
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

int sc_words_check(sc_view line)
{
  for (size_t at = 0, bytes; at < line.length; at += bytes) {
    bytes = (unsigned char)line.text[at] < 0x80 ? 1 : sc_utf8_length(line.text + at, line.length - at);
    if (!bytes)
      return sc_err_hint(sc_err_set(SC_E_INPUT, "column %zu: this is no UTF-8", at + 1),
                         "iconv -t UTF-8 converts other encodings");
  }
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/fit/scan.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/number.h"
#include "base/utf8.h"

/* The next character that is no blank, which is not consumed; NUL at the end. */
static char next_character(sc_scan *scan)
{
  const char *at = scan->at, *end = scan->end;
  while (at < end && (unsigned char)*at <= ' ' && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
    at++;
  scan->at = at;
  return at < end ? *at : '\0';
}

void sc_scan_begin(sc_scan *scan, sc_view text)
{
  scan->start = scan->at = text.text;
  scan->end = text.text + text.length;
  scan->unescaped_length = 0;
  scan->first = false;
}

void sc_scan_free(sc_scan *scan)
{
  free(scan->unescaped);
  *scan = (sc_scan){0};
}

int sc_scan_fault(const sc_scan *scan, const char *message)
{
  size_t line = 1;
  const char *start = scan->start;
  for (const char *end; (end = memchr(start, '\n', (size_t)(scan->at - start))); start = end + 1)
    line++;
  if (line > 1)
    (void)sc_err_set(SC_E_INPUT, "line %zu, column %zu: %s", line, (size_t)(scan->at - start) + 1, message);
  else
    (void)sc_err_set(SC_E_INPUT, "column %zu: %s", (size_t)(scan->at - start) + 1, message);
  return sc_err_hint(SC_E_INPUT, "the input must be valid JSON (RFC 8259) in UTF-8");
}

static bool is_scanned_digit(char c) { return c >= '0' && c <= '9'; }

char sc_scan_kind(sc_scan *scan)
{
  char c = next_character(scan);
  if (is_scanned_digit(c) || (c == '-' && scan->end - scan->at > 1 && is_scanned_digit(scan->at[1])))
    return '0';
  return c && strchr("{[\"tfn", c) ? c : '\0';
}

int sc_scan_open(sc_scan *scan, char bracket)
{
  if (next_character(scan) != bracket)
    return sc_scan_fault(scan, bracket == '{' ? "an object is expected here" : "a list is expected here");
  scan->at++;
  scan->first = true;
  return 0;
}

/* Past the comma before the next item, or past the closing bracket: 1 or 0. */
static int separate_scan(sc_scan *scan, char close)
{
  bool first = scan->first;
  char c = next_character(scan);
  scan->first = false;
  if (c == close) {
    scan->at++;
    return 0;
  }
  if (first)
    return 1;
  if (c != ',')
    return sc_scan_fault(scan, scan->at == scan->end ? "the text ends too early" : "a comma is missing here");
  scan->at++;
  return 1;
}

int sc_scan_member(sc_scan *scan, sc_view *key)
{
  int more = separate_scan(scan, '}');
  if (more <= 0)
    return more;
  if (next_character(scan) != '"')
    return sc_scan_fault(scan, "a key in quotes is expected here");
  SC_TRY(sc_scan_string(scan, key));
  if (next_character(scan) != ':')
    return sc_scan_fault(scan, "a colon is missing here");
  scan->at++;
  return 1;
}

int sc_scan_element(sc_scan *scan)
{
  int more = separate_scan(scan, ']');
  if (more > 0 && next_character(scan) == ']')
    return sc_scan_fault(scan, "a value is missing here");
  return more;
}

/* What printf, Python and JavaScript write instead of numbers; bytes, 0 for anything else. */
static size_t not_finite(const sc_scan *scan, double *value)
{
  static const struct {
    const char *word;
    double value;
  } words[] = {{"NaN", NAN},      {"-NaN", NAN},          {"nan", NAN},
               {"-nan", NAN},     {"Infinity", INFINITY}, {"-Infinity", -INFINITY},
               {"inf", INFINITY}, {"-inf", -INFINITY}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word);
    if ((size_t)(scan->end - scan->at) >= length && memcmp(scan->at, words[i].word, length) == 0) {
      *value = words[i].value;
      return length;
    }
  }
  return 0;
}

/* JSON's grammar is narrower than what from_chars takes: no "01", "1." or ".5". */
static bool is_strict_number(const char *text, size_t length)
{
  size_t sign = text[0] == '-';
  const char *dot = memchr(text, '.', length);
  if (text[sign] == '0' && length > sign + 1 && is_scanned_digit(text[sign + 1]))
    return false;
  return is_scanned_digit(text[sign]) && !(dot && (dot + 1 == text + length || !is_scanned_digit(dot[1])));
}

int sc_scan_number(sc_scan *scan, double *value)
{
  *value = 0;
  if (sc_scan_kind(scan) != '0') {
    size_t word = not_finite(scan, value);
    scan->at += word;
    return word ? 0 : sc_scan_fault(scan, "a number is expected here");
  }
  size_t length = sc_number_read(scan->at, (size_t)(scan->end - scan->at), value);
  if (!length || !is_strict_number(scan->at, length))
    return sc_scan_fault(scan, "a number is expected here");
  scan->at += length;
  return 0;
}

static int skip_word(sc_scan *scan)
{
  static const char *const words[] = {"true", "false", "null"};
  for (size_t i = 0; i < 3; i++) {
    size_t length = strlen(words[i]);
    if ((size_t)(scan->end - scan->at) >= length && memcmp(scan->at, words[i], length) == 0) {
      scan->at += length;
      return 0;
    }
  }
  double value;
  size_t length = not_finite(scan, &value);
  scan->at += length;
  return length ? 0 : sc_scan_fault(scan, "a value is expected here");
}

static int skip_within(sc_scan *scan, int depth)
{
  sc_view text;
  double number;
  int more;
  char kind = sc_scan_kind(scan);
  if (kind == '"')
    return sc_scan_string(scan, &text);
  if (kind == '0')
    return sc_scan_number(scan, &number);
  if (kind != '{' && kind != '[')
    return skip_word(scan);
  if (depth >= SC_SCAN_DEPTH)
    return sc_scan_fault(scan, "objects and lists are nested too deeply");
  SC_TRY(sc_scan_open(scan, kind));
  while ((more = kind == '{' ? sc_scan_member(scan, &text) : sc_scan_element(scan)) > 0)
    SC_TRY(skip_within(scan, depth + 1));
  return more;
}

int sc_scan_skip(sc_scan *scan) { return skip_within(scan, 0); }

int sc_scan_list_of(sc_scan *scan, const char *name, int (*each)(void *user), void *user)
{
  sc_view key;
  int more, items;
  bool found = false;
  SC_TRY(sc_scan_open(scan, '{'));
  while ((more = sc_scan_member(scan, &key)) > 0) {
    if (!sc_view_is(key, name)) {
      SC_TRY(sc_scan_skip(scan));
      continue;
    }
    found = true;
    SC_TRY(sc_scan_open(scan, '['));
    while ((items = sc_scan_element(scan)) > 0)
      SC_TRY(each(user));
    SC_TRY(items);
  }
  SC_TRY(more);
  if (found)
    return sc_scan_finish(scan);
  char message[64];
  snprintf(message, sizeof message, "there are no \"%s\" in it", name);
  return sc_scan_fault(scan, message);
}

int sc_scan_finish(sc_scan *scan)
{
  if (next_character(scan) == '\0' && scan->at == scan->end)
    return 0;
  return sc_scan_fault(scan, "nothing is expected behind the object");
}

/* Four hexadecimal digits behind \u. */
static int scan_hex4(sc_scan *scan, uint32_t *code)
{
  *code = 0;
  if (scan->end - scan->at < 4)
    return sc_scan_fault(scan, "an escape is cut short");
  for (int i = 0; i < 4; i++, scan->at++) {
    const char *digits = "0123456789abcdef", *found = *scan->at ? strchr(digits, *scan->at | 32) : NULL;
    if (!found || (*scan->at < '0'))
      return sc_scan_fault(scan, "\\u needs four hexadecimal digits");
    *code = *code << 4 | (uint32_t)(found - digits);
  }
  return 0;
}

/* Behind the backslash and the u; writes UTF-8. Surrogates must come in pairs. */
static int unescape_code(sc_scan *scan, char **to)
{
  uint32_t code, low;
  SC_TRY(scan_hex4(scan, &code));
  if (code == 0)
    return sc_scan_fault(scan, "a NUL character cannot be part of a name");
  if (code >> 10 == 0x37)
    return sc_scan_fault(scan, "half of a surrogate pair");
  if (code >> 10 == 0x36) {
    if (scan->end - scan->at < 2 || scan->at[0] != '\\' || scan->at[1] != 'u')
      return sc_scan_fault(scan, "half of a surrogate pair");
    scan->at += 2;
    SC_TRY(scan_hex4(scan, &low));
    if (low >> 10 != 0x37)
      return sc_scan_fault(scan, "half of a surrogate pair");
    code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
  }
  *to += sc_utf8_write(code, *to);
  return 0;
}

static int unescape_scan(sc_scan *scan, char **to)
{
  static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
  scan->at++;
  char c = scan->at < scan->end ? *scan->at : '\0';
  const char *found = c ? strchr(from, c) : NULL;
  if (c == 'u') {
    scan->at++;
    return unescape_code(scan, to);
  }
  if (!found)
    return sc_scan_fault(scan, "an unknown escape");
  *(*to)++ = into[found - from];
  scan->at++;
  return 0;
}

/* Characters of one byte that stand for themselves: all but controls, the quote and the backslash. */
static const bool ordinary[256] = {[0x20 ... 0x21] = true, [0x23 ... 0x5b] = true, [0x5d ... 0x7f] = true};

/* Over plain characters, to a quote or backslash. */
static int scan_plain(sc_scan *scan)
{
  const char *at = scan->at, *end = scan->end;
  for (size_t bytes;; at += bytes) {
    while (at < end && ordinary[(unsigned char)*at])
      at++;
    scan->at = at;
    if (at == end)
      return sc_scan_fault(scan, "the closing quote is missing");
    if (*at == '"' || *at == '\\')
      return 0;
    if ((unsigned char)*at < 0x20)
      return sc_scan_fault(scan, "a control character within quotes");
    bytes = sc_utf8_length(at, (size_t)(end - at));
    if (!bytes)
      return sc_scan_fault(scan, "this is not valid UTF-8");
  }
}

/* The rest of a string from its first backslash on, copied. No text is longer without its escapes, so the buffer, once
 * as large as what is scanned, need not move. */
static int copy_escaped(sc_scan *scan, const char *start, sc_view *text)
{
  if (scan->unescaped_length == 0)
    SC_TRY(sc_mem_grow(&scan->unescaped, &scan->unescaped_capacity, (size_t)(scan->end - scan->start), 1));
  char *copy = scan->unescaped + scan->unescaped_length, *to = copy;
  for (;;) {
    memcpy(to, start, (size_t)(scan->at - start));
    to += scan->at - start;
    if (*scan->at == '"')
      break;
    SC_TRY(unescape_scan(scan, &to));
    start = scan->at;
    SC_TRY(scan_plain(scan));
  }
  scan->at++;
  scan->unescaped_length += (size_t)(to - copy);
  *text = (sc_view){copy, (size_t)(to - copy)};
  return 0;
}

/* As it stands in the input, or copied where it has escapes. */
int sc_scan_string(sc_scan *scan, sc_view *text)
{
  *text = (sc_view){"", 0};
  if (next_character(scan) != '"')
    return sc_scan_fault(scan, "a text in quotes is expected here");
  const char *start = ++scan->at;
  SC_TRY(scan_plain(scan));
  if (*scan->at == '\\')
    return copy_escaped(scan, start, text);
  *text = (sc_view){start, (size_t)(scan->at - start)};
  scan->at++;
  return 0;
}

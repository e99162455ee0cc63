/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of JSON: as they stand in the input, or copied where they have escapes. */
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/fit/scan_internal.h"

/* Four hexadecimal digits behind \u. */
static int hex4(sc_scan *scan, uint32_t *code)
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
  SC_TRY(hex4(scan, &code));
  if (code == 0)
    return sc_scan_fault(scan, "a NUL character cannot be part of a name");
  if (code >> 10 == 0x37)
    return sc_scan_fault(scan, "half of a surrogate pair");
  if (code >> 10 == 0x36) {
    if (scan->end - scan->at < 2 || scan->at[0] != '\\' || scan->at[1] != 'u')
      return sc_scan_fault(scan, "half of a surrogate pair");
    scan->at += 2;
    SC_TRY(hex4(scan, &low));
    if (low >> 10 != 0x37)
      return sc_scan_fault(scan, "half of a surrogate pair");
    code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
  }
  *to += sc_utf8_write(code, *to);
  return 0;
}

static int unescape(sc_scan *scan, char **to)
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
static int plain(sc_scan *scan)
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
      return sc_scan_fault(scan, "this is no UTF-8");
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
    SC_TRY(unescape(scan, &to));
    start = scan->at;
    SC_TRY(plain(scan));
  }
  scan->at++;
  scan->unescaped_length += (size_t)(to - copy);
  *text = (sc_view){copy, (size_t)(to - copy)};
  return 0;
}

int sc_scan_string(sc_scan *scan, sc_view *text)
{
  *text = (sc_view){"", 0};
  if (sc_scan_next(scan) != '"')
    return sc_scan_fault(scan, "a text in quotes is expected here");
  const char *start = ++scan->at;
  SC_TRY(plain(scan));
  if (*scan->at == '\\')
    return copy_escaped(scan, start, text);
  *text = (sc_view){start, (size_t)(scan->at - start)};
  scan->at++;
  return 0;
}

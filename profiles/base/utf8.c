/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8: valid sequences, and text from anywhere made fit to be printed. */
#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

size_t sc_utf8_length(const char *text, size_t left)
{
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = left ? (unsigned char)*text : 0;
  if (first < 0x80)
    return first != 0;
  size_t length = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
  if (!length || length > left)
    return 0;
  uint32_t code = first & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c >> 6 != 2)
      return 0;
    code = code << 6 | (c & 0x3f);
  }
  bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[length] || surrogate || code > 0x10ffff ? 0 : length;
}

/* Code points beyond ASCII that act on a terminal or on the text around them, or that nobody sees, so that two names
 * look alike: Unicode's Default_Ignorable_Code_Point, controls, separators, annotations, and what XML forbids. */
static bool acts_on_text(uint32_t code)
{
  static const struct {
    uint32_t first, last;
  } ranges[] = {
      {0x0080, 0x009f},   /* C1 controls */
      {0x00ad, 0x00ad},   /* soft hyphen */
      {0x034f, 0x034f},   /* combining grapheme joiner */
      {0x061c, 0x061c},   /* Arabic letter mark */
      {0x115f, 0x1160},   /* Hangul fillers */
      {0x17b4, 0x17b5},   /* Khmer inherent vowels */
      {0x180b, 0x180f},   /* Mongolian variation selectors, vowel separator */
      {0x200b, 0x200f},   /* zero-width space and joiners, direction marks */
      {0x2028, 0x202e},   /* line and paragraph separators, embeddings and overrides of direction */
      {0x2060, 0x206f},   /* word joiner, invisible operators, isolates, deprecated format characters */
      {0x3164, 0x3164},   /* Hangul filler */
      {0xfe00, 0xfe0f},   /* variation selectors */
      {0xfeff, 0xfeff},   /* byte order mark */
      {0xffa0, 0xffa0},   /* halfwidth Hangul filler */
      {0xfff0, 0xfffb},   /* unassigned format characters, interlinear annotations */
      {0xfffe, 0xffff},   /* not characters */
      {0x1bca0, 0x1bca3}, /* shorthand format controls */
      {0x1d173, 0x1d17a}, /* musical format controls */
      {0xe0000, 0xe0fff}, /* tags, variation selectors */
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].first && code <= ranges[i].last)
      return true;
  return false;
}

static uint32_t code_of(const char *text, size_t length)
{
  uint32_t code = (unsigned char)*text;
  if (length > 1)
    code &= 0xffu >> (length + 1);
  for (size_t i = 1; i < length; i++)
    code = code << 6 | ((unsigned char)text[i] & 0x3f);
  return code;
}

size_t sc_utf8_printable(const char *text, size_t left)
{
  size_t length = sc_utf8_length(text, left);
  if (length == 0)
    return 0;
  uint32_t code = code_of(text, length);
  if (length == 1) /* most texts */
    return code >= 0x20 && code != 0x7f;
  return acts_on_text(code) ? 0 : length;
}

size_t sc_utf8_show_one(const char *text, size_t left, char shown[SC_UTF8_SHOWN])
{
  size_t length = sc_utf8_length(text, left);
  bool printable = sc_utf8_printable(text, left) > 0;
  uint32_t code = length ? code_of(text, length) : 0;
  if (printable)
    memcpy(shown, text, length);
  if (printable)
    shown[length] = '\0';
  else if (length > 1)
    snprintf(shown, SC_UTF8_SHOWN, code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)code);
  else
    snprintf(shown, SC_UTF8_SHOWN, "?");
  return length ? length : 1;
}

void sc_utf8_show(const char *text, sc_buf *out)
{
  char shown[SC_UTF8_SHOWN];
  for (const char *end = text + strlen(text); text < end;) {
    text += sc_utf8_show_one(text, (size_t)(end - text), shown);
    sc_buf_puts(out, shown);
  }
}

void sc_utf8_print(const char *text, FILE *out)
{
  char shown[SC_UTF8_SHOWN];
  for (const char *end = text + strlen(text); text < end;) {
    text += sc_utf8_show_one(text, (size_t)(end - text), shown);
    fputs(shown, out);
  }
}

static void print_escaped(uint32_t code, FILE *out)
{
  if (code < 0x10000)
    fprintf(out, "\\u%04x", (unsigned)code);
  else
    fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)), (unsigned)(0xdc00 | (code & 0x3ff)));
}

void sc_utf8_print_json(const char *json, FILE *out)
{
  const char *whole = json; /* not yet written */
  for (const char *end = json + strlen(json); json < end;) {
    size_t length = sc_utf8_length(json, (size_t)(end - json));
    if (sc_utf8_printable(json, (size_t)(end - json)) || *json == '\n' || *json == '\t') {
      json += length;
      continue;
    }
    fwrite(whole, 1, (size_t)(json - whole), out);
    print_escaped(length ? code_of(json, length) : 0xfffd, out);
    whole = json += length ? length : 1;
  }
  fputs(whole, out);
}

size_t sc_utf8_write(uint32_t code, char *text)
{
  if (code < 0x80) {
    text[0] = (char)code;
    return 1;
  }
  size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--, code >>= 6)
    text[i] = (char)(0x80 | (code & 0x3f));
  text[0] = (char)(0xf00u >> length | code); /* 110xxxxx, 1110xxxx, 11110xxx */
  return length;
}

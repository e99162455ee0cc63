/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/lsp/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

int sc_lines_set(sc_lines *lines, const char *text)
{
  size_t capacity = 0, length = strlen(text);
  sc_lines_free(lines);
  lines->text = sc_mem_copy_string(text);
  if (!lines->text)
    return SC_E_NOMEM;
  for (size_t at = 0;;) {
    SC_TRY(sc_mem_grow(&lines->starts, &capacity, (size_t)lines->count + 2, sizeof *lines->starts));
    lines->starts[lines->count++] = at;
    const char *end = memchr(lines->text + at, '\n', length - at);
    at = end ? (size_t)(end - lines->text) + 1 : length + 1;
    lines->starts[lines->count] = at;
    if (!end)
      return 0;
  }
}

void sc_lines_free(sc_lines *lines)
{
  free(lines->text);
  free(lines->starts);
  *lines = (sc_lines){0};
}

const char *sc_lines_at(const sc_lines *lines, uint32_t line, size_t *length)
{
  *length = 0;
  if (line >= lines->count)
    return NULL;
  const char *text = lines->text + lines->starts[line];
  *length = lines->starts[line + 1] - lines->starts[line] - 1;
  if (*length && text[*length - 1] == '\r')
    --*length;
  return text;
}

/* Bytes of the character, and the units it has. */
static size_t document_character(const char *text, size_t left, uint32_t *units)
{
  size_t bytes = sc_utf8_length(text, left);
  *units = bytes == 4 ? 2 : 1;
  return bytes ? bytes : 1;
}

uint32_t sc_lines_units(const char *line, size_t length, size_t byte)
{
  uint32_t units = 0, more;
  for (size_t at = 0; at < length && at < byte; units += more)
    at += document_character(line + at, length - at, &more);
  return units;
}

size_t sc_lines_byte(const char *line, size_t length, uint32_t units)
{
  size_t at = 0;
  uint32_t more;
  while (at < length && units) {
    at += document_character(line + at, length - at, &more);
    units -= more < units ? more : units;
  }
  return at;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

size_t sc_lines_word(const char *line, size_t length, size_t byte, size_t *size)
{
  size_t from = byte < length ? byte : length, to = from;
  while (from > 0 && in_word(line[from - 1]))
    from--;
  while (to < length && in_word(line[to]))
    to++;
  *size = to > from && !isdigit((unsigned char)line[from]) ? to - from : 0;
  return from;
}

static bool same_text_line(const sc_lines *a, uint32_t i, const sc_lines *b, uint32_t k)
{
  size_t left, right;
  const char *x = sc_lines_at(a, i, &left), *y = sc_lines_at(b, k, &right);
  return left == right && memcmp(x, y, left) == 0;
}

sc_lines_shift sc_lines_compare(const sc_lines *earlier, const sc_lines *later)
{
  sc_lines_shift shift = {.earlier = earlier->count, .later = later->count};
  uint32_t least = shift.earlier < shift.later ? shift.earlier : shift.later;
  while (shift.before < least && same_text_line(earlier, shift.before, later, shift.before))
    shift.before++;
  while (shift.after < least - shift.before &&
         same_text_line(earlier, shift.earlier - 1 - shift.after, later, shift.later - 1 - shift.after))
    shift.after++;
  return shift;
}

bool sc_lines_move(const sc_lines_shift *shift, uint32_t *line)
{
  if (*line < shift->before)
    return true;
  if (*line < shift->earlier && *line >= shift->earlier - shift->after) {
    *line = *line - shift->earlier + shift->later;
    return true;
  }
  uint32_t last = shift->later - shift->after; /* behind the changed lines */
  *line = *line < last ? *line : last ? last - 1 : 0;
  return shift->earlier == shift->later && shift->before == shift->earlier;
}

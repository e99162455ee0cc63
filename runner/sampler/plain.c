/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plain name in a demangled one: without scopes, template arguments and parameters. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "runner/sampler/match.h"

/* Index behind the bracket that closes the one at `at`; the end of the text if none does. */
static size_t skip_bracket(const char *text, size_t at)
{
  static const char open[] = "(<[{", close[] = ")>]}";
  size_t depth = 0;
  for (; text[at]; at++) {
    if (text[at] == '>' && at && text[at - 1] == '-')
      continue; /* an arrow */
    if (strchr(open, text[at]))
      depth++;
    else if (strchr(close, text[at]) && --depth == 0)
      return at + 1;
  }
  return at;
}

/* Length of an operator's name: "operator<<", "operator()", "operator new", "operator bool". */
static size_t operator_length(const char *text)
{
  static const char *const pairs[] = {"()", "[]"};
  size_t length = strlen("operator");
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (!strncmp(text + length, pairs[i], 2))
      return length + 2;
  if (text[length] == ' ' || text[length] == '"')
    return strcspn(text, "(<");
  if (!strncmp(text + length, "->", 2) || !strncmp(text + length, "<=>", 3))
    return length + strspn(text + length, "-<=>*");
  if (text[length] == '<') { /* not the template's bracket behind it */
    length++;
    length += text[length] == '<';
    return length + (text[length] == '=');
  }
  return length + strspn(text + length, "+-*/%^&|~!=>,");
}

static bool is_operator(const char *text, size_t at, size_t start)
{
  size_t length = strlen("operator");
  return at == start && !strncmp(text + at, "operator", length) && !isalnum((unsigned char)text[at + length]) &&
         text[at + length] != '_';
}

const char *sc_sampler_match_plain(const char *text, size_t *length)
{
  size_t start = 0, end = 0, at = 0;
  bool ended = false; /* the name's end is known: a template's arguments follow */
  while (text[at]) {
    if (is_operator(text, at, start)) {
      *length = operator_length(text + at);
      return text + at;
    }
    if (!strncmp(text + at, "::", 2) || text[at] == ' ') {
      at += text[at] == ' ' ? 1 : 2;
      start = at;
      ended = false;
    } else if (strchr("(<[{", text[at])) {
      size_t next = skip_bracket(text, at);
      if (text[at] == '(' && at > start && strncmp(text + next, "::", 2)) {
        end = ended ? end : at;
        break;
      }
      end = ended ? end : at;
      ended = true;
      at = next;
    } else {
      at++;
    }
  }
  if (!text[at] && !ended)
    end = at;
  *length = end > start ? end - start : strlen(text + start);
  return text + start;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/events/place.h"

#include <cjson/cJSON.h>
#include <string.h>

/* Values in the order they stand in: 1 if `item` is `root` or in it, with how many begin before it added to *before. */
static int place_number(const cJSON *root, const cJSON *item, size_t *before)
{
  if (root == item)
    return 1;
  ++*before;
  for (const cJSON *child = root->child; child; child = child->next)
    if (place_number(child, item, before))
      return 1;
  return 0;
}

/* Behind the string whose first quote is at `at`. */
static const char *place_string_end(const char *at, const char *end)
{
  for (at++; at < end && *at != '"'; at++)
    at += *at == '\\';
  return at < end ? at + 1 : end;
}

static const char *place_skip(const char *at, const char *end, const char *characters)
{
  while (at < end && ((unsigned char)*at <= ' ' || strchr(characters, *at)))
    at++;
  return at;
}

/* Where value number `number` begins, or its key. */
static const char *place_find(const char *text, const char *end, size_t number)
{
  const char *at = place_skip(text, end, "\xef\xbb\xbf"), *key = NULL;
  while (at < end) {
    const char *start = at;
    at = *at == '"' ? place_string_end(at, end) : *at == '{' || *at == '[' ? at + 1 : at + strcspn(at, ",]} \t\r\n");
    const char *behind = place_skip(at, end, "");
    if (*start == '"' && !key && behind < end && *behind == ':') {
      key = start;
      at = place_skip(behind + 1, end, "");
      continue;
    }
    if (number-- == 0)
      return key ? key : start;
    key = NULL;
    at = place_skip(at, end, ",]}");
  }
  return text;
}

unsigned sc_place_line_of(const char *text, size_t at)
{
  unsigned line = 1;
  for (size_t i = 0; i < at; i++)
    line += text[i] == '\n';
  return line;
}

unsigned sc_place_line(const char *text, size_t bytes, const cJSON *root, const cJSON *item)
{
  size_t number = 0;
  place_number(root, item, &number);
  return sc_place_line_of(text, (size_t)(place_find(text, text + bytes, number) - text));
}

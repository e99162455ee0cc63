/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "filter.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SC_FILTER_BLANKS " \t\r\f\v"

static const char *const filter_glob_hint = "write a \\ before each of [ ] { } that stands for itself";

/* The end of a character class that begins at `at`, or NULL. A ] right behind the [ is one of its characters. */
static const char *filter_class_end(const char *at, const char *end)
{
  return end - at > 2 ? memchr(at + 2, ']', (size_t)(end - at - 2)) : NULL;
}

static int filter_class_runs_backwards(const char *at, const char *end)
{
  for (at++; at + 2 < end; at++)
    if (at[1] == '-' && (unsigned char)at[0] > (unsigned char)at[2])
      return 1;
  return 0;
}

/* What is wrong with the pattern, which has `bytes` bytes; NULL: nothing. */
static const char *find_glob_fault(const char *glob, size_t bytes)
{
  const char *end = glob + bytes, *closing;
  int inside = 0, commas = 0;

  for (const char *at = glob; at < end; at++) {
    if (*at == '[') {
      closing = filter_class_end(at, end);
      if (!closing)
        return "[ without ]";
      if (filter_class_runs_backwards(at, closing))
        return "a range in [ ] runs backwards";
      at = closing;
    } else if (*at == '{') {
      if (inside)
        return "{ inside { }";
      inside = 1;
      commas = 0;
    } else if (*at == ',') {
      commas += inside;
    } else if (*at == '}' && inside) {
      if (!commas)
        return "{ } without a comma";
      inside = 0;
    } else if (*at == '\\' && ++at == end) {
      return "\\ at the end";
    }
  }
  return inside ? "{ without }" : NULL;
}

static int filter_wrong_glob(struct sc_filter_fault *fault, const char *where, const char *glob, size_t bytes)
{
  const char *why = find_glob_fault(glob, bytes);

  if (!why)
    return 0;
  snprintf(fault->what, sizeof(fault->what), "%.200s: '%.*s' is no pattern: %s", where,
           (int)(bytes < 200 ? bytes : 200), glob, why);
  fault->hint = filter_glob_hint;
  return -1;
}

/* The next word of a line; its length in *bytes, 0 at the end. */
static const char *filter_word(const char *at, size_t *bytes)
{
  at += strspn(at, SC_FILTER_BLANKS);
  *bytes = strcspn(at, SC_FILTER_BLANKS);
  return at;
}

static int filter_is(const char *word, size_t bytes, const char *a, const char *b)
{
  return (strlen(a) == bytes && memcmp(word, a, bytes) == 0) || (strlen(b) == bytes && memcmp(word, b, bytes) == 0);
}

static int filter_check_line(const char *line, const char *where, struct sc_filter_fault *fault)
{
  size_t verb_bytes, kind_bytes, bytes;
  const char *verb = filter_word(line, &verb_bytes);
  const char *kind = filter_word(verb + verb_bytes, &kind_bytes);
  const char *glob = kind + kind_bytes + strspn(kind + kind_bytes, SC_FILTER_BLANKS);

  if (!verb_bytes || *verb == '#')
    return 0;
  bytes = strlen(glob);
  while (bytes && strchr(SC_FILTER_BLANKS, glob[bytes - 1]))
    bytes--;
  if (!filter_is(verb, verb_bytes, "include", "exclude") || !filter_is(kind, kind_bytes, "function", "file") ||
      !bytes) {
    snprintf(fault->what, sizeof(fault->what), "%.200s: not a rule: '%.200s'", where, verb);
    fault->hint = "a rule is \"exclude function GLOB\", \"exclude file GLOB\", or the same with include";
    return -1;
  }
  return filter_wrong_glob(fault, where, glob, bytes);
}

static int filter_check_file(const char *path, struct sc_filter_fault *fault)
{
  FILE *file = fopen(path, "r");
  char *line = NULL;
  char where[300];
  size_t room = 0;
  int number = 0, status = 0;

  while (file && status == 0 && getline(&line, &room, file) >= 0) {
    line[strcspn(line, "\n")] = 0;
    snprintf(where, sizeof(where), "%.200s:%d", path, ++number);
    status = filter_check_line(line, where, fault);
  }
  if (!file || ferror(file)) {
    snprintf(fault->what, sizeof(fault->what), "cannot read the filter %.200s: %s", path, strerror(errno));
    fault->hint = "give its whole path: compilers run in many folders";
    status = -1;
  }
  if (file)
    fclose(file);
  free(line);
  return status;
}

static int filter_check_list(const char *list, const char *where, struct sc_filter_fault *fault)
{
  for (size_t bytes; list && *list; list += bytes + (list[bytes] != 0)) {
    bytes = strcspn(list, ";\n");
    if (filter_wrong_glob(fault, where, list, bytes) < 0)
      return -1;
  }
  return 0;
}

int sc_filter_check(const char *files, const char *include, const char *exclude, struct sc_filter_fault *fault)
{
  int status = 0;

  for (size_t bytes; status == 0 && files && *files; files += bytes + (files[bytes] != 0)) {
    char *path;
    bytes = strcspn(files, ":");
    path = bytes ? strndup(files, bytes) : NULL;
    status = path ? filter_check_file(path, fault) : 0;
    free(path);
  }
  if (status == 0)
    status = filter_check_list(include, "include", fault);
  return status == 0 ? filter_check_list(exclude, "exclude", fault) : status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/review/diff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"

typedef struct parser {
  const char *at, *end;
  uint32_t line; /* of the diff, that is being read */
  sc_diff *diff;
  bool in_file; /* +++ was read, and it is no deletion */
  size_t hunks;
} parser;

static int refuse_diff(const parser *p, const char *what)
{
  (void)sc_err_set(SC_E_USAGE, "line %u: %s", p->line, what);
  return sc_err_hint(SC_E_USAGE, "--changed wants a unified diff: git diff main >changes.diff");
}

/* The next line, without its end. */
static bool diff_next(parser *p, const char **line, size_t *length)
{
  if (p->at >= p->end)
    return false;
  const char *stop = memchr(p->at, '\n', (size_t)(p->end - p->at));
  *line = p->at;
  *length = (size_t)((stop ? stop : p->end) - p->at);
  p->at = stop ? stop + 1 : p->end;
  p->line++;
  return true;
}

static bool begins_diff_line(const char *line, size_t length, const char *word)
{
  return length >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

/* git quotes names with unusual bytes as C does. */
static void unquote_diff(const char *from, size_t length, sc_buf *out)
{
  static const char *const escapes = "abtnvfr\"\\", *const bytes = "\a\b\t\n\v\f\r\"\\";
  for (size_t i = 1; i < length && from[i] != '"'; i++) {
    if (from[i] != '\\' || i + 1 >= length) {
      sc_buf_add(out, from + i, 1);
      continue;
    }
    const char *known = memchr(escapes, from[++i], strlen(escapes));
    unsigned code = 0, digits = 0;
    for (; digits < 3 && i + digits < length && from[i + digits] >= '0' && from[i + digits] <= '7'; digits++)
      code = code * 8 + (unsigned)(from[i + digits] - '0');
    char byte = digits ? (char)code : known ? bytes[known - escapes] : from[i];
    i += digits ? digits - 1 : 0;
    if (byte)
      sc_buf_add(out, &byte, 1);
  }
}

static int begin_file(parser *p, const char *name, size_t length)
{
  sc_buf path = {0};
  if (length && *name == '"')
    unquote_diff(name, length, &path);
  else {
    const char *tab = memchr(name, '\t', length); /* diff -u writes a date behind it */
    size_t used = tab ? (size_t)(tab - name) : length;
    while (used && name[used - 1] == '\r')
      used--;
    sc_buf_add(&path, name, used);
  }
  SC_TRY(sc_buf_finish(&path));
  p->in_file = *path.text && strcmp(path.text, "/dev/null") != 0;
  int err = 0;
  if (p->in_file) {
    err = sc_mem_grow(&p->diff->files, &p->diff->capacity, p->diff->count + 1, sizeof *p->diff->files);
    bool prefixed = strncmp(path.text, "b/", 2) == 0;
    char *copy = err == 0 ? sc_mem_copy_string(path.text + (prefixed ? 2 : 0)) : NULL;
    if (copy)
      p->diff->files[p->diff->count++] = (sc_diff_file){.path = copy};
    else
      err = SC_E_NOMEM;
  }
  sc_buf_free(&path);
  return err;
}

static bool diff_number(const char **at, const char *end, uint32_t *value)
{
  uint64_t sum = 0;
  const char *start = *at;
  for (; *at < end && isdigit((unsigned char)**at) && sum < UINT32_MAX; ++*at)
    sum = sum * 10 + (uint64_t)(**at - '0');
  *value = (uint32_t)sum;
  return *at > start && sum < UINT32_MAX / 2;
}

/* "-12,3" of "@@ -12,3 +14,5 @@" */
static bool diff_range(const char **at, const char *end, char sign, uint32_t *first, uint32_t *count)
{
  while (*at < end && **at == ' ')
    ++*at;
  if (*at >= end || **at != sign)
    return false;
  ++*at;
  if (!diff_number(at, end, first))
    return false;
  *count = 1;
  if (*at < end && **at == ',') {
    ++*at;
    return diff_number(at, end, count);
  }
  return true;
}

static int add_diff_line(parser *p, uint32_t line)
{
  sc_diff_file *file = &p->diff->files[p->diff->count - 1];
  if (file->count && file->list[file->count - 1].last + 1 == line) {
    file->list[file->count - 1].last = line;
    return 0;
  }
  SC_TRY(sc_mem_grow(&file->list, &file->capacity, file->count + 1, sizeof *file->list));
  file->list[file->count++] = (sc_diff_lines){line, line};
  return 0;
}

static int read_hunk(parser *p, const char *line, size_t length)
{
  uint32_t old_first, old_left, at, new_left;
  const char *end = line + length, *head = line + 2;
  if (!diff_range(&head, end, '-', &old_first, &old_left) || !diff_range(&head, end, '+', &at, &new_left))
    return refuse_diff(p, "the head of a hunk is not \"@@ -A,B +C,D @@\"");
  p->hunks++;
  while (old_left || new_left) {
    if (!diff_next(p, &line, &length))
      return refuse_diff(p, "the last hunk is cut off");
    char kind = length ? *line : ' '; /* editors strip the blank of an empty line */
    if (kind == '\\')
      continue;
    bool old_side = kind == '-' || kind == ' ', new_side = kind == '+' || kind == ' ';
    if ((!old_side && !new_side) || (old_side && !old_left) || (new_side && !new_left))
      return refuse_diff(p, "a hunk does not have the lines that its head promises");
    old_left -= old_side;
    new_left -= new_side;
    if (kind == '+' && p->in_file)
      SC_TRY(add_diff_line(p, at));
    at += new_side;
  }
  return 0;
}

int sc_diff_parse(const char *text, size_t length, sc_diff *diff)
{
  parser p = {.at = text, .end = text + length, .diff = diff};
  const char *line;
  size_t size;
  bool words = false;
  *diff = (sc_diff){0};
  while (diff_next(&p, &line, &size)) {
    words |= size > 0;
    if (begins_diff_line(line, size, "+++ "))
      SC_TRY(begin_file(&p, line + 4, size - 4));
    else if (begins_diff_line(line, size, "diff ") || begins_diff_line(line, size, "--- "))
      p.in_file = false;
    else if (begins_diff_line(line, size, "@@ "))
      SC_TRY(read_hunk(&p, line, size));
    else if (begins_diff_line(line, size, "@@@"))
      return refuse_diff(&p, "a combined diff of a merge");
  }
  p.line = 1;
  /* Renames and changes of binary files have no hunks. */
  return words && !p.hunks && !memmem(text, length, "diff --git ", 11) ? refuse_diff(&p, "this is no diff") : 0;
}

void sc_diff_free(sc_diff *diff)
{
  for (size_t i = 0; i < diff->count; i++) {
    free(diff->files[i].path);
    free(diff->files[i].list);
  }
  free(diff->files);
  *diff = (sc_diff){0};
}

uint32_t sc_diff_find(const sc_diff *diff, const char *path, uint32_t first, uint32_t last)
{
  uint32_t best = 0;
  for (size_t i = 0; i < diff->count; i++) {
    const sc_diff_file *file = &diff->files[i];
    if (!*path || !sc_path_ends_alike(file->path, path))
      continue;
    for (size_t r = 0; r < file->count; r++) {
      const sc_diff_lines *lines = &file->list[r];
      uint32_t from = lines->first > first ? lines->first : first;
      if (from <= lines->last && from <= last && (!best || from < best))
        best = from;
    }
  }
  return best;
}

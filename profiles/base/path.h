/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* The last part of a path; all of it without a slash. */
static inline const char *sc_path_last(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Whether two paths end in the same folders and file, as far as the shorter one goes. */
static inline bool sc_path_ends_alike(const char *a, const char *b)
{
  size_t length_a = strlen(a), length_b = strlen(b), both = length_a < length_b ? length_a : length_b;
  const char *longer = length_a < length_b ? b : a;
  size_t rest = strlen(longer) - both;
  return strcmp(a + length_a - both, b + length_b - both) == 0 && (rest == 0 || longer[rest - 1] == '/');
}

/* Whether two paths lead to the same file; one that leads nowhere is the same as itself. */
static inline bool sc_path_same_file(const char *a, const char *b)
{
  struct stat x, y;
  return strcmp(a, b) == 0 || (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

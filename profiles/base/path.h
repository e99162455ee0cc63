/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_BASE_PATH_H
#define SC_BASE_PATH_H
#include <string.h>

/* The last part of a path; all of it without a slash. */
static inline const char *sc_path_last(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}
#endif

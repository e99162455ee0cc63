/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profiles/location.h"

#include <string.h>

bool sc_location_is_called(const sc_location *location, const char *name)
{
  size_t length = strlen(name);
  return location->kind == SC_LOCATION_FUNCTION &&
         (strcmp(name, location->name) == 0 || strcmp(name, location->display) == 0 ||
          (strncmp(name, location->display, length) == 0 && location->display[length] == '('));
}

bool sc_location_is_library(const sc_location *location)
{
  static const char *const roots[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (strncmp(location->file, roots[i], strlen(roots[i])) == 0)
      return true;
  const char *clang = strstr(location->file, "/lib/clang/");
  return strstr(location->file, "/include/c++/") || (clang && strstr(clang, "/include/"));
}

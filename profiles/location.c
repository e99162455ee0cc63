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
  return strncmp(location->file, "/usr/include/", 13) == 0 || strncmp(location->file, "/usr/lib/", 9) == 0;
}

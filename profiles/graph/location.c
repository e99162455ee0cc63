/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a location is to its readers: its unit, its weight, whether it is the user's own code. */
#include "profiles/graph/location.h"

#include <string.h>

#include "profiles/graph/tuning.h"

const char *sc_location_kind_name(enum sc_location_kind kind)
{
  static const char *const names[] = {
      [SC_LOCATION_ROOT] = "root", [SC_LOCATION_PROCESS] = "process", [SC_LOCATION_FUNCTION] = "function",
      [SC_LOCATION_LOOP] = "loop", [SC_LOCATION_FOREIGN] = "foreign", [SC_LOCATION_TRUNCATED] = "truncated",
      [SC_LOCATION_WORK] = "work",
  };
  return names[kind];
}

const char *sc_location_unit(const sc_location *location)
{
  static const char *const units[] = {
      [SC_UNIT_BYTES] = "bytes",           [SC_UNIT_CHARACTERS] = "characters",     [SC_UNIT_ELEMENTS] = "elements",
      [SC_UNIT_OPERATIONS] = "operations", [SC_UNIT_MICROSECONDS] = "microseconds", [SC_UNIT_FAULTS] = "faults",
      [SC_UNIT_BLOCKS] = "blocks"};
  if (location->kind != SC_LOCATION_WORK)
    return location->kind == SC_LOCATION_LOOP ? "iterations" : "calls";
  return location->nth >= SC_UNIT_BYTES && location->nth <= SC_UNIT_BLOCKS ? units[location->nth] : "units";
}

/* A byte that memcpy moves is not an iteration of a loop: weights make work comparable with executions. */
double sc_location_work_weight(const sc_location *work)
{
  switch (work->nth) {
  case SC_UNIT_BYTES:
    return SC_LOCATION_BYTE;
  case SC_UNIT_CHARACTERS:
    return SC_LOCATION_CHARACTER;
  case SC_UNIT_MICROSECONDS: /* no executions at all, but what these took */
  case SC_UNIT_FAULTS:
  case SC_UNIT_BLOCKS:
    return SC_LOCATION_CONSUMED;
  default:
    return 1;
  }
}

/* Users give names as they write them, without parameters, or paste the linkage name from other tools. */
bool sc_location_is_called(const sc_location *location, const char *name)
{
  size_t length = strlen(name);
  return location->kind == SC_LOCATION_FUNCTION &&
         (strcmp(name, location->name) == 0 || strcmp(name, location->display) == 0 ||
          (strncmp(name, location->display, length) == 0 && location->display[length] == '('));
}

/* By the path where the build did not name the folder with -isystem: nobody does that for the compiler's own headers
 * and those of the C++ library. */
bool sc_location_is_library(const sc_location *location)
{
  static const char *const roots[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
  if (location->system)
    return true;
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (strncmp(location->file, roots[i], strlen(roots[i])) == 0)
      return true;
  const char *clang = strstr(location->file, "/lib/clang/");
  return strstr(location->file, "/include/c++/") || (clang && strstr(clang, "/include/"));
}

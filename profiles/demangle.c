/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profiles/demangle.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ run-time library (Itanium C++ ABI, 3.4); it has no C header. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

enum {
  LONGEST_NAME = 8192, /* a name may unfold exponentially: what is longer is shown as it is */
  LONGEST_DISPLAY = 32768
};

char *sc_demangle_name(const char *name)
{
  if (strncmp(name, "_Z", 2) != 0 || strlen(name) > LONGEST_NAME)
    return NULL;
  int status = 0;
  char *display = __cxa_demangle(name, NULL, NULL, &status);
  if (display && strlen(display) > LONGEST_DISPLAY) {
    free(display);
    return NULL;
  }
  return display;
}

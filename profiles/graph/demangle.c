/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ linkage names as the programmer wrote them, also those that the C++ library cannot read. */
#include "profiles/graph/demangle.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Of the C++ run-time library (Itanium C++ ABI, 3.4); it has no C header. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

enum {
  LONGEST_NAME = 8192, /* a name may unfold exponentially: what is longer is shown as it is */
  LONGEST_DISPLAY = 32768
};

/* The number at *text, behind which it is left; 0: none, or more than a name may have. */
static size_t read_length(const char **text)
{
  size_t length = 0;
  for (; **text >= '0' && **text <= '9' && length <= LONGEST_NAME; ++*text)
    length = length * 10 + (size_t)(**text - '0');
  return length <= LONGEST_NAME ? length : 0;
}

/* The library doesn't know names of newer compilers, those with C++20's constraints. The scopes and the name stand in
 * front of all that it could stumble over: "pool::add<...>" for _ZN4pool3addITk8IntegralIiEEvT_. NULL: no name there.
 */
static char *name_alone(const char *mangled)
{
  const char *at = mangled + 2;
  sc_buf name = {0};
  size_t length;
  bool nested = *at == 'N';
  at += nested;
  at += nested ? strspn(at, "rVKRO") : strspn(at, "L");
  if (strncmp(at, "St", 2) == 0) {
    sc_buf_puts(&name, "std");
    at += 2;
  }
  size_t scopes = name.length;
  while ((length = read_length(&at)) > 0 && length <= strlen(at) && (nested || name.length == scopes)) {
    bool unnamed = length > 10 && strncmp(at, "_GLOBAL__N", 10) == 0;
    sc_buf_puts(&name, name.length ? "::" : "");
    sc_buf_add(&name, unnamed ? "(anonymous namespace)" : at, unnamed ? strlen("(anonymous namespace)") : length);
    at += length;
  }
  bool found = name.length > scopes;
  if (found && *at == 'I')
    sc_buf_puts(&name, "<...>");
  char *display = found && *at && sc_buf_finish(&name) == 0 ? sc_buf_take(&name) : NULL;
  sc_buf_free(&name);
  return display;
}

/* The name without its constraint, which comes last and begins with "Q". NULL: it has no constraint. */
static char *demangle_unconstrained(const char *name)
{
  char *copy = sc_mem_copy_string(name), *display = NULL, *at;
  int status;
  while (copy && !display && (at = strrchr(copy, 'Q'))) {
    *at = '\0';
    display = __cxa_demangle(copy, NULL, NULL, &status);
  }
  free(copy);
  return display;
}

char *sc_demangle_name(const char *name)
{
  if (strncmp(name, "_Z", 2) != 0 || strlen(name) > LONGEST_NAME)
    return NULL;
  int status = 0;
  char *display = __cxa_demangle(name, NULL, NULL, &status);
  if (!display && status == -2)
    display = demangle_unconstrained(name);
  if (display && strlen(display) > LONGEST_DISPLAY) {
    free(display);
    return NULL;
  }
  return display || status == -1 ? display : name_alone(name);
}

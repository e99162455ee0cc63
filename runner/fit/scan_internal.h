/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_FIT_SCAN_INTERNAL_H
#define SC_RUNNER_FIT_SCAN_INTERNAL_H
#include "runner/fit/scan.h"

/* The next character that is no blank, which is not consumed; NUL at the end. */
static inline char sc_scan_next(sc_scan *scan)
{
  const char *at = scan->at, *end = scan->end;
  while (at < end && (unsigned char)*at <= ' ' && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
    at++;
  scan->at = at;
  return at < end ? *at : '\0';
}
#endif
